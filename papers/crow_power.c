/* SPDX-License-Identifier: BSD-3-Clause */
/* crow 5.8: the nine-bus system. */
#include "crow.h"
#include <complex.h>
#include <geartrain/power.h>
#include <math.h>

extern const char gt_paper_wscc9_case[], gt_paper_wscc9_machines[]; /* made from cases/ */

static const double degrees = 57.295779513082320877;
static const char picture_only[] = "the chapter has the picture only";

/* The case with its power flow and machines. */
typedef struct grid {
    gt_power_case c;
    gt_power_flow_result flow;
    gt_power_dynamics machines;
    gt_power_setup setup;
    bool ok;
} grid;

/* v2, v3: voltages that machines 2 and 3 hold; 0: those of the data, 1.025. */
static grid open_grid(paper_sheet *s, double v2, double v3)
{
    grid g = {.ok = false};
    gt_message *m = &s->failure;
    if (gt_power_case_parse(gt_paper_wscc9_case, "wscc9.m", &g.c, &s->arena, m)) return g;
    if (v2 > 0) g.c.gen[1].v_set = v2, g.c.bus[1].v = v2;
    if (v3 > 0) g.c.gen[2].v_set = v3, g.c.bus[2].v = v3;
    if (gt_power_flow(&g.c, NULL, &g.flow, &s->arena, m)) return g;
    if (gt_power_dynamics_parse(gt_paper_wscc9_machines, "wscc9.csv", &g.c, 0, &g.machines,
                                &s->arena, m))
        return g;
    g.ok = true;
    return g;
}

static size_t line_between(const gt_power_case *c, int from, int to)
{
    size_t a = gt_power_find_bus(c, from), b = gt_power_find_bus(c, to);
    for (size_t i = 0; i < c->n_branch; i++) {
        const gt_power_branch *l = &c->branch[i];
        if ((l->from == a && l->to == b) || (l->from == b && l->to == a)) return i;
    }
    return c->n_branch;
}

void gt_paper_crow_flow(paper_sheet *s)
{
    static const char *const v[] = {"1.0400", "1.0253", "1.0254", "1.0259", "1.0128",
                                    "1.0327", "1.0162", "1.0261", "0.9958"};
    static const char *const angle[] = {"0",      "9.2715", "4.6587", "-2.2165", "-3.6873",
                                        "1.9625", "0.7242", "3.7147", "-3.9885"};
    static const char *const p[] = {"0.7164", "1.6300", "0.8500"}, *const q[] = {"0.2685", "0.0669",
                                                                                 "-0.1080"};
    static const char rounded[] =
        "the voltages of machines 2 and 3 are known to the printed digits only";
    grid data = open_grid(s, 0, 0), g = open_grid(s, 1.02533187612356, 1.0253567990000143);
    if (!g.ok || !data.ok) return;
    for (size_t i = 0; i < 9; i++) {
        paper_value(s, paper_text(s, "V of bus %zu", i + 1), v[i], g.flow.v[i], rounded);
        paper_near(s, paper_text(s, "angle of bus %zu, degrees", i + 1), angle[i],
                   g.flow.angle[i] * degrees, 2e-4, rounded);
    }
    for (size_t i = 0; i < 3; i++) {
        paper_near(s, paper_text(s, "P of machine %zu", i + 1), p[i], g.flow.p_gen[i], 5.01e-5,
                   rounded);
        paper_near(s, paper_text(s, "Q of machine %zu", i + 1), q[i], g.flow.q_gen[i], 1.5e-4,
                   rounded);
    }
    paper_erratum(s, "voltage of bus 2 in the table", "1.0253", data.flow.v[1],
                  "the data of this system say 1.025; the printed flow is that of V2 = 1.02533, V3 "
                  "= 1.02536 (fitted)");
    for (size_t i = 3; i < 9; i++)
        paper_value(s, paper_text(s, "V of bus %zu with V2 = V3 = 1.025", i + 1), NULL,
                    data.flow.v[i], "what the data give");
}

