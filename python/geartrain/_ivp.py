# SPDX-License-Identifier: BSD-3-Clause
"""solve_ivp, with the arguments, results and meanings of SciPy's."""

from __future__ import annotations

import re
import warnings
from contextlib import nullcontext
from math import isfinite
from typing import Any, Callable

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._core import PatternLacks
from ._problem import PatternGrew, Prepared
from ._result import OdeResult, Solution, Still
from ._structure import Structure

__all__ = ["solve_ivp"]

EPS = np.finfo(float).eps

# What SciPy's methods are here.
SCIPY_METHODS = {"RK23": "bs32", "RK45": "dopri5", "DOP853": "dop853", "Radau": "radau", "BDF": "gear",
                 "LSODA": "auto"}

MESSAGES = {0: "The solver successfully reached the end of the integration interval.",
            1: "A termination event occurred."}


def in_python(message: str) -> str:
    """A message of the library with flags of the program as arguments of Python."""
    message = re.sub(r"\ba smaller h0\b", "a smaller first_step", message)
    message = message.replace("an .ode file names its fast states (#@ fast z,w), a problem in C sets n_slow and n_fast",
                              "say which states are fast by fast=[..]")
    message = re.sub(r"--opt ([a-z][\w-]*)=([\w.+-]*\w)", r"options={'\1': \2}", message)
    names = {"rtol": "rtol", "atol": "atol", "hmax": "max_step", "hmin": "min_step", "h0": "first_step", "h": "step",
             "method": "method", "max-steps": "max_steps"}

    def argument(match):
        name, value = match[1], match[2]
        if name not in names:
            return match[0]
        if value and name == "method":
            value = f"'{value}'"
        return names[name] + (f"={value}" if value else "")

    return re.sub(r"--([a-z0-9-]+)(?: ((?:\d[\w.+-]*\w|[a-z]\w*)(?=[\s,;.)]|$)))?", argument, message)


def _numbers(value: Any, what: str) -> np.ndarray:
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise TypeError(f"`{what}` must be a number, or one for each component, not {value!r}") from error


def _number(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"`{what}` must be a number, not {value!r}") from error


def _width(value: Any, what: str) -> int:
    try:
        return int(value or 0)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"`{what}` must be a whole number, not {value!r}") from error


def validate_tol(rtol, atol, n):
    """As SciPy: too small an rtol is raised to 100 EPS with a warning."""
    if type(rtol) is float and type(atol) is float and rtol >= 100 * EPS and 0 < atol < np.inf:
        return rtol, atol  # what most runs have, without the time that arrays take
    rtol, atol = _numbers(rtol, "rtol"), _numbers(atol, "atol")
    if np.isnan(rtol).any():
        raise ValueError("`rtol` must be positive.")
    if np.any(rtol < 100 * EPS):
        warnings.warn(f"At least one element of `rtol` is too small. Setting `rtol = np.maximum(rtol, {100 * EPS})`.",
                      stacklevel=4)
        rtol = np.maximum(rtol, 100 * EPS)
    if atol.ndim > 0 and atol.shape != (n,):
        raise ValueError("`atol` has wrong shape.")
    if np.any(atol < 0) or np.isnan(atol).any():
        raise ValueError("`atol` must be positive.")
    return rtol, np.where(atol == 0, _core.NO_ATOL, atol)


def validate_step(first_step, max_step, t0, t1):
    max_step = _number(max_step, "max_step")
    first_step = None if first_step is None else _number(first_step, "first_step")
    if not max_step > 0:
        raise ValueError("`max_step` must be positive.")
    if first_step is not None and not first_step > 0:
        raise ValueError("`first_step` must be positive.")
    if first_step is not None and first_step > abs(t1 - t0):
        raise ValueError("`first_step` exceeds bounds.")
    return first_step or 0.0, 0.0 if max_step == np.inf else max_step


def prepare_events(events, args):
    """[(function, direction, after how many the run ends)]"""
    if events is None:
        return []
    prepared = []
    try:
        events = [events] if callable(events) else list(events)
    except TypeError as error:
        raise TypeError(f"`events` must be a function or a list of functions, not {events!r}") from error
    for event in events:
        terminal = getattr(event, "terminal", None)
        if terminal is None:
            terminal = 0
        elif int(terminal) != terminal or terminal < 0:
            raise ValueError("The `terminal` attribute of each event must be a boolean or positive integer.")
        direction = int(np.sign(getattr(event, "direction", 0)))
        function = (lambda t, y, event=event: event(t, y, *args)) if args else event
        prepared.append((function, direction, int(terminal)))
    return prepared


