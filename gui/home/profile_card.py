"""Training advice, and ten minutes of training."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton

from engine.platform.language import mark, tr
from gui.home.card import HomeCard
from gui.widgets.labels import label
from gui.work.profile_service import Portrait

_UNKNOWN = mark("After a test or two, you see here where your moves lose most.")
_NOTHING = mark("Nothing stands out yet. Train what's due and your costliest mistakes.")


class ProfileCard(HomeCard):
    """Where moves lose most, and a link to train that.

    Signals
    -------
    training_requested : the user wants to train for ten minutes
    profile_requested : the user wants to see the whole profile
    """

    training_requested = Signal()
    profile_requested = Signal()

    def __init__(self) -> None:
        super().__init__(tr("What to train"), tr("Profile"))
        self.text_label = label("", "muted", wraps=True)
        self.button = QPushButton()
        self.content.addWidget(self.text_label)
        self.content.addStretch()
        self.content.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.button.clicked.connect(self.training_requested)
        self.more_button.clicked.connect(self.profile_requested)
        self.show_portrait(None)

    def show_portrait(self, portrait: Portrait | None) -> None:
        """Show what costs most; None if there is no game yet."""
        if portrait is None:
            self.button.hide()
            self.text_label.setText(tr(_UNKNOWN))
            return
        from coach.profile.advice import n_moves_missing  # not needed before the window is drawn

        n_missing = n_moves_missing(portrait.profile)
        self.button.show()
        self.button.setText(tr("Train for 10 minutes") if n_missing else tr("Train this (10 min)"))
        if n_missing:
            text = tr(
                "After about {n:,} more moves, you see here where you lose most.", n=n_missing
            )
            self.text_label.setText(text)
        elif portrait.advice:
            from coach.profile.words import advice_text

            self.text_label.setText(advice_text(portrait.advice[0]))
        else:
            self.text_label.setText(tr(_NOTHING))
