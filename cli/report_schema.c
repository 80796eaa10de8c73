/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports as the JSON schema of what a command prints, and as a table of its keys. */
#include "report.h"
#include <string.h>

static json_t *object_schema(const report_field *fields);

/* {"type": "number"}, or of two types where there may be another value. */
static json_t *typed(const char *type, const char *other)
{
    return other ? json_pack("{s:[s, s]}", "type", type, other) : json_pack("{s:s}", "type", type);
}

static json_t *scalar_schema(report_type type, bool nullable)
{
    const char *null = nullable ? "null" : NULL;
    switch (type) {
    case REPORT_NUMBER:
        return json_pack("{s:[s, s]}", "type", "number", "null");
    case REPORT_LIMIT:
        return json_pack("{s:[s, s, s]}", "type", "number", "string", "null");
    case REPORT_ANY:
    case REPORT_RATIO:
        return json_pack(nullable ? "{s:[s, s, s]}" : "{s:[s, s]}", "type", "string", "number",
                         "null");
    case REPORT_INT:
    case REPORT_LONG:
    case REPORT_SIZE:
        return typed("integer", null);
    case REPORT_BOOL:
        return typed("boolean", null);
    case REPORT_PAIR:
        return json_pack("{s:s, s:i, s:i, s:{s:[s, s]}}", "type", "array", "minItems", 2,
                         "maxItems", 2, "items", "type", "number", "null");
    default:
        return typed("string", null);
    }
}

static json_t *entry_schema(const report_field *field)
{
    if (field->of) return object_schema(field->of);
    if (field->list)
        return json_pack("{s:s, s:o}", "type", "array", "items", entry_schema(field->list));
    json_t *entry = scalar_schema(field->entry, false);
    if (!field->plain) return entry;
    return json_pack("{s:[o, o]}", "anyOf", entry, scalar_schema(REPORT_NUMBER, false));
}

static json_t *field_schema(const report_field *f)
{
    json_t *schema;
    if (f->type == REPORT_OBJECT)
        schema = object_schema(f->of);
    else if (f->type == REPORT_LIST)
        schema = json_pack("{s:s, s:o}", "type", "array", "items", entry_schema(f));
    else if (f->type == REPORT_MAP)
        schema = json_pack("{s:s, s:o}", "type", "object", "additionalProperties", entry_schema(f));
    else
        schema = scalar_schema(f->type, f->nullable);
    bool compound = f->type == REPORT_OBJECT || f->type == REPORT_LIST || f->type == REPORT_MAP;
    if (compound && f->nullable) {
        json_t *type = json_object_get(schema, "type");
        json_object_set_new(schema, "type", json_pack("[O, s]", type, "null"));
    }
    if (f->about) json_object_set_new(schema, "description", json_string(f->about));
    return schema;
}

static void add_fields(json_t *properties, json_t *required, const report_field *fields, bool maybe)
{
    for (const report_field *f = fields; f->type; f++) {
        bool may_miss = maybe || f->when || f->optional;
        if (f->type == REPORT_INLINE)
            add_fields(properties, required, f->of, may_miss);
        else if (f->key && f->type != REPORT_LINE) {
            json_object_set_new(properties, f->key, field_schema(f));
            if (!may_miss) json_array_append_new(required, json_string(f->key));
        }
    }
}

static json_t *object_schema(const report_field *fields)
{
    json_t *properties = json_object(), *required = json_array();
    add_fields(properties, required, fields, false);
    return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties, "required",
                     required, "additionalProperties", 0);
}

/* What --json prints of a command that is refused. */
static const report_field refusal[] = {
    REPORT_KEY("status", "why, as the name of a status", .type = REPORT_STRING),
    REPORT_KEY("message", "why, for a person", .type = REPORT_STRING),
    {.type = REPORT_END},
};

/* What gt_cli_json_print adds to any object. */
static const report_field warnings_field[] = {
    REPORT_KEY("warnings",
               "what was doubtful in the model or in what was asked for; always there where a "
               "model is read",
               .type = REPORT_LIST, .entry = REPORT_STRING, .optional = true),
    {.type = REPORT_END}};

