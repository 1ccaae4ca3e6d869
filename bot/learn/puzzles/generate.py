"""Puzzles from a seed: positions from games of human-like levels, kept where the solver proves a puzzle.

Whether a position is one follows from the exact scores of its columns and of the answers to them. The reason is one of
the coach's patterns: how the solution wins, or how another move loses.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Collection, Iterator, Mapping
from itertools import count, islice

from bot.engine.agent import NO_LIMIT_S, Limit, StopFlag
from bot.engine.analysis import Analyst
from bot.engine.score import plies_to_end, sign
from bot.game import CENTRE_FIRST, Board, format_moves
from bot.learn.coach.pattern import pattern_for, reason_of, visible_win
from bot.learn.coach.position import has_four_to_make
from bot.learn.coach.reason import Reason
from bot.learn.levels.player import LevelPlayer
from bot.learn.puzzles.puzzle import Puzzle, PuzzleKind

PLIES = (18, 34)
"""Fewest and most discs on a puzzle's board: earlier positions take long to solve, later ones have few moves."""
LEVELS = (2, 5)
"""Lowest and highest level of the players whose games are used."""
DAILY = 5
"""Puzzles of a day."""
CANDIDATES = 25
"""Most puzzles that are made to choose those of a day from."""
FEWEST_MOVES = 3
"""A puzzle has at least this many legal columns."""
FEWEST_PLIES = 3
"""A win or a refutation that is shorter is seen at a glance."""
FEWEST_ANSWERS = 3
"""In a trap, every other good move leaves the opponent at least this many good answers."""
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
        scores = self._scores(board)
        found = self._classified(board, scores)
        if found is None:
            return None
        kind, solution, plies = found
        line = (solution, *self._analyst.line(board.play(solution), -scores[solution]))
        return Puzzle(
            name=f"{seed}-{number}",
            kind=kind,
            moves=format_moves(moves),
            solution=solution,
            plies=plies,
            scores=tuple(map(scores.get, range(7))),
            line=line,
            reason=self._reason(kind, board, line),
        )

    def _scores(self, board: Board) -> dict[int, int]:
        """Return the exact scores of the columns with room."""
        scores = self._analyst.solver.column_scores(board)
        return {column: score for column, score in enumerate(scores) if score is not None}

    def _classified(self, board: Board, scores: Mapping[int, int]) -> tuple[PuzzleKind, int, int] | None:
        """Return the puzzle that an unfinished ``board`` with these exact scores is: its kind, solution and plies.

        None where it is no puzzle.
        """
        if len(scores) < FEWEST_MOVES:
            return None
        best = max(scores.values())
        good = [column for column, score in scores.items() if sign(score) == sign(best)]
        if len(good) == 1 and best >= 0:
            plies = _plies_to_see(board, best, scores)
            kind = PuzzleKind.WIN if best > 0 else PuzzleKind.DRAW
            return (kind, good[0], plies) if plies >= FEWEST_PLIES else None
        return self._trap(board, best, good) if best <= 0 and len(good) > 1 else None

    def _trap(self, board: Board, best: int, good: list[int]) -> tuple[PuzzleKind, int, int] | None:
        """Return the trap among the ``good`` moves of a drawn or lost position, or None."""
        found: list[tuple[int, int]] = []
        for column in good:
            child = board.play(column)
            if child.is_over:
                return None
            answers = self._scores(child)
            right = [reply for reply, score in answers.items() if sign(score) >= sign(-best)]
            if len(right) == 1 and len(answers) > FEWEST_ANSWERS and not _is_obvious(child, right[0]):
                found.append((column, 1 + _plies_to_see(child, -best, answers)))
            elif len(right) < FEWEST_ANSWERS:
                return None
        return (PuzzleKind.TRAP, *found[0]) if len(found) == 1 else None

    def _reason(self, kind: PuzzleKind, board: Board, line: tuple[int, ...]) -> Reason | None:
        """Return the reason for a puzzle's solution, with which ``line`` of best play begins; None where none is known.

        For a win, how the solution wins; for a draw, how another move loses; for a trap, how a wrong answer loses. Of
        those that are not refuted at a glance, the one nearest the middle is taken.
        """
        if kind is PuzzleKind.WIN:
            return _shown(board, (), line)
        played: tuple[int, ...] = ()
        if kind is PuzzleKind.TRAP:
            played, board = line[:1], board.play(line[0])
        scores = self._scores(board)
        for column in sorted(scores, key=CENTRE_FIRST.index):
            score = scores[column]
            if score < 0 and plies_to_end(score, board.ply) >= FEWEST_PLIES:
                after = board.play(column)
                reason = _shown(after, (*played, column), self._analyst.line(after, -score))
                if reason is not None:
                    return reason
        return None


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


def _is_obvious(child: Board, reply: int) -> bool:
    """Return whether the only good answer makes four or blocks a four."""
    return child.wins_with(reply) or has_four_to_make(Board(child.opponent, child.mask))


def _plies_to_see(board: Board, best: int, scores: Mapping[int, int]) -> int:
    """Return the plies to be seen: those of a win of score ``best``, or of the longest loss to be avoided."""
    to_see = [best] if best > 0 else [score for score in scores.values() if score < 0]
    return max(plies_to_end(score, board.ply) for score in to_see)


def _shown(board: Board, played: tuple[int, ...], line: tuple[int, ...]) -> Reason | None:
    """Return the first pattern on a line of best play with which the side to move of ``board`` wins.

    ``played`` led to ``board``, from the puzzle's position.
    """
    player = board.ply % 2 + 1
    for number, column in enumerate(line):
        pattern = pattern_for(board, player, to_win=True)
        if pattern is None and number % 2 == 0:
            pattern = visible_win(board)
        if pattern is not None:
            return reason_of(pattern, board, (*played, *line[:number]))
        board = board.play(column)
    return None
