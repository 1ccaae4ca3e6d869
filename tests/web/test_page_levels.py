"""Opponents for people: levels by a slider, a hint, and a clock, in a real browser."""

from __future__ import annotations

import re

import pytest

from bot.learn.levels.table import DEFAULT_LEVEL, LEVELS
from tests.web.browser import LATE, OVER, column, discs, start, status, view

from playwright.sync_api import Page, expect  # isort: skip


def test_a_newcomer_meets_the_default_level_and_the_slider_changes_it(page: Page, url: str) -> None:
    start(page, url)
    level = LEVELS[DEFAULT_LEVEL - 1]
    expect(page.get_by_role("slider", name="Level")).to_have_value(str(DEFAULT_LEVEL))
    expect(page.locator("#level-name")).to_have_text(f"{DEFAULT_LEVEL}: {level.name}")
    expect(page.locator("#others")).not_to_have_attribute("open", "")
    column(page, 4).click()
    expect(discs(page)).to_have_count(2)
    expect(page.locator("#game-names")).to_have_text(f"You (yellow) – {level.name} (level {DEFAULT_LEVEL}) (red)")
    page.locator("#level").focus()
    page.keyboard.press("End")
    expect(page.locator("#level-name")).to_have_text("10: Perfect")
    expect(page).to_have_url(re.compile("level=10"))
    column(page, 4).click()
    expect(discs(page)).to_have_count(4)
    page.reload()
    expect(page.locator("#level-name")).to_have_text("10: Perfect")
    start(page, url, agent="random")
    expect(page.locator("#others")).to_have_attribute("open", "")
    expect(page.locator("#level-name")).to_have_text("another agent, see below")


def test_a_hint_points_at_a_best_column_until_the_next_move(page: Page, url: str) -> None:
    start(page, url, view="play", moves=LATE, human=0, agent="random")
    page.keyboard.press("h")
    expect(page.locator("#board [data-hint]")).to_have_attribute("data-hint", re.compile("[46]"))
    expect(page.locator("#notice")).to_have_text(re.compile("Hint: column [57], win in 2."))
    page.keyboard.press("1")
    expect(page.locator("#board [data-hint]")).to_have_count(0)
    start(page, url, view="play", moves=OVER, human=0, agent="random")
    expect(page.locator("#hint")).to_have_count(0)


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}], indirect=True)
def test_a_clock_runs_out_and_ends_the_game(page: Page, url: str) -> None:
    page.clock.install()  # the person's clock runs when it is moved, however long the test takes
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    start(page, url, agent="random", clock=1)
    expect(page.locator("#clock")).to_have_text(re.compile("[01]:[0-5][0-9]"))
    page.clock.run_for(15_000)
    expect(page.locator("#clock")).to_have_text(re.compile("0:[0-4][0-9]"))
    view(page, "analysis")  # while the game is not shown, its clock stands
    page.clock.run_for(60_000)
    view(page, "play")
    page.reload()
    page.locator("body[data-ready]").wait_for()
    expect(page.locator("#clock")).to_have_text(re.compile("0:[0-4][0-9]"))
    assert (page.locator("#clock").inner_text()) <= "0:45", "no time is given back"
    page.clock.run_for(46_000)
    expect(status(page)).to_have_text("Your time is over: the computer wins.")
    page.keyboard.press("4")
    expect(discs(page)).to_have_count(0)
    page.locator("#new").click()
    expect(page.locator("#clock")).to_have_text(re.compile("[01]:[0-5][0-9]"))
    expect(status(page)).to_contain_text("Your move")
