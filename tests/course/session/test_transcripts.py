"""What the session does, transcript by transcript: the promises of `transcripts/`, each a heading with its examples.

A line with events stands above what they lead to: the command that is due, the news, the belief where it has changed,
and every other value of the session that has changed. Lines without a result set the scene; ``or`` begins another
example. See `build.py` for the notation. After a deliberate change, this writes the results anew, and the difference
is to be read:

    python -m tests.course.session.test_transcripts
"""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from bot.course.protocol import NEW_GAME
from bot.course.session.belief import Belief
from bot.course.session.events import Choose, Command, GameEnded, News, Open, ReadStatistics, Send, Stop, Wait
from bot.course.session.position import Position
from bot.course.session.state import KEPT, Session
from tests.course.session.build import COLUMNS, Walk

FOLDER = Path(__file__).with_name("transcripts")
RESULT = "    -> "
APART = {"run", "agenda", "belief", "clock", "answers", "deliveries", "lost_kinds", "base", "trust", "news"}
APART |= {"dialect", "lacks_statistics"}
"""Fields of the session that a result shows in other words, or not at all."""


def due(command: Command) -> str:
    """Return a command in the words of a result."""
    match command:
        case Open(number=number):
            return f"open game {number}"
        case Choose(left_s=left_s):
            return f"choose within {left_s:.4g} s"
        case Send(move=move, is_sent=is_sent):
            return f"{'await the reply to' if is_sent else 'send'} {'-1' if move == NEW_GAME else COLUMNS[move]}"
        case ReadStatistics(patience_s=patience_s, repeated=repeated):
            limit = f" within {patience_s:.4g} s" if patience_s else ""
            return f"read{limit}{f', again {repeated}' if repeated else ''}"
        case Wait(seconds=seconds):
            return f"wait {seconds:.3g} s"
    assert isinstance(command, Stop)
    hint = command.hint.replace(KEPT, "(The game is kept.)")
    return f"stop {command.reason.value}: {command.message} {hint}".strip(" :")


def told(item: News) -> str:
    """Return news in the words of a result."""
    if isinstance(item, GameEnded):
        moves = f", {game_of(item.moves, bool(item.we_started))}" if item.moves else ""
        return f"end of game {item.game}: {item.result:g} by {item.known_by}{moves}"
    return f"{'quiet ' if item.quiet else ''}note {item.kind}"


def game_of(moves: tuple[int, ...], we_started: bool) -> str:
    """Return a game in the notation."""
    return f"{'' if we_started else '^'}{''.join(COLUMNS[column] for column in moves) or '.'}"


def board_of(known: Position | None) -> str:
    """Return the game of a position, or its rows from below where the order of play is unknown: o is ours."""
    if known is None:
        return "no game"
    if len(known.moves) == known.board.ply:
        return game_of(known.moves, known.we_started)
    return "/".join("".join(".ox"[cell] for cell in row) for row in reversed(known.grid) if any(row))


def believed(belief: Belief) -> str:
    """Return the number of hypotheses and the three likeliest, with ended games' results and weights."""
    likeliest = [
        board_of(item.position)
        + "".join(f" after {result:g}" for result in item.results)
        + ("" if len(belief) == 1 else f" {item.weight:.3g}")
        for item in belief[:3]
    ]
    return f"{f'{len(belief)} hypotheses: ' if belief[1:] else ''}{', '.join(likeliest)}"


def values(session: Session) -> dict[str, Any]:
    """Return what a result shows where it has changed."""
    owners, base = (session, session.trust), session.base
    plain = {item.name: getattr(owner, item.name) for owner in owners for item in fields(owner)}
    counted = base and (base.played, base.won, base.lost, *([base.total_reward] if base.total_reward else []))
    learnt = sum(sum(counts) for counts in session.answers.known.values())
    shown = {name: value for name, value in plain.items() if name not in APART}
    delivered = [f"{kind} {processed} of {total}" for kind, (processed, total) in session.deliveries.cases.items()]
    opens_by = "a column" if session.opens_by_column else "-1"
    return {**shown, "base": counted, "learnt": learnt, "delivered": ", ".join(delivered), "opens by": opens_by}


def result_of(walk: Walk, before: Session) -> str:
    """Return the result of a line, ``before`` which the session was another."""
    then, belief = values(before), believed(walk.session.belief)
    dues = ", then ".join(map(due, walk.session.agenda))
    changed = [
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in values(walk.session).items()
        if value != then[name]
    ]
    is_new = belief != believed(before.belief)
    return " | ".join([dues, *map(told, walk.news), *([belief] if is_new else []), *changed])


def replayed(text: str) -> str:
    """Return a transcript with the results that its events have now."""
    walk, lines = Walk(), []
    before = walk.session
    for line in text.splitlines():
        if line.startswith(RESULT.rstrip()):
            lines.append(RESULT + result_of(walk, before))
        else:
            lines.append(line)
            before = walk.session
            if line == "or":
                walk = Walk()
            elif line and not line.startswith("#"):
                walk(line)
    return "\n".join(lines)


def transcripts(path: Path) -> list[str]:
    """Return the transcripts of a file: each begins with a heading."""
    return re.split(r"\n\n(?=# )", path.read_text(encoding="utf-8").strip())


CASES = {
    f"{path.stem}: {text.splitlines()[0].lstrip('# ')}": text
    for path in sorted(FOLDER.glob("*.txt"))
    for text in transcripts(path)
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_a_transcript_has_its_results(text: str) -> None:
    assert replayed(text) == text


if __name__ == "__main__":
    for file in sorted(FOLDER.glob("*.txt")):
        file.write_text("\n\n".join(map(replayed, transcripts(file))) + "\n", encoding="utf-8")
