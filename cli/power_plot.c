/* SPDX-License-Identifier: BSD-3-Clause */
/* Three panels over time: rotor angles, speeds of the same machines as a deviation in Hz, bus
 * voltages. */
#include "power_parts.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 }; /* curves of a panel: there are as many colours */

typedef struct choice {
    size_t column;
    double travel; /* of the curve: largest minus smallest value */
} choice;

static int by_travel(const void *a, const void *b)
{
    const choice *one = a, *other = b;
    if (one->travel != other->travel) return one->travel > other->travel ? -1 : 1;
    return one->column < other->column ? -1 : 1;
}

static int by_column(const void *a, const void *b)
{
    const choice *one = a, *other = b;
    return (one->column > other->column) - (one->column < other->column);
}

/* The columns first .. first + count - 1, or where they are many those that move most. */
static size_t choose(const power_record *r, size_t first, size_t count, choice *list)
{
    for (size_t k = 0; k < count; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < r->rows.count; i++) {
            low = fmin(low, r->rows.values[i * r->columns + first + k]);
            high = fmax(high, r->rows.values[i * r->columns + first + k]);
        }
        list[k] = (choice){first + k, high - low};
    }
    qsort(list, count, sizeof *list, by_travel);
    size_t used = count < MOST ? count : MOST;
    qsort(list, used, sizeof *list, by_column);
    return used;
}

/* Angles relative to the centre of inertia or the first machine; speeds in Hz from the rated one.
 */
static void make_relative(power_record *r, const char *relative)
{
    double rated = r->job->setup.hz > 0 ? r->job->setup.hz : 60;
    for (size_t i = 0; i < r->rows.count; i++) {
        double *delta = r->rows.values + i * r->columns, *omega = delta + r->machines, from = 0;
        if (!strcmp(relative, "first")) from = delta[0];
        if (!strcmp(relative, "coi")) from = gt_power_centre(r->job->system, r->rows.t[i], delta);
        for (size_t k = 0; k < r->machines; k++) {
            delta[k] -= from;
            omega[k] = omega[k] / (2 * GT_PI) - rated;
        }
    }
}

int gt_power_draw(const power_record *given, const char *path, const char *relative,
                  const char *title, const cli_args *args)
{
    power_record r = *given;
    size_t most = r.machines > r.buses ? r.machines : r.buses, used = 0;
    choice *list = malloc(most * sizeof *list);
    static const char *const of_angle[] = {"angle to COI [deg]", "angle to first machine [deg]",
                                           "rotor angle [deg]"};
    const char *labels[] = {of_angle[!strcmp(relative, "coi")     ? 0
                                     : !strcmp(relative, "first") ? 1
                                                                  : 2],
                            "speed - rated [Hz]", "voltage [p.u.]"};
    size_t counts[] = {r.machines, r.machines, r.buses}, firsts[] = {0, r.machines, 2 * r.machines};
    enum { ANGLES, SPEEDS };
    cli_curve curves[3][MOST];
    cli_panel panels[3];
    char names[3][MOST][48], axis[3][96];
    if (!list) return gt_cli_failed("out of memory");
    make_relative(&r, relative);
    for (int p = 0; p < 3; p++) {
        if (p != SPEEDS) used = choose(&r, firsts[p], counts[p], list);
        for (size_t k = 0; k < used && p == SPEEDS; k++)
            list[k].column += firsts[SPEEDS] - firsts[ANGLES];
        for (size_t k = 0; k < used; k++) {
            gt_power_column_name(&r, list[k].column, names[p][k]);
            curves[p][k] = (cli_curve){.title = names[p][k],
                                       .x = r.rows.t,
                                       .y = r.rows.values + list[k].column,
                                       .stride = r.columns,
                                       .count = r.rows.count,
                                       .colour = (int)k + 1};
        }
        snprintf(axis[p], sizeof axis[p], used < counts[p] ? "%s, %zu of %zu" : "%s", labels[p],
                 used, counts[p]);
        panels[p] =
            (cli_panel){.y_label = axis[p], .tight_x = true, .curves = curves[p], .n_curves = used};
    }
    panels[2].x_label = "t [s]";
    free(list);
    return gt_cli_plot(
        &(cli_plot){.path = path, .title = title, .panels = panels, .n_panels = 3, .args = args});
}
