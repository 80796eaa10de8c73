/* SPDX-License-Identifier: BSD-3-Clause */
/* How buses, branches and events are written on the command line. */
#include "power_parts.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *gt_power_machine_name(const power_job *job, size_t machine, char buffer[24])
{
    const gt_power_gen *gen = &job->c.gen[gt_power_machine_gen(job->system, machine)];
    int number = job->c.bus[gen->bus].number;
    if (gen->unit > 1)
        snprintf(buffer, 24, "%d.%d", number, gen->unit);
    else
        snprintf(buffer, 24, "%d", number);
    return buffer;
}

int gt_power_word_bus(const gt_power_case *c, const char *what, const char *text, size_t *bus)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || *end) return gt_cli_usage("%s: '%s' is not a bus number", what, text);
    *bus = number > 0 && number < 2000000000 ? gt_power_find_bus(c, (int)number) : c->n_bus;
    return *bus < c->n_bus ? CLI_OK : gt_cli_usage("%s: %s has no bus %ld", what, c->name, number);
}

/* I-J, or I-J#2 for the second circuit. */
int gt_power_word_branch(const gt_power_case *c, const char *what, const char *text, size_t *branch)
{
    char *end;
    long from = strtol(text, &end, 10), to = 0, circuit = 0;
    bool good = end != text && *end == '-';
    if (good) {
        const char *second = end + 1;
        to = strtol(second, &end, 10);
        good = end != second && second[0] != '-';
        if (good && *end == '#') {
            const char *third = end + 1;
            circuit = strtol(third, &end, 10);
            good = end != third && circuit > 0;
        }
    }
    if (!good || *end)
        return gt_cli_usage(
            "%s: '%s' is not a branch; write it as I-J, or I-J#2 for the second circuit", what,
            text);
    size_t found = 0, count = 0;
    for (size_t k = 0; k < c->n_branch; k++) {
        const gt_power_branch *b = &c->branch[k];
        int one = c->bus[b->from].number, other = c->bus[b->to].number;
        if (!((one == from && other == to) || (one == to && other == from))) continue;
        count++;
        if (count == 1 || b->circuit == circuit) found = k;
    }
    if (!count) return gt_cli_usage("%s: %s has no branch %ld-%ld", what, c->name, from, to);
    if (circuit > (long)count)
        return gt_cli_usage("%s: %s has %zu branches %ld-%ld, not %ld", what, c->name, count, from,
                            to, circuit);
    if (count > 1 && !circuit)
        return gt_cli_usage("%s: there are %zu branches %ld-%ld; say which, as in %ld-%ld#1", what,
                            count, from, to, from, to);
    *branch = found;
    return CLI_OK;
}

/* Splits "what@when" in a copy; *when is a number. */
static int split_time(power_job *job, const char *flag, const char *text, const char *form,
                      char **what, char **when)
{
    size_t bytes = strlen(text) + 1;
    *what = gt_arena_take(&job->p.arena, bytes, 1);
    if (!*what) return gt_cli_failed("out of memory");
    memcpy(*what, text, bytes);
    *when = strchr(*what, '@');
    if (!*when)
        return gt_cli_usage("%s %s: the time is missing; write %s %s", flag, text, flag, form);
    *(*when)++ = '\0';
    return CLI_OK;
}

/* An impedance R, jX, Xj or R+jX. */
static int read_impedance(const char *text, double *r, double *x)
{
    const char *at = text;
    *r = *x = 0;
    while (*at) {
        double sign = *at == '-' ? -1 : 1;
        if (*at == '+' || *at == '-') at++;
        bool imaginary = *at == 'j' || *at == 'i';
        if (imaginary) at++;
        double value;
        const char *end = gt_number_read_any(at, NULL, &value);
        if (end == at || !isfinite(value))
            return gt_cli_usage("--fault: '%s' is not an impedance; write R, jX or R+jX in p.u.",
                                text);
        at = end;
        if (*at == 'j' || *at == 'i') imaginary = true, at++;
        *(imaginary ? x : r) += sign * value;
        if (*at && *at != '+' && *at != '-')
            return gt_cli_usage("--fault: '%s' is not an impedance; write R, jX or R+jX in p.u.",
                                text);
    }
    return CLI_OK;
}

