"""Interpret replies to /move, given the belief when the move was sent."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum

from bot.course.protocol import ILLEGAL, LOST, NEW_GAME, MoveReply, refuses_key
from bot.course.session.answers import AnswerBook, answer_shown
from bot.course.session.belief import (
    NO_GAME,
    Belief,
    Hypothesis,
    after_lost_reply,
    matching,
    normalised,
)
from bot.course.session.events import Reason, Stop
from bot.course.session.position import EMPTY, ConflictingReplyError, Position, after_move, continues, opening, shown
from bot.course.session.state import Session
from bot.course.session.statistics import concluded, wanted

CONFLICTS = 2
"""Conflicting replies in a row that are ignored; after the next one the game goes on from the server's board, once in a
run: a board that conflicts again and again is not one that a fault has garbled."""
PROCESSED_THOUGH_REFUSED = 0.02
"""Probability that the server processed a request that it refused with a message that does not fit the game."""
REJECTIONS = 2
"""Refusals in a row after which the same move is sent again."""
KEPT = "The game is kept: run the same command again to resume it."
"""The next step after a stop in a running game."""
MOST_DISCS_AHEAD = 4
"""Discs by which a board may be ahead of the known one: a proxy that sends a request twice adds two of each side."""
_GAME = r"\bgame\b(?! serv)"  # "the game server is not available" says nothing about the game
_NO_GAME = re.compile(
    rf"\bno( \w+)?( \w+)? {_GAME}|{_GAME}.*\b(over|ended|finished)\b"
    rf"|{_GAME}.*\bnot\b.*\b(running|started|active|found)\b|\bnot\b.*\b(in|started|found|playing|have)\b.*{_GAME}",
    re.IGNORECASE,
)
_TURN = re.compile(r"\bturn\b", re.IGNORECASE)
"""A refusal because it is not our turn: a game is running."""
_ILLEGAL = re.compile(r"\b(impossible|illegal|invalid)\b.*\bmove\b|\bcolumn\b.*\bfull\b", re.IGNORECASE)


def understood(session: Session, move: int, reply: MoveReply, at: float) -> Session:
    """Return the session after a reply whose status is true."""
    if move == NEW_GAME:
        return _opened(session, reply, at)
    after, conflict = matching(session.belief, move, reply)
    if conflict is not None:
        return _unexpected(session, move, reply, conflict, at=at)
    session = _settled_down(session)
    if reply.state is None and len({item.playing.board for item, _ in after}) > 1:
        belief = normalised(_running_or_ended(item, position) for item, position in after)
        return replace(session, belief=belief, lost_request=None)
    before, position = min(after, key=lambda match: (match[0].ended, match[0].playing.board.ply))
    return _reached(session, before, position, at)


def _running_or_ended(hypothesis: Hypothesis, position: Position) -> Hypothesis:
    if position.result is None:
        return replace(hypothesis, position=position)
    return hypothesis.end(position.result)


def _settled_down(session: Session) -> Session:
    """Return the session after a usable reply: the counters of failures start anew."""
    return replace(session, trouble_since=None, attempts=0, conflicts=0, rejections=0)


def _reached(session: Session, before: Hypothesis, position: Position, at: float) -> Session:
    """Return the session at the ``position`` that the reply has shown; ``before`` was the true hypothesis."""
    if len(session.belief) > 1:
        session = _reconciled(session, before)
    session = _learning(session, position)
    known_by = session.known_by(before)
    for result in before.results:
        session = session.ending(result, known_by)
        session = replace(session, number=session.number + 1)
    if before.ended:
        session = session.noting("silent_start", "A move met no running game and opened one.", quiet=True)
    session = session.announcing()
    session = replace(session, belief=(Hypothesis(position),), lost_request=None, rise=None, unopened=0)
    return _over(session, position, at) if position.result is not None else session


def _over(session: Session, position: Position, at: float) -> Session:
    """Return the session after a game whose end the reply has shown."""
    assert position.result is not None
    is_whole = len(position.moves) == position.board.ply  # not after a resynchronisation
    moves = position.moves if is_whole else ()
    session = session.ending(position.result, "reply", moves=moves, we_started=position.we_started)
    return wanted(replace(session, last_end=position.board, belief=(NO_GAME,)), at)


def _reconciled(session: Session, truth: Hypothesis) -> Session:
    """Return the session after one of several hypotheses proved true: it learns whether the request was processed."""
    lost_request = session.lost_request
    if lost_request is not None and truth.playing != EMPTY:  # a game opened by -1 looks like one that a move started
        was_processed = truth != lost_request.before
        delivery = session.delivery.reconciled(lost_request.kind, lost_request.first_byte_s, was_processed)
        session = replace(session, delivery=delivery)
    text = "The board shows what happened to the requests whose replies were lost."
    return session.noting("reconciled", text, quiet=True)


def _learning(session: Session, position: Position) -> Session:
    """Return the session with the bot's answers that ``position`` shows added to the answer book."""
    answers, answer = session.answers, position.bot_column
    if answer is not None and (before := answer_shown(position.board, answer)) is not None:
        answers = answers.observe(before, answer)
    lost_request = session.lost_request
    if lost_request is not None and lost_request.before.position is not None:
        answers = _learn_lost(answers, lost_request.before.position, position)
    return replace(session, answers=answers)


