"""What is wrong? Each finding is one sentence that evidence proves, with its positions; the first one comes first.

A group of overlooked fours (a direction, a column, a row) is named only if chance would hardly explain it: its
hypergeometric probability, times the number of groups that are tried, is below `CHANCE`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, inf, log
from typing import Any

from bot.game import Board, format_moves
from bot.game.notation import column_name, with_count
from bot.gauntlet.evidence import BLOCK, MAKE, Evidence, Seen
from bot.gauntlet.sight import COURSE_LIMIT, DIRECTION_NAMES, SEEN_AFTER, passed, place_of, winning_columns

CHANCE = 0.001
"""Probability below which chance is no explanation."""
_FEWEST = 4
"""Fewest mistakes of which something is said."""
_MOSTLY = 0.7
"""Share of fours outside a group that has to be seen where the group is named; of a kind, also the share overlooked."""
_NAMED = 0.5
"""Share of a group that is overlooked where it is named: a column can be right by luck."""
_LUCK = 0.1
"""Share of other fours that an agent with chance may overlook where a group is named."""
_TESTS = 8
"""Positions asked from which on games do not count."""
_FAILS = 0.3
"""Share of a kind of position that has to be overlooked where the search is said not to see so far."""

DEPTH = "depth"
DIFFERENT = "different lost game"
"""What is counted wherever losses are explained: equal games once."""
Loss = dict[str, Any]
"""What is said of one game; `bot.gauntlet.losses.explain` has its fields."""


@dataclass(frozen=True)
class Diagnosis:
    """One thing that is wrong, or that explains the lost games."""

    name: str
    text: str
    cases: Sequence[Seen] = ()
    is_general: bool = False
    """Whether it decides every move, so that all mistakes may follow from it."""

    def explained(self, lost: Sequence[Loss]) -> list[str]:
        """Return the positions in which it lost games: those of their decisive mistakes that are its own, too."""
        own = {format_moves(case.moves) for case in self.cases}
        mistakes = [loss["moves"][: loss["ply"]] for loss in lost if loss["ply"] is not None]
        return [moves for moves in mistakes if moves in own or self.is_general]

    def as_json(self, lost: Sequence[Loss], so_far: str = "") -> dict[str, Any]:
        """Return the finding, what it cost, and its positions, each once, first those that lost a game."""
        decisive = self.explained(lost)
        shown = {case["moves"]: case for case in map(Seen.as_json, self.cases)}
        ordered = sorted(shown.values(), key=lambda case: (case["moves"] not in decisive, len(case["moves"])))
        cost = (
            f" It explains {len(decisive)} of {with_count(len(lost), DIFFERENT)}."
            if decisive
            else f" No game was lost by such a move itself{so_far}."
        )
        text = self.text + ("" if self.is_general else cost)
        return {"name": self.name, "text": text, "positions": ordered, "lost": len(decisive)}

    def follows_from(self, other: Diagnosis) -> bool:
        """Return whether most of its positions are those of another finding."""
        known = {case.moves for case in other.cases}
        return 2 * sum(case.moves in known for case in self.cases) > len(self.cases)


def findings_of(evidence: Evidence) -> list[Diagnosis]:
    """Return what is wrong, the most certain explanation first."""
    found = [*_counted_from_1(evidence)]
    if found:
        return found  # all else follows from it
    for detector in (_never_played, _failures, _swapped, _upside_down, _groups):
        found += detector(evidence)
    overlooked = {case.moves for each in found for case in each.cases}
    # Where some fours are not seen, only other single fours are certainly left out by choice.
    seen = [each for each in evidence.seen if not overlooked or (each.cells and each.moves not in overlooked)]
    # Nor do failures say how far the search sees: the blindness may be their reason.
    depth = () if any(each.name == "overlooked fours" for each in found) else _depth(evidence)
    return [*found, *_prefers_blocks(seen), *_later(evidence, seen), *depth]


def _counted_from_1(evidence: Evidence) -> Iterator[Diagnosis]:
    """Columns that are counted from 1: 7 is returned, and of the course's columns all but 0."""
    sevens = [case for case in evidence.failures if "returned 7," in case.error]
    if sevens and {move.column for move in evidence.moves} == {*range(1, 7)}:
        text = "It counts columns from 1 to 7, the course from 0 to 6: it returned 7 and never 0."
        yield Diagnosis("columns from 1", text, sevens, is_general=True)


