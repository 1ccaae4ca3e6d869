"""What the session does, transcript by transcript: the promises of `transcripts/`, each a heading with its examples.

A line with events stands above what they lead to: the command that is due, the news, the belief where it has changed,
and every other value of the session that has changed. Lines without a result set the scene; ``or`` begins another
example. See `build.py` for the notation. After a deliberate change, this writes the results anew, and the difference
is to be read:

    python -m tests.course.session.test_transcripts
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bot.course.events import Choose, Command, GameEnded, News, Open, ReadStatistics, Send, Stop
from bot.course.hypotheses import Hypotheses, Position
from bot.course.protocol import NEW_GAME
from bot.course.session import KEPT, MAY_RUN, NOT_CONFIRMED, Session
from tests.course.session.build import COLUMNS, Walk

FOLDER = Path(__file__).with_name("transcripts")
RESULT = "    -> "
SHOWN = ["is_made", "trouble_since", "blind", "wasted", "has_adopted", "column_opens", "is_column_refused"]
"""Fields of the session that a result shows in other words, or not at all."""


def due(command: Command, session: Session, at: float) -> str:
    """Return a command in the words of a result: it is given at this time."""
    after_s = 0.0 if isinstance(command, (Send, Stop)) else command.after_s
    pause = f"wait {after_s:.3g} s, then " if after_s else ""
    match command:
        case Open():
            return f"{pause}open game {session.game}"
        case Choose():
            return f"{pause}choose within {session.left_s(at + after_s):.4g} s"
        case Send(move=move):
            return f"send {'-1' if move == NEW_GAME else COLUMNS[move]}"
        case ReadStatistics(patience_s=patience_s, repeated=repeated):
            limit = f" within {patience_s:.4g} s" if patience_s else ""
            return f"{pause}read{limit}{f', again {repeated}' if repeated else ''}"
    hint = re.sub(f"({'|'.join(map(re.escape, (KEPT, MAY_RUN, NOT_CONFIRMED)))})", _in_brief, command.hint)
    return f"stop {command.reason.value}: {command.message} {hint}".strip(" :")


def _in_brief(found: re.Match[str]) -> str:
    return f"({found[0].partition('. ')[0]}.)"


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


def believed(hypotheses: Hypotheses) -> str:
    """Return the number of hypotheses and the three likeliest, with the number of ended games and weights."""
    likeliest = [
        board_of(item.position)
        + (f" after {item.ended}" if item.ended else "")
        + ("" if len(hypotheses) == 1 else f" {item.weight:.3g}")
        for item in hypotheses[:3]
    ]
    return f"{f'{len(hypotheses)} hypotheses: ' if hypotheses[1:] else ''}{', '.join(likeliest)}"


def values(session: Session) -> dict[str, Any]:
    """Return what a result shows where it has changed."""
    base = session.base
    plain = {name: getattr(session if hasattr(session, name) else session.learnt, name) for name in SHOWN}
    counted = base and (base.played, base.won, base.lost, *([base.total_reward] if base.total_reward else []))
    learnt = sum(sum(counts) for counts in session.answers.known.values())
    delivered = [f"{kind} {processed} of {total}" for kind, (processed, total) in session.learnt.deliveries.items()]
    opens_by = "a column" if session.opens_by_column else "-1"
    games = {"game": session.game, "played": session.played, "unseen": session.unseen}
    return {
        **games,
        **plain,
        "base": counted,
        "learnt": learnt,
        "delivered": ", ".join(delivered),
        "opens by": opens_by,
    }


def result_of(walk: Walk, before: Session) -> str:
    """Return the result of a line, ``before`` which the session was another."""
    then, belief = values(before), believed(walk.session.hypotheses)
    command = walk.session.command
    assert command is not None
    dues = due(command, walk.session, walk.due_at)
    changed = [
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in values(walk.session).items()
        if value != then[name]
    ]
    is_new = belief != believed(before.hypotheses)
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
def test_a_transcript_has_its_results(text):
    assert replayed(text) == text


if __name__ == "__main__":
    for file in sorted(FOLDER.glob("*.txt")):
        file.write_text("\n\n".join(map(replayed, transcripts(file))) + "\n", encoding="utf-8")
