"""What every request must meet before it reaches the page's routes, and the headers that every answer carries.

A server on loopback can still be reached by any web page that the user has open: by a name that resolves to 127.0.0.1
(the Host header gives it away) and by forms of foreign origin (the Origin header, and the JSON that no form can send).
"""

from __future__ import annotations

import json
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 4096
LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")
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


class Guard:
    """Refuses foreign hosts and origins and large or odd bodies; adds the security headers to all answers."""

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

        refused = _refusal(scope["method"], Headers(scope=scope))
        if refused is not None:
            await _answer(*refused, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)


def _refusal(method: str, headers: Headers) -> tuple[int, str] | None:
    """The status and the sentence for a request that is not let in."""
    if not is_local(f"//{headers.get('host', '')}"):
        return 403, "This page answers only under the address that the command printed."
    origin = headers.get("origin")
    if origin is not None and not is_local(origin):
        return 403, "Another web site's requests are not answered."
    if method != "POST":
        return None
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return 415, "A request must be JSON."
    length = headers.get("content-length", "")
    if not (length.isascii() and length.isdigit()) or int(length) > LARGEST_BODY:
        return 413, f"A request may have {LARGEST_BODY} bytes, and must say how many it has."
    return None


def is_local(address: str) -> bool:
    """Whether the host of ``address`` is this machine by one of its loopback names."""
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
