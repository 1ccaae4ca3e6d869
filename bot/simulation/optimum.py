"""Compare the policy with the best possible play against a known deterministic bot over a known network.

If both are known, deciding under lost replies is a finite game against chance. Each reply is lost with the same
probability, half of them before the server has processed the request, at most `LONGEST` in a row. A received reply
shows the board. Between two received replies the client knows only a mixture of boards, and one column has to serve all
of them. The statistics show whether the game has ended. The value is the probability of not losing the game.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.game import CENTRE_FIRST, Board
from bot.lab.arena.workers import run_tasks
from bot.session.answers import AnswerBook
from bot.session.belief import Belief, Hypothesis, after_lost_reply, normalised
from bot.session.policy import Plan, choose
from bot.session.position import Position
from bot.simulation.campaign import answers_of, seed_of
from bot.simulation.chooser import Policy, SimulationChooser, chooser_of
from bot.simulation.faults import FaultRates
from bot.simulation.known_bot import Game, Mixture, knowing, looks_at_last_move
from bot.simulation.opponents.roster import bot_called
from bot.simulation.series import play_series

SAMPLED_PLIES = (20, 21, 22, 23, 24, 25)
"""Plies of the sampled positions, with us to move: late enough for an exact solution in seconds."""
HARDLY = 1e-12
"""Least difference between the optimum and the policy that the search has to find, probability."""


@dataclass(slots=True)
class Optimum:
    """The best possible value, by depth-first search with a lower bound that cuts branches off."""

    game: Game
    boards: dict[Board, tuple[float, float]] = field(default_factory=dict)
    """Bounds of the value by board."""
    mixtures: dict[tuple[Mixture, int], tuple[float, float]] = field(default_factory=dict)

    def value(self, board: Board, least: float = -1.0) -> float:
        """Return the value of a known board if it exceeds ``least``, else an upper bound that does not."""
        low, high = self.boards.get(board, (0.0, 1.0))
        if low == high or high <= least:
            return high
        best = 0.0
        for column in CENTRE_FIRST:
            if board.can_play(column):
                best = max(best, self._column(board, column, max(best, least)))
                if best >= 1.0:
                    break
        self.boards[board] = (best, best) if best > least else (0.0, best)
        return best

    def _column(self, board: Board, column: int, least: float) -> float:
        """Return the value of ``column`` if it exceeds ``least``, else an upper bound that does not."""
        rate, following = self.game.rate, self.game.after(board, column)
        received = self.value(following, (least - rate) / (1 - rate)) if isinstance(following, Board) else following
        bound = (1 - rate) * received
        if bound + rate <= least:
            return bound + rate
        saved, mixture = self.game.lost(((board, 1.0),), column)
        return bound + rate * (saved + self._mixture(mixture, 1, (least - bound) / rate - saved))

    def _mixture(self, mixture: Mixture, losses: int, least: float) -> float:
        """Return the value of a mixture, unless it does not exceed ``least``: then an upper bound."""
        key = (mixture, losses)
        low, high = self.mixtures.get(key, (0.0, sum(weight for _, weight in mixture)))
        if low == high or high <= least:
            return high
        whole, best = high, 0.0
        for column in CENTRE_FIRST:
            if any(board.can_play(column) for board, _ in mixture):
                best = max(best, self._mixture_column(mixture, column, losses, max(best, least)))
                if best >= whole:
                    break
        self.mixtures[key] = (best, best) if best > least else (0.0, best)
        return best

    def _mixture_column(self, mixture: Mixture, column: int, losses: int, least: float) -> float:
        rate = self.game.loses(losses)
        bound = sum(weight for _, weight in mixture)
        for board, weight in mixture:
            share = weight * (1 - rate)
            following = self.game.after(board, column)
            if isinstance(following, Board):
                following = self.value(following, 1 - (bound - least) / share)
            bound -= share * (1 - following)
            if bound <= least:
                return bound
        if rate == 0:
            return bound
        saved, after = self.game.lost(mixture, column)
        received = bound - rate * sum(weight for _, weight in mixture)
        return received + rate * (saved + self._mixture(after, losses + 1, (least - received) / rate - saved))


@dataclass(slots=True)
class PolicyValue:
    """The value of the policy in the same game, with the decisions of live play."""

    game: Game
    chooser: SimulationChooser
    answers: AnswerBook
    plan: Plan
    boards: dict[Board, tuple[float, float]] = field(default_factory=dict)
    """The value and the expected number of lost replies, by board."""

    @classmethod
    def of(cls, game: Game, policy: Policy) -> PolicyValue:
        """Return the evaluation of a policy that knows every answer of the bot."""
        chooser, answers = chooser_of(policy), knowing(game.answer, policy)
        return cls(game, chooser, answers, chooser.plan(answers))

    def value(self, board: Board) -> tuple[float, float]:
        """Return the value of a known board and the expected number of lost replies from it."""
        if board not in self.boards:
            belief = (Hypothesis(_position(board)),)
            self.boards[board] = self._mixed(((board, 1.0),), belief, 0)
        return self.boards[board]

    def _mixed(self, mixture: Mixture, belief: Belief, losses: int) -> tuple[float, float]:
        """Return value and expected lost replies of a mixture, which the session believes to be ``belief``."""
        column = self._chosen(belief)
        rate = self.game.loses(losses)
        value = lost = 0.0
        for board, weight in mixture:
            following = self.game.after(board, column)
            later = self.value(following) if isinstance(following, Board) else (following, 0.0)
            value += weight * (1 - rate) * later[0]
            lost += weight * (rate + (1 - rate) * later[1])
        if rate > 0:
            saved, after = self.game.lost(mixture, column)
            wider = after_lost_reply(belief, column, self.answers.likely, 0.5)
            running = normalised(item for item in wider if item.position is not None)
            then = self._mixed(after, running, losses + 1)
            value += rate * (saved + then[0])
            lost += rate * then[1]
        return value, lost

    def _chosen(self, belief: Belief) -> int:
        if len(belief) == 1:
            return self.chooser.in_known(belief[0].playing.board, self.plan).column
        return choose(belief, self.chooser.after_loss).column


def _position(board: Board) -> Position:
    return Position(board, we_started=board.ply % 2 == 0)


@dataclass(frozen=True, slots=True)
class OptimumTask:
    """One position against one bot."""

    bot: str
    board: Board
    rate: float


@dataclass(frozen=True, slots=True)
class OptimumResult:
    """The best possible value, the policy's value, and the expected number of lost replies with the policy."""

    task: OptimumTask
    best: float
    policy: float
    lost_replies: float
    boards: int
    """Number of boards that the exact solution examined."""


