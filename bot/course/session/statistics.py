"""Interpret readings of the server's statistics: evidence only, never a reason to give up a game that may be running.

A reading can lag behind, come from a copy, or count games that were played elsewhere. It is compared with the known
games; if it contradicts them, it is repeated as long as the move clock allows, and then ignored.
"""

from __future__ import annotations

from dataclasses import replace

from bot.course.protocol import DRAWN, ILLEGAL, LOST, WON, Stats
from bot.course.session.belief import NO_GAME, Trust, is_idle, normalised, risen, weigh_by_statistics
from bot.course.session.events import Counted
from bot.course.session.state import Reading, Session

REREADS = 6
"""Maximum number of repeated readings, half a second apart: course servers' caches lag by a second or two."""
REREAD_AFTER_S = 0.5
RESERVE_S = 2.0
"""Time left for the move, seconds, below which no reading is repeated."""
BRIEF_S = 1.0
"""Patience after two failed readings in a row, seconds."""


def wanted(session: Session, at: float) -> Session:
    """Return the session with a reading due next: a brief one while a game may be running."""
    patience_s = None if session.is_idle else max(0.5, min(2.0, session.clock.left_s(at) / 2))
    if session.unanswered >= 2:
        patience_s = BRIEF_S if patience_s is None else min(patience_s, BRIEF_S)
    return replace(session, reading=Reading(patience_s))


def counted(session: Session, event: Counted) -> Session:
    """Return the session after a reading."""
    session = replace(session, reading=None)
    now = event.stats
    if now is None:
        session = replace(session, unanswered=session.unanswered + 1, lost_in_row=0, rereads=0)
        return _unknown_end(session) if session.unseen is not None else session
    session = replace(session, unanswered=0)
    base = session.base
    if base is None:
        session = replace(session, rereads=0)
        known = all(hypothesis.ended == 0 for hypothesis in session.belief)
        session = replace(session, base=now) if known else session
        return _unknown_end(session) if session.unseen is not None else session
    if session.unseen is not None:
        return _end_unseen(session, base, now, event.at)
    if session.belief == (NO_GAME,):
        return _between_games(session, base, now)
    return _in_game(session, base, now, event.at)


def _between_games(session: Session, base: Stats, now: Stats) -> Session:
    """Return the session after a reading while no game is running: it should equal our own count."""
    if now.played == base.played:
        is_prompt = (session.unread > 0 or session.trust.is_prompt) and not session.has_lagged
        trust = Trust(counts_agree=True, is_prompt=is_prompt)
        return replace(session, base=now, rereads=0, unread=0, trust=trust)
    if now.played < base.played:
        session = replace(session, has_lagged=True, trust=replace(session.trust, is_prompt=False))
        if session.rereads < REREADS:
            return _again(session)
        if base.played - now.played <= session.unread:  # counted late: our own count is the better one
            return replace(session, rereads=0)
        text = "The server's statistics count fewer games than before: the server has lost some."
        session = session.noting("statistics_behind", text)
    # The server counts games that this run did not finish: count anew from this reading.
    return replace(session, base=now, rereads=0, unread=0, trust=replace(session.trust, counts_agree=False))


def _in_game(session: Session, base: Stats, now: Stats, at: float) -> Session:
    """Return the session after a reading while a game may be running: it weighs the hypotheses."""
    rise = now.played - base.played
    if session.position is not None:
        return _known_game(session, base, now)
    belief, agrees = weigh_by_statistics(session.belief, base, now, session.trust)
    may_have_ended = any(hypothesis.ended > rise for hypothesis in belief)
    if (not agrees or may_have_ended) and session.rereads < REREADS and session.clock.left_s(at) > RESERVE_S:
        return _again(session)
    session = replace(session, belief=belief, rise=risen(base, now) if agrees and rise > 0 else None, rereads=0)
    if not agrees and rise == 1 and any(item.position and not item.ended for item in belief):
        return _doubted(session, base, now)
    if not agrees and rise < 0:
        session = session.noting("statistics_behind", "The server's statistics count fewer games than before.")
    elif not agrees:
        session = session.noting("statistics_unclear", "The server's statistics fit nothing that can have happened.")
    return concluded(session) if is_idle(belief) and agrees else session


def _known_game(session: Session, base: Stats, now: Stats) -> Session:
    """Return the session after a reading in a known game: one more game counted puts it in doubt until the next board.

    After the first -1 of a run, one more loss means that this -1 has forfeited a game that no journal has.
    """
    session = replace(session, rereads=0)
    if now.played - base.played != 1:
        return replace(session, checks_forfeit=False)
    if session.checks_forfeit:
        session = replace(session, base=now, checks_forfeit=False)
        if now.lost == base.lost:  # an earlier game was counted late
            return replace(session, trust=replace(session.trust, counts_agree=False))
        session = replace(session, bad_games=session.bad_games + 1)
        text = "A game was probably still running at the server; opening this one has ended it as a loss."
        return session.noting("forfeited", text)
    return _doubted(session, base, now)


def _doubted(session: Session, base: Stats, now: Stats) -> Session:
    """Return the session in which the game that ``now`` counts more is the running one with probability one half."""
    running = next(item for item in session.belief if item.position and not item.ended)
    ended = replace(running.end(_result(base, now)), weight=1.0)
    text = "The server's statistics count one more game: the running game may have ended."
    session = replace(session, belief=normalised((*session.belief, ended)), rise=ended.counts)
    return session.noting("statistics_ahead", text)


def _result(base: Stats, now: Stats) -> float:
    """Return the result of the one game that ``now`` counts more than ``base``."""
    if now.won > base.won:
        return WON
    if now.lost == base.lost:
        return DRAWN
    if base.total_reward is None or now.total_reward is None:
        return LOST
    return ILLEGAL if now.total_reward - base.total_reward < LOST else LOST


def _again(session: Session) -> Session:
    return replace(session, reading=Reading(BRIEF_S), wait_s=REREAD_AFTER_S, rereads=session.rereads + 1)


def concluded(session: Session) -> Session:
    """Return the session without a running game, after recording the ends of games of the likeliest hypothesis.

    A game whose -1 turned out not to have opened it ends without a result.
    """
    likeliest = max(session.belief, key=lambda hypothesis: hypothesis.weight)
    known_by = session.known_by(likeliest)
    for index, result in enumerate(likeliest.results or [0.0]):
        session = replace(session, number=session.number + bool(index))
        session = session.ending(result, known_by)
    if not likeliest.ended:
        session = replace(session, bad_games=session.bad_games - 1, unopened=session.unopened + 1)
    return replace(session, belief=(NO_GAME,), lost_request=None, rise=None)


def _end_unseen(session: Session, base: Stats, now: Stats, at: float) -> Session:
    """Return the session after a reading in a new game: the reading may show how the one before ended."""
    rise = now.played - base.played
    if rise <= 0 and session.rereads < REREADS and session.clock.left_s(at) > RESERVE_S:
        return _again(session)
    if rise != 1:
        return _unknown_end(replace(session, base=now if rise > 1 else base))
    number = session.number
    session = replace(session, number=session.unseen or number).ending(_result(base, now), "statistics")
    return replace(session, number=number, unseen=None, rereads=0)


def _unknown_end(session: Session) -> Session:
    number = session.number
    session = replace(session, number=session.unseen or number)
    return replace(session.ending(0.0, "unknown"), number=number, unseen=None, rereads=0)
