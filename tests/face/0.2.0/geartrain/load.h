/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LOAD_H
#define GEARTRAIN_LOAD_H

#include <geartrain/api.h>
#include <geartrain/model.h>

GT_C_BEGIN

/*
 * Models from files: a shared object, or C source, which is compiled into one and kept. The file
 * defines
 *
 *     const gt_model geartrain_model = {.abi = GT_MODEL_ABI, ...};
 *
 * and may use whatever the public headers declare. The program that loads it must export the gt_
 * functions: link against libgeartrain.so, or link the static library whole and with -rdynamic.
 */

/* What compiling takes. The library does not look into the environment; a program fills this from
 * its own. */
typedef struct gt_toolchain {
    const char *compiler; /* a command, with arguments perhaps: "ccache gcc"; NULL or "": cc, gcc or
                             clang of `path` */
    const char *path;     /* folders of programs as in $PATH; NULL: /usr/local/bin:/usr/bin:/bin */
    const char *cache;    /* folder that keeps what was compiled, made when it is not there; NULL:
                             nothing is kept */
    const char *scratch;  /* folder for what is not kept; NULL: /tmp */
    const char *include;  /* folder that has geartrain/model.h */
    int seconds; /* of processor time that each part of a compiler may take; 0: as long as it takes
                  */
    int wall_seconds; /* by the clock that a call of the compiler may take; 0: as long as it takes
                       */
} gt_toolchain;

/* What the compiler is called with, besides the names of files. Contraction is off so that compiled
 * code and the same operations done one by one give the same bits; errno and traps are not looked
 * at, which changes no value. */
#define GT_COMPILE_FLAGS                                                                           \
    "-O2 -ftree-vectorize -fno-tree-slp-vectorize -std=gnu11 -fPIC -shared -ffp-contract=off "     \
    "-fno-math-errno "                                                                             \
    "-fno-trapping-math -Wall"

/* Text beyond the first length is compiled with -O1, beyond the second with -O0: written-out
 * equations by the thousand gain little from -O2, and a compiler takes minutes for them. The next
 * two are of the longest function: for one long one, such as that of a single expression with
 * thousands of operations, compilers need more than in proportion unless it is by -O0; beyond the
 * last length it is not compiled at all (GT_UNSUPPORTED), because that would take seconds too. All
 * in bytes. */
enum { GT_COMPILE_LONG = 400000, GT_COMPILE_HUGE = 8000000 };
enum { GT_COMPILE_LONG_FUNCTION = 64000, GT_COMPILE_MOST_FUNCTION = 1000000 };

/* A shared object that is loaded. */
typedef struct gt_library {
    void *handle;
    char *log;     /* what the compiler said, also when it failed; NULL: nothing */
    char *remark;  /* why nothing could be kept in the cache; NULL: it could */
    bool compiled; /* now, not taken from the cache */
    void *reserved[2];
} gt_library;

/* Loads a shared object. */
GT_API gt_status gt_library_open(gt_library *library, const char *path,
                                 gt_message *message) GT_MUST_CHECK;

GT_API gt_status gt_library_compile_file_sized(gt_library *library, const char *path,
                                               const gt_toolchain *tools, size_t tools_size,
                                               gt_message *message) GT_MUST_CHECK;
/* Compiles C source and loads it; what was compiled before from the same text, headers, compiler
 * and flags is taken from the cache. GT_UNSUPPORTED: there is no compiler, or it took or would take
 * too long. GT_BAD_ARGUMENT: it did not accept the text, see library->log. To be closed in any
 * case. Safe from several threads, and when several programs compile the same at once. */
static inline GT_MUST_CHECK gt_status gt_library_compile_file(gt_library *library, const char *path,
                                                              const gt_toolchain *tools,
                                                              gt_message *message)
{
    return gt_library_compile_file_sized(library, path, tools, sizeof *tools, message);
}

GT_API gt_status gt_library_compile_text_sized(gt_library *library, const char *text,
                                               const gt_toolchain *tools, size_t tools_size,
                                               gt_message *message) GT_MUST_CHECK;
static inline GT_MUST_CHECK gt_status gt_library_compile_text(gt_library *library, const char *text,
                                                              const gt_toolchain *tools,
                                                              gt_message *message)
{
    return gt_library_compile_text_sized(library, text, tools, sizeof *tools, message);
}

/* An object that the library defines, NULL when it does not. */
GT_API void *gt_library_symbol(const gt_library *library, const char *name);

/* Its geartrain_model, when that is there, of this interface and complete. `path` is for the error
 * message. */
GT_API gt_status gt_library_model(const gt_library *library, const char *path,
                                  const gt_model **model, gt_message *message) GT_MUST_CHECK;

/* Unloads it: the model and all that was built by it are gone. */
GT_API void gt_library_close(gt_library *library);

GT_C_END

#endif
