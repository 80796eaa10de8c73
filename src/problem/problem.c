/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sized.h"
#include <geartrain/problem.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

const char *gt_problem_state_name_sized(const gt_problem *problem, size_t problem_size, size_t i,
                                        char buffer[24])
{
    GT_WIDEN_QUIETLY(gt_problem, problem);
    if (!problem || !buffer) return "";
    if (problem->names && i < gt_problem_size(problem) && problem->names[i])
        return problem->names[i];
    snprintf(buffer, 24, "x%zu", i + 1);
    return buffer;
}

const char *gt_problem_column_name_sized(const gt_problem *problem, size_t problem_size, size_t i,
                                         char buffer[24])
{
    GT_WIDEN_QUIETLY(gt_problem, problem);
    if (!problem || !buffer) return "";
    size_t n = gt_problem_size(problem);
    bool is_aux =
        i >= n && i - n < problem->n_aux && problem->aux_names && problem->aux_names[i - n];
    return is_aux ? problem->aux_names[i - n] : gt_problem_state_name(problem, i, buffer);
}

static gt_status check_csc(const gt_pattern *p, size_t n, const char *what, gt_message *message)
{
    if (!p->colptr)
        return gt_fail(message, GT_BAD_ARGUMENT, "%s is CSC but its colptr is NULL", what);
    if (p->colptr[0] != 0)
        return gt_fail(message, GT_BAD_ARGUMENT, "%s: colptr[0] is %d, not 0", what, p->colptr[0]);
    for (size_t j = 0; j < n; j++) {
        if (p->colptr[j + 1] < p->colptr[j])
            return gt_fail(message, GT_BAD_ARGUMENT, "%s: colptr falls from %d to %d at column %zu",
                           what, p->colptr[j], p->colptr[j + 1], j);
        if (!p->rowindex && p->colptr[j + 1] > 0)
            return gt_fail(message, GT_BAD_ARGUMENT, "%s is CSC but its rowindex is NULL", what);
        for (int k = p->colptr[j]; k < p->colptr[j + 1]; k++) {
            int row = p->rowindex[k];
            if (row < 0 || (size_t)row >= n)
                return gt_fail(message, GT_BAD_ARGUMENT,
                               "%s: row %d in column %zu is outside 0..%zu", what, row, j, n - 1);
            if (k > p->colptr[j] && row <= p->rowindex[k - 1])
                return gt_fail(message, GT_BAD_ARGUMENT,
                               "%s: rows of column %zu are not ascending (%d after %d)", what, j,
                               row, p->rowindex[k - 1]);
        }
    }
    return GT_OK;
}

static gt_status check_pattern(const gt_pattern *p, size_t n, const char *what, gt_message *message)
{
    switch (p->storage) {
    case GT_DENSE:
        return GT_OK;
    case GT_BANDED:
        if (p->lower < 0 || p->upper < 0 || (size_t)p->lower >= n || (size_t)p->upper >= n)
            return gt_fail(
                message, GT_BAD_ARGUMENT,
                "%s has %d sub- and %d superdiagonals; with %zu states each must be in 0..%zu",
                what, p->lower, p->upper, n, n - 1);
        return GT_OK;
    case GT_CSC:
        return check_csc(p, n, what, message);
    }
    return gt_fail(message, GT_BAD_ARGUMENT, "%s has an unknown storage (%d)", what,
                   (int)p->storage);
}

static gt_status check_matrix(const gt_matrix *m, size_t n, const char *what, gt_message *message)
{
    if (m->n != n)
        return gt_fail(message, GT_BAD_ARGUMENT, "%s is %zu x %zu but must be %zu x %zu", what,
                       m->n, m->n, n, n);
    if (m->is_complex) return gt_fail(message, GT_BAD_ARGUMENT, "%s must be real", what);
    if (!m->values) return gt_fail(message, GT_BAD_ARGUMENT, "%s has no values", what);
    return check_pattern(&m->pattern, n, what, message);
}

static gt_status check_times(const gt_problem *p, gt_message *message)
{
    if (gt_problem_size(p) >= INT_MAX)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "%zu states are more than the linear algebra can number",
                       gt_problem_size(p));
    if (!isfinite(p->t0) || isnan(p->t1)) /* a run handle may have no end */
        return gt_fail(message, GT_BAD_ARGUMENT, "the time span %g to %g must be finite", p->t0,
                       p->t1);
    if (p->n_switches && (!p->switches || !p->set_sides))
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the problem has %zu switches but switches or set_sides is NULL",
                       p->n_switches);
    if (p->n_breaks && !p->breaks)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the problem has %zu break times but breaks is NULL", p->n_breaks);
    for (size_t i = 0; i < p->n_breaks; i++) {
        if (!isfinite(p->breaks[i]))
            return gt_fail(message, GT_BAD_ARGUMENT, "break time %zu is not finite", i);
        if (i > 0 && p->breaks[i] <= p->breaks[i - 1])
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "break times must ascend: number %zu is %g after %g", i, p->breaks[i],
                           p->breaks[i - 1]);
    }
    return GT_OK;
}

