/* SPDX-License-Identifier: BSD-3-Clause */
/* From flags to a method and a plan. */
#include "cli.h"
#include "coefficients.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int gt_cli_method(const char *name, gt_arena *arena, const gt_method **method)
{
    if (gt_cli_is_method_file(name)) return gt_cli_method_file(name, arena, method);
    *method = gt_method_find(name);
    if (*method) return CLI_OK;
    enum { MANY = 256 };
    const char *names[MANY + 2];
    size_t count = 0;
    for (const gt_method *const *m = gt_method_list(); *m && count < MANY; m++)
        names[count++] = (*m)->name;
    names[count++] = "auto";
    names[count] = NULL;
    char buffer[96];
    const char *hint = gt_cli_suggest(name, names, buffer);
    return gt_cli_usage("there is no method '%s'%s", name,
                        *hint ? hint : "; see: geartrain list methods");
}

/* "bi45:alpha=0.47" as a method of its own: the same descriptor with other defaults. */
int gt_cli_method_with(const char *text, gt_arena *arena, const gt_method **method)
{
    size_t room = strlen(text) + 1;
    char *name = gt_arena_take(arena, room, 1), *colon = NULL;
    if (!name) return gt_cli_failed("out of memory");
    memcpy(name, text, room);
    if ((colon = strchr(name, ':'))) *colon = 0;
    int code = gt_cli_method(name, arena, method);
    if (code || !colon) return code;
    size_t count = gt_params_count((*method)->options);
    gt_values values = gt_params_default((*method)->options);
    gt_param *options = gt_arena_take(arena, count + 1, sizeof *options);
    gt_method *made = gt_arena_take(arena, 1, sizeof *made);
    char *label = gt_arena_take(arena, room, 1);
    if (!options || !made || !label) return gt_cli_failed("out of memory");
    for (char *setting = colon + 1, *next; setting; setting = next) {
        char *option, *value;
        gt_message message = {""};
        if ((next = strchr(setting, ':'))) *next++ = 0;
        if ((code = gt_cli_read_pair("--methods", setting, arena, &option, &value))) return code;
        gt_status status = gt_params_set((*method)->options, "option", (*method)->name, option,
                                         value, &values, &message);
        if (status) return gt_cli_complain(status, &message);
    }
    for (size_t i = 0; i < count; i++) {
        options[i] = (*method)->options[i];
        options[i].initial = values.v[i];
    }
    memcpy(label, text, room);
    for (char *p = label; *p; p++)
        if (*p == ':') *p = ' ';
    *made = **method;
    made->name = label;
    made->options = options;
    *method = made;
    return CLI_OK;
}

int gt_cli_check_rtol(const char *what, double rtol)
{
    return rtol < 1 ? CLI_OK
                    : gt_cli_usage("%s: a relative tolerance must be below 1, not %g", what, rtol);
}

/* "name=A,name=A": a vector in which the other states keep the default. */
static int read_atol_by_name(const char *text, cli_problem *p, gt_plan *plan)
{
    size_t n = gt_problem_size(&p->problem), count;
    char **words;
    int code = gt_cli_read_words("--atol", text, &p->arena, &words, &count);
    if (code) return code;
    double rtol = plan->rtol > 0 ? plan->rtol : 1e-6, *atol = gt_arena_doubles(&p->arena, n);
    if (!atol) return gt_cli_failed("out of memory for %zu tolerances", n);
    for (size_t i = 0; i < n; i++) atol[i] = gt_default_atol(&p->problem, rtol);
    for (size_t k = 0; k < count; k++) {
        char *name, *value;
        size_t i;
        if ((code = gt_cli_read_pair("--atol", words[k], &p->arena, &name, &value))) return code;
        if ((code = gt_cli_state(&p->problem, "--atol", name, &i))) return code;
        for (size_t j = 0; j < k; j++)
            if (!strncmp(words[j], words[k], strlen(name) + 1))
                return gt_cli_usage("--atol %s is given twice", name);
        if ((code = gt_cli_read_number("--atol", value, &atol[i]))) return code;
        if (atol[i] < 0)
            return gt_cli_usage("--atol: the tolerance of %s must not be negative, not %g", name,
                                atol[i]);
        if (atol[i] == 0) atol[i] = GT_NO_ATOL;
    }
    plan->atol_vector = atol;
    return CLI_OK;
}

