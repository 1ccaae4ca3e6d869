"""Checks that every request passes before it reaches a route, and the headers added to every response.

`bot.course.server.guard` says which requests are foreign. HTML forms cannot send the required JSON.
"""

from __future__ import annotations

import asyncio
import json

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.course.server.guard import Foreign, foreign
from bot.web.room import COOKIE, Room, may_read

MAX_BODY = 4096
"""Maximum request body, bytes."""
MAX_JOURNAL = 64_000_000
"""Maximum body of a request with a whole journal, bytes."""
MAX_DISCARDED = 256_000_000
"""Maximum read of a refused body, bytes."""
MAX_DISCARD_S = 5.0
"""Maximum time for it, seconds."""
LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")
"""Hosts under which the page answers: fewer spellings than `bot.course.address.is_loopback` accepts, on purpose."""
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
    """ASGI middleware: rejects foreign hosts and origins and unsuitable bodies, and adds the security headers.

    With a ``room``, it marks spectators' requests (``scope["spectator"]``), and admits only those with its token.
    """

    def __init__(self, app: ASGIApp, room: Room | None = None) -> None:
        self._app = app
        self._room = room

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

        headers = Headers(scope=scope)
        scope["spectator"] = self._room is not None and self._room.is_spectator(scope)
        if self._room is not None and scope["spectator"]:
            if self._room.brings_token(scope):
                await _admit(self._room, send_with_headers)
                return
            rejection = _spectator_rejection(self._room, scope, headers)
        else:
            limit = MAX_JOURNAL if scope["path"] == "/api/journal" else MAX_BODY
            rejection = _rejection(scope["method"], headers, limit)
        if rejection is not None:
            is_whole = await discard_body(receive)
            await _answer(*rejection, send_with_headers, closes=not is_whole)
            return
        await self._app(scope, receive, send_with_headers)


def _rejection(method: str, headers: Headers, limit: int) -> tuple[int, str] | None:
    """Return status and sentence for a request that is rejected; None for one that may pass."""
    found = foreign(headers, LOCAL_NAMES.__contains__)
    if found is Foreign.HOST:
        return 403, "The page answers only at the address that `bot web` printed. Open that address."
    if found is Foreign.ORIGIN:
        return 403, "Requests from another web site are rejected."
    if method != "POST":
        return None
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return 415, "The request's body must be JSON, with the content type application/json."
    length = headers.get("content-length", "")
    if not (length.isascii() and length.isdigit()) or int(length) > limit:
        return 413, f"The request's body must state its length and have at most {limit} bytes."
    return None


def _spectator_rejection(room: Room, scope: Scope, headers: Headers) -> tuple[int, str] | None:
    """Return status and sentence for a spectator's request that is rejected; None for one that may pass."""
    if not room.admits(headers.get("cookie", "")):
        return 403, "This page is open to those with its link. Ask for the link that is valid now."
    if not may_read(scope["method"], scope["path"]):
        return 403, "Spectators can watch and replay runs, and nothing else."
    return None


async def discard_body(receive: Receive, max_s: float = MAX_DISCARD_S) -> bool:
    """Read and drop a request's body within the bounds; return whether that was all of it.

    A response sent while the client is still writing would reach it as a broken connection.
    """

    async def drained() -> bool:
        length = 0
        while length <= MAX_DISCARDED:
            message = await receive()
            length += len(message.get("body", b""))
            if not message.get("more_body", False):
                return True
        return False

    try:
        return await asyncio.wait_for(drained(), max_s)
    except asyncio.TimeoutError:
        return False


async def _admit(room: Room, send: Send) -> None:
    """Keep the token in a cookie, and lead to the page without it in the address."""
    cookie = f"{COOKIE}={room.token}; Path=/; HttpOnly; SameSite=Lax"
    headers = [(b"location", b"/#view=watch"), (b"set-cookie", cookie.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _answer(status: int, sentence: str, send: Send, *, closes: bool) -> None:
    body = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if closes:  # what is left of the body would be taken for the next request
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
