/* SPDX-License-Identifier: BSD-3-Clause */
/* shome: quarter cars, the planar vehicle and a vehicle in space. The paper has no data of any of
 * them; the models have numbers of our own (docs/models), with which Tables 7 and 8 come out. */
#include "paper_parts.h"
#include <geartrain/analysis/advise.h>
#include <math.h>
#include <string.h>

static const char own_numbers[] = "the paper gives no parameters; the model has numbers of our own";
static const char no_number[] = "the paper has a picture and no number";

/* The largest step with which a run of the model to its end succeeds, by bisection; 0 and a failure
 * when none does. */
static double largest_step(paper_sheet *s, const char *model, const char *set,
                           const gt_method *method)
{
    gt_problem p = paper_problem(s, model, set);
    double h = 0;
    if (!p.rhs || !method) return NAN;
    paper_series run = paper_samples(
        s,
        &(paper_run){.model = model, .set = set, .method = "dopri5", .rtol = 1e-5, .every = 0.02});
    double *bound = paper_doubles(s, run.n);
    for (size_t i = 0; i < run.n; i++)
        for (size_t k = 0; k < run.count; k++)
            bound[i] = fmax(bound[i], fabs(run.x[k * run.n + i]));
    if (gt_largest_step(&p, method, bound, 4000000, &h, &s->failure)) return NAN;
    return h;
}

/* The same from the eigenvalues at the start, with the given slip. */
static double step_by_eigenvalues(paper_sheet *s, const char *model, double slip)
{
    gt_problem p = paper_problem(s, model, NULL);
    gt_spectrum at;
    if (!p.rhs) return NAN;
    size_t n = gt_problem_size(&p);
    double *x = paper_doubles(s, n);
    memcpy(x, p.x0, n * sizeof *x);
    if (slip != 0) x[n - 1] = slip;
    if (gt_spectrum_full(&p, 0, x, &at, &s->arena, &s->failure)) return NAN;
    return gt_stable_step(gt_method_find("rk2"), NULL, at.values, at.count);
}

void gt_paper_shome_table_7(paper_sheet *s)
{
    static const struct {
        const char *model, *name, *printed;
        double slip, states;
    } rows[] = {{"quartercar_a", "A", "0.1", 0, 2},
                {"quartercar_b", "B", "0.01", 0, 4},
                {"quartercar_c", "C", "0.001", 0.0015, 15}};
    for (int k = 0; k < 3; k++) {
        gt_problem p = paper_problem(s, rows[k].model, NULL);
        paper_value(s, paper_text(s, "Figure 2: states of model %s", rows[k].name), NULL,
                    (double)gt_problem_size(&p),
                    "a drawing; built as the text and appendix B describe it");
        paper_value(
            s, paper_text(s, "model %s: largest stable step of RK2, by runs [s]", rows[k].name),
            rows[k].printed, largest_step(s, rows[k].model, NULL, gt_method_find("rk2")),
            own_numbers);
        paper_value(s, paper_text(s, "model %s: the same from the eigenvalues [s]", rows[k].name),
                    rows[k].printed, step_by_eigenvalues(s, rows[k].model, rows[k].slip),
                    own_numbers);
    }
}

/* ---- eigenvalues of the blocks along a run ---- */

typedef struct cloud {
    size_t count;
    double *re, *im, largest, least_slant; /* least |im|/|re| of those above half the largest */
} cloud;

static cloud block_values(paper_sheet *s, const gt_problem *p, const paper_series *run,
                          bool of_fast)
{
    size_t n = gt_problem_size(p), size = of_fast ? p->n_fast : p->n_slow;
    cloud c = {.least_slant = INFINITY};
    unsigned char *fast = gt_arena_take(&s->arena, n, 1);
    double *values = paper_doubles(s, 2 * n);
    c.re = paper_doubles(s, run->count * size), c.im = paper_doubles(s, run->count * size);
    if (!fast) return c;
    for (size_t i = 0; i < n; i++) fast[i] = i >= p->n_slow;
    for (size_t k = 0; k < run->count; k++) {
        gt_spectrum at;
        size_t count;
        if (gt_spectrum_full(p, run->t[k], run->x + k * n, &at, &s->arena, &s->failure) ||
            gt_split_block(&at, fast, of_fast, values, &count, &s->failure))
            return c;
        for (size_t j = 0; j < count; j++, c.count++) {
            c.re[c.count] = values[2 * j], c.im[c.count] = values[2 * j + 1];
            c.largest = fmax(c.largest, hypot(values[2 * j], values[2 * j + 1]));
        }
    }
    for (size_t k = 0; k < c.count; k++)
        if (hypot(c.re[k], c.im[k]) > c.largest / 2)
            c.least_slant = fmin(c.least_slant, fabs(c.im[k] / c.re[k]));
    return c;
}

