"""The journal as it is written and read: whole games, torn lines, kills, clocks that jump."""

from __future__ import annotations

import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.course.journal.reader import journals, parse_journal, read_journal
from bot.course.journal.sink import MemorySink
from bot.course.journal.verify import replay_game
from bot.course.journal.writer import JournalWriter
from bot.errors import JournalError
from tests.processes import running

HEADER: dict[str, Any] = {"server": "http://x", "url": "http://x", "stil_ids": ["a", "b"], "engine": "mtdf"}
EMPTY = [[0] * 7 for _ in range(6)]


def grid(*rows: str) -> list[list[int]]:
    """A board from strings of X (ours), O (the bot's) and dots, top row first; missing upper rows are empty."""
    drawn = [[{"X": 1, "O": -1, ".": 0}[cell] for cell in row] for row in rows]
    return [[0] * 7 for _ in range(6 - len(drawn))] + drawn


def write_game(folder: Path) -> Path:
    writer = JournalWriter.create(folder, "a+b", **HEADER)
    writer.intent(1, -1, 0)
    writer.reply(1, status=True, msg="go", botmove=-1, result=0.0, state=EMPTY, latency_s=0.01)
    board = [
        ("...X...", 1), ("...X...", 2), ("...X...", 3),
    ]  # fmt: skip
    for height, _ in enumerate(board, start=1):
        writer.intent(1, 3, 2 * height - 2, score=1.0, proven=False, pv=[3])
        rows = ["O..X..."] * height
        writer.reply(1, status=True, msg=None, botmove=0, result=0.0, state=grid(*rows), latency_s=0.01)
    writer.intent(1, 3, 6, score=18.0, proven=True, pv=[3])
    last = grid("...X...", *["O..X..."] * 3)
    writer.reply(1, status=True, msg="The game has ended.", botmove=-1, result=1.0, state=last, latency_s=0.01)
    writer.game_end(1, 1.0, moves="4141414", we_started=True, known_by="reply")
    writer.run_end("finished", played=1, won=1, drawn=0, lost=0)
    writer.close()
    return writer.path


def test_a_game_is_read_as_it_was_written(tmp_path: Path) -> None:
    journal = read_journal(write_game(tmp_path))
    assert (journal.server, journal.stil_ids, journal.torn, journal.unfinished) == ("http://x", ("a", "b"), False, None)
    assert [game.result for game in journal.games] == [1.0]
    assert journal.end is not None and journal.end["won"] == 1
    assert replay_game(journal.games[0]).problems == []


@given(st.dictionaries(st.sampled_from(["later", "nodes2", "note"]), st.integers() | st.text() | st.none()))
def test_fields_of_later_versions_come_back_as_they_went_in(fields: dict[str, object]) -> None:
    sink = MemorySink()
    writer = JournalWriter(sink)
    writer.start(**HEADER)
    writer.intent(1, 3, 0, **fields)
    record = parse_journal(sink.content).games[0].records[0]
    assert {name: record[name] for name in fields} == fields


def test_a_journal_cut_off_anywhere_in_its_last_line_still_reads(tmp_path: Path) -> None:
    path = write_game(tmp_path)
    content = path.read_bytes()
    start = content.rstrip(b"\n").rfind(b"\n") + 1
    for end in range(start, len(content)):
        path.write_bytes(content[:end])
        journal = read_journal(path)
        assert journal.games[0].result == 1.0
        assert journal.end is None
        assert journal.torn == (end > start)


def test_writing_goes_on_after_a_torn_line(tmp_path: Path) -> None:
    path = write_game(tmp_path)
    path.write_bytes(path.read_bytes()[:-5])
    writer = JournalWriter.resume(path)
    writer.event(1, "resumed", "again")
    writer.close()
    journal = read_journal(path)
    assert not journal.torn
    assert journal.games[0].records[-1]["kind"] == "resumed"


def test_a_newer_schema_is_refused_and_unknown_records_are_passed_over(tmp_path: Path) -> None:
    path = write_game(tmp_path)
    content = path.read_text()
    path.write_text(content + '{"type":"weather","game":1}\n')
    journal = read_journal(path)
    assert (journal.games[0].result, journal.damaged) == (1.0, [])
    path.write_text(content.replace('"schema":2', '"schema":99', 1))
    with pytest.raises(JournalError, match="99"):
        read_journal(path)
    notes: list[str] = []
    assert list(journals(tmp_path, notify=notes.append)) == []
    assert len(notes) == 1 and "99" in notes[0]


