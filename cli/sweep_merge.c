/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sweep --part and sweep merge: a sweep over many machines, which share nothing but files.
 *
 * The file of a part begins with
 *
 *     # part 2/8 of 1000 runs, sweep 9e3779b97f4a7c15
 *
 * where the last number stands for the model and all flags that change a result. Then come the
 * header and the rows as in the file of a whole sweep. Merging takes row k of the whole from part
 * k mod N, as text: so the bytes are those of the whole.
 */
#include "sweep_parts.h"
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char head_format[] = "# part %zu/%zu of %zu runs, sweep %016" PRIx64 "\n";
enum { MOST_PARTS = 100000 };

void gt_sweep_head_part(FILE *out, const sweep_part *part, size_t runs, uint64_t identity)
{
    gt_fprintf(out, head_format, part->i, part->n, runs, identity);
}

/* A whole number of digits alone, at most `most`, and where it ends; NULL: there is none. */
static const char *read_count(const char *text, size_t most, size_t *value)
{
    const char *begin = text;
    *value = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        *value = 10 * *value + (size_t)(*text - '0');
        if (*value > most) return NULL;
    }
    return text > begin ? text : NULL;
}

static const char *read_fraction(const char *text, sweep_part *part)
{
    text = read_count(text, MOST_PARTS, &part->i);
    if (text && *text++ == '/') text = read_count(text, MOST_PARTS, &part->n);
    return text && part->i >= 1 && part->i <= part->n ? text : NULL;
}

int gt_sweep_read_part(const cli_args *args, sweep_part *part)
{
    const char *text = gt_cli_text(&sweep_own(args)->part);
    *part = (sweep_part){1, 1};
    if (!text) return CLI_OK;
    const char *end = read_fraction(text, part);
    if (!end || *end)
        return gt_cli_usage("--part takes I/N, the I-th of N parts, as in --part 2/8, not '%s'",
                            text);
    return CLI_OK;
}

/* ---- merging ---- */

/* A file of a part, and the place in it from which rows are taken. */
typedef struct part_file {
    const char *path;
    char *text, *header, *rows;
    sweep_part part;
    size_t runs, n_rows;
    uint64_t identity;
} part_file;

/* The line that begins at `at` ends behind the place that is returned; NULL: it has no end. */
static char *line_end(char *at)
{
    char *newline = strchr(at, '\n');
    return newline ? newline + 1 : NULL;
}

static const char *skip(const char *text, const char *word)
{
    size_t length = strlen(word);
    return text && !strncmp(text, word, length) ? text + length : NULL;
}

static bool read_head(part_file *f)
{
    const char *at = skip(f->text, "# part ");
    if (at) at = read_fraction(at, &f->part);
    at = skip(at, " of ");
    if (at) at = read_count(at, SIZE_MAX / 20, &f->runs);
    at = skip(at, " runs, sweep ");
    char *end = NULL;
    if (at) f->identity = strtoull(at, &end, 16);
    if (!end || end != at + 16 || *end != '\n') return false;
    f->header = end + 1;
    return (f->rows = line_end(f->header)) != NULL;
}

static int read_file(part_file *f)
{
    size_t length;
    f->text = gt_cli_read_whole("sweep merge: ", f->path, CLI_MOST_BYTES, &length);
    if (!f->text) return CLI_USAGE;
    if (strlen(f->text) != length || !read_head(f))
        return gt_cli_usage("%s is not the file of a part: these are written by sweep --part",
                            f->path);
    char *end = f->rows;
    for (char *next = end; (next = line_end(end)); end = next) f->n_rows++;
    size_t wanted = sweep_size(&f->part, f->runs);
    if (*end || f->n_rows != wanted)
        return gt_cli_usage("%s has %zu of the %zu rows of part %zu/%zu: it is not finished; "
                            "run that part again, with --resume if it had a --checkpoint",
                            f->path, f->n_rows, wanted, f->part.i, f->part.n);
    return CLI_OK;
}

static bool same_header(const part_file *a, const part_file *b)
{
    size_t length = (size_t)(a->rows - a->header);
    return length == (size_t)(b->rows - b->header) && !memcmp(a->header, b->header, length);
}

