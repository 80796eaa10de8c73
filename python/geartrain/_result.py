# SPDX-License-Identifier: BSD-3-Clause
"""Results: SciPy's names, and how they show themselves."""

from __future__ import annotations

import html
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._problem import Layout

__all__ = ["OdeResult", "Solution"]


class Solution:
    """The solution as a function of time, as SciPy's ``OdeSolution``.

    Called with a time it gives an array of shape (n,), with an array of times one of shape (n, len(t)). Beyond
    ``t_min .. t_max`` the first or the last polynomial is continued, as a cubic and with a warning.

    Attributes
    ----------
    ts : ndarray
        Where the polynomials begin and end: the times of the steps, and others where one polynomial did not do.
    n_segments : int
        How many polynomials there are.
    """

    def __init__(self, core: _core.Solution, layout: Layout) -> None:
        self._core = core
        self._layout = layout
        self.t_min, self.t_max = sorted(core.range)

    def __call__(self, t: ArrayLike) -> np.ndarray:
        t = np.asarray(t, dtype=float)
        if t.ndim > 1:
            raise ValueError("`t` must be a float or a 1-D array.")
        rows = np.empty((t.size, self._layout.width))
        self._core.evaluate(np.ascontiguousarray(t), rows)
        slack = 1e-9 * (self.t_max - self.t_min)
        if not (np.all(t >= self.t_min - slack) and np.all(t <= self.t_max + slack)):
            self._go_beyond(t.reshape(-1), rows, slack)
        y = self._layout.state(rows)
        return y[0] if t.ndim == 0 else y.T

    def _go_beyond(self, t, rows, slack):
        """Rows for times outside: nan, or by the polynomial that is nearest."""
        warnings.warn(f"the solution is known for t from {self.t_min:g} to {self.t_max:g} only; values outside are "
                      "extrapolated", RuntimeWarning, stacklevel=3)
        rows[np.isnan(t)] = np.nan
        backward = self._core.range[1] < self._core.range[0]
        last = self.n_segments - 1
        for outside, k in ((t < self.t_min - slack, last if backward else 0), (t > self.t_max + slack,
                                                                              0 if backward else last)):
            if outside.any():
                rows[outside] = self._polynomial(k, t[outside])

    def _polynomial(self, k, t):
        """The cubic through four points of polynomial k: rounding grows with the power of the distance, and a first step
        may be short, so that the whole polynomial is of no use outside."""
        begin, end, values = self._core.piece(k)
        values = np.frombuffer(values).reshape(-1, self._layout.width)
        degree = len(values) - 1
        four = np.unique(np.linspace(0, degree, 4).round().astype(int))
        at = np.sin(np.pi / 2 * four / degree) ** 2
        gaps = (t[:, None] - begin) / (end - begin) - at
        share = [np.prod(np.delete(gaps, j, axis=1) / np.delete(at[j] - at, j), axis=1) for j in range(len(at))]
        return np.transpose(share) @ values[four]

    @property
    def n_segments(self) -> int:
        return self._core.pieces

    @property
    def ascending(self) -> bool:
        return self._core.range[1] >= self._core.range[0]

    @property
    def ts(self) -> np.ndarray:
        count = self.n_segments
        return np.array([self._core.piece(k)[0] for k in range(count)] + [self._core.range[1]])

    def __getstate__(self):
        return self._core.save(), self._layout

    def __setstate__(self, state):
        image, layout = state
        Solution.__init__(self, _core.solution(layout.width, image), layout)

    def __repr__(self) -> str:
        return f"<Solution for t = {self.t_min:g} .. {self.t_max:g}, {self.n_segments} polynomials>"


class Still(Solution):
    """A solution that stays where it is: one of no states, or of no time."""

    def __init__(self, t0: float, t1: float, y0: np.ndarray):
        self.t_min, self.t_max = sorted((t0, t1))
        self._ts, self.y0 = np.array([t0, t1]), y0

    def __call__(self, t: ArrayLike) -> np.ndarray:
        if np.ndim(t) > 1:
            raise ValueError("`t` must be a float or a 1-D array.")
        return np.repeat(self.y0[:, None], np.size(t), axis=1) if np.ndim(t) else self.y0.copy()

    n_segments = 1

    @property
    def ts(self) -> np.ndarray:
        return self._ts

    @property
    def ascending(self) -> bool:
        return bool(self._ts[1] >= self._ts[0])

    def __getstate__(self):
        return *self._ts, self.y0

    def __setstate__(self, state):
        Still.__init__(self, *state)


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

    t: np.ndarray
    y: np.ndarray
    sol: Any
    t_events: list[np.ndarray] | None
    y_events: list[np.ndarray] | None
    nfev: int
    njev: int
    nlu: int
    status: int
    message: str
    success: bool
    method: str
    why: str
    warnings: list[str]
    nsteps: int
    nrejected: int

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __delattr__(self, name: str) -> None:
        del self[name]

    def __dir__(self) -> list[str]:
        return list(self) + list(super().__dir__())

    def __repr__(self) -> str:
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

    def plot(self, components: Any = None, ax: Any = None) -> Any:
        """Draws the components over time with matplotlib, as points on a line where there is no dense output between them;
        gives the axes."""
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.figure().add_subplot()
        t, y = self._curve()
        for i in range(len(y))[:10] if components is None else components:
            ax.plot(t, y[i].real, "-" if self.sol is not None else ".-", label=self.names[i])
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

    def _svg(self, width: int = 480, height: int = 200, most: int = 6) -> str:
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
