"""The tables in the list: facts, state and actions of each; folders dropped onto the page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QWidget

from engine.platform.language import mark, tr, trn
from gui.board.formation_view import FormationView
from gui.style.icons import icon
from gui.style.layout import STRETCH, column, laid_out, placed, row, stack
from gui.text.contents import content_words
from gui.text.lists import and_list
from gui.text.numbers import (
    NBSP,
    format_bytes,
    format_count,
    format_percent,
    format_seconds,
    format_table,
)
from gui.widgets.build_card import PHASES
from gui.widgets.buttons import attach_menu, button, tool_button
from gui.widgets.fields import progress_bar
from gui.widgets.labels import ElidedLabel, label, set_property, show_text
from gui.widgets.state_mark import StateMark
from gui.work.chunked_work import ChunkedWork

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.library.table_info import TableInfo

_STACK_BELOW, _MIN_WIDTH = 560, 260
_STATE_TEXT = {
    "building": mark("Building"),
    "complete": mark("Complete"),
    "partial": mark("Partly built"),
    "damaged": mark("Damaged"),
    "away": mark("Drive missing"),
    "part": mark("Part of a table"),
    "unread": mark("Not readable"),
}
_MAIN_ACTION = {
    "complete": mark("Practice"),
    "away": mark("Practice"),
    "partial": mark("Resume"),
    "damaged": mark("Repair"),
}
_MAIN_TIP = {
    "away": mark("Positions stored on the missing drive have no success rates"),
    "partial": mark("Continue building"),
    "damaged": mark("Rebuild what is missing or damaged"),
}
_IMPORT_TIP = mark(
    "Make a table for this program from it: smaller and faster. The original files don't change."
)
_ACTIONS = {  # by name: icon, text and tip
    "about": (
        "report",
        mark("About this table"),
        mark("Chance of a new game, rates and size by layer, and where it is"),
    ),
    "verify": (
        "verify",
        mark("Verify"),
        mark("Check all files, and recompute a sample of the rates"),
    ),
    "import": ("save", mark("Import"), _IMPORT_TIP),
    "convert": (
        "build",
        mark("Convert\u2026"),
        mark("Make the table smaller without rebuilding it"),
    ),
    "move": (
        "forward",
        mark("Move to another drive\u2026"),
        mark("Move its layers and keep using it"),
    ),
    "return": (
        "back",
        mark("Bring back"),
        mark("Move the layers on other drives back to the table's own folder"),
    ),
    "folder": ("folder", mark("Show in folder"), ""),
    "delete": ("delete", mark("Delete"), ""),
}


_MAX_DROPPED = 50
_MAX_NAMED = 4
_TABLE_FILES = ("manifest.json", "home.json", "elsewhere.json")


@dataclass(frozen=True)
class Dropped:
    """The result for one dropped item."""

    folder: Path | None  # to be looked in from now on; None where that makes no sense
    text: str  # one sentence for the user
    tone: str  # that of a banner: good, info or warning


def look_at_dropped(
    paths: Sequence[Path], scan: "Callable[[Path], Sequence[TableInfo]]", known: Sequence[Path]
) -> list[Dropped]:
    """Return the result for each dropped path; reads folders, so not for the GUI thread.

    `scan` returns the tables in a folder, and the one that it is itself.
    """
    seen = {_real(path) for path in known}
    return [_looked_at(path, scan, seen) for path in paths[:_MAX_DROPPED]]


def _looked_at(
    path: Path, scan: "Callable[[Path], Sequence[TableInfo]]", seen: set[Path]
) -> Dropped:
    folder = path
    if not path.is_dir():
        if path.name not in _TABLE_FILES and path.suffix != ".tbl":
            text = tr("{name} is not a table. A table is a folder: drop that.", name=path.name)
            return Dropped(None, text, "warning")
        folder = path.parent
    tables = scan(folder)
    if not tables:
        return Dropped(None, tr("There are no tables in {folder}.", folder=folder), "warning")
    new = [table for table in tables if _real(table.path) not in seen]
    if not new:
        text = tr("The tables in {folder} are in the list already.", folder=folder)
        return Dropped(None, text, "info")
    seen |= {_real(table.path) for table in new}
    names = [format_table(table.pattern, table.target) for table in new[:_MAX_NAMED]]
    if len(new) > _MAX_NAMED:
        names.append(tr("{n} more", n=len(new) - _MAX_NAMED))
    text = trn(
        "Found {n} table in {folder}: {names}.",
        "Found {n} tables in {folder}: {names}.",
        len(new),
        folder=folder,
        names=and_list(names),
    )
    return Dropped(folder, text, "good")


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path


class TableCard(QFrame):
    """A row for one table."""

    # The name of an action, "main" (practice, resume or repair, as the state demands), or "stop".
    requested = Signal(str)

    def __init__(self, table: "TableInfo", formation: "Formation | None", home: str) -> None:
        super().__init__()
        self.table, self.formation = table, formation
        self._can_import, self._doing = True, ""
        self._has_failed = self._has_panel = False
        self.can_build = formation is not None and table.target != 0
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.view = FormationView(56)
        if formation:
            self.view.show_formation(formation)
        else:
            self.view.hide()
        self.title_label = label(format_table(table.pattern, table.target), "strong")
        self.mark = StateMark(table.state)
        self.state_label = label("")
        self.about_label = label("", "caption", wraps=True)
        self.about_label.setToolTip("\n".join(map(str, (table.path, *table.folders))))
        # A long path gives way in its middle: both its ends tell drives apart.
        middle = Qt.TextElideMode.ElideMiddle
        self.place_label = ElidedLabel(_place(table, home), "caption", middle)
        self.message_label = label("", "caption", wraps=True)
        self.check_label = label("", "caption", wraps=True)
        self.bar = progress_bar()
        for part in (self.check_label, self.bar):
            part.hide()
        self._make_buttons()
        self._lay_out()  # before anything is shown: by itself it would be a window
        show_text(self.message_label, table.message[:1].upper() + table.message[1:])
        self.place_label.setVisible(bool(self.place_label.text()))
        self.import_button.setVisible(bool(table.origin) and table.state == "complete")
        self._show_state()
        self.setAccessibleName(f"{self.title_label.text()}, {self.state_label.text()}")

    def show_busy(self, doing: str, is_usable: bool = False) -> None:
        """Show the work on the table, "" for none; it disables all but practice if `is_usable`."""
        self.main_button.setEnabled(not doing or is_usable)
        self.menu_button.setEnabled(not doing)
        self._doing = doing
        self._show_state()

    def open_panel(self, panel: QWidget) -> None:
        self._has_panel = True
        self._column.addWidget(panel)
        panel.setCursor(Qt.CursorShape.ArrowCursor)
        panel.show()
        panel.setFocus()

    def close_panel(self, panel: QWidget) -> None:
        self._has_panel = False
        self._column.removeWidget(panel)
        panel.hide()
        panel.deleteLater()

    def forbid_import(self, why_not: str) -> None:
        self._can_import = False
        self.import_button.setToolTip(why_not)
        self.menu_actions["import"].setToolTip(why_not)
        self.show_importing(False)

    def show_importing(self, is_importing: bool) -> None:
        """Show that it is being imported or queued for it; other actions stay enabled."""
        self.import_button.setText(tr("Importing") if is_importing else tr("Import"))
        for part in (self.import_button, self.menu_actions["import"]):
            part.setEnabled(self._can_import and not is_importing)

    def show_check(
        self, fraction: float | None, is_waiting: bool = False, seconds_left: float | None = None
    ) -> None:
        is_on = is_waiting or fraction is not None
        self.bar.setVisible(fraction is not None)
        self.bar.setValue(int((fraction or 0) * 1000))
        self.stop_button.setVisible(is_on)
        self.menu_actions["verify"].setEnabled(not is_on)
        if is_on:
            set_property(self.check_label, "tone", "")
            share = format_percent(min(fraction or 0.0, 0.99))
            if is_waiting:
                text = tr("Waiting to be verified")
            elif seconds_left is None:
                text = tr("Verifying: {share}", share=share)
            else:
                left = format_seconds(seconds_left)
                text = tr("Verifying: {share}, {time} left", share=share, time=left)
            self.check_label.setText(text)
            self.check_label.show()
        elif not self.check_label.property("tone"):
            self.check_label.hide()

    def show_verdict(self, is_good: bool, text: str) -> None:
        self._has_failed = not is_good
        self._show_state()
        self.check_label.setText(
            tr("Verified: {text}", text=text) if is_good else text[:1].upper() + text[1:]
        )
        set_property(self.check_label, "tone", "good" if is_good else "bad")
        self.check_label.show()

    def _show_state(self) -> None:
        table = self.table
        state = "building" if self._doing else "damaged" if self._has_failed else table.state
        self.mark.set_state(state)
        text = _state_text(table) if state == table.state else tr(_STATE_TEXT[state])
        self.state_label.setText(self._doing or text)
        self.about_label.setText(_about(table, is_changing=bool(self._doing)))
        set_property(self.state_label, "tone", self.mark.property("tone"))
        can_build = self.can_build and not table.origin
        text, tip = tr(_MAIN_ACTION.get(table.state, "")), tr(_MAIN_TIP.get(table.state, ""))
        can_act = table.state in ("complete", "away") or (can_build and bool(text))
        if self._has_failed:
            text, tip = tr("Build again"), tr("Delete it and build it from scratch")
            can_act = can_build
        self.main_button.setText(text)
        self.main_button.setToolTip(tip)
        self.main_button.setVisible(can_act)

    def _make_buttons(self) -> None:
        self.main_button = button(work=lambda: self.requested.emit("main"))
        self.import_button = button(
            tr("Import"), tip=tr(_IMPORT_TIP), work=lambda: self.requested.emit("import")
        )
        self.stop_button = button(
            tr("Stop"), tip=tr("Stop verifying"), work=lambda: self.requested.emit("stop")
        )
        self.stop_button.hide()
        self.menu_button = tool_button("more", tr("More"))
        attach_menu(self.menu_button, self._make_menu())
        self.setFocusProxy(
            self.menu_button
        )  # there the keyboard does what a click on the card does

    def _make_menu(self) -> QMenu:
        menu = QMenu(self.menu_button, toolTipsVisible=True)
        table, is_ours = self.table, not self.table.origin
        is_complete = table.state == "complete"
        is_finished = is_ours and table.state in ("complete", "away")
        can_be = {
            "about": is_finished,
            "verify": is_complete or (is_ours and table.state == "damaged"),
            "import": is_complete and not is_ours,
            "convert": is_complete and is_ours,
            "move": is_finished,
            "return": is_complete and is_ours and bool(table.folders),
            "folder": True,
            "delete": is_ours,  # that of another program's may hold more than this table
        }
        self.menu_actions: dict[str, QAction] = {}
        for name, (picture, text, tip) in _ACTIONS.items():
            if name == "folder":
                menu.addSeparator()
            action = self.menu_actions[name] = QAction(icon(picture), tr(text), menu)
            action.setToolTip(tr(tip))
            action.triggered.connect(partial(self._request, name))
            action.setVisible(can_be[name])
            menu.addAction(action)
        return menu

    def _request(self, name: str, _is_checked: bool = False) -> None:
        self.requested.emit(name)

    def _lay_out(self) -> None:
        words = column(
            STRETCH,
            row(self.title_label, 8, self.mark, self.state_label, STRETCH),
            self.about_label,
            self.place_label,
            self.message_label,
            self.check_label,
            self.bar,
            STRETCH,
            space=2,
        )
        buttons = row(
            self.stop_button, self.import_button, self.main_button, self.menu_button, space=6
        )
        if self.menu_actions["about"].isVisible():
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._box = row(
            placed(row(self.view, placed(words, stretch=1), space=16), stretch=1),
            placed(laid_out(buttons), align=Qt.AlignmentFlag.AlignRight),
            space=12,
        )
        self._column = column(self._box, space=12, margins=(16, 12, 12, 12), parent=self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Tell about the table, as its menu does: the whole row is one button."""
        about = self.menu_actions["about"]
        can_open = about.isVisible() and self.menu_button.isEnabled() and not self._has_panel
        is_on_row = self._box.geometry().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and can_open and is_on_row:
            about.trigger()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        stack(self._box, event.size().width() < _STACK_BELOW)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the minimum size when stacked, so that it can shrink enough to stack."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), _MIN_WIDTH), hint.height())


