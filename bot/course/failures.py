"""The kinds of failures of a request, in one table: how each is recognised, what it says about the request, and what
to tell the user.

The names of the kinds are stable: journals keep them (`Failed.kind`, `Counted.kind`). The client finds the kind of a
failed exchange (`bot.course.client.exchange`), and the session decides by its row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Literal


class Delivery(str, Enum):
    """Whether a request without a usable reply was delivered, as far as that is certain."""

    NOT_SENT = "not sent"
    """It was not sent, or refused before it was processed: sending it again is harmless."""
    REJECTED = "rejected"
    """It was certainly not processed (form, method, certificate, proxy or address): sending it again cannot help."""
    UNKNOWN = "unknown"
    """It may or may not have been processed."""


@dataclass(frozen=True, slots=True)
class FailureKind:
    """What a kind of failure means."""

    sentence: str
    """What happened, with names such as {server} (see `bot.course.client.exchange`)."""
    hint: str = "Try again later."
    """What to do next."""
    sign: str = ""
    """A regular expression that finds this kind in the text of an error (see `bot.course.client.exchange`), if no reply
    began: of a request that was not sent if the request is never delivered, else of one that was."""
    delivery: Delivery = Delivery.UNKNOWN
    delivered: float | None = None
    """Probability that the request was processed, if the kind shows it; otherwise it is learnt from earlier cases."""
    delivered_later: float | None = None
    """The same for a failure that follows others."""
    is_no_answer: bool = False
    """Whether a server that does not answer anything would let a request fail in this way."""
    is_whole: bool = False
    """Whether a whole reply arrived that cannot be read: then the network is hardly to blame."""
    wrong_address: Literal["", "move", "any"] = ""
    """Whether it shows, before the server's first answer in the protocol, that no course server answers at this
    address: as the outcome of a request to /move, or of any request. A course server may have no /stats."""
    is_final: bool = False
    """Whether it does not help to request the statistics again, although that is harmless."""
    refuses_column: bool = False
    """Whether a server may refuse a move in this way, such as a column that opens no game there: the body says why."""


_CHECK_SERVER = "Check the address given as --server."
_CHECK_KEY = "Check the key (--api-key-file, else BOT_API_KEY, else api_key in bot.toml), and --stil-id."
_UNSET = "Correct or unset it."
_UNUSABLE = "The server's reply cannot be used: {reason}."
_HARDLY_PROCESSED = 0.02
"""Probability that a request was processed although the server, or a proxy before it, refused it."""


def _rejected(sentence: str, hint: str, sign: str) -> FailureKind:
    """Return the kind of a request that can never be sent."""
    return FailureKind(sentence, hint, sign, Delivery.REJECTED, wrong_address="any", is_final=True)


def _no_answer(sentence: str, sign: str = "") -> FailureKind:
    """Return the kind of a request that was sent and has no whole reply."""
    return FailureKind(sentence, sign=sign, is_no_answer=True)


def _denied(sentence: str, hint: str) -> FailureKind:
    """Return the kind of a request that the server, or a proxy before it, refused, probably without processing it."""
    return FailureKind(sentence, hint, delivered=_HARDLY_PROCESSED, wrong_address="move", is_final=True)


_ERROR = FailureKind("The server answered with an error (HTTP {status}).")
_REFUSES_COLUMN = FailureKind(_ERROR.sentence, refuses_column=True)
_NOT_FORWARDED = FailureKind(_ERROR.sentence, is_no_answer=True, delivered_later=_HARDLY_PROCESSED)
"""The first one of an outage may have cut off a request that was being processed; those after it hardly."""
_NO_ACCESS = _denied("The server denies access (HTTP {status}).", _CHECK_KEY)
_NO_SUCH_REQUEST = FailureKind(
    "The server rejects the request (HTTP {status}).",
    _CHECK_SERVER,
    delivery=Delivery.REJECTED,
    is_final=True,
)

KINDS: Mapping[str, FailureKind] = {
    # No request was sent
    "certificate": _rejected(
        "The certificate of {server} cannot be trusted.",
        "Check the address given as --server, this computer's clock, and the certificates that REQUESTS_CA_BUNDLE or "
        "CURL_CA_BUNDLE names; SSL_CERT_FILE and SSL_CERT_DIR do not count.",
        "SSLCertVerificationError",
    ),
    "no tls": _rejected("{server} does not use TLS.", _CHECK_SERVER, "WRONG_VERSION|RECORD_LAYER"),
    "certificates file": _rejected(
        "The environment's {bundle} names no file or folder of certificates that can be used.",
        _UNSET,
        r"CA certificate bundle|\[X509|SSLError\(Permission",
    ),
    "no socks": _rejected(
        "The environment's {proxy} names a SOCKS proxy, and the package that speaks to one is missing.",
        "Install it (pip install pysocks), or unset the variable.",
        "SOCKS support",
    ),
    "key log": _rejected(
        "The environment's SSLKEYLOGFILE names a file that cannot be written: {reason}.",
        _UNSET,
        "'$",  # the error names a file, and only that of TLS keys is opened for a request
    ),
    "address": FailureKind(
        "{server!r} is not a usable address.",
        "Check --server.",
        r"InvalidURL|^URLSchemeUnknown|MissingSchema|Unicode\w*Error",
        Delivery.REJECTED,
        wrong_address="any",
        is_final=True,
    ),
    "proxy": _rejected(
        "The environment's {proxy} names a proxy whose address cannot be used.",
        _UNSET,
        "InvalidProxyURL|ProxySchemeUnknown|^LocationParseError",
    ),
    "not sent": FailureKind(
        "The server {server} cannot be reached: {reason}.",
        "{way}",
        delivery=Delivery.NOT_SENT,
        wrong_address="any",
        is_no_answer=True,
    ),
    # No reply began
    "timeout": _no_answer("The server did not answer in time.", "TimeoutError"),
    "closed": _no_answer("The server closed the connection without an answer.", "RemoteDisconnected"),
    "reset": _no_answer("The connection was reset before the server answered.", "ConnectionError"),
    "long headers": FailureKind(
        "The reply's headers are longer than this program reads.", sign="LineTooLong|got more than"
    ),
    "not http": FailureKind(
        "The server's answer is not HTTP.",
        _CHECK_SERVER,
        "HTTPException|HTTPError|ValueError",
        wrong_address="any",
        is_no_answer=True,
    ),
    "broken": _no_answer("The connection failed before the server answered."),
    # A reply began, and did not arrive whole
    "stalled": _no_answer("The reply began, but did not end in time."),
    "truncated": _no_answer("The connection failed in the middle of the reply."),
    "too long": FailureKind("The reply is far longer than any reply of the course server."),
    # A reply with another status than 2xx
    "redirect": FailureKind(  # possibly after the request was processed
        "{server} redirects the request to {location} (HTTP {status}).",
        "It may be a login page: open it in a browser and log in, or give it as --server if you trust it.",
        wrong_address="any",
        is_final=True,
    ),
    "http 400": _REFUSES_COLUMN,
    "http 401": _NO_ACCESS,
    "http 403": _NO_ACCESS,
    "http 404": _denied("The server has no /{endpoint} (HTTP {status}).", _CHECK_SERVER),
    "http 405": _NO_SUCH_REQUEST,
    "http 409": _REFUSES_COLUMN,
    "http 410": _NO_SUCH_REQUEST,
    "http 411": _NO_SUCH_REQUEST,
    "http 413": _NO_SUCH_REQUEST,
    "http 414": _NO_SUCH_REQUEST,
    "http 415": _NO_SUCH_REQUEST,
    "http 422": FailureKind(
        "The server rejects the form (HTTP {status}).",
        "Check --stil-id.",
        delivery=Delivery.REJECTED,
        is_final=True,
        refuses_column=True,
    ),
    "http 429": FailureKind("The server receives too many requests (HTTP {status}).", delivery=Delivery.NOT_SENT),
    "http 502": _NOT_FORWARDED,
    "http 503": _NOT_FORWARDED,
    "http 504": _no_answer(_ERROR.sentence),
    # A reply with status 2xx
    "cut short": _no_answer(_UNUSABLE),
    "empty": FailureKind(_UNUSABLE, is_whole=True),
    "html": FailureKind(
        "The server answered with an HTML page.",
        "It may be the network's login page: open {server} in a browser and log in, or check --server.",
        wrong_address="any",
        is_no_answer=True,
        is_final=True,
    ),
    "not json": FailureKind(_UNUSABLE, is_whole=True, wrong_address="move"),
    "bad reply": FailureKind(
        "The server's reply does not follow the protocol: {reason}.",
        _CHECK_SERVER,
        is_whole=True,
        wrong_address="move",
    ),
    "no statistics": FailureKind(  # of a reading: another request is answered
        "The server answers, and does not show its statistics.", is_final=True
    ),
    "refused": FailureKind("The server refuses to show its statistics: {reason}.", is_final=True),
}
"""All kinds except the other HTTP statuses, "http NNN"."""


def about(kind: str) -> FailureKind:
    """Return what a kind of failure means; an HTTP status, or a kind, that is not in the table is any error."""
    return KINDS.get(kind, _ERROR)