def _never_played(evidence: Evidence) -> Iterator[Diagnosis]:
    """A column that is never played, which alone explains what is overlooked; illegal moves may follow from it."""
    played = {move.column for move in evidence.moves if len(Board.from_moves(move.moves).legal_columns()) > 1}
    plain = _plain(evidence.seen)
    for column in {*range(7)} - played:
        needed = [each for each in plain if each.right == (column,)]
        others = [each for each in plain if each.right != (column,)]
        if len(needed) >= _TESTS and _missed(others) <= 1 - _MOSTLY and not _worst_group(others, 1)[0]:
            alone = [each for each in evidence.failures if Board.from_moves(each.moves).legal_columns() == (column,)]
            text = (
                f"It never plays column {column_name(column)} where another has room, also in {len(needed)} positions"
                " where it alone is right."
            )
            missed = [each for each in _overlooked(evidence.seen) if each.right == (column,)]
            yield Diagnosis("column never played", text, [*missed, *alone])


def _failures(evidence: Evidence) -> Iterator[Diagnosis]:
    """Illegal moves, late ones and errors: the most frequent first."""
    by_kind: defaultdict[str, list[Seen]] = defaultdict(list)
    for failure in evidence.failures:
        by_kind[failure.kind].append(failure)
    for kind, cases in sorted(by_kind.items(), key=lambda item: -len(item[1])):
        error, _ = Counter(case.error for case in cases).most_common(1)[0]
        if kind == "late":
            yield Diagnosis("late", _late(cases), cases)
        elif kind == "illegal":
            what = "It plays into full columns" if "which is full" in error else "It returns what is not a column"
            yield Diagnosis("illegal move", f"{what}, which is illegal and loses the game: {error}", cases)
        else:
            yield Diagnosis("error", f"It ends with an error, which loses the game: {error}", cases)


def _late(cases: Sequence[Seen]) -> str:
    """Return from which move on it is late."""
    first = min(len(case.moves) for case in cases)
    begins = f"from move {first + 1} of the game on (its own move {first // 2 + 1})"
    return f"It is late {begins}: the course gives {COURSE_LIMIT.hard_s:g} s for a move."


def _swapped(evidence: Evidence) -> Iterator[Diagnosis]:
    """The agent avoids wins and blocks, more than one that plays at random."""
    asked = _tested(_plain(evidence.seen))[:200]
    if len(asked) < 20:
        return
    share = sum(len(each.right) / len(Board.from_moves(each.moves).legal_columns()) for each in asked) / len(asked)
    right = len(asked) - len(_misses(asked))
    likely = sum(comb(len(asked), k) * share**k * (1 - share) ** (len(asked) - k) for k in range(right + 1))
    if likely < CHANCE:
        text = (
            f"It helps its opponent: it avoids wins and blocks ({right} of {len(asked)}; at random there would be "
            f"{share * len(asked):.0f}). Are the two sides swapped, or is a sign wrong?"
        )
        yield Diagnosis("sides swapped", text, _misses(asked), is_general=True)


def _upside_down(evidence: Evidence) -> Iterator[Diagnosis]:
    """The only fours that the agent sees are completed in the top row."""
    asked = _tested(_plain(evidence.seen))
    top = [each for each in asked if each.place[1] == 6]
    other = [each for each in asked if each.place[1] != 6]
    missed = len(_misses(asked))
    sees_top_alone = len(top) >= _TESTS and _missed(top) <= _NAMED and _missed(other) >= 0.6
    if sees_top_alone and _hypergeometric(len(asked), missed, other) < CHANCE:
        text = (
            f"It reads the board upside down: in the top row it sees {_counts(top)} fours, as if discs lay there "
            f"first, elsewhere {_counts(other)}."
        )
        yield Diagnosis("upside down", text, _misses(other), is_general=True)


def _groups(evidence: Evidence) -> Iterator[Diagnosis]:
    """The kind of four that is overlooked: by kind, direction, column, row and side."""
    every = _plain(evidence.seen)
    for seen in (_tested(every), every):
        best, group = _worst_group(seen, _LUCK if evidence.has_chance else 1 - _MOSTLY)
        if best:
            others = [each for each in seen if each not in group]
            text = f"{_GROUP_TEXTS.get(best, _described(best, group))} It overlooks {_counts(group, is_missed=True)}"
            text += f" of them, and {_counts(others, is_missed=True)} other fours to make or block."
            missed = [each for each in _overlooked(evidence.seen) if best in _keys(each)]
            yield Diagnosis("overlooked fours", text, missed)
            return


