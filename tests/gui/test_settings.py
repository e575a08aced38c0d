"""The settings file: kept, checked, and never spoiled."""

import errno
import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QTimer

from engine.platform.files import json_file
from engine.platform.files.json_file import write_text
from gui.settings_model.json_values import JsonValues
from gui.settings_model.settings import OPTIONS, Settings
from gui.settings_model.state import BOARD_OF, PLACES, State, place_of

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "settings.json"


def reopened(path: Path, settings: Settings) -> Settings:
    settings.close()
    return Settings(path)


def settings_of(path: Path, data: str | bytes | dict[str, object]) -> Settings:
    """Return the settings of a file with this content, or these values."""
    path.parent.mkdir()
    if isinstance(data, dict):
        data = json.dumps({"version": 1, "values": data})
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return Settings(path)


def test_without_a_file_everything_has_its_default(path):
    settings = Settings(path)
    assert {name: settings.get(name) for name in OPTIONS} == {
        name: option.default for name, option in OPTIONS.items()
    }
    assert settings.problem == ""
    settings.close()
    assert not path.exists(), "nothing was changed, so nothing is written"


def test_every_default_passes_its_own_check():
    for name, option in OPTIONS.items():
        assert option.is_valid(option.default), name


def test_values_survive_a_restart(path):
    settings = Settings(path)
    settings.set("theme", "dark")
    settings.set("practice.demo_speed", 12)
    settings = reopened(path, settings)
    assert settings.get("theme") == "dark"
    assert settings.get("practice.demo_speed", 1) == 12
    assert settings.get("practice.never_set", "else") == "else"
    settings.close()


def test_a_change_is_announced_once(settings):
    heard = []
    settings.changed.connect(lambda name, value: heard.append((name, value)))
    settings.set("theme", "dark")
    settings.set("theme", "dark")
    settings.set("tile_palette", settings.get("tile_palette"))
    settings.reset("theme")
    assert heard == [("theme", "dark"), ("theme", "system")]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "pink"),
        ("animation_ms", -1),
        ("animation_ms", True),
        ("build.spawn4", 1.5),
        ("build.spawn4", float("nan")),
        ("table_folders", "x"),
        ("table_folders", [1]),
        ("large_tile_numbers", 1),
    ],
)
def test_a_wrong_value_is_refused_by_name(settings, name, value):
    with pytest.raises(ValueError, match=name):
        settings.set(name, value)
    assert settings.get(name) == OPTIONS[name].default


def test_unknown_values_are_kept_as_they_are(path):
    settings = settings_of(
        path, '{"version": 9, "more": [1], "values": {"future": {"a": 1}, "theme": "light"}}'
    )
    settings.set("theme", "dark")
    settings.close()
    data = json.loads(path.read_text())
    assert data["more"] == [1]
    assert data["values"]["future"] == {"a": 1}
    assert data["values"]["theme"] == "dark"


TEXTS = ("", "{", "[]", '{"values": 3}', "\ud7ff\x00", '{"version": 1}', "[" * 100_000)


@pytest.mark.parametrize(
    "data", [*(text.encode() for text in TEXTS), b"\xff\xfe{}"], ids=lambda data: repr(data[:9])
)
def test_a_damaged_file_is_moved_aside_and_reported(path, data):
    settings = settings_of(path, data)
    assert "damaged" in settings.problem
    assert settings.get("theme") == "system"
    kept = list(path.parent.glob("settings.damaged-*.json"))
    assert len(kept) == 1
    assert kept[0].read_bytes() == data
    settings.set("theme", "dark")
    settings = reopened(path, settings)
    assert (settings.get("theme"), settings.problem) == ("dark", "")
    settings.close()


def test_half_a_character_pair_in_the_file_keeps_nothing_from_being_written(path):
    settings = settings_of(path, '{"version": 1, "values": {"practice.note": "\\ud800"}}')
    settings.set("theme", "dark")
    settings = reopened(path, settings)
    assert (settings.get("theme"), settings.get("practice.note")) == ("dark", "\ud800")
    settings.close()


def test_one_wrong_value_in_the_file_costs_only_itself(path):
    values = {"theme": "dark", "animation_ms": "fast"}
    settings = settings_of(path, values)
    assert settings.get("theme") == "dark"
    assert settings.get("animation_ms") == 100
    assert "animation_ms" in settings.problem
    settings.close()


HOSTILE = (
    10**30,
    -(10**30),
    1e308,
    "\ud800",
    "nul\0",
    "x" * 100_000,
    [[[]]],
    {"a": []},
    None,
    True,
)


