/* SPDX-License-Identifier: BSD-3-Clause */
/* From text to a gt_ode and its gt_model: the stages in order, and what a model says about itself. */
#include "lang/bytecode/interpret.h"
#include <stdlib.h>
#include <string.h>

/* Without folder and ending. */
static const char *name_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static const char *stem_of(gt_ode *o, const char *file)
{
    const char *name = name_of(file), *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return length ? gt_lang_copy(o, name, length) : "model";
}

/* ---- names of states, roots and columns ---- */

typedef struct name_list {
    gt_ode_name *rows;
    int32_t count, room;
} name_list;

static void add_name(gt_ode *o, name_list *list, gt_ode_name name)
{
    gt_lang_grow(o, (void **)&list->rows, list->count, &list->room, sizeof *list->rows, ODE_MAX_NODES, "names");
    list->rows[list->count++] = name;
}

static const gt_ode_name *finish(gt_ode *o, name_list *list)
{
    add_name(o, list, (gt_ode_name){0});
    return list->rows;
}

static void name_states(gt_ode *o)
{
    name_list list = {0};
    for (int32_t i = 0; i < o->n_definitions; i++) {
        const ode_definition *d = &o->definitions[i];
        if (d->kind != K_STATE && d->kind != K_UNKNOWN) continue;
        for (int32_t k = 0; k < d->n_segments; k++) {
            const ode_segment *s = &o->segments[d->first_segment + k];
            gt_ode_name name = {
                .base = o->symbols[d->symbol].display, .unit = d->unit, .first = s->slot, .step = s->step};
            name.lo = d->family ? s->lo : 1;
            name.hi = d->family ? s->hi : 0;
            add_name(o, &list, name);
        }
    }
    o->code.states = finish(o, &list);
}

static const gt_ode_name *name_columns(gt_ode *o, ode_statement_kind kind)
{
    name_list list = {0};
    for (int32_t k = 0; k < o->n_statements; k++) {
        const ode_statement *s = &o->statements[k];
        if (s->kind != kind) continue;
        gt_ode_name name = {.base = o->symbols[s->symbol].display, .lo = 1, .first = s->number, .step = 1};
        if (s->ranged) {
            name.lo = s->lo + s->shift;
            name.hi = s->hi + s->shift;
            if (s->down) {
                name.first += s->hi - s->lo;
                name.step = -1;
            }
        }
        add_name(o, &list, name);
    }
    return finish(o, &list);
}

/* The condition as written names an event; of an array of events the number follows. */
static void name_roots(gt_ode *o)
{
    name_list list = {0};
    int32_t room = 0;
    int *directions = NULL;
    for (int32_t k = 0; k < o->n_statements; k++) {
        const ode_statement *s = &o->statements[k];
        if (s->kind != ST_EVENT) continue;
        gt_lang_grow(o, (void **)&directions, list.count, &room, sizeof *directions, ODE_MAX_NODES, "events");
        directions[list.count] = s->direction;
        gt_ode_name name = {.base = s->text, .lo = 1, .first = s->number, .step = 1};
        if (s->ranged) {
            char text[200];
            snprintf(text, sizeof text, "%.180s #", s->text);
            name.base = gt_lang_copy(o, text, strlen(text));
            name.lo = s->lo;
            name.hi = s->hi;
        }
        add_name(o, &list, name);
    }
    o->code.roots = finish(o, &list);
    o->code.directions = directions ? directions : gt_lang_take(o, 1, sizeof *directions);
}

/* ---- the model ---- */

static void describe_params(gt_ode *o)
{
    o->params = gt_lang_take(o, (size_t)o->n_params + 1, sizeof *o->params);
    for (int32_t i = 0; i < o->n_definitions; i++) {
        const ode_definition *d = &o->definitions[i];
        if (d->kind != K_PARAMETER) continue;
        for (int32_t e = d->lo; e <= d->hi; e++) {
            gt_param *p = &o->params[d->slot + e - d->lo];
            char name[180];
            snprintf(name, sizeof name, d->family ? "%.150s%d" : "%.150s", o->symbols[d->symbol].display, (int)e);
            *p = (gt_param){.name = gt_lang_copy(o, name, strlen(name)),
                            .help = d->help ? d->help : "",
                            .unit = d->unit,
                            .type = d->choices ? GT_CHOICE
                                    : d->whole ? GT_INTEGER
                                               : GT_REAL,
                            .choices = d->choices,
                            .initial = o->defaults[d->slot + e - d->lo],
                            .min = d->min,
                            .max = d->max};
            if (d->fixed) {
                p->min = p->max = p->initial;
                p->help = "says how long a sum is: cannot be changed";
            }
        }
    }
}

/* The statements that matter, as they were written. */
static const char *equations_of(gt_ode *o)
{
    size_t room = 1, used = 0;
    for (int pass = 0; pass < 2; pass++) {
        char *text = pass ? gt_lang_take(o, room, 1) : NULL;
        for (int32_t k = 0; k < o->n_statements; k++) {
            const ode_statement *s = &o->statements[k];
            static const char *const shown[] = {
                [ST_EQUATION] = "",  [ST_NAMED] = "",        [ST_DERIVED] = "!",    [ST_FUNCTION] = "",
                [ST_ALGEBRAIC] = "", [ST_EVENT] = "global ", [ST_START] = "start ", [ST_WHOLE] = NULL};
            if (!shown[s->kind] || (s->kind == ST_START && s->rank != RANK_OWN)) continue;
            int32_t from = s->at, length = s->end - from;
            while (length && o->text[from + length - 1] == ' ') length--;
            if (!pass) {
                room += (size_t)length + strlen(shown[s->kind]) + 2;
                continue;
            }
            if (used) text[used++] = '\n';
            used += (size_t)snprintf(text + used, room - used, "%s%.*s", shown[s->kind], (int)length, o->text + from);
        }
        if (pass) return text;
    }
    return "";
}

