/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PAPER_CROW_H
#define GEARTRAIN_PAPER_CROW_H

/* The parts of crow that stand in files of their own, and what several of them need. */
#include "paper_parts.h"

/* The one-step methods of Example 5.1, and their names in the chapter. */
extern const char *const gt_paper_crow_four[], *const gt_paper_crow_four_titles[];

gt_multistep gt_paper_crow_formula(paper_sheet *s, const char *method);

/* crow_power.c: what needs a network */
void gt_paper_crow_flow(paper_sheet *s);
void gt_paper_crow_example_5_10(paper_sheet *s);
void gt_paper_crow_clearing(paper_sheet *s);
void gt_paper_crow_midterm(paper_sheet *s);
void gt_paper_crow_problem_10(paper_sheet *s);

/* crow_problems.c */
void gt_paper_crow_problem_1(paper_sheet *s);
void gt_paper_crow_problems_2_and_4(paper_sheet *s);
void gt_paper_crow_problem_3(paper_sheet *s);
void gt_paper_crow_problems_5_to_7(paper_sheet *s);
void gt_paper_crow_problem_8(paper_sheet *s);
void gt_paper_crow_problem_9(paper_sheet *s);
void gt_paper_crow_problem_11(paper_sheet *s);

/* crow_formulas.c */
void gt_paper_crow_formulas(paper_sheet *s);

#endif
