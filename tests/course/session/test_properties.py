"""Properties of every sequence of events, and of every series against the virtual server."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.course.protocol import NEW_GAME, MoveReply, Stats
from bot.course.run.resume import fold
from bot.course.run.session_log import SessionLog
from bot.course.session.belief import is_idle
from bot.course.session.events import (
    Choose,
    Chosen,
    Command,
    Counted,
    Delivery,
    Event,
    Failed,
    Open,
    ReadStatistics,
    Reason,
    Replied,
    Send,
    Sent,
    Started,
    Stop,
    Wait,
    Waited,
)
from bot.course.session.machine import LOST_IN_ROW, UNOPENED, step
from bot.course.session.policy import choose
from bot.course.session.state import Session
from bot.engine.agent import Decision
from bot.game import CENTRE_FIRST, Board
from bot.trials.simulation.chooser import Policy
from bot.trials.simulation.faults import FaultRates
from bot.trials.simulation.series import Outcome, play_series
from tests.course.session.build import position, reply_at, stats

MESSAGES = (None, "Impossible move.", "No game is running.", "Incorrect API key.", "Not your turn.", "Busy.")


# Any events


def any_reply(draw: st.DataObject, session: Session) -> MoveReply:
    """Return a reply that a server could give, more often than not one that fits some hypothesis."""
    kind = draw.draw(st.sampled_from(("fitting", "fitting", "fitting", "opening", "refusal", "changed", "foreign")))
    if kind == "refusal":
        result = draw.draw(st.sampled_from((None, None, -1.0, -10.0)))
        return MoveReply(False, draw.draw(st.sampled_from(MESSAGES)), None, result)
    if kind == "opening" or (session.pending is not None and session.pending.move == NEW_GAME and kind == "fitting"):
        column = draw.draw(st.sampled_from((None, 0, 3, 6)))
        known = position() if column is None else position([column], we_start=False)
        return draw.draw(st.sampled_from((reply_at(known, botmove=column), MoveReply(True))))
    known = draw.draw(st.sampled_from(session.belief)).playing
    if kind == "foreign":
        known = position(draw.draw(st.sampled_from(((6, 6), (0, 0, 1, 1, 2, 2), (3, 3, 3, 3), ()))))
    move = session.pending.move if session.pending is not None else 3
    if known.board.can_play(move):
        known = known.play(move)
    answer = None
    result = 1.0 if known.board.has_winner else 0.5 if known.board.is_full else 0.0
    if not known.board.is_over:
        answer = draw.draw(st.sampled_from(known.board.legal_columns()))
        known = known.play(answer)
        result = -1.0 if known.board.has_winner else 0.5 if known.board.is_full else 0.0
    reply = reply_at(known, botmove=answer, result=result, state=draw.draw(st.booleans()))
    if kind == "changed":
        change = draw.draw(
            st.sampled_from(({"botmove": None}, {"botmove": 6}, {"result": None}, {"result": -1.0}, {"state": None}))
        )
        return replace(reply, **change)  # type: ignore[arg-type]
    return reply


def any_event(draw: st.DataObject, session: Session, command: Command | None, at: float) -> Event:
    """Return an event that answers the command, or sometimes any other event."""
    kinds: tuple[str, ...] = ("reply", "failure", "counted", "waited", "chosen", "sent", "started")
    if draw.draw(st.integers(0, 9)):
        match command:
            case None:
                kinds = ("reply", "reply", "failure")
            case Open():
                return Chosen(at, NEW_GAME, 0.01)
            case Choose():
                kinds = ("chosen",)
            case Send():
                kinds = ("sent", "sent", "failure", "reply")
            case ReadStatistics():
                kinds = ("counted",)
            case Wait():
                return Waited(at)
            case Stop():
                kinds = ("started",)
    match draw.draw(st.sampled_from(kinds)):
        case "reply":
            return Replied(at, any_reply(draw, session))
        case "failure":
            delivery = draw.draw(
                st.sampled_from((Delivery.UNKNOWN, Delivery.UNKNOWN, Delivery.NOT_SENT, Delivery.REJECTED))
            )
            delivered = draw.draw(st.sampled_from((None, None, 1.0, 0.02)))
            return Failed(at, delivery, "It failed.", kind="reset", delivered=delivered)
        case "counted":
            base = session.base or stats()
            rise = draw.draw(st.sampled_from(((0, 0, 0), (0, 0, 0), (1, 1, 0), (1, 0, 1), (1, 0, 0), (-1, 0, 0), None)))
            if rise is None:
                return Counted(at, None)
            return Counted(at, Stats(base.played + rise[0], base.won + rise[1], base.lost + rise[2], 0))
        case "waited":
            return Waited(at)
        case "sent":
            return Sent(at)
        case "started":
            return Started(at, draw.draw(st.integers(0, 5)))
    return Chosen(at, draw.draw(st.integers(0, 6)))


class NoRecords:
    """A journal that accepts every record."""

    def __getattr__(self, _name: str) -> Any:
        return lambda *_arguments, **_fields: None


def contents(session: Session) -> tuple[object, ...]:
    """Return copies of what a frozen session could still change."""
    return (session, dict(session.answers.seen), dict(session.delivery.cases), session.news, repr(session.base))


EXAMPLES = 5 if settings().max_examples == 100 else settings().max_examples // 10
"""Each is a run of several games; `--hypothesis-profile thorough` plays a hundred."""


@settings(max_examples=10 * EXAMPLES, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_no_sequence_of_events_breaks_the_session(draw: st.DataObject) -> None:
    session, command, at = Session(patience_s=20.0), None, 0.0
    log = SessionLog(NoRecords(), lambda: at)
    event: Event = Started(0.0, 3)
    for _ in range(draw.draw(st.integers(5, 40))):
        before, copy = session, contents(session)
        session, command = step(before, event)
        assert contents(before) == copy
        assert step(before, event) == (session, command)
        assert (command is None) is isinstance(event, Sent)
        assert sum(item.weight for item in session.belief) == pytest.approx(1.0)
        assert not isinstance(command, Open) or is_idle(session.belief)
        assert not isinstance(command, Choose) or command.belief == session.belief
        assert session.number >= 0
        reply = event.reply if isinstance(event, Replied) else None
        if reply is not None or not isinstance(event, Replied):
            log.news(session, reply)
        if len(session.belief) > 400:
            return
        at += draw.draw(st.sampled_from((0.0, 0.2, 1.0, 6.0)))
        event = any_event(draw, session, command, at)


# Series against the virtual server


class Rough:
    """Probabilities of not losing by one ply of search: inexact, so that games are won, lost and drawn."""

    def prospect(self, board: Board, column: int) -> float:
        """See `bot.course.session.policy.Prospects`."""
        if not board.can_play(column):
            return 0.0
        child = board.play(column)
        if child.is_over:
            return 1.0 if child.has_winner else 0.97
        loses = any(child.wins_with(answer) for answer in range(7))
        return 0.0 if loses else 0.97 - 0.001 * CENTRE_FIRST.index(column)

    def prospects(self, board: Board) -> list[float]:
        """See `bot.course.session.policy.Prospects`."""
        return [self.prospect(board, column) for column in range(7)]


@dataclass
class RoughChooser:
    """Chooses by `Rough`, sometimes any legal column; the same in the same position."""

    seed: int
    prospects: Rough = field(default_factory=Rough)
    policy: Policy = field(default_factory=Policy)

    def __call__(self, session: Session, left_s: float) -> tuple[Decision, dict[str, Any]]:  # noqa: ARG002
        """See `bot.course.run.driver.Chooser`."""
        if session.position is None:
            choice = choose(session.belief, self.prospects)
            return Decision(choice.column, None, source="hypotheses"), {"hypotheses": len(session.belief)}
        board = session.position.board
        chance = random.Random(f"{self.seed} {board.current} {board.mask}")
        row = self.prospects.prospects(board)
        least = 0.0 if chance.random() < 0.3 else max(row) - 0.005
        column = chance.choice([column for column in range(7) if board.can_play(column) and row[column] >= least])
        return Decision(column, None, source="rough"), {}


def rough_bot(board: Board, _last: int, seed: int) -> int:
    """Answer a win if there is one, else by chance, in two of three games the same in the same position."""
    wins = [column for column in range(7) if board.wins_with(column)]
    chance = random.Random(f"{board.current} {board.mask} {seed if seed % 3 == 0 else 0}")
    return chance.choice(wins or [column for column in range(7) if board.can_play(column)])


def is_blind(session: Session) -> bool:
    """Return whether the server showed only statistics, so that the session had to stop."""
    return not session.has_read and session.lost_in_row >= LOST_IN_ROW


def series(rates: FaultRates, seed: int, games: int = 3, **options: Any) -> Outcome:
    """Play a series of quick, rough games."""
    return play_series(rough_bot, games, rates=rates, seed=seed, chooser=RoughChooser(seed), **options)  # type: ignore[arg-type]


def rate(highest: float) -> st.SearchStrategy[float]:
    """Return rates from none to ``highest``."""
    return st.sampled_from((0.0, highest / 10, highest))


NETWORK = st.builds(
    FaultRates,
    lost=rate(0.2),
    lost_opening=rate(0.2),
    unsent=rate(0.2),
    slow=rate(0.1),
    partial=rate(0.2),
    kill=rate(0.03),
    statistics=rate(0.5),
    lag=st.sampled_from((0.0, 0.3, 1.0, 4.0)),
)
"""Rates of what networks and crashes do."""
SEEDS = st.integers(0, 10_000)
quickly = settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow])


@quickly
@given(rates=NETWORK, seed=SEEDS, refuses=st.booleans())
def test_behind_any_network_no_game_is_forfeited_and_no_result_invented(
    rates: FaultRates, seed: int, refuses: bool
) -> None:
    outcome = series(rates, seed, refuses_idle_moves=refuses)
    assert outcome.stop == Stop(Reason.FINISHED) or is_blind(outcome.session)
    assert outcome.reasons["forfeit"] == 0
    assert outcome.audit.invented == 0
    ends = [record for record in outcome.records if record["type"] == "game_end"]
    numbers = [record["game"] for record in ends]
    assert numbers == sorted(set(numbers))


@quickly
@given(
    rates=NETWORK,
    stale=rate(0.1),
    duplicate=rate(0.1),
    restart=rate(0.05),
    seed=SEEDS,
    refuses=st.booleans(),
)
def test_whatever_the_server_and_proxies_do_the_client_causes_no_forfeit_and_ends(
    rates: FaultRates, stale: float, duplicate: float, restart: float, seed: int, refuses: bool
) -> None:
    rates = replace(rates, stale=stale, duplicate=duplicate, restart=restart)
    outcome = series(rates, seed, refuses_idle_moves=refuses)
    assert outcome.stop is not None
    unread = [Reason.NETWORK] if is_blind(outcome.session) else []
    assert outcome.stop.reason in (Reason.FINISHED, Reason.REFUSED, *unread)
    if not restart:
        assert outcome.reasons["forfeit"] == 0
        assert outcome.audit.invented == 0


@quickly
@given(rates=NETWORK, stale=rate(0.1), duplicate=rate(0.1), restart=rate(0.05), seed=SEEDS, refuses=st.booleans())
def test_folding_the_journal_gives_the_session_that_the_run_had(
    rates: FaultRates, stale: float, duplicate: float, restart: float, seed: int, refuses: bool
) -> None:
    rates = replace(rates, stale=stale, duplicate=duplicate, restart=restart)
    outcome = series(rates, seed, refuses_idle_moves=refuses)
    live, folded = outcome.session, fold(outcome.records, Session(patience_s=600.0))
    assert [item.weight for item in folded.belief] == pytest.approx([item.weight for item in live.belief])
    assert folded.answers == live.answers
    assert folded.delivery.cases == live.delivery.cases
    assert folded.delivery.first_bytes_s == pytest.approx(live.delivery.first_bytes_s)
    # These begin anew with every start, and pauses are not recorded.
    without = {"clock": live.clock, "games": live.games, "played": live.played, "wait_s": live.wait_s}
    assert replace(folded, **without) == replace(live, **without)  # type: ignore[arg-type]


@quickly
@given(rates=NETWORK, seed=SEEDS, records=st.integers(1, 200))
def test_folding_a_journal_that_was_cut_off_anywhere_never_opens_a_game_over_a_running_one(
    rates: FaultRates, seed: int, records: int
) -> None:
    kept = series(rates, seed, games=2).records[:records]
    session, command = step(fold(kept, Session()), Started(1e6, 2))
    assert not isinstance(command, Open)
    if session.position is None and not is_idle(session.belief):
        assert isinstance(command, ReadStatistics)


@pytest.mark.parametrize("seed", range(8))
def test_behind_a_bad_network_every_game_is_recorded_once_and_right(seed: int) -> None:
    rates = FaultRates(lost=0.05, lost_opening=0.1, unsent=0.05, partial=0.02, kill=0.01, statistics=0.1)
    outcome = series(rates, seed, games=4)
    ends = [record["result"] for record in outcome.records if record["type"] == "game_end" and record["result"]]
    assert ends == [game.result for game in outcome.finished]


def test_limits_of_the_circuit_breaker_leave_room_for_one_mistake() -> None:
    assert (Session().most_bad_games, UNOPENED) == (2, 6)


def test_the_same_seed_gives_the_same_records() -> None:
    rates = FaultRates(lost=0.2, lost_opening=0.2, kill=0.02, statistics=0.2, duplicate=0.05, stale=0.05)
    assert series(rates, 5).records == series(rates, 5).records
