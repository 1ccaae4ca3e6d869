"""What can be said of one position at sight: threats, forced sequences, dangerous columns, follow-up.

It is said in sentences, and as a hint in three steps: whether there is a threat, where to look, the column and why.

The discs are called X (the first player) and O, as in `bot.learn.coach.sentences`.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.errors import GameOverError
from bot.game import Board
from bot.game.board import ROWS, bits, completing_cells, playable_cells
from bot.game.notation import column_letter, column_name, column_names
from bot.learn.coach.pattern import Pattern, cell_of, follow_up, forced_win
from bot.learn.coach.reason import ReasonKind
from bot.learn.coach.sentences import tried

_ROW_KINDS = {"odd": "odd row", "even": "even row"}
"""How the kinds of threats are put that cannot be played yet."""

QUIET = "Nothing is forced yet: look for a good place."
"""The first step where neither side can force a four and no column loses at once."""
AREAS = (
    ("Look on the left, at columns 1 and 2.", (0, 1)),
    ("Look in the middle, at columns 3 to 5.", (2, 3, 4)),
    ("Look on the right, at columns 6 and 7.", (5, 6)),
)


@dataclass(frozen=True, slots=True)
class Threat:
    """An empty cell where a player would complete four in a row."""

    cell: int
    """column * 6 + row, row 0 at the bottom."""
    player: int
    """1 or 2: whose four it would be."""
    kind: str
    """"playable" now; "useless" where the opponent has a threat directly below: the player reaches the cell only by a
    disc below it, which the opponent answers in the cell itself; else the row, counted from 1: "odd" favours the first
    player, "even" the second."""


def threats(board: Board) -> tuple[Threat, ...]:
    """Return all threats of both players on an unfinished board, by cell."""
    playable = playable_cells(board.mask)
    own, other = (completing_cells(discs, board.mask) for discs in (board.current, board.opponent))
    cells = {board.ply % 2 + 1: own, 2 - board.ply % 2: other}
    found = []
    for player, threatened in cells.items():
        for bit in bits(threatened):
            kind = "even" if cell_of(bit) % 2 else "odd"
            if bit & playable:
                kind = "playable"
            elif bit & cells[3 - player] << 1:
                kind = "useless"
            found.append(Threat(cell_of(bit), player, kind))
    return tuple(sorted(found, key=lambda threat: (threat.cell, threat.player)))


def cell_name(cell: int) -> str:
    """Return the name of a cell: a letter for the column and the row from 1, such as "d3"."""
    return f"{column_letter(cell // ROWS)}{cell % ROWS + 1}"


@dataclass(frozen=True, slots=True)
class PositionView:
    """The proven facts about an unfinished position."""

    threats: tuple[Threat, ...]
    forced: tuple[int, ...]
    """Columns of a forced sequence with which the side to move makes four; empty if there is none."""
    danger: tuple[int, ...]
    """The same for the opponent if the side to move could pass: what it threatens to do; empty if nothing."""
    losing: tuple[int, ...]
    """Columns after which the opponent makes four at once."""
    follow_up: Pattern | None
    """What the side that is not to move achieves by answering every disc in the same column."""

    zugzwang: bool
    """Whether every column of the side to move lets the opponent make four directly above, where it could not before.
    """


def has_four_to_make(board: Board) -> bool:
    """Return whether the side to move of an unfinished board can make four with its next disc."""
    return any(map(board.wins_with, board.legal_columns()))


def view(board: Board) -> PositionView:
    """Return what is proven of an unfinished position at sight, without the solver; raise GameOverError else."""
    if board.is_over:
        raise GameOverError
    legal, passed = board.legal_columns(), Board(board.opponent, board.mask)
    losing = tuple(column for column in legal if has_four_to_make(board.play(column)))
    return PositionView(
        threats=threats(board),
        forced=forced_win(board) or (),
        danger=forced_win(passed) or (),
        losing=losing,
        follow_up=follow_up(board),
        zugzwang=not has_four_to_make(passed) and losing == legal,
    )


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of a position, and the line that shows it, if one does."""

    text: str
    line: tuple[int, ...] = ()
    """Columns 0..6 from the position."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Follow-up only: the pairs of cells (lower, upper)."""


