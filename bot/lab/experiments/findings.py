"""Statements of the sources that do not hold, with evidence from their own numbers and from the rebuilt programs."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean

from bot.lab.arena.statistics import wilson
from bot.lab.experiments import halim, kang, tommy
from bot.lab.experiments.base import Results

AllResults = dict[str, Results]
"""Results of the experiments that were run, by the experiment's name."""


@dataclass(frozen=True)
class Finding:
    """A statement of a source that does not hold."""

    source: str
    claim: str
    evidence: str


def findings(results: AllResults) -> list[Finding]:
    """Return all findings; measured evidence is omitted if its experiment has not been run."""
    return [*_tommy(results), *_van_der_schee(results), *_halim(results), *_kang(results), *_edap01(results)]


def _tommy(results: AllResults) -> list[Finding]:
    outcomes = [row[7] for row in tommy.PUBLISHED.values()]
    wins, draws = outcomes.count("X 1, O 1"), 2 * outcomes.count("Draw 2")
    games = 2 * len(outcomes)
    again = same_leaves = ""
    if "tommy-table1" in results:
        rebuilt = {depth: tommy.measured(depth, results["tommy-table1"]) for depth in tommy.DEPTHS}
        equal = sum(rebuilt[depth][7] == row[7] for depth, row in tommy.PUBLISHED.items())
        again = f" The rebuilt games have the table's results at {equal} of {len(rebuilt)} depths."
        same_leaves = f" The rebuilt programs count {rebuilt[8][4]} against {rebuilt[8][3]}."
    _, _, _, leaves_x, leaves_o, fewer, _, _ = tommy.PUBLISHED[8]
    return [
        Finding(
            "Tommy 2017",
            "Abstract: MTD(f) wins 45.83 %, loses 37.5 %, draws 16.67 %.",
            f"Its own Table 1 has {wins} wins, {wins} losses and {draws} draws of {games} games:"
            f" {100 * wins / games:.2f} % / {100 * wins / games:.2f} % / {100 * draws / games:.2f} %.{again}",
        ),
        Finding(
            "Tommy 2017",
            "Abstract: at depth 8 MTD(f) evaluates 56.27 % fewer leaves.",
            f"Table 1 has {leaves_o:.0f} against {leaves_x:.0f}: {100 * (1 - float(leaves_o) / float(leaves_x)):.2f} %"
            f" (printed there: {fewer:.2f} %).{same_leaves}",
        ),
        _tommy_order(),
        _tommy_passes(results),
    ]


def _tommy_order() -> Finding:
    from bot.lab.experiments.ordering import by_list, by_weight, mean_leaves

    published = float(tommy.PUBLISHED[5][3])
    return Finding(
        "Tommy 2017",
        "Holes are searched from the largest to the smallest weight.",
        f"X's leaves a game at depth 5, published {published:.0f}: with the pseudo-code's fixed list of columns"
        f" {mean_leaves(5, by_list):.0f}, by the weight of the landing hole {mean_leaves(5, by_weight):.0f}.",
    )


def _tommy_passes(results: AllResults) -> Finding:
    passes = {depth: float(row[6]) for depth, row in tommy.PUBLISHED.items()}
    if "tommy-table1" in results:
        passes = {depth: float(tommy.measured(depth, results["tommy-table1"])[6]) for depth in tommy.DEPTHS}
    odd, even = (mean(count for depth, count in passes.items() if depth % 2 == part) for part in (1, 0))
    return Finding(
        "Tommy 2017",
        "Odd depths need fewer passes than even ones.",
        f"On average they do ({odd:.0f} against {even:.0f}), and each odd depth needs fewer than the next even one;"
        f" but depth 7 ({passes[7]:.0f}) and depth 9 ({passes[9]:.0f}) need more than depth 6 ({passes[6]:.0f}).",
    )


def _van_der_schee(results: AllResults) -> list[Finding]:
    from bot.game import Board
    from bot.lab.experiments.defects import cells, published, sound

    after_centre = Board.from_moves([3])
    replies = ", ".join(f"{published(after_centre, depth)[1] + 1} at depth {depth}" for depth in (1, 2, 3, 4))
    board = Board.from_moves([3, 2])
    value, minimax = published(board, 4)[0], max(sound(board, 4)[0].values())
    by_parity = share = calls = ""
    if "vds-defects" in results:
        table = {(cell.row, cell.column): cell.measured for cell in cells(results["vds-defects"])}

        def row(column: str) -> str:
            return ", ".join(f"{table[f'depth {depth}', column]:.2f}" for depth in range(1, 7))

        by_parity = (
            f" Against the intended program it scores {row('score against the intended program')} at depths 1-6."
        )
        share = f" In random positions the share of wrong values at depths 1 to 6 is {row('share of wrong values')}."
        calls = f" Calls relative to a sound MTD(f) at depths 1 to 6: {row('calls for one of a sound search')}."
    return [
        Finding(
            "van der Schee 2014",
            "The leaf heuristic serves a minimax whose maximiser is the root's side.",
            "It is relative to the side to move at the leaf, so at odd depths its sign is inverted. The reply to the"
            f" centre opening (columns 1-7): {replies}.{by_parity}",
        ),
        Finding(
            "van der Schee 2014",
            "The table stores upper and lower bounds.",
            "Some stored bounds are false: raising beta to an upper bound and not cutting at equality leads to empty"
            " windows, in which a value equal to the bound is stored as an upper bound without proof. After the"
            f" moves 4 and 3 (columns 1-7), depth 4 gives {value}, where minimax with the same leaves gives {minimax}."
            f"{share}",
        ),
        Finding(
            "van der Schee 2014",
            "Alpha-beta and the null window cut what cannot matter.",
            "A cutoff requires a value beyond the bound; with integer null windows, equality is the usual"
            f" cutoff.{calls}",
        ),
        _stacked_threats(),
    ]