/* One line of (5.145)-(5.146). */
static double complex internal_voltage(const grid *g, size_t i)
{
    double complex v = g->flow.v[i] * cexp(I * g->flow.angle[i]);
    double complex current = conj((g->flow.p_gen[i] + I * g->flow.q_gen[i]) / v);
    return v + I * g->machines.machine[i].xd1 * current;
}

static void reduced_matrices(paper_sheet *s, const grid *g, const gt_power_event *events)
{
    static const char *const printed[3][6][2] = {{{"0.8453", "-2.9881"},
                                                  {"0.2870", "1.5131"},
                                                  {"0.2095", "1.2257"},
                                                  {"0.4199", "-2.7238"},
                                                  {"0.2132", "1.0880"},
                                                  {"0.2769", "-2.3681"}},
                                                 {{"0.6567", "-3.8159"},
                                                  {"0", "0"},
                                                  {"0.0701", "0.6306"},
                                                  {"0", "-5.4855"},
                                                  {"0", "0"},
                                                  {"0.1740", "-2.7959"}},
                                                 {{"1.1811", "-2.2285"},
                                                  {"0.1375", "0.7265"},
                                                  {"0.1909", "1.0795"},
                                                  {"0.3885", "-1.9525"},
                                                  {"0.1987", "1.2294"},
                                                  {"0.2727", "-2.3423"}}};
    static const char *const stages[] = {"prefault", "fault-on", "postfault, charging kept"};
    static const char rounded[] = "computed from rounded voltages";
    gt_problem p;
    const gt_power_system *system;
    gt_power_setup setup = {.grid = &g->c,
                            .flow = &g->flow,
                            .dynamics = &g->machines,
                            .model = GT_POWER_CLASSICAL,
                            .t1 = 1,
                            .events = events,
                            .n_events = 3,
                            .keep_charging = true};
    if (gt_power_build(&setup, &p, &system, &s->arena, &s->failure)) return;
    for (size_t k = 0; k < 3; k++) {
        const double *Y = gt_power_reduced(system, k);
        for (int i = 0, e = 0; i < 3; i++)
            for (int j = i; j < 3; j++, e++)
                for (int part = 0; part < 2; part++)
                    paper_near(
                        s, paper_text(s, "%s %c%d%d", stages[k], part ? 'B' : 'G', i + 1, j + 1),
                        printed[k][e][part], Y[2 * (3 * j + i) + part], 1.5e-4, rounded);
    }
    double kept = gt_power_reduced(system, 2)[0];
    setup.keep_charging = false;
    if (gt_power_build(&setup, &p, &system, &s->arena, &s->failure)) return;
    paper_erratum(s, "postfault G11", "1.1811", gt_power_reduced(system, 2)[0],
                  paper_text(s,
                             "the update of the chapter leaves half of the charging of line 8-9 at "
                             "both of its buses "
                             "(which gives %.4f); it goes with the line. Its second line must read "
                             "Y(9,9) on the left",
                             kept));
}

