"""How good the key moments of lost games are, and whether all that is said is true: the figures of the coach's README.

Run as `python -m tests.learn.moments [GAMES] [SEED ...]`; 200 games of the seeds 1 2 3 4 where none are given. What a
mistake is about is found by plain search, not by the coach. Everything false is printed with its game.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable

from bot.engine.review import review
from bot.learn.coach.coach import Coach
from tests.learn import plain
from tests.learn.test_coach import DEADLINE_S, analyst, check_game, check_lesson, lost_games, score

LOST, PROVABLE, SHARE = "lost games", "with a mistake of the loser provable within five plies", "share"
FIRST = "of these, the first key moment is such a mistake"
WITHOUT, FROM_THE_START = "without a key moment of the loser", "lost from the start"
CLAIMS, FALSE = "reasons and tried columns checked", "false lessons, key moments and turns"
MEDIAN_S = "coach, seconds a game (median)"


def figures(games: int, seed: int) -> tuple[Counter[str], Counter[str], float]:
    """Return the figures of a seed, the names of the first key moments, and the coach's median time, seconds."""
    found, names, seconds = Counter[str](), Counter[str](), []
    for moves in lost_games(games, seed):
        reviewed, coach, loser = review(moves, analyst(), DEADLINE_S), Coach(analyst()), len(moves) % 2
        start = time.perf_counter()
        plies = coach.game(moves, reviewed).moments[loser]
        seconds.append(time.perf_counter() - start)
        taught = coach.game(moves, reviewed, lines=True)
        lessons = {lesson.ply: lesson for lesson in taught.lessons}
        own = [ply for ply in range(loser, len(moves), 2) if is_provable(moves[:ply], moves[ply])]
        found += Counter({LOST: 1, PROVABLE: bool(own), FIRST: bool(plies) and plies[0] in own, WITHOUT: not plies})
        found[FROM_THE_START] += taught.lost_side is not None
        names.update(lessons[ply].name or "by exact play alone" for ply in plies[:1])
        found[FALSE] += is_false(check_game, moves, taught) or plies != taught.moments[loser]
        for ply, lesson in lessons.items():
            found[CLAIMS] += len(lesson.reasons) + len(lesson.tries) - lesson.tries.count(None)
            found[FALSE] += is_false(check_lesson, moves[:ply], lesson)
        for kept in (score, *filter(is_kept, vars(plain).values())):  # else the memory of a whole seed is too large
            kept.cache_clear()
    return found, names, statistics.median(seconds)


def is_kept(value: object) -> bool:
    """Return whether a function keeps its results."""
    return hasattr(value, "cache_clear")


def is_provable(moves: tuple[int, ...], played: int) -> bool:
    """Return whether plain search finds that a move missed or allowed a win within five plies, or hastened one."""
    columns = plain.position(moves)
    return any(plain.right(columns, played, missed=missed)[0] for missed in (True, False))


def is_false(check: Callable[..., object], moves: tuple[int, ...], said: object) -> bool:
    """Return whether a check of what is said finds something false, and print the game then."""
    try:
        check(moves, said)
    except (AssertionError, IndexError, KeyError, StopIteration) as error:
        print("".join(str(column + 1) for column in moves), repr(error), file=sys.stderr)
        return True
    return False


def main() -> None:
    """Print a table with a column for each seed."""
    games, *seeds = [int(each) for each in sys.argv[1:]] or [200]
    seeds = seeds or [1, 2, 3, 4]
    measured = [figures(games, seed) for seed in seeds]
    rows = {
        row: [str(found[row]) for found, _, _ in measured]
        for row in (LOST, PROVABLE, FIRST, SHARE, WITHOUT, FROM_THE_START, CLAIMS, FALSE)
    }
    rows[SHARE] = [f"{found[FIRST] / max(1, found[PROVABLE]):.1%}" for found, _, _ in measured]
    for name, _ in sum((names for _, names, _ in measured), Counter[str]()).most_common():
        rows[f"first key moment: {name}"] = [str(names[name]) for _, names, _ in measured]
    rows[MEDIAN_S] = [f"{seconds:.2f}" for _, _, seconds in measured]
    print("| what |", " | ".join(f"seed {seed}" for seed in seeds), "|")
    print("|---" * (1 + len(seeds)) + "|")
    for row, values in rows.items():
        print("|", row, "|", " | ".join(values), "|")


if __name__ == "__main__":
    main()
