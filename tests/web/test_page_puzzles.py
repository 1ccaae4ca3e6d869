"""Puzzles: nothing else tells the answer, wrong tries are refuted, and what was missed comes back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.web.browser import (
    PHONE,
    answer,
    are_in_view,
    click,
    counts,
    discs,
    drop,
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

SAID = "#puzzle-said"
STEP_MS = 1000
"""A little more than a line takes for a move."""
PUZZLES = json.loads(Path(__file__).with_name("puzzles.json").read_text("utf-8"))
"""Puzzles as the server sends them: with three moves each of which is the only one that wins; with a second move that
may be 3 or 6; with a win that is out of sight after the first move; and a trap, in which only one of the losing moves
leaves a single answer.
"""
SHOWN = 32
"""Discs of the first one."""

pytestmark = pytest.mark.usefixtures("tab")


def offer(*names: str, more: str = "") -> None:
    """Open the page, with its clock stopped and these puzzles as those of the day."""
    answer("puzzles/daily*", json=[PUZZLES[name] for name in names])
    stop_clock()
    visit(f"view=puzzles{more}")
    counts(len(names), "#puzzle-list button")
    discs(SHOWN)


def attempt(column: int) -> None:
    """Drop a disc, and let go out what the page asks of the server."""
    drop(column)
    run_clock(1)


def rating() -> int:
    return int(re.sub(r".*Rating (\d+).*", r"\1", tab.page.locator("#puzzle-score").inner_text(), flags=re.DOTALL))


def test_a_win_is_played_on_while_it_is_in_sight_and_one_move_wins():
    offer("three moves", "long", "two ways")
    for count in (2, 4):
        attempt(7)
        lists(SAID, "Right. And now?")
        says("Yellow to move and win.")
        discs(SHOWN + count)
    assert rating() == 1000, "the puzzle is not solved yet"
    attempt(6)
    says("Yellow wins with four in a row.")
    lists(SAID, "Right. Column 7 wins in 3 moves. Yellow could play column 7: then every reply loses.")
    assert rating() > 1000
    press("n")
    discs(25)
    attempt(6)
    sees(SAID, "Right. Column 6 wins.")
    press("n")
    attempt(7)
    lists(SAID, "Right. And now?")
    attempt(6)
    sees(SAID, "Right. Column 7")
    plays(PUZZLES["two ways"]["moves"] + "736")


def test_a_wrong_disc_is_refuted_and_lifts_out_under_the_same_question():
    offer("three moves", "trap")
    attempt(1)
    lists(SAID, "Column 1 loses. Try again.")
    for count in range(5):
        discs(SHOWN + 1 + count)
        says("Yellow to move and win.")
        sees("#columns button:nth-child(7):disabled")
        run_clock(900)
    discs(SHOWN)
    attempt(7)
    lists(SAID, "Right. And now?")
    discs(SHOWN + 2)
    click("#puzzle-list button >> nth=1")
    says("Yellow to move: set the trap.")
    attempt(2)
    lists(SAID, re.compile(r"Column 2 leaves [3-7] good answers\. Try again\."))
    run_clock(STEP_MS)
    discs(18)
    attempt(1)
    sees(SAID, "Right. Column 1 leaves one good answer: column 1.")


def test_a_missed_puzzle_comes_back_until_a_first_try_is_right():
    asked = answer("puzzles?*", json=[PUZZLES["long"]])
    offer("three moves")
    click("#puzzle-answer")
    run_clock(5 * STEP_MS)
    says("step 5 of 5")
    counts(4, "#board .four")
    counts(1, "#puzzle-list .lost")
    missed = rating()
    assert missed < 1000
    reload()
    click("label:has-text('Practice')")
    counts(2, "#puzzle-list button")
    sees("#puzzle-again", "Missed 0 days ago.")
    for count, column in ((0, 7), (2, 7), (4, 6)):
        discs(SHOWN + count)
        attempt(column)
    counts(1, "#puzzle-list .won")
    assert rating() == missed, "only the first try of all counts"
    click("#puzzles-more:enabled")
    counts(1, "#puzzle-list button")
    lacks("#puzzle-again")
    discs(25)
    assert [re.findall(r"count=(\d)", one.request.url) for one in asked] == [["4"], ["5"]]
    reload()
    counts(1, "#puzzle-list .lost")


def test_nothing_else_tells_the_answer_until_the_puzzle_is_done():
    offer("three moves", more="&analyse=1")
    press("a", "h", "ArrowLeft", "Home", "m", "u")
    run_clock(STEP_MS)  # longer than the delay of an analysis
    discs(SHOWN)
    lacks(":is(.score, .ghost, .note, .moment, #coach, #analyse)")
    click("#puzzle-answer", "#leave-line", "#study")
    run_clock(STEP_MS)
    sees("#scores .score.best")


@PHONE
def test_a_daily_set_is_solved_by_keys_on_a_phone():
    tab.page.clock.set_fixed_time("2026-11-25T12:00")  # a day with one of the longest reasons
    with tab.page.expect_response("**/puzzles/daily*") as reply:
        visit("view=puzzles")
    for number, puzzle in enumerate(reply.value.json()):
        for tried, move in enumerate(puzzle["line"][::2]):
            shown = len(puzzle["moves"]) + 2 * tried
            discs(shown)
            press(str(move + 1))
            sees(f"#puzzle-next, :nth-match(#board .disc:not(.ghost), {shown + 2})")  # the answer has fallen
            if tab.page.locator("#puzzle-next").count():
                break
        sees(SAID, "Right")
        counts(number + 1, "#puzzle-list .won")
        sees("#puzzle-list .won", "\u2713 1")
        are_in_view("#status-text", SAID, "#puzzle-next")
        if number == 4:
            says("Today: 5 of 5.")
            are_in_view("#puzzle-result")
        press("n")
    sees("#puzzle-score", "1 day in a row.")
    reload()
    counts(5, "#puzzle-list .won")
