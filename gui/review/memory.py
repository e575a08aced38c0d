"""What Review remembers: files and the places left in them, what is marked, speed, chart."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from coach.recordings.heading import Heading, heading_in_name
from gui.core.remembered import Remembered
from gui.core.settings import Settings

MOST_FILES = 12


class ReviewMemory:
    """Typed access to the page's settings and state, whose options keep to what makes sense.

    Parameters
    ----------
    settings : Settings
        Where the values are kept.

    Attributes
    ----------
    speed : int
        Moves a second when a game plays by itself.
    least_loss : float
        From which loss on moves are marked, in [0, 1].
    chart : str
        The name of the chart in front.
    shows_best : bool
        Whether the best move is drawn on the board.
    """

    speed = Remembered("review.speed", int)
    least_loss = Remembered("review.least_loss", float)
    chart = Remembered("review.chart", str)
    shows_best = Remembered("review.hint", bool)

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @property
    def recent(self) -> list[Path]:
        """The files opened lately, the last one first."""
        return [Path(path) for path, _ in self._files()]

    def position_in(self, path: Path) -> int:
        """Return the position that a file was left at, 0 when it was never open."""
        return dict(self._files()).get(str(path), 0)

    def remember(self, path: Path, position: int) -> None:
        """Keep that a file is open, and at which position."""
        others = [entry for entry in self._files() if entry[0] != str(path)]
        entries = [(str(path), position), *others][:MOST_FILES]
        self.settings.state.set("review.recent", [list(entry) for entry in entries])

    def heading(self, path: Path) -> Heading:
        """Return what a game is called by: as it was when it was open, else by its file's name."""
        facts = self.settings.state.get("review.headings").get(str(path))
        named = heading_in_name(path)
        known = _heading(facts)
        return replace(known, name=named.name) if known else named  # in today's language

    def note_heading(self, path: Path, heading: Heading) -> None:
        """Keep what a game is called by, as long as its file is among the recent ones."""
        kept = self.settings.state.get("review.headings")
        recent = {file for file, _ in self._files()}
        found = {file: facts for file, facts in kept.items() if file in recent}
        when = heading.played_at.isoformat() if heading.played_at else ""
        found[str(path)] = [
            heading.name,
            heading.table or "",
            when,
            heading.match_rate,
            heading.n_moves,
            heading.points,
            heading.first_move,
        ]
        self.settings.state.set("review.headings", found)

    def offer(self, path: Path) -> None:
        """Put a file at the top of the list; where it was left, if it was open, stays."""
        self.remember(path, self.position_in(path))

    def forget(self, path: Path) -> None:
        """Drop a file that cannot be opened any more."""
        left = [list(entry) for entry in self._files() if entry[0] != str(path)]
        self.settings.state.set("review.recent", left)

    def _files(self) -> list[tuple[str, int]]:
        return [(path, at) for path, at in self.settings.state.get("review.recent")]


def _heading(facts: Any) -> Heading | None:
    """Return what `note_heading` kept; None where it is nothing of that kind."""
    try:
        name, table, when, match_rate, n_moves, points, first_move = facts
        return Heading(
            str(name),
            str(table) or None,
            datetime.fromisoformat(when) if when else None,
            None if match_rate is None else float(match_rate),
            None if n_moves is None else int(n_moves),
            None if points is None else int(points),
            None if first_move is None else int(first_move),
        )
    except (TypeError, ValueError):
        return None
