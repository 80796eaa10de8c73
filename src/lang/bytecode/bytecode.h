/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_BYTECODE_H
#define GEARTRAIN_LANG_BYTECODE_H

#include "lang/programs/programs.h"

/* The instructions of the interpreter: made by bytecode.c, run by bytecode_run.c. */

enum { LANES = 64 };

/* Instructions beyond the operations of the graph. */
enum { I_STORE = N_COUNT, I_ADD_TO, I_LOOP_J, I_LOOP_I, I_SUM };

/* A register: its place, and 1 when each lane has its own value. */
typedef struct ode_reg {
    int32_t at, lane;
} ode_reg;

typedef struct ode_instruction {
    int32_t op;
    ode_reg to, a, b, c;
    int32_t first, step, inner; /* loads and stores: first + step j + inner i; loops: lo, hi; calls:
                                   function, arguments */
    int32_t end;                /* loops and sums: behind the body */
    double value;
} ode_instruction;

typedef struct ode_instructions {
    ode_instruction *list;
    int32_t count, room;
    int32_t registers; /* doubles */
} ode_instructions;

typedef struct ode_bytecode {
    ode_work *work;
    const ode_programs *programs;
    const ode_graph *graph; /* calls walk it */
    const ode_table *tables;
    ode_instructions code[P_COUNT];
    ode_instructions **actions; /* [event][action] */
    int32_t registers;
    int32_t *call_registers;
    int32_t n_call_registers, room_call_registers;
} ode_bytecode;

/* Translates all programs into instructions. */
void gt_lang_make_bytecode(ode_bytecode *bytecode);

/* What one run of a list of instructions looks at. */
typedef struct ode_frame {
    const ode_bytecode *bytecode;
    const ode_instructions *c;
    double t;
    const double *x, *p;
    const signed char *sides;
    double *out, *regs;
    const int *place; /* not NULL: out is reached through it */
    int32_t j, lanes, i;
    bool one_j; /* loops over j run for this j only */
} ode_frame;

void gt_lang_run(ode_frame *f);

/* Where compiled code may come from while a problem is interpreted. */
struct gt_ode_later {
    gt_ode_native_fn *find;
    void *ctx;
    double first;
};

/* interpret.c: the functions of a model as the interpreter runs them, and what they run. */
typedef struct ode_interpreter {
    gt_ode_code code; /* comes first: it is what the functions get */
    ode_bytecode bytecode;
    ode_work work;
} ode_interpreter;

/* `code` describes the model. NULL: there is not enough memory, or the bytecode is beyond its
 * limits. */
ode_interpreter *gt_lang_make_interpreter(const ode_programs *programs, const gt_ode_code *code);
void gt_lang_free_interpreter(ode_interpreter *interpreter);

#endif
