"""Every fault at every moment of a game: real runs, with real files, at a virtual server whose world fails.

Whatever may fail asks the schedule; the schedule answers by the number of the question, and notes what else it could
have answered. So every single fault is met by playing once for each, and every pair by going on from these.
Other cases draw their faults at random.

In all of them what a journal shows is what its run told. After every record the journal so far is read as a new process
would read it: it shows the session that wrote it.
"""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from bot.course.events import Chosen, Event, GameEnded, Started
from bot.course.journal.journal import Journal, journal_files, parse_journal, parse_outline, read_journal
from bot.course.journal.records import Record, as_line, parse_line
from bot.course.run.run import ColumnChooser
from bot.course.run.standings import Observer, disagreements
from bot.course.session import Session
from bot.engine.simple import Scripted
from bot.errors import BotError, NetworkError, ProtocolError
from tests.course.foreign_course import BOT, Course, Grid, drop, has_four, open_columns
from tests.course.run.course import Watcher, any_column, journal_standings, opened
from tests.course.session.outages import KINDS as OUTAGES
from tests.course.session.outages import trial
from tests.simulation.__main__ import simulate
from tests.simulation.bots import BOTS
from tests.simulation.faults import KINDS, Dice, parsed
from tests.simulation.series import live_chooser
from tests.simulation.world import Killed, VirtualDisk, VirtualWorld

KILLS = KILL, TORN, KILL_AFTER_ARRIVAL = "kill", "torn", "kill after arrival"
"""The client dies after a record, or in its middle. Its request, if there is one, arrives at the server or not; after a
choice it can arrive although no record says so: a power cut loses records that are not yet on the disk."""
CONFUSING = {"stale", "duplicate", "restart", "behind", "unread"}
"""Faults after which journal and server may count differently."""
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
"""What may fail at random."""


def rough_bot(grid: Grid, seed: int) -> int:
    """Answer a win if there is one, else by chance, in two of three games the same in the same position."""
    columns = open_columns(grid)
    wins = [column for column in columns if has_four(drop(grid, column, BOT), BOT)]
    return random.Random(f"{grid} {seed if seed % 3 == 0 else 0}").choice(wins or columns)


@dataclass
class Schedule:
    """Faults by the number of the question; see `tests.simulation.faults.Dice`."""

    faults: Mapping[int, str]
    asked: list[Sequence[str]] = field(default_factory=list)
    """What each question could have been answered."""
    kill: str | None = None
    """How the client has died last."""

    def of_request(self) -> str | None:
        """Return the request's fault."""
        return self._answer([*KINDS])

    def of_reading(self) -> str | None:
        """Return the reading's fault."""
        return self._answer(("unread", "behind"))

    def kills_after(self, record: Record | None) -> bool:
        """Return whether the client dies after the record, None while it sends; never at its start: every run works."""
        if isinstance(record, Started):
            return False
        self.kill = self._answer(KILLS if record is None or isinstance(record, Chosen) else (KILL, TORN))
        return self.kill is not None

    def arrives(self) -> bool:
        """Return whether the request of the client that has just died arrives."""
        return self.kill == KILL_AFTER_ARRIVAL

    def following(self) -> Iterator[Mapping[int, str]]:
        """Yield the faults with one more, later than the others."""
        for number in range(max(self.faults, default=-1) + 1, len(self.asked)):
            for kind in self.asked[number]:
                yield {**self.faults, number: kind}

    def _answer(self, possible: Sequence[str]) -> str | None:
        self.asked.append(possible)
        return self.faults.get(len(self.asked) - 1)


def problems(journal: Journal) -> list[str]:
    """Return all that contradicts itself in a journal."""
    return [*journal.problems, *(text for game in journal.games for text in game.problems)]


