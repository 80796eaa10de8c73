/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fuzzer for the command line: commands and flags drawn from the program's own tables, with
 * plausible and implausible values. Whatever it is given, the program ends by itself with status 0,
 * 1 or 2 within its limits, says why in an error message when the status is not 0, prints one valid
 * JSON object with --json, and leaves no file but those it was told to write.
 *
 *     commands PROGRAM SOURCE SECONDS SEED [FIRST [LAST]]
 *
 * in an empty folder of its own. Command number k depends on SEED and k only, so that FIRST = LAST
 * = k repeats it. Made and called by scripts/fuzz-commands.
 */
#include "command_tables.h"
#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORDS = 48, CPU_LIMIT = 60 };

typedef struct command_line {
    char *words[MOST_WORDS + 2];
    int count;
    bool json, to_stdout, help;
    bool tame; /* only values that may well be meant: most commands are to get beyond their flags */
    uint64_t state; /* of the random numbers */
} command_line;

/* ---- chance ---- */

static uint32_t draw(command_line *l)
{
    l->state = l->state * 6364136223846793005u + 1442695040888963407u;
    uint64_t mixed = (l->state ^ (l->state >> 29)) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(mixed >> 32);
}

static size_t below(command_line *l, size_t n) { return n ? draw(l) % n : 0; }
static bool one_in(command_line *l, size_t n) { return below(l, n) == 0; }
static bool wild(command_line *l, size_t n) { return one_in(l, n) && !l->tame; }

