/* SPDX-License-Identifier: BSD-3-Clause */
/* The mathematics of every listed model; being listed is enough to be tested. */
#include <float.h>
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h wants the above first */
#include <cmocka.h>

/* Every model with its defaults, and these. */
static const char *const variants[][2] = {
    {"heat", "n=1"},
    {"heat", "n=2"},
    {"heat", "n=3"},
    {"heat", "n=20000"},
    {"heat", "n=1, storage=banded"},
    {"heat", "n=2, storage=banded"},
    {"heat", "n=40, storage=banded, diffusivity=0.1, mode=41"},
    {"brusselator", "n=1"},
    {"brusselator", "n=2"},
    {"brusselator", "n=3"},
    {"brusselator", "n=20000, A=2, B=5"},
    {"vanderpol", "mu=1000"},
    {"vanderpol", "mu=0"},
    {"linear2", "alpha=1, beta=0"},
    {"linear2", "alpha=10, beta=0.5, lambda=2"},
    {"linear2", "lambda=0"},
    {"pendulum", "theta0=90, offset=0, m2=0.1, J1=3, m1=2"},
    {"flexjoint", "drive=free, d=0, twist=0.3"},
    {"kaps", "eps=1"},
    {"double_pendulum", "m2=1, r1=2, theta1_0=170"},
    {"kpr", "G=-1000, e=0.1, w=7"},
    {"robertson", "form=dae"},
    {"robertson", "form=dae, k1=2, k2=3, k3=5"},
    {"orego", "s=2, q=0.1, w=3"},
    {"e5", "A=0.5, B=2, C=3, M=0.7"},
    {"transistor", "UF=1, C=0.1, alpha=0.6, beta=1e-3"},
    {"ring", "Cs=1e-9"},
    {"vehicle", "coordinates=relative, balance=on, road=0.01, speed=20"},
    {"vehicle3d", "balance=on, road=0.01, steer=0.1"},
    {"truck", "axles=2"},
    {"truck", "axles=60"},
    {"lotka_volterra", "a=2, b=0.5, c=3, k=0.7"},
    {"arm_eb", "n=4"},
    {"arm_eb", "form=plain, input=step"},
    {"arm_eb", "storage=banded, input=ramp, bend=0.1"},
    {"arm_eb", "loop=closed, assembly=thesis"},
    {"arm_eb", "loop=closed, form=plain"},
    {"arm_eb", "n=2000, input=none, bend=0.1"},
    {"arm_timoshenko", "n=4, assembly=symmetric"},
    {"arm_timoshenko", "assembly=symmetric, form=plain, input=step"},
    {"arm_timoshenko", "storage=banded"},
    {"arm_timoshenko", "loop=closed"},
    {"arm_timoshenko", "assembly=thesis"},
    {"beam", "n=2"},
    {"beam", "n=3, F=20"},
    {"beam", "n=200"}};
enum { N_VARIANTS = sizeof variants / sizeof variants[0] };

static const double cube_root_eps =
    6.0554544523933429e-06; /* step of central differences: error about its square */

/* A built problem with room for the checks: x, f, J and some vectors. */
typedef struct {
    const char *label;
    gt_arena arena;
    gt_problem p;
    size_t n;
    gt_matrix J, magnitude;
    double *x, *f, *a, *b, *c, t;
    double *row_J;                 /* row sums of magnitudes */
    double norm_x, norm_f, norm_J; /* largest component, largest row sum */
} subject;

static double largest(const double *v, size_t n)
{
    double top = 0;
    for (size_t i = 0; i < n; i++) top = fmax(top, fabs(v[i]));
    return top;
}

static double noise(uint32_t *seed)
{
    return (double)((*seed = *seed * 1664525u + 1013904223u) >> 8) / 8388608.0 - 1;
}

static void evaluate(subject *s)
{
    assert_int_equal(s->p.rhs(s->t, s->x, s->f, s->p.ctx), GT_OK);
    gt_matrix_clear(&s->J);
    assert_int_equal(s->p.jac(s->t, s->x, &s->J, s->p.ctx), GT_OK);
    for (size_t k = 0; k < gt_matrix_entries(&s->J); k++)
        s->magnitude.values[k] = fabs(s->J.values[k]);
    for (size_t i = 0; i < s->n; i++) s->a[i] = 1;
    gt_matrix_multiply(&s->magnitude, s->a, 0, s->row_J);
    s->norm_J = largest(s->row_J, s->n);
    s->norm_x = largest(s->x, s->n);
    s->norm_f = largest(s->f, s->n);
}

