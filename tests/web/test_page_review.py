"""Looking back: the analysis, the coach's reasons, and the guided review of one's mistakes."""

from __future__ import annotations

import re

import pytest

from tests.web.browser import (
    LATE,
    LOST,
    OVER,
    PHONE,
    alter,
    are_in_view,
    beside,
    click,
    counts,
    discs,
    go_to,
    lacks,
    lists,
    plays,
    press,
    reload,
    run_clock,
    says,
    sees,
    stop_clock,
    tab,
    visit,
)

ZUGZWANG = "5644325144236"
"""The last move allows a zugzwang after 15 plies."""
OVERLAP = """() => {
  const boxes = (name) => [...document.querySelectorAll(name)].map((one) => one.getBoundingClientRect());
  const badges = boxes(".note.threat rect"), numbers = boxes(".ghost-plate");
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const cell = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) < 40;
  return [badges.some((badge) => numbers.some((number) => !apart(badge, number))),
    badges.some((badge) => numbers.some((number) => cell(badge, number)))];
}"""
"""Whether a threat's badge covers a number of the best line, and whether one shares a cell with one."""
BAR = "bar => bar.offsetWidth / bar.parentElement.offsetWidth"

pytestmark = pytest.mark.usefixtures("tab")


def test_analysis_shows_every_score_the_best_line_and_the_mistake() -> None:
    visit(moves=LATE, patience=60)
    counts(7, ".score")
    sees("#scores > :nth-child(5)", re.compile(r"\+14.*win in 2"))
    counts(2, ".score.best")
    counts(3, "#board .ghost")
    click("#scores > :nth-child(1)")
    sees("h2:has-text('Line of column 1')")
    sees("#line", re.compile(r"^1 \d"))
    visit(moves="44", view="analysis", patience=60)
    counts(5, "#board .ghost")  # of a longer line


def test_a_mistake_is_explained_played_out_and_retried() -> None:
    tab.page.clock.install()
    visit(moves=LATE, patience=60)
    sees("#coach-text", "Column 1: allowed double threat; sooner loss")
    sees("#coach-text .reason", "Allowed:")
    counts(0, "#coach-text:text-matches('\\\\b[XO]\\\\b')")
    stop_clock()
    click("#coach-text .reason button")
    run_clock(9000)
    says("Yellow wins with four in a row.")
    click("#leave-line")
    discs(len(LATE))
    click("text=Take back and play on")
    says("Your move")
    plays(LATE[:-1])


@PHONE
def test_what_can_be_seen_is_said_and_threats_leave_the_line_readable() -> None:
    visit(moves=LATE, patience=60)
    sees("#coach-text .facts", "Yellow can force four in a row.")
    sees("#coach-text .facts", "Yellow's threats:")
    sees("#board .ghost-number")
    assert tab.page.evaluate(OVERLAP) == [False, True]
    click("[data-field=threats]")
    counts(0, "#board .note")
    visit(moves=ZUGZWANG, patience=60)
    where = r"must open column \d, below (Red|Yellow)'s .*in column \d, row \d\."
    sees("#coach-text .reason", re.compile(where))
    go_to("match")
    lacks("#coach")
    press("a")
    sees("#coach")


def test_the_end_says_how_well_both_have_played_and_shows_the_score() -> None:
    visit(moves=OVER, view="play", human=0, agent="random")
    lists("#accuracy div", re.compile(r"^You\s*100 %$"), re.compile(r"^random\s*\d+ %$"))
    assert tab.page.locator("#eval i").evaluate(BAR) == pytest.approx(0.975, abs=0.01)
    sees("#moves li:nth-child(12)", re.compile("1\\?.*\u221214", re.DOTALL))
    lacks("#slider")
    click("#graph .pick[data-ply='12']")
    discs(12)
    sees("#eval[aria-label='Evaluation: yellow wins']")
    for keys in ("End", "M"), ("Home", "m"):
        press(*keys)
        discs(12)


def test_the_review_asks_about_own_mistakes_and_marks_survive_a_reload() -> None:
    tab.page.clock.install()
    visit(moves=LOST, view="play", human=1, agent="random")
    click("#review")
    lists("#guide-head", "Mistake 1 of 3, your move 6")
    discs(5)
    lacks("#game")  # all else steps back
    stop_clock()
    press("1")
    run_clock(200)  # the delay of an analysis
    sees("#guide-text", "Column 1 is not it: loss in 15.")
    for count in (6, 5):
        run_clock(1000)
        discs(count)
    press("4")
    sees("#guide-text", "Right, column 4.")
    sees("#guide-text", "Perfect play on column 7: gave the win away: now lost")
    reload()
    lists("#guide-head", "Moment 2 of 3, your move 22")
    click("#guide-show")
    sees("#guide-text", "Better: column 1.")
    click("#guide-next")
    lists("#guide-head", "Mistake 3 of 3, your move 24")
    click("#guide-skip")
    lists("#guide-text", "You have seen all 3 mistakes; you found a better move for 1.")


@PHONE
def test_question_answer_and_next_are_in_view_on_a_phone() -> None:
    alter("review", doomed=None, moment=None)  # these sentences leave less room
    visit(view="review", moves=OVER, human=1)
    click("#guide-show")
    sees("#guide .reason")
    assert are_in_view("#board", "#guide-head", "#guide .kind", "#guide .reason", "#guide-next")


def test_what_was_not_solved_in_time_is_asked_for_again_and_not_judged() -> None:
    nothing = [None] * 16
    asked = alter("review", scores=nothing, moves=nothing[1:], insights=nothing[1:], moment=None)
    for _ in range(2):
        visit(view="review", moves=OVER, human=1)
        sees("#guide-text", "Not all moves could be checked in time.")
    assert len(asked) == 2
    tab.page.unroute_all()
    alter("analysis", score=None, best=[])
    visit(view="review", moves=OVER, human=1)
    says("find a better move")
    press("1")
    sees("#guide-text", "no move can be judged")
    lacks("#guide-next")


def test_that_every_move_lost_is_said_first_and_only_to_the_loser() -> None:
    visit(view="review", moves=OVER, human=1)
    sees("#doomed", "Every move of Red lost from the start")
    with beside():
        visit(view="review", moves=OVER, human=0)
        lists("#guide-head", "Review")
        lacks("#doomed")
