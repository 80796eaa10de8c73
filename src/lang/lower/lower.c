/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From syntax to the graph. An expression is translated at a place: with an index j that is a
 * number or runs over a range, inside or outside a sum. A reference x[m j + k] becomes an affine
 * load from the state vector when all its elements belong to one run of states; when they do not,
 * the answer is CUT_J, and the caller tries shorter ranges. So the statement stays a loop, and only
 * its ends are written out.
 *
 * Named expressions are put in where they are used (sharing makes that cheap), functions too,
 * unless they call themselves.
 */
#include "lang/lower/lower.h"
#include "lang/operations/builtin.h"
#include <assert.h>
#include <math.h>

void gt_lang_spend(ode_lowering *lower, int32_t at)
{
    if (++lower->graph->effort > ODE_MAX_WORK)
        gt_lang_error(
            lower->work, at,
            "this model becomes too large when its names, functions and sums are expanded");
}

/* ---- sums ---- */

static int32_t sum_limit(ode_lowering *lower, int32_t syntax, const ode_place *place,
                         int64_t *value)
{
    ode_place fixed = *place;
    fixed.fix_params = true;
    int32_t node = gt_lang_lower(lower, syntax, &fixed);
    if (node < 0) return node;
    if (lower->graph->nodes[node].flags & DEP_I) return CUT_I;
    if (lower->graph->nodes[node].flags & DEP_J) return CUT_J;
    double limit = lower->graph->nodes[node].value;
    if (lower->graph->nodes[node].op != N_CONST || !(fabs(limit) <= ODE_MAX_INDEX))
        gt_lang_error(lower->work, lower->parsed->syntax[syntax].at,
                      "the limits of a sum must be numbers");
    *value = (int64_t)limit;
    return 0;
}

/* The sum over lo..hi, in as few pieces as the references in it allow. */
static int32_t sum_piece(ode_lowering *lower, int32_t body, const ode_place *place, int64_t lo,
                         int64_t hi)
{
    gt_lang_spend(lower, lower->parsed->syntax[body].at);
    ode_place inner = *place;
    inner.in_sum = true;
    inner.sum_known = false;
    inner.i_lo = lo;
    inner.i_hi = hi;
    int32_t node = gt_lang_lower(lower, body, &inner);
    if (node >= 0) return gt_lang_sum_node(lower->graph, node, lo, hi);
    if (node == CUT_J) return CUT_J;
    if (lo == hi) {
        inner.sum_known = true;
        node = gt_lang_lower(lower, body, &inner);
        return node;
    }
    int64_t middle = lo + (hi - lo) / 2;
    int32_t left = sum_piece(lower, body, place, lo, middle);
    if (left < 0) return left;
    int32_t right = sum_piece(lower, body, place, middle + 1, hi);
    return right < 0 ? right : gt_lang_binary(lower->graph, N_ADD, left, right);
}

static int32_t sum_value(ode_lowering *lower, const ode_syntax *x, const ode_place *place)
{
    int64_t lo, hi;
    int32_t body = x->c, at = x->at;
    int32_t status = sum_limit(lower, x->a, place, &lo);
    int32_t upper = x->b;
    if (!status) status = sum_limit(lower, upper, place, &hi);
    if (status < 0) return status;
    if (hi < lo) return gt_lang_number(lower->graph, 0);
    /* The index of this expression, or an argument, may itself run with an outer sum: one index at
     * a time. */
    if (place->outer_sum) return CUT_I;
    for (int32_t k = 0; k < place->n_args; k++)
        if (lower->graph->nodes[place->args[k]].flags & DEP_I) return CUT_I;
    if (hi - lo >= ODE_MAX_STATES)
        gt_lang_error(lower->work, at, "a sum has at most %d terms", (int)ODE_MAX_STATES);
    return sum_piece(lower, body, place, lo, hi);
}

/* ---- calls ---- */

