/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks that nobody has named. Where `auto` is to run an .ode file of one block, the graph of the
 * Jacobian at the start is looked at for a gap between rates. If there is one, and the slow states
 * are most of the work, the file is read again with these blocks, so that each has functions of its
 * own; whether they are used is decided in the run, by trials. What is shown keeps its order.
 */
#include "cli.h"
#include <math.h>
#include <string.h>

/* of the fast states in the run; with fewer there is nothing to gain */
static const double least_turns = 1000;
static const double expensive = 0.6, cheap = 0.5; /* the shares of the slow and fast blocks in f */

/* What the trials of a run can take up. */
static bool may_have_blocks(const cli_problem *p)
{
    const gt_problem *problem = &p->problem;
    return p->source == &p->own && p->own.ode && !p->own.plain && problem->jac &&
           !problem->n_fast && !problem->n_alg && !problem->mass && !problem->n_roots &&
           !problem->n_switches && !problem->on_break;
}

/* The problem as it is, but divided: start, times and values are those of the other. */
static int build_divided(cli_problem *p, const gt_model *model, gt_problem *divided)
{
    gt_message message = {""};
    const gt_problem plain = p->problem;
    gt_status status = gt_model_build_values(model, &p->values, divided, &p->arena, &message);
    if (status) return gt_cli_complain(status, &message);
    double *x0 = gt_arena_doubles(&p->arena, gt_problem_size(&plain));
    if (!x0) return gt_cli_failed("out of memory");
    p->problem = *divided;
    int code = gt_cli_shown_order(&plain, p);
    for (size_t i = 0; !code && i < gt_problem_size(&plain); i++) x0[p->shown[i]] = plain.x0[i];
    divided->x0 = x0;
    divided->t0 = plain.t0;
    divided->t1 = plain.t1;
    if (!plain.exact) divided->exact = NULL;
    p->problem = plain;
    return code;
}

static bool is_worth_it(const gt_problem *divided)
{
    const gt_work *w = &divided->work;
    return w->full > 0 && w->slow > expensive * w->full && w->fast < cheap * w->full;
}

static int read_again(cli_problem *p, const char *fast)
{
    cli_source *source = &p->own;
    gt_ode *divided = NULL;
    gt_problem problem;
    gt_message message = {""};
    gt_status status =
        gt_ode_parse_split(source->text, source->length, source->path, fast, &divided, &message);
    int code = status ? gt_cli_complain(status, &message)
                      : build_divided(p, gt_ode_model(divided), &problem);
    if (code || !is_worth_it(&problem)) {
        p->shown = NULL;
        gt_ode_free(divided);
        return code;
    }
    if ((code = gt_cli_ode_replace(source, divided))) return code;
    /* Functions may be those of compiled code. */
    if ((code = build_divided(p, source->model, &problem))) return code;
    p->model = source->model;
    p->problem = problem;
    p->found = fast;
    return CLI_OK;
}

int gt_cli_find_blocks(cli_problem *p)
{
    if (!may_have_blocks(p)) return CLI_OK;
    const gt_problem *problem = &p->problem;
    gt_split split;
    gt_status status = gt_split_find(problem, problem->t0, problem->x0, &split, &p->arena, NULL);
    if (status == GT_NO_MEMORY) return gt_cli_failed("out of memory for the Jacobian");
    double turns = split.fast_rate * fabs(problem->t1 - problem->t0);
    if (status || !split.n_fast || !(turns > least_turns)) return CLI_OK;
    const char *fast = gt_cli_fast_text(problem, split.fast, &p->arena);
    return fast ? read_again(p, fast) : gt_cli_failed("out of memory");
}
