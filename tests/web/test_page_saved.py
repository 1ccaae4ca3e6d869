"""The web page of one game, opened from the disk in a real browser without a network: the guided review in one file."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from bot.web.standalone import SavedGame, web_page
from tests.web.browser import LOST, OVER, column, discs, share, status

from playwright.sync_api import Page, expect  # isort: skip

Save = Callable[..., str]
FORBID_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden'); } })"


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Save:
    """Return the address of a game's page."""
    folder = tmp_path_factory.mktemp("saved")

    def saved(moves: str, *names: str) -> str:
        path = folder / f"{moves}{len(names)}.html"
        if not path.exists():
            game = SavedGame(tuple(int(move) - 1 for move in moves), *(names and (names,)))
            path.write_text(web_page(game, position_s=1), encoding="utf-8")
        return path.as_uri()

    return saved


def show(page: Page, address: str) -> None:
    page.context.set_offline(True)
    page.goto(address)
    page.locator("body[data-ready]").wait_for()


@pytest.mark.parametrize("init", ["", pytest.param(FORBID_STORAGE, id="nothing can be kept")])
def test_own_mistakes_are_asked_about_first_and_marks_are_kept(page: Page, save: Save, init: str) -> None:
    page.add_init_script(init)
    show(page, save(LOST, "The opponent", "You"))
    head, text = page.locator("#guide-head"), page.locator("#guide-text")
    expect(head).to_have_text("Mistake 1 of 3, your move 6")
    expect(status(page)).to_have_text("Red to move: find a better move.")
    expect(page.locator(".score, #board .ghost")).to_have_count(0)
    column(page, 1).click()
    expect(text).to_contain_text("Column 1 is not it: loss in 15.")
    expect(discs(page)).to_have_count(6)
    page.keyboard.press("4")  # nothing happens while the wrong disc is shown
    expect(discs(page)).to_have_count(5)
    page.keyboard.press("2")
    expect(discs(page)).to_have_count(6)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("4")
    expect(text).to_contain_text("Right, column 4.")
    expect(text).to_contain_text("Perfect play on column 7: gave the win away: now lost")
    expect(page.locator(".score.best")).to_contain_text("+3")
    expect(page.locator("#board .ghost").first).to_be_attached()
    if not init:
        page.reload()
        expect(head).to_have_text("Moment 2 of 3, your move 22")
    else:
        page.locator("#guide-next").click()
    for _ in range(2):
        page.locator("#guide-show").click()
        expect(text).to_contain_text("Better: column")
        page.locator("#guide-next").click()
    expect(text).to_have_text("You have seen all 3 mistakes; you found a better move for 1.")


@pytest.mark.parametrize(("moves", "first"), [(OVER, "Mistake 1 of 1, red's move 12"), (OVER[:7], "Review")])
def test_where_nobody_is_you_both_sides_are_reviewed(page: Page, save: Save, moves: str, first: str) -> None:
    show(page, save(moves))
    expect(page.locator("#guide-head")).to_have_text(first)
    expect(page.locator("#accuracy strong").first).to_have_text(re.compile(r"\d+ %"))


def test_one_steps_by_slider_keys_moves_and_graph_and_tries_moves(page: Page, save: Save) -> None:
    show(page, save(OVER))
    page.keyboard.press("End")
    expect(status(page)).to_have_text("Yellow wins with four in a row.")
    assert share(page) == pytest.approx(0.975, abs=0.01)
    page.keyboard.press("Home")
    expect(page.locator(".score").nth(3)).to_contain_text("+1")
    page.locator("#slider").press("ArrowRight")
    expect(discs(page)).to_have_count(1)
    page.locator("#graph .pick[data-ply='12']").click()
    expect(discs(page)).to_have_count(12)
    expect(page.locator("#eval")).to_have_attribute("aria-label", "Evaluation: yellow wins")
    page.locator("#moves button").nth(4).press("Enter")
    expect(discs(page)).to_have_count(5)
    column(page, 7).click()
    expect(page.locator("#moves .tried")).to_have_text("7")
    expect(page.locator(".score")).to_have_count(0)
    page.locator("#to-game").click()
    expect(page.locator("#moves .tried")).to_have_count(0)


def test_a_line_plays_by_itself_until_one_steps(page: Page, save: Save) -> None:
    page.clock.install()
    show(page, save(OVER))
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    page.locator("#guide-show").click()
    expect(page.locator("#guide .reason")).not_to_contain_text(re.compile(r"\b[XO]\b"))
    page.locator("#guide .reason button").click()
    page.clock.run_for(1000)
    expect(discs(page)).to_have_count(12)
    page.keyboard.press("ArrowLeft")
    page.clock.run_for(10_000)
    expect(discs(page)).to_have_count(11)
    page.keyboard.press("End")
    expect(status(page)).to_have_text("Yellow wins with four in a row.")
    page.get_by_role("button", name="Back to the question").click()
    expect(discs(page)).to_have_count(11)
    expect(page.locator("#moves .tried")).to_have_count(0)


SIZES = ((1440, 900), (390, 844), (844, 390))


@pytest.mark.parametrize(
    "page", [{"viewport": {"width": width, "height": height}} for width, height in SIZES], indirect=True
)
def test_it_fits_every_size_and_nothing_jumps(page: Page, save: Save) -> None:
    show(page, save(LOST, "The opponent", "You"))
    size = page.viewport_size
    assert size
    before = page.locator("#board").bounding_box()
    for step in ("#guide-show", "#guide-next", "[data-go=back]"):
        page.locator(step).click()
        assert page.locator("#board").bounding_box() == before, step
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    board, show_me = page.locator("#board").bounding_box(), page.locator("#guide-show").bounding_box()
    assert board and show_me
    assert max(board["y"] + board["height"], show_me["y"] + show_me["height"]) <= size["height"]


@pytest.mark.parametrize("page", [{}, {"color_scheme": "dark"}], indirect=True, ids=["light", "dark"])
def test_axe_finds_nothing_serious(page: Page, save: Save) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    show(page, save(OVER))
    page.locator("#guide-show").click()
    serious = [rule["id"] for rule in axe.run(page).response["violations"] if rule["impact"] in ("serious", "critical")]
    assert serious == []
