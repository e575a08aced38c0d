"""Fields for numbers, and bars for progress, as they look everywhere."""

from typing import TypeVar

from PySide6.QtWidgets import QDoubleSpinBox, QProgressBar, QSpinBox

Spin = TypeVar("Spin", QSpinBox, QDoubleSpinBox)


def number_field(spin: Spin, name: str, *, prefix: str = "", suffix: str = "") -> Spin:
    """Return the field with its name for screen readers, and room before the digits."""
    spin.setAccessibleName(name)
    spin.setPrefix(prefix)
    spin.setSuffix(suffix)
    spin.lineEdit().setTextMargins(6, 0, 0, 0)  # a style sheet cannot
    return spin


def progress_bar(name: str = "", most: int = 1000) -> QProgressBar:
    """Return a bar without digits; with a `most` of 0 it shows work of unknown length."""
    bar = QProgressBar(maximum=most, textVisible=False)
    bar.setAccessibleName(name)
    return bar
