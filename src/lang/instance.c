/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From syntax to the graph. An expression is translated at a place: with an index j that is a number or runs over a
 * range, inside or outside a sum. A reference x[m j + k] becomes an affine load from the state vector when all its
 * elements belong to one run of states; when they do not, the answer is CUT_J, and the caller tries shorter ranges. So
 * the statement stays a loop, and only its ends are written out.
 *
 * Named expressions are put in where they are used (sharing makes that cheap), functions too, unless they call
 * themselves.
 */
#include "lang/builtin.h"
#include "lang/graph.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void spend(gt_ode *o, int32_t at)
{
    if (++o->work > ODE_MAX_WORK)
        gt_lang_error(o, at, "this model grows beyond measure when its names, functions and sums are put in");
}

/* ---- indices ---- */

/* c0 + c1 J + ci I and its extremes over the place. */
typedef struct affine {
    int64_t c0, c1, ci, lo, hi;
} affine;

static affine make_affine(const ode_place *p, int64_t c0, int64_t c1, int64_t ci)
{
    affine a = {.c0 = c0, .c1 = c1, .ci = ci, .lo = c0, .hi = c0};
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
static affine index_at(gt_ode *o, const ode_place *p, int64_t k, int64_t m, int32_t at)
{
    if (m && !p->has_j) gt_lang_error(o, at, "[j] has no value here");
    affine a = make_affine(p, k + m * p->j0, m * p->j1, m * p->i1);
    if (a.lo < -(int64_t)ODE_MAX_INDEX || a.hi > ODE_MAX_INDEX)
        gt_lang_error(o, at, "an index becomes larger than %d here", (int)ODE_MAX_INDEX);
    return a;
}

/* What to cut so that the index takes fewer values. */
static int32_t cut(const affine *a) { return a->ci ? CUT_I : CUT_J; }

static int32_t index_node(gt_ode *o, const affine *a)
{
    int32_t node = gt_lang_number(o, (double)a->c0);
    if (a->c1)
        node = gt_lang_binary(
            o, N_ADD, gt_lang_binary(o, N_MUL, gt_lang_number(o, (double)a->c1), gt_lang_leaf(o, N_J, 0, 0, 0)), node);
    if (a->ci)
        node = gt_lang_binary(
            o, N_ADD, gt_lang_binary(o, N_MUL, gt_lang_number(o, (double)a->ci), gt_lang_leaf(o, N_I, 0, 0, 0)), node);
    return node;
}

/* ---- what a name stands for ---- */

/* The translation of a family member is remembered with the range of elements it was found good for. */
struct ode_memo {
    int32_t definition, mode, node, next;
    int64_t c0, c1, ci, lo, hi;
};

static uint32_t memo_hash(const gt_ode *o, int32_t d, int32_t mode, const affine *a)
{
    uint64_t h = (uint64_t)(uint32_t)d * 0x9e3779b97f4a7c15u + (uint64_t)mode;
    h = (h ^ (uint64_t)a->c0) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 29) ^ (uint64_t)a->c1) * 0xc4ceb9fe1a85ec53u;
    h = (h ^ (h >> 31) ^ (uint64_t)a->ci) * 0xff51afd7ed558ccdu;
    return (uint32_t)(h >> 32) & (uint32_t)(o->n_memo_buckets - 1);
}

static struct ode_memo *memo_of(gt_ode *o, int32_t d, int32_t mode, const affine *a)
{
    if (!o->n_memo_buckets) {
        o->n_memo_buckets = 1 << 14;
        o->memo_buckets = gt_lang_take(o, (size_t)o->n_memo_buckets, sizeof *o->memo_buckets);
        memset(o->memo_buckets, 0xff, (size_t)o->n_memo_buckets * sizeof *o->memo_buckets);
    }
    int32_t *bucket = &o->memo_buckets[memo_hash(o, d, mode, a)];
    for (int32_t i = *bucket; i >= 0; i = o->memo[i].next) {
        struct ode_memo *m = &o->memo[i];
        if (m->definition == d && m->mode == mode && m->c0 == a->c0 && m->c1 == a->c1 && m->ci == a->ci) return m;
    }
    struct ode_memo *m = ODE_PUSH(o, memo, ODE_MAX_NODES, "array elements that are used one by one");
    *m = (struct ode_memo){.definition = d,
                           .mode = mode,
                           .node = -1,
                           .next = *bucket,
                           .c0 = a->c0,
                           .c1 = a->c1,
                           .ci = a->ci,
                           .lo = 0,
                           .hi = -1};
    *bucket = o->n_memo - 1;
    return m;
}