void gt_paper_crow_example_5_10(paper_sheet *s)
{
    static const char *const E[] = {"1.0565", "1.0505", "1.0174"}, *const delta[] = {"2.2718",
                                                                                     "19.7162",
                                                                                     "13.1535"};
    static const char rounded[] = "computed from rounded voltages";
    grid printed = open_grid(s, 1.02533187612356, 1.0253567990000143), g = open_grid(s, 0, 0);
    if (!printed.ok || !g.ok) return;
    for (size_t i = 0; i < 3; i++) {
        double complex e = internal_voltage(&printed, i);
        paper_near(s, paper_text(s, "E of machine %zu", i + 1), E[i], cabs(e), 1.01e-4, rounded);
        paper_near(s, paper_text(s, "delta of machine %zu, degrees", i + 1), delta[i],
                   carg(e) * degrees, 2e-3, rounded);
    }
    size_t bus_8 = gt_power_find_bus(&g.c, 8);
    gt_power_event events[] = {
        {.kind = GT_POWER_FAULT, .t = 0.1, .bus = bus_8},
        {.kind = GT_POWER_CLEAR, .t = 0.22, .bus = bus_8},
        {.kind = GT_POWER_TRIP, .t = 0.22, .branch = line_between(&g.c, 8, 9)}};
    reduced_matrices(s, &printed, events);
    gt_problem p;
    const gt_power_system *system;
    gt_power_setup setup = {.grid = &g.c,
                            .flow = &g.flow,
                            .dynamics = &g.machines,
                            .model = GT_POWER_CLASSICAL,
                            .t1 = 2,
                            .events = events,
                            .n_events = 3};
    if (gt_power_build(&setup, &p, &system, &s->arena, &s->failure)) return;
    double x[6], d[3];
    static const double at[] = {0.5, 1, 2};
    for (int k = 0; k < 3; k++) {
        paper_end(s, &(paper_run){.problem = &p, .method = "dopri5", .rtol = 1e-11, .t1 = at[k]},
                  x);
        gt_power_view(system, at[k], x, d, NULL, NULL, NULL);
        for (int i = 1; i < 3; i++)
            paper_value(s, paper_text(s, "delta%d - delta1 at t = %g, degrees", i + 1, at[k]), NULL,
                        (d[i] - d[0]) * degrees, picture_only);
    }
    paper_end(s, &(paper_run){.problem = &p, .method = "trapezoidal", .h = 0.01, .t1 = 0.5}, x);
    gt_power_view(system, 0.5, x, d, NULL, NULL, NULL);
    paper_value(s, "delta2 - delta1 at t = 0.5, trapezoidal, h = 0.01", NULL,
                (d[1] - d[0]) * degrees, picture_only);
    paper_series run =
        paper_samples(s, &(paper_run){.problem = &p, .method = "trapezoidal", .h = 0.01, .t1 = 2});
    double *angle[3], *speed[3];
    for (int i = 0; i < 3; i++)
        angle[i] = paper_doubles(s, run.count), speed[i] = paper_doubles(s, run.count);
    for (size_t k = 0; k < run.count; k++) {
        double w[3];
        gt_power_view(system, run.t[k], run.x + k * run.n, d, w, NULL, NULL);
        for (int i = 0; i < 3; i++) angle[i][k] = d[i] * degrees, speed[i][k] = w[i];
    }
    cli_curve angles[3], speeds[3];
    static const char *const names[] = {"machine 1", "machine 2", "machine 3"};
    for (int i = 0; i < 3; i++) {
        angles[i] = (cli_curve){.title = names[i], .x = run.t, .y = angle[i], .count = run.count};
        speeds[i] = (cli_curve){.title = names[i], .x = run.t, .y = speed[i], .count = run.count};
    }
    paper_draw(
        s, "5.23", "Figure 5.23: rotor angles, fault at 0.1 s, cleared at 0.22 s",
        &(cli_panel){
            .x_label = "t [s]", .y_label = "angle [degrees]", .curves = angles, .n_curves = 3},
        1);
    paper_draw(
        s, "5.24", "Figure 5.24: angular frequencies",
        &(cli_panel){.x_label = "t [s]", .y_label = "ω [rad/s]", .curves = speeds, .n_curves = 3},
        1);
}

