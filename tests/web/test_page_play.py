"""Playing: from the first click to the end, with undo, level and hints; hasty clicks, and a server that fails."""

from __future__ import annotations

import re

import pytest

from bot.learn.levels.table import DEFAULT_LEVEL, LEVELS
from tests.web.browser import (
    LATE,
    OVER,
    PHONE,
    Asked,
    answer,
    are_in_view,
    beside,
    choose,
    click,
    counts,
    discs,
    drop,
    fill,
    go_to,
    hold,
    keep,
    kept,
    lacks,
    lists,
    move_to,
    open_menu,
    opponent,
    plays,
    prefer,
    press,
    reload,
    respond,
    says,
    sees,
    tab,
    visit,
)

DENY = """for (const kind of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, kind, { get() { throw new DOMException("denied", "SecurityError"); } });"""

pytestmark = pytest.mark.usefixtures("tab")


def test_a_game_is_clicked_and_keyed_to_its_end_survives_a_reload_and_counts_once():
    opponent("7" * 42)
    visit("red=random")
    for number in range(4):
        says("Your move")
        press("1") if number % 2 else drop(1)
        discs(min(2 * number + 2, 7))
    says("You win with four in a row.")
    lists("#bar-below .state", "won")
    lists("#bar-above .state", "lost")
    counts(4, "#board .four[data-cell^='0,']")
    counts(7, "#columns button:disabled")
    press("5")
    reload()
    says("You win with four in a row.")
    sees("#mistakes", "mistake")
    plays("1717171")
    assert len(kept("own-games")) == 1
    click("#swap")
    discs(1)
    says("Your move.")
    counts(1, "#bar-below .dot.second")
    go_to("games")
    click("#list-yours", "#games button", "#moments")
    sees("#guide-head", "move 3")


def test_undo_takes_back_a_move_with_its_answer_for_good():
    opponent("77777")
    visit()
    for count in (2, 4):
        drop(4)
        discs(count)
    press("u")
    reload()
    discs(2)
    press("Alt+u", "Control+4")  # those of the browser are none of the page
    drop(1)
    discs(4)
    plays("4717")
    tab.page.focus("#ribbon")
    press("Home", "1")  # while one looks back, nothing is dropped
    discs(0)
    click("#to-game", "#undo", "#undo")
    discs(0)
    lacks("#actions button, #ribbon svg")
    sees("#rules", "The first to have four in a line wins")


def test_the_page_lives_while_the_computer_thinks_and_a_new_game_cancels():
    prefer(think_s=60)
    visit("red=mtdf")
    for end in ("u", "n", "n", "n", "n", "n", "n", "n"):  # more searches than the server carries at once
        drop(4)
        says("mtdf is thinking…")
        press("1")
        drop(3)
        discs(1)
        press(end)
        says("Your move")
        discs(0)
    choose("Program", "random")
    tab.page.evaluate("for (const button of document.querySelectorAll('#columns button')) button.click();")
    says("Your move.")
    discs(2)  # clicks faster than the page is drawn are one move
    lacks("#error")


@PHONE
def test_the_computer_starts_when_chosen_by_a_button_that_is_in_view():
    visit("red=level:3")
    click("#swap-seats")
    sees("#panel", "Press Start to begin.")
    sees("#scores .said", re.compile(r"^Press Start: \w+ begins\.$"))
    are_in_view("#continue")
    click("#continue")
    says("Your move.")
    discs(1)


def test_errors_are_one_readable_sentence():
    halted = "kang-h1,features=9 has not moved."
    answers = (
        (lambda asked: asked.end("fulfillRequest", responseCode=200), "sent a reply that cannot be read"),
        (lambda asked: asked.reply({"error": "This is a bug: ValueError."}, 500), "This is a bug: ValueError."),
        (lambda asked: asked.reply({"column": 9}), "The program's move is not legal"),
        (Asked.refuse, "Your games are kept: start `bot web` again"),
    )
    respond("none", Asked.pass_on)  # watched from the start: on a busy machine the next one could slip through
    visit("red=kang-h1,features=9")
    press("4")
    says(halted)  # the next press is for another request
    sees("#error", "features")
    for reply, words in answers:
        respond("move", reply)
        press("c")
        sees("#error", words)
        says(halted)
    tab.devtools.send("Fetch.disable")
    press("n")
    lacks("#error")
    choose("Program", "random")
    drop(4)
    discs(2)
    tab.faults.clear()  # the refused requests


def test_a_newcomer_meets_the_default_level_and_a_changed_level_holds_from_the_next_game_on():
    level = LEVELS[DEFAULT_LEVEL - 1]
    visit()
    sees(f".ladder :checked[value='{DEFAULT_LEVEL}']")
    press("4")
    discs(2)
    lists("#bar-above > :is(.name, .detail)", level.name, f"level {DEFAULT_LEVEL}")
    click("#next-game summary")
    tab.page.get_by_text("10 Perfect").click()
    press("4")
    discs(4)
    reload()
    lists("#bar-above > :is(.name, .detail)", level.name, f"level {DEFAULT_LEVEL}")
    press("n")
    lists("#bar-above > :is(.name, .detail)", "Perfect", "level 10")


