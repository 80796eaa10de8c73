/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Faults: functions of the problem that fail or return NaN at call k, memory that runs out at call
 * k, sinks that refuse. Every method ends with a status and an error message, or recovers; nothing
 * leaks or reads what it should not (the sanitizers watch). Also: no allocation after
 * gt_stepper_init.
 */
#include "methods_kit.h"

/* malloc and friends of everything linked into this program are wrapped (see tests/CMakeLists.txt).
 */
static long allocations, fail_at; /* 0: never */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size) { return ++allocations == fail_at ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size)
{
    return ++allocations == fail_at ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size)
{
    return ++allocations == fail_at ? NULL : __real_realloc(old, size);
}

typedef enum { ASKS_FOR_SMALLER, FAILS, IS_NAN, FROM_THEN_ON_NAN } fault_kind;

typedef struct faulty {
    gt_problem inner;
    long calls, at;
    fault_kind kind;
} faulty;

static gt_status disturb(faulty *f, double *out)
{
    long call = ++f->calls;
    if (call < f->at || (call > f->at && f->kind != FROM_THEN_ON_NAN)) return GT_OK;
    if (f->kind == ASKS_FOR_SMALLER) return GT_TRY_RHS;
    if (f->kind == FAILS) return GT_RHS_FAILED;
    *out = NAN;
    return GT_OK;
}

static gt_status faulty_rhs(double t, const double *x, double *dx, void *ctx)
{
    faulty *f = ctx;
    gt_status status = f->inner.rhs(t, x, dx, f->inner.ctx);
    return status ? status : disturb(f, &dx[gt_problem_size(&f->inner) - 1]);
}

static gt_status faulty_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    faulty *f = ctx;
    gt_status status = f->inner.jac(t, x, J, f->inner.ctx);
    return status ? status : disturb(f, &J->values[0]);
}

static gt_status faulty_rhs_t(double t, const double *x, double *f_t, void *ctx)
{
    faulty *f = ctx;
    gt_status status = f->inner.rhs_t(t, x, f_t, f->inner.ctx);
    return status ? status : disturb(f, &f_t[0]);
}

static gt_status faulty_taylor(double t, int order, double *c, void *ctx)
{
    faulty *f = ctx;
    gt_status status = f->inner.taylor(t, order, c, f->inner.ctx);
    return status ? status : disturb(f, &c[gt_problem_size(&f->inner)]);
}

static void check_fault(const gt_method *m, const gt_problem *base, fault_kind kind, long at,
                        bool fixed)
{
    faulty f = {.inner = *base, .at = at, .kind = kind};
    gt_problem p = *base;
    gt_report r;
    p.rhs = faulty_rhs;
    p.rhs_slow = p.rhs_fast = p.rhs_alg = NULL;
    p.jac = base->jac ? faulty_jac : NULL;
    p.jac_block = NULL;
    p.rhs_t = base->rhs_t ? faulty_rhs_t : NULL;
    p.taylor = base->taylor ? faulty_taylor : NULL;
    p.exact = NULL, p.invariants = NULL, p.n_invariants = 0;
    p.ctx = &f;
    gt_status status = gt_solve(&p, m,
                                &(gt_plan){.h = fixed ? fixed_step(m, (p.t1 - p.t0) / 64) : 0,
                                           .rtol = 1e-3,
                                           .max_steps = 300},
                                &r);
    bool hit = f.calls >= at;
    if (status == GT_OK || !hit) return; /* recovered, or over before the fault */
    if (status > 0 || !r.message.text[0] || r.status != status)
        fail_msg("%s, fault %d at call %ld: status %s, message '%s'", m->name, kind, at,
                 gt_status_name(status), r.message.text);
    /* A probe of a fixed step is no part of the run: what fails there is left out, and the run ends
     * as it would. */
    gt_plan alone = {
        .h = fixed ? fixed_step(m, (p.t1 - p.t0) / 64) : 0, .rtol = 1e-3, .max_steps = 300};
    if (kind == FAILS && status != GT_RHS_FAILED && status != gt_solve(base, m, &alone, NULL))
        fail_msg("%s on %s: failure at call %ld became %s", m->name, base->name, at,
                 gt_status_name(status));
    if (kind == FROM_THEN_ON_NAN && !fixed && status == GT_NOT_FINITE)
        assert_true(strstr(r.message.text, "component") ||
                    strstr(r.message.text, "right-hand side"));
}

static void faults_of_the_problem_end_with_a_sentence(void **state)
{
    (void)state;
    static const char *const models[] = {"kpr", "stiff3c", "rc_diode"};
    for (size_t i = 0; i < 3; i++) {
        bench_top b;
        build(&b, models[i], "");
        for (const gt_method *const *m = gt_method_list(); *m; m++) {
            gt_values v = gt_params_default((*m)->options);
            if (gt_method_check(*m, v.v, &b.problem, NULL)) continue;
            for (int kind = ASKS_FOR_SMALLER; kind <= FROM_THEN_ON_NAN; kind++) {
                for (long at = 1; at < 60; at += at < 12 ? 1 : 7) {
                    check_fault(*m, &b.problem, (fault_kind)kind, at, true);
                    if (gt_method_facts(*m, v.v).error_order)
                        check_fault(*m, &b.problem, (fault_kind)kind, at, false);
                }
            }
        }
        gt_arena_free(&b.arena);
    }
}

