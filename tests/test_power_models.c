/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines, loads and networks of all kinds: Jacobians against differences, steady starts, blocks,
 * equivalences, taps and phase shifters, reactive limits, islands, Problem 10. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "power_kit.h"

/* Every kind of machine, exciter and governor at once. */
static const char all_kinds[] =
    "1 'GENROU' 1 8.96 0.03 0.31 0.05 23.64 1 0.146 0.0969 0.0608 0.0969 0.04 0.0336 0.1 0.3 /\n"
    "1 'ESDC1A' 1 0.02 20 0.2 4 1 5 -5 1 0.314 0.063 0.35 0 3.3 0.6602 4.5 4.2662 /\n"
    "1 'TGOV1' 1 0.05 0.5 3 0 2.1 7 0.1 /\n"
    "2 'GENROU' 1 6 0.03 0.535 0.05 6.4 0 0.8958 0.8645 0.1198 0.1969 0.09 0.05 0 0 /\n"
    "2 'IEEET1' 1 0 20 0.2 5 -5 0 0.314 0.063 0.35 0 3.3 0.6602 4.5 4.2662 /\n"
    "3 'GENCLS' 1 3.01 2 0.1813 / and what follows is a comment\n"
    "3 'TGOV1' 1 0.05 0.5 3 0 2.1 7 0 /\n";

static const gt_power_event events[] = {
    {.kind = GT_POWER_FAULT, .t = 0.1, .bus = 7},
    {.kind = GT_POWER_CLEAR, .t = 0.2, .bus = 7},
    {.kind = GT_POWER_TRIP, .t = 0.2, .branch = 7},
    {.kind = GT_POWER_FAULT, .t = 0.3, .bus = 1},
    {.kind = GT_POWER_CLEAR, .t = 0.4, .bus = 1},
    {.kind = GT_POWER_GENTRIP, .t = 0.5, .gen = 2},
    {.kind = GT_POWER_LOAD, .t = 0.6, .bus = 4, .factor = 1.3},
    {.kind = GT_POWER_FAULT, .t = 0.6, .bus = 5, .r = 0.01, .x = 0.1},
    {.kind = GT_POWER_TRIP, .t = 0.7, .branch = 1},
    {.kind = GT_POWER_TRIP, .t = 0.7, .branch = 2}};
enum { N_EVENTS = sizeof events / sizeof *events };

static void build(power_kit *k, const gt_power_setup *setup, gt_problem *p,
                  const gt_power_system **s)
{
    if (gt_power_build(setup, p, s, &k->arena, &k->message)) fail_msg("%s", k->message.text);
}

/* Central differences at a point off the steady state, in every stage. */
static void check_jacobian(power_kit *k, const gt_problem *p)
{
    size_t n = gt_problem_size(p);
    gt_matrix J;
    gt_matrix_layout(&J, n, p->jac_pattern, false, &k->arena);
    double *x = gt_arena_doubles(&k->arena, n), *up = gt_arena_doubles(&k->arena, n);
    double *down = gt_arena_doubles(&k->arena, n), *alg = gt_arena_doubles(&k->arena, n);
    for (double t = 0.05; t < 0.8; t += 0.1) {
        for (size_t i = 0; i < n; i++) x[i] = p->x0[i] + 0.05 * sin(3.0 * (double)i + t);
        gt_matrix_clear(&J);
        assert_int_equal(p->jac(t, x, &J, p->ctx), GT_OK);
        assert_int_equal(p->rhs(t, x, up, p->ctx), GT_OK);
        if (p->rhs_alg) assert_int_equal(p->rhs_alg(t, x, alg, p->ctx), GT_OK);
        for (size_t i = 0; i < p->n_alg && p->rhs_alg; i++)
            assert_true(alg[i] == up[p->n_slow + i]);
        for (size_t j = 0; j < n; j++) {
            double kept = x[j], h = 1e-5;
            x[j] = kept + h;
            assert_int_equal(p->rhs(t, x, up, p->ctx), GT_OK);
            x[j] = kept - h;
            assert_int_equal(p->rhs(t, x, down, p->ctx), GT_OK);
            x[j] = kept;
            for (size_t i = 0; i < n; i++) {
                const double *entry = gt_matrix_at(&J, i, j);
                double slope = (up[i] - down[i]) / (2 * h), value = entry ? *entry : 0;
                if (!(fabs(slope - value) <= 1e-6 * (1 + fabs(slope))))
                    fail_msg("t = %g, d %s' / d %s: %.10g, differences %.10g", t, p->names[i],
                             p->names[j], value, slope);
            }
        }
    }
}

