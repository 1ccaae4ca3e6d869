"""Games on the views' own boards: the own game is always back, variations, links, the end, and the guided review."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.web.browser import LATE, LOST, OVER, column, discs, game, moves_of, share, start, status, view
from tests.web.test_runs import open_run

from playwright.sync_api import Page, expect  # isort: skip

OWN_GAMES = "JSON.parse(localStorage.getItem('own-games') ?? '[]').length"


def play_two(page: Page, url: str) -> str:
    """Play one move against a random opponent; return the game's two moves."""
    start(page, url, agent="random", fixed=1)
    column(page, 4).click()
    expect(discs(page)).to_have_count(2)
    return moves_of(page)


def test_each_view_has_its_board_and_the_own_game_is_always_back(page: Page, url: str) -> None:
    moves = play_two(page, url)
    for name in ("analysis", "proof", "watch", "replay", "match"):
        view(page, name)
        expect(discs(page)).to_have_count(0)
    view(page, "analysis")
    column(page, 1).click()
    page.reload()
    expect(discs(page)).to_have_count(1)
    view(page, "play")
    assert moves_of(page) == moves
    column(page, 4).click()
    expect(discs(page)).to_have_count(4)
    page.go_back()
    expect(discs(page)).to_have_count(1)
    page.go_forward()
    expect(discs(page)).to_have_count(4)


def test_a_game_that_is_analysed_has_variations_and_stays_as_it_was_played(page: Page, url: str) -> None:
    moves = play_two(page, url)
    page.locator("#analyse").click()
    page.keyboard.press("ArrowLeft")
    other = "7" if moves[1] != "7" else "1"
    page.keyboard.press(other)
    page.keyboard.press("3")
    expect(page.locator("#moves .tried")).to_have_text([other, "3"])
    page.locator("#to-game").click()
    expect(page.locator("#moves .tried")).to_have_count(0)
    page.locator("#moves button").last.click()
    expect(discs(page)).to_have_count(2)
    page.keyboard.press("Home")
    page.keyboard.press(moves[0])
    expect(page.locator("#moves button")).to_have_count(2)  # a move of the game leads along it
    page.locator("#play-on").click()
    page.locator("#resume").click()
    assert moves_of(page) == moves
    expect(status(page)).to_contain_text("Your move")


def test_a_replayed_loss_is_reviewed_from_our_first_mistake_on(page: Page, url: str, logs: Path) -> None:
    journal = open_run(logs)
    game(journal, 1, LOST, -1.0, we_started=False)
    journal.close()
    start(page, url, view="replay")
    expect(discs(page)).to_have_count(len(LOST))
    page.locator("#find").click()
    expect(page.locator("#guide-head")).to_have_text("Mistake 1 of 3, your move 6")
    expect(discs(page)).to_have_count(5)


def test_somebodys_link_takes_no_game_away_and_counts_as_none(page: Page, url: str) -> None:
    moves = play_two(page, url)
    page.goto(f"{url}/#view=play&moves={OVER}")
    expect(page.locator("#notice")).to_have_text("Your own game waits under Play.")
    expect(page.locator("#tab-analysis")).to_have_attribute("aria-current", "page")
    expect(discs(page)).to_have_count(len(OVER))
    view(page, "play")
    assert moves_of(page) == moves
    fresh = page.context.new_page()
    start(fresh, url, view="play", moves=OVER)
    fresh.locator("#rematch").wait_for()
    assert fresh.evaluate(OWN_GAMES) == 0


def test_what_is_played_to_its_end_counts_once(page: Page, url: str) -> None:
    start(page, url, agent="random", fixed=1)
    for _ in range(21):
        if page.locator("#rematch").count():
            break
        before = discs(page).count()
        page.locator("#columns button:enabled").first.click()
        expect(discs(page).nth(before + 1).or_(page.locator("#rematch")).first).to_be_attached()
        expect(page.locator("#status:not(.thinking)")).to_be_attached()
    page.reload()
    expect(page.locator("#accuracy strong").first).to_have_text(re.compile(r"\d+ %"))
    assert page.evaluate(OWN_GAMES) == 1
    page.locator("#swap").click()
    expect(page.locator("#ending")).to_have_count(0)
    expect(discs(page)).to_have_count(1)
    expect(status(page)).to_have_text("Your move: you are red.")
    view(page, "review")
    page.locator("#own-games button").first.click()
    expect(page.locator("#guide-head")).to_have_text(re.compile(r"Mistake 1 of \d+, your move|Review"))


def test_the_end_says_how_well_both_have_played_and_shows_the_score(page: Page, url: str) -> None:
    start(page, url, moves=OVER, view="play", human=0, agent="random")
    expect(page.locator("#accuracy div")).to_have_text([re.compile(r"^You\s*100 %$"), re.compile(r"^random\s*\d+ %$")])
    assert share(page) == pytest.approx(0.975, abs=0.01)
    expect(page.locator("#moves button").nth(11)).to_contain_text("1?")
    expect(page.locator("#moves button").nth(11)).to_contain_text("\u221214")
    page.locator("#graph .pick[data-ply='12']").click()
    expect(discs(page)).to_have_count(12)
    expect(page.locator("#eval")).to_have_attribute("aria-label", "Evaluation: yellow wins")
    for key, plies in (("M", 12), ("m", 12)):
        page.keyboard.press("Home" if key == "m" else "End")
        page.keyboard.press(key)
        expect(discs(page)).to_have_count(plies)


@pytest.mark.parametrize("how", ["#review", "#find"])
def test_the_review_asks_about_own_mistakes_and_marks_survive_a_reload(page: Page, url: str, how: str) -> None:
    start(page, url, moves=LOST, view="play", human=1, agent="random")
    page.locator(how).click()
    head, text = page.locator("#guide-head"), page.locator("#guide-text")
    expect(head).to_have_text("Mistake 1 of 3, your move 6")
    expect(discs(page)).to_have_count(5)
    expect(page.locator("#game")).to_have_count(0)  # all else steps back
    page.keyboard.press("1")
    expect(text).to_contain_text("Column 1 is not it: loss in 15.")
    expect(discs(page)).to_have_count(5)
    page.keyboard.press("4")
    expect(text).to_contain_text("Right, column 4.")
    expect(text).to_contain_text("Perfect play on column 7: gave the win away: now lost")
    expect(text.locator(".reason")).to_contain_text(re.compile("Allowed:|Missed:"))
    page.reload()
    expect(head).to_have_text("Moment 2 of 3, your move 22")
    page.locator("#guide-show").click()
    expect(text).to_contain_text("Better: column 1.")
    page.locator("#guide-next").click()
    expect(head).to_have_text("Mistake 3 of 3, your move 24")
    page.locator("#guide-skip").click()
    expect(text).to_have_text("You have seen all 3 mistakes; you found a better move for 1.")


def test_a_game_is_played_on_from_a_position_and_the_own_one_waits(page: Page, url: str) -> None:
    page.add_init_script("delete Crypto.prototype.randomUUID")  # as on a page that comes over an open network
    moves = play_two(page, url)
    view(page, "analysis")
    page.locator("#position").fill(LATE)
    page.keyboard.press("Enter")
    page.locator("#play-on").click()
    expect(status(page)).to_contain_text("Your move")
    assert moves_of(page) == LATE
    page.locator("#resume").click()
    assert moves_of(page) == moves
    expect(page.locator("#resume")).to_have_count(0)
