"""Watching a run, in a real browser against `python -m bot web`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bot.web import runs
from tests.course.journal.build import Hand
from tests.processes import running_bot
from tests.web.browser import OVER, discs, game, start, status, stop_clock
from tests.web.test_runs import open_run, play

from playwright.sync_api import Page, expect  # isort: skip

STEP_MS = 800
"""Least time between two moves of a live run."""


@pytest.fixture
def live(logs: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    """A run that has just begun, in a folder without any other."""
    monkeypatch.setattr(runs, "LIVE_S", runs.SILENT_S)  # the page may be slow to look
    for earlier in logs.glob("*.jsonl"):
        earlier.unlink()  # their streak would go on
    return open_run(logs, goal=2)


def test_a_quick_run_is_shown_slowly_enough_to_follow(page: Page, url: str, live: Hand) -> None:
    page.clock.install(time=0)
    start(page, url, view="watch")
    expect(page.locator("#watch-run")).to_contain_text("running now")
    expect(page.locator("aside h2").first).to_have_text("Live")
    stop_clock(page)
    play(live, 1, OVER[:6], we_started=True)
    expect(page.locator("#watch-games button")).to_have_count(1)
    page.clock.run_for(1)
    expect(page.locator("#slider")).to_have_attribute("max", "6")
    for count in range(6):
        expect(discs(page)).to_have_count(count)
        page.clock.run_for(STEP_MS - 2)
        expect(discs(page)).to_have_count(count)
        page.clock.run_for(2)
    expect(discs(page)).to_have_count(6)
    page.clock.resume()
    expect(page.locator("#live-pill")).to_be_disabled()
    for number in (1, 2, 3):
        game(live, number, OVER, 1.0, we_started=True)
    expect(page.locator("#watch-score")).to_have_text("Streak 3, goal 2: 3 won, 0 drawn, 0 lost in this run")
    expect(page.locator("#watch-games [aria-pressed=true]")).to_have_text("1 +")  # it is shown to its end
    expect(status(page)).to_have_text("Game 1: won.")
    expect(page.locator("#watch-games [aria-pressed=true]")).to_have_text("3 +")
    live.run_end("finished")
    live.close()
    page.locator("#live-pill").click()
    expect(status(page)).to_have_text("Game 3: won.")
    expect(page.locator("aside h2").first).to_have_text("The run has ended")
    expect(page.locator("#live-pill")).to_have_text("Newest game")
    page.locator("#projector").click()
    expect(page.locator("#projector-line")).to_have_text("Streak 3, goal 2")
    expect(page.locator("#projector-line")).to_be_in_viewport()
    page.keyboard.press("f")
    expect(page.locator("#projector-line")).to_be_hidden()


def test_nothing_that_arrives_interrupts_looking_back(page: Page, url: str, live: Hand) -> None:
    page.clock.install()
    play(live, 1, OVER[:8], we_started=True)
    start(page, url, view="watch")
    expect(discs(page)).to_have_count(8)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    live.game_end(1, 1.0, moves=OVER[:8], we_started=True, known_by="reply")
    game(live, 2, OVER, 1.0, we_started=True)
    with live.path.open("ab") as file:
        file.write(b"broken\n")
    expect(page.locator("#watch-games button")).to_have_count(2)
    expect(page.locator("#error")).to_contain_text("damaged")
    page.clock.run_for(2500)  # longer than any pause
    expect(discs(page)).to_have_count(6)
    expect(status(page)).to_have_text("Game 1: the bot to move.")
    expect(page.locator("#slider")).to_have_attribute("max", "8")
    page.locator("#live-pill").click()
    expect(discs(page)).to_have_count(len(OVER))
    expect(page.locator("#watch-games [aria-pressed=true]")).to_have_text("2 +")
    page.locator("#watch-games button").first.click()
    play(live, 3, OVER[:4], we_started=True)
    expect(page.locator("#watch-games button")).to_have_count(3)
    page.clock.run_for(2500)
    expect(status(page)).to_have_text("Game 1: won.")
    live.close()


@pytest.mark.slow
def test_a_running_play_is_watched_live(page: Page, url: str, logs: Path) -> None:
    for earlier in logs.glob("*.jsonl"):
        earlier.unlink()
    start(page, url, view="watch")
    command = ("play", "--games", "2", "--goal", "2", "--think", "0.05", "--seed", "1", "--opponent", "depth1")
    with running_bot(*command, "--logs", str(logs), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        expect(page.locator("#watch-score")).to_contain_text("Streak 2 of 2: 2 won", timeout=90_000)
        expect(page.locator("#watch-run")).to_contain_text("finished")
        expect(page.locator("#live")).to_contain_text("Game 2 won. Streak 2 of 2.")
        expect(page.locator("#graph svg .bar").first).to_be_attached()
        expect(page.locator("#streak i.on")).to_have_count(2)
        expect(status(page)).to_have_text("Game 2: won.")
        assert process.wait() == 0, process.communicate()
