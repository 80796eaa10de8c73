/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_BASE_SIZED_H
#define GEARTRAIN_BASE_SIZED_H

/*
 * Structs that a caller fills may get more fields at their ends in later versions. The headers pass
 * the size that the caller was compiled with, NAME_size beside each pointer NAME, and a function
 * begins with
 *
 *     GT_WIDEN(message, gt_problem, problem);
 *
 * after which `problem` has all fields of this version, zero where the caller has none. Structs
 * that the library fills are given back by GT_OUT and GT_GIVE, no further than the caller's end.
 */
#include <geartrain/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Copies what there is of `given` into `full` and clears the rest. */
void gt_widen(void *full, size_t full_size, const void *given, size_t given_size);
/* Copies no more than there is room for; more room than that is cleared. */
void gt_narrow(void *given, size_t given_size, const void *full, size_t full_size);
/* Whether a struct has something behind the first `known` bytes. */
bool gt_has_more(const void *given, size_t size, size_t known);
/* GT_OTHER_VERSION and the message about it. */
gt_status gt_fail_newer(gt_message *message, const char *type);
gt_status gt_fail_older(gt_message *message, const char *type);

#define GT_WIDEN_QUIETLY(type, name)                                                               \
    type name##_full;                                                                              \
    if (name && name##_size != sizeof name##_full) {                                               \
        gt_widen(&name##_full, sizeof name##_full, name, name##_size);                             \
        name = &name##_full;                                                                       \
    }

/* The same where a status is returned: a caller of a later version that uses what is not known here
 * is refused. */
#define GT_WIDEN(message, type, name)                                                              \
    if (name && gt_has_more(name, name##_size, sizeof(type)))                                      \
        return gt_fail_newer(message, #type);                                                      \
    GT_WIDEN_QUIETLY(type, name)

/* `name` can be written to as a whole, with what the caller had in it. */
#define GT_OUT(type, name)                                                                         \
    type *const name##_given = name;                                                               \
    GT_WIDEN_QUIETLY(type, name)

#define GT_GIVE(name)                                                                              \
    if (name != name##_given) gt_narrow(name##_given, name##_size, name, sizeof *name)

/* A problem that has something which the caller's struct has no room for is no problem that the
 * caller could use. */
#define GT_GIVE_WHOLE(message, status, name)                                                       \
    GT_GIVE(name);                                                                                 \
    if (!(status) && name && name != name##_given && gt_has_more(name, sizeof *name, name##_size)) \
    status = gt_fail_older(message, "gt_problem")

#endif
