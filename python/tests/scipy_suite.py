# SPDX-License-Identifier: BSD-3-Clause
"""SciPy's own tests of solve_ivp, from the SciPy that is installed, with its methods replaced by those here.

    python scipy_suite.py [--function]        one line a test: passed, or failed with the last line of why

The test file is loaded as it is; its names RK23 .. LSODA and solve_ivp(method="RK23") lead to our classes. With
--function its solve_ivp is ours too.
"""

import importlib.util
import pathlib
import sys
import traceback
import warnings

import scipy.integrate
from scipy.integrate._ivp import ivp

import geartrain
from geartrain._ivp import SCIPY_METHODS

def replaced() -> dict:
    """SciPy's names, with our classes."""
    return {name: getattr(geartrain, ours.capitalize()) for name, ours in SCIPY_METHODS.items()}


def load(function=False):
    """SciPy's test file as a module in which its names are ours; `function`: solve_ivp too."""
    classes = replaced()
    ivp.METHODS.update(classes)
    file = pathlib.Path(scipy.integrate.__file__).parent / "_ivp/tests/test_ivp.py"
    spec = importlib.util.spec_from_file_location("scipy_test_ivp", file)
    module = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # marks of their own
        spec.loader.exec_module(module)
    vars(module).update(classes)
    if function:
        module.solve_ivp = geartrain.solve_ivp
    return module


def tests(module):
    """(name, function, arguments) of each test, those with parameters one by one."""
    for name, function in list(vars(module).items()):
        if not name.startswith("test_") or not callable(function):
            continue
        marks = [m for m in getattr(function, "pytestmark", []) if m.name == "parametrize"]
        if not marks:
            yield name, function, {}
        for mark in marks:
            for value in mark.args[1]:
                yield f"{name}[{value}]", function, {mark.args[0]: value}


def outcomes(function=False) -> dict:
    """The name of each test with None, or why it failed."""
    result = {}
    for name, function, arguments in tests(load(function)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                function(**arguments)
            result[name] = None
        except BaseException as error:  # what an assertion of theirs raises
            frame = traceback.extract_tb(error.__traceback__)
            mine = [f for f in frame if f.filename.endswith("test_ivp.py")]
            where = f"line {mine[-1].lineno}: {mine[-1].line}" if mine else ""
            lines = [line for line in str(error).splitlines() if line.strip()]
            result[name] = f"{where} {type(error).__name__} {' '.join(lines[:4])}"
    return result


if __name__ == "__main__":
    found = outcomes("--function" in sys.argv)
    for name, why in found.items():
        print("ok  " if why is None else "FAIL", name, why or "")
    print(sum(why is None for why in found.values()), "of", len(found))
