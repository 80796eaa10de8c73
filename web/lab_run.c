/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs, what is drawn of them, and their errors. */
#include "lab_face.h"
#include <float.h>
#include <geartrain/analysis/choose.h>
#include <geartrain/author/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __wasm__
__attribute__((import_module("env"), import_name("progress"))) extern void
page_progress(double t, double steps);
#else
static void page_progress(double t, double steps) { (void)t, (void)steps; }
#endif

void lab_progress(double t, const gt_stats *stats, void *ctx)
{
    (void)ctx;
    page_progress(t, (double)stats->steps);
}

/* ---- what is drawn ---- */

/* Rows of the answer. When there is no more room every second one goes, and from then on only every
 * so many come. */
typedef struct drawing {
    gt_sink sink;
    gt_lab *lab;
    size_t width, count, most, stride, seen;
    double *last; /* the newest row, in case it is the end */
    bool last_kept;
} drawing;

static void thin_out(drawing *d)
{
    double *rows = d->lab->numbers;
    for (size_t k = 1; 2 * k < d->count; k++)
        memcpy(rows + k * d->width, rows + 2 * k * d->width, d->width * sizeof *rows);
    d->count = (d->count + 1) / 2;
    d->stride *= 2;
}

static gt_status draw(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)message;
    drawing *d = self->ctx;
    const gt_problem *p = &d->lab->problem;
    double *row = d->last;
    row[0] = sample->t;
    row[1] = sample->why & GT_AT_STEP ? sample->h : NAN;
    memcpy(row + 2, sample->x, sample->n * sizeof *row);
    if (p->n_aux) p->aux(sample->t, sample->x, row + 2 + sample->n, p->ctx);
    bool edge = sample->why & (GT_AT_START | GT_AT_EVENT | GT_AT_BREAK);
    d->last_kept = d->seen++ % d->stride == 0 || edge;
    if (!d->last_kept) return GT_OK;
    if (d->count == d->most) thin_out(d);
    memcpy(d->lab->numbers + d->count++ * d->width, row, d->width * sizeof *row);
    return GT_OK;
}

/* Whether a step of the method, or of one that auto takes, may hold many periods. */
static bool follows_motion(const gt_method *method, const char *options)
{
    gt_values v;
    gt_message message;
    if (!method) return true;
    v = gt_params_default(method->options);
    gt_status status =
        gt_params_parse(method->options, "option", method->name, options, &v, &message);
    return !status && gt_method_facts(method, v.v).functions;
}

static gt_status drawing_init(gt_lab *lab, const gt_method *method, const char *options, int points,
                              drawing *d)
{
    enum { MOST_ROWS = 20000, MOST_NUMBERS = 2000000, FEWEST_ROWS = 2000 };
    enum { FINER = 20, FEW_STATES = 30 };
    const gt_problem *p = &lab->problem;
    size_t width = 2 + gt_problem_size(p) + p->n_aux, most = MOST_NUMBERS / width;
    most = most > MOST_ROWS ? MOST_ROWS : most < FEWEST_ROWS ? FEWEST_ROWS : most;
    *d = (drawing){.lab = lab, .width = width, .most = most, .stride = 1};
    d->last = gt_arena_doubles(&lab->arena, width);
    if (!d->last || !lab_room(lab, (most + 1) * width)) return GT_NO_MEMORY;
    d->sink = (gt_sink){.wants = GT_AT_START | GT_AT_STEP | GT_AT_DENSE | GT_AT_EVENT |
                                 GT_AT_BREAK | GT_AT_END,
                        .write = draw,
                        .ctx = d,
                        .spacing = fabs(p->t1 - p->t0) / points,
                        .inside = 2};
    if (gt_problem_size(p) <= FEW_STATES && follows_motion(method, options))
        d->sink.spacing /= FINER;
    return GT_OK;
}

/* ---- what is compared ---- */

typedef struct collector {
    gt_sink sink;
    gt_lab *lab;
    lab_track *track;
} collector;

static gt_status collect(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)message;
    collector *c = self->ctx;
    const gt_problem *p = &c->lab->problem;
    double way = p->t1 < p->t0 ? -1 : 1;
    double there = way * sample->t + 1e-9 * fabs(sample->h) + 8 * DBL_EPSILON * fabs(sample->t);
    while (c->track->reached <= LAB_TIMES && way * c->lab->times[c->track->reached] <= there)
        memcpy(c->track->x + sample->n * c->track->reached++, sample->x,
               sample->n * sizeof *sample->x);
    return GT_OK;
}