static int32_t call_value(ode_lowering *lower, const ode_syntax *call, const ode_place *place)
{
    int32_t args[ODE_MAX_ARGS] = {0}, count = 0, at = call->at, symbol = call->symbol,
            given = call->b;
    for (int32_t a = call->a; a >= 0 && count < given; a = lower->parsed->syntax[a].next) {
        args[count] = gt_lang_lower(lower, a, place);
        if (args[count] < 0) return args[count];
        count++;
    }
    int32_t builtin = lower->parsed->symbols[symbol].builtin;
    if (builtin >= 0) {
        ode_op op = (ode_op)gt_lang_builtins[builtin].op;
        return count == 1 ? gt_lang_unary(lower->graph, op, args[0])
                          : gt_lang_binary(lower->graph, op, args[0], args[1]);
    }
    int32_t d = lower->names->bindings[symbol].single;
    const char *name = lower->parsed->symbols[symbol].text;
    if (d < 0)
        gt_lang_error(lower->work, at, "the function %s is not defined%s", name,
                      gt_lang_suggest(lower->names, symbol));
    const ode_definition *def = &lower->names->definitions[d];
    if (def->kind == K_TABLE) {
        if (count != 1)
            gt_lang_error(lower->work, at, "the table %s takes 1 argument, not %d", name,
                          (int)count);
        if (place->fix_params)
            gt_lang_error(lower->work, at, "the limits of a sum cannot use a table");
        return gt_lang_table_node(lower->graph, N_TABLE, args[0], def->slot);
    }
    if (def->kind != K_FUNCTION)
        gt_lang_error(lower->work, at, "%s is not a function; a product needs *", name);
    const ode_statement *s = &lower->parsed->statements[def->statement];
    if (count != s->n_args)
        gt_lang_error(lower->work, at, "%s takes %d argument%s, not %d", name, (int)s->n_args,
                      s->n_args == 1 ? "" : "s", (int)count);
    if (def->recursive) {
        int32_t f = gt_lang_function(lower, d);
        return gt_lang_call_node(lower->graph, f, args, count, lower->graph->functions[f].flags);
    }
    ode_place inside = {.args = args,
                        .n_args = count,
                        .fix_params = place->fix_params,
                        .start_values = place->start_values,
                        .time = place->time};
    return gt_lang_lower(lower, s->value, &inside);
}

int32_t gt_lang_function(ode_lowering *lower, int32_t definition)
{
    const ode_definition *d = &lower->names->definitions[definition];
    if (lower->lowered[definition].body >= 0) return lower->lowered[definition].body;
    const ode_statement *s = &lower->parsed->statements[d->statement];
    int32_t args[ODE_MAX_ARGS], n_args = s->n_args, number = lower->graph->n_functions;
    ode_function *f =
        ODE_PUSH(lower->graph, functions, 10000, "recursive functions and their derivatives");
    /* Free names are those of states and t; that a call depends on them is assumed. */
    *f = (ode_function){
        .of = -1, .by = -1, .n_args = n_args, .body = -1, .flags = DEP_STATE | DEP_TIME};
    lower->lowered[definition].body = number;
    for (int32_t k = 0; k < n_args; k++) args[k] = gt_lang_leaf(lower->graph, N_ARG, k, 0, 0);
    ode_place inside = {.args = args, .n_args = n_args, .time = -1};
    int32_t body = gt_lang_lower(lower, s->value, &inside);
    if (body < 0)
        gt_lang_error(lower->work, s->at, "a function that calls itself cannot use [j] or i'");
    lower->graph->functions[number].body = body;
    return number;
}

/* ---- expressions ---- */

static int32_t operation(ode_lowering *lower, const ode_syntax *x, int32_t a, int32_t b)
{
    if (x->op == N_DIV && lower->graph->nodes[b].op == N_CONST && lower->graph->nodes[b].value == 0)
        gt_lang_error(lower->work, x->at, "division by zero");
    return gt_lang_binary(lower->graph, (ode_op)x->op, a, b);
}

/* a + b + c + .. leans to the left; its length is not bounded, so it is walked and not recursed
 * into. */
static int32_t chain(ode_lowering *lower, int32_t syntax, const ode_place *place)
{
    int32_t first = syntax, length = 0;
    while (lower->parsed->syntax[first].kind == S_BINARY) {
        first = lower->parsed->syntax[first].a;
        length++;
    }
    int32_t small[32];
    int32_t *spine =
        length <= 32 ? small : gt_lang_take(lower->work, (size_t)length, sizeof *spine);
    for (int32_t k = length - 1, s = syntax; k >= 0; k--, s = lower->parsed->syntax[s].a)
        spine[k] = s;
    int32_t value = gt_lang_lower(lower, first, place);
    for (int32_t k = 0; k < length && value >= 0; k++) {
        ode_syntax x = lower->parsed->syntax[spine[k]];
        gt_lang_spend(lower, x.at);
        int32_t right = gt_lang_lower(lower, x.b, place);
        value = right < 0 ? right : operation(lower, &x, value, right);
    }
    return value;
}

