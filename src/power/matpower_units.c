/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a case file may compute: conversions of units, with which files of distribution systems end.
 *
 *     [PQ, PV, REF, ..] = idx_bus;                  names of columns, which are known anyway
 *     Vbase = mpc.bus(1, BASE_KV) * 1e3;            a number
 *     mpc.branch(:, [BR_R BR_X]) = mpc.branch(:, [BR_R BR_X]) / (Vbase^2 / Sbase);
 *     if fixed .. end                               passed over where the number is 0
 *
 * A formula has numbers, names, single entries, columns of the same table, + - * / ^, and functions
 * of one argument. A column times a column would be a product of matrices: refused, as all else is.
 */
#include "number/ascii.h"
#include "power/matpower.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 24, DEEPEST = 50 };

static const char *const bus_columns[] = {
    "BUS_I",   "BUS_TYPE", "PD",   "QD",   "GS",    "BS",    "BUS_AREA", "VM",      "VA",
    "BASE_KV", "ZONE",     "VMAX", "VMIN", "LAM_P", "LAM_Q", "MU_VMAX",  "MU_VMIN", NULL};
static const char *const branch_columns[] = {
    "F_BUS", "T_BUS", "BR_R",      "BR_X",      "BR_B",      "RATE_A", "RATE_B", "RATE_C",
    "TAP",   "SHIFT", "BR_STATUS", "ANGMIN",    "ANGMAX",    "PF",     "QF",     "PT",
    "QT",    "MU_SF", "MU_ST",     "MU_ANGMIN", "MU_ANGMAX", NULL};
static const char *const gen_columns[] = {"GEN_BUS", "PG",         "QG",   "QMAX", "QMIN", "VG",
                                          "MBASE",   "GEN_STATUS", "PMAX", "PMIN", NULL};

/* A formula that is being read, for one entry of the columns that it is assigned to. */
typedef struct formula {
    gt_matpower *r;
    const gt_table *table; /* whose columns are assigned; NULL: a number is */
    size_t row, place;     /* of the entry: row, and which of the columns, from 0 */
    size_t width;          /* how many columns */
    int depth;
    bool exponent; /* what is read stands behind ^ */
    bool wrong;
} formula;

typedef struct quantity {
    double value;
    bool column; /* one entry of a column */
} quantity;

typedef struct columns {
    size_t index[MOST_COLUMNS], count; /* from 1 */
} columns;

static void blanks(gt_matpower *r) { gt_matpower_skip(r, false); }

