"""A recorded game and the current position in it. No Qt."""

from bisect import bisect_left, bisect_right

from coach.recordings.recording import Recording

PAGE = 10


class ReviewGame:
    """A position in a recording, and the marked moves.

    Attributes
    ----------
    recording : Recording or None
    position : int
        0 is the start; position i is before move i.
    marks : list of int
        The marked moves, ascending.
    """

    def __init__(self, least_loss: float = 0.01) -> None:
        self.recording: Recording | None = None
        self.position = 0
        self.marks: list[int] = []
        self._least_loss = least_loss

    @property
    def least_loss(self) -> float:
        """The loss from which moves are marked, in [0, 1]; perfect ones never are."""
        return self._least_loss

    @property
    def n_moves(self) -> int:
        """The number of moves of the game."""
        return self.recording.n_moves if self.recording else 0

    @property
    def is_at_end(self) -> bool:
        """Whether the end of the game is shown."""
        return self.position >= self.n_moves

    def open(self, recording: Recording, position: int = 0) -> None:
        """Open a game at a position."""
        self.recording = recording
        self.position = max(0, min(recording.n_moves, position))
        self.mark_from(self._least_loss)

    def mark_from(self, least_loss: float) -> None:
        """Mark the moves that lost at least `least_loss`."""
        self._least_loss = least_loss
        self.marks = self.recording.mistakes(least_loss) if self.recording else []

    def go_to(self, position: int) -> bool:
        """Go to a position, or as far as possible; return whether it changed."""
        position = max(0, min(self.n_moves, position))
        is_other = position != self.position
        self.position = position
        return is_other

    def next_mark(self) -> int | None:
        """Return the first marked move after the current one."""
        at = bisect_right(self.marks, self.position)
        return self.marks[at] if at < len(self.marks) else None

    def previous_mark(self) -> int | None:
        """Return the last marked move before the current one."""
        at = bisect_left(self.marks, self.position)
        return self.marks[at - 1] if at else None