static const char *name_of(gt_ode *o, const ode_definition *d, int64_t element)
{
    char text[180];
    if (!d->family) return o->symbols[d->symbol].display;
    snprintf(text, sizeof text, "%.150s%lld", o->symbols[d->symbol].display, (long long)element);
    return gt_lang_copy(o, text, strlen(text));
}

/* The expression of statement s, whose element index is a. */
static int32_t expand(gt_ode *o, int32_t definition, int32_t statement, const affine *a, const ode_place *from,
                      int mode)
{
    enum { BUSY = -4 };
    const ode_statement *s = &o->statements[statement];
    ode_place place = {.time = from->time,
                       .fix_params = from->fix_params,
                       .start_values = from->start_values || o->definitions[definition].kind == K_DERIVED ||
                                       o->definitions[definition].kind == K_STATE};
    if (o->definitions[definition].kind == K_CONSTANT) place.fix_params = true;
    if (s->value < 0) return gt_lang_number(o, 0);
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
    affine key = s->ranged ? *a : (affine){0};
    if (place.time >= 0) mode += 16 * (place.time + 1);
    struct ode_memo *m = memo_of(o, definition, mode, &key);
    if (m->node == BUSY) {
        if (a->lo != a->hi) return cut(a);
        gt_lang_error(o, s->at, "%s depends on itself", name_of(o, &o->definitions[definition], a->lo));
    }
    if (m->node >= 0 && m->lo <= a->lo && a->hi <= m->hi) return m->node;
    int32_t before = m->node;
    m->node = BUSY;
    int32_t index = (int32_t)(m - o->memo);
    bool constant = o->definitions[definition].kind == K_CONSTANT;
    o->evaluating += constant;
    int32_t node = gt_lang_instance(o, s->value, &place);
    o->evaluating -= constant;
    m = &o->memo[index];
    m->node = node >= 0 ? node : before;
    if (node >= 0) {
        m->lo = a->lo;
        m->hi = a->hi;
        if (o->nodes[node].name < 0 && !s->ranged && !place.fix_params && gt_lang_operands(o->nodes[node].op))
            o->nodes[node].name = definition;
    }
    return node;
}

int32_t gt_lang_named(gt_ode *o, int32_t definition, const ode_place *place)
{
    return expand(o, definition, o->definitions[definition].statement, &(affine){0}, place, 0);
}

int32_t gt_lang_state_node(gt_ode *o, int32_t definition, int64_t e0, int64_t e1, int64_t ei, const ode_place *place)
{
    const ode_definition *d = &o->definitions[definition];
    affine a = make_affine(place, e0, e1, ei);
    int32_t low = d->first_segment, high = d->first_segment + d->n_segments - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (o->segments[middle].hi < a.lo)
            low = middle + 1;
        else
            high = middle;
    }
    const ode_segment *s = &o->segments[low];
    if (a.hi > s->hi) return cut(&a);
    return gt_lang_leaf(o, N_STATE, s->slot + s->step * (e0 - s->lo), s->step * e1, s->step * ei);
}

/* The initial value of a state: the formula that counts for these elements. */
static int32_t start_value(gt_ode *o, int32_t definition, const affine *a, const ode_place *place)
{
    const ode_definition *d = &o->definitions[definition];
    int32_t first = o->start_of[d->position + d->stride * (a->lo - d->lo)];
    int32_t last = o->start_of[d->position + d->stride * (a->hi - d->lo)];
    if (first != last) return cut(a);
    for (int64_t e = a->lo; e <= a->hi; e++) { /* the two ends may agree while something between them does not */
        spend(o, o->statements[d->statement].at);
        if (o->start_of[d->position + d->stride * (e - d->lo)] != first) return cut(a);
    }
    if (first < 0) return gt_lang_number(o, 0);
    return expand(o, definition, first, a, place, 1);
}

