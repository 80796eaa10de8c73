# SPDX-License-Identifier: BSD-3-Clause
"""Models: equations that run in C, without the interpreter."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Mapping

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._ivp import ends, in_python, method_name, option_text, start, validate_tol
from ._problem import LaidOut, Layout
from ._result import OdeResult

__all__ = ["Model", "ModelError", "ensemble", "models"]

INTEGER, CHOICE = 1, 2  # types of parameters


def models() -> list[str]:
    """The names of the built-in models."""
    return _core.models()


class ModelError(ValueError):
    """A model file that is wrong: ``line``, ``column`` and ``notes`` say where and why."""

    def __init__(self, file: str, text: str, notes: list[tuple[int, int, bool, str]], message: str):
        errors = [note for note in notes if note[2]] or [(0, 0, True, message)]
        self.file, self.notes = file, notes
        self.line, self.column = errors[0][:2]
        super().__init__("\n".join(self._shown(file, text.splitlines(), *note) for note in errors[:20]))

    @staticmethod
    def _shown(file: str, lines: list[str], line: int, column: int, _: Any, what: str) -> str:
        if not 1 <= line <= len(lines):
            return f"{file}: {what}"
        return f"{file}:{line}:{column}: {what}\n    {lines[line - 1].expandtabs(1)}\n    {' ' * (column - 1)}^"


class ModelProblem(LaidOut):
    """A problem of a model, with the interface of `Prepared`.

    The library has the fast states after the slow ones, and behind them unknowns that hold constraints of a higher
    index, which are 0 and not shown.
    """

    is_complex = False

    def __init__(self, core: _core.Problem, names: list[str] | None = None):
        own = core.names
        self.core = core
        self.names = names if names is not None else own[: len(own) - core.n_hidden]
        at = {name: i for i, name in enumerate(own)}
        shown = np.array([at[name] for name in self.names], dtype=int)
        self.shown = None if len(shown) == core.n and (shown == np.arange(core.n)).all() else shown
        self.n, self.layout = len(shown), Layout(core.n, self.shown)

    def reals(self, y, hidden=0.0):
        """A state as the library has it."""
        y = np.ascontiguousarray(y, dtype=float)
        if y.shape[-1:] != (self.n,):
            raise ValueError(f"a state has shape {y.shape}, expected {(self.n,)}")
        if self.shown is None:
            return y
        x = np.full(y.shape[:-1] + (self.width,), hidden)
        x[..., self.shown] = y
        return x

    def tolerance(self, tol):
        if np.ndim(tol) == 0:
            return float(tol)
        tol = np.ascontiguousarray(tol, dtype=float)
        if tol.shape != (self.n,):
            raise ValueError(f"a tolerance has shape {tol.shape}; expected is one number, or shape {(self.n,)}")
        return self.reals(tol, hidden=tol.max())


def _publish_symbols():
    """Models that are compiled call functions of the library inside the extension."""
    ctypes.CDLL(_core.__file__, mode=ctypes.RTLD_GLOBAL)


class Model:
    """A family of problems: a built-in one, or one of a file in the ``.ode`` language.

    Parameters
    ----------
    source : str or path
        A name of `models`, or a file whose name ends in ``.ode`` or ``.xpp``.
    compile : bool
        Whether the equations are compiled, once, where there is a C compiler; else they are interpreted, with the
        same numbers.
    **params
        Values of parameters.

    Examples
    --------
    >>> from geartrain import Model, solve_ivp
    >>> model = Model("vanderpol", mu=5)
    >>> model.params["mu"], model.names
    (5, ['x', 'y'])
    >>> solve_ivp(model, [0, 1], rtol=1e-6).success
    True
    >>> cooling = Model.from_text("x' = -k*(x - 20)\\npar k=0.1\\ninit x=90\\n@ total=10")
    >>> cooling(0, [90.0])
    array([-7.])
    """

    notes: list[tuple[int, int, bool, str]]

    def __init__(self, source: str | os.PathLike, compile: bool = True, **params: Any) -> None:
        source = os.fspath(source)
        if source.endswith((".ode", ".xpp")):
            self._read(Path(source).read_text(), source, compile)
        else:
            core = _core.find_model(source)
            if core is None:
                raise ValueError(f"there is no model {source!r}; geartrain.models() lists them, and files end in .ode")
            self._core, self.notes = core, []
        self._finish(params)

    @classmethod
    def from_text(cls, text: str, name: str = "model.ode", compile: bool = True, **params: Any) -> Model:
        """A model from the text of a file."""
        if not isinstance(text, str):
            raise TypeError(f"a model is text, not {text!r}")
        self = cls.__new__(cls)
        self._read(text, name, compile)
        self._finish(params)
        return self

    def _read(self, text, file, compile, fast=None):
        core, notes, message = _core.parse(text, file, fast)
        self.notes = notes
        self._source = (text, file, compile)
        if core is None:
            raise ModelError(file, text, notes, message)
        self._core = core
        self.remark = self._compile(file) if compile else "interpreted, as asked for"

    @property
    def warnings(self) -> list[str]:
        """What is doubtful in the text; every result of a run begins its warnings with it."""
        file = self._source[1] if self.notes else ""
        return [f"{file}:{line}:{column}: {text}" if line else f"{file}: {text}" for line, column, _, text in self.notes]

    def _compile(self, file: str) -> str | None:
        """None, or why the model is interpreted."""
        _publish_symbols()
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        package = Path(_core.__file__).parent
        include = next((f for f in (package / "include", package.parent.parent / "include") if f.is_dir()), package)
        answer = self._core.compile(os.environ.get("CC"), os.environ.get("PATH"), os.path.join(cache, "geartrain"),
                                    str(include), file)
        return answer if isinstance(answer, str) else None

    def _finish(self, params):
        facts = self._core.facts
        self.name, self.title = facts["name"], facts["title"]
        self.reference, self.equations = facts["reference"], facts["equations"]
        self._rows = {row["name"]: row for row in facts["params"]}
        self._set: dict[str, Any] = {}
        self._fast: list[str] | None = None
        self._order: np.ndarray | None = None
        if params:
            self._set.update(params)
        self._names = self._problem().names

    def __getstate__(self):
        return {"source": getattr(self, "_source", None) or self.name, "params": self._set, "fast": self._fast}

    def __setstate__(self, state):
        source = state["source"]
        if isinstance(source, str):
            self.__dict__.update(type(self)(source, **state["params"]).__dict__)
        else:
            self._read(*source)
            self._finish(state["params"])
        if state["fast"] is not None:
            self.__dict__.update(self.with_fast(*state["fast"]).__dict__)

    # ---- what it has ----

    def with_params(self, **params: Any) -> Model:
        """The same model with other values of some parameters."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _set={**self._set, **params})
        other._problem()
        return other

    def with_fast(self, *fast: str | int) -> Model:
        """The same model with these states, names or numbers, as its fast block; none: all states are one block.

        The equations of a text are made anew for these blocks. States keep the order in which they are shown.

        >>> from geartrain import Model
        >>> Model("vanderpol").with_fast("y").blocks
        {'slow': ['x'], 'fast': ['y'], 'algebraic': []}
        """
        shown = self.names
        names = [shown[k] if isinstance(k, (int, np.integer)) else str(k) for k in fast]
        for name in names:
            if name not in shown:
                raise ValueError(f"there is no state {name!r} in {self.name}; it has {', '.join(shown[:20])}")
        plain = self._problem()
        n_alg = plain.blocks[2]
        if set(names) & set(plain.names[plain.n - n_alg:]):
            raise ValueError("the fast block is of states with a derivative, not of algebraic ones")
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _fast=names)
        if getattr(self, "_source", None):
            other._read(*self._source, fast=",".join(names))
        else:
            base = other._names
            dynamic, rest = range(len(base) - n_alg), range(len(base) - n_alg, len(base))
            other._order = np.array([i for i in dynamic if base[i] not in names]
                                    + [i for i in dynamic if base[i] in names] + [*rest], dtype=np.intc)
        other._problem()
        return other

    @property
    def blocks(self) -> dict[str, list[str]]:
        """The names of slow, fast and algebraic states."""
        problem = self._prepared()
        core, shown = problem.core, set(problem.names)
        slow, fast, _ = core.blocks
        parts = core.names[:slow], core.names[slow : slow + fast], core.names[slow + fast :]
        return dict(zip(("slow", "fast", "algebraic"), ([k for k in part if k in shown] for part in parts)))

    @property
    def params(self) -> dict[str, Any]:
        """Parameters with their values."""
        return {name: self._set.get(name, self._default(row)) for name, row in self._rows.items()}

    @staticmethod
    def _default(row):
        if row["type"] == CHOICE:
            return row["choices"][int(row["default"])]
        return int(row["default"]) if row["type"] == INTEGER else row["default"]

    def _problem(self, t0: Any = None, t1: Any = None, y0: Any = None) -> _core.Problem:
        pairs = [(name, value if isinstance(value, str) else repr(float(value)) if self._is_real(name)
                  else str(int(value))) for name, value in self._set.items()]
        return self._core.problem(pairs, t0, t1, y0, self._order, len(self._fast or ()))

    def _prepared(self, t0: Any = None, t1: Any = None, y0: Any = None) -> ModelProblem:
        problem = self._problem(t0, t1)
        # The order of names is that of the model before with_fast; sizes may depend on parameters.
        same = len(self._names) == problem.n and sorted(self._names) == sorted(problem.names)
        names = self._names if same and self._fast is not None else problem.names
        prepared = ModelProblem(problem, names[: problem.n - problem.n_hidden])
        prepared.doubts = self.warnings
        if y0 is not None:
            prepared.core = self._problem(t0, t1, prepared.reals(y0))
        return prepared

    def _is_real(self, name):
        row = self._rows.get(name)
        return row is None or row["type"] not in (INTEGER, CHOICE)

    @property
    def names(self) -> list[str]:
        """Of the states."""
        return self._prepared().names

    @property
    def units(self) -> dict[str, str]:
        """Of states and parameters, where they have any."""
        problem = self._problem()
        units = dict(zip(problem.names, problem.units))
        units.update({name: row["unit"] for name, row in self._rows.items()})
        return {name: unit for name, unit in units.items() if unit}

    @property
    def y0(self) -> np.ndarray:
        """The initial values."""
        prepared = self._prepared()
        out = np.empty(prepared.width)
        prepared.core.start(out)
        return prepared.state(out)

    @property
    def t_span(self) -> tuple[float, float]:
        return self._problem().span

    def __call__(self, t: float, y: ArrayLike) -> np.ndarray:
        """f(t, y)"""
        prepared = self._prepared()
        out = np.empty(prepared.width)
        prepared.core.evaluate(t, prepared.reals(y), out)
        return prepared.state(out)

    def jacobian(self, t: float | None = None, y: Any = None) -> np.ndarray:
        """df/dy at a point, the start unless one is given."""
        prepared, t, y = self._point(t, y)
        out = np.empty((prepared.width, prepared.width))
        prepared.core.jacobian(t, y, out)
        return out.T if prepared.shown is None else out.T[np.ix_(prepared.shown, prepared.shown)]

    def _point(self, t, y):
        """The problem, and a point as the library has it."""
        prepared = self._prepared()
        t = prepared.core.span[0] if t is None else t
        return prepared, t, np.array(prepared.reals(self.y0 if y is None else y))

    # ---- what is done with it ----

    def _prepare(self, t_span, y0, fast=None, **refused):
        if fast is not None:
            return self.with_fast(*_marked(fast))._prepare(t_span, y0, **refused)
        given = [name for name, value in refused.items() if not (value is None or isinstance(value, list) and not value)]
        if given:
            raise ValueError(f"{', '.join(given)}: a model has its own")
        t0, t1 = ends(t_span if t_span is not None else self.t_span)
        prepared = self._prepared(t0, t1, None if y0 is None else _real_start(y0))
        values = np.empty(prepared.width)
        prepared.core.start(values)
        return prepared, t0, t1, prepared.state(values)

    def equilibrium(self, t: float | None = None, y: Any = None) -> SimpleNamespace:
        """The steady state from a guess, the start unless one is given: ``y``, ``residual``, ``singular``, .."""
        prepared, t, y = self._point(t, y)
        facts = prepared.core.equilibrium(t, y)
        return SimpleNamespace(y=prepared.state(y), **facts)

    def linearize(self, t: float | None = None, y: Any = None) -> SimpleNamespace:
        """x' = A x about a point, algebraic states eliminated: ``A``, ``states``, ``eigenvalues``, ``frequency``,
        ``damping_ratio``, ``time_constant`` and ``participation`` (state, mode)."""
        prepared, t, y = self._point(t, y)
        states, A, modes, parts = prepared.core.linearize(t, y)
        n = len(states)
        modes = np.frombuffer(modes).reshape(n, 5)
        names = prepared.core.names
        return SimpleNamespace(states=[names[i] for i in states], A=np.frombuffer(A).reshape(n, n).T,
                               eigenvalues=modes[:, 0] + 1j * modes[:, 1], frequency=modes[:, 2],
                               damping_ratio=modes[:, 3], time_constant=modes[:, 4],
                               participation=np.frombuffer(parts).reshape(n, n).T)

    def advise(self, rtol: float = 1e-6) -> Advice:
        """What the model is like along its solution, and which methods suit it, best first."""
        problem = self._problem()
        facts = problem.advise(rtol)
        names = problem.names
        facts["fast"] = [names[i] for i in facts["fast"]]
        facts["methods"] = [SimpleNamespace(**m) for m in facts["methods"]]
        return Advice(**facts)

    def __repr__(self):
        return f"<Model {self.name}: {self.title}>" if self.title else f"<Model {self.name}>"

    def _repr_html_(self):
        import html

        rows = "".join(f"<tr><td>{html.escape(k)}</td><td>{html.escape(str(v))}</td>"
                       f"<td>{html.escape(self._rows[k]['help'])}</td></tr>" for k, v in self.params.items())
        return (f"<b>{html.escape(self.name)}</b> {html.escape(self.title)}<pre>{html.escape(self.equations)}</pre>"
                f"<table>{rows}</table>")


