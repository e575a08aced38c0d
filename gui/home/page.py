"""Home: what is here, and the way to a first table when there is none."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gui.board.formation_view import FormationView
from gui.core.build_request import BuildRequest, Request, rebuild_request
from gui.core.builds import Builds
from gui.core.key_bindings import sequences_of
from gui.core.services import TablesService
from gui.core.settings import Settings
from gui.core.table_library import Library
from gui.core.tasks import TaskRunner
from gui.style.icons import icon
from gui.text.numbers import format_bytes, format_table
from gui.widgets.build_card import BuildCard
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.key_tips import tell_keys
from gui.widgets.labels import ElidedLabel, label
from gui.widgets.page import Page, clear_layout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablebase.formation.formation import Formation
    from tablebase.library.table_info import TableInfo

FIRST_TABLE = ("442", 128)
_PICTURE_FROM = 420


class TableTile(QFrame):
    """A complete table as a tile: its picture, its name, Practice.

    Signals
    -------
    clicked : the person wants to practice it
    """

    clicked = Signal()

    def __init__(self, table: "TableInfo", formation: "Formation | None") -> None:
        super().__init__()
        self.setProperty("card", True)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 16, 16, 16)
        row.setSpacing(16)
        view = FormationView(72)
        if formation:
            view.show_formation(formation)
        row.addWidget(view, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(label(format_table(table.pattern, table.target), "strong"))
        column.addWidget(ElidedLabel(format_bytes(table.bytes), "caption"))
        column.addStretch()
        self.button = QPushButton("Practice")
        self.button.clicked.connect(self.clicked)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        row.addLayout(column, 1)


class Hero(QFrame):
    """The one thing to do next: a title, a sentence, a big button.

    Signals
    -------
    clicked : the button was pressed
    """

    clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._has_picture = False
        self.view = FormationView(112)
        self.title_label = label("", "title", wraps=True)
        self.text_label = label("", "muted", wraps=True)
        self.button = QPushButton()
        self.button.setProperty("primary", True)
        self.button.setProperty("large", True)
        self.button.clicked.connect(self.clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 24, 24, 24)
        row.setSpacing(24)
        row.addWidget(self.view, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addWidget(self.title_label)
        column.addWidget(self.text_label)
        column.addSpacing(8)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch()
        row.addLayout(column, 1)

    def show_task(self, title: str, text: str, button: str, formation: "Formation | None") -> None:
        """Show what to do next."""
        self.title_label.setText(title)
        self.text_label.setText(text)
        self.button.setText(button)
        self._has_picture = formation is not None
        self._show_picture()
        if formation:
            self.view.show_formation(formation)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Leave out the picture where room is scarce."""
        super().resizeEvent(event)
        self._show_picture()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return what it needs without the picture."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), 240), hint.height())

    def _show_picture(self) -> None:
        self.view.setVisible(self._has_picture and self.width() >= _PICTURE_FROM)


