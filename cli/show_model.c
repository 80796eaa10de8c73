/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_parts.h"
#include "show_parts.h"
#include <stdlib.h>
#include <string.h>

static void describe_jacobian(const gt_problem *problem, char *buffer, size_t size)
{
    size_t n = gt_problem_size(problem);
    const gt_pattern *pattern = &problem->jac_pattern;
    gt_matrix shape = {.n = n, .pattern = *pattern};
    const char *source = problem->jac ? "given by the model" : "by differences";
    switch (pattern->storage) {
    case GT_DENSE:
        snprintf(buffer, size, "%s, dense %zu x %zu", source, n, n);
        break;
    case GT_BANDED:
        snprintf(buffer, size, "%s, banded %zu x %zu with %d diagonals below and %d above", source,
                 n, n, pattern->lower, pattern->upper);
        break;
    case GT_CSC:
        snprintf(buffer, size, "%s, sparse %zu x %zu with %zu entries", source, n, n,
                 gt_matrix_entries(&shape));
        break;
    }
}

/* "slow", "fast" or "algebraic"; "" when there is only one block. */
static const char *block_of(const gt_problem *problem, size_t i)
{
    if (!problem->n_fast && !problem->n_alg) return "";
    if (i < problem->n_slow) return "slow";
    return i < problem->n_slow + problem->n_fast ? "fast" : "algebraic";
}

/* ---- the report: of a cli_problem ---- */

static const gt_problem *problem_of(const void *data)
{
    return &((const cli_problem *)data)->problem;
}

static void get_reference(const void *data, report_value *out)
{
    const char *reference = ((const cli_problem *)data)->model->reference;
    out->text = reference ? reference : "";
}

static void get_equations(const void *data, report_value *out)
{
    const char *equations = ((const cli_problem *)data)->model->equations;
    out->text = equations ? equations : "";
}

static void get_parameters(const void *data, report_value *out)
{
    const cli_problem *p = data;
    gt_report_params(out, p->model->params, &p->values);
}

/* State i of a problem. */
static const gt_problem *owner(const void *data) { return ((const report_item *)data)->of; }

static bool each_state(const void *data, size_t i, report_value *out)
{
    out->item.of = problem_of(data);
    return i < gt_problem_size(problem_of(data));
}

static void get_name(const void *data, report_value *out)
{
    out->text = gt_problem_state_name(owner(data), ((const report_item *)data)->i, out->room);
}

static void get_unit(const void *data, report_value *out)
{
    const gt_problem *problem = owner(data);
    size_t i = ((const report_item *)data)->i;
    out->text = problem->units && problem->units[i] ? problem->units[i] : "";
}

static void get_block(const void *data, report_value *out)
{
    out->text = block_of(owner(data), ((const report_item *)data)->i);
}

static const report_field state_fields[] = {
    REPORT_KEY("name", "of the state", .type = REPORT_STRING, .get = get_name, .label = "name"),
    REPORT_KEY("start", "its initial value", REPORT_COLUMN(gt_problem, x0), .label = "start",
               .format = "%.8g"),
    REPORT_KEY("unit", "may be empty", .type = REPORT_STRING, .get = get_unit, .label = "unit"),
    REPORT_KEY("block", "\"slow\", \"fast\", \"algebraic\"; empty: there is only one",
               .type = REPORT_STRING, .get = get_block, .label = "block"),
    {.type = REPORT_END},
};

static bool each_invariant(const void *data, size_t i, report_value *out)
{
    return gt_report_text_entry(problem_of(data)->invariant_names, problem_of(data)->n_invariants,
                                i, out);
}

static bool each_aux(const void *data, size_t i, report_value *out)
{
    return gt_report_text_entry(problem_of(data)->aux_names, problem_of(data)->n_aux, i, out);
}

static bool each_event(const void *data, size_t i, report_value *out)
{
    if (i >= problem_of(data)->n_roots) return false;
    out->text = gt_run_event_name(problem_of(data), i, out->room);
    return true;
}

static void get_jacobian(const void *data, report_value *out)
{
    describe_jacobian(problem_of(data), out->room, sizeof out->room);
    out->text = out->room;
}

static void get_exact(const void *data, report_value *out)
{
    out->flag = problem_of(data)->exact != NULL;
}

static void get_taylor(const void *data, report_value *out)
{
    out->flag = problem_of(data)->taylor != NULL;
}

static void say_times(const void *data, report_text *out)
{
    gt_report_say(out, "\n%g to %g", problem_of(data)->t0, problem_of(data)->t1);
}

