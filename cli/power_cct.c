/* SPDX-License-Identifier: BSD-3-Clause */
/* power cct: critical clearing times, for one fault or for every bus in worker threads. */
#include "power_parts.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const double DEGREES = 57.29577951308232;

/* One fault to be examined. */
typedef struct contingency {
    size_t bus;
    gt_power_event *at_clearing;
    size_t n_at_clearing;
    gt_power_cct_result result;
    gt_status status;
    gt_message message;
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
    for (size_t i = 0; (text = gt_cli_each(w->job.args, "trip", &i));) {
        gt_power_event *e = &(*events)[(*count)++];
        if (strchr(text, '@'))
            return gt_cli_usage("--trip %s: the branch opens when the fault is cleared; leave out the time", text);
        e->kind = GT_EVENT_TRIP;
        int code = gt_power_word_branch(&w->job.c, "--trip", text, &e->branch);
        if (code) return code;
    }
    return CLI_OK;
}

static int add(sweep *w, size_t bus, gt_power_event *events, size_t n)
{
    w->list[w->count++] = (contingency){.bus = bus, .at_clearing = events, .n_at_clearing = n};
    return CLI_OK;
}

/* Every bus, cleared by itself; with --each-branch also by opening each branch at it. */
static int list_all(sweep *w)
{
    const gt_power_case *c = &w->job.c;
    bool branches = gt_cli_has(w->job.args, "each-branch");
    w->list = gt_arena_take(&w->job.p.arena, c->n_bus + 2 * c->n_branch, sizeof *w->list);
    gt_power_event *trips = gt_arena_take(&w->job.p.arena, c->n_branch + 1, sizeof *trips);
    if (!w->list || !trips) return gt_cli_failed("out of memory");
    for (size_t i = 0; i < c->n_bus; i++)
        if (c->bus[i].type != GT_BUS_OFF && w->job.flow.v[i] > 0) add(w, i, NULL, 0);
    for (size_t k = 0; k < c->n_branch && branches; k++) {
        if (!c->branch[k].on) continue;
        trips[k] = (gt_power_event){.kind = GT_EVENT_TRIP, .branch = k};
        add(w, c->branch[k].from, &trips[k], 1);
        add(w, c->branch[k].to, &trips[k], 1);
    }
    return CLI_OK;
}

static int list_one(sweep *w)
{
    const char *text = gt_cli_text(w->job.args, "fault-bus");
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
    bool all = gt_cli_has(args, "all-buses");
    if (all && (gt_cli_has(args, "fault-bus") || gt_cli_has(args, "trip")))
        return gt_cli_usage("--all-buses takes every bus in turn; --fault-bus and --trip are for a single one");
    if (!all && gt_cli_has(args, "each-branch")) return gt_cli_usage("--each-branch goes with --all-buses");
    w->options = (gt_power_cct_options){.window = 5, .scan = 0.005, .largest = 1, .precision = 1e-5};
    if ((code = gt_cli_positive(args, "window", &w->options.window))) return code;
    if ((code = gt_cli_positive(args, "threshold", &degrees))) return code;
    if ((code = gt_cli_positive(args, "scan", &w->options.scan))) return code;
    if ((code = gt_cli_positive(args, "largest", &w->options.largest))) return code;
    if (w->options.largest >= w->options.window)
        return gt_cli_usage("--window %g must be longer than the longest clearing time, --largest %g",
                            w->options.window, w->options.largest);
    /* Beyond that machines turn for the whole window, at each of the times tried, and nothing is learned from it. */
    if (degrees > MOST_DEGREES) return gt_cli_usage("--threshold is at most %d degrees, not %g", MOST_DEGREES, degrees);
    if (w->options.largest / w->options.scan > MOST_TRIES)
        return gt_cli_usage("--scan %g up to --largest %g would be more than %d runs", w->options.scan,
                            w->options.largest, MOST_TRIES);
    w->options.threshold = degrees / DEGREES;
    w->job.setup.t1 = w->options.window;
    if ((code = gt_power_job_build(&w->job))) return code; /* says early what is wrong with the setup */
    if ((code = gt_cli_solver(args, &w->job.p, &w->solver))) return code;
    if (gt_cli_has(args, "method")) w->options.method = w->solver.method;
    w->options.plan = w->solver.plan;
    if (!gt_cli_has(args, "method") && w->solver.plan.h > 0) w->options.method = gt_method_find("trapezoidal");
    return all ? list_all(w) : list_one(w);
}

static int by_time(const void *a, const void *b)
{
    const contingency *one = a, *other = b;
    double x = one->result.found ? one->result.cct : INFINITY, y = other->result.found ? other->result.cct : INFINITY;
    if (x != y) return x < y ? -1 : 1;
    if (one->bus != other->bus) return one->bus < other->bus ? -1 : 1;
    return one->n_at_clearing < other->n_at_clearing ? -1 : one->n_at_clearing > other->n_at_clearing;
}

