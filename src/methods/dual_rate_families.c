/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two families of dual-rate pairs with any number s of fast stages, in closed form, for the engine
 * in partitioned_rk.c. beta_k are the coefficients of the wanted fast polynomial R(z) = sum beta_k
 * z^k.
 *
 * prk2s, order 2 for every R with beta_1 = 1, beta_2 = 1/2; slow slopes at stages 1 and s:
 *
 *     a_(i+1,i) = beta_(s-i+1) / beta_(s-i), all other a_ij = 0      a^_i1 = c_i      b = b^ = e_s
 * (explicit midpoint rule, whose middle the fast block reaches in s - 1 small steps from the start)
 *
 * prk3s, order 3 for every R with also beta_3 = 1/6; slow slopes at stages 1, s-1 and s:
 *
 *     a_(s,s-1) = 2/3, a_(s-1,s-2) = 1/3, a_(s-1-j,s-2-j) = beta_(j+3) / beta_(j+2) for j = 1 ..
 * s-3 a^_i1 = c_i for i < s, a^_(s,s-1) = 2/3      b = b^ = (1/4, 0, .., 0, 3/4)      (Heun's
 * third-order rule)
 *
 * Both have c = c^ and b = b^: what moves together stays together, and momentum is kept, to
 * round-off. The orders are those of the trees with two colours: with one nonzero a_ij in a row,
 * equal nodes and these weights all conditions fold to those of the underlying rule. Comparison
 * weights: e_1 (forward Euler, order 1) for prk2s, (0, .., 1/2, 1/2) of order 2 for prk3s.
 *
 * R is the polynomial with the largest stable interval on the imaginary axis (s - 1 for order 2 and
 * odd s, otherwise sqrt(s (s - 2)); exact fractions), or, for a fast block that is damped rather
 * than swinging (axis=real), one that is damped and reaches far on the negative real axis: the
 * shifted Chebyshev polynomial of order 2, up to about 0.65 s^2, or the optimal one of order 3, up
 * to about 0.49 s^2.
 */
#include "exact/known_polynomials.h"
#include "kit/partitioned_rk.h"
#include <geartrain/analysis/design.h>
#include <geartrain/methods.h>

typedef struct chain_options {
    int stages;
    enum { IMAGINARY, REAL } axis;
} chain_options;
static const char *const axes[] = {[IMAGINARY] = "imaginary", [REAL] = "real", NULL};
static const double damping = 2.0 / 13; /* as in the code RKC of Sommeijer, Shampine and Verwer */

#define AXIS                                                                                       \
    {                                                                                              \
        .name = "axis", .help = "where the fast eigenvalues are", .type = GT_CHOICE,               \
        .choices = axes, .initial = IMAGINARY, .field = GT_OPTION_FIELD(chain_options, axis)       \
    }
static const gt_param options_2s[] = {
    {.name = "stages",
     .help = "fast evaluations in a step",
     .type = GT_INTEGER,
     .initial = 5,
     .min = 2,
     .max = 16,
     .field = GT_OPTION_FIELD(chain_options, stages)},
    AXIS,
    {0},
};
static const gt_param options_3s[] = {
    {.name = "stages",
     .help = "fast evaluations in a step",
     .type = GT_INTEGER,
     .initial = 6,
     .min = 3,
     .max = 16,
     .field = GT_OPTION_FIELD(chain_options, stages)},
    AXIS,
    {0},
};

/* beta_(k+1) / beta_k, k = 3 .. s-1, of order 3 on the negative real axis, for s = 4 .. 16, from
 * `design polynomial
 * --degree s --order 3 --axis real --damping 0.05`. */
static const double real_order_3[][GT_MAX_STAGES - 3] = {
    {0.111403643125846},
    {0.14315388323207778, 0.047262930872398065},
    {0.15720042626170985, 0.068483627828426957, 0.024432296612467298},
    {0.16479525268347051, 0.080041491543253879, 0.037803406347960575, 0.014342979296503895},
    {0.16941250369978872, 0.087097377456048078, 0.045989597096633403, 0.023139124706852563,
     0.0091754770003031373},
    {0.17244635264094052, 0.09174571396456517, 0.051392507664360536, 0.028951087490352027,
     0.015242283710870832, 0.006242430917205985},
    {0.17455390124200088, 0.094980488332455343, 0.055157129358678662, 0.033003853542149734,
     0.019474803326200583, 0.010598861294615011, 0.0044480231648055769},
    {0.17608082346950768, 0.097326995666110264, 0.057890450099919451, 0.035948020235469211,
     0.02255063263861045, 0.013765472745964392, 0.0076817309367629106, 0.0032857962945657456},
    {0.17722417255084696, 0.099085644197698955, 0.059940373452780284, 0.038156988211280156,
     0.02485899130562446, 0.016142375958470071, 0.010109291180997201, 0.0057526750468637833,
     0.0024985038509608669},
    {0.17810340953616824, 0.1004389786527163, 0.061518655453984154, 0.039858261760269839,
     0.026637170701892872, 0.017973602317233085, 0.011979719541836187, 0.0076535265210596953,
     0.0044238211517902363, 0.0019455242903857999},
    {0.17879457851884342, 0.10150340427231272, 0.062760499538311004, 0.041197211924346049,
     0.028036869290447426, 0.019415208953626101, 0.013452295605022728, 0.0091501341752613929,
     0.0059397520060335421, 0.0034774123766787707, 0.0015453396638325833},
    {0.17934804892005224, 0.10235612945723994, 0.063755670904796571, 0.042270413170554376,
     0.029158903663117988, 0.020570935410752177, 0.014632919571489517, 0.010350076491410542,
     0.0071552260605597271, 0.0047057111842700302, 0.0027844482286714769, 0.0012483697343334146},
    {0.17979830528938157, 0.10305007038773434, 0.064565740062763291, 0.043144138749991269,
     0.030072479465682839, 0.021512008303487828, 0.015594311809260917, 0.011327233810976183,
     0.0081450572527806461, 0.005706006398971202, 0.0037935625887490516, 0.0022650391781892658,
     0.0010232278696832439},
};

