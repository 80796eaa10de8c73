/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs of Crow, chapter 5: Examples 5.7 and 5.9, Problems 8 and 11, against values computed
 * independently of this library. Where those began from exact or Runge-Kutta values, the same are
 * put into the trials of the start here. Tolerances: 1e-9 relative at fixed step; step counts
 * exact, times and steps to 1e-8 at variable step.
 */
#include "methods_kit.h"

static void meets(const char *what, double computed, double expected, double relative)
{
    if (!(fabs(computed - expected) <= relative * fmax(fabs(expected), 1e-3)))
        fail_msg("%s: %.17g instead of %.17g", what, computed, expected);
}

/* Values for the first points after the initial one. */
typedef void start_fn(const gt_problem *problem, double t, double h, const double *x,
                      double *x_new);

static void exact_start(const gt_problem *problem, double t, double h, const double *x,
                        double *x_new)
{
    (void)x;
    problem->exact(t + h, x_new, problem->ctx);
}

/* `parts` steps of another method over h. */
static void steps_of(const char *method, int parts, const gt_problem *problem, double t, double h,
                     const double *x, double *x_new)
{
    gt_problem p = *problem;
    p.t0 = t, p.t1 = t + h, p.x0 = x, p.exact = NULL;
    gt_report r;
    assert_int_equal(
        gt_solve(&p, gt_method_find(method), &(gt_plan){.h = h / parts, .x_end = x_new}, &r),
        GT_OK);
}
static void trapezoidal_start(const gt_problem *problem, double t, double h, const double *x,
                              double *x_new)
{
    steps_of("trapezoidal", 1, problem, t, h, x, x_new);
}
static void fine_start(const gt_problem *problem, double t, double h, const double *x,
                       double *x_new)
{
    steps_of("trapezoidal", 100, problem, t, h, x, x_new);
}
static void runge_kutta_start(const gt_problem *problem, double t, double h, const double *x,
                              double *x_new)
{
    steps_of("rk4", 1, problem, t, h, x, x_new);
}

/* `steps` fixed steps, the first k - 1 of which go to the values of `start`. */
static void run_from(bench_top *b, double h, int steps, start_fn *start, double *x)
{
    gt_stepper *s = &b->s;
    int given = s->method->formula->order - 1;
    gt_stepper_start(s, b->problem.t0, b->problem.x0);
    for (int k = 0; k < steps; k++) {
        assert_int_equal(gt_stepper_try(s, h, false), GT_OK);
        if (k < given) start(&b->problem, s->t, h, s->x, s->x_new);
        s->t_new = b->problem.t0 + (k + 1) * h;
        gt_stepper_accept(s);
    }
    memcpy(x, s->x, s->n * sizeof *x);
}

static void example_5_7(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double h;
        int steps;
        double exact[2], trapezoidal[2], fine[2];
    } rows[] = {
        {"ab3",
         0.0111,
         180,
         {0.1886158856777532, -0.053009800079204694},
         {0.2012074997681948, -0.06560144506796076},
         {0.1886171500925055, -0.05301106449704876}},
        {"ab3",
         0.01,
         200,
         {0.27067036281078105, -0.13533518114308746},
         {0.27067031782181294, -0.13533515870221727},
         {0.2706703628062723, -0.13533518114083842}},
        {"am3",
         0.15,
         13,
         {0.28441345498772613, -0.14210445398443092},
         {1.408468979315877, -1.2662396481985585},
         {0.2844141546526301, -0.1421051615916406}},
        {"am3",
         0.1,
         20,
         {0.2708308221563642, -0.13548500329075175},
         {0.23473660243905012, -0.09941326393031118},
         {0.2708306795546545, -0.13548486293388634}},
        {"gear3",
         0.15,
         13,
         {0.2850022345406031, -0.14250103367807662},
         {0.2848137818292483, -0.14241127323551572},
         {0.28500221486976995, -0.14250102384675067}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bench_top b;
        double x[2], own[2];
        build(&b, "stiff2", "");
        bind_method(&b, gt_method_find(rows[i].method), NULL);
        for (int component = 0; component < 2; component++) {
            run_from(&b, rows[i].h, rows[i].steps, exact_start, x);
            meets(rows[i].method, x[component], rows[i].exact[component], 1e-9);
            run_from(&b, rows[i].h, rows[i].steps, trapezoidal_start, x);
            meets(rows[i].method, x[component], rows[i].trapezoidal[component], 1e-9);
            run_from(&b, rows[i].h, rows[i].steps, fine_start, x);
            meets(rows[i].method, x[component], rows[i].fine[component], 1e-9);
        }
        /* Our own start: where the method is stable it ends as near to the solution as with exact
         * values. */
        if (i == 1 || i == 4) {
            b.problem.exact(rows[i].steps * rows[i].h, x, b.problem.ctx);
            gt_stepper_start(&b.s, 0, b.problem.x0);
            for (int k = 0; k < rows[i].steps; k++)
                assert_int_equal(gt_stepper_step(&b.s, rows[i].h), GT_OK);
            memcpy(own, b.s.x, sizeof own);
            assert_true(fabs(own[0] - x[0]) < 2 * fabs(rows[i].exact[0] - x[0]) + 1e-12);
        }
        dismantle(&b);
    }
}

