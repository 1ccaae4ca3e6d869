"""Check what the coach says to people in lost games: python -m tests.learn.coach.check_insights --games 200 --seed 1.

The games are of random pairs of different levels from 1 to 6, lost by the weaker side. Every insight is checked by
`plain_insights.py`, which shares no code with the coach, and its line with exact scores by book and solver.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from statistics import median
from typing import Any

from bot.engine.analysis import Analyst
from bot.engine.perfect import shipped_book
from bot.engine.review import review
from bot.game import Board, format_moves
from bot.lab.arena.games import Pairing, play_pairing
from bot.learn.coach.insight import Account, account
from bot.learn.coach.pattern import winning
from tests.learn.coach import plain, plain_insights
from tests.learn.coach.check_reasons import Scores


def lost_games(count: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Yield the first ``count`` games of a seed that the weaker level lost."""
    rng, number = random.Random(seed), 0
    while count:
        levels = rng.sample(range(1, 7), 2)
        pairing = Pairing(f"level:{levels[0]}", f"level:{levels[1]}", f"insight/{seed}/{number}")
        moves = tuple(play_pairing(pairing).moves)
        winner, number = Board.from_moves(moves).winner, number + 1
        if winner and levels[winner - 1] > levels[2 - winner]:
            count -= 1
            yield moves


def false_insights(moves: tuple[int, ...], said: Account, scores: Scores) -> list[str]:
    """Return what is wrong with the insights of a game."""
    found, columns, board = [], plain.EMPTY, Board()
    for ply, (column, insight) in enumerate(zip(moves, said.insights, strict=True)):
        if insight is not None:
            problems = plain_insights.problems(columns, column, asdict(insight))
            problems += false_outcomes(board, asdict(insight), scores)
            found += [f"{format_moves(moves)} ply {ply} {insight}: {problem}" for problem in problems]
        is_later = said.moment is not None and ply > said.moment and (ply - said.moment) % 2 == 0
        if is_later and scores.of(board) >= 0:
            found.append(f"{format_moves(moves)}: the game was not lost yet at ply {ply}")
        columns, board = plain.drop(columns, column), board.play(column)
    return found


def false_outcomes(before: Board, insight: dict[str, Any], scores: Scores) -> list[str]:
    """Return what is wrong in exact play: the stated side must win throughout the line, and with the better columns."""
    found, board = [], before
    for ply, each in enumerate([*insight["line"], None]):
        if ply > 0 or insight["missed"]:
            ours = scores.of(board) * (1 if board.ply % 2 == insight["player"] - 1 else -1)
            if ours <= 0:
                found.append(f"ply {ply} of the line is not won")
        board = board if each is None else board.play(each)
    if insight["missed"]:
        found += [f"column {each + 1} does not win" for each in insight["better"] if scores.of(before.play(each)) >= 0]
    return found


def main() -> None:
    """Print the insights and moments by kind, and what is false."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    analyst, scores = Analyst(shipped_book()), Scores()
    analyst.warm_up()
    kinds: Counter[str] = Counter()
    moments: Counter[str] = Counter()
    mistakes = human = improved = doomed = false = 0
    elapsed_s = []
    for moves in lost_games(options.games, options.seed):
        reviewed = review(moves, analyst, deadline_s=600.0)
        winning.cache_clear()
        start = time.perf_counter()
        said = account(moves, reviewed, deadline_s=600.0)
        elapsed_s.append(time.perf_counter() - start)
        insight = None if said.moment is None else said.insights[said.moment]
        moments[insight.kind if insight else "none" if said.moment is None else "by exact play alone"] += 1
        doomed += said.doomed is not None
        kinds.update(each.kind for each in said.insights if each)
        for ply, (verdict, each) in enumerate(zip(reviewed.moves, said.insights, strict=True)):
            is_mistake = verdict is not None and verdict.kind != "best"
            mistakes += is_mistake
            if is_mistake and each is not None:
                human += 1
                board = Board.from_moves(moves[:ply])
                played = -scores.of(board.play(moves[ply]))
                improved += any(-scores.of(board.play(column)) > played for column in each.better)
        for problem in false_insights(moves, said, scores):
            false += 1
            print(problem, flush=True)
    print(f"{options.games} lost games of seed {options.seed}, {doomed} lost from the start")
    print(f"moments: {dict(moments.most_common())}")
    print(f"insights: {dict(kinds.most_common())}")
    print(f"{mistakes} mistakes, {human} with an insight; in {improved} a better column has a higher exact score")
    print(f"time for a game: median {median(elapsed_s):.3f} s, at most {max(elapsed_s):.3f} s")
    print(f"{sum(kinds.values())} insights played out and compared with the solver: {false} false")


if __name__ == "__main__":
    main()
