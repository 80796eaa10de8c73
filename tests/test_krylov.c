/* SPDX-License-Identifier: BSD-3-Clause */
/* Large fast blocks: phi_k(hA) v from products with A alone beside eigenvectors that are known, and
 * the methods that rest on it beside implicit and explicit ones on thousands of sparse states. */
#include "methods_kit.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { N = 2000 };

/* ---- the functions ---- */

/* tridiag(1, -2, 1) times `rate`, whose eigenvectors are sines. */
static gt_status diffuse(const double *v, double *out, void *ctx)
{
    double rate = *(double *)ctx;
    for (size_t i = 0; i < N; i++)
        out[i] = rate * ((i ? v[i - 1] : 0) - 2 * v[i] + (i + 1 < N ? v[i + 1] : 0));
    return GT_OK;
}

/* phi_k(z), z <= 0: from integrals where the recursion would cancel. */
static double phi_of(int k, double z)
{
    if (fabs(z) < 1) {
        double term = 1, sum;
        for (int j = 1; j <= k; j++) term /= j;
        sum = term;
        for (int j = 1; j < 30; j++) sum += term *= z / (j + k);
        return sum;
    }
    double value = exp(z), factorial = 1;
    for (int j = 0; j < k; j++) {
        value = (value - 1 / factorial) / z;
        factorial *= j + 1;
    }
    return value;
}

/* sum_k h^k phi_k(hA) b_k, k = from .. 3, for vectors b_k that are made up of five sines each. */
static void by_sines(double rate, double h, int from, double *const *b, double *out)
{
    static const int modes[] = {1, 7, 150, 1500, 1999};
    const double step = acos(-1) / (N + 1);
    memset(out, 0, N * sizeof *out);
    for (int k = from; k <= 3; k++) {
        memset(b[k], 0, N * sizeof *out);
        for (size_t m = 0; m < COUNT(modes); m++) {
            double half = sin(modes[m] * step / 2), lambda = -4 * rate * half * half;
            double share = cos(1.3 * (double)m + 2.1 * k),
                   factor = pow(h, k) * phi_of(k, h * lambda);
            for (int i = 0; i < N; i++) {
                double sine = share * sin(modes[m] * step * (i + 1));
                b[k][i] += sine;
                out[i] += factor * sine;
            }
        }
    }
}