typedef struct history {
    size_t count;
    double t[400], h[400], error[400], x[400][3];
    long rejected[400];
    gt_stepper *s;
} history;

static gt_status record(gt_sink *sink, const gt_sample *sample, gt_message *message)
{
    history *a = sink->ctx;
    (void)message;
    if (sample->why & GT_AT_START) return GT_OK;
    size_t k = a->count++;
    a->t[k] = sample->t, a->h[k] = sample->h, a->error[k] = sample->error;
    memcpy(a->x[k], sample->x, sizeof a->x[k]);
    a->rejected[k] = a->s->stats.rejected;
    return sample->t >= 10 ? GT_SINK_REFUSED : GT_OK;
}

static void run_example_5_9(const char *control, double h0, const char *options, history *a)
{
    bench_top b;
    gt_report r;
    gt_message m;
    gt_sink sink = {.wants = GT_AT_STEP, .write = record, .ctx = a}, *sinks[] = {&sink};
    gt_plan plan = {.h0 = h0, .sinks = sinks, .n_sinks = 1};
    build(&b, "stiff3c", "");
    b.problem.t1 = 1000; /* so that no step is shortened before t = 10 */
    bind_method(&b, gt_method_find("trapezoidal"), options);
    *a = (history){.s = &b.s};
    assert_int_equal(gt_control_parse(control, &plan.control, &m), GT_OK);
    plan.rtol = 1e-9, plan.atol = 1e-12; /* for Newton only: the bounds are not relative */
    assert_int_equal(gt_integrate(&b.s, &plan, &r), GT_SINK_REFUSED);
    dismantle(&b);
}

static size_t steps_to(const history *a, double t)
{
    size_t k = 0;
    while (a->t[k] < t) k++;
    return k + 1;
}

