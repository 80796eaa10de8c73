/* SPDX-License-Identifier: BSD-3-Clause */
#include "modes.h"
#include <math.h>

enum { TOP = 3, MOST_ROWS = 24 };
static const double WORTH_TELLING = 0.01; /* smallest participation in a list */

json_t *gt_modes_json_eigenvalues(const gt_linearization *linear)
{
    json_t *array = json_array();
    for (size_t k = 0; k < linear->n; k++)
        json_array_append_new(array,
                              gt_cli_json_numbers((const double[]){linear->modes[k].re, linear->modes[k].im}, 2));
    return array;
}

static json_t *json_top(const gt_problem *problem, const gt_linearization *linear, size_t k)
{
    json_t *array = json_array();
    size_t rows[TOP], count = gt_linearization_top(linear, k, TOP, rows);
    char buffer[24];
    for (size_t i = 0; i < count; i++) {
        json_t *entry = json_object();
        const char *name = gt_problem_state_name(problem, linear->state[rows[i]], buffer);
        json_object_set_new(entry, "name", json_string(name));
        json_object_set_new(entry, "participation", gt_cli_json_number(linear->participation[k * linear->n + rows[i]]));
        json_array_append_new(array, entry);
    }
    return array;
}

json_t *gt_modes_json(const gt_problem *problem, const gt_linearization *linear)
{
    json_t *array = json_array();
    for (size_t k = 0; k < linear->n; k++) {
        const gt_mode *mode = &linear->modes[k];
        json_t *entry = json_object();
        json_object_set_new(entry, "re", gt_cli_json_number(mode->re));
        json_object_set_new(entry, "im", gt_cli_json_number(mode->im));
        json_object_set_new(entry, "time_constant", gt_cli_json_number(mode->time_constant));
        json_object_set_new(entry, "frequency_hz", gt_cli_json_number(mode->frequency_hz));
        json_object_set_new(entry, "frequency_rad", gt_cli_json_number(mode->frequency));
        json_object_set_new(entry, "damping_ratio", gt_cli_json_number(mode->damping_ratio));
        json_object_set_new(entry, "top_states", json_top(problem, linear, k));
        json_array_append_new(array, entry);
    }
    return array;
}

void gt_modes_top(const gt_problem *problem, const gt_linearization *linear, size_t k, char *buffer, size_t size)
{
    size_t rows[TOP], count = gt_linearization_top(linear, k, TOP, rows), used = 0;
    char made_up[24];
    buffer[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++) {
        double part = linear->participation[k * linear->n + rows[i]];
        if (part < WORTH_TELLING) break;
        int more = gt_format(buffer + used, size - used, "%s%s %.2f", i ? ", " : "",
                             gt_problem_state_name(problem, linear->state[rows[i]], made_up), part);
        used += more > 0 ? (size_t)more : 0;
    }
}

void gt_modes_value(const gt_mode *mode, char *buffer, size_t size)
{
    if (mode->im == 0)
        gt_format(buffer, size, "%.5g", mode->re);
    else
        gt_format(buffer, size, "%.5g +- %.5gi", mode->re, fabs(mode->im));
}

void gt_modes_print(const gt_problem *problem, const gt_linearization *linear)
{
    char value[64], top[160];
    size_t rows = 0;
    printf("%-28s %14s %14s %14s  %s\n", "eigenvalue", "time constant", "frequency Hz", "damping ratio", "states");
    for (size_t k = 0; k < linear->n; k++) {
        const gt_mode *mode = &linear->modes[k];
        if (mode->im < 0) continue; /* told with its partner */
        if (rows++ == MOST_ROWS) {
            printf("... and more with smaller real parts; --json has all %zu\n", linear->n);
            return;
        }
        gt_modes_value(mode, value, sizeof value);
        gt_modes_top(problem, linear, k, top, sizeof top);
        gt_fprintf(stdout, "%-28s %14.5g %14.5g %14.5g  %s\n", value, mode->time_constant, mode->frequency_hz,
                   mode->damping_ratio, top);
    }
}