int gt_cli_tolerances(const cli_args *args, cli_problem *p, gt_plan *plan)
{
    const char *atol = gt_cli_text(&args->flags.atol);
    int code = gt_cli_positive(&args->flags.rtol, &plan->rtol);
    if (code || (code = gt_cli_check_rtol("--rtol", plan->rtol))) return code;
    return atol && strchr(atol, '=') ? read_atol_by_name(atol, p, plan)
                                     : gt_cli_atol(&args->flags.atol, &plan->atol);
}

static int read_control(const cli_args *args, cli_problem *p, gt_plan *plan)
{
    int code;
    if ((code = gt_cli_tolerances(args, p, plan))) return code;
    if ((code = gt_cli_positive(&args->flags.h0, &plan->h0))) return code;
    if ((code = gt_cli_positive(&args->flags.hmax, &plan->h_max))) return code;
    const char *control = gt_cli_text(&args->flags.control);
    if (!control) return CLI_OK;
    gt_message message = {""};
    gt_status status = gt_control_parse(control, &plan->control, &message);
    if (status == GT_UNSUPPORTED) gt_method_suggest(&p->problem, &message);
    return status ? gt_cli_complain(status, &message) : CLI_OK;
}

/* Step and tolerances that an .ode file asks for, where no flag says otherwise. */
static void grant_wishes(const cli_args *args, const cli_wishes *wishes, gt_plan *plan)
{
    const cli_flags *f = &args->flags;
    const cli_value *about_steps[] = {&f->h, &f->rtol, &f->atol, &f->control};
    for (size_t i = 0; i < sizeof about_steps / sizeof *about_steps; i++)
        if (gt_cli_has(about_steps[i])) return;
    if (wishes->h > 0 && !gt_cli_has(&args->flags.method)) {
        plan->h = wishes->h;
    } else {
        plan->rtol = wishes->rtol < 1 ? wishes->rtol : 0;
        plan->atol = wishes->atol;
    }
}

static int read_step(const cli_args *args, cli_problem *p, gt_plan *plan)
{
    const cli_flags *f = &args->flags;
    const cli_value *controlled[] = {&f->rtol, &f->atol, &f->h0, &f->hmax, &f->control};
    for (size_t i = 0; i < sizeof controlled / sizeof *controlled; i++)
        if (gt_cli_has(&args->flags.h) && gt_cli_has(controlled[i]))
            return gt_cli_usage(
                "--h means a fixed step and --%s a controlled one; give only one of them",
                controlled[i]->flag->name);
    int code = gt_cli_positive(&args->flags.h, &plan->h);
    if (code || (code = read_control(args, p, plan))) return code;
    if (p->source) grant_wishes(args, &p->source->wishes, plan);
    return gt_cli_whole(&args->flags.max_steps, 1, 1000000000000000, &plan->max_steps);
}

int gt_cli_join_options(const cli_args *args, gt_arena *arena, char **joined)
{
    const char *text;
    size_t length = 1;
    for (size_t i = 0; (text = gt_cli_each(&args->flags.opt, &i));) length += strlen(text) + 2;
    *joined = gt_arena_take(arena, length, 1);
    if (!*joined) return gt_cli_failed("out of memory");
    for (size_t i = 0; (text = gt_cli_each(&args->flags.opt, &i));) {
        size_t used = strlen(*joined);
        snprintf(*joined + used, length - used, "%s%s", used ? ", " : "", text);
    }
    return CLI_OK;
}

/* Can the method that a file asks for treat its equations? */
static bool suits(const char *name, const cli_problem *p, gt_message *message)
{
    const gt_method *method = gt_method_find(name);
    if (!method || !p->source->ode) return true; /* what is wrong shows later */
    gt_values options = gt_params_default(method->options);
    return !gt_method_check(method, options.v, &p->problem, message);
}

/* Flags about steps are stronger than the method of a file. */
static bool takes_steps(const char *name, const gt_plan *plan)
{
    const gt_method *method = gt_method_find(name);
    if (!method) return true;
    gt_values options = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, options.v);
    return plan->h > 0 ? !(facts.flags & GT_VARIABLE_FORMULA) : facts.error_order > 0;
}

/* The method that the flags name, or the file where it can do what is asked for; NULL: none. */
static const char *method_named(const cli_args *args, const cli_problem *p, gt_plan *plan)
{
    const char *name = gt_cli_text(&args->flags.method);
    gt_message message = {""};
    if (name || !p->source || !(name = p->source->wishes.method)) return name;
    const char *meth = p->source->ode ? gt_ode_facts_of(p->source->ode)->run.meth : name;
    if (!suits(name, p, &message)) {
        gt_cli_warn("meth=%s of the file: %s; so the default method is taken", meth, message.text);
        if (!gt_cli_has(&args->flags.h)) plan->h = 0;
        return NULL;
    }
    return takes_steps(name, plan) ? name : NULL;
}

