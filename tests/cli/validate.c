/* SPDX-License-Identifier: BSD-3-Clause */
/* validate SCHEMA <text: whether a JSON object keeps to a schema; of JSON Schema it knows what
 * Geartrain writes: type, properties, required, additionalProperties, items, minItems, maxItems,
 * anyOf. Anything else in a schema is refused.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static char why[400];

static bool wrong(const char *path, const char *what, const char *more)
{
    snprintf(why, sizeof why, "%s: %s%s", *path ? path : "the object", what, more);
    return false;
}

static bool has_type(const json_t *value, const char *type)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return !strcmp(type, "object");
    case JSON_ARRAY:
        return !strcmp(type, "array");
    case JSON_STRING:
        return !strcmp(type, "string");
    case JSON_INTEGER:
        return !strcmp(type, "integer") || !strcmp(type, "number");
    case JSON_REAL:
        return !strcmp(type, "number");
    case JSON_NULL:
        return !strcmp(type, "null");
    default:
        return !strcmp(type, "boolean");
    }
}

static bool check_type(const json_t *schema, const json_t *value, const char *path)
{
    const json_t *type = json_object_get(schema, "type");
    bool fits = !type || (json_is_string(type) && has_type(value, json_string_value(type)));
    for (size_t i = 0; json_is_array(type) && i < json_array_size(type); i++)
        fits = fits || has_type(value, json_string_value(json_array_get(type, i)));
    return fits || wrong(path, "a value of another type", "");
}

static bool known_words(const json_t *schema, const char *path)
{
    static const char *const known[] = {"type",  "properties", "required",   "additionalProperties",
                                        "items", "minItems",   "maxItems",   "anyOf",
                                        "title", "$schema",    "description"};
    const char *key;
    json_t *entry;
    json_object_foreach((json_t *)schema, key, entry)
    {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found = found || !strcmp(key, known[i]);
        if (!found) return wrong(path, "the schema has an unknown word ", key);
    }
    return true;
}

static bool check(const json_t *schema, const json_t *value, const char *path);

static bool check_members(const json_t *schema, const json_t *value, const char *path)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *required = json_object_get(schema, "required");
    const json_t *others = json_object_get(schema, "additionalProperties");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *key = json_string_value(json_array_get(required, i));
        if (!json_object_get(value, key)) return wrong(path, "there is no key ", key);
    }
    const char *key;
    json_t *entry;
    json_object_foreach((json_t *)value, key, entry)
    {
        char inner[300];
        snprintf(inner, sizeof inner, "%s.%s", path, key);
        const json_t *own = json_object_get(properties, key);
        if (!own) own = others;
        if (json_is_false(own)) return wrong(path, "the schema does not know the key ", key);
        if (own && !json_is_true(own) && !check(own, entry, inner)) return false;
    }
    return true;
}

static bool check_items(const json_t *schema, const json_t *value, const char *path)
{
    const json_t *items = json_object_get(schema, "items"),
                 *least = json_object_get(schema, "minItems"),
                 *most = json_object_get(schema, "maxItems");
    size_t count = json_array_size(value);
    if (least && count < (size_t)json_integer_value(least)) return wrong(path, "too few items", "");
    if (most && count > (size_t)json_integer_value(most)) return wrong(path, "too many items", "");
    for (size_t i = 0; items && i < count; i++) {
        char inner[300];
        snprintf(inner, sizeof inner, "%s[%zu]", path, i);
        if (!check(items, json_array_get(value, i), inner)) return false;
    }
    return true;
}

static bool check(const json_t *schema, const json_t *value, const char *path)
{
    if (!known_words(schema, path) || !check_type(schema, value, path)) return false;
    const json_t *any = json_object_get(schema, "anyOf");
    bool fits = !any;
    char first[sizeof why] = "";
    for (size_t i = 0; i < json_array_size(any) && !fits; i++) {
        fits = check(json_array_get(any, i), value, path);
        if (!fits && !*first) memcpy(first, why, sizeof first);
    }
    if (!fits) memcpy(why, first, sizeof why);
    if (fits && json_is_object(value)) fits = check_members(schema, value, path);
    if (fits && json_is_array(value)) fits = check_items(schema, value, path);
    return fits;
}

int main(int argc, char **argv)
{
    json_error_t error;
    if (argc < 2) return 2;
    json_t *schema = json_load_file(argv[1], 0, &error), *value = json_loadf(stdin, 0, &error);
    bool fits = json_is_object(schema) && json_is_object(value);
    if (!fits)
        fprintf(stderr, "not JSON: %s\n", error.text);
    else if (!(fits = check(schema, value, "")))
        fprintf(stderr, "%s\n", why);
    json_decref(schema);
    json_decref(value);
    return fits ? 0 : 1;
}
