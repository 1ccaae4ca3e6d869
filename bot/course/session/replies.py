"""Interpret replies to /move, given the belief when the move was sent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum

from bot.course.protocol import ILLEGAL, KEY_HINT, LOST, NEW_GAME, MoveReply, refuses_key
from bot.course.session.belief import NO_GAME, Belief, Hypothesis, matching, normalised
from bot.course.session.dialect import column_refused, marked
from bot.course.session.events import GameEnded, Reason
from bot.course.session.position import EMPTY, Position, after_move, continues, opening, shown
from bot.course.session.state import BLIND, NO_HONEST_END, NOT_OPENED, WHOLE, Session
from bot.course.session.statistics import concluded
from bot.game import Board

PROCESSED_THOUGH_REFUSED = 0.02
"""Probability that the server processed a request that it refused with a message that does not fit the game."""
MOST_DISCS_AHEAD = 4
"""Discs by which a board may be ahead of the known one: a proxy that sends a request twice adds two of each side."""
_CONFLICT = "The server's reply does not fit the game."
_GAME = r"\bgame\b(?! serv)"  # "the game server is not available" says nothing about the game
_NO_GAME = re.compile(
    rf"\bno( \w+)?( \w+)? {_GAME}|{_GAME}.*\b(over|ended|finished)\b"
    rf"|{_GAME}.*\bnot\b.*\b(running|started|active|found)\b|\bnot\b.*\b(in|started|found|playing|have)\b.*{_GAME}",
    re.IGNORECASE,
)
_TURN = re.compile(r"\bturn\b", re.IGNORECASE)
"""A refusal because it is not our turn: a game is running."""
_ILLEGAL = re.compile(r"\b(impossible|illegal|invalid)\b.*\bmove\b|\bcolumn\b.*\bfull\b", re.IGNORECASE)


# Replies with status true


def understood(session: Session, move: int, reply: MoveReply, at: float) -> Session:
    """Return the session after a reply whose status is true."""
    if move == NEW_GAME:
        return _opened(session, reply, at)
    after = matching(session.belief, move, reply)
    if not after:
        return _unexpected(session, move, reply, at)
    if reply.state is None and len({item.playing.board for item, _ in after}) > 1:
        return replace(session.usable(), belief=normalised(_running_or_ended(*match) for match in after))
    session = session.reconciled(tuple(before for before, _ in after))
    if session.opens(move):
        session = replace(session, column_opens=True)
    before, position = min(after, key=lambda match: (match[0].ended, match[0].playing.board.ply))
    return _reached(session, before, position, at)


def _running_or_ended(hypothesis: Hypothesis, position: Position) -> Hypothesis:
    hypothesis = replace(hypothesis, processed=0)
    if position.result is None:
        return replace(hypothesis, position=position)
    return hypothesis.end(position.result)


def _reached(session: Session, before: Hypothesis, position: Position, at: float) -> Session:
    """Return the session at the ``position`` that the reply has shown; ``before`` was the true hypothesis."""
    if len(session.belief) > 1:
        text = "The board shows what happened to the requests whose replies were lost."
        session = session.noting("reconciled", text, at=at, quiet=True)
    known = min(len(item.playing.moves) for item in session.belief if item.ended == before.ended)
    session = _learning(session.usable(), position, known)
    session = _after_unseen_ends(session, before, at)
    if before.ended:
        text = "A move met no running game and opened one."
        session = session.noting("silent_start", text, at=at, quiet=True)
    return _at(session, position, at)


def _at(session: Session, position: Position, at: float) -> Session:
    """Return the session at a certain ``position``, which may be the end of the game."""
    if position.result is None:
        return replace(session, belief=(Hypothesis(position),))
    is_whole = len(position.moves) == position.board.ply  # not after a resynchronisation
    moves = position.moves if is_whole else ()
    session = session.ending(position.result, "reply", at=at, moves=moves, we_started=position.we_started)
    return session.idle(at)


def _learning(session: Session, position: Position, known: int) -> Session:
    """Return the session with the bot's answers that ``position`` shows added to the answer book.

    The first ``known`` discs of its game had been shown before. After lost replies, the board also shows the answers to
    the requests that had been processed.
    """
    answers = session.answers
    for board, column in _answers_in(position, known):
        answers = answers.observe(board, column)
    return replace(session, answers=answers)


def _answers_in(position: Position, known: int) -> Iterator[tuple[Board, int]]:
    """Yield the bot's answers after the first ``known`` discs: the boards before them and their columns."""
    if len(position.moves) != position.board.ply:
        return  # after a resynchronisation, the order of play is unknown
    board = Board()
    for ply, column in enumerate(position.moves):
        if ply >= known and (ply % 2 == 1) == position.we_started:
            yield board, column
        board = board.play(column)


