/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Islands, and the admittance matrix. A branch is a pi circuit behind an ideal transformer at its
 * `from` end, as in MATPOWER: with y = 1/(r + j x) and tap = ratio exp(j shift)
 *
 *     [ I_from ]   [ (y + j b/2) / ratio^2   -y / conj(tap) ] [ V_from ]
 *     [ I_to   ] = [ -y / tap                 y + j b/2     ] [ V_to   ]
 */
#include "power/network.h"
#include <complex.h>
#include <stdlib.h>
#include <string.h>

static size_t root_of(size_t *parent, size_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

void gt_islands_of(const gt_power_case *c, const bool *on, size_t *island)
{
    for (size_t i = 0; i < c->n_bus; i++) island[i] = i;
    for (size_t k = 0; k < c->n_branch; k++) {
        const gt_power_branch *branch = &c->branch[k];
        if (!(on ? on[k] : branch->on)) continue;
        if (c->bus[branch->from].type == GT_BUS_OFF || c->bus[branch->to].type == GT_BUS_OFF)
            continue;
        size_t a = root_of(island, branch->from), b = root_of(island, branch->to);
        if (a < b)
            island[b] = a;
        else
            island[a] = b;
    }
    for (size_t i = 0; i < c->n_bus; i++) island[i] = root_of(island, i);
}

static int place_of(const gt_grid *grid, size_t row, size_t column)
{
    int low = grid->start[row], high = grid->start[row + 1];
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (grid->column[middle] <= (int)column)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int by_value(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* Rows with their diagonal and neighbours, sorted, doubles removed. */
static void fill_rows(const gt_power_case *c, gt_grid *grid, const int *most, int *scratch,
                      int *used)
{
    size_t n = c->n_bus;
    memset(used, 0, n * sizeof *used);
    for (size_t i = 0; i < n; i++) scratch[most[i] + used[i]++] = (int)i;
    for (size_t k = 0; k < c->n_branch; k++) {
        size_t f = c->branch[k].from, t = c->branch[k].to;
        scratch[most[f] + used[f]++] = (int)t;
        scratch[most[t] + used[t]++] = (int)f;
    }
    int total = 0;
    for (size_t i = 0; i < n; i++) {
        int *row = scratch + most[i];
        qsort(row, (size_t)used[i], sizeof *row, by_value);
        grid->start[i] = total;
        for (int k = 0; k < used[i]; k++)
            if (!k || row[k] != row[k - 1]) grid->column[total++] = row[k];
    }
    grid->start[n] = total;
}

gt_status gt_grid_make(const gt_power_case *c, gt_grid *grid, gt_arena *arena)
{
    size_t n = c->n_bus, most_entries = n + 2 * c->n_branch;
    grid->n = n;
    grid->start = gt_arena_take(arena, n + 1, sizeof(int));
    grid->column = gt_arena_take(arena, most_entries, sizeof(int));
    grid->diagonal = gt_arena_take(arena, n, sizeof(int));
    grid->branch = gt_arena_take(arena, c->n_branch + 1, sizeof *grid->branch);
    int *most = gt_arena_take(arena, n + 1, sizeof *most),
        *used = gt_arena_take(arena, n, sizeof *used);
    int *scratch = gt_arena_take(arena, most_entries, sizeof *scratch);
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t i = 0; i < n; i++) used[i] = 1;
    for (size_t k = 0; k < c->n_branch; k++) used[c->branch[k].from]++, used[c->branch[k].to]++;
    for (size_t i = 0; i < n; i++) most[i + 1] = most[i] + used[i];
    fill_rows(c, grid, most, scratch, used);
    for (size_t i = 0; i < n; i++) grid->diagonal[i] = place_of(grid, i, i);
    for (size_t k = 0; k < c->n_branch; k++) {
        size_t f = c->branch[k].from, t = c->branch[k].to;
        grid->branch[k][0] = grid->diagonal[f];
        grid->branch[k][1] = place_of(grid, f, t);
        grid->branch[k][2] = place_of(grid, t, f);
        grid->branch[k][3] = grid->diagonal[t];
    }
    return GT_OK;
}

static void add(double *g, double *b, int place, double complex y)
{
    g[place] += creal(y);
    b[place] += cimag(y);
}

void gt_grid_admittance(const gt_grid *grid, const gt_power_case *c, const bool *on,
                        const bool *charged, double *g, double *b)
{
    size_t entries = (size_t)grid->start[grid->n];
    memset(g, 0, entries * sizeof *g);
    memset(b, 0, entries * sizeof *b);
    for (size_t i = 0; i < grid->n; i++)
        add(g, b, grid->diagonal[i], c->bus[i].g_shunt + I * c->bus[i].b_shunt);
    for (size_t k = 0; k < c->n_branch; k++) {
        const gt_power_branch *branch = &c->branch[k];
        bool closed = on ? on[k] : branch->on, left = charged && charged[k] && !closed;
        if (!closed && !left) continue;
        double complex y = closed ? 1 / (branch->r + I * branch->x) : 0;
        double complex tap = branch->ratio * cexp(I * branch->shift), own = y + I * branch->b / 2;
        add(g, b, grid->branch[k][0], own / (branch->ratio * branch->ratio));
        add(g, b, grid->branch[k][1], -y / conj(tap));
        add(g, b, grid->branch[k][2], -y / tap);
        add(g, b, grid->branch[k][3], own);
    }
}
