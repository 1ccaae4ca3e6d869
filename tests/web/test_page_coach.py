"""The coach on the page: a reason is shown, played out, and the move taken back, in a real browser."""

from __future__ import annotations

import re

import pytest

from tests.web.browser import LATE, discs, moves_of, start, status

from playwright.sync_api import Page, expect  # isort: skip

QUIET = "44"
ZUGZWANG = "5644325144236"
"""The last move allows a zugzwang after 15 plies."""


def test_a_mistake_is_explained_played_out_and_retried(page: Page, url: str) -> None:
    start(page, url, moves=LATE, patience=60)
    text = page.locator("#coach-text")
    expect(text).to_contain_text("Column 1: sooner loss")
    expect(text.locator(".reason")).not_to_have_count(0)
    expect(text).not_to_contain_text(re.compile(r"\b[XO]\b"))
    expect(page.locator("#board .note.threat").first).to_be_attached()
    text.locator(".reason button").first.click()
    expect(page.locator("#moves .tried").first).to_be_attached()
    expect(status(page)).to_have_text("Yellow wins with four in a row.")
    expect(text).to_contain_text("Column 1: sooner loss")
    page.get_by_role("button", name="Back to the game").first.click()
    expect(discs(page)).to_have_count(len(LATE))
    page.get_by_role("button", name="Take back and retry").click()
    expect(page.locator("#panel-play")).to_be_visible()
    expect(status(page)).to_contain_text("Your move")
    assert moves_of(page) == LATE[:-1]


def test_cells_are_named_as_on_the_board(page: Page, url: str) -> None:
    start(page, url, moves=ZUGZWANG, patience=60)
    reason = page.locator("#coach-text .reason").first
    expect(reason).to_contain_text(
        re.compile(r"must open column \d, below (Red|Yellow)'s threat in column \d, row \d\.")
    )


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}], indirect=True)
def test_what_can_be_seen_is_said_and_threats_can_be_hidden(page: Page, url: str) -> None:
    start(page, url, moves=LATE, patience=60)
    expect(page.locator("#coach-text .facts")).to_contain_text("Yellow can force four in a row.")
    expect(page.locator("#coach-text .facts")).to_contain_text("Yellow's threats:")
    page.locator("[data-field=threats]").click()
    expect(page.locator("#board .note")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    start(page, url, moves=QUIET, patience=60)
    expect(page.locator("#coach-text")).to_contain_text(re.compile("Nothing to point out|Follow-up"))
    page.locator("#tab-replay").click()
    expect(page.locator("#coach")).to_be_hidden()
    page.keyboard.press("a")
    expect(page.locator("#coach")).to_be_visible()
