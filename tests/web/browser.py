"""What the tests in a real browser share: which Chromium, and the page's parts by name. Skips where there is none."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable

import pytest

from tests.course.journal.build import Hand
from tests.web.test_runs import play

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Chromium's names. The headless shell has the same engine without the windows, and takes a third of the time."""
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
if CHROMIUM is None:
    reason = "no Chromium is installed: `apt-get install chromium-headless-shell` to test the page"
    pytest.skip(reason, allow_module_level=True)
pytest.importorskip("playwright", reason="Playwright is not installed: `pip install -e '.[dev]'` to test the page")

from playwright.sync_api import Locator, Page, Route, expect  # noqa: E402

DRAW = "257771314744647214154617633623313656555222"
OVER = "444443333161557"
LATE = "444443333161"
LOST = "4453473433225224343262755"
"""A game that red loses, with mistakes of red in moves 6, 22 and 24; yellow's first one is move 3."""
PLACES = {"play": "play", "watch": "runs", "replay": "runs", "match": "agents"}
"""Places of the views that are not under Learn."""


def start(page: Page, url: str, **hash_parts: object) -> None:
    """Open the page anew with these parts of the address, and wait until it can be used."""
    page.goto("about:blank")
    page.goto(f"{url}/#{'&'.join(f'{name}={value}' for name, value in hash_parts.items())}")
    page.locator("body[data-ready]").wait_for()


def view(page: Page, name: str) -> None:
    """Open a view, by its place where its tab is not shown."""
    tab = page.locator(f"#tab-{name}")
    if not tab.count():
        page.locator(f"#place-{PLACES.get(name, 'learn')}").click()
    if tab.count():  # a place with one view has no further tabs
        tab.click()
    expect(page.locator("body")).to_have_attribute("data-view", name)


def stop_clock(page: Page) -> None:
    """Stop the page's clock, which was installed before the page was opened: only `page.clock.run_for` moves it on."""
    page.clock.pause_at(86_400_000)  # a day after its start: later than any test comes to this


def hold(page: Page, path: str) -> Callable[[], Route]:
    """Hold the requests to a path; return a function that waits for the next one and hands it over."""
    held: list[Route] = []
    page.route(path, lambda route: held.append(route))  # noqa: PLW0108

    def take() -> Route:
        while not held:
            page.wait_for_timeout(20)  # lets the browser's events in
        return held.pop(0)

    return take


def status(page: Page) -> Locator:
    return page.locator("#status-text")


def discs(page: Page, of: str = "") -> Locator:
    return page.locator(f"#board .disc{of}:not(.ghost)")


def column(page: Page, number: int) -> Locator:
    return page.locator("#columns button").nth(number - 1)


def share(page: Page) -> float:
    """Return the part of the evaluation bar that is yellow."""
    return float(page.locator("#eval i").evaluate("bar => bar.offsetWidth / bar.parentElement.offsetWidth"))


def moves_of(page: Page) -> str:
    """Return the moves in the address as the page itself sees it: `page.url` is told of a change a moment later."""
    found = re.search(r"moves=(\d*)", page.evaluate("location.hash"))
    return found[1] if found else ""


def game(journal: Hand, number: int, moves: str, result: float, *, we_started: bool) -> None:
    """Write a whole game to ``journal``."""
    play(journal, number, moves, we_started=we_started)
    journal.game_end(number, result, moves=moves, we_started=we_started, known_by="reply")
