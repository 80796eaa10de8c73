/* SPDX-License-Identifier: BSD-3-Clause */
/* What lies inside a step: rows, points of a handle, events and relations are as right as the ends
 * of steps are. */
#include "lang_kit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct forced {
    const char *text;
    double (*exact)(double t);
    size_t shown; /* the state that is compared */
    double t1;
    const char *only; /* this method; NULL: all */
} forced;

static double sine(double t) { return sin(t); }
static double cosine(double t) { return cos(t); }
static double steep(double t) { return tanh(10 * (t - 20)); }
/* The first mode of 40 masses. */
static double wave(double t)
{
    return sin(20 * 3.14159265358979324 / 41) * cos(82 * sin(3.14159265358979324 / 82) * t);
}

static const forced cases[] = {
    {"x'=-1e7*(x-sin(t))\ninit x=-1e-7\n@ total=40\ndone\n", sine, 0, 40, NULL},
    {"x'=-1e7*(x-tanh(10*(t-20)))\ninit x=-1\n@ total=40\ndone\n", steep, 0, 40, NULL},
    {"x'=z\n0=x-sin(t)\nsolv z=0\n@ total=20\ndone\n", cosine, 1, 20, NULL},
    {"u1'=v1\nv1'=1681*(-2*u1+u2)\nu[2..39]'=v[j]\nv[2..39]'=1681*(u[j-1]-2*u[j]+u[j+1])\nu40'="
     "v40\nv40'=1681*(u39-2*"
     "u40)\n"
     "init u[1..40]=sin(pi*[j]/41)\n@ total=10\ndone\n",
     wave, 0, 10, "dop853"},
};
enum { CASES = sizeof cases / sizeof *cases };

/* Steps of some methods are as short as 1/lambda here; they have nothing to do with it. */
static const long most_steps = 5000;

/* One look a step sees how large errors are, not the largest one. They were 1e4 to 1e6 tolerances.
 */
static double bound(double rtol) { return 1000 * rtol; }

static size_t place_of(const gt_problem *p, const forced *f)
{
    for (size_t i = 0; f->exact == wave && i < gt_problem_size(p); i++)
        if (p->names && strcmp(p->names[i], "u20") == 0) return i;
    return f->shown;
}

static bool takes(const gt_method *m, const forced *f, const gt_problem *p)
{
    gt_values v = gt_params_default(m->options);
    return !(f->only && strcmp(f->only, m->name) != 0) && gt_method_check(m, v.v, p, NULL) == GT_OK;
}

static void rows_are_as_right_as_the_ends(void **state)
{
    (void)state;
    int runs = 0, looked = 0;
    for (size_t k = 0; k < CASES; k++) {
        lang_model model = lang_read(cases[k].text);
        size_t place = place_of(&model.problem, &cases[k]);
        for (const gt_method *const *m = gt_method_list(); *m; m++) {
            if (!takes(*m, &cases[k], &model.problem)) continue;
            for (double rtol = 1e-4; rtol > 1e-7; rtol *= 1e-2) {
                gt_memory_sink rows;
                gt_report report;
                gt_memory_sink_init(&rows, GT_AT_OUTPUT);
                gt_plan plan = {.rtol = rtol,
                                .every = 0.1,
                                .max_steps = most_steps,
                                .sinks = (gt_sink *[]){&rows.sink},
                                .n_sinks = 1};
                gt_status status = gt_solve(&model.problem, *m, &plan, &report);
                double worst = 0;
                for (size_t i = 0; i < rows.count; i++)
                    worst =
                        fmax(worst, fabs(rows.x[i * rows.n + place] - cases[k].exact(rows.t[i])));
                if (!status && !(worst <= bound(rtol)) && !report.warnings.count)
                    fail_msg("%s on case %zu at %g: rows are off by %g", (*m)->name, k, rtol,
                             worst);
                runs += !status;
                looked += !status && (*m)->dense_error;
                gt_memory_sink_free(&rows);
            }
        }
        lang_free(&model);
    }
    assert_true(runs > 20 && looked > 15);
}

/* A mode a thousand times slower: rows were made by one step each, whose error is not seen, and off
 * by 2,000 tol. */
static void rows_by_steps_of_their_own_are_right(void **state)
{
    (void)state;
    static const char *const methods[] = {"radau", "rodas5", "rodas4p"};
    lang_model model = lang_read("x'=-1e4*(x-cos(t))-sin(t)\ninit x=1\n@ total=10\ndone\n");
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        for (double rtol = 1e-6; rtol > 1e-10; rtol *= 1e-3) {
            gt_memory_sink rows;
            gt_memory_sink_init(&rows, GT_AT_OUTPUT);
            gt_plan plan = {
                .rtol = rtol, .every = 0.1, .sinks = (gt_sink *[]){&rows.sink}, .n_sinks = 1};
            assert_int_equal(gt_solve(&model.problem, gt_method_find(methods[k]), &plan, NULL),
                             GT_OK);
            double worst = 0;
            for (size_t i = 0; i < rows.count; i++)
                worst = fmax(worst, fabs(rows.x[i] - cos(rows.t[i])));
            if (!(worst <= 100 * rtol))
                fail_msg("%s at %g: rows are off by %g", methods[k], rtol, worst);
            gt_memory_sink_free(&rows);
        }
    }
    lang_free(&model);
}

