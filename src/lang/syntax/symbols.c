/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names. All of them share one space: states, parameters, named expressions, functions, tables, and what the language
 * defines itself. An array x[1..n] is one definition, the family with base x; its member x17 is found by the name "x17"
 * as well, since an index is nothing but text appended to a name.
 */
#include "lang/ode.h"
#include "lang/syntax/builtin.h"
#include <stdlib.h>
#include <string.h>

static uint32_t hash_text(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t k = 0; k < length; k++) hash = (hash ^ (unsigned char)text[k]) * 16777619u;
    return hash;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static void rehash(gt_ode *o)
{
    o->n_buckets = o->n_buckets ? 4 * o->n_buckets : 256;
    o->buckets = gt_lang_take(o, (size_t)o->n_buckets, sizeof *o->buckets);
    for (int32_t i = 0; i < o->n_buckets; i++) o->buckets[i] = -1;
    for (int32_t i = 0; i < o->n_symbols; i++) {
        int32_t *bucket = &o->buckets[o->symbols[i].hash & (uint32_t)(o->n_buckets - 1)];
        o->symbols[i].next = *bucket;
        *bucket = i;
    }
}

static int32_t lookup(const gt_ode *o, const char *text, size_t length)
{
    uint32_t hash = hash_text(text, length);
    int32_t i = o->n_buckets ? o->buckets[hash & (uint32_t)(o->n_buckets - 1)] : -1;
    for (; i >= 0; i = o->symbols[i].next) {
        const ode_symbol *s = &o->symbols[i];
        if (s->hash == hash && !strncmp(s->text, text, length) && !s->text[length]) return i;
    }
    return -1;
}

int32_t gt_lang_intern(gt_ode *o, const char *text, size_t length)
{
    char *small = gt_lang_take(o, length + 1, 1);
    for (size_t k = 0; k < length; k++) small[k] = lower(text[k]);
    int32_t found = lookup(o, small, length);
    if (found >= 0) return found;
    if (o->n_symbols >= o->n_buckets) rehash(o);
    ode_symbol *s = ODE_PUSH(o, symbols, ODE_MAX_SYNTAX, "names");
    *s = (ode_symbol){.text = small,
                      .display = gt_lang_copy(o, text, length),
                      .hash = hash_text(small, length),
                      .single = -1,
                      .builtin = -1,
                      .argument = -1};
    int32_t *bucket = &o->buckets[s->hash & (uint32_t)(o->n_buckets - 1)];
    s->next = *bucket;
    *bucket = o->n_symbols - 1;
    return o->n_symbols - 1;
}

void gt_lang_define_builtins(gt_ode *o)
{
    for (int32_t i = 0; gt_lang_builtins[i].name; i++) {
        if (gt_lang_builtins[i].kind == B_NONE) continue;
        int32_t symbol = gt_lang_intern(o, gt_lang_builtins[i].name, strlen(gt_lang_builtins[i].name));
        o->symbols[symbol].builtin = i;
    }
}

static const char *const kind_words[] = {"nothing",
                                         "a state",
                                         "an unknown of solv",
                                         "a named expression",
                                         "a derived parameter",
                                         "a parameter",
                                         "a constant",
                                         "a function",
                                         "a table"};

static _Noreturn void defined_twice(gt_ode *o, const ode_definition *d, int32_t at, const char *name)
{
    int line, column;
    gt_lang_place(o, o->statements[d->statement].at, &line, &column);
    if (d->kind == K_STATE) gt_lang_error(o, at, "%s has an equation in line %d already", name, line);
    gt_lang_error(o, at, "%s is defined twice: in line %d it is %s", name, line, kind_words[d->kind]);
}

static _Noreturn void refuse_builtin(gt_ode *o, const ode_statement *s)
{
    const ode_symbol *symbol = &o->symbols[s->symbol];
    char written = o->text[s->at];
    if (gt_lang_builtins[symbol->builtin].kind == B_TIME && written == 'T')
        gt_lang_error(o, s->at, "T is the time: case does not matter, T is t; choose another name");
    gt_lang_error(o, s->at, "%s has a meaning in the language and cannot be redefined; choose another name",
                  symbol->text);
}

/* A function of the language or pi that a file defines itself is what the file says. */
void gt_lang_hide_builtin(gt_ode *o, int32_t symbol, int32_t at)
{
    ode_symbol *s = &o->symbols[symbol];
    if (s->builtin < 0) return;
    const ode_builtin *b = &gt_lang_builtins[s->builtin];
    if (b->kind != B_FUNCTION && b->kind != B_PI && b->kind != B_REFUSED) return;
    gt_lang_warn(o, at, "%s is also defined by the language; what this file says counts", s->text);
    s->builtin = -1;
}

