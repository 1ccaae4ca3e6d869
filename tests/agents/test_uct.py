"""Monte-Carlo tree search grows the recorded tree."""

from __future__ import annotations

import numpy as np
import pytest

from bot.agents.uct import Uct
from bot.game import Board

UCT = """\
334 | 0/6 6/15 2/9 5/13 1/8 8/17 4/12
0102034 | 17/25 6/13 2/8 2/9 5/12 0/6 1/7
44444352 | 6.5/16 2/10 5/14 4/13 1/9 2/10 1/8
 | 2/7 10/15 6/12 11/16 1/6 12/17 2/7
3333330000001 | 0/0 2/12 10/24 0/0 3/14 4/15 4/15"""
"""Points and visits of the columns after 80 playouts, from a second implementation in plain Python (at e8a7ab4)."""


@pytest.mark.parametrize("line", UCT.splitlines())
def test_uct_grows_the_recorded_tree(line):
    moves, columns = line.split(" | ") if line[0] != " " else ("", line[3:])
    never = np.zeros(1, dtype=np.uint8)
    visits, points, _ = Uct("uct:80", 80, seed=5).grow(Board.from_moves(map(int, moves)), never, never)
    assert " ".join(f"{won:g}/{count}" for won, count in zip(points, visits, strict=True)) == columns
