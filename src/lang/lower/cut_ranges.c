/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where an array statement has to be cut: a range on which a reference does not mean one thing is
 * halved until it does; neighbours that came out as the same expression of j (the same nodes, since
 * nodes are shared) are joined again.
 */
#include "lang/lower/lower.h"
#include <string.h>

typedef struct cutter {
    ode_lowering *lower;
    ode_root_fn *root;
    const void *what;
    int32_t count;
    const ode_place *base;
    ode_piece *pieces;
    int32_t n_pieces, room;
} cutter;

static bool translate(cutter *c, ode_place *place, int32_t *nodes)
{
    for (int32_t k = 0; k < c->count; k++) {
        nodes[k] = c->root(c->lower, c->what, k, place);
        if (nodes[k] < 0) return false;
    }
    return true;
}

/* One value of j: the number is put in. */
static void translate_one(cutter *c, int32_t j, int32_t *nodes)
{
    ode_place place = *c->base;
    place.has_j = true;
    place.j0 = j;
    if (!translate(c, &place, nodes))
        gt_lang_error(c->lower->work, -1, "an array statement cannot be cut at j = %d", (int)j);
}

static void add_piece(cutter *c, ode_piece piece)
{
    ode_lowering *lower = c->lower;
    if (c->n_pieces && piece.loop) {
        ode_piece *last = &c->pieces[c->n_pieces - 1];
        if (last->loop && last->hi + 1 == piece.lo &&
            !memcmp(last->nodes, piece.nodes, (size_t)c->count * sizeof *piece.nodes)) {
            last->hi = piece.hi;
            return;
        }
    }
    gt_lang_grow(lower->work, (void **)&c->pieces, c->n_pieces, &c->room, sizeof *c->pieces,
                 ODE_MAX_PIECES,
                 "different elements in one array statement; a recurrence such as s[j]=s[j-1]+.. "
                 "is written out one by one");
    c->pieces[c->n_pieces++] = piece;
}

static void cut_range(cutter *c, int32_t lo, int32_t hi)
{
    ode_place place = *c->base;
    place.has_j = true;
    place.j1 = 1;
    place.lo = lo;
    place.hi = hi;
    int32_t *nodes = gt_lang_take(c->lower->work, (size_t)c->count, sizeof *nodes);
    if (translate(c, &place, nodes)) {
        add_piece(c, (ode_piece){.lo = lo, .hi = hi, .loop = true, .nodes = nodes});
    } else if (lo == hi) {
        translate_one(c, lo, nodes);
        add_piece(c, (ode_piece){.lo = lo, .hi = hi, .nodes = nodes});
    } else {
        int32_t middle = lo + (hi - lo) / 2;
        cut_range(c, lo, middle);
        cut_range(c, middle + 1, hi);
    }
}

int32_t gt_lang_cut_range(ode_lowering *lower, ode_root_fn *root, const void *what, int32_t count,
                          bool ranged, int32_t lo, int32_t hi, const ode_place *base,
                          ode_piece **pieces)
{
    cutter c = {.lower = lower, .root = root, .what = what, .count = count, .base = base};
    if (!ranged) {
        int32_t *nodes = gt_lang_take(lower->work, (size_t)count + 1, sizeof *nodes);
        ode_place place = *base;
        if (!translate(&c, &place, nodes))
            gt_lang_error(lower->work, -1, "an expression cannot be cut");
        add_piece(&c, (ode_piece){.nodes = nodes});
    } else {
        cut_range(&c, lo, hi);
        for (int32_t k = 0; k < c.n_pieces; k++) {
            ode_piece *piece = &c.pieces[k];
            if (!piece->loop || piece->lo != piece->hi) continue;
            translate_one(&c, piece->lo, piece->nodes);
            piece->loop = false;
        }
    }
    *pieces = c.pieces;
    return c.n_pieces;
}
