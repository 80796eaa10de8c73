/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Explicit Runge-Kutta method of order 8 in twelve stages, after Dormand and Prince, with the two
 * error estimates and the dense output of order 7 of Hairer, Norsett, Wanner, Solving Ordinary
 * Differential Equations I (1993), II.5, II.6.
 *
 *     k_i = f(t + c_i h, x + h sum_(j<i) a_ij k_j)      x_new = x + h sum_i b_i k_i
 *
 * One estimate compares with weights of order 5, one with weights of order 3. Neither is as small
 * as the error of order 8 is; together, II.10 (10.17),
 *
 *     E = |e5| |e5| / sqrt(|e5|^2 + |e3|^2 / 100)      of size h^6 h^6 / h^4 = h^8
 *
 * in the norm of the controller, to which e5 is scaled. Where e3 is tiny E is e5, which is on the
 * safe side.
 *
 * Dense output: the cubic Hermite polynomial plus theta^2 (1-theta)^2 h sum_j D_j(theta) k_j with
 *     D_j = d_0j + theta (d_1j + (1-theta) (d_2j + theta d_3j))
 * over the stages, the slope at the end and three more slopes inside the step, which are evaluated
 * when they are asked for and then take the place of stages 2 to 4, which have no weight.
 *
 * Algebraic equations of index 1 are solved at every stage, as in explicit_rk.c, and so for the
 * slopes of dense output.
 *
 * As in explicit_rk.c a step is compiled for each small n: on two equations one loop for all n
 * takes 1.16 (controlled) to 1.21 times (fixed step) the instructions; the price is 150 kB of code.
 */
#include "kit/dop853.h"
#include "implicit/index.h"
#include "kit/dominant.h"
#include "kit/kept_steps.h"
#include "problem/norm.h"
#include <geartrain/methods.h>
#include <string.h>

enum { STAGES = GT_853_STAGES, END = STAGES, MORE = GT_853_MORE, ALL = GT_853_ALL };

