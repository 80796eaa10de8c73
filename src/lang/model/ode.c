/* SPDX-License-Identifier: BSD-3-Clause */
/* From text to a gt_ode and its gt_model: the passes in order. */
#include "lang/model/ode.h"
#include "lang/emit/emit.h"
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The name of the file without folder and ending. */
static const char *stem_of(ode_work *work, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return length ? gt_lang_copy(work, name, length) : "model";
}

/* ---- reading ---- */

/* The interpreter is made by whoever builds a problem first. Threads that do so at once each make
 * one; one is kept. */
static const gt_ode_code *prepare(const gt_ode_code *code)
{
    gt_ode *o = (gt_ode *)((uintptr_t)code - offsetof(gt_ode, code));
    ode_interpreter *made = atomic_load(&o->interpreter);
    ode_interpreter *none = NULL;
    if (made) return &made->code;
    made = gt_lang_make_interpreter(&o->programs, code);
    if (!made) return NULL;
    if (atomic_compare_exchange_strong(&o->interpreter, &none, made)) return &made->code;
    gt_lang_free_interpreter(made);
    return &none->code;
}

static void read_all(gt_ode *o, const char *text, size_t length, const char *fast)
{
    ode_work *work = &o->work;
    o->source.work = o->parsed.work = o->names.work = o->graph.work = work;
    o->lower.work = o->equations.work = o->programs.work = work;
    gt_lang_read_source(&o->source, text, length);
    if (fast) gt_lang_add_split(&o->source, fast);

    o->parsed.source = &o->source;
    gt_lang_parse(&o->parsed);

    o->names.parsed = &o->parsed;
    gt_lang_declare(&o->names);

    gt_lang_begin_graph(&o->graph);
    o->lower.parsed = &o->parsed;
    o->lower.names = &o->names;
    o->lower.graph = &o->graph;
    gt_lang_begin_lowering(&o->lower);

    o->equations.parsed = &o->parsed;
    o->equations.names = &o->names;
    o->equations.lower = &o->lower;
    o->equations.graph = &o->graph;
    gt_lang_make_equations(&o->equations);

    o->programs.graph = &o->graph;
    o->programs.eq = &o->equations;
    gt_lang_make_programs(&o->programs);

    gt_lang_describe(o);
    o->code.prepare = prepare;
    o->code.later = &o->later;
    o->complete = true;
}

static int by_place(const void *a, const void *b)
{
    const gt_ode_note *p = a, *q = b;
    if (p->line != q->line) return p->line < q->line ? -1 : 1;
    return (p->column > q->column) - (p->column < q->column);
}

static gt_status report(const gt_ode *o, const char *file, gt_message *message)
{
    const ode_work *work = &o->work;
    if (o->complete) return GT_OK;
    if (work->no_memory) return gt_fail(message, GT_NO_MEMORY, "%s: out of memory", file);
    for (int32_t k = 0; k < work->n_notes; k++) {
        const gt_ode_note *n = &work->notes[k];
        if (!n->is_error) continue;
        if (!n->line) return gt_fail(message, GT_BAD_ARGUMENT, "%s: %s", file, n->text);
        return gt_fail(message, GT_BAD_ARGUMENT, "%s:%d:%d: %s", file, n->line, n->column, n->text);
    }
    return gt_fail(message, GT_BAD_ARGUMENT, "%s: the file cannot be read", file);
}

static void collect_facts(gt_ode *o)
{
    ode_work *work = &o->work;
    if (work->n_notes) qsort(work->notes, (size_t)work->n_notes, sizeof *work->notes, by_place);
    o->facts = (gt_ode_facts){.n_notes = (size_t)work->n_notes,
                              .notes = work->notes,
                              .run = o->parsed.run,
                              .n_sets = (size_t)o->parsed.n_sets,
                              .sets = o->parsed.sets,
                              .n_only = (size_t)o->parsed.n_only,
                              .only = o->parsed.only,
                              .n_nodes = (size_t)o->graph.n_nodes};
}

