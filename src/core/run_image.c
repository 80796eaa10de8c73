/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a run as numbers and back; see run_image.h. */
#include "core/run_image.h"
#include "linalg/lu_internal.h"
#include <stdlib.h>
#include <string.h>

/* ---- two runs that are laid out ---- */

static void *larger(void *list, size_t count, size_t *room, size_t item, bool *failed)
{
    if (count < *room) return list;
    size_t more = *room ? 2 * *room : 64;
    void *moved = realloc(list, more * item);
    if (moved) *room = more;
    *failed = *failed || !moved;
    return moved ? moved : list;
}

/* Called for each part of the memory, and for each LU. */
static void note(void *keeper, void *part, size_t bytes)
{
    gt_laid_run *laid = keeper;
    if (!part || laid->failed) return;
    if (bytes) {
        laid->part =
            larger(laid->part, laid->n_parts, &laid->part_room, sizeof *laid->part, &laid->failed);
        if (!laid->failed) laid->part[laid->n_parts++] = (gt_run_part){part, bytes};
    } else {
        laid->lu = larger(laid->lu, laid->n_lu, &laid->lu_room, sizeof *laid->lu, &laid->failed);
        if (!laid->failed) laid->lu[laid->n_lu++] = part;
    }
}

static void find_blocks(run_handle *w, gt_run_block block[GT_RUN_BLOCKS])
{
    block[0] = (gt_run_block){(char *)w, w->bytes};
    block[1] = block[2] = (gt_run_block){NULL, 0};
    void *base;
    if (w->run.slide) {
        gt_slide_memory(w->run.slide, &base, &block[1].bytes);
        block[1].base = base;
    }
    if (w->run.leg) {
        gt_leg_memory(w->run.leg, &base, &block[2].bytes);
        block[2].base = base;
    }
}

static void free_laid(gt_laid_run *laid, bool with_run)
{
    if (laid->w && with_run) {
        /* Numbers that were refused may be in its memory: all that it holds is what is known here.
         */
        for (size_t k = 0; k < laid->n_lu; k++)
            if (laid->lu[k]->klu) gt_lu_free(laid->lu[k]);
        laid->w->stepper.bound = laid->w->probe.bound = false;
        if (laid->slide) gt_slide_stepper(laid->slide)->bound = false;
        if (laid->leg) gt_leg_stepper(laid->leg)->bound = false;
        gt_handle_free(laid->w);
    }
    free(laid->lu);
    free(laid->part);
    *laid = (gt_laid_run){0};
}

static gt_status open_laid(gt_laid_run *laid, const gt_problem *problem, const gt_leg_name *name,
                           const gt_plan *plan, size_t surfaces, gt_message *message)
{
    size_t bytes;
    gt_arena watch = {.keep = note, .keeper = laid};
    *laid = (gt_laid_run){0};
    gt_status status =
        gt_run_measure(problem, plan && plan->pilot ? NULL : name->method, plan, &bytes, message);
    void *memory = status ? NULL : malloc(bytes);
    if (!status && !memory)
        status = gt_fail(message, GT_NO_MEMORY, "out of memory: %zu bytes", bytes);
    if (!status) status = gt_run_lay(&laid->w, problem, name, plan, memory, bytes, &watch, message);
    if (status) {
        free(memory);
        free_laid(laid, false);
        return status;
    }
    laid->w->own_memory = memory;
    if (surfaces)
        status = gt_slide_lay(&laid->w->run, surfaces, &watch, &laid->w->run.slide, message);
    if (!status && laid->failed) status = gt_fail(message, GT_NO_MEMORY, "out of memory");
    laid->slide = laid->w->run.slide;
    laid->leg = laid->w->run.leg;
    find_blocks(laid->w, laid->block);
    if (status) free_laid(laid, true);
    return status;
}

void gt_run_pair_free(gt_run_pair *pair, bool first_is_taken)
{
    free_laid(&pair->one, !first_is_taken);
    free_laid(&pair->two, true);
}

