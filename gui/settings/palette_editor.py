"""The editor of a tile palette: sixteen tiles and their figures, for light and dark."""

import re
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QLinearGradient,
    QPaintEvent,
    QPen,
    QShortcut,
)
from PySide6.QtWidgets import QCheckBox, QLineEdit, QStyle, QStyleOptionSlider, QWidget

from engine.platform.language import tr
from gui.board.board_view import BoardView
from gui.settings.beside import Beside
from gui.style.color_schemes import ColorSchemeError, ColorSchemes
from gui.style.layout import column, grid_layout
from gui.style.oklch import Oklch, from_hex, to_hex
from gui.style.palette_check import Problem, problems
from gui.style.palette_draft import Draft, DraftHistory, draft_from_text
from gui.style.theme import app_theme, make_theme, mono_font, smooth_painter, theme_source
from gui.widgets.buttons import button
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.flow_layout import flowing
from gui.widgets.labels import label, set_property
from gui.widgets.slider import Slider

_TILE, _FIGURE = "tile", "figure"
_MAX_CHROMA = 0.37
_BOARD_PX = 232
_STACKS_BELOW = 480
_MAX_PROBLEMS = 4
_HEX = re.compile(r"#?([0-9a-fA-F]{6})")
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -4, Qt.Key.Key_Down: 4}


class TileBoard(BoardView):
    """All sixteen tiles as a board; arrows and clicks go to one of them."""

    tile_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Tiles of the palette"))
        self.setFixedSize(_BOARD_PX, _BOARD_PX)
        self.show_board(range(1, 17))
        self.show_cursor(0)
        self.cell_clicked.connect(lambda cell, _: self.tile_chosen.emit(cell + 1))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        cell = (self.cursor_cell or 0) + step
        if 0 <= cell < 16:
            self.tile_chosen.emit(cell + 1)


