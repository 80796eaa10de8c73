/* SPDX-License-Identifier: BSD-3-Clause */
/* power cct: critical clearing times, for one fault or for every bus in worker threads. */
#include "power_parts.h"
#include "report_parts.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* One fault to be examined. */
typedef struct contingency {
    size_t bus;
    gt_power_event *at_clearing;
    size_t n_at_clearing;
    gt_power_cct_result result;
    gt_status status;
    gt_message message;
    const struct sweep *all;
} contingency;

typedef struct sweep {
    power_job job;
    gt_power_cct_options options;
    cli_solver solver;
    contingency *list;
    size_t count, done;
    pthread_mutex_t lock;
    cli_progress bar;
} sweep;

static void examine(size_t i, void *ctx)
{
    sweep *w = ctx;
    contingency *c = &w->list[i];
    gt_power_cct_options options = w->options;
    options.bus = c->bus;
    options.at_clearing = c->at_clearing;
    options.n_at_clearing = c->n_at_clearing;
    if (gt_cli_interrupted())
        c->status = GT_INTERRUPTED;
    else
        c->status = gt_power_cct(&w->job.setup, &options, &c->result, &c->message);
    pthread_mutex_lock(&w->lock);
    w->done++;
    gt_cli_progress_pieces(&w->bar, w->done, w->count);
    pthread_mutex_unlock(&w->lock);
}

/* --trip I-J, any number: what opens when the fault is cleared. */
static int read_trips(sweep *w, gt_power_event **events, size_t *count)
{
    const char *text;
    *events = gt_arena_take(&w->job.p.arena, w->job.args->n_given + 1, sizeof **events);
    if (!*events) return gt_cli_failed("out of memory");
    for (size_t i = 0; (text = gt_cli_each(&power_own(w->job.args)->trip, &i));) {
        gt_power_event *e = &(*events)[(*count)++];
        if (strchr(text, '@'))
            return gt_cli_usage(
                "--trip %s: the branch opens when the fault is cleared; leave out the time", text);
        e->kind = GT_POWER_TRIP;
        int code = gt_power_word_branch(&w->job.c, "--trip", text, &e->branch);
        if (code) return code;
    }
    return CLI_OK;
}

static int add(sweep *w, size_t bus, gt_power_event *events, size_t n)
{
    w->list[w->count++] =
        (contingency){.bus = bus, .at_clearing = events, .n_at_clearing = n, .all = w};
    return CLI_OK;
}

/* Every bus, cleared by itself; with --each-branch also by opening each branch at it. */
static int list_all(sweep *w)
{
    const gt_power_case *c = &w->job.c;
    bool branches = gt_cli_has(&power_own(w->job.args)->each_branch);
    w->list = gt_arena_take(&w->job.p.arena, c->n_bus + 2 * c->n_branch, sizeof *w->list);
    gt_power_event *trips = gt_arena_take(&w->job.p.arena, c->n_branch + 1, sizeof *trips);
    if (!w->list || !trips) return gt_cli_failed("out of memory");
    for (size_t i = 0; i < c->n_bus; i++)
        if (c->bus[i].type != GT_BUS_OFF && w->job.flow.v[i] > 0) add(w, i, NULL, 0);
    for (size_t k = 0; k < c->n_branch && branches; k++) {
        if (!c->branch[k].on) continue;
        trips[k] = (gt_power_event){.kind = GT_POWER_TRIP, .branch = k};
        add(w, c->branch[k].from, &trips[k], 1);
        add(w, c->branch[k].to, &trips[k], 1);
    }
    return CLI_OK;
}

static int list_one(sweep *w)
{
    const char *text = gt_cli_text(&power_own(w->job.args)->fault_bus);
    gt_power_event *events = NULL;
    size_t bus = 0, n = 0;
    if (!text) return gt_cli_usage("power cct needs --fault-bus BUS or --all-buses");
    int code = gt_power_word_bus(&w->job.c, "--fault-bus", text, &bus);
    if (!code) code = read_trips(w, &events, &n);
    if (code) return code;
    w->list = gt_arena_take(&w->job.p.arena, 1, sizeof *w->list);
    return w->list ? add(w, bus, events, n) : gt_cli_failed("out of memory");
}

