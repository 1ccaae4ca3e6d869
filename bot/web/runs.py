"""The journals of one folder as JSON for the page: runs, games, moves and proven mistakes."""

from __future__ import annotations

import re
import stat
import threading
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bot.course.journal.games import RecordedGame, Step, game_problems, outcome_of
from bot.course.journal.journal import Journal, journal_files, parse_outline
from bot.course.run.standings import Standings, judged, standings_of
from bot.engine.review import judge
from bot.engine.score import finished_score
from bot.errors import BotError, JournalError, UsageError, printable
from bot.game import Board, format_moves
from bot.web.agents import finite
from bot.web.room import public_name

MAX_RUNS = 500
"""Number of journals that the page knows; older ones are left out."""
LIVE_S = 20.0
"""A run without an end is "live" up to this age of its last record, seconds."""
SILENT_S = 600.0
"""Beyond `LIVE_S` and up to this age, seconds, a run is "silent": it may be waiting for its server."""
_NAME = re.compile(r"[\w.+-]{1,200}\.jsonl", re.ASCII)
_MOVE_FIELDS = ("score", "depth", "seconds", "move_s")


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A journal as one look at the folder found it; once the file has changed, a look finds another value."""

    path: Path
    written_ns: int
    """Time of the last write, nanoseconds since the epoch."""
    size: int


class Runs:
    """The journals directly in ``folder``. Files elsewhere are never read, not even through a link.

    Safe for several threads.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._outlines: dict[Path, tuple[FoundFile, Journal | JournalError]] = {}
        self._lock = threading.Lock()

    def files(self) -> list[FoundFile]:
        """Return the journals, newest first, at most `MAX_RUNS`: the only files that the page shows."""
        found: list[FoundFile] = []
        for path in reversed(journal_files(self.folder)):
            if len(found) == MAX_RUNS:
                break
            with suppress(OSError):  # the file has been deleted in the meantime
                status = path.lstat()
                if stat.S_ISREG(status.st_mode) and _NAME.fullmatch(path.name):
                    found.append(FoundFile(path, status.st_mtime_ns, status.st_size))
        return found

    def path(self, name: str, *, spectator: bool) -> Path:
        """Return the path of the journal called ``name`` in the list that its reader sees; raise UsageError if there
        is none."""
        for file in self.files():
            listed = public_name(file.path.name) if spectator else file.path.name
            if listed == name:
                return file.path
        raise UsageError("This journal is not in the folder.", "Choose one from the list.")

    def outline(self, file: FoundFile) -> Journal | JournalError:
        """Return the run in ``file`` without the steps of its finished games, to save time and memory; or why it cannot
        be shown.

        The file is read again only if it has changed, or could not be read the last time.
        """
        with self._lock:  # of several requests at once, the first one reads the file
            kept = self._outlines.get(file.path)
            if kept is not None and kept[0] == file:
                return kept[1]
            try:
                outline: Journal | JournalError = parse_outline(file.path.read_bytes(), file.path)
            except Exception as error:
                outline = unreadable(file.path, error)
                if isinstance(error, OSError):
                    return outline
            if len(self._outlines) > MAX_RUNS:
                self._outlines.clear()
            self._outlines[file.path] = file, outline
            return outline

    def outlines(self) -> Iterator[Journal]:
        """Yield the outlines of all runs that can be read, newest first."""
        for file in self.files():
            outline = self.outline(file)
            if isinstance(outline, Journal):
                yield outline

    def summaries(self) -> list[dict[str, Any]]:
        """Return all runs, newest first; one that cannot be shown has an ``error`` in place of the counts."""
        summaries = []
        for file in self.files():
            outline = self.outline(file)
            if isinstance(outline, Journal):
                summaries.append(run_json(outline))
            else:
                summaries.append({"name": file.path.name, "error": str(outline)})
        return summaries

    def before(self, journal: Journal) -> list[Journal]:
        """Return the outlines of the earlier runs of the same player at the same server, oldest first."""
        name, player = journal.path.name, journal.player
        earlier = [other for other in self.outlines() if other.path.name < name and other.player == player]
        return earlier[::-1]


def unreadable(path: Path, error: Exception) -> JournalError:
    """Return why a journal cannot be shown, as a sentence. A bug must not hide the other runs: it is only printed."""
    if isinstance(error, JournalError):
        return error
    if isinstance(error, OSError):
        return JournalError(f"The journal {path.name} cannot be read: {error.strerror}.")
    traceback.print_exception(error)
    return JournalError(bug_sentence(f"The journal {path.name} cannot be shown", error))


def bug_sentence(what: str, error: Exception) -> str:
    """Return what a bug means for the user of the page, and what to do next."""
    means = f"{what}. Your game is safe. Try again, or reload the page."
    return f"{means} Details are in the terminal ({type(error).__name__})."


