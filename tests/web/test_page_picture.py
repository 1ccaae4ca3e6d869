"""What the picture must hold: all in view and readable at every size, nothing jumps, and discs fall in rhythm.

For people to look at: `PICTURES=FOLDER python -m pytest -n 0 -k fits tests/web/test_page_picture.py`.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.web.browser import (
    MOVING,
    OVER,
    answer,
    click,
    counts,
    discs,
    drop,
    go_to,
    hold,
    move_to,
    press,
    run_clock,
    run_of,
    says,
    sees,
    serious_faults,
    stop_clock,
    tab,
    visit,
)
from tests.web.test_page_agent import NAME, results
from tests.web.test_page_game import PUZZLES

AGENTS = [NAME]
"""The page is started with an agent: it then has the most places."""
STATIC = Path(__file__).parents[2] / "bot" / "web" / "static"
PICTURES = os.environ.get("PICTURES")
"""Folder that gets a picture of every state at every size; None: no pictures are taken."""
DESK, PHONE = (1440, 900), (390, 844)
SIZES = (DESK, (360, 740), (844, 390), (720, 450), (768, 1024), (2560, 1440))
"""Width and height of the window; the fourth one is 1440x900 at a zoom of 200 %."""
STATES = json.loads(Path(__file__).with_name("states.json").read_text("utf-8"))
"""The states of the page by address, one after the other: what is pressed, and what has then to be seen."""
MOST_PX = 2
"""No element may move further when a move is made, pixels."""
PAUSE_MS = 250
"""Least time between the landing of my disc and the start of the reply, milliseconds."""
SHAPES = [(disc, f"{disc}{part}") for disc in ("yellow", "red") for part in ("rim", "mark")]
SHAPES += [("light", "board"), ("edge", "surface")]
"""Colours of what is known by its edge, which must stand out by 3; axe compares those of texts."""

MISFITS = """() => {
  const width = document.documentElement.clientWidth, found = [];
  const isIn = ({ top, left, bottom, right }) =>
    top >= 0 && left >= 0 && bottom <= innerHeight + 1 && right <= width + 1;
  for (const element of document.querySelectorAll("#board, #actions button, #places button")) {
    const box = element.getBoundingClientRect();
    if (element.checkVisibility() && !isIn(box)) {
      found.push(`${element.id || element.textContent}: ${Math.round(box.top)} to ${Math.round(box.bottom)}`);
    }
  }
  const headlines = [...document.querySelectorAll("#status-text, #scores .said")];
  if (!headlines.some((one) => one.checkVisibility() && isIn(one.getBoundingClientRect()))) found.push("no headline");
  const { width: wide, height } = document.getElementById("board").getBoundingClientRect();
  if (wide < 0.7 * width && height < 0.5 * innerHeight) found.push(`small: ${Math.round(height)}`);
  for (const element of document.querySelectorAll("button, h2, h3, p, label, .name, .state")) {
    if (element.checkVisibility() && !element.matches(".unseen") && element.scrollWidth > element.clientWidth + 1) {
      found.push(`cut: ${element.textContent.trim()}`);
    }
  }
  if (scrollY) found.push("scrolled down");
  if (document.documentElement.scrollWidth > width) found.push("scrolls sideways");
  return found;
}"""
"""Returns what is not wholly in the window of board, headline, actions and places, what is cut, and a small board."""
REMEMBER = """() => {
  const shown = [...document.querySelectorAll("body [id], button")].filter((one) => one.checkVisibility());
  const outside = shown.filter((one) => !one.closest("#board *, #panel *"));  // the panel's text changes
  window.places = new Map(outside.map((one) => [one, [one.getBoundingClientRect(), one.textContent]]));
}"""
JUMPS = """(most) => {
  const found = [], parts = "#board, #bar-above, #scores, #bar-below, #ribbon, #actions";
  scrollTo(0, 0);  // a press may have scrolled to its button
  for (const [element, [before, text]] of window.places) {
    if (!element.isConnected || !element.checkVisibility()) continue;
    const isLower = document.body.dataset.view === "games" || innerWidth < 592;  // below a run's standing, the actions
    if (isLower && element.matches("#panel, .unseen")) continue;
    const now = element.getBoundingClientRect();
    const sides = element.matches(parts) ? ["top", "left", "right", "bottom"]
      : element.textContent === text ? ["top", "left"] : ["top"];  // words in the middle of a line may be longer
    const jump = Math.max(...sides.map((side) => Math.abs(now[side] - before[side])));
    if (jump > most) found.push(`${element.id || text}: ${Math.round(jump)} px`);
  }
  return found;
}"""
"""Returns the elements that are not where they were when `REMEMBER` ran."""
MOVING_NOW = "() => document.getAnimations().filter(({ playState }) => playState === 'running').length"
TIMING = """() => {
  const timing = (selector) => [...document.querySelectorAll(`#board ${selector}`)].map(getComputedStyle)
    .map((style) => [style.animationDelay, style.animationDuration].map((time) => 1000 * parseFloat(time)));
  return { discs: timing(".falling"), rings: timing(".last-move") };
}"""
"""Returns the falling discs' and rings' delays after they were drawn and durations, milliseconds."""

pytestmark = pytest.mark.usefixtures("tab")


def resize(size: tuple[int, int]) -> None:
    tab.page.set_viewport_size({"width": size[0], "height": size[1]})
    tab.page.wait_for_function("width => innerWidth === width", arg=size[0])


def luminance(colour: str) -> float:
    """Return the luminance of a colour by WCAG."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def show(state: str, size: tuple[int, int], theme: str) -> None:
    """Resize the window; take a picture, if somebody wants to look at it."""
    resize(size)
    if PICTURES:
        Path(PICTURES, f"{state}-{size[0]}x{size[1]}-{theme}.png").write_bytes(tab.page.screenshot())


