"""How the page's server gets rid of a body that it refuses."""

from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message

from bot.web import middleware


def discarded(pieces: list[bytes], *, ends: bool) -> tuple[bool, int]:
    """Discard a body of these pieces, which then ends or stalls; return whether it was whole, and the pieces read."""
    count = 0

    async def receive() -> Message:
        nonlocal count
        if count == len(pieces):
            await asyncio.Event().wait()
        count += 1
        return {"type": "http.request", "body": pieces[count - 1], "more_body": not ends or count < len(pieces)}

    return asyncio.run(middleware.discard_body(receive, 0.05)), count


def test_a_body_is_read_to_its_end() -> None:
    assert discarded([b"a", b"", b"b"], ends=True) == (True, 3)


def test_a_body_that_stalls_is_given_up() -> None:
    assert discarded([b"a", b"b"], ends=False) == (False, 2)


def test_a_body_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "MAX_DISCARDED", 10)
    assert discarded([b"aaaa"] * 50, ends=True) == (False, 3)
