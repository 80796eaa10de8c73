/* SPDX-License-Identifier: BSD-3-Clause */
/* `auto` as a way of running: what it does on problems whose nature changes, or misleads. Bounds
 * are counts. */
#include "lang_kit.h"
#include "methods_kit.h"

static gt_report run_auto(const gt_problem *p, double rtol, double *x)
{
    gt_report report;
    gt_plan plan = {.rtol = rtol, .x_end = x, .pilot = &gt_auto};
    if (gt_solve(p, NULL, &plan, &report)) fail_msg("%s", report.message.text);
    return report;
}

static gt_report run_by(const char *method, const gt_problem *p, double rtol, double *x)
{
    gt_report report;
    if (gt_solve(p, gt_method_find(method), &(gt_plan){.rtol = rtol, .x_end = x}, &report))
        fail_msg("%s", report.message.text);
    return report;
}

static gt_kind kind_of(const char *name)
{
    const gt_method *m = gt_method_find(name);
    gt_values v = gt_params_default(m->options);
    return gt_method_facts(m, v.v).kind;
}

static bool all_explicit(const gt_phases *phases)
{
    for (int k = 0; k < phases->count; k++)
        if (kind_of(phases->list[k].method) != GT_KIND_EXPLICIT) return false;
    return true;
}

/* Not stiff up to t = 55: the choice before the run took 26.6 million calls of f, gear takes 26
 * thousand. */
static void stiffness_that_comes_late(void **state)
{
    (void)state;
    lang_model m = lang_read("a'=10*b\nb'=-10*a\nc'=-(1+5e4*(1+tanh((t-60)/2)))*(c-.1*a)\n"
                             "init a=1,b=0,c=.5\n@ total=200\ndone\n");
    double x[3], y[3];
    gt_report by_gear = run_by("gear", &m.problem, 1e-6, y), report = run_auto(&m.problem, 1e-6, x);
    if ((double)report.stats.rhs > 1.5 * (double)by_gear.stats.rhs)
        fail_msg("%ld calls of f, gear %ld", report.stats.rhs, by_gear.stats.rhs);
    assert_true(kind_of(report.phases.list[0].method) == GT_KIND_EXPLICIT);
    assert_within(report.phases.list[1].t, 54, 3, "where it leaves the explicit method");
    assert_within(x[0], cos(2000), 2e-3, "a");
    lang_free(&m);
}

static double apart(const double *x, const double *y, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

/* Kinks that nothing declares: order 8 gains nothing, and took 3,472 to 113,412 calls of f for 720
 * to 14,978 of order 5 on the first of these, 2,547 to 48,598 for 1,022 to 21,673 on the second. */
static void kinks_in_f(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ("#@ switches "
         "off\nu[1..200]'=v[j]\nv[1..200]'=-(1+.02*[j])*u[j]-.5*max(u[j],0)-.05*v[j]+.2*cos(t+.1*["
         "j])\n"
         "init u[1..200]=.5\n@ total=20\ndone\n"),
        "#@ switches off\nq[1..30]'=sin(t+.3*[j])-q[j]*abs(q[j])\ninit q[1..30]=.1\n@ "
        "total=60\ndone\n",
        "#@ switches off\nh[1..60]'=-h[j]+max(0,1.5*sin(t*.7+[j])+.5*h[j]-.3)\n@ total=60\ndone\n"};
    static const double tolerances[] = {1e-4, 1e-6, 1e-8};
    for (size_t i = 0; i < 3; i++) {
        lang_model m = lang_read(texts[i]);
        double x[400], y[400], z[400], exact[400];
        size_t n = gt_problem_size(&m.problem);
        (void)run_by("dopri5", &m.problem, 1e-11, exact);
        for (size_t k = 0; k < 3; k++) {
            gt_report low = run_by("dopri5", &m.problem, tolerances[k], y),
                      report = run_auto(&m.problem, tolerances[k], x);
            if ((double)report.stats.rhs > 2 * (double)low.stats.rhs + 300)
                fail_msg("%zu at %g: %ld calls of f, dopri5 %ld", i, tolerances[k],
                         report.stats.rhs, low.stats.rhs);
            assert_true(all_explicit(&report.phases));
            /* Estimates of any order see no kink that a step passes: the errors of each alone are
             * tens of tolerances.
             */
            (void)run_by("dop853", &m.problem, tolerances[k], z);
            double alone = fmax(apart(y, exact, n), apart(z, exact, n));
            double off = apart(x, exact, n);
            if (off > 10 * alone + 100 * tolerances[k])
                fail_msg("%zu at %g: off by %g, a method alone by %g", i, tolerances[k], off,
                         alone);
        }
        lang_free(&m);
    }
}