static void say_blocks(const void *data, report_text *out)
{
    const gt_problem *p = problem_of(data);
    gt_report_say(out, "%zu slow, %zu fast", p->n_slow, p->n_fast);
    for (size_t k = 0; k < p->n_rates; k++)
        gt_report_say(out, "%s%zu of rate %zu", k ? ", " : " (", p->rate_sizes[k], k + 1);
    gt_report_say(out, "%s, %zu algebraic", p->n_rates ? ")" : "", p->n_alg);
}

static void say_mass(const void *data, report_text *out)
{
    if (problem_of(data)->mass) gt_report_say(out, "constant matrix");
}

static void say_exact(const void *data, report_text *out)
{
    gt_report_say(out, "%s", problem_of(data)->exact ? "known" : "not known");
}

static void say_taylor(const void *data, report_text *out)
{
    gt_report_say(out, "%s", problem_of(data)->taylor ? "recurrence given" : "no recurrence");
}

static void say_breaks(const void *data, report_text *out)
{
    if (problem_of(data)->n_breaks)
        gt_report_say(out, "%zu times at which f is not smooth", problem_of(data)->n_breaks);
}

static void say_states(const void *data, report_text *out)
{
    size_t n = gt_problem_size(problem_of(data));
    gt_report_say(out, "\n%zu state%s at t = %g", n, n == 1 ? "" : "s", problem_of(data)->t0);
}

enum { MOST_STATES = 24 };

static const report_field fact_fields[] = {
    REPORT_KEY("parameters", "with values and ranges", .type = REPORT_LIST, .get = get_parameters,
               .each = gt_show_each_param, .of = gt_show_param_fields,
               .label = "parameters (value, range)"),
    REPORT_TEXT("", say_states),
    REPORT_KEY("states", "in their order", .type = REPORT_LIST, .each = each_state,
               .of = state_fields, .label = "", .most = MOST_STATES, .tight = true),
    REPORT_KEY("t0", "start", REPORT_AT(cli_problem, problem.t0), .label = "time",
               .say = say_times),
    REPORT_KEY("t1", "end", REPORT_AT(cli_problem, problem.t1), .label = "blocks",
               .say = say_blocks),
    REPORT_KEY("jacobian", "in words", .type = REPORT_STRING, .get = get_jacobian,
               .label = "Jacobian"),
    REPORT_KEY("jacobian_pattern", "how it is kept", REPORT_AS(OBJECT, cli_problem, problem),
               .of = gt_show_pattern_fields),
    REPORT_TEXT("mass", say_mass),
    REPORT_KEY("exact", "the exact solution is known", .type = REPORT_BOOL, .get = get_exact,
               .label = "exact", .say = say_exact),
    REPORT_KEY("taylor", "there is a recurrence for its Taylor series", .type = REPORT_BOOL,
               .get = get_taylor, .label = "Taylor", .say = say_taylor),
    REPORT_KEY("invariants", "names", .type = REPORT_LIST, .each = each_invariant,
               .entry = REPORT_STRING, .label = "invariants"),
    REPORT_KEY("events", "names", .type = REPORT_LIST, .each = each_event, .entry = REPORT_STRING,
               .label = "events"),
    REPORT_KEY("aux", "names of auxiliary quantities", .type = REPORT_LIST, .each = each_aux,
               .entry = REPORT_STRING, .label = "aux"),
    REPORT_TEXT("breaks", say_breaks),
    {.type = REPORT_END},
};

const report_field gt_show_model_fields[] = {
    REPORT_KEY("name", "of the model", REPORT_VIA(cli_problem, model, gt_model, name)),
    REPORT_KEY("title", "what it is", REPORT_VIA(cli_problem, model, gt_model, title)),
    REPORT_KEY("reference", "where it comes from", .type = REPORT_STRING, .get = get_reference),
    REPORT_KEY("equations", "as text", .type = REPORT_STRING, .get = get_equations),
    REPORT_PART(fact_fields, .offset = 0),
    {.type = REPORT_END},
};

/* Text of several lines, each moved in. */
/* How much of a line goes into `room` columns: up to a blank or an operator, or all of it. */
static size_t fitting(const char *line, size_t length, size_t room)
{
    if (length <= room) return length;
    for (size_t k = room; k > room / 2; k--)
        if (strchr(" ,*/(", line[k - 1])) return k;
    return length;
}