def _state_text(table: "TableInfo") -> str:
    if table.state == "partial" and table.step_layers:
        return tr(
            "Partly built, layer {layer} of {layers}", layer=table.step_layers, layers=table.layers
        )
    return tr(_STATE_TEXT[table.state])


def _about(table: "TableInfo", *, is_changing: bool) -> str:
    parts, size = [], format_bytes(table.bytes + table.work_bytes)
    if table.work_bytes and table.step and not is_changing:  # else it was so when the list was made
        parts.append(tr(PHASES[table.step]))
    if table.boards:
        parts.append(tr("{count} boards", count=format_count(table.boards)))
    if table.state != "unread":
        parts.append(tr("{size} with working files", size=size) if table.work_bytes else size)
    parts += content_words(table)
    return f"{NBSP}\u00b7 ".join(part.replace(" ", NBSP) for part in parts if part)


def _place(table: "TableInfo", home: str) -> str:
    """Return the text on where a table is; "" if it is all in the default folder."""
    place = str(table.path) if str(table.path.parent) != home else ""
    if not table.folders:
        return place
    count = len(table.folders)
    if place:
        return trn(
            "{place} and {n} other folder", "{place} and {n} other folders", count, place=place
        )
    if count == 1:
        return tr("and {folder}", folder=table.folders[0])
    return trn("and {n} other folder", "and {n} other folders", count)


