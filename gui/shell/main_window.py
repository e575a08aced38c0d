"""The window: pages, the rail at their side, a menu, a command palette. It knows no rules."""

import sys
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QKeyEvent, QKeySequence, QResizeEvent
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
from engine.platform.project_files import APP_TITLE
from gui.board.board_view import BoardView
from gui.keys.key_bindings import MEANING, KeyBindings, sequences_of
from gui.keys.shortcuts import WINDOW, parse
from gui.pages.door import DoorSpec, PageSpec
from gui.pages.page import Page
from gui.settings_model.settings import Settings
from gui.shell.command_palette import Command, CommandPalette
from gui.shell.doors import Door, Doors, Entry
from gui.shell.key_list import KeyList
from gui.shell.nav_rail import NavRail
from gui.style.icons import icon
from gui.style.layout import fitting_size, placed, row
from gui.widgets import reading_order
from gui.widgets.grouped_menu import add_groups, clear, file_actions
from gui.widgets.status_line import StatusLine
from gui.work.chunked_work import ChunkedWork

_FIRST_SIZE = QSize(1280, 860)
_COLLAPSE_BELOW, _COMPACT_BELOW = 1100, 760
_N_DIGITS = 10  # on a keyboard
_EVERYWHERE = mark("Everywhere")  # where the keys of the window work
_ICONS = {"quit": "quit", "theme_switch": "theme", "help": "help"}
_BY_TAB = Qt.FocusPolicy.TabFocus
_SETTINGS, _HELP = "Settings", "Help"  # no text: the titles of the pages, in English
_COLORS = "colors"  # no text: why the picture is held
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_EXACT = QKeySequence.SequenceMatch.ExactMatch
_KEY_EVENTS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)


