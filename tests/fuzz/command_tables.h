/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_COMMAND_TABLES_H
#define GEARTRAIN_COMMAND_TABLES_H

/* What the program says of itself: its commands with their flags (geartrain help ..), and the
 * methods and models with their options, parameters and states (geartrain list, show --json). The
 * fuzzer of the command line draws from it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MANY = 256, LONG = 256 };

typedef struct flag_row {
    char name[48];
    char value[64];    /* as the help prints it, "NAME=VALUE"; empty: a switch */
    char one_of[LONG]; /* "a, b, c" where the help lists what it may be */
} flag_row;

typedef struct command_row {
    char name[48];    /* "power flow" */
    char usage[LONG]; /* behind the name: "MODEL --methods A,B,.." */
    flag_row flags[64];
    size_t n_flags;
} command_row;

/* A method with its options or a model with its parameters and states. */
typedef struct thing {
    char name[64];
    char (*keys)[64], (*ranges)[64], (*states)[64];
    size_t n_keys, n_states;
    bool known;
} thing;

typedef struct tables {
    const char *program;
    command_row commands[64];
    thing methods[MANY], models[MANY];
    size_t n_commands, n_methods, n_models;
} tables;

void tables_read(tables *t, const char *program);

/* Asks the program about it when that was not yet done. */
thing *tables_look(const tables *t, thing *which);

#endif
