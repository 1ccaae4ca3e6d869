"""The whole gauntlet of one version of an agent: each result is kept at once, and an interrupted run goes on."""

from __future__ import annotations

import datetime
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from bot.agents.catalogue import may_randomise
from bot.agents.games import ready_agent
from bot.engine.processes import Pool
from bot.errors import AgentError
from bot.game import PlayedGame, format_moves
from bot.gauntlet import chance, losses, sight
from bot.gauntlet.arena.games import Pairing, play_pairing, points_of, side_of
from bot.gauntlet.arena.workers import run_tasks
from bot.gauntlet.evidence import Evidence, evidence_of
from bot.gauntlet.findings import DEPTH, Diagnosis, Loss, findings_of
from bot.gauntlet.losses import LostGame, ranked
from bot.gauntlet.passing import MOST_GAMES, CourseBot, Passing, course_pairing, in_short
from bot.gauntlet.sight import OPENING, SEEN_AFTER, Answers, SightPosition, SightQuestion, answer, sight_positions
from bot.gauntlet.store import Head, RecordStore, load
from bot.gauntlet.versions import fingerprint, sources_of, version_of

_FIRST = 6
"""Positions that are asked first: an agent that fails in all of them is asked no more."""
_MAYBE_DRAWN = ("wins not preferred", "it won later", DEPTH)
"""Findings that chance may explain."""
_ENOUGH = 40
"""Games from which on one knows what is wrong: as many are played where the time allows, also after the answer."""


@dataclass(frozen=True)
class Amounts:
    """How long each part of a run may take, seconds, and how many lost games are explained."""

    sight_s: float = 60.0
    games_s: float = inf
    evidence_s: float = 60.0
    """Time from the start in which games are played although the answer is known."""
    explained_s: float = 300.0
    further_s: float = 60.0
    """Time for the further questions about chance."""
    explained: int = 300


WHOLE = Amounts()
QUICK = Amounts(sight_s=10.0, games_s=42.0, evidence_s=36.0, explained_s=7.0, further_s=8.0, explained=20)
Progress = Callable[[str, int], None]
"""Called with the part that is worked on and the number of tasks that it still lacks, then once a task with 0."""


def perform(work: Callable[[Any], Any], until_s: float, task: Any) -> Any:
    """Return the result of a task, as JSON; None after ``until_s`` by the clock, when it is too late to begin it."""
    return None if time.time() > until_s else work(task)


def played_json(pairing: Pairing) -> dict[str, Any]:
    """Play a game."""
    return play_pairing(pairing).as_json()


def place(logs: Path, agent: str) -> tuple[Path, Head]:
    """Return the file of an agent's results, and its head."""
    name = re.sub(r"[^\w.-]+", "-", agent).strip("-.")
    return logs / "gauntlet" / f"{name}.jsonl", {"gauntlet": agent}


def history(logs: Path, name: str) -> dict[str, Any]:
    """Return what is said of the newest version of the agent called ``name``, as the page shows it.

    Where there was no gauntlet, the version is empty, and nothing is in the lists.
    """
    reports = [record["found"] for key, record in load(*place(logs, name)).items() if key.startswith("report ")]
    newest: dict[str, Any] = reports[-1] if reports else {}  # a version keeps the place of its first report
    passes = []
    for each in newest.get("passes", []):
        passes.append({key: each[key] for key in ("bot", "value", "text")} | {"short": in_short(each)})
    found = {"version": newest.get("version", ""), "made": newest.get("made", ""), "passes": passes}
    findings = [each | {"positions": losses.shown_positions(each["positions"])} for each in newest.get("findings", [])]
    return found | {"findings": findings} | losses.listed(newest.get("losses", []), newest.get("groups", []))