static bool take(gt_matpower *r, char c)
{
    blanks(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static size_t take_word(gt_matpower *r, const char **word)
{
    blanks(r);
    *word = r->at;
    size_t length = gt_matpower_word(r->at);
    r->at += length;
    return length;
}

static bool same(const char *word, size_t length, const char *other)
{
    return strlen(other) == length && !strncmp(word, other, length);
}

/* ---- columns ---- */

static gt_table *table_of(gt_matpower *r, const char *word, size_t length,
                          const char *const **names)
{
    if (same(word, length, "bus")) return *names = bus_columns, &r->bus;
    if (same(word, length, "gen")) return *names = gen_columns, &r->gen;
    if (same(word, length, "branch")) return *names = branch_columns, &r->branch;
    return NULL;
}

/* The number of a column by its name or itself; 0: it is neither. */
static size_t take_column(gt_matpower *r, const gt_table *t, const char *const *names)
{
    const char *word;
    double number;
    size_t length = take_word(r, &word), k = 0;
    if (!length) {
        const char *behind = gt_number_read(r->at, NULL, &number);
        bool whole = behind > r->at && number >= 1 && number <= (double)t->columns &&
                     number == floor(number);
        r->at = behind;
        return whole ? (size_t)number : 0;
    }
    while (names[k] && !same(word, length, names[k])) k++;
    return k < t->columns && names[k] ? k + 1 : 0;
}

/* NAME or [NAME, NAME] and the closing parenthesis. */
static bool take_columns(gt_matpower *r, const gt_table *t, const char *const *names, columns *out)
{
    *out = (columns){.count = 0};
    bool many = take(r, '[');
    do {
        size_t index = take_column(r, t, names);
        if (!index || out->count == MOST_COLUMNS) return false;
        out->index[out->count++] = index;
        if (many) take(r, ',');
    } while (many && !take(r, ']'));
    return take(r, ')');
}

/* ---- formulas ---- */

static quantity sum(formula *f);
static quantity power(formula *f);

static quantity refuse(formula *f)
{
    f->wrong = true;
    return (quantity){0, false};
}

/* mpc.baseMVA, mpc.bus(1, BASE_KV), mpc.bus(:, [PD, QD]); the name and its dot are read. */
static quantity field(formula *f)
{
    gt_matpower *r = f->r;
    const char *word, *const *names;
    double row;
    columns which;
    size_t length = take_word(r, &word);
    if (same(word, length, "baseMVA")) return r->has_mva ? (quantity){r->mva, false} : refuse(f);
    const gt_table *t = table_of(r, word, length, &names);
    if (!t || !take(r, '(')) return refuse(f);
    bool all = take(r, ':');
    if (!all) {
        blanks(r);
        const char *behind = gt_number_read(r->at, NULL, &row);
        if (behind == r->at || !(row >= 1 && row <= (double)t->rows) || row != floor(row))
            return refuse(f);
        r->at = behind;
    }
    if (!take(r, ',') || !take_columns(r, t, names, &which)) return refuse(f);
    if (!all && which.count != 1) return refuse(f);
    if (all && (t != f->table || which.count != f->width)) return refuse(f);
    size_t column = which.index[all ? f->place : 0];
    size_t at = all ? f->row : (size_t)row - 1;
    return (quantity){t->number[at * t->columns + column - 1], all};
}

static quantity named(formula *f)
{
    static const struct {
        const char *name;
        double (*value)(double);
    } functions[] = {{"sin", sin},   {"cos", cos},   {"tan", tan}, {"asin", asin}, {"acos", acos},
                     {"atan", atan}, {"sqrt", sqrt}, {"exp", exp}, {"log", log},   {"abs", fabs}};
    const char *word;
    size_t length = take_word(f->r, &word);
    if (same(word, length, f->r->owner) && *f->r->at == '.') {
        f->r->at++;
        return field(f);
    }
    for (size_t k = 0; k < f->r->n_units; k++)
        if (same(word, length, f->r->units[k].name)) return (quantity){f->r->units[k].value, false};
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        if (!same(word, length, functions[k].name)) continue;
        if (!take(f->r, '(')) return refuse(f);
        quantity q = sum(f);
        if (!take(f->r, ')')) return refuse(f);
        return (quantity){functions[k].value(q.value), q.column};
    }
    if (same(word, length, "pi")) return (quantity){GT_PI, false};
    return refuse(f);
}

static quantity primary(formula *f)
{
    quantity q;
    if (++f->depth > DEEPEST) return refuse(f);
    if (take(f->r, '(')) {
        bool outer = f->exponent;
        f->exponent = false;
        q = sum(f);
        f->exponent = outer;
        if (!take(f->r, ')')) q = refuse(f);
    } else if (take(f->r, '-')) {
        q = f->exponent ? primary(f) : power(f); /* -2^2 is -4, 2^-1^2 is (2^-1)^2 */
        q.value = -q.value;
    } else if (gt_matpower_word(f->r->at)) {
        q = named(f);
    } else {
        q.column = false;
        const char *behind = gt_number_read(f->r->at, NULL, &q.value);
        if (behind == f->r->at) q = refuse(f);
        f->r->at = behind;
    }
    f->depth--;
    return q;
}

/* The operator that comes next, one of `which`, with a point before it or none; 0: none. */
static char take_operator(formula *f, const char *which, bool *each)
{
    blanks(f->r);
    const char *at = f->r->at;
    *each = *at == '.' && at[1] && strchr("*/^", at[1]);
    char c = at[*each];
    if (!c || !strchr(which, c)) return 0;
    f->r->at += 1 + *each;
    return c;
}

static quantity power(formula *f)
{
    bool each;
    quantity q = primary(f);
    while (take_operator(f, "^", &each)) {
        bool outer = f->exponent;
        f->exponent = true;
        quantity by = primary(f);
        f->exponent = outer;
        if (!each && (q.column || by.column)) return refuse(f);
        q = (quantity){pow(q.value, by.value), q.column || by.column};
    }
    return q;
}

static quantity product(formula *f)
{
    bool each;
    quantity q = power(f);
    for (char c; (c = take_operator(f, "*/", &each)) != 0;) {
        quantity by = power(f);
        if (!each && by.column && (q.column || c == '/')) return refuse(f);
        q = (quantity){c == '*' ? q.value * by.value : q.value / by.value, q.column || by.column};
    }
    return q;
}

static quantity sum(formula *f)
{
    bool each;
    quantity q = product(f);
    for (char c; (c = take_operator(f, "+-", &each)) != 0;) {
        quantity by = product(f);
        q = (quantity){c == '+' ? q.value + by.value : q.value - by.value, q.column || by.column};
    }
    return q;
}

/* The end of a statement. */
static bool at_end(gt_matpower *r)
{
    blanks(r);
    return !*r->at || strchr(";\r\n", *r->at);
}

/* ---- statements ---- */

static gt_status not_evaluated(const gt_matpower *r, const char *from, int line)
{
    char text[480];
    size_t shown = strcspn(from, "\r\n");
    snprintf(text, sizeof text,
             "'%.*s' is code, which is not evaluated; read are assignments %s.NAME = value, and "
             "conversions of units as %s.bus(:, PD) = %s.bus(:, PD) / 1e3",
             (int)(shown < 50 ? shown : 50), from, r->owner, r->owner, r->owner);
    return gt_matpower_wrong(r, line, text);
}

/* [A, B, ..] = idx_bus: only such names, which are columns here in any case. */
static bool index_names(gt_matpower *r)
{
    const char *word;
    if (!take(r, '[')) return false;
    while (!take(r, ']')) {
        if (!take_word(r, &word)) return false;
        take(r, ',');
    }
    if (!take(r, '=')) return false;
    size_t length = take_word(r, &word);
    return (same(word, length, "idx_bus") || same(word, length, "idx_brch") ||
            same(word, length, "idx_gen")) &&
           at_end(r);
}

static bool assign_columns(gt_matpower *r)
{
    const char *word, *const *names;
    columns which;
    size_t length = take_word(r, &word);
    gt_table *t = table_of(r, word, length, &names);
    if (!t || !take(r, '(') || !take(r, ':') || !take(r, ',')) return false;
    if (!take_columns(r, t, names, &which) || !take(r, '=')) return false;
    const char *from = r->at;
    int line = r->line;
    double *made = gt_arena_doubles(r->arena, t->rows * which.count + 1);
    if (!made) return false;
    formula f = {.r = r, .table = t, .width = which.count};
    for (f.row = 0; f.row < t->rows && !f.wrong; f.row++)
        for (f.place = 0; f.place < which.count && !f.wrong; f.place++) {
            r->at = from;
            r->line = line;
            quantity q = sum(&f);
            f.wrong = f.wrong || !at_end(r);
            made[f.row * which.count + f.place] = q.value;
        }
    if (f.wrong || !t->rows) return false;
    for (size_t i = 0; i < t->rows; i++)
        for (size_t k = 0; k < which.count; k++)
            t->number[i * t->columns + which.index[k] - 1] = made[i * which.count + k];
    return true;
}

/* Whether the name is that of a column, which no file may give another meaning. */
static bool is_column(const char *word, size_t length)
{
    const char *const *lists[] = {bus_columns, branch_columns, gen_columns};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const char *const *name = lists[i]; *name; name++)
            if (same(word, length, *name)) return true;
    return false;
}

