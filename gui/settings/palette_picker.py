"""The picker of tile palettes: a grid of small previews, filtered by family. A single list paints
its visible part: fifty widgets with style sheets would take a second.
"""

from collections.abc import Hashable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from engine.platform.language import mark, tr, trn
from gui.style.color_schemes import FAMILIES, ColorSchemes, TilePalette
from gui.style.layout import column, placed, row
from gui.style.palette_check import is_safe
from gui.style.theme import CAPTION, Theme, app_theme, theme_source
from gui.widgets.buttons import button
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.labels import label
from gui.work.chunked_work import ChunkedWork

ALL, SAFE = "all", "safe"
_FAMILY_TITLES = {
    "single": mark("One hue"),
    "two": mark("Two hues"),
    "rainbow": mark("Rainbow"),
    "warm": mark("Warm"),
    "cold": mark("Cold"),
    "gray": mark("Gray and paper"),
    "pastel": mark("Pastel"),
    "contrast": mark("High contrast"),
    "neon": mark("Neon"),
    "own": mark("Yours"),
}
_CARD_WIDTH, _CARD_HEIGHT, _SPACE = 150, 78, 8
_FEW = 12  # palettes shown before somebody asks for all
_N_COLUMNS, _GAP, _PAD = 8, 2.0, 6.0
_NAME = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
_CHOOSING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class PaletteList(QAbstractListModel):
    """The palettes of a family, and the chosen one."""

    def __init__(self) -> None:
        super().__init__()
        self.palettes: list[TilePalette] = []
        self.chosen = ""
        self._is_safe: dict[str, bool] = {}

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else len(self.palettes)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        palette = self.palettes[index.row()]
        if role == _NAME:
            return palette.name
        if role == Qt.ItemDataRole.DisplayRole:
            return palette.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr("Safe for every kind of color vision") if self.is_safe(palette) else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._accessible_text(palette)
        return None

    def is_safe(self, palette: TilePalette) -> bool:
        """Return whether the tiles are distinguishable with all kinds of color vision; cached."""
        if palette.name not in self._is_safe:
            self._is_safe[palette.name] = is_safe(palette)
        return self._is_safe[palette.name]

    def show(self, palettes: list[TilePalette]) -> None:
        self.beginResetModel()
        self.palettes = palettes
        self.endResetModel()

    def forget(self) -> None:
        self._is_safe.clear()

    def row_of(self, name: str) -> int:
        return next((i for i, palette in enumerate(self.palettes) if palette.name == name), -1)

    def _accessible_text(self, palette: TilePalette) -> str:
        is_chosen, safe = palette.name == self.chosen, self.is_safe(palette)
        if is_chosen and safe:
            return tr("{palette}, chosen, color-blind safe", palette=palette.title)
        if is_chosen:
            return tr("{palette}, chosen", palette=palette.title)
        if safe:
            return tr("{palette}, color-blind safe", palette=palette.title)
        return palette.title


