/* SPDX-License-Identifier: BSD-3-Clause */
/* linearize: the linear model about a point, its eigenvalues and which states take part in them. */
#include "advise_parts.h"
#include "modes.h"
#include <stdlib.h>
#include <string.h>

/* What was given for the flags that `linearize` alone has. */
typedef struct linearize_flags {
    cli_value at_equilibrium, manifold, t;
} linearize_flags;

static inline const linearize_flags *linearize_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(linearize_flags));
}

static const cli_flag own_flags[] = {
    {CLI_OWN(linearize_flags, at_equilibrium, "at-equilibrium"),
     .help = "about the steady state that equilibrium finds from the initial values"},
    {CLI_FLAG(t0, "t0"), .value = "T", .help = "start time; default: that of the model",
     .alias = "start-time"},
    {CLI_OWN(linearize_flags, t, "t"), .value = "T",
     .help = "about the point that the solution reaches at this time; default: the start"},
    {CLI_OWN(linearize_flags, manifold, "manifold"),
     .help = "the slow manifold there, and the slow and fast modes apart; for models with a fast "
             "block"},
    {CLI_FLAG(plot, "plot"), .value = "FILE",
     .help = "the eigenvalues in the complex plane, .svg, .png or .pdf"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_point_flags, own_flags, gt_cli_looks_flags,
                                        gt_cli_report_flags, NULL};

typedef struct point {
    cli_problem p;
    double t, *x;
    const char *where;
    gt_linearization linear;
    modes_view modes;
    bool with_manifold;
    gt_manifold manifold;
    manifold_view slow;
} point;

static int to_equilibrium(point *a)
{
    gt_equilibrium_report report;
    a->where = "the steady state";
    gt_status status = gt_equilibrium(&a->p.problem, a->t, a->x, NULL, &report);
    if (status) return gt_cli_complain(status, &report.message);
    if (report.singular) gt_cli_warn("%s", report.note.text);
    return CLI_OK;
}

/* The algebraic variables of the start follow from the others. */
static int to_consistent_start(point *a)
{
    const gt_problem *problem = &a->p.problem;
    bool constrained = gt_problem_index(problem) > 1;
    const gt_method *method =
        gt_method_for(constrained ? GT_ROLE_CONSTRAINED : GT_ROLE_STIFF_FIXED);
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
        gt_stepper_free(&s);
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
    if (!solution.found)
        return gt_cli_failed("the solution up to t = %g: %s", t, solution.why.text);
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
    const char *plot = gt_cli_text(&args->flags.plot);
    const char *inputs[] = {a->p.start_file, NULL};
    if ((code = gt_cli_number(&linearize_own(args)->t, &t)) ||
        (plot && (code = gt_cli_check_plot(plot, inputs))))
        return code;
    if (gt_cli_has(&linearize_own(args)->t) && gt_cli_has(&linearize_own(args)->at_equilibrium))
        return gt_cli_usage("--t and --at-equilibrium cannot be used together");
    if (n > GT_LINEARIZE_MAX)
        return gt_cli_usage(
            "%s has %zu states; linearize works with up to %d, since its matrices are dense",
            a->p.model->name, n, GT_LINEARIZE_MAX);
    a->t = problem->t0;
    a->x = gt_arena_doubles(&a->p.arena, n);
    if (!a->x) return gt_cli_failed("out of memory for %zu states", n);
    memcpy(a->x, problem->x0, n * sizeof *a->x);
    if (gt_cli_has(&linearize_own(args)->at_equilibrium)) return to_equilibrium(a);
    return t == problem->t0 ? to_consistent_start(a) : to_time(args, a, t);
}

/* ---- the report ---- */

static const char *row_name(const point *a, size_t i, char buffer[24])
{
    return gt_problem_state_name(&a->p.problem, a->linear.state[i], buffer);
}

static void say_heading(const void *data, report_text *out)
{
    enum { MOST = 12 };
    const point *a = data;
    size_t n = gt_problem_size(&a->p.problem);
    char name[24];
    gt_report_say(out, "linear model of %s about %s at t = %g:", a->p.model->name, a->where, a->t);
    for (size_t i = 0; i < n && i < MOST; i++)
        gt_report_say(out, "%s %s = %.6g", i ? "," : "",
                      gt_problem_state_name(&a->p.problem, i, name), a->x[i]);
    if (n > MOST) gt_report_say(out, ", ...");
}

static void get_x(const void *data, report_value *out)
{
    const point *a = data;
    gt_report_states(out, &a->p.problem, a->x);
}

static bool each_name(const void *data, size_t i, report_value *out)
{
    const point *a = data;
    if (i >= a->linear.n) return false;
    out->text = row_name(a, i, out->room);
    return true;
}

static bool each_row(const void *data, size_t i, report_value *out)
{
    (void)out;
    return i < ((const point *)data)->linear.n;
}

static bool each_element(const void *data, size_t j, report_value *out)
{
    const report_item *row = data;
    const point *a = row->of;
    if (j >= a->linear.n) return false;
    out->number = a->linear.A[j * a->linear.n + row->i];
    out->name = row_name(a, j, out->name_room);
    return true;
}

static void say_row_name(const void *data, report_text *out)
{
    const report_item *row = data;
    char name[24];
    gt_report_say(out, "%s", row_name(row->of, row->i, name));
}

static const report_field row_of_A = {
    .type = REPORT_LIST, .each = each_element, .entry = REPORT_NUMBER};

static const report_field columns_of_A[] = {
    /* in text */
    {.type = REPORT_STRING, .label = "A", .say = say_row_name},
    {.type = REPORT_MAP, .each = each_element, .entry = REPORT_NUMBER, .label = ""},
    {.type = REPORT_END},
};

static bool is_small(const void *data) { return ((const point *)data)->linear.n <= 8; }

static bool each_eigenvalue(const void *data, size_t i, report_value *out)
{
    return gt_modes_each_eigenvalue(&((const point *)data)->modes, i, out);
}

static bool with_manifold(const void *data) { return ((const point *)data)->with_manifold; }

static void say_gap(const void *data, report_text *out)
{
    if (with_manifold(data)) gt_report_say(out, "\n");
}

static const report_field fields[] = {
    REPORT_TEXT("", say_heading),
    REPORT_PART(gt_report_model, .offset = offsetof(point, p)),
    REPORT_KEY("t", "the time of the point", REPORT_AT(point, t)),
    REPORT_KEY("x", "the point, by name", .type = REPORT_MAP, .get = get_x,
               .each = gt_report_each_state, .entry = REPORT_NUMBER),
    REPORT_KEY("states", "names of the rows of A", .type = REPORT_LIST, .each = each_name,
               .entry = REPORT_STRING),
    REPORT_KEY("A", "the matrix, by rows", .type = REPORT_LIST, .each = each_row,
               .list = &row_of_A),
    {.type = REPORT_LIST, .each = each_row, .of = columns_of_A, .when = is_small, .label = ""},
    REPORT_KEY("eigenvalues", "of A", .type = REPORT_LIST, .each = each_eigenvalue,
               .entry = REPORT_PAIR),
    REPORT_PART(gt_modes_fields, .offset = offsetof(point, modes)),
    REPORT_TEXT("", say_gap),
    REPORT_KEY("manifold", "with --manifold: the slow manifold there",
               REPORT_AS(OBJECT, point, slow), .of = gt_manifold_fields, .when = with_manifold,
               .label = ""),
    {.type = REPORT_END},
};

static int draw(const cli_args *args, point *a, const char *path)
{
    const gt_linearization *l = &a->linear;
    char title[256];
    gt_format(title, sizeof title, "Eigenvalues of %s about %s at t = %g", a->p.model->name,
              a->where, a->t);
    double *re = gt_arena_doubles(&a->p.arena, l->n), *im = gt_arena_doubles(&a->p.arena, l->n);
    if (!re || !im) return gt_cli_failed("out of memory");
    for (size_t k = 0; k < l->n; k++) {
        re[k] = l->modes[k].re;
        im[k] = l->modes[k].im;
    }
    cli_curve curve = {.x = re, .y = im, .count = l->n, .style = CLI_POINTS};
    cli_panel panel = {
        .x_label = "real part", .y_label = "imaginary part", .curves = &curve, .n_curves = 1};
    return gt_cli_plot(
        &(cli_plot){.path = path, .title = title, .panels = &panel, .n_panels = 1, .args = args});
}

static int run(const cli_args *args)
{
    point a = {0};
    gt_message message = {""};
    const char *plot = gt_cli_text(&args->flags.plot);
    int code = find_point(args, &a);
    if (!code) {
        gt_status status = gt_linearize(&a.p.problem, a.t, a.x, &a.linear, &a.p.arena, &message);
        a.with_manifold = gt_cli_has(&linearize_own(args)->manifold);
        if (!status && a.with_manifold)
            status = gt_manifold_at(&a.p.problem, a.t, a.x, &a.manifold, &a.p.arena, &message);
        if (status) code = gt_cli_complain(status, &message);
    }
    a.modes = (modes_view){&a.p.problem, &a.linear};
    a.slow = (manifold_view){&a.p.problem, &a.manifold};
    if (!code && plot) code = draw(args, &a, plot);
    if (!code && gt_cli_has(&args->flags.json)) {
        code = gt_report_print_json(fields, &a);
    } else if (!code) {
        gt_report_print(stdout, fields, &a);
        if (plot) printf("wrote %s\n", plot);
    }
    gt_cli_problem_free(&a.p);
    return code;
}

static const cli_report reports[] = {{.fields = fields}, {.fields = NULL}};

const cli_command gt_cmd_linearize = {
    .name = "linearize",
    .title = "the A matrix, eigenvalues, time constants, damping and participation about a point",
    .operands = "MODEL",
    .about = "The point is the start, the steady state (--at-equilibrium), or where the solution "
             "is at a time (--t).\n"
             "Algebraic variables are eliminated and a mass matrix is taken into account. The "
             "participation of a state\n"
             "in a mode is the product of left and right eigenvector there; each mode's add up to "
             "1. A complex pair is\n"
             "one row of the table; the largest real part comes first.",
    .examples = "    geartrain linearize lorenz --at-equilibrium\n"
                "    geartrain linearize vanderpol --t 1.5 --json\n"
                "    geartrain linearize brusselator --at-equilibrium --plot spectrum.svg",
    .flags = flags,
    .own_bytes = sizeof(linearize_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
    .reports = reports,
};
