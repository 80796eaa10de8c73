/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "fastslow": a slow part and a fast one, which swings (pendulum) or decays (the others). The
 * members made for each beside our `gear`, CVODE, ARKODE, Boost.odeint and GSL. fastslow [CASE...]
 * only these; results.json is left alone then
 */
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char area[] = "fastslow";
enum { MOST = 12 };

/* Where a mass on a stiff spring is, which swings too fast to be asked for its velocity. */
static double in_place(const double *x, const double *reference, size_t n)
{
    (void)n;
    return hypot(x[0] - reference[0], x[1] - reference[1]);
}

/* The angle of the bar: what the particle does is of no interest. */
static double in_theta(const double *x, const double *reference, size_t n)
{
    (void)n;
    return fabs(x[2] - reference[2]);
}

typedef struct fastslow_case {
    const char *title, *model, *params; /* params may be NULL */
    const char *text;                   /* of a model file, in place of a model */
    double t1;                          /* 0: that of the model */
    const bench_solver *reference;      /* NULL: gear */
    double (*error)(const double *x, const double *reference, size_t n);
    double wanted;
    int points, repeats;
    double t0;       /* 0: that of the model */
    double erk_part; /* of the span that the explicit peer runs, its time being scaled up; 0: not at
                        all */
    bench_entry entries[MOST];
} fastslow_case;

/* An actuator or filter, three rates, six of them, a high-gain observer: fast parts that are few.
 */
static const char actuator[] = "par eps=1e-5, zeta=.7\n"
                               "x'=-x+z1\nz1'=z2/eps\nz2'=(-z1-2*zeta*z2+.5*x+sin(t))/eps\n"
                               "init x=1\n@ total=5\ndone\n";
static const char telescope[] = "par eps=1e-4\n"
                                "x'=-x+y*z\ny'=-(y-cos(x))/eps\nz'=-(z-x*y-.1*z*y)/eps^2\n"
                                "init x=1\n@ total=3\ndone\n";
static const char decades[] = "x'=-x+.1*(z1+z2+z3+z4+z5)\nz1'=-10*(z1-x)\nz2'=-100*(z2-x^2)\n"
                              "z3'=-1e3*(z3-sin(x))\nz4'=-1e4*(z4-x)\nz5'=-1e8*(z5-x)\n"
                              "init x=1\n@ total=5\ndone\n";
static const char observer[] = "par eps=3e-3\n"
                               "x1'=x2\nx2'=-x1-x2^3+sin(t)\nh1'=h2+2*(x1-h1)/eps\n"
                               "h2'=-h1-h2^3+sin(t)+(x1-h1)/eps^2\n"
                               "init x1=1\n@ total=5\ndone\n";

/* A mass on a spring of 1e8 that hangs from a point: 16,000 swings in a direction that turns. */
static const char turning[] =
    "par k=1e8\nr=sqrt(x^2+y^2)\nx'=vx\ny'=vy\nvx'=-k*(r-1)*x/r\nvy'=-k*(r-1)*y/r-9.81\n"
    "init x=0.8415551319063773, y=-0.5403563360987266\n@ total=10\ndone\n";
/* Masses on stiff springs, 45 and 300 of them. */
#define CHAIN(ends, n)                                                                             \
    "u0=0\nu" ends "=0\nu[1.." n "]'=v[j]\nv[1.." n "]'=1e6*(u[j-1]-2*u[j]+u[j+1])-u[j]-u[j]^3\n"  \
    "u[1.." n "](0)=sin([j]*pi/" ends ")+.001*sin(40*[j]*pi/" ends ")\n@ total=1\ndone\n"
static const char chain_45[] = CHAIN("46", "45"), chain_300[] = CHAIN("301", "300");
/* A fast block that is stiff itself. */
static const char enzyme[] =
    "s'=-s+(s+1)*c\nc'=(s-(s+1.5)*c)/1e-6\ninit s=1\n#@ fast c\n@ total=5\ndone\n";

#define SWINGING                                                                                   \
    {                                                                                              \
        BENCH_OWN("strobe", "", 0, 1e-2, 0.1), BENCH_OWN("exprb43", "", 0, 1e-2, 0.1),             \
            BENCH_OWN("dop853", "", 0, 1e-2, 0.1), BENCH_OWN("gear", "", 0, 1e-2, 0.1),            \
            BENCH_PEER(bench_gsl_rk8pd, 1e-2), BENCH_PEER(bench_arkode_dopri5, 1e-2),              \
            BENCH_PEER(bench_cvode_adams, 1e-2), BENCH_PEER(bench_cvode_bdf, 1e-2)                 \
    }