def _learn_lost(answers: AnswerBook, known: Position, position: Position) -> AnswerBook:
    """Return the book with the answer to the lost request from ``known``, if ``position`` shows it."""
    start = len(known.moves)
    if position.moves[:start] != known.moves or len(position.moves) < start + 3:
        return answers  # not processed: our second move was made in the same position
    lost, answer = position.moves[start : start + 2]
    return answers.observe(known.board.play(lost), answer)


def _opened(session: Session, reply: MoveReply, at: float) -> Session:
    """Return the session after the reply to -1."""
    try:
        position = opening(reply)
    except ConflictingReplyError as conflict:
        return _unexpected(session, NEW_GAME, reply, conflict, at=at)
    session = replace(_settled_down(session), belief=(Hypothesis(position),), lost_request=None, unopened=0)
    session = _learning(session, position).announcing()
    return wanted(session, at) if session.checks_forfeit and session.base is not None else session


def _unexpected(
    session: Session, move: int, reply: MoveReply, conflict: ConflictingReplyError, *, at: float
) -> Session:
    """Return the session after a reply that fits no hypothesis.

    The explanations in the order in which they are tried: the reply only ends the game; the game had ended unseen and
    the move opened a new one; a retrying proxy sent a request twice, so the board is ahead; the reply is garbled.
    """
    if _only_says_over(session.belief, move, reply):
        return _said_over(session, reply, at)
    fresh = _fresh_game(move, reply)
    if fresh is not None:
        return _began_unseen(session, fresh, at)
    position = shown(reply)
    if position is not None and position.board == session.last_end:
        position = None  # a cache returned the last game's reply
    if position is not None and _is_further(session.belief, move, position):
        return _resynchronised(session, position, conflict, at)
    if session.conflicts < CONFLICTS:
        session = replace(session, conflicts=session.conflicts + 1, lost_replies=session.lost_replies + 1)
        belief = after_lost_reply(session.belief, move, session.answers.likely, 0.5)
        session = replace(session, belief=belief, lost_request=None)
        session = session.noting("conflicting_reply", f"{conflict.message} The reply is not used.")
        return wanted(replace(session, wait_s=0.2), at)
    cannot_be = position is None or (move == NEW_GAME and position.result is not None)
    if position is None or cannot_be or session.adoptions:
        return replace(session, stop=Stop(Reason.REFUSED, conflict.message, KEPT))
    session = _resynchronised(session, position, conflict, at)
    return replace(session, conflicts=CONFLICTS + 1, adoptions=1)  # if another board conflicts, the session stops


def _only_says_over(belief: Belief, move: int, reply: MoveReply) -> bool:
    """Return whether the reply ends the game without showing its last board, as when our move came too late."""
    if move == NEW_GAME or not reply.is_over:
        return False
    if reply.state is None:
        return True
    boards = [item.playing for item in belief]
    boards += [known.play(move) for known in boards if known.board.can_play(move)]
    is_known = any(reply.state == tuple(map(tuple, known.grid)) and not known.board.is_over for known in boards)
    return is_known and reply.result in (LOST, ILLEGAL)


def _said_over(session: Session, reply: MoveReply, at: float) -> Session:
    assert reply.result is not None
    session = _settled_down(session).ending(reply.result, "reply")
    return wanted(replace(session, belief=(NO_GAME,), lost_request=None), at)


def _fresh_game(move: int, reply: MoveReply) -> Position | None:
    """Return the position of a new game that ``move`` has opened; None if it has not."""
    if move == NEW_GAME or reply.state is None:
        return None
    try:
        return after_move(EMPTY, move, reply)
    except ConflictingReplyError:
        return None


