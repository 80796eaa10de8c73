/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of methods, parameters of models and step control as text. The first byte chooses whose,
 * and a byte above 127 stands for one of its names with "=" behind it; what is accepted is finite
 * and is read back from what it prints as.
 */
#include "fuzz_kit.h"
#include <math.h>

static void check_values(const gt_param *table, const char *owner, const gt_values *values)
{
    size_t count = gt_params_count(table);
    for (size_t i = 0; i < count; i++) {
        char printed[128];
        gt_values again = gt_params_default(table);
        gt_message message = {""};
        if (!isfinite(values->v[i])) abort();
        gt_params_print(&table[i], values->v[i], printed, sizeof printed);
        if (gt_params_set(table, "option", owner, table[i].name, printed, &again, &message))
            abort();
        if (again.v[i] != values->v[i]) abort();
    }
}

/* The text with its names written out. */
static char *with_names(const gt_param *table, const char *text)
{
    size_t count = table ? gt_params_count(table) : 0, used = 0, room = 1;
    for (const char *p = text; *p; p++) room += 64;
    char *out = malloc(room);
    if (!out) abort();
    out[0] = '\0';
    for (const char *p = text; *p; p++) {
        unsigned char byte = (unsigned char)*p;
        if (byte > 127 && count)
            used += (size_t)snprintf(out + used, 64, "%.60s=", table[byte % count].name);
        else
            out[used++] = *p, out[used] = '\0';
    }
    return out;
}

static void feed_table(const gt_param *table, const char *owner, const char *bytes)
{
    char *text = with_names(table, bytes);
    gt_values values = gt_params_default(table);
    gt_message message = {""};
    gt_status status = gt_params_parse(table, "option", owner, text, &values, &message);
    fuzz_says_why(status, &message);
    if (!status && table) check_values(table, owner, &values);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) return 0;
    size_t n_methods = 0, n_models = 0, which = data[0];
    const gt_method *const *methods = gt_method_list();
    const gt_model *const *models = gt_model_list();
    while (methods[n_methods]) n_methods++;
    while (models[n_models]) n_models++;
    char *text = fuzz_text(data + 1, size - 1);
    if (which < n_methods) {
        feed_table(methods[which]->options, methods[which]->name, text);
    } else if (which - n_methods < n_models) {
        feed_table(models[which - n_methods]->params, models[which - n_methods]->name, text);
    } else {
        gt_control control;
        gt_message message = {""};
        fuzz_says_why(gt_control_parse(text, &control, &message), &message);
    }
    free(text);
    return 0;
}
