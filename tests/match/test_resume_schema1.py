"""Unfinished games of schema 1 are resumed with the boards that the first edition thought possible."""

from __future__ import annotations

import pytest

from bot.journal.reader import read_records
from bot.match.resume import fold
from bot.session.events import Started
from bot.session.machine import step
from tests.journal.schema1 import CASES, expected, path_of

UNFINISHED = [case for case in CASES if expected(case)["unfinished"] is not None]


def drawn(grid: list[list[int]]) -> str:
    return "/".join("".join(".XO"[cell] for cell in row) for row in grid if any(row)) or "empty"


@pytest.mark.parametrize("case", UNFINISHED)
def test_the_possible_boards_are_those_of_the_first_edition(case: str) -> None:
    session = fold(line.record for line in read_records(path_of(case)) if line.record is not None)
    session, _ = step(session, Started(0.0, 1))
    found = {
        (None, None) if position is None else (drawn(position.grid), position.we_started)
        for position in (hypothesis.position for hypothesis in session.belief)
    }
    told = expected(case)
    assert found == {(one["board"], one["we_started"]) for one in told["resume"]["hypotheses"]}
    assert session.number == told["unfinished"]
