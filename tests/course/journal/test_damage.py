"""Damaged and foreign files: readable lines are used, the others are reported, and no file stops a run."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from bot.course.run.resume import fold
from hypothesis import given
from hypothesis import strategies as st

from bot.course.journal.reader import NO_HEADER, journal_files, journals, parse_journal, parse_records, read_journal
from bot.course.journal.schema import FIELDS, complaint
from bot.course.journal.state import Identity, hold, unfinished_game
from bot.course.journal.verify import count_problems, replay_game
from bot.course.run.standings import standings_of
from bot.course.session.events import Started
from bot.course.session.machine import step
from bot.course.session.state import Session
from bot.errors import JournalError
from tests.course.journal.schema1 import CASES, path_of
from tests.course.journal.test_journal import write_game
from tests.processes import bot_here

FINISHED = path_of("finished").read_bytes()
LINES = FINISHED.splitlines(keepends=True)
RUBBISH = [
    b"no json",
    b"",
    b"\x00" * 300,
    b"\xff\xfe\x00{",
    b"[1]",
    b"5",
    b'"text"',
    b"null",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"type":5}',
    b'{"type":"intent","game":"1","move":3}',
    b'{"type":"intent","game":1,"move":true}',
    b'{"type":"intent","game":1,"move":7}',
    b'{"type":"intent","game":1,"move":3,"pv":"x"}',
    b'{"type":"reply","game":1,"state":[[9]]}',
    b'{"type":"reply","game":1,"status":"yes"}',
    b'{"type":"reply","game":1,"latency_s":-1}',
    b'{"type":"game_end","game":1,"result":NaN}',
    b'{"type":"game_end","game":1,"result":1' + b"0" * 400 + b"}",
    b'{"type":"event","game":1,"kind":"statistics","played":3}',
    b'{"type":"event","game":1,"kind":"resynchronised"}',
    b'{"type":"event","game":1,"kind":"silent_start","ended":[{"game":1}]}',
    b'{"type":"event","game":1,"kind":"reply_lost","delivered":2}',
    b'{"type":"run_end"}',
]


def resumed(content: bytes) -> Session:
    """The session that goes on from a journal of these bytes."""
    session = fold(line.record for line in parse_records(content) if line.record is not None)
    return step(session, Started(0.0, 1))[0]


@pytest.mark.parametrize("rubbish", RUBBISH, ids=lambda rubbish: rubbish[:40].decode(errors="replace"))
@pytest.mark.parametrize("place", [1, 8, len(LINES) - 1])
def test_a_damaged_line_is_skipped_and_named(rubbish: bytes, place: int) -> None:
    journal = parse_journal(b"".join([*LINES[:place], rubbish + b"\n", *LINES[place:]]))
    whole = parse_journal(FINISHED)
    assert [damage.line for damage in journal.damaged] == [place + 1]
    assert f"Line {place + 1} is damaged" in str(journal.damaged[0])
    assert journal.header == whole.header
    assert [game.records for game in journal.games] == [game.records for game in whole.games]


def test_fields_that_a_later_version_adds_are_no_damage() -> None:
    added = (
        b'{"type":"intent","game":3,"move":3,"mood":[]}\n{"type":"weather","game":"x"}\n{"type":"event","kind":"?"}\n'
    )
    assert parse_journal(FINISHED + added).damaged == []


@pytest.mark.parametrize("line", range(1, len(LINES)))
def test_each_line_may_be_missing(line: int) -> None:
    content = b"".join([*LINES[:line], b"\x00\n", *LINES[line + 1 :]])
    journal = parse_journal(content)
    assert len(journal.damaged) == 1
    results = [game.result for game in journal.games]
    assert results[:2] == [1.0, 1.0], "a lost end is known from the game's last reply, if another game follows"
    for game in journal.games:
        replay_game(game)
    resumed(content)


@pytest.mark.parametrize("header", [b"", b"\x00", b'{"type":"run","schema":1,"server":5,"stil_ids":["a"]}'])
def test_a_journal_without_its_header_can_be_read_but_belongs_to_no_player(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "000001-a.jsonl"
    path.write_bytes(header + b"\n" + b"".join(LINES[1:]))
    journal = read_journal(path)
    assert journal.header is NO_HEADER
    assert [game.result for game in journal.games] == [1.0, 1.0, 1.0]
    assert journal.damaged[0].line == 1
    notes: list[str] = []
    assert list(journals(tmp_path, "http://127.0.0.1:8000", ["test-student"], notes.append)) == []
    assert len(notes) == 1 and "header" in notes[0]


def test_a_run_whose_header_was_never_written_is_named_too() -> None:
    journal = parse_journal(b"".join(LINES[1:]))
    assert [str(damage) for damage in journal.damaged] == [
        "Line 1 is damaged and was skipped: the run's header is missing."
    ]


@given(st.binary(max_size=400), st.integers(0, len(FINISHED)), st.integers(0, 400))
def test_any_damage_can_be_read(rubbish: bytes, start: int, length: int) -> None:
    content = FINISHED[:start] + rubbish + FINISHED[start + length :]
    try:
        journal = parse_journal(content)
    except JournalError as error:
        assert error.message.endswith(".")
        return
    standings_of([journal])
    resumed(content)
    assert journal.unfinished is None or journal.unfinished in journal.games
    for game in journal.games:
        replay_game(game)


WRONG: list[Any] = [None, True, "x", -1, 0, 43, 1.5, 1e300, float("nan"), [], [9], {"a": 1}]


def one_of_each() -> dict[str, tuple[str, int]]:
    """The shortest case with each kind of record, and the index of the record."""
    found: dict[str, tuple[str, int]] = {}
    for case in sorted(CASES, key=lambda case: path_of(case).stat().st_size):
        for index, line in enumerate(parse_records(path_of(case).read_bytes())):
            if line.record is not None:
                found.setdefault(str(line.record.get("kind", line.record["type"])), (case, index))
    return found


@pytest.mark.parametrize(("case", "index"), one_of_each().values(), ids=one_of_each())
def test_a_wrong_value_in_any_field_of_any_record_stops_no_reader(case: str, index: int) -> None:
    lines = [line.record for line in parse_records(path_of(case).read_bytes()) if line.record is not None]
    is_read_without_it = False
    for name in FIELDS[lines[index]["type"]]:
        for value in WRONG:
            if name == "schema" and value == 43:
                continue  # a later schema is refused
            changed = [*lines[:index], {**lines[index], name: value}, *lines[index + 1 :]]
            content = "".join(json.dumps(record) + "\n" for record in changed).encode()
            journal = parse_journal(content)
            is_damaged = complaint(changed[index]) is not None
            assert len(journal.damaged) == is_damaged
            if is_damaged and is_read_without_it:
                continue  # a line that is skipped has no effect, whatever is wrong with it
            is_read_without_it |= is_damaged
            standings_of([journal])
            resumed(content)
            for game in journal.games:
                replay_game(game)


# A folder with other files in it.


def foreign_files(logs: Path) -> list[Path]:
    """Files that are named like journals but are none."""
    logs.mkdir(exist_ok=True)
    contents = {
        "notes.jsonl": b"# a Markdown file\n\nwith text\n",
        "table.jsonl": b'{"id": 1, "name": "x"}\n{"id": 2}\n',
        "types.jsonl": b'{"type": "weather"}\n{"type": "weather"}\n',
        "binary.jsonl": bytes(range(256)) * 40,
        "newer.jsonl": b'{"type":"run","schema":99,"server":"s","stil_ids":[]}\n',
    }
    for name, content in contents.items():
        (logs / name).write_bytes(content)
    (logs / "empty.jsonl").touch()
    (logs / "000000-folder.jsonl").mkdir()
    (logs / "link.jsonl").symlink_to(logs / "nowhere")
    os.mkfifo(logs / "pipe.jsonl")
    return [logs / name for name in contents]


def test_foreign_files_are_ignored_with_a_note_each_and_left_as_they_are(tmp_path: Path) -> None:
    foreign = foreign_files(tmp_path)
    before = {path: path.read_bytes() for path in foreign}
    path = write_game(tmp_path)
    notes: list[str] = []
    assert [journal.path for journal in journals(tmp_path, notify=notes.append)] == [path]
    assert sorted(notes) == notes or len(notes) == len(foreign)
    assert all(any(str(path) in note for note in notes) for path in foreign)
    assert all("ignored" in note for note in notes)
    assert {path: path.read_bytes() for path in foreign} == before


def test_a_file_that_may_not_be_read_is_ignored_with_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_game(tmp_path)
    other = tmp_path / "000009-x.jsonl"
    other.write_bytes(path.read_bytes())
    opened, read = Path.open, Path.read_bytes

    def guarded(inner: Any) -> Any:
        def call(self: Path, *arguments: Any, **options: Any) -> Any:
            if self == other:
                raise PermissionError(13, "Permission denied")
            return inner(self, *arguments, **options)

        return call

    monkeypatch.setattr(Path, "open", guarded(opened))
    monkeypatch.setattr(Path, "read_bytes", guarded(read))
    notes: list[str] = []
    assert [journal.path for journal in journals(tmp_path, notify=notes.append)] == [path]
    assert len(notes) == 1 and "Permission denied" in notes[0]


def test_a_folder_that_is_none_holds_no_journals(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "nowhere", tmp_path / "file"):
        assert (journal_files(folder), list(journals(folder))) == ([], [])


def test_a_damaged_journal_of_the_player_is_used_with_a_note(tmp_path: Path) -> None:
    path = write_game(tmp_path)
    path.write_bytes(path.read_bytes().replace(b'"type":"intent"', b'"type":"int', 2))
    notes: list[str] = []
    (journal,) = journals(tmp_path, "http://x", ["b", "a"], notes.append)
    assert [game.result for game in journal.games] == [1.0]
    assert notes == [f"In the journal {path}, 2 lines are damaged and skipped (the first: line 2)."]


def test_an_unfinished_game_is_resumed_past_damage(tmp_path: Path) -> None:
    lines = path_of("killed_after_reply").read_bytes().splitlines(keepends=True)
    (tmp_path / "000001-x.jsonl").write_bytes(b"".join([*lines[:4], b"rubbish\n", *lines[4:]]))
    foreign_files(tmp_path)
    notes: list[str] = []
    with hold(Identity.of("http://localhost:8000", ["test-student"]), tmp_path, notes.append) as place:
        found = unfinished_game(place, tmp_path)
    assert found is not None and found.game.number == 1


# The commands.


def test_a_run_plays_beside_foreign_and_damaged_files(tmp_path: Path) -> None:
    foreign_files(tmp_path / "logs")
    (tmp_path / "logs" / "000001-x.jsonl").write_bytes(b"rubbish\n".join(LINES[:3]))
    done = bot_here("play", "--games", "1", "--goal", "1", "--think", "0.05", "--opponent", "random", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "notes.jsonl" in done.stdout and "ignored" in done.stdout
    streak = bot_here("streak", "--goal", "1", "--offline", cwd=tmp_path)
    assert streak.returncode == 0, streak.stderr
    assert "1 played" in streak.stdout and "notes.jsonl" in streak.stderr


def test_replay_shows_the_readable_part_and_names_the_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join([*LINES[:3], b"rubbish\n", *LINES[3:]]))
    shown = bot_here("replay", str(path), cwd=tmp_path)
    assert shown.returncode == 4
    assert "Line 4 is damaged and was skipped: it is not JSON." in shown.stdout
    assert "Game 3: we started, won" in shown.stdout
    assert "1 problem." in shown.stdout
    report = json.loads(bot_here("replay", str(path), "--json", cwd=tmp_path).stdout)
    assert report["damaged"] == [{"line": 4, "reason": "it is not JSON"}]
    assert (report["problems"], len(report["games"])) == (1, 3)
    assert bot_here("replay", str(path_of("finished")), "--verify", cwd=tmp_path).returncode == 0


def test_replay_of_a_file_that_is_no_journal_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Title\n\ntext\n")
    done = bot_here("replay", "notes.md", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.strip() == "bot: The file notes.md is not a journal: it holds no record of a game."


def test_the_ends_of_damaged_runs_are_counted_as_far_as_they_are_known() -> None:
    end = next(index for index, line in enumerate(LINES) if b'"game_end"' in line)
    content = b"".join([*LINES[:end], b"\x00\n", *LINES[end + 1 :]])
    assert standings_of([parse_journal(content)]).won == 3


def test_the_counts_of_a_damaged_run_are_compared_with_what_is_readable(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"rubbish\n".join([LINES[0], b"".join(LINES[1:])]))
    assert count_problems(path) == []
    with pytest.raises(JournalError):
        count_problems(tmp_path / "none.jsonl")
