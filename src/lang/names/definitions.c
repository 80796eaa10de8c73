/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names. All of them share one space: states, parameters, named expressions, functions, tables, and
 * what the language defines itself. An array x[1..n] is one definition, the family with base x; its
 * member x17 is found by the name "x17" as well, since an index is nothing but text appended to a
 * name.
 */
#include "lang/names/names.h"
#include "lang/operations/builtin.h"
#include <stdlib.h>
#include <string.h>

static const char *const kind_words[] = {"nothing",
                                         "a state",
                                         "an unknown of solv",
                                         "a named expression",
                                         "a derived parameter",
                                         "a parameter",
                                         "a constant",
                                         "a function",
                                         "a table"};

static _Noreturn void defined_twice(ode_names *names, const ode_definition *d, int32_t at,
                                    const char *name)
{
    int line, column;
    gt_lang_place(names->parsed->source, names->parsed->statements[d->statement].at, &line,
                  &column);
    if (d->kind == K_STATE)
        gt_lang_error(names->work, at, "%s already has an equation in line %d", name, line);
    gt_lang_error(names->work, at, "%s is defined twice: in line %d it is %s", name, line,
                  kind_words[d->kind]);
}

static _Noreturn void refuse_builtin(ode_names *names, const ode_statement *s)
{
    const ode_symbol *symbol = &names->parsed->symbols[s->symbol];
    char written = names->parsed->source->text[s->at];
    if (gt_lang_builtins[symbol->builtin].kind == B_TIME && written == 'T')
        gt_lang_error(names->work, s->at,
                      "T is the time: case does not matter, T is t; choose another name");
    gt_lang_error(names->work, s->at,
                  "%s has a meaning in the language and cannot be redefined; choose another name",
                  symbol->text);
}

int32_t gt_lang_define(ode_names *names, ode_kind kind, int32_t statement)
{
    const ode_statement *s = &names->parsed->statements[statement];
    const ode_symbol *symbol = &names->parsed->symbols[s->symbol];
    if (s->ranged && s->lo + s->shift < 0)
        gt_lang_error(names->work, s->at,
                      "the elements of an array begin at 0 or above: %s%d is not a name",
                      symbol->text, (int)(s->lo + s->shift));
    if (!s->ranged) {
        int32_t *single = &names->bindings[s->symbol].single;
        if (symbol->builtin >= 0) refuse_builtin(names, s);
        if (*single >= 0)
            defined_twice(names, &names->definitions[*single], s->at, symbol->display);
        *single = names->n_definitions;
    }
    ode_definition *d = ODE_PUSH(names, definitions, ODE_MAX_SYNTAX, "definitions");
    *d = (ode_definition){.kind = kind,
                          .symbol = s->symbol,
                          .statement = statement,
                          .family = s->ranged,
                          .lo = s->ranged ? s->lo + s->shift : 0,
                          .hi = s->ranged ? s->hi + s->shift : 0,
                          .position = -1};
    return names->n_definitions - 1;
}

/* ---- families, once all definitions are known ---- */

typedef struct order_entry {
    int32_t symbol, lo, definition;
} order_entry;

static int by_base(const void *a, const void *b)
{
    const order_entry *p = a, *q = b;
    if (p->symbol != q->symbol) return p->symbol < q->symbol ? -1 : 1;
    if (p->lo != q->lo) return p->lo < q->lo ? -1 : 1;
    return (p->definition > q->definition) - (p->definition < q->definition);
}

int32_t gt_lang_find_family(const ode_names *names, int32_t base, int64_t lo, int64_t hi)
{
    const ode_binding *s = &names->bindings[base];
    int32_t low = s->first_family, high = s->first_family + s->n_families;
    while (low < high) { /* the last one that begins at or before lo */
        int32_t middle = low + (high - low) / 2;
        if (names->definitions[names->families[middle]].lo <= lo)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == s->first_family) return -1;
    int32_t found = names->families[low - 1];
    return names->definitions[found].hi >= hi ? found : -1;
}

/* The member of a family that has this name: all ways to see the name as text and index. */
static int32_t find_split(const ode_names *names, int32_t symbol, int32_t *element)
{
    const char *text = names->parsed->symbols[symbol].text;
    size_t length = strlen(text);
    size_t start = length;
    while (start > 0 && text[start - 1] >= '0' && text[start - 1] <= '9' && length - start < 9)
        start--;
    for (size_t k = start; k < length && k > 0; k++) {
        if (k == 0 || (text[k] == '0' && k + 1 < length))
            continue; /* an index has no leading zeros */
        int32_t base = gt_lang_find_symbol(names->parsed, text, k);
        if (base < 0) continue;
        int32_t index = (int32_t)strtol(text + k, NULL, 10);
        int32_t found = gt_lang_find_family(names, base, index, index);
        if (found >= 0) {
            *element = index;
            return found;
        }
    }
    return -1;
}

