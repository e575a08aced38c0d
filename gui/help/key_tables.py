"""The current keys of the program, for the help page that lists them. No Qt."""

from collections.abc import Callable

from engine.platform.language import tr
from gui.help.blocks import Blocks, Heading, Span, Spans, Table
from gui.keys.shortcuts import KeyTable


def key_blocks(table: KeyTable, native: Callable[[str], str]) -> Blocks:
    """Return a heading and a table for each page of the program.

    Parameters
    ----------
    table : KeyTable
        All actions with the keys they have; those without any are left out.
    native : callable
        Writes a key in the system's notation; duplicates are removed.
    """
    rows: dict[str, list[tuple[Spans, ...]]] = {}
    titles: dict[str, str] = {}
    for shortcut in table.shortcuts.values():
        titles.setdefault(shortcut.page, shortcut.title)
        page = rows.setdefault(shortcut.page, [])
        if keys := table.keys(shortcut.id):
            page.append(((Span(shortcut.text),), _keys(tuple(dict.fromkeys(map(native, keys))))))
    head = ((Span(tr("Action")),), (Span(tr("Keys")),))
    blocks: list[Heading | Table] = []
    for name, found in rows.items():
        blocks.append(Heading(3, (Span(titles[name]),)))
        if found:
            blocks.append(Table(head, tuple(found), ("left", "left")))
    return tuple(blocks)


def _keys(keys: tuple[str, ...]) -> Spans:
    spans = []
    for key in keys:
        spans += [Span(key, is_code=True), Span("  ")]
    return tuple(spans[:-1])
