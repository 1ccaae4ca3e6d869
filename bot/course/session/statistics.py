"""Interpret readings of the server's statistics: evidence only, never a reason to give up a game that may be running.

A reading can lag behind, come from a copy, or count games that were played elsewhere. It is compared with the known
games; if it contradicts them, it is repeated as long as the move clock allows, and what still contradicts is noted.
"""

from __future__ import annotations

from dataclasses import replace

from bot.course.protocol import DRAWN, ILLEGAL, LOST, WON, Stats
from bot.course.session.belief import NO_GAME, is_idle, normalised, weigh_by_statistics
from bot.course.session.dialect import confirmed
from bot.course.session.events import Counted, ReadStatistics, Reason
from bot.course.session.state import NOT_OPENED, Session

REREADS = 6
"""Maximum number of repeated readings, half a second apart: course servers' caches lag by a second or two."""
REREAD_AFTER_S = 0.5
RESERVE_S = 2.0
"""Time left for the move, seconds, below which no reading is repeated."""
ELSEWHERE = ("html", "redirect", "not http", "not sent", "certificate", "no tls", "proxy", "address")
"""Kinds of failed readings that, before the first answer in the protocol, show that no course server can be reached."""


def counted(session: Session, command: ReadStatistics, event: Counted) -> Session:
    """Return the session after a reading."""
    now, at = event.stats, event.at
    if now is None:
        return _unread(session, event)
    session = replace(session, in_contact=True)
    if session.base is None and now.played < session.played and command.repeated < REREADS:
        return session.reading(at, after_s=REREAD_AFTER_S, repeated=command.repeated + 1)  # it lags
    if session.base is None:
        known = all(hypothesis.ended == 0 for hypothesis in session.belief)
        session = replace(session, base=now) if known else session
        return _end_unknown(session, at) if session.unseen is not None else session
    session = confirmed(session, session.base, now, at)
    assert session.base is not None
    may_repeat = command.repeated < REREADS and (session.is_idle or session.clock.left_s(at) > RESERVE_S)
    repeated = session.reading(at, after_s=REREAD_AFTER_S, repeated=command.repeated + 1) if may_repeat else None
    if session.unseen is not None:
        return _end_unseen(session, session.base, now, at, repeated)
    if session.belief == (NO_GAME,):
        return _between_games(session, session.base, now, at, repeated)
    if session.position is not None:
        return _doubted(session, session.base, now, at) if now.played - session.base.played == 1 else session
    return _in_doubt(session, session.base, now, at, repeated)


def _unread(session: Session, event: Counted) -> Session:
    """Return the session after a reading that failed: before the first answer of the server, nothing else may leave.

    A request may leave where nothing was sent yet: the server may keep no statistics.
    """
    is_outage = event.kind == "not sent" and session.trouble_since is not None  # it was reached before
    if not session.in_contact and event.kind in ELSEWHERE and not is_outage:
        reason = Reason.NETWORK if event.kind == "not sent" else Reason.REFUSED
        return session.stopping(reason, event.message, event.hint)
    if session.unseen is not None:
        return _end_unknown(session, event.at)
    keeps_none = event.kind == "http 404" and session.trouble_since is None
    if keeps_none and not session.in_contact:
        session = replace(session, lacks_statistics=True)
    if session.in_contact or keeps_none or len(session.belief) == 1:
        return session
    session = session.troubled(event)
    return session if session.agenda else session.reading(event.at, after_s=session.pause_s(event.at))


