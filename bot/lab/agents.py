"""The laboratory's agents by name: ``family:DEPTH`` and options after commas, as in ``kang-h1:4,features=1+2``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from bot.engine import register, register_family
from bot.errors import UsageError
from bot.lab.options import Options
from bot.lab.paper import PaperAgent

DEEPEST = 42

Maker = Callable[[str, int, Options, int | None], PaperAgent]


@dataclass(frozen=True)
class Family:
    """One paper's system: how it is made, its options, and where it comes from."""

    name: str
    make: Maker
    source: str
    about: str
    options: tuple[str, ...] = ()
    default_depth: int | None = None
    """The depth when only the family is named (None: a depth must be given)."""


def _tommy_ab(name: str, depth: int, _options: Options, _seed: int | None) -> PaperAgent:
    from bot.lab.tommy import TommyAlphaBeta

    return TommyAlphaBeta(name, depth)


def _tommy_mtdf(name: str, depth: int, _options: Options, _seed: int | None) -> PaperAgent:
    from bot.lab.tommy import TommyMtdf

    return TommyMtdf(name, depth)


def _vds(name: str, depth: int, options: Options, _seed: int | None) -> PaperAgent:
    from bot.lab.van_der_schee import THINK_S, VanDerSchee

    family, colon, _ = name.partition(":")
    think_s = options.seconds("think")
    if not colon:
        think_s = THINK_S
    return VanDerSchee(name, depth, intended=family == "vds-intended", think_s=think_s)


def _halim(name: str, depth: int, options: Options, seed: int | None) -> PaperAgent:
    from bot.lab.halim import Halim, Reading

    reading = Reading(**{part.name: options.switch(part.name) for part in fields(Reading)})
    ties = options.take("ties") or "lowest"
    if ties not in ("lowest", "random"):
        raise options.wrong("ties", ties, "Write lowest or random.")
    think_s = options.seconds("think")
    return Halim(name, depth, reading=reading, deterministic=ties == "lowest", seed=seed, think_s=think_s)


def _kang_h1(name: str, depth: int, options: Options, seed: int | None) -> PaperAgent:
    from bot.lab.kang import OPEN_THREE, heuristic_1

    text = options.take("features") or "1+2+3+4"
    features = text.split("+")
    if not set(features) <= {"1", "2", "3", "4"}:
        raise options.wrong("features", text, "Write a sum such as 1+2+3.")
    rules = heuristic_1(frozenset(map(int, features)), options.number("open") or OPEN_THREE)
    return _kang(name, depth, options, seed, lambda _depth: rules)


def _kang_h2(name: str, depth: int, options: Options, seed: int | None) -> PaperAgent:
    from bot.lab.kang import heuristic_2

    rules = heuristic_2()
    return _kang(name, depth, options, seed, lambda _depth: rules)


def _kang_sample(name: str, depth: int, options: Options, seed: int | None) -> PaperAgent:
    from bot.lab.kang import online_sample

    return _kang(name, depth, options, seed, online_sample)


def _kang(
    name: str, depth: int, options: Options, seed: int | None, rules_at: Callable[[int], NDArray[np.int64]]
) -> PaperAgent:
    from bot.lab.kang import Kang

    every, plies = options.number("random"), options.switch("plies")
    return Kang(name, depth, rules_at, random_every=every, count_plies=plies, seed=seed)


def _edap01(name: str, depth: int, _options: Options, _seed: int | None) -> PaperAgent:
    from bot.lab.edap01 import Edap01

    return Edap01(name, depth, intended=name.startswith("edap01-intended"))


def _rmarcus(name: str, depth: int, _options: Options, _seed: int | None) -> PaperAgent:
    from bot.lab.rmarcus import RMarcus

    return RMarcus(name, depth)


READINGS = ("literal", "touched", "difference", "pairs")

FAMILIES = (
    Family("tommy-ab", _tommy_ab, "Tommy 2017", "alpha-beta, the paper's X"),
    Family("tommy-mtdf", _tommy_mtdf, "Tommy 2017", "MTD(f) with a mirror-aware table, the paper's O"),
    Family("vds", _vds, "van der Schee 2014", "MTD(f) as published, slips included", ("think",), 9),
    Family("vds-intended", _vds, "van der Schee 2014", "MTD(f) as intended", ("think",), 9),
    Family("halim", _halim, "Halim et al.", "minimax with a linear evaluation", (*READINGS, "ties", "think")),
    Family("kang-h1", _kang_h1, "Kang 2019", "Heuristic-1, four features", ("features", "open", "random", "plies")),
    Family("kang-h2", _kang_h2, "Kang 2019", "Heuristic-2, a square matrix", ("random", "plies")),
    Family(
        "kang-sample", _kang_sample, "Kang 2019's reference 14", "the online sample, plain minimax", ("random", "plies")
    ),
    Family("edap01", _edap01, "EDAP01 report 2021", "alpha-beta on streaks, as published", (), 5),
    Family("edap01-intended", _edap01, "EDAP01 report 2021", "the same without its slips", (), 5),
    Family("rmarcus", _rmarcus, "rmarcus.info, 23 December 2014", "Halim's opponent, move for move", (), 5),
)
_BY_NAME = {family.name: family for family in FAMILIES}


def make_paper_agent(name: str, seed: int | None = None) -> PaperAgent:
    """The paper's agent called ``name``; equal seeds play equal games.

    Raises UsageError at an unknown family, a depth outside 1..42 or an option that the family does not have.
    """
    head, *pairs = name.split(",")
    family_name, colon, depth_text = head.partition(":")
    family = _BY_NAME.get(family_name)
    if family is None:
        raise UsageError(f"The laboratory has no agent {name!r}.", f"It has: {', '.join(_BY_NAME)}.")
    depth = family.default_depth
    if colon:
        depth = int(depth_text) if depth_text.isascii() and depth_text.isdigit() else 0
    if depth is None or not 1 <= depth <= DEEPEST:
        raise UsageError(f"{name!r} names no depth from 1 to {DEEPEST}.", f"Write {family_name}:5, for instance.")
    options = Options.parse(name, pairs)
    agent = family.make(name, depth, options, seed)
    options.refuse_rest(family.options)
    return agent


def register_papers() -> None:
    """Make the laboratory's agents known wherever agents are made by name."""
    for family in FAMILIES:
        register_family(family.name, make_paper_agent)
        if family.default_depth is not None:
            register(family.name, make_paper_agent)