def start(y0: Any) -> np.ndarray:
    """Initial values as an array of floats or of complex numbers."""
    y0 = np.asarray(y0)
    if y0.dtype == float and y0.ndim == 1 and len(y0) < 16 and all(map(isfinite, y0.tolist())):
        return y0.copy()  # without the time that functions of arrays take
    if y0.ndim != 1:
        raise ValueError("`y0` must be 1-dimensional.")
    y0 = y0.astype(complex if np.issubdtype(y0.dtype, np.complexfloating) else float)
    if not np.isfinite(y0).all():
        raise ValueError("All components of the initial state `y0` must be finite.")
    return y0


def ends(t_span: Any) -> tuple[float, float]:
    """From where to where."""
    try:
        t0, t1 = map(float, t_span)
    except (TypeError, ValueError) as error:
        raise type(error)(f"`t_span` must be two numbers, from where to where, not {t_span!r}") from error
    return t0, t1


def method_name(method: Any) -> str:
    """The name of a method in the library."""
    name = getattr(method, "geartrain_name", None) or getattr(method, "name", method)
    if isinstance(method, type) and method.__name__ in SCIPY_METHODS and method.__module__.startswith("scipy."):
        name = method.__name__
    if not isinstance(name, str):
        raise ValueError(f"`method` must be one of geartrain.methods(), 'auto' or a name of SciPy, not {method!r}")
    return SCIPY_METHODS.get(name, name)


def option_text(options: dict[str, Any] | str | None) -> str | None:
    """Options of a method as text."""
    if options is None or isinstance(options, (dict, str)) and not options:
        return None
    if isinstance(options, str):
        return options
    if not isinstance(options, dict):
        raise TypeError(f"`options` must be a dictionary, {{'order': 3}}, or text, 'order=3', not {options!r}")
    return ", ".join(f"{name}={value!r}" if not isinstance(value, str) else f"{name}={value}"
                     for name, value in options.items())


def plan(prepared: Any, rtol: Any, atol: Any, first_step: float | None, max_step: float, t0: float, t1: float, *,
         min_step: float = 0.0, step: float = 0.0, max_steps: int = 0, options: dict[str, Any] | str | None = None,
         control: str | None = None, pulses: bool = True) -> dict[str, Any]:
    """Arguments of a run of the library."""
    rtol, atol = validate_tol(rtol, atol, prepared.n)
    if not isinstance(control, (str, type(None))):
        raise TypeError(f"`control` must be the name of a controller, not {control!r}")
    max_steps = _width(max_steps, "max_steps")
    if max_steps < 0:
        raise ValueError("`max_steps` must be positive.")
    h0, h_max = validate_step(first_step, max_step, t0, t1)
    return dict(rtol=prepared.tolerance(rtol), atol=prepared.tolerance(atol), h0=h0, h_max=h_max,
                h_min=_number(min_step, "min_step"), h=_number(step, "step"), max_steps=max_steps,
                options=option_text(options), control=control, pulses=pulses)


def check_args(args: Any) -> tuple | None:
    if args is None:
        return None
    try:
        return tuple(args)
    except TypeError as error:
        raise TypeError("Supplied 'args' cannot be unpacked. Please supply `args` as a tuple "
                        f"(e.g. `args=({args!r},)`)") from error


def check_times(t_eval: Any, t0: float, t1: float) -> np.ndarray | None:
    if t_eval is None:
        return None
    t_eval = np.array(t_eval, dtype=float, order="C")  # a copy: the result is the caller's
    if t_eval.ndim != 1:
        raise ValueError("`t_eval` must be 1-dimensional.")
    if np.isnan(t_eval).any() or np.any(t_eval < min(t0, t1)) or np.any(t_eval > max(t0, t1)):
        raise ValueError("Values in `t_eval` are not within `t_span`.")
    steps = np.diff(t_eval)
    if np.any(steps <= 0 if t1 > t0 else steps >= 0):
        raise ValueError("Values in `t_eval` are not properly sorted.")
    return t_eval


def _nothing_to_do(t0: float, t1: float, y0: np.ndarray, t_eval: np.ndarray | None, dense_output: bool, events: list,
                   method: str) -> OdeResult:
    """No states, or no time."""
    t = np.array([t0, t1]) if t_eval is None else t_eval
    sol = Still(t0, t1, y0) if dense_output else None
    found = [np.array([]) for _ in events] if events else None
    return OdeResult(t=t, y=np.repeat(y0[:, None], len(t), axis=1), sol=sol, t_events=found, y_events=found, nfev=0,
                     njev=0, nlu=0, status=0, message=MESSAGES[0], success=True, method=method, why="", warnings=[],
                     nsteps=0, nrejected=0)


