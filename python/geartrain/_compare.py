# SPDX-License-Identifier: BSD-3-Clause
"""Methods side by side on one problem."""

from __future__ import annotations

import time
from typing import Any, Iterable

import numpy as np

from ._ivp import method_name, solve_ivp
from ._model import Model

__all__ = ["Comparison", "compare"]


class Comparison(dict):
    """A table: a dictionary of arrays, one row for each run; `frame` makes a pandas one of it."""

    def frame(self) -> Any:
        import pandas

        return pandas.DataFrame({k: v for k, v in self.items()})

    def plot(self, work: str = "nfev", ax: Any = None) -> Any:
        """A work-precision figure with matplotlib: error over calls of fun, or over "seconds"; gives the axes."""
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.figure().add_subplot()
        for name in dict.fromkeys(self["method"]):
            rows = (self["method"] == name) & self["success"] & (self["error"] > 0)
            ax.loglog(self[work][rows], self["error"][rows], "o-", label=name)
        ax.set(xlabel={"nfev": "calls of fun", "seconds": "time [s]"}.get(work, work), ylabel="error")
        ax.legend()
        return ax

    def _lines(self):
        yield ["method", "rtol", "error", "nfev", "seconds", "message"]
        for k in range(len(self["method"])):
            yield [self["method"][k], f"{self['rtol'][k]:.0e}", f"{self['error'][k]:.2e}", str(self["nfev"][k]),
                   f"{self['seconds'][k]:.4f}", "" if self["success"][k] else self["message"][k]]

    def __repr__(self) -> str:
        lines = list(self._lines())
        width = [max(len(line[k]) for line in lines) for k in range(5)]
        return "\n".join("  ".join([*(c.ljust(w) for c, w in zip(line, width)), line[5]]).rstrip() for line in lines)

    def _repr_html_(self) -> str:
        import html

        head, *body = self._lines()
        return ("<table><tr>" + "".join(f"<th>{h}</th>" for h in head) + "</tr>" + "".join(
            "<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in line) + "</tr>" for line in body) + "</table>")


def compare(fun: Any, t_span: Any = None, y0: Any = None, methods: Iterable[Any] = ("auto", "gear", "dopri5", "rodas4"),
            rtol: Iterable[float] = (1e-4, 1e-6, 1e-8), atol: float | None = None, reference: Any = None,
            **arguments: Any) -> Comparison:
    """Solves a problem by several methods at several tolerances.

    The error is the largest of ``|y_i - reference_i| / (1 + |reference_i|)`` at the end; the reference is a run at a
    tolerance 1000 times tighter than the tightest, unless one is given. ``atol`` is ``1e-3 rtol`` unless given; other
    arguments are those of `solve_ivp`.

    Examples
    --------
    >>> import geartrain
    >>> table = geartrain.compare(lambda t, y: -y, [0, 1], [1.0], methods=["dopri5", "gear"], rtol=[1e-4, 1e-6])
    >>> list(table["method"]), bool((table["error"] < 1e-3).all())
    (['dopri5', 'dopri5', 'gear', 'gear'], True)
    """
    rtol = list(rtol)
    if reference is None:
        tight = max(1e-3 * min(rtol), 3e-14)
        best = solve_ivp(fun, t_span, y0, rtol=tight, atol=1e-3 * tight, **arguments)
        if not best.success:
            raise ValueError(f"there is nothing to compare with: the reference failed: {best.message}")
        reference = best.y[:, -1]
    rows = []
    for name in methods:
        for tol in rtol:
            begun = time.perf_counter()
            s = solve_ivp(fun, t_span, y0, method=name, rtol=tol, atol=1e-3 * tol if atol is None else atol,
                          **arguments)
            seconds = time.perf_counter() - begun
            error = np.max(np.abs(s.y[:, -1] - reference) / (1 + np.abs(reference))) if s.success else np.inf
            rows.append((name if isinstance(name, str) else method_name(name), tol, error, s.nfev, s.njev, s.nsteps,
                         seconds, s.success, s.message))
    names = ["method", "rtol", "error", "nfev", "njev", "nsteps", "seconds", "success", "message"]
    table = Comparison(zip(names, map(np.array, zip(*rows))))
    table["problem"] = np.array([fun.name if isinstance(fun, Model) else getattr(fun, "__name__", "fun")] * len(rows))
    return table
