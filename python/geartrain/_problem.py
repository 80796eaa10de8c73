# SPDX-License-Identifier: BSD-3-Clause
"""From the arguments of solve_ivp to a problem of the library."""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, NamedTuple, Sequence

import numpy as np

from . import _core
from ._functions import compiled, data_of, ignores_time, with_data, work_of

__all__ = ["LaidOut", "Layout", "Prepared", "PatternGrew"]

BAND = 8  # up to this many diagonals a banded matrix is factored faster than a sparse one


class PatternGrew(Exception):
    """A sparse Jacobian has entries that its first value did not have."""

    def __init__(self, pattern):
        super().__init__("the Jacobian has entries where it had none before; give jac_sparsity")
        self.pattern = pattern


def _is_sparse(matrix: Any) -> bool:
    return hasattr(matrix, "tocsc")


def _shaped(matrix: Any, n: int, what: str) -> Any:
    if matrix.shape != (n, n):
        raise ValueError(f"`{what}` is expected to have shape {(n, n)}, but actually has {matrix.shape}.")
    return matrix


class Layout(NamedTuple):
    """How a state of the library, of `width` numbers, becomes one of the user's."""

    width: int
    take: np.ndarray | None = None  # where the user's components are; None: as they are
    is_complex: bool = False

    def state(self, x: np.ndarray) -> np.ndarray:
        """States along the last axis."""
        if self.is_complex:
            return x.view(complex)
        return x if self.take is None else x[..., self.take]


class LaidOut:
    """What has a layout."""

    layout: Layout
    jac_is_constant = False
    doubts: Sequence[str] = ()  # about the text of a model

    def njev(self, report: dict[str, Any]) -> int:
        """Jacobians that were evaluated: as for SciPy, one that is given as a matrix never is."""
        return 0 if self.jac_is_constant else report["jacobians"]

    @property
    def width(self) -> int:
        """Numbers of a state in the library."""
        return self.layout.width

    def state(self, x: np.ndarray) -> np.ndarray:
        """States of the library, along the last axis, as those of the user."""
        return self.layout.state(x)


