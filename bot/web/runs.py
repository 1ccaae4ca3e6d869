"""The journals of one folder as the page shows them: runs, games, and the moves that the boards prove."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bot.errors import BotError, UsageError
from bot.game import format_moves, parse_moves
from bot.journal.reader import Game, Journal, read_journal
from bot.journal.schema import Record, outcome_of
from bot.journal.verify import replay_game
from bot.match.streak import streak_of
from bot.web.players import finite

MOST_RUNS = 500
LIVE_S = 20.0
"""A run without an end whose file has not grown for so long is taken for broken off."""
_NAME = re.compile(r"[\w.+-]{1,200}\.jsonl", re.ASCII)
_ABOUT = ("score", "depth", "nodes", "seconds", "move_s")

Grid = list[list[int]]


class Runs:
    """The journals in ``folder``; whatever is asked for by name lies directly in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[str, tuple[int, int, Journal]] = {}

    def paths(self) -> list[Path]:
        """All journals, newest first, at most `MOST_RUNS`."""
        found = [path for path in self.folder.glob("*.jsonl") if _NAME.fullmatch(path.name) and path.is_file()]
        return sorted(found, key=lambda path: path.name, reverse=True)[:MOST_RUNS]

    def path(self, name: str) -> Path:
        """The journal called ``name``; raises UsageError where there is none."""
        path = self.folder / name
        if not _NAME.fullmatch(name) or not path.is_file() or path.resolve().parent != self.folder.resolve():
            raise UsageError("There is no such journal.", "Choose one from the list.")
        return path

    def journal(self, path: Path) -> Journal:
        """The run in ``path``, read again only when the file has changed; raises JournalError when it is damaged."""
        status = path.stat()
        mark = (status.st_mtime_ns, status.st_size)
        kept = self._read.get(path.name)
        if kept is None or kept[:2] != mark:
            if len(self._read) > MOST_RUNS:
                self._read.clear()
            kept = (*mark, read_journal(path))
            self._read[path.name] = kept
        return kept[2]

    def summaries(self) -> list[dict[str, Any]]:
        """All runs, newest first; a damaged one with its ``error`` in place of its counts."""
        told = []
        for path in self.paths():
            try:
                told.append(run_json(self.journal(path)))
            except (BotError, OSError) as error:
                told.append({"name": path.name, "error": str(error)})
        return told

    def before(self, journal: Journal) -> list[Journal]:
        """The readable earlier runs of the same player at the same server, oldest first."""
        found = []
        for path in reversed(self.paths()):
            if path.name >= journal.path.name:
                break
            try:
                other = self.journal(path)
            except (BotError, OSError):
                continue
            if other.server == journal.server and set(other.stil_ids) == set(journal.stil_ids):
                found.append(other)
        return found


def run_json(journal: Journal, past: Iterable[Journal] | None = None) -> dict[str, Any]:
    """A run's header and counts; with its ``past``, the streak that stands."""
    header = journal.header
    results = [game.result for game in journal.games if game.result]
    told: dict[str, Any] = {
        "name": journal.path.name,
        "server": journal.server,
        "player": "+".join(journal.stil_ids),
        "time": str(header.get("time", "")),
        "engine": str(header.get("engine", "")),
        "goal": max(1, min(1000, int(finite(header.get("goal")) or 20))),
        "games": finite(header.get("games")),
        "played": len(results),
        "won": sum(result == 1 for result in results),
        "drawn": sum(0 < result < 1 for result in results),
        "lost": sum(result < 0 for result in results),
        "end": _how_it_ended(journal),
    }
    if past is not None:
        told["streak"] = streak_of([*past, journal]).current
    return told


def _how_it_ended(journal: Journal) -> str:
    """finished, interrupted or error, as the journal says; live while it grows, else broken off."""
    if journal.end is not None:
        return str(journal.end["reason"])
    try:
        age_s = time.time() - journal.path.stat().st_mtime
    except OSError:
        return "broken off"
    return "live" if age_s < LIVE_S else "broken off"


def game_json(game: Game) -> dict[str, Any]:
    """One game: ``moves`` (columns 1-7), who started, the result, and by ply what we thought of our moves."""
    we_started, columns = _moves(game)
    result = None if game.result is None else finite(game.result)
    return {
        "number": game.number,
        "result": result,
        "outcome": "running" if result is None else "void" if result == 0 else outcome_of(result),
        "we_started": we_started,
        "moves": format_moves(columns),
        "about": {str(record["ply"]): _about(record) for record in game.records if _is_move(record)},
        "notes": [str(record.get("text", ""))[:300] for record in game.records if _is_note(record)],
        "problems": _problems(game),
    }


def _is_move(record: Record) -> bool:
    return record["type"] == "intent" and record["move"] >= 0 and isinstance(record.get("ply"), int)


def _is_note(record: Record) -> bool:
    return bool(record["type"] == "event" and record["kind"] != "books")


def _about(record: Record) -> dict[str, Any]:
    told: dict[str, Any] = {name: finite(record.get(name)) for name in _ABOUT}
    told["proven"] = record.get("proven") is True
    told["source"] = str(record.get("source", ""))
    return told


def _problems(game: Game) -> list[str]:
    try:
        return replay_game(game).problems
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return ["The game's records are of a kind that cannot be checked."]


def _moves(game: Game) -> tuple[bool, tuple[int, ...]]:
    """Who started, and the columns played: as the game's end tells them, else as the boards prove them."""
    grids = [record["state"] for record in game.records if record["type"] == "reply" and _is_grid(record.get("state"))]
    we_started = not any(cell == -1 for row in grids[0] for cell in row) if grids else True
    if not grids and game.ended is None:
        return we_started, ()
    ended = game.ended or {}
    if isinstance(ended.get("we_started"), bool):
        we_started = ended["we_started"]
    if isinstance(ended.get("moves"), str) and ended["moves"]:
        try:
            return we_started, parse_moves(ended["moves"])[:42]
        except BotError:
            pass
    columns: list[int] = []
    heights = [0] * 7
    for grid in grids:
        part = _between(heights, grid, 1 if (len(columns) % 2 == 0) == we_started else -1)
        if part is None:
            break
        columns += part
    return we_started, tuple(columns)


def _between(heights: list[int], grid: Grid, to_move: int) -> list[int] | None:
    """An order of moves from the columns' ``heights`` (brought forward) to ``grid``; more than two discs where replies
    were lost. None where none leads there.
    """
    stacks = [[grid[row][column] for row in range(5, -1, -1) if grid[row][column] != 0] for column in range(7)]
    missing = sum(map(len, stacks)) - sum(heights)
    if missing == 0:
        return []
    for column in range(7):
        if heights[column] < len(stacks[column]) and stacks[column][heights[column]] == to_move:
            heights[column] += 1
            rest = _between(heights, grid, -to_move)
            if rest is not None:
                return [column, *rest]
            heights[column] -= 1
    return None


def _is_grid(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 6
        and all(isinstance(row, list) and len(row) == 7 and all(cell in (-1, 0, 1) for cell in row) for row in value)
    )