def _worst_group(asked: Sequence[Seen], others: float) -> tuple[tuple[str, ...], Sequence[Seen]]:
    """Return the group that explains the misses best, and its members; nothing where chance would explain them.

    It is a group only if at most the share ``others`` of all else is overlooked.
    """
    missed = len(_misses(asked))
    members: defaultdict[tuple[str, ...], list[Seen]] = defaultdict(list)
    for each in asked:
        for key in _keys(each):
            members[key].append(each)
    best: tuple[str, ...] = ()
    gain = -inf
    for key, group in members.items():
        wrong = len(_misses(group))
        rest = len(asked) - len(group), missed - wrong
        least = max(_FEWEST, (_MOSTLY if key in _GROUP_TEXTS else _NAMED) * len(group))
        is_named = wrong >= least and rest[1] <= others * max(1, rest[0])
        if is_named and _hypergeometric(len(asked), missed, group) * len(members) < CHANCE:
            found = _log_likelihood(len(group), wrong) + _log_likelihood(*rest) - 2 * len(key)
            if found > gain:
                best, gain = key, found
    return best, members.get(best, [])


_GROUP_TEXTS: dict[tuple[str, ...], str] = {
    (MAKE,): "It only blocks: it does not see its own fours.",
    (BLOCK,): "It does not block: it does not look at the opponent's reply (its search sees 1 ply).",
}


def _described(key: Sequence[str], group: Sequence[Seen]) -> str:
    """Return "It often does not see falling diagonal fours that reach column 7."; "never sees" where all are missed."""
    kinds = {MAKE: "make", BLOCK: "block"}
    verb = next((kinds[part] for part in key if part in kinds), "see")
    verb = f"never {verb}s" if _missed(group) == 1 else f"often does not {verb}"
    directions = [f"{part} " for part in key if part in ("vertical", "horizontal") or "diagonal" in part]
    places = [part for part in key if part.startswith(("that", "whose", "when"))]
    return f"It {verb} {''.join(directions)}{' '.join(['fours', *places])}."


def _keys(each: Seen) -> Iterator[tuple[str, ...]]:
    """Yield the groups that a four belongs to."""
    kind = BLOCK if each.kind == BLOCK else MAKE
    first, second, *_ = sorted(each.cells)
    direction = DIRECTION_NAMES[second - first]
    column, row = each.place
    side = "when it began" if len(each.moves) % 2 == 0 else "when the opponent began"
    columns, rows = map(set, zip(*map(place_of, each.cells), strict=True))
    places = {f"whose last disc falls in column {column}", f"whose last disc falls in {_row(row)}"}
    if len(columns) > 1:
        places |= {f"that reach column {one}" for one in columns if one in (1, 7)}
    places |= {f"that reach {_row(one)}" for one in rows}
    for parts in ((), (kind,)):
        if parts:
            yield parts
        yield (*parts, direction)
        yield (*parts, side)
        for place in places:
            yield (*parts, place)
            yield (*parts, direction, place)


def _row(number: int) -> str:
    """Return a row in words that need no drawing."""
    return {1: "the bottom row", 6: "the top row"}.get(number, f"row {number} from the bottom")


def _plain(seen: Sequence[Seen]) -> list[Seen]:
    """Return the single fours to make or block where nothing else explains another move, those of `sight.py` first."""
    fours = [each for each in seen if each.kind in (MAKE, BLOCK) and each.cells]
    return [each for each in fours if not each.wins_later and not each.was_lost]


def _overlooked(seen: Sequence[Seen]) -> list[Seen]:
    """Return the single fours that were not made or blocked, also where the agent won later, or blocked instead."""
    return [each for each in _misses(seen) if each.cells and not each.was_lost]


def _tested(seen: Sequence[Seen]) -> Sequence[Seen]:
    """Return what was asked; where that is little, games count, too, in which a four can be made without being seen."""
    asked = [each for each in seen if not each.games]
    return asked if len(asked) >= _TESTS else seen


def _misses(seen: Sequence[Seen]) -> list[Seen]:
    """Return what is overlooked."""
    return [each for each in seen if each.is_missed]


