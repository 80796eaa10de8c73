/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every file of tests/ode, models and examples/models: read, interpreted, compiled, run; those of
 * models are compiled already, as models of the library. What a file should give stands in its own
 * comments:
 *
 *     #: NAME VALUE [TOLERANCE]      a state or an aux column at the end
 *     #: end T [TOLERANCE]           where the run ends
 *     #: columns a,b,c               the states in their order
 *     #: blocks 2 1 0                how many are slow, fast, algebraic
 *     #: invariants 1                how many there are
 *     #: exact                       the exact solution is known, and equals the run
 *     #: warns LINE TEXT             a warning there that has this text; there are no others
 *     #! LINE TEXT                   the file is refused, there, with this text
 */
#include <dirent.h>
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct file {
    const char *path;
    char *text;
    size_t length;
    gt_ode *ode;
    gt_status status;
    gt_message message;
    int failures;
} file;

static void complain(file *f, const char *format, ...) GT_PRINTF(2, 3);
static void complain(file *f, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    printf("%s: ", f->path);
    vprintf(format, list);
    putchar('\n');
    va_end(list);
    f->failures++;
}

static void read_file(file *f, const char *path)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    *f = (file){.path = path, .text = calloc(1, 1 << 20)};
    assert_non_null(f->text);
    f->length = fread(f->text, 1, (1 << 20) - 1, stream);
    fclose(stream);
    f->status = gt_ode_parse(f->text, f->length, path, &f->ode, &f->message);
    assert_non_null(f->ode);
}

static void close_file(file *f)
{
    gt_ode_free(f->ode);
    free(f->text);
}

/* The next line of the text that begins with `mark`, in the buffer; NULL after the last. */
static const char *next_mark(const char **at, const char *mark, char buffer[256])
{
    while (**at) {
        const char *line = *at;
        size_t length = strcspn(line, "\r\n");
        *at += length;
        *at += strspn(*at, "\r\n");
        if (strncmp(line, mark, 2)) continue;
        snprintf(buffer, 256, "%.*s", (int)length - 2, line + 2);
        return buffer;
    }
    return NULL;
}

/* ---- notes ---- */

static void check_notes(file *f, const char *mark, const char *word, bool errors)
{
    const gt_ode_facts *facts = gt_ode_facts_of(f->ode);
    char line_text[256], text[128];
    int line;
    size_t expected = 0, found = 0;
    char format[32];
    snprintf(format, sizeof format, " %s%%d %%127[^\n]", word);
    for (const char *at = f->text; next_mark(&at, mark, line_text);) {
        text[0] = '\0';
        if (sscanf(line_text, format, &line, text) < 1) continue;
        expected++;
        bool there = false;
        for (size_t i = 0; i < facts->n_notes; i++) {
            const gt_ode_note *note = &facts->notes[i];
            if (note->is_error == errors && note->line == line && strstr(note->text, text))
                there = true;
            if (note->line > 0 && note->column < 1)
                complain(f, "a note without a column: %s", note->text);
        }
        if (!there)
            complain(f, "there is no %s in line %d with '%s'", errors ? "error" : "warning", line,
                     text);
    }
    for (size_t i = 0; i < facts->n_notes; i++) found += facts->notes[i].is_error == errors;
    if (errors ? found < expected : found != expected)
        complain(f, "%zu notes, not %zu", found, expected);
    for (size_t i = 0; i < facts->n_notes && f->failures; i++)
        printf("    %s:%d:%d: %s\n", f->path, facts->notes[i].line, facts->notes[i].column,
               facts->notes[i].text);
}

/* ---- runs ---- */

typedef struct outcome {
    gt_arena arena;
    gt_problem problem;
    double *x, *aux;
    gt_report report;
} outcome;

static void run_model(file *f, const gt_model *model, outcome *o)
{
    gt_message message = {""};
    *o = (outcome){.arena = gt_arena_growing()};
    gt_status status = gt_model_build(model, "", &o->problem, &o->arena, &message);
    if (status) {
        complain(f, "%s", message.text);
        return;
    }
    size_t n = gt_problem_size(&o->problem);
    o->x = gt_arena_doubles(&o->arena, n);
    o->aux = gt_arena_doubles(&o->arena, o->problem.n_aux + 1);
    /* Shipped models are often stiff, and their values are checked with those of all models. */
    bool shipped = strstr(f->path, "/models/") && !strstr(f->path, "/examples/");
    gt_plan plan = {.rtol = shipped ? 1e-6 : 1e-10,
                    .atol = shipped ? gt_default_atol(&o->problem, 1e-6) : 1e-12,
                    .x_end = o->x};
    const char *stiff = gt_problem_index(&o->problem) > 1 ? "radau" : "gear";
    const gt_method *method = gt_method_find(shipped || o->problem.n_alg ? stiff : "dopri5");
    status = gt_solve(&o->problem, method, &plan, &o->report);
    if (status) complain(f, "%s", o->report.message.text);
    if (o->problem.n_aux) o->problem.aux(o->report.t, o->x, o->aux, o->problem.ctx);
}

