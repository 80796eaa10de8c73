/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From C++17: a problem that is an object, a run that closes itself, an error that is an exception.
 *
 * Expected: a predator and its prey come back to where they were, 1e-4 near, after one period, which the run finds as
 * an event; the invariant of the system is kept to 1e-6.
 */
#include <cmath>
#include <cstdio>
#include <geartrain/geartrain.h>
#include <memory>
#include <stdexcept>
#include <vector>

struct lotka_volterra {
    double a = 1.1, b = 0.4, c = 0.4, d = 0.1;
    std::vector<double> start = {10, 5};

    void slope(const double *x, double *dx) const
    {
        dx[0] = (a - b * x[1]) * x[0];
        dx[1] = (d * x[0] - c) * x[1];
    }
    double invariant(const double *x) const { return d * x[0] - c * std::log(x[0]) + b * x[1] - a * std::log(x[1]); }

    /* Functions of the problem are plain functions; `ctx` leads to the object. No exception may leave them. */
    gt_problem problem(double t1)
    {
        gt_problem p = {};
        p.n_slow = start.size();
        p.x0 = start.data();
        p.t1 = t1;
        p.ctx = this;
        p.rhs = [](double, const double *x, double *dx, void *ctx) {
            static_cast<const lotka_volterra *>(ctx)->slope(x, dx);
            return GT_OK;
        };
        p.n_roots = 1; /* the predators are as many as at the start, and becoming more */
        p.root_direction = &upwards;
        p.roots = [](double, const double *x, double *g, void *ctx) {
            g[0] = x[1] - static_cast<const lotka_volterra *>(ctx)->start[1];
            return GT_OK;
        };
        return p;
    }
    static constexpr int upwards = 1;
};

struct closer {
    void operator()(gt_run *run) const { gt_run_close(run); }
};
using run_handle = std::unique_ptr<gt_run, closer>;

static run_handle open(const gt_problem &problem, const char *method, const gt_plan &plan)
{
    gt_run *run;
    gt_message message;
    if (gt_run_open(&run, &problem, gt_method_find(method), &plan, &message)) throw std::runtime_error(message.text);
    return run_handle(run);
}

int main()
try {
    lotka_volterra animals;
    gt_problem problem = animals.problem(100);
    gt_plan plan = {};
    plan.rtol = 1e-8;
    run_handle run = open(problem, "dopri5", plan);
    gt_reached reached;
    if (gt_run_advance(run.get(), 100, GT_ADVANCE_TO_EVENTS, &reached) || reached != GT_REACHED_EVENT)
        throw std::runtime_error(gt_run_message(run.get()));
    const double *x = gt_run_x(run.get());
    std::printf("period %.6f, prey %.6f, predators %.6f\n", gt_run_time(run.get()), x[0], x[1]);
    bool back = std::fabs(x[0] - 10) < 1e-4 && std::fabs(x[1] - 5) < 1e-4;
    bool kept = std::fabs(animals.invariant(x) - animals.invariant(animals.start.data())) < 1e-6;
    return back && kept ? 0 : 1;
} catch (const std::exception &error) {
    std::fprintf(stderr, "cplusplus: %s\n", error.what());
    return 1;
}