@pytest.mark.parametrize(
    ("kind", "name", "default"),
    [
        *((Settings, name, option.default) for name, option in OPTIONS.items()),
        *((State, name, option.default) for name, option in PLACES.items()),
        (State, f"{BOARD_OF}/tables/442_128", ""),
    ],
)
def test_no_value_of_a_file_gets_past_its_bounds(path, kind, name, default):
    """What the window is given is what it can work with: the default, or what `set` would take."""
    for value in HOSTILE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"version": 1, "values": {name: value}}))
        kept = kind(path)
        found = kept.get(name)
        if kept.problem:
            assert name in kept.problem
            assert found == default
        else:
            assert isinstance(found, type(default))
            kind().set(name, found)
        kept.close()


def test_where_one_was_is_no_setting(path):
    """It has its own file, notifies nothing, and is kept across a restart."""
    settings = Settings(path)
    settings.set("theme", "dark")
    settings.flush()
    written = path.read_bytes()
    heard = []
    settings.changed.connect(lambda *news: heard.append(news))
    settings.state.set("practice.last_table", "/tables/442_128")
    settings.state.set(f"{BOARD_OF}/tables/442_128", "0123")
    settings.flush()
    assert (heard, path.read_bytes()) == ([], written)
    again = reopened(path, settings)
    assert again.state.get("practice.last_table") == "/tables/442_128"
    assert again.state.get(f"{BOARD_OF}/tables/442_128") == "0123"
    again.close()


def test_values_that_change_without_a_pause_are_written_meanwhile(path, qtbot):
    """A crash while somebody plays for an hour does not take the hour."""
    kept = JsonValues(path, place_of, "places", delay_ms=300)
    numbers, ticks = count(), QTimer(interval=5)
    ticks.timeout.connect(lambda: kept.set("anything", next(numbers)))
    ticks.start()
    qtbot.waitUntil(path.exists)
    ticks.stop()
    kept.close()


def test_places_that_an_earlier_version_kept_among_the_settings_are_taken_over(path):
    board = f"{BOARD_OF}/tables/442_128"
    values = {"theme": "dark", "practice.tab": "why", "window.page": 5, board: "0123"}
    settings = settings_of(path, values)
    assert settings.get("theme") == "dark"
    assert settings.state.get("practice.tab") == "why"
    assert settings.state.get(board) == "0123"
    assert settings.state.get("window.page") == "", "no text"
    settings.set("theme", "light")
    settings.close()
    assert json.loads(path.read_text())["values"] == {"theme": "light"}
    kept = json.loads(path.with_name("state.json").read_text())["values"]
    assert kept == {"practice.tab": "why", board: "0123"}


def test_places_kept_since_then_win_over_those_of_an_earlier_version(path):
    path.parent.mkdir()
    for name, tab in (("settings.json", "why"), ("state.json", "line")):
        text = json.dumps({"version": 1, "values": {"practice.tab": tab}})
        path.with_name(name).write_text(text)
    settings = Settings(path)
    assert settings.state.get("practice.tab") == "line"
    settings.close()


@pytest.mark.parametrize("name", ["practice.speed", "review.speed", "game.speed"])
def test_a_number_out_of_range_falls_back_and_says_so(path, name):
    settings = settings_of(path, {name: 10**30})
    assert settings.get(name) == OPTIONS[name].default
    assert f"{name} = 1000" in settings.problem
    assert "expected" in settings.problem
    settings.close()


def test_several_wrong_values_are_told_together(path):
    values = {"theme": 1, "animation_ms": -1, "game.difficulty": 101, "practice.speed": 0}
    settings = settings_of(path, values)
    assert settings.problem.startswith(
        "4 of your settings had values that cannot be used: theme = 1"
    )
    assert "and 1 more" in settings.problem
    settings.close()


def test_every_setting_that_the_window_asks_for_has_a_kind_and_bounds():
    """Names are written out where they are used, so a new one cannot come without."""
    root = Path(__file__).parents[2] / "gui"
    text = "".join(file.read_text(encoding="utf-8") for file in root.rglob("*.py"))
    for owner, options, least in (("settings", OPTIONS, 30), ("state", PLACES, 10)):
        names = set(re.findall(rf"{owner}\.(?:get|set)\(\s*\"([a-z_.0-9]+)\"", text))
        assert len(names) > least
        assert names <= set(options)


