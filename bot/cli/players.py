"""`bot players`: everybody who plays at an embedded course server, who has passed, and one player's moves."""

from __future__ import annotations

from dataclasses import asdict, astuple
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from bot.cli.formatting import echo, print_json, print_table, with_count
from bot.cli.options import AsJson, Goal, option
from bot.errors import UsageError

if TYPE_CHECKING:
    from bot.course.server.store import PlayerStanding

_HEAD = ("player", "played", "won", "drawn", "lost", "streak", "longest", "running", "passed at (UTC)")


def players(
    db: Annotated[Path, option("FILE", "Database that bot serve --db writes.")],
    player: Annotated[str | None, option("ID", "Show this player's games, with the time of each move.")] = None,
    opponent: Annotated[str | None, option("AGENT", "Count and show only games against this opponent.")] = None,
    goal: Goal = 20,
    as_json: AsJson = False,
) -> None:
    """List the players of a server's database: games, streaks, and who has passed when; or one player's moves.

    A player has passed once --goal games in a row were not lost, and stays so after a later loss; such players come
    first. Times are UTC; "unknown" is a pass before the fourth edition, which began to keep times. The server may be
    running. --json prints a list of objects.

    --player shows the moves of one player, a group's ids joined with "+". taken_s is the time from the server's reply
    before it to the arrival of a move, seconds: what the server compares with limit_s. "-" is a move without such a
    reply: one that opens a game, or the first after a restart of the server. A late move has the reason late.

    \b
    Examples:
      bot players --db class.db                    of bot serve --db class.db
      bot players --db class.db --player ab12-s    was a move late?
      bot players --db class.db --opponent depth5  who has passed against depth5
      bot players --db class.db --goal 10 --json   10 games in a row are a pass
    """
    from bot.course.server.store import read_moves, read_players

    if player is not None:
        _show_moves(read_moves(db, player, opponent), as_json=as_json)
        return
    standings = read_players(db, goal, opponent)
    if as_json:
        print_json(list(map(asdict, standings)))
        return
    print_table([_HEAD, *map(_cells, standings)])
    passed = sum(standing.passed for standing in standings)
    echo(
        f"Passed: {passed} of {with_count(len(standings), 'player')} "
        f"(goal {with_count(goal, 'game')} in a row without a loss)"
    )


def _cells(standing: PlayerStanding) -> list[object]:
    """Return a player's row of the table."""
    *counts, _total_reward, running, passed, time = astuple(standing)
    passed_at = "unknown" if passed else "-"
    if time is not None:
        passed_at = time[:16].replace("T", " ")
    return [*counts, "yes" if running else "-", passed_at]


def _show_moves(moves: list[dict[str, Any]], *, as_json: bool) -> None:
    """Print a player's moves."""
    if as_json:
        print_json(moves)
    elif moves:
        print_table([list(moves[0]), *map(_values, moves)])
    else:
        raise UsageError(
            "The database has no such games.", "See `bot players --db FILE`; the ids of a group are joined with +."
        )


def _values(move: dict[str, Any]) -> list[Any]:
    return ["-" if value is None else value for value in move.values()]