static void eigenvalues(paper_sheet *s, const char *model, double every, const char *numbers[2])
{
    gt_problem p = paper_problem(s, model, NULL);
    if (!p.rhs) return;
    paper_series run = paper_samples(
        s, &(paper_run){.model = model, .method = "dopri5", .rtol = 1e-6, .every = every});
    cloud slow = block_values(s, &p, &run, false), fast = block_values(s, &p, &run, true);
    cli_curve curves[] = {{.x = slow.re, .y = slow.im, .count = slow.count, .style = CLI_POINTS},
                          {.x = fast.re, .y = fast.im, .count = fast.count, .style = CLI_POINTS}};
    for (int k = 0; k < 2; k++)
        paper_draw(s, numbers[k],
                   paper_text(s,
                              "Figure %s: eigenvalues of the %s block, %zu points of a run of %s",
                              numbers[k], k ? "fast (tyres)" : "slow (vehicle)", run.count, model),
                   &(cli_panel){.x_label = "Re λ [1/s]",
                                .y_label = "Im λ [rad/s]",
                                .curves = &curves[k],
                                .n_curves = 1},
                   1);
    paper_value(s, "largest slow |lambda| [1/s]", NULL, slow.largest, no_number);
    paper_value(s, "largest fast |lambda| [1/s]", NULL, fast.largest, no_number);
    paper_claim(s, "fast eigenvalues beside slow ones", "much larger in magnitude",
                fast.largest > 3 * slow.largest,
                paper_text(s, "%.0f against %.0f: %.1f times", fast.largest, slow.largest,
                           fast.largest / slow.largest),
                NULL);
    paper_claim(
        s, "fast eigenvalues, imaginary parts beside real parts", "much larger",
        fast.least_slant > 3,
        paper_text(s, "at least %.1f times, for those above half the largest", fast.least_slant),
        "less so here as the vehicle gets faster, since rolling damps the slip");
}

void gt_paper_shome_figures_4_5(paper_sheet *s)
{
    gt_problem p = paper_problem(s, "vehicle", NULL);
    paper_value(s, "equations of the planar vehicle", "28", (double)gt_problem_size(&p), NULL);
    paper_value(s, "slow variables", "14", (double)p.n_slow, NULL);
    paper_value(s, "fast variables", "14", (double)p.n_fast, NULL);
    eigenvalues(s, "vehicle", 1.25, (const char *[]){"4", "5"});
    paper_erratum_text(s, "(31), (32)", "x fast, y slow", "x slow, y fast, as in (3)", true,
                       "everywhere else x is the slow variable; (33) has the order of (31), (32)");
}

void gt_paper_shome_figures_6_7(paper_sheet *s)
{
    paper_missing(s, "HMMWV of ten bodies", "eigenvalues of Figures 6 and 7",
                  "data are in a technical report that is not public; drawn for a vehicle of our "
                  "own (vehicle3d) with "
                  "chassis, four hubs and four rings");
    eigenvalues(s, "vehicle3d", 0.5, (const char *[]){"6", "7"});
}

/* ---- Tables 8 and 9 ---- */