enum { MOST_DEGREES = 3600, MOST_TRIES = 100000 };

static int prepare(sweep *w, const cli_args *args)
{
    double degrees = 180;
    int code = gt_power_job_setup(args, &w->job);
    if (code) return code;
    bool all = gt_cli_has(&power_own(args)->all_buses);
    if (all && (gt_cli_has(&power_own(args)->fault_bus) || gt_cli_has(&power_own(args)->trip)))
        return gt_cli_usage(
            "--all-buses takes every bus in turn; --fault-bus and --trip are for a single one");
    if (!all && gt_cli_has(&power_own(args)->each_branch))
        return gt_cli_usage("--each-branch goes with --all-buses");
    w->options =
        (gt_power_cct_options){.window = 5, .scan = 0.005, .largest = 1, .precision = 1e-5};
    if ((code = gt_cli_positive(&power_own(args)->window, &w->options.window))) return code;
    if ((code = gt_cli_positive(&power_own(args)->threshold, &degrees))) return code;
    if ((code = gt_cli_positive(&power_own(args)->scan, &w->options.scan))) return code;
    if ((code = gt_cli_positive(&power_own(args)->largest, &w->options.largest))) return code;
    if (w->options.largest >= w->options.window)
        return gt_cli_usage(
            "--window %g must be longer than the longest clearing time, --largest %g",
            w->options.window, w->options.largest);
    /* Beyond that machines turn for the whole window, at each of the times tried, and nothing is
     * learned from it. */
    if (degrees > MOST_DEGREES)
        return gt_cli_usage("--threshold is at most %d degrees, not %g", MOST_DEGREES, degrees);
    if (w->options.largest / w->options.scan > MOST_TRIES)
        return gt_cli_usage("--scan %g up to --largest %g would be more than %d runs",
                            w->options.scan, w->options.largest, MOST_TRIES);
    w->options.threshold = degrees / DEGREES_IN_RADIAN;
    w->job.setup.t1 = w->options.window;
    if ((code = gt_power_job_build(&w->job)))
        return code; /* says early what is wrong with the setup */
    if ((code = gt_cli_solver(args, &w->job.p, &w->solver))) return code;
    if (gt_cli_has(&args->flags.method)) w->options.method = w->solver.method;
    w->options.plan = &w->solver.plan;
    w->solver.plan.pilot = NULL; /* one method for all runs of the search */
    if (!gt_cli_has(&args->flags.method) && w->solver.plan.h > 0)
        w->options.method = gt_method_for(GT_ROLE_STIFF_FIXED);
    return all ? list_all(w) : list_one(w);
}

static int by_time(const void *a, const void *b)
{
    const contingency *one = a, *other = b;
    double x = one->result.found ? one->result.cct : INFINITY,
           y = other->result.found ? other->result.cct : INFINITY;
    if (x != y) return x < y ? -1 : 1;
    if (one->bus != other->bus) return one->bus < other->bus ? -1 : 1;
    return one->n_at_clearing < other->n_at_clearing ? -1
                                                     : one->n_at_clearing > other->n_at_clearing;
}

/* ---- the report ---- */

static void say_trips(const void *data, report_text *out)
{
    const contingency *c = data;
    const gt_power_case *grid = &c->all->job.c;
    for (size_t k = 0; k < c->n_at_clearing; k++) {
        const gt_power_branch *b = &grid->branch[c->at_clearing[k].branch];
        gt_report_say(out, b->circuit > 1 ? "%s%d-%d#%d" : "%s%d-%d", k ? " " : "",
                      grid->bus[b->from].number, grid->bus[b->to].number, b->circuit);
    }
}

static void get_trip(const void *data, report_value *out)
{
    report_text text = {.used = 0};
    say_trips(data, &text);
    gt_format(out->room, sizeof out->room, "%s", text.text);
    out->text = out->room;
}

