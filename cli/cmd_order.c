/* SPDX-License-Identifier: BSD-3-Clause */
/* order: stated, by the order conditions, and as runs show it. */
#include "coefficients.h"
#include "stability_parts.h"
#include <math.h>

static const cli_flag own_flags[] = {
    {.name = "opt", .value = "NAME=VALUE", .help = "an option of the method; may be given again", .repeats = true},
    {.name = "problem", .value = "MODEL", .help = "where to measure; default: a smooth one of two rates"},
    {.name = "conditions", .help = "prints every condition, not only how many hold"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {own_flags, gt_cli_model_flags, gt_cli_report_flags, NULL};

typedef struct inquiry {
    cli_entry *entry;
    gt_values options;
    gt_facts facts;
    cli_problem p;
    const char *problem;
    gt_measured_order measured;
    gt_status status; /* of the measurement */
    gt_message message;
    int from_conditions, of_comparison; /* 0: there are none */
    bool is_formula;
    gt_zero_stability zero;
    gt_conditions conditions;
} inquiry;

static int choose_problem(const cli_args *args, inquiry *q)
{
    const char *name = gt_cli_text(args, "problem");
    static const char *const of_model[] = {"set", "init", "init-from", "t0", "t1", "reduced"};
    for (size_t i = 0; i < sizeof of_model / sizeof *of_model && !name; i++)
        if (gt_cli_has(args, of_model[i])) return gt_cli_usage("--%s is for --problem, which is missing", of_model[i]);
    if (name) {
        int code = gt_cli_problem(args, name, &q->p);
        q->problem = q->p.problem.name;
        return code;
    }
    gt_status status = gt_order_problem(q->entry->method, q->options.v, &q->p.problem, &q->p.arena, &q->message);
    q->problem = q->p.problem.name;
    return status ? gt_cli_complain(status, &q->message) : CLI_OK;
}

static void find_conditions(inquiry *q)
{
    const gt_method *method = q->entry->method;
    const gt_tableau *T = method->tableau;
    gt_multistep formula;
    gt_message none;
    int up_to = q->facts.order < 6 ? 6 : q->facts.order + 1;
    if (T) {
        gt_conditions_of_tableau(T, T->b_hat, up_to, &q->conditions);
        q->of_comparison = q->conditions.order;
        gt_conditions_of_tableau(T, T->b, up_to, &q->conditions);
    } else if (method->partitioned_of) {
        gt_partitioned pair, comparison;
        method->partitioned_of(method, q->options.v, &pair);
        gt_partitioned_comparison(&pair, &comparison);
        gt_conditions_of_partitioned(&comparison.slow, &comparison.fast, GT_TREE_ORDER_PARTITIONED, &q->conditions);
        q->of_comparison = q->conditions.order;
        gt_conditions_of_partitioned(&pair.slow, &pair.fast, GT_TREE_ORDER_PARTITIONED, &q->conditions);
    } else if (!gt_method_formula(method, q->options.v, &formula, &none)) {
        gt_conditions_of_formula(&formula, formula.order + 1, &q->conditions);
        q->is_formula = !gt_zero_stability_of(&formula, &q->zero);
    }
    if (q->conditions.count) q->from_conditions = q->conditions.order;
}

static int inquire(const cli_args *args, gt_arena *arena, inquiry *q)
{
    size_t count;
    int code = gt_cli_entries(args, arena, &q->entry, &count);
    if (code) return code;
    const gt_method *method = q->entry->method;
    q->options = gt_params_default(method->options);
    gt_status status =
        gt_params_parse(method->options, "option", method->name, q->entry->options, &q->options, &q->message);
    if (status) return gt_cli_complain(status, &q->message);
    q->facts = gt_method_facts(method, q->options.v);
    if ((code = choose_problem(args, q))) return code;
    find_conditions(q);
    q->status = gt_measure_order(method, q->entry->options, &q->p.problem, &q->measured, &q->message);
    return CLI_OK;
}

static json_t *conditions_json(const gt_conditions *conditions)
{
    json_t *array = json_array();
    for (int i = 0; i < conditions->count; i++) {
        const gt_condition *c = &conditions->list[i];
        json_t *item = json_object();
        json_object_set_new(item, "tree", json_string(c->tree));
        json_object_set_new(item, "order", json_integer(c->order));
        json_object_set_new(item, "residual", gt_cli_json_number(c->residual));
        json_object_set_new(item, "exact", c->exact ? gt_coefficients_ratio(c->ratio) : json_null());
        json_object_set_new(item, "holds", json_boolean(c->holds));
        json_array_append_new(array, item);
    }
    return array;
}

static json_t *points_json(const gt_measured_order *m, bool fast)
{
    json_t *array = json_array();
    for (int i = 0; i < m->count; i++) {
        json_t *item = json_object();
        json_object_set_new(item, "h", gt_cli_json_number(m->h[i]));
        json_object_set_new(item, "error", gt_cli_json_number(m->error[i]));
        json_object_set_new(item, "error_slow", gt_cli_json_number(m->error_slow[i]));
        json_object_set_new(item, "error_fast", fast ? gt_cli_json_number(m->error_fast[i]) : json_null());
        json_array_append_new(array, item);
    }
    return array;
}

static int print_json(const inquiry *q)
{
    json_t *object = json_object();
    const gt_measured_order *m = &q->measured;
    json_object_set_new(object, "method", json_string(q->entry->method->name));
    json_object_set_new(object, "options", gt_cli_json_values(q->entry->method->options, &q->options));
    json_object_set_new(object, "problem", json_string(q->problem));
    json_object_set_new(object, "stated", json_integer(q->facts.order));
    json_object_set_new(object, "measured", gt_cli_json_number(m->all));
    json_object_set_new(object, "measured_slow", gt_cli_json_number(m->slow));
    json_object_set_new(object, "measured_fast", gt_cli_json_number(m->fast));
    json_object_set_new(object, "message", json_string(q->message.text));
    json_object_set_new(object, "points", points_json(m, q->p.problem.n_fast > 0));
    json_object_set_new(object, "from_conditions", q->from_conditions ? json_integer(q->from_conditions) : json_null());
    json_object_set_new(object, "from_conditions_hat", q->of_comparison ? json_integer(q->of_comparison) : json_null());
    if (q->is_formula) json_object_set_new(object, "zero_stable", json_boolean(q->zero.stable));
    json_object_set_new(object, "conditions", conditions_json(&q->conditions));
    return gt_cli_json_print(object);
}

/* "1/120", or the number. */
static const char *residual_text(const gt_condition *c, char buffer[48])
{
    if (c->exact)
        gt_ratio_print(c->ratio, buffer, 48);
    else
        gt_format(buffer, 48, "%.6g", c->residual);
    return buffer;
}

static void print_conditions(const inquiry *q, bool every)
{
    const gt_conditions *conditions = &q->conditions;
    const gt_condition *worst = NULL;
    int holding = 0, next = 0, failing = 0, order = conditions->order;
    char buffer[48];
    for (int i = 0; i < conditions->count; i++) {
        const gt_condition *c = &conditions->list[i];
        holding += c->order <= order;
        next += c->order == order + 1;
        failing += c->order == order + 1 && !c->holds;
        if (c->order == order + 1 && (!worst || fabs(c->residual) > fabs(worst->residual))) worst = c;
    }
    printf("conditions  order %d: all %d up to there hold", order, holding);
    if (worst && next > 1)
        printf("; of order %d, %d of %d fail, worst", order + 1, failing, next);
    else if (worst)
        printf("; it fails for");
    if (worst) printf(" %s by %s", worst->tree, residual_text(worst, buffer));
    putchar('\n');
    if (q->of_comparison) printf("            the comparison solution has order %d\n", q->of_comparison);
    if (!every) return;
    printf("\n%-24s %5s  %s\n", "tree", "order", "residual");
    for (int i = 0; i < conditions->count; i++)
        printf("%-24s %5d  %s\n", conditions->list[i].tree, conditions->list[i].order,
               residual_text(&conditions->list[i], buffer));
}

static void print_slope(const char *before, double slope)
{
    if (isnan(slope))
        printf("%sno slope", before);
    else
        gt_fprintf(stdout, "%s%.2f", before, slope);
}

static void print_measured(const inquiry *q)
{
    const gt_measured_order *m = &q->measured;
    bool fast = q->p.problem.n_fast > 0;
    print_slope("measured    ", m->all);
    printf(" on %s", q->problem);
    if (fast) {
        print_slope(" (slow ", m->slow);
        print_slope(", fast ", m->fast);
        putchar(')');
    }
    if (isnan(m->all)) printf(": fewer than four step sizes lie between too coarse and round-off");
    printf("\n\n%14s %12s%s\n", "h", "error", fast ? "         slow         fast" : "");
    for (int i = 0; i < m->count; i++) {
        gt_fprintf(stdout, "%14.6g %12.4g", m->h[i], m->error[i]);
        if (fast) gt_fprintf(stdout, " %12.4g %12.4g", m->error_slow[i], m->error_fast[i]);
        puts(m->error[i] > m->round_off[i] ? "" : "   round-off");
    }
}

static void print_text(const cli_args *args, const inquiry *q)
{
    printf("%s: %s\n", q->entry->label, q->entry->method->title);
    printf("stated      %d\n", q->facts.order);
    if (q->conditions.count) print_conditions(q, gt_cli_has(args, "conditions"));
    if (q->is_formula && !q->zero.stable) printf("converges   no, it is not zero-stable: %s\n", q->zero.why.text);
    if (!q->status)
        print_measured(q);
    else
        printf("measured    not: %s\n", q->message.text);
}

static int run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    inquiry *q = gt_arena_take(&arena, 1, sizeof *q);
    if (!q) return gt_cli_failed("out of memory");
    q->p.arena = gt_arena_growing();
    int code = inquire(args, &arena, q);
    if (!code && gt_cli_has(args, "json"))
        code = print_json(q);
    else if (!code)
        print_text(args, q);
    /* That a method has no order to measure is an answer; that its runs fail is not. */
    if (!code && q->status && !(q->facts.flags & GT_VARIABLE_FORMULA)) code = gt_cli_complain(q->status, &q->message);
    gt_cli_problem_free(&q->p);
    gt_arena_free(&arena);
    return code;
}

const cli_command gt_cmd_order = {
    .name = "order",
    .title = "tells the order of a method: stated, by the order conditions, and measured",
    .operands = "METHOD",
    .about =
        "The order conditions are those of all rooted trees (Runge-Kutta, to order 6 and beyond), of all trees with "
        "slow\n"
        "and fast vertices (partitioned, to order 4), or exactness for 1, t, t^2, .. (multistep), in exact fractions.\n"
        "A tree is written as a vertex t (or s slow, f fast) with its branches in brackets: t[t,t[t]], s[f,f[s]]. The "
        "measured order is the slope of log(error) over log(h) at the four finest step\n"
        "sizes above round-off, for all states and for the slow and the fast block alone.",
    .examples = "    geartrain order rkf45\n"
                "    geartrain order gear4 --conditions\n"
                "    geartrain order rk4 --problem predator_prey --t1 2 --json",
    .flags = flags,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
