/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Method files: a JSON object
 *
 *     {"geartrain_method": 1, "kind": "multistep", "name": "..", "title": "..", "order": 4,
 *      "a": ["48/25", "-36/25", ..], "b": ["12/25", ..]}                a_0, a_1, ..  and  b_-1,
 * b_0, ..
 *     {"geartrain_method": 1, "kind": "rk", "name": "..", "A": [[..], ..], "b": [..], "c": [..],
 * "bhat": [..]}
 *     {"geartrain_method": 1, "kind": "backinterpolation", "name": "..", "A": [[..], ..], "b":
 * [..], "bhat": [..]}
 *     {"geartrain_method": 1, "kind": "partitioned", "name": "..", "slow": {"A": .., "b": ..,
 * "bhat": ..}, "fast":
 * {..}}
 *
 * with coefficients as strings "p/q" or numbers. Title, order, c and bhat may be left out, and rows
 * of A may end early.
 */
#include "coefficients.h"
#include <math.h>
#include <string.h>

bool gt_cli_is_method_file(const char *name)
{
    const char *dot = strrchr(name, '.');
    return strchr(name, '/') || (dot && !strcmp(dot, ".json"));
}

typedef struct source {
    const char *path;
    json_t *root;
} source;

static int read_ratio(const source *file, const char *key, const json_t *item, gt_ratio *r)
{
    if (json_is_integer(item)) {
        *r = (gt_ratio){json_integer_value(item), 1};
        return CLI_OK;
    }
    if (json_is_real(item) && fabs(json_real_value(item)) < 1e15) {
        *r = gt_ratio_near(json_real_value(item));
        return CLI_OK;
    }
    if (json_is_string(item) && gt_ratio_read(json_string_value(item), r)) return CLI_OK;
    if (json_is_string(item))
        return gt_cli_usage("%s: \"%s\" in %s is not a number or a fraction such as \"18/11\"",
                            file->path, json_string_value(item), key);
    return gt_cli_usage("%s: %s must hold numbers, or fractions such as \"18/11\"", file->path,
                        key);
}

static int read_list(const source *file, const char *key, const json_t *list, size_t room,
                     gt_ratio *out)
{
    if (!json_is_array(list))
        return gt_cli_usage("%s: %s must be a list of numbers", file->path, key);
    if (json_array_size(list) > room)
        return gt_cli_usage("%s: %s has %zu entries, and there is room for %zu", file->path, key,
                            json_array_size(list), room);
    int code = CLI_OK;
    for (size_t i = 0; i < json_array_size(list) && !code; i++)
        code = read_ratio(file, key, json_array_get(list, i), &out[i]);
    return code;
}

static int read_formula(const source *file, const gt_method_label *label, gt_arena *arena,
                        const gt_method **method)
{
    gt_multistep formula = {0};
    gt_message message = {""};
    int code = read_list(file, "a", json_object_get(file->root, "a"), GT_MAX_PAST, formula.a);
    if (!code)
        code = read_list(file, "b", json_object_get(file->root, "b"), GT_MAX_PAST + 1, formula.b);
    if (code) return code;
    gt_status status = gt_method_from_multistep(label, &formula, arena, method, &message);
    return status ? gt_cli_usage("%s: %s", file->path, message.text) : CLI_OK;
}

static int read_numbers(const source *file, const json_t *object, gt_tableau *tableau)
{
    const json_t *rows = json_object_get(object, "A"), *c = json_object_get(object, "c");
    const json_t *bhat = json_object_get(object, "bhat");
    size_t stages = json_array_size(rows);
    if (!json_is_array(rows) || stages < 1 || stages > GT_MAX_STAGES)
        return gt_cli_usage("%s: A must be a list of 1 to %d rows", file->path, GT_MAX_STAGES);
    tableau->stages = (int)stages;
    int code = read_list(file, "b", json_object_get(object, "b"), stages, tableau->b);
    if (!code && c) code = read_list(file, "c", c, stages, tableau->c);
    if (!code && bhat) code = read_list(file, "bhat", bhat, stages, tableau->b_hat);
    for (size_t i = 0; i < stages && !code; i++)
        code = read_list(file, "a row of A", json_array_get(rows, i), stages, tableau->a[i]);
    return code;
}

static int read_pair(const source *file, const gt_method_label *label, gt_arena *arena,
                     const gt_method **method)
{
    gt_partitioned pair = {0};
    gt_message message = {""};
    const json_t *slow = json_object_get(file->root, "slow"),
                 *fast = json_object_get(file->root, "fast");
    const json_t *slow_end = json_object_get(slow, "bhat_end"),
                 *fast_end = json_object_get(fast, "bhat_end");
    if (!json_is_object(slow) || !json_is_object(fast))
        return gt_cli_usage("%s: a partitioned method has \"slow\" and \"fast\", each with A and b",
                            file->path);
    int code = read_numbers(file, slow, &pair.slow);
    if (!code) code = read_numbers(file, fast, &pair.fast);
    if (!code && slow_end) code = read_ratio(file, "bhat_end", slow_end, &pair.slow_end);
    if (!code && fast_end) code = read_ratio(file, "bhat_end", fast_end, &pair.fast_end);
    if (code) return code;
    gt_status status = gt_method_from_partitioned(label, &pair, arena, method, &message);
    return status ? gt_cli_usage("%s: %s", file->path, message.text) : CLI_OK;
}

