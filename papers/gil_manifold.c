/* SPDX-License-Identifier: BSD-3-Clause */
/* gil: the reduced model (4), the boundary layer (5) and the slow manifold (9)-(15), on eps z' =
 * cos x - z, x' = -x + z^2 from a point off the manifold. */
#include "paper_parts.h"
#include <geartrain/analysis/advise.h>
#include <math.h>

enum { SIZES = 4 };
static const double sizes[SIZES] = {1e-1, 1e-2, 1e-3, 1e-4};
static const char no_number[] = "the paper has the formula only";

typedef struct ends {
    double reduced;   /* |x(1) - that of the reduced model| */
    double zeroth;    /* |z(1) - h(x(1))| */
    double corrected; /* |z(1) - h(x(1)) - eps H_1(x(1))| */
} ends;

static bool find_ends(paper_sheet *s, double eps, ends *e)
{
    gt_problem full = paper_problem(s, "quadfast", paper_text(s, "eps=%g", eps)), reduced;
    gt_manifold m;
    double x[2], y[2];
    if (!full.rhs) return false;
    reduced = gt_problem_reduced(&full);
    paper_end(
        s, &(paper_run){.problem = &full, .method = "gear", .rtol = 1e-12, .atol = 1e-14, .t1 = 1},
        x);
    paper_end(
        s,
        &(paper_run){.problem = &reduced, .method = "gear", .rtol = 1e-12, .atol = 1e-14, .t1 = 1},
        y);
    if (gt_manifold_at(&full, 1, x, &m, &s->arena, &s->failure)) return false;
    e->reduced = fabs(x[0] - y[0]);
    e->zeroth = fabs(x[1] - m.H[0]);
    e->corrected = fabs(x[1] - m.H[0] - m.correction[0]);
    return true;
}

/* z(t) with its two parts for eps = 0.05: the reduced model, and the boundary layer y = (z0 -
 * h(x0)) e^(-t/eps) on it.
 */
static cli_panel layer(paper_sheet *s, cli_curve *curves, double *worst)
{
    const double eps = 0.05;
    gt_problem full = paper_problem(s, "quadfast", "eps=0.05");
    paper_series *runs = gt_arena_take(&s->arena, 2, sizeof *runs);
    if (!full.rhs || !runs) return (cli_panel){0};
    gt_problem reduced = gt_problem_reduced(&full);
    runs[0] = paper_samples(
        s, &(paper_run){.problem = &full, .method = "gear", .rtol = 1e-9, .t1 = 1, .every = 0.005});
    runs[1] = paper_samples(
        s,
        &(paper_run){.problem = &reduced, .method = "gear", .rtol = 1e-9, .t1 = 1, .every = 0.005});
    double *both = paper_doubles(s, runs[1].count), start = full.x0[1] - cos(full.x0[0]);
    *worst = 0;
    for (size_t k = 0; k < runs[1].count; k++) {
        both[k] = runs[1].x[2 * k + 1] + start * exp(-runs[1].t[k] / eps);
        if (k < runs[0].count) *worst = fmax(*worst, fabs(both[k] - runs[0].x[2 * k + 1]));
    }
    curves[0] = paper_over_time(&runs[0], 1, "full model");
    curves[0].style = CLI_BACKGROUND;
    curves[1] = paper_over_time(&runs[1], 1, "reduced model, (4)");
    curves[2] = (cli_curve){
        .title = "with the boundary layer, (5)", .x = runs[1].t, .y = both, .count = runs[1].count};
    return (cli_panel){.x_label = "t, ε = 0.05", .y_label = "z", .curves = curves, .n_curves = 3};
}

void gt_paper_gil_manifold(paper_sheet *s)
{
    ends e[SIZES];
    cli_curve curves[3], errors[3];
    double worst = 0, *y = paper_doubles(s, 3 * SIZES);
    for (int k = 0; k < SIZES; k++) {
        if (!find_ends(s, sizes[k], &e[k])) return;
        y[k] = e[k].reduced, y[SIZES + k] = e[k].zeroth, y[2 * SIZES + k] = e[k].corrected;
        const char *name = paper_text(s, "eps = %g", sizes[k]);
        paper_value(s, paper_text(s, "%s: |x(1) - x of the reduced model|", name), NULL,
                    e[k].reduced, no_number);
        paper_value(s, paper_text(s, "%s: |z(1) - H_0|", name), NULL, e[k].zeroth, no_number);
        paper_value(s, paper_text(s, "%s: |z(1) - H_0 - eps H_1|", name), NULL, e[k].corrected,
                    no_number);
    }
    static const char *const titles[] = {"x, reduced model", "z from H₀", "z from H₀ + ε H₁"};
    for (size_t k = 0; k < 3; k++)
        errors[k] = (cli_curve){.title = titles[k],
                                .x = sizes,
                                .y = y + k * SIZES,
                                .count = SIZES,
                                .style = CLI_LINE_POINTS};
    cli_panel panels[] = {layer(s, curves, &worst),
                          {.x_label = "ε",
                           .y_label = "error at t = 1",
                           .log_x = true,
                           .log_y = true,
                           .curves = errors,
                           .n_curves = 3}};
    paper_draw(s, NULL, "The reduced model, the boundary layer and the slow manifold", panels, 2);
    paper_claim(
        s, "(9), (12): the manifold is h(x) + O(eps)", "first order",
        fabs(log10(e[2].zeroth / e[3].zeroth) - 1) < 0.05,
        paper_text(s, "order %.3f from eps = 1e-3 to 1e-4", log10(e[2].zeroth / e[3].zeroth)),
        NULL);
    paper_claim(
        s, "(15): with eps H_1 it is known to O(eps^2)", "second order",
        fabs(log10(e[1].corrected / e[2].corrected) - 2) < 0.1,
        paper_text(s, "order %.3f from eps = 1e-2 to 1e-3", log10(e[1].corrected / e[2].corrected)),
        NULL);
    paper_value(s, "eps = 0.05: largest |z - (reduced model and boundary layer)| in 0 .. 1", NULL,
                worst,
                "of the order of eps, where the reduced model alone is off by 1.1 at the start");
}
