# SPDX-License-Identifier: BSD-3-Clause
"""Methods, comparisons, networks; how results show themselves; notebooks, examples, the ABI, arguments at random."""

import doctest
import gc
import importlib
import os
import pathlib
import pkgutil
import random
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig

import numpy as np
import pytest

import geartrain
from geartrain import Method, Model, compare, method, methods, power, solve_ivp

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = pathlib.Path(os.environ.get("GEARTRAIN_SOURCE", HERE.parent.parent))


# ---- methods ----


def test_stability_function_of_known_methods():
    z = np.array([[-1, 0.5j], [2 - 1j, 0]])
    known = {"euler": 1 + z, "beuler": 1 / (1 - z), "trapezoidal": (1 + z / 2) / (1 - z / 2),
             "rk4": 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24}
    for name, expected in known.items():
        np.testing.assert_allclose(method(name).stability_function(z), expected, rtol=1e-12)
        np.testing.assert_allclose(method(name).growth(z), np.abs(expected), rtol=1e-12)
    assert np.ndim(method("rk4").stability_function(-1)) == 0


def test_facts_of_methods():
    assert "gear" in methods(controlled=True) and len(methods()) > len(methods(controlled=True))
    for name in methods():
        m = Method(name)
        assert m.title and m.name in repr(m) and m.name in m._repr_html_()
        if m.tableau is not None and hasattr(m.tableau, "a"):
            assert sum(m.tableau.b) == 1
            assert all(c.holds for c in m.order_conditions())
    assert method("dopri5").tableau.b_hat and method("rk4").tableau.b_hat is None
    with pytest.raises(ValueError):
        method("nosuch")
    with pytest.raises(ValueError, match="fast and a slow block"):
        method("prk36").stability_function(-1)


def test_region_is_a_boundary():
    curves = method("rk4").region()
    assert curves
    for curve in curves:
        np.testing.assert_allclose(method("rk4").growth(curve), 1, atol=1e-6)


def test_compare():
    table = compare(lambda t, y: [y[1], -y[0]], [0, 10], [1.0, 0.0], methods=["dop853", "gear", "RK45"], rtol=[1e-4, 1e-7])
    assert len(table["method"]) == 6 and table["success"].all()
    errors = table["error"].reshape(3, 2)
    assert (errors[:, 1] < errors[:, 0]).all()
    assert "dop853" in repr(table) and "<table>" in table._repr_html_()
    exact = compare(lambda t, y: -y, [0, 1], [1.0], methods=["dopri5"], rtol=[1e-6], reference=[np.exp(-1)])
    assert exact["error"][0] < 1e-5


def test_power():
    try:
        power.program()
    except FileNotFoundError as missing:
        pytest.skip(str(missing))
    flow = power.flow(SOURCE / "cases/wscc9.m")
    assert flow["status"] == "ok" and len(flow["buses"]) == 9
    with pytest.raises(ValueError):
        power.flow("nosuch.m")
    run = power.run(SOURCE / "cases/wscc9.m", model="classical", fault="8@0.1:0.2", t1=0.5)
    assert run["status"] == "ok"


# ---- how results show themselves ----


def test_results_show_themselves():
    s = solve_ivp(lambda t, y: [y[1], -y[0]], [0, 10], [1.0, 0.0], dense_output=True)
    html = s._repr_html_()
    assert html.startswith("<table>") and "<svg" in html and "polyline" in html
    assert "message" in repr(s) and "status" in dir(s)
    with pytest.raises(AttributeError):
        s.nosuch
    failed = solve_ivp(lambda t, y: y**2, [0, 2], [1.0], method="dopri5")
    assert "singular" in failed._repr_html_()


def test_plots():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    s = solve_ivp(Model("vanderpol"), [0, 10], dense_output=True)
    assert len(s.plot().lines) == 2
    assert method("rk4").portrait().get_title() == "rk4"
    assert compare(lambda t, y: -y, [0, 1], [1.0], methods=["gear"], rtol=[1e-4]).plot().get_xlabel() == "calls of fun"
    plt.close("all")


