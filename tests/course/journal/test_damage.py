"""Damaged and foreign files: readable lines are used, the others are reported, and no file stops a run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.course.address import Identity
from bot.course.journal.reader import NO_HEADER, journal_files, journals, parse_journal, read_journal
from bot.course.journal.verify import game_problems
from bot.course.journal.writer import JournalWriter
from bot.course.run.history import read_history
from bot.course.run.standings import standings_of
from bot.course.session.events import Note
from bot.errors import JournalError
from tests.course.journal.build import IDS, SERVER, Recorder, Server, died_after, recorded, started, unheard, write_run
from tests.course.journal.memory import MemorySink

WIN = (3, 3, 3, 3)
ME = Identity.of(SERVER, IDS)
CONTENT = recorded((3, 3, 3, 4, 3, *WIN, *WIN), {3: unheard, 4: unheard}, games=3)
LINES = CONTENT.splitlines(keepends=True)
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
    b'{"type":"weather"}',
    b'{"type":"intent","at":1,"game":"one","move":3}',
    b'{"type":"intent","at":1,"game":1,"move":7}',
    b'{"type":"intent","at":1,"game":1,"move":3,"pv":"x"}',
    b'{"type":"reply","at":1,"game":1,"reply":{"status":true,"state":[[9]]}}',
    b'{"type":"reply","at":1,"game":1,"body_s":-1,"reply":{"status":true}}',
    b'{"type":"failed","at":1,"delivery":"unknown","message":"x","delivered":2}',
    b'{"type":"game_end","game":1,"result":"won","known_by":"reply"}',
    b'{"type":"run_end"}',
]


def use(content: bytes) -> None:
    """Do everything with a journal that readers do: nothing of it raises."""
    journal = parse_journal(content)
    standings_of([journal])
    for game in journal.games:
        game_problems(game)
        assert (game.number, game.moves, game.our_moves, game.we_started) and game.number > 0
        assert all(step.met is None or step.number for step in game.steps)
    recorder = Recorder(JournalWriter(MemorySink()), journal.session)
    recorder.take(started(game=journal.session.number))
    recorder.play(Server())


@pytest.mark.parametrize("rubbish", RUBBISH, ids=lambda rubbish: rubbish[:60].decode(errors="replace"))
@pytest.mark.parametrize("place", [1, 8, len(LINES) - 1])
def test_a_damaged_line_is_skipped_and_named(rubbish: bytes, place: int) -> None:
    journal = parse_journal(b"".join([*LINES[:place], rubbish + b"\n", *LINES[place:]]))
    whole = parse_journal(CONTENT)
    assert [line.number for line in journal.damaged] == [place + 1]
    assert f"Line {place + 1} is damaged" in str(journal.damaged[0])
    assert journal.header == whole.header
    assert journal.games == whole.games


def test_fields_that_a_later_version_adds_are_no_damage() -> None:
    added = b'{"type":"intent","at":1,"game":3,"move":3,"mood":[]}\n'
    assert parse_journal(CONTENT + added).damaged == []


@pytest.mark.parametrize("line", range(1, len(LINES)))
def test_each_line_may_be_missing(line: int) -> None:
    content = b"".join([*LINES[:line], b"\x00\n", *LINES[line + 1 :]])
    journal = parse_journal(content)
    assert [damage.number for damage in journal.damaged] == [line + 1]
    assert [game.number for game in journal.games] == [game.number for game in parse_journal(CONTENT).games]
    assert all(game.result is not None for game in journal.games[:-1]), "an end is known from the reply or its record"
    assert journal.unfinished in (None, journal.games[-1].number)
    use(content)


@pytest.mark.parametrize("header", [b"", b"\x00", b'{"type":"run","schema":3,"server":5,"stil_ids":["a"]}'])
def test_a_journal_without_its_header_can_be_read_but_belongs_to_no_player(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "000001-a.jsonl"
    path.write_bytes(header + b"\n" + b"".join(LINES[1:]))
    journal = read_journal(path)
    assert journal.header is NO_HEADER
    assert journal.games == parse_journal(CONTENT).games
    assert journal.damaged[0].number == 1
    notes: list[str] = []
    assert list(journals(tmp_path, ME, notes.append)) == []
    assert len(notes) == 1 and "header" in notes[0]


def test_a_run_whose_header_was_never_written_is_named_too() -> None:
    journal = parse_journal(b"".join(LINES[1:]))
    assert [str(line) for line in journal.damaged] == [
        "Line 1 is damaged and was skipped: the run's header is missing."
    ]


@given(st.binary(max_size=400), st.integers(0, len(CONTENT)), st.integers(0, 400))
def test_any_damage_can_be_read(rubbish: bytes, start: int, length: int) -> None:
    content = CONTENT[:start] + rubbish + CONTENT[start + length :]
    try:
        use(content)
    except JournalError as error:
        assert error.message.endswith(".")


@given(st.lists(st.integers(0, len(LINES) - 1), max_size=40))
def test_lines_in_any_order_can_be_read(order: list[int]) -> None:
    use(LINES[0] + b"".join(LINES[index] for index in order))


WRONG: list[Any] = [None, True, "x", -1, 0, 43, 1.5, 1e300, float("nan"), [], [9], [3, 3, 3, 3, 3, 3, 3, 3], {"a": 1}]


def one_of_each() -> Iterator[Any]:
    """Yield each field of the first record of each type, and the record's index."""
    seen: set[str] = set()
    for index, line in enumerate(LINES):
        record = json.loads(line)
        if record["type"] not in seen:
            seen.add(record["type"])
            for name in record:
                yield pytest.param(index, (name,), id=f"{record['type']}.{name}")
            for name in record.get("reply") or ():
                yield pytest.param(index, ("reply", name), id=f"{record['type']}.reply.{name}")