/* Rules A (item 4 read as eps < B_L), B (as printed) and C (the "commercial" one). */
static void example_5_9(void **state)
{
    (void)state;
    static const struct {
        const char *control;
        size_t accepted, to[4]; /* t = 0.5, 1, 2, 5 */
        long rejected;
        double t_last, h_max, h_min, step_40[3], x_last[3];
    } rules[] = {
        {"bounds",
         223,
         {145, 155, 177, 207},
         1,
         10.290959265526636,
         0.49501724004735326,
         0.0007376216176271594,
         {0.04802962146983203, 0.0007376216176271594, 2.344761644237462e-06},
         {3.854228833818061e-05, 9.730206745566015e-07, -1.5478709596874398e-07}},
        {"bounds_literal",
         158,
         {104, 112, 125, 146},
         1,
         10.383367350549486,
         0.8303623201882764,
         0.000626946793513009,
         {0.056781594822337966, 0.0013882496486535075, 1.061421416213328e-05},
         {3.292094507655046e-05, 8.311109142053494e-07, -1.3221279566200209e-07}},
        {"bounds_repeat",
         218,
         {142, 152, 173, 203},
         10,
         10.96947174687322,
         1.1385828757723735,
         0.0007376216176271594,
         {0.04802962146983203, 0.0007376216176271594, 2.344761644237462e-06},
         {1.722650717838645e-05, 4.348923833335684e-07, -6.918221867666001e-08}},
    };
    history *a = malloc(sizeof *a);
    for (int i = 0; i < 3; i++) {
        run_example_5_9(rules[i].control, 0.01, "start=unchecked", a);
        size_t last = a->count - 1;
        double h_max = 0, h_min = 1;
        for (size_t k = 0; k < a->count; k++)
            h_max = fmax(h_max, a->h[k]), h_min = fmin(h_min, a->h[k]);
        assert_int_equal(a->count, rules[i].accepted);
        assert_int_equal(a->rejected[last], rules[i].rejected);
        static const double at[] = {0.5, 1, 2, 5};
        for (int k = 0; k < 4; k++) assert_int_equal(steps_to(a, at[k]), rules[i].to[k]);
        meets(rules[i].control, a->t[last], rules[i].t_last, 1e-8);
        meets(rules[i].control, h_max, rules[i].h_max, 1e-8);
        meets(rules[i].control, h_min, rules[i].h_min, 1e-8);
        meets(rules[i].control, a->t[39], rules[i].step_40[0], 1e-8);
        meets(rules[i].control, a->h[39], rules[i].step_40[1], 1e-8);
        assert_true(fabs(a->error[39] / rules[i].step_40[2] - 1) < 1e-5);
        for (int k = 0; k < 3; k++) assert_true(fabs(a->x[last][k] - rules[i].x_last[k]) < 1e-12);
    }
    /* Every step of rule A: h changes at these ones only. */
    static const struct {
        size_t from;
        double h;
    } changes[] = {{0, 0.01},
                   {2, 0.0007376216176271594},
                   {78, 0.0015979734069496677},
                   {111, 0.0035533121122864543},
                   {127, 0.007661530285611352},
                   {135, 0.016697720311574783},
                   {141, 0.04671922208957662},
                   {181, 0.10214503396782822},
                   {205, 0.22112351692597107},
                   {217, 0.49501724004735326}};
    static const struct {
        size_t step;
        double eps;
    } errors[] = {{2, 7.660578621964071e-06},    {3, 1.6286476633083977e-05},
                  {50, 1.629800629044042e-06},   {100, 2.352381528875923e-06},
                  {150, 3.7734723912454217e-06}, {200, 1.470851748482155e-06},
                  {222, 8.396322477102777e-07}};
    run_example_5_9("bounds", 0.01, "start=unchecked", a);
    for (size_t k = 0, c = 0; k < a->count; k++) {
        if (c + 1 < sizeof changes / sizeof *changes && changes[c + 1].from == k) c++;
        assert_true(fabs(a->h[k] / changes[c].h - 1) < 1e-8);
    }
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
        assert_true(fabs(a->error[errors[k].step] / errors[k].eps - 1) < 1e-5);
    assert_true(a->error[0] == 0 && a->error[1] == 0); /* not measured */

    /* With the first step from the third derivative at t = 0 nothing is rejected. */
    run_example_5_9("bounds", 0.0006312153667125215, "start=unchecked", a);
    assert_int_equal(a->count, 250);
    assert_int_equal(a->rejected[249], 0);
    meets("small h0", a->t[249], 10.566628450650445, 1e-8);
    free(a);
}

