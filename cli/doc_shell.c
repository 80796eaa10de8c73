/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Completion for shells, from the tables of commands and flags. Names of methods and models are
 * asked of the program when they are wanted, so that what is installed later is known too.
 */
#include "doc_parts.h"
#include "help.h"
#include <ctype.h>
#include <string.h>

/* What can stand for the value of a flag or an operand. */
typedef enum answer_kind {
    NOTHING,
    METHODS,
    METHOD_LIST, /* with commas between */
    MODELS,      /* and model files */
    NAMES,       /* of both */
    FILES,
    WORDS /* that are listed */
} answer_kind;

/* "coi|first|none": words, and not the name of a kind of value. */
static bool lists_words(const char *value)
{
    for (const char *c = value; *c; c++)
        if (!islower((unsigned char)*c) && *c != '|') return false;
    return strchr(value, '|') != NULL;
}

static answer_kind value_kind(const cli_flag *flag)
{
    if (!flag->value) return NOTHING;
    if (!strcmp(flag->name, "method")) return METHODS;
    if (!strcmp(flag->name, "methods")) return METHOD_LIST;
    if (flag->choice || lists_words(flag->value)) return WORDS;
    return strstr(flag->value, "FILE") || strstr(flag->value, "DIR") ? FILES : NOTHING;
}

static answer_kind operand_kind(const cli_command *command)
{
    const char *text = command->operands;
    if (command->subs) return WORDS;
    if (!strncmp(text, "MODEL", 5)) return MODELS;
    if (!strncmp(text, "METHOD", 6)) return METHODS;
    if (!strncmp(text, "NAME", 4)) return NAMES;
    if (islower((unsigned char)*text) || *text == '[') return WORDS;
    return FILES;
}

/* The words that `operands` lists: "methods | models". */
static void put_operand_words(const cli_command *command, FILE *out)
{
    const char *text = command->operands;
    for (const cli_command *const *c = command->subs; c && *c; c++)
        fprintf(out, " %s", strrchr((*c)->name, ' ') + 1);
    while (!command->subs && *text) {
        size_t length = strcspn(text, " |[]");
        bool word = length > 0;
        for (size_t i = 0; i < length; i++) word = word && islower((unsigned char)text[i]);
        if (word) fprintf(out, " %.*s", (int)length, text);
        text += length;
        text += *text != '\0';
    }
}

static void put_value_words(const cli_flag *flag, FILE *out)
{
    for (size_t i = 0; flag->choice && flag->choice(i); i++) fprintf(out, " %s", flag->choice(i));
    for (const char *c = flag->choice ? "" : flag->value; *c; c++) {
        if (c == flag->value) fputc(' ', out);
        fputc(*c == '|' ? ' ' : *c, out);
    }
}

/* All commands, those that follow a command too. */
static void each_command(void (*put)(const cli_command *, FILE *), FILE *out)
{
    for (const cli_command *const *c = gt_cli_commands; *c; c++) {
        put(*c, out);
        for (const cli_command *const *sub = (*c)->subs; sub && *sub; sub++) put(*sub, out);
    }
}

static void each_flag(const cli_command *command,
                      void (*put)(const cli_command *, const cli_flag *, FILE *), FILE *out)
{
    for (const cli_flag *const *table = command->flags; table && *table; table++)
        for (const cli_flag *f = *table; f->name; f++)
            if (f->help) put(command, f, out);
}

static const char *const ask[] = {
    [NOTHING] = "",
    [METHODS] = "$(geartrain list methods --names 2>/dev/null) auto",
    [METHOD_LIST] = "$(geartrain list methods --names 2>/dev/null) auto",
    [MODELS] = "$(geartrain list models --names 2>/dev/null)",
    [NAMES] = "$(geartrain list methods --names; geartrain list models --names)",
    [FILES] = "",
    [WORDS] = "",
};

/* ---- bash ---- */

static void put_bash_flag(const cli_command *command, const cli_flag *flag, FILE *out)
{
    (void)command;
    fprintf(out, " --%s", flag->name);
}

