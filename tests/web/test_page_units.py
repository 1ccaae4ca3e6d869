"""The page's modules without markup, run by a browser: what `values.json` and plain re-computations say of them.

Rules and positions are compared with `bot.game` on random games.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.game import Board, format_moves, parse_moves
from tests.web.browser import DRAW, LAST_FOUR, tab

VALUES = json.loads(Path(__file__).with_name("values.json").read_text("utf-8"))
"""By module and function: rows of arguments and the value for them; a game is made of the fields that are shown."""
GAMES = json.loads(Path(__file__).with_name("games.json").read_text("utf-8"))
"""Games, and what is found of them: those that the browser has kept, and one of different readers of the guide."""
PARTS = "<p id=board></p><p id=live></p><button id=take-back></button>"
"""What the modules expect in a document."""

pytestmark = pytest.mark.usefixtures("tab")


def run(module: str, body: str, given: object = None) -> Any:
    """Return what a function body makes of a module of the page, ``it``, and of a value, ``given``."""
    tab.page.goto(f"{tab.url}/static/vendor/LICENSE.txt")  # a document of the page's origin, without the page
    begin = f"document.body.innerHTML = '{PARTS}'; const it = await import('/static/{module}.js');"
    return tab.page.evaluate(f"async (given) => {{ {begin} {body} }}", given)


@pytest.mark.parametrize("module", VALUES)
def test_functions_have_the_values_of_their_tables(module):
    script = """const { Game } = await import("/static/game.js");
        const made = (given) => {
          const game = new Game();
          game.show(given.shown);
          game.walk(given.at);
          return game;
        };
        return Object.fromEntries(Object.entries(given).map(([name, rows]) => [name, rows.map(([args]) =>
          [args, it[name](...args.map((one) => (one?.shown ? made(one) : one))) ?? null])]));"""
    assert run(module, script, VALUES[module]) == VALUES[module]


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


def tried(main: list[int], steps: list[list[Any]]) -> Iterator[tuple[list[int], list[int], int]]:
    """Yield the game, the moves shown and their number on the board after each step, as plainly as it can be said."""
    moves, at = main, len(main)
    for name, value in steps:
        shown = moves[:at]
        board = Board.from_moves(shown)
        if name == "walk":
            at = min(value, len(moves))
        elif name == "backToMain":
            branch = next((ply for ply in range(at) if moves[ply : ply + 1] != main[ply : ply + 1]), at)
            moves, at = main, branch if value is None else min(value, len(main))
        elif not board.is_over and value in board.legal_columns():
            line = [*shown, value]
            fits = [known for known in (moves, main) if known[: at + 1] == line]
            moves, at = (fits or [line])[0], at + 1
        yield main, moves, at


def test_a_game_keeps_what_was_played_whatever_is_tried_and_comes_back_from_the_storage():
    chance, games = random.Random(0), [one for one in random_games() if len(one) == 20]
    steps = [[chance.choice(["vary", "vary", "walk", "backToMain"]), chance.randrange(22) % 7] for _ in range(90)]
    steps += [["backToMain", None], ["walk", 5], ["vary", 0], ["vary", 1], ["vary", 2], ["backToMain", None]]
    found = run(
        "game",
        """const [games, steps] = given, game = new it.Game(), copy = new it.Game(), seen = [];
        for (const main of games) {
          game.show({ main, key: "run#1", seats: ["you", "level:9"], names: ["You", "Master"], side: 0, start: 2 });
          for (const [name, value] of steps) {
            const isOpen = name !== "vary" || (!game.board.isOver && game.board.cells[value].length < 6);
            if (isOpen) game[name](value ?? undefined);
            copy.restore(JSON.parse(JSON.stringify(game)));
            const isKept = JSON.stringify({ ...copy, isPaced: game.isPaced }) === JSON.stringify({ ...game });
            seen.push([isKept, [...game.main], [...game.moves], game.at]);
          }
        }
        return seen;""",
        [games, steps],
    )
    assert len(games) > 1 and found == [[True, *state] for main in games for state in tried(main, steps)]


def test_what_is_taken_back_was_not_played_by_others_either():
    body = (
        "return given.map(([start, count]) => { const game = new it.Game(); game.show({ main: [3, 3, 3, 3], start });"
    )
    found = run("game", f"{body} game.takeBack(count); return [game.main.length, game.start]; }});", [[3, 1], [1, 3]])
    assert found == [[1, 1], [3, 1]]


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


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/Los_Angeles"])
def test_a_day_lasts_from_midnight_to_midnight_where_the_user_is(zone):
    tab.devtools.send("Emulation.setTimezoneOverride", {"timezoneId": zone})
    days = run("solving", "return given.map((hour) => it.dayOf(new Date(2026, 0, 5, hour, 30)));", [0, 12, 23])
    assert days == ["2026-01-05"] * 3


def openings(moves: list[int], player: int) -> list[int]:
    """Return the columns in which a player would make four with one disc, by looking at every line of four."""
    cells: dict[tuple[int, int], int] = {}
    heights = [0] * 7
    for ply, column in enumerate(moves):
        cells[column, heights[column]] = ply % 2
        heights[column] += 1
    ways = (0, 1), (1, 0), (1, 1), (1, -1)
    lines = [[(c + k * x, r + k * y) for k in range(4)] for c in range(7) for r in range(6) for x, y in ways]
    return [
        column
        for column, height in enumerate(heights)
        if height < 6
        and any((column, height) in line and sum(cells.get(cell) == player for cell in line) == 3 for line in lines)
    ]


def label(moves: list[int]) -> str:
    """Return what the last move of a line does, where no side is addressed as "you"."""
    side = (len(moves) - 1) % 2
    name, column = ("Yellow", "Red")[side], f"column\u00a0{moves[-1] + 1}"
    if Board.from_moves(moves).has_winner:
        return f"{name}\u2019s {column} makes four"
    done = ["blocks"] if moves[-1] in openings(moves[:-1], 1 - side) else []
    count = len(openings(moves, side))
    done += [["threatens four"], ["opens two fours at once"]][count > 1] if count else []
    return f"{name}\u2019s {column} {' and '.join(done)}" if done else f"{name} plays {column}"


def test_where_four_could_be_made_and_what_a_move_of_a_line_does_are_those_of_a_plain_search():
    games = [moves for moves in random_games() if len(moves) > 6]
    script = "return given.map((moves) => [0, 1].map((side) => it.winsOf(it.position(moves), side)));"
    assert run("rules", script, games) == [[openings(moves, side) for side in (0, 1)] for moves in games]
    found = run(
        "lines",
        """const { Game } = await import("/static/game.js"), game = new Game();
        return given.map((moves) => {
          game.show({});
          it.playLine(game, { before: [], line: moves });
          game.walk(moves.length);
          return it.lineText(game);
        });""",
        games,
    )
    assert found == [f"{label(moves)}, step {len(moves)} of {len(moves)}" for moves in games]


def test_levels_are_beaten_by_whole_games_without_hints_and_two_people_score_by_name():
    script = """localStorage["own-games"] = JSON.stringify(given);
        return [[...it.beaten()], it.standing(["a", "b"]), it.standing(["b", "c"]),
          it.ownRun().all.map(({ number, outcome, result }) => [number, outcome, result])];"""
    assert run("journals", script, GAMES["kept"]["given"]) == GAMES["kept"]["found"]


def test_a_game_is_kept_once_and_of_too_many_the_oldest_are_left_out():
    script = """for (const id of given) it.keepOwnGame({ main: [3], side: 0, names: ["You", "a"], seats: null, id });
        return JSON.parse(localStorage["own-games"]).map(({ id }) => id);"""
    many = [str(number) for number in range(1002)]
    assert run("journals", script, [*many, "1001"]) == many[2:]


@pytest.mark.parametrize(("kept", "used"), [(0.1, 0.1), (60, 60), (0.09, 5), (60.1, 5), ("9", 5)])
def test_a_time_is_kept_within_its_range(kept, used):
    run("rules", "localStorage.settings = JSON.stringify({ patience_s: given });", kept)
    assert run("settings", "return it.settings.patience_s;") == used


def test_the_rating_follows_the_first_tries_and_of_too_many_missed_puzzles_the_oldest_are_left_out():
    tries: list[Any] = [[f"p{number}", number % 5 + 1, number % 3 == 0] for number in range(100)]
    script = """for (const [name, grade, isRight] of [...given, ...given.slice(0, 3)]) {
          it.keepTry({ name, grade, moves: "" }, isRight);
        }
        const { rating, missed, solved } = it.progress();
        return [rating, missed.map(({ puzzle }) => puzzle.name), solved.p0, solved.p1, it.hardestGrade()];"""
    rating, missed = 1000, [str(name) for name, _, is_right in [*tries, *tries[1:3]] if not is_right]
    for _, grade, is_right in tries:
        rating = math.floor(rating + 32 * (is_right - 1 / (1 + 10 ** ((600 + 250 * grade - rating) / 400))) + 0.5)
    hardest = max(1, *(grade for grade in range(1, 6) if 600 + 250 * grade <= rating + 150))
    again = [name for at, name in enumerate(missed) if name not in missed[at + 1 :]]
    assert run("solving", script, tries) == [rating, again[-60:], True, False, hardest]


def test_answers_are_asked_for_once_in_the_time_that_is_set_now_and_again_after_a_failure():
    found = run(
        "evaluator",
        """const { banner } = await import("/static/store.js"), asked = [], later = (act) => act();
        let time_s = 1, isBroken = false;
        window.setTimeout = (act, delay_ms) => { if (delay_ms) window.retry = act; else queueMicrotask(act); };
        window.fetch = async (path, { body }) => {
          asked.push(body);
          return { ok: !isBroken, json: async () => (isBroken ? { error: "Broken." } : asked.length) };
        };
        const answers = new it.Answers("/api/x", { body: () => ({ time_s }) }), seen = [];
        const ask = async (more) => {
          answers.want("4", more);
          for (let turn = 0; turn < 20; turn++) await null;
          seen.push([answers.known("4", more) ?? null, asked.length, banner.error]);
        };
        await ask();
        await ask();
        time_s = 2;
        await ask();
        await ask({ side: 1 });
        [isBroken, time_s] = [true, 3];
        await ask();
        await ask();
        isBroken = false;
        window.retry();
        await ask();
        return [seen, JSON.parse(asked[2])];""",
    )
    states = [[1, 1, ""], [1, 1, ""], [2, 2, ""], [3, 3, ""], [None, 4, "Broken."], [None, 4, "Broken."], [5, 5, ""]]
    assert found == [states, {"moves": "4", "time_s": 2, "side": 1}]


def test_scores_along_a_game_are_in_the_first_players_view_and_take_the_time_that_is_set():
    found = run(
        "evaluator",
        """const { Game } = await import("/static/game.js"), game = new Game(), times = [], delays_ms = [];
        const { settings } = await import("/static/settings.js");
        settings.patience_s = 7;
        window.setTimeout = (act, delay_ms) => { delays_ms.push(delay_ms); queueMicrotask(act); };
        window.fetch = async (path, { body }) => {
          const { moves, time_s } = JSON.parse(body), isReview = path.endsWith("review");
          times.push(time_s);
          return { ok: true, json: async () => ({ score: 10 + moves.length, scores: isReview && [1, 2, null, 4, 5] }) };
        };
        const settle = async () => { for (let turn = 0; turn < 20; turn++) await null; };
        game.show({ main: [3, 3, 3, 3] });
        it.review(game.main);
        await settle();
        const seen = [it.scoresOf(game)];
        game.showVariation([3, 3, 2, 2, 2], 5);
        for (const moves of ["44", "4433", "44333"]) {
          it.analyses.want(moves);
          await settle();
        }
        seen.push(it.scoresOf(game));
        settings.patience_s = 40;
        it.analyses.want("1");
        it.review([1]);
        await settle();
        return [...seen, times, delays_ms];""",
    )
    assert found[:2] == [[1, 2, None, 4, 5], [1, 2, 12, None, 14, -15]]
    assert found[2:] == [[14, 7, 7, 7, 40, 60], [0, 120, 120, 120, 120, 0]], "stepping through a game asks nothing"


def test_where_a_level_would_have_let_off_is_measured_up_to_the_seventh():
    found = run(
        "evaluator",
        """const { Game } = await import("/static/game.js"), game = new Game();
        return given.map((seats) => {
          game.show({ main: [0, 1, 0, 1, 0, 1, 0], side: 1, seats });
          return it.chanceOf(game) === null;
        });""",
        [["level:7", "you"], ["level:8", "you"], ["uct:7", "you"], ["you", "level:7"]],
    )
    assert found == [True, False, False, False]


def test_a_notice_stays_as_long_as_the_keyboard_is_on_it_and_longer_where_it_can_be_taken_back():
    found = run(
        "store",
        """const timers = [], seen = [], button = document.getElementById("take-back");
        window.setTimeout = (act, delay_ms) => timers.push([act, delay_ms]);
        window.clearTimeout = () => timers.pop();
        const pass = () => { const [act, delay_ms] = timers.pop(); act(); seen.push(delay_ms, it.banner.notice); };
        it.notify("none");
        it.notify("one");
        pass();
        it.notify("two", () => {});
        button.focus();
        pass();
        pass();
        button.blur();
        pass();
        it.notify("three", () => seen.push("back"));
        it.takeBack();
        return [...seen, it.banner.notice, timers.length];""",
    )
    assert found == [4000, "", 8000, "two", 4000, "two", 4000, "", "back", "", 1]


def test_a_position_is_read_out_once_its_scores_are_known_and_a_step_of_a_line_is_not():
    found = run(
        "evaluator",
        """const { Game } = await import("/static/game.js"), { playLine } = await import("/static/lines.js");
        const game = new Game(), view = { game, showsScores: true }, live = document.getElementById("live"), seen = [];
        window.setTimeout = (act) => queueMicrotask(act);
        window.fetch = async () => ({ ok: true, json: async () => ({ text: "win in 3", columns: [{}], best: [0] }) });
        game.show({ main: [3, 3] });
        playLine(game, { before: [3, 3], line: [2, 2] });
        game.walk(3);
        for (const main of [null, [3, 3, 4]]) {
          if (main) game.show({ main });
          for (let turn = 0; turn < 2; turn++) {
            it.evaluate(view);
            await new Promise((resolve) => { requestAnimationFrame(resolve); });
          }
          seen.push(live.textContent.trim());
        }
        return seen;""",
    )
    assert found == ["", "Red to move: win in 3. Best: column\u00a01."]


def test_a_line_that_leads_to_another_one_goes_back_to_where_the_first_was_asked_for():
    found = run(
        "lines",
        """const { Game } = await import("/static/game.js"), game = new Game(), seen = [], timers = new Map();
        let number = 0;
        window.setInterval = (act) => { timers.set(++number, act); return number; };
        window.clearInterval = (timer) => timers.delete(timer);
        game.show({ main: [0, 1, 2, 3] });
        game.walk(2);
        it.playLine(game, { before: [0, 1], line: [5, 5] });
        for (const act of timers.values()) act();
        it.playLine(game, { before: [0], line: [6], done: () => seen.push("done") });
        seen.push(timers.size, it.subjectOf(game));
        for (let step = 0; step < 2; step++) for (const act of timers.values()) act();
        it.leaveLine(game);
        it.playLine(game, { before: [0], line: [6], done: () => seen.push("left") });
        game.walk(0);
        for (const act of timers.values()) act();
        return [...seen, timers.size];""",
    )
    assert found == [1, [0, 1], "done", 0]


def test_keys_act_on_what_is_enabled_and_leave_those_of_the_browser_alone():
    found = run(
        "keys",
        """const seen = [], act = (name) => () => seen.push(name), main = { at: 2, moves: [0, 1, 2, 3] };
        const buttons = [{ key: "u", act: act("u") }, { key: "h", isDisabled: true, act: act("h") }];
        it.prepareKeys(() => ({ game: main, go: (at) => seen.push(at), buttons }));
        for (const [key, ctrlKey] of given) {
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true }));
        }
        return seen;""",
        [["u", False], ["U", False], ["h", False], ["u", True], ["End", False], ["ArrowLeft", False], ["x", False]],
    )
    assert found == ["u", "u", 4, 1]


def test_what_the_browser_refuses_is_kept_until_it_takes_it_again():
    script = """const { setItem } = Storage.prototype;
        Storage.prototype.setItem = () => { throw new Error("full"); };
        it.keep("a", 1);
        const seen = [it.kept("a", 0), it.isKeeping()];
        Storage.prototype.setItem = setItem;
        it.keep("a", 2);
        return [...seen, it.kept("a", 0), it.isKeeping()];"""
    assert run("store", script) == [1, False, 2, True]


def test_each_time_the_server_is_back_the_page_begins_again_and_only_the_last_request_is_awaited():
    found = run(
        "api",
        """let begun = 0, fails = 0;
        const seen = [], waiting = [], settle = async () => { for (let turn = 0; turn < 30; turn++) await null; };
        window.setTimeout = (act) => queueMicrotask(act);
        window.fetch = (path) => (path === "/api/hang" ? new Promise((resolve) => { waiting.push(resolve); })
          : fails-- > 0 ? Promise.reject(new Error()) : Promise.resolve({ ok: true, json: async () => 1 }));
        it.whenBack(async () => { begun++; });
        for (const count of [2, 3]) {
          fails = count;
          seen.push(await it.get("/api/x").catch(({ message }) => message.split(".")[0]));
          await settle();
          seen.push(begun);
        }
        const one = new it.SingleRequest(), first = one.post("/api/hang", {});
        const second = one.post("/api/hang", {});
        waiting[0]({ ok: true, json: async () => "late" });
        seen.push((await first) ?? "dropped", one.isBusy);
        waiting[1]({ ok: true, json: async () => "new" });
        return [...seen, await second, one.isBusy];""",
    )
    gone = "The page's server does not respond"
    assert found == [gone, 1, gone, 2, "dropped", True, "new", False]


def test_the_guide_keeps_how_a_moment_was_left_first_and_turns_around_only_games_of_its_reader():
    found = run(
        "guide",
        """const { Game } = await import("/static/game.js");
        return given.readers.map(([side, moments]) => {
          localStorage.clear();
          const review = { ...given.review, moments }, game = new Game();
          const guide = new it.Guide(game, { review: () => review, turnAround: () => {} });
          game.show({ main: [0, 1, 2, 3, 4, 5], side });
          const asked = [];
          guide.open();
          guide.react();
          for (; !guide.isFinished; guide.next()) {
            const { ply, turn } = guide;
            guide.try(3);
            guide.try(2);
            asked.push([ply, turn, guide.isTold, guide.answer]);
          }
          guide.ask(0);
          guide.actions[0].act();
          const { mistakes, marked, marks } = guide;
          return [asked, mistakes, marked, Object.values(marks)];
        });""",
        GAMES["guided"]["given"],
    )
    assert found == GAMES["guided"]["found"]
