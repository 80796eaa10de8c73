/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs as bytes. All numbers are those of the machine, which the head names:
 *
 *     0  8  "\x89GTRUN\r\n"                24  8  bytes in all
 *     8  4  version of the format          32  8  bytes of the description
 *    12  4  0x01020304                     40  8  bytes of what the caller adds
 *    16  8  sizes of pointers, long, ..    48  8  bytes of the image
 *    56     the three, each filled up with zeros to a multiple of 8, and the CRC-64 of all that
 * comes before it
 *
 * The description is text, one line for each thing that must be equal in the run that gets the
 * image.
 */
#include "base/sized.h"
#include "core/run_image.h"
#include "core/switches.h"
#include <geartrain/author/file.h>
#include <geartrain/author/number.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 2, ORDER = 0x01020304, HEAD = 56, NAME_ROOM = 64 };
static const char magic[8] = {(char)0x89, 'G', 'T', 'R', 'U', 'N', '\r', '\n'};

static void put_head(gt_bytes *out)
{
    uint32_t words[2] = {VERSION, ORDER};
    unsigned char sizes[8] = {sizeof(void *), sizeof(long),        sizeof(size_t),
                              sizeof(double), sizeof(long double), CHAR_BIT};
    gt_bytes_add(out, magic, sizeof magic);
    gt_bytes_add(out, words, sizeof words);
    gt_bytes_add(out, sizes, sizeof sizes);
    for (int k = 0; k < 4; k++) gt_bytes_add_number(out, 0);
}

static void set_number(gt_bytes *out, size_t at, uint64_t number)
{
    if (!out->failed) memcpy(out->data + at, &number, sizeof number);
}

/* What must be equal: the lines of the library and those of the caller. */
static void describe(run_handle *w, const gt_checkpoint *with, gt_bytes *text)
{
    if (with && with->about) gt_bytes_add(text, with->about, strlen(with->about));
    gt_run_describe(w, text);
}

static size_t surfaces_of(const gt_run *r) { return gt_slide_on(r) ? gt_slide_on(r)->count : 0; }

/* On how many surfaces it slides, and the method of the phase that a run with a pilot is in. */
static void put_image_head(const run_handle *w, gt_bytes *out)
{
    gt_bytes_add_number(out, surfaces_of(&w->run));
    if (!w->run.leg) return;
    char name[NAME_ROOM] = "", options[GT_OPTIONS_ROOM] = "";
    gt_format(name, sizeof name, "%s", w->run.base->method->name);
    gt_format(options, sizeof options, "%s", gt_run_options(&w->run));
    gt_bytes_add(out, name, sizeof name);
    gt_bytes_add(out, options, sizeof options);
}

static gt_status write_all(run_handle *w, const gt_run_pair *pair, const gt_checkpoint *with,
                           gt_bytes *out, gt_message *message)
{
    put_head(out);
    size_t at = out->used;
    describe(w, with, out);
    set_number(out, 32, out->used - at);
    gt_bytes_pad(out);
    set_number(out, 40, with ? with->extra_bytes : 0);
    if (with) gt_bytes_add(out, with->extra, with->extra_bytes);
    gt_bytes_pad(out);
    at = out->used;
    put_image_head(w, out);
    gt_status status = gt_image_write(pair, w, out, message);
    set_number(out, 48, out->used - at);
    gt_bytes_pad(out);
    set_number(out, 24, out->used + sizeof(uint64_t));
    if (!out->failed) gt_bytes_add_number(out, gt_crc64(0, out->data, out->used));
    if (!status && out->failed)
        status = gt_fail(message, GT_NO_MEMORY, "out of memory for a checkpoint");
    return status;
}

static gt_status not_now(run_handle *w, gt_status status, gt_message *message)
{
    if (status == GT_BUSY)
        return gt_fail(message, status,
                       "a call of the run is under way, in this thread or another");
    if (w->failed)
        return gt_fail(message, status, "the run has failed: %s", w->report.message.text);
    return gt_fail(message, status, "%s", w->report.message.text);
}