static int32_t value_of(gt_ode *o, int32_t definition, const affine *a, const ode_place *place, int32_t at)
{
    ode_definition *d = &o->definitions[definition];
    switch (d->kind) {
    case K_STATE:
    case K_UNKNOWN:
        if (place->start_values) return start_value(o, definition, a, place);
        if (place->fix_params)
            gt_lang_error(o, at, "limits of sums and second arguments of shift must not depend on states");
        return gt_lang_state_node(o, definition, a->c0, a->c1, a->ci, place);
    case K_PARAMETER:
        if (place->fix_params) {
            if (a->lo != a->hi) return cut(a);
            if (!d->fixed && !o->evaluating) {
                gt_lang_warn(o, at, "the parameter %s says how long a sum is and keeps its value",
                             name_of(o, d, a->lo));
                d->fixed = true;
            }
            return gt_lang_number(o, o->defaults[d->slot + (a->lo - d->lo)]);
        }
        return gt_lang_leaf(o, N_PARAM, d->slot + (a->c0 - d->lo), a->c1, a->ci);
    case K_CONSTANT:
    case K_NAMED:
    case K_DERIVED:
        return expand(o, definition, d->statement, a, place, 0);
    case K_FUNCTION:
    case K_TABLE:
        gt_lang_error(o, at, "%s is a function: write its argument in parentheses", o->symbols[d->symbol].text);
    case K_NONE:
        break;
    }
    return gt_lang_number(o, 0);
}

/* The definition that covers an index; -1 with *answer = CUT_* when there is not one for all of it. */
static int32_t find_covering(gt_ode *o, int32_t base, affine *a, int32_t at, int32_t *answer)
{
    int32_t d = gt_lang_find_family(o, base, a->lo, a->hi), element;
    if (d >= 0) return d;
    if (a->lo != a->hi) {
        *answer = cut(a);
        return -1;
    }
    d = gt_lang_find_element(o, base, a->lo, &element);
    if (d < 0) {
        const char *name = o->symbols[base].text;
        gt_lang_error(o, at, "%s[%lld], which is the name %s%lld, is not defined", name, (long long)a->lo, name,
                      (long long)a->lo);
    }
    *a = (affine){.c0 = element, .lo = element, .hi = element};
    return d;
}

static int32_t find_plain(gt_ode *o, int32_t symbol, affine *a, int32_t at)
{
    int32_t element, d = gt_lang_find_name(o, symbol, &element);
    if (d < 0) {
        const ode_symbol *s = &o->symbols[symbol];
        if (s->n_families)
            gt_lang_error(o, at, "%s is an array; its elements are %s%d and so on", s->text, s->text,
                          (int)o->definitions[o->families[s->first_family]].lo);
        gt_lang_error(o, at, "%s is not defined%s", s->text, gt_lang_suggest(o, symbol));
    }
    *a = (affine){.c0 = element, .lo = element, .hi = element};
    return d;
}

static int32_t name_value(gt_ode *o, const ode_syntax *x, const ode_place *place)
{
    affine a;
    int32_t builtin = o->symbols[x->symbol].builtin;
    if (builtin >= 0 && x->kind == S_NAME) {
        if (gt_lang_builtins[builtin].kind == B_PI) return gt_lang_number(o, acos(-1));
        if (gt_lang_builtins[builtin].kind == B_TIME) {
            if (place->fix_params)
                gt_lang_error(o, x->at, "limits of sums and second arguments of shift must not depend on t");
            if (place->time >= 0) return place->time;
            return place->start_values ? gt_lang_number(o, o->facts.run.t0) : gt_lang_leaf(o, N_TIME, 0, 0, 0);
        }
    }
    if (x->kind == S_NAME) {
        int32_t d = find_plain(o, x->symbol, &a, x->at);
        return value_of(o, d, &a, place, x->at);
    }
    int32_t answer = 0;
    a = index_at(o, place, x->k, x->m, x->at);
    int32_t d = find_covering(o, x->symbol, &a, x->at, &answer);
    return d < 0 ? answer : value_of(o, d, &a, place, x->at);
}

/* ---- shift ---- */

