/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When a model file is compiled.
 *
 * A compiler takes 50 ms and more, and most runs are done before that, so a run begins with the
 * interpreter. When that has done as much as it takes to read compiled code from the cache, the
 * cache is asked; when it has done as much as a compiler would cost, the file is compiled, and the
 * run goes on with native code, at whatever call of f it is. Both give the same bits, so nothing
 * shows but the time. At worst a run takes twice what the better of the two would have. What counts
 * are operations, not a clock: the same run does the same every time.
 */
#include "cli.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { LONG_CODE = 1000000 };
enum {
    PATIENCE = 30,
    PATIENCE_LONG = 120
}; /* seconds for a compiler; the interpreter takes over after them */

/* Operations of the interpreter, at 4 to 8 ns each: about 1 ms, what finding and loading compiled
 * code takes; 50 ms, what a compiler takes to start, read the headers and write an object; and, for
 * each byte of code, what it takes to translate that. */
static const double look_after = 2e5;
static const double compile_after = 1e7;
static const double compile_each_byte = 400;

struct cli_native {
    pthread_mutex_t lock;
    cli_source *source;
    gt_toolchain tools;
    const gt_model *model; /* compiled; NULL: not yet */
    char *code;
    size_t length;
    double due; /* the operations after which it is compiled */
    bool looked, tried;
};

static void announce(const cli_source *source, size_t length)
{
    if (length <= LONG_CODE || source->quiet || !isatty(STDERR_FILENO)) return;
    gt_cli_note("compiling %.1f MB of C, for the first run of %s only (--no-compile interprets it)",
                (double)length / 1e6, source->path);
}

/* Compiled and loaded, or loaded from the cache; else why not. */
static gt_status make(cli_source *source, const char *code, size_t length, gt_toolchain tools,
                      const gt_model **model, gt_message *message)
{
    if (!tools.wall_seconds) tools.wall_seconds = length > LONG_CODE ? PATIENCE_LONG : PATIENCE;
    gt_library library = {0};
    gt_status status = gt_library_compile_text(&library, code, &tools, message);
    if (!status) status = gt_library_model(&library, source->path, model, message);
    if (status) {
        gt_library_close(&library);
        return status;
    }
    source->library = library;
    if (library.remark && library.compiled && !source->quiet)
        gt_cli_note("%s; so the model is compiled anew in each run", library.remark);
    return GT_OK;
}

static void stays_interpreted(const cli_source *source, const gt_message *why)
{
    if (!source->quiet)
        gt_cli_note("%s; so %s is interpreted, which is slower (--no-compile asks for it)",
                    why->text, source->path);
}

int gt_cli_ode_compile(cli_source *source)
{
    gt_message message = {""};
    gt_toolchain tools;
    char *code = NULL;
    size_t length;
    int wrong = gt_cli_toolchain(&source->arena, &tools);
    if (wrong) return wrong;
    gt_status status = gt_ode_c_code(source->ode, "geartrain_model", &code, &length, &message);
    if (!status) announce(source, length);
    if (!status) status = make(source, code, length, tools, &source->model, &message);
    free(code);
    if (status == GT_NO_MEMORY) return gt_cli_complain(status, &message);
    if (status) stays_interpreted(source, &message);
    return CLI_OK;
}

/* The text from which code is made, and with it when making it pays. */
static void write_code(struct cli_native *n)
{
    gt_message message = {""};
    if (n->code) return;
    if (gt_ode_c_code(n->source->ode, "geartrain_model", &n->code, &n->length, &message))
        stays_interpreted(n->source, &message);
    n->due = compile_after + compile_each_byte * (double)n->length;
}

static void look(struct cli_native *n)
{
    gt_toolchain kept = n->tools;
    kept.only_kept = true;
    n->looked = true;
    if (n->code && make(n->source, n->code, n->length, kept, &n->model, NULL)) n->model = NULL;
}

static void compile(struct cli_native *n)
{
    gt_message message = {""};
    n->tried = true;
    announce(n->source, n->length);
    if (make(n->source, n->code, n->length, n->tools, &n->model, &message)) {
        n->model = NULL;
        stays_interpreted(n->source, &message);
    }
}

/* For gt_ode_set_native. */
static const gt_model *find_native(double done, double *next, void *ctx)
{
    struct cli_native *n = ctx;
    pthread_mutex_lock(&n->lock);
    write_code(n);
    if (!n->model && !n->looked) look(n);
    if (!n->model && n->code && !n->tried && done >= n->due) compile(n);
    *next = n->code && !n->tried ? n->due : 0;
    const gt_model *model = n->model;
    pthread_mutex_unlock(&n->lock);
    return model;
}

int gt_cli_ode_compile_later(cli_source *source)
{
    struct cli_native *n = calloc(1, sizeof *n);
    if (!n) return gt_cli_failed("out of memory");
    *n = (struct cli_native){.source = source};
    source->native = n;
    pthread_mutex_init(&n->lock, NULL);
    int wrong = gt_cli_toolchain(&source->arena, &n->tools);
    if (!wrong) gt_ode_set_native(source->ode, look_after, find_native, n);
    return wrong;
}

void gt_cli_native_close(struct cli_native *native)
{
    if (!native) return;
    pthread_mutex_destroy(&native->lock);
    free(native->code);
    free(native);
}
