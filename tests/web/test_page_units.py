"""The page's modules without markup, each on its own, run by a browser: rules, games, ribbon, seats, addresses.

Rules and positions are compared with `bot.game` on random games.
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from bot.game import Board, format_moves, parse_moves
from tests.web.browser import DRAW, LOST, OVER, tab

SEEDS = pytest.mark.parametrize("seed", range(4))
YOU = {"kind": "you"}
LEVEL_2 = {"kind": "level", "level": 2}
GRAVE = {"kind": "blunder", "text": "gave the win away", "grave": True}
SLIP = {"kind": "slower", "text": "slower win", "grave": False}
LAST_FOUR = "557353756357262164721166463253473447421112"
"""Red's four comes with the 42nd disc."""

pytestmark = pytest.mark.usefixtures("tab")


def run(module: str, body: str, given: object = None) -> Any:
    """Return what a function body makes of a module of the page, ``it``, and of a value, ``given``."""
    if not tab.page.url.startswith(tab.url):
        tab.page.goto(f"{tab.url}/static/icon.svg")  # a document of the page's origin, without the page
    script = f"async (given) => {{ const it = await import('/static/{module}.js'); {body} }}"
    return tab.page.evaluate(script, given)


def random_games(seed: int, count: int = 60) -> list[list[int]]:
    """Return games of random length."""
    chance, games = random.Random(seed), []
    for _ in range(count):
        board, moves = Board(), []
        for _ in range(chance.randint(0, 42)):
            if board.is_over:
                break
            moves.append(chance.choice(board.legal_columns()))
            board = board.play(moves[-1])
        games.append(moves)
    return games


@SEEDS
def test_positions_are_those_of_the_library(seed: int) -> None:
    games = [*random_games(seed), list(parse_moves(LAST_FOUR)), list(parse_moves(DRAW))]
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


@SEEDS
def test_moves_are_read_and_written_as_by_the_library(seed: int) -> None:
    games = random_games(seed)
    texts = [format_moves(moves) for moves in games]
    letters = ["".join(" ABCDEFG"[int(digit)] for digit in text) for text in texts]
    read = "return given.map((text) => [it.writeMoves(it.readMoves(text)), it.problemIn(text)]);"
    assert run("rules", read, texts + letters) == [[text, ""] for text in texts * 2]


@pytest.mark.parametrize(
    ("text", "moves", "problem"),
    [
        (None, "", ""),
        (" 4, 4-3.d;C ", "44343", ""),
        ("4443x5626", "44435626", 'Moves are columns 1 to 7 or a to g: "x" is none.'),
        ("48", "4", 'Moves are columns 1 to 7 or a to g: "8" is none.'),
        ("44444443", "444444", "Of the moves 44444443, only the first 6 can be played."),
        ("12121213", "1212121", "Of the moves 12121213, only the first 7 can be played."),
    ],
)
def test_what_is_wrong_with_a_text_of_moves_is_said(text: str | None, moves: str, problem: str) -> None:
    found = run("rules", "return [it.writeMoves(it.readMoves(given)), it.problemIn(given)];", text)
    assert found == [moves, problem]


@SEEDS
def test_a_game_keeps_what_was_played_whatever_is_tried_and_comes_back_from_the_storage(seed: int) -> None:
    chance, [moves] = random.Random(seed), [one for one in random_games(seed) if len(one) == 20][:1]
    steps = [[chance.choice(["vary", "walk", "backToMain"]), chance.randrange(7)] for _ in range(60)]
    found = run(
        "game",
        """const [main, steps] = given, game = new it.Game(), copy = new it.Game(), seen = [];
        game.show({ main, seats: [{ kind: "you" }, { kind: "level", level: 9 }], terms: { clock_s: 60 },
          names: ["You", "Master"], side: 0, start: 2, left_ms: [1500, 60000] });
        for (const [name, value] of steps) {
          const isOpen = name !== "vary" || (!game.board.isOver && game.board.cells[value].length < 6);
          if (isOpen) game[name](value);
          copy.restore(JSON.parse(JSON.stringify(game)));
          const { terms, ...state } = copy.toJSON(), { terms: mine, ...original } = game.toJSON();
          seen.push(JSON.stringify(state) === JSON.stringify(original) && mine.clock_s === terms.clock_s,
            String(game.main) === String(main), game.common <= game.moves.length, game.at <= game.moves.length,
            String(game.moves.slice(0, game.common)) === String(main.slice(0, game.common)));
        }
        return seen;""",
        [moves, steps],
    )
    assert all(found)