/* BUS@ON:OFF[:Z]; without OFF the fault stays. */
static int read_fault(power_job *job, const char *text, gt_power_event *events, size_t *count)
{
    char *what = NULL, *on = NULL;
    size_t bus = 0;
    gt_power_event begin = {.kind = GT_POWER_FAULT}, end = {.kind = GT_POWER_CLEAR};
    int code = split_time(job, "--fault", text, "BUS@ON:OFF[:Z]", &what, &on);
    if (!code) code = gt_power_word_bus(&job->c, "--fault", what, &bus);
    if (code) return code;
    assert(on);
    char *off = strchr(on, ':'), *z = NULL;
    if (off) *off++ = '\0', z = strchr(off, ':');
    if (z) *z++ = '\0';
    begin.bus = end.bus = bus;
    if ((code = gt_cli_read_number("--fault", on, &begin.t))) return code;
    if (off && *off && (code = gt_cli_read_number("--fault", off, &end.t))) return code;
    if (z && (code = read_impedance(z, &begin.r, &begin.x))) return code;
    if (off && *off && !(end.t > begin.t))
        return gt_cli_usage("--fault %s: it must be cleared after it begins, not at t = %g", text,
                            end.t);
    events[(*count)++] = begin;
    if (off && *off) events[(*count)++] = end;
    return CLI_OK;
}

static int read_branch_event(power_job *job, const char *flag, gt_power_event_kind kind,
                             const char *text, gt_power_event *events, size_t *count)
{
    char *what = NULL, *when = NULL;
    gt_power_event e = {.kind = kind};
    int code = split_time(job, flag, text, "I-J@T", &what, &when);
    if (!code) code = gt_power_word_branch(&job->c, flag, what, &e.branch);
    if (!code) code = gt_cli_read_number(flag, when, &e.t);
    if (!code) events[(*count)++] = e;
    return code;
}

/* BUS*FACTOR@T */
static int read_load(power_job *job, const char *text, gt_power_event *events, size_t *count)
{
    char *what = NULL, *when = NULL;
    gt_power_event e = {.kind = GT_POWER_LOAD};
    int code = split_time(job, "--load", text, "BUS*FACTOR@T", &what, &when);
    if (code) return code;
    char *factor = strchr(what, '*');
    if (!factor)
        return gt_cli_usage("--load %s: the factor is missing; write --load BUS*FACTOR@T", text);
    *factor++ = '\0';
    if ((code = gt_power_word_bus(&job->c, "--load", what, &e.bus))) return code;
    if ((code = gt_cli_read_number("--load", factor, &e.factor))) return code;
    if ((code = gt_cli_read_number("--load", when, &e.t))) return code;
    events[(*count)++] = e;
    return CLI_OK;
}

/* BUS@T, or BUS#2@T for the second unit there. */
static int read_gentrip(power_job *job, const char *text, gt_power_event *events, size_t *count)
{
    char *what = NULL, *when = NULL;
    gt_power_event e = {.kind = GT_POWER_GENTRIP};
    double unit = 1;
    size_t bus = 0, k = 0;
    int code = split_time(job, "--gentrip", text, "BUS@T", &what, &when);
    if (code) return code;
    char *mark = strchr(what, '#');
    if (mark) *mark++ = '\0';
    if (mark && (code = gt_cli_read_number("--gentrip", mark, &unit))) return code;
    if ((code = gt_power_word_bus(&job->c, "--gentrip", what, &bus))) return code;
    if ((code = gt_cli_read_number("--gentrip", when, &e.t))) return code;
    while (k < job->c.n_gen && !(job->c.gen[k].bus == bus && job->c.gen[k].unit == (int)unit)) k++;
    if (k == job->c.n_gen)
        return gt_cli_usage("--gentrip: %s has no generator %s%s%s", job->c.name, what,
                            mark ? "#" : "", mark ? mark : "");
    e.gen = k;
    events[(*count)++] = e;
    return CLI_OK;
}

int gt_power_events(power_job *job)
{
    const cli_args *args = job->args;
    const power_flags *own = power_own(args);
    size_t count = 0;
    int code = CLI_OK;
    gt_power_event *events = gt_arena_take(&job->p.arena, 2 * args->n_given + 1, sizeof *events);
    if (!events) return gt_cli_failed("out of memory");
    for (size_t i = 0; i < args->n_given && !code; i++) {
        const cli_flag *flag = args->given[i].flag;
        const char *text = args->given[i].value;
        if (flag == own->fault.flag) code = read_fault(job, text, events, &count);
        if (flag == own->trip.flag)
            code = read_branch_event(job, "--trip", GT_POWER_TRIP, text, events, &count);
        if (flag == own->reclose.flag)
            code = read_branch_event(job, "--reclose", GT_POWER_RECLOSE, text, events, &count);
        if (flag == own->load.flag) code = read_load(job, text, events, &count);
        if (flag == own->gentrip.flag) code = read_gentrip(job, text, events, &count);
    }
    job->setup.events = events;
    job->setup.n_events = count;
    for (size_t k = 0; k < count && !code; k++)
        if (events[k].t >= job->setup.t1)
            gt_cli_warn("the run ends at t = %g, before the event at t = %g", job->setup.t1,
                        events[k].t);
    return code;
}
