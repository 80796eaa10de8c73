/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_OPERATIONS_H
#define GEARTRAIN_LANG_OPERATIONS_H

/* What the nodes of a graph do; the list is operations.def. */
#include <stdbool.h>
#include <stdint.h>

typedef enum ode_op {
#define ODE_OPERATION(symbol, ...) symbol,
#include "lang/operations/operations.def"
    N_COUNT
} ode_op;

/* What an operation is like. */
enum {
    OP_CALLED = 1,   /* a function that a model file calls by its name */
    OP_WILD = 2,     /* can leave the finite numbers on its own */
    OP_CHAINED = 4,  /* its series follows from that of its derivative by the chain rule */
    OP_SWITCHES = 8, /* has a surface where it switches */
    OP_STEPS = 16,   /* is constant but for jumps where a relation switches */
    OP_JUMPS = 32    /* jumps in between, at times that are not looked for */
};

typedef struct ode_operation {
    const char *text, *c_name;
    uint8_t operands, cost, traits;
} ode_operation;

extern const ode_operation gt_lang_operations[N_COUNT];

static inline int ode_operands(int op) { return gt_lang_operations[op].operands; }
static inline const char *ode_text_of(int op) { return gt_lang_operations[op].text; }
static inline int ode_cost(int op) { return gt_lang_operations[op].cost; }
static inline bool ode_is(int op, int trait)
{
    return (gt_lang_operations[op].traits & trait) != 0;
}

/* The value of an operation on numbers. */
double gt_lang_apply(int op, double a, double b, double c);

#endif
