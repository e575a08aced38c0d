"""Puzzles as text: export to a file or the clipboard, and import of lines."""

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from coach.mistakes.mistake import TableKey
from coach.puzzles.puzzle import Puzzle
from coach.puzzles.puzzles import FROM_TEXT, Puzzles
from coach.puzzles.text_line import checked, read_text, to_line, to_text
from engine.platform.files.atomic_file import write_error, write_file
from engine.platform.language import mark, tr, trn
from gui.play.line_import import KEY, LineKind
from gui.play.services import PlayServices
from gui.widgets.banner import BannerStack
from gui.work.store_service import StoreService

_FILES = mark("Puzzles (*.txt);;All files (*)")


class PuzzleExport:
    """Writes puzzles as lines of text."""

    def __init__(
        self,
        services: PlayServices,
        puzzles: StoreService[Puzzles],
        banners: BannerStack,
        failed: Callable[[BaseException], None],
    ) -> None:
        self._services, self._puzzles = services, puzzles
        self._banners, self._failed = banners, failed

    def copy(self, puzzles: Sequence[Puzzle]) -> None:
        QGuiApplication.clipboard().setText("\n".join(map(to_line, puzzles)))
        text = trn(
            "The puzzle is copied as a line of text.",
            "{n:,} puzzles are copied as lines of text.",
            len(puzzles),
        )
        self._banners.show_message("good", text, key=KEY)

    def export(
        self, parent: QWidget, key: TableKey | None, ids: Sequence[int] | None = None
    ) -> None:
        start = self._services.folder / "puzzles.txt"
        path = self._services.dialogs.ask_save(parent, tr("Export puzzles"), start, tr(_FILES))
        if path is None:
            return

        def work(puzzles: Puzzles) -> int:
            chosen = puzzles.get(puzzles.ids(key) if ids is None else ids).values()
            try:
                write_file(path, [to_text(stored.puzzle for stored in chosen).encode("utf-8")])
            except OSError as error:
                raise write_error(error, path) from error
            return len(chosen)

        def done(n: int) -> None:
            text = trn(
                "Exported {n} puzzle to {path}.", "Exported {n:,} puzzles to {path}.", n, path=path
            )
            self._banners.show_message("good", text, key=KEY)

        self._puzzles.ask(work, done, self._failed)


def puzzle_lines(now: Callable[[], datetime]) -> LineKind[Puzzles, Puzzle]:
    def keep(store: Puzzles, puzzles: Sequence[Puzzle]) -> tuple[int, int]:
        added = store.add(puzzles, FROM_TEXT, now())
        return added.n_new, added.n_known

    return LineKind(
        check=lambda text, open_table: checked(read_text(text), open_table),
        keep=keep,
        title=tr("Import puzzles"),
        files=tr(_FILES),
        file=tr("a file of puzzles"),
        nothing=tr("There's no puzzle in it."),
        no_text=tr("There's no text on the clipboard. Copy one or more lines with puzzles."),
        bad_lines=lambda n, problems: trn(
            "{n} line isn't a puzzle. {problems}",
            "{n:,} lines aren't puzzles. {problems}",
            n,
            problems=problems,
        ),
    )