class PaletteEditor(QWidget):
    """Colors by hex digits and by sliders, a board, warnings, undo."""

    saved = Signal(str, object)  # str, Draft: the name of the palette, and its new content
    closed = Signal()  # the user is done or has canceled

    def __init__(self, schemes: ColorSchemes) -> None:
        super().__init__()
        self._schemes = schemes
        self.name = ""
        self.is_dark, self.exponent = False, 1
        self._is_showing = False
        self.history = DraftHistory(Draft("", (), ()))
        self.title_edit = QLineEdit()
        self.title_edit.setAccessibleName(tr("Name of the palette"))
        self.title_edit.setPlaceholderText(tr("Name of the palette"))
        self.title_edit.setMaxLength(60)
        self.shade_chips = ChipGroup(tr("Window that the colors are for"))
        self.board = TileBoard()
        self.tile_label = label("", "strong")
        self.part_chips = ChipGroup(tr("What to color"))
        self.automatic_check = QCheckBox(tr("Black or white, whichever reads better"))
        self.hex_edit = QLineEdit()
        self.hex_edit.setFont(mono_font())
        self.hex_edit.setAccessibleName(tr("Color as hex digits"))
        self.hex_edit.setFixedWidth(110)
        names = ((tr("Lightness"), 1000), (tr("Colorfulness"), 1000), (tr("Hue"), 3600))
        self.sliders = [ColorSlider(name, most) for name, most in names]
        self.problems_label = label("", wraps=True)
        set_property(self.problems_label, "tone", "warning")
        self.undo_button = button(tr("Undo"), picture="undo", work=self._undo)
        self.redo_button = button(tr("Redo"), picture="redo", work=self._redo)
        self.copy_button = button(tr("Copy as text"), picture="copy", work=self._copy)
        self.paste_button = button(tr("Paste text"), picture="paste", work=self._paste)
        self.save_button = button(
            tr("Save palette"), "primary", work=lambda: self.saved.emit(self.name, self.history.now)
        )
        self.close_button = button(tr("Cancel"), work=self.closed)
        self._lay_out()
        self._connect()
        theme_source().changed.connect(self._on_theme)

    def edit(self, name: str, history: DraftHistory, is_dark: bool) -> None:
        self.name, self.history, self.is_dark, self.exponent = name, history, is_dark, 1
        self.shade_chips.set_choices(
            [Choice(False, tr("Light window")), Choice(True, tr("Dark window"))], is_dark
        )
        self.part_chips.set_choices(
            [Choice(_TILE, tr("Tile")), Choice(_FIGURE, tr("Number"))], _TILE
        )
        self._show_all()

    def _on_theme(self) -> None:
        if self.history.now.light:
            self._show_all()

    def _lay_out(self) -> None:
        controls = QWidget()
        grid = grid_layout(space=8, wide=(1,), parent=controls)
        grid.setColumnMinimumWidth(0, 96)
        grid.addWidget(self.tile_label, 0, 0)
        grid.addWidget(self.part_chips, 0, 1)
        grid.addWidget(label(tr("Color"), "caption"), 1, 0)
        grid.addWidget(self.hex_edit, 1, 1, Qt.AlignmentFlag.AlignLeft)
        for place, slider in enumerate(self.sliders, start=2):
            grid.addWidget(label(slider.accessibleName(), "caption"), place, 0)
            grid.addWidget(slider, place, 1)
        grid.addWidget(self.automatic_check, 5, 0, 1, 2)
        grid.setRowStretch(6, 1)
        buttons = flowing(
            self.save_button,
            self.close_button,
            self.undo_button,
            self.redo_button,
            self.copy_button,
            self.paste_button,
        )
        column(
            self.title_edit,
            self.shade_chips,
            Beside(self.board, controls, _STACKS_BELOW),
            self.problems_label,
            buttons,
            space=12,
            parent=self,
        )

    def _connect(self) -> None:
        self.title_edit.textEdited.connect(
            lambda text: self._change(replace(self.history.now, title=text), "title")
        )
        self.shade_chips.chosen.connect(self._turn_to)
        self.board.tile_chosen.connect(self._go_to)
        self.part_chips.chosen.connect(lambda _: self._show_color())
        self.hex_edit.editingFinished.connect(self._take_hex)
        self.automatic_check.clicked.connect(self._set_automatic_ink)
        for slider in self.sliders:
            slider.valueChanged.connect(lambda _: self._take_sliders())
            slider.sliderReleased.connect(lambda: self.history.end_step())
        for keys, work in (
            (QKeySequence.StandardKey.Undo, self._undo),
            (QKeySequence.StandardKey.Redo, self._redo),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(work)

    def _show_all(self) -> None:
        draft = self.history.now
        theme = make_theme(self._schemes, self.is_dark, "", scheme=app_theme().scheme)
        pairs = draft.pairs(self.is_dark)
        tiles = tuple((QColor(fill), QColor(ink)) for fill, ink in pairs)
        self.board.use_own_theme(replace(theme, tiles=tiles, look=app_theme().look))
        if self.title_edit.text() != draft.title:
            self.title_edit.setText(draft.title)
        self._show_color()
        self._show_problems()
        self.undo_button.setEnabled(self.history.can_undo)
        self.redo_button.setEnabled(self.history.can_redo)

    def _show_color(self) -> None:
        is_figure = self.part_chips.value == _FIGURE
        color = self._color()
        self.board.show_cursor(self.exponent - 1)
        self.tile_label.setText(tr("Tile {tile}", tile=1 << self.exponent))
        self.automatic_check.setVisible(is_figure)
        self.automatic_check.setChecked(
            not self.history.now.has_own_ink(self.is_dark, self.exponent)
        )
        self.hex_edit.setText(color)
        set_property(self.hex_edit, "invalid", False)
        lch = from_hex(color)
        if not self._is_showing:
            self._is_showing = True
            shares = (lch.lightness, lch.chroma / _MAX_CHROMA, lch.hue / 360)
            for slider, share in zip(self.sliders, shares, strict=True):
                slider.setValue(round(share * slider.maximum()))
            self._is_showing = False
        edge, focus = app_theme().text_muted, app_theme().focus
        lightness, chroma, hue = lch
        ways = (
            lambda x: to_hex(Oklch(x, chroma, hue)),
            lambda x: to_hex(Oklch(lightness, x * _MAX_CHROMA, hue)),
            lambda x: to_hex(Oklch(lightness, max(chroma, 0.05), x * 360)),
        )
        for slider, way in zip(self.sliders, ways, strict=True):
            slider.show_way(way, edge, focus)

    def _show_problems(self) -> None:
        color_problems = problems(self.history.now.pairs(self.is_dark))
        lines = [_problem_text(problem) for problem in color_problems[:_MAX_PROBLEMS]]
        if more := color_problems[_MAX_PROBLEMS:]:
            lines.append(tr("And {n} more.", n=len(more)))
        self.problems_label.setText(
            "\n".join(lines) or tr("Every number is easy to read, and neighbors differ.")
        )
        set_property(self.problems_label, "tone", "warning" if lines else "good")

    def _color(self) -> str:
        fill, ink = self.history.now.pairs(self.is_dark)[self.exponent - 1]
        return ink if self.part_chips.value == _FIGURE else fill

    def _turn_to(self, is_dark: object) -> None:
        self.is_dark = bool(is_dark)
        self._show_all()

    def _go_to(self, exponent: int) -> None:
        self.exponent = exponent
        self.history.end_step()
        self._show_color()

    def _change(self, draft: Draft, key: str = "") -> None:
        self.history.change(draft, (key, self.is_dark, self.exponent) if key else None)
        self._show_all()

    def _set_color(self, color: str, key: str = "") -> None:
        draft = self.history.now
        part = str(self.part_chips.value)
        with_color = draft.with_ink if part == _FIGURE else draft.with_fill
        self._change(with_color(self.is_dark, self.exponent, color), f"{key}{part}" if key else "")

    def _take_hex(self) -> None:
        match = _HEX.fullmatch(self.hex_edit.text().strip())
        set_property(self.hex_edit, "invalid", match is None)
        if match and (color := f"#{match[1].lower()}") != self._color():
            self._set_color(color)

    def _take_sliders(self) -> None:
        if self._is_showing:
            return
        lightness, chroma, hue = (s.value() / s.maximum() for s in self.sliders)
        color = to_hex(Oklch(lightness, chroma * _MAX_CHROMA, hue * 360))
        self._is_showing = True  # the sliders stay where the user put them
        self._set_color(color, "sliders ")
        self._is_showing = False

    def _set_automatic_ink(self, is_automatic: bool) -> None:
        draft = self.history.now
        ink = "" if is_automatic else self._color()
        self._change(draft.with_ink(self.is_dark, self.exponent, ink))

    def _undo(self) -> None:
        self.history.undo()
        self._show_all()

    def _redo(self) -> None:
        self.history.redo()
        self._show_all()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.history.now.text(self.name))

    def _paste(self) -> None:
        try:
            _, draft = draft_from_text(QGuiApplication.clipboard().text(), tr("the clipboard"))
        except ColorSchemeError as error:
            self.problems_label.setText(str(error))
            set_property(self.problems_label, "tone", "bad")
        else:
            self._change(draft)


