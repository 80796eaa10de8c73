/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_MEMORY_H
#define GEARTRAIN_MEMORY_H

#include <geartrain/api.h>
#include <geartrain/method.h>

GT_C_BEGIN

/*
 * What the workspace of a stepper is made of, found by laying it out for problems with more states
 * and with more entries in a sparse Jacobian, half of the states slow and half fast. What is left
 * over does not grow. The factors of a sparse matrix are not in it: KLU allocates them, and how
 * many numbers they have depends on the fill.
 */
typedef struct gt_memory {
    double vectors;  /* of all states; one of a block counts as its share */
    double matrices; /* values of matrices that are as sparse as the Jacobian, in units of its
                        entries */
    double places;   /* of entries, as integers, in the same units */
    double integers; /* a state */
    double squares;  /* dense matrices of n x n numbers */
    size_t fixed;    /* bytes that do not grow */
    size_t few_fast; /* 0, or how many fast states there were because the method does not take half
                        of them */
} gt_memory;

GT_API gt_status gt_memory_account(const gt_method *method, const char *options, gt_memory *memory,
                                   gt_message *message) GT_MUST_CHECK;

/* Bytes a state for a Jacobian with `entries` entries in a row; squares are left out. */
static inline double gt_memory_per_state(const gt_memory *memory, double entries)
{
    return 8 * (memory->vectors + memory->matrices * entries) +
           4 * (memory->places * entries + memory->integers);
}

GT_C_END

#endif
