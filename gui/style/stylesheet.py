"""The look of buttons, fields, cards and lists: a Qt style sheet with a theme's colors.

Widgets say what they are by dynamic properties:

* QLabel ``role``: caption, muted, strong, title, figure
* QPushButton ``primary`` or ``quiet`` or ``danger``; ``chip`` for one choice of several;
  ``row`` for one line of a list
* QFrame ``card``; ``kind`` (info, good, warning, bad) for banners
"""

from pathlib import Path
from string import Template

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPen, QPixmap, QPolygonF

from gui.style.theme import Theme, smooth_painter

_TEMPLATE = Template("""
QToolTip { background: $raised; color: $text; border: 1px solid $border; padding: 4px 8px; }
QMainWindow, QDialog { background: $background; }
QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 2px; }
QScrollBar::handle { background: $scroll; border-radius: 4px; min-height: 32px; min-width: 32px; }
QScrollBar::handle:hover { background: $text_muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QLabel { background: transparent; }
QLabel[role="caption"] { font-size: 12px; color: $text_muted; }
QLabel[role="muted"] { color: $text_muted; }
QLabel[role="strong"] { font-size: 16px; font-weight: 600; }
QLabel[role="title"] { font-size: 20px; font-weight: 600; }
QLabel[role="figure"] { font-size: 28px; font-weight: 600; }
QLabel[weight="strong"] { font-weight: 600; }
QWidget[tone="good"] { color: $good; }
QWidget[tone="warning"] { color: $warning; }
QWidget[tone="bad"] { color: $bad; }
QWidget[tone="accent"] { color: $accent; }
QLabel:disabled { color: $text_muted; }

QPushButton, QToolButton {
    background: $raised; color: $text; border: 1px solid $border; border-radius: 6px;
    padding: 6px 12px; min-height: 20px;
}
QToolButton { padding: 6px; }
QToolButton[mini="true"] { padding: 2px; min-height: 0; }
QToolButton::menu-indicator { image: none; }
QPushButton:hover, QToolButton:hover { border-color: $text_muted; background: $hover; }
QPushButton:pressed, QToolButton:pressed { background: $pressed; }
QPushButton:checked, QToolButton:checked {
    background: $accent_tint; border-color: $accent; color: $text;
}
QPushButton:focus, QToolButton:focus { border: $focus_edge; padding: ${p6} ${p12}; }
QToolButton:focus { padding: ${p6}; }
QToolButton[mini="true"]:focus { padding: ${p2}; }
QPushButton:disabled, QToolButton:disabled {
    color: $disabled; background: transparent; border-color: $border;
}
QPushButton[primary="true"] {
    background: $accent; color: $accent_text; border: 1px solid $accent; font-weight: 600;
}
QPushButton[primary="true"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[primary="true"]:pressed { background: $accent_pressed; }
QPushButton[primary="true"]:focus { border: ${focus_px}px solid $text; }
QPushButton[primary="true"]:disabled {
    background: $border; color: $text_muted; border-color: $border;
}
QPushButton[quiet="true"], QToolButton[quiet="true"] {
    background: transparent; border: 1px solid transparent;
}
QPushButton[quiet="true"] { color: $accent; }
QPushButton[quiet="true"]:disabled { color: $disabled; }
QPushButton[quiet="true"]:hover, QToolButton[quiet="true"]:hover { background: $hover; }
QPushButton[quiet="true"]:focus, QToolButton[quiet="true"]:focus { border: $focus_edge; }
QPushButton[disclosure="true"], QPushButton[row="true"] {
    padding: 4px 8px 4px 0; text-align: left;
}
QPushButton[disclosure="true"] { font-weight: 600; color: $text; }
QPushButton[row="true"]:focus { padding: ${p4} ${p8} ${p4} 0; }
QPushButton[disclosure="true"]:focus { padding: ${p4} ${p8} ${p4} 0; }
QPushButton[danger="true"] { color: $bad; }
QPushButton[large="true"] { font-size: 16px; padding: 10px 20px; border-radius: 8px; }
QPushButton[large="true"]:focus { padding: ${p10} ${p20}; }
QPushButton[chip="true"] { padding: 4px 10px; min-width: 28px; }
QPushButton[chip="true"]:focus { padding: ${p4} ${p10}; }
QPushButton[chip="true"]:checked {
    background: $accent; border-color: $accent; color: $accent_text;
}
QPushButton[chip="true"]:checked:focus { border: ${focus_px}px solid $text; }

QLabel[links="true"] { border: ${focus_px}px solid transparent; border-radius: 4px; }
QLabel[links="true"]:focus { border: $focus_edge; }

QLineEdit, QComboBox, QAbstractSpinBox, QPlainTextEdit {
    background: $raised; color: $text; border: 1px solid $field; border-radius: 6px;
    padding: 5px 8px; min-height: 20px;
    selection-background-color: $accent; selection-color: $accent_text;
}
QLineEdit:hover, QComboBox:hover, QAbstractSpinBox:hover { border-color: $text_muted; }
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus, QPlainTextEdit:focus {
    border: $focus_edge; padding: ${p5} ${p8};
}
QLineEdit[invalid="true"], QAbstractSpinBox[invalid="true"] { border-color: $bad; }
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled {
    color: $text_muted; background: transparent;
}
QComboBox { combobox-popup: 0; } /* else its list opens a row too short */
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow { image: url("$down"); width: 12px; height: 12px; }
QAbstractSpinBox { padding-right: 20px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
    border: none; background: transparent; width: 18px;
}
QAbstractSpinBox::up-arrow { image: url("$up"); width: 10px; height: 10px; }
QAbstractSpinBox::down-arrow { image: url("$down"); width: 10px; height: 10px; }
QComboBox QAbstractItemView {
    background: $raised; color: $text; border: 1px solid $border; padding: 4px; outline: none;
}
QListView, QListWidget {
    background: transparent; border: none; outline: none;
}
QListView::item, QListWidget::item, QComboBox QAbstractItemView::item {
    padding: 6px 8px; border-radius: 6px; color: $text;
}
QListWidget[compact="true"] { border: ${focus_px}px solid transparent; border-radius: 6px; }
QListWidget[compact="true"]:focus { border: $focus_edge; }
QListWidget[compact="true"]::item { padding: 2px 4px; }
QListView::item:hover, QListWidget::item:hover { background: $hover; }
QListView::item:selected:focus, QListWidget::item:selected:focus {
    border: $focus_edge; padding: ${p6} ${p8};
}
QListView::item:selected, QListWidget::item:selected,
QComboBox QAbstractItemView::item:selected { background: $accent_tint; color: $text; }

QTableView {
    background: $surface; border: 1px solid $border; border-radius: 10px; outline: none;
    selection-background-color: $accent_tint; selection-color: $text; color: $text;
}
QTableView::item { padding: 0 8px; border: none; }
QTableView::item:selected { background: $accent_tint; color: $text; }
QTableView:focus { border-color: $focus; }
QTreeView {
    background: $surface; border: 1px solid $border; border-radius: 10px; outline: none;
    selection-background-color: $accent_tint; selection-color: $text; color: $text;
    padding: 2px;
}
QTreeView::item { padding: 5px 6px; border: none; }
QTreeView::item:hover { background: $hover; }
QTreeView::item:selected { background: $accent_tint; color: $text; }
QTreeView:focus { border-color: $focus; }
QAbstractScrollArea::corner { background: transparent; }
QHeaderView { background: transparent; border: none; }
QHeaderView::section {
    background: transparent; color: $text_muted; border: none; border-bottom: 1px solid $border;
    padding: 6px 8px; font-size: 12px;
}
QTableView[kept="true"] QHeaderView::section { padding: 6px 11px; }
QHeaderView::section:hover { color: $text; }
QHeaderView::up-arrow { image: url("$up"); width: 10px; height: 10px; }
QHeaderView::down-arrow { image: url("$down"); width: 10px; height: 10px; }
QTableCornerButton::section { background: $surface; border: none; }

QCheckBox, QRadioButton { spacing: 8px; background: transparent; }
QCheckBox::indicator {
    width: 16px; height: 16px; border: 1px solid $field; border-radius: 4px; background: $raised;
}
QCheckBox::indicator:hover { border-color: $text_muted; }
QCheckBox::indicator:focus { border: $focus_edge; }
QCheckBox:disabled { color: $text_muted; }
QCheckBox::indicator:disabled { background: transparent; border-color: $border; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$check"); }

QSlider::groove:horizontal { height: 4px; background: $border; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal {
    width: 16px; height: 16px; margin: -6px 0; border-radius: 8px; background: $accent;
    border: none;
}
QSlider::handle:horizontal:focus { border: ${focus_px}px solid $text; }

QProgressBar {
    background: $border; border: none; border-radius: 4px; max-height: 8px; min-height: 8px;
    color: transparent;
}
QProgressBar::chunk { background: $accent; border-radius: 4px; }

QMenuBar { background: $background; color: $text; padding: 2px 4px; }
QMenuBar::item { padding: 4px 10px; border-radius: 6px; background: transparent; }
QMenuBar::item:selected { background: $hover; }
QMenu { background: $raised; color: $text; border: 1px solid $border; padding: 4px; }
QMenu::item { padding: 6px 24px 6px 12px; border-radius: 6px; }
QMenu::item:selected { background: $accent_tint; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { height: 1px; background: $border; margin: 4px 8px; }
QMenu::icon { padding-left: 8px; }

QFrame[card="true"] {
    background: $surface; border: 1px solid $border; border-radius: 10px;
}
QFrame[card="true"][emphasis="true"] { border-color: $accent; }
QFrame[overlay="true"] {
    background: $raised; border: 1px solid $border; border-radius: 10px;
}
QFrame#notice { background: $surface; border: 1px solid $border; border-radius: 10px; }
QFrame#notice[flat="true"] { background: transparent; border: none; }
QFrame[kind] { border-radius: 6px; border: 1px solid $border; background: $raised; }
QFrame[kind="info"] { border-left: 4px solid $accent; }
QFrame[kind="good"] { border-left: 4px solid $good; }
QFrame[kind="warning"] { border-left: 4px solid $warning; }
QFrame[kind="bad"] { border-left: 4px solid $bad; }
QFrame#line { background: $border; border: none; max-height: 1px; min-height: 1px; }

QWidget#rail { background: $surface; border-right: 1px solid $border; }
QWidget#rail QToolButton {
    background: transparent; border: 2px solid transparent; border-radius: 6px;
    padding: 6px 8px; text-align: left; color: $text_muted; min-height: 25px;
}
QWidget#rail QToolButton[names="below"] {
    padding: 1px 0; min-height: 44px; font-size: 12px;
}
QWidget#rail QToolButton[names="below"]:checked { font-weight: normal; }
QWidget#rail QToolButton[names="none"] { min-height: 20px; padding: 1px 0; }
QWidget#rail QToolButton:hover { background: $hover; color: $text; }
QWidget#rail QToolButton:checked {
    background: $accent_tint; border-color: $checked_edge; color: $text; font-weight: 600;
}
QWidget#rail QToolButton:focus { border-color: $focus; }
QTabBar#doorTabs { font-size: 16px; font-weight: 600; }
QTabBar#doorTabs::tab {
    background: transparent; border: 2px solid transparent; border-radius: 6px;
    padding: 5px 10px; margin-right: 4px; color: $text_muted;
}
QTabBar#doorTabs::tab:hover { background: $hover; color: $text; }
QTabBar#doorTabs::tab:selected {
    background: $accent_tint; border-color: $checked_edge; color: $text;
}
QTabBar#doorTabs::tab:selected:focus { border-color: $focus; }
QToolButton#doorMenu {
    background: $accent_tint; border: 2px solid transparent; padding: 0 8px;
    font-size: 16px; font-weight: 600;
}
QToolButton#doorMenu:focus { border-color: $focus; }
QLabel#badge {
    background: $accent; color: $accent_text; border-radius: 8px; min-height: 16px;
    max-height: 16px; padding: 0 4px; font-size: 11px; font-weight: 600;
}
QWidget#statusline QToolButton { padding: 1px; min-height: 16px; }
QWidget#statusline QProgressBar { max-height: 4px; min-height: 4px; border-radius: 2px; }
QWidget#statusline QProgressBar::chunk { border-radius: 2px; }
QLabel#keycap {
    background: $surface; border: 1px solid $border; border-bottom: 2px solid $border;
    border-radius: 4px; padding: 1px 6px; font-size: 12px; color: $text;
}
""")


