"""Classify failed requests by whether the server can have processed them.

NotSentError: no. RejectedError: the server replied that it did not. AmbiguousError: possibly; its ``kind`` says how.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from email.utils import parsedate_to_datetime

import requests
import urllib3.exceptions

from bot.course.address import is_loopback
from bot.course.client.connection import NeverSentError, Timing
from bot.course.client.decode import NotAnObjectError, decode_object, printable
from bot.course.client.exchange import BusyError, Exchange, Reply, TooLongError, TotalTimeoutError
from bot.course.client.partial import complete, recover, was_processed
from bot.course.client.redaction import Redactor
from bot.course.client.wire import BadReplyError, MoveReply, RefusedError, one_line
from bot.errors import BotError, NetworkError, ProtocolError

KINDS = {
    "timeout": "no reply began in time",
    "reset": "the connection was reset before a reply began",
    "closed": "the connection was closed before a reply began",
    "broken": "the connection failed before a reply began, in another way",
    "not http": "the reply is not HTTP",
    "stalled": "a reply began, but did not end in time",
    "truncated": "a reply began, but was cut short",
    "too long": "a reply began, but did not end within 1 MB",
    "redirect": "HTTP 3xx; possibly after the request was processed",
    "http NNN": "an HTTP status that leaves open whether the request was processed, such as http 502",
    "empty": "HTTP 2xx without a body",
    "html": "HTTP 2xx with an HTML page",
    "not json": "HTTP 2xx with a body that is not a JSON object",
    "trailing bytes": "HTTP 2xx with more text after the JSON object",
    "bad reply": "a JSON object, but not one of the protocol",
    "unknown": "the caller gave no kind",
}
"""The values of AmbiguousError.kind with their meanings. They are stable: journals keep them."""

_PROCESSED_AT_429 = 0.02
"""Probability that a request was processed although the server answered 429 ("too many requests")."""
_MAX_RETRY_AFTER_S = 60.0
_LATER = "Try again later."
_REFUSING = (405, 410, 411, 413, 414, 415)
"""Statuses with which a server refuses a request without processing it, besides 401, 403, 404 and 422."""
_UNUSABLE = (
    requests.exceptions.InvalidURL,
    requests.exceptions.InvalidSchema,
    requests.exceptions.MissingSchema,
    UnicodeError,
)
"""Errors about an address: the server's, or a proxy's."""
_PROXIES = "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY"
_NO_CERTIFICATES = "CA certificate bundle"
"""Words of the error that requests raises where the file of trusted certificates is missing."""


class NotSentError(NetworkError):
    """The request was not sent: nothing happened on the server."""


class AmbiguousError(NetworkError):
    """The request may or may not have been processed: repeating it blindly could cost the game."""

    def __init__(
        self,
        message: str,
        hint: str = "",
        *,
        kind: str = "unknown",
        retry_after_s: float = 0.0,
        delivered: float | None = None,
        first_byte_s: float | None = None,
    ) -> None:
        super().__init__(message, hint)
        self.kind = kind
        """How the request failed: one of KINDS."""
        self.retry_after_s = retry_after_s
        """How long the server asks clients to wait, seconds."""
        self.delivered = delivered
        """Probability that the request was processed, if the failure itself determines it."""
        self.first_byte_s = first_byte_s
        """Seconds from the last byte sent to the reply's first byte, or to the failure; None if not measured."""


class RejectedError(ProtocolError):
    """The server answered that it did not process the request: wrong key, wrong form, wrong address."""


class NotFoundError(RejectedError):
    """404: no such endpoint at this address."""


class SetupError(NotSentError):
    """TLS or a proxy could not be set up: repeating the request would not help."""


def is_final(error: BaseException) -> bool:
    """Return whether repeating the request, even if that is harmless, cannot help."""
    is_redirect = isinstance(error, AmbiguousError) and error.kind == "redirect"
    return is_redirect or isinstance(error, (SetupError, RefusedError))


def kind_of(error: Exception) -> str:
    """Return the kind of any error of the client: a key of KINDS, or "not sent", "rejected" or "refused"."""
    if isinstance(error, AmbiguousError):
        return error.kind
    for kind, word in ((NotSentError, "not sent"), (RejectedError, "rejected"), (RefusedError, "refused")):
        if isinstance(error, kind):
            return word
    return "bad reply"