gt_status gt_run_save_sized(gt_run *run, const gt_checkpoint *with, size_t with_size, void **bytes,
                            size_t *count, gt_message *message)
{
    GT_WIDEN(message, gt_checkpoint, with);
    GT_ARMOR(message, run && bytes && count);
    *bytes = NULL;
    *count = 0;
    run_handle *w = gt_handle_of(run);
    gt_status status = gt_handle_enter(w);
    if (status) return not_now(w, status, message);
    gt_run_end_second(run); /* which either of the two begins anew where it is wanted */
    gt_run_pair pair;
    gt_bytes out = {0};
    gt_leg_name name = {run->base->method, gt_run_options(run)};
    status = gt_run_pair_open(&pair, &w->given, &name, &w->asked, surfaces_of(run), message);
    if (!status) {
        status = write_all(w, &pair, with, &out, message);
        gt_run_pair_free(&pair, false);
    }
    gt_handle_take_turn(w); /* f has been evaluated elsewhere */
    gt_handle_end_turn(w);
    if (status) {
        free(out.data);
        return status;
    }
    *bytes = out.data;
    *count = out.used;
    return GT_OK;
}

/* ---- reading ---- */

typedef struct saved_parts {
    gt_reader about, extra, image;
} saved_parts;

static gt_status refuse(gt_message *message, const char *why)
{
    return gt_fail(message, GT_BAD_ARGUMENT, "this is not a checkpoint that can be resumed: %s",
                   why);
}

