/* SPDX-License-Identifier: BSD-3-Clause */
/* The Jacobian as a program whose outputs are bands, and what it tells about the equations. */
#include "lang/graph/graph.h"

static int64_t size_of(const gt_ode_band *b) { return (int64_t)(b->hi - b->lo + 1) * (b->i_hi - b->i_lo + 1); }

/* Entries of one row cannot fall together when all move along with it. */
static bool all_apart(const gt_ode *o, const ode_row *row, const ode_partial *partials, int32_t count)
{
    for (int32_t k = 0; k < count; k++)
        if (partials[k].inner || (row->loop && o->nodes[partials[k].leaf].b != row->step)) return false;
    return true;
}

/* False when there are too many. */
static bool make_bands(gt_ode *o, ode_output **outputs, int64_t *entries)
{
    int32_t n_outputs = 0, room = 0;
    *outputs = NULL;
    *entries = 0;
    for (int32_t k = 0; k < o->n_rows; k++) {
        ode_row row = o->rows[k];
        ode_partial *partials;
        int32_t count = gt_lang_partials(o, row.held, &partials);
        if (count > ODE_MAX_BANDS - o->n_bands) return false;
        bool apart = all_apart(o, &row, partials, count);
        for (int32_t i = 0; i < count; i++) {
            ode_node leaf = o->nodes[partials[i].leaf];
            gt_ode_band *band = ODE_PUSH(o, bands, ODE_MAX_NODES, "bands of the Jacobian");
            *band = (gt_ode_band){.row = row.first,
                                  .row_j = row.step,
                                  .col = leaf.a,
                                  .col_j = leaf.b,
                                  .col_i = leaf.c,
                                  .lo = row.lo,
                                  .hi = row.hi,
                                  .i_lo = partials[i].i_lo,
                                  .i_hi = partials[i].i_hi};
            *entries += size_of(band);
            gt_lang_grow(o, (void **)outputs, n_outputs, &room, sizeof **outputs, ODE_MAX_NODES,
                         "bands of the Jacobian");
            (*outputs)[n_outputs++] = (ode_output){.node = partials[i].node,
                                                   .lo = row.lo,
                                                   .hi = row.hi,
                                                   .loop = row.loop,
                                                   .inner_loop = partials[i].inner,
                                                   .inner_lo = partials[i].i_lo,
                                                   .inner_hi = partials[i].i_hi,
                                                   .add = !apart};
        }
        if (*entries > ODE_MAX_ENTRIES) return false;
    }
    return true;
}

static int part_of(const gt_ode *o, int64_t slot)
{
    return slot < o->n_slow ? 0 : slot < o->n_slow + o->n_fast ? 1 : 2;
}

/* The block that a band is in: the states of one load are of one part. */
static ode_program *block_of(gt_ode *o, const gt_ode_band *b)
{
    int64_t row = b->row + (int64_t)b->row_j * b->lo;
    int64_t column = b->col + (int64_t)b->col_j * b->lo + (int64_t)b->col_i * b->i_lo;
    return &o->programs[P_BLOCKS + 3 * part_of(o, row) + part_of(o, column)];
}

/* Small or full matrices are dense; all others have a fixed sparse pattern, found when a problem is built. */
void gt_lang_make_jacobian(gt_ode *o)
{
    enum { SMALL = 24, LARGE = 2000, MANY_BANDS = 2000 };
    ode_output *outputs;
    int64_t entries, n = o->n_slow + o->n_fast + o->n_alg, place = 0;
    if (!make_bands(o, &outputs, &entries)) {
        gt_lang_warn(o, -1,
                     "the Jacobian has too many entries to be kept: it is left to differences, which methods "
                     "for stiff equations pay for");
        o->n_bands = 0;
        return;
    }
    /* Written out at length, the same again in blocks would double the time of the compiler. */
    bool split = (o->n_fast || o->n_alg) && o->n_bands <= MANY_BANDS;
    o->has_jac = true;
    o->dense = n <= SMALL || (n <= LARGE && entries > n * n / 4);
    for (int32_t k = 0; k < o->n_bands; k++) {
        const gt_ode_band *b = &o->bands[k];
        ode_output *out = &outputs[k];
        if (o->dense) {
            out->first = (int32_t)(b->col * n + b->row);
            out->step = (int32_t)(b->col_j * n + b->row_j);
            out->inner = (int32_t)(b->col_i * n);
        } else {
            int64_t width = b->i_hi - b->i_lo + 1;
            out->first = (int32_t)(place - (out->loop ? b->lo * width : 0) - b->i_lo);
            out->step = (int32_t)width;
            out->inner = 1;
            place += size_of(b);
        }
        gt_lang_output(o, &o->programs[P_JAC], *out);
        if (split) gt_lang_output(o, block_of(o, b), *out);
    }
}

/* A step function of the states has the slope 0 and is not linear. */
static bool has_steps(const gt_ode *o, int32_t node, unsigned char *seen, int32_t *stack)
{
    int32_t depth = 0;
    stack[depth++] = node;
    while (depth) {
        const ode_node *n = &o->nodes[stack[--depth]];
        if (!(n->flags & DEP_STATE) || seen[n - o->nodes]) continue;
        seen[n - o->nodes] = 1;
        const int32_t operands[] = {n->a, n->b, n->c};
        int count = ode_operands(n->op);
        switch (n->op) {
        case N_STATE:
        case N_NEG:
        case N_ADD:
        case N_SUB:
        case N_MUL:
        case N_DIV:
        case N_SUM:
            break;
        default:
            return true;
        }
        for (int k = 0; k < count; k++) stack[depth++] = operands[k];
    }
    return false;
}

/* Whether df/dx is constant, and whether f depends on t. */
void gt_lang_find_nature(gt_ode *o)
{
    enum { VARIES = DEP_STATE | DEP_TIME | HAS_CALL };
    const ode_program *f = &o->programs[P_RHS], *J = &o->programs[P_JAC];
    unsigned char *seen = gt_lang_take(o, (size_t)o->n_nodes + 1, 1);
    int32_t *stack = gt_lang_take(o, 3 * (size_t)o->n_nodes + 3, sizeof *stack);
    o->code.linear = o->has_jac && !o->events_set_params;
    o->code.autonomous = !o->events_set_params;
    for (int32_t k = 0; k < J->n_outputs; k++)
        if (o->nodes[J->outputs[k].node].flags & VARIES) o->code.linear = false;
    for (int32_t k = 0; k < f->n_outputs; k++) {
        if (o->nodes[f->outputs[k].node].flags & (DEP_TIME | HAS_CALL)) o->code.autonomous = false;
        if (o->code.linear && has_steps(o, f->outputs[k].node, seen, stack)) o->code.linear = false;
    }
}
