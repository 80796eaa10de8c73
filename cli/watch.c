/* SPDX-License-Identifier: BSD-3-Clause */
/* Ctrl-C, the progress bar, and work spread over threads. */
#include "cli.h"
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* At file scope and mutable: a signal handler can reach nothing else. */
static volatile sig_atomic_t interrupted;

/* Should Ctrl-C not be noticed, a few more end the program at once. One may arrive as two signals:
 * to the program and to its group. */
static void on_interrupt(int signal_number)
{
    if (interrupted < 3)
        interrupted++;
    else
        signal(signal_number, SIG_DFL);
}

void gt_cli_catch_interrupt(gt_plan *plan)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* nohup has it ignored, and that is to stay so. */
    struct sigaction before;
    if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    plan->interrupted = &interrupted;
}

bool gt_cli_interrupted(void) { return interrupted != 0; }

double gt_cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void gt_cli_progress_begin(cli_progress *bar, const cli_args *args, double t0, double t1)
{
    double now = gt_cli_seconds();
    *bar = (cli_progress){.t0 = t0, .t1 = t1, .started = now, .shown = now};
    bar->on = isatty(STDERR_FILENO) && !gt_cli_has(&args->flags.quiet);
}

/* True when it is time to draw: after a second, then five times a second. */
static bool is_due(cli_progress *bar, double now)
{
    if (!bar->on || now - bar->started < 1 || now - bar->shown < 0.2) return false;
    bar->shown = now;
    bar->visible = true;
    return true;
}

static void draw(const cli_progress *bar, double fraction, double now, const char *left,
                 const char *right)
{
    enum { WIDTH = 30 };
    fraction = fmin(fmax(fraction, 0), 1);
    int full = (int)(fraction * WIDTH);
    char blocks[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++) blocks[i] = i < full ? '#' : '.';
    blocks[WIDTH] = '\0';
    double spent = now - bar->started;
    gt_fprintf(stderr, "\r\033[K%s [%s] %3.0f%% %s", left, blocks, 100 * fraction, right);
    if (fraction > 0) gt_fprintf(stderr, " %.0f s left", spent * (1 - fraction) / fraction);
    fflush(stderr);
}

static void on_progress(double t, const gt_stats *stats, void *ctx)
{
    cli_progress *bar = ctx;
    double now = gt_cli_seconds();
    if (!is_due(bar, now)) return;
    char left[40], right[40];
    gt_format(left, sizeof left, "%st = %-10.5g", bar->what ? bar->what : "", t);
    gt_format(right, sizeof right, "%.3g steps/s", (double)stats->steps / (now - bar->started));
    draw(bar, (t - bar->t0) / (bar->t1 - bar->t0), now, left, right);
}

void gt_cli_progress_hook(cli_progress *bar, gt_plan *plan)
{
    if (!bar->on) return;
    plan->progress = on_progress;
    plan->progress_ctx = bar;
}

void gt_cli_progress_pieces(cli_progress *bar, size_t done, size_t total)
{
    double now = gt_cli_seconds();
    if (!is_due(bar, now)) return;
    char left[48];
    snprintf(left, sizeof left, "%zu of %zu", done, total);
    draw(bar, (double)done / (double)total, now, left, "");
}

void gt_cli_progress_end(cli_progress *bar)
{
    if (bar->visible) fputs("\r\033[K", stderr);
    bar->visible = false;
}

int gt_cli_threads(const cli_args *args, long *threads)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *threads = processors > 0 ? processors : 1;
    return gt_cli_whole(&args->flags.threads, 1, 4096, threads);
}

typedef struct shared_work {
    atomic_size_t next;
    size_t count;
    void (*work)(size_t i, void *ctx);
    void *ctx;
} shared_work;

static void *work_until_done(void *argument)
{
    shared_work *shared = argument;
    for (size_t i; (i = atomic_fetch_add(&shared->next, 1)) < shared->count;)
        shared->work(i, shared->ctx);
    return NULL;
}

void gt_cli_parallel(long threads, size_t count, void (*work)(size_t i, void *ctx), void *ctx)
{
    shared_work shared = {.count = count, .work = work, .ctx = ctx};
    size_t extra = threads > 1 && count > 1 ? (size_t)threads - 1 : 0;
    if (extra > count - 1) extra = count ? count - 1 : 0;
    pthread_t *ids = extra ? malloc(extra * sizeof *ids) : NULL;
    size_t running = 0;
    /* Whatever could not be started is done by those that could, in the worst case by this thread
     * alone. */
    while (ids && running < extra && !pthread_create(&ids[running], NULL, work_until_done, &shared))
        running++;
    work_until_done(&shared);
    for (size_t i = 0; i < running; i++) pthread_join(ids[i], NULL);
    free(ids);
}