def reply_of(exchange: Exchange, server: str) -> Reply:
    """Return the reply, which may be cut short. If none began, raise NotSentError, RejectedError or AmbiguousError."""
    if exchange.reply is not None:
        return exchange.reply
    error = exchange.error
    if isinstance(error, NeverSentError):
        raise _not_sent(error.__cause__, server)
    if not exchange.is_sent and _precedes_connection(error):
        raise _not_sent(error, server)
    kind = _kind_before_reply(error)
    message = {
        "timeout": "The server did not answer in time.",
        "reset": "The connection was reset before the server answered.",
        "closed": "The server closed the connection without an answer.",
        "not http": "The server's answer is not HTTP.",
    }.get(kind, "The connection failed before the server answered.")
    raise AmbiguousError(message, _LATER, kind=kind, first_byte_s=exchange.timing.first_byte_s)


def _precedes_connection(error: Exception | None) -> bool:
    """Return whether only the preparation of a request raises this error: a wrong address or certificate file.

    Errors of connections are left out. What stands in for the network in a test may raise them for a sent request.
    """
    return isinstance(error, _UNUSABLE) or (type(error) is OSError and _NO_CERTIFICATES in str(error))


def bad_body(exchange: Exchange, problem: NotAnObjectError) -> AmbiguousError:
    """Return the error for a reply with status 2xx whose body is not a JSON object, because of ``problem``.

    A body that was cut short can prove that the request was processed.
    """
    error = exchange.error
    kind, message = problem.kind, f"The server's reply cannot be used: {problem.reason}."
    if isinstance(error, TooLongError):
        kind, message = "too long", "The reply is far longer than any reply of the course server."
    elif error is not None and _is_timeout(error):
        kind, message = "stalled", "The reply began, but did not end in time."
    elif error is not None:
        kind, message = "truncated", "The connection failed in the middle of the reply."
    is_processed = exchange.reply is not None and was_processed(exchange.reply.body)
    return AmbiguousError(
        message,
        _LATER,
        kind=kind,
        delivered=1.0 if is_processed else None,
        first_byte_s=exchange.timing.first_byte_s,
    )


def bad_reply(error: BadReplyError, timing: Timing) -> AmbiguousError:
    """Return the error for a JSON object that does not follow the protocol."""
    return AmbiguousError(error.message, error.hint, kind="bad reply", first_byte_s=timing.first_byte_s)


def recover_reply(exchange: Exchange) -> MoveReply | None:
    """Return the reply to a move if what arrived determines the position: a part of it, or all with another status."""
    reply = exchange.reply
    if reply is None:
        return None
    return recover(reply.body) if reply.is_success else complete(reply.body)


def check_status(reply: Reply, endpoint: str, *, redactor: Redactor, timing: Timing) -> None:
    """Raise unless the status is 2xx: RejectedError if it proves that the request was not processed."""
    status = reply.status
    if reply.is_success:
        return
    if status == 422:
        detail = redactor.text(one_line(_detail(reply.body, redactor)))
        raise RejectedError(f"The server rejects the form: {detail} (HTTP 422).", "Check --stil-id.")
    if status in (401, 403):
        raise RejectedError(f"The server denies access (HTTP {status}).", "Check --api-key and --stil-id.")
    if status == 404:
        raise NotFoundError(f"The server has no /{endpoint} (HTTP 404).", "Check the address given as --server.")
    if status in _REFUSING:
        raise RejectedError(f"The server rejects the request (HTTP {status}).", "Check the address given as --server.")
    if 300 <= status <= 399:
        where = redactor.text(one_line(redactor.text(reply.header("location") or "another address")))
        raise AmbiguousError(
            f"The server redirects /{endpoint} (HTTP {status}); redirects are not followed.",
            f"It names {where}: if you trust that address, give it as --server, without /{endpoint}.",
            kind="redirect",
            first_byte_s=timing.first_byte_s,
        )
    raise AmbiguousError(
        f"The server answered HTTP {status}.",
        _LATER,
        kind=f"http {status}",
        retry_after_s=_retry_after_s(reply),
        delivered=_PROCESSED_AT_429 if status == 429 else None,
        first_byte_s=timing.first_byte_s,
    )


def _retry_after_s(reply: Reply) -> float:
    """Return the seconds after which the server asks to be called again; 0 where it does not say (RFC 9110, 10.2.3)."""
    value = reply.header("retry-after")
    if re.fullmatch("[0-9]{1,9}", value):
        return min(float(value), _MAX_RETRY_AFTER_S)
    with suppress(ValueError, TypeError, OverflowError):  # a date, which counts from the reply's own
        wait = parsedate_to_datetime(value) - parsedate_to_datetime(reply.header("date"))
        return min(max(wait.total_seconds(), 0.0), _MAX_RETRY_AFTER_S)
    return 0.0


