"""A page on which a player plays runs: Test, Situations, Routes."""

from coach.play.player import Player
from coach.play.rules import Refusal
from gui.play.board_page import BoardPage
from gui.play.screen import BoardScreen


class RunPage(BoardPage):
    """What the listener of a player does by itself; the rest of `Listener` is up to the page."""

    player: Player
    display: BoardScreen

    def press(self, direction: int) -> None:
        """Play a move, or queue it until the table has answered."""
        if self.player.is_playing:
            self.display.begin_waiting()
            self.player.press(direction)
            self.enable()  # a queued move can be taken back

    def show_undo(self) -> None:
        """Do nothing where no move is taken back."""

    def show_refusal(self, direction: int, refusal: Refusal) -> None:
        self.display.show_refusal(direction, refusal)

    def show_ready(self) -> None:
        self.display.end_waiting()
