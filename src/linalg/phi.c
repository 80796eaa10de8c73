/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phi_0 .. phi_p of a dense matrix by scaling and modified squaring (Skaflestad, Wright, Appl.
 * Numer. Math. 59 (2009) 783): A is halved s times until the Pade approximant of degree 8 of phi_p
 * is good to round-off; the others follow from
 *
 *     phi_(k-1)(A) = I/(k-1)! + A phi_k(A)
 *     phi_k(2 A) = 2^-k ( phi_0(A) phi_k(A) + sum_(j=1..k) phi_j(A) / (k-j)! )
 *
 * none of which divides by A, so that a singular A is as good as any. Halving more often than
 * needed costs digits, and the norm alone asks for too much of it when A is far from normal ([0 1;
 * -w^2 0] has the norm w^2 and the eigenvalues
 * +-i w). So A is balanced first, by powers of two, which is exact; and s is found from the roots
 * of the norms of A^4, A^6, A^8 (Al-Mohy, Higham, SIAM J. Matrix Anal. Appl. 31 (2009) 970), which
 * the approximant needs anyhow.
 */
#include "linalg/balance.h"
#include "linalg/dense.h"
#include "linalg/lu_internal.h"
#include <assert.h>
#include <geartrain/author/phi.h>
#include <math.h>
#include <string.h>

static const double factorial[] = {1, 1, 2, 6, 24};

typedef struct pade {
    double above[GT_PHI_DEGREE + 1], below[GT_PHI_DEGREE + 1]; /* ascending powers */
    double reach; /* |A| up to which it is good to 1e-16 */
} pade;

/* Of phi_1 .. phi_4. */
static const pade approximant[GT_PHI_HIGHEST] = {
    {{1, 0.029411764705882353, 0.034313725490196081, 0.00098039215686274508, 0.00024509803921568627,
      6.2845651080945196e-06, 4.4889750772103713e-07, 8.1617728676552207e-09,
      1.133579564952114e-10},
     {1, -0.47058823529411764, 0.10294117647058823, -0.013725490196078431, 0.0012254901960784314,
      -7.5414781297134241e-05, 3.1422825540472598e-06, -8.1617728676552204e-08,
      1.0202216084569026e-09},
     1.6},
    {{0.5, -0.055555555555555552, 0.013344226579520698, -0.00065359477124183002,
      6.8082788671023972e-05, -1.2968150223052185e-06, 7.4816251286839525e-08, 0,
      6.2976642497339662e-12},
     {1, -0.44444444444444442, 0.091503267973856203, -0.011437908496732025, 0.00095315904139433552,
      -5.4466230936819171e-05, 2.0948550360315067e-06, -4.9877500857893013e-08,
      5.6678978247605703e-10},
     1.9},
    {{0.16666666666666666, -0.02850877192982456, 0.0044346978557504874, -0.00031389748882008943,
      1.9964126001277704e-05, -6.3134415559596155e-07, 1.7063355556647609e-08,
      -1.3125658120498162e-10, 3.3145601314389296e-13},
     {1, -0.42105263157894735, 0.081871345029239762, -0.0096319229446164435, 0.00075249398004815962,
      -4.0133012269235178e-05, 1.4333218667583992e-06, -3.1501579489195588e-08,
      3.2814145301245403e-10},
     2.2},
    {{0.041666666666666664, -0.0083333333333333332, 0.0011257309941520468, -8.4238373712057924e-05,
      4.6327010336298261e-06, -1.535702000098285e-07, 3.4126711113295222e-09,
      -3.1024282830268384e-11, 1.6572800657194649e-14},
     {1, -0.40000000000000002, 0.073684210526315783, -0.0081871345029239772, 0.00060199518403852772,
      -3.0099759201926384e-05, 1.0033253067308794e-06, -2.0476026667977133e-08,
      1.9688487180747244e-10},
     2.4},
};

