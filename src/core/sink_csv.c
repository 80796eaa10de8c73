/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* realpath */
/* Samples as CSV. A file gets its name only when it is whole. */
#include <errno.h>
#include <fcntl.h>
#include <geartrain/number.h>
#include <geartrain/sink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gt_status cannot_write(const gt_csv_sink *c, gt_message *message)
{
    return gt_fail(message, GT_IO, "cannot write %s: %s", c->path, strerror(errno));
}

static size_t column_count(const gt_csv_sink *c)
{
    return c->columns ? c->n_columns : gt_problem_size(c->problem) + c->problem->n_aux;
}

static gt_status write_header(gt_csv_sink *c, gt_message *message)
{
    char buffer[24];
    FILE *file = c->file;
    size_t count = column_count(c);
    c->begun = true;
    fputs("t", file);
    for (size_t k = 0; k < count; k++)
        fprintf(file, ",%s", gt_problem_column_name(c->problem, c->columns ? c->columns[k] : k, buffer));
    if (c->with_steps) fputs(",_h,_err,_order", file);
    fputc('\n', file);
    return ferror(file) ? cannot_write(c, message) : GT_OK;
}

static void put_number(FILE *file, double value)
{
    char text[GT_NUMBER_SIZE];
    fwrite(text, 1, gt_number_print(text, value, 17), file);
}

static gt_status write_row(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    gt_csv_sink *c = self->ctx;
    FILE *file = c->file;
    if (!c->begun) {
        gt_status status = write_header(c, message);
        if (status) return status;
    }
    const gt_problem *problem = c->problem;
    size_t count = column_count(c), n = sample->n;
    if (problem->n_aux) problem->aux(sample->t, sample->x, c->aux, problem->ctx);
    put_number(file, sample->t);
    for (size_t k = 0; k < count; k++) {
        size_t i = c->columns ? c->columns[k] : k;
        fputc(',', file);
        put_number(file, i < n ? sample->x[i] : c->aux[i - n]);
    }
    if (c->with_steps) gt_fprintf(file, ",%.17g,%.17g,%d", sample->h, sample->error, sample->order);
    fputc('\n', file);
    return ferror(file) ? cannot_write(c, message) : GT_OK;
}

static char *joined(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b);
    char *text = malloc(la + lb + 1);
    if (text) {
        memcpy(text, a, la);
        memcpy(text + la, b, lb + 1);
    }
    return text;
}

/* A device, a pipe, /dev/stdout whatever it leads to, or a link to nothing, which must not be replaced by a file of its
 * name. */
static bool is_special(const char *path)
{
    struct stat info;
    if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0) return true;
    return stat(path, &info) ? !lstat(path, &info) : !S_ISREG(info.st_mode);
}

/* A link stays: what it points at is what gets the rows. */
static char *target_of(const char *path)
{
    struct stat info;
    bool link = !is_special(path) && !lstat(path, &info) && S_ISLNK(info.st_mode);
    char *target = link ? realpath(path, NULL) : NULL;
    return target ? target : joined(path, "");
}

static void forget(gt_csv_sink *c)
{
    free(c->path);
    free(c->temporary);
    free(c->aux);
    c->path = c->temporary = NULL;
    c->aux = NULL;
    c->file = NULL;
}

/* Makes a file that did not exist, with the mode that any new file gets; counts in the last six characters of its name.
 */
static int new_file(char *name)
{
    char *digits = name + strlen(name) - 6;
    for (int k = 0; k < 1000000; k++) {
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
        for (char *d = digits + 5; d >= digits && ++*d > '9'; d--) *d = '0';
    }
    return -1;
}

gt_status gt_csv_sink_open(gt_csv_sink *c, const char *path, const gt_problem *problem, unsigned wants, bool with_steps,
                           gt_message *message)
{
    *c = (gt_csv_sink){.problem = problem, .with_steps = with_steps};
    c->sink = (gt_sink){.wants = wants, .write = write_row, .ctx = c};
    c->path = target_of(path);
    if (problem->n_aux) c->aux = malloc(problem->n_aux * sizeof *c->aux);
    if (!c->path || (problem->n_aux && !c->aux)) {
        forget(c);
        return gt_fail(message, GT_NO_MEMORY, "there is no memory to open %s", path);
    }
    if (strcmp(path, "-") == 0) {
        c->file = stdout;
        return GT_OK;
    }
    int fd = -1;
    if (is_special(path)) {
        c->file = fopen(path, "w");
    } else {
        c->temporary = joined(c->path, ".000000");
        if (c->temporary) fd = new_file(c->temporary);
        if (fd >= 0) c->file = fdopen(fd, "w");
    }
    if (!c->file) {
        gt_status status = cannot_write(c, message);
        if (fd >= 0) {
            close(fd);
            unlink(c->temporary);
        }
        forget(c);
        return status;
    }
    return GT_OK;
}

gt_status gt_csv_sink_close(gt_csv_sink *c, bool complete, gt_message *message)
{
    if (!c->file) return GT_OK;
    FILE *file = c->file;
    gt_status status = GT_OK;
    if (complete && !c->begun) status = write_header(c, message);
    if (!c->temporary) {
        if (fflush(file) || ferror(file)) status = cannot_write(c, message);
        if (file != stdout && fclose(file) && !status) status = cannot_write(c, message);
        forget(c);
        return status;
    }
    int failed = fflush(file) || ferror(file);
    if (failed) status = cannot_write(c, message);
    if (fclose(file) && !status) status = cannot_write(c, message);
    if (status) {
        unlink(c->temporary);
    } else {
        char *partial = complete ? NULL : joined(c->path, ".partial");
        const char *name = partial ? partial : c->path;
        if (!complete && !partial) status = gt_fail(message, GT_NO_MEMORY, "there is no memory to name %s", c->path);
        if (!status && rename(c->temporary, name)) status = cannot_write(c, message);
        if (status) unlink(c->temporary);
        free(partial);
    }
    forget(c);
    return status;
}
