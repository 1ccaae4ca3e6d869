"""Predict the answers of the server's bot: by its earlier answers, and by two rules in unknown positions.

The prediction shares no code with the engine's search: a model that searched like the engine gained nothing against
bots written by others. Bots of servers repeat themselves, so an exact memory of their answers gains most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from bot.game import Board
from bot.game.board import COLUMNS, ROWS, STRIDE, completing_cells

Preference = tuple[float, float, float, float, float, float, float]

MIRROR_SHARE = 0.5
"""Weight of an answer in the mirror image, in observations: not every bot is symmetric."""
PRIOR_COUNT = 2.0
"""Weight of the prediction by rules, in observations, for a bot that never repeats an answer."""
EVEN_SHARE = 0.3
"""Share of that prediction that is spread evenly over all legal answers."""
OBVIOUS_SHARE = 0.8
"""Probability that an unknown bot gives an obvious answer (a win, else a block)."""

CENTRE: Preference = (1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0)
"""Preference of an unknown bot by column, in observations: most evaluations and tie orders favour the middle."""

Counts = tuple[int, int, int, int, int, int, int]
_NONE: Counts = (0, 0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class AnswerBook:
    """Counts of the bot's answers by position. Immutable: `observe` returns a new book."""

    seen: Mapping[Board, Counts] = field(default_factory=dict)
    preference: Preference = CENTRE
    """CENTRE plus the number of answers in each column, where no answer was obvious."""
    repeats: int = 0
    """Answers on positions that had been seen before."""
    repeated: int = 0
    """How many of these equalled the most frequent earlier answer."""
    mirror_share: float = MIRROR_SHARE
    even_share: float = EVEN_SHARE
    obvious_share: float = OBVIOUS_SHARE
    learns_columns: bool = True
    learns_repetition: bool = True
    """Whether `surprise` is learnt; a switch of the ablation."""
    uses_memory: bool = True
    """Whether earlier answers on the same position count; a switch of the ablation."""

    def observe(self, board: Board, column: int) -> AnswerBook:
        """Return the book with one more answer ``column`` on ``board``, the bot to move."""
        return self.gathered([(board, column)])

    def gathered(self, observations: Iterable[tuple[Board, int]]) -> AnswerBook:
        """Return the book after many observations; faster than `observe` for each."""
        seen = dict(self.seen)
        preference = list(self.preference)
        repeats, repeated = self.repeats, self.repeated
        for board, column in observations:
            counts = list(seen.get(board, _NONE))
            if any(counts):
                repeats += 1
                repeated += counts[column] == max(counts)
            counts[column] += 1
            seen[board] = (*counts,)  # type: ignore[assignment]
            preference[column] += self.learns_columns and not _obvious(board)
        return replace(self, seen=seen, preference=(*preference,), repeats=repeats, repeated=repeated)  # type: ignore[arg-type]

    @property
    def surprise(self) -> float:
        """Share of known positions that the bot answers in a new way, 0..1; one half without observations."""
        if not self.learns_repetition:
            return 0.5
        return (self.repeats - self.repeated + 1) / (self.repeats + 2)

    def counts(self, board: Board) -> list[float]:
        """Return the observations of each column on ``board``, plus those on its mirror image at a lower weight."""
        if not self.seen or not self.uses_memory:
            return [0.0] * 7
        own, mirrored = self.seen.get(board, _NONE), self.seen.get(board.mirror(), _NONE)
        return [count + self.mirror_share * image for count, image in zip(own, reversed(mirrored), strict=True)]

    def likely(self, board: Board) -> dict[int, float]:
        """Return the probability of each legal answer on ``board``, the bot to move; they add up to 1."""
        legal = board.legal_columns()
        counts = self.counts(board)
        prior = plausible(board, self.preference, self.obvious_share)
        prior_count = PRIOR_COUNT * self.surprise
        total = prior_count + sum(counts[column] for column in legal)
        even = self.even_share / len(legal)
        return {
            column: (counts[column] + prior_count * (even + (1 - self.even_share) * prior[column])) / total
            for column in legal
        }


def plausible(board: Board, preference: Preference = CENTRE, obvious_share: float = OBVIOUS_SHARE) -> dict[int, float]:
    """Return the probability of each legal answer of an unknown bot, which is to move on ``board``.

    It probably wins if it can, else blocks a win of ours, else leaves us no win; it has a preference by column.
    """
    legal = board.legal_columns()
    obvious = _obvious(board) or _columns(_playable(board) & ~(completing_cells(board.opponent, board.mask) >> 1))
    share = obvious_share if obvious else 0.0
    total = sum(preference[column] for column in legal)
    probability = {column: (1 - share) * preference[column] / total for column in legal}
    total = sum(preference[column] for column in obvious)
    for column in obvious:
        probability[column] += share * preference[column] / total
    return probability


