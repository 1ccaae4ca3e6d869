"""Check what the coach says to people in lost games: python -m tests.learn.check_insights --games 200 --seed 1.

The games are of random pairs of different levels from 1 to 6, lost by the weaker side. Every insight is checked by
`plain.py`, which shares no code with the coach, and its line with exact scores by book and solver.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import accumulate

from bot.engine.analysis import Analyst
from bot.engine.perfect import shipped_book
from bot.engine.review import Review, review
from bot.game import Board, format_moves
from bot.lab.arena.games import Pairing, play_pairing
from bot.learn.coach.insight import Account, account
from bot.learn.coach.reason import Insight, Reason
from tests.learn import plain

DEADLINE_S = 600.0
"""Limit of each step of the analysis, seconds: more than any takes on any machine."""


def lost_games(count: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Yield the first ``count`` games of a seed that the weaker level lost."""
    rng, number = random.Random(seed), 0
    while count:
        levels = rng.sample(range(1, 7), 2)
        moves = play_pairing(Pairing(f"level:{levels[0]}", f"level:{levels[1]}", f"insight/{seed}/{number}")).moves
        winner, number = Board.from_moves(moves).winner, number + 1
        if winner and levels[winner - 1] > levels[2 - winner]:
            count -= 1
            yield tuple(moves)


@cache
def analyst() -> Analyst:
    """Return the analyst that all checks share."""
    return Analyst(shipped_book())


@cache
def score(board: Board, player: int) -> int:
    """Return the exact score of a board, by rules, book and solver, in the view of ``player``."""
    found = analyst().bounds(board, keep=True).score
    assert found is not None
    return found if board.ply % 2 == player - 1 else -found


def check_reason(before: Board, mistake: int, verdict: str, reason: Reason) -> None:
    """Raise AssertionError where the mistake loses no score, a quiet move does, or the line is no faster."""
    player, mover = reason.player, before.ply % 2 + 1
    start, after = score(before, mover), score(before.play(mistake), mover)
    assert start > after, "the move was no mistake"
    boards = list(accumulate(reason.line, Board.play, initial=before))
    for board in boards[1 : reason.quiet + 1]:
        assert score(board, mover) == (start if reason.missed else after), "a quiet move loses score"
    ours = score(boards[reason.quiet], player)
    assert ours == 0 if reason.kind == "follow-up that holds" else ours > 0, "the outcome is another"
    if verdict in ("slower", "sooner"):
        end = 2 * (22 - abs(after if verdict == "slower" else start)) - (player == 1)
        assert boards[-1].ply < end, "the line is as slow as the game without it"


def check_insight(before: Board, insight: Insight) -> None:
    """Raise AssertionError where exact play denies the line that wins, or a better column."""
    for board in list(accumulate(insight.line, Board.play, initial=before))[not insight.missed :]:
        assert score(board, insight.player) > 0, f"ply {board.ply} of the line is not won"
    for each in insight.better if insight.missed else ():
        assert score(before.play(each), insight.player) > 0, f"column {each + 1} does not win"


def checked(moves: tuple[int, ...], reviewed: Review) -> Account:
    """Return the account of a lost game; raise AssertionError where something in it is false."""
    found = account(moves, reviewed, DEADLINE_S)
    for ply, insight in enumerate(found.insights):
        before = Board.from_moves(moves[:ply])
        if insight is not None:
            plain.check_insight(plain.position(moves[:ply]), moves[ply], insight)
            check_insight(before, insight)
        if found.moment is not None and ply > found.moment and (ply - found.moment) % 2 == 0:
            assert score(before, ply % 2 + 1) < 0, "the game was not lost yet after its moment"
    return found


def main() -> None:
    """Print the insights and moments by kind, and what is false."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    kinds: Counter[str] = Counter()
    moments: Counter[str] = Counter()
    for moves in lost_games(options.games, options.seed):
        try:
            found = checked(moves, review(moves, analyst(), DEADLINE_S))
        except AssertionError as error:
            kinds[f"false in {format_moves(moves)}: {error}"] += 1
            continue
        insight = None if found.moment is None else found.insights[found.moment]
        moments[insight.kind if insight else "by exact play alone"] += 1
        moments["lost from the start"] += found.doomed is not None
        kinds.update(each.kind for each in found.insights if each)
    for title, counts in (("moments", moments), ("insights", kinds)):
        print(title, *(f"{count:6} {kind}" for kind, count in counts.most_common()), sep="\n")


if __name__ == "__main__":
    main()
