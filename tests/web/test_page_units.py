"""The page's modules without markup, run by a browser: rules, games, and how the coach speaks.

Rules and positions are compared with `bot.game` on random games.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.game import Board, format_moves, parse_moves
from tests.web.browser import DRAW, LAST_FOUR, tab

SPOKEN = {
    "You played column 4 and left Red\u2019s four open.": ("X played column 4 and left O's four open.", 0),
    "Your disc in column 5 let Red make four on top.": ("X's disc in column 5 let O make four on top.", 0),
    "Yellow\u2019s disc in column 5 let you make four on top.": ("X's disc in column 5 let O make four on top.", 1),
    "Yellow had time until Red had to open column 4, below Yellow\u2019s odd threat in column 4, row 3.": (
        "X had time until O had to open column 4, below X's odd threat at d3.",
        None,
    ),
    "After column 5, Yellow could win. Your block: Yellow.": ("After column 5, X could win. O's block: X.", 1),
    "XO at h1, at d7, OX's": ("XO at h1, at d7, OX's", 0),
}
"""What the page makes of a sentence of the coach, and the side that is addressed."""

pytestmark = pytest.mark.usefixtures("tab")


def run(module: str, body: str, given: object = None) -> Any:
    """Return what a function body makes of a module of the page, ``it``, and of a value, ``given``."""
    tab.page.goto(f"{tab.url}/static/icon.svg")  # a document of the page's origin, without the page
    script = f"async (given) => {{ const it = await import('/static/{module}.js'); {body} }}"
    return tab.page.evaluate(script, given)


def random_games(count: int = 240) -> list[list[int]]:
    """Return games of random length."""
    chance, games = random.Random(0), []
    for _ in range(count):
        board, moves = Board(), []
        for _ in range(chance.randint(0, 42)):
            if board.is_over:
                break
            moves.append(chance.choice(board.legal_columns()))
            board = board.play(moves[-1])
        games.append(moves)
    return games


def test_positions_are_those_of_the_library():
    games = [*random_games(), list(parse_moves(LAST_FOUR)), list(parse_moves(DRAW))]
    found = run(
        "rules",
        """return given.map((moves) => {
          const { ply, toMove, winner, winning, isOver, ...board } = it.position(moves);
          const open = [...Array(9).keys()].map((at) => at - 1).filter((at) => it.canPlay({ isOver, ...board }, at));
          const bits = winning.map(([column, row]) => 7 * column + row).sort((a, b) => a - b);
          return { ply, toMove, winner, isOver, open, winning: bits };
        });""",
        games,
    )
    for moves, position in zip(games, found, strict=True):
        board = Board.from_moves(moves)
        assert position == {
            "ply": board.ply,
            "toMove": board.ply % 2,
            "winner": None if board.winner is None else board.winner - 1,
            "winning": [cell for cell in range(49) if board.winning_cells >> cell & 1],
            "isOver": board.is_over,
            "open": list(board.legal_columns()),
        }


def test_moves_are_read_and_written_as_by_the_library():
    texts = list(map(format_moves, random_games()))
    letters = [text.translate(str.maketrans("1234567", "ABCDEFG")) for text in texts]
    read = "return given.map((text) => [it.writeMoves(it.readMoves(text)), it.problemIn(text)]);"
    assert run("rules", read, texts + letters) == [[text, ""] for text in texts * 2]


def test_a_game_keeps_what_was_played_whatever_is_tried_and_comes_back_from_the_storage():
    chance, games = random.Random(0), [one for one in random_games() if len(one) == 20]
    steps = [[chance.choice(["vary", "walk", "backToMain"]), chance.randrange(7)] for _ in range(60)]
    found = run(
        "game",
        """const [games, steps] = given, game = new it.Game(), copy = new it.Game(), seen = [];
        for (const main of games) {
          game.show({ main, seats: ["you", "level:9"],
            names: ["You", "Master"], side: 0, start: 2 });
          for (const [name, value] of steps) {
            const isOpen = name !== "vary" || (!game.board.isOver && game.board.cells[value].length < 6);
            if (isOpen) game[name](value);
            copy.restore(JSON.parse(JSON.stringify(game)));
            seen.push(JSON.stringify({ ...copy, isPaced: game.isPaced }) === JSON.stringify({ ...game }),
              String(game.main) === String(main), game.common <= game.moves.length, game.at <= game.moves.length,
              String(game.moves.slice(0, game.common)) === String(main.slice(0, game.common)));
          }
        }
        return seen;""",
        [games, steps],
    )
    assert len(games) > 1 and all(found)


def test_days_in_a_row_still_count_while_todays_puzzles_are_to_be_solved():
    found = run(
        "solving",
        """return given.map((ago) => {
          const day = new Date();
          day.setDate(day.getDate() - ago);
          it.keepDay(it.dayOf(day));
          return it.streak();
        });""",
        [2, 1, 0],
    )
    assert found == [0, 2, 3]


def test_a_sentence_of_the_coach_is_spoken_with_you_colours_and_columns():
    spoken = run("lines", "return given.map((one) => it.spoken(...one));", list(SPOKEN.values()))
    assert spoken == list(SPOKEN)
