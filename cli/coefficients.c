/* SPDX-License-Identifier: BSD-3-Clause */
#include "coefficients.h"
#include <string.h>

enum { ROOM = 48 };

json_t *gt_coefficients_ratio(gt_ratio r)
{
    char text[ROOM];
    if (gt_ratio_is_rounded(r)) return json_real(gt_ratio_value(r));
    gt_ratio_print(r, text, sizeof text);
    return json_string(text);
}

static json_t *ratios(const gt_ratio *list, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(array, gt_coefficients_ratio(list[i]));
    return array;
}

static bool has_comparison(const gt_tableau *tableau)
{
    for (int i = 0; i < tableau->stages; i++)
        if (tableau->b_hat[i].num) return true;
    return false;
}

void gt_coefficients_set_tableau(json_t *object, const gt_tableau *tableau)
{
    json_t *rows = json_array();
    for (int i = 0; i < tableau->stages; i++) json_array_append_new(rows, ratios(tableau->a[i], tableau->stages));
    json_object_set_new(object, "A", rows);
    json_object_set_new(object, "b", ratios(tableau->b, tableau->stages));
    json_object_set_new(object, "c", ratios(tableau->c, tableau->stages));
    if (has_comparison(tableau)) json_object_set_new(object, "bhat", ratios(tableau->b_hat, tableau->stages));
}

void gt_coefficients_set_formula(json_t *object, const gt_multistep *formula)
{
    json_object_set_new(object, "a", ratios(formula->a, formula->steps));
    json_object_set_new(object, "b", ratios(formula->b, formula->steps + 1));
    json_object_set_new(object, "error_constant", gt_coefficients_ratio(formula->error));
}

static int printed_width(gt_ratio r)
{
    char text[ROOM];
    gt_ratio_print(r, text, sizeof text);
    return (int)strlen(text);
}

static int widest(const gt_tableau *T)
{
    int width = 1;
    for (int i = 0; i < T->stages; i++) {
        const gt_ratio more[] = {T->c[i], T->b[i], T->b_hat[i]};
        for (int j = 0; j < T->stages + 3; j++) {
            int used = printed_width(j < T->stages ? T->a[i][j] : more[j - T->stages]);
            if (used > width) width = used;
        }
    }
    return width;
}

static void print_row(const gt_ratio *row, int count, int width, FILE *out)
{
    char text[ROOM];
    for (int j = 0; j < count; j++) {
        gt_ratio_print(row[j], text, sizeof text);
        fprintf(out, " %*s", width, text);
    }
}

static void print_weights(const gt_ratio *weights, int stages, int width, FILE *out)
{
    fprintf(out, "    %*s |", width + 1, "");
    print_row(weights, stages, width, out);
    fputc('\n', out);
}

void gt_coefficients_print_tableau(const gt_tableau *tableau, FILE *out)
{
    int width = widest(tableau), stages = tableau->stages;
    bool implicit = false;
    for (int i = 0; i < stages; i++)
        for (int j = i; j < stages; j++) implicit = implicit || tableau->a[i][j].num;
    for (int i = 0; i < stages; i++) {
        fprintf(out, "    ");
        print_row(&tableau->c[i], 1, width, out);
        fprintf(out, " |");
        print_row(tableau->a[i], implicit ? stages : i, width, out);
        fputc('\n', out);
    }
    fprintf(out, "    ");
    for (int k = 0; k < (width + 1) * (stages + 1) + 2; k++) fputc(k == width + 2 ? '+' : '-', out);
    fputc('\n', out);
    print_weights(tableau->b, stages, width, out);
    if (has_comparison(tableau)) print_weights(tableau->b_hat, stages, width, out);
}

void gt_coefficients_set_partitioned(json_t *object, const gt_partitioned *pair)
{
    static const char *const names[] = {"slow", "fast"};
    for (int i = 0; i < 2; i++) {
        json_t *block = json_object(), *stages = json_array();
        const gt_tableau *T = i ? &pair->fast : &pair->slow;
        int list[GT_MAX_STAGES], count = gt_tableau_stages(T, list);
        for (int k = 0; k < count; k++) json_array_append_new(stages, json_integer(list[k] + 1));
        gt_coefficients_set_tableau(block, T);
        json_object_set_new(block, "stages", stages);
        if (pair->slow_end.num || pair->fast_end.num)
            json_object_set_new(block, "bhat_end", gt_coefficients_ratio(i ? pair->fast_end : pair->slow_end));
        json_object_set_new(object, names[i], block);
    }
}

