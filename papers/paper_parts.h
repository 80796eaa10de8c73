/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PAPER_PARTS_H
#define GEARTRAIN_PAPER_PARTS_H

/* One file for each paper, or a few for a long one: its parts in the order of the paper. */
#include "papers.h"

extern const paper gt_paper_crow, gt_paper_gil, gt_paper_shi, gt_paper_xie;

/* Parts of gil with the pendulum (gil_pendulum.c), and what is misprinted (gil_formulas.c). */
void gt_paper_gil_figure_6(paper_sheet *s);
void gt_paper_gil_figure_7(paper_sheet *s);
void gt_paper_gil_figure_8(paper_sheet *s);
void gt_paper_gil_formulas(paper_sheet *s);

/* The matrix of a step of spm on the test equation of two rates; the energy of the pendulum. */
bool gt_paper_gil_matrix(paper_sheet *s, const char *options, double alpha, double beta, double _Complex xi,
                         double _Complex M[2][2]);
double gt_paper_gil_energy(const gt_problem *p, double t, const double *x);

/* Parts of crow that need a network (crow_power.c). */
void gt_paper_crow_flow(paper_sheet *s);
void gt_paper_crow_example_5_10(paper_sheet *s);
void gt_paper_crow_clearing(paper_sheet *s);
void gt_paper_crow_midterm(paper_sheet *s);
void gt_paper_crow_problem_10(paper_sheet *s);

#endif
