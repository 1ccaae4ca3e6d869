"""A damaged opening book: commands print one note and answer as before, only slower."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import bot
from bot.cli.app import run
from bot.engine import perfect, shared
from bot.engine.book.lookup import Book

ENDGAME = "532336513633217277452711665127"
"""A position that the solver answers at once."""


@pytest.fixture
def damaged_book(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Flip one bit of the shipped book."""
    path = Path(str(Path(perfect.__file__).parent / "book" / "data" / "book.bin"))
    blob = bytearray(path.read_bytes())
    blob[len(blob) // 2] ^= 1
    monkeypatch.setattr(Book, "load", lambda _path=None: Book.from_bytes(bytes(blob)))
    caches = (perfect.shipped_book, shared._analyst, shared.batch_solver)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


@pytest.mark.usefixtures("damaged_book")
@pytest.mark.parametrize(
    "command",
    [
        f"analyse {ENDGAME} --json",
        f"coach {ENDGAME} --deadline 1 --json",
        f"move perfect {ENDGAME} --json",
        "play --games 1 --engine perfect --opponent scripted:1234567 --think 0.01 --seed 1 --json",
        "match perfect@time=0.01 scripted:1234567 --games 2 --time-limit 0.1 --json",
    ],
)
def test_every_command_notes_it_once_and_goes_on(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(command.split()) == 0
    printed = capsys.readouterr()
    assert printed.err.count("Note: The opening book is missing or damaged.") == 1 and "git restore" in printed.err
    assert json.loads(printed.out)


@pytest.mark.usefixtures("damaged_book")
def test_the_python_interface_prints_nothing_and_answers_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    assert bot.solve(ENDGAME).score == bot.solve(ENDGAME, book=False).score
    assert perfect.shipped_book() is None and capsys.readouterr().err == ""


def test_an_undamaged_book_is_no_news(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyse", ENDGAME]) == 0
    assert perfect.shipped_book() is not None and "book" not in capsys.readouterr().err