static void jacobians(void **state)
{
    (void)state;
    for (int kinds = 0; kinds < 2; kinds++)
        for (int loads = 0; loads < 3; loads++)
            for (int model = 0; model < 2; model++) {
                power_kit k;
                gt_problem p;
                const gt_power_system *s;
                if (model && loads) continue;
                kit_open(&k, "wscc9");
                if (kinds && gt_power_dynamics_parse(all_kinds, "all.dyr", &k.c, 0, &k.d, &k.arena,
                                                     &k.message))
                    fail_msg("%s", k.message.text);
                gt_power_setup setup = kit_setup(&k, 1, events, N_EVENTS);
                setup.model = model ? GT_POWER_CLASSICAL : GT_POWER_DAE;
                setup.z_part = loads == 0 ? 1 : loads == 1 ? 0 : 0.4;
                setup.i_part = loads == 2 ? 0.35 : 0;
                setup.p_part = 1 - setup.z_part - setup.i_part;
                build(&k, &setup, &p, &s);
                size_t n = gt_problem_size(&p);
                double *dx = gt_arena_doubles(&k.arena, n);
                assert_int_equal(p.rhs(0, p.x0, dx, p.ctx), GT_OK);
                for (size_t i = 0; i < n; i++)
                    if (!(fabs(dx[i]) < 1e-12))
                        fail_msg("%s begins with the rate %g", p.names[i], dx[i]);
                check_jacobian(&k, &p);
                gt_arena_free(&k.arena);
            }
}

/* With x''d = x'd = x'q the dampers of a round rotor act on nothing, and it is a two-axis machine.
 */
static void round_without_dampers(void **state)
{
    static const char round[] =
        "1 'GENROU' 1 8.96 0.03 0.31 0.05 23.64 0 0.146 0.0969 0.0608 0.0608 0.0608 0.03 0 0 /\n"
        "2 'GENROU' 1 6 0.03 0.535 0.05 6.4 0 0.8958 0.8645 0.1198 0.1198 0.1198 0.05 0 0 /\n"
        "3 'GENROU' 1 5.89 0.03 0.6 0.05 3.01 0 1.3125 1.2578 0.1813 0.1813 0.1813 0.07 0 0 /\n";
    static const char twoaxis[] = "bus,model,H,xd,xq,x'd,x'q,T'd0,T'q0\n1,twoaxis,23.64,0.146,0."
                                  "0969,0.0608,0.0608,8.96,0.31\n"
                                  "2,twoaxis,6.4,0.8958,0.8645,0.1198,0.1198,6,0.535\n"
                                  "3,twoaxis,3.01,1.3125,1.2578,0.1813,0.1813,5.89,0.6\n";
    (void)state;
    power_kit k;
    power_end one, other;
    kit_open(&k, "wscc9");
    gt_power_setup setup = kit_setup(&k, 1.5, events, 3);
    assert_int_equal(gt_power_dynamics_parse(round, "m.dyr", &k.c, 0, &k.d, &k.arena, &k.message),
                     GT_OK);
    kit_run(&k, &setup, "gear", &(gt_plan){.rtol = 1e-10, .atol = 1e-11}, &one);
    if (gt_power_dynamics_parse(twoaxis, "m.csv", &k.c, 0, &k.d, &k.arena, &k.message))
        fail_msg("%s", k.message.text);
    kit_run(&k, &setup, "gear", &(gt_plan){.rtol = 1e-10, .atol = 1e-11}, &other);
    for (int i = 1; i < 3; i++) near(apart(&one, i), apart(&other, i), 1e-5);
    gt_arena_free(&k.arena);
}

