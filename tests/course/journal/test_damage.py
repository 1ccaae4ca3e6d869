"""Damaged and foreign files: readable lines are used, the others are reported, and no file stops a run."""

from __future__ import annotations

import json

import pytest

from bot.course.journal.journal import NO_HEADER, Journal, journals, parse_journal, read_journal
from bot.course.protocol import Identity
from tests.course.journal.build import IDS, SERVER, WIN, recorded
from tests.course.run.course import LEFTMOST, Course, level
from tests.course.session.build import Walk, position

TWO_LOST = (
    "counted 0 0 0; new: .; d: +a; 2 times d: lost reset, settled 0 0 0; e: dadadaeg; d: +; counted 1 1 0; "
    "new: .; play dadada; d: +; counted 2 2 0"
)
"""Two won games; two replies of the first one are lost."""
CONTENT = recorded(TWO_LOST, games=2)
LINES = CONTENT.splitlines(keepends=True)


def hidden(script: str, *numbers: int) -> Journal:
    """Return the journal of a script in which the lines of these numbers, from 0, cannot be read."""
    lines = recorded(script, games=9).splitlines(keepends=True)
    return parse_journal(b"".join(b"?\n" if number in numbers else line for number, line in enumerate(lines)))


@pytest.mark.parametrize("header", [b"\n", b'{"type":"started","schema":4,"server":5}\n', b""], ids=repr)
def test_a_journal_without_its_header_can_be_read_but_belongs_to_no_player(tmp_path, header):
    (tmp_path / "000001-a.jsonl").write_bytes(header + b"".join(LINES[1:]))
    notes: list[str] = []
    journal = read_journal(tmp_path / "000001-a.jsonl")
    assert (journal.header, journal.games) == (NO_HEADER, parse_journal(CONTENT).games)
    assert [line.number for line in journal.damaged] == [1]
    assert list(journals(tmp_path, Identity.of(SERVER, IDS), notes.append)) == []
    assert "header" in notes[0]


def test_the_end_of_a_run_is_a_witness_of_what_the_records_show():
    *lines, last = LINES
    whole = json.loads(last)
    told = whole["games"]

    def problems_where(games, lines=lines):
        journal = parse_journal(b"".join(lines) + json.dumps({**whole, "games": games}).encode() + b"\n")
        return journal, [text for game in journal.games for text in game.problems]

    drawn = {**told[1], "result": 0.5}
    journal, found = problems_where([told[0], drawn])
    assert journal.ends[1].result == 0.5, "what the user was told"
    assert found == [f"Line {len(LINES)}: the run told an end (result 0.5), its records show another one (1)."]
    journal, found = problems_where([told[0], drawn], [*lines[:-2], b"?\n"])
    assert (journal.ends[1].result, found) == (0.5, []), "damaged lines hide its end"
    assert "did not tell the end" in problems_where(told[:1])[1][0]


# Going on behind damage


@pytest.mark.parametrize("width", [1, 3, 9])
def test_whatever_lines_are_lost_the_next_board_is_followed_and_no_game_is_forfeited(width):
    script = "counted 0 0 0; new: .; play ddcdff; a: lost reset; settled 0 0 0; a: ddcdffaa"
    count = recorded(script, games=9).count(b"\n")
    for start in range(1, count - width):
        journal = hidden(script, *range(start, start + width))
        assert not journal.ends, "damage inside a game is no end of it"
        again = Walk(journal.session, 500.0)("run is_damaged=1 may_run_elsewhere=1; settled 0 0 0; g: ddcdffaagg")
        known = again.session.position
        assert known is not None, start
        assert known.board == position("ddcdffaagg").board


def test_a_game_whose_end_damaged_lines_hide_counts_for_neither_side():
    script = f"{WIN}; new: .; play dd"
    lines = recorded(script, games=9).splitlines()
    journal = hidden(script, max(number for number, line in enumerate(lines) if b'"result":1.0' in line))
    assert [(end.game, end.result) for end in journal.ends] == [(1, 0.0)]
    assert journal.unfinished == 2


@pytest.mark.parametrize("moments", [2, 3, 5, 7])
def test_damaged_lines_at_the_beginning_and_the_end_may_hide_a_request_and_no_game_is_forfeited(
    tmp_path, monkeypatch, moments
):
    level(monkeypatch)
    for count in (1, 2, 4, 8):
        course, logs = Course(LEFTMOST), tmp_path / str(count)
        course.play_and_die(moments, logs, server=str(count))
        (path,) = logs.iterdir()
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(
            b"".join([b"?" * (count == 1), lines[0], *lines[1:][:-count], *[b"?\n"] * min(count, len(lines) - 1)])
        )
        course.play(logs, server=str(count))
        assert "forfeit" not in course.reasons and len(course.reasons) == 1, count