/* Smooth ones stay with one order. */
static void one_order_where_f_is_smooth(void **state)
{
    (void)state;
    static const char *const names[] = {"lorenz", "pleiades", "double_pendulum", "lotka_volterra",
                                        "kpr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        gt_arena arena = gt_arena_growing();
        gt_problem p;
        gt_message m;
        double x[64];
        if (gt_model_build(gt_model_find(names[i]), "", &p, &arena, &m))
            fail_msg("%s: %s", names[i], m.text);
        gt_report report = run_auto(&p, 1e-7, x);
        if (report.phases.count > 1) fail_msg("%s: %s", names[i], report.phases.list[1].because);
        gt_arena_free(&arena);
    }
}

/* A structure of second order swings, which formulas that change their order are slow on: 1479
 * steps and 20 tolerances by gear. */
static void structures_swing(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_problem p;
    gt_message m;
    double x[64];
    if (gt_model_build(gt_model_find("arm_eb"), "", &p, &arena, &m)) fail_msg("%s", m.text);
    gt_report report = run_auto(&p, 1e-6, x);
    if (report.stats.steps > 400)
        fail_msg("%ld steps of %s", report.stats.steps, report.phases.list[0].method);
    gt_arena_free(&arena);
}

/* Relations are looked for in dense output, whose slopes take the room of stages, which tell of
 * stiffness: 2.9 million calls of f by dop853, without a word, for 2,600 of radau. */
static void stiffness_beside_switches(void **state)
{
    (void)state;
    lang_model m =
        lang_read("day=heav(sin(pi*t/43200))\nx'=-6.03*x-4.66e-16*x*y+y*day*1e-4\n"
                  "y'=6.03*x-4.66e-16*x*y-y*day*1e-4\ninit x=1e6,y=1e12\n@ total=160000\ndone\n");
    double x[2], y[2];
    gt_report stiff = run_by("radau", &m.problem, 1e-6, y), report = run_auto(&m.problem, 1e-6, x),
              by_name = run_by("dop853", &m.problem, 1e-4, y);
    if (report.stats.rhs > 2 * stiff.stats.rhs)
        fail_msg("%ld calls of f, radau %ld", report.stats.rhs, stiff.stats.rhs);
    assert_non_null(strstr(by_name.note.text, "the problem is stiff"));
    lang_free(&m);
}

/* 104,822 calls of f by an explicit method, 1,205 by gear for an error of 8 tolerances. */
static void stick_and_slip(void **state)
{
    (void)state;
    lang_model m = lang_read("x'=v\nv'=-x+(.3+.2*exp(-100*(.1-v)^2))*tanh(1e4*(.1-v))\n"
                             "init x=0,v=0\n@ total=30\ndone\n");
    double x[2], y[2];
    gt_report tight = run_by("gear", &m.problem, 1e-10, y), report = run_auto(&m.problem, 1e-6, x);
    (void)tight;
    if (report.stats.rhs > 4 * 1205) fail_msg("%ld calls of f", report.stats.rhs);
    for (int i = 0; i < 2; i++) assert_within(x[i], y[i], 1e-5, "stick-slip");
    lang_free(&m);
}

/* Modes that swing and are damped are soon gone, but hold the steps of an explicit method, at its
 * limit of stability or far below it where they are forced: up to 250,000 calls of f. */