# ---- documents ----


def test_examples_of_the_docs():
    for info in pkgutil.iter_modules(geartrain.__path__):
        if info.name != "_core":
            found = doctest.testmod(importlib.import_module(f"geartrain.{info.name}"))
            assert not found.failed, info.name


@pytest.mark.parametrize("name", ["ten_minutes", "five_papers", "stability_lecture"])
def test_notebooks(name, capsys):
    runpy.run_path(str(HERE.parent / "notebooks" / f"{name}.py"))
    if "matplotlib" in __import__("sys").modules:
        import matplotlib.pyplot as plt

        plt.close("all")


def test_readme():
    text = (HERE.parent / "README.md").read_text()
    names = {"__name__": "readme"}
    for block in re.findall(r"```python\n(.*?)```", text, re.S):
        exec(compile(block, "README.md", "exec"), names)


# ---- the extension ----


CLIENT = '''
import numpy as np
from numpy.typing import NDArray
import geartrain

Array = NDArray[np.float64]


def f(t: float, y: Array) -> list[float]:
    return [y[1], -y[0]]


sol = geartrain.solve_ivp(f, (0, 10), [1.0, 0.0], rtol=[1e-8, 1e-6], t_eval=np.linspace(0, 10, 5), options={"order": 3})
ends: Array = sol.y[:, -1]
calls: int = sol.nfev + sol.njev
said: str = sol.message.upper() if sol.success else sol.method
run = geartrain.Run(f, (0, 10), [1.0, 0.0])
reached: str = run.advance(3.0)
here: Array = run(run.t)
later: list[float] = [t + y[0] for t, y in run]
model = geartrain.Model("vanderpol", mu=5)
names: list[str] = model.names
many = geartrain.ensemble(model, {"mu": [1.0, 2.0]}, [0, 1])
holds: bool = geartrain.method("rk4").order_conditions()[0].holds
table = geartrain.compare(f, [0, 1], [1.0, 0.0], methods=["gear"])
stiff = geartrain.solve_ivp(f, [0, 1], [1, 0], method=geartrain.Gear)
'''
WRONG = ["calls: str = sol.nfev", "run.advance('later')", "geartrain.solve_ivp()", "geartrain.Model(5)", "run.nothing"]


def test_type_hints(tmp_path):
    pytest.importorskip("mypy")
    package = pathlib.Path(geartrain.__file__).parent

    def said(*arguments, tool="mypy"):
        cache = ["--cache-dir", str(tmp_path / "cache")] if tool == "mypy" else []
        line = [sys.executable, "-m", tool, *cache, *arguments]
        done = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path)
        return done.stdout + done.stderr

    config = ["--config-file", str(HERE.parent / "pyproject.toml")]
    assert said(*config, str(package)).startswith("Success")
    stub = said("geartrain._core", "--mypy-config-file", config[1], tool="mypy.stubtest")
    assert stub.startswith("Success"), stub
    client = tmp_path / "client.py"
    client.write_text(CLIENT)
    assert said("--strict", "--follow-imports", "silent", str(client)).startswith("Success")
    client.write_text(CLIENT + "\n".join(WRONG))
    lines = range(CLIENT.count("\n") + 1, CLIENT.count("\n") + 1 + len(WRONG))
    text = said("--strict", "--follow-imports", "silent", str(client))
    assert {int(k) for k in re.findall(r"client.py:(\d+): error", text)} == set(lines), text


def test_only_the_stable_abi(tmp_path):
    """Every symbol of Python that the extension needs is declared where the limited API of 3.11 is asked for."""
    if not shutil.which("nm") or not shutil.which("cc"):
        pytest.skip("there is no nm or no C compiler")
    file = geartrain._core.__file__
    assert file.endswith(".abi3.so")
    needed = set(re.findall(r"U (_?Py\w+)", subprocess.run(["nm", "-D", "--undefined-only", file], check=True, text=True,
                                                          capture_output=True).stdout))
    assert needed
    (tmp_path / "a.c").write_text("#define Py_LIMITED_API 0x030B0000\n#define PY_SSIZE_T_CLEAN\n#include <Python.h>\n")
    declared = subprocess.run(["cc", "-E", "-I" + sysconfig.get_path("include"), str(tmp_path / "a.c")], check=True,
                              text=True, capture_output=True).stdout
    assert needed <= set(re.findall(r"\b_?Py\w+", declared)), needed


