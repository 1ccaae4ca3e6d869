"""Verify recorded games: a second opinion by the embedded server's rules.

`Journal.take` passes the records through the session again and lists what contradicts them. That is the code that
played the game. So the boards are also replayed here on plain grids, with rules that share no code with the session: an
error in the bitboards would otherwise confirm itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from bot.course.journal.games import Game
from bot.course.protocol import DRAWN, ILLEGAL
from bot.course.server import rules
from bot.course.session.events import Replied


def game_problems(game: Game) -> list[str]:
    """Return everything that is wrong with a recorded game, in sentences."""
    return [*game.problems, *_board_problems(game)]


def _board_problems(game: Game) -> list[str]:
    """Return where boards, moves and result contradict each other by the server's rules.

    A reply that the session did not use is not checked.
    """
    found = []
    last: tuple[rules.Grid, bool] | None = None
    for step in game.steps:
        if step.after is None or not isinstance(step.outcome, Replied):
            continue
        moves, board, we_started = step.after.moves, step.after.board, step.after.we_started
        state = step.outcome.reply.state
        shown = None if state is None else [list(row) for row in state]
        led_to = _played(moves, we_started) if len(moves) == board.ply else shown
        texts = [] if shown is None else _impossible(shown)
        if led_to is None or shown not in (None, led_to):
            texts.append("the moves do not lead to the board.")
        found += [f"Move {step.number}: {text}" for text in texts]
        if led_to is not None:
            last = led_to, we_started
    end = game.ended
    if end is None or end.known_by != "reply" or end.result == ILLEGAL or last is None:
        return found
    grid, we_started = last
    if end.moves and _played(end.moves, bool(end.we_started)) != grid:
        found.append("The moves at the game's end do not lead to the last board.")
    # A reply that only ends the game, because our move came too late, shows a board on which the game is running.
    results = _results(grid, we_started)
    if end.result not in results and (end.moves or None not in results):
        found.append(f"The result {end.result:g} does not follow from the last board.")
    return found


def _impossible(grid: rules.Grid) -> list[str]:
    """Return why this board cannot stand after a reply, in clauses."""
    texts = []
    if any(upper and not lower for rows in itertools.pairwise(grid) for upper, lower in zip(*rows, strict=True)):
        texts.append("a disc on the board has an empty cell below it.")
    if abs(sum(cell for row in grid for cell in row)) > 1:
        texts.append("one side has too many discs.")
    if rules.has_four(grid, rules.STUDENT) and rules.has_four(grid, rules.BOT):
        texts.append("the board has two winners.")
    return texts


def _played(moves: Sequence[int], we_started: bool) -> rules.Grid | None:
    """Return the board after ``moves`` 0..6; None if one is impossible or comes after the game's end."""
    grid, player = rules.empty_grid(), rules.STUDENT if we_started else rules.BOT
    for index, column in enumerate(moves):
        if column not in rules.playable(grid) or (index and rules.result_after(grid, -player) is not None):
            return None
        rules.drop(grid, column, player)
        player = -player
    return grid


def _results(grid: rules.Grid, we_started: bool) -> set[float | None]:
    """Return the results that a server may give for this board; None while the game is running.

    A four made by the 42nd disc is a draw for a server that looks for a full board first, and a win for others.
    """
    is_ours = (sum(cell != 0 for row in grid for cell in row) % 2 == 1) == we_started
    player = rules.STUDENT if is_ours else rules.BOT
    result = rules.result_after(grid, player)
    return {result, float(player)} if result == DRAWN and rules.has_four(grid, player) else {result}