gt_status gt_run_pair_open(gt_run_pair *pair, const gt_problem *problem, const gt_leg_name *name,
                           const gt_plan *plan, size_t surfaces, gt_message *message)
{
    *pair = (gt_run_pair){0};
    gt_status status = open_laid(&pair->one, problem, name, plan, surfaces, message);
    if (!status) status = open_laid(&pair->two, problem, name, plan, surfaces, message);
    if (status) gt_run_pair_free(pair, false);
    return status;
}

/* ---- words ---- */

static size_t words_of(const gt_run_block *block) { return block->bytes / sizeof(gt_word); }

static gt_word word_at(const gt_run_block *block, size_t i)
{
    gt_word word;
    memcpy(&word, block->base + i * sizeof word, sizeof word);
    return word;
}

static void set_word(const gt_run_block *block, size_t i, gt_word word)
{
    memcpy(block->base + i * sizeof word, &word, sizeof word);
}

/* A pointer as a place in the blocks: 0 is NULL, (offset * 4 + block) + 1 any other. */
static bool place_of(const gt_run_block block[GT_RUN_BLOCKS], gt_word pointer, gt_word *place)
{
    *place = 0;
    if (!pointer) return true;
    for (gt_word b = 0; b < GT_RUN_BLOCKS; b++) {
        gt_word base = (gt_word)block[b].base;
        if (!base || pointer < base || pointer - base > block[b].bytes) continue;
        *place = (pointer - base) * 4 + b + 1;
        return true;
    }
    return false;
}

static gt_word pointer_to(const gt_run_block block[GT_RUN_BLOCKS], gt_word place)
{
    gt_word b = (place - 1) % 4;
    return place && b < GT_RUN_BLOCKS ? (gt_word)block[b].base + (place - 1) / 4 : 0;
}

#define INSIDE(member) (at >= (const char *)&(member) && at < (const char *)(&(member) + 1))

/* Pointers of a stepper that stay as they are laid out, those that are NULL among them;
 * switch_values and switch_past change places. */
static bool is_fixed(const gt_stepper *s, const char *at)
{
    return INSIDE(s->method) || INSIDE(s->problem) || INSIDE(s->state) || INSIDE(s->algebraic) ||
           INSIDE(s->closing) || INSIDE(s->root_values) || INSIDE(s->root_sides) ||
           INSIDE(s->event_x) || INSIDE(s->fired) || INSIDE(s->switch_numbers) ||
           INSIDE(s->switch_sides) || INSIDE(s->switch_tied) || INSIDE(s->switch_held) ||
           INSIDE(s->switch_moves) || INSIDE(s->switch_work) || INSIDE(s->pulse_work) ||
           INSIDE(s->warnings) || INSIDE(s->rtol_vector) || INSIDE(s->atol_vector);
}

/* Words of a handle that each run has its own of, although they may be equal in two that were laid
 * out alike. */
static bool is_own(const gt_laid_run *laid, int block, size_t i)
{
    const char *at = laid->block[block].base + i * sizeof(gt_word);
    const run_handle *w = laid->w;
    const gt_run *r = &w->run;
    if (INSIDE(w->plan) || INSIDE(w->given) || INSIDE(w->asked) || INSIDE(w->watcher) ||
        INSIDE(w->arena) || INSIDE(w->own_memory) || INSIDE(w->breaks) || INSIDE(w->shown) ||
        INSIDE(w->kept) || INSIDE(w->pilot_state))
        return true;
    if (INSIDE(r->s) || INSIDE(r->base) || INSIDE(r->slide) || INSIDE(r->probe) ||
        INSIDE(r->plan) || INSIDE(r->problem) || INSIDE(r->message) || INSIDE(r->pilot) ||
        INSIDE(r->pilot_state) || INSIDE(r->leg) || INSIDE(r->phases))
        return true;
    if (is_fixed(&w->stepper, at) || is_fixed(&w->probe, at)) return true;
    if (laid->slide && is_fixed(gt_slide_stepper(laid->slide), at)) return true;
    if (laid->leg && is_fixed(gt_leg_stepper(laid->leg), at)) return true;
    for (size_t k = 0; k < laid->n_lu; k++)
        if (INSIDE(laid->lu[k]->klu)) return true;
    return false;
}