static void a_handle_and_a_kept_solution_are_as_right(void **state)
{
    (void)state;
    lang_model model = lang_read(cases[0].text);
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_run *run;
        gt_plan plan = {.rtol = 1e-6, .max_steps = 100}; /* those that take long steps */
        gt_values v = gt_params_default((*m)->options);
        if (!(*m)->dense_error || gt_method_check(*m, v.v, &model.problem, NULL)) continue;
        assert_int_equal(gt_run_open(&run, &model.problem, *m, &plan, NULL), GT_OK);
        gt_solution *kept = gt_solution_new(1);
        gt_reached reached = GT_REACHED_STEP;
        gt_status status = GT_OK;
        while (reached != GT_REACHED_END && !(status = gt_run_step(run, &reached))) {
            double from, to, x;
            gt_run_last_step(run, &from, &to);
            if (!(to > from)) continue;
            for (int j = 1; j < 8; j++) {
                double t = from + (to - from) * j / 8;
                assert_int_equal(gt_run_interpolate(run, t, &x), GT_OK);
                if (!(fabs(x - sin(t)) <= bound(1e-6)))
                    fail_msg("%s: x(%g) = %g", (*m)->name, t, x);
            }
            assert_int_equal(gt_solution_add(kept, run), GT_OK);
        }
        for (int j = 0; j < 200 && !status; j++) {
            double x, t = 40.0 * j / 200;
            assert_int_equal(gt_solution_at(kept, t, &x), GT_OK);
            if (!(fabs(x - sin(t)) <= bound(1e-6)))
                fail_msg("%s: kept x(%g) = %g", (*m)->name, t, x);
        }
        gt_solution_free(kept);
        gt_run_close(run);
    }
    lang_free(&model);
}

/* A copy and a saved run have no second run yet; theirs gives the same bits. */
static void copies_made_inside_such_a_step_agree(void **state)
{
    (void)state;
    static const char *const methods[] = {"radau", "rodas5", "smes"};
    lang_model model = lang_read(cases[0].text);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        const gt_method *m = gt_method_find(methods[k]);
        gt_plan plan = {.rtol = 1e-6};
        gt_run *runs[3];
        double from, to, x[3];
        void *bytes;
        size_t count;
        assert_int_equal(gt_run_open(&runs[0], &model.problem, m, &plan, NULL), GT_OK);
        assert_int_equal(gt_run_advance(runs[0], 17.3, 0, NULL), GT_OK);
        gt_run_last_step(runs[0], &from, &to);
        assert_true(to - from > 1); /* far too long for a polynomial */
        assert_int_equal(gt_run_copy(&runs[1], runs[0], NULL, NULL, NULL), GT_OK);
        assert_int_equal(gt_run_save(runs[0], NULL, &bytes, &count, NULL), GT_OK);
        assert_int_equal(
            gt_run_restore(&runs[2], &model.problem, m, &plan, NULL, bytes, count, NULL), GT_OK);
        for (double t = 17.3; t < 39; t += 0.7) {
            for (int i = 0; i < 3; i++) {
                assert_int_equal(gt_run_advance(runs[i], t, 0, NULL), GT_OK);
                x[i] = gt_run_x(runs[i])[0];
            }
            if (x[0] != x[1] || x[0] != x[2]) fail_msg("%s at %g: other bits", m->name, t);
        }
        assert_int_equal(gt_run_stats(runs[1])->rhs, gt_run_stats(runs[2])->rhs);
        for (int i = 0; i < 3; i++) gt_run_discard(runs[i]);
        free(bytes);
    }
    lang_free(&model);
}

/* Each row was a run of its own from where its step begins: 78,000 calls by radau. */
static void many_rows_in_a_long_step_cost_little(void **state)
{
    (void)state;
    static const char *const methods[] = {"radau", "rodas5", "smes"};
    lang_model model = lang_read(cases[0].text);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        gt_memory_sink rows;
        gt_report without, with;
        gt_memory_sink_init(&rows, GT_AT_OUTPUT);
        gt_plan plan = {.rtol = 1e-6, .every = 0.01};
        assert_int_equal(gt_solve(&model.problem, gt_method_find(methods[k]), &plan, &without),
                         GT_OK);
        plan.sinks = (gt_sink *[]){&rows.sink};
        plan.n_sinks = 1;
        assert_int_equal(gt_solve(&model.problem, gt_method_find(methods[k]), &plan, &with), GT_OK);
        assert_int_equal(rows.count, 4001);
        double ratio = (double)with.stats.rhs / (double)without.stats.rhs;
        if (ratio > 6) fail_msg("%s: 4001 rows take %.1f times the calls of f", methods[k], ratio);
        gt_memory_sink_free(&rows);
    }
    lang_free(&model);
}

