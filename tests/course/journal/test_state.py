"""Per-user state: one run at a time for a player, and the unfinished game found from any folder."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bot.course.address import Identity
from bot.course.journal import lock
from bot.course.journal.reader import Journal
from bot.course.journal.state import Place, hold, state_folder, unfinished_game
from bot.course.run.history import read_history
from bot.errors import BotError, JournalError, UsageError
from tests.course.journal.build import SERVER, write_run
from tests.processes import running

ME = Identity.of(SERVER, ["b", "a"])
HOLDER = """
import sys
from pathlib import Path
from bot.course.address import Identity
from bot.course.journal.state import hold
with hold(Identity.of(sys.argv[1], ("b", "a")), Path(sys.argv[2])):
    print("held", flush=True)
    sys.stdin.read()
"""
OLD = (
    b'{"type":"run","schema":2,"server":"http://localhost:8000/","stil_ids":["b","a"]}\n'
    b'{"type":"intent","game":1,"move":-1}\n{"type":"game_end","game":1,"result":1}\n'
)
"""A journal of the second edition with one finished game."""
OLD_GAME = b'{"type":"intent","game":2,"move":-1}\n{"type":"reply","game":2,"status":true}\n'


def to_resume(place: Place, logs: Path, *, fresh: bool = False) -> Journal | None:
    """Return the journal whose game the next run resumes."""
    return unfinished_game(place, logs, read_history(logs, place.identity, fresh=fresh).last, fresh=fresh)


@pytest.fixture
def notes() -> list[str]:
    return []


@pytest.fixture
def place(notes: list[str]) -> Place:
    return Place(ME, state_folder(), notes.append)


def test_the_folder_is_the_users_unless_the_environment_names_another(monkeypatch):
    monkeypatch.setenv("BOT_STATE_DIR", "somewhere")
    assert state_folder() == Path("somewhere").absolute()
    monkeypatch.delenv("BOT_STATE_DIR")
    assert state_folder().is_absolute() and "bot-connect-four" in str(state_folder())


# The lock.


def test_a_second_run_is_refused_until_the_first_has_died(tmp_path):
    command = [sys.executable, "-c", HOLDER, "http://LOCALHOST:8000/move", str(tmp_path / "one")]
    with running(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match=str(process.pid)), hold(ME, tmp_path / "two"):
            pass
        (holder,) = lock.holders(state_folder(), tmp_path)
        assert f"process {process.pid}, as a+b" in holder
        with hold(Identity.of(SERVER, ["a"]), tmp_path), hold(Identity.of("http://y", ["a", "b"]), tmp_path):
            pass  # another player, another server: not in the way
    with hold(ME, tmp_path / "two"):
        pass
    assert lock.holders(state_folder(), tmp_path) == []


def test_embedded_servers_of_different_folders_do_not_disturb_each_other(tmp_path):
    embedded = Identity.of("embedded", ["a", "b"])
    with hold(embedded, tmp_path / "one") as one, hold(embedded, tmp_path / "two") as two:
        with pytest.raises(UsageError), hold(embedded, tmp_path / "one"):
            pass
        for place, logs in ((one, tmp_path / "one"), (two, tmp_path / "two")):
            path = write_run(logs, [None], server="embedded")
            place.point_to(path, 1)
            found = to_resume(place, logs)
            assert found is not None and found.path == path
    assert not state_folder().exists()


def test_a_state_folder_that_cannot_be_written_does_not_stop_play(tmp_path, monkeypatch, notes):
    (tmp_path / "file").touch()
    monkeypatch.setenv("BOT_STATE_DIR", str(tmp_path / "file" / "below"))
    logs = tmp_path / "logs"
    with hold(ME, logs, notes.append) as place:
        assert len(notes) == 1 and str(logs) in notes[0] and "BOT_STATE_DIR" in notes[0]
        with pytest.raises(UsageError), hold(ME, logs):
            pass
        path = write_run(logs, [None])
        place.point_to(path, 1)
        place.point_to(path, 2)
        assert len(notes) == 2 and "--logs" in notes[1]
        found = to_resume(place, logs)
        assert found is not None and found.unfinished == 1
        place.clear()
    with pytest.raises(JournalError, match="logs"), hold(ME, tmp_path / "file" / "logs"):
        pass


# The pointer.


def test_a_pointer_is_private_on_the_disk_and_comes_back_as_it_was_written(tmp_path, place, monkeypatch):
    done: list[str] = []
    fsync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda descriptor: (done.append("synced"), fsync(descriptor)))
    monkeypatch.setattr(Path, "replace", lambda path, target: (done.append("renamed"), replace(path, target)))
    for game in (3, 4, 4):
        place.point_to(tmp_path / "b\udcff.jsonl", game)
    assert done == ["synced", "renamed", "synced"] * 2, "what is stored is not written again"
    pointer = place.unfinished
    assert pointer is not None and (pointer.journal, pointer.game) == (tmp_path / "b\udcff.jsonl", 4)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (place.pointer_file, place.folder)]
    assert modes == [0o600, 0o700]
    place.clear()
    place.clear()
    assert place.unfinished is None and list(place.folder.iterdir()) == []
    place.point_to(tmp_path / "b\udcff.jsonl", 4)
    assert place.unfinished == pointer


@pytest.mark.parametrize("failing", ["write", "fsync", "replace", "a short write"])
def test_a_failure_leaves_the_old_pointer_and_no_rubbish(tmp_path, place, notes, monkeypatch, failing):
    place.point_to(tmp_path / "old.jsonl", 1)
    before = place.unfinished

    def fails(*_arguments):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        if failing == "a short write":
            broken.setattr(os, "write", lambda _descriptor, data: len(data) - 1)
        else:
            broken.setattr(Path if failing == "replace" else os, failing, fails)
        place.point_to(tmp_path / "new.jsonl", 2)
    assert place.unfinished == before and "No space left" in notes[0]
    assert list(place.folder.iterdir()) == [place.pointer_file]


@pytest.mark.parametrize("content", [b"", b"\0" * 200, b"[]", b'{"journal": "x"}', b'{"journal": 1, "game": "z"}'])
def test_a_damaged_pointer_is_none_and_named(place, notes, content, tmp_path):
    place.folder.mkdir()
    place.pointer_file.write_bytes(content)
    assert place.unfinished is to_resume(place, tmp_path) is None and "damaged" in notes[0]


# The game that a run must resume.


@pytest.mark.parametrize(("results", "unfinished"), [([None], 1), ([1.0, None], 2), ([1.0], None), ([], None)], ids=str)
def test_the_journal_decides_whether_a_game_is_unfinished_and_which(tmp_path, place, results, unfinished):
    path = write_run(tmp_path / "one", results)
    place.point_to(path, 1)
    found = to_resume(place, tmp_path / "two")
    assert (found and found.unfinished, place.unfinished is None) == (unfinished, unfinished is None)
    (tmp_path / "one").rename(tmp_path / "two")  # the folder was moved
    found = to_resume(place, tmp_path / "two")
    assert (found and found.path) == (tmp_path / "two" / path.name if unfinished else None)


def test_without_a_pointer_the_folder_shows_it(tmp_path, place):
    assert to_resume(place, tmp_path / "nowhere") is None
    path = write_run(tmp_path, [None], server="http://LOCALHOST:8000/")
    write_run(tmp_path, [])  # a run that failed at once
    write_run(tmp_path, [1.0], ids=("c",))
    found = to_resume(place, tmp_path)
    assert found is not None and found.path == path


@pytest.mark.parametrize("content", [None, b"", b"\0\xff\n" * 50, b'["c"]'], ids=repr)
def test_a_journal_that_is_gone_stops_the_run_unless_the_game_is_given_up(tmp_path, place, content):
    path = write_run(tmp_path / "one", [None])
    place.point_to(path, 1)
    if content is None:
        path.unlink()
    else:
        path.write_bytes(path.read_bytes().replace(b'["a","b"]', content) if content == b'["c"]' else content)
    with pytest.raises(JournalError) as raised:
        to_resume(place, tmp_path / "two")
    assert str(path) in raised.value.message and "--fresh" in raised.value.hint
    assert raised.value.message.startswith("Game 1 of a+b at http://localhost:8000 is unfinished")
    assert place.unfinished is not None, "the next attempt must find it again"
    assert to_resume(place, tmp_path / "two", fresh=True) is place.unfinished is None


@pytest.mark.parametrize("by_pointer", [True, False])
def test_an_unfinished_game_of_an_earlier_edition_stops_the_run_unless_it_is_given_up(tmp_path, place, by_pointer):
    path = tmp_path / "one" / "000001-x.jsonl"
    path.parent.mkdir()
    path.write_bytes(OLD + OLD_GAME)
    logs = tmp_path / "two" if by_pointer else path.parent
    if by_pointer:
        place.point_to(path, 2)
    with pytest.raises(BotError, match=r"[Gg]ame .*of .* is unfinished") as raised:
        to_resume(place, logs)
    assert ("has schema 2" if by_pointer else "earlier edition") in raised.value.message
    assert str(path) in raised.value.message and "--fresh" in raised.value.hint
    assert to_resume(place, logs, fresh=True) is place.unfinished is None


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
def test_any_other_journal_of_another_edition_is_passed_over(tmp_path, place, content):
    (tmp_path / "000001-x.jsonl").write_bytes(OLD + OLD_GAME)
    (tmp_path / "000002-x.jsonl").write_bytes(content)
    if content.startswith(b'{"type":"run","schema":2,"server":"http://localhost:8000/","stil_ids":["b"'):
        assert to_resume(place, tmp_path) is None, "only the newest one counts"
    (tmp_path / "000001-x.jsonl").unlink()
    assert to_resume(place, tmp_path) is None
