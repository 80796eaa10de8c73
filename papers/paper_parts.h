/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PAPER_PARTS_H
#define GEARTRAIN_PAPER_PARTS_H

/* One file for each paper, or a few for a long one: its parts in the order of the paper. */
#include "papers.h"

extern const paper gt_paper_crow, gt_paper_shi;

/* Parts of crow that need a network (crow_power.c). */
void gt_paper_crow_flow(paper_sheet *s);
void gt_paper_crow_example_5_10(paper_sheet *s);
void gt_paper_crow_clearing(paper_sheet *s);
void gt_paper_crow_midterm(paper_sheet *s);
void gt_paper_crow_problem_10(paper_sheet *s);

#endif
