"""A game owns its state: what a link, a new game, a typo or another level may not do to it, and what older pages left.

The tests whose names begin with "loss" are those ways in which the third edition lost a game. At the end, games of two
programs: set up, stepped, run, and how fast their discs may fall.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.web.browser import (
    LATE,
    MOVING,
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
    kept,
    lacks,
    lists,
    opponent,
    plays,
    prefer,
    press,
    reload,
    respond,
    run_clock,
    run_of,
    says,
    seat,
    sees,
    stop_clock,
    tab,
    visit,
)

OPPONENT = "#bar-above > :is(.name, .detail)"
LEVEL_9 = {"seats": ["you", "level:9"]}
PUZZLES = json.loads(Path(__file__).with_name("puzzles.json").read_text("utf-8"))
ADDRESSES = {
    "": "view=play&yellow=you&red=level:2&moves=",
    "moves=4435": "view=scores&moves=4435",
    "view=scores&moves=44&at=1": "view=scores&moves=44&at=1",
    "view=scores&moves=44&at=0": "view=scores&moves=44&at=0",
    "view=nonsense": "view=play",
    "yellow=proof%2Bperfect&red=depth4": "view=play&yellow=proof+perfect&red=depth4",
    "yellow=level:7&red=kang-h1:4,features=3": "view=play&yellow=level:7&red=kang-h1:4,features=3",
    "yellow=you&red=uct:50": "view=play&yellow=you&red=uct:50",
    "yellow=a b&red=level:x": "view=play&yellow=you&red=level:2",
}
"""Addresses, and the beginnings of those that the page makes of them."""
KEPT = (
    *("7", '[{"id": "x"}]', '{"days": null, "missed": [{}], "rating": "a"}'),
    '{"seats": [{"kind": "you"}, "level"], "think_s": "60", "patience_s": 61}',
    '{"main": 7, "names": [1, 2]}',
    '{"seats": ["level:-1", "uct:x"], "hints": "1"}',
)
"""What no page has kept, in JSON: settings and games of wrong types and out of range."""
FILL_STORAGES = """([value, games]) => {
  const names = ["settings", "own-games", "unfinished-game", "puzzles", "reviews", "guide"];
  addEventListener("pagehide", () => {
    for (const name of names) localStorage[name] = value;
    sessionStorage.games = games;
  });
}"""
"""Lets the browser have kept something else, when the page has left and kept its own."""
WITHOUT_RANDOM_IDS = "delete Crypto.prototype.randomUUID"
"""As on a page that comes over an open network."""

pytestmark = pytest.mark.usefixtures("tab")


def begin_a_game(**settings: Any) -> None:
    """Play one move against the chosen opponent, which takes the last column."""
    opponent("7" * 42)
    prefer(**settings)
    visit()
    drop(4)
    discs(2)


def follow(address: str) -> None:
    """Follow a link from elsewhere, in the same tab."""
    tab.page.goto(f"{tab.url}/#{address}")


def test_loss_1_a_link_in_mid_game_keeps_level_and_game():
    begin_a_game(**LEVEL_9)
    follow("view=play&moves=44&red=level:2")
    sees("body[data-view=scores]")
    plays("44")
    go_to("play")
    plays("47")
    lists(OPPONENT, "Master", "level 9")
    tab.page.go_back()
    tab.page.go_back()  # before the link
    sees("body[data-view=play]")
    reload()
    plays("47")
    drop(4)
    discs(4)
    lists(OPPONENT, "Master", "level 9")


def test_loss_2_a_new_game_gives_an_unfinished_one_back_until_its_first_move():
    begin_a_game(**LEVEL_9)
    press("n")
    discs(0)
    click("#take-back")
    plays("47")
    lists(OPPONENT, "Master", "level 9")
    press("n")
    press("3")
    discs(2)
    lacks("#take-back")
    plays("37")


COLOURS = """[...document.querySelectorAll("#board .disc:not(.ghost)")]
    .map((disc) => disc.parentElement.getAttribute("transform") + disc.classList.contains("first")).sort()"""


def test_loss_3_moves_that_cannot_all_be_played_change_nothing():
    visit("view=scores&moves=4312")
    fill("#position", "48")
    press("Enter")
    sees("#error", '"8" is none.')
    click("#error button")
    plays("4312")
    follow("moves=48")
    sees("#error", '"8" is none.')
    discs(4)
    fill("#position", " 3, 4-c;D ")
    press("Enter")
    plays("3434")
    lacks("#error span")
    colours = tab.page.evaluate(COLOURS)
    click("#take-back")
    plays("4312")
    visit("view=scores&moves=3434")
    discs(4)
    assert tab.page.evaluate(COLOURS) == colours, "no disc keeps the colour that it had in another position"
    visit("moves=444444")
    press("4")
    sees("#notice", "Column 4 is full.")
    discs(6)


# Loss 5 is tried in `test_page_play`: a level that is changed in mid-game.


def test_loss_6_the_unfinished_game_outlives_its_tab_and_a_finished_one_does_not():
    begin_a_game(**LEVEL_9)
    with beside():
        visit()
        plays("47")
        lists(OPPONENT, "Master", "level 9")
    for count in (4, 6, 7):
        press("4")
        discs(count)
    with beside():
        visit()
        sees("#setup")


def test_each_place_has_its_board_and_back_leads_through_all_of_them():
    begin_a_game(proofSide=1)  # else it would move before a slow test goes on
    for name in ("games", "proof"):
        go_to(name)
        discs(0)
    for name in ("scores", "games", "play"):  # through the place's first segment
        tab.page.go_back()
        sees(f"body[data-view={name}]")
    discs(2)
    go_to("scores")
    drop(1)
    reload()
    go_to("proof")
    discs(1)  # the segments have one board
    go_to("play")
    plays("47")
    drop(4)
    discs(4)
    tab.page.go_back()
    discs(1)


def test_a_game_that_is_studied_has_variations_and_stays_as_it_was_played(logs):
    visit(f"view=games&run={run_of(logs, 1.0)}")
    discs(len(OVER))
    click("#study")
    press("ArrowLeft", "1", "3")
    counts(2, "#ribbon .tried")
    press("u", "u", OVER[-1])
    counts(0, "#ribbon .tried")  # a move of the game leads along it
    plays(OVER)
    sees("#mistakes", "1 mistake")
    press(*["ArrowLeft"] * 4, "2")  # in place of the mistake
    sees("#ribbon[aria-valuetext='Move 12 of 12: red, column 2, not played in the game']")


def test_somebodys_link_counts_as_no_game_of_ours_and_a_position_is_played_on():
    tab.page.add_init_script(WITHOUT_RANDOM_IDS)
    begin_a_game()
    follow(f"view=play&moves={OVER}")
    sees("#notice", "Your own game waits under Play.")
    sees("body[data-view=scores]")
    discs(len(OVER))
    with beside():
        visit(f"view=play&moves={OVER}")
        sees("#rematch")
        assert not kept("own-games")
    fill("#position", LATE)
    press("Enter")
    discs(len(LATE))
    click("#play-on")
    says("Your move")
    plays(LATE)


def test_what_is_drawn_while_the_browser_goes_to_another_address_does_not_lead_back():
    visit("view=scores&moves=4312")
    tab.page.evaluate(
        "location.hash = 'moves=4435&view=proof';"
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));"
    )
    sees("body[data-view=proof]")
    tab.page.go_back()
    sees("body[data-view=scores]")
    press("End")
    discs(4)
    with beside():
        visit("view=play&moves=1")
    reload()
    sees("body[data-view=scores]")
    discs(4)


def becomes(new: str) -> None:
    """Wait until the address begins so."""
    tab.page.wait_for_url(lambda address: f"{unquote(address)}&".startswith(f"{tab.url}/#{new}&"))


def test_an_address_names_a_place_its_moves_and_its_seats():
    for old, new in ADDRESSES.items():
        visit(old)
        becomes(new)
        tab.page.evaluate("addEventListener('pagehide', () => { sessionStorage.clear(); localStorage.clear(); })")


def test_whatever_a_browser_has_kept_the_page_can_be_used():
    answer("puzzles/daily*", {"puzzles": [PUZZLES["long"]], "url": None})
    visit()
    for value in KEPT:
        unknown = json.loads(value)
        play = {"main": "44", "side": 9, "seats": value, "names": unknown}
        tab.page.evaluate(FILL_STORAGES, [value, json.dumps({"play": play, "scores": unknown})])
        visit()
        for view in ("puzzles", "scores", "games", "play"):
            go_to(view)
        click("#new")
        drop(4)
        discs(2)  # the computer has replied: who plays is what it usually is


def test_a_run_that_cannot_be_shown_is_named():
    for run in ("..", "own", "../secret"):
        visit(f"view=games&run={run}")
        says("No games yet." if run == "own" else "This run cannot be shown.")
    tab.faults.clear()  # the refused requests


@PHONE
def test_a_running_game_waits_while_another_place_is_open_and_survives_a_reload():
    respond("move", lambda _: None)  # the first agent thinks until the place is left
    visit("view=play&yellow=random&red=random&moves=44")
    click("#run")
    says("random is thinking…")
    press("Home", "End")  # looking back pauses them
    lists("#run", "Run")
    click("#run")
    says("random is thinking…")
    go_to("puzzles")
    go_to("play")
    lists("#run", "Run")
    reload()
    plays("44")
    opponent("1" * 42)
    click("#step")
    discs(3)


def test_two_agents_are_set_up_stepped_played_to_the_end_and_followed_by_another_game():
    def play_on(since: int) -> None:
        for count in range(since, 8):
            discs(count)
            run_clock(1000)  # longer than the pause between two moves

    asked = opponent("1212121")
    stop_clock()
    visit()
    seat("Yellow", "Program")
    seat("Red", "Program")
    choose("Program", "uct")
    for playouts in ("0", "20"):  # too few are not taken
        tab.page.get_by_label("Games it tries for a move").fill(playouts)
        press("Tab")
        lists(".player .name", "depth3", "uct:20" if playouts == "20" else "uct")
    choose("Program", "random")
    drop(1)
    press("s")
    discs(2)
    click("#run")
    discs(3)
    click("#run")
    run_clock(1000)  # paused, it stays so
    press("s")
    discs(4)
    click("#run")
    play_on(5)
    sees("#rematch")
    assert len(asked) == 6 and len({one.body()["game"] for one in asked}) == 2, "one for each seat"
    click("#rematch")
    play_on(1)
    sees("#rematch")
    assert len({one.body()["game"] for one in asked}) == 4
    lists(".player .name", "depth3", "random")


@MOVING
def test_discs_do_not_float_however_quick_the_agents_are():
    devtools = tab.page.context.new_cdp_session(tab.page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 0.001})
    visit("yellow=random&red=random")
    for count in (1, 2):
        press("s")
        discs(count)
    counts(1, "#board .falling")  # the second disc is there at once