def _progress(progress, t0, t1):
    """The function that is called now and then; True: a line on standard error."""
    if progress is not True:
        return progress or None
    import sys

    def show(t):
        share = f" {(t - t0) / (t1 - t0):6.1%}" if np.isfinite(t1) else ""
        print(f"\rt = {t:.6g}{share}", end="", file=sys.stderr, flush=True)

    return show


def solve_ivp(fun: Any, t_span: Any = None, y0: Any = None, method: Any = "auto", t_eval: ArrayLike | None = None,
              dense_output: bool = False, events: Any = None, vectorized: bool = False, args: Any = None, *,
              rtol: ArrayLike = 1e-3, atol: ArrayLike = 1e-6, jac: Any = None, jac_sparsity: Any = None, mass: Any = None,
              max_step: float = np.inf, first_step: float | None = None, min_step: float = 0.0, fast: Any = None,
              fun_slow: Any = None, fun_fast: Any = None, options: dict[str, Any] | str | None = None,
              control: str | None = None, max_steps: int = 0, pulses: bool = True,
              progress: Callable[[float], Any] | bool | None = None, lband: int | None = None, uband: int | None = None,
              **extraneous: Any) -> OdeResult:
    """Solves an initial value problem y' = f(t, y), or M y' = f(t, y); a drop-in for SciPy's function.

    Parameters
    ----------
    fun : callable, compiled function or Model
        ``fun(t, y) -> dy/dt``, array or list of n numbers. A numba ``cfunc``, a ``scipy.LowLevelCallable`` or a ctypes
        pointer ``int f(double t, const double *y, double *dydt, void *data)`` runs without the interpreter, and so
        does a `Model`, which has a ``t_span`` and ``y0`` of its own.
    t_span : (float, float)
        From where to where; backward too, and to infinity with a terminal event.
    y0 : array_like
        Initial values, real or complex.
    method : str, class or Method
        "auto" finds out whether the problem is stiff; a name of `methods`; or one of SciPy's names, for which the
        nearest method here is taken.
    t_eval, dense_output, events, vectorized, args
        As in SciPy. An event is a function ``event(t, y)`` with the attributes ``terminal`` (True, or after how many)
        and ``direction``.
    rtol, atol : float or array_like
        Relative and absolute tolerance, one for all or one for each component.
    jac, jac_sparsity
        As in SciPy: a function, an array or a sparse matrix; where its entries may be. Of 32 states or more that is found
        out, by one call of ``fun`` for each, where neither is given, an implicit method takes differences, and most entries
        are zero.
    mass : array_like or sparse matrix
        M, which may be singular: then some equations are algebraic.
    max_step, first_step, min_step : float
        Bounds for steps, and the first one.
    fast : array_like
        Indices, or a mask, of fast states, for methods of two rates; ``fun_slow`` and ``fun_fast`` evaluate the
        blocks alone. Of a Model also names: its equations are made anew for these blocks.
    options : dict or str
        Of the method, ``{"order": 4}``; `Method.options` says which there are.
    control : str
        How steps are chosen: "pi", "pid", ..
    max_steps : int
        After which the run fails; 10 million unless given.
    pulses : bool
        Whether steps are looked into for pulses of ``fun`` in time that they passed over, which takes up to a hundred
        calls in a run; a function that does not read ``t`` needs none.
    progress : callable or True
        Called with t five times a second; True prints it.
    lband, uband : int
        Width of a banded Jacobian, as for SciPy's LSODA; an array of its diagonals is what ``jac`` gives then.
    **extraneous
        Has no effect, as a warning says.

    Returns
    -------
    OdeResult

    Examples
    --------
    >>> from geartrain import solve_ivp
    >>> sol = solve_ivp(lambda t, y: -0.5 * y, [0, 10], [2, 4, 8], rtol=1e-8)
    >>> sol.success, bool(abs(sol.y[0, -1] - 2 * 2.718281828459045 ** -5) < 1e-7)
    (True, True)

    The end of a fall, by an event:

    >>> def ground(t, y): return y[0]
    >>> ground.terminal, ground.direction = True, -1
    >>> fall = solve_ivp(lambda t, y: [y[1], -9.81], [0, float("inf")], [1, 0], events=ground)
    >>> round(float(fall.t_events[0][0]), 4), fall.message
    (0.4515, 'A termination event occurred.')
    """
    from ._model import Model

    if extraneous:
        warnings.warn("The following arguments have no effect: " + ", ".join(f"`{name}`" for name in extraneous),
                      stacklevel=2)
    args = check_args(args)
    event_list = prepare_events(events, args)
    if isinstance(fun, Model):
        prepared, t0, t1, y0 = fun._prepare(t_span, y0, args=args, jac=jac, jac_sparsity=jac_sparsity, mass=mass,
                                            events=event_list, fast=fast, fun_slow=fun_slow, fun_fast=fun_fast)
    elif t_span is None or y0 is None:
        raise TypeError("t_span and y0 are needed, unless fun is a Model")
    else:
        t0, t1 = ends(t_span)
        y0 = start(y0)
    t_eval = check_times(t_eval, t0, t1)
    name = method_name(method)
    if len(y0) == 0 or t0 == t1:
        validate_tol(rtol, atol, len(y0))
        validate_step(first_step, max_step, t0, t1)
        return _nothing_to_do(t0, t1, y0, t_eval, dense_output, event_list, name)
    band = None if lband is None and uband is None else (_width(lband, "lband"), _width(uband, "uband"))
    pattern = structure = None

    def prepare(**found):
        return Prepared(fun, t0, t1, y0, args=args, vectorized=vectorized, jac=jac, jac_sparsity=jac_sparsity, mass=mass,
                        events=event_list, fast=fast, fun_slow=fun_slow, fun_fast=fun_fast, band=band, **found)

    while True:
        if not isinstance(fun, Model):
            structure = structure or Structure(prepare(), name)
            prepared = structure.prepared(prepare) if pattern is None else prepare(pattern=pattern)
        arguments = plan(prepared, rtol, atol, first_step, max_step, t0, t1, min_step=min_step, max_steps=max_steps,
                         options=options, control=control, pulses=pulses)
        try:
            run = _core.Run(prepared.core, name, **arguments)
            result = _drive(run, prepared, t_eval, dense_output, events, _progress(progress, t0, t1))
            result["nfev"] += structure.calls if structure else 0
            return result
        except PatternGrew as grew:
            pattern = grew.pattern
        except PatternLacks:
            assert structure  # it has made the pattern
            structure.widen(prepared.core)
        except ValueError as error:
            # One of the library, in whose place no function of the user is: it names what the program calls things.
            trace = error.__traceback__
            if type(error) is ValueError and trace and trace.tb_next is None:
                raise ValueError(in_python(str(error))) from None
            raise


