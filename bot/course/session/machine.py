"""``step(session, event) -> session, command``: the whole session as one pure function.

`bot/course/session/README.md` has the table of events and transitions. The caller performs the command and passes its
outcome as the next event. A journal's records, passed as events in their order, restore the session of the run.
"""

from __future__ import annotations

from dataclasses import replace

from bot.course.protocol import NEW_GAME
from bot.course.session.answers import CRASHED_AFTER_SENDING, CRASHED_BEFORE_SENDING
from bot.course.session.belief import NO_GAME, after_lost_reply
from bot.course.session.events import (
    Choose,
    Chosen,
    Command,
    Counted,
    Delivery,
    Event,
    Failed,
    Open,
    ReadStatistics,
    Reason,
    Replied,
    Send,
    Sent,
    Started,
    Stop,
    Wait,
)
from bot.course.session.replies import KEPT, refused, understood
from bot.course.session.state import LostRequest, Pending, Session
from bot.course.session.statistics import concluded, counted, wanted

UNOPENED = 6
"""Requests for a new game in a row that opened none, after which the session stops."""
UNKNOWN_FORM = {"bad reply": 2, "not json": 2, "trailing bytes": 2, "empty": 1}
"""Kinds of failure in which a whole reply arrived that cannot be read, which is hardly the network's fault. An empty
one counts half."""
BLIND = 4
"""Sum of such replies in a row at which the session stops, because all its moves would be blind."""
LOST_IN_ROW = 6
"""Replies to /move lost in a row, while the statistics can be read and before any reply could, at which the session
stops: the network works, so further blind moves would lose the game."""
_FORM = "If the address given as --server is right, send the bundle of `bot play --careful` to a maintainer."


def step(session: Session, event: Event) -> tuple[Session, Command | None]:
    """Return the session after ``event`` and what to do next; None after `Sent`, which another event follows."""
    session = replace(session, news=())
    at = event.at
    match event:
        case Started():
            session = _started(session, event)
        case Chosen(move=move):
            number = session.number + (move == NEW_GAME)
            clock = session.clock.recorded(event.record_s)
            checks = session.checks_forfeit and move == NEW_GAME  # later losses have other causes
            session = replace(session, pending=Pending(move), number=number, clock=clock, checks_forfeit=checks)
            return session, Send(move)
        case Sent():
            if session.pending is not None:
                session = replace(session, pending=replace(session.pending, is_sent=True))
            return session, None
        case Replied():
            session = _replied(session, event)
        case Failed():
            session = _failed(session, event)
        case Counted():
            session = counted(session, event)
        case _:
            session = replace(session, wait_s=0.0)
    if session.reading is None and session.is_idle and session.belief != (NO_GAME,):
        session = wanted(concluded(session), at)
    session = _circuit_breaker(session)
    return session, _next(session, at)


def _circuit_breaker(session: Session) -> Session:
    """Stop the session before a misunderstanding loses one game after another."""
    if session.stop is not None or (session.bad_games < session.most_bad_games and session.unopened < UNOPENED):
        return session
    message = "The server refuses, loses or forfeits one game after another."
    if session.unopened >= UNOPENED:
        message = f"The server has not opened a game after {session.unopened} requests."
    hint = "Play one game with --careful and send the bundle to a maintainer."
    return replace(session, stop=Stop(Reason.REFUSED, message, hint))


def _next(session: Session, at: float) -> Command:
    if session.stop is not None:
        return session.stop
    if session.is_idle and session.played >= session.games:
        return Stop(Reason.FINISHED)
    if session.wait_s > 0:
        return Wait(session.wait_s)
    if session.reading is not None:
        return ReadStatistics(session.reading.patience_s)
    return Open(session.number + 1) if session.is_idle else Choose(session.belief, session.clock.left_s(at))


def _started(session: Session, event: Started) -> Session:
    """Return the session at the start of a run; in a resumed one, a crash may have interrupted the last request."""
    pending = session.pending
    session = replace(
        session,
        games=event.games,
        played=0,
        pending=None,
        clock=session.clock.start(event.at),
        reading=None,
        wait_s=0.0,
        rereads=0,
        unanswered=0,
        trouble_since=None,
        attempts=0,
        has_answered=False,
        has_read=False,
        conflicts=0,
        adoptions=0,
        rejections=0,
        bad_games=0,
        unopened=0,
        lost_replies=0,
        rise=None,
        stop=None,
    )
    if pending is not None:
        kind = CRASHED_AFTER_SENDING if pending.is_sent else CRASHED_BEFORE_SENDING
        session = _lost(session, pending.move, kind, None)
    # A known running game continues with a move: its reply shows the board, whatever happened meanwhile.
    return session if session.position is not None and session.unseen is None else wanted(session, event.at)