static double norm(const double *v)
{
    double sum = 0;
    for (size_t i = 0; i < N; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

static void krylov_on_a_known_spectrum(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    double *b[4], *expected = gt_arena_doubles(&arena, N), *found = gt_arena_doubles(&arena, N);
    gt_krylov krylov;
    gt_krylov_layout(&krylov, N, &arena);
    for (int k = 0; k < 4; k++) b[k] = gt_arena_doubles(&arena, N);
    static const double rates[] = {0.1, 25, 600}, tolerances[] = {1e-5, 1e-12};
    for (size_t c = 0; c < COUNT(rates) * COUNT(tolerances) * 2; c++) {
        double rate = rates[c / 4], tolerance = tolerances[c % 2], h = 0.4;
        int from = c / 2 % 2 ? 3 : 0; /* all four, or phi_3 b alone as exprb32 asks for it */
        by_sines(rate, h, from, b, expected);
        const double *const sum[] = {from ? NULL : b[0], from ? NULL : b[1], from ? NULL : b[2],
                                     b[3]};
        assert_int_equal(
            gt_krylov_sum(&krylov, N, diffuse, &rate, h, 3, sum, tolerance, NULL, found), GT_OK);
        for (size_t i = 0; i < N; i++) found[i] -= expected[i];
        double size = fmax(norm(expected), pow(h, from) * norm(b[from])), error = norm(found);
        if (!(error < 3 * tolerance * size + 1e-13 * size))
            fail_msg("rate %g, tolerance %g, from phi_%d on: off by %g of %g", rate, tolerance,
                     from, error, size);
    }
    /* Not more work than the spectrum asks for: 64 dimensions reach well over 64 of h |lambda|,
     * which is 960 here. */
    double rate = 600;
    long before = krylov.products;
    const double *const sum[] = {b[3]};
    assert_int_equal(gt_krylov_sum(&krylov, N, diffuse, &rate, 0.4, 0, sum, 1e-6, NULL, found),
                     GT_OK);
    assert_in_range(krylov.products - before, 31, 960);
    gt_arena_free(&arena);
}

/* What a sum gives for h/2 on its way is what one of h/2 gives, also where it takes several
 * substeps to it. */
static void half_a_sum_on_the_way(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    double *b[4], *half = gt_arena_doubles(&arena, N), *found = gt_arena_doubles(&arena, N);
    double *alone = gt_arena_doubles(&arena, N);
    gt_krylov krylov;
    gt_krylov_layout(&krylov, N, &arena);
    for (int k = 0; k < 4; k++) b[k] = gt_arena_doubles(&arena, N);
    static const double rates[] = {0.1, 25, 20000};
    for (size_t c = 0; c < COUNT(rates); c++) {
        double rate = rates[c];
        by_sines(rate, 0.4, 0, b, found);
        const double *const sum[] = {NULL, b[1], b[2]};
        assert_int_equal(gt_krylov_sum(&krylov, N, diffuse, &rate, 0.4, 2, sum, 1e-10, half, found),
                         GT_OK);
        assert_int_equal(gt_krylov_sum(&krylov, N, diffuse, &rate, 0.2, 2, sum, 1e-10, NULL, alone),
                         GT_OK);
        for (size_t i = 0; i < N; i++) half[i] -= alone[i];
        assert_within(norm(half) / norm(b[1]), 0, 1e-9, "half the sum");
    }
    gt_arena_free(&arena);
}

/* ---- methods on a large fast block ---- */

/* x' = f(x, mean z), with a fast block of m states behind it: either it diffuses and decays,
 *     z_i' = rate (z_(i-1) - 2 z_i + z_(i+1)) - 200 (z_i - s_i sin x)
 * or it swings, a chain of masses (u, v): u_i' = v_i, v_i' = rate (u_(i-1) - 2 u_i + u_(i+1)) -
 * 200^2 (u_i - s_i sin x).
 */
typedef struct chain {
    size_t m; /* fast states */
    bool swings;
    double rate;
    int *colptr, *rowindex;
    double *x0;
} chain;

static size_t cells(const chain *c) { return c->swings ? c->m / 2 : c->m; }
static double shape(const chain *c, size_t i)
{
    return 1 + 0.5 * cos(7 * (double)i / (double)cells(c));
}

static gt_status chain_slow(double t, const double *x, double *dx, void *ctx)
{
    const chain *c = ctx;
    double sum = 0;
    (void)t;
    for (size_t i = 0; i < cells(c); i++) sum += x[1 + i];
    dx[0] = -x[0] + sum / (double)cells(c) * (1 + 0.3 * x[0]);
    return GT_OK;
}

static gt_status chain_fast(double t, const double *x, double *dx, void *ctx)
{
    const chain *c = ctx;
    const double *z = x + 1;
    size_t n = cells(c);
    (void)t;
    for (size_t i = 0; i < n; i++) {
        double pull = c->rate * ((i ? z[i - 1] : 0) - 2 * z[i] + (i + 1 < n ? z[i + 1] : 0));
        double off = z[i] - shape(c, i) * sin(x[0]);
        dx[c->swings ? n + i : i] = pull - (c->swings ? 4e4 : 200) * off;
        if (c->swings) dx[i] = z[n + i];
    }
    return GT_OK;
}

static gt_status chain_rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)!chain_slow(t, x, dx, ctx);
    return chain_fast(t, x, dx + 1, ctx);
}

static gt_status chain_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const chain *c = ctx;
    size_t n = cells(c), down = c->swings ? n : 0;
    double sum = 0, k = c->swings ? 4e4 : 200;
    (void)t;
    for (size_t i = 0; i < n; i++) {
        sum += x[1 + i];
        gt_matrix_add(J, 0, 1 + i, (1 + 0.3 * x[0]) / (double)n);
        gt_matrix_add(J, 1 + down + i, 0, k * shape(c, i) * cos(x[0]));
        gt_matrix_add(J, 1 + down + i, 1 + i, -2 * c->rate - k);
        if (i) gt_matrix_add(J, 1 + down + i, i, c->rate);
        if (i + 1 < n) gt_matrix_add(J, 1 + down + i, 2 + i, c->rate);
        if (c->swings) gt_matrix_add(J, 1 + i, 1 + n + i, 1);
    }
    gt_matrix_add(J, 0, 0, -1 + 0.3 * sum / (double)n);
    return GT_OK;
}

