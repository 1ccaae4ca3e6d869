"""The page of a study: results.json, and results.md that is made from it."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from operator import itemgetter
from pathlib import Path
from typing import Any

from bot.agents.family import load, papers
from bot.files import replace_file
from bot.papers.runs import Runner
from bot.papers.study import Study, one_line

Page = dict[str, Any]
IDENTIFIED, OPEN = "Is the program identified by its text?", "What the text leaves open"
NOTICED = "What we noticed"
"""Sections of notes.md that a page repeats, the last one where there is one. So it does with those that begin with
"Statement"."""
QUICK = "A quick run of a part of the games: its numbers are not those of the study."
SIGNS = (
    "Each cell is what is printed, a sign, and ours. = the same to the last printed digit; ≠ different; ≈ ours lies"
    " within what so few printed games can show by chance (95 %); ~ depends on the machine and is not compared."
)
VERDICTS = (
    "Each statement is quoted with its rule. Where a rule was changed after a first number had been seen, it says so."
    " The reading of the text that we recommend decides: *holds* or *does not hold*. Where more than 5 % of the other"
    " readings say the opposite, or where the statement's rule says so, the verdict is *depends on what the text"
    " leaves open*. *Cannot be told*: there is no number, the rule does not decide, or the range in which the number"
    " lies, in brackets, is on both sides of the rule's limit. Moves are written as digits, columns 1 to 7, in the"
    " order played. A *solved position* is one whose outcome under perfect play is known; an *opening of four discs* is"
    " a position after two discs of each side."
)
STYLE = {"font.size": 11, "axes.grid": True, "grid.color": "#DDDDDD", "svg.fonttype": "none", "svg.hashsalt": "bot"}
"""Text stays text in a plot, so that a reader can search it."""


def studies() -> list[str]:
    """Return the names of the publications that have a study."""
    return [name for name, folder in papers().items() if (folder / "study.py").is_file()]


def write_page(name: str, run: Runner, out: Path) -> Path:
    """Carry out a study; write results.md, results.json and results.svg into the folder ``out``/``name``.

    Returns the path of results.md.
    """
    study: Study = load(name, "study").study(run)
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    draw(study, folder / "results.svg")
    title, notes = read_notes(papers()[name] / "notes.md")
    heads = [head for head in notes if head.startswith("Statement ")]
    page: Page = {
        "title": title,
        "about": notes[title],
        "found": [*map(one_line, study.found)],
        "tables": [{"title": table.title, "rows": table.rows, "note": one_line(table.note)} for table in study.tables],
        "statements": [
            {"name": head, "said": notes[head], **said.as_json()}
            for head, said in zip(heads, study.statements, strict=True)
        ],
        "plot": study.plot,
        "quick": run.quick,
        "runs": run.about,
        "versions": {"python": platform.python_version(), "numba": version("numba")},
        **{head: notes[head] for head in (IDENTIFIED, OPEN)},
        NOTICED: notes.get(NOTICED),
    }
    replace_file(folder / "results.json", f"{json.dumps(page, indent=1, ensure_ascii=False)}\n".encode())
    replace_file(folder / "results.md", ("\n\n".join(paragraphs(page)) + "\n").encode())
    return folder / "results.md"


def read_notes(path: Path) -> tuple[str, dict[str, str]]:
    """Return the title of a notes.md, and its sections by their headings, the title's first."""
    _, title, *parts = re.split(r"^#+ (.*)\n", path.read_text("utf-8"), flags=re.MULTILINE)
    return title, dict(zip([title, *parts[1::2]], map(str.strip, parts[::2]), strict=True))


def paragraphs(page: Page) -> Iterable[str]:
    """Yield what results.md says, in the order in which a reader needs it."""
    yield f"# {page['title']}"
    if page["quick"]:
        yield f"**{QUICK}**"
    yield from (" ".join(page["found"]), page["about"], f"## {IDENTIFIED}", page[IDENTIFIED])
    for table in page["tables"]:
        yield from (f"## {table['title']}", markdown(table["rows"]), f"{SIGNS} {table['note']}")
    yield from (f"![{page['plot']}](results.svg)", "## Statements", VERDICTS, markdown(overview(page)))
    for each in page["statements"]:
        yield f"### {each['name']}\n\n{each['said']}\n\n**{each['verdict']}.** {each['why']}"
    for head in filter(page.get, (OPEN, NOTICED)):
        yield from (f"## {head}", page[head])


def overview(page: Page) -> list[Sequence[str]]:
    """Return the statements as rows of texts: place, our number, the range over the other readings, the verdict."""
    shown = itemgetter("name", "ours", "others", "verdict")
    return [("", "our number", "over the other readings", "verdict"), *map(shown, page["statements"])]


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; the first row has the heads."""
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def draw(study: Study, path: Path) -> None:
    """Draw a study's lines into a file."""
    import pandas as pd
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(figsize=(9, 4.5), layout="constrained")
        axes = figure.subplots()
        pd.DataFrame(study.lines).plot(ax=axes, style="o-", title=study.plot, logy=study.is_logarithmic)
        figure.savefig(path, metadata={"Date": None})