def _lost(
    session: Session, move: int, kind: str, first_byte_s: float | None, delivered: float | None = None
) -> Session:
    """Return the session after the reply to ``move`` was lost: with more hypotheses."""
    if delivered is None:
        delivered = session.delivery.processed(kind, first_byte_s)
    is_known = len(session.belief) == 1 and 0 < delivered < 1
    return replace(
        session,
        belief=after_lost_reply(session.belief, move, session.answers.likely, delivered),
        lost_request=LostRequest(session.belief[0], kind, first_byte_s) if is_known else None,
        rise=None,
        lost_replies=session.lost_replies + 1,
    )


def _replied(session: Session, event: Replied) -> Session:
    pending, reply = session.pending, event.reply
    if pending is None:
        return session
    session = replace(
        session,
        pending=None,
        has_answered=True,
        unknown_forms=0,
        has_read=True,
        lost_in_row=0,
        clock=session.clock.replied(event.at, reply.latency_s, reply.body_s),
        delivery=session.delivery.replied(reply.first_byte_s),
    )
    return (understood if reply.status else refused)(session, pending.move, reply, event.at)


def _failed(session: Session, event: Failed) -> Session:
    pending = session.pending
    if pending is None:
        return session
    session = replace(session, pending=None)
    if event.delivery is not Delivery.UNKNOWN and pending.move == NEW_GAME:
        session = replace(session, number=session.number - 1)  # nothing was opened
    if event.delivery is Delivery.REJECTED:
        return replace(session, stop=Stop(Reason.REJECTED, event.message, event.hint))
    since = event.at if session.trouble_since is None else session.trouble_since
    was_late = session.clock.is_late(event.at)
    has_answered = session.has_answered
    if event.delivery is Delivery.UNKNOWN:
        session = _lost(session, pending.move, event.kind, event.first_byte_s, event.delivered)
        session = session.noting("reply_lost", f"{event.message} The server may or may not have received the move.")
        is_blind = session.base is not None and (event.delivered is None or event.delivered >= 0.5)
        session = replace(
            session,
            has_answered=True,
            lost_in_row=session.lost_in_row + is_blind,
            clock=session.clock.lost(event.at),
        )
    forms = session.unknown_forms + UNKNOWN_FORM.get(event.kind, 0)
    session = replace(session, trouble_since=since, attempts=session.attempts + 1, unknown_forms=forms)
    if (stop := _given_up(session, event, is_wrong_address=event.kind == "redirect" and not has_answered)) is not None:
        return replace(session, stop=stop)
    session = replace(session, wait_s=_pause_s(session, event))
    is_doubtful = len(session.belief) > 1 or (was_late and not session.is_idle)
    return wanted(session, event.at) if is_doubtful and session.base is not None else session


def _given_up(session: Session, event: Failed, *, is_wrong_address: bool) -> Stop | None:
    """Return the end of the run if another attempt would hardly help, None if one is to be made."""
    resume = "" if session.is_idle else KEPT
    if event.kind in UNKNOWN_FORM and session.unknown_forms >= BLIND:
        return Stop(Reason.REFUSED, event.message, f"{_FORM} {resume}".rstrip())
    if is_wrong_address:
        return Stop(Reason.REFUSED, event.message, f"{event.hint} {resume}".rstrip())
    if event.delivery is Delivery.UNKNOWN and session.lost_in_row >= LOST_IN_ROW and not session.has_read:
        message = f"{event.message} The statistics can be read, but the last {session.lost_in_row} replies were lost."
        return Stop(Reason.NETWORK, message, resume or event.hint)
    assert session.trouble_since is not None
    if event.at - session.trouble_since >= session.endurance_s:
        hint = f"{event.hint} {resume}".rstrip() if event.kind == "redirect" else resume or event.hint
        return Stop(Reason.NETWORK, event.message, hint)
    return None


def _pause_s(session: Session, event: Failed) -> float:
    """Return the seconds to wait before the next request: the server's Retry-After if the move clock allows it."""
    again_at_once = event.delivery is Delivery.UNKNOWN and session.attempts == 1
    pause_s = 0.0 if again_at_once else min(2.0, 0.05 * 2 ** min(session.attempts, 10))
    spare_s = max(0.0, session.clock.left_s(event.at) - 1.0)
    wish_s = event.retry_after_s if session.is_idle else min(event.retry_after_s, spare_s)
    return max(pause_s, wish_s)