@pytest.mark.parametrize(
    ("fields", "result", "words"),
    [
        ({"main": "4435"}, None, ""),
        ({"main": OVER}, {"winner": 0, "by": "four"}, "You win with four in a row."),
        ({"main": LOST, "side": 1}, {"winner": 0, "by": "four"}, "You win with four in a row."),
        ({"main": DRAW}, {"winner": None, "by": "full"}, "A draw: the board is full."),
        ({"main": "44", "late": 0}, {"winner": 1, "by": "time"}, "Bot wins: your time is over."),
        ({"main": LAST_FOUR}, {"winner": 1, "by": "four"}, "Bot wins with four in a row."),
        (
            {"main": LAST_FOUR, "side": 0, "record": {"result": 0.5}},
            {"winner": None, "by": "record"},
            "Drawn by the course's rule: the four came with the last disc.",
        ),
        (
            {"main": "44", "side": 1, "record": {"result": -1, "outcome": "illegal"}},
            {"winner": 0, "by": "record"},
            "You win: the last move was illegal.",
        ),
        ({"main": "44", "side": 0, "record": {"result": None}}, None, ""),
    ],
)
def test_how_a_game_ended_is_what_its_record_says(fields: dict[str, Any], result: object, words: str) -> None:
    given = fields | {"main": list(parse_moves(fields["main"])), "names": ["You", "Bot"]}
    show = "const game = new it.Game(); game.show(given); return [game.result, it.ending(game)];"
    assert run("game", show, given) == [result, words]


def test_a_move_after_earlier_ones_were_taken_back_cuts_the_game_there() -> None:
    found = run(
        "game",
        """const game = new it.Game();
        game.show({ main: [3, 6, 3, 6] });
        game.walk(2);
        game.play(0);
        return [game.main, game.isVariation];""",
    )
    assert found == [[3, 6, 0], False]


def test_a_game_that_leaves_its_origin_before_the_turn_does_not_turn_it_around() -> None:
    found = run(
        "game",
        """return given.map((at) => {
          const game = new it.Game();
          game.show({ main: [3, 6, 3, 6], origin: { moves: "4747171", turn: 2, late: null } });
          game.walk(at);
          game.play(0);
          return game.origin?.turn;
        });""",
        [1, 2, 4],
    )
    assert found == [None, 2, 2]


def test_a_game_with_a_broken_origin_is_opened_without_it() -> None:
    broken = [7, "x", [], {}, {"moves": 4, "turn": 1}, {"moves": "44", "turn": "1"}]
    restore = """return given.map((origin) => {
      const game = new it.Game();
      game.restore({ main: "443", moves: "443", at: 3, origin });
      return [game.at, game.origin];
    });"""
    assert run("game", restore, broken) == [[3, None]] * len(broken)


def test_a_game_lost_on_time_is_still_lost_when_one_returns_to_it() -> None:
    found = run(
        "table",
        """const game = it.table(), seen = [];
        game.show({ main: [3, 6, 3, 6], seats: given, names: ["You", "Novice"], side: 0, late: 0 });
        it.turnAround(game, 2);
        seen.push(game.isOver);
        game.restore(JSON.parse(JSON.stringify(game)));
        it.backToBefore();
        return [...seen, game.main, game.result];""",
        [YOU, LEVEL_2],
    )
    assert found == [False, [3, 6, 3, 6], {"winner": 1, "by": "time"}]


@pytest.mark.parametrize(
    ("text", "you", "words"),
    [
        ("X played column 4 and left O's four open.", 0, "You played column 4 and left Red\u2019s four open."),
        ("X's disc in column 5 let O make four on top.", 0, "Your disc in column 5 let Red make four on top."),
        ("X's disc in column 5 let O make four on top.", 1, "Yellow\u2019s disc in column 5 let you make four on top."),
        (
            "X had time until O had to open column 4, below X's odd threat at d3.",
            None,
            "Yellow had time until Red had to open column 4, below Yellow\u2019s odd threat in column 4, row 3.",
        ),
        ("After column 5, X could win. O's block: X.", 1, "After column 5, Yellow could win. Your block: Yellow."),
        ("XO at h1, at d7, OX's", 0, "XO at h1, at d7, OX's"),
    ],
)
def test_a_sentence_of_the_coach_is_spoken_with_you_colours_and_columns(text: str, you: int | None, words: str) -> None:
    assert run("lessons", "return it.spoken(...given);", [text, you]) == words


