"""Interpret replies to /move whose status is false, given the belief when the move was sent."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum

from bot.course.protocol import ILLEGAL, KEY_HINT, NEW_GAME, MoveReply, refuses_key
from bot.course.session.commands import Send, StopReason
from bot.course.session.dialect import column_refused
from bot.course.session.due import Transition, read, read_between_games, stop
from bot.course.session.hypotheses import Hypotheses
from bot.course.session.replies import said_over
from bot.course.session.session import Session
from bot.errors import one_line

PROCESSED_THOUGH_REFUSED = 0.02
"""Probability that the server processed a request that it refused with a message that does not fit the game."""
_GAME = r"\bgame\b(?! serv)"  # "the game server is not available" says nothing about the game
_NO_GAME = re.compile(
    rf"\bno( \w+)?( \w+)? {_GAME}|{_GAME}.*\b(over|ended|finished)\b"
    rf"|{_GAME}.*\bnot\b.*\b(running|started|active|found)\b"
    rf"|\bnot( \w+)? (in|started|found|playing|have)( \w+)?( \w+)? {_GAME}",
    re.IGNORECASE,
)
_TURN = re.compile(r"\bturn\b", re.IGNORECASE)
"""A refusal because it is not our turn: a game is running."""
_ILLEGAL = re.compile(r"\b(impossible|illegal|invalid)\b.*\bmove\b|\bcolumn\b.*\bfull\b", re.IGNORECASE)


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


def refused(session: Session, command: Send, reply: MoveReply, at: float) -> Transition:
    """Go on after a reply whose status is false."""
    move, kind = command.move, refusal_of(command.move, reply)
    said = one_line(reply.msg)
    if kind is Refusal.KEY:
        return stop(session, StopReason.REJECTED, f"The server refuses the key: {said}.", KEY_HINT)
    if session.belief.opens(move) and move != NEW_GAME and not _TURN.search(said):
        column_opens = session.contact.column_opens
        says_no_game = kind is Refusal.NO_GAME or _NO_GAME.search(said) is not None
        if kind is Refusal.ILLEGAL and column_opens and not says_no_game:
            return _illegal(session, (), said, at)  # in a game of which nothing was known
        if says_no_game or not column_opens:
            is_scored = kind is Refusal.ILLEGAL and session.ledger.base is not None  # a server that is not of 2021
            is_final = says_no_game or is_scored or reply.result == ILLEGAL
            return column_refused(session, said, at, is_final=is_final)
    hypotheses = session.belief.hypotheses
    full = tuple(item for item in hypotheses if not item.playing.board.can_play(move))
    if kind is Refusal.ILLEGAL and (full or reply.result == ILLEGAL):
        return _illegal(session, full, said, at)
    if reply.is_over and move != NEW_GAME:
        return said_over(session.noting("refused", f"The server refuses the move: {said}.", at=at), reply, at)
    idle = tuple(item for item in hypotheses if item.position is None)
    if kind is Refusal.NO_GAME and idle:
        return _no_game(session, idle, at)
    return _refused_without_reason(session, command, kind, said, at)


def _illegal(session: Session, full: Hypotheses, said: str, at: float) -> Transition:
    """Go on after an illegal move, which lost the game; ``full`` are the hypotheses in which it was one."""
    session = session.usable().noting("illegal", f"The server refuses the move: {said}.", at=at)
    if full:
        session = session.following((0.0,) * full[0].ended, "unknown", at=at)  # by the likeliest hypothesis
    return read_between_games(session.ending(ILLEGAL, "reply", at=at), at)


def _no_game(session: Session, idle: Hypotheses, at: float) -> Transition:
    """Go on after a refusal which says that no game is running, as some hypotheses have it."""
    session = replace(session, belief=session.belief.given(idle)).concluded(at)
    return read(session.usable(), at)


def _refused_without_reason(session: Session, command: Send, kind: Refusal, said: str, at: float) -> Transition:
    """Go on after a refusal that does not fit the game: it is repeated, and at last believed or an end."""
    belief = session.belief.lost(command.move, command.answers, delivered=PROCESSED_THOUGH_REFUSED)
    contact = session.contact.blinded()
    session = replace(session, belief=belief, contact=contact)
    if not contact.is_blind:
        what = "new game" if command.move == NEW_GAME else "move"
        text = f"The server refuses the {what}: {said}. Trying again."
        return read(session.noting("refused", text, at=at), at, after_s=0.15 * contact.blind)
    if kind is not Refusal.NO_GAME:
        what = "a new game" if command.move == NEW_GAME else "our moves"
        return stop(session, StopReason.REFUSED, f"The server refuses {what}: {said}.")
    session = session.usable().noting("server_reset", f"The server no longer knows the game: {said}.", at=at)
    return read_between_games(session.ending(0.0, "server_reset", at=at), at)