@pytest.mark.parametrize(("index", "place"), list(one_of_each()))
def test_a_wrong_value_in_any_field_of_any_record_stops_no_reader(index: int, place: tuple[str, ...]) -> None:
    for value in WRONG:
        record = json.loads(LINES[index])
        inner = record
        for name in place[:-1]:
            inner = inner[name]
        inner[place[-1]] = value
        changed = json.dumps(record).encode() + b"\n"
        if place == ("schema",):
            continue  # another schema is refused
        use(b"".join([*LINES[:index], changed, *LINES[index + 1 :]]))


def test_after_damage_the_servers_board_is_the_truth_and_the_games_keep_their_numbers() -> None:
    server = Server()
    content = recorded((3, 3), {3: died_after}, server=server)
    for line in range(1, content.count(b"\n")):
        lines = content.splitlines(keepends=True)
        lines[line] = b"damaged\n"
        journal = parse_journal(b"".join(lines))
        assert [game.number for game in journal.games] == [1], line
        assert journal.unfinished == 1
        copy = Server(grid=[list(row) for row in server.grid or ()])
        sink = MemorySink(b"".join(lines))
        recorder = Recorder(JournalWriter(sink), journal.session)
        recorder.take(started(game=journal.session.number, is_damaged=True))
        recorder.play(copy, (3, 3))
        assert copy.results == [1.0], "no move is sent blind"
        after = parse_journal(sink.content)
        assert [(game.number, game.result) for game in after.games] == [(1, 1.0)], line
        notes = [record.kind for _, record in after.records if isinstance(record, Note)]
        assert "conflicting_reply" not in notes


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
        "strange.jsonl": b'{"type":"run","schema":3,"server":["s"],"stil_ids":7}\n',
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
    path = write_run(tmp_path, [1.0])
    notes: list[str] = []
    assert [journal.path for journal in journals(tmp_path, notify=notes.append)] == [path]
    assert len(notes) == len(foreign)
    assert all(any(str(path) in note for note in notes) for path in foreign)
    assert all("ignored" in note for note in notes)
    assert {path: path.read_bytes() for path in foreign} == before


def test_a_file_that_may_not_be_read_is_ignored_with_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_run(tmp_path, [1.0])
    other = tmp_path / "000009-x.jsonl"
    other.write_bytes(path.read_bytes())
    read = Path.read_bytes

    def guarded(self: Path) -> bytes:
        if self == other:
            raise PermissionError(13, "Permission denied")
        return read(self)

    monkeypatch.setattr(Path, "read_bytes", guarded)
    notes: list[str] = []
    assert [journal.path for journal in journals(tmp_path, notify=notes.append)] == [path]
    assert len(notes) == 1 and "Permission denied" in notes[0]


def test_a_folder_that_is_none_holds_no_journals(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "nowhere", tmp_path / "file"):
        assert (journal_files(folder), list(journals(folder))) == ([], [])


def test_a_damaged_journal_of_the_player_is_used_with_a_note(tmp_path: Path) -> None:
    path = write_run(tmp_path, [1.0])
    path.write_bytes(path.read_bytes().replace(b'"type":"intent"', b'"type":"int', 2))
    notes: list[str] = []
    (journal,) = journals(tmp_path, ME, notes.append)
    assert [game.result for game in journal.games] == [1.0]
    (number,) = {line.number for line in journal.damaged[:1]}
    assert notes == [f"In the journal {path}, 2 lines are damaged and skipped (the first: line {number})."]


def test_an_unfinished_game_is_found_past_damage(tmp_path: Path) -> None:
    lines = recorded((3, 3), {3: died_after}).splitlines(keepends=True)
    (tmp_path / "000001-x.jsonl").write_bytes(b"".join([*lines[:4], b"rubbish\n", *lines[4:]]))
    foreign_files(tmp_path)
    found = read_history(tmp_path, ME).last
    assert found is not None and found.unfinished == 1 and len(found.damaged) == 1
