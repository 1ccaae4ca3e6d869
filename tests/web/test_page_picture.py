"""What the picture must hold_moves: all in view and readable at every size, nothing jumps, and discs fall in rhythm."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.web.browser import (
    LATE,
    LOST,
    MOVING,
    OVER,
    click,
    counts,
    discs,
    hold_moves,
    lacks,
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

SIZES = ((1440, 900), (390, 844), (844, 390), (720, 450), (360, 740))
"""Width and height of the window; the fourth one is 1440x900 at a zoom of 200 %."""
VIEWS = (
    ("play", "", "#columns button"),
    ("play", OVER, "#accuracy"),
    ("review", LOST, "#guide-head"),
    ("puzzles", "", "#board .disc"),
    ("analysis", LATE, ".score.best"),
    ("explorer", "44", "#replies button"),
    ("proof", "", "#board .disc"),
    ("watch", "", "#graph svg"),
    ("replay", "", "#graph svg"),
    ("match", "44", "#run"),
)
"""A view, the moves that it is opened with, and what it has to show before it is looked at."""
MOST_PX = 4
"""No element may move further when a move is made, pixels."""
PAUSE_MS = 250
"""Least time between the landing of my disc and the start of the reply, milliseconds."""
LIGHT_MS = 50
"""Least time between two lights of the winning four, milliseconds."""
DELAY_MS = 1000
"""More than the delay of any request, milliseconds."""

MISFITS = """() => {
  const width = document.documentElement.clientWidth, found = [];
  const isIn = ({ top, left, bottom, right }) =>
    top >= 0 && left >= 0 && bottom <= innerHeight + 1 && right <= width + 1;
  for (const element of document.querySelectorAll("#board, button.strong, nav button")) {
    const box = element.getBoundingClientRect();
    if (element.checkVisibility() && !isIn(box)) {
      found.push(`${element.id || element.textContent}: ${Math.round(box.top)} to ${Math.round(box.bottom)}`);
    }
  }
  const { width: wide, height } = document.getElementById("board").getBoundingClientRect();
  if (wide < 0.9 * width && height < 0.5 * innerHeight) found.push(`small: ${Math.round(height)}`);
  if (scrollY) found.push("scrolled down");
  if (document.documentElement.scrollWidth > width) found.push("scrolls sideways");
  return found;
}"""
"""Returns what is not wholly in the window, the board, a tab or a next action, and whether the board is small."""
NAMELESS = """() => {
  const named = (one) => one.textContent.trim() || one.ariaLabel || one.title || one.labels?.[0]?.textContent.trim()
    || document.getElementById(one.getAttribute("aria-labelledby"))?.textContent.trim();
  return [...document.querySelectorAll("button, input, select, textarea, summary, a, [role=img]")]
    .filter((one) => one.checkVisibility() && !named(one)).map((one) => one.outerHTML.slice(0, 200));
}"""
"""Returns the controls that have no name."""
REMEMBER = """() => {
  const shown = [...document.querySelectorAll("body [id], button")].filter((one) => one.checkVisibility());
  const outside = shown.filter((one) => !one.closest("#board *, #moves *"));  // that list scrolls within itself
  window.places = new Map(outside.map((one) => [one, [one.getBoundingClientRect(), one.textContent]]));
}"""
JUMPS = """(most) => {
  const found = [];
  for (const [element, [before, text]] of window.places) {
    if (!element.isConnected || !element.checkVisibility()) continue;
    const now = element.getBoundingClientRect();
    const sides = element.id === "board" ? ["top", "left", "right", "bottom"]
      : element.textContent === text ? ["top", "left"] : ["top"];  // words in the middle of a line may be longer
    const jump = Math.max(...sides.map((side) => Math.abs(now[side] - before[side])));
    if (jump > most) found.push(`${element.id || text}: ${Math.round(jump)} px`);
  }
  return found;
}"""
"""Returns the elements that are not where they were when `REMEMBER` ran."""
TIMING = """() => {
  const timing = (selector) => [...document.querySelectorAll(`#board ${selector}`)].map(getComputedStyle)
    .map((style) => [style.animationDelay, style.animationDuration].map((time) => 1000 * parseFloat(time)));
  return { discs: timing(".falling"), rings: timing(".last-move"), fours: timing(".four") };
}"""
"""Returns the falling discs', rings' and lights' delays after they were drawn and durations, milliseconds."""

