"""Why did it lose? The mistake that lost each game, and its proven reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.engine.score import plies_to_end, sign
from bot.game import Board, parse_moves
from bot.game.notation import column_name, with_count
from bot.gauntlet.evidence import Evidence, Seen
from bot.gauntlet.findings import DEPTH, DIFFERENT, Diagnosis, Loss, sight_of
from bot.gauntlet.positions import Columns
from bot.gauntlet.sight import OPENING

if TYPE_CHECKING:
    from bot.engine.review import Review
    from bot.learn.coach.reason import Lesson

_UNLIMITED_S = 1e9
_FAR = 12
"""Plies that a search in Python reaches in the time of a move; beyond them, more depth is no advice."""
_FEW_POSITIONS = 6
"""Positions of a finding that the page lists: those of lost games come first."""


@dataclass(frozen=True)
class LostGame:
    """A game that an agent lost."""

    moves: Columns
    side: int
    """0 where the agent started, else 1."""
    forfeit: str = ""


def explain(game: LostGame) -> Loss:
    """Return the mistake that lost a game, with its reason.

    It is the plainest one: the first key moment that could be seen at most five plies ahead and avoided, and that the
    game never recovered from. Where there is none, it is the move after which exact play loses, and loses to the end.

    Fields: ``ply`` (discs before the move; None where every position was lost), ``column``, ``right`` (the columns that
    keep the outcome), ``text``, ``reason``, ``line`` (the proof, from ``ply`` on), ``name`` (the kind of mistake) and
    ``plies`` (those after which a search sees that the move loses).
    """
    from bot.engine.review import review
    from bot.engine.shared import ready_analyst
    from bot.learn.coach.coach import Coach

    found: Loss = {"ply": None, "column": None, "right": [], "line": [], "reason": ""}
    if game.forfeit:
        return found | {"name": "forfeit", "text": game.forfeit, "ply": len(game.moves)}
    analyst = ready_analyst()
    coach = Coach(analyst)
    reviewed = review(game.moves, analyst, _UNLIMITED_S)
    taught = coach.game(game.moves, reviewed)
    lessons = {lesson.ply: lesson for lesson in taught.lessons}
    better = [ply for ply in range(game.side, len(game.moves), 2) if (reviewed.positions[ply] or 0) >= 0]
    since = max(better, default=0)
    for ply in taught.moments[game.side]:
        lesson = lessons[ply]
        if lesson.is_visible and not lesson.only_delays and ply >= since:
            return found | _told(lesson, lesson.right, reviewed)
    if not better:
        return found | {"name": "lost from the start", "text": "Every position was lost."}
    board = Board.from_moves(game.moves[:since])
    scores = {
        column: each.score for column, each in enumerate(analyst.columns(board)) if each and each.score is not None
    }
    best = max(scores.values())
    proven = coach.lesson(board, game.moves[since], scores=(best, -scores[game.moves[since]]), lines=False)
    assert proven is not None, "without a deadline there is a lesson"
    right = [column for column, score in scores.items() if sign(score) == sign(best)]
    return found | _told(proven, right, reviewed)


def _told(lesson: Lesson, right: Sequence[int], reviewed: Review) -> Loss:
    """Return what the coach says of a mistake, and after how many plies a search sees that it loses."""
    after = reviewed.positions[lesson.ply + 1]
    assert after is not None, "without a deadline there is a score"
    found: Loss = {"ply": lesson.ply, "column": lesson.column, "text": lesson.text, "right": [*right]}
    found |= {"name": lesson.name or "seen by exact play alone", "plies": 1 + plies_to_end(after, lesson.ply + 1)}
    if lesson.reasons:
        reason = lesson.reasons[0]
        found |= {"reason": reason.text, "line": list(reason.line)}
        found["name"] = lesson.name or f"{reason.kind.value}, some moves later"
    return found


def groups_of(losses: Sequence[Loss]) -> list[dict[str, Any]]:
    """Return the groups of losses by the kind of mistake, the largest first: a sentence, and the games' numbers."""
    numbers: dict[str, list[int]] = {}
    for number, loss in enumerate(losses):
        numbers.setdefault(loss["name"], []).append(number)
    ordered = sorted(numbers.items(), key=lambda group: -len(group[1]))
    return [{"games": games, "text": f"{len(games)} of {len(losses)}: {name}."} for name, games in ordered]


