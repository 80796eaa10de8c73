/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions as text, as C or as a reader of the model would write them; print_variables.c says
 * which of them are variables.
 */
#include "lang/emit/printer.h"
#include <math.h>
#include <stdlib.h>

static const ode_definition *parameter_at(const ode_names *names, int64_t slot)
{
    for (int32_t i = 0; i < names->n_definitions; i++) {
        const ode_definition *d = &names->definitions[i];
        if (d->kind == K_PARAMETER && slot >= d->slot && slot <= d->slot + d->hi - d->lo) return d;
    }
    return NULL;
}

void gt_lang_print_index(ode_printer *q, int64_t first, int64_t step, int64_t inner)
{
    ode_text *t = q->text;
    const char *sign = "";
    const struct {
        int64_t factor;
        const char *index;
    } terms[] = {{step, "j"}, {inner, "i"}};
    for (int k = 0; k < 2; k++) {
        int64_t f = terms[k].factor;
        if (!f) continue;
        if (*sign)
            gt_lang_put(t, f < 0 ? " - " : " + ");
        else
            gt_lang_put(t, f < 0 ? "-" : "");
        if (llabs(f) != 1) gt_lang_put(t, "%lld * ", llabs(f));
        gt_lang_put(t, "%s", terms[k].index);
        sign = "+";
    }
    if (!*sign)
        gt_lang_put(t, "%lld", (long long)first);
    else if (first)
        gt_lang_put(t, " %c %lld", first < 0 ? '-' : '+', llabs(first));
}

/* A state or parameter that has a variable; in C its name, or where it has none that C allows its
 * number. */
static void put_name(ode_printer *q, char prefix, const char *name, int32_t number)
{
    if (q->style == STYLE_MODEL)
        gt_lang_put(q->text, "%s", name);
    else if (*name)
        gt_lang_put(q->text, "%c_%s", prefix, name);
    else
        gt_lang_put(q->text, "%c_%d", prefix, (int)number);
}

static void put_element(ode_printer *q, const char *array, int64_t first, int64_t step,
                        int64_t inner)
{
    gt_lang_put(q->text, "%s[", array);
    gt_lang_print_index(q, first, step, inner);
    gt_lang_put(q->text, "]");
}

static void print_state(ode_printer *q, const ode_node *n)
{
    char buffer[200];
    int32_t element;
    if (!n->b && !n->c) {
        const gt_ode_name *s = gt_lang_state_name(q, n->a, &element);
        put_name(q, 'x', gt_lang_plain_name(q, s->base, buffer, s->lo <= s->hi, element), n->a);
        return;
    }
    if (q->style == STYLE_MODEL) {
        /* Any member of the run tells the family; the index of the element is affine in j and i as
         * well. */
        int64_t slot = n->a + (int64_t)n->b * q->sample_j + (int64_t)n->c * q->sample_i;
        const gt_ode_name *s = gt_lang_state_name(q, slot, &element);
        int64_t step = n->b / s->step, inner = n->c / s->step;
        put_element(q, s->base, element - step * q->sample_j - inner * q->sample_i, step, inner);
        return;
    }
    put_element(q, "x", n->a, n->b, n->c);
}

static void print_parameter(ode_printer *q, const ode_node *n)
{
    char buffer[200];
    const ode_definition *d = parameter_at(q->names, n->a);
    if (!n->b && !n->c && d) {
        put_name(q, 'p',
                 gt_lang_plain_name(q, q->names->parsed->symbols[d->symbol].display, buffer,
                                    d->family, d->lo + n->a - d->slot),
                 n->a);
        return;
    }
    put_element(q, "p", n->a, n->b, n->c);
}

static void print_leaf(ode_printer *q, int32_t node, int tight)
{
    const ode_node *n = &q->graph->nodes[node];
    bool c = q->style == STYLE_C;
    switch ((ode_op)n->op) {
    case N_CONST:
        if (n->value < 0 && tight > 0) gt_lang_put(q->text, "(");
        gt_lang_put_number(q->text, n->value);
        if (c && n->value == floor(n->value) && fabs(n->value) < 1e15) gt_lang_put(q->text, ".0");
        if (n->value < 0 && tight > 0) gt_lang_put(q->text, ")");
        break;
    case N_TIME:
        gt_lang_put(q->text, "t");
        break;
    case N_J:
        gt_lang_put(q->text, c ? "(double)j" : "[j]");
        break;
    case N_I:
        gt_lang_put(q->text, c ? "(double)i" : "i'");
        break;
    case N_STATE:
        print_state(q, n);
        break;
    case N_PARAM:
        print_parameter(q, n);
        break;
    case N_ARG:
        gt_lang_put(q->text, "a%d", (int)n->a);
        break;
    default: /* what depends on parameters only */
        gt_lang_put(q->text, "p[%d]", (int)q->programs->hoisted[node]);
        break;
    }
}

