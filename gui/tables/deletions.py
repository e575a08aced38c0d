"""The messages about deleted tables: each has an Undo for as long as that can work."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject

from engine.platform.language import listed, sentences, tr
from gui.table_work.builds import Builds
from gui.table_work.table_library import Library
from gui.table_work.trash import Trashed
from gui.text.messages import sentence
from gui.text.numbers import table_title
from gui.widgets.banner import Banner, BannerStack


@dataclass(frozen=True)
class DeletionMessage:
    """The message on a deleted table that is shown."""

    banner: Banner
    has_undo: bool
    problem: str


class Deletions(QObject):
    """Shows a message for each deleted table, and frees its disk space when that is closed.

    While a new table is in its place, or is going to be, the message has no Undo. When Undo has
    failed it says why, and can be tried again.
    """

    def __init__(
        self, library: Library, builds: Builds, banners: BannerStack, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._library, self._builds, self._banners = library, builds, banners
        self._messages: dict[Trashed, DeletionMessage] = {}
        library.trashed.connect(self._show_message)
        library.not_restored.connect(self._show_message)
        library.looked.connect(self._look_again)
        builds.changed.connect(self._follow_builds)

    def state(self) -> "Mapping[Trashed, DeletionMessage]":
        return self._messages

    def restore(self, state: "Mapping[Trashed, DeletionMessage]") -> None:
        for trashed, message in list(state.items()):
            self._show_message(trashed, message.problem)

    def _show_message(self, trashed: Trashed, problem: str = "") -> None:
        has_undo = self._can_undo(trashed, problem)
        undo = (tr("Undo"), lambda: self._library.restore(trashed))
        self._messages.pop(trashed, None)  # a message that is replaced settles nothing
        banner = self._banners.show_message(
            "warning" if problem else "info",
            _text(trashed, problem, has_undo),
            [undo] if has_undo else [],
            str(trashed.kept),
            lambda banner: self._on_close(trashed, banner),
        )
        self._messages[trashed] = DeletionMessage(banner, has_undo, problem)

    def _can_undo(self, trashed: Trashed, problem: str) -> bool:
        if trashed.table in self._builds.tables():
            return False
        # Nobody tells us when what a problem asks for is done.
        return bool(problem) or self._library.is_place_free(trashed)

    def _look_again(self) -> None:
        for trashed, message in list(self._messages.items()):
            if message.has_undo != self._can_undo(trashed, message.problem):
                self._show_message(trashed, message.problem)

    def _follow_builds(self) -> None:
        busy = self._builds.tables()
        for trashed, message in list(self._messages.items()):
            if message.has_undo and trashed.table in busy:
                self._show_message(trashed, message.problem)
            elif not message.has_undo and trashed.table not in busy:
                self._library.refresh()  # it tells whether the build has left something

    def _on_close(self, trashed: Trashed, banner: Banner) -> None:
        message = self._messages.get(trashed)
        if message is None or message.banner is not banner:
            return
        del self._messages[trashed]
        if not banner.was_remedied:
            self._library.settle(trashed)


def _text(trashed: Trashed, problem: str, has_undo: bool) -> str:
    name = table_title(trashed.table.name)
    if problem:
        text = tr(
            "The deleted {table} is kept in {path}, even after you close the program.",
            table=name,
            path=trashed.kept,
        )
    elif trashed.parts:
        folders = listed(str(part.place) for part in trashed.parts)
        text = tr("{table} was deleted with its layers in {folders}.", table=name, folders=folders)
    else:
        text = tr("{table} was deleted.", table=name)
    left = listed(map(str, trashed.left))
    return sentences(
        sentence(problem) if problem else "",
        text,
        tr("Files in {folders} stay there.", folders=left) if left else "",
        "" if has_undo else tr("It can come back only if there is no new one in its place."),
        tr("Close this message to free its disk space."),
    )
