/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sweep --checkpoint and --resume: a file to which every run is added when it has come to its end.
 * It is made of records: a length, so many bytes, and their checksum. The first has the lines of
 * what the sweep is of. A record that is not whole, as the last one of a process that was killed,
 * is cut off.
 */
#include "identity.h"
#include "sweep_parts.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct record {
    unsigned char *data;
    size_t used, room, at; /* at: where reading is */
    bool failed;
} record;

static void put(record *r, const void *data, size_t bytes)
{
    if (!r->failed && r->room - r->used < bytes) {
        size_t room = 2 * r->room + bytes + 256;
        unsigned char *larger = realloc(r->data, room);
        r->failed = !larger;
        if (larger) r->data = larger;
        if (larger) r->room = room;
    }
    if (r->failed || !bytes) return;
    memcpy(r->data + r->used, data, bytes);
    r->used += bytes;
}

static void put_number(record *r, uint64_t number) { put(r, &number, sizeof number); }

static void put_text(record *r, const char *text)
{
    put_number(r, strlen(text));
    put(r, text, strlen(text));
}

static bool get(record *r, void *data, size_t bytes)
{
    r->failed = r->failed || bytes > r->used - r->at;
    if (r->failed) return false;
    if (bytes) memcpy(data, r->data + r->at, bytes);
    r->at += bytes;
    return true;
}

static uint64_t get_number(record *r)
{
    uint64_t number = 0;
    (void)get(r, &number, sizeof number);
    return number;
}

static void get_text(record *r, char *text, size_t room)
{
    uint64_t length = get_number(r);
    if (length >= room) r->failed = true;
    if (!r->failed && get(r, text, (size_t)length)) text[length] = '\0';
}

/* ---- a run as a record and back ---- */

static void put_result(record *r, size_t i, const sweep_result *result, size_t columns)
{
    const gt_report *report = &result->report;
    const gt_warnings *w = &report->warnings;
    put_number(r, i);
    put_number(r, (uint64_t)(int64_t)report->status);
    put(r, &report->t, sizeof report->t);
    put(r, &report->h, sizeof report->h);
    put(r, &report->local_error, sizeof report->local_error);
    put_number(r, (uint64_t)report->local_error_warning);
    put_number(r, report->stopped);
    put(r, &report->stats, sizeof report->stats);
    put_text(r, report->message.text);
    put_text(r, report->note.text);
    put_number(r, (uint64_t)w->count);
    put_number(r, (uint64_t)w->left_out);
    for (int k = 0; k < w->count; k++) put_text(r, w->list[k].text);
    put_text(r, result->method);
    bool there = result->x && result->has;
    put_number(r, there ? columns : 0);
    for (size_t k = 0; k < columns && there; k++) {
        put(r, &result->x[k], sizeof *result->x);
        put_number(r, result->has[k]);
    }
}

static bool get_result(record *r, sweep_result *results, size_t count, size_t columns)
{
    uint64_t i = get_number(r);
    sweep_result result = {.done = true};
    gt_report *report = &result.report;
    gt_warnings *w = &report->warnings;
    report->status = (gt_status)(int64_t)get_number(r);
    (void)get(r, &report->t, sizeof report->t);
    (void)get(r, &report->h, sizeof report->h);
    (void)get(r, &report->local_error, sizeof report->local_error);
    report->local_error_warning = (int)get_number(r);
    report->stopped = get_number(r) != 0;
    (void)get(r, &report->stats, sizeof report->stats);
    get_text(r, report->message.text, sizeof report->message.text);
    get_text(r, report->note.text, sizeof report->note.text);
    uint64_t n = get_number(r), left_out = get_number(r);
    if (n > GT_MOST_WARNINGS || left_out > INT32_MAX) return false;
    w->count = (int)n;
    w->left_out = (int)left_out;
    for (int k = 0; k < w->count; k++) get_text(r, w->list[k].text, sizeof w->list[k].text);
    get_text(r, result.method, sizeof result.method);
    n = get_number(r);
    if (r->failed || i >= count || (n && n != columns) || results[i].done) return false;
    if (n) {
        result.x = calloc(columns, sizeof *result.x);
        result.has = calloc(columns, sizeof *result.has);
        for (size_t k = 0; result.x && result.has && k < columns; k++) {
            (void)get(r, &result.x[k], sizeof *result.x);
            result.has[k] = get_number(r) != 0;
        }
    }
    if (r->failed || r->at != r->used || (n && (!result.x || !result.has))) {
        free(result.x);
        free(result.has);
        return false;
    }
    results[i] = result;
    return true;
}

