"""Every fault at every moment of a game: games against a virtual server whose network, disk and power fail.

Whatever may fail asks the schedule; the schedule answers by the number of the question, and notes what else it could
have answered. So every single fault is met by playing once for each, and every pair by going on from these.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.course.journal.journal import Journal
from bot.course.journal.records import Record
from bot.course.protocol import LOST, NEW_GAME, MoveReply
from bot.course.run.driver import ColumnChooser, Driver
from bot.course.session.answers import AnswerBook
from bot.course.session.commands import GameEnded, Stop, StopReason
from bot.course.session.events import Chosen, Counted, Event, Sent, Started
from bot.course.session.policy import choose
from bot.course.session.session import Session
from bot.game import CENTRE_FIRST, Board
from bot.trials.simulation.campaign import answers_of
from bot.trials.simulation.chooser import live_chooser
from bot.trials.simulation.faults import KINDS, Dice, FaultPlan
from bot.trials.simulation.open_half import BOTS
from bot.trials.simulation.series import play_series
from bot.trials.simulation.server import AnswerFunction, ServerRules, ServerState, SimulatedGame
from bot.trials.simulation.world import Killed, VirtualDisk, VirtualWorld

KILL, KILL_AFTER_ARRIVAL = "kill", "kill after arrival"
"""The client dies after a record: its request, if there is one, arrives at the server or not. After a choice it can
arrive although no record says so: a power cut loses records that are not yet on the disk."""
RANDOM = ("reset", "refuse", "silent", "truncate", "unread", "behind", "kill", "stale", "duplicate", "restart")
"""What may fail at random."""


class Rough:
    """Chooses by one ply of search, sometimes any column; the same in the same position."""

    def prospect(self, board: Board, column: int) -> float:
        """See `bot.course.session.policy.Prospects`."""
        child = board.play(column) if board.can_play(column) else None
        if child is None or any(child.wins_with(answer) for answer in range(7)):
            return 0.0
        return 1.0 if child.has_winner else 0.97 - 0.001 * CENTRE_FIRST.index(column)

    def prospects(self, board: Board) -> list[float]:
        """See `bot.course.session.policy.Prospects`."""
        return [self.prospect(board, column) for column in range(7)]

    def __call__(self, session: Session, left_s: float) -> Chosen:  # noqa: ARG002
        """See `bot.course.run.driver.ColumnChooser`."""
        chance = random.Random(repr(session.belief.position))
        if session.belief.position and chance.random() < 0.3:
            return Chosen(0.0, chance.choice(session.belief.position.board.legal_columns()))
        return Chosen(0.0, choose(session.belief.hypotheses, self).column)


def rough_bot(board: Board, _last: int, seed: int) -> int:
    """Answer a win if there is one, else by chance, in two of three games the same in the same position."""
    wins = [column for column in range(7) if board.wins_with(column)]
    chance = random.Random(f"{board} {seed if seed % 3 == 0 else 0}")
    return chance.choice(wins or board.legal_columns())


@dataclass
class Schedule:
    """Faults by the number of the question; see `bot.trials.simulation.world.Faults`."""

    faults: Mapping[int, str]
    asked: list[Sequence[str]] = field(default_factory=list)
    """What each question could have been answered."""
    arriving: bool = False

    def of_request(self) -> str | None:
        """Return the request's fault."""
        return self._answer(KINDS)

    def of_reading(self) -> str | None:
        """Return the reading's fault."""
        return self._answer(("unread", "behind"))

    def kills_after(self, record: Record) -> bool:
        """Return whether the client dies after the record; never at its start, so that every run does something."""
        if isinstance(record, Started):
            return False
        fault = self._answer((KILL, KILL_AFTER_ARRIVAL) if isinstance(record, (Chosen, Sent)) else (KILL,))
        self.arriving = fault == KILL_AFTER_ARRIVAL
        return fault is not None

    def arrives(self) -> bool:
        """Return whether the request of the client that has just died arrives."""
        return self.arriving

    def _answer(self, possible: Sequence[str]) -> str | None:
        self.asked.append(possible)
        return self.faults.get(len(self.asked) - 1)


class JanuaryRules(ServerRules):
    """The server of January 2021, which counts a loss for every -1."""

    def move(self, state: ServerState, column: int) -> tuple[ServerState, MoveReply, SimulatedGame | None]:
        """See `ServerRules.move`."""
        if column != NEW_GAME:
            return ServerRules.move(self, state, column)
        moves = state.game.moves if state.game else ()
        return replace(state, game=None), MoveReply(True), SimulatedGame(LOST, moves, True, "forfeit")


class JanuaryWorld(VirtualWorld):
    """A network with the server of January 2021, which keeps no statistics."""

    def statistics(self, patience_s: float | None) -> Counted:
        """See `bot.course.run.driver.World`."""
        counted = VirtualWorld.statistics(self, patience_s)
        return replace(counted, stats=None, kind=counted.kind or "http 404")


