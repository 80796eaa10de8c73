/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Objects are put together without a look at each call of jansson; a piece that there was no memory
 * for would be missing from what is printed without a word. So its allocator is looked at, which
 * has no other place to say so. */
static atomic_bool starved;

static void *take(size_t size)
{
    void *memory = malloc(size);
    if (!memory && size) atomic_store(&starved, true);
    return memory;
}

void gt_cli_json_begin(void) { json_set_alloc_funcs(take, free); }

bool gt_cli_json_whole(void) { return !atomic_load(&starved); }

json_t *gt_cli_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *gt_cli_json_numbers(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(array, gt_cli_json_number(values[i]));
    return array;
}

json_t *gt_cli_json_state(const gt_problem *problem, const double *x)
{
    json_t *object = json_object();
    char buffer[24];
    for (size_t i = 0; i < gt_problem_size(problem); i++)
        json_object_set_new(object, gt_problem_state_name(problem, i, buffer),
                            gt_cli_json_number(x[i]));
    return object;
}

static json_t *param_value(const gt_param *row, double value)
{
    switch (row->type) {
    case GT_CHOICE:
        return json_string(row->choices[(size_t)value]);
    case GT_INTEGER:
        return json_integer((json_int_t)value);
    default:
        return gt_cli_json_number(value);
    }
}

json_t *gt_cli_json_values(const gt_param *table, const gt_values *values)
{
    json_t *object = json_object();
    for (size_t i = 0; table && table[i].name; i++)
        json_object_set_new(object, table[i].name, param_value(&table[i], values->v[i]));
    return object;
}

json_t *gt_cli_json_stats(const gt_stats *stats)
{
    const struct {
        const char *name;
        long value;
    } counters[] = {
        {"steps", stats->steps},
        {"rejected", stats->rejected},
        {"rhs", stats->rhs},
        {"rhs_slow", stats->rhs_slow},
        {"rhs_fast", stats->rhs_fast},
        {"rhs_alg", stats->rhs_alg},
        {"jacobians", stats->jacobians},
        {"factorizations", stats->factorizations},
        {"newton", stats->newton},
        {"taylor", stats->taylor},
        {"events", stats->events},
    };
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        json_object_set_new(object, counters[i].name, json_integer(counters[i].value));
    return object;
}

json_t *gt_cli_json_warnings(const gt_warnings *warnings)
{
    json_t *array = json_array();
    for (int i = 0; i < warnings->count; i++)
        json_array_append_new(array, json_string(warnings->list[i].text));
    return array;
}

void gt_cli_json_remarks(json_t *object, const gt_report *report)
{
    json_t *notes = json_array();
    if (*report->note.text) json_array_append_new(notes, json_string(report->note.text));
    json_object_set_new(object, "warnings", gt_cli_json_warnings(&report->warnings));
    json_object_set_new(object, "notes", notes);
}

static bool printed; /* one object is all that a command prints */

bool gt_cli_json_printed(void) { return printed; }

int gt_cli_json_print(json_t *object)
{
    if (!gt_cli_json_whole()) {
        json_decref(object);
        return gt_cli_failed("out of memory for the JSON object");
    }
    printed = true;
    int refused = json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(object);
    int lost = gt_cli_flush();
    if (lost) return lost;
    return refused ? gt_cli_failed("the JSON object could not be printed") : CLI_OK;
}