static void print_infix(ode_printer *q, const ode_node *n, int level, int tight)
{
    bool open = level < tight;
    if (open) gt_lang_put(q->text, "(");
    gt_lang_print(q, n->a, level);
    gt_lang_put(q->text, " %s ", ode_text_of(n->op));
    gt_lang_print(q, n->b, level + 1);
    if (open) gt_lang_put(q->text, ")");
}

static void print_held(ode_printer *q, const ode_node *n);

/* As a truth value of C. */
static void print_condition(ode_printer *q, int32_t node)
{
    const ode_node *n = &q->graph->nodes[node];
    if (q->style == STYLE_MODEL && n->op == N_HELD) {
        print_condition(q, n->a);
        return;
    }
    if ((q->variable[node] < 0 || q->defining == node) && !gt_lang_is_leaf(q, node)) {
        switch ((ode_op)n->op) {
        case N_LT:
        case N_LE:
        case N_GT:
        case N_GE:
        case N_EQ:
        case N_NE:
            gt_lang_print(q, n->a, 1);
            gt_lang_put(q->text, " %s ", ode_text_of(n->op));
            gt_lang_print(q, n->b, 1);
            return;
        case N_AND:
        case N_OR:
            gt_lang_put(q->text, "(");
            print_condition(q, n->a);
            gt_lang_put(q->text, n->op == N_AND ? ") && (" : ") || (");
            print_condition(q, n->b);
            gt_lang_put(q->text, ")");
            return;
        case N_NOT:
            gt_lang_put(q->text, "!(");
            print_condition(q, n->a);
            gt_lang_put(q->text, ")");
            return;
        case N_HELD:
            print_held(q, n);
            return;
        default:
            break;
        }
    }
    gt_lang_print(q, node, 1);
    if (q->style == STYLE_C) gt_lang_put(q->text, " != 0");
}

/* A relation as it is, or as its switch is held. */
static void print_held(ode_printer *q, const ode_node *n)
{
    if (q->style == STYLE_MODEL) {
        gt_lang_print(q, n->a, 1);
        return;
    }
    gt_lang_put(q->text, "(");
    if (!q->as_it_is) {
        gt_lang_put(q->text, "s[");
        gt_lang_print_index(q, n->b, n->c, (int64_t)n->value);
        gt_lang_put(q->text, "] ? s[");
        gt_lang_print_index(q, n->b, n->c, (int64_t)n->value);
        gt_lang_put(q->text, n->op == N_HELD_SIGN ? "] : " : "] > 0 : ");
    }
    if (n->op == N_HELD_SIGN)
        gt_lang_print(q, n->a, 1);
    else
        print_condition(q, n->a);
    gt_lang_put(q->text, ")");
}

static void print_if(ode_printer *q, const ode_node *n)
{
    bool c = q->style == STYLE_C;
    gt_lang_put(q->text, c ? "(" : "if(");
    print_condition(q, n->a);
    gt_lang_put(q->text, c ? " ? " : ")then(");
    gt_lang_print(q, n->b, 1);
    gt_lang_put(q->text, c ? " : " : ")else(");
    gt_lang_print(q, n->c, 1);
    gt_lang_put(q->text, ")");
}

static void print_table(ode_printer *q, const ode_node *n)
{
    const ode_table *t = &q->names->tables[n->b];
    if (q->style == STYLE_MODEL) {
        gt_lang_put(q->text, "%s(",
                    q->names->parsed->symbols[q->names->definitions[t->definition].symbol].display);
    } else {
        gt_lang_put(q->text, "%s(p + %d, %d, ", gt_lang_operations[n->op].c_name, (int)t->slot,
                    (int)t->n);
        gt_lang_put_number(q->text, t->lo);
        gt_lang_put(q->text, ", ");
        gt_lang_put_number(q->text, t->hi);
        gt_lang_put(q->text, ", ");
    }
    gt_lang_print(q, n->a, 0);
    gt_lang_put(q->text, ")");
}

