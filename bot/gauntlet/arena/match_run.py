"""Playing the games of a match or tournament: over processes or a cluster, kept in a store, ended early by an SPRT."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing

from bot.game import PlayedGame
from bot.gauntlet.arena.games import Pairing, play_pairing, points_of
from bot.gauntlet.arena.pairs import Pentanomial, Sprt, pentanomial
from bot.gauntlet.arena.workers import run_tasks
from bot.gauntlet.store import RecordStore
from bot.gauntlet.versions import sources_of


def play_all(
    pairings: Sequence[Pairing],
    store: RecordStore,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    sprt: Sprt | None = None,
    on_game: Callable[[], None] = lambda: None,
) -> list[PlayedGame]:
    """Play the games that ``store`` lacks, and return all games in their order.

    With ``sprt`` the games come in pairs, in the view of the agent that starts the first, and the match ends with the
    pair that decides the test. The pairs are judged in their order, so the result does not depend on ``workers``.
    """
    numbers = {pairing: number for number, pairing in enumerate(pairings)}
    names = {pairing.first for pairing in pairings} | {pairing.second for pairing in pairings}
    versions = {name: sources_of(name, play_pairing.__module__) for name in names}

    def sources(pairing: Pairing) -> str:
        return f"{versions[pairing.first]} {versions[pairing.second]}"

    found = {number: store.get(str(number), sources(pairing)) for pairing, number in numbers.items()}
    known = {number: PlayedGame.from_json(saved["game"]) for number, saved in found.items() if saved is not None}
    test = _Test(sprt)
    test.advance(known)
    missing = [pairing for pairing in pairings if test.end is None and numbers[pairing] not in known]
    with closing(run_tasks(play_pairing, missing, workers=workers, scheduler=scheduler)) as results:
        for pairing, game in results:
            number = numbers[pairing]
            known[number] = game
            store.add(str(number), {"game": game.as_json()}, sources(pairing))
            on_game()
            test.advance(known)
            if test.end is not None:
                break
    return [known[number] for number in range(len(pairings[: test.end]))]


class _Test:
    """Follows the pairs of a match in their order; without an SPRT it decides nothing."""

    def __init__(self, sprt: Sprt | None) -> None:
        self._sprt = sprt
        self._points: dict[tuple[tuple[int, ...], ...], float] = {}
        """Points of each pair by its moves, so that repetitions count once."""
        self._games = 0
        """Number of games that are judged."""
        self.end: int | None = None
        """Number of games that decide the test; None as long as it is open."""

    def advance(self, known: Mapping[int, PlayedGame]) -> None:
        """Judge the pairs that are complete by now; one that repeats another move for move shows nothing new."""
        while self._sprt and self.end is None and {self._games, self._games + 1} <= known.keys():
            one, other = known[self._games], known[self._games + 1]
            self._games += 2
            self._points[one.moves, other.moves] = _points(one, other)
            if self._sprt.verdict(pentanomial(self._points.values())):
                self.end = self._games


def pairs_of(games: Sequence[PlayedGame]) -> Pentanomial:
    """Return the results of a match's pairs in the view of the agent that started game 0; repetitions count once."""
    pairs = zip(games[0::2], games[1::2], strict=False)
    points = {(one.moves, other.moves): _points(one, other) for one, other in pairs}
    return pentanomial(points.values())


def _points(one: PlayedGame, other: PlayedGame) -> float:
    """Return the points of a pair in the view of the agent that started the first game."""
    return points_of(one.first, one) + 1 - points_of(other.first, other)
