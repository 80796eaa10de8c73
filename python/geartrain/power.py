# SPDX-License-Identifier: BSD-3-Clause
"""Power networks: what ``geartrain power`` prints as JSON, as dictionaries.

The program is looked for in ``GEARTRAIN_PROGRAM``, beside this package and on PATH.

    flow = geartrain.power.flow("cases/wscc9.m")
    flow["buses"][0]["v"]
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

__all__ = ["command", "cct", "flow", "modes", "program", "run"]


def program() -> str:
    """The path of the program ``geartrain``."""
    beside = Path(__file__).parent / "bin" / "geartrain"
    found = os.environ.get("GEARTRAIN_PROGRAM") or (str(beside) if beside.exists() else shutil.which("geartrain"))
    if not found or not os.path.exists(found):
        raise FileNotFoundError("the program geartrain is not on PATH; GEARTRAIN_PROGRAM may name it")
    return found


def command(*words: Any, **flags: Any) -> dict:
    """What the program prints for a command with ``--json``: ``command("power", "flow", "case.m", tol=1e-9)``.

    A flag with the value True has none, a list repeats it, underscores are hyphens. An error message of the program
    becomes a ValueError, a failure of the numerics a RuntimeError.
    """
    line = [program(), *map(str, words), "--json"]
    for name, value in flags.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            line += ["--" + name.replace("_", "-")] + ([] if one is True else [str(one)])
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode:
        said = done.stderr.strip() or done.stdout.strip()
        raise (ValueError if done.returncode == 2 else RuntimeError)(said)
    return json.loads(done.stdout)


def flow(case: str | os.PathLike, **flags: Any) -> dict:
    """The power flow of a case in Matpower's format."""
    return command("power", "flow", case, **flags)


def run(case: str | os.PathLike, **flags: Any) -> dict:
    """A run of the machines of a case after a fault."""
    return command("power", "run", case, **flags)


def cct(case: str | os.PathLike, **flags: Any) -> dict:
    """The critical clearing time of a fault."""
    return command("power", "cct", case, **flags)


def modes(case: str | os.PathLike, **flags: Any) -> dict:
    """The modes of the machines about the power flow."""
    return command("power", "modes", case, **flags)
