/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Curves: every side of a grid cell on which the sign changes is crossed once, at the place linear
 * interpolation gives. In a cell crossings are joined in pairs, and as a side belongs to two cells
 * the pairs link up to chains. A cell with four crossings is split by the sign of its mean.
 *
 * Areas: in each column the intervals with the sign wanted; intervals of neighbouring columns that
 * match one to one make one polygon.
 */
#include "contour.h"
#include <geartrain/author/number.h>
#include <stdlib.h>

static double x_of(const grid_values *g, double i)
{
    return g->left + (g->right - g->left) * i / (g->nx - 1);
}
static double y_of(const grid_values *g, double j)
{
    return g->bottom + (g->top - g->bottom) * j / (g->ny - 1);
}
static double at(const grid_values *g, int i, int j) { return (double)g->value[j * g->nx + i]; }
static bool in(const grid_values *g, int i, int j) { return at(g, i, j) <= 0; }

/* Sides have numbers: those from (i, j) to (i+1, j) are even, those to (i, j+1) odd. */
static int flat(const grid_values *g, int i, int j) { return 2 * (j * g->nx + i); }
static int upright(const grid_values *g, int i, int j) { return 2 * (j * g->nx + i) + 1; }

static void print_side(const grid_values *g, int side, FILE *out)
{
    int i = side / 2 % g->nx, j = side / 2 / g->nx;
    double a = at(g, i, j), b = side % 2 ? at(g, i, j + 1) : at(g, i + 1, j), part = a / (a - b);
    gt_fprintf(out, "%.6g %.6g\n", x_of(g, side % 2 ? i : i + part),
               y_of(g, side % 2 ? j + part : j));
}

typedef struct links {
    int to[2]; /* side + 1; 0: none */
} links;

static void join(links *all, int a, int b)
{
    all[a].to[all[a].to[0] != 0] = b + 1;
    all[b].to[all[b].to[0] != 0] = a + 1;
}

static void join_in_cell(const grid_values *g, int i, int j, links *all)
{
    int sides[4] = {flat(g, i, j), upright(g, i + 1, j), flat(g, i, j + 1), upright(g, i, j)},
        crossed[4], count = 0;
    bool corner[4] = {in(g, i, j), in(g, i + 1, j), in(g, i + 1, j + 1), in(g, i, j + 1)};
    for (int k = 0; k < 4; k++)
        if (corner[k] != corner[(k + 1) % 4]) crossed[count++] = sides[k];
    if (count == 2) join(all, crossed[0], crossed[1]);
    if (count < 4) return;
    double sum = at(g, i, j) + at(g, i + 1, j) + at(g, i + 1, j + 1) + at(g, i, j + 1);
    bool round_first = (sum <= 0) != corner[0]; /* the first corner is cut off from the middle */
    join(all, sides[0], sides[round_first ? 3 : 1]);
    join(all, sides[2], sides[round_first ? 1 : 3]);
}

/* From `side` along unused links to the end, taking them away. */
static void follow(const grid_values *g, int side, links *all, FILE *out)
{
    print_side(g, side, out);
    for (;;) {
        int slot = all[side].to[0] ? 0 : 1, next = all[side].to[slot] - 1;
        if (next < 0) break;
        all[side].to[slot] = 0;
        all[next].to[all[next].to[0] == side + 1 ? 0 : 1] = 0;
        side = next;
        print_side(g, side, out);
    }
    fputc('\n', out);
}

bool gt_contour_print(const grid_values *g, FILE *out)
{
    int count = 2 * g->nx * g->ny;
    links *all = calloc((size_t)count, sizeof *all);
    if (!all) return false;
    for (int j = 0; j + 1 < g->ny; j++)
        for (int i = 0; i + 1 < g->nx; i++) join_in_cell(g, i, j, all);
    for (int closed = 0; closed < 2; closed++) /* chains that end at the border first, then loops */
        for (int side = 0; side < count; side++)
            if (all[side].to[0] && (closed || !all[side].to[1])) follow(g, side, all, out);
    free(all);
    return true;
}

enum { MOST_INTERVALS = 24 };

typedef struct column {
    int count;
    double from[MOST_INTERVALS], to[MOST_INTERVALS];
} column;

static void find_intervals(const grid_values *g, int i, bool inside, column *c)
{
    bool open = false;
    c->count = 0;
    for (int j = 0; j < g->ny && c->count < MOST_INTERVALS; j++) {
        bool here = in(g, i, j) == inside;
        double y = y_of(g, j);
        if (j && here != open) {
            double a = at(g, i, j - 1), b = at(g, i, j);
            y = y_of(g, j - 1 + a / (a - b));
        }
        if (here && !open) c->from[c->count] = y;
        if (!here && open) c->to[c->count++] = y;
        open = here;
    }
    if (open && c->count < MOST_INTERVALS) c->to[c->count++] = g->top;
}

static bool match(const column *a, const column *b)
{
    if (a->count != b->count) return false;
    for (int k = 0; k < a->count; k++)
        if (a->from[k] > b->to[k] || b->from[k] > a->to[k]) return false;
    return true;
}

/* Polygons of the columns first .. last, which all match; each reaches half a column further where
 * it ends. */
static void print_polygons(const grid_values *g, const column *columns, int first, int last,
                           double x_end, FILE *out)
{
    for (int k = 0; k < columns[first].count; k++) {
        for (int side = 0; side < 2; side++)
            for (int n = 0; n <= last - first + 2; n++) {
                int m = side ? last + 1 - n : first - 1 + n, i = m < first  ? first
                                                                 : m > last ? last
                                                                            : m;
                double x = x_of(g, m < first ? first - 0.5 : m > last ? last + 0.5 : m);
                x = x < g->left ? g->left : x > x_end ? x_end : x;
                gt_fprintf(out, "%.6g %.6g\n", x, side ? columns[i].to[k] : columns[i].from[k]);
            }
        fputc('\n', out);
    }
}

void gt_area_print(const grid_values *g, bool inside, double x_end, FILE *out)
{
    column *columns = malloc((size_t)g->nx * sizeof *columns);
    int used = 0;
    if (!columns) return;
    if (x_end > g->right) x_end = g->right;
    while (used < g->nx && x_of(g, used) <= x_end) {
        find_intervals(g, used, inside, &columns[used]);
        used++;
    }
    for (int first = 0, i = 1; i <= used; i++)
        if (i == used || !match(&columns[i - 1], &columns[i])) {
            print_polygons(g, columns, first, i - 1, x_end, out);
            first = i;
        }
    free(columns);
}
