"""Write the generated tables of bot/lab/README.md: ``python -m tests.lab.write_readme``.

Each table is between ``<!-- generated: NAME -->`` and ``<!-- end -->``. The agents come from the list of agents, the
experiments from their catalogue, and the results from the committed CSV tables.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import bot.lab
from bot.agents.catalogue import COURSE_BOT, entries
from bot.agents.family import families
from bot.lab.experiments.base import markdown_table
from bot.lab.experiments.catalogue import EXPERIMENTS
from bot.lab.experiments.ledger.claim import VERDICTS
from bot.lab.experiments.regret_positions import families() as REGRET_families()
from bot.lab.experiments.streak import COURSE_BOT as STREAK_BOT
from bot.lab.experiments.streak import GOAL
from bot.lab.experiments.tommy import COUNTED

LAB = Path(bot.lab.__file__).parent
README = LAB / "README.md"
BLOCK = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
Cells = dict[tuple[str, str], dict[str, str]]
"""The lines of a CSV table by row and column."""


def agents() -> str:
    """Return the table of all agents."""
    papers = {family.name for family in families()}
    rows = []
    for entry in entries():
        name = f"`{entry.name}`"
        if entry.name == COURSE_BOT:
            name = f"`{entry.full_name(1)}` to `{entry.full_name(entry.deepest)}`"
        elif entry.depth is not None:
            name = f"`{entry.name}:{entry.number}`" + (
                f", `{entry.name}` (depth {entry.depth})" if entry.depth_optional else ""
            )
        options = ", ".join(f"`{option}`" for option in entry.options)
        rows.append([entry.name in papers, name, entry.about, options or "-"])
    return markdown_table([row[1:] for row in sorted(rows, key=lambda row: not row[0])], ["name", "agent", "options"])


def experiments() -> str:
    """Return the table of all experiments."""
    rows = [[f"`{name}`", experiment.title] for name, experiment in EXPERIMENTS.items()]
    return markdown_table(rows, ["name", "experiment"])


def read_cells(name: str) -> Cells:
    """Return the committed table of an experiment."""
    with (LAB / "results" / f"{name}.csv").open(encoding="utf-8") as file:
        return {(line["row"], line["column"]): line for line in csv.DictReader(file)}


def ledger() -> str:
    """Return the verdicts by source."""
    entries = json.loads((LAB / "results" / "ledger.json").read_text(encoding="utf-8"))
    sources = dict.fromkeys(entry["source"] for entry in entries)
    rows: list[list[object]] = []
    for source in (*sources, "all"):
        verdicts = [entry["verdict"] for entry in entries if source in ("all", entry["source"])]
        rows.append([source, *(verdicts.count(verdict) for verdict in VERDICTS), len(verdicts)])
    return markdown_table(rows, ["source", *VERDICTS, "statements"])


def judge() -> str:
    """Return the leaderboard of the judge."""
    with (LAB / "results" / "judge.csv").open(encoding="utf-8") as file:
        return leaderboard(list(csv.DictReader(file)))


def leaderboard(lines: list[dict[str, str]]) -> str:
    """Return the main columns of the judge's table."""
    rows = []
    for rank, line in enumerate(lines, start=1):
        shares = []
        for name in ("decisive", "score"):
            value, low, high = (100 * float(line[f"{name}{end}"]) for end in ("", " low", " high"))
            shares.append(f"{value:.1f} % ({low:.1f} to {high:.1f})")
        blunders, low, high = (float(line[f"blunders{end}"]) for end in ("", " low", " high"))
        rows.append([rank, f"`{line['agent']}`", *shares, f"{blunders:.2f} ({low:.2f} to {high:.2f})"])
        rows[-1].append(f"{1000 * float(line['median_s']):.3g}")
    return markdown_table(rows, ["", "agent", "outcome kept", "score kept", "blunders per game", "ms per move"])