def _obvious(board: Board) -> list[int]:
    """Return the bot's winning columns, else those that block a win of ours."""
    playable = _playable(board)
    wins = completing_cells(board.current, board.mask) & playable
    return _columns(wins or completing_cells(board.opponent, board.mask) & playable)


def _playable(board: Board) -> int:
    """Return the lowest empty cell of every column with room."""
    return (board.mask + _BOTTOM) & _CELLS


def _columns(cells: int) -> list[int]:
    return [column for column in range(COLUMNS) if cells >> column * STRIDE & _COLUMN]


_COLUMN = (1 << ROWS) - 1
_CELLS = sum(_COLUMN << column * STRIDE for column in range(COLUMNS))
_BOTTOM = sum(1 << column * STRIDE for column in range(COLUMNS))


def answer_shown(after: Board, column: int) -> Board | None:
    """Return the board before the bot's last disc, in ``column`` of ``after``; None if the top disc there is ours."""
    discs = after.mask >> (column * STRIDE) & ((1 << STRIDE) - 1)
    last = 1 << (column * STRIDE + discs.bit_length() - 1) if discs else 0
    return Board(after.opponent ^ last, after.mask ^ last) if last & after.opponent else None


@dataclass(frozen=True, slots=True)
class DeliveryModel:
    """Delivery probability of a request whose reply was lost, by the kind and time of its failure. Immutable.

    The reply to a processed request has to wait for the bot's answer. A request that fails much sooner than replies
    usually arrive was therefore probably not processed. Counts of reconciled cases, by kind of failure and by early or
    not early, gradually replace this prior.
    """

    first_bytes_s: tuple[float, ...] = ()
    """Seconds to the first byte of the last replies."""
    cases: Mapping[tuple[str, bool | None], tuple[int, int]] = field(default_factory=dict)
    """Counts (processed, all) of reconciled failures, by kind and whether they were early."""
    uses_timing: bool = True
    """Whether the time of a failure counts; a switch of the ablation."""

    def replied(self, first_byte_s: float | None) -> DeliveryModel:
        """Return the model after one more reply."""
        if first_byte_s is None:
            return self
        return replace(self, first_bytes_s=(*self.first_bytes_s[-(_REPLIES_KEPT - 1) :], first_byte_s))

    def reconciled(self, kind: str, first_byte_s: float | None, was_processed: bool) -> DeliveryModel:
        """Return the model after a failed request turned out to have been processed or not."""
        key = (kind, self._is_early(first_byte_s))
        done, total = self.cases.get(key, (0, 0))
        return replace(self, cases={**self.cases, key: (done + was_processed, total + 1)})

    def processed(self, kind: str, first_byte_s: float | None) -> float:
        """Return the probability that a request that failed ``first_byte_s`` after it was sent had been processed."""
        is_early = self._is_early(first_byte_s)
        prior = _PRIORS.get(kind, _BY_TIME[is_early])
        done, total = self.cases.get((kind, is_early), (0, 0))
        return (done + _PRIOR_CASES * prior) / (total + _PRIOR_CASES)

    def _is_early(self, first_byte_s: float | None) -> bool | None:
        """Return whether a failure came sooner than replies do; None if that is uncertain.

        Early means within half the time of the quickest fifth of the replies (a reply to -1 or to a game's last move
        does not wait for the bot); not early means after half the median. A time in between is uncertain.
        """
        if not self.uses_timing or first_byte_s is None or len(self.first_bytes_s) < _FEWEST_REPLIES:
            return None
        ordered = sorted(self.first_bytes_s)
        median_s, quick_s = ordered[len(ordered) // 2], ordered[(len(ordered) - 1) // 5]
        if median_s >= _SHORTEST_S and first_byte_s >= median_s / 2:
            return False
        return True if quick_s >= _SHORTEST_S and first_byte_s < quick_s / 2 else None


_REPLIES_KEPT = 50
_FEWEST_REPLIES = 5
_PRIOR_CASES = 2.0
"""Prior weight, in cases."""
_SHORTEST_S = 0.02
"""Time of replies, seconds, below which the time of a failure shows nothing."""
_BY_TIME = {None: 0.5, True: 0.2, False: 0.8}
CRASHED_AFTER_SENDING = "crashed after sending"
CRASHED_BEFORE_SENDING = "crashed before sending"
_PRIORS = {CRASHED_AFTER_SENDING: 0.85, CRASHED_BEFORE_SENDING: 0.02, "http 429": 0.02}
"""Prior probabilities for kinds of failure that show more than their time does. A power cut can lose the record that a
request was sent."""
