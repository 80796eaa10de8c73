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
        snprintf(buffer, size, "%s, banded %zu x %zu with %d diagonals below and %d above", source, n, n,
                 pattern->lower, pattern->upper);
        break;
    case GT_CSC:
        snprintf(buffer, size, "%s, sparse %zu x %zu with %zu entries", source, n, n, gt_matrix_entries(&shape));
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

static int print_json(const cli_problem *p)
{
    const gt_problem *problem = &p->problem;
    char text[160], made_up[24];
    json_t *object = json_object(), *states = json_array(), *invariants = json_array(), *events = json_array();
    json_t *aux = json_array();
    json_object_set_new(object, "name", json_string(p->model->name));
    json_object_set_new(object, "title", json_string(p->model->title));
    json_object_set_new(object, "reference", json_string(p->model->reference ? p->model->reference : ""));
    json_object_set_new(object, "equations", json_string(p->model->equations ? p->model->equations : ""));
    json_object_set_new(object, "parameters", gt_show_params_json(p->model->params, &p->values));
    for (size_t i = 0; i < gt_problem_size(problem); i++) {
        json_t *state = json_object();
        json_object_set_new(state, "name", json_string(gt_problem_state_name(problem, i, made_up)));
        json_object_set_new(state, "unit", json_string(problem->units && problem->units[i] ? problem->units[i] : ""));
        json_object_set_new(state, "start", gt_cli_json_number(problem->x0[i]));
        json_object_set_new(state, "block", json_string(block_of(problem, i)));
        json_array_append_new(states, state);
    }
    for (size_t i = 0; i < problem->n_invariants; i++)
        json_array_append_new(invariants, json_string(problem->invariant_names[i]));
    for (size_t i = 0; i < problem->n_aux; i++) json_array_append_new(aux, json_string(problem->aux_names[i]));
    for (size_t i = 0; i < problem->n_roots; i++)
        json_array_append_new(events, json_string(gt_run_event_name(problem, i, made_up)));
    json_object_set_new(object, "states", states);
    json_object_set_new(object, "t0", gt_cli_json_number(problem->t0));
    json_object_set_new(object, "t1", gt_cli_json_number(problem->t1));
    json_object_set_new(object, "invariants", invariants);
    json_object_set_new(object, "events", events);
    describe_jacobian(problem, text, sizeof text);
    json_object_set_new(object, "jacobian", json_string(text));
    json_object_set_new(object, "jacobian_pattern", gt_show_pattern_json(problem));
    json_object_set_new(object, "aux", aux);
    json_object_set_new(object, "exact", json_boolean(problem->exact != NULL));
    json_object_set_new(object, "taylor", json_boolean(problem->taylor != NULL));
    return gt_cli_json_print(object);
}

/* Text of several lines, each moved in. */
static void print_indented(const char *text)
{
    while (*text) {
        int length = (int)strcspn(text, "\n");
        printf("    %.*s\n", length, text);
        text += length;
        text += *text == '\n';
    }
}

static void print_states(const gt_problem *problem)
{
    enum { MOST = 24 };
    char made_up[24];
    size_t n = gt_problem_size(problem);
    gt_fprintf(stdout, "\n%zu state%s at t = %g\n", n, n == 1 ? "" : "s", problem->t0);
    for (size_t i = 0; i < n && i < MOST; i++) {
        char line[160];
        int length = gt_format(line, sizeof line, "    %-12s %-14.8g %-8s %s",
                               gt_problem_state_name(problem, i, made_up), problem->x0[i],
                               problem->units && problem->units[i] ? problem->units[i] : "", block_of(problem, i));
        while (length > 0 && (size_t)length < sizeof line && line[length - 1] == ' ') line[--length] = '\0';
        puts(line);
    }
    if (n > MOST) printf("    ... and %zu more\n", n - MOST);
}

static void print_facts(const gt_problem *problem)
{
    char text[160], made_up[24];
    describe_jacobian(problem, text, sizeof text);
    gt_fprintf(stdout, "\ntime        %g to %g\nblocks      %zu slow, %zu fast, %zu algebraic\nJacobian    %s\n",
               problem->t0, problem->t1, problem->n_slow, problem->n_fast, problem->n_alg, text);
    if (problem->mass) puts("mass        constant matrix");
    printf("exact       %s\nTaylor      %s\n", problem->exact ? "known" : "not known",
           problem->taylor ? "recurrence given" : "no recurrence");
    for (size_t i = 0; i < problem->n_invariants; i++)
        printf("%s%s", i ? ", " : "invariants  ", problem->invariant_names[i]);
    if (problem->n_invariants) putchar('\n');
    for (size_t i = 0; i < problem->n_roots; i++)
        printf("%s%s", i ? ", " : "events      ", gt_run_event_name(problem, i, made_up));
    if (problem->n_roots) putchar('\n');
    for (size_t i = 0; i < problem->n_aux; i++) printf("%s%s", i ? ", " : "aux         ", problem->aux_names[i]);
    if (problem->n_aux) putchar('\n');
    if (problem->n_breaks) printf("breaks      %zu times at which f is not smooth\n", problem->n_breaks);
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
        return gt_cli_usage("--emit-c: %s is there and was not made by --emit-c; choose another name", path);
    return CLI_OK;
}

/* The C code of an .ode file, on standard output or in a file. */
static int emit_c(const cli_args *args, const cli_problem *p)
{
    const char *path = gt_cli_text(args, "emit-c"), *input = args->operands[0];
    if (!p->source->ode) return gt_cli_usage("--emit-c is for .ode files; %s is none", input);
    if (gt_cli_has(args, "json")) return gt_cli_usage("--emit-c and --json exclude one another");
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
        if (p->model->equations) print_indented(p->model->equations);
        return CLI_OK;
    }
    gt_status status = gt_ode_expanded(p->source->ode, &text, &message);
    if (!status) print_indented(text);
    free(text);
    return status ? gt_cli_complain(status, &message) : CLI_OK;
}

static int print_all(const cli_problem *p)
{
    printf("%s: %s\n\n", p->model->name, p->model->title);
    int code = print_equations(p);
    if (p->model->reference) printf("\nreference   %s\n", p->model->reference);
    gt_show_params("parameters (value, range)", p->model->params, &p->values);
    print_states(&p->problem);
    print_facts(&p->problem);
    if (p->source->path) gt_show_pattern(p);
    return code;
}

int gt_show_model(const cli_args *args)
{
    cli_problem p;
    int code = gt_cli_problem(args, args->operands[0], &p);
    if (!code && gt_cli_has(args, "opt"))
        code = gt_cli_usage("--opt is for methods; %s is a model, whose parameters --set sets", p.model->name);
    if (!code && gt_cli_has(args, "plot"))
        code = gt_cli_usage("--plot is for methods; draw the solution of %s: geartrain run %s --plot FILE",
                            p.model->name, args->operands[0]);
    if (!code && gt_cli_has(args, "emit-c"))
        code = emit_c(args, &p);
    else if (!code)
        code = gt_cli_has(args, "json") ? print_json(&p) : print_all(&p);
    gt_cli_problem_free(&p);
    return code;
}
