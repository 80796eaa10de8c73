/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* fopencookie, flock, realpath */
/*
 * The one writer of files that appear only when they are complete.
 *
 * stdio passes its buffer on wherever it happens to be full, so the stream is one of our own: what
 * comes is held back behind the last end of a line. When a write fails, the file is cut at the last
 * line that is whole.
 *
 * A live process holds a lock on its temporary file, which ends with the process however that ends.
 * So a temporary file without a lock is one that was left behind; it stays, for it may be all that
 * is left of a long run.
 */
#include <errno.h>
#include <fcntl.h>
#include <geartrain/author/file.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 4096, MOST_NAMES = 10000 }; /* BUFFER: what a process that is killed may lose */

static char *joined(const char *a, const char *b, int number)
{
    size_t room = strlen(a) + strlen(b) + 16;
    char *text = malloc(room);
    if (text && number > 1) snprintf(text, room, "%s%s%d", a, b, number);
    if (text && number <= 1) snprintf(text, room, "%s%s", a, b);
    return text;
}

/* A device, a pipe, /dev/stdout whatever it leads to, or a link to nothing, which must not be
 * replaced by a file of its name. */
static bool is_special(const char *path)
{
    struct stat info;
    if (!strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6)) return true;
    return stat(path, &info) ? !lstat(path, &info) : !S_ISREG(info.st_mode);
}

static char *target_of(const char *path)
{
    struct stat info;
    bool link = !is_special(path) && !lstat(path, &info) && S_ISLNK(info.st_mode);
    char *target = link ? realpath(path, NULL) : NULL;
    return target ? target : joined(path, "", 1);
}

/* Bytes up to and with the last end of a line. */
static size_t whole_lines(const char *text, size_t length)
{
    const char *last = length ? memrchr(text, '\n', length) : NULL;
    return last ? (size_t)(last - text) + 1 : 0;
}

static size_t count_lines(const char *text, size_t length)
{
    size_t count = 0;
    for (const char *end = text + length; (text = memchr(text, '\n', (size_t)(end - text))); text++)
        count++;
    return count;
}

/* Puts all of it into the file, or what of it are whole lines. */
static bool put(gt_file *file, const char *text, size_t length)
{
    size_t done = 0;
    while (done < length && !file->error) {
        ssize_t wrote = write(file->descriptor, text + done, length - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) file->error = wrote < 0 && errno ? errno : EIO;
        if (wrote > 0) done += (size_t)wrote;
    }
    size_t kept = done < length ? whole_lines(text, done) : length;
    file->length += (long long)kept;
    file->lines += count_lines(text, kept);
    if (kept < done && ftruncate(file->descriptor, (off_t)file->length)) return false;
    return kept == length;
}

static bool hold_back(gt_file *file, const char *text, size_t length)
{
    if (!length) return true;
    if (file->room - file->used < length) {
        size_t room = 2 * file->room + length;
        char *larger = realloc(file->pending, room);
        if (!larger) {
            file->error = ENOMEM;
            return false;
        }
        file->pending = larger;
        file->room = room;
    }
    memcpy(file->pending + file->used, text, length);
    file->used += length;
    return true;
}

/* For stdio. */
static ssize_t take(void *cookie, const char *text, size_t length)
{
    gt_file *file = cookie;
    size_t whole = whole_lines(text, length);
    bool taken = !file->error;
    if (taken && whole && file->used) { /* the line that was begun comes first */
        size_t first = (size_t)((const char *)memchr(text, '\n', length) - text) + 1;
        taken = hold_back(file, text, first) && put(file, file->pending, file->used);
        file->used = 0;
        if (taken) taken = put(file, text + first, whole - first);
    } else if (taken && whole) {
        taken = put(file, text, whole);
    }
    if (taken) taken = hold_back(file, text + whole, length - whole);
    if (taken) return (ssize_t)length;
    errno = file->error;
    return 0;
}

static FILE *line_stream(gt_file *file)
{
    FILE *stream = fopencookie(file, "w", (cookie_io_functions_t){.write = take});
    if (stream) setvbuf(stream, NULL, _IOFBF, BUFFER);
    return stream;
}

