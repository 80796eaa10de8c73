/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of the file, each kept once, whatever its case. */
#include "lang/operations/builtin.h"
#include "lang/syntax/parser.h"
#include <string.h>

static uint32_t hash_text(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t k = 0; k < length; k++) hash = (hash ^ (unsigned char)text[k]) * 16777619u;
    return hash;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static void rehash(ode_parsed *parsed)
{
    parsed->n_buckets = parsed->n_buckets ? 4 * parsed->n_buckets : 256;
    parsed->buckets =
        gt_lang_take(parsed->work, (size_t)parsed->n_buckets, sizeof *parsed->buckets);
    for (int32_t i = 0; i < parsed->n_buckets; i++) parsed->buckets[i] = -1;
    for (int32_t i = 0; i < parsed->n_symbols; i++) {
        int32_t *bucket =
            &parsed->buckets[parsed->symbols[i].hash & (uint32_t)(parsed->n_buckets - 1)];
        parsed->symbols[i].next = *bucket;
        *bucket = i;
    }
}

int32_t gt_lang_find_symbol(const ode_parsed *parsed, const char *text, size_t length)
{
    uint32_t hash = hash_text(text, length);
    int32_t i = parsed->n_buckets ? parsed->buckets[hash & (uint32_t)(parsed->n_buckets - 1)] : -1;
    for (; i >= 0; i = parsed->symbols[i].next) {
        const ode_symbol *s = &parsed->symbols[i];
        if (s->hash == hash && !strncmp(s->text, text, length) && !s->text[length]) return i;
    }
    return -1;
}

int32_t gt_lang_intern(ode_parsed *parsed, const char *text, size_t length)
{
    char *small = gt_lang_take(parsed->work, length + 1, 1);
    for (size_t k = 0; k < length; k++) small[k] = lower(text[k]);
    int32_t found = gt_lang_find_symbol(parsed, small, length);
    if (found >= 0) return found;
    if (parsed->n_symbols >= parsed->n_buckets) rehash(parsed);
    ode_symbol *s = ODE_PUSH(parsed, symbols, ODE_MAX_SYNTAX, "names");
    *s = (ode_symbol){.text = small,
                      .display = gt_lang_copy(parsed->work, text, length),
                      .hash = hash_text(small, length),
                      .builtin = -1,
                      .argument = -1};
    int32_t *bucket = &parsed->buckets[s->hash & (uint32_t)(parsed->n_buckets - 1)];
    s->next = *bucket;
    *bucket = parsed->n_symbols - 1;
    return parsed->n_symbols - 1;
}

void gt_lang_define_builtins(ode_parsed *parsed)
{
    for (int32_t i = 0; gt_lang_builtins[i].name; i++) {
        if (gt_lang_builtins[i].kind == B_NONE) continue;
        int32_t symbol =
            gt_lang_intern(parsed, gt_lang_builtins[i].name, strlen(gt_lang_builtins[i].name));
        parsed->symbols[symbol].builtin = i;
    }
}

/* A function of the language or pi that a file defines itself is what the file says. */
void gt_lang_hide_builtin(ode_parsed *parsed, int32_t symbol, int32_t at)
{
    ode_symbol *s = &parsed->symbols[symbol];
    if (s->builtin < 0) return;
    const ode_builtin *b = &gt_lang_builtins[s->builtin];
    if (b->kind != B_FUNCTION && b->kind != B_PI && b->kind != B_REFUSED) return;
    gt_lang_warn(parsed->work, at, "%s is also defined by the language; what this file says counts",
                 s->text);
    s->builtin = -1;
}