/* Lines that are too long go on below, indented; `continues` is what a model file has there. */
static void print_indented(const char *text, const char *continues)
{
    enum { INDENT = 4 };
    size_t room = (size_t)gt_report_width(4096) - INDENT - strlen(continues);
    for (; *text; text += *text == '\n') {
        int indent = INDENT;
        size_t length = strcspn(text, "\n");
        while (length) {
            size_t part = fitting(text, length, room - (size_t)(indent - INDENT));
            printf("%*s%.*s%s\n", indent, "", (int)part, text, part < length ? continues : "");
            text += part;
            length -= part;
            indent = 2 * INDENT;
        }
        if (indent == INDENT) putchar('\n');
    }
}

static const char mark[] = "Made by Geartrain from ";

/* A file that is there may be replaced when it is code that was made before. */
static int check_code_file(const char *path, const char *input)
{
    const char *inputs[] = {input, NULL};
    int code = gt_cli_check_output("--emit-c", path, inputs);
    FILE *file = !code && gt_cli_is_file(path) ? fopen(path, "r") : NULL;
    if (!file) return code;
    char start[256];
    size_t length = fread(start, 1, sizeof start - 1, file);
    fclose(file);
    start[length] = '\0';
    if (length && !strstr(start, mark))
        return gt_cli_usage(
            "--emit-c: %s is there and was not made by --emit-c; choose another name", path);
    return CLI_OK;
}

/* The C code of an .ode file, on standard output or in a file. */
static int emit_c(const cli_args *args, const cli_problem *p)
{
    const char *path = gt_cli_text(&show_own(args)->emit_c), *input = args->operands[0];
    if (!p->source->ode)
        return gt_cli_usage("--emit-c is for .ode files, and %s is not one", input);
    if (gt_cli_has(&args->flags.json))
        return gt_cli_usage("--emit-c and --json cannot be used together");
    int code = strcmp(path, "-") ? check_code_file(path, input) : CLI_OK;
    if (code) return code;
    char *text = NULL;
    size_t length = 0;
    gt_message message = {""};
    gt_status status = gt_ode_c_code(p->source->ode, "geartrain_model", &text, &length, &message);
    cli_file file;
    if (status)
        code = gt_cli_complain(status, &message);
    else if (!(code = gt_cli_file_open(&file, path))) {
        const char *slash = strrchr(input, '/');
        fprintf(file.stream, "/* %s%s. */\n", mark, slash ? slash + 1 : input);
        bool whole = fwrite(text, 1, length, file.stream) == length;
        code = gt_cli_file_close(&file, whole);
        if (!code && strcmp(path, "-")) printf("wrote %s\n", path);
    }
    free(text);
    return code;
}

static int print_equations(const cli_problem *p)
{
    char *text = NULL;
    gt_message message = {""};
    if (!p->source->ode) {
        if (p->model->equations) print_indented(p->model->equations, "");
        return CLI_OK;
    }
    gt_status status = gt_ode_expanded(p->source->ode, &text, &message);
    if (!status) print_indented(text, "\\");
    free(text);
    const char *index = strstr(p->model->equations, "\n# index ");
    if (!status && index) print_indented(index + 1, "");
    return status ? gt_cli_complain(status, &message) : CLI_OK;
}

static int print_all(const cli_problem *p)
{
    gt_report_linef(stdout, "", "%s: %s", p->model->name, p->model->title);
    putchar('\n');
    int code = print_equations(p);
    if (p->model->reference) {
        putchar('\n');
        gt_report_line(stdout, "reference", p->model->reference);
    }
    putchar('\n');
    gt_report_print(stdout, fact_fields, p);
    if (p->source->path) gt_show_pattern(p);
    return code;
}

int gt_show_model(const cli_args *args)
{
    cli_problem p;
    int code = gt_cli_problem(args, args->operands[0], &p);
    if (!code && gt_cli_has(&args->flags.opt))
        code = gt_cli_usage("--opt is for methods; %s is a model, whose parameters --set sets",
                            p.model->name);
    if (!code && gt_cli_has(&args->flags.plot))
        code = gt_cli_usage(
            "--plot is for methods; draw the solution of %s: geartrain run %s --plot FILE",
            p.model->name, args->operands[0]);
    if (!code && gt_cli_has(&show_own(args)->emit_c))
        code = emit_c(args, &p);
    else if (!code)
        code = gt_cli_has(&args->flags.json) ? gt_report_print_json(gt_show_model_fields, &p)
                                             : print_all(&p);
    gt_cli_problem_free(&p);
    return code;
}
