"""Outages as the console shows them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from bot.cli.console import OutputConsole, View, outage_line
from bot.course.run.listener import Outage
from bot.course.run.standings import RunStandings
from bot.course.session.events import Started


@pytest.mark.parametrize(
    ("outage", "seconds", "line"),
    [
        (Outage("Down.", 30.0, None), 0.0, "Down. Trying again for 30 s."),
        (Outage("Down.", 30.0, None), 7.2, "Down. Trying again for 23 s."),
        (Outage("Down.", 30.0, 4.0), 1.5, "Down. Trying again for 29 s; 3 s left for the move."),
        (Outage("Down.", 30.0, 4.0), 6.5, "Down. Trying again for 24 s; the move is 3 s late."),
        (Outage("Down.", 1.0, None), 5.0, "Down. Trying again for 0 s."),
    ],
)
def test_the_line_counts_down(outage: Outage, seconds: float, line: str) -> None:
    assert outage_line(outage, seconds) == line


STARTED = Started(0.0, server="s", url="s", stil_ids=("a",), engine="perfect", limit_s=5.0)


def test_a_pipe_gets_the_beginning_the_end_of_the_moves_time_and_the_end() -> None:
    out = io.StringIO()
    view = View(OutputConsole(file=out, width=200), 2)
    view.run_started(STARTED, Path("journal"), RunStandings(goal=20))
    for since_s in range(0, 12, 2):
        view.unreachable(Outage("The server cannot be reached.", 30.0 - since_s, 5.0 - since_s))
    view.reachable(12.4)
    view.unreachable(Outage("The server cannot be reached.", 30.0, None))
    view.reachable(0.26)
    assert [line for line in out.getvalue().splitlines() if line.startswith("Note")] == [
        "Note: The server cannot be reached. Trying again for at most 30 s.",
        "Note: The 5 s for the move are over. It is sent as soon as the server answers, "
        "but the server may count the game as lost.",
        "Note: The server is reachable again after 12 s.",
        "Note: The server cannot be reached. Trying again for at most 30 s.",
        "Note: The server is reachable again after 0.3 s.",
    ]


def test_a_terminal_gets_one_line_that_counts_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 0.0
    monkeypatch.setattr("bot.cli.console.time.monotonic", lambda: now_s)
    out = io.StringIO()
    view = View(OutputConsole(file=out, width=120, force_terminal=True, color_system=None), 2, is_live=True)
    view.unreachable(Outage("Down.", 30.0, 5.0))
    shown = Console(file=io.StringIO(), width=120)

    def drawn() -> str:
        with shown.capture() as capture:
            shown.print(view._live.renderable)
        return capture.get().strip()

    assert drawn() == "Down. Trying again for 30 s; 5 s left for the move."
    now_s = 7.0
    assert drawn() == "Down. Trying again for 23 s; the move is 2 s late."
    assert "Trying again" not in out.getvalue(), "no line of it stays behind"
    view.reachable(7.0)
    assert drawn() == ""
    assert "The server is reachable again after 7.0 s." in out.getvalue()


def test_a_terminal_shows_an_outage_before_the_first_game() -> None:
    out = io.StringIO()
    view = View(OutputConsole(file=out, width=120, force_terminal=True, color_system=None), 2, is_live=True)
    view.run_started(STARTED, Path("journal"), RunStandings(goal=20))
    view.unreachable(Outage("Down.", 30.0, None))
    view._live.refresh()
    view.run_ended()
    assert "Down. Trying again for 30 s." in out.getvalue()
