"""Tommy 2017: the games behind Table 1, count for count."""

from __future__ import annotations

import math

import pytest

from bot.agents.family import make_paper_agent
from bot.engine.agent import Limit
from bot.game import Board

UNLIMITED = Limit(hard_s=math.inf)
GAMES = """\
5 X O 13592 4979 183 33334256445434423600000066222255
5 O X 10892 5924 220 33334256445434423600000066222255
6 X X 13067 11032 412 344443313211331404222
6 O O 22703 6378 98 344443313211331404222
7 X X 203597 32396 222 33335444456055223654345111112222166
7 O O 147921 41416 691 33335444456055223654345111112222166
8 X X 193762 74599 1119 344044555545540000066111133333222
8 O O 243792 73316 311 344044555545540000066111133333222"""
MEANS = {9: (1311365.5, 143557.0, 478.0), 10: (3352837.0, 327609.5, 590.5)}
DEPTH_5 = """\
X 3/27/958; O 3/-5/300/3; X 3/59/2092; O 3/-13/322/11; X 4/107/1877; O 2/-22/840/15; X 5/102/2989; O 6/-36/801/23;
X 4/95/1555; O 4/-133/516/22; X 5/80/1419; O 4/-127/709/21; X 3/82/934; O 4/-317/352/15; X 4/89/205; O 2/-297/239/12;
X 3/71/374; O 6/-369/190/13; X 0/10/333; O 0/-378/188/10; X 0/10/307; O 0/-369/211/13; X 0/-68/265; O 0/-280/148/7;
X 6/-68/105; O 6/-359/101/9; X 2/-189/91; O 2/-291/35/2; X 2/-189/63; O 2/-inf/26/6; X 5/-inf/25; O 5/-inf/1/1"""


def play(depth: int, first: str) -> tuple[str, int, int, int, str, list[str]]:
    """Winner, leaves of X and O, passes, moves, and each move as the sources write it."""
    agents = {"X": make_paper_agent(f"tommy-ab:{depth}"), "O": make_paper_agent(f"tommy-mtdf:{depth}")}
    leaves = {"X": 0, "O": 0}
    board, passes, moves, lines = Board(), 0, "", []
    mover = first
    while not board.is_over:
        decision = agents[mover].choose(board, UNLIMITED)
        assert decision.score is not None and decision.leaves is not None
        view = 1 if mover == "X" else -1  # the paper prints X's view
        value = f"{decision.score * view:g}"
        counts = [decision.leaves] if decision.passes is None else [decision.leaves, decision.passes]
        lines.append(f"{mover} {'/'.join(map(str, [decision.column, value, *counts]))}")
        leaves[mover] += decision.leaves
        passes += decision.passes or 0
        moves += str(decision.column)
        board = board.play(decision.column)
        mover = "O" if mover == "X" else "X"
    winner = "O" if mover == "X" else "X"
    return winner if board.has_winner else "D", leaves["X"], leaves["O"], passes, moves, lines


@pytest.mark.parametrize("line", GAMES.splitlines())
def test_a_game_of_table_1(line: str) -> None:
    depth, first, winner, *counts, moves = line.split()
    assert play(int(depth), first)[:5] == (winner, *map(int, counts), moves)


@pytest.mark.parametrize("depth", MEANS)
def test_the_means_of_the_deepest_games(depth: int) -> None:
    games = [play(depth, first) for first in "XO"]
    means = tuple(sum(int(str(game[place])) for game in games) / 2 for place in (1, 2, 3))
    assert means == MEANS[depth]
    assert [game[0] for game in games] == (["X", "O"] if depth == 9 else ["D", "D"])
    assert games[0][4] == games[1][4]


def test_every_move_of_the_first_game() -> None:
    assert play(5, "X")[5] == DEPTH_5.replace("\n", " ").split("; ")


def test_the_opening_move_of_mtdf() -> None:
    expected = {5: (-27, 329, 12), 6: (5, 451, 5), 7: (-53, 1816, 42)}
    for depth, counts in expected.items():
        agent = make_paper_agent(f"tommy-mtdf:{depth}")
        decision = agent.choose(Board(), UNLIMITED)
        assert decision.score is not None
        assert (-decision.score, decision.leaves, decision.passes) == counts
