/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports as JSON. */
#include "cli.h"
#include "report.h"
#include <math.h>

static json_t *any_json(const report_field *field, const report_value *value);

static json_t *number_json(double number)
{
    return isfinite(number) ? json_real(number + 0.0) : json_null(); /* no -0 */
}

json_t *gt_report_value_json(const report_value *v)
{
    switch (v->type) {
    case REPORT_NUMBER:
        return number_json(v->number);
    case REPORT_LIMIT:
        return isinf(v->number) ? json_string("unbounded") : number_json(v->number);
    case REPORT_LONG:
        return json_integer(v->integer);
    case REPORT_BOOL:
        return json_boolean(v->flag);
    case REPORT_STRING:
        return gt_cli_json_text(v->text);
    case REPORT_PAIR:
        return json_pack("[o, o]", number_json(v->pair[0]), number_json(v->pair[1]));
    default:
        return json_null();
    }
}

static json_t *entries_json(const report_field *field, const void *data)
{
    bool named = field->type == REPORT_MAP;
    json_t *all = named ? json_object() : json_array();
    report_value v;
    for (size_t i = 0; gt_report_entry(field, data, i, &v); i++) {
        if (v.absent) continue;
        json_t *entry = any_json(field->list ? field->list : field, &v);
        if (named)
            json_object_set_new(all, v.name, entry);
        else
            json_array_append_new(all, entry);
    }
    return all;
}

/* The value, of which the field says what it consists of. */
static json_t *any_json(const report_field *field, const report_value *v)
{
    if (v->type == REPORT_OBJECT) return gt_report_json(field->of, v->data);
    if (v->type == REPORT_LIST || v->type == REPORT_MAP) return entries_json(field, v->data);
    return gt_report_value_json(v);
}

static void add_fields(json_t *object, const report_field *fields, const void *data)
{
    report_value v;
    for (const report_field *f = fields; f->type; f++) {
        if (f->type == REPORT_LINE || (!f->key && f->type != REPORT_INLINE)) continue;
        if (!gt_report_get(f, data, &v)) continue;
        if (f->type == REPORT_INLINE)
            add_fields(object, f->of, v.data);
        else
            json_object_set_new(object, f->key, any_json(f, &v));
    }
}

json_t *gt_report_json(const report_field *fields, const void *data)
{
    json_t *object = json_object();
    add_fields(object, fields, data);
    return object;
}

int gt_report_print_json(const report_field *fields, const void *data)
{
    return gt_cli_json_print(gt_report_json(fields, data));
}

int gt_report_print_json_entries(const report_field *fields, const void *of, size_t count)
{
    json_t *object = gt_report_json(fields, &(report_item){.of = of}), *also = json_array();
    for (size_t i = 1; i < count; i++)
        json_array_append_new(also, gt_report_json(fields, &(report_item){.of = of, .i = i}));
    if (count > 1) json_object_set(object, "also", also);
    json_decref(also);
    return gt_cli_json_print(object);
}
