/* SPDX-License-Identifier: BSD-3-Clause */
/* From the tables of a MATPOWER case file to a case in p.u. and radians, checked row by row. */
#include "power/matpower.h"
#include "power/text_file.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEGREE = GT_PI / 180;

static double cell(const gt_table *t, size_t row, size_t column)
{
    return t->number[row * t->columns + column - 1];
}

static gt_status need_columns(const gt_matpower *r, const gt_table *t, size_t fewest)
{
    char text[160];
    if (!t->line) {
        snprintf(text, sizeof text, "%s is missing", t->name);
        return gt_fail(r->message, GT_BAD_ARGUMENT, "%s: %s", r->file, text);
    }
    snprintf(text, sizeof text, "%s has %zu columns; it takes at least %zu", t->name, t->columns,
             fewest);
    return t->rows && t->columns < fewest ? gt_matpower_wrong(r, t->line, text) : GT_OK;
}

/* A whole number that a bus can have. */
static gt_status whole(const gt_matpower *r, const gt_table *t, size_t row, size_t column,
                       const char *what, int *out)
{
    char text[160];
    double value = cell(t, row, column);
    *out = value >= 0 && value <= 2e9 ? (int)value : -1;
    if (*out >= 0 && *out == value) return GT_OK;
    gt_format(text, sizeof text, "%s must be a whole number, not %g", what, value);
    return gt_matpower_wrong(r, t->row_line[row], text);
}

/*
 * A column whose numbers enter the equations, and what they can be: 0, or of a size between `least`
 * and `most`. The ranges are wide enough for any base and for whole countries as one bus; what lies
 * outside is a slip of the pen, which would overflow later on and give voltages that are not
 * numbers. `open`: Inf is a limit that is not there.
 */
typedef struct column_range {
    size_t index;
    const char *name;
    double least, most;
    bool negative, open;
} column_range;

static gt_status check_columns(const gt_matpower *r, const gt_table *t, size_t row,
                               const column_range *columns)
{
    char text[200];
    for (const column_range *c = columns; c->index && c->index <= t->columns; c++) {
        double value = cell(t, row, c->index), size = fabs(value);
        bool right =
            size == 0 || (size >= c->least && size <= c->most) || (c->open && isinf(value));
        if (right && (value >= 0 || c->negative)) continue;
        gt_format(text, sizeof text,
                  "%s (column %zu of %s, row %zu) must be 0 or %s between %g and %g, not %g",
                  c->name, c->index, t->name, row + 1, c->negative ? "of a size" : "lie", c->least,
                  c->most, value);
        return gt_matpower_wrong(r, t->row_line[row], text);
    }
    return GT_OK;
}

static gt_status take_buses(const gt_matpower *r, gt_power_case *c)
{
    static const column_range used[] = {
        {3, "Pd", 0, 1e9, true, false},       {4, "Qd", 0, 1e9, true, false},
        {5, "Gs", 0, 1e9, true, false},       {6, "Bs", 0, 1e9, true, false},
        {8, "Vm", 0, 100, false, false},      {9, "Va", 0, 1e6, true, false},
        {10, "baseKV", 0, 1e6, false, false}, {0}};
    const gt_table *t = &r->bus;
    char text[160];
    for (size_t i = 0; i < t->rows; i++) {
        gt_power_bus *bus = &c->bus[i];
        gt_status status = whole(r, t, i, 1, "a bus number", &bus->number);
        if (!status) status = whole(r, t, i, 2, "the type of a bus", &bus->type);
        if (!status) status = check_columns(r, t, i, used);
        if (status) return status;
        if (bus->number < 1 || bus->type < GT_BUS_PQ || bus->type > GT_BUS_OFF) {
            snprintf(text, sizeof text,
                     "bus %d has type %d; bus numbers begin at 1, types are 1 (PQ), 2 (PV), 3 "
                     "(slack), 4 (off)",
                     bus->number, bus->type);
            return gt_matpower_wrong(r, t->row_line[i], text);
        }
        bus->p_load = cell(t, i, 3) / r->mva;
        bus->q_load = cell(t, i, 4) / r->mva;
        bus->g_shunt = cell(t, i, 5) / r->mva;
        bus->b_shunt = cell(t, i, 6) / r->mva;
        bus->v = cell(t, i, 8);
        bus->angle = cell(t, i, 9) * DEGREE;
        bus->base_kv = t->columns >= 10 ? cell(t, i, 10) : 0;
    }
    return GT_OK;
}

