"""Why did it lose? The move that lost each game, its proven reason, and what the losses have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.agents.games import Played
from bot.engine.score import plies_to_end, sign
from bot.game import Board, format_moves, parse_moves
from bot.game.notation import column_name
from bot.gauntlet.positions import Columns

if TYPE_CHECKING:
    from bot.engine.analysis import Analyst
    from bot.learn.coach.reason import Lesson

_UNLIMITED_S = 1e9
Loss = dict[str, Any]
"""What is said of one game; `explain` has its fields."""


@dataclass(frozen=True)
class LostGame:
    """A game that an agent lost, or that it drew and perhaps had won."""

    moves: Columns
    side: int
    """0 where the agent started, else 1."""
    points: float
    forfeit: str = ""


def explain(game: LostGame) -> Loss | None:
    """Return the move that lost a game, with its reason; None for a drawn game that was never won.

    That move is the first one after which exact play gives the game's result, and gives it to the end: mistakes that
    the opponent returned are left out, but ``first`` is the first move of all that gave a win or a draw away. Fields:
    ``ply`` (discs before the move; None where every position was lost), ``column``, ``right`` (the columns that keep
    the outcome), ``text``, ``reason``, ``line`` (the proof, from ``ply`` on), ``name`` (the kind of mistake), ``needs``
    (plies that a search from ``ply`` has to see). ``plain`` has the same fields of the plainest mistake since then that
    could be seen at most five plies ahead, and avoided; or it is None.
    """
    from bot.engine.review import review
    from bot.engine.shared import ready_analyst
    from bot.learn.coach.coach import Coach

    found: Loss = {"ply": None, "first": None, "column": None, "right": [], "line": [], "reason": "", "plain": None}
    found |= {"needs": None, "name": "lost from the start", "text": "Every position was lost."}
    if game.forfeit:
        return found | {"name": "forfeit", "text": game.forfeit, "ply": len(game.moves)}
    analyst = ready_analyst(book=True, threads=1)
    reviewed = review(game.moves, analyst, _UNLIMITED_S)
    taught = Coach(analyst).game(game.moves, reviewed)
    lessons = {lesson.ply: lesson for lesson in taught.lessons}
    better = [ply for ply in range(game.side, len(game.moves), 2) if _exceeds(reviewed.positions[ply], game.points)]
    if not game.points:
        found["plain"] = _plain([lessons[ply] for ply in taught.moments[game.side]], since=max(better, default=0))
    if not better:
        return None if game.points else found
    first = next(ply for ply, lesson in lessons.items() if ply % 2 == game.side and lesson.verdict.grave)
    return found | {"first": first} | _reason(analyst, game.moves, better[-1])


def _plain(moments: Sequence[Lesson], since: int) -> Loss | None:
    """Return the first key moment that could be seen and avoided, and that the game never recovered from; or None.

    ``since``: discs before the move that lost the game in exact play.
    """
    for lesson in moments:
        if lesson.is_visible and not lesson.only_delays and lesson.ply >= since:
            return _told(lesson) | {"right": list(lesson.right)}
    return None


def _exceeds(score: int | None, points: float) -> bool:
    """Return whether exact play makes more points of a position than the game gave."""
    return score is not None and (sign(score) + 1) / 2 > points


def _reason(analyst: Analyst, moves: Columns, ply: int) -> Loss:
    """Return what is proven of a move that gave the outcome away, reasons included that deep play shows."""
    from bot.learn.coach.coach import Coach

    board = Board.from_moves(moves[:ply])
    scores = [None if each is None else each.score for each in analyst.columns(board)]
    best, played = max(score for score in scores if score is not None), scores[moves[ply]]
    assert played is not None
    lesson = Coach(analyst).lesson(board, moves[ply], scores=(best, -played), lines=False)
    assert lesson is not None, "without a deadline there is a lesson"
    right = [column for column, score in enumerate(scores) if score is not None and sign(score) == sign(best)]
    return {"needs": 1 + plies_to_end(-played, ply + 1)} | _told(lesson) | {"right": right}


def _told(lesson: Lesson) -> Loss:
    """Return what the coach says of a mistake."""
    found: Loss = {"ply": lesson.ply, "column": lesson.column, "text": lesson.text, "reason": "", "line": []}
    found |= {"name": lesson.name or "seen by exact play alone"}
    if lesson.reasons:
        reason = lesson.reasons[0]
        found |= {"reason": reason.text, "line": list(reason.line), "needs": len(reason.line)}
        found["name"] = lesson.name or f"{reason.kind.value} after best play"
    return found


def said_at(game: Played, ply: int | None) -> Loss:
    """Return what the agent said of its search at a ply of its own: depth, score, line, seconds; None where nothing."""
    number = -1 if ply is None else ply - game.opening
    if not 0 <= number < len(game.seconds):
        return {"depth": None, "score": None, "pv": [], "seconds": None}
    said = {"depth": game.depths[number], "score": game.values[number], "pv": list(game.lines[number])}
    return said | {"seconds": game.seconds[number]}


def plainest(loss: Loss) -> Loss:
    """Return the plainest mistake of a lost game that could be seen, or else the move that lost it."""
    found: Loss = loss["plain"] or loss
    return found


def lost_before(loss: Loss) -> str:
    """Return a sentence that says where exact play had lost the game before its plainest mistake; empty if nowhere."""
    if loss["plain"] is None or loss["plain"]["ply"] == loss["ply"]:
        return ""
    if loss["ply"] is None:
        return "In exact play, every position of this game was lost."
    right = ", ".join(map(column_name, loss["right"]))
    move = f"move {loss['ply'] + 1} (column {column_name(loss['column'])})"
    return f"In exact play, {move} had lost the game already; right: {right}."


def groups_of(losses: Sequence[Loss]) -> list[dict[str, Any]]:
    """Return the groups of losses by the kind of mistake, the largest first: a sentence, and the games' numbers."""
    numbers: dict[str, list[int]] = {}
    for number, loss in enumerate(losses):
        numbers.setdefault(plainest(loss)["name"], []).append(number)
    ordered = sorted(numbers.items(), key=lambda group: -len(group[1]))
    groups = []
    for name, games in ordered:
        text = _sentence(name, [plainest(losses[each]) for each in games], len(losses))
        groups.append({"name": name, "count": len(games), "games": games, "text": text})
    return groups


