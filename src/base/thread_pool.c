/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small pool of threads that wait until there is work. Each has a range of the parts that is its
 * own, the same in every piece of work with as many parts: so it finds in its cache what it left
 * there, and no line of memory moves from core to core. Who has done his range helps the others.
 */
#include <geartrain/author/threads.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* Looks at a new piece of work before a thread goes to sleep: loops over vectors follow each other
 * within microseconds, and to be woken takes several. */
enum { LOOKS = 2000 };

/* Parts of one thread that nobody has taken, a cache line (of two, as they are fetched) apart. */
typedef struct own_parts {
    atomic_size_t next;
    size_t end;
    char apart[128 - 2 * sizeof(size_t)];
} own_parts;

struct pool;
typedef struct helper {
    struct pool *pool;
    size_t number; /* 0: the caller */
    pthread_t id;
} helper;

typedef struct pool {
    pthread_mutex_t lock; /* of what follows, but for the atomic ones, which are looked at before */
    pthread_cond_t begun, ended;
    atomic_size_t round;  /* number of the work */
    atomic_size_t active; /* threads that have not finished it */
    bool closing;
    gt_part_fn *part;
    void *work;
    own_parts *parts; /* running + 1 of them */
    size_t running;   /* threads beside the caller's */
    helper helpers[];
} pool;

static inline void rest(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void take_parts(pool *p, size_t number)
{
    size_t count = p->running + 1;
    for (size_t k = 0; k < count; k++) {
        own_parts *of = &p->parts[(number + k) % count];
        for (size_t i;
             (i = atomic_fetch_add_explicit(&of->next, 1, memory_order_relaxed)) < of->end;)
            p->part(i, p->work);
    }
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
    const helper *own = argument;
    pool *p = own->pool;
    for (size_t round = 0;;) {
        round = wait_for_work(p, round);
        if (p->closing) return NULL;
        take_parts(p, own->number);
        pthread_mutex_lock(&p->lock);
        if (atomic_fetch_sub(&p->active, 1) == 1) pthread_cond_signal(&p->ended);
        pthread_mutex_unlock(&p->lock);
    }
}

static void begin_round(pool *p)
{
    pthread_mutex_lock(&p->lock);
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
    for (size_t k = 0, from = 0; k <= p->running; k++) {
        size_t end = parts * (k + 1) / (p->running + 1);
        atomic_store_explicit(&p->parts[k].next, from, memory_order_relaxed);
        p->parts[k].end = from = end;
    }
    begin_round(p);
    take_parts(p, 0);
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
    pool *p = calloc(1, sizeof *p + (count - 1) * sizeof *p->helpers);
    if (p) p->parts = calloc(count, sizeof *p->parts);
    if (!p || !p->parts) {
        free(p);
        return gt_fail(message, GT_NO_MEMORY, "out of memory for %zu threads", count);
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->begun, NULL);
    pthread_cond_init(&p->ended, NULL);
    for (size_t k = 0; k + 1 < count; k++) {
        helper *h = &p->helpers[k];
        *h = (helper){.pool = p, .number = k + 1};
        if (pthread_create(&h->id, NULL, serve, h)) break;
        p->running++;
    }
    *threads = (gt_threads){.count = p->running + 1, .share = share, .ctx = p};
    return GT_OK;
}

void gt_threads_close(gt_threads *threads)
{
    if (!threads || !threads->ctx) return;
    pool *p = threads->ctx;
    p->closing = true;
    begin_round(p);
    for (size_t i = 0; i < p->running; i++) pthread_join(p->helpers[i].id, NULL);
    pthread_cond_destroy(&p->ended);
    pthread_cond_destroy(&p->begun);
    pthread_mutex_destroy(&p->lock);
    free(p->parts);
    free(p);
    *threads = (gt_threads){0};
}
