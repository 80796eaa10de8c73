/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_HAND_H
#define GEARTRAIN_LANG_HAND_H

#include <geartrain/problem.h>

/* Right-hand sides as one would write them by hand in C, and the same as .ode text. */
typedef struct bench_hand_numbers {
    size_t n;
    double p[3];
} bench_hand_numbers;

gt_rhs_fn bench_hand_lorenz, bench_hand_hires, bench_hand_brusselator;
extern const char bench_text_lorenz[], bench_text_hires[];

#endif