def _sentence(name: str, losses: Sequence[Loss], total: int) -> str:
    """Return "9 of 14: allowed double threat. Your search said it saw 4 plies, this needs 6 plies."."""
    start = f"{len(losses)} of {total}: {name}."
    needs = [loss["needs"] for loss in losses if loss["needs"] is not None]
    if not needs:
        return start
    depths = [loss["depth"] for loss in losses if loss["depth"] is not None]
    if not depths:
        return f"{start} A search has to see {_range(needs)} here; your agent does not say how far it sees."
    text = f"{start} Your search said it saw {_range(depths)}, this needs {_range(needs)}"
    enough = sum(loss["depth"] >= loss["needs"] for loss in losses if loss["depth"] is not None and loss["needs"])
    if enough > len(needs) / 2:
        return f"{text}: deep enough in {enough} of {len(needs)}, so look for the fault in the search or its values."
    return f"{text}: it has to look deeper, or its evaluation must know the threat."


def _range(numbers: Iterable[int]) -> str:
    low, *_, high = sorted([*numbers, *numbers])
    plies = "ply" if high == 1 else "plies"
    return f"{low} {plies}" if low == high else f"{low} to {high} plies"


def position_of(moves: str, ply: int) -> str:
    """Return the moves of a game up to a ply, as columns 1 to 7."""
    return format_moves(parse_moves(moves)[:ply])
