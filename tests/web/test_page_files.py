"""Games that come in and go out: typed moves, files, journals, pictures, web pages, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.web.standalone import SavedGame, web_page
from tests.web.browser import LATE, OVER, discs, game, moves_of, start, status
from tests.web.test_runs import open_run

from playwright.sync_api import Page, expect  # isort: skip

SLIPS = "444443333161215"
"""A game with mistakes in moves 12, 13 and 14."""


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(OVER, tmp_path_factory.mktemp("saved") / "game.html")


def save(moves: str, path: Path) -> Path:
    path.write_text(web_page(SavedGame(tuple(int(move) - 1 for move in moves)), position_s=1), encoding="utf-8")
    return path


def test_typed_moves_and_lists_are_opened(page: Page, url: str) -> None:
    start(page, url, view="play", agent="random")
    page.locator("#open").click()
    page.locator("#import-text").fill("44x")
    page.locator("#import-open").click()
    expect(page.locator("#import-problem")).to_contain_text("No moves were found")
    page.locator("#import-text").fill("4444444")
    page.locator("#import-open").click()
    expect(page.locator("#import-problem")).to_contain_text("Line 1: Of the moves 4444444, only the first 6")
    page.locator("#import-text").fill("moves:\n1. d4 e5")
    page.locator("#import-open").click()
    expect(page.locator("#import-problem")).to_contain_text("Line 2: Write the columns as 1-7 or as a-g, not both")
    picture = b"\x89PNG\n57\n\0"
    page.locator("#import-file").set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": picture})
    expect(page.locator("#import-problem")).to_have_text("This file is neither text nor a journal.")
    page.locator("#import-text").fill("1. d 2. d 3. c 4. a 5. a 6. a 7. a 8. b 9. b")
    page.locator("#import-file").set_input_files([])
    page.locator("#import-open").click()
    expect(page.locator("#import")).to_be_hidden()
    assert moves_of(page) == "443111122"
    page.locator("#open").click()
    page.locator("#import-text").fill("d, d, c")
    page.locator("#import-open").click()
    expect(page.locator("#import")).to_be_hidden()
    expect(page.locator("#panel-analysis")).to_be_visible()
    expect(page.locator("#notice")).to_have_text("The game is open: 3 moves.")
    assert moves_of(page) == "443"
    page.locator("#open").click()
    page.locator("#import-text").fill(f"1. {OVER}\n\n2. {LATE}\n")
    page.locator("#import-open").click()
    expect(page.locator("#panel-replay")).to_be_visible()
    expect(page.locator("#games button")).to_have_text(["1 +", "2 \u2026"])
    expect(discs(page)).to_have_count(len(OVER))
    page.locator("#games button").nth(1).click()
    expect(discs(page)).to_have_count(len(LATE))


def test_a_journal_from_elsewhere_is_opened(page: Page, url: str, tmp_path: Path, faults: list[str]) -> None:
    journal = open_run(tmp_path)
    game(journal, 1, OVER, 1.0, we_started=True)
    game(journal, 2, OVER, -1.0, we_started=False)
    journal.close()
    start(page, url, view="play", agent="random")
    page.locator("#open").click()
    page.locator("#import-file").set_input_files(journal.path)
    expect(page.locator("#panel-replay")).to_be_visible()
    expect(page.locator("#games button")).to_have_text(["1 +", "2 \u2212"])
    expect(status(page)).to_have_text("The bot wins with four in a row.")
    expect(page.locator("#graph svg .bar").first).to_be_attached()
    page.locator("#tab-play").click()
    page.locator("#tab-replay").click()
    expect(page.locator("#runs")).to_have_value(journal.path.name)
    page.locator("#open").click()
    page.locator("#import-file").set_input_files({"name": "x.jsonl", "mimeType": "text/plain", "buffer": b"{garbage\n"})
    expect(page.locator("#import-problem")).to_contain_text("is not a journal")
    faults.clear()  # the refused file


def test_what_is_saved_can_be_opened_again(page: Page, url: str, tmp_path: Path) -> None:
    start(page, url, view="analysis", moves=LATE, patience=0.5)
    for button, name in (("save-text", "game.txt"), ("save-png", "game.png"), ("save-page", "game.html")):
        page.locator("#save summary").click()
        with page.expect_download() as download:
            page.locator(f"#{button}").click()
        download.value.save_as(tmp_path / name)
        expect(page.locator("#notice")).to_contain_text("saved")
        expect(page.locator("#save")).not_to_have_attribute("open", "")
    picture = (tmp_path / "game.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and int.from_bytes(picture[16:20], "big") == 1400
    start(page, url, view="play", moves="")
    page.locator("#open").click()
    page.locator("#import-file").set_input_files(tmp_path / "game.txt")
    expect(discs(page)).to_have_count(len(LATE))
    assert moves_of(page) == LATE
    page.goto((tmp_path / "game.html").as_uri())
    page.locator("body[data-ready]").wait_for()
    expect(discs(page)).to_have_count(len(LATE))


def test_links_and_moves_are_copied_with_a_visible_notice(page: Page, url: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    start(page, url, view="analysis", moves="4435", patience=0.5)
    page.locator("#link").click()
    expect(page.locator("#notice")).to_have_text("The link is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == f"{url}/#moves=4435"
    page.locator("#save summary").click()
    page.locator("#copy-moves").click()
    expect(page.locator("#notice")).to_have_text("The moves are copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "4435"


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(page: Page, url: str, tmp_path: Path) -> None:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    file = tmp_path / "huge.jsonl"
    with file.open("wb") as stream:
        stream.truncate(70_000_000)  # takes no room on the disk
    start(page, url)
    page.locator("#open").click()
    page.locator("#import-file").set_input_files(file)
    expect(page.locator("#import-problem")).to_contain_text("too large to open: 70 MB, at most 64 MB")
    longer = tmp_path / "longer.jsonl"
    longer.write_bytes(b'{"a"' + b"\n" * 40_000_000)  # in JSON, each of these characters becomes two
    page.locator("#import-file").set_input_files(longer)
    expect(page.locator("#import-problem")).to_contain_text("too large to open: 81 MB")
    assert "POST" not in sent


def test_it_opens_from_the_disk_and_steps_through_the_analysis(page: Page, saved: Path) -> None:
    page.context.set_offline(True)
    page.goto(saved.as_uri())
    page.locator("body[data-ready]").wait_for()
    expect(page.locator("#status-text")).to_have_text("Yellow wins with four in a row.")
    expect(discs(page)).to_have_count(len(OVER))
    page.keyboard.press("Home")
    expect(discs(page)).to_have_count(0)
    expect(page.locator(".score").nth(3)).to_contain_text("+1")
    expect(page.locator("#board .ghost").first).to_be_attached()
    page.locator("#graph .pick[data-ply='12']").click()
    expect(discs(page)).to_have_count(12)
    expect(page.locator("#verdict")).to_contain_text("sooner loss")
    expect(page.locator("#eval")).to_have_attribute("aria-label", "Evaluation: yellow wins")
    page.locator("#moves button").nth(4).focus()
    page.keyboard.press("Enter")
    expect(discs(page)).to_have_count(5)


@pytest.mark.parametrize("width", [1440, 1100, 900, 390])
def test_the_verdict_has_a_line_of_its_own_at_every_width(page: Page, saved: Path, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 860})
    page.goto(saved.as_uri())
    page.locator("body[data-ready]").wait_for()
    parts = "#status", "#board", "#verdict", "#navigator"
    page.keyboard.press("Home")
    stepped = page.locator("#navigator").bounding_box()
    for ply in (10, 12):
        page.locator(f"#graph .pick[data-ply='{ply}']").click()
        page.evaluate("scrollTo(0, 0)")
        headline, board, verdict, tools = (page.locator(part).bounding_box() for part in parts)
        assert headline and board and verdict and tools
        assert headline["y"] + headline["height"] <= board["y"]
        assert verdict["y"] >= board["y"] + board["height"]
        assert verdict["height"] < 40, "one line"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if width > 900:
            assert verdict["y"] + verdict["height"] <= 860, "it is seen without scrolling"
            assert tools == stepped, "the buttons stay where they are when the verdict comes"


def test_the_file_explains_mistakes_and_steps_through_their_lines(page: Page, tmp_path: Path) -> None:
    page.context.set_offline(True)
    page.clock.install()  # a line plays by itself only when the clock is moved
    page.goto(save(SLIPS, tmp_path / "game.html").as_uri())
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    page.locator("body[data-ready]").wait_for()
    text, at = page.locator("#coach-text"), page.locator("#moves [aria-current]")
    expect(text).to_contain_text("3 mistakes in this game")
    for _ in ("first", "second"):
        page.locator("#next-mistake").click()
    expect(at).to_have_text("2??")
    expect(text).to_contain_text("gave the win away: now lost")
    page.locator("#moves button").nth(11).click()
    expect(text).to_contain_text("Column 1: sooner loss")
    expect(text).not_to_contain_text(re.compile(r"\b[XO]\b"))
    text.locator(".reason button").first.click()
    page.clock.run_for(1000)
    expect(discs(page)).to_have_count(12)
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    page.clock.run_for(10_000)
    expect(discs(page)).to_have_count(10)  # it no longer plays by itself
    expect(page.locator("#scores")).to_contain_text(re.compile(r"[+\u2212]\d"))
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(status(page)).to_have_text("Line, move 13: red to move.")
    expect(page.locator("#moves .tried").first).to_be_visible()
    page.keyboard.press("End")
    expect(discs(page)).to_have_count(15)
    expect(text).to_contain_text("Column 1: sooner loss")
    page.locator("#to-game").click()
    expect(discs(page)).to_have_count(12)
    expect(page.locator("#moves .tried")).to_have_count(0)


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}], indirect=True)
def test_it_fits_a_phone_and_follows_its_theme(page: Page, saved: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.goto(saved.as_uri())
    page.locator("body[data-ready]").wait_for()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    serious = [rule["id"] for rule in axe.run(page).response["violations"] if rule["impact"] in ("serious", "critical")]
    assert serious == []
