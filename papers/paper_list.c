/* SPDX-License-Identifier: BSD-3-Clause */
/* The papers, in the order of their names on the command line. */
#include "paper_parts.h"

const paper *const gt_papers[] = {&gt_paper_gil, &gt_paper_shi,  &gt_paper_shome,
                                  &gt_paper_xie, &gt_paper_crow, NULL};
