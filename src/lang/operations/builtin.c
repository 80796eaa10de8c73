/* SPDX-License-Identifier: BSD-3-Clause */
#include "lang/operations/builtin.h"
#include "lang/operations/operations.h"

#define REFUSED(name_, why_)                                                                       \
    {                                                                                              \
        .name = name_, .kind = B_REFUSED, .why = why_                                              \
    }

const ode_builtin gt_lang_builtins[] = {
#define ODE_OPERATION(symbol, operands_, cost, text, c_name, traits, ...)                          \
    {.name = text,                                                                                 \
     .kind = (traits)&OP_CALLED ? B_FUNCTION : B_NONE,                                             \
     .op = symbol,                                                                                 \
     .operands = operands_},
#include "lang/operations/operations.def"
    {.name = "log", .kind = B_FUNCTION, .op = N_LN, .operands = 1},
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