@pytest.mark.parametrize("content", [b"", b'{"type":"run","sch'])
def test_a_run_that_died_at_birth_is_passed_over_in_a_folder_and_named_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "000001-x.jsonl"
    path.write_bytes(content)
    assert list(journals(tmp_path)) == []
    with pytest.raises(JournalError, match="empty"):
        read_journal(path)


def test_files_sort_in_the_order_of_creation_even_when_the_clock_is_set_back(tmp_path: Path) -> None:
    names = []
    for year in (2030, 2020, 2025):
        now = f"{year}-01-02T03:04:05.678+00:00"
        writer = JournalWriter.create(tmp_path, "x", now=partial(str, now), **HEADER)
        writer.close()
        assert read_journal(writer.path).header["time"] == now
        names.append(writer.path.name)
    assert names == ["000001-20300102T030405Z-x.jsonl", "000002-20200102T030405Z-x.jsonl", *names[2:]] == sorted(names)


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError):
        JournalWriter.create(tmp_path / "file" / "logs", "x", **HEADER)


def test_a_writer_killed_at_any_moment_leaves_a_journal_that_reads(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from bot.course.journal.writer import JournalWriter\n"
        "w = JournalWriter.create(Path(sys.argv[1]), 'x', server='s', stil_ids=['a'])\n"
        "for n in range(10**9): w.intent(1, n % 7, n, pv=list(range(7)) * 50)\n"
    )
    with running([sys.executable, "-c", code, str(tmp_path)]) as process:
        while not any(path.stat().st_size > 20_000 for path in tmp_path.glob("*.jsonl")):
            assert process.poll() is None, "the writer ended before its journal was long"
            time.sleep(0.01)
        process.kill()
    journal = read_journal(next(tmp_path.glob("*.jsonl")))
    assert len(journal.games[0].records) > 10


TAMPERINGS = [
    ('"botmove":0', '"botmove":5'),
    ('"move":3,"ply":2', '"move":2,"ply":2'),
    ("[-1,0,0,1,0,0,0]]", "[-1,0,0,1,0,0,1]]"),
    ("[-1,0,0,1,0,0,0]]", "[0,0,0,1,0,0,0]]"),
    ('"result":1.0,"outcome":"won"', '"result":-1.0,"outcome":"lost"'),
    ('"result":1.0,"outcome":"won"', '"result":0.5,"outcome":"drawn"'),
    ('"moves":"4141414"', '"moves":"4141415"'),
]


@pytest.mark.parametrize(("before", "after"), TAMPERINGS)
def test_every_tampering_is_found(tmp_path: Path, before: str, after: str) -> None:
    path = write_game(tmp_path)
    content = path.read_text()
    assert before in content
    path.write_text(content.replace(before, after, 1))
    assert replay_game(read_journal(path).games[0]).problems


def test_a_thousand_games_are_read(tmp_path: Path) -> None:
    path = write_game(tmp_path)
    lines = path.read_text().splitlines()
    game = [json.loads(line) for line in lines[1:-1]]
    many = [json.dumps({**record, "game": number}) for number in range(1, 1001) for record in game]
    path.write_text("\n".join([lines[0], *many, lines[-1]]) + "\n")
    found = read_journal(path).games
    assert [one.number for one in found] == list(range(1, 1001))
    assert all(one.result == 1.0 and len(one.records) == len(game) for one in found)


def test_every_reply_that_is_removed_from_the_middle_of_a_game_is_missed(tmp_path: Path) -> None:
    lines = []
    for line in write_game(tmp_path).read_text().splitlines():
        lines.append(line)
        if '"type":"intent"' in line:
            lines.append('{"type":"event","game":1,"kind":"sent","text":"The request is being sent."}')
    replies = [index for index, line in enumerate(lines) if '"type":"reply"' in line][:-1]
    assert len(replies) == 4

    def problems(*missing: int, instead: str = "") -> list[str]:
        kept = [instead if index in missing else line for index, line in enumerate(lines)]
        journal = parse_journal("".join(f"{line}\n" for line in kept if line).encode())
        return replay_game(journal.games[0]).problems

    assert problems() == []
    for index in replies:
        assert [text for text in problems(index) if "neither a reply nor a failure" in text], lines[index]
        resumed = '{"type":"event","game":1,"kind":"resumed","text":"Resumed."}'
        assert problems(index, instead=resumed) == [], "a run that was cut off leaves no reply either"
