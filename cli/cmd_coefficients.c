/* SPDX-License-Identifier: BSD-3-Clause */
/* coefficients: the numbers of a method, as fractions where they are fractions. */
#include "coefficients.h"
#include "stability_parts.h"

static const cli_flag own_flags[] = {
    {.name = "opt", .value = "NAME=VALUE", .help = "an option of the method; may be given again", .repeats = true},
    {.name = NULL},
};

static const cli_flag *const flags[] = {own_flags, gt_cli_report_flags, NULL};

/* A method without table: what it does to x' = lambda x says it all, if that is a ratio of polynomials. */
static int print_ratio(const cli_entry *e, const gt_values *v, json_t *object, const gt_message *why)
{
    gt_amplifier a;
    gt_message message;
    gt_status status = gt_amplifier_open(&a, e->method, e->options, &message);
    if (status || a.kind != GT_BY_RATIO || a.from_runs) {
        if (!status) gt_amplifier_close(&a);
        if (e->method->formula_of) return gt_cli_complain(GT_UNSUPPORTED, why);
        gt_fail(&message, GT_UNSUPPORTED, "%s has no constant coefficients; 'geartrain show %s' tells what it does",
                e->label, e->method->name);
        return gt_cli_complain(GT_UNSUPPORTED, &message);
    }
    gt_amplifier_close(&a);
    if (object) {
        json_t *R = json_object();
        json_object_set_new(R, "num", gt_cli_json_numbers(a.ratio.num, (size_t)a.ratio.num_degree + 1));
        json_object_set_new(R, "den", gt_cli_json_numbers(a.ratio.den, (size_t)a.ratio.den_degree + 1));
        json_object_set_new(object, "R", R);
        return CLI_OK;
    }
    printf("%s has no tableau and no formula of constant coefficients; order %d\n", e->label,
           gt_method_facts(e->method, v->v).order);
    printf("on x' = lambda x, z = h lambda, a step multiplies by R(z) = num / den, in ascending powers of z:\n    num");
    for (int i = 0; i <= a.ratio.num_degree; i++) gt_fprintf(stdout, "  %.10g", a.ratio.num[i]);
    printf("\n    den");
    for (int i = 0; i <= a.ratio.den_degree; i++) gt_fprintf(stdout, "  %.10g", a.ratio.den[i]);
    putchar('\n');
    return CLI_OK;
}

static int report(const cli_entry *e, json_t *object)
{
    gt_values v = gt_params_default(e->method->options);
    gt_message message = {""};
    gt_multistep formula;
    gt_status status = gt_params_parse(e->method->options, "option", e->method->name, e->options, &v, &message);
    if (status) return gt_cli_complain(status, &message);
    bool is_formula = !gt_method_formula(e->method, v.v, &formula, &message);
    bool is_table = e->method->tableau || e->method->partitioned_of || e->method->infinitesimal || is_formula;
    gt_partitioned pair = {0};
    if (e->method->partitioned_of) e->method->partitioned_of(e->method, v.v, &pair);
    if (object) {
        json_object_set_new(object, "method", json_string(e->method->name));
        json_object_set_new(object, "options", gt_cli_json_values(e->method->options, &v));
        if (is_table) { /* what makes it a method file */
            json_object_set_new(object, "geartrain_method", json_integer(1));
            json_object_set_new(object, "kind",
                                json_string(is_formula         ? "multistep"
                                            : pair.slow.stages ? "partitioned"
                                                               : "rk"));
        }
        if (e->method->tableau) gt_coefficients_set_tableau(object, e->method->tableau);
        if (pair.slow.stages) gt_coefficients_set_partitioned(object, &pair);
        if (e->method->infinitesimal) gt_coefficients_set_infinitesimal(object, e->method->infinitesimal);
        if (is_formula) gt_coefficients_set_formula(object, &formula);
    } else if (is_table) {
        printf("%s: %s\n", e->label, e->method->title);
        if (e->method->tableau) gt_coefficients_print_tableau(e->method->tableau, stdout);
        if (pair.slow.stages) gt_coefficients_print_partitioned(&pair, stdout);
        if (e->method->infinitesimal) gt_coefficients_print_infinitesimal(e->method->infinitesimal, stdout);
        if (is_formula) gt_coefficients_print_formula(&formula, stdout);
    }
    return is_table ? CLI_OK : print_ratio(e, &v, object, &message);
}

static int run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    cli_entry *entries = NULL;
    size_t count;
    int code = gt_cli_entries(args, &arena, &entries, &count);
    json_t *object = gt_cli_has(args, "json") ? json_object() : NULL;
    if (gt_cli_has(args, "json") && !object) code = gt_cli_failed("out of memory");
    if (!code) code = report(&entries[0], object);
    if (object && !code)
        code = gt_cli_json_print(object);
    else
        json_decref(object);
    gt_arena_free(&arena);
    return code;
}

const cli_command gt_cmd_coefficients = {
    .name = "coefficients",
    .title = "prints the numbers of a method, as fractions where they are fractions",
    .operands = "METHOD",
    .about =
        "Runge-Kutta methods: c, A, b and the weights of the comparison solution (in JSON: A b c bhat, A in full).\n"
        "Partitioned methods: the same for the slow and for the fast block (in JSON: slow{A b c bhat stages}, "
        "fast{..}).\n"
        "Multirate infinitesimal methods: c, and for each slow stage a row of gamma0 and gamma1 in\n"
        "    dx/dtheta = h sum_j (gamma0_j + gamma1_j theta) k_j,  0 <= theta <= 1\n"
        "with the row of the comparison solution, which replaces the last one (in JSON: c gamma0 gamma1 gamma0_hat "
        "gamma1_hat).\n"
        "Multistep formulas: a_0, a_1, .. and b_-1, b_0, .. of\n"
        "    x_(n+1) = sum a_i x_(n-i) + h sum b_i f_(n-i)        crow (5.8)\n"
        "and the constant C of the local error C h^(k+1) x^(k+1) (in JSON: a, b from b_-1 on, error_constant).\n"
        "What --json prints of these three is a method file: it can be changed, and is used as --method ./FILE.json.\n"
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
};