gt_status lab_track_init(gt_lab *lab, lab_track *track)
{
    track->reached = 0;
    if (!track->x)
        track->x = gt_arena_doubles(&lab->arena, gt_problem_size(&lab->problem) * (LAB_TIMES + 1));
    return track->x ? GT_OK : GT_NO_MEMORY;
}

gt_status lab_track_run(gt_lab *lab, const gt_method *method, gt_plan *plan, lab_track *track,
                        gt_report *report)
{
    collector c = {.lab = lab, .track = track};
    c.sink = (gt_sink){.wants = GT_AT_OUTPUT, .write = collect, .ctx = &c};
    gt_sink *sinks[2] = {&c.sink, plan->n_sinks ? plan->sinks[0] : NULL};
    gt_plan whole = *plan;
    whole.sinks = sinks;
    whole.n_sinks = plan->n_sinks ? 2 : 1;
    whole.times = lab->times;
    whole.n_times = LAB_TIMES + 1;
    whole.progress = lab_progress;
    return gt_solve(&lab->problem, method, &whole, report);
}

/* ---- a run ---- */

double lab_evaluations(const gt_problem *p, const gt_stats *s)
{
    double n = (double)gt_problem_size(p), blocks = (double)p->n_slow * (double)s->rhs_slow +
                                                    (double)p->n_fast * (double)s->rhs_fast +
                                                    (double)p->n_alg * (double)s->rhs_alg;
    return (double)s->rhs + (double)s->taylor + (n > 0 ? blocks / n : 0);
}

static void put_report(gt_lab *lab, const gt_report *report)
{
    lab_text *out = &lab->answer;
    const gt_stats *s = &report->stats;
    lab_put_number(out, "t", report->t);
    lab_put_string(out, "note", report->note.text[0] ? report->note.text : NULL);
    lab_key(out, "warnings");
    lab_begin(out, '[');
    for (int i = 0; i < report->warnings.count; i++) lab_string(out, report->warnings.list[i].text);
    lab_end(out, ']');
    lab_put_number(out, "steps", (double)s->steps);
    lab_put_number(out, "rejected", (double)s->rejected);
    lab_put_number(out, "evaluations", lab_evaluations(&lab->problem, s));
    lab_put_number(out, "jacobians", (double)s->jacobians);
    lab_put_number(out, "factorizations", (double)s->factorizations);
    lab_put_number(out, "newton", (double)s->newton);
    lab_put_number(out, "events", (double)s->events);
}

static gt_status choose(const char *name, const char *options, gt_plan *plan,
                        const gt_method **method, gt_message *message)
{
    *method = NULL;
    if (!strcmp(name, gt_auto.name)) {
        plan->pilot = &gt_auto;
        return plan->h > 0
                   ? gt_fail(message, GT_BAD_ARGUMENT, "auto chooses its steps; give a tolerance")
                   : GT_OK;
    }
    plan->options = options;
    *method = gt_method_find(name);
    return *method ? GT_OK : gt_fail(message, GT_UNKNOWN_NAME, "there is no method '%s'", name);
}

static gt_status check(gt_lab *lab, const gt_method *method, const char *options,
                       gt_message *message)
{
    if (!method) return GT_OK;
    gt_values v = gt_params_default(method->options);
    gt_status status =
        gt_params_parse(method->options, "option", method->name, options, &v, message);
    if (!status) status = gt_method_check(method, v.v, &lab->problem, message);
    if (status == GT_UNSUPPORTED) gt_method_suggest(&lab->problem, message);
    return status;
}

static gt_status run(gt_lab *lab, int slot, const char *name, gt_plan *plan, const char *options,
                     int points, gt_report *report)
{
    const gt_method *method;
    gt_message *message = &report->message;
    drawing d;
    if (!lab->built || slot < 0 || slot >= LAB_MOST_RUNS || points < 1)
        return gt_fail(message, GT_BAD_ARGUMENT, "there is no problem to run");
    lab_track *track = &lab->runs[slot];
    track->reached = 0;
    gt_status status = choose(name, options, plan, &method, message);
    if (!status) status = check(lab, method, options, message);
    if (!status) status = drawing_init(lab, method, options, points, &d);
    if (!status) status = lab_track_init(lab, track);
    if (status) return status;
    plan->sinks = (gt_sink *[]){&d.sink};
    plan->n_sinks = 1;
    status = lab_track_run(lab, method, plan, track, report);
    if (d.seen && !d.last_kept)
        memcpy(lab->numbers + d.count++ * d.width, d.last, d.width * sizeof *d.last);
    lab_put_number(&lab->answer, "rows", (double)d.count);
    lab_put_number(&lab->answer, "width", (double)d.width);
    lab->n_numbers = d.count * d.width;
    put_report(lab, report);
    return status;
}

