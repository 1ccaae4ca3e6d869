"""`bot serve` and `bot players`: the embedded course server on its own, and who has played there."""

from __future__ import annotations

import signal
import threading
from contextlib import ExitStack
from dataclasses import asdict, astuple
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from bot.cli.formatting import echo, print_json, print_table
from bot.cli.options import AsJson, Goal, Opponent, RandomSeed, StarterOption, option, seconds
from bot.engine.interrupt import cleanup
from bot.errors import UsageError
from bot.game.notation import with_count

if TYPE_CHECKING:
    from bot.course.server.store import PlayerStanding

_HEAD = ("player", "played", "won", "drawn", "lost", "streak", "longest", "running", "passed at (UTC)")
_SUMMARY_S = 1.0
"""Time for the lines about the players after Ctrl-C, seconds."""


def serve(
    *,
    port: Annotated[int, option("N", "Port to listen on; 0 takes a free one.", min=0, max=65535)] = 8000,
    host: Annotated[str, option("ADDRESS", "Address to listen on.")] = "127.0.0.1",
    opponent: Opponent = "depth3",
    seed: RandomSeed = None,
    db: Annotated[Path | None, option("FILE", "SQLite file for all games; else they are kept in memory.")] = None,
    dialect: Annotated[
        Literal["current", "jan21"],
        option("NAME", "Form of the replies: current or jan21 (no /stats, null state on -1)."),
    ] = "current",
    starter: StarterOption = "random",
    limit: Annotated[
        float | None,
        seconds("Longest time from a reply to the player's next move; a later move loses the game.", min=0.01),
    ] = None,
    only: Annotated[Path | None, option("FILE", "Admit only the STIL ids in this file, one per line.")] = None,
    api_key: Annotated[
        str, option("KEY", "Key that requests must carry.", envvar="BOT_API_KEY", show_default=False)
    ] = "nyckel",
) -> None:
    """Serve the course's protocol on this machine, for play and tests.

    It stands in for the real server. The first line printed names the address, the next one the line to change in the
    course's skeleton. Ctrl-C ends the server with exit code 130, SIGTERM with 0; then a line for each player counts
    games, the longest streak, whether it is a pass, and illegal moves.

    \b
    Examples:
      bot serve --opponent perfect                 on port 8000
      bot serve --port 0 --starter bot             on a free port; the opponent moves first
      bot serve --db class.db --limit 5            for a class: kept, 5 s a move; see bot players
      bot serve --db class.db --only class.txt     for the students of a list
      bot play --server http://127.0.0.1:8000 --stil-id me
    """
    from bot.agents.catalogue import make_agent
    from bot.cli.progress import loading_engine
    from bot.config import COURSE_KEY
    from bot.course.server.embedded import embedded_server

    key = api_key if api_key.strip() else COURSE_KEY
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    with ExitStack() as stack:
        stack.enter_context(cleanup(_SUMMARY_S))
        with loading_engine():
            server = embedded_server(
                make_agent(opponent, seed=seed),
                api_key=key,
                db=db,
                seed=seed,
                dialect=dialect,
                starter=starter,
                limit_s=limit,
                only=frozenset() if only is None else _ids_in(only),
                host=host,
                port=port,
                notice=partial(echo, err=True),
                at_end=echo,
            )
            url = stack.enter_context(server)
        echo(f"Serving {opponent} at {url} (Ctrl-C ends it)")
        echo(
            f'To play here with your own client, set SERVER_ADDRESS (older skeletons: SERVER_ADRESS) to "{url}/" in it.'
        )
        ended.wait()


def _ids_in(path: Path) -> set[str]:
    """Return the STIL ids in a file, in small letters; blank lines and comments (#) are ignored."""
    from bot.config import STIL_ID

    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeError) as error:
        raise UsageError(f"The list {path} cannot be read: {error}.", "Check --only.") from None
    ids = [stil_id for line in lines if (stil_id := line.partition("#")[0].strip())]
    for stil_id in ids or ["(none)"]:
        if not STIL_ID.fullmatch(stil_id):
            raise UsageError(
                f"The list {path} cannot be used: {stil_id!r:.60} is not a STIL id.",
                "Write one id per line: 1 to 50 letters, digits, - and _.",
            )
    return set(map(str.casefold, ids))


def players(
    db: Annotated[Path, option("FILE", "Database that bot serve --db writes.")],
    player: Annotated[str | None, option("ID", "Show this player's games, with the time of each move.")] = None,
    opponent: Annotated[str | None, option("AGENT", "Count and show only games against this opponent.")] = None,
    only: Annotated[Path | None, option("FILE", "Name those who have not played of the STIL ids in this file.")] = None,
    goal: Goal = 20,
    as_json: AsJson = False,
) -> None:
    """List the players of a server's database, or one player's moves.

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
    absent = set() if only is None else _ids_in(only)
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
    absent -= {stil_id for standing in standings for stil_id in standing.player.split("+")}
    if absent:
        echo(f"Not played: {', '.join(sorted(absent))}")


def _cells(standing: PlayerStanding) -> list[object]:
    """Return a player's row of the table."""
    *counts, _total_reward, running, passed, time = astuple(standing)
    passed_at = (time or "unknown")[:16].replace("T", " ") if passed else "-"
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
