"""What is learnt of a server: how long a move takes, what its bot answers, how often a lost request was processed.

The bot's answers are predicted by its earlier ones, and by two rules in unknown positions. The prediction shares no
code with the engine's search: a model that searched like the engine gained nothing against bots written by others. Bots
of servers repeat themselves, so an exact memory of their answers gains most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from bot.game import Board
from bot.game.board import COLUMNS, STRIDE, completing_cells, playable_cells

MARGIN_S = 0.35
"""Reserve for a busy machine's scheduler, a late timer and a disk slower than before, seconds."""
AFTER_LOST_REPLY_S = 2.0
"""Minimum time from a lost reply to the next deadline, seconds, less the usual reserve: the server's clock may have
restarted."""
_OVERHEADS = 50


@dataclass(frozen=True, slots=True)
class MoveClock:
    """The server's limit for a move, measured from a reply's first byte to the arrival of the next move."""

    late_at: float = 0.0
    """When a move arrives too late, on the clock of the events."""
    choose_until: float = 0.0
    """The same, or later if a lost reply may have restarted the server's clock."""
    overheads_s: tuple[float, ...] = ()
    """Seconds from a choice to the reply's first byte, at most half the limit: the journal's sync, the connection, the
    way there and back, and the bot's thinking."""

    def start(self, at: float, limit_s: float) -> MoveClock:
        """Return the clock started anew at ``at``."""
        return replace(self, late_at=at + limit_s, choose_until=at + limit_s)

    def replied(self, first_byte_at: float, chosen_at: float, limit_s: float) -> MoveClock:
        """Return the clock after a reply whose first byte arrived at ``first_byte_at`` to a move of ``chosen_at``."""
        overhead_s = min(max(0.0, first_byte_at - chosen_at), limit_s / 2)
        overheads_s = (*self.overheads_s[-(_OVERHEADS - 1) :], overhead_s)
        return replace(self.start(first_byte_at, limit_s), overheads_s=overheads_s)

    def lost(self, at: float) -> MoveClock:
        """Return the clock after a lost reply."""
        return replace(self, choose_until=max(self.choose_until, at + AFTER_LOST_REPLY_S))

    def until_late_s(self, at: float) -> float:
        """Return the seconds from ``at`` until the limit; negative after it."""
        return self.late_at - at

    def left_s(self, at: float) -> float:
        """Return the seconds until the next move must be sent, less the 95th percentile of the last overheads.

        It is negative if it is too late.
        """
        ordered = sorted(self.overheads_s) or [0.0]
        place = int(0.95 * len(ordered))
        usual_s = ordered[min(len(ordered) - 1, place)]
        return self.choose_until - at - usual_s - MARGIN_S


CRASHED = "crashed"
"""The kind of a failure where a crash of this process prevented the outcome of a request."""
_CRASHED_DELIVERED = 0.75
"""Probability that the server processed such a request: most of the time from the choice to the reply is the server's,
the rest is the connection's."""
PRIOR_CASES = 2.0
"""Weight of the guess that half of the requests whose replies are lost had been processed, in reconciled cases."""
LEAST_DELIVERED, MOST_DELIVERED = 0.05, 0.95
"""Bounds of the probability learnt from reconciled cases: the next failure may have another cause."""


Deliveries = Mapping[str, tuple[int, int]]
"""How often the server had processed requests whose replies were lost: numbers of reconciled cases by `Failed.kind`,
those that had been processed, and all."""


def delivered_share(deliveries: Deliveries, *kinds: str) -> float:
    """Return the probability that the server had processed a request before a failure of one of these kinds."""
    if CRASHED in kinds:
        return _CRASHED_DELIVERED
    processed, total = PRIOR_CASES / 2, PRIOR_CASES
    for kind in kinds:
        processed_cases, all_cases = deliveries.get(kind, (0, 0))
        processed += processed_cases
        total += all_cases
    return min(MOST_DELIVERED, max(LEAST_DELIVERED, processed / total))


def with_case(deliveries: Deliveries, kind: str, *, was_processed: bool) -> Deliveries:
    """Return the counts with one more case; a crash and a failure without a kind have their own probability."""
    if kind in ("", CRASHED):
        return deliveries
    processed, total = deliveries.get(kind, (0, 0))
    return {**deliveries, kind: (processed + was_processed, total + 1)}


