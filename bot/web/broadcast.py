"""One reader of the newest run for all who watch it: the server's load does not grow with their number."""

from __future__ import annotations

import asyncio
import json
import time
import traceback
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass, field

from bot.web.live import Follower, PageEvent
from bot.web.room import public_run
from bot.web.runs import Runs

POLL_S = 0.1
"""Interval between two looks at the journal, seconds."""
HEARTBEAT_S = 10.0
"""Maximum silence before a comment keeps the connection alive, seconds."""
HEARTBEAT = ": heartbeat\n\n"
MAX_PENDING = 200
"""Events that may wait for a slow client; beyond, it is disconnected, and starts again with the whole run."""


@dataclass(eq=False, slots=True)
class _Client:
    spectator: bool
    has_joined: bool = False
    """Whether it has been sent the whole run, so that it can follow the changes."""
    pending: asyncio.Queue[str | None] = field(default_factory=asyncio.Queue)


class Broadcast:
    """The events of the newest run for any number of clients. All methods belong to one event loop.

    Clients only wait for what `_read` sends: nothing that one of them does can take an event from another.
    """

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._clients: set[_Client] = set()
        self._reader: asyncio.Task[None] | None = None

    @property
    def spectators(self) -> int:
        """Number of spectators that are watching now."""
        return sum(client.spectator for client in self._clients)

    async def events(self, *, spectator: bool) -> AsyncIterator[str]:
        """Yield the whole run, then its changes, without end; spectators receive no student's id."""
        client = _Client(spectator)
        self._clients.add(client)
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read())
        try:
            while (text := await client.pending.get()) is not None:
                yield text
        finally:
            self._clients.discard(client)

    async def _read(self) -> None:
        """Read the run while there are clients: send its changes to them, and to those who join the whole of it."""
        follower = Follower(self._runs)
        sent_at_s = time.monotonic()
        try:
            while self._clients:
                events = await asyncio.to_thread(follower.next_events)
                if events or time.monotonic() - sent_at_s > HEARTBEAT_S:
                    sent_at_s = time.monotonic()
                    self._send(events, [client for client in self._clients if client.has_joined])
                joining = [client for client in self._clients if not client.has_joined]
                if joining:
                    self._send([await asyncio.to_thread(follower.whole)], joining)
                await asyncio.sleep(POLL_S)
        except Exception as error:  # a bug: the browsers connect again, and begin with the whole run
            traceback.print_exception(error)
        for client in self._clients:
            client.pending.put_nowait(None)
        self._clients.clear()

    def _send(self, events: list[PageEvent], clients: Collection[_Client]) -> None:
        texts = [as_text(events, spectator=spectator) or HEARTBEAT for spectator in (False, True)]
        for client in clients:
            client.has_joined = True
            if client.pending.qsize() < MAX_PENDING:
                client.pending.put_nowait(texts[client.spectator])
            else:
                self._clients.discard(client)
                client.pending.put_nowait(None)


def as_text(events: list[PageEvent], *, spectator: bool) -> str:
    """Return the lines of server-sent events; spectators get no student's id, and no faults, which name files."""
    if spectator:
        events = [(kind, public_run(data) if data else data) for kind, data in events if kind != "fault"]
    return "".join(f"event: {kind}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n" for kind, data in events)
