/* SPDX-License-Identifier: BSD-3-Clause */
/* .ode files: read, their notes reported, compiled or interpreted, and what their options ask of a
 * run.
 */
#include "cli.h"
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_BYTES = 1 << 25, MOST_NOTES = 20 };

/* The line of the file, or the part of a long one that matters, and a caret below the column. */
static void show_line(const char *text, size_t length, int line, int column)
{
    enum { WIDTH = 100 };
    const char *end = text + length, *stop;
    for (; line > 1 && text < end; line--) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        text = newline ? newline + 1 : end;
    }
    for (stop = text; stop < end && *stop != '\n' && *stop != '\r';) stop++;
    long left = column > WIDTH ? column - WIDTH / 2 : 0, shown = (long)(stop - text) - left,
         caret = column - 1 - left;
    if (column < 1 || shown <= 0 || caret > shown) return;
    if (shown > WIDTH) shown = WIDTH;
    fputs("    ", stderr);
    for (long i = 0; i < shown; i++) {
        unsigned char c = (unsigned char)text[left + i];
        fputc(c < ' ' || c == 127 ? ' ' : c, stderr);
    }
    fprintf(stderr, "\n    %*s^\n", (int)caret, "");
}

static void report_note(const cli_source *source, const gt_ode_note *note, const char *text,
                        size_t length)
{
    char place[64] = "";
    if (note->line > 0) snprintf(place, sizeof place, ":%d:%d", note->line, note->column);
    gt_cli_note("%s%s: %s%s", source->path, place, note->is_error ? "" : "warning: ", note->text);
    if (!note->is_error) {
        char remark[1024];
        snprintf(remark, sizeof remark, "%s%s: %s", source->path, place, note->text);
        (void)gt_cli_remember_warning(remark);
        return;
    }
    gt_cli_remember(gt_status_name(GT_BAD_ARGUMENT), "%s%s: %s", source->path, place, note->text);
    if (note->line > 0) show_line(text, length, note->line, note->column);
}

/* All errors, and as many warnings as are read. */
static void report_notes(const cli_source *source, const gt_ode_facts *facts, const char *text,
                         size_t length)
{
    size_t left = 0;
    for (size_t i = 0; i < facts->n_notes; i++)
        if (facts->notes[i].is_error || i < MOST_NOTES)
            report_note(source, &facts->notes[i], text, length);
        else
            left++;
    if (left) gt_cli_warn("%s: and %zu more", source->path, left);
}

/* Methods that XPPAUT runs with the step dt; the others control it. */
static bool has_fixed_step(const char *meth)
{
    return *meth && strchr("emraby", tolower((unsigned char)*meth));
}

static double option_of(const gt_ode_set *set, const char *name, double value)
{
    for (size_t i = 0; set && i < set->count; i++)
        if (!strcasecmp(set->names[i], name)) value = set->values[i];
    return value;
}

static void take_wishes(cli_source *source, const gt_ode_run *run)
{
    assert(run);
    const gt_ode_set *set = source->set;
    cli_wishes *wishes = &source->wishes;
    double dt = fabs(option_of(set, "dt", run->dt)), nout = option_of(set, "nout", run->nout);
    wishes->every = dt > 0 && nout >= 1 ? dt * nout : 0;
    wishes->trans = option_of(set, "trans", run->trans);
    wishes->method = run->given & GT_ODE_METH ? run->method : NULL;
    if (wishes->method && has_fixed_step(run->meth) && dt > 0) wishes->h = dt;
    wishes->rtol = option_of(set, "tol", run->given & GT_ODE_TOL ? run->tol : 0);
    wishes->atol = option_of(set, "atol", run->given & GT_ODE_ATOL ? run->atol : 0);
}

static int choose_set(const cli_args *args, const gt_ode_facts *facts, cli_source *source)
{
    enum { MANY = 128 };
    const char *name = gt_cli_text(&args->flags.use_set), *names[MANY + 1];
    size_t count = 0;
    assert(facts);
    if (!name) return CLI_OK;
    for (size_t i = 0; i < facts->n_sets; i++) {
        if (!strcasecmp(facts->sets[i].name, name)) source->set = &facts->sets[i];
        if (count < MANY) names[count++] = facts->sets[i].name;
    }
    names[count] = NULL;
    if (source->set) return CLI_OK;
    char buffer[96];
    const char *hint = gt_cli_suggest(name, names, buffer);
    if (!count) return gt_cli_usage("--use-set: %s has no sets", source->path);
    return gt_cli_usage("--use-set: %s has no set '%s'%s%s%s", source->path, name,
                        *hint ? hint : "; there is ", *hint ? "" : names[0],
                        !*hint && count > 1 ? ", .." : "");
}

