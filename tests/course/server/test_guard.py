"""The names to which a server on this machine answers."""

from __future__ import annotations

import socket

import pytest

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
