"""What the journals show is what the runs told: under random faults, killed after any record, read and resumed.

Real runs, with real files, in a virtual world. At every record the journal so far is read as a new process would read
it: it shows the session that wrote it. In the end each journal is read alone, without the ones that taught its run.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.course.journal.journal import Journal
from bot.course.journal.reader import journal_files, parse_journal, read_journal, read_outline
from bot.course.journal.records import Record, as_line, parse_line
from bot.course.run.history import read_history
from bot.course.run.listener import Listener
from bot.course.run.standings import journal_standings
from bot.course.session.commands import GameEnded
from bot.course.session.events import Chosen, Event
from bot.course.session.session import Session
from bot.engine.simple import Scripted
from bot.errors import NetworkError, ProtocolError
from bot.trials.simulation.faults import Dice, FaultPlan
from bot.trials.simulation.server import ServerRules
from bot.trials.simulation.world import Killed, VirtualWorld
from tests.course.run.course import ME, Watcher, opened
from tests.course.session.test_exhaustive import rough_bot

PLANS = (
    "none",
    "default=0.3",
    "reset=0.12,kill=0.04",
    "reset_after=0.15,unread=0.5,kill=0.02",
    "truncate=0.1,silent=0.05,unread=0.2,kill=0.05",
    "stale=0.05,duplicate=0.03,behind=0.3,reset=0.1",
    "restart=0.05,reset=0.1,kill=0.03",
    "refuse=0.2,kill=0.02",
)


@dataclass
class World(VirtualWorld):
    """A virtual world in which nobody presses Ctrl-C."""

    is_interrupted: bool = False


def any_column(session: Session, _left_s: float) -> Chosen:
    """Choose a column of the likeliest hypothesis, the same for the same board; see `ColumnChooser`."""
    board = session.belief.hypotheses[0].playing.board
    legal = board.legal_columns()
    return Chosen(0.0, legal[board.mask % len(legal)])


@dataclass
class Case:
    """One schedule of faults: three runs of two games, in one folder of journals."""

    folder: Path
    seed: int
    checked: int = 0
    """Records after which the journal was compared with its session."""
    told: dict[Path, list[GameEnded]] = field(default_factory=dict)
    """The ends of games that the runs told, by journal."""
    shown: Journal = field(default_factory=lambda: Journal(Path("none")))
    """What the journal of the present run shows so far."""

    def play(self) -> None:
        """Play the runs; a killed one is started again."""
        dice = Dice(FaultPlan.parse(PLANS[self.seed % len(PLANS)]), self.seed)
        world = World(ServerRules(rough_bot, self.seed, "random", self.seed % 3 == 0), dice)
        for number in range(3):
            is_over = self._run(world, dice, fresh=self.seed % 7 == 0 and number == 2)
            while not is_over:
                world.sleep(2.0)
                is_over = self._run(world, dice, fresh=False)

    def _run(self, world: World, dice: Dice, *, fresh: bool) -> bool:
        """Play one run; return whether it ended by itself."""
        with opened(self.folder, agent=Scripted("1"), fresh=fresh, games=2, patience_s=600.0) as run:
            run._choose = any_column  # type: ignore[assignment]
            path, write, is_dead = run.journal.path, run.journal.write, False
            content = path.read_bytes()
            self.shown = parse_journal(content, path) if content else Journal(path)
            told = self.told.setdefault(path, [])
            told += self.shown.ends[len(told) :]  # a kill came before the session took the reply

            def write_or_die(record: Record) -> None:
                nonlocal is_dead
                if is_dead:
                    raise Killed
                write(record)
                written = parse_line(as_line(record, ""))
                assert written is not None
                self.shown.take(written)
                if dice.kills_after(record):
                    is_dead = True
                    raise Killed

            run.journal.write = write_or_die  # type: ignore[method-assign]
            try:
                run.play(world, Watcher())  # type: ignore[arg-type]
            except Killed:
                return False
            except (NetworkError, ProtocolError):
                return True
        return True

    def take(self, session: Session, event: Event) -> None:
        """Compare a step of the present run with what its journal shows."""
        told = self.told[self.shown.path]
        told += [item for item in session.news if isinstance(item, GameEnded)]
        assert self.shown.session == session, (self.seed, event)
        assert self.shown.ends == told, (self.seed, event)
        self.checked += 1

    def check(self, alone: Path) -> int:
        """Read each journal as it is, and alone in another folder; return the number of games."""
        streak = 0
        for path in journal_files(self.folder):
            journal = read_journal(path)
            told = self.told[path] + journal.ends[len(self.told[path]) :]
            assert (journal.ends, journal.problems) == (told, []), self.seed
            assert [text for game in journal.games for text in game.problems] == [], self.seed
            assert journal.header.streak == streak, self.seed
            shutil.rmtree(alone, ignore_errors=True)
            alone.mkdir()
            shutil.copy(path, alone)
            copy = read_journal(alone / path.name)
            assert (copy.session, copy.ends) == (journal.session, journal.ends), self.seed
            assert [end.result for end in read_outline(path).ends] == [end.result for end in told], self.seed
            streak = read_history(alone, ME, fresh=True).streak
        assert streak == journal_standings(self.folder, "s", ["a"]).current, self.seed
        return sum(len(ends) for ends in self.told.values())


def played(seeds: range, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Play a case for each seed; return the number of records and of games that were compared."""
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)
    current: list[Case] = []
    report = Listener.step

    def step(listener: Listener, session: Session, event: Event) -> None:
        current[-1].take(session, event)
        report(listener, session, event)

    monkeypatch.setattr(Listener, "step", step)
    games = 0
    for seed in seeds:
        monkeypatch.setenv("BOT_STATE_DIR", str(tmp_path / "state" / f"{seed}"))
        current.append(Case(tmp_path / f"{seed}", seed))
        current[-1].play()
        games += current[-1].check(tmp_path / "alone")
        shutil.rmtree(tmp_path / f"{seed}")
    return sum(case.checked for case in current), games


def test_what_a_journal_shows_is_what_its_run_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records, games = played(range(16), tmp_path, monkeypatch)
    assert records > 2500 and games > 100


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_thousand_journals_show_what_their_runs_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records, games = played(range(1000), tmp_path, monkeypatch)
    print(f"1,000 schedules, {records:,} records, {games:,} games")
    assert records > 75_000 and games > 5000
