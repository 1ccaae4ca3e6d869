"""A strategy under construction: the entry of each position, and which positions are in use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bot.proof.positions import replies_to


@dataclass(frozen=True, slots=True)
class Branch:
    """Play this column of the position that the key stands for."""

    column: int


@dataclass(frozen=True, slots=True)
class Leaf:
    """Follow this diagram to the end of the game; ``mirrored``: reflected left to right."""

    diagram: int
    mirrored: bool = False


Entry = Branch | Leaf


@dataclass(slots=True)
class Strategy:
    """Entries by key. Those in use are reachable from the roots by the opponent's replies.

    Reference counts keep the set of positions in use exact while branches change. The graph has no cycles, because
    every reply adds discs.
    """

    entries: dict[int, Entry] = field(default_factory=dict)
    references: dict[int, int] = field(default_factory=dict)
    _replies: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Number of positions in use."""
        return len(self.references)

    def replies(self, key: int, column: int) -> tuple[int, ...]:
        """Return the keys of the positions after our disc in ``column`` and each reply (cached)."""
        found = self._replies.get((key, column))
        if found is None:
            found = self._replies[key, column] = replies_to(key, column)
        return found

    def children(self, key: int) -> tuple[int, ...]:
        """Return the keys that the entry of ``key`` leads to; a leaf has none."""
        entry = self.entries[key]
        return self.replies(key, entry.column) if isinstance(entry, Branch) else ()

    def acquire(self, keys: Iterable[int]) -> None:
        """Put ``keys`` and all positions that follow from them in use; all must have entries."""
        todo = list(keys)
        while todo:
            key = todo.pop()
            count = self.references.get(key, 0)
            self.references[key] = count + 1
            if count == 0:
                todo.extend(self.children(key))

    def release(self, keys: Iterable[int]) -> None:
        """Undo one `acquire` of the same ``keys``."""
        todo = list(keys)
        while todo:
            key = todo.pop()
            count = self.references[key]
            if count == 1:
                del self.references[key]
                todo.extend(self.children(key))
            else:
                self.references[key] = count - 1

    def change(self, key: int, entry: Entry) -> None:
        """Replace the entry of ``key``, and release the positions that only the old entry needed."""
        if key not in self.references:
            self.entries[key] = entry
            return
        old = self.children(key)
        self.entries[key] = entry
        self.acquire(self.children(key))
        self.release(old)

    def exclusive(self, key: int) -> int:
        """Return the number of positions in use that only ``key`` needs, without itself."""
        children = self.children(key)
        before = self.size
        self.release(children)
        freed = before - self.size
        self.acquire(children)
        return freed

    def in_use(self) -> Iterator[tuple[int, Entry]]:
        """Yield the positions in use with their entries."""
        for key in self.references:
            yield key, self.entries[key]
