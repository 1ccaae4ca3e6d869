"""The judge: its positions against a second solver, its arithmetic by hand, and runs that stop and go on."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import bot.lab
from bot.agents.external.child import end_programs
from bot.agents.games import UNLIMITED, ready_agent
from bot.cli.app import run
from bot.cli.judge import SAVED
from bot.engine.score import sign
from bot.errors import ExitCode, UsageError
from bot.game import Board
from bot.lab.arena.statistics import wilson
from bot.lab.exact import exact_scores, solved_scores
from bot.lab.judge.accuracy import accuracy
from bot.lab.judge.answers import Answer, Question, ask
from bot.lab.judge.leaderboard import field, ranked
from bot.lab.judge.run import HEAD, ask_all
from bot.lab.positions import FIRST_PLY, LAST_PLY, Judged, read_positions
from bot.lab.store import Store
from tests.agents import reference
from tests.agents.reference import Grid
from tests.lab.public_set import COUNT, SEED, draw_positions, write_positions

COLUMNS = pytest.mark.parametrize("ply", range(35, 40))


@cache
def public() -> list[Judged]:
    return read_positions()


def is_decisive(position: Judged) -> bool:
    """Return whether at least one column gives the outcome away."""
    return sign(position.worst) < sign(position.best)


def solved(grid: Grid, side: int) -> int:
    """Return the exact score of an unfinished grid for ``side``, by exhaustive search in plain Python."""
    return max(after(grid, column, side) for column in range(7) if len(grid[column]) < 6)


def after(grid: Grid, column: int, side: int) -> int:
    child = reference.played(grid, column, side)
    discs = sum(map(len, child))
    if reference.winner(child):
        return 22 - (discs + 1) // 2
    return 0 if discs == 42 else -solved(child, -side)


def test_the_public_set_has_equal_shares_of_all_plies_and_no_position_twice() -> None:
    positions = public()
    assert len(positions) == COUNT
    counts = Counter(position.ply for position in positions)
    assert set(counts) == set(range(FIRST_PLY, LAST_PLY + 1)) and max(counts.values()) - min(counts.values()) <= 1
    keys = {frozenset({position.board, position.board.mirror()}) for position in positions}
    assert len(keys) == COUNT
    assert 0.4 < sum(map(is_decisive, positions)) / COUNT < 0.8


def test_its_seed_makes_the_same_positions_again() -> None:
    again = draw_positions(20, SEED)
    assert again == [position.columns for position in public()[:20]]


@pytest.mark.slow
def test_its_seed_makes_the_whole_set_again() -> None:
    again = draw_positions(COUNT, SEED)
    assert again == [position.columns for position in public()]
    late = [columns for columns in again if len(columns) >= 20][:200]
    known = {position.columns: position.scores for position in public()}
    assert all(known[columns] == solved_scores(columns) for columns in late)


def test_exact_scores_are_those_of_the_set_of_the_book_and_of_the_solver() -> None:
    in_the_book, late = public()[0], public()[35]
    for position in (in_the_book, late):
        moves = "".join(map(str, position.columns))
        assert solved_scores(position.columns) == exact_scores(moves) == position.scores
    column = next(column for column in late.board.legal_columns() if not late.board.play(column).is_over)
    assert exact_scores(f"{moves}{column}") == solved_scores((*late.columns, column))


@COLUMNS
def test_late_scores_are_those_of_exhaustive_search_in_plain_python(ply: int) -> None:
    for position in [each for each in public() if each.ply == ply][:4]:
        grid, side = reference.grid_of(position.board)
        known = tuple(after(grid, column, side) if len(grid[column]) < 6 else None for column in range(7))
        assert known == position.scores


def judged(moves: str, *scores: int | None) -> Judged:
    return Judged(tuple(map(int, moves)), scores)


def test_an_accuracy_by_hand() -> None:
    positions = [
        judged("3333", 2, 2, 0, -1, 3, 2, 1),
        judged("33330", -4, -4, -5, -9, -4, -4, -4),
        judged("333301", 0, 0, -5, 0, 0, -1, -1),
        judged("3333013", 0, -5, None, None, None, None, None),
    ]
    answers = [Answer(2, 1.0), Answer(2, 2.0), Answer(5, 3.0), Answer(None, 9.0)]
    found = accuracy("hand", positions, answers)
    assert (found.positions, found.failures, found.seconds) == (4, 1, 2.5)
    assert (found.outcome.value, found.outcome.low, found.outcome.high) == (0.25, *wilson(1, 4))
    assert (found.decisive.value, found.decisive.low) == (0.0, 0.0), "the lost position is not decisive"
    assert found.score.value == 0.0
    assert found.blunders.value == pytest.approx(18 * 0.75)
    assert found.regret["opening"].value == pytest.approx((0.5 + 0 + 0.5 + 0.5) / 4)


def test_the_best_and_the_worst_column_are_the_ends_of_every_scale() -> None:
    positions = public()[:360]
    best = accuracy("best", positions, [Answer(each.scores.index(each.best), 0.1) for each in positions])
    worst = accuracy("worst", positions, [Answer(each.scores.index(each.worst), 0.1) for each in positions])
    assert (best.outcome.value, best.decisive.value, best.score.value, best.blunders.value) == (1, 1, 1, 0)
    assert all(estimate.value == 0 < estimate.high for estimate in best.regret.values()), "no certainty from a sample"
    assert worst.decisive.value == 0 and worst.blunders.value > 5
    assert [each.agent for each in ranked([worst, best])] == ["best", "worst"]


def moves(positions: list[Judged]) -> list[tuple[int, ...]]:
    return [position.columns for position in positions]


def columns(answers: dict[str, list[Answer]]) -> dict[str, list[int | None]]:
    return {name: [answer.column for answer in each] for name, each in answers.items()}


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    positions, saved = moves(public()[:30]), tmp_path / "below" / "saved.jsonl"

    def lines_after(agents: list[str], count: int, seed: int = 0) -> tuple[dict[str, list[Answer]], int]:
        with Store(saved, HEAD) as store:
            found = ask_all(agents, positions[:count], store, seed=seed)
        return found, len(saved.read_text().splitlines())

    whole, count = lines_after(["random", "tommy-ab:2"], 30)
    assert count == 1 + 60
    lines = saved.read_text().splitlines()
    saved.write_text("\n".join(lines[:50]) + "\n" + lines[50][:40])  # killed while it wrote an answer
    again, count = lines_after(["random", "tommy-ab:2"], 30)
    assert columns(again) == columns(whole) and count == 1 + 60, "eleven questions were asked again"
    assert again["tommy-ab:2"][0] == whole["tommy-ab:2"][0], "saved with its time"
    assert lines_after(["random"], 20)[1] == count, "fewer positions, the same answers"
    assert lines_after(["random"], 30, seed=1)[1] == count + 30, "another seed, other answers"


def test_answers_of_other_sources_are_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    positions, saved = moves(public()[:4]), tmp_path / "saved.jsonl"
    for sources, lines in (("one", 5), ("other", 9), ("other", 9)):
        monkeypatch.setattr("bot.lab.judge.run.fingerprint", lambda _modules, sources=sources: sources)
        with Store(saved, HEAD) as store:
            ask_all(["depth1"], positions, store)
        assert len(saved.read_text().splitlines()) == lines


def test_an_agent_s_answers_have_its_own_fingerprint() -> None:
    def sources(agent: str) -> str:
        with Store(None, HEAD) as store:
            ask_all([agent], [()], store)
            (record,) = store.known.values()
        return str(record["sources"])

    assert sources("kang-h2:2@nodes=10") == sources("kang-h1:2") != sources("tommy-ab:2")


def test_an_answer_is_the_agent_s_decision() -> None:
    position = (3, 3, 2)
    answer = ask(Question("tommy-mtdf:5", position))
    found = ready_agent("tommy-mtdf:5").choose(Board.from_moves(position), UNLIMITED)
    assert answer.column == found.column and answer.seconds > 0


def test_an_agent_that_fails_counts_as_its_worst_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.py").write_text(
        "class Broken:\n    def choose(self, *arguments, **more):\n        raise ValueError('no')\n"
    )
    saved = str(tmp_path / "saved.jsonl")
    arguments = ["judge", f"{tmp_path / 'broken.py'}:Broken", "--count", "3", "--saved", saved, "--json"]
    assert run(arguments) == ExitCode.DONE
    end_programs()
    found = json.loads(capsys.readouterr().out)["agents"][0]
    assert (found["failures"], found["positions"]) == (3, 3)
    assert found["seconds"] < 3600, "the time that the failures took, not the time limit of a day"
    assert found["outcome"]["value"] == sum(not is_decisive(each) for each in public()[:3]) / 3


def test_the_command_prints_a_table_and_writes_the_leaderboard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["judge", "random", "tommy-ab:2", "--count", "36", "--saved", str(tmp_path / "saved.jsonl")]
    assert run([*arguments, "--out", str(tmp_path / "out")]) == ExitCode.DONE
    shown = capsys.readouterr().out
    assert shown.index("tommy-ab:2") < shown.index("random") and "%" in shown
    page = (tmp_path / "out" / "judge.md").read_text()
    assert "| 1 | `tommy-ab:2` | 36 |" in page
    rows = json.loads((tmp_path / "out" / "judge.json").read_text())
    assert [row["agent"] for row in rows] == ["tommy-ab:2", "random"]
    assert run([*arguments, "--json"]) == ExitCode.DONE
    agents = json.loads(capsys.readouterr().out)["agents"]
    assert [each["agent"] for each in agents] == ["random", "tommy-ab:2"]
    assert rows == agents[::-1], "the file holds the same numbers"


def test_another_set_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "set.txt"
    late = [each for each in public() if each.ply > 30][:5]
    write_positions(path, late, "five late positions")
    assert read_positions(path) == late
    assert run(["judge", "random", "--positions", str(path), "--saved", str(tmp_path / "s"), "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out)["positions"] == 5


WRONG = [
    "4455",
    "4455 1 1,1",
    "4455 0 0,0,0,0,0,0,-",
    "4455 1 0,0,0,0,0,0,0",
    "12121212 0 0,0,0,0,0,0,0",
    "448 0 0,0,0,0,0,0,0",
]


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_line_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "set.txt"
    path.write_text(f"# a set\n{line}\n")
    with pytest.raises(UsageError, match="line 2"):
        read_positions(path)


def test_wrong_arguments_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = ["--saved", str(tmp_path / "saved.jsonl")]
    assert run(["judge", *saved]) == ExitCode.USAGE
    assert "--field" in capsys.readouterr().err
    assert run(["judge", "nobody", *saved]) == ExitCode.USAGE
    (tmp_path / "empty.txt").write_text("# nothing\n")
    assert run(["judge", "random", "--positions", str(tmp_path / "empty.txt"), *saved]) == ExitCode.USAGE
    assert run(["judge", "random", "--positions", str(tmp_path / "none.txt"), *saved]) == ExitCode.USAGE


@pytest.mark.slow
def test_two_processes_give_the_answers_of_one(tmp_path: Path) -> None:
    positions = moves(public()[:150])
    with Store(None, HEAD) as nothing, Store(tmp_path / "saved.jsonl", HEAD) as store:
        one = ask_all(["uct:50", "depth2"], positions, nothing)
        two = ask_all(["uct:50", "depth2"], positions, store, workers=2)
    assert columns(one) == columns(two)


def test_the_committed_leaderboard_covers_the_field() -> None:
    results = json.loads((Path(bot.lab.__file__).parent / "results" / "judge.json").read_text())
    rows = {each["agent"]: each for each in results}
    assert set(rows) == set(field()) and len(rows) >= 30
    assert all(row["positions"] == COUNT for row in rows.values())
    assert rows["perfect"]["decisive"]["value"] == 1.0 and rows["perfect"]["score"]["value"] > 0.99
    assert rows["random"]["decisive"]["value"] < rows["tommy-ab:4"]["decisive"]["value"]


def test_boards_of_the_set_are_unfinished() -> None:
    assert not any(Board.from_moves(position.columns).is_over for position in public())


def test_its_file_is_not_among_the_journals() -> None:
    assert Path("logs") in SAVED.parents and SAVED.parent != Path("logs")
