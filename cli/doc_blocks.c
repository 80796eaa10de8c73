/* SPDX-License-Identifier: BSD-3-Clause */
/* doc: what descriptors and tables of flags say, as Markdown. */
#include "coefficients.h"
#include "doc_parts.h"
#include "help.h"
#include "show_parts.h"
#include <ctype.h>
#include <string.h>

void gt_doc_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", out);
        else {
            if (strchr("|*[]", *text)) fputc('\\', out);
            fputc(*text, out);
        }
    }
}

/* Inside backquotes only the bar of a table is in the way. */
static void print_code(const char *text, FILE *out)
{
    fputc('`', out);
    for (; *text; text++) fprintf(out, *text == '|' ? "\\|" : "%c", *text);
    fputc('`', out);
}

/* A heading as the part of a link after "#". */
static void print_anchor(const char *heading, FILE *out)
{
    for (; *heading; heading++) fputc(*heading == ' ' ? '-' : *heading, out);
}

static void print_command_row(const cli_command *command, FILE *out)
{
    fprintf(out, "| [`%s`](#", command->name);
    print_anchor(command->name, out);
    fputs(") | ", out);
    gt_doc_text(command->title, out);
    fputs(" |\n", out);
}

void gt_doc_commands(FILE *out)
{
    fputs("| command | does |\n| --- | --- |\n", out);
    for (const cli_command *const *c = gt_cli_commands; *c; c++) {
        if (!(*c)->subs) print_command_row(*c, out);
        for (const cli_command *const *sub = (*c)->subs; sub && *sub; sub++)
            print_command_row(*sub, out);
    }
}

static void print_flags(const cli_command *command, FILE *out)
{
    fputs("\n| flag | meaning |\n| --- | --- |\n", out);
    for (const cli_flag *const *table = command->flags; *table; table++)
        for (const cli_flag *f = *table; f->name; f++) {
            char head[96], text[512];
            if (!f->help) continue;
            gt_cli_flag_head(f, head, sizeof head);
            gt_cli_flag_text(f, text, sizeof text);
            fputs("| ", out);
            print_code(head, out);
            fputs(" | ", out);
            gt_doc_text(text, out);
            fputs(" |\n", out);
        }
}

void gt_doc_command(const cli_command *command, FILE *out)
{
    fprintf(out, "### %s\n\n`geartrain %s %s%s`: ", command->name, command->name, command->operands,
            command->subs ? "" : " [flags]");
    gt_doc_text(command->title, out);
    fputs(".\n", out);
    if (command->about) {
        fputc('\n', out);
        gt_doc_text(command->about, out);
        fputc('\n', out);
    }
    for (const cli_command *const *sub = command->subs; sub && *sub; sub++) {
        fputc('\n', out);
        gt_doc_command(*sub, out);
    }
    if (command->subs) return;
    fprintf(out, "\n```sh\n");
    for (const char *line = command->examples; *line;) { /* without the four blanks before each */
        size_t length = strcspn(line, "\n");
        fprintf(out, "%.*s\n", (int)length - 4, line + 4);
        line += length;
        line += *line == '\n';
    }
    fputs("```\n", out);
    print_flags(command, out);
}

void gt_doc_reference(FILE *out)
{
    for (const cli_command *const *c = gt_cli_commands; *c; c++) {
        if (c != gt_cli_commands) fputc('\n', out);
        gt_doc_command(*c, out);
    }
}

/* "1e-06 to 1e+09" becomes "1e-6 to 1e9". */
static void shorten_exponents(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        bool exponent = *from == 'e' && from > text && isdigit((unsigned char)from[-1]);
        *to++ = *from++;
        if (!exponent) continue;
        if (*from == '-') *to++ = *from;
        from += *from == '-' || *from == '+';
        while (*from == '0' && isdigit((unsigned char)from[1])) from++;
    }
    *to = '\0';
}

