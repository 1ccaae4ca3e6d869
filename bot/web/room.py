"""Spectators in the same room: a second address of the page, behind a token, that only shows runs.

The owner uses the page on the loopback interface. Requests that arrive at any other address are spectators': they need
the token of the link that the owner shows them, they may only read, and they never see a student's id.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import Scope

from bot.agents.catalogue import is_external
from bot.errors import UsageError

COOKIE = "room"
"""Cookie, and name of the parameter in the link, that hold the token."""
TOKEN_LENGTH = 12
"""Characters of a token, 5 bits each."""
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
_PATHS = re.compile(r"/|/static/[\w./-]+|/api/(?:room|live|runs)|/api/runs/[\w.+-]+")
_AGENT = re.compile(r"(([\w-]+)(?::\d+)?)(?:[,@].*)?")
_STAMPED = re.compile(r"(\d+-[^-]+Z)-.*\.jsonl")


def new_token() -> str:
    """Return a token that is easy to type and cannot be guessed."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(TOKEN_LENGTH))


@dataclass(frozen=True, slots=True)
class Room:
    """The addresses of the page, and the token of its spectators."""

    owner: tuple[str, int]
    """Address and port on the loopback interface; its requests may do everything."""
    url: str
    """Base address for the spectators."""
    token: str = field(default_factory=new_token)

    @property
    def link(self) -> str:
        """The link that spectators open."""
        return f"{self.url}/?{COOKIE}={self.token}"

    @property
    def code(self) -> str:
        """The link as a QR code, the address of a picture."""
        import segno

        return str(segno.make_qr(self.link).svg_data_uri(border=2, light="white"))

    def is_spectator(self, scope: Scope) -> bool:
        """Return whether a request arrived at the spectators' address."""
        return scope.get("server") is None or tuple(scope["server"]) != self.owner

    def is_link(self, request: HTTPConnection) -> bool:
        """Return whether a request follows the spectators' link."""
        return request.scope["path"] == "/" and self._is_token(request.query_params)

    def admits(self, request: HTTPConnection) -> bool:
        """Return whether a request's cookie holds the token."""
        return self._is_token(request.cookies)

    def _is_token(self, given: Mapping[str, str]) -> bool:
        return secrets.compare_digest(given.get(COOKIE, "").encode(), self.token.encode())


def may_read(method: str, path: str) -> bool:
    """Return whether spectators may send a request: they read runs and nothing else."""
    return method in ("GET", "HEAD") and _PATHS.fullmatch(path) is not None


def public_name(name: str) -> str:
    """Return a journal's name for spectators: file names contain students' ids."""
    stamped = _STAMPED.fullmatch(name)
    return stamped[1] if stamped else f"run-{hashlib.sha256(name.encode()).hexdigest()[:10]}"


@lru_cache  # a page's list of runs has the same few names hundreds of times
def public_agent(name: str) -> str:
    """Return an agent's name for spectators, without budget and options.

    An agent from outside is named by a file, a command or a package, which may contain a student's id.
    """
    found = _AGENT.fullmatch(name)
    with suppress(UsageError):
        if found and not is_external(found[2]):
            return found[1]
    return "an agent from outside"


def public_run(run: dict[str, Any]) -> dict[str, Any]:
    """Return a run's JSON object without students' ids, and without addresses and free text, which may contain them."""
    names = {
        "name": public_name(run["name"]),
        "engine": public_agent(run["engine"]),
        "server": run["server"] if run["server"] == "embedded" else "a server",
    }
    return {**run, **names, "player": "", "verdict": ""}
