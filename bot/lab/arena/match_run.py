"""Playing the games of a match or tournament: over processes or a cluster, kept in a store, ended early by an SPRT."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing

from bot.agents.games import Played
from bot.lab.arena.games import Game, Pairing, play_pairing
from bot.lab.arena.pairs import Pentanomial, Sprt, pentanomial
from bot.lab.arena.workers import run_tasks
from bot.lab.store import Store


def play_all(
    pairings: Sequence[Pairing],
    store: Store,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    sprt: Sprt | None = None,
    on_game: Callable[[], None] = lambda: None,
) -> list[Game]:
    """Play the games that ``store`` lacks, and return all games in their order.

    With ``sprt`` the games come in pairs, in the view of the agent that starts the first, and the match ends with the
    pair that decides the test. The pairs are judged in their order, so the result does not depend on ``workers``.
    """
    numbers = {pairing: number for number, pairing in enumerate(pairings)}
    known = {number: Played.from_json(saved) for number in numbers.values() if (saved := store.get(str(number)))}
    test = _Test(sprt)
    test.advance(known)
    missing = [pairing for pairing in pairings if not test.is_decided and numbers[pairing] not in known]
    with closing(run_tasks(play_pairing, missing, workers=workers, scheduler=scheduler)) as results:
        for pairing, played in results:
            number = numbers[pairing]
            known[number] = played
            store.add(str(number), {"first": pairing.first, "second": pairing.second, **played.as_json()})
            on_game()
            test.advance(known)
            if test.is_decided:
                break
    end = test.games if test.is_decided else len(pairings)
    return [(pairing, known[number]) for number, pairing in enumerate(pairings[:end])]


class _Test:
    """Follows the pairs of a match in their order; without an SPRT it decides nothing."""

    def __init__(self, sprt: Sprt | None) -> None:
        self._sprt = sprt
        self._result = Pentanomial()
        self._seen: set[tuple[tuple[int, ...], ...]] = set()
        self.games = 0
        """Number of games that are judged."""
        self.is_decided = False

    def advance(self, known: Mapping[int, Played]) -> None:
        """Judge the pairs that are complete by now; one that repeats another move for move shows nothing new."""
        while self._sprt and not self.is_decided and {self.games, self.games + 1} <= known.keys():
            one, other = known[self.games], known[self.games + 1]
            self.games += 2
            if (one.moves, other.moves) not in self._seen:
                self._seen.add((one.moves, other.moves))
                self._result = self._result.plus(one.result + 1 - other.result)
                self.is_decided = self._sprt.verdict(self._result) is not None


def pairs_of(games: Sequence[Game]) -> Pentanomial:
    """Return the results of a match's pairs in the view of the agent that started game 0; repetitions count once."""
    pairs = zip(games[0::2], games[1::2], strict=False)
    points = {(one.moves, other.moves): one.result + 1 - other.result for (_, one), (_, other) in pairs}
    return pentanomial(points.values())
