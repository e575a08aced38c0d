"""Logs: a name that is not that of a file is neither replaced nor waited for."""

import logging
import os
import sys
from pathlib import Path

import pytest
from not_files import KINDS, unchanged

from engine.platform.log import start_log, stop_log


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