def set_theme(theme: str) -> None:
    tab.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)


@pytest.mark.parametrize("address", STATES)
def test_each_state_fits_every_size_and_can_be_read_aloud(logs, address):
    run_of(logs, 1.0)
    answer("agent", results(60))
    answer("puzzles/daily*", {"puzzles": list(PUZZLES.values()), "url": None})
    visit(address)
    found = []
    for state, way in STATES[address].items():
        click(*way["press"])
        sees(way["shows"])
        set_theme("light")
        for size in SIZES:
            show(state, size, "light")
            found += [f"{state} {size}: {misfit}" for misfit in tab.page.evaluate(MISFITS)]
        resize(DESK)
        found += serious_faults()
        set_theme("dark")
        if PICTURES:
            show(state, PHONE, "dark")
        show(state, DESK, "dark")
        found += serious_faults("color-contrast")  # nothing else differs by dark
    if "run=none" in address:
        tab.faults.clear()  # the refusal of a run that there is not
    assert not found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_discs_stand_out_from_their_ground(theme):
    blocks = re.findall(r":root[^{]*\{(.*?)\n\}", (STATIC / "tokens.css").read_text("utf-8"), re.DOTALL)
    colours: dict[str, str] = {}
    for block in blocks[: 2 if theme == "dark" else 1]:
        colours |= dict(re.findall(r"--(\w+): (#\w{6})\b", block))
    for pair in SHAPES:
        dark, light = sorted(luminance(colours[name]) for name in pair)
        assert (light + 0.05) / (dark + 0.05) >= 3, pair


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_jumps_during_a_game_or_when_the_place_changes(logs, size):
    def check(what: str) -> None:
        assert not tab.page.evaluate(JUMPS, MOST_PX), what

    run_of(logs, 1.0)
    answer("puzzles/daily*", {"puzzles": list(PUZZLES.values()), "url": None})
    take = hold("move")
    resize(size)
    visit("view=play")
    tab.page.evaluate(REMEMBER)
    for number, column in enumerate(OVER):
        if number % 2:
            move_to(take(), int(column))
        else:
            drop(int(column))
        discs(number + 1)
        check(f"move {number + 1}")
        if number == 0:
            tab.page.evaluate(REMEMBER)  # on a phone, the levels had the room of ribbon and actions
    sees("#mistakes", "mistake")
    check("the game is over")
    shown = {"puzzles": "#puzzle-list button", "games": "#games button", "proof": "#proof-text:not(:empty)"}
    shown |= {"scores": ".score.best", "play": "#mistakes"}
    for view in shown:
        go_to(view)
        check(view)
        sees(shown[view])
        check(f"{view}, loaded")


def test_nothing_moves_where_motion_is_reduced():
    take = hold("move")
    visit("view=play&moves=121212&yellow=you&red=random")
    press("3")
    says("thinking")
    assert tab.page.evaluate(MOVING_NOW) == 0
    move_to(take(), 7)
    discs(8)
    assert tab.page.evaluate(MOVING_NOW) == 0
    press("1")
    counts(4, "#board .four")
    assert tab.page.evaluate(MOVING_NOW) == 0


@MOVING
def test_my_disc_lands_and_rests_before_the_reply_falls():
    take = hold("move")
    stop_clock()  # the reply is drawn at the same moment as my disc
    visit("view=play&moves=44&yellow=you&red=random")
    press("1")
    discs(3)
    says("thinking")
    take().pass_on()
    discs(4)
    timing = tab.page.evaluate(TIMING)
    (my_begin, my_fall), (its_begin, its_fall) = timing["discs"]
    assert my_begin == 0 and my_fall > 0 and its_fall > 0
    assert its_begin >= my_fall + PAUSE_MS
    rings = [begin for begin, _ in timing["rings"]]
    assert rings == [0, my_fall, its_begin + its_fall], "each waits for its disc; the one before stays until then"
    run_clock(its_begin + its_fall)
    counts(1, "#board .last-move")
