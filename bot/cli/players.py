"""`bot players`: everybody who plays at an embedded course server, and who has passed."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from bot.cli.formatting import echo, print_json, print_table, with_count
from bot.cli.options import AsJson, Goal, option

if TYPE_CHECKING:
    from bot.course.server.players import PlayerStanding

_HEAD = ("player", "played", "won", "drawn", "lost", "streak", "longest", "running", "passed at (UTC)")


def players(
    db: Annotated[Path, option("FILE", "Database that bot serve --db writes.")],
    goal: Goal = 20,
    as_json: AsJson = False,
) -> None:
    """List the players of a server's database: games, streaks, and who has passed when.

    A player has passed once --goal games in a row were not lost, and stays so after a later loss; such players come
    first. Times are UTC; "unknown" is a pass before the fourth edition, which began to keep times. The server may be
    running. --json prints a list of objects.

    \b
    Examples:
      bot players --db class.db                    of bot serve --db class.db
      bot players --db class.db --goal 10 --json   10 games in a row are a pass
    """
    from bot.course.server.players import read_players

    standings = sorted(read_players(db, goal), key=lambda standing: not standing.passed)
    if as_json:
        print_json(list(map(asdict, standings)))
        return
    print_table([_HEAD, *map(_cells, standings)])
    passed = sum(standing.passed for standing in standings)
    echo(
        f"Passed: {passed} of {with_count(len(standings), 'player')} "
        f"(goal {with_count(goal, 'game')} in a row without a loss)"
    )


def _cells(standing: PlayerStanding) -> list[str]:
    """Return a player's row of the table."""
    counts = (standing.played, standing.won, standing.drawn, standing.lost, standing.streak, standing.longest)
    passed_at = "unknown" if standing.passed else "-"
    if standing.passed_at is not None:
        passed_at = standing.passed_at[:16].replace("T", " ")
    return [standing.player, *map(str, counts), "yes" if standing.running else "-", passed_at]
