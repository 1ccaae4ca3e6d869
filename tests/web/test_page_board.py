"""The board in a real browser: a ghost disc under pointer and key focus, sounds with a switch, the full height."""

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
    page.locator("#board [data-column='3']").hover()
    expect(ghost).to_have_count(1)
    box, lane = ghost.bounding_box(), page.locator("#board [data-column='3']").bounding_box()
    assert box is not None and lane is not None
    assert lane["y"] + lane["height"] / 2 < box["y"] + box["height"] / 2 < lane["y"] + 4 * lane["height"] / 6
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


@pytest.mark.parametrize(
    "page", [{"viewport": {"width": 1280, "height": height}} for height in (720, 1080)], indirect=True
)
def test_board_and_tools_fill_the_height_without_scrolling(page: Page, url: str) -> None:
    for view in ("play", "analysis", "explorer", "proof", "match"):
        start(page, url, view=view, moves="44", agent="random", patience=0.5, proves="")
        height = page.viewport_size["height"]  # type: ignore[index]
        tools, board = page.locator(".tools").bounding_box(), page.locator("#board").bounding_box()
        assert tools is not None and board is not None
        assert tools["y"] + tools["height"] <= height, view
        assert board["height"] > 0.55 * height, view
