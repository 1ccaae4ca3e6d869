"""Serving the page on the loopback interface until it is interrupted."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn

from bot.errors import NetworkError, UsageError
from bot.server.sockets import LOOPBACK, address, listen
from bot.web.agents import AgentPool
from bot.web.app import create_app
from bot.web.jobs import Jobs

WARM_UP_AFTER_S = 0.5
"""Delay before the engine is loaded, seconds: the page is drawn first."""


def listen_nearby(port: int) -> socket.socket:
    """Return a listening socket on ``port``, or on any free port if it is taken. Raises NetworkError."""
    for wanted in (port, 0):
        try:
            sock = listen(LOOPBACK, wanted)
        except UsageError:
            continue
        try:
            sock.listen(64)  # at once: two sockets can be bound to the same port, but only one can listen
            return sock
        except OSError:
            sock.close()
    raise NetworkError(
        f"The page cannot listen on any port of {LOOPBACK}.", "Allow Python to open a local port (firewall, sandbox)."
    )


def serve_page(port: int, logs: Path, ready: Callable[[str], None], external: Sequence[str] = ()) -> None:
    """Serve the page until SIGTERM, or until Ctrl-C, which is passed on as KeyboardInterrupt.

    Calls ``ready`` with the page's address once it accepts connections. ``external`` are agents from outside the
    package that the page offers too.
    """
    sock = listen_nearby(port)
    jobs, pool = Jobs(), AgentPool(external)
    config = uvicorn.Config(
        create_app(logs, jobs, pool),
        log_level="critical",
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=32768,
    )
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: None)  # uvicorn shuts down and then calls this earlier handler
    ready(address(sock))
    threading.Thread(target=_warm_up, args=(pool,), name="warm-up", daemon=True).start()
    try:
        uvicorn.Server(config).run(sockets=[sock])
    finally:
        jobs.stop_all()
        sock.close()


def _warm_up(pool: AgentPool) -> None:
    time.sleep(WARM_UP_AFTER_S)
    pool.warm_up()
