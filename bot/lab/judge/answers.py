"""The agents' columns in the judged positions, asked over processes and saved in pieces: a killed run resumes."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bot.agents.games import ready_agent
from bot.engine.agent import Limit
from bot.errors import BotError, UsageError
from bot.files import LineFile, whole_lines
from bot.game import Board
from bot.lab.arena.games import derived_seed
from bot.lab.arena.workers import run_tasks
from bot.lab.judge.positions import PLIES, Judged, digest

_BEGINNING = ('{"agent": ',)
"""What a file of answers begins with."""
PIECE = PLIES
"""Positions of a piece of work, one of each ply: the most that a kill can lose in each process."""
SOURCES = ("game", "engine", "learn/levels", "agents")
"""Folders of the package whose files decide what the agents play."""
Progress = Callable[[str, int, int], None]
"""Called with an agent, the number of its positions that are done, and of all positions."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An agent's choice in one position."""

    column: int | None
    """Column 0..6; None where the agent failed to make a legal move."""
    seconds: float


@dataclass(frozen=True, slots=True)
class Piece:
    """Some of an agent's positions: input of one independent piece of work."""

    agent: str
    first: int
    """Number of the first position in the set."""
    moves: tuple[tuple[int, ...], ...]
    seed: int
    limit: Limit


def ask(piece: Piece) -> list[Answer]:
    """Return the agent's answers. Every position has a new agent, seeded by the position's number."""
    answers = []
    for number, columns in enumerate(piece.moves, start=piece.first):
        board = Board.from_moves(columns)
        agent = ready_agent(piece.agent, derived_seed("judge", piece.seed, number))
        start = time.perf_counter()
        try:
            decision = agent.choose(board, piece.limit)
            column = decision.column if board.can_play(decision.column) else None
            answers.append(Answer(column, decision.seconds))
        except BotError:
            answers.append(Answer(None, time.perf_counter() - start))
        finally:
            close = getattr(agent, "close", None)
            if close is not None:
                close()
    return answers


def ask_all(
    agents: Sequence[str],
    positions: Sequence[Judged],
    *,
    limit: Limit,
    seed: int = 0,
    workers: int = 1,
    saved: Path | None = None,
    progress: Progress = lambda _agent, _done, _total: None,
) -> dict[str, list[Answer]]:
    """Return every agent's answers, in the order of the positions.

    Pieces that ``saved`` contains for the same positions, limits, seed and sources are not asked again; new ones are
    appended to it. Raises UsageError for an unknown agent, and where ``saved`` cannot be written.
    """
    for agent in agents:
        ready_agent(agent)
    settings = {"seed": seed, "limit": asdict(limit), "sources": fingerprint()}
    answers: dict[str, dict[int, list[Answer]]] = {agent: {} for agent in agents}
    for agent, first, known in _load(saved, settings, positions):
        if agent in answers:
            answers[agent][first] = known
    moves = [position.columns for position in positions]
    pieces = [
        Piece(agent, first, tuple(moves[first : first + PIECE]), seed, limit)
        for agent in agents
        for first in range(0, len(moves), PIECE)
        if first not in answers[agent]
    ]

    def report(agent: str) -> None:
        done = sum(map(len, answers[agent].values()))
        progress(agent, done, len(moves))

    with _Saver(saved, settings) as saver:
        for piece, found in run_tasks(ask, pieces, workers=workers):
            answers[piece.agent][piece.first] = found
            saver.save(piece, digest(positions[piece.first : piece.first + PIECE]), found)
            report(piece.agent)
    return {
        agent: [answer for first in sorted(pieces) for answer in pieces[first]] for agent, pieces in answers.items()
    }


@cache
def fingerprint() -> str:
    """Return 16 hex digits that change with the sources of the agents of this package."""
    package = Path(__file__).parents[2]
    files = [path for folder in SOURCES for path in (package / folder).rglob("*.py")]
    hashed = hashlib.sha256()
    for path in sorted(files):
        hashed.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return hashed.hexdigest()[:16]


def _load(
    path: Path | None, settings: dict[str, Any], positions: Sequence[Judged]
) -> list[tuple[str, int, list[Answer]]]:
    """Return agent, first position and answers of the saved pieces with these settings and positions.

    Damaged lines are skipped.
    """
    pieces = {first: digest(positions[first : first + PIECE]) for first in range(0, len(positions), PIECE)}
    found: list[tuple[str, int, list[Answer]]] = []
    for line in whole_lines(path, _BEGINNING):
        with suppress(ValueError, KeyError, TypeError):
            entry = json.loads(line)
            if entry["settings"] == settings and entry["set"] == pieces.get(entry["first"]):
                pairs = zip(entry["columns"], entry["seconds"], strict=True)
                found.append((entry["agent"], entry["first"], [Answer(column, taken) for column, taken in pairs]))
    return found


class _Saver:
    """Appends finished pieces to a file, one JSON object a line."""

    def __init__(self, path: Path | None, settings: dict[str, Any]) -> None:
        self._path = path
        self._settings = settings
        self._file = LineFile(path, beginnings=_BEGINNING)

    def __enter__(self) -> _Saver:
        if self._path is not None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file.__enter__()
            except OSError as error:
                raise UsageError(f"{self._path} cannot be written: {error.strerror}.", "Choose another file.") from None
        return self

    def __exit__(self, *error: object) -> None:
        self._file.__exit__(*error)

    def save(self, piece: Piece, positions: str, answers: Sequence[Answer]) -> None:
        """Append a piece; ``positions`` is the digest of its positions."""
        columns = [answer.column for answer in answers]
        seconds = [round(answer.seconds, 7) for answer in answers]
        entry = {"agent": piece.agent, "first": piece.first, "columns": columns, "seconds": seconds}
        self._file.append(json.dumps({**entry, "set": positions, "settings": self._settings}))
