"""Deletion with undo."""

from collections.abc import Callable
from typing import Generic, TypeVar

from engine.language import tr
from gui.widgets.banner import BannerStack

D = TypeVar("D")
_KEY = "deleted"


class Deletion(Generic[D]):
    """Keeps deleted items, restoring the latest first.

    Parameters
    ----------
    banners : BannerStack
        Shows the undo.
    restore : callable
        Restores a deleted item.
    changed : callable
        Called when there is more or less to undo.
    """

    def __init__(
        self, banners: BannerStack, restore: Callable[[D], object], changed: Callable[[], object]
    ) -> None:
        self._banners, self._restore, self._changed = banners, restore, changed
        self._deleted: list[D] = []

    @property
    def can_undo(self) -> bool:
        """Whether there is a deletion to undo."""
        return bool(self._deleted)

    def keep(self, deleted: D, text: str) -> None:
        """Store a deleted item, show a message, and offer to restore it."""
        self._deleted.append(deleted)
        self._changed()
        self._banners.show_message("info", text, [(tr("Undo"), self.undo)], _KEY)

    def undo(self) -> None:
        """Restore the latest deleted item."""
        if self._deleted:
            deleted = self._deleted.pop()
            self._banners.remove(_KEY)
            self._restore(deleted)
            self._changed()
