"""What the command line promises: results on standard output, errors in one line, and exit codes.

Columns are numbered 1 to 7. The commands are those of the README; the tests of a single command are in its own file.
"""

from __future__ import annotations

import json
import socket

import pytest

from bot.config import COURSE_SERVER, Settings, load_settings
from bot.engine.perfect import shipped_book
from bot.engine.review import review
from tests.processes import ROOT

ENDGAME = "532336513633217277452711665127"
"""A position that the solver answers at once."""
DONE = {
    "--version": "bot ",
    "--help": "Play two agents against each other",
    "agents": "perfect",
    f"analyse {ENDGAME}": "best: ",
    "analyse 4453 --score-only": "X to move loses in 18 moves.",
    "move perfect 44": "4",
    "coach 142634435265": "move 9: After X's column 5, O could open two fours at once. Which column prevented that?",
    "coach 414147": "\n      allowed: X could make four in column 4: that cell was left open.\n",
    "coach 4141 --json": '"column": 1,',
    "coach 4141474 --json": '"lost_side": 1',
    "coach 41414 --json": '"danger": [4]',
    "puzzles --seed 7 --count 1": "Puzzle 1 (7-5), grade 5: ",
    "puzzles --seed 5 --count 1 --json": '[{"name": "5-',
    "coach 414141 --json": '"cell": "d4"',
    "challenge --list": "*  2  Novice",
    "match depth1 random --games 2": "depth1 against random",
    "proof explain 4": "4",
    "paper list": "tommy  ",
}
"""Commands that end with exit code 0, and part of what they print."""


@pytest.mark.parametrize("line", DONE)
def test_a_command_prints_its_result_and_ends_with_0(cli, line):
    done = cli(line)
    assert done.returncode == 0 and DONE[line] in done.stdout


WRONG = {
    "analyse": "Give either MOVES or --file",
    "analyse 44 --file -": "Give either MOVES or --file",
    "analyse 4444444": "Column 4 is full",
    "analyse 1212121": "The game is over in this position: X has won",
    "analyse 71212121": "O has won",
    "analyse 12121217": "after the game has ended",
    "analyse 48": "'8' at place 2 is not a column",
    "analyse --file no-such-file --no-book": "No such file or directory",
    "move perfekt 44": "Did you mean perfect",
    "move tommy-ab:4 1212121": "over",
    "coach 48": "'8' at place 2 is not a column",
    "challenge --level 11": "less than or equal to 10",
    "puzzles --kind mate": "mate",
    "puzzles --day yesterday": "yesterday",
    "puzzles --day today --kind win": "--kind",
    "replay no-such-file": "no-such-file",
    "replay": "There is no journal",
    "streak --server foo": "foo",
    "players --db none": "unable to open database file. Check --db",
    "serve --limit nan": "--limit",
    "serve --limit 0": "--limit",
    "play --engine perfct": "There is no agent called 'perfct'.",
    "play --logs bot.toml": "bot.toml is not a folder. Choose another --logs folder.",
    "play --server http://127.0.0.1:9": "--stil-id",
    "play --server http://127.0.0.1:9 --stil-id a --opponent random": "--opponent is the bot of the embedded server",
    "play --patience inf": "--patience",
    "play --time-limit inf": "--time-limit",
    "play --time-limit 1e9": "--time-limit",
    "play --think nan": "--think",
    "simulate --games 1": "No such command 'simulate'.",
    "init": "--force",
    "init --force --stil-id 'a b'": "a b",
    "init --force --server ftp://x": "ftp",
    "paper run nobody": "There are: edap01, halim, kang, tommy, van_der_schee, or all.",
    "export page --out a.html": "Give either MOVES or --journal.",
    "doctor --nonsense": "No such option: --nonsense",
}
"""Commands that end with exit code 2, and part of the sentence on standard error."""


@pytest.mark.parametrize("line", WRONG)
def test_a_mistake_is_one_sentence_before_the_engine_is_loaded_and_ends_with_2(cli, line, tmp_path, monkeypatch):
    (tmp_path / "bot.toml").touch()
    monkeypatch.setattr("bot.cli.progress.loading_engine", lambda: pytest.fail("the engine is loaded"))
    done = cli(line)
    assert (done.returncode, done.stdout) == (2, "")
    assert WRONG[line] in " ".join(done.stderr.split()) and "Traceback" not in done.stderr
    assert done.stderr.startswith(("bot: ", "Usage: ")) and done.stderr.count("\n") == 1 + 3 * ("Usage" in done.stderr)