class DueCard(QFrame):
    """How many mistakes are due today, and the way to the drill; hidden when none is."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 16, 12)
        row.setSpacing(16)
        self.text_label = label("", "strong", wraps=True)
        self.button = QPushButton(icon("mistakes"), " Drill")
        row.addWidget(self.text_label, 1)
        row.addWidget(self.button)
        self.hide()

    def show_count(self, n: int) -> None:
        """Say how many there are."""
        self.text_label.setText(
            "1 move to review today" if n == 1 else f"{n:,} moves to review today"
        )
        self.setVisible(n > 0)


class HomePage(Page):
    """Continue with the last table, choose another, or build the first.

    Signals
    -------
    practice_requested : Path (as object)
    drill_requested : the person wants to drill the mistakes that are due
    tables_requested : the person wants to build or look after tables
    """

    title = "Home"
    icon = "home"
    practice_requested = Signal(object)
    drill_requested = Signal()
    tables_requested = Signal()

    def __init__(
        self,
        service: TablesService,
        tasks: TaskRunner,
        settings: Settings,
        library: Library,
        builds: Builds,
    ) -> None:
        super().__init__()
        self._service, self._settings = service, settings
        self._library, self._builds = library, builds
        self._formations: Mapping[str, Formation] = {}
        self._asked: set[Path] = set()  # tables whose builds this page tells the end of
        self._is_waiting = False  # the keyboard was at the build that has just ended
        self._next: tuple[str, object] = ("", None)  # what the big button does
        self.tiles: dict[Path, TableTile] = {}
        self.hero = Hero()
        self.build_card = BuildCard(builds)
        self.others_label = label("Your tables", "strong")
        self._tiles = QWidget()
        self._flow = FlowLayout(self._tiles, space=12, column_width=240)
        self.more_button = QPushButton(icon("add"), "Build another table")
        self.due_card = DueCard()
        for part in (self.hero, self.due_card, self.build_card, self.others_label, self._tiles):
            self.body.addWidget(part)
        self.body.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addStretch()
        self.keys_label = label("", "caption", wraps=True)
        self.body.addWidget(self.keys_label)
        for part in (self.hero, self.others_label, self._tiles, self.more_button):
            part.hide()
        self._make_actions()
        self._connect()
        self._tasks = tasks
        self._read_formations()

    def show_due(self, n: int) -> None:
        """Say how many mistakes are due today, and nothing when none is."""
        self.due_card.show_count(n)
        self.drill_action.setEnabled(n > 0)

    def name_keys(self, find: QAction, keys: QAction) -> None:
        """Name the keys of the command palette and of the list of keys, now and when they change.

        Parameters
        ----------
        find, keys : QAction
            Open these.
        """

        def show() -> None:
            first = find.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            second = keys.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            texts = [f"{first} finds any command."] if first else []
            texts += [f"{second} shows the shortcuts of a page."] if second else []
            self.keys_label.setText(" ".join(texts))

        for action in (find, keys):
            action.changed.connect(show)
        show()

    def page_shown(self) -> None:
        """Look whether something changed on disk."""
        self._library.refresh()
        self._read_formations()

    def _read_formations(self) -> None:
        self._tasks.run(self._service.formations, self._set_formations, lambda _: None)

    def _make_actions(self) -> None:
        self.continue_action = self.add_action(QAction(icon("play"), "Continue", self), "continue")
        self.continue_action.setShortcuts(sequences_of("continue"))
        self.continue_action.triggered.connect(self._go_on)
        self.tables_action = self.add_action(
            QAction(icon("add"), "Build another table", self), "build"
        )
        self.tables_action.setShortcuts(sequences_of("new"))
        self.tables_action.triggered.connect(self.tables_requested)
        drill = QAction(icon("mistakes"), "Drill the moves due today", self)
        self.drill_action = self.add_action(drill, "drill")
        self.drill_action.setShortcuts(sequences_of("drill"))
        self.drill_action.setEnabled(False)
        self.drill_action.triggered.connect(self.drill_requested)

    def _connect(self) -> None:
        self.hero.clicked.connect(self._go_on)
        self.more_button.clicked.connect(self.tables_requested)
        self.due_card.button.clicked.connect(self.drill_requested)
        tell_keys(self.due_card.button, self.drill_action)
        tell_keys(self.hero.button, self.continue_action)
        tell_keys(self.more_button, self.tables_action)
        self._library.changed.connect(self._show)
        self._library.failed.connect(
            lambda text: self.banners.show_message(
                "bad", text, [("Look again", self._library.refresh)]
            )
        )
        self._builds.changed.connect(self._show)
        self._builds.ended.connect(self._on_build_ended)

    def _set_formations(self, formations: "Mapping[str, Formation]") -> None:
        if formations != self._formations:
            self._formations = formations
            self._show()

    def _show(self) -> None:
        if not self._library.is_known:
            return
        usable = self._library.usable
        self._show_next()
        is_building = self._builds.current is not None
        self.hero.setVisible(self._next[0] != "" and not (is_building and self._next[0] != "play"))
        clear_layout(self._flow)
        self.tiles = {}
        for table in usable:
            tile = TableTile(table, self._formations.get(table.pattern))
            tile.clicked.connect(lambda path=table.path: self.practice_requested.emit(path))
            self._flow.addWidget(tile)
            self.tiles[table.path] = tile
        is_said_above = [table.path for table in usable] == [self._next[1]]
        self.others_label.setVisible(bool(usable) and not is_said_above)
        self._tiles.setVisible(bool(usable) and not is_said_above)
        self.more_button.setVisible(bool(usable) or is_building)
        if self._is_waiting and self.hero.isVisible():
            self._is_waiting = False
            self.hero.button.setFocus()

    def _show_next(self) -> None:
        """Decide what the big button does: resume, continue, or build the first table."""
        partial = [t for t in self._library.tables if t.state == "partial" and not t.origin]
        interrupted = self._settings.state.get("build.interrupted")
        begun = next((t for t in partial if str(t.path) == interrupted), None)
        usable = self._library.usable
        last = next(
            (t for t in usable if str(t.path) == self._settings.state.get("practice.last_table")),
            None,
        )
        if begun and not self._builds.current:
            self._offer_resume(begun)
        elif last or usable:
            self._offer_practice(last or usable[0], is_last=bool(last))
        elif partial:
            self._offer_resume(partial[0])
        else:
            self._offer_first()

    def _offer_resume(self, table: "TableInfo") -> None:
        request = rebuild_request(table)
        self._next = ("build", request)
        share = f" at layer {table.layers_done} of {table.layers}" if table.layers else ""
        self.hero.show_task(
            f"{request.title} is not finished",
            f"Building stopped{share}. It resumes from there; nothing is lost.",
            "Resume building",
            self._formations.get(table.pattern),
        )

    def _offer_practice(self, table: "TableInfo", is_last: bool) -> None:
        self._next = ("play", table.path)
        name = format_table(table.pattern, table.target)
        text = (
            "Continue where you left off."
            if is_last
            else "Play, and see the success rate of every move."
        )
        self.hero.show_task(
            f"Practice {name}",
            text,
            "Continue" if is_last else "Practice",
            self._formations.get(table.pattern),
        )

    def _offer_first(self) -> None:
        pattern, target = FIRST_TABLE
        self._next = ("build", BuildRequest(pattern, target, self._service.home))
        self.hero.show_task(
            "Practice the endgame against perfect play",
            "A table knows your chance of success after every move, in every position of a "
            f"formation. Start with a small one: {format_table(pattern, target)} takes a few "
            "seconds to build.",
            f"Build {format_table(pattern, target)}",
            self._formations.get(pattern),
        )

    def _go_on(self) -> None:
        kind, what = self._next
        if kind == "play":
            self.practice_requested.emit(what)
        elif isinstance(what, BuildRequest) and not self._builds.current:
            self._settings.state.set("build.interrupted", "")
            self._build(what)

    def _on_build_ended(self, request: Request, status: int, message: str) -> None:
        self._library.refresh()
        if request.table not in self._asked:
            return  # another page asked, and tells it
        self._asked.discard(request.table)
        self._is_waiting = self.build_card.has_focus
        if status not in (0, 3):  # 0: the table stands here now, which says it
            again = ("Try again", lambda: self._build(request))
            text = (
                f"{request.doing} {request.title} stopped: {message}. You can resume it any time."
            )
            self.banners.show_message("bad", text, [again], str(request.table))

    def _build(self, request: Request) -> None:
        """Have a table built; the end of it is told here."""
        self._asked.add(request.table)
        self._builds.add(request)
        self.build_card.setFocus()  # what was pressed is gone
