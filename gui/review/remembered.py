"""The values that Review remembers: files and positions in them, marks, speed, chart."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from coach.recordings.heading import Heading, heading_in_name
from engine.platform.files.input_file import is_number
from gui.settings_model.remembered import Remembered
from gui.settings_model.settings import Settings

MAX_FILES = 12
_MAX_COUNTED = 1 << 53
_N = TypeVar("_N", int, float)


class RememberedReview:
    """Typed access to the page's settings and state, which their options keep valid."""

    speed = Remembered("review.speed", int)
    least_loss = Remembered("review.least_loss", float)
    chart = Remembered("review.chart", str)
    shows_best = Remembered("review.hint", bool)

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @property
    def recent(self) -> list[Path]:
        return [Path(path) for path, _ in self._files()]

    def position_in(self, path: Path) -> int:
        """Return the last position in a file; 0 if it was never open."""
        return dict(self._files()).get(str(path), 0)

    def remember(self, path: Path, position: int) -> None:
        others = [entry for entry in self._files() if entry[0] != str(path)]
        entries = [(str(path), position), *others][:MAX_FILES]
        self.settings.state.set("review.recent", [list(entry) for entry in entries])

    def heading(self, path: Path) -> Heading:
        """Return the heading of a game, as stored when it was open, or else from its file name."""
        facts = self.settings.state.get("review.headings").get(str(path))
        named = heading_in_name(path)
        stored = _heading(facts)
        return replace(stored, name=named.name) if stored else named

    def note_heading(self, path: Path, heading: Heading) -> None:
        stored = self.settings.state.get("review.headings")
        recent = {file for file, _ in self._files()}
        headings = {file: facts for file, facts in stored.items() if file in recent}
        when = heading.played_at.isoformat() if heading.played_at else ""
        headings[str(path)] = [
            heading.table or "",
            when,
            heading.perfect_share,
            heading.n_moves,
            heading.points,
            heading.first_move,
        ]
        self.settings.state.set("review.headings", headings)

    def forget(self, path: Path) -> None:
        left = [list(entry) for entry in self._files() if entry[0] != str(path)]
        self.settings.state.set("review.recent", left)

    def _files(self) -> list[tuple[str, int]]:
        return [(path, at) for path, at in self.settings.state.get("review.recent")]


def _heading(facts: Any) -> Heading | None:
    """Return the heading stored by `note_heading`; None if invalid."""
    try:
        table, when, perfect_share, *counts = facts
        n_moves, points, first_move = (_number(count, _MAX_COUNTED, int) for count in counts)
        return Heading(
            "",
            str(table) or None,
            datetime.fromisoformat(when) if when else None,
            _number(perfect_share, 1, float),
            n_moves,
            points,
            first_move,
        )
    except (TypeError, ValueError):
        return None


def _number(value: Any, most: float, kind: type[_N]) -> _N | None:
    if value is None:
        return None
    if not is_number(value, 0, most):
        raise ValueError("expected a number within bounds")  # no text
    return kind(value)
