/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the command, reads its flags, calls it. */
#include "cli.h"
#include "help.h"
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const cli_flag *flag_named(const cli_command *command, const char *name, size_t length)
{
    for (const cli_flag *const *table = command->flags; *table; table++)
        for (const cli_flag *f = *table; f->name; f++) {
            if (!strncmp(f->name, name, length) && !f->name[length]) return f;
            if (f->alias && !strncmp(f->alias, name, length) && !f->alias[length]) return f;
        }
    return NULL;
}

/* The flag of this command that other programs have under the given name; NULL: none is known. */
static const char *flag_meant(const cli_command *command, const char *name)
{
    /* Each name, and the flags that may be meant by it, of which a command has one. */
    static const struct {
        const char *said, *meant[2];
    } elsewhere[] = {
        {"tend", {"t1"}},           {"t-end", {"t1"}},      {"tf", {"t1"}},
        {"tfinal", {"t1"}},         {"t-final", {"t1"}},    {"tstop", {"t1"}},
        {"tmax", {"t1"}},           {"tspan", {"t1"}},      {"end", {"t1"}},
        {"end-time", {"t1"}},       {"final-time", {"t1"}}, {"total", {"t1"}},
        {"tstart", {"t0"}},         {"t-start", {"t0"}},    {"tol", {"rtol"}},
        {"reltol", {"rtol"}},       {"rel-tol", {"rtol"}},  {"abstol", {"atol"}},
        {"abs-tol", {"atol"}},      {"dt", {"h", "every"}}, {"step", {"h"}},
        {"step-size", {"h"}},       {"stepsize", {"h"}},    {"fixed-step", {"h"}},
        {"initial-step", {"h0"}},   {"dt-init", {"h0"}},    {"max-step", {"hmax"}},
        {"maxstep", {"hmax"}},      {"dt-max", {"hmax"}},   {"solver", {"method"}},
        {"integrator", {"method"}}, {"scheme", {"method"}}, {"meth", {"method"}},
        {"ts-type", {"method"}},    {"params", {"set"}},    {"param", {"set"}},
        {"parameter", {"set"}},     {"p", {"set"}},         {"x0", {"init"}},
        {"y0", {"init"}},           {"ic", {"init"}},       {"initial", {"init"}},
        {"option", {"opt"}},        {"options", {"opt"}},   {"output", {"out"}},
        {"output-dir", {"out"}},    {"save", {"out"}},      {"csv", {"out"}},
        {"figure", {"plot"}},       {"fig", {"plot"}},      {"svg", {"plot"}},
        {"png", {"plot"}},          {"jobs", {"threads"}},  {"nthreads", {"threads"}},
        {"silent", {"quiet"}},      {"angle", {"theta"}},
    };
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        for (size_t k = 0; k < 2 && elsewhere[i].meant[k] && !strcmp(name, elsewhere[i].said); k++)
            if (flag_named(command, elsewhere[i].meant[k], strlen(elsewhere[i].meant[k])))
                return elsewhere[i].meant[k];
    return NULL;
}

static int unknown_flag(const cli_command *command, const char *flag)
{
    enum { MANY = 128 };
    const char *names[MANY + 1];
    size_t count = 0;
    for (const cli_flag *const *table = command->flags; *table; table++)
        for (const cli_flag *f = *table; f->name && count < MANY; f++) {
            if (!f->help) continue;
            names[count++] = f->name;
            if (f->alias && count < MANY) names[count++] = f->alias;
        }
    names[count] = NULL;
    char name[64];
    size_t length = strcspn(flag, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, flag);
    char dashed[sizeof name]; /* --t_end as --t-end */
    for (size_t i = 0; i < sizeof name; i++) dashed[i] = name[i] == '_' ? '-' : name[i];
    const char *nearest = flag_meant(command, dashed);
    if (!nearest) nearest = gt_nearest_name(name, names);
    if (nearest)
        return gt_cli_usage("%s has no flag --%s; did you mean --%s?", command->name, name,
                            nearest);
    return gt_cli_usage("%s has no flag --%s; see: geartrain help %s", command->name, name,
                        command->name);
}

/* The place of a flag in what the command gets. */
static cli_value *value_of(cli_args *args, const cli_flag *flag)
{
    assert(!flag->own || flag->at + sizeof(cli_value) <= args->command->own_bytes);
    char *all = flag->own ? args->own : (char *)&args->flags;
    return (cli_value *)(void *)(all + flag->at);
}

