# SPDX-License-Identifier: BSD-3-Clause
"""Methods as objects: what they are, and what they do to x' = lambda x."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any, Callable, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._ivp import in_python, option_text

__all__ = ["Condition", "Method", "method", "methods"]


class Condition(NamedTuple):
    """An order condition: the rooted tree that it belongs to (t, with s and f for slow and fast vertices), or the
    power of t for a multistep formula; the residual is left side minus right side."""

    order: int
    tree: str
    holds: bool
    residual: float


class Method:
    """A method of the list, with options.

    Examples
    --------
    >>> import geartrain
    >>> rk4 = geartrain.method("rk4")
    >>> rk4.order, rk4.tableau.b
    (4, [Fraction(1, 6), Fraction(1, 3), Fraction(1, 3), Fraction(1, 6)])
    >>> bool(abs(rk4.stability_function(-1) - 0.375) < 1e-12)
    True
    >>> round(rk4.stability.real_limit, 4), all(c.holds for c in rk4.order_conditions())
    (2.7853, True)
    """

    def __init__(self, name: str, options: dict[str, Any] | str | None = None) -> None:
        facts = {m["name"]: m for m in _core.methods()}.get(name)
        if facts is None:
            raise ValueError(f"there is no method {name!r}; geartrain.methods() lists them")
        self.name: str = name
        self.title: str = facts["title"]
        self.family: str = facts["family"]
        self.reference: str = facts["reference"]
        self.kind: str = facts["kind"]
        self.order: int = facts["order"]
        self.error_order: int = facts["error_order"]
        self.options: dict[str, dict] = facts["options"]
        self.evaluations: int = facts["evaluations"]
        self._flags: int = facts["flags"]
        self._given = option_text(options)

    @property
    def controlled(self) -> bool:
        """Whether it estimates its error, so that steps can be controlled."""
        return self.error_order > 0

    @property
    def two_rates(self) -> bool:
        """Whether it needs a fast block."""
        return bool(self._flags & _core.NEEDS_PARTITION)

    # ---- stability ----

    def stability_function(self, z: ArrayLike) -> Any:
        """R(z), the factor of one step of x' = lambda x with z = h lambda, for a number or an array of any shape; the
        principal root for a multistep formula."""
        z = np.asarray(z, dtype=complex)
        out = np.empty_like(z, order="C")
        _asked(_core.amplification, self.name, self._given, _pairs(z), _pairs(out), False)
        return out[()]

    def growth(self, z: ArrayLike) -> Any:
        """The largest modulus of the roots at z: the method is stable where it is at most 1."""
        z = np.asarray(z, dtype=complex)
        out = np.empty(z.shape)
        _asked(_core.amplification, self.name, self._given, _pairs(z), out.reshape(-1), True)
        return out[()]

    @property
    def stability(self) -> SimpleNamespace:
        """Limits on the axes, A- and L-stability and the like; limits are infinite where there is none."""
        return SimpleNamespace(**_asked(_core.stability, self.name, self._given))

    def region(self, angles: int = 720) -> list[np.ndarray]:
        """The boundary of the stable region: curves of complex numbers."""
        out = np.empty((40 * angles + 100, 2))
        count = _asked(_core.boundary, self.name, self._given, angles, out.reshape(-1))
        points = out[:count, 0] + 1j * out[:count, 1]
        return [part[np.isfinite(part)] for part in np.split(points, np.flatnonzero(np.isnan(points)))
                if np.isfinite(part).sum() > 1]

    # ---- coefficients ----

    @property
    def tableau(self) -> SimpleNamespace | None:
        """``a``, ``b``, ``c`` and ``b_hat`` as fractions; ``slow`` and ``fast`` of a partitioned method; None where the
        method is not given by one."""
        found = _core.tableau(self.name)
        if found is None:
            return None
        return _tableau(found) if "a" in found else SimpleNamespace(**{k: _tableau(v) for k, v in found.items()})

    def order_conditions(self, max_order: int | None = None) -> list[Condition]:
        """The conditions up to an order, that of the method unless given."""
        return [Condition(*c) for c in _asked(_core.conditions, self.name, max_order or self.order)]

    # ---- for people ----

    def portrait(self, ax: Any = None, extent: tuple[float, float, float, float] | None = None) -> Any:
        """Draws the stable region with matplotlib; gives the axes."""
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.figure().add_subplot()
        curves = self.region()
        reach = max((np.abs(c).max() for c in curves), default=4.0)
        left, right, low, high = extent or (-min(reach, 20) * 1.2, min(reach, 20) * 0.6, -min(reach, 20) * 1.1,
                                            min(reach, 20) * 1.1)
        x, y = np.meshgrid(np.linspace(left, right, 240), np.linspace(low, high, 240))
        ax.contourf(x, y, self.growth(x + 1j * y), levels=[0, 1], colors=["#cfe3f5"])
        for curve in curves:
            ax.plot(curve.real, curve.imag, color="#1f6fb4", linewidth=1)
        ax.axhline(0, color="#999", linewidth=0.5)
        ax.axvline(0, color="#999", linewidth=0.5)
        ax.set(xlim=(left, right), ylim=(low, high), xlabel="Re z", ylabel="Im z", title=self.name)
        return ax

    def __repr__(self) -> str:
        order = "" if "order" in self.title else f", order {self.order}"  # most titles say it
        return f"<Method {self.name}: {self.title}{order}>"

    def _repr_html_(self) -> str:
        import html

        return (f"<b>{html.escape(self.name)}</b> {html.escape(self.title)}<br>{html.escape(self.kind)}, order "
                f"{self.order}<br><small>{html.escape(self.reference)}</small>")


def _asked(function: Callable, *arguments: Any) -> Any:
    """What the library answers; its messages name arguments of Python."""
    try:
        return function(*arguments)
    except ValueError as error:
        raise ValueError(in_python(str(error))) from None


def _pairs(z: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(z).reshape(-1).view(float)


def _tableau(found: dict) -> SimpleNamespace:
    def fractions(row):
        return [Fraction(*entry) for entry in row]

    b_hat = fractions(found["b_hat"])
    return SimpleNamespace(a=[fractions(row) for row in found["a"]], b=fractions(found["b"]), c=fractions(found["c"]),
                           b_hat=b_hat if any(b_hat) else None)


def method(name: str, **options: Any) -> Method:
    """A method by its name, with options: ``method("bi45", alpha=0.47)``."""
    return Method(name, options)


def methods(controlled: bool | None = None) -> list[str]:
    """The names of all methods, or of those with error control."""
    return [m["name"] for m in _core.methods() if controlled is None or (m["error_order"] > 0) == controlled]
