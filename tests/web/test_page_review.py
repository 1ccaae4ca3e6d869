"""Looking back: scores and lines, the coach's reasons, and the key moments of a game."""

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
    fill,
    lacks,
    lists,
    opponent,
    plays,
    prefer,
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
HEIGHTS = "all => all.map((one) => one.getAttribute('height'))"
MISTYPED = (("4443x5626", '"x" is none'), ("4435444444", "only the first 8 can be played"), ("8", '"8" is none'))
"""Moves that cannot all be played, and what is said of them."""

pytestmark = pytest.mark.usefixtures("tab")


def play_out(moves: str) -> None:
    """Play a game to its end as yellow, against an opponent who replies with its moves."""
    opponent(moves)
    visit(view="play")
    for count in range(0, len(moves), 2):
        discs(count)
        press(moves[count])


def test_study_shows_every_score_the_best_line_and_that_of_a_column() -> None:
    prefer(patience_s=60)
    visit(moves=LATE)
    sees("body[data-view=scores]")
    says("Yellow to move and win with 2 more discs.")
    counts(7, "#scores .score")
    sees("#scores > :nth-child(5)", re.compile(r"\+14.*win in 2"))
    counts(2, ".score.best")
    counts(3, "#board .ghost")
    click("#scores > :nth-child(1)")
    sees("h3:has-text('Line of column 1')")
    sees("#line", re.compile(r"^1 \d"))
    visit(moves="44", view="scores")
    counts(5, "#board .ghost")  # of a longer line


def test_moves_that_cannot_be_played_change_nothing_and_the_problem_is_said() -> None:
    visit(moves="4435")
    for typed, problem in MISTYPED:
        fill("#position", typed)
        press("Enter")
        sees("#position-problem", problem)
        discs(4)
        plays("4435")
    fill("#position", "ddce1")
    press("Enter")
    discs(5)
    lacks("#position-problem.bad")
    click("#take-back")
    plays("4435")


def test_a_line_that_is_shown_keeps_its_text_and_a_mistake_is_retried() -> None:
    prefer(patience_s=60)
    tab.page.clock.install()
    visit(moves=LATE)
    sees("#coach-text", "Red's column 1: sooner loss, by 13 moves.")
    sees("#coach-text .reason", "Allowed:")
    counts(0, "#coach-text:text-matches('\\\\b[XO]\\\\b')")
    said = tab.page.locator("#coach-text").inner_text()
    stop_clock()
    click("#coach-text .reason button")
    for at in range(5):
        says(f"The line, move {at} of 4")
        discs(len(LATE) - 1 + at)
        run_clock(900)
    counts(4, "#board .four")
    assert tab.page.locator("#coach-text").inner_text() == said
    click("#leave-line")
    discs(len(LATE))
    click("#coach summary", "#retry")
    says("Your move")
    plays(LATE[:-1])


@PHONE
def test_what_can_be_seen_is_said_and_threats_leave_the_line_readable() -> None:
    prefer(patience_s=60)
    visit(moves=LATE)
    click("#coach summary")
    sees("#coach :text('Yellow can force four in a row.')")
    sees('#coach :text("Yellow\'s threats:")')
    sees("#board .ghost-number")
    counts(0, "#board .note")
    tab.page.get_by_label("Threats on the board").click()
    sees("#threat-legend", "can be played now")
    assert tab.page.evaluate(OVERLAP) == [False, True]
    visit(moves=ZUGZWANG)
    click("#coach summary")
    where = r"must open column \d, below (Red|Yellow)'s .*in column \d, row \d\."
    sees("#coach .reason", re.compile(where))


def test_the_coach_says_two_sentences_and_the_rest_on_request() -> None:
    visit(moves=LATE)
    sees("#coach-text .reason")
    counts(2, "#coach-text > *")
    lacks("#coach details p")


def test_the_end_says_how_well_both_have_played_and_the_ribbon_shows_the_scores() -> None:
    play_out(OVER)
    says("You win with four in a row.")
    lists("#accuracy div", re.compile(r"^You\s*100 %$"), re.compile(r"\d+ %$"))
    sees("#ribbon .cell[height='20']")
    assert set(tab.page.locator("#ribbon .cell").evaluate_all(HEIGHTS)) == {"7", "20"}
    press("ArrowLeft", "ArrowLeft", "ArrowLeft")
    discs(12)
    sees("#ribbon[aria-valuetext='Move 12 of 15: red, column 1, sooner loss, by 13 moves']")
    box = tab.page.locator("#ribbon").bounding_box()
    assert box is not None
    tab.page.mouse.click(box["x"] + box["width"] * 3.5 / 43, box["y"] + 9)
    discs(3)
    click("#moments")
    sees("#guide-text", "Novice played column 1.")  # no mistake was one's own


def test_the_key_moments_are_own_mistakes_and_marks_survive_a_reload() -> None:
    tab.page.clock.install()
    visit(moves=LOST, view="play", yellow="random", red="you")
    click("#moments")
    lists("#guide-head", "Mistake 1 of 3, your move 6")
    says("Red: find a better move.")
    discs(5)
    lacks(":is(#accuracy, #setup, #analyse, .score)")  # all else steps back
    counts(3, "#ribbon .moment")
    stop_clock()
    press("1")
    run_clock(200)  # the delay of an analysis
    sees("#guide-text", "Column 1 is not it: loss in 15.")
    for count in (6, 5):
        says("Not column 1. Red: find a better move.")
        run_clock(1000)
        discs(count)
    press("4")
    says("Right: column 4.")
    sees("#guide-text", "Column 7 gave the win away: now lost")
    reload()
    click("#moments")
    lists("#guide-head", "Moment 2 of 3, your move 22")
    click("#guide-show")
    says("Better: column 1.")
    sees("#board [data-hint='0']")
    click("#guide-next")
    lists("#guide-head", "Mistake 3 of 3, your move 24")
    click("#guide-skip")
    lists("#guide-text", "Of 3 moments: found 1, shown 1, skipped 1.")


@PHONE
def test_question_answer_and_next_are_in_view_on_a_phone() -> None:
    alter("review", doomed=None, moment=None)  # these sentences leave less room
    visit(view="play", moves=OVER, yellow="random", red="you")
    click("#moments")
    assert are_in_view("#board", "#guide-head", "#guide-show")
    click("#guide-show")
    sees("#panel .reason")
    assert are_in_view("#board", "#guide-head", "#panel .kind", "#guide-next")


def test_what_was_not_solved_in_time_is_asked_for_again_and_not_judged() -> None:
    nothing = [None] * 16
    asked = alter("review", scores=nothing, moves=nothing[1:], insights=nothing[1:], moment=None)
    for _ in range(2):
        visit(view="play", moves=OVER, yellow="random", red="you")
        click("#moments")
        sees("#guide-text", "Not all moves could be checked in time.")
    assert len(asked) == 2
    tab.page.unroute_all()
    alter("analysis", score=None, best=[])
    visit(view="play", moves=OVER, yellow="random", red="you")
    click("#moments")
    says("find a better move")
    press("1")
    sees("#guide-text", "no move can be judged")
    lacks("#guide-next")


def test_that_every_move_lost_is_said_first_and_only_to_the_loser() -> None:
    visit(view="play", moves=OVER, yellow="random", red="you")
    click("#moments")
    sees("#doomed", "Every move of Red lost from the start")
    with beside():
        visit(view="play", moves=OVER, yellow="you", red="random")
        click("#moments")
        sees("#guide-text", "random played column 1.")
        lacks("#doomed")
