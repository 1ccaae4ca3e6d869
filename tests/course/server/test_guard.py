"""What the servers on this machine refuse, and how they get rid of a body that they refuse."""

from __future__ import annotations

import asyncio
import socket

import pytest
from starlette.types import Message

from bot.course.server import guard


@pytest.mark.parametrize(
    ("bound", "name", "answers"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "::1", True),
        ("127.0.0.1", "192.168.0.7", False),
        ("127.0.0.1", "evil.example", False),
        ("192.168.0.7", "192.168.0.7", True),
        ("192.168.0.7", "192.168.0.8", False),
        ("0.0.0.0", "192.168.0.8", True),
        ("::", "fe80::1", True),
        ("0.0.0.0", "evil.example", False),
        ("127.0.0.1", socket.gethostname().lower(), True),
    ],
)
def test_a_server_answers_to_the_names_of_its_address(bound: str, name: str, *, answers: bool) -> None:
    assert guard.names_of(bound)(name) is answers


def discarded(pieces: list[bytes], *, ends: bool) -> tuple[bool, int]:
    """Discard a body of these pieces, which then ends or stalls; return whether it was whole, and the pieces read."""
    count = 0

    async def receive() -> Message:
        nonlocal count
        if count == len(pieces):
            await asyncio.Event().wait()
        count += 1
        return {"type": "http.request", "body": pieces[count - 1], "more_body": not ends or count < len(pieces)}

    return asyncio.run(guard.discard_body(receive, 0.05)), count


def test_a_body_is_read_to_its_end() -> None:
    assert discarded([b"a", b"", b"b"], ends=True) == (True, 3)


def test_a_body_that_stalls_is_given_up() -> None:
    assert discarded([b"a", b"b"], ends=False) == (False, 2)


def test_a_body_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MAX_DISCARDED", 10)
    assert discarded([b"aaaa"] * 50, ends=True) == (False, 3)
