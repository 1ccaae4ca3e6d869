"""What may be true after a request whose fate is unknown, and the move that is right in all of it. Pure: no HTTP.

The argument. A move is not idempotent and the server never tells the running game, so after a lost reply the client
cannot ask what happened; but it can list it. A *world* is one consistent account: which position the server holds and
how many games have ended since its statistics were last known. A request of unknown fate splits every world into
"not processed" (the world itself) and "processed", once for each answer that the bot could have given
(`successors`). Two observations throw worlds out: the server's statistics, whose `played`, `won` and `lost` must have
risen by exactly what the world says (`narrow_by_stats`), and the next reply to /move, which carries the whole board
(`narrow_by_reply`). In between, one move has to be sent without knowing the world, and `choose` picks it:

* a *safe* column if there is any: it is legal in every world (an illegal move loses at once) and keeps there the
  outcome (win, draw, loss) that the position is worth, so whatever the truth turns out to be, nothing was given away;
* among the safe ones, the best worst-case exact score, then the best mean, then the caller's tie-break;
* if none is safe, or some world is lost already, the best expected value: no column can be right in every world, and
  the choice says so. The value is what a streak needs, the chance not to lose (`prospect`): a win and a draw are
  good, a loss far away may still be saved, one within the bot's sight is not, nor is an illegal move. Then the best
  expected outcome, then the best expected score. Worlds are weighed by their odds: whether the request was processed
  is judged by whoever met the failure, and among the answers of the bot those that a model of it expects weigh most.

A world without a running game counts as an empty board with our disc first, because a move without a game silently
starts one in that way.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from bot.client.tracking import Position, after_move
from bot.client.wire import BadReplyError, MoveReply, Stats
from bot.game import Board

NEW_GAME = -1
EMPTY = Position(Board(), we_started=True)
ILLEGAL_SCORE = -100
"""Worse than any loss (-18): an illegal move ends the game with -10."""

MOST_BOARDS = 300
"""Of more boards than this, after a series of lost replies, the least likely are only asked which columns are legal."""

MOST_WORLDS = 5000
"""Of more worlds than this the least likely are forgotten: five replies lost in a row. Should one of them be true, the
board contradicts all that are left, and is believed in the end."""
_WORTH_ASKING = 0.001
"""In a world with a smaller share of the odds, every answer of the bot is thought equally likely: to ask costs time."""

Scores = Callable[[Board], Sequence[float | None]]
"""The score of all seven columns for the side to move; None where a column is full. Estimates are within -1..1."""
Chances = Callable[[Board, Sequence[float]], Sequence[float]]
"""The chance not to lose with each column of a board whose ``scores`` (ILLEGAL_SCORE where full) are given."""
Answers = Callable[[Board], Mapping[int, float]]
"""How likely each legal answer of the server's bot is, in a position with the bot to move; they add up to 1."""


@dataclass(frozen=True, slots=True)
class World:
    """One consistent account of what the server holds."""

    position: Position | None
    """The running game with us to move; None when no game is running."""
    ended: int = 0
    """Games that ended since the statistics were last known, with how many won and lost."""
    won: int = 0
    lost: int = 0
    odds: float = field(default=1.0, compare=False)
    """How likely it is, as a share of what the worlds before it had."""

    @property
    def playing(self) -> Position:
        """The position that a move would meet."""
        return self.position or EMPTY

    def _end(self, result: float) -> World:
        return World(None, self.ended + 1, self.won + (result == 1), self.lost + (result < 0), self.odds)

    def _ends(self, results: Collection[float]) -> list[World]:
        """The game ended with one of ``results``, all equally likely."""
        share = replace(self, odds=self.odds / len(results))
        return [share._end(result) for result in results]


def successors(world: World, move: int, answers: Answers | None = None) -> set[World]:
    """The worlds after the server has processed ``move`` (0..6, or -1): one for each answer of its bot."""
    if move == NEW_GAME:
        before = world if world.position is None else world._end(-1)
        we_start = replace(before, position=EMPTY, odds=before.odds / 2)
        empty = Position(Board(), we_started=False)
        odds = _odds(empty.board, answers)
        return {we_start} | {
            replace(before, position=empty.play(column), odds=before.odds / 2 * odds[column]) for column in range(7)
        }
    known = world.playing
    if not known.board.can_play(move):
        return {world._end(-1)}
    ours = known.play(move)
    if ours.board.is_over:
        return _summed(world._ends(_results(ours.board, 1.0)))
    worlds: list[World] = []
    for column, share in _odds(ours.board, answers).items():
        answered, then = ours.play(column), replace(world, odds=world.odds * share)
        if answered.board.is_over:
            worlds += then._ends(_results(answered.board, -1.0))
        else:
            worlds.append(replace(then, position=answered))
    return _summed(worlds)


