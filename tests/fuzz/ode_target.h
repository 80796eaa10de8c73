/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ODE_TARGET_H
#define GEARTRAIN_ODE_TARGET_H

/* What is done with any bytes that claim to be an .ode file: everything that the program would do
 * but the compilation. Nothing may crash, hang or take unbounded memory; and what becomes C must be
 * made of harmless text. */
#include <geartrain/author/ode_runtime.h>
#include <geartrain/lang.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the generated text only the first lines, which include two headers, may begin with '#', there
 * are no trigraphs, and every comment and string ends. */
static void ode_check_code(const char *code)
{
    int includes = 0;
    for (const char *line = code; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        const char *first = line + strspn(line, " \t");
        if (*first != '#') continue;
        if (strncmp(first, "#include <", 10) && strncmp(first, "#define ", 8) &&
            strncmp(first, "#undef ", 7))
            abort();
        includes++;
    }
    if (!includes || strstr(code, "??")) abort();
    enum { CODE, TEXT, LETTER, COMMENT } where = CODE;
    for (const char *c = code; *c; c++) {
        if (where == CODE && *c == '"')
            where = TEXT;
        else if (where == CODE && *c == '\'')
            where = LETTER;
        else if (where == CODE && c[0] == '/' && c[1] == '*')
            where = COMMENT, c++;
        else if (where == COMMENT && c[0] == '*' && c[1] == '/')
            where = CODE, c++;
        else if ((where == TEXT || where == LETTER) && *c == '\\' && c[1])
            c++;
        else if (where == TEXT && *c == '"')
            where = CODE;
        else if (where == LETTER && *c == '\'')
            where = CODE;
        else if ((where == TEXT || where == LETTER) && *c == '\n')
            abort();
        if ((unsigned char)*c >= 127 || (*c < 32 && *c != '\n' && *c != '\t')) abort();
    }
    if (where != CODE) abort();
}

static void ode_use_problem(const gt_problem *p, gt_arena *arena)
{
    size_t n = gt_problem_size(p), most = n + p->n_roots + p->n_aux + p->n_invariants;
    double *out = gt_arena_doubles(arena, most);
    gt_matrix J;
    gt_matrix_layout(&J, n, p->jac_pattern, false, arena);
    if (!out || arena->failed) return;
    (void)!p->rhs(p->t0, p->x0, out, p->ctx);
    if (p->rhs_slow) (void)!p->rhs_slow(p->t0, p->x0, out, p->ctx);
    if (p->rhs_fast) (void)!p->rhs_fast(p->t0, p->x0, out, p->ctx);
    if (p->rhs_alg) (void)!p->rhs_alg(p->t0, p->x0, out, p->ctx);
    if (p->jac) (void)!p->jac(p->t0, p->x0, &J, p->ctx);
    if (p->n_aux) p->aux(p->t0, p->x0, out, p->ctx);
    if (p->n_invariants) p->invariants(p->t0, p->x0, out, p->ctx);
    if (p->exact) p->exact(p->t0, out, p->ctx);
    if (p->begin) p->begin(p->ctx);
    if (p->n_roots) (void)!p->roots(p->t0, p->x0, out, p->ctx);
    double *x = gt_arena_doubles(arena, n), *series = gt_arena_doubles(arena, 4 * n);
    unsigned char *fired = gt_arena_take(arena, p->n_roots + 1, 1);
    unsigned actions = 0;
    if (!x || !series || !fired) return;
    memcpy(x, p->x0, n * sizeof *x);
    memset(fired, 1, p->n_roots);
    if (p->on_event) (void)!p->on_event(p->t0, fired, x, &actions, p->ctx);
    memcpy(series, p->x0, n * sizeof *x);
    if (p->taylor) (void)!p->taylor(p->t0, 3, series, p->ctx);
}

static void ode_feed(const char *text, size_t size)
{
    gt_ode *ode = NULL;
    gt_message message = {""};
    gt_status status = gt_ode_parse(text, size, "fuzz.ode", &ode, &message);
    if (status && !message.text[0]) abort();
    const gt_model *model = ode ? gt_ode_model(ode) : NULL;
    if (!status && !model) abort();
    if (model && !status) {
        char *code = NULL, *equations = NULL;
        size_t length = 0;
        if (!gt_ode_c_code(ode, "geartrain_model", &code, &length, &message)) ode_check_code(code);
        (void)!gt_ode_expanded(ode, &equations, &message);
        free(code);
        free(equations);
        gt_arena arena = gt_arena_growing();
        gt_problem problem = {0};
        gt_values values = gt_params_default(model->params);
        const gt_ode_code *counts = model->data;
        long long n = (long long)counts->n_slow + counts->n_fast + counts->n_alg;
        if (n <= 2000 && !model->build_self(model, values.v, &problem, &arena))
            ode_use_problem(&problem, &arena);
        gt_arena_free(&arena);
    }
    gt_ode_free(ode);
}

#endif
