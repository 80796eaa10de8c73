/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_LIMITS_H
#define GEARTRAIN_LANG_LIMITS_H

/* What is beyond these is refused with an error message. */
enum {
    ODE_MAX_FILE = 16 << 20, /* bytes */
    ODE_MAX_NESTING = 200,   /* parentheses */
    ODE_MAX_DEPTH = 4000,    /* names that refer to names */
    ODE_MAX_STATES = 10000000,
    ODE_MAX_RATES = 6,         /* above 0 */
    ODE_MAX_INDEX = 100000000, /* of an array element, in size */
    ODE_MAX_SYNTAX = 8 << 20,  /* nodes of all syntax trees */
    ODE_MAX_NODES = 4 << 20,   /* nodes of the graph */
    ODE_MAX_WORK = 20 << 20,   /* steps of the translation */
    ODE_MAX_PIECES = 20000,    /* of one array statement */
    ODE_MAX_ARGS = 20,         /* of a function */
    ODE_MAX_TABLE = 1000000,   /* samples of a table */
    ODE_MAX_ERRORS = 20
};
#define ODE_MAX_MEMORY ((size_t)1 << 31)
/* Of the Jacobian, entries and expressions for them; what has more is left to differences. */
#define ODE_MAX_ENTRIES 50000000
#define ODE_MAX_BANDS 500000

#endif
