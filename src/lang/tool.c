/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting the compiler: found in the path, called with words and never through a shell. */
#include "lang/compile_parts.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ; /* a compiler looks for its parts there; we only pass it on */

char *gt_text(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(list);
    return text;
}

static bool is_program(const char *path)
{
    struct stat info;
    return !access(path, X_OK) && !stat(path, &info) && S_ISREG(info.st_mode);
}

/* Path (malloc) of a program; a name with a slash is a path already. */
static char *find_program(const char *name, const char *path)
{
    if (strchr(name, '/')) return is_program(name) ? gt_text("%s", name) : NULL;
    for (const char *folder = path; *folder;) {
        int length = (int)strcspn(folder, ":");
        /* An empty entry means the current folder, where anyone may have put a program. */
        char *candidate = length ? gt_text("%.*s/%s", length, folder, name) : NULL;
        if (candidate && is_program(candidate)) return candidate;
        free(candidate);
        folder += length;
        folder += *folder == ':';
    }
    return NULL;
}

static char *find_any(const char *path)
{
    static const char *const names[] = {"cc", "gcc", "clang"};
    char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) found = find_program(names[i], path);
    return found;
}

gt_status gt_command_compiler(gt_command *command, const gt_toolchain *tools, gt_message *message)
{
    const char *path = tools->path && *tools->path ? tools->path : "/usr/local/bin:/usr/bin:/bin";
    const char *text = tools->compiler ? tools->compiler : "";
    *command = (gt_command){.count = 0};
    text += strspn(text, " \t");
    if (!*text) {
        command->memory = find_any(path);
        if (!command->memory)
            return gt_fail(message, GT_UNSUPPORTED,
                           "there is no C compiler: neither cc, gcc nor clang is in the path; install one (Debian: "
                           "apt-get install gcc libc6-dev) or name it in the variable CC");
        gt_command_add(command, command->memory);
        return GT_OK;
    }
    int first = (int)strcspn(text, " \t");
    char *name = gt_text("%.*s", first, text), *program = name ? find_program(name, path) : NULL;
    free(name);
    if (!program) return gt_fail(message, GT_UNSUPPORTED, "the C compiler '%.200s' (variable CC) is not there", text);
    command->memory = gt_text("%s%s", program, text + first);
    size_t length = strlen(program);
    free(program);
    if (!command->memory) return gt_fail(message, GT_NO_MEMORY, "out of memory");
    gt_command_add(command, command->memory);
    for (char *rest = command->memory + length; *rest;) {
        size_t blanks = strspn(rest, " \t");
        if (blanks) *rest = '\0';
        rest += blanks;
        if (*rest) gt_command_add(command, rest);
        rest += strcspn(rest, " \t");
    }
    return GT_OK;
}

void gt_command_add(gt_command *command, const char *word)
{
    /* posix_spawn wants char *, and changes nothing. */
    if (command->count < GT_MAX_WORDS) command->words[command->count++] = (char *)(size_t)word;
}

void gt_command_free(gt_command *command)
{
    free(command->memory);
    *command = (gt_command){.count = 0};
}

enum { MOST_TEXT = 65536 };

/* Reads to the end and keeps the beginning. */
static char *read_all(int descriptor)
{
    char *text = malloc(MOST_TEXT + 1), rest[4096];
    size_t used = 0;
    for (;;) {
        bool keep = text && used < MOST_TEXT;
        ssize_t got = keep ? read(descriptor, text + used, MOST_TEXT - used) : read(descriptor, rest, sizeof rest);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        if (keep) used += (size_t)got;
    }
    if (text) text[used] = '\0';
    return text;
}

static bool ended_well(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool gt_command_run(const gt_command *command, const char *out, char **text)
{
    int ends[2];
    *text = NULL;
    if (pipe(ends)) return false;
    for (int i = 0; i < 2; i++) (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions)) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    int wrong = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    wrong |= posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    wrong |= out ? posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600)
                 : posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    pid_t child = 0;
    if (!wrong) wrong = posix_spawn(&child, command->words[0], &actions, NULL, command->words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!wrong) *text = read_all(ends[0]);
    close(ends[0]);
    return !wrong && ended_well(child);
}
