/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_BENCH_PEER_BOOST_HPP
#define GEARTRAIN_BENCH_PEER_BOOST_HPP

/* Two files include this, one for each form of the right-hand side, since different compiler options suit them best. */
#include "bench.h"
#include "support/rhs.h"
#include <algorithm>
#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <vector>

namespace odeint = boost::numeric::odeint;

namespace
{

/* The same function pointer as everybody, and the body that the compiler may inline. */
struct by_pointer {
    gt_rhs_fn *f;
    void *ctx;
    explicit by_pointer(const gt_problem &p) : f(p.rhs), ctx(p.ctx) {}
    template <class State> void operator()(const State &x, State &dx, double t) const
    {
        f(t, x.data(), dx.data(), ctx);
    }
};

template <void body(const double *, double *, const bench_numbers *)> struct inlined {
    bench_numbers numbers;
    explicit inlined(const gt_problem &p) : numbers(*static_cast<const bench_numbers *>(p.ctx)) {}
    template <class State> void operator()(const State &x, State &dx, double) const
    {
        body(x.data(), dx.data(), &numbers);
    }
};

template <class State> void assign(State &state, const double *x, std::size_t n) { std::copy(x, x + n, state.begin()); }
void assign(std::vector<double> &state, const double *x, std::size_t n) { state.assign(x, x + n); }

template <class Stepper, class State, class System> void solve(bench_task *task)
{
    const gt_problem &p = task->problem->gt;
    std::size_t n = gt_problem_size(&p);
    System system(p);
    State x;
    assign(x, p.x0, n);
    if (task->h > 0) {
        task->steps = std::lround((task->t1 - p.t0) / task->h);
        odeint::integrate_n_steps(Stepper(), system, x, p.t0, task->h, task->steps);
    } else if constexpr (std::is_same_v<typename Stepper::stepper_category, odeint::explicit_error_stepper_fsal_tag>) {
        auto stepper = odeint::make_controlled(task->tol, task->tol, Stepper());
        task->steps = static_cast<long>(odeint::integrate_adaptive(stepper, system, x, p.t0, task->t1, 1e-3));
    }
    std::copy(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n), task->x);
}

template <class State> using rk4 = odeint::runge_kutta4<State>;
/* The explicit midpoint rule, from Boost's generic Runge-Kutta method. */
template <class State> struct rk2 : odeint::explicit_generic_rk<2, 2, State> {
    using base = odeint::explicit_generic_rk<2, 2, State>;
    rk2() : base(boost::fusion::make_vector(boost::array<double, 1>{{0.5}}), {{0, 1}}, {{0, 0.5}}) {}
};
template <class State> using dopri5 = odeint::runge_kutta_dopri5<State>;
using solve_fn = void(bench_task *);
template <std::size_t n> using array = std::array<double, n>;

template <template <class> class Method, class State, class System> constexpr solve_fn *solver()
{
    return solve<Method<State>, State, System>;
}

template <template <class> class Method> solve_fn *choose_by_pointer(std::size_t n)
{
    switch (n) {
    case 2:
        return solver<Method, array<2>, by_pointer>();
    case 3:
        return solver<Method, array<3>, by_pointer>();
    case 8:
        return solver<Method, array<8>, by_pointer>();
    case 28:
        return solver<Method, array<28>, by_pointer>();
    case 64:
        return solver<Method, array<64>, by_pointer>();
    default:
        return solver<Method, std::vector<double>, by_pointer>();
    }
}

template <template <class> class Method> solve_fn *choose_inlined(std::size_t n)
{
    switch (n) {
    case 2:
        return solver<Method, array<2>, inlined<rhs_vanderpol>>();
    case 3:
        return solver<Method, array<3>, inlined<rhs_lorenz>>();
    case 8:
        return solver<Method, array<8>, inlined<rhs_chain>>();
    case 64:
        return solver<Method, array<64>, inlined<rhs_chain>>();
    default:
        return solver<Method, std::vector<double>, inlined<rhs_heat>>();
    }
}

struct peer {
    bench_task *task;
    solve_fn *solve;
};

struct variant {
    solve_fn *(*choose)(std::size_t n);
    solve_fn *(*choose_counted)(std::size_t n);
};

void *peer_open(const bench_solver *self, bench_task *task)
{
    auto v = static_cast<const variant *>(self->variant);
    return new peer{task, (task->problem->calls ? v->choose_counted : v->choose)(gt_problem_size(&task->problem->gt))};
}

void peer_run(void *handle)
{
    auto b = static_cast<peer *>(handle);
    b->solve(b->task);
}

void peer_close(void *handle) { delete static_cast<peer *>(handle); }

} // namespace

#endif
