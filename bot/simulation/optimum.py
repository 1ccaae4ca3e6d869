"""How far the policy is from what no client can beat, against a known deterministic bot and a known network.

With both known, deciding under lost replies is a finite game against chance. Each reply is lost with the same
probability, half of them before the server has processed the request; at most `LONGEST` in a row. A received reply
shows the board. Between two received replies the client knows only a mixture of boards, and one column has to do for
all of them. The statistics show whether the game has ended. The value is the probability of not losing the game.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from bot.game import CENTRE_FIRST, Board
from bot.lab.arena.statistics import CONFIDENCE
from bot.lab.arena.workers import run_tasks
from bot.session.answers import AnswerBook
from bot.session.belief import Belief, Hypothesis, after_lost_reply, normalised
from bot.session.policy import Plan, choose
from bot.session.position import Position
from bot.simulation.campaign import answers_of, seed_of
from bot.simulation.chooser import Policy, SimulationChooser, chooser_of
from bot.simulation.faults import FaultRates
from bot.simulation.opponents.roster import bot_called
from bot.simulation.series import play_series
from bot.simulation.server import Answer

LONGEST = 3
"""Replies lost in a row at most; the one after them arrives."""
SAMPLED_PLIES = (20, 21, 22, 23, 24, 25)
"""Plies of the sampled positions, with us to move: late enough for an exact solution in seconds."""
HARDLY = 1e-12

Mixture = tuple[tuple[Board, float], ...]
"""Boards that the server may hold, each with its probability; what is missing to 1 has ended."""


@dataclass(slots=True)
class Game:
    """The bot's answers and the network."""

    answer: Answer
    rate: float
    """Share of replies lost."""
    known: dict[tuple[Board, int], Board | float] = field(default_factory=dict)

    def after(self, board: Board, column: int) -> Board | float:
        """Return the board with us to move after ``column`` and the answer; 0 when we have lost, 1 when not."""
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
        """Return the probability of games saved for certain, and the mixture, after ``column``'s reply was lost."""
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


@dataclass(slots=True)
class Optimum:
    """The best possible value, by depth-first search with a lower bound: what cannot exceed it is cut off."""

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
    """The value of the policy in the same game, its decisions being those of live play."""

    game: Game
    chooser: SimulationChooser
    answers: AnswerBook
    plan: Plan
    boards: dict[Board, tuple[float, float]] = field(default_factory=dict)
    """The value, and the lost replies to expect."""

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


class KnownAnswers(Mapping[Board, tuple[int, ...]]):
    """A memory that has seen every position: one observation of the bot's answer in each."""

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
    """Return the policy's memory once it knows the bot: every answer, and that the bot repeats itself."""
    seen: Any = KnownAnswers(answer)
    return replace(policy.answers(), seen=seen, repeats=20, repeated=20)


@cache
def looks_at_last_move(bot: str) -> bool:
    """Return whether the bot's answer depends on which of our discs came last: then no memory by position is exact."""
    dice, answer = random.Random(1), answers_of(bot)
    for _ in range(200):
        board = Board()
        while board.ply < dice.randrange(1, 20, 2) and not board.is_over:
            board = board.play(dice.choice(board.legal_columns()))
        if not board.is_over and len({answer(board, last, 0) for last in range(7)}) > 1:
            return True
    return False


@dataclass(frozen=True, slots=True)
class OptimumTask:
    """One position against one bot."""

    bot: str
    board: Board
    rate: float


@dataclass(frozen=True, slots=True)
class OptimumResult:
    """The best possible value, the policy's, and the lost replies to expect with it."""

    task: OptimumTask
    best: float
    policy: float
    lost_replies: float
    boards: int
    """Boards that the exact solution has looked at."""


def tasks_of(bots: Sequence[str], positions: int, *, rate: float, seed: int) -> list[OptimumTask]:
    """Return positions from games over a bad network, shared out among the deterministic bots."""
    known = [bot for bot in bots if bot_called(bot).is_deterministic and not looks_at_last_move(bot)]
    return [
        OptimumTask(bot, board, rate)
        for number, bot in enumerate(known)
        for board in _sampled(bot, len(range(number, positions, len(known))), seed)
    ]


def _sampled(bot: str, count: int, seed: int) -> list[Board]:
    """Return boards with us to move from games in which many replies were lost, as far as there are enough."""
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


def in_json(results: Iterable[OptimumResult]) -> dict[str, Any]:
    """Return means, their interval, and the positions in which the policy is not the best possible."""
    found = sorted(results, key=lambda each: (each.task.bot, each.task.board.mask, each.task.board.current))
    gaps = [1000 * (each.best - each.policy) for each in found]
    mean, half = _mean(gaps)
    lost = sum(each.lost_replies for each in found)
    return {
        "positions": len(found),
        "rate": found[0].task.rate if found else None,
        "lost_per_1000_games": {
            "best_possible": round(_mean([1000 * (1 - each.best) for each in found])[0], 4),
            "policy": round(_mean([1000 * (1 - each.policy) for each in found])[0], 4),
            "difference": round(mean, 4),
            "interval": [round(max(0.0, mean - half), 4), round(mean + half, 4)],
            "largest": round(max(gaps, default=0.0), 4),
        },
        "lost_per_100_lost_replies": {
            "best_possible": _share(sum(1 - each.best for each in found), lost),
            "policy": _share(sum(1 - each.policy for each in found), lost),
        },
        "policy_is_optimal": sum(gap < 1e-6 for gap in gaps),
        "boards": sum(each.boards for each in found),
    }


def in_words(told: dict[str, Any]) -> str:
    """Return the figures of positions and of whole games as lines."""
    lost, replies, lines = told["lost_per_1000_games"], told["lost_per_100_lost_replies"], told["lines"]
    low, high = lost["interval"]
    words = [
        f"{told['positions']} positions, {100 * (told['rate'] or 0):g} % of the replies lost, the bot known.",
        f"Lost per 1,000 games: best possible {lost['best_possible']:.2f}, policy {lost['policy']:.2f}; difference "
        f"{lost['difference']:.2f} ({low:.2f} to {high:.2f}), at most {lost['largest']:.2f}.",
        f"Lost per 100 lost replies: best possible {_shown(replies['best_possible'])}, "
        f"policy {_shown(replies['policy'])}. The policy is optimal in {told['policy_is_optimal']} positions.",
        f"Whole games: {lines['safe_lines']} of {lines['games']} have a line in which no single lost reply costs the "
        f"game; {len(lines['lost_in_replay'])} of {lines['lost_replies_replayed']} replayed lost replies cost it.",
    ]
    words += [f"  No line: {game}." for game in lines["without_line"]]
    words += [f"  Lost in the replay: {case}." for case in lines["lost_in_replay"]]
    return "\n".join(words)


def _shown(share: float | None) -> str:
    return "none" if share is None else f"{share:.2f}"


def _share(part: float, whole: float) -> float | None:
    return round(100 * part / whole, 4) if whole else None


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and half of its 95 % interval."""
    if not values:
        return 0.0, 0.0
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return mean, CONFIDENCE * (spread / len(values)) ** 0.5
