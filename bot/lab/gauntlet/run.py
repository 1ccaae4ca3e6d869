"""The whole gauntlet of one version of an agent: each result is kept at once, and an interrupted run goes on."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bot.agents.catalogue import agent_modules
from bot.agents.games import Played, close, ready_agent
from bot.errors import BotError
from bot.game import format_moves, parse_moves
from bot.lab.arena.games import Pairing, PlayedPairing, match_pairings, play_pairing, points_of
from bot.lab.arena.match_run import pairs_of
from bot.lab.arena.pairs import Sprt
from bot.lab.arena.workers import run_tasks
from bot.lab.gauntlet import losses
from bot.lab.gauntlet.losses import Loss, LostGame
from bot.lab.gauntlet.passing import CourseBot, play_for_pass
from bot.lab.gauntlet.rules import COURSE_LIMIT, RuleQuestion, RulesFound, answer, judge_rules, rule_positions
from bot.lab.gauntlet.strength import RATINGS, elo_of, kept_by_phase, strength_pairings
from bot.lab.judge.answers import Answer, Question, ask
from bot.lab.positions import read_positions
from bot.lab.sources import fingerprint
from bot.lab.store import Records, RecordStore
from bot.lab.versions import keep_copy, version_of

FOLDER = "gauntlet"
"""Folder of results and of copies of the versions, among the logs."""
MOVES_OF_A_GAME = 15
"""Moves of one side in a game, about."""
_FIRST_RULES = 6
"""Positions of the rules that are asked first: an agent that fails in all of them is asked no more."""
BETTER = Sprt(-40, 40)
"""The test of a version against the one before."""
_PAIRS_AT_ONCE = 10
"""Pairs of games after each of which that test is looked at."""


@dataclass(frozen=True)
class Amounts:
    """How much is asked and played at most, and how much processor time each part may take."""

    rules: int = 100
    judged: int = 360
    games: int = 128
    """Against the opponents of `RATINGS`."""
    series: int = 1280
    """Games against each of the course's bots."""
    explained: int = 300
    """Losses that are explained."""
    duel: int = 200
    """Games against the version before."""
    budget_s: float = 900.0

    def affordable(self, most: int, moves: int, mean_s: float) -> int:
        """Return how many of ``most`` units, of ``moves`` moves each, the time allows: at least two."""
        return max(2, min(most, int(self.budget_s / max(1e-6, moves * mean_s))))


WHOLE = Amounts()
QUICK = Amounts(rules=44, judged=36, games=16, series=20, explained=20, duel=20, budget_s=7.0)
Progress = Callable[[str, int], None]
"""Called with the part that is worked on and the number of tasks that it still lacks, then once a task with 0."""


@dataclass(frozen=True)
class Job:
    """One task and the function that does it; both can be sent to another process."""

    work: Callable[[Any], Any]
    task: Any


def perform(job: Job) -> Any:
    """Return the result of a job, as JSON."""
    return job.work(job.task)


def played_json(pairing: Pairing) -> dict[str, Any]:
    """Play a game."""
    return play_pairing(pairing).as_json()


def file_name(agent: str) -> str:
    """Return the name of an agent's file and folder of results."""
    return re.sub(r"[^\w.-]+", "-", agent).strip("-.")


def open_store(folder: Path, agent: str) -> RecordStore:
    """Return the store of an agent's results; for use in a with statement."""
    return RecordStore(folder / f"{file_name(agent)}.jsonl", {"gauntlet": agent})


def reports_in(records: Records) -> list[dict[str, Any]]:
    """Return the last report of each version, oldest first."""
    found = [record["found"] for key, record in records.items() if key.startswith("report ")]
    return sorted(found, key=lambda report: report["made"])


