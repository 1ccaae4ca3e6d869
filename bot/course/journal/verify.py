"""Verify that a journal describes possible games: each board follows from the last, the result from the last board.

The checks use plain grids and share no code with the session, so they are a second opinion on its belief.

After a lost reply the journal does not show what the server did, so a board is checked against everything that can have
happened since the last known one: each request without a reply was processed or not, and if it was, the bot gave one of
its legal answers. A reply that the session ignored is not checked, and one after which it went on from a conflicting
board is checked by itself. The end of a game that only the statistics show cannot be checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bot.course.journal.gaps import after_gaps
from bot.course.journal.grid import (
    THEIRS,
    after_ours,
    answered_column,
    answers,
    as_grid,
    difference,
    discs,
    drop,
    has_floating_disc,
    has_four,
    is_column,
    is_within,
    played,
    possible_boards,
    results_of,
)
from bot.course.journal.reader import Game, read_records
from bot.course.journal.schema import Record, outcome_of
from bot.course.journal.steps import Replay, Step
from bot.course.protocol import EMPTY_GRID, NEW_GAME, RESULTS, Grid


def replay_game(game: Game) -> Replay:
    """Return the game's steps after checking its records in order; problems are listed, not raised."""
    replay = Replay(game)
    lines = game.lines if len(game.lines) == len(game.records) else [0] * len(game.records)
    unused = _followed_by("conflicting_reply", game.records)
    checker = _Checker(replay, _followed_by("resynchronised", game.records), after_gaps(game.records))
    for index, (line, record) in enumerate(zip(lines, game.records, strict=True)):
        checker.line, checker.index = line, index
        if index not in unused:
            checker.take(record)
    return replay


def _followed_by(kind: str, records: Sequence[Record]) -> set[int]:
    """Return the indices of the replies that an event of ``kind`` follows."""
    found, reply = set(), None
    for index, record in enumerate(records):
        if record["type"] in ("intent", "reply"):
            reply = index if record["type"] == "reply" else None
        elif record["type"] == "event" and record["kind"] == kind and reply is not None:
            found.add(reply)
    return found


def count_problems(path: Path) -> list[str]:
    """Return where a run's final counts differ from the games that ended in it. Raises JournalError."""
    counts: Counter[str] = Counter()
    problems = []
    for line in read_records(path):
        record = line.record
        if record is None:
            continue
        if record["type"] == "game_end" and record["result"] != 0 and record.get("known_by") != "abandoned":
            counts[_COUNTED.get(outcome_of(record["result"]), "lost")] += 1
            counts["played"] += 1
        elif record["type"] == "event" and record["kind"] == "resumed":
            counts.clear()  # a resumed run counts anew
        elif record["type"] == "run_end":
            for name in ("played", "won", "drawn", "lost"):
                if record.get(name, counts[name]) != counts[name]:
                    problems.append(
                        f"Line {line.number}: the run counts {record[name]} {name}, its games show {counts[name]}."
                    )
            counts.clear()
    return problems


_COUNTED = {"won": "won", "drawn": "drawn"}


