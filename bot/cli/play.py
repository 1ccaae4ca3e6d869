"""`bot play`: play games against a course server."""

from __future__ import annotations

import json
import re
import socket
import sys
import time
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Exit, confirm

from bot.cli.options import (
    AsJson,
    Engine,
    Games,
    Goal,
    KeyFile,
    Logs,
    Opponent,
    RandomSeed,
    ServerUrl,
    StilIdOption,
    flag,
    seconds,
)
from bot.cli.output import dispensable, is_redrawable
from bot.engine.interrupt import cleanup, stoppable
from bot.errors import ExitCode, NetworkError, UsageError
from bot.files import check_folder
from bot.game.notation import with_count

if TYPE_CHECKING:
    from bot.cli.console import ConsoleView
    from bot.config import Settings
    from bot.course.client.http import CourseClient
    from bot.course.client.trace import CarefulLog
    from bot.course.events import Options
    from bot.course.run.run import Run
    from bot.course.run.standings import RunStandings

_OPPONENT = "depth3"
_CLEANUP_S = 2.0
"""Longest time for the journal's last line after Ctrl-C, seconds; a few milliseconds as a rule."""
ELSEWHERE_S = 6.0
"""Pause between two readings of the statistics that show whether somebody else is playing, seconds."""
_FIRST_CONTACT_S = 3.0
"""How long to try again for a first connection, seconds: the server may just be starting."""


def play(
    *,
    games: Games = 20,
    server: ServerUrl = None,
    stil_id: StilIdOption = None,
    key_file: KeyFile = None,
    engine: Engine = "perfect",
    time_limit: Annotated[float, seconds("Longest time from a reply to the arrival of our next move.", min=0.5)] = 5.0,
    think: Annotated[float, seconds("Search time per move, unless the best move is proven sooner.", min=0.01)] = 0.2,
    goal: Goal = 20,
    opponent: Opponent = _OPPONENT,
    seed: RandomSeed = None,
    patience: Annotated[float, seconds("Time to keep trying when a server that has answered fails.", min=0.0)] = 120.0,
    fresh: Annotated[bool, flag("--fresh", "Abandon an unfinished game; the server counts it as a loss.")] = False,
    careful: Annotated[
        bool, flag("--careful", "Play 1 game, show every exchange, and keep all in a file for a maintainer.")
    ] = False,
    no_substitute: Annotated[
        bool,
        flag("--no-substitute", "End the run where an engine of your own fails, in place of a move by perfect."),
    ] = False,
    logs: Logs = Path("logs"),
    as_json: AsJson = False,
) -> None:
    """Play games at a course server, and say whether the goal is met.

    Without a STIL id the embedded course server is the opponent; --opponent is its bot. Ctrl-C keeps the game: the same
    command resumes it. --json prints one summary object at the end.

    Exit code 0: done; 5: a game was lost, or the goal is missed after --goal games or more.

    \b
    Examples:
      bot play                                     20 games against the embedded server
      bot play --stil-id ab1234cd-s --games 1      one game at the course's server
      bot play --opponent perfect --games 2        against the bot itself
    """
    from bot.agents.catalogue import dependable_agent, is_external, make_agent, maker_of
    from bot.cli.console import ConsoleView, OutputConsole
    from bot.cli.progress import loading_engine
    from bot.config import load_settings, read_key
    from bot.course.events import Options
    from bot.course.journal.state import hold
    from bot.course.protocol import Identity

    settings = load_settings(server, stil_id, read_key(key_file))
    if careful:
        games = 1
    options = Options(
        games=games,
        limit_s=time_limit,
        patience_s=patience,
        careful=careful,
        server=settings.identity,
        url=settings.server,
        stil_ids=settings.player,
        think_s=think,
        goal=goal,
    )
    shown_on = sys.stderr if as_json else sys.stdout
    console = OutputConsole(file=dispensable(shown_on))
    view = ConsoleView(console, games, is_live=is_redrawable(console.file))
    check_folder(logs, "--logs")
    maker_of(engine)  # reports a mistyped name before the engine is loaded
    if settings.is_embedded:
        maker_of(opponent)
    elif opponent != _OPPONENT:
        raise UsageError(
            f"--opponent is the bot of the embedded server, but {settings.server} is played, which has its own.",
            "Leave out --opponent, or the STIL id: --stil-id, BOT_STIL_ID, or stil_id in bot.toml.",
        )
    for name in settings.player:
        if re.fullmatch(r"[a-z]{2}\d{4}[a-z]{2}", name):
            view.notice(f"STIL ids of the course end in -s. The games are played as {name}; is {name}-s meant?")
    with hold(Identity.of(settings.identity, settings.player), logs, view.notice) as place, ExitStack() as stack:
        if not settings.is_embedded:
            _reach(settings.server)
        stop = stack.enter_context(stoppable())
        with loading_engine():
            from bot.course.run.run import Run

            # Perfect chooses the moves in which an engine from outside fails, unless that is to end the run.
            agent = (make_agent if no_substitute else dependable_agent)(engine, seed=seed)
            agent.warm_up()
            if settings.is_embedded:
                url = stack.enter_context(_embedded_server(opponent, seed, settings, logs, view))
                options = replace(options, url=url)
            run = Run(options, agent, place, logs, fresh=fresh, stop=stop)
            stack.callback(run.close)
        trace = None
        if careful:
            from bot.course.client.trace import CarefulLog

            trace = CarefulLog(view.notice)
        client = _client(options, settings, trace)
        if run.is_new_here:
            learnt = replace(run.started.learnt, may_run_elsewhere=_may_run_elsewhere(client, view))
            run.started = replace(run.started, learnt=learnt)
        if not no_substitute and is_external(engine):
            view.notice(_own_time(engine, time_limit))
        standings = _run_games(run, client, trace, view)
    if as_json:
        print(json.dumps(_summary(run, standings)), file=dispensable(sys.stdout), flush=True)
    if not standings.verdict.is_met and (standings.lost or games >= goal):
        raise Exit(ExitCode.GOAL_MISSED)


