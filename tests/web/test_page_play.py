"""Playing, analysing and letting agents play, in a real browser against `python -m bot web`."""

from __future__ import annotations

import re
import statistics
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.game import Board, format_moves
from bot.web.agents import AgentChoice, AgentPool, page_agents
from tests.processes import running_bot
from tests.web.browser import DRAW, LATE, OVER, column, discs, moves_of, start, status, view

from playwright.sync_api import Browser, Page, Route, expect  # isort: skip

BOOK = ("44", "32", "4435", "12", "443526")
QUIET = ("251751112251", "7163372531157", "44644156276331", "3314712261114742", "256215335425475274")
"""Positions in which neither side can win at once."""
CLICK = """async column => {
  const board = document.getElementById("board"), count = () => board.querySelectorAll(".disc:not(.ghost)").length;
  const wanted = count() + 2, begin = performance.now();
  document.querySelectorAll("#columns button")[column].click();
  while (count() < wanted) await new Promise(requestAnimationFrame);
  return performance.now() - begin;
}"""


def test_the_command_leads_to_a_drawn_board(browser: Browser, tmp_path: Path) -> None:
    command = ("web", "--no-browser", "--port", "0", "--logs", str(tmp_path))
    with running_bot(*command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        page = browser.new_page()
        page.goto(process.stdout.readline().split(" at ")[1].split()[0])
        page.locator("body[data-drawn]").wait_for()
        assert page.locator("#columns button").count() == 7
        page.close()
        process.terminate()
        assert process.wait() == 0, "SIGTERM ends the page in good order"


@pytest.mark.parametrize(
    ("by", "positions"), [("the book", BOOK), pytest.param("the solver", QUIET, marks=pytest.mark.slow)]
)
def test_a_click_is_answered_by_perfect_at_once(page: Page, url: str, by: str, positions: tuple[str, ...]) -> None:
    times = []
    for number, moves in enumerate((LATE, *positions)):
        start(page, url, view="play", moves=moves, human=len(moves) % 2, agent="perfect")
        expect(status(page)).to_contain_text("Your move")
        answered = page.evaluate(CLICK, 1)
        if number:  # the first one also waits for the engine to be loaded
            times.append(answered)
    print(f"perfect answers a click by {by} in {statistics.median(times):.0f} ms, at most {max(times):.0f} ms")
    assert len(times) == len(positions)  # how long it took is a figure for `pytest -s`


def test_a_whole_game_is_clicked_and_keyed_and_survives_a_reload(page: Page, url: str) -> None:
    pool, board, wanted = AgentPool(), Board(), []
    reply = pool.choose(board.play(0), AgentChoice("random")).column
    mine = next(column for column in (0, 1) if column != reply)  # the opponent always takes the same column
    start(page, url, agent="random", fixed=1)
    for number in range(4):
        expect(status(page)).to_contain_text("Your move")
        if number % 2:
            page.keyboard.press(str(mine + 1))
        elif number:
            column(page, mine + 1).click()
        else:
            page.locator(f"#columns [data-column='{mine}']").click()
        board = board.play(mine)
        wanted.append(mine)
        if number < 3:
            wanted.append(pool.choose(board, AgentChoice("random")).column)
            board = board.play(wanted[-1])
            expect(page).to_have_url(re.compile(f"moves={format_moves(wanted)}&"))
    expect(status(page)).to_have_text("You win with four in a row.")
    expect(page.locator("#live")).to_contain_text("You win")
    expect(page.locator("#board .four")).to_have_count(4)
    cells = {page.locator("#board .four").nth(index).get_attribute("data-cell") for index in range(4)}
    assert cells == {f"{mine},{row}" for row in range(4)}
    for number in range(1, 8):
        expect(column(page, number)).to_be_disabled()
    page.keyboard.press("5")
    page.reload()
    expect(status(page)).to_have_text("You win with four in a row.")
    assert moves_of(page) == format_moves(wanted)
    expect(discs(page)).to_have_count(7)


def test_undo_takes_back_a_move_with_its_answer_and_redo_brings_both_back(page: Page, url: str) -> None:
    start(page, url, agent="random")
    for number in (1, 2):
        column(page, 4).click()
        expect(discs(page)).to_have_count(2 * number)
    before = moves_of(page)
    page.keyboard.press("u")
    expect(discs(page)).to_have_count(2)
    expect(page).to_have_url(re.compile(f"moves={before}&at=2&"))
    page.reload()
    expect(discs(page)).to_have_count(2)
    page.keyboard.press("r")
    expect(discs(page)).to_have_count(4)
    page.locator("#undo").click()
    page.locator("#undo").click()
    expect(discs(page)).to_have_count(0)
    expect(page.locator("#undo")).to_be_disabled()
    page.keyboard.press("r")
    expect(discs(page)).to_have_count(2)
    column(page, 1).click()
    expect(discs(page)).to_have_count(4)
    assert moves_of(page)[:2] == before[:2] and moves_of(page)[2] == "1"
    page.keyboard.press("n")
    expect(discs(page)).to_have_count(0)


def test_the_page_lives_while_the_computer_thinks_and_a_new_game_cancels(page: Page, url: str) -> None:
    start(page, url, agent="mtdf", time=60)
    for _ in range(8):  # more searches than the server carries at once: those cancelled must really end
        column(page, 4).click()
        expect(status(page)).to_have_text("mtdf is thinking…")
        for key in "123":
            page.keyboard.press(key)
        page.locator("#columns [data-column='2']").click()
        page.locator("#theme").click()
        expect(discs(page)).to_have_count(1)
        page.locator("#new").click()
        expect(status(page)).to_contain_text("Your move")
        expect(discs(page)).to_have_count(0)
    column(page, 4).click()
    expect(status(page)).to_have_text("mtdf is thinking…")
    page.keyboard.press("u")
    expect(status(page)).to_contain_text("Your move")
    expect(discs(page)).to_have_count(0)
    page.locator("[data-field=agent]").select_option("random")
    # Clicks faster than the page is drawn are one move, the others come while the computer thinks.
    page.evaluate("for (const button of document.querySelectorAll('#columns button')) { button.click(); }")
    expect(discs(page)).to_have_count(2)
    expect(status(page)).to_have_text("Your move.")
    expect(page.locator("#error")).to_be_hidden()


def test_the_computer_starts_when_chosen_and_moves_for_either_side(page: Page, url: str) -> None:
    start(page, url, agent="depth", depth=2)
    page.locator("text=Computer >> visible=true").first.click()
    expect(discs(page, ".first")).to_have_count(1)
    expect(status(page)).to_have_text("Your move: you are red.")
    page.keyboard.press("c")
    expect(discs(page, ".second")).to_have_count(1)
    expect(page.locator("#search")).to_contain_text("Column")
    page.locator("label", has=page.get_by_role("radio", name="Random")).click()
    expect(page.get_by_role("radio", name="Random")).to_be_checked()
    page.keyboard.press("n")
    expect(status(page)).to_contain_text("Your move")
    starts_second = "you are red" in (status(page).text_content() or "")
    expect(discs(page)).to_have_count(1 if starts_second else 0)


@pytest.mark.slow
def test_every_agent_can_be_chosen_and_answers(page: Page, url: str) -> None:
    start(page, url, moves=LATE, view="play", time=0.3)
    page.locator("#others summary").click()
    names = [player["name"] for player in page_agents()]
    offered = page.locator("[data-field=agent] option").evaluate_all("all => all.map(one => one.value)")
    assert sorted(offered) == sorted(names)
    for name in names:
        page.locator("[data-field=agent]").select_option(name)
        page.keyboard.press("Escape")
        page.locator("[data-field=agent]").evaluate("element => element.blur()")
        page.keyboard.press("1")
        expect(discs(page)).to_have_count(14)
        expect(status(page)).to_contain_text(re.compile("Your move|wins"))
        page.keyboard.press("u")
        expect(discs(page)).to_have_count(12)


@pytest.mark.parametrize(
    ("moves", "human", "words"),
    [(OVER, 0, "You win"), (OVER, 1, "The computer wins"), (DRAW, 0, "A draw: the board is full")],
)
def test_ends_are_said_in_words(page: Page, url: str, moves: str, human: int, words: str) -> None:
    start(page, url, moves=moves, view="play", human=human)
    expect(status(page)).to_contain_text(words)
    expect(page.locator("#columns button:not(:disabled)")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(status(page)).not_to_contain_text(words)


def test_a_full_column_takes_no_disc(page: Page, url: str) -> None:
    start(page, url, moves="444444", view="analysis")
    expect(column(page, 4)).to_be_disabled()
    page.keyboard.press("4")
    expect(discs(page)).to_have_count(6)


def test_analysis_shows_every_score_the_best_line_and_the_mistake(page: Page, url: str) -> None:
    start(page, url, moves=LATE, patience=60)
    expect(page.locator(".score")).to_have_count(7)
    expect(page.locator(".score").nth(4)).to_contain_text("+14")
    expect(page.locator(".score").nth(4)).to_contain_text("win in 2")
    expect(page.locator(".score").nth(1)).to_have_class(re.compile("loss"))
    expect(page.locator(".score.best")).to_have_count(2)
    expect(page.locator("#board .ghost")).to_have_count(3)
    expect(page.locator("#coach-text")).to_contain_text("sooner loss")
    page.locator("#find").click()
    view(page, "analysis")
    expect(page.locator("#graph [data-mistake='12']")).to_have_count(1)
    expect(page.locator("#moves .slip button").last).to_contain_text("1?")
    page.keyboard.press("ArrowLeft")
    expect(discs(page)).to_have_count(11)
    page.locator("#play-on").click()
    expect(page.locator("#place-play")).to_have_attribute("aria-current", "page")
    expect(status(page)).to_contain_text("Your move")


def replying(answer: dict[str, Any] | None) -> Callable[[Route], None]:
    """A server part that gives this answer, or none."""
    return lambda route: route.abort("connectionrefused") if answer is None else route.fulfill(**answer)


def test_errors_are_one_readable_sentence(page: Page, url: str, faults: list[str]) -> None:
    start(page, url, agent="kang-h1", options="features=9")
    answers: list[tuple[dict[str, Any] | None, str]] = [
        ({"status": 200, "body": "no json"}, "sent a reply that cannot be read"),
        ({"status": 500, "json": {"error": "This is a bug: ValueError."}}, "This is a bug: ValueError."),
        ({"status": 200, "json": {"column": 9}}, "The agent's move is not legal"),
        (None, "Is `python -m bot web` still running?"),
    ]
    now: list[dict[str, Any] | None] = []  # one route throughout: requests slip past one taken away and back
    page.route("**/api/move", lambda route: replying(now[-1])(route) if now else route.continue_())
    page.keyboard.press("4")
    expect(page.locator("#error")).to_contain_text("features")
    expect(status(page)).to_have_text("The computer has not moved: let it move again.")
    for answer, words in answers:
        now.append(answer)
        page.keyboard.press("c")
        expect(page.locator("#error")).to_contain_text(words)
        expect(status(page)).to_have_text("The computer has not moved: let it move again.")
    now.clear()
    page.locator("[data-field=options]").fill("")
    page.keyboard.press("Tab")
    page.locator("#computer").click()
    expect(page.locator("#error")).to_be_hidden()
    expect(discs(page)).to_have_count(2)
    page.locator("[data-field=depth]").fill("99")
    page.keyboard.press("Tab")
    expect(page.locator("#error")).to_contain_text("Depth, plies must be from 1 to 42.")
    faults.clear()  # the refused requests


def test_the_address_leads_back_and_names_moves_that_cannot_be_played(page: Page, url: str) -> None:
    start(page, url, agent="random")
    column(page, 4).click()
    expect(discs(page)).to_have_count(2)
    view(page, "analysis")
    view(page, "match")
    page.go_back()
    expect(page.locator("#tab-analysis")).to_have_attribute("aria-current", "page")
    page.go_back()  # the place's first view
    page.go_back()
    expect(page.locator("#place-play")).to_have_attribute("aria-current", "page")
    expect(discs(page)).to_have_count(2)
    page.go_forward()
    page.go_forward()
    expect(page.locator("#tab-analysis")).to_have_attribute("aria-current", "page")
    start(page, url, moves="44444449x", view="analysis", patience=0.5)
    expect(page.locator("#error")).to_contain_text("Of the moves 44444449x, only the first 6 can be played.")
    expect(discs(page)).to_have_count(6)
    page.locator("#position").fill("4 3 d c")
    page.keyboard.press("Enter")
    expect(page.locator("#error")).to_be_hidden()
    expect(discs(page)).to_have_count(4)
    # What is drawn while the browser goes to another address does not lead back to the old one.
    page.evaluate(
        "location.hash = 'moves=4435&view=explorer';"
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));"
    )
    expect(page.locator("#tab-explorer")).to_have_attribute("aria-current", "page")
    page.go_back()
    expect(page.locator("#tab-analysis")).to_have_attribute("aria-current", "page")
    page.keyboard.press("End")
    expect(discs(page)).to_have_count(4)
    other = page.context.new_page()
    start(other, url, agent="random")
    column(other, 1).click()
    expect(discs(other)).to_have_count(2)
    page.reload()
    expect(page.locator("#tab-analysis")).to_have_attribute("aria-current", "page")
    expect(discs(page)).to_have_count(4)