def facts(view: PositionView, ply: int) -> list[Fact]:
    """Return what is known of a position after ``ply`` discs, one sentence each, the most urgent first."""
    mover, other = ("X", "O") if ply % 2 == 0 else ("O", "X")
    found: list[Fact] = []
    if len(view.forced) == 1:
        found.append(Fact(f"{mover} can make four in column {column_names(view.forced)}."))
    elif view.forced:
        found.append(Fact(f"{mover} can force a four with {column_names(view.forced)}.", view.forced))
    elif len(view.danger) == 1:
        enough = ", and blocking it is not enough" if view.danger[0] in view.losing else ""
        found.append(Fact(f"{other} threatens four in column {column_names(view.danger)}{enough}."))
    elif view.danger:
        found.append(Fact(f"{other} threatens to force a four, beginning with column {column_names(view.danger[:1])}."))
    if view.zugzwang:
        found.append(Fact(f"No column is safe for {mover}: each lets {other} make four above it."))
    elif view.losing and len(view.danger) != 1:
        found.append(Fact(f"{other} makes four at once after column {', '.join(map(column_name, view.losing))}."))
    if view.follow_up is not None:
        aim = "never loses" if view.follow_up.kind is ReasonKind.FOLLOW_UP else "makes four"
        text = f"{other} {aim} by answering every disc in the same column."
        found.append(Fact(text, view.follow_up.line, view.follow_up.pairs))
    for player in (1, 2):
        named = [
            f"{cell_name(threat.cell)} ({_ROW_KINDS.get(threat.kind, threat.kind)})"
            for threat in view.threats
            if threat.player == player
        ]
        if named:
            found.append(Fact(f"Threats of {'XO'[player - 1]}: {', '.join(named)}."))
    return found


def hint_steps(board: Board, best: int, score: int) -> tuple[str, str, str]:
    """Return the steps that lead to the ``best`` column of an unfinished position, whose exact score is ``score``."""
    seen, mover, other = view(board), "XO"[board.ply % 2], "OX"[board.ply % 2]
    where = next(text for text, columns in AREAS if best in columns)
    why = tried(best, best, score, score, prevents=False)
    fours = " or ".join(sorted({column_name(cell // ROWS) for cell in _fours(board, best)}))
    if len(seen.forced) == 1:
        why = f"Column {fours} makes four."
    elif seen.forced[:1] == (best,):
        then = [fours] if len(seen.forced) == 3 else map(column_name, seen.forced[2::2])
        why = f"{mover} can force a four with column {', then '.join((column_name(best), *then))}."
    elif seen.danger == (best,):
        why = f"Column {column_name(best)} blocks {other}'s four. {why}"
    return _threat(seen, mover, other), where, why


def hint_cells(board: Board, best: int) -> tuple[list[int], list[int]]:
    """Return the cells that the second and the third step of a hint are about, column * 6 + row.

    Where a disc would land in the area; then in the ``best`` column, with all cells that make four now or after it.
    """
    area = next(columns for _, columns in AREAS if best in columns)
    landing = {column: cell_of(board.play(column).mask ^ board.mask) for column in board.legal_columns()}
    return [landing[column] for column in area if column in landing], sorted({landing[best], *_fours(board, best)})


def _fours(board: Board, best: int) -> list[int]:
    """Return the cells in which the side to move makes four: now, or else after the ``best`` column."""
    after = board.play(best)
    now = completing_cells(board.current, board.mask) & playable_cells(board.mask)
    return [*map(cell_of, bits(now or completing_cells(after.opponent, after.mask) & playable_cells(after.mask)))]


def _threat(seen: PositionView, mover: str, other: str) -> str:
    """Return the first step: what is urgent, without a column."""
    if seen.forced:
        return f"{mover} can make four now." if len(seen.forced) == 1 else f"{mover} can force a four."
    if seen.danger:
        return f"{other} threatens to {'make' if len(seen.danger) == 1 else 'force'} a four."
    return f"Some columns would let {other} make four at once." if seen.losing else QUIET
