/* SPDX-License-Identifier: BSD-3-Clause */
/* order: stated, by the order conditions, and as runs show it. */
#include "coefficients.h"
#include "report_parts.h"
#include "stability_parts.h"
#include <math.h>

/* What was given for the flags that `order` alone has. */
typedef struct order_flags {
    cli_value conditions, problem;
} order_flags;

static inline const order_flags *order_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(order_flags));
}

static const cli_flag own_flags[] = {
    {CLI_FLAG(opt, "opt"), .value = "NAME=VALUE", .help = "an option of the method",
     .repeats = true},
    {CLI_OWN(order_flags, problem, "problem"), .value = "MODEL",
     .help = "where to measure; default: a smooth one of two rates"},
    {CLI_OWN(order_flags, conditions, "conditions"),
     .help = "prints every condition, not only how many hold"},
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
    bool every; /* --conditions: all of them are printed */
} inquiry;

static int choose_problem(const cli_args *args, inquiry *q)
{
    const char *name = gt_cli_text(&order_own(args)->problem);
    const cli_flags *f = &args->flags;
    const cli_value *of_model[] = {&f->set, &f->init, &f->init_from, &f->t0,
                                   &f->t1,  &f->fast, &f->reduced};
    for (size_t i = 0; i < sizeof of_model / sizeof *of_model && !name; i++)
        if (gt_cli_has(of_model[i]))
            return gt_cli_usage("--%s is for --problem, which is missing", of_model[i]->flag->name);
    if (name) {
        int code = gt_cli_problem(args, name, &q->p);
        q->problem = q->p.problem.name;
        return code;
    }
    gt_status status =
        gt_order_problem(q->entry->method, q->options.v, &q->p.problem, &q->p.arena, &q->message);
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
        gt_conditions_of_partitioned(&comparison.slow, &comparison.fast, GT_TREE_ORDER_PARTITIONED,
                                     &q->conditions);
        q->of_comparison = q->conditions.order;
        gt_conditions_of_partitioned(&pair.slow, &pair.fast, GT_TREE_ORDER_PARTITIONED,
                                     &q->conditions);
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
    gt_status status = gt_params_parse(method->options, "option", method->name, q->entry->options,
                                       &q->options, &q->message);
    if (status) return gt_cli_complain(status, &q->message);
    q->facts = gt_method_facts(method, q->options.v);
    if ((code = choose_problem(args, q))) return code;
    find_conditions(q);
    q->status =
        gt_measure_order(method, q->entry->options, &q->p.problem, &q->measured, &q->message);
    return CLI_OK;
}

/* ---- the report ---- */

static const gt_condition *condition_of(const void *data) { return data; }

static void get_exact(const void *data, report_value *out)
{
    out->ratio = condition_of(data)->ratio;
    if (!condition_of(data)->exact) out->type = REPORT_END;
}

/* "1/120", or the number. */
static void say_residual(const void *data, report_text *out)
{
    const gt_condition *c = data;
    char text[48];
    if (c->exact)
        gt_ratio_print(c->ratio, text, sizeof text);
    else
        gt_format(text, sizeof text, "%.6g", c->residual);
    gt_report_say(out, "%s", text);
}

static const report_field condition_fields[] = {
    REPORT_KEY("tree", "a vertex with its branches in brackets",
               REPORT_AS(CHARS, gt_condition, tree), .label = "tree"),
    REPORT_KEY("order", "at which it must hold", REPORT_AT(gt_condition, order), .label = "order"),
    REPORT_KEY("residual", "by which it fails", REPORT_AT(gt_condition, residual)),
    REPORT_KEY("exact", "the same as a fraction; null: it is not known", .type = REPORT_RATIO,
               .get = get_exact, .nullable = true),
    {.type = REPORT_STRING, .label = "residual", .say = say_residual},
    REPORT_KEY("holds", "whether it does", REPORT_AT(gt_condition, holds)),
    {.type = REPORT_END},
};

/* Step i of the measurement. */
static bool has_fast(const inquiry *q) { return q->p.problem.n_fast > 0; }

static const inquiry *inquiry_of(const void *data) { return ((const report_item *)data)->of; }

static void get_error_fast(const void *data, report_value *out)
{
    const inquiry *q = inquiry_of(data);
    out->number = has_fast(q) ? q->measured.error_fast[((const report_item *)data)->i] : NAN;
}

