/* SPDX-License-Identifier: BSD-3-Clause */
/* coefficients: the numbers of a method, as fractions where they are fractions. */
#include "coefficients.h"
#include "stability_parts.h"

static const cli_flag own_flags[] = {
    {CLI_FLAG(opt, "opt"), .value = "NAME=VALUE", .help = "an option of the method",
     .repeats = true},
    {.name = NULL},
};

static const cli_flag *const flags[] = {own_flags, gt_cli_report_flags, NULL};

/* What is known of the numbers of a method. */
typedef struct numbers {
    const cli_entry *entry;
    gt_values options;
    bool is_formula, is_table;
    gt_multistep formula;
    gt_partitioned pair;
    gt_amplifier a; /* of a method without table: R(z) says it all */
    const char *kind;
    int version; /* of a method file, which a table is */
    size_t n_num, n_den;
} numbers;

static int find_numbers(const cli_entry *e, numbers *w)
{
    const gt_method *m = e->method;
    gt_message why = {""}, message = {""};
    *w = (numbers){.entry = e, .options = gt_params_default(m->options), .version = 1};
    gt_status status =
        gt_params_parse(m->options, "option", m->name, e->options, &w->options, &message);
    if (status) return gt_cli_complain(status, &message);
    w->is_formula = !gt_method_formula(m, w->options.v, &w->formula, &why);
    w->is_table = m->tableau || m->partitioned_of || m->infinitesimal || w->is_formula;
    if (m->partitioned_of) m->partitioned_of(m, w->options.v, &w->pair);
    w->kind = w->is_formula ? "multistep" : w->pair.slow.stages ? "partitioned" : "rk";
    if (w->is_table) return CLI_OK;
    status = gt_amplifier_open(&w->a, m, e->options, &message);
    bool is_ratio = !status && w->a.kind == GT_BY_RATIO && !w->a.from_runs;
    if (!status) gt_amplifier_close(&w->a);
    w->n_num = is_ratio ? (size_t)w->a.ratio.num_degree + 1 : 0;
    w->n_den = is_ratio ? (size_t)w->a.ratio.den_degree + 1 : 0;
    if (is_ratio) return CLI_OK;
    if (m->formula_of) return gt_cli_complain(GT_UNSUPPORTED, &why);
    gt_fail(&message, GT_UNSUPPORTED,
            "%s has no constant coefficients; 'geartrain show %s' shows what it does", e->label,
            m->name);
    return gt_cli_complain(GT_UNSUPPORTED, &message);
}

/* ---- as JSON ---- */

static const numbers *numbers_of(const void *data) { return data; }

static void get_options(const void *data, report_value *out)
{
    gt_report_params(out, numbers_of(data)->entry->method->options, &numbers_of(data)->options);
}

static bool is_table(const void *data) { return numbers_of(data)->is_table; }

static bool is_ratio(const void *data) { return !is_table(data); }

static bool is_formula(const void *data) { return numbers_of(data)->is_formula; }

static bool is_tableau(const void *data)
{
    return numbers_of(data)->entry->method->tableau != NULL;
}

static void get_tableau(const void *data, report_value *out)
{
    out->data = numbers_of(data)->entry->method->tableau;
}

static bool is_pair(const void *data) { return numbers_of(data)->pair.slow.stages > 0; }

static bool is_infinitesimal(const void *data)
{
    return numbers_of(data)->entry->method->infinitesimal != NULL;
}

static void get_infinitesimal(const void *data, report_value *out)
{
    out->data = numbers_of(data)->entry->method->infinitesimal;
}

static const report_field ratio_fields[] = {
    REPORT_KEY("num", "in ascending powers of z", REPORT_OWN_ARRAY(numbers, a.ratio.num, n_num),
               .entry = REPORT_NUMBER),
    REPORT_KEY("den", "in ascending powers of z", REPORT_OWN_ARRAY(numbers, a.ratio.den, n_den),
               .entry = REPORT_NUMBER),
    {.type = REPORT_END},
};

