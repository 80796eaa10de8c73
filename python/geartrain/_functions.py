# SPDX-License-Identifier: BSD-3-Clause
"""What a user may give as a function: of Python, or compiled."""

from __future__ import annotations

import ctypes
import dis
import types
from functools import lru_cache
from typing import Any

import numpy as np

Pointer = tuple[int, int, bool]  # address, data, whether it returns a status


def _capsule(fun: Any) -> Pointer:
    """Address and data of a scipy.LowLevelCallable."""
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    for function in (api.PyCapsule_GetPointer, api.PyCapsule_GetContext):
        function.restype = ctypes.c_void_p
    api.PyCapsule_GetName.argtypes = api.PyCapsule_GetContext.argtypes = [ctypes.py_object]
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    capsule = tuple.__getitem__(fun, 0)
    name = api.PyCapsule_GetName(capsule)
    signature = (name or b"").decode().replace(" ", "")
    returns = signature.partition("(")[0]
    if signature[len(returns):] != "(double,double*,double*,void*)" or returns not in ("int", "void"):
        raise TypeError(
            "a compiled fun has the signature 'int (double, double *, double *, void *)', or void in place of int: "
            f"t, y, dydt, data; this one has '{(name or b'').decode()}'"
        )
    data = api.PyCapsule_GetContext(capsule) or 0
    return api.PyCapsule_GetPointer(capsule, name), data, returns == "int"


def compiled(fun: Any) -> Pointer | None:
    """Address, data and kind of a compiled function; None: it is one of Python.

    A numba ``cfunc``, a ``scipy.LowLevelCallable`` or a ctypes function pointer
    ``int f(double t, const double *y, double *dydt, void *data)``, which returns 0, or 1 to ask for a smaller step;
    it may also return nothing.
    """
    if type(fun).__name__ == "LowLevelCallable" and isinstance(fun, tuple):
        return _capsule(fun)
    if hasattr(fun, "address") and hasattr(fun, "_sig"):  # numba
        kinds = {"none": False, "void": False, "int32": True}
        returns = str(fun._sig.return_type)
        if returns not in kinds or len(fun._sig.args) != 4:
            raise TypeError(
                "a numba cfunc for fun has the signature "
                "'int32(float64, CPointer(float64), CPointer(float64), voidptr)', or void in place of int32"
            )
        return fun.address, 0, kinds[returns]
    if isinstance(fun, ctypes._CFuncPtr):
        if fun.restype not in (None, ctypes.c_int):
            raise TypeError("a ctypes function for fun has the result type None or c_int")
        return ctypes.cast(fun, ctypes.c_void_p).value or 0, 0, fun.restype is ctypes.c_int
    return None


@lru_cache(maxsize=256)
def _code_ignores_time(code) -> bool:
    if code.co_argcount < 1 or {"locals", "vars", "eval", "exec", "_getframe"} & set(code.co_names):
        return False
    name = code.co_varnames[0]
    return name not in code.co_cellvars and not any(
        i.argval == name and i.opname.startswith("LOAD") for i in dis.get_instructions(code)
    )


def ignores_time(fun: Any) -> bool:
    """Whether a function of Python never reads its first argument, t."""
    code = getattr(fun, "__code__", None)
    return isinstance(fun, types.FunctionType) and code is not None and _code_ignores_time(code)


def with_data(pointer: Pointer, args: tuple | None) -> Pointer:
    """The pointer with `args` as its data: one contiguous array of floats, or one address."""
    if not args:
        return pointer
    if len(args) == 1 and isinstance(args[0], np.ndarray):
        if args[0].dtype != float or not args[0].flags.c_contiguous:
            raise TypeError("args of a compiled fun: an array must be contiguous and of dtype float64")
        return pointer[0], args[0].ctypes.data, pointer[2]
    if len(args) == 1 and isinstance(args[0], (int, ctypes.c_void_p)):
        return pointer[0], getattr(args[0], "value", args[0]) or 0, pointer[2]
    raise TypeError("args of a compiled fun: one array of float64, or one address, which it gets as its data")