static gt_status check_events(const gt_problem *p, gt_message *message)
{
    if (p->n_roots && !p->roots)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the problem has %zu event conditions but no function roots", p->n_roots);
    for (size_t i = 0; p->root_direction && i < p->n_roots; i++)
        if (p->root_direction[i] < -1 || p->root_direction[i] > 1)
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "direction of event condition %zu is %d; use -1, 0 or +1", i,
                           p->root_direction[i]);
    if (p->n_invariants && (!p->invariants || !p->invariant_names))
        return gt_fail(
            message, GT_BAD_ARGUMENT,
            "the problem has %zu invariants but no function invariants or no invariant_names",
            p->n_invariants);
    if (p->n_aux && (!p->aux || !p->aux_names))
        return gt_fail(
            message, GT_BAD_ARGUMENT,
            "the problem has %zu auxiliary quantities but no function aux or no aux_names",
            p->n_aux);
    return GT_OK;
}

static gt_status check_second_order(const gt_problem *p, size_t n, gt_message *message)
{
    const gt_second_order *so = p->second_order;
    if (n % 2 || p->n_alg)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "a second-order structure needs an even number of states [z, z'] and no "
                       "algebraic ones; there "
                       "are %zu states, %zu algebraic",
                       n, p->n_alg);
    if (!so->mass || !so->stiffness)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the second-order structure needs a mass and a stiffness matrix");
    gt_status status =
        check_matrix(so->mass, n / 2, "the mass matrix M of the second-order structure", message);
    if (!status)
        status = check_matrix(so->stiffness, n / 2,
                              "the stiffness matrix K of the second-order structure", message);
    if (!status && so->damping)
        status = check_matrix(so->damping, n / 2,
                              "the damping matrix C of the second-order structure", message);
    return status;
}

static gt_status check_hooks(const gt_problem *p, gt_message *message)
{
    if (p->ranks && !p->ranks->reduce)
        return gt_fail(message, GT_BAD_ARGUMENT, "the problem has ranks without a function reduce");
    if (p->threads && (!p->threads->share || !p->threads->count))
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the problem has threads without a function share, or none of them");
    const char *whole = NULL;
    if (p->second_order) whole = "a second-order structure";
    if (p->mass) whole = "a mass matrix";
    if (p->n_switches) whole = "switches";
    if (p->n_alg) whole = "algebraic equations";
    if (p->ranks && whole)
        return gt_fail(message, GT_UNSUPPORTED, "a state that is spread over ranks cannot have %s",
                       whole);
    const gt_solver *own = p->solver;
    if (own && !own->solve && !own->precondition && !own->jac_times)
        return gt_fail(
            message, GT_BAD_ARGUMENT,
            "the solver of the problem has no function solve, precondition or jac_times");
    return GT_OK;
}

static gt_status check_start(const gt_problem *p, size_t n, gt_message *message)
{
    char buffer[24];
    if (!p->x0 && n > 0)
        return gt_fail(message, GT_BAD_ARGUMENT, "the problem has no initial values; set x0");
    for (size_t i = 0; p->names && i < n; i++)
        if (!p->names[i])
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "state %zu has no name; name all states or none", i);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(p->x0[i]))
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "the initial value of %s is %g; it must be finite",
                           gt_problem_state_name(p, i, buffer), p->x0[i]);
    return GT_OK;
}

/* An index above 1 belongs to what has no derivative of its own, or to what that acts upon. */
static gt_status check_index(const gt_problem *p, size_t n, gt_message *message)
{
    char buffer[24];
    int highest = 1;
    for (size_t i = 0; i < n; i++) {
        int index = p->index[i];
        if (index < 1 || index > 3)
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "the index of %s is given as %d; it must be 1, 2 or 3",
                           gt_problem_state_name(p, i, buffer), index);
        if (index > highest) highest = index;
    }
    if (highest > 1 && !p->n_alg && !p->mass)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the index is given as %d, but there are no algebraic equations and no "
                       "mass matrix: it is 1",
                       highest);
    for (size_t i = n - p->n_hidden; i < n; i++)
        if (p->index[i] != 2)
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "the index of %s, which holds constraints, is given as %d; it must be 2",
                           gt_problem_state_name(p, i, buffer), p->index[i]);
    for (size_t i = n - p->n_alg; i < n; i++)
        if (p->index[i] == highest) return GT_OK;
    if (highest == 1 || p->mass) return GT_OK;
    return gt_fail(
        message, GT_BAD_ARGUMENT,
        "index %d is given for states with an equation x' = .., and for no algebraic one", highest);
}