_USED = (
    *("background", "surface", "raised", "border", "text", "text_muted"),
    *("accent", "accent_text", "focus", "good", "warning", "bad"),
)


_PADDINGS = (2, 4, 5, 6, 8, 10, 12, 20)  # of what has a frame of one pixel without the keyboard


def stylesheet(theme: Theme, arrows: dict[str, str]) -> str:
    """Return the style sheet of a theme; `arrows` are the image files from `write_arrows`."""
    colors = {name: getattr(theme, name).name() for name in _USED}
    wider = theme.focus_px - 1
    return _TEMPLATE.substitute(
        colors,
        **arrows,
        **{f"p{px}": f"{max(0, px - wider)}px" for px in _PADDINGS},
        **tints(theme),
        focus_px=theme.focus_px,
        focus_edge=f"{theme.focus_px}px solid {theme.focus.name()}",  # no text
        checked_edge=theme.accent.name() if theme.is_contrast else "transparent",
        scroll=_mixed(theme.background, theme.text, 0.6 if theme.is_contrast else 0.25),
        field=_mixed(theme.border, theme.text_muted, 0.0 if theme.is_contrast else 0.35),
        disabled=_mixed(theme.raised, theme.text_muted, 0.75),
    )


def tints(theme: Theme) -> dict[str, str]:
    """Return the backgrounds mixed from two colors, by name in the style sheet."""
    return {
        "hover": _mixed(theme.raised, theme.text, 0.06),
        "pressed": _mixed(theme.raised, theme.text, 0.12),
        "accent_tint": _mixed(theme.raised, theme.accent, 0.22 if theme.is_contrast else 0.16),
        "accent_hover": _mixed(theme.accent, theme.text, 0.12),
        "accent_pressed": _mixed(theme.accent, theme.text, 0.24),
    }


