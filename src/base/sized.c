/* SPDX-License-Identifier: BSD-3-Clause */
/* Structs of callers that were compiled with another version of the headers. */
#include "base/sized.h"
#include <string.h>

void gt_widen(void *full, size_t full_size, const void *given, size_t given_size)
{
    size_t common = given_size < full_size ? given_size : full_size;
    memcpy(full, given, common);
    memset((char *)full + common, 0, full_size - common);
}

void gt_narrow(void *given, size_t given_size, const void *full, size_t full_size)
{
    gt_widen(given, given_size, full, full_size);
}

bool gt_has_more(const void *given, size_t size, size_t known)
{
    const unsigned char *bytes = given;
    for (size_t k = known; k < size; k++)
        if (bytes[k]) return true;
    return false;
}

gt_status gt_fail_newer(gt_message *message, const char *type)
{
    return gt_fail(message, GT_OTHER_VERSION,
                   "a %s uses what this version of the library does not have: the program was "
                   "compiled with the headers "
                   "of a later one",
                   type);
}

gt_status gt_fail_older(gt_message *message, const char *type)
{
    return gt_fail(message, GT_OTHER_VERSION,
                   "the %s that was made needs fields that the program does not have: compile it "
                   "again with the headers "
                   "of this version",
                   type);
}