def test_the_sooner_a_win_the_higher_its_bar() -> None:
    heights = run("ribbon", "return given.map(it.rise);", list(range(-21, 22)))
    won, lost, drawn = heights[22:], heights[:21][::-1], heights[21]
    assert won == lost
    assert all(low < high for low, high in pairwise([drawn, *won[:18]]))
    assert won[17:] == [24] * 4


def test_a_ribbon_hides_what_may_not_be_seen_and_turns_with_the_side() -> None:
    review = {"scores": [1, 2, -2, 0], "moves": [None, GRAVE, SLIP]}
    game = {"moves": [3, 3, 2, 0], "common": 3, "side": None, "record": None}
    hidden, yellow, red, marked = run(
        "ribbon",
        """const [game, review] = given;
        return [it.cellsOf(game, null), it.cellsOf(game, review), it.cellsOf({ ...game, side: 1 }, review),
          it.cellsOf(game, review, [0, 1])];""",
        [game, review],
    )
    assert [(cell["rise"], cell["mark"]) for cell in hidden] == [(None, "")] * 4
    assert [cell["side"] for cell in yellow] == [0, 1, 0, 1]
    assert [cell["rise"] for cell in yellow] == [8, 8, 3, None], "the last move was not played in the game"
    assert [cell["isUp"] for cell in yellow[:2]] == [True, False]
    assert [cell["isUp"] for cell in red[:2]] == [False, True]
    assert [cell["mark"] for cell in yellow] == [""] * 4
    assert [cell["mark"] for cell in marked] == ["slip", "grave", "", ""]


def test_each_place_along_the_ribbon_stands_for_a_move() -> None:
    shares = [-0.1, 0.0, *((ply + 0.5) / 43 for ply in range(43)), 1.0, 1.2]
    plies = [0, 0, *range(43), 42, 42]
    assert run("ribbon", "return given.map((share) => it.plyAt(share, 42));", shares) == plies
    assert run("ribbon", "return given.map((share) => it.plyAt(share, 7));", shares) == [min(ply, 7) for ply in plies]


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        ("you", YOU),
        ("level:9", {"kind": "level", "level": 9}),
        ("uct:1000", {"kind": "agent", "agent": "uct", "depth": 1000, "options": ""}),
        ("depth8", {"kind": "agent", "agent": "depth", "depth": 8, "options": ""}),
        ("proof+perfect", {"kind": "agent", "agent": "proof+perfect", "depth": None, "options": ""}),
        ("kang-h1:4,features=9,x=1", {"kind": "agent", "agent": "kang-h1", "depth": 4, "options": "features=9,x=1"}),
    ],
)
def test_a_seat_is_written_as_it_is_read(text: str, seat: dict[str, Any]) -> None:
    found = run("seats", "const seat = it.readSeat(given); return [seat, it.writeSeat(seat), it.isSeat(seat)];", text)
    assert found == [seat, text, True]


def test_what_is_no_seat_is_none() -> None:
    assert run("seats", "return given.map(it.readSeat);", [None, "", "a b", "<b>", "level:x"]) == [None] * 5
    wrong = [
        *(None, 7, "you", {}, {"kind": "bot"}, {"kind": "level", "level": -1}, {"kind": "level", "level": "2"}),
        *({"kind": "agent", "agent": "uct"}, {"kind": "agent", "agent": "uct", "depth": 0, "options": ""}),
    ]
    assert run("seats", "return given.map(it.isSeat);", wrong) == [False] * len(wrong)