static void a_damped_actuator(void **state)
{
    (void)state;
    static const double dampings[] = {.1, .3, .5, 1}, tolerances[] = {1e-3, 1e-6, 1e-8};
    for (int d = 0; d < 4; d++) {
        char text[200];
        double x[3], y[3];
        snprintf(
            text, sizeof text,
            "x'=-x+z1\nz1'=z2*1e4\nz2'=(-z1-2*%g*z2+.5*x+sin(t))*1e4\ninit x=1\n@ total=5\ndone\n",
            dampings[d]);
        lang_model m = lang_read(text);
        (void)run_by("gear", &m.problem, 1e-11, y);
        for (int k = 0; k < 3; k++) {
            gt_report report = run_auto(&m.problem, tolerances[k], x);
            if (report.stats.rhs > 8000)
                fail_msg("%ld calls of f, damping %g, at %g", report.stats.rhs, dampings[d],
                         tolerances[k]);
            for (int i = 0; i < 2; i++)
                assert_within(x[i], y[i], 10 * tolerances[k], "the actuator");
        }
        lang_free(&m);
    }
}

/* Modes that grow are no reason to leave: with theta the choice before the run took gear, 6,178
 * steps. */
static void chaos_stays_explicit(void **state)
{
    (void)state;
    lang_model m = lang_read("x'=10*(y-x)\ny'=27*x-y-x*z\nz'=x*y-2.66666*z\nth'=.2*x\n"
                             "init x=-7.5,y=-3.6,z=30,th=0\n@ total=40\ndone\n");
    double x[4];
    static const double tolerances[] = {1e-3, 1e-6, 1e-9};
    for (int k = 0; k < 3; k++) {
        gt_report report = run_auto(&m.problem, tolerances[k], x);
        if (!all_explicit(&report.phases))
            fail_msg("%s at %g", report.phases.list[1].method, tolerances[k]);
    }
    lang_free(&m);
}

/* Modes near the imaginary axis: the explicit method of order 5 on its limit was wrong by 1400
 * tolerances. */
static void waves_near_the_imaginary_axis(void **state)
{
    (void)state;
    lang_model m = lang_read(
        "par h=0.078125\n"
        "u1'=-(u256+u1+u2)*(u2-u256)/h-(u3-2*u2+2*u256-u255)/(2*h^3)\n"
        "u2'=-(u1+u2+u3)*(u3-u1)/h-(u4-2*u3+2*u1-u256)/(2*h^3)\n"
        "u[3..254]'=-(u[j-1]+u[j]+u[j+1])*(u[j+1]-u[j-1])/h-(u[j+2]-2*u[j+1]+2*u[j-1]-u[j-2])/"
        "(2*h^3)\n"
        "u255'=-(u254+u255+u256)*(u256-u254)/h-(u1-2*u256+2*u254-u253)/(2*h^3)\n"
        "u256'=-(u255+u256+u1)*(u1-u255)/h-(u2-2*u1+2*u255-u254)/(2*h^3)\n"
        "u[1..256](0)=4/cosh(sqrt(2)*([j]*0.078125-6))^2+1.5/cosh(.866*([j]*0.078125-12))^2\n"
        "@ total=1\ndone\n");
    double x[256], y[256];
    (void)run_by("dop853", &m.problem, 1e-11, y);
    static const double tolerances[] = {1e-3, 1e-4, 1e-6};
    for (int k = 0; k < 3; k++) {
        double rtol = tolerances[k];
        (void)run_auto(&m.problem, rtol, x);
        for (int i = 0; i < 256; i++)
            assert_within(x[i], y[i], 100 * rtol * (1 + fabs(y[i])), "KdV");
    }
    lang_free(&m);
}