/* The constant step of Example 5.9. */
static void example_5_9_constant(void **state)
{
    (void)state;
    static const struct {
        double t, x[3];
    } rows[] = {{0.05, {0.9309071956309366, 0.07342743544350129, 0.1290869490106137}},
                {0.5, {0.6009975946420708, 0.015172500520878455, -0.0024136226045359884}},
                {5, {0.007345504752428078, 0.0001854411945247062, -2.9499788363951977e-05}}};
    for (int i = 0; i < 3; i++) {
        bench_top b;
        gt_report r;
        double x[3];
        build(&b, "stiff3c", "");
        b.problem.t1 = rows[i].t;
        /* am2 is the trapezoidal rule. */
        static const char *const names[] = {"trapezoidal", "am2"};
        for (int m = 0; m < 2; m++) {
            assert_int_equal(gt_solve(&b.problem, gt_method_find(names[m]),
                                      &(gt_plan){.h = 0.01, .x_end = x}, &r),
                             GT_OK);
            for (int k = 0; k < 3; k++) meets(names[m], x[k], rows[i].x[k], 1e-9);
        }
        gt_arena_free(&b.arena);
    }
}

static void problem_8(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double h;
        int steps;
        double x[2];
    } rows[] = {{"ab1", 0.5, 10000, {63.209697543007806, 63.2110180127989}},
                {"ab1", 2, 100, {-2.5771451893371888e+41, 2.5768875005897065e+45}},
                {"gear1", 10, 500, {63.17110653909499, 63.172423149785736}},
                {"gear1", 100, 250, {99.29639448190309, 99.30132362135198}},
                {"gear1", 1000, 25, {98.95581406293707, 98.96070914434439}},
                {"gear1", 10000, 3, {96.29962925304615, 96.30425871597517}},
                {"am1", 1000, 5, {59.80853498222176, 59.809515335760175}},
                {"gear4", 10, 2500, {99.33049748204911, 99.335430031798}},
                {"gear4", 100, 250, {99.3304975919579, 99.33543014171777}},
                {"gear4", 1000, 25, {99.33179996112311, 99.33673264111988}},
                {"gear4", 10000, 6, {101.0718983405322, 101.07700503037456}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bench_top b;
        double x[2], h_max = 0.0001999800000002;
        build(&b, "crow_p8", "");
        bind_method(&b, gt_method_find(rows[i].method), NULL);
        run_from(&b, rows[i].h * h_max, rows[i].steps, exact_start, x);
        for (int k = 0; k < 2; k++) meets(rows[i].method, x[k], rows[i].x[k], 1e-9);
        dismantle(&b);
    }
}

static const struct pendulum_row {
    const char *method, *params;
    double at_1[4], at_10[4]; /* h = 0.005 */
    long accepted, rejected;  /* the rest with bounds 1e-5, 1e-3 and target 1e-4 */
    double h_max, t_20, t_last, x_last[4];
} pendulums[] = {
    {"ab2",
     "m2=10",
     {-0.2769744231489122, -0.7628051732081454, -0.580371244876901, 0.8113425040282731},
     {-0.2596786591539301, -1.2752661327100974, -0.22423287844178186, 0.8987735747360303},
     941,
     0,
     0.010897411964623986,
     0.1,
     10.000875944232435,
     {-0.2725200289004991, -1.2439752189253344, -0.1949696093689421, 0.8248321131601886}},
    {"ab3",
     "m2=10",
     {-0.2767437683996932, -0.7615912104237943, -0.580990343159865, 0.8063344180087179},
     {-0.2564984206154632, -1.2808832307119757, -0.23192850436961135, 0.9112657607612906},
     583,
     10,
     0.04421633453234862,
     0.31913325236388373,
     10.015628862882735,
     {-0.28162240176745806, -1.1840703564765276, -0.19616407679683848, 0.7174016824379943}},
    {"ab2",
     "m2=5",
     {-0.2786999200440675, -0.2254784538218283, -0.7871994517967622, -0.8755385948488553},
     {-0.4361003733717707, 0.05233257859322814, -0.17505009534077326, -0.09601491380685256},
     940,
     0,
     0.010940047505486739,
     0.1,
     10.004462422399648,
     {-0.4352716389019831, 0.11615527593220344, -0.177632684704253, -0.25396055179603805}},
    {"ab3",
     "m2=5",
     {-0.2787037413158547, -0.22488696697421964, -0.7869953580869926, -0.8794962929134362},
     {-0.4361151830559095, 0.04164037246197756, -0.17499992718245566, -0.06217755867165954},
     481,
     2,
     0.064529071278238273,
     0.40574641452593041,
     10.008462131912738,
     {-0.43112161147241695, 0.11254326966429767, -0.19161843036625506, -0.2418161370383987}},
    {"ab2",
     "m2=1",
     {-0.38729450271773225, 0.01961116580992108, -0.78754657346767, -2.5031409051625775},
     {0.07328912568441119, 1.2237460925482821, 0.6416583506841519, 1.2702767686541865},
     852,
     0,
     0.011773483799045026,
     0.20837574078472043,
     10.003914261590227,
     {0.08378184945263356, 1.2269472560310721, 0.646679877184871, 1.0944985179411706}},
    {"ab3",
     "m2=1",
     {-0.38732371017421324, 0.019339060234888482, -0.786936535202104, -2.5042253497748477},
     {0.07204517875699432, 1.2227558022079343, 0.6413730022101658, 1.2978067470878774},
     445,
     11,
     0.09590811987803427,
     0.46830183137245068,
     10.005859749824582,
     {0.08152648064860409, 1.220615655761414, 0.6266159390740654, 1.0940269162834566}},
};