#undef INSIDE

/* A word of 64 bits that was laid out so may be the address of something outside, as functions,
 * tables and what malloc gives have them: it stays. Doubles, lengths and pairs of small numbers are
 * not taken for one. */
static bool may_be_address(uint64_t laid) { return laid >> 40 != 0 && laid >> 48 == 0; }

typedef enum word_kind { NUMBER, PLACE, PRIVATE } word_kind;

static word_kind kind_of(const gt_run_pair *pair, int block, size_t i, gt_word *laid_place)
{
    gt_word a = word_at(&pair->one.block[block], i), b = word_at(&pair->two.block[block], i), other;
    if (a == b) return NUMBER;
    if (!place_of(pair->one.block, a, laid_place) || !place_of(pair->two.block, b, &other))
        return PRIVATE;
    return *laid_place == other ? PLACE : PRIVATE;
}

/* ---- parts ---- */

/* The part that a place is in, and how far; NULL: it is in none. */
static const gt_run_part *part_at(const gt_laid_run *laid, gt_word place, size_t *offset)
{
    gt_word at = pointer_to(laid->block, place);
    for (size_t k = 0; k < laid->n_parts; k++) {
        gt_word base = (gt_word)laid->part[k].base;
        *offset = at - base;
        if (at >= base && *offset < laid->part[k].bytes) return &laid->part[k];
    }
    return NULL;
}

/* A pointer may move to a part with as much room behind it: arrays of the same size change places.
 */
static bool may_move(const gt_laid_run *laid, gt_word from, gt_word to)
{
    size_t old_offset = 0, offset = 0;
    const gt_run_part *old = from ? part_at(laid, from, &old_offset) : NULL,
                      *part = to ? part_at(laid, to, &offset) : NULL;
    const void *structs[] = {laid->w,
                             laid->slide,
                             laid->w->stepper.state,
                             laid->w->probe.state,
                             laid->slide ? gt_slide_stepper(laid->slide)->state : NULL,
                             laid->leg,
                             laid->leg ? gt_leg_stepper(laid->leg)->state : NULL};
    for (size_t k = 0; old && part && k < sizeof structs / sizeof *structs; k++)
        if (structs[k] && (structs[k] == old->base || structs[k] == part->base)) return false;
    return old && part && offset % sizeof(double) == 0 &&
           part->bytes - offset >= old->bytes - old_offset;
}

/* ---- writing ---- */

enum { SET = 8 }; /* words that share a byte of marks */

/* The word as it goes into the image; false: it is as it was laid out. */
static bool changed_word(const gt_run_pair *pair, const gt_run_block here[GT_RUN_BLOCKS], int b,
                         size_t i, gt_word *word, bool *astray)
{
    gt_word laid_place = 0, place;
    *word = word_at(&here[b], i);
    if (*word == word_at(&pair->one.block[b], i)) return false;
    switch (kind_of(pair, b, i, &laid_place)) {
    case NUMBER:
        if (is_own(&pair->one, b, i)) return false;
        *astray = may_be_address(word_at(&pair->one.block[b], i));
        return true;
    case PRIVATE:
        return false;
    case PLACE:
        break;
    }
    if (is_own(&pair->one, b, i)) return false;
    *astray = !place_of(here, *word, &place);
    *word = place;
    /* Arrays of a rank without states have no room, and change places with each other. */
    bool empty = gt_problem_size(&pair->one.w->problem) == 0;
    if (empty && !*astray && !may_move(&pair->one, laid_place, place)) return false;
    return place != laid_place;
}

