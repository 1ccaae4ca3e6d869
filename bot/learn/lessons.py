"""Lessons of about three positions each: what one has to see, from the first four to zugzwang.

A lesson is an entry of `LESSONS`. The right columns of its positions are those that keep the best outcome; the coach's
patterns add the line that shows why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from bot.game import CENTRE_FIRST, Board, parse_moves
from bot.game.notation import column_name
from bot.learn.coach.pattern import Pattern, pattern_for, reason_of, visible_win
from bot.learn.coach.position import threats
from bot.learn.coach.reason import Reason, ReasonKind


@dataclass(frozen=True, slots=True)
class Exercise:
    """One position of a lesson, with the side to move to find a right column."""

    moves: str
    """The moves 1-7 that lead to the position."""
    right: str
    """The columns 1-7 that keep the best outcome; every other column gives it away."""
    question: str
    why: str
    """What is to be learnt from it, in one or two sentences."""

    @property
    def columns(self) -> tuple[int, ...]:
        """The right columns, 0..6."""
        return parse_moves(self.right)

    @property
    def reason(self) -> Reason:
        """How a right column wins, or else how a wrong one loses at sight: every exercise shows one of them."""
        board = Board.from_moves(self.moves)
        shown = self._patterns(board, board.ply % 2 + 1)
        return next(reason_of(pattern, after, played) for after, played, pattern in shown if pattern is not None)

    @property
    def answer(self) -> str:
        """The right columns, why they are right, and what the coach says of them."""
        reason, names = self.reason, ", ".join(map(column_name, self.columns))
        text = f"Columns {names} do it." if len(self.columns) > 1 else f"Column {names} does it."
        lead = "" if reason.line[0] in self.columns else f"With column {column_name(reason.line[0])} instead, "
        return f"{text} {self.why} {lead}{reason.text}"

    def _patterns(self, board: Board, player: int) -> Iterator[tuple[Board, tuple[int, ...], Pattern | None]]:
        """Yield what may decide ``board`` after which columns; the right columns come first."""
        yield board, (), pattern_for(board, player, to_win=True)
        for column in (*self.columns, *CENTRE_FIRST):
            if board.can_play(column):
                after, is_right = board.play(column), column in self.columns
                yield after, (column,), pattern_for(after, player, to_win=True) if is_right else visible_win(after)


@dataclass(frozen=True, slots=True)
class CourseLesson:
    """A subject with its positions."""

    name: str
    about: str
    """What it is about, for somebody who only knows the rules."""
    kinds: tuple[ReasonKind, ...]
    """The coach's reasons that it teaches to see: key moments with one of them lead to it."""
    exercises: tuple[Exercise, ...]