#define STRINGS                                                                                    \
    {                                                                                              \
        BENCH_OWN("exprb43", "", 0, 1e-3, 0.1), BENCH_OWN("dop853", "", 0, 1e-3, 0.1),             \
            BENCH_OWN("gear", "", 0, 1e-3, 0.1), BENCH_PEER(bench_gsl_rk8pd, 1e-3),                \
            BENCH_PEER(bench_arkode_dopri5, 1e-3), BENCH_PEER(bench_cvode_adams, 1e-3),            \
            BENCH_PEER(bench_cvode_bdf, 1e-3)                                                      \
    }

#define DECAYING                                                                                   \
    {                                                                                              \
        BENCH_OWN("smes", "", 0, 1e-3, 0.1), BENCH_OWN("gear", "", 0, 1e-3, 0.1),                  \
            BENCH_PEER(bench_cvode_bdf, 1e-3), BENCH_PEER(bench_cvode_krylov, 1e-3),               \
            BENCH_PEER(bench_cvode_diagonal, 1e-3), BENCH_PEER(bench_arkode_dirk, 1e-3)            \
    }

/* Where the fast rates are spread over decades or the input has kinks, `smes` is not what we would
 * take. */
#define SPREAD                                                                                     \
    {                                                                                              \
        BENCH_OWN("gear", "", 0, 1e-3, 0.1), BENCH_OWN("smes", "", 0, 1e-3, 0.1),                  \
            BENCH_PEER(bench_cvode_bdf, 1e-3), BENCH_PEER(bench_cvode_krylov, 1e-3),               \
            BENCH_PEER(bench_cvode_diagonal, 1e-3), BENCH_PEER(bench_arkode_dirk, 1e-3)            \
    }

static const fastslow_case cases[] = {
    {.title = "pendulum",
     .model = "pendulum",
     .t1 = 10,
     .reference = &bench_own_dopri5,
     .error = in_theta,
     .wanted = 1e-4,
     .points = 5,
     .repeats = 7,
     .entries = {BENCH_OWN("spm", "", 1, 0.4, 0.5), BENCH_OWN("spm2", "", 1, 0.4, 0.5),
                 BENCH_OWN("spmc", "", 1, 0.4, 0.5), BENCH_OWN("exprb32", "", 1, 0.4, 0.5),
                 BENCH_OWN("dopri5", "", 0, 1e-2, 0.1), BENCH_PEER(bench_boost_dopri5, 1e-2),
                 BENCH_PEER(bench_gsl_rkf45, 1e-2), BENCH_PEER(bench_gsl_rk8pd, 1e-2),
                 BENCH_PEER(bench_arkode_dopri5, 1e-2), BENCH_PEER(bench_cvode_adams, 1e-2),
                 BENCH_PEER(bench_cvode_bdf, 1e-2)}},
    {.title = "adaptive",
     .model = "adaptive",
     .t1 = 5,
     .wanted = 1e-4,
     .points = 7,
     .repeats = 7,
     .erk_part = 1e-2,
     .entries = {BENCH_OWN("smes", "", 0, 1e-2, 0.1), BENCH_OWN("spm2", "", 1, 0.2, 0.5),
                 BENCH_OWN("exprb32", "", 0, 1e-2, 0.1), BENCH_OWN("gear", "", 0, 1e-2, 0.1),
                 BENCH_PEER(bench_cvode_bdf, 1e-2), BENCH_PEER(bench_gsl_msbdf, 1e-2),
                 BENCH_PEER(bench_arkode_dirk, 1e-2)}},
    {.title = "clustered-200",
     .model = "clustered",
     .params = "m=200",
     .points = 6,
     .repeats = 7,
     .erk_part = 1e-3,
     .entries = DECAYING},
    {.title = "clustered-10000",
     .model = "clustered",
     .params = "m=10000",
     .points = 5,
     .repeats = 3,
     .erk_part = 1e-4,
     .entries = DECAYING},
    {.title = "clustered-200-spread3",
     .model = "clustered",
     .params = "m=200, spread=3",
     .points = 6,
     .repeats = 5,
     .entries = SPREAD},
    {.title = "clustered-200-spread100",
     .model = "clustered",
     .params = "m=200, spread=100",
     .points = 5,
     .repeats = 3,
     .entries = SPREAD},
    {.title = "cattaneo-100",
     .model = "cattaneo",
     .params = "n=100, D=0.02",
     .points = 6,
     .repeats = 5,
     .entries = SPREAD},
    {.title = "actuator-0.7",
     .text = actuator,
     .points = 6,
     .repeats = 5,
     .erk_part = 1e-3,
     .entries = SPREAD},
    {.title = "actuator-0.1",
     .text = actuator,
     .params = "zeta=.1",
     .points = 6,
     .repeats = 5,
     .erk_part = 1e-3,
     .entries = SPREAD},
    {.title = "telescope",
     .text = telescope,
     .points = 6,
     .repeats = 5,
     .erk_part = 1e-6,
     .entries = SPREAD},
    {.title = "decades",
     .text = decades,
     .points = 4,
     .repeats = 5,
     .erk_part = 1e-6,
     .entries = SPREAD},
    {.title = "observer",
     .text = observer,
     .points = 6,
     .repeats = 5,
     .erk_part = 0.1,
     .entries = SPREAD},
    {.title = "enzyme",
     .text = enzyme,
     .points = 6,
     .repeats = 5,
     .entries = {BENCH_OWN("mri4", "inner=rodas4", 0, 1e-3, 0.1),
                 BENCH_OWN("mri4", "inner=gear", 0, 1e-3, 0.1), BENCH_OWN("gear", "", 0, 1e-3, 0.1),
                 BENCH_OWN("smes", "", 0, 1e-3, 0.1), BENCH_PEER(bench_cvode_bdf, 1e-3),
                 BENCH_PEER(bench_arkode_dirk, 1e-3)}},
    {.title = "spring-pendulum",
     .text = turning,
     .reference = &bench_own_dopri5,
     .error = in_place,
     .wanted = 1e-3,
     .points = 5,
     .repeats = 3,
     .entries = SWINGING},
    {.title = "chain-45",
     .text = chain_45,
     .reference = &bench_own_dopri5,
     .wanted = 1e-3,
     .points = 6,
     .repeats = 3,
     .entries = STRINGS},
    {.title = "chain-300",
     .text = chain_300,
     .reference = &bench_own_dopri5,
     .wanted = 1e-4,
     .points = 6,
     .repeats = 3,
     .entries = STRINGS},
    {.title = "stiffchain",
     .model = "stiffchain",
     .points = 6,
     .repeats = 5,
     .t0 = 5,
     .entries = SPREAD},
};
enum { N_CASES = sizeof cases / sizeof *cases };

