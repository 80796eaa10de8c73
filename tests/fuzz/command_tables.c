/* SPDX-License-Identifier: BSD-3-Clause */
#include "command_tables.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *ask(const char *program, const char *words)
{
    char line[1024];
    snprintf(line, sizeof line, "'%s' %s 2>/dev/null", program, words);
    FILE *answer = popen(line, "r");
    if (!answer) exit(2);
    return answer;
}

static void copy(char *to, size_t size, const char *from, size_t length)
{
    if (length >= size) length = size - 1;
    memcpy(to, from, length);
    to[length] = '\0';
}

/* "    --name VALUE    help", with the value as far as the next blanks. */
static void read_flag_line(command_row *c, const char *line)
{
    flag_row *f = &c->flags[c->n_flags];
    if (c->n_flags == sizeof c->flags / sizeof *c->flags) return;
    memset(f, 0, sizeof *f);
    const char *name = line + 6;
    size_t length = strcspn(name, " \n");
    copy(f->name, sizeof f->name, name, length);
    const char *value = name + length;
    if (value[0] == ' ' && value[1] != ' ' && value[1] != '\n')
        copy(f->value, sizeof f->value, value + 1, strcspn(value + 1, " \n"));
    c->n_flags++;
}

/* Words of help that list choices: "one of i, pi, pid" may go on in the next line. */
static void read_choices(command_row *c, const char *line)
{
    if (!c->n_flags) return;
    flag_row *f = &c->flags[c->n_flags - 1];
    const char *list = strstr(line, "one of ");
    if (list)
        list += strlen("one of ");
    else if (*f->one_of)
        list = line + strspn(line, " ");
    if (!list || strstr(line, "    --")) return;
    size_t used = strlen(f->one_of);
    snprintf(f->one_of + used, sizeof f->one_of - used, "%s%.*s", used ? " " : "",
             (int)strcspn(list, "\n"), list);
}

static void read_command(tables *t, const char *name)
{
    char line[4096], words[128];
    if (t->n_commands == sizeof t->commands / sizeof *t->commands) {
        fprintf(stderr, "there are more commands than there is room for, or help %s lists itself\n",
                name);
        exit(2);
    }
    command_row *c = &t->commands[t->n_commands];
    bool in_flags = false, in_commands = false;
    memset(c, 0, sizeof *c);
    copy(c->name, sizeof c->name, name, strlen(name));
    snprintf(words, sizeof words, "help %s", name);
    char subs[16][48];
    size_t n_subs = 0;
    FILE *answer = ask(t->program, words);
    while (fgets(line, sizeof line, answer)) {
        if (!strncmp(line, "Usage: geartrain ", 17)) {
            copy(c->usage, sizeof c->usage, line + 17 + strlen(name),
                 strcspn(line + 17 + strlen(name), "\n"));
            char *end = strstr(c->usage, "[flags]");
            if (end) *end = '\0';
        }
        if (!strncmp(line, "Commands:", 9)) in_commands = true;
        if (!strncmp(line, "Flags (", 7)) in_flags = true;
        if (line[0] == '\n') in_commands = in_flags = false;
        if (in_flags && !strncmp(line, "    --", 6)) read_flag_line(c, line);
        if (in_flags) read_choices(c, line);
        size_t length = strlen(name);
        if (in_commands && n_subs < 16 && !strncmp(line + 4, name, length) &&
            line[4 + length] == ' ')
            copy(subs[n_subs++], sizeof subs[0], line + 4,
                 length + 1 + strcspn(line + 5 + length, " \n"));
    }
    pclose(answer);
    if (!n_subs) t->n_commands++;
    for (size_t i = 0; i < n_subs; i++) read_command(t, subs[i]);
}

static size_t read_names(const tables *t, const char *words, thing *list)
{
    FILE *answer = ask(t->program, words);
    json_t *root = json_loadf(answer, 0, NULL), *rows = NULL, *row;
    const char *key;
    json_t *value;
    size_t i, count = 0;
    pclose(answer);
    json_object_foreach(root, key, value) if (json_is_array(value)) rows = value;
    json_array_foreach(rows, i, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));
        if (name && count < MANY) copy(list[count++].name, sizeof list[0].name, name, strlen(name));
    }
    json_decref(root);
    return count;
}

void tables_read(tables *t, const char *program)
{
    char line[1024], names[64][48];
    size_t count = 0;
    bool inside = false;
    *t = (tables){.program = program};
    FILE *answer = ask(program, "help");
    while (fgets(line, sizeof line, answer)) {
        if (inside && !strncmp(line, "     ", 5)) continue; /* the line before goes on */
        if (inside && !strncmp(line, "    ", 4) && count < 64)
            copy(names[count++], sizeof names[0], line + 4, strcspn(line + 4, " \n"));
        else
            inside = !strncmp(line, "Commands:", 9);
    }
    pclose(answer);
    for (size_t i = 0; i < count; i++) read_command(t, names[i]);
    t->n_methods = read_names(t, "list methods --json", t->methods);
    t->n_models = read_names(t, "list models --json", t->models);
    if (t->n_commands < 10 || !t->n_methods || !t->n_models) {
        fprintf(stderr, "the commands, methods and models of %s cannot be read\n", program);
        exit(2);
    }
}

static size_t take(const json_t *rows, const char *key, char (**out)[64])
{
    size_t count = json_array_size(rows), i;
    json_t *row;
    *out = calloc(count + 1, sizeof **out);
    if (!*out) exit(2);
    json_array_foreach(rows, i, row)
    {
        const char *text = json_string_value(json_object_get(row, key));
        if (text) copy((*out)[i], sizeof(*out)[i], text, strlen(text));
    }
    return count;
}

thing *tables_look(const tables *t, thing *which)
{
    if (which->known) return which;
    char words[128];
    snprintf(words, sizeof words, "show %s --json", which->name);
    FILE *answer = ask(t->program, words);
    json_t *root = json_loadf(answer, 0, NULL);
    pclose(answer);
    json_t *keys = json_object_get(root, "parameters");
    if (!keys) keys = json_object_get(root, "options");
    which->n_keys = take(keys, "name", &which->keys);
    take(keys, "range", &which->ranges);
    which->n_states = take(json_object_get(root, "states"), "name", &which->states);
    which->known = true;
    json_decref(root);
    return which;
}
