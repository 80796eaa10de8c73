/* SPDX-License-Identifier: BSD-3-Clause */
/* From names and flags to a problem. */
#include "cli.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* `room`: of how many columns it could be one; n for states. */
static int unknown_column(const gt_problem *problem, const char *what, const char *name,
                          size_t room)
{
    enum { MANY = 256 };
    size_t count = room < MANY ? room : MANY;
    char made_up[MANY][24];
    const char *names[MANY + 1];
    for (size_t i = 0; i < count; i++) names[i] = gt_problem_column_name(problem, i, made_up[i]);
    names[count] = NULL;
    char buffer[96];
    const char *hint = gt_cli_suggest(name, names, buffer);
    if (*hint) return gt_cli_usage("%s: %s has no state '%s'%s", what, problem->name, name, hint);
    return gt_cli_usage("%s: %s has no state '%s'; its states: geartrain show %s", what,
                        problem->name, name, problem->name);
}

/* Index of the column, `room` when there is none of this name. */
static size_t find_column(const gt_problem *problem, const char *name, size_t room)
{
    char buffer[24];
    for (size_t i = 0; i < room; i++)
        if (!strcmp(gt_problem_column_name(problem, i, buffer), name)) return i;
    return room;
}

/* The same, also in other letters where that leaves no doubt: case does not matter in the language.
 */
static size_t find_column_loosely(const gt_problem *problem, const char *name, size_t room)
{
    char buffer[24];
    size_t exact = find_column(problem, name, room), found = room;
    for (size_t i = 0; i < room && exact == room; i++) {
        if (strcasecmp(gt_problem_column_name(problem, i, buffer), name)) continue;
        if (found < room) return room;
        found = i;
    }
    return exact < room ? exact : found;
}

static size_t find_state(const gt_problem *problem, const char *name)
{
    return find_column(problem, name, gt_problem_size(problem));
}

int gt_cli_state(const gt_problem *problem, const char *what, const char *name, size_t *index)
{
    size_t n = gt_problem_size(problem);
    *index = find_column_loosely(problem, name, n);
    return *index < n ? CLI_OK : unknown_column(problem, what, name, n);
}

int gt_cli_columns(const gt_problem *problem, const char *what, const char *list, gt_arena *arena,
                   size_t **indices, size_t *count)
{
    char **words;
    int code = gt_cli_read_words(what, list, arena, &words, count);
    if (code) return code;
    *indices = gt_arena_take(arena, *count, sizeof **indices);
    if (!*indices) return gt_cli_failed("%s: out of memory", what);
    size_t room = gt_problem_size(problem) + problem->n_aux;
    for (size_t i = 0; i < *count && !code; i++) {
        (*indices)[i] = find_column_loosely(problem, words[i], room);
        if ((*indices)[i] == room) code = unknown_column(problem, what, words[i], room);
        for (size_t k = 0; k < i && !code; k++)
            if ((*indices)[k] == (*indices)[i])
                code = gt_cli_usage("%s: %s is given twice", what, words[i]);
    }
    return code;
}

/* All columns in the order in which they are shown, but those of states that are not. */
static int all_shown(const cli_problem *p, gt_arena *arena, size_t **indices, size_t *count)
{
    size_t n = gt_problem_size(&p->problem), shown = gt_problem_shown(&p->problem);
    *count = shown + p->problem.n_aux;
    *indices = gt_arena_take(arena, *count, sizeof **indices);
    if (!*indices) return gt_cli_failed("out of memory");
    for (size_t i = 0; i < *count; i++) {
        size_t state = i < shown && p->shown ? p->shown[i] : i;
        (*indices)[i] = i < shown ? state : n + i - shown;
    }
    return CLI_OK;
}

int gt_cli_only(const cli_problem *p, gt_arena *arena, size_t **indices, size_t *count)
{
    const gt_ode_facts *facts = p->source->ode ? gt_ode_facts_of(p->source->ode) : NULL;
    if (!facts || !facts->n_only)
        return p->problem.n_hidden ? all_shown(p, arena, indices, count) : CLI_OK;
    *indices = gt_arena_take(arena, facts->n_only, sizeof **indices);
    if (!*indices) return gt_cli_failed("out of memory");
    *count = 0;
    size_t room = gt_problem_size(&p->problem) + p->problem.n_aux;
    char buffer[24];
    for (size_t k = 0; k < facts->n_only; k++) {
        size_t i = 0;
        while (i < room &&
               strcasecmp(gt_problem_column_name(&p->problem, i, buffer), facts->only[k]))
            i++;
        if (i < room)
            (*indices)[(*count)++] = i;
        else if (strcasecmp(facts->only[k], "t"))
            gt_cli_warn("%s: only: there is no column %s", p->source->path, facts->only[k]);
    }
    return CLI_OK;
}

