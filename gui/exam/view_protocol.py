"""Who shows a test and keeps it, as the examiner sees them."""

from typing import Protocol

from coach.exam.session import End, PlayedMove, Refusal, Session


class ExamView(Protocol):
    """Who shows the test."""

    def show_start(self) -> None:
        """Show the position that the test begins with, or is resumed at."""

    def show_move(self, move: PlayedMove) -> None:
        """Show a move and what it was worth."""

    def show_undo(self) -> None:
        """Show the position before the move that was taken back."""

    def show_refusal(self, direction: int, refusal: Refusal) -> None:
        """Say why a move is not accepted."""

    def show_ready(self) -> None:
        """The table has answered for the position on the board."""

    def show_end(self, end: End) -> None:
        """Say that the test is over."""

    def show_failure(self, error: BaseException) -> None:
        """Say that the table does not open, or cannot be read."""

    def show_bad_start(self, reason: str) -> None:
        """Say why a typed position is none to begin at."""

    def keep(self, session: Session) -> None:
        """Keep a test that is over or broken off, and has moves."""

    def note(self, session: Session, move: PlayedMove, number: int) -> None:
        """Remember a move that was not perfect: the `number`-th of the test, from 1 on."""
