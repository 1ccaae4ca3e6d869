"""Claims of Tommy 2017: alpha-beta against MTD(f)."""

from __future__ import annotations

from functools import partial
from statistics import mean

from bot.lab.experiments.inference import Estimate
from bot.lab.experiments.ledger.claim import Claim, Data, Exact, Part, Sampled
from bot.lab.experiments.tommy import COUNTED, DEPTHS, cells, intervals, sides
from bot.lab.experiments.tommy_openings import depths_of, first_mover, leaf_ratio, more_passes, same_moves

SOURCE = "Tommy 2017"
TABLE, OPENINGS, ORDERING = "tommy-table1", "tommy-openings", "tommy-ordering"
TIE = 0.005
"""Rounding of a printed percentage."""


def outcomes(data: Data) -> tuple[float, float, float]:
    """Return the percentages that MTD(f) wins, loses and draws in the rebuilt games."""
    games = [game for depth in DEPTHS for game in sides(data.results[TABLE], depth) if game["run"] == 0]
    won, lost, drawn = (sum(game["winner"] == side for game in games) for side in ("O", "X", "draw"))
    return 100 * won / len(games), 100 * lost / len(games), 100 * drawn / len(games)


def _shares(data: Data, stated: tuple[float, float, float]) -> list[Part]:
    found = outcomes(data)
    shown = f"{' / '.join(f'{share:.2f}' for share in found)} in the 12 rebuilt games, which have Table 1's results"
    close = all(abs(one - other) <= TIE + 0.005 for one, other in zip(found, stated, strict=True))
    return [Exact("percentages won, lost and drawn", shown, close)]


def fewer_leaves(data: Data, depth: int) -> float:
    """Return by how many percent MTD(f) evaluates fewer leaves in the rebuilt games of a depth."""
    games = [game for game in sides(data.results[TABLE], depth) if game["run"] == 0]
    leaves_x, leaves_o = (sum(game[key] for game in games) for key in ("leaves_x", "leaves_o"))
    return float(100 * (1 - leaves_o / leaves_x))


def _fewer_at_8(data: Data, stated: float) -> list[Part]:
    found = fewer_leaves(data, 8)
    return [Exact("fewer leaves at depth 8", f"{found:.2f} %", abs(found - stated) <= 2 * TIE)]


def _table(data: Data) -> list[Part]:
    table = [cell for cell in cells(data.results[TABLE]) if cell.column in COUNTED]
    equal = sum(cell.difference in (0, "equal") for cell in table)
    return [Exact("cells equal", f"{equal} of {len(table)}", equal == len(table))]


def _as_optimal(data: Data) -> list[Part]:
    equal = 0
    for depth in DEPTHS:
        games = [game for game in sides(data.results[TABLE], depth) if game["run"] == 0]
        equal += all((game["moves"], game["values"]) == (games[0]["moves"], games[0]["values"]) for game in games)
    same, count = same_moves(data.results[OPENINGS])
    return [
        Exact("depths at which both find the same values and moves", f"{equal} of {len(DEPTHS)}", equal == len(DEPTHS)),
        Exact("openings and depths with the same game, whichever program starts", f"{same} of {count}", same == count),
    ]


def _fewer_everywhere(data: Data) -> list[Part]:
    found = {depth: fewer_leaves(data, depth) for depth in DEPTHS}
    shown = ", ".join(f"{share:.1f} %" for share in found.values())
    parts: list[Part] = [Exact("fewer leaves at depths 5 to 10", shown, all(share > 0 for share in found.values()))]
    for depth in depths_of(data.results[OPENINGS]):
        ratio = leaf_ratio(data.results[OPENINGS], depth)
        parts.append(Sampled(f"leaves of MTD(f) for one of alpha-beta, depth {depth}", ratio, below=1, unit="openings"))
    return parts


def faster(data: Data, depth: int) -> Estimate:
    """Return by how many percent MTD(f) is faster."""
    return intervals(data.results[TABLE], depth)["O faster by (%)"]


