"""Serving the page on loopback until somebody ends it."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import uvicorn

from bot.errors import NetworkError
from bot.web.app import create_app
from bot.web.jobs import Thinking
from bot.web.players import Table

HOST = "127.0.0.1"
WARM_UP_AFTER_S = 0.5
"""The page is drawn first, then the engine is loaded."""


def listen(port: int) -> socket.socket:
    """A listening socket on ``port``, or on a free one when that is taken. Raises NetworkError when there is none."""
    for wanted in (port, 0):
        # Named, so that asyncio switches Nagle's algorithm off.
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((HOST, wanted))
            sock.listen(64)
            return sock
        except OSError:
            sock.close()
    raise NetworkError(f"No port of {HOST} can be listened on.", "Allow this program to open one.")


def serve_page(port: int, logs: Path, ready: Callable[[str], None]) -> None:
    """Serve until SIGTERM, or Ctrl-C, which passes through as KeyboardInterrupt.

    ``ready`` gets the address as soon as it takes connections.
    """
    sock = listen(port)
    thinking, table = Thinking(), Table()
    app = create_app(logs, thinking, table)
    config = uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=32768,
    )
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: None)  # uvicorn ends in good order and then calls this
    ready(f"http://{HOST}:{sock.getsockname()[1]}")
    threading.Thread(target=_warm_up, args=(table,), name="warm-up", daemon=True).start()
    try:
        uvicorn.Server(config).run(sockets=[sock])
    finally:
        thinking.stop_all()
        sock.close()


def _warm_up(table: Table) -> None:
    time.sleep(WARM_UP_AFTER_S)
    table.warm_up()
