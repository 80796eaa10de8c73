/* SPDX-License-Identifier: BSD-3-Clause */
/* lab: writes the page of the lab, with a model in it if one is named, and opens it. */
#include "cli.h"
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What was given for the flags that `lab` alone has. */
typedef struct lab_flags {
    cli_value no_open;
} lab_flags;

static inline const lab_flags *lab_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(lab_flags));
}

static const cli_flag own_flags[] = {
    {CLI_FLAG(out, "out"), .value = "FILE",
     .help = "the page; default geartrain-lab.html, \"-\" is standard output"},
    {CLI_OWN(lab_flags, no_open, "no-open"), .help = "only writes the page"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {own_flags, NULL};

/* The page as it was built or installed; NULL: it was not. */
static const char *find_page(char *path, size_t room)
{
    static const char *const places[] = {"lab", "../share/geartrain/lab",
                                         GEARTRAIN_SHARE_DIR "/lab",
                                         GEARTRAIN_SOURCE_DIR "/build/lab"};
    char folder[4096] = "";
    bool known = gt_cli_own_folder(folder, sizeof folder);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        bool beside = places[i][0] != '/';
        if (beside && !known) continue;
        int used = snprintf(path, room, "%s%s%s/index.html", beside ? folder : "",
                            beside ? "/" : "", places[i]);
        if (used > 0 && (size_t)used < room && !access(path, R_OK)) return path;
    }
    return NULL;
}

/* As a value in the fragment of an address. */
static void write_encoded(FILE *out, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool plain =
            (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
        if (plain)
            fputc(c, out);
        else
            fprintf(out, "%%%02X", (unsigned)c);
    }
}

/* What the page begins with: a model of the list, or the text of a file. */
typedef struct beginning {
    const char *model;
    char *text; /* NULL: a model of the list */
} beginning;

static int read_beginning(const cli_args *args, beginning *b)
{
    enum { MOST = 1 << 20 };
    size_t length = 0;
    *b = (beginning){0};
    if (!args->n_operands) return CLI_OK;
    b->model = args->operands[0];
    if (gt_model_find(b->model)) return CLI_OK;
    const char *dot = strrchr(b->model, '.');
    if (!dot || strcmp(dot, ".ode"))
        return gt_cli_usage("'%s' is neither a model of the list nor a file NAME.ode; the models: "
                            "geartrain list models",
                            b->model);
    b->text = gt_cli_read_whole("", b->model, MOST, &length);
    if (!b->text) return CLI_USAGE;
    if (strlen(b->text) != length)
        return gt_cli_usage("%s is not a text: it has a zero byte", b->model);
    return CLI_OK;
}

/* The page, with the beginning as an attribute of its body. */
static void write_page(FILE *out, const char *page, size_t length, const beginning *b)
{
    static const char mark[] = "<body>";
    const char *body = strstr(page, mark);
    if (!b->model || !body) {
        fwrite(page, 1, length, out);
        return;
    }
    fwrite(page, 1, (size_t)(body - page), out);
    fputs("<body data-start=\"#simulate?model=", out);
    write_encoded(out, b->text ? "model" : b->model);
    if (b->text) {
        fputs("&amp;text=", out);
        write_encoded(out, b->text);
    }
    fputs("\">", out);
    body += sizeof mark - 1;
    fwrite(body, 1, length - (size_t)(body - page), out);
}

/* By the desktop, where there is one. */
static bool open_page(const char *path)
{
    static const char opener[] = "xdg-open";
    char program[sizeof opener], *file = strdup(path);
    pid_t id;
    int status = -1;
    memcpy(program, opener, sizeof opener);
    char *arguments[] = {program, file, NULL};
    bool there = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    bool begun = file && there && !posix_spawnp(&id, opener, NULL, NULL, arguments, environ);
    if (begun) waitpid(id, &status, 0);
    free(file);
    return begun && status == 0;
}

static int write_lab(const cli_args *args, const char *source, const beginning *b)
{
    enum { MOST = 64 << 20 };
    const char *given = gt_cli_text(&args->flags.out), *path = given ? given : "geartrain-lab.html";
    size_t length = 0;
    cli_file file;
    const char *inputs[] = {b->text ? b->model : NULL, NULL};
    int code = gt_cli_check_output("--out", path, inputs);
    if (code) return code;
    char *page = gt_cli_read_whole("", source, MOST, &length);
    if (!page) return CLI_USAGE;
    code = gt_cli_file_open(&file, path);
    if (!code) {
        write_page(file.stream, page, length, b);
        code = gt_cli_file_close(&file, true);
    }
    free(page);
    if (code || !strcmp(path, "-")) return code;
    bool opened = !gt_cli_has(&lab_own(args)->no_open) && open_page(path);
    printf("wrote %s%s\n", path, opened ? "" : "; open it in a browser");
    return CLI_OK;
}

static int run(const cli_args *args)
{
    char place[8192];
    beginning b;
    int code = read_beginning(args, &b);
    const char *source = code ? NULL : find_page(place, sizeof place);
    if (!code && !source)
        code = gt_cli_failed("the lab was not built with this program: make lab builds it where "
                             "emscripten is installed (./scripts/bootstrap lab)");
    if (!code) code = write_lab(args, source, &b);
    free(b.text);
    return code;
}

const cli_command gt_cmd_lab = {
    .name = "lab",
    .title = "writes and opens the lab: a page with sliders that runs the library in a browser",
    .operands = "[MODEL]",
    .about =
        "The page has models with sliders, several methods overlaid with errors and work, the "
        "phase plane,\n"
        "stability regions and the five papers. It is one file that needs no server and no "
        "network.\n"
        "MODEL is what it begins with: a model of the list, or a file NAME.ode. It is opened by "
        "the desktop,\n"
        "where there is one.",
    .examples = "    geartrain lab\n"
                "    geartrain lab vanderpol --out vanderpol.html --no-open",
    .flags = flags,
    .own_bytes = sizeof(lab_flags),
    .min_operands = 0,
    .max_operands = 1,
    .run = run,
};
