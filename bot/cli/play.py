"""`bot play`: play games against a course server."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.help import complete_agent
from bot.cli.options import MAX_GAMES, ApiKey, Goal, Logs, Opponent, Server, StilId
from bot.errors import BotError, ExitCode, NetworkError

if TYPE_CHECKING:
    from bot.cli.console import Plain
    from bot.config import Settings
    from bot.course.journal.state import Place
    from bot.course.run.careful import CarefulLog
    from bot.course.run.observer import RunInfo
    from bot.course.run.run import Plan, Run
    from bot.course.run.standings import RunStandings
    from bot.engine.agent import Agent, Decision, Limit, Stop
    from bot.game import Board

_CLEANUP_S = 2.0
"""Longest time for the journal's last line after Ctrl-C, seconds; a few milliseconds as a rule."""
_KEPT = "The game is kept: run the same command again to resume it."

Games = Annotated[int, typer.Option(metavar="N", help="Games to play.", min=1, max=MAX_GAMES)]
Engine = Annotated[
    str,
    typer.Option(
        metavar="AGENT",
        help="Engine that chooses our moves: perfect, mtdf, alphabeta or any agent's name.",
        autocompletion=complete_agent,
    ),
]
TimeLimit = Annotated[
    float,
    typer.Option(metavar="SECONDS", help="Longest time from a reply to the arrival of our next move.", min=0.5),
]
Think = Annotated[
    float,
    typer.Option(metavar="SECONDS", help="Search time per move, unless the best move is proven sooner.", min=0.01),
]
Seed = Annotated[
    int | None, typer.Option(metavar="N", help="Seed of the engine and of the embedded server's bot and starter.")
]
Patience = Annotated[
    float,
    typer.Option(metavar="SECONDS", help="Time to keep trying when a server that has answered fails.", min=0.0),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Abandon an unfinished game; the server counts it as a loss.")]
Careful = Annotated[
    bool,
    typer.Option("--careful", help="Play 1 game, show every exchange, and keep all in a bundle for a maintainer."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one summary object at the end.")]


def play(
    games: Games = 20,
    server: Server = None,
    stil_id: StilId = None,
    api_key: ApiKey = None,
    engine: Engine = "perfect",
    time_limit: TimeLimit = 5.0,
    think: Think = 0.2,
    goal: Goal = 20,
    opponent: Opponent = "depth3",
    seed: Seed = None,
    patience: Patience = 30.0,
    fresh: Fresh = False,
    careful: Careful = False,
    logs: Logs = Path("logs"),
    as_json: AsJson = False,
) -> None:
    """Play games against a course server and report whether the goal is met.

    Without a STIL id the embedded course server is the opponent. Ctrl-C keeps the game: the same command resumes it.

    Exit code 0: done; 5: a game was lost, or the goal is missed after --goal games or more.

    \b
    Examples:
      bot play                                     20 games against the embedded server
      bot play --stil-id ab1234cd-s --games 1      one game at the course's server
      bot play --opponent perfect --games 2        against the bot itself
    """
    from bot.cli.console import OutputConsole, Plain, Terminal
    from bot.cli.output import dispensable, is_redrawable
    from bot.config import load_settings
    from bot.course.journal.state import Identity, hold

    settings = load_settings(server, stil_id, api_key)
    console = OutputConsole(file=dispensable(sys.stderr if as_json else sys.stdout))
    games = 1 if careful else games
    view = (Terminal if is_redrawable(console.file) else Plain)(console, games)
    for note in settings.notes:
        view.notice(note)
    _check_names([engine, opponent] if settings.is_embedded else [engine])
    with hold(Identity.of(settings.identity, settings.player), logs, view.notice) as place:
        plan = _plan_class(view)(
            server=settings.identity,
            url=settings.server,
            player=settings.player,
            games=games,
            goal=goal,
            limit_s=time_limit,
            think_s=think,
            patience_s=patience,
            logs=logs,
            fresh=fresh,
            careful=careful,
        )
        info, standings = _play(plan, settings, view, place, engine=engine, opponent=opponent, seed=seed)
    if as_json:
        print(json.dumps(_summary(info, standings)), file=dispensable(sys.stdout), flush=True)
    if not standings.passed and (standings.lost or games >= goal):
        raise typer.Exit(ExitCode.GOAL_MISSED)


def _check_names(names: list[str]) -> None:
    """Raise UsageError for a mistyped agent's name, before the engine is loaded."""
    from bot.agents.catalogue import maker_of

    for name in names:
        maker_of(name)


def _plan_class(view: Plain) -> type[Plan]:
    """Import the plan's class, and with it the engine, after announcing that."""
    from bot.cli.progress import loading_engine
    from bot.engine.warmup import outlook

    view.notice(outlook())
    with loading_engine():
        from bot.course.run.run import Plan

    return Plan


def _play(
    plan: Plan, settings: Settings, view: Plain, place: Place, *, engine: str, opponent: str, seed: int | None
) -> tuple[RunInfo, RunStandings]:
    """Play all games of the plan while the player's server, if it is the embedded one, runs."""
    from dataclasses import replace

    from bot.cli.interrupt import stoppable
    from bot.cli.progress import loading_engine
    from bot.engine.warmup import warm_up

    with ExitStack() as stack:
        with loading_engine():
            from bot.agents.catalogue import dependable_agent

            agent = dependable_agent(engine, seed=seed)
            if settings.is_embedded:
                plan = replace(
                    plan, url=stack.enter_context(_embedded(settings, opponent, seed, plan.logs, view.notice))
                )

            from bot.course.run.run import Run

            run = Run(plan, Interruptible(agent, stack.enter_context(stoppable())), place)
            stack.callback(run.journal.close)
            view.run_started(run.info, run.standings)
            warm_up(agent)
        return run.info, _run_games(run, settings, view)


def _run_games(run: Run, settings: Settings, view: Plain) -> RunStandings:
    """Play; after an error in the middle of a game, say that the game is kept."""
    from bot.cli.interrupt import cleanup
    from bot.course.client.http import CourseClient, Timeouts
    from bot.course.run.careful import CarefulLog

    plan = run.plan
    trace = CarefulLog(view.notice) if plan.careful else None
    timeouts = Timeouts(patience_s=plan.patience_s)
    client = CourseClient(plan.url, plan.player, settings.api_key, timeouts, view.notice, trace)
    try:
        with cleanup(_CLEANUP_S, f"Interrupted. {_KEPT}"):
            return run.play(client, view)
    except NetworkError as error:
        if not _is_in_a_game(run):
            raise
        raise type(error)(error.message, _KEPT) from None
    finally:
        if trace is not None:
            _keep_bundle(trace, run, view.notice)


def _is_in_a_game(run: Run) -> bool:
    from bot.course.journal.reader import read_journal

    try:
        return read_journal(run.journal.path).unfinished is not None
    except BotError:
        return False


class Interruptible:
    """An agent whose search ends when ``stop`` is set."""

    def __init__(self, agent: Agent, stop: Stop) -> None:
        self._agent = agent
        self._stop = stop
        self.name = agent.name

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:
        """See `bot.engine.agent.Agent`."""
        return self._agent.choose(board, limit, stop or self._stop)


def _keep_bundle(trace: CarefulLog, run: Run, notice: Callable[[str], None]) -> None:
    bundle = trace.write(run.plan.logs, run.journal.path, run.plan.player)
    unknown = f" {len(trace.unknown)} things in it are not in the protocol." if trace.unknown else ""
    notice(f"Bundle for a maintainer, without ids and key: {bundle}.{unknown}")


@contextmanager
def _embedded(
    settings: Settings, opponent: str, seed: int | None, logs: Path, notice: Callable[[str], None]
) -> Iterator[str]:
    """Run the embedded course server; its database lies beside the journals, so that the two can be compared."""
    from bot.agents.catalogue import dependable_agent
    from bot.course.server.app import create_app
    from bot.course.server.embedded import serving
    from bot.course.server.referee import Referee
    from bot.course.server.store import Store
    from bot.engine.warmup import warm_up

    bot = dependable_agent(opponent, seed=seed)
    warm_up(bot)
    store = Store(logs / "embedded.sqlite3")
    store.open()
    try:
        app = create_app(Referee(store, bot, seed=seed, notice=notice), api_key=settings.api_key.get_secret_value())
        with serving(app) as url:
            yield url
    finally:
        store.close()


def _summary(info: RunInfo, standings: RunStandings) -> dict[str, object]:
    """Return the object of --json."""
    return {
        "server": info.url,
        "played": standings.played,
        "won": standings.won,
        "drawn": standings.drawn,
        "lost": standings.lost,
        "streak": standings.current,
        "goal": standings.goal,
        "passed": standings.passed,
        "slowest_move_s": round(standings.slowest_move_s, 3),
        "journal": info.journal,
    }
