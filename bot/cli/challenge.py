"""`bot challenge`: a person plays a level in the terminal."""

from __future__ import annotations

import sys
from typing import Annotated

from bot.cli.formatting import echo
from bot.cli.options import RandomSeed, flag, option
from bot.cli.progress import loading_engine
from bot.engine.agent import Agent, Limit
from bot.errors import BotError, UsageError
from bot.game import Board, format_moves, parse_moves
from bot.game.notation import column_names
from bot.learn.levels.table import DEFAULT_LEVEL, LEVELS, level_of

_HELP = "Type a column (1-7), or undo, hint, resign, moves, quit; first letters will do."
_WORDS = ("undo", "hint", "resign", "moves", "quit", "?")
_HINT_S = 3.0
"""Longest time for a hint, seconds."""


def challenge(
    level: Annotated[int, option("N", "Level, from 1 (the easiest) to 10 (perfect).", min=1, max=10)] = DEFAULT_LEVEL,
    second: Annotated[bool, flag("--second", "The computer plays the first disc.")] = False,
    moves: Annotated[str, option("MOVES", "Start after these moves, such as those of an unfinished game.")] = "",
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
    """
    if list_levels:
        for each in LEVELS:
            mark = "*" if each.number == DEFAULT_LEVEL else " "
            echo(f"{mark} {each.number:2}  {each.name:12} {each.about}")
        return
    columns = parse_moves(moves)
    Board.from_moves(columns)
    with loading_engine():
        from bot.learn.levels.player import LevelPlayer

        player = LevelPlayer(level, seed)
        player.warm_up()
    mark = "O" if second else "X"
    echo(f"You are {mark} against level {level}, {level_of(level).name}.\n{_HELP}")
    _Table(player, second, list(columns)).play()


class _Table:
    """One game of a person against an agent, and the conversation about it."""

    def __init__(self, agent: Agent, is_second: bool, moves: list[int]) -> None:
        self._agent = agent
        self._side = 1 if is_second else 0
        """The person's side: the first player's is 0, the second's 1."""
        self._moves = moves
        """All columns 0..6 so far."""
        self._has_resigned = False

    @property
    def _board(self) -> Board:
        return Board.from_moves(self._moves)

    def play(self) -> None:
        """Ask for moves and answer them until the game is over or the input ends."""
        self._show()
        while not (self._board.is_over or self._has_resigned):
            if len(self._moves) % 2 != self._side:
                self._moves.append(self._agent.choose(self._board, Limit(hard_s=5.0)).column)
                echo(f"The computer plays {column_names(self._moves[-1:])}.")
                self._show()
                continue
            echo("Your move: ", nl=not sys.stdin.isatty())
            line = sys.stdin.readline()
            words = line.strip().lower()
            word = _command(words)
            if not line or word == "quit":
                self._leave()
                return
            try:
                self._obey(word, words)
            except BotError as error:
                echo(str(error))
        self._conclude()

    def _obey(self, word: str, words: str) -> None:
        """Do what a line of input asks for. Raises BotError for bad input."""
        if not word:
            self._place(words)
        elif word == "undo":
            self._undo()
        elif word == "hint":
            self._hint()
        elif word == "resign":
            self._has_resigned = True
        elif word == "moves":
            echo(f"Moves: {format_moves(self._moves) or 'none yet'}")
        else:
            echo(_HELP)

    def _place(self, words: str) -> None:
        """Play the person's disc."""
        try:
            columns = parse_moves(words)
        except BotError:
            raise UsageError(f"{words!r:.40} is not a column.", _HELP) from None
        if not columns:
            raise UsageError("There is no column in that.", _HELP)
        if len(columns) > 1:
            raise UsageError("Give one column at a time.", _HELP)
        self._board.play(columns[0])
        self._moves += columns
        self._show()

    def _undo(self) -> None:
        """Take back the person's last move and its answer."""
        if len(self._moves) < 2:
            raise UsageError("There is no move of yours to take back.", "Play a column first.")
        del self._moves[-2:]
        echo("2 moves taken back.")
        self._show()

    def _hint(self) -> None:
        """Print the threats and the best columns, or what is known of all where time ran out."""
        from bot.engine.score import explain
        from bot.learn.coach.position import facts, view

        board = self._board
        sight = view(board)
        for fact in facts(sight, board.ply):
            echo(fact.text)
        if not sight.threats:
            echo("No threats.")
        with loading_engine():
            from bot.engine.shared import ready_analyst

            analyst = ready_analyst()
        analysis = analyst.analyse(board, deadline_s=_HINT_S)
        if analysis.best:
            echo(f"Best: {column_names(analysis.best)}. Your side {explain(analysis, board.ply)}.")
            return
        for column, known in enumerate(analysis.columns):
            if known is not None:
                echo(f"{column_names([column])} {explain(known, board.ply)}")

    def _show(self) -> None:
        echo(f"\n{self._board}")
        if self._moves:
            echo("  " * self._moves[-1] + "^")
        echo()

    def _conclude(self) -> None:
        if self._has_resigned:
            ending = "You lose: resigned"
        elif self._board.winner is None:
            ending = "A draw: the board is full"
        elif self._board.winner == 1 + self._side:
            ending = "You win: four in a row"
        else:
            ending = "You lose: four in a row"
        moves = format_moves(self._moves)
        echo(f"{ending}. Moves: {moves}")
        if moves:
            echo(f"What was good and what was not: bot coach {moves}")

    def _leave(self) -> None:
        command = f"bot challenge --level {self._agent.name.partition(':')[2]}"
        if self._side == 1:
            command += " --second"
        if self._moves:
            command += f" --moves {format_moves(self._moves)}"
        echo(f"The game is not finished. To go on: {command}")


def _command(words: str) -> str:
    """Return the command that begins with ``words``; an empty text where there is none."""
    if not words:
        return ""
    return next((command for command in _WORDS if command.startswith(words)), "")
