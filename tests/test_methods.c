/* SPDX-License-Identifier: BSD-3-Clause */
/* Every listed method: order, counts, purity of trials, workspace, closed forms. Being listed is
 * enough to be tested.
 */
#include "methods_kit.h"

/* Options to try beside the defaults. */
static const char *const more_options[][2] = {{"taylor", "order=1"},
                                              {"taylor", "order=3"},
                                              {"taylor", "order=15"},
                                              {"trapezoidal", "newton_tol=1e-14"},
                                              {"trapezoidal", "dae=alternating"},
                                              {"beuler", "start=unchecked"},
                                              {"am4", "solver=fixedpoint"},
                                              {"am3", "dae=alternating"},
                                              {"bi", "alpha=0.4"},
                                              {"bi", "estimate=difference"},
                                              {"bi11", "alpha=0"},
                                              {"bi22", "alpha=0.2"},
                                              {"bi22", "alpha=1"},
                                              {"bi33", "alpha=0.4"},
                                              {"bi33", "estimate=difference"},
                                              {"bi44", "solver=broyden"},
                                              {"bi44", "alpha=0.9"},
                                              {"bi55", "estimate=difference"},
                                              {"bi55", "solver=broyden"},
                                              {"bi55", "alpha=0.4"},
                                              {"birkf", "alpha=0.4, rule=316"},
                                              {"birkf", "alpha=0.1, rule=program"},
                                              {"bi12", "alpha=0.4"},
                                              {"bi45", "alpha=0.47"},
                                              {"gear3", "dae=alternating, start=unchecked"},
                                              {"radau", "order=1"},
                                              {"radau", "order=5"},
                                              {"radau", "order=9"},
                                              {"radau", "order=13"},
                                              {"spm", "y=linear"},
                                              {"spm", "slow=dopri5"},
                                              {"spm", "slow=euler"},
                                              {"spm2", "slow=heun"},
                                              {"spm2", "slow=rk2"},
                                              {"spmc", "slow=rkf45"},
                                              {"spm2", "dense=0"},
                                              {"exprb32", "dense=0"},
                                              {"dreuler", "ratio=1"},
                                              {"dreuler", "ratio=7"},
                                              {"prk2s", "stages=2"},
                                              {"prk2s", "stages=8"},
                                              {"prk2s", "stages=9, axis=real"},
                                              {"prk3s", "stages=4"},
                                              {"prk3s", "stages=11"},
                                              {"prk3s", "stages=8, axis=real"},
                                              {"mri3", "inner=rk4, substeps=2"},
                                              {"mri3", "inner=rkf45, inner_fraction=0.01"},
                                              {"mri3", "inner=rodas4, substeps=1"},
                                              {"mri4", "inner=radau"},
                                              {"mri4", "inner=bi"},
                                              {"mri3i", "inner=rodas4"},
                                              {"mri4i", "inner=rk4, substeps=2"},
                                              {"mri4", "inner=rk4, substeps=1"},
                                              {"mradams", "inner=rk4, substeps=1"},
                                              {NULL, NULL}};

typedef void check_fn(const gt_method *method, const char *options);

static void for_each_method(check_fn *check)
{
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        check(*m, NULL);
        for (int i = 0; more_options[i][0]; i++) {
            if (strcmp(more_options[i][0], (*m)->name) == 0) check(*m, more_options[i][1]);
        }
    }
}

static gt_facts facts_of(const gt_method *method, const char *options, gt_values *v)
{
    *v = gt_params_default(method->options);
    assert_int_equal(gt_params_parse(method->options, "option", method->name, options, v, NULL),
                     GT_OK);
    return gt_method_facts(method, v->v);
}

/* A smooth problem of two rates on which the method has its order. */
static void build_for_order(bench_top *b, const gt_facts *facts)
{
    const char *model = facts->order_problem ? facts->order_problem : "kpr";
    build(b, model,
          strcmp(model, "kpr") == 0       ? "w=3, G=-2"
          : strcmp(model, "linear2") == 0 ? "alpha=2, beta=0.4"
                                          : "");
}

/* Options were doubles by position, with an enum kept in step by hand: each row must name a field
 * of its own. */
