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

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from bot.client.tracking import Position, after_move
from bot.client.wire import BadReplyError, MoveReply, Stats
from bot.game import Board

NEW_GAME = -1
EMPTY = Position(Board(), we_started=True)
ILLEGAL_SCORE = -100
"""Worse than any loss (-18): an illegal move ends the game with -10."""

Scores = Callable[[Board], Sequence[float | None]]
"""The score of all seven columns for the side to move; None where a column is full. Estimates are within -1..1."""
Likely = Callable[[Board], Sequence[int]]
"""The columns that the server's bot would probably choose among."""


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


def successors(world: World, move: int, likely: Likely | None = None) -> set[World]:
    """The worlds after the server has processed ``move`` (0..6, or -1): one for each answer of its bot."""
    if move == NEW_GAME:
        before = world if world.position is None else world._end(-1)
        we_start = replace(before, position=EMPTY, odds=before.odds / 2)
        empty = Position(Board(), we_started=False)
        odds = _odds(empty.board, likely)
        bot_starts = {
            replace(before, position=empty.play(column), odds=before.odds / 2 * odds[column]) for column in range(7)
        }
        return {we_start} | bot_starts
    known = world.playing
    if not known.board.can_play(move):
        return {world._end(-1)}
    ours = known.play(move)
    if ours.board.is_over:
        return {world._end(result) for result in _results(ours.board, 1.0)}
    worlds = set()
    for column, share in _odds(ours.board, likely).items():
        answered, then = ours.play(column), replace(world, odds=world.odds * share)
        if answered.board.is_over:
            worlds |= {then._end(result) for result in _results(answered.board, -1.0)}
        else:
            worlds.add(replace(then, position=answered))
    return worlds


def _odds(board: Board, likely: Likely | None) -> dict[int, float]:
    """The odds of each legal answer: nine parts in ten for those that the model expects, the rest for all."""
    legal = board.legal_columns()
    expected = likely(board) if likely is not None else legal
    return {column: 0.1 / len(legal) + (0.9 / len(expected) if column in expected else 0.0) for column in legal}


def _results(finished: Board, mover: float) -> set[float]:
    """What the server may score: a four made by the 42nd disc is a draw to it, which a later version may mend."""
    if not finished.has_winner:
        return {0.5}
    return {mover, 0.5} if finished.is_full else {mover}


def after_unknown(
    worlds: Iterable[World], move: int, likely: Likely | None = None, processed: float = 0.5
) -> set[World]:
    """All that may be true after ``move`` was sent and nothing is known of its fate but the odds of ``processed``."""
    odds: dict[World, float] = {}
    for world in worlds:
        for possible in successors(replace(world, odds=world.odds * processed), move, likely):
            odds[possible] = odds.get(possible, 0.0) + possible.odds
        if processed < 1:
            odds[world] = odds.get(world, 0.0) + world.odds * (1 - processed)
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
    after = set()
    for world in worlds:
        if not world.playing.board.can_play(move):
            continue
        try:
            position = after_move(world.playing, move, reply)
        except BadReplyError:
            continue
        after.add(replace(world, position=position) if position.result is None else world._end(position.result))
    if not after:
        raise BadReplyError("The server's reply fits nothing that can have happened.")
    return after


@dataclass(frozen=True, slots=True)
class Choice:
    """A column for several worlds at once."""

    column: int
    safe: bool
    """Whether it keeps the outcome in every world; if not, no column does."""
    worst: float
    mean: float


def choose(
    worlds: Iterable[World], scores: Scores, tie_break: Callable[[int], float] = lambda column: -abs(3 - column)
) -> Choice:
    """The column to send while it is unknown which of ``worlds`` is true (see the module's argument).

    ``tie_break`` rates a column, higher is better; equal to the end, the leftmost wins. Raises ValueError when there
    is no world.
    """
    odds: dict[Board, float] = {}
    for world in worlds:
        odds[world.playing.board] = odds.get(world.playing.board, 0.0) + world.odds
    if not odds:
        raise ValueError("there is no world to play in")
    total = sum(odds.values())
    rows = [
        Row(_rated(scores(board)), share / total, board.ply)
        for board, share in sorted(odds.items(), key=lambda item: -item[1])  # the likeliest first: time may run out
    ]
    choices = [_choice(column, rows) for column in range(7)]
    safe = [choice for choice in choices if choice.safe]
    if safe and all(max(row.scores) > -1 for row in rows):
        return max(safe, key=lambda choice: (choice.worst, choice.mean, tie_break(choice.column)))

    def expected(choice: Choice) -> tuple[float, float, float, float]:
        survival = sum(row.share * prospect(row.scores[choice.column], row.ply) for row in rows)
        outcome = sum(row.share * _outcome(row.scores[choice.column]) for row in rows)
        return round(survival, 9), round(outcome, 9), choice.mean, tie_break(choice.column)

    return max(safe or choices, key=expected)


@dataclass(frozen=True, slots=True)
class Row:
    """One board's column scores and its share of the odds."""

    scores: list[float]
    share: float
    ply: int


SIGHT = 5
"""A loss within so many plies is as good as over: the bot that looks three plies ahead sees it coming."""


def prospect(score: float, ply: int) -> float:
    """The chance not to lose with a column of this ``score``, chosen at ``ply``: no measurement, but the right order.

    A win is certain, a draw or an unproven score nearly so. A loss of score -n comes with the bot's n-th disc from the
    end, so 2 (22 - n) - ply plies from now; the farther it is, the likelier the bot misses its way.
    """
    if score >= 1:
        return 1.0
    if score > -1:
        return 0.95
    left = 2 * (22 + score) - ply
    return 0.0 if left <= SIGHT else min(0.6, 0.03 * left)


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