static void check_single(ode_names *names, int32_t definition)
{
    const ode_definition *d = &names->definitions[definition];
    int32_t element;
    int32_t other = find_split(names, d->symbol, &element);
    if (other >= 0)
        defined_twice(names, &names->definitions[other], names->parsed->statements[d->statement].at,
                      names->parsed->symbols[d->symbol].display);
}

void gt_lang_sort_families(ode_names *names)
{
    int32_t count = 0;
    for (int32_t i = 0; i < names->n_definitions; i++) count += names->definitions[i].family;
    order_entry *entries = gt_lang_take(names->work, (size_t)count + 1, sizeof *entries);
    names->families = gt_lang_take(names->work, (size_t)count + 1, sizeof *names->families);
    for (int32_t i = 0, k = 0; i < names->n_definitions; i++) {
        const ode_definition *d = &names->definitions[i];
        if (d->family)
            entries[k++] = (order_entry){.symbol = d->symbol, .lo = d->lo, .definition = i};
    }
    if (count) qsort(entries, (size_t)count, sizeof *entries, by_base);
    for (int32_t k = 0; k < count; k++) {
        const ode_definition *d = &names->definitions[entries[k].definition];
        ode_binding *binding = &names->bindings[d->symbol];
        names->families[k] = entries[k].definition;
        if (!binding->n_families++) {
            binding->first_family = k;
            continue;
        }
        const ode_definition *before = &names->definitions[entries[k - 1].definition];
        if (before->hi >= d->lo) {
            char name[96];
            snprintf(name, sizeof name, "%.60s%d", names->parsed->symbols[d->symbol].display,
                     (int)d->lo);
            bool later = entries[k].definition > entries[k - 1].definition;
            defined_twice(names, later ? before : d,
                          names->parsed->statements[(later ? d : before)->statement].at, name);
        }
    }
    for (int32_t i = 0; i < names->n_definitions; i++)
        if (!names->definitions[i].family) check_single(names, i);
}

int32_t gt_lang_find_name(const ode_names *names, int32_t symbol, int32_t *element)
{
    *element = 0;
    if (names->bindings[symbol].single >= 0) return names->bindings[symbol].single;
    return find_split(names, symbol, element);
}

int32_t gt_lang_find_element(const ode_names *names, int32_t base, int64_t index, int32_t *element)
{
    int32_t found = gt_lang_find_family(names, base, index, index);
    *element = (int32_t)index;
    if (found >= 0) return found;
    char name[160];
    int length = snprintf(name, sizeof name, "%.120s%lld", names->parsed->symbols[base].text,
                          (long long)index);
    int32_t symbol = gt_lang_find_symbol(names->parsed, name, (size_t)length);
    if (symbol >= 0) return gt_lang_find_name(names, symbol, element);
    /* Not a name of its own, but perhaps a member of a family with a shorter base (x1[7] is x17).
     */
    for (int k = length - 1; k > 0 && name[k] >= '0' && name[k] <= '9' && length - k < 9; k--) {
        int32_t other = gt_lang_find_symbol(names->parsed, name, (size_t)k);
        if (other < 0 || (name[k] == '0' && k + 1 < length)) continue;
        int32_t number = (int32_t)strtol(name + k, NULL, 10);
        found = gt_lang_find_family(names, other, number, number);
        if (found >= 0) {
            *element = number;
            return found;
        }
    }
    return -1;
}

const char *gt_lang_suggest(const ode_names *names, int32_t symbol)
{
    enum { MANY = 2000 };
    const ode_parsed *parsed = names->parsed;
    const char **known = gt_lang_take(names->work, MANY + 1, sizeof *known);
    int32_t count = 0;
    for (int32_t i = 0; i < parsed->n_symbols && count < MANY; i++) {
        const ode_binding *b = &names->bindings[i];
        bool means_something = b->single >= 0 || b->n_families || parsed->symbols[i].builtin >= 0;
        if (i != symbol && means_something) known[count++] = parsed->symbols[i].text;
    }
    const char *near = gt_nearest_name(parsed->symbols[symbol].text, known);
    if (!near) return "";
    char text[160];
    snprintf(text, sizeof text, "; did you mean %.100s?", near);
    return gt_lang_copy(names->work, text, strlen(text));
}