/* The node as k + m J + n I with whole numbers. */
static bool is_affine(const gt_ode *o, int32_t node, affine *a)
{
    const ode_node *n = &o->nodes[node];
    affine p, q;
    switch (n->op) {
    case N_CONST:
        if (fabs(n->value) > ODE_MAX_INDEX) return false;
        *a = (affine){.c0 = (int64_t)n->value};
        return n->value == floor(n->value);
    case N_J:
        *a = (affine){.c1 = 1};
        return true;
    case N_I:
        *a = (affine){.ci = 1};
        return true;
    case N_NEG:
        if (!is_affine(o, n->a, &p)) return false;
        *a = (affine){.c0 = -p.c0, .c1 = -p.c1, .ci = -p.ci};
        return true;
    case N_ADD:
    case N_SUB: {
        int64_t sign = n->op == N_ADD ? 1 : -1;
        if (!is_affine(o, n->a, &p) || !is_affine(o, n->b, &q)) return false;
        *a = (affine){.c0 = p.c0 + sign * q.c0, .c1 = p.c1 + sign * q.c1, .ci = p.ci + sign * q.ci};
        break;
    }
    case N_MUL:
        if (!is_affine(o, n->a, &p) || !is_affine(o, n->b, &q)) return false;
        if (p.c1 || p.ci) {
            affine swap = p;
            p = q;
            q = swap;
        }
        if (p.c1 || p.ci) return false;
        *a = (affine){.c0 = p.c0 * q.c0, .c1 = p.c0 * q.c1, .ci = p.c0 * q.ci};
        break;
    default:
        return false;
    }
    return llabs(a->c0) <= ODE_MAX_INDEX && llabs(a->c1) <= ODE_MAX_INDEX && llabs(a->ci) <= ODE_MAX_INDEX;
}

/* What stands at a place in the order t, states, named expressions, unknowns of solv. */
static int32_t value_at(gt_ode *o, const affine *a, const ode_place *place, int32_t at)
{
    if (a->hi == 0 && a->lo == 0) return place->time >= 0 ? place->time : gt_lang_leaf(o, N_TIME, 0, 0, 0);
    if (a->lo < 0 || a->hi >= o->n_positions) {
        if (a->lo != a->hi) return cut(a);
        gt_lang_error(o, at, "shift leads beyond the variables of the model");
    }
    if (a->lo > 0 && a->hi <= o->n_equations && !o->n_fast && !place->start_values)
        return gt_lang_leaf(o, N_STATE, a->c0 - 1, a->c1, a->ci);
    int32_t low = 0, high = o->n_order - 1; /* the last definition that begins at or before the place */
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (o->order[middle].first <= a->lo)
            low = middle;
        else
            high = middle - 1;
    }
    const ode_order *block = &o->order[low];
    if (a->lo != a->hi && (a->hi >= block->first + block->count || block->width > 1)) return cut(a);
    int32_t d = block->definition + (int32_t)((a->lo - block->first) % block->width); /* members of a % block */
    const ode_definition *def = &o->definitions[block->width > 1 ? o->group_members[d] : block->definition];
    int32_t number = (int32_t)(def - o->definitions);
    if (!def->family) return value_of(o, number, &(affine){0}, place, at);
    int64_t stride = def->stride;
    if (stride != 1 && stride != -1) {
        int64_t e = def->lo + (a->lo - def->position) / stride;
        return value_of(o, number, &(affine){.c0 = e, .lo = e, .hi = e}, place, at);
    }
    affine e = make_affine(place, def->lo + stride * (a->c0 - def->position), stride * a->c1, stride * a->ci);
    return value_of(o, number, &e, place, at);
}

