/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ODE_RUNTIME_H
#define GEARTRAIN_ODE_RUNTIME_H

/*
 * What the C code generated from a `.ode` file needs: the table of its functions, from which
 * gt_ode_build makes a problem, and the functions of the language that C's library lacks. The
 * interpreter fills the same table.
 */
#include <geartrain/api.h>
#include <geartrain/model.h>
#include <math.h>

GT_C_BEGIN

/* A name, or the family base<lo>, base<lo+1>, .. base<hi> whose member e has number first + step (e
 * - lo). A single name has lo > hi. */
typedef struct gt_ode_name {
    const char *base, *unit;
    int lo, hi, first, step;
} gt_ode_name;

/* Entries (row + row_j j, col + col_j j + col_i i) of the Jacobian for lo <= j <= hi, i_lo <= i <=
 * i_hi. */
typedef struct gt_ode_band {
    int row, row_j, col, col_j, col_i, lo, hi, i_lo, i_hi;
} gt_ode_band;

/* One term of the recurrence for Taylor coefficients: an operation on other terms (~k is term k of
 * the same loop), or GT_ODE_STORE, the coefficient of a state. `value` of a product or quotient
 * says when a factor is constant. */
typedef struct gt_ode_term {
    int op, a, b, c;
    double value;
} gt_ode_term;

enum {
    GT_ODE_STORE = 1000,
    GT_ODE_SCALED = 1,
    GT_ODE_FIXED = 2,
    GT_ODE_SERIES = 65,        /* coefficients of a series */
    GT_ODE_MAX_SERIES = 500000 /* series of a model; beyond, there is no expansion */
};

/* A relation switches where a t + b + c k is zero in period k = floor((m_a t + m_b) / m_t), or,
 * with a = 0, where k changes; in this order in p. */
enum { GT_ODE_CLOCK = 6 };

/* Where the samples of a table are in p. */
typedef struct gt_ode_table_range {
    int slot, n;
    double lo, hi;
} gt_ode_table_range;

/* Terms for lo <= j <= hi; they see the terms of the first part, which is single (lo = hi). */
typedef struct gt_ode_part {
    int lo, hi, first, count;
} gt_ode_part;

typedef struct gt_ode_ctx gt_ode_ctx;
typedef void gt_ode_jac_fn(double t, const double *x, double *values, gt_ode_ctx *c);

/* Limits of functions that call themselves; the value beyond them is NaN. */
enum { GT_ODE_MAX_DEPTH = 500, GT_ODE_MAX_CALLS = 1000000 };

typedef struct gt_ode_code {
    int n_slow, n_fast, n_alg;
    int n_params; /* p[0 .. n_params-1] are the parameters of the model */
    int n_p;      /* behind them: what depends on parameters only */
    double t0, t1;
    double typical; /* as in gt_problem */
    bool linear, autonomous;
    int t1_place; /* from 1, in p, of an end that depends on parameters; 0: there is none */
    int break_place, n_breaks; /* where in p the times are at which the equations are not smooth */
    int clock_place, n_clocks; /* where in p the GT_ODE_CLOCK numbers of each relation with mod or
                                  floor of t are */
    const gt_ode_name *states, *roots, *aux,
        *invariant_names;  /* each ends with a row without a base */
    const int *directions; /* of each row of `roots` */
    int n_roots, n_aux, n_invariants;
    double
        bound; /* the run stops when a state or an auxiliary quantity exceeds it in size; 0: none */
    bool events_set_params;

    void (*setup)(gt_ode_ctx *c); /* fills p from n_params on */
    void (*start)(gt_ode_ctx *c, double *x0);
    gt_rhs_fn *rhs, *rhs_slow, *rhs_fast, *rhs_alg;
    gt_ode_jac_fn *jac; /* NULL: none */
    /* The parts of it: [rows][columns] in the order slow, fast, algebraic; where there is nothing,
     * NULL. */
    gt_ode_jac_fn *const (*jac_blocks)[3];
    const gt_ode_band *bands;
    int n_bands;
    bool dense;
    void (*root)(double t, const double *x, double *g, gt_ode_ctx *c);
    /* What event `root` does. New values of parameters go to p_new, which holds the old ones. */
    unsigned (*event)(int root, double t, double *x, double *p_new, gt_ode_ctx *c);
    void (*auxiliary)(double t, const double *x, double *out, gt_ode_ctx *c);
    void (*invariants)(double t, const double *x, double *out, gt_ode_ctx *c);
    void (*exact)(double t, double *x, gt_ode_ctx *c);
    void (*switches)(double t, const double *x, double *g,
                     gt_ode_ctx *c); /* where relations switch */
    const gt_ode_name *switch_names; /* relations as written; `lo` to `hi` are the values of j, and
                                        `step` how many each has */
    int n_switches;
    void (*clocks)(double t, double *out,
                   gt_ode_ctx *c); /* the values of the relations with mod or floor of t */
    const gt_ode_part *parts;      /* of the Taylor recurrence */
    const gt_ode_term *terms;
    int n_parts, n_terms;
    const gt_ode_table_range *tables;
    gt_work work;
    /* Of a model that is interpreted: the code with its functions, made when it is needed first;
     * NULL: out of memory.
     */
    const struct gt_ode_code *(*prepare)(const struct gt_ode_code *code);
    size_t scratch; /* doubles of working memory that the interpreter needs */
} gt_ode_code;

