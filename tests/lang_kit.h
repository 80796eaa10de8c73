/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_KIT_H
#define GEARTRAIN_LANG_KIT_H

/* What the suites of the model language share. */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct lang_model {
    gt_ode *ode;
    gt_arena arena;
    gt_problem problem;
} lang_model;

#define lang_near(a, b, tolerance) lang_near_at(a, b, tolerance, __LINE__)
static inline void lang_near_at(double a, double b, double tolerance, int line)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("line %d: %.17g is not %.17g within %g", line, a, b, tolerance);
}

/* A file that must be right, interpreted. */
static inline lang_model lang_read(const char *text)
{
    lang_model m = {.arena = gt_arena_growing()};
    gt_message message = {""};
    if (gt_ode_parse(text, strlen(text), "m.ode", &m.ode, &message))
        fail_msg("%s\n%s", message.text, text);
    if (gt_model_build(gt_ode_model(m.ode), "", &m.problem, &m.arena, &message))
        fail_msg("%s", message.text);
    return m;
}

static inline void lang_free(lang_model *m)
{
    gt_arena_free(&m->arena);
    gt_ode_free(m->ode);
}

/* Block functions give the rows of the full one. */
static inline void lang_check_blocks(const lang_model *m)
{
    const gt_problem *p = &m->problem;
    size_t n = gt_problem_size(p);
    double *x = calloc(3 * n, sizeof *x), *full = x + n, *part = x + 2 * n;
    for (size_t i = 0; i < n; i++) x[i] = 0.3 + 0.1 * (double)i;
    assert_int_equal(p->rhs(0.5, x, full, p->ctx), GT_OK);
    gt_rhs_fn *const blocks[] = {p->rhs_slow, p->rhs_fast, p->rhs_alg};
    const size_t counts[] = {p->n_slow, p->n_fast, p->n_alg};
    for (size_t b = 0, first = 0; b < 3; first += counts[b++]) {
        if (!counts[b]) continue;
        assert_non_null(blocks[b]);
        assert_int_equal(blocks[b](0.5, x, part, p->ctx), GT_OK);
        assert_memory_equal(part, full + first, counts[b] * sizeof *part);
    }
    free(x);
}

#endif
