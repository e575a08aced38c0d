"""Exports of the Game page: replays for 2048verse or in our format, and the game for Review."""

from collections.abc import Callable, Sequence
from pathlib import Path

from engine.formats.replay import Replay, ReplayError, replay_of
from engine.formats.rpl import write_rpl
from engine.formats.verse2048 import write_new, write_old
from engine.game import Game
from engine.platform.files.atomic_file import write_file
from engine.platform.language import tr
from gui.text.messages import sentence

Write = Callable[[Replay], bytes | str]
Form = tuple[Write, str]
"""A function that writes a game, and the suffix of its files."""
OLD: Form = (write_old, ".txt")
NEW: Form = (write_new, ".vrs")
RECORDING: Form = (write_rpl, ".rpl")


def why_not_saved(error: BaseException, folder: Path) -> str:
    """Return a sentence: why a game could not be written."""
    if isinstance(error, OSError):
        reason, place = error.strerror or str(error), error.filename or folder
        return tr("Couldn't save the game to {place}: {reason}.", place=place, reason=reason)
    return tr("Couldn't save the game. {reason}", reason=sentence(str(error)))


def write_first(game: Game, forms: Sequence[tuple[Write, Path]]) -> Path:
    """Write a game in the first form that can hold it; return the file."""
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
