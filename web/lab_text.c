/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON texts, and the memory of answers. */
#include "lab_face.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add(lab_text *out, const char *bytes, size_t count)
{
    if (out->failed) return;
    if (out->used + count + 1 > out->room) {
        size_t room = 2 * (out->used + count + 1) + 1024;
        char *text = realloc(out->text, room);
        if (!text) {
            out->failed = true;
            return;
        }
        out->text = text;
        out->room = room;
    }
    memcpy(out->text + out->used, bytes, count);
    out->used += count;
    out->text[out->used] = '\0';
}

/* Before each value of a list and each key of an object. */
static void separate(lab_text *out)
{
    if (out->comma) add(out, ",", 1);
    out->comma = true;
}

void lab_begin(lab_text *out, char bracket)
{
    separate(out);
    add(out, &bracket, 1);
    out->comma = false;
}

void lab_end(lab_text *out, char bracket)
{
    add(out, &bracket, 1);
    out->comma = true;
}

static void quote(lab_text *out, const char *value)
{
    static const char digits[] = "0123456789abcdef";
    add(out, "\"", 1);
    for (const char *c = value; *c; c++) {
        unsigned char code = (unsigned char)*c;
        char escape[6] = {'\\', 'u', '0', '0', digits[code >> 4 & 15], digits[code & 15]};
        if (code < 32 || code == '"' || code == '\\')
            add(out, escape, sizeof escape);
        else
            add(out, c, 1);
    }
    add(out, "\"", 1);
}

void lab_key(lab_text *out, const char *key)
{
    separate(out);
    quote(out, key);
    add(out, ":", 1);
    out->comma = false;
}

void lab_string(lab_text *out, const char *value)
{
    separate(out);
    if (value)
        quote(out, value);
    else
        add(out, "null", 4);
}

void lab_number(lab_text *out, double value)
{
    char digits[GT_NUMBER_SIZE];
    separate(out);
    if (isnan(value))
        add(out, "null", 4);
    else if (isinf(value))
        add(out, value > 0 ? "1e999" : "-1e999", value > 0 ? 5 : 6);
    else
        add(out, digits, gt_number_print_short(digits, value));
}

void lab_bool(lab_text *out, bool value)
{
    separate(out);
    add(out, value ? "true" : "false", value ? 4 : 5);
}

void lab_put_string(lab_text *out, const char *key, const char *value)
{
    lab_key(out, key);
    lab_string(out, value);
}

void lab_put_number(lab_text *out, const char *key, double value)
{
    lab_key(out, key);
    lab_number(out, value);
}

void lab_put_bool(lab_text *out, const char *key, bool value)
{
    lab_key(out, key);
    lab_bool(out, value);
}

void lab_put_params(lab_text *out, const char *key, const gt_param *table)
{
    lab_key(out, key);
    lab_begin(out, '[');
    for (const gt_param *row = table; row && row->name; row++) {
        lab_begin(out, '{');
        lab_put_string(out, "name", row->name);
        lab_put_string(out, "help", row->help);
        lab_put_string(out, "unit", row->unit);
        lab_put_number(out, "initial", row->initial);
        lab_put_bool(out, "integer", row->type == GT_INTEGER);
        if (row->min != 0 || row->max != 0) {
            lab_put_number(out, "min", row->min);
            lab_put_number(out, "max", row->max);
        }
        if (row->type == GT_CHOICE) {
            lab_key(out, "choices");
            lab_begin(out, '[');
            for (const char *const *choice = row->choices; *choice; choice++)
                lab_string(out, *choice);
            lab_end(out, ']');
        }
        lab_end(out, '}');
    }
    lab_end(out, ']');
}

/* ---- answers ---- */

gt_lab *gt_lab_new(void)
{
    gt_lab *lab = calloc(1, sizeof *lab);
    if (lab) lab->arena = gt_arena_growing();
    return lab;
}

const char *gt_lab_answer(const gt_lab *lab)
{
    return lab->answer.failed || !lab->answer.text
               ? "{\"status\":\"no_memory\",\"message\":\"out of memory\"}"
               : lab->answer.text;
}

const double *gt_lab_numbers(const gt_lab *lab) { return lab->numbers; }

void lab_answer(gt_lab *lab)
{
    lab->answer.used = 0;
    lab->answer.comma = lab->answer.failed = false;
    lab->n_numbers = 0;
    lab_begin(&lab->answer, '{');
}

int lab_close(gt_lab *lab, gt_status status, const gt_message *message)
{
    lab_put_string(&lab->answer, "status", gt_status_name(status));
    lab_put_string(&lab->answer, "message",
                   !status                       ? NULL
                   : message && message->text[0] ? message->text
                                                 : gt_status_text(status));
    lab_put_number(&lab->answer, "numbers", (double)lab->n_numbers);
    lab_end(&lab->answer, '}');
    return (int)status;
}

double *lab_room(gt_lab *lab, size_t count)
{
    if (count > lab->room) {
        double *numbers = realloc(lab->numbers, count * sizeof *numbers);
        if (!numbers) return NULL;
        lab->numbers = numbers;
        lab->room = count;
    }
    lab->n_numbers = count;
    return lab->numbers;
}
