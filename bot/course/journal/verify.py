"""Verify recorded games: a second opinion by the embedded server's rules.

`Journal.take` passes the records through the session again and lists what contradicts them. That is the code that
played the game. So the boards are also replayed here on plain grids, with rules that share no code with the session: an
error in the bitboards would otherwise confirm itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

from bot.course.events import Replied
from bot.course.journal.games import RecordedGame
from bot.course.protocol import DRAWN
from bot.course.server import rules


def game_problems(game: RecordedGame) -> list[str]:
    """Return everything that is wrong with a recorded game, in sentences."""
    found = list(game.problems)
    grid: rules.MutableGrid | None = None
    for step in game.steps:
        if step.after is None or not isinstance(step.outcome, Replied):
            continue  # a reply that the session did not use is not checked
        known, state = step.after, step.outcome.reply.state
        shown = None if state is None else [list(row) for row in state]
        grid = shown
        if len(known.moves) == known.board.ply:
            grid = _played(known.moves, known.we_started)
        if shown is not None and not _is_possible(shown):
            found.append(f"Move {step.number}: the board is impossible.")
        if grid is None or shown not in (None, grid):
            found.append(f"Move {step.number}: the moves do not lead to the board.")
    end = game.ended
    if end is None or not end.moves or grid is None:  # its end was not shown by a board
        return found
    if _played(end.moves, bool(end.we_started)) != grid:
        found.append("The moves at the game's end do not lead to the last board.")
    if end.result not in _results(grid, bool(game.we_started)):
        found.append(f"The result {end.result:g} does not follow from the last board.")
    return found


def _is_possible(grid: rules.MutableGrid) -> bool:
    """Return whether no disc floats above an empty cell and both sides have as many discs, give or take one."""
    columns = list(zip(*grid, strict=True))
    floats = any(upper and not lower for column in columns for upper, lower in pairwise(column))
    return not floats and abs(sum(map(sum, columns))) <= 1


def _played(moves: Sequence[int], we_started: bool) -> rules.MutableGrid | None:
    """Return the board after ``moves`` 0..6; None if one is impossible or comes after the game's end."""
    grid, player = rules.empty_grid(), rules.STUDENT if we_started else rules.BOT
    for index, column in enumerate(moves):
        if column not in rules.playable(grid) or (index and rules.result_after(grid, -player) is not None):
            return None
        rules.drop(grid, column, player)
        player = -player
    return grid


def _results(grid: rules.MutableGrid, we_started: bool) -> set[float | None]:
    """Return the results that a server may give for this board; None while the game is running.

    A four made by the 42nd disc is a draw for a server that looks for a full board first, and a win for others.
    """
    is_ours = (sum(map(bool, chain(*grid))) % 2 == 1) == we_started
    player = rules.STUDENT if is_ours else rules.BOT
    result = rules.result_after(grid, player)
    return {result, float(player)} if result == DRAWN and rules.has_four(grid, player) else {result}
