"""What is saved on a drive that is full: the message is about what was being saved."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from coach.analysis.analyze import analyze
from coach.analysis.data import AnalyzedFile
from coach.analysis.files import write_reports
from coach.mistakes.files import export
from coach.mistakes.mistakes import Mistakes
from coach.record.user_database import UserDatabase
from coach.recordings.practice_file import PracticeRecording
from engine.formats.replay import Replay
from engine.platform.errors import DriveFullError, WriteError
from gui.practice.recordings import save_recording
from tablebase.errors import BuildError

GAME = Replay((1, 1, *[0] * 14), ())


def save_mistakes(folder: Path) -> None:
    mistakes = Mistakes(UserDatabase(folder.parent))
    try:
        export(mistakes, [], folder / "mistakes.csv")
    finally:
        mistakes.close()


def save_analysis(folder: Path) -> None:
    write_reports(AnalyzedFile("a.rpl", "rpl", analyze(GAME, [])), folder, "a")


SAVERS: dict[str, Callable[[Path], object]] = {
    "recording": lambda folder: save_recording(folder / "a.json", PracticeRecording(GAME)),
    "mistakes": save_mistakes,
    "analysis": save_analysis,
}


@pytest.mark.parametrize("what", SAVERS)
@pytest.mark.parametrize(
    ("number", "kind", "said"),
    [(errno.ENOSPC, DriveFullError, "drive is full"), (errno.EIO, WriteError, "I/O error")],
)
def test_the_message_is_about_what_was_saved(tmp_path, monkeypatch, what, number, kind, said):
    folder = tmp_path / "saved"
    folder.mkdir()
    monkeypatch.setattr(os, "replace", Mock(side_effect=OSError(number, "I/O error")))
    with pytest.raises(kind) as caught:
        SAVERS[what](folder)
    assert not isinstance(caught.value, BuildError)
    assert str(folder) in str(caught.value)
    assert said in str(caught.value)
    assert "build" not in str(caught.value)
    assert list(folder.iterdir()) == []
    monkeypatch.undo()
    SAVERS[what](folder)
    assert list(folder.iterdir())


def test_a_folder_that_cannot_be_made_is_told_without_a_build(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(WriteError, match="file"):
        save_analysis(tmp_path / "file" / "reports")