static bool shows_blocks(const void *data) { return has_fast(inquiry_of(data)); }

static void say_round_off(const void *data, report_text *out)
{
    const gt_measured_order *m = &inquiry_of(data)->measured;
    size_t i = ((const report_item *)data)->i;
    if (!(m->error[i] > m->round_off[i])) gt_report_say(out, "round-off");
}

static const report_field point_fields[] = {
    REPORT_KEY("h", "the step", REPORT_OWN_COLUMN(NUMBER, inquiry, measured.h), .label = "h"),
    REPORT_KEY("error", "of all states", REPORT_OWN_COLUMN(NUMBER, inquiry, measured.error),
               .label = "error", .format = "%.4g"),
    REPORT_KEY("error_slow", "of the slow block",
               REPORT_OWN_COLUMN(NUMBER, inquiry, measured.error_slow)),
    REPORT_KEY("error_fast", "of the fast block", .type = REPORT_NUMBER, .get = get_error_fast),
    {.label = "slow",
     REPORT_OWN_COLUMN(NUMBER, inquiry, measured.error_slow),
     .when = shows_blocks,
     .format = "%.4g"},
    {.label = "fast",
     REPORT_OWN_COLUMN(NUMBER, inquiry, measured.error_fast),
     .when = shows_blocks,
     .format = "%.4g"},
    {.type = REPORT_STRING, .label = "", .say = say_round_off},
    {.type = REPORT_END},
};

static void say_heading(const void *data, report_text *out)
{
    const inquiry *q = data;
    gt_report_say(out, "%s: %s", q->entry->label, q->entry->method->title);
}

static void get_options(const void *data, report_value *out)
{
    const inquiry *q = data;
    gt_report_params(out, q->entry->method->options, &q->options);
}

static void say_slope(report_text *out, const char *before, double slope)
{
    if (isnan(slope))
        gt_report_say(out, "%sno slope", before);
    else
        gt_report_say(out, "%s%.2f", before, slope);
}

static void say_measured(const void *data, report_text *out)
{
    const inquiry *q = data;
    const gt_measured_order *m = &q->measured;
    if (q->status) {
        gt_report_say(out, "not: %s", q->message.text);
        return;
    }
    say_slope(out, "", m->all);
    gt_report_say(out, " on %s", q->problem);
    if (has_fast(q)) {
        say_slope(out, " (slow ", m->slow);
        say_slope(out, ", fast ", m->fast);
        gt_report_say(out, ")");
    }
    if (isnan(m->all))
        gt_report_say(out, ": fewer than four step sizes lie between too coarse and round-off");
}

static bool was_measured(const void *data) { return !((const inquiry *)data)->status; }

static void get_from_conditions(const void *data, report_value *out)
{
    out->integer = ((const inquiry *)data)->from_conditions;
    if (!out->integer) out->type = REPORT_END;
}

static void get_of_comparison(const void *data, report_value *out)
{
    out->integer = ((const inquiry *)data)->of_comparison;
    if (!out->integer) out->type = REPORT_END;
}

static void say_conditions(const void *data, report_text *out)
{
    const gt_conditions *conditions = &((const inquiry *)data)->conditions;
    const gt_condition *worst = NULL;
    int holding = 0, next = 0, failing = 0, order = conditions->order;
    for (int i = 0; i < conditions->count; i++) {
        const gt_condition *c = &conditions->list[i];
        holding += c->order <= order;
        next += c->order == order + 1;
        failing += c->order == order + 1 && !c->holds;
        if (c->order == order + 1 && (!worst || fabs(c->residual) > fabs(worst->residual)))
            worst = c;
    }
    if (!conditions->count) return;
    gt_report_say(out, "order %d: all %d up to there hold", order, holding);
    if (worst && next > 1)
        gt_report_say(out, "; of order %d, %d of %d fail, worst", order + 1, failing, next);
    else if (worst)
        gt_report_say(out, "; it fails for");
    if (!worst) return;
    gt_report_say(out, " %s by ", worst->tree);
    say_residual(worst, out);
}

static void say_comparison(const void *data, report_text *out)
{
    const inquiry *q = data;
    if (q->conditions.count && q->of_comparison)
        gt_report_say(out, "the comparison solution has order %d", q->of_comparison);
}

static bool is_formula(const void *data) { return ((const inquiry *)data)->is_formula; }

