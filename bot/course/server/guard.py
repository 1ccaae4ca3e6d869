"""What a server on this machine checks before it answers.

Any web page open in the user's browser can send requests to a server on this machine: through a name that resolves to
127.0.0.1 (detected by the Host header), or from a foreign origin (detected by the Origin header).
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from enum import Enum
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from bot.course.address import is_loopback

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
