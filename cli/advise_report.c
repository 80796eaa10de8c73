/* SPDX-License-Identifier: BSD-3-Clause */
#include "advise_parts.h"
#include <math.h>
#include <string.h>

enum { MOST_STATES = 12, MOST_VALUES = 8 };

const gt_split *gt_advise_division(const advise_job *job)
{
    const gt_advice *a = &job->advice;
    return a->given.n_fast ? &a->given : a->split.n_fast ? &a->split : NULL;
}

void gt_advise_fast_names(const advise_job *job, const gt_split *split, char *buffer, size_t size)
{
    enum { REST = 24 }; /* room for "and 1234 more" */
    const gt_problem *p = &job->p.problem;
    size_t used = 0, shown = 0;
    char made_up[24];
    buffer[0] = '\0';
    for (size_t i = 0; i < gt_problem_size(p); i++) {
        if (!split->fast[i]) continue;
        const char *name = gt_problem_state_name(p, i, made_up);
        if (used + strlen(name) + 1 + REST > size) break; /* names are not cut */
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", used ? "," : "", name);
        shown++;
    }
    if (shown < split->n_fast)
        snprintf(buffer + used, size - used, " and %zu more", split->n_fast - shown);
}

void gt_advise_say_values(const double *values, size_t count, report_text *out)
{
    for (size_t k = 0; k < count && k < MOST_VALUES; k++) {
        double re = values[2 * k], im = values[2 * k + 1];
        gt_report_say(out, "%s%.5g", k ? ", " : "", re);
        if (im != 0) gt_report_say(out, " %c %.5gi", im < 0 ? '-' : '+', fabs(im));
    }
    if (count > MOST_VALUES) gt_report_say(out, ", ..");
}

static const advise_job *job_of(const void *data) { return data; }

static const gt_advice *advice_of(const void *data) { return &job_of(data)->advice; }

/* ---- the run and the spectrum along it ---- */

static void say_heading(const void *data, report_text *out)
{
    const advise_job *job = data;
    gt_report_say(out, "%s: %s; t = %g to %g, rtol %g", job->p.model->name, job->p.model->title,
                  job->p.problem.t0, job->advice.run.t, job->advice.rtol);
}

static void say_run(const void *data, report_text *out)
{
    const gt_advice *a = advice_of(data);
    gt_report_say(out, "along a run of %s, %ld steps: %s", a->method->name, a->run.stats.steps,
                  a->why_method.text);
}

static const report_field run_fields[] = {
    REPORT_KEY("method", "of the run along which everything was looked at",
               REPORT_VIA(gt_advice, method, gt_method, name)),
    REPORT_KEY("why", "this method", REPORT_AT(gt_advice, why_method), .nullable = true),
    REPORT_KEY("t", "where it ended", REPORT_AT(gt_advice, run.t)),
    REPORT_KEY("stats", "its work", REPORT_AS(OBJECT, gt_advice, run.stats), .of = gt_report_stats),
    {.type = REPORT_END},
};

static const report_field point_fields[] = {
    REPORT_KEY("t", "where", REPORT_AT(gt_spectrum, t)),
    REPORT_KEY("h", "the step that led there; 0: not known", REPORT_AT(gt_spectrum, h)),
    REPORT_KEY("eigenvalues", "the largest first", REPORT_PAIRS(gt_spectrum, values, count)),
    {.type = REPORT_END},
};

static void say_spectrum(const void *data, report_text *out)
{
    const gt_advice *a = data;
    gt_report_say(out, "largest |lambda| %.5g at %zu points", a->radius, a->n_points);
    if (a->stiffness_ratio > 0)
        gt_report_say(out, ", stiffness ratio up to %.3g", a->stiffness_ratio);
    if (a->growth > 0) gt_report_say(out, ", growing modes up to %.3g", a->growth);
}

static void say_last_values(const void *data, report_text *out)
{
    const gt_advice *a = data;
    const gt_spectrum *last = &a->points[a->n_points - 1];
    gt_advise_say_values(last->values, last->count, out);
}

static void say_oscillation(const void *data, report_text *out)
{
    const gt_advice *a = data;
    if (a->frequency > 0)
        gt_report_say(out, "up to %.5g rad per unit of time, damping ratio of that mode %.3g",
                      a->frequency, a->damping);
}