/* What the functions of one problem share. */
struct gt_ode_ctx {
    const gt_ode_code *code;
    int *place;     /* of each entry of the bands in the values of the Jacobian */
    double *series; /* Taylor coefficients of all terms */
    double *roots;  /* two sets of values of the root functions, and of auxiliary quantities */
    unsigned char *fired;
    signed char *sides; /* of the switches, 0: as x says */
    bool holding;       /* one of them is not 0 */
    double *scratch;    /* the interpreter's */
    double *p_initial;  /* parameters when a run begins; and a copy for events */
#ifdef __cplusplus
    double p[1]; /* as many as there are; C++ has no array without a length */
#else
    double p[];
#endif
};

/* build_self of generated and interpreted models: model->data is a gt_ode_code. */
GT_API gt_status gt_ode_build(const gt_model *model, const double *v, gt_problem *problem,
                              gt_arena *arena) GT_MUST_CHECK;

/* The Taylor recurrence of such a model, for gt_problem.taylor. */
GT_API gt_status gt_ode_taylor(double t, int order, double *x, void *ctx) GT_MUST_CHECK;

/* Linear interpolation between n samples at equal distances from lo to hi, and beyond the ends; and
 * the slope. */
static inline double gt_ode_table_slope(const double *samples, int n, double lo, double hi,
                                        double x)
{
    double place = floor((x - lo) / ((hi - lo) / (n - 1)));
    int k = place >= n - 2 ? n - 2 : place >= 0 ? (int)place : 0; /* NaN: 0 */
    return (samples[k + 1] - samples[k]) / ((hi - lo) / (n - 1));
}

static inline double gt_ode_table(const double *samples, int n, double lo, double hi, double x)
{
    double distance = (hi - lo) / (n - 1), place = floor((x - lo) / distance);
    int k = place >= n - 2 ? n - 2 : place >= 0 ? (int)place : 0;
    return samples[k] + (samples[k + 1] - samples[k]) * ((x - lo) / distance - k);
}

static inline double gt_ode_sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static inline double gt_ode_heav(double x) { return x >= 0 ? 1 : 0; }
static inline double gt_ode_min(double x, double y) { return x <= y ? x : y; }
static inline double gt_ode_max(double x, double y) { return x >= y ? x : y; }

/* Products and quotients in derivatives: a factor that is 0 stays 0 also where the other one
 * overflows or does not exist, as in a branch that is not taken, or in the chain rule for
 * 1/(1+exp(-x)) far to the left. */
static inline double gt_ode_times(double x, double y) { return x == 0 || y == 0 ? 0 : x * y; }
static inline double gt_ode_per(double x, double y) { return x == 0 ? 0 : x / y; }

/* C's fmod, moved up by y when it is negative. */
static inline double gt_ode_mod(double x, double y)
{
    double r = fmod(x, y);
    return r < 0 ? r + y : r;
}

/* floor(x) steps at whole numbers. What passes zero there, above it where floor(x) is even: a
 * triangular wave; */
static inline double gt_ode_wave(double x)
{
    double d = gt_ode_mod(x, 2);
    return d <= 1 ? gt_ode_min(d, 1 - d) : gt_ode_max(1 - d, d - 2);
}
/* whether it is even; */
static inline double gt_ode_even(double x) { return gt_ode_mod(floor(x), 2) == 0; }
/* and floor(x) held on a number of one parity, up to half a step beyond both of its ends. */
static inline double gt_ode_cell(double x, double even)
{
    double odd = even != 0 ? 0 : 1;
    return 2 * floor((x + 0.5 - odd) / 2) + odd;
}

GT_C_END

#endif