static void say_zero_stable(const void *data, report_text *out)
{
    const inquiry *q = data;
    if (!q->zero.stable) gt_report_say(out, "no, it is not zero-stable: %s", q->zero.why.text);
}

static bool shows_conditions(const void *data) { return ((const inquiry *)data)->every; }

static const report_field fields[] = {
    REPORT_TEXT("", say_heading),
    REPORT_KEY("method", "its name",
               REPORT_VIA2(inquiry, entry, cli_entry, method, gt_method, name)),
    REPORT_KEY("options", "of the method, by name", .type = REPORT_MAP, .get = get_options,
               .each = gt_report_each_param, .entry = REPORT_ANY),
    REPORT_KEY("problem", "where the order was measured", REPORT_AT(inquiry, problem)),
    REPORT_KEY("stated", "by the method", REPORT_AT(inquiry, facts.order), .label = "stated"),
    REPORT_KEY("from_conditions", "the order whose conditions all hold; null: there are none",
               .type = REPORT_INT, .get = get_from_conditions, .nullable = true,
               .label = "conditions", .say = say_conditions),
    REPORT_KEY("from_conditions_hat", "the same of the comparison solution", .type = REPORT_INT,
               .get = get_of_comparison, .nullable = true, .label = " ", .say = say_comparison),
    {REPORT_OWN_ARRAY(inquiry, conditions.list, conditions.count), .of = condition_fields,
     .when = shows_conditions, .label = ""},
    REPORT_KEY("zero_stable", "of a multistep formula", REPORT_AT(inquiry, zero.stable),
               .when = is_formula, .label = "converges", .say = say_zero_stable),
    REPORT_KEY("measured", "slope of log(error) over log(h); null: there is none",
               REPORT_AT(inquiry, measured.all), .label = "measured", .say = say_measured),
    REPORT_KEY("measured_slow", "of the slow block", REPORT_AT(inquiry, measured.slow)),
    REPORT_KEY("measured_fast", "of the fast block", REPORT_AT(inquiry, measured.fast)),
    REPORT_KEY("message", "why nothing could be measured", REPORT_AT(inquiry, message)),
    REPORT_KEY("points", "of the measurement", REPORT_COUNT(inquiry, measured.count),
               .of = point_fields),
    {REPORT_COUNT(inquiry, measured.count), .of = point_fields, .when = was_measured, .label = ""},
    REPORT_KEY("conditions", "order conditions with their residuals",
               REPORT_OWN_ARRAY(inquiry, conditions.list, conditions.count),
               .of = condition_fields),
    {.type = REPORT_END},
};

static int run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    inquiry *q = gt_arena_take(&arena, 1, sizeof *q);
    if (!q) return gt_cli_failed("out of memory");
    q->p.arena = gt_arena_growing();
    q->every = gt_cli_has(&order_own(args)->conditions);
    int code = inquire(args, &arena, q);
    if (!code && gt_cli_has(&args->flags.json))
        code = gt_report_print_json(fields, q);
    else if (!code)
        gt_report_print(stdout, fields, q);
    /* That a method has no order to measure is an answer; that its runs fail is not. */
    if (!code && q->status && !(q->facts.flags & GT_VARIABLE_FORMULA))
        code = gt_cli_complain(q->status, &q->message);
    gt_cli_problem_free(&q->p);
    gt_arena_free(&arena);
    return code;
}

static const cli_report reports[] = {{.fields = fields}, {.fields = NULL}};

const cli_command gt_cmd_order = {
    .name = "order",
    .title = "reports the order of a method: stated, by the order conditions, and measured",
    .operands = "METHOD",
    .about = "The order conditions are those of all rooted trees (Runge-Kutta, to order 6 and "
             "beyond), of all trees with "
             "slow\n"
             "and fast vertices (partitioned, to order 4), or exactness for 1, t, t^2, .. "
             "(multistep), in exact fractions.\n"
             "A tree is written as a vertex t (or s slow, f fast) with its branches in brackets: "
             "t[t,t[t]], s[f,f[s]]. The "
             "measured order is the slope of log(error) over log(h) at the four finest step\n"
             "sizes above round-off, for all states and for the slow and the fast block alone.",
    .examples = "    geartrain order rkf45\n"
                "    geartrain order gear4 --conditions\n"
                "    geartrain order rk4 --problem predator_prey --t1 2 --json",
    .flags = flags,
    .own_bytes = sizeof(order_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
    .reports = reports,
};