def test_a_byte_order_mark_is_no_damage(path):
    settings = settings_of(path, b'\xef\xbb\xbf{"version": 1, "values": {"theme": "dark"}}')
    assert (settings.get("theme"), settings.problem) == ("dark", "")
    settings.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_what_is_no_file_is_set_aside_without_waiting(path):
    path.parent.mkdir()
    os.mkfifo(path)
    settings = Settings(path)
    assert "damaged" in settings.problem
    settings.set("theme", "dark")
    settings = reopened(path, settings)
    assert settings.get("theme") == "dark"
    settings.close()


def test_a_giant_is_set_aside_without_being_read(path):
    path.parent.mkdir()
    with path.open("wb") as file:
        file.truncate(1 << 40)
    settings = Settings(path)
    assert "damaged" in settings.problem
    assert list(path.parent.glob("settings.damaged-*.json"))
    settings.close()


@contextmanager
def unreadable(name: str) -> Iterator[None]:
    """Let a file be on a drive that is away for a moment."""
    real = json_file.read_limited

    def read(path: Path, most_bytes: int) -> bytes:
        if path.name == name:
            raise OSError(errno.EIO, "Input/output error")
        return real(path, most_bytes)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_file, "read_limited", read)
        yield


@pytest.mark.parametrize("name", ["settings.json", "state.json"])
def test_what_cannot_be_read_for_a_moment_is_not_overwritten(path, name):
    settings = Settings(path)
    settings.set("theme", "dark")
    settings.state.set("window.page", "Review")
    settings.close()
    before = path.with_name(name).read_bytes()
    with unreadable(name):
        settings = Settings(path)
    assert "cannot be read (Input/output error)" in settings.problem
    assert "not saved until the next start" in settings.problem
    settings.set("theme", "light")
    settings.state.set("window.page", "Home")
    settings.close()
    assert path.with_name(name).read_bytes() == before


def test_values_stay_among_the_settings_while_the_state_cannot_be_read(path):
    path.parent.mkdir()
    path.write_text('{"version": 1, "values": {"window.page": "Review"}}')
    with unreadable("state.json"):
        settings = Settings(path)
    assert settings.state.get("window.page") == "Review"
    settings.set("theme", "light")
    settings = reopened(path, settings)
    assert settings.state.get("window.page") == "Review"
    settings.close()


def test_what_cannot_be_set_aside_is_not_overwritten(path, monkeypatch):
    path.parent.mkdir()
    path.write_text("{")
    fail = Mock(side_effect=OSError(errno.EIO, "Input/output error"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        patch.setattr(os, "rename", fail)
        settings = Settings(path)
    assert "cannot be renamed" in settings.problem
    settings.set("theme", "light")
    settings.close()
    assert path.read_text() == "{"


def test_what_is_nested_deeply_does_not_keep_the_others_from_being_saved(path):
    deep = "[" * 800 + "]" * 800
    settings = settings_of(path, f'{{"version": 1, "more": {deep}, "values": {{"mine": {deep}}}}}')
    settings.set("theme", "dark")
    settings = reopened(path, settings)
    assert settings.get("theme") == "dark"
    settings.close()


def test_a_failed_write_leaves_the_old_file_and_is_reported(qtbot, path, monkeypatch):
    settings = Settings(path)
    settings.set("theme", "dark")
    settings = reopened(path, settings)
    before = path.read_text()
    monkeypatch.setattr(os, "replace", Mock(side_effect=OSError(28, "no space left on device")))
    with qtbot.waitSignal(settings.save_failed) as signal:
        settings.set("theme", "light")
    assert "no space" in signal.args[0]
    assert path.read_text() == before
    monkeypatch.undo()
    settings = reopened(path, settings)
    assert settings.get("theme") == "light", "by the end there was room again"
    settings.close()


def test_the_end_ends_the_thread_that_writes(path):
    before = set(threading.enumerate())
    settings = Settings(path)
    settings.set("theme", "dark")
    settings.flush()
    assert set(threading.enumerate()) > before
    settings.close()
    assert set(threading.enumerate()) <= before


def test_a_change_after_the_end_does_no_harm(path):
    settings = Settings(path)
    settings.close()
    settings.set("theme", "dark")
    assert not any(timer.isActive() for timer in settings.findChildren(QTimer))
    assert not path.exists()


def test_writing_leaves_no_part_behind(tmp_path):
    write_text(tmp_path / "a.json", "one")
    write_text(tmp_path / "a.json", "two")
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    assert (tmp_path / "a.json").read_text() == "two"
