/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_FILE_H
#define GEARTRAIN_FILE_H

#include <geartrain/api.h>
#include <geartrain/status.h>
#include <stdbool.h>
#include <stddef.h>

GT_C_BEGIN

/*
 * A file that gets its name only when it is complete.
 *
 * It is written as `path`.unfinished (.unfinished2, .. when there is one already), whole lines at a
 * time, so that also a process that is killed leaves no half of a line. At the end it is renamed to
 * `path`, or to `path`.partial when it is not complete or the disk was full. "-" is standard
 * output; a device, a pipe and a link to nothing are written as they are. A link stays: what it
 * leads to is replaced.
 */
typedef struct gt_file {
    void *stream;      /* FILE *, to write to; NULL: not open */
    char *path;        /* what gets written, after links */
    char *temporary;   /* its name until then; NULL: it has none, as a device */
    char *left_behind; /* an unfinished file of the same name that an earlier process left, which
                          stays; NULL: none */
    size_t lines;      /* whole lines that are in the file; also after it is closed, */
    bool partial;      /* as is this: there is a `path`.partial of it */
    int descriptor;    /* from here on it is the writer's own */
    int error;         /* errno of what failed first */
    long long length;  /* bytes of the whole lines */
    char *pending;     /* the beginning of the line that comes next */
    size_t used, room; /* of it */
    void *reserved[4];
} gt_file;

/* GT_IO, GT_NO_MEMORY: nothing is open then. */
GT_API gt_status gt_file_open(gt_file *file, const char *path, gt_message *message) GT_MUST_CHECK;

/* Writes what is still to be written, to the disk when `complete`, and names the file. When that
 * fails, and when not `complete`, the whole lines that are there stay as `path`.partial; GT_IO and
 * the error message say the former. What has no whole line is removed. Does nothing to a file that
 * is not open. The struct must not have moved since it was opened.
 */
GT_API gt_status gt_file_close(gt_file *file, bool complete, gt_message *message) GT_MUST_CHECK;

/* How far a file has been written, for a process that goes on with it when this one has been
 * killed. */
typedef struct gt_file_mark {
    unsigned long long length, lines, sum; /* of its whole lines; a checksum of the last of them */
} gt_file_mark;

/* What was written is on the disk when this returns, and the mark says how far it goes. For files
 * only. */
GT_API gt_status gt_file_sync(gt_file *file, gt_file_mark *mark, gt_message *message) GT_MUST_CHECK;

/* Goes on with what a process that has ended has left of the file, as `path`.unfinished or
 * .partial: it is cut at the mark. GT_IO: there is none that goes so far and has the same bytes
 * before the mark, or another process has it. */
GT_API gt_status gt_file_resume(gt_file *file, const char *path, const gt_file_mark *mark,
                                gt_message *message) GT_MUST_CHECK;

/* Removes what was written. */
GT_API void gt_file_discard(gt_file *file);

/* All of a file with a zero behind it, from malloc. GT_IO: it is not there, longer than `most`
 * bytes, or no file but a folder, a pipe or a device, which may have no end. */
GT_API gt_status gt_file_read(const char *path, size_t most, char **text, size_t *length,
                              gt_message *message) GT_MUST_CHECK;

GT_C_END

#endif
