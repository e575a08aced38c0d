"""Reports a bug with all details for the developers, without blocking."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from engine.platform.language import tr, trc, trn
from engine.platform.project_files import APP_TITLE
from gui.faults.bugs import Bug
from gui.style.layout import STRETCH, column, fitting_size, placed, row
from gui.widgets.buttons import button
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import label
from gui.widgets.state_mark import StateMark

_WIDTH, _DETAILS_HEIGHT = 620, 260


class BugPanel(QDialog):
    """One window for all bugs: further ones, or repetitions, are added to it."""

    restart_requested = Signal()

    def __init__(
        self, parent: QWidget, report: Callable[[list[Bug]], str], show_log: Callable[[], None]
    ) -> None:
        super().__init__(parent)
        self._window, self._report, self.bugs = parent, report, list[Bug]()
        self.setWindowTitle(f"{tr('Unexpected error')} \N{EN DASH} {APP_TITLE}")
        self.setModal(False)
        self.text_label = label("", "strong", wraps=True)
        self.during_label = label("", wraps=True)
        self.kept_label = label(
            tr(
                "Your games, tests and mistakes are saved as you go. You can carry on; if "
                "something stops working, restart the program."
            ),
            "muted",
            wraps=True,
        )
        self.details_button = button(trc("of a bug", "Details"))
        self.details_button.setCheckable(True)
        self.details_button.toggled.connect(self._show_details)
        self.details = QPlainTextEdit(readOnly=True)
        self.details.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.details.setTabChangesFocus(True)
        self.details.setAccessibleName(trc("of a bug", "Details"))
        self.details.setMinimumHeight(_DETAILS_HEIGHT)
        self.details.hide()
        self.copy_button = button(tr("Copy details"), picture="copy", work=self._copy)
        self.log_button = button(tr("Show the log"), picture="folder", work=lambda: show_log())
        self.restart_button = button(tr("Restart"), work=self.restart_requested)
        self.go_on_button = button(tr("Go on"), work=self.close)
        self._lay_out()

    def add(self, bug: Bug) -> None:
        is_new = not any(known is bug for known in self.bugs)
        if is_new:
            self.bugs.append(bug)
        first = self.bugs[0]
        text = tr("Something went wrong that is not your fault: {error}.", error=first.summary)
        self.text_label.setText(text)
        count, others = sum(known.count for known in self.bugs), len(self.bugs) - 1
        lines = [tr(first.during)]
        if count > 1:
            lines.append(trn("Counted so far: {n} error.", "Counted so far: {n:,} errors.", count))
        if others:
            lines.append(
                trn(
                    "{n} other kind is in the details.",
                    "{n:,} other kinds are in the details.",
                    others,
                )
            )
        self.during_label.setText("\n".join(lines))
        self.setAccessibleName(text)
        self.setAccessibleDescription("\n".join(lines))
        if self.details.isVisible():
            self._fill()
        if is_new and len(self.bugs) == 1:
            self._appear()

    def _appear(self) -> None:
        self._fit(min(_WIDTH, self._window.width()))
        self.show()
        self.details_button.setFocus()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _lay_out(self) -> None:
        buttons = FlowLayout()
        for widget in (
            *(self.details_button, self.copy_button, self.log_button),
            *(self.restart_button, self.go_on_button),
        ):
            widget.setAutoDefault(False)  # a pressed Enter was meant for the page in front
            buttons.addWidget(widget)
        column(
            row(
                placed(StateMark("bad"), align=Qt.AlignmentFlag.AlignTop),
                placed(self.text_label, stretch=1),
                space=12,
            ),
            self.during_label,
            self.kept_label,
            placed(self.details, stretch=1),
            STRETCH,
            buttons,
            space=12,
            margins=(20, 20, 20, 16),
            parent=self,
        )

    def _show_details(self, is_wanted: bool) -> None:
        self.details.setVisible(is_wanted)
        if is_wanted:
            self._fill()
        self._fit(max(self.width(), _WIDTH))

    def _fit(self, width: int) -> None:
        column = self.layout()
        assert column
        column.activate()
        self.resize(fitting_size(self, QSize(width, column.totalHeightForWidth(width))))

    def _fill(self) -> None:
        text = self._report(self.bugs)
        if text != self.details.toPlainText():
            self.details.setPlainText(text)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._report(self.bugs))
        self.copy_button.setMinimumWidth(self.copy_button.width())  # the buttons after it stay
        self.copy_button.setText(tr("Copied"))