static bool assign_number(gt_matpower *r)
{
    const char *word;
    size_t length = take_word(r, &word), k = 0;
    if (is_column(word, length)) return false;
    if (!length || length >= sizeof r->units->name || !take(r, '=') || *r->at == '=') return false;
    formula f = {.r = r};
    quantity q = sum(&f);
    if (f.wrong || q.column || !at_end(r)) return false;
    while (k < r->n_units && !same(word, length, r->units[k].name)) k++;
    if (k == GT_MATPOWER_UNITS) return false;
    if (k == r->n_units) r->n_units++;
    memcpy(r->units[k].name, word, length);
    r->units[k].name[length] = '\0';
    r->units[k].value = q.value;
    return true;
}

/* if NAME .. end, where the number is 0. */
static bool pass_over(gt_matpower *r)
{
    const char *word;
    formula f = {.r = r};
    quantity q = sum(&f);
    if (f.wrong || q.value != 0 || !at_end(r)) return false;
    for (int depth = 1; depth;) {
        while (*r->at && *r->at != '\n' && *r->at != ';') r->at++;
        if (!*r->at) return false;
        r->at += *r->at == ';';
        gt_matpower_skip(r, true);
        size_t length = take_word(r, &word);
        if (same(word, length, "end") || same(word, length, "endif")) depth--;
        if (same(word, length, "if") || same(word, length, "for") || same(word, length, "while"))
            depth++;
        if (same(word, length, "else") || same(word, length, "elseif")) return false;
    }
    return true;
}

bool gt_matpower_formula(const gt_matpower *r, const char *text, size_t length, double *value)
{
    char copy[80];
    if (length >= sizeof copy) return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    gt_matpower alone = *r;
    alone.at = copy;
    formula f = {.r = &alone};
    *value = sum(&f).value;
    return !f.wrong && !*alone.at;
}

gt_status gt_matpower_convert(gt_matpower *r)
{
    const char *from = r->at, *word;
    int line = r->line;
    bool read = index_names(r);
    if (read) return GT_OK;
    r->at = from;
    r->line = line;
    size_t length = take_word(r, &word);
    if (same(word, length, "if")) {
        read = pass_over(r);
    } else if (same(word, length, r->owner) && *r->at == '.') {
        r->at++;
        read = assign_columns(r);
    } else {
        r->at = from;
        read = assign_number(r);
    }
    return read ? GT_OK : not_evaluated(r, from, line);
}
