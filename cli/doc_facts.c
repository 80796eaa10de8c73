/* SPDX-License-Identifier: BSD-3-Clause */
/* doc facts METHOD: order, work and stability of a method as a table. */
#include "doc_parts.h"
#include "needs.h"
#include "stability_report.h"
#include <math.h>
#include <string.h>

/* block: empty, or ", slow block" */
static void print_limit(const char *axis, const char *block, double limit, FILE *out)
{
    fprintf(out, "| stable on the %s axis%s | ", axis, block);
    if (isinf(limit))
        fputs("everywhere (unbounded) |\n", out);
    else if (limit > 0)
        gt_fprintf(out, "for \\|hλ\\| up to %.6g |\n", limit);
    else
        fputs("nowhere |\n", out);
}

static void print_stability(const gt_stability *f, const char *block, FILE *out)
{
    print_limit("negative real", block, f->real_limit, out);
    print_limit("imaginary", block, f->imag_limit, out);
    if (!isinf(f->real_limit)) return; /* then what follows is "no" */
    fprintf(out, "| A-stable | %s%s |\n", f->a_stable ? "yes" : "no",
            f->l_stable   ? ", and L-stable"
            : f->f_stable ? ", exactly the left half plane"
                          : "");
    if (!f->a_stable) gt_fprintf(out, "| A(θ)-stable | θ = %.4g° |\n", f->sector_deg);
    if (!isinf(f->r_infinity)) gt_fprintf(out, "| \\|R\\| at infinity | %.4g |\n", f->r_infinity);
}

static int print_of_entry(const cli_entry *entry, const char *block, FILE *out)
{
    gt_amplifier a;
    gt_stability facts;
    gt_message message = {""};
    if (gt_amplifier_open(&a, entry->method, entry->options, &message)) {
        fputs("| stable | no one region: see the text |\n", out);
        return CLI_OK;
    }
    if (!gt_stability_facts(&a, &facts)) print_stability(&facts, block, out);
    gt_amplifier_close(&a);
    return CLI_OK;
}

static void print_work(const gt_facts *facts, FILE *out)
{
    if (facts->evaluations)
        fprintf(out, "| work of a fixed step | %d evaluation%s of f |\n", facts->evaluations,
                facts->evaluations == 1 ? "" : "s");
    if (facts->slow_evaluations)
        fprintf(
            out,
            "| work of a fixed step | %d evaluation%s of the slow block, %d of the fast one |\n",
            facts->slow_evaluations, facts->slow_evaluations == 1 ? "" : "s",
            facts->fast_evaluations);
    char needs[160], treats[160];
    gt_cli_needs(facts, needs, sizeof needs);
    gt_cli_treats(facts, treats, sizeof treats);
    if (strcmp(needs, "-")) fprintf(out, "| needs | %s |\n", needs);
    if (strcmp(treats, "-")) fprintf(out, "| treats also | %s |\n", treats);
}

int gt_doc_facts(const gt_method *method, FILE *out)
{
    gt_values options = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, options.v);
    gt_arena arena = gt_arena_growing();
    char none[] = "", name[64];
    snprintf(name, sizeof name, "%s", method->name);
    cli_entry entry = {.method = method, .options = none, .label = name};
    stability_request q = {.entries = &entry, .count = 1};
    fprintf(out, "| fact | value |\n| --- | --- |\n| family | %s |\n| order | %d |\n",
            method->family, facts.order);
    if (facts.error_order)
        fprintf(out, "| error estimate | O(h^%d) in a step |\n", facts.error_order + 1);
    else
        fputs("| error estimate | none: fixed step only |\n", out);
    print_work(&facts, out);
    int code = gt_stability_split_pairs(&q, &arena);
    for (size_t i = 0; i < q.count && !code; i++) {
        code = print_of_entry(&q.entries[i],
                              q.count == 1 ? ""
                              : i          ? ", slow block"
                                           : ", fast block",
                              out);
    }
    gt_arena_free(&arena);
    return code;
}