def _opened(session: Session, reply: MoveReply, at: float) -> Session:
    """Return the session after the reply to -1."""
    position = opening(reply)
    if position is None:
        return _unexpected(session, NEW_GAME, reply, at)
    session = _at(_learning(session.usable(), position, 0), position, at)
    return marked(session, position, reply, at)


# Replies that fit nothing


def _unexpected(session: Session, move: int, reply: MoveReply, at: float) -> Session:
    """Return the session after a reply that fits no hypothesis.

    The explanations in the order in which they are tried: the reply only ends the game; the game had ended unseen and
    the move opened a new one; a retrying proxy sent a request twice, so the board is ahead; the reply is garbled. A
    board that conflicts again and again is not one that a fault has garbled: the game goes on from it, once in a run.
    So it does from the first one if the resumed journal is damaged. A finished board is more likely an old reply from
    a cache than a result.
    """
    if _only_says_over(session.belief, move, reply):
        return _said_over(session, reply, at)
    fresh = None if move == NEW_GAME or reply.state is None else after_move(EMPTY, move, reply)
    if fresh is not None:
        return _began_unseen(session, fresh, at)
    position = shown(reply)
    before = None if position is None else _continued(session.belief, move, position)
    if position is not None and before is not None:
        return _resynchronised(_after_unseen_ends(session, before, at), position, at)
    session = replace(session, blind=session.blind + WHOLE)
    is_at_last = session.blind >= BLIND
    if position is not None and not session.has_adopted and (is_at_last or session.run.is_damaged):
        return replace(_resynchronised(session, position, at), has_adopted=True)
    if not is_at_last:
        session = session.lost(move, delivered=0.5)
        session = session.noting("conflicting_reply", f"{_CONFLICT} The reply is not used.", at=at)
        return session.reading(at, after_s=0.2)
    return session.stopping(Reason.REFUSED, _CONFLICT)


def _only_says_over(belief: Belief, move: int, reply: MoveReply) -> bool:
    """Return whether the reply ends the game without showing its last board, as when our move came too late."""
    if move == NEW_GAME or not reply.is_over:
        return False
    if reply.state is None:
        return True
    boards = [item.playing for item in belief]
    boards += [known.play(move) for known in boards if known.board.can_play(move)]
    is_known = any(reply.state == known.grid and not known.board.is_over for known in boards)
    return is_known and reply.result in (LOST, ILLEGAL)


def _said_over(session: Session, reply: MoveReply, at: float) -> Session:
    assert reply.result is not None
    session = session.usable().ending(reply.result, "reply", at=at)
    return session.idle(at)


def _began_unseen(session: Session, position: Position, at: float) -> Session:
    """Return the session in a new game; the statistics may show how the one before, which ended unseen, ended."""
    session = _learning(session.usable(), position, 0)
    session = replace(session, unseen=session.number, number=session.number + 1, belief=(Hypothesis(position),))
    text = "The game had ended at the server, or the server had lost it; the move opened a new one."
    return session.noting("silent_start", text, at=at).reading(at)


def _continued(belief: Belief, move: int, position: Position) -> Hypothesis | None:
    """Return the hypothesis of which a running game's board is a few discs ahead, with our disc of ``move``.

    A board that is further ahead is more likely an old reply from a cache; the reply to a request that opens a game may
    show one that was running.
    """
    if move == NEW_GAME or belief == (NO_GAME,):
        return belief[0]
    return next((item for item in belief if _is_further(item.playing, move, position)), None)


def _is_further(known: Position, move: int, position: Position) -> bool:
    return (
        known.we_started == position.we_started
        and known.board.can_play(move)
        and position.board.ply - known.board.ply <= MOST_DISCS_AHEAD
        and continues(known.board.play(move), position)
    )


