"""Sets of openings, pinned, because committed results stand on them."""

from __future__ import annotations

import hashlib
import json

from bot.game import Board
from bot.gauntlet.positions import mirror_key, opening_set
from bot.gauntlet.sight import winning_columns


def pin(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:20]


def test_an_opening_set_repeats_only_when_there_are_no_more_and_has_no_win_at_once():
    sets = [opening_set(*arguments) for arguments in ((4, 100, "a/1"), (8, 200, 0), (42, 2, 1))]
    assert [*map(pin, sets)] == ["b3cef7e34e0c8480b973", "38616677489b4a01c42a", "7cfdecdc2576c808afdd"]
    boards = [*map(Board.from_moves, sets[1])]
    assert len({*map(mirror_key, boards)}) == 200 and not any(map(winning_columns, boards))
    assert opening_set(8, 9, 0) == sets[1][:9] and len({*opening_set(1, 9, 1)}) == 4
    assert opening_set(0, 3, 1) == [(), (), ()]