/* clang-format off */
const gt_853_numbers gt_853 = {
    .c = {0, 0.526001519587677318785587544488e-1, 0.789002279381515978178381316732e-1,
          0.118350341907227396726757197510, 0.281649658092772603273242802490, 1.0 / 3, 0.25,
          4.0 / 13, 0.651282051282051282051282051282, 0.6, 6.0 / 7, 1},
    .a = {{0},
          {5.26001519587677318785587544488e-2},
          {1.97250569845378994544595329183e-2, 5.91751709536136983633785987549e-2},
          {2.95875854768068491816892993775e-2, 0, 8.87627564304205475450678981324e-2},
          {2.41365134159266685502369798665e-1, 0, -8.84549479328286085344864962717e-1,
           9.24834003261792003115737966543e-1},
          {3.7037037037037037037037037037e-2, 0, 0, 1.70828608729473871279604482173e-1,
           1.25467687566822425016691814123e-1},
          {3.7109375e-2, 0, 0, 1.70252211019544039314978060272e-1,
           6.02165389804559606850219397283e-2, -1.7578125e-2},
          {3.70920001185047927108779319836e-2, 0, 0, 1.70383925712239993810214054705e-1,
           1.07262030446373284651809199168e-1, -1.53194377486244017527936158236e-2,
           8.27378916381402288758473766002e-3},
          {6.24110958716075717114429577812e-1, 0, 0, -3.36089262944694129406857109825,
           -8.68219346841726006818189891453e-1, 27.5920996994467083049415600797,
           20.1540675504778934086186788979, -43.4898841810699588477366255144},
          {4.77662536438264365890433908527e-1, 0, 0, -2.48811461997166764192642586468,
           -5.90290826836842996371446475743e-1, 21.2300514481811942347288949897,
           15.2792336328824235832596922938, -33.2882109689848629194453265587,
           -2.03312017085086261358222928593e-2},
          {-9.3714243008598732571704021658e-1, 0, 0, 5.18637242884406370830023853209,
           1.09143734899672957818500254654, -8.14978701074692612513997267357,
           -18.5200656599969598641566180701, 22.7394870993505042818970056734,
           2.49360555267965238987089396762, -3.0467644718982195003823669022},
          {2.27331014751653820792359768449, 0, 0, -10.5344954667372501984066689879,
           -2.00087205822486249909675718444, -17.9589318631187989172765950534,
           27.9488845294199600508499808837, -2.85899827713502369474065508674,
           -8.87285693353062954433549289258, 12.3605671757943030647266201528,
           6.43392746015763530355970484046e-1}},
    .b = {5.42937341165687622380535766363e-2, 0, 0, 0, 0, 4.45031289275240888144113950566,
          1.89151789931450038304281599044, -5.8012039600105847814672114227,
          3.1116436695781989440891606237e-1, -1.52160949662516078556178806805e-1,
          2.01365400804030348374776537501e-1, 4.47106157277725905176885569043e-2},
    .e5 = {0.1312004499419488073250102996e-1, 0, 0, 0, 0, -1.225156446376204440720569753,
           -0.4957589496572501915214079952, 1.664377182454986536961530415,
           -0.3503288487499736816886487290, 0.3341791187130174790297318841,
           0.8192320648511571246570742613e-1, -0.2235530786388629525884427845e-1},
    .b3 = {0.244094488188976377952755905512, 0, 0, 0, 0, 0, 0, 0, 0.733846688281611857341361741547,
           0, 0, 0.220588235294117647058823529412e-1},
    .c_more = {0.1, 0.2, 7.0 / 9},
    .a_more = {{5.61675022830479523392909219681e-2, 0, 0, 0, 0, 0,
                2.53500210216624811088794765333e-1, -2.46239037470802489917441475441e-1,
                -1.24191423263816360469010140626e-1, 1.5329179827876569731206322685e-1,
                8.20105229563468988491666602057e-3, 7.56789766054569976138603589584e-3, -8.298e-3},
               {3.18346481635021405060768473261e-2, 0, 0, 0, 0, 2.83009096723667755288322961402e-2,
                5.35419883074385676223797384372e-2, -5.49237485713909884646569340306e-2, 0, 0,
                -1.08347328697249322858509316994e-4, 3.82571090835658412954920192323e-4,
                -3.40465008687404560802977114492e-4, 1.41312443674632500278074618366e-1},
               {-4.28896301583791923408573538692e-1, 0, 0, 0, 0, -4.69762141536116384314449447206,
                7.68342119606259904184240953878, 4.06898981839711007970213554331,
                3.56727187455281109270669543021e-1, 0, 0, 0, -1.39902416515901462129418009734e-3,
                2.9475147891527723389556272149, -9.15095847217987001081870187138}},
    .d = {{-8.4289382761090128651353491142, 0, 0, 0, 0, 0.56671495351937776962531783590,
           -3.0689499459498916912797304727, 2.3846676565120698287728149680,
           2.1170345824450282767155149946, -0.87139158377797299206789907490,
           2.2404374302607882758541771650, 0.63157877876946881815570249290,
           -0.88990336451333310820698117400e-1, 18.148505520854727256656404962,
           -9.1946323924783554000451984436, -4.4360363875948939664310572000},
          {10.427508642579134603413151009, 0, 0, 0, 0, 242.28349177525818288430175319,
           165.20045171727028198505394887, -374.54675472269020279518312152,
           -22.113666853125306036270938578, 7.7334326684722638389603898808,
           -30.674084731089398182061213626, -9.3321305264302278729567221706,
           15.697238121770843886131091075, -31.139403219565177677282850411,
           -9.3529243588444783865713862664, 35.816841486394083752465898540},
          {19.985053242002433820987653617, 0, 0, 0, 0, -387.03730874935176555105901742,
           -189.17813819516756882830838328, 527.80815920542364900561016686,
           -11.573902539959630126141871134, 6.8812326946963000169666922661,
           -1.0006050966910838403183860980, 0.77771377980534432092869265740,
           -2.7782057523535084065932004339, -60.196695231264120758267380846,
           84.320405506677161018159903784, 11.992291136182789328035130030},
          {-25.693933462703749003312586129, 0, 0, 0, 0, -154.18974869023643374053993627,
           -231.52937917604549567536039109, 357.63911791061412378285349910,
           93.405324183624310003907691704, -37.458323136451633156875139351,
           104.09964950896230045147246184, 29.840293426660503123344363579,
           -43.533456590011143754432175058, 96.324553959188282948394950600,
           -39.177261675615439165231486172, -149.72683625798562581422125276}}};
/* clang-format on */

/* The second estimate for kinks (core/kinks.h): weights that meet the conditions up to order 5 as
 * those of e5 do. Of the plane that these leave beside e5, the ones for which the error of a step
 * with a kink of f(t), wherever in the step it lies, is least above the larger of the two
 * estimates: 5.1 times. */
static const double kink_weight[STAGES] = {-0.03443476765076717,
                                           0,
                                           0,
                                           0,
                                           0,
                                           0.4263071767770453,
                                           1.0008893769731213,
                                           -1.704,
                                           -2.163,
                                           2.22,
                                           0.3187252682049043,
                                           -0.0644870543043034};

