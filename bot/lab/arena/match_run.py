"""Playing the games of a match or tournament: over processes or a cluster, kept in a record, ended early by an SPRT."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from bot.agents.games import Played
from bot.lab.arena.games import Pairing, play_pairing
from bot.lab.arena.pairs import Pentanomial, Sprt
from bot.lab.arena.record import GameRecord
from bot.lab.arena.workers import run_tasks

Games = list[tuple[Pairing, Played]]


def play_all(
    pairings: Sequence[Pairing],
    record: GameRecord,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    sprt: Sprt | None = None,
    on_game: Callable[[], None] = lambda: None,
) -> Games:
    """Play the games that ``record`` lacks, and return all games in their order.

    With ``sprt`` the games come in pairs, in the view of the agent that starts the first, and the match ends with the
    pair that decides the test. The pairs are judged in their order, so the result does not depend on ``workers``.
    """
    numbers = {pairing: number for number, pairing in enumerate(pairings)}
    test = None if sprt is None else _Test(sprt)
    end = len(pairings)
    if test is not None:
        end = test.advance(record, end)
    missing = [pairing for pairing in pairings if numbers[pairing] not in record.known]
    if test is None or not test.is_decided:
        with closing(run_tasks(play_pairing, missing, workers=workers, scheduler=scheduler)) as results:
            for pairing, played in results:
                record.add(numbers[pairing], pairing, played)
                on_game()
                if test is not None:
                    end = test.advance(record, end)
                    if test.is_decided:
                        break
    return [(pairing, record.known[number]) for number, pairing in enumerate(pairings[:end])]


class _Test:
    """Follows the pairs of a match in their order."""

    def __init__(self, sprt: Sprt) -> None:
        self._sprt = sprt
        self._result = Pentanomial()
        self._seen: set[tuple[tuple[int, ...], ...]] = set()
        self._next = 0
        self.is_decided = False

    def advance(self, record: GameRecord, end: int) -> int:
        """Count the pairs that are complete by now; return the number of games up to the decision, or ``end``."""
        known = record.known
        while not self.is_decided and self._next in known and self._next + 1 in known:
            one, other = known[self._next], known[self._next + 1]
            self._next += 2
            if is_new_pair(one, other, self._seen):
                self._result = self._result.plus(one.result + 1 - other.result)
                self.is_decided = self._sprt.verdict(self._result) is not None
        return self._next if self.is_decided else end


def is_new_pair(one: Played, other: Played, seen: set[tuple[tuple[int, ...], ...]]) -> bool:
    """Return whether a pair of games is not, move for move, in ``seen``, and add it: a repetition shows nothing new."""
    key = (one.moves, other.moves)
    is_new = key not in seen
    seen.add(key)
    return is_new


def pairs_of(games: Sequence[tuple[Pairing, Played]]) -> Pentanomial:
    """Return the results of a match's pairs in the view of the agent that started game 0; repetitions count once."""
    seen: set[tuple[tuple[int, ...], ...]] = set()
    result = Pentanomial()
    for (_, one), (_, other) in zip(games[0::2], games[1::2], strict=False):
        if is_new_pair(one, other, seen):
            result = result.plus(one.result + 1 - other.result)
    return result