static void put_bash_value(const cli_command *command, const cli_flag *flag, FILE *out)
{
    answer_kind kind = value_kind(flag);
    if (!flag->value) return;
    fprintf(out, "    \"%s --%s\") ", command->name, flag->name);
    if (kind == WORDS) {
        fputs("words=\"", out);
        put_value_words(flag, out);
        fputs("\" ;;\n", out);
    } else {
        fprintf(out, "words=\"%s\" files=%s ;;\n", ask[kind], kind == FILES ? "yes" : "");
    }
}

static void put_bash_values(const cli_command *command, FILE *out)
{
    each_flag(command, put_bash_value, out);
}

static void put_bash_command(const cli_command *command, FILE *out)
{
    answer_kind kind = operand_kind(command);
    fprintf(out, "    \"%s\")\n        words=\"%s", command->name, ask[kind]);
    if (kind == WORDS) put_operand_words(command, out);
    fprintf(out, "\" files=%s flags=\"", kind == FILES || kind == MODELS ? "yes" : "");
    each_flag(command, put_bash_flag, out);
    fputs("\" ;;\n", out);
}

static void put_bash(FILE *out)
{
    fputs("# bash completion for geartrain, made by: geartrain doc completion bash\n"
          "_geartrain() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command=${COMP_WORDS[1]} words= flags= files=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
          "        words=\"help",
          out);
    for (const cli_command *const *c = gt_cli_commands; *c; c++) fprintf(out, " %s", (*c)->name);
    fputs(
        "\"\n        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n        return\n    fi\n"
        "    case $command in\n",
        out);
    for (const cli_command *const *c = gt_cli_commands; *c; c++)
        if ((*c)->subs)
            fprintf(out,
                    "    %s) [ \"$COMP_CWORD\" = 2 ] || command=\"$command ${COMP_WORDS[2]}\" ;;\n",
                    (*c)->name);
    fputs("    esac\n    case \"$command $before\" in\n", out);
    each_command(put_bash_values, out);
    fputs("    *)\n    case $command in\n", out);
    each_command(put_bash_command, out);
    fputs(
        "    esac\n    ;;\n    esac\n"
        "    case $current in -*) words=$flags files= ;; esac\n"
        "    case $before$current in\n"
        "    --methods*,*) # the last name of the list\n"
        "        COMPREPLY=($(compgen -P \"${current%,*},\" -W \"$words\" -- \"${current##*,}\"))\n"
        "        return ;;\n"
        "    esac\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
        "    [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -- \"$current\"))\n"
        "}\n"
        "complete -o filenames -F _geartrain geartrain\n",
        out);
}

/* ---- zsh ---- */

/* Text in single quotes inside a specification of _arguments. */
static void put_quoted(const char *text, const char *also, FILE *out)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else if (strchr(also, *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
    }
}

static void put_zsh_answer(answer_kind kind, FILE *out)
{
    static const char *const actions[] = {
        [NOTHING] = " ",
        [METHODS] = "{compadd auto $(geartrain list methods --names)}",
        [METHOD_LIST] = "{_sequence compadd - auto $(geartrain list methods --names)}",
        [MODELS] = "{compadd $(geartrain list models --names); _files}",
        [NAMES] = "{compadd $(geartrain list methods --names) $(geartrain list models --names)}",
        [FILES] = "_files",
        [WORDS] = " ",
    };
    fputs(actions[kind], out);
}

static void put_zsh_flag(const cli_command *command, const cli_flag *flag, FILE *out)
{
    (void)command;
    fprintf(out, " \\\n            '%s--%s[", flag->repeats ? "*" : "", flag->name);
    put_quoted(flag->help, "[]:\\", out);
    fputc(']', out);
    if (flag->value) {
        fputc(':', out);
        put_quoted(flag->value, ":\\", out);
        fputc(':', out);
        if (value_kind(flag) == WORDS) {
            fputc('(', out);
            put_value_words(flag, out);
            fputc(')', out);
        } else {
            put_zsh_answer(value_kind(flag), out);
        }
    }
    fputc('\'', out);
}

static void put_zsh_command(const cli_command *command, FILE *out)
{
    answer_kind kind = operand_kind(command);
    fprintf(out, "    '%s')\n        _arguments", command->name);
    each_flag(command, put_zsh_flag, out);
    fputs(" \\\n            '*:operand:", out);
    if (kind == WORDS) {
        fputc('(', out);
        put_operand_words(command, out);
        fputc(')', out);
    } else {
        put_zsh_answer(kind, out);
    }
    fputs("' ;;\n", out);
}