void gt_paper_shome_table_8(paper_sheet *s)
{
    static const char relative[] = "coordinates=relative";
    gt_partitioned six = gt_paper_shome_pair(s, "prk2s", "stages=6");
    double rk2 = largest_step(s, "vehicle", NULL, gt_method_find("rk2"));
    double pair = largest_step(s, "vehicle", relative, gt_method_find("prk25"));
    paper_value(s, "RK2: largest stable step [s]", "0.0005", rk2, own_numbers);
    paper_value(s, "2-5 pair (mended), rings relative to their hubs: largest stable step [s]",
                "0.002", pair, own_numbers);
    paper_near(s, "step of the pair over that of RK2", "4", pair / rk2, 0.3, own_numbers);
    paper_value(s, "2-6 pair with equal nodes and weights (prk2s): largest stable step [s]",
                "0.0025", largest_step(s, "vehicle", NULL, gt_paper_shome_method(s, "2-6", &six)),
                own_numbers);
    double x[28], y[28];
    paper_end(s, &(paper_run){.model = "vehicle", .method = "prk25", .h = 0.001}, x);
    paper_end(s, &(paper_run){.model = "vehicle", .method = "rk2", .h = 0.0005}, y);
    paper_value(s, "RK2, h = 0.0005: speed after 50 s [m/s]", NULL, y[7], own_numbers);
    paper_value(s, "2-5 pair, absolute coordinates, h = 0.001: speed after 50 s [m/s]", NULL, x[7],
                own_numbers);
    paper_erratum_text(
        s, "variables of the rings", "positions (absolute, it seems)",
        "positions relative to the hubs", fabs(x[7] - y[7]) > 1,
        paper_text(
            s,
            "with absolute ones the pair of Table 6 takes the vehicle to %.2f m/s in 50 s at "
            "h = 0.001 instead of %.2f m/s, since slow and fast stages are at different times",
            x[7], y[7]));
}

void gt_paper_shome_table_9(paper_sheet *s)
{
    static const char other[] =
        "another vehicle: that of the paper has ten bodies, and its data are not public";
    double rk2 = largest_step(s, "vehicle3d", NULL, gt_method_find("rk2"));
    double pair = largest_step(s, "vehicle3d", NULL, gt_method_find("prk25"));
    paper_value(s, "RK2: largest stable step [s]", "0.001", rk2, other);
    paper_value(s, "2-5 pair: largest stable step [s]", "0.003", pair, other);
    paper_near(s, "step of the pair over that of RK2", "3", pair / rk2, 0.5, other);
    paper_missing(s, "CPU time of RK2 and of the pair", "382.08 s, 162.74 s",
                  "of a vehicle whose data are not public, on a machine of 2000");
    double ratio = 382.08 / 162.74, cost = (5 * ratio / 3 - 2) / (2 - 2 * ratio / 3);
    paper_erratum(s, "reduction of the CPU time", "2.4", ratio,
                  "382.08 / 162.74 = 2.348, which is 2.3");
    paper_value(s, "cost of a slow evaluation over a fast one that explains it", NULL, cost,
                "(2 C + 2) / (2 C + 5) times 3 = 2.348, if evaluations are all that counts");
    paper_value(s, "gain of the pair here at that cost, in evaluations", NULL,
                pair / rk2 * (2 * cost + 2) / (2 * cost + 5), other);
}

/* ---- Figure 8 ---- */

/* |x_c - reference| at the samples, or NULL when the run fails or leaves the road. */
static double *position_error(paper_sheet *s, const char *set, const gt_method *method, double h,
                              const paper_series *truth)
{
    gt_problem p = paper_problem(s, "vehicle", set);
    double *error = paper_doubles(s, truth->count), x[28];
    size_t bytes;
    gt_stepper stepper;
    if (!p.rhs || !method || gt_stepper_measure(method, NULL, &p, &bytes, &s->failure)) return NULL;
    void *memory = gt_arena_take(&s->arena, bytes, 1);
    if (!memory || gt_stepper_init(&stepper, method, NULL, &p, memory, bytes)) return NULL;
    bool good = true;
    long per = lround((truth->t[1] - truth->t[0]) / h);
    for (size_t k = 1; k < truth->count && good; k++) {
        good = !gt_stepper_run(&stepper, 0, h, (k - 1) * (size_t)per, (size_t)per);
        memcpy(x, stepper.x, sizeof x);
        error[k] = fabs(x[0] - truth->x[k * truth->n]);
        good = good && error[k] < 10;
    }
    gt_stepper_free(&stepper);
    return good ? error : NULL;
}

