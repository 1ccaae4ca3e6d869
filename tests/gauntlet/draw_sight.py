"""Draw the positions of bot/gauntlet/data/sight.txt anew: `python -m tests.gauntlet.draw_sight`, a few minutes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from bot.game import Board, format_moves
from bot.game.board import STRIDE
from bot.gauntlet.exact import solved_scores
from bot.gauntlet.positions import Columns
from bot.gauntlet.sight import (
    DIRECTION_NAMES,
    FILE,
    FULL,
    SEEN_AFTER,
    direction_of,
    four_of,
    passed,
    place_of,
    right_columns,
    winning_columns,
)

OF_EACH_DIRECTION = 14
OF_EACH_OTHER = 12
LOST = 8
"""Positions in which every move loses at once and columns are full, the middle one, too."""
EVERY = 8
"""Lines after which one of them stands in the file."""
CANDIDATES = 8
"""Candidates of a kind and direction from which the most even set is chosen, for each position."""


def decides_one_thing(kind: str, columns: Columns) -> bool:
    """Return whether the solver proves that only the right columns keep the outcome, and what its kind promises."""
    board = Board.from_moves(columns)
    right, scores = right_columns(kind, board), solved_scores(columns)
    if kind == FULL:
        return len(right) < 6
    best = {column for column, score in enumerate(scores) if score == max(each for each in scores if each is not None)}
    winning = {column for column, score in enumerate(scores) if score is not None and score > 0}
    kept = {column for column, score in enumerate(scores) if score is not None and score >= 0}
    if kind == "win at once":  # another column wins, too, but later
        return best == set(right) and len(winning) > 1
    if kind in ("block four", "prevent double threat"):
        return kept == set(right)
    return winning == set(right)


def kinds_of(columns: Columns) -> Iterator[str]:
    """Yield the kinds that a position has at sight."""
    board = Board.from_moves(columns)
    legal, wins, threats = board.legal_columns(), winning_columns(board), winning_columns(passed(board))
    if len(legal) < 4:
        return
    if len(wins) == 1:
        later = [column for column in legal if column not in wins and defences_of(board, column)]
        if threats and threats != wins and len(threats) == 1:
            yield "win or block"
        elif not threats:
            yield "win at once" if later else "make four"
    elif not wins and len(threats) == 1:
        yield "block four"
    elif not wins and not threats:
        right = right_columns("double threat", board)
        if len(right) == 1:
            yield "double threat"
        if not right and len(right_columns("prevent double threat", board)) == 1:
            yield "prevent double threat"
        if len(legal) < 6:
            yield FULL


def defences_of(board: Board, column: int) -> bool:
    """Return whether the side to move, after this column, wins with its next disc whatever is answered."""
    after = board.play(column)
    return (
        not after.is_over
        and not any(map(after.wins_with, range(7)))
        and all(any(map(after.play(reply).wins_with, range(7))) for reply in after.legal_columns())
    )


def draw() -> list[tuple[str, Columns]]:
    """Return the positions of all kinds, in turn."""
    chance = random.Random("gauntlet/sight")
    found: dict[tuple[str, str], list[Columns]] = {}
    used: Counter[object] = Counter()
    wanted = {
        (kind, name): OF_EACH_DIRECTION for kind in ("make four", "block four") for name in DIRECTION_NAMES.values()
    }
    wanted |= {(kind, ""): OF_EACH_OTHER for kind in (*SEEN_AFTER, FULL) if kind not in ("make four", "block four")}
    waiting: dict[tuple[str, str], list[Columns]] = {key: [] for key in wanted}
    while any(len(waiting[key]) < CANDIDATES * count for key, count in wanted.items() if key[1]) or any(
        len(waiting[key]) < 2 * count for key, count in wanted.items()
    ):
        game = random_game(chance)
        ply = chance.randrange(min(10, len(game) - 1), len(game))
        for columns in {game[:ply], game[:-1]}:
            for kind in kinds_of(columns):
                key = (kind, direction_in(kind, columns))
                if (
                    key in waiting
                    and len(waiting[key]) < 2 * CANDIDATES * OF_EACH_DIRECTION
                    and decides_one_thing(kind, columns)
                ):
                    waiting[key].append(columns)
    for key, count in wanted.items():
        chosen: list[Columns] = []
        for _ in range(count):
            best = min(waiting[key], key=lambda columns: (unevenness(used, key, columns), len(columns)))
            waiting[key].remove(best)
            used.update(features(key, best))
            chosen.append(best)
        found[key] = chosen
    lists = list(found.items())
    longest = max(map(len, found.values()))
    return [(key[0], each[number]) for number in range(longest) for key, each in lists if number < len(each)]


def draw_lost() -> list[Columns]:
    """Return positions in which every move loses at once; in half of them the middle column ends with an own disc."""
    chance = random.Random("gauntlet/lost")
    found: dict[bool, list[Columns]] = {False: [], True: []}
    while any(len(each) < LOST // 2 for each in found.values()):
        game = random_game(chance)
        for ply in range(20, len(game) - 1):
            board = Board.from_moves(game[:ply])
            replies = [board.play(column) for column in board.legal_columns()]
            if board.can_play(3) or len(replies) > 5 or winning_columns(board):
                continue
            if len(replies) > 1 and all(map(winning_columns, replies)):
                found[bool(board.current >> 3 * STRIDE + 5 & 1)].append(game[:ply])
                break
    return [each for pair in zip(*found.values(), strict=False) for each in pair][:LOST]


def features(key: tuple[str, str], columns: Columns) -> list[object]:
    """Return what should occur equally often: the column and row of the four's last cell, and the side to move."""
    kind, direction = key
    if not direction:
        return [(kind, len(columns) % 2)]
    board = Board.from_moves(columns)
    side = passed(board) if kind == "block four" else board
    column = right_columns(kind, board)[0]
    landing = next(place_of(cell) for cell in four_of(side, column) if not board.mask >> cell & 1)
    touched = [place_of(cell) for cell in four_of(side, column)]
    found: list[object] = [(key, "column", landing[0]), (key, "row", landing[1]), (key, "side", len(columns) % 2)]
    found.append(("row", landing[1]))
    for axis, name in enumerate(("column", "row")):
        found += {("touch", key, name, place[axis]) for place in touched}
    return found


