/* SPDX-License-Identifier: BSD-3-Clause */
/* The slow manifold, as `linearize --manifold` and `advise` report it: of a manifold_view. */
#include "advise_parts.h"
#include <math.h>

enum { MOST_VALUES = 8 };

static const gt_manifold *manifold_of(const void *data)
{
    return ((const manifold_view *)data)->manifold;
}

static bool name_fast(const manifold_view *view, size_t i, report_value *out)
{
    if (i >= view->manifold->n_fast) return false;
    size_t state = view->manifold->n_slow + i;
    out->name = gt_problem_state_name(view->problem, state, out->name_room);
    return true;
}

static bool each_H(const void *data, size_t i, report_value *out)
{
    out->number = i < manifold_of(data)->n_fast ? manifold_of(data)->H[i] : 0;
    return name_fast(data, i, out);
}

static bool each_correction(const void *data, size_t i, report_value *out)
{
    out->number = i < manifold_of(data)->n_fast ? manifold_of(data)->correction[i] : 0;
    return name_fast(data, i, out);
}

static bool each_slow(const void *data, size_t i, report_value *out)
{
    return gt_report_pair_entry(manifold_of(data)->slow, manifold_of(data)->n_slow, i, out);
}

static bool each_fast(const void *data, size_t i, report_value *out)
{
    return gt_report_pair_entry(manifold_of(data)->fast, manifold_of(data)->n_fast, i, out);
}

/* What there is only when the iteration for L has converged. */
static void null_without_L(const void *data, report_value *out)
{
    if (!manifold_of(data)->iterations) out->type = REPORT_END;
}

static bool each_row(const void *data, size_t i, report_value *out)
{
    (void)out;
    return i < manifold_of(data)->n_fast;
}

static bool each_element(const void *data, size_t i, report_value *out)
{
    const report_item *row = data;
    const gt_manifold *m = manifold_of(row->of);
    if (i >= m->n_slow) return false;
    out->number = m->L[i * m->n_fast + row->i];
    return true;
}

static const report_field row_of_L = {
    .type = REPORT_LIST, .each = each_element, .entry = REPORT_NUMBER};

static void say_manifold(const void *data, report_text *out)
{
    const manifold_view *view = data;
    const gt_manifold *m = view->manifold;
    char buffer[24];
    for (size_t i = 0; i < m->n_fast && i < MOST_VALUES; i++)
        gt_report_say(out, "%s%s = %.8g %+.3g", i ? ", " : "",
                      gt_problem_state_name(view->problem, m->n_slow + i, buffer), m->H[i],
                      m->correction[i]);
    gt_report_say(out, " (H and eps H1); distance %.3g, of first order %.3g", m->distance,
                  m->corrected);
}

static void say_slow(const void *data, report_text *out)
{
    const gt_manifold *m = manifold_of(data);
    if (m->iterations) gt_advise_say_values(m->slow, m->n_slow, out);
}

static void say_fast(const void *data, report_text *out)
{
    const gt_manifold *m = manifold_of(data);
    if (m->iterations) gt_advise_say_values(m->fast, m->n_fast, out);
}

static void say_decoupling(const void *data, report_text *out)
{
    const gt_manifold *m = manifold_of(data);
    if (m->iterations)
        gt_report_say(out, "L after %d iterations", m->iterations);
    else
        gt_report_say(out, "the iteration for L does not converge: the blocks are not separated "
                           "enough");
}

const report_field gt_manifold_fields[] = {
    REPORT_KEY("H", "fast states on the manifold, by name", .type = REPORT_MAP, .each = each_H,
               .entry = REPORT_NUMBER, .label = "manifold", .say = say_manifold),
    REPORT_KEY("correction", "of first order, by name", .type = REPORT_MAP, .each = each_correction,
               .entry = REPORT_NUMBER),
    REPORT_KEY("distance", "of the point from H",
               REPORT_VIA(manifold_view, manifold, gt_manifold, distance)),
    REPORT_KEY("distance_corrected", "from H with its correction",
               REPORT_VIA(manifold_view, manifold, gt_manifold, corrected)),
    REPORT_KEY("L", "the matrix that decouples the fast block; null: it was not found",
               .type = REPORT_LIST, .get = null_without_L, .each = each_row, .list = &row_of_L,
               .nullable = true),
    REPORT_KEY("slow", "eigenvalues of the slow part, decoupled", .type = REPORT_LIST,
               .get = null_without_L, .each = each_slow, .entry = REPORT_PAIR, .nullable = true,
               .label = "slow modes", .say = say_slow),
    REPORT_KEY("fast", "of the fast part", .type = REPORT_LIST, .get = null_without_L,
               .each = each_fast, .entry = REPORT_PAIR, .nullable = true, .label = "fast modes",
               .say = say_fast),
    REPORT_KEY("iterations", "for L; 0: it does not converge",
               REPORT_VIA(manifold_view, manifold, gt_manifold, iterations), .label = "decoupling",
               .say = say_decoupling),
    {.type = REPORT_END},
};
