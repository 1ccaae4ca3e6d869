"""What the earlier journals in a folder teach a run: its player's newest one, the bot's answers, and the streak.

Each file is read once, newest first, and only as far as needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.course.address import normalised_server
from bot.course.journal.reader import Journal, journal_files, parse_journal, parse_records
from bot.course.session.answers import AnswerBook, answer_shown
from bot.course.session.events import GameEnded, Replied, Started, parse_line
from bot.errors import BoardError, JournalError
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


def read_history(logs: Path, server: str, player: Sequence[str]) -> History:
    """Return what the journals in ``logs`` show of games at ``server``, and of this ``player``'s there."""
    last: Journal | None = None
    observations: list[list[tuple[Board, int]]] = []
    streak, learnt, is_streak_known = 0, 0, False
    for path in reversed(journal_files(logs)):
        try:
            content = path.read_bytes()
        except OSError:
            continue
        header = _header(content)
        if header is None or normalised_server(header.server) != normalised_server(server):
            continue
        is_own = set(header.stil_ids) == set(player)
        is_newest = is_own and last is None
        if is_newest:
            try:
                last = parse_journal(content, path)
            except JournalError:
                continue
        if learnt < GAMES and not (is_newest and last is not None and last.unfinished):
            observations.append(list(_answers(content)))
            learnt += content.count(_END)
        if is_own and not is_streak_known:
            more, is_streak_known = _streak(content, is_newest)
            streak += more
        if learnt >= GAMES and is_streak_known:
            break
    answers = AnswerBook.of(answer for file in reversed(observations) for answer in file)
    return History(last, answers, streak)


def _header(content: bytes) -> Started | None:
    """Return a journal's first record; None for other files, and journals of earlier editions."""
    try:
        record = parse_line(content[: content.find(b"\n")])
    except ValueError:
        return None
    return record if isinstance(record, Started) else None


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
