/* SPDX-License-Identifier: BSD-3-Clause */
/* The Jacobian as a program whose outputs are bands, and what it tells about the equations. */
#include "lang/lower/ode_equations.h"

static int64_t size_of(const gt_ode_band *b)
{
    return (int64_t)(b->hi - b->lo + 1) * (b->i_hi - b->i_lo + 1);
}

/* Entries of one row cannot fall together when all move along with it. */
static bool all_apart(const ode_equations *eq, const ode_row *row, const ode_partial *partials,
                      int32_t count)
{
    for (int32_t k = 0; k < count; k++)
        if (partials[k].inner || (row->loop && eq->graph->nodes[partials[k].leaf].b != row->step))
            return false;
    return true;
}

/* False when there are too many. */
static bool make_bands(ode_equations *eq, ode_output **outputs, int64_t *entries)
{
    int32_t n_outputs = 0, room = 0;
    *outputs = NULL;
    *entries = 0;
    for (int32_t k = 0; k < eq->n_rows; k++) {
        ode_row row = eq->rows[k];
        ode_partial *partials;
        int32_t count = gt_lang_partials(eq->graph, row.held, &partials);
        if (count > ODE_MAX_BANDS - eq->n_bands) return false;
        bool apart = all_apart(eq, &row, partials, count);
        for (int32_t i = 0; i < count; i++) {
            ode_node leaf = eq->graph->nodes[partials[i].leaf];
            gt_ode_band *band = ODE_PUSH(eq, bands, ODE_MAX_NODES, "bands of the Jacobian");
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
            gt_lang_grow(eq->work, (void **)outputs, n_outputs, &room, sizeof **outputs,
                         ODE_MAX_NODES, "bands of the Jacobian");
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

static int part_of(const ode_equations *eq, int64_t slot)
{
    return slot < eq->names->n_slow ? 0 : slot < eq->names->n_slow + eq->names->n_fast ? 1 : 2;
}

/* The block that a band is in: the states of one load are of one part. */
static ode_outputs *block_of(ode_equations *eq, const gt_ode_band *b)
{
    int64_t row = b->row + (int64_t)b->row_j * b->lo;
    int64_t column = b->col + (int64_t)b->col_j * b->lo + (int64_t)b->col_i * b->i_lo;
    return &eq->outputs[P_BLOCKS + 3 * part_of(eq, row) + part_of(eq, column)];
}

/* Small or full matrices are dense; all others have a fixed sparse pattern, found when a problem is
 * built. */
void gt_lang_make_jacobian(ode_equations *eq)
{
    enum { SMALL = 24, LARGE = 2000, MANY_BANDS = 2000 };
    ode_output *outputs;
    int64_t entries, n = ode_all_states(eq), place = 0;
    if (!make_bands(eq, &outputs, &entries)) {
        gt_lang_warn(eq->work, -1,
                     "the Jacobian has too many entries to be kept: it is left to differences, "
                     "which methods "
                     "for stiff equations pay for");
        eq->n_bands = 0;
        return;
    }
    /* Written out at length, the same again in blocks would double the time of the compiler. */
    bool split = (eq->names->n_fast || eq->names->n_alg) && eq->n_bands <= MANY_BANDS;
    eq->has_jac = true;
    eq->dense = n <= SMALL || (n <= LARGE && entries > n * n / 4);
    for (int32_t k = 0; k < eq->n_bands; k++) {
        const gt_ode_band *b = &eq->bands[k];
        ode_output *out = &outputs[k];
        if (eq->dense) {
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
        gt_lang_output(eq->work, &eq->outputs[P_JAC], *out);
        if (split) gt_lang_output(eq->work, block_of(eq, b), *out);
    }
}

/* A step function of the states has the slope 0 and is not linear. */
static bool has_steps(const ode_equations *eq, int32_t node, unsigned char *seen, int32_t *stack)
{
    int32_t depth = 0;
    stack[depth++] = node;
    while (depth) {
        const ode_node *n = &eq->graph->nodes[stack[--depth]];
        if (!(n->flags & DEP_STATE) || seen[n - eq->graph->nodes]) continue;
        seen[n - eq->graph->nodes] = 1;
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
void gt_lang_find_nature(ode_equations *eq)
{
    enum { VARIES = DEP_STATE | DEP_TIME | HAS_CALL };
    const ode_outputs *f = &eq->outputs[P_RHS], *J = &eq->outputs[P_JAC];
    unsigned char *seen = gt_lang_take(eq->work, (size_t)eq->graph->n_nodes + 1, 1);
    int32_t *stack = gt_lang_take(eq->work, 3 * (size_t)eq->graph->n_nodes + 3, sizeof *stack);
    eq->linear = eq->has_jac && !eq->events_set_params;
    eq->autonomous = !eq->events_set_params;
    for (int32_t k = 0; k < J->count; k++)
        if (eq->graph->nodes[J->list[k].node].flags & VARIES) eq->linear = false;
    for (int32_t k = 0; k < f->count; k++) {
        if (eq->graph->nodes[f->list[k].node].flags & (DEP_TIME | HAS_CALL)) eq->autonomous = false;
        if (eq->linear && has_steps(eq, f->list[k].node, seen, stack)) eq->linear = false;
    }
}

void gt_lang_make_time_derivative(ode_equations *eq)
{
    if (eq->autonomous) return;
    for (int32_t k = 0; k < eq->n_rows; k++) {
        const ode_row row = eq->rows[k];
        int32_t node = gt_lang_partial_in_time(eq->graph, row.held);
        gt_lang_output(eq->work, &eq->outputs[P_TIME],
                       (ode_output){.node = node,
                                    .first = row.first,
                                    .step = row.step,
                                    .lo = row.lo,
                                    .hi = row.hi,
                                    .loop = row.loop});
    }
}
