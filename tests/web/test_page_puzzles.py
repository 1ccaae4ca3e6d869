"""Puzzles in a real browser: nothing else tells the answer, wrong tries are refuted, and what was missed comes back."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Sequence

import pytest

from bot.game import format_moves
from bot.learn.puzzles.export import as_json
from bot.learn.puzzles.puzzle import Kind, Puzzle
from tests.web.browser import column, discs, moves_of, start, status

from playwright.sync_api import Page, Route, expect  # isort: skip

THREE_MOVES = Puzzle(
    "5-380", Kind.WIN, "22244424223144157333336165575557", 6, 5, (-3, *[None] * 4, -5, 3), (6, 6, 6, 5, 5)
)
"""Each of the three winning moves is the only one."""
TWO_WAYS = Puzzle(
    "5-205", Kind.WIN, "4445554353446533111151777", 6, 9, (-6, -8, -6, None, None, -7, 5), (6, 2, 2, 5, 0, 6, 6, 1, 1)
)
"""The second move may be 3 or 6."""
LONG = Puzzle(
    "5-40",
    Kind.WIN,
    "3555333544461244514523366",
    5,
    15,
    (-7, -4, None, None, None, 2, -5),
    (5, 5, 5, 0, 0, 0, 0, 6, 6, 6, 6, 6, 6, 1, 1),
)
"""After the first move, the win is out of sight."""
TRAP = Puzzle(
    "5-347",
    Kind.TRAP,
    "641446466422226462",
    0,
    20,
    (-3, -8, -10, None, -6, None, -9),
    (0, 0, 1, 2, 0, 2, 2, 2, 2, 2, 0, 0, 6, 6, 6, 6, 6, 6, 4, 4),
)
"""Every move loses, but only one leaves a single answer."""
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


def offer(page: Page, url: str, *puzzles: Puzzle, **hash_parts: object) -> None:
    """Open the page with ``puzzles`` as those of the day."""
    page.route("**/api/puzzles/daily*", lambda route: answer(route, puzzles))
    start(page, url, view="puzzles", **hash_parts)
    expect(page.locator("#puzzle-list button")).to_have_count(len(puzzles))
    expect(discs(page)).to_have_count(len(puzzles[0].moves))


def answer(route: Route, puzzles: Sequence[Puzzle]) -> None:
    route.fulfill(body=json.dumps([as_json(puzzle) for puzzle in puzzles]), content_type="application/json")


def rating(page: Page) -> int:
    found = re.search(r"Rating (\d+)", page.locator("#puzzle-score").inner_text())
    assert found
    return int(found[1])


def test_a_win_in_sight_is_played_to_its_end(page: Page, url: str) -> None:
    offer(page, url, THREE_MOVES, LONG)
    shown = len(THREE_MOVES.moves)
    for number, move in enumerate(THREE_MOVES.line[::2]):
        expect(status(page)).to_have_text("Yellow to move and win.")
        expect(discs(page)).to_have_count(shown + 2 * number)
        page.keyboard.press(str(move + 1))
        if number < 2:
            expect(page.locator("#puzzle-said")).to_have_text("Right. And now?")
            assert rating(page) == 1000, "the puzzle is not solved yet"
    expect(status(page)).to_have_text("Yellow wins with four in a row.")
    expect(page.locator("#puzzle-said")).to_have_text("Right. Column 7: Yellow wins in 3 moves. Best play: 7 7 7 6 6.")
    assert rating(page) > 1000
    page.keyboard.press("n")
    expect(discs(page)).to_have_count(len(LONG.moves))
    page.keyboard.press(str(LONG.solution + 1))
    expect(page.locator("#puzzle-said")).to_contain_text("Right. Column 6: Red wins in 8 moves")
    expect(discs(page)).to_have_count(len(LONG.moves) + 1)


def test_where_several_moves_win_each_of_them_ends_the_puzzle(page: Page, url: str) -> None:
    offer(page, url, TWO_WAYS)
    column(page, TWO_WAYS.solution + 1).click()
    expect(page.locator("#puzzle-said")).to_have_text("Right. And now?")
    column(page, 6).click()
    expect(page.locator("#puzzle-said")).to_contain_text("Right. Column 7")
    expect(page.locator("#puzzle-next")).to_be_visible()
    assert moves_of(page) == TWO_WAYS.moves + "736"


def test_a_wrong_disc_is_refuted_and_lifts_out_under_the_same_question(page: Page, url: str) -> None:
    offer(page, url, THREE_MOVES)
    before, question = THREE_MOVES.moves, page.locator("#puzzle-question").inner_text()
    reply = page.request.post(f"{url}/api/analysis", data={"moves": f"{before}1"}).json()
    refutation = format_moves(tuple(reply["pv"][:3]))
    column(page, 1).click()
    expect(page.locator("#puzzle-said")).to_have_text(re.compile(r"^Column 1 loses in \d+\. Try again\.$"))
    for count in range(len(refutation) + 1):
        expect(discs(page)).to_have_count(len(before) + 1 + count)
        assert moves_of(page) == f"{before}1{refutation}"
        expect(status(page)).to_have_text("Yellow to move and win.")
        expect(column(page, 7)).to_be_disabled()
    expect(discs(page)).to_have_count(len(before))
    assert page.locator("#puzzle-question").inner_text() == question
    expect(page.locator("#puzzle-said")).to_contain_text("Column 1 loses")
    column(page, 7).click()
    expect(page.locator("#puzzle-said")).to_have_text("Right. And now?")
    expect(discs(page)).to_have_count(len(before) + 2)
    column(page, 1).click()
    expect(discs(page)).to_have_count(len(before) + 3)
    expect(discs(page)).to_have_count(len(before) + 2)


def test_a_trap_that_is_missed_says_how_many_answers_are_left(page: Page, url: str) -> None:
    offer(page, url, TRAP)
    expect(status(page)).to_have_text("Yellow to move: set the trap.")
    column(page, 2).click()
    expect(page.locator("#puzzle-said")).to_have_text(re.compile(r"Column 2 leaves [3-7] good answers\. Try again\."))
    expect(discs(page)).to_have_count(len(TRAP.moves))
    column(page, 1).click()
    expect(page.locator("#puzzle-said")).to_contain_text("Right. Column 1: Yellow loses in")


def test_a_missed_puzzle_comes_back_until_a_first_try_is_right(page: Page, url: str) -> None:
    asked: list[str] = []

    def more(route: Route) -> None:
        asked.append(route.request.url)
        answer(route, [LONG])

    page.route(re.compile(r"/api/puzzles\?"), more)
    offer(page, url, THREE_MOVES)
    page.locator("#puzzle-answer").click()
    expect(status(page)).to_have_text("Yellow wins with four in a row.")  # the line has been played
    expect(page.locator("#puzzle-list .lost")).to_have_count(1)
    missed = rating(page)
    assert missed < 1000
    page.reload()
    expect(page.locator("#puzzle-list button")).to_have_count(1)  # the day's set is there again
    for is_again in (True, False):
        page.locator("#puzzles-more:enabled").click()
        expect(page.locator("#puzzle-list button")).to_have_count(2 if is_again else 1)
        assert f"count={4 if is_again else 5}&" in asked[-1]
        if not is_again:
            break
        today = datetime.datetime.now().strftime("%Y-%m-%d")
        expect(page.locator("#puzzle-again")).to_have_text(f"Again: you missed this one on {today}.")
        for number, move in enumerate(THREE_MOVES.line[::2]):
            expect(discs(page)).to_have_count(len(THREE_MOVES.moves) + 2 * number)
            page.keyboard.press(str(move + 1))
        expect(page.locator("#puzzle-next")).to_be_visible()
        expect(page.locator("#puzzle-list .won")).to_have_count(1)
        assert rating(page) == missed, "only the first try of all counts"
    expect(page.locator("#puzzle-again")).to_have_count(0)
    expect(discs(page)).to_have_count(len(LONG.moves))


def test_nothing_else_tells_the_answer_until_the_puzzle_is_done(page: Page, url: str) -> None:
    offer(page, url, THREE_MOVES, analyse=1)
    for key in ("a", "h", "ArrowLeft", "Home", "m", "u"):
        page.keyboard.press(key)
    page.wait_for_timeout(500)  # longer than the delay of an analysis
    expect(discs(page)).to_have_count(len(THREE_MOVES.moves))
    expect(page.locator("#scores .score, #moves, #graph, #coach, #analyse, #navigator")).to_have_count(0)
    expect(page.locator("#board .ghost, #board .note")).to_have_count(0)
    page.locator("#tab-explorer").click()
    expect(discs(page)).to_have_count(0)  # its own board
    page.locator("#tab-puzzles").click()
    expect(discs(page)).to_have_count(len(THREE_MOVES.moves))
    page.locator("#puzzle-answer").click()
    page.locator("#puzzle-analyse").click()
    expect(page.locator("#scores .score")).to_have_count(7)
    assert moves_of(page).startswith(THREE_MOVES.moves)
    page.locator("#tab-puzzles").click()
    expect(page.locator("#puzzle-next")).to_be_visible()


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_daily_set_is_solved_by_keys_on_a_phone(page: Page, url: str) -> None:
    with page.expect_response(re.compile("puzzles/daily"), timeout=600_000) as reply:
        start(page, url, view="puzzles")
    puzzles = reply.value.json()
    for number, puzzle in enumerate(puzzles):
        expect(page.locator("#puzzle-list button").nth(number)).to_have_attribute("aria-pressed", "true")
        for move in puzzle["line"][::2]:
            expect(discs(page)).to_have_count(len(moves_of(page)))
            page.keyboard.press(str(move + 1))
            expect(page.locator("#puzzle-said")).to_have_text(re.compile("^Right"))
            if page.locator("#puzzle-next").count():
                break
        expect(page.locator("#puzzle-list button").nth(number)).to_have_class("won")
        bar = page.locator("#places").bounding_box()
        for part in ("#status", "#puzzle-question", "#puzzle-said", "#puzzle-next"):
            box = page.locator(part).bounding_box()
            assert box and bar and box["y"] >= 0 and box["y"] + box["height"] <= bar["y"], part
        if number < len(puzzles) - 1:
            page.locator("#puzzle-next").focus()
            page.keyboard.press("Enter")
    expect(page.locator("#puzzle-score")).to_contain_text("1 day in a row.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.reload()
    expect(page.locator("#puzzle-list .won")).to_have_count(5)
