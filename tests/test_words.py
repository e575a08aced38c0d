"""Words that what people read does not use, and names in docstrings that are there."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parent.parent
ROOMS = ("gui", "ai/cli", "ai/protocol", "coach/cli", "minigames/cli", "tablebase/cli", "web")
FORBIDDEN = {
    r"players?": "AI, or you",
    r"choosers?": "AI",
    r"\d+ space": "10 free cells",
    r"practi[sc]ed? it": "Practice",
    r"practis\w+": "practice",
    r"colou?rings?|colours?|favour\w*|licences?|analys(?:e|ed|es|ing)": "American spelling",
    r"oftener|dearer|whoever|nor does|what comes of(?: it)?": "a sentence that reads at once",
    r"as usual|as it is today|put (?:all \w+ )?back|let go|begun": "reset, default, started",
    r"anew": "again, or from scratch",
    r"(?:give|gives|gave) (?:away|up)": "lose, cost",
    r"here already|no more fits|cannot tell": "already built",
    r"BUILD|RESUME|REPAIR|ADD TO THE LINE": "buttons in sentence case",
    r"(?:tile|large)(?=:,)": "a tile is 2048, without a comma",
    r"\d*[A-Za-z]*\d+_\d{2,5}": "a table is 442 \N{RIGHTWARDS ARROW} 128 on screen",
}
ALLOWED = {
    "gui/text/contents.py": r"\d+ space",  # the names in the file, on their way to plain words
    # The folder of a table is named like that, and typed.
    "tablebase/cli": r"\d*[A-Za-z]*\d+_\d{2,5}",
    "coach/cli": r"\d*[A-Za-z]*\d+_\d{2,5}",
    "gui/shell/command.py": r"\d*[A-Za-z]*\d+_\d{2,5}",
}
"""What a file or a folder may say all the same, and why."""
IDIOMS = {
    r"(?<!you )(?:is|are) told": "shown, listed, said",
    r"goes? on from": "resumes",
    r"(?:table|original|file) is whole": "intact",
    r"(?:comes|becomes) of (?:it|them)": "what it turns into",
    r"will not do": "can't be used",
    r"anew": "again, or from scratch",
    r"oftener|dearer|begun|as usual": "more often, dearer, started, default",
    r"look-ups?": "lookup",
}
"""What reads like a translation, in the messages of all packages and in all documents."""
DOCUMENTS = ("*.md", "docs/*.md", "gui/help/en/*.md")


def is_under(path: str, places: tuple[str, ...]) -> bool:
    return any(path == place or path.startswith(f"{place}/") for place in places)


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string that may be read: with a space, no docstring."""
    tree = ast.parse(source)
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in statements and " " in node.value.strip():
            yield node.lineno, node.value


def faults(text: str, allowed: str = "", forbidden: dict[str, str] = FORBIDDEN) -> list[str]:
    """Return the forbidden words of a text, each with what to say instead."""
    found = []
    for pattern, better in forbidden.items():
        flags = 0 if pattern.startswith("BUILD") else re.IGNORECASE
        if pattern != allowed and (match := re.search(rf"\b(?:{pattern})\b", text, flags)):
            found.append(f"{match[0]!r} in {text!r}; say {better}")
    return found


def sources() -> list[str]:
    paths = [ROOT / "main.py", *(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))]
    names = (path.relative_to(ROOT).as_posix() for path in paths)
    return sorted(names)


@pytest.mark.thorough
def test_what_is_read_has_no_forbidden_word():
    wrong = [
        f"{name}:{line}: {fault}"
        for name in sources()
        for line, text in strings((ROOT / name).read_text(encoding="utf-8"))
        for fault in faults(text, allowed_in(name))
    ]
    assert wrong == []


def allowed_in(name: str) -> str:
    """Return the words that a source may use although they are forbidden."""
    return next((words for place, words in ALLOWED.items() if is_under(name, (place,))), "")


def prose_of(path: Path) -> str:
    """Return the text of a document without its code."""
    return re.sub(r"```.*?```|`[^`]*`", "", path.read_text("utf-8"), flags=re.S)


def test_the_readme_has_no_forbidden_word():
    prose = prose_of(ROOT / "README.md")
    assert [fault for line in prose.splitlines() for fault in faults(line)] == []


@pytest.mark.parametrize(
    "path",
    sorted(path for pattern in DOCUMENTS for path in ROOT.glob(pattern)),
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_no_document_reads_like_a_translation(path):
    assert faults(prose_of(path), forbidden=IDIOMS) == []


def test_no_message_reads_like_a_translation():
    """In all packages: tests/test_translations.py compares this catalogue with the sources."""
    with (ROOT / "engine/platform/languages/zh_CN.po").open("rb") as file:
        messages = [message.id for message in read_po(file)]
    texts = [text for one in messages for text in ((one,) if isinstance(one, str) else one)]
    assert len(texts) > 4000
    without_values = (re.sub(r"{.*?}", "", text) for text in texts)
    assert [fault for text in without_values for fault in faults(text, forbidden=IDIOMS)] == []


@pytest.mark.parametrize(
    "text",
    ["Let the player play", "Options as usual", "Put all settings back", "BUILD", "10 space"],
)
def test_a_forbidden_word_is_found(text):
    assert faults(text)


@pytest.mark.parametrize("text", ["the first mistake is told", "The table is whole.", "a look-up"])
def test_an_idiom_of_translations_is_found(text):
    assert faults(text, forbidden=IDIOMS)


def test_docstrings_and_names_are_not_looked_at():
    source = '"""The player of a game."""\nkind = "player"\nprint("your player plays")\n'
    assert list(strings(source)) == [(3, "your player plays")]


PACKAGES = ("endgame2048", "engine", "tablebase", "ai", "coach", "minigames", "gui", "web")


NAME = re.compile(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)(?:\(\))?`")


def docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield ast.get_docstring(node) or ""


@cache
def names_in(path: Path) -> frozenset[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom):
            found |= {one.asname or one.name for one in node.names}
    return frozenset(found)


def is_there(name: str) -> bool:
    """Return whether a module has such a name, or such a module exists."""
    folder, parts = ROOT, name.split(".")
    while parts and (folder / parts[0]).is_dir():
        folder /= parts.pop(0)
    module = folder / "__init__.py"
    if parts and (folder / f"{parts[0]}.py").exists():
        module = folder / f"{parts.pop(0)}.py"
    return set(parts) <= names_in(module)


def missing(source: str) -> list[str]:
    named = {name for text in docstrings(ast.parse(source)) for name in NAME.findall(text)}
    return sorted(name for name in named if not is_there(name))


@pytest.mark.thorough
@pytest.mark.parametrize("package", PACKAGES)
def test_what_docstrings_name_is_there(package):
    paths = sorted((ROOT / package).rglob("*.py"))
    found = {path: missing(path.read_text(encoding="utf-8")) for path in paths}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("See `engine.moves`.", []),
        ("See `engine.moves.move` and ``engine.spawn.Rng.below()``.", []),
        ("See `tablebase.store`, or `engine.nothing`.", ["engine.nothing"]),
        ("See `engine.moves.no_move`.", ["engine.moves.no_move"]),
        ("See `moves.nothing`, `main.py`.", []),
    ],
)
def test_what_is_missing_is_found(text, absent):
    assert missing(f'"""{text}"""') == absent
    assert missing(f'def f():\n    """{text}"""') == absent