static void open_subject(subject *s, const char *name, const char *parameters)
{
    gt_message message = {""};
    *s = (subject){.label = name, .arena = gt_arena_growing()};
    gt_status status = gt_model_build(gt_model_find(name), parameters, &s->p, &s->arena, &message);
    if (status) fail_msg("%s %s: %s", name, parameters, message.text);
    assert_int_equal(gt_problem_check(&s->p, &message), GT_OK);
    s->n = gt_problem_size(&s->p);
    gt_matrix_layout(&s->J, s->n, s->p.jac_pattern, false, &s->arena);
    gt_matrix_layout(&s->magnitude, s->n, s->p.jac_pattern, false, &s->arena);
    s->x = gt_arena_doubles(&s->arena, s->n);
    s->f = gt_arena_doubles(&s->arena, s->n);
    s->a = gt_arena_doubles(&s->arena, s->n);
    s->b = gt_arena_doubles(&s->arena, s->n);
    s->row_J = gt_arena_doubles(&s->arena, s->n);
    s->c = gt_arena_doubles(&s->arena, s->n * 20);
}

/* Moves s->x away from the start, so little that f exists even ten times as far away. */
static void move(subject *s, uint32_t *seed)
{
    for (size_t i = 0; i < s->n; i++) s->a[i] = (1 + fabs(s->p.x0[i])) * noise(seed);
    for (double reach = 0.1; reach > 1e-9; reach /= 10) {
        for (size_t i = 0; i < s->n; i++) s->x[i] = s->p.x0[i] + 10 * reach * s->a[i];
        bool exists = s->p.rhs(s->t, s->x, s->f, s->p.ctx) == GT_OK;
        for (size_t i = 0; i < s->n; i++) exists = exists && isfinite(s->f[i]);
        for (size_t i = 0; i < s->n; i++) s->x[i] = s->p.x0[i] + reach * s->a[i];
        if (exists) return;
    }
    fail_msg("%s has no right-hand side near its start", s->label);
}

/* Calls check at the start and at three points near it. */
static void at_points(const char *name, const char *parameters, void (*check)(subject *))
{
    subject s;
    uint32_t seed = 7;
    open_subject(&s, name, parameters);
    for (int point = 0; point < 4; point++) {
        s.t = s.p.t0 + point * 0.13 * (s.p.t1 - s.p.t0);
        memcpy(s.x, s.p.x0, s.n * sizeof *s.x);
        if (point) move(&s, &seed);
        evaluate(&s);
        check(&s);
    }
    gt_arena_free(&s.arena);
}

static void for_all(void (*check)(subject *))
{
    for (const gt_model *const *m = gt_model_list(); *m; m++) at_points((*m)->name, "", check);
    for (size_t i = 0; i < N_VARIANTS; i++) at_points(variants[i][0], variants[i][1], check);
}

static void assert_near(const subject *s, const char *what, const double *a, const double *b,
                        double tolerance)
{
    for (size_t i = 0; i < s->n; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance))
            fail_msg("%s, %s, component %zu at t = %g: %.17g and %.17g differ by more than %g",
                     s->label, what, i, s->t, a[i], b[i], tolerance);
}

/* Each row is measured by its own size: the rates of one problem may be twenty powers of ten apart.
 */
static void assert_rows_near(const subject *s, const double *Jd, const double *change)
{
    for (size_t i = 0; i < s->n; i++) {
        double tolerance =
            100 * cube_root_eps * cube_root_eps * (s->row_J[i] * (1 + s->norm_x) + fabs(s->f[i]));
        if (!(fabs(Jd[i] - change[i]) <= tolerance))
            fail_msg("%s, row %zu of the Jacobian at t = %g: %.17g and by differences %.17g",
                     s->label, i, s->t, Jd[i], change[i]);
    }
}

