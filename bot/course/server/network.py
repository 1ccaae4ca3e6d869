"""A server on this machine: its listening socket and address, and which requests it refuses.

Any web page open in the user's browser can send requests to a server on this machine: through a name that resolves to
127.0.0.1 (detected by the Host header), or from a foreign origin (detected by the Origin header).
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from typing import Literal
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from bot.course.protocol import LOOPBACK_NAME, canonical_host, is_loopback
from bot.errors import UsageError

LOOPBACK = "127.0.0.1"
"""Default interface: this machine only."""
EVERYWHERE = ("0.0.0.0", "::")
"""All interfaces."""


def listen(host: str = LOOPBACK, port: int = 0) -> socket.socket:
    """Return a listening socket; port 0 takes a free one. Raises UsageError if the address cannot be used."""
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
        sock.listen()
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
    if host in EVERYWHERE:
        host = _own_address()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _own_address() -> str:
    """Return this machine's address in the local network, or its name if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks for the route
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


# Requests that are refused

HostNames = Callable[[str], bool]
"""Whether a server answers to a host's name or IP address."""


def foreign(headers: Headers, answers_to: HostNames) -> Literal["Host", "Origin"] | None:
    """Return which header shows that a request is not meant for this server, or was sent by a foreign page.

    Programs send no Origin; every browser sends a Host. A page of this machine, or of the host that is addressed, is
    not foreign.
    """
    host = _host_of(f"//{headers.get('host', '')}")
    if not answers_to(host):
        return "Host"
    origin = headers.get("origin")
    return None if origin is None or is_loopback(origin) or _host_of(origin) == host else "Origin"


def names_of(bound: str) -> HostNames:
    """Return the names of a server that listens on the address ``bound``: that address, this machine's name, and all
    loopback names; and every IP address where it listens on all interfaces."""
    own = {LOOPBACK_NAME, canonical_host(bound), canonical_host(socket.gethostname())}

    def answers_to(name: str) -> bool:
        is_ip = ":" in name or name.rpartition(".")[2].isdigit()  # no name ends in a number
        return canonical_host(name) in own or (is_ip and bound in EVERYWHERE)

    return answers_to


def _host_of(address: str) -> str:
    """Return the host in an address, "" if there is none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
