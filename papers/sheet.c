/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows, runs and figures of a part. */
#include "paper_parts.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void fail(paper_sheet *s, const char *format, ...) GT_PRINTF(2, 3);
static void fail(paper_sheet *s, const char *format, ...)
{
    va_list list;
    if (s->failure.text[0]) return; /* the first one counts */
    va_start(list, format);
    gt_vformat(s->failure.text, sizeof s->failure.text, format, list);
    va_end(list);
}

const char *paper_text(paper_sheet *s, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = gt_vformat(NULL, 0, format, list);
    va_end(list);
    char *text = gt_arena_take(&s->arena, (size_t)length + 1, 1);
    if (!text) {
        fail(s, "out of memory");
        return "";
    }
    va_start(list, format);
    gt_vformat(text, (size_t)length + 1, format, list);
    va_end(list);
    return text;
}

double *paper_doubles(paper_sheet *s, size_t count)
{
    double *v = gt_arena_doubles(&s->arena, count ? count : 1);
    if (v) return v;
    fprintf(stderr, "geartrain: out of memory for the papers\n");
    exit(CLI_FAILED);
}

/* Arrays grow by doubling inside the arena; what is left behind is freed with it. */
static void *grow(paper_sheet *s, void *old, size_t count, size_t size)
{
    if (count & (count - 1)) return old; /* there is room until the next power of two */
    void *more = gt_arena_take(&s->arena, count ? 2 * count : 1, size);
    if (!more) {
        fprintf(stderr, "geartrain: out of memory for the papers\n");
        exit(CLI_FAILED);
    }
    if (count) memcpy(more, old, count * size);
    return more;
}

/* As many digits as are known to within the tolerance, and not more than ten: those below it depend
 * on the BLAS kernel, the mathematical library and the compiler. */
static const char *number_text(paper_sheet *s, double value, double tolerance)
{
    int digits = 10;
    if (tolerance > 0 && fabs(value) <= tolerance) return "0";
    if (tolerance > 0 && isfinite(value))
        digits = (int)(floor(log10(fabs(value))) - ceil(log10(tolerance))) + 1;
    return paper_text(s, "%.*g", digits < 1 ? 1 : digits > 10 ? 10 : digits, value);
}

static void add(paper_sheet *s, const char *quantity, const char *printed, const char *computed,
                double value, paper_verdict verdict, const char *reason)
{
    s->rows = grow(s, s->rows, s->n_rows, sizeof *s->rows);
    s->rows[s->n_rows++] = (paper_row){.quantity = paper_text(s, "%s", quantity),
                                       .printed = paper_text(s, "%s", printed ? printed : ""),
                                       .computed = paper_text(s, "%s", computed),
                                       .reason = paper_text(s, "%s", reason ? reason : ""),
                                       .value = value,
                                       .verdict = verdict};
}

/* Half a unit in the last digit of "-1.2345e-6", with a little room for ties. */
static double half_unit(const char *printed)
{
    const char *p = printed, *point = NULL;
    int digits = 0;
    if (*p == '-' || *p == '+') p++;
    for (; isdigit((unsigned char)*p) || *p == '.'; p++) {
        if (*p == '.')
            point = p;
        else if (point)
            digits++;
    }
    double unit = pow(10, -digits);
    double exponent = 0;
    if (*p == 'e' || *p == 'E') gt_number_read(p + 1, NULL, &exponent);
    unit *= pow(10, exponent);
    return 0.501 * unit;
}

void paper_near(paper_sheet *s, const char *quantity, const char *printed, double computed,
                double tolerance, const char *reason)
{
    const char *text = paper_text(s, "%.10g", computed);
    if (!printed) {
        add(s, quantity, NULL, text, computed, PAPER_COMPUTED, reason);
        return;
    }
    double value;
    if (gt_number_read(printed, NULL, &value) == printed)
        fail(s, "%s: '%s' is not a number", quantity, printed);
    bool same = fabs(computed - value) <= tolerance;
    if (!same && !reason)
        fail(s, "%s: %s computed, %s printed, and no reason is given", quantity, text, printed);
    add(s, quantity, printed, text, computed, same ? PAPER_MATCHES : PAPER_DIFFERS,
        same ? NULL : reason);
}

void paper_value(paper_sheet *s, const char *quantity, const char *printed, double computed,
                 const char *reason)
{
    paper_near(s, quantity, printed, computed, printed ? half_unit(printed) : 0, reason);
}

void paper_erratum_within(paper_sheet *s, const char *quantity, const char *printed,
                          double computed, double tolerance, const char *reason)
{
    add(s, quantity, printed, number_text(s, computed, tolerance), computed, PAPER_ERRATUM, reason);
}

void paper_erratum(paper_sheet *s, const char *quantity, const char *printed, double computed,
                   const char *reason)
{
    paper_erratum_within(s, quantity, printed, computed, 0, reason);
}

void paper_erratum_text(paper_sheet *s, const char *quantity, const char *printed,
                        const char *right, bool shown, const char *reason)
{
    if (!shown) fail(s, "%s: the computation does not show that the paper is wrong", quantity);
    add(s, quantity, printed, right, NAN, PAPER_ERRATUM, reason);
}

void paper_claim(paper_sheet *s, const char *quantity, const char *printed, bool holds,
                 const char *found, const char *reason)
{
    if (!holds && !reason) fail(s, "%s: the claim does not hold, and no reason is given", quantity);
    add(s, quantity, printed, found, NAN, holds ? PAPER_MATCHES : PAPER_DIFFERS, reason);
}

void paper_missing(paper_sheet *s, const char *quantity, const char *printed, const char *reason)
{
    add(s, quantity, printed, "", NAN, PAPER_MISSING, reason);
}

