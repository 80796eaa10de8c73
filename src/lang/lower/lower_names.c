/* SPDX-License-Identifier: BSD-3-Clause */
/* What a name or an element of an array stands for, at a place: indices that run, and the
 * definitions behind names. */
#include "lang/lower/lower.h"
#include "lang/operations/builtin.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <string.h>

/* ---- indices ---- */

ode_affine gt_lang_affine(const ode_place *p, int64_t c0, int64_t c1, int64_t ci)
{
    ode_affine a = {.c0 = c0, .c1 = c1, .ci = ci, .lo = c0, .hi = c0};
    int64_t u = c1 * p->lo, v = c1 * p->hi;
    a.lo += c1 ? (u < v ? u : v) : 0;
    a.hi += c1 ? (u < v ? v : u) : 0;
    u = ci * p->i_lo;
    v = ci * p->i_hi;
    a.lo += ci ? (u < v ? u : v) : 0;
    a.hi += ci ? (u < v ? v : u) : 0;
    return a;
}

/* k + m j */
ode_affine gt_lang_index_at(ode_lowering *lower, const ode_place *p, int64_t k, int64_t m,
                            int32_t at)
{
    if (m && !p->has_j) gt_lang_error(lower->work, at, "[j] has no value here");
    ode_affine a = gt_lang_affine(p, k + m * p->j0, m * p->j1, m * p->i1);
    if (a.lo < -(int64_t)ODE_MAX_INDEX || a.hi > ODE_MAX_INDEX)
        gt_lang_error(lower->work, at, "an index becomes larger than %d here", (int)ODE_MAX_INDEX);
    return a;
}

int32_t gt_lang_cut(const ode_affine *a) { return a->ci ? CUT_I : CUT_J; }

int32_t gt_lang_index_node(ode_lowering *lower, const ode_affine *a)
{
    int32_t node = gt_lang_number(lower->graph, (double)a->c0);
    if (a->c1)
        node = gt_lang_binary(lower->graph, N_ADD,
                              gt_lang_binary(lower->graph, N_MUL,
                                             gt_lang_number(lower->graph, (double)a->c1),
                                             gt_lang_leaf(lower->graph, N_J, 0, 0, 0)),
                              node);
    if (a->ci)
        node = gt_lang_binary(lower->graph, N_ADD,
                              gt_lang_binary(lower->graph, N_MUL,
                                             gt_lang_number(lower->graph, (double)a->ci),
                                             gt_lang_leaf(lower->graph, N_I, 0, 0, 0)),
                              node);
    return node;
}

/* ---- what a name stands for ---- */

/* The translation of a family member is remembered with the range of elements it was found good
 * for. */
struct ode_memo {
    int32_t definition, mode, node, next;
    int64_t c0, c1, ci, lo, hi;
};

static uint32_t memo_hash(const ode_lowering *lower, int32_t d, int32_t mode, const ode_affine *a)
{
    uint64_t h = (uint64_t)(uint32_t)d * 0x9e3779b97f4a7c15u + (uint64_t)mode;
    h = (h ^ (uint64_t)a->c0) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 29) ^ (uint64_t)a->c1) * 0xc4ceb9fe1a85ec53u;
    h = (h ^ (h >> 31) ^ (uint64_t)a->ci) * 0xff51afd7ed558ccdu;
    return (uint32_t)(h >> 32) & (uint32_t)(lower->n_memo_buckets - 1);
}

