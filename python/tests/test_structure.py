# SPDX-License-Identifier: BSD-3-Clause
"""Jacobians whose pattern is found by calling f: what it saves, and that entries which show late are not lost."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp as scipy_ivp
from scipy.linalg import expm

import geartrain
from geartrain._problem import Prepared
from geartrain._structure import Structure

N = 100
STIFF = ["gear", "radau", "rodas4", "auto"]


def laplacian(n):
    return n**2 * (np.diag(np.ones(n - 1), 1) - 2 * np.eye(n) + np.diag(np.ones(n - 1), -1))


def heat(t, y):
    d = -2 * y
    d[1:] += y[:-1]
    d[:-1] += y[1:]
    return N**2 * d


START = np.sin(np.pi * np.arange(1, N + 1) / (N + 1)) ** 2


@pytest.mark.parametrize("method", STIFF)
def test_a_jacobian_of_few_diagonals_takes_few_calls(method):
    sol = geartrain.solve_ivp(heat, [0, 0.2], START, method=method, rtol=1e-6, atol=1e-9)
    exact = expm(0.2 * laplacian(N)) @ START
    assert np.abs(sol.y[:, -1] - exact).max() < 1e-5
    given = geartrain.solve_ivp(heat, [0, 0.2], START, method=method, rtol=1e-6, atol=1e-9, jac_sparsity=laplacian(N))
    # A call a column for the pattern, and one a Jacobian to see that it is right; auto may go another way.
    if method != "auto":
        assert given.nfev + N <= sol.nfev <= given.nfev + N + sol.njev + 10


def late(t, y):
    """Neighbours act on each other from t = 1 on."""
    return (heat(t, y) if t > 1 else 0 * y) - y


def late_exact():
    return expm(0.1 * laplacian(N) - 1.1 * np.eye(N)) @ START


@pytest.mark.parametrize("method", STIFF)
def test_entries_that_show_late_are_found(method):
    sol = geartrain.solve_ivp(late, [0, 1.1], START, method=method, rtol=1e-7, atol=1e-10)
    assert sol.success
    assert np.abs(sol.y[:, -1] - late_exact()).max() < 1e-5
    assert sol.t[0] == 0 and (np.diff(sol.t) > 0).all()


@pytest.mark.parametrize("solver", [geartrain.Gear, geartrain.Rodas4, geartrain.Auto])
def test_entries_that_show_late_are_found_step_by_step(solver):
    sol = scipy_ivp(late, [0, 1.1], START, method=solver, rtol=1e-7, atol=1e-10)
    assert sol.success
    assert np.abs(sol.y[:, -1] - late_exact()).max() < 1e-5
    assert sol.t[0] == 0 and (np.diff(sol.t) > 0).all()


def chain(t, y):
    """A reaction that walks along: at the start all products of neighbours are 0."""
    rate = 1e3 * y[:-1] * y[1:] + 10 * y[:-1]
    d = np.zeros_like(y)
    d[:-1] -= rate
    d[1:] += rate
    return d


def test_products_that_are_zero_at_the_start():
    y0 = np.zeros(60)
    y0[0] = 1
    want = geartrain.solve_ivp(chain, [0, 3], y0, method="dop853", rtol=1e-10, atol=1e-13).y[:, -1]
    for method in STIFF:
        sol = geartrain.solve_ivp(chain, [0, 3], y0, method=method, rtol=1e-7, atol=1e-10)
        assert np.abs(sol.y[:, -1] - want).max() < 1e-5, method
        assert abs(sol.y[:, -1].sum() - 1) < 1e-6


def full(t, y):
    return -(1 + np.arange(N)) * y + y.mean()


def test_a_full_matrix_is_taken_as_one():
    core = Prepared(full, 0.0, 1.0, START).core
    x = START.copy()
    dense = np.empty((N, N))
    core.jacobian(0.0, x, dense)
    found = Structure(Prepared(full, 0.0, 1.0, START), "gear")
    assert found.pattern is None and found.calls < 20
    sol = geartrain.solve_ivp(full, [0, 1], START, method="gear", rtol=1e-6, atol=1e-9)
    want = expm(-np.diag(1.0 + np.arange(N)) + np.ones((N, N)) / N) @ START
    assert np.abs(sol.y[:, -1] - want).max() < 1e-5


def test_no_search_where_none_pays():
    wave = Structure(Prepared(lambda t, y: np.roll(y, 1) - y, 0.0, 1.0, START), "auto")
    assert wave.pattern is None and wave.calls < 10  # not stiff
    few = Structure(Prepared(lambda t, y: -y, 0.0, 1.0, START[:20]), "gear")
    assert few.pattern is None and few.calls == 0
    explicit = Structure(Prepared(heat, 0.0, 1.0, START), "dop853")
    assert explicit.pattern is None and explicit.calls == 0


def test_calls_are_counted():
    calls = 0

    def counted(t, y):
        nonlocal calls
        calls += 1
        return late(t, y)

    sol = geartrain.solve_ivp(counted, [0, 1.1], START, method="gear", rtol=1e-5)
    assert sol.nfev == calls


def test_an_error_of_fun_comes_out():
    def touchy(t, y):
        if t > 0.01:
            raise KeyError("here")
        return heat(t, y)

    for method in ("gear", "auto"):
        with pytest.raises(KeyError, match="here"):
            geartrain.solve_ivp(touchy, [0, 1], START, method=method)

    def at_once(t, y):
        raise KeyError("there")

    with pytest.raises(KeyError, match="there"):
        geartrain.solve_ivp(at_once, [0, 1], START, method="gear")


def test_the_pattern_by_columns():
    def five_points(t, y):
        u = np.pad(y.reshape(10, 10), 1)
        return (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]).ravel()

    pattern = Structure(Prepared(five_points, 0.0, 1.0, START), "gear").pattern
    T = np.diag(np.ones(9), 1) + np.diag(np.ones(9), -1)
    want = np.kron(T, np.eye(10)) + np.kron(np.eye(10), T) + np.eye(100)
    got = np.zeros((N, N))
    got[pattern.rows, pattern.columns] = 1
    assert (got == (want != 0)).all()


def test_a_pattern_that_grows_again_and_again_is_given_up():
    def widening(t, y):
        k = int(10 * t)
        return -50 * y + sum(np.roll(y, j) for j in range(-k, k + 1))

    sol = geartrain.solve_ivp(widening, [0, 1], START, method="gear", rtol=1e-6, atol=1e-9)
    want = START.astype(complex)
    frequency = 2 * np.pi * np.fft.fftfreq(N)
    symbol = sum(0.1 * (-50 + 1 + 2 * sum(np.cos(j * frequency) for j in range(1, k + 1))) for k in range(10))
    want = np.fft.ifft(np.fft.fft(START) * np.exp(symbol)).real
    assert np.abs(sol.y[:, -1] - want).max() < 1e-4


def test_a_dense_jacobian_by_many_calls_is_kept():
    n = 100
    A = np.random.default_rng(1).normal(size=(n, n)) / 10 - np.diag(np.logspace(0, 4, n))

    def f(t, y):
        return A @ y - 0.1 * np.tanh(y) ** 3

    s = geartrain.solve_ivp(f, [0, 10], np.ones(n), method="gear", rtol=1e-6, atol=1e-9)
    exact = geartrain.solve_ivp(f, [0, 10], np.ones(n), method="radau", rtol=1e-10, atol=1e-12).y[:, -1]
    assert s.njev <= 3 and s.nfev < 1500, (s.njev, s.nfev)  # 37 Jacobians, 4,519 calls when they were renewed as cheap ones are
    assert np.abs(s.y[:, -1] - exact).max() < 1e-5


def test_a_jacobian_that_was_kept_too_long_shows():
    """Stiffness that dies away: corrections with the first Jacobian would be far too small."""
    n = 40
    c = np.linspace(1, 2, n)
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(n, n)))

    def f(t, x):
        return Q @ (-(1e6 * np.exp(-2 * t) + 0.1) * c * (Q.T @ x - np.cos(c * t)))

    s = geartrain.solve_ivp(f, [0, 10], Q @ np.ones(n), method="gear", rtol=1e-7, atol=1e-9)
    exact = geartrain.solve_ivp(f, [0, 10], Q @ np.ones(n), method="radau", rtol=1e-11, atol=1e-12).y[:, -1]
    assert s.njev > 5 and np.abs(s.y[:, -1] - exact).max() < 1e-6, (s.njev, s.nfev)


def test_what_a_call_is_worth():
    from geartrain._functions import work_of

    def short(t, y):
        return -y

    def long(t, y):
        d = -2 * y
        d[1:] += y[:-1]
        d[:-1] += y[1:]
        return d * np.exp(-y) + [v for v in y]

    assert work_of(short, 3) == work_of(long, 3) == work_of(np.negative, 100)
    assert work_of(short, 100) < work_of(long, 100) == work_of(long, 1000)