/* Whether a name that is not a parameter is a state, which another flag sets. */
static bool is_state(const gt_model *model, const char *name)
{
    gt_arena arena = gt_arena_growing();
    gt_problem problem = {0};
    bool found = !gt_model_build(model, "", &problem, &arena, NULL) &&
                 find_state(&problem, name) < gt_problem_size(&problem);
    gt_arena_free(&arena);
    return found;
}

/* The parameter as it is spelled in the model; names of .ode files are so in any case. NULL: there
 * is none. */
static const char *parameter_named(const gt_model *model, const char *name)
{
    for (const gt_param *row = model->params; row && row->name; row++)
        if (!strcasecmp(row->name, name)) return row->name;
    return NULL;
}

static int set_parameters(const cli_args *args, const char *extra, cli_problem *p)
{
    const gt_model *model = p->model;
    gt_message message = {""};
    p->values = gt_params_default(model->params);
    const gt_ode_set *set = p->source->set;
    for (size_t i = 0; set && i < set->count; i++) {
        char value[32];
        gt_format(value, sizeof value, "%.17g", set->values[i]);
        const char *name = parameter_named(model, set->names[i]);
        if (!name) continue; /* an initial value or an option */
        gt_status status = gt_params_set(model->params, "parameter", model->name, name, value,
                                         &p->values, &message);
        if (status) return gt_cli_complain(status, &message);
    }
    const char *text;
    for (size_t i = 0; (text = gt_cli_each(&args->flags.set, &i));) {
        char *name, *value;
        int code = gt_cli_read_pair("--set", text, &p->arena, &name, &value);
        if (code) return code;
        const char *spelled = p->source->ode ? parameter_named(model, name) : NULL;
        gt_status status = gt_params_set(model->params, "parameter", model->name,
                                         spelled ? spelled : name, value, &p->values, &message);
        if (status == GT_UNKNOWN_NAME && is_state(model, name))
            return gt_cli_usage("%s is a state of %s, not a parameter; try --init %s", name,
                                model->name, text);
        if (status) return gt_cli_complain(status, &message);
    }
    gt_status status =
        gt_params_parse(model->params, "parameter", model->name, extra, &p->values, &message);
    return status ? gt_cli_complain(status, &message) : CLI_OK;
}

/* The whole file as text in the arena. */
static int read_text(const char *path, gt_arena *arena, char **text)
{
    size_t length;
    char *whole = gt_cli_read_whole("--init-from: ", path, CLI_MOST_BYTES, &length);
    if (!whole) return CLI_USAGE;
    bool is_text = strlen(whole) == length;
    *text = is_text ? gt_arena_take(arena, length + 1, 1) : NULL;
    if (*text) memcpy(*text, whole, length);
    free(whole);
    if (!is_text) return gt_cli_usage("--init-from: %s is not a text: it has a zero byte", path);
    return *text ? CLI_OK : gt_cli_failed("out of memory");
}

/* The last row of a CSV file whose header names the states, and its time where the file has a
 * column t. A row without an end may be cut inside its last number, which then is another one. */
static int start_from_file(const char *path, cli_problem *p, double *x0, double *t)
{
    char *text, **heads, **cells;
    size_t n_heads, n_cells;
    int code = read_text(path, &p->arena, &text);
    if (code) return code;
    size_t length = strlen(text);
    if (length && text[length - 1] != '\n')
        return gt_cli_usage("--init-from: the last row of %s has no end, so the file may be cut "
                            "short; take the row before "
                            "it, or put a line end behind it",
                            path);
    while (length && strchr("\r\n ", text[length - 1])) text[--length] = '\0';
    char *first_end = strchr(text, '\n'), *last = strrchr(text, '\n');
    if (!first_end)
        return gt_cli_usage("--init-from: %s has no row of numbers below its header", path);
    *first_end = '\0';
    char what[300];
    snprintf(what, sizeof what, "--init-from %.200s", path);
    if ((code = gt_cli_read_words(what, text, &p->arena, &heads, &n_heads))) return code;
    if ((code = gt_cli_read_words(what, last + 1, &p->arena, &cells, &n_cells))) return code;
    if (n_heads != n_cells)
        return gt_cli_usage("%s: the last row has %zu columns, the header %zu", what, n_cells,
                            n_heads);
    size_t n = gt_problem_size(&p->problem), found = 0;
    for (size_t k = 0; k < n_heads; k++) {
        size_t i = find_state(&p->problem, heads[k]);
        if (i == n && !strcmp(heads[k], "t") && (code = gt_cli_read_number(what, cells[k], t)))
            return code;
        if (i == n) continue;
        if ((code = gt_cli_read_number(what, cells[k], &x0[i]))) return code;
        found++;
    }
    if (found < gt_problem_shown(&p->problem))
        return gt_cli_usage("%s: only %zu of the %zu states of %s are there", what, found,
                            gt_problem_shown(&p->problem), p->model->name);
    p->start_file = path;
    return CLI_OK;
}

