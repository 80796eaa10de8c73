/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run --checkpoint and --resume. A checkpoint is the run as the library saves it (gt_run_save) with
 * what the program has of it: how far the CSV file is written and on the disk, the events and
 * invariants of the report. The CSV file is written to the disk before the checkpoint that counts
 * on it; what came later is cut off when the run is resumed.
 */
#include "run_checkpoint.h"
#include "cli.h"
#include "identity.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- flags ---- */

/* "60s", "5m", "2h" of time; "1000" of steps. */
static int read_period(const char *text, run_checkpoint *c)
{
    double value = 0;
    size_t length = strlen(text);
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
    double unit = 0;
    for (size_t k = 0; k < 3 && length; k++)
        if (text[length - 1] == units[k].letter) unit = units[k].seconds;
    const char *end = text + length - (unit > 0);
    bool right = length && gt_number_read(text, end, &value) == end && end > text && value > 0 &&
                 value < 1e15;
    if (right && unit == 0) right = value == (double)(long)value;
    if (!right)
        return gt_cli_usage("--checkpoint-every: \"%s\" is neither a time, as 60s, 5m or 2h, nor a "
                            "number of steps, as 1000",
                            text);
    c->steps = unit > 0 ? 0 : (long)value;
    c->seconds = unit > 0 ? value * unit : 0;
    return CLI_OK;
}

/* What must be the same when the run is resumed and the library does not see. */
static int describe(const cli_args *args, const cli_problem *p, run_checkpoint *c)
{
    uint64_t sum;
    const char *method = gt_cli_text(&args->flags.method);
    size_t room = 4096 + (c->out ? strlen(c->out) : 0), used = 0;
    const gt_param *params = p->model->params;
    for (size_t k = 0; k < gt_params_count(params); k++) room += strlen(params[k].name) + 96;
    c->about = malloc(room);
    if (!c->about) return gt_cli_failed("out of memory");
    used += (size_t)snprintf(c->about, room, "model: %.200s\n", p->model->name);
    if (gt_cli_source_sum(p->source, &sum))
        used += (size_t)snprintf(c->about + used, room - used, "text of the model: %016llx\n",
                                 (unsigned long long)sum);
    if (method && gt_cli_file_sum(method, &sum))
        used += (size_t)snprintf(c->about + used, room - used, "file of the method: %016llx\n",
                                 (unsigned long long)sum);
    for (size_t k = 0; k < gt_params_count(params); k++) {
        char value[64];
        gt_params_print(&params[k], p->values.v[k], value, sizeof value);
        used += (size_t)snprintf(c->about + used, room - used, "parameter %s: %s\n", params[k].name,
                                 value);
    }
    snprintf(c->about + used, room - used, "file of --out: %s\n", c->out ? c->out : "none");
    return CLI_OK;
}

int gt_run_checkpoint_flags(const cli_args *args, const cli_problem *p, run_checkpoint *c)
{
    const cli_flags *f = &args->flags;
    const run_flags *own = run_own(args);
    c->path = gt_cli_text(&f->checkpoint);
    c->resume = gt_cli_text(&f->resume);
    c->seconds = 60;
    c->problem = &p->problem;
    if (gt_cli_has(&own->checkpoint_every)) {
        if (!c->path) return gt_cli_usage("--checkpoint-every goes with --checkpoint FILE");
        int code = read_period(gt_cli_text(&own->checkpoint_every), c);
        if (code) return code;
    }
    if (!c->path && !c->resume) return CLI_OK;
    const char *flag = c->path ? "--checkpoint" : "--resume";
    if (gt_cli_has(&f->plot))
        return gt_cli_usage("--plot draws from memory, which %s does not keep: write --out", flag);
    if (gt_cli_has(&own->reference))
        return gt_cli_usage("--reference compares in memory, which %s does not keep", flag);
    c->out = gt_cli_text(&f->out);
    if (c->out && (!strcmp(c->out, "-") || !strncmp(c->out, "/dev/", 5)))
        return gt_cli_usage("--out %s cannot be cut back, as %s requires: give a file", c->out,
                            flag);
    const char *inputs[] = {p->start_file, c->out, NULL};
    int code = c->path ? gt_cli_check_checkpoint(c->path, inputs) : CLI_OK;
    return code ? code : describe(args, p, c);
}

void gt_run_checkpoint_free(run_checkpoint *c)
{
    free(c->about);
    free(c->bytes);
}

/* ---- what the program has of a run ---- */

typedef struct notes {
    unsigned char *data;
    size_t used, room;
    bool failed;
} notes;

static void put(notes *n, const void *data, size_t bytes)
{
    if (n->room - n->used < bytes && !n->failed) {
        size_t room = 2 * n->room + bytes + 256;
        unsigned char *larger = realloc(n->data, room);
        n->failed = !larger;
        if (larger) n->data = larger;
        if (larger) n->room = room;
    }
    if (n->failed || !bytes) return;
    memcpy(n->data + n->used, data, bytes);
    n->used += bytes;
}

static void put_number(notes *n, uint64_t number) { put(n, &number, sizeof number); }

typedef struct source {
    const unsigned char *at;
    size_t left;
    bool failed;
} source;

static bool get(source *s, void *data, size_t bytes)
{
    s->failed = s->failed || bytes > s->left;
    if (s->failed) return false;
    if (bytes) memcpy(data, s->at, bytes);
    s->at += bytes;
    s->left -= bytes;
    return true;
}