/* Stiff from the start, but for jumps; explicit steps at the start are few. */
static void relaxation(void **state)
{
    (void)state;
    bench_top b;
    build(&b, "vanderpol", "mu=1000");
    b.problem.t1 = 2000;
    static const double tolerances[] = {1e-3, 1e-6, 1e-9};
    for (int k = 0; k < 3; k++) {
        double x[2], y[2];
        gt_report by_gear = run_by("gear", &b.problem, tolerances[k], y);
        gt_report report = run_auto(&b.problem, tolerances[k], x);
        /* At equal tolerances; gear is wrong by a hundred times as much. */
        if (report.stats.rhs > 3 * by_gear.stats.rhs)
            fail_msg("%ld calls of f at %g, gear %ld", report.stats.rhs, tolerances[k],
                     by_gear.stats.rhs);
        if (report.phases.list[0].steps > 45)
            fail_msg("%ld explicit steps", report.phases.list[0].steps);
        (void)run_by("gear", &b.problem, 1e-12, y);
        for (int i = 0; i < 2; i++) assert_within(x[i], y[i], 100 * tolerances[k], "van der Pol");
    }
    dismantle(&b);
}

/* Choosing takes at most 2 % of the calls of a run that is not stiff. */
static void costs_next_to_nothing(void **state)
{
    (void)state;
    static const char *const models[] = {"lorenz", "pleiades", "duffing", "harmonic",
                                         "lotka_volterra"};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        bench_top b;
        build(&b, models[k], "");
        gt_problem p = b.problem;
        p.linear = false;
        double *x = calloc(gt_problem_size(&p), sizeof *x);
        gt_report report = run_auto(&p, 1e-6, x);
        const char *method = report.phases.list[0].method;
        gt_report alone = run_by(method, &p, 1e-6, x);
        if ((double)report.stats.rhs > 1.02 * (double)alone.stats.rhs)
            fail_msg("%s: %ld calls of f, by %s %ld", models[k], report.stats.rhs, method,
                     alone.stats.rhs);
        free(x);
        dismantle(&b);
    }
}

/* Only families that can: algebraic equations, a mass matrix. */
static void algebraic_equations_and_masses(void **state)
{
    (void)state;
    static const char *const models[] = {"rc_diode", "chemakzo", "transistor"};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        bench_top b;
        build(&b, models[k], "");
        double *x = calloc(gt_problem_size(&b.problem), sizeof *x);
        gt_report report = run_auto(&b.problem, 1e-5, x);
        assert_int_equal(report.phases.count, 1);
        const gt_method *chosen = gt_method_find(report.phases.list[0].method);
        gt_values v = gt_params_default(chosen->options);
        assert_true(gt_method_facts(chosen, v.v).flags & GT_TREATS_ALGEBRAIC);
        free(x);
        dismantle(&b);
    }
}

/* f that fails where a look moves the state leaves the run as it is. */
static gt_status root_of(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    if (x[0] < 0) return GT_TRY_RHS;
    dx[0] = -2000 * (sqrt(x[0]) - 1 - 0.1 * sin(x[1]));
    dx[1] = 1;
    return GT_OK;
}

static void f_that_fails(void **state)
{
    (void)state;
    double x0[] = {1e-12, 0}, x[2];
    gt_problem p = {.n_slow = 2, .rhs = root_of, .t1 = 5, .x0 = x0};
    gt_report report = run_auto(&p, 1e-6, x);
    assert_true(report.phases.count >= 2);
    double slow = 1 + 0.1 * sin(5);
    assert_within(x[0], slow * slow, 1e-3, "x");
}

/* One fast oscillation of many turns, in a block or in a direction that turns: they are passed
 * over, and the slow motion is right. dop853 took 1.3 million calls of f for the first one. A few
 * turns are followed, and so are several oscillations at once. */
