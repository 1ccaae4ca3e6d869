"""Matches as they are run: opening sets, records that resume, tests that end them, repetitions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.cli.app import run
from bot.errors import ExitCode, UsageError
from bot.game import Board
from bot.lab.arena import match_run
from bot.lab.arena.games import Pairing, match_pairings, play_pairing
from bot.lab.arena.match_run import pairs_of, play_all
from bot.lab.arena.pairs import Sprt
from bot.lab.positions import opening_set
from bot.lab.store import Store

PLAN = {"match": ["a", "b"]}


def key(opening: tuple[int, ...]) -> frozenset[str]:
    return frozenset({str(Board.from_moves(opening)), str(Board.from_moves(opening).mirror())})


def test_an_opening_set_has_no_position_twice_and_none_with_a_win_at_once() -> None:
    openings = opening_set(7, 300, seed=5)
    assert len({key(opening) for opening in openings}) == 300
    assert not any(Board.from_moves(opening).wins_with(column) for opening in openings for column in range(7))
    assert openings == opening_set(7, 300, seed=5) != opening_set(7, 300, seed=6)
    assert openings[:100] == opening_set(7, 100, seed=5)


def test_an_opening_set_repeats_when_there_are_no_more() -> None:
    """One ply leads to four positions that are no mirror images of each other."""
    openings = opening_set(1, 9, seed=1)
    assert len({key(opening) for opening in openings[:4]}) == 4 and len(openings) == 9
    assert opening_set(0, 3, seed=1) == [(), (), ()]


def test_a_match_resumes_where_it_was_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.jsonl"
    pairings = match_pairings("depth1", "random", 8, seed=3, random_plies=2)
    with Store(None, {}) as nothing:
        whole = play_all(pairings, nothing)
    played: list[Pairing] = []

    def interrupted(pairing: Pairing) -> object:
        if len(played) == 5:
            raise KeyboardInterrupt
        played.append(pairing)
        return play_pairing(pairing)

    monkeypatch.setattr(match_run, "play_pairing", interrupted)
    with pytest.raises(KeyboardInterrupt), Store(path, PLAN) as record:
        play_all(pairings, record)
    with path.open("ab") as file:
        file.write(b'{"key": "5", "moves": "44')  # as a crash would tear it
    played.clear()
    with Store(path, PLAN) as record:
        resumed = play_all(pairings, record)
    assert len(played) == 3, "the five games of the first run are not played again"
    assert [game.moves for _, game in resumed] == [game.moves for _, game in whole]
    assert len(path.read_text(encoding="utf-8").splitlines()) == 9
    played.clear()
    with Store(path, PLAN) as record:
        again = play_all(pairings, record)
    assert again == resumed and not played, "nothing is left to play, and the record gives the same games"


def test_a_record_of_another_match_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with Store(path, PLAN) as record:
        play_all([Pairing("random", "random", 1)], record)
    before = path.read_bytes()
    for plan in ({"match": ["a", "c"]}, {**PLAN, "seed": 1}):
        with pytest.raises(UsageError), Store(path, plan):
            pass
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError), Store(tmp_path / "notes.txt", PLAN):
        pass
    assert path.read_bytes() == before and (tmp_path / "notes.txt").read_text() == "mine"


def test_a_test_ends_the_match_at_the_same_game_with_one_worker_and_two(tmp_path: Path) -> None:
    pairings = match_pairings("depth2", "random", 200, seed=1, random_plies=4)
    sprt = Sprt(0, 200)
    with Store(None, {}) as one, Store(tmp_path / "two.jsonl", PLAN) as two:
        alone = play_all(pairings, one, sprt=sprt)
        together = play_all(pairings, two, sprt=sprt, workers=2)
    assert [game.moves for _, game in together] == [game.moves for _, game in alone]
    assert len(alone) % 2 == 0 and len(alone) < 60
    assert sprt.verdict(pairs_of(alone)) == "elo1" and sprt.verdict(pairs_of(alone[:-2])) is None
    with Store(tmp_path / "two.jsonl", PLAN) as two:
        assert len(play_all(pairings, two, sprt=sprt)) == len(alone), "a decided match is not played on"


def test_repeated_pairs_decide_nothing() -> None:
    """Two deterministic agents without random plies play one pair of games again and again."""
    pairings = match_pairings("tommy-ab:4", "halim:4", 12, seed=0)
    with Store(None, {}) as nothing:
        games = play_all(pairings, nothing, sprt=Sprt(0, 400))
    assert len(games) == 12 and pairs_of(games).pairs == 1


def test_a_match_with_a_test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    command = [
        "match",
        "depth2",
        "random",
        "--sprt",
        "0,200",
        "--random-plies",
        "4",
        "--seed",
        "1",
        "--record",
        str(file),
    ]
    assert run([*command, "--json"]) == ExitCode.DONE
    summary = json.loads(capsys.readouterr().out)
    assert summary["sprt"]["accepted"] == "elo1" and summary["sprt"]["llr"] >= summary["sprt"]["bounds"][1]
    assert sum(summary["pairs"]["counts"]) == summary["games"] / 2 == summary["different_games"] / 2
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [line["key"] for line in lines[1:]] == list(map(str, range(summary["games"])))
    assert run(command) == ExitCode.DONE
    assert "SPRT: +200 Elo accepted" in capsys.readouterr().out
    assert run(["match", "depth2", "random", "--sprt", "20,0"]) == ExitCode.USAGE


def test_a_tournament_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    command = ["tournament", "depth1", "random", "--rounds", "2", "--json", "--record", str(file)]
    assert run(command) == ExitCode.DONE
    first = json.loads(capsys.readouterr().out)
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:3]))
    assert run(command) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out)["cross_table"] == first["cross_table"]
