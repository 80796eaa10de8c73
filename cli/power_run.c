/* SPDX-License-Identifier: BSD-3-Clause */
/* power run: one simulation with events. */
#include "power_parts.h"
#include <math.h>
#include <string.h>

/* Without --method: the trapezoidal rule at a fixed step, as is the custom; else by the kind of
 * equations. */
static int choose_method(power_run *s)
{
    int code = gt_cli_solver(s->job.args, &s->job.p, &s->solver);
    if (code || gt_cli_has(&s->job.args->flags.method)) return code;
    unsigned role = s->job.p.problem.n_alg ? GT_ROLE_STIFF : GT_ROLE_NONSTIFF;
    gt_message message = {""};
    s->solver.plan.pilot = NULL;
    s->solver.method = gt_method_for(s->solver.plan.h > 0 ? GT_ROLE_STIFF_FIXED : role);
    s->solver.options = gt_params_default(s->solver.method->options);
    gt_status status = gt_params_parse(s->solver.method->options, "option", s->solver.method->name,
                                       s->solver.option_text, &s->solver.options, &message);
    return status ? gt_cli_complain(status, &message) : CLI_OK;
}

static int check_outputs(power_run *s)
{
    const cli_args *args = s->job.args;
    int code = CLI_OK;
    s->out = gt_cli_text(&args->flags.out);
    s->plot = gt_cli_text(&args->flags.plot);
    s->relative =
        gt_cli_text(&power_own(args)->relative) ? gt_cli_text(&power_own(args)->relative) : "coi";
    if (strcmp(s->relative, "coi") && strcmp(s->relative, "first") && strcmp(s->relative, "none"))
        return gt_cli_usage("--relative is coi, first or none, not '%s'", s->relative);
    if (s->out && (code = gt_cli_check_output("--out", s->out, s->job.inputs))) return code;
    if (s->plot && (code = gt_cli_check_plot(s->plot, s->job.inputs))) return code;
    if (s->out && s->job.json && !strcmp(s->out, "-"))
        return gt_cli_usage(
            "--out - and --json both write to standard output; give only one of them");
    if (gt_cli_has(&args->flags.vars) && !s->out)
        return gt_cli_usage("--vars chooses the columns of --out FILE.csv; give that too");
    return CLI_OK;
}

static int prepare(power_run *s, const cli_args *args)
{
    int code = gt_power_job_setup(args, &s->job);
    if (!code) code = gt_cli_positive(&args->flags.t1, &s->job.setup.t1);
    if (!code) code = gt_power_events(&s->job);
    if (!code) code = gt_power_job_build(&s->job);
    if (!code) code = choose_method(s);
    if (!code) code = check_outputs(s);
    if (code) return code;
    gt_plan *plan = &s->solver.plan;
    unsigned wants = GT_AT_START | GT_AT_STEP | GT_AT_EVENT | GT_AT_BREAK | GT_AT_END;
    if ((code = gt_cli_positive(&args->flags.every, &plan->every))) return code;
    if (plan->every > 0) wants = GT_AT_START | GT_AT_OUTPUT | GT_AT_BREAK | GT_AT_END;
    if ((code = gt_power_record_init(&s->record, &s->job))) return code;
    if (s->plot) gt_power_record_figure(&s->record);
    s->x = gt_arena_doubles(&s->job.p.arena, gt_problem_size(&s->job.p.problem));
    if (!s->x) return gt_cli_failed("out of memory");
    plan->x_end = s->x;
    if (s->out &&
        (code = gt_power_record_csv(&s->record, s->out, gt_cli_text(&args->flags.vars), wants)))
        return code;
    for (; plan->n_sinks < s->record.n_sinks; plan->n_sinks++)
        s->sinks[plan->n_sinks] = &s->record.sinks[plan->n_sinks];
    plan->sinks = s->sinks;
    return CLI_OK;
}

static void integrate(power_run *s)
{
    cli_progress bar;
    gt_cli_catch_interrupt(&s->solver.plan);
    gt_cli_progress_begin(&bar, s->job.args, 0, s->job.setup.t1);
    gt_cli_progress_hook(&bar, &s->solver.plan);
    double started = gt_cli_seconds();
    s->report.status =
        gt_solve(&s->job.p.problem, gt_cli_run_method(&s->solver), &s->solver.plan, &s->report);
    gt_cli_solver_ran(&s->solver, &s->report);
    s->wall = gt_cli_seconds() - started;
    gt_cli_progress_end(&bar);
}

