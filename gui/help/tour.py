"""The newcomers' tour: a small card next to a frame around the actual widget, step by step.

It doesn't block: the window can be used in the meantime, and the card only takes Enter and Escape,
while focused.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from engine.platform.language import tr
from gui.style.layout import STRETCH, column, row
from gui.style.theme import app_theme, smooth_painter, theme_source
from gui.widgets.buttons import button
from gui.widgets.labels import label

_WIDTH, _GAP, _EDGE = 340, 14, 12
_FRAME, _RADIUS, _LINE = 5, 8, 3
_FORWARD = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MOVES = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)


@dataclass(frozen=True)
class TourStep:
    """One step of the tour."""

    title: str
    text: str
    page: str  # the title in English of the page to be in front
    # Returns groups of widgets; the first group that can be seen is framed.
    targets: Callable[[], Sequence[Sequence[QWidget]]]


class Tour(QObject):
    """Leads through the steps."""

    left = Signal()

    def __init__(
        self,
        window: QWidget,
        steps: Sequence[TourStep],
        show_page: Callable[[str], None],
        sheet: str,
    ) -> None:
        super().__init__(window)
        self._window, self._steps, self._show_page = window, steps, show_page
        self._watched: list[QWidget] = []
        self.at = 0
        self.frame = _Frame(window)
        self.card = TourCard(window, len(steps))
        self.card.next_requested.connect(lambda: self.go_to(self.at + 1))
        self.card.back_requested.connect(lambda: self.go_to(self.at - 1))
        self.card.leave_requested.connect(self.leave)
        self.set_sheet(sheet)

    def set_sheet(self, sheet: str) -> None:
        self.card.setStyleSheet(sheet)

    def go_to(self, at: int) -> None:
        """Show a step; past the last one, end the tour."""
        if at >= len(self._steps):
            self.leave()
            return
        self.at = max(0, at)
        step = self._steps[self.at]
        self._show_page(step.page)
        self.card.show_step(self.at, step.title, step.text)
        self._watch()
        self._place()
        for part in (self.frame, self.card):
            part.show()
            part.raise_()
        self.card.setFocus()

    def leave(self) -> None:
        self.close()
        self.left.emit()

    def close(self) -> None:
        """Remove everything; the current page gets the focus again."""
        self._unwatch()
        for part in (self.frame, self.card):
            part.hide()
            part.deleteLater()
        self.deleteLater()

    @property
    def target(self) -> QRect:
        """The framed area, in the window; empty if nothing of it is visible."""
        for group in self._steps[self.at].targets():
            if group and all(part.isVisible() for part in group):
                rect = QRect()
                for part in group:
                    seen = part.visibleRegion().boundingRect()
                    rect |= QRect(part.mapTo(self._window, seen.topLeft()), seen.size())
                if not rect.isEmpty():
                    return rect
        return QRect()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in _MOVES:
            self._place()
        return False

    def _watch(self) -> None:
        self._unwatch()
        widgets = [self._window]
        for group in self._steps[self.at].targets():
            for part in group:
                above: QWidget | None = part
                while above is not None and above is not self._window:
                    widgets.append(above)
                    above = above.parentWidget()
        self._watched = list(dict.fromkeys(widgets))
        for part in self._watched:
            part.installEventFilter(self)

    def _unwatch(self) -> None:
        for part in self._watched:
            part.removeEventFilter(self)
        self._watched = []

    def _place(self) -> None:
        target = self.target
        self.frame.setGeometry(self._window.rect())
        self.frame.target = target.adjusted(-_FRAME, -_FRAME, _FRAME, _FRAME)
        self.frame.update()
        self.card.setGeometry(card_place(self._window.rect(), target, self.card.preferred_size()))


class TourCard(QFrame):
    """The text of a step, and the navigation buttons."""

    next_requested = Signal()
    back_requested = Signal()
    leave_requested = Signal()

    def __init__(self, window: QWidget, n_steps: int) -> None:
        super().__init__(window)
        self._n_steps = n_steps
        self.setProperty("overlay", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.step_label = label("", "caption")
        self.title_label = label("", "strong", wraps=True)
        self.text_label = QLabel()
        self.text_label.setWordWrap(True)
        tip = tr("Leave the tour; you can start it again from Help")
        self.leave_button = button(tr("Leave"), "quiet", tip=tip, work=self.leave_requested)
        self.back_button = button(tr("Back"), work=self.back_requested)
        self.next_button = button(tr("Next"), "primary", work=self.next_requested)
        column(
            self.step_label,
            self.title_label,
            self.text_label,
            row(self.leave_button, STRETCH, self.back_button, self.next_button),
            margins=(16, 14, 16, 14),
            parent=self,
        )
        self.hide()

    def show_step(self, at: int, title: str, text: str) -> None:
        is_last = at == self._n_steps - 1
        self.step_label.setText(tr("Step {number} of {all}", number=at + 1, all=self._n_steps))
        self.title_label.setText(title)
        self.text_label.setText(text)
        self.back_button.setEnabled(at > 0)
        self.leave_button.setVisible(not is_last)
        self.next_button.setText(tr("Done") if is_last else tr("Next"))
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)

    def preferred_size(self) -> QSize:
        window, layout = self.parentWidget(), self.layout()
        assert window is not None
        assert layout is not None
        width = min(_WIDTH, window.width() - 2 * _EDGE)
        self.ensurePolished()
        layout.activate()
        return QSize(width, layout.totalHeightForWidth(width))

    def event(self, event: QEvent) -> bool:
        """Keep Enter and Escape from the page; all other keys belong to the page."""
        is_asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_asked and event.key() in (*_FORWARD, Qt.Key.Key_Escape):  # type: ignore[attr-defined]
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in _FORWARD:
            buttons = (self.back_button, self.leave_button)
            next((button for button in buttons if button.hasFocus()), self.next_button).click()
        elif event.key() == Qt.Key.Key_Escape:
            self.leave_requested.emit()
        else:
            super().keyPressEvent(event)


class _Frame(QWidget):
    """A frame in the accent color over the window; the mouse goes through it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.target = QRect()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        theme_source().changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        if self.target.isEmpty():
            return
        painter = smooth_painter(self)
        for grown, alpha in ((3, 0.25), (0, 1.0)):
            color = QColor(app_theme().accent)
            color.setAlphaF(alpha)
            painter.setPen(QPen(color, _LINE))
            rect = self.target.adjusted(-grown, -grown, grown, grown)
            painter.drawRoundedRect(rect, _RADIUS + grown, _RADIUS + grown)


def card_place(window: QRect, target: QRect, size: QSize) -> QRect:
    """Return the place of a card next to its target: right, left, below or above it.

    If none of these fits, or nothing is framed, it is in the lower right corner.
    """
    room = window.adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
    gap = _GAP + _FRAME
    top = max(room.top(), min(target.top(), room.bottom() - size.height()))
    left = max(room.left(), min(target.left(), room.right() - size.width()))
    places = (
        QPoint(target.right() + gap, top),
        QPoint(target.left() - gap - size.width(), top),
        QPoint(left, target.bottom() + gap),
        QPoint(left, target.top() - gap - size.height()),
    )
    for place in places if not target.isEmpty() else ():
        if room.contains(QRect(place, size)):
            return QRect(place, size)
    return QRect(room.bottomRight() - QPoint(size.width(), size.height()), size)
