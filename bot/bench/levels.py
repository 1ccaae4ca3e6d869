"""The levels for people: each against the next lower one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bot.lab.arena.games import match_pairings, play_pairing
from bot.lab.arena.match import MatchResult, judge
from bot.levels.table import LEVELS

LEAST, MOST = 0.6, 0.8
"""The score that a level should have against the next lower one."""


def opponent_of(number: int) -> str:
    """Return the agent that a level is measured against: the next lower level, and below the lowest the random one."""
    return f"level:{number - 1}" if number > 1 else "random"


def measured(number: int, games: int, seed: int, advance: Callable[[], None]) -> MatchResult:
    """Play a level against the next lower one from the empty board, each of them starting every second game."""
    one, other = f"level:{number}", opponent_of(number)
    pairings = match_pairings(one, other, games, seed)
    played = []
    for pairing in pairings:
        played.append((pairing, play_pairing(pairing)))
        advance()
    return judge(one, other, played)


def row_of(number: int, result: MatchResult) -> dict[str, Any]:
    """Return the row of one level: score and interval, results by who started, and the level's move times."""
    summary = result.as_json()
    total = summary["total"]
    low, high = total["score_interval"]
    return {
        "level": number,
        "name": LEVELS[number - 1].name,
        "opponent": result.other,
        "games": summary["games"],
        "won": total["won"],
        "drawn": total["drawn"],
        "lost": total["lost"],
        "score": total["score"],
        "low": low,
        "high": high,
        "started": summary["started"]["score"],
        "replied": summary["replied"]["score"],
        "in_range": LEAST <= total["score"] <= MOST,
        "move_s": summary["move_s"]["first"],
    }


def markdown(rows: Iterable[dict[str, Any]]) -> str:
    """Return the table of `bot/levels/README.md`."""
    lines = [
        "| level | against | score | 95 % interval | won / drawn / lost | starting, replying | move: mean, slowest |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        times = row["move_s"]
        lines.append(
            f"| {row['level']} {row['name']} | {row['opponent']} | {row['score'] * 100:.1f} % | "
            f"{row['low'] * 100:.1f} % to {row['high'] * 100:.1f} % | {row['won']} / {row['drawn']} / {row['lost']} | "
            f"{row['started'] * 100:.0f} %, {row['replied'] * 100:.0f} % | "
            f"{times['mean'] * 1000:.1f} ms, {times['max']:.2f} s |"
        )
    return "\n".join(lines)
