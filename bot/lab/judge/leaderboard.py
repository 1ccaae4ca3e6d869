"""The leaderboard: the agents that it judges, and its Markdown page and CSV table."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from bot.errors import UsageError
from bot.lab.judge.verdicts import PHASES, Estimate, Verdict

FIELD = (
    "random",
    *(f"depth{depth}" for depth in range(1, 9)),
    *(f"{paper}:{depth}" for paper in ("tommy-ab", "tommy-mtdf", "vds-intended", "halim") for depth in (4, 8)),
    *(f"{paper}:{depth}" for paper in ("kang-h1", "kang-h2") for depth in (4, 8)),
    *("kang-sample:4", "vds:4", "vds:6", "edap01:5", "edap01-intended:5", "edap01-intended:8"),
    *(f"rmarcus:{depth}" for depth in (1, 5, 7)),
    *(f"uct:{playouts}" for playouts in (100, 1_000, 10_000, 100_000)),
    *(f"{engine}@nodes={nodes}" for engine in ("mtdf", "alphabeta") for nodes in (1_000, 10_000, 100_000)),
    *(f"{paper}:42@nodes=10000" for paper in ("tommy-ab", "tommy-mtdf", "kang-h2")),
    *("mtdf@time=0.01", "uct:100000@time=0.01"),
    *(f"level:{level}" for level in (1, 3, 5, 7, 9)),
    "perfect",
)
"""Agents of the leaderboard; a budget after @ limits the nodes or the seconds of each move."""
NAME = "judge"
"""Name of the page and the table, without ending."""


def ranked(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return the verdicts, best first: by decisive positions, then by the exact score."""
    return sorted(verdicts, key=lambda each: (-each.decisive.value, -each.score.value, each.agent))


def markdown(verdicts: Sequence[Verdict]) -> str:
    """Return the table of all agents, best first."""
    head = ["", "agent", "positions", "outcome kept", "in decisive positions", "score kept", "blunders per game"]
    head += [f"regret, {phase}" for phase in PHASES]
    rows = [[*head, "ms per move"], ["---"] * (len(head) + 1)]
    for rank, each in enumerate(ranked(verdicts), start=1):
        shares = [percent(share) for share in (each.outcome, each.decisive, each.score)]
        regret = [f"{each.regret[phase].value:.3f}" for phase in PHASES]
        first = [str(rank), f"`{each.agent}`", f"{each.positions:,}"]
        rows.append([*first, *shares, number(each.blunders), *regret, f"{each.seconds * 1e3:.3g}"])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def percent(share: Estimate) -> str:
    """Return "97.5 % (96.7 to 98.1)"."""
    return f"{share.value:.1%} ({100 * share.low:.1f} to {100 * share.high:.1f})".replace("%", " %")


def number(estimate: Estimate) -> str:
    """Return "0.45 (0.34 to 0.60)"."""
    return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def write(folder: Path, verdicts: Sequence[Verdict], about: str) -> None:
    """Write the page and the table into ``folder``; raise UsageError where that is impossible."""
    page = f"# Leaderboard of the judge\n\n{about}\n\n{markdown(verdicts)}\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{NAME}.md").write_text(page, encoding="utf-8")
        with (folder / f"{NAME}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(table(ranked(verdicts)))
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}.", "Choose another folder.") from None


def table(verdicts: Sequence[Verdict]) -> list[list[str | int | float]]:
    """Return the CSV table: its head, then each agent's numbers with their intervals, and its blunders by ply."""
    plies = sorted({ply for each in verdicts for ply in each.by_ply})
    names = ["outcome", "decisive", "score", "blunders", *(f"regret {phase}" for phase in PHASES)]
    head: list[str | int | float] = ["agent", "positions", "failures", "median_s"]
    head += [f"{name}{end}" for name in names for end in ("", " low", " high")]
    rows = [head + [f"blunder share, ply {ply}" for ply in plies]]
    for each in verdicts:
        estimates = [each.outcome, each.decisive, each.score, each.blunders, *(each.regret[name] for name in PHASES)]
        row: list[str | int | float] = [each.agent, each.positions, each.failures, round(each.seconds, 7)]
        row += [round(part, 5) for known in estimates for part in (known.value, known.low, known.high)]
        rows.append(row + [round(each.by_ply.get(ply, 0.0), 4) for ply in plies])
    return rows