/* All of it, or as much as shows that it is too long; NULL when that fails. */
static char *read_standard_input(size_t *length)
{
    size_t room = 1 << 16;
    char *text = malloc(room);
    *length = 0;
    for (size_t got = 1; text && got && *length < MOST_BYTES; *length += got) {
        if (*length == room) {
            char *larger = realloc(text, room *= 2);
            if (!larger) free(text);
            text = larger;
        }
        got = text ? fread(text + *length, 1, room - *length, stdin) : 0;
    }
    if (!text || !ferror(stdin)) return text;
    free(text);
    return NULL;
}

/* The file again with these states as its fast block. */
static int read_divided(cli_source *source, const char *fast)
{
    gt_message message = {""};
    gt_ode *divided;
    gt_status status =
        gt_ode_parse_split(source->text, source->length, source->path, fast, &divided, &message);
    if (status) {
        gt_ode_free(divided);
        return gt_cli_complain(status, &message);
    }
    source->plain = source->ode;
    source->ode = divided;
    source->model = gt_ode_model(divided);
    return CLI_OK;
}

int gt_cli_ode_replace(cli_source *source, gt_ode *divided)
{
    bool compiled = source->model != gt_ode_model(source->ode), later = source->native != NULL;
    gt_ode_set_native(source->ode, 0, NULL, NULL);
    gt_cli_native_close(source->native);
    source->native = NULL;
    source->before = source->library;
    source->library = (gt_library){.handle = NULL};
    source->plain = source->ode;
    source->ode = divided;
    source->model = gt_ode_model(divided);
    if (later) return gt_cli_ode_compile_later(source);
    return compiled ? gt_cli_ode_compile(source) : CLI_OK;
}

static int divide_by_flag(const cli_args *args, cli_source *source)
{
    gt_arena arena = gt_arena_growing();
    gt_problem problem;
    gt_message message = {""};
    unsigned char *fast;
    gt_status status = gt_model_build(source->model, "", &problem, &arena, &message);
    int code = status ? gt_cli_complain(status, &message)
                      : gt_cli_fast_states(args, &problem, &arena, &fast);
    if (!code) {
        const char *text = gt_cli_fast_text(&problem, fast, &arena);
        code = text ? read_divided(source, text) : gt_cli_failed("--fast: out of memory");
    }
    gt_arena_free(&arena);
    return code;
}

int gt_cli_ode_open(const cli_args *args, const char *path, cli_source *source)
{
    size_t length;
    gt_message message = {""};
    bool standard = !strcmp(path, "-");
    char *text =
        standard ? read_standard_input(&length) : gt_cli_read_whole("", path, MOST_BYTES, &length);
    if (standard) source->path = path = "stdin";
    if (!text)
        return standard ? gt_cli_usage("the model on standard input cannot be read") : CLI_USAGE;
    gt_status status = gt_ode_parse(text, length, path, &source->ode, &message);
    const gt_ode_facts *facts = source->ode ? gt_ode_facts_of(source->ode) : NULL;
    if (facts) report_notes(source, facts, text, length);
    source->text = text;
    source->length = length;
    if (status)
        return facts && facts->n_notes ? gt_cli_exit_of(status) : gt_cli_complain(status, &message);
    source->model = gt_ode_model(source->ode);
    int code = gt_cli_has(&args->flags.fast) ? divide_by_flag(args, source) : CLI_OK;
    if (!code) code = choose_set(args, gt_ode_facts_of(source->ode), source);
    if (code) return code;
    take_wishes(source, &gt_ode_facts_of(source->ode)->run);
    /* What is only looked at need not be fast. */
    bool interpreted = gt_cli_has(&args->flags.no_compile) || !strcmp(args->command->name, "show");
    bool now = args->command->measures || gt_cli_has(&args->flags.compile);
    if (interpreted && gt_cli_has(&args->flags.compile))
        return gt_cli_usage("--compile and --no-compile exclude each other");
    if (interpreted) return CLI_OK;
    return now ? gt_cli_ode_compile(source) : gt_cli_ode_compile_later(source);
}

void gt_cli_ode_start(const cli_source *source, gt_problem *problem, double *x0)
{
    const gt_ode_set *set = source->set;
    char buffer[24];
    if (!set) return;
    double total = option_of(set, "total", problem->t1 - problem->t0);
    double t0 = problem->t0;
    problem->t0 = option_of(set, "t0", t0);
    problem->t1 = problem->t0 + (problem->t1 < t0 ? -fabs(total) : total);
    for (size_t k = 0; k < set->count; k++)
        for (size_t i = 0; i < gt_problem_size(problem); i++)
            if (!strcasecmp(gt_problem_state_name(problem, i, buffer), set->names[k]))
                x0[i] = set->values[k];
}
