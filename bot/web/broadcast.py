"""One reader of the newest run for all who watch it: the server's load does not grow with their number."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from bot.web.live import HEARTBEAT_S, POLL_S, Follower
from bot.web.room import public_run
from bot.web.runs import Runs

MAX_PENDING = 200
"""Events that may wait for a slow client; beyond, it is disconnected, and starts again with the whole run."""


@dataclass(eq=False, slots=True)
class _Client:
    spectator: bool
    pending: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(MAX_PENDING + 1))


class Broadcast:
    """The events of the newest run for any number of clients. All methods belong to one event loop."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._clients: set[_Client] = set()
        self._follower = Follower(runs, None)
        self._reader: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()

    @property
    def spectators(self) -> int:
        """Number of spectators that are watching now."""
        return sum(client.spectator for client in self._clients)

    async def events(self, *, spectator: bool) -> AsyncIterator[str]:
        """Yield the whole run, then its changes, without end; spectators receive no student's id."""
        client = _Client(spectator)
        async with self._lock:
            if not self._clients:
                self._follower = Follower(self._runs, None)
                await asyncio.to_thread(self._follower.next_events)
            first = await asyncio.to_thread(self._follower.whole)
            self._clients.add(client)
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read())
        try:
            yield public_event(first) if spectator else first
            while (event := await client.pending.get()) is not None:
                yield event
        finally:
            self._clients.discard(client)

    async def _read(self) -> None:
        """Pass on the follower's events while there are clients."""
        sent_at_s = time.monotonic()
        while self._clients:
            async with self._lock:
                event = await asyncio.to_thread(self._follower.next_events)
            if event is None and time.monotonic() - sent_at_s > HEARTBEAT_S:
                event = ": heartbeat\n\n"
            if event is not None:
                sent_at_s = time.monotonic()
                self._send(event)
            await asyncio.sleep(POLL_S)

    def _send(self, event: str) -> None:
        public = public_event(event) if self.spectators else ""
        for client in list(self._clients):
            if client.pending.qsize() >= MAX_PENDING:
                self._clients.discard(client)
                client.pending.put_nowait(None)
            else:
                client.pending.put_nowait(public if client.spectator else event)


def public_event(events: str) -> str:
    """Return server-sent events without students' ids; faults, which name files, are left out."""
    kept = []
    for event in events.split("\n\n"):
        kind, _, data = event.partition("\ndata: ")
        if kind in ("event: run", "event: game"):
            kept.append(f"{kind}\ndata: {json.dumps(public_run(json.loads(data)), separators=(',', ':'))}\n\n")
        elif kind.startswith((":", "event: waiting")):
            kept.append(f"{event}\n\n")
    return "".join(kept)
