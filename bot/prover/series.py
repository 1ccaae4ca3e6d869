"""Series of games of the proof against an agent: results, searched nodes, and how much the proof itself answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.agent_types import Agent, Limit
from bot.agents import make_agent
from bot.game import Board

REPEATS = 4
"""Equal games from different seeds after which an opponent counts as deterministic."""


@dataclass(frozen=True, slots=True)
class Series:
    """What to play."""

    opponent: str
    games: int
    seed: int = 0
    second: bool = False
    """Whether the proof moves second."""
    openings: tuple[int, ...] = ()
    """First columns that the opponent is made to play in turn; empty: its own choice."""
    fallback: bool = False
    """Whether `perfect` plays where the proof says nothing."""
    think_s: float = 0.05
    """Thinking time of an opponent that is timed, seconds a move."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game, seen from the proof."""

    moves: tuple[int, ...]
    points: float
    """1 won, 0.5 drawn, 0 lost."""
    answered: int
    """Moves that the proof gave."""
    searched: int
    """Moves that the fallback gave."""
    nodes: int
    """Positions searched for the proof's side."""


def play_series(series: Series) -> Iterator[Played]:
    """Yield the games; with openings, game i begins with opening i modulo their number.

    A deterministic opponent repeats its games: the series ends when every opening, or the only one, has given
    `REPEATS` equal games.
    """
    seen: dict[int, list[tuple[int, ...]]] = {}
    openings = series.openings or (-1,)
    for number in range(series.games):
        opening = openings[number % len(openings)]
        opponent = make_agent(series.opponent, seed=series.seed + number)
        played = play_game(series, opponent, opening)
        yield played
        seen.setdefault(opening, []).append(played.moves)
        if len(seen) == len(openings) and all(len(each) >= REPEATS and len(set(each)) == 1 for each in seen.values()):
            return


def play_game(series: Series, opponent: Agent, opening: int) -> Played:
    """Play one game; ``opening``: the opponent's first column as first player, or -1."""
    ours = make_agent("proof+perfect" if series.fallback else "proof")
    limit = Limit(think_s=series.think_s)
    board, moves = Board(), list[int]()
    answered = searched = nodes = 0
    while not board.is_over:
        if board.ply % 2 == series.second:
            decision = ours.choose(board, limit)
            column = decision.column
            nodes += decision.nodes or 0
            answered += decision.source == "proof"
            searched += decision.source != "proof"
        else:
            column = opening if board.ply == 0 and opening >= 0 else opponent.choose(board, limit).column
        moves.append(column)
        board = board.play(column)
    we_moved_last = (board.ply - 1) % 2 == series.second
    points = 0.5 if not board.has_winner else float(we_moved_last)
    return Played(tuple(moves), points, answered, searched, nodes)


def summary(games: Sequence[Played]) -> str:
    """Return the series in one sentence."""
    points = [game.points for game in games]
    answered, searched = sum(game.answered for game in games), sum(game.searched for game in games)
    alone = sum(game.searched == 0 for game in games)
    return (
        f"{len(games)} games, {len({game.moves for game in games})} distinct: "
        f"won {points.count(1.0)}, drawn {points.count(0.5)}, lost {points.count(0.0)}; "
        f"{sum(game.nodes for game in games):,} nodes; the proof answered {answered} of {answered + searched} moves, "
        f"and all moves of {alone} games"
    )
