"""Record the journals of schema 1 that the tests read. Runs only with the first edition (commit 797cd9c).

Every case plays against the embedded server, behind the fault proxy, with a player process of its own that is killed
(SIGKILL) at a chosen record of its journal. Beside each journal, ``<case>.expected.json`` holds what the first edition
makes of it:

``unfinished``  the number of the unfinished game, or null
``games``       number, result and known_by of every game; ``problems`` is what `replay --verify` reports
``resume``      null unless a game is unfinished; else ``hypotheses``, what the first edition considers possible when
                it resumes, and ``ended``, the games whose end only the last reply shows. A hypothesis is a board (rows
                from the top, X ours, O the bot's; null where no game is running), who started, the games played, won
                and lost since the statistics were last known, and the probability that the first edition gives it

Usage, in a checkout of the first edition: ``python tests/course/journal/data/record_schema1.py FOLDER``.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from bot.course.journal import schema

if schema.SCHEMA != 1:
    raise SystemExit("Only the first edition (commit 797cd9c) writes journals of schema 1.")


from bot.course.client.http import CourseClient, NotSentError, Timeouts
from bot.engine import Decision, Limit, Stop
from bot.engine.registry import make_agent
from bot.game import Board
from bot.course.journal.reader import Game, Journal, read_journal
from bot.course.journal.verify import count_problems, replay_game
from bot.course.journal.writer import JournalWriter
from bot.match.caution import Caution
from bot.match.clock import MoveClock
from bot.match.experience import learn
from bot.match.log import SeatLog
from bot.match.observer import Silent
from bot.match.opponent_model import OpponentModel
from bot.match.outcomes import Outcomes
from bot.match.run import Plan, Run
from bot.match.seat import Seat
from bot.match.series import take_up
from bot.course.server.app import create_app
from bot.course.server.embedded import serving
from bot.course.server.faults import FaultPlan
from bot.course.server.proxy import failing
from bot.course.server.referee import Dialect, MoveReply, Referee, Starter
from bot.course.server.sockets import listen
from bot.course.server.store import Store

KEY = "a-key-that-no-journal-may-hold"
STUDENT = "test-student"
SERVER = "http://127.0.0.1:8000"
"""The server's lasting name in the journals; the port that is really used differs from case to case."""
ROOT = Path(__file__).parents[3]
_DRAW = [int(digit) - 1 for digit in "441365675334466335442232661515577771217122"]


