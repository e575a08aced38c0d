"""Words that what people read does not use, in all strings of the window and the command line.

The text of the code (names, comments, docstrings) may use the terms of the field.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

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
    "gui/text/formations.py": r"\d+ space",  # the names in the file, on their way to plain words
    # The folder of a table is named like that, and typed.
    "tablebase/cli": r"\d*[A-Za-z]*\d+_\d{2,5}",
    "coach/cli": r"\d*[A-Za-z]*\d+_\d{2,5}",
    "gui/shell/command.py": r"\d*[A-Za-z]*\d+_\d{2,5}",
}
"""What a file or a folder may say all the same, and why."""


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


def faults(text: str, allowed: str = "") -> list[str]:
    """Return the forbidden words of a text, each with what to say instead."""
    found = []
    for pattern, better in FORBIDDEN.items():
        flags = 0 if pattern.startswith("BUILD") else re.IGNORECASE
        if pattern != allowed and (match := re.search(rf"\b(?:{pattern})\b", text, flags)):
            found.append(f"{match[0]!r} in {text!r}; say {better}")
    return found


def sources() -> list[str]:
    paths = [ROOT / "main.py", *(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))]
    names = (path.relative_to(ROOT).as_posix() for path in paths)
    return sorted(names)


@pytest.mark.parametrize("name", sources())
def test_what_is_read_has_no_forbidden_word(name: str) -> None:
    allowed = next((words for place, words in ALLOWED.items() if is_under(name, (place,))), "")
    source = (ROOT / name).read_text(encoding="utf-8")
    wrong = [
        f"line {line}: {fault}" for line, text in strings(source) for fault in faults(text, allowed)
    ]
    assert wrong == []


def test_the_readme_has_no_forbidden_word() -> None:
    prose = re.sub(r"```.*?```|`[^`]*`", "", (ROOT / "README.md").read_text("utf-8"), flags=re.S)
    assert [fault for line in prose.splitlines() for fault in faults(line)] == []


@pytest.mark.parametrize(
    "text",
    ["Let the player play", "Options as usual", "Put all settings back", "BUILD", "10 space"],
)
def test_a_forbidden_word_is_found(text: str) -> None:
    assert faults(text)


def test_docstrings_and_names_are_not_looked_at() -> None:
    source = '"""The player of a game."""\nkind = "player"\nprint("your player plays")\n'
    assert list(strings(source)) == [(3, "your player plays")]
