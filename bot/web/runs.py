"""The journals of one folder as JSON for the page: runs, games, moves and proven mistakes."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bot.course.journal.games import RecordedGame, Step, outcome_of
from bot.course.journal.journal import Journal
from bot.course.journal.reader import read_outline
from bot.course.journal.verify import game_problems
from bot.course.run.standings import NOT_READ, GoalVerdict, Standings, judged, reason_unread, standings_of
from bot.engine.review import judge
from bot.engine.score import finished_score
from bot.errors import BotError, UsageError
from bot.game import Board, format_moves
from bot.web.agents import finite
from bot.web.room import public_name

MAX_RUNS = 500
"""Number of journals that the page lists; older ones are left out."""
LIVE_S = 20.0
"""A run without an end is "live" up to this age of its last record, seconds."""
SILENT_S = 600.0
"""Beyond `LIVE_S` and up to this age, seconds, a run is "silent": it may be waiting for its server."""
_NAME = re.compile(r"[\w.+-]{1,200}\.jsonl", re.ASCII)
_MOVE_FIELDS = ("score", "depth", "seconds", "move_s")


class Runs:
    """The journals directly in ``folder``. Files elsewhere are never read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._outlines: dict[str, tuple[int, int, Journal | BotError]] = {}

    def paths(self) -> list[Path]:
        """Return the journals, newest first, at most `MAX_RUNS`."""
        found = [path for path in self.folder.glob("*.jsonl") if _NAME.fullmatch(path.name) and path.is_file()]
        return sorted(found, key=lambda path: path.name, reverse=True)[:MAX_RUNS]

    def path(self, name: str) -> Path:
        """Return the path of the journal called ``name``; raise UsageError if there is none."""
        path = self.folder / name
        if not _NAME.fullmatch(name) or not path.is_file() or path.resolve().parent != self.folder.resolve():
            raise UsageError("This journal is not in the folder.", "Choose one from the list.")
        return path

    def public_path(self, name: str) -> Path:
        """Return the path of the journal that spectators know as ``name``; raise UsageError if there is none."""
        found = next((path for path in self.paths() if public_name(path.name) == name), None)
        if found is None:
            raise UsageError("This run is not in the folder.", "Choose one from the list.")
        return found

    def outline(self, path: Path) -> Journal:
        """Return the run in ``path`` without the steps of its finished games, to save time and memory.

        The file is read again only after it has changed. Raises JournalError if it is not a journal.
        """
        status = path.stat()
        mark = (status.st_mtime_ns, status.st_size)
        kept = self._outlines.get(path.name)
        if kept is None or kept[:2] != mark:
            if len(self._outlines) > MAX_RUNS:
                self._outlines.clear()
            kept = (*mark, _outline(path))
            self._outlines[path.name] = kept
        if isinstance(kept[2], BotError):
            raise kept[2].with_traceback(None)
        return kept[2]

    def summaries(self) -> list[dict[str, Any]]:
        """Return all runs, newest first; a file that is not a journal has an ``error`` in place of the counts."""
        summaries = []
        for path in self.paths():
            try:
                summaries.append(run_json(self.outline(path)))
            except BotError as error:
                summaries.append({"name": path.name, "error": str(error)})
            except OSError:  # the file has been deleted in the meantime
                continue
        return summaries

    def before(self, journal: Journal) -> list[Journal]:
        """Return the outlines of the earlier runs of the same player at the same server, oldest first."""
        found = []
        for path in reversed(self.paths()):
            if path.name >= journal.path.name:
                break
            try:
                other = self.outline(path)
            except (BotError, OSError):
                continue
            if other.player == journal.player:
                found.append(other)
        return found


def _outline(path: Path) -> Journal | BotError:
    try:
        return read_outline(path)
    except BotError as error:
        return error


def run_json(journal: Journal, past: Iterable[Journal] | None = None) -> dict[str, Any]:
    """Return a run's header and counts; with the earlier runs ``past``, its current streak as well."""
    header = journal.header
    results = [game.result for game in journal.games if game.result]
    fields: dict[str, Any] = {
        "name": journal.path.name,
        "server": header.server,
        "player": "+".join(header.stil_ids),
        "time": header.time,
        "engine": header.engine,
        "goal": max(1, min(1000, header.goal)),
        "started": len(journal.games),
        "played": len(results),
        "won": sum(result == 1 for result in results),
        "drawn": sum(0 < result < 1 for result in results),
        "lost": sum(result < 0 for result in results),
        "end": how_it_ended(journal),
        "damaged": len(journal.damaged),
    }
    if past is not None:
        standings = standings_of([*past, journal])
        verdict = _verdict(journal, standings)
        by, sentence = (verdict.by, verdict.sentence) if verdict is not None else ("", "")
        fields |= {"streak": standings.current, "by": by, "verdict": sentence}
    return fields


def _verdict(journal: Journal, standings: Standings) -> GoalVerdict | None:
    """Return whether the goal is met and by whose count; None between a game's end and the reading that follows it."""
    counted, goal = journal.counted, max(1, min(1000, journal.header.goal))
    if counted is not None:
        return judged(goal, standings, counted.stats, reason_unread(counted))
    return None if how_it_ended(journal) == "live" else judged(goal, standings, None, NOT_READ)


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
    return "live" if age_s < LIVE_S else "silent" if age_s < SILENT_S else "broken off"


def game_json(game: RecordedGame) -> dict[str, Any]:
    """Return one game: moves (columns 1-7), starter, result, and by ply what the search found for the bot's moves."""
    we_started, columns = game.we_started is not False, game.moves
    searches = {(step.chosen.ply if step.met is None else step.met.ply): step for step in game.steps if step.move >= 0}
    about = {ply: _search_json(step) for ply, step in searches.items()}
    return {
        "number": game.number,
        "result": finite(game.result),
        "outcome": "running" if game.result is None else outcome_of(game.result),
        "we_started": we_started,
        "moves": format_moves(columns),
        "about": about,
        "verdicts": _verdicts(columns, we_started, about),
        "notes": [text[:300] for text in (*game.notes, *(text for step in game.steps for text in step.notes))],
        "problems": game_problems(game),
    }


def _search_json(step: Step) -> dict[str, Any]:
    fields = {name: finite(getattr(step.chosen, name)) for name in _MOVE_FIELDS}
    return {**fields, "proven": step.chosen.proven, "source": step.chosen.source}


def _verdicts(columns: tuple[int, ...], we_started: bool, searches: dict[int, dict[str, Any]]) -> dict[int, Any]:
    """Return the verdicts, by ply from 0, of moves that changed the score between two proven scores of the bot."""
    scores = {
        ply: search["score"] for ply, search in searches.items() if search["proven"] and search["score"] is not None
    }
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
        if after is None or after == before:
            continue
        # Two scores bracket the bot's move and its answer: the sign of the change tells which of them gave value away.
        by_us = after < before
        verdict = judge(int(before), int(after)) if by_us else judge(-int(before), -int(after))
        verdicts[ply if by_us else ply + 1] = asdict(verdict) | {"score": after}
    return verdicts
