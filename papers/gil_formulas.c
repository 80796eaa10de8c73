/* SPDX-License-Identifier: BSD-3-Clause */
/* gil: formulas that are misprinted, each beside what the method does: the steps 1-3 written down
 * from the paper, with its block matrices, and the closed form of a step on the test equation. */
#include "paper_parts.h"
#include <complex.h>
#include <geartrain/author/number.h>
#include <geartrain/author/phi.h>
#include <math.h>
#include <string.h>

enum { SLOW = 6, FAST = 4, ALL = SLOW + FAST, POSITIONS = 8 }; /* of the pendulum */

/* ---- steps 1-3 with the block matrices (34) and (47) ---- */

typedef struct transcript {
    paper_sheet *s;
    gt_problem p;
    bool printed; /* B and C in the places of (47) */
    gt_matrix J, gz;
    gt_lu lu;
    gt_phi of_34, of_47;
    double *x, *z; /* x_n, z_n */
    double sigma[FAST];
} transcript;

/* g_z^-1 g_x v */
static void slope_of_manifold(const transcript *w, const double *v, double *out)
{
    for (size_t i = 0; i < FAST; i++) {
        out[i] = 0;
        for (size_t j = 0; j < SLOW; j++) out[i] += *gt_matrix_at(&w->J, SLOW + i, j) * v[j];
    }
    gt_lu_solve(&w->lu, out);
}

static void times_fz(const transcript *w, const double *v, double *out)
{
    for (size_t i = 0; i < SLOW; i++) {
        out[i] = 0;
        for (size_t j = 0; j < FAST; j++) out[i] += *gt_matrix_at(&w->J, i, SLOW + j) * v[j];
    }
}

/* H(X), and f(X, H(X)) */
static void on_manifold(const transcript *w, const double *X, double *point, double *f)
{
    double moved[SLOW], bent[FAST];
    for (size_t i = 0; i < SLOW; i++) moved[i] = X[i] - w->x[i];
    slope_of_manifold(w, moved, bent);
    memcpy(point, X, SLOW * sizeof *X);
    for (size_t i = 0; i < FAST; i++) point[SLOW + i] = w->z[i] - bent[i] - w->sigma[i];
    (void)!w->p.rhs_slow(0, point, f, w->p.ctx);
}

/* (43) */
static void integral_of_y(transcript *w, double h, const double *gamma, double *out)
{
    enum { N = 2 * FAST + 1 };
    double D[N * N] = {0};
    for (size_t j = 0; j < FAST; j++) {
        D[(FAST + j) * N + j] = 1;
        for (size_t i = 0; i < FAST; i++) D[(FAST + j) * N + FAST + i] = w->gz.values[j * FAST + i];
        D[2 * FAST * N + FAST + j] = gamma[j];
    }
    if (gt_phi_evaluate(&w->of_34, D, h)) return;
    const double *E = w->of_34.value[0];
    for (size_t i = 0; i < FAST; i++) {
        out[i] = -w->sigma[i];
        for (size_t j = 0; j < FAST; j++) out[i] += E[(FAST + j) * N + FAST + i] * w->sigma[j];
    }
    gt_lu_solve(&w->lu, out);
    for (size_t i = 0; i < FAST; i++) out[i] += E[2 * FAST * N + i];
}