STACKED = "46656254475"
"""Moves (columns 1-7) to a position in which the first player has stacked threats."""


def _stacked_threats() -> Finding:
    from bot.game import Board
    from bot.lab.kernels.evaluation import schee_score

    board = Board.from_moves(int(column) - 1 for column in STACKED)
    discs = (board.opponent, board.current) if board.ply % 2 else (board.current, board.opponent)
    published, intended = (int(schee_score(*discs, reading)) for reading in (0, 1))
    return Finding(
        "van der Schee 2014",
        "Stacked threats earn (6 - y) x 100, and a threat is the empty cell of three discs.",
        "By operator precedence they earn 6 - 100 y, a penalty, and the cell recorded is the last one of the window."
        f" After {STACKED} (columns 1-7) the first player scores {published}; the intended score is {intended}.",
    )


def _halim(results: AllResults) -> list[Finding]:
    games = halim.published().values()
    lost = [int(game[1:]) for game in games if game[0] == "L"]
    again = ""
    if "halim-table1" in results:
        samples = {task["option"] for task, _ in results["halim-table1"] if task["option"].startswith("ties=random")}
        tables = [halim.table(results["halim-table1"], option) for option in sorted(samples)]
        if tables:
            different = sum(len({table[place] for table in tables}) > 1 for place in tables[0])
            again = (
                f" With random ties {different} of the 64 cells differ within {len(tables)} runs of the rebuilt system."
            )
    return [
        Finding(
            "Halim",
            f"Losses last {halim.PUBLISHED_LOSS_MEAN:.2f} plies on average.",
            f"The {len(lost)} losses of its table have {sum(lost)} plies: {mean(lost):.2f}.",
        ),
        Finding(
            "Halim",
            "Every combination of depths was played several times.",
            'With the option "deterministic" both programs repeat their games, so that all replays are equal; without'
            f" it, the table is one random sample.{again}",
        ),
    ]


def _kang(results: AllResults) -> list[Finding]:
    again = alone = shallow = ""
    if "kang-table8" in results and "kang-table9" in results:
        eight = kang.record(results["kang-table8"], "F1+2+3+4")
        nine = kang.record(results["kang-table9"], "depth 4")
        again = f" Here the two samples have {eight.won / eight.games:.2f} and {nine.won / nine.games:.2f}."
    if "kang-table7" in results:
        shares = [kang.record(results["kang-table7"], f"F{feature}") for feature in "1234"]
        alone = f" Here single features win {', '.join(f'{games.won / games.games:.2f}' for games in shares)}."
    if "kang-table9" in results:
        two = kang.record(results["kang-table9"], "depth 2")
        shallow = f" Here Heuristic-1 wins {two.won / two.games:.2f} at depth 2, in the reading chosen."
    all_features, same = kang.TABLE_8_WINS["1+2+3+4"], kang.TABLE_9_WINS[4][0]
    low, high = wilson(100 * all_features, 100)
    tenths = all(
        round(10 * share, 6).is_integer() for row in kang.TABLE_6_WINS.values() for cell in row for share in cell
    )
    wide = max(abs(bound - 0.5) for bound in wilson(5, 10))
    return [
        Finding(
            "Kang 2019",
            f"Heuristic-1 with all features at depth 4 wins {all_features:.2f} against Heuristic-2 (Table 8).",
            f"Table 9 has {same:.2f} for the same setting, {'inside' if low <= same <= high else 'outside'} the 95 %"
            f" interval of 100 games, {low:.2f} to {high:.2f}.{again}",
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
            f"Its caption says 10, and {'all' if tenths else 'not all'} of its values are multiples of 0.1: an interval"
            f" of up to +-{wide:.2f} a cell.",
        ),
        Finding(
            "Kang 2019",
            "Abstract: Heuristic-1 is perfect on the early stages.",
            f"The text to Table 9 calls it weak there, for its {kang.TABLE_9_WINS[2][0]:.2f} at depth 2.{shallow}",
        ),
    ]


def _edap01(results: AllResults) -> list[Finding]:
    given = lost = ""
    if "regret" in results:
        from bot.lab.experiments.regret import per_game, points_lost

        deepest = max(results["regret"][0][0]["depths"])
        agents = [f"{family}:{deepest}" for family in ("edap01", "edap01-intended")]
        points = [mean(per_game(results["regret"], agent, points_lost)) for agent in agents]
        given = f" At depth {deepest} it gives away {points[0]:.2f} points a game, without the defects {points[1]:.2f}."
    if "edap01-streak" in results:
        from bot.lab.experiments.streak import COURSE_BOT, games_of

        games = [games_of(results["edap01-streak"], agent, COURSE_BOT) for agent in ("edap01:5", "edap01-intended:5")]
        shares = [sum(game["points"] == 0 for game in played) / len(played) for played in games]
        lost = (
            f" Against {COURSE_BOT} it loses {shares[0]:.2f} of its games at depth 5, without the defects"
            f" {shares[1]:.2f} (the evaluation's constants are assumed)."
        )
    return [
        Finding(
            "EDAP01 report 2021",
            "Minimax with alpha-beta, ended by a win.",
            "The minimiser's nodes test the game's board, not the node's, for four in a row, so that the search"
            " continues below a won position; and the remaining depth is added to lost positions too, so that a quick"
            f" loss looks better than a slow one.{given}{lost}",
        )
    ]
