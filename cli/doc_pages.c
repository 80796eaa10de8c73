/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pages with blocks that the program makes. A block stands between two lines,
 *
 *     <!-- geartrain doc options rk4 -->
 *     <!-- end -->
 *
 * of which the first says what belongs there. All else on a page is for people to write.
 */
#include "doc_parts.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char begin_mark[] = "<!-- geartrain doc ", end_mark[] = "<!-- end -->";

/* The page with its blocks made anew. */
static int refresh(const char *path, const char *text, FILE *out)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        size_t line = length + (text[length] == '\n');
        fwrite(text, 1, line, out);
        bool marked = !strncmp(text, begin_mark, sizeof begin_mark - 1);
        const char *mark = text;
        text += line;
        if (!marked) continue;
        char topic[80];
        const char *name = mark + sizeof begin_mark - 1, *close = strstr(name, " -->");
        const char *end = strstr(text, end_mark), *other = strstr(text, begin_mark);
        if (!close || close > mark + length)
            return gt_cli_usage("%s: a mark does not end with ' -->'", path);
        if (!end || (other && other < end))
            return gt_cli_usage("%s: a block has no line %s", path, end_mark);
        snprintf(topic, sizeof topic, "%.*s", (int)(close - name), name);
        fputc('\n', out);
        int code = gt_doc_block(topic, out);
        if (code) return gt_cli_usage("%s asks for it", path);
        fputc('\n', out);
        text = end;
    }
    return CLI_OK;
}

static int write_page(const char *path, const char *text)
{
    cli_file file;
    int code = gt_cli_file_open(&file, path);
    if (code) return code;
    fputs(text, file.stream);
    code = gt_cli_file_close(&file, true);
    if (!code) printf("wrote %s\n", path);
    return code;
}

enum { PATH_ROOM = 4096 };

typedef struct job {
    const char *folder;
    bool only_check;
    size_t stale;
} job;

static int do_page(job *j, const char *path, const char *text)
{
    char *fresh = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&fresh, &length);
    if (!out) return gt_cli_failed("out of memory");
    int code = refresh(path, text, out);
    fclose(out);
    const char *old = gt_cli_is_file(path) ? text : "";
    if (!code && strcmp(old, fresh)) {
        j->stale++;
        if (j->only_check)
            printf("%s is stale\n", path);
        else
            code = write_page(path, fresh);
    }
    free(fresh);
    return code;
}

/* A page that is there, or one with the title and the blocks where there is none. */
static int do_named(job *j, const char *part, const char *name, const char *outline)
{
    char path[PATH_ROOM];
    if (snprintf(path, sizeof path, "%s/%s%s.md", j->folder, part, name) >= (int)sizeof path)
        return gt_cli_usage("the name of the folder %.40s.. is too long", j->folder);
    size_t length;
    bool there = !access(path, F_OK);
    char *text = there ? gt_cli_read_whole("", path, CLI_MOST_BYTES, &length) : NULL;
    if (there && !text) return CLI_USAGE;
    int code = do_page(j, path, text ? text : outline);
    free(text);
    return code;
}

static int do_method(job *j, const gt_method *method)
{
    char outline[1024];
    snprintf(
        outline, sizeof outline,
        "# %s\n\n%s.\n\n## Facts\n%s%s%s -->\n%s\n\n## Options\n%s%s%s -->\n%s\n\nReference: %s.\n",
        method->name, method->title, begin_mark, "facts ", method->name, end_mark, begin_mark,
        "options ", method->name, end_mark, method->reference ? method->reference : "-");
    return do_named(j, "methods/", method->name, outline);
}

static int do_model(job *j, const gt_model *model)
{
    char outline[1024];
    snprintf(outline, sizeof outline, "# %s\n\n%s.\n\n%s%s%s -->\n%s\n\nSource: %s.\n", model->name,
             model->title, begin_mark, "parameters ", model->name, end_mark,
             model->reference ? model->reference : "-");
    return do_named(j, "models/", model->name, outline);
}

/* All other pages of the folder, which hold blocks or not. */
static int do_others(job *j)
{
    struct dirent **list = NULL;
    int count = scandir(j->folder, &list, NULL, alphasort), code = CLI_OK;
    for (int i = 0; i < count; i++) {
        const char *name = list[i]->d_name, *dot = strrchr(name, '.');
        char bare[256];
        if (!code && dot && !strcmp(dot, ".md")) {
            snprintf(bare, sizeof bare, "%.*s", (int)(dot - name), name);
            code = do_named(j, "", bare, "");
        }
        free(list[i]);
    }
    free(list);
    return code;
}

static int make_folder(const char *folder, const char *part)
{
    char path[PATH_ROOM];
    if (snprintf(path, sizeof path, "%s%s", folder, part) >= (int)sizeof path)
        return gt_cli_usage("the name of the folder %.40s.. is too long", folder);
    if (mkdir(path, 0777) && errno != EEXIST)
        return gt_cli_usage("%s cannot be made: %s", path, strerror(errno));
    return CLI_OK;
}

int gt_doc_pages(const char *folder, bool only_check)
{
    static const char outline[] = "# The command line\n\n"
                                  "<!-- geartrain doc commands -->\n<!-- end -->\n\n"
                                  "<!-- geartrain doc reference -->\n<!-- end -->\n";
    job j = {.folder = folder, .only_check = only_check};
    int code = CLI_OK;
    if (!only_check) {
        code = make_folder(folder, "");
        if (!code) code = make_folder(folder, "/methods");
        if (!code) code = make_folder(folder, "/models");
    }
    if (!code) code = do_named(&j, "", "cli", outline);
    for (const gt_method *const *m = gt_method_list(); *m && !code; m++) code = do_method(&j, *m);
    for (const gt_model *const *m = gt_model_list(); *m && !code; m++) code = do_model(&j, *m);
    if (!code) code = do_others(&j);
    if (code || !j.stale || !only_check) return code;
    return gt_cli_failed("%zu page%s stale; bring %s up to date: geartrain doc --out %s", j.stale,
                         j.stale == 1 ? " is" : "s are", j.stale == 1 ? "it" : "them", folder);
}