void gt_paper_crow_clearing(paper_sheet *s)
{
    grid g = open_grid(s, 0, 0);
    if (!g.ok) return;
    gt_power_event trip = {.kind = GT_POWER_TRIP, .branch = line_between(&g.c, 8, 9)};
    gt_power_cct_options options = {
        .bus = gt_power_find_bus(&g.c, 8), .at_clearing = &trip, .n_at_clearing = 1};
    static const struct {
        const char *what;
        gt_power_model model;
        bool kept;
        double window;
    } rows[] = {{"critical clearing time, classical, 2 s", GT_POWER_CLASSICAL, false, 2},
                {"the same with the charging kept", GT_POWER_CLASSICAL, true, 2},
                {"the same, two-axis model, impedance loads, 3 s", GT_POWER_DAE, false, 3}};
    double cct[3] = {0};
    for (int k = 0; k < 3; k++) {
        gt_power_cct_result r;
        gt_power_setup setup = {.grid = &g.c,
                                .flow = &g.flow,
                                .dynamics = &g.machines,
                                .model = rows[k].model,
                                .keep_charging = rows[k].kept};
        options.window = rows[k].window;
        if (gt_power_cct(&setup, &options, &r, &s->failure)) return;
        cct[k] = r.cct;
        paper_value(s, rows[k].what, NULL, r.cct, "the chapter asks for 0.12 s only");
    }
    paper_claim(s, "clearing after 0.12 s, classical model", "stable", cct[0] > 0.12,
                paper_text(s, "stable up to %.4f s", cct[0]), NULL);
    paper_claim(s, "clearing after 0.12 s, two-axis model", "stable", cct[2] > 0.12,
                paper_text(s, "stable up to %.4f s", cct[2]),
                "the chapter's answer holds for the classical model that it was computed with, not "
                "for the machines in "
                "full");
}

/* Angle of machine 2 against machine 1 and the voltage of bus 5 at t. */
static void midterm_at(paper_sheet *s, const grid *g, const gt_power_event *event, double t,
                       double *d21, double *v5)
{
    gt_problem p;
    const gt_power_system *system;
    gt_power_setup setup = {.grid = &g->c,
                            .flow = &g->flow,
                            .dynamics = &g->machines,
                            .p_part = 1,
                            .t1 = t,
                            .events = event,
                            .n_events = 1};
    if (gt_power_build(&setup, &p, &system, &s->arena, &s->failure)) return;
    double *x = paper_doubles(s, gt_problem_size(&p)), d[3], v[9];
    paper_end(
        s, &(paper_run){.problem = &p, .method = "gear", .rtol = 1e-10, .atol = 1e-12, .t1 = t}, x);
    gt_power_view(system, t, x, d, NULL, v, NULL);
    *d21 = (d[1] - d[0]) * degrees;
    *v5 = v[4];
}

void gt_paper_crow_midterm(paper_sheet *s)
{
    static const char none[] = "the chapter gives the equations only";
    grid g = open_grid(s, 0, 0);
    if (!g.ok) return;
    gt_problem p;
    const gt_power_system *system;
    gt_power_setup setup = {
        .grid = &g.c, .flow = &g.flow, .dynamics = &g.machines, .p_part = 1, .t1 = 10};
    if (gt_power_build(&setup, &p, &system, &s->arena, &s->failure)) return;
    double d[3], d21 = NAN, v5 = NAN;
    gt_power_view(system, 0, p.x0, d, NULL, NULL, NULL);
    for (int i = 0; i < 3; i++)
        paper_value(s, paper_text(s, "delta%d at rest, degrees", i + 1), NULL, d[i] * degrees,
                    none);
    gt_power_event load = {
        .kind = GT_POWER_LOAD, .t = 1, .bus = gt_power_find_bus(&g.c, 5), .factor = 1.2};
    gt_power_event trip = {.kind = GT_POWER_TRIP, .t = 1, .branch = line_between(&g.c, 5, 6)};
    static const double at[] = {2, 10};
    for (int k = 0; k < 2; k++) {
        midterm_at(s, &g, &load, at[k], &d21, &v5);
        paper_value(
            s, paper_text(s, "load of bus 5 up by a fifth at 1 s: delta2 - delta1 at %g s", at[k]),
            NULL, d21, none);
        if (k) paper_value(s, "load of bus 5 up by a fifth at 1 s: V5 at 10 s", NULL, v5, none);
        midterm_at(s, &g, &trip, at[k], &d21, &v5);
        paper_value(s, paper_text(s, "line 5-6 opened at 1 s: delta2 - delta1 at %g s", at[k]),
                    NULL, d21, none);
    }
    double *x = paper_doubles(s, gt_problem_size(&p));
    gt_report small = paper_try(
        s,
        &(paper_run){
            .problem = &p, .method = "trapezoidal", .opt = "dae=alternating", .h = 0.125, .t1 = 1},
        x);
    gt_report large = paper_try(
        s,
        &(paper_run){
            .problem = &p, .method = "trapezoidal", .opt = "dae=alternating", .h = 0.2, .t1 = 1},
        x);
    paper_claim(
        s, "the alternating solution", "more iterations may be required to reach convergence",
        !small.status && large.status,
        "converges at h = 0.125 s; at h = 0.2 s it diverges, and no number of iterations helps",
        "it contracts only below h = 0.1414 s here, which the chapter does not say");
    paper_erratum_text(s, "(5.170)", "- (1/R) omega_i / omega_s", "- (1/R) (omega_i / omega_s - 1)",
                       true,
                       "as printed, the valve is off by 1/R at synchronous speed, so the power "
                       "flow is not a steady state");
    paper_erratum_text(
        s, "(5.172), (5.173)", "no load at generator buses; P_i + j Q_i",
        "the local load enters; P_i is "
        "the power injected, minus the load",
        true, "with the load as P_i of the same sign the balance of bus 5 fails by twice the load");
}

