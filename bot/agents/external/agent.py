"""The agent that stands for a program outside the package."""

from __future__ import annotations

import logging
import os
import time
from collections import defaultdict
from dataclasses import replace
from functools import partial

from bot.agents.external import protocol
from bot.agents.external.child import Child
from bot.agents.external.host import chosen
from bot.agents.external.loading import STAND_IN
from bot.engine.agent import NO_LIMIT_S, Agent, Chooser, Decision, Derived, Limit, StopFlag
from bot.engine.deadline import after
from bot.errors import AgentError, GameOverError, UsageError
from bot.game import CENTRE_FIRST, Board

START_S = 60.0
"""Time limit for a program's start and for its reply to `new`, seconds: it may load tables or compile."""
NOTE_AFTER_S = 2.0
"""A start that takes longer is noted, seconds."""
DEFAULT_MOVE_S = 10.0
"""Time limit of a move where the caller sets none, seconds: a program that hangs must not stop a match."""
GRACE_S = 0.25
"""Time beyond a move's limit before the program is killed, seconds: two pipes and two schedulers."""
SUBSTITUTE_S = 1.0
"""Time of a move kept for a substitute, seconds, `GRACE_S` included: perfect needs about 0.2 s."""
_log = logging.getLogger(__name__)

CommandLine = tuple[str, ...]
_idle: defaultdict[CommandLine, list[Child]] = defaultdict(list)
"""Programs whose game is over, by command: starting an interpreter for every game would take longer than the game."""
_warned: set[CommandLine] = set()
"""Programs of which a note was logged: once is enough."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)


class OwnObject(Agent):
    """An agent that asks an object of the caller's, in this process."""

    def __init__(self, given: Chooser) -> None:
        self._given = given
        self.name = str(getattr(given, "name", type(given).__name__))

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:  # noqa: ARG002
        """Return what the object chose; raise AgentError for a column that is not legal."""
        return chosen(self._given, board, limit)


class ExternalAgent(Agent):
    """Asks a child process for its moves; see README.md for the protocol.

    `choose` raises AgentError when the program fails; the next call starts it anew. Not safe for several threads.
    """

    def __init__(self, name: str, command: CommandLine, seed: int | None = None) -> None:
        """``command`` is the program with its arguments; it is started by `warm_up` or the first `choose`."""
        self.name = name
        self._command = command
        self._seed = seed
        self._child: Child | None = None
        self._has_started = False

    def warm_up(self) -> None:
        """Start the program and wait until it is ready to move. Raises AgentError."""
        self._ready_child(START_S)
        self._has_started = True

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """See `Agent.choose`; raises AgentError. After ``stop`` the column is any legal one."""
        if board.is_over:
            raise GameOverError
        hard_s = limit.hard_s if limit.hard_s < NO_LIMIT_S else DEFAULT_MOVE_S
        if not self._has_started:
            self.warm_up()
        start = time.perf_counter()
        child = self._ready_child(hard_s)
        before_s = child.kept_from_running_s
        left_s = max(0.01, hard_s - (time.perf_counter() - start))
        asked = replace(limit, hard_s=left_s, think_s=min(limit.think_s, left_s))
        reply = child.ask(protocol.move_request(board, asked), left_s + GRACE_S, stop, own_time=limit.own_time)
        seconds = time.perf_counter() - start
        if limit.own_time:
            seconds -= child.kept_from_running_s - before_s
        if stop is not None and stop.is_set:
            column = next(filter(board.can_play, CENTRE_FIRST))
            return Decision(column, pv=(column,), seconds=seconds, source="external")
        try:
            return replace(protocol.read_move_reply(reply, board), seconds=seconds)
        except UsageError as error:
            raise child.failed(str(error)) from None

    def close(self) -> None:
        """Let another agent of the same command use the program; a second call does nothing."""
        child, self._child = self._child, None
        if child is not None:
            _idle[self._command].append(child)

    def _ready_child(self, limit_s: float) -> Child:
        """Return the program after `new`, started if need be, within ``limit_s`` seconds."""
        if self._child is not None and self._child.is_alive:
            return self._child
        end, idle = time.monotonic() + limit_s, _idle[self._command]
        waiting = partial(_log.warning, "Waiting for the first lines of %s (at most %g s)...", self.name, limit_s)
        with after(NOTE_AFTER_S, waiting):
            child = idle.pop() if idle else None
            if child is None or not child.is_alive:
                child = Child(self.name, self._command)
                reply = child.ask(protocol.HANDSHAKE, limit_s)
                if not reply.startswith(f"{protocol.HANDSHAKE} "):
                    said = f"its first line is {protocol.quoted(reply)}, not `{protocol.HANDSHAKE} NAME`"
                    raise child.failed(f"it does not speak the agents' protocol: {said}")
            seed = protocol.NOTHING if self._seed is None else self._seed
            reply = child.ask(f"{protocol.NEW} {seed}", max(0.0, end - time.monotonic()))
        word, _, self.note = reply.partition(" ")
        if word != protocol.READY:
            raise child.failed(f"it replied {protocol.quoted(reply)} instead of `{protocol.READY}`")
        if STAND_IN in self.note and self._command not in _warned:
            _warned.add(self._command)
            _log.warning("%s: %s", self.name, self.note)
        self._child = child
        return child


def with_substitute(agent: Agent, substitute: Agent) -> Agent:
    """Return an agent from outside whose failed moves another agent chooses; the decision's ``note`` says so.

    It gets `share_s` of the time, the substitute what is left.
    """

    def choose(board: Board, limit: Limit, stop: StopFlag | None) -> Decision:
        start = time.perf_counter()
        try:
            return agent.choose(board, replace(limit, hard_s=share_s(limit.hard_s)), stop)
        except AgentError as failure:
            left_s = max(0.05, limit.hard_s - (time.perf_counter() - start))
            rest = replace(limit, hard_s=left_s, think_s=min(limit.think_s, left_s))
            decision = substitute.choose(board, rest, stop)
            note = f"{failure.message} {substitute.name} chose this move."
            return replace(decision, seconds=time.perf_counter() - start, note=note)

    return Derived(agent.name, (agent, substitute), choose)


def share_s(hard_s: float) -> float:
    """Return the part of a move's time that an external agent gets where another one may have to replace it."""
    return max(0.01, hard_s / 2 - GRACE_S / 2, hard_s - SUBSTITUTE_S)
