/* SPDX-License-Identifier: BSD-3-Clause */
/* A small pool of threads: they wait until there is work, and take part after part of it. */
#include <geartrain/author/threads.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* Looks at a new piece of work before a thread goes to sleep: loops over vectors follow each other
 * within microseconds, and to be woken takes several. */
enum { LOOKS = 2000 };

typedef struct pool {
    pthread_mutex_t lock; /* of what follows, but for the atomic ones, which are looked at before */
    pthread_cond_t begun, ended;
    atomic_size_t round;  /* number of the work */
    atomic_size_t active; /* threads that have not finished it */
    bool closing;
    gt_part_fn *part;
    void *work;
    size_t parts;
    atomic_size_t next;
    size_t running;
    pthread_t ids[];
} pool;

static inline void rest(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void take_parts(pool *p)
{
    for (size_t i; (i = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed)) < p->parts;)
        p->part(i, p->work);
}

/* Waits for a round after `last`; gives its number. */
static size_t wait_for_work(pool *p, size_t last)
{
    for (int k = 0; k < LOOKS && atomic_load(&p->round) == last; k++) rest();
    pthread_mutex_lock(&p->lock);
    while (atomic_load(&p->round) == last) pthread_cond_wait(&p->begun, &p->lock);
    size_t now = atomic_load(&p->round);
    pthread_mutex_unlock(&p->lock);
    return now;
}

static void *serve(void *argument)
{
    pool *p = argument;
    for (size_t round = 0;;) {
        round = wait_for_work(p, round);
        if (p->closing) return NULL;
        take_parts(p);
        pthread_mutex_lock(&p->lock);
        if (atomic_fetch_sub(&p->active, 1) == 1) pthread_cond_signal(&p->ended);
        pthread_mutex_unlock(&p->lock);
    }
}

static void begin_round(pool *p)
{
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->next, 0);
    atomic_store(&p->active, p->running);
    atomic_fetch_add(&p->round, 1);
    pthread_cond_broadcast(&p->begun);
    pthread_mutex_unlock(&p->lock);
}

static void share(size_t parts, gt_part_fn *part, void *work, void *ctx)
{
    pool *p = ctx;
    if (parts < 2 || !p->running) {
        for (size_t i = 0; i < parts; i++) part(i, work);
        return;
    }
    p->part = part;
    p->work = work;
    p->parts = parts;
    begin_round(p);
    take_parts(p);
    for (int k = 0; k < LOOKS && atomic_load(&p->active); k++) rest();
    pthread_mutex_lock(&p->lock);
    while (atomic_load(&p->active)) pthread_cond_wait(&p->ended, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

gt_status gt_threads_open(size_t count, gt_threads *threads, gt_message *message)
{
    if (!threads) return gt_fail(message, GT_BAD_ARGUMENT, "gt_threads_open: no place was given");
    *threads = (gt_threads){0};
    if (count < 1 || count > GT_MOST_THREADS)
        return gt_fail(message, GT_BAD_ARGUMENT, "%zu threads: from 1 to %d are possible", count,
                       GT_MOST_THREADS);
    pool *p = calloc(1, sizeof *p + (count - 1) * sizeof *p->ids);
    if (!p) return gt_fail(message, GT_NO_MEMORY, "out of memory for %zu threads", count);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->begun, NULL);
    pthread_cond_init(&p->ended, NULL);
    while (p->running + 1 < count && !pthread_create(&p->ids[p->running], NULL, serve, p))
        p->running++;
    *threads = (gt_threads){.count = p->running + 1, .share = share, .ctx = p};
    return GT_OK;
}

void gt_threads_close(gt_threads *threads)
{
    if (!threads || !threads->ctx) return;
    pool *p = threads->ctx;
    p->closing = true;
    begin_round(p);
    for (size_t i = 0; i < p->running; i++) pthread_join(p->ids[i], NULL);
    pthread_cond_destroy(&p->ended);
    pthread_cond_destroy(&p->begun);
    pthread_mutex_destroy(&p->lock);
    free(p);
    *threads = (gt_threads){0};
}
