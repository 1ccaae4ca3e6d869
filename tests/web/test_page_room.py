"""Spectators with phones in the same room: they follow a run, and the owner's page shows them the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.browser import OVER, discs, game, status
from tests.web.test_runs import grid, open_run

from playwright.sync_api import Page, expect  # isort: skip

STUDENT = "ab1234cd-s"


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}], indirect=True)
def test_a_phone_follows_a_run_and_can_change_nothing(page: Page, room: tuple[str, str], logs: Path) -> None:
    own, link = room
    journal = open_run(logs, stil_ids=(STUDENT,))
    game(journal, 1, OVER, 1.0, we_started=True)
    page.goto(link)
    page.locator("body[data-ready]").wait_for()
    assert "room=" not in page.url, "the token is in a cookie, not in the address that others see"
    expect(page.locator("[role=tab]:visible")).to_have_text(["Watch", "Replay"])
    expect(status(page)).to_have_text("Game 1: won.")
    journal.intent(2, -1, 0)
    journal.reply(2, status=True, msg="", botmove=-1, result=0, state=grid("", True))
    journal.intent(2, 3, 0, score=0.0, proven=True, move_s=0.2)
    journal.reply(2, status=True, botmove=3, result=0, state=grid("44", True))
    expect(discs(page)).to_have_count(2)
    expect(page.locator("#watch-run")).not_to_contain_text(STUDENT)
    page.locator("#tab-replay").click()
    expect(page.locator("#games button")).to_have_count(2)
    assert STUDENT not in page.content()
    for control in ("#open", "#save", "#review", "#analyse", "#new"):
        expect(page.locator(control)).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    serious = [rule["id"] for rule in axe.run(page).response["violations"] if rule["impact"] in ("serious", "critical")]
    assert serious == []
    page.locator("#tab-watch").click()
    owner = page.context.new_page()
    owner.goto(f"{own}/#view=watch")
    expect(owner.locator("#room-link")).to_have_text(link)
    expect(owner.locator("#room-count")).to_have_text("1 spectator is watching.")
    journal.close()
    owner.close()
    page.goto("about:blank")  # it would complain when the server ends
