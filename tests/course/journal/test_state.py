"""Per-user state: one run at a time for a player, and the unfinished game found from any folder."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.course.address import Identity
from bot.course.journal import lock
from bot.course.journal.reader import Journal
from bot.course.journal.state import Place, hold, state_folder, unfinished_game
from bot.course.run.history import read_history
from bot.errors import BotError, JournalError, UsageError
from tests.course.journal.build import write_run
from tests.processes import running

SERVER = "http://127.0.0.1:8000"
ME = Identity.of(SERVER, ["b", "a"])
HOLDER = """
import sys, time
from pathlib import Path
from bot.course.address import Identity
from bot.course.journal.state import hold
with hold(Identity.of(sys.argv[1], sys.argv[2].split("+")), Path(sys.argv[3])):
    print("held", flush=True)
    time.sleep(600)
"""


def to_resume(place: Place, logs: Path, *, fresh: bool = False) -> Journal | None:
    """Return the journal whose game the next run resumes."""
    return unfinished_game(place, logs, read_history(logs, place.identity, fresh=fresh).last, fresh=fresh)


def open_game(logs: Path, *, server: str = SERVER) -> Path:
    """Write a journal whose game is running."""
    return write_run(logs, [None], server=server)


OLD = (
    b'{"type":"run","schema":2,"server":"http://localhost:8000/","stil_ids":["b","a"]}\n'
    b'{"type":"intent","game":1,"move":-1}\n{"type":"game_end","game":1,"result":1}\n'
)
"""A journal of the second edition with one finished game."""
OLD_GAME = b'{"type":"intent","game":2,"move":-1}\n{"type":"reply","game":2,"status":true}\n'


@pytest.fixture
def notes() -> list[str]:
    return []


@pytest.fixture
def place(notes: list[str]) -> Place:
    return Place(ME, state_folder(), notes.append)


def test_the_folder_is_the_users_unless_the_environment_names_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_STATE_DIR", "somewhere")
    assert state_folder() == Path("somewhere").absolute()
    monkeypatch.delenv("BOT_STATE_DIR")
    assert state_folder().is_absolute()
    assert "bot-connect-four" in str(state_folder())


def test_an_identity_is_the_same_however_it_is_spelt() -> None:
    assert Identity.of("http://LOCALHOST:8000/move", ["a", "b"]) == ME
    assert Identity.of("http://LOCALHOST:8000/move", ["a", "b"]).key == ME.key
    others = [Identity.of(SERVER, ["a"]), Identity.of("http://127.0.0.1:8001", ["a", "b"]), Identity.of(SERVER, ["ab"])]
    assert len({identity.key for identity in [ME, *others]}) == 4


# The lock.


def holders(logs: Path) -> list[str]:
    """Return the runs that are playing now."""
    return lock.holders(state_folder(), logs)


def test_a_second_run_is_refused_from_any_folder_until_the_first_has_died(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, "http://localhost:8000/", "b+a", str(tmp_path / "one")]
    with running(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match=str(process.pid)) as raised, hold(ME, tmp_path / "two"):
            pass
        assert raised.value.exit_code == 2
        assert [text for text in holders(tmp_path / "two") if str(process.pid) in text and "a+b" in text]
        with hold(Identity.of(SERVER, ["a"]), tmp_path), hold(Identity.of("http://y", ["a", "b"]), tmp_path):
            pass  # another player, another server: not in the way
    with hold(ME, tmp_path / "two"):
        assert holders(tmp_path) == [text for text in holders(tmp_path) if str(os.getpid()) in text] != []
    assert holders(tmp_path) == []


def test_embedded_servers_of_different_folders_do_not_disturb_each_other(tmp_path: Path) -> None:
    embedded = Identity.of("embedded", ["local-player"])
    with hold(embedded, tmp_path / "one"), hold(embedded, tmp_path / "two"):
        with pytest.raises(UsageError), hold(embedded, tmp_path / "one"):
            pass
        assert len(holders(tmp_path / "one")) == len(holders(tmp_path / "two")) == 1
    assert not state_folder().exists()


def test_the_embedded_servers_unfinished_game_belongs_to_its_folder(tmp_path: Path) -> None:
    embedded = Identity.of("embedded", ["a", "b"])
    for logs in (tmp_path / "one", tmp_path / "two"):
        with hold(embedded, logs) as place:
            assert to_resume(place, logs) is None
            path = open_game(logs, server="embedded")
            place.point_to(path, 1)
            found = to_resume(place, logs)
            assert found is not None and found.path == path
    assert not state_folder().exists()


def test_a_state_folder_that_cannot_be_written_does_not_stop_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notes: list[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BOT_STATE_DIR", str(tmp_path / "file" / "below"))
    with hold(ME, tmp_path / "logs", notes.append) as place:
        assert len(notes) == 1 and str(tmp_path / "logs") in notes[0] and "BOT_STATE_DIR" in notes[0]
        with pytest.raises(UsageError), hold(ME, tmp_path / "logs"):
            pass
        path = open_game(tmp_path / "logs")
        place.point_to(path, 1)
        place.point_to(path, 2)
        assert len(notes) == 2 and "--logs" in notes[1]
        found = to_resume(place, tmp_path / "logs")
        assert found is not None and found.unfinished == 1
        place.clear()


def test_without_any_writable_folder_there_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BOT_STATE_DIR", str(tmp_path / "file" / "below"))
    with pytest.raises(JournalError, match="logs"), hold(ME, tmp_path / "file" / "logs"):
        pass


# The pointer.


def test_a_pointer_comes_back_as_it_was_written(tmp_path: Path, place: Place) -> None:
    assert place.unfinished is None
    place.point_to(tmp_path / "a.jsonl", 3)
    place.point_to(tmp_path / "b\udcff.jsonl", 4)
    pointer = place.unfinished
    assert pointer is not None
    assert (pointer.journal, pointer.game) == (tmp_path / "b\udcff.jsonl", 4)
    assert stat.S_IMODE(place.pointer_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.folder.stat().st_mode) == 0o700
    assert Place(Identity.of(SERVER, ["c"]), place.folder, print).unfinished is None
    place.clear()
    place.clear()
    assert place.unfinished is None
    assert list(place.folder.iterdir()) == []


def test_a_pointer_is_on_the_disk_before_the_game_is_opened(
    tmp_path: Path, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.folder.mkdir()
    done: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def spied_fsync(descriptor: int) -> None:
        done.append("folder synced" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file synced")
        fsync(descriptor)

    def spied_replace(self: Path, target: Path) -> Path:
        done.append("renamed")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", spied_fsync)
    monkeypatch.setattr(Path, "replace", spied_replace)
    place.point_to(tmp_path / "a.jsonl", 1)
    assert done == ["file synced", "renamed", "folder synced"]


@pytest.mark.parametrize("failing", ["write", "fsync", "replace"])
def test_a_failure_leaves_the_old_pointer_and_no_rubbish(
    tmp_path: Path, place: Place, notes: list[str], monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    place.point_to(tmp_path / "old.jsonl", 1)

    def fails(*_: Any) -> int:
        raise OSError(28, "No space left on device")

    owner: object = Path if failing == "replace" else os
    monkeypatch.setattr(owner, failing, fails)
    place.point_to(tmp_path / "new.jsonl", 2)
    monkeypatch.undo()
    pointer = place.unfinished
    assert pointer is not None and pointer.journal.name == "old.jsonl"
    assert "No space left" in notes[0]
    assert list(place.folder.iterdir()) == [place.pointer_file]


def test_a_short_write_counts_as_a_failure(
    tmp_path: Path, place: Place, notes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "write", lambda _descriptor, data: len(data) - 1)
    place.point_to(tmp_path / "new.jsonl", 2)
    assert place.unfinished is None
    assert len(notes) == 1


@pytest.mark.parametrize("content", [b"", b"\x00" * 200, b"[]", b'{"journal": "x"}', b'{"journal": 1, "game": "z"}'])
def test_a_damaged_pointer_is_none_and_said(place: Place, notes: list[str], content: bytes, tmp_path: Path) -> None:
    place.folder.mkdir()
    place.pointer_file.write_bytes(content)
    assert place.unfinished is None
    assert "damaged" in notes[0]
    assert to_resume(place, tmp_path) is None


def test_a_pointer_that_is_stored_already_is_not_written_again(tmp_path: Path, place: Place) -> None:
    place.point_to(tmp_path / "a.jsonl", 1)
    written = place.pointer_file.stat()
    place.point_to(tmp_path / "a.jsonl", 1)
    assert place.pointer_file.stat() == written
    place.point_to(tmp_path / "a.jsonl", 2)
    assert place.unfinished is not None and place.unfinished.game == 2
    place.clear()
    place.point_to(tmp_path / "a.jsonl", 2)
    assert place.unfinished is not None, "it was removed in between"


# The game that a run must resume.


def test_the_game_is_found_from_another_folder(tmp_path: Path, place: Place) -> None:
    path = open_game(tmp_path / "one")
    place.point_to(path, 1)
    found = to_resume(place, tmp_path / "two")
    assert found is not None
    assert (found.path, found.unfinished) == (path, 1)


def test_without_a_pointer_the_folder_tells(tmp_path: Path, place: Place) -> None:
    assert to_resume(place, tmp_path / "nowhere") is None
    path = open_game(tmp_path, server="http://LOCALHOST:8000/")
    write_run(tmp_path, [])  # a run that failed at once
    write_run(tmp_path, [1.0], ids=("c",))
    found = to_resume(place, tmp_path)
    assert found is not None and found.path == path


@pytest.mark.parametrize("results", [[1.0], []], ids=["the game has ended", "the game was never opened"])
def test_the_journal_decides_that_a_pointer_is_stale(tmp_path: Path, place: Place, results: list[float]) -> None:
    place.point_to(write_run(tmp_path / "one", results), 1)
    assert to_resume(place, tmp_path / "two") is None
    assert place.unfinished is None


def test_the_journal_decides_which_game_it_is(tmp_path: Path, place: Place) -> None:
    place.point_to(write_run(tmp_path, [1.0, None]), 1)
    found = to_resume(place, tmp_path / "two")
    assert found is not None and found.unfinished == 2


def test_a_folder_that_was_moved_is_found_by_the_files_name(tmp_path: Path, place: Place) -> None:
    path = open_game(tmp_path / "one")
    place.point_to(path, 1)
    (tmp_path / "one").rename(tmp_path / "two")
    found = to_resume(place, tmp_path / "two")
    assert found is not None and found.path == tmp_path / "two" / path.name


def test_a_journal_that_has_been_read_is_not_read_again(
    tmp_path: Path, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.point_to(open_game(tmp_path), 1)
    last = read_history(tmp_path, ME).last
    monkeypatch.setattr("bot.course.journal.state.read_journal", None)
    assert last is not None and unfinished_game(place, tmp_path, last) is last


@pytest.mark.parametrize("damage", ["deleted", "emptied", "overwritten", "another player's", "a folder"])
def test_a_journal_that_is_gone_is_said_with_what_to_do(tmp_path: Path, place: Place, damage: str) -> None:
    path = open_game(tmp_path / "one")
    place.point_to(path, 1)
    if damage == "another player's":
        path.write_bytes(path.read_bytes().replace(b'["a","b"]', b'["c"]'))
    elif damage in ("deleted", "a folder"):
        path.unlink()
    else:
        path.write_bytes({"emptied": b"", "overwritten": b"\x00\xff\n" * 50}[damage])
    if damage == "a folder":
        path.mkdir()
    with pytest.raises(JournalError) as raised:
        to_resume(place, tmp_path / "two")
    assert raised.value.exit_code == 2
    assert str(path) in raised.value.message
    assert "Game 1 of a+b at http://localhost:8000 is unfinished" in raised.value.message
    assert "--fresh" in raised.value.hint
    assert place.unfinished is not None, "the next attempt must find it again"
    assert to_resume(place, tmp_path / "two", fresh=True) is None
    assert place.unfinished is None


# Journals of earlier editions.


@pytest.mark.parametrize("schema", [b"1", b"2"])
@pytest.mark.parametrize("by_pointer", [True, False])
def test_an_unfinished_game_of_an_earlier_edition_stops_the_run_unless_it_is_given_up(
    tmp_path: Path, place: Place, schema: bytes, by_pointer: bool
) -> None:
    path = tmp_path / "one" / "000001-20260101T000000Z-a+b.jsonl"
    path.parent.mkdir()
    path.write_bytes(OLD.replace(b'"schema":2', b'"schema":' + schema) + OLD_GAME)
    logs = path.parent
    if by_pointer:
        place.point_to(path, 2)
        logs = tmp_path / "two"
    with pytest.raises(BotError, match=r"[Gg]ame .*of .* is unfinished") as raised:
        to_resume(place, logs)
    assert raised.value.exit_code == 2
    reason = f"has schema {schema.decode()}" if by_pointer else "earlier edition"
    assert reason in raised.value.message and str(path) in raised.value.message
    assert "--fresh" in raised.value.hint
    assert to_resume(place, logs, fresh=True) is None
    assert place.unfinished is None


@pytest.mark.parametrize(
    "content",
    [
        OLD,
        OLD.replace(b'["b","a"]', b'["c"]') + OLD_GAME,
        OLD + OLD_GAME + b'{"type":"game_end","game":2,"result":1}\n',
        OLD.replace(b'"schema":2', b'"schema":4') + OLD_GAME,
        b'{"type":"run","schema":2}\n',
    ],
    ids=["finished", "another player's", "finished two", "of a later edition", "of nobody"],
)
def test_any_other_journal_of_another_edition_is_passed_over(tmp_path: Path, place: Place, content: bytes) -> None:
    (tmp_path / "000001-x.jsonl").write_bytes(content)
    assert to_resume(place, tmp_path) is None


def test_only_the_newest_journal_of_an_earlier_edition_counts(tmp_path: Path, place: Place) -> None:
    (tmp_path / "000001-x.jsonl").write_bytes(OLD + OLD_GAME)
    path = write_run(tmp_path, [1.0])
    assert to_resume(place, tmp_path) is None
    path.unlink()
    (tmp_path / "000002-x.jsonl").write_bytes(OLD)
    assert to_resume(place, tmp_path) is None