/* weight (f(x + h d) - f(x - h d))/(2 h) is added to the sum. */
static void add_difference(subject *s, const double *d, double h, double weight, double *sum)
{
    double *y = s->c + s->n, *high = s->c + 2 * s->n, *low = s->c + 3 * s->n;
    for (size_t i = 0; i < s->n; i++) y[i] = s->x[i] + h * d[i];
    assert_int_equal(s->p.rhs(s->t, y, high, s->p.ctx), GT_OK);
    for (size_t i = 0; i < s->n; i++) y[i] = s->x[i] - h * d[i];
    assert_int_equal(s->p.rhs(s->t, y, low, s->p.ctx), GT_OK);
    for (size_t i = 0; i < s->n; i++) sum[i] += weight * (high[i] - low[i]) / (2 * h);
}

/* These start with slip 0, on a kink of |s|, where differences lose an order; test_vehicle looks
 * beside it. */
static bool starts_on_a_kink(const subject *s)
{
    static const char *const names[] = {"quartercar_c", "vehicle", "truck", "vehicle3d", NULL};
    for (size_t i = 0; names[i]; i++)
        if (strcmp(names[i], s->label) == 0) return s->t == s->p.t0;
    return false;
}

/* J d against central differences along d, from two steps so that their error is of order h^4: all
 * unit vectors when n is small, else mixtures. */
static void check_jacobian(subject *s)
{
    if (starts_on_a_kink(s)) return;
    size_t directions = s->n <= 120 ? s->n : 3;
    uint32_t seed = 99;
    double *d = s->a, *change = s->b, *Jd = s->c;
    for (size_t k = 0; k < directions; k++) {
        for (size_t i = 0; i < s->n; i++)
            d[i] = directions == s->n ? (double)(i == k) : noise(&seed);
        double h = cube_root_eps * (directions == s->n ? 1 + fabs(s->x[k]) : 1);
        for (size_t i = 0; i < s->n; i++) change[i] = 0;
        add_difference(s, d, h, -1.0 / 3, change);
        add_difference(s, d, h / 2, 4.0 / 3, change);
        gt_matrix_multiply(&s->J, d, 0, Jd);
        assert_rows_near(s, Jd, change);
    }
}

static void check_blocks(subject *s)
{
    gt_rhs_fn *blocks[] = {s->p.rhs_slow, s->p.rhs_fast, s->p.rhs_alg};
    size_t sizes[] = {s->p.n_slow, s->p.n_fast, s->p.n_alg}, first = 0;
    for (int b = 0; b < 3; first += sizes[b], b++) {
        if (!blocks[b]) {
            assert_true(sizes[b] == 0 ||
                        sizes[b] == s->n); /* a partition is of use only with block functions */
            continue;
        }
        assert_int_equal(blocks[b](s->t, s->x, s->a, s->p.ctx), GT_OK);
        assert_memory_equal(s->a, s->f + first, sizes[b] * sizeof(double));
    }
}

/* The blocks together are the whole, bit by bit, and where a model computes them alone it touches
 * nothing else. */
static void check_jacobian_blocks(subject *s)
{
    size_t inside = 0, whole = gt_matrix_entries(&s->J);
    if (!s->p.jac) return;
    for (int r = 0; r < 9; r++) {
        gt_block b;
        gt_block_layout(&b, &s->p, (gt_part)(r / 3), (gt_part)(r % 3), &s->arena);
        for (size_t k = 0; k < gt_matrix_entries(&b.J); k++) b.J.values[k] = NAN;
        assert_int_equal(gt_block_evaluate(&b, &s->p, s->t, s->x), GT_OK);
        size_t top = gt_part_first(&s->p, b.part_of_rows),
               left = gt_part_first(&s->p, b.part_of_columns), kept = 0;
        for (size_t j = 0; j < b.columns; j++)
            for (int e = b.colptr[j]; e < b.colptr[j + 1]; e++) {
                const double *entry = gt_matrix_at(&s->J, top + (size_t)b.rowindex[e], left + j);
                assert_non_null(entry);
                assert_memory_equal(entry, &b.values[e], sizeof *entry);
            }
        for (size_t k = 0; k < gt_matrix_entries(&b.J); k++) kept += isnan(b.J.values[k]) ? 1 : 0;
        if (s->p.jac_block) assert_int_equal(kept, gt_matrix_entries(&b.J) - b.entries);
        inside += b.entries;
    }
    if (s->p.jac_pattern.storage != GT_BANDED)
        assert_int_equal(inside, whole); /* a band has corners outside */
}

