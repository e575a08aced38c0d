"""Names of definitions that the code does not use, and what it says instead: ``make check``.

The window speaks plain English (``tests/test_words.py``), and so does the code: classes are nouns
of the field, functions verbs, constants say MAX_, MIN_ and DEFAULT_.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("ai", "coach", "endgame2048", "engine", "gui", "minigames", "tablebase", "web", ".ci")
# What a name must not be, and what to say instead.
CLASSES = {
    r"_?(Told|Going|Taken|Sought|Walled|Grown|Wanted|Asked|Sight|Look)": "a noun of the field",
    r"_?Kept\w*": "Stored...",
    r"\w*(Desk|Portrait|Mishaps?)": "what it does: a view, a grader, a searcher",
    r"\w*(Utils?|Helpers?|Manager)": "what it does",
}
FUNCTIONS = {
    r"_*(tell|told|say|said)(_\w+)?": "show_message or report_",
    r"_*(lead|dress|speak|mind)(_\w+)?": "show_page, apply_theme, install_translator, update_",
    r"_*(patiently|is_passing|settled|settle_all)": "with_retries, is_transient, finish_",
    r"_*(handed_over|take_over)": "state and restore",
    r"_*\w+_(anew)": "again",
}
CONSTANTS = {
    r"_?(USUAL)_\w+": "DEFAULT_",
    r"_?(LARGEST|HIGHEST|FASTEST)|_?(\w+_)?(MOST|LONGEST|LARGEST_NUMBER)(_\w+)?": "MAX_",
    r"_?(SMALLEST|LOWEST|SLOWEST)|_?(\w+_)?(LEAST|FEWEST|SHORTEST)(_\w+)?": "MIN_",
}
SIGNALS = {r"\w+_(asked|wanted|wished)": "_requested"}
MODULES = {
    r"utils?|helpers?|managers?|misc|common": "its concept",
    r"mishaps?|elves|lettering|encodable|wording|desk|passes|stretch|book": "the field's word",
}


def definitions(tree: ast.AST) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Yield the line, the name, and the rules for it, of all that a module defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.lineno, node.name, CLASSES
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name, FUNCTIONS
        elif isinstance(node, ast.Assign):
            is_signal = isinstance(node.value, ast.Call) and (
                isinstance(node.value.func, ast.Name) and node.value.func.id == "Signal"
            )
            for target in node.targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                for name in names:
                    if isinstance(name, ast.Name):
                        yield node.lineno, name.id, SIGNALS if is_signal else CONSTANTS


def problems(name: str, rules: dict[str, str]) -> Iterator[str]:
    """Yield what to say instead of a name, if it is one that the code does not use."""
    for pattern, instead in rules.items():
        if re.fullmatch(pattern, name):
            yield instead


def check(root: Path) -> list[str]:
    """Return a line for each name that should be another."""
    lines = []
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            where = path.relative_to(root).as_posix()
            lines += [f"{where}: module; say {word}" for word in problems(path.stem, MODULES)]
            for line, name, rules in definitions(ast.parse(path.read_text(encoding="utf-8"))):
                lines += [f"{where}:{line}: {name}; say {word}" for word in problems(name, rules)]
    return lines


if __name__ == "__main__":
    found = check(ROOT)
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))
