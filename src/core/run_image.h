/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CORE_RUN_IMAGE_H
#define GEARTRAIN_CORE_RUN_IMAGE_H

/*
 * A run as numbers. Its memory is one block, one more while it slides on a surface, and one more
 * where it has a pilot and so a stepper of its own; in them are numbers, pointers into the blocks,
 * and pointers to what lies outside: the problem, functions, tables of a method. Nobody has to
 * write down which word is what. A run is laid out (gt_run_lay) twice, in two places, and the two
 * are compared word by word:
 *
 *   they are equal                            a number, or a pointer to something outside
 *   they differ, and both point to the        a pointer into the blocks
 *     same place in their own blocks
 *   they differ otherwise                     private to each run, as what it has allocated
 *
 * An image has the numbers that are not what laying out makes of them, and the pointers into the
 * blocks that have moved, as places. What has stayed as it was laid out, pointers to the outside
 * among it, is not in it: the run that gets the image has been laid out itself and has its own. So
 * a method must set all its pointers in `layout`; afterwards those into its memory may change
 * places. tests/test_run_copy.c finds a method that does otherwise.
 */
#include "base/bytes.h"
#include "core/run_handle.h"
#include <geartrain/author/lu.h>

enum { GT_RUN_BLOCKS = 3 }; /* the run; its sliding motion; the stepper of a run with a pilot */

typedef uintptr_t gt_word;

typedef struct gt_run_block {
    char *base;
    size_t bytes; /* a multiple of GT_ALIGN */
} gt_run_block;

/* A part of a block that was given out in one piece. */
typedef struct gt_run_part {
    char *base;
    size_t bytes;
} gt_run_part;

/* A run and where its memory is. */
typedef struct gt_laid_run {
    run_handle *w;
    struct gt_slide *slide; /* NULL: none */
    struct gt_leg *leg;
    gt_run_block block[GT_RUN_BLOCKS];
    gt_lu **lu; /* all LUs that it has laid out */
    gt_run_part *part;
    size_t n_lu, lu_room, n_parts, part_room;
    bool failed; /* out of memory for these */
} gt_laid_run;

/* Two of them, which differ in the addresses only. */
typedef struct gt_run_pair {
    gt_laid_run one, two;
} gt_run_pair;

gt_status gt_run_pair_open(gt_run_pair *pair, const gt_problem *problem, const gt_leg_name *name,
                           const gt_plan *plan, size_t surfaces, gt_message *message) GT_MUST_CHECK;
/* Frees all but the first run when that has been taken. */
void gt_run_pair_free(gt_run_pair *pair, bool first_is_taken);

/* The run as bytes behind those that are there. */
gt_status gt_image_write(const gt_run_pair *pair, run_handle *w, gt_bytes *out,
                         gt_message *message) GT_MUST_CHECK;
/* And back, into the first run of the pair. A status: the bytes are not those of a run like this
 * one. */
gt_status gt_image_read(gt_run_pair *pair, gt_reader *in, gt_message *message) GT_MUST_CHECK;

/* run_check.c: what holds for every run, whatever numbers it was given from outside. */
typedef struct gt_run_laws {
    size_t n, bytes, n_breaks, n_roots, surfaces; /* on which it slides */
    double sign;
    int error_order;
} gt_run_laws;
gt_run_laws gt_image_laws(const gt_laid_run *laid);
gt_status gt_image_check(const gt_laid_run *laid, const gt_run_laws *laws,
                         gt_message *message) GT_MUST_CHECK;
/* That of a sparse matrix, before it is factored. */
gt_status gt_image_check_pattern(const gt_laid_run *laid, const gt_lu *lu,
                                 gt_message *message) GT_MUST_CHECK;

/* run_about.c: lines `name: value` of all that a run depends on and that is not in its memory.
 * Evaluates f. */
void gt_run_describe(run_handle *w, gt_bytes *text);

#endif
