"""The publications' agents by name; importing this module loads neither numpy nor a kernel."""

from __future__ import annotations

from dataclasses import dataclass

PAPER_DEPTHS = range(1, 43)
"""Depths that the publications' agents accept, in plies."""

READINGS = ("lines", "discs", "difference", "distinct", "plus", "defend", "ends", "view")
"""Options of Halim's evaluation, one for each phrase of the paper that has several readings."""


@dataclass(frozen=True, slots=True)
class Family:
    """The agents of one published program, which differ in depth and options."""

    name: str
    source: str
    about: str
    options: tuple[str, ...] = ()
    default_depth: int | None = None
    """Depth in plies where a name gives none; None: the name must give a depth."""


FAMILIES = (
    Family("tommy-ab", "Tommy 2017", "alpha-beta, the paper's X"),
    Family("tommy-mtdf", "Tommy 2017", "MTD(f) with a mirror-aware table, the paper's O"),
    Family("vds", "van der Schee 2014", "MTD(f) as published, defects included", ("think",), 9),
    Family("vds-intended", "van der Schee 2014", "MTD(f) as intended", ("think",), 9),
    Family("halim", "Halim et al.", "minimax with a linear evaluation", (*READINGS, "ties", "think")),
    Family("kang-h1", "Kang 2019", "Heuristic-1, four features", ("features", "open", "random", "plies", "ties")),
    Family("kang-h2", "Kang 2019", "Heuristic-2, a square matrix", ("random", "plies", "ties")),
    Family("kang-sample", "Kang 2019's reference 14", "the online sample, plain minimax", ("random", "plies")),
    Family("edap01", "EDAP01 report 2021", "alpha-beta on streaks, as published", (), 5),
    Family("edap01-intended", "EDAP01 report 2021", "the same without its defects", (), 5),
    Family("rmarcus", "rmarcus.info, 23 December 2014", "Halim's opponent, move for move", (), 5),
)