/* The blocks of the fast part have states, and together they are that part. */
static gt_status check_rates(const gt_problem *p, gt_message *message)
{
    size_t left = p->n_fast;
    if (!p->n_rates) return GT_OK;
    if (!p->rate_sizes)
        return gt_fail(message, GT_BAD_ARGUMENT, "n_rates is %zu and rate_sizes is NULL",
                       p->n_rates);
    for (size_t k = 0; k < p->n_rates; k++) {
        if (p->rate_sizes[k] == 0)
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "rate_sizes[%zu] is 0: a block without states has no rate; leave it out",
                           k);
        if (p->rate_sizes[k] > left)
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "the blocks of rate_sizes up to [%zu] have more than the %zu states of "
                           "n_fast: they are to agree",
                           k, p->n_fast);
        left -= p->rate_sizes[k];
    }
    if (left)
        return gt_fail(
            message, GT_BAD_ARGUMENT,
            "the %zu blocks of rate_sizes have %zu states and n_fast is %zu: they are to agree",
            p->n_rates, p->n_fast - left, p->n_fast);
    return GT_OK;
}

gt_status gt_problem_check_sized(const gt_problem *problem, size_t problem_size,
                                 gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    if (!problem) return gt_fail(message, GT_BAD_ARGUMENT, "no problem was given (NULL)");
    if (problem->n_slow >= INT_MAX || problem->n_fast >= INT_MAX || problem->n_alg >= INT_MAX)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "%zu slow, %zu fast and %zu algebraic states are more than there can be",
                       problem->n_slow, problem->n_fast, problem->n_alg);
    gt_status status = check_rates(problem, message);
    if (status) return status;
    size_t n = gt_problem_size(problem);
    if (n == 0 && !problem->ranks)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the problem has no states; set n_slow, n_fast or n_alg");
    if (!problem->rhs)
        return gt_fail(
            message, GT_BAD_ARGUMENT,
            problem->second_order
                ? "the problem has no right-hand side; make one with gt_problem_first_order"
                : "the problem has no right-hand side; set rhs");
    status = check_times(problem, message);
    if (!status) status = check_hooks(problem, message);
    if (!status) status = check_start(problem, n, message);
    if (!status)
        status = check_pattern(&problem->jac_pattern, n, "the pattern of the Jacobian", message);
    if (!status && problem->mass)
        status = check_matrix(problem->mass, n, "the mass matrix", message);
    if (!status && !(problem->typical >= 0 && problem->typical < INFINITY))
        status = gt_fail(message, GT_BAD_ARGUMENT,
                         "the typical size of the states is %g; it must be above 0, or 0 where it "
                         "is to be found",
                         problem->typical);
    if (!status && problem->second_order) status = check_second_order(problem, n, message);
    if (!status && problem->n_hidden && (problem->n_hidden > problem->n_alg || !problem->index))
        status = gt_fail(message, GT_BAD_ARGUMENT,
                         "%zu of %zu algebraic states are to hold constraints; they must be among "
                         "them, and have an index",
                         problem->n_hidden, problem->n_alg);
    if (!status && problem->index) status = check_index(problem, n, message);
    if (!status) status = check_events(problem, message);
    return status;
}

static gt_problem reduced(const gt_problem *problem)
{
    gt_problem r = *problem;
    r.n_fast = 0;
    r.n_alg = problem->n_fast + problem->n_alg;
    r.rhs_fast = NULL;
    r.jac_block = NULL; /* which knows the parts as they were */
    r.n_rates = 0;
    r.rate_sizes = NULL;
    r.rhs_rates = NULL;
    r.solver = NULL;
    if (problem->n_fast > 0) {
        /* One function can give the algebraic rows only when they are all of the former fast block.
         */
        r.rhs_alg = problem->n_alg == 0 ? problem->rhs_fast : NULL;
        /* These describe the full dynamics, which the reduced model does not have. */
        r.taylor = NULL;
        r.exact = NULL;
        r.second_order = NULL;
        r.n_invariants = 0;
        r.invariants = NULL;
        r.invariant_names = NULL;
        r.work.alg += r.work.fast;
        r.work.fast = 0;
    }
    return r;
}

void gt_problem_reduced_sized(const gt_problem *problem, size_t problem_size, gt_problem *out,
                              size_t out_size)
{
    GT_WIDEN_QUIETLY(gt_problem, problem);
    gt_problem made = {0};
    if (problem) made = reduced(problem);
    if (out) gt_narrow(out, out_size, &made, sizeof made);
}
