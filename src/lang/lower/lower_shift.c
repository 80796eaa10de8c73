/* SPDX-License-Identifier: BSD-3-Clause */
/* shift(name, k): the variable that stands k places further in the file. */
#include "lang/lower/lower.h"
#include "lang/operations/builtin.h"
#include <math.h>
#include <stdlib.h>

/* The node as k + m J + n I with whole numbers. */
static bool is_affine(const ode_lowering *lower, int32_t node, ode_affine *a)
{
    const ode_node *n = &lower->graph->nodes[node];
    ode_affine p, q;
    switch (n->op) {
    case N_CONST:
        if (!(fabs(n->value) <= ODE_MAX_INDEX)) return false; /* nor is NaN a whole number */
        *a = (ode_affine){.c0 = (int64_t)n->value};
        return n->value == floor(n->value);
    case N_J:
        *a = (ode_affine){.c1 = 1};
        return true;
    case N_I:
        *a = (ode_affine){.ci = 1};
        return true;
    case N_NEG:
        if (!is_affine(lower, n->a, &p)) return false;
        *a = (ode_affine){.c0 = -p.c0, .c1 = -p.c1, .ci = -p.ci};
        return true;
    case N_ADD:
    case N_SUB: {
        int64_t sign = n->op == N_ADD ? 1 : -1;
        if (!is_affine(lower, n->a, &p) || !is_affine(lower, n->b, &q)) return false;
        *a = (ode_affine){
            .c0 = p.c0 + sign * q.c0, .c1 = p.c1 + sign * q.c1, .ci = p.ci + sign * q.ci};
        break;
    }
    case N_MUL:
        if (!is_affine(lower, n->a, &p) || !is_affine(lower, n->b, &q)) return false;
        if (p.c1 || p.ci) {
            ode_affine swap = p;
            p = q;
            q = swap;
        }
        if (p.c1 || p.ci) return false;
        *a = (ode_affine){.c0 = p.c0 * q.c0, .c1 = p.c0 * q.c1, .ci = p.c0 * q.ci};
        break;
    default:
        return false;
    }
    return llabs(a->c0) <= ODE_MAX_INDEX && llabs(a->c1) <= ODE_MAX_INDEX &&
           llabs(a->ci) <= ODE_MAX_INDEX;
}

/* What stands at a place in the order t, states, named expressions, unknowns of solv. */
static int32_t value_at(ode_lowering *lower, const ode_affine *a, const ode_place *place,
                        int32_t at)
{
    if (a->hi == 0 && a->lo == 0)
        return place->time >= 0 ? place->time : gt_lang_leaf(lower->graph, N_TIME, 0, 0, 0);
    if (a->lo < 0 || a->hi >= lower->names->n_positions) {
        if (a->lo != a->hi) return gt_lang_cut(a);
        gt_lang_error(lower->work, at, "shift leads beyond the variables of the model");
    }
    if (a->lo > 0 && a->hi <= lower->names->n_equations && !lower->names->n_fast &&
        !place->start_values)
        return gt_lang_leaf(lower->graph, N_STATE, a->c0 - 1, a->c1, a->ci);
    int32_t low = 0, high = lower->names->n_order -
                            1; /* the last definition that begins at or before the place */
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (lower->names->order[middle].first <= a->lo)
            low = middle;
        else
            high = middle - 1;
    }
    const ode_order *block = &lower->names->order[low];
    if (a->lo != a->hi && (a->hi >= block->first + block->count || block->width > 1))
        return gt_lang_cut(a);
    int32_t d = block->definition +
                (int32_t)((a->lo - block->first) % block->width); /* members of a % block */
    const ode_definition *def =
        &lower->names
             ->definitions[block->width > 1 ? lower->names->group_members[d] : block->definition];
    int32_t number = (int32_t)(def - lower->names->definitions);
    if (!def->family) return gt_lang_value_of(lower, number, &(ode_affine){0}, place, at);
    int64_t stride = def->stride;
    if (stride != 1 && stride != -1) {
        int64_t e = def->lo + (a->lo - def->position) / stride;
        return gt_lang_value_of(lower, number, &(ode_affine){.c0 = e, .lo = e, .hi = e}, place, at);
    }
    ode_affine e = gt_lang_affine(place, def->lo + stride * (a->c0 - def->position), stride * a->c1,
                                  stride * a->ci);
    return gt_lang_value_of(lower, number, &e, place, at);
}

int32_t gt_lang_shifted(ode_lowering *lower, const ode_syntax *x, const ode_place *place)
{
    ode_syntax base = lower->parsed->syntax[x->a];
    ode_place fixed = *place;
    fixed.fix_params = true;
    int32_t by = gt_lang_lower(lower, x->b, &fixed);
    int32_t answer = 0, d;
    if (by < 0) return by;
    ode_affine k, a;
    if (!is_affine(lower, by, &k)) {
        if (lower->graph->nodes[by].op == N_CONST &&
            isfinite(lower->graph->nodes[by].value)) /* int(k), as XPPAUT does */
            k = (ode_affine){.c0 = (int64_t)fmax(fmin(lower->graph->nodes[by].value, ODE_MAX_INDEX),
                                                 -ODE_MAX_INDEX)};
        else if (lower->graph->nodes[by].flags & DEP_I)
            return CUT_I;
        else if (lower->graph->nodes[by].flags & DEP_J)
            return CUT_J;
        else
            gt_lang_error(
                lower->work, base.at,
                "the second argument of shift must be a number, or depend on j or i' only");
    }
    if (base.kind == S_NAME) {
        if (lower->parsed->symbols[base.symbol].builtin >= 0) {
            if (gt_lang_builtins[lower->parsed->symbols[base.symbol].builtin].kind != B_TIME)
                gt_lang_error(lower->work, base.at, "shift needs a variable");
            a = gt_lang_affine(place, k.c0, k.c1, k.ci);
            return value_at(lower, &a, place, base.at);
        }
        d = gt_lang_find_plain(lower, base.symbol, &a, base.at);
    } else {
        a = gt_lang_index_at(lower, place, base.k, base.m, base.at);
        if ((d = gt_lang_find_covering(lower, base.symbol, &a, base.at, &answer)) < 0)
            return answer;
    }
    const ode_definition *def = &lower->names->definitions[d];
    if (def->kind == K_PARAMETER) {
        ode_affine p =
            gt_lang_affine(place, def->slot + a.c0 - def->lo + k.c0, a.c1 + k.c1, a.ci + k.ci);
        if (p.lo < 0 || p.hi >= lower->names->n_params)
            gt_lang_error(lower->work, base.at, "shift leads beyond the parameters");
        return gt_lang_leaf(lower->graph, N_PARAM, p.c0, p.c1, p.ci);
    }
    if (def->position < 0)
        gt_lang_error(lower->work, base.at, "shift needs a variable or a parameter");
    ode_affine p = gt_lang_affine(place, def->position + def->stride * (a.c0 - def->lo) + k.c0,
                                  def->stride * a.c1 + k.c1, def->stride * a.ci + k.ci);
    return value_at(lower, &p, place, base.at);
}