def _after_unseen_ends(session: Session, before: Hypothesis, at: float) -> Session:
    """Return the session after the ends of games that only the board of the next one shows.

    Such an end does not prove that the server finishes games in a way that can be read: a run whose games all end so
    would never end, since each move after the last one opens another game.
    """
    if not before.ended:
        return session
    return replace(session.followed(before.results, "inferred", at), wasted=session.wasted + NOT_OPENED)


def _resynchronised(session: Session, position: Position, at: float) -> Session:
    """Return the session that goes on from the server's board."""
    text = f"{_CONFLICT} The game goes on from the server's board."
    session = session.usable().noting("resynchronised", text, at=at)
    return replace(session, belief=(Hypothesis(position),))


# Replies with status false


class Refusal(Enum):
    """The meaning of a reply with status false."""

    KEY = "the key is wrong"
    ILLEGAL = "the move is impossible"
    NO_GAME = "no game is running"
    UNKNOWN = "unknown"


def refusal_of(move: int, reply: MoveReply) -> Refusal:
    """Return the meaning of ``reply`` to ``move``, whose status is false."""
    reason = reply.msg or ""
    if refuses_key(reason):
        return Refusal.KEY
    if move == NEW_GAME or _TURN.search(reason):
        return Refusal.UNKNOWN
    if reply.result == ILLEGAL or _ILLEGAL.search(reason):
        return Refusal.ILLEGAL
    return Refusal.NO_GAME if _NO_GAME.search(reason) else Refusal.UNKNOWN


def refused(session: Session, move: int, reply: MoveReply, at: float) -> Session:
    """Return the session after a reply whose status is false."""
    kind = refusal_of(move, reply)
    said = " ".join((reply.msg or "no reason given").split())[:200].rstrip(".")
    if kind is Refusal.KEY:
        session = replace(session, number=session.number - session.opens(move))  # nothing was opened
        return session.stopping(Reason.REJECTED, f"The server refuses the key: {said}.", KEY_HINT)
    if session.opens(move) and move != NEW_GAME and not _TURN.search(said):
        if kind is Refusal.ILLEGAL and session.column_opens:
            return _illegal(session, (), said, at)  # in a game of which nothing was known
        if kind is Refusal.NO_GAME or not session.column_opens:
            is_final = kind is Refusal.NO_GAME or reply.result == ILLEGAL
            return column_refused(session, said, at, is_final=is_final)
    full = tuple(item for item in session.belief if not item.playing.board.can_play(move))
    if kind is Refusal.ILLEGAL and (full or reply.result == ILLEGAL):
        return _illegal(session, full, said, at)
    if reply.is_over and move != NEW_GAME:
        return _said_over(session.noting("refused", f"The server refuses the move: {said}.", at=at), reply, at)
    idle = tuple(item for item in session.belief if item.position is None)
    if kind is Refusal.NO_GAME and idle:
        ended = concluded(replace(session, belief=normalised(idle)), at).usable()
        # Only the refusal says so: a server that always refuses would otherwise have one game after another forfeited.
        is_loss = any(isinstance(item, GameEnded) and item.result < 0 for item in ended.news)
        return (replace(ended, wasted=session.wasted + NO_HONEST_END) if is_loss else ended).reading(at)
    session = session.lost(move, delivered=PROCESSED_THOUGH_REFUSED)
    session = replace(session, blind=session.blind + WHOLE)
    if session.blind < BLIND:
        text = f"The server refuses the {'new game' if move == NEW_GAME else 'move'}: {said}. Trying again."
        return session.noting("refused", text, at=at).reading(at, after_s=0.15 * session.blind)
    if kind is not Refusal.NO_GAME:
        what = "a new game" if move == NEW_GAME else "our moves"
        return session.stopping(Reason.REFUSED, f"The server refuses {what}: {said}.")
    session = session.usable().noting("server_reset", f"The server no longer knows the game: {said}.", at=at)
    return session.ending(0.0, "server_reset", at=at).idle(at)


def _illegal(session: Session, full: Belief, said: str, at: float) -> Session:
    """Return the session after an illegal move, which lost the game."""
    session = session.usable().noting("illegal", f"The server refuses the move: {said}.", at=at)
    session = session.followed(full[0].results if full else (), "inferred", at)  # by the likeliest hypothesis
    return session.ending(ILLEGAL, "reply", at=at).idle(at)
