"""Importing lines of text, from a file or the clipboard, checked by the local tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from coach.mistakes.checked_by_tables import Checked
from coach.mistakes.mistake import TableKey
from coach.record.database import Store
from engine.platform.errors import AppError
from engine.platform.files.checked_line import MAX_BYTES
from engine.platform.files.input_file import read_text
from engine.platform.language import sentences, tr, trn
from gui.play.services import PlayServices
from gui.text.messages import sentence
from gui.widgets.banner import BannerStack
from gui.work.store_service import StoreService
from tablebase.probe.table import Table

S = TypeVar("S", bound=Store)
T = TypeVar("T")
OpenByKey = Callable[[TableKey], Table | None]
KEY = "transfer"
"""Of the banner that says what came of it."""

_MAX_PASTED = 1 << 20  # characters; what is pasted by mistake may be huge


@dataclass(frozen=True)
class LineKind(Generic[S, T]):
    """A kind of lines: how they are checked and stored, and the messages."""

    # Returns what can be kept of a text; its second argument opens a table by its key, and returns
    # None where that cannot be.
    check: Callable[[str, OpenByKey], Checked[T]]
    # Keeps things in the database and returns how many were new, and known already.
    keep: Callable[[S, Sequence[T]], tuple[int, int]]
    # Of the dialog: its title and filters; and what a file is called in a sentence.
    title: str
    files: str
    file: str
    nothing: str  # said of a text that holds none
    no_text: str  # said where the clipboard has no text
    # Returns the sentence of how many lines hold none, and what is wrong with the first ones.
    bad_lines: Callable[[int, str], str]


class LineImport(Generic[S, T]):
    """Imports lines into a database."""

    def __init__(
        self,
        services: PlayServices,
        kind: LineKind[S, T],
        store: StoreService[S],
        banners: BannerStack,
        path_of: Callable[[TableKey], Path | None],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._services, self._kind, self._store = services, kind, store
        self._banners, self._path_of, self._failed = banners, path_of, failed

    def paste(self, filed: Callable[[], None]) -> None:
        text = QGuiApplication.clipboard().text()[:_MAX_PASTED]
        if text.strip():
            self._take(lambda: text, filed)
        else:
            self._banners.show_message("warning", self._kind.no_text, key=KEY)

    def ask_file(self, parent: QWidget, filed: Callable[[], None]) -> None:
        kind = self._kind
        path = self._services.dialogs.ask_open(
            parent, kind.title, self._services.folder, kind.files
        )
        if path is not None:
            self._take(lambda: read_text(path, kind.file, MAX_BYTES), filed)

    def _take(self, read: Callable[[], str], filed: Callable[[], None]) -> None:
        kind = self._kind

        def keep(checked: Checked[T]) -> None:
            def done(added: tuple[int, int]) -> None:
                self._banners.show_message(*self._outcome(added, checked), key=KEY)
                filed()

            self._store.change(lambda store: kind.keep(store, checked.kept), done, self._failed)

        self._services.files.run(lambda: kind.check(read(), self._open_by_key), keep, self._failed)

    def _open_by_key(self, key: TableKey) -> Table | None:
        path = self._path_of(key)
        try:
            return self._services.open_table(path) if path else None
        except AppError:
            return None  # it can't be read now; what came has its rates

    def _outcome(self, added: tuple[int, int], checked: Checked[T]) -> tuple[str, str]:
        text = ""
        if checked.kept:
            text = tr("{new:,} new, {known:,} already here.", new=added[0], known=added[1])
        if checked.n_unchecked:
            text = sentences(
                text,
                trn(
                    "{n} couldn't be checked: its table isn't on this computer.",
                    "{n:,} couldn't be checked: their tables aren't on this computer.",
                    checked.n_unchecked,
                ),
            )
        if not checked.problems:
            return "good", text or self._kind.nothing
        shown = " ".join(sentence(problem) for problem in checked.problems[:3])
        return "warning", sentences(text, self._kind.bad_lines(len(checked.problems), shown))