ALGORITHM_COLUMNS = (
    ("leaves, depth 4", "leaves for one of alpha-beta, depth 4"),
    ("leaves, depth 8", "leaves for one of alpha-beta, depth 8"),
    ("nodes, depth 8", "nodes for one of alpha-beta, depth 8"),
    ("time, depth 8", "seconds for one of alpha-beta, depth 8"),
    ("outcome kept, 10,000 leaves", "outcome kept, 10000 leaves"),
    ("outcome kept, 1 ms", "outcome kept, 0.001 seconds"),
    ("nodes of a proof", "nodes for one of alpha-beta + table, outcome"),
)
"""Columns of the summary: their heads, and their names in the CSV table."""


def algorithms() -> str:
    """Return the summary of the comparison of search algorithms."""
    cells = read_cells("algorithms")
    rows = []
    for name in dict.fromkeys(name for name, _ in cells):
        found = [cells.get((name, column)) for _, column in ALGORITHM_COLUMNS]
        rows.append([name, *("-" if cell is None else _measured(cell, "{:.3g}") for cell in found)])
    return markdown_table(rows, ["", *(head for head, _ in ALGORITHM_COLUMNS)])


def results() -> str:
    """Return the main results beside the published ones, each with the command that computes it."""
    tommy, halim, readings, six, nine, defects = map(
        read_cells, ("tommy-table1", "halim-table1", "readings-halim", "kang-table6", "readings-kang", "vds-defects")
    )
    counted = [cell for (_, column), cell in tommy.items() if column in COUNTED]
    equal = sum(cell["published"] == cell["measured"] for cell in counted)
    fewer = tommy["depth 10", "O fewer leaves by (%)"]
    time = tommy["depth 10", "seconds a move, X"]
    totals = [halim["all games", kind] for kind in ("wins", "losses", "draws")]
    games = [cell for (row, _), cell in halim.items() if row.startswith("opponent")]
    same = sum(cell["published"] == cell["measured"] for cell in games)
    winners = sum(cell["published"][0] == cell["measured"][0] for cell in games)
    wrong = defects["depth 6", "share of wrong values"]
    calls = defects["depth 6", "calls for one of a sound search"]
    agreement = "equal results; of equal length"
    rows = [
        ["Tommy, Table 1: leaves, passes, results", f"{len(counted)} cells", f"{equal} equal", "run tommy-table1"],
        ["Tommy, depth 10: fewer leaves by MTD(f)", *_both(fewer, "{:.2f} %"), "run tommy-table1"],
        ["Tommy, depth 10: alpha-beta's time of a move", *_both(time, "{:.4f} s"), "run tommy-table1"],
        ["Halim, recommended reading: won, lost and drawn of 64", *_counts(totals), "run halim-table1"],
        [f"Halim, recommended reading: {agreement}", "64 games", f"{winners}; {same}", "run halim-table1"],
        [f"Halim, chosen reading, training cells: {agreement}", *_part(readings, "training"), "run readings-halim"],
        [f"Halim, chosen reading, held-out cells: {agreement}", *_part(readings, "held out"), "run readings-halim"],
        [f"Halim, best reading after the fact: {agreement}", "64 games", _best(readings), "run readings-halim"],
        ["Kang, Table 6: points of the deeper search", *(f"{_deeper(six, key):.2f}" for key in KINDS)],
        *([f"Kang, Table 9, depth {d}: share won by H1, range of readings", *_range(nine, d)] for d in (2, 4, 6)),
        ["van der Schee, depth 6: share of wrong values", "-", _measured(wrong, "{:.2f}"), "run vds-defects"],
        ["van der Schee, depth 6: calls for one of a sound search", "-", _measured(calls, "{:.1f}"), "run vds-defects"],
        [f"Agents without a loss in 20 games against `{STREAK_BOT}` (goal)", "-", _passed(), "run edap01-streak"],
    ]
    rows[8].append("run kang-table6")
    for row in rows[9:12]:
        row.append("run readings-kang")
    commands = [[*row[:3], f"`bot experiment {row[3]}`"] for row in rows]
    return markdown_table(commands, ["result", "published", "here", "command"])


def _best(readings: Cells) -> str:
    return "; ".join(f"{float(readings['all cells', what]['measured']):.0f}" for what in AGREEMENT)


