/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* O_CLOEXEC */
/* The one reader of whole files: only of what has an end, and is not longer than it may be. */
#include <errno.h>
#include <fcntl.h>
#include <geartrain/author/file.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gt_status check_kind(int descriptor, const char *path, size_t most, size_t *expected,
                            gt_message *message)
{
    struct stat info;
    if (fstat(descriptor, &info))
        return gt_fail(message, GT_IO, "%s cannot be read: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode)) return gt_fail(message, GT_IO, "%s is a folder, not a file", path);
    if (!S_ISREG(info.st_mode))
        return gt_fail(message, GT_IO,
                       "%s is not a file but a device or a pipe, which may have no end", path);
    if (info.st_size > 0 && (uintmax_t)info.st_size > most)
        return gt_fail(message, GT_IO, "%s has %lld bytes, and at most %zu are read", path,
                       (long long)info.st_size, most);
    *expected = (size_t)info.st_size;
    return GT_OK;
}

/* To the end, or one byte beyond `most`. */
static gt_status read_to_end(int descriptor, const char *path, size_t most, size_t room,
                             char **text, size_t *length, gt_message *message)
{
    char *buffer = malloc(room + 2);
    size_t used = 0;
    ssize_t got = 1;
    while (buffer && got && used <= most) {
        if (used ==
            room + 1) { /* it grew since it was looked at, or its size is not known, as in /proc */
            char *larger = realloc(buffer, (room = 2 * room + 4096) + 2);
            if (!larger) free(buffer);
            buffer = larger;
            if (!buffer) break;
        }
        got = read(descriptor, buffer + used, room + 1 - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            free(buffer);
            return gt_fail(message, GT_IO, "%s cannot be read: %s", path, strerror(errno));
        }
        used += (size_t)got;
    }
    if (!buffer) return gt_fail(message, GT_NO_MEMORY, "out of memory to read %s", path);
    if (used > most) {
        free(buffer);
        return gt_fail(message, GT_IO, "%s has more than the %zu bytes that are read", path, most);
    }
    buffer[used] = '\0';
    *text = buffer;
    *length = used;
    return GT_OK;
}

gt_status gt_file_read(const char *path, size_t most, char **text, size_t *length,
                       gt_message *message)
{
    if (text) *text = NULL;
    if (length) *length = 0;
    if (!path || !text || !length)
        return gt_fail(message, GT_BAD_ARGUMENT, "gt_file_read: an argument is NULL");
    if (most > SIZE_MAX / 4) most = SIZE_MAX / 4;
    /* O_NONBLOCK: to open a pipe that nobody writes to would wait for ever. */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return gt_fail(message, GT_IO, "%s cannot be opened: %s", path, strerror(errno));
    size_t expected = 0;
    gt_status status = check_kind(descriptor, path, most, &expected, message);
    if (!status) status = read_to_end(descriptor, path, most, expected, text, length, message);
    close(descriptor);
    return status;
}
