"""Version and licenses."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from engine.platform.language import mark, tr
from engine.platform.project_files import program_version
from gui.style.icons import app_icon
from gui.widgets.card import card
from gui.widgets.labels import label

_LICENSES = mark(
    "Free software under the MIT License. It uses Python (PSF License), Qt and PySide6 (LGPL 3), "
    "NumPy, Numba, llvmlite, psutil and Zstandard (BSD), msgspec (BSD) and fsrs (MIT)."
)


def app_version() -> str:
    """Return the version of the program; "from source" if it was not installed."""
    return program_version() or tr("from source")


def about_card() -> QWidget:
    """Return the card about this program."""
    frame, column = card()
    head = QHBoxLayout()
    head.setSpacing(16)
    picture = QLabel()
    picture.setPixmap(app_icon().pixmap(48, 48))
    picture.setAccessibleName(tr("Icon of Endgame 2048"))
    head.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
    head.addWidget(
        label(tr("Endgame 2048, version {version}", version=app_version()), wraps=True), 1
    )
    column.addLayout(head)
    licenses = label(tr(_LICENSES), "caption", wraps=True)
    licenses.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    column.addWidget(licenses)
    return frame