/* A single request for a smaller step, or a single NaN, is survived by every controlled method once
 * it is on its way.
 */
static void a_controlled_run_recovers(void **state)
{
    (void)state;
    bench_top b;
    build(&b, "kpr", "w=5");
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        if (!gt_method_facts(*m, gt_params_default((*m)->options).v).error_order) continue;
        for (int kind = ASKS_FOR_SMALLER; kind <= IS_NAN; kind += IS_NAN) {
            faulty f = {.inner = b.problem, .at = 25, .kind = (fault_kind)kind};
            gt_problem p = b.problem;
            p.rhs = faulty_rhs, p.jac = NULL, p.jac_block = NULL, p.ctx = &f, p.exact = NULL;
            p.taylor = faulty_taylor, p.rhs_t = faulty_rhs_t;
            gt_report r;
            gt_status status = gt_solve(&p, *m, &(gt_plan){.rtol = 1e-3}, &r);
            if (status) fail_msg("%s does not recover: %s", (*m)->name, r.message.text);
        }
    }
    gt_arena_free(&b.arena);
}

static gt_status build_and_solve(const char *model, const char *params, const gt_method *m)
{
    gt_problem p;
    gt_arena arena = gt_arena_growing();
    gt_message message = {""};
    gt_report r;
    gt_memory_sink sink;
    gt_memory_sink_init(&sink, GT_AT_STEP);
    gt_sink *sinks[] = {&sink.sink};
    gt_status status = gt_model_build(gt_model_find(model), params, &p, &arena, &message);
    if (!status) {
        p.t1 = p.t0 + (p.t1 - p.t0) * 1e-3;
        status = gt_solve(
            &p, m,
            &(gt_plan){.h = fixed_step(m, (p.t1 - p.t0) / 300), .sinks = sinks, .n_sinks = 1}, &r);
        if (status && !r.message.text[0])
            fail_msg("%s: no sentence for %s", m->name, gt_status_name(status));
    } else if (!message.text[0]) {
        fail_msg("%s: no sentence for %s", model, gt_status_name(status));
    }
    gt_memory_sink_free(&sink);
    gt_arena_free(&arena);
    return status;
}

static void memory_that_runs_out_is_told(void **state)
{
    (void)state;
    static const char *const models[] = {"kpr", "brusselator"}, *const params[] = {"", "n=10"};
    for (int i = 0; i < 2; i++) {
        for (const gt_method *const *m = gt_method_list(); *m; m++) {
            fail_at = 0;
            allocations = 0;
            gt_status whole = build_and_solve(models[i], params[i], *m);
            if (whole == GT_UNSUPPORTED) continue;
            assert_int_equal(whole, GT_OK);
            long count = allocations;
            assert_true(count > 0);
            for (long k = 1; k <= count; k++) {
                allocations = 0;
                fail_at = k;
                gt_status status = build_and_solve(models[i], params[i], *m);
                if (status != GT_NO_MEMORY)
                    fail_msg("%s on %s: %s when allocation %ld fails", (*m)->name, models[i],
                             gt_status_name(status), k);
            }
            fail_at = 0;
        }
    }
}

static void nothing_is_allocated_after_init(void **state)
{
    (void)state;
    static const char *const models[] = {"lorenz", "heat", "brusselator", "rc_diode", "stiff3c"};
    static const char *const params[] = {"", "n=20", "n=10", "", ""};
    for (size_t i = 0; i < 5; i++) {
        for (const gt_method *const *m = gt_method_list(); *m; m++) {
            bench_top b;
            build(&b, models[i], params[i]);
            bind_method(&b, *m, NULL);
            if (b.ready) {
                double h = (b.problem.t1 - b.problem.t0) * 1e-5;
                long before = allocations;
                assert_int_equal(gt_stepper_make_consistent(&b.s), GT_OK);
                for (int k = 0; k < 200; k++) {
                    assert_int_equal(gt_stepper_try(&b.s, h * (1 + k % 3), k % 2), GT_OK);
                    if (k % 5 == 0)
                        assert_int_equal(gt_stepper_interpolate(&b.s, 0.5, b.s.scratch), GT_OK);
                    gt_stepper_accept(&b.s);
                }
                gt_report r;
                b.problem.t1 = b.problem.t0 + 100 * h;
                assert_int_equal(gt_integrate(&b.s, &(gt_plan){.h = fixed_step(*m, h)}, &r), GT_OK);
                if (allocations != before)
                    fail_msg("%s allocates while it steps on %s", (*m)->name, models[i]);
            }
            dismantle(&b);
        }
    }
}

