/* SPDX-License-Identifier: BSD-3-Clause */
/* jsonget PATH < text: reads exactly one JSON object and prints the value at a path like
 * stats.steps or rows.0.method.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *step_into(json_t *value, const char *key)
{
    if (json_is_array(value)) return json_array_get(value, (size_t)strtoul(key, NULL, 10));
    return json_object_get(value, key);
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *root = json_loadf(stdin, 0, &error), *value = root;
    if (!json_is_object(root)) {
        fprintf(stderr, "not one JSON object: %s\n", root ? "another type" : error.text);
        json_decref(root);
        return 1;
    }
    char path[256] = "";
    if (argc > 1) snprintf(path, sizeof path, "%s", argv[1]);
    for (char *key = strtok(path, "."); key && value; key = strtok(NULL, "."))
        value = step_into(value, key);
    if (value) json_dumpf(value, stdout, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17));
    puts(value ? "" : "missing");
    json_decref(root);
    return value ? 0 : 1;
}
