/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A method of your own: the classical Runge-Kutta method written as a gt_method, given to the
 * library like a built-in.
 *
 * Expected: on the Lorenz equations its 10000 steps end in the very bits of the built-in `rk4`.
 * (Compile without contraction of a*b + c, as the library is: -ffp-contract=off.)
 */
#include <geartrain/author/stepper.h>
#include <geartrain/geartrain.h>
#include <stdio.h>
#include <string.h>

typedef struct rk4_state {
    double *k2, *k3, *k4; /* k1 is the slope s->f, which the library keeps */
} rk4_state;

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)self, (void)v;
    return (gt_facts){.order = 4, .evaluations = 4};
}

/* Called twice: to measure, and to carve. */
static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    rk4_state *w = s->state;
    w->k2 = gt_arena_doubles(arena, s->n);
    w->k3 = gt_arena_doubles(arena, s->n);
    w->k4 = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

/* A trial: reads x, writes x_new, remembers nothing. */
static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    const rk4_state *w = s->state;
    const double sixth = h * (1.0 / 6), third = h * (1.0 / 3);
    (void)err; /* asked for only when facts().error_order is above 0 */
    gt_status status = gt_slope(s);
    const double *k1 = s->f;
    for (size_t i = 0; i < s->n; i++) x_new[i] = x[i] + h * 0.5 * k1[i];
    if (!status) status = gt_rhs(s, s->t + 0.5 * h, x_new, w->k2);
    for (size_t i = 0; i < s->n; i++) x_new[i] = x[i] + h * 0.5 * w->k2[i];
    if (!status) status = gt_rhs(s, s->t + 0.5 * h, x_new, w->k3);
    for (size_t i = 0; i < s->n; i++) x_new[i] = x[i] + h * w->k3[i];
    if (!status) status = gt_rhs(s, s->t + h, x_new, w->k4);
    for (size_t i = 0; i < s->n; i++)
        x_new[i] = x[i] + sixth * k1[i] + third * w->k2[i] + third * w->k3[i] + sixth * w->k4[i];
    return status;
}

static const gt_method my_rk4 = {.name = "my_rk4",
                                 .family = "explicit Runge-Kutta",
                                 .title = "the classical Runge-Kutta method, written again",
                                 .reference = "Kutta (1901)",
                                 .facts = facts,
                                 .state_size = sizeof(rk4_state),
                                 .layout = layout,
                                 .step = step};

int main(void)
{
    gt_arena arena = gt_arena_growing();
    gt_problem lorenz;
    gt_report report = {0};
    double mine[3], theirs[3];
    gt_status status =
        gt_model_build(gt_model_find("lorenz"), "", &lorenz, &arena, &report.message);
    lorenz.t1 = 10;
    if (!status) status = gt_solve(&lorenz, &my_rk4, &(gt_plan){.h = 1e-3, .x_end = mine}, &report);
    if (!status)
        status = gt_solve(&lorenz, gt_method_find("rk4"), &(gt_plan){.h = 1e-3, .x_end = theirs},
                          &report);
    gt_arena_free(&arena);
    if (status) {
        fprintf(stderr, "own_method: %s\n", report.message.text);
        return 1;
    }
    for (int i = 0; i < 3; i++) printf("%.17g   %.17g\n", mine[i], theirs[i]);
    return report.stats.steps == 10000 && memcmp(mine, theirs, sizeof mine) == 0 ? 0 : 1;
}
