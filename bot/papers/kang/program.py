"""Kang, Wang, Hu 2019: minimax with alpha-beta and two heuristics, JILSA 11, 15-31.

Heuristic-1 counts connected discs, Heuristic-2 adds up a square matrix. The "online sample" is the program behind the
paper's reference [14]. Notes on all three: bot/papers/kang/notes.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.agents.family import Family, Option, above_0, one_of
from bot.agents.kernels.arrays import Rules
from bot.agents.kernels.rules import OPTIONS
from bot.agents.paper import TIES, PaperAgent
from bot.agents.program import WINDOW_MATRIX, Ends, Program, linear
from bot.engine.jit.bits import BOTTOM, FULL, popcount
from bot.engine.jit.compiling import kernel
from bot.game import Board
from bot.papers.windows import DIRECTIONS, VERTICAL, linear_value

WIN = 10_000_000_000
"""Value of a won game, above every sum of features; it applies with feature 1 switched off as well."""
ENDS = Ends(won=WIN, lost=-WIN)
UNSEEN = Ends(won=0, lost=0, add_leaf_value=True)
"""Where only feature 1 sees a won game, and is off: the game ends, with the value of the other features."""
OPEN_THREE = 100_000_000
"""Value of an open three in the reading that ranks it below a won game: above every other feature."""
SAMPLE_OFFSET = 138
"""Constant of the online sample's evaluation: half the sum of the matrix."""

# Options of Heuristic-1; the last five are what the paper leaves open.
FEATURES = OPTIONS
"""Bit n - 1 is set when feature n is on."""
EVERY = OPTIONS + 1
"""1: a pair counts as well where it is part of a longer run."""
PLAYABLE = OPTIONS + 2
"""1: the square of a gap must be playable; 0: empty is enough."""
NOW = OPTIONS + 3
"""1: above a pair in a column one square is available, the playable one; 0: all empty ones are."""
REST = OPTIONS + 4
"""Value of a pair for which the paper prints none: no available square, or only one in all."""
BELOW = OPTIONS + 5
"""1: an open three counts less than a won game; 0: as much, infinity."""
OUTER, NEXT, INNER, CENTRE = (0b111111 << left * 7 | 0b111111 << (6 - left) * 7 for left in range(4))
"""The cells of columns a and g, b and f, c and e, and d."""


@kernel()
def connected_value(mine: int, mask: int, rules: Rules) -> int:
    """Return one side's features 2 and 3 of Kang 2019's Heuristic-1.

    Feature 2: runs of three, and runs of two with a gap and a third disc. Feature 3: the other runs of two.
    """
    total, features = 0, rules[FEATURES]
    playable = (mask + BOTTOM) & FULL
    empty = FULL & ~mask
    # Twice a won game, so that it exceeds one whatever is subtracted: heuristic_1 cuts the sum there.
    open_three = OPEN_THREE if rules[BELOW] else 2 * WIN
    for step, _ in DIRECTIONS:
        pair = mine & mine >> step
        three = pair & mine >> 2 * step & ~(mine << step) & ~(mine >> 3 * step)
        two = pair if rules[EVERY] else pair & ~(mine << step) & ~(mine >> 2 * step)
        if features & 2:
            below, above = playable << step, playable >> 3 * step
            total += open_three * popcount(three & below & above) + 900_000 * popcount(three & (below ^ above))
            hole = playable if rules[PLAYABLE] else empty
            gap = two & ((hole >> 2 * step & mine >> 3 * step) | (hole << step & mine << 2 * step))
            total += 900_000 * popcount(gap)
            two &= ~gap
        if features & 4:
            # In a column every empty cell becomes playable in turn; elsewhere a cell must be supported now.
            room = empty if step == VERTICAL and not rules[NOW] else playable
            below, above = room << step, room >> 2 * step
            total += 50_000 * popcount(two & below & above)
            downward, upward = two & below & ~above, two & above & ~below
            rest = two & ~(below & above)
            for distance in range(2, 6):
                downward &= room << distance * step
                upward &= room >> (distance + 1) * step
                rest &= ~(downward | upward)
                total += 10_000 * (popcount(downward) + popcount(upward))
            total += rules[REST] * popcount(rest)
    return total


@kernel()
def lone_value(mine: int) -> int:
    """Return one side's feature 4 of Heuristic-1: discs without a neighbour of their colour, weighted by column."""
    lone = mine
    for step, _ in DIRECTIONS:
        lone &= ~(mine << step | mine >> step)
    return (
        200 * popcount(lone & CENTRE)
        + 120 * popcount(lone & INNER)
        + 70 * popcount(lone & NEXT)
        + 40 * popcount(lone & OUTER)
    )


@kernel()
def heuristic_1(mine: int, theirs: int, _side: int, rules: Rules) -> int:
    """Return Kang 2019's Heuristic-1 without feature 1: four in a row ends the game, which the search sees itself."""
    mask, features = mine | theirs, rules[FEATURES]
    total = 0
    if features & 6:
        total += connected_value(mine, mask, rules) - connected_value(theirs, mask, rules)
    if features & 8:
        total += lone_value(mine) - lone_value(theirs)
    return max(-WIN, min(WIN, total))


