"""Score a program's answers to the benchmark: python score.py positions-1.jsonl answers.csv

A line of the answers is id,column or {"id": 1, "column": 4}, the columns being 1 to 7 from the left; other lines, such
as a header, are passed over. A missing answer counts as the worst column, and so does a column that is full or none.
Exit code 2: no answer could be read.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

PHASES = {"plies 4-11": (4, 11), "plies 12-23": (12, 23), "plies 24-39": (24, 39)}
"""First and last ply of each phase of a game."""
PARTS = ("decisive", "hard", *PHASES)
NAMES = ("legal column", "score kept", "outcome kept", *(f"outcome kept, {part}" for part in PARTS))


def read_answers(text: str) -> tuple[dict[int, int], list[str]]:
    """Return the column that was answered in each position, of several answers the last; and the lines passed over."""
    answers, passed_over = {}, []
    for line in text.splitlines():
        try:
            if line.startswith("{"):
                answer = json.loads(line)
                number, column = str(answer["id"]), str(answer["column"])
            else:
                number, column = line.split(",")
            answers[int(number)] = int(column)
        except (KeyError, ValueError):
            passed_over.append(line)
    return answers, passed_over


def sign(score: int) -> int:
    """Return 1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)


def judged(position: dict[str, Any], column: int | None) -> dict[str, bool]:
    """Return the numbers that a position counts for, and whether the answer was right for each."""
    scores: list[int | None] = position["scores"]
    answered = scores[column - 1] if column is not None and 1 <= column <= 7 else None
    after = min(score for score in scores if score is not None) if answered is None else answered
    is_kept = sign(after) == sign(position["best"])
    parts = [part for part in ("decisive", "hard") if position[part]]
    parts += [phase for phase, (first, last) in PHASES.items() if first <= position["ply"] <= last]
    whole = {"legal column": answered is not None, "score kept": after == position["best"], "outcome kept": is_kept}
    return {**whole, **{f"outcome kept, {part}": is_kept for part in parts}}


def results(positions: list[dict[str, Any]], answers: dict[int, int]) -> dict[str, list[bool]]:
    """Return for each number which of its answers were right."""
    found: dict[str, list[bool]] = {name: [] for name in NAMES}
    for position in positions:
        for name, is_right in judged(position, answers.get(position["id"])).items():
            found[name].append(is_right)
    return found


def main() -> None:
    """Print each number as a share and a count; on stderr, whether answers are missing."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    lines, text = (Path(name).read_text(encoding="utf-8-sig") for name in sys.argv[1:])
    positions = [json.loads(line) for line in lines.splitlines()]
    answers, passed_over = read_answers(text)
    read = sum(position["id"] in answers for position in positions)
    if read < len(positions):
        first = f"; first line passed over: {passed_over[0][:100]}" if passed_over else ""
        print(f"{read} of {len(positions)} answers read{first}", file=sys.stderr)
    if not read:
        sys.exit(2)
    try:
        for name, right in results(positions, answers).items():
            print(f"{name:26}{100 * sum(right) / max(1, len(right)):6.1f} %{sum(right):6} of {len(right)}")
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as head, has what it wants; Python would write the rest at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