def write_arrows(theme: Theme, folder: str) -> dict[str, str]:
    """Draw the little images that a style sheet can only take from files; return their paths."""
    up = [(3.0, 8.0), (6.0, 4.5), (9.0, 8.0)]
    down = [(3.0, 4.5), (6.0, 8.0), (9.0, 4.5)]
    check = [(2.5, 6.5), (5.0, 9.0), (9.5, 3.5)]
    paths = {}
    for name, points, color in (
        ("up", up, theme.text_muted),
        ("down", down, theme.text_muted),
        ("check", check, theme.accent_text),
    ):
        stem = Path(folder) / f"{name}-{color.name()[1:]}"
        for ratio, suffix in ((1, ""), (2, "@2x"), (3, "@3x")):
            path = Path(f"{stem}{suffix}.png")
            if not path.exists():  # else written when these colors were in force before
                _polyline(points, color, ratio).save(str(path))
        paths[name] = f"{stem.as_posix()}.png"
    return paths


def _polyline(points: list[tuple[float, float]], color: QColor, ratio: int) -> QPixmap:
    pixmap = QPixmap(12 * ratio, 12 * ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = smooth_painter(pixmap)
    painter.scale(ratio, ratio)
    round_cap, round_join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    painter.setPen(QPen(color, 1.6, Qt.PenStyle.SolidLine, round_cap, round_join))
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points]))
    painter.end()
    return pixmap


def _mixed(first: QColor, second: QColor, share: float) -> str:
    channels = zip(first.getRgb()[:3], second.getRgb()[:3], strict=True)  # type: ignore[index]
    return "#{:02x}{:02x}{:02x}".format(*(round(a + (b - a) * share) for a, b in channels))
