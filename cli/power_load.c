/* SPDX-License-Identifier: BSD-3-Clause */
/* From the flags of `power` to a case, its power flow, its machines and a setup. */
#include "power_parts.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file as given, or a shipped case of that name, as it is installed or where it was built. */
static const char *case_path(const char *given, gt_arena *arena)
{
    static const char *const places[] = {GEARTRAIN_SHARE_DIR, GEARTRAIN_SOURCE_DIR};
    if (!access(given, R_OK) || strchr(given, '/')) return given;
    const char *dot = strrchr(given, '.'), *end = dot && !strcmp(dot, ".m") ? "" : ".m";
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t room = strlen(places[i]) + strlen(given) + 16;
        char *path = gt_arena_take(arena, room, 1);
        if (!path) return given;
        snprintf(path, room, "%s/cases/%s%s", places[i], given, end);
        if (!access(path, R_OK)) return path;
    }
    return given;
}

int gt_power_job_flow(const cli_args *args, power_job *job)
{
    *job = (power_job){.args = args,
                       .json = gt_cli_has(&args->flags.json),
                       .quiet = gt_cli_has(&args->flags.quiet)};
    job->p.arena = gt_arena_growing();
    gt_message message = {""};
    gt_power_flow_options options = {.flat = gt_cli_has(&power_own(args)->flat),
                                     .q_limits = gt_cli_has(&power_own(args)->qlimits)};
    job->inputs[0] = case_path(args->operands[0], &job->p.arena);
    gt_status status = gt_power_case_read(job->inputs[0], &job->c, &job->p.arena, &message);
    if (!status) status = gt_power_flow(&job->c, &options, &job->flow, &job->p.arena, &message);
    return status ? gt_cli_complain(status, &message) : CLI_OK;
}

/* JSON machine data: [{"bus": 1, "model": "twoaxis", "H": 23.64, ..}, ..], or the same under
 * "machines". Becomes the text of a table, in which every row has its own header-sized set of
 * cells. */
static int table_from_json(const char *path, gt_arena *arena, char **text)
{
    json_t *root = gt_cli_read_json("", path, 0), *rows = root, *row, *value,
           *names = json_object();
    const char *key;
    size_t i, room = 64, used = 0;
    if (!root) {
        json_decref(names);
        return CLI_USAGE;
    }
    if (json_is_object(root) && json_object_get(root, "machines"))
        rows = json_object_get(root, "machines");
    int code =
        json_is_array(rows)
            ? CLI_OK
            : gt_cli_usage("%s: a list of machines is expected, [{\"bus\": 1, ..}, ..]", path);
    json_array_foreach(rows, i, row)
    {
        if (!json_is_object(row))
            code = gt_cli_usage("%s: machine %zu is not an object {..}", path, i + 1);
        json_object_foreach(row, key, value)
        {
            json_object_set_new(names, key, json_true());
            room += strlen(key) + 1;
        }
    }
    room += (json_array_size(rows) + 1) * (json_object_size(names) + 1) * 64;
    *text = code ? NULL : gt_arena_take(arena, room, 1);
    if (!code && !*text) code = gt_cli_failed("out of memory");
    if (!code) {
        json_object_foreach(names, key, value) used +=
            (size_t)snprintf(*text + used, room - used, "%s%s", used ? "," : "", key);
        json_array_foreach(rows, i, row)
        {
            const char *separator = "\n";
            json_t *ignored;
            json_object_foreach(names, key, ignored)
            {
                value = json_object_get(row, key);
                used += (size_t)snprintf(*text + used, room - used, "%s", separator);
                if (json_is_string(value))
                    used += (size_t)snprintf(*text + used, room - used, "%.40s",
                                             json_string_value(value));
                if (json_is_number(value))
                    used += (size_t)gt_format(*text + used, room - used, "%.17g",
                                              json_number_value(value));
                separator = ",";
            }
        }
    }
    json_decref(names);
    json_decref(root);
    return code;
}

