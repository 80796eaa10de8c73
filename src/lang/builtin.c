/* SPDX-License-Identifier: BSD-3-Clause */
#include "lang/builtin.h"
#include "lang/ode.h"

#define FUNCTION(name_, op_, operands_)                                                                                \
    {                                                                                                                  \
        .name = name_, .kind = B_FUNCTION, .op = op_, .operands = operands_                                            \
    }
#define REFUSED(name_, why_)                                                                                           \
    {                                                                                                                  \
        .name = name_, .kind = B_REFUSED, .why = why_                                                                  \
    }

const ode_builtin gt_lang_builtins[] = {FUNCTION("sin", N_SIN, 1),
                                        FUNCTION("cos", N_COS, 1),
                                        FUNCTION("tan", N_TAN, 1),
                                        FUNCTION("asin", N_ASIN, 1),
                                        FUNCTION("acos", N_ACOS, 1),
                                        FUNCTION("atan", N_ATAN, 1),
                                        FUNCTION("atan2", N_ATAN2, 2),
                                        FUNCTION("sinh", N_SINH, 1),
                                        FUNCTION("cosh", N_COSH, 1),
                                        FUNCTION("tanh", N_TANH, 1),
                                        FUNCTION("exp", N_EXP, 1),
                                        FUNCTION("ln", N_LN, 1),
                                        FUNCTION("log", N_LN, 1),
                                        FUNCTION("log10", N_LOG10, 1),
                                        FUNCTION("sqrt", N_SQRT, 1),
                                        FUNCTION("abs", N_ABS, 1),
                                        FUNCTION("sign", N_SIGN, 1),
                                        FUNCTION("heav", N_HEAV, 1),
                                        FUNCTION("min", N_MIN, 2),
                                        FUNCTION("max", N_MAX, 2),
                                        FUNCTION("mod", N_MOD, 2),
                                        FUNCTION("flr", N_FLR, 1),
                                        FUNCTION("ceil", N_CEIL, 1),
                                        FUNCTION("erf", N_ERF, 1),
                                        FUNCTION("erfc", N_ERFC, 1),
                                        {.name = "t", .kind = B_TIME},
                                        {.name = "pi", .kind = B_PI},
                                        {.name = "if", .kind = B_WORD},
                                        {.name = "then", .kind = B_WORD},
                                        {.name = "else", .kind = B_WORD},
                                        {.name = "sum", .kind = B_WORD},
                                        {.name = "of", .kind = B_WORD},
                                        {.name = "shift", .kind = B_WORD},
                                        {.name = "not", .kind = B_WORD},
                                        REFUSED("delay", "delays"),
                                        REFUSED("del_shft", "delays"),
                                        REFUSED("ran", "random numbers"),
                                        REFUSED("normal", "random numbers"),
                                        REFUSED("poisson", "random numbers"),
                                        REFUSED("ishift", "ishift"),
                                        REFUSED("besselj", "Bessel functions"),
                                        REFUSED("bessely", "Bessel functions"),
                                        REFUSED("besseli", "Bessel functions"),
                                        REFUSED("lgamma", "the gamma function"),
                                        {0}};