static const double *value_of(const outcome *o, const char *name)
{
    char buffer[24];
    size_t n = gt_problem_size(&o->problem);
    for (size_t i = 0; i < n + o->problem.n_aux; i++)
        if (!strcmp(gt_problem_column_name(&o->problem, i, buffer), name))
            return i < n ? &o->x[i] : &o->aux[i - n];
    return NULL;
}

static void check_columns(file *f, const outcome *o, const char *wanted)
{
    char names[1024] = "", buffer[24];
    for (size_t i = 0; i < gt_problem_size(&o->problem); i++) {
        strcat(names, i ? "," : "");
        strcat(names, gt_problem_state_name(&o->problem, i, buffer));
    }
    if (strcmp(names, wanted)) complain(f, "columns %s, not %s", names, wanted);
}

static void check_exact(file *f, const outcome *o)
{
    size_t n = gt_problem_size(&o->problem);
    double *exact = calloc(n, sizeof *exact);
    assert_non_null(exact);
    if (!o->problem.exact) {
        complain(f, "no exact solution");
    } else {
        o->problem.exact(o->report.t, exact, o->problem.ctx);
        for (size_t i = 0; i < n; i++)
            if (!(fabs(exact[i] - o->x[i]) <= 1e-7 * (1 + fabs(exact[i]))))
                complain(f, "state %zu: %.17g, exactly %.17g", i, o->x[i], exact[i]);
    }
    free(exact);
}

static void check_results(file *f, const outcome *o)
{
    char line[256], name[128], text[128];
    double value, tolerance;
    size_t a, b, c;
    for (const char *at = f->text; next_mark(&at, "#:", line);) {
        tolerance = 1e-8;
        if (sscanf(line, " warns %127s", text) == 1) continue;
        if (sscanf(line, " columns %127s", text) == 1) {
            check_columns(f, o, text);
        } else if (sscanf(line, " blocks %zu %zu %zu", &a, &b, &c) == 3) {
            if (a != o->problem.n_slow || b != o->problem.n_fast || c != o->problem.n_alg)
                complain(f, "blocks");
        } else if (sscanf(line, " invariants %zu", &a) == 1) {
            if (a != o->problem.n_invariants)
                complain(f, "%zu invariants", o->problem.n_invariants);
        } else if (!strncmp(line, " exact", 6)) {
            check_exact(f, o);
        } else if (sscanf(line, " end %lf %lf", &value, &tolerance) >= 1) {
            if (!(fabs(o->report.t - value) <= tolerance * (1 + fabs(value))))
                complain(f, "ends at %.17g, not %.17g", o->report.t, value);
        } else if (sscanf(line, " %127s %lf %lf", name, &value, &tolerance) >= 2) {
            const double *got = value_of(o, name);
            if (!got)
                complain(f, "there is no column %s", name);
            else if (!(fabs(*got - value) <= tolerance * (1 + fabs(value))))
                complain(f, "%s = %.17g, not %.17g", name, *got, value);
        } else {
            complain(f, "'%s' is not understood", line);
        }
    }
}

/* ---- interpreter and compiled code ---- */

static double noise(uint32_t *seed)
{
    return (double)((*seed = *seed * 1664525u + 1013904223u) >> 8) / 8388608.0 - 1;
}

/* The same bits, or both not a number. */
static void same(file *f, const char *what, const double *a, const double *b, size_t n)
{
    if (TEST_CONTRACTED) return; /* the compiler contracts in one of them */
    for (size_t i = 0; i < n; i++)
        if (!(a[i] == b[i]) && !(isnan(a[i]) && isnan(b[i]))) {
            complain(f, "%s[%zu]: interpreted %.17g, compiled %.17g", what, i, a[i], b[i]);
            return;
        }
}