static void put_zsh(FILE *out)
{
    fputs("#compdef geartrain\n# zsh completion for geartrain, made by: geartrain doc completion "
          "zsh\n"
          "local -a commands=(\n    'help:the help of a command'\n",
          out);
    for (const cli_command *const *c = gt_cli_commands; *c; c++) {
        fprintf(out, "    '%s:", (*c)->name);
        put_quoted((*c)->title, ":\\", out);
        fputs("'\n", out);
    }
    fputs(")\nif (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\n"
          "local command=$words[2]\ncase $command in\n",
          out);
    for (const cli_command *const *c = gt_cli_commands; *c; c++)
        if ((*c)->subs)
            fprintf(out,
                    "    %s) (( CURRENT > 3 )) && { command=\"$command $words[3]\"; shift words; "
                    "(( CURRENT-- )) } ;;\n",
                    (*c)->name);
    fputs("esac\nshift words\n(( CURRENT-- ))\ncase $command in\n", out);
    each_command(put_zsh_command, out);
    fputs("esac\n", out);
}

/* ---- fish ---- */

static void put_fish_when(const cli_command *command, FILE *out)
{
    char words[80];
    snprintf(words, sizeof words, "%s", command->name);
    char *second = strchr(words, ' ');
    if (second) *second++ = '\0';
    fprintf(out, "complete -c geartrain -n '__fish_seen_subcommand_from %s", words);
    if (second) fprintf(out, "; and __fish_seen_subcommand_from %s", second);
    fputs("' ", out);
}

static void put_fish_flag(const cli_command *command, const cli_flag *flag, FILE *out)
{
    static const char *const actions[] = {
        [NOTHING] = "-x",
        [METHODS] = "-x -a '(geartrain list methods --names) auto'",
        [METHOD_LIST] = "-x -a '(__fish_append , auto (geartrain list methods --names))'",
        [MODELS] = "-r -a '(geartrain list models --names)'",
        [NAMES] = "-x",
        [FILES] = "-r -F",
        [WORDS] = "-x -a '",
    };
    put_fish_when(command, out);
    fprintf(out, "-l %s ", flag->name);
    if (flag->value) fputs(actions[value_kind(flag)], out);
    if (flag->value && value_kind(flag) == WORDS) {
        put_value_words(flag, out);
        fputc('\'', out);
    }
    fputs(" -d '", out);
    for (const char *c = flag->help; *c; c++) {
        if (*c == '\'' || *c == '\\') fputc('\\', out);
        fputc(*c, out);
    }
    fputs("'\n", out);
}

static void put_fish_command(const cli_command *command, FILE *out)
{
    answer_kind kind = operand_kind(command);
    if (kind == WORDS) {
        put_fish_when(command, out);
        fputs("-f -a '", out);
        put_operand_words(command, out);
        fputs("'\n", out);
    } else if (kind != FILES) {
        put_fish_when(command, out);
        fprintf(out, "-a '%s%s'\n", kind != MODELS ? "(geartrain list methods --names) " : "",
                kind != METHODS ? "(geartrain list models --names)" : "");
    }
    each_flag(command, put_fish_flag, out);
}

static void put_fish(FILE *out)
{
    fputs("# fish completion for geartrain, made by: geartrain doc completion fish\n", out);
    for (const cli_command *const *c = gt_cli_commands; *c; c++) {
        fprintf(out, "complete -c geartrain -n __fish_use_subcommand -f -a %s -d '", (*c)->name);
        for (const char *t = (*c)->title; *t; t++) {
            if (*t == '\'' || *t == '\\') fputc('\\', out);
            fputc(*t, out);
        }
        fputs("'\n", out);
    }
    each_command(put_fish_command, out);
}

const gt_doc_shell gt_doc_shells[] = {
    {"bash", "bash-completion/completions", "geartrain", put_bash},
    {"zsh", "zsh/site-functions", "_geartrain", put_zsh},
    {"fish", "fish/vendor_completions.d", "geartrain.fish", put_fish},
    {NULL, NULL, NULL, NULL},
};
