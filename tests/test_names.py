"""The checker of names: each kind of definition, what it finds and what it leaves alone."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def check(tmp_path):
    """Return ``check(source, name) -> list of lines`` on a package of one module."""
    spec = importlib.util.spec_from_file_location("names", ROOT / ".ci/names.py")
    names = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(names)

    def lines(source, name="board.py"):
        (tmp_path / "engine").mkdir()
        (tmp_path / "engine" / name).write_text(source)
        return names.check(tmp_path)

    return lines


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("class KeptRun: ...", "Stored"),
        ("class Told: ...", "noun"),
        ("class TableManager: ...", "what it does"),
        ("def tell_all(): ...", "show_message"),
        ("class Page:\n    def _dress(self): ...", "apply_theme"),
        ("async def patiently(): ...", "with_retries"),
        ("USUAL_MS = 3", "DEFAULT_"),
        ("A, _MOST_BYTES = 1, 2", "MAX_"),
        ("LEAST_MOVES = 5", "MIN_"),
        ("_LEAST = 1", "MIN_"),
        ("_PANEL_MOST = 5", "MAX_"),
        ("class Page:\n    help_asked = Signal()", "_requested"),
    ],
)
def test_a_word_of_its_own_is_named_with_what_to_say(check, source, word):
    (line,) = check(source)
    assert line.startswith("engine/board.py:")
    assert word in line


def test_a_module_is_named_for_its_concept(check):
    assert check("", "helpers.py") == ["engine/helpers.py: module; say its concept"]


@pytest.mark.parametrize(
    "source",
    ["class StoredRun: ...", "def teller(): ...", "is_asked = True", "help_requested = Signal()"],
)
def test_words_of_the_field_pass(check, source):
    assert check(source) == []
