"""All that writes, given a name that is not that of a file: it stays, and a link stays a link."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from not_files import KINDS, unchanged
from PySide6.QtGui import QImage

from ai.train.genetic_training import judges, train
from coach.analysis.analyze import analyze
from coach.analysis.data import AnalyzedFile
from coach.analysis.files import write_reports
from coach.mistakes.files import export
from coach.mistakes.mistakes import Mistakes
from coach.puzzles.puzzles import Puzzles
from coach.record.user_database import UserDatabase
from coach.recordings.practice_file import PracticeRecording
from engine.formats.replay import Replay
from engine.game import Game
from engine.game_log import GameLog
from engine.platform.errors import AppError
from engine.platform.files.json_file import write_text
from gui.game.records import GameRecord, append_record
from gui.practice.recordings import save_recording
from gui.puzzles.transfer import PuzzleExport
from gui.screensaver.saver_game import Lease
from gui.settings_model.settings_file import write_settings
from gui.style.own_palettes import OwnPalettes
from gui.widgets.file_dialogs import FileDialogs, write_png
from tests.ai.test_training import SMALL
from tests.child import run
from tests.coach.made_sessions import played, write_session
from tests.gui.furnished_window import add_table
from tests.makers import TableMaker

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="there are no such names"),
    pytest.mark.usefixtures("qapp"),  # before a command makes an application without windows
]

OUT = "OUT"  # in a command: the name it is given
PALETTE = "[tiles mine]\ngenerate = lightness 95 -> 30, chroma 9, hue 200\n"
GAME = Replay((1, 1, *[0] * 14), ())

COMMANDS: dict[str, tuple[str, ...]] = {
    "backup": ("backup", OUT),
    "puzzles find": ("puzzles", "find", "2x4_64", "--count", "1", "--out", OUT),
    "puzzles list": ("puzzles", "list", "--out", OUT),
    "situations export": ("situations", "export", "--out", OUT),
    "card": ("card", "DATA/game.json", "--out", OUT),
    "play --csv": ("play", "--player", "random", "--csv", OUT),
    "play --moves-csv": ("play", "--player", "hand", "--moves-csv", OUT),
    "train train": ("train", "train", "--config", "DATA/config.json", "--out", OUT),
    "train eval": (
        *("train", "eval", "--weights", "DATA/weights.json"),
        *("--games", "1", "--report", OUT),
    ),
    "train network": ("train", "network", "--out", OUT, "--millions", "1"),
    "train export": ("train", "export", "--net", "DATA/config.json", "--out", OUT),
    "train chances": ("train", "chances", "--games", "1", "--out", OUT),
}
"""Those that write to a name of the user's choice."""

LONG = {"train eval", "train network", "train export", "train chances"}
"""Those that take gigabytes, or more than a second; they look at the name first."""

HAVE_NOTHING = {"puzzles list", "situations export"}

FOLDER_COMMANDS: dict[str, tuple[str, ...]] = {
    "build --out": ("build", "2x4", "64", "--out", OUT),
    "build --scratch": ("build", "2x4", "128", "--scratch", OUT),
    "convert": ("convert", "2x4_64", "--rate", "uint16", "--out", OUT),
    "relocate": ("relocate", "2x4_64", "--to", OUT),
    "import": ("import", "DATA", "--out", OUT),
    "analyze": ("analyze", "DATA/game.txt", "--out", OUT),
    "any": ("tables", "--data-dir", OUT),
}
"""Those that write into a folder of the user's choice."""


class Chosen(FileDialogs):
    """A dialog in which somebody chose a name."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def ask_save(self, *_: object) -> Path:
        return self.path


class Answered:
    """Puzzles that answer at once."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def ask(self, work: Callable[[Puzzles], object], *_: object) -> None:
        with closing(Puzzles(UserDatabase(self.path))) as puzzles:
            work(puzzles)


def export_puzzles(path: Path) -> None:
    answered = Answered(path.parent)
    services = SimpleNamespace(dialogs=Chosen(path), folder=path.parent)
    transfer = PuzzleExport(services, answered, None, print)
    transfer.export(None, None)  # type: ignore[arg-type]


def export_mistakes(path: Path) -> None:
    with closing(Mistakes(UserDatabase(path.parent))) as mistakes:
        export(mistakes, [], path)


def begin_log(path: Path) -> None:
    with closing(GameLog(path)) as log:
        log.begin(Game.new(1), 0)


def add_record(path: Path) -> None:
    append_record(path, GameRecord(1, "2026-05-01T12:00:00", 2, 3, 4))


def hold_lease(path: Path) -> None:
    Lease(path).is_mine()


WRITERS: dict[str, Callable[[Path], object]] = {
    # Those behind the window's dialogs; backup and card are the same as those of the commands.
    "settings.out": lambda path: write_settings({}, path),
    "puzzles.txt": export_puzzles,
    "mistakes.out": export_mistakes,
    "mistakes.csv": export_mistakes,
    "practice.json": lambda path: save_recording(path, PracticeRecording(GAME)),
    "board.png": lambda path: write_png(QImage(2, 2, QImage.Format.Format_RGB32), path),
    # Files of the program's own, in a folder that may have come from elsewhere.
    "values.json": lambda path: write_text(path, "{}"),
    "current.log": begin_log,
    "games.csv": add_record,
    "test.json": lambda path: write_session(path, played(3)),
    "lease.json": hold_lease,
    "color_schemes.txt": lambda path: OwnPalettes(path).put("mine", PALETTE),
}


