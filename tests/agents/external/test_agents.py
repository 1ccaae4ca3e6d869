"""Foreign agents: what they may do well, and everything that they may do badly."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import bot
from bot.agents.catalogue import is_external, make_agent
from bot.agents.external import agent as agent_module
from bot.agents.external import child as child_module
from bot.agents.external.agent import ExternalAgent, WithSubstitute, share_s
from bot.agents.external.host import answer
from bot.agents.games import close, play_game, ready_agent
from bot.cli.app import run
from bot.engine.agent import Decision, Limit, Stop
from bot.errors import AgentError, ExitCode, UsageError
from bot.game import Board
from bot.lab.arena.games import Pairing, play_pairing
from tests.agents.external.programs import classes, program

LIMIT = Limit(hard_s=120.0)


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """End every program that a test started."""
    yield
    child_module.end_programs()


def test_a_class_chooses_columns(tmp_path: Path) -> None:
    agent = ready_agent(f"{classes(tmp_path)}:Column,column=2", 5)
    decision = agent.choose(Board(), LIMIT)
    assert (decision.column, decision.source, decision.score) == (2, "external", None)
    assert agent.choose(Board.from_moves("333333"), LIMIT).column == 6


@pytest.mark.parametrize("stem", ["bot", "random", "numpy"])
def test_a_file_may_have_the_name_of_another_module(stem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working folder holds it, too; and it may import this package and its own neighbours."""
    (tmp_path / "neighbour.py").write_text("COLUMN = 5\n")
    (tmp_path / f"{stem}.py").write_text(
        "import neighbour\n"
        "class Mine:\n"
        "    def choose(self, board, limit):\n"
        "        from bot.game import Board\n"
        "        return neighbour.COLUMN if isinstance(board, Board) else 0\n"
    )
    monkeypatch.chdir(tmp_path)
    assert ready_agent(f"{stem}.py:Mine").choose(Board(), LIMIT).column == 5


def test_a_file_uses_modules_of_the_working_folder_and_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that starts anew looks for the file by its own name."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "shared_columns.py").write_text("COLUMN = 2\n")
    (tmp_path / "agents" / "parallel.py").write_text(
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from multiprocessing import get_context\n"
        "import shared_columns\n"
        "def think(column):\n"
        "    return column\n"
        "class Mine:\n"
        "    def choose(self, board, limit):\n"
        "        with ProcessPoolExecutor(1, get_context('spawn')) as pool:\n"
        "            return pool.submit(think, shared_columns.COLUMN).result()\n"
    )
    monkeypatch.chdir(tmp_path)
    assert ready_agent("agents/parallel.py:Mine").choose(Board(), LIMIT).column == 2


def test_a_program_without_this_package_chooses_columns(tmp_path: Path) -> None:
    agent = ready_agent(program(tmp_path))
    assert [agent.choose(Board.from_moves(moves), LIMIT).column for moves in ("", "111111", "1112222221")] == [0, 1, 0]


def test_an_agent_of_this_package_is_the_same_behind_the_protocol(tmp_path: Path) -> None:
    """Equal budgets choose equal columns with equal counts, whether or not a process lies between."""
    inside = ready_agent("tommy-ab:6@nodes=700")
    host = program(tmp_path, "engine")
    Path(host.removeprefix("command:")).write_text(
        f"#!/bin/sh\nexec {sys.executable} -m bot engine tommy-ab:6\n",
        encoding="utf-8",
    )
    outside = ready_agent(f"{host}@nodes=700")
    for moves in ("", "4", "445", "4433"):
        board = Board.from_moves(moves)
        one, other = inside.choose(board, LIMIT), outside.choose(board, LIMIT)
        assert (one.column, one.nodes, one.leaves, one.depth) == (other.column, other.nodes, other.leaves, other.depth)
        assert one.nodes == 700


def test_equal_seeds_play_equal_games(tmp_path: Path) -> None:
    drawn = f"{classes(tmp_path)}:Drawn"
    games = [play_pairing(Pairing(drawn, "random", seed, (), LIMIT)).moves for seed in (1, 2, 1)]
    assert games[0] == games[2] != games[1]


def test_a_program_is_used_again_for_the_next_game_with_a_new_object(tmp_path: Path) -> None:
    name = f"{classes(tmp_path)}:Late"
    agent = make_agent(name)
    agent.choose(Board(), LIMIT)
    first = list(child_module._children)
    agent.choose(Board(), LIMIT)
    close(agent)
    other = make_agent(name)
    other.choose(Board(), LIMIT), other.choose(Board(), LIMIT)
    assert list(child_module._children) == first


