/* SPDX-License-Identifier: BSD-3-Clause */
/* equilibrium: a steady state and whether it is stable. */
#include "modes.h"
#include <math.h>
#include <string.h>

static const cli_flag own_flags[] = {
    {.name = "t", .value = "T", .help = "the time at which the equations are frozen; default: the start of the model"},
    {.name = "tol", .value = "TOL", .help = "how small the last correction must be, relative to max(|x|, 1); 1e-10"},
    {.name = "max-iterations", .value = "N", .help = "gives up after so many; 200"},
    {.name = "out",
     .value = "FILE.csv|-",
     .help = "the steady state as CSV, which --init-from of other commands reads"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_point_flags, own_flags, gt_cli_report_flags, NULL};

typedef enum verdict { NOT_EXAMINED, STABLE, UNSTABLE, MARGINAL } verdict;

typedef struct settled {
    cli_problem p;
    double t, *x, tol;
    gt_equilibrium_report report;
    gt_linearization linear;
    verdict verdict;
} settled;

static int find(const cli_args *args, settled *s)
{
    gt_equilibrium_options options = {0};
    long iterations = 0;
    int code = gt_cli_problem(args, args->operands[0], &s->p);
    if (code) return code;
    s->t = s->p.problem.t0;
    if ((code = gt_cli_number(args, "t", &s->t)) || (code = gt_cli_positive(args, "tol", &options.tol))) return code;
    if ((code = gt_cli_whole(args, "max-iterations", 1, 1000000, &iterations))) return code;
    const char *out = gt_cli_text(args, "out");
    const char *inputs[] = {s->p.start_file, NULL};
    if (out && (code = gt_cli_check_output("--out", out, inputs))) return code;
    if (out && !strcmp(out, "-") && gt_cli_has(args, "json"))
        return gt_cli_usage("--out - and --json both write to standard output; give only one of them");
    options.max_iterations = (int)iterations;
    s->tol = options.tol > 0 ? options.tol : 1e-10;
    size_t n = gt_problem_size(&s->p.problem);
    s->x = gt_arena_doubles(&s->p.arena, n);
    if (!s->x) return gt_cli_failed("out of memory for %zu states", n);
    memcpy(s->x, s->p.problem.x0, n * sizeof *s->x);
    gt_status status = gt_equilibrium(&s->p.problem, s->t, s->x, &options, &s->report);
    return status ? gt_cli_complain(status, &s->report.message) : CLI_OK;
}

/* Real parts within round-off of zero decide nothing, and the point is known to within `tol` only: at a double root an
 * eigenvalue of that size is what is left of 0. It is small when nothing comes of it in the time of the model. */
static void examine(settled *s)
{
    const gt_problem *problem = &s->p.problem;
    gt_message message = {""};
    if (gt_linearize(problem, s->t, s->x, &s->linear, &s->p.arena, &message)) {
        s->linear.n = 0;
        gt_cli_note("stability was not examined: %s", message.text);
        return;
    }
    double size = 0, largest = s->linear.modes[0].re;
    for (size_t k = 0; k < s->linear.n; k++) size = fmax(size, hypot(s->linear.modes[k].re, s->linear.modes[k].im));
    double zero = fmax((problem->jac ? 1e-12 : 1e-7) * size, 100 * s->tol / (problem->t1 - problem->t0));
    s->verdict = largest > zero ? UNSTABLE : largest < -zero ? STABLE : MARGINAL;
}

static json_t *json_verdict(verdict v)
{
    return v == STABLE ? json_true() : v == UNSTABLE ? json_false() : json_null();
}

static int print_json(const settled *s)
{
    json_t *object = json_object();
    json_object_set_new(object, "model", json_string(s->p.model->name));
    json_object_set_new(object, "parameters", gt_cli_json_values(s->p.model->params, &s->p.values));
    json_object_set_new(object, "status", json_string(gt_status_name(s->report.status)));
    json_object_set_new(object, "message", json_string(s->report.message.text));
    json_object_set_new(object, "t", gt_cli_json_number(s->t));
    json_object_set_new(object, "x", gt_cli_json_state(&s->p.problem, s->x));
    json_object_set_new(object, "residual", gt_cli_json_number(s->report.residual));
    json_object_set_new(object, "iterations", json_integer(s->report.iterations));
    json_object_set_new(object, "transient_steps", json_integer(s->report.transient_steps));
    json_object_set_new(object, "singular", json_boolean(s->report.singular));
    json_object_set_new(object, "note", json_string(s->report.note.text));
    json_object_set_new(object, "stable", json_verdict(s->verdict));
    json_object_set_new(object, "eigenvalues",
                        s->verdict == NOT_EXAMINED ? json_null() : gt_modes_json_eigenvalues(&s->linear));
    json_object_set_new(object, "stats", gt_cli_json_stats(&s->report.stats));
    return gt_cli_json_print(object);
}

static void print_verdict(const settled *s)
{
    if (s->verdict == NOT_EXAMINED) return;
    char value[64], top[160];
    gt_modes_value(&s->linear.modes[0], value, sizeof value);
    gt_modes_top(&s->p.problem, &s->linear, 0, top, sizeof top);
    if (s->verdict == STABLE)
        printf("stable      yes, the slowest mode is %s (%s)\n", value, top);
    else if (s->verdict == UNSTABLE)
        printf("stable      no, the fastest growing mode is %s (%s)\n", value, top);
    else
        printf("stable      undecided by the linear model: a real part is zero or too small to tell, mode %s (%s)\n",
               value, top);
}

static void print_text(const settled *s)
{
    enum { MOST = 40 };
    const gt_problem *problem = &s->p.problem;
    char buffer[24];
    size_t n = gt_problem_size(problem);
    gt_fprintf(stdout, "steady state of %s at t = %g\n", s->p.model->name, s->t);
    for (size_t i = 0; i < n && i < MOST; i++) {
        const char *unit = problem->units && problem->units[i] ? problem->units[i] : "";
        gt_fprintf(stdout, "    %-10s % .10g%s%s\n", gt_problem_state_name(problem, i, buffer), s->x[i],
                   *unit ? " " : "", unit);
    }
    if (n > MOST) printf("    ... and %zu more; --out FILE.csv or --json has them all\n", n - MOST);
    gt_fprintf(stdout, "residual    %.3g", s->report.residual);
    if (s->report.residual > 0)
        printf(", largest in the equation of %s", gt_problem_state_name(problem, s->report.worst, buffer));
    putchar('\n');
    printf("work        %d Newton iterations", s->report.iterations);
    if (s->report.transient_steps) printf(", %d steps in pseudo-time", s->report.transient_steps);
    printf(", %ld evaluations of f, %ld Jacobians\n", s->report.stats.rhs, s->report.stats.jacobians);
    if (s->report.singular) printf("note        %s\n", s->report.note.text);
}

static int write_csv(const settled *s, const char *path)
{
    cli_file file;
    char buffer[24];
    size_t n = gt_problem_size(&s->p.problem);
    int code = gt_cli_file_open(&file, path);
    if (code) return code;
    fputs("t", file.stream);
    for (size_t i = 0; i < n; i++) fprintf(file.stream, ",%s", gt_problem_state_name(&s->p.problem, i, buffer));
    gt_fprintf(file.stream, "\n%.17g", s->t);
    for (size_t i = 0; i < n; i++) gt_fprintf(file.stream, ",%.17g", s->x[i]);
    fputc('\n', file.stream);
    return gt_cli_file_close(&file, true);
}

static int run(const cli_args *args)
{
    settled s = {0};
    const char *out = gt_cli_text(args, "out");
    bool csv_on_stdout = out && !strcmp(out, "-");
    int code = find(args, &s);
    if (!code) {
        examine(&s);
        if (out) code = write_csv(&s, out);
    }
    bool found = s.x && s.report.status == GT_OK;
    if (gt_cli_has(args, "json") && s.x && code != CLI_USAGE) {
        int printed = print_json(&s);
        code = code ? code : printed;
    } else if (!code && found && !csv_on_stdout) {
        print_text(&s);
        print_verdict(&s);
        if (out) printf("wrote       %s\n", out);
    }
    gt_cli_problem_free(&s.p);
    return code;
}

const cli_command gt_cmd_equilibrium = {
    .name = "equilibrium",
    .title = "finds a steady state and says whether it is stable",
    .operands = "MODEL",
    .about =
        "Solves 0 = f by damped Newton from the initial values (--init sets others, and so chooses among several "
        "steady\n"
        "states). Where Newton stalls, or where a conserved quantity makes the steady state depend on the start, the\n"
        "solution is followed in pseudo-time. Stability comes from the eigenvalues of the linear model there.",
    .examples = "    geartrain equilibrium lorenz\n"
                "    geartrain equilibrium lorenz --init x=-5 --init y=-5 --json\n"
                "    geartrain equilibrium predator_prey --out rest.csv\n"
                "    geartrain run predator_prey --init-from rest.csv",
    .flags = flags,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
