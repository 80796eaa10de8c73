/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A comparison in words: the row that is the fastest and the most accurate at once, beside the most
 * accurate of the others; or, where there is none, who is the fastest and who the most accurate.
 * Rows that failed, or whose error is not certain, are left out.
 */
#include "compare_parts.h"
#include <assert.h>
#include <math.h>

static bool counts(const compare_row *row)
{
    return !row->report.status && gt_cli_max_certain(&row->error) && row->error.max > 0 &&
           row->wall > 0;
}

/* The most accurate row but this one; NULL: there is none. */
static const compare_row *most_accurate(const comparison *c, const compare_row *but)
{
    const compare_row *best = NULL;
    for (size_t i = 0; i < c->n_rows; i++) {
        const compare_row *row = &c->rows[i];
        if (row == but || !counts(row)) continue;
        if (!best || row->error.max < best->error.max) best = row;
    }
    return best;
}

static const compare_row *fastest(const comparison *c)
{
    const compare_row *best = NULL;
    for (size_t i = 0; i < c->n_rows; i++) {
        const compare_row *row = &c->rows[i];
        if (counts(row) && (!best || row->wall < best->wall)) best = row;
    }
    return best;
}

static const char *name_of(const compare_row *row, char text[160])
{
    assert(row);
    char step[40];
    snprintf(text, 160, "%.100s %s", row->entry->label, gt_compare_step(row, step));
    return text;
}

/* "12 times less", "1.3 times more" */
static void say_ratio(report_text *out, double ratio, const char *less, const char *more)
{
    double size = ratio >= 1 ? ratio : 1 / ratio;
    gt_report_say(out, size < 9.95 ? "%.1f times %s" : "%.0f times %s", size,
                  ratio >= 1 ? less : more);
}

static void say_leader(const comparison *c, const compare_row *leader, const compare_row *rival,
                       report_text *out)
{
    const gt_problem *p = &c->p.problem;
    char name[160], other[160];
    double calls = gt_compare_evaluations(p, &leader->report.stats);
    double others = gt_compare_evaluations(p, &rival->report.stats);
    gt_report_say(out,
                  "%s is the fastest and the most accurate here. Beside %s, the next in "
                  "accuracy: ",
                  name_of(leader, name), name_of(rival, other));
    if (calls > 0 && others > 0) {
        say_ratio(out, others / calls, "fewer", "more");
        gt_report_say(out, " evaluations, ");
    }
    gt_report_say(out, "%ld Jacobians against %ld, ", leader->report.stats.jacobians,
                  rival->report.stats.jacobians);
    say_ratio(out, rival->wall / leader->wall, "less", "more");
    gt_report_say(out, " time, %.2g of its error.", leader->error.max / rival->error.max);
}

static void say_both(const compare_row *accurate, const compare_row *quick, report_text *out)
{
    char name[160], other[160];
    gt_report_say(out, "%s is the most accurate here, %s the fastest: ", name_of(accurate, name),
                  name_of(quick, other));
    say_ratio(out, accurate->wall / quick->wall, "less", "more");
    gt_report_say(out, " time for %.2g times the error.", quick->error.max / accurate->error.max);
}

void gt_compare_in_words(comparison *c)
{
    report_text text = {.used = 0};
    const compare_row *leader = c->drift ? NULL : most_accurate(c, NULL);
    const compare_row *rival = leader ? most_accurate(c, leader) : NULL, *quick = fastest(c);
    if (!rival) return;
    if (quick == leader)
        say_leader(c, leader, rival, &text);
    else
        say_both(leader, quick, &text);
    snprintf(c->words.text, sizeof c->words.text, "%.*s", (int)sizeof c->words.text - 1, text.text);
}
