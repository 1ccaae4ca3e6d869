"""The leaderboard: the agents that it judges, and its page and numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from bot.agents.family import families
from bot.lab.arena.statistics import Estimate
from bot.lab.judge.accuracy import PHASES, Accuracy
from bot.lab.store import usable

DEPTHS = (4, 8)
"""Depths at which a publication's agent is judged, plies, unless PUBLISHED has it."""
PUBLISHED = """
    edap01:5 edap01-intended:5 edap01-intended:8 kang-sample:4 rmarcus:1 rmarcus:5 rmarcus:7 vds:4 vds:6
"""
"""Agents of programs that are published with other depths, or that take too long without pruning."""
OTHERS = """
    random depth1 depth2 depth3 depth4 depth5 depth6 depth7 depth8
    uct:100 uct:1000 uct:10000 uct:100000
    mtdf@nodes=1000 mtdf@nodes=10000 mtdf@nodes=100000
    alphabeta@nodes=1000 alphabeta@nodes=10000 alphabeta@nodes=100000
    tommy-ab:42@nodes=10000 tommy-mtdf:42@nodes=10000 kang-h2:42@nodes=10000
    mtdf@time=0.01 uct:100000@time=0.01
    level:1 level:3 level:5 level:7 level:9
    perfect
"""
"""The other agents of the leaderboard; a budget after @ limits the nodes or the seconds of each move."""


def field() -> tuple[str, ...]:
    """Return the agents of the leaderboard: every publication's, and OTHERS."""
    published = PUBLISHED.split()
    known = {name.partition(":")[0] for name in published}
    papers = [f"{family.name}:{depth}" for family in families() if family.name not in known for depth in DEPTHS]
    return (*published, *papers, *OTHERS.split())


def ranked(results: Iterable[Accuracy]) -> list[Accuracy]:
    """Return the results, best first: by decisive positions, then by the exact score."""
    return sorted(results, key=lambda each: (-each.decisive.value, -each.score.value, each.agent))


def table(results: Iterable[Accuracy]) -> list[list[str]]:
    """Return head and rows of all agents, best first; the first two columns are rank and agent."""
    regrets = [f"regret, {phase}" for phase in PHASES]
    parts = ["outcome kept", "in decisive positions", "in hard positions", "score kept"]
    rows = [["", "agent", "positions", *parts, "blunders per game", *regrets, "ms per move"]]
    for rank, each in enumerate(ranked(results), start=1):
        rows.append(
            [
                str(rank),
                each.agent,
                f"{each.positions:,}",
                *map(percent, (each.outcome, each.decisive, each.hard, each.score)),
                number(each.blunders),
                *(f"{regret.value:.3f}" for regret in each.regret.values()),
                f"{each.seconds * 1e3:.3g}",
            ]
        )
    return rows


def markdown(results: Iterable[Accuracy]) -> str:
    """Return the table of all agents, best first, as a page holds it."""
    head, *rows = table(results)
    quoted = [[rank, f"`{agent}`", *others] for rank, agent, *others in rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *quoted))


def percent(share: Estimate) -> str:
    """Return "97.5 % (96.7 to 98.1)"."""
    return f"{100 * share.value:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"


def number(estimate: Estimate) -> str:
    """Return "0.45 (0.34 to 0.60)"."""
    return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def write(folder: Path, results: Sequence[Accuracy], about: str) -> None:
    """Write the page and the numbers into ``folder``; raise UsageError where that is impossible."""
    page = f"# Leaderboard of the judge\n\n{about}\n\n{markdown(results)}\n"
    lines = ",\n".join(json.dumps(each.as_json()) for each in ranked(results))
    with usable(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "judge.md").write_text(page, encoding="utf-8")
        (folder / "judge.json").write_text(f"[{lines}]\n", encoding="utf-8")