static void problem_11_fixed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pendulums / sizeof *pendulums; i++) {
        const struct pendulum_row *row = &pendulums[i];
        bench_top b;
        double x[4];
        build(&b, "double_pendulum", row->params);
        bind_method(&b, gt_method_find(row->method), NULL);
        run_from(&b, 0.005, 200, runge_kutta_start, x);
        for (int k = 0; k < 4; k++) meets(row->method, x[k], row->at_1[k], 1e-9);
        run_from(&b, 0.005, 2000, runge_kutta_start, x);
        for (int k = 0; k < 4; k++) meets(row->method, x[k], row->at_10[k], 1e-9);
        dismantle(&b);
    }
}

/* The two-bound rule by hand, so that the first points can be those of Runge and Kutta. */
static void problem_11_variable(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pendulums / sizeof *pendulums; i++) {
        const struct pendulum_row *row = &pendulums[i];
        bench_top b;
        gt_control control;
        gt_control_memory memory = {0};
        double h = 0.005, h_max = 0, t_20 = 0;
        long accepted = 0, rejected = 0;
        int again = 0;
        build(&b, "double_pendulum", row->params);
        bind_method(&b, gt_method_find(row->method), "start=unchecked");
        assert_int_equal(
            gt_control_parse("bounds:lower=1e-5,upper=1e-3,target=1e-4", &control, NULL), GT_OK);
        while (b.s.t < 10) {
            assert_int_equal(gt_stepper_try(&b.s, h, true), GT_OK);
            double eps = 0;
            for (int k = 0; k < 4; k++) eps = fmax(eps, fabs(b.s.err[k]));
            gt_verdict v =
                gt_control_judge(&control, &memory, eps, b.s.facts.error_order + 1, h, again);
            if (b.s.unchecked) v = (gt_verdict){true, h};
            assert_true(b.s.unchecked == (accepted < b.s.facts.order));
            if (accepted < b.s.facts.order - 1)
                runge_kutta_start(&b.problem, b.s.t, h, b.s.x, b.s.x_new);
            if (v.accept) {
                gt_stepper_accept(&b.s);
                accepted++, again = 0;
                h_max = fmax(h_max, h);
                if (accepted == 20) t_20 = b.s.t;
            } else {
                rejected++, again++;
            }
            h = v.h_next;
        }
        assert_int_equal(accepted, row->accepted);
        assert_int_equal(rejected, row->rejected);
        meets(row->method, h_max, row->h_max, 1e-8);
        meets(row->method, t_20, row->t_20, 1e-8);
        meets(row->method, b.s.t, row->t_last, 1e-8);
        for (int k = 0; k < 4; k++) meets(row->method, b.s.x[k], row->x_last[k], 1e-6);
        dismantle(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_5_7),          cmocka_unit_test(example_5_9),
        cmocka_unit_test(example_5_9_constant), cmocka_unit_test(problem_8),
        cmocka_unit_test(problem_11_fixed),     cmocka_unit_test(problem_11_variable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
