/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_BASE_BYTES_H
#define GEARTRAIN_BASE_BYTES_H

/* Bytes that are written one piece after the other, and read so: every length is checked before it
 * is used. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gt_bytes {
    unsigned char *data; /* from malloc */
    size_t used, room;
    bool failed; /* out of memory; all that was to be added since is missing */
} gt_bytes;

void gt_bytes_add(gt_bytes *bytes, const void *data, size_t count);
void gt_bytes_add_number(gt_bytes *bytes, uint64_t number);
/* Zeros up to the next multiple of 8. */
void gt_bytes_pad(gt_bytes *bytes);
/* Text, without the zero behind it. */
void gt_bytes_print(gt_bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct gt_reader {
    const unsigned char *at;
    size_t left;
    bool failed; /* more was asked for than there is */
} gt_reader;

/* NULL: so many are not there. */
const unsigned char *gt_reader_take(gt_reader *reader, size_t count);
uint64_t gt_reader_number(gt_reader *reader);
void gt_reader_pad(gt_reader *reader, size_t after);

/* CRC-64 of ECMA-182, bits reflected: finds every error of up to 64 bits in a row. Begins with 0.
 */
uint64_t gt_crc64(uint64_t crc, const void *data, size_t count);

#endif
