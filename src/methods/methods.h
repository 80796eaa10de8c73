/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_METHODS_METHODS_H
#define GEARTRAIN_METHODS_METHODS_H

/* The descriptors; each is defined in the file of its algorithm and listed in method_list.c. */
#include <geartrain/method.h>

#define GT_DECLARE_METHOD(id) extern const gt_method gt_method_##id;
#define GT_METHOD_IDS(X)                                                                                               \
    X(euler)                                                                                                           \
    X(rk2)                                                                                                             \
    X(heun)                                                                                                            \
    X(rk4)                                                                                                             \
    X(rkf45)                                                                                                           \
    X(dopri5)                                                                                                          \
    X(taylor)                                                                                                          \
    X(beuler)                                                                                                          \
    X(trapezoidal)                                                                                                     \
    X(gear)
GT_METHOD_IDS(GT_DECLARE_METHOD)
#undef GT_DECLARE_METHOD

#endif
