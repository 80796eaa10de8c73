/* SPDX-License-Identifier: BSD-3-Clause */
/* Boost.odeint's method for stiff problems: rosenbrock4, of order 4, with its controller, on vectors of uBLAS. */
#include "bench.h"
#include <boost/numeric/odeint.hpp>
#include <boost/numeric/ublas/matrix.hpp>
#include <boost/numeric/ublas/vector.hpp>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace odeint = boost::numeric::odeint;
using vector = boost::numeric::ublas::vector<double>;
using matrix = boost::numeric::ublas::matrix<double>;

namespace
{

const double first_step = 1e-6; /* it must be given */

struct peer {
    bench_task *task;
    std::vector<double> columns; /* the Jacobian column by column, as the problem writes it */

    explicit peer(bench_task *of)
        : task(of), columns(gt_problem_size(&of->problem->gt) * gt_problem_size(&of->problem->gt))
    {
    }

    void rhs(const vector &x, vector &dx, double t) const
    {
        const gt_problem &p = task->problem->gt;
        if (p.rhs(t, &x[0], &dx[0], p.ctx) != GT_OK) throw std::runtime_error("f failed");
    }

    void jac(const vector &x, matrix &to, double t, vector &by_t)
    {
        const gt_problem &p = task->problem->gt;
        std::size_t n = x.size();
        gt_matrix J = gt_matrix();
        J.n = n;
        J.values = columns.data();
        std::fill(columns.begin(), columns.end(), 0.0);
        task->jacobians++;
        if (p.jac(t, &x[0], &J, p.ctx) != GT_OK) throw std::runtime_error("the Jacobian failed");
        for (std::size_t i = 0; i < n; i++) {
            for (std::size_t j = 0; j < n; j++) to(i, j) = columns[j * n + i];
            by_t[i] = 0;
        }
    }

    void run()
    {
        const gt_problem &p = task->problem->gt;
        std::size_t n = gt_problem_size(&p);
        vector x(n);
        std::copy(p.x0, p.x0 + n, x.begin());
        task->jacobians = 0;
        task->factorizations = -1;
        task->failed = 0;
        long most = bench_most_steps(task), steps = 0;
        auto stepper = odeint::make_controlled(bench_atol(task), task->tol, odeint::rosenbrock4<double>());
        auto system =
            std::make_pair([this](const vector &y, vector &dy, double t) { rhs(y, dy, t); },
                           [this](const vector &y, matrix &J, double t, vector &by_t) { jac(y, J, t, by_t); });
        double t = p.t0, h = first_step;
        try {
            while (t < task->t1 && !task->failed) {
                if (t + h > task->t1) h = task->t1 - t;
                if (stepper.try_step(system, x, t, h) == odeint::success) steps++;
                task->failed = steps >= most || !(h > 1e-15 * std::fabs(t)) || !std::isfinite(x[0]);
            }
        } catch (const std::exception &) {
            task->failed = 1;
        }
        task->steps = steps;
        std::copy(x.begin(), x.end(), task->x);
    }
};

void *peer_open(const bench_solver *, bench_task *task) { return new peer(task); }
void peer_run(void *handle) { static_cast<peer *>(handle)->run(); }
void peer_close(void *handle) { delete static_cast<peer *>(handle); }

} // namespace

extern "C" const bench_solver bench_boost_rosenbrock = {
    "Boost",  "ros4",    "rosenbrock4 with its controller, analytic Jacobian, first step 1e-6", nullptr, peer_open,
    peer_run, peer_close};
