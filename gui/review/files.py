"""Opening recorded games: chosen, dropped, the latest test, or a recent file."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from engine.platform.language import trn
from gui.review.layout import ReviewLayout, ask_for_file
from gui.review.memory import MAX_FILES, ReviewMemory


class ReviewFiles:
    """Opens files chosen by the user, and offers recent ones.

    Parameters
    ----------
    page : QWidget
        Parent of dialogs.
    frame : ReviewLayout
        Contains the list of files, and messages.
    memory : ReviewMemory
    opened : callable
        Opens the game in a file.
    """

    def __init__(
        self,
        page: QWidget,
        frame: ReviewLayout,
        memory: ReviewMemory,
        opened: Callable[[Path], None],
    ) -> None:
        self._page, self._frame = page, frame
        self._memory, self._open = memory, opened

    def choose(self) -> None:
        """Ask for a file and open it."""
        recent = self._memory.recent
        folder = str(recent[0].parent) if recent else ""
        ask_for_file(self._page, folder, self._open)

    def open_dropped(self, files: Sequence[Path]) -> None:
        """Open the first file; the others are offered in the list."""
        first, *others = list(dict.fromkeys(files))[:MAX_FILES]
        for path in reversed(others):
            self._memory.offer(path)
        self._open(first)
        if others:
            text = trn(
                "The other file is in the list above.",
                "The other {n} files are in the list above.",
                len(others),
            )
            self._frame.banners.show_message("info", text, key="others")

    def choose_recent(self, index: int) -> None:
        """Open a file of the list."""
        self._frame.banners.remove("others")
        if path := self._frame.file_combo.itemData(index):
            self._open(Path(path))