def _odds(board: Board, answers: Answers | None) -> Mapping[int, float]:
    """The odds of each legal answer; all are equal where nobody knows the bot."""
    if answers is not None:
        return answers(board)
    legal = board.legal_columns()
    return dict.fromkeys(legal, 1 / len(legal))


def _results(finished: Board, mover: float) -> set[float]:
    """What the server may score: a four made by the 42nd disc is a draw to it, which a later version may mend."""
    if not finished.has_winner:
        return {0.5}
    return {mover, 0.5} if finished.is_full else {mover}


def after_unknown(
    worlds: Iterable[World], move: int, answers: Answers | None = None, processed: float = 0.5
) -> set[World]:
    """All that may be true after ``move`` was sent and nothing is known of its fate but the odds of ``processed``."""
    after: list[World] = []
    worlds = set(worlds)
    least = _WORTH_ASKING * sum(world.odds for world in worlds)
    for world in worlds:
        asked = answers if world.odds >= least else None
        after += successors(replace(world, odds=world.odds * processed), move, asked)
        if processed < 1:
            after.append(replace(world, odds=world.odds * (1 - processed)))
    return set(heapq.nlargest(MOST_WORLDS, _summed(after), key=lambda world: world.odds))


def _summed(worlds: Iterable[World]) -> set[World]:
    """Equal worlds are one, with all their odds."""
    odds: dict[World, float] = {}
    for world in worlds:
        odds[world] = odds.get(world, 0.0) + world.odds
    return {replace(world, odds=share) for world, share in odds.items()}


def narrow_by_stats(worlds: Iterable[World], before: Stats, now: Stats) -> set[World]:
    """The worlds that agree with the server's statistics, ``before`` being those that the worlds count from."""
    rise = (now.played - before.played, now.won - before.won, now.lost - before.lost)
    return {world for world in worlds if (world.ended, world.won, world.lost) == rise}


def narrow_by_reply(worlds: Iterable[World], move: int, reply: MoveReply) -> tuple[World, Position]:
    """The world that was true before ``move``, and the position after it, told by the reply's board.

    Raises BadReplyError when the board fits none of them. Where it fits several, they hold the same discs from here on.
    """
    complaint: BadReplyError | None = None
    for world in sorted(worlds, key=lambda world: (world.ended, world.playing.board.ply)):
        if not world.playing.board.can_play(move):
            continue
        try:
            return world, after_move(world.playing, move, reply)
        except BadReplyError as error:
            complaint = complaint or error
    raise complaint or BadReplyError("The server's board fits nothing that can have happened.")


def after_told(worlds: Iterable[World], move: int, reply: MoveReply) -> set[World]:
    """The worlds after a ``reply`` to ``move`` that tells the bot's column but no board: each goes on by both discs.

    Raises BadReplyError when the reply fits none of them.
    """
    after: list[World] = []
    for world in worlds:
        if not world.playing.board.can_play(move):
            continue
        try:
            position = after_move(world.playing, move, reply)
        except BadReplyError:
            continue
        after.append(replace(world, position=position) if position.result is None else world._end(position.result))
    if not after:
        raise BadReplyError("The server's reply fits nothing that can have happened.")
    return _summed(after)


DRAW_PROSPECT = 0.97
_FIRST_LOSES = ((4, 0.0), (32, 0.9))
"""The first player's chance: its losses are parity's, and a bot that sees a few plies seldom plays for them."""
_SECOND_LOSES = ((8, 0.0), (13, 0.08), (23, 0.14), (25, 0.42), (33, 0.6), (38, 0.9))
"""The second player's: an odd threat of the first player's wins by itself, once the board is full enough."""


