"""Does an agent keep to the rules and the clock, and what does it see at once? 100 positions say so."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bot.agents.games import ask, close, derived_seed, ready_agent
from bot.engine.agent import Limit
from bot.errors import AgentError
from bot.game import Board
from bot.game.board import DIRECTIONS, bits
from bot.lab.positions import Columns
from bot.learn.coach.pattern import defences

COURSE_LIMIT = Limit(hard_s=5.0)
"""The course's time limit of a move."""
DIRECTION_NAMES = dict(zip(DIRECTIONS, ("vertical", "horizontal", "falling diagonal", "rising diagonal"), strict=True))
"""Directions of a four by the distance of its bits; a rising diagonal goes up to the right."""
_OF_EACH = 8
"""Positions with a four to make, and with one to block, of each direction."""
_OTHERS = {"full columns": 12, "one column left": 12, "double threat": 12}


@dataclass(frozen=True)
class RulePosition:
    """A position in which an agent is asked."""

    kind: str
    """"make four", "block four", "double threat", "full columns" or "one column left"."""
    columns: Columns
    right: tuple[int, ...]
    """Columns that are right; all legal ones where the rules are the only question."""
    direction: str = ""
    """Of the four to make or block."""

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.direction


@cache
def rule_positions() -> tuple[RulePosition, ...]:
    """Return the 100 positions, always the same, in an order in which every beginning has all kinds."""
    wanted = Counter(
        {(kind, name): _OF_EACH for kind in ("make four", "block four") for name in DIRECTION_NAMES.values()}
    )
    wanted += Counter({(kind, ""): count for kind, count in _OTHERS.items()})
    found: dict[tuple[str, str], list[RulePosition]] = {key: [] for key in wanted}
    chance = random.Random("gauntlet/rules")
    while sum(map(len, found.values())) < wanted.total():
        game = _random_game(chance)
        ply = chance.choice([len(game) - 1, chance.randrange(6, len(game))])  # late positions are rare
        for position in _kinds(game[:ply]):
            if len(found[position.key]) < wanted[position.key]:
                found[position.key].append(position)
    lists = list(found.values())
    return tuple(each[number] for number in range(max(map(len, lists))) for each in lists if number < len(each))


def _random_game(chance: random.Random) -> Columns:
    board, columns = Board(), list[int]()
    while not board.is_over:
        columns.append(chance.choice(board.legal_columns()))
        board = board.play(columns[-1])
    return tuple(columns)


def _kinds(columns: Columns) -> Iterator[RulePosition]:
    """Yield what a position can be used for."""
    board = Board.from_moves(columns)
    legal = board.legal_columns()
    if len(legal) == 1:
        yield RulePosition("one column left", columns, legal)
        return
    wins = [column for column in legal if board.wins_with(column)]
    passed = Board(board.opponent, board.mask)  # the same discs, with the other side to move
    threats = [column for column in legal if passed.wins_with(column)]
    if len(wins) == 1:
        yield from _with_direction("make four", columns, wins[0], board)
    elif not wins and len(threats) == 1:
        yield from _with_direction("block four", columns, threats[0], passed)
    elif not wins and not threats:
        double = tuple(column for column in legal if defences(board.play(column), 1))
        if double:
            yield RulePosition("double threat", columns, double)
        elif len(legal) < 6:
            yield RulePosition("full columns", columns, legal)


def _with_direction(kind: str, columns: Columns, column: int, board: Board) -> Iterator[RulePosition]:
    directions = directions_of(board.play(column).winning_cells)
    if len(directions) == 1:
        yield RulePosition(kind, columns, (column,), directions.pop())


def directions_of(cells: int) -> set[str]:
    """Return the directions of the fours among these cells, a set of bits."""
    found = set()
    for cell in bits(cells):
        for step, name in DIRECTION_NAMES.items():
            if all(cells & cell << step * number for number in range(4)):
                found.add(name)
    return found


@dataclass(frozen=True)
class RuleQuestion:
    """A position of the rules, for one agent."""

    agent: str
    position: RulePosition


def answer(question: RuleQuestion) -> dict[str, Any]:
    """Return an agent's column, in two new objects with different seeds, its time, its error and its peak memory."""
    board = Board.from_moves(question.position.columns)
    found: dict[str, Any] = {"columns": [], "seconds": 0.0, "error": "", "changed": False, "memory": None}
    for object_number in (1, 2):
        start = time.perf_counter()
        try:
            # of the position, too: from one seed, the first draw would be the same in all positions
            seed = derived_seed("rules", object_number, *question.position.columns)
            agent = ready_agent(question.agent, seed)
            start = time.perf_counter()
            decision = ask(agent, board, COURSE_LIMIT)
        except AgentError as error:
            found["error"] = str(error)
            found["seconds"] = max(found["seconds"], time.perf_counter() - start)
            break
        found["memory"] = memory_of_children()
        close(agent)
        found["columns"].append(decision.column)
        found["changed"] |= decision.changed
        found["seconds"] = max(found["seconds"], decision.seconds)
    return found


def memory_of_children() -> int | None:
    """Return the largest memory, bytes, that a running child of this process has had; None where that is unknown."""
    found: list[int] = []
    for listed in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            for child in listed.read_text().split():
                status = Path(f"/proc/{child}/status").read_text()
                found += [int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")]
    return max(found, default=None)


@dataclass(frozen=True)
class RulesFound:
    """What the answers to the positions say."""

    asked: int
    errors: dict[str, int]
    """How often each error was seen."""
    mean_s: float
    worst_s: float
    memory: int | None
    """Bytes."""
    has_chance: bool
    """Whether equal positions got different moves, or none was answered twice."""
    changed: bool
    """Whether it changed the board that it was given."""
    sight: dict[str, tuple[int, int]]
    """Right answers and questions by what was to be seen."""

    @property
    def failed(self) -> int:
        return sum(self.errors.values())

    @property
    def is_hopeless(self) -> bool:
        """Whether most answers failed, so that games would show nothing else."""
        return 2 * self.failed > self.asked


def judge_rules(positions: Sequence[RulePosition], answers: Sequence[dict[str, Any]]) -> RulesFound:
    """Return what an agent's answers to these positions say."""
    sight: dict[str, tuple[int, int]] = {}
    for position, found in zip(positions, answers, strict=True):
        if position.kind in ("make four", "block four", "double threat"):
            name = f"{position.kind}, {position.direction}" if position.direction else position.kind
            right, asked = sight.get(name, (0, 0))
            is_right = bool(found["columns"]) and found["columns"][0] in position.right
            sight[name] = right + is_right, asked + 1
    twice = [found["columns"] for found in answers if len(found["columns"]) == 2]
    times = [found["seconds"] for found in answers]
    return RulesFound(
        asked=len(answers),
        errors=dict(Counter(found["error"] for found in answers if found["error"]).most_common()),
        mean_s=sum(times) / len(times),
        worst_s=max(times),
        memory=max((found["memory"] for found in answers if found["memory"]), default=None),
        has_chance=not twice or any(one != other for one, other in twice),
        changed=any(found["changed"] for found in answers),
        sight=sight,
    )