def run_json(journal: Journal, past: Iterable[Journal] | None = None) -> dict[str, Any]:
    """Return a run's header and counts; with the earlier runs ``past``, its current streak as well."""
    header = journal.header
    goal = max(1, min(1000, header.goal))
    fields: dict[str, Any] = {
        "name": journal.path.name,
        "server": header.server,
        "player": "+".join(header.stil_ids),
        "time": header.time,
        "engine": header.engine,
        "goal": goal,
        "started": len(journal.games),
        **counts(game.result for game in journal.games if game.result),
        "end": how_it_ended(journal),
        "damaged": len(journal.damaged),
    }
    if past is not None:
        standings = standings_of([*past, journal])
        fields |= {"streak": standings.current, **_verdict(journal, standings, goal)}
    return {name: printable(value) if isinstance(value, str) else value for name, value in fields.items()}


def counts(results: Iterable[float]) -> dict[str, int]:
    """Return the numbers of games by result: "played", "won", "drawn" and "lost"."""
    standings = Standings()
    for result in results:
        standings.add(result)
    return {name: getattr(standings, name) for name in ("played", "won", "drawn", "lost")}


def _verdict(journal: Journal, standings: Standings, goal: int) -> dict[str, Any]:
    """Return whether the goal is met, and by whose count; nothing between a game's end and the reading after it.

    ``met``: whether the server's own count says so; None before its reading.
    """
    if journal.counted is None and how_it_ended(journal) == "live":
        return {"by": "", "verdict": "", "met": None}
    verdict = judged(goal, standings, journal.counted)
    met = verdict.is_met and verdict.witness == "server"
    return {"by": verdict.by, "verdict": verdict.sentence, "met": met}


def whole_run_json(journal: Journal, past: Iterable[Journal]) -> dict[str, Any]:
    """Return a run with all its games; ``past``: the earlier runs of the same player."""
    games = [game_json(game) for game in journal.games]
    return {**run_json(journal, past), "all": games}


def how_it_ended(journal: Journal) -> str:
    """Return how the run ended.

    "finished", "interrupted" or "error" as the journal says; without an end, "live", "silent" or "broken off" by the
    age of its last record.
    """
    if journal.run_end is not None:
        return journal.run_end.reason
    try:
        age_s = time.time() - journal.path.stat().st_mtime
    except OSError:
        return "broken off"
    if age_s < LIVE_S:
        return "live"
    return "silent" if age_s < SILENT_S else "broken off"


def game_json(game: RecordedGame) -> dict[str, Any]:
    """Return one game: moves (columns 1-7), starter, result, and by ply what the search found for the bot's moves."""
    we_started, columns = game.we_started is not False, game.moves
    about: dict[int, dict[str, Any]] = {}
    notes = list(game.notes)
    for step in game.steps:
        notes += step.notes
        if step.move >= 0:
            ply = step.chosen.ply if step.met is None else step.met.ply
            about[ply] = _search_json(step)
    return {
        "number": game.number,
        "result": finite(game.result),
        "outcome": "running" if game.result is None else outcome_of(game.result),
        "we_started": we_started,
        "moves": format_moves(columns),
        "about": about,
        "verdicts": _verdicts(columns, we_started, about),
        "notes": [printable(text[:300]) for text in notes],
        "problems": game_problems(game),
    }


def _search_json(step: Step) -> dict[str, Any]:
    fields = {name: finite(getattr(step.chosen, name)) for name in _MOVE_FIELDS}
    return {**fields, "proven": step.chosen.proven, "source": step.chosen.source}


def _verdicts(columns: tuple[int, ...], we_started: bool, about: dict[int, dict[str, Any]]) -> dict[int, Any]:
    """Return the verdicts, by ply from 0, of moves that changed the score between two proven scores of the bot."""
    scores = {ply: search["score"] for ply, search in about.items() if search["proven"]}
    try:
        board = Board.from_moves(columns)
    except BotError:
        return {}
    if board.is_over:
        ours_to_move = (board.ply % 2 == 0) == we_started
        scores[board.ply] = finished_score(board) * (1 if ours_to_move else -1)
    verdicts = {}
    for ply, before in scores.items():
        after = scores.get(ply + 1, scores.get(ply + 2))
        if before is None or after in (None, before):
            continue
        # Two scores bracket the bot's move and its answer: the sign of the change tells which of them gave value away.
        if after < before:
            verdicts[ply] = asdict(judge(int(before), int(after))) | {"score": after}
        else:
            verdicts[ply + 1] = asdict(judge(-int(before), -int(after))) | {"score": after}
    return verdicts