gt_problem paper_problem(paper_sheet *s, const char *name, const char *set)
{
    gt_problem problem = {0};
    gt_message message = {{0}};
    const gt_model *model = gt_model_find(name);
    if (!model)
        fail(s, "there is no model %s", name);
    else if (gt_model_build(model, set ? set : "", &problem, &s->arena, &message))
        fail(s, "%s: %s", name, message.text);
    return problem;
}

typedef struct recorder {
    gt_sink sink;
    paper_sheet *sheet;
    paper_series *series;
    double until;
} recorder;

static gt_status record(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    recorder *r = self->ctx;
    paper_series *to = r->series;
    (void)message;
    size_t n = to->n = sample->n;
    to->t = grow(r->sheet, to->t, to->count, sizeof *to->t);
    to->h = grow(r->sheet, to->h, to->count, sizeof *to->h);
    to->error = grow(r->sheet, to->error, to->count, sizeof *to->error);
    to->x = grow(r->sheet, to->x, to->count, n * sizeof *to->x);
    to->t[to->count] = sample->t;
    to->h[to->count] = sample->h;
    to->error[to->count] = sample->error;
    memcpy(to->x + to->count * n, sample->x, n * sizeof *to->x);
    to->count++;
    return r->until > 0 && sample->t >= r->until ? GT_SINK_REFUSED : GT_OK;
}

static gt_report go(paper_sheet *s, const paper_run *run, double *x, paper_series *series)
{
    gt_report report = {.status = GT_BAD_ARGUMENT};
    gt_problem problem = run->problem ? *run->problem : paper_problem(s, run->model, run->set);
    const gt_method *method = gt_method_find(run->method);
    if (!method) fail(s, "there is no method %s", run->method);
    if (!method || !problem.rhs) return report;
    if (run->t0 != 0 || run->t1 != 0) problem.t0 = run->t0, problem.t1 = run->t1;
    if (run->x0) problem.x0 = run->x0;
    recorder r = {.sheet = s, .series = series, .until = run->until};
    r.sink = (gt_sink){.wants = GT_AT_START | (run->every > 0 ? GT_AT_OUTPUT : GT_AT_STEP),
                       .write = record,
                       .ctx = &r};
    gt_sink *sinks[] = {&r.sink};
    gt_plan plan = {.options = run->opt,
                    .h = run->h,
                    .rtol = run->rtol,
                    .atol = run->atol,
                    .h0 = run->h0,
                    .h_max = run->h_max,
                    .every = run->every,
                    .sinks = sinks,
                    .n_sinks = series ? 1 : 0,
                    .x_end = x};
    if (run->control && gt_control_parse(run->control, &plan.control, &s->failure)) return report;
    if (run->until > 0) problem.t1 = 1e3 * run->until;
    (void)!gt_solve(&problem, method, &plan, &report);
    if (run->until > 0 && report.status == GT_SINK_REFUSED) report.status = GT_OK;
    return report;
}

static const char *name_of(const paper_run *run)
{
    return run->problem ? run->problem->name : run->model;
}

gt_report paper_try(paper_sheet *s, const paper_run *run, double *x) { return go(s, run, x, NULL); }

gt_report paper_end(paper_sheet *s, const paper_run *run, double *x)
{
    gt_report report = go(s, run, x, NULL);
    if (report.status) fail(s, "%s by %s: %s", name_of(run), run->method, report.message.text);
    return report;
}

paper_series paper_samples(paper_sheet *s, const paper_run *run)
{
    paper_series series = {0};
    series.report = go(s, run, NULL, &series);
    if (series.report.status)
        fail(s, "%s by %s: %s", name_of(run), run->method, series.report.message.text);
    return series;
}

cli_curve paper_over_time(const paper_series *series, size_t state, const char *title)
{
    return (cli_curve){.title = title,
                       .x = series->t,
                       .y = series->x + state,
                       .count = series->count,
                       .stride = series->n};
}

cli_curve paper_phase(const paper_series *series, size_t across, size_t up, const char *title)
{
    return (cli_curve){.title = title,
                       .x = series->x + across,
                       .y = series->x + up,
                       .count = series->count,
                       .x_stride = series->n,
                       .stride = series->n};
}

void paper_draw(paper_sheet *s, const char *name, const char *caption, const cli_panel *panels,
                size_t n_panels)
{
    char file[128];
    int used = snprintf(file, sizeof file, "%s-%s", s->paper, s->item);
    if (name && used > 0 && (size_t)used < sizeof file)
        snprintf(file + used, sizeof file - (size_t)used, "-%s", name);
    for (char *p = file; *p; p++)
        *p = (char)(isalnum((unsigned char)*p) || *p == '.' ? tolower((unsigned char)*p) : '-');
    s->figures = grow(s, s->figures, s->n_figures, sizeof *s->figures);
    s->figures[s->n_figures++] = (paper_figure){.file = paper_text(s, "%s.svg", file),
                                                .caption = paper_text(s, "%s", caption)};
    if (!s->folder) return;
    cli_plot plot = {.path = paper_text(s, "%s/%s.svg", s->folder, file),
                     .title = caption,
                     .panels = panels,
                     .n_panels = n_panels};
    if (gt_cli_plot(&plot)) fail(s, "the figure %s could not be drawn", file);
}

gt_stability gt_paper_facts(paper_sheet *s, const char *method, const char *options)
{
    gt_amplifier a;
    gt_stability facts = {0};
    if (gt_amplifier_open(&a, gt_method_find(method), options, &s->failure)) return facts;
    (void)!gt_stability_facts(&a, &facts);
    gt_amplifier_close(&a);
    return facts;
}
