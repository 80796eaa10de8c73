# SPDX-License-Identifier: BSD-3-Clause
"""Results: SciPy's names, and how they show themselves."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from . import _core

__all__ = ["OdeResult", "Solution"]


class Solution:
    """The solution as a function of time, as SciPy's ``OdeSolution``.

    Called with a time it gives an array of shape (n,), with an array of times one of shape (n, len(t)).
    Times outside ``t_min .. t_max`` are refused.
    """

    def __init__(self, core: _core.Solution, prepared, ts=None):
        self._core = core
        self._prepared = prepared
        self.ts = ts
        self.t_min, self.t_max = sorted(core.range)

    def __call__(self, t):
        t = np.asarray(t, dtype=float)
        if t.ndim > 1:
            raise ValueError("`t` must be a float or a 1-D array.")
        slack = 1e-9 * (self.t_max - self.t_min)
        if np.any(t < self.t_min - slack) or np.any(t > self.t_max + slack) or np.isnan(t).any():
            raise ValueError(f"the solution is known for t from {self.t_min:g} to {self.t_max:g} only")
        rows = np.empty((t.size, self._prepared.width))
        self._core.evaluate(np.ascontiguousarray(t), rows)
        y = self._prepared.state(rows)
        return y[0] if t.ndim == 0 else y.T

    def __repr__(self):
        return f"<Solution for t = {self.t_min:g} .. {self.t_max:g}, {self._core.pieces} polynomials>"


class OdeResult(dict):
    """What `solve_ivp` returns: a dictionary whose entries are attributes too, with the names of SciPy.

    Attributes
    ----------
    t, y : ndarray
        Times, shape (n_points,), and values, shape (n, n_points).
    sol : Solution or None
        The solution as a function of time, where ``dense_output`` was asked for.
    t_events, y_events : list of ndarray, or None
        For each event the times at which it occurred, and the states there.
    nfev, njev, nlu : int
        Calls of fun, Jacobians and factorizations of matrices.
    status : int
        0: the end was reached; 1: an event ended the run; -1: it failed.
    message : str
        What happened; after a failure which component, where and what to try.
    success : bool
        Whether the status is 0 or 1.
    method, why : str
        The method that was used, and why ``auto`` chose it.
    warnings : list of str
        Reasons not to trust the result as it is.
    nsteps, nrejected : int
        Steps, and trials that were repeated with a smaller one.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error

    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__

    def __dir__(self):
        return list(self) + list(super().__dir__())

    def __repr__(self):
        width = max(map(len, self), default=0) + 1
        lines = []
        for key, value in self.items():
            text = np.array2string(value, threshold=8, precision=4) if isinstance(value, np.ndarray) else repr(value)
            lines.append(key.rjust(width) + ": " + text.replace("\n", "\n" + " " * (width + 2)))
        return "\n".join(lines)

    @property
    def names(self) -> list[str]:
        """Of the components."""
        return self.get("_names") or [f"y[{i}]" for i in range(len(self.y))]

    def plot(self, components=None, ax=None):
        """Draws the components over time with matplotlib; gives the axes."""
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.figure().add_subplot()
        t, y = self._curve()
        for i in range(len(y))[:10] if components is None else components:
            ax.plot(t, y[i].real, label=self.names[i])
        ax.set_xlabel("t")
        ax.legend()
        return ax

    def _curve(self):
        """Points of a smooth line where the solution is known between them."""
        if self.sol is None or len(self.t) < 2:
            return self.t, self.y
        t = np.unique(np.concatenate([np.linspace(a, b, 9) for a, b in zip(self.t[:-1], self.t[1:])]))
        return t, self.sol(t)

    def _repr_html_(self) -> str:
        rows = {
            "status": f"{self.status}: {self.message}",
            "method": self.get("method", ""),
            "t": f"{self.t[0]:g} .. {self.t[-1]:g}, {len(self.t)} points" if len(self.t) else "none",
            "calls of fun": f"{self.nfev}, Jacobians {self.njev}, factorizations {self.nlu}",
        }
        if self.get("warnings"):
            rows["warnings"] = " ".join(self.warnings)
        cells = "".join(f"<tr><th>{k}</th><td>{html.escape(str(v))}</td></tr>" for k, v in rows.items())
        return f"<table>{cells}</table>{self._svg()}"

    def _svg(self, width=480, height=200, most=6) -> str:
        """A small figure without any library."""
        t, y = self._curve()
        if len(t) < 2 or not len(y):
            return ""
        y = y[:most].real
        thin = slice(None, None, max(1, len(t) // 800))
        t, y = t[thin], y[:, thin]
        low, high = np.nanmin(y), np.nanmax(y)
        if not np.isfinite([low, high]).all():
            return ""
        across = (t - t.min()) / (np.ptp(t) or 1) * (width - 20) + 10
        up = height - 10 - (y - low) / ((high - low) or 1) * (height - 20)
        colours = ["#1f6fb4", "#d9541a", "#2f9e44", "#7b3fa0", "#b8860b", "#555555"]
        lines = "".join(
            f'<polyline fill="none" stroke="{colours[i]}" points="'
            + " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(across, row)) + f'"><title>{html.escape(self.names[i])}'
            "</title></polyline>" for i, row in enumerate(up)
        )
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
                f'<rect width="{width}" height="{height}" fill="white" stroke="#ccc"/>{lines}</svg>')
