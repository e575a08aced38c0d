"""The window: pages at the side, a menu, a command palette, a status line. It knows no rules."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QMenu,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from engine.platform.language import mark, tr
from gui.board.board_view import BoardView
from gui.keys.key_bindings import MEANING, KeyBindings, sequences_of
from gui.keys.shortcuts import WINDOW, parse
from gui.pages.page import Page
from gui.settings_model.settings import Settings
from gui.shell import reading_order
from gui.shell.command_palette import Command, CommandPalette
from gui.shell.key_list import KeyList
from gui.shell.nav_rail import NavRail
from gui.style.icons import icon
from gui.style.layout import column, placed, row
from gui.widgets.status_line import StatusLine
from gui.widgets.window_size import fitting_size
from gui.work.chunked_work import ChunkedWork

APP_TITLE = "Endgame 2048"  # no text: a name
_FIRST_SIZE = QSize(1280, 860)
_COLLAPSE_BELOW = 1100
_N_DIGITS = 10  # on a keyboard
_EVERYWHERE = mark("Everywhere")  # where the keys of the window work
_ICONS = {"quit": "quit", "theme_switch": "theme", "help": "help"}
_BY_TAB = Qt.FocusPolicy.TabFocus
_SETTINGS = "Settings"  # no text: the title of the page, in English
_COLORS = "colors"  # no text: why the picture is held
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_KEY_EVENTS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
_FILE = "file"  # no text: the group that the File menu shows
_MOVE = "undo redo best run stop new again varied daily hint bomb glove twist"  # no text: meanings
_EXPLAIN = "why why_left why_right why_up why_down why_tile why_plies compare hide peek"  # no text
_BOARD = "flip_sideways flip_over rotate_left rotate_right edit go_to by_hand"  # no text
_HISTORY = (
    "first last back_ten forward_ten previous_mark next_mark"  # no text
    " variation bookmark next_bookmark play_back"  # no text
)
_COPY = "copy copy_text paste picture save_picture read_picture"  # no text
_FILES = "open open_folder latest import save save_other export report"  # no text
_GROUPS: Mapping[str, str] = MappingProxyType(
    {
        mark("Move"): _MOVE,
        mark("Explain"): _EXPLAIN,
        mark("Board"): _BOARD,
        mark("History"): _HISTORY,
        mark("Copy"): _COPY,
        _FILE: _FILES,
    }
)
_GROUP_OF = {meaning: title for title, text in _GROUPS.items() for meaning in text.split()}
# They are tried before they are looked up, and the panel shows its tabs: as entries only noise.
_ONLY_KEYS = frozenset(("left", "right", "up", "down", "tab_1", "tab_2", "tab_3"))
_MAX_FLAT, _MIN_GROUP = 18, 3


@dataclass(frozen=True)
class _Entry:
    """One page in the window: the widget, its menu, the action that leads to it.

    `name` is its title in English, which identifies it, and `title` the displayed one.
    """

    page: Page
    name: str
    title: str
    menu: QMenu
    go_action: QAction


class MainWindow(QMainWindow):
    """Shows one page at a time.

    Signals
    -------
    help_requested : str
        Show the help on the page with this title, in English.
    pages_requested : a page was requested that is announced but not added yet
    page_changed : another page is in front, or the same one again
    """

    closing = Signal()
    help_requested = Signal(str)
    recording_requested = Signal()
    backup_requested = Signal()
    pages_requested = Signal()
    page_changed = Signal()

    def __init__(self, settings: Settings) -> None:
        self._holds: set[str] = set()  # before the first event
        super().__init__()
        self._settings = settings
        self._steps = ChunkedWork(self)
        self._sheet = ""
        self.setWindowTitle(APP_TITLE)
        self.setMinimumSize(400, 300)  # 800 x 600 at 200 %
        self._furnish()
        self._settings.changed.connect(self._mark_theme)

    def _furnish(self) -> None:
        """Create everything with text: the rail, the menus, the status line, the overlays."""
        self.keys = KeyBindings(self._settings, self)
        self._entries: list[_Entry] = []
        self._announced: dict[str, QAction] = {}
        self.rail = NavRail()
        self.stack = _PageStack()
        self.status_line = StatusLine()
        self._lay_out()
        self._make_menus()
        self.palette_panel = CommandPalette(self, self.commands)
        self.key_list = KeyList(self, self._key_sections)
        self.rail.chosen.connect(self.show_page)

    def strip(self) -> Callable[[], None]:
        """Start again without pages, in the current language.

        Returns
        -------
        callable
            Deletes the old contents; to be called once nothing calls back to them.
        """
        if focused := self.focusWidget():
            focused.clearFocus()  # the deleted widget would take the window's focus with it
        old, pages = self.takeCentralWidget(), [entry.page for entry in self._entries]
        assert isinstance(old, _Central), "a window has its furniture"
        old.setParent(self)  # and goes with it, if not before
        old.hide()
        self.menuBar().clear()
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        parts: list[QObject] = [self.keys, self.palette_panel, self.key_list]
        parts += self.findChildren(QAction, options=direct)
        parts += self.findChildren(QMenu, options=direct)
        parts += self.menuBar().findChildren(QMenu, options=direct)
        for part in parts:
            part.deleteLater()
        self._furnish()
        self.rail.set_narrow(self.width() < _COLLAPSE_BELOW)
        self._apply_to_overlays()
        self._apply_to_frame()
        return partial(old.delete_stepwise, pages)

    @property
    def is_held(self) -> bool:
        """Whether painting is frozen, so that changes are not visible."""
        return bool(self._holds)

    def hold_picture(self, reason: str) -> None:
        """Freeze painting until no reason for it is left."""
        self._holds.add(reason)

    def release_picture(self, reason: str) -> None:
        """Remove a reason to freeze painting."""
        self._holds.discard(reason)
        if not self._holds:  # Qt has asked once, and waits
            QApplication.postEvent(self, QEvent(QEvent.Type.UpdateRequest))

    def event(self, event: QEvent) -> bool:
        """Draw nothing while the picture is held; Enter presses the focused button."""
        if self._holds and event.type() == QEvent.Type.UpdateRequest:
            return True
        if event.type() in _KEY_EVENTS and self._enter_presses(event):
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Give the page the keys that nobody has: what had them was disabled with its part."""
        page = self.page
        if self.focusWidget() is None and page is not None:
            page.setFocus(Qt.FocusReason.OtherFocusReason)
            if front := self.focusWidget():
                QApplication.sendEvent(front, event)
                return
        super().keyPressEvent(event)

    def _enter_presses(self, event: QEvent) -> bool:
        """Press the focused button for Enter, before any shortcut of the page takes that key."""
        button = self.focusWidget()
        if (
            not isinstance(event, QKeyEvent)
            or event.key() not in _ENTER
            or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            or not isinstance(button, QPushButton | QToolButton)
        ):
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            button.click()
        return True

    @property
    def page(self) -> Page | None:
        """The page in front."""
        front = self.stack.currentWidget()
        return front if isinstance(front, Page) else None

    def announce(self, name: str, icon_name: str, *, at_bottom: bool = False) -> QAction:
        """Announce a page to be added later, and return the action that shows it.

        Pages are added in the order in which they were announced.

        Parameters
        ----------
        name : str
            The title of the page in English.
        at_bottom : bool
            Whether it is at the bottom, with pages about the program.
        """
        index = len(self._entries) + len(self._announced)
        title = tr(name)
        go = QAction(icon(icon_name), title, self)
        go.setObjectName(f"go_{name.lower()}")
        # On a Mac Option and a digit write a character; Qt calls the command key Ctrl there.
        modifier = "Ctrl" if sys.platform == "darwin" else "Alt"  # no text
        if index < _N_DIGITS:  # the tenth has the 0, which is where it lies on a keyboard
            go.setShortcut(QKeySequence(f"{modifier}+{(index + 1) % _N_DIGITS}"))
        go.triggered.connect(lambda _=False: self.show_page(index))
        self.go_menu.addAction(go)
        self.keys.add(WINDOW, tr(_EVERYWHERE), go, tr("Go to {page}", page=title))
        self.rail.add_page(name, icon_name, go, at_bottom=at_bottom)
        self._announced[name] = go
        return go

    def add_page(self, page: Page, *, at_bottom: bool = False) -> None:
        """Append a page."""
        name = page.title
        if name not in self._announced:
            self.announce(name, page.icon, at_bottom=at_bottom)
        go, title = self._announced.pop(name), tr(name)
        for action in page.actions():
            self.keys.add(name.lower(), title, action)
        menu = QMenu(tr(page.menu_title or name), self)
        fill_page_menu(menu, page.actions())
        # Put before Help; only the menu of the page in front is seen, so keys never clash.
        menu_action = self.menuBar().insertMenu(self.help_menu.menuAction(), menu)
        menu_action.setVisible(False)
        self._entries.append(_Entry(page, name, title, menu, go))
        self.stack.addWidget(page)

    def _want_pages(self) -> None:
        if self._announced:
            self.pages_requested.emit()

    def show_page(self, which: int | Page) -> None:
        """Bring a page to the front."""
        if isinstance(which, int) and which >= len(self._entries):
            self._want_pages()
        pages = [entry.page for entry in self._entries]
        index = which if isinstance(which, int) else pages.index(which)
        for i, entry in enumerate(self._entries):
            entry.menu.menuAction().setVisible(i == index and bool(entry.menu.actions()))
        entry = self._entries[index]
        self._fill_file_menu(entry.page.actions())
        self._apply_to(entry.page)
        self.rail.choose(index)
        self.stack.setCurrentWidget(entry.page)
        self.status_line.show_source("")
        self._settings.state.set("window.page", entry.name)
        entry.page.page_shown()
        entry.page.setFocus()
        self.page_changed.emit()

    def show_page_named(self, name: str) -> None:
        """Bring the page with that title in English to the front; the first one if none is."""
        if name in self._announced:
            self._want_pages()
        names = [entry.name for entry in self._entries]
        self.show_page(names.index(name) if name in names else 0)

    def set_sheet(self, sheet: str) -> None:
        """Use another style sheet, step by step: the frame and the page in front, then the others.

        Nothing changes visibly before the page in front has it, too.
        """
        self._sheet = sheet
        self._apply_to_overlays()
        front = [self.page] if self.page else []
        pages = [*front, *(entry.page for entry in self._entries if entry.page is not self.page)]
        steps: list[Callable[[], None]] = [
            self._apply_to_frame,
            *(partial(self._apply_to, page) for page in pages),
        ]
        n_seen = 1 + len(front)
        if self.isVisible():
            self.hold_picture(_COLORS)
            steps.insert(n_seen, partial(self.release_picture, _COLORS))
        else:
            for step in steps[:n_seen]:
                step()
        self._steps.do(steps)

    def _apply_to_frame(self) -> None:
        for part in (self.menuBar(), self.rail, self.status_line):
            self._apply_to(part)

    def _apply_to_overlays(self) -> None:
        """Have overlays use the style sheet when opened."""
        for overlay in (self.palette_panel, self.key_list):
            overlay.set_sheet(self._sheet)

    def _apply_to(self, part: QWidget) -> None:
        if part.styleSheet() != self._sheet:  # another palette of tiles leaves it as it is
            part.setStyleSheet(self._sheet)

    def restore(self) -> None:
        """Restore the last size and position; never larger than the screen."""
        saved = self._settings.state.get("window.geometry")
        if not saved or not self.restoreGeometry(QByteArray.fromBase64(saved.encode())):
            self.resize(fitting_size(self, _FIRST_SIZE))

    def remember(self) -> None:
        """Store size and position for next time."""
        geometry = bytes(self.saveGeometry().toBase64().data()).decode()
        self._settings.state.set("window.geometry", geometry)

    def bring_to_front(self) -> None:
        """Show the window above all others, as far as the desktop allows it."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()
        QApplication.alert(self)  # where it may not take the keyboard, its button asks for it

    def commands(self) -> list[Command]:
        """Return everything that can be done, the page in front first."""
        self._want_pages()
        front = self.page
        found = [Command(tr("Go to"), entry.go_action) for entry in self._entries]
        for menu in (self.view_menu, self.help_menu):
            found += [Command(tr("Window"), a) for a in menu.actions() if a.text()]
        found += [Command(tr("Window"), action) for action in self._file_actions]
        for entry in self._entries:
            is_front = entry.page is front
            prepare = None if is_front else _bring(self, entry.page)
            actions = [*entry.page.actions(), *entry.page.found_actions()]
            of_page = [Command(entry.title, a, prepare) for a in actions]
            found = [*of_page, *found] if is_front else [*found, *of_page]
        return found

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Hide the names of the pages if space is tight."""
        super().resizeEvent(event)
        self.rail.set_narrow(event.size().width() < _COLLAPSE_BELOW)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Store size and position, then stop everything without asking."""
        self.remember()
        self.hide()  # stopping a build takes a moment, and nobody should have to watch
        self.closing.emit()
        super().closeEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Focus the next control in reading order, or the previous one.

        Qt asks for it as well when the focused control is disabled or hidden: then the focus stays
        in the page.
        """
        central, focused = self.centralWidget(), self.focusWidget()
        if focused is not None and not _takes_keys(focused) and self._keep_focus(focused, forward):
            return True
        is_over = focused is not None and not (central and central.isAncestorOf(focused))
        if central and not is_over and reading_order.step(central, focused, forward):
            return True
        return super().focusNextPrevChild(forward)

    def _keep_focus(self, focused: QWidget, forward: bool) -> bool:
        """Focus what has the keys of a page otherwise, or the next control in it."""
        page = self.page
        if page is None or not page.isAncestorOf(focused):
            return False
        proxy = page.focusProxy()
        if proxy is None or not _takes_keys(proxy):
            return reading_order.step(page, focused, forward)
        page.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def _lay_out(self) -> None:
        central = _Central()
        column(
            placed(row(self.rail, placed(self.stack, stretch=1), space=0), stretch=1),
            self.status_line,
            space=0,
            parent=central,
        )
        self.setCentralWidget(central)

    def _make_menus(self) -> None:
        bar = self.menuBar()
        self.file_menu, self.go_menu = bar.addMenu(tr("&File")), bar.addMenu(tr("&Go"))
        self.view_menu, self.help_menu = bar.addMenu(tr("&View")), bar.addMenu(tr("&Help"))
        for menu in (self.file_menu, self.go_menu, self.view_menu, self.help_menu):
            title = menu.title()
            key = parse(f"Alt+{title[title.index('&') + 1]}")
            self.keys.reserved[key] = tr("opens the menu {menu}", menu=title.replace("&", ""))
        self._make_file_menu()
        self._theme_actions()
        self.view_menu.addSeparator()
        self._add(
            self.view_menu,
            "full_screen",
            tr("Full screen"),
            self._toggle_full_screen,
            "full_screen",
        )
        text = tr("Help on this page")
        self.help_action = self._add(self.help_menu, "help", text, self._ask_help, "help")
        palette, keys = lambda: self.palette_panel.open(), lambda: self.key_list.open()
        self._add(
            self.view_menu,
            "read_board",
            tr("Read the board square by square"),
            self._read_board,
            "read",
        )
        self.find_action = self._add(self.help_menu, "find", tr("Find a command"), palette, "find")
        self.keys_action = self._add(self.help_menu, "keys", tr("Keys of this page"), keys, "keys")

    def _make_file_menu(self) -> None:
        add = partial(self._add, self.file_menu)
        open_recording = self.recording_requested.emit
        self._file_actions = [
            add("open_recording", tr("Open a recording in Review"), open_recording),
            add("back_up", tr("Back up"), self.backup_requested.emit),
            add("settings", tr("Settings"), lambda: self.show_page_named(_SETTINGS)),
            add("quit", tr("Quit"), self.close, "quit"),
        ]
        self._fill_file_menu(())
        self.file_menu.aboutToShow.connect(
            lambda: self._fill_file_menu(self.page.actions() if self.page else ())
        )

    def _fill_file_menu(self, actions: Sequence[QAction]) -> None:
        """Show what the page in front does with files, then what works everywhere."""
        menu = self.file_menu
        open_recording, *others, leave = self._file_actions
        menu.clear()
        if not opens_files(actions):
            menu.addAction(open_recording)
        menu.addActions(file_actions(actions))
        menu.addSeparator()
        menu.addActions(others)
        menu.addSeparator()
        menu.addAction(leave)

    def _ask_help(self) -> None:
        front = next((entry for entry in self._entries if entry.page is self.page), None)
        if front:
            self.help_requested.emit(front.name)

    def _theme_actions(self) -> None:
        choices = {
            "system": tr("Colors like the system"),
            "light": tr("Light"),
            "dark": tr("Dark"),
        }
        group = QActionGroup(self)
        self._theme_choices: dict[str, QAction] = {}
        for value, text in choices.items():
            choose = partial(self._settings.set, "theme", value)
            action = self._add(self.view_menu, f"theme_{value}", text, choose)
            action.setCheckable(True)
            group.addAction(action)
            self._theme_choices[value] = action
        self._mark_theme("theme", self._settings.get("theme"))
        switch = self._switch_theme
        self._add(self.view_menu, "theme_switch", tr("Switch light and dark"), switch, "theme")

    def _add(
        self, menu: QMenu, name: str, text: str, work: Callable[[], object], meaning: str = ""
    ) -> QAction:
        action = QAction(text, self)
        action.setObjectName(name)
        if name in _ICONS:
            action.setIcon(icon(_ICONS[name]))
        action.setShortcuts(sequences_of(meaning))
        action.triggered.connect(lambda _=False: work())
        menu.addAction(action)
        self.keys.add(WINDOW, tr(_EVERYWHERE), action)
        return action

    def _mark_theme(self, name: str, value: object) -> None:
        if name == "theme":
            self._theme_choices[str(value)].setChecked(True)

    def _switch_theme(self) -> None:
        is_dark = self.palette().window().color().lightness() < 128
        self._settings.set("theme", "light" if is_dark else "dark")

    def _toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _read_board(self) -> None:
        """Let arrow keys read the board of the page in front, or play again."""
        boards = self.page.findChildren(BoardView) if self.page else []
        can = [one for one in boards if one.isVisible() and one.focusPolicy() & _BY_TAB]
        if can:
            can[0].read_squares(can[0].read_cell is None)

    def _key_sections(self) -> Sequence[tuple[str, Sequence[QAction]]]:
        front = next((entry for entry in self._entries if entry.page is self.page), None)
        sections: list[tuple[str, Sequence[QAction]]] = []
        if front:
            sections.append((front.title, front.page.actions()))
        sections.append((tr("Go to"), [entry.go_action for entry in self._entries]))
        window = [*self.view_menu.actions(), *self.help_menu.actions(), *self._file_actions]
        return [*sections, (tr("Window"), window)]


