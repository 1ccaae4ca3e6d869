"""Whose game is on the board: a board for each view, variations, links, lines of the coach, and the address."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.browser import (
    LATE,
    LOST,
    OVER,
    beside,
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
    press,
    reload,
    run_of,
    says,
    sees,
    tab,
    visit,
)

WITHOUT_RANDOM_IDS = "delete Crypto.prototype.randomUUID"
"""As on a page that comes over an open network."""

pytestmark = pytest.mark.usefixtures("tab")


def begin_a_game() -> None:
    """Play one move; the opponent takes the last column."""
    visit(agent="random", fixed=1)
    drop(4)
    discs(2)


def test_each_view_has_its_board_and_the_own_game_is_always_back() -> None:
    begin_a_game()
    for name in ("analysis", "proof", "watch", "replay", "match"):
        go_to(name)
        discs(1 if name == "proof" else 0)
    go_to("analysis")
    drop(1)
    reload()
    discs(1)
    go_to("play")
    plays("47")
    drop(4)
    discs(4)
    tab.page.go_back()
    discs(1)


def test_a_game_that_is_analysed_has_variations_and_stays_as_it_was_played() -> None:
    begin_a_game()
    click("#analyse")
    press("ArrowLeft", "1", "3")
    lists("#moves .tried", "1", "3")
    click("#to-game")
    lacks("#moves .tried")
    press("Home", "4")
    counts(2, "#moves button")  # a move of the game leads along it
    click("#play-on", "#resume")
    plays("47")


def test_a_game_is_played_on_from_a_position_and_the_own_one_waits() -> None:
    tab.page.add_init_script(WITHOUT_RANDOM_IDS)
    begin_a_game()
    go_to("analysis")
    fill("#position", LATE)
    press("Enter")
    click("#play-on")
    says("Your move")
    plays(LATE)
    click("#resume")
    lacks("#resume")
    plays("47")
    tab.page.evaluate("localStorage['waiting-game'] = JSON.stringify(JSON.parse(sessionStorage.games).play)")
    click("#new")
    tab.page.evaluate("localStorage.removeItem('waiting-game')")  # as another tab does
    click("#resume")
    lacks("#resume")


def test_somebodys_link_takes_no_game_away_and_counts_as_none() -> None:
    begin_a_game()
    tab.page.goto(f"{tab.url}/#view=play&moves={OVER}")
    sees("#notice", "Your own game waits under Play.")
    sees("body[data-view=analysis]")
    discs(len(OVER))
    go_to("play")
    plays("47")
    with beside():
        visit(view="play", moves=OVER)
        sees("#rematch")
        assert not kept("own-games")


def test_a_replayed_loss_is_reviewed_from_our_first_mistake_on(logs: Path) -> None:
    run_of(logs, -1.0, moves=LOST)
    visit(view="replay")
    discs(len(LOST))
    click("#find")
    lists("#guide-head", "Mistake 1 of 3, your move 6")
    discs(5)


def test_a_line_of_the_coach_is_no_move_of_the_own_game() -> None:
    opponent("1326")
    visit(view="play", analyse=1)
    press("1")
    discs(2)
    press("2")
    click("#coach-text button:has-text('Show the better move')")
    says("A line of the coach")
    press("7", "c", "r")
    lacks("#columns button:enabled")
    press("u")
    says("Your move.")
    plays("1326")


def test_the_address_leads_back_through_views_and_positions() -> None:
    begin_a_game()
    go_to("match")
    go_to("explorer")
    for name in ("puzzles", "match", "play"):  # through the place's first view
        tab.page.go_back()
        sees(f"body[data-view={name}]")
    discs(2)
    visit(view="analysis", moves="4312")
    # What is drawn while the browser goes to another address does not lead back to the old one.
    tab.page.evaluate(
        "location.hash = 'moves=4435&view=explorer';"
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));"
    )
    sees("body[data-view=explorer]")
    tab.page.go_back()
    sees("body[data-view=analysis]")
    press("End")
    discs(4)
    with beside():
        visit(view="match", moves="1")
    reload()
    sees("body[data-view=analysis]")
    discs(4)


def test_moves_that_cannot_be_played_are_named_and_a_full_column_takes_no_disc() -> None:
    visit(moves="44444449x", view="analysis")
    sees("#error", "Of the moves 44444449x, only the first 6 can be played.")
    press("4")
    sees("#notice", "Column 4 is full.")
    discs(6)
    fill("#position", "4 3 d c")
    press("Enter")
    discs(4)
    lacks("#error")