static void say_stiff(const void *data, report_text *out)
{
    const gt_advice *a = data;
    gt_report_say(out, "%s: dopri5 needs about %.4g steps to be stable, and %.4g for accuracy",
                  a->stiff ? "yes" : "no", a->steps_stability, a->steps_accuracy);
}

static const report_field spectrum_fields[] = {
    REPORT_KEY("radius", "largest |lambda|", REPORT_AT(gt_advice, radius), .label = "spectrum",
               .say = say_spectrum),
    REPORT_KEY("stiffness_ratio", "largest over smallest decay",
               REPORT_AT(gt_advice, stiffness_ratio)),
    REPORT_KEY("growth", "largest real part above 0", REPORT_AT(gt_advice, growth)),
    REPORT_TEXT("at the end", say_last_values),
    REPORT_KEY("frequency", "largest |im|", REPORT_AT(gt_advice, frequency), .label = "oscillation",
               .say = say_oscillation),
    REPORT_KEY("damping_ratio", "of that mode", REPORT_AT(gt_advice, damping)),
    REPORT_KEY("stiff", "stability asks for more than twice the steps of accuracy",
               REPORT_AT(gt_advice, stiff), .label = "stiff", .say = say_stiff),
    REPORT_KEY("oscillates", "modes turn much before they decay", REPORT_AT(gt_advice, oscillates)),
    REPORT_KEY("rings", "and go on for most of the run", REPORT_AT(gt_advice, rings)),
    REPORT_KEY("steps_accuracy", "of dopri5, for accuracy", REPORT_AT(gt_advice, steps_accuracy)),
    REPORT_KEY("steps_stability", "of dopri5, to be stable", REPORT_AT(gt_advice, steps_stability)),
    REPORT_KEY("complete", "all eigenvalues were found, not only the largest",
               REPORT_VIA(gt_advice, points, gt_spectrum, complete)),
    REPORT_KEY("points", "along the run", REPORT_ARRAY(gt_advice, points, n_points),
               .of = point_fields),
    {.type = REPORT_END},
};

/* ---- states: item i of a job ---- */

static const gt_state_rate *rate_of(const void *data)
{
    const report_item *item = data;
    return &advice_of(item->of)->states[item->i];
}

static void get_rate(const void *data, report_value *out) { out->number = rate_of(data)->rate; }

static void get_scale(const void *data, report_value *out)
{
    out->number = 1 / rate_of(data)->rate;
}

static void get_share(const void *data, report_value *out)
{
    out->number = rate_of(data)->fast_share;
}

static void get_motion(const void *data, report_value *out)
{
    const report_item *item = data;
    out->number = advice_of(item->of)->motion[item->i];
}

static void say_state(const void *data, report_text *out)
{
    const report_item *item = data;
    char name[24];
    gt_report_say(out, "%s", gt_problem_state_name(&job_of(item->of)->p.problem, item->i, name));
}

static const report_field state_fields[] = {
    {.type = REPORT_STRING, .label = "state", .say = say_state},
    REPORT_KEY("rate", "mean |lambda| of the modes it takes part in", .type = REPORT_NUMBER,
               .get = get_rate, .label = "rate", .format = "%.4g"),
    REPORT_KEY("time_scale", "1 / rate", .type = REPORT_NUMBER, .get = get_scale,
               .label = "time scale", .format = "%.4g"),
    REPORT_KEY("fast_share", "its part in the fast modes", .type = REPORT_NUMBER, .get = get_share,
               .label = "part in fast", .format = "%.3f"),
    REPORT_KEY("motion", "how far it moves in the run", .type = REPORT_NUMBER, .get = get_motion,
               .label = "motion", .format = "%.4g"),
    {.type = REPORT_END},
};

static bool each_state(const void *data, size_t i, report_value *out)
{
    const advise_job *job = data;
    if (i >= gt_problem_size(&job->p.problem)) return false;
    out->name = gt_problem_state_name(&job->p.problem, i, out->name_room);
    out->absent = !(job->advice.states[i].rate > 0);
    return true;
}

static void get_states(const void *data, report_value *out)
{
    if (!advice_of(data)->states) out->type = REPORT_END;
}

static bool has_few_states(const void *data)
{
    return advice_of(data)->states && gt_problem_size(&job_of(data)->p.problem) <= MOST_STATES;
}

