"""The board in a real browser: a ghost disc under pointer and key focus, and sounds with a switch."""

from __future__ import annotations

import pytest

from tests.web.browser import LATE, column, discs, start

from playwright.sync_api import Page, expect  # isort: skip

COUNT_SOUNDS = """
window.sounds = 0;
const create = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.sounds += 1; return create.call(this); };
"""


@pytest.mark.parametrize(
    "page",
    [{"reduced_motion": "no-preference"}, pytest.param({"color_scheme": "dark"}, marks=pytest.mark.slow)],
    indirect=True,
)
def test_a_ghost_disc_shows_where_a_disc_would_land(page: Page, url: str) -> None:
    start(page, url, view="play", moves="44", human=0, agent="random")
    ghost = page.locator("#board .preview")
    column(page, 4).hover()
    expect(ghost).to_have_count(1)
    box, board = ghost.bounding_box(), page.locator("#board").bounding_box()
    assert box is not None and board is not None
    assert board["y"] + board["height"] / 2 < box["y"] + box["height"] / 2 < board["y"] + 4 * board["height"] / 6
    page.locator("#status").hover()
    expect(ghost).to_have_count(0)
    column(page, 1).focus()
    expect(ghost).to_have_class("disc first ghost preview")
    column(page, 1).press("Enter")
    expect(discs(page)).to_have_count(4)


def test_discs_sound_until_the_switch_is_off(page: Page, url: str) -> None:
    page.add_init_script(COUNT_SOUNDS)
    start(page, url, view="analysis", moves=LATE, patience=0.5)
    column(page, 1).click()
    page.wait_for_function("window.sounds === 1")
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
    before = page.evaluate("window.sounds")
    column(page, 2).click()
    expect(discs(page)).to_have_count(len(LATE) + 2)
    page.reload()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
    assert before == 1 and page.evaluate("window.sounds") == 0