class Gauntlet:
    """The gauntlet of the present version of ``agent``, with what ``store`` has of this and earlier versions."""

    def __init__(
        self, agent: str, store: RecordStore, folder: Path, plan: Amounts, workers: int, on_progress: Progress
    ) -> None:
        """``folder`` takes a copy of each version."""
        self.agent, self.plan = agent, plan
        self.version = version_of(agent)
        self._store, self._folder, self._workers, self._on_progress = store, folder, workers, on_progress
        self._before = next((one for one in reversed(reports_in(store.known)) if one["version"] != self.version), None)
        opponents = {module for name in RATINGS for module in agent_modules(name)}
        self._sources = fingerprint((__name__, *sorted(opponents)))
        self._notes: list[str] = []
        self._games: list[PlayedPairing] = []

    def run(self, bots: Sequence[CourseBot]) -> dict[str, Any]:
        """Ask and play what is missing, and return the report, which is kept."""
        copy = keep_copy(self.agent, self._folder / file_name(self.agent) / self.version)
        rules = self._rules()
        report: dict[str, Any] = {"agent": self.agent, "version": self.version, "copy": copy, "rules": asdict(rules)}
        report |= {"is_quick": self.plan is QUICK, "failed": rules.failed}
        report |= {"is_hopeless": rules.is_hopeless, "notes": self._notes}
        report |= {"elo": None, "kept": None, "passes": [], "losses": [], "groups": [], "common": []}
        report |= {"tests": None, "before": None}
        if not rules.is_hopeless:
            report |= self._strength(rules.mean_s)
            report["passes"] = [self._passing(bot, rules) for bot in bots]
            report |= self._lost()
            report["tests"] = self._tests(report["losses"])
            report["before"] = self._duel(rules.mean_s)
        made = datetime.datetime.now().isoformat(" ", "seconds")
        report["made"] = self._store.known.get(f"report {self.version}", {"found": {"made": made}})["found"]["made"]
        self._store.add(f"report {self.version}", {"found": report})
        return report

    def _results(self, part: str, work: Callable[[Any], Any], tasks: Mapping[str, Any]) -> list[Any]:
        """Return the results of these tasks by their keys, in their order; what is missing is done and kept."""
        keys = {name: f"{self.version} {part} {name}" for name in tasks}
        missing = {Job(work, tasks[name]): key for name, key in keys.items() if not self._store.get(key, self._sources)}
        self._on_progress(part, len(missing))
        for job, found in run_tasks(perform, list(missing), workers=self._workers):
            self._store.add(missing[job], {"found": found}, self._sources)
            self._on_progress(part, 0)
        return [self._store.known[key]["found"] for key in keys.values()]

    def _play(self, part: str, pairings: Sequence[Pairing], first: int = 0) -> list[PlayedPairing]:
        tasks = {str(number): pairing for number, pairing in enumerate(pairings, start=first)}
        found = [Played.from_json(each) for each in self._results(part, played_json, tasks)]
        return list(zip(pairings, found, strict=True))

    def _rules(self) -> RulesFound:
        positions = rule_positions()[: self.plan.rules]
        for count in (_FIRST_RULES, len(positions)):
            asked = positions[:count]
            tasks = {str(number): RuleQuestion(self.agent, position) for number, position in enumerate(asked)}
            found = judge_rules(asked, self._results("rules", answer, tasks))
            if found.failed == count:
                break
        return found

    def _affordable(self, what: str, most: int, moves: int, mean_s: float) -> int:
        count = self.plan.affordable(most, moves, mean_s)
        if count < most:
            self._notes.append(f"{what}: {count} of {most}, because a move takes {mean_s:.2g} s.")
        return count

    def _strength(self, mean_s: float) -> dict[str, Any]:
        games = self._affordable("Games against fixed opponents", self.plan.games, MOVES_OF_A_GAME, mean_s)
        played = self._play("strength", strength_pairings(self.agent, games, COURSE_LIMIT))
        self._games += played
        positions = read_positions()[: self._affordable("Judged positions", self.plan.judged, 1, mean_s)]
        tasks = {str(number): Question(self.agent, each.columns, number) for number, each in enumerate(positions)}
        answers = [Answer(*found) for found in self._results("judged", ask, tasks)]
        by_opponent: dict[str, list[float]] = {name: [] for name in RATINGS}
        for game in played:
            by_opponent[game[0].opponent_of(self.agent)].append(points_of(self.agent, game))
        elo, kept = elo_of(self.agent, played), kept_by_phase(positions, answers)
        shown = {phase: _numbers(each) for phase, each in kept.items() if each.size}
        return {"elo": _numbers(elo), "kept": shown, "by_opponent": by_opponent}

    def _passing(self, bot: CourseBot, rules: RulesFound) -> dict[str, Any]:
        def play(pairings: Sequence[Pairing]) -> list[PlayedPairing]:
            first = int(str(pairings[0].seed).rpartition("/")[2])
            return self._play(f"pass/{bot.name}", pairings, first)

        most = self._affordable(f"Games against {bot.name}", self.plan.series, MOVES_OF_A_GAME, rules.mean_s)
        found, played = play_for_pass(self.agent, bot, play, most=most, has_chance=rules.has_chance)
        self._games += played
        low, high = found.interval
        shown: dict[str, Any] = {"bot": bot.name, "about": bot.about, "value": found.value, "low": low, "high": high}
        shown |= {"games": found.games, "different": found.different, "lost": found.lost, "text": found.text}
        if self.plan is QUICK and not found.is_narrow:
            shown["text"] += " Without --quick it plays more."
        return shown

    def _lost(self) -> dict[str, Any]:
        """Return what is said of the games that were lost, or drawn; equal games once."""
        games: dict[LostGame, tuple[str, Played]] = {}
        times: list[float] = []
        for pairing, played in self._games:
            side = int(pairing.first != self.agent)
            times += played.of_player(side, played.seconds)
            points = points_of(self.agent, (pairing, played))
            if points < 1:
                lost = LostGame(played.moves, side, points, played.forfeit)
                games.setdefault(lost, (pairing.opponent_of(self.agent), played))
        if len(games) > self.plan.explained:
            self._notes.append(f"Explained: {self.plan.explained} of {len(games)} games that it did not win.")
        asked = list(games)[: self.plan.explained]
        tasks = {f"{game.side} {format_moves(game.moves)}": game for game in asked}
        found: list[Loss] = []
        for game, loss in zip(asked, self._results("lost", losses.explain, tasks), strict=True):
            if loss is not None:
                opponent, played = games[game]
                about = {"opponent": opponent, "starts": game.side == 0, "moves": format_moves(game.moves)}
                found.append(about | {"result": game.points} | _with_said(loss, played))
        return {"losses": found, "groups": losses.groups_of(found), "common": list(losses.in_common(found, times))}

    def _tests(self, found: Sequence[Loss]) -> dict[str, int] | None:
        """Ask the positions that lost games of earlier versions again, keep the new ones, and compare."""
        kept = {key: record for key, record in self._store.known.items() if key.startswith("position ")}
        old = [record for record in kept.values() if record["version"] != self.version]
        for loss in found:
            if loss["column"] is not None:
                moves = losses.position_of(loss["moves"], loss["ply"])
                if f"position {moves}" not in kept:
                    record = {"moves": moves, "right": loss["right"], "version": self.version}
                    self._store.add(f"position {moves}", record)
        if not old:
            return None
        tasks = {record["moves"]: Question(self.agent, parse_moves(record["moves"])) for record in old}
        answers = [Answer(*each) for each in self._results("test", ask, tasks)]
        right = {record["moves"]: each.column in record["right"] for record, each in zip(old, answers, strict=True)}
        again_wrong = [moves for moves, is_right in right.items() if not is_right and self._was_right(moves, kept)]
        return {"of": len(right), "right": sum(right.values()), "again_wrong": len(again_wrong)}

    def _was_right(self, moves: str, kept: Mapping[str, Any]) -> bool:
        """Return whether the version before answered a position rightly when it was asked."""
        assert self._before is not None, "the positions come from an earlier version"
        record = self._store.known.get(f"{self._before['version']} test {moves}")
        return record is not None and Answer(*record["found"]).column in kept[f"position {moves}"]["right"]

    def _duel(self, mean_s: float) -> dict[str, Any] | None:
        """Play the version before, and return the verdict; None where there is none."""
        if self._before is None:
            return None
        found = {key: self._before[key] for key in ("version", "made", "copy", "elo", "kept", "passes")}
        found["is_quick"] = self._before.get("is_quick", self.plan is QUICK)  # not kept by earlier editions
        name = self._before["copy"]
        if name is None:
            return found | {"verdict": "no copy of it can be played", "games": 0}
        try:
            close(ready_agent(name))
        except BotError as error:
            return found | {"verdict": f"it cannot be played again: {error}", "games": 0}
        most = self._affordable("Games against the version before", self.plan.duel, 2 * MOVES_OF_A_GAME, mean_s)
        played: list[PlayedPairing] = []
        pairings = match_pairings(self.agent, name, most - most % 2, 0, 6, COURSE_LIMIT)
        accepted = None
        while len(played) < len(pairings) and accepted is None:
            part = pairings[len(played) : len(played) + 2 * _PAIRS_AT_ONCE]
            played += self._play(f"before/{found['version']}", part, len(played))
            accepted = BETTER.verdict(pairs_of(played))
        games = f"{len(played)} games between them"
        tested = f"by a sequential test (Elo {BETTER.elo1:+g} or {BETTER.elo0:+g}) over {games}"
        verdicts = {"elo1": f"better, {tested}", "elo0": f"worse, {tested}", None: f"no difference that {games} show"}
        verdict = verdicts[accepted]
        return found | {"verdict": verdict, "games": len(played)}


def _with_said(loss: Loss, played: Played) -> Loss:
    """Return a loss, and its plainest mistake, with what the agent said of its search there."""
    found = loss | losses.said_at(played, loss["ply"])
    if loss["plain"]:
        found["plain"] = loss["plain"] | losses.said_at(played, loss["plain"]["ply"])
    return found


def _numbers(estimate: Any) -> dict[str, float]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "size": estimate.size}
