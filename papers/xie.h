/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PAPER_XIE_H
#define GEARTRAIN_PAPER_XIE_H

/* The parts of xie, in the order of the thesis, and what several of them need. */
#include "paper_parts.h"
#include <geartrain/analysis/stability.h>

/* The order p of num/den beside exp(z), and the constant C of num/den - exp(z) = C z^(p+1) + ... */
int gt_xie_order(const gt_rational *R, double *constant);

/* A curve of count points in the sheet's arena, to be filled through x and y. */
cli_curve gt_xie_curve(paper_sheet *s, const char *title, size_t count, double **x, double **y);

/* The boundary of the stable region, as a curve. */
cli_curve gt_xie_boundary(paper_sheet *s, const char *method, const char *options,
                          const char *title);

/* xie_family.c: chapter 2 */
void gt_xie_euler_domains(paper_sheet *s);
void gt_xie_euler_runs(paper_sheet *s);
void gt_xie_oscillator(paper_sheet *s);
void gt_xie_matrices(paper_sheet *s);
void gt_xie_orders(paper_sheet *s);
void gt_xie_l_stability(paper_sheet *s);

/* xie_analysis.c: sections 3.1 to 3.3 */
void gt_xie_stability_45(paper_sheet *s);
void gt_xie_stability_55(paper_sheet *s);
void gt_xie_accuracy(paper_sheet *s);
void gt_xie_damping(paper_sheet *s);

/* xie_steps.c: sections 3.4 and 3.5, Appendix B, chapter 6 */
void gt_xie_marginal(paper_sheet *s);
void gt_xie_stiff(paper_sheet *s);
void gt_xie_program(paper_sheet *s);
void gt_xie_lotka_volterra(paper_sheet *s);
void gt_xie_broyden(paper_sheet *s);

/* xie_poles.c: the equations and the poles of chapters 4 and 5 */
void gt_xie_arm_equations(paper_sheet *s);
void gt_xie_poles_open_4(paper_sheet *s);
void gt_xie_poles_closed_4(paper_sheet *s);
void gt_xie_poles_open_5(paper_sheet *s);
void gt_xie_poles_closed_5(paper_sheet *s);

/* xie_arms.c: the tables and responses of chapters 4 and 5 */
void gt_xie_table_1(paper_sheet *s);
void gt_xie_table_2(paper_sheet *s);
void gt_xie_open_4(paper_sheet *s);
void gt_xie_open_5(paper_sheet *s);
void gt_xie_closed_4(paper_sheet *s);
void gt_xie_closed_5(paper_sheet *s);

#endif
