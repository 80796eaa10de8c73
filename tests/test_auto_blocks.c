/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks by themselves: a split found from the graph of the Jacobian, and methods that a run of
 * gt_auto tries on a stretch of its own. */
#include "lang_kit.h"
#include <geartrain/pilot.h>

static gt_report run_auto(const gt_problem *p, double rtol, double *x)
{
    gt_report report;
    gt_plan plan = {.rtol = rtol, .pilot = &gt_auto, .x_end = x, .max_steps = 10000000};
    if (gt_solve(p, NULL, &plan, &report)) fail_msg("%s", report.message.text);
    return report;
}

static void run_tight(const gt_problem *p, const char *method, double rtol, double *x)
{
    gt_report report;
    gt_plan plan = {.rtol = rtol, .x_end = x, .max_steps = 10000000};
    if (gt_solve(p, gt_method_find(method), &plan, &report)) fail_msg("%s", report.message.text);
}

static const char *const chain =
    "par w=5000\na0=x1-y1\na1=x2-y2-x1-y1\na2=x3-y3-x2-y2\na3=x3+y3\n"
    "x[1..3]'=p[j]\ny[1..3]'=q[j]\n"
    "p1'=-(a0^3-a1^3)\np2'=-(a1^3-a2^3)\np3'=-(a2^3+a3^3)\n"
    "q1'=-w*w*y1+(a0^3+a1^3)\nq2'=-w*w*y2+(a1^3+a2^3)\nq3'=-w*w*y3+(a2^3-a3^3)\n"
    "init x1=1,p1=1,q1=1,y1=0.0002\n@ total=20\ndone\n";

static gt_split split_of(const lang_model *m, gt_arena *arena)
{
    gt_split split;
    gt_message message = {""};
    if (gt_split_find(&m->problem, 0, m->problem.x0, &split, arena, &message))
        fail_msg("%s", message.text);
    return split;
}

static void check_split(const char *text, const char *const *fast, size_t n_fast, double gap)
{
    lang_model m = lang_read(text);
    gt_arena arena = gt_arena_growing();
    gt_split split = split_of(&m, &arena);
    assert_int_equal(split.n_fast, n_fast);
    size_t found = 0;
    for (size_t i = 0; i < gt_problem_size(&m.problem); i++)
        for (size_t k = 0; split.fast[i] && k < n_fast; k++)
            found += !strcmp(m.problem.names[i], fast[k]);
    assert_int_equal(found, n_fast);
    if (!(split.gap >= gap)) fail_msg("a gap of %g, not %g", split.gap, gap);
    gt_arena_free(&arena);
    lang_free(&m);
}

/* Rates show in cycles, whatever the units of the states are. */
static void splits_by_graph(void **state)
{
    (void)state;
    static const char *const of_chain[] = {"y1", "y2", "y3", "q1", "q2", "q3"};
    check_split(chain, of_chain, 6, 300);
    static const char *const pair[] = {"a", "b"};
    /* The same oscillator in units that are 1e6 apart, driven by a slow state with a large factor,
     * which drives back with a small one. */
    check_split("a'=1e-3*b\nb'=-1.6e8*a-8*b+1e5*s\ns'=-s+1e-9*a\n@ total=40\n", pair, 2, 100);
    static const char *const one[] = {"z"};
    check_split("x'=-x+z\nz'=-1e4*(z-x)\n@ total=10\n", one, 1, 30);
    /* Diffusion has all rates, a chain that only drives has none. */
    check_split("u1'=900*(u2-2*u1)\nu[2..99]'=900*(u[j-1]-2*u[j]+u[j+1])\nu100'=900*(u99-2*u100)\n",
                NULL, 0, 0);
    check_split("x'=1\ny'=1e6*x\n", NULL, 0, 0);
    check_split("x'=-y\ny'=3*x\nz'=-2*z+x\n", NULL, 0, 0);
}

/* Thousands of states by the structure alone: one fast pair on a long ring. */
static void split_of_a_large_ring(void **state)
{
    (void)state;
    static const char *const fast[] = {"y", "u"};
    check_split("x1'=v1\nx[2..2999]'=v[j]\nx3000'=v3000\nv1'=-sin(x1)+.2*tanh(x3000+.003*y-x1)+.2*"
                "tanh(x2-x1)\n"
                "v[2..2999]'=-sin(x[j])+.2*tanh(x[j-1]-x[j])+.2*tanh(x[j+1]-x[j])\n"
                "v3000'=-sin(x3000)+.2*tanh(x2999-x3000)+.2*tanh(x1-x3000)\n"
                "y'=u\nu'=-1.6e5*(y-.01*x1)-8*u\nx[1..3000](0)=sin([j]/2)\ny(0)=.02\n@ total=40\n",
                fast, 2, 100);
}

/* Fermi-Pasta-Ulam (Hairer, Lubich, Wanner, Geometric Numerical Integration, I.5) without a word
 * about blocks: dopri5 took 888,671 calls of f, and half of the energy was gone. */