/* The process that wrote it has ended. */
static bool is_left_behind(const char *name)
{
    int descriptor = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool alone = descriptor >= 0 && (!flock(descriptor, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK);
    if (descriptor >= 0) close(descriptor);
    return alone;
}

/* Makes a temporary file that did not exist, with the mode that any new file gets, and looks at
 * those that did. */
static bool make_temporary(gt_file *file)
{
    for (int k = 1; k < MOST_NAMES; k++) {
        struct stat info;
        char *name = joined(file->path, ".unfinished", k);
        if (!name) return false;
        int made = file->temporary ? -1 : open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        int error = errno;
        if (made >= 0) {
            file->descriptor = made;
            file->temporary = name;
            (void)flock(made, LOCK_EX | LOCK_NB);
            continue;
        }
        bool there = !lstat(name, &info);
        if (there && !file->left_behind && is_left_behind(name)) {
            file->left_behind = name;
            name = NULL;
        }
        free(name);
        errno = error;
        if (file->temporary && !there) return true;
        if (!file->temporary && error != EEXIST) return false;
    }
    return file->temporary != NULL;
}

static void forget(gt_file *file)
{
    free(file->path);
    free(file->temporary);
    free(file->left_behind);
    free(file->pending);
    *file = (gt_file){.descriptor = -1, .lines = file->lines, .partial = file->partial};
}

static gt_status cannot_write(const gt_file *file, gt_message *message)
{
    return gt_fail(message, GT_IO, "cannot write %s: %s", file->path,
                   strerror(file->error ? file->error : errno));
}

gt_status gt_file_open(gt_file *file, const char *path, gt_message *message)
{
    if (!file) return gt_fail(message, GT_BAD_ARGUMENT, "gt_file_open: file is NULL");
    *file = (gt_file){.descriptor = -1};
    if (!path || !*path)
        return gt_fail(message, GT_BAD_ARGUMENT, "a file to be written has no name");
    file->path = target_of(path);
    if (!file->path) return gt_fail(message, GT_NO_MEMORY, "out of memory to open %s", path);
    if (!strcmp(path, "-"))
        file->stream = stdout;
    else if (is_special(path))
        file->stream = fopen(path, "w");
    else if (make_temporary(file))
        file->stream = line_stream(file);
    if (file->stream) return GT_OK;
    gt_status status = cannot_write(file, message);
    if (file->descriptor >= 0) close(file->descriptor);
    if (file->temporary) unlink(file->temporary);
    forget(file);
    return status;
}

static gt_status close_special(gt_file *file, gt_message *message)
{
    FILE *stream = file->stream;
    gt_status status = GT_OK;
    if (fflush(stream) || ferror(stream)) status = cannot_write(file, message);
    if (stream != stdout && fclose(stream) && !status) status = cannot_write(file, message);
    forget(file);
    return status;
}

/* What is in the file, in the place of what should be. */
static gt_status name_partial(gt_file *file, gt_message *message)
{
    char *partial = joined(file->path, ".partial", 1);
    gt_status status = GT_OK;
    if (!file->length) {
        unlink(file->temporary);
    } else if (!partial || rename(file->temporary, partial)) {
        status = cannot_write(file, message);
        gt_say_more(message, "; what was written is in %s", file->temporary);
    } else {
        file->partial = true;
        if (file->error)
            gt_say_more(message, "; the %zu lines that could be written are in %s", file->lines,
                        partial);
    }
    free(partial);
    return status;
}

gt_status gt_file_close(gt_file *file, bool complete, gt_message *message)
{
    if (!file || !file->stream) return GT_OK;
    if (!file->temporary) return close_special(file, message);
    gt_status status = GT_OK;
    if (fclose(file->stream) && !file->error) file->error = errno ? errno : EIO;
    /* A last line without an end belongs to a complete file only. */
    if (complete && !file->error && file->used) (void)put(file, file->pending, file->used);
    if (complete && !file->error && fsync(file->descriptor) && errno != EINVAL) file->error = errno;
    if (close(file->descriptor) && !file->error) file->error = errno;
    if (complete && !file->error && rename(file->temporary, file->path)) file->error = errno;
    if (file->error) status = cannot_write(file, message);
    if (!complete || file->error) {
        gt_status named = name_partial(file, message);
        if (!status) status = named;
    }
    forget(file);
    return status;
}

void gt_file_discard(gt_file *file)
{
    if (!file || !file->stream) return;
    if (file->stream != stdout) fclose(file->stream);
    if (file->descriptor >= 0) close(file->descriptor);
    if (file->temporary) unlink(file->temporary);
    forget(file);
}

/* ---- going on with a file of a process that has ended ---- */

enum { TAIL = 65536 }; /* bytes before the mark that are compared */

/* FNV-1a of what comes before `length`. */
static bool sum_tail(int descriptor, long long length, unsigned long long *sum)
{
    char buffer[4096];
    long long at = length > TAIL ? length - TAIL : 0;
    *sum = 0xcbf29ce484222325u;
    while (at < length) {
        size_t want =
            length - at < (long long)sizeof buffer ? (size_t)(length - at) : sizeof buffer;
        ssize_t got = pread(descriptor, buffer, want, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        for (ssize_t k = 0; k < got; k++) *sum = (*sum ^ (unsigned char)buffer[k]) * 0x100000001b3u;
        at += got;
    }
    return true;
}

gt_status gt_file_sync(gt_file *file, gt_file_mark *mark, gt_message *message)
{
    GT_ARMOR(message, file && mark);
    *mark = (gt_file_mark){0};
    if (!file->stream || !file->temporary)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "only a file that is open and has a name of its own can be resumed");
    if (fflush(file->stream) && !file->error) file->error = errno ? errno : EIO;
    if (!file->error && fsync(file->descriptor) && errno != EINVAL) file->error = errno;
    if (file->error) return cannot_write(file, message);
    mark->length = (unsigned long long)file->length;
    mark->lines = file->lines;
    if (!sum_tail(file->descriptor, file->length, &mark->sum)) return cannot_write(file, message);
    return GT_OK;
}

/* The first of the names under which the file may have been left that has what the mark says. */
static int find_left(gt_file *file, const gt_file_mark *mark)
{
    for (int k = 0; k < MOST_NAMES; k++) {
        char *name = k ? joined(file->path, ".unfinished", k) : joined(file->path, ".partial", 1);
        if (!name) return -1;
        int descriptor = open(name, O_RDWR | O_CLOEXEC);
        bool missing = descriptor < 0 && errno == ENOENT;
        unsigned long long sum;
        bool free_to_take = descriptor >= 0 && !flock(descriptor, LOCK_EX | LOCK_NB);
        if (free_to_take && sum_tail(descriptor, (long long)mark->length, &sum) &&
            sum == mark->sum) {
            file->temporary = name;
            return descriptor;
        }
        if (descriptor >= 0) close(descriptor);
        free(name);
        if (k > 16 && missing) break;
    }
    return -1;
}

static bool copy_bytes(int from, int to, unsigned long long count)
{
    char buffer[4096];
    while (count) {
        ssize_t got = read(from, buffer, count < sizeof buffer ? (size_t)count : sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        for (ssize_t done = 0, wrote; done < got; done += wrote)
            if ((wrote = write(to, buffer + done, (size_t)(got - done))) <= 0) return false;
        count -= (unsigned long long)got;
    }
    return true;
}

/* The file itself has its name already: the process was killed after that, or has not been killed
 * at all. It stays until it is replaced, and what comes before the mark is copied. */
static int copy_named(gt_file *file, const gt_file_mark *mark)
{
    unsigned long long sum;
    int from = is_special(file->path) ? -1 : open(file->path, O_RDONLY | O_CLOEXEC);
    bool same = from >= 0 && sum_tail(from, (long long)mark->length, &sum) && sum == mark->sum;
    if (same && make_temporary(file) && !copy_bytes(from, file->descriptor, mark->length)) {
        close(file->descriptor);
        unlink(file->temporary);
        file->descriptor = -1;
    }
    if (from >= 0) close(from);
    return file->descriptor;
}

gt_status gt_file_resume(gt_file *file, const char *path, const gt_file_mark *mark,
                         gt_message *message)
{
    GT_ARMOR(message, file && path && mark);
    *file = (gt_file){.descriptor = -1};
    if (mark->length > LLONG_MAX)
        return gt_fail(message, GT_BAD_ARGUMENT, "the mark of %s is damaged", path);
    file->path = target_of(path);
    if (!file->path) return gt_fail(message, GT_NO_MEMORY, "out of memory to open %s", path);
    file->descriptor = find_left(file, mark);
    if (file->descriptor < 0) file->descriptor = copy_named(file, mark);
    gt_status status = GT_OK;
    if (file->descriptor < 0) {
        status = gt_fail(message, GT_IO,
                         "no %s.unfinished, .partial or file of this name begins with the %llu "
                         "bytes that were written, or another process has it",
                         path, mark->length);
    } else if (ftruncate(file->descriptor, (off_t)mark->length) ||
               lseek(file->descriptor, (off_t)mark->length, SEEK_SET) < 0 ||
               !(file->stream = line_stream(file))) {
        status = cannot_write(file, message);
        close(file->descriptor);
    }
    file->length = (long long)mark->length;
    file->lines = (size_t)mark->lines;
    if (status) forget(file);
    return status;
}