@pytest.mark.parametrize("line", ["analyse 48", "streak --server foo"])
def test_verbose_adds_the_traceback_and_keeps_the_exit_code(cli, line):
    plain = cli(line).stderr
    for verbose in (f"-v {line}", f"{line} --verbose"):
        done = cli(verbose)
        assert done.returncode == 2 and "Traceback" in done.stderr and done.stderr.endswith(plain)


def test_a_taken_port_is_a_usage_error(cli):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = cli(f"serve --opponent random --port {taken.getsockname()[1]}")
    assert done.returncode == 2 and "--port" in done.stderr


def test_play_plays_the_embedded_server_without_any_settings_and_streak_and_replay_agree(cli):
    done = cli("play --games 2 --goal 2 --think 0.05 --seed 1 --json")
    answer = json.loads(done.stdout)
    fields = (
        "server played won drawn lost streak goal passed witness statistics substituted_moves slowest_move_s journal"
    )
    assert done.returncode == 0 and set(answer) == set(fields.split())
    assert (answer["played"], answer["lost"], answer["streak"], answer["passed"]) == (2, 0, 2, True)
    assert (answer["witness"], answer["statistics"]["streak"], answer["substituted_moves"]) == ("server", 2, 0)
    first = next(line for line in done.stderr.splitlines() if line.startswith("Playing"))
    assert all(word in first for word in ("embedded", "local-player", "5 s", answer["server"]))
    assert "2 games, no problems." in cli("replay --verify").stdout
    shown = cli("replay --game 1").stdout
    assert "1 2 3 4 5 6 7" in shown and "(wins in 21 moves" in shown
    assert cli("streak --goal 2").returncode == 0
    missed = cli("streak --goal 3")
    assert missed.returncode == 5 and "the longest streak is 2 of 3" in missed.stdout


def test_init_writes_settings_that_are_accepted_and_only_the_owner_may_read(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bot.toml"
    path.touch(mode=0o644)
    assert cli("init --force").returncode == 0
    text = path.read_text()
    assert all(f"# {name} = " in text for name in Settings.model_fields) and load_settings().is_embedded
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("\n".join(line.removeprefix("# ") if " = " in line else line for line in text.splitlines()))
    assert load_settings().server == COURSE_SERVER, "the examples are valid, too"
    cli("init --force --stil-id ab --stil-id cd --server http://127.0.0.1:8000/move")
    assert (load_settings().server, load_settings().player) == ("http://127.0.0.1:8000", ("ab", "cd"))


def test_half_of_the_coachs_time_is_for_the_review(cli, monkeypatch):
    given = []

    def reviewed(columns, analyst, deadline_s, stop):
        given.append(deadline_s)
        return review(columns, analyst, deadline_s, stop)

    monkeypatch.setattr("bot.engine.review.review", reviewed)
    assert cli("coach 4141 --deadline 50").returncode == 0 and given == [25.0]


def test_a_paper_is_shown_from_the_folder_before_the_package(cli, tmp_path):
    page = json.loads((ROOT / "bot/papers/tommy/results.json").read_text("utf-8"))
    (tmp_path / "tommy").mkdir()
    (tmp_path / "tommy" / "results.json").write_text(json.dumps({**page, "title": "Mine"}))
    shown = [cli(f"paper show tommy --out {folder}").stdout.partition("\n")[0] for folder in (".", "none")]
    assert shown == ["Mine", page["title"]]


def test_a_damaged_opening_book_only_makes_it_slower(cli, tmp_path, monkeypatch):
    (tmp_path / "book.bin").write_bytes(b"damaged")
    monkeypatch.setattr("bot.engine.book.lookup.SHIPPED", tmp_path / "book.bin")
    shipped_book.cache_clear()
    try:
        told = [cli(line) for line in (f"analyse {ENDGAME} --json", "move perfect@time=0.1 4 --json")]
    finally:
        shipped_book.cache_clear()
    assert all(done.returncode == 0 and json.loads(done.stdout) for done in told)
