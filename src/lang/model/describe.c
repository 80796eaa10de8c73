/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model says about itself: names, parameters, sizes, and its equations as they were written.
 */
#include "lang/emit/emit.h"
#include "lang/model/ode.h"
#include <string.h>

/* ---- names of states, roots and columns ---- */

typedef struct name_list {
    gt_ode_name *rows;
    int32_t count, room;
} name_list;

static void add_name(ode_work *work, name_list *list, gt_ode_name name)
{
    gt_lang_grow(work, (void **)&list->rows, list->count, &list->room, sizeof *list->rows,
                 ODE_MAX_NODES, "names");
    list->rows[list->count++] = name;
}

static const gt_ode_name *finish(ode_work *work, name_list *list)
{
    add_name(work, list, (gt_ode_name){0});
    return list->rows;
}

static const gt_ode_name *name_states(const ode_equations *eq)
{
    const ode_names *names = eq->names;
    name_list list = {0};
    for (int32_t i = 0; i < names->n_definitions; i++) {
        const ode_definition *d = &names->definitions[i];
        if (d->kind != K_STATE && d->kind != K_UNKNOWN) continue;
        for (int32_t k = 0; k < d->n_segments; k++) {
            const ode_segment *s = &names->segments[d->first_segment + k];
            gt_ode_name name = {.base = names->parsed->symbols[d->symbol].display,
                                .unit = d->unit,
                                .first = s->slot,
                                .step = s->step};
            name.lo = d->family ? s->lo : 1;
            name.hi = d->family ? s->hi : 0;
            add_name(names->work, &list, name);
        }
    }
    if (eq->n_hidden)
        add_name(names->work, &list,
                 (gt_ode_name){.base = eq->hidden_name,
                               .lo = 1,
                               .hi = eq->n_hidden,
                               .first = ode_all_states(eq) - eq->n_hidden,
                               .step = 1});
    return finish(names->work, &list);
}

static const gt_ode_name *name_columns(const ode_equations *eq, ode_statement_kind kind)
{
    name_list list = {0};
    for (int32_t k = 0; k < eq->parsed->n_statements; k++) {
        const ode_statement *s = &eq->parsed->statements[k];
        if (s->kind != kind) continue;
        gt_ode_name name = {.base = eq->parsed->symbols[s->symbol].display,
                            .lo = 1,
                            .first = eq->number_of[k],
                            .step = 1};
        if (s->ranged) {
            name.lo = s->lo + s->shift;
            name.hi = s->hi + s->shift;
            if (s->down) {
                name.first += s->hi - s->lo;
                name.step = -1;
            }
        }
        add_name(eq->work, &list, name);
    }
    return finish(eq->work, &list);
}

/* The condition as written names an event; of an array of events the number follows. */
static void name_roots(const ode_equations *eq, gt_ode_code *code)
{
    name_list list = {0};
    int32_t room = 0;
    int *directions = NULL;
    for (int32_t k = 0; k < eq->parsed->n_statements; k++) {
        const ode_statement *s = &eq->parsed->statements[k];
        if (s->kind != ST_EVENT) continue;
        gt_lang_grow(eq->work, (void **)&directions, list.count, &room, sizeof *directions,
                     ODE_MAX_NODES, "events");
        directions[list.count] = s->direction;
        gt_ode_name name = {.base = s->text, .lo = 1, .first = eq->number_of[k], .step = 1};
        if (s->ranged) {
            char text[200];
            snprintf(text, sizeof text, "%.180s #", s->text);
            name.base = gt_lang_copy(eq->work, text, strlen(text));
            name.lo = s->lo;
            name.hi = s->hi;
        }
        add_name(eq->work, &list, name);
    }
    code->roots = finish(eq->work, &list);
    code->directions = directions ? directions : gt_lang_take(eq->work, 1, sizeof *directions);
}

/* ---- the model ---- */

static const gt_param *describe_params(const ode_lowering *lower)
{
    const ode_names *names = lower->names;
    gt_param *params = gt_lang_take(lower->work, (size_t)names->n_params + 1, sizeof *params);
    for (int32_t i = 0; i < names->n_definitions; i++) {
        const ode_definition *d = &names->definitions[i];
        if (d->kind != K_PARAMETER) continue;
        for (int32_t e = d->lo; e <= d->hi; e++) {
            gt_param *p = &params[d->slot + e - d->lo];
            char name[180];
            snprintf(name, sizeof name, d->family ? "%.150s%d" : "%.150s",
                     names->parsed->symbols[d->symbol].display, (int)e);
            *p = (gt_param){.name = gt_lang_copy(lower->work, name, strlen(name)),
                            .help = d->help ? d->help : "",
                            .unit = d->unit,
                            .type = d->choices ? GT_CHOICE
                                    : d->whole ? GT_INTEGER
                                               : GT_REAL,
                            .choices = d->choices,
                            .initial = lower->defaults[d->slot + e - d->lo],
                            .min = d->min,
                            .max = d->max};
            if (lower->lowered[i].fixed) {
                p->min = p->max = p->initial;
                p->help = "says how long a sum is: cannot be changed";
            }
        }
    }
    return params;
}