def _part(readings: Cells, part: str) -> list[str]:
    """Return the size of a part of the table, and the agreement of the chosen reading with its range over readings."""
    cells = [readings[f"{part} cells", what] for what in AGREEMENT]
    shown = [f"{float(c['measured']):.0f} ({float(c['low']):.0f} to {float(c['high']):.0f})" for c in cells]
    return [f"{float(cells[0]['published']):.0f} games", "; ".join(shown)]


def _range(nine: Cells, depth: int) -> list[str]:
    low, high = (nine[f"depth {depth} (training)", f"{end} of all readings"] for end in ("lowest", "highest"))
    return [f"{float(low['published']):.2f}", f"{float(low['measured']):.2f} to {float(high['measured']):.2f}"]


AGREEMENT = ("equal results", "equal results and lengths")
KINDS = ("published", "measured")


def _both(cell: dict[str, str], form: str) -> list[str]:
    """Return the published and the measured value."""
    return [form.format(float(cell["published"])), _measured(cell, form)]


def _measured(cell: dict[str, str], form: str) -> str:
    """Return the measured value, with its interval if it has one."""
    measured, *interval = (form.format(float(cell[key])) for key in ("measured", "low", "high") if cell[key])
    return f"{measured} ({' to '.join(interval)})" if interval else measured


def _counts(cells: list[dict[str, str]]) -> list[str]:
    return [", ".join(f"{float(cell[kind]):.0f}" for cell in cells) for kind in KINDS]


def _deeper(six: Cells, kind: str) -> float:
    """Return the mean points of the deeper search over both orders of moving first."""
    points = []
    for row in dict.fromkeys(row for row, _ in six):
        first, second = map(int, re.findall(r"\d+", row))
        won, lost = (float(six[row, f"{side} wins"][kind]) for side in ("first", "second"))
        score = won + (1 - won - lost) / 2
        if first != second:
            points.append(score if first > second else 1 - score)
    return mean(points)


def _passed() -> str:
    cells = read_cells("edap01-streak")
    column = "streak at the start"
    names = [row.split()[0] for row, what in cells if what == column and row.endswith(f" {STREAK_BOT}")]
    passed = [name for name in names if float(cells[f"{name} against {STREAK_BOT}", column]["measured"]) >= GOAL]
    return f"{len(passed)} of {len(names)}: " + ", ".join(f"`{name}`" for name in passed)


def regret() -> str:
    """Return the points that each family gives away per game, by depth."""
    cells = read_cells("regret")
    column = "points given away a game"
    table = {family: [cells[f"{family}:{d}", column] for d in DEPTHS] for family in REGRET_families()}
    means = {family: mean(float(cell["measured"]) for cell in row) for family, row in table.items()}
    order = sorted(table, key=lambda family: means[family])
    rows = [[f"`{f}`", *(_half(table[f][d - 1]) for d in SHOWN), f"{means[f]:.2f}"] for f in order]
    header = ["agent", *(f"depth {depth}" for depth in SHOWN), "mean of 1 to 8"]
    return markdown_table([*rows, ["`random`", *["-"] * len(SHOWN), _half(cells["random", column])]], header)


def _half(cell: dict[str, str]) -> str:
    return f"{float(cell['measured']):.2f} ± {float(cell['high']) - float(cell['measured']):.2f}"


DEPTHS = range(1, 9)
SHOWN = (2, 4, 6, 8)

BLOCKS: dict[str, Callable[[], str]] = {
    "agents": agents,
    "experiments": experiments,
    "ledger": ledger,
    "results": results,
    "regret": regret,
    "algorithms": algorithms,
    "judge": judge,
}


def rewritten(text: str) -> str:
    """Return the document with all generated tables up to date."""
    return BLOCK.sub(lambda found: f"{found[1]}{BLOCKS[found[2]]()}\n{found[3]}", text)


if __name__ == "__main__":
    README.write_text(rewritten(README.read_text(encoding="utf-8")), encoding="utf-8")
