"""Where tables, settings and logs go, and that logs neither grow nor fail."""

import logging
from pathlib import Path

from engine.platform import log, project_files
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
