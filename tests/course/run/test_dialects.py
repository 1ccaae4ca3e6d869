"""Whole runs at a server of January 2021, which counts a loss for every -1: none is sent where that is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.course.address import key_of
from bot.course.journal.state import last_folder, state_folder
from tests.course.run.course import LEFTMOST, ME, Course, Watcher, journals, level


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch)


def record(course: Course) -> tuple[int, int]:
    """Return how many games the server counts, and how many of them as lost."""
    return course.stats.played, course.stats.lost


KNOWN = {"dialect": "", "column_opens": True, "keeps_statistics": False}


def stored() -> dict[str, Any]:
    """Return what is known of the server."""
    state = json.loads(player_file().read_text())
    return {name: state[name] for name in KNOWN}


def player_file() -> Path:
    """Return the file of the player's state."""
    (path,) = state_folder().glob(".lock-*.json")
    return path


def test_what_is_known_of_a_server_lies_in_the_users_state_and_damage_there_costs_one_question(tmp_path: Path) -> None:
    course = Course(LEFTMOST, is_january=True)
    course.play(tmp_path)
    assert stored() == KNOWN
    for damage in (b"", b"[]", b'{"dialect": 7}', b'{"dialect": "jan22", "column_opens": 1}'):
        player_file().write_bytes(damage)
        course.play(tmp_path)
    assert record(course) == (5, 0)
    player_file().unlink()
    (state_folder() / f"server-{key_of(ME.server)}.json").write_text('{"dialect": "jan21"}')  # of the fourth edition
    course.play(tmp_path)
    assert stored() == {**KNOWN, "dialect": "jan21"}


def test_a_resumed_run_of_another_folder_says_where_its_games_are(tmp_path: Path) -> None:
    course, watcher = Course(LEFTMOST), Watcher()
    course.play_and_die(6, tmp_path / "one")
    course.play(tmp_path / "two", watcher, games=2)
    assert [len(journal.games) for journal in journals(tmp_path / "one")] == [2]
    assert journals(tmp_path / "two") == []
    assert last_folder(ME) == tmp_path / "one"
    assert record(course) == (2, 0)
    assert stored() == {"dialect": "", "column_opens": False, "keeps_statistics": True}
