/* SPDX-License-Identifier: BSD-3-Clause */
#include "coefficients.h"
#include <string.h>

enum { ROOM = 48, WIDTH = 80 };

static bool has_comparison(const gt_tableau *tableau)
{
    for (int i = 0; i < tableau->stages; i++)
        if (tableau->b_hat[i].num) return true;
    return false;
}

/* ---- fields ---- */

static bool compares(const void *data) { return has_comparison(data); }

static bool each_row(const void *data, size_t i, report_value *out)
{
    (void)out;
    return i < (size_t)((const gt_tableau *)data)->stages;
}

static bool each_element(const void *data, size_t j, report_value *out)
{
    const report_item *row = data;
    const gt_tableau *T = row->of;
    if (j >= (size_t)T->stages) return false;
    out->ratio = T->a[row->i][j];
    return true;
}

static const report_field row_of_A = {
    .type = REPORT_LIST, .each = each_element, .entry = REPORT_RATIO};

const report_field gt_tableau_fields[] = {
    REPORT_KEY("A", "s rows of s numbers", .type = REPORT_LIST, .each = each_row,
               .list = &row_of_A),
    REPORT_KEY("b", "weights", REPORT_OWN_ARRAY(gt_tableau, b, stages), .entry = REPORT_RATIO),
    REPORT_KEY("c", "nodes", REPORT_OWN_ARRAY(gt_tableau, c, stages), .entry = REPORT_RATIO),
    REPORT_KEY("bhat", "weights of the comparison solution",
               REPORT_OWN_ARRAY(gt_tableau, b_hat, stages), .entry = REPORT_RATIO,
               .when = compares),
    {.type = REPORT_END},
};

/* b has one more than steps. */
static bool each_b(const void *data, size_t i, report_value *out)
{
    const gt_multistep *formula = data;
    if (i > (size_t)formula->steps) return false;
    out->ratio = formula->b[i];
    return true;
}

const report_field gt_formula_fields[] = {
    REPORT_KEY("a", "a_0, a_1, ..", REPORT_OWN_ARRAY(gt_multistep, a, steps),
               .entry = REPORT_RATIO),
    REPORT_KEY("b", "b_-1, b_0, ..", .type = REPORT_LIST, .each = each_b, .entry = REPORT_RATIO),
    REPORT_KEY("error_constant", "C of the local error C h^(k+1) x^(k+1)",
               REPORT_AT(gt_multistep, error)),
    {.type = REPORT_END},
};

/* ---- a block of a pair: item 0 slow, 1 fast ---- */

static const gt_tableau *block_of(const void *data)
{
    const report_item *item = data;
    const gt_partitioned *pair = item->of;
    return item->i ? &pair->fast : &pair->slow;
}

static void get_block(const void *data, report_value *out) { out->data = block_of(data); }

static bool each_stage(const void *data, size_t i, report_value *out)
{
    int list[GT_MAX_STAGES], count = gt_tableau_stages(block_of(data), list);
    if (i >= (size_t)count) return false;
    out->integer = list[i] + 1;
    return true;
}

static bool has_end(const void *data)
{
    const gt_partitioned *pair = ((const report_item *)data)->of;
    return pair->slow_end.num || pair->fast_end.num;
}

static void get_end(const void *data, report_value *out)
{
    const report_item *item = data;
    const gt_partitioned *pair = item->of;
    out->ratio = item->i ? pair->fast_end : pair->slow_end;
}

static const report_field block_fields[] = {
    REPORT_PART(gt_tableau_fields, .get = get_block),
    REPORT_KEY("stages", "at which the block is evaluated", .type = REPORT_LIST, .each = each_stage,
               .entry = REPORT_LONG),
    REPORT_KEY("bhat_end", "weight of the slope at the end in the comparison solution",
               .type = REPORT_RATIO, .get = get_end, .when = has_end),
    {.type = REPORT_END},
};

static void get_slow(const void *data, report_value *out)
{
    out->item = (report_item){.of = data};
    out->data = &out->item;
}

static void get_fast(const void *data, report_value *out)
{
    out->item = (report_item){.of = data, .i = 1};
    out->data = &out->item;
}

const report_field gt_partitioned_fields[] = {
    REPORT_KEY("slow", "the slow block", .type = REPORT_OBJECT, .get = get_slow,
               .of = block_fields),
    REPORT_KEY("fast", "the fast block", .type = REPORT_OBJECT, .get = get_fast,
               .of = block_fields),
    {.type = REPORT_END},
};

/* ---- multirate infinitesimal ---- */