typedef struct state_853 {
    double *k[STAGES]; /* the first is s->f */
    bool has_more;     /* stages 2 to 4 hold the three slopes of dense output */
} state_853;

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)self;
    (void)v;
    return (gt_facts){.order = 8,
                      .error_order = 7,
                      .flags = GT_TREATS_RANKS | GT_TREATS_ALGEBRAIC,
                      .evaluations = STAGES,
                      .dense_evaluations = MORE};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    state_853 *w = s->state;
    w->k[0] = s->f;
    for (int i = 1; i < STAGES; i++) w->k[i] = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

/* y = x + h sum_j weight_j k_j over the first `terms` stages, with the weights and a small n known
 * to the compiler. */
GT_INLINE void combine(double *const *k, const double *weight, int terms, double h, const double *x,
                       double *y, size_t n)
{
    double hw[STAGES];
    const double *slope[STAGES];
    GT_UNROLL
    for (int j = 0; j < terms; j++) {
        hw[j] = h * weight[j];
        slope[j] = k[j];
    }
    GT_INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        double sum = x[i];
        GT_UNROLL
        for (int j = 0; j < terms; j++)
            if (weight[j] != 0) sum += hw[j] * slope[j][i];
        y[i] = sum;
    }
}

/* The stages, whose points are built in x_new, and the new point, which may take the place of x. */
GT_INLINE gt_status advance(gt_stepper *s, double h, const double *x, double *x_new, double *end,
                            size_t n)
{
    state_853 *w = s->state;
    gt_rhs_fn *f = s->problem->rhs;
    void *ctx = s->problem->ctx;
    double t = s->t, cap = s->t_cap;
    gt_status status = gt_slope(s);
    if (status) return status;
    w->k[0] = s->f;
    w->has_more = false;
    GT_UNROLL
    for (int i = 1; i < STAGES; i++) {
        double t_i = t + gt_853.c[i] * h;
        combine(w->k, gt_853.a[i], i, h, x, x_new, n);
        status = f(t_i < cap ? t_i : cap, x_new, w->k[i], ctx);
        if (status) {
            s->stats.rhs += i;
            return status;
        }
    }
    s->stats.rhs += STAGES - 1;
    combine(w->k, gt_853.b, STAGES, h, x, end, n);
    return GT_OK;
}

/* e5 scaled to the size of both estimates together. */
GT_INLINE void estimate(gt_stepper *s, double h, const double *x, const double *x_new, double *err,
                        size_t n)
{
    const state_853 *w = s->state;
    double sum5 = 0, sum3 = 0, sum_kink = 0;
    for (size_t i = 0; i < n; i++) {
        double e5 = 0, e3 = 0, e_kink = 0;
        GT_UNROLL
        for (int j = 0; j < STAGES; j++) {
            if (gt_853.e5[j] != 0) e5 += gt_853.e5[j] * w->k[j][i];
            if (kink_weight[j] != 0) e_kink += kink_weight[j] * w->k[j][i];
            if (gt_853.b[j] != 0) e3 += (gt_853.b[j] - gt_853.b3[j]) * w->k[j][i];
        }
        double a = fabs(x[i]), b = fabs(x_new[i]), weight = gt_weight(s, i, a > b ? a : b);
        err[i] = h * e5;
        sum5 += (e5 / weight) * (e5 / weight);
        sum3 += (e3 / weight) * (e3 / weight);
        sum_kink += (e_kink / weight) * (e_kink / weight);
    }
    double all[4] = {sum5, sum3, sum_kink, (double)n};
    if (s->problem->ranks) {
        gt_over_ranks(s->problem, all, 4, 0);
        sum5 = all[0], sum3 = all[1], sum_kink = all[2];
    }
    double strict = s->strictness * s->strictness;
    s->kink = h * h * strict * (sum_kink > sum5 ? sum_kink : sum5) / all[3];
    s->kink_order = 6;
    double both = sum5 + sum3 / 100, scale = both > 0 && isfinite(both) ? sqrt(sum5 / both) : 1;
    for (size_t i = 0; i < n; i++) err[i] *= scale;
}

GT_INLINE gt_status step_n(gt_stepper *s, double h, const double *x, double *x_new, double *err,
                           size_t n)
{
    gt_status status = advance(s, h, x, x_new, x_new, n);
    if (!status && err) estimate(s, h, x, x_new, err, n);
    return status;
}

