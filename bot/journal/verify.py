"""Does a journal tell a possible game? Each board must follow from the last, and the result from the last board.

Written on plain lists, apart from the client's own tracking: it is the second opinion on what the client believed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from bot.journal.reader import Game

Grid = list[list[int]]
EMPTY: Grid = [[0] * 7 for _ in range(6)]
_WINDOWS = [
    [(row + step * down, column + step * right) for step in range(4)]
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    for row in range(6)
    for column in range(7)
    if row + 3 * down < 6 and 0 <= column + 3 * right < 7
]


@dataclass(slots=True)
class Step:
    """One request of ours and what came of it."""

    move: int
    """-1 or our column 0..6."""
    intent: dict[str, Any]
    before: Grid
    """The board that we knew when we sent it."""
    after: Grid | None = None
    """The board of the reply; None when the reply was lost."""
    reply: dict[str, Any] | None = None
    certain: bool = True
    """Whether ``before`` is what the server held: after a lost reply it may have moved on."""


@dataclass(slots=True)
class Replay:
    """A game's steps and everything that is wrong with them, a sentence each."""

    game: Game
    steps: list[Step] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    we_started: bool | None = None


def replay_game(game: Game) -> Replay:
    """Go through the game's records in order and check them; nothing is raised, problems are listed."""
    replay = Replay(game)
    known, certain = EMPTY, True
    step: Step | None = None
    for record in game.records:
        if record["type"] == "intent":
            if step is not None and step.reply is None:
                certain = False
            step = Step(record["move"], record, known, certain=certain)
            replay.steps.append(step)
        elif record["type"] == "reply":
            if step is None or step.reply is not None:
                replay.problems.append("A reply stands there that nothing was sent for.")
                continue
            step.reply = record
            grid = record.get("state")
            if grid is None and step.move == -1 and record.get("status"):
                grid = EMPTY  # the January 2021 dialect
            if grid is not None:
                step.after = grid
                _check_step(replay, step, grid)
                known, certain = grid, True
        elif record["type"] == "event" and record["kind"] in ("forgotten", "silent_start"):
            known, certain = EMPTY, True
            if step is not None and step.after is not None:
                known = step.after
    _check_end(replay, known)
    return replay


def _check_step(replay: Replay, step: Step, after: Grid) -> None:
    number, reply = len(replay.steps), step.reply or {}
    say = replay.problems.append
    if len(after) != 6 or any(len(row) != 7 for row in after):
        say(f"Reply {number}: the board is not 6 rows of 7 cells.")
        return
    for column in range(7):
        cells = [after[row][column] for row in range(6)]
        if any(upper != 0 and lower == 0 for upper, lower in pairwise(cells)):
            say(f"Reply {number}: a disc in column {'abcdefg'[column]} floats.")
    if not step.certain or any(event["kind"] == "forgotten" for event in _events(replay.game)):
        return  # a reply was lost: what lies between the boards is not in the journal
    added = [
        (row, column, after[row][column])
        for row in range(6)
        for column in range(7)
        if after[row][column] != step.before[row][column]
    ]
    if any(step.before[row][column] != 0 for row, column, _ in added):
        say(f"Reply {number}: discs that lay on the board have changed.")
        return
    ours = [column for _, column, cell in added if cell == 1]
    theirs = [column for _, column, cell in added if cell == -1]
    wanted = [] if step.move == -1 else [step.move]
    if ours != wanted:
        say(f"Reply {number}: our disc is not where we sent it.")
    if len(theirs) > 1 or reply.get("botmove") not in (None, theirs[0] if theirs else -1):
        say(f"Reply {number}: the bot's disc is not where the reply says.")
    if step.move == -1:
        replay.we_started = not theirs


def _check_end(replay: Replay, last: Grid) -> None:
    replies = [step.reply for step in replay.steps if step.reply is not None]
    ended = replay.game.ended
    fours = {player for player in (1, -1) if has_four(last, player)}
    say = replay.problems.append
    if len(fours) == 2:
        say("The last board has two winners.")
    if ended is None or ended.get("known_by") != "reply":
        return
    result = ended["result"]
    if replies and replies[-1].get("result") not in (None, result) and result != -10:
        say(f"The server's last result is {replies[-1].get('result')}, the journal's {result}.")
    full = all(last[0])
    fitting = {1: 1 in fours, -1: -1 in fours, 0.5: full, -10: True}
    if not fitting.get(result, False):
        say(f"The result {result:g} does not follow from the last board.")
    moves = ended.get("moves") or ""
    if moves and _grid_of(moves, bool(ended.get("we_started"))) != last:
        say("The moves of the game's end do not lead to its last board.")


def _grid_of(moves: str, we_started: bool) -> Grid | None:
    grid = [row[:] for row in EMPTY]
    player = 1 if we_started else -1
    for digit in moves:
        column = int(digit) - 1
        rows = [row for row in range(6) if grid[row][column] == 0]
        if not rows:
            return None
        grid[rows[-1]][column] = player
        player = -player
    return grid


def has_four(grid: Grid, player: int) -> bool:
    """Whether ``player`` (1 or -1) has four in a row on a 6 x 7 ``grid``."""
    return any(all(grid[row][column] == player for row, column in window) for window in _WINDOWS)


def _events(game: Game) -> list[dict[str, Any]]:
    return [record for record in game.records if record["type"] == "event"]