def _between_games(session: Session, base: Stats, now: Stats, at: float, repeated: Session | None) -> Session:
    """Return the session after a reading while no game is running: it should equal our own count."""
    trust = session.trust
    if now.played == base.played:
        is_prompt = trust.is_prompt if trust.is_prompt is not None or not trust.unread else True
        return replace(session, base=now, trust=replace(trust, counts_agree=True, is_prompt=is_prompt, unread=0))
    if now.played < base.played:
        if repeated is not None:
            return replace(repeated, trust=replace(trust, is_prompt=False))
        if base.played - now.played <= trust.unread:  # counted late: our own count is the better one
            return session
        text = "The server's statistics count fewer games than before: the server has lost some."
        session = session.noting("statistics_behind", text, at=at)
    else:
        is_given_up = session.is_giving_up_now and now.played - base.played == now.lost - base.lost == 1
        session = session.noting("statistics_ahead", _more_games(base, now), at=at, quiet=is_given_up)
    return replace(session, base=now, trust=replace(trust, counts_agree=False, unread=0))


def _more_games(base: Stats, now: Stats) -> str:
    """Return a sentence about games that the server counts and this run has not finished."""
    more, lost = now.played - base.played, now.lost - base.lost
    games = "1 game" if more == 1 else f"{more} games"
    return f"The server counts {games} more than were finished here{f', {lost} of them lost' if lost > 0 else ''}."


def _in_doubt(session: Session, base: Stats, now: Stats, at: float, repeated: Session | None) -> Session:
    """Return the session after a reading while several boards are possible: it weighs the hypotheses."""
    rise = now.played - base.played
    belief, agrees = weigh_by_statistics(session.belief, base, now, session.trust)
    if repeated is not None and (not agrees or any(hypothesis.ended > rise for hypothesis in belief)):
        return repeated
    session = replace(session, belief=belief)
    if not agrees and rise == 1 and any(item.position and not item.ended for item in belief):
        return _doubted(session, base, now, at)
    if not agrees and rise < 0:
        return session.noting("statistics_behind", "The server's statistics count fewer games than before.", at=at)
    if not agrees:
        text = "The server's statistics fit nothing that can have happened."
        return session.noting("statistics_unclear", text, at=at)
    return concluded(session, at, known_by="statistics") if is_idle(belief) else session


def _doubted(session: Session, base: Stats, now: Stats, at: float) -> Session:
    """Return the session in which the game that ``now`` counts more is the running one with probability one half."""
    running = next(item for item in session.belief if item.position and not item.ended)
    ended = replace(running.end(_result(base, now)), weight=1.0, processed=None)
    text = "The server's statistics count one more game: the running game may have ended."
    session = replace(session, belief=normalised((*session.belief, ended)))
    return session.noting("statistics_ahead", text, at=at)


def _result(base: Stats, now: Stats) -> float:
    """Return the result of the one game that ``now`` counts more than ``base``."""
    if now.won > base.won:
        return WON
    if now.lost == base.lost:
        return DRAWN
    if base.total_reward is None or now.total_reward is None:
        return LOST
    return ILLEGAL if now.total_reward - base.total_reward < LOST else LOST


def concluded(session: Session, at: float, known_by: str = "inferred") -> Session:
    """Return the session without a running game, after recording the ends of games of the likeliest hypothesis."""
    session = session.reconciled(session.belief)
    likeliest = max(session.belief, key=lambda hypothesis: hypothesis.weight)
    if not likeliest.ended:
        session = session.noting("not_opened", "The request for a new game has opened none.", at=at, quiet=True)
        session = replace(session, wasted=session.wasted + NOT_OPENED)
    session = session.followed(likeliest.results, known_by, at)
    return replace(session, belief=(NO_GAME,), number=session.number - 1)


def _end_unseen(session: Session, base: Stats, now: Stats, at: float, repeated: Session | None) -> Session:
    """Return the session after a reading in a new game: the reading may show how the one before ended."""
    rise = now.played - base.played
    if rise <= 0 and repeated is not None:
        return repeated
    if rise != 1:
        return _end_unknown(replace(session, base=now if rise > 1 else base), at)
    session = session.ending(_result(base, now), "statistics", at=at, number=session.unseen)
    return replace(session, unseen=None)


def _end_unknown(session: Session, at: float) -> Session:
    return replace(session.ending(0.0, "unknown", at=at, number=session.unseen), unseen=None)
