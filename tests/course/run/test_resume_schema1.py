"""Unfinished games of schema 1 are resumed with the boards that the first edition thought possible."""

from __future__ import annotations

import pytest
from bot.course.run.resume import records_of, replayed

from bot.course.journal.schema import KNOWN_BY_OF_SCHEMA_1
from bot.course.session.events import Started
from bot.course.session.machine import step
from tests.course.journal.schema1 import CASES, expected, path_of

UNFINISHED = [case for case in CASES if expected(case)["unfinished"] is not None]


def drawn(grid: list[list[int]]) -> str:
    return "/".join("".join(".XO"[cell] for cell in row) for row in grid if any(row)) or "empty"


@pytest.mark.parametrize("case", UNFINISHED)
def test_the_possible_boards_are_those_of_the_first_edition(case: str) -> None:
    session, unrecorded = replayed(records_of(path_of(case)))
    session, _ = step(session, Started(0.0, 1))
    report = expected(case)["resume"]
    found = {
        (
            None if item.position is None else drawn(item.position.grid),
            None if item.position is None else item.position.we_started,
            item.ended,
            item.won,
            item.lost,
        )
        for item in session.belief
    }
    assert found == {(one["board"], one["we_started"], *one["ended"]) for one in report["hypotheses"]}
    assert sum(item.weight for item in session.belief) == pytest.approx(1.0)
    assert [(end.number, end.result, end.known_by) for end in unrecorded] == [
        (game["game"], game["result"], KNOWN_BY_OF_SCHEMA_1.get(game["known_by"], game["known_by"]))
        for game in report["ended"]
    ]