static struct ode_memo *memo_of(ode_lowering *lower, int32_t d, int32_t mode, const ode_affine *a)
{
    if (!lower->n_memo_buckets) {
        lower->n_memo_buckets = 1 << 14;
        lower->memo_buckets =
            gt_lang_take(lower->work, (size_t)lower->n_memo_buckets, sizeof *lower->memo_buckets);
        memset(lower->memo_buckets, 0xff,
               (size_t)lower->n_memo_buckets * sizeof *lower->memo_buckets);
    }
    int32_t *bucket = &lower->memo_buckets[memo_hash(lower, d, mode, a)];
    for (int32_t i = *bucket; i >= 0; i = lower->memo[i].next) {
        struct ode_memo *m = &lower->memo[i];
        if (m->definition == d && m->mode == mode && m->c0 == a->c0 && m->c1 == a->c1 &&
            m->ci == a->ci)
            return m;
    }
    struct ode_memo *m =
        ODE_PUSH(lower, memo, ODE_MAX_NODES, "array elements that are used one by one");
    *m = (struct ode_memo){.definition = d,
                           .mode = mode,
                           .node = -1,
                           .next = *bucket,
                           .c0 = a->c0,
                           .c1 = a->c1,
                           .ci = a->ci,
                           .lo = 0,
                           .hi = -1};
    *bucket = lower->n_memo - 1;
    return m;
}

const char *gt_lang_name_of(ode_lowering *lower, const ode_definition *d, int64_t element)
{
    char text[180];
    if (!d->family) return lower->parsed->symbols[d->symbol].display;
    snprintf(text, sizeof text, "%.150s%lld", lower->parsed->symbols[d->symbol].display,
             (long long)element);
    return gt_lang_copy(lower->work, text, strlen(text));
}

/* The expression of statement s, whose element index is a. */
static int32_t expand(ode_lowering *lower, int32_t definition, int32_t statement,
                      const ode_affine *a, const ode_place *from, int mode)
{
    enum { BUSY = -4, MOST_NESTED = 8 };
    const ode_statement *s = &lower->parsed->statements[statement];
    ode_place place = {.time = from->time,
                       .fix_params = from->fix_params,
                       .start_values = from->start_values ||
                                       lower->names->definitions[definition].kind == K_DERIVED ||
                                       lower->names->definitions[definition].kind == K_STATE};
    if (lower->names->definitions[definition].kind == K_CONSTANT) place.fix_params = true;
    if (s->value < 0) return gt_lang_number(lower->graph, 0);
    if (s->ranged) {
        place.has_j = true;
        place.j0 = a->c0 - s->shift;
        place.j1 = a->c1;
        place.i1 = a->ci;
        place.lo = from->lo;
        place.hi = from->hi;
        place.i_lo = from->i_lo;
        place.i_hi = from->i_hi;
        place.in_sum = false;
        place.outer_sum = a->ci != 0;
    }
    mode = mode * 8 + place.fix_params * 4 + place.start_values * 2 + (place.time >= 0);
    ode_affine key = s->ranged ? *a : (ode_affine){0};
    if (place.time >= 0) mode += 16 * (place.time + 1);
    struct ode_memo *m = memo_of(lower, definition, mode, &key);
    if (m->node == BUSY) {
        if (a->lo != a->hi) return gt_lang_cut(a);
        const char *name = gt_lang_name_of(lower, &lower->names->definitions[definition], a->lo);
        gt_lang_error(lower->work, s->at, "%s depends on itself%s", name,
                      strchr(name, '\'')
                          ? "; an equation that is not solved for x' is written 0=F(t,x,x')"
                          : "");
    }
    if (m->node >= 0 && m->lo <= a->lo && a->hi <= m->hi) return m->node;
    /* s[j]=s[j-1]+.. would go on to the first element at each try; it has to be written out one by
     * one. */
    if ((a->c1 || a->ci) && lower->lowered[definition].nested >= MOST_NESTED) return gt_lang_cut(a);
    int32_t before = m->node;
    m->node = BUSY;
    int32_t index = (int32_t)(m - lower->memo);
    bool constant = lower->names->definitions[definition].kind == K_CONSTANT;
    lower->evaluating += constant;
    lower->lowered[definition].nested++;
    int32_t node = gt_lang_lower(lower, s->value, &place);
    lower->lowered[definition].nested--;
    lower->evaluating -= constant;
    m = &lower->memo[index];
    m->node = node >= 0 ? node : before;
    if (node >= 0) {
        m->lo = a->lo;
        m->hi = a->hi;
        if (lower->graph->nodes[node].name < 0 && !s->ranged && !place.fix_params &&
            ode_operands(lower->graph->nodes[node].op))
            lower->graph->nodes[node].name = definition;
    }
    return node;
}

