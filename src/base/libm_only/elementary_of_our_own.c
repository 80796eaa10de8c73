/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/elementary.h"

double gt_log(double x) { return gt_own_log(x); }
double gt_exp(double x) { return gt_own_exp(x); }
double gt_power(double x, double y) { return gt_own_power(x, y); }
double gt_whole_power(double x, int n) { return gt_own_whole_power(x, n); }
