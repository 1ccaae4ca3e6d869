"""Listening sockets and their addresses."""

from __future__ import annotations

import socket

from bot.errors import UsageError

LOOPBACK = "127.0.0.1"
"""Default interface: this machine only."""


def listen(host: str = LOOPBACK, port: int = 0) -> socket.socket:
    """Return a bound socket; port 0 takes a free one.

    Binding before serving reserves the port, so its number is known at once. Raises UsageError if the address cannot be
    used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio disables Nagle's algorithm only if the protocol is given; with it, a reply takes 44 ms longer.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise UsageError(
            f"Cannot listen on {host}:{port}: {error.strerror}.", "Choose another --port, or 0 for a free one."
        ) from None
    return sock


def address(sock: socket.socket) -> str:
    """Return the base URL of a bound socket."""
    host, port = sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
