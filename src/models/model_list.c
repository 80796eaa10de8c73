/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sized.h"
#include <geartrain/model.h>
#include <math.h>
#include <string.h>

/* The only list of models: a new file src/models/NAME.c or models/NAME.ode defines gt_model_NAME
 * and has its line here.
 */
#define MODELS(X)                                                                                  \
    X(harmonic)                                                                                    \
    X(stiff2)                                                                                      \
    X(stiff3c)                                                                                     \
    X(crow_p1)                                                                                     \
    X(crow_p2)                                                                                     \
    X(crow_p4)                                                                                     \
    X(predator_prey)                                                                               \
    X(duffing)                                                                                     \
    X(lorenz)                                                                                      \
    X(crow_p8)                                                                                     \
    X(crow_p10)                                                                                    \
    X(double_pendulum)                                                                             \
    X(oscillator)                                                                                  \
    X(fpu)                                                                                         \
    X(marginal4)                                                                                   \
    X(stiff3)                                                                                      \
    X(lotka_volterra)                                                                              \
    X(arm_eb)                                                                                      \
    X(arm_timoshenko)                                                                              \
    X(linear2)                                                                                     \
    X(pendulum)                                                                                    \
    X(kaps)                                                                                        \
    X(lienard)                                                                                     \
    X(quadfast)                                                                                    \
    X(quadosc)                                                                                     \
    X(flexjoint)                                                                                   \
    X(vanderpol)                                                                                   \
    X(robertson)                                                                                   \
    X(hires)                                                                                       \
    X(orego)                                                                                       \
    X(e5)                                                                                          \
    X(pollution)                                                                                   \
    X(ring)                                                                                        \
    X(pleiades)                                                                                    \
    X(beam)                                                                                        \
    X(brusselator)                                                                                 \
    X(heat)                                                                                        \
    X(kpr)                                                                                         \
    X(quartercar_a)                                                                                \
    X(quartercar_b)                                                                                \
    X(quartercar_c)                                                                                \
    X(vehicle)                                                                                     \
    X(truck)                                                                                       \
    X(vehicle3d)                                                                                   \
    X(bouncing)                                                                                    \
    X(rc_diode)                                                                                    \
    X(chemakzo)                                                                                    \
    X(transistor)                                                                                  \
    X(andrews)                                                                                     \
    X(andrews2)                                                                                    \
    X(crank)                                                                                       \
    X(adaptive)                                                                                    \
    X(adaptive_reduced)                                                                            \
    X(clustered)                                                                                   \
    X(cattaneo)                                                                                    \
    X(stiffchain)

#define DECLARE(name) extern const gt_model gt_model_##name;
MODELS(DECLARE)
#define ADDRESS(name) &gt_model_##name,
static const gt_model *const models[] = {MODELS(ADDRESS) NULL};

const gt_model *const *gt_model_list(void) { return models; }

const gt_model *gt_model_find(const char *name)
{
    if (!name) return NULL;
    for (const gt_model *const *m = models; *m; m++)
        if (strcmp((*m)->name, name) == 0) return *m;
    return NULL;
}

static gt_status full_model_build(const gt_model *model, const char *parameters,
                                  gt_problem *problem, gt_arena *arena, gt_message *message)
{
    GT_ARMOR(message, model && problem && arena);
    gt_values values = gt_params_default(model->params);
    gt_status status =
        gt_params_parse(model->params, "parameter", model->name, parameters, &values, message);
    if (status) return status;
    return gt_model_build_values(model, &values, problem, arena, message);
}

gt_status gt_model_build_sized(const gt_model *model, const char *parameters, gt_problem *problem,
                               size_t problem_size, gt_arena *arena, gt_message *message)
{
    GT_OUT(gt_problem, problem);
    gt_status result = full_model_build(model, parameters, problem, arena, message);
    /* A program without threads to lend loses nothing by this. */
    if (problem && problem_size < sizeof *problem) problem->use_threads = NULL;
    GT_GIVE_WHOLE(message, result, problem);
    return result;
}

static int fits(const gt_param *row, double value)
{
    if (!isfinite(value) || (row->type != GT_REAL && value != floor(value))) return 0;
    if (row->type == GT_CHOICE) {
        size_t count = 0;
        while (row->choices[count]) count++;
        return value >= 0 && value < (double)count;
    }
    return (row->min == 0 && row->max == 0) || (value >= row->min && value <= row->max);
}

static gt_status full_model_build_values(const gt_model *model, const gt_values *values,
                                         gt_problem *problem, gt_arena *arena, gt_message *message)
{
    GT_ARMOR(message, model && values && problem && arena);
    if (model->abi != GT_MODEL_ABI)
        return gt_fail(
            message, GT_UNSUPPORTED,
            "model %s was made for model interface %u, this is interface %d: compile it again",
            model->name, model->abi, GT_MODEL_ABI);
    size_t count = gt_params_count(model->params);
    for (size_t i = 0; i < count; i++) {
        const gt_param *row = &model->params[i];
        if (!fits(row, values->v[i]))
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "parameter %s of model %s cannot be %g; it is %s, in %g .. %g",
                           row->name, model->name, values->v[i],
                           row->type == GT_REAL ? "a real number" : "whole", row->min, row->max);
    }
    gt_status status = model->build_self ? model->build_self(model, values->v, problem, arena)
                                         : model->build(values->v, problem, arena);
    if (status == GT_NO_MEMORY)
        return gt_fail(message, status,
                       "there is not enough memory for model %s: try a smaller size", model->name);
    if (status)
        return gt_fail(message, status, "model %s could not be built: %s", model->name,
                       gt_status_text(status));
    problem->name = model->name;
    return gt_problem_check(problem, message);
}

gt_status gt_model_build_values_sized(const gt_model *model, const gt_values *values,
                                      gt_problem *problem, size_t problem_size, gt_arena *arena,
                                      gt_message *message)
{
    GT_OUT(gt_problem, problem);
    gt_status result = full_model_build_values(model, values, problem, arena, message);
    /* A program without threads to lend loses nothing by this. */
    if (problem && problem_size < sizeof *problem) problem->use_threads = NULL;
    GT_GIVE_WHOLE(message, result, problem);
    return result;
}