static void get_bus(const void *data, report_value *out)
{
    const contingency *c = data;
    out->integer = c->all->job.c.bus[c->bus].number;
}

static void null_unless_found(const contingency *c, double value, report_value *out)
{
    out->number = c->result.found ? value : NAN;
}

static void get_cct(const void *data, report_value *out)
{
    null_unless_found(data, ((const contingency *)data)->result.cct, out);
}

static void get_unstable(const void *data, report_value *out)
{
    null_unless_found(data, ((const contingency *)data)->result.unstable, out);
}

static void get_t_loss(const void *data, report_value *out)
{
    null_unless_found(data, ((const contingency *)data)->result.t_loss, out);
}

static void say_rank(const void *data, report_text *out)
{
    const contingency *c = data;
    gt_report_say(out, "%zu", (size_t)(c - c->all->list) + 1);
}

static void say_cct(const void *data, report_text *out)
{
    const contingency *c = data;
    if (c->result.found)
        gt_report_say(out, "%.5f", c->result.cct);
    else
        gt_report_say(out, "none");
}

static bool was_found(const void *data) { return ((const contingency *)data)->result.found; }

static const report_field result_fields[] = {
    {.type = REPORT_SIZE, .label = "rank", .say = say_rank},
    REPORT_KEY("bus", "where the fault is", .type = REPORT_INT, .get = get_bus, .label = "bus"),
    REPORT_KEY("cct", "critical clearing time in s; null: stable for all that were tried",
               .type = REPORT_NUMBER, .get = get_cct, .label = "cct s", .say = say_cct),
    REPORT_KEY("unstable", "the clearing time next to it that is not stable", .type = REPORT_NUMBER,
               .get = get_unstable),
    REPORT_KEY("t_loss", "when synchronism is lost then", .type = REPORT_NUMBER, .get = get_t_loss),
    {.type = REPORT_NUMBER,
     .get = get_t_loss,
     .when = was_found,
     .label = "lost at s",
     .format = "%.4g"},
    REPORT_KEY("runs", "that it took", REPORT_AT(contingency, result.runs)),
    REPORT_KEY("trip", "branches that open when the fault is cleared", .type = REPORT_STRING,
               .get = get_trip, .label = "opened"),
    {.type = REPORT_END},
};

static void get_model(const void *data, report_value *out)
{
    bool classical = ((const sweep *)data)->job.setup.model == GT_POWER_CLASSICAL;
    out->text = classical ? "classical" : "twoaxis";
}

static void get_loads(const void *data, report_value *out)
{
    out->text = gt_power_loads_text(&((const sweep *)data)->job.setup, out->room);
}

static void get_method(const void *data, report_value *out)
{
    out->text = ((const sweep *)data)->list[0].result.method->name;
}

static void say_criterion(const void *data, report_text *out)
{
    const sweep *w = data;
    char loads[96];
    gt_report_say(out, "%s, %s model, loads %s%s; bolted fault at t = 0", w->job.c.name,
                  w->job.setup.model == GT_POWER_CLASSICAL ? "classical" : "two-axis",
                  gt_power_loads_text(&w->job.setup, loads),
                  w->job.setup.limits ? ", with limits" : "");
}

static void say_stable(const void *data, report_text *out)
{
    const sweep *w = data;
    gt_report_say(out,
                  "stable: no two connected machines further apart than %g degrees up to t = %g s "
                  "(--threshold, --window)",
                  w->options.threshold * DEGREES_IN_RADIAN, w->options.window);
}

static void say_scan(const void *data, report_text *out)
{
    const sweep *w = data;
    gt_report_say(out, "scanned by %g ms up to %g s, the first failure bisected to 0.01 ms; %s",
                  w->options.scan * 1e3, w->options.largest, w->list[0].result.method->name);
}