def listed(losses: Sequence[Loss], groups: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the lost games as the page lists them: by their groups, and those of one mistake once."""
    games: dict[str, list[Loss]] = {}
    numbers: list[dict[str, Any]] = []
    for group in groups:
        known = len(games)
        for loss in (losses[number] for number in group["games"]):
            games.setdefault(loss["moves"][: loss["ply"]], []).append(loss)
        numbers.append(group | {"games": [*range(known, len(games))]})
    shown = []
    for number, (first, *others) in enumerate(games.values(), start=1):
        where = "from the start" if first["ply"] is None else f"move {first['ply'] + 1}"
        title = f"Lost game {number} of {len(games)} \u00b7 {where}"
        shown.append(first | {"title": title, "called": f"{number}. {where}, {with_count(len(others) + 1, 'game')}"})
    return {"lost": len(losses), "losses": shown, "groups": numbers}


def shown_positions(positions: Sequence[dict[str, Any]]) -> list[Loss]:
    """Return the first positions of a finding, each once, in the form of lost games."""
    different = [*{each["moves"]: each for each in positions}.values()][:_FEW_POSITIONS]
    shown = []
    for number, each in enumerate(different, start=1):
        ply, column, right = len(each["moves"]), each["column"], each["right"]
        played = "makes no legal move" if column is None else f"plays column {column_name(column)}"
        better = ", ".join(map(column_name, right))
        title = f"Position {number} of {len(different)}: your agent {played}."
        if right:
            title += f" Right: column{'s' if len(right) > 1 else ''} {better}."
        said = {"title": title, "called": f"Position {number}", "text": "", "reason": "", "line": []}
        place = {"moves": each["moves"], "ply": ply, "column": column, "right": right, "starts": ply % 2 == 0}
        shown.append(said | place)
    return shown


def mistakes_of(losses: Sequence[Loss]) -> list[Seen]:
    """Return the positions and the moves of the mistakes, where there is a single one."""
    found = []
    for loss in losses:
        if loss["column"] is not None:
            moves = parse_moves(loss["moves"])[: loss["ply"]]
            found.append(Seen(OPENING, moves, loss["column"], tuple(loss["right"])))
    return found


def ranked(found: Sequence[Diagnosis], evidence: Evidence, lost: Sequence[Loss]) -> list[Diagnosis]:
    """Return what is wrong, what explains most of the lost games first; what no slip explains is a matter of depth."""
    slips = [each for each in found if each.name != DEPTH]
    depth = [each for each in found if each.name == DEPTH]
    known = {moves for each in slips for moves in each.explained(lost)}
    left = [loss for loss in lost if loss["moves"][: loss["ply"]] not in known]
    if all(len(left) > len(each.explained(lost)) for each in slips):
        slips += _depth(depth, evidence, left)
    ordered = sorted(slips, key=lambda each: -len(each.explained(lost)))
    return [*ordered[:1], *(each for each in ordered[1:] if not each.follows_from(ordered[0]))]


def _depth(known: Sequence[Diagnosis], evidence: Evidence, lost: Sequence[Loss]) -> Iterator[Diagnosis]:
    """Yield how far it sees, and how far a search has to see for the mistakes that lost these games."""
    mistakes = mistakes_of(lost)
    text = known[0].text if known else sight_of(evidence)
    if mistakes:
        *before, last = sorted({len(case.moves) + 1 for case in mistakes})
        moves = f"moves {', '.join(map(str, before))} and {last}" if before else f"move {last}"
        text = f"{text} What lost {with_count(len(mistakes), DIFFERENT)} was played at {moves}.".lstrip()
        plies = sorted(loss["plies"] for loss in lost if "plies" in loss)
        near = [each for each in plies if each <= _FAR]
        for depth in sorted({*near[len(near) // 2 :][:1], *near[-1:]}):
            text += f" A search of {depth} plies sees {sum(each <= depth for each in near)} of {len(plies)}."
        if far := len(plies) - len(near):
            text += f" For {far} of {len(plies)} it takes more than {_FAR} plies: a better evaluation helps."
    if mistakes or known:
        yield Diagnosis(DEPTH, text, [*mistakes, *(case for each in known for case in each.cases)])
