"""Every text that people read is translated, whole, and with the same places for values."""

import string
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from engine.platform import language
from tests.unmarked_texts import glued, unmarked

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / ".ci"))
import catalogues  # noqa: E402


def sources() -> list[str]:
    rooms = (ROOT / room for room in catalogues.ROOMS)
    paths = [ROOT / "main.py", *(path for room in rooms for path in room.rglob("*.py"))]
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


def found_in_sources(find: Callable[[str], Iterable[tuple[int, str]]]) -> list[str]:
    """Return the places that a lint finds, as "path:line: text"."""
    return [
        f"{name}:{line}: {text}"
        for name in sources()
        for line, text in find((ROOT / name).read_text(encoding="utf-8"))
    ]


@pytest.mark.thorough
def test_every_text_is_marked():
    assert found_in_sources(unmarked) == []


@pytest.mark.thorough
def test_no_text_is_put_together():
    assert found_in_sources(glued) == []


def places(text: str) -> set[str]:
    """Return the names of the values in a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("path", catalogues.po_files(ROOT), ids=lambda path: path.stem)
class TestCatalogue:
    @pytest.mark.thorough
    def test_it_has_the_texts_of_the_program_and_no_others(self, path):
        wanted = {(m.context, m.id) for m in catalogues.texts(ROOT) if m.id}
        found = {(m.context, m.id) for m in catalogues.read(path) if m.id}
        assert found == wanted, "run: make messages"

    def test_every_text_is_translated(self, path):
        messages = [m for m in catalogues.read(path) if m.id]
        assert [m.id for m in messages if m.fuzzy or not m.string or not all(m.string)] == []

    def test_the_places_of_values_are_the_same(self, path):
        for message in catalogues.read(path):
            if message.id:
                one = message.id if isinstance(message.id, str) else message.id[-1]
                several = (message.string,) if isinstance(message.string, str) else message.string
                for text in several:
                    assert places(text) == places(one), one

    def test_it_is_written_as_make_messages_writes_it(self, path):
        assert path.read_bytes() == catalogues.po_bytes(catalogues.read(path), path.stem)


def test_what_is_not_marked_is_found():
    source = (
        'a = tr("A table.")\nb = label("A board.")\nc = f"{n} boards here"\n"""A docstring."""\n'
    )
    assert list(unmarked(source)) == [(2, "A board."), (3, "\0 boards here")]


def test_what_is_put_together_is_found():
    lines = (
        'tr(f"{n} boards")',
        'tr("Boards") + " here"',
        "f\"{tr('Boards')} here\"",
        'tr("{n} boards", n=n)',
    )
    source = "\n".join(lines)
    assert [line for line, _ in glued(source)] == [1, 2, 3]


def test_the_pseudo_language_keeps_the_places_of_values():
    language.use(language.PSEUDO)
    try:
        assert language.tr("Build {name} now", name="L3") == "[Búíld L3 ñów~]"
        assert len(language.tr("A sentence of some length.")) > 1.25 * 26
    finally:
        language.use("en")


def test_an_unknown_language_is_english():
    language.use("tlh")
    assert language.in_force() == "en"