static gt_problem make_chain(chain *c, gt_arena *arena)
{
    size_t n = cells(c), down = c->swings ? n : 0, e = 0;
    c->colptr = gt_arena_take(arena, c->m + 2, sizeof *c->colptr);
    c->rowindex = gt_arena_take(arena, 6 * c->m + 2, sizeof *c->rowindex);
    c->x0 = gt_arena_doubles(arena, c->m + 1);
    c->rowindex[e++] = 0;
    for (size_t i = 0; i < n; i++) c->rowindex[e++] = (int)(1 + down + i);
    for (size_t j = 0; j < c->m; j++) {
        c->colptr[j + 1] = (int)e;
        if (c->swings && j >= n) {
            c->rowindex[e++] = (int)(1 + j - n);
            continue;
        }
        c->rowindex[e++] = 0;
        for (size_t i = j ? j - 1 : 0; i < n && i <= j + 1; i++)
            c->rowindex[e++] = (int)(1 + down + i);
    }
    c->colptr[c->m + 1] = (int)e;
    c->x0[0] = 1;
    for (size_t i = 0; i < n; i++) c->x0[1 + i] = shape(c, i); /* off the manifold by 0.16 */
    return (gt_problem){.n_slow = 1,
                        .n_fast = c->m,
                        .rhs = chain_rhs,
                        .rhs_slow = chain_slow,
                        .rhs_fast = chain_fast,
                        .jac = chain_jac,
                        .jac_pattern = {.storage = GT_CSC,
                                        .colptr = c->colptr,
                                        .rowindex = c->rowindex,
                                        .entries = e},
                        .autonomous = true,
                        .t1 = 0.2,
                        .x0 = c->x0,
                        .ctx = c};
}

static void solve(const gt_problem *p, const char *name, const char *options, double h, double rtol,
                  double *x)
{
    gt_report report;
    gt_plan plan = {.h = h, .rtol = rtol, .atol = rtol, .options = options, .x_end = x};
    if (gt_solve(p, gt_method_find(name), &plan, &report))
        fail_msg("%s: %s", name, report.message.text);
}

static double farthest(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]) / (1 + fabs(b[i])));
    return most;
}

/* 2000 states that decay at 200 to 2600: fixed steps and controlled ones, beside gear. */
static void a_large_block_that_decays(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    chain c = {.m = N, .rate = 600};
    gt_problem p = make_chain(&c, &arena);
    double *x = gt_arena_doubles(&arena, N + 1), *exact = gt_arena_doubles(&arena, N + 1);
    solve(&p, "gear", NULL, 0, 1e-10, exact);
    static const struct {
        const char *method;
        double h, rtol, error;
    } cases[] = {{"exprb32", 0.05, 0, 1e-5},
                 {"exprb32", 0, 1e-4, 1e-5},
                 {"spm2", 0.05, 0, 5e-5},
                 {"spm2", 0, 1e-4, 5e-5}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        solve(&p, cases[k].method, NULL, cases[k].h, cases[k].rtol, x);
        double error = farthest(x, exact, N + 1);
        if (!(error < cases[k].error))
            fail_msg("%s, h %g, rtol %g: error %g", cases[k].method, cases[k].h, cases[k].rtol,
                     error);
    }
    gt_arena_free(&arena);
}

/* 1000 masses that swing at 200 to 374 rad/s, beside dopri5 with small steps. */
static void a_large_block_that_swings(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    chain c = {.m = N, .swings = true, .rate = 25000};
    gt_problem p = make_chain(&c, &arena);
    double *x = gt_arena_doubles(&arena, N + 1), *exact = gt_arena_doubles(&arena, N + 1);
    p.t1 = 0.1;
    solve(&p, "dopri5", NULL, 0, 1e-11, exact);
    static const struct {
        const char *method;
        double h, error;
    } cases[] = {{"exprb32", 0.01, 1e-5}, {"spm2", 0.01, 5e-5}, {"exprb32", 0.005, 1e-6}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        solve(&p, cases[k].method, NULL, cases[k].h, 0, x);
        double error = farthest(x, exact, 1 + N / 2);
        if (!(error < cases[k].error))
            fail_msg("%s, h %g: error %g", cases[k].method, cases[k].h, error);
    }
    gt_arena_free(&arena);
}

/* What Pade and Krylov make of the same block. */
static void both_ways_take_the_same_steps(void **state)
{
    (void)state;
    static const char *const names[] = {"spm", "spm2", "exprb2", "exprb32", "exprb43"};
    for (size_t k = 0; k < 2 * COUNT(names); k++) {
        gt_arena arena = gt_arena_growing();
        chain c = {.m = 60, .swings = k % 2, .rate = 2500};
        gt_problem p = make_chain(&c, &arena);
        double x[61], y[61];
        solve(&p, names[k / 2], "dense=100", 0.02, 0, x);
        solve(&p, names[k / 2], "dense=0", 0.02, 0, y);
        double far = farthest(x, y, 61);
        if (!(far < 1e-10))
            fail_msg("%s, %s: %g apart", names[k / 2], c.swings ? "swinging" : "decaying", far);
        gt_arena_free(&arena);
    }
}

