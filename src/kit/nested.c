/* SPDX-License-Identifier: BSD-3-Clause */
/* A stepper for a block of the problem of another one, see nested.h. */
#include "kit/nested.h"
#include "core/run_state.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum { DENSE_UP_TO = 16 }; /* states: below, indices cost more than zeros */

static void make_problem(gt_nested *w, const gt_problem *p, const gt_problem *own, gt_part part)
{
    w->problem = *own;
    if (!own->n_fast) w->problem.n_slow = gt_part_size(p, part);
    w->problem.x0 = p->x0 + gt_part_first(p, part);
    w->problem.linear = p->linear;
    w->problem.name = p->name;
    w->problem.ctx = w;
    if (!p->jac && !p->jac_block) w->problem.jac = NULL;
    if (p->jac_pattern.storage != GT_DENSE && w->problem.n_slow > DENSE_UP_TO)
        w->problem.jac_pattern = (gt_pattern){.storage = GT_CSC,
                                              .colptr = w->J.colptr,
                                              .rowindex = w->J.rowindex,
                                              .entries = w->J.entries};
}

/* The pattern of the block has to be there to measure what its factors take. */
static gt_status measure(const gt_problem *own, gt_part part, const gt_method *method,
                         const char *options, gt_stepper *s, gt_arena *arena)
{
    gt_nested w = {0};
    gt_arena spare = gt_arena_growing();
    size_t bytes;
    gt_block_layout(&w.J, s->problem, part, part, &spare);
    gt_status status = spare.failed ? gt_fail(&s->message, GT_NO_MEMORY, "out of memory") : GT_OK;
    if (!status) {
        make_problem(&w, s->problem, own, part);
        status = gt_stepper_measure_in(method, options, &w.problem, arena, &bytes, &s->message);
    }
    gt_arena_free(&spare);
    return status;
}

gt_status gt_nested_layout(gt_nested **out, size_t size, const gt_problem *own, gt_part part,
                           const gt_method *method, const char *options, gt_stepper *s,
                           gt_arena *arena)
{
    assert(out && own && method && s && arena);
    assert(size >= sizeof(gt_nested));
    gt_block lost;
    gt_nested *w = *out = gt_arena_take(arena, 1, size);
    double *y = gt_arena_doubles(arena, s->n);
    double *tolerances = gt_arena_doubles(arena, 2 * gt_part_size(s->problem, part));
    gt_block_layout(w ? &w->J : &lost, s->problem, part, part, arena);
    if (gt_arena_measuring(arena)) return measure(own, part, method, options, s, arena);
    if (!w || arena->failed) return GT_WORKSPACE_SMALL;
    w->y = y;
    w->tolerances = tolerances;
    make_problem(w, s->problem, own, part);
    gt_status status = gt_stepper_lay(&w->s, method, options, &w->problem, arena);
    if (status) s->message = w->s.message;
    return status;
}

gt_status gt_nested_prepare(gt_nested *w, gt_stepper *s)
{
    assert(w && s);
    w->outer = s;
    memcpy(w->y, s->problem->x0, s->n * sizeof *w->y);
    gt_status status = gt_stepper_prepare(&w->s);
    if (status) s->message = w->s.message;
    w->outer = NULL;
    return status;
}

void gt_nested_free(gt_nested *w)
{
    if (w) gt_stepper_free(&w->s);
}

gt_status gt_nested_jacobian(gt_nested *w, double t, gt_matrix *J)
{
    assert(w && w->outer && J);
    const gt_block *of = &w->J;
    gt_status status = gt_block_evaluate(&w->J, w->outer->problem, fmin(t, w->outer->t_cap), w->y);
    if (J->pattern.storage != GT_DENSE) {
        memcpy(J->values, of->values, of->entries * sizeof *J->values);
        return status;
    }
    for (size_t j = 0; j < of->columns; j++)
        for (int k = of->colptr[j]; k < of->colptr[j + 1]; k++)
            J->values[j * J->n + (size_t)of->rowindex[k]] = of->values[k];
    return status;
}

/* share times the vector of the outer stepper. */
static const double *scale(const double *vector, double share, size_t first, size_t n, double *to)
{
    if (!vector || share == 0) return NULL;
    for (size_t i = 0; i < n; i++) to[i] = share * vector[first + i];
    return to;
}

void gt_nested_begin(gt_nested *w, gt_stepper *s, double share)
{
    assert(w && s && !w->outer);
    assert(share >= 0);
    size_t first = gt_part_first(s->problem, w->J.part_of_rows), n = w->s.n;
    w->outer = s;
    w->s.rtol = share * s->rtol;
    w->s.atol = share * s->atol;
    w->s.rtol_vector = scale(s->rtol_vector, share, first, n, w->tolerances);
    w->s.atol_vector = scale(s->atol_vector, share, first, n, w->tolerances + n);
    w->s.stats = (gt_stats){0};
}

void gt_nested_end(gt_nested *w, gt_status status)
{
    assert(w && w->outer);
    gt_stats *to = &w->outer->stats;
    const gt_stats *of = &w->s.stats;
    to->jacobians += of->jacobians;
    to->factorizations += of->factorizations;
    to->repivots += of->repivots;
    to->newton += of->newton;
    to->krylov += of->krylov;
    if (status < 0) w->outer->message = w->s.message;
    w->s.rtol_vector = w->s.atol_vector = NULL;
    w->outer = NULL;
}