static void say_gap(const void *data, report_text *out)
{
    if (has_few_states(data)) gt_report_say(out, "\n");
}

/* ---- divisions: `of` a gt_split `with` its problem ---- */

static void get_division(report_value *out, const advise_job *job, const gt_split *split)
{
    out->item = (report_item){.of = split, .with = &job->p.problem};
    out->data = split->n_fast ? &out->item : NULL;
}

static void get_given(const void *data, report_value *out)
{
    get_division(out, data, &advice_of(data)->given);
}

static void get_split(const void *data, report_value *out)
{
    get_division(out, data, &advice_of(data)->split);
}

static bool each_fast(const void *data, size_t i, report_value *out)
{
    const report_item *item = data;
    const gt_problem *problem = item->with;
    if (i >= gt_problem_size(problem)) return false;
    out->absent = !((const gt_split *)item->of)->fast[i];
    out->text = gt_problem_state_name(problem, i, out->room);
    return true;
}

static bool has_gap(const void *data)
{
    return ((const gt_split *)((const report_item *)data)->of)->gap > 0;
}

#define SPLIT_AT(member) .via = {offsetof(report_item, of) + 1}, REPORT_AT(gt_split, member)

static const report_field split_fields[] = {
    REPORT_KEY("fast", "names of the fast states", .type = REPORT_LIST, .each = each_fast,
               .entry = REPORT_STRING),
    REPORT_KEY("gap", "slowest fast over fastest slow mode", SPLIT_AT(gap), .when = has_gap),
    REPORT_KEY("fast_rate", "smallest |lambda| of the fast block", SPLIT_AT(fast_rate)),
    REPORT_KEY("slow_rate", "largest |lambda| of the slow block", SPLIT_AT(slow_rate)),
    REPORT_KEY("separation", "the one over the other", SPLIT_AT(separation)),
    REPORT_KEY("coupling_sf", "of the fast states into the slow block", SPLIT_AT(coupling_sf)),
    REPORT_KEY("coupling_fs", "of the slow states into the fast block", SPLIT_AT(coupling_fs)),
    {.type = REPORT_END},
};

static void say_division(const advise_job *job, const gt_split *split, report_text *out)
{
    char names[160];
    if (!split->n_fast) return;
    gt_advise_fast_names(job, split, names, sizeof names);
    gt_report_say(out,
                  "fast %s; slowest fast rate %.4g, fastest slow rate %.4g, apart %.3g; coupling "
                  "%.2g to slow, %.2g to fast",
                  names, split->fast_rate, split->slow_rate, split->separation, split->coupling_sf,
                  split->coupling_fs);
}

static void say_given(const void *data, report_text *out)
{
    say_division(data, &advice_of(data)->given, out);
}

static void say_split(const void *data, report_text *out)
{
    say_division(data, &advice_of(data)->split, out);
}

/* ---- blocks ---- */

static bool has_slow(const void *data) { return ((const advise_block *)data)->slow != NULL; }

static bool has_fast(const void *data) { return ((const advise_block *)data)->fast != NULL; }

static const report_field block_fields[] = {
    REPORT_KEY("t", "where", REPORT_AT(advise_block, t)),
    REPORT_KEY("slow", "eigenvalues of the slow block", REPORT_PAIRS(advise_block, slow, n_slow),
               .when = has_slow),
    REPORT_KEY("fast", "eigenvalues of the fast block", REPORT_PAIRS(advise_block, fast, n_fast),
               .when = has_fast),
    {.type = REPORT_END},
};

static bool asks_for_blocks(const void *data) { return job_of(data)->blocks; }

static void get_blocks(const void *data, report_value *out)
{
    if (!job_of(data)->block) out->type = REPORT_END;
}

static bool each_block(const void *data, size_t i, report_value *out)
{
    if (i >= advice_of(data)->n_points) return false;
    out->data = &job_of(data)->block[i];
    return true;
}

static const advise_block *last_block(const void *data)
{
    const advise_job *job = data;
    return job->block ? &job->block[job->advice.n_points - 1] : NULL;
}

static void say_slow_block(const void *data, report_text *out)
{
    const advise_block *last = last_block(data);
    if (last && last->slow) gt_advise_say_values(last->slow, last->n_slow, out);
}

