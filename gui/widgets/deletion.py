"""Deletion with undo."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from engine.platform.language import tr
from gui.widgets.banner import BannerStack
from gui.work.store_service import OnError

D = TypeVar("D")
_KEY = "deleted"


class DeletionState(NamedTuple, Generic[D]):
    """What can be undone, for a page that replaces another one."""

    deleted: Sequence[D]  # latest last
    is_offered: bool  # by a message


class Deletion(Generic[D]):
    """Keeps deleted items, restoring the latest first.

    `restore` restores one, or calls its second argument with the error. `failed` shows that; the
    item can be restored again. `changed` is called when there is more or less to undo.
    """

    def __init__(
        self,
        banners: BannerStack,
        restore: Callable[[D, OnError], object],
        failed: OnError,
        changed: Callable[[], object],
        text_of: Callable[[D], str],
    ) -> None:
        self._banners, self._restore, self._changed = banners, restore, changed
        self._text_of, self._failed = text_of, failed
        self._deleted: list[D] = []

    @property
    def can_undo(self) -> bool:
        return bool(self._deleted)

    def keep(self, deleted: D) -> None:
        """Store a deleted item, show a message, and offer to restore it."""
        self._deleted.append(deleted)
        self._changed()
        self._offer()

    def undo(self) -> None:
        if self._deleted:
            deleted = self._deleted.pop()
            self._banners.remove(_KEY)
            self._restore(deleted, partial(self._keep_again, deleted))
            self._changed()

    def _keep_again(self, deleted: D, error: BaseException) -> None:
        self.keep(deleted)
        self._failed(error)

    def state(self) -> DeletionState[D]:
        return DeletionState(self._deleted, self._banners.shows(_KEY))

    def restore(self, state: DeletionState[D]) -> None:
        self._deleted = [*state.deleted]
        self._changed()
        if state.is_offered:
            self._offer()

    def _offer(self) -> None:
        text = self._text_of(self._deleted[-1])
        self._banners.show_message("info", text, [(tr("Undo"), self.undo)], _KEY)