/* (45): x^ by RK4; f0 is f(x_n, H(x_n)) */
static void explicit_part(const transcript *w, double h, double *x_hat, double *f0)
{
    static const double to[] = {0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double X[SLOW], k[SLOW], point[ALL];
    memcpy(X, w->x, sizeof X);
    memcpy(x_hat, w->x, sizeof X);
    for (int stage = 0; stage < 4; stage++) {
        on_manifold(w, X, point, k);
        if (stage == 0) memcpy(f0, k, sizeof k);
        for (size_t i = 0; i < SLOW; i++) {
            x_hat[i] += h / 6 * weight[stage] * k[i];
            if (stage < 3) X[i] = w->x[i] + h * to[stage] * k[i];
        }
    }
}

/* (46), (47): phi */
static void fast_part(transcript *w, double h, const double *f0, const double *f1, double *phi)
{
    enum { N = FAST + 2 };
    double D[N * N] = {0}, B[FAST], C[FAST], change[SLOW], column[FAST], force[SLOW];
    for (size_t j = 0; j < FAST; j++) { /* A, and A sigma in B */
        double unit[FAST] = {0};
        unit[j] = 1;
        times_fz(w, unit, force);
        slope_of_manifold(w, force, column);
        for (size_t i = 0; i < FAST; i++) D[j * N + i] = w->gz.values[j * FAST + i] + column[i];
    }
    slope_of_manifold(w, f0, B);
    for (size_t j = 0; j < FAST; j++)
        for (size_t i = 0; i < FAST; i++) B[i] += D[j * N + i] * w->sigma[j];
    for (size_t i = 0; i < SLOW; i++) change[i] = (f1[i] - f0[i]) / h;
    slope_of_manifold(w, change, C);
    for (size_t i = 0; i < FAST; i++) {
        D[FAST * N + i] = w->printed ? B[i] : C[i];
        D[(FAST + 1) * N + i] = w->printed ? C[i] : B[i];
    }
    D[(FAST + 1) * N + FAST] = 1;
    if (gt_phi_evaluate(&w->of_47, D, h)) return;
    memcpy(phi, w->of_47.value[0] + (FAST + 1) * N, FAST * sizeof *phi);
}

static bool transcript_step(transcript *w, double h)
{
    double f[ALL], gamma[FAST], whole[FAST], x_hat[SLOW], force[SLOW], f0[SLOW], f1[SLOW],
        phi[FAST], point[ALL];
    gt_matrix_clear(&w->J);
    if (w->p.jac(0, w->x, &w->J, w->p.ctx) || w->p.rhs(0, w->x, f, w->p.ctx)) return false;
    for (size_t j = 0; j < FAST; j++)
        for (size_t i = 0; i < FAST; i++)
            w->gz.values[j * FAST + i] = *gt_matrix_at(&w->J, SLOW + i, SLOW + j);
    if (gt_lu_factor(&w->lu, &w->gz)) return false;
    memcpy(w->sigma, f + SLOW, sizeof w->sigma);
    gt_lu_solve(&w->lu, w->sigma);
    slope_of_manifold(w, f, gamma);
    integral_of_y(w, h, gamma, whole);
    explicit_part(w, h, x_hat, f0);
    times_fz(w, whole, force);
    for (size_t i = 0; i < SLOW; i++) x_hat[i] += force[i];
    on_manifold(w, x_hat, point, f1);
    fast_part(w, h, f0, f1, phi);
    for (size_t i = 0; i < FAST; i++) w->z[i] = point[SLOW + i] + w->sigma[i] + phi[i];
    memcpy(w->x, x_hat, sizeof x_hat);
    return true;
}

/* State after 5 s in x, and the largest drift of the energy. */
static double run_transcript(paper_sheet *s, bool printed, double *x)
{
    transcript w = {.s = s, .p = paper_problem(s, "pendulum", NULL), .printed = printed};
    double drift = 0, start;
    if (!w.p.rhs || !w.p.jac || w.p.jac_pattern.storage != GT_DENSE) return NAN;
    gt_matrix_layout(&w.J, ALL, w.p.jac_pattern, false, &s->arena);
    gt_matrix_layout(&w.gz, FAST, (gt_pattern){.storage = GT_DENSE}, false, &s->arena);
    gt_lu_layout(&w.lu, &w.gz, &s->arena);
    gt_phi_layout(&w.of_34, 2 * FAST + 1, 1, &s->arena);
    gt_phi_layout(&w.of_47, FAST + 2, 1, &s->arena);
    memcpy(x, w.p.x0, ALL * sizeof *x);
    w.x = x, w.z = x + SLOW;
    start = gt_paper_gil_energy(&w.p, 0, x);
    for (int n = 0; n < 1000; n++) {
        if (!transcript_step(&w, 0.005)) return NAN;
        drift = fmax(drift, fabs(gt_paper_gil_energy(&w.p, 0, x) - start));
    }
    return drift;
}

static void pendulum_steps(paper_sheet *s)
{
    double right[ALL], wrong[ALL], spm[ALL];
    double drift = run_transcript(s, false, right), drift_printed = run_transcript(s, true, wrong),
           far = 0;
    paper_end(s, &(paper_run){.model = "pendulum", .method = "spm", .h = 0.005, .t1 = 5}, spm);
    for (size_t i = 0; i < POSITIONS; i++) far = fmax(far, fabs(spm[i] - right[i]));
    paper_value(s,
                "steps 1-3 with (34) and the corrected (47): drift of the pendulum's energy in 5 s",
                NULL, drift,
                paper_text(s,
                           "written down from the paper apart from `spm`, which is the same to "
                           "%.0e in all positions",
                           far));
    paper_value(s, "the same with (47) as printed: drift of the energy", NULL, drift_printed, NULL);
    paper_erratum_text(
        s, "(47), D", "[A B C; 0 0 1; 0 0 0]", "[A C B; 0 0 1; 0 0 0]: B and C are interchanged",
        far < 1e-9 && drift < 2e-5 && drift_printed > 1,
        paper_text(
            s,
            "the last column of e^(hD) is h phi_1(hA) (last column) + h^2 phi_2(hA) (column before "
            "it), and B is the force, C its change; as printed the energy of the pendulum drifts "
            "by "
            "%.2f in 5 s instead of %.1e",
            drift_printed, drift));
}

/* ---- the closed form of a step on (50) ---- */

typedef struct form {
    bool printed_m12; /* the first term of M12 as (55) and (57) have it */
    bool of_57;       /* M21 and M22 of (57) instead of (56) */
} form;

static void closed_form(form which, double alpha, double beta, double complex xi,
                        double complex M[2][2])
{
    double complex e = cexp(alpha * xi), s = (1 - beta * beta) * xi, rest = alpha * xi - e + 1;
    double b2 = beta * beta, a = alpha + b2, c = beta * (b2 - 1) / a;
    M[0][0] = 1 + s + s * s / 2 + s * s * s / 6 + s * s * s * s / 24 + b2 / alpha * (e - 1) -
              b2 / (alpha * alpha) * rest;
    M[0][1] =
        (which.printed_m12 ? beta : beta / alpha) * (e - 1) - beta * b2 / (alpha * alpha) * rest;
    if (which.of_57) {
        M[1][0] = -beta * M[0][0] + beta * e + beta / alpha * (e - 1);
        M[1][1] = -beta * M[0][1] + e + b2 / alpha * (e - 1);
        return;
    }
    double complex E = cexp(a * xi), late = (E - 1) / (a * xi);
    M[1][0] = -beta * M[0][0] + beta * E + c * (M[0][0] - E) - c * late * (M[0][0] - 1);
    M[1][1] = -beta * M[0][1] + E + c * M[0][1] - c * late * M[0][1];
}

static double spectral_radius(double complex M[2][2])
{
    double complex mean = (M[0][0] + M[1][1]) / 2, half = (M[0][0] - M[1][1]) / 2;
    double complex root = csqrt(half * half + M[0][1] * M[1][0]);
    return fmax(cabs(mean + root), cabs(mean - root));
}

/* Largest difference between a closed form and what the method does, over points of the left half
 * plane. */
static double farthest(paper_sheet *s, form which, const char *options)
{
    static const double alphas[] = {10, 100, 1000}, betas[] = {0.1, 0.3, 0.5};
    double most = 0;
    for (int k = 0; k < 90; k++) {
        double alpha = alphas[k % 3], beta = betas[k / 3 % 3], angle = GT_PI * (0.5 + k / 180.0);
        double complex xi = (0.03 + 0.04 * k) * cexp(I * angle), M[2][2], found[2][2];
        if (!gt_paper_gil_matrix(s, options, alpha, beta, xi, M)) return NAN;
        closed_form(which, alpha, beta, xi, found);
        for (int i = 0; i < 4; i++) most = fmax(most, cabs(M[i / 2][i % 2] - found[i / 2][i % 2]));
    }
    return most;
}

static void test_equation_forms(paper_sheet *s)
{
    double complex M[2][2], printed[2][2];
    static const char *const names[] = {"M11", "M12", "M21", "M22"};
    if (!gt_paper_gil_matrix(s, NULL, 10, 0.5, -1, M)) return;
    for (int i = 0; i < 4; i++)
        paper_value(s, paper_text(s, "%s at alpha = 10, beta = 0.5, xi = -1", names[i]), NULL,
                    creal(M[i / 2][i % 2]), "a step of the method itself");
    paper_value(s, "rho(M) at alpha = 10, beta = 0.5, xi = -1", NULL, spectral_radius(M), NULL);
    closed_form((form){.printed_m12 = true}, 100, 0.3, -0.01, printed);
    double right = farthest(s, (form){0}, NULL),
           wrong = farthest(s, (form){.printed_m12 = true}, NULL);
    paper_erratum_text(
        s, "(55) and (57), first term of M12", "beta (e^(alpha xi) - 1)",
        "(beta/alpha) (e^(alpha xi) - 1)",
        right < 1e-13 && wrong > 0.1 && spectral_radius(printed) > 1,
        paper_text(
            s,
            "with it (55), (56) are the steps 1-3 to round-off, as printed they are off by up to "
            "%.2f, "
            "and rho(M) = %.3f at alpha = 100, beta = 0.3, xi = -0.01, in the middle of the region "
            "of Figure 3",
            wrong, spectral_radius(printed)));
    double other = farthest(s, (form){.of_57 = true}, NULL),
           linear = farthest(s, (form){.of_57 = true}, "y=linear");
    paper_erratum_text(s, "(57), M21 and M22", "those of another method", "those of (56)",
                       linear < 1e-13 && other > 1e-3,
                       paper_text(s,
                                  "they are what y(h) from (32) gives instead of steps (39)-(46), "
                                  "to round-off (`spm --opt "
                                  "y=linear`); from steps 1-3 they differ by up to %.3f",
                                  other));
}

/* e^(hD) of a small block matrix, by columns. */
static const double *exponential(paper_sheet *s, size_t n, const double *D, double h)
{
    gt_phi phi;
    gt_phi_layout(&phi, n, 1, &s->arena);
    return gt_phi_evaluate(&phi, D, h) ? NULL : phi.value[0];
}

static void block_matrices(paper_sheet *s)
{
    const double gz = -3, gamma = 2, h = 0.5, e = exp(gz * h), C = 0.7, B = 0.4;
    const double D34[] = {0, 0, 0, 1, gz, 0, 0, gamma, 0}, D47[] = {gz, 0, 0, C, 0, 0, B, 1, 0};
    const double *E34 = exponential(s, 3, D34, h), *E47 = exponential(s, 3, D47, h);
    if (!E34 || !E47) return;
    paper_erratum_text(
        s, "(36), G1", "t I", "the integral of e^(g_z s) over 0 .. t",
        fabs(E34[3] - (e - 1) / gz) < 1e-14,
        paper_text(s, "for g_z = -3, t = 0.5 the entry of e^(Dt) is %.6f, not 0.5", E34[3]));
    paper_erratum_text(
        s, "(47), entry (1,2) of e^(hD)", "the integral of e^(A(t-s)) over 0 .. h",
        "the integral of e^(A(h-s)) times the column of D above it",
        fabs(E47[3] - C * (e - 1) / gz) < 1e-14,
        paper_text(s, "a vector and no matrix; for A = -3, h = 0.5 and a column 0.7 it is %.6f",
                   E47[3]));
}

/* (16): the slow eigenvalue as eps goes to 0. */
static void slow_eigenvalue(paper_sheet *s)
{
    double fx = -1, fz = 0.5, gx = 0.3, gz = -1, eps = 1e-6, limit = fx - fz * gx / gz, values[4];
    double a[] = {fx, gx / eps, fz, gz / eps};
    if (gt_eigen(2, a, values, NULL, NULL)) return;
    double slow = fabs(values[0]) < fabs(values[2]) ? values[0] : values[2];
    paper_erratum_text(s, "after (16)", "one eigenvalue approaches zero",
                       "it approaches f_x - f_z g_x / g_z", fabs(slow - limit) < 1e-5,
                       paper_text(s,
                                  "for f_x = -1, f_z = 0.5, g_x = 0.3, g_z = -1 and eps = 1e-6 it "
                                  "is %.6f, the limit %.6f",
                                  slow, limit));
}

void gt_paper_gil_formulas(paper_sheet *s)
{
    paper_erratum_text(s, "(15)", "H_1 = g_z^-1 h_x f + O(eps^2)", "H_1 = g_z^-1 h_x f", true,
                       "H_1 is a coefficient of the series (9) in eps and does not depend on it");
    slow_eigenvalue(s);
    paper_erratum_text(s, "(29)", "x^' = f(x, H(x))", "x^' = f(x^, H(x^))", true,
                       "step 2, (45), has the stages of x^ on both sides");
    paper_erratum_text(s, "(38), first line", "g_z y - z'", "g_z y - zbar'", true,
                       "(23); it is zbar' that the next line replaces by H_x x'");
    paper_erratum_text(s, "(45), H(x)", "y_n, g_y", "z_n, g_z", true, "(22); there is no g_y");
    block_matrices(s);
    pendulum_steps(s);
    test_equation_forms(s);
}
