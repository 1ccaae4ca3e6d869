"""Makers of the publications' agents, by names such as ``kang-h1:4,features=1+2``: family, depth, options."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bot.agents.papers.agent_options import AgentOptions
from bot.agents.papers.families import FAMILIES, PAPER_DEPTHS
from bot.agents.papers.paper import PaperAgent
from bot.agents.papers.rules import TIES
from bot.errors import UsageError

Maker = Callable[[str, int, AgentOptions, int | None], PaperAgent]
"""Makes an agent from its full name, depth in plies, options and seed."""


def _tommy_ab(name: str, depth: int, _options: AgentOptions, _seed: int | None) -> PaperAgent:
    from bot.agents.papers.tommy import TommyAlphaBeta

    return TommyAlphaBeta(name, depth)


def _tommy_mtdf(name: str, depth: int, _options: AgentOptions, _seed: int | None) -> PaperAgent:
    from bot.agents.papers.tommy import TommyMtdf

    return TommyMtdf(name, depth)


def _vds(name: str, depth: int, options: AgentOptions, _seed: int | None) -> PaperAgent:
    from bot.agents.papers.van_der_schee import THINK_S, VanDerSchee

    family, colon, _ = name.partition(",")[0].partition(":")
    think_s = options.seconds("think")
    if think_s is None and not colon:
        think_s = THINK_S
    return VanDerSchee(name, depth, intended=family == "vds-intended", think_s=think_s)


def _halim(name: str, depth: int, options: AgentOptions, seed: int | None) -> PaperAgent:
    from bot.agents.papers.halim import ENDS, VIEWS, Halim, Reading

    switches = {key: options.switch(key) for key in ("difference", "distinct", "plus", "defend")}
    reading = Reading(
        lines=_least(options, "lines", range(4), 0),
        discs=_least(options, "discs", range(1, 4), 1),
        ends=options.choice("ends", tuple(ENDS)),
        view=options.choice("view", VIEWS),
        **switches,
    )
    ties, think_s = options.choice("ties", tuple(TIES)), options.seconds("think")
    return Halim(name, depth, reading=reading, ties=ties, seed=seed, think_s=think_s)


def _least(options: AgentOptions, option: str, allowed: range, default: int) -> int:
    """Return a least number of discs."""
    text = options.take(option)
    if text is None:
        return default
    if not text.isdecimal() or int(text) not in allowed:
        raise options.wrong(option, text, f"Write a number from {allowed[0]} to {allowed[-1]}.")
    return int(text)


def _kang_h1(name: str, depth: int, options: AgentOptions, seed: int | None) -> PaperAgent:
    from bot.agents.papers.kang import OPEN_THREE, heuristic_1

    text = options.take("features") or "1+2+3+4"
    features = text.split("+")
    if not set(features) <= {"1", "2", "3", "4"}:
        raise options.wrong("features", text, "Write a sum such as 1+2+3.")
    rules = heuristic_1(frozenset(map(int, features)), options.number("open") or OPEN_THREE)
    return _kang(name, depth, options, seed, lambda _depth: rules)


def _kang_h2(name: str, depth: int, options: AgentOptions, seed: int | None) -> PaperAgent:
    from bot.agents.papers.kang import heuristic_2

    rules = heuristic_2()
    return _kang(name, depth, options, seed, lambda _depth: rules)


def _kang_sample(name: str, depth: int, options: AgentOptions, seed: int | None) -> PaperAgent:
    from bot.agents.papers.kang import online_sample

    return _kang(name, depth, options, seed, online_sample)


def _kang(
    name: str, depth: int, options: AgentOptions, seed: int | None, rules_at: Callable[[int], NDArray[np.int64]]
) -> PaperAgent:
    from bot.agents.papers.kang import Kang

    every, plies = options.number("random"), options.switch("plies")
    ties = options.choice("ties", tuple(TIES))
    return Kang(name, depth, rules_at, random_every=every, count_plies=plies, ties=ties, seed=seed)


def _edap01(name: str, depth: int, _options: AgentOptions, _seed: int | None) -> PaperAgent:
    from bot.agents.papers.edap01 import Edap01

    return Edap01(name, depth, intended=name.startswith("edap01-intended"))


def _rmarcus(name: str, depth: int, _options: AgentOptions, _seed: int | None) -> PaperAgent:
    from bot.agents.papers.rmarcus import RMarcus

    return RMarcus(name, depth)


_MAKERS: dict[str, Maker] = {
    "tommy-ab": _tommy_ab,
    "tommy-mtdf": _tommy_mtdf,
    "vds": _vds,
    "vds-intended": _vds,
    "halim": _halim,
    "kang-h1": _kang_h1,
    "kang-h2": _kang_h2,
    "kang-sample": _kang_sample,
    "edap01": _edap01,
    "edap01-intended": _edap01,
    "rmarcus": _rmarcus,
}


def make_paper_agent(name: str, seed: int | None = None) -> PaperAgent:
    """Return the paper's agent called ``name``; equal seeds play equal games.

    Raises UsageError for an unknown family, a depth outside 1..42, or an option that the family does not have.
    """
    head, *pairs = name.split(",")
    family_name, colon, depth_text = head.partition(":")
    family = next((family for family in FAMILIES if family.name == family_name), None)
    if family is None:
        names = ", ".join(family.name for family in FAMILIES)
        raise UsageError(f"The laboratory has no agent {name!r}.", f"It has: {names}.")
    depth = family.default_depth
    if colon:
        depth = int(depth_text) if depth_text.isascii() and depth_text.isdigit() else 0
    if depth is None or depth not in PAPER_DEPTHS:
        hint = f"Write {family_name}:5, for instance."
        raise UsageError(f"{name!r} needs a depth from 1 to {PAPER_DEPTHS[-1]}.", hint)
    options = AgentOptions.parse(name, pairs)
    agent = _MAKERS[family_name](name, depth, options, seed)
    options.reject_rest(family.options)
    return agent