static void options_have_fields(const gt_method *m)
{
    size_t count = gt_params_count(m->options);
    for (size_t i = 0; i < count; i++) {
        gt_field field = m->options[i].field;
        bool real = m->options[i].type == GT_REAL;
        assert_int_not_equal(field.type, GT_FIELD_NONE);
        assert_int_equal(field.type == GT_FIELD_DOUBLE, real);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(field.offset, m->options[j].field.offset);
        double v[GT_MAX_PARAMS] = {0};
        union {
            double room[GT_MAX_PARAMS];
            unsigned char bytes[GT_MAX_PARAMS * sizeof(double)];
        } none = {{0}}, one = {{0}};
        gt_params_fill(m->options, v, &none);
        v[i] = 1;
        gt_params_fill(m->options, v, &one);
        for (size_t k = 0; k < sizeof one; k++)
            if (none.bytes[k] != one.bytes[k])
                assert_in_range(k, field.offset,
                                field.offset + (real ? sizeof(double) : sizeof(long)) - 1);
        assert_memory_not_equal(&none, &one, sizeof one);
    }
}

/* What the kind says agrees with what else the descriptor says. */
static void kind_fits(const gt_facts *facts)
{
    bool implicit = facts->kind == GT_KIND_IMPLICIT || facts->kind == GT_KIND_LINEARLY_IMPLICIT;
    assert_int_equal(facts->kind == GT_KIND_EXPONENTIAL, facts->functions > 0);
    assert_int_equal(facts->kind == GT_KIND_SERIES, (facts->flags & GT_NEEDS_TAYLOR) != 0);
    if (facts->flags & GT_USES_JACOBIAN)
        assert_true(implicit || facts->kind == GT_KIND_EXPONENTIAL);
    if (facts->flags & GT_TREATS_MASS) assert_true(implicit);
    /* Explicit ones solve them at every point where f is wanted. */
    if (facts->flags & GT_TREATS_ALGEBRAIC)
        assert_true(implicit || facts->kind == GT_KIND_EXPLICIT);
}

static void descriptor_is_whole(const gt_method *m, const char *options)
{
    gt_values v;
    gt_facts facts = facts_of(m, options, &v);
    assert_non_null(m->name);
    assert_non_null(m->family);
    assert_non_null(m->title);
    assert_non_null(m->reference);
    assert_ptr_equal(gt_method_find(m->name), m);
    assert_true(facts.order >= 1);
    kind_fits(&facts);
    options_have_fields(m);
    for (const gt_param *o = m->options; o && o->name; o++) {
        assert_non_null(o->help);
        if (o->type != GT_CHOICE && (o->min != 0 || o->max != 0))
            assert_true(o->min <= o->initial && o->initial <= o->max);
    }
}

/* Errors of the slow and the fast block at the end of a smooth two-rate problem, over shrinking h.
 */
static void measured_order_is_the_stated_one(const gt_method *m, const char *options)
{
    enum { SIZES = 8 };
    bench_top b;
    gt_values v;
    gt_facts facts = facts_of(m, options, &v);
    double h[SIZES], slow[SIZES], fast[SIZES], exact[2], x[2];
    if (facts.flags & GT_VARIABLE_FORMULA) return; /* has no order of its own at a fixed step */
    /* On kpr high orders meet round-off before they are in their asymptotic range. */
    const char *model = facts.order_problem ? facts.order_problem
                        : facts.order >= 6 || (facts.order == 5 && facts.stages > 1) ? "linear2"
                                                                                     : "kpr";
    build(&b, model,
          strcmp(model, "kpr") == 0       ? "w=3, G=-2"
          : strcmp(model, "linear2") == 0 ? "alpha=2, beta=0.4"
                                          : "");
    b.problem.t1 = facts.order >= 6 ? 2 : 1;
    b.problem.exact(b.problem.t1, exact, b.problem.ctx);
    /* The order is that of the formula: its equations are to be solved to round-off. */
    char precise[128];
    bool solves = false;
    for (const gt_param *o = m->options; o && o->name; o++)
        solves = solves || strcmp(o->name, "newton_tol") == 0;
    snprintf(precise, sizeof precise, "%s%snewton_tol=1e-14", options ? options : "",
             options ? ", " : "");
    const char *run_options = solves && facts.order >= 4 ? precise : options;
    bool small = facts.order >= 8 && m->run_fixed; /* error constants that meet round-off soon */
    double steps = small ? 4 : facts.order >= 6 ? 15 : facts.order >= 5 ? 16 : 32;
    if (m->formula) steps *= facts.order == 6 ? 3.3 : 2; /* its asymptotic range begins later */
    for (int i = 0; i < SIZES; i++, steps = round((facts.order >= 6 ? 1.25 : 1.5) * steps)) {
        gt_report report;
        h[i] = b.problem.t1 / steps;
        gt_status status = gt_solve(
            &b.problem, m, &(gt_plan){.h = h[i], .options = run_options, .x_end = x}, &report);
        if (status) fail_msg("%s: %s", m->name, report.message.text);
        slow[i] = fabs(x[0] - exact[0]);
        fast[i] = fabs(x[1] - exact[1]);
    }
    bool iterates = run_options == precise || (facts.kind == GT_KIND_IMPLICIT && facts.order >= 4);
    double round_off = iterates ? 1e-13 : 2e-15; /* iterations end a little above it */
    double s = slope_of(h, slow, SIZES, round_off), f = slope_of(h, fast, SIZES, round_off);
    if (facts.order > 8 &&
        !small) { /* too steep for four points: round-off must be reached at once */
        assert_true(slow[2] < 1e-13 && fast[2] < 1e-13);
    } else if (!(fabs(s - facts.order) < 0.2) || !(fabs(f - facts.order) < 0.2)) {
        fail_msg("%s %s: stated order %d, measured %.2f (slow) and %.2f (fast)", m->name,
                 options ? options : "", facts.order, s, f);
    }
    gt_arena_free(&b.arena);
}