static int32_t shifted(gt_ode *o, const ode_syntax *x, const ode_place *place)
{
    ode_syntax base = o->syntax[x->a];
    ode_place fixed = *place;
    fixed.fix_params = true;
    int32_t by = gt_lang_instance(o, x->b, &fixed), answer = 0, d;
    if (by < 0) return by;
    affine k, a;
    if (!is_affine(o, by, &k)) {
        if (o->nodes[by].op == N_CONST && isfinite(o->nodes[by].value)) /* int(k), as XPPAUT does */
            k = (affine){.c0 = (int64_t)fmax(fmin(o->nodes[by].value, ODE_MAX_INDEX), -ODE_MAX_INDEX)};
        else if (o->nodes[by].flags & DEP_I)
            return CUT_I;
        else if (o->nodes[by].flags & DEP_J)
            return CUT_J;
        else
            gt_lang_error(o, base.at, "the second argument of shift must be a number, or depend on j or i' only");
    }
    if (base.kind == S_NAME) {
        if (o->symbols[base.symbol].builtin >= 0) {
            if (gt_lang_builtins[o->symbols[base.symbol].builtin].kind != B_TIME)
                gt_lang_error(o, base.at, "shift needs a variable");
            a = make_affine(place, k.c0, k.c1, k.ci);
            return value_at(o, &a, place, base.at);
        }
        d = find_plain(o, base.symbol, &a, base.at);
    } else {
        a = index_at(o, place, base.k, base.m, base.at);
        if ((d = find_covering(o, base.symbol, &a, base.at, &answer)) < 0) return answer;
    }
    const ode_definition *def = &o->definitions[d];
    if (def->kind == K_PARAMETER) {
        affine p = make_affine(place, def->slot + a.c0 - def->lo + k.c0, a.c1 + k.c1, a.ci + k.ci);
        if (p.lo < 0 || p.hi >= o->n_params) gt_lang_error(o, base.at, "shift leads beyond the parameters");
        return gt_lang_leaf(o, N_PARAM, p.c0, p.c1, p.ci);
    }
    if (def->position < 0) gt_lang_error(o, base.at, "shift needs a variable or a parameter");
    affine p = make_affine(place, def->position + def->stride * (a.c0 - def->lo) + k.c0, def->stride * a.c1 + k.c1,
                           def->stride * a.ci + k.ci);
    return value_at(o, &p, place, base.at);
}

/* ---- sums ---- */

static int32_t sum_limit(gt_ode *o, int32_t syntax, const ode_place *place, int64_t *value)
{
    ode_place fixed = *place;
    fixed.fix_params = true;
    int32_t node = gt_lang_instance(o, syntax, &fixed);
    if (node < 0) return node;
    if (o->nodes[node].flags & DEP_I) return CUT_I;
    if (o->nodes[node].flags & DEP_J) return CUT_J;
    double limit = o->nodes[node].value;
    if (o->nodes[node].op != N_CONST || !(fabs(limit) <= ODE_MAX_INDEX))
        gt_lang_error(o, o->syntax[syntax].at, "the limits of a sum must be numbers");
    *value = (int64_t)limit;
    return 0;
}

/* The sum over lo..hi, in as few pieces as the references in it allow. */
static int32_t sum_piece(gt_ode *o, int32_t body, const ode_place *place, int64_t lo, int64_t hi)
{
    spend(o, o->syntax[body].at);
    ode_place inner = *place;
    inner.in_sum = true;
    inner.sum_known = false;
    inner.i_lo = lo;
    inner.i_hi = hi;
    int32_t node = gt_lang_instance(o, body, &inner);
    if (node >= 0) return gt_lang_sum_node(o, node, lo, hi);
    if (node == CUT_J) return CUT_J;
    if (lo == hi) {
        inner.sum_known = true;
        node = gt_lang_instance(o, body, &inner);
        return node;
    }
    int64_t middle = lo + (hi - lo) / 2;
    int32_t left = sum_piece(o, body, place, lo, middle);
    if (left < 0) return left;
    int32_t right = sum_piece(o, body, place, middle + 1, hi);
    return right < 0 ? right : gt_lang_binary(o, N_ADD, left, right);
}

static int32_t sum_value(gt_ode *o, const ode_syntax *x, const ode_place *place)
{
    int64_t lo, hi;
    int32_t body = x->c, at = x->at, status = sum_limit(o, x->a, place, &lo), upper = x->b;
    if (!status) status = sum_limit(o, upper, place, &hi);
    if (status < 0) return status;
    if (hi < lo) return gt_lang_number(o, 0);
    /* The index of this expression, or an argument, may itself run with an outer sum: one index at a time. */
    if (place->outer_sum) return CUT_I;
    for (int32_t k = 0; k < place->n_args; k++)
        if (o->nodes[place->args[k]].flags & DEP_I) return CUT_I;
    if (hi - lo >= ODE_MAX_STATES) gt_lang_error(o, at, "a sum has at most %d terms", (int)ODE_MAX_STATES);
    return sum_piece(o, body, place, lo, hi);
}

