"""The data section of Settings: nothing changes unseen, and what changed can go back."""

import json
import pickle
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from coach.backup.contents import LEFT_OUT, NAMES
from coach.backup.opening import read_backup
from coach.backup.restoring import PENDING, Restored
from coach.foreign.plan import COLORS, DOUBTFUL, FOLDERS, FORMATIONS, NOTEBOOK, SETTINGS
from coach.old_files.opening import open_user_database
from gui.settings.data_forms import ImportForm, RestoreForm
from gui.settings.data_section import DataSection, restored_text
from gui.settings_model.settings import OPTIONS, Settings
from gui.settings_model.settings_file import SettingsTransferError, read_settings, write_settings
from gui.shell.app import Program
from gui.style.color_schemes import load_color_schemes
from gui.style.current_theme import CurrentTheme
from gui.style.own_palettes import NO_SCHEMES
from gui.table_work.table_service import TablesService
from gui.text.dates import format_moment
from gui.work.mistake_service import MistakeService
from gui.work.tasks import TaskRunner
from tablebase.formation.own_file import OwnFile
from tests.coach.foreign.test_foreign_formations import entry
from tests.coach.foreign.test_foreign_settings import COLORS_36, config
from tests.coach.test_notebook import BOOK
from tests.gui.page_driver import banner_texts
from tests.gui.practice_fakes import FakeDialogs


@pytest.fixture
def dialogs() -> FakeDialogs:
    return FakeDialogs()


@pytest.fixture
def section(
    qtbot, settings: Settings, tasks: TaskRunner, dialogs: FakeDialogs, data_dir: Path
) -> Iterator[DataSection]:
    themes = CurrentTheme(QApplication.instance(), load_color_schemes(), settings, NO_SCHEMES)
    service = TablesService(data_dir / "tables", list, data_dir / "patterns_config.json")
    book = MistakeService(open_user_database(data_dir), tasks)
    section = DataSection(settings, themes, service, book, data_dir, tasks, dialogs)
    qtbot.addWidget(section)
    section.show()
    yield section
    tasks.close()
    book.close()


def said(section: DataSection) -> list[str]:
    return banner_texts(section)


def press_remedy(section: DataSection, title: str) -> None:
    (button,) = (
        b for banner in section.banners.banners for b in banner.buttons if b.text() == title
    )
    button.click()


def test_a_backup_is_written_and_restored_at_the_next_start(
    section, dialogs, qtbot, tmp_path, data_dir
):
    dialogs.path = tmp_path / "a.zip"
    section.backup_button.click()
    assert not section.backup_button.isEnabled()
    qtbot.waitUntil(lambda: any("Backup written" in text for text in said(section)))
    assert section.backup_button.isEnabled()
    section.restore_button.click()
    qtbot.waitUntil(lambda: isinstance(section.form, RestoreForm))
    assert not (data_dir / PENDING).exists()
    made = format_moment(datetime.fromisoformat(read_backup(dialogs.path).manifest.made))
    assert section.form.title_label.text() == f"Backup of {made}"
    section.form.accept_button.click()
    text = f"The backup of {made} is restored when you start the program again."
    qtbot.waitUntil(lambda: text in said(section))
    assert (data_dir / PENDING).is_dir()
    press_remedy(section, "Don't restore it")
    qtbot.waitUntil(lambda: not (data_dir / PENDING).exists())


def test_a_file_that_is_no_backup_is_refused_in_words(section, dialogs, qtbot, tmp_path):
    dialogs.path = tmp_path / "a.zip"
    dialogs.path.write_bytes(b"no backup, and long enough to be one" * 10)
    section.restore_button.click()
    qtbot.waitUntil(lambda: bool(said(section)))
    assert "damaged or not a backup" in said(section)[0]
    assert section.form is None


def test_an_import_is_shown_first_and_its_settings_go_back(
    section, dialogs, qtbot, tmp_path, data_dir
):
    config(tmp_path / "it", language="en")
    (tmp_path / "it/mistakes_book.pkl").write_bytes(pickle.dumps(BOOK))
    dialogs.path = tmp_path / "it"
    section.import_button.click()
    qtbot.waitUntil(lambda: isinstance(section.form, ImportForm))
    assert section.form.chosen_keys == [FOLDERS, NOTEBOOK, COLORS, SETTINGS]
    section.form.checks[DOUBTFUL].click()
    section.form.accept_button.click()
    qtbot.waitUntil(lambda: any("3 new" in text for text in said(section)))
    saved = data_dir / "color_schemes.txt"
    assert COLORS_36[0] in saved.read_text()
    press_remedy(section, "Undo the settings")
    assert COLORS_36[0] not in saved.read_text()


def test_a_palette_that_was_imported_before_is_taken_again_and_stays(
    section, settings, dialogs, qtbot, tmp_path, data_dir
):
    config(tmp_path / "it", language="en")
    dialogs.path = tmp_path / "it"
    for _ in range(2):
        section.import_button.click()
        qtbot.waitUntil(lambda: isinstance(section.form, ImportForm))
        section.form.accept_button.click()
        assert settings.get("tile_palette") == "imported"
    saved = (data_dir / "color_schemes.txt").read_text()
    assert saved.count(COLORS_36[0]) == 1
    press_remedy(section, "Undo the settings")
    assert (data_dir / "color_schemes.txt").read_text() == saved  # the import before had made it


