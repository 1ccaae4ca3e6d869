"""Unfinished games of schema 1 are resumed with the boards that the first edition thought possible."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from bot.client.http import NotSentError
from bot.engine.registry import make_agent
from bot.journal.reader import read_journal
from bot.journal.schema import KNOWN_BY_OF_SCHEMA_1
from bot.journal.writer import JournalWriter
from bot.match.clock import MoveClock
from bot.match.experience import learn
from bot.match.log import SeatLog
from bot.match.observer import Silent
from bot.match.opponent_model import OpponentModel
from bot.match.outcomes import Outcomes
from bot.match.seat import Seat
from bot.match.series import take_up
from tests.journal.schema1 import CASES, expected, path_of

UNFINISHED = [case for case in CASES if expected(case)["unfinished"] is not None]


class NoServer:
    """A client without a server: resuming a journal must not need one."""

    on_departure: Any = None

    def stats(self, patience_s: float | None = None) -> Any:  # noqa: ARG002
        raise NotSentError("There is no server.")


def drawn(grid: list[list[int]]) -> str:
    return "/".join("".join(".XO"[cell] for cell in row) for row in grid if any(row)) or "empty"


@pytest.mark.parametrize("case", UNFINISHED)
def test_the_possible_boards_are_those_of_the_first_edition(case: str, tmp_path: Path) -> None:
    path = Path(shutil.copy(path_of(case), tmp_path))
    journal = read_journal(path)
    assert journal.unfinished is not None
    log = SeatLog(JournalWriter.resume(path), Silent())
    agent, clock = make_agent("random", seed=1), MoveClock(5.0, 0.02)
    seat = Seat(NoServer(), agent, log, clock, Outcomes().within, OpponentModel())  # type: ignore[arg-type]
    learn(journal, seat.odds, seat.model)
    ended = take_up(seat, journal.unfinished)
    log.journal.close()

    told = expected(case)["resume"]
    total = sum(world.odds for world in seat.worlds)
    found = {}
    for world in seat.worlds:
        board = None if world.position is None else drawn(world.position.grid)
        started = None if world.position is None else world.position.we_started
        found[board, started, world.ended, world.won, world.lost] = world.odds / total
    assert found == pytest.approx(
        {(one["board"], one["we_started"], *one["ended"]): one["probability"] for one in told["hypotheses"]}, abs=1e-5
    )
    assert [(game.number, game.result, game.known_by) for game in ended] == [
        (game["game"], game["result"], KNOWN_BY_OF_SCHEMA_1.get(game["known_by"], game["known_by"]))
        for game in told["ended"]
    ]