/* 45 masses between walls, stiff springs. */
static const char masses[] =
    "u0=0\nu46=0\nu[1..45]'=v[j]\n"
    "v[1..45]'=1e6*(u[j-1]-2*u[j]+u[j+1])-u[j]-u[j]^3\n"
    "u[1..45](0)=sin([j]*pi/46)+.001*sin(40*[j]*pi/46)\n@ total=.4\ndone\n";
enum { MASS_STATES = 90 };

static void run_masses(const gt_problem *p, const char *method, const char *options, double rtol,
                       double *end)
{
    gt_plan plan = {.rtol = rtol, .options = options, .x_end = end};
    assert_int_equal(gt_solve(p, gt_method_find(method), &plan, NULL), GT_OK);
}

/* J of the same problem as a dense matrix, for which there is one way only. */
typedef struct dense_twin {
    const gt_problem *sparse;
    gt_matrix J;
    size_t columns;
} dense_twin;

static gt_status twin_rhs(double t, const double *x, double *dx, void *ctx)
{
    const gt_problem *p = ((dense_twin *)ctx)->sparse;
    return p->rhs(t, x, dx, p->ctx);
}

static gt_status twin_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    dense_twin *twin = ctx;
    const gt_pattern *pattern = &twin->J.pattern;
    memset(twin->J.values, 0, pattern->entries * sizeof(double));
    gt_status status = twin->sparse->jac(t, x, &twin->J, twin->sparse->ctx);
    for (size_t j = 0; j < twin->J.n; j++)
        for (int k = pattern->colptr[j]; k < pattern->colptr[j + 1]; k++)
            gt_matrix_add(J, (size_t)pattern->rowindex[k], j, twin->J.values[k]);
    return status;
}

/* Positions of size 1 beside speeds of size 1000: errors of the sums were measured against the
 * speeds, and Krylov spaces gave errors 15 to 30 times those of dense functions. */
static void a_krylov_space_is_as_tight_as_dense_functions(void **state)
{
    (void)state;
    double exact[MASS_STATES], x[MASS_STATES], ratio = 0, rtol = 1e-3;
    enum { TOLERANCES = 5 };
    gt_arena arena = gt_arena_growing();
    gt_ode *ode;
    gt_problem p;
    gt_message message;
    assert_int_equal(gt_ode_parse(masses, strlen(masses), "masses.ode", &ode, &message), GT_OK);
    assert_int_equal(gt_model_build(gt_ode_model(ode), "", &p, &arena, &message), GT_OK);
    assert_int_equal(gt_problem_size(&p), MASS_STATES);
    assert_int_equal(p.jac_pattern.storage, GT_CSC);
    dense_twin twin = {.sparse = &p};
    gt_matrix_layout(&twin.J, MASS_STATES, p.jac_pattern, false, &arena);
    gt_problem dense = p;
    dense.rhs = twin_rhs;
    dense.jac = twin_jac;
    dense.jac_pattern = (gt_pattern){.storage = GT_DENSE};
    dense.ctx = &twin;
    dense.rhs_t = NULL;
    run_masses(&p, "dop853", NULL, 1e-12, exact);
    for (int k = 0; k < TOLERANCES; k++, rtol /= 3) {
        double error[2] = {0, 0};
        for (int i = 0; i < 2; i++) {
            run_masses(i ? &dense : &p, "exprb43", NULL, rtol, x);
            for (size_t j = 0; j < MASS_STATES; j++)
                error[i] = fmax(error[i], fabs(x[j] - exact[j]) / (1 + fabs(exact[j])));
        }
        ratio += log(error[0] / error[1]) / TOLERANCES;
    }
    gt_arena_free(&arena);
    gt_ode_free(ode);
    if (!(ratio < log(2))) fail_msg("errors %g times those of dense functions", exp(ratio));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(krylov_on_a_known_spectrum),
        cmocka_unit_test(half_a_sum_on_the_way),
        cmocka_unit_test(a_large_block_that_decays),
        cmocka_unit_test(a_large_block_that_swings),
        cmocka_unit_test(both_ways_take_the_same_steps),
        cmocka_unit_test(a_krylov_space_is_as_tight_as_dense_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