/* Classical machines with the network kept, and the same with the network reduced. */
static void two_ways_to_classical(void **state)
{
    (void)state;
    power_kit k;
    power_end one, other;
    kit_open(&k, "wscc9");
    gt_power_setup setup = kit_setup(&k, 1, events, 5);
    setup.model = GT_POWER_CLASSICAL;
    kit_run(&k, &setup, "dopri5", &(gt_plan){.rtol = 1e-11, .atol = 1e-12}, &one);
    for (int i = 0; i < 3; i++)
        k.d.machine[i].kind = GT_MACHINE_CLASSICAL, k.d.machine[i].exciter = 0,
        k.d.machine[i].governor = 0;
    setup.model = GT_POWER_DAE;
    kit_run(&k, &setup, "gear", &(gt_plan){.rtol = 1e-11, .atol = 1e-12}, &other);
    for (int i = 1; i < 3; i++) near(apart(&one, i), apart(&other, i), 1e-6);
    for (int i = 0; i < 9; i++) near(one.v[i], other.v[i], 1e-7);
    gt_arena_free(&k.arena);
}

/* Numbers on the base of the machine or of the case, in a table or as records. */
static void bases(void **state)
{
    static const char table[] =
        "bus,model,mva,H,x'd\n1,classical,200,11.82,0.1216\n2,classical,,6.4,0.1198\n"
        "3,classical,50,6.02,0.09065\n";
    (void)state;
    power_kit k;
    kit_open(&k, "wscc9");
    if (gt_power_dynamics_parse(table, "m.csv", &k.c, 0, &k.d, &k.arena, &k.message))
        fail_msg("%s", k.message.text);
    near(k.d.machine[0].H, 23.64, 1e-12);
    near(k.d.machine[0].xd1, 0.0608, 1e-12);
    near(k.d.machine[1].xd1, 0.1198, 1e-12);
    near(k.d.machine[2].xd1, 0.1813, 1e-12);
    k.c.gen[2].mva = 50;
    assert_int_equal(
        gt_power_dynamics_parse("1 'GENCLS' 1 23.64 0 0.0608/\n2 'GENCLS' 1 6.4 0 0.1198 /",
                                "m.dyr", &k.c, 0, &k.d, &k.arena, &k.message),
        GT_BAD_ARGUMENT);
    gt_arena_free(&k.arena);
}

/* The solution of the 39-bus case as it is published with it (seven digits): taps, loads at
 * generators. */
static void taps(void **state)
{
    static const struct {
        int bus;
        double v, angle;
    } wanted[] = {{1, 1.0393836, -13.536602},   {12, 1.000815, -8.9988236},
                  {20, 0.99101054, -6.8211783}, {36, 1.0636, 4.4684374},
                  {39, 1.03, -14.535256},       {23, 1.0451451, -3.3812763}};
    (void)state;
    power_kit k;
    kit_open(&k, "newengland39");
    assert_true(k.flow.mismatch < 1e-11);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        size_t bus = gt_power_find_bus(&k.c, wanted[i].bus);
        near(k.flow.v[bus], wanted[i].v, 6e-8);
        near(k.flow.angle[bus] * DEGREES, wanted[i].angle, 6e-7);
    }
    gt_arena_free(&k.arena);
}

/* Two buses: through a phase shifter P = (V1 V2 / (ratio x)) sin(theta1 - theta2 - shift). */
static void phase_shifter(void **state)
{
    static const char text[] =
        "function m = two\nm.version = '2'; m.baseMVA = 100;\n"
        "m.bus = [1 3 0 0 0 0 1 1.02 5 1 1 1.1 .9\n 2, 2, 50, 0, 0, 0, 1, 1, 0, 1, 1, 1.1, 0.9 ];\n"
        "m.gen=[1 0 0 9e9 -Inf 1.02 100 1 900 0;2 0 0 Inf -Inf .98 100 1 900 0]; %% two\n"
        "%{\n m.gen = [ nonsense\n%}\n"
        "m.bus_name = { 'one' ; 'two %' };\n"
        "m.branch = [ 1 2 0 0.2 ... continued\n 0 0 0 0 1.05 10 1 -360 360 ]; end\n";
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_message message = {""};
    gt_power_case c;
    gt_power_flow_result r;
    if (gt_power_case_parse(text, "two.m", &c, &arena, &message)) fail_msg("%s", message.text);
    assert_string_equal(c.name, "two");
    if (gt_power_flow(&c, NULL, &r, &arena, &message)) fail_msg("%s", message.text);
    near(r.angle[0] * DEGREES, 5, 1e-12);
    near(1.02 * 0.98 / (1.05 * 0.2) * sin(r.angle[0] - r.angle[1] - 10 / DEGREES), 0.5, 1e-12);
    near(r.p_gen[0], 0.5, 1e-12);
    gt_arena_free(&arena);
}

