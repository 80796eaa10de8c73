/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LAPACK and BLAS of the program, loaded when they are called first.
 *
 * To load OpenBLAS takes 5 ms, longer than most small models run, and small matrices never get
 * there: their kernels are our own. So the program is linked with the functions below in place of
 * the libraries; each finds the one of its name and passes the call on. The libraries themselves
 * (libgeartrain) are linked as usual.
 *
 * It stands alone: programs that share parts of cli/ link it as they link a library.
 * `late` is the one object here that is written to: by one thread, once, before anyone reads it.
 */
#include <cblas.h>
#include <dlfcn.h>
#include <lapacke.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef lapack_complex_double pair;

/* type, name, parameters, arguments */
#define FUNCTIONS(X)                                                                               \
    X(lapack_int, LAPACKE_dgetrf_work,                                                             \
      (int order, lapack_int m, lapack_int n, double *a, lapack_int lda, lapack_int *pivots),      \
      (order, m, n, a, lda, pivots))                                                               \
    X(lapack_int, LAPACKE_zgetrf_work,                                                             \
      (int order, lapack_int m, lapack_int n, pair *a, lapack_int lda, lapack_int *pivots),        \
      (order, m, n, a, lda, pivots))                                                               \
    X(lapack_int, LAPACKE_dgetrs_work,                                                             \
      (int order, char trans, lapack_int n, lapack_int columns, const double *a, lapack_int lda,   \
       const lapack_int *pivots, double *b, lapack_int ldb),                                       \
      (order, trans, n, columns, a, lda, pivots, b, ldb))                                          \
    X(lapack_int, LAPACKE_zgetrs_work,                                                             \
      (int order, char trans, lapack_int n, lapack_int columns, const pair *a, lapack_int lda,     \
       const lapack_int *pivots, pair *b, lapack_int ldb),                                         \
      (order, trans, n, columns, a, lda, pivots, b, ldb))                                          \
    X(lapack_int, LAPACKE_dgbtrf_work,                                                             \
      (int order, lapack_int m, lapack_int n, lapack_int lower, lapack_int upper, double *a,       \
       lapack_int lda, lapack_int *pivots),                                                        \
      (order, m, n, lower, upper, a, lda, pivots))                                                 \
    X(lapack_int, LAPACKE_zgbtrf_work,                                                             \
      (int order, lapack_int m, lapack_int n, lapack_int lower, lapack_int upper, pair *a,         \
       lapack_int lda, lapack_int *pivots),                                                        \
      (order, m, n, lower, upper, a, lda, pivots))                                                 \
    X(lapack_int, LAPACKE_dgbtrs_work,                                                             \
      (int order, char trans, lapack_int n, lapack_int lower, lapack_int upper,                    \
       lapack_int columns, const double *a, lapack_int lda, const lapack_int *pivots, double *b,   \
       lapack_int ldb),                                                                            \
      (order, trans, n, lower, upper, columns, a, lda, pivots, b, ldb))                            \
    X(lapack_int, LAPACKE_zgbtrs_work,                                                             \
      (int order, char trans, lapack_int n, lapack_int lower, lapack_int upper,                    \
       lapack_int columns, const pair *a, lapack_int lda, const lapack_int *pivots, pair *b,       \
       lapack_int ldb),                                                                            \
      (order, trans, n, lower, upper, columns, a, lda, pivots, b, ldb))                            \
    X(lapack_int, LAPACKE_dgeev_work,                                                              \
      (int order, char left, char right, lapack_int n, double *a, lapack_int lda, double *re,      \
       double *im, double *vl, lapack_int ldvl, double *vr, lapack_int ldvr, double *work,         \
       lapack_int lwork),                                                                          \
      (order, left, right, n, a, lda, re, im, vl, ldvl, vr, ldvr, work, lwork))                    \
    X(lapack_int, LAPACKE_dgels,                                                                   \
      (int order, char trans, lapack_int m, lapack_int n, lapack_int columns, double *a,           \
       lapack_int lda, double *b, lapack_int ldb),                                                 \
      (order, trans, m, n, columns, a, lda, b, ldb))                                               \
    X(lapack_int, LAPACKE_dgelsd,                                                                  \
      (int order, lapack_int m, lapack_int n, lapack_int columns, double *a, lapack_int lda,       \
       double *b, lapack_int ldb, double *s, double rcond, lapack_int *rank),                      \
      (order, m, n, columns, a, lda, b, ldb, s, rcond, rank))

#define FIELD(type, name, parameters, arguments) type(*name) parameters;
static struct {
    FUNCTIONS(FIELD)
    void (*cblas_dgemm)(enum CBLAS_ORDER, enum CBLAS_TRANSPOSE, enum CBLAS_TRANSPOSE, blasint,
                        blasint, blasint, double, const double *, blasint, const double *, blasint,
                        double, double *, blasint);
    pthread_once_t once;
} late = {.once = PTHREAD_ONCE_INIT};

_Noreturn static void not_there(const char *what)
{
    const char *why = dlerror();
    fprintf(stderr,
            "geartrain: %s cannot be loaded: %s; install it (Debian: apt-get install liblapacke "
            "libopenblas0-serial)\n",
            what, why ? why : "no reason is given");
    exit(EXIT_FAILURE);
}

/* A library from the folder in which it was when the program was built, else from wherever the
 * system has it. */
static void *load(const char *folder, const char *name)
{
    char path[4096];
    void *handle = NULL;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
        handle = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
    return handle ? handle : dlopen(name, RTLD_LAZY | RTLD_GLOBAL);
}

static void find(void *library, const char *name, void *place)
{
    void *function = dlsym(library, name);
    if (!function) not_there(name);
    memcpy(place, &function, sizeof function);
}

/* liblapacke asks for liblapack and libblas by name: those of the serial OpenBLAS are to be there
 * before it, because the system's choice may have threads, whose sums differ in the last bits. */
static void load_all(void)
{
    void *blas = load(GEARTRAIN_BLAS_DIR, GEARTRAIN_OPENBLAS);
    if (!blas) not_there(GEARTRAIN_OPENBLAS);
    (void)load(GEARTRAIN_BLAS_DIR, "libblas.so.3");
    (void)load(GEARTRAIN_BLAS_DIR, "liblapack.so.3");
    void *lapack = load(GEARTRAIN_LAPACKE_DIR, GEARTRAIN_LAPACKE);
    if (!lapack) not_there(GEARTRAIN_LAPACKE);
#define FIND(type, name, parameters, arguments) find(lapack, #name, &late.name);
    FUNCTIONS(FIND)
    find(blas, "cblas_dgemm", &late.cblas_dgemm);
}

#define DEFINE(type, name, parameters, arguments)                                                  \
    type name parameters                                                                           \
    {                                                                                              \
        pthread_once(&late.once, load_all);                                                        \
        return late.name arguments;                                                                \
    }
FUNCTIONS(DEFINE)

void cblas_dgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans_a, enum CBLAS_TRANSPOSE trans_b,
                 blasint m, blasint n, blasint k, double alpha, const double *a, blasint lda,
                 const double *b, blasint ldb, double beta, double *c, blasint ldc)
{
    pthread_once(&late.once, load_all);
    late.cblas_dgemm(order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
