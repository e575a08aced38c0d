"""The mutation run (tests/bench/mutants): which faults it makes, and whom it asks about them."""

import pytest

from tests.bench.mutants.areas import AREAS, files_of
from tests.bench.mutants.nearby import Nearby
from tests.bench.mutants.operators import functions_of, is_python, mutants_of

SOURCE = '''"""Words."""
import logging

LIMIT = 7


@kernel
def fast(n):
    return n + 1


class Box:
    """Words."""

    def __repr__(self):
        return "a" + "b"

    def fits(self, n: "int | None" = None) -> bool:
        """Words."""
        _log.info("words", 1)
        if n < LIMIT:
            raise ValueError(f"{n + 1} words", 5)
        self.n = n
        return call(n, key=True)
'''


def changes(source: str) -> set[tuple[str, str]]:
    return {(one.old, one.new) for one in mutants_of("a.py", source) if is_python(one, source)}


def test_everything_is_changed_but_words_types_and_kernels():
    assert changes(SOURCE) == {
        ("7", "8"),
        ("7", "6"),
        ("<", "<="),
        ("<", ">="),
        ('raise ValueError(f"{n + 1} words", 5)', "pass"),
        ("self.n = n", "pass"),
        ("call(n, key=True)", "not (call(n, key=True))"),
        ("key=True", ""),
        ("True", "False"),
    }
    kernels = {one.new for one in mutants_of("a.py", SOURCE, with_kernels=True)}
    assert "-" in kernels


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a <= b", {"a < b", "a > b"}),
        ("a is not b", {"a is b"}),
        ("a not in b", {"a in b"}),
        ("a and b or c", {"a or b or c", "a and b and c"}),
        ("not a", {"(a)"}),
        ("a - 0", {"a + 0", "a - 1", "a - (-1)"}),
        ("a[b:c]", {"a[:c]", "a[b:]"}),
        ("a + 'text'", set()),
        ("200", {"400", "100"}),
        ("0.5", {"1.0", "0.25"}),
        ("(a) < (  # <\n b)", {"(a) <= (  # <\n b)", "(a) >= (  # <\n b)"}),
    ],
)
def test_each_operator(text, wanted):
    source = f"é = {text}\n"
    found = {one.apply(source) for one in mutants_of("a.py", source) if is_python(one, source)}
    assert found == {f"é = {one}\n" for one in wanted}


def test_statements_and_errors():
    source = (
        "def f(a) -> int:\n    for one in a:\n        try:\n            a.g()\n            break\n"
        "        except (OSError, ValueError):\n            continue\n    return a\n"
    )
    assert changes(source) == {
        ("a.g()", "pass"),
        ("break", "continue"),
        ("continue", "break"),
        ("OSError", "ArithmeticError"),
        ("ValueError", "ArithmeticError"),
        ("a", "0"),
    }


def test_a_mutant_knows_its_line_and_its_function():
    (raising,) = (one for one in mutants_of("a.py", SOURCE) if one.new == "pass" and one.line == 22)
    assert raising.where == "Box.fits"
    assert ("Box.fits", 18) in {(name, first) for first, _, name in functions_of(SOURCE)}
    (limit, _) = (one for one in mutants_of("a.py", SOURCE) if one.old == "7")
    assert (limit.where, limit.names) == ("(module)", ("LIMIT",))


@pytest.mark.parametrize("area", AREAS)
def test_every_area_has_files_with_something_to_change(area, project_root):
    found = files_of(area, project_root)
    assert found
    source = (project_root / found[0]).read_text(encoding="utf-8")
    assert mutants_of(found[0].as_posix(), source)


@pytest.mark.thorough
def test_the_tests_of_the_same_name_are_asked_first(project_root):
    nearby = Nearby(project_root)
    assert nearby.test_files("tablebase/build/writer.py", 3)[0] == "tests/tablebase/test_writer.py"
    assert nearby.test_files("gui/work/tasks.py", 3)[0] == "tests/gui/test_tasks.py"
    assert len(nearby.test_files("tablebase/build_files.py", 5)) == 5
