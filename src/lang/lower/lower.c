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
#include "lang/lower/lower.h"
#include "lang/syntax/builtin.h"
#include <math.h>

void gt_lang_spend(gt_ode *o, int32_t at)
{
    if (++o->work > ODE_MAX_WORK)
        gt_lang_error(o, at, "this model grows beyond measure when its names, functions and sums are put in");
}

/* ---- sums ---- */

static int32_t sum_limit(gt_ode *o, int32_t syntax, const ode_place *place, int64_t *value)
{
    ode_place fixed = *place;
    fixed.fix_params = true;
    int32_t node = gt_lang_lower(o, syntax, &fixed);
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
    gt_lang_spend(o, o->syntax[body].at);
    ode_place inner = *place;
    inner.in_sum = true;
    inner.sum_known = false;
    inner.i_lo = lo;
    inner.i_hi = hi;
    int32_t node = gt_lang_lower(o, body, &inner);
    if (node >= 0) return gt_lang_sum_node(o, node, lo, hi);
    if (node == CUT_J) return CUT_J;
    if (lo == hi) {
        inner.sum_known = true;
        node = gt_lang_lower(o, body, &inner);
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
        args[count] = gt_lang_lower(o, a, place);
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
    return gt_lang_lower(o, s->value, &inside);
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
    int32_t body = gt_lang_lower(o, s->value, &inside);
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
    int32_t value = gt_lang_lower(o, first, place);
    for (int32_t k = 0; k < length && value >= 0; k++) {
        ode_syntax x = o->syntax[spine[k]];
        gt_lang_spend(o, x.at);
        int32_t right = gt_lang_lower(o, x.b, place);
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
        return gt_lang_name_value(o, &x, place);
    case S_INDEX: {
        ode_affine i = gt_lang_index_at(o, place, x.k, x.m, x.at);
        return gt_lang_index_node(o, &i);
    }
    case S_SUM_INDEX:
        if (!place->in_sum) gt_lang_error(o, x.at, "i' has no value here");
        return place->sum_known ? gt_lang_number(o, (double)place->i_lo) : gt_lang_leaf(o, N_I, 0, 0, 0);
    case S_ARGUMENT:
        if (!place->args || x.k >= place->n_args) gt_lang_error(o, x.at, "an argument has no value here");
        return place->args[x.k];
    case S_UNARY:
        a = gt_lang_lower(o, x.a, place);
        return a < 0 ? a : gt_lang_unary(o, (ode_op)x.op, a);
    case S_BINARY:
        return chain(o, syntax, place);
    case S_IF:
        if ((a = gt_lang_lower(o, x.a, place)) < 0) return a;
        if (o->nodes[a].op == N_CONST) return gt_lang_lower(o, o->nodes[a].value != 0 ? x.b : x.c, place);
        if ((b = gt_lang_lower(o, x.b, place)) < 0) return b;
        if ((c = gt_lang_lower(o, x.c, place)) < 0) return c;
        return gt_lang_if(o, a, b, c);
    case S_CALL:
        return call_value(o, &x, place);
    case S_SUM:
        return sum_value(o, &x, place);
    case S_SHIFT:
        return gt_lang_shifted(o, &x, place);
    }
    return gt_lang_number(o, 0);
}

int32_t gt_lang_lower(gt_ode *o, int32_t syntax, const ode_place *place)
{
    gt_lang_spend(o, o->syntax[syntax].at);
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
    int32_t node = gt_lang_lower(o, syntax, &place);
    o->evaluating--;
    if (node < 0 || o->nodes[node].op != N_CONST || !isfinite(o->nodes[node].value))
        gt_lang_error(o, o->syntax[syntax].at, "this must be a number");
    return o->nodes[node].value;
}

int32_t gt_lang_target(gt_ode *o, int32_t syntax, const ode_place *place)
{
    ode_syntax x = o->syntax[syntax];
    ode_affine a;
    int32_t answer = 0, d;
    if (x.kind == S_NAME) {
        d = gt_lang_find_plain(o, x.symbol, &a, x.at);
    } else {
        a = gt_lang_index_at(o, place, x.k, x.m, x.at);
        if ((d = gt_lang_find_covering(o, x.symbol, &a, x.at, &answer)) < 0) return answer;
    }
    const ode_definition *def = &o->definitions[d];
    if (def->kind == K_PARAMETER && def->fixed)
        gt_lang_error(o, x.at, "%s says how long a sum is and cannot be changed", gt_lang_name_of(o, def, a.lo));
    if (def->kind != K_STATE && def->kind != K_UNKNOWN && def->kind != K_PARAMETER)
        gt_lang_error(o, x.at, "an event can change states and parameters, and %s is neither",
                      gt_lang_name_of(o, def, a.lo));
    return gt_lang_value_of(o, d, &a, place, x.at);
}