static void reactive_limits(void **state)
{
    (void)state;
    power_kit k;
    kit_open(&k, "newengland39");
    gt_power_flow_result r;
    assert_int_equal(
        gt_power_flow(&k.c, &(gt_power_flow_options){.q_limits = true}, &r, &k.arena, &k.message),
        GT_OK);
    int limited = 0;
    for (size_t i = 0; i < k.c.n_gen; i++) {
        const gt_power_gen *g = &k.c.gen[i];
        if (k.c.bus[g->bus].type == GT_BUS_SLACK) continue;
        assert_true(r.q_gen[i] <= g->q_max + 1e-8 && r.q_gen[i] >= g->q_min - 1e-8);
        double above = r.v[g->bus] - g->v_set;
        if (!r.limited[i]) near(above, 0, 1e-12);
        if (r.limited[i] && r.q_gen[i] < g->q_min + 1e-9) assert_true(above > 0);
        if (r.limited[i] && r.q_gen[i] > g->q_max - 1e-9) assert_true(above < 0);
        limited += r.limited[i];
    }
    assert_true(limited > 0);
    gt_arena_free(&k.arena);
}

/* A file that is written reads back to the same power flow. */
static void written_case(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_message message = {""};
    gt_power_case c, again;
    gt_power_dynamics d, d_again;
    gt_power_flow_result one, other;
    assert_int_equal(gt_power_synth(&(gt_power_synth_options){.buses = 120, .seed = 3}, &c, &d,
                                    &arena, &message),
                     GT_OK);
    char name[] = "/tmp/geartrain_powerXXXXXX", path[64], table[64];
    int file = mkstemp(name);
    assert_true(file >= 0);
    snprintf(path, sizeof path, "%s.m", name);
    snprintf(table, sizeof table, "%s.csv", name);
    assert_int_equal(gt_power_case_write(&c, path, &message), GT_OK);
    assert_int_equal(gt_power_dynamics_write(&d, &c, table, &message), GT_OK);
    if (gt_power_case_read(path, &again, &arena, &message)) fail_msg("%s", message.text);
    if (gt_power_dynamics_read(table, &again, 0, &d_again, &arena, &message))
        fail_msg("%s", message.text);
    remove(path), remove(table), remove(name);
    assert_int_equal(gt_power_flow(&c, NULL, &one, &arena, &message), GT_OK);
    assert_int_equal(gt_power_flow(&again, NULL, &other, &arena, &message), GT_OK);
    assert_int_equal(again.n_branch, c.n_branch);
    for (size_t i = 0; i < c.n_bus; i++) near(other.v[i], one.v[i], 1e-10);
    for (size_t k = 0; k < c.n_gen; k++) {
        near(d_again.machine[k].H, d.machine[k].H, 1e-12);
        near(d_again.machine[k].SE.a, d.machine[k].SE.a, 1e-15);
        assert_int_equal(d_again.machine[k].governor, d.machine[k].governor);
        assert_true(fabs(one.p_gen[k] - c.gen[k].p) < 0.1); /* losses are shared */
    }
    gt_arena_free(&arena);
}

