/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_SHA256_H
#define GEARTRAIN_LANG_SHA256_H

#include <stddef.h>
#include <stdint.h>

/* SHA-256 (FIPS 180-4), which names compiled models by what they were made from. Written here
 * because a library of cryptography would be by far the largest dependency of the program, for this
 * one function. */
typedef struct gt_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
} gt_sha256;

enum { GT_SHA256_HEX = 65 }; /* with the 0 at the end */

void gt_sha256_begin(gt_sha256 *hash);
void gt_sha256_add(gt_sha256 *hash, const void *data, size_t size);
void gt_sha256_hex(gt_sha256 *hash, char hex[GT_SHA256_HEX]);

/* Text with its 0 at the end, so that "ab" + "c" is not "a" + "bc". */
void gt_sha256_add_text(gt_sha256 *hash, const char *text);

#endif