static void print_call(ode_printer *q, const ode_node *n)
{
    if (q->style == STYLE_MODEL)
        gt_lang_put(q->text, "f%d(", (int)n->a);
    else
        gt_lang_put(q->text,
                    q->in_function ? "f%d(t, x, p, depth + 1, calls" : "f%d(t, x, p, 0, &(long){0}",
                    (int)n->a);
    for (int32_t k = 0; k < n->c; k++) {
        gt_lang_put(q->text, k || q->style == STYLE_C ? ", " : "");
        gt_lang_print(q, q->graph->arguments[n->b + k], 0);
    }
    gt_lang_put(q->text, ")");
}

/* A function of C's library whose operands are all known when the code is compiled, in a loop that
 * is unrolled: compilers round it to nearest, and the library need not. */
static bool is_foldable(const ode_printer *q, const ode_node *n)
{
    bool of_library = n->op == N_POW || ode_is(n->op, OP_CHAINED);
    return q->style == STYLE_C && of_library && !(n->flags & ~(DEP_J | DEP_I));
}

static void print_function(ode_printer *q, const ode_node *n)
{
    const ode_operation *operation = &gt_lang_operations[n->op];
    if (n->op == N_POW && q->style == STYLE_MODEL) {
        gt_lang_print(q, n->a, 3);
        gt_lang_put(q->text, "^");
        gt_lang_print(q, n->b, 4);
        return;
    }
    gt_lang_put(q->text, "%s(", q->style == STYLE_MODEL ? operation->text : operation->c_name);
    bool opaque = is_foldable(q, n);
    gt_lang_put(q->text, opaque ? "gt_ode_unfolded(" : "");
    gt_lang_print(q, n->a, 0);
    gt_lang_put(q->text, opaque ? ")" : "");
    if (operation->operands > 1) {
        gt_lang_put(q->text, ", ");
        gt_lang_print(q, n->b, 0);
    }
    gt_lang_put(q->text, ")");
}

/* Only in text for people: elsewhere a sum is a variable. */
static void print_sum(ode_printer *q, const ode_node *n)
{
    int32_t outer = q->sample_i;
    q->sample_i = n->b; /* the states in it are looked up by an element that exists */
    gt_lang_put(q->text, "sum(%d,%d)of(", (int)n->b, (int)n->c);
    gt_lang_print(q, n->a, 0);
    gt_lang_put(q->text, ")");
    q->sample_i = outer;
}

static void print_operation(ode_printer *q, int32_t node, int tight)
{
    const ode_node *n = &q->graph->nodes[node];
    switch ((ode_op)n->op) {
    case N_NEG:
        gt_lang_put(q->text, tight > 1 ? "(-" : "-");
        gt_lang_print(q, n->a, 3);
        if (tight > 1) gt_lang_put(q->text, ")");
        break;
    case N_ADD:
    case N_SUB:
        print_infix(q, n, 1, tight);
        break;
    case N_MUL:
    case N_DIV:
        print_infix(q, n, 2, tight);
        break;
    case N_LT:
    case N_LE:
    case N_GT:
    case N_GE:
    case N_EQ:
    case N_NE:
    case N_AND:
    case N_OR:
    case N_NOT:
        gt_lang_put(q->text, q->style == STYLE_C ? "(double)(" : "(");
        print_condition(q, node);
        gt_lang_put(q->text, ")");
        break;
    case N_IF:
        print_if(q, n);
        break;
    case N_TABLE:
    case N_SLOPE:
        print_table(q, n);
        break;
    case N_HELD:
    case N_HELD_SIGN:
        gt_lang_put(q->text, q->style == STYLE_C ? "(double)" : "");
        print_held(q, n);
        break;
    case N_CALL:
        print_call(q, n);
        break;
    case N_SUM:
        print_sum(q, n);
        break;
    default:
        print_function(q, n);
        break;
    }
}

void gt_lang_print(ode_printer *q, int32_t node, int tight)
{
    enum { DEEPEST = 1000 };
    q->level++;
    int32_t name = q->longest && node != q->unnamed ? q->graph->nodes[node].name : -1;
    if (q->longest && q->text->length > q->longest)
        gt_lang_put(q->text, "..");
    else if (name >= 0 && !q->names->definitions[name].family)
        gt_lang_put(q->text, "%s",
                    q->names->parsed->symbols[q->names->definitions[name].symbol].display);
    else if (q->level > DEEPEST)
        gt_lang_put(
            q->text,
            "..."); /* only where nobody computes with it: C code has variables in between */
    else if (gt_lang_is_leaf(q, node))
        print_leaf(q, node, tight);
    else if (q->variable[node] >= 0 && q->defining != node)
        gt_lang_print_variable(q, node);
    else
        print_operation(q, node, tight);
    q->level--;
}