int32_t gt_lang_named(ode_lowering *lower, int32_t definition, int64_t element,
                      const ode_place *place)
{
    const ode_affine at = {.c0 = element, .lo = element, .hi = element};
    return expand(lower, definition, lower->names->definitions[definition].statement, &at, place,
                  0);
}

int32_t gt_lang_state_node(ode_lowering *lower, int32_t definition, int64_t e0, int64_t e1,
                           int64_t ei, const ode_place *place)
{
    const ode_definition *d = &lower->names->definitions[definition];
    ode_affine a = gt_lang_affine(place, e0, e1, ei);
    int32_t low = d->first_segment, high = d->first_segment + d->n_segments - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (lower->names->segments[middle].hi < a.lo)
            low = middle + 1;
        else
            high = middle;
    }
    const ode_segment *s = &lower->names->segments[low];
    if (a.hi > s->hi) return gt_lang_cut(&a);
    return gt_lang_leaf(lower->graph, N_STATE, s->slot + s->step * (e0 - s->lo), s->step * e1,
                        s->step * ei);
}

/* The initial value of a state: the formula that counts for these elements. */
static int32_t start_value(ode_lowering *lower, int32_t definition, const ode_affine *a,
                           const ode_place *place)
{
    const ode_definition *d = &lower->names->definitions[definition];
    int32_t first = lower->names->start_of[d->position + d->stride * (a->lo - d->lo)];
    int32_t last = lower->names->start_of[d->position + d->stride * (a->hi - d->lo)];
    if (first != last) return gt_lang_cut(a);
    for (int64_t e = a->lo; e <= a->hi;
         e++) { /* the two ends may agree while something between them does not */
        gt_lang_spend(lower, lower->parsed->statements[d->statement].at);
        if (lower->names->start_of[d->position + d->stride * (e - d->lo)] != first)
            return gt_lang_cut(a);
    }
    if (first < 0) return gt_lang_number(lower->graph, 0);
    if (!gt_lang_starts_alone(lower->names, definition, first))
        return expand(lower, definition, first, a, place, 1);
    if (a->lo != a->hi) return gt_lang_cut(a);
    int64_t e = (int64_t)lower->names->start_j[d->position + d->stride * (a->lo - d->lo)] +
                lower->parsed->statements[first].shift;
    const ode_affine there = {.c0 = e, .lo = e, .hi = e};
    return expand(lower, definition, first, &there, place, 1);
}

int32_t gt_lang_value_of(ode_lowering *lower, int32_t definition, const ode_affine *a,
                         const ode_place *place, int32_t at)
{
    const ode_definition *d = &lower->names->definitions[definition];
    switch (d->kind) {
    case K_STATE:
    case K_UNKNOWN:
        if (place->start_values) return start_value(lower, definition, a, place);
        if (place->fix_params)
            gt_lang_error(lower->work, at,
                          "limits of sums and second arguments of shift must not depend on states");
        return gt_lang_state_node(lower, definition, a->c0, a->c1, a->ci, place);
    case K_PARAMETER:
        if (place->fix_params) {
            if (a->lo != a->hi) return gt_lang_cut(a);
            if (!lower->lowered[definition].fixed && !lower->evaluating) {
                gt_lang_warn(lower->work, at,
                             "the parameter %s says how long a sum is and keeps its value",
                             gt_lang_name_of(lower, d, a->lo));
                lower->lowered[definition].fixed = true;
            }
            return gt_lang_number(lower->graph, lower->defaults[d->slot + (a->lo - d->lo)]);
        }
        return gt_lang_leaf(lower->graph, N_PARAM, d->slot + (a->c0 - d->lo), a->c1, a->ci);
    case K_CONSTANT:
    case K_NAMED:
    case K_DERIVED:
        return expand(lower, definition, d->statement, a, place, 0);
    case K_FUNCTION:
    case K_TABLE:
        gt_lang_error(lower->work, at, "%s is a function: write its argument in parentheses",
                      lower->parsed->symbols[d->symbol].text);
    case K_NONE:
        break;
    }
    return gt_lang_number(lower->graph, 0);
}

