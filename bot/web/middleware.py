"""Checks that every request passes before it reaches a route, and the headers added to every response.

`bot.course.server.network` says which requests are foreign. HTML forms cannot send the required JSON.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.course.server.network import foreign
from bot.web.room import COOKIE, Room, may_read

MAX_BODY = 4096
"""Maximum request body, bytes."""
PAGE = "/"
"""The path that other web sites may link to; all else is only for this page's own scripts."""
LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")
"""Hosts under which the page answers: fewer spellings than `bot.course.protocol.is_loopback` accepts, on purpose."""
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
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Connect Four</title>
<link rel="icon" href="data:,">
<h1>Connect Four</h1>
<p>{}</p>
</html>
"""


def filtered(app: ASGIApp, room: Room | None = None) -> ASGIApp:
    """Return ASGI middleware that rejects foreign hosts and origins and unsuitable bodies, and adds security headers.

    With a ``room``, it marks spectators' requests (``scope["spectator"]``), and admits only those with its token.
    """

    async def checked(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        if room is None or not room.is_spectator(scope):
            scope["spectator"] = False
            rejection = _rejection(request)
        elif room.is_link(request):
            await _admitted(room)(scope, receive, send_with_headers)
            return
        else:
            scope["spectator"] = True
            rejection = _spectator_rejection(room, request)
        # uvicorn reads and drops what is left of a rejected body, so the client is not cut off while it writes.
        served = app if rejection is None else answer(*rejection, request.headers)
        await served(scope, receive, send_with_headers)

    return checked


def _rejection(request: HTTPConnection) -> tuple[int, str] | None:
    """Return status and sentence for a request that is rejected; None for one that may pass."""
    headers, scope = request.headers, request.scope
    found = foreign(headers, LOCAL_NAMES.__contains__)
    if found == "Host":
        return 403, "The page answers only at the address that `bot web` printed. Open that address."
    if found == "Origin" or _is_from_elsewhere(request):
        return 403, "Requests from another web site are rejected."
    if scope["method"] != "POST":
        return None
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return 415, "The request's body must be JSON, with the content type application/json."
    length = headers.get("content-length", "")
    if not (length.isascii() and length.isdigit()) or int(length) > MAX_BODY:
        return 413, f"The request's body must state its length and have at most {MAX_BODY} bytes."
    return None


def _is_from_elsewhere(request: HTTPConnection) -> bool:
    """Return whether a browser says that another web site has made the request.

    A picture or a link on any site can send a GET without an Origin, which would start a search. Programs, and browsers
    before 2023, do not send the header.
    """
    site = request.headers.get("sec-fetch-site", "none")
    return request.scope["path"] != PAGE and site not in ("none", "same-origin")


def _spectator_rejection(room: Room, request: HTTPConnection) -> tuple[int, str] | None:
    """Return status and sentence for a spectator's request that is rejected; None for one that may pass."""
    if _is_from_elsewhere(request):
        return 403, "Requests from another web site are rejected."
    if not room.admits(request):
        return 403, "This link is not valid: each start makes a new one. Ask for the link that is valid now."
    if not may_read(request.scope["method"], request.scope["path"]):
        return 403, "Spectators can watch and replay runs, and nothing else."
    return None


def _admitted(room: Room) -> Response:
    """Keep the token in a cookie, and lead to the page without it in the address."""
    response = RedirectResponse("/#view=games", 303)
    response.set_cookie(COOKIE, room.token, httponly=True, samesite="lax")
    return response


def answer(status: int, sentence: str, headers: Headers) -> Response:
    """Return a refusal: a page for a person who opened an address, else JSON as from all routes."""
    if "text/html" not in headers.get("accept", ""):
        return JSONResponse({"error": sentence}, status)
    return HTMLResponse(_PAGE.format(sentence), status)