static int read_tableau(const source *file, const gt_method_label *label, gt_arena *arena,
                        const gt_method **method)
{
    gt_tableau tableau = {0};
    gt_message message = {""};
    int code = read_numbers(file, file->root, &tableau);
    if (code) return code;
    gt_status status = gt_method_from_tableau(label, &tableau, arena, method, &message);
    return status ? gt_cli_usage("%s: %s", file->path, message.text) : CLI_OK;
}

/* The tableau is that of both halves. */
static int read_half(const source *file, const gt_method_label *label, gt_arena *arena,
                     const gt_method **method)
{
    gt_tableau half = {0};
    gt_message message = {""};
    const json_t *end = json_object_get(file->root, "bhat_end");
    int code = read_numbers(file, file->root, &half);
    if (!code && end && half.stages < GT_MAX_STAGES)
        code = read_ratio(file, "bhat_end", end, &half.b_hat[half.stages]);
    if (code) return code;
    gt_status status = gt_method_from_half(label, &half, arena, method, &message);
    return status ? gt_cli_usage("%s: %s", file->path, message.text) : CLI_OK;
}

static int read_method(const source *file, gt_arena *arena, const gt_method **method)
{
    const json_t *root = file->root, *version = json_object_get(root, "geartrain_method");
    if (!json_is_integer(version))
        return gt_cli_usage("%s is not a method file: it has no \"geartrain_method\": 1",
                            file->path);
    if (json_integer_value(version) != 1)
        return gt_cli_usage("%s is a method file of version %lld, and this program reads version 1",
                            file->path, (long long)json_integer_value(version));
    const char *kind = json_string_value(json_object_get(root, "kind"));
    const char *name = json_string_value(json_object_get(root, "name"));
    json_int_t order = json_integer_value(json_object_get(root, "order"));
    gt_method_label label = {.name = name && *name ? name : file->path,
                             .title = json_string_value(json_object_get(root, "title")),
                             .reference = json_string_value(json_object_get(root, "reference")),
                             .order = order > 0 && order < 100 ? (int)order : 0};
    if (kind && !strcmp(kind, "multistep")) return read_formula(file, &label, arena, method);
    if (kind && !strcmp(kind, "rk")) return read_tableau(file, &label, arena, method);
    if (kind && !strcmp(kind, "partitioned")) return read_pair(file, &label, arena, method);
    if (kind && !strcmp(kind, "backinterpolation")) return read_half(file, &label, arena, method);
    return gt_cli_usage(
        "%s: \"kind\" must be \"multistep\", \"rk\", \"partitioned\" or \"backinterpolation\", not "
        "\"%s\"",
        file->path, kind ? kind : "");
}

int gt_cli_method_file(const char *path, gt_arena *arena, const gt_method **method)
{
    source file = {path, gt_cli_read_json("method file ", path, JSON_REJECT_DUPLICATES)};
    if (!file.root) return CLI_USAGE;
    int code = read_method(&file, arena, method);
    json_decref(file.root);
    return code;
}

/* ---- writing ---- */

typedef struct heading {
    int version;
    const char *kind;
    const gt_method_label *label;
} heading;

static const report_field heading_fields[] = {
    REPORT_KEY("geartrain_method", "version of the file", REPORT_AT(heading, version)),
    REPORT_KEY("kind", "of the method", REPORT_AT(heading, kind)),
    REPORT_KEY("name", "of the method", REPORT_VIA(heading, label, gt_method_label, name)),
    REPORT_KEY("title", "of the method", REPORT_VIA(heading, label, gt_method_label, title)),
    REPORT_KEY("order", "of the method", REPORT_VIA(heading, label, gt_method_label, order)),
    {.type = REPORT_END},
};

int gt_cli_write_method(const char *path, const char *kind, const gt_method_label *label,
                        const report_field *numbers, const void *data)
{
    cli_file file;
    json_t *object = gt_report_json(heading_fields, &(heading){1, kind, label});
    json_t *rest = gt_report_json(numbers, data);
    json_object_update(object, rest);
    json_decref(rest);
    int code = gt_cli_json_whole() ? gt_cli_file_open(&file, path)
                                   : gt_cli_failed("out of memory for %s", path);
    if (!code) {
        bool written = !json_dumpf(object, file.stream, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
        fputc('\n', file.stream);
        code = gt_cli_file_close(&file, written);
        if (!code && !written) code = gt_cli_failed("%s could not be written", path);
    }
    json_decref(object);
    return code;
}
