"""The numbers that the sources print, which claims about the sources' own tables are judged by."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.lab.experiments import halim, kang, tommy


@dataclass(frozen=True)
class Printed:
    """Tables and statements with numbers, as printed; the tests of the ledger alter them."""

    tommy_table: dict[int, tuple[float | str, ...]] = field(default_factory=lambda: tommy.PUBLISHED)
    halim_table: halim.Table = field(default_factory=halim.published)
    kang_table_6: dict[int, tuple[tuple[float, float], ...]] = field(default_factory=lambda: kang.TABLE_6_WINS)
    kang_table_7: dict[str, float] = field(default_factory=lambda: kang.TABLE_7_WINS)
    kang_table_8: dict[str, float] = field(default_factory=lambda: kang.TABLE_8_WINS)
    kang_table_9: dict[int, tuple[float, float]] = field(default_factory=lambda: kang.TABLE_9_WINS)
