"""Programs from outside: what they may do, and everything that they may do badly."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.agents.external import agent as external
from bot.agents.external import child
from bot.agents.external.agent import share_s, with_substitute
from bot.agents.external.host import answer, foreign_maker
from bot.agents.games import ready_agent
from bot.cli.agents import getting_ready
from bot.cli.app import run
from bot.course.journal.journal import read_journal
from bot.engine.agent import Decision, Derived, Limit, StopFlag
from bot.errors import AgentError, ExitCode
from bot.game import Board
from tests.agents.external.programs import Noting, classes, program
from tests.engine.virtual_time import virtual_time
from tests.processes import bot_here, running_bot

LIMIT = Limit(hard_s=120.0)
CHOOSE = "class Mine:\n    def choose(self, board, limit):\n"


def hosted(path: Path, name: str, *lines: str, **arguments: str) -> list[str]:
    """Return the replies of a class in this process."""
    out = io.StringIO()
    answer(foreign_maker(path, name, arguments), name, lines, out)
    return out.getvalue().splitlines()


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def test_each_game_has_a_new_object_with_its_arguments_and_seed(tmp_path):
    file = classes(tmp_path)
    assert hosted(file, "Column", "new 3", "move -", "move 333333", column="2") == ["ready", "move 3", "move 7"]
    assert hosted(file, "Late", *["new 1", "move -", "move -"] * 2)[-1] == "move 1", "it fails in a game's third move"
    games = [hosted(file, "Drawn", f"new {seed}", *["move -"] * 20) for seed in (1, 2, 1)]
    assert games[0] == games[2] != games[1]


def test_numpy_is_seeded_where_a_class_imports_it_only_when_it_moves(tmp_path):
    source = f"{CHOOSE}        import numpy\n        return int(numpy.random.choice(board.legal_columns()))\n"
    name = f"{written(tmp_path / 'mine.py', source)}:Mine"
    games = []
    for seed in (1, 1, 2):
        agent = ready_agent(name, seed)  # a new process: those before are not closed
        games.append([agent.choose(Board(), LIMIT).column for _ in range(12)])
    assert games[0] == games[1] != games[2]


def test_a_class_gets_ready_before_its_first_move(tmp_path):
    source = f"{CHOOSE}        return self.column\n    def warm_up(self):\n        self.column = 4\n"
    assert hosted(written(tmp_path / "mine.py", source), "Mine", "new -", "move -") == ["ready", "move 5"]


JSON = f"import json\n{CHOOSE}        return json.loads('')\n"
NO_CHOOSE = (
    "error `Mine` has no method choose that takes a board and a limit. "
    "Write, for instance: `def choose(self, board, limit): return board.legal_columns()[0]`."
)
BAD_CLASSES = {
    f"{CHOOSE}        raise RuntimeError('no idea')\n": "error RuntimeError: no idea (mine.py, line 3)",
    f"{CHOOSE}        return 3\n": "error Mine.choose returned 3, which is full (column 4, counted from 1).",
    f"{CHOOSE}        board.mask = 0\n": "error FrozenInstanceError: cannot assign to field 'mask' (mine.py, line 3)",
    JSON: "error JSONDecodeError: Expecting value: line 1 column 1 (char 0) (mine.py, line 4)",
    CHOOSE.replace("choose", "chose") + "        return 3\n": NO_CHOOSE,
    CHOOSE.replace(", limit", "") + "        return 3\n": NO_CHOOSE,
}


def test_the_error_of_a_class_is_one_line_with_its_place_in_its_own_file(tmp_path):
    for source, expected in BAD_CLASSES.items():
        assert hosted(written(tmp_path / "mine.py", source), "Mine", "move 444444") == [expected]


def test_a_class_that_cannot_be_made_is_refused_before_the_first_game(tmp_path):
    for name, message in {"Broken": "no weights", "Column": "argument: 'column'"}.items():
        done = bot_here("match", f"{classes(tmp_path)}:{name}", "random", "--games", "2", cwd=tmp_path)
        assert (done.returncode, done.stdout, message in done.stderr) == (ExitCode.USAGE, "", True), done.stderr


def test_a_file_may_be_called_as_another_module_and_use_its_neighbours_and_the_working_folder(tmp_path, monkeypatch):
    (tmp_path / "agents").mkdir()
    written(tmp_path / "agents" / "neighbour.py", "COLUMN = 5\n")
    written(tmp_path / "shared.py", "from bot.game import Board\n")
    source = f"import neighbour, shared\n{CHOOSE}        return neighbour.COLUMN if board == shared.Board() else 0\n"
    written(tmp_path / "agents" / "bot.py", source)
    monkeypatch.chdir(tmp_path)
    assert ready_agent("agents/bot.py:Mine").choose(Board(), LIMIT).column == 5


BAD_PROGRAMS = {
    "reply = 'move 8'": "it chose column '8', which is not a column from 1 to 7",
    "reply = 'bestmove e2e4'": "instead of `move COLUMN`; other output belongs on standard error",
    "reply = 'move 1\\nmove 2'": "a line that no request asked for",
    "reply = 'x' * 100_000": "too long",
    "reply = '\\u00e9'": r"it replied '\\ufffd\\ufffd' instead of",
    "reply = ''": "instead of",
    "reply = 'error: out of ideas'": "tiny failed: out of ideas",
    "sys.exit(3)": "exit code 3",
    "import os; os.abort()": "signal 6",
    "time.sleep(100)": r"did not reply within 0\.\d s\.$",
    "x = [bytearray(1 << 25) for _ in range(1000)]": "exit code 1. Its last message: MemoryError",
    "import os; os.close(1); time.sleep(100)": "closed its output",
}


@pytest.mark.parametrize("bad", BAD_PROGRAMS)
def test_a_failing_program_is_ended_and_says_why(bad, tmp_path, monkeypatch):
    monkeypatch.setattr(child, "MEMORY_BYTES", 1 << 28)
    agent = ready_agent(program(tmp_path, bad=bad))
    with pytest.raises(AgentError, match=BAD_PROGRAMS[bad]):
        for limit in (LIMIT, LIMIT, Limit(hard_s=0.3) if bad == "time.sleep(100)" else LIMIT):
            agent.choose(Board(), limit)
        (late,) = child._children  # it replied with a second line, which is read a moment after the first
        while not late.has_unread:
            time.sleep(0.01)
        agent.choose(Board(), LIMIT)
    assert not child._children


def test_a_program_that_speaks_otherwise_is_refused_at_once(tmp_path):
    for reply in ("hello", "c4agent", "c4agent 1", "c4agent 2 tiny", "", "error not today"):
        path = written(tmp_path / "other", f"#!/bin/sh\nread line\necho '{reply}'\nsleep 100\n")
        with pytest.raises(AgentError):
            ready_agent(f"command:{path}")
        assert not child._children


def test_a_program_that_keeps_its_output_in_a_buffer_is_told_to_flush_it(tmp_path, monkeypatch):
    monkeypatch.setattr(external, "START_S", 0.5)
    path = written(tmp_path / "buffers", "#!/bin/sh\nsleep 100\n")
    assert getting_ready(f"command:{path}").describe() == f"Waiting for command:{path}"
    with pytest.raises(AgentError, match=r"did not reply within 0\.5 s; .* flush after each line, in C by fflush"):
        ready_agent(f"command:{path}")


def test_agents_of_ones_own_are_explained_by_name(tmp_path, capsys):
    name = f"{classes(tmp_path)}:Leftmost"
    assert run(["agents", name]) == ExitCode.DONE
    assert " ".join(capsys.readouterr().out.split()).startswith(f"{name}: an agent of your own; KEY=VALUE")
    assert run(["agents", "missing.py:Leftmost"]) == ExitCode.USAGE


def test_a_stop_ends_the_wait_and_the_program(tmp_path):
    agent, stop = ready_agent(program(tmp_path, bad="time.sleep(3600)", after=0)), StopFlag()
    stop.set()
    assert agent.choose(Board.from_moves("444444"), Limit(hard_s=3600.0), stop).column == 2
    assert not child._children


DAEMON = """#!/bin/sh
exec 9> alive
setsid -f env -i sleep 9999
read line; echo c4agent 1 deaf; read line; echo ready; read line; echo asked > asked
sleep 9999
"""
"""It hangs, and leaves a process of another session and without its environment. Both hold the pipe ``alive`` open."""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere what leaves the process group goes on")
@pytest.mark.parametrize(
    ("number", "code"), [(None, 2), (signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
def test_all_that_a_program_has_started_ends_with_it_and_with_the_process_that_asks_it(number, code, tmp_path):
    path = written(tmp_path / "deaf", DAEMON)
    for name in ("alive", "asked"):
        os.mkfifo(tmp_path / name)
    seconds = 0.2 if number is None else 100.0
    with running_bot("move", f"command:{path}@time={seconds}", "4", cwd=tmp_path, stderr=subprocess.PIPE) as process:
        with (tmp_path / "alive").open() as alive:
            assert (tmp_path / "asked").read_text() == "asked\n"
            if number is not None:
                process.send_signal(number)
            alive.read()  # until the last process that writes has ended
        process.communicate()
    assert process.returncode == code


def test_a_start_and_the_move_after_it_share_one_limit(monkeypatch):
    """Each reply takes a second, and the program has ended before the move."""
    replies, limits = {"c4agent": "c4agent 1 slow", "new": "ready", "move": "move 4"}, list[float]()

    def ask(request: str, limit_s: float, *_: object, **_options: object) -> str:
        limits.append(limit_s)
        return replies[request.split(maxsplit=1)[0]]

    for clock in ("monotonic", "perf_counter"):
        monkeypatch.setattr(time, clock, lambda: float(len(limits)))
    monkeypatch.setattr(external, "Child", Mock(return_value=Mock(ask=ask, is_alive=False, kept_from_running_s=0.0)))
    found = external.ExternalAgent("slow", ()).choose(Board(), Limit(hard_s=5.0))
    start_s = external.START_S
    assert limits == [start_s, start_s - 1, 5, 4, 3 + external.GRACE_S] and found.seconds == 3


def test_the_time_for_which_a_program_was_kept_from_running_is_read_in_nanoseconds(tmp_path, monkeypatch):
    _agent = ready_agent(program(tmp_path))
    (running,) = child._children
    pid = running._process.pid
    files = {f"/proc/{pid}/task/{pid}/children": "77 78 ", "/proc/77/schedstat": "4000000000 2500000000 9\n"}
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", lambda path, **_: files[path.as_posix()])
        assert running.kept_from_running_s == 2.5


def test_a_busy_machine_makes_no_agent_late_where_its_own_time_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(child.Child, "kept_from_running_s", property(lambda _: time.monotonic()))
    agent = ready_agent(program(tmp_path, bad="time.sleep(1)", after=0))
    found = agent.choose(Board(), Limit(hard_s=0.1, own_time=True))
    assert found.column == 0 and found.seconds < 1, "less than the second that it was kept waiting"
    with pytest.raises(AgentError, match="did not reply within"):
        agent.choose(Board(), Limit(hard_s=0.1))


def test_a_program_is_used_for_the_next_game_and_told_its_seed(tmp_path):
    name = program(tmp_path, bad="reply = 'move ' + seed", after=0)
    for seed in (2, 5):
        agent = ready_agent(name, seed)
        assert agent.choose(Board(), LIMIT).column == seed - 1
        agent.close()
        agent.close()
    assert len(child._children) == 1
    _both = ready_agent(name), ready_agent(name)
    assert len(child._children) == 2, "two games at once"


def test_secrets_stay_here(tmp_path, monkeypatch):
    for name in ("BOT_API_KEY", "BOT_STIL_ID", "VISIBLE"):
        monkeypatch.setenv(name, "secret")
    bad = "import os; reply = 'move %d' % (1 + list(os.environ.values()).count('secret'))"
    assert ready_agent(program(tmp_path, bad=bad, after=0)).choose(Board(), LIMIT).column == 1


def test_a_match_goes_on_after_forfeits_and_names_them(tmp_path):
    """A forked worker neither uses nor ends the programs of its parent."""
    exits, never = program(tmp_path, "exits", "sys.exit(0)"), program(tmp_path, "never", "reply = 'error no'", after=0)
    agent = ready_agent(exits)
    options = "scripted:7654321 --games 4 --workers 2 --json"
    summary = json.loads(bot_here("match", exits, *options.split(), cwd=tmp_path).stdout)
    assert summary["total"]["lost"] == 4 and all("exit code 0" in game["forfeit"] for game in summary["each"])
    assert agent.choose(Board(), LIMIT).column == 0
    shown = bot_here("match", "depth1", never, "--games", "2", cwd=tmp_path).stdout
    assert f"{never} forfeited 2 games: no" in shown
    assert "move times of depth1: " in shown and f"move times of {never}" not in shown


def test_a_substitute_gets_what_the_agent_has_left_of_the_time():
    with virtual_time() as clock:

        def fail(*_: object) -> Decision:
            clock.now += 3.0
            raise AgentError("late")

        noting = Noting()
        agent = with_substitute(Derived("slow", (), fail), noting)
        assert agent.choose(Board(), Limit(hard_s=5.0, think_s=4.0)).note == "late noting chose this move."
    assert (noting.limit.hard_s, noting.limit.think_s) == pytest.approx((2.0, 2.0))


PLAYED = ["--opponent", "random", "--games", "1", "--think", "0.05", "--time-limit", "120", "--logs", "logs"]
"""Options of a game at the embedded server."""


def test_at_a_course_server_a_failed_move_is_replaced_and_the_journal_says_so(tmp_path):
    """Nothing that the agent says of its search spoils the journal."""
    boasts = "reply = f'{reply} score=nan nodes={10**15}' if moves < 3 else 'error no idea'"
    foreign = program(tmp_path, bad=boasts, after=0)
    said = bot_here("play", "--engine", foreign, *PLAYED, "--goal", "1", cwd=tmp_path).stdout
    journal = next((tmp_path / "logs").glob("*.jsonl"))
    assert read_journal(journal).damaged == [] and read_journal(journal).games[0].result is not None
    records = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    notes = [record["note"] for record in records if record["type"] == "chosen" and record["note"]]
    assert notes and all("no idea" in note and "perfect chose" in note for note in notes)
    moves = f"{len(notes)} move{'s' * (len(notes) > 1)}"
    assert f"{foreign} failed in {moves}, which perfect chose instead." in said
    assert f"the engine failed in {moves}" in bot_here("streak", "--logs", "logs", cwd=tmp_path).stdout
    assert bot_here("replay", str(journal), "--verify", cwd=tmp_path).returncode == ExitCode.DONE
    assert f", {len(notes)} of " in said and " by perfect; " in said
    assert f"Note: {foreign} has about 118.7 s of the 120 s per move" in " ".join(said.split())
    assert share_s(5.0) == 4.0 and share_s(1.0) == 0.375, "the substitute has time left"


def test_without_a_substitute_a_failed_move_ends_the_run_with_the_agents_error(tmp_path):
    foreign = program(tmp_path, bad="reply = 'error no idea'")
    done = bot_here("play", "--engine", foreign, *PLAYED, "--no-substitute", cwd=tmp_path)
    assert done.returncode == ExitCode.USAGE and f"bot: {foreign} failed: no idea." in done.stderr
    assert "of the 120 s" not in done.stdout, "all of the time is the agent's"
    assert "The agent has failed: game 1 is still running on the server. The game is kept." in done.stdout
