"""Two agents play each other, one game or a series, in a real browser."""

from __future__ import annotations

import json
import re

import pytest

from bot.game import Board, parse_moves
from tests.web.browser import discs, moves_of, start, status

from playwright.sync_api import Page, expect  # isort: skip

SERIES = {"view": "match", "a": "random", "b": "depth", "bdepth": 2, "pace": 0}


def test_a_series_swaps_the_starter_counts_right_and_is_kept_for_review(page: Page, url: str) -> None:
    start(page, url, **SERIES, series=2, plies=6)
    expect(page.locator("#run")).to_have_text("Run 2 games")
    page.keyboard.press(" ")
    expect(page.locator("#series-about")).to_contain_text("2 games played.")
    expect(page.locator("#run")).to_have_text("Run 2 games")
    games = [parse_moves(game["moves"]) for game in json.loads(page.evaluate("localStorage.series"))["games"]]
    assert games[0][:6] == games[1][:6], "both begin with the same moves"
    winners = [Board.from_moves(game).winner for game in games]
    wanted = [
        sum((0.5 if winner is None else winner == side) for winner, side in zip(winners, sides, strict=True))
        for sides in ((1, 2), (2, 1))
    ]
    shown = page.locator("#series-score strong").all_text_contents()
    assert [float(text.replace("\u00bd", ".5")) for text in shown] == wanted
    page.locator("#series-games button").first.click()
    expect(page.locator("#game-names")).to_have_text("random (yellow) \u2013 depth2 (red)")
    assert parse_moves(moves_of(page)) == games[0]
    page.locator("#series-games button").nth(1).click()
    expect(page.locator("#game-names")).to_have_text("depth2 (yellow) \u2013 random (red)")
    expect(page.locator("#ending")).to_be_visible()
    page.locator("#review").click()
    expect(page.locator("#graph svg")).to_be_visible()
    expect(page.locator("#graph-side")).to_contain_text("random's view")
    page.reload()
    expect(page.locator("#series-games button")).to_have_count(2)
    page.locator("#tab-replay").click()
    page.locator("#runs").select_option("series")
    expect(page.locator("#run-about")).to_contain_text("random \u2013 depth2")
    expect(page.locator("#games button")).to_have_count(2)


@pytest.mark.parametrize("page", [{"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}], indirect=True)
def test_a_series_waits_while_another_game_is_looked_at_and_can_be_stopped(page: Page, url: str) -> None:
    start(page, url, **SERIES, series=100, moves="44")  # more than can end before it is stopped
    page.locator("#run").click()
    expect(page.locator("#series-games button")).not_to_have_count(0)
    page.locator("#run").click()
    expect(page.locator("#run")).to_have_text(re.compile(r"^Go on with game \d+$"))
    expect(page.locator("[data-field=a]")).to_be_disabled()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#series-games button").first.click()
    expect(page.locator("#ending")).to_be_visible()
    assert moves_of(page).startswith("44"), "the games begin with the position shown"
    put_running_game_at(page, "44")  # wherever it was paused, one step must not end it
    page.reload()
    page.locator("#step").click()
    expect(page.locator("#ending")).to_be_hidden()
    expect(discs(page).nth(2)).to_be_attached()
    assert moves_of(page).startswith("44")
    page.locator("#stop").click()
    expect(page.locator("#notice")).to_have_text("The series is stopped.")
    expect(page.locator("#run")).to_have_text("Run 100 games")
    expect(page.locator("[data-field=a]")).to_be_enabled()


def put_running_game_at(page: Page, moves: str) -> None:
    """Let the paused series go on from here when the page is loaded again."""
    page.evaluate(
        """(moves) => {
            const kept = JSON.parse(localStorage.series);
            localStorage.series = JSON.stringify({ ...kept, running: { opening: moves, moves } });
        }""",
        moves,
    )


def test_an_agents_number_is_called_what_it_is(page: Page, url: str) -> None:
    start(page, url, view="match", a="perfect", b="depth", bdepth=4)
    label, number = page.locator("[data-number=b]"), page.locator("[data-field=bdepth]")
    expect(page.locator("[data-number=a]")).to_have_text("Depth limit, plies")
    expect(label).to_have_text("Depth, plies")
    page.locator("[data-field=b]").select_option("uct")
    expect(label).to_have_text("Playouts per move")
    expect(number).to_have_value("")
    expect(number).to_have_attribute("placeholder", "1000")
    number.fill("200")
    page.locator("#run").click()
    expect(discs(page).nth(1)).to_be_attached(timeout=600_000)  # the agent may have to be compiled
    expect(page.locator("#game-names")).to_have_text("perfect (yellow) \u2013 uct:200 (red)")
    expect(page.locator("#error")).to_be_hidden()


@pytest.mark.slow
def test_two_agents_play_each_other_stepped_and_running(page: Page, url: str) -> None:
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url) if "/api/move" in sent.url else None)
    page.clock.install()
    start(page, url, view="match", a="random", b="depth", bdepth=2)
    page.locator("#step").click()
    expect(discs(page)).to_have_count(1)
    page.keyboard.press("s")
    expect(discs(page)).to_have_count(2)
    page.locator("#run").click()
    expect(discs(page).nth(3)).to_be_attached()
    page.locator("#run").click()
    expect(page.locator("#run")).to_have_text("Run")
    expect(status(page)).to_contain_text("to move")
    count = len(asked)
    page.clock.fast_forward(10_000)
    expect(discs(page)).to_have_count(count)
    assert len(asked) == count, "a pause is a pause"
    page.locator("#run").click()
    expect(page.locator("#run")).to_have_text("Run again", timeout=60_000)
    expect(status(page)).to_have_text(re.compile("wins|draw"))