@dataclass
class Case:
    """Some games under a schedule, and what it did to them."""

    answer: AnswerFunction
    chooser: ColumnChooser
    faults: Mapping[int, str]
    games: int
    is_january: bool = False

    def play(self) -> Schedule:
        """Play the games, check every promise, and return the schedule with all that it was asked."""
        schedule = Schedule(self.faults)
        world = VirtualWorld(ServerRules(self.answer, 5, "random"), schedule)
        if self.is_january:
            world = JanuaryWorld(JanuaryRules(self.answer, 5), schedule)
        disk = VirtualDisk(world)
        told: list[GameEnded] = []

        def tell(session: Session, _event: Event) -> None:
            for item in session.news:
                if isinstance(item, GameEnded):
                    told.append(item)
                    disk.audit(item)

        session = Session()
        while True:
            driver = Driver(session, world, disk, self.chooser, tell)
            try:
                number = session.ledger.game if disk.records else 0
                started = Started(world.now(), self.games - disk.finished, number, patience_s=600.0)
                dialect = session.contact.dialect if self.is_january else "current"
                stop = driver.run(replace(started, dialect=dialect))
                break
            except Killed:
                last = disk.records[-1]
                if isinstance(last, Chosen) and schedule.arriving:
                    world.process(last.move)
                world.sleep(2.0)
                journal = folded(disk.records)
                for end in journal.ends[len(told) :]:  # the kill came before the session took the reply
                    told.append(end)
                    disk.audit(end)
                session = journal.session
        self._check(world, disk, stop, driver.session)
        assert folded(disk.records).ends == told, self.faults
        return schedule

    def _check(self, world: VirtualWorld, disk: VirtualDisk, stop: Stop, session: Session) -> None:
        refused = len(self.faults) > 1 and stop.reason is StopReason.REFUSED  # two cached replies can; the game is kept
        # Where nothing has answered in the protocol, no second move is sent; the next run goes on.
        unanswered = self.is_january and stop.reason is StopReason.NETWORK and not session.contact.is_made
        is_whole = stop.reason is StopReason.FINISHED and disk.finished >= self.games
        assert refused or unanswered or is_whole, self.faults
        assert disk.invented == 0, self.faults
        forfeits = sum(game.reason == "forfeit" for game in world.finished)
        assert forfeits <= (self.is_january and "unread" in self.faults.values()), self.faults
        journal = folded(disk.records)
        assert journal.session == session, self.faults
        numbers = [end.game for end in journal.ends]
        assert numbers == list(range(1, len(numbers) + 1)), self.faults

    def following(self, asked: list[Sequence[str]]) -> Iterator[Case]:
        """Yield the cases with one more fault, later than the others."""
        for number in range(max(self.faults, default=-1) + 1, len(asked)):
            for kind in asked[number]:
                yield replace(self, faults={**self.faults, number: kind})


def folded(records: Sequence[Record]) -> Journal:
    """Return the projection of records that follow from each other."""
    journal = Journal(Path("virtual.jsonl"))
    for record in records:
        journal.take(record)
    assert [*journal.problems, *(text for game in journal.games for text in game.problems)] == []
    return journal


def every_case(case: Case, most_faults: int) -> Counter[int]:
    """Play a case and all that follow it, and return their numbers by the number of faults."""
    played = Counter([len(case.faults)])
    asked = case.play().asked
    for following in case.following(asked) if len(case.faults) < most_faults else ():
        played += every_case(following, most_faults)
    return played


def test_one_fault_at_any_moment_of_a_game_breaks_nothing() -> None:
    assert every_case(Case(rough_bot, Rough(), {}, 1), 1)[1] > 100


def test_nor_does_it_in_two_games_at_a_server_of_january_2021_where_every_request_for_a_game_is_a_forfeit() -> None:
    """One is sent where the first reading says nothing of the server."""
    assert every_case(Case(rough_bot, Rough(), {}, 2, is_january=True), 1)[1] > 200


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("bot", [bot.name for bot in BOTS])
def test_one_fault_at_any_moment_of_two_games_against_a_foreign_bot_breaks_nothing(bot: str) -> None:
    played = every_case(Case(answers_of(bot), live_chooser(), {}, 2), 1)
    print(f"{bot}: {played[1]:,} faults and kills, one each in two games")
    assert played[1] > 200


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_two_faults_at_any_moments_of_a_game_break_nothing() -> None:
    played = every_case(Case(answers_of(BOTS[0].name), live_chooser(), {}, 1), 2)
    print(f"{BOTS[0].name}: {played[2]:,} pairs of faults and kills in one game")
    assert played[2] > 3000


@settings(max_examples=settings().max_examples // 10)
@given(
    shares=st.dictionaries(st.sampled_from(RANDOM), st.sampled_from((0.01, 0.05)), min_size=1),
    seed=st.integers(0, 10_000),
    refuses=st.booleans(),
)
def test_however_often_everything_fails_the_client_forfeits_no_game_and_its_journal_restores_its_session(
    shares: dict[str, float], seed: int, refuses: bool
) -> None:
    faults = FaultPlan.parse(",".join(f"{kind}={share}" for kind, share in shares.items()))
    options: Any = {"chooser": Rough(), "answers": AnswerBook(), "refuses_idle_moves": refuses}
    outcome = play_series(rough_bot, 2, dice=Dice(faults, seed), seed=seed, **options)
    assert outcome.stop is not None
    session = folded(outcome.disk.records).session
    assert (session, session.belief.answers) == (outcome.session, outcome.session.belief.answers)
    if "restart" not in shares:
        assert not any(game.reason == "forfeit" for game in outcome.world.finished)
        assert outcome.disk.invented == 0
