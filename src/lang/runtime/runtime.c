/* SPDX-License-Identifier: BSD-3-Clause */
/* From the functions of a model file, compiled or interpreted, to a gt_problem. */
#include "lang/runtime/band_pattern.h"
#include "lang/runtime/break_times.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions that need more than the file's own ---- */

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    gt_ode_ctx *c = ctx;
    c->code->jac(t, x, J->values, c);
    return GT_OK;
}

static gt_status jac_block(gt_part rows, gt_part columns, double t, const double *x, gt_matrix *J,
                           void *ctx)
{
    gt_ode_ctx *c = ctx;
    gt_ode_jac_fn *block = c->code->jac_blocks[rows][columns];
    if (block) block(t, x, J->values, c);
    return GT_OK;
}

static double largest(const double *x, size_t n, double most)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

/* The root that stops a run beyond the bound comes last. */
static gt_status roots(double t, const double *x, double *g, void *ctx)
{
    gt_ode_ctx *c = ctx;
    const gt_ode_code *code = c->code;
    if (code->root) code->root(t, x, g, c);
    if (code->bound <= 0) return GT_OK;
    double most = largest(x, (size_t)(code->n_slow + code->n_fast + code->n_alg), 0);
    if (code->n_aux) {
        double *aux = c->roots + 2 * code->n_roots;
        code->auxiliary(t, x, aux, c);
        most = largest(aux, (size_t)code->n_aux, most);
    }
    g[code->n_roots] = code->bound - most;
    return GT_OK;
}

static gt_status switches(double t, const double *x, double *g, void *ctx)
{
    gt_ode_ctx *c = ctx;
    c->code->switches(t, x, g, c);
    return GT_OK;
}

static void set_sides(const signed char *sides, void *ctx)
{
    gt_ode_ctx *c = ctx;
    size_t n = (size_t)c->code->n_switches;
    if (sides)
        memcpy(c->sides, sides, n);
    else
        memset(c->sides, 0, n);
    c->holding = false;
    for (size_t i = 0; i < n && !c->holding; i++) c->holding = c->sides[i] != 0;
}

static void switch_name(size_t i, char *buffer, size_t room, void *ctx)
{
    const gt_ode_ctx *c = ctx;
    const gt_ode_name *n = c->code->switch_names;
    *buffer = '\0';
    while (n->base && n[1].base && (size_t)n[1].first <= i) n++;
    if (!n->base) return;
    int each = n->step > 0 ? n->step : 1, j = n->lo + ((int)i - n->first) / each;
    if (n->lo > n->hi)
        snprintf(buffer, room, "%s", n->base);
    else
        snprintf(buffer, room, "%s with j = %d", n->base, j);
}

static int direction_of(const gt_ode_code *code, int root)
{
    for (int k = 0; code->roots[k].base; k++) {
        const gt_ode_name *n = &code->roots[k];
        int count = n->lo > n->hi ? 1 : n->hi - n->lo + 1;
        if (root >= n->first && root < n->first + count) return code->directions[k];
    }
    return 0;
}

/* Carried across zero by what another event did? */
static bool carried(int direction, double before, double after)
{
    return (direction >= 0 && before < 0 && after > 0) ||
           (direction <= 0 && before > 0 && after <= 0);
}

static void fire(gt_ode_ctx *c, int root, double t, double *x, unsigned *actions)
{
    const gt_ode_code *code = c->code;
    double *p_new = c->p_initial + code->n_params;
    if (code->n_params) memcpy(p_new, c->p, (size_t)code->n_params * sizeof *p_new);
    *actions |= code->event(root, t, x, p_new, c);
    if (!code->events_set_params || !memcmp(p_new, c->p, (size_t)code->n_params * sizeof *p_new))
        return;
    memcpy(c->p, p_new, (size_t)code->n_params * sizeof *p_new);
    code->setup(c);
}

/* All that fired run in the order of the file; an event that another one sets off follows, each
 * once. */
static gt_status on_event(double t, const unsigned char *fired, double *x, unsigned *actions,
                          void *ctx)
{
    gt_ode_ctx *c = ctx;
    const gt_ode_code *code = c->code;
    int n = code->n_roots;
    double *before = c->roots, *after = c->roots + n;
    if (code->bound > 0 && fired[n]) *actions |= GT_EVENT_STOP;
    if (!n) return GT_OK;
    code->root(t, x, before, c);
    unsigned char *done = c->fired;
    for (int k = 0; k < n; k++) done[k] = 0;
    for (int k = 0; k < n; k++) {
        if (!fired[k]) continue;
        done[k] = 1;
        fire(c, k, t, x, actions);
    }
    for (bool again = true; again;) {
        again = false;
        code->root(t, x, after, c);
        for (int k = 0; k < n; k++) {
            if (done[k] || !carried(direction_of(code, k), before[k], after[k])) continue;
            done[k] = 1;
            fire(c, k, t, x, actions);
            again = true;
            break; /* what else is carried along shows in the new values */
        }
    }
    return GT_OK;
}

