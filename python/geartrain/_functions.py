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
C_FUNCTION: Any = getattr(ctypes, "_CFuncPtr")  # the base of all ctypes functions
Data = np.ndarray | ctypes.c_void_p | None
CALL, OF_ARRAYS = 5000.0, 1500.0  # operations that a call, and one operation on arrays, are worth
MANY_STATES = 32


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
    if isinstance(fun, C_FUNCTION):
        if fun.restype not in (None, ctypes.c_int):
            raise TypeError("a ctypes function for fun has the result type None or c_int")
        return ctypes.cast(fun, ctypes.c_void_p).value or 0, 0, fun.restype is ctypes.c_int
    return None


@lru_cache(maxsize=256)
def _code_ignores_time(code: types.CodeType) -> bool:
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


@lru_cache(maxsize=256)
def _operations(code: types.CodeType) -> int:
    kinds = ("BINARY_", "UNARY_", "CALL", "COMPARE_OP", "STORE_SUBSCR", "STORE_SLICE")
    inside = sum(_operations(c) for c in code.co_consts if isinstance(c, types.CodeType))
    return inside + sum(i.opname.startswith(kinds) for i in dis.get_instructions(code))


def work_of(fun: Any, n: int) -> float:
    """What a call of a function of Python is worth in operations of the machine, for `auto`, from what is written in it: the
    same on all machines, as a clock would not be. Where states are many its operations are of arrays."""
    code = getattr(fun, "__code__", None)
    if n < MANY_STATES or not isinstance(code, types.CodeType):
        return CALL
    return CALL + OF_ARRAYS * _operations(code)


def with_data(pointer: Pointer, data: Data) -> Pointer:
    """The pointer with the data that `data_of` made of its arguments."""
    if data is None:
        return pointer
    address = data.ctypes.data if isinstance(data, np.ndarray) else data.value or 0
    return pointer[0], address, pointer[2]


def data_of(args: tuple | None) -> Data:
    """What a compiled function gets as its data: numbers as an array of floats, or one address. It must be kept as long
    as the function is called."""
    if not args:
        return None
    if len(args) == 1 and isinstance(args[0], ctypes.c_void_p):
        return args[0]
    if len(args) == 1 and isinstance(args[0], np.ndarray) and args[0].dtype == float and args[0].flags.c_contiguous:
        return args[0]  # as it is, so that what the caller writes into it is seen
    try:
        return np.atleast_1d(np.array(args[0] if len(args) == 1 else args, dtype=float, order="C"))
    except (TypeError, ValueError) as error:
        raise TypeError("args of a compiled fun: numbers, which it gets as an array of float64, or one ctypes.c_void_p, "
                        f"not {args!r}") from error
