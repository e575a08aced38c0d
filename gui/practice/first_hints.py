"""First hints for Practice: the locked tiles, and the four figures."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton

from engine.platform.language import tr, trn
from gui.style.layout import column, placed
from gui.widgets.labels import label
from tablebase.formation.goal import Goal, goal_of


class FirstHints(QFrame):
    """A card to read once and close permanently.

    Signals
    -------
    closed
        The user has closed it.
    """

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.tiles_label = label("", wraps=True)
        self.figures_label = label("", wraps=True)
        self.close_button = QPushButton(tr("Got it"))
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.close_button.clicked.connect(self.closed)
        column(
            label(tr("New here?"), "strong"),
            self.tiles_label,
            self.figures_label,
            placed(self.close_button, align=Qt.AlignmentFlag.AlignRight),
            space=6,
            margins=(12, 10, 12, 10),
            parent=self,
        )
        self.hide()

    def explain(self, target: Goal | int, n_large: int, walls: bool) -> None:
        """Explain a table's board and panel.

        Parameters
        ----------
        target : Goal or int
            What to reach: a bare number is the face value of a tile.
        n_large : int
            Number of locked tiles.
        walls : bool
            Whether they are walls instead.
        """
        goal = goal_of(target)
        text = _tiles_text(goal, n_large, walls) if goal.tile else _sum_text(goal, n_large, walls)
        self.tiles_label.setText(text)
        self.figures_label.setText(
            tr(
                "The four figures are your chances of reaching {target} after each move, if you "
                "play perfectly from then on. The star marks the best move.",
                target=goal.words(),
            )
        )
        self.show()


def _sum_text(goal: Goal, n_large: int, walls: bool) -> str:
    if walls:
        return tr(
            "The striped cells are walls. The tiles in the others count together: reach the {sum}.",
            sum=goal.words(),
        )
    return trn(
        "The tile with a lock stands for your large tiles, whatever their values; 32768 is only a "
        "label. It stays where the formation needs them. The other tiles count together: reach "
        "the {sum}.",
        "The {n} locked tiles stand for your large tiles, whatever their values; 32768 is only a "
        "label. They stay where the formation needs them. The other tiles count together: reach "
        "the {sum}.",
        n_large,
        sum=goal.words(),
    )


def _tiles_text(target: Goal, n_large: int, walls: bool) -> str:
    if walls:
        return tr("The striped cells are walls. Build a {target} in the others.", target=target)
    if not n_large:
        return tr("Build a {target}.", target=target)
    return trn(
        "The tile with a lock stands for your large tiles, whatever their values; 32768 is only a "
        "label. It stays where the formation needs them while you build a {target} in the free "
        "cells.",
        "The {n} locked tiles stand for your large tiles, whatever their values; 32768 is only a "
        "label. They stay where the formation needs them while you build a {target} in the free "
        "cells.",
        n_large,
        target=target,
    )
