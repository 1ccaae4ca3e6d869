"""The one screen of all places: the ribbon shows and scrubs a game, and nothing moves but discs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.browser import (
    LATE,
    LOST,
    OVER,
    click,
    discs,
    drop,
    go_to,
    opponent,
    press,
    run_of,
    says,
    sees,
    tab,
    until,
    visit,
)

CELLS = 43
PARTS = ("#bar-above", "#board", "#scores", "#bar-below", "#ribbon", "#actions")
SIZES = pytest.mark.parametrize(
    "tab",
    [{"viewport": {"width": width, "height": height}} for width, height in ((1440, 900), (390, 844))],
    indirect=True,
    ids=["wide", "phone"],
)
MOST_PX = 2
"""Most that a part may move, pixels."""

pytestmark = pytest.mark.usefixtures("tab")


def heights() -> list[float]:
    """Return the heights of the moves in the ribbon."""
    return [float(bar.get_attribute("height") or 0) for bar in tab.page.locator("#ribbon .cell").all()]


def place(cell: float) -> tuple[float, float]:
    """Return where the ribbon's cell with this number is, from 0."""
    box = tab.page.locator("#ribbon").bounding_box()
    assert box is not None
    return box["x"] + (cell + 0.5) / CELLS * box["width"], box["y"] + box["height"] / 2


def places() -> list[list[float]]:
    """Return where the parts of the screen are in the page, and how large they are."""
    measure = """parts => parts.map((part) => {
      const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
      return [x, y + scrollY, width, height];
    })"""
    places: list[list[float]] = tab.page.evaluate(measure, PARTS)
    return places


def moved(before: list[list[float]]) -> list[str]:
    """Return which parts have moved since, or changed their size."""
    return [
        f"{part}: {was} is now {now}"
        for part, was, now in zip(PARTS, before, places(), strict=True)
        if any(abs(old - new) > MOST_PX for old, new in zip(was, now, strict=True))
    ]


def test_heights_are_hidden_while_a_game_is_open_and_shown_when_it_is_over() -> None:
    opponent("".join(OVER))
    visit(view="play", moves=LATE)
    sees("#ribbon .cell")
    assert set(heights()) == {8}
    for column in OVER[len(LATE) :: 2]:
        says("Your move.")
        drop(int(column))
    says("You win")
    until(lambda: set(heights()) != {8})
    click("#moments")
    says("Which column")
    assert set(heights()) == {8}, "the guide asks"
    click("#guide-close")
    assert set(heights()) != {8}


def test_dragging_and_keys_scrub_the_game() -> None:
    visit(view="scores", moves=LOST)
    mouse = tab.page.mouse
    mouse.move(*place(6))
    mouse.down()
    discs(6)
    for ply in (7, 12, 3):
        mouse.move(*place(ply))
        discs(ply)
    mouse.move(*place(40))  # behind the last move
    discs(len(LOST))
    mouse.up()
    mouse.move(*place(2))
    discs(len(LOST))  # only while the button is down
    for key, count in (("Home", 0), ("ArrowRight", 1), ("End", len(LOST)), ("ArrowLeft", len(LOST) - 1)):
        press(key)
        discs(count)
        assert tab.page.get_by_role("slider", name="Moves of the game").get_attribute("aria-valuenow") == str(count)


def test_key_moments_are_marked_when_the_game_is_over() -> None:
    visit(view="play", moves=LOST, human=1)
    sees("#accuracy strong", "%")
    assert [mark.get_attribute("data-mark") for mark in tab.page.locator("#ribbon .moment").all()] == ["6", "12", "24"]
    click("#moments")
    click("#guide-close")
    tab.page.mouse.click(*place(6))
    sees("#ribbon[aria-valuetext^='Move 6 of 25: red, column ']")


@SIZES
def test_nothing_moves_but_discs(logs: Path) -> None:
    run_of(logs, -1.0, 1.0)
    opponent("".join(OVER))
    visit()
    before = places()
    for number, column in enumerate(OVER[::2]):
        drop(int(column))
        discs(min(2 * number + 2, len(OVER)))
        assert not moved(before), f"move {number}"
    sees("#accuracy strong", "%")
    assert not moved(before), "the game is over"
    click("#analyse")
    press("Home")
    sees("#scores .best")
    assert not moved(before), "scores are shown"
    for name in ("puzzles", "scores", "book", "proof", "games", "play"):
        go_to(name)
        assert not moved(before), name
        sees({"puzzles": "#puzzle-list button", "games": "#games button", "proof": "#proof-text p"}.get(name, "#panel"))
        assert not moved(before), f"{name}, loaded"
        assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