/* Sorts the files by their parts into `sorted`, and refuses what does not make one sweep. */
static int fit_together(part_file *files, size_t count, part_file **sorted)
{
    const part_file *first = &files[0];
    for (size_t k = 0; k < count; k++) {
        part_file *f = &files[k];
        if (f->identity != first->identity || f->runs != first->runs || !same_header(f, first))
            return gt_cli_usage("%s and %s are of different sweeps: the model, a flag or the "
                                "version of the program differs",
                                first->path, f->path);
        if (f->part.n != first->part.n)
            return gt_cli_usage("%s is one of %zu parts, %s one of %zu", first->path, first->part.n,
                                f->path, f->part.n);
        if (sorted[f->part.i - 1])
            return gt_cli_usage("%s and %s are both part %zu/%zu", sorted[f->part.i - 1]->path,
                                f->path, f->part.i, f->part.n);
        sorted[f->part.i - 1] = f;
    }
    for (size_t k = 0; k < first->part.n; k++)
        if (!sorted[k])
            return gt_cli_usage("part %zu/%zu is missing: %zu of %zu parts are given", k + 1,
                                first->part.n, count, first->part.n);
    return CLI_OK;
}

/* Of the rows: how many have warnings, by their last column, and the first of them, from 1. */
typedef struct doubts {
    size_t count, first;
} doubts;

static void look_for_warnings(const char *row, const char *end, size_t number, doubts *of)
{
    const char *last = end;
    while (last > row && last[-1] != ',') last--;
    if (strtol(last, NULL, 10) > 0 && !of->count++) of->first = number;
}

static bool counts_warnings(const part_file *f)
{
    static const char name[] = ",warnings\n";
    size_t length = sizeof name - 1;
    return f->rows - f->header >= (ptrdiff_t)length && !memcmp(f->rows - length, name, length);
}

static int write_whole(const char *path, part_file **sorted, doubts *of)
{
    cli_file file;
    int code = gt_cli_file_open(&file, path);
    if (code) return code;
    const part_file *first = sorted[0];
    bool warns = counts_warnings(first);
    bool good = fwrite(first->header, (size_t)(first->rows - first->header), 1, file.stream) == 1;
    for (size_t run = 0; good && run < first->runs; run++) {
        part_file *f = sorted[run % first->part.n];
        char *end = line_end(f->rows);
        good = fwrite(f->rows, (size_t)(end - f->rows), 1, file.stream) == 1;
        if (warns) look_for_warnings(f->rows, end, run + 1, of);
        f->rows = end;
    }
    code = gt_cli_file_close(&file, good);
    return code || good ? code : gt_cli_usage("cannot write %s", path);
}

/* Flags that mean something here. */
static int check_flags(const cli_args *args)
{
    static const char *const known[] = {"out", "quiet", NULL};
    for (size_t k = 0; k < args->n_given; k++) {
        const char *const *name = known;
        while (*name && strcmp(*name, args->given[k].flag->name) != 0) name++;
        if (!*name)
            return gt_cli_usage("sweep merge takes files and --out; --%s belongs to the runs",
                                args->given[k].flag->name);
    }
    return CLI_OK;
}

int gt_sweep_merge(const cli_args *args)
{
    size_t count = args->n_operands - 1;
    const char *out = gt_cli_text(&args->flags.out);
    if (!out) out = "-";
    if (!count)
        return gt_cli_usage("sweep merge needs the files of all parts: geartrain sweep merge "
                            "part*.csv --out whole.csv");
    int code = check_flags(args);
    if (!code) code = gt_cli_check_output("--out", out, &args->operands[1]);
    part_file *files = calloc(count, sizeof *files);
    part_file **sorted = calloc(MOST_PARTS, sizeof *sorted);
    if (!code && (!files || !sorted)) code = gt_cli_failed("out of memory");
    for (size_t k = 0; !code && k < count; k++) {
        files[k].path = args->operands[1 + k];
        code = read_file(&files[k]);
    }
    if (!code) code = fit_together(files, count, sorted);
    doubts of = {0};
    if (!code) code = write_whole(out, sorted, &of);
    if (!code && of.count)
        gt_cli_warn(
            "%zu of %zu runs have warnings (column warnings), the first in row %zu: what they "
            "say is said where that part is run, or by geartrain run with its values",
            of.count, sorted[0]->runs, of.first);
    if (!code && strcmp(out, "-") != 0 && !gt_cli_has(&args->flags.quiet))
        printf("%zu runs of %zu parts; wrote %s\n", sorted[0]->runs, count, out);
    for (size_t k = 0; files && k < count; k++) free(files[k].text);
    free(files);
    free(sorted);
    return code;
}