/* --dyn, or the file beside the case with the same stem. */
static int machine_file(power_job *job, const char **path)
{
    static const char *const endings[] = {".csv", ".json", ".dyr"};
    const char *given = gt_cli_text(&power_own(job->args)->dyn), *of_case = job->inputs[0],
               *dot = strrchr(of_case, '.');
    *path = given;
    if (given) return CLI_OK;
    size_t stem = dot && !strchr(dot, '/') ? (size_t)(dot - of_case) : strlen(of_case);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *candidate = gt_arena_take(&job->p.arena, stem + 8, 1);
        if (!candidate) return gt_cli_failed("out of memory");
        memcpy(candidate, of_case, stem);
        memcpy(candidate + stem, endings[i], strlen(endings[i]) + 1);
        if (access(candidate, R_OK)) continue;
        *path = candidate;
        return CLI_OK;
    }
    return gt_cli_usage(
        "there are no machine data beside %s (%.*s.csv, .json or .dyr); give --dyn FILE", of_case,
        (int)stem, of_case);
}

static int read_machines(power_job *job)
{
    double z_source = 0;
    gt_message message = {""};
    int code = gt_cli_positive(&power_own(job->args)->zsource, &z_source);
    if (!code) code = machine_file(job, &job->inputs[1]);
    if (code) return code;
    const char *path = job->inputs[1], *dot = strrchr(path, '.');
    gt_status status;
    if (dot && !strcmp(dot, ".json")) {
        char *text = NULL;
        if ((code = table_from_json(path, &job->p.arena, &text))) return code;
        status = gt_power_dynamics_parse(text, path, &job->c, z_source, &job->d, &job->p.arena,
                                         &message);
    } else {
        status = gt_power_dynamics_read(path, &job->c, z_source, &job->d, &job->p.arena, &message);
    }
    return status ? (gt_cli_complain(status, &message), CLI_USAGE) : CLI_OK;
}

static int read_loads(power_job *job)
{
    gt_power_setup *s = &job->setup;
    const char *text = gt_cli_text(&power_own(job->args)->loads);
    double *part = NULL;
    size_t count = 0;
    s->z_part = 1;
    if (!text || !strcmp(text, "impedance")) return CLI_OK;
    s->z_part = 0;
    if (!strcmp(text, "power")) return s->p_part = 1, CLI_OK;
    if (!strcmp(text, "current")) return s->i_part = 1, CLI_OK;
    if (!strchr(text, ','))
        return gt_cli_usage(
            "--loads is impedance, power, current, or three parts as in 0.4,0.3,0.3 (impedance, "
            "current, power); not '%s'",
            text);
    int code = gt_cli_read_numbers("--loads", text, &job->p.arena, &part, &count);
    if (code) return code;
    if (count != 3)
        return gt_cli_usage("--loads takes three parts, impedance, current and power, not %zu",
                            count);
    s->z_part = part[0], s->i_part = part[1], s->p_part = part[2];
    return CLI_OK;
}

const char *gt_power_loads_text(const gt_power_setup *s, char buffer[96])
{
    if (s->z_part == 1) return "impedance";
    if (s->i_part == 1) return "current";
    if (s->p_part == 1) return "power";
    gt_format(buffer, 96, "%.9g impedance, %g current, %g power", s->z_part, s->i_part, s->p_part);
    return buffer;
}

int gt_power_job_setup(const cli_args *args, power_job *job)
{
    int code = gt_power_job_flow(args, job);
    if (!code) code = read_machines(job);
    if (code) return code;
    gt_power_setup *s = &job->setup;
    *s = (gt_power_setup){.grid = &job->c, .flow = &job->flow, .dynamics = &job->d, .t1 = 10};
    s->limits = gt_cli_has(&power_own(args)->limits);
    s->keep_charging = gt_cli_has(&power_own(args)->keep_charging);
    const char *model = gt_cli_text(&power_own(args)->model);
    static const char *const models[] = {"classical", "twoaxis", NULL};
    char hint[96];
    if (model && !strcmp(model, "classical"))
        s->model = GT_POWER_CLASSICAL;
    else if (model && strcmp(model, "twoaxis"))
        return gt_cli_usage("--model is classical or twoaxis, not '%s'%s", model,
                            gt_cli_suggest(model, models, hint));
    if ((code = read_loads(job))) return code;
    if ((code = gt_cli_positive(&power_own(args)->hz, &s->hz))) return code;
    return gt_cli_positive(&power_own(args)->vbreak, &s->v_break);
}

int gt_power_job_build(power_job *job)
{
    gt_message message = {""};
    gt_status status =
        gt_power_build(&job->setup, &job->p.problem, &job->system, &job->p.arena, &message);
    return status ? gt_cli_complain(status, &message) : CLI_OK;
}

void gt_power_job_free(power_job *job) { gt_arena_free(&job->p.arena); }
