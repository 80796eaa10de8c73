/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rosenbrock methods, stiffly accurate and L-stable, for M x' = f and algebraic rows 0 = g of
 * index 1.
 *
 *     rodas4   RODAS, order 4, six stages: Hairer, Wanner, Solving ODEs II (1996), VI.4
 *     rodas4p  Rodas4P2, order 4, six stages: Steinebach, BIT 61 (2021)
 *     rodas5   Rodas5P, order 5, eight stages: Steinebach, BIT 63 (2023)
 *
 * Newton's method is replaced by one linear system a stage, all with one matrix from the Jacobian J
 * at the accepted point, which therefore has to be the true one:
 *
 *     (M/(h g) - J) u_i = f(t + alpha_i h, x + sum_(j<i) a_ij u_j) + M sum_(j<i) (c_ij/h) u_j + d_i
 * h f_t x_new = x + sum_(j<s) a_sj u_j + u_s         err = u_s, against the order below
 *
 * (VI.4.2), in which J u_j is never formed. The last stages are solutions themselves: a_sj =
 * a_(s-1)j, and 1 where j = s-1. Solved as (M - h g J) u_i = h g (..) in differential rows and as J
 * u_i = -(g + d_i h g_t) in algebraic ones, in which M has no entries. f_t is that of the problem,
 * else a difference, and 0 where the problem says that it is autonomous.
 *
 * Forced stiff modes, as x' = lambda (x - p(t)) + p'(t), reduce the order of RODAS to 2 or so where
 * h |lambda| is large (Prothero and Robinson 1974); rodas4p and rodas5 meet further conditions and
 * keep order 4 there. Two fast modes of damping 1 at 1e-5, rtol 1e-8: 41,831, 420 and 231 steps.
 *
 * Dense output, of order 3 for the first two and 4 for rodas5, from the same stages:
 *
 *     x (1-theta) + theta (x_new + (1-theta) sum_j (H_0j + theta (H_1j + theta H_2j)) u_j)
 */
#include "base/weighted_sum.h"
#include "implicit/growth.h"
#include "implicit/iterated.h"
#include "kit/exponential.h"
#include "kit/implicit.h"
#include "linalg/backend.h"
#include "problem/norm.h"
#include <assert.h>
#include <complex.h>
#include <float.h>
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

enum { MOST_STAGES = 8, MOST_DENSE = 3 };

typedef struct rosenbrock {
    int stages, order, dense; /* rows of H */
    double g;
    double alpha[MOST_STAGES], d[MOST_STAGES];
    double a[MOST_STAGES][MOST_STAGES], c[MOST_STAGES][MOST_STAGES];
    double H[MOST_DENSE][MOST_STAGES];
} rosenbrock;