def _reach(server: str) -> None:
    """Raise NetworkError if no connection to the server can be made, before the engine is loaded.

    A name that is not found, a refused port and a network that is down say so at once; a server that does not react is
    left to the run, and so is one behind a proxy.
    """
    from urllib.parse import urlsplit
    from urllib.request import getproxies

    from bot.course.protocol import is_loopback

    parts = urlsplit(server)
    usual_port = 443 if parts.scheme == "https" else 80
    place = parts.hostname or "", parts.port or usual_port
    end_s = time.monotonic() + _FIRST_CONTACT_S
    has_proxy = bool({parts.scheme, "all"} & getproxies().keys())  # "no" is a key, too
    while is_loopback(server) or not has_proxy:
        try:
            socket.create_connection(place, timeout=_FIRST_CONTACT_S).close()
            return
        except TimeoutError:
            return
        except OSError as error:
            if time.monotonic() > end_s:
                message = f"The server {server} cannot be reached: {(error.strerror or str(error)).lower()}."
                hint = "Nothing was sent. Check the address and the network, then run the same command again."
                raise NetworkError(message, hint) from None
        time.sleep(0.25)


def _own_time(engine: str, time_limit_s: float) -> str:
    """Return how much of a move's time an engine from outside has."""
    from bot.agents.external.agent import share_s
    from bot.course.session import MARGIN_S

    own_s = share_s(time_limit_s - MARGIN_S)
    return (
        f"{engine} has about {own_s:.1f} s of the {time_limit_s:g} s per move: the network needs the rest, and "
        "perfect, which chooses where it fails. With --no-substitute it has the time of perfect, too."
    )


def _embedded_server(
    opponent: str, seed: int | None, settings: Settings, logs: Path, view: ConsoleView
) -> AbstractContextManager[str]:
    """Return the embedded server as a context manager, which gives its address."""
    from bot.agents.catalogue import make_agent
    from bot.course.server.embedded import embedded_server

    return embedded_server(
        make_agent(opponent, seed=seed),
        api_key=settings.api_key.get_secret_value(),
        db=logs / "embedded.sqlite3",  # beside the journals, so that the two can be compared
        seed=seed,
        notice=view.notice,
    )


def _client(options: Options, settings: Settings, trace: CarefulLog | None) -> CourseClient:
    """Return the client of a run."""
    from bot.course.client.http import CourseClient, Timeouts

    return CourseClient(
        options.url,
        options.stil_ids,
        settings.api_key,
        timeouts=Timeouts(read_s=max(10.0, 2 * options.limit_s)),  # where a move may take longer, a reply may, too
        patience_s=options.patience_s,
        trace=trace,
    )


def _may_run_elsewhere(client: CourseClient, view: ConsoleView) -> bool:
    """Return whether a game may be running that was begun on another computer, as the user says if asked.

    Only a server that counts games of the player says that there may be another computer. Raises UsageError if somebody
    is playing there now.
    """
    first = client.statistics(None).stats
    if first is None or not first.played:
        return False
    view.notice(
        f"The server counts {with_count(first.played, 'game')} of this player, and no journal of them is here. "
        f"Looking for {ELSEWHERE_S:.0f} s whether somebody is playing now."
    )
    time.sleep(ELSEWHERE_S)
    second = client.statistics(None).stats
    if second is not None and second.played > first.played:
        raise UsageError(
            f"Somebody is playing as this player: the server counted {first.played} games, and now {second.played}.",
            "Nothing was sent. End the other run, or wait for it, then run the same command again.",
        )
    if not sys.stdin.isatty():
        return True
    return confirm("May a game be running that was begun on another computer? If so, it is continued", default=True)


def _run_games(run: Run, client: CourseClient, trace: CarefulLog | None, view: ConsoleView) -> RunStandings:
    """Play all games of the run; in careful mode, keep the exchanges whatever happens."""
    from bot.course.session import MAY_RUN

    try:
        with cleanup(_CLEANUP_S, f"Interrupted. {MAY_RUN}"):
            return run.play(client, view)
    finally:
        if trace is not None:
            _keep_exchanges(trace, run, view)


def _keep_exchanges(trace: CarefulLog, run: Run, view: ConsoleView) -> None:
    """Write the exchanges of careful mode; where that fails, the run's own result or error still counts."""
    number = run.journal.path.name.partition("-")[0]
    try:
        trace.write(run.logs / "careful" / f"{number}-exchanges.jsonl")
    except OSError as error:
        view.notice(f"The exchanges cannot be written to {run.logs}: {error.strerror}. The journal has the game.")


def _summary(run: Run, standings: RunStandings) -> dict[str, object]:
    """Return the object of --json."""
    verdict, statistics = standings.verdict, standings.counted and standings.counted.stats
    return {
        "server": run.started.options.url,
        "played": standings.played,
        "won": standings.won,
        "drawn": standings.drawn,
        "lost": standings.lost,
        "goal": standings.goal,
        "passed": verdict.is_met,
        "witness": verdict.witness,
        "streak": verdict.streak,
        "statistics": None if statistics is None else asdict(statistics),
        "substituted_moves": standings.substituted_moves,
        "slowest_move_s": round(standings.slowest_move_s, 3),
        "journal": str(run.journal.path),
    }