static void print_range(const gt_param *row, FILE *out)
{
    char range[320];
    if (row->type != GT_CHOICE) {
        gt_show_range(row, range, sizeof range);
        shorten_exponents(range);
        gt_doc_text(range, out);
        return;
    }
    for (const char *const *c = row->choices; *c; c++)
        fprintf(out, "%s`%s`", c == row->choices ? "" : ", ", *c);
}

void gt_doc_params(const char *what, bool units, const gt_param *table, FILE *out)
{
    gt_values values = gt_params_default(table);
    if (!table || !table[0].name) {
        fprintf(out, "It has no %ss.\n", what);
        return;
    }
    fprintf(out, "| %s | default |%s range | meaning |\n| --- | --- |%s --- | --- |\n", what,
            units ? " unit |" : "", units ? " --- |" : "");
    for (size_t i = 0; table[i].name; i++) {
        char value[64];
        const char *unit = table[i].unit && *table[i].unit ? table[i].unit : "-";
        gt_params_print(&table[i], values.v[i], value, sizeof value);
        shorten_exponents(value);
        fprintf(out, "| `%s` | %s | ", table[i].name, value);
        if (units) {
            gt_doc_text(unit, out);
            fputs(" | ", out);
        }
        print_range(&table[i], out);
        fputs(" | ", out);
        gt_doc_text(table[i].help ? table[i].help : "", out);
        fputs(" |\n", out);
    }
}

void gt_doc_method_list(FILE *out)
{
    fputs("| method | order | title |\n| --- | --- | --- |\n", out);
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_values options = gt_params_default((*m)->options);
        fprintf(out, "| [%s](methods/%s.md) | %d | ", (*m)->name, (*m)->name,
                gt_method_facts(*m, options.v).order);
        gt_doc_text((*m)->title, out);
        fputs(" |\n", out);
    }
}

void gt_doc_model_list(FILE *out)
{
    fputs("| model | states | title |\n| --- | --- | --- |\n", out);
    for (const gt_model *const *m = gt_model_list(); *m; m++) {
        gt_arena arena = gt_arena_growing();
        gt_problem problem = {0};
        size_t n = gt_model_build(*m, "", &problem, &arena, NULL) ? 0 : gt_problem_size(&problem);
        gt_arena_free(&arena);
        fprintf(out, "| [%s](models/%s.md) | %zu | ", (*m)->name, (*m)->name, n);
        gt_doc_text((*m)->title, out);
        fputs(" |\n", out);
    }
}

static const cli_command *command_called(const cli_command *const *list, const char *name)
{
    const cli_command *found = NULL;
    for (const cli_command *const *c = list; *c && !found; c++) {
        if (!strcmp((*c)->name, name)) found = *c;
        if (!found && (*c)->subs) found = command_called((*c)->subs, name);
    }
    return found;
}

static int command_block(const char *name, FILE *out)
{
    const cli_command *command = command_called(gt_cli_commands, name);
    if (!command) return gt_cli_usage("there is no command '%s'; see: geartrain help", name);
    gt_doc_command(command, out);
    return CLI_OK;
}

static int man_block(const char *name, FILE *out)
{
    const cli_command *command = command_called(gt_cli_commands, name);
    if (!command) return gt_cli_usage("there is no command '%s'; see: geartrain help", name);
    gt_doc_man_command(command, out);
    return CLI_OK;
}

static int completion_block(const char *name, FILE *out)
{
    for (const gt_doc_shell *shell = gt_doc_shells; shell->name; shell++)
        if (!strcmp(name, shell->name)) {
            shell->put(out);
            return CLI_OK;
        }
    return gt_cli_usage("there is no completion for '%s'; the shells are bash, zsh and fish", name);
}

enum { MOST_NAMES = 512 };

/* Says that there is none of this name, with the nearest one. */
static int unknown(const char *what, const char *name, const char *const *names)
{
    char buffer[96];
    const char *hint = gt_cli_suggest(name, names, buffer);
    if (*hint) return gt_cli_usage("there is no %s '%s'%s", what, name, hint);
    return gt_cli_usage("there is no %s '%s'; see: geartrain list %ss", what, name, what);
}