/* ---- what the sweep is of ---- */

/* Flags that change no row. */
static bool is_idle(const char *flag)
{
    static const char *const idle[] = {"out",   "plot",       "work",   "title", "size", "threads",
                                       "quiet", "checkpoint", "resume", "json",  "part"};
    for (size_t k = 0; k < sizeof idle / sizeof *idle; k++)
        if (!strcmp(flag, idle[k])) return true;
    return false;
}

static void put_sum(record *about, const char *what, uint64_t sum)
{
    char line[64];
    snprintf(line, sizeof line, "%s: %016llx\n", what, (unsigned long long)sum);
    put(about, line, strlen(line));
}

static void describe(const cli_args *args, const cli_problem *p, const sweep_columns *columns,
                     record *about)
{
    char line[512];
    snprintf(line, sizeof line, "geartrain: %s\nmodel: %s\n", gt_version(), p->model->name);
    put(about, line, strlen(line));
    uint64_t sum;
    if (gt_cli_source_sum(p->source, &sum)) put_sum(about, "text of the model", sum);
    for (size_t k = 0; k < args->n_given; k++) {
        const cli_given *given = &args->given[k];
        if (is_idle(given->flag->name)) continue;
        put(about, "--", 2);
        put(about, given->flag->name, strlen(given->flag->name));
        put(about, ": ", 2);
        put(about, given->value, strlen(given->value));
        put(about, "\n", 1);
        bool may_be_file =
            given->flag == args->flags.init_from.flag || given->flag == args->flags.method.flag;
        if (may_be_file && gt_cli_file_sum(given->value, &sum))
            put_sum(about, "what is in it", sum);
    }
    put(about, "columns:", 8);
    for (size_t k = 0; k < columns->count; k++) {
        put(about, " ", 1);
        put(about, columns->names[k], strlen(columns->names[k]));
    }
    put(about, "\n", 1);
}

int gt_sweep_identity(const cli_args *args, const cli_problem *p, const sweep_columns *columns,
                      uint64_t *identity)
{
    record about = {0};
    describe(args, p, columns, &about);
    int code = about.failed ? gt_cli_failed("out of memory") : CLI_OK;
    if (!code) *identity = gt_cli_sum(about.data, about.used);
    free(about.data);
    return code;
}

/* Names the first line that differs. */
static int refuse(const char *path, const record *saved, const record *here)
{
    const char *a = (const char *)saved->data, *b = (const char *)here->data;
    size_t from = 0, k = 0, most = saved->used < here->used ? saved->used : here->used;
    for (; k < most && a[k] == b[k]; k++)
        if (a[k] == '\n') from = k + 1;
    size_t n_a = strcspn(a + from, "\n"), n_b = strcspn(b + from, "\n");
    return gt_cli_usage("%s is of another sweep: it has \"%.*s\", this one \"%.*s\"", path,
                        (int)(n_a < 200 ? n_a : 200), a + from, (int)(n_b < 200 ? n_b : 200),
                        b + from);
}

/* ---- the file ---- */

static const char magic[8] = {(char)0x89, 'G', 'T', 'S', 'W', '1', '\r', '\n'};

static bool write_all(int descriptor, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes) {
        ssize_t wrote = write(descriptor, at, bytes);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        at += wrote;
        bytes -= (size_t)wrote;
    }
    return true;
}

static void put_framed(record *out, const record *r)
{
    put_number(out, r->used);
    put(out, r->data, r->used);
    put_number(out, gt_cli_sum(r->data, r->used));
    out->failed = out->failed || r->failed;
}

static bool add_record(sweep_journal *journal, const record *r)
{
    record framed = {0};
    put_framed(&framed, r);
    bool good = !framed.failed && write_all(journal->descriptor, framed.data, framed.used);
    free(framed.data);
    return good;
}

/* A new file appears with its first record whole. */
static int begin_file(const char *path, const record *about, size_t *end)
{
    record first = {0};
    put(&first, magic, sizeof magic);
    put_framed(&first, about);
    *end = first.used;
    cli_file file;
    int code = first.failed ? gt_cli_failed("out of memory") : gt_cli_file_open(&file, path);
    if (!code) {
        bool good = fwrite(first.data, 1, first.used, file.stream) == first.used;
        code = gt_cli_file_close(&file, good);
        if (!code && !good) code = gt_cli_usage("cannot write %s", path);
    }
    free(first.data);
    return code;
}

