"""A folder of publications that is read anew, and a study for it: two runs, one of which follows from the other."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.agents.catalogue import paper_entries
from bot.agents.family import FOLDER, families_by_module
from bot.lab.arena import tasks
from bot.lab.replication.study import studies
from bot.lab.sources import fingerprint, texts

Write = Callable[[str, str], Path]
"""Writes a file, by name and text, into the folder that BOT_PAPERS names."""
TOY = '''
from bot.lab.replication.findings import above, certain
from bot.lab.replication.statistics import share
from bot.lab.replication.study import Study
from bot.lab.replication.tables import ComparedTable, blank, printed
from bot.lab.arena.tasks import PlannedGame

study = Study(__name__, "Toy 2026", "J. Toy: Games.", "Yes.")
PRINTED = printed("""
first won  games s
X     1.00 6     0.25
R     0.10 7     0.25
""")

@study.run
def games(quick):
    for number in range(2 if quick else 6):
        for first in "XR":
            yield PlannedGame({"X": "depth1", "R": "random"}, first, number=number)

@study.run
def again(games):
    for moves in games.moves[:2]:
        yield PlannedGame({"X": "scripted:4", "R": "scripted:5"}, "X", moves[:4])

@study.table
def table_1(games):
    """Table 1: points of X"""
    parts = games.groupby("first", sort=False)
    ours = blank(PRINTED)
    ours["won"] = parts.X_points.apply(lambda points: share(points, "games"))
    ours["games"], ours["s"] = parts.size(), parts.X_seconds.sum()
    return ComparedTable(PRINTED, ours, machine=("s",), rounds=20, note="Six games each.")

@study.statement
def wins(games):
    """1: "X wins."

    By points.
    """
    return above(share(games.X_points, "games"), 0.5, "share of points", f"X wins {(games.X_points == 1).sum()} games.")

@study.statement
def played_again(again):
    """Table 2: games played again."""
    return certain(len(again), 3, "games", "Fewer games.")

@study.noticed
def first_column(games):
    return f"{len(games)} games were played."

@study.plot
def points(games, axes):
    """Points of X"""
    axes.plot(games.X_points)

@study.found
def summary(table_1, findings):
    return f"{sum(table_1.compared())} of {len(table_1.compared())} cells are equal. {findings['wins'].sentence}"
'''


def forget() -> None:
    """Let the publications be read again."""
    for name in [name for name in sys.modules if name.startswith(("bot_paper_", "bot_study_"))]:
        del sys.modules[name]
    for read in (studies, paper_entries, families_by_module, texts, fingerprint):
        read.cache_clear()
    tasks._known.clear()


@contextmanager
def papers_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Write further publications into a folder during the block."""
    folder.mkdir()
    monkeypatch.setenv(FOLDER, str(folder))

    def write(name: str, text: str) -> Path:
        (folder / name).write_text(text, encoding="utf-8")
        forget()
        return folder / name

    forget()
    yield write
    monkeypatch.undo()
    forget()