static void oscillators_without_blocks(void **state)
{
    (void)state;
    lang_model m = lang_read(chain);
    double x[12], y[12];
    run_tight(&m.problem, "exprb43", 1e-8, y);
    gt_report report = run_auto(&m.problem, 1e-4, x);
    if (report.stats.rhs > 8000) fail_msg("%ld calls of f", report.stats.rhs);
    if (report.phases.trials < 1) fail_msg("nothing was tried");
    for (int i = 0; i < 12; i++) lang_near(x[i], y[i], 0.03 * (1 + fabs(y[i])));
    lang_free(&m);
}

/* Own blocks: the slow one is nearly all of f. */
static void a_ring_with_blocks(void **state)
{
    (void)state;
    lang_model m = lang_read(
        "x0=x200+.003*y\nx1'=v1\nx[2..200]'=v[j]\n"
        "v1'=-sin(x1)+.2*(tanh(x0-x1)+tanh(x2-x1))-.05*v1*exp(-x1^2)+.01*cos(t+.1)\n"
        "v[2..199]'=-sin(x[j])+.2*(tanh(x[j-1]-x[j])+tanh(x[j+1]-x[j]))-.05*v[j]*exp(-x[j]^2)"
        "+.01*cos(t+.1*[j])\n"
        "v200'=-sin(x200)+.2*(tanh(x199-x200)+tanh(x1-x200))-.05*v200*exp(-x200^2)+.01*cos(t+20)\n"
        "y'=u\nu'=-1.6e5*(y-.01*x1)-8*u\nx[1..200](0)=sin([j]/2)\ny(0)=.02\n#@ fast y,u\n"
        "@ total=10\ndone\n");
    double *x = calloc(2 * 402, sizeof *x), *y = x + 402;
    run_tight(&m.problem, "dop853", 1e-8, y);
    gt_report report = run_auto(&m.problem, 1e-5, x);
    /* 17,500 calls of f by dop853 alone */
    if (report.stats.rhs + report.stats.rhs_slow > 3500)
        fail_msg("%ld calls of f, %ld of the slow block", report.stats.rhs, report.stats.rhs_slow);
    for (int i = 0; i < 402; i++) lang_near(x[i], y[i], 2e-4 * (1 + fabs(y[i])));
    free(x);
    lang_free(&m);
}

/* A fast motion that a trial was the first to follow is not left for explicit steps, which damp it
 * in a phase where they are the cheaper ones: 3,800,000 calls of f before. */
static void fast_motion_is_not_lost(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_message m;
    gt_problem p;
    double x[16];
    if (gt_model_build(gt_model_find("pendulum"), "k=50000", &p, &arena, &m))
        fail_msg("%s", m.text);
    gt_report report = run_auto(&p, 1e-4, x);
    if (report.stats.rhs > 300000) fail_msg("%ld calls of f", report.stats.rhs);
    assert_string_equal(report.phases.list[report.phases.count - 1].method, "exprb43");
    gt_arena_free(&arena);
}

/* All that is tried is less than a twentieth of a run, also where nothing comes of it. */
static void trials_are_cheap(void **state)
{
    (void)state;
    static const char *const texts[] = {
        /* a gap that shows in nothing: the fast pair is at rest */
        "x'=y\ny'=-x-.1*x^3\na'=b\nb'=-100*a\ninit x=1\n@ total=2000\ndone\n",
        /* two rates that are not far enough apart for one of them */
        ("x'=y\ny'=-sin(x)-.1*x^3\na'=b\nb'=-9*a-.1*x*a\ninit x=1,a=1\n#@ fast a,b\n"
         "@ total=1000\ndone\n"),
        /* fast modes that swing, are damped, and soon gone: to follow them is wrong */
        "x'=-x+z\nz'=w*1e4\nw'=(-z-.2*w+.5*x+sin(t))*1e4\ninit x=1\n@ total=5\ndone\n"};
    static const double tolerances[] = {1e-4, 1e-8};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (int j = 0; j < 2; j++) {
            lang_model m = lang_read(texts[k]);
            double x[4];
            gt_report report = run_auto(&m.problem, tolerances[j], x);
            if (3 * report.phases.trials > (report.stats.rhs + report.stats.rhs_slow) / 20 + 100)
                fail_msg("%ld steps in %ld calls of f", report.phases.trials, report.stats.rhs);
            for (int i = 0; i < report.phases.count; i++)
                if (k == 2 && strstr(report.phases.list[i].because, "tried"))
                    fail_msg("%s", report.phases.list[i].method);
            lang_free(&m);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_by_graph),
        cmocka_unit_test(split_of_a_large_ring),
        cmocka_unit_test(oscillators_without_blocks),
        cmocka_unit_test(a_ring_with_blocks),
        cmocka_unit_test(fast_motion_is_not_lost),
        cmocka_unit_test(trials_are_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
