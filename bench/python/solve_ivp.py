# SPDX-License-Identifier: BSD-3-Clause
"""geartrain.solve_ivp beside SciPy's, in one process, one after the other, with the same functions of Python.

    build/python/bin/python bench/python/solve_ivp.py [--repeat N] [--seconds S] [--table] [--equal-error] [problem ...]

For each problem and tolerance one row a method: processor time (the least of N runs, those of all methods taking
turns), calls of fun, and the error at the end, max |y - reference| / (atol/rtol + |reference|), over rtol. Runs that
would take longer than S seconds are left out. With --table the times alone, one row a problem and tolerance, as in
docs/from_scipy.md.

With --equal-error a table of counts, which no load of the machine changes: the fewest calls of fun with which auto and
LSODA reach each error, over tolerances half a decade apart, and their ratio.
"""

import argparse
import os
import time
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import scipy.integrate

import geartrain


def robertson(t, y):
    a = -0.04 * y[0] + 1e4 * y[1] * y[2]
    b = 3e7 * y[1] ** 2
    return [a, -a - b, b]


def hires(t, y):
    y1, y2, y3, y4, y5, y6, y7, y8 = y
    return [-1.71 * y1 + 0.43 * y2 + 8.32 * y3 + 0.0007, 1.71 * y1 - 8.75 * y2,
            -10.03 * y3 + 0.43 * y4 + 0.035 * y5, 8.32 * y2 + 1.71 * y3 - 1.12 * y4,
            -1.745 * y5 + 0.43 * y6 + 0.43 * y7,
            -280 * y6 * y8 + 0.69 * y4 + 1.71 * y5 - 0.43 * y6 + 0.69 * y7,
            280 * y6 * y8 - 1.81 * y7, -280 * y6 * y8 + 1.81 * y7]


def vanderpol(t, y):
    return [y[1], 1000 * (1 - y[0] ** 2) * y[1] - y[0]]


def lorenz(t, y):
    return [10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]]


MASSES = np.arange(1, 8.0)


def pleiades(t, y):
    x, z = y[:7], y[7:14]
    dx, dz = x[None, :] - x[:, None], z[None, :] - z[:, None]
    r = (dx**2 + dz**2) ** 1.5
    np.fill_diagonal(r, 1)
    pull = MASSES[None, :] / r
    return np.concatenate([y[14:], (pull * dx).sum(1), (pull * dz).sum(1)])


CELLS = 1000


def brusselator(t, y):
    u, v = y[::2], y[1::2]
    d = np.empty_like(y)
    c = (CELLS + 1) ** 2 / 50
    reaction = u * u * v
    d[::2] = 1 + reaction - 4 * u
    d[1::2] = 3 * u - reaction
    d[2:-2:2] += c * (u[:-2] - 2 * u[1:-1] + u[2:])
    d[3:-2:2] += c * (v[:-2] - 2 * v[1:-1] + v[2:])
    d[0] += c * (1 - 2 * u[0] + u[1])
    d[-2] += c * (u[-2] - 2 * u[-1] + 1)
    d[1] += c * (3 - 2 * v[0] + v[1])
    d[-1] += c * (v[-2] - 2 * v[-1] + 3)
    return d


def brusselator_start():
    y = np.empty(2 * CELLS)
    y[::2] = 1 + np.sin(2 * np.pi * np.arange(1, CELLS + 1) / (CELLS + 1))
    y[1::2] = 3
    return y


def brusselator_pattern():
    from scipy.sparse import diags

    n = 2 * CELLS
    return diags([np.ones(n - abs(k)) for k in (-2, -1, 0, 1, 2)], [-2, -1, 0, 1, 2], format="csc")


PLEIADES = np.array([3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4, 0, 0, 0, 0, 0, 1.75, -1.5, 0, 0, 0, -1.25, 1, 0, 0.0])
STIFF, SMOOTH = ["BDF", "Radau", "LSODA"], ["RK45", "DOP853", "LSODA"]
# name: fun, span, start, atol / rtol, SciPy's methods, ours, further arguments
PROBLEMS = {
    "robertson": (robertson, [0, 1e5], [1, 0, 0], 1e-4, STIFF, ["auto", "gear"], dict),
    "hires": (hires, [0, 321.8122], [1, 0, 0, 0, 0, 0, 0, 0.0057], 1e-2, STIFF, ["auto", "gear"], dict),
    "vanderpol": (vanderpol, [0, 2000], [2, 0], 1e-2, STIFF, ["auto", "gear"], dict),
    "brusselator": (brusselator, [0, 10], brusselator_start(), 1e-2, STIFF, ["auto", "gear"],
                    lambda: dict(jac_sparsity=brusselator_pattern())),
    "lorenz": (lorenz, [0, 10], [1, 1, 1], 1e-2, SMOOTH, ["auto", "dopri5", "dop853"], dict),
    "pleiades": (pleiades, [0, 3], PLEIADES, 1e-2, SMOOTH, ["auto", "dopri5", "dop853"], dict),
}