void gt_phi_layout(gt_phi *phi, size_t n, int highest, gt_arena *arena)
{
    assert(phi && arena);
    assert(highest >= 1 && highest <= GT_PHI_HIGHEST);
    *phi = (gt_phi){.n = n, .highest = highest};
    for (int k = 0; k <= highest; k++) phi->value[k] = gt_arena_doubles(arena, n * n);
    phi->A = gt_arena_doubles(arena, n * n);
    if (n == 1) return;
    for (int k = 0; k < GT_PHI_WORK; k++) phi->work[k] = gt_arena_doubles(arena, n * n);
    phi->scale = gt_arena_doubles(arena, n);
    gt_matrix_layout(&phi->below, n, (gt_pattern){.storage = GT_DENSE}, false, arena);
    gt_lu_layout(&phi->lu, &phi->below, arena);
}

void gt_phi_keep_half(gt_phi *phi, gt_arena *arena)
{
    assert(phi && arena);
    assert(phi->highest >= 2);
    for (int k = 1; k <= 2; k++) phi->half[k] = gt_arena_doubles(arena, phi->n * phi->n);
}

/* Of the values as they are; d is the balance that they are in. */
static void keep_half(const gt_phi *phi, const double *d)
{
    size_t n = phi->n;
    for (int k = 1; k <= 2; k++)
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++)
                phi->half[k][j * n + i] = phi->value[k][j * n + i] * (d ? d[i] / d[j] : 1);
}

/* One number: the series of the highest and down from it, or up from e^z where nothing cancels. */
static void scalar(double z, int highest, double *const *value)
{
    if (fabs(z) < 1.5) {
        double term = 1 / factorial[highest], sum = term;
        for (int j = 1; j < 40 && fabs(term) > 1e-18 * fabs(sum); j++)
            sum += term *= z / (j + highest);
        value[highest][0] = sum;
        for (int k = highest; k > 0; k--) value[k - 1][0] = 1 / factorial[k - 1] + z * value[k][0];
    } else {
        value[0][0] = exp(z);
        for (int k = 0; k < highest; k++)
            value[k + 1][0] = (k == 0 ? expm1(z) : value[k][0] - 1 / factorial[k]) / z;
    }
}

/* How often A is to be halved, from A^2, A^4, A^6, A^8. */
static int halvings(const gt_phi *phi, double *const *power)
{
    size_t n = phi->n;
    double d4 = sqrt(sqrt(gt_dense_norm(n, power[2]))), d6 = cbrt(sqrt(gt_dense_norm(n, power[3]))),
           d8 = pow(gt_dense_norm(n, power[4]), 0.125);
    double size = fmin(fmax(d4, d6), fmax(d6, d8));
    if (!isfinite(size)) size = gt_dense_norm(n, power[0]); /* the powers overflow */
    if (size <= approximant[phi->highest - 1].reach) return 0;
    int s;
    frexp(size / approximant[phi->highest - 1].reach, &s);
    return s;
}

/* c[0] I + c[2] A^2 + .. and A (c[1] I + c[3] A^2 + ..); `out` gets their sum, `spare` is used up.
 */
static void polynomial(size_t n, const double *c, double *const *power, double *out, double *spare)
{
    const double *a2 = power[1], *a4 = power[2], *a6 = power[3], *a8 = power[4];
    for (size_t i = 0; i < n * n; i++) spare[i] = c[3] * a2[i] + c[5] * a4[i] + c[7] * a6[i];
    for (size_t i = 0; i < n; i++) spare[i * n + i] += c[1];
    gt_dense_product(n, power[0], spare, out);
    for (size_t i = 0; i < n * n; i++)
        out[i] += c[2] * a2[i] + c[4] * a4[i] + c[6] * a6[i] + c[8] * a8[i];
    for (size_t i = 0; i < n; i++) out[i * n + i] += c[0];
}