static void name_trips(const sweep *w, const contingency *c, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t k = 0; k < c->n_at_clearing && used < size; k++) {
        const gt_power_branch *b = &w->job.c.branch[c->at_clearing[k].branch];
        used += (size_t)snprintf(buffer + used, size - used, b->circuit > 1 ? "%s%d-%d#%d" : "%s%d-%d", k ? " " : "",
                                 w->job.c.bus[b->from].number, w->job.c.bus[b->to].number, b->circuit);
    }
}

static json_t *json_of(const sweep *w, const contingency *c)
{
    char trips[200];
    json_t *entry = json_object();
    name_trips(w, c, trips, sizeof trips);
    json_object_set_new(entry, "bus", json_integer(w->job.c.bus[c->bus].number));
    json_object_set_new(entry, "trip", json_string(trips));
    json_object_set_new(entry, "cct", c->result.found ? gt_cli_json_number(c->result.cct) : json_null());
    json_object_set_new(entry, "unstable", c->result.found ? gt_cli_json_number(c->result.unstable) : json_null());
    json_object_set_new(entry, "t_loss", c->result.found ? gt_cli_json_number(c->result.t_loss) : json_null());
    json_object_set_new(entry, "runs", json_integer(c->result.runs));
    return entry;
}

static int print_json(const sweep *w, bool all)
{
    char loads[96];
    json_t *object = all ? json_object() : json_of(w, &w->list[0]);
    json_object_set_new(object, "case", json_string(w->job.c.name));
    json_object_set_new(object, "model",
                        json_string(w->job.setup.model == GT_POWER_CLASSICAL ? "classical" : "twoaxis"));
    json_object_set_new(object, "loads", json_string(gt_power_loads_text(&w->job.setup, loads)));
    json_object_set_new(object, "window", gt_cli_json_number(w->options.window));
    json_object_set_new(object, "threshold", gt_cli_json_number(w->options.threshold * DEGREES));
    json_object_set_new(object, "scan", gt_cli_json_number(w->options.scan));
    json_object_set_new(object, "largest", gt_cli_json_number(w->options.largest));
    json_object_set_new(object, "method", json_string(w->list[0].result.method->name));
    if (all) {
        json_t *array = json_array();
        for (size_t i = 0; i < w->count; i++) json_array_append_new(array, json_of(w, &w->list[i]));
        json_object_set_new(object, "results", array);
    }
    return gt_cli_json_print(object);
}

static void print_criterion(const sweep *w)
{
    char loads[96];
    printf("%s, %s model, loads %s%s; bolted fault at t = 0\n", w->job.c.name,
           w->job.setup.model == GT_POWER_CLASSICAL ? "classical" : "two-axis",
           gt_power_loads_text(&w->job.setup, loads), w->job.setup.limits ? ", with limits" : "");
    gt_fprintf(
        stdout,
        "stable: no two connected machines further apart than %g degrees up to t = %g s (--threshold, --window)\n",
        w->options.threshold * DEGREES, w->options.window);
    gt_fprintf(stdout, "scanned by %g ms up to %g s, the first failure bisected to 0.01 ms; %s\n\n",
               w->options.scan * 1e3, w->options.largest, w->list[0].result.method->name);
}

static void print_one(const sweep *w)
{
    char trips[200];
    const contingency *c = &w->list[0];
    name_trips(w, c, trips, sizeof trips);
    printf("fault at bus %d%s%s: ", w->job.c.bus[c->bus].number,
           *trips ? ", cleared by opening " : ", cleared by itself", trips);
    if (!c->result.found)
        gt_fprintf(stdout, "stable for every clearing time tried, up to %g s\n", w->options.largest);
    else if (c->result.cct == 0)
        printf("unstable however soon it is cleared\n");
    else
        gt_fprintf(stdout,
                   "critical clearing time %.5f s (%.2f cycles)\nunstable at %.5f s, lost at t = %.4g s; %d runs\n",
                   c->result.cct, c->result.cct * (w->job.setup.hz > 0 ? w->job.setup.hz : 60), c->result.unstable,
                   c->result.t_loss, c->result.runs);
}

static void print_ranking(const sweep *w)
{
    char trips[200];
    printf("%6s %8s %12s %12s  %s\n", "rank", "bus", "cct s", "lost at s", "opened");
    for (size_t i = 0; i < w->count; i++) {
        const contingency *c = &w->list[i];
        name_trips(w, c, trips, sizeof trips);
        printf("%6zu %8d", i + 1, w->job.c.bus[c->bus].number);
        if (c->result.found)
            gt_fprintf(stdout, " %12.5f %12.4g", c->result.cct, c->result.t_loss);
        else
            printf(" %12s %12s", "none", "");
        printf("  %s\n", trips);
    }
}

int gt_power_cmd_cct(const cli_args *args)
{
    sweep w = {.done = 0};
    long threads = 1;
    int code = prepare(&w, args);
    if (!code) code = gt_cli_threads(args, &threads);
    if (!code) {
        bool all = gt_cli_has(args, "all-buses");
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
        if (!code && w.job.json) {
            code = print_json(&w, all);
        } else if (!code) {
            print_criterion(&w);
            all ? print_ranking(&w) : print_one(&w);
        }
    }
    gt_power_job_free(&w.job);
    return code;
}
