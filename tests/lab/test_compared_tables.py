"""A printed table beside ours: how texts are read, what counts as equal, and how both are shown."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from bot.errors import UsageError
from bot.lab.arena.statistics import share
from bot.lab.replication.tables import ComparedTable, blank, decimals, printed

TABLE = printed("""
search_depth won  moves s   result
2            0.95 10    0.5 W7
3            1    3.50  2.0 NA
""")


def table(*lines: Any, **settings: Any) -> ComparedTable:
    """Return the printed table beside other lines."""
    return ComparedTable(TABLE, pd.DataFrame(lines, TABLE.index, TABLE.columns), machine=("s",), **settings)


EQUAL = table((0.949, 10, 3e-4, "W7"), (1.4, 3.5, 9.0, "NA"))


def test_a_printed_table_stays_text():
    assert [TABLE.index.name, *TABLE.columns] == ["search depth", "won", "moves", "s", "result"]
    assert [*TABLE.index] == ["2", "3"] and [*TABLE.loc["3"]] == ["1", "3.50", "2.0", "NA"]
    assert [decimals(text) for text in ("12", "0.5", "1.50", "-0.19")] == [0, 1, 2, 2]


def test_a_blank_table_has_the_same_shape_and_no_values():
    empty = blank(TABLE)
    assert empty.index.equals(TABLE.index) and empty.columns.equals(TABLE.columns) and empty.isna().all(axis=None)
    empty.loc["3", "won"] = share(1, 2)
    assert empty.loc["3", "won"] == share(1, 2), "a cell can have anything"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (((0.9, 10, 1.0, None), (1, 3.5, 2.0, "NA")), "A cell of a table has no value of ours."),
        (((0.9, 10, 1.0, "W7"), (1, math.nan, 2.0, "NA")), "A cell of a table has no value of ours."),
        (((share(9, 10), 10, 1.0, "W7"), (1, 3.5, 2.0, "NA")), "A table with shares of samples needs the number"),
    ],
)
def test_what_is_missing_in_a_table_is_refused(lines, message):
    with pytest.raises(UsageError, match=message) as error:
        table(*lines)
    assert error.value.hint
    with pytest.raises(UsageError, match="has no value of ours"):
        ComparedTable(TABLE, TABLE.iloc[:1])


def test_equal_cells_are_those_that_would_be_printed_alike():
    assert EQUAL.compared() == [True] * 6, "times are not compared"
    assert table((0.956, 10.6, 0.5, "W8"), (1.6, 3.494, 2.0, "")).compared() == [False] * 6


@pytest.mark.parametrize(
    ("text", "value", "differs"),
    [
        ("0.95", 0.945, False),
        ("0.95", 0.955, False),
        ("0.95", 0.9449, True),
        ("45", 45.5, False),
        ("45", 45.51, True),
        ("-0.19", -0.194, False),
        ("-0.19", 0.19, True),
        ("W7", "W7", False),
        ("1", "1.0", True),
    ],
)
def test_numbers_are_rounded_as_printed_and_words_are_equal_or_not(text, value, differs):
    assert EQUAL.differs(text, value) == differs


def test_a_share_differs_only_beyond_chance():
    """Fisher's exact test by hand: 20 of 20 and 0 of 4 have P = 1 / C(24, 4) = 1 / 10,626; the level is 0.05 / 8,
    of 8 cells that are printed."""
    games = replace(EQUAL, rounds=20)
    assert games.differs("1.00", share(0, 4)) and not games.differs("1.00", share(3, 4))
    assert not games.differs("0.50", share(27, 50)) and games.differs("0.50", share(99, 100))
    assert not games.differs("1.00", share(2, 4)), "P = 6 / 276 for 20 of 20 and 2 of 4"


def test_a_page_shows_both_and_what_differs_in_bold():
    lines = (0.949, 11, 3e-4, "W7"), (share(19, 20, "games"), 3.494, 9.0, "W9")
    assert table(*lines, rounds=20).as_markdown() == (
        "| search depth | won | moves | s | result |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| 2 | 0.95 -> 0.95 | 10 -> **11** | 0.5 -> 0.0003 | W7 -> W7 |\n"
        "| 3 | 1 -> 0.95 (0.76 to 0.99) | 3.50 -> **3.49** | 2.0 -> 9 | NA -> **W9** |"
    )
