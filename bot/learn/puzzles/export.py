"""Puzzles as text, as a file that Anki imports, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from bot.learn.puzzles.puzzle import Puzzle

ANKI_HEAD = (
    "#separator:tab",
    "#html:true",
    "#notetype:Basic",
    "#columns:Front\tBack\tTags",
    "#tags column:3",
)
"""Anki's file headers (version 2.1.54 and later), which spare every question of its import dialogue."""


def as_text(puzzles: Sequence[Puzzle]) -> str:
    """Return all puzzles without their solutions."""
    parts = [
        f"Puzzle {number} ({puzzle.name}), grade {puzzle.grade}: {puzzle.question}\n\n{puzzle.board}\n"
        for number, puzzle in enumerate(puzzles, start=1)
    ]
    return "\n".join(parts)


def as_solutions(puzzles: Sequence[Puzzle]) -> str:
    """Return all solutions, a line each."""
    return "".join(f"{number}. {puzzle.answer}\n" for number, puzzle in enumerate(puzzles, start=1))


def as_anki(puzzles: Sequence[Puzzle]) -> str:
    """Return a file for Anki's import: one line a puzzle, fields separated by tabs: front, back, tags."""
    rows = []
    for puzzle in puzzles:
        front = f"<p>{escape(puzzle.question)}</p><pre>{escape(str(puzzle.board))}</pre>"
        back = f"<p>{escape(puzzle.answer)}</p><p>Moves: {puzzle.moves}</p>"
        tags = f"connect-four {puzzle.kind.value} grade-{puzzle.grade}"
        rows.append("\t".join(field.replace("\n", "<br>") for field in (front, back, tags)))
    return "\n".join([*ANKI_HEAD, *rows, ""])


def as_json(puzzle: Puzzle) -> dict[str, Any]:
    """Return all fields (columns 0..6), and ``grade``, ``motif``, ``question`` and ``answer``."""
    found = {**asdict(puzzle), "kind": puzzle.kind.value}
    if puzzle.reason is not None:
        found["reason"]["kind"] = puzzle.reason.kind.value
    return {**found, **{name: getattr(puzzle, name) for name in ("grade", "motif", "question", "answer")}}
