/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether 0 = g(t, x, y) determines y. By the structure: each equation gets an unknown of its own
 * by augmenting paths; where one gets none, the equations that it competes with have too few
 * unknowns together. By the rank: dg/dy with numbers put in that no file has chosen.
 */
#include "lang/lower/reduce_index.h"
#include "linalg/null_space.h"
#include <geartrain/author/arena.h>
#include <math.h>
#include <string.h>

/* ---- the structure ---- */

void gt_lang_find_unknowns(ode_reduction *r, int32_t equation)
{
    ode_partial *partials;
    ode_incidence *in = &r->unknown[equation];
    int32_t count = gt_lang_partials(r->graph, r->node[equation], &partials);
    in->count = 0;
    in->unknowns = gt_lang_take(r->eq->work, (size_t)count + 1, sizeof *in->unknowns);
    in->slopes = gt_lang_take(r->eq->work, (size_t)count + 1, sizeof *in->slopes);
    for (int32_t k = 0; k < count; k++) {
        const ode_node *slope = &r->graph->nodes[partials[k].node];
        int32_t slot = r->graph->nodes[partials[k].leaf].a;
        if (slot < r->n_diff || (slope->op == N_CONST && slope->value == 0)) continue;
        in->unknowns[in->count] = slot - r->n_diff;
        in->slopes[in->count++] = partials[k].node;
    }
}

/* Looks for an unknown for an equation, which others may have to leave. */
static bool augment(ode_reduction *r, int32_t equation, unsigned char *seen)
{
    const ode_incidence *in = &r->unknown[equation];
    r->chosen[equation] = 1;
    for (int32_t k = 0; k < in->count; k++) {
        int32_t y = in->unknowns[k];
        if (seen[y]) continue;
        seen[y] = 1;
        if (r->solved_by[y] >= 0 && !augment(r, r->solved_by[y], seen)) continue;
        r->solves[equation] = y;
        r->solved_by[y] = equation;
        return true;
    }
    return false;
}

static int32_t unmatched(ode_reduction *r)
{
    unsigned char *seen = gt_lang_take(r->eq->work, (size_t)r->m, 1);
    memset(r->solves, 0xff, (size_t)r->m * sizeof *r->solves);
    memset(r->solved_by, 0xff, (size_t)r->m * sizeof *r->solved_by);
    for (int32_t e = 0; e < r->m; e++) {
        memset(seen, 0, (size_t)r->m);
        memset(r->chosen, 0, (size_t)r->m);
        if (!augment(r, e, seen)) return e;
    }
    return -1;
}

void gt_lang_match_rest(ode_reduction *r)
{
    unsigned char *seen = gt_lang_take(r->eq->work, (size_t)r->m, 1);
    for (int32_t e = 0; e < r->m; e++) {
        memset(seen, 0, (size_t)r->m);
        if (r->solves[e] < 0) augment(r, e, seen);
    }
}

/* ---- the rank ---- */

typedef struct evaluation {
    const ode_reduction *r;
    double *value;
    unsigned char *known;
    int depth;
} evaluation;

/* Numbers between 1/2 and 3/2 without relations to each other. */
static double any_number(int32_t k)
{
    double turn = 0.61803398874989485 * (k + 1);
    return 0.5 + (turn - floor(turn)) + 1e-3 * sin(k + 1.0);
}

static double value_of(evaluation *v, int32_t node)
{
    enum { DEEPEST = 3000 };
    const ode_reduction *r = v->r;
    const ode_node *n = &r->graph->nodes[node];
    if (v->known[node]) return v->value[node];
    double operand[3] = {0}, value = NAN;
    const int32_t of[] = {n->a, n->b, n->c};
    int operands = ode_operands(n->op);
    bool plain = n->op != N_TABLE && n->op != N_SLOPE && n->op != N_CALL && n->op != N_SUM;
    if (++v->depth > DEEPEST) plain = false;
    for (int k = 0; k < operands && plain; k++) operand[k] = value_of(v, of[k]);
    v->depth--;
    if (n->op == N_CONST) value = n->value;
    if (n->op == N_TIME) value = any_number(-1);
    if (n->op == N_STATE) value = any_number(n->a);
    if (n->op == N_PARAM && n->a < r->eq->names->n_params) value = r->eq->lower->defaults[n->a];
    if (operands && plain) value = gt_lang_apply(n->op, operand[0], operand[1], operand[2]);
    v->known[node] = 1;
    return v->value[node] = value;
}

/* dg/dy, transposed: its null vectors say which equations depend on each other. False: not known.
 */
static bool fill(ode_reduction *r, double *dense)
{
    size_t n = (size_t)r->graph->n_nodes, m = (size_t)r->m;
    evaluation v = {.r = r,
                    .value = gt_lang_take(r->eq->work, n, sizeof(double)),
                    .known = gt_lang_take(r->eq->work, n, 1)};
    for (size_t e = 0; e < m; e++) {
        const ode_incidence *in = &r->unknown[e];
        double most = 0;
        for (int32_t k = 0; k < in->count; k++) {
            double slope = value_of(&v, in->slopes[k]);
            if (!isfinite(slope)) return false;
            dense[e * m + (size_t)in->unknowns[k]] = slope;
            most = fmax(most, fabs(slope));
        }
        for (size_t k = 0; k < m && most > 0; k++) dense[e * m + k] /= most;
    }
    return true;
}

static int32_t dependent(ode_reduction *r)
{
    enum { MOST = 200 };
    size_t m = (size_t)r->m;
    int32_t first = -1;
    if (r->m > MOST) return -1;
    gt_arena arena = gt_arena_growing();
    double *dense = gt_arena_doubles(&arena, m * m), *vectors = gt_arena_doubles(&arena, m * m);
    if (dense && vectors && fill(r, dense)) {
        size_t count = gt_null_space(m, dense, 1e-12, vectors, &arena);
        for (size_t e = 0; e < m; e++) {
            r->chosen[e] = count && fabs(vectors[e]) > 1e-6;
            if (r->chosen[e]) first = (int32_t)e;
        }
    }
    gt_arena_free(&arena);
    return first;
}

int32_t gt_lang_deficient(ode_reduction *r)
{
    int32_t equation = unmatched(r);
    return equation >= 0 ? equation : dependent(r);
}
