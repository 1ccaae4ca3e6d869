"""Puzzles from a seed: positions from games of human-like levels, kept where the solver proves a puzzle."""

from __future__ import annotations

import datetime
import random
from collections.abc import Collection, Iterator
from itertools import count, islice

from bot.engine.agent import NO_LIMIT_S, Limit, StopFlag
from bot.engine.analysis import Analyst
from bot.game import Board, format_moves
from bot.learn.levels.player import LevelPlayer
from bot.learn.puzzles.classify import classify, reason_for
from bot.learn.puzzles.puzzle import Puzzle, PuzzleKind

PLIES = (18, 34)
"""Fewest and most discs on a puzzle's board: earlier positions take long to solve, later ones have few moves."""
LEVELS = (2, 5)
"""Lowest and highest level of the players whose games are used."""
DAILY = 5
"""Puzzles of a day."""
CANDIDATES = 25
"""Most puzzles that are made to choose those of a day from."""
_LIMIT = Limit(hard_s=2 * NO_LIMIT_S)
"""No time limit, and no timer thread: it would take longer to start than a shallow search."""


class Generator:
    """Makes puzzles. Equal seeds make equal puzzles on every machine: nothing depends on a clock."""

    def __init__(self) -> None:
        self._analyst = Analyst()

    def warm_up(self) -> None:
        """Load or compile the kernels."""
        self._analyst.warm_up()
        LevelPlayer(LEVELS[0], 0).warm_up()

    def puzzles(
        self,
        seed: int | str,
        kinds: Collection[PuzzleKind] = tuple(PuzzleKind),
        grades: Collection[int] = range(1, 6),
        stop: StopFlag | None = None,
    ) -> Iterator[Puzzle]:
        """Yield the puzzles of a seed in their order, without end; only those of these kinds and grades."""
        for number in count():
            if stop is not None and stop.is_set:
                return
            puzzle = self._puzzle(seed, number)
            if puzzle is not None and puzzle.kind in kinds and puzzle.grade in grades:
                yield puzzle

    def daily(self, day: datetime.date, stop: StopFlag | None = None) -> list[Puzzle]:
        """Return the puzzles of a day, as different as its stream allows, from easy to hard; the same for everybody."""
        kinds: dict[PuzzleKind, Puzzle] = {}
        motifs: dict[str, Puzzle] = {}
        made: list[Puzzle] = []
        for puzzle in islice(self.puzzles(f"daily/{day.isoformat()}", stop=stop), CANDIDATES):
            made.append(puzzle)
            kinds.setdefault(puzzle.kind, puzzle)
            motifs.setdefault(puzzle.motif, puzzle)
            if len(kinds) == len(PuzzleKind) and len(motifs) >= DAILY:
                break
        chosen = dict.fromkeys([*kinds.values(), *motifs.values(), *made])
        return sorted(islice(chosen, DAILY), key=lambda puzzle: (puzzle.plies, puzzle.name))

    def _puzzle(self, seed: int | str, number: int) -> Puzzle | None:
        """Return the puzzle in the position of this number, or None where it is none."""
        moves = _moves(seed, number)
        board = Board.from_moves(moves)
        if board.is_over:
            return None
        solver = self._analyst.solver
        scores = solver.column_scores(board)
        found = classify(board, scores, solver)
        if found is None:
            return None
        kind, solution, plies = found
        score = scores[solution]
        assert score is not None
        line = (solution, *self._analyst.line(board.play(solution), -score))
        return Puzzle(
            name=f"{seed}-{number}",
            kind=kind,
            moves=format_moves(moves),
            solution=solution,
            plies=plies,
            scores=tuple(scores),
            line=line,
            reason=reason_for(kind, board, line, self._analyst),
        )


def _moves(seed: int | str, number: int) -> list[int]:
    """Return the beginning of a game between two levels, of a random length; shorter where the game ends before."""
    rng = random.Random(f"puzzle/{seed}/{number}")
    plies = rng.randint(*PLIES)
    players = [LevelPlayer(rng.randint(*LEVELS), rng.getrandbits(32)) for _ in range(2)]
    board = Board()
    moves: list[int] = []
    while len(moves) < plies and not board.is_over:
        moves.append(players[len(moves) % 2].choose(board, _LIMIT).column)
        board = board.play(moves[-1])
    return moves
