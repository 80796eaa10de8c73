/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* mkstemp */
/* Files: read whole; refused early when they cannot be written, named only when they are complete.
 */
#include "cli.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_file(const char *path, const char *other)
{
    struct stat a, b;
    return !stat(path, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static char *join(const char *a, const char *b)
{
    size_t length = strlen(a), more = strlen(b) + 1;
    char *text = malloc(length + more);
    if (!text) return NULL;
    memcpy(text, a, length);
    memcpy(text + length, b, more);
    return text;
}

char *gt_cli_read_whole(const char *what, const char *path, size_t most, size_t *length)
{
    gt_message message = {""};
    char *text = NULL;
    gt_status status = gt_file_read(path, most, &text, length, &message);
    if (status == GT_NO_MEMORY)
        gt_cli_failed("%s%s", what, message.text);
    else if (status)
        gt_cli_usage("%s%s", what, message.text);
    return text;
}

json_t *gt_cli_read_json(const char *what, const char *path, size_t flags)
{
    size_t length;
    json_error_t error;
    char *text = gt_cli_read_whole(what, path, CLI_MOST_BYTES, &length);
    json_t *root = text ? json_loadb(text, length, flags, &error) : NULL;
    if (text && !root) gt_cli_usage("%s:%d:%d: %s", path, error.line, error.column, error.text);
    free(text);
    return root;
}

/* By trial: what access() says of a folder is not true of /proc, nor of a network file system. */
static bool can_make_file(const char *path)
{
    char *name = join(path, ".XXXXXX");
    int descriptor = name ? mkstemp(name) : -1;
    if (descriptor >= 0) {
        close(descriptor);
        remove(name);
    }
    free(name);
    return descriptor >= 0;
}

static int check_directory(const char *what, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    char *directory = malloc(length + 2);
    if (!directory) return gt_cli_failed("%s: out of memory", what);
    memcpy(directory, slash == path ? "/" : ".", 2);
    if (length) {
        memcpy(directory, path, length);
        directory[length] = '\0';
    }
    int code = CLI_OK;
    struct stat info;
    if (stat(directory, &info) || !S_ISDIR(info.st_mode))
        code = gt_cli_usage("%s %s: there is no folder %s", what, path, directory);
    else if (!can_make_file(path))
        code = gt_cli_usage("%s %s: the folder %s cannot be written: %s", what, path, directory,
                            strerror(errno));
    free(directory);
    return code;
}

int gt_cli_check_output(const char *what, const char *path, const char *const *inputs)
{
    if (!strcmp(path, "-")) return CLI_OK;
    for (; inputs && *inputs; inputs++)
        if (same_file(path, *inputs))
            return gt_cli_usage("%s %s is also read as input; choose another name for the output",
                                what, path);
    struct stat info;
    if (stat(path, &info)) return check_directory(what, path);
    if (S_ISDIR(info.st_mode)) return gt_cli_usage("%s %s is a folder, not a file", what, path);
    if (access(path, W_OK))
        return gt_cli_usage("%s %s cannot be written: %s", what, path, strerror(errno));
    return S_ISREG(info.st_mode) ? check_directory(what, path) : CLI_OK;
}

int gt_cli_check_checkpoint(const char *path, const char *const *inputs)
{
    struct stat info;
    bool special = !stat(path, &info) && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
    if (special || !strcmp(path, "-"))
        return gt_cli_usage("--checkpoint %s is a pipe or a device, from which nothing can be "
                            "resumed: give a file",
                            path);
    return gt_cli_check_output("--checkpoint", path, inputs);
}

bool gt_cli_is_file(const char *path)
{
    struct stat info;
    return !stat(path, &info) && S_ISREG(info.st_mode);
}

void gt_cli_note_left_behind(const gt_file *file)
{
    if (file->left_behind)
        gt_cli_warn("found the unfinished %s of an earlier run that was killed; it is kept",
                    file->left_behind);
}

int gt_cli_file_open(cli_file *file, const char *path)
{
    gt_message message = {""};
    gt_status status = gt_file_open(&file->file, path, &message);
    file->stream = file->file.stream;
    if (status) return gt_cli_complain(status, &message);
    gt_cli_note_left_behind(&file->file);
    return CLI_OK;
}

int gt_cli_file_close(cli_file *file, bool complete)
{
    gt_message message = {""};
    char *path = join(file->file.path, ".partial");
    gt_status status = gt_file_close(&file->file, complete, &message);
    if (!status && file->file.partial)
        gt_cli_note("what was there so far is in %s", path ? path : "FILE.partial");
    free(path);
    file->stream = NULL;
    return status ? gt_cli_complain(status, &message) : CLI_OK;
}

int gt_cli_flush(void)
{
    if (!fflush(stdout) && !ferror(stdout)) return CLI_OK;
    clearerr(stdout);
    return gt_cli_usage("standard output could not be written: %s", strerror(errno));
}

bool gt_cli_own_folder(char *folder, size_t room)
{
    ssize_t length = readlink("/proc/self/exe", folder, room - 1);
    if (length <= 0) return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) *slash = '\0';
    return slash != NULL;
}
