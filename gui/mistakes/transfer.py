"""The user interface of importing and exporting mistakes: a dialog, then a banner."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from coach.mistakes.files import export
from coach.mistakes.importing import read_mistakes
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.record import Imported, add_records
from engine.platform.language import mark, tr, trn
from gui.play.services import PlayServices
from gui.widgets.banner import BannerStack
from gui.work.mistake_service import MistakeService

_FILES = mark("Mistakes (*.json *.csv *.pkl);;All files (*)")
_KINDS = mark("JSON, complete (*.json);;CSV, one line each (*.csv)")
_KEY = "transfer"


class MistakeTransfer:
    """Moves mistakes to files and back."""

    def __init__(
        self,
        services: PlayServices,
        store: MistakeService,
        banners: BannerStack,
        symmetry_of: Callable[[str], str],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._dialogs, self._folder = services.dialogs, services.folder
        self._store, self._banners = store, banners
        self._symmetry_of, self._failed = symmetry_of, failed

    def export(self, parent: QWidget, ids: list[int]) -> None:
        start = self._folder / "mistakes.json"
        path = self._dialogs.ask_save(parent, tr("Export mistakes"), start, tr(_KINDS))
        if path is None:
            return

        def done(n: int) -> None:
            text = trn(
                "Exported {n} mistake to {path}.",
                "Exported {n:,} mistakes to {path}.",
                n,
                path=path,
            )
            self._banners.show_message("good", text, key=_KEY)

        self._store.ask(lambda mistakes: export(mistakes, ids, path), done, self._failed)

    def import_file(self, parent: QWidget, filed: Callable[[], None]) -> None:
        path = self._dialogs.ask_open(parent, tr("Import mistakes"), self._folder, tr(_FILES))
        if path is None:
            return
        symmetry_of = self._symmetry_of
        self._banners.show_message("info", tr("Reading {name}…", name=path.name), key=_KEY)

        def work(mistakes: Mistakes) -> tuple[Imported, list[str]]:
            reading = read_mistakes(path, symmetry_of)
            return add_records(mistakes, reading.records), reading.problems

        def done(result: tuple[Imported, list[str]]) -> None:
            self._banners.show_message(*import_text(path, *result), key=_KEY)
            filed()

        def failed(error: BaseException) -> None:
            self._banners.remove(_KEY)
            self._failed(error)

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