static void many_turns_are_passed_over(void **state)
{
    (void)state;
    const char *quadratic = "par w=1e5\nx'=-x+z1*z1\nz1'=w*z2\nz2'=-w*(z1-.5*sin(x))\n"
                            "init x=1,z1=1,z2=0\n@ total=1\ndone\n",
               *few = "par w=50\nx'=-x+z1*z1\nz1'=w*z2\nz2'=-w*(z1-.5*sin(x))\n"
                      "init x=1,z1=1,z2=0\n@ total=1\ndone\n",
               *resonance = "par w=1e3\na'=w*b\nb'=-w*a-.5*p*a\np'=q\nq'=-p+.3*a^2-.01*q\n"
                            "init a=1,b=0,p=.5,q=0\n@ total=20\ndone\n",
               *turning = "r=sqrt(x^2+y^2)\nx'=u\ny'=v\nu'=-1e8*(1-1/r)*x\n"
                          "v'=-1e8*(1-1/r)*y-9.81\nx(0)=.84155511\ny(0)=-.54035633\n"
                          "@ total=1\ndone\n";
    const struct {
        const char *text;
        double rtol, off;
        size_t slow;
        long most; /* calls of f */
        bool passes;
    } runs[] = {{quadratic, 1e-4, 1e-3, 0, 4000, true},
                {quadratic, 1e-6, 1e-5, 0, 20000, true},
                {few, 1e-6, 1e-4, 0, 2000, false},
                {resonance, 1e-3, 1e-2, 2, 40000, true},
                {turning, 1e-3, 1e-2, 0, 20000, true}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        double x[4], y[4];
        lang_model m = lang_read(runs[k].text);
        gt_report report = run_auto(&m.problem, runs[k].rtol, x);
        bool passes = !strcmp(report.phases.list[report.phases.count - 1].method,
                              gt_method_for(GT_ROLE_REVOLVING)->name);
        (void)run_by("dop853", &m.problem, 1e-10, y);
        size_t i = runs[k].slow;
        assert_within(x[i], y[i], runs[k].off, "the slow motion");
        if (passes != runs[k].passes || report.stats.rhs > runs[k].most)
            fail_msg("run %zu: %ld calls of f", k, report.stats.rhs);
        lang_free(&m);
    }
}

/* A method that was named is kept; where it does not fit a note says so, at no call of f. */
static void a_note_on_a_method_that_does_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *model, *parameters, *method;
        double rtol;
        bool stiff;
    } runs[] = {
        {"hires", "", "dopri5", 1e-3, true},
        {"hires", "", "dop853", 1e-6, true},
        {"robertson", "", "dopri5", 1e-5, true},
        {"pleiades", "", "dopri5", 1e-6, false},
        {"pleiades", "", "dop853", 1e-9, false},
        {"lorenz", "", "dopri5", 1e-9, false},
        {"lorenz", "", "dop853", 1e-3, false},
        {"duffing", "", "dopri5", 1e-8, false},
        {"double_pendulum", "", "dopri5", 1e-8, false},
        {"lotka_volterra", "", "dopri5", 1e-10, false},
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        bench_top b;
        gt_report r;
        build(&b, runs[k].model, runs[k].parameters);
        if (runs[k].stiff) b.problem.t1 = fmin(b.problem.t1, 100);
        const gt_method *m = gt_method_find(runs[k].method);
        assert_int_equal(gt_solve(&b.problem, m, &(gt_plan){.rtol = runs[k].rtol}, &r), GT_OK);
        bool said = strstr(r.note.text, "is stiff for") != NULL;
        if (said != runs[k].stiff)
            fail_msg("%s by %s: '%s' after %ld steps", runs[k].model, m->name, r.note.text,
                     r.stats.steps);
        /* The slope at the start, the stages of each trial, and a hundred looks for pulses where f
         * depends on t. */
        long stages = gt_method_facts(m, NULL).evaluations;
        double trials = (double)(r.stats.steps + r.stats.rejected);
        assert_true((double)r.stats.rhs <= 1.001 * (double)stages * trials + 103);
        dismantle(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_note_on_a_method_that_does_not_fit),
        cmocka_unit_test(stiffness_that_comes_late),
        cmocka_unit_test(stiffness_beside_switches),
        cmocka_unit_test(kinks_in_f),
        cmocka_unit_test(one_order_where_f_is_smooth),
        cmocka_unit_test(stick_and_slip),
        cmocka_unit_test(a_damped_actuator),
        cmocka_unit_test(chaos_stays_explicit),
        cmocka_unit_test(waves_near_the_imaginary_axis),
        cmocka_unit_test(relaxation),
        cmocka_unit_test(costs_next_to_nothing),
        cmocka_unit_test(algebraic_equations_and_masses),
        cmocka_unit_test(structures_swing),
        cmocka_unit_test(f_that_fails),
        cmocka_unit_test(many_turns_are_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
