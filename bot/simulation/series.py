"""A series of games of one client against one bot, in virtual time, with kills and resumptions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bot.engine import Decision, Limit
from bot.engine.perfect import Perfect
from bot.game import Board
from bot.journal.schema import Record
from bot.match.driver import Driver
from bot.match.prospects import EngineProspects
from bot.match.records import SessionLog
from bot.match.resume import replayed
from bot.session.answers import AnswerBook
from bot.session.events import GameEnded, Stop
from bot.session.policy import Plan, choose
from bot.session.state import Session
from bot.simulation.faults import Dice, FaultRates
from bot.simulation.server import Answer, FinishedGame, VirtualServer
from bot.simulation.world import Killed, VirtualDisk, VirtualWorld

_NO_HURRY = Limit(hard_s=1e6, think_s=1e6)
MOST_KILLS = 1000


@dataclass(slots=True)
class SimulationChooser:
    """The live chooser without a clock: decisions depend on the position alone, and are remembered."""

    plans: bool = True
    deepest: int = 21
    engine: Perfect = field(default_factory=lambda: Perfect(unhurried=True))
    prospects: EngineProspects = field(default_factory=EngineProspects)
    known: dict[Board, Decision] = field(default_factory=dict)

    def __call__(self, session: Session, left_s: float) -> tuple[Decision, dict[str, Any]]:  # noqa: ARG002
        """See `bot.match.driver.Chooser`."""
        position = session.position
        if position is None:
            choice = choose(session.belief, self.prospects)
            decision = Decision(choice.column, None, pv=(choice.column,), source="hypotheses")
            return decision, {"hypotheses": len(session.belief), "safe": choice.safe, "saved": round(choice.saved, 4)}
        board = position.board
        if board not in self.known:
            decision = self.engine.choose(board, _NO_HURRY)
            self.known[board] = replace(decision, seconds=0.0, nodes=None)
        decision = self.known[board]
        if not self.plans or not decision.proven:
            return decision, {}
        column = Plan(session.answers, self.prospects, self.deepest).refine(board, decision.column)
        return (decision if column == decision.column else Decision(column, decision.score, source="plan")), {}


@dataclass(slots=True)
class Outcome:
    """What a series came to, by the server's own book."""

    book: list[FinishedGame]
    records: list[Record]
    stop: Stop | None
    session: Session
    faults: dict[str, int]
    lost_moves: int
    kills: int = 0

    @property
    def reasons(self) -> Counter[str]:
        """How many games were lost in which way."""
        return Counter(game.reason for game in self.book if game.result < 0)


def play_series(
    answer: Answer,
    games: int,
    *,
    rates: FaultRates,
    seed: int,
    chooser: SimulationChooser,
    starter: str = "random",
    answers: AnswerBook | None = None,
    script: Mapping[int, str] | None = None,
    kills: frozenset[int] = frozenset(),
    refuses_idle_moves: bool = False,
) -> Outcome:
    """Play ``games`` games; a killed client is started again from its journal until they are done."""
    dice = Dice(rates, random.Random(seed), script or {}, kills)
    server = VirtualServer(answer, random.Random(seed + 1), starter, refuses_idle_moves)
    world, disk = VirtualWorld(server, dice), VirtualDisk(dice)
    fresh = Session(patience_s=600.0, answers=answers or AnswerBook())
    session, stop, killed = fresh, None, 0
    unrecorded: list[GameEnded] = []
    disk.records.append({"type": "run", "schema": 2, "games": games, "at": 0.0})
    while stop is None and killed <= MOST_KILLS:
        done = sum(record["type"] == "game_end" and record["result"] != 0 for record in disk.records)
        driver = Driver(session, world, SessionLog(disk, world.now), chooser)
        try:
            stop = driver.run(max(0, games - done), unrecorded)
            session = driver.session
        except Killed:
            killed += 1
            world.time_s += 2.0
            session, unrecorded = replayed(disk.records, fresh)
            disk.records.append(
                {"type": "event", "kind": "resumed", "game": session.number, "text": "", "games": games}
            )
    return Outcome(server.book, disk.records, stop, session, dice.drawn, world.lost_moves, killed)
