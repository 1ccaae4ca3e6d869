"""Numbers as people read them."""

from __future__ import annotations

import pytest

from bot.cli.formatting import column_names, counted, duration, elapsed


@pytest.mark.parametrize(("number", "text"), [(0, "0 games"), (1, "1 game"), (2, "2 games"), (12345, "12,345 games")])
def test_singular_and_plural(number: int, text: str) -> None:
    assert counted(number, "game") == text


def test_nothing_can_be_a_word() -> None:
    assert counted(0, "error", "no") == "no errors"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.00004, "40 µs"),
        (0.00025970299998334667, "0.3 ms"),
        (0.0449, "45 ms"),
        (0.9996, "1.00 s"),
        (2.414, "2.41 s"),
        (200.4, "3 min 20 s"),
    ],
)
def test_durations_are_rounded(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(("seconds", "text"), [(2.4, "2 s"), (185.0, "3 min 05 s")])
def test_elapsed_time_is_in_whole_seconds(seconds: float, text: str) -> None:
    assert elapsed(seconds) == text


def test_columns_are_numbered_from_one() -> None:
    assert column_names((3, 0, 6)) == "4 1 7"