static gt_status write_block(const gt_run_pair *pair, const gt_run_block here[GT_RUN_BLOCKS], int b,
                             gt_bytes *out, gt_message *message)
{
    size_t count = words_of(&here[b]), marks = (count + SET - 1) / SET;
    gt_bytes_add_number(out, here[b].bytes);
    size_t at = out->used;
    static const unsigned char none[64];
    for (size_t k = 0; k < marks; k += sizeof none)
        gt_bytes_add(out, none, marks - k < sizeof none ? marks - k : sizeof none);
    gt_bytes_pad(out);
    for (size_t i = 0; i < count && !out->failed; i++) {
        gt_word word;
        bool astray = false;
        if (!changed_word(pair, here, b, i, &word, &astray)) continue;
        if (astray)
            return gt_fail(
                message, GT_UNSUPPORTED,
                "word %zu of block %d of this run by %s points to memory that is not the run's", i,
                b, pair->one.w->run.base->method->name);
        gt_bytes_add(out, &word, sizeof word);
        if (!out->failed)
            out->data[at + i / SET] = (unsigned char)(out->data[at + i / SET] | 1u << i % SET);
    }
    gt_bytes_pad(out);
    return GT_OK;
}

/* The LU of a run that is where LU i of the laid out one is. */
static gt_lu *lu_of(const gt_laid_run *laid, const gt_run_block here[GT_RUN_BLOCKS], size_t i)
{
    gt_word place = 0;
    (void)place_of(laid->block, (gt_word)laid->lu[i], &place);
    return (gt_lu *)pointer_to(here, place); /* NOLINT: a place in the memory of the run */
}

static void write_factors(const gt_laid_run *laid, const gt_run_block here[GT_RUN_BLOCKS],
                          gt_bytes *out)
{
    for (size_t k = 0; k < laid->n_lu && !out->failed; k++) {
        const gt_lu *lu = lu_of(laid, here, k);
        size_t count = lu->klu ? gt_klu_numbers(lu) : 0;
        gt_bytes_add_number(out, count);
        double *numbers = malloc((count + 1) * sizeof *numbers);
        out->failed = out->failed || !numbers;
        if (numbers && count) gt_klu_keep(lu, numbers);
        if (numbers) gt_bytes_add(out, numbers, count * sizeof *numbers);
        free(numbers);
    }
}

gt_status gt_image_write(const gt_run_pair *pair, run_handle *w, gt_bytes *out, gt_message *message)
{
    gt_run_block here[GT_RUN_BLOCKS];
    find_blocks(w, here);
    gt_status status = GT_OK;
    for (int b = 0; b < GT_RUN_BLOCKS && !status; b++)
        status = write_block(pair, here, b, out, message);
    if (status) return status;
    gt_bytes_add_number(out, w->plan.n_sinks);
    for (size_t k = 0; k < w->plan.n_sinks; k++) gt_bytes_add_number(out, w->plan.sinks[k]->next);
    write_factors(&pair->one, here, out);
    return out->failed ? gt_fail(message, GT_NO_MEMORY, "out of memory for the image of a run")
                       : GT_OK;
}

/* ---- reading ---- */

static const char damaged[] = "the image of the run is damaged";