class Scripted:
    """Plays a list of columns, game after game from the start."""

    def __init__(self, name: str, columns: list[int]) -> None:
        self.name = name
        self._columns = columns

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:  # noqa: ARG002
        return Decision(self._columns[board.ply // 2], 0.0, source="script")


@dataclass(frozen=True, slots=True)
class Life:
    """One player process: how many games, and at which record it is killed (never, if ``kill`` is empty)."""

    games: int = 1
    kill: str = ""
    """When, where, which: "before", "inside" or "after" ("interrupt": Ctrl-C after); a record type or an event kind;
    the number of that record, from 1.
    """
    engine: str = "perfect"
    fresh: bool = False
    """Whether the unfinished game is given up, as by ``--fresh``."""
    script: list[int] = field(default_factory=list)
    """Our columns; empty: the engine chooses."""


@dataclass(frozen=True, slots=True)
class Case:
    """A server, its faults, and the lives of the player."""

    lives: list[Life]
    faults: str = ""
    opponent: str | list[int] = "depth2"
    starter: Starter = Starter.STUDENT
    dialect: Dialect = Dialect.CURRENT
    tamper: dict[int, str] = field(default_factory=dict)
    """What happens to the server before its n-th /move: "forget" everything, or "mirror" the running board."""


class Tampered(Referee):
    """A referee whose memory changes before chosen requests."""

    def __init__(self, *arguments: Any, tamper: dict[int, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._tamper = tamper
        self._moves = 0

    def move(self, player: str, column: int) -> MoveReply:
        self._moves += 1
        what = self._tamper.get(self._moves)
        record = self.store.read(player)
        if what == "forget":
            record.played = record.won = record.lost = record.streak = record.streak_max = 0
            record.running = False
        elif what == "mirror":
            record.grid = [row[::-1] for row in record.grid]
        if what:
            self.store.write(record)
        return super().move(player, column)


CASES: dict[str, Case] = {
    "finished": Case([Life(games=3)], opponent="depth1", starter=Starter.RANDOM),
    "bot_starts": Case([Life(engine="depth4")], starter=Starter.BOT),
    "lost_replies": Case([Life()], faults="@4:reset_after,@7:reset_before,@13:5xx_after,@16:html_before,@18:truncate"),
    "lost_opening": Case([Life()], faults="@2:reset_after", opponent="depth1", starter=Starter.BOT),
    "killed_after_reply": Case([Life(games=2, kill="after reply 5")]),
    "killed_in_second_game": Case([Life(games=3, kill="after reply 16")], opponent="depth1"),
    "killed_sent": Case([Life(kill="after departed 5")]),
    "killed_processed": Case([Life(kill="before reply 5")], starter=Starter.BOT),
    "killed_not_sent": Case([Life(kill="after intent 5")]),
    "killed_opening_not_sent": Case([Life(kill="after intent 1")]),
    "killed_opening_sent": Case([Life(kill="after departed 1")]),
    "killed_opening_processed": Case([Life(kill="before reply 1")], starter=Starter.BOT),
    "killed_after_lost_reply": Case([Life(kill="after unknown 1")], faults="@6:reset_after"),
    "killed_twice_lost": Case([Life(kill="after unknown 2")], faults="@6:reset_after,@8:html_after"),
    "killed_before_game_end": Case([Life(kill="before game_end 1")]),
    "killed_over_last_move": Case([Life(kill="before reply 16")]),
    "torn_reply": Case([Life(kill="inside reply 6")]),
    "torn_intent": Case([Life(kill="inside intent 6")]),
    "resumed": Case([Life(kill="before reply 4"), Life(kill="after departed 3"), Life()], opponent="depth1"),
    "resumed_unfinished": Case([Life(kill="after reply 4"), Life(kill="after departed 3")]),
    "draw": Case([Life(script=_DRAW[::2])], opponent=_DRAW[1::2]),
    "illegal": Case([Life(script=[3, 3, 3, 3])], opponent=[3, 3, 3, 0]),
    "silent_start": Case([Life(kill="after reply 20", games=2)], faults="@18:reset_after", dialect=Dialect.JAN21),
    "silent_start_at_once": Case(
        [Life(kill="after silent_start 1", games=2)], faults="@18:reset_after", dialect=Dialect.JAN21
    ),
    "forgotten_first_game": Case([Life(kill="after reply 6")], opponent="depth1", tamper={4: "forget"}),
    "forgotten_in_second_game": Case([Life(kill="after reply 14", games=3)], opponent="depth1", tamper={11: "forget"}),
    "carried_over": Case(
        [Life(kill="after books 4", games=3)], opponent="depth1", faults="@14:reset_after", tamper={11: "forget"}
    ),
    "adopted": Case([Life(kill="after reply 7", engine="depth4")], opponent="depth4", tamper={3: "mirror"}),
    "interrupted": Case([Life(kill="interrupt reply 5")]),
    "abandoned": Case([Life(kill="after reply 5"), Life(fresh=True, kill="after intent 1")]),
    "contradiction": Case([Life(kill="after contradiction 1")], tamper={4: "mirror"}),
}


def main(folder: Path) -> None:
    """Record every case into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[2:] or list(CASES)
    for name in wanted:
        record(name, CASES[name], folder)


def record(name: str, case: Case, folder: Path) -> None:
    """Play one case and write its journal and what the first edition makes of it."""
    with tempfile.TemporaryDirectory() as temporary:
        logs = Path(temporary) / "logs"
        play(case, logs)
        files = sorted(logs.glob("*.jsonl"))
        path = folder / f"{name}.jsonl"
        shutil.copyfile(files[0], path)
        if KEY in path.read_text():
            raise SystemExit(f"{name}: the key is in the journal.")
        expected = expectation(path, Path(temporary))
    (folder / f"{name}.expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")
    kinds = [entry.get("kind", entry["type"]) for game in read_journal(path).games for entry in game.records]
    print(name, " ".join(kinds), json.dumps(expected)[:300], sep="\n  ")


def play(case: Case, logs: Path) -> None:
    """The server, and one player process after the other."""
    opponent = make_agent(case.opponent, seed=3) if isinstance(case.opponent, str) else Scripted("bot", case.opponent)
    store = Store()
    store.open()
    referee = Tampered(store, opponent, dialect=case.dialect, starter=case.starter, seed=4, tamper=case.tamper)
    sock = listen()
    with ExitStack() as stack:
        url = stack.enter_context(serving(create_app(referee, dialect=case.dialect, api_key=KEY), sock))
        if case.faults:
            plan = FaultPlan.parse(case.faults, 1)
            url = stack.enter_context(failing(sock.getsockname()[:2], plan, "127.0.0.1", 0))
        live(case, url, logs)
    store.close()


def live(case: Case, url: str, logs: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for life in case.lives:
        arguments = [url, str(logs), str(life.games), life.kill, life.engine, str(int(life.fresh))]
        arguments.append(json.dumps(life.script))
        command = [sys.executable, __file__, "--player", *arguments]
        done = subprocess.run(command, env=environment, check=False)
        if done.returncode != (0 if not life.kill or life.kill.startswith("interrupt") else -signal.SIGKILL):
            raise SystemExit(f"The player ended with {done.returncode}: {life}")


def player(url: str, logs: str, games: str, kill: str, engine: str, fresh: str, script: str) -> None:
    """The player process."""
    if kill:
        kill_at(*kill.split())
    agent = Scripted("script", json.loads(script)) if script != "[]" else make_agent(engine, seed=1)
    run = Run(Plan(SERVER, url, (STUDENT,), int(games), 20, 5.0, 0.02, 5.0, Path(logs), fresh == "1"), agent)
    with suppress(KeyboardInterrupt):
        run.play(CourseClient(url, (STUDENT,), SecretStr(KEY), Timeouts(patience_s=5.0)), Silent())
    run.journal.close()


def kill_at(when: str, what: str, number: str) -> None:
    """End this process before, inside or after the chosen record."""
    append, left = JournalWriter.append, int(number)

    def mortal(self: JournalWriter, record_type: str, /, **fields: Any) -> None:
        nonlocal left
        left -= what in (record_type, fields.get("kind"))
        if left > 0 or what not in (record_type, fields.get("kind")):
            append(self, record_type, **fields)
            return
        if when == "inside":
            write = os.write
            os.write = lambda descriptor, data: write(descriptor, data[: len(data) // 2])  # type: ignore[assignment]
            JournalWriter._cut = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign]
        if when != "before":
            append(self, record_type, **fields)
        if when == "interrupt":
            raise KeyboardInterrupt
        os.kill(os.getpid(), signal.SIGKILL)

    JournalWriter.append = mortal  # type: ignore[method-assign]


def expectation(path: Path, temporary: Path) -> dict[str, Any]:
    """What the first edition makes of a journal."""
    journal = read_journal(path)
    unfinished = journal.unfinished
    return {
        "torn": journal.torn,
        "unfinished": None if unfinished is None else unfinished.number,
        "games": [_game(game) for game in journal.games],
        "run_problems": count_problems(path),
        "resume": None if unfinished is None else _resume(journal, unfinished, temporary),
    }


def _game(game: Game) -> dict[str, Any]:
    ended = game.ended or {}
    return {
        "game": game.number,
        "result": game.result,
        "known_by": ended.get("known_by"),
        "problems": replay_game(game).problems,
    }


class NoServer:
    """A client without a server: resuming a journal must not need one."""

    on_departure: Any = None

    def stats(self, patience_s: float | None = None) -> Any:  # noqa: ARG002
        raise NotSentError("There is no server.")


def _resume(journal: Journal, game: Game, temporary: Path) -> dict[str, Any]:
    copy = temporary / "copy.jsonl"
    shutil.copyfile(journal.path, copy)
    outcomes, model = Outcomes(), OpponentModel()
    seat = Seat(
        NoServer(),  # type: ignore[arg-type]
        make_agent("random", seed=1),
        SeatLog(JournalWriter.resume(copy), Silent()),
        MoveClock(5.0, 0.02),
        outcomes.within,
        model,
        Caution(outcomes, model),
    )
    learn(journal, seat.odds, seat.model)
    ended = take_up(seat, game)
    total = sum(world.odds for world in seat.worlds)
    hypotheses = [
        {
            "board": None if world.position is None else drawn(world.position.grid),
            "we_started": None if world.position is None else world.position.we_started,
            "ended": [world.ended, world.won, world.lost],
            "probability": round(world.odds / total, 6),
        }
        for world in seat.worlds
    ]
    hypotheses.sort(key=lambda entry: (-entry["probability"], str(entry["board"]), entry["ended"]))
    return {
        "hypotheses": hypotheses,
        "ended": [{"game": game.number, "result": game.result, "known_by": game.known_by} for game in ended],
    }


def drawn(grid: list[list[int]]) -> str:
    """A board as a line: its rows that hold discs, from the top, X ours, O the bot's."""
    return "/".join("".join(".XO"[cell] for cell in row) for row in grid if any(row)) or "empty"


if __name__ == "__main__":
    if sys.argv[1] == "--player":
        player(*sys.argv[2:])
    else:
        main(Path(sys.argv[1]))