static const report_field setup_fields[] = {
    REPORT_TEXT("", say_criterion),
    REPORT_TEXT("", say_stable),
    REPORT_TEXT("", say_scan),
    REPORT_KEY("case", "its name", REPORT_AT(sweep, job.c.name)),
    REPORT_KEY("model", "of the machines", .type = REPORT_STRING, .get = get_model),
    REPORT_KEY("loads", "their kind", .type = REPORT_STRING, .get = get_loads),
    REPORT_KEY("window", "a run goes on up to this time, s", REPORT_AT(sweep, options.window)),
    REPORT_KEY("threshold", "machines further apart have lost synchronism, degrees",
               REPORT_AT(sweep, options.threshold), .factor = DEGREES_IN_RADIAN),
    REPORT_KEY("scan", "steps of the scan, s", REPORT_AT(sweep, options.scan)),
    REPORT_KEY("largest", "end of the scan, s", REPORT_AT(sweep, options.largest)),
    REPORT_KEY("method", "its name", .type = REPORT_STRING, .get = get_method),
    {.type = REPORT_END},
};

static void get_first(const void *data, report_value *out)
{
    out->data = ((const sweep *)data)->list;
}

static void say_one(const void *data, report_text *out)
{
    const sweep *w = data;
    const contingency *c = &w->list[0];
    gt_report_say(out, "\nfault at bus %d%s", w->job.c.bus[c->bus].number,
                  c->n_at_clearing ? ", cleared by opening " : ", cleared by itself");
    say_trips(c, out);
    if (!c->result.found)
        gt_report_say(out, ": stable for every clearing time tried, up to %g s",
                      w->options.largest);
    else if (c->result.cct == 0)
        gt_report_say(out, ": unstable however soon it is cleared");
    else
        gt_report_say(out, ": critical clearing time %.5f s (%.2f cycles)", c->result.cct,
                      c->result.cct * (w->job.setup.hz > 0 ? w->job.setup.hz : 60));
}

static void say_beyond(const void *data, report_text *out)
{
    const gt_power_cct_result *r = &((const sweep *)data)->list[0].result;
    if (r->found && r->cct != 0)
        gt_report_say(out, "unstable at %.5f s, lost at t = %.4g s; %d runs", r->unstable,
                      r->t_loss, r->runs);
}

static const report_field one_fields[] = {
    REPORT_PART(setup_fields, .offset = 0),
    REPORT_TEXT("", say_one),
    REPORT_TEXT("", say_beyond),
    REPORT_PART(result_fields, .get = get_first, .silent = true),
    {.type = REPORT_END},
};

static const report_field all_fields[] = {
    REPORT_PART(setup_fields, .offset = 0),
    REPORT_KEY("results", "the shortest time first", REPORT_ARRAY(sweep, list, count),
               .of = result_fields, .label = ""),
    {.type = REPORT_END},
};

const cli_report gt_power_cct_reports[] = {{.title = "one fault", .fields = one_fields},
                                           {.title = "with --all-buses", .fields = all_fields},
                                           {.fields = NULL}};

int gt_power_cmd_cct(const cli_args *args)
{
    sweep w = {.done = 0};
    long threads = 1;
    int code = prepare(&w, args);
    if (!code) code = gt_cli_threads(args, &threads);
    if (!code) {
        bool all = gt_cli_has(&power_own(args)->all_buses);
        gt_plan for_interrupt = {0};
        gt_cli_catch_interrupt(&for_interrupt);
        w.options.interrupted = for_interrupt.interrupted;
        pthread_mutex_init(&w.lock, NULL);
        gt_cli_progress_begin(&w.bar, args, 0, 1);
        gt_cli_parallel(threads, w.count, examine, &w);
        gt_cli_progress_end(&w.bar);
        pthread_mutex_destroy(&w.lock);
        for (size_t i = 0; i < w.count && !code; i++)
            if (w.list[i].status)
                code = gt_cli_interrupted() ? gt_cli_failed("interrupted")
                                            : gt_cli_complain(w.list[i].status, &w.list[i].message);
        if (!code && all) qsort(w.list, w.count, sizeof *w.list, by_time);
        const report_field *fields = all ? all_fields : one_fields;
        if (!code && w.job.json)
            code = gt_report_print_json(fields, &w);
        else if (!code)
            gt_report_print(stdout, fields, &w);
    }
    gt_power_job_free(&w.job);
    return code;
}