static void compare_at(file *f, const gt_problem *a, const gt_problem *b, double t, const double *x,
                       double *work)
{
    size_t n = gt_problem_size(a), most = n * n > n + 64 ? n * n : n + 64;
    double *one = work, *two = work + 4 * most;
    (void)!a->rhs(t, x, one, a->ctx);
    (void)!b->rhs(t, x, two, b->ctx);
    same(f, "rhs", one, two, n);
    gt_rhs_fn *const blocks[][2] = {
        {a->rhs_slow, b->rhs_slow}, {a->rhs_fast, b->rhs_fast}, {a->rhs_alg, b->rhs_alg}};
    const size_t first[] = {0, a->n_slow, a->n_slow + a->n_fast},
                 sizes[] = {a->n_slow, a->n_fast, a->n_alg};
    for (int k = 0; k < 3; k++) {
        if (!blocks[k][0] != !blocks[k][1]) complain(f, "a block is there only once");
        if (!blocks[k][0] || !blocks[k][1]) continue;
        (void)!blocks[k][0](t, x, one, a->ctx);
        (void)!blocks[k][1](t, x, two, b->ctx);
        same(f, "block", one, two, sizes[k]);
        (void)!a->rhs(t, x, two, a->ctx);
        same(f, "block and rhs", one, two + first[k], sizes[k]);
    }
    if (a->roots) {
        (void)!a->roots(t, x, one, a->ctx);
        (void)!b->roots(t, x, two, b->ctx);
        same(f, "roots", one, two, a->n_roots);
    }
    if (a->n_aux) {
        a->aux(t, x, one, a->ctx);
        b->aux(t, x, two, b->ctx);
        same(f, "aux", one, two, a->n_aux);
    }
    if (a->jac) {
        gt_matrix J = {.n = n, .pattern = a->jac_pattern, .values = one}, K = J;
        K.pattern = b->jac_pattern;
        K.values = two;
        size_t entries = gt_matrix_entries(&J);
        if (entries != gt_matrix_entries(&K) || entries > 4 * most) {
            complain(f, "%zu entries of the Jacobian", entries);
            return;
        }
        gt_matrix_clear(&J);
        gt_matrix_clear(&K);
        (void)!a->jac(t, x, &J, a->ctx);
        (void)!b->jac(t, x, &K, b->ctx);
        same(f, "jac", one, two, entries);
        if (!a->jac_block != !b->jac_block)
            complain(f, "blocks of the Jacobian are there only once");
        for (int k = 0; k < 2 && a->jac_block && b->jac_block;
             k++) { /* interpreted, compiled: all blocks are J */
            const gt_problem *p = k ? b : a;
            gt_matrix_clear(&K);
            for (int r = 0; r < 9; r++)
                (void)!p->jac_block((gt_part)(r / 3), (gt_part)(r % 3), t, x, &K, p->ctx);
            same(f, "blocks of jac", one, two, entries);
        }
    }
}

/* Switches, and everything again with some of them held. */
static void compare_held(file *f, const gt_problem *a, const gt_problem *b, double t,
                         const double *x, double *work, uint32_t *seed)
{
    size_t n = a->n_switches;
    if (n != b->n_switches) complain(f, "%zu and %zu switches", n, b->n_switches);
    if (!n || n != b->n_switches) return;
    double *one = calloc(2 * n, sizeof *one), *two = one + n;
    signed char *sides = calloc(n, 1);
    char name[2][64];
    (void)!a->switches(t, x, one, a->ctx);
    (void)!b->switches(t, x, two, b->ctx);
    same(f, "switches", one, two, n);
    for (size_t i = 0; i < n; i++) sides[i] = (signed char)floor(1.5 * (noise(seed) + 1) - 1);
    a->switch_name(n - 1, name[0], sizeof *name, a->ctx);
    b->switch_name(n - 1, name[1], sizeof *name, b->ctx);
    if (strcmp(name[0], name[1]) || !*name[0])
        complain(f, "a switch is called '%s' and '%s'", name[0], name[1]);
    a->set_sides(sides, a->ctx);
    b->set_sides(sides, b->ctx);
    compare_at(f, a, b, t, x, work);
    a->set_sides(NULL, a->ctx);
    b->set_sides(NULL, b->ctx);
    free(sides);
    free(one);
}

