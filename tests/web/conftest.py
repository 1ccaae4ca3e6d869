"""One Chromium and one page server for each file of tests in a real browser."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.course.server.embedded import serving
from bot.web.app import create_app
from bot.web.jobs import Jobs
from tests.processes import running_bot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
LOCAL = re.compile(r"http://127\.0\.0\.1:|blob:|data:|file:")
PICTURES = Path(__file__).parents[2] / "artefacts"
PATIENCE_MS = int(os.environ.get("PATIENCE_S", "180")) * 1000
"""Longest wait for what the page is to show, milliseconds; only a failing test waits so long."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="module")
def url(logs: Path) -> Iterator[str]:
    """The address of the page, served by this process, which has loaded the engine."""
    jobs = Jobs(max_wait_s=45.0)  # on a busy machine, a cancelled search may take a while to end
    with serving(create_app(logs, jobs)) as url:
        yield url
        jobs.stop_all()


@pytest.fixture
def room(logs: Path) -> Iterator[tuple[str, str]]:
    """The addresses of a running `python -m bot web --host`: the page's, and the spectators' link."""
    command = ("web", "--no-browser", "--port", "0", "--logs", str(logs), "--host", "127.0.0.1")
    with running_bot(*command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        own, link = (process.stdout.readline().split(" at ")[1].split()[0] for _ in range(2))
        yield own, link


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import expect, sync_playwright

    from tests.web.browser import CHROMIUM

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield browser
        browser.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test in the browser by light and by dark, unless it chooses its page itself; those by dark are slow."""
    chosen = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if "page" in metafunc.fixturenames and "page" not in chosen:
        dark = pytest.param({"color_scheme": "dark"}, id="dark", marks=pytest.mark.slow)
        metafunc.parametrize("page", [pytest.param({}, id="light"), dark], indirect=True)


@pytest.fixture
def faults() -> list[str]:
    """Errors in the console and requests beyond this machine; a test that provokes some clears the list."""
    return []


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest, faults: list[str]) -> Iterator[Page]:
    """A new page; `faults` that are left at the end fail the test. A picture of it goes to artefacts/."""
    options = getattr(request, "param", {})
    usual = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce"}  # drawing falling discs takes long
    context = browser.new_context(**(usual | options))
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("request", lambda sent: None if LOCAL.match(sent.url) else faults.append(sent.url))
    yield page
    PICTURES.mkdir(exist_ok=True)
    with contextlib.suppress(Exception):
        page.screenshot(path=PICTURES / f"{re.sub(r'[^a-z0-9]+', '_', request.node.name)}.png")
    context.close()
    assert not faults, faults