def test_settings_of_another_type_or_out_of_range_are_left_out() -> None:
    good = {"clock_s": 60, "think_s": 0.5, "isVaried": False, "seats": [YOU, LEVEL_2], "proofSide": 1}
    wrong = [
        *({"clock_s": "60"}, {"clock_s": -1}, {"think_s": 0}, {"think_s": None}, {"patience_s": 61}, {"proofSide": 2}),
        *({"isVaried": 1}, {"areKeysOn": "1"}, {"seats": [YOU]}, {"seats": [YOU, "level"]}, {"unknown": True}),
    ]
    check = "return given.map((fields) => it.checked(fields));"
    assert run("settings", check, [good, None, *wrong]) == [good] + [{}] * (len(wrong) + 1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("moves=44", "moves=44"),
        ("view=scores&moves=44&at=1", "view=scores&moves=44&at=1"),
        ("view=analysis&moves=44", "view=scores&moves=44"),
        ("view=explorer", "view=book"),
        ("view=review&moves=44", "view=scores&moves=44"),
        ("view=watch", "view=games&run=live"),
        ("view=replay&run=a.jsonl&game=3", "view=games&run=a.jsonl&game=3"),
        ("view=match", "view=play&yellow=perfect&red=depth"),
        ("view=match&a=uct&adepth=9&b=level&bdepth=3", "view=play&yellow=uct:9&red=level:3"),
        ("view=match&a=kang-h1&aoptions=features=2", "view=play&yellow=kang-h1,features=2&red=depth"),
        ("view=play&human=1&level=3", "view=play&yellow=level:3&red=you"),
        ("agent=uct&depth=50&fixed=1", "yellow=you&red=uct:50&varied=0"),
    ],
)
def test_an_old_address_is_translated(old: str, new: str) -> None:
    kept = {"a", "b", "adepth", "bdepth", "aoptions", "human", "level", "agent", "depth", "fixed"}
    found = run("migrate", "return [...it.oldAddress(new URLSearchParams(given))];", old)
    assert {name: value for name, value in found if name not in kept} == dict(
        part.split("=", 1) for part in new.split("&")
    )


@pytest.mark.parametrize(
    ("names", "seats"),
    [
        (["You", "Novice (level 2)"], [YOU, LEVEL_2]),
        (["depth3", "You"], [{"kind": "agent", "agent": "depth", "depth": 3, "options": ""}, YOU]),
        (["Yellow", "Red"], None),
    ],
)
def test_a_game_of_the_third_edition_gets_its_seats_from_its_names(names: list[str], seats: object) -> None:
    old = {"main": "44", "names": names, "left_ms": 59_001.5, "isMine": "You" in names}
    once, twice = run("migrate", "const once = it.oldGame(given); return [once, it.oldGame(once)];", old)
    assert once == twice
    assert once["left_ms"] == [59_001.5] * 2
    assert once["terms"] == {"clock_s": 60}
    assert once["seats"] == seats


def test_a_position_has_one_name_for_every_order_of_moves_and_its_mirror_image() -> None:
    games = ["4435", "4534", "4453", "5344", "44", "4434"]
    keys = run("visits", "return given.map(it.positionKey);", [list(parse_moves(moves)) for moves in games])
    assert len(set(keys[:4])) == 1
    assert len(set(keys)) == 3


def test_finished_games_are_found_by_the_positions_that_they_came_to() -> None:
    games = [
        {"number": 1, "moves": "4435", "result": 1},
        {"number": 2, "moves": "4453", "result": -1},
        {"number": 3, "moves": "4435", "result": None},
    ]
    find = """const visits = it.visitsOf(given);
      return ["4", "44", "443", "4435"].map((text) =>
        (visits.get(it.positionKey([...text].map((one) => one - 1))) ?? []).map(({ number }) => number));"""
    assert run("visits", find, games) == [[1, 2]] * 4


def test_an_address_holds_the_place_the_seats_the_moves_and_where_the_board_is() -> None:
    found = run(
        "address",
        """const { gameOf } = await import("/static/game.js"), { store } = await import("/static/store.js");
        const hash = () => { it.save(); return location.hash; }, hashes = [hash()];
        gameOf("play").show({ main: [3, 3, 2], seats: given });
        gameOf("play").walk(1);
        hashes.push(hash());
        store.view = "games";
        Object.assign(it.chosen, { run: "a.jsonl", game: "2" });
        return [...hashes, hash()].map(decodeURIComponent);""",
        [YOU, LEVEL_2],
    )
    played = "#view=play&yellow=you&red=level:2&moves=443&at=1"
    assert found == ["#view=play&moves=", played, "#view=games&run=a.jsonl&game=2&moves="]