static void begin(void *ctx)
{
    gt_ode_ctx *c = ctx;
    memcpy(c->p, c->p_initial, (size_t)c->code->n_params * sizeof *c->p);
    c->code->setup(c);
}

static void aux(double t, const double *x, double *out, void *ctx)
{
    gt_ode_ctx *c = ctx;
    c->code->auxiliary(t, x, out, c);
}

static void invariants(double t, const double *x, double *out, void *ctx)
{
    gt_ode_ctx *c = ctx;
    c->code->invariants(t, x, out, c);
}

static void use_threads(const gt_threads *threads, void *ctx)
{
    gt_ode_ctx *c = ctx;
    c->threads = threads;
}

static void exact(double t, double *x, void *ctx)
{
    gt_ode_ctx *c = ctx;
    c->code->exact(t, x, c);
}

/* ---- names ---- */

/* Texts of all names of the table, at their numbers. */
static const char **make_names(const gt_ode_name *table, size_t count, gt_arena *arena)
{
    const char **names = gt_arena_take(arena, count + 1, sizeof *names);
    size_t bytes = 0;
    for (const gt_ode_name *n = table; n->base; n++)
        if (n->lo <= n->hi) bytes += (size_t)(n->hi - n->lo + 1) * (strlen(n->base) + 12);
    char *text = gt_arena_take(arena, bytes + 1, 1);
    if (!names || !text) return NULL;
    for (const gt_ode_name *n = table; n->base; n++) {
        if (n->lo > n->hi) names[n->first] = n->base;
        for (int e = n->lo; e <= n->hi; e++) {
            size_t stem = strlen(n->base), room = stem + 12;
            bool prime = stem > 0 && n->base[stem - 1] == '\''; /* that of x3 is x3' */
            snprintf(text, room, "%.*s%d%s", (int)(stem - prime), n->base, e, prime ? "'" : "");
            names[n->first + n->step * (e - n->lo)] = text;
            text += room;
        }
    }
    return names;
}

static const char **make_units(const gt_ode_name *table, size_t count, gt_arena *arena)
{
    bool any = false;
    for (const gt_ode_name *n = table; n->base; n++) any = any || n->unit;
    const char **units = any ? gt_arena_take(arena, count, sizeof *units) : NULL;
    for (const gt_ode_name *n = table; units && n->base; n++) {
        if (n->lo > n->hi) units[n->first] = n->unit;
        for (int e = n->lo; e <= n->hi; e++) units[n->first + n->step * (e - n->lo)] = n->unit;
    }
    return units;
}

/* ---- the problem ---- */

static gt_status add_index(const gt_ode_code *code, size_t n, gt_problem *problem, gt_arena *arena)
{
    if (!code->n_hidden) return GT_OK;
    unsigned char *index = gt_arena_take(arena, n, sizeof *index);
    if (!index) return GT_NO_MEMORY;
    for (size_t i = 0; i < n; i++) index[i] = i < n - (size_t)code->n_hidden ? 1 : 2;
    problem->index = index;
    problem->n_hidden = (size_t)code->n_hidden;
    return GT_OK;
}

static gt_status add_events(gt_ode_ctx *c, gt_problem *problem, gt_arena *arena)
{
    const gt_ode_code *code = c->code;
    size_t n = (size_t)code->n_roots + (code->bound > 0);
    if (!n) return GT_OK;
    int *directions = gt_arena_take(arena, n, sizeof *directions);
    const char **names = make_names(code->roots, n, arena);
    c->roots = gt_arena_doubles(arena, 2 * (size_t)code->n_roots + (size_t)code->n_aux + 1);
    c->fired = gt_arena_take(arena, n, 1);
    if (!directions || !names || !c->roots || !c->fired) return GT_NO_MEMORY;
    for (int k = 0; code->roots[k].base; k++) {
        const gt_ode_name *r = &code->roots[k];
        int count = r->lo > r->hi ? 1 : r->hi - r->lo + 1;
        for (int e = 0; e < count; e++) directions[r->first + e] = code->directions[k];
    }
    if (code->bound > 0) {
        names[n - 1] = "bound";
        directions[n - 1] = -1;
    }
    problem->n_roots = n;
    problem->roots = roots;
    problem->root_direction = directions;
    problem->root_names = names;
    problem->on_event = on_event;
    return GT_OK;
}

static gt_status add_switches(gt_ode_ctx *c, gt_problem *problem, gt_arena *arena)
{
    size_t n = (size_t)c->code->n_switches;
    if (!n) return GT_OK;
    c->sides = gt_arena_take(arena, n, sizeof *c->sides);
    if (!c->sides) return GT_NO_MEMORY;
    memset(c->sides, 0, n);
    problem->n_switches = n;
    problem->switches = switches;
    problem->set_sides = set_sides;
    problem->switch_name = switch_name;
    return GT_OK;
}