int gt_lab_run(gt_lab *lab, int slot, const char *method, const char *options, double rtol,
               double h, double max_steps, int points)
{
    gt_report report = {.status = GT_OK};
    gt_plan plan = {.rtol = rtol, .h = h, .max_steps = (long)fmin(fmax(max_steps, 0), 2e9)};
    lab_answer(lab);
    gt_status status = run(lab, slot, method, &plan, options, points, &report);
    return lab_close(lab, status, &report.message);
}

/* ---- errors ---- */

static double distance(size_t n, const double *x, const double *reference)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        double own = fabs(x[i] - reference[i]) / (1 + fabs(reference[i]));
        if (!(own <= largest)) largest = own;
        if (isnan(largest)) break;
    }
    return largest;
}

static double largest_distance(size_t n, const lab_track *track, const lab_track *reference)
{
    double largest = 0;
    for (size_t k = 0; k < track->reached && k < reference->reached; k++) {
        double own = distance(n, track->x + n * k, reference->x + n * k);
        if (!(own <= largest)) largest = own;
    }
    return largest;
}

static gt_status exact_reference(gt_lab *lab)
{
    const gt_problem *p = &lab->problem;
    lab_track *r = &lab->reference;
    for (; r->reached <= LAB_TIMES; r->reached++)
        p->exact(lab->times[r->reached], r->x + gt_problem_size(p) * r->reached, p->ctx);
    lab->spread = 0;
    strcpy(lab->reference_text, "the exact solution");
    return GT_OK;
}

/* Two tight runs by methods of different kind: what they differ by is what is not known. */
static gt_status tight_reference(gt_lab *lab, gt_message *message)
{
    const gt_method *list[GT_REFERENCE_KINDS], *used[2] = {NULL, NULL};
    const gt_problem *p = &lab->problem;
    lab_track second = {0}, *tracks[2] = {&lab->reference, &second};
    size_t count = 0, found = 0;
    gt_plan plan = {.rtol = 1e-10, .h_max = fabs(p->t1 - p->t0) / 1000, .max_steps = 1000000};
    gt_report report = {.status = GT_OK};
    gt_status status = gt_reference_methods(p, &plan, list, &count, message);
    if (!status) status = lab_track_init(lab, &second);
    for (size_t i = 0; !status && i < count && found < 2; i++) {
        tracks[found]->reached = 0;
        if (lab_track_run(lab, list[i], &plan, tracks[found], &report)) continue;
        used[found++] = list[i];
    }
    if (status) return status;
    if (found < 2) {
        lab->reference.reached = 0;
        return gt_fail(
            message, GT_UNSUPPORTED,
            "no two methods came to the end with a tight tolerance, so errors are not known");
    }
    lab->spread = largest_distance(gt_problem_size(p), &second, &lab->reference);
    gt_format(lab->reference_text, sizeof lab->reference_text,
              "tight runs of %s and %s, which differ by %.2g", used[0]->name, used[1]->name,
              lab->spread);
    return GT_OK;
}

static gt_status find_reference(gt_lab *lab, gt_message *message)
{
    if (!lab->built) return gt_fail(message, GT_BAD_ARGUMENT, "there is no problem to run");
    if (lab->reference.reached) return GT_OK;
    gt_status status = lab_track_init(lab, &lab->reference);
    if (status) return status;
    return lab->problem.exact ? exact_reference(lab) : tight_reference(lab, message);
}

int gt_lab_errors(gt_lab *lab, int count)
{
    gt_message message = {""};
    lab_text *out = &lab->answer;
    size_t n = gt_problem_size(&lab->problem);
    lab_answer(lab);
    gt_status status = find_reference(lab, &message);
    if (status) return lab_close(lab, status, &message);
    lab_put_string(out, "reference", lab->reference_text);
    lab_put_number(out, "spread", lab->spread);
    lab_key(out, "errors");
    lab_begin(out, '[');
    for (int i = 0; i < count && i < LAB_MOST_RUNS; i++) {
        const lab_track *run = &lab->runs[i];
        bool whole = run->reached > LAB_TIMES && lab->reference.reached > LAB_TIMES;
        lab_begin(out, '{');
        lab_put_number(out, "final",
                       whole ? distance(n, run->x + n * LAB_TIMES, lab->reference.x + n * LAB_TIMES)
                             : NAN);
        lab_put_number(out, "largest",
                       run->reached ? largest_distance(n, run, &lab->reference) : NAN);
        lab_end(out, '}');
    }
    lab_end(out, ']');
    return lab_close(lab, GT_OK, NULL);
}
