/* SPDX-License-Identifier: BSD-3-Clause */
/* equilibrium: a steady state and whether it is stable. */
#include "modes.h"
#include <math.h>
#include <string.h>

/* What was given for the flags that `equilibrium` alone has. */
typedef struct equilibrium_flags {
    cli_value max_iterations, t, tol;
} equilibrium_flags;

static inline const equilibrium_flags *equilibrium_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(equilibrium_flags));
}

static const cli_flag own_flags[] = {
    {CLI_OWN(equilibrium_flags, t, "t"), .value = "T",
     .help = "the time at which the equations are frozen; default: the start of the model"},
    {CLI_OWN(equilibrium_flags, tol, "tol"), .value = "TOL",
     .help = "how small the last correction must be, relative to max(|x|, 1); 1e-10"},
    {CLI_OWN(equilibrium_flags, max_iterations, "max-iterations"), .value = "N",
     .help = "largest number of iterations; default 200"},
    {CLI_FLAG(out, "out"), .value = "FILE.csv|-",
     .help = "the steady state as CSV, which --init-from of other commands reads"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_point_flags, own_flags, gt_cli_report_flags, NULL};

typedef enum verdict { NOT_EXAMINED, STABLE, UNSTABLE, MARGINAL, ROUGH } verdict;

typedef struct settled {
    cli_problem p;
    double t, *x, tol;
    gt_equilibrium_report report;
    gt_linearization linear;
    modes_view modes;
    verdict verdict;
} settled;

static int find(const cli_args *args, settled *s)
{
    gt_equilibrium_options options = {0};
    long iterations = 0;
    int code = gt_cli_problem(args, args->operands[0], &s->p);
    if (code) return code;
    s->t = s->p.problem.t0;
    if ((code = gt_cli_number(&equilibrium_own(args)->t, &s->t)) ||
        (code = gt_cli_positive(&equilibrium_own(args)->tol, &options.tol)))
        return code;
    if ((code = gt_cli_whole(&equilibrium_own(args)->max_iterations, 1, 1000000, &iterations)))
        return code;
    const char *out = gt_cli_text(&args->flags.out);
    const char *inputs[] = {s->p.start_file, NULL};
    if (out && (code = gt_cli_check_output("--out", out, inputs))) return code;
    if (out && !strcmp(out, "-") && gt_cli_has(&args->flags.json))
        return gt_cli_usage(
            "--out - and --json both write to standard output; give only one of them");
    options.max_iterations = (int)iterations;
    s->tol = options.tol > 0 ? options.tol : 1e-10;
    size_t n = gt_problem_size(&s->p.problem);
    s->x = gt_arena_doubles(&s->p.arena, n);
    if (!s->x) return gt_cli_failed("out of memory for %zu states", n);
    memcpy(s->x, s->p.problem.x0, n * sizeof *s->x);
    gt_status status = gt_equilibrium(&s->p.problem, s->t, s->x, &options, &s->report);
    return status ? gt_cli_complain(status, &s->report.message) : CLI_OK;
}

/* By how much the largest real part changes where all states are moved by a part of their size, to
 * either side; 0: there is nothing to linearize there. */
static double change_near(settled *s, double part)
{
    const gt_problem *problem = &s->p.problem;
    size_t n = gt_problem_size(problem);
    gt_arena arena = gt_arena_growing();
    double *moved = gt_arena_doubles(&arena, n), typical = gt_typical_size(problem), most = 0;
    for (int sign = -1; sign <= 1 && moved; sign += 2) {
        gt_linearization near;
        for (size_t i = 0; i < n; i++) {
            double golden = fmod(0.618033988749895 * (double)(i + 1), 1.0);
            moved[i] = s->x[i] + sign * part * (1 + golden) * fmax(fabs(s->x[i]), typical);
        }
        if (!gt_linearize(problem, s->t, moved, &near, &arena, NULL))
            most = fmax(most, fabs(near.modes[0].re - s->linear.modes[0].re));
    }
    gt_arena_free(&arena);
    return most;
}

/* Real parts within round-off of zero decide nothing, and the point is known to within `tol` only:
 * at a double root an eigenvalue of that size is what is left of 0. So what a real part changes by
 * next to the point, it may be wrong by. Where that does not become less as one comes nearer, the
 * equations have no derivative there, as sqrt(|x|) at 0, and no linear model. */
static void examine(settled *s)
{
    const gt_problem *problem = &s->p.problem;
    gt_message message = {""};
    if (gt_linearize(problem, s->t, s->x, &s->linear, &s->p.arena, &message)) {
        s->linear.n = 0;
        gt_cli_warn("stability was not examined: %s", message.text);
        return;
    }
    double size = 0, largest = s->linear.modes[0].re;
    for (size_t k = 0; k < s->linear.n; k++)
        size = fmax(size, hypot(s->linear.modes[k].re, s->linear.modes[k].im));
    double noise = (problem->jac ? 1e-12 : 1e-7) * size, change = change_near(s, 100 * s->tol);
    double zero = fmax(noise, change);
    s->verdict = largest > zero ? UNSTABLE : largest < -zero ? STABLE : MARGINAL;
    if (change > noise && change > 0.5 * fabs(largest) && change_near(s, s->tol) > 0.1 * change)
        s->verdict = ROUGH;
}

/* ---- the report ---- */

static void say_heading(const void *data, report_text *out)
{
    const settled *s = data;
    gt_report_say(out, "steady state of %s at t = %g", s->p.model->name, s->t);
}

static void get_x(const void *data, report_value *out)
{
    const settled *s = data;
    gt_report_states(out, &s->p.problem, s->x);
}

static void say_residual(const void *data, report_text *out)
{
    const settled *s = data;
    char name[24];
    gt_report_say(out, "%.3g", s->report.residual);
    if (s->report.residual > 0)
        gt_report_say(out, ", largest in the equation of %s",
                      gt_problem_state_name(&s->p.problem, s->report.worst, name));
}

static void say_work(const void *data, report_text *out)
{
    const gt_equilibrium_report *r = &((const settled *)data)->report;
    gt_report_say(out, "%d Newton iterations", r->iterations);
    if (r->transient_steps) gt_report_say(out, ", %d steps in pseudo-time", r->transient_steps);
    gt_report_say(out, ", %ld evaluations of f, %ld Jacobians", r->stats.rhs, r->stats.jacobians);
}

static void say_note(const void *data, report_text *out)
{
    const gt_equilibrium_report *r = &((const settled *)data)->report;
    if (r->singular) gt_report_say(out, "%s", r->note.text);
}

static void get_stable(const void *data, report_value *out)
{
    verdict v = ((const settled *)data)->verdict;
    out->flag = v == STABLE;
    if (v != STABLE && v != UNSTABLE) out->type = REPORT_END;
}

static void say_stable(const void *data, report_text *out)
{
    static const char *const words[] = {
        [STABLE] = "yes, the slowest mode is",
        [UNSTABLE] = "no, the fastest growing mode is",
        [MARGINAL] =
            "undecided by the linear model: a real part is zero or too small to tell, mode",
        [ROUGH] = "undecided: the equations are not differentiable there, beside it modes"};
    const settled *s = data;
    if (s->verdict == NOT_EXAMINED) return;
    gt_report_say(out, "%s ", words[s->verdict]);
    gt_modes_value(&s->linear.modes[0], out);
    gt_report_say(out, " (");
    gt_modes_top(&s->modes, 0, out);
    gt_report_say(out, ")");
}

static bool each_eigenvalue(const void *data, size_t i, report_value *out)
{
    return gt_modes_each_eigenvalue(&((const settled *)data)->modes, i, out);
}

static void get_eigenvalues(const void *data, report_value *out)
{
    if (((const settled *)data)->verdict == NOT_EXAMINED) out->type = REPORT_END;
}

enum { MOST_STATES = 40 };

static const report_field fields[] = {
    REPORT_TEXT("", say_heading),
    REPORT_PART(gt_report_model, .offset = offsetof(settled, p)),
    REPORT_KEY("status", "\"ok\", or the name of what went wrong",
               REPORT_AS(STATUS, settled, report.status)),
    REPORT_KEY("message", "what went wrong; empty when ok", REPORT_AT(settled, report.message)),
    REPORT_KEY("t", "the time at which the equations are frozen", REPORT_AT(settled, t)),
    REPORT_KEY("x", "the steady state, by name", .type = REPORT_MAP, .get = get_x,
               .each = gt_report_each_state, .entry = REPORT_NUMBER, .label = "",
               .format = "% .10g", .most = MOST_STATES),
    REPORT_KEY("residual", "the largest |f_i| that is left", REPORT_AT(settled, report.residual),
               .label = "residual", .say = say_residual),
    REPORT_KEY("iterations", "of Newton", REPORT_AT(settled, report.iterations), .label = "work",
               .say = say_work),
    REPORT_KEY("transient_steps", "in pseudo-time", REPORT_AT(settled, report.transient_steps)),
    REPORT_KEY("singular", "the steady state depends on the start",
               REPORT_AT(settled, report.singular)),
    REPORT_KEY("note", "notes about it", REPORT_AT(settled, report.note), .label = "note",
               .say = say_note),
    REPORT_KEY("stable", "null: the linear model does not decide it", .type = REPORT_BOOL,
               .get = get_stable, .nullable = true, .label = "stable", .say = say_stable),
    REPORT_KEY("eigenvalues", "of the linear model there", .type = REPORT_LIST,
               .get = get_eigenvalues, .each = each_eigenvalue, .entry = REPORT_PAIR,
               .nullable = true),
    REPORT_KEY("stats", "the work", REPORT_AS(OBJECT, settled, report.stats),
               .of = gt_report_stats),
    {.type = REPORT_END},
};

static const report_field csv_fields[] = {
    {.key = "t", REPORT_AT(settled, t)},
    {.type = REPORT_MAP, .get = get_x, .each = gt_report_each_state, .entry = REPORT_NUMBER},
    {.type = REPORT_END},
};

static int write_csv(const settled *s, const char *path)
{
    cli_file file;
    int code = gt_cli_file_open(&file, path);
    if (code) return code;
    gt_report_csv_head(file.stream, csv_fields, s);
    gt_report_csv_row(file.stream, csv_fields, s);
    return gt_cli_file_close(&file, true);
}

static int run(const cli_args *args)
{
    settled s = {0};
    const char *out = gt_cli_text(&args->flags.out);
    bool csv_on_stdout = out && !strcmp(out, "-");
    int code = find(args, &s);
    s.modes = (modes_view){&s.p.problem, &s.linear};
    if (!code) {
        examine(&s);
        if (out) code = write_csv(&s, out);
    }
    bool found = s.x && s.report.status == GT_OK;
    if (gt_cli_has(&args->flags.json) && s.x && code != CLI_USAGE) {
        int printed = gt_report_print_json(fields, &s);
        code = code ? code : printed;
    } else if (!code && found && !csv_on_stdout) {
        gt_report_print(stdout, fields, &s);
        if (out) printf("wrote       %s\n", out);
    }
    gt_cli_problem_free(&s.p);
    return code;
}

static const cli_report reports[] = {{.fields = fields}, {.fields = NULL}};

const cli_command gt_cmd_equilibrium = {
    .name = "equilibrium",
    .title = "finds a steady state and says whether it is stable",
    .operands = "MODEL",
    .about = "Solves 0 = f by damped Newton from the initial values (--init sets others, and so "
             "chooses among several "
             "steady\n"
             "states). Where Newton stalls, or where a conserved quantity makes the steady state "
             "depend on the start, the\n"
             "solution is followed in pseudo-time. Stability comes from the eigenvalues of the "
             "linear model there.",
    .examples = "    geartrain equilibrium lorenz\n"
                "    geartrain equilibrium lorenz --init x=-5 --init y=-5 --json\n"
                "    geartrain equilibrium predator_prey --out rest.csv\n"
                "    geartrain run predator_prey --init-from rest.csv",
    .flags = flags,
    .own_bytes = sizeof(equilibrium_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
    .reports = reports,
};
