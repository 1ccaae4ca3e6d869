"""Server addresses: accepted spellings, when two of them name the same server, and players at a server."""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

EMBEDDED = "embedded"
"""Name of the embedded course server in journals: its port changes from run to run."""
LOOPBACK_NAME = "localhost"
"""The one spelling of this machine's loopback interface."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
_ENDPOINT = re.compile(r"(?<=[^/:])/+(move|stats)/*$", re.IGNORECASE)


def without_endpoint(url: str) -> str:
    """Return a base address without trailing slashes and without the ``/move`` or ``/stats`` of an endpoint."""
    return _ENDPOINT.sub("", url.rstrip("/")).rstrip("/")


@lru_cache(maxsize=100)  # a folder of journals asks for the same address thousands of times
def normalised_server(url: str) -> str:
    """Return one spelling for all addresses of the same server, as a key for comparisons; never connect to it.

    Scheme and host are lower-case; a default port, trailing slashes and an endpoint's name are dropped; and every name
    of this machine's loopback interface becomes ``localhost``. Other text than an HTTP address is returned unchanged.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return url
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS or not host:
        return url
    shown = "" if port in (None, _DEFAULT_PORTS[scheme]) else f":{port}"
    return without_endpoint(f"{scheme}://{canonical_host(host)}{shown}{parts.path}")


@dataclass(frozen=True, slots=True)
class Identity:
    """A player at a server: only one run at a time may play as it."""

    server: str
    """The normalised address, or EMBEDDED."""
    stil_ids: tuple[str, ...]
    """In small letters, sorted."""

    @classmethod
    def of(cls, server: str, stil_ids: Iterable[str]) -> Identity:
        """Return the identity of ``stil_ids`` at ``server``, however they are spelt and ordered."""
        return cls(normalised_server(server), tuple(sorted(map(str.casefold, stil_ids))))

    @property
    def key(self) -> str:
        """Sixteen hex digits that stand for this identity in file names."""
        return key_of("\n".join([self.server, *self.stil_ids]))

    def __str__(self) -> str:
        return f"{'+'.join(self.stil_ids)} at {self.server}"


def key_of(name: str) -> str:
    """Return sixteen hex digits that stand for ``name`` in file names."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


def is_loopback(url: str) -> bool:
    """Return whether the address names this machine's loopback interface."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return canonical_host(host) == LOOPBACK_NAME


def canonical_host(host: str) -> str:
    """Return one spelling of a host's name or IP address, as in an address: LOOPBACK_NAME for this machine's."""
    host = host.lower().rstrip(".")
    if host == LOOPBACK_NAME or host.endswith("." + LOOPBACK_NAME):  # RFC 6761: all of them are loopback
        return LOOPBACK_NAME
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.is_loopback:
        return LOOPBACK_NAME
    return f"[{address}]" if address.version == 6 else str(address)