static void compare_models(file *f, const gt_model *interpreted, const gt_model *compiled)
{
    gt_arena arena = gt_arena_growing();
    gt_problem a, b;
    gt_message message = {""};
    if (gt_model_build(interpreted, "", &a, &arena, &message) ||
        gt_model_build(compiled, "", &b, &arena, &message)) {
        complain(f, "%s", message.text);
        gt_arena_free(&arena);
        return;
    }
    size_t n = gt_problem_size(&a), most = n * n > n + 64 ? n * n : n + 64;
    double *x = gt_arena_doubles(&arena, n), *work = gt_arena_doubles(&arena, 8 * most);
    assert_non_null(work);
    if (n != gt_problem_size(&b) || a.t0 != b.t0 || a.t1 != b.t1)
        complain(f, "size or times differ");
    same(f, "x0", a.x0, b.x0, n);
    uint32_t seed = 1;
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < n; i++) x[i] = a.x0[i] + k * noise(&seed);
        compare_at(f, &a, &b, a.t0 + k * 0.37, x, work);
        compare_held(f, &a, &b, a.t0 + k * 0.37, x, work, &seed);
    }
    if (a.n_breaks != b.n_breaks)
        complain(f, "%zu and %zu breaks", a.n_breaks, b.n_breaks);
    else
        same(f, "breaks", a.breaks, b.breaks, a.n_breaks);
    gt_arena_free(&arena);
}

static gt_toolchain tools(void)
{
    return (gt_toolchain){
        .path = getenv("PATH"), .cache = TEST_CACHE_DIR, .include = TEST_SOURCE_DIR "/include"};
}

/* What the build has made of a shipped model; NULL: the file is another one. */
static const gt_model *built_in(const char *path)
{
    const char folder[] = TEST_SOURCE_DIR "/models/";
    char name[128];
    if (strncmp(path, folder, sizeof folder - 1)) return NULL;
    const char *file_name = path + sizeof folder - 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(file_name, "."), file_name);
    return gt_model_find(name);
}

static void compile(file *f, gt_library *library, const gt_model **native)
{
    gt_message message = {""};
    gt_toolchain toolchain = tools();
    char *code = NULL;
    size_t length;
    gt_status status = gt_ode_c_code(f->ode, "geartrain_model", &code, &length, &message);
    if (!status) status = gt_library_compile_text(library, code, &toolchain, &message);
    if (!status) status = gt_library_model(library, f->path, native, &message);
    if (status)
        complain(f, "%s\n%s", message.text, library->log ? library->log : "");
    else if (library->compiled && library->log)
        complain(f, "the compiler has something to say:\n%s", library->log);
    free(code);
}

static void check_good(file *f)
{
    outcome interpreted = {.arena = gt_arena_growing()}, compiled = {.arena = gt_arena_growing()};
    gt_library library = {.handle = NULL};
    const gt_model *model = gt_ode_model(f->ode), *native = NULL;
    if (f->status) {
        complain(f, "refused: %s", f->message.text);
        return;
    }
    check_notes(f, "#:", "warns ", false);
    run_model(f, model, &interpreted);
    if (!f->failures) check_results(f, &interpreted);
    native = built_in(f->path);
    if (!native) compile(f, &library, &native);
    if (native && !f->failures) {
        compare_models(f, model, native);
        run_model(f, native, &compiled);
        if (!f->failures)
            same(f, "end of a run", interpreted.x, compiled.x, gt_problem_size(&compiled.problem));
    }
    gt_arena_free(&interpreted.arena);
    gt_arena_free(&compiled.arena);
    gt_library_close(&library);
}

static void check_refused(file *f)
{
    if (!f->status) complain(f, "accepted");
    if (gt_ode_model(f->ode)) complain(f, "has a model");
    if (strncmp(f->message.text, f->path, strlen(f->path)))
        complain(f, "message without a place: %s", f->message.text);
    check_notes(f, "#!", "", true);
}

static int is_ode(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && !strcmp(dot, ".ode");
}

static void check_folder(const char *folder, size_t at_least)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_ode, alphasort), failures = 0;
    assert_true(count >= (int)at_least);
    for (int i = 0; i < count; i++) {
        char path[1024];
        file f;
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        read_file(&f, path);
        if (strncmp(entries[i]->d_name, "refused_", 8))
            check_good(&f);
        else
            check_refused(&f);
        failures += f.failures > 0;
        close_file(&f);
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(failures, 0);
}

static void features(void **state)
{
    (void)state;
    check_folder(TEST_SOURCE_DIR "/tests/ode", 100);
}

static void shipped_models(void **state)
{
    (void)state;
    check_folder(TEST_SOURCE_DIR "/models", 10);
}

static void shipped_examples(void **state)
{
    (void)state;
    check_folder(TEST_SOURCE_DIR "/examples/models", 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features),
        cmocka_unit_test(shipped_models),
        cmocka_unit_test(shipped_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