static bool each_slow_stage(const void *data, size_t i, report_value *out)
{
    (void)out;
    return i < (size_t)((const gt_infinitesimal *)data)->stages;
}

/* Row `row` of gamma0 or gamma1. */
static bool put_gamma(const gt_infinitesimal *table, const gt_ratio row[], size_t j,
                      report_value *out)
{
    if (j >= (size_t)table->stages) return false;
    out->ratio = row[j];
    return true;
}

static bool each_gamma0(const void *data, size_t j, report_value *out)
{
    const report_item *row = data;
    const gt_infinitesimal *table = row->of;
    return put_gamma(table, table->gamma0[row->i], j, out);
}

static bool each_gamma1(const void *data, size_t j, report_value *out)
{
    const report_item *row = data;
    const gt_infinitesimal *table = row->of;
    return put_gamma(table, table->gamma1[row->i], j, out);
}

static bool each_gamma0_hat(const void *data, size_t j, report_value *out)
{
    const gt_infinitesimal *table = data;
    return put_gamma(table, table->gamma0[table->stages], j, out);
}

static bool each_gamma1_hat(const void *data, size_t j, report_value *out)
{
    const gt_infinitesimal *table = data;
    return put_gamma(table, table->gamma1[table->stages], j, out);
}

static bool each_c(const void *data, size_t i, report_value *out)
{
    const gt_infinitesimal *table = data;
    if (i > (size_t)table->stages) return false;
    out->ratio = table->c[i];
    return true;
}

static const report_field row_of_gamma0 = {
    .type = REPORT_LIST, .each = each_gamma0, .entry = REPORT_RATIO};
static const report_field row_of_gamma1 = {
    .type = REPORT_LIST, .each = each_gamma1, .entry = REPORT_RATIO};

const report_field gt_infinitesimal_fields[] = {
    REPORT_KEY("c", "nodes of the slow stages", .type = REPORT_LIST, .each = each_c,
               .entry = REPORT_RATIO),
    REPORT_KEY("gamma0", "a row for each slow stage", .type = REPORT_LIST, .each = each_slow_stage,
               .list = &row_of_gamma0),
    REPORT_KEY("gamma1", "what is multiplied by theta", .type = REPORT_LIST,
               .each = each_slow_stage, .list = &row_of_gamma1),
    REPORT_KEY("gamma0_hat", "the last row of the comparison solution", .type = REPORT_LIST,
               .each = each_gamma0_hat, .entry = REPORT_RATIO),
    REPORT_KEY("gamma1_hat", "the same of gamma1", .type = REPORT_LIST, .each = each_gamma1_hat,
               .entry = REPORT_RATIO),
    {.type = REPORT_END},
};

/* ---- text ---- */

static int printed_width(gt_ratio r)
{
    char text[ROOM];
    gt_ratio_print(r, text, sizeof text);
    return (int)strlen(text);
}

/* Widths of the columns: of c, then of the stages; all that is printed fits. */
static void find_widths(const gt_tableau *T, int width[1 + GT_MAX_STAGES])
{
    for (int k = 0; k <= T->stages; k++) width[k] = 1;
    for (int i = 0; i < T->stages; i++) {
        int used = printed_width(T->c[i]);
        if (used > width[0]) width[0] = used;
        for (int j = 0; j < T->stages + 2; j++) {
            int k = j < T->stages ? j : i;
            used = printed_width(j < T->stages    ? T->a[i][j]
                                 : j == T->stages ? T->b[i]
                                                  : T->b_hat[i]);
            if (used > width[1 + k]) width[1 + k] = used;
        }
    }
}

/* The rest of a line that has come to the bar in column `bar`; what is beyond WIDTH goes on below.
 */
static void print_row(const gt_ratio *row, int count, const int *width, int bar, FILE *out)
{
    char text[ROOM];
    int at = bar;
    fputs(" |", out);
    for (int j = 0; j < count; j++) {
        if (at > bar && at + 1 + width[j] > WIDTH) {
            fprintf(out, "\n%*s", bar, "|");
            at = bar;
        }
        gt_ratio_print(row[j], text, sizeof text);
        fprintf(out, " %*s", width[j], text);
        at += 1 + width[j];
    }
    fputc('\n', out);
}

