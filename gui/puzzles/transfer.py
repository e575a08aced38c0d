"""Puzzles as text: to a file and back, to the clipboard and back."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from coach.mistakes.mistake import TableKey
from coach.puzzles.importing import Checked, checked
from coach.puzzles.puzzles import FROM_TEXT, Added, Puzzles
from coach.puzzles.text_line import MOST_BYTES, read_text, to_line, to_text
from engine.errors import AppError
from engine.files.atomic_file import write_error, write_file
from engine.files.input_file import read_text as read_file
from engine.language import mark, sentences, tr, trn
from gui.core.lookup import Tasks
from gui.core.store_service import StoreService
from gui.puzzles.session import Question
from gui.text.messages import sentence
from gui.widgets.banner import BannerStack
from gui.widgets.file_dialogs import FileDialogs

_FILES = mark("Puzzles (*.txt);;All files (*)")
_KEY = "transfer"
_MOST_PASTED = 1 << 20  # characters; what is pasted by mistake may be huge


class PuzzleTransfer:
    """Moves puzzles to text and back.

    Parameters
    ----------
    puzzles : StoreService
    banners : BannerStack
    dialogs : FileDialogs
    folder : Path
        Where to begin to look.
    open_table : callable
        Opens the table in a folder; runs on the worker thread.
    path_of : callable
        Where a table is; None when it isn't here.
    tasks : Tasks
        Where tables are asked.
    now : callable
        Returns the time in UTC.
    failed : callable
        Told of errors.
    """

    def __init__(
        self,
        puzzles: StoreService[Puzzles],
        banners: BannerStack,
        dialogs: FileDialogs,
        folder: Path,
        open_table: Callable[[Path], Any],
        path_of: Callable[[TableKey], Path | None],
        tasks: Tasks,
        now: Callable[[], datetime],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._puzzles, self._banners, self._dialogs = puzzles, banners, dialogs
        self._folder, self._open_table, self._path_of = folder, open_table, path_of
        self._tasks, self._now, self._failed = tasks, now, failed

    def copy(self, question: Question) -> None:
        """Put the line of a puzzle on the clipboard."""
        QGuiApplication.clipboard().setText(to_line(question.stored.puzzle))
        self._banners.show_message("good", tr("The puzzle is copied as a line of text."), key=_KEY)

    def paste(self, filed: Callable[[], None]) -> None:
        """Keep the puzzles on the clipboard, and call `filed`."""
        text = QGuiApplication.clipboard().text()[:_MOST_PASTED]
        if not text.strip():
            said = tr("There's no text on the clipboard. Copy one or more lines with puzzles.")
            self._banners.show_message("warning", said, key=_KEY)
            return
        self._take(lambda: text, filed)

    def export(self, parent: QWidget, key: TableKey | None) -> None:
        """Ask for a file and write the puzzles of a table to it, or all."""
        start = self._folder / "puzzles.txt"
        path = self._dialogs.ask_save(parent, tr("Export puzzles"), start, tr(_FILES))
        if path is None:
            return

        def work(puzzles: Puzzles) -> int:
            kept = puzzles.get(puzzles.ids(key)).values()
            try:
                write_file(path, [to_text(one.puzzle for one in kept).encode("utf-8")])
            except OSError as error:
                raise write_error(error, path) from error
            return len(kept)

        def done(n: int) -> None:
            text = trn(
                "Exported {n} puzzle to {path}.", "Exported {n:,} puzzles to {path}.", n, path=path
            )
            self._banners.show_message("good", text, key=_KEY)

        self._puzzles.ask(work, done, self._failed)

    def import_file(self, parent: QWidget, filed: Callable[[], None]) -> None:
        """Ask for a file, keep its puzzles, and call `filed`."""
        path = self._dialogs.ask_open(parent, tr("Import puzzles"), self._folder, tr(_FILES))
        if path is not None:
            self._take(lambda: read_file(path, tr("a file of puzzles"), MOST_BYTES), filed)

    def _take(self, read: Callable[[], str], filed: Callable[[], None]) -> None:
        """Read a text and check it by the tables, then keep what is in it."""

        def open_table(key: TableKey) -> Any:
            path = self._path_of(key)
            try:
                return self._open_table(path) if path else None
            except AppError:
                return None  # it can't be read now; the puzzle has its rates

        def keep(found: Checked) -> None:
            now = self._now()

            def done(added: Added) -> None:
                self._banners.show_message(*import_text(added, found), key=_KEY)
                filed()

            self._puzzles.change(
                lambda puzzles: puzzles.add(found.puzzles, FROM_TEXT, now), done, self._failed
            )

        self._tasks.run(lambda: checked(read_text(read()), open_table), keep, self._failed)


def import_text(added: Added, found: Checked) -> tuple[str, str]:
    """Return the kind of banner and the text that say what an import brought."""
    text = ""
    if found.puzzles:
        text = tr("{new:,} new, {known:,} already here.", new=added.n_new, known=added.n_known)
    if found.n_unchecked:
        text = sentences(
            text,
            trn(
                "{n} couldn't be checked: its table isn't on this computer.",
                "{n:,} couldn't be checked: their tables aren't on this computer.",
                found.n_unchecked,
            ),
        )
    if not found.problems:
        return "good", text or tr("There's no puzzle in it.")
    shown = " ".join(sentence(one) for one in found.problems[:3])
    problems = trn(
        "{n} line isn't a puzzle. {problems}",
        "{n:,} lines aren't puzzles. {problems}",
        len(found.problems),
        problems=shown,
    )
    return "warning", sentences(text, problems)
