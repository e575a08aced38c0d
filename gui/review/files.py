"""The files that Review opens, and what it remembers: positions in them, marks, speed, chart."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from coach.recordings.heading import Heading, heading_in_name, heading_of
from engine.platform.files.input_file import is_number
from engine.platform.language import mark, tr, trn
from gui.settings_model.remembered import Remembered
from gui.settings_model.settings import Settings
from gui.text.recordings import recording_title

if TYPE_CHECKING:
    from gui.review.page import ReviewPage

MAX_FILES = 12
_MAX_COUNTED = 1 << 53
_FILTER = mark("Recorded games (*.json *.rpl *.rec *.txt *.vrs);;All files (*)")
_N = TypeVar("_N", int, float)


class RememberedReview:
    """Typed access to the page's settings and state, which their options keep valid."""

    speed = Remembered("review.speed", int)
    least_loss = Remembered("review.least_loss", float)
    chart = Remembered("review.chart", str)
    shows_best = Remembered("review.hint", bool)

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @property
    def recent(self) -> list[Path]:
        return [Path(path) for path, _ in self._files()]

    def position_in(self, path: Path) -> int:
        """Return the last position in a file; 0 if it was never open."""
        return dict(self._files()).get(str(path), 0)

    def remember(self, path: Path, position: int) -> None:
        others = [entry for entry in self._files() if entry[0] != str(path)]
        entries = [(str(path), position), *others][:MAX_FILES]
        self.settings.state.set("review.recent", [list(entry) for entry in entries])

    def heading(self, path: Path) -> Heading:
        """Return the heading of a game, as stored when it was open, or else from its file name."""
        facts = self.settings.state.get("review.headings").get(str(path))
        named = heading_in_name(path)
        stored = _heading(facts)
        return replace(stored, name=named.name) if stored else named  # in the current language

    def note_heading(self, path: Path, heading: Heading) -> None:
        stored = self.settings.state.get("review.headings")
        recent = {file for file, _ in self._files()}
        headings = {file: facts for file, facts in stored.items() if file in recent}
        when = heading.played_at.isoformat() if heading.played_at else ""
        headings[str(path)] = [
            heading.name,
            heading.table or "",
            when,
            heading.match_rate,
            heading.n_moves,
            heading.points,
            heading.first_move,
        ]
        self.settings.state.set("review.headings", headings)

    def forget(self, path: Path) -> None:
        left = [list(entry) for entry in self._files() if entry[0] != str(path)]
        self.settings.state.set("review.recent", left)

    def _files(self) -> list[tuple[str, int]]:
        return [(path, at) for path, at in self.settings.state.get("review.recent")]


def _heading(facts: Any) -> Heading | None:
    """Return the heading stored by `note_heading`; None if invalid."""
    try:
        name, table, when, match_rate, *counts = facts
        n_moves, points, first_move = (_number(count, _MAX_COUNTED, int) for count in counts)
        return Heading(
            str(name),
            str(table) or None,
            datetime.fromisoformat(when) if when else None,
            _number(match_rate, 1, float),
            n_moves,
            points,
            first_move,
        )
    except (TypeError, ValueError):
        return None


def _number(value: Any, most: float, kind: type[_N]) -> _N | None:
    if value is None:
        return None
    if not is_number(value, 0, most):
        raise ValueError("expected a number within bounds")  # no text
    return kind(value)


def ask_for_file(page: QWidget, folder: str, chosen: Callable[[Path], None]) -> None:
    dialog = QFileDialog(page, tr("Open a recording"), folder, tr(_FILTER))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


class ReviewFiles:
    """Opens files chosen by the user, and offers recent ones."""

    def __init__(self, page: "ReviewPage", now: Callable[[], datetime]) -> None:
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
        """Resume the last file."""
        recent = self._remembered.recent
        if not self.has_begun and self._page.game.recording is None and recent:
            self.open(recent[0], is_recalled=True)
        self.has_begun = True

    def list(self) -> None:
        recording = self._page.game.recording
        name, path = (recording.name, recording.path) if recording else ("", None)
        if recording and path:
            self._remembered.note_heading(path, heading_of(recording))
        now = self._now()
        recent = [
            (file, recording_title(self._remembered.heading(file), now))
            for file in self._remembered.recent
        ]
        self._page.frame.show_files(recent, name, path)

    def choose(self) -> None:
        self._page.auto_player.stop()
        recent = self._remembered.recent
        ask_for_file(self._page, str(recent[0].parent) if recent else "", self.open)

    def open_latest(self) -> None:
        """Open the latest test."""
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
