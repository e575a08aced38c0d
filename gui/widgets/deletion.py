"""Deleting with a way back."""

from collections.abc import Callable
from typing import Generic, TypeVar

from engine.language import tr
from gui.widgets.banner import BannerStack

D = TypeVar("D")
_KEY = "deleted"


class Deletion(Generic[D]):
    """Keeps what was deleted, the latest to be restored first.

    Parameters
    ----------
    banners : BannerStack
        Where undo is offered.
    restore : callable
        Brings back what was deleted.
    changed : callable
        Hears that there is more or less to undo.
    """

    def __init__(
        self, banners: BannerStack, restore: Callable[[D], object], changed: Callable[[], object]
    ) -> None:
        self._banners, self._restore, self._changed = banners, restore, changed
        self._deleted: list[D] = []

    @property
    def can_undo(self) -> bool:
        """Whether anything was deleted that is not back."""
        return bool(self._deleted)

    def keep(self, deleted: D, text: str) -> None:
        """Keep what was deleted, say so, and offer to restore it."""
        self._deleted.append(deleted)
        self._changed()
        self._banners.show_message("info", text, [(tr("Undo"), self.undo)], _KEY)

    def undo(self) -> None:
        """Restore what was deleted last."""
        if self._deleted:
            deleted = self._deleted.pop()
            self._banners.remove(_KEY)
            self._restore(deleted)
            self._changed()