static bool knows_flag(const cli_command *command, const char *name)
{
    for (const cli_flag *const *table = command->flags; *table; table++)
        for (const cli_flag *f = *table; f->name; f++)
            if (!strcmp(f->name, name)) return true;
    return false;
}

/* Initial values and times; the exact solution of the model is for its own start only. */
static int set_start(const cli_args *args, cli_problem *p)
{
    gt_problem *problem = &p->problem;
    size_t n = gt_problem_size(problem);
    double t0 = problem->t0, span = problem->t1 - t0, t_file = NAN,
           *x0 = gt_arena_doubles(&p->arena, n);
    if (!x0) return gt_cli_failed("out of memory for %zu states", n);
    memcpy(x0, problem->x0, n * sizeof *x0);
    const char *text = gt_cli_text(&args->flags.init_from);
    gt_cli_ode_start(p->source, problem, x0);
    int code = text ? start_from_file(text, p, x0, &t_file) : CLI_OK;
    for (size_t i = 0; !code && (text = gt_cli_each(&args->flags.init, &i));) {
        char *name, *value;
        size_t index;
        if ((code = gt_cli_read_pair("--init", text, &p->arena, &name, &value))) break;
        if ((code = gt_cli_state(problem, "--init", name, &index))) break;
        code = gt_cli_read_number("--init", value, &x0[index]);
    }
    if (code || (code = gt_cli_number(&args->flags.t0, &problem->t0))) return code;
    if (t_file != problem->t0 && !isnan(t_file))
        gt_cli_warn("--init-from: the last row of %s is at t = %.17g, and this run starts "
                    "at t0 = %.17g; to go on "
                    "from there give --t0 %.17g",
                    p->start_file, t_file, problem->t0, t_file);
    if ((code = gt_cli_number(&args->flags.t1, &problem->t1))) return code;
    /* A command about one point has a start but no end to set. */
    if (!knows_flag(args->command, "t1") && problem->t1 <= problem->t0)
        problem->t1 = problem->t0 + span;
    if (problem->t1 == problem->t0)
        return gt_cli_usage("the end t1 = %g is the start; there is nothing to do", problem->t1);
    if (problem->breaks_until > 0 && problem->t1 > problem->breaks_until)
        gt_cli_warn("the model names more times than are listed: after t = %g steps do not end at "
                    "them; bound them with --hmax",
                    problem->breaks_until);
    if (problem->t0 != t0 || memcmp(x0, problem->x0, n * sizeof *x0)) problem->exact = NULL;
    problem->x0 = x0;
    return CLI_OK;
}

/* A file that was read with other blocks is shown in the order that it has without them. */
static int show_as_file(cli_problem *p)
{
    gt_arena arena = gt_arena_growing();
    gt_problem usual;
    gt_message message = {""};
    gt_status status =
        gt_model_build_values(gt_ode_model(p->source->plain), &p->values, &usual, &arena, &message);
    int code = status ? gt_cli_complain(status, &message) : gt_cli_shown_order(&usual, p);
    gt_arena_free(&arena);
    return code;
}

static int build(const cli_args *args, const char *extra, cli_problem *out)
{
    int code = set_parameters(args, extra, out);
    if (code) return code;
    gt_message message = {""};
    gt_status status =
        gt_model_build_values(out->model, &out->values, &out->problem, &out->arena, &message);
    if (status) return gt_cli_complain(status, &message);
    if ((code = set_start(args, out))) return code;
    if ((code = gt_cli_apply_fast(args, out))) return code;
    if (out->source->plain && (code = show_as_file(out))) return code;
    if (gt_cli_has(&args->flags.reduced)) {
        if (!out->problem.n_fast)
            return gt_cli_usage("--reduced: %s has no fast block to reduce", out->model->name);
        out->problem = gt_problem_reduced(&out->problem);
        out->problem.exact = NULL;
    }
    status = gt_problem_check(&out->problem, &message);
    return status ? gt_cli_complain(status, &message) : CLI_OK;
}

int gt_cli_problem(const cli_args *args, const char *name, cli_problem *out)
{
    *out = (cli_problem){.arena = gt_arena_growing()};
    int code = gt_cli_source_open(args, name, &out->own);
    out->source = &out->own;
    out->model = out->own.model;
    return code ? code : build(args, NULL, out);
}

int gt_cli_problem_again(const cli_args *args, const cli_problem *first, const char *extra,
                         cli_problem *out)
{
    *out =
        (cli_problem){.arena = gt_arena_growing(), .source = first->source, .model = first->model};
    return build(args, extra, out);
}

void gt_cli_problem_free(cli_problem *p)
{
    gt_arena_free(&p->arena);
    gt_cli_source_close(&p->own);
}