def tasks_of(bots: Sequence[str], positions: int, *, rate: float, seed: int) -> list[OptimumTask]:
    """Return positions from games over a bad network, divided among the deterministic bots."""
    known = [bot for bot in bots if bot_called(bot).is_deterministic and not looks_at_last_move(bot)]
    return [
        OptimumTask(bot, board, rate)
        for number, bot in enumerate(known)
        for board in _sampled(bot, len(range(number, positions, len(known))), seed)
    ]


def _sampled(bot: str, count: int, seed: int) -> list[Board]:
    """Return ``count`` boards with us to move from games with many lost replies; fewer if there are not enough."""
    boards: dict[Board, None] = {}
    for attempt in range(20):
        if len(boards) >= count:
            break
        outcome = play_series(
            answers_of(bot),
            4,
            rates=FaultRates(lost=0.15),
            seed=seed_of(seed, bot, attempt),
            chooser=chooser_of(Policy()),
        )
        for game in outcome.finished:
            boards |= dict.fromkeys(_late(game.moves, game.we_started))
    chosen = list(boards)
    random.Random(seed_of(seed, bot)).shuffle(chosen)
    return chosen[:count]


def _late(moves: Sequence[int], we_started: bool) -> Iterator[Board]:
    board = Board()
    for column in moves:
        if board.ply in SAMPLED_PLIES and (board.ply % 2 == 0) is we_started:
            yield board
        if not board.can_play(column):
            return
        board = board.play(column)


def run_tasks_of(tasks: Sequence[OptimumTask], workers: int) -> Iterator[OptimumResult]:
    """Yield the results in the order of completion."""
    for _, result in run_tasks(solve, tasks, workers=workers):
        yield result


def solve(task: OptimumTask) -> OptimumResult:
    """Return the best possible value of a position, and the policy's."""
    game = Game(answers_of(task.bot), task.rate)
    ours, lost = PolicyValue.of(game, Policy()).value(task.board)
    optimum = Optimum(game)
    best = max(ours, optimum.value(task.board, ours + HARDLY))
    return OptimumResult(task, best, ours, lost, len(optimum.boards))
