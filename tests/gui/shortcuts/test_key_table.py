"""Keys without a window: how they are written, who wants them, what the file may say."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QKeySequence

from gui.keys.shortcuts import KeyTable, NoKeyError, Shortcut, parse, read_overrides

NAMED = ("Left", "Right", "PgUp", "PgDown", "Home", "End", "Ins", "Del", "Esc", "Tab", "Backspace")
NAMED += ("Return", "Enter", "Space", "Pause", "Print", "Menu", "Help", "Clear", "F1", "F12", "F35")
MODIFIERS = ("Meta", "Ctrl", "Alt", "Shift")


@pytest.mark.parametrize("name", [*NAMED, *"AZ09?+,.-/;!\\'\"<É"])
def test_keys_are_written_as_qt_writes_them(name):
    for n in range(5):
        for modifiers in itertools.combinations(MODIFIERS, n):
            text = "+".join([*modifiers, name])
            if len(name) == 1 and not name.isalnum() and "Shift" in modifiers:
                continue  # a sign is the sign, however it is reached
            sequence = QKeySequence(text, QKeySequence.SequenceFormat.PortableText)
            assert sequence.count() == 1
            assert parse(text) == sequence.toString(QKeySequence.SequenceFormat.PortableText)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("shift+CTRL+s", "Ctrl+Shift+S"),
        ("a", "A"),
        (" F5 ", "F5"),
        ("Delete", "Del"),
        ("escape", "Esc"),
        ("PageDown", "PgDown"),
        ("Num+5", "5"),
        ("media play", "Media Play"),
        ("+", "+"),
        ("Ctrl++", "Ctrl++"),
        ("Shift+?", "?"),
        ("Ctrl+Shift+?", "Ctrl+?"),
        ("Shift+1", "Shift+1"),
    ],
)
def test_there_is_one_way_to_write_a_key(text, key):
    assert parse(text) == key


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Ctrl",
        "Ctrl+",
        "Hyper+A",
        "Ctrl+Ctrl+A",
        "Ctrl+Alt",
        "CapsLock",
        "A, B",
        "AB",
        "F36",
        "F0",
        "\n",
    ],
)
def test_what_is_no_key_is_refused_with_an_example(text):
    with pytest.raises(NoKeyError, match=r"Ctrl\+Shift\+S"):
        parse(text)


@pytest.mark.thorough
@given(st.text(max_size=12))
def test_any_text_is_a_key_or_refused_and_a_key_stays_itself(text):
    try:
        key = parse(text)
    except NoKeyError:
        return
    assert parse(key) == key


def shortcut(id_: str, *keys: str, places: str = "") -> Shortcut:
    return Shortcut(id_, id_.partition(".")[0].title(), id_, keys, frozenset(places.split()))


ALL = (
    shortcut("window.find", "Ctrl+K"),
    shortcut("practice.undo", "Backspace", "Ctrl+Z"),
    shortcut("practice.hint", "B"),
    shortcut("game.undo", "Backspace"),
    shortcut("mistakes.next", "Return", places="drill"),
    shortcut("mistakes.open", "Return", places="list"),
    shortcut("mistakes.retire", "R", places="drill list"),
    shortcut("mistakes.find", "Ctrl+F"),
)


def ids(shortcuts) -> list[str]:
    return [one.id for one in shortcuts]


@pytest.mark.parametrize(
    ("id_", "key", "rivals"),
    [
        ("practice.hint", "Backspace", ["practice.undo"]),  # not the one of Game
        ("practice.hint", "Ctrl+K", ["window.find"]),
        ("window.find", "Backspace", ["practice.undo", "game.undo"]),
        ("practice.undo", "Backspace", []),  # its own
        ("practice.hint", "F9", []),
        ("mistakes.next", "Return", []),  # in another part of the page
        ("mistakes.retire", "Return", ["mistakes.next", "mistakes.open"]),
        ("mistakes.find", "R", ["mistakes.retire"]),
        ("mistakes.open", "Ctrl+F", ["mistakes.find"]),
    ],
)
def test_actions_are_rivals_where_both_would_hear_a_key(id_, key, rivals):
    assert ids(KeyTable(ALL).rivals(id_, key)) == rivals


def test_a_chosen_key_takes_the_place_of_the_defaults():
    table = KeyTable(ALL, {"practice.undo": ("U",), "practice.hint": (), "gone.x": ("Y",)})
    assert table.keys("practice.undo") == ("U",)
    assert table.keys("practice.hint") == ()
    assert table.keys("game.undo") == ("Backspace",)
    assert table.overrides == {"practice.undo": ("U",), "practice.hint": ()}


def test_a_key_is_added_and_taken_from_its_rivals_only():
    table = KeyTable(ALL)
    assert table.with_key("practice.hint", "F9") == {"practice.hint": ("B", "F9")}
    assert table.with_key("practice.hint", "B") == {}
    assert table.with_key("practice.hint", "Backspace") == {
        "practice.hint": ("B", "Backspace"),
        "practice.undo": ("Ctrl+Z",),
    }


def test_what_is_put_back_to_its_default_is_no_override():
    table = KeyTable(ALL, KeyTable(ALL).with_key("practice.hint", "Backspace"))
    back = KeyTable(ALL, table.reset("practice.undo"))
    assert back.keys("practice.undo") == ("Backspace", "Ctrl+Z")
    assert back.keys("practice.hint") == ("B",), "it took the key, so it gives it back"
    assert back.overrides == {}
    assert KeyTable(ALL, table.without_key("practice.hint", "Backspace")).keys("practice.hint") == (
        "B",
    )
    assert table.cleared("game.undo")["game.undo"] == ()


def test_clashes_of_a_file_written_by_hand_are_found():
    table = KeyTable(ALL, {"practice.hint": ("Backspace", "F9")})
    clashes = table.clashes("practice.hint")
    assert {key: ids(rivals) for key, rivals in clashes.items()} == {"Backspace": ["practice.undo"]}
    assert KeyTable(ALL).clashes("practice.hint") == {}


KEYS = st.sampled_from(["B", "Backspace", "Ctrl+K", "Return", "R", "F9"])


@pytest.mark.thorough
@given(st.lists(st.tuples(st.sampled_from(ids(ALL)), KEYS), max_size=12))
def test_taking_keys_never_leaves_a_clash(steps):
    overrides: dict = {}
    for id_, key in steps:
        overrides = KeyTable(ALL, overrides).with_key(id_, key)
        table = KeyTable(ALL, overrides)
        assert key in table.keys(id_)
        assert not any(table.clashes(one.id) for one in ALL)


def test_files_are_read_as_far_as_they_make_sense():
    raw = {
        "practice.undo": ["shift+u", "Shift+U", "Hyper+Q"],
        "practice.hint": [],
        "game.undo": ["nonsense"],
        "mistakes.find": 7,
        "later.thing": ["X"],
    }
    read = read_overrides(raw, ids(ALL))
    assert read.overrides == {"practice.undo": ("Shift+U",), "practice.hint": ()}
    assert read.unknown == {"later.thing": ["X"]}
    for part in ("later.thing", "'Hyper+Q' of practice.undo", "'nonsense'", "7 of mistakes.find"):
        assert part in read.problem
    assert read_overrides({"practice.hint": ["F9"]}, ids(ALL)).problem == ""
