"""Deleting mistakes, with a way back."""

from collections.abc import Callable

from coach.mistakes.mistakes import Deleted
from engine.language import tr, trn
from gui.core.mistake_service import MistakeService
from gui.core.store_service import OnError
from gui.widgets.banner import BannerStack

_KEY = "deleted"


class Deletion:
    """Deletes at once and keeps what it was, the latest to be restored first.

    Parameters
    ----------
    book : MistakeService
    banners : BannerStack
        Where undo is offered.
    changed : callable
        Hears that there is more or less to undo.
    failed : callable
    """

    def __init__(
        self,
        book: MistakeService,
        banners: BannerStack,
        changed: Callable[[], None],
        failed: OnError,
    ) -> None:
        self._book, self._banners = book, banners
        self._changed, self._failed = changed, failed
        self._deleted: list[Deleted] = []

    @property
    def can_undo(self) -> bool:
        """Whether anything was deleted that is not back."""
        return bool(self._deleted)

    def delete(self, ids: list[int]) -> None:
        """Delete mistakes by their ids."""
        self._book.change(lambda mistakes: mistakes.delete(ids), self.keep, self._failed)

    def keep(self, deleted: Deleted) -> None:
        """Keep what was deleted and offer to restore it."""
        self._deleted.append(deleted)
        self._changed()
        n = deleted.n_mistakes
        text = trn("Deleted {n} mistake.", "Deleted {n:,} mistakes.", n)
        self._banners.show_message("info", text, [(tr("Undo"), self.undo)], _KEY)

    def undo(self) -> None:
        """Restore what was deleted last."""
        if self._deleted:
            deleted = self._deleted.pop()
            self._banners.remove(_KEY)
            self._book.change(lambda mistakes: mistakes.restore(deleted), failed=self._failed)
            self._changed()