class TableList(QWidget):
    """A column of cards; new ones are created one by one, so that no key press waits for them.

    `is_current` returns whether a card still shows its table as `make_card` would.
    """

    def __init__(
        self, make_card: Callable[["TableInfo"], TableCard], is_current: Callable[[TableCard], bool]
    ) -> None:
        super().__init__()
        self._make_card, self._is_current = make_card, is_current
        self._order: list[Path] = []
        self._steps = ChunkedWork(self)
        self.cards: dict[Path, TableCard] = {}  # by the tables' folders, in the order on the screen
        self._column = column(parent=self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def set_tables(self, tables: "Sequence[TableInfo]") -> None:
        wanted = {table.path: table for table in tables}
        self._order = list(wanted)
        for path, card in list(self.cards.items()):
            if wanted.get(path) != card.table or not self._is_current(card):
                self._remove(path)
        for i, path in enumerate(path for path in self._order if path in self.cards):
            if self._column.indexOf(self.cards[path]) != i:
                self._column.insertWidget(i, self.cards[path])
        self._sort()
        new = [table for table in wanted.values() if table.path not in self.cards]
        self._steps.do([lambda table=table: self._add(table) for table in new])  # type: ignore[misc]

    def _add(self, table: "TableInfo") -> None:
        card = self._make_card(table)
        self.cards[table.path] = card
        self._sort()
        self._column.insertWidget(list(self.cards).index(table.path), card)

    def _remove(self, path: Path) -> None:
        card = self.cards.pop(path)
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _sort(self) -> None:
        self.cards = {path: self.cards[path] for path in self._order if path in self.cards}