SANITIZED = pytest.mark.skipif("GEARTRAIN_SANITIZED" in os.environ, reason="sanitizers keep memory that was freed")


@SANITIZED
def test_a_million_calls_leave_nothing():
    import resource

    def f(t, y):
        return [y[1], -y[0]]

    def run(span):
        return solve_ivp(f, [0, span], [1.0, 0.0], method="dopri5", max_step=3.0, t_eval=[span], rtol=0.1, atol=10).nfev

    run(1e4)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    calls = run(6e5)
    assert calls >= 1_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1000  # kB: a byte a call


@SANITIZED
def test_many_points_cost_their_arrays():
    import resource

    t = np.linspace(0, 10, 1_000_001)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    s = solve_ivp(lambda t, y: [y[1], -y[0]], [0, 10], [1.0, 0.0], t_eval=t, rtol=1e-6)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert s.t.shape == t.shape and s.y.shape == (2, len(t))
    assert after - before < 24_000 * 4 // 3  # kB: 8 MB of t and 16 MB of y, and a third for what the allocator may do


def wrong(rng):
    """Something that nobody should give."""
    return rng.choice([None, -1, 0, 1.5, float("nan"), float("inf"), "x", b"y", [], [1], [[1, 2], [3, 4]], (), {}, 1j, object(),
                       np.zeros(3), np.zeros((2, 2)), np.array(["a"]), True, lambda *a: None, lambda t, y: -y, range(3),
                       1e400, -1e300, 10**400, np.float32(2), np.int8(1), [None, 1], np.array([1, np.nan])])


def test_arguments_at_random():
    rng = random.Random(1)
    names = ["fun", "t_span", "y0", "method", "t_eval", "dense_output", "events", "vectorized", "args", "rtol", "atol",
             "jac", "jac_sparsity", "mass", "max_step", "first_step", "min_step", "fast", "fun_slow", "fun_fast", "options",
             "control", "max_steps", "pulses", "progress", "lband", "uband"]
    outcomes = set()
    for _ in range(1500):
        given = dict(fun=lambda t, y: [-v for v in y], t_span=[0, 1], y0=[1.0, 2.0], max_steps=100)
        for name in rng.sample(names, rng.choice([1, 1, 2, 3])):
            given[name] = wrong(rng)
        try:
            with np.errstate(all="ignore"), __import__("warnings").catch_warnings():
                __import__("warnings").simplefilter("ignore")
                s = solve_ivp(**given)
            outcomes.add(s.status)
        except Exception as error:
            assert not isinstance(error, (SystemError, MemoryError)), (given, error)
            outcomes.add(type(error).__name__)
    assert len(outcomes) > 3


def test_arguments_of_the_core_at_random():
    rng = random.Random(2)
    core = geartrain._core
    calls = [core.Problem, core.Run, core.find_model, core.parse, core.solution, core.amplification, core.stability,
             core.boundary, core.tableau, core.conditions, core.ensemble]
    problem = core.Problem(lambda t, y: -y, 0.0, 1.0, np.ones(2), lambda: np.empty(2), lambda *a: np.zeros(2))
    run = core.Run(problem, "gear")
    calls += [getattr(run, name) for name in ("advance", "interpolate", "changed", "set_end", "state", "drive")]
    calls += [getattr(problem, name) for name in ("start", "evaluate", "jacobian", "equilibrium", "linearize", "advise")]
    for _ in range(3000):
        call = rng.choice(calls)
        try:
            call(*[rng.choice([wrong(rng), "rk4", problem, np.zeros(2), 1.0]) for _ in range(rng.randrange(7))])
        except Exception as error:
            assert not isinstance(error, SystemError), (call, error)
