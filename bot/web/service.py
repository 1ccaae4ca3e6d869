"""Serving the page on the loopback interface until it is interrupted."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import uvicorn

from bot.course.server.network import LOOPBACK, address, listen
from bot.errors import UsageError
from bot.web.agents import AgentPool, warm_up
from bot.web.app import create_app
from bot.web.jobs import Jobs
from bot.web.room import Room

PORT = 8044
"""The page's port unless another is chosen: a browser keeps games and streaks for each port."""
WARM_UP_AFTER_S = 0.5
"""Delay before the engine is loaded, seconds: the page is drawn first."""


def listen_nearby(port: int | None) -> socket.socket:
    """Return a listening socket on ``port``, or for None on `PORT` or any free port. Raises UsageError."""
    if port is None:
        with suppress(UsageError):
            return listen_nearby(PORT)
    return listen(LOOPBACK, port or 0)


def listen_for_spectators(host: str, owner: socket.socket) -> tuple[socket.socket, Room]:
    """Return a listening socket on ``host``, on the owner's port if it is free there, and the spectators' room.

    Raises UsageError if ``host`` is not an address of this machine.
    """
    ip, port = owner.getsockname()[:2]
    try:
        sock = listen(host, port)
    except UsageError:
        sock = listen(host)
    return sock, Room((ip, port), address(sock))


def serve_page(
    port: int | None,
    logs: Path,
    ready: Callable[[str, str | None], None],
    external: Sequence[str] = (),
    *,
    spectators_at: str | None = None,
    public_url: str | None = None,
) -> None:
    """Serve the page until SIGTERM, or until Ctrl-C, which is passed on as KeyboardInterrupt.

    ``port`` is that of `listen_nearby`. Calls ``ready`` with the page's address, and the spectators' link or None, once
    it accepts connections. ``external`` are agents from outside the package that the page offers too; spectators are
    admitted at ``spectators_at``. ``public_url`` is named where results are shared.
    """
    socks = [listen_nearby(port)]
    room = None
    if spectators_at is not None:
        sock, room = listen_for_spectators(spectators_at, socks[0])
        socks.append(sock)
    jobs = Jobs()
    config = uvicorn.Config(
        create_app(logs, jobs, AgentPool(external), room, public_url),
        log_level="critical",
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=32768,
    )
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: None)  # uvicorn shuts down and then calls this earlier handler
    ready(address(socks[0]), room.link if room else None)
    warm_up_later = threading.Timer(WARM_UP_AFTER_S, warm_up)
    warm_up_later.daemon = True
    warm_up_later.start()
    try:
        uvicorn.Server(config).run(sockets=socks)
    finally:
        jobs.stop_all()
        for sock in socks:
            sock.close()
