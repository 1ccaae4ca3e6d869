"""The page by keyboard alone, read aloud, by dark, and where it is drawn again while a button is pressed."""

from __future__ import annotations

import re

import pytest

from tests.web.browser import LATE, LOST, click, discs, opponent, press, reload, sees, tab, visit

PRESS = """async (number) => {
  const button = document.querySelectorAll("#moves button")[number];
  button.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  document.querySelector("[data-field=threats]").click();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const isKept = button.isConnected;
  button.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  button.click();
  return isKept;
}"""
"""Presses the button of a move, has the page drawn again, and releases the button."""

pytestmark = pytest.mark.usefixtures("tab")


def tab_to(control: str) -> None:
    """Press Tab until this control has the focus, and then Enter."""
    for _ in range(60):
        press("Tab")
        if tab.page.locator(f"{control}:focus").count():
            return press("Enter")
    raise AssertionError(f"{control} cannot be reached")


def test_by_keyboard_alone_a_game_is_played_and_its_first_own_mistake_reviewed() -> None:
    opponent(LOST)
    visit()
    press("Tab")
    sees("#place-play:focus")
    tab_to("[data-column='3']")
    discs(2)
    sees("[data-column='3']:focus")
    sees("#live", re.compile(r"You play column 4\. +The computer plays column 4"))
    sees("#board[aria-label^='Board after 2 moves; column 4 from below: yellow']")
    for count in range(2, len(LOST), 2):
        discs(count)
        press(LOST[count])
    tab_to("#review")
    sees("#guide-head", re.compile("Mistake 1 of .*your move 3"))
    tab_to("[data-column='3']")
    sees("#guide-text", "Right, column 4.")
    tab_to("#guide-next")
    sees("#guide-head", "Review")


@pytest.mark.parametrize("tab", [{"color_scheme": "dark"}], indirect=True)
def test_the_system_says_light_or_dark_and_the_user_has_the_last_word() -> None:
    visit()
    sees("html[data-theme=dark]")
    click("#theme")
    reload()
    sees("html[data-theme=light]")


def test_a_press_is_not_lost_when_the_page_is_drawn_again_meanwhile() -> None:
    visit(moves=LATE, view="analysis")
    assert tab.page.evaluate(PRESS, 5)
    discs(6)
