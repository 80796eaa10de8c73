/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The seal behind a compiled object: one line with the key that it was made for, its length and its
 * SHA-256.
 *
 * An object is code. One that a full disk, a power cut or a stray program damaged kills the process
 * that loads it, and no loader looks at more than the first bytes. So nothing is loaded from the
 * cache whose seal does not fit. Loaders read what the program headers name and nothing behind it,
 * so the line may stand at the end of the file itself, where it cannot get lost or be of another
 * object.
 */
#define _XOPEN_SOURCE 700
#include "native/native.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TITLE "\ngeartrain object 1"
enum { LENGTH_DIGITS = 20, SEAL_BYTES = sizeof TITLE + LENGTH_DIGITS + 2 * GT_SHA256_HEX + 1 };

typedef char seal_text[SEAL_BYTES + 1];

/* The seal of the first `length` bytes; false when they cannot be read. */
static bool make_seal(int descriptor, off_t length, const char *key, seal_text seal)
{
    gt_sha256 hash;
    char buffer[16384], hex[GT_SHA256_HEX];
    off_t at = 0;
    gt_sha256_begin(&hash);
    while (at < length) {
        size_t part = length - at < (off_t)sizeof buffer ? (size_t)(length - at) : sizeof buffer;
        ssize_t got = pread(descriptor, buffer, part, at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        gt_sha256_add(&hash, buffer, (size_t)got);
        at += got;
    }
    gt_sha256_hex(&hash, hex);
    snprintf(seal, SEAL_BYTES + 1, TITLE " %0*lld %s %s\n", LENGTH_DIGITS, (long long)length, key,
             hex);
    return true;
}

static bool write_all(int descriptor, const char *bytes, size_t count)
{
    while (count) {
        ssize_t put = write(descriptor, bytes, count);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        bytes += put;
        count -= (size_t)put;
    }
    return true;
}

bool gt_object_seal(const char *path, const char *key)
{
    struct stat info;
    seal_text seal;
    int descriptor = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
    if (descriptor < 0) return false;
    bool sealed = !fstat(descriptor, &info) && make_seal(descriptor, info.st_size, key, seal) &&
                  write_all(descriptor, seal, strlen(seal)) && !fchmod(descriptor, 0600) &&
                  !fsync(descriptor);
    int error = errno;
    if (close(descriptor) && sealed) return false;
    errno = error;
    return sealed;
}

bool gt_object_is_sound(int descriptor, const char *key)
{
    struct stat info;
    seal_text wanted, found;
    if (fstat(descriptor, &info) || !S_ISREG(info.st_mode) || info.st_size <= SEAL_BYTES)
        return false;
    off_t length = info.st_size - SEAL_BYTES;
    if (pread(descriptor, found, SEAL_BYTES, length) != SEAL_BYTES) return false;
    found[SEAL_BYTES] = '\0';
    return make_seal(descriptor, length, key, wanted) && !strcmp(found, wanted);
}
