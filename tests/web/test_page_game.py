"""One game through all views: it follows the tabs, is reviewed at its end, and a game waiting is not lost."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.browser import LATE, OVER, column, discs, game, moves_of, start, status
from tests.web.test_runs import grid, open_run

from playwright.sync_api import Page, expect  # isort: skip


def views(page: Page, *names: str) -> None:
    for name in names:
        page.locator(f"#tab-{name}").click()
        expect(page.locator(f"#panel-{name}")).to_be_visible()


def test_the_game_follows_into_every_view_and_back(page: Page, url: str) -> None:
    start(page, url, agent="random", fixed=1)
    for number in (1, 2):
        column(page, 4).click()
        expect(discs(page)).to_have_count(2 * number)
    moves = moves_of(page)
    for name in ("analysis", "watch", "replay", "match", "play"):
        views(page, name)
        expect(discs(page)).to_have_count(4)
        assert moves_of(page) == moves, name
    expect(status(page)).to_contain_text("Your move")
    column(page, 4).click()
    expect(discs(page)).to_have_count(6)


def test_a_variation_tried_in_the_analysis_keeps_the_game(page: Page, url: str) -> None:
    start(page, url, agent="random", fixed=1)
    column(page, 4).click()
    expect(discs(page)).to_have_count(2)
    moves = moves_of(page)
    views(page, "analysis")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("7" if moves[1] != "7" else "1")
    page.keyboard.press("3")
    expect(page.locator("#moves .tried")).to_have_count(2)
    expect(page.locator("#variation")).to_be_visible()
    page.locator("#to-game").click()
    expect(page.locator("#moves .tried")).to_have_count(0)
    page.keyboard.press("3")
    views(page, "play")
    expect(discs(page)).to_have_count(2)
    assert moves_of(page) == moves
    expect(status(page)).to_contain_text("Your move")


def test_a_finished_game_is_summed_up_reviewed_and_played_again(page: Page, url: str) -> None:
    start(page, url, moves=LATE[:-1] + "5", view="play", human=0, agent="random", patience=60)
    expect(page.locator("#ending")).to_be_hidden()
    start(page, url, moves=OVER, view="play", human=0, agent="random", patience=60)
    expect(page.locator("#result")).to_have_text("You won")
    expect(page.locator("#accuracy div").first).to_have_text(re.compile(r"^You100 %$"))
    expect(page.locator("#accuracy div").nth(1)).to_contain_text(re.compile(r"random\d+ %"))
    page.locator("#review-game").click()
    expect(page.locator("#panel-analysis")).to_be_visible()
    expect(page.locator("#graph svg [data-mistake]").first).to_be_attached()
    expect(page.locator("#ending")).to_be_visible()
    page.locator("#graph .pick[data-ply='12']").click()
    expect(discs(page)).to_have_count(12)
    expect(page.locator("#eval")).to_have_attribute("aria-label", "Evaluation: yellow wins")
    page.locator("#swap").click()
    expect(status(page)).to_have_text("Your move: you are red.")
    expect(discs(page)).to_have_count(1)
    page.locator("#tab-replay").click()
    page.locator("#runs").select_option("own")
    expect(page.locator("#games button")).to_have_text("1 +")
    expect(page.locator("#game-names")).to_have_text("You (yellow) – random (red)")
    page.locator("#resume").click()
    expect(discs(page)).to_have_count(1)
    expect(status(page)).to_contain_text("Your move")


def test_a_turning_point_can_be_played_again(page: Page, url: str) -> None:
    start(page, url, moves="12131415"[:7], view="analysis", patience=60)  # yellow wins at once: red never answered
    expect(page.locator("#ending")).to_be_visible()
    page.locator("#review").click()
    retry = page.locator("#turns button.small").last
    expect(retry).to_be_visible()
    retry.click()
    expect(page.locator("#panel-play")).to_be_visible()
    expect(page.locator("#notice")).to_contain_text("Find a better move for red")
    expect(status(page)).to_contain_text("Your move")
    assert moves_of(page) in "12131", "the moves from the mistake on are gone"


def test_a_live_run_takes_the_board_and_the_own_game_waits(page: Page, url: str, logs: Path) -> None:
    start(page, url, agent="random", fixed=1)
    column(page, 4).click()
    expect(discs(page)).to_have_count(2)
    moves = moves_of(page)
    journal = open_run(logs)
    journal.intent(1, -1, 0)
    journal.reply(1, status=True, msg="", botmove=-1, result=0, state=grid("1", False))
    page.locator("#tab-watch").click()
    expect(discs(page)).to_have_count(1)
    journal.intent(1, 3, 1, score=0.0, proven=True, move_s=1.5)
    journal.reply(1, status=True, botmove=3, result=0, state=grid("1444"[:3], False))
    expect(discs(page)).to_have_count(3)
    page.keyboard.press("ArrowLeft")  # an earlier position stays on the board while the game goes on
    expect(discs(page)).to_have_count(2)
    journal.run_end("interrupted")
    journal.close()
    page.locator("#resume").click()
    expect(discs(page)).to_have_count(2)
    assert moves_of(page) == moves


def test_aborted_runs_are_skipped_and_defeats_and_slow_moves_found(page: Page, url: str, logs: Path) -> None:
    journal = open_run(logs)
    game(journal, 1, OVER, 1.0, we_started=True)
    game(journal, 2, OVER, -1.0, we_started=False)
    journal.intent(3, 3, 0, score=0.0, proven=True, move_s=2.5)
    journal.reply(3, status=True, botmove=3, result=0, state=grid("44", True))
    journal.game_end(3, -10.0, moves="44", we_started=True, known_by="reply")
    journal.run_end("finished")
    journal.close()
    failed = open_run(logs)
    failed.run_end("error", error="The connection is refused.")
    failed.close()
    start(page, url, view="replay")
    expect(page.locator("#runs")).to_have_value(journal.path.name)
    page.locator("[data-field=filter]").select_option("defeats")
    expect(page.locator("#games button")).to_have_text(["2 −", "3 −"])
    page.locator("[data-field=slow]").select_option("2")
    expect(page.locator("#games button")).to_have_text(["3 −"])
    start(page, url, view="watch")
    expect(page.locator("#watch-score")).to_contain_text("1 won, 0 drawn, 2 lost")