class PaletteDelegate(QStyledItemDelegate):
    """Paints a palette as its name and sixteen tiles on a piece of board."""

    def __init__(self, model: PaletteList, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.is_dark = False
        self.board = QColor()
        self.size = QSize(_CARD_WIDTH, _CARD_HEIGHT)

    @property
    def n_palettes(self) -> int:
        return len(self._model.palettes)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:  # noqa: N802
        return self.size

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        theme = app_theme()
        palette = self._model.palettes[index.row()]
        is_chosen = palette.name == self._model.chosen
        state, place = option.state, QRectF(option.rect)
        is_at = bool(state & QStyle.StateFlag.State_HasFocus)
        is_under = bool(state & QStyle.StateFlag.State_MouseOver)
        card = place.adjusted(1, 1, -1 - _SPACE, -1 - _SPACE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = theme.focus if is_at else theme.accent if is_chosen else theme.border
        edge = theme.text_muted if is_under and edge == theme.border else edge
        painter.setPen(QPen(edge, 2 if is_at or is_chosen else 1))
        painter.setBrush(theme.raised)
        painter.drawRoundedRect(card, 6, 6)
        self._draw_head(painter, theme, card, palette, is_chosen)
        self._draw_tiles(painter, card, palette)
        painter.restore()

    def _draw_head(
        self, painter: QPainter, theme: Theme, card: QRectF, palette: TilePalette, is_chosen: bool
    ) -> None:
        head = QRectF(card.left() + _PAD + 2, card.top() + 3, card.width() - 2 * _PAD - 4, 20)
        if self._model.is_safe(palette):
            _draw_eye(painter, QPointF(head.right() - 7, head.center().y()), theme.text_muted)
            head.setRight(head.right() - 20)
        if is_chosen:
            _draw_check(painter, QPointF(head.right() - 6, head.center().y()), theme)
            head.setRight(head.right() - 18)
        font = QFont(painter.font())
        font.setPixelSize(CAPTION)
        font.setWeight(QFont.Weight.DemiBold if is_chosen else QFont.Weight.Normal)
        painter.setFont(font)
        painter.setPen(theme.text)
        text = painter.fontMetrics().elidedText(
            palette.title, Qt.TextElideMode.ElideRight, int(head.width())
        )
        painter.drawText(head, int(Qt.AlignmentFlag.AlignVCenter), text)

    def _draw_tiles(self, painter: QPainter, card: QRectF, palette: TilePalette) -> None:
        ground = card.adjusted(_PAD, 24, -_PAD, -_PAD)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.board)
        painter.drawRoundedRect(ground, 4, 4)
        width = (ground.width() - (_N_COLUMNS + 1) * _GAP) / _N_COLUMNS
        height = (ground.height() - 3 * _GAP) / 2
        for i, (fill, _) in enumerate(palette.pairs(self.is_dark)):
            row, column = divmod(i, _N_COLUMNS)
            painter.setBrush(QColor(fill))
            left = ground.left() + _GAP + column * (width + _GAP)
            top = ground.top() + _GAP + row * (height + _GAP)
            painter.drawRoundedRect(QRectF(left, top, width, height), 2, 2)


class PaletteView(QListView):
    """The grid; arrows move through it, Enter, Space or a click choose."""

    picked = Signal(str)

    def __init__(self, model: PaletteList) -> None:
        super().__init__()
        self.cards = PaletteDelegate(model, self)
        self._columns = 1
        self.setModel(model)
        self.setItemDelegate(self.cards)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Tile palettes"))
        self.clicked.connect(lambda index: self.picked.emit(index.data(_NAME)))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in _CHOOSING and self.currentIndex().isValid():
            self.picked.emit(self.currentIndex().data(_NAME))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusInEvent(event)
        model = self.model()
        if not self.currentIndex().isValid() and isinstance(model, PaletteList):
            self.setCurrentIndex(model.index(max(0, model.row_of(model.chosen)), 0))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        room = self.viewport().width() - 2
        self._columns = max(1, room // (_CARD_WIDTH + _SPACE))
        size = QSize(room // self._columns, _CARD_HEIGHT)
        if size != self.cards.size:
            self.cards.size = size
            self.setGridSize(size)
        self.unroll()
        super().resizeEvent(event)

    def unroll(self) -> None:
        """Be as high as all of it: the page is what scrolls."""
        n_rows = -(-self.cards.n_palettes // self._columns)
        self.setFixedHeight(n_rows * _CARD_HEIGHT + 2)


class PalettePicker(QWidget):
    """The families, and the palettes of the chosen one."""

    chosen = Signal(str)

    def __init__(self, schemes: ColorSchemes, value: str) -> None:
        super().__init__()
        self._schemes = schemes
        self._steps = ChunkedWork(self)
        self._model = PaletteList()
        self._model.chosen = value
        self.filter_chips = ChipGroup(tr("Show palettes"))
        self.shade_chips = ChipGroup(tr("Preview on"))
        self.count_label = label("", "caption")
        self.view = PaletteView(self._model)
        self.all_button = button(look="quiet", work=self._show_all)
        self._is_all = False
        eye = tr("The eye marks palettes that are safe for every kind of color vision.")
        column(
            self.filter_chips,
            row(
                label(tr("Preview on"), "caption"),
                placed(self.shade_chips, stretch=1),
                self.count_label,
                space=12,
            ),
            self.view,
            row(placed(label(eye, "caption", wraps=True), stretch=1), self.all_button),
            parent=self,
        )
        self.filter_chips.chosen.connect(lambda _: self._narrow())
        self.shade_chips.chosen.connect(lambda _: self._apply_theme())
        self.view.picked.connect(self.chosen)
        shades = {None: tr("This window"), False: tr("Light"), True: tr("Dark")}
        self.shade_chips.set_choices([Choice(*shade) for shade in shades.items()])
        self.show_schemes(schemes)
        self._apply_theme()
        theme_source().changed.connect(self._apply_theme)

    @property
    def names(self) -> list[str]:
        return [palette.name for palette in self._model.palettes]

    @property
    def value(self) -> str:
        return self._model.chosen

    def place_of(self, name: str) -> QRect:
        return self.view.visualRect(self._model.index(self._model.row_of(name), 0))

    def choose(self, name: str) -> None:
        is_out_of_sight = self._model.row_of(name) < 0 and name in self._schemes.palettes
        self._model.chosen = name
        if is_out_of_sight and self._is_in(self._schemes.palettes[name], self.filter_chips.value):
            self._narrow()
        if (row := self._model.row_of(name)) >= 0:
            self.view.setCurrentIndex(self._model.index(row, 0))
        self.view.viewport().update()

    def show_schemes(self, schemes: ColorSchemes) -> None:
        self._schemes = schemes
        self._model.forget()
        families = {palette.family for palette in schemes.palettes.values()}
        self.filter_chips.set_choices(
            [
                Choice(ALL, tr("All")),
                Choice(SAFE, tr("Color-blind safe")),
                *(Choice(f, tr(_FAMILY_TITLES[f])) for f in FAMILIES if f in families),
            ],
            self.filter_chips.value,
        )
        self._narrow()
        if self.isVisible():
            self._prepare()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._prepare()

    def _prepare(self) -> None:
        palettes = self._schemes.palettes.values()
        self._steps.do([partial(self._model.is_safe, palette) for palette in palettes])

    def _narrow(self) -> None:
        kind = self.filter_chips.value
        palettes: Mapping[str, TilePalette] = self._schemes.palettes
        members = [p for p in palettes.values() if self._is_in(p, kind)]
        shown = members if self._is_all else members[:_FEW]
        chosen = palettes.get(self._model.chosen)
        if chosen in members and chosen not in shown:
            shown[-1:] = [chosen]
        self._model.show(shown)
        self.view.unroll()
        n = len(members)
        self.count_label.setText(trn("{n} palette", "{n} palettes", n))
        self.all_button.setText(tr("Show all {count}", count=n))
        self.all_button.setVisible(len(shown) < n)
        self.choose(self._model.chosen)

    def _show_all(self) -> None:
        self._is_all = True
        self._narrow()

    def _is_in(self, palette: TilePalette, kind: Hashable) -> bool:
        if kind == SAFE:
            return self._model.is_safe(palette)
        return kind in (ALL, palette.family)

    def _apply_theme(self) -> None:
        shade = self.shade_chips.value
        is_dark = app_theme().is_dark if shade is None else bool(shade)
        cards = self.view.cards
        cards.is_dark = is_dark
        cards.board = QColor(self._schemes.window(app_theme().scheme, is_dark)["board"])
        self.view.viewport().update()


def _draw_check(painter: QPainter, center: QPointF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.accent)
    painter.drawEllipse(center, 6.5, 6.5)
    painter.setPen(QPen(theme.accent_text, 1.5, c=Qt.PenCapStyle.RoundCap))
    painter.drawPolyline([center + QPointF(x, y) for x, y in ((-3, 0.2), (-0.8, 2.4), (3, -2.2))])


def _draw_eye(painter: QPainter, center: QPointF, color: QColor) -> None:
    lids = QPainterPath(center + QPointF(-7, 0))
    lids.quadTo(center + QPointF(0, -8), center + QPointF(7, 0))
    lids.quadTo(center + QPointF(0, 8), center + QPointF(-7, 0))
    painter.setPen(QPen(color, 1.3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(lids)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(center, 2.2, 2.2)
