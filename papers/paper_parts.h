/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PAPER_PARTS_H
#define GEARTRAIN_PAPER_PARTS_H

/* One file for each paper, or a few for a long one: its parts in the order of the paper. */
#include "papers.h"

extern const paper gt_paper_crow;

#endif