static const report_field fields[] = {
    REPORT_KEY("method", "its name",
               REPORT_VIA2(numbers, entry, cli_entry, method, gt_method, name)),
    REPORT_KEY("options", "of the method, by name", .type = REPORT_MAP, .get = get_options,
               .each = gt_report_each_param, .entry = REPORT_ANY),
    REPORT_KEY("geartrain_method", "what makes it a method file: its version",
               REPORT_AT(numbers, version), .when = is_table),
    REPORT_KEY("kind", "of the method file", REPORT_AT(numbers, kind), .when = is_table),
    REPORT_PART(gt_tableau_fields, .get = get_tableau, .when = is_tableau),
    REPORT_PART(gt_partitioned_fields, .offset = offsetof(numbers, pair), .when = is_pair),
    REPORT_PART(gt_infinitesimal_fields, .get = get_infinitesimal, .when = is_infinitesimal),
    REPORT_PART(gt_formula_fields, .offset = offsetof(numbers, formula), .when = is_formula),
    REPORT_KEY("R", "of a method without a tableau: on x' = lambda x", .type = REPORT_OBJECT,
               .of = ratio_fields, .when = is_ratio),
    {.type = REPORT_END},
};

/* ---- as text ---- */

static void say_powers(const double *list, size_t count, report_text *out)
{
    for (size_t i = 0; i < count; i++) gt_report_say(out, "%s%.10g", i ? "  " : "", list[i]);
}

static void print_text(const numbers *w)
{
    const gt_method *m = w->entry->method;
    if (w->is_table) {
        gt_report_linef(stdout, "", "%s: %s", w->entry->label, m->title);
        if (m->tableau) gt_coefficients_print_tableau(m->tableau, stdout);
        if (is_pair(w)) gt_coefficients_print_partitioned(&w->pair, stdout);
        if (m->infinitesimal) gt_coefficients_print_infinitesimal(m->infinitesimal, stdout);
        if (w->is_formula) gt_coefficients_print_formula(&w->formula, stdout);
        return;
    }
    report_text num = {.used = 0}, den = {.used = 0};
    say_powers(w->a.ratio.num, w->n_num, &num);
    say_powers(w->a.ratio.den, w->n_den, &den);
    gt_report_linef(stdout, "",
                    "%s has no tableau and no formula of constant coefficients; order %d",
                    w->entry->label, gt_method_facts(m, w->options.v).order);
    gt_report_line(stdout, "",
                   "on x' = lambda x, z = h lambda, a step multiplies by R(z) = num / den, in "
                   "ascending powers of z:");
    gt_report_line(stdout, "    num", num.text);
    gt_report_line(stdout, "    den", den.text);
}

static int run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    cli_entry *entries = NULL;
    size_t count;
    int code = gt_cli_entries(args, &arena, &entries, &count);
    numbers w;
    if (!code) code = find_numbers(&entries[0], &w);
    if (!code && gt_cli_has(&args->flags.json))
        code = gt_report_print_json(fields, &w);
    else if (!code)
        print_text(&w);
    gt_arena_free(&arena);
    return code;
}

static const cli_report reports[] = {{.fields = fields}, {.fields = NULL}};

const cli_command gt_cmd_coefficients = {
    .name = "coefficients",
    .title = "prints the numbers of a method, as fractions where they are fractions",
    .operands = "METHOD",
    .about = "Runge-Kutta methods: c, A, b and the weights of the comparison solution (in JSON: A "
             "b c bhat, A in full).\n"
             "Partitioned methods: the same for the slow and for the fast block (in JSON: slow{A b "
             "c bhat stages}, "
             "fast{..}).\n"
             "Multirate infinitesimal methods: c, and for each slow stage a row of gamma0 and "
             "gamma1 in\n"
             "    dx/dtheta = h sum_j (gamma0_j + gamma1_j theta) k_j,  0 <= theta <= 1\n"
             "with the row of the comparison solution, which replaces the last one (in JSON: c "
             "gamma0 gamma1 gamma0_hat "
             "gamma1_hat).\n"
             "Multistep formulas: a_0, a_1, .. and b_-1, b_0, .. of\n"
             "    x_(n+1) = sum a_i x_(n-i) + h sum b_i f_(n-i)        crow (5.8)\n"
             "and the constant C of the local error C h^(k+1) x^(k+1) (in JSON: a, b from b_-1 on, "
             "error_constant).\n"
             "What --json prints of these three is a method file: it can be changed, and is used "
             "as --method ./FILE.json.\n"
             "Other methods: R(z), in JSON R with num and den in ascending powers.",
    .examples = "    geartrain coefficients dopri5\n"
                "    geartrain coefficients gear4 --json\n"
                "    geartrain coefficients gear --opt order=3\n"
                "    geartrain coefficients rk4 --json >mine.json\n"
                "    geartrain order ./mine.json",
    .flags = flags,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
    .reports = reports,
};