def prospect(score: float, ply: int) -> float:
    """The chance not to lose with a column of this ``score``, chosen at ``ply``.

    A win is certain, a draw or an unproven score nearly so. A loss of score -n comes with the bot's n-th disc from the
    end, so 2 (22 - n) - ply plies from now; the farther it is, the likelier the bot misses its way. How likely was
    measured: of 1,500 games of `perfect` against `depth3` from positions lost in theory, the share not lost, by
    distance and by who began; straight lines between a few points stand for it, none above 0.9.
    """
    if score >= 1:
        return 1.0
    if score > -1:
        return DRAW_PROSPECT
    return _between(_SECOND_LOSES if ply % 2 else _FIRST_LOSES, 2 * (22 + score) - ply)


def prospects(board: Board, scores: Sequence[float]) -> list[float]:
    """The prospect of every column of ``board``."""
    return [prospect(score, board.ply) for score in scores]


def _between(points: Sequence[tuple[int, float]], x: float) -> float:
    """The height at ``x`` of the line through ``points``, level before the first and after the last."""
    for (left, low), (right, high) in pairwise(points):
        if x <= right:
            return max(low, low + (high - low) * (x - left) / (right - left))
    return points[-1][1]


@dataclass(frozen=True, slots=True)
class Choice:
    """A column for several worlds at once."""

    column: int
    safe: bool
    """Whether it keeps the outcome in every world; if not, no column does."""
    worst: float
    mean: float


def choose(
    worlds: Iterable[World],
    scores: Scores,
    tie_break: Callable[[int], float] = lambda column: -abs(3 - column),
    chances: Chances = prospects,
) -> Choice:
    """The column to send while it is unknown which of ``worlds`` is true (see the module's argument).

    ``chances`` tells the chance not to lose where no column is safe. ``tie_break`` rates a column, higher is better;
    equal to the end, the leftmost wins. Raises ValueError when there is no world.
    """
    odds: dict[Board, float] = {}
    for world in worlds:
        odds[world.playing.board] = odds.get(world.playing.board, 0.0) + world.odds
    if not odds:
        raise ValueError("there is no world to play in")
    total = sum(odds.values())
    by_odds = sorted(odds.items(), key=lambda item: -item[1])  # the likeliest first: time may run out
    rows = [Row(board, _rated(scores(board)), share / total) for board, share in by_odds[:MOST_BOARDS]]
    rows += [Row(board, _unknown(board), share / total) for board, share in by_odds[MOST_BOARDS:]]
    choices = [_choice(column, rows) for column in range(7)]
    safe = [choice for choice in choices if choice.safe]
    if safe and all(max(row.scores) > -1 for row in rows):
        return max(safe, key=lambda choice: (choice.worst, choice.mean, tie_break(choice.column)))

    told = [(row.share, chances(row.board, row.scores)) for row in rows[:MOST_BOARDS]]
    told += [(row.share, prospects(row.board, row.scores)) for row in rows[MOST_BOARDS:]]

    def expected(choice: Choice) -> tuple[float, float, float, float]:
        survival = sum(share * chance[choice.column] for share, chance in told)
        outcome = sum(row.share * _outcome(row.scores[choice.column]) for row in rows)
        return round(survival, 9), round(outcome, 9), choice.mean, tie_break(choice.column)

    return max(safe or choices, key=expected)


@dataclass(frozen=True, slots=True)
class Row:
    """One board's column scores and its share of the odds."""

    board: Board
    scores: list[float]
    share: float


def _unknown(board: Board) -> list[float]:
    return [0.0 if board.can_play(column) else ILLEGAL_SCORE for column in range(7)]


def _rated(scores: Sequence[float | None]) -> list[float]:
    return [ILLEGAL_SCORE if score is None else score for score in scores]


def _choice(column: int, rows: Sequence[Row]) -> Choice:
    values = [row.scores[column] for row in rows]
    safe = all(
        value > ILLEGAL_SCORE and _outcome(value) == _outcome(max(row.scores))
        for value, row in zip(values, rows, strict=True)
    )
    mean = sum(row.share * value for value, row in zip(values, rows, strict=True))
    return Choice(column, safe, min(values), round(mean, 9))  # equal sums must be equal, in whatever order added


def _outcome(score: float) -> int:
    """1 win, 0 draw or unknown, -1 loss: an estimate, within -1..1, proves nothing."""
    return (score >= 1) - (score <= -1)
