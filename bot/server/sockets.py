"""Bound sockets and the addresses that they stand for."""

from __future__ import annotations

import socket

from bot.errors import NetworkError


def listen(host: str = "127.0.0.1", port: int = 0, *, shared: bool = False) -> socket.socket:
    """A bound socket; port 0 takes a free one. Binding first leaves no moment in which the port is a guess.

    ``shared`` lets another such socket of the same user have the same port. Raises NetworkError when it is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio switches Nagle's algorithm off only where the protocol is named; with it a reply takes 44 ms longer.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared and hasattr(socket, "SO_REUSEPORT"):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
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
