/* SPDX-License-Identifier: BSD-3-Clause */
/* What a field of a report says about a struct, whatever it is printed as. */
#include "report.h"
#include <stdarg.h>

void gt_report_say(report_text *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int more = gt_vformat(out->text + out->used, sizeof out->text - out->used, format, list);
    va_end(list);
    size_t room = sizeof out->text - out->used - 1;
    if (more > 0) out->used += (size_t)more < room ? (size_t)more : room;
}

/* The value of this type at an address. */
static void load(report_type type, const void *at, report_value *out)
{
    out->type = type;
    out->data = at;
    switch (type) {
    case REPORT_NUMBER:
    case REPORT_LIMIT:
        out->number = *(const double *)at;
        break;
    case REPORT_INT:
        out->integer = *(const int *)at;
        break;
    case REPORT_LONG:
        out->integer = *(const long *)at;
        break;
    case REPORT_SIZE:
        out->integer = (long)*(const size_t *)at;
        break;
    case REPORT_BOOL:
        out->flag = *(const bool *)at;
        break;
    case REPORT_STRING:
        out->text = *(const char *const *)at;
        break;
    case REPORT_CHARS:
        out->text = at;
        break;
    case REPORT_STATUS:
        out->text = gt_status_name(*(const gt_status *)at);
        break;
    case REPORT_RATIO:
        out->ratio = *(const gt_ratio *)at;
        break;
    case REPORT_PAIR:
        out->pair[0] = ((const double *)at)[0];
        out->pair[1] = ((const double *)at)[1];
        break;
    default: /* objects and lists are their address */
        break;
    }
}

/* All texts are strings, all integers long, a ratio is a text or a number: what is printed. */
static void settle(report_value *v)
{
    if (v->type == REPORT_INT || v->type == REPORT_SIZE) v->type = REPORT_LONG;
    if (v->type == REPORT_CHARS || v->type == REPORT_STATUS) v->type = REPORT_STRING;
    if (v->type == REPORT_STRING && !v->text) v->type = REPORT_END;
    if (v->type == REPORT_RATIO) {
        bool rounded = gt_ratio_is_rounded(v->ratio);
        v->type = rounded ? REPORT_NUMBER : REPORT_STRING;
        v->number = gt_ratio_value(v->ratio);
        v->text = v->room;
        if (!rounded) gt_ratio_print(v->ratio, v->room, sizeof v->room);
    }
    if (v->type == REPORT_OBJECT && !v->data) v->type = REPORT_END;
}

/* The struct that has the field. */
static const char *base_of(const report_field *field, const void *data)
{
    const char *base = field->column ? ((const report_item *)data)->of : data;
    for (size_t k = 0; k < sizeof field->via / sizeof *field->via && field->via[k]; k++)
        base = *(const char *const *)(const void *)(base + field->via[k] - 1);
    return base;
}

static size_t size_of(report_type type)
{
    switch (type) {
    case REPORT_INT:
        return sizeof(int);
    case REPORT_LONG:
        return sizeof(long);
    case REPORT_SIZE:
        return sizeof(size_t);
    case REPORT_BOOL:
        return sizeof(bool);
    case REPORT_STRING:
        return sizeof(const char *);
    case REPORT_RATIO:
        return sizeof(gt_ratio);
    case REPORT_PAIR:
        return 2 * sizeof(double);
    default:
        return sizeof(double);
    }
}

bool gt_report_get(const report_field *field, const void *data, report_value *out)
{
    out->absent = false;
    out->name = out->unit = NULL;
    out->type = field->type;
    out->data = data;
    if (field->when && !field->when(data)) return false;
    if (field->get) {
        field->get(data, out);
    } else if (field->type != REPORT_LIST && !field->each) { /* a list looks for itself */
        const char *at = base_of(field, data) + field->offset;
        if (field->pointer) at = *(const char *const *)(const void *)at;
        if (field->column) at += ((const report_item *)data)->i * size_of(field->type);
        load(field->type, at, out);
    }
    if (field->factor != 0) out->number *= field->factor;
    settle(out);
    if (field->nullable && out->type == REPORT_STRING && !*out->text) out->type = REPORT_END;
    return !out->absent;
}

bool gt_report_entry(const report_field *field, const void *data, size_t i, report_value *out)
{
    report_type type = field->of ? REPORT_OBJECT : field->list ? REPORT_LIST : field->entry;
    out->absent = false;
    out->name = out->unit = NULL;
    out->type = type;
    out->item = (report_item){.of = data, .i = i};
    out->data = &out->item;
    if (field->each) {
        if (!field->each(data, i, out)) return false;
    } else {
        const char *base = base_of(field, data);
        const void *count = base + field->count;
        if (i >= (field->count_is_int ? (size_t) * (const int *)count : *(const size_t *)count))
            return false;
        out->item.of = base;
        const char *array = base + field->offset;
        if (field->pointer) array = *(const char *const *)(const void *)array;
        if (field->stride) load(type, array + i * field->stride, out);
    }
    settle(out);
    return true;
}
