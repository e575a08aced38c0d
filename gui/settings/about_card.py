"""Version and licenses."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from engine.platform.language import mark, tr
from engine.platform.project_files import program_version
from gui.style.icons import app_icon
from gui.style.layout import card, placed, row
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
    picture = QLabel()
    picture.setPixmap(app_icon().pixmap(48, 48))
    picture.setAccessibleName(tr("Icon of Endgame 2048"))
    licenses = label(tr(_LICENSES), "caption", wraps=True)
    licenses.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return card(
        row(
            placed(picture, align=Qt.AlignmentFlag.AlignTop),
            placed(
                label(tr("Endgame 2048, version {version}", version=app_version()), wraps=True),
                stretch=1,
            ),
            space=16,
        ),
        licenses,
    )
