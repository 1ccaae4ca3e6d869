"""First contact with twelve wrong servers, over real sockets, by `bot play`: nothing is invented, nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.course.run.first_contacts import CONTACTS, Contact, meet

LONG = ("an empty reply", "JSON of something else", "plain HTTP on a TLS port")
"""Contacts that end like others after as many seconds of readings."""


@pytest.mark.parametrize(
    "contact",
    [
        pytest.param(contact, id=contact.name, marks=[pytest.mark.slow] if contact.name in LONG else [])
        for contact in CONTACTS
    ],
)
def test_a_first_contact(contact: Contact, tmp_path: Path) -> None:
    found = meet(contact, tmp_path)
    first, again = found.first, found.again
    assert first.returncode == contact.code, first.stderr
    assert contact.said in first.stderr
    assert found.sent["move -1"] == contact.opens
    assert set(found.sent) <= {"stats", "move -1", "TLS"}, "no column was guessed"
    assert "may count" not in first.stdout + first.stderr
    if contact.code:
        assert "The journals count 0" not in found.streak.stdout, "they do not disagree"
        assert "Journals: 1" not in found.streak.stdout
    assert again.returncode == 0, again.stdout + again.stderr
    assert "Game 1 of 1: won" in again.stdout
    assert "Game 0" not in again.stdout + first.stdout
    assert found.openings == 1 + (contact.code == 0), "a request that may have opened a game is not sent again"
    assert found.reasons == ["played"] * found.openings
    assert "disagree" not in found.afterwards