class Pattern:
    """Where a matrix has entries, in the order in which the library keeps them: by columns."""

    @classmethod
    def of(cls, matrix: Any, n: int) -> Pattern:
        if _is_sparse(matrix):
            entries = matrix.tocoo()
            rows, columns = entries.row, entries.col
        else:
            rows, columns = np.nonzero(matrix)
        return cls(np.unique(columns.astype(np.int64) * n + rows), n)

    @classmethod
    def banded(cls, n: int, lower: int, upper: int) -> Pattern:
        diagonals = [np.arange(max(0, d), min(n, n + d)) for d in range(-min(upper, n - 1), min(lower, n - 1) + 1)]
        first = -min(upper, n - 1)
        keys = [(rows - first - i) * n + rows for i, rows in enumerate(diagonals)]
        return cls(np.sort(np.concatenate(keys)).astype(np.int64), n)

    def __init__(self, keys: np.ndarray, n: int):
        self.n = n
        self.keys = keys
        self.rows = (keys % n).astype(np.intc)
        self.columns = (keys // n).astype(np.intc)
        self.colptr = np.searchsorted(self.columns, np.arange(n + 1)).astype(np.intc)
        self.band = self._band()

    def _band(self) -> tuple[int, int] | None:
        """Sub- and superdiagonals, where they are few and hold most of what lies between them."""
        if not len(self.keys):
            return 0, 0
        below = int(max(0, (self.rows - self.columns).max()))
        above = int(max(0, (self.columns - self.rows).max()))
        return (below, above) if below + above < BAND and below + above + 1 < self.n else None

    @property
    def argument(self):
        return self.band or (self.colptr, self.rows)

    def values(self, matrix: Any) -> np.ndarray:
        """The entries of a matrix in that order."""
        if not _is_sparse(matrix):
            out = np.asarray(matrix, dtype=float)[self.rows, self.columns]
        else:
            entries = matrix.tocoo()
            keys = entries.col.astype(np.int64) * self.n + entries.row
            at = np.searchsorted(self.keys, keys)
            at[at == len(self.keys)] = 0
            if len(keys) and (not len(self.keys) or np.any(self.keys[at] != keys)):
                raise PatternGrew(Pattern(np.union1d(self.keys, keys), self.n))
            out = np.zeros(len(self.keys))
            np.add.at(out, at, entries.data)
        return out if self.band is None else self.packed(out)

    def packed(self, entries: np.ndarray) -> np.ndarray:
        """As the library keeps a banded matrix."""
        below, above = self.band or (0, 0)
        band = np.zeros((self.n, below + above + 1))
        band[self.columns, above + self.rows - self.columns] = entries
        return band.ravel()


def _converter(n: int, is_complex: bool) -> Callable:
    """Makes an array of n numbers of what a function has returned."""

    def convert(result, what, count):
        if result is None:
            raise TypeError(f"{what} returned None; is there a return in it?")
        dtype = complex if is_complex and what.startswith("fun") else float
        try:
            array = np.asarray(result)
        except ValueError as error:
            raise ValueError(f"{what} must return an array of numbers, not {type(result).__name__}: {error}") from error
        if np.iscomplexobj(array) and dtype is float:
            raise TypeError(f"{what} returned complex numbers, but y0 is real; give a complex y0")
        try:
            array = np.ascontiguousarray(array, dtype=dtype)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{what} must return an array of numbers, not {type(result).__name__}: {error}") from error
        array = array.ravel().view(float) if array.ndim < 2 or 1 in array.shape else array
        if array.ndim != 1 or len(array) != count:
            expected = count // 2 if dtype is complex else count
            raise ValueError(f"{what} returned an array of shape {np.shape(result)}, expected {(expected,)}")
        return array

    return convert


def _real_matrix(J: np.ndarray) -> np.ndarray:
    """A complex matrix as it acts on pairs (real, imaginary)."""
    n = len(J)
    out = np.empty((n, 2, n, 2))
    out[:, 0, :, 0] = out[:, 1, :, 1] = J.real
    out[:, 1, :, 0] = J.imag
    out[:, 0, :, 1] = -J.imag
    return out.reshape(2 * n, 2 * n)


class Prepared(LaidOut):
    """A problem of the library, with what turns its numbers back into those of the user."""

    def __init__(self, fun: Any, t0: float, t1: float, y0: np.ndarray, *, args: tuple | None = None,
                 vectorized: bool = False, jac: Any = None, jac_sparsity: Any = None, mass: Any = None,
                 events: list | None = None, fast: Any = None, fun_slow: Any = None, fun_fast: Any = None,
                 pattern: Pattern | None = None, band: tuple[int, int] | None = None, found: bool = False):
        self.n = len(y0)
        self.is_complex = np.iscomplexobj(y0)
        self.jac_is_constant = jac is not None and not callable(jac)
        algebraic = self._algebraic(mass, fun)
        self.order, n_fast = self._order(fast, algebraic)
        self.layout = Layout(2 * self.n if self.is_complex else self.n,
                             None if self.order is None else np.argsort(self.order), self.is_complex)
        self.keep: tuple = (fun, args, jac, mass)
        self.may_have_structure = (jac is jac_sparsity is mass is fast is fun_slow is fun_fast is band is None
                                   and not self.is_complex and not compiled(fun))
        pointers = self._pointers(fun, fun_slow, fun_fast, args)
        jac, pattern = self._jacobian(jac, jac_sparsity, pattern, band, t0, y0, args)
        shape = (self.n, 1) if vectorized else self.n
        self.core = _core.Problem(
            pointers[0], t0, t1, self.reals(y0),
            make=partial(np.empty, shape, y0.dtype),
            convert=_converter(self.n, self.is_complex),
            n_fast=n_fast, slow=pointers[1], fast=pointers[2],
            jac=jac, pattern=pattern and pattern.argument, mass=self._mass(mass, algebraic),
            events=self._events(events), flat=not vectorized, is_complex=self.is_complex,
            autonomous=ignores_time(fun), keep=self.keep, found=found, n_alg=0 if algebraic is None else int(algebraic.sum()),
            work=work_of(fun, self.n),
        )

    # ---- from the user ----

    def _algebraic(self, mass: Any, fun: Any) -> np.ndarray | None:
        """Which states have a row and a column of zeros in the mass matrix: 0 = g, solved at the start too."""
        if mass is None or self.is_complex or np.shape(mass) != (self.n, self.n):
            return None
        entries = abs(mass).tocsr() if _is_sparse(mass) else np.abs(np.asarray(mass, dtype=float))
        rows, columns = (np.asarray(entries.sum(axis=k)).ravel() == 0 for k in (1, 0))
        last = np.arange(self.n) >= self.n - rows.sum()
        if not rows.any() or (rows != columns).any() or rows.all() or (compiled(fun) and (rows != last).any()):
            return None
        return rows

    def _order(self, fast, algebraic):
        """Slow states first, algebraic ones last: None where they are so already, and how many are fast."""
        if fast is None:
            if algebraic is None:
                return None, 0
            order = np.argsort(algebraic, kind="stable")
            return (None if (np.diff(order) == 1).all() else order), 0
        if self.is_complex:
            raise ValueError("`fast` is for real states")
        mask = np.zeros(self.n, dtype=bool)
        try:
            mask[np.asarray(fast)] = True
        except IndexError as error:
            raise ValueError(f"`fast` must be indices of states, or a mask, of {self.n}: {error}") from error
        kind = mask.astype(int) if algebraic is None else np.where(algebraic, 2, mask)
        order = np.argsort(kind, kind="stable")
        return (None if (np.diff(order) == 1).all() else order), int((kind == 1).sum())

    def reals(self, y: np.ndarray) -> np.ndarray:
        """A state as the library has it."""
        y = np.ascontiguousarray(y if self.order is None else y[self.order])
        return y.view(float) if self.is_complex else y.astype(float, copy=False)

    def _called(self, function, args, rows=None):
        """function(t, y) with its further arguments, for states in the order of the library."""
        if function is None:
            return None
        if args:
            inner = function
            function = lambda t, y: inner(t, y, *args)  # noqa: E731
        if self.order is None:
            return function
        back = self.layout.take
        if rows is None:
            return lambda t, y: function(t, y[back])
        return lambda t, y: np.asarray(function(t, y[back]))[rows]

    def _pointers(self, fun, fun_slow, fun_fast, args):
        pointer = compiled(fun)
        if pointer:
            if self.order is not None or self.is_complex:
                raise ValueError("a compiled fun is for real states, the slow ones before the fast ones")
            data = data_of(args)
            self.keep += (data,)
            return [with_data(pointer, data)] + [
                f and with_data(compiled(f) or _refuse(f), data) for f in (fun_slow, fun_fast)
            ]
        if not callable(fun):
            raise TypeError(f"fun must be callable, not {type(fun).__name__}")
        return [self._called(fun, args, self.order), self._called(fun_slow, args), self._called(fun_fast, args)]

    def _jacobian(self, jac, sparsity, pattern, band, t0, y0, args):
        """The function for the library, values by columns, and where they are."""
        n = self.n
        if band is not None:
            return self._banded(jac, band, args)
        if sparsity is not None and jac is None and not self.is_complex:
            sparsity = sparsity if _is_sparse(sparsity) else np.asarray(sparsity)
            pattern = self._pattern(_shaped(sparsity, n, "jac_sparsity"))
        if jac is None:
            return None, pattern
        if not callable(jac):
            constant = jac if _is_sparse(jac) else np.array(jac, ndmin=2)
            _shaped(constant, n, "jac")
            first, function = constant, lambda t, y: constant
        else:
            function = (lambda t, y: jac(t, y, *args)) if args else jac
            first = function(t0, y0.copy())
            first = _shaped(first if _is_sparse(first) else np.asarray(first), n, "jac")
        back = self.layout.take
        if _is_sparse(first) and not self.is_complex:
            return self._sparse(function, first, sparsity, pattern, back)

        def dense(t, y):
            J = function(t, y if back is None else y[back])
            J = J.toarray() if _is_sparse(J) else np.asarray(J)
            if J.shape != (n, n):
                raise ValueError(f"`jac` is expected to have shape {(n, n)}, but actually has {J.shape}.")
            J = J if back is None else J[np.ix_(self.order, self.order)]
            return (_real_matrix(J) if self.is_complex else J.astype(float, copy=False)).ravel(order="F")

        return dense, None

    def _banded(self, jac, band, args):
        """As SciPy's LSODA has it: jac(t, y)[i - j + uband, j] is the derivative of fun's component i for y[j]."""
        if self.order is not None or self.is_complex:
            raise ValueError("`lband` and `uband` are for real states, the slow ones before the fast ones")
        n, (lower, upper) = self.n, band
        pattern = Pattern.banded(n, lower, upper)
        if jac is None:
            return None, pattern
        shape = lower + upper + 1, n
        function = jac if callable(jac) else lambda t, y: jac

        def values(t, y):
            J = function(t, y, *args) if args and callable(jac) else function(t, y)
            if _is_sparse(J) or np.shape(J) == (n, n) != shape:
                return pattern.values(J)
            J = np.asarray(J, dtype=float)
            if J.shape != shape:
                raise ValueError(f"`jac` is expected to have shape {shape} or {(n, n)}, but actually has {J.shape}.")
            out = J[upper + pattern.rows - pattern.columns, pattern.columns]
            return out if pattern.band is None else pattern.packed(out)

        return values, pattern

    def _sparse(self, function, first, sparsity, pattern, back):
        if sparsity is not None:
            pattern = self._pattern(_shaped(sparsity if _is_sparse(sparsity) else np.asarray(sparsity), self.n,
                                            "jac_sparsity"))
        elif pattern is None:
            pattern = self._pattern(first)

        def values(t, y):
            J = function(t, y if back is None else y[back])
            return pattern.values(J if back is None else J.tocsc()[self.order][:, self.order])

        return values, pattern

    def _pattern(self, matrix):
        if self.order is not None:
            matrix = matrix.tocsc() if _is_sparse(matrix) else matrix
            matrix = matrix[self.order][:, self.order]
        return Pattern.of(matrix, self.n)

    def _mass(self, mass, algebraic):
        if mass is None:
            return None
        if self.is_complex:
            raise ValueError("`mass` is for real states")
        sparse = _is_sparse(mass)
        if not np.isfinite(mass.data if sparse else np.asarray(mass, dtype=float)).all():
            raise ValueError("all entries of `mass` must be finite")
        mass = _shaped(mass if sparse else np.array(mass, dtype=float, ndmin=2), self.n, "mass")
        if algebraic is not None:
            identity = np.where(algebraic, 0.0, 1.0)
            if (mass.diagonal() == identity).all() and abs(mass).sum() == identity.sum():
                return None
        if sparse:
            pattern = self._pattern(mass)
            matrix = mass if self.order is None else mass.tocsc()[self.order][:, self.order]
            return pattern.argument, pattern.values(matrix)
        return None, (mass if self.order is None else mass[np.ix_(self.order, self.order)]).ravel(order="F")

    def _events(self, events):
        if not events:
            return None
        functions, directions, terminal = zip(*events)
        return tuple(self._called(f, None) for f in functions), directions, terminal

    # ---- to the user ----

    def tolerance(self, tol):
        """One for all, or one for each component in the order of the library."""
        if type(tol) is float or np.ndim(tol) == 0:
            return float(tol)
        tol = np.asarray(tol, dtype=float)
        if tol.shape != (self.n,):
            raise ValueError(f"a tolerance has shape {tol.shape}; expected is one number, or shape {(self.n,)}")
        if self.is_complex:
            return np.repeat(tol, 2)
        return np.ascontiguousarray(tol if self.order is None else tol[self.order])


def _refuse(f):
    raise TypeError("fun_slow and fun_fast are compiled when fun is")
