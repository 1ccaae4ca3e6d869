"""Hasty and unlucky users: double clicks, links and lines at the wrong moment, refused storage, a server that fails."""

from __future__ import annotations

import re

from tests.web.browser import LOST, discs, hold, moves_of, start, status, view

from playwright.sync_api import Page, Route, expect  # isort: skip

DENY = """for (const kind of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, kind, { get() { throw new DOMException("denied", "SecurityError"); } });"""
PUZZLES = [
    {
        "name": name, "kind": "win", "moves": "131313", "solution": 0, "plies": 1, "grade": 1, "line": [0],
        "question": "X to move. Win.", "answer": "Column 1 wins.",
    }
    for name in ("first", "second", "third")
]  # fmt: skip


def reply(route: Route, column: int) -> None:
    blank = {"score": None, "proven": False, "depth": None, "nodes": None, "seconds": 0.01, "source": ""}
    route.fulfill(json={"column": column} | blank)


def answers(page: Page, columns: str) -> None:
    """Let the computer reply with these columns, by the number of moves on the board."""
    page.route("**/api/move", lambda route: reply(route, int(columns[len(route.request.post_data_json["moves"])]) - 1))


def own_game(page: Page, url: str, moves: str, **hash_parts: object) -> None:
    """Play this game as yellow."""
    answers(page, moves + "7" * 42)
    start(page, url, view="play", **hash_parts)
    for at, move in enumerate(moves[::2]):
        expect(discs(page)).to_have_count(2 * at)
        page.keyboard.press(move)
    expect(discs(page)).to_have_count(len(moves))


def test_a_double_click_is_one_move_and_never_meets_the_next_button(page: Page, url: str) -> None:
    page.route(re.compile("puzzles/daily"), lambda route: route.fulfill(json=PUZZLES))
    answers(page, "4" * 42)
    start(page, url, view="play")
    page.locator("#columns button").nth(2).click()
    page.wait_for_timeout(700)
    expect(discs(page)).to_have_count(2)
    page.locator("#columns button").nth(2).click(click_count=2, delay=150)
    expect(discs(page)).to_have_count(4)
    page.wait_for_timeout(300)
    assert discs(page).count() == 4
    view(page, "analysis")
    page.locator("#columns button").nth(2).dblclick()
    expect(discs(page)).to_have_count(2)  # where nobody replies, two quick clicks are two moves
    view(page, "puzzles")
    expect(page.locator("#puzzle-list button")).to_have_count(3)
    page.keyboard.press("1")
    page.locator("#puzzle-next").dblclick()
    expect(page.locator("#puzzle-list button").nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#puzzle-answer")).to_be_visible()
    assert page.locator("#puzzle-list .lost").count() == 0


def test_a_link_that_comes_while_the_computer_thinks_gets_its_own_reply(page: Page, url: str) -> None:
    take = hold(page, "**/api/move")
    start(page, url, view="play", moves="1")
    expect(status(page)).to_contain_text("thinking")
    page.evaluate("location.hash = '#view=play&moves=1234'")
    expect(status(page)).to_have_text("Your move.")
    reply(take(), 6)
    page.evaluate("location.hash = '#view=play&moves=123&human=7'")
    expect(status(page)).to_contain_text("thinking")
    assert moves_of(page) == "123"
    reply(take(), 3)
    expect(status(page)).to_have_text("Your move.")
    assert moves_of(page) == "1234"


def test_a_line_of_the_coach_is_no_move_of_the_own_game(page: Page, url: str) -> None:
    own_game(page, url, "1326", analyse=1)
    page.locator("#coach-text button", has_text="Show the better move").click()
    expect(status(page)).to_contain_text("A line of the coach")
    for key in "7cr":
        page.keyboard.press(key)
    expect(page.locator("#columns button:enabled")).to_have_count(0)
    page.keyboard.press("u")
    expect(status(page)).to_have_text("Your move.")
    assert moves_of(page) == "1326"


def test_a_review_that_fails_is_asked_for_once_in_each_view(page: Page, url: str, faults: list[str]) -> None:
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=500, json={"error": "Broken."})

    page.route("**/api/review", refuse)
    start(page, url, view="play", moves=LOST)
    expect(page.locator("#error")).to_contain_text("Broken.")
    page.wait_for_timeout(500)
    assert len(asked) == 1
    page.unroute("**/api/review")
    page.locator("#review").click()
    expect(page.locator("#guide-head")).to_contain_text("Mistake 1 of")
    faults.clear()  # the refused request


def test_nothing_is_lost_where_the_browser_keeps_nothing(page: Page, url: str) -> None:
    page.add_init_script(DENY)
    answers(page, "4" * 42)
    start(page, url, view="play")
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
    page.locator("#theme").click()
    page.keyboard.press("3")
    expect(discs(page)).to_have_count(2)
    view(page, "analysis")
    view(page, "play")
    expect(discs(page)).to_have_count(2)


def test_a_game_that_waits_is_taken_back_by_one_tab_alone(page: Page, url: str) -> None:
    own_game(page, url, "4435")
    page.evaluate("localStorage.setItem('waiting-game', JSON.stringify(JSON.parse(sessionStorage.games).play))")
    page.locator("#new").click()
    page.evaluate("localStorage.removeItem('waiting-game')")  # as another tab does
    page.locator("#resume").click()
    expect(page.locator("#resume")).to_have_count(0)


def test_time_that_is_over_stays_over(page: Page, url: str) -> None:
    answers(page, "4" * 42)
    start(page, url, view="play", clock=0.02)
    page.keyboard.press("3")
    expect(status(page)).to_contain_text("Your time is over")
    page.keyboard.press("c")
    page.reload()
    expect(status(page)).to_contain_text("Your time is over")
    expect(discs(page)).to_have_count(2)


def test_another_level_does_not_rename_who_has_won(page: Page, url: str) -> None:
    own_game(page, url, "1212121", level=2)
    page.locator("#level").fill("8")
    expect(page.locator("#level-name")).to_contain_text("8")
    expect(page.locator("#game-names")).to_contain_text("(level 2)")