void gt_coefficients_print_tableau(const gt_tableau *tableau, FILE *out)
{
    int width[1 + GT_MAX_STAGES] = {0}, stages = tableau->stages, total = 2;
    bool implicit = false;
    find_widths(tableau, width);
    for (int k = 0; k <= stages; k++) total += width[k] + 1;
    int indent = total + 4 <= WIDTH ? 4 : total < WIDTH ? WIDTH - total : 0;
    for (int i = 0; i < stages; i++)
        for (int j = i; j < stages; j++) implicit = implicit || tableau->a[i][j].num;
    const int blanks = indent + 1 + width[0], bar = blanks + 2;
    char text[ROOM];
    for (int i = 0; i < stages; i++) {
        gt_ratio_print(tableau->c[i], text, sizeof text);
        fprintf(out, "%*s", blanks, text);
        print_row(tableau->a[i], implicit ? stages : i, width + 1, bar, out);
    }
    fprintf(out, "%*s", indent, "");
    for (int k = 0; k < total && k < WIDTH; k++) fputc(k == width[0] + 2 ? '+' : '-', out);
    fprintf(out, "\n%*s", blanks, "");
    print_row(tableau->b, stages, width + 1, bar, out);
    if (!has_comparison(tableau)) return;
    fprintf(out, "%*s", blanks, "");
    print_row(tableau->b_hat, stages, width + 1, bar, out);
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
static void say_term(gt_ratio r, char letter, int back, bool *first, report_text *out)
{
    char text[ROOM];
    if (!r.num) return;
    gt_ratio_print(r, text, sizeof text);
    bool minus = text[0] == '-';
    const char *number = minus ? text + 1 : text;
    const char *alone = minus ? "-" : "", *between = minus ? " - " : " + ";
    gt_report_say(out, "%s", *first ? alone : between);
    if (strcmp(number, "1")) gt_report_say(out, "%s ", number);
    gt_report_say(out, back < 0 ? "%c_(n+1)" : back ? "%c_(n-%d)" : "%c_n", letter, back);
    *first = false;
}

/* The end of the term that begins here, with the sign before it. */
static const char *term_end(const char *text)
{
    text += strspn(text, " +-");
    while (*text && strncmp(text, " + ", 3) && strncmp(text, " - ", 3)) text++;
    return text;
}

/* From column `start` on; a term that would pass WIDTH goes below the first one. */
static void print_sum(const char *text, size_t start, FILE *out)
{
    for (size_t at = start; *text;) {
        const char *end = term_end(text);
        if (at > start && at + (size_t)(end - text) >= WIDTH) {
            fprintf(out, "\n%*s", (int)start, "");
            at = start;
            text += strspn(text, " ");
        }
        fprintf(out, "%.*s", (int)(end - text), text);
        at += (size_t)(end - text);
        text = end;
    }
}

void gt_coefficients_print_formula(const gt_multistep *formula, FILE *out)
{
    report_text points = {.used = 0}, slopes = {.used = 0};
    const char *head = "    x_(n+1) = ";
    char text[ROOM];
    bool first = true;
    for (int i = 0; i < formula->steps; i++) say_term(formula->a[i], 'x', i, &first, &points);
    first = true;
    for (int i = -1; i < formula->steps; i++) say_term(formula->b[i + 1], 'f', i, &first, &slopes);
    /* With more the slopes are in a line of their own. */
    bool fits = strlen(head) + points.used + slopes.used + strlen(" + h ()") <= WIDTH;
    fputs(head, out);
    print_sum(points.text, strlen(head), out);
    fputs(fits ? " + h (" : "\n              + h (", out);
    print_sum(slopes.text, fits ? 0 : strlen("              + h ("), out);
    fputs(")\n", out);
    gt_ratio_print(formula->error, text, sizeof text);
    fprintf(out, "    local error  %s h^%d x^(%d)\n", text, formula->order + 1, formula->order + 1);
}

static void print_gamma(const char *name, const gt_ratio gamma[][GT_MAX_SLOW_STAGES],
                        const gt_infinitesimal *table, FILE *out)
{
    char text[ROOM];
    int stages = table->stages, widths[GT_MAX_SLOW_STAGES] = {0};
    for (int i = 0; i <= stages; i++)
        for (int j = 0; j < stages; j++)
            if (printed_width(gamma[i][j]) > widths[j]) widths[j] = printed_width(gamma[i][j]);
    fprintf(out, "%s, on the way to c; last: the comparison\n", name);
    for (int i = 0; i <= stages; i++) {
        gt_ratio_print(table->c[i < stages ? i + 1 : stages], text, sizeof text);
        fprintf(out, "    %5s", text);
        print_row(gamma[i], i < stages ? i + 1 : stages, widths, 11, out);
    }
}

void gt_coefficients_print_infinitesimal(const gt_infinitesimal *table, FILE *out)
{
    print_gamma("gamma0", table->gamma0, table, out);
    print_gamma("gamma1", table->gamma1, table, out);
}
