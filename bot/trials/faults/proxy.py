"""Fault-injecting TCP proxy in front of the server: fails as networks and servers do, on real sockets.

Every connection carries one request, so that a fault affects exactly one. The proxy reads the request, forwards it or
not, and then sends the reply, a part of it, something else, or a reset. It is separate from the server on purpose: the
server has either committed a failed request completely or has never seen it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import responses

from bot.course.server.sockets import LOOPBACK, address, listen
from bot.errors import NetworkError
from bot.trials.faults.plan import Fault, FaultPlan, is_processed

_START_S = 30.0
"""Time limit for starting, seconds."""
_MAX_BODY = 1 << 20
"""Maximum request body, bytes."""
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*(?=\r\n)", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
_CONNECTION = re.compile(rb"\r\nconnection:[^\r\n]*", re.IGNORECASE)
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # SO_LINGER with a time of 0: close sends RST instead of FIN


@contextmanager
def failing(plan: FaultPlan, upstream: tuple[str, int], host: str = LOOPBACK, port: int = 0) -> Iterator[str]:
    """Forward ``host``:``port`` to the server at ``upstream`` with the faults of ``plan``; yield the base URL.

    With its plan, it is a front of `bot.course.server.embedded`. `GET /faults` returns the plan's counts; GETs never
    fail. Raises UsageError if the port is taken.
    """
    listen(host, port).close()  # fails if another program serves the port; a shared socket would not notice
    proxy = FaultyProxy(upstream, plan, listen(host, port, shared=True))
    thread = threading.Thread(target=proxy.run, name="faults", daemon=True)
    thread.start()
    try:
        if not proxy.ready.wait(_START_S):
            raise NetworkError("The fault-injecting proxy did not start.", "Run the command again with -v.")
        yield proxy.url
    finally:
        proxy.stop()
        thread.join(5)


class FaultyProxy:
    """The proxy. ``held`` is a bound socket without listener: it reserves the port while connections are refused."""

    def __init__(self, upstream: tuple[str, int], plan: FaultPlan, held: socket.socket) -> None:
        self.url = address(held)
        self.ready = threading.Event()
        self._upstream = upstream
        self._plan = plan
        self._held = held
        self._listener: asyncio.Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended: asyncio.Event | None = None
        self._pause: asyncio.Task[None] | None = None

    def run(self) -> None:
        """Serve until `stop`; blocks."""
        asyncio.run(self._main())

    def stop(self) -> None:
        """End `run`; safe from any thread."""
        if self._loop is not None and self._ended is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended already
                self._loop.call_soon_threadsafe(self._ended.set)

    async def _main(self) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        with self._held:
            if not self._refuse_if_planned():
                await self._accept()
            self.ready.set()
            await self._ended.wait()
            if self._listener is not None:
                self._listener.close()

    async def _accept(self) -> None:
        host, port = self._held.getsockname()[:2]
        self._listener = await asyncio.start_server(self._serve, sock=listen(host, port, shared=True), backlog=128)

    def _refuse_if_planned(self) -> bool:
        """Stop listening if the next request is to be refused, and start a task that resumes; return whether it did."""
        if self._pause is not None and not self._pause.done():
            return True
        wait_s = self._plan.refuse_s()
        if wait_s is None:
            return False
        if self._listener is not None:
            self._listener.close()
        self._pause = asyncio.get_running_loop().create_task(self._accept_later(wait_s))
        return True

    async def _accept_later(self, wait_s: float | None) -> None:
        while wait_s is not None:
            await asyncio.sleep(wait_s)
            wait_s = self._plan.refuse_s()
        await self._accept()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection, which carries one request."""
        # Either side may close, send something other than HTTP, or `stop` may end a delay: only this connection ends.
        expected = (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError)
        with contextlib.suppress(*expected):
            try:
                await self._answer(await _read_request(reader), writer)
            finally:
                writer.close()

    async def _answer(self, request: bytes, writer: asyncio.StreamWriter) -> None:
        if request.startswith(b"GET /faults "):
            counts = {"requests": self._plan.requests, "faults": self._plan.counts}
            return await _send(writer, _reply(200, json.dumps(counts), "application/json"))
        if not request.startswith(b"POST "):
            return await _send(writer, await self._forward(request))
        fault = self._plan.take()
        reply = await self._forward(request) if fault is None or is_processed(fault.kind) else b""
        self._refuse_if_planned()  # before the client gets its reply and can open its next connection
        return await (_send(writer, reply) if fault is None else _deliver(fault, reply, writer))

    async def _forward(self, request: bytes) -> bytes:
        """Return the server's whole reply, unchanged."""
        reader, writer = await asyncio.open_connection(*self._upstream)
        try:
            await _send(writer, request)
            return await reader.read()
        finally:
            writer.close()


async def _read_request(reader: asyncio.StreamReader) -> bytes:
    """Return head and body of one request, with its connection header set to "close".

    Raises IncompleteReadError or ConnectionError for anything but a request with a Content-Length up to `_MAX_BODY`.
    """
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    size = int(length[1]) if length else 0
    if size > _MAX_BODY or _CHUNKED.search(head):
        raise ConnectionAbortedError("the body has no length or is too large")
    body = await reader.readexactly(size)
    return _CONNECTION.sub(b"", head).replace(b"\r\n", b"\r\nConnection: close\r\n", 1) + body


async def _deliver(fault: Fault, reply: bytes, writer: asyncio.StreamWriter) -> None:
    """Send the client what ``fault`` leaves of ``reply``."""
    head, _, body = reply.partition(b"\r\n\r\n")
    kind = fault.kind.removesuffix("_before").removesuffix("_after")
    if kind == "reset":
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        writer.transport.abort()
    elif kind == "delay":
        await asyncio.sleep(fault.wait_s)
        await _send(writer, reply)
    elif kind == "truncate":
        await _send(writer, head + b"\r\n\r\n" + body[: int(len(body) * fault.cut)])
    elif kind == "drip":
        await _send(writer, head + b"\r\n\r\n")
        for number in range(len(body)):
            await asyncio.sleep(fault.wait_s)
            await _send(writer, body[number : number + 1])
    elif kind == "empty":
        await _send(writer, _reply(200, "", "application/json"))
    else:
        title = f"{fault.status} {responses.get(fault.status, 'Error')}" if fault.status != 200 else "Maintenance"
        page = f"<html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>"
        await _send(writer, _reply(fault.status, page, "text/html"))


async def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()


def _reply(status: int, body: str, kind: str) -> bytes:
    head = f"HTTP/1.1 {status} {responses.get(status, 'Error')}\r\nContent-Type: {kind}\r\n"
    return f"{head}Content-Length: {len(body.encode())}\r\nConnection: close\r\n\r\n{body}".encode()