def unevenness(used: Counter[object], key: tuple[str, str], columns: Columns) -> float:
    """Return how often the position's features have been used already, touched cells counted less."""
    return sum(
        used[each] * (0.2 if isinstance(each, tuple) and each[0] == "touch" else 1.0) for each in features(key, columns)
    )


def direction_in(kind: str, columns: Columns) -> str:
    """Return the direction of the four to make or block; "several" for two fours at once."""
    if kind not in ("make four", "block four"):
        return ""
    board = Board.from_moves(columns)
    cells = four_of(passed(board) if kind == "block four" else board, right_columns(kind, board)[0])
    return direction_of(cells) if cells else "several"


def random_game(chance: random.Random) -> Columns:
    """Return a game of random moves, most of which prevent a four at once, so that it is long."""
    board, columns = Board(), list[int]()
    while not board.is_over:
        legal = board.legal_columns()
        forced = [*winning_columns(board), *winning_columns(passed(board))] if chance.random() < 0.8 else []
        columns.append(chance.choice(forced or legal))
        board = board.play(columns[-1])
    return tuple(columns)


if __name__ == "__main__":
    drawn = draw()
    for number, lost in enumerate(draw_lost()):
        drawn.insert(EVERY + (EVERY + 1) * number, (FULL, lost))
    FILE.write_text("".join(f"{kind}: {format_moves(columns)}\n" for kind, columns in drawn), encoding="ascii")
