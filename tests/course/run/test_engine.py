"""The engine's part of a run: choices within the clock, the probability of not losing, the review of moves."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from bot.course.events import Choose, Chosen, Failed, Learnt
from bot.course.failures import Delivery
from bot.course.hypotheses import EMPTY, AnswerBook, Hypothesis, Position
from bot.course.journal.games import RecordedGame, Step
from bot.course.policy import DRAW, FAR, HYPOTHESES_S, PLAN_S, SHORTEST_S, EngineHost, EngineProspects, MovePlan, row_of
from bot.course.run.move_review import MoveReview, Reviewer
from bot.course.run.run import Driver
from bot.course.session import Session
from bot.engine.agent import Decision
from bot.engine.analysis import Analyst
from bot.engine.score import Bounds
from bot.game import Board, parse_moves
from tests.course.run.course import OPTIONS, Course, level

LATE = "1141775621765352"
"""Column 5 wins soonest, column 1 later."""


def position(moves: str) -> Position:
    return reduce(Position.play, parse_moves(moves), replace(EMPTY, we_started=len(moves) % 2 == 0))


def step(moves: str, column: int, *, before: str | None = None, safe: bool = True, source: str = "") -> Step:
    """Return our move in column 1..7 on the board after ``moves``; ``before``: those it was chosen for, if others."""
    known = position(moves if before is None else before)
    return Step(Chosen(0.0, column - 1, safe=safe, source=source), known, after=position(moves).play(column - 1))


LOST = "Move 1 (column 1) turned a won position into a lost one; column 4 was better."
SOONER = "Move 1 (column 1) brought the loss 3 moves closer; column 4 was better."
FIRST = "Move 4 (column 1) turned a won position into a lost one; column 3 was better."
SLOWER = "Move 9 (column 1) made the win 10 moves longer; column 5 was better."
CHECKED = MoveReview(checked=1)
NOT_SENT = Failed(0.0, Delivery.NOT_SENT, "The server cannot be reached.")
TABLE = {
    "a mistake": (step("", 1), replace(CHECKED, given_away=[LOST])),
    "the first of two better columns": (step("444444", 1), replace(CHECKED, given_away=[FIRST])),
    "no column was safe": (step("", 1, safe=False), replace(CHECKED, excused=[LOST])),
    "chosen for the game before": (step("", 1, before="4141"), replace(CHECKED, excused=[LOST])),
    "not sent": (Step(Chosen(0.0, 0), EMPTY, NOT_SENT), MoveReview()),
    "the reply was lost": (Step(Chosen(0.0, 0), EMPTY), replace(CHECKED, given_away=[LOST])),
    "a slower win": (step(LATE, 1), replace(CHECKED, slower=[SLOWER])),
    "a sooner loss": (step("4", 1), replace(CHECKED, slower=[SOONER])),
    "a slower win by the plan": (step(LATE, 1, source="plan"), CHECKED),
}


def test_each_move_is_judged_by_exact_scores():
    reviewer = Reviewer()
    reviews = {name: reviewer.review(RecordedGame(1, [move])) for name, (move, _) in TABLE.items()}
    assert reviews == {name: wanted for name, (_, wanted) in TABLE.items()}


def test_a_position_that_is_not_solved_in_time_is_unchecked(monkeypatch):
    monkeypatch.setattr("bot.engine.solver._QUICK_NODES", 10)
    review = Reviewer(patience_s=0.0).review(RecordedGame(1, [step("4444414322", 6)]))
    assert review == MoveReview(unchecked=["Move 6 (column 6): not solved within 0 s."])
    columns = [Bounds(0, 0), Bounds(-5, 9), *[None] * 5]
    monkeypatch.setattr(Analyst, "columns", lambda *_, **_limits: columns)
    assert Reviewer().review(RecordedGame(1, [step("", 1)])).unchecked, "another column may be better"


def test_prospects_not_proven_in_time_count_as_draws():
    deep = Board.from_moves("44444222223333355555")
    prospects = EngineProspects().within(0.0)
    assert row_of(prospects.prospect, deep) == [DRAW] * 7
    exact = row_of(EngineProspects().prospect, deep)
    assert row_of(prospects.within(None).prospect, deep) == exact != [DRAW] * 7


@pytest.mark.parametrize(
    ("moves", "column", "prospect"),
    [
        ("121212", 1, 1.0),
        ("111111", 1, 0.0),
        ("121212", 3, 0.0),
        ("2567162364225", 1, 0.0),  # lost in 7 plies
        ("3375515663133", 1, FAR),  # lost in 9
        ("25777131474464721415461763362331365655522", 2, DRAW),
        ("", 1, FAR),
        ("", 4, 1.0),
    ],
)
def test_wins_are_certain_and_so_are_losses_that_are_near(moves, column, prospect):
    assert EngineProspects().prospect(Board.from_moves(moves), column - 1) == prospect


@pytest.mark.parametrize(("left_s", "hard_s", "think_s"), [(3.0, 3.0, 0.2), (0.1, 0.1, 0.1), (-1.0, SHORTEST_S, 0.05)])
def test_an_agent_has_the_time_that_is_left_and_thinks_no_longer_than_asked(left_s, hard_s, think_s):
    def choose(_board: Board, limit: Any, _stop: object) -> Decision:
        assert (limit.hard_s, limit.think_s) == (hard_s, think_s)
        return Decision(2)

    agent: Any = SimpleNamespace(choose=choose)
    assert EngineHost(agent, 0.2)(Session(hypotheses=(Hypothesis(EMPTY),)), left_s).column == 2


def test_a_choice_over_hypotheses_has_most_of_the_time_that_is_left_and_a_plan_half_of_it(monkeypatch):
    asked: list[float | None] = []

    def within(self: EngineProspects, seconds: float | None) -> EngineProspects:
        asked.append(seconds)
        return self

    level(monkeypatch)
    monkeypatch.setattr(EngineProspects, "within", within)
    monkeypatch.setattr("bot.course.policy.time.monotonic", lambda: 0.0)
    proven: Any = SimpleNamespace(choose=lambda *_: Decision(3, proven=True))
    known = (Hypothesis(EMPTY),)
    for hypotheses in ((*known, Hypothesis(position("44"))), known):
        for left_s in (0.4, 60.0):
            decision = EngineHost(proven, 0.2)(Session(hypotheses=hypotheses, lost_move=6), left_s)
            assert decision.column == (6 if len(hypotheses) > 1 else 3), "of equal columns, the one that was sent"
    assert asked == pytest.approx([0.32, HYPOTHESES_S, 0.2, PLAN_S])


def test_a_choice_in_doubt_may_open_a_game_where_one_of_its_boards_is_empty():
    """So it needs the room on the disk that the record of a game takes."""
    session = Session(hypotheses=(Hypothesis(position("44")), Hypothesis(EMPTY)))
    chosen = Driver(session, Course(), Mock(), lambda *_: Decision(2)).perform(Choose())
    assert isinstance(chosen, Chosen) and (chosen.ply, chosen.hypotheses) == (0, 2)


@pytest.mark.parametrize(("at", "late"), [(14.0, False), (16.0, True)])
def test_a_move_is_late_by_the_server_s_limit_also_where_a_lost_reply_may_have_given_it_more_time(at, late):
    session = Session(options=OPTIONS, hypotheses=(Hypothesis(EMPTY),), late_at=15.0, choose_until=19.0)
    clock: Any = Mock(now=Mock(side_effect=[13.0, at]))
    chosen = Driver(session, clock, Mock(), lambda *_: Decision(2)).perform(Choose())
    assert isinstance(chosen, Chosen)
    assert (chosen.late, chosen.move_s, chosen.seconds) == (late, at - 10.0, at - 13.0)


def test_a_plan_serves_several_choices_until_something_is_learnt_or_its_time_is_over(monkeypatch):
    plans = Mock(return_value=Mock(refine=lambda _board, column: column))
    monkeypatch.setattr("bot.course.policy.MovePlan", plans)
    agent: Any = SimpleNamespace(choose=lambda *_: Decision(3, proven=True))
    host, first = EngineHost(agent, 0.2), Session(hypotheses=(Hypothesis(EMPTY),))
    later = replace(first, answers=AnswerBook().observe([(EMPTY.play(3).board, 3)]))
    last = replace(later, learnt=Learnt(deliveries={"reset": (1, 1)}))
    made: list[int] = []
    for session, left_s in ((first, 1.0), (first, 1.0), (later, 1.0), (last, 0.0), (last, 1.0), (last, 1.0)):
        monkeypatch.setattr(EngineProspects, "left_s", lambda _self, left_s=left_s: left_s)
        host(session, 60.0)
        made.append(plans.call_count)
    assert made == [1, 1, 2, 3, 4, 4]


def test_a_column_that_the_plan_prefers_is_recorded_as_the_plans_and_a_failed_agents_note_stays(monkeypatch):
    decision = Decision(3, score=1.0, proven=True, depth=9, pv=(3, 2), source="book", note="The agent failed.")
    agent: Any = SimpleNamespace(choose=lambda *_: decision)
    found: list[Any] = []
    for column in (3, 2):
        monkeypatch.setattr(MovePlan, "refine", lambda *_, column=column: column)
        session = Session(hypotheses=(Hypothesis(EMPTY),))
        found.append(Driver(session, Course(), Mock(), EngineHost(agent, 0.2)).perform(Choose()))
    recorded = {"score": 1.0, "proven": True, "note": "The agent failed."}
    kept = replace(found[0], move=3, depth=9, pv=(3, 2), source="book", **recorded)
    assert found == [kept, replace(found[1], move=2, depth=None, nodes=None, pv=(2,), source="plan", **recorded)]
