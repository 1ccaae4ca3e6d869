"""The other side of the protocol: an agent that answers requests on standard input.

``bot engine`` answers for an agent of this package; `main`, which `names.py` starts, for a foreign class or function.
"""

from __future__ import annotations

import inspect
import os
import time
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from bot.agents.external import protocol
from bot.agents.external.forms import FORMS, FunctionAgent, decision_of, example
from bot.agents.external.loading import load, prepare, refused_when_busy, seed, stand_in, told
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.engine.processes import private_streams, until_closed
from bot.errors import BotError, UsageError
from bot.game import Board

SeededMaker = Callable[["int | None"], Agent]
"""Makes an agent that is ready to move, with the seed of its random choices."""


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
            if line.strip() == protocol.HANDSHAKE:
                reply = f"{protocol.HANDSHAKE} {name}"
            elif words[0] == protocol.NEW:
                agent = make(protocol.seed_in(words[1:]))
                reply = f"{protocol.READY} {getattr(agent, 'note', '') or stand_in()}"
            elif words[0] == protocol.MOVE:
                board, limit = protocol.read_move_request(words[1:])
                agent = agent or make(None)
                reply = protocol.move_reply(chosen(agent, board, limit))
            else:
                reply = f"{protocol.ERROR} {words[0]!a} is not a request of this protocol."
        except BotError as error:
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
    return decision_of(found, board, f"{type(agent).__name__}.choose", time.perf_counter() - start)


def described(error: Exception, agent: Any) -> str:
    """Return "ValueError: no moves (mine.py, line 12)": the last line passed in the agent's own file, else in any."""
    return told(error, type(agent).__module__)


def _one_line(text: str) -> str:
    return " ".join(text.split()).encode("ascii", "backslashreplace").decode()[: protocol.MAX_LINE - 2]


def foreign_maker(path: Path, name: str, arguments: dict[str, str]) -> SeededMaker:
    """Return the maker of a class or function in a file.

    The class is called with ``arguments``, numbers converted, and with ``seed`` if it has a parameter of that name. A
    function gets ``arguments``, too, and the board in the form that is found out.
    """
    module = load(path)
    found: Any = getattr(module, name, None)
    if found is None:
        places = {each: getattr(value, "__module__", "") for each, value in vars(module).items() if callable(value)}
        own = [each for each, place in places.items() if place == module.__name__]
        hint = f"It has {', '.join(own)}." if own else example(name)
        raise UsageError(f"{path.name} has no function or class called `{name}`.", hint)
    if not callable(found):
        raise UsageError(f"`{name}` is neither a function nor a class.", example(name))
    given: dict[str, Any] = {key: _converted(value) for key, value in arguments.items()}
    asked = None
    if not inspect.isclass(found):
        asked = FunctionAgent(partial(found, **given) if given else found, name, module.__name__)

    def make(number: int | None) -> Agent:
        seed(number)
        return asked or _new_object(found, name, given, number)

    return make


def _new_object(factory: Any, name: str, given: dict[str, Any], number: int | None) -> Agent:
    """Return a new object of a class, ready to move."""
    chance = {"seed": number} if "seed" in inspect.signature(factory).parameters else {}
    agent: Agent = factory(**given, **chance)
    try:
        inspect.signature(agent.choose).bind(Board(), Limit())
    except (AttributeError, TypeError):
        code = f"def choose(self, board, limit): return {FORMS['board'].code}"
        message = f"`{name}` has no method choose that takes a board and a limit."
        raise UsageError(message, f"Write, for instance: `{code}`.") from None
    getattr(agent, "warm_up", lambda: None)()  # it need not be an `Agent`
    return agent


def _converted(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def main(arguments: list[str]) -> None:
    """Serve what ``arguments`` name: file, class or function, then arguments `key=value`."""
    where, name, *pairs = arguments
    requests, out = private_streams()
    lines = until_closed(requests.__next__)

    def refuse(sentence: str) -> None:
        print(_one_line(f"{protocol.ERROR} {sentence}"), file=out, flush=True)
        os._exit(1)

    path = Path(where)
    try:
        with refused_when_busy(path.parent, refuse):
            prepare(path)
            make = foreign_maker(path, name, dict(pair.partition("=")[::2] for pair in pairs))
    except (Exception, SystemExit) as error:
        refuse(str(error) if isinstance(error, BotError) else told(error, ""))
    answer(make, f"{path.name}:{name}", lines, out)
    os._exit(0)  # a thread of the agent must not keep this process
