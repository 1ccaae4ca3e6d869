"""What the page's picture must hold: the board and the next action in view, nothing jumps, and discs fall in rhythm."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser import LATE, OVER, discs, game, start, status
from tests.web.test_runs import grid, open_run

from playwright.sync_api import Page, Route, expect  # isort: skip


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
LIVE_MS = 800
"""Least time between two moves of a live run, milliseconds."""
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

RECORD = """() => {
  const board = document.getElementById("board"), seen = new Map();
  const all = (selector) => [...board.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  const middle = (one) => { const { x, y, width, height } = one.getBoundingClientRect();
    return [x + width / 2, y + height / 2]; };
  const isNear = ([x, y], [otherX, otherY]) => Math.abs(x - otherX) < 1.5 && Math.abs(y - otherY) < 1.5;
  for (const old of all(".disc:not(.ghost)")) seen.set(old, null);
  const rings = [], fours = new Map();
  let last = null, frame_ms = 0, animations = 0;
  const look = (now) => {
    frame_ms = Math.max(frame_ms, last === null ? 0 : now - last);
    last = now;
    animations = Math.max(animations, document.getAnimations().length);
    for (const one of all(".disc:not(.ghost)")) {
      if (!seen.has(one)) seen.set(one, []);
      seen.get(one)?.push([now, middle(one)]);
    }
    for (const ring of all(".last-move")) rings.push([now, middle(ring)]);
    for (const at of all(".four").map((four) => String(middle(four).map(Math.round)))) {
      if (!fours.has(at)) fours.set(at, now);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  window.recorded = () => ({
    late_ms: 2 * frame_ms, animations, fours: [...fours.values()],
    discs: [...seen.values()].filter((path) => path).map((path) => {
      const end = path.at(-1)[1], when = (all) => all.find(([, at]) => isNear(at, end))?.[0] ?? null;
      return { begin: path[0][0], landed: when(path), ring: when(rings) };
    }),
  });
}"""
"""Records from now on, frame by frame, when each new disc begins to fall, lands and gets its ring; see `recorded`."""


@pytest.fixture(scope="module", autouse=True)
def a_run(logs: Path) -> None:
    """A run that has ended."""
    journal = open_run(logs)
    game(journal, 1, OVER, 1.0, we_started=True)
    journal.run_end("finished")
    journal.close()


def recorded(page: Page) -> dict[str, Any]:
    """Return what `RECORD` has seen; times are those of frames.

    They are late by up to two frames, ``late_ms``: an animation starts with the frame after the one that was drawn, and
    its disc is hidden in the first.
    """
    return dict(page.evaluate("recorded()"))


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
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    page.route("**/api/move", hold)
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
        asked.pop().continue_()
        expect(discs(page)).to_have_count(2 * number + 2)
        if analyse:
            expect(page.locator(".score")).to_have_count(7)
        page.wait_for_timeout(600)
        theirs = page.evaluate(JUMPS, MOST_PX)
        assert not mine, f"after my move {number + 1}: {', '.join(mine)}"
        assert not theirs, f"after the reply to my move {number + 1}: {', '.join(theirs)}"


@MOVING
def test_my_disc_lands_and_rests_before_the_reply_falls(page: Page, url: str) -> None:
    start(page, url, view="play", moves="44", human=0, agent="random")
    page.evaluate(RECORD)
    page.keyboard.press("1")
    expect(discs(page)).to_have_count(4)
    page.wait_for_timeout(1500)
    seen = recorded(page)
    mine, reply = seen["discs"]
    assert reply["begin"] - mine["landed"] >= PAUSE_MS - seen["late_ms"]
    assert mine["landed"] > mine["begin"] and reply["landed"] > reply["begin"], "discs fall"
    for disc in (mine, reply):
        assert disc["ring"] is not None, "each disc has the ring in its turn"
        assert disc["ring"] >= disc["landed"] - seen["late_ms"], "the ring waits for the landing"


@MOVING
def test_the_winning_four_light_one_after_another(page: Page, url: str) -> None:
    start(page, url, view="play", moves="121212", human=0, agent="random")
    page.evaluate(RECORD)
    page.keyboard.press("1")
    expect(page.locator("#board .four")).to_have_count(4)
    delays = page.locator("#board .four").evaluate_all("all => all.map(one => getComputedStyle(one).animationDelay)")
    page.wait_for_timeout(2500)
    seen = recorded(page)
    lights = sorted(seen["fours"])
    assert len(lights) == 4 and lights[0] >= seen["discs"][0]["landed"] - seen["late_ms"]
    waits = sorted(1000 * float(delay.removesuffix("s")) for delay in delays)
    assert all(later - sooner >= LIGHT_MS for sooner, later in pairwise(waits))


def test_reduced_motion_moves_nothing(page: Page, url: str) -> None:
    start(page, url, view="play", moves="1212", human=0, agent="random", fixed=1)
    page.evaluate(RECORD)
    page.keyboard.press("7")
    expect(discs(page)).to_have_count(6)
    page.wait_for_timeout(300)
    seen = recorded(page)
    assert seen["animations"] == 0
    assert [disc["landed"] - disc["begin"] for disc in seen["discs"]] == [0, 0]
    start(page, url, view="play", moves="121212", human=0, agent="random")
    page.evaluate(RECORD)
    page.keyboard.press("1")
    expect(page.locator("#board .four")).to_have_count(4)
    page.wait_for_timeout(300)
    assert recorded(page)["animations"] == 0


@MOVING
def test_a_live_run_is_shown_move_by_move(page: Page, url: str, logs: Path) -> None:
    moves = "44352673"
    journal = open_run(logs)
    journal.intent(1, -1, 0)
    journal.reply(1, status=True, msg="", botmove=-1, result=0, state=grid("", True))
    for ply in range(0, len(moves), 2):
        journal.intent(1, int(moves[ply]) - 1, ply, score=0.0, proven=True, move_s=0.1)
        upto = moves[: ply + 2]
        journal.reply(1, status=True, botmove=int(moves[ply + 1]) - 1, result=0, state=grid(upto, True))
        if ply == 0:
            start(page, url, view="watch")
            expect(discs(page)).to_have_count(2)
            page.wait_for_timeout(1500)  # both have landed
            page.evaluate(RECORD)
    expect(discs(page)).to_have_count(len(moves))
    page.wait_for_timeout(200)
    journal.run_end("interrupted")
    journal.close()
    seen = recorded(page)
    begins = [disc["begin"] for disc in seen["discs"]]
    assert len(begins) == len(moves) - 2
    assert all(later - sooner >= LIVE_MS - seen["late_ms"] for sooner, later in pairwise(begins))