@pytest.fixture(scope="module")
def data(table: TableMaker, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with what the commands read."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "tables").mkdir()
    add_table(table("2x4", 64), folder)
    write_reports(AnalyzedFile("game", "rpl", analyze(GAME, [])), folder, "game")
    config = replace(SMALL, generations=1, population=2, games=1, elites=1)
    (folder / "config.json").write_text(json.dumps(asdict(config)))
    with judges(config, 1) as judge_all:
        train(config, folder / "weights.json", judge_all, lambda: "", lambda _: None)
    return folder


def told(data: Path, words: tuple[str, ...], path: Path) -> tuple[int, str]:
    """Run a command with that name; return its status and what it said on stderr."""
    named = [str(path) if word == OUT else word.replace("DATA", str(data)) for word in words]
    result = run("--data-dir", data, *named)
    return result.returncode, result.stderr


@contextmanager
def names_of(folder: Path, make: Callable[[Path], None]) -> Iterator[list[Path]]:
    """Make what is not wanted, and a link to it; check afterwards that both are as they were."""
    made, link = folder / "made.png", folder / "link.png"
    make(made)
    link.symlink_to(made.name)
    with unchanged(folder):
        yield [made, link]


@contextmanager
def read(path: Path) -> Iterator[None]:
    """Read a pipe, so that nobody waits for that, and forget what it says."""
    if not path.is_fifo():
        yield
        return
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        yield
    finally:
        os.close(reader)


def make_folder(path: Path) -> None:
    path.mkdir()
    (path / "inside").write_text("mine")


FILE_KINDS = {**KINDS, "folder": make_folder}
FOLDER_KINDS = {**KINDS, "file": Path.touch}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", FILE_KINDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_replaces_nothing_but_files(data, tmp_path, command, kind):
    with names_of(tmp_path, FILE_KINDS[kind]) as names:
        for path in names:
            with read(path):
                status, said = told(data, COMMANDS[command], path)
            if command == "play --moves-csv" and kind in ("device", "pipe"):
                assert status == 0, "it writes to them, line by line"
            else:
                assert status == 2, said
                assert said.splitlines()[-1].startswith("error: ")
                assert str(path) in said


@pytest.mark.parametrize("kind", FOLDER_KINDS)
@pytest.mark.parametrize("command", FOLDER_COMMANDS)
def test_a_command_takes_nothing_but_folders_for_folders(data, tmp_path, command, kind):
    with names_of(tmp_path, FOLDER_KINDS[kind]) as names, unchanged(data / "tables"):
        for path in names:
            status, said = told(data, FOLDER_COMMANDS[command], path)
            assert status == 2, said
            assert f"{path} is not a folder" in said


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - LONG))
def test_a_link_to_a_file_stays_a_link_to_what_a_command_writes(data, tmp_path, command):
    file, link = tmp_path / "file.png", tmp_path / "link.png"
    file.write_bytes(b"")
    link.symlink_to(file.name)
    status, said = told(data, COMMANDS[command], link)
    assert status == 0, said
    assert link.is_symlink()
    assert file.stat().st_size or command in HAVE_NOTHING


@pytest.mark.parametrize("kind", FOLDER_KINDS)
def test_a_table_takes_no_name_that_is_not_that_of_a_folder(tmp_path, kind):
    """As the service builds: into the data folder, under the name of the table."""
    (tmp_path / "tables").mkdir()
    FOLDER_KINDS[kind](tmp_path / "made")
    (tmp_path / "tables" / "2x4_64").symlink_to(tmp_path / "made")
    with unchanged(tmp_path / "tables"):
        status, said = told(tmp_path, ("build", "2x4", "64"), tmp_path)
    assert status == 2, said
    assert "Traceback" not in said


@pytest.mark.parametrize("kind", FILE_KINDS)
@pytest.mark.parametrize("name", WRITERS)
def test_nothing_else_is_replaced_either(tmp_path, name, kind):
    for folder, made in ((tmp_path / "one", name), (tmp_path / "two", "made")):
        folder.mkdir()
        FILE_KINDS[kind](folder / made)
        if made != name:
            (folder / name).symlink_to(made)
        before = (folder / name).lstat().st_ino, (folder / made).lstat().st_mode
        with suppress(OSError, AppError):
            WRITERS[name](folder / name)
            assert name == "lease.json", "only what is not told"
        assert ((folder / name).lstat().st_ino, (folder / made).lstat().st_mode) == before


@pytest.mark.parametrize("name", WRITERS)
def test_what_a_link_leads_to_is_written(tmp_path, name):
    (tmp_path / "other").mkdir()
    file = tmp_path / "other" / name
    file.write_bytes(b"")
    (tmp_path / name).symlink_to(file)
    WRITERS[name](tmp_path / name)
    assert (tmp_path / name).is_symlink()
    assert file.stat().st_size or name == "puzzles.txt"
