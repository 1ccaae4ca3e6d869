"""The explorer of the opening book, and the proof that a person tries to beat: trees, walked by mouse and keys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.web.browser import (
    OVER,
    PHONE,
    answer,
    click,
    counts,
    discs,
    drop,
    go_to,
    lacks,
    plays,
    press,
    run_of,
    says,
    sees,
    tab,
    visit,
)

REPLIES = "#proof-replies .reply"

pytestmark = pytest.mark.usefixtures("tab")


def test_the_book_is_walked_as_a_tree_with_the_games_that_went_there(logs: Path) -> None:
    run_of(logs, 1.0)
    visit(view="explorer", moves="")
    counts(7, "#replies .reply")
    sees("#replies .reply.win.best", "1 won")
    sees("#scores > :nth-child(4).win.best", "+1")
    counts(4, "#scores .loss")
    lacks("h2:has-text('Games')")
    top = tab.page.locator("#scores").bounding_box()
    tab.page.locator("#replies .best").press("Enter")
    discs(1)
    counts(7, "#scores .loss")
    assert tab.page.locator("#scores").bounding_box() == top, "nothing moves"
    sees("#games-here-about", "1 game of the journals came here: 1 won")
    go_to("analysis")
    discs(1)  # the same board
    sees("#scores > :nth-child(4).loss.best")
    go_to("explorer")
    click("#games-here button")
    discs(1)
    plays(OVER)
    press("End")
    sees("#book-about", "The game is over.")


def test_what_a_server_did_not_answer_is_asked_of_the_next_one() -> None:
    answer("explore")
    visit(view="explorer", moves="")
    sees("#error", "does not respond")
    tab.page.unroute_all()
    counts(7, "#replies .reply")
    lacks("#error")
    tab.faults.clear()


def test_the_proof_answers_every_reply_and_wins() -> None:
    visit(view="proof", moves="")
    counts(7, REPLIES)
    sees("#proof-text", "Play column 4 now, because")
    sees(REPLIES, re.compile(r"answer \d\s+[\d,]+ entries"))
    count = 1
    while tab.page.locator(f"{REPLIES}:enabled").count():
        discs(count)
        tab.page.locator(f"{REPLIES}:enabled").first.press("Enter")
        count += 2
        discs(count)
        sees(f"{REPLIES}:enabled, #status-text:has-text('wins')")
    says("Yellow wins with four in a row.")
    counts(0, "#board .note")


@PHONE
def test_a_diagram_is_drawn_over_the_board_and_entries_are_counted() -> None:
    visit(view="proof", moves="4144473")
    click(f"{REPLIES} >> nth=0")
    discs(9)
    counts(33, "#board .note")
    sees("#proof-text", "fixed order of the cells")
    press("Home")
    discs(0)
    press("ArrowRight")
    sees("#proof-text", "Play column 4 now")
    visit(view="proof", moves="47414")
    sees(REPLIES, re.compile(r"\b1 entry\b"))
    click(f"{REPLIES} >> nth=0")
    sees("#proof-text", "1 entry of the proof follows from here.")


def test_the_proof_as_the_second_player() -> None:
    visit(view="proof", moves="", prover="second")
    says("The proof plays first, or you do.")
    drop(1)
    discs(2)
    says("Your move: the proof never loses.")
    plays(r"1\d")
    click("#new")
    discs(0)
    click("label:has-text('first')")
    discs(1)
