/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_DOP853_H
#define GEARTRAIN_KIT_DOP853_H

/* The numbers of dop853, for the method and for the test of its order conditions. */
enum { GT_853_STAGES = 12, GT_853_MORE = 3, GT_853_ALL = GT_853_STAGES + 1 + GT_853_MORE };

typedef struct gt_853_numbers {
    double c[GT_853_STAGES], a[GT_853_STAGES][GT_853_STAGES], b[GT_853_STAGES];
    double e5[GT_853_STAGES]; /* b less the weights of order 5 */
    double b3[GT_853_STAGES]; /* the weights of order 3 */
    /* Dense output: three more stages after the slope at the end, and its polynomials, over all
     * sixteen slopes. */
    double c_more[GT_853_MORE], a_more[GT_853_MORE][GT_853_ALL], d[4][GT_853_ALL];
} gt_853_numbers;

extern const gt_853_numbers gt_853;

#endif