class Advice(SimpleNamespace):
    """What a model is like: ``stiff``, ``oscillates``, ``rings``, ``radius``, ``stiffness_ratio``, ``growth``,
    ``frequency``, ``fast``, ``separation``, ``multirate``, and ``methods``, best first, each with ``method``,
    ``verdict``, ``h_stable``, ``h_accurate``, ``work`` and ``why``."""

    def _facts(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k != "methods"}

    def _best(self) -> list[SimpleNamespace]:
        return [m for m in self.methods if m.verdict == "advised"] or self.methods[:3]

    def __repr__(self):
        rows = [f"{k:>15}: {v:.4g}" if isinstance(v, float) else f"{k:>15}: {v}" for k, v in self._facts().items()]
        rows += [f"{m.method:>15}: {m.verdict}; {m.why}" for m in self._best()]
        return "\n".join(rows + [f"{len(self.methods)} methods in all, see .methods"])

    def _repr_html_(self):
        import html

        cells = [(k, f"{v:.4g}" if isinstance(v, float) else str(v)) for k, v in self._facts().items()]
        cells += [(m.method, f"{m.verdict}; {m.why}") for m in self._best()]
        rows = "".join(f"<tr><th>{html.escape(k)}</th><td>{html.escape(v)}</td></tr>" for k, v in cells)
        return f"<table>{rows}</table>"


