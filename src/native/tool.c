/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE /* wait4 */
/*
 * Starting the compiler: found in the path, called with words and never through a shell.
 *
 * It runs in a process group of its own, which is ended as a whole: a driver that is stopped alone
 * would leave its parts behind, and a compiler that waits (for a lock, a licence server, a network
 * disk) uses no processor time, so that only a clock can end it. That is the one clock which the
 * library reads, and no result depends on it.
 */
#include "native/native.h"
#include <errno.h>
#include <fcntl.h>
#include <geartrain/author/number.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ; /* a compiler looks for its parts there; we only pass it on */

char *gt_text(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = gt_vformat(NULL, 0, format, list);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) gt_vformat(text, (size_t)length + 1, format, again);
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
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = find_program(names[i], path);
    return found;
}

static const char *path_of(const gt_toolchain *tools)
{
    return tools->path && *tools->path ? tools->path : "/usr/local/bin:/usr/bin:/bin";
}

gt_status gt_command_compiler(gt_command *command, const gt_toolchain *tools, gt_message *message)
{
    const char *path = path_of(tools);
    const char *text = tools->compiler ? tools->compiler : "";
    *command = (gt_command){.count = 0};
    text += strspn(text, " \t");
    if (!*text) {
        command->memory = find_any(path);
        if (!command->memory)
            return gt_fail(message, GT_UNSUPPORTED,
                           "there is no C compiler: neither cc, gcc nor clang is in the path; "
                           "install one (Debian: "
                           "apt-get install gcc libc6-dev) or name it in the variable CC");
        gt_command_add(command, command->memory);
        return GT_OK;
    }
    int first = (int)strcspn(text, " \t");
    char *name = gt_text("%.*s", first, text);
    char *program = name ? find_program(name, path) : NULL;
    free(name);
    if (!program)
        return gt_fail(message, GT_UNSUPPORTED,
                       "the C compiler '%.200s' (variable CC) was not found", text);
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

bool gt_command_identify(const gt_command *command, const gt_toolchain *tools, gt_sha256 *hash)
{
    const char *path = path_of(tools);
    for (size_t i = 0; i < command->count; i++) {
        gt_sha256_add_text(hash, command->words[i]);
        /* "ccache gcc": behind the first word another one may be the compiler. */
        char *program = command->words[i][0] == '-' ? NULL : find_program(command->words[i], path);
        struct stat info;
        bool known = program && !stat(program, &info);
        if (known) {
            const long long numbers[] = {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
            gt_sha256_add_text(hash, program);
            gt_sha256_add(hash, numbers, sizeof numbers);
        }
        free(program);
        if (i == 0 && !known) return false;
    }
    return true;
}

void gt_command_add(gt_command *command, const char *word)
{
    /* execve wants char *, and changes nothing. */
    if (command->count < GT_MAX_WORDS) command->words[command->count++] = (char *)(size_t)word;
}

void gt_command_free(gt_command *command)
{
    free(command->memory);
    *command = (gt_command){.count = 0};
}

#define MOST_MEMORY ((rlim_t)4 << 30) /* of a compiler with a limit */
enum { MOST_TEXT = 65536 };

/* What a process says, of which the beginning is kept. */
typedef struct output {
    int descriptor;
    bool open;
    char *text;
    size_t used;
} output;

static void read_some(output *from)
{
    char rest[4096];
    bool keep = from->text && from->used < MOST_TEXT;
    ssize_t got = keep ? read(from->descriptor, from->text + from->used, MOST_TEXT - from->used)
                       : read(from->descriptor, rest, sizeof rest);
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) from->open = false;
    if (got > 0 && keep) from->used += (size_t)got;
}

/* It is left for end_of to be asked about, so that its number stays its own. */
static bool has_ended(pid_t child)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) ? errno != EINTR
                                                                          : info.si_pid == child;
}

static long long milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1000LL * now.tv_sec + now.tv_nsec / 1000000;
}

/* Reads until the process has ended and all is read; what processes that it left behind may still
 * say is not waited for. False: it did not end in time. */
static bool wait_for(pid_t child, output *from, int wall_seconds)
{
    enum {
        SHORT = 1,
        LONG = 50
    }; /* milliseconds; the end of the process is also the end of its output, as a rule */
    long long end = milliseconds_now() + 1000LL * wall_seconds;
    for (;;) {
        struct pollfd wait = {.fd = from->open ? from->descriptor : -1, .events = POLLIN};
        int ready = poll(&wait, 1, from->open ? LONG : SHORT);
        if (ready > 0) read_some(from);
        if (ready <= 0 && has_ended(child)) return true;
        if (wall_seconds > 0 && milliseconds_now() >= end) return false;
    }
}

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static gt_command_end end_of(pid_t child, int seconds)
{
    int status = 0;
    struct rusage used = {0};
    while (wait4(child, &status, 0, &used) < 0)
        if (errno != EINTR) return GT_ENDED_BADLY;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return GT_ENDED_WELL;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return GT_ENDED_BY_LIMIT;
    /* When a part of a compiler is stopped, the whole says only that it failed; `used` has the time
     * of its parts too.
     */
    double took = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    return seconds > 0 && took >= 0.95 * seconds ? GT_ENDED_BY_LIMIT : GT_ENDED_BADLY;
}

static void limit(int what, rlim_t most)
{
    struct rlimit limits;
    if (getrlimit(what, &limits)) return;
    if (limits.rlim_cur == RLIM_INFINITY || limits.rlim_cur > most) limits.rlim_cur = most;
    (void)setrlimit(what, &limits);
}

/* In the child: only calls that are safe between fork and exec. */
_Noreturn static void become(const gt_command *command, const char *out, int report)
{
    enum { NOT_FOUND = 127 };
    int nothing = open("/dev/null", O_RDONLY);
    int to = out ? open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600) : report;
    (void)setpgid(0, 0);
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG,
                SIGKILL); /* out of the terminal's group it would not hear of Ctrl-C */
#endif
    if (nothing < 0 || to < 0 || dup2(nothing, 0) < 0 || dup2(to, 1) < 0 || dup2(report, 2) < 0)
        _exit(NOT_FOUND);
    if (command->seconds > 0) {
        limit(RLIMIT_CPU, (rlim_t)command->seconds);
        limit(RLIMIT_AS, MOST_MEMORY);
        limit(RLIMIT_CORE, 0);
    }
    execve(command->words[0], command->words, environ);
    _exit(NOT_FOUND);
}

gt_command_end gt_command_run(const gt_command *command, const char *out, char **text)
{
    int ends[2];
    *text = NULL;
    if (pipe(ends)) return GT_ENDED_BADLY;
    for (int i = 0; i < 2; i++) (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child == 0) become(command, out, ends[1]);
    close(ends[1]);
    gt_command_end end = GT_ENDED_BADLY;
    if (child > 0) {
        output from = {.descriptor = ends[0], .open = true, .text = malloc(MOST_TEXT + 1)};
        (void)setpgid(child, child); /* whoever of the two comes first */
        bool in_time = wait_for(child, &from, command->wall_seconds);
        (void)kill(-child, SIGKILL);
        if (from.text) from.text[from.used] = '\0';
        *text = from.text;
        end = end_of(child, command->seconds);
        if (!in_time) end = GT_ENDED_BY_DEADLINE;
    }
    close(ends[0]);
    return end;
}