/* The definition that covers an index; -1 with *answer = CUT_* when there is not one for all of it.
 */
int32_t gt_lang_find_covering(ode_lowering *lower, int32_t base, ode_affine *a, int32_t at,
                              int32_t *answer)
{
    int32_t d = gt_lang_find_family(lower->names, base, a->lo, a->hi);
    int32_t element;
    if (d >= 0) return d;
    if (a->lo != a->hi) {
        *answer = gt_lang_cut(a);
        return -1;
    }
    d = gt_lang_find_element(lower->names, base, a->lo, &element);
    if (d < 0) {
        const char *name = lower->parsed->symbols[base].text;
        gt_lang_error(lower->work, at, "%s[%lld], which is the name %s%lld, is not defined", name,
                      (long long)a->lo, name, (long long)a->lo);
    }
    *a = (ode_affine){.c0 = element, .lo = element, .hi = element};
    return d;
}

int32_t gt_lang_find_plain(ode_lowering *lower, int32_t symbol, ode_affine *a, int32_t at)
{
    int32_t element;
    int32_t d = gt_lang_find_name(lower->names, symbol, &element);
    if (d < 0) {
        const char *text = lower->parsed->symbols[symbol].text;
        const ode_binding *b = &lower->names->bindings[symbol];
        if (b->n_families)
            gt_lang_error(
                lower->work, at, "%s is an array; its elements are %s%d and so on", text, text,
                (int)lower->names->definitions[lower->names->families[b->first_family]].lo);
        bool is_index = (text[0] == 'j' || text[0] == 'J') && !text[1];
        gt_lang_error(lower->work, at, "%s is not defined%s", text,
                      is_index ? "; the index of an array is written [j], also as a number"
                               : gt_lang_suggest(lower->names, symbol));
    }
    *a = (ode_affine){.c0 = element, .lo = element, .hi = element};
    return d;
}

int32_t gt_lang_name_value(ode_lowering *lower, const ode_syntax *x, const ode_place *place)
{
    ode_affine a;
    int32_t builtin = lower->parsed->symbols[x->symbol].builtin;
    if (builtin >= 0 && x->kind == S_NAME) {
        if (gt_lang_builtins[builtin].kind == B_PI) return gt_lang_number(lower->graph, GT_PI);
        if (gt_lang_builtins[builtin].kind == B_TIME) {
            if (place->fix_params)
                gt_lang_error(lower->work, x->at,
                              "limits of sums and second arguments of shift must not depend on t");
            if (place->time >= 0) return place->time;
            return place->start_values ? gt_lang_number(lower->graph, lower->parsed->run.t0)
                                       : gt_lang_leaf(lower->graph, N_TIME, 0, 0, 0);
        }
    }
    if (x->kind == S_NAME) {
        int32_t d = gt_lang_find_plain(lower, x->symbol, &a, x->at);
        return gt_lang_value_of(lower, d, &a, place, x->at);
    }
    int32_t answer = 0;
    a = gt_lang_index_at(lower, place, x->k, x->m, x->at);
    int32_t d = gt_lang_find_covering(lower, x->symbol, &a, x->at, &answer);
    return d < 0 ? answer : gt_lang_value_of(lower, d, &a, place, x->at);
}
