"""Loads a foreign file in a child process: what may be missing is provided, and what is in the way is named.

A file is imported as if its author ran it without arguments, but for what stands under its main guard.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import linecache
import os
import random
import re
import socket
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from types import ModuleType
from typing import Any

from bot.agents.external.protocol import written
from bot.errors import UsageError

GUARD = 'Put what plays games or talks to a server under `if __name__ == "__main__":`.'
"""Next step where a file does more than define its agent."""
IDLE_S = 3.5
"""Time after which a file is refused whose top level neither imports nor computes a value for a name, seconds."""
LOADING_S = 55.0
"""Time after which any file is refused, seconds: before the caller gives up, and with its line."""
STAND_IN = "bot's own environment of the same behaviour stands in for the course's"
"""Beginning of the sentence about `course_env.py`."""
_POLL_S = 0.25
_LOADS = re.compile(r"\s*(import|from) |\w[\w.,:\[\] ]*=(?!=)")
"""A line that imports, or that gives a value to a name of the file."""
_GYM = ("gym", "gym.spaces", "gym.error", "gym.envs", "gym.envs.registration")
_ENVIRONMENTS = ("gym", "gym_connect_four", "pygame")
_DRAWING = ("pygame", "gym_connect_four.envs.render")
_PACKAGE = ("gym_connect_four", "gym_connect_four.envs", "gym_connect_four.envs.connect_four_env")
_RECURSION = 10_000
"""Deepest recursion that a file may allow itself: far deeper ones end the process without a word."""
_RENAMED = {"int": "int64", "float": "float64", "bool": "bool_", "object": "object_", "bool8": "bool_"}
_RENAMED |= {"float_": "float64", "Inf": "inf", "Infinity": "inf", "infty": "inf", "NaN": "nan", "product": "prod"}
"""Names of numpy that newer versions lack, and today's ones."""
_STEPS = {
    EOFError: "an agent's standard input is empty, so leave out input()",
    FileNotFoundError: "names of files start from the folder of the agent's file",
    ModuleNotFoundError: "`pip install {}`, unless it is a file of yours",
}
"""What helps against an error, by its type."""
FROM_OUTSIDE = (SystemExit, EOFError, UsageError, OSError)
"""Errors of what a program does beside choosing a move."""
_PACKAGES = {"PIL": "Pillow", "cv2": "opencv-python", "sklearn": "scikit-learn"}
"""Packages whose modules have other names."""


