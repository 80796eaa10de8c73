/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of operations as a table, and their values. */
#include "lang/operations/operations.h"
#include <assert.h>
#include <geartrain/author/ode_runtime.h>
#include <math.h>

static_assert(N_COUNT <= UINT8_MAX, "nodes and syntax keep an operation in a byte");
static_assert((int)N_COUNT < (int)GT_ODE_STORE, "a term of a series is an operation or a store");

const ode_operation gt_lang_operations[N_COUNT] = {
#define ODE_OPERATION(symbol, operands, cost, text, c_name, traits, ...)                           \
    [symbol] = {text, c_name, operands, cost, traits},
#include "lang/operations/operations.def"
};

double gt_lang_apply(int op, double a, double b, double c)
{
    switch ((ode_op)op) {
#define ODE_OPERATION(symbol, operands, cost, text, c_name, traits, value, ...)                    \
    case symbol:                                                                                   \
        return value;
#include "lang/operations/operations.def"
    default:
        return NAN;
    }
}
