"""Replaying and watching journals, in a real browser against `python -m bot web`."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from bot.web import runs
from tests.processes import running_bot
from tests.web.browser import OVER, discs, game, start, status
from tests.web.test_runs import grid, open_run

from playwright.sync_api import Page, expect  # isort: skip


def test_a_run_is_replayed_filtered_linked_and_saved(page: Page, url: str, logs: Path) -> None:
    journal = open_run(logs)
    game(journal, 1, OVER, 1.0, we_started=True)
    game(journal, 2, OVER, -1.0, we_started=False)
    journal.run_end("finished")
    journal.close()
    start(page, url, view="replay", run=journal.path.name, patience=60)
    expect(page.locator("#games button")).to_have_count(2)
    expect(status(page)).to_have_text("The bot wins with four in a row.")
    expect(page.locator("#graph svg")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(discs(page)).to_have_count(14)
    page.keyboard.press("Home")
    expect(discs(page)).to_have_count(0)
    page.locator("#slider").fill("3")
    expect(discs(page)).to_have_count(3)
    page.locator("#games button").nth(1).focus()
    page.keyboard.press("Enter")
    expect(status(page)).to_have_text("The opponent wins with four in a row.")
    expect(page.locator("#games button").nth(1)).to_be_focused()
    page.locator("[data-field=filter]").select_option("won")
    expect(page.locator("#games button")).to_have_count(1)
    page.locator("[data-field=filter]").select_option("lost")
    expect(page.locator("#games button")).to_have_text("2 −")
    page.locator("#review").click()
    expect(page.locator("[data-mistake='12']")).to_have_count(1)
    page.locator("#save summary").click()
    with page.expect_download() as download:
        page.locator("#save-text").click()
    assert f"Moves: {OVER}\nX wins." in Path(download.value.path()).read_text()
    page.locator("#save summary").click()
    with page.expect_download() as download:
        page.locator("#save-svg").click()
    drawing = Path(download.value.path()).read_text()
    assert drawing.startswith("<svg") and drawing.count("<circle") > 15 and "class" not in drawing
    page.reload()
    expect(page.locator("#games button")).to_have_count(1)
    page.goto(f"{url}/#moves=4455")
    expect(page.locator("#tab-analysis")).to_have_attribute("aria-selected", "true")
    expect(discs(page)).to_have_count(4)


def test_what_the_journal_proves_is_marked_at_once(page: Page, url: str, logs: Path) -> None:
    journal = open_run(logs)
    scores = {0: 0.0, 2: 14.0, 4: 14.0}
    journal.reply(1, status=True, msg="", botmove=-1, result=0, state=grid("", True))
    for ply, score in scores.items():
        journal.intent(1, 3, ply, score=score, proven=True, move_s=0.1, source="solver")
        journal.reply(1, status=True, botmove=3, result=0, state=grid("444444"[: ply + 2], True))
    journal.run_end("interrupted")
    journal.close()
    start(page, url, view="replay", run=journal.path.name)
    expect(page.locator("#graph [data-mistake='2']")).to_have_count(1)
    expect(page.locator("#moves .grave button")).to_have_text("4??")
    expect(page.locator("#moves .grave button")).to_have_attribute("title", re.compile("gave the draw away"))


def test_the_newest_run_with_games_is_shown_first(page: Page, url: str, logs: Path) -> None:
    played, failed = open_run(logs), open_run(logs)
    game(played, 1, OVER, 1.0, we_started=True)
    for journal in (played, failed):
        journal.run_end("error", error="The connection is refused.")
        journal.close()
    start(page, url, view="replay")
    expect(page.locator("#runs")).to_have_value(played.path.name)
    expect(page.locator(f"#runs option[value='{failed.path.name}']")).to_have_count(0)
    expect(status(page)).to_have_text("The bot wins with four in a row.")


def test_a_damaged_journal_is_one_sentence_and_the_others_are_there(
    page: Page, url: str, logs: Path, faults: list[str]
) -> None:
    (logs / "zz-bad.jsonl").write_text("garbage\n")
    journal = open_run(logs)
    game(journal, 1, OVER, 1.0, we_started=True)
    journal.run_end("interrupted")
    with journal.path.open("ab") as file:
        file.write(b'{"type": "int')  # a line that is being written
    start(page, url, view="replay", run="zz-bad.jsonl")
    expect(page.locator("#error")).to_contain_text("zz-bad.jsonl is not a journal")
    expect(status(page)).to_have_text("Choose a run and a game.")
    page.locator("#runs").select_option(journal.path.name)
    expect(page.locator("#error")).to_be_hidden()
    expect(status(page)).to_have_text("The bot wins with four in a row.")
    journal.close()
    (logs / "zz-bad.jsonl").unlink()
    faults.clear()  # the damaged journal's refusal


@pytest.mark.slow
def test_a_running_play_is_watched_live(page: Page, url: str, logs: Path) -> None:
    for earlier in logs.glob("*.jsonl"):
        earlier.unlink()  # their streak would go on
    start(page, url, view="watch")
    command = ("play", "--games", "2", "--goal", "2", "--think", "0.05", "--seed", "1", "--opponent", "depth1")
    with running_bot(*command, "--logs", str(logs), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        expect(page.locator("#watch-score")).to_contain_text("Streak 2 of 2: 2 won", timeout=90_000)
        expect(page.locator("#watch-run")).to_contain_text("finished")
        expect(page.locator("#graph svg .bar").first).to_be_attached()
        expect(page.locator("#streak i.on")).to_have_count(2)
        expect(status(page)).to_have_text("Game 2: won.")
        expect(page.locator("#live")).to_contain_text("Game 2 won. Streak 2 of 2.")
        expect(page.locator("#watch-games button")).to_have_count(2)
        page.locator("#watch-games button").first.click()
        expect(status(page)).to_have_text("Game 1: won.")
        assert process.wait() == 0, process.communicate()


def test_a_growing_journal_is_followed_move_by_move(
    page: Page, url: str, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "LIVE_S", runs.SILENT_S)  # the page may be slow to look
    start(page, url, view="watch")
    journal = open_run(logs, goal=20)
    expect(page.locator("#watch-run")).to_contain_text("running now")
    journal.intent(1, -1, 0)
    journal.reply(1, status=True, msg="", botmove=-1, result=0, state=grid("", True))
    for ply in range(0, 6, 2):
        journal.intent(1, 3, ply, score=0.0, proven=True, move_s=0.2)
        journal.reply(1, status=True, botmove=3, result=0, state=grid("444444"[: ply + 2], True))
        expect(discs(page)).to_have_count(ply + 2)
    expect(status(page)).to_have_text("Game 1: the bot to move.")
    expect(page.locator("#streak i")).to_have_count(20)
    expect(page.locator("#graph svg .bar")).to_have_count(3)
    with journal.path.open("ab") as file:
        file.write(b"broken\n")
    expect(page.locator("#error")).to_contain_text("damaged")
    journal.intent(1, 2, 6, score=0.0, proven=True, move_s=0.2)
    journal.reply(1, status=True, botmove=-1, result=0, state=grid("44444433", True))
    expect(discs(page)).to_have_count(8)
    journal.close()
    page.locator("#tab-replay").click()
    expect(page.locator("#runs option").first).to_contain_text("damaged lines")
    expect(page.locator("#error")).to_be_hidden()
