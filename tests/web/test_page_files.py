"""Games that come in and go out: typed moves, files, journals, pictures, web pages, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.browser import LATE, OVER, discs, game, moves_of, start, status, view
from tests.web.test_runs import open_run

from playwright.sync_api import Page, expect  # isort: skip

TYPED = (
    ("44x", "No moves were found"),
    ("4444444", "Line 1: Of the moves 4444444, only the first 6"),
    ("moves:\n1. d4 e5", "Line 2: Write the columns as 1-7 or as a-g, not both"),
    ("1. d 2. d 3. c 4. a 5. a 6. a 7. a 8. b 9. b", "443111122"),
    ("d, d, c", "443"),
    (f"X . .\n1 2 3 4 5 6 7\n\nMoves: {LATE}\nO to move.", LATE),
)
"""What is typed, and the problem that is said, or the moves that are shown."""


@pytest.mark.parametrize(("typed", "outcome"), TYPED)
def test_typed_moves_are_opened_or_their_problem_is_said(page: Page, url: str, typed: str, outcome: str) -> None:
    start(page, url, view="play", agent="random")
    page.locator("#open").click()
    page.locator("#import-text").fill(typed)
    page.locator("#import-open").click()
    if not outcome.isdigit():
        expect(page.locator("#import-problem")).to_contain_text(outcome)
        return
    expect(page.locator("#import")).to_be_hidden()
    expect(page.locator("body")).to_have_attribute("data-view", "analysis")
    expect(page.locator("#notice")).to_have_text(f"The game is open: {len(outcome)} moves.")
    assert moves_of(page) == outcome


def test_several_games_become_a_run(page: Page, url: str) -> None:
    start(page, url, view="play", agent="random")
    page.locator("#open").click()
    page.locator("#import-text").fill(f"1. {OVER}\n\n2. {LATE}\n")
    page.locator("#import-open").click()
    expect(page.locator("body")).to_have_attribute("data-view", "replay")
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
    expect(page.locator("body")).to_have_attribute("data-view", "replay")
    expect(page.locator("#games button")).to_have_text(["1 +", "2 \u2212"])
    expect(status(page)).to_have_text("The bot wins with four in a row.")
    expect(page.locator("#graph svg .bar").first).to_be_attached()
    view(page, "play")
    view(page, "replay")
    expect(page.locator("#runs")).to_have_value(journal.path.name)
    page.locator("#open").click()
    page.locator("#import-file").set_input_files({"name": "x.jsonl", "mimeType": "text/plain", "buffer": b"{garbage\n"})
    expect(page.locator("#import-problem")).to_contain_text("is not a journal")
    picture = b"\x89PNG\n57\n\0"
    page.locator("#import-file").set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": picture})
    expect(page.locator("#import-problem")).to_have_text("This file is neither text nor a journal.")
    faults.clear()  # the refused file


DROP = """(text) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], "dropped.txt", { type: "text/plain" }));
  document.getElementById("board").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
}"""
"""Drops a file on the board."""


def test_a_file_is_dropped_on_the_page(page: Page, url: str) -> None:
    start(page, url, agent="random")
    page.evaluate(DROP, LATE)
    expect(discs(page)).to_have_count(len(LATE))
    expect(page.locator("#game-title")).to_have_text("dropped.txt")
    page.evaluate(DROP, "none")
    expect(page.locator("#import-problem")).to_contain_text("No moves were found")


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
    expect(page.locator("#moves button")).to_have_count(len(LATE))


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
