/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix of a step on x' = A x, by making steps from unit vectors; it needs no tableau and no
 * formula. */
#include "analysis/step_map.h"
#include <assert.h>
#include <geartrain/author/lu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t past_of(const gt_step_map *map, double *part[GT_MAX_PAST], size_t size[GT_MAX_PAST])
{
    const gt_method *method = map->s.method;
    return method->past ? method->past(&map->s, part, size) : 0;
}

gt_status gt_step_map_open(gt_step_map *map, const gt_method *method, const char *options,
                           size_t n_slow, size_t n_fast, const double *A, gt_arena *arena,
                           gt_message *message)
{
    assert(map && method && A && arena);
    size_t n = n_slow + n_fast, bytes, length[GT_MAX_PAST];
    double *part[GT_MAX_PAST];
    *map = (gt_step_map){.n = n, .size = n};
    map->from = gt_arena_doubles(arena, n);
    if (!map->from)
        return gt_fail(message, GT_NO_MEMORY,
                       "out of memory for the matrix of a step of %zu states", n);
    map->model = (gt_linear_model){.n_slow = n_slow, .n_fast = n_fast, .A = A, .leading = n};
    map->problem = gt_linear_problem(&map->model, map->from, "the linear model");
    memset(map->from, 0, n * sizeof *map->from);
    gt_status status = gt_stepper_measure(method, options, &map->problem, &bytes, message);
    if (status) return status;
    map->memory = malloc(bytes);
    if (!map->memory)
        return gt_fail(message, GT_NO_MEMORY, "out of memory for a step of %s", method->name);
    status = gt_stepper_init(&map->s, method, options, &map->problem, map->memory, bytes);
    if (status) return gt_fail(message, status, "%s", map->s.message.text);
    map->ready = true;
    for (size_t k = past_of(map, part, length); k-- > 0;) map->size += length[k];
    map->from = gt_arena_doubles(arena, map->size);
    map->to = gt_arena_doubles(arena, map->size);
    map->values = gt_arena_doubles(arena, 2 * map->size);
    map->M = gt_arena_doubles(arena, map->size * map->size);
    return arena->failed ? gt_fail(message, GT_NO_MEMORY, "out of memory for the matrix of a step")
                         : GT_OK;
}

double gt_step_map_work(const gt_step_map *map)
{
    const gt_facts *f = &map->s.facts;
    double n = (double)map->n, steps = (double)map->size + 1, d = (double)map->size;
    double block = (double)(map->problem.n_fast ? map->problem.n_fast : map->n);
    double rows = n * f->evaluations + (double)map->problem.n_slow * f->slow_evaluations +
                  (double)map->problem.n_fast * f->fast_evaluations;
    double step = 2 * n * fmax(rows, 2 * n) + 30 * f->functions * block * block * block;
    if (f->flags & GT_USES_JACOBIAN) step += n * n * n;
    return steps * step + 10 * d * d * d;
}

void gt_step_map_close(gt_step_map *map)
{
    if (map->ready) gt_stepper_free(&map->s);
    free(map->memory);
    map->memory = NULL;
    map->ready = false;
}

/* From a point with all of the past, which zero steps have filled: a method is at its formula then.
 */
static gt_status step_with_past(gt_step_map *map, double h, const double *from, double *to)
{
    gt_stepper *s = &map->s;
    double *part[GT_MAX_PAST];
    size_t length[GT_MAX_PAST], count = past_of(map, part, length);
    memcpy(s->x, from, s->n * sizeof *from);
    s->f_known = false;
    from += s->n;
    for (size_t k = 0; k < count; from += length[k++])
        memcpy(part[k], from, length[k] * sizeof *from);
    gt_status status = gt_stepper_step(s, h);
    if (status) return status;
    memcpy(to, s->x, s->n * sizeof *to);
    to += s->n;
    past_of(map, part, length); /* the arrays may have changed places */
    for (size_t k = 0; k < count; to += length[k++]) memcpy(to, part[k], length[k] * sizeof *to);
    return GT_OK;
}

static gt_status make_step(gt_step_map *map, double h, const double *from, double *to)
{
    if (map->size > map->n) return step_with_past(map, h, from, to);
    gt_stepper_start(&map->s, 0, from);
    gt_status status = gt_stepper_step(&map->s, h);
    if (!status) memcpy(to, map->s.x, map->n * sizeof *to);
    return status;
}

static gt_status fill_past(gt_step_map *map, double h)
{
    gt_status status = GT_OK;
    memset(map->from, 0, map->n * sizeof *map->from);
    gt_stepper_start(&map->s, 0, map->from);
    for (int k = 0; k < 2 * GT_MAX_PAST && !status && map->size > map->n; k++)
        status = gt_stepper_step(&map->s, h);
    return status;
}

/* A step from a vector with all of its components is the sum of the columns, or it is not linear.
 */
static gt_status is_linear(gt_step_map *map, double h, bool *linear)
{
    size_t n = map->size;
    double most = 0, off = 0;
    for (size_t j = 0; j < n; j++) map->from[j] = 0.3 + 0.7 * (double)((j * 7) % 11) / 11;
    gt_status status = make_step(map, h, map->from, map->to);
    for (size_t i = 0; i < n && !status; i++) {
        double sum = 0, size = 0;
        for (size_t j = 0; j < n; j++) {
            sum += map->M[j * n + i] * map->from[j];
            size += fabs(map->M[j * n + i] * map->from[j]);
        }
        most = fmax(most, size);
        off = fmax(off, fabs(sum - map->to[i]));
    }
    *linear = off <= 1e-6 * most;
    return status;
}

gt_status gt_step_map_radius(gt_step_map *map, double h, double *radius)
{
    assert(map && radius);
    assert(h > 0);
    size_t n = map->size;
    bool linear = true;
    gt_status status = fill_past(map, h);
    for (size_t j = 0; j < n && !status; j++) {
        memset(map->from, 0, n * sizeof *map->from);
        map->from[j] = 1;
        status = make_step(map, h, map->from, map->M + j * n);
    }
    if (!status) status = is_linear(map, h, &linear);
    if (!status && !linear) return GT_UNSUPPORTED;
    *radius = INFINITY;
    if (status < 0) return status;
    if (status) return GT_OK; /* a step that cannot be made */
    status = gt_eigen(n, map->M, map->values, NULL, NULL);
    if (status == GT_NO_MEMORY) return status;
    if (status) return GT_OK;
    *radius = 0;
    for (size_t k = 0; k < n; k++)
        *radius = fmax(*radius, hypot(map->values[2 * k], map->values[2 * k + 1]));
    return GT_OK;
}
