"""Listening sockets and their addresses."""

from __future__ import annotations

import errno
import socket

from bot.errors import UsageError

LOOPBACK = "127.0.0.1"
"""Default interface: this machine only."""


def listen(host: str = LOOPBACK, port: int = 0, backlog: int = 0) -> socket.socket:
    """Return a bound socket; port 0 takes a free one. With a ``backlog`` it listens.

    Two sockets can be bound to the same port, but only one can listen. Binding before serving reserves the port, so its
    number is known at once. Raises UsageError if the address cannot be used.
    """
    if not host:  # the system would take it for all interfaces
        raise UsageError(
            "The address to listen on is empty: perhaps --host names a variable that is not set.",
            f"Give an address of this machine, {LOOPBACK} for this machine only, or 0.0.0.0 for the whole network.",
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio disables Nagle's algorithm only if the protocol is given; with it, a reply takes 44 ms longer.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        if backlog:
            sock.listen(backlog)
    except OSError as error:
        sock.close()
        hint = "Choose another --port, or 0 for a free one."
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            hint = "Choose another --host: an address of this machine, or 0.0.0.0 for all of them."
        raise UsageError(f"Cannot listen on {host}:{port}: {error.strerror}.", hint) from None
    return sock


def address(sock: socket.socket) -> str:
    """Return the base URL of a bound socket: one that can be handed out, also where it listens on all interfaces."""
    host, port = sock.getsockname()[:2]
    host = reachable_address(host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def reachable_address(host: str) -> str:
    """Return ``host``, or for "all interfaces" this machine's address in the local network."""
    if host not in ("0.0.0.0", "::"):
        return host
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks for the route
        return str(probe.getsockname()[0])
    except OSError:
        return socket.gethostname()
    finally:
        probe.close()