/* The error estimate has the stated order, and is honest on a smooth problem: within a factor 3 of
 * the true local error of the solution it estimates, once h is small. */
static void error_estimate_has_its_order(const gt_method *m, const char *options)
{
    enum { HALVINGS = 6 };
    bench_top b;
    gt_values v;
    gt_facts facts = facts_of(m, options, &v);
    if (!facts.error_order || facts.order > 8 || (facts.flags & GT_VARIABLE_FORMULA)) return;
    double size[HALVINGS], error[HALVINGS], start[2];
    build_for_order(&b, &facts);
    bind_method(&b, m, options);
    /* Small differences: implicit equations are to be solved to round-off then. */
    b.s.rtol = facts.flags & GT_USES_JACOBIAN ? 0 : 1e-11, b.s.atol = 1e-13;
    bool narrow = m->formula && facts.order >= 6; /* between its asymptotic range and round-off */
    bool small = facts.order >= 8 && m->run_fixed;
    double h = facts.order < 6 ? 1.0 / 16 : narrow ? 0.05 : small ? 0.5 : 0.2;
    int past = m->formula ? 2 * facts.order + 3 : 3; /* so many that a start is forgotten */
    for (int i = 0; i < HALVINGS; i++, h /= narrow ? 1.5 : small ? 1.25 : 2) {
        /* Past steps of the same size from exact values, so that history-based estimates have what
         * they need. */
        b.problem.exact(0.3 - past * h, start, b.problem.ctx);
        gt_stepper_start(&b.s, 0.3 - past * h, start);
        for (int k = 0; k < past; k++) assert_int_equal(gt_stepper_step(&b.s, h), GT_OK);
        assert_int_equal(gt_stepper_try(&b.s, h, true), GT_OK);
        error[i] = fmax(fabs(b.s.err[0]), fabs(b.s.err[1]));
        size[i] = h;
    }
    double slope = slope_of(size, error, HALVINGS, narrow ? 3e-14 : 1e-15);
    if (!(fabs(slope - (facts.error_order + 1)) < 0.35))
        fail_msg("%s: the estimate has slope %.2f, stated %d + 1", m->name, slope,
                 facts.error_order);
    dismantle(&b);
}

static void evaluations_are_as_stated(const gt_method *m, const char *options)
{
    enum { WARM_UP = 8, STEPS = 50 }; /* a start may cost more */
    bench_top b;
    build(&b, "kpr", "");
    bind_method(&b, m, options);
    if (b.s.facts.evaluations) {
        for (int k = 0; k < WARM_UP; k++) assert_int_equal(gt_stepper_step(&b.s, 1e-3), GT_OK);
        b.s.stats = (gt_stats){0};
        for (int k = 0; k < STEPS; k++) assert_int_equal(gt_stepper_step(&b.s, 1e-3), GT_OK);
        long per_step = b.s.facts.evaluations;
        assert_in_range(b.s.stats.rhs, STEPS * per_step,
                        STEPS * per_step + 1); /* and the first slope */
        assert_int_equal(b.s.stats.steps, STEPS);
    }
    if (b.s.facts.slow_evaluations) {
        for (int k = 0; k < WARM_UP; k++) assert_int_equal(gt_stepper_step(&b.s, 1e-3), GT_OK);
        b.s.stats = (gt_stats){0};
        for (int k = 0; k < STEPS; k++) assert_int_equal(gt_stepper_step(&b.s, 1e-3), GT_OK);
        assert_int_equal(b.s.stats.rhs, 0);
        assert_int_equal(b.s.stats.rhs_slow, STEPS * b.s.facts.slow_evaluations);
        assert_int_equal(b.s.stats.rhs_fast, STEPS * b.s.facts.fast_evaluations);
    }
    dismantle(&b);
}

