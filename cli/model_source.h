/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CLI_MODEL_SOURCE_H
#define GEARTRAIN_CLI_MODEL_SOURCE_H

/* The model, built in or from a file. */
#include "args.h"

/* What an .ode file asks of a run; all is 0 for other models. Flags are stronger. */
typedef struct cli_wishes {
    const char *method; /* of its option meth; NULL: none */
    double h;           /* > 0: that method has a fixed step, and this is it */
    double rtol, atol;  /* 0: it says nothing */
    double every;       /* rows of a file */
    double trans;       /* rows begin so long after t0 */
} cli_wishes;

/* A model with what it was read from; nothing here changes after it is open, so threads may share
 * it. */
typedef struct cli_source {
    gt_arena arena;
    const gt_model *model;
    const char *path;   /* of its file; NULL: built in */
    gt_library library; /* of a file that is C or compiled */
    gt_ode *ode;        /* of an .ode file */
    gt_ode *plain;      /* the same as the file divides it, where it was read with other blocks */
    gt_library before;  /* of `plain`, where that was compiled: problems built from it name it */
    char *text;         /* of the file */
    size_t length;
    struct cli_native *native; /* how its compiled code is made on the way; NULL: not so */
    const gt_ode_set *set;     /* --use-set; NULL: none */
    cli_wishes wishes;
    bool quiet;
} cli_source;

/* Built in, or a file that ends in .ode, .c or .so; or error messages with the nearest name, with
 * what is wrong in the file, with what the compiler said. To be closed in any case. */
int gt_cli_source_open(const cli_args *args, const char *name, cli_source *source);
void gt_cli_source_close(cli_source *source);

/* The .ode file (ode_file.c): reads it, reports its notes, compiles it unless --no-compile. */
int gt_cli_ode_open(const cli_args *args, const char *path, cli_source *source);

/* Compiled code of the same equations (ode_native.c): at once, or when the interpreter has worked
 * so long that it pays. Where it cannot be made, the interpreter does, and a note says why. */
int gt_cli_ode_compile(cli_source *source);
int gt_cli_ode_compile_later(cli_source *source);
void gt_cli_native_close(struct cli_native *native); /* NULL: nothing */

/* The same file read with other blocks, `divided`, takes its place; it is then compiled as the
 * other was to be. */
int gt_cli_ode_replace(cli_source *source, gt_ode *divided);

/* The parts of a set that are initial values and times. */
void gt_cli_ode_start(const cli_source *source, gt_problem *problem, double *x0);

/* The name is one of a model file, whether or not it is there. */
bool gt_cli_is_model_file(const char *name);

/* What compiling takes, from the environment: CC, PATH, TMPDIR, XDG_CACHE_HOME or HOME,
 * GEARTRAIN_COMPILE_SECONDS (0 in wall_seconds when that is not set). */
int gt_cli_toolchain(gt_arena *arena, gt_toolchain *tools);

#endif
