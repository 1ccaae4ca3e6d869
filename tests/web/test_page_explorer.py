"""The explorer in a real browser: by mouse and by keys, with games of journals and of this browser."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.browser import OVER, discs, game, moves_of, start
from tests.web.test_runs import open_run

from playwright.sync_api import Page, expect  # isort: skip


def test_the_book_is_walked_as_a_tree_with_the_games_that_went_there(page: Page, url: str, logs: Path) -> None:
    journal = open_run(logs)
    game(journal, 1, OVER, 1.0, we_started=True)
    journal.run_end("finished")
    journal.close()
    start(page, url, view="explorer", moves="")
    replies = page.locator("#replies .reply")
    expect(replies).to_have_count(7)
    expect(page.locator("#book-about")).to_contain_text("In the opening book")
    expect(replies.nth(3)).to_have_class(re.compile("win best"))
    expect(replies.nth(3)).to_contain_text("1 won")
    expect(page.get_by_role("heading", name="Games")).to_have_count(0)
    replies.nth(3).focus()
    page.keyboard.press("Enter")
    expect(discs(page)).to_have_count(1)
    expect(page.get_by_role("heading", name="Games")).to_be_visible()
    expect(page.locator("#games-here-about")).to_have_text(re.compile("^1 game of the journals came here: 1 won"))
    page.locator("#games-here button").click()
    expect(page.locator("#game-title")).to_contain_text("Game 1 of")
    expect(discs(page)).to_have_count(1)
    assert moves_of(page) == OVER
    page.keyboard.press("End")
    expect(page.locator("#book-about")).to_have_text("The game is over.")
    expect(replies).to_have_count(0)


def test_the_columns_have_the_colours_of_their_outcomes_and_the_analysis_has_the_same_board(
    page: Page, url: str
) -> None:
    start(page, url, view="explorer", moves="")
    scores = page.locator("#scores .score")
    expect(scores.nth(3)).to_have_class(re.compile("win best"))
    expect(scores.nth(3)).to_contain_text("+1")
    expect(page.locator("#scores .win")).to_have_count(1)
    expect(page.locator("#scores .loss")).to_have_count(4)
    top = scores.first.bounding_box()
    page.keyboard.press("4")
    expect(scores.nth(3)).to_have_class(re.compile("loss best"))
    expect(page.locator("#scores .loss")).to_have_count(7)
    assert scores.first.bounding_box() == top, "nothing moves"
    page.locator("#tab-analysis").click()
    expect(discs(page)).to_have_count(1)
    expect(scores.nth(3)).to_have_class(re.compile("loss best"))


def test_what_a_server_did_not_answer_is_asked_of_the_next_one(page: Page, url: str, faults: list[str]) -> None:
    page.route("**/api/explore", lambda route: route.abort())
    start(page, url, view="explorer", moves="")
    expect(page.locator("#error")).to_contain_text("does not respond")
    page.unroute("**/api/explore")
    expect(page.locator("#replies .reply")).to_have_count(7)
    expect(page.locator("#error")).to_be_hidden()
    faults.clear()
