/* SPDX-License-Identifier: BSD-3-Clause */
/* The lists, and the problem that a page works on. */
#include "lab_face.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_method(lab_text *out, const gt_method *method)
{
    gt_values v = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, v.v);
    lab_begin(out, '{');
    lab_put_string(out, "name", method->name);
    lab_put_string(out, "family", method->family);
    lab_put_string(out, "title", method->title);
    lab_put_number(out, "order", facts.order);
    lab_put_bool(out, "controlled", facts.error_order > 0 || method->judge);
    lab_put_bool(out, "partition", facts.flags & GT_NEEDS_PARTITION);
    lab_put_bool(out, "algebraic", facts.flags & GT_TREATS_ALGEBRAIC);
    lab_put_params(out, "options", method->options);
    lab_end(out, '}');
}

int gt_lab_catalogue(gt_lab *lab)
{
    lab_text *out = &lab->answer;
    lab_answer(lab);
    lab_put_string(out, "version", gt_version());
    lab_key(out, "methods");
    lab_begin(out, '[');
    for (const gt_method *const *m = gt_method_list(); *m; m++) put_method(out, *m);
    lab_end(out, ']');
    lab_key(out, "models");
    lab_begin(out, '[');
    for (const gt_model *const *m = gt_model_list(); *m; m++) {
        lab_begin(out, '{');
        lab_put_string(out, "name", (*m)->name);
        lab_put_string(out, "title", (*m)->title);
        lab_end(out, '}');
    }
    lab_end(out, ']');
    return lab_close(lab, GT_OK, NULL);
}

/* ---- a model ---- */

static void put_notes(lab_text *out, const gt_ode *ode)
{
    const gt_ode_facts *facts = ode ? gt_ode_facts_of(ode) : NULL;
    lab_key(out, "notes");
    lab_begin(out, '[');
    for (size_t i = 0; facts && i < facts->n_notes; i++) {
        lab_begin(out, '{');
        lab_put_number(out, "line", facts->notes[i].line);
        lab_put_number(out, "column", facts->notes[i].column);
        lab_put_bool(out, "error", facts->notes[i].is_error);
        lab_put_string(out, "text", facts->notes[i].text);
        lab_end(out, '}');
    }
    lab_end(out, ']');
}

static void close_model(gt_lab *lab)
{
    gt_arena_free(&lab->arena);
    lab->arena = gt_arena_growing();
    gt_ode_free(lab->ode);
    lab->ode = NULL;
    lab->model = NULL;
    lab->built = false;
}

int gt_lab_open(gt_lab *lab, const char *name, const char *text)
{
    gt_message message = {""};
    gt_status status = GT_OK;
    lab_text *out = &lab->answer;
    close_model(lab);
    lab_answer(lab);
    if (text) {
        status = gt_ode_parse(text, strlen(text), name, &lab->ode, &message);
        lab->model = !status && lab->ode ? gt_ode_model(lab->ode) : NULL;
    } else if (!(lab->model = gt_model_find(name))) {
        status = gt_fail(&message, GT_UNKNOWN_NAME, "there is no model '%s'", name);
    }
    put_notes(out, lab->ode);
    if (lab->model) {
        lab_put_string(out, "name", lab->model->name);
        lab_put_string(out, "title", lab->model->title);
        lab_put_string(out, "reference", lab->model->reference);
        lab_put_string(out, "equations", lab->model->equations);
        lab_put_params(out, "params", lab->model->params);
    }
    return lab_close(lab, status, &message);
}

/* ---- a problem ---- */

/* "x=1, y=0" into x0. */
static gt_status read_start(const gt_problem *p, const char *text, double *x0, gt_message *message)
{
    size_t n = gt_problem_size(p);
    while (*text) {
        text += strspn(text, ", ");
        size_t length = strcspn(text, "=,");
        if (!length) break;
        char buffer[24];
        size_t i = 0;
        for (; i < n; i++) {
            const char *name = gt_problem_state_name(p, i, buffer);
            if (strlen(name) == length && !memcmp(name, text, length)) break;
        }
        if (i == n)
            return gt_fail(message, GT_UNKNOWN_NAME, "there is no state '%.*s'", (int)length, text);
        text += length + (text[length] == '=');
        const char *end = gt_number_read(text, NULL, &x0[i]);
        if (end == text || !isfinite(x0[i]))
            return gt_fail(message, GT_BAD_ARGUMENT, "the initial value of %s is not a number",
                           gt_problem_state_name(p, i, buffer));
        text = end + strspn(end, ", ");
    }
    return GT_OK;
}

static void put_problem(lab_text *out, const gt_problem *p)
{
    char buffer[24];
    lab_put_number(out, "t0", p->t0);
    lab_put_number(out, "t1", p->t1);
    lab_put_number(out, "slow", (double)p->n_slow);
    lab_put_number(out, "fast", (double)p->n_fast);
    lab_put_number(out, "algebraic", (double)p->n_alg);
    lab_put_bool(out, "exact", p->exact);
    lab_key(out, "states");
    lab_begin(out, '[');
    for (size_t i = 0; i < gt_problem_size(p); i++) {
        lab_begin(out, '{');
        lab_put_string(out, "name", gt_problem_state_name(p, i, buffer));
        lab_put_string(out, "unit", p->units ? p->units[i] : NULL);
        lab_put_number(out, "x0", p->x0[i]);
        lab_end(out, '}');
    }
    lab_end(out, ']');
    lab_key(out, "aux");
    lab_begin(out, '[');
    for (size_t i = 0; i < p->n_aux; i++) lab_string(out, p->aux_names[i]);
    lab_end(out, ']');
}

static gt_status build(gt_lab *lab, const char *parameters, const char *start, double t1,
                       gt_message *message)
{
    gt_problem *p = &lab->problem;
    if (!lab->model) return gt_fail(message, GT_BAD_ARGUMENT, "there is no model yet");
    *p = (gt_problem){0};
    gt_status status = gt_model_build(lab->model, parameters, p, &lab->arena, message);
    if (status) return status;
    size_t n = gt_problem_size(p);
    double *x0 = gt_arena_doubles(&lab->arena, n);
    lab->times = gt_arena_doubles(&lab->arena, LAB_TIMES + 1);
    if (!x0 || !lab->times) return gt_fail(message, GT_NO_MEMORY, "out of memory");
    memcpy(x0, p->x0, n * sizeof *x0);
    if ((status = read_start(p, start, x0, message))) return status;
    if (memcmp(x0, p->x0, n * sizeof *x0))
        p->exact = NULL; /* which is for the start of the model only */
    p->x0 = x0;
    if (!isnan(t1)) p->t1 = t1;
    if (!isfinite(p->t1) || p->t1 == p->t0)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the end of the time must differ from its start, %g", p->t0);
    for (int k = 0; k <= LAB_TIMES; k++)
        lab->times[k] = k < LAB_TIMES ? p->t0 + (p->t1 - p->t0) * k / LAB_TIMES : p->t1;
    return gt_problem_check(p, message);
}

int gt_lab_build(gt_lab *lab, const char *parameters, const char *start, double t1)
{
    gt_message message = {""};
    gt_arena_free(&lab->arena);
    lab->arena = gt_arena_growing();
    memset(lab->runs, 0, sizeof lab->runs);
    lab->reference = (lab_track){0};
    lab_answer(lab);
    gt_status status = build(lab, parameters, start, t1, &message);
    lab->built = !status;
    if (lab->built) put_problem(&lab->answer, &lab->problem);
    return lab_close(lab, status, &message);
}
