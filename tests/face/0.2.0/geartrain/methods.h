/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_METHODS_H
#define GEARTRAIN_METHODS_H

/*
 * The methods by name: gt_solve(&problem, &gt_method_dopri5, &plan, &report). A program that names
 * its methods so, and asks neither gt_method_list nor gt_method_find, has only these linked from
 * the static library, with -Wl,--gc-sections to the function.
 */
#include <geartrain/api.h>
#include <geartrain/method.h>

GT_C_BEGIN

#define GT_DECLARE_METHOD(id) extern GT_API const gt_method gt_method_##id;
#define GT_METHOD_IDS(X)                                                                           \
    X(euler)                                                                                       \
    X(rk2)                                                                                         \
    X(heun)                                                                                        \
    X(bs32)                                                                                        \
    X(rk4)                                                                                         \
    X(rkf45)                                                                                       \
    X(dopri5)                                                                                      \
    X(dop853)                                                                                      \
    X(taylor)                                                                                      \
    X(mri3)                                                                                        \
    X(mri4)                                                                                        \
    X(mradams)                                                                                     \
    X(beuler)                                                                                      \
    X(trapezoidal)                                                                                 \
    X(bi)                                                                                          \
    X(bi11)                                                                                        \
    X(bi22)                                                                                        \
    X(bi33)                                                                                        \
    X(bi44)                                                                                        \
    X(bi55)                                                                                        \
    X(bi77h)                                                                                       \
    X(bi12)                                                                                        \
    X(bi23)                                                                                        \
    X(bi34)                                                                                        \
    X(bi45)                                                                                        \
    X(birkf)                                                                                       \
    X(bipade2)                                                                                     \
    X(bipade4)                                                                                     \
    X(bipade6)                                                                                     \
    X(bipade8)                                                                                     \
    X(gear)                                                                                        \
    X(ab1)                                                                                         \
    X(ab2)                                                                                         \
    X(ab3)                                                                                         \
    X(ab4)                                                                                         \
    X(ab5)                                                                                         \
    X(ab6)                                                                                         \
    X(am1)                                                                                         \
    X(am2)                                                                                         \
    X(am3)                                                                                         \
    X(am4)                                                                                         \
    X(am5)                                                                                         \
    X(am6)                                                                                         \
    X(gear1)                                                                                       \
    X(gear2)                                                                                       \
    X(gear3)                                                                                       \
    X(gear4)                                                                                       \
    X(gear5)                                                                                       \
    X(gear6)                                                                                       \
    X(spm)                                                                                         \
    X(spm2)                                                                                        \
    X(spmc)                                                                                        \
    X(rodas4)                                                                                      \
    X(rodas4p)                                                                                     \
    X(rodas5)                                                                                      \
    X(radau)                                                                                       \
    X(exprb2)                                                                                      \
    X(exprb32)                                                                                     \
    X(exprb43)                                                                                     \
    X(dreuler)                                                                                     \
    X(dravg)                                                                                       \
    X(prk25)                                                                                       \
    X(prk25printed)                                                                                \
    X(prk2s)                                                                                       \
    X(prk3s)                                                                                       \
    X(prk36)                                                                                       \
    X(prk37)                                                                                       \
    X(prk38)                                                                                       \
    X(prk46)                                                                                       \
    X(prk48)                                                                                       \
    X(smfe)                                                                                        \
    X(smrk2)                                                                                       \
    X(smrk4)                                                                                       \
    X(smes)
GT_METHOD_IDS(GT_DECLARE_METHOD)
#undef GT_DECLARE_METHOD

GT_C_END

#endif