@dataclass
class Case:
    """The runs of a player in one world, with one folder of journals."""

    folder: Path
    world: VirtualWorld
    chooser: ColumnChooser
    error: BotError | None = None
    """How the last run has ended."""
    checked: int = 0
    """Records after which the journal was compared with its session."""
    told: dict[Path, list[GameEnded]] = field(default_factory=dict)
    """The ends of games that the runs told, by journal."""
    shown: Journal = field(default_factory=lambda: Journal(Path("none")))
    """What the journal of the present run shows so far."""

    def __post_init__(self) -> None:
        self.audit = VirtualDisk(self.world)

    def play(self, games: int, *, fresh: bool = False) -> None:
        """Play this number of games more; a killed run is started again."""
        aim = self.audit.finished + games
        is_over = self._run(games, fresh=fresh)
        while not is_over:
            self.world.sleep(2.0)
            is_over = self._run(max(0, aim - self.audit.finished), fresh=False)

    def _run(self, games: int, *, fresh: bool) -> bool:
        """Play one run; return whether it ended by itself."""
        with opened(self.folder, agent=Scripted("1"), fresh=fresh, games=games, patience_s=600.0) as run:
            run._choose = self.chooser  # type: ignore[assignment]
            path, write = run.journal.path, run.journal.write
            content = path.read_bytes()
            self.shown = parse_journal(content, path) if content else Journal(path)
            self._tell(self.shown.ends[len(self._told) :])  # a kill came before the session took the reply

            def write_or_die(record: Record) -> None:
                before = path.stat().st_size
                write(record)
                is_dead = self.world.faults.kills_after(record)
                if is_dead and getattr(self.world.faults, "kill", None) == TORN:  # half of the record is written
                    os.truncate(path, (before + path.stat().st_size) // 2)
                    self.world.die()
                written = parse_line(as_line(record, ""))
                self.shown.take(written)
                if is_dead:
                    if isinstance(record, Chosen) and self.world.faults.arrives():
                        self.world.process(record.move)
                    self.world.die()

            run.journal.write = write_or_die  # type: ignore[method-assign]
            self.error, self.world.is_dead = None, False
            try:
                run.play(self.world, Watcher())
            except Killed:
                return False
            except (NetworkError, ProtocolError) as error:
                self.error = error
        return True

    @property
    def _told(self) -> list[GameEnded]:
        return self.told.setdefault(self.shown.path, [])

    def _tell(self, ends: Sequence[GameEnded]) -> None:
        self._told.extend(ends)
        for end in ends:
            self.audit.audit(end)

    def take(self, session: Session, event: Event) -> None:
        """Compare a step of the present run with what its journal shows."""
        self._tell([item for item in session.news if isinstance(item, GameEnded)])
        assert self.shown.session == session, event
        assert self.shown.ends == self._told, event
        self.checked += 1

    def check(self) -> None:
        """Read each journal once more, whole and by its outline."""
        for path in journal_files(self.folder):
            journal = read_journal(path)
            told = self.told[path] + journal.ends[len(self.told[path]) :]
            assert (journal.ends, problems(journal)) == (told, [])
            assert [end.result for end in parse_outline(path.read_bytes(), path).ends] == [end.result for end in told]

    @property
    def forfeits(self) -> int:
        """Games that the client has given away at the server."""
        return sum(game.ended == "forfeit" for game in self.world.course.finished)


NewCase = Callable[..., Case]


@pytest.fixture
def new_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NewCase:
    """Return a function that begins a case and ends the one before it."""
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)
    case: Case | None = None
    report = Observer.step

    def step(observer: Observer, session: Session, event: Event) -> None:
        assert case is not None
        case.take(session, event)
        report(observer, session, event)

    def begin(world: VirtualWorld, chooser: ColumnChooser = any_column) -> Case:
        nonlocal case
        shutil.rmtree(tmp_path / "case", ignore_errors=True)
        monkeypatch.setenv("BOT_STATE_DIR", str(tmp_path / "case" / "state"))
        case = Case(tmp_path / "case" / "logs", world, chooser)
        return case

    monkeypatch.setattr(Observer, "step", step)
    return begin