static gt_status vanderpol(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = 5 * (1 - x[0] * x[0]) * x[1] - x[0];
    return GT_OK;
}

/* Rows by birkf were off by 300 tolerances where its ends were right to 2. */
static void rows_follow_what_is_not_stiff(void **state)
{
    (void)state;
    static const double two[2] = {2, 0};
    const double rtol = 1e-6;
    gt_problem p = {.n_slow = 2, .rhs = vanderpol, .x0 = two, .t1 = 20, .autonomous = true};
    int compared = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_plan plan = {.rtol = rtol, .max_steps = 3000};
        gt_values v = gt_params_default((*m)->options);
        gt_run *run;
        if (!gt_method_facts(*m, v.v).error_order || gt_method_check(*m, v.v, &p, NULL)) continue;
        if (gt_run_open(&run, &p, *m, &plan, NULL)) continue;
        for (int k = 1; k < 200 && !gt_run_advance(run, 0.1 * k, 0, NULL); k++) {
            double from, to, begin[2], exact[2];
            gt_run_last_step(run, &from, &to);
            if (gt_run_time(run) >= to) continue;
            assert_int_equal(gt_run_interpolate(run, from, begin), GT_OK);
            gt_problem part = p;
            part.t0 = from;
            part.t1 = gt_run_time(run);
            part.x0 = begin;
            gt_plan tight = {.rtol = 1e-11, .atol = 1e-13, .x_end = exact};
            assert_int_equal(gt_solve(&part, gt_method_find("dop853"), &tight, NULL), GT_OK);
            for (int i = 0; i < 2; i++) {
                double off = fabs(gt_run_x(run)[i] - exact[i]) / (rtol * (1 + fabs(exact[i])));
                if (off > 30)
                    fail_msg("%s: a row at %g is off by %.0f tolerances", (*m)->name, part.t1, off);
            }
            compared++;
        }
        gt_run_close(run);
    }
    assert_true(compared > 4000);
}

/* 23 events for 16, and 30.885 for 33.5103, were seen. */
static void events_and_relations_in_long_steps(void **state)
{
    (void)state;
    lang_model counts = lang_read(
        "x'=-1e6*(x-cos(t))-sin(t)\nn'=0\ninit x=1\nglobal 1 x-.5 {n=n+1}\n@ total=100\ndone\n");
    lang_model switches =
        lang_read("x'=-1e7*(x-sin(t))\ny'=if(x>.5)then(1)else(0)\n@ total=100\ndone\n");
    const double third = 3.14159265358979324 * 2 / 3; /* of each period sin t is above 1/2 */
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        double x[2];
        gt_report report;
        gt_plan plan = {.rtol = 1e-6, .max_steps = most_steps, .x_end = x};
        gt_values v = gt_params_default((*m)->options);
        if (!(*m)->dense_error || gt_method_check(*m, v.v, &counts.problem, NULL)) continue;
        gt_status status = gt_solve(&counts.problem, *m, &plan, &report);
        if (!status && fabs(x[1] - 16) > 1e-9) fail_msg("%s: %g events, not 16", (*m)->name, x[1]);
        status = gt_solve(&switches.problem, *m, &plan, &report);
        /* Each of 32 switches is off by the error of x over its slope .87, which may be 3 tol; all
         * of a row in y were missed before. */
        if (!status && fabs(x[1] - 16 * third) > 32 * 3e-6 / 0.87)
            fail_msg("%s: y = %.10g", (*m)->name, x[1]);
    }
    lang_free(&counts);
    lang_free(&switches);
}

/* A falling event of a root that rises and falls in one step: the step to it took the side that the
 * root came to for the one that it began on, and the event for passed at once (t = 0.66 for 1.712,
 * where x is 0.61 and not 0.99). */