/* The next record of the text, with a zero behind it; false: there is no whole one. */
static bool next_record(const char *text, size_t length, size_t *at, record *r)
{
    uint64_t bytes, sum;
    if (length - *at < 16) return false;
    memcpy(&bytes, text + *at, sizeof bytes);
    if (bytes > length - *at - 16) return false;
    memcpy(&sum, text + *at + 8 + bytes, sizeof sum);
    if (sum != gt_cli_sum(text + *at + 8, (size_t)bytes)) return false;
    put(r, text + *at + 8, (size_t)bytes);
    put(r, "", 1);
    r->used -= !r->failed;
    *at += (size_t)bytes + 16;
    return !r->failed;
}

/* Takes the runs that the file has; *end: where its whole records end. */
static int read_runs(const char *path, const record *about, sweep_result *results, size_t count,
                     size_t columns, size_t *known, size_t *end)
{
    char *text;
    size_t length;
    gt_message message = {""};
    gt_status status = gt_file_read(path, (size_t)1 << 40, &text, &length, &message);
    if (status) return gt_cli_complain(status, &message);
    *end = sizeof magic;
    record first = {0};
    int code = CLI_OK;
    if (length < sizeof magic || memcmp(text, magic, sizeof magic) != 0 ||
        !next_record(text, length, end, &first))
        code = gt_cli_usage("%s is not the checkpoint of a sweep, which --checkpoint FILE writes",
                            path);
    else if (first.used != about->used || memcmp(first.data, about->data, about->used) != 0)
        code = refuse(path, &first, about);
    free(first.data);
    while (!code) {
        record r = {0};
        size_t at = *end;
        bool whole = next_record(text, length, &at, &r);
        bool good = whole && get_result(&r, results, count, columns);
        free(r.data);
        if (!whole) break;
        if (!good) code = gt_cli_usage("%s: a record of the sweep is damaged", path);
        *known += good;
        *end = at;
    }
    free(text);
    return code;
}

int gt_sweep_journal_open(sweep_journal *journal, const cli_args *args, const cli_problem *p,
                          const sweep_columns *columns, sweep_result *results, size_t count)
{
    const char *resume = gt_cli_text(&args->flags.resume),
               *path = gt_cli_text(&args->flags.checkpoint);
    *journal =
        (sweep_journal){.path = path ? path : resume, .descriptor = -1, .columns = columns->count};
    if (!journal->path) return CLI_OK;
    if (path && resume && strcmp(path, resume) != 0)
        return gt_cli_usage("a sweep goes on in the file that it is resumed from: --checkpoint and "
                            "--resume name two files");
    int code = path ? gt_cli_check_checkpoint(path, NULL) : CLI_OK;
    if (code) return code;
    record about = {0};
    describe(args, p, columns, &about);
    put(&about, "", 1);
    if (about.failed) return gt_cli_failed("out of memory");
    about.used--;
    size_t end = 0;
    if (resume)
        code = read_runs(resume, &about, results, count, columns->count, &journal->known, &end);
    else
        code = begin_file(path, &about, &end);
    if (!code) {
        journal->descriptor = open(journal->path, O_RDWR | O_CLOEXEC);
        bool good = journal->descriptor >= 0 && !ftruncate(journal->descriptor, (off_t)end) &&
                    lseek(journal->descriptor, (off_t)end, SEEK_SET) >= 0;
        if (!good) code = gt_cli_usage("cannot write %s: %s", journal->path, strerror(errno));
    }
    free(about.data);
    return code;
}

void gt_sweep_journal_add(sweep_journal *journal, size_t i, const sweep_result *result)
{
    if (journal->descriptor < 0 || journal->error || !result->done) return;
    record r = {0};
    put_result(&r, i, result, journal->columns);
    errno = 0;
    if (!add_record(journal, &r)) journal->error = errno ? errno : ENOMEM;
    free(r.data);
}

int gt_sweep_journal_close(sweep_journal *journal)
{
    if (journal->descriptor < 0) return CLI_OK;
    if (!journal->error && fsync(journal->descriptor) && errno != EINVAL) journal->error = errno;
    if (close(journal->descriptor) && !journal->error) journal->error = errno;
    journal->descriptor = -1;
    return journal->error
               ? gt_cli_usage("cannot write %s: %s", journal->path, strerror(journal->error))
               : CLI_OK;
}