def test_a_hint_in_three_steps_and_a_disc_above_the_column_accompany_a_move():
    opponent("7" * 42)
    visit(f"view=play&moves={LATE}&red=random")
    steps = ("You can force a four.", 0), ("at columns 3 to 5", 3), ("5, then 5 or 7", 3)
    for label, (step, rings) in zip(("Hint", "Where?", "Which column?"), steps, strict=True):
        lists("#hint", label)
        press("h")
        says(step)
        counts(rings, "#board .note.hint")
    counts(1, "#board .note.hint[data-column='6']")
    sees("#hint:disabled")
    assert kept("unfinished-game")["hints"] == 1, "three steps are one hint"
    tab.page.hover("#columns button >> nth=1")
    counts(1, "#columns .dot.first >> visible=true")
    tab.page.hover("#status-text")
    lacks("#columns .dot")
    tab.page.focus("#columns button >> nth=1")
    press("ArrowRight")  # the keyboard has the focus now
    counts(1, "#columns .dot.first >> visible=true")
    drop(2)
    counts(0, "#board .note")
    discs(len(LATE) + 2)
    answer("hint", {"steps": ["Column 4 keeps the draw."], "cells": [[]]})
    press("h")
    says("Best: column 4. It keeps the draw.")
    drop(1)
    discs(len(LATE) + 4)
    take = hold("hint")
    press("h")
    late = take()
    tab.page.evaluate("document.activeElement.blur()")
    press("ArrowLeft")
    sees("#ribbon[aria-valuenow='15']")
    with tab.page.expect_response("**/api/hint"):
        late.reply({"steps": ["You can force a four."], "cells": [[]]})
    tab.page.evaluate("fetch('/api/levels').then((answer) => answer.json())")  # the page has read what came before
    press("End")
    lists("#hint", "Hint")
    assert kept("unfinished-game")["hints"] == 2, "what came too late was not seen"


def test_a_double_click_is_one_move_and_never_meets_the_next_button():
    mouse, take = tab.page.mouse, hold("move")
    visit()
    drop(3)
    move_to(take(), 4)
    discs(2)
    for place in ("#columns button >> nth=2", "#new"):
        tab.page.hover(place)
        mouse.down(click_count=2)
        mouse.up(click_count=2)  # the second half comes after the reply, or on what stands there now
        says("Your move.")
        discs(2)
    go_to("scores")
    tab.page.dblclick("#columns button >> nth=2")
    discs(2)  # where nobody replies, two quick clicks are two moves


def test_neither_a_link_nor_undo_while_the_computer_thinks_changes_the_game():
    take = hold("move")
    visit()
    drop(1)
    says("is thinking\u2026")
    first = take()
    tab.page.evaluate("location.hash = '#view=play&moves=1234'")
    sees("#notice", "Your own game waits under Play.")
    discs(4)
    move_to(first, 7)  # nobody waits for it
    go_to("play")
    says("is thinking\u2026")
    move_to(take(), 6)
    says("Your move.")
    plays("16")


def test_nothing_is_lost_where_the_browser_keeps_nothing():
    tab.page.add_init_script(DENY)
    opponent("34")
    visit()
    sees("#notice", "This browser keeps nothing here")
    open_menu("#dark")
    press("Escape")
    press("3")
    discs(2)
    lacks("#notice span")
    go_to("scores")
    go_to("play")
    discs(2)


def test_two_people_keep_names_and_score_over_rematches_and_get_no_hints():
    keep("own-games", [{"moves": OVER, "side": side, "names": ["Anna", "Ben"]} for side in (None, 0)])  # not in a row
    visit()
    click("#two-people")
    fill('label:has-text("Yellow\'s name") [placeholder=Yellow]', "Anna")
    fill('label:has-text("Red\'s name") [placeholder=Red]', "Ben")
    press("Tab")
    for number, column in enumerate("1212121"):
        says("Ben to move." if number % 2 else "Anna to move.")
        drop(int(column))
    says("Anna wins with four in a row.")
    sees("#mistakes", "mistake")
    lists("#standing-people", "Anna 1 : 0 Ben")
    lacks("#analyse, #hint")
    with beside():
        visit()
        go_to("games")
        click("#list-yours", "#games button")
        says("Anna wins with four in a row.")
    click("#swap")
    discs(0)
    for number, column in enumerate("1212121"):
        says("Anna to move." if number % 2 else "Ben to move.")
        drop(int(column))
    lists("#standing-people", "Ben 1 : 1 Anna")
    click("#rematch")
    for number, column in enumerate("121212"):
        says("Anna to move." if number % 2 else "Ben to move.")
        drop(int(column))
    with beside():
        visit()
        drop(1)
        lists("#standing-people", "Ben 2 : 1 Anna")
    drop(1)  # ended in two tabs, it is two games
    lists("#standing-people", "Ben 3 : 1 Anna")