static int find_method(const char *name, const gt_method **method)
{
    const char *names[MOST_NAMES + 1] = {NULL};
    *method = gt_method_find(name);
    if (*method) return CLI_OK;
    for (size_t i = 0; i < MOST_NAMES && gt_method_list()[i]; i++)
        names[i] = gt_method_list()[i]->name;
    return unknown("method", name, names);
}

static int method_block(bool facts, const char *name, FILE *out)
{
    const gt_method *method;
    int code = find_method(name, &method);
    if (code) return code;
    if (facts) return gt_doc_facts(method, out);
    gt_doc_params("option", false, method->options, out);
    return CLI_OK;
}

/* Its numbers as code. */
static int coefficients_block(const char *name, FILE *out)
{
    const gt_method *method;
    int code = find_method(name, &method);
    if (code) return code;
    if (!method->tableau && !method->formula && !method->partitioned_of)
        return gt_cli_usage("method %s has neither a tableau nor a formula", name);
    fputs("```text\n", out);
    if (method->tableau) gt_coefficients_print_tableau(method->tableau, out);
    if (method->formula) gt_coefficients_print_formula(method->formula, out);
    if (method->partitioned_of) {
        gt_values options = gt_params_default(method->options);
        gt_partitioned pair;
        method->partitioned_of(method, options.v, &pair);
        gt_coefficients_print_partitioned(&pair, out);
    }
    fputs("```\n", out);
    return CLI_OK;
}

static int model_block(const char *name, FILE *out)
{
    const gt_model *model = gt_model_find(name);
    const char *names[MOST_NAMES + 1] = {NULL};
    for (size_t i = 0; i < MOST_NAMES && gt_model_list()[i]; i++)
        names[i] = gt_model_list()[i]->name;
    if (!model) return unknown("model", name, names);
    gt_doc_params("parameter", true, model->params, out);
    return CLI_OK;
}

/* What the keys of the JSON of a command mean. */
static int keys_block(const char *name, FILE *out)
{
    const cli_command *command = gt_cli_reporting_command(name);
    if (!command) return gt_cli_usage("no command '%s' prints JSON", name);
    gt_report_keys(out, command->reports);
    return CLI_OK;
}

int gt_doc_block(const char *topic, FILE *out)
{
    char kind[16];
    size_t length = strcspn(topic, " ");
    snprintf(kind, sizeof kind, "%.*s", (int)length, topic);
    const char *name = topic[length] ? topic + length + 1 : "";
    static const struct {
        const char *kind;
        void (*print)(FILE *out);
    } whole[] = {{"reference", gt_doc_reference}, {"commands", gt_doc_commands},
                 {"methods", gt_doc_method_list}, {"models", gt_doc_model_list},
                 {"memory", gt_doc_memory},       {"man", gt_doc_man_program}};
    for (size_t i = 0; i < sizeof whole / sizeof *whole && !*name; i++)
        if (!strcmp(kind, whole[i].kind)) {
            whole[i].print(out);
            return CLI_OK;
        }
    if (!strcmp(kind, "command") && *name) return command_block(name, out);
    if (!strcmp(kind, "man") && *name) return man_block(name, out);
    if (!strcmp(kind, "completion") && *name) return completion_block(name, out);
    if (!strcmp(kind, "keys") && *name) return keys_block(name, out);
    if (!strcmp(kind, "facts") && *name) return method_block(true, name, out);
    if (!strcmp(kind, "options") && *name) return method_block(false, name, out);
    if (!strcmp(kind, "coefficients") && *name) return coefficients_block(name, out);
    if (!strcmp(kind, "parameters") && *name) return model_block(name, out);
    return gt_cli_usage(
        "doc knows nothing about '%s'; it knows: reference, commands, methods, "
        "models, memory, command NAME, "
        "keys COMMAND, facts METHOD, options METHOD, coefficients METHOD, parameters MODEL, man, "
        "man COMMAND, completion SHELL",
        topic);
}
