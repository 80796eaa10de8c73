/* SPDX-License-Identifier: BSD-3-Clause */
/* What an installation has below share/ beside models and cases: manual pages and completion for
 * shells. */
#include "doc_parts.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_ROOM = 4096 };

/* The folder, and those above it. */
static int make_folders(const char *folder)
{
    char path[PATH_ROOM];
    if (snprintf(path, sizeof path, "%s", folder) >= (int)sizeof path)
        return gt_cli_usage("the name of the folder %.40s.. is too long", folder);
    for (char *c = path + 1;; c++) {
        if (*c && *c != '/') continue;
        char here = *c;
        *c = '\0';
        if (mkdir(path, 0777) && errno != EEXIST)
            return gt_cli_usage("%s cannot be made: %s", path, strerror(errno));
        *c = here;
        if (!here) return CLI_OK;
    }
}

static int open_page(cli_file *file, const char *folder, const char *part, const char *name)
{
    char path[PATH_ROOM];
    if (snprintf(path, sizeof path, "%s/%s", folder, part) >= (int)sizeof path - 128)
        return gt_cli_usage("the name of the folder %.40s.. is too long", folder);
    int code = make_folders(path);
    size_t used = strlen(path);
    snprintf(path + used, sizeof path - used, "/%s", name);
    return code ? code : gt_cli_file_open(file, path);
}

static int write_command(const char *folder, const cli_command *command)
{
    char name[96];
    cli_file file = {0};
    snprintf(name, sizeof name, "geartrain-%.80s.1", command->name);
    for (char *c = name; *c; c++)
        if (*c == ' ') *c = '-';
    int code = open_page(&file, folder, "man/man1", name);
    if (code) return code;
    gt_doc_man_command(command, file.stream);
    return gt_cli_file_close(&file, true);
}

int gt_doc_share(const char *folder)
{
    cli_file file = {0};
    int code = open_page(&file, folder, "man/man1", "geartrain.1");
    if (code) return code;
    gt_doc_man_program(file.stream);
    code = gt_cli_file_close(&file, true);
    for (const cli_command *const *c = gt_cli_commands; *c && !code; c++) {
        code = write_command(folder, *c);
        for (const cli_command *const *sub = (*c)->subs; sub && *sub && !code; sub++)
            code = write_command(folder, *sub);
    }
    for (const gt_doc_shell *shell = gt_doc_shells; shell->name && !code; shell++) {
        code = open_page(&file, folder, shell->folder, shell->file);
        if (code) break;
        shell->put(file.stream);
        code = gt_cli_file_close(&file, true);
    }
    return code;
}