static void polynomial(const subject *s, int order, double h, double *value, double *slope)
{
    for (size_t i = 0; i < s->n; i++) {
        value[i] = slope[i] = 0;
        for (int k = order; k >= 0; k--) {
            slope[i] = slope[i] * h + value[i];
            value[i] = value[i] * h + s->c[(size_t)k * s->n + i];
        }
    }
}

/* A tenth of the radius of convergence as the rows show it, so that row k contributes at most
 * 10^-k. */
static double short_step(const subject *s)
{
    double radius = 10;
    for (int k = 1; k <= 16; k++)
        radius =
            fmin(radius, pow((1 + s->norm_x) / largest(s->c + (size_t)k * s->n, s->n), 1.0 / k));
    return radius / 10;
}

/* Row 1 is f, row 2 is (J f + f_t)/2; the polynomial satisfies the equation at t + h to round-off,
 * which fails when any row is wrong; four more rows change nothing. */
static void check_taylor(subject *s)
{
    if (!s->p.taylor) return;
    memcpy(s->c, s->x, s->n * sizeof *s->x);
    assert_int_equal(s->p.taylor(s->t, 16, s->c, s->p.ctx), GT_OK);
    double round_off = 100 * DBL_EPSILON * (s->norm_J * s->norm_x + s->norm_f), h = short_step(s);
    double dt = cube_root_eps / 100 * fmin(1, s->p.t1 - s->p.t0), *later = s->c + 17 * s->n,
           *earlier = s->c + 18 * s->n;
    assert_near(s, "Taylor row 1", s->c + s->n, s->f, round_off);

    s->p.rhs(s->t + dt, s->x, later, s->p.ctx);
    s->p.rhs(s->t - dt, s->x, earlier, s->p.ctx);
    for (size_t i = 0; i < s->n; i++) s->b[i] = (later[i] - earlier[i]) / (2 * dt);
    gt_matrix_multiply(&s->J, s->f, 1, s->b);
    for (size_t i = 0; i < s->n; i++) s->b[i] /= 2;
    double scale = s->norm_J * (s->norm_x + s->norm_f) + s->norm_f + largest(s->b, s->n);
    assert_near(s, "Taylor row 2", s->c + 2 * s->n, s->b, 1e-8 * scale + 0.04 * round_off / dt);
    if (s->norm_f > 1e18 * (1 + s->norm_x)) return; /* row 16 is beyond the largest number */

    polynomial(s, 16, h, s->a, s->b);
    s->p.rhs(s->t + h, s->a, later, s->p.ctx);
    assert_near(s, "slope of the Taylor polynomial", s->b, later,
                round_off + 100 * DBL_EPSILON * (1 + s->norm_x) / h);
    polynomial(s, 16, h / 2, s->a, s->b);
    polynomial(s, 12, h / 2, later, earlier);
    assert_near(s, "Taylor orders 12 and 16", s->a, later, 16 * DBL_EPSILON * (1 + s->norm_x));
}

/* exact starts at x0, satisfies the equation, and over a short step is the Taylor polynomial. */
static void check_exact(subject *s)
{
    if (!s->p.exact) return;
    s->p.exact(s->p.t0, s->a, s->p.ctx);
    assert_near(s, "exact at t0", s->a, s->p.x0, 8 * DBL_EPSILON * (1 + largest(s->p.x0, s->n)));
    s->p.exact(s->t, s->x, s->p.ctx);
    evaluate(s);
    double h = cube_root_eps / (1 + s->norm_J), late = s->t + h, early = s->t - h;
    s->p.exact(late, s->a, s->p.ctx);
    s->p.exact(early, s->b, s->p.ctx);
    for (size_t i = 0; i < s->n; i++) s->a[i] = (s->a[i] - s->b[i]) / (late - early);
    double scale = (1 + s->norm_J) * (1 + s->norm_x) + s->norm_f;
    assert_near(s, "slope of exact", s->a, s->f, 100 * cube_root_eps * cube_root_eps * scale);
    if (!s->p.taylor) return;
    memcpy(s->c, s->x, s->n * sizeof *s->x);
    assert_int_equal(s->p.taylor(s->t, 16, s->c, s->p.ctx), GT_OK);
    late = s->t + short_step(s);
    polynomial(s, 16, late - s->t, s->a, s->b);
    s->p.exact(late, s->b, s->p.ctx);
    assert_near(s, "exact and Taylor", s->a, s->b, 64 * DBL_EPSILON * (1 + s->norm_x) * (1 + s->t));
}

