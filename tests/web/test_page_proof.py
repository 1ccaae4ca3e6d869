"""Scores with the games that came there; Proof, which plays against a person who tries to beat it."""

from __future__ import annotations

import re

import pytest

from tests.web.browser import (
    OVER,
    PHONE,
    click,
    counts,
    discs,
    drop,
    fill,
    go_to,
    lacks,
    lists,
    play_out,
    plays,
    press,
    run_of,
    says,
    sees,
    tab,
    visit,
)

REPLIES = "#proof-replies .reply"
UNEXPLAINED = "because the proof names this column here"
"""What the third edition said of moves that no rule explains."""

pytestmark = pytest.mark.usefixtures("tab")


def test_scores_show_where_the_games_went_that_came_to_the_position(logs):
    play_out(OVER)
    says("You win")
    run_of(logs, 1.0)
    visit("view=scores&moves=4443344")  # another order of its first moves
    lists("#visits .reply", re.compile("Column 3.*1 won", re.DOTALL))
    visit("view=games&run=live")
    counts(1, "#games button")
    go_to("scores")
    fill("#position", "444443")
    press("Enter")
    lists("#visits .reply", re.compile("Column 3.*2 won", re.DOTALL))
    for elsewhere in ("1", "344444"):  # the second one has its discs in other cells
        visit(f"view=scores&moves={elsewhere}")
        sees("#scores .best")
        lacks("#visits")
    fill("#position", OVER)
    press("Enter")
    sees("#mistakes")
    lacks("#visits")  # no game goes on from its end


def test_the_proof_answers_every_reply_and_wins_and_says_why():
    visit("view=proof&moves=")
    discs(1)
    sees("#panel p", "Yellow can always win. This list holds a stored answer to each of your moves.")
    counts(7, REPLIES)
    sees(REPLIES, re.compile(r"^\s*You 1\s+\u2192 it plays \d\s*$"))
    count = 1
    while tab.page.locator(f"{REPLIES}:enabled").count():
        discs(count)
        sees("#proof-text", re.compile(r"\b(wins|takes|makes|threatens)\b|After any other|Nobody can"))
        lacks(f"#proof-text:has-text('{UNEXPLAINED}')")
        tab.page.locator(f"{REPLIES}:enabled").first.press("Enter")
        count += 2
        discs(count)
        sees(f"{REPLIES}:enabled, #status-text:has-text('won')")
    says(f"The proof won in {count} moves. Empty board to try again.")
    counts(0, "#board .note")


@PHONE
def test_what_the_proof_says_follows_the_position():
    visit("view=proof&moves=41466")
    click(f"{REPLIES} >> nth=4")
    discs(7)
    sees("#proof-text", "Nobody can make four now")
    press("Home")
    discs(0)
    press("ArrowRight")
    sees("#proof-text", "Column 4 wins, whatever you play")


def test_the_proof_moves_second_or_when_it_is_asked_to():
    visit("view=proof&moves=")
    discs(1)
    click("label:has-text('second')")
    says("Your move: you begin.")
    drop(1)
    discs(2)
    says("Your move: the proof never loses.")
    plays(r"1\d")
    click("label:has-text('first')")
    visit("view=proof&moves=41")  # a game that came from elsewhere
    says("The proof plays column ")
    sees("#board .note.hint")
    click("#proof-move")
    discs(3)
    click("#undo")  # with its answer
    discs(1)
