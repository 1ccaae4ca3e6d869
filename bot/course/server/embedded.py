"""The course server in a thread of this process, reached over HTTP on a loopback port."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from math import inf
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from bot.course.protocol import Dialect
from bot.course.server.app import create_app
from bot.course.server.referee import Referee, Starter
from bot.course.server.sockets import LOOPBACK, address, listen
from bot.course.server.store import Store, only_server
from bot.engine.agent import Agent
from bot.engine.warmup import warm_up
from bot.errors import NetworkError

_START_S = 30.0
"""Time limit for starting, seconds."""
_SHUTDOWN_S = 3
"""Time limit for open requests at the end, seconds."""


@contextmanager
def embedded_server(
    opponent: Agent,
    *,
    api_key: str,
    db: Path | None = None,
    seed: int | None = None,
    dialect: Dialect = "current",
    starter: Starter = "random",
    host: str = LOOPBACK,
    port: int = 0,
    notice: Callable[[str], None] = lambda _text: None,
    limit_s: float = inf,
    only: Mapping[str, str] = {},
    at_end: Callable[[Store], None] = lambda _store: None,
) -> Iterator[str]:
    """Run the course server while the context lasts; yield its base URL once it accepts requests.

    ``opponent`` is warmed up first. Without ``db``, games and statistics are kept in memory. ``notice`` and
    ``limit_s`` are those of `Referee`, ``only`` is that of `create_app`. ``at_end`` gets the store before
    the server ends. Raises UsageError if the port is taken, ``db``
    cannot be used, or another server plays with it.
    """
    with closing(listen(host, port)) as sock, only_server(db, address(sock)), closing(Store(db)) as store:
        if store.set_aside:
            notice(
                f"The database {db} is a backup or a copy, not what its last server left. Running games are set aside "
                "and count for nobody, since their players may have moved on. The next request of each starts a new "
                f"game: {', '.join(store.set_aside)}."
            )
        warm_up(opponent)
        referee = Referee(store, opponent, dialect=dialect, starter=starter, seed=seed, notice=notice, limit_s=limit_s)
        app = create_app(referee, api_key=api_key, host=host, only=only)
        with serving(app, sock) as url:
            try:
                yield url
            finally:
                at_end(store)


@contextmanager
def serving(app: FastAPI, sock: socket.socket | None = None) -> Iterator[str]:
    """Serve ``app`` from a daemon thread while the context lasts; yield the base URL once it accepts requests.

    Raises OSError where the system refuses what the server needs, such as open files.
    """
    sock = sock or listen()
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="error",
            access_log=False,
            lifespan="off",
            timeout_keep_alive=30,  # longer than any player takes between two moves
            timeout_graceful_shutdown=_SHUTDOWN_S,
        )
    )
    failures: list[OSError] = []

    def serve() -> None:
        try:
            server.run(sockets=[sock])
        except OSError as error:
            failures.append(error)

    thread = threading.Thread(target=serve, name="course-server", daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + _START_S
        while not server.started:
            if not thread.is_alive() or time.monotonic() > deadline:
                if failures:
                    raise failures[0]
                raise NetworkError("The embedded course server did not start.", "Run the command again with -v.")
            time.sleep(0.005)
        yield address(sock)
    finally:
        server.should_exit = True
        thread.join(_SHUTDOWN_S + 2)
        sock.close()