static gt_status read_head(const unsigned char *bytes, size_t count, saved_parts *parts,
                           gt_message *message)
{
    gt_bytes own = {0};
    uint32_t version, order;
    uint64_t length[4], crc;
    if (count < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return refuse(message, "it does not begin like one");
    if (count < HEAD + sizeof crc) return refuse(message, "it is cut short");
    put_head(&own);
    if (own.failed) return gt_fail(message, GT_NO_MEMORY, "out of memory");
    bool same_machine = !memcmp(bytes + 12, own.data + 12, 12);
    free(own.data);
    memcpy(&version, bytes + 8, sizeof version);
    memcpy(&order, bytes + 12, sizeof order);
    if (order == ORDER && version != VERSION)
        return gt_fail(
            message, GT_BAD_ARGUMENT,
            "the checkpoint has version %u of the format, and this library reads version %d",
            (unsigned)version, VERSION);
    if (!same_machine)
        return refuse(message,
                      "it is from a machine with another byte order or other sizes of numbers");
    memcpy(length, bytes + 24, sizeof length);
    if (length[0] != count)
        return gt_fail(
            message, GT_BAD_ARGUMENT,
            "the checkpoint is truncated or has bytes after its end: it has %zu bytes, not %llu",
            count, (unsigned long long)length[0]);
    memcpy(&crc, bytes + count - sizeof crc, sizeof crc);
    if (crc != gt_crc64(0, bytes, count - sizeof crc))
        return refuse(message, "it is damaged, its checksum is wrong");
    gt_reader in = {bytes + HEAD, count - HEAD - sizeof crc, false};
    gt_reader *part[] = {&parts->about, &parts->extra, &parts->image};
    for (int k = 0; k < 3; k++) {
        size_t size = length[k + 1] <= in.left ? (size_t)length[k + 1] : in.left + 1;
        *part[k] = (gt_reader){gt_reader_take(&in, size), size, false};
        gt_reader_pad(&in, size);
    }
    return in.failed || in.left ? refuse(message, "its parts do not fit") : GT_OK;
}

/* The line that begins at *at, up to its end or that of the text; moves on to the next. */
static size_t line_of(const char **at, const char *end, const char **line)
{
    *line = *at;
    const char *stop = *at < end ? memchr(*at, '\n', (size_t)(end - *at)) : NULL;
    size_t length = (size_t)((stop ? stop : end) - *at);
    *at = stop ? stop + 1 : end;
    return length;
}

/* A line `name: value`; without a colon all of it is the value. */
typedef struct described {
    const char *name, *value;
    int name_length, value_length;
} described;

static described split(const char *line, size_t length)
{
    const char *colon = memchr(line, ':', length);
    size_t name = colon ? (size_t)(colon - line) : 0, skip = colon ? name + 2 : 0;
    size_t value = length > skip ? length - skip : 0;
    return (described){line, line + (skip < length ? skip : length), (int)name,
                       (int)(value < 120 ? value : 120)};
}

/* A checksum, as of a list of numbers, says nothing to a reader. */
static bool is_checksum(const described *d)
{
    int digits = 0;
    while (digits < d->value_length && d->value[digits] &&
           strchr("0123456789abcdef", d->value[digits]))
        digits++;
    return digits == 16 && digits == d->value_length;
}

static gt_status differ(const char *line_a, size_t n_a, const char *line_b, size_t n_b,
                        gt_message *message)
{
    static const char begin[] = "the checkpoint is of another run: they differ in";
    described a = split(line_a, n_a), b = split(line_b, n_b);
    if (!n_a) a = b;
    if (!n_b) b = a;
    if (a.name_length != b.name_length || memcmp(a.name, b.name, (size_t)a.name_length) != 0)
        return gt_fail(message, GT_BAD_ARGUMENT, "%s %.*s or %.*s, which only one of them has",
                       begin, a.name_length, a.name, b.name_length, b.name);
    if (!n_a || !n_b || is_checksum(&a))
        return gt_fail(message, GT_BAD_ARGUMENT, "%s %.*s", begin, a.name_length, a.name);
    return gt_fail(message, GT_BAD_ARGUMENT, "%s %.*s, which is %.*s there and %.*s here", begin,
                   b.name_length, b.name, a.value_length, a.value, b.value_length, b.value);
}

/* Names the first line in which the descriptions differ. */
static gt_status compare(const gt_reader *saved, const gt_bytes *here, gt_message *message)
{
    const char *a = (const char *)saved->at, *b = (const char *)here->data, *line_a, *line_b;
    const char *end_a = a + saved->left, *end_b = b + here->used;
    while (a < end_a || b < end_b) {
        size_t n_a = line_of(&a, end_a, &line_a), n_b = line_of(&b, end_b, &line_b);
        if (n_a != n_b || memcmp(line_a, line_b, n_a) != 0)
            return differ(line_a, n_a, line_b, n_b, message);
    }
    return GT_OK;
}

static gt_status check_description(run_handle *w, const gt_checkpoint *with, const gt_reader *saved,
                                   gt_message *message)
{
    gt_bytes text = {0};
    describe(w, with, &text);
    gt_status status = text.failed ? gt_fail(message, GT_NO_MEMORY, "out of memory")
                                   : compare(saved, &text, message);
    free(text.data);
    return status;
}

/* The method of the phase that a run with a pilot is in, as put_image_head wrote it. */
static bool read_leg(const gt_pilot *pilot, gt_reader *image, gt_leg_name *name)
{
    const char *method = (const char *)gt_reader_take(image, NAME_ROOM);
    const char *options = (const char *)gt_reader_take(image, GT_OPTIONS_ROOM);
    if (!method || !options || !memchr(method, 0, NAME_ROOM) ||
        !memchr(options, 0, GT_OPTIONS_ROOM))
        return false;
    *name = (gt_leg_name){pilot->find(method), options};
    return name->method != NULL;
}

/* A run that has been laid out gets the numbers of the image. */
static gt_status take_image(gt_run **run, const gt_problem *problem, const gt_method *method,
                            const gt_plan *plan, const gt_checkpoint *with, const gt_reader *about,
                            gt_reader *image, gt_message *message)
{
    gt_run_pair pair;
    uint64_t surfaces = gt_reader_number(image);
    if (image->failed || surfaces > gt_run_most_watched(problem))
        return refuse(message, "its image is incomplete");
    gt_leg_name name = {method, plan ? plan->options : NULL};
    if (plan && plan->pilot && !read_leg(plan->pilot, image, &name))
        return refuse(message, "the method that it is in is not known");
    gt_status status = gt_run_pair_open(&pair, problem, &name, plan, (size_t)surfaces, message);
    if (status) return status;
    run_handle *w = pair.one.w;
    if (about) status = check_description(w, with, about, message);
    if (!status) status = gt_image_read(&pair, image, message);
    if (!status && image->left) status = refuse(message, "there are bytes after its image");
    gt_run_pair_free(&pair, !status);
    if (status) return status;
    gt_handle_take_turn(w);
    *run = &w->run;
    return GT_OK;
}

static gt_status full_run_restore(gt_run **run, const gt_problem *problem, const gt_method *method,
                                  const gt_plan *plan, gt_checkpoint *with, const void *bytes,
                                  size_t count, gt_message *message)
{
    GT_ARMOR(message, run && problem && bytes);
    *run = NULL;
    saved_parts parts;
    gt_plan own;
    gt_choice choice;
    gt_status status = gt_pilot_resolve(problem, &method, &plan, &own, &choice, message);
    if (!status) status = read_head(bytes, count, &parts, message);
    if (!status)
        status = take_image(run, problem, method, plan, with, &parts.about, &parts.image, message);
    if (!status && with) {
        with->extra = parts.extra.at;
        with->extra_bytes = parts.extra.left;
    }
    return status;
}

gt_status gt_run_restore_sized(gt_run **run, const gt_problem *problem, size_t problem_size,
                               const gt_method *method, const gt_plan *plan, size_t plan_size,
                               gt_checkpoint *with, size_t with_size, const void *bytes,
                               size_t count, gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_WIDEN(message, gt_plan, plan);
    GT_OUT(gt_checkpoint, with);
    gt_status result = full_run_restore(run, problem, method, plan, with, bytes, count, message);
    GT_GIVE(with);
    return result;
}

gt_status gt_run_copy_sized(gt_run **copy, gt_run *run, const gt_problem *problem,
                            size_t problem_size, const gt_plan *plan, size_t plan_size,
                            gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_WIDEN(message, gt_plan, plan);
    GT_ARMOR(message, copy && run);
    *copy = NULL;
    run_handle *w = gt_handle_of(run);
    gt_status status = gt_handle_enter(w);
    if (status) return not_now(w, status, message);
    gt_run_end_second(run); /* which either of the two begins anew where it is wanted */
    gt_plan quiet = w->asked;
    quiet.sinks = NULL;
    quiet.n_sinks = 0;
    quiet.x_end = NULL;
    quiet.message = NULL;
    gt_run_pair pair;
    gt_bytes image = {0}, about = {0};
    gt_leg_name name = {run->base->method, gt_run_options(run)};
    status = gt_run_pair_open(&pair, &w->given, &name, &w->asked, surfaces_of(run), message);
    if (!status) {
        put_image_head(w, &image);
        status = gt_image_write(&pair, w, &image, message);
        gt_run_pair_free(&pair, false);
    }
    if (!status && (problem || plan)) gt_run_describe(w, &about);
    gt_reader lines = {about.data, about.used, false}, in = {image.data, image.used, false};
    if (!status)
        status =
            take_image(copy, problem ? problem : &w->given, run->leg ? NULL : run->base->method,
                       plan ? plan : &quiet, NULL, about.data ? &lines : NULL, &in, message);
    if (!status && !plan) {
        run_handle *other = gt_handle_of(*copy);
        other->run.base->rtol_vector = run->base->rtol_vector;
        other->run.base->atol_vector = run->base->atol_vector;
        other->run.s->rtol_vector = w->run.s->rtol_vector;
        other->run.s->atol_vector = w->run.s->atol_vector;
    }
    free(image.data);
    free(about.data);
    gt_handle_take_turn(w);
    gt_handle_end_turn(w);
    return status;
}

/* ---- files ---- */

gt_status gt_run_save_file_sized(gt_run *run, const gt_checkpoint *with, size_t with_size,
                                 const char *path, gt_message *message)
{
    GT_WIDEN(message, gt_checkpoint, with);
    GT_ARMOR(message, run && path);
    void *bytes;
    size_t count;
    gt_status status = gt_run_save(run, with, &bytes, &count, message);
    if (status) return status;
    gt_file file;
    status = gt_file_open(&file, path, message);
    if (!status) {
        bool wrote = fwrite(bytes, 1, count, file.stream) == count;
        status = wrote ? gt_file_close(&file, true, message) : GT_IO;
        if (!wrote) {
            gt_fail(message, GT_IO, "cannot write %s", path);
            gt_file_discard(&file);
        }
    }
    free(bytes);
    return status;
}

static gt_status full_run_load(gt_run **run, const gt_problem *problem, const gt_method *method,
                               const gt_plan *plan, gt_checkpoint *with, const char *path,
                               void **bytes, gt_message *message)
{
    GT_ARMOR(message, run && problem && path && bytes);
    char *text;
    size_t count;
    *run = NULL;
    *bytes = NULL;
    gt_status status = gt_file_read(path, SIZE_MAX / 2, &text, &count, message);
    if (status) return status;
    status = gt_run_restore(run, problem, method, plan, with, text, count, message);
    if (!status) {
        *bytes = text;
        return GT_OK;
    }
    free(text);
    if (message) {
        gt_message why = *message;
        gt_fail(message, status, "%s: %s", path, why.text);
    }
    return status;
}

gt_status gt_run_load_sized(gt_run **run, const gt_problem *problem, size_t problem_size,
                            const gt_method *method, const gt_plan *plan, size_t plan_size,
                            gt_checkpoint *with, size_t with_size, const char *path, void **bytes,
                            gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_WIDEN(message, gt_plan, plan);
    GT_OUT(gt_checkpoint, with);
    gt_status result = full_run_load(run, problem, method, plan, with, path, bytes, message);
    GT_GIVE(with);
    return result;
}