static void up_and_down_in_one_step(void **state)
{
    (void)state;
    lang_model m = lang_read("x'=-1e7*(x-sin(t))\nglobal -1 x-.99 {arret=1}\n@ total=40\ndone\n");
    for (const gt_method *const *method = gt_method_list(); *method; method++) {
        gt_values v = gt_params_default((*method)->options);
        if (!(*method)->dense_error || gt_method_check(*method, v.v, &m.problem, NULL)) continue;
        for (double rtol = 1e-3; rtol > 1e-6; rtol *= 0.1) {
            double x;
            gt_report report;
            gt_plan plan = {.rtol = rtol, .max_steps = most_steps, .x_end = &x};
            if (gt_solve(&m.problem, *method, &plan, &report)) continue;
            /* The slope of sin t is 0.14 there. */
            if (!(fabs(x - 0.99) < 30 * rtol && fabs(report.t - 1.71236) < 300 * rtol))
                fail_msg("%s at %g: x = %g at t = %g", (*method)->name, rtol, x, report.t);
        }
    }
    lang_free(&m);
}

/* What is shown changes no step. */
static void rows_do_not_change_the_steps(void **state)
{
    (void)state;
    for (size_t k = 0; k < CASES; k++) {
        lang_model model = lang_read(cases[k].text);
        for (const gt_method *const *m = gt_method_list(); *m; m++) {
            double x[2][128];
            gt_report report[2];
            gt_status status[2];
            gt_memory_sink rows;
            if (!(*m)->dense_error || !takes(*m, &cases[k], &model.problem)) continue;
            gt_memory_sink_init(&rows, GT_AT_OUTPUT);
            for (size_t with = 0; with < 2; with++) {
                gt_plan plan = {.rtol = 1e-6,
                                .every = 0.1,
                                .max_steps = most_steps,
                                .sinks = (gt_sink *[]){&rows.sink},
                                .n_sinks = with,
                                .x_end = x[with]};
                status[with] = gt_solve(&model.problem, *m, &plan, &report[with]);
            }
            size_t bytes = gt_problem_shown(&model.problem) * sizeof **x;
            assert_true(bytes <= sizeof *x);
            if (status[0] != status[1] || (!status[0] && memcmp(x[0], x[1], bytes) != 0))
                fail_msg("%s on case %zu: rows change the end", (*m)->name, k);
            assert_int_equal(report[0].stats.steps, report[1].stats.steps);
            gt_memory_sink_free(&rows);
        }
        lang_free(&model);
    }
}

/* The slope at the ends of a step is M^-1 f: rows of arm_eb by backinterpolation were off by 0.7 %
 * of it. */
static void slopes_have_the_mass_matrix(void **state)
{
    (void)state;
    gt_problem p;
    gt_arena arena = gt_arena_growing();
    gt_memory_sink rows, exact;
    gt_report report;
    assert_int_equal(gt_model_build(gt_model_find("arm_eb"), "form=mass", &p, &arena, NULL), GT_OK);
    assert_non_null(p.mass);
    size_t n = gt_problem_size(&p);
    p.t1 = 1;
    gt_memory_sink_init(&exact, GT_AT_OUTPUT);
    gt_plan tight = {
        .rtol = 1e-9, .every = 0.05, .sinks = (gt_sink *[]){&exact.sink}, .n_sinks = 1};
    assert_int_equal(gt_solve(&p, gt_method_find("radau"), &tight, &report), GT_OK);
    int runs = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_values v = gt_params_default((*m)->options);
        if (gt_method_check(*m, v.v, &p, NULL)) continue;
        gt_memory_sink_init(&rows, GT_AT_OUTPUT);
        gt_plan plan = {.rtol = 1e-6,
                        .every = 0.05,
                        .max_steps = most_steps,
                        .sinks = (gt_sink *[]){&rows.sink},
                        .n_sinks = 1};
        if (gt_method_facts(*m, v.v).error_order == 0) plan.h = 0.02;
        if (gt_solve(&p, *m, &plan, &report) == GT_OK) {
            double inside = 0, end = 0;
            assert_int_equal(rows.count, exact.count);
            for (size_t i = 0; i < n * rows.count; i++) {
                double off = fabs(rows.x[i] - exact.x[i]);
                inside = fmax(inside, off);
                if (i >= n * (rows.count - 1)) end = fmax(end, off);
            }
            if (inside > 20 * end + 1e-4)
                fail_msg("%s: rows are off by %g, the end by %g", (*m)->name, inside, end);
            runs++;
        }
        gt_memory_sink_free(&rows);
    }
    assert_true(runs > 15);
    gt_memory_sink_free(&exact);
    gt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_as_right_as_the_ends),
        cmocka_unit_test(rows_by_steps_of_their_own_are_right),
        cmocka_unit_test(a_handle_and_a_kept_solution_are_as_right),
        cmocka_unit_test(copies_made_inside_such_a_step_agree),
        cmocka_unit_test(many_rows_in_a_long_step_cost_little),
        cmocka_unit_test(rows_follow_what_is_not_stiff),
        cmocka_unit_test(events_and_relations_in_long_steps),
        cmocka_unit_test(up_and_down_in_one_step),
        cmocka_unit_test(rows_do_not_change_the_steps),
        cmocka_unit_test(slopes_have_the_mass_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
