/* SPDX-License-Identifier: BSD-3-Clause */
#include "advise_parts.h"
#include <math.h>

static json_t *pairs(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t k = 0; k < count; k++) json_array_append_new(array, gt_cli_json_numbers(values + 2 * k, 2));
    return array;
}

/* A step may be "unbounded". */
static json_t *step(double h) { return isinf(h) ? json_string("unbounded") : gt_cli_json_number(h); }

static void put(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, gt_cli_json_number(value));
}

static void put_bool(json_t *object, const char *key, bool value)
{
    json_object_set_new(object, key, json_boolean(value));
}

static void put_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, *text ? json_string(text) : json_null());
}

static json_t *json_spectrum(const gt_advice *a)
{
    json_t *object = json_object(), *points = json_array();
    put(object, "radius", a->radius);
    put(object, "stiffness_ratio", a->stiffness_ratio);
    put(object, "growth", a->growth);
    put(object, "frequency", a->frequency);
    put(object, "damping_ratio", a->damping);
    put_bool(object, "stiff", a->stiff);
    put_bool(object, "oscillates", a->oscillates);
    put_bool(object, "rings", a->rings);
    put(object, "steps_accuracy", a->steps_accuracy);
    put(object, "steps_stability", a->steps_stability);
    put_bool(object, "complete", a->points[0].complete);
    for (size_t k = 0; k < a->n_points; k++) {
        json_t *point = json_object();
        put(point, "t", a->points[k].t);
        put(point, "h", a->points[k].h);
        json_object_set_new(point, "eigenvalues", pairs(a->points[k].values, a->points[k].count));
        json_array_append_new(points, point);
    }
    json_object_set_new(object, "points", points);
    return object;
}

static json_t *json_split(const gt_problem *p, const gt_split *split)
{
    if (!split->n_fast) return json_null();
    json_t *object = json_object(), *names = json_array();
    char buffer[24];
    for (size_t i = 0; i < gt_problem_size(p); i++)
        if (split->fast[i]) json_array_append_new(names, json_string(gt_problem_state_name(p, i, buffer)));
    json_object_set_new(object, "fast", names);
    if (split->gap > 0) put(object, "gap", split->gap);
    put(object, "fast_rate", split->fast_rate);
    put(object, "slow_rate", split->slow_rate);
    put(object, "separation", split->separation);
    put(object, "coupling_sf", split->coupling_sf);
    put(object, "coupling_fs", split->coupling_fs);
    return object;
}

static json_t *json_blocks(const advise_job *job)
{
    const gt_split *split = gt_advise_division(job);
    const gt_advice *a = &job->advice;
    if (!split || !a->points[0].complete) return json_null();
    json_t *array = json_array();
    double values[2 * GT_SPECTRUM_DENSE];
    for (size_t k = 0; k < a->n_points; k++) {
        json_t *entry = json_object();
        size_t count;
        put(entry, "t", a->points[k].t);
        for (int fast = 0; fast < 2; fast++)
            if (!gt_split_block(&a->points[k], split->fast, fast, values, &count, NULL))
                json_object_set_new(entry, fast ? "fast" : "slow", pairs(values, count));
        json_array_append_new(array, entry);
    }
    return array;
}

static json_t *json_states(const advise_job *job)
{
    const gt_advice *a = &job->advice;
    if (!a->states) return json_null();
    json_t *object = json_object();
    char buffer[24];
    for (size_t i = 0; i < gt_problem_size(&job->p.problem); i++) {
        if (!(a->states[i].rate > 0)) continue;
        json_t *entry = json_object();
        put(entry, "rate", a->states[i].rate);
        put(entry, "time_scale", 1 / a->states[i].rate);
        put(entry, "fast_share", a->states[i].fast_share);
        put(entry, "motion", a->motion[i]);
        json_object_set_new(object, gt_problem_state_name(&job->p.problem, i, buffer), entry);
    }
    return object;
}