/* phi_highest by Pade and the others down from it. */
static gt_status approximate(gt_phi *phi, double *const *power)
{
    size_t n = phi->n;
    const pade *p = &approximant[phi->highest - 1];
    double *top = phi->value[phi->highest];
    polynomial(n, p->above, power, top, phi->work[5]);
    polynomial(n, p->below, power, phi->below.values, phi->work[5]);
    gt_status status = gt_lu_factor(&phi->lu, &phi->below);
    if (status)
        return GT_TRY_NOT_FINITE; /* within reach of the approximant it is far from singular */
    for (size_t j = 0; j < n; j++) gt_lu_solve(&phi->lu, top + j * n);
    for (int k = phi->highest; k > 0; k--) {
        gt_dense_product(n, power[0], phi->value[k], phi->value[k - 1]);
        for (size_t i = 0; i < n; i++) phi->value[k - 1][i * n + i] += 1 / factorial[k - 1];
    }
    return GT_OK;
}

static void double_argument(gt_phi *phi)
{
    size_t n = phi->n, entries = n * n;
    for (int k = phi->highest; k >= 0; k--) {
        double *old = phi->value[k], *made = phi->work[0];
        gt_dense_product(n, phi->value[0], old, made);
        if (k > 0) {
            for (int j = 1; j <= k; j++) {
                const double *other = phi->value[j];
                double share = 1 / factorial[k - j];
                for (size_t i = 0; i < entries; i++) made[i] += share * other[i];
            }
            double half = ldexp(1, -k);
            for (size_t i = 0; i < entries; i++) made[i] *= half;
        }
        phi->value[k] = made;
        phi->work[0] = old;
    }
}

static gt_status matrix(gt_phi *phi)
{
    size_t n = phi->n, entries = n * n;
    double **power = phi->work; /* A, A^2, A^4, A^6, A^8 */
    for (size_t i = 0; i < entries; i++) power[0][i] = phi->h * phi->A[i];
    if (!gt_all_finite(power[0], entries)) return GT_TRY_NOT_FINITE;
    gt_balance(n, power[0], phi->scale);
    gt_dense_product(n, power[0], power[0], power[1]);
    gt_dense_product(n, power[1], power[1], power[2]);
    gt_dense_product(n, power[1], power[2], power[3]);
    gt_dense_product(n, power[2], power[2], power[4]);
    int s = halvings(phi, power);
    if (s == 0 && phi->half[1]) s = 1;
    if (s > 0 &&
        !gt_all_finite(power[4], entries)) { /* again, with numbers that can be multiplied */
        double factor = ldexp(1, -s);
        for (size_t i = 0; i < entries; i++) power[0][i] *= factor;
        gt_dense_product(n, power[0], power[0], power[1]);
        gt_dense_product(n, power[1], power[1], power[2]);
        gt_dense_product(n, power[1], power[2], power[3]);
        gt_dense_product(n, power[2], power[2], power[4]);
    } else if (s > 0) {
        for (int k = 0; k < 5; k++) {
            double factor = ldexp(1, -s * (k == 0 ? 1 : 2 * k));
            for (size_t i = 0; i < entries; i++) power[k][i] *= factor;
        }
    }
    gt_status status = approximate(phi, power);
    for (int k = 0; k < s && !status; k++) {
        if (k == s - 1 && phi->half[1]) keep_half(phi, phi->scale);
        double_argument(phi);
    }
    for (int k = 0; k <= phi->highest && !status; k++)
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++)
                phi->value[k][j * n + i] *= phi->scale[i] / phi->scale[j];
    return status;
}

gt_status gt_phi_evaluate(gt_phi *phi, const double *A, double h)
{
    assert(phi && A);
    size_t bytes = phi->n * phi->n * sizeof *A;
    if (phi->known && phi->h == h && memcmp(phi->A, A, bytes) == 0) return GT_OK;
    memcpy(phi->A, A, bytes);
    phi->h = h;
    phi->known = false;
    gt_status status = GT_OK;
    if (phi->n == 1 && isfinite(h * A[0])) {
        if (phi->half[1]) scalar(h / 2 * A[0], phi->highest, phi->value);
        if (phi->half[1]) keep_half(phi, NULL);
        scalar(h * A[0], phi->highest, phi->value);
    } else
        status = phi->n == 1 ? GT_TRY_NOT_FINITE : matrix(phi);
    phi->known = !status;
    return status;
}
