"""Puzzles in a real browser: a daily set, a right and a wrong try, the rating, and a deck for Anki."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import pytest

from tests.web.browser import discs, start, status

from playwright.sync_api import Page, expect  # isort: skip


@pytest.mark.parametrize(
    "page",
    [{}, {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}],
    indirect=True,
    ids=["desk", "phone"],
)
def test_a_daily_set_is_solved_by_keys_and_rated_once(page: Page, url: str) -> None:
    page.clock.set_fixed_time(datetime.datetime.now())  # it may be midnight during the test
    with page.expect_response(re.compile("puzzles/daily"), timeout=600_000) as reply:
        start(page, url, view="puzzles")
    first, second, *_ = reply.value.json()
    expect(page.locator("#puzzle-list button")).to_have_count(5)
    expect(discs(page)).to_have_count(len(first["moves"]))
    expect(status(page)).to_have_text(re.compile("^(Yellow|Red) to move."))
    wrong = next(
        column for column, score in enumerate(first["scores"]) if score is not None and column != first["solution"]
    )
    page.keyboard.press(str(wrong + 1))
    expect(page.locator("#puzzle-said")).to_have_text(f"Column {wrong + 1} is not it. Try again.")
    expect(discs(page)).to_have_count(len(first["moves"]))
    rating = page.locator("#puzzle-score").text_content()
    assert int(re.search(r"Rating (\d+)", rating or "")[1]) < 1000  # type: ignore[index]
    page.keyboard.press(str(first["solution"] + 1))
    expect(page.locator("#puzzle-said")).to_contain_text("Right.")
    expect(discs(page)).to_have_count(len(first["moves"]) + 1)
    assert page.locator("#puzzle-score").text_content() == rating, "only the first try counts"
    expect(page.locator("#puzzle-answer")).to_be_hidden()
    page.locator("#puzzle-next").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#puzzle-list button").nth(1)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press(str(second["solution"] + 1))
    expect(page.locator("#puzzle-list button").nth(1)).to_have_class("won")
    assert page.locator("#puzzle-score").text_content() != rating
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
    page.reload()
    expect(page.locator("#puzzle-list .won")).to_have_count(1)
    page.locator("#puzzle-answer").click()
    expect(page.locator("#puzzle-said")).to_contain_text("Best play:")
    with page.expect_download() as download:
        page.locator("#puzzles-anki").click()
    cards = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert cards[:2] == ["#separator:tab", "#html:true"] and len(cards) == 7
    assert all(len(card.split("\t")) == 2 for card in cards[2:])