void gt_coefficients_print_partitioned(const gt_partitioned *pair, FILE *out)
{
    char text[ROOM];
    for (int i = 0; i < 2; i++) {
        const gt_tableau *T = i ? &pair->fast : &pair->slow;
        gt_ratio end = i ? pair->fast_end : pair->slow_end;
        int list[GT_MAX_STAGES], count = gt_tableau_stages(T, list);
        fprintf(out, "%s block, evaluated at stage%s", i ? "fast" : "slow", count == 1 ? "" : "s");
        for (int k = 0; k < count; k++) fprintf(out, " %d", list[k] + 1);
        fputc('\n', out);
        gt_coefficients_print_tableau(T, out);
        if (!end.num) continue;
        gt_ratio_print(end, text, sizeof text);
        fprintf(out, "    the comparison solution adds %s of the slope at the end\n", text);
    }
}

/* " - 36/25 x_(n-1)"; the first term has no blanks about its sign. */
static void print_term(gt_ratio r, char letter, int back, bool *first, FILE *out)
{
    char text[ROOM];
    if (!r.num) return;
    gt_ratio_print(r, text, sizeof text);
    bool minus = text[0] == '-';
    const char *number = minus ? text + 1 : text;
    fprintf(out, "%s", *first ? minus ? "-" : "" : minus ? " - " : " + ");
    if (strcmp(number, "1")) fprintf(out, "%s ", number);
    fprintf(out, back < 0 ? "%c_(n+1)" : back ? "%c_(n-%d)" : "%c_n", letter, back);
    *first = false;
}

void gt_coefficients_print_formula(const gt_multistep *formula, FILE *out)
{
    char text[ROOM];
    bool first = true;
    fprintf(out, "    x_(n+1) = ");
    for (int i = 0; i < formula->steps; i++) print_term(formula->a[i], 'x', i, &first, out);
    fprintf(out, " + h (");
    first = true;
    for (int i = -1; i < formula->steps; i++) print_term(formula->b[i + 1], 'f', i, &first, out);
    gt_ratio_print(formula->error, text, sizeof text);
    fprintf(out, ")\n    local error  %s h^%d x^(%d)\n", text, formula->order + 1, formula->order + 1);
}

void gt_coefficients_set_infinitesimal(json_t *object, const gt_infinitesimal *table)
{
    int stages = table->stages;
    json_t *gamma0 = json_array(), *gamma1 = json_array();
    for (int i = 0; i < stages; i++) {
        json_array_append_new(gamma0, ratios(table->gamma0[i], stages));
        json_array_append_new(gamma1, ratios(table->gamma1[i], stages));
    }
    json_object_set_new(object, "c", ratios(table->c, stages + 1));
    json_object_set_new(object, "gamma0", gamma0);
    json_object_set_new(object, "gamma1", gamma1);
    json_object_set_new(object, "gamma0_hat", ratios(table->gamma0[stages], stages));
    json_object_set_new(object, "gamma1_hat", ratios(table->gamma1[stages], stages));
}

static void print_gamma(const char *name, const gt_ratio gamma[][GT_MAX_SLOW_STAGES], const gt_infinitesimal *table,
                        FILE *out)
{
    char text[ROOM];
    int stages = table->stages, width = 1;
    for (int i = 0; i <= stages; i++)
        for (int j = 0; j < stages; j++)
            if (printed_width(gamma[i][j]) > width) width = printed_width(gamma[i][j]);
    fprintf(out, "%s, on the way to c; last: the comparison\n", name);
    for (int i = 0; i <= stages; i++) {
        gt_ratio_print(table->c[i < stages ? i + 1 : stages], text, sizeof text);
        fprintf(out, "    %5s |", text);
        print_row(gamma[i], i < stages ? i + 1 : stages, width, out);
        fputc('\n', out);
    }
}

void gt_coefficients_print_infinitesimal(const gt_infinitesimal *table, FILE *out)
{
    print_gamma("gamma0", table->gamma0, table, out);
    print_gamma("gamma1", table->gamma1, table, out);
}
