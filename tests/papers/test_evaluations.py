"""Leaf values: those recorded from plain Python on random positions, and those taken from the sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from numba import types

from bot.agents.catalogue import make_agent
from bot.game import Board

SOURCES = """\
tommy-ab 3=7 33=-3 332=26 3324=-5 0=3 06=0 3333=-2 3323=6 33241=87
kang-h2 3=7 33=-3 332=2 3324=-3 0=3 06=0 3333=-3 3323=-11 33241=1
rmarcus 3=7 33=-3 332=-1 3324=-5 0=3 06=0 3323=-12 33241=-3
halim 3=1469 0=669
halim:1,alone=1 3=69 33=59
edap01 0=1 3=6 34=3 3040=7 30405=98 304051=77 0102030=99894 010303=80 0123=-3
edap01-intended 0=1 3=6 34=3 3040=7 30405=98 304051=77 0102030=99894 010303=80 0123=-3
kang-h1 3=200 60=0 2030=20000 20304=10000000000 06162=870000 20305=870070 001=39960 061=29960 06160=30000
kang-h1:1,three=below 20304=99970000"""
"""Static values of the sources, and of the papers' own cases, by columns 0 to 6, from the first player's view."""
KANG = """\
c2 d2 e2 | b1 c1 d1 e1 f1 | | 20000000000 | both ends available: infinity, whatever is subtracted
c2 d2 e2 | b1 c1 d1 e1 f1 | ,three=below | 100000000 | below a won game
c2 d2 e2 | b1 c1 d1 e1 | | 900000 | only (b,2) available
c2 d2 e2 | c1 d1 e1 | | 0 | (b,2) and (f,2) are not supported
c2 d2 e2 | b1 c1 d1 e1 b2 f1 f2 | | 0 | both ends occupied
b1 c2 e4 | c1 e1 e2 e3 | | 900000 | (b,1)-(c,2)-gap-(e,4), the gap square (d,3) is in the air
c1 d2 f4 | d1 f1 f2 f3 | | 900000 | (c,1)-(d,2)-gap-(f,4)
b1 c1 e1 | | | 900000 | a gap in a row
b1 c1 e1 | d1 | | 0 | no gap: the square is occupied and (a,1) leads nowhere
b1 c1 | | | 50000 | a pair with both sides available
a1 b1 | | | 40000 | five available squares in that direction
a1 b1 | g1 | | 30000 | four
a1 b1 | f1 | | 20000 | three
a1 b1 | e1 | | 10000 | two
a1 b1 | d1 | | 0 | one
a1 b1 | c1 | | 0 | none
a2 b2 | a1 b1 c1 d1 e1 | | 20000 | until an unavailable one is met: (f,2) is not supported
d1 d2 | | | 30000 | a column of two with four squares above
d2 d3 | d1 | | 20000 | with three
d3 d4 | d1 d2 | | 10000 | with two
d5 d6 | d1 d2 d3 d4 | | 0 | with none
d1 d2 d3 | | | 900000 | three in a column
d4 d5 d6 | d1 d2 d3 | | 0 | three in a column, no room
d1 d2 d3 | | ,runs=every | 920000 | the upper pair has three squares above
b1 c1 d1 | | ,runs=every,three=below | 100020000 | c1-d1 has e1, f1 and g1; b1-c1 has a1 alone
b1 c2 e4 | c1 e1 e2 e3 | ,gap=playable | 0 | (d,3) is in the air, and so is every end
b1 c1 e1 | | ,gap=playable | 900000 | (d,1) is playable
d1 d2 | | ,column=now | 0 | one square is playable
a1 b1 | d1 | ,rest=5000 | 5000 | one square
a1 b1 | c1 | ,rest=5000 | 5000 | none
a1 b1 | e1 | ,rest=5000 | 10000 | two, as printed"""
"""Features 2 and 3 as the paper defines them: own discs, the other side's, the reading, the value, the reason."""


LEAF = types.int64(types.int64, types.int64, types.int64, types.int64[::1])
"""The signature by which a search calls an evaluation; by another one, numba would compile it once more."""


def leaf_value(name: str, own: int, other: int, side: int) -> int:
    """Return an agent's value of these discs."""
    program = vars(make_agent(name))["program"]
    evaluate: Any = program.evaluate
    evaluate.compile(LEAF)
    return evaluate(own, other, side, program.rules)


def test_a_leaf_value_is_the_recorded_one_in_every_reading():
    for line in (Path(__file__).parent / "leaf_values.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, moves, side, value = line.split()
        board = Board.from_moves(moves)
        assert leaf_value(name, board.current, board.opponent, int(side)) == int(value), line


def as_first(moves: str) -> tuple[int, int]:
    """Return the discs of the first and of the second player."""
    board = Board.from_moves(map(int, moves))
    return (board.opponent, board.current) if board.ply % 2 else (board.current, board.opponent)


@pytest.mark.parametrize("line", SOURCES.splitlines())
def test_the_static_values_of_the_sources(line):
    family, *entries = line.split()
    for entry in entries:
        moves, value = entry.split("=")
        assert leaf_value(family if ":" in family else f"{family}:1", *as_first(moves), 1) == int(value), moves


def test_kangs_features_2_and_3_as_the_paper_defines_them():
    from bot.papers.kang.program import connected_value  # compiles kernels

    for line in KANG.splitlines():
        own, other, reading, value, _ = (part.strip() for part in line.split("|"))
        mine, theirs = (
            sum(1 << "abcdefg".index(cell[0]) * 7 + int(cell[1]) - 1 for cell in cells.split())
            for cells in (own, other)
        )
        rules = vars(make_agent(f"kang-h1:1,features=2+3{reading}"))["program"].rules
        assert connected_value(mine, mine | theirs, rules) == int(value), line
