"""Numbers, durations and columns as the commands print them: rounded, with units, columns from 1 to 7."""

from __future__ import annotations

from collections.abc import Iterable

from bot.game.notation import column_name


def column_names(columns: Iterable[int]) -> str:
    """Return columns 0..6 as "4 4 3"."""
    return " ".join(map(column_name, columns))


def counted(number: int, noun: str, none: str = "") -> str:
    """Return "1 game" or "2 games"; ``none`` in place of the number 0 where it is given."""
    return f"{none if none and not number else f'{number:,}'} {noun}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """Return a duration with a precision that people read: "0.3 ms", "45 ms", "2.41 s", "3 min 20 s"."""
    if seconds < 0.000_001:
        return "under 1 µs"
    if seconds < 0.0001:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 0.01:
        return f"{seconds * 1000:.1f} ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 100:
        return f"{seconds:.2f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def elapsed(seconds: float) -> str:
    """Return the time that something has taken so far, in whole seconds."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{int(seconds) // 60} min {int(seconds) % 60:02} s"