static void add_warnings(json_t *schema)
{
    json_t *properties = json_object_get(schema, "properties");
    if (!json_object_get(properties, "warnings"))
        json_object_set_new(properties, "warnings", field_schema(warnings_field));
}

json_t *gt_report_schema(const char *command, const cli_report *reports)
{
    json_t *any = json_array();
    for (const cli_report *r = reports; r->fields; r++) {
        json_t *schema = object_schema(r->fields);
        json_t *also = json_pack("{s:s, s:O}", "type", "array", "items", schema);
        json_t *whole = json_deep_copy(schema);
        if (r->also) json_object_set(json_object_get(whole, "properties"), "also", also);
        add_warnings(whole);
        if (r->title) json_object_set_new(whole, "title", json_string(r->title));
        json_array_append_new(any, whole);
        json_decref(also);
        json_decref(schema);
    }
    json_t *refused = object_schema(refusal);
    add_warnings(refused);
    json_object_set_new(refused, "title", json_string("a command that is refused"));
    json_array_append_new(any, refused);
    return json_pack("{s:s, s:s+, s:o}", "$schema", "https://json-schema.org/draft/2020-12/schema",
                     "title", "geartrain ", command, "anyOf", any);
}

/* ---- as a table in Markdown ---- */

static const char *type_name(const report_field *f, report_type type)
{
    static const char *const names[] = {
        [REPORT_NUMBER] = "number", [REPORT_LIMIT] = "number or \"unbounded\"",
        [REPORT_INT] = "integer",   [REPORT_LONG] = "integer",
        [REPORT_SIZE] = "integer",  [REPORT_BOOL] = "true or false",
        [REPORT_STRING] = "string", [REPORT_CHARS] = "string",
        [REPORT_STATUS] = "string", [REPORT_RATIO] = "\"p/q\" or number",
        [REPORT_PAIR] = "[re, im]", [REPORT_ANY] = "number or string",
        [REPORT_OBJECT] = "object", [REPORT_INLINE] = "",
        [REPORT_LIST] = "list",     [REPORT_MAP] = "object, by name",
        [REPORT_LINE] = "",         [REPORT_END] = "",
    };
    if (type == REPORT_LIST && f->list) return "list of lists";
    if (type == REPORT_LIST && f->of) return "list of objects";
    return names[type];
}

/* A bar would end the cell. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text; text++) fprintf(out, *text == '|' ? "\\%c" : "%c", *text);
}

static void put_keys(FILE *out, const report_field *fields, const char *before)
{
    for (const report_field *f = fields; f->type; f++) {
        if (f->type == REPORT_INLINE) put_keys(out, f->of, before);
        if (!f->key || f->type == REPORT_INLINE || f->type == REPORT_LINE) continue;
        bool may_miss = f->when || f->optional;
        fprintf(out, "| `%s%s` | %s | ", before, f->key, type_name(f, f->type));
        put_cell(out, f->about ? f->about : "");
        fputs(may_miss ? " (not always there) |\n" : " |\n", out);
        char path[160];
        snprintf(path, sizeof path, "%s%s%s.", before, f->key,
                 f->type == REPORT_LIST  ? "[]"
                 : f->type == REPORT_MAP ? ".NAME"
                                         : "");
        if (f->of) put_keys(out, f->of, path);
    }
}

static bool has_warnings(const report_field *fields)
{
    for (const report_field *f = fields; f->type; f++)
        if ((f->key && !strcmp(f->key, "warnings")) ||
            (f->type == REPORT_INLINE && has_warnings(f->of)))
            return true;
    return false;
}

void gt_report_keys(FILE *out, const cli_report *reports)
{
    for (const cli_report *r = reports; r->fields; r++) {
        if (r->title) fprintf(out, "%s%s:\n\n", r == reports ? "" : "\n", r->title);
        fputs("| key | value | meaning |\n| --- | --- | --- |\n", out);
        put_keys(out, r->fields, "");
        if (!has_warnings(r->fields)) put_keys(out, warnings_field, "");
        if (r->also) fputs("| `also[]` | list of objects | the same of the other methods |\n", out);
    }
}