/* Numbers of buses to indices, by bisection. */
typedef struct bus_order {
    int number;
    size_t index;
} bus_order;

static int by_number(const void *a, const void *b)
{
    const bus_order *one = a, *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

static gt_status sort_buses(const gt_matpower *r, const gt_power_case *c, bus_order **out)
{
    char text[160];
    bus_order *order = *out = gt_arena_take(r->arena, c->n_bus, sizeof *order);
    if (!order) return gt_fail(r->message, GT_NO_MEMORY, "%s: out of memory", r->file);
    for (size_t i = 0; i < c->n_bus; i++) order[i] = (bus_order){c->bus[i].number, i};
    qsort(order, c->n_bus, sizeof *order, by_number);
    for (size_t i = 1; i < c->n_bus; i++) {
        if (order[i].number != order[i - 1].number) continue;
        snprintf(text, sizeof text, "bus %d appears twice", order[i].number);
        size_t later = order[i].index > order[i - 1].index ? order[i].index : order[i - 1].index;
        return gt_matpower_wrong(r, r->bus.row_line[later], text);
    }
    return GT_OK;
}

static gt_status bus_of(const gt_matpower *r, const gt_power_case *c, const bus_order *order,
                        const gt_table *t, size_t row, size_t column, size_t *index)
{
    char text[160];
    int number;
    gt_status status = whole(r, t, row, column, "a bus number", &number);
    if (status) return status;
    const bus_order *found =
        bsearch(&(bus_order){number, 0}, order, c->n_bus, sizeof *order, by_number);
    if (!found) {
        snprintf(text, sizeof text, "row %zu of %s is at bus %d, which mpc.bus does not have",
                 row + 1, t->name, number);
        return gt_matpower_wrong(r, t->row_line[row], text);
    }
    *index = found->index;
    return GT_OK;
}

static gt_status take_gens(const gt_matpower *r, const bus_order *order, gt_power_case *c)
{
    static const column_range used[] = {
        {2, "Pg", 0, 1e9, true, false},     {3, "Qg", 0, 1e9, true, false},
        {4, "Qmax", 0, 1e12, true, true},   {5, "Qmin", 0, 1e12, true, true},
        {6, "Vg", 0, 100, false, false},    {7, "mBase", 1e-6, 1e9, false, false},
        {8, "status", 0, 1e9, true, false}, {0}};
    const gt_table *t = &r->gen;
    int *units = gt_arena_take(r->arena, c->n_bus + 1, sizeof *units);
    if (!units) return gt_fail(r->message, GT_NO_MEMORY, "%s: out of memory", r->file);
    for (size_t i = 0; i < t->rows; i++) {
        gt_power_gen *gen = &c->gen[i];
        gt_status status = bus_of(r, c, order, t, i, 1, &gen->bus);
        if (!status) status = check_columns(r, t, i, used);
        if (status) return status;
        gen->unit = ++units[gen->bus];
        gen->p = cell(t, i, 2) / r->mva;
        gen->q = cell(t, i, 3) / r->mva;
        gen->q_max = cell(t, i, 4) / r->mva;
        gen->q_min = cell(t, i, 5) / r->mva;
        gen->v_set = cell(t, i, 6);
        gen->mva = cell(t, i, 7);
        gen->on = cell(t, i, 8) > 0;
        if (gen->on && gen->q_max < gen->q_min)
            return gt_matpower_wrong(r, t->row_line[i], "Qmax must not be below Qmin");
        if (gen->on && !(gen->v_set > 0))
            return gt_matpower_wrong(r, t->row_line[i],
                                     "the voltage of a generator must be above 0");
    }
    return GT_OK;
}

static void number_circuits(gt_power_case *c)
{
    for (size_t i = 0; i < c->n_branch; i++) {
        gt_power_branch *b = &c->branch[i];
        b->circuit = 1;
        for (size_t k = 0; k < i; k++) {
            const gt_power_branch *a = &c->branch[k];
            bool same = a->from == b->from && a->to == b->to,
                 turned = a->from == b->to && a->to == b->from;
            if (same || turned) b->circuit++;
        }
    }
}

static gt_status take_branches(const gt_matpower *r, const bus_order *order, gt_power_case *c)
{
    static const column_range used[] = {{3, "r", 1e-12, 1e6, true, false},
                                        {4, "x", 1e-12, 1e6, true, false},
                                        {5, "b", 1e-12, 1e6, true, false},
                                        {9, "ratio", 1e-3, 1e3, false, false},
                                        {10, "angle", 0, 1e6, true, false},
                                        {11, "status", 0, 1e9, true, false},
                                        {0}};
    const gt_table *t = &r->branch;
    for (size_t i = 0; i < t->rows; i++) {
        gt_power_branch *branch = &c->branch[i];
        gt_status status = bus_of(r, c, order, t, i, 1, &branch->from);
        if (!status) status = bus_of(r, c, order, t, i, 2, &branch->to);
        if (!status) status = check_columns(r, t, i, used);
        if (status) return status;
        branch->r = cell(t, i, 3);
        branch->x = cell(t, i, 4);
        branch->b = cell(t, i, 5);
        branch->ratio = cell(t, i, 9) == 0 ? 1 : cell(t, i, 9);
        branch->shift = cell(t, i, 10) * DEGREE;
        branch->on = cell(t, i, 11) > 0;
        if (branch->from == branch->to)
            return gt_matpower_wrong(r, t->row_line[i],
                                     "a branch must connect two different buses");
        if (branch->on && branch->r == 0 && branch->x == 0) {
            char text[160];
            snprintf(text, sizeof text,
                     "the branch %d-%d has no impedance; join the two buses, or give it a small "
                     "reactance",
                     c->bus[branch->from].number, c->bus[branch->to].number);
            return gt_matpower_wrong(r, t->row_line[i], text);
        }
    }
    number_circuits(c);
    return GT_OK;
}

static gt_status take_all(const gt_matpower *r, gt_power_case *c)
{
    bus_order *order;
    gt_status status = need_columns(r, &r->bus, 9);
    if (!status) status = need_columns(r, &r->gen, 8);
    if (!status) status = need_columns(r, &r->branch, 11);
    if (status) return status;
    if (!r->has_mva)
        return gt_fail(r->message, GT_BAD_ARGUMENT, "%s: %s.baseMVA is missing", r->file, r->owner);
    if (!r->bus.rows) return gt_matpower_wrong(r, r->bus.line, "there are no buses");
    for (size_t i = 0; i < r->dcline.rows; i++)
        if (r->dcline.columns < 3 || cell(&r->dcline, i, 3) > 0)
            return gt_matpower_wrong(r, r->dcline.row_line[i],
                                     "direct-current lines are not modelled");
    *c = (gt_power_case){.name = r->name, .file = r->file, .mva = r->mva};
    c->n_bus = r->bus.rows;
    c->n_gen = r->gen.rows;
    c->n_branch = r->branch.rows;
    c->bus = gt_arena_take(r->arena, c->n_bus, sizeof *c->bus);
    c->gen = gt_arena_take(r->arena, c->n_gen + 1, sizeof *c->gen);
    c->branch = gt_arena_take(r->arena, c->n_branch + 1, sizeof *c->branch);
    if (!c->bus || !c->gen || !c->branch)
        return gt_fail(r->message, GT_NO_MEMORY, "%s: out of memory for the case", r->file);
    status = take_buses(r, c);
    if (!status) status = sort_buses(r, c, &order);
    if (!status) status = take_gens(r, order, c);
    if (!status) status = take_branches(r, order, c);
    return status;
}

gt_status gt_power_case_parse(const char *text, const char *file, gt_power_case *out,
                              gt_arena *arena, gt_message *message)
{
    GT_ARMOR(message, text && out && arena);
    if (!file) file = "case";
    size_t length = strlen(file);
    char *file_copy = gt_arena_take(arena, length + 1, 1);
    if (!file_copy) return gt_fail(message, GT_NO_MEMORY, "%s: out of memory", file);
    memcpy(file_copy, file, length);
    gt_matpower r = {.at = text,
                     .file = file_copy,
                     .line = 1,
                     .owner = "mpc",
                     .arena = arena,
                     .message = message};
    r.name = gt_text_stem(file, arena);
    r.bus.name = "mpc.bus", r.gen.name = "mpc.gen", r.branch.name = "mpc.branch",
    r.dcline.name = "mpc.dcline";
    gt_status status = gt_matpower_read(&r);
    if (!status) status = take_all(&r, out);
    if (!status) status = gt_power_case_check(out, message);
    gt_matpower_free(&r);
    return status;
}

gt_status gt_power_case_read(const char *path, gt_power_case *out, gt_arena *arena,
                             gt_message *message)
{
    GT_ARMOR(message, path && out && arena);
    gt_status status;
    const char *text = gt_text_read(path, "case file", arena, &status, message);
    return text ? gt_power_case_parse(text, path, out, arena, message) : status;
}