def _problem_text(problem: Problem) -> str:
    tile = 1 << problem.exponent
    if problem.kind == "contrast":
        return tr(
            "The number on {tile} is hard to read: its contrast is {value:.1f}; aim for 4.5.",
            tile=tile,
            value=problem.value,
        )
    return tr("{tile} and {other} look alike.", tile=tile, other=2 * tile)


_N_STOPS = 12
_SLIDER_HEIGHT, _GROOVE, _HANDLE = 26, 10, 16


class ColorSlider(Slider):
    """A slider from 0 to `most`."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__()
        self.setRange(0, most)
        self.setPageStep(max(1, most // 20))
        self.setAccessibleName(name)
        self._colors: list[QColor] = []
        self._edge, self._focus = QColor(), QColor()

    def show_way(self, color_at: Callable[[float], str], edge: QColor, focus: QColor) -> None:
        self._colors = [QColor(color_at(i / _N_STOPS)) for i in range(_N_STOPS + 1)]
        self._edge, self._focus = edge, focus
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(160, _SLIDER_HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the groove and the handle, at the place where the style looks for clicks."""
        painter = smooth_painter(self)
        groove = QRectF(1, (self.height() - _GROOVE) / 2, self.width() - 2, _GROOVE)
        gradient = QLinearGradient(groove.topLeft(), groove.topRight())
        for i, color in enumerate(self._colors):
            gradient.setColorAt(i / _N_STOPS, color)
        painter.setPen(QPen(self._edge, 1))
        painter.setBrush(gradient)
        painter.drawRoundedRect(groove, _GROOVE / 2, _GROOVE / 2)
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_SliderHandle
        rect = self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self)
        center = QPointF(QRectF(rect).center().x(), self.height() / 2)
        share = (self.value() - self.minimum()) / max(1, self.maximum() - self.minimum())
        if self._colors:
            painter.setBrush(self._colors[round(share * _N_STOPS)])
        painter.setPen(QPen(self._focus if self.hasFocus() else self._edge, 2.5))
        painter.drawEllipse(center, _HANDLE / 2 - 1, _HANDLE / 2 - 1)