def _began_unseen(session: Session, position: Position, at: float) -> Session:
    """Return the session in a new game; the statistics may show how the one before, which ended unseen, ended."""
    session = _learning(replace(_settled_down(session), lost_request=None), position)
    session = replace(session, unseen=session.number, number=session.number + 1, belief=(Hypothesis(position),))
    text = "The game had ended at the server, or the server had lost it; the move opened a new one."
    return wanted(session.noting("silent_start", text).announcing(), at)


def _is_further(belief: Belief, move: int, position: Position) -> bool:
    """Return whether the board is a few discs ahead of the known one, with our disc of ``move``.

    A board that is further ahead, or finished in the reply to -1, is more likely an old reply from a cache.
    """
    if move == NEW_GAME:
        return position.result is None
    return any(
        known.we_started == position.we_started
        and known.board.can_play(move)
        and position.board.ply - known.board.ply <= MOST_DISCS_AHEAD
        and continues(known.board.play(move), position)
        for known in (item.playing for item in belief)
    )


def _resynchronised(session: Session, position: Position, conflict: ConflictingReplyError, at: float) -> Session:
    """Return the session that goes on from the server's board."""
    session = replace(_settled_down(session), belief=(Hypothesis(position),), lost_request=None)
    session = session.noting("resynchronised", f"{conflict.message} The game goes on from the server's board.")
    return _over(session, position, at) if position.result is not None else session


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
        session = replace(session, number=session.number - (move == NEW_GAME))  # nothing was opened
        return replace(session, stop=Stop(Reason.REJECTED, f"The server refuses the key: {said}.", "Check --api-key."))
    full = tuple(item for item in session.belief if not item.playing.board.can_play(move))
    if kind is Refusal.ILLEGAL and (full or reply.result == ILLEGAL):
        return _illegal(session, full, said, at)
    if reply.is_over and move != NEW_GAME:
        return _said_over(session.noting("refused", f"The server refuses the move: {said}."), reply, at)
    idle = tuple(item for item in session.belief if item.position is None)
    if kind is Refusal.NO_GAME and idle:
        session = replace(_settled_down(session), belief=normalised(idle))
        return wanted(concluded(session), at)
    belief = after_lost_reply(session.belief, move, session.answers.likely, PROCESSED_THOUGH_REFUSED)
    session = replace(session, rejections=session.rejections + 1, belief=belief, lost_request=None)
    if session.rejections <= REJECTIONS:
        text = f"The server refuses the {'new game' if move == NEW_GAME else 'move'}: {said}. Trying again."
        session = session.noting("refused", text)
        return wanted(replace(session, wait_s=0.3 * session.rejections), at)
    if kind is not Refusal.NO_GAME:
        what = "a new game" if move == NEW_GAME else "our moves"
        return replace(session, stop=Stop(Reason.REFUSED, f"The server refuses {what}: {said}.", KEPT))
    session = _settled_down(session).noting("server_reset", f"The server no longer knows the game: {said}.")
    session = session.ending(0.0, "server_reset")
    # If the server was wrong, the next -1 forfeits the game: one more loss in the statistics then stops the run.
    return wanted(replace(session, belief=(NO_GAME,), lost_request=None, checks_forfeit=True), at)


def _illegal(session: Session, full: Belief, said: str, at: float) -> Session:
    """Return the session after an illegal move, which lost the game; it can show the lost answer in that column."""
    answers, delivery, lost_request = session.answers, session.delivery, session.lost_request
    if lost_request is not None and full:
        delivery = delivery.reconciled(lost_request.kind, lost_request.first_byte_s, lost_request.before not in full)
        before = lost_request.before.playing
        paths = {item.playing.moves[len(before.moves) :] for item in full}
        if len(paths) == 1 and len(path := paths.pop()) == 2:
            answers = answers.observe(before.board.play(path[0]), path[1])
    session = _settled_down(session).noting("illegal", f"The server refuses the move: {said}.")
    for result in full[0].results if full else ():  # games that had ended before, by the likeliest hypothesis
        session = session.ending(result, "inferred")
        session = replace(session, number=session.number + 1)
    session = replace(session, answers=answers, delivery=delivery).ending(ILLEGAL, "reply")
    return wanted(replace(session, belief=(NO_GAME,), lost_request=None), at)
