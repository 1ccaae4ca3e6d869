"""Playing: from the first click to the end, with undo, level, hint and clock; hasty clicks, and a server that fails."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.learn.levels.table import DEFAULT_LEVEL, LEVELS
from tests.web.browser import (
    DRAW,
    LATE,
    LOST,
    OVER,
    PHONE,
    answer,
    beside,
    choose,
    click,
    counts,
    discs,
    drop,
    fill,
    go_to,
    hold_moves,
    kept,
    lacks,
    lists,
    move_to,
    opponent,
    plays,
    press,
    reload,
    run_clock,
    says,
    sees,
    stop_clock,
    tab,
    visit,
)

COUNT_SOUNDS = """
window.sounds = 0;
const create = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.sounds += 1; return create.call(this); };
"""
DENY = """for (const kind of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, kind, { get() { throw new DOMException("denied", "SecurityError"); } });"""

pytestmark = pytest.mark.usefixtures("tab")


def test_a_game_is_clicked_and_keyed_to_its_end_survives_a_reload_and_counts_once() -> None:
    visit(agent="random", fixed=1)  # the opponent always takes column 7
    for number in range(4):
        says("Your move")
        press("1") if number % 2 else drop(1)
        discs(min(2 * number + 2, 7))
    says("You win with four in a row.")
    counts(4, "#board .four[data-cell^='0,']")
    counts(7, "#columns button:disabled")
    press("5")
    reload()
    says("You win with four in a row.")
    sees("#accuracy strong", "%")
    choose("agent", "perfect")
    lists("#game-names", "You (yellow) – random (red)")  # another opponent does not rename who has lost
    plays("1717171")
    assert len(kept("own-games")) == 1
    click("#swap")
    says("Your move: you are red.")
    go_to("review")
    click("#own-games button")
    sees("#guide-head", "your move")


def test_undo_takes_back_a_move_with_its_answer_and_redo_brings_both_back() -> None:
    opponent("77777")
    visit()
    for count in (2, 4):
        drop(4)
        discs(count)
    press("u")
    reload()
    discs(2)
    press("r")
    discs(4)
    click("#undo", "#undo")
    discs(0)
    sees("#undo:disabled")
    press("r")
    discs(2)
    drop(1)
    discs(4)
    plays("4717")


def test_the_page_lives_while_the_computer_thinks_and_a_new_game_cancels() -> None:
    visit(agent="mtdf", time=60)
    for end in ("n", "n", "n", "n", "n", "n", "n", "u"):  # more searches than the server carries at once
        drop(4)
        says("mtdf is thinking…")
        press("1")
        drop(3)
        discs(1)
        press(end)
        says("Your move")
        discs(0)
    choose("agent", "random")
    tab.page.evaluate("for (const button of document.querySelectorAll('#columns button')) button.click();")
    says("Your move.")
    discs(2)  # clicks faster than the page is drawn are one move
    lacks("#error")


def test_the_computer_starts_when_chosen_and_moves_for_either_side() -> None:
    visit(agent="depth", depth=2)
    click("text=Computer >> visible=true")
    says("Your move: you are red.")
    discs(1)
    press("c")
    discs(2)


def test_ends_are_said_in_words() -> None:
    table = ((OVER, 0, "You win"), (OVER, 1, "The computer wins"), (DRAW, 0, "A draw: the board is full"))
    for played, human, words in table:
        with beside():
            visit(moves=played, view="play", human=human)
            says(words)
            lacks("#columns button:enabled")


def test_errors_are_one_readable_sentence() -> None:
    halted = "The computer has not moved: let it move again."
    answers: tuple[tuple[dict[str, Any], str], ...] = (
        ({"body": "no json"}, "sent a reply that cannot be read"),
        ({"status": 500, "json": {"error": "This is a bug: ValueError."}}, "This is a bug: ValueError."),
        ({"json": {"column": 9}}, "The agent's move is not legal"),
        ({}, "Is `python -m bot web` still running?"),
    )
    answer("none")  # requests are watched from the start: on a busy machine the next one could slip through
    visit(agent="kang-h1", options="features=9")
    press("4")
    says(halted)  # the next press is for another request
    sees("#error", "features")
    for reply, words in answers:
        answer("move", **reply)
        press("c")
        sees("#error", words)
        says(halted)
    tab.page.unroute_all()
    fill("[data-field=options]", "")
    press("Tab")
    click("#computer")
    discs(2)
    lacks("#error")
    tab.faults.clear()  # the refused requests


def test_a_newcomer_meets_the_default_level_and_the_slider_changes_it() -> None:
    level = LEVELS[DEFAULT_LEVEL - 1]
    visit()
    assert tab.page.get_by_role("slider", name="Level").input_value() == str(DEFAULT_LEVEL)
    press("4")
    discs(2)
    lists("#game-names", f"You (yellow) – {level.name} (level {DEFAULT_LEVEL}) (red)")
    tab.page.locator("#level").press("End")
    press("4")
    discs(4)
    reload()
    lists("#level-name", "10: Perfect")


def test_a_hint_points_at_a_best_column_until_the_next_move() -> None:
    visit(view="play", moves=LATE, human=0, agent="random")
    press("h")
    sees("#notice", re.compile("Hint: column [57], win in 2."))
    sees("#board [data-hint='4'], #board [data-hint='6']")
    press("1")
    counts(0, "#board [data-hint]")


@PHONE
def test_a_clock_stands_while_its_game_is_not_shown_and_ends_the_game() -> None:
    tab.page.clock.install()
    visit(agent="random", clock=1)
    stop_clock()
    run_clock(15_000)
    go_to("analysis")
    run_clock(60_000)
    go_to("play")
    reload()
    lists("#clock", re.compile("0:(4[0-5]|[0-3][0-9])"))  # no time is given back
    run_clock(46_000)
    says("Your time is over: the computer wins.")
    press("4", "c")
    reload()
    says("Your time is over: the computer wins.")
    discs(0)
    click("#new")
    says("Your move")


def test_a_ghost_disc_shows_where_a_disc_would_land() -> None:
    visit(view="play", moves="44", human=0)
    tab.page.hover("#columns button >> nth=3")
    counts(1, "#board .preview")
    tab.page.hover("#status")
    counts(0, "#board .preview")
    tab.page.focus("#columns button >> nth=3")
    sees("#board .disc.first.ghost.preview")


def test_discs_sound_until_the_switch_is_off() -> None:
    tab.page.add_init_script(COUNT_SOUNDS)
    visit(view="analysis", moves="44")
    drop(1)
    tab.page.wait_for_function("sounds === 1")
    click("#sound")
    drop(2)
    discs(4)
    assert tab.page.evaluate("sounds") == 1


def test_a_double_click_is_one_move_and_never_meets_the_next_button() -> None:
    mouse, take = tab.page.mouse, hold_moves()
    visit(view="play")
    drop(3)
    move_to(take(), 4)
    discs(2)
    for place in ("#columns button >> nth=2", "#new"):
        tab.page.hover(place)
        mouse.down(click_count=2)
        mouse.up(click_count=2)  # the second half comes after the reply, or on what stands there now
        says("Your move.")
        discs(2)
    go_to("analysis")
    tab.page.dblclick("#columns button >> nth=2")
    discs(2)  # where nobody replies, two quick clicks are two moves


def test_a_link_that_comes_while_the_computer_thinks_gets_its_own_reply() -> None:
    take = hold_moves()
    visit(view="play", moves="1")
    says("thinking")
    tab.page.evaluate("location.hash = '#view=play&moves=1234'")
    says("Your move.")
    move_to(take(), 7)
    tab.page.evaluate("location.hash = '#view=play&moves=123&human=7'")
    says("thinking")
    plays("123")
    move_to(take(), 4)
    says("Your move.")
    plays("1234")


def test_a_review_that_fails_is_asked_for_once_in_each_view() -> None:
    asked = answer("review", status=500, json={"error": "Broken."})
    visit(view="play", moves=LOST)
    sees("#error", "Broken.")
    press("Home", "End")
    discs(len(LOST))
    assert len(asked) == 1
    tab.page.unroute_all()
    click("#review")
    sees("#guide-head", "Mistake 1 of")
    tab.faults.clear()  # the refused request


def test_nothing_is_lost_where_the_browser_keeps_nothing() -> None:
    tab.page.add_init_script(DENY)
    opponent("34")
    visit(view="play")
    click("#theme")
    press("3")
    discs(2)
    go_to("analysis")
    go_to("play")
    discs(2)