static void add_stages(const state_853 *w, const double *weight, int terms, double h,
                       const double *x, double *y, size_t n)
{
    memcpy(y, x, n * sizeof *x);
    for (int j = 0; j < terms; j++)
        for (size_t i = 0; i < n && weight[j] != 0; i++) y[i] += h * weight[j] * w->k[j][i];
}

/* With algebraic equations, in one form for all n. */
static gt_status step_closed(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    state_853 *w = s->state;
    size_t n_diff = s->n - s->problem->n_alg;
    gt_status status = gt_slope(s);
    if (!status) status = gt_closing_begin(s);
    w->k[0] = s->f;
    w->has_more = false;
    memcpy(x_new + n_diff, x + n_diff, s->problem->n_alg * sizeof *x);
    for (int i = 1; i < STAGES && !status; i++) {
        double t_i = s->t + gt_853.c[i] * h;
        add_stages(w, gt_853.a[i], i, h, x, x_new, n_diff);
        status = gt_closing_stage(s, t_i, x_new);
        if (!status) status = gt_rhs(s, t_i, x_new, w->k[i]);
    }
    if (status) return status;
    add_stages(w, gt_853.b, STAGES, h, x, x_new, n_diff);
    status = gt_closing_stage(s, s->t + h, x_new);
    if (status || !err) return status;
    estimate(s, h, x, x_new, err, n_diff);
    memset(err + n_diff, 0, s->problem->n_alg * sizeof *err);
    return GT_OK;
}

GT_INLINE gt_status trial(gt_stepper *s, const void *numbers, double h, size_t n)
{
    (void)numbers;
    return step_n(s, h, s->x, s->x_new, s->err, n);
}

GT_INLINE gt_status run_n(gt_stepper *s, double grid, double h, size_t first, size_t count,
                          size_t n)
{
    for (size_t step = first; step < first + count; step++) {
        gt_status status = advance(s, h, s->x, s->x_new, s->x, n);
        if (status) {
            s->stats.steps += (long)(step - first);
            return status;
        }
        s->f_known = false;
        s->t = grid + (double)(step + 1) * h;
    }
    s->stats.steps += (long)count;
    return GT_OK;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    if (s->problem->n_alg) return step_closed(s, h, x, x_new, err);
    GT_FOR_SMALL_N(step_n, s, h, x, x_new, err)
}

static gt_status run_fixed(gt_stepper *s, double grid, double h, size_t first, size_t count)
{
    GT_FOR_SMALL_N(run_n, s, grid, h, first, count)
}

static gt_status run_kept(gt_stepper *s, gt_pace *pace)
{
    GT_FOR_SMALL_N(gt_kept_steps, s, trial, NULL, &gt_853, false, pace)
}

/* Of the end and the last stage, which is at the same time. The slope at the end is the first of
 * the next step. */
static bool mode(gt_stepper *s, gt_dominant *out)
{
    const state_853 *w = s->state;
    if (w->has_more || gt_slopes(s)) return false;
    double weight[STAGES];
    const double *k[STAGES];
    for (int j = 0; j < STAGES; j++) {
        weight[j] = gt_853.b[j] - (j < STAGES - 1 ? gt_853.a[STAGES - 1][j] : 0);
        k[j] = w->k[j];
    }
    return gt_dominant_mode(s, STAGES, weight, k, s->f_new, w->k[STAGES - 1], out);
}

/* The slopes by which dense output is weighed: stages, slope at the end, the three more. */
static void all_slopes(const gt_stepper *s, const double *k[ALL])
{
    const state_853 *w = s->state;
    for (int j = 0; j < STAGES; j++) k[j] = w->k[j];
    k[END] = s->f_new;
    for (int j = 0; j < MORE; j++) k[END + 1 + j] = w->k[1 + j];
}

static void add_slopes(const double *const k[ALL], const double weight[ALL], double h, double *y,
                       size_t n)
{
    for (int j = 0; j < ALL; j++) {
        double hw = h * weight[j];
        for (size_t i = 0; i < n && hw != 0; i++) y[i] += hw * k[j][i];
    }
}

