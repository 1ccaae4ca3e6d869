"""Puzzles and lessons: nothing else tells the answer, wrong tries are refuted, and what was missed comes back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bot.learn.lessons import LESSONS
from tests.web.browser import (
    LOST,
    PHONE,
    answer,
    are_in_view,
    click,
    counts,
    discs,
    drop,
    go_to,
    keep,
    kept,
    lacks,
    lists,
    plays,
    press,
    reload,
    run_clock,
    sees,
    serious_faults,
    stop_clock,
    tab,
    visit,
)
from tests.web.test_page_files import FORBID_STORAGE

SAID = "#puzzle-said"
VERDICT = "#scores .said"
"""What is said of the board, right below it."""
ADDRESS = "https://example.org/four"
TRIED = "#board .note.pale"
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
    answer("puzzles/daily*", {"puzzles": [PUZZLES[name] for name in names], "url": ADDRESS})
    stop_clock()
    visit(f"view=puzzles{more}")
    counts(len(names), "#puzzle-list button")
    discs(len(PUZZLES[names[0]]["moves"]))


def attempt(column: int) -> None:
    """Drop a disc, and let go out what the page asks of the server."""
    drop(column)
    run_clock(1)


def rating() -> int:
    return int(re.sub(r".*Rating (\d+).*", r"\1", tab.page.locator("#puzzle-score").inner_text(), flags=re.DOTALL))


def test_a_win_is_played_on_while_it_is_in_sight_and_one_move_wins():
    offer("three moves", "long", "two ways")
    lists("#bar-below .name", "You")
    for count in (2, 4):
        attempt(7)
        lists(VERDICT, "Right. And now?")
        discs(SHOWN + count)
        sees("#columns :focus")
    assert rating() == 1000, "the puzzle is not solved yet"
    attempt(6)
    lists(VERDICT, "Right. Column 7 wins in 3 moves.")
    lists(SAID, "Column 7 wins in 3 moves. After column 7, every reply loses.")
    sees("#bar-below .state", "won")
    sees("#puzzle-next:focus")
    assert rating() > 1000
    press("Enter")
    sees("#columns :focus")
    discs(25)
    lists("#bar-below .unseen", "red")  # the side to move is below the board
    attempt(6)
    sees(VERDICT, "Right. Column 6 wins.")
    press("n")
    attempt(7)
    lists(VERDICT, "Right. And now?")
    attempt(6)
    sees(VERDICT, "Right. Column 7")
    lists("#day-result, #puzzle-said", "Today: 3 of 3", "Column 7 wins.")
    click("#puzzle-line")
    press("End")
    sees("#leave-line")
    click("#leave-line")
    sees(SAID, "Column 7 wins. After columns 3 3 6, you could")
    sees(VERDICT, "That makes 3 of 3.")
    lists("#actions .strong", "Share")
    plays(PUZZLES["two ways"]["moves"] + "736")
    click("#puzzle-list button >> nth=1")
    attempt(6)
    lists(VERDICT, "Right. Column 6 wins.")
    lists("#day-result, #puzzle-said", "Today: 3 of 3", "Column 6 wins.")  # why, only where it is asked again


def test_a_wrong_disc_is_refuted_move_by_move_marked_and_lifts_out():
    keep("puzzles", {"missed": [{"puzzle": {"name": "earlier", "moves": ""}}] * 59})
    offer("three moves", "trap", "long")
    lists(f"{VERDICT}, #puzzle-task", "Your move.", "Find the only winning move.")
    attempt(1)
    wrong = "Column 1 loses. After your column 1, Red could force a four. Try again."
    lists(f"{VERDICT}, #puzzle-task", wrong, "Find the only winning move.")
    labels = []
    for count in range(5):
        discs(SHOWN + 1 + count)
        labels.append(tab.page.locator(VERDICT).inner_text())
        sees("#columns :focus")  # not in the ribbon: the keyboard goes on here
        counts(0, TRIED)
        run_clock(900)
    assert labels[1].startswith("Red\u2019s column\u00a01 blocks") and len(set(labels)) == 5, labels
    discs(SHOWN)
    lists(TRIED, "\u00d7")
    lists(VERDICT, wrong)
    attempt(7)
    lists(VERDICT, "Right. And now?")
    counts(0, TRIED)
    click("#puzzle-list button >> nth=1")
    sees("#puzzle-task", "Set the trap")
    attempt(2)
    lists(VERDICT, re.compile(r"Column 2 leaves [3-7] good answers\. Try again\."))
    run_clock(STEP_MS)
    discs(18)
    counts(1, TRIED)
    click("#puzzle-list button >> nth=2")
    counts(0, TRIED)
    click("#puzzle-list button >> nth=1")
    attempt(1)
    sees(VERDICT, "Right. Column 1 leaves one good answer: column 1.")
    sees("#puzzle-list button >> nth=1", "(\u2713) 2")  # at a later try: it counts as missed
    missed = [one["puzzle"]["name"] for one in kept("puzzles")["missed"]]
    assert len(missed) == 60 and missed[-2:] == [PUZZLES[name]["name"] for name in ("three moves", "trap")]


def test_a_missed_puzzle_comes_back_until_a_first_try_is_right_and_practice_begins_easy():
    asked = answer("puzzles?*", [PUZZLES["long"]])
    offer("three moves")
    click("#puzzle-answer")
    run_clock(5 * STEP_MS)
    lists(VERDICT, "Your column 6 makes four, step 5 of 5")
    counts(4, "#board .four")
    counts(1, "#puzzle-list .lost")
    missed = rating()
    assert missed < 1000
    reload()
    click("label:has-text('Practice')")
    counts(2, "#puzzle-list button")
    for count, column in ((0, 7), (2, 7), (4, 6)):
        discs(SHOWN + count)
        attempt(column)
    counts(1, "#puzzle-list .won")
    assert rating() == missed, "only the first try of all counts"
    assert kept("puzzles")["solved"] == {PUZZLES["three moves"]["name"]: False}, "and is kept"
    press("n")
    discs(25)  # the harder one comes last
    tab.page.evaluate("localStorage.puzzles = JSON.stringify({ rating: 1500 })")
    attempt(6)
    press("n")
    counts(1, "#puzzle-list button")
    found = [re.search(r"count=(\d).*hardest=(\d)", one.request["url"]) for one in asked]
    assert [one and one.groups() for one in found] == [("4", "2"), ("5", "4")]


def test_a_finished_day_is_said_with_joy_once_and_shared_as_one_text():
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    offer("three moves", "long")
    attempt(1)
    counts(1, "#puzzle-list .lost")
    click("#puzzle-list button >> nth=1")
    attempt(6)
    press("n")  # a wrong try is no end: the first puzzle comes again
    lacks("#day-result, #share-result, #calendar .done")
    sees("#puzzle-score", "Finish all five")
    click("#puzzle-answer")
    counts(2, "#puzzle-list.joy button")
    lacks("#day-result, #share-result")  # the answer is played first
    run_clock(6 * STEP_MS)
    lists("#day-result", "Today: 1 of 2")
    lists("#puzzle-list button", re.compile("\u00d7 1"), re.compile("\u2713 2"))
    lists("#actions .strong", "Practise the one you missed")
    sees("#calendar .done[aria-current=date]", "finished")
    sees("#puzzle-score", "1 day in a row.")
    click("#leave-line", "#share-result")
    sees("#notice", "copied")
    title, *rest = tab.page.evaluate("navigator.clipboard.readText()").split("\n")
    assert title.startswith("Connect Four puzzles, ") and rest == ["\u274c\u2705 1 of 2", ADDRESS]
    reload()
    counts(2, "#puzzle-list:not(.joy) button")


def test_at_a_zoom_of_200_and_400_percent_no_puzzle_is_cut_and_the_page_is_no_wider_than_the_window():
    offer("three moves", "trap", "long", "two ways", "three moves")
    for width, height in ((720, 450), (360, 225)):
        tab.page.set_viewport_size({"width": width, "height": height})
        tab.page.wait_for_function("width => innerWidth === width", arg=width)
        last, panel = (tab.page.locator(part).last.bounding_box() for part in ("#puzzle-list button", "#panel"))
        assert last and panel and last["x"] + last["width"] <= panel["x"] + panel["width"]
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width


def test_where_nothing_can_be_kept_that_is_said_in_place_of_a_streak():
    tab.page.add_init_script(FORBID_STORAGE)
    offer("long")
    sees("#puzzle-score", "This browser keeps nothing")
    attempt(6)
    sees("#day-result", "Today: 1 of 1")
    assert "in a row" not in tab.page.locator("#puzzle-score").inner_text()


def test_a_lesson_is_learnt_by_keys_and_its_exercises_stay_done():
    visit("view=puzzles")
    click("label:has-text('Lessons')")
    for lesson in LESSONS[:1]:
        sees("#lesson-about", lesson.about[:20])
        for number, exercise in enumerate(lesson.exercises):
            discs(len(exercise.moves))
            if number == 1:
                press("4")
                sees(VERDICT, re.compile("Column 4 loses|column 7 makes four"))
                lists(TRIED, "\u00d7")
                counts(4, "#board .note.of")  # the four that it allowed
            press(exercise.right[0])
            sees(VERDICT, "Right.")
            sees(SAID, f"Column {exercise.right[0]} does it. {exercise.why[:20]}")
            if number == 1:
                sees(SAID, "With column 4 instead, Red could make four in column 7")
            if number == 2:
                sees("#puzzle-next", f"Lesson done. Next: {LESSONS[1].name}")
            press("n")
    lists("#lesson-list [aria-pressed=true] span >> nth=0", LESSONS[1].name)
    sees("#lesson-list .about", "\u2713 done")
    assert not serious_faults()
    reload()
    click("label:has-text('Lessons')")
    sees("#lesson-list [aria-pressed=true]", LESSONS[1].name)
    for following in ("Next", "Next", f"Next: {LESSONS[2].name}"):  # answers that are shown lead on, too
        click("#puzzle-answer")
        lists("#puzzle-next", following)
        press("n")
    sees("#lesson-list [aria-pressed=true]", LESSONS[2].name)
    lists("#lesson-list li:nth-child(2) .about", "0 of 3")


def test_a_key_moment_leads_to_the_lesson_that_fits():
    visit(f"view=play&moves={LOST}&yellow=random&red=you")
    click("#moments", "#guide-show", ".to-lesson")
    sees("#lesson-list [aria-pressed=true]", "Threats that wait")
    lists("#board .note.row", *"123456")
    counts(1, "#board .note.hint")  # the threat that waits
    click("#lesson-list button")
    tab.page.go_back()
    sees("body[data-view=play]")
    go_to("puzzles")
    sees(VERDICT, "Your move.")
    sees("#lesson-list [aria-pressed=true]", LESSONS[0].name)  # the link has been followed once


def test_nothing_else_tells_the_answer_until_the_puzzle_is_done():
    offer("three moves", "long", more="&analyse=1")
    press("a", "h", "ArrowLeft", "Home", "m", "u")
    run_clock(STEP_MS)  # longer than the delay of an analysis
    discs(SHOWN)
    lacks(":is(.score, .ghost, .note, .moment, #coach, #analyse)")
    click("#puzzle-answer", "#leave-line", "#study")
    run_clock(STEP_MS)
    sees("#scores .score.best")


@PHONE
def test_a_daily_set_is_solved_by_keys_on_a_phone():
    tab.has_own_clock = True
    tab.page.clock.set_fixed_time("2026-11-25T12:00")  # a day with one of the longest reasons
    keep("puzzles", {"days": ["2026-11-23", "2026-11-24"]})
    with tab.page.expect_response("**/puzzles/daily*") as reply:
        visit("view=puzzles")
    sees("#puzzle-score", "2 days in a row.")
    for number, puzzle in enumerate(reply.value.json()["puzzles"]):
        if number == 4:
            tab.page.clock.set_fixed_time("2026-11-26T00:30")  # the day of a set is that of its beginning
        for tried, move in enumerate(puzzle["line"][::2]):
            shown = len(puzzle["moves"]) + 2 * tried
            discs(shown)
            press(str(move + 1))
            sees(f"#puzzle-next, :nth-match(#board .disc:not(.ghost), {shown + 2})")  # the answer has fallen
            if tab.page.locator("#puzzle-next").count():
                break
        sees(VERDICT, "Right")
        counts(number + 1, "#puzzle-list .won")
        sees("#puzzle-list .won", "\u2713 1")
        are_in_view(VERDICT, f"{SAID} b", "#puzzle-next")
        if number == 4:
            sees(VERDICT, "That makes 5 of 5.")  # in view; the panel is below
        press("n")
    tab.page.clock.set_fixed_time("2026-11-25T23:30")
    reload()
    sees("#puzzle-score", "3 days in a row.")
    sees("#calendar tr:nth-child(6) td:nth-child(3).done[aria-current=date]", "25")  # a Wednesday
    counts(5, "#puzzle-list .won")
