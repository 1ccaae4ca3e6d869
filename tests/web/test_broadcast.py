"""Those who watch the newest run: one reader for all, from whom each gets every change once."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bot.web import broadcast as broadcast_module
from bot.web.broadcast import Broadcast
from bot.web.live import PageEvent
from bot.web.runs import Runs
from tests.web.test_runs import open_run, play

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run in another thread: Playwright's loop runs in this one while a browser is open."""
    with ThreadPoolExecutor() as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(main, 240)).result()


def test_all_who_watch_share_one_reader_and_spectators_get_no_ids(tmp_path):
    async def check() -> list[str]:
        clients = [broadcast.events(spectator=number > 0) for number in range(30)]
        found: list[str] = await asyncio.gather(*map(anext, clients))
        play(journal, 1, "4455", since=2)
        while '"moves":"4455"' not in found[0]:
            found = [text + await anext(client) for text, client in zip(found, clients, strict=True)]
        return found

    journal, broadcast = open_run(tmp_path, stil_ids=("ab1234cd",)), Broadcast(Runs(tmp_path))
    play(journal, 1, "44")
    journal.intent(1, 3, 2)
    journal.reply(1, status=False, msg="Busy, ab1234cd.")
    owner, *spectators = run(check())
    journal.close()
    assert owner.startswith("event: run\n") and "ab1234cd" in owner and '"moves":"4455"' in owner
    assert set(spectators) == {spectators[0]} and "ab1234cd" not in spectators[0] and '"moves":"4455"' in spectators[0]


class Numbered:
    """In place of a follower: every look finds one change, and changes have numbers."""

    def __init__(self, _runs: Runs) -> None:
        self.number = 0

    def next_events(self) -> list[PageEvent]:
        self.number += 1
        if self.number == BROKEN:
            raise ZeroDivisionError
        return [("game", self._state())]

    def whole(self) -> PageEvent:
        return "run", self._state()

    def _state(self) -> dict[str, Any]:
        return {"name": "", "engine": "", "server": "", "number": self.number}


BROKEN = 1000
"""The change that cannot be read."""


@pytest.fixture
def broadcast(monkeypatch: pytest.MonkeyPatch) -> Broadcast:
    monkeypatch.setattr(broadcast_module, "POLL_S", 0.0)
    monkeypatch.setattr(broadcast_module, "Follower", Numbered)
    return Broadcast(Runs(Path()))


async def watch(broadcast: Broadcast, count: int = BROKEN, joined: Callable[[], None] = lambda: None) -> list[int]:
    """Return the numbers of the run and of up to ``count`` changes that a client gets, of which none may be missing."""
    found: list[int] = []
    async for text in broadcast.events(spectator=count % 2 == 0):
        found += map(int, re.findall(r'"number":(\d+)', text))
        joined()
        if len(found) > count:
            break
    assert found == list(range(found[0], found[0] + len(found)))
    return found


def test_who_joins_or_leaves_takes_no_change_from_the_others_and_a_bug_ends_every_connection(broadcast, capsys):
    async def check() -> None:
        watching = []
        for number in range(20):
            joined = asyncio.Event()
            count = 7 + number * 5 % 40 if number % 2 else BROKEN
            watching.append(asyncio.create_task(watch(broadcast, count, joined.set)))
            await joined.wait()
        found = await asyncio.gather(*watching)
        assert len({numbers[0] for numbers in found}) == 20, "each joined at another change"
        assert {numbers[-1] for numbers in found[::2]} == {BROKEN - 1}, "a change that could not be read"
        assert (await watch(broadcast, 3))[0] == 1, "the next connection begins with the whole run"
        while broadcast.spectators:
            await asyncio.sleep(0)

    run(check())
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_slow_client_is_disconnected_and_keeps_nobody_waiting(broadcast, monkeypatch):
    monkeypatch.setattr(broadcast_module, "MAX_PENDING", 5)

    async def check() -> None:
        slow = broadcast.events(spectator=True)
        await anext(slow)
        assert len(await watch(broadcast, 50)) == 51
        assert len([text async for text in slow]) == 5

    run(check())
