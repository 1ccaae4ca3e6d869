"""Games that go out: as text, and as web pages.

A game's own web page is opened from the disk without a network: the guided review in one file.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.game import Board, parse_moves
from bot.web.standalone import SavedGame, web_page
from tests.web.browser import (
    LOST,
    OVER,
    Asked,
    are_in_view,
    beside,
    click,
    counts,
    discs,
    drop,
    kept,
    lacks,
    lists,
    open_menu,
    press,
    respond,
    run_clock,
    says,
    sees,
    serious_faults,
    stop_clock,
    tab,
    until,
    visit,
)

FORBID_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden'); } })"

pytestmark = pytest.mark.usefixtures("tab")


def as_letters(text: str) -> str:
    """Return the diagram in a game's text with the letters that `Board.from_text` reads."""
    letters = text.translate({0x1F7E1: "X ", 0x1F534: "O ", 0x26AA: ". "})
    return "\n".join(line for line in letters.splitlines() if re.fullmatch("([XO.] ){7}", line))


def test_what_is_shared_is_told_to_others_whatever_the_board_shows(tmp_path):
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit(f"view=play&moves={OVER}&yellow=level:2&red=you")
    click("#share")
    sees("#copy-text:focus")
    press("Escape")
    click("#moments")
    says("After your column 1, Yellow")
    open_menu("#copy-text")
    lacks("#choices")
    sees("#notice", "copied as text")
    text = tab.page.evaluate("navigator.clipboard.readText()")
    head, diagram, moves, moments, *rest = text.strip().split("\n\n")
    assert head == "\U0001f7e1 Novice \u2013 \U0001f534 Red\nNovice wins with four in a row."
    assert Board.from_text(as_letters(diagram)) == Board.from_moves(parse_moves(OVER))
    assert (moves, rest) == (f"Moves: {OVER}", [])
    assert "Move 12: After Red\u2019s column 1, Yellow could open two fours at once." in moments.split("\n")
    assert not re.search(r"\byou", moments, re.IGNORECASE)
    asked = respond("page", Asked.pass_on)
    with tab.page.expect_download() as download:
        open_menu("#save-page")
    assert asked[0].body()["start"] == len(OVER), "whatever came as a whole is judged as a whole"
    download.value.save_as(tmp_path / "game.html")
    sees("#notice", "saved")
    tab.page.goto((tmp_path / "game.html").as_uri())
    counts(len(OVER), "body[data-ready] #ribbon .cell")
    lists(".name", "Red", "Novice")  # the one who opens it has not played it


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pages of a game of the user and of a game of strangers."""
    folder = tmp_path_factory.mktemp("saved")
    for moves, *names in ((LOST, "The opponent", "You"), (OVER, "Yellow", "Red")):
        game = SavedGame(parse_moves(moves), (names[0], names[1]))
        (folder / f"{moves}.html").write_text(web_page(game, position_s=60), encoding="utf-8")
    return folder


def show(saved: Path, moves: str) -> None:
    tab.page.context.set_offline(True)
    tab.page.goto((saved / f"{moves}.html").as_uri())
    sees("body[data-ready]")
    click("#moments")


def test_own_mistakes_are_asked_about_first_and_marks_are_kept(saved):
    stop_clock()
    show(saved, LOST)
    lists("#guide-head", "Key moment 1 of 3, move 24: column 5")
    says("Which column prevented that?")
    counts(0, ".score, #board .ghost")
    drop(6)
    says("Not column 6. Yellow could open two fours at once.")
    run_clock(900)
    discs(23)
    press("7")
    run_clock(3000)
    says("Right: column 7.")
    address = tab.page.url
    with beside():
        tab.page.goto(address)
        until(lambda: bool(kept("guide")))  # a busy browser passes it on to other pages in a moment
        click("#moments")
        lists("#guide-head", "Key moment 2 of 3, move 12: column 2")
        click("#guide-show", "#guide-next", "#guide-skip")
        lists("#guide-text", "You found 1 of 3.")


def test_where_nobody_is_you_both_sides_are_reviewed_and_lines_are_played_out(saved):
    stop_clock()
    show(saved, OVER)
    lists("#guide-head", "Key moment, move 12: column 1")
    press("Home")
    says("Move 0 of 15; the question is about move 12.")
    lacks(".score")
    click("#guide-close")
    counts(0, "#ribbon .hollow")
    press("Home")
    sees("#scores > :nth-child(4)", "win in 21")
    drop(7)
    counts(1, "#ribbon .tried[height='8']")
    lacks(".score")
    click("#to-game", "#moments", "#guide-show")
    counts(0, "#ribbon .tried")
    click("#panel .reason button")
    run_clock(1000)
    discs(12)
    press("ArrowLeft")
    run_clock(10_000)  # the line goes on no more
    discs(11)
    press("End")
    says("step 4 of 4")
    click("#leave-line")
    discs(11)


def test_it_fits_every_size_and_nothing_jumps(saved):
    tab.page.add_init_script(FORBID_STORAGE)  # so that it begins with the first question each time
    for width, height in ((390, 844), (844, 390), (1440, 900)):
        show(saved, LOST)
        tab.page.set_viewport_size({"width": width, "height": height})
        before = tab.page.locator("#board").bounding_box()
        are_in_view("#board", "#guide-show")
        click("#guide-show")
        assert tab.page.locator("#board").bounding_box() == before
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    click("#guide-close")
    press("Home")
    sees("#scores .best")
    assert not serious_faults()
    tab.page.set_viewport_size({"width": 390, "height": 844})
    cut = "[...document.querySelectorAll('.score')].filter((one) => one.scrollHeight > one.clientHeight).length"
    assert tab.page.evaluate(cut) == 0
