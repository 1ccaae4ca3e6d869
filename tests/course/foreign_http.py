"""The HTTP side of the foreign course server: requests in, replies and broken replies out."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from tests.course.foreign_course import Reply, rejected
from tests.servers import RESET_ON_CLOSE, hang_up

if TYPE_CHECKING:
    from tests.course.foreign_server import ForeignServer, Request

BASE_PATH = "/edap01-4inarow"
NONSENSE: dict[str, Reply] = {
    "not_a_number": {"result": float("nan"), "botmove": float("inf"), "state": [[float("-inf")] * 7] * 6},
    "wrong_types": {"msg": ["?"], "result": {"value": 1}, "botmove": "three", "state": {"rows": "......"}},
}
"""Fields that replace those of a reply, by the fault's kind."""

_PAGE = b"<!doctype html><html><body><h1>It works!</h1></body></html>"
_DRIP_CHUNKS = 15


class Listener(ThreadingHTTPServer):
    """HTTP server whose threads end, and are waited for, when it closes."""

    daemon_threads = False
    owner: ForeignServer

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002
        """Ignore a client that has gone; keep any other error for the end of the test."""
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, OSError):
            self.owner.errors.append(error)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Listener

    def setup(self) -> None:
        super().setup()
        with self.server.owner.lock:
            self.server.owner.connections.add(self.connection)
        if self.server.owner.stopping.is_set():
            hang_up(self.connection)

    def finish(self) -> None:
        with self.server.owner.lock:
            self.server.owner.connections.discard(self.connection)
        super().finish()

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing."""

    def do_GET(self) -> None:
        title = self.path.rstrip("/") == BASE_PATH
        self._send(200 if title else 404, {"title": "Four in a row"} if title else {"detail": "Not Found"})

    def do_POST(self) -> None:
        owner, quirks = self.server.owner, self.server.owner.quirks
        form = parse_qs(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode(), keep_blank_values=True)
        endpoint = self.path.removeprefix(BASE_PATH)
        if endpoint not in ("/move", "/stats") or (endpoint == "/stats" and (quirks.jan21 or quirks.stats == "absent")):
            return self._send(404, {"detail": "Not Found"})
        if endpoint == "/stats" and quirks.stats == "failing":
            return self._send(500, b"Internal Server Error", content_type="text/plain")
        if wrong := _form_error(form, endpoint):
            detail = {"loc": ["body", wrong], "msg": "value is not valid", "type": "value_error"}
            return self._send(422, {"detail": [detail]})
        api_key, key = form["api_key"][-1], "+".join(sorted(form["stil_id"]))
        echo = f" (key {api_key})" if quirks.echo_key else ""
        if api_key != quirks.api_key:
            return self._send(200, rejected("Incorrect API key." + echo))
        if quirks.known_ids is not None and not quirks.known_ids.issuperset(form["stil_id"]):
            return self._send(200, rejected("Unknown id." + echo))
        request = owner.admit(endpoint, key, int(form["move"][-1]) if endpoint == "/move" else None)
        return self._carry_out(request, key, echo)

    def _carry_out(self, request: Request, key: str, echo: str) -> None:
        """Process and answer a request as its fault says."""
        owner = self.server.owner
        kind, _, argument = request.fault.partition(":")
        if kind == "refused":
            return self._send(200, rejected(argument + echo))
        reply = {} if kind.endswith("_before") else owner.process(request, key)
        if owner.before_reply is not None:
            owner.before_reply()
        if echo:
            reply["msg"] = (reply.get("msg") or "") + echo
        if kind.startswith("reset"):
            return self._reset()
        if kind.startswith("silent"):
            self.connection.recv(1)
            return self._reset()
        if kind == "delay":
            owner.stopping.wait(float(argument))
        if kind.startswith("http"):
            return self._send(int(argument), _PAGE, content_type="text/html")
        if kind.startswith("html"):
            return self._send(200, _PAGE, content_type="text/html")
        if kind == "nested":
            return self._send(200, b'{"status":true,"state":' + b"[" * 10_000 + b"]" * 10_000 + b"}")
        if request.move is not None:
            with owner.lock:
                owner.course.reply_begins(key, whole=kind not in ("truncated", *NONSENSE))
        drip_s = float(argument) if kind == "drip" else owner.quirks.drip_s
        return self._send(200, reply, drip_s=drip_s, cut=kind == "truncated")

    def _send(
        self, status: int, body: Reply | bytes, *, content_type: str | None = "", drip_s: float = 0.0, cut: bool = False
    ) -> None:
        """Send a whole reply, a slow one, or one that is cut in the middle of its body."""
        if content_type == "":
            content_type = self.server.owner.quirks.content_type
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        head = f"HTTP/1.1 {status} {self.responses.get(status, ('Unknown', ''))[0]}\r\nContent-Length: {len(data)}\r\n"
        head += f"Content-Type: {content_type}\r\n" if content_type else ""
        head += f"Location: {BASE_PATH}/elsewhere\r\n" if 300 <= status < 400 else ""
        whole = head.encode() + b"\r\n" + data
        if cut:
            self.connection.sendall(whole[: len(whole) - len(data) // 2])
            self.close_connection = True
            return
        size = len(whole) // _DRIP_CHUNKS + 1 if drip_s else len(whole)
        for start in range(0, len(whole), size):
            if start:
                self.server.owner.stopping.wait(drip_s / (_DRIP_CHUNKS - 1))
            self.connection.sendall(whole[start : start + size])

    def _reset(self) -> None:
        """Close the connection so that the client sees a reset."""
        self.close_connection = True
        with self.server.owner.lock:
            self.server.owner.connections.discard(self.connection)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            os.close(self.connection.detach())


def _form_error(form: dict[str, list[str]], endpoint: str) -> str | None:
    """Return the name of a field that is missing or not well-formed, if any."""
    ids = form.get("stil_id", [])
    if not ids or not all(re.fullmatch(r"[\w-]{1,50}", one) for one in ids):
        return "stil_id"
    if endpoint == "/move" and not re.fullmatch(r"-1|[0-6]", form.get("move", [""])[-1]):
        return "move"
    return None if "api_key" in form else "api_key"