def load(path: Path) -> Any:
    """Return the module of a file, which may import its neighbours and, last, what is in the folder above or in ours.

    Raises UsageError, with the line that fails and the next step.
    """
    # Agents are called bot.py, too. Otherwise the file's own name is kept: an agent's processes look for it by that.
    stem = path.stem
    is_taken = "." in stem or stem in sys.modules or importlib.util.find_spec(stem) is not None
    name = f"agent_{stem}" if is_taken else stem
    _add_folder(path)
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = str(path)
    own = dict(vars(builtins))
    try:
        exec(compile(path.read_bytes(), path, "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as error:  # foreign code may raise anything
        is_running = isinstance(error, FROM_OUTSIDE) and not isinstance(error, FileNotFoundError)
        raise UsageError(f"{told(error, name)}.", GUARD * is_running) from error
    finally:
        vars(builtins).update(own)  # what a file puts in their place must not answer for it
    return module


def _add_folder(path: Path) -> None:
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
        sys.path += [str(path.resolve().parents[1]), ""]


def told(error: BaseException, module: str) -> str:
    """Return "ValueError: no moves (mine.py, line 12)": the last line passed in the module's file, else in any."""
    frame = _frame(error, module)
    place = f" ({Path(frame.filename).name}, line {frame.lineno})" if frame else ""
    step = next((f"; {text}" for kind, text in _STEPS.items() if isinstance(error, kind)), "")
    missing = str(getattr(error, "name", "")).partition(".")[0]
    package = _PACKAGES.get(missing, missing.replace("_", "-"))
    return f"{type(error).__name__}: {written(error)}".removesuffix(": ") + step.format(package) + place


def line_of(error: BaseException, module: str) -> int:
    """Return the line that `told` names, 0 where there is none."""
    return getattr(_frame(error, module), "lineno", 0)


def _frame(error: BaseException, module: str) -> traceback.FrameSummary | None:
    here = str(Path(__file__).parent)
    frames = [each for each in traceback.extract_tb(error.__traceback__) if not each.filename.startswith((here, "<"))]
    file = getattr(sys.modules.get(module), "__file__", None)
    own = [frame for frame in frames if frame.filename == file] or frames
    return own[-1] if own else None


def prepare(path: Path) -> None:
    """Make this process, a child, a place where a student's file can run."""
    _add_folder(path)
    sys.path.append(str(Path.cwd()))  # before this process goes where the author stands
    os.chdir(path.parent)
    sys.argv[:] = [str(path)]
    allow = sys.setrecursionlimit
    vars(sys)["setrecursionlimit"] = lambda depth: allow(min(depth, _RECURSION))
    _keep_to_itself()
    warnings.simplefilter("ignore")  # the last message of a program that fails is no warning
    _at_first_import.update(dict.fromkeys(_ENVIRONMENTS, _provide_environment))
    seed(None)
    load_module = builtins.__import__

    def provide(name: str, *details: Any, **more: Any) -> Any:
        if first := _at_first_import.pop(name.partition(".")[0], None):
            first()
        return load_module(name, *details, **more)

    vars(builtins)["__import__"] = provide


def stand_in() -> str:
    """Return the sentence that says whether, and why, a stand-in is used for the course's environment, or nothing."""
    return f"{STAND_IN}, which cannot be used here ({_reasons[0]})." if _reasons else ""


_reasons: list[str] = []
"""Why the course's environment cannot be used here."""
_at_first_import: dict[str, Callable[[], None]] = {}
"""What provides a module, or completes it, by its name: a file that does without it does not wait for it."""


def seed(number: int | None) -> None:
    """Seed what foreign code draws from, so that equal seeds play equal games: numpy, too, as soon as it is loaded."""
    random.seed(number)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(number and number % 2**32)
    else:
        _at_first_import["numpy"] = partial(_complete_numpy, number)


def _complete_numpy(number: int | None) -> None:
    """Give numpy the names that newer versions lack, and seed it."""
    numpy: Any = importlib.import_module("numpy")
    today = {name: getattr(numpy, other) for name, other in _RENAMED.items()} | {"NINF": -numpy.inf}
    for name, value in today.items():
        if not hasattr(numpy, name):
            setattr(numpy, name, value)
    numpy.random.seed(number and number % 2**32)


def _provide_environment() -> None:
    """Use the real `gym` and `gym_connect_four` if they work here, else as little of our own as possible."""
    from bot.agents.external import course_env

    for name in _ENVIRONMENTS:
        _at_first_import.pop(name, None)
    for names in ((), _GYM + _DRAWING, _GYM + _PACKAGE):
        for loaded in [*sys.modules]:
            if loaded.partition(".")[0] in _ENVIRONMENTS:
                del sys.modules[loaded]
        for name in names:
            sys.modules[name] = course_env
            setattr(course_env, name.rpartition(".")[2], course_env)
        try:
            gym = importlib.import_module("gym")
            importlib.import_module("gym_connect_four")
            env = gym.make(course_env.NAME)
            env.reset(board=None)
            env.step(0)
        except Exception as error:  # foreign code may raise anything
            _reasons.append(str(error))
        else:
            break


def _keep_to_itself() -> None:
    """Refuse connections to other machines: no file that is only loaded may play at a course server."""

    def check_host(host: object, *_: object) -> None:
        with suppress(ValueError):
            if host in (None, "", "localhost") or ip_address(str(host)).is_loopback:
                return
        raise UsageError(f"An agent may not contact {host}.")

    def check_address(_socket: object, address: Any) -> None:
        if isinstance(address, tuple):
            check_host(address[0])

    _check_first(socket.socket, "connect", check_address)
    _check_first(socket, "getaddrinfo", check_host)


def _check_first(owner: Any, name: str, check: Callable[..., None]) -> None:
    """Let a function do nothing before ``check`` has accepted its arguments."""
    act = getattr(owner, name)

    def checked(*given: Any, **options: Any) -> Any:
        check(*given)
        return act(*given, **options)

    setattr(owner, name, checked)


@contextmanager
def refused_when_busy(folder: Path, refuse: Callable[[str], None]) -> Iterator[None]:
    """Call ``refuse`` with a sentence, from a thread, if the body hangs in a file of the folder."""
    done = threading.Event()

    def watch() -> None:
        started = idle_from = time.monotonic()
        while not done.wait(_POLL_S):
            now = time.monotonic()
            place, is_idle = _running(folder)
            if not is_idle:
                idle_from = now
            if now - idle_from > IDLE_S or now - started > LOADING_S:
                refuse(f"It does not get ready: {place} still runs after {now - started:.0f} s. {GUARD * is_idle}")

    threading.Thread(target=watch, name="loading", daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _running(folder: Path) -> tuple[str, bool]:
    """Return the line of the folder's files that runs, and whether it is at a top level and loads nothing."""
    place, line = "it", ""
    for frame, number in traceback.walk_stack(sys._current_frames()[threading.main_thread().ident or 0]):
        file = Path(frame.f_code.co_filename)
        is_own = folder in file.parents and "site-packages" not in file.parts
        if is_own:
            line = linecache.getline(str(file), number)
            place = f"{file.name}, line {number}, `{line.strip()}`,"
        if frame.f_code.co_name == "<module>":
            return place, is_own and not _LOADS.match(line)
    return place, False