def _marked(fast: Any) -> list:
    """Names or numbers of states, from one of them, a list or a mask."""
    if isinstance(fast, (str, int, np.integer)):
        return [fast]
    fast = list(fast)
    is_mask = len(fast) and all(isinstance(k, (bool, np.bool_)) for k in fast)
    return [i for i, marked in enumerate(fast) if marked] if is_mask else fast


def _real_start(y0: Any) -> np.ndarray:
    y0 = start(y0)
    if np.iscomplexobj(y0):
        raise ValueError("the states of a model are real; y0 is complex")
    return y0


def ensemble(model: Model, params: Mapping[str, Any] | np.ndarray, t_span: Any = None, y0: Any = None, *,
             names: list[str] | None = None, t_eval: Any = None, method: Any = "auto", rtol: float = 1e-6,
             atol: float = 1e-9, max_step: float = np.inf, options: dict[str, Any] | str | None = None,
             threads: int | None = None) -> OdeResult:
    """Runs a model once for each set of parameters, in several threads; the result does not depend on how many.

    Parameters
    ----------
    params : dict of arrays, or array of shape (runs, k)
        Values of parameters. With an array ``names`` says which, in the order of the model otherwise.
    y0 : array_like
        Initial values, shape (n,) or (runs, n).
    t_eval : array_like
        Times; none: the end alone.
    threads : int
        As many as there are processors, unless given.

    Returns
    -------
    OdeResult
        ``y`` of shape (runs, n) at the end, or (runs, n, len(t_eval)); ``success``, ``status``, ``nsteps``, ``nfev``
        and ``t`` (where each run ended) of shape (runs,). What a run that failed did not reach is NaN.

    Examples
    --------
    >>> import geartrain
    >>> many = geartrain.ensemble(geartrain.Model("vanderpol"), {"mu": [1, 2, 5]}, [0, 10])
    >>> many.y.shape, bool(many.success.all())
    ((3, 2), True)
    """
    if not isinstance(model, Model):
        raise TypeError(f"an ensemble runs a Model, not {model!r}")
    if isinstance(params, Mapping):
        names = list(params)
        columns = np.broadcast_arrays(*[np.atleast_1d(np.asarray(v, dtype=float)) for v in params.values()])
        table = np.ascontiguousarray(np.stack(columns, axis=1)) if columns else np.empty((1, 0))
    else:
        table = np.ascontiguousarray(np.atleast_2d(np.asarray(params, dtype=float)))
        names = list(names if names is not None else list(model._rows)[: table.shape[1]])
    if table.ndim != 2 or table.shape[1] != len(names):
        raise ValueError(f"params has shape {table.shape}, and {len(names)} names: it must be (runs, parameters)")
    rows = list(model._rows)
    for name in names:
        if name not in rows:
            model.with_params(**{name: 0})  # says what is wrong with the name
    base = np.array([_number(model._rows[name], value) for name, value in model.params.items()], dtype=float)
    if model._order is not None:
        raise ValueError("an ensemble of a built-in model runs with the blocks that the model has")
    prepared = model._prepared()
    runs, n = len(table), prepared.n
    times = None if t_eval is None else np.ascontiguousarray(t_eval, dtype=float)
    if times is not None and not len(times):
        raise ValueError("`t_eval` is empty.")
    count = 1 if times is None else len(times)
    if y0 is not None:
        y0 = np.ascontiguousarray(y0, dtype=float)
        if y0.shape not in ((n,), (runs, n)):
            raise ValueError(f"y0 has shape {y0.shape}, expected {(n,)} or {(runs, n)}")
        y0 = prepared.reals(y0)
    rtol, atol = validate_tol(rtol, atol, n)
    out, results = np.empty((runs, count, prepared.width)), np.empty((runs, 4))
    failed, message = _core.ensemble(
        model=model._core, base=base, which=np.array([rows.index(k) for k in names], dtype=np.intc), params=table,
        y0=y0, y0_varies=y0 is not None and y0.ndim == 2, span=None if t_span is None else tuple(map(float, t_span)),
        times=times, out=out, results=results, method=method_name(method), options=option_text(options),
        rtol=float(rtol), atol=float(atol), h_max=0.0 if np.isinf(max_step) else float(max_step),
        threads=threads or len(os.sched_getaffinity(0)),
    )
    out = prepared.state(out)
    y = out[:, 0] if times is None else out.transpose(0, 2, 1)
    text = "all runs came to their end" if failed < 0 else f"run {failed}: {in_python(message)}"
    return OdeResult(y=y, t=results[:, 3], t_eval=times, status=results[:, 0].astype(int), success=results[:, 0] == 0,
                     nsteps=results[:, 1].astype(int), nfev=results[:, 2].astype(int), message=text,
                     params=dict(zip(names, table.T)))


def _number(row: dict[str, Any], value: Any) -> float:
    return float(row["choices"].index(value)) if row["type"] == CHOICE else float(value)