def test_imported_formations_are_the_users_own_and_go_back(
    section, dialogs, qtbot, tmp_path, data_dir
):
    (tmp_path / "it").mkdir()
    formations = {"L3": entry("L3", 0xF), "mine44": entry("44", 0xF_0000_0000)}
    (tmp_path / "it/patterns_config.json").write_text(json.dumps(formations))
    dialogs.path = tmp_path / "it"
    section.import_button.click()
    qtbot.waitUntil(lambda: isinstance(section.form, ImportForm))
    assert section.form.chosen_keys == [FORMATIONS]
    section.form.accept_button.click()
    own = OwnFile(data_dir / "patterns_config.json")
    qtbot.waitUntil(lambda: section.outcome is not None)
    assert [*own.read()] == ["mine44"], "the target of L3 can't be in a cell that is taken"
    press_remedy(section, "Undo the settings")
    qtbot.waitUntil(lambda: own.read() == {})


def test_the_settings_of_an_import(section, settings, dialogs, qtbot, tmp_path):
    before = {name: settings.get(name) for name in OPTIONS}
    config(tmp_path / "it")
    dialogs.path = tmp_path / "it"
    section.import_button.click()
    qtbot.waitUntil(lambda: isinstance(section.form, ImportForm))
    section.form.accept_button.click()
    changed = {name for name in OPTIONS if settings.get(name) != before[name]}
    assert changed == {
        *("language", "theme", "tile_palette", "tile_font_scale", "animation_ms", "table_folders"),
        *("mistakes.threshold", "game.spawn4", "build.spawn4", "build.threshold"),
        "build.pack_scratch",
    }
    assert settings.get("tile_font_scale") == 130, "as large as it goes here"
    press_remedy(section, "Undo the settings")
    assert {name: settings.get(name) for name in OPTIONS} == before


def test_settings_travel_as_a_file(section, settings, dialogs, qtbot, tmp_path):
    settings.set("game.speed", 12)
    dialogs.path = tmp_path / "mine.json"
    section.export_settings_button.click()
    qtbot.waitUntil(lambda: bool(said(section)))
    settings.reset("game.speed")
    data = json.loads(dialogs.path.read_text())
    data["values"] |= {"theme": "pink", "later.setting": 1}
    dialogs.path.write_text(json.dumps(data))
    section.import_settings_button.click()
    qtbot.waitUntil(
        lambda: any(text.startswith("1 setting changed. 2 could") for text in said(section))
    )
    assert settings.get("game.speed") == 12
    press_remedy(section, "Undo the settings")
    assert settings.get("game.speed") == 5


@pytest.mark.parametrize("text", ["", "[]", '{"format": "endgame2048-settings", "version": 1}'])
def test_what_has_no_settings_is_refused(tmp_path, text):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(SettingsTransferError):
        read_settings(path)


def test_all_defaults_can_be_read_again(tmp_path):
    values = {name: option.default for name, option in OPTIONS.items()}
    assert write_settings(values, tmp_path / "a.json") == len(OPTIONS)
    assert read_settings(tmp_path / "a.json").values == values


def test_what_a_restore_has_done_is_said():
    good = Restored("a.zip", "2048-05-09T12:30:00", Path("b.zip"))
    assert restored_text(good) == (
        "good",
        "The backup of May 9, 2048 12:30 was restored. What was here before: b.zip",
    )
    assert restored_text(Restored("a.zip", "", problem="no room")) == (
        "warning",
        "The backup was not restored: no room.",
    )
    foreign = Restored("a.zip", "some day", Path("b.zip"))
    assert restored_text(foreign)[1].startswith("The backup of some day was restored.")
    waits = Restored("", "", problem="the drive is away", waits=True)
    assert "tries again at the next start" in restored_text(waits)[1]


def test_what_waits_is_told_even_if_nobody_knows_of_when_it_is(section, qtbot, tmp_path):
    (tmp_path / "restore.pending").mkdir()
    (tmp_path / "restore.pending" / "restore.json").write_bytes(b"{")
    section.refresh()
    text = "A backup is restored when you start the program again."
    qtbot.waitUntil(lambda: said(section) == [text])


def test_a_restore_that_has_begun_goes_on_and_is_not_called_off_in_words(section, qtbot, tmp_path):
    (tmp_path / PENDING).mkdir()
    (tmp_path / PENDING / "restore.json").write_bytes(b"{")
    (tmp_path / PENDING / "previous.json").write_bytes(b"{}")
    section.refresh()
    qtbot.waitUntil(lambda: bool(said(section)))
    press_remedy(section, "Don't restore it")
    text = "Files have been replaced already. The next start finishes the restore."
    qtbot.waitUntil(lambda: said(section) == [text])
    assert (tmp_path / PENDING).is_dir()


@pytest.mark.thorough
def test_all_that_the_window_makes_is_in_a_backup_or_left_out(program, qtbot, data_dir):
    """Whoever adds a file to the data folder says in `contents` which."""
    running: Program = program()
    running.start()
    for page in (running.pages["Mistakes"], running.pages["Game"]):
        running.window.show_page(page)
    qtbot.waitUntil(lambda: running.pages["Game"].session is not None)
    running.services.settings.set("theme", "dark")
    running.close()
    made = {path.name.partition("-")[0] for path in data_dir.iterdir()}
    beside = {f"{name}-wal".partition("-")[0] for name in NAMES}
    assert {"settings.json", "state.json", "game"} <= made
    assert made - {*NAMES, *LEFT_OUT} - beside == set()
