"""Count the way of a reply to the next move, function by function: `python -m tests.course.run.trace_way`.

A live run over real sockets is traced with sys.setprofile and threading.setprofile. Counted are this program's own
functions (comprehensions and lambdas belong to theirs) that are called from the end of one exchange to the first byte
of the next request, both of moves in mid-game; what an agent does inside `choose` is not. Printed are the functions of
the commonest way, in their order, and how many each room has.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from pydantic import SecretStr

import bot
from bot.agents.catalogue import make_agent
from bot.course.client.exchange import Exchange
from bot.course.client.http import CourseClient
from bot.course.server.embedded import embedded_server
from bot.engine.agent import Agent
from tests.course.run.course import PATIENT, Silent, opened

ROOT = str(Path(bot.__file__).parent)
FIRST = Exchange.run.__code__
"""When it returns, the reply is complete."""
LAST = Exchange.sending.__code__
"""When it is called, the first byte is about to leave."""
SERVER = "/course/server/"


class Way:
    """Collects the functions called between a reply and the next request."""

    def __init__(self, agent: Agent) -> None:
        self.ways: list[list[CodeType]] = []
        self._chooses = type(agent).choose.__code__
        self._agents_thread: int | None = None
        self._now: list[CodeType] | None = None

    def profile(self, frame: FrameType, event: str, _argument: Any) -> None:
        """Take an event of the interpreter; see `sys.setprofile`."""
        code = frame.f_code
        if event == "return" and code is FIRST:
            self._now = []
        elif event == "return" and code is self._chooses:
            self._agents_thread = None
        if event != "call" or self._now is None or self._agents_thread == threading.get_ident():
            return
        if code.co_filename.startswith(ROOT) and SERVER not in code.co_filename and code.co_name[0] != "<":
            self._now.append(code)
        if code is self._chooses:
            self._agents_thread = threading.get_ident()
        elif code is LAST:
            self.ways.append(self._now)
            self._now = None


def main() -> None:
    """Play one game and print its commonest way from a reply to the next move."""
    agent = make_agent("perfect")
    way = Way(agent)
    with (
        tempfile.TemporaryDirectory() as folder,
        embedded_server(make_agent("depth3", seed=1), api_key="key") as url,
        opened(Path(folder), server=url, url=url, agent=agent) as run,
    ):
        client = CourseClient(url, ["a"], SecretStr("key"), timeouts=PATIENT)
        threading.setprofile(way.profile)
        sys.setprofile(way.profile)
        try:
            run.play(client, Silent())
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    in_game = [one for one in way.ways if way._chooses in one]
    commonest, _ = Counter(tuple(dict.fromkeys(one)) for one in in_game).most_common(1)[0]
    names = [code.co_filename.removeprefix(ROOT + "/") for code in commonest]
    for name, code in zip(names, commonest, strict=True):
        print(f"{name}:{code.co_firstlineno} {code.co_name}")
    rooms = Counter(name.rpartition("/")[0] for name in names)
    for room, count in rooms.items():
        print(f"{room}: {count} functions in {len({name for name in names if name.rpartition('/')[0] == room})} files")
    print(f"all: {len(names)} functions in {len(set(names))} files ({len(in_game)} moves traced)")


if __name__ == "__main__":
    main()
