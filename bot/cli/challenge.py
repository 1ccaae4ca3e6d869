"""`bot challenge`: a person plays a level in the terminal."""

from __future__ import annotations

import sys
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from typer import echo

from bot.cli.formatting import column_names, counted, duration
from bot.cli.options import RandomSeed, flag, option
from bot.cli.progress import loading_engine
from bot.errors import BotError, UsageError
from bot.game import format_moves, parse_moves
from bot.game.rendering import render_text
from bot.learn.levels.table import DEFAULT_LEVEL, LEVELS, level_of

if TYPE_CHECKING:
    from bot.engine.analysis import Analyst
    from bot.learn.levels.challenge import Challenge

_HELP = "Type a column (1-7), or undo, hint, resign, moves, quit; first letters will do."
_WORDS = ("undo", "hint", "resign", "moves", "quit", "?")
_HINT_S = 3.0
"""Longest time for a hint, seconds."""


def challenge(
    level: Annotated[int, option("N", "Level, from 1 (the easiest) to 10 (perfect).", min=1, max=10)] = DEFAULT_LEVEL,
    second: Annotated[bool, flag("--second", "The computer plays the first disc.")] = False,
    moves: Annotated[str, option("MOVES", "Start after these moves, such as those of an unfinished game.")] = "",
    clock: Annotated[float | None, option("SECONDS", "Your thinking time for the whole game.", min=1.0)] = None,
    seed: RandomSeed = None,
    list_levels: Annotated[bool, flag("--list", "List the levels and exit.")] = False,
) -> None:
    """Play against the computer in the terminal, at one of ten levels.

    Type a column, or undo (takes back your last move and its answer), hint (threats and the best columns), resign,
    moves (the game so far) or quit. A word's first letter will do. Moves are read from standard input, so a script can
    play too. X is the first player.

    \b
    Examples:
      bot challenge                                an easy game
      bot challenge --level 6 --second             a harder one, in which the computer starts
      bot challenge --clock 120                    with two minutes for all your moves
    """
    if list_levels:
        for each in LEVELS:
            mark = "*" if each.number == DEFAULT_LEVEL else " "
            echo(f"{mark} {each.number:2}  {each.name:12} {each.about}")
        return
    from bot.learn.levels.challenge import FIRST, SECOND, Challenge, Clock

    columns = parse_moves(moves)
    with loading_engine():
        from bot.learn.levels.player import LevelPlayer

        player = LevelPlayer(level, seed)
        player.warm_up()
    game = Challenge(player, SECOND if second else FIRST, columns, None if clock is None else Clock(clock))
    echo(f"You are {'XO'[game.person - 1]} against level {level}, {level_of(level).name}.\n{_HELP}")
    _Table(game).play()


class _Table:
    """The conversation of one game."""

    def __init__(self, game: Challenge) -> None:
        self._game = game

    def play(self) -> None:
        """Ask for moves and answer them until the game is over or the input ends."""
        game = self._game
        self._show()
        while game.result is None:
            if not game.is_persons_turn:
                echo(f"The computer plays {column_names([game.reply()])}.")
                self._show()
                continue
            words = self._ask()
            if words is None:
                self._leave()
                return
            try:
                if not self._obey(words):
                    return
            except BotError as error:
                echo(str(error))
        self._conclude()

    def _ask(self) -> str | None:
        """Return a line of input in small letters without blanks around it; None at the end of the input."""
        game = self._game
        left = "" if game.clock is None else f", {duration(game.clock.left_s)} left"
        echo(f"Your move{left}: ", nl=not sys.stdin.isatty())
        if game.clock is not None:
            game.clock.start()
        line = sys.stdin.readline()
        if game.clock is not None:
            game.clock.pause()
        return line.strip().lower() if line else None

    def _obey(self, words: str) -> bool:
        """Do what a line of input asks for; return whether the game goes on. Raises BotError for bad input."""
        game = self._game
        if game.result is not None:  # the clock ran out while the line was typed
            return True
        word = next((word for word in _WORDS if words and word.startswith(words)), None)
        if word is None:
            try:
                columns = parse_moves(words)
            except BotError:
                raise UsageError(f"{words!r:.40} is not a column.", _HELP) from None
            if len(columns) != 1:
                raise UsageError("Give one column at a time." if columns else "There is no column in that.", _HELP)
            game.play(columns[0])
            self._show()
        elif word == "undo":
            echo(f"{counted(game.undo(), 'move')} taken back.")
            self._show()
        elif word == "hint":
            self._hint()
        elif word == "resign":
            game.resign()
        elif word == "moves":
            echo(f"Moves: {format_moves(game.moves) or 'none yet'}")
        elif word == "quit":
            self._leave()
            return False
        else:
            echo(_HELP)
        return True

    def _hint(self) -> None:
        """Print the threats and the best columns, or what is known of all where time ran out."""
        from bot.engine.score import explain
        from bot.learn.coach.position import view
        from bot.learn.coach.words import facts

        board = self._game.board
        for fact in facts(view(board), board.ply)[1:]:
            echo(fact)
        analysis = self._analyst.analyse(board, deadline_s=_HINT_S)
        if analysis.best:
            echo(f"Best: {column_names(analysis.best)}. Your side {explain(analysis.bounds, board.ply)}.")
            return
        for column, known in enumerate(analysis.columns):
            if known is not None:
                echo(f"{column_names([column])} {explain(known, board.ply)}")

    @cached_property
    def _analyst(self) -> Analyst:
        """The analyst of the hints, made at the first one."""
        with loading_engine():
            from bot.engine.analysis import Analyst
            from bot.engine.perfect import shipped_book

            analyst = Analyst(shipped_book())
            analyst.warm_up()
        return analyst

    def _show(self) -> None:
        board, moves = self._game.board, self._game.moves
        mover, other = ("X", "O") if board.ply % 2 == 0 else ("O", "X")
        echo(f"\n{render_text(board.to_grid(), to_move=mover, other=other, last=moves[-1] if moves else None)}\n")

    def _conclude(self) -> None:
        game = self._game
        result = game.result
        assert result is not None
        how = {"four": "four in a row", "full": "the board is full", "resigned": "resigned", "time": "out of time"}
        outcome = "A draw" if result.winner is None else "You win" if result.winner == game.person else "You lose"
        moves = format_moves(game.moves)
        echo(f"{outcome}: {how[result.how]}. Moves: {moves}")
        if moves:
            echo(f"What was good and what was not: bot coach {moves}")

    def _leave(self) -> None:
        game = self._game
        options = f"--level {game.agent.name.partition(':')[2]}{' --second' if game.person == 2 else ''}"
        moves = f" --moves {format_moves(game.moves)}" if game.moves else ""
        echo(f"The game is not finished. To go on: bot challenge {options}{moves}")