static gt_status read_block(gt_run_pair *pair, int b, gt_reader *in, gt_message *message)
{
    const gt_run_block *here = &pair->one.block[b];
    uint64_t bytes = gt_reader_number(in);
    if (in->failed || bytes != here->bytes)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the image is of a run with %llu bytes of memory and this run has %zu: "
                       "their layouts differ",
                       (unsigned long long)bytes, here->bytes);
    size_t count = words_of(here), marks = (count + SET - 1) / SET, taken = 0;
    const unsigned char *mark = gt_reader_take(in, marks);
    gt_reader_pad(in, marks);
    for (size_t i = 0; i < count && !in->failed; i++) {
        if (!(mark[i / SET] >> i % SET & 1)) continue;
        gt_word word = 0, from = 0;
        const unsigned char *at = gt_reader_take(in, sizeof word);
        taken += sizeof word;
        if (!at) break;
        memcpy(&word, at, sizeof word);
        word_kind kind = kind_of(pair, b, i, &from);
        bool stays = kind == NUMBER && may_be_address(word_at(here, i));
        if (kind == PRIVATE || stays || is_own(&pair->one, b, i))
            return gt_fail(message, GT_BAD_ARGUMENT, "%s", damaged);
        if (kind == PLACE) {
            if (!may_move(&pair->one, from, word))
                return gt_fail(message, GT_BAD_ARGUMENT, "%s: word %zu points nowhere", damaged, i);
            word = pointer_to(pair->one.block, word);
        }
        set_word(here, i, word);
    }
    gt_reader_pad(in, taken);
    return in->failed ? gt_fail(message, GT_BAD_ARGUMENT, "%s", damaged) : GT_OK;
}

static gt_status read_sinks(run_handle *w, gt_reader *in)
{
    uint64_t count = gt_reader_number(in);
    w->run.wanted = 0;
    gt_run_begin_sinks(&w->run);
    bool same = count == w->plan.n_sinks;
    for (uint64_t k = 0; k < count && !in->failed; k++) {
        size_t next = (size_t)gt_reader_number(in);
        if (same) w->plan.sinks[k]->next = next;
    }
    if (!in->failed && !same) gt_run_skip_outputs(&w->run);
    return in->failed ? GT_BAD_ARGUMENT : GT_OK;
}

/* The numbers follow at any place of the bytes: KLU wants them aligned. */
static gt_status read_factors(gt_laid_run *laid, gt_reader *in, gt_message *message)
{
    gt_status status = GT_OK;
    for (size_t k = 0; k < laid->n_lu && !status; k++) {
        gt_lu *lu = laid->lu[k];
        uint64_t count = gt_reader_number(in);
        if (!count) continue;
        status = gt_image_check_pattern(laid, lu, message);
        if (!status &&
            (in->failed || count != gt_klu_numbers(lu) || count > in->left / sizeof(double)))
            status = gt_fail(message, GT_BAD_ARGUMENT, "%s", damaged);
        double *numbers = status ? NULL : malloc((size_t)count * sizeof *numbers);
        if (!status && !numbers)
            status = gt_fail(message, GT_NO_MEMORY, "out of memory for sparse factors");
        if (status) break;
        memcpy(numbers, gt_reader_take(in, (size_t)count * sizeof *numbers),
               (size_t)count * sizeof *numbers);
        status = gt_klu_recall(lu, numbers);
        free(numbers);
        if (status)
            gt_fail(message, status, "the factors of a sparse matrix could not be made again");
    }
    return !status && in->failed ? gt_fail(message, GT_BAD_ARGUMENT, "%s", damaged) : status;
}

gt_status gt_image_read(gt_run_pair *pair, gt_reader *in, gt_message *message)
{
    gt_laid_run *laid = &pair->one;
    run_handle *w = laid->w;
    gt_run_laws laws = gt_image_laws(laid);
    gt_status status = GT_OK;
    for (int b = 0; b < GT_RUN_BLOCKS && !status; b++) status = read_block(pair, b, in, message);
    if (status) return status;
    atomic_flag_clear(&w->busy);
    w->run.base = laid->leg ? gt_leg_stepper(laid->leg) : &w->stepper;
    w->run.s = laid->slide ? gt_slide_stepper(laid->slide) : w->run.base;
    w->run.slide = laid->slide;
    w->run.leg = laid->leg;
    status = gt_image_check(laid, &laws, message);
    if (!status && read_sinks(w, in)) status = gt_fail(message, GT_BAD_ARGUMENT, "%s", damaged);
    return status ? status : read_factors(laid, in, message);
}
