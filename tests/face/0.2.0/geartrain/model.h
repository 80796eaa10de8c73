/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_MODEL_H
#define GEARTRAIN_MODEL_H

#include <geartrain/api.h>
#include <geartrain/author/arena.h>
#include <geartrain/author/param.h>
#include <geartrain/problem.h>

GT_C_BEGIN

/* A family of problems. `build` fills a problem for given parameter values; what the problem points
 * to lives in the arena, so two problems of one model share nothing. */
enum { GT_MODEL_ABI = 5 };

typedef struct gt_model {
    unsigned abi; /* GT_MODEL_ABI */
    const char *name, *title, *reference;
    const char *equations; /* for people, one equation a line */
    const gt_param *params;
    gt_status (*build)(const double *v, gt_problem *problem, gt_arena *arena);
    /* Instead of `build`, for models that share one: what differs is in `data`. */
    gt_status (*build_self)(const struct gt_model *self, const double *v, gt_problem *problem,
                            gt_arena *arena);
    const void *data;
} gt_model;

/* All built-in models; ends with NULL. */
GT_API const gt_model *const *gt_model_list(void);
GT_API const gt_model *gt_model_find(const char *name);

GT_API gt_status gt_model_build_sized(const gt_model *model, const char *parameters,
                                      gt_problem *problem, size_t problem_size, gt_arena *arena,
                                      gt_message *message) GT_MUST_CHECK;
/* Builds with parameters from text like "n=20, mu=5"; the arena must be growing. */
static inline GT_MUST_CHECK gt_status gt_model_build(const gt_model *model, const char *parameters,
                                                     gt_problem *problem, gt_arena *arena,
                                                     gt_message *message)
{
    return gt_model_build_sized(model, parameters, problem, sizeof *problem, arena, message);
}

GT_API gt_status gt_model_build_values_sized(const gt_model *model, const gt_values *values,
                                             gt_problem *problem, size_t problem_size,
                                             gt_arena *arena, gt_message *message) GT_MUST_CHECK;
/* The same from values. */
static inline GT_MUST_CHECK gt_status gt_model_build_values(const gt_model *model,
                                                            const gt_values *values,
                                                            gt_problem *problem, gt_arena *arena,
                                                            gt_message *message)
{
    return gt_model_build_values_sized(model, values, problem, sizeof *problem, arena, message);
}

GT_C_END

#endif
