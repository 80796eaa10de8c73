# SPDX-License-Identifier: BSD-3-Clause
"""Stiff, oscillatory and fast/slow differential equations, and such with algebraic ones beside them.

`solve_ivp` is a drop-in for SciPy's function of that name. ``geartrain.Gear`` and its like, one class for each method
with error control, are solvers for ``scipy.integrate.solve_ivp(..., method=geartrain.Gear)``. `Model` and `ensemble`
run equations in C; `Run` is a run that goes on step by step; `method` and `compare` are for those who look into
methods; `power` is for networks.
"""

from typing import Any

from . import power
from ._compare import Comparison, compare
from ._core import IntegrationError
from ._core import version as __version__
from ._ivp import solve_ivp
from ._method import Condition, Method, method, methods
from ._model import Model, ModelError, ensemble, models
from ._result import OdeResult, Solution
from ._run import Run

__all__ = [
    "Comparison", "Condition", "IntegrationError", "Method", "Model", "ModelError", "OdeResult", "Run", "Solution",
    "compare", "ensemble", "method", "methods", "models", "power", "solve_ivp",
]


def __getattr__(name: str) -> Any:
    """The solver classes: SciPy is loaded when one of them is asked for."""
    if name[:1].isupper() and name.lower() in {"auto", *methods(controlled=True)}:
        from ._solvers import classes

        return classes[name]
    raise AttributeError(f"module 'geartrain' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), "Auto", *(name.capitalize() for name in methods(controlled=True))])