static void say(command_line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(command_line *l, const char *format, ...)
{
    char buffer[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(buffer, sizeof buffer, format, list);
    va_end(list);
    if (l->count < MOST_WORDS && !(l->words[l->count++] = strdup(buffer))) exit(2);
}

/* ---- values ---- */

static const char *const odd_texts[] = {"0",         "-1",
                                        "nan",       "inf",
                                        "-inf",      "1e308",
                                        "-1e308",    "1e-320",
                                        "1e400",     "abc",
                                        " ",         "0x10",
                                        "1,5",       "1e",
                                        "--",        "=",
                                        ",",         "%s%n",
                                        "\xc3\xa4",  "1;2",
                                        "-",         "9999999999999999999",
                                        "1/0",       "1e-9",
                                        "a=b=c",     "../x",
                                        ".",         "/",
                                        "/dev/null", "\"",
                                        "1 2",       "@",
                                        ":"};

static const char *odd(command_line *l)
{
    return odd_texts[below(l, sizeof odd_texts / sizeof *odd_texts)];
}

static const char *number(command_line *l, char buffer[64])
{
    static const char *const plain[] = {"1",    "2",    "0.5",  "3", "10", "0.1", "0.01",
                                        "1e-3", "1e-6", "0.25", "5", "4",  "7",   "1e-4"};
    if (wild(l, 6)) return odd(l);
    if (one_in(l, 3)) {
        double mantissa = 1 + (double)below(l, 900) / 100;
        snprintf(buffer, 64, "%s%.3ge%d", wild(l, 4) ? "-" : "", mantissa, (int)below(l, 9) - 5);
        return buffer;
    }
    return plain[below(l, sizeof plain / sizeof *plain)];
}

/* One of "a|b|c" or "a, b, c"; what stands in brackets and dots goes. */
static const char *one_of(command_line *l, const char *list, const char *between, char buffer[64])
{
    char copied[LONG], *rest = NULL, *words[32];
    size_t count = 0;
    snprintf(copied, sizeof copied, "%s", list);
    for (char *w = strtok_r(copied, between, &rest); w && count < 32;
         w = strtok_r(NULL, between, &rest))
        words[count++] = w;
    snprintf(buffer, 64, "%.63s", count ? words[below(l, count)] : "x");
    return buffer;
}

/* A value within the range that the program prints: "0 to 5", "whole, 1 to 5", "a | b". */
static const char *in_range(command_line *l, const char *range, char buffer[64])
{
    double from, to;
    const char *plain = strstr(range, "whole, ") ? range + 7 : range;
    if (wild(l, 4)) return number(l, buffer);
    if (strchr(range, '|')) return one_of(l, range, " |", buffer);
    if (sscanf(plain, "%lf to %lf", &from, &to) != 2) return number(l, buffer);
    if (to > from + 40) to = from + 40; /* sizes: large ones take their time */
    double value = from + (to - from) * (double)below(l, 1001) / 1000;
    snprintf(buffer, 64, strstr(range, "whole") ? "%.0f" : "%.6g", value);
    return buffer;
}

static const thing *any_of(const tables *t, command_line *l, bool method)
{
    thing *list = (thing *)(method ? t->methods : t->models);
    return tables_look(t, &list[below(l, method ? t->n_methods : t->n_models)]);
}

static const char *state_of(command_line *l, const thing *model)
{
    return model->n_states ? model->states[below(l, model->n_states)] : "x";
}

static void a_pair(command_line *l, const thing *owner, bool state, char buffer[LONG])
{
    char value[64];
    if (state)
        snprintf(buffer, LONG, "%s=%s", state_of(l, owner), number(l, value));
    else if (owner->n_keys) {
        size_t k = below(l, owner->n_keys);
        snprintf(buffer, LONG, "%s=%s", owner->keys[k], in_range(l, owner->ranges[k], value));
    } else
        snprintf(buffer, LONG, "a=%s", number(l, value));
}

/* A list of methods, some with a step. */
static void some_methods(const tables *t, command_line *l, char buffer[LONG])
{
    size_t used = 0, count = 1 + below(l, 3);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(buffer + used, LONG - used, "%s%s%s", i ? "," : "",
                                 any_of(t, l, true)->name, one_in(l, 2) ? ":h=0.01" : "");
}

/* The value of a flag by its name and by what the table shows for it. */
static void value_of(const tables *t, command_line *l, const command_row *c, const flag_row *f,
                     const thing *model, const thing *method, char out[LONG])
{
    char a[64], b[64];
    const char *v = f->value;
    if (wild(l, 12)) {
        snprintf(out, LONG, "%s", odd(l));
    } else if (*f->one_of) {
        snprintf(out, LONG, "%s", one_of(l, f->one_of, ", ", a));
    } else if (!strcmp(f->name, "max-steps")) {
        snprintf(out, LONG, "%u", 1 + (unsigned)below(l, 3000));
    } else if (!strcmp(f->name, "t1") || !strcmp(f->name, "tf")) {
        snprintf(out, LONG, "%s", wild(l, 3) ? number(l, a) : one_in(l, 2) ? "1" : "0.1");
    } else if (!strcmp(f->name, "opt")) {
        a_pair(l, method, false, out);
    } else if (!strcmp(f->name, "init")) {
        a_pair(l, model, true, out);
    } else if (!strcmp(f->name, "set")) {
        a_pair(l, model, false, out);
    } else if (!strcmp(f->name, "sweep")) {
        const char *key = model->n_keys ? model->keys[below(l, model->n_keys)] : "a";
        if (one_in(l, 2))
            snprintf(out, LONG, "%s=%s,%s", key, number(l, a), number(l, b));
        else
            snprintf(out, LONG, "%s=%s:%s:%u", key, number(l, a), number(l, b),
                     1 + (unsigned)below(l, 4));
    } else if (!strcmp(f->name, "methods") || !strcmp(f->name, "also")) {
        some_methods(t, l, out);
    } else if (!strcmp(f->name, "method")) {
        snprintf(out, LONG, "%s", one_in(l, 4) ? "auto" : method->name);
    } else if (!strcmp(f->name, "problem")) {
        snprintf(out, LONG, "%s", any_of(t, l, false)->name);
    } else if (!strcmp(f->name, "init-from")) {
        snprintf(out, LONG, "start.csv");
    } else if (strstr(v, "FILE") || strstr(v, "DIR")) {
        const char *ending = strstr(v, ".csv")    ? ".csv"
                             : strstr(v, ".json") ? ".json"
                             : strstr(v, ".m")    ? ".m"
                                                  : ".svg";
        l->to_stdout |= !!strstr(v, "|-") && one_in(l, 6);
        snprintf(out, LONG, "%s%s", l->to_stdout && strstr(v, "|-") ? "-" : "out",
                 l->to_stdout && strstr(v, "|-") ? ""
                 : strstr(v, "DIR")              ? ""
                                                 : ending);
    } else if (!strcmp(f->name, "fault")) {
        snprintf(out, LONG, "%zu@0.1:%s", below(l, 12), number(l, a));
    } else if (!strcmp(f->name, "trip") || !strcmp(f->name, "reclose")) {
        snprintf(out, LONG, "%s@%s", one_in(l, 2) ? "8-9" : "4-5", number(l, a));
    } else if (!strcmp(f->name, "load")) {
        snprintf(out, LONG, "5*%s@0.1", number(l, a));
    } else if (!strcmp(f->name, "gentrip")) {
        snprintf(out, LONG, "%zu@%s", 1 + below(l, 3), number(l, a));
    } else if (!strcmp(f->name, "buses") || !strcmp(f->name, "degree")) {
        snprintf(out, LONG, "%zu", *f->name == 'b' ? 10 + below(l, 40) : 3 + below(l, 6));
    } else if (strstr(f->name, "bus")) {
        snprintf(out, LONG, "%zu", 1 + below(l, l->tame ? 9 : 14));
    } else if (!strcmp(f->name, "loads")) {
        snprintf(out, LONG, "%s", one_of(l, "impedance power current", " ", a));
    } else if (!strcmp(f->name, "a-steps") || !strcmp(f->name, "b-steps")) {
        snprintf(out, LONG, "%s", one_of(l, "0 -1,0 0,1 0,1,2 -1 -1,0,1", " ", a));
    } else if (!strcmp(f->name, "fast") && !strcmp(v, "S")) {
        snprintf(out, LONG, "%zu", 4 + below(l, 4));
    } else if (!strcmp(f->name, "slow") && !strcmp(v, "P")) {
        snprintf(out, LONG, "%zu", 2 + below(l, 3));
    } else if (!strcmp(f->name, "order") && strstr(c->name, "design")) {
        snprintf(out, LONG, "%zu", 2 + below(l, 2));
    } else if (!strcmp(f->name, "atol") || !strcmp(f->name, "rtol")) {
        snprintf(out, LONG, "%s",
                 wild(l, 3) ? number(l, a) : (snprintf(b, sizeof b, "1e-%zu", 2 + below(l, 9)), b));
    } else if (!strcmp(f->name, "vars") || !strcmp(f->name, "phase") || !strncmp(v, "A,B", 3) ||
               strstr(f->name, "states")) {
        snprintf(out, LONG, "%s,%s", state_of(l, model), state_of(l, model));
    } else if (!strcmp(f->name, "starts") || !strcmp(f->name, "start")) {
        snprintf(out, LONG, "%zu", 1 + below(l, 3));
    } else if (!strcmp(v, "N") || !strcmp(v, "K") || !strcmp(v, "S") || !strcmp(v, "P")) {
        snprintf(out, LONG, "%s",
                 wild(l, 4) ? number(l, a) : (snprintf(b, sizeof b, "%zu", 1 + below(l, 6)), b));
    } else if (strchr(v, '|')) {
        snprintf(out, LONG, "%s", one_of(l, v, "|", a));
    } else if (strstr(v, "alpha=")) {
        snprintf(out, LONG, "alpha=%s,beta=%s", number(l, a), number(l, b));
    } else if (strchr(v, ',')) {
        size_t count = strstr(v, "..") ? 1 + below(l, 4) : 1, used = 0;
        for (const char *p = v; *p && !strstr(v, ".."); p++) count += *p == ',';
        for (size_t i = 0; i < count; i++)
            used += (size_t)snprintf(out + used, LONG - used, "%s%s", i ? "," : "", number(l, a));
    } else {
        snprintf(out, LONG, "%s", number(l, a));
    }
}

/* ---- a command ---- */

static const char *const files[] = {"decay.ode", "decay.ode", "bad.ode", "missing.ode", "ring.ode"};

static void operands(command_line *l, const command_row *c, const char *source, const thing *model,
                     const thing *method)
{
    const char *u = c->usage;
    char buffer[64];
    if (wild(l, 15)) return; /* none where one is needed */
    if (!strncmp(u, " MODEL", 6))
        say(l, "%s",
            one_in(l, 8)  ? files[below(l, l->tame ? 2 : 5)]
            : wild(l, 20) ? odd(l)
                          : model->name);
    else if (!strncmp(u, " METHOD", 7))
        say(l, "%s", wild(l, 20) ? odd(l) : method->name);
    else if (!strncmp(u, " CASE", 5))
        say(l, "%s%s", wild(l, 10) ? "" : source, wild(l, 10) ? "/models" : "/cases/wscc9.m");
    else if (!strncmp(u, " NAME", 5))
        say(l, "%s", one_in(l, 2) ? method->name : model->name);
    else if (!strncmp(u, " methods|models", 15))
        say(l, "%s", one_in(l, 2) ? "methods" : "models");
    else if (!strcmp(c->name, "papers"))
        say(l, "%s", one_of(l, "gil shi shome xie crow", " ", buffer));
    else if (!strcmp(c->name, "doc") && one_in(l, 2))
        say(l, "parameters"), say(l, "%s", model->name);
    else if (!strcmp(c->name, "doc"))
        say(l, "options"), say(l, "%s", method->name);
    if (wild(l, 20)) say(l, "%s", odd(l));
}

static const flag_row *flag_of(const command_row *c, const char *name)
{
    for (size_t i = 0; i < c->n_flags; i++)
        if (!strcmp(c->flags[i].name, name)) return &c->flags[i];
    return NULL;
}

static void add_flag(const tables *t, command_line *l, const command_row *c, const flag_row *f,
                     const thing *model, const thing *method)
{
    char value[LONG];
    l->json |= !strcmp(f->name, "json");
    if (!*f->value) {
        say(l, "--%s", f->name);
        return;
    }
    value_of(t, l, c, f, model, method, value);
    if (one_in(l, 3) || value[0] == '-') {
        say(l, "--%s=%s", f->name, value);
        return;
    }
    say(l, "--%s", f->name);
    say(l, "%s", value);
}

/* Words without which the command would only say what is missing: "--methods A,B,.." of its usage,
 * and what keeps it short. */
static void needed(const tables *t, command_line *l, const command_row *c, const thing *model,
                   const thing *method, bool *given)
{
    for (size_t i = 0; i < c->n_flags; i++) {
        char mark[64];
        const flag_row *f = &c->flags[i];
        snprintf(mark, sizeof mark, "--%s ", f->name);
        bool must = strstr(c->usage, mark) ||
                    (!strcmp(c->name, "sweep") && !strcmp(f->name, "sweep")) ||
                    (!strcmp(c->name, "power cct") && !strcmp(f->name, "fault-bus"));
        bool limits =
            !strcmp(f->name, "max-steps") || !strcmp(f->name, "t1") || !strcmp(f->name, "starts");
        if ((must && !wild(l, 10)) || limits) add_flag(t, l, c, f, model, method), given[i] = true;
    }
    const flag_row *of_method = flag_of(c, "method"), *flag;
    if (of_method && (flag = flag_of(c, "opt")) && one_in(l, 2)) {
        say(l, "--method=%s", method->name); /* options belong to it */
        given[of_method - c->flags] = true;
    }
}

/* Flags that are for other things than those at hand. */
static bool does_not_fit(const flag_row *f, const command_line *l, const thing *model,
                         bool has_method)
{
    if (!strcmp(f->name, "use-set") || !strcmp(f->name, "reduced")) return true;
    if (!strcmp(f->name, "init-from")) return strcmp(model->name, "lorenz") != 0;
    if (!strcmp(f->name, "opt")) return !has_method;
    if (!strcmp(l->words[0], "doc")) return l->count > 1;
    if (!strcmp(f->name, "set")) return model->n_keys == 0;
    return false;
}

static void compose(const tables *t, command_line *l, const char *source)
{
    bool given[64] = {false};
    l->tame = !one_in(l, 4);
    /* Half of them run, compare or sweep; what only prints is soon known, and advice takes its
     * time. */
    const command_row *c = &t->commands[below(l, one_in(l, 2) ? 3 : t->n_commands)];
    const thing *model = any_of(t, l, false), *method = any_of(t, l, true);
    char copied[48], *rest = NULL;
    snprintf(copied, sizeof copied, "%s", c->name);
    for (char *w = strtok_r(copied, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) say(l, "%s", w);
    operands(l, c, source, model, method);
    needed(t, l, c, model, method, given);
    const flag_row *of_method = flag_of(c, "method");
    for (size_t k = 0, wanted = below(l, 5); k < wanted && c->n_flags; k++) {
        size_t i = below(l, c->n_flags);
        const flag_row *f = &c->flags[i];
        bool repeats =
            !strcmp(f->name, "set") || !strcmp(f->name, "opt") || !strcmp(f->name, "init");
        if (given[i] && !(repeats && wild(l, 2)) && !wild(l, 10)) continue;
        if (!strcmp(f->name, "plot") && !one_in(l, 4)) continue; /* gnuplot takes its time */
        if (l->tame &&
            does_not_fit(f, l, model, given[of_method ? (size_t)(of_method - c->flags) : i]))
            continue;
        given[i] = true;
        add_flag(t, l, c, f, model, method);
    }
    const flag_row *json = flag_of(c, "json");
    if (json && !l->json && one_in(l, 2)) add_flag(t, l, c, json, model, method);
    if (wild(l, 15)) say(l, "--%s", odd(l));
}

/* ---- running it ---- */

static void in_child(const tables *t, command_line *l)
{
    struct rlimit cpu = {CPU_LIMIT, CPU_LIMIT + 5}, size = {1 << 28, 1 << 28}, core = {0, 0};
    int in = open("/dev/null", O_RDONLY),
        out = open("../stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600),
        err = open("../stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (in < 0 || out < 0 || err < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
        _exit(99);
    close(in), close(out), close(err);
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_FSIZE, &size);
    setrlimit(RLIMIT_CORE, &core);
    signal(SIGXFSZ, SIG_IGN);
    l->words[l->count] = NULL;
    char *argv[MOST_WORDS + 3];
    argv[0] = (char *)t->program;
    memcpy(argv + 1, l->words, ((size_t)l->count + 1) * sizeof *argv);
    execv(t->program, argv);
    _exit(99);
}

/* What a file holds, up to 16 MB; to be freed. */
static char *contents(const char *path, size_t *length)
{
    enum { MOST = 1 << 24 };
    FILE *file = fopen(path, "rb");
    char *text = malloc(MOST + 1);
    if (!text || !file) exit(2);
    *length = fread(text, 1, MOST, file);
    text[*length] = '\0';
    fclose(file);
    return text;
}

/* Files of the folder that are neither there before nor asked for; temporary ones are never. */
static const char *left_behind(const char *folder, const command_line *l, char buffer[LONG])
{
    static const char *const kept[] = {".", "..", "decay.ode", "bad.ode", "ring.ode", "start.csv"};
    const char *found = NULL;
    DIR *list = opendir(folder);
    if (!list) exit(2);
    for (struct dirent *e; (e = readdir(list)) && !found;) {
        bool known = false;
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            known |= !strcmp(e->d_name, kept[i]);
        for (int i = 0; i < l->count && !known; i++) {
            const char *word = strchr(l->words[i], '=') && l->words[i][0] == '-'
                                   ? strchr(l->words[i], '=') + 1
                                   : l->words[i];
            size_t n = strlen(word);
            known = n && !strncmp(e->d_name, word, n) &&
                    (!e->d_name[n] || !strcmp(e->d_name + n, ".partial"));
            /* machine data beside a case, and figures of a report */
            known |= n > 2 && !strcmp(word + n - 2, ".m") && !strncmp(e->d_name, word, n - 1);
        }
        known |= l->count > 1 && !strcmp(l->words[1], "synth") && !strncmp(e->d_name, "synth", 5);
        known |= !strcmp(l->words[0], "lab") && !strcmp(e->d_name, "geartrain-lab.html");
        if (!known) found = buffer, snprintf(buffer, LONG, "%s", e->d_name);
    }
    closedir(list);
    return found;
}

static const char *judge_output(const command_line *l, int status)
{
    size_t n_out, n_err;
    const char *why = NULL;
    char *out = contents("../stdout", &n_out), *err = contents("../stderr", &n_err);
    if (status && !n_err &&
        !(l->json && strstr(out, "\"message\": \"") && !strstr(out, "\"message\": \"\"")))
        why = "it failed without a word";
    else if (strstr(err, "geartrain: \n") || strstr(err, "(null)") || strstr(out, "(null)"))
        why = "an empty message";
    else if (strstr(err, "Sanitizer") || strstr(err, "runtime error"))
        why = "a sanitizer has reported";
    else if (l->json && !l->help && (n_out || !status)) {
        json_error_t error;
        json_t *root = json_loadb(out, n_out, JSON_REJECT_DUPLICATES, &error);
        if (!json_is_object(root)) why = "standard output is not one JSON object";
        json_decref(root);
    }
    free(out);
    free(err);
    return why;
}

static const char *judge(const command_line *l, int status, char buffer[LONG])
{
    char name[LONG];
    if (WIFSIGNALED(status)) {
        snprintf(buffer, LONG, "ended by signal %d%s", WTERMSIG(status),
                 WTERMSIG(status) == SIGXCPU ? ", its time was over" : "");
        return buffer;
    }
    if (WEXITSTATUS(status) > 2) {
        snprintf(buffer, LONG, "exit status %d", WEXITSTATUS(status));
        return buffer;
    }
    const char *why = judge_output(l, WEXITSTATUS(status)), *left = left_behind(".", l, name);
    if (!why && left) snprintf(buffer, LONG, "left %s behind", left), why = buffer;
    if (!why && (left = left_behind("../tmp", l, name)))
        snprintf(buffer, LONG, "left %s in TMPDIR", left), why = buffer;
    if (!why && (left = left_behind("../home", l, name)))
        snprintf(buffer, LONG, "left %s in HOME", left), why = buffer;
    return why;
}

static void print_line(const command_line *l, FILE *to)
{
    fprintf(to, "geartrain");
    for (int i = 0; i < l->count; i++) {
        fputs(" '", to);
        for (const char *p = l->words[i]; *p; p++)
            fputs(*p == '\'' ? "'\\''" : (char[]){*p, 0}, to);
        fputs("'", to);
    }
    fputc('\n', to);
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    if (!file || fputs(text, file) < 0 || fclose(file)) exit(2);
}

/* Removes all files of a folder, and of the folders in it. */
static void empty(const char *folder)
{
    char path[1024];
    DIR *list = opendir(folder);
    if (!list) exit(2);
    for (struct dirent *e; (e = readdir(list));) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (!unlink(path)) continue;
        empty(path);
        if (rmdir(path)) exit(2);
    }
    closedir(list);
}

static void prepare(void)
{
    mkdir("../tmp", 0700);
    mkdir("../home", 0700);
    empty(".");
    empty("../tmp");
    empty("../home");
    write_text("decay.ode",
               "par a=1\nx'=-a*x+y\ny'=-y\ninit x=1,y=1\naux s=x+y\n@ total=2\ndone\n");
    write_text("ring.ode", "x[1..5]'=x[j-1]-x[j]\nx0=sin(t)\nglobal 1 x1-0.5 {x2=0}\ndone\n");
    write_text("bad.ode", "x'=-a*x+\ninit x=\n");
    write_text("start.csv", "t,x,y,z\n0,1,2,3\n");
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    static tables t;
    long seconds = atol(argv[3]);
    long seed = atol(argv[4]);
    long first = argc > 5 ? atol(argv[5]) : 1;
    long last = argc > 6 ? atol(argv[6]) : argc > 5 ? first : 1000000000;
    long count = 0, wrong = 0, ended[3] = {0};
    setenv("TMPDIR", "../tmp", 1);
    setenv("HOME", "../home", 1);
    setenv("XDG_CACHE_HOME", "../cache", 1);
    prepare();
    tables_read(&t, argv[1]);
    time_t until = time(NULL) + seconds;
    long k = first;
    for (; k <= last && wrong < 20 && time(NULL) < until; k++, count++) {
        command_line l = {.state = (uint64_t)seed * 0x9e3779b97f4a7c15u +
                                   (uint64_t)k * 0xd1342543de82ef95u};
        char buffer[LONG];
        int status = 0;
        for (int i = 0; i < 4; i++) draw(&l);
        compose(&t, &l, argv[2]);
        for (int i = 0; i < l.count; i++)
            l.help |= !strcmp(l.words[i], "--help") || !strcmp(l.words[i], "-h");
        pid_t child = fork();
        if (child == 0) in_child(&t, &l);
        if (child < 0 || waitpid(child, &status, 0) < 0) return 2;
        const char *why = judge(&l, status, buffer);
        if (why) {
            wrong++;
            printf("%ld: %s: ", k, why);
            print_line(&l, stdout);
            fflush(stdout);
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) < 3) ended[WEXITSTATUS(status)]++;
        if (first == last || getenv("SHOW_ALL")) {
            size_t length;
            char *err = contents("../stderr", &length);
            printf("%d %.*s   ", WEXITSTATUS(status), (int)strcspn(err, "\n"), err),
                print_line(&l, stdout);
            free(err);
        }
        for (int i = 0; i < l.count; i++) free(l.words[i]);
        prepare();
    }
    double all = count ? (double)count / 100 : 1;
    printf("%s command line: %ld commands of seed %ld up to number %ld, %.0f %% ended with 0, %.0f "
           "%% with 1, %.0f %% "
           "with 2; %ld went wrong\n",
           wrong ? "not ok" : "ok", count, seed, k - 1, (double)ended[0] / all,
           (double)ended[1] / all, (double)ended[2] / all, wrong);
    return wrong > 0;
}
