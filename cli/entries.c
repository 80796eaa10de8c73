/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods with their options, several side by side. */
#include "stability_parts.h"
#include <string.h>

const cli_flag gt_cli_method_flags[] = {
    {CLI_FLAG(opt, "opt"), .value = "NAME=VALUE", .help = "an option of the method",
     .repeats = true},
    {CLI_FLAG(also, "also"), .value = "LIST",
     .help = "more methods (dopri5,heun), or the same with other options (order=4)",
     .repeats = true},
    {.name = NULL},
};

static int make_entry(const char *name, const char *options, gt_arena *arena, cli_entry *entry)
{
    if (!strcmp(name, "auto"))
        return gt_cli_usage("auto picks a method for each model and has no properties of its own; "
                            "ask about that method");
    int code = gt_cli_method(name, arena, &entry->method);
    if (code) return code;
    gt_values v = gt_params_default(entry->method->options);
    gt_message message = {""};
    gt_status status =
        gt_params_parse(entry->method->options, "option", name, options, &v, &message);
    if (status) return gt_cli_complain(status, &message);
    size_t length = strlen(options) + strlen(name) + 2;
    entry->options = gt_arena_take(arena, length, 1);
    entry->label = gt_arena_take(arena, length, 1);
    if (!entry->options || !entry->label) return gt_cli_failed("out of memory");
    memcpy(entry->options, options, strlen(options) + 1);
    snprintf(entry->label, length, "%s%s%s", name, *options ? " " : "", options);
    return CLI_OK;
}

/* "name:options", "options", or a list of names. */
static int add_also(const char *first, const char *text, gt_arena *arena, cli_entry *entries,
                    size_t *count)
{
    char **words;
    size_t n_words;
    if (strchr(text, '=')) {
        size_t length = strlen(text) + 1;
        char *copy = gt_arena_take(arena, length, 1);
        if (!copy) return gt_cli_failed("out of memory");
        memcpy(copy, text, length);
        char *colon = strchr(copy, ':');
        if (colon) *colon = '\0';
        return make_entry(colon ? copy : first, colon ? colon + 1 : copy, arena,
                          &entries[(*count)++]);
    }
    int code = gt_cli_read_words("--also", text, arena, &words, &n_words);
    for (size_t i = 0; i < n_words && !code; i++)
        code = make_entry(words[i], "", arena, &entries[(*count)++]);
    return code;
}

int gt_cli_entries(const cli_args *args, gt_arena *arena, cli_entry **entries, size_t *count)
{
    const char *text;
    char *options;
    size_t room = 1;
    for (size_t i = 0; (text = gt_cli_each(&args->flags.also, &i));)
        for (room++; *text; text++) room += *text == ',';
    *entries = gt_arena_take(arena, room, sizeof **entries);
    if (!*entries) return gt_cli_failed("out of memory");
    int code = gt_cli_join_options(args, arena, &options);
    if (!code) code = make_entry(args->operands[0], options, arena, &(*entries)[0]);
    *count = 1;
    for (size_t i = 0; !code && (text = gt_cli_each(&args->flags.also, &i));)
        code = add_also(args->operands[0], text, arena, *entries, count);
    return code;
}
