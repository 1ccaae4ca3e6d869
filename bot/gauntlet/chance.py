"""What only further questions show: state that is kept between games, and moves drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.game import PlayedGame, format_moves
from bot.gauntlet.arena.games import side_of
from bot.gauntlet.evidence import Seen
from bot.gauntlet.findings import Diagnosis
from bot.gauntlet.positions import Columns
from bot.gauntlet.sight import OPENING, SEEN_AFTER, Answers, SightPosition, SightQuestion, StateQuestion

_AT_ONCE = 6
"""Positions that a new process is asked: few, since each is a game of its own."""
_HISTORY = 6
"""Games that a process has played before it is asked, in pairs of beginners; a slow agent plays only two."""
_BUDGET_S = 20.0
"""Time that the agent's own moves of one kind of question may take, seconds."""
_SEEDS = 4
_FEWEST = 3
"""Fewest positions that prove something."""


def failed_in(answers: Answers) -> list[SightPosition]:
    """Return some positions in which any search of two plies is right, and the agent was not.

    An agent may keep something by the number of the move. So no two of them have equally many discs, lest it goes from
    one to the other; and they have few, as all games had.
    """
    failed = {}
    for question, found in answers.items():
        position = question.position
        if found["column"] not in position.right and SEEN_AFTER.get(position.kind, 0) < 3:
            failed[len(position.columns)] = position
    return [failed[discs] for discs in sorted(failed)][:_AT_ONCE]


def state_tasks(
    agent: str, failed: Sequence[SightPosition], games: Sequence[PlayedGame], mean_s: float
) -> dict[str, StateQuestion]:
    """Return these positions for two new processes, and for two that have played some games; none if it is slow."""
    asked = tuple(each.columns for each in failed)
    count = 2 if mean_s > _BUDGET_S / 100 else _HISTORY
    found: list[StateQuestion] = []
    for number in (0, 1):
        history = []
        for game in games[number * count : (number + 1) * count]:
            plies = range(side_of(agent, game), len(game.moves), 2)
            history.append(tuple([game.moves[:ply] for ply in plies]))
        found += [StateQuestion(agent, each, asked, number) for each in (tuple(filter(None, history)), ())]
    moves = 4 * len(asked) + sum(len(game) for each in found for game in each.history)
    if sum(bool(each.history) for each in found) < 2 or moves * mean_s > _BUDGET_S:
        return {}
    return {f"{len(each.history)} {each.number} {' '.join(map(format_moves, each.asked))}": each for each in found}


def state_finding(
    failed: Sequence[SightPosition], asked: Mapping[str, StateQuestion], found: Mapping[str, Sequence[int | None]]
) -> Iterator[Diagnosis]:
    """Yield what is wrong where new processes are right, and those that have played other games are not."""
    if len(found) < len(asked):
        return  # only all of them together say something
    new: list[Sequence[int | None]] = []
    used: list[Sequence[int | None]] = []
    for name, columns in found.items():
        (used if asked[name].history else new).append(columns)
    cases: list[Seen] = []
    better = 0
    for position, *replies in zip(failed, zip(*new, strict=True), zip(*used, strict=True), strict=False):
        fresh, later = map(set, replies)
        if fresh <= {*position.right} and later.isdisjoint(position.right):
            column = next((column for column in later if column is not None), None)
            cases.append(Seen(position.kind, position.columns, column, position.right))
        better += later <= {*position.right} and fresh.isdisjoint(position.right)
    if len(cases) >= _FEWEST and 2 * len(cases) >= len(failed) and better * 3 <= len(cases):
        text = (
            f"It keeps state between games: a new process is right in {len(cases)} positions in which one that has "
            "played other games is wrong. Look for variables that no new game resets."
        )
        yield Diagnosis("state kept between games", text, cases, is_general=True)


def mistakes(seen: Sequence[Seen], lost: Sequence[Seen]) -> list[Seen]:
    """Return as many positions in which something was overlooked as games were lost in, the easiest ones first."""
    overlooked = [each for each in seen if not each.games and each.is_missed]
    easy = sorted(overlooked, key=lambda each: SEEN_AFTER[each.kind] > 2)
    return [*easy[:_SEEDS], *lost[:_SEEDS]]


def questions(agent: str, wrong: Sequence[Seen], mean_s: float) -> dict[str, SightQuestion]:
    """Return the positions of mistakes, each for several seeds; fewer for a slow agent."""
    most = int(_BUDGET_S / _SEEDS / max(mean_s, 1e-6))
    found = {}
    for moves in [case.moves for case in wrong][:most]:
        for number in range(_SEEDS):
            found[f"{moves} {number}"] = SightQuestion(agent, SightPosition(OPENING, moves), number)
    return found


def random_finding(
    asked: Mapping[str, SightQuestion], found: Mapping[str, Mapping[str, Any]], wrong: Sequence[Seen]
) -> Iterator[Diagnosis]:
    """Yield what is wrong where mistakes are drawn: other seeds play right columns."""
    columns: dict[Columns, set[int]] = {}
    for name, reply in found.items():
        if not reply["error"]:
            columns.setdefault(asked[name].position.columns, set()).add(reply["column"])
    total = len(columns)
    cases = [case for case in wrong if columns.pop(case.moves, set()) & set(case.right)]
    if len(cases) >= _FEWEST and 2 * len(cases) >= total:
        text = (
            f"Chance decides: in {len(cases)} of {total} positions in which it made a mistake, other seeds play a "
            "right column. Random ties between moves that are not equal do that, and too few random games."
        )
        yield Diagnosis("random moves", text, cases, is_general=True)
