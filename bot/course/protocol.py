"""The course server's protocol: moves, results, boards, replies, statistics, and addresses as plain data, without I/O.

The annotations are limits in pydantic's notation. Whatever is read from outside is checked by them: replies at the end
of this file, journals in `bot.course.events`.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit

from annotated_types import Interval, Len, Predicate
from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from bot.errors import one_line

T = TypeVar("T")

NEW_GAME = -1
"""The move that opens a new game. Sent while a game is running, it forfeits that game."""

Dialect = Literal["current", "jan21"]
"""Version of the protocol. In January 2021 every -1 counts as a loss, whether a game is running or not; the reply to it
has no board, and there is no /stats. Only a column opens a game."""

RUNNING, WON, DRAWN, LOST, ILLEGAL = 0.0, 1.0, 0.5, -1.0, -10.0
"""The server's results, from the student's view; an illegal move loses the game."""
RESULTS = (RUNNING, WON, DRAWN, LOST, ILLEGAL)

StateCell = Annotated[int, Interval(ge=-1, le=1)]
StateGrid = Annotated[tuple[Annotated[tuple[StateCell, ...], Len(7, 7)], ...], Len(6, 6)]
"""6 rows of 7 cells, row 0 on top: 1 our discs, -1 the bot's, 0 empty."""


def is_known_result(result: float) -> bool:
    """Return whether ``result`` is one of RESULTS."""
    return result in RESULTS


KEY_HINT = (
    "The key in use is that of --api-key-file, else of BOT_API_KEY, else api_key in bot.toml, else the course's own: "
    "correct it there."
)
"""The next step after the server has refused the key."""


def refuses_key(message: str | None) -> bool:
    """Return whether the server's message says that it refuses the key, so that it did not process the request."""
    return "key" in (message or "").lower()


@dataclass(frozen=True, slots=True)
class MoveReply:
    """A reply to /move. The server may leave out any field but ``status``."""

    status: bool
    msg: str | None = None
    botmove: Annotated[int, Interval(ge=-1, le=6)] | None = None
    """The bot's column 0..6; -1 or None when it did not move."""
    result: Annotated[float, Predicate(is_known_result)] | None = None
    """One of RESULTS; None if the reply has none."""
    state: StateGrid | None = None

    @property
    def is_over(self) -> bool:
        """Whether the server says that the game has ended."""
        return self.result is not None and self.result != RUNNING


Count = Annotated[int, Interval(ge=0, le=10**9)]


@dataclass(frozen=True, slots=True)
class Stats:
    """A reply to /stats: the server's counts of finished games."""

    played: Count
    won: Count
    lost: Count
    streak: Count
    streak_max: Count | None = None
    total_reward: Annotated[float, Interval(ge=-1e10, le=1e10)] | None = None


# Addresses and players

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


# Replies as they are read

MAX_BODY = 1 << 20
"""Maximum size of a reply's body, bytes; a reply of the course server has about 300."""

_PROBLEMS = (
    ("EOF", "cut short", "it is cut short"),
    ("trailing characters", "not json", "more text follows the JSON object"),
    ("", "not json", "it is not valid JSON"),
)
"""How the parser's message begins, the kind, and the reason."""


class UnreadableError(ValueError):
    """The body is not a reply of the protocol: its kind in `bot.course.failures`, and why, as a clause."""


def decode_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object that ``body`` consists of, whatever its content type; raise UnreadableError.

    Bytes of another encoding are replaced, since only messages have any.
    """
    text = body.decode("utf-8-sig", "replace").strip(" \t\r\n\0")
    if not text:
        raise UnreadableError("empty", "it is empty")
    if text.startswith("<"):
        raise UnreadableError("html", "it is an HTML page")
    if not text.startswith("{"):
        raise UnreadableError("not json", "it is not a JSON object")
    try:
        found: dict[str, Any] = from_json(text)
    except ValueError as error:
        for beginning, kind, reason in _PROBLEMS:
            if str(error).startswith(beginning):
                raise UnreadableError(kind, reason) from None
        raise
    return found


_MOVE_REPLY, _STATS = TypeAdapter(MoveReply), TypeAdapter(Stats)


def parse_move_reply(fields: Mapping[str, Any]) -> MoveReply:
    """Return the reply to /move in the fields of its JSON object; raise UnreadableError.

    A board is an answer also where the status is missing or null, as that of the statistics is. A message of another
    type than text says nothing. A server's framework may put its refusal into another field, `detail`.
    """
    status, msg, detail = map(fields.get, ("status", "msg", "detail"))
    if status is None and fields.get("state") is not None:
        status = True
    elif status is None and isinstance(detail, str):
        status, msg = False, detail
    return _validated(_MOVE_REPLY, {**fields, "status": status, "msg": msg if isinstance(msg, str) else None})


def parse_stats(fields: Mapping[str, Any]) -> Stats:
    """Return the statistics in the fields of their JSON object; raise UnreadableError, of kind "refused" if refused."""
    if fields.get("status") is False:
        # Whole: the client cuts a message after it has removed the key, of which a part would not be found.
        raise UnreadableError("refused", one_line(fields.get("msg"), MAX_BODY))
    return _validated(_STATS, fields)


def _validated(kind: TypeAdapter[T], fields: Mapping[str, Any]) -> T:
    """Return the value of ``fields``, others left out; a number may be in a string, 1.0 is 1, and 1 is true."""
    try:
        return kind.validate_python(fields)
    except ValidationError as error:
        field = ".".join(map(str, error.errors()[0]["loc"]))
        raise UnreadableError("bad reply", f"its field {field} has no value of the protocol") from None
