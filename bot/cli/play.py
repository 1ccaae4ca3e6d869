"""`bot play`: the main job."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.errors import ExitCode

if TYPE_CHECKING:
    from bot.config import Settings
    from bot.play.careful import CarefulLog
    from bot.play.observer import RunInfo
    from bot.play.run import Run
    from bot.play.standings import RunStandings


def play(
    games: Annotated[int, typer.Option(help="How many games to play.", min=1)] = 20,
    server: Annotated[str | None, typer.Option(help="Base address of the course server [env: BOT_SERVER].")] = None,
    stil_id: Annotated[
        list[str] | None,
        typer.Option(help="A group member's STIL id; repeat it for each one [env: BOT_STIL_ID, comma-separated]."),
    ] = None,
    api_key: Annotated[str | None, typer.Option(help="The course's key [env: BOT_API_KEY].")] = None,
    engine: Annotated[
        str, typer.Option(help="Who chooses our moves: perfect, mtdf, alphabeta or any agent's name.")
    ] = "perfect",
    time_limit: Annotated[
        float, typer.Option(help="Seconds that a move may take until it arrives at the server.", min=0.5)
    ] = 5.0,
    think: Annotated[
        float, typer.Option(help="Seconds that a search aims at while its move is not proven.", min=0.01)
    ] = 0.2,
    goal: Annotated[int, typer.Option(help="Games in a row without a loss that count as a pass.", min=1)] = 20,
    opponent: Annotated[
        str, typer.Option(help="The embedded server's bot (without a STIL id): random, depth1..depth8, ...")
    ] = "depth3",
    seed: Annotated[int | None, typer.Option(help="Makes the embedded server's bot and starter repeatable.")] = None,
    patience: Annotated[
        float, typer.Option(help="Seconds to keep trying when a server that has answered fails.", min=0.0)
    ] = 30.0,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Abandon a game left unfinished; the server counts it as a loss.")
    ] = False,
    careful: Annotated[
        bool,
        typer.Option("--careful", help="Play 1 game, show every exchange, and keep all in a bundle for a maintainer."),
    ] = False,
    logs: Annotated[Path, typer.Option(help="Folder of the journals.")] = Path("logs"),
    as_json: Annotated[bool, typer.Option("--json", help="Print one summary object at the end.")] = False,
) -> None:
    """Play games against a course server and say whether the goal is met.

    Without a STIL id the embedded course server is the opponent. Exit code 0: done; 5: the goal is missed.
    """
    from rich.console import Console

    from bot.cli.console import Plain, Terminal
    from bot.config import load_settings
    from bot.engine.warmup import outlook

    settings = load_settings(server, stil_id, api_key)
    console = Console(stderr=as_json)
    face = (Terminal if console.is_terminal else Plain)(console, games)
    for note in settings.notes:
        face.notice(note)
    face.notice(outlook())

    from bot.agents import make_agent  # some kernels are compiled as soon as they are imported
    from bot.client.http import CourseClient, Timeouts
    from bot.engine.warmup import warm_up
    from bot.journal.state import Identity, hold
    from bot.play.careful import CarefulLog
    from bot.play.run import Plan, Run

    agent = make_agent(engine, seed=seed)
    with ExitStack() as stack:
        place = stack.enter_context(hold(Identity.of(settings.identity, settings.player), logs, face.notice))
        url = settings.server
        if settings.is_embedded:
            url = stack.enter_context(_embedded(settings, opponent, seed, logs))
        games = 1 if careful else games
        plan = Plan(
            settings.identity,
            url,
            settings.player,
            games,
            goal,
            time_limit,
            think,
            patience,
            logs,
            fresh=fresh,
            careful=careful,
        )
        run = Run(plan, agent, place)
        stack.callback(run.journal.close)
        face.run_started(run.info, run.standings)
        warm_up(agent)
        trace = CarefulLog(face.notice) if careful else None
        client = CourseClient(url, settings.player, settings.api_key, Timeouts(patience_s=patience), face.notice, trace)
        if trace is not None:
            stack.callback(_keep_bundle, trace, run, face.notice)
        tally = run.play(client, face)
    if as_json:
        typer.echo(json.dumps(_summary(run.info, tally)))
    if not tally.passed and (tally.lost or games >= goal):
        raise typer.Exit(ExitCode.GOAL_MISSED)


def _keep_bundle(trace: CarefulLog, run: Run, notice: Callable[[str], None]) -> None:
    bundle = trace.write(run.plan.logs, run.journal.path, run.plan.player)
    unknown = f" {len(trace.unknown)} things in it are not in the protocol." if trace.unknown else ""
    notice(f"Bundle for a maintainer, without ids and key: {bundle}.{unknown}")


@contextmanager
def _embedded(settings: Settings, opponent: str, seed: int | None, logs: Path) -> Iterator[str]:
    """The embedded course server; its database lies beside the journals, so that both tell the same story."""
    from bot.agents import make_agent
    from bot.engine.warmup import warm_up
    from bot.server.app import create_app
    from bot.server.embedded import serving
    from bot.server.referee import Referee
    from bot.server.store import Store

    bot = make_agent(opponent, seed=seed)
    warm_up(bot)
    store = Store(logs / "embedded.sqlite3")
    store.open()
    try:
        app = create_app(Referee(store, bot, seed=seed), api_key=settings.api_key.get_secret_value())
        with serving(app) as url:
            yield url
    finally:
        store.close()


def _summary(info: RunInfo, tally: RunStandings) -> dict[str, object]:
    """The object of --json."""
    return {
        "server": info.url,
        "played": tally.played,
        "won": tally.won,
        "drawn": tally.drawn,
        "lost": tally.lost,
        "streak": tally.current,
        "goal": tally.goal,
        "passed": tally.passed,
        "slowest_move_s": round(tally.slowest_move_s, 3),
        "journal": info.journal,
    }