pytestmark = pytest.mark.usefixtures("tab")


def resize(size: tuple[int, int]) -> None:
    tab.page.set_viewport_size({"width": size[0], "height": size[1]})
    tab.page.wait_for_function("width => innerWidth === width", arg=size[0])


@pytest.mark.parametrize(("view", "moves", "shows"), VIEWS)
def test_a_view_fits_every_size_and_can_be_read_aloud(logs: Path, view: str, moves: str, shows: str) -> None:
    run_of(logs, 1.0)
    visit(view=view, moves=moves, human=1, patience=60)
    sees(shows)
    found = []
    for size in SIZES:
        resize(size)
        found += [f"{size}: {misfit}" for misfit in tab.page.evaluate(MISFITS)]
    resize(SIZES[0])
    if view == "review":
        click("#guide-show", "#guide details summary")
        sees("#guide .reason")
    found += tab.page.evaluate(NAMELESS) + serious_faults()
    click("#theme")
    sees("html[data-theme=dark]")
    assert not found + serious_faults("color-contrast")  # nothing else differs by dark


@pytest.mark.parametrize("analyse", ["", "1"], ids=["plain", "analysis"])
def test_nothing_jumps_when_a_move_is_made(analyse: str) -> None:
    def settle() -> None:
        run_clock(DELAY_MS)
        if analyse:
            counts(7, ".score")
            lacks("#coach .about:has-text('One moment')")

    take = hold_moves()
    tab.page.clock.install()
    visit(view="play", agent="random", analyse=analyse)
    stop_clock()
    for number, key in enumerate("4524"):
        resize(SIZES[number // 2])
        says("Your move")
        settle()
        tab.page.evaluate(REMEMBER)
        press(key)
        discs(2 * number + 1)
        jumps = tab.page.evaluate(JUMPS, MOST_PX)
        take().continue_()
        discs(2 * number + 2)
        settle()
        jumps += tab.page.evaluate(JUMPS, MOST_PX)
        assert not jumps, f"with move {number + 1} and its reply: {', '.join(jumps)}"


@MOVING
def test_my_disc_lands_and_rests_before_the_reply_falls() -> None:
    take = hold_moves()
    tab.page.clock.install()
    visit(view="play", moves="44", human=0, agent="random")
    stop_clock()  # the reply is drawn at the same moment as my disc
    press("1")
    discs(3)
    says("thinking")
    take().continue_()
    discs(4)
    timing = tab.page.evaluate(TIMING)
    (my_begin, my_fall), (its_begin, its_fall) = timing["discs"]
    assert my_begin == 0 and my_fall > 0 and its_fall > 0
    assert its_begin >= my_fall + PAUSE_MS
    rings = [begin for begin, _ in timing["rings"]]
    assert rings == [0, my_fall, its_begin + its_fall], "each waits for its disc; the one before stays until then"
    run_clock(its_begin + its_fall)
    counts(1, "#board .last-move")


@pytest.mark.parametrize("tab", [{"reduced_motion": motion} for motion in ("reduce", "no-preference")], indirect=True)
def test_the_winning_four_light_one_after_another_unless_motion_is_reduced() -> None:
    still = tab.page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    visit(view="play", moves="121212", human=0, agent="random")
    press("1")
    counts(4, "#board .four")
    timing = tab.page.evaluate(TIMING)
    assert all((time_ms == 0) == still for times in timing.values() for _, time_ms in times)
    lights = sorted(begin for begin, _ in timing["fours"])
    assert still or lights[0] >= timing["discs"][0][1], "they wait for the landing"
    assert still or all(later - sooner >= LIGHT_MS for sooner, later in pairwise(lights))


def test_the_projector_shows_the_board_alone_and_larger() -> None:
    resize((844, 390))
    visit(view="watch", moves="44")
    click("#projector")
    lacks(":is(header, #tools, #side > .card)")
    board = tab.page.locator("#board").bounding_box()
    assert board and board["height"] >= 0.6 * 390 and board["y"] + board["height"] <= 390
    click("#headline")
    sees("header >> visible=true")
    press("f", "Escape")
    sees("header >> visible=true")
