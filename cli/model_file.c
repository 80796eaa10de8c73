/* SPDX-License-Identifier: BSD-3-Clause */
/* The one place where the name of a model becomes a model: built in, or from a file. */
#include "cli.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_in(const char *name, const char *ending)
{
    const char *dot = strrchr(name, '.');
    return dot && !strcmp(dot, ending);
}

/* "-" is a model on standard input. */
static bool is_ode(const char *name)
{
    return ends_in(name, ".ode") || ends_in(name, ".xpp") || !strcmp(name, "-");
}

bool gt_cli_is_model_file(const char *name)
{
    return is_ode(name) || ends_in(name, ".c") || ends_in(name, ".so");
}

static int unknown_model(const char *name)
{
    enum { MANY = 256 };
    const char *names[MANY + 1];
    size_t count = 0;
    if (strchr(name, '/'))
        return gt_cli_usage("%s is not a model file: these end in .ode, .xpp, .c or .so", name);
    for (const gt_model *const *m = gt_model_list(); *m && count < MANY; m++)
        names[count++] = (*m)->name;
    names[count] = NULL;
    char buffer[96];
    const char *hint = gt_cli_suggest(name, names, buffer);
    return gt_cli_usage("there is no model '%s'%s", name,
                        *hint ? hint : "; see: geartrain list models");
}

/* a/b in the arena, NULL when a is not there. */
static char *path_in(gt_arena *arena, const char *a, const char *b)
{
    size_t length = a ? strlen(a) + strlen(b) + 2 : 0;
    char *path = a && *a ? gt_arena_take(arena, length, 1) : NULL;
    if (path) snprintf(path, length, "%s/%s", a, b);
    return path;
}

static bool has_headers(const char *folder)
{
    char path[4096];
    return folder &&
           snprintf(path, sizeof path, "%s/geartrain/model.h", folder) < (int)sizeof path &&
           !access(path, R_OK);
}

/* A model file that comes with the program, by its name: where a build folder or an installation
 * has it, beside the program or where it was built. */
static const char *find_shipped(gt_arena *arena, const char *name)
{
    static const char *const places[] = {"../models",
                                         "../examples/models",
                                         "../share/geartrain/models",
                                         GEARTRAIN_SHARE_DIR "/models",
                                         GEARTRAIN_SOURCE_DIR "/models",
                                         GEARTRAIN_SOURCE_DIR "/examples/models"};
    char folder[4096] = "";
    if (strchr(name, '/')) return NULL;
    bool known = gt_cli_own_folder(folder, sizeof folder);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (places[i][0] != '/' && !known) continue;
        const char *place = places[i][0] == '/' ? places[i] : path_in(arena, folder, places[i]);
        const char *path = place ? path_in(arena, place, name) : NULL;
        if (path && !access(path, R_OK)) return path;
    }
    return NULL;
}

/* The public headers: beside the program (PREFIX/bin and a build folder both have ../include), else
 * where they were when it was built. */
static const char *find_headers(gt_arena *arena)
{
    char program[4096];
    if (gt_cli_own_folder(program, sizeof program)) {
        char *beside = path_in(arena, program, "../include");
        if (has_headers(beside)) return beside;
    }
    return has_headers(GEARTRAIN_INCLUDE_DIR) ? GEARTRAIN_INCLUDE_DIR
                                              : GEARTRAIN_SOURCE_DIR "/include";
}

enum { MOST_SECONDS = 120 }; /* for a compiler */

/* The seconds by the clock that a user grants a compiler; 0: nothing is said. */
static int granted(int *seconds)
{
    const char *text = getenv("GEARTRAIN_COMPILE_SECONDS");
    char *end;
    *seconds = 0;
    if (!text || !*text) return CLI_OK;
    long value = strtol(text, &end, 10);
    if (*end || value < 1 || value > 86400)
        return gt_cli_usage("the variable GEARTRAIN_COMPILE_SECONDS is '%s'; it takes a whole "
                            "number from 1 to 86400",
                            text);
    *seconds = (int)value;
    return CLI_OK;
}

int gt_cli_toolchain(gt_arena *arena, gt_toolchain *tools)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    *tools = (gt_toolchain){.compiler = getenv("CC"),
                            .path = getenv("PATH"),
                            .scratch = getenv("TMPDIR"),
                            .seconds = MOST_SECONDS};
    /* A relative XDG_CACHE_HOME is to be ignored, as its specification says. */
    if (cache && cache[0] == '/') tools->cache = path_in(arena, cache, "geartrain");
    if (!tools->cache && home && home[0] == '/')
        tools->cache = path_in(arena, home, ".cache/geartrain");
    tools->include = find_headers(arena);
    return granted(&tools->wall_seconds);
}

static int open_object(const char *path, bool compile, cli_source *source)
{
    gt_message message = {""};
    gt_status status;
    if (compile) {
        gt_toolchain tools;
        int wrong = gt_cli_toolchain(&source->arena, &tools);
        if (wrong) return wrong;
        if (!tools.wall_seconds)
            tools.wall_seconds = MOST_SECONDS; /* there is no interpreter of C */
        status = gt_library_compile_file(&source->library, path, &tools, &message);
    } else {
        status = gt_library_open(&source->library, path, &message);
    }
    const gt_library *library = &source->library;
    if (library->log && (status || !source->quiet)) fputs(library->log, stderr);
    if (library->remark && library->compiled && !source->quiet)
        gt_cli_note("%s; so it is compiled anew in each run", library->remark);
    if (!status) status = gt_library_model(&source->library, path, &source->model, &message);
    return status ? gt_cli_complain(status, &message) : CLI_OK;
}

int gt_cli_source_open(const cli_args *args, const char *name, cli_source *source)
{
    struct stat info;
    *source = (cli_source){.arena = gt_arena_growing(), .quiet = gt_cli_has(&args->flags.quiet)};
    source->model = gt_model_find(name);
    gt_cli_json_expect_warnings();
    if (gt_cli_has(&args->flags.use_set) && !is_ode(name))
        return gt_cli_usage("--use-set is for .ode files; %s has no sets", name);
    if (source->model) return CLI_OK;
    if (!gt_cli_is_model_file(name)) return unknown_model(name);
    bool standard = !strcmp(name, "-");
    if (!standard && stat(name, &info)) {
        const char *shipped = is_ode(name) ? find_shipped(&source->arena, name) : NULL;
        if (!shipped || stat(shipped, &info))
            return gt_cli_usage("there is no model file %s", name);
        if (!source->quiet) gt_cli_note("%s is not here; taken from %s", name, shipped);
        name = shipped;
    }
    if (!standard && S_ISDIR(info.st_mode))
        return gt_cli_usage("%s is a folder, not a model file", name);
    if (!standard &&
        !S_ISREG(info.st_mode)) /* to open it could wait for ever, to read it have no end */
        return gt_cli_usage("%s is a pipe or a device, not a model file", name);
    source->path = name;
    if (is_ode(name)) return gt_cli_ode_open(args, name, source);
    if (gt_cli_has(&args->flags.no_compile) && ends_in(name, ".c"))
        return gt_cli_usage("--no-compile: %s is C and has to be compiled", name);
    return open_object(name, ends_in(name, ".c"), source);
}

void gt_cli_source_close(cli_source *source)
{
    gt_cli_native_close(source->native);
    gt_library_close(&source->library);
    gt_library_close(&source->before);
    gt_ode_free(source->ode);
    gt_ode_free(source->plain);
    free(source->text);
    gt_arena_free(&source->arena);
}