/* ---- calls ---- */

static int32_t call_value(gt_ode *o, const ode_syntax *call, const ode_place *place)
{
    int32_t args[ODE_MAX_ARGS], count = 0, at = call->at, symbol = call->symbol, given = call->b;
    for (int32_t a = call->a; a >= 0 && count < given; a = o->syntax[a].next) {
        args[count] = gt_lang_instance(o, a, place);
        if (args[count] < 0) return args[count];
        count++;
    }
    int32_t builtin = o->symbols[symbol].builtin;
    if (builtin >= 0) {
        ode_op op = (ode_op)gt_lang_builtins[builtin].op;
        return count == 1 ? gt_lang_unary(o, op, args[0]) : gt_lang_binary(o, op, args[0], args[1]);
    }
    int32_t d = o->symbols[symbol].single;
    const char *name = o->symbols[symbol].text;
    if (d < 0) gt_lang_error(o, at, "there is no function %s%s", name, gt_lang_suggest(o, symbol));
    const ode_definition *def = &o->definitions[d];
    if (def->kind == K_TABLE) {
        if (count != 1) gt_lang_error(o, at, "the table %s takes 1 argument, not %d", name, (int)count);
        if (place->fix_params) gt_lang_error(o, at, "the limits of a sum cannot use a table");
        return gt_lang_table_node(o, N_TABLE, args[0], def->slot);
    }
    if (def->kind != K_FUNCTION) gt_lang_error(o, at, "%s is no function; a product needs *", name);
    const ode_statement *s = &o->statements[def->statement];
    if (count != s->n_args)
        gt_lang_error(o, at, "%s takes %d argument%s, not %d", name, (int)s->n_args, s->n_args == 1 ? "" : "s",
                      (int)count);
    if (def->recursive) {
        int32_t f = gt_lang_function(o, d);
        return gt_lang_call_node(o, f, args, count, o->functions[f].flags);
    }
    ode_place inside = {.args = args,
                        .n_args = count,
                        .fix_params = place->fix_params,
                        .start_values = place->start_values,
                        .time = place->time};
    return gt_lang_instance(o, s->value, &inside);
}

int32_t gt_lang_function(gt_ode *o, int32_t definition)
{
    ode_definition *d = &o->definitions[definition];
    if (d->body >= 0) return d->body;
    const ode_statement *s = &o->statements[d->statement];
    int32_t args[ODE_MAX_ARGS], n_args = s->n_args, number = o->n_functions;
    ode_function *f = ODE_PUSH(o, functions, 10000, "recursive functions and their derivatives");
    /* Free names are those of states and t; that a call depends on them is assumed. */
    *f = (ode_function){
        .definition = definition, .of = -1, .by = -1, .n_args = n_args, .body = -1, .flags = DEP_STATE | DEP_TIME};
    d->body = number;
    for (int32_t k = 0; k < n_args; k++) args[k] = gt_lang_leaf(o, N_ARG, k, 0, 0);
    ode_place inside = {.args = args, .n_args = n_args, .time = -1};
    int32_t body = gt_lang_instance(o, s->value, &inside);
    if (body < 0) gt_lang_error(o, s->at, "a function that calls itself cannot use [j] or i'");
    o->functions[number].body = body;
    return number;
}

/* ---- expressions ---- */

static int32_t operation(gt_ode *o, const ode_syntax *x, int32_t a, int32_t b)
{
    if (x->op == N_DIV && o->nodes[b].op == N_CONST && o->nodes[b].value == 0)
        gt_lang_error(o, x->at, "division by zero");
    return gt_lang_binary(o, (ode_op)x->op, a, b);
}

/* a + b + c + .. leans to the left; its length is not bounded, so it is walked and not recursed into. */
static int32_t chain(gt_ode *o, int32_t syntax, const ode_place *place)
{
    int32_t first = syntax, length = 0;
    while (o->syntax[first].kind == S_BINARY) {
        first = o->syntax[first].a;
        length++;
    }
    int32_t small[32], *spine = length <= 32 ? small : gt_lang_take(o, (size_t)length, sizeof *spine);
    for (int32_t k = length - 1, s = syntax; k >= 0; k--, s = o->syntax[s].a) spine[k] = s;
    int32_t value = gt_lang_instance(o, first, place);
    for (int32_t k = 0; k < length && value >= 0; k++) {
        ode_syntax x = o->syntax[spine[k]];
        spend(o, x.at);
        int32_t right = gt_lang_instance(o, x.b, place);
        value = right < 0 ? right : operation(o, &x, value, right);
    }
    return value;
}

