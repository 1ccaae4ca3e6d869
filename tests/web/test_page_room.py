"""Spectators with phones in the same room, and a server that is started again."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.processes import running_bot
from tests.web.browser import OVER, discs, game, start, status
from tests.web.test_runs import grid, open_run

from playwright.sync_api import Page, expect  # isort: skip

STUDENT = "ab1234cd-s"
KEYS = "123 uraAcnhmMsf"
OWNERS_ONLY = ("#open", "#save", "#link", "#find", "#analyse", "[data-field=analyse]", "#new", "#room")


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}], indirect=True)
def test_a_phone_follows_a_run_and_meets_no_dead_end(page: Page, room: tuple[str, str], logs: Path) -> None:
    own, link = room
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    journal = open_run(logs, stil_ids=(STUDENT,))
    game(journal, 1, OVER, 1.0, we_started=True)
    page.goto(link)
    page.locator("body[data-ready]").wait_for()
    assert "room=" not in page.url, "the token is in a cookie, not in the address that others see"
    expect(page.locator("#tabs button")).to_have_text(["Runs", "Watch", "Replay"])
    expect(status(page)).to_have_text("Game 1: won.")
    journal.intent(2, -1, 0)
    journal.reply(2, status=True, msg="", botmove=-1, result=0, state=grid("", True))
    journal.intent(2, 3, 0, score=0.0, proven=True, move_s=0.2)
    journal.reply(2, status=True, botmove=3, result=0, state=grid("44", True))
    expect(discs(page)).to_have_count(2)
    expect(page.locator("#watch-run")).not_to_contain_text(STUDENT)
    for view in ("replay", "watch", "analysis"):
        start(page, link.partition("?")[0][:-1], view=view, analyse=1, moves=444444)
        for key in (*KEYS, "ArrowLeft", "Home", "End", "Escape"):
            page.keyboard.press(key)
        for control in OWNERS_ONLY:
            expect(page.locator(control)).to_be_hidden()
        assert STUDENT not in page.content()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    expect(page.locator("#tab-watch")).to_have_attribute("aria-current", "page")
    assert refused == []
    page.locator("#tab-replay").click()
    expect(page.locator("#games button")).to_have_count(2)
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


@contextmanager
def serving(logs: Path, port: int | None) -> Iterator[str]:
    command = ("web", "--no-browser", "--port", str(port or 0), "--logs", str(logs))
    with running_bot(*command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split(" at ")[1].split()[0]


def test_a_server_that_is_started_again_is_noticed_by_every_view(page: Page, tmp_path: Path, faults: list[str]) -> None:
    for number, moves in enumerate((OVER, "1212121")):
        (tmp_path / str(number)).mkdir()
        journal = open_run(tmp_path / str(number))
        game(journal, 1, moves, 1.0, we_started=True)
        journal.run_end("finished")
        journal.close()
    agents = page.context.new_page()
    with serving(tmp_path / "0", None) as url:
        start(page, url, view="watch")
        expect(discs(page)).to_have_count(len(OVER))
        start(agents, url, view="match", a="random", b="random", series=100, pace=0)
        agents.locator("#run").click()
        expect(agents.locator("#series-games button")).not_to_have_count(0)
    for one in (page, agents):
        expect(one.locator("#error")).to_contain_text("server does not respond")
    games = agents.locator("#series-games button").count()
    with serving(tmp_path / "1", urlsplit(url).port):
        for one in (page, agents):
            expect(one.locator("#error")).to_be_hidden()
        expect(discs(page)).to_have_count(7)
        agents.locator("#run").click()
        expect(agents.locator("#series-games button").nth(games)).to_be_attached()
        page.locator("#tab-replay").click()
        expect(page.locator("#games button")).to_have_count(1)
        agents.close()
        page.goto("about:blank")
    faults.clear()  # refused connections
