"""What the earlier journals in a folder teach a run: its player's newest one, the bot's answers, and the streak.

Each file is read once, newest first, and only as far as needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.course.address import Identity
from bot.course.journal.reader import (
    Journal,
    is_old,
    journal_files,
    old_unfinished,
    parse_journal,
    parse_records,
    player_in,
)
from bot.course.journal.state import GIVE_UP
from bot.course.session.answers import AnswerBook, answer_shown
from bot.course.session.events import GameEnded, Replied, parse_line
from bot.errors import BoardError, JournalError, UsageError
from bot.game import Board

GAMES = 200
"""Number of games at the same server, the newest ones, whose answers a run learns."""
_END = b'"type":"game_end"'
_ANSWERED = b'"status":true'
"""In a journal's bytes: the end of a game, and a reply of the server that did not refuse the request."""


@dataclass(frozen=True, slots=True)
class History:
    """What earlier runs show."""

    last: Journal | None = None
    """The newest journal of this player at this server."""
    answers: AnswerBook = AnswerBook()  # noqa: RUF009  # a frozen value
    """The server's bot's answers in the newest games, those of an unfinished journal left out: resuming adds them."""
    streak: int = 0
    """Games in a row without a loss, up to the last one."""


def read_history(logs: Path, player: Identity, *, fresh: bool = False) -> History:
    """Return what the journals in ``logs`` show of games at the server, and of this ``player``'s there.

    Raises UsageError if the newest is an earlier edition's with an unfinished game, unless ``fresh`` gives it up.
    """
    last: Journal | None = None
    observations: list[list[tuple[Board, int]]] = []
    streak, learnt, is_streak_known = 0, 0, False
    for path in reversed(journal_files(logs)):
        try:
            content = path.read_bytes()
        except OSError:
            continue
        who = player_in(content)
        if who is None or who.server != player.server:
            continue
        is_newest = who == player and last is None
        if is_old(content):
            if who != player:
                continue
            if is_newest and not fresh:
                _check_old(content, path, player)
            break  # so are those before it
        if is_newest:
            try:
                journal = parse_journal(content, path)
            except JournalError:
                continue
            last = journal if journal.games else None
        if learnt < GAMES and not (is_newest and last is not None and last.unfinished):
            observations.append(list(_answers(content)))
            learnt += content.count(_END)
        if who == player and not is_streak_known:
            more, is_streak_known = _streak(content, is_newest)
            streak += more
        if learnt >= GAMES and is_streak_known:
            break
    answers = AnswerBook.of(answer for file in reversed(observations) for answer in file)
    return History(last, answers, streak)


def _check_old(content: bytes, path: Path, player: Identity) -> None:
    """Raise UsageError if the journal of an earlier edition holds an unfinished game."""
    number = old_unfinished(content)
    if number is not None:
        raise UsageError(
            f"Game {number} of {player} is unfinished; its journal {path} is from an earlier edition of this "
            "program, and this one cannot resume it.",
            f"Finish it with that edition, or {GIVE_UP}",
        )


def _answers(content: bytes) -> Iterator[tuple[Board, int]]:
    """Yield the boards with the bot to move and its answers, as the replies in a journal show them."""
    for line in parse_records(content):
        reply = line.record.reply if isinstance(line.record, Replied) else None
        if reply is None or reply.state is None or reply.botmove is None or reply.botmove < 0:
            continue
        try:
            before = answer_shown(Board.from_grid(reply.state, to_move=1), reply.botmove)
        except BoardError:
            continue
        if before is not None:
            yield before, reply.botmove


def _streak(content: bytes, is_newest: bool) -> tuple[int, bool]:
    """Return the games without a loss at the end of a journal, and whether a loss came before them.

    An unfinished game of an older journal was given up by opening another, which the server counts as a loss.
    """
    rest = content[content.rfind(_END) + 1 :]
    if not is_newest and _ANSWERED in rest:
        return 0, True
    count, at = 0, len(content)
    while (at := content.rfind(_END, 0, at)) >= 0:
        start, end = content.rfind(b"\n", 0, at) + 1, content.find(b"\n", at)
        try:
            record = parse_line(content[start:end])
        except ValueError:
            continue
        if isinstance(record, GameEnded) and record.result < 0:
            return count, True
        count += isinstance(record, GameEnded) and record.result > 0
    return count, False
