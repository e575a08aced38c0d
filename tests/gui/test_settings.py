"""The settings file: kept, checked, and never spoiled."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from gui.settings import OPTIONS, Settings, write_atomically

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "settings.json"


def reopened(path: Path, settings: Settings) -> Settings:
    settings.close()
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
    path.parent.mkdir()
    path.write_text('{"version": 9, "more": [1], "values": {"future": {"a": 1}, "theme": "light"}}')
    settings = Settings(path)
    settings.set("theme", "dark")
    settings.close()
    data = json.loads(path.read_text())
    assert data["more"] == [1]
    assert data["values"]["future"] == {"a": 1}
    assert data["values"]["theme"] == "dark"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"values": 3}', "\ud7ff\x00", '{"version": 1}'])
def test_a_damaged_file_is_moved_aside_and_reported(path, text):
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    settings = Settings(path)
    assert "damaged" in settings.problem
    assert settings.get("theme") == "system"
    kept = list(path.parent.glob("settings.damaged-*.json"))
    assert len(kept) == 1
    assert kept[0].read_text(encoding="utf-8") == text
    settings.set("theme", "dark")
    settings = reopened(path, settings)
    assert (settings.get("theme"), settings.problem) == ("dark", "")
    settings.close()


def test_a_deeply_nested_file_counts_as_damaged(path):
    path.parent.mkdir()
    path.write_text("[" * 100_000)
    settings = Settings(path)
    assert "damaged" in settings.problem
    settings.close()


def test_half_a_character_pair_in_the_file_keeps_nothing_from_being_written(path):
    path.parent.mkdir()
    path.write_text('{"version": 1, "values": {"practice.note": "\\ud800"}}')
    settings = Settings(path)
    settings.set("theme", "dark")
    settings = reopened(path, settings)
    assert (settings.get("theme"), settings.get("practice.note")) == ("dark", "\ud800")
    settings.close()


def test_bytes_that_are_not_text_count_as_damaged(path):
    path.parent.mkdir()
    path.write_bytes(b"\xff\xfe{}")
    settings = Settings(path)
    assert "damaged" in settings.problem
    settings.close()


def test_one_wrong_value_in_the_file_costs_only_itself(path):
    path.parent.mkdir()
    values = {"theme": "dark", "animation_ms": "fast"}
    path.write_text(json.dumps({"version": 1, "values": values}))
    settings = Settings(path)
    assert settings.get("theme") == "dark"
    assert settings.get("animation_ms") == 100
    assert "animation_ms" in settings.problem
    settings.close()


def test_a_failed_write_leaves_the_old_file_and_is_reported(qtbot, path, monkeypatch):
    settings = Settings(path)
    settings.set("theme", "dark")
    settings = reopened(path, settings)
    before = path.read_text()

    def full_disk(*_args):
        raise OSError(28, "no space left on device")

    monkeypatch.setattr("gui.settings.os.replace", full_disk)
    with qtbot.waitSignal(settings.save_failed) as signal:
        settings.set("theme", "light")
    assert "no space" in signal.args[0]
    assert path.read_text() == before
    monkeypatch.undo()
    settings.close()


def test_a_change_after_the_end_does_no_harm(path):
    settings = Settings(path)
    settings.close()
    settings.set("theme", "dark")
    assert not any(timer.isActive() for timer in settings.findChildren(QTimer))
    assert not path.exists()


def test_writing_leaves_no_part_behind(tmp_path):
    write_atomically(tmp_path / "a.json", "one")
    write_atomically(tmp_path / "a.json", "two")
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    assert (tmp_path / "a.json").read_text() == "two"
