"""The error tree and the exit codes. Every error is one sentence and, where there is one, a next step."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of the process, the same in every command."""

    DONE = 0
    BUG = 1
    USAGE = 2
    NETWORK = 3
    PROTOCOL = 4
    GOAL_MISSED = 5
    INTERRUPTED = 130


def clause(sentence: str) -> str:
    """Return a sentence as a clause, to be put into another one: "The disk is full." becomes "the disk is full"."""
    return sentence[:1].lower() + sentence[1:].rstrip(".")


LONGEST_LINE = 1000
"""Maximum length of a line of text that is shown, characters; the rest is cut off."""


def printable(line: str, most: int = LONGEST_LINE) -> str:
    """Return a line of text as it may be shown: nothing in it controls a terminal, and a far too long one is cut.

    Control and format characters, such as those that turn the direction of writing, become escapes such as \\x1b.
    """
    shown = "".join([each if each.isprintable() else ascii(each)[1:-1] for each in line[:most]])
    return shown if len(line) <= most else f"{shown}..."


def one_line(text: object, most: int = 200) -> str:
    """Return a foreign text in a form for messages: one printable line of ``most`` characters, without a full stop."""
    words = str(text or "no reason given").split()
    return printable(" ".join(words)[:most].rstrip("."), most)


class BotError(Exception):
    """Base of all expected errors.

    ``message`` is one sentence that says what happened, ``hint`` what to do next.
    """

    exit_code = ExitCode.BUG

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UsageError(BotError):
    """A command, an option, a file, a setting or a position given by the user is invalid."""

    exit_code = ExitCode.USAGE


class BoardError(UsageError):
    """A position that cannot arise in a game of Connect Four, or a move that is not legal in it."""


class FullColumnError(BoardError):
    """A move into a full column."""


class GameOverError(BoardError, ValueError):
    """A move was requested in a finished game."""

    def __init__(self) -> None:
        super().__init__("There is no move to choose: the game is over.", "Take back the last move.")


class AgentError(BotError):
    """An agent failed: it raised an error, ended, exceeded its time, or replied with no legal move."""

    exit_code = ExitCode.USAGE


class NetworkError(BotError):
    """The server could not be reached, or it is unknown whether a request was processed."""

    exit_code = ExitCode.NETWORK


class ProtocolError(BotError):
    """The server answered with something that the protocol does not allow."""

    exit_code = ExitCode.PROTOCOL


class JournalError(BotError):
    """A journal cannot be written or read."""

    exit_code = ExitCode.USAGE
