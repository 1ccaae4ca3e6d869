"""The coach on the page: a reason is shown, played out, and the move taken back, in a real browser."""

from __future__ import annotations

import re

import pytest

from tests.web.browser import LATE, discs, moves_of, start, status, view

from playwright.sync_api import Page, expect  # isort: skip

QUIET = "44"
ZUGZWANG = "5644325144236"
"""The last move allows a zugzwang after 15 plies."""
OVERLAP = """() => {
  const boxes = (name) => [...document.querySelectorAll(name)].map((one) => one.getBoundingClientRect());
  const badges = boxes(".note.threat rect"), numbers = boxes(".ghost-plate");
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const cell = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) < 40;
  return {
    covered: badges.filter((badge) => numbers.some((number) => !apart(badge, number))).length,
    shared: badges.filter((badge) => numbers.some((number) => cell(badge, number))).length,
  };
}"""
"""Counts the threats' badges that cover a number of the best line, and those that share a cell with one."""


def test_a_mistake_is_explained_played_out_and_retried(page: Page, url: str) -> None:
    start(page, url, moves=LATE, patience=60)
    text = page.locator("#coach-text")
    expect(text).to_contain_text("Column 1: allowed double threat; sooner loss")
    expect(text.locator(".reason")).to_contain_text("Allowed:")
    expect(text).not_to_contain_text(re.compile(r"\b[XO]\b"))
    expect(page.locator("#board .note.threat").first).to_be_attached()
    text.locator(".reason button").first.click()
    expect(page.locator("#moves .tried").first).to_be_attached()
    expect(status(page)).to_have_text("Yellow wins with four in a row.")
    page.locator("#leave-line").click()
    expect(discs(page)).to_have_count(len(LATE))
    page.get_by_role("button", name="Take back and play on").click()
    expect(status(page)).to_contain_text("Your move")
    assert moves_of(page) == LATE[:-1]


def test_cells_are_named_as_on_the_board(page: Page, url: str) -> None:
    start(page, url, moves=ZUGZWANG, patience=60)
    where = r"must open column \d, below (Red|Yellow)'s .*in column \d, row \d\."
    expect(page.locator("#coach-text .reason").first).to_contain_text(re.compile(where))


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}], indirect=True)
def test_what_can_be_seen_is_said_and_threats_leave_the_line_readable(page: Page, url: str) -> None:
    start(page, url, moves=LATE, patience=60)
    facts = page.locator("#coach-text .facts")
    expect(facts).to_contain_text("Yellow can force four in a row.")
    expect(facts).to_contain_text("Yellow's threats:")
    page.locator("#board .ghost-number").first.wait_for()
    found = page.evaluate(OVERLAP)
    assert found["covered"] == 0 and found["shared"] > 0
    page.locator("[data-field=threats]").click()
    expect(page.locator("#board .note")).to_have_count(0)
    start(page, url, moves=QUIET, patience=60)
    expect(page.locator("#coach-text")).to_contain_text(re.compile("Nothing to point out|Follow-up"))
    view(page, "match")
    expect(page.locator("#coach")).to_have_count(0)
    page.keyboard.press("a")
    expect(page.locator("#coach")).to_be_attached()
