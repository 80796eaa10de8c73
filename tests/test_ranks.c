/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States that are spread over ranks. Threads are the ranks here: each has some cells of one chain,
 * and f asks the others for theirs, so that a call that not every rank makes is found (a barrier
 * that waits for seconds). Every method that says it treats ranks takes the steps of the run with
 * the whole state; every other one is refused on all of them.
 */
#include "methods_kit.h"
#include <errno.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

enum { CELLS = 24, RANKS = 3, MOST_SECONDS = 20 };
static const size_t cells_of[RANKS] = {9, 0, 15}, first_of[RANKS] = {0, 9, 9};

/* What the ranks share. */
typedef struct world {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int here;
    long round;
    bool broken; /* a rank did not come */
    size_t ranks;
    /* Two of each, used in turn: who writes the next one has met all others since they read the
     * last but one. */
    double board[2][2 * CELLS], values[2][RANKS][64];
    size_t sums[2][RANKS], maxima[2][RANKS];
    long reductions;
} world;

typedef struct rank {
    world *all;
    size_t number, cells, first;
    size_t shown, reduced; /* how often, the turn of the board and of the values */
    double fails_at;       /* f leaves NaN once beyond this time */
    bool failed;
    double x0[2 * CELLS], x_end[2 * CELLS];
    const gt_method *method;
    const char *options;
    double h;
    int saved_after; /* steps, and the run goes on from the bytes; 0: it is not saved */
    bool rows; /* x_end is a point inside the step with the most calls of f for it, of those looked
                  into */
    double row_at;
    long row_calls;
    gt_solver solver;
    gt_report report;
    gt_status status;
} rank;

static void meet(world *w)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += MOST_SECONDS;
    pthread_mutex_lock(&w->lock);
    long round = w->round;
    if (++w->here == (int)w->ranks) {
        w->here = 0;
        w->round++;
        pthread_cond_broadcast(&w->changed);
    }
    while (w->round == round && !w->broken)
        if (pthread_cond_timedwait(&w->changed, &w->lock, &until) == ETIMEDOUT) {
            w->broken = true;
            pthread_cond_broadcast(&w->changed);
        }
    pthread_mutex_unlock(&w->lock);
}