def _takes_keys(widget: QWidget) -> bool:
    return widget.isEnabled() and widget.isVisible()


class _Central(QWidget):
    """All but the menus. Qt need not tell thousands of widgets of a language: they are replaced."""

    def delete_stepwise(self, pages: Sequence[QWidget]) -> None:
        """Delete these pages one by one (each takes tens of milliseconds), then the rest."""
        steps = ChunkedWork(self)
        steps.do([part.deleteLater for part in (*pages, self)])

    def event(self, event: QEvent) -> bool:
        """Consume language change events."""
        return event.type() == QEvent.Type.LanguageChange or super().event(event)


class _PageStack(QStackedWidget):
    """The pages, one in front: the window doesn't ask all of them how high they would like to be.

    They scroll. Asked, they lay out their contents a hundred times for each change of the page.
    """

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Return False: the height doesn't depend on the width."""
        return False


def _bring(window: MainWindow, page: Page) -> Callable[[], None]:
    return lambda: window.show_page(page)


def fill_page_menu(menu: QMenu, actions: Sequence[QAction]) -> None:
    """Add the actions of a page to its menu.

    Large groups are separated by lines, in a long menu they are submenus. Actions for files are
    left to the File menu, and keys that nobody looks for in a menu to the list of keys.
    """
    groups = _grouped(actions)
    groups.pop(_FILE, None)
    is_long = sum(map(len, groups.values())) > _MAX_FLAT
    others: list[QAction] = []
    for title, some in groups.items():
        if not title or len(some) < _MIN_GROUP:
            others += some
        elif is_long:
            menu.addMenu(tr(title)).addActions(some)
        else:
            menu.addSeparator()
            menu.addActions(some)
    menu.addSeparator()
    menu.addActions(others)


def file_actions(actions: Sequence[QAction]) -> list[QAction]:
    """Return the actions of a page that belong into the File menu, Open before Save."""
    found, order = _grouped(actions).get(_FILE, []), _FILES.split()
    return sorted(found, key=lambda action: order.index(action.property(MEANING)))


def opens_files(actions: Sequence[QAction]) -> bool:
    """Return whether one of the actions can open a file now."""
    return any(one.property(MEANING) == "open" and one.isEnabled() for one in actions)


def _grouped(actions: Sequence[QAction]) -> dict[str, list[QAction]]:
    """Return the actions by group, the other ones under ""."""
    groups: dict[str, list[QAction]] = {title: [] for title in (*_GROUPS, "")}
    for action in actions:
        meaning = action.property(MEANING)
        if meaning not in _ONLY_KEYS:
            groups[_GROUP_OF.get(meaning, "")].append(action)
    return {title: some for title, some in groups.items() if some}