class MainWindow(QMainWindow):
    """Shows one page at a time."""

    closing = Signal()
    help_requested = Signal(str)
    recording_requested = Signal()
    backup_requested = Signal()
    pages_requested = Signal()
    due_requested = Signal()  # by the badge of a door
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
        self.keys = KeyBindings(self._settings, self)
        self.doors = Doors(self._settings.state)
        self.status_line = StatusLine()
        self.rail = NavRail(self.status_line)
        self.stack = _PageStack()
        self._lay_out()
        self._make_menus()
        self.palette_panel = CommandPalette(self, self.commands)
        self.key_list = KeyList(self, self._key_sections)
        self.rail.chosen.connect(self._show_door)

    def strip(self) -> Callable[[], None]:
        """Start again without pages; return what deletes the old ones once nothing calls them."""
        if focused := self.focusWidget():
            focused.clearFocus()  # the deleted widget would take the window's focus with it
        self._steps.do([])  # new colors of pages that go
        self.release_picture(_COLORS)
        old, pages = self.takeCentralWidget(), self.doors.pages
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
        self._fit_width()
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
        if self._open_game.shortcut().matches(QKeySequence(event.keyCombination())) == _EXACT:
            self._open_game.trigger()  # a page that opens games itself has taken the key
            return
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
        front = self.stack.currentWidget()
        return front if isinstance(front, Page) else None

    def announce(self, spec: DoorSpec) -> Door:
        """Announce a door whose pages are added later, and return it."""
        index, has_tabs = len(self.doors.all), len(spec.pages) > 1
        # On a Mac Option and a digit write a character; Qt calls the command key Ctrl there.
        modifier = "Ctrl" if sys.platform == "darwin" else "Alt"  # no text
        key = f"{modifier}+{(index + 1) % _N_DIGITS}"  # the tenth has the 0, as on a keyboard
        if index >= _N_DIGITS or self.keys.is_taken(key):
            key = ""
        name = f"{'door' if has_tabs else 'go'}_{spec.title.lower()}"
        go = self._make_way(name, spec.icon_name, tr(spec.title), key)
        go.triggered.connect(lambda _=False: self._show_door(index))
        door = Door(spec, go)
        door.entries = [Entry(page, door, go) for page in spec.pages]
        self.doors.all.append(door)
        self.go_menu.insertAction(self._below_doors, go)
        for entry in door.entries if has_tabs else ():
            entry.go = self._make_way(f"go_{entry.spec.name}", entry.spec.icon, entry.place)
            entry.go.triggered.connect(partial(self._show_entry, entry))
            self._tabs_menu.addAction(entry.go)
        self.rail.add_door(spec.title, spec.icon_name, go, at_bottom=spec.is_at_bottom)
        return door

    def _make_way(self, name: str, icon_name: str, text: str, key: str = "") -> QAction:
        go = QAction(icon(icon_name), text, self)
        go.setObjectName(name)
        go.setShortcut(QKeySequence(key))
        self.keys.add(WINDOW, tr(_EVERYWHERE), go, tr("Go to {page}", page=text))
        return go

    def add_page(self, page: Page) -> None:
        """Add a page that was announced with its door; others get a door of their own."""
        entry = self.doors.named(page.title)
        if entry is None:
            spec = PageSpec(page.title, page.icon, lambda *_: page)
            entry = self.announce(DoorSpec(page.title, page.icon, (spec,))).entries[0]
        for action in page.actions():
            self.keys.add(entry.spec.name, entry.title, action)
        self._reserve_letter(_with_letter(entry))
        entry.add(page)
        if entry.tabs:
            entry.tabs.chosen.connect(partial(self._show_tab, entry))
        self.stack.addWidget(page)
        self._fit_width()

    def _want_pages(self) -> None:
        if any(entry.page is None for entry in self.doors.entries):
            self.pages_requested.emit()

    def show_page(self, page: Page) -> None:
        front = self.doors.of(page)
        assert front, "the page was added"
        self._fill_page_menu(front, page.actions())
        self._fill_file_menu(page.actions())
        self._apply_to(page)
        self.rail.choose(self.doors.note_front(front))
        for action in self._tab_actions:
            action.setEnabled(front.tabs is not None)
        self.stack.setCurrentWidget(page)
        self.setWindowTitle(f"{front.place} \N{EN DASH} {APP_TITLE}")
        self._settings.state.set("window.page", front.spec.title)
        page.page_shown()
        page.setFocus()
        self.page_changed.emit()

    def show_page_named(self, name: str) -> None:
        """Bring the page with that title in English to the front; the first one if none is."""
        self._show_entry(self.doors.named(name) or self.doors.front(0))

    def _show_entry(self, entry: Entry, *_: object) -> None:
        if entry.page is None:
            self._want_pages()
        # If making the pages failed, which is reported, the first one is there.
        if page := entry.page or self.doors.front(0).page:
            self.show_page(page)

    def _show_door(self, index: int) -> None:
        if self.doors.all[index].has_badge:
            self.due_requested.emit()
        else:
            self._show_entry(self.doors.front(index))

    def _show_tab(self, entry: Entry, index: int) -> None:
        """Show another page of the same door; the keyboard stays in the tabs if it was there."""
        had_keyboard = entry.tabs is not None and entry.tabs.hasFocus()
        chosen = entry.door.entries[index]
        self._show_entry(chosen)
        if had_keyboard and chosen.tabs:
            chosen.tabs.setFocus(Qt.FocusReason.TabFocusReason)

    def _step_tab(self, step: int) -> None:
        if front := self.doors.of(self.page):
            entries = front.door.entries
            self._show_entry(entries[(entries.index(front) + step) % len(entries)])

    def set_badge(self, meaning: str, name: str, count: int) -> None:
        if entry := self.doors.named(name):
            self.rail.set_badge(meaning, entry.door.spec.title, count)
            entry.door.has_badge = count > 0

    def set_sheet(self, sheet: str) -> None:
        """Use another style sheet, step by step: the frame and the page in front, then the others.

        Nothing changes visibly before the page in front has it, too.
        """
        self._sheet = sheet
        self._apply_to_overlays()
        front = [self.page] if self.page else []
        pages = [*front, *(page for page in self.doors.pages if page is not self.page)]
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
        for part in (self.menuBar(), self.rail):
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
        found = [Command(tr("Go to"), go, former_name=former) for go, former in self._ways()]
        found += [Command(tr("Go to"), action) for action in self._tab_actions]
        found += [Command(tr("Window"), action) for action in self._window_actions()]
        for page in self.doors.pages:
            prepare = None if page is front else partial(self.show_page, page)
            actions, title = [*page.actions(), *page.found_actions()], tr(page.title)
            of_page = [Command(title, action, prepare) for action in actions]
            found = [*of_page, *found] if page is front else [*found, *of_page]
        return found

    def _ways(self) -> list[tuple[QAction, str]]:
        """Return what leads to doors, then what leads to their tabs, with the former titles."""
        doors = [(door.go, "") for door in self.doors.all]
        return doors + [
            (entry.go, tr(entry.spec.former_title))
            for entry in self.doors.entries
            if entry.go is not entry.door.go
        ]

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit_width()

    def _fit_width(self) -> None:
        self.rail.set_narrow(self.width() < _COLLAPSE_BELOW)
        self.doors.set_compact(self.width() < _COMPACT_BELOW)

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
            entry = self.doors.of(page)
            return reading_order.step(page, focused, forward, but=entry.tabs if entry else None)
        page.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def _lay_out(self) -> None:
        central = _Central()
        row(self.rail, placed(self.stack, stretch=1), space=0, parent=central)
        self.setCentralWidget(central)

    def _make_menus(self) -> None:
        bar = self.menuBar()
        self.file_menu, self.go_menu = bar.addMenu(tr("&File")), bar.addMenu(tr("&Go"))
        self.view_menu, self.page_menu = bar.addMenu(tr("&View")), bar.addMenu("")
        self.help_menu = bar.addMenu(tr("&Help"))
        for menu in (self.file_menu, self.go_menu, self.view_menu, self.help_menu):
            self._reserve_letter(menu.title())
        self._make_file_menu()
        self._make_go_menu()
        self._theme_actions()
        self.view_menu.addSeparator()
        add = partial(self._add, self.view_menu)
        add("full_screen", tr("Full screen"), self._toggle_full_screen, "full_screen")
        add("read_board", tr("Read the board square by square"), self._read_board, "read")
        add = partial(self._add, self.help_menu)
        palette, keys = lambda: self.palette_panel.open(), lambda: self.key_list.open()
        self._help_actions = [
            add("help", tr("Help on this page"), self._ask_help, "help"),
            add("find", tr("Find a command"), palette, "find"),
            add("keys", tr("Keys of this page"), keys, "keys"),
        ]
        self.help_action, self.find_action, self.keys_action = self._help_actions

    def _reserve_letter(self, title: str) -> None:
        key = parse(f"Alt+{title[title.index('&') + 1]}")
        self.keys.reserved[key] = tr("opens the menu {menu}", menu=title.replace("&", ""))

    def _fill_page_menu(self, front: Entry, actions: Sequence[QAction]) -> None:
        """Show the actions of a page in the menu that is called as it."""
        clear(self.page_menu)
        clear(self.help_menu)
        add_groups(
            self.help_menu if front.spec.title == _HELP else self.page_menu,
            (action for action in actions if action not in file_actions(actions)),
        )
        self.help_menu.addSeparator()
        self.help_menu.addActions(self._help_actions)
        self.page_menu.setTitle(_with_letter(front))
        self.page_menu.menuAction().setVisible(not self.page_menu.isEmpty())

    def _make_file_menu(self) -> None:
        add = partial(self._add, self.file_menu)
        self._open_game = QAction(tr("Open game\N{HORIZONTAL ELLIPSIS}"), self)
        self._open_game.triggered.connect(lambda _=False: self.recording_requested.emit())
        self._file_actions = [
            add("back_up", tr("Back up"), self.backup_requested.emit),
            add("settings", tr("Settings"), lambda: self.show_page_named(_SETTINGS)),
            add("quit", tr("Quit"), self.close, "quit"),
        ]
        self._file_entries = {"open": self._open_game}
        for meaning, text in (("save", tr("Save")), ("import", tr("Import"))):
            self._file_entries[meaning] = QAction(text, self, enabled=False)
        for meaning, action in self._file_entries.items():
            action.setShortcuts(sequences_of(meaning))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # pages come first
        self._fill_file_menu(())
        self.file_menu.aboutToShow.connect(
            lambda: self._fill_file_menu(self.page.actions() if self.page else ())
        )

    def _make_go_menu(self) -> None:
        menu = self.go_menu
        self._below_doors = menu.addSeparator()
        self._tabs_menu = menu.addMenu(tr("Tabs"))
        steps = (("next_tab", tr("Next tab"), 1), ("previous_tab", tr("Previous tab"), -1))
        self._tab_actions = [
            self._add(menu, name, text, partial(self._step_tab, step), name)
            for name, text, step in steps
        ]

    def _fill_file_menu(self, actions: Sequence[QAction]) -> None:
        """Show what the page in front does with files, then what works everywhere."""
        menu = self.file_menu
        *others, leave = self._file_actions
        of_page = {action.property(MEANING) or action: action for action in file_actions(actions)}
        menu.clear()
        for meaning, entry in self._file_entries.items():
            own = of_page.pop(meaning, entry)
            menu.addAction(own if own.isEnabled() else entry)
        menu.addSeparator()
        menu.addActions(list(of_page.values()))
        menu.addSeparator()
        menu.addActions(others)
        menu.addSeparator()
        menu.addAction(leave)

    def _ask_help(self) -> None:
        if page := self.page:
            self.help_requested.emit(page.title)

    def _theme_actions(self) -> None:
        choices = {
            "system": tr("Theme of the system"),
            "light": tr("Light theme"),
            "dark": tr("Dark theme"),
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
        can = [board for board in boards if board.isVisible() and board.focusPolicy() & _BY_TAB]
        if can:
            can[0].read_squares(can[0].read_cell is None)

    def _key_sections(self) -> Sequence[tuple[str, Sequence[QAction]]]:
        sections: list[tuple[str, Sequence[QAction]]] = []
        if page := self.page:
            sections.append((tr(page.title), page.actions()))
        ways = [go for go, _ in self._ways()]
        sections.append((tr("Go to"), [*ways, *self._tab_actions]))
        return [*sections, (tr("Window"), self._window_actions())]

    def _window_actions(self) -> list[QAction]:
        view = [action for action in self.view_menu.actions() if not action.isSeparator()]
        return [*view, *self._help_actions, self._open_game, *self._file_actions]


def _with_letter(entry: Entry) -> str:
    """Return the title of a page with a letter that opens its menu; those of others are taken."""
    title, taken = entry.title, "fgvh"  # no text
    for text in (title, f"{title}({entry.spec.title[0]})", f"{title}(P)"):
        for i, letter in enumerate(text):
            if letter.isascii() and letter.isalpha() and letter.lower() not in taken:
                return f"{text[:i]}&{text[i:]}"
    return title


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
        return False
