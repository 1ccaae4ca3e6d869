"""The proof on the page: a person tries to beat it, by mouse and by keys, in a real browser."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from bot.game import Board, format_moves
from bot.proof.explain import proof_json
from tests.web.browser import column, discs, moves_of, start, status

from playwright.sync_api import Page, expect  # isort: skip


def games() -> Iterator[tuple[tuple[int, ...], dict[str, Any]]]:
    """Yield positions after moves of the proof in random games against it, with the replies, without end."""
    columns: tuple[int, ...] = (3,)
    chance = random.Random(1)
    while True:
        replies = proof_json(columns)["replies"]
        yield from ((columns, reply) for reply in replies if not reply["ends"])
        reply = chance.choice([one for one in replies if not one["ends"]])
        columns = (*columns, reply["column"], reply["answer"])
        if Board.from_moves(columns).is_over:
            columns = (3,)


def path_to_a_diagram() -> tuple[tuple[int, ...], int]:
    """Return a game up to a move of the proof, and the reply to it after which a diagram decides."""
    for columns, reply in games():
        choice = reply["column"]
        move = proof_json((*columns, choice))["move"] if reply["diagram"] else None
        if move and move["order"] and not Board.from_moves((*columns, choice, move["column"])).is_over:
            return columns, choice
    raise AssertionError


def test_the_proof_answers_every_reply_and_wins(page: Page, url: str) -> None:
    start(page, url, view="proof", moves="")
    expect(discs(page)).to_have_count(1)
    expect(page.locator("#proof-replies .reply")).to_have_count(7)
    expect(page.locator("#proof-text")).to_contain_text("Play column 4 now, because")
    expect(page.locator("#proof-replies .reply").first).to_contain_text(re.compile(r"answer \d\s+[\d,]+ entries"))
    for number in range(2, 22):
        page.locator("#proof-replies .reply:not([disabled])").first.focus()
        page.keyboard.press("Enter")
        expect(discs(page)).to_have_count(2 * number - 1)
        if "wins with" in (status(page).text_content() or ""):
            break
        expect(page.locator("#proof-replies-head")).to_be_visible()
    expect(status(page)).to_have_text("Yellow wins with four in a row.")
    expect(page.locator("#board .note")).to_have_count(0)


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}], indirect=True)
def test_a_diagram_is_drawn_over_the_board_and_another_path_can_be_taken(page: Page, url: str) -> None:
    columns, reply = path_to_a_diagram()
    start(page, url, view="proof", moves=format_moves(columns))
    page.locator(f"#proof-replies .reply[aria-label^='Reply {reply + 1}:']").click()
    expect(discs(page)).to_have_count(len(columns) + 2)
    expect(page.locator("#board .note")).to_have_count(42 - len(columns) - 2)
    expect(page.locator("#proof-text")).to_contain_text("fixed order of the cells")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.keyboard.press("Home")
    expect(discs(page)).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#proof-text")).to_contain_text("Play column 4 now")
    expect(page.locator("#proof-replies .reply")).to_have_count(7)
    page.locator("#place-play").click()
    expect(page.locator("#board .note")).to_have_count(0)


def test_the_proof_as_the_second_player(page: Page, url: str) -> None:
    start(page, url, view="proof", moves="", prover="second")
    expect(status(page)).to_contain_text("The proof plays first, or you do.")
    column(page, 1).click()
    expect(discs(page)).to_have_count(2)
    expect(status(page)).to_contain_text("Your move: the proof never loses.")
    assert moves_of(page).startswith("1")
    page.locator("#new").click()
    expect(discs(page)).to_have_count(0)
    page.get_by_text("first", exact=True).click()
    expect(discs(page)).to_have_count(1)


def test_a_single_entry_is_one_entry(page: Page, url: str) -> None:
    columns, reply = next(
        (columns, reply) for columns, reply in games() if reply["entries"] == 1 and not reply["diagram"]
    )
    start(page, url, view="proof", moves=format_moves(columns))
    entry = page.locator(f"#proof-replies .reply[aria-label^='Reply {reply['column'] + 1}:']")
    expect(entry).to_contain_text("1 entry")
    entry.click()
    expect(page.locator("#proof-text")).to_contain_text("1 entry of the proof follows from here.")
