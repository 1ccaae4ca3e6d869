"""What can become of a request, sorted by the one question that matters: was it processed?"""

from __future__ import annotations

import json
import re
import ssl
from dataclasses import dataclass

import requests
import urllib3.exceptions

from bot.client.connection import NeverLeftError
from bot.client.wire import RefusedError, one_line
from bot.errors import NetworkError, ProtocolError

_TOO_MANY_ODDS = 0.02
"""429 says "too many requests", so a server that has processed this one contradicts itself; yet nothing proves it."""


class NotSentError(NetworkError):
    """The request provably never left: nothing happened on the server."""


class AmbiguousError(NetworkError):
    """The request may or may not have been processed: repeating it blindly could cost the game."""

    def __init__(
        self,
        message: str,
        hint: str = "",
        *,
        retry_after_s: float = 0.0,
        odds: float | None = None,
        body: bytes = b"",
        first_byte_s: float | None = None,
    ) -> None:
        super().__init__(message, hint)
        self.retry_after_s = retry_after_s
        """How long the server asks us to wait."""
        self.odds = odds
        """How likely it is that the request was processed, where the failure itself tells."""
        self.body = body
        """As much of a reply as came."""
        self.first_byte_s = first_byte_s
        """How long after the request had left it failed, where that was measured."""


class RejectedError(ProtocolError):
    """The server answered that it did not process the request: wrong key, wrong form, wrong address."""


class NotFoundError(RejectedError):
    """404: no such endpoint at this address."""


class UntrustedError(NotSentError):
    """TLS could not be set up: repeating would not help."""


@dataclass(frozen=True, slots=True)
class RawReply:
    """A whole reply, before anything about it is checked."""

    status: int
    content_type: str
    retry_after: str
    location: str
    body: bytes


def check_status(reply: RawReply, endpoint: str) -> None:
    """Raise unless the status is 200: RejectedError where it proves that nothing was processed."""
    status = reply.status
    if status == 200:
        return
    if status in (301, 302, 303, 307, 308):
        raise RejectedError(
            f"The server redirects /{endpoint} to {reply.location[:200] or 'somewhere'} (HTTP {status}).",
            "Give the address it names as --server, if you trust it.",
        )
    if status == 422:
        raise RejectedError(f"The server refuses the form: {_detail(reply.body)} (HTTP 422).", "Check --stil-id.")
    if status in (401, 403):
        raise RejectedError(f"The server refuses access (HTTP {status}).", "Check --api-key and --stil-id.")
    if status == 404:
        raise NotFoundError(f"The server knows no /{endpoint} (HTTP 404).", "Check the address given as --server.")
    if status in (405, 410, 411, 413, 414, 415):
        raise RejectedError(f"The server refuses the request (HTTP {status}).", "Check the address given as --server.")
    retry_after_s = float(reply.retry_after) if re.fullmatch("[0-9]{1,9}", reply.retry_after) else 0.0
    raise AmbiguousError(
        f"The server answered HTTP {status}.",
        "Try again later.",
        retry_after_s=min(retry_after_s, 60.0),
        odds=_TOO_MANY_ODDS if status == 429 else None,
    )


def _detail(body: bytes) -> str:
    """The first complaint of a 422 body, in a few words."""
    try:
        first = json.loads(body)["detail"][0]
        return one_line(f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}")
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        return "no reason given"


def classified(error: Exception, server: str) -> Exception:
    """The error as one of ours: NotSentError only where the request provably never left."""
    if isinstance(error, (NetworkError, ProtocolError)):
        return error
    if isinstance(error, NeverLeftError):
        return _unsent(error.__cause__, server)
    if isinstance(error, (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema)):
        return RejectedError(f"{server!r} is no usable address.", "Check --server.")
    if isinstance(error, (requests.exceptions.Timeout, urllib3.exceptions.TimeoutError)):
        return AmbiguousError("The server did not answer in time.")
    if isinstance(error, (requests.exceptions.RequestException, urllib3.exceptions.HTTPError, OSError)):
        return AmbiguousError("The connection broke before the whole reply was here.")
    return error


def _unsent(cause: BaseException | None, server: str) -> NotSentError:
    """What kept the request from leaving, in a sentence."""
    if isinstance(cause, ssl.SSLCertVerificationError):
        return UntrustedError(f"The certificate of {server} cannot be trusted.", "Check the address given as --server.")
    if isinstance(cause, ssl.SSLError):
        if "WRONG_VERSION" in str(cause) or "RECORD_LAYER" in str(cause):
            return UntrustedError(f"{server} does not speak TLS.", "Check the address given as --server.")
        return NotSentError(f"No TLS connection to {server} comes about.", "Check the address and the network.")
    return NotSentError(f"The server {server} cannot be reached.", "Check the address and the network.")


def is_final(error: BaseException) -> bool:
    """Whether trying again, even where that is harmless, cannot help."""
    return isinstance(error, (UntrustedError, RefusedError))