void gt_paper_crow_problem_10(paper_sheet *s)
{
    paper_series run =
        paper_samples(s, &(paper_run){.model = "crow_p10", .method = "trapezoidal", .h = 0.01});
    if (!run.count) return;
    double most = 0;
    double *d21 = paper_doubles(s, run.count), *d31 = paper_doubles(s, run.count);
    for (size_t k = 0; k < run.count; k++) {
        const double *x = run.x + k * run.n; /* delta1, slip1, delta2, slip2, delta3, slip3 */
        d21[k] = (x[2] - x[0]) * degrees, d31[k] = (x[4] - x[0]) * degrees;
        most = fmax(most, d21[k]);
    }
    paper_value(s, "largest delta2 - delta1 in 2 s, degrees", NULL, most,
                "stable for a clearing time of 4 cycles");
    cli_curve curves[] = {{.title = "machine 2", .x = run.t, .y = d21, .count = run.count},
                          {.title = "machine 3", .x = run.t, .y = d31, .count = run.count}};
    paper_draw(
        s, NULL, "Problem 10: rotor angles relative to machine 1, cleared after 4 cycles",
        &(cli_panel){
            .x_label = "t [s]", .y_label = "angle [degrees]", .curves = curves, .n_curves = 2},
        1);
    /* Prefault power of machine 1 from the printed E, delta and first row of Y, with cos and with
     * sin. */
    static const double E[] = {1.0566, 1.0502, 1.0170}, delta[] = {2.2717, 19.7315, 13.1752};
    static const double G[] = {0.846, 0.287, 0.210}, B[] = {-2.988, 1.513, 1.226};
    double pe = 0, wrong = 0;
    for (int j = 0; j < 3; j++) {
        double angle = (delta[0] - delta[j]) / degrees - atan2(B[j], G[j]),
               size = E[0] * E[j] * hypot(G[j], B[j]);
        pe += size * cos(angle);
        wrong += size * sin(angle);
    }
    paper_erratum_text(
        s, "the equations of Problem 10", "sin(delta_i - delta_k - phi_ik)",
        "cos(delta_i - delta_k - phi_ik)", fabs(pe - 0.716) < 5e-3 && fabs(wrong - 0.716) > 0.1,
        paper_text(
            s,
            "the prefault power of machine 1 is %.4f with cos and %.4f with sin, where P1 = 0.716",
            pe, wrong));
    paper_claim(s, "h = 0.01 s and 4 cycles", "clearing at 4 cycles with h = 0.01 s", false,
                "4 cycles are 0.0667 s, which is not a multiple of h",
                "the grid is made to meet the clearing time: a shorter step ends there and the "
                "grid begins anew");
}
