"""How boards look and move, tried out on a small board."""

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QFontDatabase, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QVBoxLayout, QWidget

from engine.language import mark, tr
from engine.trace import slide_cells
from gui.board.board_view import BoardView
from gui.core.settings import Settings
from gui.settings.beside import Beside
from gui.style.theme import Theme
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.labels import label
from gui.widgets.wheel_filter import WheelFilter

_SPEEDS = ((0, mark("Off")), (60, mark("Fast")), (100, mark("Normal")), (180, mark("Slow")))
_MOTIONS = (
    ("system", mark("Like the system")),
    ("full", mark("Full")),
    ("reduced", mark("Reduced")),
)
_CORNERS = (("rounded", mark("Rounded")), ("square", mark("Square")))
_SCALES = (70, 80, 90, 100, 110, 120, 130)
SHOWN = (
    *("animation_ms", "large_tile_numbers", "tile_font", "tile_font_scale", "tile_corners"),
    *("merge_glow", "motion"),
)
"""The settings that it shows."""
_BOARD_PX = 208
_BEFORE = (15, 12, 9, 5, 10, 10, 3, 2, 6, 6, 7, 1, 1, 0, 2, 2)
_LEFT = 0
_COMBO_PX = 220
_STACKS_BELOW = 480


class SampleBoard(BoardView):
    """A board that shows a move when it is clicked, or by Space or Enter.

    Signals
    -------
    tried
        Somebody wants to see the move.
    """

    tried = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setAccessibleName(tr("Sample board"))
        self.setToolTip(tr("Click to see a move"))
        self.setFixedSize(_BOARD_PX, _BOARD_PX)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_board(_BEFORE)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Show the move by a key as by a click."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.tried.emit()
        else:
            super().keyPressEvent(event)

    def _click(self, _place: QPointF, _button: Qt.MouseButton) -> None:
        self.tried.emit()

    def play(self) -> None:
        """Show a move with merges, small and large, and a new tile."""
        self.show_board(_BEFORE)
        motion = slide_cells(list(_BEFORE), _LEFT)
        after = list(motion.cells)
        spawn = after.index(0)
        after[spawn] = 1
        self.animate(motion.slides, (spawn, 1), after)


class BoardSection(QWidget):
    """The settings of boards, and the sample.

    Parameters
    ----------
    settings : Settings
    theme : Theme
    """

    def __init__(self, settings: Settings, theme: Theme) -> None:
        super().__init__()
        self._settings = settings
        self.sample = SampleBoard(theme)
        self.speed_chips = ChipGroup(tr("Speed of the tiles"))
        self.motion_chips = ChipGroup(tr("Motion"))
        self.corner_chips = ChipGroup(tr("Corners of the tiles"))
        self.scale_chips = ChipGroup(tr("Size of the numbers"))
        self.font_combo = QComboBox()
        self.font_combo.setAccessibleName(tr("Font of the numbers"))
        self.font_combo.setMaximumWidth(_COMBO_PX)
        self._wheel_guard = WheelFilter(self)
        self._wheel_guard.watch(self.font_combo)
        self.glow_check = QCheckBox(tr("Merges of 128 and more glow"))
        self.numbers_check = QCheckBox(tr("Numbers on the large tiles"))
        self._lay_out()
        self._connect()
        self.show_values()

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colors."""
        self.sample.set_theme(theme)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """List the fonts when somebody sees the list."""
        super().showEvent(event)
        if not self.font_combo.count():
            self._list_fonts()

    def show_values(self) -> None:
        """Show the settings as they are."""
        settings = self._settings
        speed = settings.get("animation_ms")
        speeds = [Choice(value, tr(text)) for value, text in _SPEEDS]
        if speed not in [value for value, _ in _SPEEDS]:
            speeds.append(Choice(speed, f"{speed} ms"))
        self.speed_chips.set_choices(speeds, speed)
        motions = [Choice(value, tr(text)) for value, text in _MOTIONS]
        self.motion_chips.set_choices(motions, settings.get("motion"))
        corners = [Choice(value, tr(text)) for value, text in _CORNERS]
        self.corner_chips.set_choices(corners, settings.get("tile_corners"))
        scale = settings.get("tile_font_scale")
        scales = sorted({*_SCALES, scale})
        self.scale_chips.set_choices([Choice(one, f"{one} %") for one in scales], scale)
        self.glow_check.setChecked(settings.get("merge_glow"))
        self.numbers_check.setChecked(settings.get("large_tile_numbers"))
        self._choose_font()
        self.sample.set_slide_ms(speed)
        self.sample.show_large_numbers(settings.get("large_tile_numbers"))

    def _lay_out(self) -> None:
        choices = QWidget()
        options = QVBoxLayout(choices)
        options.setContentsMargins(0, 0, 0, 0)
        options.setSpacing(8)
        for caption, control in (
            (tr("Animation"), self.speed_chips),
            (tr("Motion"), self.motion_chips),
            (tr("Corners of the tiles"), self.corner_chips),
        ):
            options.addWidget(label(caption, "caption"))
            options.addWidget(control)
        options.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(Beside(self.sample, choices, _STACKS_BELOW))
        column.addWidget(label(tr("Font of the numbers"), "caption"))
        column.addWidget(self.font_combo)
        column.addWidget(self.scale_chips)
        column.addWidget(self.glow_check)
        column.addWidget(self.numbers_check)

    def _connect(self) -> None:
        settings = self._settings
        for chips, name in (
            (self.speed_chips, "animation_ms"),
            (self.motion_chips, "motion"),
            (self.corner_chips, "tile_corners"),
            (self.scale_chips, "tile_font_scale"),
        ):
            chips.chosen.connect(lambda value, name=name: self._set(name, value))
        for check, name in (
            (self.glow_check, "merge_glow"),
            (self.numbers_check, "large_tile_numbers"),
        ):
            check.clicked.connect(lambda on, name=name: self._set(name, on))
        self.font_combo.activated.connect(
            lambda i: settings.set("tile_font", self.font_combo.itemData(i))
        )
        self.sample.tried.connect(self.sample.play)

    def _set(self, name: str, value: object) -> None:
        """Change a setting, and show what it does to a move."""
        self._settings.set(name, value)
        if name in ("animation_ms", "motion", "merge_glow"):
            self.sample.play()

    def _list_fonts(self) -> None:
        self.font_combo.addItem(tr("The font of the window"), "")
        for family in QFontDatabase.families(QFontDatabase.WritingSystem.Latin):
            if not QFontDatabase.isPrivateFamily(family):
                self.font_combo.addItem(family, family)
        self._choose_font()

    def _choose_font(self) -> None:
        if not self.font_combo.count():
            return
        family = self._settings.get("tile_font")
        index = self.font_combo.findData(family)
        if index < 0:  # of another computer
            self.font_combo.addItem(family, family)
            index = self.font_combo.count() - 1
        self.font_combo.setCurrentIndex(index)