def hurry_the_third_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a foreign agent half a second for its third move, and as long as a busy machine needs for those before."""
    choose = ExternalAgent.choose

    def hurried(self: ExternalAgent, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:
        return choose(self, board, replace(limit, hard_s=0.5) if board.ply >= 4 else limit, stop)

    monkeypatch.setattr(ExternalAgent, "choose", hurried)


def from_readme(language: str) -> str:
    """Return the first block of a language in the room's README."""
    text = Path(agent_module.__file__).with_name("README.md").read_text(encoding="utf-8")
    return text.split(f"```{language}\n")[1].split("```")[0]


def test_the_class_of_the_readme_plays(tmp_path: Path) -> None:
    """It takes a win, prevents one, and otherwise plays near the middle."""
    (tmp_path / "mine.py").write_text(from_readme("python"))
    agent = ready_agent(f"{tmp_path / 'mine.py'}:Careful")
    assert agent.choose(Board(), LIMIT).column == 3
    assert agent.choose(Board.from_moves("717271"), LIMIT).column == 6
    assert agent.choose(Board.from_moves("71727"), LIMIT).column == 6


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_the_program_of_the_readme_plays(tmp_path: Path) -> None:
    """It is compiled as the README says, and finishes games."""
    (tmp_path / "middle.c").write_text(from_readme("c"))
    subprocess.run(["cc", "middle.c", "-o", "middle"], cwd=tmp_path, check=True)
    played = play_pairing(Pairing(f"command:{tmp_path / 'middle'}", "scripted:7123456", limit=LIMIT))
    assert played.forfeit == ""
    assert played.moves[0] == 3


