"""Runs the program routebound and returns what it prints as JSON.

The module computes nothing: every number is one that the program printed. Exact numbers are strings such as "7" and
"3/2", of which `fraction` and `bounds` make `fractions.Fraction`s.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Optional

__all__ = [
    "BadInput",
    "Bounds",
    "CheckFailed",
    "LimitReached",
    "RouteboundError",
    "bounds",
    "find_binary",
    "fraction",
    "load",
    "ratio",
    "run",
    "topo",
]


class RouteboundError(Exception):
    """The program ended with an exit code other than 0."""

    def __init__(self, message: str, exit_code: int, result: dict[str, Any]):
        super().__init__(message)
        self.exit_code = exit_code
        #: The object that the program printed: what it found, or `error` and `exit_code`.
        self.result = result


class CheckFailed(RouteboundError):
    """Exit code 1: a check failed, a gate says worse, or a failure cuts hosts off."""


class BadInput(RouteboundError):
    """Exit code 2: bad usage or bad input, or a file that could not be written."""


class LimitReached(RouteboundError):
    """Exit code 3: a limit of time, memory or size was reached; `result` has the bounds found so far."""


_ERRORS = {1: CheckFailed, 2: BadInput, 3: LimitReached}


class Bounds(NamedTuple):
    """A bounded quantity; `upper` is None where no upper bound is known."""

    lower: Fraction
    upper: Optional[Fraction]
    evidence: str


def fraction(text: str | int) -> Fraction:
    """An exact number of the program, such as "3/2" or 7."""
    if not isinstance(text, (str, int)) or isinstance(text, bool):
        raise TypeError(f"exact numbers are strings or integers, not {text!r}")
    return Fraction(text)


def bounds(value: dict[str, Any]) -> Bounds:
    """The bounds of an object with `lower`, `upper` and `evidence`, as fractions."""
    upper = value["upper"]
    return Bounds(fraction(value["lower"]), None if upper is None else fraction(upper), value["evidence"])


def find_binary() -> str:
    """The program: `ROUTEBOUND_BINARY`, the one of the wheel, or that in `PATH`."""
    named = os.environ.get("ROUTEBOUND_BINARY")
    if named:
        return named
    name = "routebound" + (sysconfig.get_config_var("EXE") or "")
    user = sysconfig.get_preferred_scheme("user")
    for folder in (sysconfig.get_path("scripts"), sysconfig.get_path("scripts", scheme=user)):
        if folder and (Path(folder) / name).is_file():
            return str(Path(folder) / name)
    found = shutil.which("routebound")
    if found is None:
        raise FileNotFoundError("routebound is not installed: set ROUTEBOUND_BINARY, or add it to PATH")
    return found


def _words(options: dict[str, Any]) -> Iterator[str]:
    """The options as arguments of the program."""
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        for one in value if isinstance(value, list) else [value]:
            if one is True:
                yield option
            elif isinstance(one, tuple):
                yield from (option, *map(str, one))
            elif one is not None and one is not False:
                yield f"{option}={one}"


def run(verb: str, *arguments: Any, **options: Any) -> dict[str, Any]:
    """Runs a verb and returns its JSON object.

    Options are those of the command line, with `_` for `-`: `time_limit=10`, `unit_capacity=True`, `fail=2`. A list
    repeats an option, a tuple holds several values of one: `pair=[(0, 127), (5, 9)]`.

    Raises `CheckFailed`, `BadInput` or `LimitReached` for the exit codes 1, 2 and 3.
    """
    words = [verb, *map(str, arguments), *_words(options), "--json", "--quiet"]
    done = subprocess.run(
        [find_binary(), *words], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
    )
    try:
        result = json.loads(done.stdout)
    except ValueError:
        raise RouteboundError(
            f"routebound ended with exit code {done.returncode} and no JSON object: {done.stderr.strip()}",
            done.returncode,
            {},
        ) from None
    if done.returncode == 0:
        return result
    message = result.get("error") or done.stderr.strip() or f"`{verb}` ended with exit code {done.returncode}"
    raise _ERRORS.get(done.returncode, RouteboundError)(message, done.returncode, result)


def ratio(topology: Any, routing: str, **options: Any) -> dict[str, Any]:
    """The worst case of a routing over all traffic."""
    return run("ratio", topology, routing, **options)


def load(topology: Any, routing: str, traffic: Any, **options: Any) -> dict[str, Any]:
    """The load that traffic puts on the links of a routed network."""
    return run("load", topology, routing, traffic, **options)


def topo(topology: Any, **options: Any):
    """A network as `networkx.MultiDiGraph`, in which parallel cables stay apart.

    Nodes are numbers with `kind`, `level`, `name` and more; the key of an edge is the number of the link, with its
    `capacity` as an exact string. Hosts are the nodes 0 to `graph.graph["hosts"] - 1`.
    """
    import networkx

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "network.json"
        run("topo", topology, format="json", output=file, **options)
        network = json.loads(file.read_text(encoding="utf-8"))
    graph = networkx.MultiDiGraph(topology=network["topology"], hosts=network["hosts"])
    for node in network["nodes"]:
        graph.add_node(node.pop("id"), **node)
    for link in network["links"]:
        graph.add_edge(link.pop("from"), link.pop("to"), key=link.pop("id"), **link)
    return graph