/* They do not call alike: nobody waits any longer. */
static void break_up(world *w)
{
    pthread_mutex_lock(&w->lock);
    w->broken = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

static void reduce(double *values, size_t sums, size_t maxima, void *ctx)
{
    rank *r = ctx;
    world *w = r->all;
    size_t turn = r->reduced++ % 2;
    double(*all)[64] = w->values[turn];
    memcpy(all[r->number], values, (sums + maxima) * sizeof *values);
    w->sums[turn][r->number] = sums;
    w->maxima[turn][r->number] = maxima;
    meet(w);
    for (size_t k = 0; k < w->ranks; k++)
        if (w->sums[turn][k] != sums || w->maxima[turn][k] != maxima) break_up(w);
    for (size_t i = 0; i < sums + maxima; i++) {
        values[i] = all[0][i];
        for (size_t k = 1; k < w->ranks; k++)
            values[i] = i < sums ? values[i] + all[k][i] : fmax(values[i], all[k][i]);
    }
    if (r->number == 0) w->reductions++;
}

/* u and v of all cells onto the board; a rank has [u | v] of its cells. */
static const double *show(rank *r, const double *x)
{
    double *board = r->all->board[r->shown++ % 2];
    memcpy(board + r->first, x, r->cells * sizeof *x);
    memcpy(board + CELLS + r->first, x + r->cells, r->cells * sizeof *x);
    meet(r->all);
    return board;
}

/* u' = 20 (u_left - 2 u + u_right) + u (1 - u) - v, v' = 30 (u/2 - v): a front that moves slowly
 * beside a fast v */
static gt_status slow(double t, const double *x, double *dx, void *ctx)
{
    rank *r = ctx;
    const double *u = show(r, x), *v = u + CELLS;
    for (size_t k = 0; k < r->cells; k++) {
        size_t i = r->first + k;
        double left = i > 0 ? u[i - 1] : u[i], right = i + 1 < CELLS ? u[i + 1] : u[i];
        dx[k] = 20 * (left - 2 * u[i] + right) + u[i] * (1 - u[i]) - v[i];
    }
    if (t > r->fails_at && !r->failed && r->cells) {
        r->failed = true;
        dx[r->cells - 1] = NAN;
    }
    return r->all->broken ? GT_RHS_FAILED : GT_OK;
}

static gt_status fast(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    rank *r = ctx;
    (void)show(r, x);
    for (size_t k = 0; k < r->cells; k++) dx[k] = 30 * (0.5 * x[k] - x[r->cells + k]);
    return r->all->broken ? GT_RHS_FAILED : GT_OK;
}

static gt_status both(double t, const double *x, double *dx, void *ctx)
{
    rank *r = ctx;
    gt_status status = slow(t, x, dx, ctx);
    return status ? status : fast(t, x, dx + r->cells, ctx);
}

/* In two parts, with bytes between them. */
static gt_status run_saved(rank *r, const gt_problem *p, const gt_plan *plan)
{
    gt_run *first = NULL, *rest = NULL;
    gt_reached reached;
    void *bytes = NULL;
    size_t count = 0;
    gt_status status = gt_run_open(&first, p, r->method, plan, &r->report.message);
    for (int k = 0; k < r->saved_after && !status; k++) status = gt_run_step(first, &reached);
    if (!status) status = gt_run_save(first, NULL, &bytes, &count, &r->report.message);
    gt_run_discard(first);
    if (!status)
        status = gt_run_restore(&rest, p, r->method, plan, NULL, bytes, count, &r->report.message);
    free(bytes);
    if (status) return status;
    status = gt_run_advance(rest, p->t1, GT_ADVANCE_EXACTLY, NULL);
    if (!status) status = gt_run_finish(rest, &r->report);
    if (r->cells) memcpy(r->x_end, gt_run_x(rest), 2 * r->cells * sizeof *r->x_end);
    gt_run_close(rest);
    return status;
}

static const double row_time = 3.3; /* at the limit of stability */

/* Looks into every step; gives the state at row_time. */
static gt_status run_rows(rank *r, const gt_problem *p, const gt_plan *plan)
{
    gt_run *run = NULL;
    gt_reached reached = GT_REACHED_STEP;
    double x[2 * CELLS];
    gt_status status = gt_run_open(&run, p, r->method, plan, &r->report.message);
    while (!status && gt_run_time(run) < p->t1) {
        double before = gt_run_time(run);
        status = gt_run_step(run, &reached);
        if (status) break;
        long calls = gt_run_stats(run)->rhs;
        double t = before + 0.55 * (gt_run_time(run) - before);
        status = gt_run_interpolate(run, t, x);
        calls = gt_run_stats(run)->rhs - calls;
        if (calls > r->row_calls) {
            r->row_calls = calls;
            r->row_at = t;
        }
        if (status || !(before <= row_time && row_time < gt_run_time(run))) continue;
        status = gt_run_interpolate(run, row_time, x);
        if (r->cells) memcpy(r->x_end, x, 2 * r->cells * sizeof *x);
    }
    if (run) gt_run_report(run, &r->report);
    gt_run_discard(run);
    return status;
}

static void *run(void *ctx)
{
    rank *r = ctx;
    gt_ranks ranks = {.reduce = reduce, .before = 2 * r->first, .ctx = r};
    gt_problem p = {.n_slow = r->cells,
                    .n_fast = r->cells,
                    .rhs = both,
                    .rhs_slow = slow,
                    .rhs_fast = fast,
                    .t1 = r->options ? 0.02 : 0.1, /* each product costs a call */
                    .x0 = r->x0,
                    .ctx = r,
                    .autonomous = true,
                    .ranks = r->all->ranks > 1 ? &ranks : NULL};
    gt_facts facts = gt_method_facts(r->method, gt_params_default(r->method->options).v);
    if (!(facts.flags & GT_NEEDS_PARTITION))
        p.n_slow = 2 * r->cells, p.n_fast = 0, p.rhs_slow = p.rhs_fast = NULL;
    gt_plan plan = {
        .rtol = 1e-5, .atol = 1e-7, .h = r->h, .x_end = r->x_end, .options = r->options};
    if (r->rows) {
        p.t1 = 6;
        plan.rtol = 1e-6;
        plan.atol = 1e-8;
    }
    r->status = r->rows          ? run_rows(r, &p, &plan)
                : r->saved_after ? run_saved(r, &p, &plan)
                                 : gt_solve(&p, r->method, &plan, &r->report);
    return NULL;
}

/* One run on this many ranks; gives the whole state in x. */
static void run_all(rank *r, size_t ranks, double *x)
{
    world w = {
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .ranks = ranks};
    pthread_t thread[RANKS];
    for (size_t k = 0; k < ranks; k++) {
        r[k].all = &w;
        r[k].number = k;
        r[k].cells = ranks > 1 ? cells_of[k] : CELLS;
        r[k].first = ranks > 1 ? first_of[k] : 0;
        for (size_t i = 0; i < r[k].cells; i++) {
            r[k].x0[i] = 1 / (1 + exp(0.7 * ((double)(r[k].first + i) - 8)));
            r[k].x0[r[k].cells + i] = 0.5 * r[k].x0[i] + 0.01;
        }
        assert_int_equal(pthread_create(&thread[k], NULL, run, &r[k]), 0);
    }
    for (size_t k = 0; k < ranks; k++) assert_int_equal(pthread_join(thread[k], NULL), 0);
    if (w.broken) print_message("%s: ranks do not call alike\n", r[0].method->name);
    assert_false(w.broken);
    for (size_t k = 0; k < ranks; k++)
        for (size_t i = 0; i < r[k].cells; i++) {
            x[r[k].first + i] = r[k].x_end[i];
            x[CELLS + r[k].first + i] = r[k].x_end[r[k].cells + i];
        }
}

static double distance(const double *a, const double *b)
{
    double most = 0;
    for (size_t i = 0; i < (size_t)2 * CELLS; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* Implicit methods have no matrix on ranks; so that the whole has none either. */
static const char *options_of(const gt_method *m)
{
    for (const gt_param *o = m->options; o && o->name; o++)
        if (!strcmp(o->name, "linear")) return "linear=krylov, preconditioner=none";
    return NULL;
}

static void check_method(const gt_method *m, double h)
{
    rank whole[1] = {{.method = m, .h = h, .fails_at = INFINITY, .options = options_of(m)}},
         part[RANKS];
    for (size_t k = 0; k < RANKS; k++) part[k] = whole[0];
    double x[2 * CELLS] = {0}, y[2 * CELLS] = {0};
    gt_facts facts = gt_method_facts(m, gt_params_default(m->options).v);
    run_all(part, RANKS, y);
    for (size_t k = 0; k < RANKS; k++) assert_int_equal(part[k].status, part[0].status);
    if (!(facts.flags & GT_TREATS_RANKS)) {
        assert_int_equal(part[0].status, GT_UNSUPPORTED);
        return;
    }
    run_all(whole, 1, x);
    if (part[0].status || whole[0].status)
        print_message("%s: %s | %s\n", m->name, whole[0].report.message.text,
                      part[0].report.message.text);
    assert_int_equal(part[0].status, whole[0].status);
    if (whole[0].status) return;
    for (size_t k = 0; k < RANKS; k++) {
        assert_int_equal(part[k].report.stats.steps, whole[0].report.stats.steps);
        assert_int_equal(part[k].report.stats.rejected, whole[0].report.stats.rejected);
        long more = labs(part[k].report.stats.rhs - whole[0].report.stats.rhs);
        assert_true(more <= (options_of(m) ? whole[0].report.stats.rhs / 50
                                           : 0)); /* rounding ends iterations */
    }
    double near =
        options_of(m) ? 1e-7 : 1e-9; /* sums are added up in another order; iterations leave more */
    if (!(distance(x, y) <= near)) print_message("%s: %g\n", m->name, distance(x, y));
    assert_true(distance(x, y) <= near);
}

static void test_every_method(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_facts facts = gt_method_facts(*m, gt_params_default((*m)->options).v);
        if (facts.error_order) check_method(*m, 0);
        check_method(*m, 1.0 / 256);
    }
}

/* f is NaN once, on one rank: all repeat the step, and the result is as good as without. */
/* A rank without states saves as the others do. */
static void test_saved(void **state)
{
    (void)state;
    const char *const names[] = {"gear", "dopri5", "smes", "beuler"};
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        const gt_method *method = gt_method_find(names[m]);
        rank whole[RANKS], saved[RANKS];
        double x[2 * CELLS] = {0}, y[2 * CELLS] = {0};
        for (size_t k = 0; k < RANKS; k++) {
            whole[k] =
                (rank){.method = method, .fails_at = INFINITY, .options = options_of(method)};
            saved[k] = whole[k];
            saved[k].saved_after = 4;
        }
        run_all(whole, RANKS, x);
        run_all(saved, RANKS, y);
        for (size_t k = 0; k < RANKS; k++) {
            if (saved[k].status)
                print_message("%s, rank %zu: %s\n", names[m], k, saved[k].report.message.text);
            assert_int_equal(saved[k].status, GT_OK);
        }
        if (memcmp(x, y, sizeof x)) fail_msg("%s: other bits, by %g", names[m], distance(x, y));
    }
}

/* At its limit of stability the dense output of dop853 is wrong, and points inside a step are made
 * by steps to them: on ranks as on the whole. */
static void test_inside_steps(void **state)
{
    (void)state;
    rank whole[1] = {{.method = gt_method_find("dop853"), .fails_at = INFINITY, .rows = true}},
         part[RANKS];
    for (size_t k = 0; k < RANKS; k++) part[k] = whole[0];
    double x[2 * CELLS] = {0}, y[2 * CELLS] = {0};
    run_all(whole, 1, x);
    run_all(part, RANKS, y);
    /* The estimate alone takes one, and the slope at the end one. Which row takes the most the last
     * bits decide, which there grow. */
    assert_true(whole[0].row_calls > 20);
    assert_true(part[0].row_calls > 20);
    for (size_t k = 0; k < RANKS; k++) {
        assert_int_equal(part[k].status, GT_OK);
        assert_int_equal(part[k].row_calls, part[0].row_calls);
        assert_true(part[k].row_at == part[0].row_at);
    }
    assert_true(distance(x, y) <= 1e-5);
}

static void test_one_rank_fails(void **state)
{
    (void)state;
    const gt_method *m = gt_method_for(GT_ROLE_NONSTIFF);
    rank good[RANKS], bad[RANKS];
    double x[2 * CELLS], y[2 * CELLS];
    for (size_t k = 0; k < RANKS; k++) {
        good[k] = bad[k] = (rank){.method = m, .fails_at = INFINITY};
        if (k == 2) bad[k].fails_at = 0.03;
    }
    run_all(good, RANKS, x);
    run_all(bad, RANKS, y);
    for (size_t k = 0; k < RANKS; k++) {
        assert_int_equal(bad[k].status, GT_OK);
        assert_int_equal(bad[k].report.stats.rejected, bad[0].report.stats.rejected);
    }
    assert_true(bad[0].report.stats.rejected > good[0].report.stats.rejected);
    assert_true(distance(x, y) < 1e-3);
}

/* What one rank cannot begin with is refused on all of them. */
static void test_one_rank_is_refused(void **state)
{
    (void)state;
    rank part[RANKS];
    double x[2 * CELLS];
    for (size_t k = 0; k < RANKS; k++)
        part[k] = (rank){.method = gt_method_for(GT_ROLE_NONSTIFF),
                         .fails_at = INFINITY,
                         .options = k == 1 ? "no_such=1" : NULL};
    run_all(part, RANKS, x);
    for (size_t k = 0; k < RANKS; k++)
        assert_true(part[k].status < 0 && part[k].report.message.text[0]);
    assert_non_null(strstr(part[0].report.message.text, "another rank"));
    assert_non_null(strstr(part[1].report.message.text, "no_such"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method),        cmocka_unit_test(test_saved),
        cmocka_unit_test(test_inside_steps),        cmocka_unit_test(test_one_rank_fails),
        cmocka_unit_test(test_one_rank_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
