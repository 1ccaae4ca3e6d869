"""`bot export`: a game, or the bot, as a file for other people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Typer

from bot.cli.formatting import echo
from bot.cli.options import GameOption, argument, option, seconds
from bot.errors import UsageError
from bot.game import Board, parse_moves

if TYPE_CHECKING:
    from bot.web.standalone import SavedGame

export = Typer(help="Write a game, or the bot, as a file for other people.", no_args_is_help=True)


@export.command()
def page(
    out: Annotated[Path, option("FILE.html", "The file to write.")],
    moves: Annotated[str | None, argument("MOVES", "Columns played, such as 4453.")] = None,
    journal: Annotated[Path | None, option("FILE", "A journal, in place of MOVES.")] = None,
    game: GameOption = None,
    deadline: Annotated[float, seconds("Time for each position.", min=0.05)] = 2.0,
) -> None:
    """Write a game and its analysis as one web page: a file that opens without a server, a network or this program.

    The page steps through the game with the scores of all columns, the best lines, the mistakes, the coach's proven
    reasons for them and a graph. It holds no student's id.

    \b
    Examples:
      bot export page 44444333316 --out game.html
      bot export page --journal logs/RUN.jsonl --game 3 --out game.html
    """
    if (moves is None) == (journal is None):
        raise UsageError("Give either MOVES or --journal.", "A journal is written by `bot play`.")
    from bot.cli.progress import ProgressLine, loading_engine
    from bot.engine.interrupt import stoppable
    from bot.files import check_place
    from bot.web.standalone import SavedGame

    check_place(out)
    saved = _of_journal(journal, game) if journal is not None else SavedGame(parse_moves(moves or ""))
    Board.from_moves(saved.columns)
    with loading_engine():
        from bot.web.standalone import web_page

    total = len(saved.columns) + 1
    with stoppable() as stop, ProgressLine("positions", total) as analysed:
        content = web_page(saved, position_s=deadline, stop=stop, progress=lambda count: analysed.update(count, total))
    out.write_text(content, encoding="utf-8")
    echo(f"{out}: {len(content.encode()) / 1000:.0f} KB")


@export.command()
def kaggle(
    out: Annotated[Path, option("FILE.tar.gz", "The archive to write.")] = Path("submission.tar.gz"),
) -> None:
    """Write a submission for Kaggle's ConnectX: an archive that holds main.py, the engine and the opening book.

    It needs numba, which Kaggle's image has. The engine is compiled in the background while the book answers the first
    moves.

    \b
    Examples:
      bot export kaggle                            write submission.tar.gz
    """
    from bot.adapters.kaggle_export import write_submission
    from bot.files import check_place

    check_place(out)
    write_submission(out)
    echo(f"Wrote {out}: {out.stat().st_size / 1000:.0f} kB. Submit it to ConnectX as it is.")


def _of_journal(path: Path, number: int | None) -> SavedGame:
    from bot.cli.replay import chosen_games
    from bot.course.journal.journal import read_journal
    from bot.web.reading import game_json
    from bot.web.standalone import SavedGame

    games = chosen_games(path, read_journal(path).games, number)
    if not games:
        raise UsageError(f"{path} does not have any game.", "Play one with `bot play`.")
    found = games[0]
    game = game_json(found)
    names = ("The bot", "The opponent") if game["we_started"] else ("The opponent", "The bot")
    return SavedGame(parse_moves(game["moves"]), names, f"Connect Four: game {found.number}")
