"""The files that Review opens: chosen, dropped, recent, the latest test, the clipboard."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from coach.recordings.heading import heading_of
from engine.platform.language import mark, tr, trn
from gui.review.recording_page import RecordingPage
from gui.review.remembered import MAX_FILES
from gui.text.recordings import recording_title

_FILTER = mark("Recorded games (*.json *.rpl *.rec *.txt *.vrs);;All files (*)")


def ask_for_file(page: QWidget, folder: str, chosen: Callable[[Path], None]) -> None:
    dialog = QFileDialog(page, tr("Open a recording"), folder, tr(_FILTER))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


class ReviewFiles:
    """Opens files chosen by the user, and offers recent ones."""

    def __init__(self, page: RecordingPage, now: Callable[[], datetime]) -> None:
        self._page, self._now, self._remembered = page, now, page.remembered
        self.has_begun = False  # a file was opened or asked for

    def open(self, path: Path, is_recalled: bool = False, position: int | None = None) -> None:
        """Open a recorded game, by default at its last position if it was open before."""
        page = self._page
        page.auto_player.stop()

        def failed(error: BaseException) -> None:
            if is_recalled:  # the user didn't request it now
                self._remembered.forget(path)
                self.list()
            else:
                page.show_failure(error)

        page.work.open(path, lambda recording: page.show_game(recording, position), failed)

    def recall(self) -> None:
        """Resume the last file, or else show the latest test."""
        recent = self._remembered.recent
        if not self.has_begun and self._page.game.recording is None:
            if recent:
                self.open(recent[0], is_recalled=True)
            else:
                self._page.work.open_latest(self._page.show_game, lambda _: None)
        self.has_begun = True

    def list(self) -> None:
        recording = self._page.game.recording
        name, path = (recording.name, recording.path) if recording else ("", None)
        if recording and path:
            self._remembered.note_heading(path, heading_of(recording))
        now = self._now()
        recent = [
            (file, recording_title(heading, now), recording_title(heading, now, has_result=False))
            for file in self._remembered.recent
            for heading in [self._remembered.heading(file)]
        ]
        self._page.frame.show_files(recent, name, path)

    def choose(self) -> None:
        self._page.auto_player.stop()
        recent = self._remembered.recent
        ask_for_file(self._page, str(recent[0].parent) if recent else "", self.open)

    def open_latest(self) -> None:
        self._page.auto_player.stop()
        self._page.work.open_latest(self._page.show_game, self._page.show_failure)

    def paste(self) -> None:
        """Open the game on the clipboard, in the format that other sites copy."""
        self._page.auto_player.stop()
        self.has_begun = True
        text = QGuiApplication.clipboard().text()
        self._page.work.open_text(text, self._page.show_game, self._page.show_failure)

    def open_dropped(self, files: Sequence[Path]) -> None:
        """Open the first file; the others are offered in the list."""
        self.has_begun = True
        first, *others = list(dict.fromkeys(files))[:MAX_FILES]
        for path in reversed(others):
            self._remembered.remember(path, self._remembered.position_in(path))
        self.open(first)
        if others:
            text = trn(
                "The other file is in the list above.",
                "The other {n} files are in the list above.",
                len(others),
            )
            self._page.banners.show_message("info", text, key="others")

    def choose_recent(self, index: int) -> None:
        self._page.banners.remove("others")
        if path := self._page.frame.file_combo.itemData(index):
            self.open(Path(path))
        self._page.board_view.setFocus()
