"""What the page's picture must hold: the board and the next action in view, nothing jumps, and discs fall in rhythm."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.web.browser import LATE, OVER, discs, game, hold, start, status, stop_clock
from tests.web.test_runs import open_run

from playwright.sync_api import Page, expect  # isort: skip


SIZES = ((1440, 900), (390, 844), (844, 390), (720, 450))
"""Width and height of the viewport; the last one is 1440x900 at a zoom of 200 %."""
DESK, PHONE = (
    pytest.param({"viewport": {"width": width, "height": height}}, id=f"{width}x{height}")
    for width, height in SIZES[:2]
)
LOST = "1326733453554725722"
"""A game that red loses: it gave the win away with move 10, and the draw with move 14."""
MOVING = pytest.mark.parametrize("page", [{"reduced_motion": "no-preference"}], indirect=True, ids=["moving"])
VIEWS = (
    ("play", "", "#columns button"),
    ("play", LOST, ".four"),
    ("review", LOST, "#board .disc"),
    ("puzzles", "", "#board .disc"),
    ("analysis", LATE, ".score"),
    ("explorer", "44", "#replies button"),
    ("proof", "", "#board .disc"),
    ("watch", "", "#board .disc"),
    ("replay", "", "#board .disc"),
    ("match", "44", "#run"),
)
"""A view, the moves that it is opened with, and what it has to show before it is looked at."""
MOST_PX = 4
"""No element may move further when a move is made, pixels."""
PAUSE_MS = 250
"""Least time between the landing of my disc and the start of the reply, milliseconds."""
LIGHT_MS = 50
"""Least time between two lights of the winning four, milliseconds."""

MISFITS = """() => {
  const width = document.documentElement.clientWidth, found = [];
  const isIn = ({ top, left, bottom, right }) =>
    top >= 0 && left >= 0 && bottom <= innerHeight + 1 && right <= width + 1;
  for (const element of document.querySelectorAll("#board, button.strong")) {
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
"""Returns what is not wholly in the viewport, the board or a next action, and whether the board takes too little."""

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


@pytest.fixture(scope="module", autouse=True)
def a_run(logs: Path) -> None:
    """A run that has ended."""
    journal = open_run(logs)
    game(journal, 1, OVER, 1.0, we_started=True)
    journal.run_end("finished")
    journal.close()


@pytest.mark.parametrize("page", [{}], indirect=True, ids=["all sizes"])
@pytest.mark.parametrize(("view", "moves", "shows"), VIEWS)
def test_the_board_and_the_next_action_are_in_view(page: Page, url: str, view: str, moves: str, shows: str) -> None:
    start(page, url, view=view, moves=moves, human=1)
    page.locator(shows).first.wait_for()
    page.wait_for_timeout(300)
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        found += [f"{width}x{height} {misfit}" for misfit in page.evaluate(MISFITS)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", [DESK, PHONE], indirect=True)
@pytest.mark.parametrize("analyse", ["", "1"], ids=["plain", "analysis"])
def test_nothing_jumps_when_a_move_is_made(page: Page, url: str, analyse: str) -> None:
    take = hold(page, "**/api/move")
    start(page, url, view="play", agent="random", analyse=analyse)
    for number, key in enumerate("452"):
        expect(status(page)).to_contain_text("Your move")
        if analyse:
            expect(page.locator(".score")).to_have_count(7)
        page.wait_for_timeout(600)  # what comes a moment later has come
        page.evaluate(REMEMBER)
        page.keyboard.press(key)
        expect(discs(page)).to_have_count(2 * number + 1)
        page.wait_for_timeout(100)
        mine = page.evaluate(JUMPS, MOST_PX)
        take().continue_()
        expect(discs(page)).to_have_count(2 * number + 2)
        if analyse:
            expect(page.locator(".score")).to_have_count(7)
        page.wait_for_timeout(600)
        theirs = page.evaluate(JUMPS, MOST_PX)
        assert not mine, f"after my move {number + 1}: {', '.join(mine)}"
        assert not theirs, f"after the reply to my move {number + 1}: {', '.join(theirs)}"


@MOVING
def test_my_disc_lands_and_rests_before_the_reply_falls(page: Page, url: str) -> None:
    take = hold(page, "**/api/move")
    page.clock.install(time=0)
    start(page, url, view="play", moves="44", human=0, agent="random")
    stop_clock(page)  # the reply is drawn at the same moment as my disc
    page.keyboard.press("1")
    expect(discs(page)).to_have_count(3)
    expect(status(page)).to_contain_text("thinking")
    take().continue_()
    expect(discs(page)).to_have_count(4)
    timing = page.evaluate(TIMING)
    (my_begin, my_fall), (its_begin, its_fall) = timing["discs"]
    assert my_begin == 0 and my_fall > 0 and its_fall > 0
    assert its_begin >= my_fall + PAUSE_MS
    rings = [begin for begin, _ in timing["rings"]]
    assert rings == [0, my_fall, its_begin + its_fall], "each waits for its disc; the one before stays until then"
    page.clock.run_for(its_begin + its_fall)
    expect(page.locator("#board .last-move")).to_have_count(1)


@MOVING
def test_the_winning_four_light_one_after_another(page: Page, url: str) -> None:
    start(page, url, view="play", moves="121212", human=0, agent="random")
    page.keyboard.press("1")
    expect(page.locator("#board .four")).to_have_count(4)
    timing = page.evaluate(TIMING)
    lights = sorted(begin for begin, _ in timing["fours"])
    assert len(lights) == 4 and lights[0] >= timing["discs"][0][1], "they wait for the landing"
    assert all(later - sooner >= LIGHT_MS for sooner, later in pairwise(lights))


@pytest.mark.parametrize("page", [{"reduced_motion": motion} for motion in ("reduce", "no-preference")], indirect=True)
def test_reduced_motion_moves_nothing(page: Page, url: str) -> None:
    page.add_init_script("window.begun = 0; addEventListener('animationstart', () => { window.begun += 1; }, true);")
    still = page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    for moves, key, count, text in (("1212", "7", 6, "Your move."), ("121212", "1", 7, "You win with four in a row.")):
        start(page, url, view="play", moves=moves, human=0, agent="random", fixed=1)
        page.keyboard.press(key)
        expect(discs(page)).to_have_count(count)
        expect(status(page)).to_have_text(text)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert (page.evaluate("begun") == 0) == still
        assert all(time_ms == 0 for times in page.evaluate(TIMING).values() for _, time_ms in times) == still