/* x is scratch until it gets its value. */
static gt_status evaluate_more(gt_stepper *s, double h, double *x)
{
    state_853 *w = s->state;
    const double *k[ALL];
    all_slopes(s, k);
    for (int m = 0; m < MORE && !w->has_more; m++) {
        memcpy(x, s->x, s->n * sizeof *x);
        add_slopes(k, gt_853.a_more[m], h, x, s->n);
        double t_m = s->t + gt_853.c_more[m] * h;
        gt_status status = gt_closing_stage(s, t_m, x);
        if (!status) status = gt_rhs(s, t_m, x, w->k[1 + m]);
        if (status) return status;
    }
    w->has_more = true;
    return GT_OK;
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    gt_status status = gt_slopes(s);
    if (!status) status = evaluate_more(s, h, x);
    if (status) return status;
    const double *k[ALL];
    double weight[ALL], u = 1 - theta, bubble = theta * theta * u * u;
    all_slopes(s, k);
    for (int j = 0; j < ALL; j++)
        weight[j] =
            bubble * (gt_853.d[0][j] +
                      theta * (gt_853.d[1][j] + u * (gt_853.d[2][j] + theta * gt_853.d[3][j])));
    gt_hermite(s, h, theta, x);
    add_slopes(k, weight, h, x, s->n);
    /* The error estimate has not seen the slopes that are used here only. */
    return gt_finite_over_ranks(s->problem, x, s->n) ? GT_OK : GT_TRY_NOT_FINITE;
}

/* What lies between the ends is right where h |lambda| is small beside the limit of stability. At
 * that limit h f(q) - q' of dense output q shows how far off it is: q errs by no more than a third
 * of its slope, as theta^3 (1-theta)^3 does. */
static gt_status dense_error(gt_stepper *s, double h, double theta, double *err)
{
    const double small = 2.5, part = 0.3;
    state_853 *w = s->state;
    size_t n = s->n;
    gt_dominant largest;
    gt_status status = gt_slopes(s); /* mode() would keep what is final to itself */
    if (status) return status;
    if (mode(s, &largest) && largest.product < small) {
        memset(err, 0, n * sizeof *err);
        return GT_OK;
    }
    double *q = w->k[4], *f = err; /* stage 5 has no weight either */
    status = interpolate(s, h, theta, q);
    if (!status) status = gt_closing_stage(s, s->t + theta * h, q);
    if (!status) status = gt_rhs(s, s->t + theta * h, q, f);
    if (status) return status;
    const double *k[ALL];
    double weight[ALL], u = 1 - theta, bubble = theta * theta * u * u;
    all_slopes(s, k);
    for (int j = 0; j < ALL; j++) {
        double d3 = gt_853.d[3][j], inner = gt_853.d[2][j] + theta * d3;
        double middle = gt_853.d[1][j] + u * inner, rise = u * d3 - inner;
        weight[j] = -2 * theta * u * (u - theta) * (gt_853.d[0][j] + theta * middle) -
                    bubble * (middle + theta * rise);
    }
    double on_f = u * (u - 2 * theta), on_f_new = theta * (theta - 2 * u);
    for (size_t i = 0; i < n; i++)
        err[i] = h * (f[i] - on_f * s->f[i] - on_f_new * s->f_new[i]) -
                 6 * theta * u * (s->x_new[i] - s->x[i]);
    add_slopes(k, weight, h, err, n);
    for (size_t i = 0; i < n; i++) err[i] *= part;
    memset(err + n - s->problem->n_alg, 0, s->problem->n_alg * sizeof *err);
    return GT_OK;
}

/* R(z) = 1 + sum_k z^k b A^(k-1) 1. */
static void rational(const gt_method *self, const double *v, gt_rational *R)
{
    (void)self;
    (void)v;
    double u[STAGES], next[STAGES];
    for (int i = 0; i < STAGES; i++) u[i] = 1;
    *R = (gt_rational){.num_degree = STAGES, .num = {1}, .den = {1}};
    for (int power = 1; power <= STAGES; power++) {
        for (int i = 0; i < STAGES; i++) {
            R->num[power] += gt_853.b[i] * u[i];
            next[i] = 0;
            for (int j = 0; j < i; j++) next[i] += gt_853.a[i][j] * u[j];
        }
        memcpy(u, next, sizeof u);
    }
}

const gt_method gt_method_dop853 = {
    .name = "dop853",
    .roles = GT_ROLE_NONSTIFF_TIGHT,
    .family = "explicit Runge-Kutta",
    .title = "Dormand-Prince of order 8, explicit, with estimates of order 5 and 3",
    .reference = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I "
                 "(1993), II.5, II.6, II.10",
    .memory = "stages 2 to 12; the first is the slope at x",
    .facts = facts,
    .state_size = sizeof(state_853),
    .layout = layout,
    .step = step,
    .run_fixed = run_fixed,
    .run_kept = run_kept,
    .interpolate = interpolate,
    .mode = mode,
    .rational = rational,
    .law = {.steps = 0.54, .order = 7},
    .dense_error = dense_error};
