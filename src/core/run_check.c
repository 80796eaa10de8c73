/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What holds for every run: looked at when its numbers came from outside, before any of them is an
 * index or a length. The checksum of the bytes finds what was damaged by accident; this is the
 * second line.
 */
#include "core/run_image.h"
#include "core/switches.h"
#include <math.h>
#include <string.h>

gt_run_laws gt_image_laws(const gt_laid_run *laid)
{
    const run_handle *w = laid->w;
    return (gt_run_laws){.n = w->run.base->n,
                         .bytes = w->bytes,
                         .n_breaks = w->problem.n_breaks,
                         .n_roots = w->problem.n_roots,
                         .surfaces = gt_slide_on(&w->run) ? gt_slide_on(&w->run)->count : 0,
                         .sign = w->sign,
                         .error_order = w->run.base->facts.error_order};
}

static gt_status wrong(gt_message *message, const char *what)
{
    return gt_fail(message, GT_BAD_ARGUMENT, "the image of the run is damaged: %s", what);
}

static bool has_end(const char *text, size_t room) { return memchr(text, 0, room) != NULL; }

static bool texts_end(const run_handle *w, const gt_stepper *s)
{
    const gt_warnings *warnings = &w->report.warnings;
    if (warnings->count < 0 || warnings->count > GT_MOST_WARNINGS || warnings->left_out < 0)
        return false;
    for (int k = 0; k < warnings->count; k++)
        if (!has_end(warnings->list[k].text, sizeof warnings->list[k].text)) return false;
    return has_end(w->report.message.text, sizeof w->report.message.text) &&
           has_end(w->report.note.text, sizeof w->report.note.text) &&
           has_end(s->message.text, sizeof s->message.text) &&
           has_end(s->note.text, sizeof s->note.text);
}

static bool stepper_holds(const gt_stepper *s, size_t n, int error_order)
{
    return s->n == n && s->bound && s->facts.error_order == error_order && s->order >= 0 &&
           s->order < 1000 && isfinite(s->t);
}

static bool switches_hold(const run_handle *w, size_t surfaces)
{
    const gt_run *r = &w->run;
    size_t most = gt_run_most_watched(&w->problem);
    if (r->n_relations && r->n_relations != w->problem.n_switches) return false;
    if (r->n_relations && !most) return false;
    if (r->n_switches > (r->n_relations ? most : 0)) return false;
    if (r->n_roots != w->problem.n_roots + r->n_switches) return false;
    for (size_t k = 0; k < r->n_switches; k++)
        if (r->base->switch_numbers[k] >= r->n_relations) return false;
    return !r->slide || gt_slide_is_sound(r, surfaces);
}

gt_status gt_image_check(const gt_laid_run *laid, const gt_run_laws *laws, gt_message *message)
{
    const run_handle *w = laid->w;
    const gt_run *r = &w->run;
    const gt_problem *p = &w->problem;
    if (w->bytes != laws->bytes || w->sign != laws->sign || w->failed || w->finished)
        return wrong(message, "its handle is not that of a run");
    if (!stepper_holds(r->base, laws->n, laws->error_order) ||
        !stepper_holds(r->s, laws->n, laws->error_order))
        return wrong(message, "its stepper has another size");
    if (p->n_breaks > laws->n_breaks + GT_RUN_MORE_BREAKS ||
        w->room > laws->n_breaks + GT_RUN_MORE_BREAKS ||
        p->n_breaks + w->room > laws->n_breaks + GT_RUN_MORE_BREAKS || r->next_break > p->n_breaks)
        return wrong(message, "it has more discontinuities than there is room for");
    if (p->n_roots != laws->n_roots || !switches_hold(w, laws->surfaces))
        return wrong(message, "its roots or switches");
    if (r->n_small < 0 || r->n_small > GT_MOST_SMALL) return wrong(message, "its small states");
    for (int k = 0; k < r->n_small; k++)
        if (r->small[k] >= laws->n) return wrong(message, "its small states");
    if (!texts_end(w, r->s)) return wrong(message, "a text");
    return GT_OK;
}

static size_t ints_at(const gt_laid_run *laid, const int *at)
{
    for (size_t k = 0; k < laid->n_parts; k++) {
        const gt_run_part *part = &laid->part[k];
        ptrdiff_t behind = (const char *)at - part->base;
        if ((const char *)at >= part->base && (size_t)behind < part->bytes)
            return (part->bytes - (size_t)behind) / sizeof *at;
    }
    return (size_t)-1; /* of the problem itself */
}

gt_status gt_image_check_pattern(const gt_laid_run *laid, const gt_lu *lu, gt_message *message)
{
    const gt_pattern *p = &lu->pattern;
    if (p->storage != GT_CSC || !p->colptr || !p->rowindex || lu->n >= ints_at(laid, p->colptr))
        return wrong(message, "the pattern of a sparse matrix");
    size_t room = ints_at(laid, p->rowindex);
    if (p->colptr[0] != 0) return wrong(message, "the columns of a sparse matrix");
    for (size_t k = 0; k < lu->n; k++) {
        if (p->colptr[k + 1] < p->colptr[k] || (size_t)p->colptr[k + 1] > room)
            return wrong(message, "the columns of a sparse matrix");
        for (int i = p->colptr[k]; i < p->colptr[k + 1]; i++)
            if (p->rowindex[i] < 0 || (size_t)p->rowindex[i] >= lu->n)
                return wrong(message, "the rows of a sparse matrix");
    }
    return GT_OK;
}
