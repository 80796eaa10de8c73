/* SPDX-License-Identifier: BSD-3-Clause */
/* The singular perturbation and exponential methods: global errors at fixed steps, and the pendulum
 * at rest, beside those of an independent program. */
#include "methods_kit.h"
#include "spm_errors.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A mass on a stiff spring that swings in a plane: angle and its rate, length and its rate. */
enum { W = 450 };
static const double gravity = 9.81;

static gt_status elastic_slow(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = -(gravity * sin(x[0]) + 2 * x[3] * x[1]) / x[2];
    return GT_OK;
}

static gt_status elastic_fast(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[3];
    dx[1] = x[2] * x[1] * x[1] + gravity * cos(x[0]) - W * W * (x[2] - 1);
    return GT_OK;
}

static gt_status elastic(double t, const double *x, double *dx, void *ctx)
{
    (void)!elastic_slow(t, x, dx, ctx);
    return elastic_fast(t, x, dx + 2, ctx);
}

static gt_status elastic_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)ctx;
    *gt_matrix_at(J, 0, 1) = 1;
    *gt_matrix_at(J, 1, 0) = -gravity * cos(x[0]) / x[2];
    *gt_matrix_at(J, 1, 1) = -2 * x[3] / x[2];
    *gt_matrix_at(J, 1, 2) = (gravity * sin(x[0]) + 2 * x[3] * x[1]) / (x[2] * x[2]);
    *gt_matrix_at(J, 1, 3) = -2 * x[1] / x[2];
    *gt_matrix_at(J, 2, 3) = 1;
    *gt_matrix_at(J, 3, 0) = -gravity * sin(x[0]);
    *gt_matrix_at(J, 3, 1) = 2 * x[2] * x[1];
    *gt_matrix_at(J, 3, 2) = x[1] * x[1] - W * W;
    return GT_OK;
}

static void begin(bench_top *b, const spm_end *end, double *elastic_start)
{
    if (strcmp(end->model, "elastic")) {
        build(b, end->model, end->parameters);
    } else {
        elastic_start[0] = 1, elastic_start[2] = 1 + 1.0 / W + gravity * cos(1) / (W * W);
        *b = (bench_top){.arena = gt_arena_growing()};
        b->problem = (gt_problem){.n_slow = 2,
                                  .n_fast = 2,
                                  .rhs = elastic,
                                  .rhs_slow = elastic_slow,
                                  .rhs_fast = elastic_fast,
                                  .jac = elastic_jac,
                                  .autonomous = true,
                                  .x0 = elastic_start,
                                  .name = "elastic"};
    }
    b->problem.t1 = end->t1;
}

static double largest(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static void global_errors(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(spm_errors); k++) {
        const spm_error *r = &spm_errors[k];
        const spm_end *end = &spm_ends[r->end];
        double start[4] = {0}, x[4];
        bench_top b;
        gt_report report;
        begin(&b, end, start);
        gt_plan plan = {.h = end->t1 / r->steps, .options = r->options, .x_end = x};
        if (gt_solve(&b.problem, gt_method_find(r->method), &plan, &report))
            fail_msg("%s", report.message.text);
        size_t n = b.problem.n_slow;
        double e_x = largest(x, end->x, n), e_z = largest(x + n, end->x + n, b.problem.n_fast);
        if (!(fabs(e_x - r->x) < 1e-6 * r->x + 2e-10 && fabs(e_z - r->z) < 1e-6 * r->z + 2e-9))
            fail_msg("%s %s on %s %s, %d steps: errors %.9g and %.9g, not %.9g and %.9g; %s",
                     r->method, r->options, end->model, end->parameters, r->steps, e_x, e_z, r->x,
                     r->z, report.note.text);
        gt_arena_free(&b.arena);
    }
}

typedef struct {
    gt_sink sink;
    const gt_problem *p;
    double start, drift, joint, theta, *first;
} watch;

static gt_status look(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    watch *w = (watch *)self;
    double values[3];
    (void)message;
    w->p->invariants(sample->t, sample->x, values, w->p->ctx);
    if (sample->t == 0) w->start = values[0];
    if (fabs(sample->t - 0.005) < 1e-9) memcpy(w->first, sample->x, 10 * sizeof *w->first);
    if (fabs(sample->t - 5) < 1e-9) w->theta = sample->x[2];
    w->drift = fmax(w->drift, fabs(values[0] - w->start));
    w->joint = fmax(w->joint, fmax(fabs(values[1]), fabs(values[2])));
    return GT_OK;
}

static void the_pendulum_from_rest(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(spm_rests); k++) {
        const spm_rest *r = &spm_rests[k];
        bench_top b;
        gt_report report;
        double x[10], first[10];
        build(&b, "pendulum", r->parameters);
        watch w = {.sink = {.wants = GT_AT_STEP, .write = look}, .p = &b.problem, .first = first};
        gt_sink *sinks[] = {&w.sink};
        gt_plan plan = {
            .h = 0.005, .options = r->options, .x_end = x, .sinks = sinks, .n_sinks = 1};
        assert_int_equal(gt_solve(&b.problem, gt_method_find("spm"), &plan, &report), GT_OK);
        if (!(fabs(w.theta - r->theta[0]) < 1e-10 && fabs(x[2] - r->theta[1]) < 1e-10 &&
              fabs(w.drift - r->drift) < 1e-9))
            fail_msg("%s %s: theta %.16g, %.16g, drift %.9g", r->parameters, r->options, w.theta,
                     x[2], w.drift);
        assert_true(w.joint < 1.5 * r->joint);
        for (int i = 0; i < 10; i++)
            if (!(fabs(first[i] - r->first[i]) < 1e-9))
                fail_msg("%s %s: component %d of the first step is %.16g, not %.16g", r->parameters,
                         r->options, i, first[i], r->first[i]);
        gt_arena_free(&b.arena);
    }
}

/* At its limit of h = 0.004 rk4 keeps the swing of the particle, a little beyond it grows by |R|
 * = 1.19 in each step.
 */
static void rk4_has_its_limit(void **state)
{
    (void)state;
    static const double steps[] = {0.0038, 0.004, 0.0041};
    for (size_t k = 0; k < COUNT(steps); k++) {
        bench_top b;
        double x[10];
        build(&b, "pendulum", "");
        b.problem.t1 = 51 * steps[k];
        assert_int_equal(gt_solve(&b.problem, gt_method_find("rk4"),
                                  &(gt_plan){.h = steps[k], .x_end = x}, NULL),
                         GT_OK);
        double omega = sqrt(5 / 1e-5),
               swing = hypot(x[6] - 2 * x[0], hypot(x[8], x[9]) / omega); /* 0.1 at the start */
        if (k < 2)
            assert_true(swing < 0.11);
        else
            assert_true(swing > 0.1 * pow(1.19, 51) / 2 && swing < 2 * 0.1 * pow(1.19, 51));
        gt_arena_free(&b.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(global_errors),
                                       cmocka_unit_test(the_pendulum_from_rest),
                                       cmocka_unit_test(rk4_has_its_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