/* Runs 30 steps with varying h; with `disturbed`, trials of other sizes that are not accepted come
 * in between. */
static void wander(bench_top *b, bool disturbed, double *trace)
{
    double span = b->problem.t1 - b->problem.t0;
    b->s.rtol = 1e-6, b->s.atol = 1e-9;
    gt_stepper_start(&b->s, b->problem.t0, b->problem.x0);
    assert_int_equal(gt_stepper_make_consistent(&b->s), GT_OK);
    for (int k = 0; k < 30; k++) {
        double h = span * 1e-6 * (1 + 0.5 * sin(k));
        if (disturbed) {
            (void)!gt_stepper_try(&b->s, h * 1.7, true);
            (void)!gt_stepper_try(&b->s, h * 40, k % 2);
            if (k % 3 == 0) (void)!gt_stepper_interpolate(&b->s, 0.3, b->s.scratch);
        }
        if (gt_stepper_try(&b->s, h, true))
            fail_msg("%s on %s fails at step %d", b->s.method->name, b->problem.name, k);
        trace[2 * k] = b->s.facts.error_order ? b->s.err[0] : 0;
        gt_stepper_accept(&b->s);
        trace[2 * k + 1] = b->s.x[b->s.n - 1];
    }
}

static void rejected_trials_leave_no_trace(const gt_method *m, const char *options)
{
    static const char *const models[] = {"kpr", "robertson", "vanderpol", "brusselator",
                                         "rc_diode"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        bench_top b;
        double plain[60], disturbed[60];
        build(&b, models[i], "");
        bind_method(&b, m, options);
        if (b.ready) {
            wander(&b, false, plain);
            wander(&b, true, disturbed);
            if (memcmp(plain, disturbed, sizeof plain))
                fail_msg("%s on %s: a rejected trial left a trace", m->name, models[i]);
        }
        dismantle(&b);
    }
}

static void exact_workspace_suffices(const gt_method *m, const char *options)
{
    static const char *const models[] = {"kpr", "heat", "rc_diode", "bouncing"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        bench_top b;
        build(&b, models[i], "");
        bind_method(&b, m, options);
        if (b.ready) {
            gt_stepper_free(&b.s);
            gt_stepper s;
            assert_int_equal(gt_stepper_init(&s, m, options, &b.problem, b.memory, b.bytes - 1),
                             GT_WORKSPACE_SMALL);
            assert_non_null(strstr(s.message.text, m->name));
            /* Exactly as many bytes, at an odd address, with guards around them. */
            unsigned char *guarded = malloc(b.bytes + 32);
            memset(guarded, 0xA5, b.bytes + 32);
            assert_int_equal(gt_stepper_init(&b.s, m, options, &b.problem, guarded + 17, b.bytes),
                             GT_OK);
            assert_int_equal(gt_stepper_make_consistent(&b.s), GT_OK);
            for (int k = 0; k < 5; k++) assert_int_equal(gt_stepper_step(&b.s, 1e-6), GT_OK);
            for (size_t k = 0; k < 17; k++) assert_int_equal(guarded[k], 0xA5);
            for (size_t k = b.bytes + 17; k < b.bytes + 32; k++) assert_int_equal(guarded[k], 0xA5);
            gt_stepper_free(&b.s);
            b.ready = false;
            free(guarded);
        }
        dismantle(&b);
    }
}

/* x' = lambda x as a real 2 x 2 system; its Taylor recurrence too. */
static gt_status rotate(double t, const double *x, double *dx, void *ctx)
{
    const double *l = ctx;
    (void)t;
    dx[0] = l[0] * x[0] - l[1] * x[1];
    dx[1] = l[1] * x[0] + l[0] * x[1];
    return GT_OK;
}

static gt_status rotate_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const double *l = ctx;
    (void)t, (void)x;
    memcpy(J->values, (const double[]){l[0], l[1], -l[1], l[0]}, 4 * sizeof(double));
    return GT_OK;
}

