"""Exports of the Game page: replays for 2048verse or in our format, and the game for Review."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from engine.formats.replay import Replay, ReplayError, replay_of
from engine.formats.rpl import write_rpl
from engine.formats.verse2048 import write_new, write_old
from engine.game import Game
from engine.platform.files.atomic_file import write_file
from engine.platform.language import tr
from gui.text.messages import sentence
from gui.work.tasks import TaskRunner

Write = Callable[[Replay], bytes | str]
Form = tuple[Write, str]
"""A function that writes a game, and the suffix of its files."""
OLD: Form = (write_old, ".txt")
NEW: Form = (write_new, ".vrs")
RECORDING: Form = (write_rpl, ".rpl")


class GameFiles(QObject):
    """Writes games in the forms of `engine.formats`, off the GUI thread; `folder` is for Review.

    `failed` has a sentence: it could not be written, and why.
    """

    exported = Signal(object)
    failed = Signal(str)
    review_ready = Signal(object)

    def __init__(
        self,
        replays: Path,
        folder: Path,
        tasks: TaskRunner,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._replays, self._review, self._tasks = replays, folder, tasks

    def export(self, game: Game, form: Form) -> None:
        """Write the game so far for 2048verse, or as a recording if its start doesn't fit."""
        name = f"{game.score}_{datetime.now():%Y%m%d_%H%M%S}"  # no text
        forms = [(write, self._replays / f"{name}{suffix}") for write, suffix in (form, RECORDING)]
        self._write(game, forms, self.exported.emit)

    def review(self, game: Game) -> None:
        """Write the game so far for Review: with times if its start allows that format."""
        forms = [(write, self._review / f"game{suffix}") for write, suffix in (NEW, RECORDING)]
        self._write(game, forms, self.review_ready.emit)

    def _write(
        self, game: Game, forms: list[tuple[Write, Path]], done: Callable[[Path], None]
    ) -> None:
        twin = game.snapshot()
        self._tasks.run(lambda: _write_first(twin, forms), done, self._fail)

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, OSError):
            reason = error.strerror or str(error)
            place = error.filename or self._replays
            self.failed.emit(
                tr("Couldn't save the game to {place}: {reason}.", place=place, reason=reason)
            )
        else:
            self.failed.emit(tr("Couldn't save the game. {reason}", reason=sentence(str(error))))


def _write_first(game: Game, forms: list[tuple[Write, Path]]) -> Path:
    replay = replay_of(game)
    for at, (write, path) in enumerate(forms):
        try:
            content = write(replay)
        except ReplayError:
            if at + 1 == len(forms):
                raise
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, [content.encode("utf-8") if isinstance(content, str) else content])
        return path
    raise AssertionError("there is no form to try")
