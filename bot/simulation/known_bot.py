"""A deterministic bot whose every answer is known, and a network that loses replies with a known probability."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from bot.game import Board
from bot.session.answers import AnswerBook
from bot.simulation.campaign import answers_of
from bot.simulation.chooser import Policy
from bot.simulation.server import Answer

LONGEST = 3
"""Maximum number of replies lost in a row; the next one arrives."""

Mixture = tuple[tuple[Board, float], ...]
"""Boards that the server may hold, each with its probability; with the rest of the probability the game has ended."""


@dataclass(slots=True)
class Game:
    """The bot's answers and the network."""

    answer: Answer
    rate: float
    """Share of replies lost."""
    known: dict[tuple[Board, int], Board | float] = field(default_factory=dict)

    def after(self, board: Board, column: int) -> Board | float:
        """Return the board after ``column`` and the bot's answer; if the game has ended, 0.0 if we lost, else 1.0."""
        key = (board, column)
        if key not in self.known:
            self.known[key] = self._after(board, column)
        return self.known[key]

    def _after(self, board: Board, column: int) -> Board | float:
        if not board.can_play(column):
            return 0.0
        ours = board.play(column)
        if ours.is_over:
            return 1.0
        answered = ours.play(self.answer(ours, column, 0))
        if answered.has_winner:
            return 0.0
        return 1.0 if answered.is_full else answered

    def lost(self, mixture: Mixture, column: int) -> tuple[float, Mixture]:
        """Return the probability of an end without a loss, and the mixture, after the reply to ``column`` was lost."""
        saved = 0.0
        boards: dict[Board, float] = {}
        for board, weight in mixture:
            following = self.after(board, column)
            if isinstance(following, Board):
                boards[following] = boards.get(following, 0.0) + weight / 2
            else:
                saved += weight / 2 * following
            boards[board] = boards.get(board, 0.0) + weight / 2
        return saved, tuple(sorted(boards.items(), key=lambda item: (item[0].mask, item[0].current)))

    def loses(self, losses: int) -> float:
        """Return the probability that the next reply is lost after ``losses`` lost ones in a row."""
        return self.rate if losses < LONGEST else 0.0


class KnownAnswers(Mapping[Board, tuple[int, ...]]):
    """The memory of a bot whose answer in every position was observed once."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._seen: dict[Board, tuple[int, ...]] = {}

    def __getitem__(self, board: Board) -> tuple[int, ...]:
        if board not in self._seen:
            column = -1 if board.is_over else self._answer(board, -1, 0)
            self._seen[board] = tuple(int(each == column) for each in range(7))
        return self._seen[board]

    def __iter__(self) -> Iterator[Board]:
        return iter(self._seen)

    def __len__(self) -> int:
        return 1 + len(self._seen)  # never empty


def knowing(answer: Answer, policy: Policy) -> AnswerBook:
    """Return the policy's answer book with every answer of the bot, and knowing that the bot repeats itself."""
    seen: Any = KnownAnswers(answer)
    return replace(policy.answers(), seen=seen, repeats=20, repeated=20)


@cache
def looks_at_last_move(bot: str) -> bool:
    """Return whether the bot's answer depends on our last move: then a memory by position is not exact."""
    dice, answer = random.Random(1), answers_of(bot)
    for _ in range(200):
        board = Board()
        while board.ply < dice.randrange(1, 20, 2) and not board.is_over:
            board = board.play(dice.choice(board.legal_columns()))
        if not board.is_over and len({answer(board, last, 0) for last in range(7)}) > 1:
            return True
    return False