PRIOR_COUNT = 2.0
"""Weight of the prediction by rules, in observations, for a bot that never repeats an answer."""
EVEN_SHARE = 0.3
"""Share of that prediction that is spread evenly over all legal answers."""
OBVIOUS_SHARE = 0.8
"""Probability that an unknown bot gives an obvious answer (a win, else a block)."""
CENTRE = (1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0)
"""Preference of an unknown bot by column, in observations: most evaluations and tie orders favour the middle."""

_NONE = (0,) * COLUMNS


@dataclass(frozen=True, slots=True)
class AnswerBook:
    """Counts of the bot's answers by position. Immutable: `observe` returns a new book."""

    known: Mapping[Board, tuple[int, ...]] = field(default_factory=dict)
    """The answers on each position, by column: of 200 earlier games and the run's own, few enough to copy each time."""
    preference: tuple[float, ...] = CENTRE
    """CENTRE plus the number of answers in each column, where no answer was obvious."""
    repeats: int = 0
    """Answers on positions that had been seen before."""
    repeated: int = 0
    """How many of these equalled the most frequent earlier answer."""

    def observe(self, seen: Iterable[tuple[Board, int]]) -> AnswerBook:
        """Return the book with more answers: boards with the bot to move, and its columns."""
        known, preference = dict(self.known), list(self.preference)
        repeats, repeated = self.repeats, self.repeated
        for board, column in seen:
            counts = list(known.get(board, _NONE))
            repeats += any(counts)
            repeated += any(counts) and counts[column] == max(counts)
            counts[column] += 1
            known[board] = tuple(counts)
            preference[column] += not _obvious(board)
        return AnswerBook(known, tuple(preference), repeats, repeated)

    @property
    def surprise(self) -> float:
        """Share of known positions that the bot answers in a new way, 0..1; one half without observations."""
        return (self.repeats - self.repeated + 1) / (self.repeats + 2)

    def counts(self, board: Board) -> tuple[int, ...]:
        """Return how often each column was the answer on ``board``."""
        return self.known.get(board, _NONE)

    def likely(self, board: Board) -> dict[int, float]:
        """Return the probability of each legal answer on ``board``, the bot to move; they add up to 1."""
        legal = board.legal_columns()
        counts = self.counts(board)
        prior = plausible(board, self.preference)
        prior_count = PRIOR_COUNT * self.surprise
        total = prior_count + sum(counts)
        even = EVEN_SHARE / len(legal)
        return {
            column: (counts[column] + prior_count * (even + (1 - EVEN_SHARE) * prior[column])) / total
            for column in legal
        }


def plausible(board: Board, preference: tuple[float, ...] = CENTRE) -> dict[int, float]:
    """Return the probability of each legal answer of an unknown bot, which is to move on ``board``.

    It probably wins if it can, else blocks a win of ours, else leaves us no win; it has a preference by column.
    """
    legal = board.legal_columns()
    leaves_no_win = playable_cells(board.mask) & ~(completing_cells(board.opponent, board.mask) >> 1)
    obvious = _obvious(board) or _columns(leaves_no_win)
    share = OBVIOUS_SHARE if obvious else 0.0
    total = sum(preference[column] for column in legal)
    probability = {column: (1 - share) * preference[column] / total for column in legal}
    total = sum(preference[column] for column in obvious)
    for column in obvious:
        probability[column] += share * preference[column] / total
    return probability


def _obvious(board: Board) -> list[int]:
    """Return the bot's winning columns, else those that block a win of ours."""
    playable = playable_cells(board.mask)
    wins = completing_cells(board.current, board.mask) & playable
    return _columns(wins or completing_cells(board.opponent, board.mask) & playable)


def _columns(cells: int) -> list[int]:
    return [column for column in range(COLUMNS) if cells >> column * STRIDE & (1 << STRIDE) - 1]


def bot_answers(moves: Iterable[int], *, we_started: bool) -> Iterator[tuple[Board, int]]:
    """Yield the boards with the bot to move, and its answers, in a game of these ``moves``, up to an illegal one."""
    board = Board()
    for column in moves:
        if board.is_over or not board.can_play(column):
            return
        if (board.ply % 2 == 1) == we_started:
            yield board, column
        board = board.play(column)
