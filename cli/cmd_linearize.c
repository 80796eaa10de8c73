/* SPDX-License-Identifier: BSD-3-Clause */
/* linearize: the linear model about a point, its eigenvalues and which states take part in them. */
#include "advise_parts.h"
#include "modes.h"
#include <stdlib.h>
#include <string.h>

static const cli_flag own_flags[] = {
    {.name = "at-equilibrium", .help = "about the steady state that equilibrium finds from the initial values"},
    {.name = "t0", .value = "T", .help = "start time; the model has one of its own", .alias = "start-time"},
    {.name = "t", .value = "T", .help = "about the point that the solution reaches at this time; default: the start"},
    {.name = "manifold",
     .help = "the slow manifold there, and the slow and fast modes apart; for models with a fast block"},
    {.name = "plot", .value = "FILE", .help = "the eigenvalues in the complex plane, .svg, .png or .pdf"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_point_flags, own_flags, gt_cli_looks_flags, gt_cli_report_flags, NULL};

typedef struct point {
    cli_problem p;
    double t, *x;
    const char *where;
    gt_linearization linear;
    bool with_manifold;
    gt_manifold manifold;
} point;

static int to_equilibrium(point *a, bool quiet)
{
    gt_equilibrium_report report;
    a->where = "the steady state";
    gt_status status = gt_equilibrium(&a->p.problem, a->t, a->x, NULL, &report);
    if (status) return gt_cli_complain(status, &report.message);
    if (report.singular && !quiet) gt_cli_note("%s", report.note.text);
    return CLI_OK;
}

/* The algebraic variables of the start follow from the others. */
static int to_consistent_start(point *a)
{
    const gt_problem *problem = &a->p.problem;
    const gt_method *method = gt_method_find("beuler"); /* any that treats algebraic rows */
    gt_message message = {""};
    gt_stepper s = {0};
    size_t bytes;
    a->where = "the start";
    if (!problem->n_alg) return CLI_OK;
    gt_status status = gt_stepper_measure(method, NULL, problem, &bytes, &message);
    if (status) return gt_cli_complain(status, &message);
    void *memory = malloc(bytes);
    if (!memory) return gt_cli_failed("out of memory");
    status = gt_stepper_init(&s, method, NULL, problem, memory, bytes);
    if (!status) {
        gt_stepper_start(&s, a->t, a->x);
        status = gt_stepper_make_consistent(&s);
        memcpy(a->x, s.x, s.n * sizeof *a->x);
        gt_stepper_release(&s);
    }
    free(memory);
    return status ? gt_cli_complain(status, &s.message) : CLI_OK;
}

static int to_time(const cli_args *args, point *a, double t)
{
    gt_problem *problem = &a->p.problem;
    cli_reference solution;
    a->where = "the solution";
    problem->t1 = t;
    int code = gt_cli_solution(args, problem, &t, 1, &a->p.arena, &solution);
    if (code) return code;
    if (!solution.found) return gt_cli_failed("the solution up to t = %g: %s", t, solution.why.text);
    if (!solution.reached) return gt_cli_failed("the solution ends before t = %g", t);
    a->t = t;
    memcpy(a->x, solution.x, gt_problem_size(problem) * sizeof *solution.x);
    return CLI_OK;
}

static int find_point(const cli_args *args, point *a)
{
    int code = gt_cli_problem(args, args->operands[0], &a->p);
    if (code) return code;
    const gt_problem *problem = &a->p.problem;
    size_t n = gt_problem_size(problem);
    double t = problem->t0;
    const char *plot = gt_cli_text(args, "plot");
    const char *inputs[] = {a->p.start_file, NULL};
    if ((code = gt_cli_number(args, "t", &t)) || (plot && (code = gt_cli_check_plot(plot, inputs)))) return code;
    if (gt_cli_has(args, "t") && gt_cli_has(args, "at-equilibrium"))
        return gt_cli_usage("--t and --at-equilibrium exclude one another");
    if (n > GT_LINEARIZE_MAX)
        return gt_cli_usage("%s has %zu states; linearize works with up to %d, since its matrices are dense",
                            a->p.model->name, n, GT_LINEARIZE_MAX);
    a->t = problem->t0;
    a->x = gt_arena_doubles(&a->p.arena, n);
    if (!a->x) return gt_cli_failed("out of memory for %zu states", n);
    memcpy(a->x, problem->x0, n * sizeof *a->x);
    if (gt_cli_has(args, "at-equilibrium")) return to_equilibrium(a, gt_cli_has(args, "quiet"));
    return t == problem->t0 ? to_consistent_start(a) : to_time(args, a, t);
}

static const char *row_name(const point *a, size_t i, char buffer[24])
{
    return gt_problem_state_name(&a->p.problem, a->linear.state[i], buffer);
}

static int print_json(const point *a)
{
    const gt_linearization *l = &a->linear;
    json_t *object = json_object(), *rows = json_array(), *names = json_array();
    char buffer[24];
    for (size_t i = 0; i < l->n; i++) {
        json_t *row = json_array();
        for (size_t j = 0; j < l->n; j++) json_array_append_new(row, gt_cli_json_number(l->A[j * l->n + i]));
        json_array_append_new(rows, row);
        json_array_append_new(names, json_string(row_name(a, i, buffer)));
    }
    json_object_set_new(object, "model", json_string(a->p.model->name));
    json_object_set_new(object, "parameters", gt_cli_json_values(a->p.model->params, &a->p.values));
    json_object_set_new(object, "t", gt_cli_json_number(a->t));
    json_object_set_new(object, "x", gt_cli_json_state(&a->p.problem, a->x));
    json_object_set_new(object, "states", names);
    json_object_set_new(object, "A", rows);
    json_object_set_new(object, "eigenvalues", gt_modes_json_eigenvalues(l));
    json_object_set_new(object, "modes", gt_modes_json(&a->p.problem, l));
    if (a->with_manifold) json_object_set_new(object, "manifold", gt_manifold_json(&a->p.problem, &a->manifold));
    return gt_cli_json_print(object);
}

static void print_matrix(const point *a)
{
    enum { MOST = 8 };
    const gt_linearization *l = &a->linear;
    char buffer[24];
    if (l->n > MOST) return;
    printf("A\n%-10s", "");
    for (size_t j = 0; j < l->n; j++) printf(" %12s", row_name(a, j, buffer));
    for (size_t i = 0; i < l->n; i++) {
        printf("\n%-10s", row_name(a, i, buffer));
        for (size_t j = 0; j < l->n; j++) gt_fprintf(stdout, " %12.6g", l->A[j * l->n + i] + 0.0); /* no -0 */
    }
    puts("\n");
}

static void print_text(const point *a)
{
    enum { MOST = 12 };
    const gt_problem *problem = &a->p.problem;
    size_t n = gt_problem_size(problem), shown = n < MOST ? n : MOST;
    char buffer[24];
    gt_fprintf(stdout, "linear model of %s about %s at t = %g:", a->p.model->name, a->where, a->t);
    for (size_t i = 0; i < shown; i++)
        gt_fprintf(stdout, "%s %s = %.6g", i ? "," : "", gt_problem_state_name(problem, i, buffer), a->x[i]);
    puts(n > shown ? ", ...\n" : "\n");
    print_matrix(a);
    gt_modes_print(problem, &a->linear);
    if (a->with_manifold) {
        puts("");
        gt_manifold_print(problem, &a->manifold);
    }
}

static int draw(const cli_args *args, point *a, const char *path)
{
    const gt_linearization *l = &a->linear;
    char title[256];
    gt_format(title, sizeof title, "Eigenvalues of %s about %s at t = %g", a->p.model->name, a->where, a->t);
    double *re = gt_arena_doubles(&a->p.arena, l->n), *im = gt_arena_doubles(&a->p.arena, l->n);
    if (!re || !im) return gt_cli_failed("out of memory");
    for (size_t k = 0; k < l->n; k++) {
        re[k] = l->modes[k].re;
        im[k] = l->modes[k].im;
    }
    cli_curve curve = {.x = re, .y = im, .count = l->n, .style = CLI_POINTS};
    cli_panel panel = {.x_label = "real part", .y_label = "imaginary part", .curves = &curve, .n_curves = 1};
    return gt_cli_plot(&(cli_plot){.path = path, .title = title, .panels = &panel, .n_panels = 1, .args = args});
}

static int run(const cli_args *args)
{
    point a = {0};
    gt_message message = {""};
    const char *plot = gt_cli_text(args, "plot");
    int code = find_point(args, &a);
    if (!code) {
        gt_status status = gt_linearize(&a.p.problem, a.t, a.x, &a.linear, &a.p.arena, &message);
        a.with_manifold = gt_cli_has(args, "manifold");
        if (!status && a.with_manifold)
            status = gt_manifold_at(&a.p.problem, a.t, a.x, &a.manifold, &a.p.arena, &message);
        if (status) code = gt_cli_complain(status, &message);
    }
    if (!code && plot) code = draw(args, &a, plot);
    if (!code && gt_cli_has(args, "json")) {
        code = print_json(&a);
    } else if (!code) {
        print_text(&a);
        if (plot) printf("wrote %s\n", plot);
    }
    gt_cli_problem_free(&a.p);
    return code;
}

const cli_command gt_cmd_linearize = {
    .name = "linearize",
    .title = "A matrix, eigenvalues, time constants, damping and participation about a point",
    .operands = "MODEL",
    .about =
        "The point is the start, the steady state (--at-equilibrium), or where the solution is at a time (--t).\n"
        "Algebraic variables are eliminated and a mass matrix is taken into account. The participation of a state\n"
        "in a mode is the product of left and right eigenvector there; each mode's add up to 1. A complex pair is\n"
        "one row of the table; the largest real part comes first.",
    .examples = "    geartrain linearize lorenz --at-equilibrium\n"
                "    geartrain linearize vanderpol --t 1.5 --json\n"
                "    geartrain linearize brusselator --at-equilibrium --plot spectrum.svg",
    .flags = flags,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
