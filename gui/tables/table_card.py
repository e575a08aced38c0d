"""One table in the list: what it is, its state, and what can be done with it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QMenu,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.board.formation_view import FormationView
from gui.style.icons import icon
from gui.text.contents import content_words
from gui.text.numbers import NBSP, format_bytes, format_count, format_percent, format_table
from gui.widgets.labels import ElidedLabel, label, set_property
from gui.widgets.state_mark import StateMark

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.library.table_info import TableInfo

_STACK_BELOW, _LEAST_WIDTH = 560, 260
_STATE_TEXT = {
    "building": "Building",
    "complete": "Complete",
    "partial": "Partly built",
    "damaged": "Damaged",
    "away": "Drive missing",
    "part": "Part of a table",
}
_MAIN_ACTION = {
    "complete": "Practice",
    "away": "Practice",
    "partial": "Resume",
    "damaged": "Repair",
}
_MAIN_TIP = {
    "away": "Positions stored on the missing drive have no success rates",
    "partial": "Continue building",
    "damaged": "Rebuild what is missing or damaged",
}


class TableCard(QFrame):
    """A row for one table.

    Signals
    -------
    main_requested : practice, resume or repair, as the state demands
    import_requested : make a table of ours from this one of another program
    verify_requested, cancel_verify_requested, delete_requested, open_folder_requested
    """

    main_requested = Signal()
    import_requested = Signal()
    verify_requested = Signal()
    cancel_verify_requested = Signal()
    delete_requested = Signal()
    open_folder_requested = Signal()

    def __init__(self, table: "TableInfo", formation: "Formation | None", home: str) -> None:
        super().__init__()
        self.table, self.formation = table, formation
        self._can_import, self._is_busy, self._has_failed = True, False, False
        self.can_build = formation is not None and formation.is_buildable and table.target > 0
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.view = FormationView(56)
        self.view.setVisible(formation is not None)
        if formation:
            self.view.show_formation(formation)
        self.title_label = label(format_table(table.pattern, table.target), "strong")
        self.mark = StateMark(table.state)
        self.state_label = label("")
        self.about_label = label(_about(table), "caption", wraps=True)
        self.about_label.setToolTip("\n".join(map(str, (table.path, *table.folders))))
        # A long path gives way in its middle: both its ends tell drives apart.
        middle = Qt.TextElideMode.ElideMiddle
        self.place_label = ElidedLabel(_place(table, home), "caption", middle)
        self.place_label.setVisible(bool(self.place_label.text()))
        message = table.message[:1].upper() + table.message[1:]
        self.message_label = label(message, "caption", wraps=True)
        self.message_label.setVisible(bool(message))
        self.check_label = label("", "caption", wraps=True)
        self.check_label.hide()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        self.bar.hide()
        self._make_buttons()
        self._lay_out()
        self._show_state()
        self.setAccessibleName(f"{self.title_label.text()}, {self.state_label.text()}")

    def show_busy(self, is_busy: bool) -> None:
        """Tell that the table is being built or waits for it: nothing else can be done now."""
        for button in (self.main_button, self.verify_button, self.menu_button):
            button.setEnabled(not is_busy)
        self._is_busy = is_busy
        self._show_state()

    def forbid_import(self, why_not: str) -> None:
        """Say why it cannot be imported."""
        self._can_import = False
        self.import_button.setEnabled(False)
        self.import_button.setToolTip(why_not)

    def show_importing(self, is_importing: bool) -> None:
        """Tell that it is being imported or waits for it; all else goes on."""
        self.import_button.setText("Importing" if is_importing else "Import")
        self.import_button.setEnabled(self._can_import and not is_importing)

    def show_check(self, fraction: float | None, is_waiting: bool = False) -> None:
        """Show how far the verification is; None: there is none."""
        is_on = is_waiting or fraction is not None
        self.bar.setVisible(fraction is not None)
        self.bar.setValue(int((fraction or 0) * 1000))
        self.verify_button.setText("Stop" if is_on else "Verify")
        if is_on:
            set_property(self.check_label, "tone", "")
            share = format_percent(min(fraction or 0.0, 0.99))
            self.check_label.setText(
                "Waiting to be verified" if is_waiting else f"Verifying: {share}"
            )
            self.check_label.show()
        elif not self.check_label.property("tone"):
            self.check_label.hide()

    def show_verdict(self, is_good: bool, text: str) -> None:
        """Show what a verification found; a table that failed is to be built again."""
        self._has_failed = not is_good
        self._show_state()
        self.check_label.setText(f"Verified: {text}" if is_good else text[:1].upper() + text[1:])
        set_property(self.check_label, "tone", "good" if is_good else "bad")
        self.check_label.show()

    def _show_state(self) -> None:
        """Show the state, and what the main button does in it."""
        table = self.table
        state = "building" if self._is_busy else "damaged" if self._has_failed else table.state
        self.mark.set_state(state)
        self.state_label.setText(_state_text(table) if state == table.state else _STATE_TEXT[state])
        set_property(self.state_label, "tone", self.mark.property("tone"))
        can_build = self.can_build and not table.origin
        text, tip = _MAIN_ACTION.get(table.state, ""), _MAIN_TIP.get(table.state, "")
        can_act = table.state in ("complete", "away") or (can_build and bool(text))
        if self._has_failed:
            text, tip, can_act = "Build again", "Delete it and build it from scratch", can_build
        self.main_button.setText(text)
        self.main_button.setToolTip(tip)
        self.main_button.setVisible(can_act)
        is_primary = table.state == "complete" and not self._has_failed
        set_property(self.main_button, "primary", is_primary)

    def _make_buttons(self) -> None:
        self.main_button = QPushButton()
        self.main_button.clicked.connect(self.main_requested)
        self.import_button = QPushButton("Import")
        self.import_button.setToolTip(
            "Make a table for this program from it: smaller and faster. The original files "
            "don't change."
        )
        self.import_button.setVisible(bool(self.table.origin) and self.table.state == "complete")
        self.import_button.clicked.connect(self.import_requested)
        self.verify_button = QPushButton("Verify")
        self.verify_button.setToolTip("Check all files, and recompute a sample of the rates")
        is_ours = not self.table.origin
        self.verify_button.setVisible(
            self.table.state == "complete" or (is_ours and self.table.state == "damaged")
        )
        self.verify_button.clicked.connect(self._on_verify)
        self.menu_button = QToolButton()
        self.menu_button.setIcon(icon("more"))
        self.menu_button.setProperty("quiet", True)
        self.menu_button.setToolTip("More")
        self.menu_button.setAccessibleName("More")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.menu_button)
        self.folder_action = QAction(icon("folder"), "Show in folder", menu)
        self.folder_action.triggered.connect(self.open_folder_requested)
        self.delete_action = QAction(icon("delete"), "Delete", menu)
        self.delete_action.triggered.connect(self.delete_requested)
        self.delete_action.setVisible(is_ours)  # its folder may hold more than this table
        menu.addActions([self.folder_action, self.delete_action])
        self.menu_button.setMenu(menu)

    def _lay_out(self) -> None:
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(16, 12, 12, 12)
        self._box.setSpacing(12)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.view)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addStretch()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title_label)
        head.addSpacing(8)
        head.addWidget(self.mark)
        head.addWidget(self.state_label)
        head.addStretch()
        column.addLayout(head)
        for part in (
            *(self.about_label, self.place_label, self.message_label),
            *(self.check_label, self.bar),
        ):
            column.addWidget(part)
        column.addStretch()
        row.addLayout(column, 1)
        self._box.addLayout(row, 1)
        buttons = QWidget()
        tools = QHBoxLayout(buttons)
        tools.setContentsMargins(0, 0, 0, 0)
        tools.setSpacing(6)
        buttons_shown = (
            *(self.verify_button, self.import_button),
            *(self.main_button, self.menu_button),
        )
        for button in buttons_shown:
            tools.addWidget(button)
        self._box.addWidget(buttons, 0, Qt.AlignmentFlag.AlignRight)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Put the buttons under the text where room is scarce."""
        super().resizeEvent(event)
        directions = QBoxLayout.Direction
        is_narrow = event.size().width() < _STACK_BELOW
        self._box.setDirection(directions.TopToBottom if is_narrow else directions.LeftToRight)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return what it needs when stacked, so that it can get narrow enough to be stacked."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), _LEAST_WIDTH), hint.height())

    def _on_verify(self) -> None:
        if self.verify_button.text() == "Stop":
            self.cancel_verify_requested.emit()
        else:
            self.verify_requested.emit()


def _state_text(table: "TableInfo") -> str:
    if table.state == "partial" and table.layers:
        return f"Partly built, layer {table.layers_done} of {table.layers}"
    return _STATE_TEXT[table.state]


def _about(table: "TableInfo") -> str:
    parts = []
    if table.boards:
        parts.append(f"{format_count(table.boards)}{NBSP}boards")
    parts.append(format_bytes(table.bytes))
    parts += content_words(table)
    return f"{NBSP}\u00b7 ".join(part.replace(" ", NBSP) for part in parts if part)


def _place(table: "TableInfo", home: str) -> str:
    """Return where a table is, unless it is all where tables usually are."""
    place = str(table.path) if str(table.path.parent) != home else ""
    if not table.folders:
        return place
    if not place and len(table.folders) == 1:
        return f"and {table.folders[0]}"
    count = len(table.folders)
    others = f"{count} other folder{'s' if count > 1 else ''}"
    return f"{place} and {others}" if place else f"and {others}"