static gt_status rotate_taylor(double t, int order, double *c, void *ctx)
{
    for (int k = 0; k < order; k++) {
        (void)!rotate(t, c + 2 * k, c + 2 * k + 2, ctx);
        for (int i = 0; i < 2; i++) c[2 * k + 2 + i] /= k + 1;
    }
    return GT_OK;
}

static void closed_form_is_what_step_does(const gt_method *m, const char *options)
{
    gt_values v;
    facts_of(m, options, &v);
    for (int k = 0; k < 40; k++) {
        double z[2] = {-3 * fabs(sin(1.3 * k)) + 0.2, 3 * cos(2.1 * k)}, x0[2] = {1, 0}, x[2];
        gt_problem p = {.n_slow = 2,
                        .rhs = rotate,
                        .jac = rotate_jac,
                        .taylor = rotate_taylor,
                        .x0 = x0,
                        .t1 = 1,
                        .ctx = z};
        gt_report report;
        double complex R;
        if (gt_amplification(m, v.v, z[0] + I * z[1], &R) == GT_UNSUPPORTED) return;
        gt_status status =
            gt_solve(&p, m, &(gt_plan){.h = 1, .options = options, .x_end = x}, &report);
        if (status) fail_msg("%s: %s", m->name, report.message.text);
        /* The terms of R add up to at most about e^|z|; a few round-offs of that. */
        double newton = gt_method_facts(m, v.v).flags & GT_USES_JACOBIAN ? 4e-12 : 0;
        double tolerance = 64 * DBL_EPSILON * exp(hypot(z[0], z[1])) + newton;
        if (cabs(R - (x[0] + I * x[1])) > tolerance)
            fail_msg("%s at z = %g%+gi: closed form %g%+gi, step %g%+gi", m->name, z[0], z[1],
                     creal(R), cimag(R), x[0], x[1]);
    }
}

static void many_steps_equal_single_steps(const gt_method *m, const char *options)
{
    static const char *const models[][2] = {{"crow_p1", ""}, {"lorenz", ""},
                                            {"kpr", ""},     {"heat", "n=33"},
                                            {"stiff3c", ""}, {"double_pendulum", ""}};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        bench_top b;
        build(&b, models[i][0], models[i][1]);
        bind_method(&b, m, options);
        if (b.ready) {
            enum { STEPS = 37 };
            double h = 1e-4, *single = malloc(b.s.n * sizeof *single);
            for (int k = 0; k < STEPS; k++) {
                assert_int_equal(gt_stepper_try(&b.s, h, false), GT_OK);
                b.s.t_new = b.problem.t0 + (k + 1) * h;
                gt_stepper_accept(&b.s);
            }
            memcpy(single, b.s.x, b.s.n * sizeof *single);
            long rhs = b.s.stats.rhs;
            double t = b.s.t;
            b.s.stats = (gt_stats){0};
            gt_stepper_start(&b.s, b.problem.t0, b.problem.x0);
            assert_int_equal(gt_stepper_run(&b.s, b.problem.t0, h, 0, 5), GT_OK);
            assert_int_equal(gt_stepper_run(&b.s, b.problem.t0, h, 5, STEPS - 5), GT_OK);
            assert_memory_equal(single, b.s.x, b.s.n * sizeof *single);
            assert_true(t == b.s.t);
            assert_int_equal(rhs, b.s.stats.rhs);
            assert_int_equal(b.s.stats.steps, STEPS);
            free(single);
        }
        dismantle(&b);
    }
}

static gt_status look_away(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)self, (void)sample, (void)message;
    return GT_OK;
}

/* A controlled run that someone watches takes its steps one by one, another one may take many in a
 * call. */
