"""Checks that every request passes before it reaches a route, and the headers added to every response.

Any web page open in the user's browser can send requests to a server on loopback: through a name that resolves to
127.0.0.1 (detected by the Host header), or from a foreign origin (detected by the Origin header; and HTML forms cannot
send the required JSON).
"""

from __future__ import annotations

import json
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 4096
"""Maximum request body, bytes."""
LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")
"""Hosts under which the page answers: fewer spellings than `bot.address.is_loopback` accepts, on purpose."""
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


class RequestFilter:
    """ASGI middleware: rejects foreign hosts and origins and unsuitable bodies, and adds the security headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        rejection = _rejection(scope["method"], Headers(scope=scope))
        if rejection is not None:
            await _answer(*rejection, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)


def _rejection(method: str, headers: Headers) -> tuple[int, str] | None:
    """Return status and sentence for a request that is rejected; None for one that may pass."""
    if not is_local(f"//{headers.get('host', '')}"):
        return 403, "The page answers only at the address that `bot web` printed. Open that address."
    origin = headers.get("origin")
    if origin is not None and not is_local(origin):
        return 403, "Requests from another web site are rejected."
    if method != "POST":
        return None
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return 415, "The request's body must be JSON, with the content type application/json."
    length = headers.get("content-length", "")
    if not (length.isascii() and length.isdigit()) or int(length) > MAX_BODY:
        return 413, f"The request's body must state its length and have at most {MAX_BODY} bytes."
    return None


def is_local(address: str) -> bool:
    """Return whether the host of ``address`` is one of the names of this machine that the page answers to."""
    try:
        parts = urlsplit(address)
        return parts.hostname in LOCAL_NAMES and (parts.port is None or parts.port > 0) and "@" not in address
    except ValueError:
        return False


async def _answer(status: int, sentence: str, send: Send) -> None:
    body = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