def every_case(
    new_case: NewCase,
    world_of: Callable[[Schedule], VirtualWorld],
    games: int,
    most_faults: int,
    faults: Mapping[int, str],
) -> Counter[int]:
    """Play a case and all that follow it, and return their numbers by the number of faults."""
    schedule = Schedule(faults)
    case = new_case(world_of(schedule))
    case.play(games)
    assert problems(case.shown) == [], faults
    assert [end.game for end in case.shown.ends] == list(range(1, len(case.shown.ends) + 1)), faults
    is_january = case.world.course.is_january
    is_refused = isinstance(case.error, ProtocolError) and len(faults) > 1  # two cached replies can; the game is kept
    # Where nothing has answered in the protocol, no second move is sent; the next run goes on.
    is_silent = isinstance(case.error, NetworkError) and not case.shown.session.is_made
    is_unanswered = is_january and is_silent
    assert is_refused or is_unanswered or (case.error is None and case.audit.finished >= games), faults
    unseen = [end for end in case.shown.ends if not end.result]
    assert is_january or set(faults.values()) & CONFUSING or not unseen, faults
    if set(faults.values()) <= (set(KILLS) if is_january else {*KILLS, *KINDS} - CONFUSING) and not unseen:
        assert disagreements(journal_standings(case.folder, "s", ["a"]), case.world.counted) == [], faults
    assert case.audit.invented == 0, faults
    assert case.forfeits <= (is_january and "unread" in faults.values()), faults
    played = Counter([len(faults)])
    for more in schedule.following() if len(faults) < most_faults else ():
        played += every_case(new_case, world_of, games, most_faults, more)
    return played


@pytest.mark.parametrize(("seed", "is_january", "games", "least"), [(4, False, 1, 70), (17, True, 2, 140)])
def test_one_fault_at_any_moment_breaks_nothing_also_at_a_server_of_january_2021(
    seed, is_january, games, least, new_case
):
    """There every request for a game is a forfeit. One is sent where the first reading says nothing of the server."""

    def world_of(faults: Schedule) -> VirtualWorld:
        return VirtualWorld(Course(rough_bot, seed, "random", is_january=is_january), faults)

    assert every_case(new_case, world_of, games, 1, {})[1] > least


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("bot", "games", "most_faults"), [("centre-3", 1, 2), *((bot, 2, 1) for bot in BOTS)])
def test_against_foreign_bots_one_fault_in_two_games_breaks_nothing_nor_do_two_in_one(
    new_case, bot, games, most_faults
):
    def world_of(faults: Schedule) -> VirtualWorld:
        return VirtualWorld(Course(BOTS[bot], 5, "random"), faults)

    played = every_case(partial(new_case, chooser=live_chooser()), world_of, games, most_faults, {})
    print(f"{bot}, {games} games: {played[most_faults]:,} cases with {most_faults} faults or kills")
    assert played[most_faults] > (200 if most_faults == 1 else 20_000)


@pytest.mark.parametrize(
    "seeds",
    [
        *(range(start, 8, 4) for start in range(4)),
        pytest.param(range(8, 250), marks=[pytest.mark.slow, pytest.mark.timeout(3600)]),
    ],
)
def test_however_often_everything_fails_no_game_is_forfeited_and_the_journals_show_what_the_runs_told(seeds, new_case):
    """Three runs of two games for each seed, the last one sometimes with `--fresh`."""
    checked = finished = 0
    for seed in seeds:
        plan = PLANS[seed % len(PLANS)]
        course = Course(rough_bot, seed, "random", silent_start=seed % 3 > 0)
        case = new_case(VirtualWorld(course, Dice(parsed(plan), seed)))
        for number in range(3):
            is_fresh = seed % 7 == 0 and number == 2
            case.play(2, fresh=is_fresh)
        case.check()
        assert "restart" in plan or case.audit.invented == 0, seed
        assert "restart" in plan or case.forfeits <= (seed % 7 == 0), seed
        checked += case.checked
        finished += len(case.world.course.finished)
    assert checked > 90 * len(seeds) and finished > 5 * len(seeds)


@pytest.mark.parametrize("kind", OUTAGES)
@pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(1, 60), marks=[pytest.mark.slow, pytest.mark.timeout(3600)])]
)
def test_an_outage_at_any_moment_of_a_game_forfeits_nothing_and_no_result_is_invented(kind, seeds):
    counts = sum((trial(kind, seed) for seed in seeds), Counter())
    assert counts["games"] >= len(seeds) and not counts["forfeit"] + counts["invented"] + counts["wrong"]
    assert not counts["moves_during"], "while nothing answers, nothing follows the move that is on its way"


def test_equal_seeds_print_equal_tables_of_a_simulation_in_any_number_of_processes(capsys):
    tables = []
    for workers in (1, 2):
        simulate(games=3, faults="reset=0.2,kill=0.02", workers=workers)
        tables.append(capsys.readouterr().out)
    assert tables[0] == tables[1] and "random" in tables[0]
