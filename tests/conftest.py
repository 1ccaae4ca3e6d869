"""What all rooms' tests share: no test reaches beyond loopback, and none sees the developer's own settings."""

from __future__ import annotations

import gc
import ipaddress
import os
import signal
import socket
import sys
import uuid
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests import compile_once, leaks
from tests.processes import obey_interrupts

SPECIFICATION = "test_specification.py"
"""The file of each room that a newcomer reads first."""

# A busy machine and the first compilation of a kernel are no failures of the property under test. The examples are the
# same in every run: a change is never blamed for what an example drawn by chance finds. `thorough` draws new ones.
same = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.register_profile("same", same)
settings.register_profile("thorough", same, derandomize=False, max_examples=1000)
settings.load_profile("same")
leaks.mark_children()
os.environ.pop("BOT_PAPERS", None)  # a developer's own publications, which are read when tests are collected


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while millions of objects are made that stay, and leave these aside afterwards.

    It halves the time for which each process imports the tests and what they use.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # before options such as -m are applied
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the specifications as quick."""
    for item in items:
        if item.path.name == SPECIFICATION and item.get_closest_marker("slow") is None:
            item.add_marker("quick")


@pytest.fixture(scope="module", autouse=True)
def nothing_left() -> Iterator[None]:
    """Fail a file of tests that leaves a thread, a process or a socket behind."""
    before = leaks.running()
    yield
    left = leaks.left_since(before)
    assert not left, "left behind by this file:\n" + "\n".join(left)


def pytest_configure() -> None:
    """Let Ctrl-C reach the tests' child processes in a run that was started in the background, too."""
    obey_interrupts()
    if "PYTEST_XDIST_WORKER" in os.environ:
        compile_once.enable()


@pytest.fixture(autouse=True)
def sigterm_ends_the_tests() -> Iterator[None]:
    """Commands that run in this process change what SIGTERM does, and have no reason to change it back."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection to anywhere but this machine fails the test that tries it."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            host = address[0]
            if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
                raise AssertionError(f"a test tried to reach {host}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def own_state(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No setting is made; locks and notes of unfinished games go to a folder of the test, in subprocesses too."""
    for name in ("BOT_SERVER", "BOT_STIL_ID", "BOT_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BOT_STATE_DIR", str(tmp_path_factory.getbasetemp() / f"state-{uuid.uuid4().hex}"))


@pytest.fixture
def own_papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], Path]]:
    """Return a function that writes a file, by name and text, into the folder that BOT_PAPERS names."""
    from bot.agents.family import FOLDER, PACKAGE, paper_families, papers
    from bot.gauntlet.versions import fingerprint

    folder = tmp_path / "papers"
    folder.mkdir()

    def forget() -> None:
        """Let the publications be read again."""
        for name, module in [*sys.modules.items()]:
            places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
            if name.startswith(f"{PACKAGE}.") and any(str(place).startswith(str(folder)) for place in places):
                del sys.modules[name]
        for read in (paper_families, fingerprint):
            read.cache_clear()

    def write(name: str, text: str) -> Path:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        forget()
        return path

    monkeypatch.setenv(FOLDER, str(folder))
    yield write
    forget()
    monkeypatch.undo()
    papers()  # takes the folder out of the package's path
