# SPDX-License-Identifier: BSD-3-Clause
"""Runs as objects: a run that is advanced, looked at, changed, copied and saved."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._ivp import check_args, ends, in_python, method_name, plan, prepare_events, start
from ._model import Model
from ._problem import Prepared

__all__ = ["Run"]


class Run:
    """What `solve_ivp` does in one call, step by step.

    The parameters are those of `solve_ivp`; ``t_span`` may end at infinity. Steps are as long as the error allows, and
    a run in any number of pieces takes the same ones.

    Examples
    --------
    >>> from geartrain import Run
    >>> run = Run(lambda t, y: [y[1], -y[0]], [0, 10], [1.0, 0.0], rtol=1e-8)
    >>> run.advance(3.0)
    'time'
    >>> run.t, bool(abs(run.y[0] + 0.98999) < 1e-4)
    (3.0, True)
    >>> again = run.copy()
    >>> [r.advance(9.0) for r in (run, again)], bool((run.y == again.y).all())
    (['time', 'time'], True)
    """

    _reached = {_core.REACHED_STEP: "step", _core.REACHED_TIME: "time", _core.REACHED_EVENT: "event",
                _core.REACHED_END: "end"}

    def __init__(self, fun: Any, t_span: Any = None, y0: Any = None, method: Any = "auto", *, events: Any = None,
                 args: Any = None, rtol: ArrayLike = 1e-3, atol: ArrayLike = 1e-6, max_step: float = np.inf,
                 first_step: float | None = None, min_step: float = 0.0, step: float = 0.0, max_steps: int = 0,
                 options: dict[str, Any] | str | None = None, control: str | None = None, pulses: bool = True,
                 **problem: Any) -> None:
        self._arguments = dict(fun=fun, t_span=t_span, y0=y0, method=method, events=events, args=args, rtol=rtol,
                               atol=atol, max_step=max_step, first_step=first_step, min_step=min_step, step=step,
                               max_steps=max_steps, options=options, control=control, pulses=pulses, **problem)
        self._open(None)

    def _open(self, image):
        a = dict(self._arguments)
        steps = {k: a.pop(k) for k in ("min_step", "step", "max_steps", "options", "control", "pulses")}
        rtol, atol, first_step, max_step = (a.pop(k) for k in ("rtol", "atol", "first_step", "max_step"))
        method, fun, t_span, y0 = (a.pop(k) for k in ("method", "fun", "t_span", "y0"))
        args = check_args(a.pop("args"))
        events = prepare_events(a.pop("events"), args)
        if isinstance(fun, Model):
            self._prepared, t0, t1, y0 = fun._prepare(t_span, y0, args=args, events=events, **a)
        else:
            t0, t1 = ends(t_span)
            self._prepared = Prepared(fun, t0, t1, start(y0), args=args, events=events, **a)
        given = plan(self._prepared, rtol, atol, first_step, max_step, t0, t1, **steps)
        self._direction = 1 if t1 >= t0 else -1
        self._core = _core.Run(self._prepared.core, method_name(method), image=image, **given)
        self._x = np.empty(self._prepared.width)

    # ---- where it is ----

    @property
    def t(self) -> float:
        return self._core.state(self._x)

    @property
    def y(self) -> np.ndarray:
        x = np.empty(self._prepared.width)
        self._core.state(x)
        return self._prepared.state(x)

    @property
    def last_step(self) -> tuple[float, float]:
        """Where the last step begins and ends: `run(t)` is for times between."""
        return self._core.last_step

    @property
    def method(self) -> str:
        return self._core.method

    @property
    def why(self) -> str:
        """Why ``auto`` chose the method."""
        return self._core.why

    @property
    def report(self) -> dict[str, Any]:
        """Status, message, warnings and counters."""
        report = self._core.report
        report["nfev"] = self._core.problem.calls[0] or report["rhs"]
        report["warnings"] = [*self._prepared.doubts, *map(in_python, report["warnings"])]
        return report

    @property
    def fired(self) -> list[int]:
        """The events at which the run stands."""
        return [i for i, flag in enumerate(self._core.fired or b"") if flag]

    # ---- going on ----

    def step(self) -> str:
        """To the end of the next step: "step", "event" or "end" says what was reached."""
        return self._reached[self._core.step()]

    def advance(self, t: float, exactly: bool = False, events: bool = False) -> str:
        """To t, by dense output, or exactly: then no function is called beyond t. `events`: stops at each."""
        how = exactly * _core.ADVANCE_EXACTLY + events * _core.ADVANCE_TO_EVENTS
        return self._reached[self._core.advance(float(t), how)]

    def __call__(self, t: ArrayLike) -> np.ndarray:
        """The solution inside the last step: shape (n,), or (n, len(t)) for an array."""
        t = np.asarray(t, dtype=float)
        rows = np.empty((t.size, self._prepared.width))
        self._core.interpolate(np.ascontiguousarray(t), rows)
        y = self._prepared.state(rows)
        return y[0] if t.ndim == 0 else y.T

    def __iter__(self) -> Iterator[tuple[float, np.ndarray]]:
        """(t, y) at the end of each step."""
        reached = ""
        while reached != "end":
            before = self.t
            reached = self.step()
            if self.t == before:
                return
            yield self.t, self.y

    def changed(self, y: ArrayLike | None = None) -> None:
        """The state is y now, or, without one, the equations have changed: the run keeps what is still right."""
        if y is None:
            self._core.changed(_core.CHANGED_EQUATIONS)
        else:
            self._core.changed(_core.CHANGED_STATE, self._prepared.reals(start(y)))

    def extend(self, t1: float) -> None:
        """Moves the end."""
        self._core.set_end(float(t1))
        self._arguments["t_span"] = (self._prepared.core.span[0], float(t1))

    # ---- copies ----

    def save(self) -> bytes:
        """The whole run as bytes, for `restore`."""
        return self._core.save()

    def copy(self) -> Run:
        """A second run that stands where this one does and goes on with the same bits."""
        other = object.__new__(type(self))
        other.__setstate__(self.__getstate__())
        return other

    __copy__ = copy

    def __getstate__(self):
        return self._arguments, self.save()

    def __setstate__(self, state):
        self._arguments, image = state
        self._open(image)

    def __repr__(self) -> str:
        return f"<Run by {self.method} at t = {self.t:g}>"