class _Checker:
    """Checks a game's records one by one, and adds steps and problems to the replay."""

    def __init__(self, replay: Replay, resynchronised: set[int], after_gaps: set[int]) -> None:
        """``resynchronised``: indices of replies whose conflicting board the session went on from; see `after_gaps`."""
        self.line = 0
        self.index = 0
        self._replay = replay
        self._resynchronised = resynchronised
        self._after_gaps = after_gaps
        self._known: Grid | None = EMPTY_GRID
        """The last known board; None if the game began without showing one."""
        self._lost: list[int] = []
        """Requests since then that may or may not have been processed."""
        self._step: Step | None = None
        self._over = False
        self._is_reset = any(record.get("kind") in ("server_reset", "no_game") for record in replay.game.records)
        self._last_reply = max(
            (index for index, record in enumerate(replay.game.records) if record["type"] == "reply"), default=-1
        )

    def take(self, record: Record) -> None:
        """Check the next record."""
        if record["type"] == "intent":
            self._intent(record)
        elif record["type"] == "reply":
            self._reply(record)
        elif record["type"] == "event":
            self._event(record)
        elif record["type"] == "game_end":
            self._end(record)

    @property
    def _is_refused(self) -> bool:
        return any(record.get("kind") == "illegal" for record in self._replay.game.records)

    @property
    def _is_waiting(self) -> bool:
        """Whether the last request may or may not have been processed."""
        return self._step is not None and self._step.reply is None and not self._step.undone

    def _say(self, text: str) -> None:
        self._replay.problems.append(f"Line {self.line}: {text}" if self.line else text)

    def _intent(self, record: Record) -> None:
        if self._over:
            self._say("a move is sent after the game's end.")
        if self.index in self._after_gaps:
            self._say("the request before it was sent, but neither a reply nor a failure of it is recorded.")
        if self._is_waiting and self._step is not None:
            self._lost.append(self._step.move)
        certain = not self._lost and self._known is not None
        before = self._known or EMPTY_GRID
        self._step = Step(record["move"], record, before, certain=certain, met=before if certain else None)
        self._replay.steps.append(self._step)
        ply = record.get("ply")
        if certain and record["move"] >= 0 and ply is not None and ply != discs(before):
            self._say(f"the move has ply {ply}, but {discs(before)} discs are on the board.")

    def _event(self, record: Record) -> None:
        kind, text = record["kind"], record.get("text")
        if kind == "not_sent" and self._step is not None:
            self._step.undone = True
        elif kind == "silent_start":
            self._known, self._lost, self._over = None, [], False
            self._replay.we_started = True
            grid = as_grid(record.get("state"))
            move = record.get("move")
            if grid is not None and isinstance(move, int):
                begun = (
                    played(record.get("moves") or "", True) or EMPTY_GRID
                )  # moves whose replies were lost came before
                opened_by = self._replay.game.opened_by or {}
                choice: Record = {name: opened_by[name] for name in ("hypotheses", "safe") if name in opened_by}
                self._step = Step(move, {**choice, **record}, begun, certain=False, met=begun, is_silent_start=True)
                self._replay.steps.append(self._step)
                self._reply({**record, "status": True})
        elif kind == "server_reset" and self._is_waiting:
            self._known, self._lost = None, []
        elif kind == "unconfirmed" and isinstance(record.get("move"), int):
            self._lost = [record["move"]]
        elif kind == "resynchronised":
            self._known, self._lost = as_grid(record.get("state")), []
        elif kind == "refused" and self._step is not None:
            self._lost.append(self._step.move)  # the server may have processed it although it refused
        if isinstance(text, str) and kind not in ("statistics", "sent"):
            (self._replay.notes if self._step is None else self._step.notes).append(text)

    def _reply(self, record: Record) -> None:
        step = self._step
        if step is None or step.reply is not None:
            self._say("a reply follows no request.")
            return
        step.reply = record
        if record.get("status") is not True:
            return
        grid = self._shown_grid(step, record)
        if grid is None:
            self._known, self._lost = None, []
            return
        step.after = grid
        if self._says_only_over(step, record, grid):
            self._known, self._lost, self._over = None, [], True
            return
        if self.index in self._resynchronised:
            step.met = None
        elif not self._check_board(step, record, grid):
            return
        self._known, self._lost = grid, []
        self._check_result(step, record, grid)

    def _says_only_over(self, step: Step, record: Record, grid: Grid) -> bool:
        """Return whether the reply ends the game without a new board, as when our move came too late."""
        result = record.get("result")
        if step.move == NEW_GAME or result in (None, 0) or result in results_of(grid):
            return False
        return record.get("state") is None or (result < 0 and grid in (step.before, after_ours(step.before, step.move)))

    def _shown_grid(self, step: Step, record: Record) -> Grid | None:
        """Return the reply's board; if it has none (January 2021), the one that its botmove leads to."""
        state, botmove = record.get("state"), record.get("botmove")
        if state is not None:
            grid = as_grid(state)
            if grid is None:
                self._say("the board is not 6 rows of 7 cells of 1, -1 and 0.")
            elif has_floating_disc(grid):
                self._say("a disc on the board has an empty cell below it.")
            return grid
        grid = after_ours(step.met or EMPTY_GRID, step.move) if step.met or step.move == NEW_GAME else None
        if grid is not None and botmove not in (None, -1):
            grid = drop(grid, botmove, THEIRS) if is_column(botmove) else None
        if grid is None and step.certain:
            self._say("the reply has no board, and none follows from it.")
        return grid

    def _check_board(self, step: Step, record: Record, after: Grid) -> bool:
        """Find the board that our move met, and check the bot's disc; return False for a reply of the next game."""
        if self._known is None:
            return True
        fitting = self._fitting(possible_boards(self._known, self._lost, after), step.move, after)
        if not fitting and self._is_next_game(step, after):
            step.met, step.certain = None, False
            return False
        if not fitting and (self._lost or self._is_reset):  # the game ended unseen, and another began
            fitting = self._fitting(possible_boards(EMPTY_GRID, self._lost, after), step.move, after)
        if not fitting:
            step.met = None
            self._say(
                difference(self._known, step.move, after)
                if not self._lost
                else "the board cannot come from the last one and what was sent since."
            )
            return True
        botmove = record.get("botmove")
        agreeing = [grid for grid in fitting if botmove in (None, answered_column(grid, step.move, after))]
        if not agreeing:
            self._say("the bot's disc is not where the reply says.")
        step.met = (agreeing or fitting)[0]
        self._replay.we_started = after == EMPTY_GRID if step.move == NEW_GAME else discs(step.met) % 2 == 0
        return True

    def _fitting(self, candidates: list[Grid], move: int, after: Grid) -> list[Grid]:
        return [grid for grid in candidates if after in answers(grid, move)]

    def _is_next_game(self, step: Step, after: Grid) -> bool:
        """Return whether this game ended unseen, so that its last reply shows the next one."""
        end = self._replay.game.ended
        ends_unseen = end is not None and end.get("known_by") != "reply" and self.index == self._last_reply
        return ends_unseen and bool(self._fitting(possible_boards(EMPTY_GRID, self._lost, after), step.move, after))

    def _check_result(self, step: Step, record: Record, grid: Grid) -> None:
        """Check the reply's result against its board, and note whether the game is over."""
        possible = results_of(grid)
        if 1 in possible and has_four(grid, THEIRS):
            self._say("the board has two winners.")
        self._over = 0 not in possible
        claimed = record.get("result")
        if claimed is not None and claimed not in possible:
            self._say(f"the reply's result {claimed!r} does not follow from its board.")
        if not self._over and step.met is not None and step.move >= 0 and discs(grid) == discs(step.met) + 1:
            self._say("the bot's answer is missing, and the game is not over.")

    def _end(self, record: Record) -> None:
        if self._replay.game.ended is not record:
            self._say("the game ends twice.")
            return
        result, known_by = record["result"], record.get("known_by")
        if result not in RESULTS:
            self._say(f"there is no result {result:g}.")
            return
        if record.get("outcome", outcome_of(result)) != outcome_of(result):
            self._say(f"the outcome {record['outcome']!r} is not what the result {result:g} means.")
        if known_by == "reply":
            self._check_end(record, result)

    def _check_end(self, record: Record, result: float) -> None:
        """Check an end that is known by a reply against the last reply and its board."""
        step = self._step
        if step is None or step.reply is None:
            if not self._is_refused:  # the refusal is among the records of the game before, which had ended unseen
                self._say("the game's end is recorded as known by a reply, but there is none.")
            return
        claimed = step.reply.get("result")
        if step.reply.get("status") is not True or result == -10:
            if claimed != result and not (result == -10 and claimed is None and step.reply.get("status") is not True):
                self._say(f"the result {result:g} is not what the last reply says.")
            return
        if step.met is not None and not is_within(step.before, step.met) and not step.certain:
            return  # the last reply belongs to the next game: this one ended unseen
        if self._known is None or step.after is None:
            return
        if result not in results_of(self._known):
            self._say(f"the result {result:g} does not follow from the last board.")
        started, ours = record.get("we_started"), self._replay.we_started
        if started is not None and ours is not None and started is not ours:
            self._say("the recorded starter differs from the first board's.")
        moves = record.get("moves")
        if moves and played(moves, bool(started)) != self._known:
            self._say("the moves at the game's end do not lead to the last board.")
