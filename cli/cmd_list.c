/* SPDX-License-Identifier: BSD-3-Clause */
/* list: one line for each method or model. */
#include "needs.h"
#include "report_parts.h"
#include <string.h>

/* What was given for the flags that `list` alone has. */
typedef struct list_flags {
    cli_value all, names;
} list_flags;

static inline const list_flags *list_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(list_flags));
}

static const cli_flag own_flags[] = {
    {CLI_OWN(list_flags, all, "all"),
     .help = "methods with order, needs and title instead of names only"},
    {CLI_OWN(list_flags, names, "names"), .help = "names only, one per line, for scripts"},
    {CLI_FLAG(json, "json"), .help = "prints one JSON object and nothing else"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {own_flags, NULL};

/* Size of the problem with default parameters; 0 and a note when it cannot be built. */
static size_t size_of(const gt_model *model)
{
    gt_arena arena = gt_arena_growing();
    gt_problem problem = {0};
    gt_status status = gt_model_build(model, "", &problem, &arena, NULL);
    size_t n = status ? 0 : gt_problem_size(&problem);
    gt_arena_free(&arena);
    if (status) gt_cli_note("the size of %s is not known: %s", model->name, gt_status_text(status));
    return n;
}

/* What methods of these families are for; a method of any other family is in the last group. */
enum { MOST_FAMILIES = 7 };
typedef struct purpose {
    const char *title, *families[MOST_FAMILIES];
} purpose;

static const purpose purposes[] = {
    {"not stiff",
     {"explicit Runge-Kutta", "Taylor series", "Adams predictor-corrector", "Adams-Bashforth",
      "Adams-Moulton"}},
    {"stiff, and with algebraic equations",
     {"backward differentiation", "Gear (BDF)", "implicit one-step", "Rosenbrock",
      "implicit Runge-Kutta"}},
    {"stiff and oscillating", {"backinterpolation"}},
    {"a few fast modes, by functions of their matrix",
     {"exponential Rosenbrock", "singular perturbation", "trigonometric", "multirevolution"}},
    {"fast modes that die out, without equations to solve", {"stabilized multirate explicit"}},
    {"a fast and a slow block, each at its own rate",
     {"dual-rate Runge-Kutta", "multirate infinitesimal", "multirate multistep",
      "multirate stabilized"}},
    {"others", {NULL}},
};
enum { N_PURPOSES = sizeof purposes / sizeof *purposes };

static size_t purpose_of(const gt_method *method)
{
    for (size_t k = 0; k + 1 < N_PURPOSES; k++)
        for (size_t i = 0; i < MOST_FAMILIES && purposes[k].families[i]; i++)
            if (!strcmp(method->family, purposes[k].families[i])) return k;
    return N_PURPOSES - 1;
}

/* ---- a method ---- */

static const gt_method *method_of(const void *data) { return data; }

static gt_facts facts_of(const void *data)
{
    gt_values options = gt_params_default(method_of(data)->options);
    return gt_method_facts(data, options.v);
}

static void get_order(const void *data, report_value *out) { out->integer = facts_of(data).order; }

static void get_error_order(const void *data, report_value *out)
{
    out->integer = facts_of(data).error_order;
}

static void get_needs(const void *data, report_value *out)
{
    gt_facts facts = facts_of(data);
    gt_cli_needs(&facts, out->room, sizeof out->room);
    out->text = out->room;
}

static void get_kind(const void *data, report_value *out)
{
    static const char *const names[] = {
        [GT_KIND_EXPLICIT] = "explicit",       [GT_KIND_STABILIZED] = "stabilized explicit",
        [GT_KIND_IMPLICIT] = "implicit",       [GT_KIND_LINEARLY_IMPLICIT] = "linearly implicit",
        [GT_KIND_EXPONENTIAL] = "exponential", [GT_KIND_SERIES] = "series"};
    out->text = names[facts_of(data).kind];
}

static const report_field method_fields[] = {
    REPORT_KEY("name", "as --method takes it", REPORT_AT(gt_method, name), .label = "method"),
    REPORT_KEY("family", "it belongs to", REPORT_AT(gt_method, family)),
    REPORT_KEY("kind", "how a step is made", .type = REPORT_STRING, .get = get_kind),
    REPORT_KEY("order", "of the method", .type = REPORT_INT, .get = get_order, .label = "order"),
    REPORT_KEY("error_order", "of the error estimate; 0: there is none", .type = REPORT_INT,
               .get = get_error_order),
    REPORT_KEY("needs", "of the problem", .type = REPORT_STRING, .get = get_needs,
               .label = "needs"),
    REPORT_KEY("title", "what it is", REPORT_AT(gt_method, title), .label = "title"),
    {.type = REPORT_END},
};

static bool each_method(const void *data, size_t i, report_value *out)
{
    (void)data;
    out->data = gt_method_list()[i];
    return out->data != NULL;
}

static const report_field methods_fields[] = {
    REPORT_KEY("methods", "all of them", .type = REPORT_LIST, .each = each_method,
               .of = method_fields),
    {.type = REPORT_END},
};

/* ---- in text by what they are for ---- */

static bool each_of_purpose(const void *data, size_t i, report_value *out)
{
    bool there = each_method(data, i, out);
    out->absent = there && purpose_of(out->data) != *(const size_t *)data;
    return there;
}

static const report_field purpose_fields[] = {
    {.type = REPORT_LIST, .each = each_of_purpose, .of = method_fields, .label = ""},
    {.type = REPORT_END},
};

/* "    Gear (BDF)     gear1 gear2 .." for each family of a purpose. */
static void print_names(size_t wanted)
{
    const gt_method *const *list = gt_method_list();
    for (size_t i = 0; list[i]; i++) {
        bool first = purpose_of(list[i]) == wanted;
        for (size_t j = 0; j < i && first; j++)
            first = strcmp(list[j]->family, list[i]->family) != 0;
        if (!first) continue;
        report_text names = {.used = 0};
        for (size_t j = i; list[j]; j++)
            if (!strcmp(list[j]->family, list[i]->family))
                gt_report_say(&names, "%s%s", j == i ? "" : " ", list[j]->name);
        char label[48];
        snprintf(label, sizeof label, "    %-29s", list[i]->family);
        gt_report_line(stdout, label, names.text);
    }
}

static int list_methods(const cli_args *args)
{
    if (gt_cli_has(&args->flags.json)) return gt_report_print_json(methods_fields, NULL);
    if (gt_cli_has(&list_own(args)->names)) {
        for (const gt_method *const *m = gt_method_list(); *m; m++) puts((*m)->name);
        return CLI_OK;
    }
    gt_report_line(
        stdout, "",
        "start here: auto (chooses by itself), dopri5 (not stiff), gear (stiff), exprb32 "
        "(a few fast modes)");
    for (size_t k = 0; k < N_PURPOSES; k++) {
        bool any = false;
        for (const gt_method *const *m = gt_method_list(); *m; m++)
            any = any || purpose_of(*m) == k;
        if (!any) continue;
        printf("\n%s\n", purposes[k].title);
        if (gt_cli_has(&list_own(args)->all))
            gt_report_print(stdout, purpose_fields, &k);
        else
            print_names(k);
    }
    if (!gt_cli_has(&list_own(args)->all))
        puts("\nOrder, needs and title of each: geartrain list methods --all\n"
             "Everything about one: geartrain show NAME");
    return CLI_OK;
}

/* ---- models ---- */

static void get_states(const void *data, report_value *out) { out->integer = (long)size_of(data); }

static const report_field model_fields[] = {
    REPORT_KEY("name", "as `run` takes it", REPORT_AT(gt_model, name), .label = "model"),
    REPORT_KEY("states", "how many with default parameters", .type = REPORT_SIZE, .get = get_states,
               .label = "states"),
    REPORT_KEY("title", "what it is", REPORT_AT(gt_model, title), .label = "title"),
    {.type = REPORT_END},
};

static bool each_model(const void *data, size_t i, report_value *out)
{
    (void)data;
    out->data = gt_model_list()[i];
    return out->data != NULL;
}

static const report_field models_fields[] = {
    REPORT_KEY("models", "all of them", .type = REPORT_LIST, .each = each_model, .of = model_fields,
               .label = ""),
    {.type = REPORT_END},
};

static int list_models(const cli_args *args)
{
    if (gt_cli_has(&args->flags.json)) return gt_report_print_json(models_fields, NULL);
    if (gt_cli_has(&list_own(args)->names)) {
        for (const gt_model *const *m = gt_model_list(); *m; m++) puts((*m)->name);
        return CLI_OK;
    }
    gt_report_print(stdout, models_fields, NULL);
    return CLI_OK;
}

static int run(const cli_args *args)
{
    const char *what = args->operands[0];
    if (!strcmp(what, "methods")) return list_methods(args);
    if (!strcmp(what, "models")) return list_models(args);
    return gt_cli_usage("there is no list of '%s'; there are: methods models", what);
}

static const cli_report reports[] = {{.title = "list methods", .fields = methods_fields},
                                     {.title = "list models", .fields = models_fields},
                                     {.fields = NULL}};

const cli_command gt_cmd_list = {
    .name = "list",
    .title = "lists the methods or the models",
    .operands = "methods|models",
    .examples = "    geartrain list methods\n"
                "    geartrain list methods --all\n"
                "    geartrain list models --json",
    .flags = flags,
    .own_bytes = sizeof(list_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
    .reports = reports,
};
