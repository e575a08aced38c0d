"""The view of a test, as seen by the examiner."""

from typing import Protocol

from coach.exam.session import End, PlayedMove, Refusal, Session


class ExamView(Protocol):
    """The view that shows and stores the test."""

    def show_start(self) -> None:
        """Show the position at which the test begins or resumes."""

    def show_move(self, move: PlayedMove) -> None:
        """Show a move and its verdict."""

    def show_undo(self) -> None:
        """Show the position before the move that was taken back."""

    def show_refusal(self, direction: int, refusal: Refusal) -> None:
        """Show why a move is not accepted."""

    def show_ready(self) -> None:
        """Show that the table has answered for the current position."""

    def show_end(self, end: End) -> None:
        """Show that the test is over."""

    def show_failure(self, error: BaseException) -> None:
        """Show that the table can't be opened or read."""

    def show_bad_start(self, reason: str) -> None:
        """Show why a typed position can't be a start."""

    def keep(self, session: Session) -> None:
        """Save a finished or abandoned test that has moves."""

    def note(self, session: Session, move: PlayedMove, number: int) -> None:
        """Record an imperfect move: the `number`-th of the test, from 1."""