static void say_fast_block(const void *data, report_text *out)
{
    const advise_block *last = last_block(data);
    if (last && last->fast) gt_advise_say_values(last->fast, last->n_fast, out);
}

static void say_no_blocks(const void *data, report_text *out)
{
    if (asks_for_blocks(data) && !last_block(data))
        gt_report_say(out, "none: there is neither a fast block nor a suggested one");
}

/* ---- the manifold ---- */

static void get_slow(const void *data, report_value *out)
{
    out->data = advice_of(data)->has_manifold ? data : NULL;
}

static bool each_distance(const void *data, size_t i, report_value *out)
{
    return gt_report_number_entry(advice_of(data)->distance, advice_of(data)->n_points, i, out);
}

static void say_distance(const void *data, report_text *out)
{
    const gt_advice *a = advice_of(data);
    double largest = 0;
    for (size_t k = 0; k < a->n_points; k++)
        if (a->distance[k] > largest) largest = a->distance[k];
    gt_report_say(out, "the solution is up to %.3g away from H on its way", largest);
}

static const report_field manifold_fields[] = {
    REPORT_PART(gt_manifold_fields, .offset = offsetof(advise_job, slow)),
    REPORT_KEY("distances", "of the solution from H at the points", .type = REPORT_LIST,
               .each = each_distance, .entry = REPORT_NUMBER, .label = " ", .say = say_distance),
    {.type = REPORT_END},
};

static void say_no_manifold(const void *data, report_text *out)
{
    const gt_advice *a = advice_of(data);
    if (!a->has_manifold && *a->manifold_message.text)
        gt_report_say(out, "none: %s", a->manifold_message.text);
}

const report_field gt_advise_fields[] = {
    REPORT_TEXT("", say_heading),
    REPORT_PART(gt_report_model, .offset = offsetof(advise_job, p)),
    REPORT_KEY("status", "of the run", REPORT_AS(STATUS, advise_job, advice.run.status)),
    REPORT_KEY("message", "what went wrong in it", REPORT_AT(advise_job, advice.run.message),
               .nullable = true),
    REPORT_KEY("rtol", "the tolerance that the advice is for", REPORT_AT(advise_job, advice.rtol)),
    REPORT_KEY("run", "along which everything was looked at", REPORT_AS(OBJECT, advise_job, advice),
               .of = run_fields, .label = "looked at", .say = say_run),
    REPORT_KEY("spectrum", "of the Jacobian along the run", REPORT_AS(OBJECT, advise_job, advice),
               .of = spectrum_fields, .label = ""),
    REPORT_KEY("states", "by name; null: not all eigenvalues are known", .type = REPORT_MAP,
               .get = get_states, .each = each_state, .of = state_fields, .nullable = true),
    {.type = REPORT_LIST,
     .each = each_state,
     .of = state_fields,
     .when = has_few_states,
     .label = ""},
    REPORT_TEXT("", say_gap),
    REPORT_KEY("partition", "the model's own blocks", .type = REPORT_OBJECT, .get = get_given,
               .of = split_fields, .nullable = true, .label = "own split", .say = say_given),
    REPORT_KEY("split", "the suggested ones", .type = REPORT_OBJECT, .get = get_split,
               .of = split_fields, .nullable = true, .label = "split", .say = say_split),
    REPORT_KEY("blocks", "with --blocks, at the points", .type = REPORT_LIST, .get = get_blocks,
               .each = each_block, .of = block_fields, .when = asks_for_blocks, .nullable = true,
               .label = "J_ss at end", .say = say_slow_block),
    REPORT_TEXT("J_ff at end", say_fast_block),
    REPORT_TEXT("blocks", say_no_blocks),
    REPORT_KEY("manifold", "the slow manifold at the end", .type = REPORT_OBJECT, .get = get_slow,
               .of = manifold_fields, .nullable = true, .label = ""),
    REPORT_TEXT("manifold", say_no_manifold),
    REPORT_KEY("multirate", "whether different steps for the blocks pay",
               REPORT_AT(advise_job, advice.multirate), .nullable = true, .label = "multirate"),
    REPORT_KEY("backinterpolation", "whether these methods suit",
               REPORT_AT(advise_job, advice.backinterpolation), .nullable = true,
               .label = "backinterp."),
    REPORT_PART(gt_advise_method_fields, .offset = 0),
    {.type = REPORT_END},
};
