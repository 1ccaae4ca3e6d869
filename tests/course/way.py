"""The way of one move: ``python -m tests.course.way`` lists the files and the types of `bot` that it passes.

A game is played against a server written apart (`tests.course.foreign_server`). From the end of one request to the end
of the next, every function of `bot` that runs is noted with its file, and every object of a class of `bot` that it is
given. Kernels and the command's start do not count.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import bot
from bot.__main__ import main
from bot.course.client.http import CourseClient
from tests.course.foreign_course import AlphaBetaBot
from tests.course.foreign_server import ForeignServer

ROOT = Path(bot.__file__).parent
MOVE = 4
"""The request whose way is followed: the book answers it, as it does most moves."""


class Way:
    """Files and classes of `bot` that were met while the tracer was on."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.types: set[str] = set()

    def note(self, frame: FrameType, event: str, _argument: Any) -> None:
        """Note a call; this is a profile function."""
        path = Path(frame.f_code.co_filename)
        if event != "call" or ROOT not in path.parents or "kernels" in path.parts:
            return
        self.files.add(str(path.relative_to(ROOT)))
        for value in frame.f_locals.values():
            if type(value).__module__.startswith("bot."):
                self.types.add(type(value).__qualname__)

    @contextmanager
    def traced(self) -> Iterator[None]:
        """Follow the fourth request and what leads to it."""
        send, count = CourseClient.send, 0

        def counted(client: CourseClient, *arguments: Any) -> Any:
            nonlocal count
            count += 1
            try:
                return send(client, *arguments)
            finally:
                is_followed = count == MOVE - 1
                follow = self.note if is_followed else None
                threading.setprofile(follow)
                sys.setprofile(follow)

        CourseClient.send = counted  # type: ignore[assignment, method-assign]
        try:
            yield
        finally:
            CourseClient.send = send  # type: ignore[method-assign]
            sys.setprofile(None)


def way() -> Way:
    """Return the way of a move in a game that is played now."""
    found = Way()
    with ForeignServer(AlphaBetaBot(3)) as server, tempfile.TemporaryDirectory() as logs, found.traced():
        sys.argv = ["bot", "play", "--server", server.url, "--stil-id", "ab1234cd-s", "--games", "1", "--logs", logs]
        with suppress(SystemExit):
            main()
    return found


if __name__ == "__main__":
    followed = way()
    print(f"{len(followed.files)} files: {', '.join(sorted(followed.files))}")
    print(f"{len(followed.types)} types: {', '.join(sorted(followed.types))}")
