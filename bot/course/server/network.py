"""A server on this machine: its listening socket and address, and which requests it refuses.

Any web page open in the user's browser can send requests to a server on this machine: through a name that resolves to
127.0.0.1 (detected by the Host header), or from a foreign origin (detected by the Origin header).
"""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Callable
from enum import Enum
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from bot.course.address import is_loopback
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


# Requests that are refused

HostNames = Callable[[str], bool]
"""Whether a server answers to a host's name or IP address."""


class Foreign(Enum):
    """The header that shows that a request is not meant for this server, or not sent by its user."""

    HOST = "Host"
    ORIGIN = "Origin"


def foreign(headers: Headers, answers_to: HostNames) -> Foreign | None:
    """Return which header of a request names another host than the server's; None where neither does.

    Programs send no Origin; every browser sends a Host.
    """
    if not _is_at(f"//{headers.get('host', '')}", answers_to):
        return Foreign.HOST
    origin = headers.get("origin")
    return None if origin is None or _is_at(origin, answers_to) else Foreign.ORIGIN


def names_of(bound: str) -> HostNames:
    """Return the names of a server that listens on the address ``bound``: that address, this machine's name, and all
    loopback names; and every IP address where it listens on all interfaces."""
    own = {bound.lower(), socket.gethostname().lower()}
    is_everywhere = bound in ("0.0.0.0", "::")

    def answers_to(name: str) -> bool:
        return name in own or is_loopback(_url(name)) or (is_everywhere and _is_ip(name))

    return answers_to


def _is_at(address: str, answers_to: HostNames) -> bool:
    """Return whether the host of ``address`` is one of a server's names."""
    try:
        parts = urlsplit(address)
        usual = (parts.port is None or parts.port > 0) and "@" not in address
        return usual and parts.hostname is not None and answers_to(parts.hostname)
    except ValueError:
        return False


def _url(name: str) -> str:
    return f"//[{name}]" if ":" in name else f"//{name}"


def _is_ip(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