static void being_watched_changes_no_bit(const gt_method *m, const char *options)
{
    static const char *const models[] = {"lorenz", "kpr", "double_pendulum", "pleiades"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        for (const gt_control *const *c = gt_control_list(); *c; c++) {
            bench_top b;
            double x[2][28];
            gt_report r[2];
            gt_sink sink = {.wants = GT_AT_STEP, .write = look_away}, *sinks[] = {&sink};
            build(&b, models[i], "");
            b.problem.t1 = 2;
            gt_values v = gt_params_default(m->options);
            if (!gt_method_facts(m, v.v).error_order || !m->run_kept) {
                gt_arena_free(&b.arena);
                return;
            }
            for (int k = 0; k < 2; k++) {
                gt_plan plan = {
                    .control = **c, .options = options, .x_end = x[k], .max_steps = 5000};
                if (k) plan.sinks = sinks, plan.n_sinks = 1;
                (void)!gt_solve(&b.problem, m, &plan, &r[k]);
            }
            assert_int_equal(r[0].status, r[1].status);
            assert_memory_equal(&r[0].stats, &r[1].stats, sizeof r[0].stats);
            assert_true(r[0].t == r[1].t);
            assert_memory_equal(x[0], x[1], gt_problem_size(&b.problem) * sizeof(double));
            gt_arena_free(&b.arena);
        }
    }
}

/* Dense output joins the ends and in between has the order of the method, or 3. The fourth step is
 * looked at, when methods with a memory have one. */
static void dense_output_joins_the_ends(const gt_method *m, const char *options)
{
    enum { HALVINGS = 5 };
    bench_top b;
    double size[HALVINGS], error[HALVINGS], exact[2], y[2], h = 0.05;
    gt_values v;
    gt_facts facts = facts_of(m, options, &v);
    build_for_order(&b, &facts);
    bind_method(&b, m, options);
    for (int i = 0; i < HALVINGS; i++, h /= 2) {
        gt_stepper_start(&b.s, 0, b.problem.x0);
        for (int k = 0; k < 3; k++) assert_int_equal(gt_stepper_step(&b.s, h), GT_OK);
        assert_int_equal(gt_stepper_try(&b.s, h, false), GT_OK);
        for (int end = 0; end <= 1; end++) {
            assert_int_equal(gt_stepper_interpolate(&b.s, end, y), GT_OK);
            const double *x = end ? b.s.x_new : b.s.x;
            for (int k = 0; k < 2; k++)
                assert_true(fabs(y[k] - x[k]) <= 8 * DBL_EPSILON * fabs(x[k]));
        }
        assert_int_equal(gt_stepper_interpolate(&b.s, 0.4, y), GT_OK);
        b.problem.exact(3.4 * h, exact, b.problem.ctx);
        error[i] = fmax(fabs(y[0] - exact[0]), fabs(y[1] - exact[1]));
        size[i] = h;
    }
    /* Local error of one step: order + 1 of the method, at most that of the interpolant. */
    int expected = b.s.facts.order + 1 < 4 ? b.s.facts.order + 1 : 4;
    if (b.s.facts.flags & GT_VARIABLE_FORMULA) expected = 2; /* begins with order 1 */
    /* Implicit equations are solved to 1e-12 only. */
    bool implicit = b.s.facts.flags & GT_USES_JACOBIAN || b.s.facts.kind == GT_KIND_IMPLICIT;
    double slope = slope_of(size, error, HALVINGS, implicit ? 1e-11 : 1e-15);
    bool reached = isnan(slope) && error[2] < 1e-10; /* too accurate for four points */
    if (!(slope > expected - 0.35) && !reached)
        fail_msg("%s: dense output has local slope %.2f, expected %d", m->name, slope, expected);
    dismantle(&b);
}

#define TEST_OF(check)                                                                             \
    static void test_##check(void **state)                                                         \
    {                                                                                              \
        (void)state;                                                                               \
        for_each_method(check);                                                                    \
    }
TEST_OF(descriptor_is_whole)
TEST_OF(measured_order_is_the_stated_one)
TEST_OF(error_estimate_has_its_order)
TEST_OF(evaluations_are_as_stated)
TEST_OF(rejected_trials_leave_no_trace)
TEST_OF(exact_workspace_suffices)
TEST_OF(closed_form_is_what_step_does)
TEST_OF(many_steps_equal_single_steps)
TEST_OF(dense_output_joins_the_ends)
TEST_OF(being_watched_changes_no_bit)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descriptor_is_whole),
        cmocka_unit_test(test_measured_order_is_the_stated_one),
        cmocka_unit_test(test_error_estimate_has_its_order),
        cmocka_unit_test(test_evaluations_are_as_stated),
        cmocka_unit_test(test_rejected_trials_leave_no_trace),
        cmocka_unit_test(test_exact_workspace_suffices),
        cmocka_unit_test(test_closed_form_is_what_step_does),
        cmocka_unit_test(test_many_steps_equal_single_steps),
        cmocka_unit_test(test_dense_output_joins_the_ends),
        cmocka_unit_test(test_being_watched_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