LESSONS = (
    CourseLesson(
        "Make and block",
        "Before every move, ask two questions. Can I make four now? Can the opponent make four next?",
        (ReasonKind.FOUR, ReasonKind.UNBLOCKED),
        (
            Exercise(
                "55445233",
                "6",
                "Both sides have three in a row. Where do you make four?",
                "Who can make four makes it: then the opponent's three do not matter.",
            ),
            Exercise(
                "363554",
                "7",
                "You cannot make four yet, but O can. Where do you block?",
                "You have to take the one cell that O needs.",
            ),
            Exercise(
                "4355353346",
                "4",
                "O has three on a slanting line. Where do you block?",
                "Slanting threes are easy to overlook: look along both diagonals of the last disc.",
            ),
        ),
    ),
    CourseLesson(
        "Two fours at once",
        "One threat can be blocked. Two threats with one disc cannot: only one of the two cells can be taken.",
        (ReasonKind.DOUBLE_THREAT, ReasonKind.FORCED_SEQUENCE, ReasonKind.QUIET_MOVE),
        (
            Exercise(
                "444422",
                "3",
                "Make three with an open cell at both ends.",
                "Three in the bottom row with both ends open cannot be stopped.",
            ),
            Exercise(
                "25422364443",
                "3",
                "Find the cell in which two diagonals cross.",
                "The disc is on both diagonals: each of them lacks one cell now.",
            ),
            Exercise(
                "4424416",
                "357",
                "It is your move, but X is about to make three with open ends. Prevent it.",
                "Take a cell of the row before it is three discs long: later, one block is too few.",
            ),
        ),
    ),
    CourseLesson(
        "Threats that wait",
        "A threat is an empty cell in which one more disc makes four. Discs fall to the bottom, so nobody can play "
        "there while the cell below it is empty, too. The threat waits. A disc in the cell below lets the other side "
        "play on top of it.",
        (ReasonKind.OPENED,),
        (
            Exercise(
                "44647555777",
                "123457",
                "Both sides need the ringed cell. Play in any column, but not below it.",
                "A disc in column 6 would be a step: X plays on top of it and has four.",
            ),
            Exercise(
                "44222223433",
                "23467",
                "The ringed cells are your threats. Play in a column that gives neither of them away.",
                "A disc below your own threat lets the opponent block it. Leave both, and one of them will win.",
            ),
            Exercise(
                "4515755444",
                "2",
                "Make two threats in one column, one directly above the other.",
                "When the opponent blocks the lower cell, you play the upper one.",
            ),
        ),
    ),
    CourseLesson(
        "Odd and even rows",
        "No side wants to play below a threat of the other one, so that column is filled last. The six other columns "
        "hold 36 discs by then, an even number: X, who began the game, is to move again, and gets rows 1, 3 and 5 of "
        "the last column. O gets rows 2, 4 and 6. So a threat of X should wait in an odd row, one of O in an even row.",
        (),
        (
            Exercise(
                "4555536611223112211336655667722337",
                "7",
                "Two columns are left. The ringed cell in row 3 is your threat. Where do you play?",
                "Column 7 fills up first. Then O has to play in row 2 of column 4, and row 3 is yours.",
            ),
            Exercise(
                "336654555321256257712766227116",
                "3",
                "You began the game, so odd rows are yours. Make a threat that waits in row 3.",
                "Row 3 is odd, so the cell will be yours when the other columns are full.",
            ),
            Exercise(
                "5554444224421217262111677766771",
                "5",
                "X began the game, so even rows are yours. Make a threat that waits in row 2.",
                "Row 2 is even: when the other columns are full, X has to play below it, and the cell is yours.",
            ),
        ),
    ),
    CourseLesson(
        "Zugzwang by follow-up",
        "Zugzwang means that a side has to move, although every move loses. To bring the opponent there, play on top "
        "of each of the opponent's discs. The columns fill up, two discs at a time, until only the cell below your "
        "threat is left, and the opponent has to play there.",
        (ReasonKind.ZUGZWANG, ReasonKind.FOLLOW_UP_WIN, ReasonKind.FOLLOW_UP),
        (
            Exercise(
                "544444451153225552211112266776",
                "6",
                "The ringed cell is your threat. O has just played column 6. Play on top of it.",
                "You go on like this, in whatever column O plays: O runs out of other moves first.",
            ),
            Exercise(
                "444555444252222255666633337766777",
                "7",
                "After which disc of yours does every column have an even number of empty cells?",
                "On top of each disc of X, there is room for yours. In the end, X has to play below your threat.",
            ),
            Exercise(
                "1166664114442333311336644777",
                "7",
                "Both ringed cells are your threats. How do you make O run out of other moves?",
                "In columns 2 and 5, O would play below your threats. In column 7, the last disc is yours.",
            ),
        ),
    ),
)


@cache
def lessons_json() -> list[dict[str, Any]]:
    """Return the lessons with their exercises in the form of puzzles (see `bot.learn.puzzles.puzzle.as_json`).

    They have all right columns as ``right``, as ``threats`` what waits on the board after the first of them, and as
    ``ringed`` the cells of the own threats that wait before it, where no four has to be made or blocked first.
    """
    return list(map(_lesson_json, LESSONS))


def _lesson_json(lesson: CourseLesson) -> dict[str, Any]:
    return asdict(lesson) | {"exercises": [*map(_exercise_json, lesson.exercises)]}


def _exercise_json(exercise: Exercise) -> dict[str, Any]:
    reason, solution = exercise.reason, exercise.columns[0]
    before = Board.from_moves(exercise.moves)
    after = before.play(solution)
    seen = threats(before)
    own = [each.cell for each in seen if each.player == before.ply % 2 + 1 and each.kind in ("odd", "even")]
    return {
        "name": exercise.moves,
        "kind": "lesson",
        "grade": 0,
        "moves": exercise.moves,
        "right": exercise.columns,
        "solution": solution,
        "line": reason.line if reason.line[0] in exercise.columns else (solution,),
        "question": exercise.question,
        "answer": exercise.answer,
        "reason": asdict(reason),
        "threats": [] if after.is_over else list(map(asdict, threats(after))),
        "ringed": [] if any(each.kind == "playable" for each in seen) else own,
    }
