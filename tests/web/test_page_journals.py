"""Replaying journals, in a real browser against `python -m bot web`."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.browser import OVER, discs, game, start, status
from tests.web.test_runs import grid, open_run

from playwright.sync_api import Page, expect  # isort: skip


def test_a_run_is_replayed_filtered_and_linked(page: Page, url: str, logs: Path) -> None:
    journal = open_run(logs)
    game(journal, 1, OVER, 1.0, we_started=True)
    game(journal, 2, OVER, -1.0, we_started=False)
    journal.run_end("finished")
    journal.close()
    start(page, url, view="replay", run=journal.path.name)
    expect(page.locator("#games button")).to_have_count(2)
    expect(status(page)).to_have_text("The bot wins with four in a row.")
    expect(page.locator("#graph svg")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(discs(page)).to_have_count(14)
    page.locator("#slider").fill("3")
    expect(discs(page)).to_have_count(3)
    page.locator("#place-play").click()
    expect(discs(page)).to_have_count(0)
    page.locator("#place-runs").click()
    expect(discs(page)).to_have_count(3)
    page.locator("#games button").nth(1).focus()
    page.keyboard.press("Enter")
    expect(status(page)).to_have_text("The opponent wins with four in a row.")
    expect(page.locator("#games button").nth(1)).to_be_focused()
    page.locator("[data-field=filter]").select_option("won")
    expect(page.locator("#games button")).to_have_count(1)
    page.locator("[data-field=filter]").select_option("lost")
    expect(page.locator("#games button")).to_have_text("2 −")
    page.reload()
    expect(page.locator("#games button")).to_have_text("2 −")
    page.locator("#find").click()
    expect(page.locator("#tab-review")).to_have_attribute("aria-current", "page")
    expect(page.locator("#guide")).to_contain_text("Mistake 1 of")


def test_opened_games_are_shown_whatever_was_filtered_before(page: Page, url: str, logs: Path) -> None:
    journal = open_run(logs)
    game(journal, 1, OVER, 1.0, we_started=True)
    journal.close()
    start(page, url, view="replay", run=journal.path.name)
    for outcome in ("lost", "", "lost"):
        page.locator("[data-field=filter]").select_option(outcome)
    expect(page.locator("#games")).to_have_text("This run has no such game.")
    page.locator("#open").click()
    page.locator("#import-text").fill("4435\n1212121")
    page.locator("#import-open").click()
    expect(page.locator("#games button")).to_have_count(2)
    expect(page.locator("[data-field=filter]")).to_have_value("")
    expect(page.locator("#runs option:checked")).to_contain_text("Typed moves")


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
    expect(page.locator("#moves .grave button")).to_have_text(re.compile(r"4\s*\?\?"))
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


def test_defeats_and_slow_moves_are_found(page: Page, url: str, logs: Path) -> None:
    journal = open_run(logs)
    game(journal, 1, OVER, 1.0, we_started=True)
    game(journal, 2, OVER, -1.0, we_started=False)
    journal.intent(3, 3, 0, score=0.0, proven=True, move_s=2.5)
    journal.reply(3, status=True, botmove=3, result=0, state=grid("44", True))
    journal.game_end(3, -10.0, moves="44", we_started=True, known_by="reply")
    journal.run_end("finished")
    journal.close()
    start(page, url, view="replay", run=journal.path.name)
    page.locator("[data-field=filter]").select_option("defeats")
    expect(page.locator("#games button")).to_have_text(["2 \u2212", "3 \u2212"])
    page.locator("[data-field=slow]").select_option("2")
    expect(page.locator("#games button")).to_have_text("3 \u2212")
