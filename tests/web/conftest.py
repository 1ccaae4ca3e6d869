"""What the tests in a real browser need, made once for as many of them as can share it.

Each process of tests has one Chromium, each file one server of the page. Starting a tab anew is what a test pays for:
a browser context, whose cache holds the scripts, goes on to the next test with nothing else kept.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.course.server.embedded import serving
from bot.web.agents import AgentPool
from bot.web.app import create_app
from bot.web.jobs import Jobs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --renderer-process-limit=1"
)
"""With one process for all tabs of a context, a new one costs half the processor time."""
LOCAL = re.compile(r"http://127\.0\.0\.1:|blob:|data:|file:")
PATIENCE_MS = int(os.environ.get("PATIENCE_S", "180")) * 1000
"""Longest wait for what the page is to show, milliseconds; only a failing test waits so long."""
USUAL = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce"}  # drawing falling discs takes long

SLOW_MACHINE = """if (location.protocol === "http:") localStorage.settings ??= '{"patience_s": 60}';
const { setTimeout: later } = window;
window.setTimeout = (act, delay_ms, ...given) => later(act, delay_ms >= 4000 ? 1e9 : delay_ms, ...given);"""
"""Lets searches take long, and notices stay until the test has seen them; a page whose clock is stopped has its own."""


def with_cache(app: ASGIApp) -> ASGIApp:
    """Return the application with its files kept by browsers, which else ask for 34 at each visit."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_lasting(message: Message) -> None:
            if "headers" in message and scope["path"].startswith("/static/"):
                MutableHeaders(scope=message)["cache-control"] = "max-age=3600"
            await send(message)

        await app(scope, receive, send_lasting)

    return served


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="module")
def url(logs: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of the page, served by this process, which has loaded the engine, with the module's ``AGENTS``."""
    jobs = Jobs(max_wait_s=45.0)  # on a busy machine, a cancelled search may take a while to end
    app = create_app(logs, jobs, AgentPool(getattr(request.module, "AGENTS", ())))
    app.add_api_route("/favicon.ico", lambda: None, status_code=204)  # for documents that name no icon, as pictures
    app.add_middleware(with_cache)
    with serving(app) as url:
        yield url
        jobs.stop_all()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import expect, sync_playwright

    from tests.web.browser import CHROMIUM

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split(), timeout=PATIENCE_MS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def contexts(browser: Browser, url: str) -> Iterator[dict[str, BrowserContext]]:  # noqa: ARG001 (they end before both)
    """The browser contexts that further tests of the file can have, by their options."""
    free: dict[str, BrowserContext] = {}
    yield free
    for context in free.values():
        context.close()


@pytest.fixture(name="tab")
def open_tab(
    browser: Browser, contexts: dict[str, BrowserContext], url: str, request: pytest.FixtureRequest
) -> Iterator[None]:
    """A tab in a browser that keeps nothing of earlier ones; `faults` that are left at the end fail the test."""
    from tests.web.browser import hand_over, tab

    options = USUAL | getattr(request, "param", {})
    context = contexts.pop(str(options), None)
    if context is None:
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(SLOW_MACHINE)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "local_storage"})
    devtools.on("Fetch.requestPaused", hand_over)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("request", lambda sent: None if LOCAL.match(sent.url) else faults.append(sent.url))
    tab.page, tab.devtools, tab.replies = page, devtools, []
    tab.url, tab.faults, tab.looks, tab.has_own_clock = url, faults, set(), False
    yield
    if tab.has_own_clock:
        context.close()
    else:
        for page in context.pages:
            page.close()
        context.clear_cookies()
        context.clear_permissions()
        context.set_offline(False)
        contexts[str(options)] = context
    assert not faults, faults