void gt_paper_shome_figure_8(paper_sheet *s)
{
    static const char set[] = "speed=20, road=0.01",
                      relative[] = "speed=20, road=0.01, coordinates=relative";
    paper_series truth = paper_samples(s, &(paper_run){.model = "vehicle",
                                                       .set = set,
                                                       .method = "dopri5",
                                                       .rtol = 1e-11,
                                                       .atol = 1e-12,
                                                       .t1 = 10,
                                                       .every = 0.05});
    if (truth.count != 201) return;
    gt_partitioned six = gt_paper_shome_pair(s, "prk2s", "stages=6");
    double *five = position_error(s, relative, gt_method_find("prk25"), 0.0025 * 0.8, &truth);
    double *equal = position_error(s, set, gt_paper_shome_method(s, "2-6", &six), 0.0025, &truth);
    enum { PAIRS = 6 };
    double least = INFINITY, most = 0, *other = NULL;
    int made = 0, unstable = 0;
    for (unsigned seed = 1; made < PAIRS && seed < 100; seed++) {
        gt_partitioned P;
        if (!gt_paper_shome_random_pair(seed, &P)) continue;
        made++;
        double *error =
            position_error(s, relative, gt_paper_shome_method(s, "2-6", &P), 0.0025, &truth);
        if (!error) {
            unstable++;
            continue;
        }
        if (!other || error[200] > most) other = error;
        least = fmin(least, error[200]), most = fmax(most, error[200]);
    }
    if (!five || !equal || !other) {
        gt_fail(&s->failure, GT_OK, "Figure 8: no run of the pairs came through");
        return;
    }
    cli_curve curves[] = {
        {.title = "2-5 (Table 6), h = 2 ms", .x = truth.t + 1, .y = five + 1, .count = 200},
        {.title = "2-6 of its kind, 2.5 ms", .x = truth.t + 1, .y = other + 1, .count = 200},
        {.title = "2-6 prk2s, 2.5 ms", .x = truth.t + 1, .y = equal + 1, .count = 200}};
    paper_draw(s, NULL, "Figure 8: error of the position of the vehicle, waves of 1 cm",
               &(cli_panel){.x_label = "t [s]",
                            .y_label = "error of x_c [m]",
                            .log_y = true,
                            .curves = curves,
                            .n_curves = 3},
               1);
    paper_value(s, "2-5 pair, h = 0.002: error of the position after 10 s [m]", NULL, five[200],
                no_number);
    paper_value(s, "2-6 with equal nodes and weights, h = 0.0025: error after 10 s [m]", NULL,
                equal[200], no_number);
    paper_value(
        s, "2-6 pairs as the paper makes them, h = 0.0025: least error after 10 s [m]", NULL, least,
        paper_text(s, "of %d pairs from different starts of a search, %d of which are unstable",
                   made, unstable));
    paper_value(s, "2-6 pairs as the paper makes them, h = 0.0025: largest error after 10 s [m]",
                NULL, most, "the same");
    paper_missing(s, "the 2-6, 2-7, 2-8 and 2-9 pairs", "designed, not printed",
                  "their coefficients are not in the paper; pairs of the same kind are made here");
    paper_erratum_text(
        s, "\"the dual-rate ratio cannot be usefully increased much above 2:5\"",
        "for second order", "it can, with equal nodes and weights",
        equal[200] < 1e-3 * five[200] || equal[200] < 1e-4,
        paper_text(
            s,
            "a 2-6 pair with c = hat c and b = hat b is off by %.1e m after 10 s at h = 0.0025, "
            "pairs without by %.1e to %.1e m or unstable, and the 2-5 pair of Table 6 by %.1e m",
            equal[200], least, most, five[200]));
    double a[28], b[28];
    paper_end(s, &(paper_run){.model = "vehicle", .set = set, .method = "rk4", .h = 5e-5, .t1 = 1},
              a);
    paper_end(
        s, &(paper_run){.model = "vehicle", .set = set, .method = "rk4", .h = 2.5e-5, .t1 = 1}, b);
    paper_erratum_text(s, "step of the reference solution by RK4", "10^-9", "not plausible",
                       fabs(a[0] - b[0]) < 1e-9,
                       "10 s would be 4 10^10 evaluations, and of no use: steps of 5e-5 and 2.5e-5 "
                       "already agree to "
                       "1e-9 m after 1 s");
}
