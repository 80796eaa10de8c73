/* SPDX-License-Identifier: BSD-3-Clause */
/* papers: computed by a program of its own, which lies beside this one or in PATH. */
#include "../papers/papers_command.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "geartrain-papers"

/* PATH_MAX is no limit on Linux, but a longer path to a program has not been seen. */
enum { LONGEST_PATH = 4096 };

/* Beside this program; false: that cannot be said. */
static bool beside(char path[LONGEST_PATH])
{
    ssize_t length = readlink("/proc/self/exe", path, LONGEST_PATH - sizeof PROGRAM);
    if (length <= 0 || (size_t)length >= LONGEST_PATH - sizeof PROGRAM) return false;
    path[length] = '\0';
    char *name = strrchr(path, '/');
    if (!name) return false;
    memcpy(name + 1, PROGRAM, sizeof PROGRAM);
    return true;
}

static int run(const cli_args *args)
{
    char path[LONGEST_PATH];
    char **words = calloc((size_t)args->argc + 2, sizeof *words);
    if (!words) return gt_cli_failed("out of memory");
    words[0] = (char *)PROGRAM;
    for (int i = 0; i < args->argc; i++) words[i + 1] = args->argv[i];
    if (beside(path)) execv(path, words);
    execvp(PROGRAM, words);
    int why = errno;
    free(words);
    return gt_cli_failed("papers are computed by the program " PROGRAM
                         ", which was not found beside this one or in "
                         "PATH (%s); install it, or build it with: make",
                         strerror(why));
}

const cli_command gt_cmd_papers = PAPERS_COMMAND(run);
