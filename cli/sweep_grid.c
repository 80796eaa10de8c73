/* SPDX-License-Identifier: BSD-3-Clause */
/* The grid of a sweep: p=a:b:n, or a list p=v,v,.. for numbers, whole numbers and choices. */
#include "sweep_parts.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <string.h>

enum { MOST_RUNS = 10000000 };

static int find_param(const gt_model *model, const char *name, size_t *row)
{
    const char *names[GT_MAX_PARAMS + 1];
    size_t count = gt_params_count(model->params);
    for (size_t i = 0; i < count; i++) {
        names[i] = model->params[i].name;
        if (!strcmp(names[i], name)) {
            *row = i;
            return CLI_OK;
        }
    }
    names[count] = NULL;
    char buffer[96];
    const char *hint = gt_cli_suggest(name, names, buffer);
    if (!count) return gt_cli_usage("--sweep: %s has no parameters", model->name);
    if (*hint) return gt_cli_usage("--sweep: %s has no parameter '%s'%s", model->name, name, hint);
    return gt_cli_usage("--sweep: %s has no parameter '%s'; see: geartrain show %s", model->name,
                        name, model->name);
}

/* a:b:n */
static int read_range(const char *text, bool logarithmic, gt_arena *arena, sweep_axis *axis)
{
    size_t length = strlen(text);
    char *copy = gt_arena_take(arena, length + 1, 1);
    if (!copy) return gt_cli_failed("out of memory");
    memcpy(copy, text, length + 1);
    char *second = strchr(copy, ':'), *third = second ? strchr(second + 1, ':') : NULL;
    if (!third || strchr(third + 1, ':'))
        return gt_cli_usage("--sweep takes from:to:count or a list a,b,c, not '%s'", text);
    *second++ = *third++ = '\0';
    double from, to, count;
    int code;
    if ((code = gt_cli_read_number("--sweep", copy, &from)) ||
        (code = gt_cli_read_number("--sweep", second, &to)))
        return code;
    if ((code = gt_cli_read_number("--sweep", third, &count))) return code;
    if (count != floor(count) || count < 1 || count > MOST_RUNS)
        return gt_cli_usage("--sweep %s=%s: the count must be a whole number from 1 to %d",
                            axis->param->name, text, MOST_RUNS);
    if (logarithmic && (from <= 0 || to <= 0))
        return gt_cli_usage("--sweep %s=%s: with --log both ends must be above 0",
                            axis->param->name, text);
    axis->count = (size_t)count;
    axis->texts = gt_arena_take(arena, axis->count, sizeof *axis->texts);
    for (size_t k = 0; axis->texts && k < axis->count; k++) {
        double s = axis->count > 1 ? (double)k / (double)(axis->count - 1) : 0;
        double value =
            logarithmic ? exp(log(from) + s * (log(to) - log(from))) : from + s * (to - from);
        if (k == 0) value = from;
        if (k + 1 == axis->count && k) value = to;
        axis->texts[k] = gt_arena_take(arena, 32, 1);
        if (!axis->texts[k]) return gt_cli_failed("out of memory");
        gt_format(axis->texts[k], 32, "%.17g", value);
    }
    return axis->texts ? CLI_OK : gt_cli_failed("out of memory");
}

static int read_axis(const char *text, const gt_model *model, bool logarithmic, gt_arena *arena,
                     sweep_axis *axis)
{
    char *name, *values;
    gt_message message = {""};
    int code = gt_cli_read_pair("--sweep", text, arena, &name, &values);
    if (code || (code = find_param(model, name, &axis->row))) return code;
    axis->param = &model->params[axis->row];
    code = strchr(values, ':')
               ? read_range(values, logarithmic, arena, axis)
               : gt_cli_read_words("--sweep", values, arena, &axis->texts, &axis->count);
    if (code) return code;
    axis->values = gt_arena_doubles(arena, axis->count);
    axis->wrong = gt_arena_take(arena, axis->count, sizeof *axis->wrong);
    if (!axis->values || !axis->wrong) return gt_cli_failed("out of memory");
    gt_values scratch = gt_params_default(model->params);
    for (size_t k = 0; k < axis->count; k++) {
        gt_status status = gt_params_set(model->params, "parameter", model->name, name,
                                         axis->texts[k], &scratch, &message);
        double number = 0;
        const char *end = gt_number_read(axis->texts[k], NULL, &number);
        bool is_number =
            axis->param->type != GT_CHOICE && end != axis->texts[k] && !*end && isfinite(number);
        if (axis->param->type == GT_INTEGER && number != floor(number)) is_number = false;
        if (status && !is_number) return gt_cli_complain(status, &message);
        if (status) axis->wrong[k] = message;
        axis->values[k] = status ? number : scratch.v[axis->row];
    }
    return CLI_OK;
}

static bool is_set(const cli_args *args, const char *name)
{
    const char *text;
    size_t length = strlen(name);
    for (size_t i = 0; (text = gt_cli_each(&args->flags.set, &i));)
        if (!strncmp(text, name, length) && text[length] == '=') return true;
    return false;
}

int gt_sweep_grid(const cli_args *args, const gt_model *model, gt_arena *arena, sweep_grid *grid)
{
    const char *text;
    *grid = (sweep_grid){.count = 1};
    for (size_t i = 0; (text = gt_cli_each(&sweep_own(args)->sweep, &i));) {
        if (grid->n_axes == SWEEP_MAX_AXES)
            return gt_cli_usage("--sweep: at most %d parameters", SWEEP_MAX_AXES);
        sweep_axis *axis = &grid->axes[grid->n_axes];
        int code = read_axis(text, model, gt_cli_has(&args->flags.log), arena, axis);
        if (code) return code;
        if (is_set(args, axis->param->name))
            return gt_cli_usage("--sweep and --set both give %s; give only one of them",
                                axis->param->name);
        if (axis->count > MOST_RUNS / grid->count)
            return gt_cli_usage("--sweep: that makes more than %d runs; sweep fewer values",
                                MOST_RUNS);
        grid->count *= axis->count;
        grid->n_axes++;
    }
    if (!grid->n_axes) return gt_cli_usage("sweep needs at least one --sweep name=from:to:count");
    return CLI_OK;
}

size_t gt_sweep_index(const sweep_grid *grid, size_t run, size_t axis)
{
    for (size_t k = grid->n_axes; k-- > axis + 1;) run /= grid->axes[k].count;
    return run % grid->axes[axis].count;
}

const gt_message *gt_sweep_wrong(const sweep_grid *grid, size_t run)
{
    for (size_t a = 0; a < grid->n_axes; a++) {
        const gt_message *wrong = &grid->axes[a].wrong[gt_sweep_index(grid, run, a)];
        if (wrong->text[0]) return wrong;
    }
    return NULL;
}

char *gt_sweep_settings(const sweep_grid *grid, size_t run, gt_arena *arena)
{
    size_t length = 1, used = 0;
    for (size_t a = 0; a < grid->n_axes; a++)
        length += strlen(grid->axes[a].param->name) +
                  strlen(grid->axes[a].texts[gt_sweep_index(grid, run, a)]) + 3;
    char *text = gt_arena_take(arena, length, 1);
    for (size_t a = 0; text && a < grid->n_axes; a++)
        used += (size_t)snprintf(text + used, length - used, "%s%s=%s", a ? ", " : "",
                                 grid->axes[a].param->name,
                                 grid->axes[a].texts[gt_sweep_index(grid, run, a)]);
    return text;
}
