# SPDX-License-Identifier: BSD-3-Clause
"""Stiff, oscillatory and fast/slow differential equations, and such with algebraic ones beside them.

`solve_ivp` is a drop-in for SciPy's function of that name. ``geartrain.Gear`` and its like, one class for each method
with error control, are solvers for ``scipy.integrate.solve_ivp(..., method=geartrain.Gear)``.
"""

from ._core import IntegrationError, version as __version__
from ._ivp import solve_ivp
from ._result import OdeResult, Solution

__all__ = ["IntegrationError", "OdeResult", "Solution", "solve_ivp"]


def __getattr__(name: str):
    """The solver classes: SciPy is loaded when one of them is asked for."""
    if name[:1].isupper():
        from ._solvers import classes

        if name in classes:
            return classes[name]
    raise AttributeError(f"module 'geartrain' has no attribute {name!r}")