def _detail(body: bytes, redactor: Redactor) -> str:
    """Return the first problem in the body of a 422 reply."""
    try:
        first = decode_object(body)["detail"][0]
        return redactor.text(printable(f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"))
    except (NotAnObjectError, KeyError, IndexError, TypeError):
        return "no reason given"


def _not_sent(cause: BaseException | None, server: str) -> BotError:
    """Return the error for a request that was not sent because of ``cause``."""
    if isinstance(cause, BotError):  # from what the caller does just before sending, such as writing a journal
        return cause
    if isinstance(cause, ssl.SSLCertVerificationError):
        return SetupError(f"The certificate of {server} cannot be trusted.", "Check the address given as --server.")
    if isinstance(cause, ssl.SSLError):
        if "WRONG_VERSION" in str(cause) or "RECORD_LAYER" in str(cause):
            return SetupError(f"{server} does not use TLS.", "Check the address given as --server.")
        return NotSentError(f"No TLS connection to {server} could be set up.", "Check the address and the network.")
    if _NO_CERTIFICATES in str(cause) or "[X509" in str(cause):
        return SetupError(
            "The file of trusted certificates that the environment names cannot be used.",
            "Correct or unset REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE.",
        )
    if isinstance(cause, _UNUSABLE):
        return _unusable(cause, server)
    if isinstance(cause, BusyError):
        return NotSentError("Too many earlier requests are still waiting for the network.", "Check the network.")
    hint = "Check the address and the network."
    if not is_loopback(server) and requests.utils.select_proxy(server, requests.utils.get_environ_proxies(server)):
        hint = f"The environment names a proxy: check {_PROXIES}, the address and the network."
    if isinstance(cause, TotalTimeoutError):
        return NotSentError(f"The server {server} cannot be reached within {cause.total_s:g} s.", hint)
    return NotSentError(f"The server {server} cannot be reached: {_obstacle(cause)}.", hint)


def _obstacle(cause: BaseException | None) -> str:
    """Return in a clause why a request could not be sent."""
    if isinstance(cause, socket.gaierror):
        return "its name is unknown"
    if isinstance(cause, ConnectionRefusedError):
        return "the connection is refused"
    if cause is not None and _is_timeout(cause):
        return "it does not answer"
    if isinstance(cause, ConnectionError):
        return "the connection is cut at once"
    if "unnel" in str(cause):
        return "the proxy does not let the request through"
    return "the connection fails"


def _unusable(cause: BaseException, server: str) -> BotError:
    """Return the error for an address that cannot be used: a proxy's, or else the server's own."""
    if isinstance(cause, requests.exceptions.InvalidSchema) and "SOCKS" in str(cause):
        return SetupError(
            "The environment names a SOCKS proxy, and the package that speaks to one is missing.",
            f"Install it (pip install pysocks), or unset the proxy: {_PROXIES}.",
        )
    of_proxy = (urllib3.exceptions.ProxySchemeUnknown, urllib3.exceptions.LocationValueError)
    if isinstance(cause, requests.exceptions.InvalidProxyURL) or any(
        isinstance(inner, of_proxy) for inner in cause.args
    ):
        return SetupError(
            "The environment names a proxy whose address cannot be used.", f"Correct or unset {_PROXIES}."
        )
    return RejectedError(f"{server!r} is not a usable address.", "Check --server.")


def _kind_before_reply(error: BaseException | None) -> str:
    causes = list(_causes(error))
    if any(_is_timeout(cause) for cause in causes):
        return "timeout"
    if any(isinstance(cause, http.client.RemoteDisconnected) for cause in causes):
        return "closed"
    if any(isinstance(cause, (ConnectionResetError, ConnectionAbortedError, BrokenPipeError)) for cause in causes):
        return "reset"
    is_malformed = (http.client.HTTPException, urllib3.exceptions.HeaderParsingError, ValueError)
    return "not http" if any(isinstance(cause, is_malformed) for cause in causes) else "broken"


def _is_timeout(error: BaseException) -> bool:
    kinds = (TotalTimeoutError, TimeoutError, requests.exceptions.Timeout, urllib3.exceptions.TimeoutError)
    return any(isinstance(cause, kinds) for cause in _causes(error))


def _causes(error: object, depth: int = 6) -> Iterator[BaseException]:
    """Yield an error and the errors that it wraps, as requests and urllib3 wrap them."""
    if isinstance(error, BaseException) and depth > 0:
        yield error
        for inner in (*error.args, getattr(error, "reason", None), error.__cause__, error.__context__):
            yield from _causes(inner, depth - 1)