def _faster(data: Data, depths: tuple[int, ...]) -> list[Part]:
    label = "percent by which MTD(f) is faster, depth"
    return [Sampled(f"{label} {depth}", faster(data, depth), above=0, unit="sessions", digits=1) for depth in depths]


def _slower(data: Data) -> list[Part]:
    return [Sampled("percent by which MTD(f) is faster, depth 6", faster(data, 6), below=0, unit="sessions", digits=1)]


def _odd_passes(data: Data) -> list[Part]:
    count = {
        depth: mean(game["passes"] for game in sides(data.results[TABLE], depth) if game["run"] == 0)
        for depth in DEPTHS
    }
    odd, even = (mean(found for depth, found in count.items() if depth % 2 == part) for part in (1, 0))
    pairs = all(count[depth] < count[depth + 1] for depth in DEPTHS if depth % 2)
    return [
        Exact("mean passes of odd and of even depths", f"{odd:.0f} and {even:.0f}", odd < even),
        Exact("each odd depth needs fewer than the next even one", "yes" if pairs else "no", pairs),
    ]


def _odd_passes_elsewhere(data: Data) -> list[Part]:
    results = data.results[OPENINGS]
    depths = depths_of(results)
    pairs = [(depth, depth + 1) for depth in depths if depth % 2 and depth + 1 in depths]
    label = "passes a move, depth {} less depth {}"
    return [
        Sampled(label.format(odd, even), more_passes(results, odd, even), below=0, unit="openings")
        for odd, even in pairs
    ]


def _growth(data: Data) -> list[Part]:
    leaves = {
        depth: mean(game["leaves_x"] for game in sides(data.results[TABLE], depth) if game["run"] == 0)
        for depth in DEPTHS
    }
    growth = {depth: leaves[depth] / leaves[depth - 1] for depth in DEPTHS if depth - 1 in leaves}
    largest = max(factor for depth, factor in growth.items() if depth % 2 == 0)
    least = min(factor for depth, factor in growth.items() if depth % 2 == 1)
    shown = f"at most {largest:.1f} into an even depth, at least {least:.1f} into an odd one"
    return [Exact("growth of alpha-beta's leaves from one depth to the next", shown, largest < least)]


def _first_mover(data: Data) -> list[Part]:
    found = first_mover(data.results[OPENINGS])
    return [Sampled("first mover's points per game", found, above=0.5, unit="openings")]


def _by_weight(data: Data) -> list[Part]:
    published = float(data.printed.tommy_table[5][3])
    leaves = {task["ordering"]: result["leaves"] for task, result in data.results[ORDERING]}
    shown = f"{leaves['weight']:.0f} by weight and {leaves['list']:.0f} by the fixed list, published {published:.0f}"
    return [Exact("leaves a game of alpha-beta at depth 5", shown, int(leaves["weight"]) == published)]