/* To a point of the solution itself, a few of its shortest times later: joints of mechanisms must
 * stay closed. A DAE stays where it is. */
static void move_along(subject *s)
{
    gt_problem p = s->p;
    gt_values none = {{0}};
    if (s->t == p.t0 || gt_method_check(gt_method_find("dopri5"), none.v, &p, NULL)) return;
    p.t1 = p.t0 + 20 * (s->t - p.t0) / (p.t1 - p.t0) / s->norm_J;
    assert_int_equal(
        gt_solve(&p, gt_method_find("dopri5"), &(gt_plan){.rtol = 1e-12, .x_end = s->x}, NULL),
        GT_OK);
    s->t = p.t1;
    evaluate(s);
}

static void check_invariants(subject *s)
{
    double high[8], low[8], h = cube_root_eps;
    assert_in_range(s->p.n_invariants, 0, 8);
    if (!s->p.n_invariants) return;
    move_along(s);
    if (s->p.mass) { /* f is not the slope then */
        gt_lu lu;
        gt_lu_layout(&lu, s->p.mass, &s->arena);
        assert_int_equal(gt_lu_factor(&lu, s->p.mass), GT_OK);
        gt_lu_solve(&lu, s->f);
        gt_lu_free(&lu);
        s->norm_f = largest(s->f, s->n);
    }
    for (size_t i = 0; i < s->n; i++) s->a[i] = s->x[i] + h * s->f[i] / s->norm_f;
    for (size_t i = 0; i < s->n; i++) s->b[i] = s->x[i] - h * s->f[i] / s->norm_f;
    s->p.invariants(s->t, s->a, high, s->p.ctx);
    s->p.invariants(s->t, s->b, low, s->p.ctx);
    for (size_t k = 0; k < s->p.n_invariants; k++)
        assert_true(fabs(high[k] - low[k]) / (2 * h) <= 100 * h * h * (1 + fabs(high[k])));
}

/* `linear`: the Jacobian is that of the start; `autonomous`: f is the same at another time. */
static void check_flags(subject *s)
{
    if (s->p.linear) {
        gt_matrix_clear(&s->magnitude);
        assert_int_equal(s->p.jac(s->p.t0, s->p.x0, &s->magnitude, s->p.ctx), GT_OK);
        assert_memory_equal(s->J.values, s->magnitude.values,
                            gt_matrix_entries(&s->J) * sizeof(double));
    }
    if (!s->p.autonomous) return;
    assert_int_equal(s->p.rhs(s->t + 0.37, s->x, s->a, s->p.ctx), GT_OK);
    assert_near(s, "f at another time", s->a, s->f, 0); /* -0 is 0 */
}

static void flags_are_true(void **state) { (void)state, for_all(check_flags); }
static void jacobians_equal_differences(void **state) { (void)state, for_all(check_jacobian); }
static void blocks_equal_rows(void **state)
{
    (void)state;
    if (TEST_CONTRACTED) {
        print_message(
            "blocks_equal_rows is skipped: a*b+c is contracted in one of two code paths\n");
        skip();
    }
    for_all(check_blocks);
}
static void jacobian_blocks_are_the_whole(void **state)
{
    (void)state;
    if (TEST_CONTRACTED) {
        print_message("jacobian_blocks_are_the_whole is skipped: a*b+c is contracted in one of two "
                      "code paths\n");
        skip();
    }
    for_all(check_jacobian_blocks);
}
static void taylor_rows_are_right(void **state) { (void)state, for_all(check_taylor); }
static void exact_solves(void **state) { (void)state, for_all(check_exact); }
static void invariants_do_not_change(void **state) { (void)state, for_all(check_invariants); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobians_equal_differences),
        cmocka_unit_test(blocks_equal_rows),
        cmocka_unit_test(jacobian_blocks_are_the_whole),
        cmocka_unit_test(taylor_rows_are_right),
        cmocka_unit_test(exact_solves),
        cmocka_unit_test(invariants_do_not_change),
        cmocka_unit_test(flags_are_true),
    };
    return cmocka_run_group_tests_name("models", tests, NULL, NULL);
}
