/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LSODA (Hindmarsh, Petzold) and RADAU5 (Hairer, Wanner) in Fortran, as the R package deSolve
 * carries them: its shared object exports dlsoda_ and radau5_, which are called from here without
 * starting R. Where it is not installed the peers are left out, and bench_desolve_missing says why.
 */
#include "bench.h"
#include <dlfcn.h>
#include <geartrain/author/author.h>
#include <stdlib.h>
#include <string.h>

/* deSolve gives both its own two arguments in the place of RPAR and IPAR; the first one carries the
 * handle. */
typedef void fortran_rhs(int *n, double *t, double *x, double *dx, double *rpar, int *ipar);
typedef void fortran_jac(int *n, double *t, double *x, int *lower, int *upper, double *J, int *rows,
                         double *rpar, int *ipar);
typedef void lsoda_fn(fortran_rhs *f, int *n, double *x, double *t, double *end, int *itol,
                      double *rtol, double *atol, int *itask, int *istate, int *iopt, double *rwork,
                      int *lrw, int *iwork, int *liw, fortran_jac *jac, int *jt, double *rpar,
                      int *ipar);
typedef void radau_fn(int *n, fortran_rhs *f, double *t, double *x, double *end, double *h,
                      double *rtol, double *atol, int *itol, fortran_jac *jac, int *ijac,
                      int *lower, int *upper, void (*mass)(void), int *imas, int *mass_lower,
                      int *mass_upper, void (*output)(void), int *iout, double *work, int *lwork,
                      int *iwork, int *liwork, double *rpar, int *ipar, int *idid);

typedef struct fortran {
    bench_task *task;
    gt_problem problem;
    lsoda_fn *lsoda;
    radau_fn *radau;
    gt_arena arena;
    gt_matrix J; /* in the pattern of the problem */
    int n, lower, upper;
    bool banded;
    double *work;
    int lwork, *iwork, liwork;
    long jacobians;
} fortran;

static void *symbol(const char *name, const char **why)
{
    static const char *const folders[] = {"/usr/lib/R/site-library/",
                                          "/usr/local/lib/R/site-library/", "/usr/lib/R/library/"};
    char path[128];
    void *object = NULL;
    if (!dlopen("/usr/lib/R/lib/libR.so", RTLD_NOW | RTLD_GLOBAL) &&
        !dlopen("libR.so", RTLD_NOW | RTLD_GLOBAL)) {
        *why = "libR.so is not there (Debian: r-base-core)";
        return NULL;
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !object; i++) {
        snprintf(path, sizeof path, "%sdeSolve/libs/deSolve.so", folders[i]);
        object = dlopen(path, RTLD_NOW);
    }
    void *found = object ? dlsym(object, name) : NULL;
    *why = object ? "deSolve.so has no such function"
                  : "deSolve.so is not there (Debian: r-cran-desolve)";
    if (found) *why = NULL;
    return found;
}

const char *bench_desolve_missing(void)
{
    const char *why;
    symbol("dlsoda_", &why);
    if (!why) symbol("radau5_", &why);
    return why;
}

/* The handle behind the argument that Fortran only hands on. */
static fortran *handle_of(double *rpar)
{
    fortran *f;
    memcpy(&f, rpar, sizeof f);
    return f;
}

static void rhs(int *n, double *t, double *x, double *dx, double *rpar, int *ipar)
{
    (void)n, (void)ipar;
    const gt_problem *p = &handle_of(rpar)->problem;
    bench_require(!p->rhs(*t, x, dx, p->ctx), "deSolve: f failed");
}

/* Column major, full or as bands with the diagonal in row `upper`. */
static void jac(int *n, double *t, double *x, int *lower, int *upper, double *out, int *rows,
                double *rpar, int *ipar)
{
    (void)lower, (void)upper, (void)ipar;
    fortran *f = handle_of(rpar);
    size_t ld = (size_t)*rows, size = (size_t)*n;
    f->jacobians++;
    gt_matrix_clear(&f->J);
    bench_require(!f->problem.jac(*t, x, &f->J, f->problem.ctx), "deSolve: the Jacobian failed");
    for (size_t j = 0; j < size; j++)
        for (size_t i = 0; i < (f->banded ? (size_t)(f->lower + f->upper + 1) : size); i++)
            out[j * ld + i] = 0;
    for (size_t j = 0; j < size; j++) {
        size_t first = f->banded && j > (size_t)f->upper ? j - (size_t)f->upper : 0;
        size_t end = f->banded && j + (size_t)f->lower + 1 < size ? j + (size_t)f->lower + 1 : size;
        if (f->J.pattern.storage == GT_CSC) {
            for (int k = f->J.pattern.colptr[j]; k < f->J.pattern.colptr[j + 1]; k++) {
                size_t i = (size_t)f->J.pattern.rowindex[k];
                out[j * ld + (f->banded ? i + (size_t)f->upper - j : i)] = f->J.values[k];
            }
            continue;
        }
        for (size_t i = first; i < end; i++) {
            const double *at = gt_matrix_at(&f->J, i, j);
            if (at) out[j * ld + (f->banded ? i + (size_t)f->upper - j : i)] = *at;
        }
    }
}

static void unused(void) {}

