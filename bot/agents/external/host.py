"""The other side of the protocol: an agent that answers requests on standard input.

``bot engine`` answers for an agent of this package; `main`, which `names.py` starts, for a foreign class.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import operator
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from bot.agents.external import protocol
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.engine.warmup import warm_up
from bot.errors import AgentError, BotError, UsageError
from bot.game import Board

SeededMaker = Callable[["int | None"], Agent]
"""Makes an agent that is ready to move, with the seed of its random choices."""
_PARENT_POLL_S = 1.0


def answer(make: SeededMaker, name: str, requests: Iterable[str], out: TextIO) -> None:
    """Answer requests until `quit` or the end of input. A request that fails gets an `error` line."""
    agent: Agent | None = None
    for line in requests:
        words = line.split()
        if not words:
            continue
        if words[0] == protocol.QUIT:
            return
        try:
            if words[0] == protocol.GREETING:
                reply = protocol.greeting(name)
            elif words[0] == protocol.NEW:
                agent = make(protocol.seed_in(words[1:]))
                reply = protocol.READY
            elif words[0] == protocol.MOVE:
                board, limit = protocol.read_move_request(words[1:])
                agent = agent or make(None)
                reply = protocol.move_reply(chosen(agent, board, limit))
            else:
                reply = f"{protocol.ERROR} {words[0]!a} is not a request of this protocol."
        except (BotError, protocol.GarbledError) as error:
            reply = f"{protocol.ERROR} {error}"
        except Exception as error:  # foreign code may raise anything
            traceback.print_exc()
            reply = f"{protocol.ERROR} {described(error, agent)}"
        print(_one_line(reply), file=out, flush=True)


def chosen(agent: Any, board: Board, limit: Limit, *stop: StopFlag | None) -> Decision:
    """Return the agent's decision; a foreign agent may return a plain column 0..6, and may not know ``stop``.

    Raises AgentError, with what the agent returned, for anything but a legal column.
    """
    start = time.perf_counter()
    found = agent.choose(board, limit, *stop)
    column = found.column if isinstance(found, Decision) else found
    try:
        number = operator.index(column)
    except TypeError:
        number = -1
    if problem := protocol.problem_of(number, board, first=0):
        raise AgentError(f"{type(agent).__name__}.choose returned {protocol.quoted(column)}, which {problem}.")
    if isinstance(found, Decision):
        return found if type(column) is int else replace(found, column=number)
    return Decision(number, seconds=time.perf_counter() - start, source="external")


def described(error: Exception, agent: Any) -> str:
    """Return "ValueError: no moves (mine.py, line 12)": the last line passed in the agent's own file, else in any."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    module = sys.modules.get(type(agent).__module__)
    own = [frame for frame in frames if frame.filename == getattr(module, "__file__", None)] or frames
    place = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {error}{place}"


def _one_line(text: str) -> str:
    return ascii(" ".join(text.split()))[1:-1][: protocol.MAX_LINE - 2]


def foreign_maker(where: str, name: str, arguments: dict[str, str]) -> SeededMaker:
    """Return the maker of a class in a file (`agent.py`) or an importable module (`package.module`).

    The class is called with ``arguments``, numbers converted, and with ``seed`` if it has a parameter of that name.
    """
    module = _from_file(Path(where)) if where.endswith(".py") else importlib.import_module(where)
    factory: Any = module
    for part in name.split("."):
        factory = getattr(factory, part, None)
    if not callable(factory):
        raise UsageError(f"{where} has no class {name!r}.", "Check the name after the colon.")
    takes_seed = "seed" in inspect.signature(factory).parameters
    given: dict[str, Any] = {key: _converted(value) for key, value in arguments.items()}

    def make(seed: int | None) -> Agent:
        chance = {"seed": seed} if takes_seed else {}
        agent: Agent = factory(**given, **chance)
        if not callable(getattr(agent, "choose", None)):
            raise UsageError(f"{name} has no method choose.", "Write `def choose(self, board, limit)`.")
        warm_up(agent)
        return agent

    return make


def _from_file(path: Path) -> Any:
    # Agents are called bot.py, too. Otherwise the file's own name is kept: an agent's processes look for it by that.
    stem = path.stem
    is_taken = "." in stem or stem in sys.modules or importlib.util.find_spec(stem) is not None
    name = f"agent_{stem}" if is_taken else stem
    sys.path.insert(0, str(path.resolve().parent))  # it may import its neighbours, as a script may
    sys.path.append("")  # and, last, what is in the working folder
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _converted(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def protected_output() -> TextIO:
    """Return standard output for replies only, and let everything that is printed go to standard error."""
    replies = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return replies


def end_with_parent() -> None:
    """End this process when its parent is gone: an agent that hangs must not outlive a match that was killed."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_PARENT_POLL_S)
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def main(arguments: list[str]) -> None:
    """Serve the class named by ``arguments``: file or module, class, then `key=value` arguments of the class."""
    where, name, *pairs = arguments
    out = protected_output()
    end_with_parent()
    try:
        make = foreign_maker(where, name, dict(pair.partition("=")[::2] for pair in pairs))
    except (Exception, SystemExit) as error:
        print(_one_line(f"{protocol.ERROR} {type(error).__name__}: {error}"), file=out, flush=True)
        raise
    answer(make, f"{Path(where).name}:{name}", sys.stdin, out)