/* A flag for pairs NAME=VALUE may be repeated, but not with the same name. */
static int check_repeated(cli_args *args, const cli_flag *flag, const char *value)
{
    const cli_value *before = value_of(args, flag);
    if (!flag->repeats && gt_cli_has(before))
        return gt_cli_usage("--%s is given twice", flag->name);
    if (!flag->repeats || !flag->value || !value) return CLI_OK;
    const char *other;
    size_t length = strcspn(value, "=");
    bool pairs = !strncmp(flag->value, "NAME=", 5) && value[length];
    for (size_t i = 0; pairs && (other = gt_cli_each(before, &i));)
        if (!strncmp(other, value, length + 1))
            return gt_cli_usage("--%s %.*s is given twice", flag->name, (int)length, value);
    return CLI_OK;
}

/* One flag at argv[*i], which begins with two dashes. */
static int read_flag(cli_args *args, int argc, char **argv, int *i)
{
    const char *text = argv[*i] + 2;
    size_t length = strcspn(text, "=");
    const cli_flag *flag = flag_named(args->command, text, length);
    if (!flag) return unknown_flag(args->command, text);
    const char *value = text[length] ? text + length + 1 : NULL;
    if (!flag->value && value) return gt_cli_usage("--%s takes no value", flag->name);
    if (flag->value && !value) {
        bool another = *i + 1 < argc && strncmp(argv[*i + 1], "--", 2);
        /* A word that could be an operand is one while one is missing. */
        if (flag->optional && args->n_operands < (size_t)args->command->max_operands)
            another = false;
        if (flag->optional && !another) value = "-";
    }
    if (flag->value && !value) {
        bool another = *i + 1 < argc && strncmp(argv[*i + 1], "--", 2);
        if (!another)
            return gt_cli_usage("--%s needs a value: --%s %s", flag->name, flag->name, flag->value);
        value = argv[++*i];
    }
    if (value && !*value) return gt_cli_usage("the value of --%s is empty", flag->name);
    /* Opened once more, it would be written over from its beginning where it leads to a file. */
    if (value && !strcmp(value, "/dev/stdout") && strstr(flag->value, "|-")) value = "-";
    int code = check_repeated(args, flag, value);
    if (code) return code;
    cli_given *given = &args->given[args->n_given++];
    *given = (cli_given){.flag = flag, .value = value ? value : ""};
    cli_value *all = value_of(args, flag);
    *(all->last ? &all->last->next : &all->first) = given;
    all->last = given;
    return CLI_OK;
}

static int read_arguments(cli_args *args, int argc, char **argv)
{
    for (const cli_flag *const *table = args->command->flags; *table; table++)
        for (const cli_flag *f = *table; f->name; f++) value_of(args, f)->flag = f;
    for (int i = 0; i < argc; i++) {
        if (argv[i][0] != '-' || !argv[i][1]) {
            args->operands[args->n_operands++] = argv[i];
        } else if (argv[i][1] != '-' &&
                   flag_named(args->command, argv[i] + 1, strcspn(argv[i] + 1, "="))) {
            return gt_cli_usage("unknown flag %s: flags begin with two dashes; did you mean -%s?",
                                argv[i], argv[i]);
        } else if (argv[i][1] != '-') {
            return gt_cli_usage(
                "unknown flag %s: flags begin with two dashes; see: geartrain help %s", argv[i],
                args->command->name);
        } else {
            int code = read_flag(args, argc, argv, &i);
            if (code) return code;
        }
    }
    const cli_command *command = args->command;
    if (args->n_operands < (size_t)command->min_operands)
        return gt_cli_usage("%s needs %s; see: geartrain help %s", command->name, command->operands,
                            command->name);
    const char *extra = args->n_operands > (size_t)command->max_operands
                            ? args->operands[command->max_operands]
                            : NULL;
    if (extra && gt_method_find(extra) && flag_named(command, "method", strlen("method")))
        return gt_cli_usage("%s: '%s' is one argument too many; did you mean --method %s?",
                            command->name, extra, extra);
    if (extra)
        return gt_cli_usage("%s: '%s' is one argument too many; see: geartrain help %s",
                            command->name, extra, command->name);
    return CLI_OK;
}

/* The word by which a command is called: of "power flow" the second. */
static const char *last_word(const cli_command *command)
{
    const char *blank = strrchr(command->name, ' ');
    return blank ? blank + 1 : command->name;
}

static const cli_command *command_named(const cli_command *const *list, const char *name)
{
    for (const cli_command *const *c = list; *c; c++)
        if (!strcmp(last_word(*c), name)) return *c;
    return NULL;
}

/* Says that there is no command of this name in the list, which is that of `parent`, or of all when
 * it is NULL. */
