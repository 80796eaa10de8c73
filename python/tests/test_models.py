# SPDX-License-Identifier: BSD-3-Clause
"""Models, ensembles and runs as objects."""

import copy
import ctypes
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import geartrain
from geartrain import IntegrationError, Model, ModelError, Run, ensemble, solve_ivp

VDP = """
# van der Pol, with a parameter
x' = y
y' = mu*(1 - x^2)*y - x
par mu=5
init x=2, y=0
@ total=20
done
"""


# ---- models ----


def test_built_in():
    m = Model("vanderpol", mu=3)
    assert m.params["mu"] == 3 and m.names == ["x", "y"] and m.t_span[0] == 0
    assert m.with_params(mu=7).params["mu"] == 7 and m.params["mu"] == 3
    np.testing.assert_allclose(m(0, [2.0, 1.0]), [1, 3 * (1 - 4) * 1 - 2])
    J = m.jacobian(0, [2.0, 1.0])
    np.testing.assert_allclose(J, [[0, 1], [-2 * 3 * 2 * 1 - 1, 3 * (1 - 4)]], rtol=1e-6)
    assert "vanderpol" in repr(m) and "<table>" in m._repr_html_()
    assert set(["vanderpol", "robertson"]) <= set(geartrain.models())


@pytest.mark.parametrize("compiled", [True, False])
def test_from_text(compiled, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    m = Model.from_text(VDP, compile=compiled)
    own = solve_ivp(m, rtol=1e-8, atol=1e-10)
    python = solve_ivp(lambda t, y: [y[1], 5 * (1 - y[0] ** 2) * y[1] - y[0]], [0, 20], [2, 0], rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(own.y[:, -1], python.y[:, -1], rtol=1e-4)
    assert own.names == ["x", "y"]
    again = pickle.loads(pickle.dumps(m))
    assert again.params == m.params


def test_compiled_and_interpreted_are_the_same(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    m = Model.from_text(VDP)
    if m.remark:
        pytest.skip(m.remark)
    a = solve_ivp(m, method="gear", rtol=1e-7)
    b = solve_ivp(Model.from_text(VDP, compile=False), method="gear", rtol=1e-7)
    np.testing.assert_array_equal(a.y, b.y)


def test_a_model_file_with_an_error():
    with pytest.raises(ModelError) as caught:
        Model.from_text("x' = y +* 2\ny' = -x\n", name="bad.ode")
    e = caught.value
    assert e.line == 1 and e.column > 1
    assert "bad.ode:1:" in str(e) and "^" in str(e)
    with pytest.raises(FileNotFoundError):
        Model("nosuch.ode")
    with pytest.raises(ValueError):
        Model("nosuch")
    with pytest.raises(ValueError):
        Model("vanderpol", nosuch=3)
    for given in [dict(args=(1,)), dict(jac=np.eye(2)), dict(mass=np.eye(2)), dict(events=lambda t, y: 1)]:
        with pytest.raises(ValueError, match="a model has its own"):
            solve_ivp(Model("vanderpol"), **given)


def test_doubts_about_the_text_are_in_the_results():
    model = Model.from_text("ceil(x)=flr(1+x)\nx'=-ceil(x)\ninit x=2\n@ total=1\n", compile=False)
    assert len(model.warnings) == 1 and model.warnings[0].startswith("model.ode:1:1: ceil")
    assert solve_ivp(model, [0, 1]).warnings[0] == model.warnings[0]
    run = Run(model)
    run.step()
    assert run.report["warnings"][0] == model.warnings[0]
    assert Model("lorenz").warnings == []


def test_same_bits_as_the_program(tmp_path):
    program = os.environ.get("GEARTRAIN_PROGRAM")
    if not program or not os.path.exists(program):
        pytest.skip("GEARTRAIN_PROGRAM does not name the program")
    (tmp_path / "vdp.ode").write_text(VDP)
    for method in ["gear", "dop853", "rodas4"]:
        out = tmp_path / f"{method}.csv"
        subprocess.run([program, "run", str(tmp_path / "vdp.ode"), "--method", method, "--rtol", "1e-7", "--atol", "1e-9",
                        "--every", "0.5", "--out", str(out), "--quiet"], check=True, capture_output=True)
        table = np.loadtxt(out, delimiter=",", skiprows=1)
        s = solve_ivp(Model(tmp_path / "vdp.ode"), method=method, rtol=1e-7, atol=1e-9, t_eval=table[:, 0])
        np.testing.assert_array_equal(s.y.T, table[:, 1:3])


def test_point_analyses():
    m = Model("vanderpol", mu=0.5)
    e = m.equilibrium(y=[0.1, 0.1])
    np.testing.assert_allclose(e.y, 0, atol=1e-9)
    linear = m.linearize(y=e.y)
    np.testing.assert_allclose(linear.eigenvalues.real, 0.25, rtol=1e-6)
    np.testing.assert_allclose(linear.A, [[0, 1], [-1, 0.5]], atol=1e-8)
    advice = Model("robertson").advise()
    assert advice.stiff and advice.methods[0].verdict == "advised"


def test_advice_fits_a_screen():
    advice = geartrain.Model("vanderpol", mu=100).advise()
    text = repr(advice)
    assert "stiff: True" in text and len(text.splitlines()) < 40
    assert advice.methods[0].method in text and advice.methods[0].method in advice._repr_html_()


def test_events_of_a_model():
    ball = Model.from_text("h' = v\nv' = -9.81\nglobal -1 {h} {v=-0.8*v}\ninit h=1, v=0\n@ total=2\n", compile=False)
    s = solve_ivp(ball, rtol=1e-9)
    assert len(s.t_events[0]) >= 2
    assert s.t_events[0][0] == pytest.approx(np.sqrt(2 / 9.81), rel=1e-6)
    assert s.y[0].min() > -1e-6


# ---- ensembles ----


def test_ensemble_is_a_solve_for_each():
    m = Model("vanderpol")
    mus = np.linspace(0.5, 3, 7)
    for method in ["gear", "dopri5", "auto"]:
        many = ensemble(m, {"mu": mus}, [0, 10], method=method, rtol=1e-7, atol=1e-9)
        assert many.y.shape == (7, 2) and many.success.all()
    for k, mu in enumerate(mus):
        s = solve_ivp(m.with_params(mu=mu), [0, 10], method="dopri5", rtol=1e-7, atol=1e-9)
        one = ensemble(m, {"mu": mus}, [0, 10], method="dopri5", rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(one.y[k], s.y[:, -1], rtol=1e-12)


def test_threads_do_not_change_a_byte():
    m = Model("vanderpol")
    mus = np.linspace(0.5, 8, 50)
    t = np.linspace(0, 10, 11)
    results = [ensemble(m, {"mu": mus}, [0, 10], t_eval=t, threads=k).y for k in (1, 2, 5)]
    assert results[0].shape == (50, 2, 11) and np.isfinite(results[0]).all()
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)


def test_ensemble_with_arrays_and_failures():
    m = Model.from_text("x' = a*x^2\npar a=0\ninit x=1\n@ total=2\n", compile=False)
    many = ensemble(m, np.array([[0.1], [1.0], [-1.0]]), names=["a"])
    assert many.success.tolist() == [True, False, True] and "run 1" in many.message
    starts = ensemble(m, {"a": [0, 0]}, y0=[[1.0], [2.0]])
    np.testing.assert_allclose(starts.y[:, 0], [1, 2])
    with pytest.raises(ValueError):
        ensemble(m, {"b": [1]})
    with pytest.raises(ValueError):
        ensemble(m, {"a": [1]}, y0=[1.0, 2.0])


# ---- runs ----


def oscillator(t, y):
    return [y[1], -y[0]]


@pytest.mark.parametrize("method", ["auto", "gear", "dop853"])
def test_a_run_in_pieces_is_the_same(method):
    whole = solve_ivp(oscillator, [0, 10], [1.0, 0.0], method=method, rtol=1e-8)
    run = Run(oscillator, [0, 10], [1.0, 0.0], method=method, rtol=1e-8)
    points = [(0.0, run.y)] + list(run)
    np.testing.assert_array_equal([t for t, _ in points], whole.t)
    np.testing.assert_array_equal(np.array([y for _, y in points]).T, whole.y)
    pieces = Run(oscillator, [0, 10], [1.0, 0.0], method=method, rtol=1e-8)
    for t in np.linspace(0.1, 10, 100):
        pieces.advance(t)
    np.testing.assert_array_equal(pieces.y, whole.y[:, -1])


def stiff(t, y):
    return [-1000 * (y[0] - np.cos(y[1])), 1.0]


@pytest.mark.parametrize("fun, y0", [(oscillator, [1.0, 0.0]), (stiff, [0.0, 0.0])])
def test_copy_and_pickle(fun, y0):
    run = Run(fun, [0, 20], y0, rtol=1e-7)
    run.advance(3.3)
    others = [run.copy(), copy.copy(run), pickle.loads(pickle.dumps(run))]
    for other in others:
        assert other.t == run.t
        np.testing.assert_array_equal(other.y, run.y)
        other.advance(17.0)
    run.advance(17.0)
    for other in others:
        np.testing.assert_array_equal(other.y, run.y)
    model = Run(Model("vanderpol"), [0, 20], rtol=1e-7)
    model.advance(4.0)
    second = pickle.loads(pickle.dumps(model))
    [r.advance(18.0) for r in (model, second)]
    np.testing.assert_array_equal(model.y, second.y)


def test_inside_a_step_and_changes():
    k = 1.0
    run = Run(lambda t, y: [y[1], -k * y[0]], [0, np.inf], [1.0, 0.0], rtol=1e-9, atol=1e-12)
    run.step()
    a, b = run.last_step
    np.testing.assert_allclose(run((a + b) / 2), [np.cos((a + b) / 2), -np.sin((a + b) / 2)], atol=1e-7)
    assert run(np.linspace(a, b, 5)).shape == (2, 5)
    run.advance(5.0, exactly=True)
    k = 4.0
    run.changed()
    energy = run.y[1] ** 2 + 4 * run.y[0] ** 2
    run.advance(20.0)
    assert run.y[1] ** 2 + 4 * run.y[0] ** 2 == pytest.approx(energy, rel=1e-6)
    run.changed([0.0, 0.0])
    run.advance(30.0)
    np.testing.assert_array_equal(run.y, [0, 0])
    assert "Run by" in repr(run) and run.report["nfev"] > 0


def test_events_stop_a_run():
    run = Run(oscillator, [0, 10], [1.0, 0.0], events=lambda t, y: y[0], rtol=1e-9)
    assert run.advance(10, events=True) == "event"
    assert run.t == pytest.approx(np.pi / 2, rel=1e-6) and run.fired == [0]
    assert run.advance(2) == "time"


def test_bad_runs():
    run = Run(oscillator, [0, 1], [1.0, 0.0])
    run.advance(1.0)
    with pytest.raises(ValueError):
        run.advance(0.5)
    with pytest.raises(ValueError):
        pickle.loads(pickle.dumps(run).replace(b"dopri5", b"dopri6"))
    fails = Run(lambda t, y: y ** 2, [0, 2], [1.0], method="dopri5")
    with pytest.raises(IntegrationError, match=r"y\[0\]"):
        fails.advance(2.0)
    inside = None

    def again(t, y):
        if inside:
            inside.step()
        return -y

    inside = Run(again, [0, 1], [1.0])
    with pytest.raises(RuntimeError, match="under way"):
        inside.step()


# ---- compiled functions ----

C_CODE = r"""
int with_status(double t, const double *y, double *dydt, void *data) {
    double k = data ? *(double *)data : 1; (void)t; dydt[0] = -k * y[0]; return 0;
}
void without(double t, const double *y, double *dydt, void *data) { with_status(t, y, dydt, data); }
"""
SIGNATURE = [ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double), ctypes.c_void_p]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "f.c").write_text(C_CODE)
    try:
        subprocess.run(["cc", "-shared", "-fPIC", "-o", str(folder / "f.so"), str(folder / "f.c")], check=True)
    except FileNotFoundError:
        pytest.skip("there is no C compiler")
    return ctypes.CDLL(str(folder / "f.so"))


def test_ctypes(library):
    library.without.restype = None
    for f in (library.with_status, library.without):
        f.argtypes = SIGNATURE
        for method in ["auto", "gear", "dopri5"]:
            s = solve_ivp(f, [0, 1], [1.0], method=method, rtol=1e-8, atol=1e-10,
                          args=(np.array([2.0]),))
            assert s.y[0, -1] == pytest.approx(np.exp(-2), rel=1e-6) and s.nfev > 0
    library.with_status.restype = ctypes.c_double
    with pytest.raises(TypeError):
        solve_ivp(library.with_status, [0, 1], [1.0])
    library.with_status.restype = ctypes.c_int
    for args in [(2,), (2.0,), ([2],), (np.array([2]),), (np.float32(2),), (2, 0), (np.array([2.0, 0, 0])[::2],)]:
        s = solve_ivp(library.with_status, [0, 1], [1.0], rtol=1e-8, atol=1e-10, args=args)  # 2: no address
        assert s.y[0, -1] == pytest.approx(np.exp(-2), rel=1e-6)
    with pytest.raises(TypeError, match="args of a compiled fun"):
        solve_ivp(library.with_status, [0, 1], [1.0], args=("a",))


def test_low_level_callable(library):
    scipy = pytest.importorskip("scipy")
    library.with_status.restype = ctypes.c_int
    library.with_status.argtypes = SIGNATURE
    k = ctypes.c_double(3.0)
    f = scipy.LowLevelCallable(library.with_status, ctypes.cast(ctypes.pointer(k), ctypes.c_void_p))
    s = solve_ivp(f, [0, 1], [1.0], rtol=1e-8, atol=1e-10)
    assert s.y[0, -1] == pytest.approx(np.exp(-3), rel=1e-6)


def test_numba():
    numba = pytest.importorskip("numba")

    @numba.cfunc("void(float64, CPointer(float64), CPointer(float64), voidptr)")
    def f(t, y, dy, data):
        dy[0] = -y[0]

    s = solve_ivp(f, [0, 1], [1.0], rtol=1e-8, atol=1e-10)
    assert s.y[0, -1] == pytest.approx(np.exp(-1), rel=1e-6)


CTRL_C = """
import os, signal, sys, threading, time
import geartrain
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has jobs behind & ignore it
threading.Timer(0.5, lambda: (print(time.monotonic(), flush=True), os.kill(os.getpid(), signal.SIGINT))).start()
model = geartrain.Model("vanderpol")
try:
    {call}
except KeyboardInterrupt:
    print(time.monotonic())
"""


@pytest.mark.parametrize("call", [
    "geartrain.solve_ivp(model, [0, 1e12], method='dopri5', t_eval=[1e12])",
    "geartrain.Run(model, [0, 1e12], method='dopri5').advance(1e12)",
    "geartrain.ensemble(model, {'mu': [1, 2, 3, 4]}, [0, 1e12], method='dopri5')",
])
def test_ctrl_c_inside_a_run_in_c(call):
    out = subprocess.run([sys.executable, "-c", CTRL_C.format(call=call)], capture_output=True, text=True, timeout=60)
    sent, seen = map(float, out.stdout.split())
    assert seen - sent < 1  # 0.1 s on a machine that does nothing else


# ---- blocks and constraints ----

ROD = """
# a mass on a rod of length 1, with the constraint of index 3
x' = u
y' = v
u' = -lambda*x
v' = -lambda*y - 9.81
0 = x^2 + y^2 - 1
solv lambda=1
init x=1, y=0, u=0, v=0
@ total=2
"""


def test_what_holds_a_constraint_is_not_shown():
    m = Model.from_text(ROD, compile=False)
    assert m.names == ["x", "y", "u", "v", "lambda"] and len(m.y0) == 5
    assert m.blocks["algebraic"] == ["lambda"] and m.jacobian().shape == (5, 5) and m(0, m.y0).shape == (5,)
    s = solve_ivp(m, rtol=1e-7, atol=1e-9, t_eval=np.linspace(0, 2, 21), dense_output=True)
    assert s.success and s.y.shape == (5, 21) and s.names == m.names and s.sol(1.0).shape == (5,)
    np.testing.assert_allclose(s.y[0] ** 2 + s.y[1] ** 2, 1, atol=1e-7)
    energy = (s.y[2] ** 2 + s.y[3] ** 2) / 2 + 9.81 * s.y[1]
    np.testing.assert_allclose(energy, 0, atol=1e-4)
    vector = solve_ivp(m, rtol=1e-7, atol=[1e-9] * 5, t_eval=[2.0])
    np.testing.assert_allclose(vector.y[:4, -1], s.y[:4, -1], atol=1e-5)
    run = Run(m, rtol=1e-7, atol=1e-9)
    run.advance(2.0)
    np.testing.assert_allclose(run.y, s.y[:, -1], atol=1e-8)
    many = ensemble(m, {}, [0, 1], y0=[[1.0, 0, 0, 0, 0]])
    assert many.y.shape == (1, 5) and abs(many.y[0, 0] ** 2 + many.y[0, 1] ** 2 - 1) < 1e-6


FAST = """
z' = -200*(z - cos(x))
x' = 0.5 - 0.1*z
w' = -50*(w - x)
init z=1, x=0, w=0
@ total=5
"""


def test_a_fast_block_of_a_model():
    plain = Model.from_text(FAST, compile=False)
    reference = solve_ivp(plain, rtol=1e-10, atol=1e-12).y[:, -1]
    m = plain.with_fast("z", "w")
    assert m.names == plain.names == ["z", "x", "w"]
    assert m.blocks == {"slow": ["x"], "fast": ["z", "w"], "algebraic": []}
    np.testing.assert_array_equal(m(0, [1.0, 2.0, 3.0]), plain(0, [1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(m.jacobian(0, [1.0, 2.0, 3.0]), plain.jacobian(0, [1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(m.y0, plain.y0)
    for given in ["z", "w"], [0, 2], [True, False, True]:
        s = solve_ivp(plain, fast=given, method="mri4", rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(s.y[:, -1], reference, atol=1e-5)
    again = pickle.loads(pickle.dumps(m))
    assert again.blocks == m.blocks
    assert m.with_fast().blocks["fast"] == [] and "z" in m.with_params().blocks["fast"]
    built_in = Model("vanderpol").with_fast("x")
    assert built_in.names == ["x", "y"] and built_in.blocks["fast"] == ["x"]
    np.testing.assert_array_equal(built_in(0, [2.0, 1.0]), Model("vanderpol")(0, [2.0, 1.0]))
    np.testing.assert_array_equal(built_in.jacobian(0, [2.0, 1.0]), Model("vanderpol").jacobian(0, [2.0, 1.0]))
    for wrong in "nosuch", "lambda":
        with pytest.raises(ValueError):
            Model.from_text(ROD, compile=False).with_fast(wrong)
    with pytest.raises(IndexError):
        plain.with_fast(7)


def test_auto_is_that_of_the_program(tmp_path):
    program = os.environ.get("GEARTRAIN_PROGRAM")
    if not program or not os.path.exists(program):
        pytest.skip("GEARTRAIN_PROGRAM does not name the program")
    for name, text in [("vdp", VDP.replace("mu=5", "mu=300").replace("total=20", "total=600")), ("rod", ROD)]:
        file, out = tmp_path / f"{name}.ode", tmp_path / f"{name}.csv"
        file.write_text(text)
        subprocess.run([program, "run", str(file), "--rtol", "1e-6", "--atol", "1e-8", "--every", "0.5", "--out", str(out),
                        "--quiet"], check=True, capture_output=True)
        table = np.loadtxt(out, delimiter=",", skiprows=1)
        s = solve_ivp(Model(file), rtol=1e-6, atol=1e-8, t_eval=table[:, 0])
        np.testing.assert_array_equal(s.y.T, table[:, 1:])
