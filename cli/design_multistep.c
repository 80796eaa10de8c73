/* SPDX-License-Identifier: BSD-3-Clause */
/* design multistep. */
#include "design_parts.h"
#include <math.h>
#include <string.h>

typedef struct design {
    int a[GT_MAX_PAST], b[GT_MAX_PAST + 1];
    gt_steps steps;
    gt_multistep formula;
    gt_zero_stability zero;
    gt_method_label label;
    char title[160];
    const char *out;
} design;

static int read_steps(const cli_value *value, gt_arena *arena, int *steps, int room, int *count)
{
    double *list = NULL;
    size_t n = 0;
    const char *flag = value->flag->name;
    int code = gt_cli_numbers(value, arena, &list, &n);
    if (code) return code;
    if (!list) return gt_cli_usage("design multistep needs --%s, as in --%s 0,1", flag, flag);
    if (n > (size_t)room) return gt_cli_usage("--%s: there can be at most %d", flag, room);
    for (size_t i = 0; i < n; i++) {
        if (list[i] != rint(list[i]) || fabs(list[i]) > 99)
            return gt_cli_usage("--%s takes small whole numbers, not %g", flag, list[i]);
        steps[i] = (int)list[i];
    }
    *count = (int)n;
    return CLI_OK;
}

static int make(const cli_args *args, gt_arena *arena, design *d)
{
    gt_message message = {""};
    long order = 0;
    const char *name = gt_cli_text(&design_own(args)->name);
    int code = read_steps(&design_own(args)->a_steps, arena, d->a, GT_MAX_PAST, &d->steps.n_a);
    if (!code)
        code = read_steps(&design_own(args)->b_steps, arena, d->b, GT_MAX_PAST + 1, &d->steps.n_b);
    if (!code) code = gt_cli_whole(&design_own(args)->order, 1, 2 * GT_MAX_PAST, &order);
    if (!code) code = gt_design_check_out(args);
    if (code) return code;
    if (!order)
        return gt_cli_usage("design multistep needs --order, as in --order %d",
                            d->steps.n_a + d->steps.n_b - 1);
    d->steps.a = d->a;
    d->steps.b = d->b;
    gt_status status = gt_design_multistep(&d->steps, (int)order, &d->formula, &message);
    if (status) return gt_cli_complain(status, &message);
    status = gt_zero_stability_of(&d->formula, &d->zero);
    if (status) return gt_cli_failed("the roots of rho could not be found");
    snprintf(d->title, sizeof d->title, "linear multistep, %s, order %d%s",
             d->formula.b[0].num ? "implicit" : "explicit", d->formula.order,
             d->zero.stable ? "" : ", not zero-stable");
    d->label = (gt_method_label){.name = name ? name : "designed", .title = d->title};
    return CLI_OK;
}

static bool has_file(const void *data) { return ((const design *)data)->out != NULL; }

static const report_field fields[] = {
    REPORT_KEY("name", "of the method", REPORT_AT(design, label.name)),
    REPORT_KEY("title", "of the method", REPORT_AS(CHARS, design, title)),
    REPORT_KEY("order", "of the formula", REPORT_AT(design, formula.order)),
    REPORT_PART(gt_formula_fields, .offset = offsetof(design, formula)),
    REPORT_KEY("rho_roots", "of the first characteristic polynomial",
               REPORT_OWN_ARRAY(design, zero.root, zero.count), .entry = REPORT_PAIR),
    REPORT_KEY("zero_stable", "whether it converges", REPORT_AT(design, zero.stable)),
    REPORT_KEY("file", "that was written", REPORT_AT(design, out), .when = has_file),
    {.type = REPORT_END},
};

const cli_report gt_design_multistep_reports[] = {{.fields = fields}, {.fields = NULL}};

static void print_text(const design *d)
{
    printf("%s: %s\n", d->label.name, d->title);
    gt_coefficients_print_formula(&d->formula, stdout);
    printf("    roots of rho");
    for (int i = 0; i < d->zero.count; i++) {
        const double *w = d->zero.root[i];
        gt_fprintf(stdout, w[1] != 0 ? "  %.6g%+.6gi" : "  %.6g", w[0], w[1]);
    }
    printf("\n");
    gt_design_say_file(d->out);
}

static int write_formula(const design *d)
{
    gt_method_label full = d->label;
    full.order = d->formula.order;
    return gt_cli_write_method(d->out, "multistep", &full, gt_formula_fields, &d->formula);
}

int gt_design_multistep_run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    design d = {.out = gt_cli_text(&args->flags.out)};
    const char *out = d.out;
    int code = make(args, &arena, &d);
    if (!code && !d.zero.stable)
        gt_cli_warn("the formula is not zero-stable and will not converge: %s", d.zero.why.text);
    if (!code && out) code = write_formula(&d);
    if (!code && gt_cli_has(&args->flags.json))
        code = gt_report_print_json(fields, &d);
    else if (!code && !(out && !strcmp(out, "-")))
        print_text(&d);
    gt_arena_free(&arena);
    return code;
}
