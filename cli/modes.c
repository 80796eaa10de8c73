/* SPDX-License-Identifier: BSD-3-Clause */
#include "modes.h"
#include <math.h>

enum { TOP = 3, MOST_ROWS = 24 };
static const double WORTH_TELLING = 0.01; /* smallest participation in a list */

void gt_modes_top(const modes_view *view, size_t k, report_text *out)
{
    const gt_linearization *linear = view->linear;
    size_t rows[TOP], count = gt_linearization_top(linear, k, TOP, rows);
    char made_up[24];
    for (size_t i = 0; i < count; i++) {
        double part = linear->participation[k * linear->n + rows[i]];
        if (part < WORTH_TELLING) break;
        const char *name = gt_problem_state_name(view->problem, linear->state[rows[i]], made_up);
        gt_report_say(out, "%s%s %.2f", i ? ", " : "", name, part);
    }
}

void gt_modes_value(const gt_mode *mode, report_text *out)
{
    if (mode->im == 0)
        gt_report_say(out, "%.5g", mode->re);
    else
        gt_report_say(out, "%.5g +- %.5gi", mode->re, fabs(mode->im));
}

/* ---- mode k: an item of a modes_view ---- */

static const modes_view *view_of(const void *data) { return ((const report_item *)data)->of; }

static const gt_mode *mode_of(const void *data)
{
    return &view_of(data)->linear->modes[((const report_item *)data)->i];
}

static void get_mode(const void *data, report_value *out) { out->data = mode_of(data); }

static void say_value(const void *data, report_text *out) { gt_modes_value(mode_of(data), out); }

static void say_top(const void *data, report_text *out)
{
    gt_modes_top(view_of(data), ((const report_item *)data)->i, out);
}

/* State j of mode k has the place k n + j. */
static bool each_top(const void *data, size_t i, report_value *out)
{
    const report_item *item = data;
    const gt_linearization *linear = view_of(data)->linear;
    size_t rows[TOP];
    if (i >= gt_linearization_top(linear, item->i, TOP, rows)) return false;
    out->item = (report_item){.of = item->of, .i = item->i * linear->n + rows[i]};
    return true;
}

static void get_name(const void *data, report_value *out)
{
    const modes_view *view = view_of(data);
    size_t row = ((const report_item *)data)->i % view->linear->n;
    out->text = gt_problem_state_name(view->problem, view->linear->state[row], out->room);
}

static void get_participation(const void *data, report_value *out)
{
    out->number = view_of(data)->linear->participation[((const report_item *)data)->i];
}

static const report_field top_fields[] = {
    REPORT_KEY("name", "of the state", .type = REPORT_STRING, .get = get_name),
    REPORT_KEY("participation", "product of left and right eigenvector", .type = REPORT_NUMBER,
               .get = get_participation),
    {.type = REPORT_END},
};

static const report_field mode_fields[] = {
    REPORT_KEY("re", "real part", REPORT_AT(gt_mode, re)),
    REPORT_KEY("im", "imaginary part", REPORT_AT(gt_mode, im)),
    REPORT_KEY("time_constant", "1 / |re|", REPORT_AT(gt_mode, time_constant),
               .label = "time const", .format = "%.5g"),
    REPORT_KEY("frequency_hz", "im / (2 pi)", REPORT_AT(gt_mode, frequency_hz), .label = "freq Hz",
               .format = "%.5g"),
    REPORT_KEY("frequency_rad", "|im|", REPORT_AT(gt_mode, frequency)),
    REPORT_KEY("damping_ratio", "-re / |lambda|", REPORT_AT(gt_mode, damping_ratio),
               .label = "damping", .format = "%.5g"),
    {.type = REPORT_END},
};

static const report_field row_fields[] = {
    {.type = REPORT_STRING, .label = "eigenvalue", .say = say_value},
    REPORT_PART(mode_fields, .get = get_mode),
    REPORT_KEY("top_states", "the states that take part most", .type = REPORT_LIST,
               .each = each_top, .of = top_fields, .label = "states", .say = say_top),
    {.type = REPORT_END},
};

static bool each_mode(const void *data, size_t i, report_value *out)
{
    (void)out;
    return i < ((const modes_view *)data)->linear->n;
}

/* A complex pair is one row of the table. */
static bool each_shown(const void *data, size_t i, report_value *out)
{
    const gt_linearization *linear = ((const modes_view *)data)->linear;
    if (i >= linear->n) return false;
    out->absent = linear->modes[i].im < 0;
    return true;
}

bool gt_modes_each_eigenvalue(const modes_view *view, size_t i, report_value *out)
{
    const gt_linearization *linear = view->linear;
    if (i >= linear->n) return false;
    out->pair[0] = linear->modes[i].re;
    out->pair[1] = linear->modes[i].im;
    return true;
}

const report_field gt_modes_fields[] = {
    REPORT_KEY("modes", "by real part, the largest first", .type = REPORT_LIST, .each = each_mode,
               .of = row_fields),
    {.type = REPORT_LIST, .each = each_shown, .of = row_fields, .label = "", .most = MOST_ROWS},
    {.type = REPORT_END},
};
