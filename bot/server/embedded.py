"""The course server in this process tree: a free loopback port, spoken to over real HTTP."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from bot.errors import NetworkError

_START_S = 10.0


def listen(host: str = "127.0.0.1", port: int = 0) -> socket.socket:
    """A bound socket; port 0 takes a free one. Binding first leaves no moment in which the port is a guess."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio switches Nagle's algorithm off only where the protocol is named; with it a reply takes 44 ms longer.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise NetworkError(
            f"Cannot listen on {host}:{port}: {error.strerror}.", "Choose another --port, or 0 for a free one."
        ) from None
    return sock


def address(sock: socket.socket) -> str:
    """The base URL of a bound socket."""
    host, port = sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def uvicorn_server(app: FastAPI) -> uvicorn.Server:
    """A quiet uvicorn around ``app``; keep-alive connections outlast the longest think between two moves."""
    return uvicorn.Server(
        uvicorn.Config(app, log_level="error", access_log=False, lifespan="off", timeout_keep_alive=30)
    )


@contextmanager
def serving(app: FastAPI, sock: socket.socket | None = None) -> Iterator[str]:
    """Serve ``app`` from a daemon thread while the context lasts; yields the base URL once it answers."""
    sock = sock or listen()
    server = uvicorn_server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, name="course-server", daemon=True)
    thread.start()
    deadline = time.monotonic() + _START_S
    while not server.started:
        if not thread.is_alive() or time.monotonic() > deadline:
            raise NetworkError("The embedded course server does not start.", "Run again with -v.")
        time.sleep(0.005)
    try:
        yield address(sock)
    finally:
        server.should_exit = True
        thread.join(5)
        sock.close()
