"""Looking back: scores and lines, the coach's reasons, and the key moments of a game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser import (
    LATE,
    LOST,
    OVER,
    PHONE,
    SEEN,
    alter,
    are_in_view,
    beside,
    click,
    counts,
    discs,
    fill,
    game,
    kept,
    lacks,
    lists,
    opponent,
    plays,
    prefer,
    press,
    reload,
    respond,
    run_clock,
    says,
    sees,
    stop_clock,
    tab,
    visit,
)
from tests.web.test_runs import open_run

from playwright.sync_api import Route  # isort: skip

WAITING = "5644325144236"
"""The last move allows a win by waiting after 15 plies."""
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
    says("Yellow to move. Yellow wins in 2.")
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


def test_a_line_that_is_shown_keeps_its_text() -> None:
    prefer(patience_s=60)
    tab.page.clock.install()
    visit(moves=LATE)
    sees("#coach-text", "After Red\u2019s column 1, Yellow could open two fours at once.")
    sees("#coach-text .reason", "Red could block only one.")
    counts(0, "#coach-text:text-matches('\\\\b[XO]\\\\b')")
    said = tab.page.locator("#coach-text").inner_text()
    stop_clock()
    click("#coach-text .reason button")
    for at in range(5):
        says(f"step {at} of 4")
        discs(len(LATE) - 1 + at)
        run_clock(900)
    counts(4, "#board .four")
    assert tab.page.locator("#coach-text").inner_text() == said
    click("#leave-line")
    discs(len(LATE))


@PHONE
def test_what_can_be_seen_is_said_and_threats_leave_the_line_readable() -> None:
    prefer(patience_s=60)
    visit(moves=LATE)
    click("#coach summary")
    sees("#coach :text('Yellow can force a four with 5 5 7.')")
    sees("#coach :text('Threats of Yellow: column 5, row 2 (even row).')")
    sees("#board .ghost-number")
    counts(0, "#board .note")
    tab.page.get_by_label("Threats on the board").click()
    sees("#threat-legend", "can be played now")
    assert tab.page.evaluate(OVERLAP) == [False, True]
    visit(moves=WAITING)
    tab.page.locator("#coach summary").press("Enter")  # a notice lies over it for a moment
    where = r"no column is safe for (Red|Yellow), and column \d lets (Red|Yellow) make four\."
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
    sees("#ribbon[aria-valuetext='Move 12 of 15: red, column 1, brought the loss 13 moves closer']")
    box = tab.page.locator("#ribbon").bounding_box()
    assert box is not None
    tab.page.mouse.click(box["x"] + box["width"] * 3.5 / 43, box["y"] + 9)
    discs(3)
    click("#moments")
    sees("#guide-text", "After Red\u2019s column 1, you could open two fours at once.")  # no mistake was one's own


def test_a_key_moment_could_be_seen_and_every_try_is_answered_on_the_board() -> None:
    tab.page.clock.install()
    visit(view="play", moves=SEEN, yellow="you", red="level:2")
    click("#moments")
    lists("#guide-head", "Key moment 1 of 2, move 21: column 4")
    says("Move 21. Where should you have blocked?")
    sees("#guide-text", "You played column 4 and left Red\u2019s four open.")
    discs(20)
    sees("#board .note.pale.first")
    lacks(":is(#accuracy, #setup, #analyse, .score)")  # all else steps back
    counts(2, "#ribbon .moment")
    stop_clock()
    press("2")
    discs(21)
    says("Not column 2. Red could still make four.")
    press("7")  # nothing happens while the wrong disc is shown
    run_clock(900)
    discs(20)
    says("Not column 2. Red could still make four.")
    sees("#guide-text", "Try another column.")
    lists("#board .note", "?", "\u00d7")
    press("2")
    run_clock(900)
    discs(22)
    counts(4, "#board .four")
    says("Not column 2. Red could make four in column 7: that cell was left open.")
    run_clock(900)
    discs(20)
    says("Not column 2. Red could make four in column 7: that cell was left open.")
    press("7")
    for count in (21, 22, 20):
        discs(count)
        says("Right: column 7.")
        run_clock(900)
    counts(3, "#board .note.of")
    sees("#guide-turn", "Turn it around from move 19")
    said = tab.page.locator("#guide-text").inner_text()
    click("#panel .reason button")
    for at in range(3):
        says(f"step {at} of 2")
        run_clock(900)
    says("Red makes four, step 2 of 2")
    assert tab.page.locator("#guide-text").inner_text() == said
    click("#leave-line")
    discs(20)


def test_marks_survive_a_reload_and_all_mistakes_are_behind_one_press() -> None:
    visit(view="play", moves=LOST, yellow="random", red="you")
    click("#moments", "#guide-show")
    says("The answer: column 1.")
    sees("#board [data-hint='0']")
    reload()
    click("#moments")
    lists("#guide-head", "Key moment 2 of 3, move 12: column 2")
    click("#guide-skip", "#guide-skip")
    lists("#guide-text", "0 of 3 found.")
    lists("#panel .list button >> nth=1", re.compile(r"^Move 12\s+skipped\s*After your column 2, Yellow"))
    click("#guide-all")
    lists("#guide-head", "Mistake 1 of 4, move 6: column 7")
    says("Move 6. Which column kept the win?")
    press("1")
    says("Not column 1. Column 1 turns a won position into a lost one.")
    click("#guide-close", "#moments", "#guide-skip", "#guide-skip")
    click("#panel .list button >> nth=0")
    lists("#guide-head", "Key moment 1 of 3, move 24: column 5")


def test_a_lost_game_is_turned_around_against_the_same_level_and_counted_once() -> None:
    prefer(clock_s=600)
    opponent("1" * 19 + "4")
    visit(view="play", moves=SEEN, yellow="you", red="level:2")
    click("#moments", "#guide-show", "#guide-turn")
    discs(18)
    sees("#bar-below .clock", re.compile("10:00|9:"))  # as in the first game
    says("Move 19 again: play it better.")
    lists("#bar-above .name", "Novice")
    counts(6, "#ribbon .before")
    for column, count in (("5", 20), ("4", 21)):
        press(column)
        discs(count)
    says("Turned around. You win with four in a row.")
    sees("#turned", "Turned around against Novice: 1 game.")
    lists("#accuracy div", "You 50 %", "Novice 0 %")
    sees("#ending", "Counted from move 19 on, where this game began.")
    press("Home", "End")
    reload()
    says("Turned around. You win with four in a row.")
    sees("#turned", "Turned around against Novice: 1 game.")
    assert kept("turned") == {"level:2": [f"{SEEN}@18"]}
    assert not kept("own-games"), "its beginning was played in another game"
    click("#before")
    plays(SEEN)
    says("Novice wins with four in a row.")
    counts(0, "#ribbon .before")


def test_a_journals_game_that_is_turned_around_keeps_its_names(logs: Path) -> None:
    journal = open_run(logs)
    game(journal, 1, SEEN, -1.0, we_started=True)
    journal.close()
    visit(view="games", run=journal.path.name)
    click("#moments", "#guide-show", "#guide-turn")
    lists(".name", "Novice", "You")
    sees("#turned", "The first game was perfect \u2013 The server's bot; now you play Novice.")
    click("#before")
    lists(".name", "The server's bot", "perfect")
    says("The server's bot wins with four in a row.")


def test_the_opponents_moments_are_told_where_one_has_none() -> None:
    alter("review", moments=[[], [23]])
    visit(view="play", moves=LOST, yellow="you", red="random")
    click("#moments", "#guide-show")
    lists("#guide-head", "Key moment 1 of 1, move 24: column 5")
    lacks("#guide-turn")


def test_without_a_key_moment_ones_own_mistakes_can_still_be_asked_about() -> None:
    alter("review", moments=[[], []])
    visit(view="play", moves=OVER, yellow="random", red="you")
    click("#moments")
    sees("#guide-text", "No key moment")
    lists("#guide-all", "All mistakes: 1")
    click("#guide-all")
    lists("#guide-head", "Mistake 1 of 1, move 12: column 1")


def test_a_column_that_was_not_checked_in_time_is_not_judged() -> None:
    def without_tries(route: Route) -> None:
        review: Any = route.fetch().json()
        review["lessons"][0]["tries"] = [None] * 7
        route.fulfill(json=review)

    respond("review", without_tries)
    visit(view="play", moves=OVER, yellow="random", red="you")
    click("#moments")
    says("Which column prevented that?")
    press("3")
    says("Not column 3. It could not be checked in time.")
    discs(11)
    press("1")
    says("Not column 1. That is what was played.")


def test_what_the_earlier_edition_kept_of_a_review_is_asked_for_anew() -> None:
    old = json.dumps([[SEEN, {"scores": [0], "moves": [], "insights": [], "moment": None}]])
    tab.page.add_init_script(f"if (location.protocol === 'http:') localStorage.reviews ??= {json.dumps(old)}")
    visit(view="play", moves=SEEN, yellow="you", red="level:2")
    click("#moments")
    lists("#guide-head", "Key moment 1 of 2, move 21: column 4")


@PHONE
def test_question_answer_and_reason_are_in_view_on_a_phone() -> None:
    visit(view="play", moves=SEEN, yellow="you", red="level:2")
    click("#moments")
    are_in_view("#board", "#guide-head", "#guide-text", "#guide-show")
    click("#guide-show")
    are_in_view("#board", "#guide-head", "#panel .reason", "#guide-next")


def test_what_was_not_solved_in_time_is_asked_for_again() -> None:
    nothing = [None] * 16
    asked = alter("review", scores=nothing, moves=nothing[1:], lessons=[], moments=[[], []], turns={}, lost_text=None)
    for _ in range(2):
        visit(view="play", moves=OVER, yellow="random", red="you")
        click("#moments")
        sees("#guide-text", "Not all moves could be checked in time.")
    assert len(asked) == 2


def test_that_every_move_lost_is_said_first_and_only_to_the_loser() -> None:
    visit(view="play", moves=OVER, yellow="random", red="you")
    click("#moments")
    sees("#doomed", "The game was lost for you from the first move on: Yellow kept the win throughout.")
    click("#guide-show")
    lacks("#guide-turn")
    with beside():
        visit(view="play", moves=OVER, yellow="you", red="random")
        click("#moments", "#panel .list button")
        sees("#guide-text", "After Red\u2019s column 1, you could open two fours at once.")
        lacks(":is(#doomed, #guide-turn)")