static int32_t translate(ode_lowering *lower, int32_t syntax, const ode_place *place)
{
    ode_syntax x = lower->parsed->syntax[syntax];
    int32_t a, b, c;
    switch ((ode_syntax_op)x.kind) {
    case S_NUMBER:
        return gt_lang_number(lower->graph, x.value);
    case S_NAME:
    case S_ELEMENT:
        return gt_lang_name_value(lower, &x, place);
    case S_INDEX: {
        ode_affine i = gt_lang_index_at(lower, place, x.k, x.m, x.at);
        return gt_lang_index_node(lower, &i);
    }
    case S_SUM_INDEX:
        if (!place->in_sum) gt_lang_error(lower->work, x.at, "i' has no value here");
        return place->sum_known ? gt_lang_number(lower->graph, (double)place->i_lo)
                                : gt_lang_leaf(lower->graph, N_I, 0, 0, 0);
    case S_ARGUMENT:
        if (!place->args || x.k >= place->n_args)
            gt_lang_error(lower->work, x.at, "an argument has no value here");
        return place->args[x.k];
    case S_UNARY:
        a = gt_lang_lower(lower, x.a, place);
        return a < 0 ? a : gt_lang_unary(lower->graph, (ode_op)x.op, a);
    case S_BINARY:
        return chain(lower, syntax, place);
    case S_IF:
        if ((a = gt_lang_lower(lower, x.a, place)) < 0) return a;
        if (lower->graph->nodes[a].op == N_CONST)
            return gt_lang_lower(lower, lower->graph->nodes[a].value != 0 ? x.b : x.c, place);
        if ((b = gt_lang_lower(lower, x.b, place)) < 0) return b;
        if ((c = gt_lang_lower(lower, x.c, place)) < 0) return c;
        return gt_lang_if(lower->graph, a, b, c);
    case S_CALL:
        return call_value(lower, &x, place);
    case S_SUM:
        return sum_value(lower, &x, place);
    case S_SHIFT:
        return gt_lang_shifted(lower, &x, place);
    }
    return gt_lang_number(lower->graph, 0);
}

int32_t gt_lang_lower(ode_lowering *lower, int32_t syntax, const ode_place *place)
{
    assert(syntax >= 0 && syntax < lower->parsed->n_syntax);
    gt_lang_spend(lower, lower->parsed->syntax[syntax].at);
    if (++lower->depth > ODE_MAX_DEPTH)
        gt_lang_error(lower->work, lower->parsed->syntax[syntax].at,
                      "names refer to names more than %d deep here", (int)ODE_MAX_DEPTH / 2);
    int32_t node = translate(lower, syntax, place);
    lower->depth--;
    return node;
}

double gt_lang_constant(ode_lowering *lower, int32_t syntax, bool has_j, int64_t j)
{
    ode_place place = {
        .has_j = has_j, .j0 = j, .time = -1, .start_values = true, .fix_params = true};
    lower->evaluating++;
    int32_t node = gt_lang_lower(lower, syntax, &place);
    lower->evaluating--;
    if (node < 0 || lower->graph->nodes[node].op != N_CONST ||
        !isfinite(lower->graph->nodes[node].value))
        gt_lang_error(lower->work, lower->parsed->syntax[syntax].at, "this must be a number");
    return lower->graph->nodes[node].value;
}

int32_t gt_lang_target(ode_lowering *lower, int32_t syntax, const ode_place *place)
{
    ode_syntax x = lower->parsed->syntax[syntax];
    ode_affine a;
    int32_t answer = 0, d;
    if (x.kind == S_NAME) {
        d = gt_lang_find_plain(lower, x.symbol, &a, x.at);
    } else {
        a = gt_lang_index_at(lower, place, x.k, x.m, x.at);
        if ((d = gt_lang_find_covering(lower, x.symbol, &a, x.at, &answer)) < 0) return answer;
    }
    const ode_definition *def = &lower->names->definitions[d];
    if (def->kind == K_PARAMETER && lower->lowered[d].fixed)
        gt_lang_error(lower->work, x.at, "%s says how long a sum is and cannot be changed",
                      gt_lang_name_of(lower, def, a.lo));
    if (def->kind != K_STATE && def->kind != K_UNKNOWN && def->kind != K_PARAMETER)
        gt_lang_error(lower->work, x.at,
                      "an event can change states and parameters, and %s is neither",
                      gt_lang_name_of(lower, def, a.lo));
    return gt_lang_value_of(lower, d, &a, place, x.at);
}