static int32_t translate(gt_ode *o, int32_t syntax, const ode_place *place)
{
    ode_syntax x = o->syntax[syntax];
    int32_t a, b, c;
    switch ((ode_syntax_op)x.kind) {
    case S_NUMBER:
        return gt_lang_number(o, x.value);
    case S_NAME:
    case S_ELEMENT:
        return name_value(o, &x, place);
    case S_INDEX: {
        affine i = index_at(o, place, x.k, x.m, x.at);
        return index_node(o, &i);
    }
    case S_SUM_INDEX:
        if (!place->in_sum) gt_lang_error(o, x.at, "i' has no value here");
        return place->sum_known ? gt_lang_number(o, (double)place->i_lo) : gt_lang_leaf(o, N_I, 0, 0, 0);
    case S_ARGUMENT:
        if (!place->args || x.k >= place->n_args) gt_lang_error(o, x.at, "an argument has no value here");
        return place->args[x.k];
    case S_UNARY:
        a = gt_lang_instance(o, x.a, place);
        return a < 0 ? a : gt_lang_unary(o, (ode_op)x.op, a);
    case S_BINARY:
        return chain(o, syntax, place);
    case S_IF:
        if ((a = gt_lang_instance(o, x.a, place)) < 0) return a;
        if (o->nodes[a].op == N_CONST) return gt_lang_instance(o, o->nodes[a].value != 0 ? x.b : x.c, place);
        if ((b = gt_lang_instance(o, x.b, place)) < 0) return b;
        if ((c = gt_lang_instance(o, x.c, place)) < 0) return c;
        return gt_lang_if(o, a, b, c);
    case S_CALL:
        return call_value(o, &x, place);
    case S_SUM:
        return sum_value(o, &x, place);
    case S_SHIFT:
        return shifted(o, &x, place);
    }
    return gt_lang_number(o, 0);
}

int32_t gt_lang_instance(gt_ode *o, int32_t syntax, const ode_place *place)
{
    spend(o, o->syntax[syntax].at);
    if (++o->depth > ODE_MAX_DEPTH)
        gt_lang_error(o, o->syntax[syntax].at, "names refer to names more than %d deep here", (int)ODE_MAX_DEPTH / 2);
    int32_t node = translate(o, syntax, place);
    o->depth--;
    return node;
}

double gt_lang_constant(gt_ode *o, int32_t syntax, bool has_j, int64_t j)
{
    ode_place place = {.has_j = has_j, .j0 = j, .time = -1, .start_values = true, .fix_params = true};
    o->evaluating++;
    int32_t node = gt_lang_instance(o, syntax, &place);
    o->evaluating--;
    if (node < 0 || o->nodes[node].op != N_CONST || !isfinite(o->nodes[node].value))
        gt_lang_error(o, o->syntax[syntax].at, "this must be a number");
    return o->nodes[node].value;
}

int32_t gt_lang_target(gt_ode *o, int32_t syntax, const ode_place *place)
{
    ode_syntax x = o->syntax[syntax];
    affine a;
    int32_t answer = 0, d;
    if (x.kind == S_NAME) {
        d = find_plain(o, x.symbol, &a, x.at);
    } else {
        a = index_at(o, place, x.k, x.m, x.at);
        if ((d = find_covering(o, x.symbol, &a, x.at, &answer)) < 0) return answer;
    }
    const ode_definition *def = &o->definitions[d];
    if (def->kind == K_PARAMETER && def->fixed)
        gt_lang_error(o, x.at, "%s says how long a sum is and cannot be changed", name_of(o, def, a.lo));
    if (def->kind != K_STATE && def->kind != K_UNKNOWN && def->kind != K_PARAMETER)
        gt_lang_error(o, x.at, "an event can change states and parameters, and %s is neither", name_of(o, def, a.lo));
    return value_of(o, d, &a, place, x.at);
}