/* quotient[k] = beta_(k+1) / beta_k. */
static void real_quotients(int s, int order, gt_ratio *quotient)
{
    double beta[GT_MAX_STAGES + 1];
    for (int k = 1; k < order; k++) quotient[k] = (gt_ratio){1, k + 1};
    if (order == 2) gt_polynomial_real(s, damping, beta);
    for (int k = order; k < s; k++)
        quotient[k] =
            gt_ratio_near(order == 2 ? beta[k + 1] / beta[k] : real_order_3[s - 4][k - 3]);
}

static void imaginary_quotients(int s, int order, gt_ratio *quotient)
{
    gt_exact beta[GT_MAX_STAGES + 1];
    int limit_squared;
    (void)gt_polynomial_imaginary(s, order, beta, &limit_squared);
    for (int k = 1; k < s; k++)
        (void)gt_exact_to_ratio(gt_exact_divide(beta[k + 1], beta[k]), &quotient[k]);
}

/* Gives the number of stages. */
static int quotients(const gt_method *self, const double *v, int order, gt_ratio *quotient)
{
    chain_options o = {0};
    gt_params_fill(self->options, v, &o);
    (o.axis == REAL ? real_quotients : imaginary_quotients)(o.stages, order, quotient);
    return o.stages;
}

static void chain_2s(const gt_method *self, const double *v, gt_partitioned *P)
{
    gt_ratio quotient[GT_MAX_STAGES];
    int s = quotients(self, v, 2, quotient);
    *P = (gt_partitioned){0};
    P->slow.stages = P->fast.stages = s;
    for (int i = 1; i < s; i++) P->fast.a[i][i - 1] = P->slow.a[i][0] = quotient[s - i];
    P->slow.b[s - 1] = P->fast.b[s - 1] = (gt_ratio){1, 1};
    P->slow.b_hat[0] = P->fast.b_hat[0] = (gt_ratio){1, 1};
    gt_prk_fill_nodes(P);
}

static void chain_3s(const gt_method *self, const double *v, gt_partitioned *P)
{
    gt_ratio quotient[GT_MAX_STAGES];
    int s = quotients(self, v, 3, quotient), last = s - 1;
    *P = (gt_partitioned){0};
    P->slow.stages = P->fast.stages = s;
    for (int i = 1; i < last - 1; i++) P->fast.a[i][i - 1] = P->slow.a[i][0] = quotient[s - i];
    P->fast.a[last - 1][last - 2] = P->slow.a[last - 1][0] = (gt_ratio){1, 3};
    P->fast.a[last][last - 1] = P->slow.a[last][last - 1] = (gt_ratio){2, 3};
    P->slow.b[0] = P->fast.b[0] = (gt_ratio){1, 4};
    P->slow.b[last] = P->fast.b[last] = (gt_ratio){3, 4};
    for (int i = last - 1; i <= last; i++) P->slow.b_hat[i] = P->fast.b_hat[i] = (gt_ratio){1, 2};
    gt_prk_fill_nodes(P);
}

static gt_facts order_2(const gt_method *self, const double *v)
{
    return gt_prk_facts(self, v, 2, 1);
}
static gt_facts order_3(const gt_method *self, const double *v)
{
    return gt_prk_facts(self, v, 3, 2);
}

#define FAMILY(id, s_options, s_facts, pair, text)                                                 \
    const gt_method gt_method_##id = {                                                             \
        .name = #id,                                                                               \
        .family = "dual-rate Runge-Kutta",                                                         \
        .title = text,                                                                             \
        .reference = "Kinnmark, Gray, Math. Comput. Simul. 26 (1984) 87 and 181, for "             \
                     "the fast polynomials",                                                       \
        .options = s_options,                                                                      \
        .facts = s_facts,                                                                          \
        .partitioned_of = pair,                                                                    \
        GT_PRK_ENGINE};
FAMILY(prk2s, options_2s, order_2, chain_2s,
       "2 slow stages and any number of fast ones, order 2, keeps momentum")
FAMILY(prk3s, options_3s, order_3, chain_3s,
       "3 slow stages and any number of fast ones, order 3, keeps momentum")