/* A narrow band is given to the peers as one. */
static void find_band(fortran *f)
{
    const gt_pattern *p = &f->problem.jac_pattern;
    f->lower = f->upper = f->n;
    if (p->storage == GT_BANDED) f->lower = p->lower, f->upper = p->upper;
    if (p->storage == GT_CSC) {
        f->lower = f->upper = 0;
        for (int j = 0; j < f->n; j++)
            for (int k = p->colptr[j]; k < p->colptr[j + 1]; k++) {
                int below = p->rowindex[k] - j;
                if (below > f->lower) f->lower = below;
                if (-below > f->upper) f->upper = -below;
            }
    }
    f->banded = 2 * f->lower + f->upper + 1 < f->n / 2;
}

static fortran *desolve_open(bench_task *task)
{
    fortran *f = calloc(1, sizeof *f);
    bench_require(f != NULL, "out of memory for a solver");
    f->task = task;
    f->problem = task->problem->gt;
    f->n = (int)gt_problem_size(&f->problem);
    f->arena = gt_arena_growing();
    find_band(f);
    gt_matrix_layout(&f->J, (size_t)f->n, f->problem.jac_pattern, false, &f->arena);
    int rows = f->banded ? 2 * f->lower + f->upper + 1 : f->n;
    f->lwork = 22 + f->n * (4 * rows + 20);
    f->liwork = 3 * f->n + 20;
    f->work = gt_arena_doubles(&f->arena, (size_t)f->lwork);
    f->iwork = malloc((size_t)f->liwork * sizeof *f->iwork);
    bench_require(f->J.values && f->work && f->iwork, "out of memory for a solver");
    return f;
}

static void desolve_close(void *handle)
{
    fortran *f = handle;
    gt_arena_free(&f->arena);
    free(f->iwork);
    free(f);
}

static void start(fortran *f, double *rpar)
{
    memcpy(f->task->x, f->problem.x0, (size_t)f->n * sizeof(double));
    memset(f->work, 0, (size_t)f->lwork * sizeof(double));
    memset(f->iwork, 0, (size_t)f->liwork * sizeof(int));
    memcpy(rpar, &f, sizeof f);
    f->jacobians = 0;
}

static void *lsoda_open(const bench_solver *self, bench_task *task)
{
    (void)self;
    const char *why;
    fortran *f = desolve_open(task);
    void *found = symbol("dlsoda_", &why); /* NULL: all its runs fail */
    memcpy(&f->lsoda, &found, sizeof found);
    return f;
}

static void lsoda_run(void *handle)
{
    fortran *f = handle;
    bench_task *task = f->task;
    double rpar[1], t = f->problem.t0, end = task->t1, rtol = task->tol, atol = bench_atol(task);
    int itol = 1, itask = 1, istate = 1, iopt = 1, ipar[1] = {0};
    int jt = (f->banded ? 4 : 1) + (f->problem.jac ? 0 : 1);
    task->failed = !f->lsoda;
    if (task->failed) return;
    start(f, rpar);
    f->iwork[0] = f->lower, f->iwork[1] = f->upper, f->iwork[5] = (int)bench_most_steps(task);
    f->lsoda(rhs, &f->n, task->x, &t, &end, &itol, &rtol, &atol, &itask, &istate, &iopt, f->work,
             &f->lwork, f->iwork, &f->liwork, jac, &jt, rpar, ipar);
    task->failed = istate < 0;
    task->steps = f->iwork[10];
    task->jacobians = task->factorizations = f->iwork[12];
}

static void *radau_open(const bench_solver *self, bench_task *task)
{
    (void)self;
    const char *why;
    fortran *f = desolve_open(task);
    void *found = symbol("radau5_", &why);
    memcpy(&f->radau, &found, sizeof found);
    return f;
}

static void radau_run(void *handle)
{
    fortran *f = handle;
    bench_task *task = f->task;
    double rpar[1], t = f->problem.t0, end = task->t1, rtol = task->tol, atol = bench_atol(task),
                    h = 0;
    int itol = 0, ijac = f->problem.jac != NULL, lower = f->banded ? f->lower : f->n,
        upper = f->banded ? f->upper : 0;
    int imas = 0, no_band = f->n, none = 0, iout = 0, ipar[1] = {0}, idid = 0;
    task->failed = !f->radau;
    if (task->failed) return;
    start(f, rpar);
    f->iwork[1] = (int)bench_most_steps(task);
    f->radau(&f->n, rhs, &t, task->x, &end, &h, &rtol, &atol, &itol, jac, &ijac, &lower, &upper,
             unused, &imas, &no_band, &none, unused, &iout, f->work, &f->lwork, f->iwork,
             &f->liwork, rpar, ipar, &idid);
    task->failed = idid < 0;
    task->steps = f->iwork[16];
    task->jacobians = f->iwork[14];
    task->factorizations = f->iwork[18];
}

const bench_solver bench_lsoda = {
    "LSODA",      "lsoda",    "Fortran, of deSolve: Jacobian of the model, full or band",
    NULL,         lsoda_open, lsoda_run,
    desolve_close};
const bench_solver bench_radau5 = {
    "RADAU5",     "radau5",   "Fortran, of deSolve: Jacobian of the model, full or band",
    NULL,         radau_open, radau_run,
    desolve_close};
