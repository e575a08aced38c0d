"""The newcomers' tour: a small card in the corner, and a frame around what it is about.

It doesn't block: the window can be used in the meantime, and the card only takes Enter and Escape,
while focused.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QStackedWidget, QWidget

from engine.platform.language import tr
from gui.style.layout import STRETCH, column, row
from gui.style.theme import app_theme, smooth_painter, theme_source
from gui.widgets.buttons import button
from gui.widgets.labels import label

_WIDTH, _EDGE = 340, 12
_FRAME, _RADIUS, _LINE = 5, 8, 3
_FORWARD = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MOVES = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)


@dataclass(frozen=True)
class TourStep:
    """One step of the tour."""

    begin: Callable[[], object]  # brings its page to the front
    text: Callable[[], tuple[str, str]]  # returns the title and a sentence
    targets: Sequence[QWidget]  # the first one that is visible is framed


class Tour(QObject):
    """Leads through the steps; `area` has the pages."""

    left = Signal()

    def __init__(self, area: QStackedWidget, steps: Sequence[TourStep], sheet: str) -> None:
        window = area.window()
        super().__init__(window)
        self._window, self._area, self._steps = window, area, steps
        self._watched: list[QWidget] = []
        self.at = 0
        self.frame = _Frame(window)
        self.card = TourCard(window, len(steps))
        self.card.next_requested.connect(lambda: self.go_to(self.at + 1))
        self.card.skip_requested.connect(self.leave)
        self.card.key_left.connect(self._give_to_page)
        self.set_sheet(sheet)

    def set_sheet(self, sheet: str) -> None:
        self.card.setStyleSheet(sheet)

    def go_to(self, at: int) -> None:
        """Show a step; past the last one, end the tour."""
        if at >= len(self._steps):
            self.leave()
            return
        self.at = at
        self._steps[at].begin()
        self._watch()
        self.refresh()
        for part in (self.frame, self.card):
            part.show()
            part.raise_()
        self.card.setFocus()

    @property
    def is_done(self) -> bool:
        """Whether nothing of the step is left to do."""
        return True

    def refresh(self) -> None:
        """Show what the step says by now."""
        self.card.show_step(self.at, *self._steps[self.at].text(), self.is_done)
        self._place()

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
        for part in self._steps[self.at].targets:
            seen = part.visibleRegion().boundingRect()
            if part.isVisible() and not seen.isEmpty():
                return QRect(part.mapTo(self._window, seen.topLeft()), seen.size())
        return QRect()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in _MOVES:
            self._place()
        return False

    def _give_to_page(self, event: QKeyEvent) -> None:
        if page := self._area.currentWidget():
            page.setFocus()
            if front := self._window.focusWidget():
                QApplication.sendEvent(front, event)

    def _watch(self) -> None:
        self._unwatch()
        for part in (self._area, *self._steps[self.at].targets):
            above: QWidget | None = part
            while above is not None:
                self._watched.append(above)
                above = above.parentWidget()
        for part in self._watched:
            part.installEventFilter(self)

    def _unwatch(self) -> None:
        for part in self._watched:
            part.removeEventFilter(self)
        self._watched = []

    def _place(self) -> None:
        self.frame.setGeometry(self._window.rect())
        self.frame.target = self.target
        self.frame.update()
        # Always in the same corner, so that Next stays under the pointer.
        corner = self._area.mapTo(self._window, self._area.rect().bottomRight())
        width = min(_WIDTH, self._area.width() - 2 * _EDGE)
        height = self.card.heightForWidth(width)
        self.card.setGeometry(QRect(0, 0, width, height))
        self.card.move(corner - QPoint(width + _EDGE, height + _EDGE))


class TourCard(QFrame):
    """The text of a step, and the navigation buttons."""

    next_requested = Signal()
    skip_requested = Signal()
    key_left = Signal(object)  # the event of a key that the card has no use for

    def __init__(self, window: QWidget, n_steps: int) -> None:
        super().__init__(window)
        self._n_steps = n_steps
        self.setProperty("overlay", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.step_label = label("", "caption")
        self.title_label = label("", "strong", wraps=True)
        self.text_label = label("", wraps=True)
        tip = tr("You can take the tour again from Help")
        self.skip_button = button(tr("End tour"), "quiet", tip=tip, work=self.skip_requested)
        self.next_button = button(tr("Next"), "primary", work=self.next_requested)
        column(
            self.step_label,
            self.title_label,
            self.text_label,
            row(self.skip_button, STRETCH, self.next_button),
            margins=(16, 14, 16, 14),
            parent=self,
        )
        self.hide()

    def show_step(self, at: int, title: str, text: str, is_done: bool) -> None:
        is_last = at == self._n_steps - 1
        self.step_label.setText(tr("Step {number} of {all}", number=at + 1, all=self._n_steps))
        self.title_label.setText(title)
        self.text_label.setText(text)
        self.skip_button.setVisible(not is_last)
        forward = tr("Next") if is_done else tr("Skip")
        self.next_button.setText(tr("Done") if is_last else forward)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)

    def event(self, event: QEvent) -> bool:
        """Keep Enter and Escape from the page; all other keys belong to the page."""
        is_asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_asked and event.key() in (*_FORWARD, Qt.Key.Key_Escape):  # type: ignore[attr-defined]
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in _FORWARD:
            (self.skip_button if self.skip_button.hasFocus() else self.next_button).click()
        elif event.key() == Qt.Key.Key_Escape:
            self.skip_requested.emit()
        else:
            self.key_left.emit(event)


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
        for grown, alpha in ((_FRAME + 3, 0.25), (_FRAME, 1.0)):
            color = QColor(app_theme().accent)
            color.setAlphaF(alpha)
            painter.setPen(QPen(color, _LINE))
            rect = self.target.adjusted(-grown, -grown, grown, grown)
            painter.drawRoundedRect(rect, _RADIUS + grown - _FRAME, _RADIUS + grown - _FRAME)
