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
} design;

static int read_steps(const cli_args *args, const char *flag, gt_arena *arena, int *steps, int room, int *count)
{
    double *list = NULL;
    size_t n = 0;
    int code = gt_cli_numbers(args, flag, arena, &list, &n);
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
    const char *name = gt_cli_text(args, "name");
    int code = read_steps(args, "a-steps", arena, d->a, GT_MAX_PAST, &d->steps.n_a);
    if (!code) code = read_steps(args, "b-steps", arena, d->b, GT_MAX_PAST + 1, &d->steps.n_b);
    if (!code) code = gt_cli_whole(args, "order", 1, 2 * GT_MAX_PAST, &order);
    if (!code) code = gt_design_check_out(args);
    if (code) return code;
    if (!order)
        return gt_cli_usage("design multistep needs --order, as in --order %d", d->steps.n_a + d->steps.n_b - 1);
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

static int print_json(const design *d, const char *out)
{
    json_t *object = json_object(), *roots = json_array();
    json_object_set_new(object, "name", json_string(d->label.name));
    json_object_set_new(object, "title", json_string(d->title));
    json_object_set_new(object, "order", json_integer(d->formula.order));
    gt_coefficients_set_formula(object, &d->formula);
    for (int i = 0; i < d->zero.count; i++) json_array_append_new(roots, gt_cli_json_numbers(d->zero.root[i], 2));
    json_object_set_new(object, "rho_roots", roots);
    json_object_set_new(object, "zero_stable", json_boolean(d->zero.stable));
    if (out) json_object_set_new(object, "file", json_string(out));
    return gt_cli_json_print(object);
}

static void print_text(const design *d, const char *out)
{
    printf("%s: %s\n", d->label.name, d->title);
    gt_coefficients_print_formula(&d->formula, stdout);
    printf("    roots of rho");
    for (int i = 0; i < d->zero.count; i++) {
        const double *w = d->zero.root[i];
        gt_fprintf(stdout, w[1] != 0 ? "  %.6g%+.6gi" : "  %.6g", w[0], w[1]);
    }
    printf("\n");
    gt_design_say_file(out);
}

int gt_design_multistep_run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    design d = {.formula = {0}};
    const char *out = gt_cli_text(args, "out");
    int code = make(args, &arena, &d);
    if (!code && !d.zero.stable)
        gt_cli_note("warning: the formula is not zero-stable and will not converge: %s", d.zero.why.text);
    if (!code && out) code = gt_cli_write_formula(out, &d.label, &d.formula);
    if (!code && gt_cli_has(args, "json"))
        code = print_json(&d, out);
    else if (!code && !(out && !strcmp(out, "-")))
        print_text(&d, out);
    gt_arena_free(&arena);
    return code;
}
