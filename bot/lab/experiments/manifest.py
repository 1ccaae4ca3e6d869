"""The manifest of a run: what is needed to repeat it, and to see whether the repetition is equal.

A run is repeated with `rerun`. Everything but times must come out equal; agents whose moves depend on time have no
place in that comparison.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bot.errors import UsageError
from bot.lab.experiments.base import Results, Task
from bot.lab.experiments.records import has_time_budget
from bot.lab.experiments.store import key_of, writing

Manifest = dict[str, Any]
SUFFIX = ".manifest.json"
_NEEDED = {"experiment", "fingerprint", "seed", "quick", "tasks", "compared", "digest"}


def versions() -> dict[str, str]:
    """Return the versions of the software that produced the results."""
    import numba
    import numpy

    from bot import __version__

    return {
        "bot": __version__,
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": numpy.__version__,
    }


def machine() -> dict[str, Any]:
    """Return the kind of machine, without its name."""
    return {
        "system": f"{platform.system()} {platform.machine()}, {sys.maxsize.bit_length() + 1} bit",
        "processors": os.cpu_count(),
    }


def command_of(name: str, *, quick: bool, seed: int) -> str:
    """Return the command line of a run."""
    return f"bot experiment run {name}" + (" --quick" if quick else "") + (f" --seed {seed}" if seed else "")


def is_timed(task: Task) -> bool:
    """Return whether a task has an agent whose moves depend on the time that they take."""
    return any(has_time_budget(game[player]) for game in task.get("games", ()) for player in ("first", "second"))


def without_times(result: Any) -> Any:
    """Return a result without its times."""
    if isinstance(result, dict):
        return {key: without_times(value) for key, value in result.items() if key != "seconds"}
    if isinstance(result, list):
        return [without_times(value) for value in result]
    return result


def digest(results: Iterable[tuple[Task, dict[str, Any]]]) -> str:
    """Return the SHA-256 of tasks and results, in any order, without times and tasks that depend on them."""
    lines = sorted(
        f"{key_of(task)} {json.dumps(without_times(result), sort_keys=True)}"
        for task, result in results
        if not is_timed(task)
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def manifest(name: str, results: Results, *, fingerprint: str, seed: int, quick: bool, spent_s: float) -> Manifest:
    """Return the manifest of a finished run; ``spent_s`` is the processor time of all tasks, seconds."""
    return {
        "experiment": name,
        "command": command_of(name, quick=quick, seed=seed),
        "versions": versions(),
        "fingerprint": fingerprint,
        "seed": seed,
        "quick": quick,
        "machine": machine(),
        "tasks": len(results),
        "compared": sum(not is_timed(task) for task, _ in results),
        "digest": digest(results),
        "spent_s": round(spent_s, 1),
    }


def write_manifest(out: Path, content: Manifest) -> Path:
    """Write the manifest of an experiment into its folder."""
    path = out / f"{content['experiment']}{SUFFIX}"
    with writing(out):
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return path


def read_manifest(path: Path) -> Manifest:
    """Return a manifest; raise UsageError for any other file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        known = content.keys() >= _NEEDED
    except (OSError, ValueError, AttributeError):
        known = False
    if not known:
        raise UsageError(f"{path} is not a manifest.", f"Name a file NAME{SUFFIX} that an experiment has written.")
    return dict(content)


def summary(content: Manifest) -> str:
    """Return one line for the experiment's page."""
    programs = ", ".join(f"{name} {version}" for name, version in content["versions"].items())
    size = "quick" if content["quick"] else "full"
    return (
        f"Run: {size}, seed {content['seed']}, {content['tasks']} tasks, {content['spent_s']:g} s of work;"
        f" {programs}; {content['machine']['system']}; sources {content['fingerprint']}."
    )