int32_t gt_lang_define(gt_ode *o, ode_kind kind, int32_t statement)
{
    const ode_statement *s = &o->statements[statement];
    ode_symbol *symbol = &o->symbols[s->symbol];
    if (s->ranged && s->lo + s->shift < 0)
        gt_lang_error(o, s->at, "the elements of an array begin at 0 or above: %s%d is not a name", symbol->text,
                      (int)(s->lo + s->shift));
    if (!s->ranged) {
        if (symbol->builtin >= 0) refuse_builtin(o, s);
        if (symbol->single >= 0) defined_twice(o, &o->definitions[symbol->single], s->at, symbol->display);
        symbol->single = o->n_definitions;
    }
    ode_definition *d = ODE_PUSH(o, definitions, ODE_MAX_SYNTAX, "definitions");
    *d = (ode_definition){.kind = kind,
                          .symbol = s->symbol,
                          .statement = statement,
                          .family = s->ranged,
                          .lo = s->ranged ? s->lo + s->shift : 0,
                          .hi = s->ranged ? s->hi + s->shift : 0,
                          .node = -1,
                          .body = -1,
                          .position = -1};
    return o->n_definitions - 1;
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

static void check_single(gt_ode *o, int32_t definition)
{
    const ode_definition *d = &o->definitions[definition];
    int32_t element, other = gt_lang_find_split(o, d->symbol, &element);
    if (other >= 0)
        defined_twice(o, &o->definitions[other], o->statements[d->statement].at, o->symbols[d->symbol].display);
}

void gt_lang_sort_families(gt_ode *o)
{
    int32_t count = 0;
    for (int32_t i = 0; i < o->n_definitions; i++) count += o->definitions[i].family;
    order_entry *entries = gt_lang_take(o, (size_t)count + 1, sizeof *entries);
    o->families = gt_lang_take(o, (size_t)count + 1, sizeof *o->families);
    for (int32_t i = 0, k = 0; i < o->n_definitions; i++) {
        const ode_definition *d = &o->definitions[i];
        if (d->family) entries[k++] = (order_entry){.symbol = d->symbol, .lo = d->lo, .definition = i};
    }
    if (count) qsort(entries, (size_t)count, sizeof *entries, by_base);
    for (int32_t k = 0; k < count; k++) {
        const ode_definition *d = &o->definitions[entries[k].definition];
        ode_symbol *symbol = &o->symbols[d->symbol];
        o->families[k] = entries[k].definition;
        if (!symbol->n_families++) {
            symbol->first_family = k;
            continue;
        }
        const ode_definition *before = &o->definitions[entries[k - 1].definition];
        if (before->hi >= d->lo) {
            char name[96];
            snprintf(name, sizeof name, "%.60s%d", symbol->display, (int)d->lo);
            bool later = entries[k].definition > entries[k - 1].definition;
            defined_twice(o, later ? before : d, o->statements[(later ? d : before)->statement].at, name);
        }
    }
    for (int32_t i = 0; i < o->n_definitions; i++)
        if (!o->definitions[i].family) check_single(o, i);
}

int32_t gt_lang_find_family(const gt_ode *o, int32_t base, int64_t lo, int64_t hi)
{
    const ode_symbol *s = &o->symbols[base];
    int32_t low = s->first_family, high = s->first_family + s->n_families;
    while (low < high) { /* the last one that begins at or before lo */
        int32_t middle = low + (high - low) / 2;
        if (o->definitions[o->families[middle]].lo <= lo)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == s->first_family) return -1;
    int32_t found = o->families[low - 1];
    return o->definitions[found].hi >= hi ? found : -1;
}

/* The member of a family that has this name: all ways to see the name as text and index. */
int32_t gt_lang_find_split(const gt_ode *o, int32_t symbol, int32_t *element)
{
    const char *text = o->symbols[symbol].text;
    size_t length = strlen(text), start = length;
    while (start > 0 && text[start - 1] >= '0' && text[start - 1] <= '9' && length - start < 9) start--;
    for (size_t k = start; k < length && k > 0; k++) {
        if (k == 0 || (text[k] == '0' && k + 1 < length)) continue; /* an index has no leading zeros */
        int32_t base = lookup(o, text, k);
        if (base < 0) continue;
        int32_t index = (int32_t)strtol(text + k, NULL, 10), found = gt_lang_find_family(o, base, index, index);
        if (found >= 0) {
            *element = index;
            return found;
        }
    }
    return -1;
}

int32_t gt_lang_find_name(const gt_ode *o, int32_t symbol, int32_t *element)
{
    *element = 0;
    if (o->symbols[symbol].single >= 0) return o->symbols[symbol].single;
    return gt_lang_find_split(o, symbol, element);
}

int32_t gt_lang_find_element(const gt_ode *o, int32_t base, int64_t index, int32_t *element)
{
    int32_t found = gt_lang_find_family(o, base, index, index);
    *element = (int32_t)index;
    if (found >= 0) return found;
    char name[160];
    int length = snprintf(name, sizeof name, "%.120s%lld", o->symbols[base].text, (long long)index);
    int32_t symbol = lookup(o, name, (size_t)length);
    if (symbol >= 0) return gt_lang_find_name(o, symbol, element);
    /* Not a name of its own, but perhaps a member of a family with a shorter base (x1[7] is x17). */
    for (int k = length - 1; k > 0 && name[k] >= '0' && name[k] <= '9' && length - k < 9; k--) {
        int32_t other = lookup(o, name, (size_t)k);
        if (other < 0 || (name[k] == '0' && k + 1 < length)) continue;
        int32_t number = (int32_t)strtol(name + k, NULL, 10);
        found = gt_lang_find_family(o, other, number, number);
        if (found >= 0) {
            *element = number;
            return found;
        }
    }
    return -1;
}

const char *gt_lang_suggest(gt_ode *o, int32_t symbol)
{
    enum { MANY = 2000 };
    const char **names = gt_lang_take(o, MANY + 1, sizeof *names);
    int32_t count = 0;
    for (int32_t i = 0; i < o->n_symbols && count < MANY; i++) {
        const ode_symbol *s = &o->symbols[i];
        if (i != symbol && (s->single >= 0 || s->n_families || s->builtin >= 0)) names[count++] = s->text;
    }
    const char *near = gt_nearest_name(o->symbols[symbol].text, names);
    if (!near) return "";
    char text[160];
    snprintf(text, sizeof text, "; did you mean %.100s?", near);
    return gt_lang_copy(o, text, strlen(text));
}
