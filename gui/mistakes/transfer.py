"""The user interface of importing and exporting mistakes: a dialog, then a banner."""

from collections.abc import Callable
from pathlib import Path

from coach.mistakes.mistakes import Mistakes
from coach.mistakes.record import Imported, add_records
from engine.platform.language import mark, tr, trn
from gui.play.board_page import BoardPage
from gui.work.mistake_service import MistakeService

_FILES = mark("Mistakes (*.json *.csv *.pkl);;All files (*)")
_KINDS = mark("JSON, complete (*.json);;CSV, one line each (*.csv)")
_KEY = "transfer"


class MistakeTransfer(BoardPage):
    """A page that moves mistakes to files and back."""

    _store: MistakeService
    _symmetry_of: Callable[[str], str]  # see `read_mistakes`; runs on the worker thread

    def fail(self, error: BaseException) -> None:
        raise NotImplementedError

    def _take_imported(self) -> None:
        raise NotImplementedError

    def _export(self, ids: list[int]) -> None:
        start = self._services.folder / "mistakes.json"
        path = self._services.dialogs.ask_save(self, tr("Export mistakes"), start, tr(_KINDS))
        if path is None:
            return

        from coach.mistakes.files import export  # loads msgspec

        def done(n: int) -> None:
            text = trn(
                "Exported {n} mistake to {path}.",
                "Exported {n:,} mistakes to {path}.",
                n,
                path=path,
            )
            self.banners.show_message("good", text, key=_KEY)

        self._store.ask(lambda mistakes: export(mistakes, ids, path), done, self.fail)

    def _import(self) -> None:
        folder, dialogs = self._services.folder, self._services.dialogs
        path = dialogs.ask_open(self, tr("Import mistakes"), folder, tr(_FILES))
        if path is None:
            return
        symmetry_of = self._symmetry_of
        self.banners.show_message("info", tr("Reading {name}…", name=path.name), key=_KEY)

        from coach.mistakes.importing import read_mistakes  # loads msgspec

        def work(mistakes: Mistakes) -> tuple[Imported, list[str]]:
            reading = read_mistakes(path, symmetry_of)
            return add_records(mistakes, reading.records), reading.problems

        def done(result: tuple[Imported, list[str]]) -> None:
            self.banners.show_message(*import_text(path, *result), key=_KEY)
            self._take_imported()

        def failed(error: BaseException) -> None:
            self.banners.remove(_KEY)
            self.fail(error)

        self._store.change(work, done, failed)


def import_text(path: Path, imported: Imported, problems: list[str]) -> tuple[str, str]:
    text = tr(
        "{name}: {new:,} new, {known:,} already here.",
        name=path.name,
        new=imported.n_new,
        known=imported.n_known,
    )
    if not problems:
        return "good", text
    shown = "; ".join(problems[:3]) + (" ..." if len(problems) > 3 else "")
    return "warning", tr(
        "{imported} {n:,} couldn't be imported: {problems}.",
        imported=text,
        n=len(problems),
        problems=shown,
    )