CLAIMS = (
    Claim(
        "tommy-table",
        SOURCE,
        "Table 1",
        "Leaves, passes and results of the twelve games are those of Table 1.",
        "All 24 cells that do not depend on the machine equal those of the rebuilt programs.",
        _table,
        (TABLE,),
        "24 cells",
    ),
    Claim(
        "tommy-abstract-results",
        SOURCE,
        "Abstract",
        "MTD(f) wins 45.83 %, loses 37.5 % and draws 16.67 % of the games.",
        "The percentages equal those of the rebuilt games, which have Table 1's results.",
        partial(_shares, stated=(45.83, 37.5, 16.67)),
        (TABLE,),
        "45.83 / 37.5 / 16.67 %",
    ),
    Claim(
        "tommy-body-results",
        SOURCE,
        "Results and conclusion",
        "MTD(f) wins 41.67 %, loses 41.67 % and draws 16.66 % of the games.",
        "The percentages equal those of the rebuilt games.",
        partial(_shares, stated=(41.67, 41.67, 16.66)),
        (TABLE,),
        "41.67 / 41.67 / 16.66 %",
    ),
    Claim(
        "tommy-abstract-leaves",
        SOURCE,
        "Abstract",
        "At depth 8 MTD(f) evaluates 56.27 % fewer leaves.",
        "The percentage equals that of the rebuilt games.",
        partial(_fewer_at_8, stated=56.27),
        (TABLE,),
        "56.27 %",
    ),
    Claim(
        "tommy-body-leaves",
        SOURCE,
        "Table 1 and text",
        "At depth 8 MTD(f) evaluates 66.20 % fewer leaves.",
        "The percentage equals that of the rebuilt games.",
        partial(_fewer_at_8, stated=66.20),
        (TABLE,),
        "66.20 %",
    ),
    Claim(
        "tommy-optimal",
        SOURCE,
        "Conclusion",
        "MTD(f) plays as well as alpha-beta: it finds the same moves.",
        "Values and moves agree in both games of every depth, and from all openings of four plies.",
        _as_optimal,
        (TABLE, OPENINGS),
    ),
    Claim(
        "tommy-fewer-leaves",
        SOURCE,
        "Conclusion",
        "MTD(f) evaluates fewer leaves than alpha-beta at every depth.",
        "Fewer leaves in Table 1's games of each depth, and a ratio below 1 over all openings of four plies.",
        _fewer_everywhere,
        (TABLE, OPENINGS),
        "51.33 to 90.23 % fewer",
    ),
    Claim(
        "tommy-faster",
        SOURCE,
        "Table 1 and conclusion",
        "MTD(f) is faster on average at depths 5, 7, 8, 9 and 10.",
        "The percentage by which it is faster is above 0 at each of these depths.",
        partial(_faster, depths=(5, 7, 8, 9, 10)),
        (TABLE,),
        "17.28, 60.15, 35.19, 79.24, 81.34 %",
    ),
    Claim(
        "tommy-slower-at-6",
        SOURCE,
        "Table 1",
        "At depth 6 MTD(f) is not faster.",
        "The percentage by which it is faster is below 0 at depth 6.",
        _slower,
        (TABLE,),
        "0.19 % slower",
    ),
    Claim(
        "tommy-odd-passes",
        SOURCE,
        "Discussion",
        "On average, odd depths need fewer passes of MTD(f) than even depths.",
        "In Table 1's games: the mean over odd depths is lower, and each odd depth is below the next even one.",
        _odd_passes,
        (TABLE,),
        "201, 456, 478 and 255, 715, 590",
    ),
    Claim(
        "tommy-odd-passes-openings",
        SOURCE,
        "Discussion",
        "The same, in games that the paper did not play.",
        "Passes a move over all openings of four plies: each odd depth needs fewer than the next even one.",
        _odd_passes_elsewhere,
        (OPENINGS,),
    ),
    Claim(
        "tommy-branching",
        SOURCE,
        "Discussion",
        "Alpha-beta's branching factor shrinks more at even depths.",
        "Its leaves grow by a smaller factor into every even depth than into any odd one, in Table 1's games.",
        _growth,
        (TABLE,),
    ),
    Claim(
        "tommy-first-mover",
        SOURCE,
        "Discussion",
        "The side that moves first has the better chance.",
        "The first mover's mean points from an opening of four plies, over all of them, are above 0.5.",
        _first_mover,
        (OPENINGS,),
    ),
    Claim(
        "tommy-weights",
        SOURCE,
        "Method",
        "Holes are searched from the largest to the smallest weight.",
        "Alpha-beta with this ordering has the published leaves at depth 5.",
        _by_weight,
        (ORDERING,),
        "12242 leaves",
    ),
    Claim(
        "tommy-suitable",
        SOURCE,
        "Conclusion",
        "MTD(f) is the suitable algorithm for this game.",
        "A judgement, not a measurement; its grounds (same moves, fewer leaves, less time) are claims of their own.",
    ),
)