static int unknown_command(const cli_command *parent, const char *name)
{
    enum { MANY = 64 };
    const char *names[MANY + 1];
    size_t count = 0;
    for (const cli_command *const *c = parent ? parent->subs : gt_cli_commands; *c && count < MANY;
         c++)
        names[count++] = last_word(*c);
    names[count] = NULL;
    char buffer[96], all[256] = "";
    const char *hint = gt_cli_suggest(name, names, buffer);
    if (!parent && (gt_model_find(name) || gt_cli_is_model_file(name)))
        return gt_cli_usage("there is no command '%s'; did you mean: geartrain run %s?", name,
                            name);
    if (!parent && (gt_method_find(name) || !strcmp(name, "methods") || !strcmp(name, "models")))
        return gt_cli_usage("there is no command '%s'; did you mean: geartrain %s %s?", name,
                            gt_method_find(name) ? "show" : "list", name);
    if (!parent)
        return gt_cli_usage("there is no command '%s'%s", name,
                            *hint ? hint : "; see: geartrain help");
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
    return gt_cli_usage("%s has no command '%s'%s; it has %s", parent->name, name, hint, all);
}

static bool asks_for_help(const char *argument)
{
    return !strcmp(argument, "--help") || !strcmp(argument, "-h");
}

static int run_command(const cli_command *command, int argc, char **argv)
{
    if (command->subs && argc > 0 && argv[0][0] != '-') {
        const cli_command *sub = command_named(command->subs, argv[0]);
        return sub ? run_command(sub, argc - 1, argv + 1) : unknown_command(command, argv[0]);
    }
    for (int i = 0; i < argc; i++)
        if (asks_for_help(argv[i])) {
            gt_cli_help_command(command);
            return gt_cli_flush();
        }
    if (command->subs)
        return gt_cli_usage("%s needs a command: geartrain %s %s", command->name, command->name,
                            command->operands);
    cli_args args = {.command = command, .argc = argc, .argv = argv};
    args.operands = calloc((size_t)argc + 1, sizeof *args.operands);
    args.given = calloc((size_t)argc + 1, sizeof *args.given);
    args.own = calloc(1, command->own_bytes ? command->own_bytes : 1);
    int code = CLI_FAILED;
    if (!args.operands || !args.given || !args.own)
        gt_cli_note("out of memory");
    else
        code = read_arguments(&args, argc, argv);
    if (!code) code = gt_cli_check_looks(&args);
    if (!code) code = command->run(&args);
    free(args.operands);
    free(args.given);
    free(args.own);
    return code ? code : gt_cli_flush();
}

/* help, help COMMAND, help power flow */
static int help_about(int argc, char **words)
{
    const cli_command *topic = NULL;
    for (int i = 0; i < argc && !asks_for_help(words[i]) && (!topic || topic->subs); i++) {
        const cli_command *found = command_named(topic ? topic->subs : gt_cli_commands, words[i]);
        if (!found) return unknown_command(topic, words[i]);
        topic = found;
    }
    if (topic)
        gt_cli_help_command(topic);
    else
        gt_cli_help_all();
    return gt_cli_flush();
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        gt_cli_help_all();
        return gt_cli_flush();
    }
    const char *name = argv[1];
    if (!strcmp(name, "--version")) {
        printf("geartrain %s\n", gt_version());
        return gt_cli_flush();
    }
    if (asks_for_help(name) || !strcmp(name, "help")) return help_about(argc - 2, argv + 2);
    const cli_command *command = command_named(gt_cli_commands, name);
    if (!command && !strncmp(name, "-", 1))
        return gt_cli_usage("the first word is a command, not the flag %s; see: geartrain help",
                            name);
    return command ? run_command(command, argc - 2, argv + 2) : unknown_command(NULL, name);
}

/* With --json there is one object on standard output whatever happens: of a command that is
 * refused, why. */
static int answer(int code, int argc, char **argv)
{
    bool json = false;
    for (int i = 0; i < argc; i++) json = json || !strcmp(argv[i], "--json");
    return code && json && !gt_cli_json_printed() ? gt_cli_json_refusal(code) : code;
}

static void begin(void)
{
    (void)signal(
        SIGXFSZ,
        SIG_IGN); /* a file that may not grow is an error of its writer, which can say so */
    gt_cli_json_begin();
}

int gt_cli_run_any(int argc, char **argv)
{
    begin();
    return answer(dispatch(argc, argv), argc, argv);
}

int gt_cli_run_one(const cli_command *command, int argc, char **argv)
{
    begin();
    return answer(run_command(command, argc, argv), argc, argv);
}
