"""What only further questions show: state that is kept between games, moves drawn at random, one side that loses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb
from typing import Any

from bot.game import parse_moves
from bot.gauntlet.arena.games import PlayedPairing
from bot.gauntlet.evidence import Seen
from bot.gauntlet.findings import CHANCE, Diagnosis
from bot.gauntlet.losses import Loss, plainest, position_of
from bot.gauntlet.passing import Passing
from bot.gauntlet.positions import Columns
from bot.gauntlet.sight import OPENING, SEEN_AFTER, SightPosition, SightQuestion, StateQuestion, sight_positions

_AT_ONCE = 4
"""Positions that a new process is asked: few, since each is a game of its own."""
_HISTORY = 3
"""Games that a process has played before it is asked; a slow agent plays only one."""
_BUDGET_S = 20.0
"""Time that the agent's own moves of one kind of question may take, seconds."""
_SEEDS = 4


def _tested() -> list[SightPosition]:
    seen = [each for each in sight_positions() if SEEN_AFTER.get(each.kind, 9) < 3]
    return seen[: 3 * _AT_ONCE]


def state_tasks(agent: str, games: Sequence[PlayedPairing], mean_s: float) -> dict[str, StateQuestion]:
    """Return the questions to new processes, and to two that have played some of these games; none if it is slow."""
    asked = tuple(each.columns for each in _tested())
    histories: list[tuple[tuple[Columns, ...], ...]] = []
    is_slow = mean_s > _BUDGET_S / 100
    count = 1 if is_slow else _HISTORY
    for first in (0, count):
        history = []
        for pairing, played in games[first : first + count]:
            plies = range(int(pairing.first != agent), len(played.moves), 2)
            history.append(tuple(played.moves[:ply] for ply in plies))
        histories.append(tuple(filter(None, history)))
    moves = 3 * len(asked) + sum(len(game) for history in histories for game in history)
    if not all(histories) or moves * mean_s > _BUDGET_S:
        return {}
    found = {
        f"new {first}": StateQuestion(agent, (), asked[first : first + _AT_ONCE]) for first in range(0, 12, _AT_ONCE)
    }
    return {f"used {number}": StateQuestion(agent, one, asked) for number, one in enumerate(histories)} | found


def state_finding(found: Mapping[str, Sequence[int | None]]) -> Iterator[Diagnosis]:
    """Yield what is wrong where a process plays right at first, and wrong after other games."""
    if len(found) < 5:
        return
    fresh = [column for name in sorted(found) if name.startswith("new") for column in found[name]]
    positions = _tested()
    right = [column in position.right for column, position in zip(fresh, positions, strict=True)]
    used = list(zip(found["used 0"], found["used 1"], strict=True))
    kept = [not {*columns}.isdisjoint(each.right) for columns, each in zip(used, positions, strict=True)]
    worse = [n for n, is_right in enumerate(right) if is_right and not kept[n]]
    better = [n for n, is_right in enumerate(right) if not is_right and {*used[n]} <= {*positions[n].right}]
    if len(worse) < 3 or len(better) * 3 > len(worse):
        return
    cases = []
    for n in worse:
        column = found["used 0"][n]
        cases.append(
            Seen(positions[n].kind, positions[n].columns, -1 if column is None else column, positions[n].right)
        )
    text = (
        f"It keeps state between games: a new process answers {sum(right)} of {len(right)} positions rightly, one that "
        f"has played other games fails in {len(worse)} of them. Look for variables that no new game resets."
    )
    yield Diagnosis("state kept between games", text, cases)


def questions(agent: str, lost: Sequence[Loss], mean_s: float) -> dict[str, SightQuestion]:
    """Return the positions in which games were lost, each for several seeds; fewer for a slow agent."""
    most = min(8, int(_BUDGET_S / _SEEDS / max(mean_s, 1e-6)))
    found = {}
    for loss in [loss for loss in lost if loss["result"] == 0 and plainest(loss)["column"] is not None][:most]:
        moves = position_of(loss["moves"], plainest(loss)["ply"])
        for number in range(_SEEDS):
            found[f"{moves} {number}"] = SightQuestion(agent, SightPosition(OPENING, parse_moves(moves)), number)
    return found


def random_finding(
    asked: Mapping[str, SightQuestion], found: Mapping[str, Mapping[str, Any]], lost: Sequence[Loss]
) -> Iterator[Diagnosis]:
    """Yield what is wrong where the moves that lost are drawn: other seeds play right ones."""
    columns: dict[Columns, set[int]] = {}
    for name, reply in found.items():
        if not reply["error"]:
            columns.setdefault(asked[name].position.columns, set()).add(reply["column"])
    cases = []
    for loss in lost:
        at = plainest(loss)
        moves = parse_moves(loss["moves"])[: at["ply"] or 0]
        if columns.pop(moves, set()) & set(at["right"]):
            cases.append(Seen(OPENING, moves, at["column"], tuple(at["right"])))
    total = len({question.position.columns for question in asked.values()})
    if len(cases) >= 3 and 2 * len(cases) >= total:
        text = (
            f"Chance decides its lost games: in {len(cases)} of {total} positions in which it lost one, other seeds "
            "play a right column. Random ties between moves that are not equal do that, and too few random games."
        )
        yield Diagnosis("random moves", text, cases)


def beginner_finding(passing: Passing) -> Iterator[Diagnosis]:
    """Yield that the agent loses with one side only."""
    own, other = passing.by_beginner.values()
    for who, one, rest in (("it begins", own, other), (f"{passing.bot.name} begins", other, own)):
        total, size = sum(one.values()), sum(rest.values())
        if not total or not size or one["lost"] < 0.9 * total or rest["lost"] > 0.3 * size:
            continue
        lost = one["lost"] + rest["lost"]
        likely = comb(total, one["lost"]) * comb(size, rest["lost"]) / comb(total + size, lost)
        if likely < CHANCE or (passing.is_certain and total):
            never = "It never wins" if not one["won"] else "It loses"
            text = f"{never} when {who}: lost {one['lost']} of {total}; otherwise lost {rest['lost']} of {size}."
            yield Diagnosis("one side", text)
