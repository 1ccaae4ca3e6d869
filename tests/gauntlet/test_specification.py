"""The gauntlet's arena: agents play matches and tournaments, and a saved result counts while its sources are unchanged.

Equal seeds give equal results in any process. Every result is saved at once, so that an interrupted run goes on. Every
share has an interval, and games that repeat one another count once. What the gauntlet says of an agent is in
`test_gauntlet.py`, and how it goes on in `test_run.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.game import PlayedGame
from bot.gauntlet.arena.games import match_pairings, play_pairing
from bot.gauntlet.arena.match import match_result, pairs_of, play_all
from bot.gauntlet.arena.statistics import tally
from bot.gauntlet.arena.tournament import tabulate, tournament_pairings
from bot.gauntlet.store import RecordStore
from bot.gauntlet.versions import fingerprint, sources_of

PLAN = {"match": ["depth1", "random"]}


def test_both_agents_start_from_every_opening_and_equal_seeds_give_equal_games():
    pairings = match_pairings("depth1", "random", 6, seed=4, random_plies=5)
    assert [pairing.first for pairing in pairings] == ["depth1", "random"] * 3
    openings = [pairing.opening for pairing in pairings]
    assert openings[::2] == openings[1::2] and len(set(openings)) == 3
    assert len({pairing.seed for pairing in pairings}) == 6
    assert match_pairings("depth1", "random", 1, seed=5, random_plies=5)[0].opening not in openings, "of another seed"
    games, again = ([play_pairing(pairing).moves for pairing in pairings] for _ in range(2))
    assert games == again and [moves[:5] for moves in games] == openings


def test_a_match_is_counted_from_the_first_agents_view_and_a_repeated_game_once():
    names = "scripted:1111", "scripted:7777"
    result = match_result(*names, [play_pairing(each) for each in match_pairings(*names, 4, seed=0)])
    assert result["started"] == tally([1, 1], [1]) and result["replied"] == tally([0, 0], [0])
    assert (result["total"]["won"], result["total"]["lost"], result["different_games"]) == (2, 2, 2)
    assert result["total"]["score_interval"] == result["pairs"]["score_interval"], "a pair is one observation"
    assert result["pairs"]["counts"] == [0, 0, 1, 0, 0] and result["elo"]["difference"] == 0
    assert [game["moves"] for game in result["each"]] == ["1717171", "7171717"] * 2
    first, second, other = (PlayedGame(moves, *names, 1.0) for moves in ((0, 1), (0, 2), (0, 3)))
    assert pairs_of([first, second, first, other, first, second]).pairs == 2, "of three pairs, two are equal"


def test_an_interrupted_match_plays_only_the_games_that_are_missing_the_same_in_any_process(tmp_path):
    pairings, path, played = match_pairings("depth1", "random", 8, seed=3), tmp_path / "games.jsonl", list[int]()

    def count() -> None:
        played.append(1)
        if len(played) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), RecordStore(path, PLAN) as record:
        play_all(pairings, record, on_game=count)
    for workers in (2, 1):
        with RecordStore(path, PLAN) as record:
            games = play_all(pairings, record, workers=workers, on_game=count)
        assert [game.moves for game in games] == [play_pairing(pairing).moves for pairing in pairings]
    assert len(played) == 8


def test_in_a_tournament_all_meet_and_the_strongest_stands_first():
    agents = ["random", "depth1", "depth2"]
    pairings = tournament_pairings(agents, rounds=2, seed=3, random_plies=2)
    table = tabulate(agents, list(map(play_pairing, pairings)))
    found, cells = table["agents"], table["cross_table"]
    assert found[-1]["name"] == "random" and sum(agent["elo"] for agent in found) == pytest.approx(0)
    assert [agent["games"] for agent in found] == [8] * 3 and sum(agent["score"] for agent in found) == 1.5
    assert cells[0][0] is None and [sum(cell.values()) for cell in (cells[0][1], cells[2][0])] == [4, 4]


def test_a_tournament_and_a_match_show_each_agents_own_time_of_a_move():
    game = PlayedGame((3, 3, 3), "quick", "slow", 1.0, of_moves={"seconds": (1.0, 5.0, 3.0)})
    assert [each["move_s"] for each in tabulate(["quick", "slow"], [game])["agents"]] == [2, 5]
    second = PlayedGame((3, 3), "slow", "quick", 0.5, of_moves={"seconds": (6.0, 1.0)})
    assert [each["max"] for each in match_result("quick", "slow", [game, second])["move_s"].values()] == [3, 6]


def test_a_game_that_an_agent_cannot_play_is_its_forfeit_whoever_starts():
    agents = ["random", "command:false"]
    table = tabulate(agents, [play_pairing(each) for each in tournament_pairings(agents, rounds=1, seed=0)])
    assert {agent["name"]: agent["forfeited"] for agent in table["agents"]} == {"random": 0, "command:false": 2}


def test_a_result_depends_on_the_sources_that_its_agent_imports_and_on_no_others(own_papers, monkeypatch):
    program = "from bot.papers.tommy.program import FAMILIES as THEIRS\nfrom dataclasses import replace\n"
    for name in ("doe", "roe"):
        own_papers(f"{name}/program.py", f"{program}from bot.papers.{name} import values\nFAMILIES = ()\n")
        own_papers(f"{name}/values.py", "ONE = 1\n")
    modules = {name: (f"bot.papers.{name}.program",) for name in ("doe", "roe", "tommy")}
    before = {name: fingerprint(each) for name, each in modules.items()}
    own_papers("doe/study.py", "nothing imports it")
    assert {name: fingerprint(each) for name, each in modules.items()} == before
    own_papers("doe/values.py", "ONE = 1  # a comment\n")
    assert [name for name, each in modules.items() if fingerprint(each) != before[name]] == ["doe"]
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: b"changed" if path.name == "windows.py" else read(path))
    fingerprint.cache_clear()
    assert all(fingerprint(each) != before[name] for name, each in modules.items()), "all publications share it"
    assert sources_of("kang-h2:4") == sources_of("kang-h1:2") != sources_of("tommy-ab:4") != sources_of("depth3")
