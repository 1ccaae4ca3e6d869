"""What the papers got wrong, each with evidence: their own numbers added up, and what the rebuilt systems do."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean

from bot.lab.experiments import halim, kang, tommy
from bot.lab.experiments.base import Results

AllResults = dict[str, Results]
"""Results of the experiments that were run, by name."""


@dataclass(frozen=True)
class Finding:
    """One statement of a source that does not hold."""

    source: str
    claim: str
    evidence: str


def findings(results: AllResults) -> list[Finding]:
    """All of them; measured evidence is left out where its experiment has not been run."""
    return [*_tommy(), *_van_der_schee(results), *_halim(), *_kang(results), *_edap01(results)]


def _tommy() -> list[Finding]:
    outcomes = [row[7] for row in tommy.PUBLISHED.values()]
    wins, draws = outcomes.count("X 1, O 1"), 2 * outcomes.count("Draw 2")
    games = 2 * len(outcomes)
    _, _, _, leaves_x, leaves_o, fewer, _, _ = tommy.PUBLISHED[8]
    passes = {depth: float(row[6]) for depth, row in tommy.PUBLISHED.items()}
    odd, even = (mean(count for depth, count in passes.items() if depth % 2 == part) for part in (1, 0))
    return [
        Finding(
            "Tommy 2017",
            "Abstract: MTD(f) wins 45.83 %, loses 37.5 %, draws 16.67 %.",
            f"Its own Table 1 has {wins} wins, {wins} losses and {draws} draws of {games} games:"
            f" {100 * wins / games:.2f} % / {100 * wins / games:.2f} % / {100 * draws / games:.2f} %. The rebuilt games"
            " agree with the table.",
        ),
        Finding(
            "Tommy 2017",
            "Abstract: at depth 8 MTD(f) evaluates 56.27 % fewer leaves.",
            f"Table 1 has {leaves_o:.0f} against {leaves_x:.0f}: {100 * (1 - float(leaves_o) / float(leaves_x)):.2f} %"
            f" (printed there: {fewer:.2f} %). The rebuilt programs count the same leaves.",
        ),
        Finding(
            "Tommy 2017",
            "Holes are searched from the largest to the smallest weight.",
            "Only the fixed list of columns d, e, c, f, b, g, a gives the published leaf counts.",
        ),
        Finding(
            "Tommy 2017",
            "Odd depths need fewer passes than even ones.",
            f"On average they do ({odd:.0f} against {even:.0f}), and each fewer than the next even depth; but depth 7"
            f" ({passes[7]:.0f}) and depth 9 ({passes[9]:.0f}) need more than depth 6 ({passes[6]:.0f}).",
        ),
    ]


def _van_der_schee(results: AllResults) -> list[Finding]:
    from bot.game import Board
    from bot.lab.experiments.slips import published, sound

    after_centre = Board.from_moves([3])
    replies = ", ".join(f"{'abcdefg'[published(after_centre, depth)[1]]} at depth {depth}" for depth in (1, 2, 3, 4))
    board = Board.from_moves([3, 2])
    value, minimax = published(board, 4)[0], max(sound(board, 4)[0].values())
    by_parity = share = ""
    if "vds-slips" in results:
        from bot.lab.experiments.slips import cells

        table = {(cell.row, cell.column): cell.measured for cell in cells(results["vds-slips"])}
        scores = [f"{table[f'depth {depth}', 'score against the intended program']:.2f}" for depth in range(1, 7)]
        by_parity = f" Against the intended program it scores {', '.join(scores)} at depths 1 to 6."
        wrong = [f"{table[f'depth {depth}', 'share of wrong values']:.2f}" for depth in range(1, 7)]
        share = f" In random positions the share of wrong values at depths 1 to 6 is {', '.join(wrong)}."
    return [
        Finding(
            "van der Schee 2014",
            "The leaf heuristic serves a minimax whose maximiser is the root's side.",
            "It is relative to the side to move at the leaf, so at odd depths its sign is inverted. The reply to the"
            f" centre opening: {replies}.{by_parity}",
        ),
        Finding(
            "van der Schee 2014",
            "The table stores upper and lower bounds.",
            "It stores false ones: raising beta to an upper bound and not cutting at equality leads to empty windows,"
            " in which a value equal to the bound is stored as an upper bound without proof. After the moves d, c"
            f" depth 4 gives {value}, where minimax with the same leaves gives {minimax}.{share}",
        ),
        Finding(
            "van der Schee 2014",
            "Stacked threats earn (6 - y) x 100, and a threat is the empty cell of three discs.",
            "By precedence they earn 6 - 100 y, a penalty, and the cell taken is the last of the window.",
        ),
    ]


def _halim() -> list[Finding]:
    games = halim.published().values()
    lost = [int(game[1:]) for game in games if game[0] == "L"]
    return [
        Finding(
            "Halim",
            f"Losses last {halim.PUBLISHED_LOSS_MEAN:.2f} plies on average.",
            f"The {len(lost)} losses of its table have {sum(lost)} plies: {mean(lost):.2f}.",
        ),
        Finding(
            "Halim",
            "Every combination of depths was played several times.",
            "With the box deterministic ticked both programs repeat themselves, so that all replays are equal;"
            " unticked, the table is one sample.",
        ),
    ]


def _kang(results: AllResults) -> list[Finding]:
    again = alone = ""
    if "kang-table8" in results and "kang-table9" in results:
        eight = kang.record(results["kang-table8"], "F1+2+3+4")
        nine = kang.record(results["kang-table9"], "depth 4")
        again = f" Here the two samples have {eight.won / eight.games:.2f} and {nine.won / nine.games:.2f}."
    if "kang-table7" in results:
        shares = [kang.record(results["kang-table7"], f"F{feature}") for feature in "1234"]
        alone = f" Here single features win {', '.join(f'{games.won / games.games:.2f}' for games in shares)}."
    return [
        Finding(
            "Kang 2019",
            "Heuristic-1 with all features at depth 4 wins 0.80 against Heuristic-2 (Table 8).",
            f"Table 9 has {kang.TABLE_9_WINS[4][0]:.2f} for the same setting, outside the 95 % interval of"
            f" 100 games.{again}",
        ),
        Finding(
            "Kang 2019",
            "Single features cannot beat Heuristic-2, more features beat it.",
            f"Feature 1 alone, which only sees finished games, has {kang.TABLE_7_WINS['1']:.2f} in Table 7, not far"
            f" from {kang.TABLE_8_WINS['1+2+3']:.2f} for three features.{alone}",
        ),
        Finding(
            "Kang 2019",
            "Table 5 announces 100 rounds for Table 6.",
            "Its caption says 10, and all of its values are multiples of 0.1: an interval of about +-0.3 a cell.",
        ),
    ]


def _edap01(results: AllResults) -> list[Finding]:
    given = ""
    if "regret" in results:
        from bot.lab.experiments.regret import per_game, points_lost

        deepest = max(results["regret"][0][0]["depths"])
        agents = [f"{family}:{deepest}" for family in ("edap01", "edap01-intended")]
        lost = [mean(per_game(results["regret"], agent, points_lost)) for agent in agents]
        given = f" At depth {deepest} it gives away {lost[0]:.2f} points a game, without the slips {lost[1]:.2f}."
    return [
        Finding(
            "EDAP01 report 2021",
            "Minimax with alpha-beta, ended by a win.",
            "The minimiser's nodes look for a four on the game's board instead of the node's, so that the search goes"
            " on below a won position, and the depth left is added to lost positions too, so that a quick loss looks"
            f" better than a slow one.{given}",
        )
    ]