gt_status gt_cli_first_of_auto(const gt_problem *problem, const gt_plan *plan,
                               const gt_method **first, gt_message *why)
{
    gt_choice choice = {0};
    *first = NULL;
    if (plan->h > 0 || gt_problem_check(problem, NULL)) return GT_OK;
    void *state = calloc(1, gt_auto.state_size(problem));
    if (!state) return gt_fail(why, GT_NO_MEMORY, "out of memory");
    gt_status status = gt_auto.begin(state, problem, plan, &choice, why);
    free(state);
    if (status == GT_NO_MEMORY) return status;
    *first = status ? NULL : choice.method;
    return GT_OK;
}

const gt_method *gt_cli_run_method(const cli_solver *solver)
{
    return solver->plan.pilot ? NULL : solver->method;
}

void gt_cli_say_phases(const gt_phases *phases, gt_message *text)
{
    enum { MOST = 4 };
    text->text[0] = '\0';
    if (phases->count == 1) {
        gt_say_more(text, "%s", phases->list[0].because);
        return;
    }
    for (int k = 0; k < phases->count && k < MOST; k++) {
        const gt_phase *phase = &phases->list[k];
        if (k) gt_say_more(text, ", from t = %.4g ", phase->t);
        gt_say_more(text, "%s", phase->method);
        if (k) gt_say_more(text, " (%s)", phase->because);
    }
    int more = phases->count + phases->left_out - MOST;
    if (more > 0) gt_say_more(text, ", and %d more phase%s", more, more == 1 ? "" : "s");
}

void gt_cli_solver_ran(cli_solver *solver, const gt_report *report)
{
    if (!solver->plan.pilot || !report->phases.count) return;
    const gt_method *method = gt_method_find(gt_phases_method(&report->phases));
    if (method) solver->method = method;
    solver->options = gt_params_default(solver->method->options);
    gt_cli_say_phases(&report->phases, &solver->why);
}

/* `auto` switches as it runs; a fixed step and options are for one method, which pilot runs choose.
 */
static gt_status choose(cli_problem *p, cli_solver *out)
{
    const gt_problem *problem = &p->problem;
    const gt_method *first = NULL;
    double started = gt_cli_seconds();
    gt_status status = GT_OK;
    out->chosen = true;
    if (!*out->option_text) status = gt_cli_first_of_auto(problem, &out->plan, &first, &out->why);
    if (!status && !first) status = gt_choose_method(problem, &out->plan, &out->method, &out->why);
    if (!status && first) {
        out->plan.pilot = &gt_auto;
        out->method = first;
    }
    out->choosing = gt_cli_seconds() - started;
    return status;
}

/* Whether the method is left to `auto`, with its steps. */
static bool runs_auto(const cli_args *args, const cli_problem *p)
{
    const char *name = gt_cli_text(&args->flags.method);
    if (!name && p->source) name = p->source->wishes.method;
    bool fixed = gt_cli_has(&args->flags.h) || gt_cli_has(&args->flags.opt) ||
                 gt_cli_has(&args->flags.fast) || gt_cli_has(&args->flags.reduced);
    return (!name || !strcmp(name, "auto")) && !fixed;
}

int gt_cli_solver(const cli_args *args, cli_problem *p, cli_solver *out)
{
    *out = (cli_solver){.method = NULL};
    int code = runs_auto(args, p) ? gt_cli_find_blocks(p) : CLI_OK;
    if (!code) code = read_step(args, p, &out->plan);
    if (code || (code = gt_cli_join_options(args, &p->arena, &out->option_text))) return code;
    const char *name = method_named(args, p, &out->plan);
    gt_message message = {""};
    gt_status status = GT_OK;
    if (!name || !strcmp(name, "auto")) {
        status = choose(p, out);
        if (status) return gt_cli_complain(status, &out->why);
    } else if ((code = gt_cli_method(name, &p->arena, &out->method))) {
        return code;
    }
    const gt_method *method = out->method;
    out->plan.options = out->option_text;
    out->options = gt_params_default(method->options);
    status = gt_params_parse(method->options, "option", method->name, out->option_text,
                             &out->options, &message);
    if (status && out->chosen)
        gt_say_more(&message,
                    "; it is what auto would take here: name the method that --opt is for "
                    "with --method");
    if (!status) status = gt_method_check(method, out->options.v, &p->problem, &message);
    if (status == GT_UNSUPPORTED) gt_method_suggest(&p->problem, &message);
    return status ? gt_cli_complain(status, &message) : CLI_OK;
}