static gt_status refuse(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    long *left = self->ctx;
    (void)sample, (void)message;
    return --*left < 0 ? GT_SINK_REFUSED : GT_OK;
}

static void a_sink_that_refuses_ends_the_run(void **state)
{
    (void)state;
    bench_top b;
    gt_report r;
    build(&b, "harmonic", "");
    for (long k = 0; k < 5; k++) {
        long left = k;
        gt_sink sink = {.wants = GT_AT_STEP, .write = refuse, .ctx = &left}, *sinks[] = {&sink};
        assert_int_equal(gt_solve(&b.problem, gt_method_find("rk4"),
                                  &(gt_plan){.h = 0.5, .sinks = sinks, .n_sinks = 1}, &r),
                         GT_SINK_REFUSED);
        assert_int_equal(r.stats.steps, k);
        assert_non_null(strstr(r.message.text, "refused"));
    }
    gt_arena_free(&b.arena);
}

/* ---- a status below 0 is final, wherever it comes ---- */

typedef struct stopping {
    long calls, at;
    int index;
    gt_status with;
} stopping;

/* A pendulum, of index 3, 2, or 1 with the force solved for; its function gives up at call `at`. */
static gt_status swing_until(double t, const double *x, double *dx, void *ctx)
{
    stopping *s = ctx;
    double force = x[2] * x[2] + x[3] * x[3] - 9.81 * x[1] - x[4] * (x[0] * x[0] + x[1] * x[1]);
    (void)t;
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = -x[4] * x[0];
    dx[3] = -x[4] * x[1] - 9.81;
    dx[4] = s->index == 3   ? x[0] * x[0] + x[1] * x[1] - 1
            : s->index == 2 ? x[0] * x[2] + x[1] * x[3]
                            : force;
    return ++s->calls == s->at ? s->with : GT_OK;
}

static gt_status lowest_point(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0];
    g[1] = x[4] - 12; /* an algebraic variable */
    return GT_OK;
}

static gt_status take(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)self, (void)sample, (void)message;
    return GT_OK;
}

/* Where equations cannot be met at a point that is only looked at, the run goes on; where the
 * caller says stop, it does not, and the function is not called again. */
static void what_is_final_is_not_swallowed(void **state)
{
    (void)state;
    static const unsigned char of[4][5] = {{0}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 2}, {1, 1, 2, 2, 3}};
    static const double start[] = {0.6, -0.8, 1.6, 1.2, 11.848}, rows[] = {0.1, 0.25, 0.4, 0.7};
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_values v = gt_params_default((*m)->options);
        for (int index = 1; index <= 3; index++) {
            stopping s = {.index = index};
            gt_problem p = {
                .n_slow = 4, .n_alg = 1, .rhs = swing_until, .x0 = start, .t1 = 0.7, .ctx = &s};
            gt_sink nothing = {.wants = GT_AT_OUTPUT, .write = take}, *const sinks[] = {&nothing};
            gt_plan plan = {
                .rtol = 1e-4, .times = rows, .n_times = 4, .sinks = sinks, .n_sinks = 1};
            gt_report r;
            p.index = of[index], p.autonomous = true, p.n_roots = 2, p.roots = lowest_point;
            if (gt_method_check(*m, v.v, &p, NULL) || !gt_method_facts(*m, v.v).error_order)
                continue;
            if (gt_solve(&p, *m, &plan, &r))
                fail_msg("%s, index %d: %s", (*m)->name, index, r.message.text);
            assert_true(r.stats.events > 0);
            for (long at = 1, all = s.calls; at <= all; at += 1 + all / 50) {
                s.calls = 0, s.at = at, s.with = at % 2 ? GT_INTERRUPTED : GT_BAD_ARGUMENT;
                gt_status status = gt_solve(&p, *m, &plan, &r);
                if (status != s.with || s.calls != at)
                    fail_msg("%s, index %d: stopped at call %ld of %ld, ends at call %ld with %s",
                             (*m)->name, index, at, all, s.calls, gt_status_name(status));
            }
        }
    }
}

static gt_status decay(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    return GT_OK;
}

/* The shortest step of an interval of 1e300 is beyond the solution: not its singularity is to
 * blame. */
static void an_end_that_is_too_far_is_told(void **state)
{
    (void)state;
    static const double one = 1;
    gt_problem p = {.n_slow = 1, .rhs = decay, .x0 = &one, .t1 = 1e300};
    gt_report r;
    assert_int_equal(gt_solve(&p, gt_method_find("dopri5"), &(gt_plan){0}, &r), GT_NOT_FINITE);
    assert_non_null(strstr(r.message.text, "an end that is nearer"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_of_the_problem_end_with_a_sentence),
        cmocka_unit_test(a_controlled_run_recovers),
        cmocka_unit_test(what_is_final_is_not_swallowed),
        cmocka_unit_test(an_end_that_is_too_far_is_told),
        cmocka_unit_test(memory_that_runs_out_is_told),
        cmocka_unit_test(nothing_is_allocated_after_init),
        cmocka_unit_test(a_sink_that_refuses_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
