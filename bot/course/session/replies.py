"""Interpret replies to /move whose status is true, given the belief when the move was sent."""

from __future__ import annotations

from dataclasses import replace

from bot.course.protocol import ILLEGAL, LOST, NEW_GAME, MoveReply
from bot.course.session.belief import Belief
from bot.course.session.commands import Send, StopReason
from bot.course.session.dialect import after_opening
from bot.course.session.due import Transition, go_on, read, read_between_games, stop
from bot.course.session.hypotheses import Hypotheses, Hypothesis, Match, matching
from bot.course.session.position import EMPTY, Position, after_move, continues, opening, shown
from bot.course.session.session import Session

MOST_DISCS_AHEAD = 4
"""Discs by which a board may be ahead of the known one: a proxy that sends a request twice adds two of each side."""
_CONFLICT = "The server's reply does not fit the game."


def understood(session: Session, command: Send, reply: MoveReply, at: float) -> Transition:
    """Go on after a reply whose status is true."""
    if command.move == NEW_GAME:
        return _opened(session, command, reply, at)
    matches = matching(session.belief.hypotheses, command.move, reply)
    if not matches:
        return _unexpected(session, command, reply, at)
    # Without a board, several positions remain possible: the next board decides.
    boards = {item.playing.board for item, _ in matches}
    if reply.state is None and len(boards) > 1:
        session = session.usable()
        belief = session.belief.given(_running_or_ended(*match) for match in matches)
        return go_on(replace(session, belief=belief), at)
    belief = session.belief.reconciled(tuple(before for before, _ in matches))
    if belief.opens(command.move):
        session = replace(session, contact=session.contact.opened_by_column())
    # The same board may have come about in several ways: the one with the fewest unseen ends.
    before, position = min(matches, key=_order)
    return _reached(replace(session, belief=belief), before, position, at)


def _order(match: Match) -> tuple[int, int]:
    hypothesis, _ = match
    return hypothesis.ended, hypothesis.playing.board.ply


def _running_or_ended(hypothesis: Hypothesis, position: Position) -> Hypothesis:
    hypothesis = replace(hypothesis, processed=0)
    if position.result is None:
        return replace(hypothesis, position=position)
    return hypothesis.end(position.result)


def _reached(session: Session, before: Hypothesis, position: Position, at: float) -> Transition:
    """Go on from the ``position`` that the reply has shown; ``before`` was the true hypothesis."""
    hypotheses = session.belief.hypotheses
    if len(hypotheses) > 1:
        text = "The board shows what happened to the requests whose replies were lost."
        session = session.noting("reconciled", text, at=at, quiet=True)
    known = min(len(item.playing.moves) for item in hypotheses if item.ended == before.ended)
    session = session.usable()
    session = replace(session, belief=session.belief.learning(position, known))
    session = session.with_unseen_ends(before.ended, at)
    if before.ended:
        text = "A move met no running game and opened one."
        session = session.noting("silent_start", text, at=at, quiet=True)
    if position.result is not None:
        return _ended(session, position, position.result, at)
    return go_on(session.running(position), at)


def _ended(session: Session, position: Position, result: float, at: float) -> Transition:
    """Go on after the game has ended at ``position``."""
    is_whole = len(position.moves) == position.board.ply  # not after a resynchronisation
    moves = position.moves if is_whole else ()
    session = session.ending(result, "reply", at=at, moves=moves, we_started=position.we_started)
    return read_between_games(session, at)


def _opened(session: Session, command: Send, reply: MoveReply, at: float) -> Transition:
    """Go on after the reply to -1."""
    position = opening(reply)
    if position is None:
        return _unexpected(session, command, reply, at)
    session = session.usable()
    session = replace(session, belief=session.belief.learning(position, 0))
    return after_opening(session.running(position), position, reply, at)


# Replies that fit nothing


def _unexpected(session: Session, command: Send, reply: MoveReply, at: float) -> Transition:
    """Go on after a reply that fits no hypothesis.

    The explanations in the order in which they are tried: the reply only ends the game; the game had ended unseen and
    the move opened a new one; a retrying proxy sent a request twice, so the board is ahead; the reply is garbled. A
    board that conflicts again and again is not one that a fault has garbled: the game goes on from it, once in a run.
    So it does from the first one if the resumed journal is damaged. A finished board is more likely an old reply from
    a cache than a result.
    """
    move, belief = command.move, session.belief
    if _only_says_over(belief.hypotheses, move, reply):
        return said_over(session, reply, at)
    if move != NEW_GAME and reply.state is not None:
        fresh = after_move(EMPTY, move, reply)
        if fresh is not None:
            return _began_unseen(session, fresh, at)
    position = shown(reply)
    before = None if position is None else _continued(belief, move, position)
    if position is not None and before is not None:
        return _resynchronised(session.with_unseen_ends(before.ended, at), position, at)
    contact = session.contact.blinded()
    session = replace(session, contact=contact)
    may_adopt = contact.is_blind or session.run.is_damaged
    if position is not None and may_adopt and not contact.has_adopted:
        session = replace(session, contact=contact.adopted())
        return _resynchronised(session, position, at)
    if contact.is_blind:
        return stop(session, StopReason.REFUSED, _CONFLICT)
    session = replace(session, belief=belief.lost(move, command.answers, delivered=0.5))
    session = session.noting("conflicting_reply", f"{_CONFLICT} The reply is not used.", at=at)
    return read(session, at, after_s=0.2)


def _only_says_over(hypotheses: Hypotheses, move: int, reply: MoveReply) -> bool:
    """Return whether the reply ends the game without showing its last board, as when our move came too late."""
    if move == NEW_GAME or not reply.is_over:
        return False
    if reply.state is None:
        return True
    boards = [item.playing for item in hypotheses]
    boards += [known.play(move) for known in boards if known.board.can_play(move)]
    is_known = any(reply.state == known.grid and not known.board.is_over for known in boards)
    return is_known and reply.result in (LOST, ILLEGAL)


def said_over(session: Session, reply: MoveReply, at: float) -> Transition:
    """Go on after a reply that only says that the game has ended."""
    assert reply.result is not None
    return read_between_games(session.usable().ending(reply.result, "reply", at=at), at)


def _began_unseen(session: Session, position: Position, at: float) -> Transition:
    """Go on in a new game; the statistics may show how the one before, which ended unseen, ended."""
    session = session.usable()
    belief = session.belief.learning(position, 0)
    session = replace(session, belief=belief).with_unseen_ends(1, at)
    text = "The game had ended at the server, or the server had lost it; the move opened a new one."
    return go_on(session.running(position).noting("silent_start", text, at=at), at)


def _continued(belief: Belief, move: int, position: Position) -> Hypothesis | None:
    """Return the hypothesis of which a running game's board is a few discs ahead, with our disc of ``move``.

    A board that is further ahead is more likely an old reply from a cache; the reply to a request that opens a game may
    show one that was running.
    """
    if belief.opens(move):
        return belief.hypotheses[0]
    return next((item for item in belief.hypotheses if _is_further(item.playing, move, position)), None)


def _is_further(known: Position, move: int, position: Position) -> bool:
    return (
        known.we_started == position.we_started
        and known.board.can_play(move)
        and position.board.ply - known.board.ply <= MOST_DISCS_AHEAD
        and continues(known.board.play(move), position)
    )


def _resynchronised(session: Session, position: Position, at: float) -> Transition:
    """Go on from the server's board."""
    text = f"{_CONFLICT} The game goes on from the server's board."
    session = session.usable().noting("resynchronised", text, at=at)
    return go_on(session.running(position), at)
