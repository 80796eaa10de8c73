/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --fast A,B,..: the states of the fast block, for any model, in place of the division that it has.
 * An .ode file is read again with it, so that the functions of the blocks are made for it; the
 * problem of another model is permuted. What is shown keeps the order that it has without the flag.
 */
#include "cli.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* y[1..3] is y1, y2, y3: how many, and the first number; 0: it is one name. */
static size_t range_of(const char *word, size_t *stem, long *low)
{
    const char *open = strchr(word, '['), *dots = open ? strstr(open, "..") : NULL;
    char *end = NULL;
    if (!dots || open == word) return 0;
    *low = strtol(open + 1, &end, 10);
    if (end != dots) return 0;
    long high = strtol(dots + 2, &end, 10);
    *stem = (size_t)(open - word);
    return *end == ']' && !end[1] && high >= *low ? (size_t)high - (size_t)*low + 1 : 0;
}

static int mark(const gt_problem *problem, const char *name, unsigned char *fast)
{
    size_t i;
    int code = gt_cli_state(problem, "--fast", name, &i);
    if (code) return code;
    if (i >= problem->n_slow + problem->n_fast)
        return gt_cli_usage("--fast: %s is an algebraic variable; the fast block is of states with "
                            "a derivative",
                            name);
    if (fast[i]) return gt_cli_usage("--fast: %s is given twice", name);
    fast[i] = 1;
    return CLI_OK;
}

static int mark_word(const gt_problem *problem, const char *word, unsigned char *fast)
{
    enum { LONGEST = 200 };
    char name[LONGEST + 24];
    size_t stem = 0;
    long low = 0;
    size_t count = range_of(word, &stem, &low);
    if (!count || stem > LONGEST) return mark(problem, word, fast);
    int code = CLI_OK;
    for (size_t k = 0; k < count && !code; k++) {
        gt_format(name, sizeof name, "%.*s%ld", (int)stem, word, low + (long)k);
        code = mark(problem, name, fast);
    }
    return code;
}

int gt_cli_fast_states(const cli_args *args, const gt_problem *problem, gt_arena *arena,
                       unsigned char **fast)
{
    const char *list = gt_cli_text(&args->flags.fast);
    size_t n = gt_problem_size(problem), n_words, n_fast = 0, none;
    char **words;
    *fast = gt_arena_take(arena, n, 1);
    if (!*fast) return gt_cli_failed("--fast: out of memory for %zu states", n);
    int code = gt_cli_read_words("--fast", list, arena, &words, &n_words);
    if (code) return code;
    for (none = 0; none < n_words && !strcmp(words[none], "none");) none++;
    if (none == 1 && n_words == 1) return CLI_OK;
    for (size_t k = 0; k < n_words && !code; k++) code = mark_word(problem, words[k], *fast);
    for (size_t i = 0; i < n; i++) n_fast += (*fast)[i];
    if (!code && n_fast == problem->n_slow + problem->n_fast)
        return gt_cli_usage("--fast names all %zu states of %s; some must be slow", n_fast,
                            problem->name);
    return code;
}

char *gt_cli_fast_text(const gt_problem *problem, const unsigned char *fast, gt_arena *arena)
{
    size_t n = gt_problem_size(problem), length = 1;
    char buffer[24];
    for (size_t i = 0; i < n; i++)
        if (fast[i]) length += strlen(gt_problem_state_name(problem, i, buffer)) + 1;
    char *text = gt_arena_take(arena, length, 1), *end = text;
    if (!text) return NULL;
    for (size_t i = 0; i < n; i++) {
        if (!fast[i]) continue;
        const char *name = gt_problem_state_name(problem, i, buffer);
        if (end > text) *end++ = ',';
        memcpy(end, name, strlen(name));
        end += strlen(name);
    }
    *end = '\0';
    return text;
}

/* ---- the order that is shown ---- */

typedef struct named {
    const gt_problem *problem;
    size_t index;
} named;

static int by_name(const void *a, const void *b)
{
    const named *one = a, *other = b;
    char room[24], other_room[24];
    return strcmp(gt_problem_state_name(one->problem, one->index, room),
                  gt_problem_state_name(other->problem, other->index, other_room));
}

static void sort_names(const gt_problem *problem, named *list)
{
    size_t n = gt_problem_size(problem);
    for (size_t i = 0; i < n; i++) list[i] = (named){problem, i};
    qsort(list, n, sizeof *list, by_name);
}

int gt_cli_shown_order(const gt_problem *usual, cli_problem *p)
{
    size_t n = gt_problem_size(&p->problem);
    assert(gt_problem_size(usual) == n);
    named *then = calloc(n, sizeof *then), *now = calloc(n, sizeof *now);
    size_t *shown = gt_arena_take(&p->arena, n, sizeof *shown);
    if (then && now && shown) {
        sort_names(usual, then);
        sort_names(&p->problem, now);
        for (size_t i = 0; i < n; i++) shown[then[i].index] = now[i].index;
        p->shown = shown;
    }
    free(then);
    free(now);
    return p->shown ? CLI_OK : gt_cli_failed("out of memory for %zu states", n);
}

const size_t *gt_cli_shown_columns(cli_problem *p, size_t *count)
{
    size_t n = gt_problem_size(&p->problem), n_aux = p->problem.n_aux;
    *count = n + n_aux;
    size_t *columns = gt_arena_take(&p->arena, n + n_aux, sizeof *columns);
    for (size_t i = 0; columns && i < n + n_aux; i++)
        columns[i] = i < n && p->shown ? p->shown[i] : i;
    return columns;
}

/* ---- models that are not text ---- */

int gt_cli_permute(cli_problem *p, const unsigned char *fast)
{
    gt_problem user = p->problem;
    size_t n = gt_problem_size(&user), n_diff = user.n_slow + user.n_fast, n_fast = 0, at = 0;
    size_t *order = gt_arena_take(&p->arena, n, sizeof *order),
           *shown = gt_arena_take(&p->arena, n, sizeof *shown);
    if (!order || !shown) return gt_cli_failed("out of memory for %zu states", n);
    for (size_t i = 0; i < n_diff; i++) n_fast += fast[i];
    for (size_t i = 0; i < n_diff; i++)
        if (!fast[i]) order[at++] = i;
    for (size_t i = 0; i < n_diff; i++)
        if (fast[i]) order[at++] = i;
    for (; at < n; at++) order[at] = at;
    gt_status status = gt_problem_permuted(&user, n_diff - n_fast, n_fast, user.n_alg, order,
                                           &p->problem, &p->arena);
    if (status)
        return gt_cli_failed("--fast: the states of %s cannot be put into another order: %s",
                             user.name, gt_status_text(status));
    for (size_t i = 0; i < n; i++) shown[order[i]] = i;
    p->shown = shown;
    p->one_thread = true;
    return CLI_OK;
}

int gt_cli_apply_fast(const cli_args *args, cli_problem *p)
{
    unsigned char *fast;
    if (!gt_cli_has(&args->flags.fast)) return CLI_OK;
    if (p->source->plain) return CLI_OK; /* it was read with the division */
    int code = gt_cli_fast_states(args, &p->problem, &p->arena, &fast);
    return code ? code : gt_cli_permute(p, fast);
}
