"""The tree of the wheel: the checkout, as one top-level package.

The packages of the checkout (``engine``, ``gui`` ...) have names that others use as well. So a
wheel has them inside ``endgame2048``, and their imports from each other are changed to match. Every
line keeps its number.
"""

import ast
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "endgame2048"
NO_PACKAGES = {"tests", "docs"}
DATA_FILES = ("patterns_config.json", "color_schemes.txt")
# What an sdist contains besides the packages and `DATA_FILES`.
SOURCES = ("main.py", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md")
SOURCES += ("README.zh-CN.md", "SECURITY.md", "Makefile")
SOURCES += (".pre-commit-config.yaml", ".ci", "docs", "tests")
MADE = shutil.ignore_patterns("__pycache__", "*.py[co]", "*.part", "*~", ".*")
_ONLY_IN_CHECKOUT = 'py-modules = ["main"]\n'


class NestingError(Exception):
    """A line of the sources that cannot be moved into the package."""


def nest(root: Path, target: Path) -> None:
    """Write the tree of the wheel: the checkout at `root`, as one package in `target`.

    Raises NestingError: code names a package of ours in a way that can't be told apart from other
    words.
    """
    names = package_names(root)
    inside = target / PACKAGE
    shutil.copytree(root / PACKAGE, inside, ignore=MADE)
    for name in names:
        shutil.copytree(root / name, inside / name, ignore=MADE)
    for name in ("main.py", *DATA_FILES):
        shutil.copy2(root / name, inside / name)
    for path in sorted(inside.rglob("*.py")):
        old = path.read_bytes()
        try:
            new = nested_source(old, {*names, "main"})
        except NestingError as error:
            raise NestingError(f"{path.relative_to(inside)}, {error}") from None
        if new != old:
            path.write_bytes(new)
    settings = (root / "pyproject.toml").read_text(encoding="utf-8")
    if _ONLY_IN_CHECKOUT not in settings:
        raise NestingError(f"pyproject.toml: expected the line {_ONLY_IN_CHECKOUT!r}")
    settings = settings.replace(_ONLY_IN_CHECKOUT, "")
    (target / "pyproject.toml").write_text(settings, encoding="utf-8")
    for name in ("README.md", "LICENSE"):
        shutil.copy2(root / name, target / name)


def package_names(root: Path) -> list[str]:
    """Return the top-level packages that go into the one of the wheel."""
    names = (path.parent.name for path in root.glob("*/__init__.py"))
    return sorted(set(names) - NO_PACKAGES - {PACKAGE})


def nested_source(source: bytes, names: Iterable[str]) -> bytes:
    """Return a module's source in which the packages `names` are parts of the one package.

    ``from engine.game import Game`` becomes ``from endgame2048.engine.game import Game``; so do
    ``import engine.game as game``, a string that is the name of a module, and ``python -m
    engine.game`` in text. ``import engine.game`` binds the name ``engine`` and is refused.
    """
    any_name = b"|".join(sorted(name.encode() for name in names))
    module = re.compile(rb"(?:%s)(?:\.\w+)*" % any_name)
    lines = source.splitlines(keepends=True)
    for line, column in sorted(_places(source, lines, module), reverse=True):
        text = lines[line - 1]
        lines[line - 1] = text[:column] + PACKAGE.encode() + b"." + text[column:]
    command = re.compile(rb"(\bpython -m )((?:%s)\.)" % any_name)
    return command.sub(rb"\1" + PACKAGE.encode() + rb".\2", b"".join(lines))


def _places(
    source: bytes, lines: list[bytes], module: "re.Pattern[bytes]"
) -> Iterator[tuple[int, int]]:
    """Yield the line (from 1) and the column in bytes of each name of a module of ours."""
    script = re.compile(rb"(?m)^\s*(?:from\s+%s\s+import|import\s+%s)\b" % ((module.pattern,) * 2))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and not node.level:
            if module.fullmatch(str(node.module).encode()):
                start = re.match(rb"from[ \t]+(?=\w)", lines[node.lineno - 1][node.col_offset :])
                if start is None:
                    raise NestingError(f"line {node.lineno}: expected the module in this line")
                yield node.lineno, node.col_offset + start.end()
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if module.fullmatch(alias.name.encode()):
                    if not alias.asname:
                        raise NestingError(
                            f"line {node.lineno}: import {alias.name} binds a name that is not "
                            f"there once installed: write from ... import, or import ... as"
                        )
                    yield alias.lineno, alias.col_offset
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value.encode(errors="replace")
            if script.search(text):
                raise NestingError(f"line {node.lineno}: code in a string imports from {text!r}")
            if b"." in text and module.fullmatch(text) and _is_module(node.value):
                quote = re.match(rb"\w?['\"]", lines[node.lineno - 1][node.col_offset :])
                if quote is None:
                    raise NestingError(f"line {node.lineno}: cannot rewrite {node.value!r}")
                yield node.lineno, node.col_offset + quote.end()


def _is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def copy_sources(root: Path, target: Path) -> None:
    folders = [PACKAGE, *package_names(root)]
    for name in (*folders, *SOURCES, *DATA_FILES):
        if (root / name).is_dir():
            shutil.copytree(root / name, target / name, ignore=MADE)
        elif (root / name).is_file():
            shutil.copy2(root / name, target / name)
    (target / "MANIFEST.in").write_text(
        "".join(f"graft {name}\n" for name in (*folders, ".ci", "docs", "tests"))
        + "".join(f"include {name}\n" for name in (*SOURCES, *DATA_FILES))
        + "global-exclude *.py[co]\nexclude MANIFEST.in\n",
        encoding="utf-8",
    )
