"""Damaged and foreign files: readable lines are used, the others are reported, and no file stops a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.course.address import Identity
from bot.course.journal.journal import NO_HEADER
from bot.course.journal.reader import header_of, journals, parse_journal, parse_outline, read_journal
from bot.course.journal.verify import game_problems
from bot.course.journal.writer import JournalWriter
from bot.course.run.standings import standings_of
from bot.errors import JournalError
from tests.course.journal.build import (
    IDS,
    SERVER,
    MemorySink,
    Recorder,
    Server,
    recorded,
    started,
    unheard,
)

WIN = (3, 3, 3, 3)
CONTENT = recorded((3, 3, 3, 4, 3, *WIN), {3: unheard, 4: unheard}, games=2)
LINES = CONTENT.splitlines(keepends=True)


def use(content: bytes) -> None:
    """Do everything with a journal that readers do: nothing of it raises."""
    journal = parse_journal(content)
    standings_of([journal])
    for game in journal.games:
        game_problems(game)
        assert (game.number, game.moves, game.our_moves, game.we_started) and game.number > 0
        assert all(step.met is None or step.number for step in game.steps)
    recorder = Recorder(JournalWriter(MemorySink()), journal)
    recorder.take(started(game=journal.session.ledger.game), journal.session.ledger.game)
    recorder.play(Server())


@pytest.mark.parametrize("header", [b"\n", b'{"type":"started","schema":4,"server":5}\n', b""], ids=repr)
def test_a_journal_without_its_header_can_be_read_but_belongs_to_no_player(tmp_path, header):
    (tmp_path / "000001-a.jsonl").write_bytes(header + b"".join(LINES[1:]))
    notes: list[str] = []
    journal = read_journal(tmp_path / "000001-a.jsonl")
    assert (journal.header, journal.games) == (NO_HEADER, parse_journal(CONTENT).games)
    assert [line.number for line in journal.damaged] == [1]
    assert list(journals(tmp_path, Identity.of(SERVER, IDS), notes.append)) == []
    assert "header" in notes[0]


@settings(max_examples=40)
@given(st.binary(max_size=400), st.integers(0, len(CONTENT)), st.integers(0, 400))
def test_any_damage_can_be_read(rubbish, start, length):
    try:
        use(CONTENT[:start] + rubbish + CONTENT[start + length :])
    except JournalError as error:
        assert error.message.endswith(".")


@settings(max_examples=50)
@given(st.integers(1, len(LINES) - 1), st.integers(0, 30), st.sampled_from([None, "x", -1, 43, 1e300, [9]]))
def test_a_wrong_value_in_any_field_of_any_record_stops_no_reader(index, place, value):
    record = json.loads(LINES[index])
    inner = record.get("reply", record) if place % 2 else record
    inner[list(inner)[place % len(inner)]] = value
    content = b"".join([*LINES[:index], json.dumps(record).encode(), b"\n", *LINES[index + 1 :]])
    assert [line.number for line in parse_journal(content).damaged] in ([], [index + 1])
    use(content)


def test_a_game_number_that_no_journal_has_is_damage_and_costs_no_time():
    line = b'{"type":"chosen","at":1,"move":3,"game":900000000}\n'
    journal = parse_journal(CONTENT + line)
    assert [damaged.number for damaged in journal.damaged] == [len(LINES) + 1]
    assert [end.result for end in journal.ends] == [end.result for end in parse_journal(CONTENT).ends]


def test_the_end_of_a_run_that_tells_too_little_is_named_and_not_believed():
    *lines, last = LINES
    short = json.loads(last)
    for kept in (0, 1):
        content = b"".join(lines) + json.dumps({**short, "games": short["games"][:kept]}).encode() + b"\n"
        journal = parse_journal(content)
        assert any("did not tell the end" in text for game in journal.games for text in game.problems)
    assert len(parse_outline(content.replace(b'"games": [', b'"games": [], "x": ['), Path("j")).ends) == 2


def test_a_byte_order_mark_hides_no_header(tmp_path):
    path = tmp_path / "000001-a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + CONTENT)
    (journal,) = journals(tmp_path, Identity.of(SERVER, IDS))
    assert header_of(path) == journal.header == parse_journal(CONTENT).header
    path.write_bytes(b"\n" + CONTENT)
    assert header_of(path) == journal.header
