/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file layer that fails: runs a command under ptrace and makes the k-th system call fail that
 * changes a file below a folder (write, fsync, rename, ftruncate, and their kin), whoever makes it,
 * the C library's streams included.
 *
 *     inject KIND K FOLDER COMMAND...
 *
 * KIND is count (nothing fails), eio (that one call), full (ENOSPC from that call on, as a full
 * disk stays full), short (a write takes half of its bytes) or crash (the process is killed before
 * the call). The number of calls is written to the file that INJECT_REPORT names. The exit status
 * is that of the command, or 128 + its signal; 77: ptrace is not to be had here.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__linux__)
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

typedef struct injection {
    const char *kind;
    long at, seen;
    char folder[PATH_MAX];
    bool failing; /* the call under way is to fail */
} injection;

/* The descriptor leads to a file below the folder. */
static bool is_ours(const injection *j, pid_t pid, long fd)
{
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/%d/fd/%ld", (int)pid, fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return false;
    path[length] = '\0';
    size_t n = strlen(j->folder);
    return !strncmp(path, j->folder, n) && path[n] == '/';
}

static bool changes_files(const injection *j, pid_t pid, const struct user_regs_struct *r)
{
    switch (r->orig_rax) {
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_ftruncate:
        return is_ours(j, pid, (long)r->rdi);
    case SYS_rename:
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_link:
    case SYS_linkat:
        return true;
    default:
        return false;
    }
}

static int fault_of(const injection *j) { return !strcmp(j->kind, "full") ? ENOSPC : EIO; }

static void at_entry(injection *j, pid_t pid)
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, pid, NULL, &r) || !changes_files(j, pid, &r)) return;
    j->seen++;
    bool now = j->seen == j->at || (!strcmp(j->kind, "full") && j->at > 0 && j->seen >= j->at);
    if (!now || !strcmp(j->kind, "count")) return;
    if (!strcmp(j->kind, "crash")) {
        kill(pid, SIGKILL);
    } else if (!strcmp(j->kind, "short")) {
        if (r.orig_rax != SYS_write || r.rdx < 2) return;
        r.rdx /= 2;
        ptrace(PTRACE_SETREGS, pid, NULL, &r);
    } else {
        /* A full disk takes what needs no room. */
        if (!strcmp(j->kind, "full") && r.orig_rax != SYS_write && r.orig_rax != SYS_pwrite64 &&
            r.orig_rax != SYS_writev)
            return;
        r.orig_rax = (unsigned long long)-1;
        ptrace(PTRACE_SETREGS, pid, NULL, &r);
        j->failing = true;
    }
}

static void at_exit_of_call(injection *j, pid_t pid)
{
    struct user_regs_struct r;
    if (!j->failing || ptrace(PTRACE_GETREGS, pid, NULL, &r)) return;
    r.rax = (unsigned long long)-(long long)fault_of(j);
    ptrace(PTRACE_SETREGS, pid, NULL, &r);
    j->failing = false;
}

static int follow(injection *j, pid_t pid)
{
    int status;
    bool inside = false;
    if (waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status)) return 77;
    if (ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)) return 77;
    for (int signal_number = 0;;) {
        if (ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(long)signal_number) && errno != ESRCH)
            return 77;
        if (waitpid(pid, &status, 0) < 0) return 77;
        if (WIFEXITED(status)) return WEXITSTATUS(status);
        if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
        signal_number = 0;
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            inside = !inside;
            if (inside)
                at_entry(j, pid);
            else
                at_exit_of_call(j, pid);
        } else if (WSTOPSIG(status) != SIGTRAP) {
            signal_number = WSTOPSIG(status);
        }
    }
}

int main(int argc, char **argv)
{
    injection j = {0};
    if (argc < 5 || !realpath(argv[3], j.folder)) return 77;
    j.kind = argv[1];
    j.at = atol(argv[2]);
    pid_t pid = fork();
    if (pid == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL)) _exit(77);
        execvp(argv[4], argv + 4);
        _exit(77);
    }
    int status = pid < 0 ? 77 : follow(&j, pid);
    const char *report = getenv("INJECT_REPORT");
    FILE *file = report ? fopen(report, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", j.seen);
        fclose(file);
    }
    return status;
}
#else
int main(void) { return 77; }
#endif
