/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/elementary.h"
#include <math.h>

double gt_log(double x) { return log(x); }
double gt_exp(double x) { return exp(x); }
double gt_power(double x, double y) { return pow(x, y); }
double gt_whole_power(double x, int n) { return pow(x, n); }