json_t *gt_manifold_json(const gt_problem *p, const gt_manifold *m)
{
    json_t *object = json_object(), *H = json_object(), *correction = json_object(), *L = json_array();
    char buffer[24];
    for (size_t i = 0; i < m->n_fast; i++) {
        json_t *row = json_array();
        const char *name = gt_problem_state_name(p, m->n_slow + i, buffer);
        put(H, name, m->H[i]);
        put(correction, name, m->correction[i]);
        for (size_t j = 0; j < m->n_slow; j++) json_array_append_new(row, gt_cli_json_number(m->L[j * m->n_fast + i]));
        json_array_append_new(L, row);
    }
    json_object_set_new(object, "H", H);
    json_object_set_new(object, "correction", correction);
    put(object, "distance", m->distance);
    put(object, "distance_corrected", m->corrected);
    json_object_set_new(object, "iterations", json_integer(m->iterations));
    json_object_set_new(object, "L", m->iterations ? L : json_null());
    if (!m->iterations) json_decref(L);
    json_object_set_new(object, "slow", m->iterations ? pairs(m->slow, m->n_slow) : json_null());
    json_object_set_new(object, "fast", m->iterations ? pairs(m->fast, m->n_fast) : json_null());
    return object;
}

static json_t *json_manifold(const advise_job *job)
{
    const gt_advice *a = &job->advice;
    if (!a->has_manifold) return json_null();
    json_t *object = gt_manifold_json(&job->p.problem, &a->manifold);
    json_object_set_new(object, "distances", gt_cli_json_numbers(a->distance, a->n_points));
    return object;
}

static json_t *json_methods(const advise_job *job)
{
    static const char *const verdicts[] = {"good", "possible", "no"};
    json_t *array = json_array();
    for (size_t k = 0; k < job->advice.n_methods; k++) {
        const gt_method_advice *m = &job->advice.methods[k];
        json_t *entry = json_object();
        put_text(entry, "method", m->method->name);
        put_text(entry, "verdict", verdicts[m->verdict]);
        put(entry, "work", m->work);
        json_object_set_new(entry, "h_stable", step(m->h_stable));
        put(entry, "h_accurate", m->h_accurate);
        if (job->max_step) json_object_set_new(entry, "h_tried", step(job->max_step[k]));
        put_text(entry, "why", m->why.text);
        json_array_append_new(array, entry);
    }
    return array;
}

json_t *gt_advise_json(const advise_job *job)
{
    const gt_advice *a = &job->advice;
    json_t *object = json_object(), *run = json_object();
    put_text(object, "model", job->p.model->name);
    json_object_set_new(object, "parameters", gt_cli_json_values(job->p.model->params, &job->p.values));
    put_text(object, "status", gt_status_name(a->run.status));
    put_text(object, "message", a->run.message.text);
    put(object, "rtol", a->rtol);
    put_text(run, "method", a->method->name);
    put_text(run, "why", a->why_method.text);
    put(run, "t", a->run.t);
    json_object_set_new(run, "stats", gt_cli_json_stats(&a->run.stats));
    json_object_set_new(object, "run", run);
    json_object_set_new(object, "spectrum", json_spectrum(a));
    json_object_set_new(object, "states", json_states(job));
    json_object_set_new(object, "split", json_split(&job->p.problem, &a->split));
    json_object_set_new(object, "partition", json_split(&job->p.problem, &a->given));
    if (job->blocks) json_object_set_new(object, "blocks", json_blocks(job));
    json_object_set_new(object, "manifold", json_manifold(job));
    put_text(object, "multirate", a->multirate.text);
    put_text(object, "backinterpolation", a->backinterpolation.text);
    if (job->times.full > 0) {
        json_t *times = json_object();
        put(times, "rhs_s", job->times.full);
        if (job->times.slow > 0) put(times, "rhs_slow_s", job->times.slow);
        if (job->times.fast > 0) put(times, "rhs_fast_s", job->times.fast);
        json_object_set_new(object, "cost", times);
    }
    json_object_set_new(object, "methods", json_methods(job));
    bool any = a->n_methods && a->methods[0].verdict != GT_NOT_ADVISED;
    put_text(object, "recommendation", any ? a->methods[0].method->name : "");
    return object;
}
