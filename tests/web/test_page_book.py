"""Book and Proof: trees, walked by mouse and keys; the proof plays against a person who tries to beat it."""

from __future__ import annotations

import re

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


def test_the_book_is_walked_as_a_tree_with_the_games_that_went_there(logs):
    run_of(logs, 1.0)
    answer("explore")
    visit("view=book&moves=")
    sees("#error", "does not respond")
    tab.page.unroute_all()  # what a server did not answer is asked of the next one
    sees("#scores > :nth-child(4).win.best", "win in 21")
    counts(4, "#scores .loss")
    lists("#replies .reply", re.compile(r"Column 4\s+1 game of the bot: 1 won\s*$"))
    lacks("#games-here")
    top = tab.page.locator("#scores").bounding_box()
    tab.page.locator("#replies .reply").press("Enter")
    discs(1)
    counts(7, "#scores .loss")
    assert tab.page.locator("#scores").bounding_box() == top, "nothing moves"
    lists("#games-here-about", re.compile("1 game of the bot: 1 won\\."))
    go_to("scores")
    discs(1)  # the same board
    sees("#scores > :nth-child(4).loss.best")
    go_to("book")
    sees("#games-here button", re.compile(r"perfect . The server's bot\s*won\s*\d+ \w+ \d+, \d\d:\d\d, game 1"))
    click("#games-here button")
    sees("body[data-view=games]")
    plays(OVER)
    go_to("book")
    drop(4)
    discs(2)  # the board of Study has waited
    lacks("#error span")
    tab.faults.clear()


def test_each_reply_is_said_once_and_ones_own_games_are_counted():
    play_out(OVER)
    says("You win")
    visit("view=book&moves=4445544")  # the mirror image of another order of its first moves
    counts(7, "#scores .score:text-matches('win|loss|draw')")
    lacks("#panel :text-matches('(win|loss) in')")
    lists("#replies .reply", re.compile("Column 5.*1 game of yours: 1 won", re.DOTALL))
    sees("#games-here-about", "1 game of yours: 1 won")
    click("#games-here button:has-text('Yours, game 1')")
    plays(OVER)
    visit(f"view=book&moves={OVER}")
    sees("#book-about", "The game is over.")


def test_the_proof_answers_every_reply_and_wins_and_says_why():
    visit("view=proof&moves=")
    discs(1)
    counts(7, REPLIES)
    sees(REPLIES, re.compile(r"answer \d\s*$"))
    count = 1
    while tab.page.locator(f"{REPLIES}:enabled").count():
        discs(count)
        sees("#proof-text", re.compile(r"\b(wins|takes|makes|threatens)\b|After any other|Nobody can"))
        lacks(f"#proof-text:has-text('{UNEXPLAINED}')")
        tab.page.locator(f"{REPLIES}:enabled").first.press("Enter")
        count += 2
        discs(count)
        sees(f"{REPLIES}:enabled, #status-text:has-text('wins')")
    says("Yellow wins with four in a row.")
    counts(0, "#board .note")


@PHONE
def test_what_the_proof_says_follows_the_position():
    visit("view=proof&moves=41466")
    click(f"{REPLIES} >> nth=4")
    discs(7)
    sees("#proof-text", "fixed order of the cells")
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
    click("#new")
    discs(0)
    tab.page.get_by_label("It moves by itself").click()
    click("label:has-text('first')")
    says("The proof plays column 4.")
    sees("#board [data-hint='3']")
    click("#proof-move")
    discs(1)
