"""Which test files are likely to notice a fault in a file: by name, and by who imports whom."""

import ast
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

_PACKAGES = ("engine", "tablebase", "ai", "coach", "minigames", "gui")
_FAR = 4
# They go through everything and take long, so they come last.
_LONG = {"test_against_brute_force", "test_faults_quick", "test_golden", "test_kill", "test_main"}


class Nearby:
    """The imports of a checkout."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def test_files(self, path: str, most: int) -> list[str]:
        """Return the test files nearest to a product file, the nearest first."""
        near = self._modules_above(_module(path))
        ranked = []
        for name, imported in self._tests.items():
            distance = min((near[one] for one in imported if one in near), default=_FAR)
            words = set(Path(path).stem.split("_")) & set(Path(name).stem.split("_"))
            same = Path(name).stem.removeprefix("test_") == Path(path).stem
            is_of_room = Path(name).parent == "tests" / Path(path).parent
            if distance < _FAR or same or is_of_room:
                is_long = Path(name).stem in _LONG
                distance -= bool(words) + is_of_room
                ranked.append((is_long, not same, distance, len(imported), name))
        return [name for *_, name in sorted(ranked)[:most]]

    def _modules_above(self, module: str) -> dict[str, int]:
        """Return the distances of all modules that import a module, itself included."""
        found, edge = {module: 0}, {module}
        for distance in range(1, _FAR):
            edge = {
                name for name, imported in self._product.items() if imported & edge
            } - found.keys()
            found |= dict.fromkeys(edge, distance)
        return found

    @cached_property
    def _product(self) -> dict[str, set[str]]:
        paths = [path for name in _PACKAGES for path in (self._root / name).rglob("*.py")]
        return {_module(path.relative_to(self._root).as_posix()): _imports(path) for path in paths}

    @cached_property
    def _tests(self) -> dict[str, set[str]]:
        """Return the product modules each test file imports, directly or through helper modules."""
        paths = [path for path in (self._root / "tests").rglob("*.py") if "bench" not in path.parts]
        by_stem = {path.stem: path for path in paths if path.name != "conftest.py"}
        imports = {path: _imports(path) for path in paths}

        def all_of(path: Path, seen: set[Path]) -> set[str]:
            seen.add(path)
            found = set(imports[path])
            for one in imports[path]:
                helper = by_stem.get(one.rpartition(".")[2])
                if helper is not None and helper not in seen and not _is_product(one):
                    found |= all_of(helper, seen)
            return found

        return {
            path.relative_to(self._root).as_posix(): set(filter(_is_product, all_of(path, set())))
            for path in paths
            if path.name.startswith("test_")
        }


def _is_product(module: str) -> bool:
    return module.split(".")[0] in _PACKAGES


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def functions_at(called: Iterable[tuple[str, int]], functions: dict[str, list]) -> set[str]:
    """Return "path::function" for each call, given the functions of each file."""
    found = set()
    for path, line in called:
        for first, last, name in functions.get(path, ()):
            if first <= line <= last:
                found.add(f"{path}::{name}")
        found.add(f"{path}::")
    return found
