# SPDX-License-Identifier: BSD-3-Clause
"""Where the Jacobian of a function of Python has entries, found by calling it.

A method of lines written with numpy has a Jacobian of a few diagonals, which is seldom said. One call of the function for
each column says it, as many as a single dense Jacobian takes; then a Jacobian takes a call for each group of columns, and
its factors little. Entries that are zero at the start by chance are missed here and found later: each Jacobian is compared
with f along one more direction, and the run begins again with a wider pattern where they differ.
"""

from __future__ import annotations

from typing import Callable

import numpy as np

from . import _core
from ._problem import Pattern, Prepared

__all__ = ["Structure"]

FEW, MANY = 32, 20_000  # states for which a pattern is looked for
SAMPLE = 8  # columns that say whether a matrix may be sparse at all
WIDENED = 4  # so often, then the Jacobian is taken as dense
EPS = np.finfo(float).eps
USES_JACOBIAN = {m["name"] for m in _core.methods() if m["flags"] & _core.USES_JACOBIAN}


class Structure:
    """The search for the pattern of one problem; `calls` of fun that it took are not those of a run.

    Parameters
    ----------
    plain : Prepared
        The problem without a pattern.
    """

    def __init__(self, plain: Prepared, method: str) -> None:
        self.plain = plain
        self.calls = 0
        self.widened = 0
        self.keys: np.ndarray | None = None
        n = plain.n
        may = bool(n) and plain.may_have_structure and FEW <= n <= MANY and (method == "auto" or method in USES_JACOBIAN)
        if may:
            try:
                with np.errstate(all="ignore"):
                    self._begin(method)
            except Exception:  # of fun, near its start: a run says so if it has to go there
                self.keys = None
            self.calls = plain.core.calls[0]

    @property
    def pattern(self) -> Pattern | None:
        return None if self.keys is None else Pattern(self.keys, self.plain.n)

    def _begin(self, method: str) -> None:
        t0, t1 = self.plain.core.span
        x = np.empty(self.plain.n)
        self.plain.core.start(x)
        if method != "auto" or self._limits_steps(t0, t1, x):
            self.keys = self._found(t0, x)

    def _f(self, t: float, x: np.ndarray) -> np.ndarray:
        out = np.empty(self.plain.n)
        self.plain.core.evaluate(t, x, out)
        return out

    def _limits_steps(self, t0: float, t1: float, x: np.ndarray) -> bool:
        """Whether stability asks explicit methods for so many steps, from the largest eigenvalue at the start, that a call
        for each column is little beside them."""
        f = self._f(t0, x)
        direction, radius = np.where(np.arange(len(x)) % 2, 1.0, -1.0), 0.0
        length = np.sqrt(EPS) * max(np.abs(x).max(), 1e-5)
        for _ in range(4):
            change = (self._f(t0, x + length * direction) - f) / length
            radius = np.abs(change).max()
            if not np.isfinite(radius) or radius == 0:
                return False
            direction = change / radius
        return bool(np.isfinite(t1) and radius * abs(t1 - t0) > 4 * len(x))

    def _found(self, t: float, x: np.ndarray) -> np.ndarray | None:
        """Keys of the entries at a point, see `Pattern`; None: too many for a sparse matrix."""
        n = self.plain.n
        base = self._f(t, x)
        size = np.sqrt(EPS * np.maximum(1e-5, np.abs(x))) * np.maximum(1, np.sqrt(np.abs(x)))
        columns = np.arange(n)
        first = columns[:: max(1, n // SAMPLE)]
        found, count = [np.arange(n, dtype=np.int64) * (n + 1)], 0
        for k, j in enumerate(np.concatenate([first, np.setdiff1d(columns, first)])):
            moved = x.copy()
            moved[j] += size[j] if base[j] >= 0 else -size[j]
            rows = np.flatnonzero(self._f(t, moved) != base)
            found.append(j * n + rows)
            count += len(rows)
            if k + 1 >= len(first) and count > (k + 1) * n / 4:
                return None
        return np.unique(np.concatenate(found))

    def prepared(self, prepare: Callable[..., Prepared]) -> Prepared:
        """The problem for a run, with the pattern where groups of columns are few beside the columns."""
        if self.keys is not None:
            sparse = prepare(pattern=self.pattern, found=True)
            if 4 * (sparse.core.groups + 2) <= self.plain.n:
                return sparse
            self.keys = None
        return prepare() if self.calls else self.plain

    def widen(self, core: _core.Problem) -> None:
        """After a run has found entries that the pattern lacks; without any, or too often, the pattern is given up."""
        if core.grew is None or self.keys is None:
            return
        t, x = core.grew
        self.calls += core.calls[0]
        self.widened += 1
        before: np.ndarray = self.keys
        self.keys = None
        if self.widened <= WIDENED:
            calls = self.plain.core.calls[0]
            now = self._found(t, np.frombuffer(x))
            self.calls += self.plain.core.calls[0] - calls
            wider = None if now is None else np.union1d(before, now)
            if wider is not None and len(wider) > len(before):
                self.keys = wider