static void islands(void **state)
{
    /* machine 1 goes its own way, and bus 5 has nobody */
    static const gt_power_event apart_now[] = {{.kind = GT_POWER_TRIP, .t = 0.5, .branch = 0},
                                               {.kind = GT_POWER_TRIP, .t = 0.5, .branch = 1},
                                               {.kind = GT_POWER_TRIP, .t = 0.5, .branch = 2},
                                               {.kind = GT_POWER_RECLOSE, .t = 0.6, .branch = 1}};
    (void)state;
    power_kit k;
    gt_problem p;
    const gt_power_system *s;
    size_t dead;
    power_end end;
    kit_open(&k, "wscc9");
    gt_power_setup setup = kit_setup(&k, 0.55, apart_now, 4);
    build(&k, &setup, &p, &s);
    assert_int_equal(gt_power_islands(s, 0, &dead), 1);
    assert_int_equal(dead, 0);
    assert_int_equal(gt_power_islands(s, 1, &dead), 2);
    assert_int_equal(dead, 1);
    assert_int_equal(gt_power_islands(s, 2, &dead), 2);
    assert_int_equal(dead, 0);
    near(gt_power_spread(s, 0.5, (const double[]){0, 3, 1}), 2, 1e-15);
    near(gt_power_spread(s, 0.4, (const double[]){0, 3, 1}), 3, 1e-15);
    for (int loads = 0; loads < 2; loads++) {
        setup.p_part = loads, setup.z_part = 1 - loads;
        kit_run(&k, &setup, "trapezoidal", &(gt_plan){.h = 0.01}, &end);
        assert_true(end.v[4] == 0);
        near(end.v[0], 1.05, 0.05); /* without load */
    }
    gt_arena_free(&k.arena);
}

static void loads_with_a_kink(void **state)
{
    (void)state;
    static const char *const methods[] = {"radau", "trapezoidal", "gear", "rodas4"};
    static const gt_power_event fault[] = {{.kind = GT_POWER_FAULT, .t = 0.1, .bus = 7},
                                           {.kind = GT_POWER_CLEAR, .t = 0.18, .bus = 7},
                                           {.kind = GT_POWER_TRIP, .t = 0.18, .branch = 7}};
    power_kit k;
    kit_open(&k, "wscc9");
    gt_power_setup setup = kit_setup(&k, 1, fault, 3);
    setup.p_part = 1;
    setup.v_break = 0.7;
    power_end right, end;
    kit_run(&k, &setup, "dopri5", &(gt_plan){.rtol = 1e-8}, &right);
    for (int i = 0; i < 4; i++) {
        kit_run(&k, &setup, methods[i], &(gt_plan){.rtol = 1e-6}, &end);
        for (int j = 0; j < 9; j++) near(end.v[j], right.v[j], 1e-3);
        assert_true(end.report.stats.switches > 0);
    }
    gt_arena_free(&k.arena);
}

static void problem_10(void **state)
{
    static const struct {
        const char *params;
        double t, d21, d31;
    } wanted[] = {{"", 1, 9.137855706091875, 6.563477573131712},
                  {"", 2, 7.725326759731177, 6.047093475749162},
                  {"power=balanced", 2, 7.7203440910937475, 6.050250906745506}};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        gt_arena arena = gt_arena_growing();
        gt_problem p;
        double x[6];
        gt_report r;
        assert_int_equal(
            gt_model_build(gt_model_find("crow_p10"), wanted[i].params, &p, &arena, NULL), GT_OK);
        p.t1 = wanted[i].t;
        gt_plan plan = {.rtol = 1e-12, .atol = 1e-13, .x_end = x};
        assert_int_equal(gt_solve(&p, gt_method_find("dopri5"), &plan, &r), GT_OK);
        near((x[2] - x[0]) * DEGREES, wanted[i].d21, 1e-6);
        near((x[4] - x[0]) * DEGREES, wanted[i].d31, 1e-6);
        /* The problem asks for the trapezoidal rule with h = 0.01; 4 cycles take 6 steps and 2/3 of
         * one. */
        assert_int_equal(
            gt_solve(&p, gt_method_find("trapezoidal"), &(gt_plan){.h = 0.01, .x_end = x}, &r),
            GT_OK);
        near((x[2] - x[0]) * DEGREES, wanted[i].d21, 0.1);
        assert_int_equal(r.stats.steps, 7 + (long)ceil((wanted[i].t - 4.0 / 60) / 0.01 - 1e-9));
        gt_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(jacobians),
                                       cmocka_unit_test(round_without_dampers),
                                       cmocka_unit_test(two_ways_to_classical),
                                       cmocka_unit_test(bases),
                                       cmocka_unit_test(taps),
                                       cmocka_unit_test(phase_shifter),
                                       cmocka_unit_test(reactive_limits),
                                       cmocka_unit_test(written_case),
                                       cmocka_unit_test(islands),
                                       cmocka_unit_test(loads_with_a_kink),
                                       cmocka_unit_test(problem_10)};
    return cmocka_run_group_tests_name("power_models", tests, NULL, NULL);
}
