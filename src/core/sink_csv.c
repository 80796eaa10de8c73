/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples as CSV. */
#include <errno.h>
#include <geartrain/author/number.h>
#include <geartrain/sink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gt_status cannot_write(const gt_csv_sink *c, gt_message *message)
{
    return gt_fail(message, GT_IO, "cannot write %s: %s", c->file.path,
                   strerror(c->file.error ? c->file.error : errno));
}

static size_t column_count(const gt_csv_sink *c)
{
    return c->columns ? c->n_columns : gt_problem_size(c->problem) + c->problem->n_aux;
}

static gt_status write_header(gt_csv_sink *c, gt_message *message)
{
    char buffer[24];
    FILE *file = c->file.stream;
    size_t count = column_count(c);
    c->begun = true;
    fputs("t", file);
    for (size_t k = 0; k < count; k++)
        fprintf(file, ",%s",
                gt_problem_column_name(c->problem, c->columns ? c->columns[k] : k, buffer));
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
    FILE *file = c->file.stream;
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

gt_status gt_csv_sink_prepare(gt_csv_sink *c, const gt_problem *problem, unsigned wants,
                              bool with_steps, gt_message *message)
{
    GT_ARMOR(message, c && problem);
    *c = (gt_csv_sink){.problem = problem, .with_steps = with_steps};
    c->sink = (gt_sink){.wants = wants, .write = write_row, .ctx = c};
    if (problem->n_aux) c->aux = malloc(problem->n_aux * sizeof *c->aux);
    return problem->n_aux && !c->aux
               ? gt_fail(message, GT_NO_MEMORY, "out of memory for a CSV file")
               : GT_OK;
}

gt_status gt_csv_sink_open(gt_csv_sink *c, const char *path, const gt_problem *problem,
                           unsigned wants, bool with_steps, gt_message *message)
{
    GT_ARMOR(message, c && path && problem);
    gt_status status = gt_csv_sink_prepare(c, problem, wants, with_steps, message);
    if (status) return status;
    status = gt_file_open(&c->file, path, message);
    if (status) free(c->aux);
    if (status) c->aux = NULL;
    return status;
}

gt_status gt_csv_sink_close(gt_csv_sink *c, bool complete, gt_message *message)
{
    gt_status status = GT_OK;
    if (!c) return GT_OK;
    if (c->file.stream && complete && !c->begun) status = write_header(c, message);
    gt_status closed = gt_file_close(&c->file, complete && !status, message);
    free(c->aux);
    c->aux = NULL;
    return status ? status : closed;
}
