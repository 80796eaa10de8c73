/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_NATIVE_H
#define GEARTRAIN_NATIVE_H

#include "native/sha256.h"
#include <geartrain/load.h>

/* The parts of compiling: programs that are started (tool.c), the folder that keeps results
 * (build_cache.c). */

/* printf into memory from malloc; NULL when there is none. */
char *gt_text(const char *format, ...) GT_PRINTF(1, 2);

/* gt_library_open that keeps log and remark. */
gt_status gt_library_attach(gt_library *library, const char *path,
                            gt_message *message) GT_MUST_CHECK;

/* ---- tool.c ---- */

enum { GT_MAX_WORDS = 48 };

/* A command as words; the first is the path of the program. The words are in one piece of memory.
 */
typedef struct gt_command {
    char *words[GT_MAX_WORDS + 1];
    size_t count;
    char *memory;
    int seconds;      /* of processor time for each process of it; 0: no limit */
    int wall_seconds; /* by the clock for all of it; 0: no limit */
} gt_command;

/* The compiler of the toolchain, found in its path. */
gt_status gt_command_compiler(gt_command *command, const gt_toolchain *tools,
                              gt_message *message) GT_MUST_CHECK;
/* Adds to the hash what tells this compiler from another: path, size and time of change of each
 * program that the command names. False: one cannot be looked at. */
bool gt_command_identify(const gt_command *command, const gt_toolchain *tools, gt_sha256 *hash);
void gt_command_add(gt_command *command, const char *word); /* a word that outlives the command */
void gt_command_free(gt_command *command);

typedef enum gt_command_end {
    GT_ENDED_WELL,
    GT_ENDED_BADLY,
    GT_ENDED_BY_LIMIT,
    GT_ENDED_BY_DEADLINE
} gt_command_end;

/* Runs it without a shell, with nothing to read. What it writes on standard output goes to the file
 * `out` (NULL: to the text as well) and its error output into `text` (malloc; the first 64 KB). It
 * ends well with status 0. None of its processes is left afterwards, unless one has left its
 * process group. */
gt_command_end gt_command_run(const gt_command *command, const char *out, char **text);

/* ---- build_cache.c ---- */

typedef struct gt_build_cache {
    int folder;       /* descriptor, -1: there is none */
    const char *path; /* of the folder */
} gt_build_cache;

/* Opens the folder, makes it when it is not there, refuses it when others could write there. */
gt_status gt_build_cache_open(gt_build_cache *cache, const char *path,
                              gt_message *message) GT_MUST_CHECK;
void gt_build_cache_close(gt_build_cache *cache);

/* Path (malloc) of the object of this key when it is there, ours and undamaged; NULL otherwise, and
 * what stood in its place is removed. */
char *gt_build_cache_find(const gt_build_cache *cache, const char *key);
void gt_build_cache_forget(const gt_build_cache *cache, const char *key);

/* Seals a finished file `made` (a path) and names it as the object of this key; its path (malloc),
 * NULL when that failed, with errno. */
char *gt_build_cache_keep(const gt_build_cache *cache, const char *key, const char *made);

/* A folder of its own for one compilation, below `where`; path from malloc. */
char *gt_build_folder(const char *where);
void gt_build_folder_remove(char *path); /* with the files in it; frees the path */

/* Removes folders that compilations which did not end left behind, and the oldest objects above the
 * bound. */
void gt_build_cache_tidy(const gt_build_cache *cache, const char *own_folder);

/* ---- object_seal.c ---- */

/* Appends the seal to a finished object, closes it to others and has it written to the disk; false
 * with errno. */
bool gt_object_seal(const char *path, const char *key);

/* The object is complete, unchanged and was made for this key. */
bool gt_object_is_sound(int descriptor, const char *key);

#endif
