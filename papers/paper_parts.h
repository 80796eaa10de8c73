/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PAPER_PARTS_H
#define GEARTRAIN_PAPER_PARTS_H

/* One file for each paper, or a few for a long one: its parts in the order of the paper. */
#include "papers.h"
#include <geartrain/analysis/design.h>
#include <geartrain/analysis/stability.h>

extern const paper gt_paper_crow, gt_paper_gil, gt_paper_shi, gt_paper_shome, gt_paper_xie;

/* Facts about the stability of a method; a failure is that of the sheet. */
gt_stability gt_paper_facts(paper_sheet *s, const char *method, const char *options);

/* Parts of gil with the pendulum (gil_pendulum.c), and what is misprinted (gil_formulas.c). */
void gt_paper_gil_figure_6(paper_sheet *s);
void gt_paper_gil_figure_7(paper_sheet *s);
void gt_paper_gil_figure_8(paper_sheet *s);
void gt_paper_gil_formulas(paper_sheet *s);
void gt_paper_gil_manifold(paper_sheet *s); /* gil_manifold.c */

/* The matrix of a step of spm on the test equation of two rates; the energy of the pendulum. */
bool gt_paper_gil_matrix(paper_sheet *s, const char *options, double alpha, double beta,
                         double _Complex xi, double _Complex M[2][2]);
double gt_paper_gil_energy(const gt_problem *p, double t, const double *x);

/* Parts of shome with vehicles (shome_vehicle.c), pairs of the kind of Table 6 (shome_pairs.c), and
 * the appendices (shome_appendix.c). */
void gt_paper_shome_table_7(paper_sheet *s);
void gt_paper_shome_figures_4_5(paper_sheet *s);
void gt_paper_shome_table_8(paper_sheet *s);
void gt_paper_shome_figures_6_7(paper_sheet *s);
void gt_paper_shome_table_9(paper_sheet *s);
void gt_paper_shome_figure_8(paper_sheet *s);
void gt_paper_shome_appendix_a(paper_sheet *s);
void gt_paper_shome_appendix_b(paper_sheet *s);

/* x' = m_0 x + m_1 y, y' = m_2 x + m_3 y; the tableaux of a method; a method of two tableaux; one
 * of them alone. */
gt_problem gt_paper_shome_linear(double *matrix, const double *x0);
gt_partitioned gt_paper_shome_pair(paper_sheet *s, const char *method, const char *options);
const gt_method *gt_paper_shome_method(paper_sheet *s, const char *name, const gt_partitioned *P);

/* A 2-6 pair as the paper makes them: order, coupling and polynomial, but neither nodes nor weights
 * equal; another one for each seed. False: this start leads nowhere. */
bool gt_paper_shome_random_pair(unsigned seed, gt_partitioned *P);

#endif