def first(_depth: int, *, features: frozenset[int], wins: bool, **readings: int) -> Program:
    """Return Heuristic-1 with some of its features; feature 1, four connected, is the end of the game.

    ``wins``: whether a search without feature 1 is blind to won games. ``readings``: the values of `READINGS`.
    """
    ends = UNSEEN if wins and 1 not in features else ENDS
    bits = sum(1 << (feature - 1) for feature in features)
    return Program(heuristic_1, ends, (bits, *(readings[name] for name in READINGS)))


def second(_depth: int, *, wins: bool) -> Program:
    """Return Heuristic-2: every disc counts the number of windows through its cell."""
    return Program(linear_value, UNSEEN if wins else ENDS, linear(squares=WINDOW_MATRIX))


def sample(depth: int) -> Program:
    """Return the online sample at one depth.

    A won game counts 255 less its level below the root, a lost game the level itself.
    """
    ends = Ends(won=255 - depth, lost=depth, won_per_ply=1, lost_per_ply=-1)
    return Program(linear_value, ends, linear(squares=WINDOW_MATRIX, offset=SAMPLE_OFFSET))


class Kang(PaperAgent):
    """One of the paper's searchers; it plays the lowest of equal columns unless ``ties`` says otherwise.

    ``random`` 3 is the paper's "random move = 3": at its own 3rd, 6th, 9th, ... move the agent plays one of the two
    best columns at random. ``plies`` counts both sides' discs instead of the agent's own moves.
    """

    def __init__(self, *search: Any, random: int | None, plies: bool, **settings: Any) -> None:
        super().__init__(*search, **settings)
        self._every, self._plies = random, plies

    @property
    def repeats(self) -> bool:
        """Whether its answer depends on the position alone."""
        return super().repeats and self._every is None

    def exact_at(self, board: Board) -> int:
        """Return 2 where one of the two best columns is played."""
        return max(self.exact, self._candidates(board))

    def _candidates(self, board: Board) -> int:
        move = board.ply + 1 if self._plies else board.ply // 2 + 1
        return 2 if self._every is not None and move % self._every == 0 else 1

    def pick(self, board: Board, values: NDArray[np.int64]) -> int:
        """Return the best column, or one of the two best where a random move is due."""
        columns = [column for column in self.program.order if board.can_play(column)]
        if self.is_random:
            self.random.shuffle(columns)
        ranked = sorted(columns, key=lambda column: -values[column])
        return self.random.choice(ranked[: self._candidates(board)])


def _features(text: str) -> frozenset[int]:
    features = frozenset(map(int, text.split("+")))
    if not features <= {1, 2, 3, 4}:
        raise ValueError
    return features


def _make(
    build: Callable[..., Program],
    name: str,
    depth: int,
    seed: int | None,
    *,
    random: int | None,
    plies: bool,
    ties: str,
    prune: bool,
    **choices: Any,
) -> PaperAgent:
    program = replace(build(depth, **choices), prune=prune)
    return Kang(name, depth, program, random=random, plies=plies, ties=ties, seed=seed)


def _either(about: str, *words: str) -> Option:
    """Return an option of two words, whose value is 0 or 1."""
    return Option(about, words.index, f"Write one of {', '.join(words)}.", 0)


READINGS = {
    "runs": _either("Whether a pair inside a longer run counts as well", "maximal", "every"),
    "gap": _either("What the square of a gap must be", "empty", "playable"),
    "column": _either("Squares available above a pair in a column: all empty ones, or the playable one", "room", "now"),
    "rest": one_of("Value of a pair for which the paper prints none", 0, 5_000),
    "three": _either("Value of an open three: that of a won game, or below it", "won", "below"),
}
"""What the paper leaves open of Heuristic-1, in the order of the rules' options."""
WINS = {"wins": _either("What sees a won game: the search, or feature 1 alone", "search", "feature")}
TIED = {
    "random": above_0("Play one of the two best columns at random at every move whose number it divides", int),
    "plies": one_of("Whether these numbers count both sides' moves", False, True),
    "ties": one_of("Which of equal columns is played", *TIES),
    "prune": one_of("Whether the search prunes", True, False),
}
FAMILIES = (
    Family(
        "kang-h1",
        "Kang 2019: Heuristic-1, four features",
        partial(_make, first),
        {
            "features": Option("The features", _features, "Write a sum such as 1+2+3.", frozenset({1, 2, 3, 4})),
            **READINGS,
            **WINS,
            **TIED,
        },
    ),
    Family(
        "kang-h2",
        "Kang 2019: Heuristic-2, a square matrix",
        partial(_make, second),
        {**WINS, **TIED},
    ),
    Family(
        "kang-sample",
        "Kang 2019's reference 14: the online sample, plain minimax",
        partial(_make, sample),
        {**TIED, "prune": one_of("Whether the search prunes", False, True)},
    ),
)