def _drive(run: _core.Run, prepared: Any, t_eval: np.ndarray | None, dense_output: bool, events: Any,
           progress: Callable[[float], Any] | None) -> OdeResult:
    solution = _core.solution(prepared.width) if dense_output else None
    rows: Any = None if t_eval is None else np.empty((len(t_eval), prepared.width))
    # A trial that goes too far is repeated with a smaller step: numpy need not warn of what overflows there.
    quiet: Any = np.errstate(over="ignore", invalid="ignore") if run.problem.calls_python else nullcontext()
    with quiet:
        status, filled, t, x, *found = run.drive(times=t_eval, out=rows, solution=solution, progress=progress)
    if t_eval is None:
        t = np.frombuffer(t)
        rows = np.frombuffer(x).reshape(len(t), prepared.width)
    else:
        t, rows = (t_eval, rows) if filled == len(t_eval) else (t_eval[:filled].copy(), rows[:filled].copy())
    report = run.report
    code = -1 if status != "ok" else int(report["stopped"])
    message = MESSAGES[code] if code >= 0 else in_python(report["message"]) or status
    t_events, y_events = _events(found, prepared, events)
    calls = run.problem.calls
    sol = Solution(solution, prepared.layout) if solution and solution.pieces else None
    result = OdeResult(
        t=t, y=prepared.state(rows).T, sol=sol, t_events=t_events, y_events=y_events,
        nfev=calls[0] or report["rhs"], njev=prepared.njev(report), nlu=report["factorizations"], status=code,
        message=message, success=code >= 0, method=run.method, why=run.why,
        warnings=[*prepared.doubts, *map(in_python, report["warnings"])],
        nsteps=report["steps"], nrejected=report["rejected"],
    )
    if getattr(prepared, "names", None):
        result["_names"] = prepared.names
    return result


def _events(found, prepared, events):
    """The times and states of each event."""
    n_roots = prepared.core.n_roots
    if events is None and not (n_roots and len(memoryview(found[0]))):
        return None, None
    t, x, fired = (np.frombuffer(part, dtype=kind) for part, kind in zip(found, (float, float, np.uint8)))
    states = prepared.state(x.reshape(len(t), prepared.width))
    flags = fired.reshape(len(t), n_roots).astype(bool)
    return [t[f] for f in flags.T], [states[f] if f.any() else np.array([]) for f in flags.T]