class Gauntlet:
    """The gauntlet of the present version of ``agent``, with what ``store`` has of this and earlier versions."""

    def __init__(self, agent: str, store: RecordStore, plan: Amounts, workers: int, on_progress: Progress) -> None:
        self.agent, self.plan = agent, plan
        self.version = version_of(agent)
        self._store, self._workers, self._on_progress = store, workers, on_progress
        self._pool = Pool(workers)
        self._sources = fingerprint((sight.__name__, losses.__name__, play_pairing.__module__))
        self._start_s = time.time()
        self._is_stopped = False
        """Whether Ctrl-C ended the work, so that the report has only what is known by then."""

    def run(self, bots: Sequence[CourseBot]) -> dict[str, Any]:
        """Ask and play what is missing, until Ctrl-C, and return the report, which is kept."""
        with self._pool:
            return self._reported(bots)

    def _reported(self, bots: Sequence[CourseBot]) -> dict[str, Any]:
        answers = self._sight()
        rules = _rules(answers)
        has_chance = rules["has_chance"] is not False
        report: dict[str, Any] = {"agent": self.agent, "version": self.version, "given": self._given(), "rules": rules}
        report |= {"passes": [], "losses": [], "groups": [], "counts": {}, "findings": []}
        series: list[Passing] = []
        if not rules["is_hopeless"]:
            series = [self._passing(bot, has_chance=has_chance) for bot in bots]
        games = [game for passing in series for game in passing.played]
        report["passes"] = [passing.as_json(self._workers) for passing in series]
        with self._until_ctrl_c():
            report |= self._lost(games)
            evidence = evidence_of(self.agent, answers, games, has_chance=has_chance)
            found = self._findings(evidence, report, games, chance.failed_in(answers))
            so_far = " so far" if len(report["losses"]) < report["counts"]["different"] else ""
            report["findings"] = [each.as_json(report["losses"], so_far) for each in found]
        report["is_stopped"] = self._is_stopped
        made = datetime.datetime.now().isoformat(" ", "seconds")
        report["made"] = self._store.known.get(f"report {self.version}", {"found": {"made": made}})["found"]["made"]
        self._store.add(f"report {self.version}", {"found": report})
        return report

    @contextmanager
    def _until_ctrl_c(self) -> Iterator[None]:
        """End the body at Ctrl-C, and all further work with it."""
        try:
            yield
        except KeyboardInterrupt:
            self._is_stopped = True

    def _given(self) -> str:
        """Return what the agent is given, and what stands in for gym; empty where nothing is to be said."""
        try:
            agent = ready_agent(self.agent)
        except AgentError as error:
            return str(error)
        agent.close()
        return agent.note

    def _results(
        self, part: str, work: Callable[[Any], Any], tasks: Mapping[str, Any], until_s: float, opponent: str = ""
    ) -> Iterator[tuple[str, Any]]:
        """Yield the results of these tasks: what is kept, then what is done, and kept, until the time is up."""
        sources = f"{self._sources} {sources_of(opponent)}" if opponent else self._sources
        missing: dict[Any, str] = {}
        for name, task in tasks.items():
            kept = self._store.get(f"{self.version} {part} {name}", sources)
            if kept is not None:
                yield name, kept["found"]
            else:
                missing[task] = name
        if self._is_stopped:
            return
        with self._until_ctrl_c():
            self._on_progress(part, len(missing))
            for task, found in run_tasks(partial(perform, work, until_s), [*missing], workers=self._pool):
                self._on_progress(part, 0)
                if found is not None:
                    self._store.add(f"{self.version} {part} {missing[task]}", {"found": found}, sources)
                    yield missing[task], found

    def _sight(self) -> Answers:
        """Ask the positions, the openings twice, and all of them twice where the agent has chance."""
        until_s = self._start_s + self.plan.sight_s
        every = sight_positions()
        openings = [each for each in every if each.kind == OPENING]
        answers: dict[SightQuestion, dict[str, Any]] = {}
        for number, asked in ((1, openings[:_FIRST]), (2, openings), (1, every[_FIRST:]), (2, every[len(openings) :])):
            tasks = {
                f"{number} {format_moves(each.columns)}": SightQuestion(self.agent, each, number) for each in asked
            }
            answers |= {tasks[name]: found for name, found in self._results("sight", answer, tasks, until_s)}
            failed = all(found["error"] for found in answers.values())
            is_settled = len(answers) > 2 * len(openings) and _has_chance(answers) is False
            if failed or is_settled:
                break
        return answers

    def _passing(self, bot: CourseBot, *, has_chance: bool) -> Passing:
        """Play until the answer is known, and beyond that while it is said what is wrong; or until the time is up."""
        sides = 1 if bot.student_starts else 2
        is_certain = not has_chance and not may_randomise(bot.name)
        most = sides if is_certain else MOST_GAMES
        pairings = {str(number): course_pairing(self.agent, bot, number) for number in range(most)}
        games: dict[int, PlayedGame] = {}
        passing = Passing(self.agent, bot, (), is_certain)
        until_s = inf if is_certain else max(self._start_s + self.plan.games_s, time.time() + 5)
        for number, found in self._results(f"pass/{bot.name}", played_json, pairings, until_s, bot.name):
            games[int(number)] = PlayedGame.from_json(found)
            begun = next(number for number in range(len(games) + 1) if number not in games)
            whole = [games[number] for number in range(begun - begun % sides)]
            passing = Passing(self.agent, bot, whole, is_certain, list(games.values()))
            is_known = len(games) >= _ENOUGH or time.time() > self._start_s + self.plan.evidence_s
            if passing.is_decided and is_known:
                break
        return passing

    def _lost(self, games: Sequence[PlayedGame]) -> dict[str, Any]:
        """Return what is said of the games that were lost; equal games once."""
        lost: list[tuple[LostGame, str]] = []
        for game in games:
            if not points_of(self.agent, game):
                side = side_of(self.agent, game)
                lost.append((LostGame(game.moves, side, game.ended), (game.second, game.first)[side]))
        opponents = dict(lost)
        asked = [*opponents][: self.plan.explained]
        tasks = {f"{game.side} {format_moves(game.moves)}": game for game in asked}
        found: list[Loss] = []
        for name, loss in self._results("lost", losses.explain, tasks, time.time() + self.plan.explained_s):
            task = tasks[name]
            about = {"opponent": opponents[task], "starts": task.side == 0, "moves": format_moves(task.moves)}
            found.append(about | loss)
        counts = {"games": len(games), "lost": len(lost), "different": len(opponents)}
        return {"losses": found, "groups": losses.groups_of(found), "counts": counts}

    def _findings(
        self,
        evidence: Evidence,
        report: Mapping[str, Any],
        games: Sequence[PlayedGame],
        failed: Sequence[SightPosition],
    ) -> list[Diagnosis]:
        """Return what is wrong, with what only further questions can show; elsewhere what lost most games."""
        rules, found = report["rules"], findings_of(evidence)
        if failed and not rules["is_hopeless"]:
            asked = chance.state_tasks(self.agent, failed, games, rules["mean_s"])
            replies = dict(self._results("state", sight.replies, asked, inf))
            found = [*chance.state_finding(failed, asked, replies), *found]
        lost = report["losses"]
        if evidence.has_chance and all(each.name in _MAYBE_DRAWN for each in found):
            wrong = chance.mistakes(evidence.seen, losses.mistakes_of(lost))
            questions = chance.questions(self.agent, wrong, rules["mean_s"])
            again = dict(self._results("again", answer, questions, time.time() + self.plan.further_s))
            found = [*chance.random_finding(questions, again, wrong), *found]
        return ranked(found, evidence, lost)


def _has_chance(answers: Answers) -> bool | None:
    """Return whether equal positions got different moves; None where none was answered twice."""
    columns: dict[SightPosition, list[int]] = {}
    for question, found in answers.items():
        if not found["error"]:
            columns.setdefault(question.position, []).append(found["column"])
    twice = [each for each in columns.values() if len(each) > 1]
    return any(len(set(each)) > 1 for each in twice) if twice else None


def _rules(answers: Answers) -> dict[str, Any]:
    """Return what the answers say of rules, times and sight."""
    seen = {kind: [0, 0] for kind in SEEN_AFTER}
    for question, found in answers.items():
        if question.position.kind in seen:
            seen[question.position.kind][0] += found["column"] in question.position.right
            seen[question.position.kind][1] += 1
    every = answers.values()
    times = [found["seconds"] for found in every]
    failed = sum(bool(found["error"]) for found in every)
    return {
        "asked": len(answers),
        "failed": failed,
        "mean_s": sum(times) / max(1, len(times)),
        "worst_s": max(times, default=0.0),
        "has_chance": _has_chance(answers),
        "changed": any(found["changed"] for found in every),
        "is_hopeless": 0 < failed == len(answers),
        "sight": seen,
    }