static gt_status add_columns(gt_ode_ctx *c, gt_problem *problem, gt_arena *arena)
{
    const gt_ode_code *code = c->code;
    if (code->n_aux) {
        problem->n_aux = (size_t)code->n_aux;
        problem->aux_names = make_names(code->aux, problem->n_aux, arena);
        problem->aux = aux;
        if (!problem->aux_names) return GT_NO_MEMORY;
    }
    if (code->n_invariants) {
        problem->n_invariants = (size_t)code->n_invariants;
        problem->invariant_names = make_names(code->invariant_names, problem->n_invariants, arena);
        problem->invariants = invariants;
        if (!problem->invariant_names) return GT_NO_MEMORY;
    }
    return GT_OK;
}

/* The equations and the start; what takes room in the arena is added to it. */
static gt_problem problem_of(gt_ode_ctx *c, const double *x0)
{
    const gt_ode_code *code = c->code;
    return (gt_problem){.n_slow = (size_t)code->n_slow,
                        .n_fast = (size_t)code->n_fast,
                        .n_alg = (size_t)code->n_alg,
                        .rhs = code->rhs,
                        .rhs_slow = code->rhs_slow,
                        .rhs_fast = code->rhs_fast,
                        .rhs_alg = code->rhs_alg,
                        .rhs_t = code->rhs_t,
                        .n_rates = (size_t)code->n_rates,
                        .rate_sizes = code->rate_sizes,
                        .rhs_rates = code->rhs_rates,
                        .begin = code->events_set_params ? begin : NULL,
                        .kept = code->events_set_params ? c->p : NULL,
                        .kept_bytes =
                            code->events_set_params ? (size_t)code->n_p * sizeof *c->p : 0,
                        .t0 = code->t0,
                        .t1 = code->t1_place > 0 ? c->p[code->t1_place - 1] : code->t1,
                        .x0 = x0,
                        .typical = code->typical,
                        .linear = code->linear,
                        .autonomous = code->autonomous,
                        .ctx = c,
                        .use_threads = use_threads,
                        .exact = code->exact ? exact : NULL,
                        .work = code->work};
}

static gt_status add_derivatives(gt_ode_ctx *c, size_t n, gt_problem *problem, gt_arena *arena)
{
    const gt_ode_code *code = c->code;
    gt_status status = GT_OK;
    if (code->n_parts) {
        size_t series = 0;
        for (int k = 0; k < code->n_parts; k++)
            series +=
                (size_t)code->parts[k].count * (size_t)(code->parts[k].hi - code->parts[k].lo + 1);
        c->series = gt_arena_doubles(arena, series * GT_ODE_SERIES + 1);
        problem->taylor = gt_ode_taylor;
    }
    if (code->jac) {
        problem->jac = jac;
        problem->jac_block = code->jac_blocks ? jac_block : NULL;
        if (!code->dense) status = gt_ode_pattern(c, n, &problem->jac_pattern, arena);
    }
    return status;
}

gt_status gt_ode_build(const gt_model *model, const double *v, gt_problem *problem, gt_arena *arena)
{
    const gt_ode_code *code = model->data;
    if (code->prepare) code = code->prepare(code);
    if (!code) return GT_NO_MEMORY;
    size_t n = (size_t)(code->n_slow + code->n_fast + code->n_alg);
    gt_ode_ctx *c = gt_arena_take(arena, 1, sizeof *c + ((size_t)code->n_p + 1) * sizeof(double));
    double *x0 = gt_arena_doubles(arena, n);
    if (!c || !x0) return GT_NO_MEMORY;
    c->code = code;
    c->p_initial = gt_arena_doubles(arena, 2 * (size_t)code->n_params + 1);
    c->scratch = gt_arena_doubles(arena, code->scratch + 1);
    const char **names = make_names(code->states, n, arena);
    if (!c->p_initial || !c->scratch || !names) return GT_NO_MEMORY;
    for (int k = 0; k < code->n_params; k++) c->p[k] = c->p_initial[k] = v[k];
    for (int k = 0; k < code->n_tables; k++) {
        const gt_ode_table_range *table = &code->tables[k];
        if (table->samples)
            memcpy(c->p + table->slot, table->samples, (size_t)table->n * sizeof *c->p);
    }
    code->setup(c);
    code->start(c, x0);
    *problem = problem_of(c, x0);
    problem->names = names;
    problem->units = make_units(code->states, n, arena);
    gt_status status = add_derivatives(c, n, problem, arena);
    if (!status) status = add_index(code, n, problem, arena);
    if (!status) status = gt_ode_breaks(c, problem, arena);
    if (!status) status = add_events(c, problem, arena);
    if (!status) status = add_switches(c, problem, arena);
    if (!status) status = add_columns(c, problem, arena);
    return status ? status : arena->failed ? GT_NO_MEMORY : GT_OK;
}