static int look(power_run *s)
{
    power_view *w = &s->view;
    gt_arena *arena = &s->job.p.arena;
    size_t m = gt_power_machines(s->job.system), n = s->job.c.n_bus;
    w->delta = gt_arena_doubles(arena, m);
    w->omega = gt_arena_doubles(arena, m);
    w->v = gt_arena_doubles(arena, n);
    w->angle = gt_arena_doubles(arena, n);
    if (arena->failed) return gt_cli_failed("out of memory");
    double t = s->report.t;
    /* An event at the very end is not part of the run. */
    gt_power_view(s->job.system, nextafter(t, -INFINITY), s->x, w->delta, w->omega, w->v, w->angle);
    w->centre = gt_power_centre(s->job.system, t, w->delta);
    bool finite = isfinite(w->centre);
    for (size_t k = 0; k < m; k++)
        finite = finite && isfinite(w->delta[k]) && isfinite(w->omega[k]);
    for (size_t i = 0; i < n; i++) finite = finite && isfinite(w->v[i]) && isfinite(w->angle[i]);
    if (!finite && !s->report.status)
        return gt_cli_failed("the result at t = %g is not finite: numbers of the case or of its "
                             "machines are too large or "
                             "too small",
                             t);
    return CLI_OK;
}

/* Algebraic equations that cannot be solved any more are the network's: say where it gives way. */
static void name_bus(power_run *s)
{
    gt_status status = s->report.status;
    gt_message why = s->report.message, *m = &s->report.message;
    bool stuck = status == GT_NEWTON_FAILED || status == GT_INCONSISTENT || status == GT_SINGULAR ||
                 status == GT_STEP_TOO_SMALL || status == GT_TOO_MANY_REJECTIONS;
    if (!stuck || !s->job.p.problem.n_alg) return;
    gt_power_weak weak = gt_power_weakest(s->job.system, &s->job.p.problem, s->report.t, s->x);
    if (weak.bus == s->job.c.n_bus) return;
    const char *change = "";
    for (size_t k = 0; k < gt_power_changes(s->job.system); k++)
        if (gt_power_change_time(s->job.system, k) == s->report.t)
            change = gt_power_change_text(s->job.system, k);
    char *hint = strstr(why.text, "; try");
    if (hint) *hint = '\0';
    gt_fail(m, status,
            "voltage collapse at bus %d: the network equations have no solution beyond t = %.6g",
            s->job.c.bus[weak.bus].number, s->report.t);
    if (*change) /* the state is the one in which the search for a solution got stuck */
        gt_say_more(m, " (%s); the search for one ends with %.4f p.u. there", change, weak.v);
    else
        gt_say_more(m, ", where its voltage is %.4f p.u.", weak.v);
    gt_say_more(m, ", the largest part in the direction in which they are singular");
    if (weak.lowest != weak.bus)
        gt_say_more(m, "; the lowest voltage is %.4f p.u. at bus %d", weak.v_lowest,
                    s->job.c.bus[weak.lowest].number);
    gt_say_more(m, " (%.250s); try less load there, or --loads impedance", why.text);
}

static int conclude(power_run *s)
{
    int code = gt_cli_exit_of(s->report.status);
    if (code) name_bus(s);
    if (code) gt_cli_complain(s->report.status, &s->report.message);
    gt_cli_warnings(&s->report.warnings, NULL);
    if (s->record.writes) {
        int closed = gt_cli_file_close(&s->record.csv, !code);
        if (closed) return closed;
    }
    char title[300], loads[96];
    int seen = look(s);
    if (seen) return seen;
    snprintf(title, sizeof title, "%s, %s model, loads %s%s (%s)", s->job.c.name,
             gt_power_model_name(&s->job), gt_power_loads_text(&s->job.setup, loads),
             s->job.setup.limits ? ", limits" : "", s->solver.method->name);
    if (s->plot && s->record.rows.count > 1) {
        int drawn = gt_power_draw(&s->record, s->plot, s->relative, title, s->job.args);
        if (drawn) return drawn;
    }
    FILE *out = s->out && !strcmp(s->out, "-") ? stderr : stdout;
    if (s->job.json) {
        int printed = gt_report_print_json(gt_power_run_fields, s);
        return code ? code : printed;
    }
    if (!code && !(out == stderr && s->job.quiet)) {
        gt_report_print(out, gt_power_run_fields, s);
        if (s->out && strcmp(s->out, "-")) fprintf(out, "wrote %s\n", s->out);
        if (s->plot) fprintf(out, "wrote %s\n", s->plot);
    }
    return code;
}

int gt_power_cmd_run(const cli_args *args)
{
    power_run s = {.wall = 0};
    int code = prepare(&s, args);
    if (!code) {
        integrate(&s);
        code = conclude(&s);
    }
    gt_power_record_free(&s.record);
    gt_power_job_free(&s.job);
    return code;
}
