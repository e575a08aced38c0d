"""Where tables, settings and logs go, and that logs neither grow, fail nor replace anything."""

import logging
import os
import sys
from pathlib import Path

import pytest
from not_files import KINDS, unchanged

from engine.platform import log, project_files
from engine.platform.log import start_log, stop_log
from engine.platform.user_folders import user_folders
from tablebase.library.named_tables import named_folder


def test_a_data_dir_holds_everything(tmp_path):
    folders = user_folders(tmp_path)
    assert folders.tables == tmp_path / "tables"
    assert folders.logs == tmp_path / "logs"
    assert not list(tmp_path.iterdir()), "asking makes nothing"


def test_a_checkout_keeps_its_logs(project_root):
    folders = user_folders()
    assert folders.logs == project_root / "logs"
    assert project_root not in folders.data.parents


def test_a_table_is_a_path_or_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folders = user_folders(tmp_path / "data")
    assert named_folder(folders, "442_128") == tmp_path / "data" / "tables" / "442_128"
    assert named_folder(folders, "some/442_128") == Path("some/442_128")
    (tmp_path / "442_128").mkdir()
    assert named_folder(folders, "442_128") == Path("442_128"), "what is here comes first"


def test_files_of_the_project_lie_beside_its_packages(project_root):
    assert project_files.is_checkout()
    assert project_files.project_file("patterns_config.json").is_file()
    assert project_files.project_file("missing.txt") == project_root / "missing.txt"


def test_a_folder_that_takes_no_files_is_not_writable(tmp_path):
    (tmp_path / "a file").touch()
    assert not project_files.is_writable(tmp_path / "a file" / "within")
    assert project_files.is_writable(tmp_path / "new" / "folder")
    assert not list((tmp_path / "new" / "folder").iterdir())


def test_logs_rotate(tmp_path, monkeypatch):
    monkeypatch.setattr(log, "_MAX_BYTES", 1000)
    started = log.start_log(tmp_path / "logs", "test")
    try:
        assert not (tmp_path / "logs").exists(), "nothing is made before there is something to say"
        for i in range(100):
            logging.getLogger("a").info("line %d", i)
    finally:
        log.stop_log(started)
    names = sorted(path.name for path in (tmp_path / "logs").iterdir())
    assert names == ["test.log", "test.log.1", "test.log.2", "test.log.3"]
    assert "line 99" in started.path.read_text(encoding="utf-8")


def test_a_name_that_is_no_text_does_not_lose_its_line(tmp_path):
    started = log.start_log(tmp_path / "logs", "test")
    try:
        logging.getLogger("a").info("refused: %s", "game\udcff.rpl")
    finally:
        log.stop_log(started)
    assert "refused: game\\udcff.rpl" in started.path.read_text(encoding="utf-8")


def test_a_log_that_cannot_be_written_is_no_error(tmp_path, capsys):
    (tmp_path / "logs").write_text("in the way")
    started = log.start_log(tmp_path / "logs", "test")
    try:
        logging.getLogger("a").error("lost")
    finally:
        log.stop_log(started)
    assert capsys.readouterr().err == ""


def log_much(folder: Path) -> None:
    """Log more than one file may have."""
    log = start_log(folder, "play")
    try:
        for _ in range(12):
            logging.getLogger("tablebase").info("x" * 100_000)
    finally:
        stop_log(log)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such names")
@pytest.mark.parametrize("is_linked", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_a_file_stays(tmp_path, kind, is_linked):
    KINDS[kind](tmp_path / ("made" if is_linked else "play.log"))
    if is_linked:
        (tmp_path / "play.log").symlink_to("made")
    with unchanged(tmp_path):
        log_much(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_who_reads_a_pipe_gets_the_log(tmp_path):
    os.mkfifo(tmp_path / "play.log")
    with open(os.open(tmp_path / "play.log", os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
        log = start_log(tmp_path, "play")
        logging.getLogger("tablebase").info("here I am")
        stop_log(log)
        assert b"here I am" in reader.read()


def test_a_link_stays_and_what_it_leads_to_is_rotated(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "play.log").symlink_to(tmp_path / "other" / "real.log")
    log_much(tmp_path)
    assert (tmp_path / "play.log").is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["other", "play.log"]
    assert sorted(os.listdir(tmp_path / "other")) == ["real.log", "real.log.1"]