def solvers(scipy_methods, own_methods, extra):
    """(name, function of (fun, span, y0, rtol, atol))"""
    def theirs(method):
        def solve(fun, span, y0, rtol, atol):
            given = dict(extra) if method != "LSODA" else dict(lband=2, uband=2) if extra else {}
            if method in ("RK45", "DOP853"):
                given = {}
            return scipy.integrate.solve_ivp(fun, span, y0, method=method, rtol=rtol, atol=atol, **given)
        return solve

    def ours(method):
        return lambda fun, span, y0, rtol, atol: geartrain.solve_ivp(fun, span, y0, method=method, rtol=rtol, atol=atol,
                                                                     **extra)

    return [(m, ours(m)) for m in own_methods] + [(m + " (SciPy)", theirs(m)) for m in scipy_methods]


def measure(name, tolerances, repeat, most_seconds):
    fun, span, y0, ratio, scipy_methods, own_methods, extra = PROBLEMS[name]
    extra = extra()
    reference = geartrain.solve_ivp(fun, span, y0, rtol=1e-12, atol=1e-12 * ratio, method=own_methods[-1], **extra)
    end = reference.y[:, -1]
    for rtol in tolerances:
        rows, slow = {}, set()
        for _ in range(repeat):
            for method, solve in solvers(scipy_methods, own_methods, extra):
                if method in slow:
                    continue
                begun = time.process_time()
                s = solve(fun, span, y0, rtol, rtol * ratio)
                seconds = time.process_time() - begun
                if seconds > most_seconds:
                    slow.add(method)
                error = np.max(np.abs(s.y[:, -1] - end) / (ratio + np.abs(end))) / rtol if s.success else np.inf
                best = rows.get(method)
                rows[method] = (min(seconds, best[0]) if best else seconds, s.nfev, error)
        yield rtol, rows


COLUMNS = ["method", "time [ms]", "over the first", "calls of fun", "error / rtol"]


def print_rows(name, rtol, rows):
    base = next(iter(rows.values()))[0]
    for method, (seconds, calls, error) in rows.items():
        print(f"| {name} | {rtol:.0e} | {method} | {1e3 * seconds:.2f} | {seconds / base:.1f} | {calls} | {error:.3g} |",
              flush=True)


def print_times(name, rtol, rows):
    base = next(iter(rows.values()))[0]
    times = [f"{1e3 * s:.3g}" + (f" ({s / base:.1f})" if "SciPy" in method else "") for method, (s, _, _) in rows.items()]
    print(f"| {name} | {rtol:.0e} | " + " | ".join(times) + " |", flush=True)


def fewest(solve, name, end):
    """(error, calls) of runs at tolerances half a decade apart."""
    fun, span, y0, ratio, *_ = PROBLEMS[name]
    runs = [solve(fun, span, y0, rtol, rtol * ratio) for rtol in 10.0 ** -np.arange(2, 11.1, 0.5)]
    return [(np.max(np.abs(s.y[:, -1] - end) / (ratio + np.abs(end))), s.nfev) for s in runs if s.success]


def at_equal_error(name):
    fun, span, y0, ratio, scipy_methods, own_methods, extra = PROBLEMS[name]
    extra = extra()
    exact = "radau" if scipy_methods is STIFF else "dop853"
    end = geartrain.solve_ivp(fun, span, y0, rtol=1e-13, atol=1e-13 * ratio, method=exact, **extra).y[:, -1]
    found = [fewest(solve, name, end) for _, solve in solvers(["LSODA"], ["auto"], extra)]
    ratios = []
    for error in 10.0 ** -np.arange(2, 9.1):
        calls = [min((n for e, n in runs if e <= error), default=0) for runs in found]
        if all(calls):
            ratios.append(calls[0] / calls[1])
            print(f"| {name} | {error:.0e} | {calls[0]} | {calls[1]} | {ratios[-1]:.2f} |", flush=True)
    print(f"| {name} | mean | | | {np.exp(np.mean(np.log(ratios))):.2f} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problems", nargs="*", default=list(PROBLEMS))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rtol", type=float, nargs="*", default=[1e-4, 1e-6, 1e-9])
    parser.add_argument("--equal-error", action="store_true")
    parser.add_argument("--table", action="store_true")
    a = parser.parse_args()
    warnings.simplefilter("ignore")
    if a.equal_error:
        print("| problem | error | calls of auto | of LSODA | ratio |")
        print("| --- | --- | --- | --- | --- |")
        for problem in a.problems:
            at_equal_error(problem)
        raise SystemExit
    shown = None
    for problem in a.problems:
        for rtol, rows in measure(problem, a.rtol, a.repeat, a.seconds):
            columns = ["problem", "rtol"] + (list(rows) if a.table else COLUMNS)
            if columns != shown:
                print(("\n" if shown else "") + "| " + " | ".join(columns) + " |\n|" + " --- |" * len(columns))
            shown = columns
            (print_times if a.table else print_rows)(problem, rtol, rows)
