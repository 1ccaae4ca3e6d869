"""Per-user state: one run at a time for a player, and the unfinished game found from any folder."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.course.journal.journal import parse_journal
from bot.course.journal.state import (
    Place,
    PlayerState,
    hold,
    last_folder,
    state_folder,
    state_of,
    unfinished_game,
)
from bot.course.protocol import Identity
from bot.course.run.run import read_history
from bot.errors import JournalError
from tests.course.journal.build import SERVER, WIN, player_file, recorded, write_run
from tests.course.session.build import LAST_DISC_FOUR

ME = Identity.of(SERVER, ["b", "a"])


def resumed_from(place: Place, logs: Path) -> Path | None:
    """Return the journal whose game the next run resumes."""
    found = unfinished_game(place, logs, read_history(logs, place.identity).last)
    return None if found is None else found.path


@pytest.fixture
def notes() -> list[str]:
    return []


@pytest.fixture
def place(tmp_path: Path, notes: list[str]) -> Iterator[Place]:
    with hold(ME, tmp_path, notes.append) as place:
        yield place


# The lock.


def test_a_folder_that_cannot_hold_the_lock_stops_play_and_names_the_remedy(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("BOT_STATE_DIR", str(tmp_path / "file" / "below"))
    embedded = Identity.of("embedded", ["a"])
    for player, logs, remedy in ((ME, tmp_path, "BOT_STATE_DIR"), (embedded, tmp_path / "file" / "logs", "--logs")):
        with pytest.raises(JournalError, match="cannot be used") as raised, hold(player, logs):
            pass
        assert remedy in raised.value.hint


# The pointer.


def test_a_pointer_is_private_on_the_disk_and_comes_back_as_it_was_written(tmp_path, place, monkeypatch):
    fsync = Mock(side_effect=os.fsync)
    monkeypatch.setattr(os, "fsync", fsync)
    path = tmp_path / "b\udcff.jsonl"
    for game in (3, 4, 4):
        place.store(journal=str(path), game=game)
    assert fsync.call_count == 4, "file and folder; what is stored is not written again"
    assert again(place) == place.state
    assert [stat.S_IMODE(each.stat().st_mode) for each in (player_file(), place.home)] == [0o600, 0o700]
    place.store(game=0)
    assert again(place) == place.state
    place.store(journal=str(path), game=4)
    assert again(place) == place.state


def test_a_game_at_the_embedded_server_needs_no_pointer(tmp_path):
    with hold(Identity.of("embedded", ["a"]), tmp_path) as place:
        place.store(journal="a.jsonl", game=1)
        assert again(place) == PlayerState(again(place).holder)


def again(place: Place) -> PlayerState:
    """Return the state as the next run reads it."""
    return state_of(place.identity, place.home, place.notify)


def test_a_failure_leaves_the_old_pointer_and_is_said_once(place, notes, monkeypatch):
    place.store(journal="old.jsonl", game=1)
    before, files = place.state, sorted(place.home.iterdir())
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", Mock(side_effect=OSError(28, "No space left on device")))
        for game in (2, 3):
            place.store(journal="new.jsonl", game=game)
    assert again(place) == before and len(notes) == 1 and "No space left" in notes[0]
    assert sorted(place.home.iterdir()) == files, "no rubbish"
    player_file().write_bytes(b"[]")
    assert again(place) == PlayerState() and "it is damaged" in notes[1]


def test_the_pointer_of_a_run_of_the_fourth_edition_is_found_and_cleared_when_its_game_has_ended(tmp_path):
    path = write_run(tmp_path / "one", [None])
    state_folder().mkdir(parents=True)
    (state_folder() / f"unfinished-{ME.key}.json").write_text(json.dumps({"journal": str(path), "game": 1}))
    assert last_folder(ME) == path.parent
    found = []
    for content in (path.read_bytes(), recorded(WIN), recorded(WIN)):
        path.write_bytes(content)
        with hold(ME, tmp_path / "two") as place:
            found.append((place.state.game > 0, resumed_from(place, tmp_path / "two")))
    assert found == [(True, path), (True, None), (False, None)]
    assert last_folder(ME) == path.parent


# The game that a run must resume.


@pytest.mark.parametrize("results", [[None], [1.0, None], [1.0], []], ids=str)
def test_the_journal_decides_whether_a_game_is_unfinished(tmp_path, place, results):
    path = write_run(tmp_path / "one", results)
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    for found in (path, tmp_path / "two" / path.name):
        place.store(journal=str(path), game=1)
        assert resumed_from(place, tmp_path / "two") == (found if None in results else None)
        assert (place.state.game == 0) == (None not in results)
        shutil.rmtree(tmp_path / "one", ignore_errors=True)  # then the file is looked for in the folder of the journals


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "cannot be read"),
        (b"\0\xff\n" * 50, "is not a journal"),
        (recorded(WIN).replace(b'["a","b"]', b'["c"]'), "another player"),
    ],
    ids=["deleted", "overwritten", "another player's"],
)
def test_a_journal_that_is_gone_stops_the_run_unless_the_game_is_given_up(tmp_path, place, content, problem):
    path = write_run(tmp_path / "one", [None])
    place.store(journal=str(path), game=1)
    path.unlink()
    if content:
        path.write_bytes(content)
    with pytest.raises(JournalError, match=r"^Game 1 of a\+b at http://localhost:8000 may be unfinished") as raised:
        resumed_from(place, tmp_path / "two")
    assert str(path) in raised.value.message and problem in raised.value.message
    assert raised.value.hint.endswith("add --fresh to give the game up: the server counts a loss if it has the game.")
    assert place.state.game, "the next attempt must find it again"


@pytest.mark.parametrize(("outcome", "may_run"), [("chosen", True), ("lost truncated delivered=1", False)])
def test_a_game_that_certainly_ended_is_resumed_for_its_result_and_not_forfeited(outcome, may_run):
    opening, moves = LAST_DISC_FOUR[:2], LAST_DISC_FOUR[2:]
    journal = parse_journal(recorded(f"counted 0 0 0; new: {opening}; play {moves}; b: {outcome}"))
    assert (journal.unfinished, journal.may_be_forfeited) == (1, may_run)
