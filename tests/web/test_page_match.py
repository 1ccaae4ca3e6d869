"""Two agents play each other, one game or a series, in a real browser."""

from __future__ import annotations

import json
import re

import pytest

from bot.game import Board, parse_moves
from tests.web.browser import column, discs, moves_of, start, status

from playwright.sync_api import Page, Request, expect  # isort: skip

SERIES = {"view": "match", "a": "random", "b": "depth", "bdepth": 2, "pace": 0}
FLOATING = """async () => {
  let most = 0;
  for (let frames = 0; frames < 40;) {
    await new Promise(requestAnimationFrame);
    const falls = document.getAnimations().filter(({ animationName }) => animationName === "fall");
    frames += falls.length > 0;
    most = Math.max(most, falls.length);
  }
  return most;
}"""
"""Returns how many discs fell at the same time, at most, in the next 40 frames in which one did."""


def requests(page: Page) -> list[dict[str, str]]:
    """Return a list to which the body of every later request for a move is added."""
    asked: list[dict[str, str]] = []

    def note(sent: Request) -> None:
        if sent.url.endswith("/api/move"):
            asked.append(json.loads(sent.post_data or "{}"))

    page.on("request", note)
    return asked


def test_a_series_swaps_the_starter_counts_right_and_is_kept_for_review(page: Page, url: str) -> None:
    asked = requests(page)
    start(page, url, **SERIES, series=2, plies=4)
    expect(page.locator("#run")).to_have_text("Run 2 games")
    page.keyboard.press(" ")
    expect(page.locator("#series-about")).to_contain_text("2 games played.")
    expect(page.locator("#run")).to_have_text("Run 2 games")
    played = json.loads(page.evaluate("localStorage.series"))["games"]
    games = [parse_moves(game["moves"]) for game in played]
    assert games[0][:4] == games[1][:4], "both begin with the same moves"
    winners = [Board.from_moves(game).winner for game in games]
    wanted = [
        sum((0.5 if winner is None else winner == side) for winner, side in zip(winners, sides, strict=True))
        for sides in ((1, 2), (2, 1))
    ]
    shown = page.locator("#series-score strong").all_text_contents()
    assert [float(text.replace("\u00bd", ".5")) for text in shown] == wanted
    agents = {game: {body["agent"] for body in asked if body["game"] == game} for game in {b["game"] for b in asked}}
    assert set(agents) == {f"{game['id']}-{seat}" for game in played for seat in (0, 1)}
    assert all(len(names) == 1 for names in agents.values()), "an object belongs to one game and seat"
    page.locator("#series-games button").first.click()
    expect(page.locator("#game-names")).to_have_text("random (yellow) \u2013 depth2 (red)")
    assert parse_moves(moves_of(page)) == games[0]
    page.reload()
    page.locator("#series-games button").nth(1).click()
    expect(page.locator("#game-names")).to_have_text("depth2 (yellow) \u2013 random (red)")
    page.locator("#find").click()
    expect(page.locator("#tab-review")).to_have_attribute("aria-current", "page")
    assert parse_moves(moves_of(page)) == games[1]
    page.locator("#place-runs").click()
    page.locator("#tab-replay").click()
    page.locator("#runs").select_option("series")
    expect(page.locator("#run-about")).to_contain_text("random \u2013 depth2")
    expect(page.locator("#games button")).to_have_count(2)


@pytest.mark.parametrize("page", [{"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}], indirect=True)
def test_a_series_waits_while_another_game_is_looked_at_and_can_be_stopped(page: Page, url: str) -> None:
    start(page, url, **SERIES, series=100, moves="44")  # more than can end before it is stopped
    page.locator("#run").click()
    expect(page.locator("#series-games button")).not_to_have_count(0)
    page.locator("#place-play").click()  # leaving the view pauses it
    expect(page.locator("#undo")).to_be_visible()
    page.locator("#place-agents").click()
    expect(page.locator("#run")).to_have_text("Go on")
    expect(page.locator("[data-field=a]")).to_be_disabled()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#series-games button").first.click()
    expect(status(page)).to_have_text(re.compile("wins|draw"))
    assert moves_of(page).startswith("44"), "the games begin with the position shown"
    put_running_game_at(page, "44")  # wherever it was paused, one step must not end it
    page.reload()
    page.locator("#step").click()
    expect(discs(page)).to_have_count(3)
    assert moves_of(page).startswith("44")
    page.locator("#stop").click()
    expect(page.locator("#notice")).to_have_text("The series is stopped.")
    expect(page.locator("#run")).to_have_text("Run 100 games")
    expect(discs(page)).to_have_count(0)
    expect(page.locator("[data-field=a]")).to_be_enabled()


def put_running_game_at(page: Page, moves: str) -> None:
    """Let the paused series go on from here when the page is loaded again."""
    page.evaluate(
        """(moves) => {
            const kept = JSON.parse(localStorage.series);
            localStorage.series = JSON.stringify({ ...kept, running: { id: "here", opening: moves, moves } });
        }""",
        moves,
    )


def test_a_game_is_stepped_set_up_by_hand_played_to_its_end_and_followed_by_another(page: Page, url: str) -> None:
    asked = requests(page)
    start(page, url, view="match", a="perfect", b="depth", bdepth=4, pace=0)
    page.locator("[data-field=b]").select_option("uct")
    number = page.get_by_label("Playouts per move")
    expect(number).to_have_value("")
    expect(number).to_have_attribute("placeholder", "1000")
    number.fill("20")
    number.blur()
    expect(page.locator("#game-names")).to_have_text("perfect (yellow) \u2013 uct:20 (red)")
    column(page, 1).click()
    page.keyboard.press("s")
    expect(discs(page)).to_have_count(2, timeout=600_000)  # the agent may have to be compiled
    page.locator("[data-field=b]").select_option("random")
    page.locator("#run").click()
    expect(page.locator("#run")).to_have_text("Rematch")
    first = {body["game"][:-2] for body in asked}
    page.locator("#run").click()
    expect(page.locator("#run")).to_have_text("Rematch")
    assert len(first) == 1 and len({body["game"][:-2] for body in asked}) == 2, "a rematch is another game"
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#run")).to_have_text("Run")


@pytest.mark.parametrize("page", [{"reduced_motion": "no-preference"}], indirect=True)
def test_discs_do_not_float_however_quick_the_agents_are(page: Page, url: str) -> None:
    start(page, url, view="match", a="random", b="random", series=50, pace=0)
    page.locator("#run").click()
    expect(page.locator("#series-games button")).not_to_have_count(0)
    assert page.evaluate(FLOATING) <= 2  # two moves may be drawn at once: the second waits for the first
    page.locator("#run").click()