/* Stability holds the explicit method at one step all the way, so that a part of the span tells. */
static void explicit_peer(const fastslow_case *c, const bench_entry *first, const bench_problem *p,
                          double t1)
{
    const double tol = 1e-4;
    double ours = NAN;
    for (int k = 0; k < first->curve.points; k++) {
        double setting = first->first * pow(first->factor, k);
        if (fabs(setting / tol - 1) < 1e-6) ours = first->curve.time[k];
    }
    bench_case run = {.solver = &bench_arkode_dopri5,
                      .task = {.problem = p, .t1 = t1 * c->erk_part, .tol = tol}};
    bench_time(&run, 1, 1);
    double time = run.best / c->erk_part, calls = (double)run.calls / c->erk_part;
    printf("    ARKODE dopri5 at %g: %.3g s, %.3g calls (%g of the span, scaled up): %.3g times "
           "the first of ours at "
           "the same\n",
           tol, time, calls, c->erk_part, time / ours);
    bench_result(area, c->title, first->solver.method, "ARKODE dopri5", NAN, time / ours, NAN,
                 "Dormand-Prince at 1e-4, a part of the span scaled up, over ours at 1e-4");
    free(run.task.x);
}

static void run_case(const fastslow_case *c)
{
    bench_entry entries[MOST];
    memcpy(entries, c->entries, sizeof entries);
    const char *params = c->params ? c->params : "";
    bench_problem p =
        c->text ? bench_text(c->title, c->text, params) : bench_model(c->model, params);
    if (c->t0 > 0) p.gt.t0 = c->t0; /* a peer at rest steps over an input that begins later */
    double t1 = c->t1 > 0 ? c->t1 : p.gt.t1;
    double *reference =
        bench_reference(c->reference ? c->reference : &bench_own_gear, &p, t1, 0, 1e-12);
    bench_contest contest = {.area = area,
                             .title = c->title,
                             .problem = &p,
                             .t1 = t1,
                             .reference = reference,
                             .error = c->error,
                             .points = c->points,
                             .repeats = c->repeats,
                             .most_steps = 10000,
                             .wanted = {c->wanted},
                             .entries = entries,
                             .count = bench_entries_complete(entries, MOST)};
    if (c->reference == &bench_own_dopri5)
        contest.most_steps = 1000000; /* the swings are to be resolved */
    bench_contest_run(&contest);
    if (c->erk_part > 0) explicit_peer(c, &entries[0], &p, t1);
    free(reference);
    bench_problem_free(&p);
}

static int asked_for(const fastslow_case *c, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], c->title) == 0) return 1;
    return argc < 2 && !(bench_quick() && c->repeats < 7);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < N_CASES; i++)
        if (asked_for(&cases[i], argc, argv)) run_case(&cases[i]);
    if (argc < 2) bench_write_results(area);
    return 0;
}
