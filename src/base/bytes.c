/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bytes.h"
#include <geartrain/author/number.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *make_room(gt_bytes *bytes, size_t count)
{
    if (bytes->failed) return NULL;
    if (bytes->room - bytes->used < count) {
        size_t room = bytes->used + count + bytes->room / 2 + 256;
        unsigned char *larger = room > bytes->used ? realloc(bytes->data, room) : NULL;
        bytes->failed = !larger;
        if (!larger) return NULL;
        bytes->data = larger;
        bytes->room = room;
    }
    unsigned char *at = bytes->data + bytes->used;
    bytes->used += count;
    return at;
}

void gt_bytes_add(gt_bytes *bytes, const void *data, size_t count)
{
    unsigned char *at = make_room(bytes, count);
    if (at && count) memcpy(at, data, count);
}

void gt_bytes_add_number(gt_bytes *bytes, uint64_t number)
{
    gt_bytes_add(bytes, &number, sizeof number);
}

void gt_bytes_pad(gt_bytes *bytes)
{
    static const unsigned char zeros[8];
    gt_bytes_add(bytes, zeros, (8 - bytes->used % 8) % 8);
}

void gt_bytes_print(gt_bytes *bytes, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    gt_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    gt_bytes_add(bytes, text, strlen(text));
}

const unsigned char *gt_reader_take(gt_reader *reader, size_t count)
{
    if (reader->failed || count > reader->left) {
        reader->failed = true;
        return NULL;
    }
    const unsigned char *at = reader->at;
    reader->at += count;
    reader->left -= count;
    return at;
}

uint64_t gt_reader_number(gt_reader *reader)
{
    uint64_t number = 0;
    const unsigned char *at = gt_reader_take(reader, sizeof number);
    if (at) memcpy(&number, at, sizeof number);
    return number;
}

void gt_reader_pad(gt_reader *reader, size_t after)
{
    (void)gt_reader_take(reader, (8 - after % 8) % 8);
}

/* x^64 + .. of ECMA-182 with its bits reversed, for four bits at a time. */
static uint64_t four_bits(uint64_t crc)
{
    for (int k = 0; k < 4; k++) crc = crc & 1 ? crc >> 1 ^ UINT64_C(0xC96C5795D7870F42) : crc >> 1;
    return crc;
}

uint64_t gt_crc64(uint64_t crc, const void *data, size_t count)
{
    uint64_t table[16];
    for (unsigned k = 0; k < 16; k++) table[k] = four_bits(k);
    const unsigned char *at = data;
    crc = ~crc;
    for (size_t i = 0; i < count; i++) {
        crc ^= at[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}