/* clang-format off */
static const rosenbrock rodas4_row = {
    .stages = 6, .order = 4, .dense = 2, .g = 0.25,
    .alpha = {0, 0.386, 0.21, 0.63, 1, 1},
    .d = {0.25, -0.1043, 0.1035, -0.03620000000000023},
    .a = {{0},
          {1.544},
          {0.9466785280815826, 0.2557011698983284},
          {3.314825187068521, 2.896124015972201, 0.9986419139977817},
          {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
          {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1}},
    .c = {{0},
          {-5.6688},
          {-2.430093356833875, -0.2063599157091915},
          {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
          {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
          {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
           -6.058818238834054}},
    .H = {{10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823,
           1.025137723295662},
          {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386,
           -6.594389125716872}}};

static const rosenbrock rodas4p_row = {
    .stages = 6, .order = 4, .dense = 2, .g = 0.25,
    .alpha = {0, 0.75, 0.321448134013046, 0.519745732277726, 1, 1},
    .d = {0.25, -0.5, -0.189532918363016, 0.085612108792769},
    .a = {{0},
          {3},
          {0.906377755268814, -0.189707390391685},
          {3.758617027739064, 1.161741776019525, -0.849258085312803},
          {7.089566927282776, 4.573591406461604, -8.423496976860259, -0.959280113459775},
          {7.089566927282776, 4.573591406461604, -8.423496976860259, -0.959280113459775, 1}},
    .c = {{0},
          {-12},
          {-6.354581592719008, 0.338972550544623},
          {-8.575016317114033, -7.606483992117508, 12.224997650124820},
          {-5.888975457523102, -8.157396617841821, 24.805546872612922, 12.790401512796979},
          {-4.408651676063871, -6.692003137674639, 24.625568527593117, 16.627521966636085,
           -5.714285714285718}},
    .H = {{-5.323528268423303, -10.042123754867493, 17.175254928256965, -5.079931171878093,
           -0.016185991706112},
          {6.984505741529879, 6.914061169603662, -0.849178943070653, 18.104410789349338,
           -3.516963011559032}}};

static const rosenbrock rodas5_row = {
    .stages = 8, .order = 5, .dense = 3, .g = 0.21193756319429014,
    .alpha = {0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1,
              1, 1},
    .d = {0.21193756319429014, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734,
          2.325825639765069},
    .a = {{0},
          {3},
          {2.849394379747939, 0.45842242204463923},
          {-6.954028509809101, 2.489845061869568, -10.358996098473584},
          {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
          {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256,
           0.030198172008377946},
          {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256,
           0.030198172008377946, 1},
          {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256,
           0.030198172008377946, 1, 1}},
    .c = {{0},
          {-14.155112264123755},
          {-17.97296035885952, -2.859693295451294},
          {147.12150275711716, -1.41221402718213, 71.68940251302358},
          {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
          {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125,
           -0.6610691825249471},
          {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783,
           -19.097331116725623, -28.087943162872662},
          {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047,
           -40.06618937091002, -54.66780262877968, -9.48861652309627}},
    .H = {{25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204,
           0.524948541321073, 1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
          {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796,
           20.176138334709044, 15.98066361424651, -6.789040303419874, -6.710236069923372},
          {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643,
           -52.072871366152654, -59.78993625266729, -0.15582684282751913, 4.883087185713722}}};
/* clang-format on */

typedef struct rosenbrock_options {
    gt_linear_options linear;
} rosenbrock_options;

static const gt_param options[] = {GT_LINEAR_OPTIONS(rosenbrock_options), {0}};

enum { MOST_CORRECTIONS = 4 }; /* of the algebraic variables at the end of a step */
/* Of the tolerance: what iterations for a system may leave, which later stages multiply by numbers
 * up to 20. At fixed step: of what there was. */
static const double linear_part = 1e-3, linear_relative = 1e-10;

typedef struct rosenbrock_state {
    rosenbrock_options options;
    bool by_iterations;
    gt_iterated iterated; /* in place of W and lu, and without a matrix of J */
    gt_jacobian jac;
    gt_matrix J, W;
    gt_lu lu;
    double *u[MOST_STAGES], *f_t;
    double *work;    /* what the algebraic equations lack at the end; a point of dense output */
    double *product; /* M times a sum of stages, where there is a mass matrix */
    bool known;      /* J and f_t are those of the accepted point */
} rosenbrock_state;

static gt_facts facts(const gt_method *self, const double *v)
{
    const rosenbrock *row = self->data;
    (void)v;
    return (gt_facts){
        .kind = GT_KIND_LINEARLY_IMPLICIT,
        .order = row->order,
        .error_order = row->order - 1,
        .stages = row->stages,
        .flags = GT_USES_JACOBIAN | GT_TREATS_ALGEBRAIC | GT_TREATS_MASS,
        .order_problem =
            row->order == 5
                ? "adaptive_reduced"
                : "linear2"}; /* elsewhere the difference for f_t is seen before round-off is */
}

static bool has_matrix(const rosenbrock_state *w)
{
    return !w->by_iterations || w->iterated.matrix;
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    rosenbrock_state *w = s->state;
    const rosenbrock *row = s->method->data;
    gt_params_fill(s->method->options, s->options.v, &w->options);
    const gt_linear_options *linear = &w->options.linear;
    w->by_iterations = gt_iterated_pays(s->problem, linear);
    if (w->by_iterations) {
        gt_iterated_layout(&w->iterated, s->problem, linear, false, arena);
        w->iterated.J = &w->J;
    }
    if (has_matrix(w)) {
        gt_jacobian_layout(&w->jac, s->problem, arena);
        gt_matrix_layout(&w->J, s->n, s->problem->jac_pattern, false, arena);
    }
    if (!w->by_iterations) {
        gt_jacobian_layout_shift(&w->jac, s->problem, &w->W, arena);
        gt_lu_layout(&w->lu, &w->W, arena);
    }
    for (int i = 0; i < row->stages; i++) w->u[i] = gt_arena_doubles(arena, s->n);
    w->f_t = gt_arena_doubles(arena, s->n);
    w->work = gt_arena_doubles(arena, s->n);
    w->product = s->problem->mass ? gt_arena_doubles(arena, s->n) : NULL;
    return GT_OK;
}

static gt_status prepare(gt_stepper *s)
{
    rosenbrock_state *w = s->state;
    const rosenbrock *row = s->method->data;
    const gt_problem *p = s->problem;
    if (has_matrix(w)) gt_jacobian_prepare(&w->jac, p);
    if (w->by_iterations) gt_iterated_prepare(&w->iterated, p);
    if (w->by_iterations || w->W.pattern.storage != GT_CSC) return GT_OK;
    if (gt_jacobian_evaluate(&w->jac, s, p->t0, p->x0, &w->J))
        return gt_fail(&s->message, GT_RHS_FAILED,
                       "the Jacobian cannot be evaluated at the start, t = %g", p->t0);
    double typical = isfinite(p->t1) ? (p->t1 - p->t0) / 1000 : 1;
    gt_jacobian_shift(&w->jac, p, &w->J, row->g * typical, &w->W);
    return gt_lu_ready(gt_lu_analyse(&w->lu, &w->W), &s->message);
}

/* u := W^-1 u. */
static gt_status solve(gt_stepper *s, double h, double *u)
{
    rosenbrock_state *w = s->state;
    const rosenbrock *row = s->method->data;
    if (w->by_iterations)
        return gt_iterated_solve(&w->iterated, s, h * row->g, false, linear_part,
                                 s->rtol > 0 ? DBL_EPSILON : linear_relative, u);
    gt_lu_solve(&w->lu, u);
    return GT_OK;
}

/* The solution of stage i, from f at its point, which may be where the solution goes. */
static gt_status solve_stage(gt_stepper *s, int i, double h, const double *f)
{
    rosenbrock_state *w = s->state;
    const rosenbrock *row = s->method->data;
    const gt_problem *p = s->problem;
    double weight[MOST_STAGES], *u = w->u[i];
    const double *others[MOST_STAGES];
    assert(i < row->stages);
    size_t n_diff = s->n - p->n_alg;
    for (int j = 0; j < i; j++) {
        weight[j] = row->g * row->c[i][j];
        others[j] = w->u[j];
    }
    double on_f = h * row->g, on_f_t = h * row->d[i];
    for (size_t k = n_diff; k < s->n; k++) u[k] = -(f[k] + on_f_t * w->f_t[k]);
    for (size_t k = 0; k < n_diff; k++) u[k] = on_f * (f[k] + on_f_t * w->f_t[k]);
    if (p->mass) {
        memset(w->product, 0, s->n * sizeof *w->product);
        gt_weighted_sum(i, weight, others, w->product, s->scratch, s->n);
        gt_matrix_multiply(p->mass, s->scratch, 0, w->product);
        for (size_t k = 0; k < n_diff; k++) u[k] += w->product[k];
    } else {
        gt_weighted_sum(i, weight, others, u, u, n_diff);
    }
    return solve(s, h, u);
}

/* f at the end, finite: the next step begins with it, and where there is none this one must not be
 * accepted. */
static gt_status evaluate_end(gt_stepper *s, double h, const double *x_new)
{
    gt_status status = gt_rhs(s, s->t + h, x_new, s->f_new);
    double finite = 0;
    for (size_t k = 0; k < s->n; k++) finite += s->f_new[k] - s->f_new[k];
    s->f_new_known = !status && finite == 0;
    return status ? status : finite == 0 ? GT_OK : GT_TRY_NOT_FINITE;
}

/* The algebraic equations hold at the end of the step, to the tolerance of the Newton correction
 * that they still ask for; where they do not, it is made. The stages see them linearized at the
 * start, and errors of algebraic variables are not those that step control looks at: near a fold
 * steps were accepted that end where the equations have no solution any more.
 */
static gt_status close_end(gt_stepper *s, double h, double *x_new)
{
    rosenbrock_state *w = s->state;
    size_t n_diff = s->n - s->problem->n_alg;
    double *lack = w->work;
    for (int k = 0; k <= MOST_CORRECTIONS; k++) {
        double most = 0;
        memset(lack, 0, n_diff * sizeof *lack);
        for (size_t i = n_diff; i < s->n; i++) lack[i] = -s->f_new[i];
        gt_status status = solve(s, h, lack);
        if (status) return status;
        for (size_t i = n_diff; i < s->n; i++) {
            double size = fabs(lack[i]) / gt_weight(s, i, x_new[i]);
            if (!(size <= most)) most = size; /* NaN stays */
        }
        gt_over_ranks(s->problem, &most, 0, 1);
        if (most <= 1) return GT_OK;
        for (size_t i = n_diff; i < s->n; i++) x_new[i] += lack[i];
        status = evaluate_end(s, h, x_new);
        if (status) return status;
    }
    return GT_TRY_NEWTON;
}

/* What the stages of a step of size h are solved with. */
static gt_status factor(gt_stepper *s, double h)
{
    rosenbrock_state *w = s->state;
    const rosenbrock *row = s->method->data;
    s->stats.factorizations++;
    if (w->by_iterations) return gt_iterated_factor(&w->iterated, s, 0, &w->J, h * row->g);
    gt_jacobian_shift(&w->jac, s->problem, &w->J, h * row->g, &w->W);
    return gt_lu_factor(&w->lu, &w->W);
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    rosenbrock_state *w = s->state;
    const rosenbrock *row = s->method->data;
    const double *u[MOST_STAGES];
    for (int j = 0; j < row->stages; j++) u[j] = w->u[j];
    bool was_known = w->known;
    gt_status status = gt_linear_at(s, &w->jac, has_matrix(w) ? &w->J : NULL, w->f_t, &w->known);
    if (!status && !was_known && !has_matrix(w)) gt_iterated_place(&w->iterated, s, 0, s->t, s->x);
    if (!status) status = factor(s, h);
    if (status) return status;
    const gt_lu *lu = w->by_iterations ? NULL : &w->lu;
    const gt_matrix *J = has_matrix(w) ? &w->J : NULL;
    if (err && gt_hides_growth(s->problem, lu, J, h * row->g)) return GT_TRY_NEWTON;
    status = solve_stage(s, 0, h, s->f);
    if (status) return status;
    for (int i = 1; i < row->stages; i++) {
        gt_weighted_sum(i, row->a[i], u, x, x_new, s->n);
        status = gt_rhs(s, s->t + row->alpha[i] * h, x_new, w->u[i]);
        if (!status) status = solve_stage(s, i, h, w->u[i]);
        if (status) return status;
    }
    const double *last = w->u[row->stages - 1];
    for (size_t k = 0; k < s->n; k++) x_new[k] += last[k];
    if (err) memcpy(err, last, s->n * sizeof *err);
    status = evaluate_end(s, h, x_new);
    bool closes = err && s->problem->n_alg && (s->rtol > 0 || s->rtol_vector);
    return status || !closes ? status : close_end(s, h, x_new);
}

static void accept(gt_stepper *s) { ((rosenbrock_state *)s->state)->known = false; }
static const gt_matrix *jacobian(const gt_stepper *s)
{
    const rosenbrock_state *w = s->state;
    return has_matrix(w) ? &w->J : NULL;
}

static void release(gt_stepper *s) { gt_lu_free(&((rosenbrock_state *)s->state)->lu); }

/* What u_j is multiplied by at theta, and the slope of that. */
static void dense_weights(const rosenbrock *row, double theta, double *weight, double *slope)
{
    for (int j = 0; j < row->stages; j++) {
        double inner = 0, rise = 0;
        for (int k = row->dense - 1; k >= 0; k--) {
            rise = inner + theta * rise;
            inner = row->H[k][j] + theta * inner;
        }
        weight[j] = theta * (1 - theta) * inner;
        slope[j] = (1 - 2 * theta) * inner + theta * (1 - theta) * rise;
    }
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const rosenbrock_state *w = s->state;
    const rosenbrock *row = s->method->data;
    const double *u[MOST_STAGES];
    double weight[MOST_STAGES], slope[MOST_STAGES];
    (void)h;
    dense_weights(row, theta, weight, slope);
    for (int j = 0; j < row->stages; j++) u[j] = w->u[j];
    for (size_t k = 0; k < s->n; k++) x[k] = (1 - theta) * s->x[k] + theta * s->x_new[k];
    gt_weighted_sum(row->stages, weight, u, x, x, s->n);
    return GT_OK;
}

/* (M - h g J)^-1 g (h f - M q') of dense output q: for a stiff mode this is how far q is from where
 * the mode comes to rest. */
static gt_status dense_error(gt_stepper *s, double h, double theta, double *err)
{
    rosenbrock_state *w = s->state;
    const rosenbrock *row = s->method->data;
    const gt_problem *p = s->problem;
    size_t n_diff = s->n - p->n_alg;
    const double *u[MOST_STAGES];
    double weight[MOST_STAGES], slope[MOST_STAGES], *q = w->work, *f = err;
    gt_status status = interpolate(s, h, theta, q);
    if (!status) status = gt_rhs(s, s->t + theta * h, q, f);
    if (status) return status;
    dense_weights(row, theta, weight, slope);
    for (int j = 0; j < row->stages; j++) u[j] = w->u[j];
    for (size_t k = 0; k < s->n; k++) q[k] = s->x_new[k] - s->x[k];
    gt_weighted_sum(row->stages, slope, u, q, q, s->n);
    const double *along = q;
    if (p->mass) {
        gt_matrix_multiply(p->mass, q, 0, w->product);
        along = w->product;
    }
    for (size_t k = 0; k < n_diff; k++) err[k] = row->g * (h * f[k] - along[k]);
    for (size_t k = n_diff; k < s->n; k++) err[k] = -f[k];
    return solve(s, h, err);
}

/* The step on x' = lambda x, z = h lambda. */
static double complex amplification(const gt_method *self, const double *v, double complex z)
{
    const rosenbrock *row = self->data;
    double complex u[MOST_STAGES] = {0}, point = 1;
    (void)v;
    for (int i = 0; i < row->stages; i++) {
        double complex sum = 0;
        point = 1;
        for (int j = 0; j < i; j++) {
            point += row->a[i][j] * u[j];
            sum += row->c[i][j] * u[j];
        }
        u[i] = row->g * (z * point + sum) / (1 - row->g * z);
    }
    return point + u[row->stages - 1];
}

#define ROSENBROCK(id, words, source, vectors, count, power)                                       \
    const gt_method gt_method_##id = {                                                             \
        .name = #id,                                                                               \
        .family = "Rosenbrock",                                                                    \
        .roles = GT_ROLE_STIFF_RIVAL,                                                              \
        .title = (words),                                                                          \
        .reference = (source),                                                                     \
        .memory = "J, the matrix of the stages and its factors; " vectors " stages, f_t, a point", \
        .options = options,                                                                        \
        .facts = facts,                                                                            \
        .data = &id##_row,                                                                         \
        .state_size = sizeof(rosenbrock_state),                                                    \
        .layout = layout,                                                                          \
        .prepare = prepare,                                                                        \
        .step = step,                                                                              \
        .accept = accept,                                                                          \
        .restart = accept,                                                                         \
        .release = release,                                                                        \
        .interpolate = interpolate,                                                                \
        .jacobian = jacobian,                                                                      \
        .amplification = amplification,                                                            \
        .law = {.steps = (count), .order = (power)},                                               \
        .dense_error = dense_error}

ROSENBROCK(rodas4, "RODAS, Rosenbrock of order 4, L-stable, one factorisation a step",
           "Hairer, Wanner, Solving Ordinary Differential Equations II (1996), VI.4", "six", 1.6,
           4);
ROSENBROCK(rodas4p, "Rodas4P2, Rosenbrock of order 4 that keeps it on forced stiff modes",
           "Steinebach, Improvement of Rosenbrock-Wanner method RODASP (2020)", "six", 1.45, 4);
ROSENBROCK(rodas5, "Rodas5P, Rosenbrock of order 5, L-stable, one factorisation a step",
           "Steinebach, Construction of Rosenbrock-Wanner method Rodas5P, BIT 63 (2023)", "eight",
           1, 5);
