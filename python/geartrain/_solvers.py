# SPDX-License-Identifier: BSD-3-Clause
"""Classes for ``scipy.integrate.solve_ivp(..., method=geartrain.Gear)``: one for each controlled method of the list."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.integrate import DenseOutput, OdeSolver

from . import _core
from ._core import PatternLacks
from ._ivp import in_python, plan
from ._problem import PatternGrew, Prepared
from ._result import Solution
from ._structure import Structure

__all__ = ["classes"]


class StepOutput(DenseOutput):
    """The solution inside one step."""

    def __init__(self, t_old, t, solution):
        super().__init__(t_old, t)
        self._solution = solution

    def _call_impl(self, t):
        return self._solution(t)


class GeartrainSolver(OdeSolver):
    """A method of Geartrain as a solver of SciPy; its parameters are those of `geartrain.solve_ivp`."""

    geartrain_name: str

    def __init__(self, fun, t0, y0, t_bound, max_step=np.inf, rtol=1e-3, atol=1e-6, jac=None, jac_sparsity=None,
                 vectorized=False, first_step=None, mass=None, fast=None, fun_slow=None, fun_fast=None, options=None,
                 control=None, min_step=0.0, max_steps=0, pulses=False, **extraneous):
        if extraneous:
            warnings.warn("The following arguments have no effect for a chosen solver: "
                          + ", ".join(f"`{x}`" for x in extraneous), stacklevel=3)
        super().__init__(fun, t0, y0, t_bound, vectorized, support_complex=True)
        problem = dict(vectorized=vectorized, jac=jac, jac_sparsity=jac_sparsity, mass=mass, fast=fast,
                       fun_slow=fun_slow, fun_fast=fun_fast)
        steps = dict(min_step=min_step, options=options, control=control, max_steps=max_steps, pulses=pulses)
        self._run: Any = None
        if self.n and t0 != t_bound:
            self._fun_given, self._problem = fun, problem
            self._structure = Structure(self._prepare(), self.geartrain_name)
            self._prepared = self._structure.prepared(self._prepare)
            self._plan = plan(self._prepared, rtol, atol, first_step, max_step, t0, t_bound, **steps)
            self._too_small = 0 < self._plan["h_max"] < 10 * np.spacing(abs(t0))
            if self.geartrain_name != "auto" and not self._too_small:
                self._open()

    def _prepare(self, **found):
        return Prepared(self._fun_given, float(self.t), float(self.t_bound), self.y, **self._problem, **found)

    def _open(self):
        self._run = _core.Run(self._prepared.core, self.geartrain_name, **self._plan)
        self._count()

    def _count(self):
        report = self._run.report
        self.nfev = self._prepared.core.calls[0] + self._structure.calls
        self.njev, self.nlu = self._prepared.njev(report), report["factorizations"]

    def _step_impl(self):
        if self._too_small:
            return False, self.TOO_SMALL_STEP
        try:
            if self._run is None:
                self._open()
            # As in solve_ivp: a trial that goes too far is repeated with a smaller step.
            with np.errstate(over="ignore", invalid="ignore"):
                self._step()
        except _core.IntegrationError as failure:
            self._count()
            return False, in_python(str(failure))
        except PatternGrew as grew:
            raise ValueError(str(grew)) from None
        self._count()
        run: Any = self._run
        x = np.empty(self._prepared.width)
        self.t = run.state(x)
        self.y = self._prepared.state(x)
        self.h_abs = abs(self.t - self.t_old) if self.t_old is not None else None
        return True, None

    def _step(self):
        try:
            self._run.step()
        except PatternLacks:  # goes on from here with a wider pattern, or with none
            self._structure.widen(self._prepared.core)
            self._prepared = self._structure.prepared(self._prepare)
            self._plan["h0"] = self.step_size or 0.0
            self._open()
            self._step()

    def _dense_output_impl(self):
        return StepOutput(self.t_old, self.t, Solution(self._run.dense(), self._prepared.layout))


def _class_of(method: dict) -> type[GeartrainSolver]:
    text = f"{method['title']}: order {method['order']}, {method['kind']}; see `GeartrainSolver`."
    return type(method["name"].capitalize(), (GeartrainSolver,),
                {"__doc__": text, "__module__": "geartrain", "geartrain_name": method["name"]})


AUTO = {"name": "auto", "title": "Explicit steps, and implicit ones once stability limits them", "order": "5 or more",
        "kind": "either"}
classes = {c.__name__: c for c in map(_class_of, [AUTO] + [m for m in _core.methods() if m["error_order"] > 0])}