static uint64_t get_number(source *s)
{
    uint64_t number = 0;
    (void)get(s, &number, sizeof number);
    return number;
}

static void put_record(notes *n, const run_record *record)
{
    size_t count = record->problem->n_invariants;
    const double *lists[] = {record->start, record->end, record->drift, record->base};
    put_number(n, record->n_events);
    for (size_t k = 0; k < record->n_events; k++) {
        put(n, &record->events[k].t, sizeof record->events[k].t);
        put_number(n, record->events[k].root);
    }
    put_number(n, count);
    for (size_t k = 0; k < 4 && count; k++) put(n, lists[k], count * sizeof(double));
}

static bool get_record(source *s, run_record *record)
{
    uint64_t count = get_number(s);
    if (s->failed || count > s->left / 16) return false;
    run_event *events = calloc((size_t)count + 1, sizeof *events);
    if (!events) return false;
    free(record->events);
    record->events = events;
    record->room = (size_t)count + 1;
    for (uint64_t k = 0; k < count; k++) {
        run_event e;
        (void)get(s, &e.t, sizeof e.t);
        e.root = (size_t)get_number(s);
        if (s->failed || e.root >= record->problem->n_roots) return false;
        record->events[record->n_events++] = e;
    }
    size_t n = record->problem->n_invariants;
    if (get_number(s) != n) return false;
    double *lists[] = {record->start, record->end, record->drift, record->base};
    for (size_t k = 0; k < 4 && n; k++) (void)get(s, lists[k], n * sizeof(double));
    return !s->failed;
}

/* The CSV file up to here is on the disk when this has been written down. */
static gt_status put_csv(notes *n, const run_checkpoint *c, gt_message *message)
{
    gt_file_mark mark = {0};
    put_number(n, c->out != NULL);
    if (!c->out) return GT_OK;
    gt_status status = gt_file_sync(&c->csv->file, &mark, message);
    if (status) return status;
    put(n, &mark, sizeof mark);
    put_number(n, c->filter->rows);
    put_number(n, c->csv->begun);
    return GT_OK;
}

static gt_status save(const run_checkpoint *c, gt_run *run, gt_message *message)
{
    notes n = {0};
    gt_status status = put_csv(&n, c, message);
    if (!status) put_record(&n, c->record);
    if (!status && n.failed) status = gt_fail(message, GT_NO_MEMORY, "out of memory");
    gt_checkpoint with = {.about = c->about, .extra = n.data, .extra_bytes = n.used};
    if (!status) status = gt_run_save_file(run, &with, c->path, message);
    free(n.data);
    return status;
}

static gt_status take_notes(run_checkpoint *c, const gt_checkpoint *with, gt_message *message)
{
    source s = {with->extra, with->extra_bytes, false};
    gt_file_mark mark;
    bool has_csv = get_number(&s) != 0;
    if (s.failed || has_csv != (c->out != NULL)) goto wrong;
    if (has_csv) {
        if (!get(&s, &mark, sizeof mark)) goto wrong;
        c->filter->rows = (size_t)get_number(&s);
        c->csv->begun = get_number(&s) != 0;
        gt_status status = gt_file_resume(&c->csv->file, c->out, &mark, message);
        if (status) return status;
    }
    if (get_record(&s, c->record) && !s.left) return GT_OK;
wrong:
    return gt_fail(message, GT_BAD_ARGUMENT,
                   "%s: what the program keeps in a checkpoint is damaged", c->resume);
}

/* ---- the run ---- */

static gt_status open_run(run_checkpoint *c, gt_run **run, const gt_method *method,
                          const gt_plan *plan, gt_message *message)
{
    if (!c->resume) return gt_run_open(run, c->problem, method, plan, message);
    gt_checkpoint with = {.about = c->about};
    gt_status status =
        gt_run_load(run, c->problem, method, plan, &with, c->resume, &c->bytes, message);
    if (!status) status = take_notes(c, &with, message);
    return status;
}

/* Step after step, since a run can be saved between two of them. */
static gt_status go(run_checkpoint *c, gt_run *run, gt_message *message)
{
    gt_reached reached = GT_REACHED_STEP;
    double saved_at = gt_cli_seconds();
    long saved_steps = gt_run_stats(run)->steps;
    gt_status status = GT_OK;
    while (!status && reached != GT_REACHED_END) {
        status = gt_run_step(run, &reached);
        if (status || !c->path || reached == GT_REACHED_END) continue;
        long steps = gt_run_stats(run)->steps;
        bool due = c->steps ? steps - saved_steps >= c->steps
                            : steps % 64 == 0 && gt_cli_seconds() - saved_at >= c->seconds;
        if (!due) continue;
        status = save(c, run, message);
        saved_steps = steps;
        saved_at = gt_cli_seconds();
    }
    return status;
}

gt_status gt_run_with_checkpoints(run_checkpoint *c, const gt_method *method, const gt_plan *plan,
                                  gt_report *report)
{
    gt_run *run = NULL;
    gt_message message = {""};
    *report = (gt_report){0};
    gt_status status = open_run(c, &run, method, plan, &message);
    if (status) {
        gt_run_discard(run);
    } else {
        status = go(c, run, &message);
        if (gt_run_finish(run, report)) status = report->status;
        gt_run_close(run);
    }
    if (status && !report->status) { /* the run itself has not failed */
        report->status = status;
        report->message = message;
    }
    return report->status;
}
