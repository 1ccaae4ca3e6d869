"""The papers' growing transposition table: what is in it stays, and there is room for what was asked."""

from __future__ import annotations

from bot.agents.growing_table import LARGEST, NO_TABLE, entries_needed, grown, new_table
from bot.agents.kernels.table import bounds_of, claim, table_key


def test_a_table_keeps_its_entries_when_it_grows_and_has_the_room_that_was_asked_for():
    table = new_table()
    for key in range(1, 701):
        table[claim(table, key), 1:] = -key, key
    assert grown(table, 68) is table and claim(table, 701) >= 0
    larger = grown(table, 700)
    assert [claim(larger, key) >= 0 for key in range(702, 1402)] == [True] * 700
    assert all(bounds_of(larger, key) == (-key, key) for key in range(1, 701))
    assert claim(larger, 1) == claim(larger, 1) and larger[-1, 0] == 1401, "a known key takes no new row"
    full = new_table()
    full[-1, 0] = len(full)
    assert claim(full, 1) == -1 and len(NO_TABLE) == 0
    assert [entries_needed(depth) for depth in (1, 3, 20)] == [1, 57, 1 << 22] and LARGEST > 1 << 22


def test_positions_that_differ_in_depth_or_side_have_keys_of_their_own_and_mirror_images_share_one():
    left, right = 1, 1 << 42
    keys = [table_key(left, 1 << 7, depth, side, 1) for depth in (3, 4) for side in (1, -1)]
    assert len({*keys, table_key(1 << 7, left, 3, 1, 1)}) == 5
    assert table_key(left, 1 << 7, 3, 1, 1) == table_key(right, 1 << 35, 3, 1, 1)
    assert table_key(left, 1 << 7, 3, 1, 0) != table_key(right, 1 << 35, 3, 1, 0)