/* "# index 3: 0=x^2+y^2-1 differentiated 2 times, held by mu1 and mu2" */
static size_t describe_index(const ode_equations *eq, char *text, size_t room)
{
    size_t used = 0;
    for (int32_t k = 0; k < eq->n_hidden; k++) {
        const ode_hidden *h = &eq->hidden[k];
        int32_t times = 0;
        bool first = true;
        for (int32_t i = 0; i < eq->n_hidden; i++) {
            times += eq->hidden[i].equation == h->equation;
            first = first && (i >= k || eq->hidden[i].equation != h->equation);
        }
        if (!first) continue;
        used += (size_t)snprintf(text ? text + used : NULL, text ? room - used : 0,
                                 "\n# index %d: %s is differentiated %d time%s, and held",
                                 (int)times + 1, h->text, (int)times, times == 1 ? "" : "s");
        for (int32_t i = k; i < eq->n_hidden; i++)
            if (eq->hidden[i].equation == h->equation)
                used +=
                    (size_t)snprintf(text ? text + used : NULL, text ? room - used : 0, "%s %s%d",
                                     i == k ? " by" : ",", eq->hidden_name, (int)i + 1);
    }
    return used;
}

/* The statements that matter, as they were written. */
static const char *equations_of(const ode_equations *eq)
{
    const ode_parsed *parsed = eq->parsed;
    size_t room = 1 + describe_index(eq, NULL, 0), used = 0;
    for (int pass = 0; pass < 2; pass++) {
        char *text = pass ? gt_lang_take(parsed->work, room, 1) : NULL;
        for (int32_t k = 0; k < parsed->n_statements; k++) {
            const ode_statement *s = &parsed->statements[k];
            static const char *const shown[] = {
                [ST_EQUATION] = "",    [ST_NAMED] = "",     [ST_DERIVED] = "!",
                [ST_FUNCTION] = "",    [ST_ALGEBRAIC] = "", [ST_EVENT] = "global ",
                [ST_START] = "start ", [ST_WHOLE] = NULL};
            if (!shown[s->kind] || (s->kind == ST_START && s->rank != RANK_OWN)) continue;
            int32_t from = s->at, length = s->end - from;
            while (length && parsed->source->text[from + length - 1] == ' ') length--;
            if (!pass) {
                room += (size_t)length + strlen(shown[s->kind]) + 2;
                continue;
            }
            if (used) text[used++] = '\n';
            used += (size_t)snprintf(text + used, room - used, "%s%.*s", shown[s->kind],
                                     (int)length, parsed->source->text + from);
        }
        if (pass) {
            describe_index(eq, text + used, room - used);
            return text;
        }
    }
    return "";
}

static gt_ode_code describe_code(const ode_programs *programs)
{
    const ode_equations *eq = programs->eq;
    const ode_names *names = eq->names;
    const ode_program *p = programs->programs;
    const gt_ode_run *run = &eq->parsed->run;
    gt_ode_code code = {.n_slow = names->n_slow,
                        .n_fast = names->n_fast,
                        .n_alg = ode_algebraic(eq),
                        .n_hidden = eq->n_hidden,
                        .n_rates = names->n_rates,
                        .rate_sizes = names->n_rates ? names->rate_sizes : NULL,
                        .n_params = names->n_params,
                        .n_p = programs->n_p,
                        .t0 = run->t0,
                        .t1 = run->dt < 0 ? run->t0 - run->total : run->t0 + run->total,
                        .typical = eq->parsed->typical,
                        .linear = eq->linear,
                        .autonomous = eq->autonomous,
                        .t1_place = eq->t1_place,
                        .break_place = eq->break_place,
                        .n_breaks = eq->n_breaks,
                        .clock_place = eq->clock_place,
                        .n_clocks = eq->n_clocks,
                        .n_roots = eq->n_roots,
                        .n_aux = eq->n_aux,
                        .n_invariants = eq->n_invariants,
                        .bound = run->given & GT_ODE_BOUND ? run->bound : 0,
                        .events_set_params = eq->events_set_params,
                        .bands = eq->bands,
                        .n_bands = eq->n_bands,
                        .dense = eq->dense,
                        .n_switches = eq->n_switches,
                        .parts = programs->parts,
                        .n_parts = programs->n_parts,
                        .terms = programs->terms,
                        .n_terms = programs->n_terms,
                        .work = {.full = p[P_RHS].work,
                                 .slow = p[P_SLOW].work,
                                 .fast = p[P_FAST].work,
                                 .alg = p[P_ALG].work,
                                 .jac = p[P_JAC].work}};
    gt_ode_table_range *tables =
        gt_lang_take(names->work, (size_t)names->n_tables + 1, sizeof *tables);
    for (int32_t k = 0; k < names->n_tables; k++) {
        const ode_table *t = &names->tables[k];
        tables[k] = (gt_ode_table_range){t->slot, t->n, t->lo, t->hi, t->samples};
    }
    code.tables = tables;
    code.n_tables = names->n_tables;
    code.states = name_states(eq);
    name_roots(eq, &code);
    code.switch_names = gt_lang_name_switches(programs, code.states);
    code.aux = name_columns(eq, ST_AUX);
    code.invariant_names = name_columns(eq, ST_INVARIANT);
    return code;
}

static const char *title_of(const ode_parsed *parsed)
{
    const char *slash = strrchr(parsed->source->file, '/');
    if (parsed->title) return parsed->title;
    if (parsed->source->heading) return parsed->source->heading;
    return slash ? slash + 1 : parsed->source->file;
}

void gt_lang_describe(gt_ode *o)
{
    o->code = describe_code(&o->programs);
    o->model = (gt_model){.abi = GT_MODEL_ABI,
                          .name = o->model_name,
                          .title = title_of(&o->parsed),
                          .reference = o->parsed.reference,
                          .equations = equations_of(&o->equations),
                          .params = describe_params(&o->lower),
                          .build_self = gt_ode_build,
                          .data = &o->code};
}
