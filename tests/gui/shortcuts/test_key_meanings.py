"""One key, one meaning, on all pages."""

import re
from collections import Counter

import pytest

from gui.keys.key_meanings import MEANINGS, REFERENCE_KEYS, keys_of
from gui.keys.shortcuts import parse

_GO_TO_A_PAGE = re.compile(r"(Alt|Ctrl)\+\d")
# What Enter, Delete and Escape mean in a list is what they mean on the board: do it, remove, leave.


def test_no_key_has_two_meanings():
    counts = Counter(key for meaning in MEANINGS.values() for key in meaning.keys)
    assert [key for key, n in counts.items() if n > 1] == []


@pytest.mark.parametrize("key", sorted({k for m in MEANINGS.values() for k in m.keys}))
def test_keys_are_written_as_files_have_them(key):
    assert parse(key) in (key, {"Delete": "Del", "Return": "Return"}.get(key, key))


@pytest.mark.thorough
def test_every_key_of_every_page_means_what_the_table_says(program):
    known = {parse(key) for meaning in MEANINGS.values() for key in meaning.keys}
    shortcuts = program().window.keys.table.shortcuts
    assert len(shortcuts) > 100
    strange = {
        shortcut.id: key
        for shortcut in shortcuts.values()
        for key in shortcut.defaults
        if key not in known and not _GO_TO_A_PAGE.fullmatch(key)
    }
    assert strange == {}


@pytest.mark.thorough
def test_actions_of_one_name_have_one_key_on_all_pages(program):
    """Undo is undo, whichever page is in front."""
    of_name: dict[str, set[tuple[str, ...]]] = {}
    for shortcut in program().window.keys.table.shortcuts.values():
        name = shortcut.id.split(".")[1]
        if name in ("undo", "redo", "hint", "copy", "paste", "left", "right", "up", "down"):
            of_name.setdefault(name, set()).add(shortcut.defaults[:1])
    assert {name: keys for name, keys in of_name.items() if len(keys) > 1} == {}


def test_several_meanings_have_the_keys_of_all():
    assert keys_of("left run") == ("Left", "A", "H", "Space")


@pytest.mark.thorough
def test_the_preset_names_actions_that_are_there_and_clashes_nowhere(program):
    running = program()
    table = running.window.keys.table
    assert set(REFERENCE_KEYS) <= set(table.shortcuts)
    running.services.settings.set(
        "shortcuts", {id_: list(keys) for id_, keys in REFERENCE_KEYS.items()}
    )
    table = running.window.keys.table
    clashes = {id_: table.clashes(id_) for id_ in REFERENCE_KEYS if table.clashes(id_)}
    assert clashes == {}


def test_f_in_a_test_hides_the_analysis_as_in_the_other_program():
    """Its manual, section 4.6.3."""
    assert REFERENCE_KEYS["test.focus"][0] == "F"


def test_the_preset_is_one_click_and_undone_with_another(program):
    running = program()
    card = running.pages["Settings"].part("shortcuts")
    card.preset_button.click()
    assert running.window.keys.table.overrides == dict(REFERENCE_KEYS)
    running.pages["Settings"].banners.banners[0].buttons[0].click()
    assert running.window.keys.table.overrides == {}


@pytest.mark.thorough
def test_the_preset_keeps_keys_of_the_users_own_and_says_which_it_takes(program):
    """It dropped all of them and said only "Shortcuts changed."."""
    running = program()
    own = {"game.undo": ["Ctrl+U"], "practice.hint": ["Ctrl+J"], "game.redo": ["F9", "P"]}
    running.services.settings.set("shortcuts", own)
    card = running.pages["Settings"].part("shortcuts")
    card.preset_button.click()
    table = running.window.keys.table
    assert table.keys("game.undo") == (*REFERENCE_KEYS["game.undo"], "Ctrl+U")
    assert table.keys("game.auto") == ("P",)
    assert table.keys("practice.hint") == ("Ctrl+J",)
    assert table.keys("game.redo") == ("F9",), "P plays now"
    (banner,) = running.pages["Settings"].banners.banners
    said = banner.text_label.text()
    assert said.startswith("Shortcuts changed: ")
    assert said.endswith("Some of your keys do something else now: P (Redo).")
    card.preset_button.click()
    assert running.window.keys.table.overrides == table.overrides
    assert card.message_label.text() == "You already have these keys."
    banner.buttons[0].click()
    assert {id_: list(keys) for id_, keys in running.window.keys.table.overrides.items()} == own


@pytest.mark.thorough
def test_every_meaning_is_that_of_some_action(program):
    used = {s.defaults for s in program().window.keys.table.shortcuts.values()}
    keys = {key for defaults in used for key in defaults}
    unused = [name for name, one in MEANINGS.items() if not keys & set(map(parse, one.keys))]
    assert unused == []
