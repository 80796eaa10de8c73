/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ODE_OPERATIONS_H
#define GEARTRAIN_ODE_OPERATIONS_H

/* What the nodes of a graph do, in one list. */
#include <stdbool.h>

/* X(symbol, number of operands, text, cost in operations, value); leaves, tables, sums and calls have no value without
 * their surroundings. */
#define ODE_OPERATIONS(X)                                                                                              \
    X(N_CONST, 0, "", 0, NAN)                                                                                          \
    X(N_TIME, 0, "t", 0, NAN)                                                                                          \
    X(N_J, 0, "j", 0, NAN)                                                                                             \
    X(N_I, 0, "i", 0, NAN)                                                                                             \
    X(N_STATE, 0, "x", 0, NAN) /* x[a + b j + c i] */                                                                  \
    X(N_PARAM, 0, "p", 0, NAN) /* p[a + b j + c i] */                                                                  \
    X(N_ARG, 0, "arg", 0, NAN)                                                                                         \
    X(N_NEG, 1, "-", 1, -a)                                                                                            \
    X(N_ADD, 2, "+", 1, a + b)                                                                                         \
    X(N_SUB, 2, "-", 1, a - b)                                                                                         \
    X(N_MUL, 2, "*", 1, (a * b))                                                                                       \
    X(N_DIV, 2, "/", 4, a / b)                                                                                         \
    X(N_POW, 2, "pow", 20, pow(a, b))                                                                                  \
    X(N_LT, 2, "<", 1, a < b)                                                                                          \
    X(N_LE, 2, "<=", 1, a <= b)                                                                                        \
    X(N_GT, 2, ">", 1, a > b)                                                                                          \
    X(N_GE, 2, ">=", 1, a >= b)                                                                                        \
    X(N_EQ, 2, "==", 1, a == b)                                                                                        \
    X(N_NE, 2, "!=", 1, a != b)                                                                                        \
    X(N_AND, 2, "&", 1, a != 0 && b != 0)                                                                              \
    X(N_OR, 2, "|", 1, a != 0 || b != 0)                                                                               \
    X(N_NOT, 1, "not", 1, a == 0)                                                                                      \
    X(N_IF, 3, "if", 1, a != 0 ? b : c)                                                                                \
    X(N_SIN, 1, "sin", 20, sin(a))                                                                                     \
    X(N_COS, 1, "cos", 20, cos(a))                                                                                     \
    X(N_TAN, 1, "tan", 20, tan(a))                                                                                     \
    X(N_ASIN, 1, "asin", 20, asin(a))                                                                                  \
    X(N_ACOS, 1, "acos", 20, acos(a))                                                                                  \
    X(N_ATAN, 1, "atan", 20, atan(a))                                                                                  \
    X(N_ATAN2, 2, "atan2", 20, atan2(a, b))                                                                            \
    X(N_SINH, 1, "sinh", 20, sinh(a))                                                                                  \
    X(N_COSH, 1, "cosh", 20, cosh(a))                                                                                  \
    X(N_TANH, 1, "tanh", 20, tanh(a))                                                                                  \
    X(N_EXP, 1, "exp", 20, exp(a))                                                                                     \
    X(N_LN, 1, "ln", 20, log(a))                                                                                       \
    X(N_LOG10, 1, "log10", 20, log10(a))                                                                               \
    X(N_SQRT, 1, "sqrt", 4, sqrt(a))                                                                                   \
    X(N_ABS, 1, "abs", 1, fabs(a))                                                                                     \
    X(N_SIGN, 1, "sign", 1, gt_ode_sign(a))                                                                            \
    X(N_HEAV, 1, "heav", 1, gt_ode_heav(a))                                                                            \
    X(N_MIN, 2, "min", 1, gt_ode_min(a, b))                                                                            \
    X(N_MAX, 2, "max", 1, gt_ode_max(a, b))                                                                            \
    X(N_MOD, 2, "mod", 20, gt_ode_mod(a, b))                                                                           \
    X(N_FLR, 1, "flr", 4, floor(a))                                                                                    \
    X(N_CEIL, 1, "ceil", 4, ceil(a))                                                                                   \
    X(N_ERF, 1, "erf", 20, erf(a))                                                                                     \
    X(N_ERFC, 1, "erfc", 20, erfc(a))                                                                                  \
    X(N_TIMES, 2, "*", 1, gt_ode_times(a, b)) /* products and quotients in derivatives, where 0 wins */                \
    X(N_PER, 2, "/", 4, gt_ode_per(a, b))                                                                              \
    X(N_TABLE, 1, "table", 4, NAN) /* of the table b, linear between samples */                                        \
    X(N_SLOPE, 1, "slope", 4, NAN) /* its slope */                                                                     \
    X(N_HELD, 1, "", 1, NAN)       /* the relation a, or what its switch b + c j + value i says */                     \
    X(N_HELD_SIGN, 1, "", 1, NAN)  /* the same of a sign */                                                            \
    X(N_SUM, 1, "sum", 1, NAN)     /* of a for i from b to c */                                                        \
    X(N_CALL, 0, "call", 100, NAN) /* of recursive function a; b: first of its arguments in `arguments` */

typedef enum ode_op {
#define ODE_OP(symbol, operands, text, cost, value) symbol,
    ODE_OPERATIONS(ODE_OP)
#undef ODE_OP
        N_COUNT
} ode_op;

/* Functions of one argument whose series follow from that of their slope by the chain rule. */
static inline bool ode_has_slope(ode_op op)
{
    switch (op) {
    case N_SIN:
    case N_COS:
    case N_TAN:
    case N_ASIN:
    case N_ACOS:
    case N_ATAN:
    case N_SINH:
    case N_COSH:
    case N_TANH:
    case N_EXP:
    case N_LN:
    case N_LOG10:
    case N_ERF:
    case N_ERFC:
        return true;
    default:
        return false;
    }
}

#endif