static void describe(gt_ode *o)
{
    const ode_program *p = o->programs;
    gt_ode_run *run = &o->facts.run;
    name_states(o);
    name_roots(o);
    gt_lang_name_switches(o);
    o->code.aux = name_columns(o, ST_AUX);
    o->code.invariant_names = name_columns(o, ST_INVARIANT);
    o->code.n_slow = o->n_slow;
    o->code.n_fast = o->n_fast;
    o->code.n_alg = o->n_alg;
    o->code.n_params = o->n_params;
    o->code.n_p = o->n_p;
    o->code.t0 = run->t0;
    o->code.t1 = run->t0 + run->total;
    o->code.n_roots = o->n_roots;
    o->code.n_aux = o->n_aux;
    o->code.n_invariants = o->n_invariants;
    o->code.bound = run->given & GT_ODE_BOUND ? run->bound : 0;
    o->code.events_set_params = o->events_set_params;
    o->code.bands = o->bands;
    o->code.n_bands = o->n_bands;
    o->code.dense = o->dense;
    o->code.work = (gt_work){.full = p[P_RHS].work,
                             .slow = p[P_SLOW].work,
                             .fast = p[P_FAST].work,
                             .alg = p[P_ALG].work,
                             .jac = p[P_JAC].work};
    gt_ode_table_range *tables = gt_lang_take(o, (size_t)o->n_tables + 1, sizeof *tables);
    for (int32_t k = 0; k < o->n_tables; k++)
        tables[k] = (gt_ode_table_range){o->tables[k].slot, o->tables[k].n, o->tables[k].lo, o->tables[k].hi};
    o->code.tables = tables;
    describe_params(o);
    gt_lang_interpreted(o, &o->code);
    o->model = (gt_model){.abi = GT_MODEL_ABI,
                          .name = o->model_name,
                          .title = o->title     ? o->title
                                   : o->heading ? o->heading
                                                : name_of(o->file),
                          .reference = o->reference,
                          .equations = equations_of(o),
                          .params = o->params,
                          .build_self = gt_ode_build,
                          .data = &o->code};
}

static void read_all(gt_ode *o, const char *text, size_t length)
{
    gt_lang_define_builtins(o);
    gt_lang_join_lines(o, text, length);
    gt_lang_read_statements(o);
    if (o->n_errors) longjmp(*o->escape, 1);
    gt_lang_declare(o);
    gt_lang_make_programs(o);
    gt_lang_make_bytecode(o);
    describe(o);
    o->complete = true;
}

static int by_place(const void *a, const void *b)
{
    const gt_ode_note *p = a, *q = b;
    if (p->line != q->line) return p->line < q->line ? -1 : 1;
    return (p->column > q->column) - (p->column < q->column);
}

static gt_status report(const gt_ode *o, gt_message *message)
{
    if (o->complete) return GT_OK;
    if (o->no_memory) return gt_fail(message, GT_NO_MEMORY, "%s: there is not enough memory", o->file);
    for (int32_t k = 0; k < o->n_notes; k++) {
        const gt_ode_note *n = &o->notes[k];
        if (!n->is_error) continue;
        if (!n->line) return gt_fail(message, GT_BAD_ARGUMENT, "%s: %s", o->file, n->text);
        return gt_fail(message, GT_BAD_ARGUMENT, "%s:%d:%d: %s", o->file, n->line, n->column, n->text);
    }
    return gt_fail(message, GT_BAD_ARGUMENT, "%s: the file cannot be read", o->file);
}

static gt_status parse(const char *text, size_t length, const char *file, gt_ode **out, gt_message *message)
{
    jmp_buf escape;
    gt_ode *o = calloc(1, sizeof *o);
    *out = o;
    if (!o) return gt_fail(message, GT_NO_MEMORY, "%s: there is not enough memory", file);
    o->escape = &escape;
    o->file = file;
    o->last_call = -1;
    o->facts.run = (gt_ode_run){.total = 20, .dt = 0.05, .bound = 100, .nout = 1, .meth = ""};
    if (!setjmp(escape)) {
        o->file = gt_lang_copy(o, file, strlen(file));
        o->model_name = stem_of(o, file);
        read_all(o, text, length);
    }
    o->escape = NULL;
    gt_status status = report(o, message); /* the first error that was met, which may stand further down than others */
    o->file = NULL;
    if (o->n_notes) qsort(o->notes, (size_t)o->n_notes, sizeof *o->notes, by_place);
    o->facts.n_notes = (size_t)o->n_notes;
    o->facts.notes = o->notes;
    o->facts.sets = o->sets;
    o->facts.n_sets = (size_t)o->n_sets;
    o->facts.only = o->only;
    o->facts.n_only = (size_t)o->n_only;
    o->facts.n_nodes = (size_t)o->n_nodes;
    return status;
}

gt_status gt_ode_parse(const char *text, size_t length, const char *file, gt_ode **out, gt_message *message)
{
    if (out) *out = NULL;
    GT_ARMOR(message, text && out);
    return parse(text, length, file ? file : "model", out, message);
}

void gt_ode_free(gt_ode *ode)
{
    if (!ode) return;
    while (ode->blocks) {
        ode_block *next = ode->blocks->next;
        free(ode->blocks);
        ode->blocks = next;
    }
    free(ode);
}

const gt_ode_facts *gt_ode_facts_of(const gt_ode *ode)
{
    if (!ode) return NULL;
    return &ode->facts;
}
const gt_model *gt_ode_model(const gt_ode *ode)
{
    if (!ode) return NULL;
    return ode->complete ? &ode->model : NULL;
}
