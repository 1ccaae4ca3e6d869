"""The journal under bad luck: torn lines, kills, full disks, clocks that jump, two runs at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import JournalError
from bot.journal.reader import journals, read_journal
from bot.journal.verify import replay_game
from bot.journal.writer import JournalWriter

HEADER = {"server": "http://x", "url": "http://x", "stil_ids": ["a", "b"], "engine": "mtdf"}
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


@given(st.dictionaries(st.sampled_from(["score", "nodes", "note"]), st.integers() | st.text() | st.none()))
def test_any_fields_come_back_as_they_went_in(fields: dict[str, object]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        writer = JournalWriter.create(Path(folder), "x", **HEADER)
        writer.intent(1, 3, 0, **fields)
        writer.close()
        record = read_journal(writer.path).games[0].records[0]
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


@pytest.mark.parametrize(
    "damage",
    [b"no json\n", b"[1]\n", b'{"type":5}\n', b'{"type":"intent","game":"1","move":3}\n', b'{"type":"intent"}\n'],
)
def test_damage_before_the_last_line_is_named_with_its_line(tmp_path: Path, damage: bytes) -> None:
    path = write_game(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], damage, *lines[2:]]))
    with pytest.raises(JournalError, match="Line 3"):
        read_journal(path)


def test_a_newer_schema_is_refused_and_unknown_records_are_passed_over(tmp_path: Path) -> None:
    path = write_game(tmp_path)
    content = path.read_text()
    path.write_text(content.replace('"schema":1', '"schema":1', 1) + '{"type":"weather","game":1}\n')
    assert read_journal(path).games[0].result == 1.0
    path.write_text(content.replace('"schema":1', '"schema":99', 1))
    with pytest.raises(JournalError, match="99"):
        read_journal(path)


@pytest.mark.parametrize("content", [b"", b'{"type":"run","sch'])
def test_a_run_that_died_at_birth_is_passed_over_in_a_folder_and_named_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "000001-x.jsonl"
    path.write_bytes(content)
    assert list(journals(tmp_path)) == []
    with pytest.raises(JournalError, match="empty"):
        read_journal(path)


def test_files_sort_in_the_order_of_creation_even_when_the_clock_is_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import bot.journal.writer as module

    names = []
    for year in (2030, 2020, 2025):

        class Clock(module.datetime):  # type: ignore[misc, name-defined]
            @classmethod
            def now(cls, tz: object = None, year: int = year) -> object:
                return cls(year, 1, 1, tzinfo=tz)  # type: ignore[arg-type]

        monkeypatch.setattr(module, "datetime", Clock)
        writer = JournalWriter.create(tmp_path, "x", **HEADER)
        writer.close()
        names.append(writer.path.name)
    assert names == sorted(names)


def test_a_full_disk_is_one_sentence_before_the_move_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = JournalWriter.create(tmp_path, "x", **HEADER)

    def full(_descriptor: int, _data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(JournalError, match="No space left"):
        writer.intent(1, 3, 0)
    monkeypatch.undo()
    writer.close()


def test_a_disk_that_fails_to_sync_is_an_error_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = JournalWriter.create(tmp_path, "x", **HEADER)

    def failing(_descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(JournalError, match="Input/output error"):
        writer.intent(1, 3, 0)
    writer.close()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError):
        JournalWriter.create(tmp_path / "file" / "logs", "x", **HEADER)


def test_a_writer_killed_at_any_moment_leaves_a_journal_that_reads(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from bot.journal.writer import JournalWriter\n"
        "w = JournalWriter.create(Path(sys.argv[1]), 'x', server='s', stil_ids=['a'])\n"
        "for n in range(10**9): w.intent(1, n % 7, n, pv=list(range(7)) * 50)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not any(path.stat().st_size > 20_000 for path in tmp_path.glob("*.jsonl")):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait(10)
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


def test_a_thousand_games_are_read_quickly(tmp_path: Path) -> None:
    path = write_game(tmp_path)
    lines = path.read_text().splitlines()
    game = [json.loads(line) for line in lines[1:-1]]
    many = [json.dumps({**record, "game": number}) for number in range(1, 1001) for record in game]
    path.write_text("\n".join([lines[0], *many, lines[-1]]) + "\n")
    start = time.perf_counter()
    assert len(read_journal(path).games) == 1000
    assert time.perf_counter() - start < 10  # a guard against quadratic reading; the benchmark measures