FAILURES = {
    "Raises": "RuntimeError: no idea (",
    "Exits": "exit code 0",
    "Dies": "signal 6",
    "Hangs": "did not reply within 0.",
    "Sleeps": "did not reply within 0.",
    "Full": "choose returned 7, which is not a column from 0 to 6",
    "Word": "choose returned 'four', which is not a column from 0 to 6",
    "Hog": "MemoryError",
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failing_class_forfeits_its_game(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_module, "MEMORY_BYTES", 1 << 28)
    foreign = f"{classes(tmp_path)}:{name}"
    if "did not reply" in FAILURES[name]:
        hurry_the_third_move(monkeypatch)
    for pairing in (Pairing("scripted:4444", foreign, limit=LIMIT), Pairing(foreign, "scripted:5555", limit=LIMIT)):
        played = play_pairing(pairing)
        assert FAILURES[name] in played.forfeit and foreign in played.forfeit
        assert played.result == (1.0 if pairing.second == foreign else 0.0)
        assert len(played.moves) == (5 if pairing.second == foreign else 4)
        assert len(played.seconds) == len(played.moves)


def test_an_exception_is_told_once_with_its_place_in_the_agents_file(tmp_path: Path) -> None:
    """The last line of the agent's own file, even if a library raised the exception."""
    path = tmp_path / "mine.py"
    path.write_text("import json\nclass Mine:\n    def choose(self, board, limit):\n        return json.loads('')\n")
    with pytest.raises(AgentError) as failed:
        ready_agent(f"{path}:Mine").choose(Board(), LIMIT)
    assert "(mine.py, line 4)" in str(failed.value)
    assert str(failed.value).count("JSONDecodeError") == 1


def test_a_class_that_changes_the_board_is_told_where(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("class Mine:\n    def choose(self, board, limit):\n        board.mask = 0\n        return 3\n")
    with pytest.raises(AgentError, match=r"cannot assign to field 'mask' \(mine.py, line 3\)"):
        ready_agent(f"{path}:Mine").choose(Board(), LIMIT)


def test_a_full_column_is_called_full(tmp_path: Path) -> None:
    """It is a column, numbered as the class returned it."""
    path = tmp_path / "mine.py"
    path.write_text("class Mine:\n    def choose(self, board, limit):\n        return 3\n")
    with pytest.raises(AgentError, match="choose returned 3, which is full"):
        ready_agent(f"{path}:Mine").choose(Board.from_moves([3] * 6), LIMIT)


def test_a_class_without_choose_is_refused_before_the_first_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text("class Mine:\n    def chose(self, board, limit):\n        return 3\n")
    assert run(["match", f"{tmp_path / 'mine.py'}:Mine", "random", "--games", "2"]) == ExitCode.USAGE
    shown = capsys.readouterr()
    assert "Mine has no method choose" in shown.err
    assert "forfeited" not in shown.out


BAD_REPLIES = {
    'reply = "move 8"': "it chose column '8', which is not a column from 1 to 7",
    'reply = "bestmove e2e4"': "instead of `move COLUMN`; other output belongs on standard error",
    'reply = "move 1\\nmove 2"': "",
    'reply = "x" * 100_000': "too long",
    'reply = "\\u00e9"': "it replied '\\ufffd\\ufffd' instead of",
    'reply = ""': "instead of",
    "reply = 'error out of ideas'": "out of ideas",
    "sys.exit(3)": "exit code 3",
    "time.sleep(100)": "did not reply within",
    "import os; os.close(1); time.sleep(100)": "closed its output",
}


@pytest.mark.parametrize("bad", BAD_REPLIES)
def test_a_failing_program_forfeits_its_game(bad: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "did not reply" in BAD_REPLIES[bad]:
        hurry_the_third_move(monkeypatch)
    played = play_pairing(Pairing(program(tmp_path, bad=bad), "scripted:77", limit=LIMIT))
    assert BAD_REPLIES[bad] in played.forfeit != ""
    assert played.result == 0.0


@pytest.mark.parametrize("reply", ["hello", "c4agent 2 tiny", "", "error not today"])
def test_a_program_that_speaks_otherwise_is_refused_at_once(reply: str, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_text(f"#!/bin/sh\nread line\necho '{reply}'\nsleep 100\n", encoding="utf-8")
    path.chmod(0o755)
    with pytest.raises(AgentError):
        ready_agent(f"command:{path}")
    assert not child_module._children


def test_a_match_goes_on_after_forfeits_and_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    foreign = f"{classes(tmp_path)}:Exits"
    assert run(["match", foreign, "scripted:7654321", "--games", "4", "--workers", "2", "--json"]) == ExitCode.DONE
    summary = json.loads(capsys.readouterr().out)
    assert summary["total"]["lost"] == 4 and all("exit code 0" in game["forfeit"] for game in summary["each"])
    assert run(["tournament", foreign, "scripted:7654321", "--json", "--random-plies", "0"]) == ExitCode.DONE
    table = json.loads(capsys.readouterr().out)
    assert {agent["name"]: agent["forfeited"] for agent in table["agents"]} == {foreign: 2, "scripted:7654321": 0}
    assert run(["match", "scripted:7654321", foreign, "--games", "2"]) == ExitCode.DONE
    assert f"{foreign} forfeited 2 games: it ended" in capsys.readouterr().out


def test_an_agent_that_made_no_move_has_no_move_times(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "never.py").write_text("class Never:\n    def choose(self, board, limit):\n        raise ValueError\n")
    foreign = f"{tmp_path / 'never.py'}:Never"
    assert run(["match", "depth1", foreign, "--games", "2", "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)
    assert found["move_s"]["first"]["max"] > 0 and found["move_s"]["second"] == {"mean": 0, "median": 0, "max": 0}
    assert run(["match", "depth1", foreign, "--games", "2"]) == ExitCode.DONE
    shown = capsys.readouterr().out
    assert "move times of depth1: " in shown and f"move times of {foreign}" not in shown


def test_the_memory_of_workers_and_the_parent_is_apart(tmp_path: Path) -> None:
    """A forked worker neither uses nor ends the programs of its parent."""
    foreign = f"{classes(tmp_path)}:Leftmost"
    agent = ready_agent(foreign)
    assert run(["match", foreign, "random", "--games", "2", "--workers", "2", "--json"]) == ExitCode.DONE
    assert agent.choose(Board(), LIMIT).column == 0


def test_a_stop_ends_the_wait_and_the_program(tmp_path: Path) -> None:
    agent = ready_agent(f"{classes(tmp_path)}:Sleeps")
    for _ in range(2):
        agent.choose(Board(), LIMIT)
    stop = Stop()
    stop.set()
    assert agent.choose(Board.from_moves("444444"), Limit(hard_s=3600.0), stop).column == 2
    assert not child_module._children


def test_a_substitute_chooses_the_moves_that_fail(tmp_path: Path) -> None:
    foreign = f"{classes(tmp_path)}:Raises"
    agent = WithSubstitute(make_agent(foreign), make_agent("scripted:77"))
    agent.warm_up()
    decisions = [agent.choose(Board(), LIMIT) for _ in range(5)]
    assert [decision.column for decision in decisions] == [0, 0, 6, 0, 0], "started anew after its failure"
    assert [bool(decision.note) for decision in decisions] == [False, False, True, False, False]
    assert decisions[2].note.endswith("scripted:77 chose this move.") and "no idea" in decisions[2].note


def test_a_substitute_has_time_left() -> None:
    assert share_s(5.0) < 3.0 and share_s(1.0) < 0.5


def test_play_replaces_a_failed_move_and_the_journal_says_so(tmp_path: Path) -> None:
    foreign = f"{classes(tmp_path)}:Raises"
    logs = tmp_path / "logs"
    arguments = ["play", "--games", "1", "--goal", "1", "--engine", foreign, "--opponent", "random", "--seed", "3"]
    # Within the time limit, the program starts anew after its failure.
    run([*arguments, "--logs", str(logs), "--think", "0.05", "--time-limit", "120"])
    journal = next(logs.glob("*.jsonl"))
    records = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    notes = [record["note"] for record in records if record["type"] == "intent" and record["note"]]
    assert notes and all("no idea" in note and "perfect chose" in note for note in notes)
    assert run(["replay", str(journal), "--verify"]) == ExitCode.DONE


def test_serve_replaces_a_failed_move_of_its_bot(tmp_path: Path) -> None:
    foreign = f"{classes(tmp_path)}:Exits"
    arguments = ["play", "--games", "1", "--goal", "1", "--engine", "random", "--opponent", foreign, "--seed", "1"]
    assert run([*arguments, "--logs", str(tmp_path / "logs")]) in (ExitCode.DONE, ExitCode.GOAL_MISSED)


@pytest.mark.parametrize(
    "name", ["missing.py:Agent", "command:", "command:no-such-program", "command:'", "mine.py", "{file}:Leftmost,x"]
)
def test_a_name_that_names_nothing_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        make_agent(name.format(file=classes(tmp_path)))
    assert refused.value.hint


@pytest.mark.parametrize("name", ["Missing", "Broken", "Leftmost,column=1", "Column"])
def test_a_class_that_cannot_be_made_is_refused_before_the_first_game(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["match", f"{classes(tmp_path)}:{name}", "random", "--games", "2"]) == ExitCode.USAGE
    assert capsys.readouterr().err.count("\n") == 1


def test_an_entry_point_is_an_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "kit-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: kit\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text("[bot.agents]\nleft = foreign:Leftmost\ncol = foreign:Column\n")
    classes(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert is_external("left") and not is_external("random")
    assert ready_agent("left").choose(Board(), LIMIT).column == 0
    assert ready_agent("col,column=4@time=9").choose(Board(), LIMIT).column == 4


def test_secrets_stay_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_API_KEY", "secret")
    monkeypatch.setenv("VISIBLE", "1")
    path = tmp_path / "spy.py"
    path.write_text("import os\nclass Spy:\n  def choose(self, b, l): return 'BOT_API_KEY' in os.environ or "
                    "3 * ('VISIBLE' in os.environ)\n")  # fmt: skip
    assert ready_agent(f"{path}:Spy").choose(Board(), LIMIT).column == 3


def test_the_python_interface_plays_foreign_agents(tmp_path: Path) -> None:
    file = classes(tmp_path)
    assert bot.play_game(f"{file}:Column,column=3", f"{file}:Leftmost").winner == f"{file}:Column,column=3"
    with pytest.raises(AgentError, match="no idea"):
        bot.play_game(f"{file}:Raises", "random")


def test_a_host_answers_every_line() -> None:
    """Without a process: requests as a list of lines."""
    lines = ["c4agent 1", "", "dance", "new x", "new 4", "move 4x", "move 44 depth=2", "quit", "move 1"]
    out = io.StringIO()
    answer(lambda seed: make_agent("random", seed=seed), "tester", lines, out)
    replies = out.getvalue().splitlines()
    assert [reply.split()[0] for reply in replies] == ["c4agent", "error", "error", "ready", "error", "move"]


def test_a_game_between_two_programs_of_one_command(tmp_path: Path) -> None:
    name = program(tmp_path)
    first, second = ExternalAgent(name, (name.removeprefix("command:"),)), make_agent(name)
    assert play_game(first, second, limit=LIMIT).forfeit == ""
    assert len(child_module._children) == 2


def test_a_program_ends_with_its_caller(tmp_path: Path) -> None:
    agent = ready_agent(program(tmp_path))
    process = next(iter(child_module._children))._process
    assert isinstance(agent, ExternalAgent)
    process.close_input()
    assert process.exit_code(120.0) == 0


def test_a_slow_start_is_noted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(agent_module, "NOTE_AFTER_S", 0.05)
    monkeypatch.setattr(agent_module, "START_S", 1.5)
    path = tmp_path / "slow.py"
    path.write_text("import time\n\n\nclass Slow:\n    def __init__(self):\n        time.sleep(3600)\n")
    with pytest.raises(AgentError, match="did not reply within"):
        ready_agent(f"{path}:Slow")
    [note] = [record.getMessage() for record in caplog.records]
    assert note == f"Waiting for {path}:Slow to start (at most 1.5 s)..."


def test_a_quick_start_is_not_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(agent_module, "NOTE_AFTER_S", 60.0)
    ready_agent(program(tmp_path))
    assert not caplog.records