def _missed(seen: Sequence[Seen]) -> float:
    """Return the share that is overlooked."""
    return len(_misses(seen)) / max(1, len(seen))


def _counts(seen: Sequence[Seen], *, is_missed: bool = False) -> str:
    """Return "12 of 14": what is seen, or overlooked."""
    missed = len(_misses(seen))
    return f"{missed if is_missed else len(seen) - missed} of {len(seen)}"


def _hypergeometric(total: int, missed: int, group: Sequence[Seen]) -> float:
    """Return how likely as many misses in a group are if all are equally likely to be overlooked."""
    wrong, size = len(_misses(group)), len(group)
    ways = sum(comb(size, k) * comb(total - size, missed - k) for k in range(wrong, min(size, missed) + 1))
    return ways / comb(total, missed)


def _log_likelihood(size: int, missed: int) -> float:
    """Return how well the share that is missed explains itself, as a logarithm."""
    share = (missed + 0.5) / (size + 1)
    return missed * log(share) + (size - missed) * log(1 - share)


def _later(evidence: Evidence, seen: Sequence[Seen]) -> Iterator[Diagnosis]:
    """Wins at once that are left for later ones, by an agent that sees fours."""
    asked = [each for each in seen if SEEN_AFTER[each.kind] == 1]
    later = [each for each in asked if each.wins_later]
    overlooked = [each for each in _misses(asked) if each.kind != MAKE and not each.wins_later]
    sees_fours = _missed([each for each in _plain(evidence.seen) if each.kind == MAKE]) <= _NAMED
    if sees_fours and len(later) >= max(_FEWEST, _MOSTLY * len([*later, *overlooked])):
        text = (
            f"Wins are not preferred when they come sooner: in {len(later)} positions it could make four at once, and "
            "played another move that wins later. All wins seem to score alike; let a win score more the sooner it is."
        )
        yield Diagnosis("it won later", text, later)


def _prefers_blocks(seen: Sequence[Seen]) -> Iterator[Diagnosis]:
    """Blocks that are preferred to wins at once, and win no more."""
    asked = [each for each in seen if each.kind == "win or block" and not each.wins_later]
    blocked = [each for each in _misses(asked) if each.column in winning_columns(passed(Board.from_moves(each.moves)))]
    if len(blocked) < max(_FEWEST, _FAILS * len(asked)):
        return
    text = (
        f"It blocks where it could win at once ({len(blocked)} of {len(asked)}), and wins no more: are the two sides "
        "swapped, is its own side fixed, or are blocks tried before wins?"
    )
    yield Diagnosis("wins not preferred", text, blocked)


def _depth(evidence: Evidence) -> Iterator[Diagnosis]:
    """How far its search sees: the first kind of position that it often fails in, or mostly if it has chance."""
    fails = _MOSTLY if evidence.has_chance else _FAILS
    for kind, sees in _SEES.items():
        right = [each for each in evidence.seen if each.kind == kind and not each.wins_later and not each.was_lost]
        asked = _tested(right)
        if len(asked) >= _TESTS and _missed(asked) > fails:
            missed = _counts(asked, is_missed=True)
            text = f'{sees} It fails in {missed} positions of the kind "{kind}" (plies needed: {SEEN_AFTER[kind]}).'
            yield Diagnosis(DEPTH, text, [*_misses(asked), *(each for each in _misses(right) if each.games)])
            return


def sight_of(evidence: Evidence) -> str:
    """Return how far it sees, as the positions of `sight.py` prove it."""
    asked = [each for each in evidence.seen if not each.games]
    if not asked:
        return ""
    missed = [each for each in _misses(asked) if not each.wins_later]
    if not missed and {each.kind for each in asked} == {*SEEN_AFTER}:
        return f"It sees 4 plies ahead: in all {len(asked)} positions that need no more, it keeps the outcome."
    return (
        f"It keeps the outcome in {len(asked) - len(missed)} of {with_count(len(asked), 'position')} of up to 4 plies."
    )


_ODD = "as where the depth is odd, and the search ends before the opponent's reply."
_SEES = {
    MAKE: "It overlooks fours that it could make.",
    BLOCK: f"It sees 1 ply ahead: {_ODD}",
    "double threat": "It sees 2 plies ahead.",
    "prevent double threat": f"It sees 3 plies ahead: {_ODD}",
}
"""What failing in a kind of position says of the search, from the easiest kind on."""
