"""The table of settings is complete; what follows from it: a document, files brought up to date."""

import json
import os
import sys
from pathlib import Path

import pytest

from engine.platform import language
from engine.platform.cli.chosen_language import chosen_language
from gui.settings_model.json_values import JsonValues
from gui.settings_model.options import Option, whole
from gui.settings_model.setting import Number, OneOf, first_remark
from gui.settings_model.settings import Settings
from gui.settings_model.settings_table import SECTIONS, SETTINGS
from tablebase.store.options import LEVELS, RATES

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / ".ci"))
import settings_document  # noqa: E402

pytestmark = pytest.mark.usefixtures("qapp")
EACH = pytest.mark.parametrize("setting", SETTINGS.values(), ids=lambda one: one.key)


@EACH
def test_every_setting_says_what_it_is(setting):
    assert setting.section in [one.key for one in SECTIONS]
    assert setting.title
    assert not setting.title.endswith(".")
    assert setting.help.endswith(".")
    assert len(setting.help) < 120
    for remark in (*setting.warnings, *setting.locks):
        assert remark.endswith(".")


@EACH
def test_what_is_offered_is_allowed_and_the_default_is_offered(setting):
    values = [one.value for one in setting.choices]
    assert all(map(setting.option.is_valid, values))
    assert len({one.words for one in setting.choices}) == len(values)
    if values:
        assert setting.default in values


@EACH
def test_nothing_warns_of_a_default_and_nothing_locks_it(setting):
    values = {one.key: one.default for one in SETTINGS.values()}.__getitem__
    assert first_remark(setting.warnings, setting.default, values) == ""
    assert first_remark(setting.locks, setting.default, values) == ""


def test_the_builder_knows_what_is_offered_for_builds():
    for key, known in (("build.rate", RATES), ("build.level", LEVELS)):
        assert {one.value for one in SETTINGS[key].choices} == {*known}


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("build.rate", "uint16", "coarse"),
        ("build.threshold", 0.01, "left out"),
        ("build.optimal_only", True, "mistake"),
        ("build.spawn4", 0.2, "10 %"),
        ("build.sparse", 4, "slower"),
        ("build.most_equal", 2, "lower bounds"),
        ("build.small_sum", 96, "lower bounds"),
        ("build.large_from", 32, "without"),
        ("build.extra_steps", "full", "space"),
        ("build.threads", 1 << 8, "fewer"),
        ("game.spawn4", 0.0, "a different game"),
    ],
)
def test_what_does_not_suit_is_said(settings, monkeypatch, key, value, words):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    setting = SETTINGS[key]
    assert words in first_remark(setting.warnings, value, settings.get)


def test_sparse_tables_and_left_out_positions_lock_each_other(settings):
    sparse, threshold = SETTINGS["build.sparse"], SETTINGS["build.threshold"]
    settings.set("build.sparse", 4)
    assert first_remark(threshold.locks, 0.0, settings.get)
    settings.set("build.threshold", 0.5)  # by hand, in the file: then both can be reset
    assert not first_remark(threshold.locks, 0.5, settings.get)
    assert not first_remark(sparse.locks, 4, settings.get)
    settings.set("build.sparse", 1)
    assert first_remark(sparse.locks, 1, settings.get)


def test_numbers_have_a_step_that_can_be_seen():
    for setting in SETTINGS.values():
        kind = setting.kind
        if isinstance(kind, Number) and not kind.offered:
            assert kind.step >= 10**-kind.decimals, setting.key
            assert round(setting.default * kind.factor, kind.decimals) == pytest.approx(
                setting.default * kind.factor
            ), setting.key
        elif isinstance(kind, OneOf):
            assert len(kind.choices) > 1, setting.key


def test_the_document_is_what_the_table_says():
    written = (ROOT / settings_document.PATH).read_text(encoding="utf-8")
    assert written == settings_document.document(), "run: make documents"


def test_keys_of_single_settings_go_to_their_sections(tmp_path):
    path = tmp_path / "settings.json"
    keys = {
        "settings.to_theme": ["F9"],
        "settings.to_palette": ["F9", "Ctrl+F9"],
        "settings.to_folders": "no list",
        "practice.undo": ["U"],
    }
    path.write_text(json.dumps({"version": 1, "values": {"theme": "dark", "shortcuts": keys}}))
    settings = Settings(path)
    assert settings.problem == ""
    assert settings.get("shortcuts") == {
        "settings.show_appearance": ["F9", "Ctrl+F9"],
        "practice.undo": ["U"],
    }
    settings.set("theme", "light")
    settings.close()
    data = json.loads(path.read_text())
    assert data["version"] == 2
    assert data["values"]["shortcuts"]["settings.show_appearance"] == ["F9", "Ctrl+F9"]


def _rename(values: dict[str, object]) -> None:
    if "old" in values:
        values["new"] = values.pop("old")


def _double(values: dict[str, object]) -> None:
    if isinstance(values.get("new"), int):
        values["new"] = 2 * values["new"]


@pytest.mark.parametrize(
    ("version", "values", "found", "written"),
    [
        (1, {"old": 3}, 6, 3),
        (2, {"new": 3}, 6, 3),
        (3, {"new": 3}, 3, 3),
        (7, {"new": 3, "later": [1]}, 3, 7),
        ("x", {"old": 3}, 6, 3),
    ],
)
def test_a_file_is_brought_up_to_date_from_its_version_on(
    tmp_path, version, values, found, written
):
    path = tmp_path / "kept.json"
    path.write_text(json.dumps({"version": version, "values": values}))
    number, anything = Option(0, *whole(0, 9)), Option(None, bool, whole(0, 9)[1])
    steps = (_rename, _double)
    kept = JsonValues(
        path, lambda name: number if name == "new" else anything, "things", 0, steps=steps
    )
    assert kept.get("new") == found
    kept.set("new", 1)
    kept.close()
    data = json.loads(path.read_text())
    assert data["version"] == written
    assert {**values, "new": 1}.keys() - {"old"} == data["values"].keys()


class TestChosenLanguage:
    def kept(self, folder: Path, text: str) -> list[str]:
        (folder / "settings.json").write_text(text)
        return ["patterns", "--data-dir", str(folder)]

    def test_it_is_that_of_the_window(self, tmp_path):
        words = self.kept(tmp_path, '{"version": 2, "values": {"language": "zh_CN"}}')
        assert chosen_language(words, {}) == "zh_CN"
        assert chosen_language([f"--data-dir={tmp_path}"], {}) == "zh_CN"

    def test_the_environment_wins(self, tmp_path):
        words = self.kept(tmp_path, '{"version": 2, "values": {"language": "zh_CN"}}')
        assert chosen_language(words, {language.ENVIRONMENT: "en"}) == language.SYSTEM

    @pytest.mark.parametrize(
        "text", ["", "{", "[]", '{"values": {"language": 3}}', '{"values": {"language": ["en"]}}']
    )
    def test_a_damaged_file_changes_nothing(self, tmp_path, text):
        assert chosen_language(self.kept(tmp_path, text), {}) == language.SYSTEM
        assert chosen_language(["--data-dir", str(tmp_path / "none")], {}) == language.SYSTEM
        assert chosen_language(["--data-dir"], {"HOME": str(tmp_path)}) in (
            language.SYSTEM, *language.LANGUAGES
        )  # fmt: skip