static gt_status parse(const char *text, size_t length, const char *file, const char *fast,
                       gt_ode **out, gt_message *message)
{
    jmp_buf escape;
    gt_ode *o = calloc(1, sizeof *o);
    *out = o;
    if (!o) return gt_fail(message, GT_NO_MEMORY, "%s: out of memory", file);
    o->work.source = &o->source;
    o->work.escape = &escape;
    o->parsed.run = (gt_ode_run){.total = 20, .dt = 0.05, .bound = 100, .nout = 1, .meth = ""};
    if (!setjmp(escape)) {
        o->source.file = gt_lang_copy(&o->work, file, strlen(file));
        o->model_name = stem_of(&o->work, file);
        read_all(o, text, length, fast);
    }
    o->work.escape = NULL;
    /* the first error that was met, which others may stand before */
    gt_status status = report(o, file, message);
    collect_facts(o);
    return status;
}

gt_status gt_ode_parse(const char *text, size_t length, const char *file, gt_ode **out,
                       gt_message *message)
{
    if (out) *out = NULL;
    GT_ARMOR(message, text && out);
    return parse(text, length, file ? file : "model", NULL, out, message);
}

gt_status gt_ode_parse_split(const char *text, size_t length, const char *file, const char *fast,
                             gt_ode **out, gt_message *message)
{
    if (out) *out = NULL;
    GT_ARMOR(message, text && fast && out);
    return parse(text, length, file ? file : "model", fast, out, message);
}

void gt_ode_free(gt_ode *ode)
{
    if (!ode) return;
    gt_lang_free_interpreter(atomic_load(&ode->interpreter));
    gt_lang_free(&ode->work);
    free(ode);
}

void gt_ode_set_native(gt_ode *ode, double first, gt_ode_native_fn *native, void *ctx)
{
    if (!ode) return;
    /* At 0 the first call of f asks. */
    double at = first > 0 ? first : 1;
    ode->later = (struct gt_ode_later){.find = native, .ctx = ctx, .first = at};
}

/* ---- what was read ---- */

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

static bool is_c_name(const char *name)
{
    for (const char *c = name; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        bool digit = *c >= '0' && *c <= '9';
        if (!letter && !(digit && c > name)) return false;
    }
    return true;
}

gt_status gt_ode_c_code(const gt_ode *ode, const char *symbol, char **code, size_t *length,
                        gt_message *message)
{
    GT_ARMOR(message, ode && symbol && code && length);
    ode_text text = {0};
    bool too_large;
    *code = NULL;
    *length = 0;
    if (!ode->complete)
        return gt_fail(message, GT_BAD_ARGUMENT, "the model has errors: there is no code for it");
    if (!is_c_name(symbol))
        return gt_fail(message, GT_BAD_ARGUMENT, "'%s' is not a name in C", symbol);
    bool done = gt_lang_emit(&ode->programs, &ode->model, symbol, &text, &too_large);
    if (!done || too_large) free(text.s);
    if (too_large)
        return gt_fail(message, GT_UNSUPPORTED,
                       "a recursive function of %s is too large for C code; it can be interpreted",
                       ode->model_name);
    if (!done)
        return gt_fail(message, GT_NO_MEMORY, "out of memory for the code of %s", ode->model_name);
    *code = text.s;
    *length = text.length;
    return GT_OK;
}

gt_status gt_ode_expanded(const gt_ode *ode, char **text, gt_message *message)
{
    GT_ARMOR(message, ode && text);
    ode_text t = {0};
    *text = NULL;
    if (!ode->complete)
        return gt_fail(message, GT_BAD_ARGUMENT, "the model has errors: it has no equations");
    if (!gt_lang_expand(&ode->programs, ode->code.states, &t)) {
        free(t.s);
        return gt_fail(message, GT_NO_MEMORY, "out of memory for the equations of %s",
                       ode->model_name);
    }
    *text = t.s;
    return GT_OK;
}
