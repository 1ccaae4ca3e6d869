"""The documents: what they name and link to exists, their commands are right, and blocks opened with ```sh run.

Every folder of the package has a README.md, or the one above it has, which names its modules.

Commands of a block opened with ```sh example, of a transcript (lines that begin with ``$``) and in a sentence are only
parsed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_help import TREE
from tests.processes import ROOT, bot_here

PLACES = ("*", ".github/*", "bot/**/*", "tests/**/*", "logs/*")
DOCUMENTS = sorted(path for place in PLACES for path in ROOT.glob(f"{place}.md"))
CURRENT = [path for path in DOCUMENTS if path.name != "CHANGELOG.md" and ROOT / "tests" not in path.parents]
"""Documents that describe what is; the others keep what was, or have commands of their own."""
PARAMETERS = [parameter for command in TREE.values() for parameter in command.params]
OPTIONS = {name for parameter in PARAMETERS for name in parameter.opts + parameter.secondary_opts}
OTHERS = {"--help", "--hypothesis-profile", "--export", "--online"}
"""Options of every program, of pytest, of the tests' own programs, and of the course's skeleton."""
COMMAND = re.compile(r"(?:\S*python3? -m )?(bot|tests(?:\.\w+)+)( .*)?")


def name_of(document: Path) -> str:
    """Return the path from the repository's folder."""
    return document.relative_to(ROOT).as_posix()


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as Markdown viewers make them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def blocks(document: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each block: what stands behind its backticks, and its lines; of prose "span" and the code in it."""
    parts = re.split(r"^ *```(.*)$", document.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for prose in parts[::4]:
        yield "span", [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose)]
    for kind, text in zip(parts[1::4], parts[2::4], strict=True):
        yield kind, text.replace("\\\n", " ").strip("\n").splitlines()


def commands(document: Path) -> Iterator[str]:
    """Yield the lines of shell in a document."""
    for kind, lines in blocks(document):
        is_shell = kind.startswith(("sh", "span"))
        yield from (line.removeprefix("$ ") for line in lines if is_shell or line.startswith("$ "))


def check(words: list[str]) -> None:
    """Raise an error for a command, an option or a value that the parser does not know; words in capitals pass."""
    command = TREE["bot"]
    while words and words[0] in getattr(command, "commands", ()):
        command = command.get_command(None, words.pop(0))
    context = command.context_class(command)
    values, rest, _ = command.make_parser(context).parse_args([*words, "VALUE"])  # of an option that is only named
    assert not rest or rest[0].isupper(), f"{rest[0]} is neither a command nor an argument of `{command.name}`"
    for parameter in command.params:
        value = values.get(parameter.name)
        if value and isinstance(value, str | list | tuple) and not re.search("[A-Z]", str(value)):
            parameter.process_value(context, value)


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_what_a_document_names_or_links_to_exists(document):
    text = document.read_text(encoding="utf-8")
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        file, _, anchor = link.partition("#")
        target = document.parent / file if file else document
        if "://" not in link and not (target.exists() and (not anchor or anchor in anchors(target))):
            broken.append(link)
    if document.name != "CHANGELOG.md":
        paths = re.findall(r"(?<![\w/.])((?:bot|tests)/[\w./-]*\w)", text)
        broken += [path for path in paths if not (ROOT / path).exists() and not (ROOT / f"{path}.py").exists()]
    assert [name for name in broken if "NAME" not in name] == []


@pytest.mark.parametrize("document", CURRENT, ids=name_of)
def test_every_command_of_a_document_exists_with_its_options(document):
    for line in commands(document):
        for part in re.split(r" (?:&&|[|&<>;])(?: |$)", line):
            if found := COMMAND.fullmatch(part.strip()):
                module, words = found[1], shlex.split(found[2] or "", comments=True)
                if module == "bot":
                    check([word for word in words if word != "-v"])
                path = module.replace(".", "/")
                assert any((ROOT / file).exists() for file in (f"{path}.py", f"{path}/__main__.py")), line
    said = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", document.read_text(encoding="utf-8")))
    assert said <= OPTIONS | OTHERS


RUN = [lines for document in CURRENT for kind, lines in blocks(document) if kind == "sh"]


@pytest.mark.parametrize("lines", RUN, ids=[lines[0] for lines in RUN])
def test_a_block_of_commands_prints_what_it_shows(lines, tmp_path):
    called = [line.removeprefix("$ ") for line in lines if line.startswith(("bot ", "$ bot "))]
    printed: list[str] = []
    for line in called:
        done = bot_here(*shlex.split(line, comments=True)[1:], cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        printed += done.stdout.splitlines()
    assert called and {line for line in lines if not re.match(r"(\$ )?bot |\.\.\.$", line)} <= {*printed}


def test_blocks_are_run_and_commands_are_checked():
    assert len(RUN) > 2 and sum(len([*commands(document)]) for document in CURRENT) > 500


BOT = ROOT / "bot"
MODULES = {path.name for folder in (BOT, ROOT / "tests") for path in folder.rglob("*.py")}


def test_every_room_has_a_readme_that_names_its_modules_and_no_others():
    papers = {path.parent for path in BOT.rglob("notes.md")}  # what they hold is in papers/README.md
    for folder in {path.parent for path in BOT.rglob("*/__init__.py")} - {*BOT.rglob("kernels")} - papers:
        documents = (folder / "README.md", folder.parent / "README.md")
        text = next(each for each in documents if each.exists()).read_text(encoding="utf-8")
        examples = {*re.findall(r"<!-- (\w+\.py) -->", text), "skeleton.py"}  # the last one is a student's
        named = {name for name in re.findall(r"`(\w+\.py)`", text) if "NAME" not in name} - examples
        assert named <= MODULES, folder
        if folder.parent == BOT:
            assert {path.stem for path in folder.glob("*.py")} - {"__init__"} <= {*re.findall(r"\w+", text)}, folder


def test_every_place_in_the_map_of_the_code_exists():
    """A file, and the function or method that is named behind it."""
    text = (BOT / "README.md").read_text(encoding="utf-8")
    places = re.findall(r"`((?:[a-z_]+/)+[\w.]+)`(?:, `(?:\w+\.)?(\w+)`)?", text)
    missing = [place for place in places if not (BOT / place[0]).exists()]
    for file, name in places:
        if name and not re.search(rf"^ *def {name}\b", (BOT / file).read_text(encoding="utf-8"), re.MULTILINE):
            missing.append((file, name))
    assert len(places) > 30 and len([name for _, name in places if name]) > 10 and missing == []
