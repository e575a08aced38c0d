"""Which AI plays: a menu by strength, and what the user's tables do for it."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QMenu, QWidget

from ai.choice import CHOOSERS, ChooserKind
from engine.platform.language import listed, sentences, tr
from engine.spawn import is_same_spawn4
from gui.style.layout import column, placed, row
from gui.text.numbers import NBSP, format_whole, table_title
from gui.widgets.buttons import MenuAligner, button, focus_by_tab
from gui.widgets.labels import label
from tablebase.formation.goal import goal_of
from tablebase.formation.patterns_file import load_formations

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo

OFFERED = ("network_search", "network_3", "tables", "network", "linear", "random")
"""From the strongest to the weakest; the others are under More."""
BuiltTables = Mapping[str, tuple[int, int]]
"""The exponent of the target and the number of free cells of each table, by its name."""
_MAX_LISTED = 3


def tables_for(tables: "Sequence[TableInfo]", spawn4: float) -> BuiltTables:
    """Return the finished tables of tiles for games with this probability of fours.

    Chained ones are left out, as the AI ignores them.
    """
    formations, found = load_formations(), {}
    for table in tables:
        tile, formation = goal_of(table.target).tile, formations.get(table.pattern)
        is_usual = tile and not table.then and not (formation and formation.walls)
        if is_usual and is_same_spawn4(table.spawn4, spawn4):
            n_free = 16 - formation.n_large if formation else 0
            found[f"{table.pattern}_{tile}"] = tile.bit_length() - 1, n_free
    return found


class _MenuBox(QComboBox):
    """A box that shows the choice, and a menu to choose from."""

    def __init__(self, menu: QMenu) -> None:
        super().__init__()
        self.menu = menu
        MenuAligner(menu, self)
        self.addItem("")
        self.setAccessibleName(tr("AI"))
        focus_by_tab(self)

    def showPopup(self) -> None:  # noqa: N802
        self.menu.setMinimumWidth(self.width())
        self.menu.popup(self.mapToGlobal(self.rect().bottomLeft()))


class AiChoice(QWidget):
    """The chosen AI, with its strength and tables; a click opens the menu."""

    chosen = Signal(str)
    builds_requested = Signal(object)  # formations and targets of the tables it lacks

    def __init__(self) -> None:
        super().__init__()
        self._built: BuiltTables | None = None  # not known yet
        self._name, self._missing = OFFERED[0], list[str]()
        self.menu_actions: dict[str, QAction] = {}
        self.box = _MenuBox(self._make_menu())
        self.about_label = label("", "caption", wraps=True)
        self.build_button = button(look="quiet row", by_tab=True, work=self._ask_for_tables)
        choice = row(label(tr("AI"), "caption"), placed(self.box, stretch=1), space=12)
        column(choice, self.about_label, self.build_button, space=4, parent=self)

    def show_ai(self, name: str) -> None:
        self._name = name
        self._show()

    def show_built(self, built: BuiltTables) -> None:
        self._built = built
        self._show()

    def _make_menu(self) -> QMenu:
        menu, more = QMenu(self), QMenu(tr("More"), self)
        for name in (*OFFERED, *(name for name in CHOOSERS if name not in OFFERED)):
            part = menu if name in OFFERED else more
            self.menu_actions[name] = action = part.addAction("")
            action.setCheckable(True)
            action.setToolTip(tr(CHOOSERS[name].what))
            action.triggered.connect(partial(self.chosen.emit, name))
        menu.addMenu(more)
        menu.setToolTipsVisible(True)
        more.setToolTipsVisible(True)
        return menu

    def _show(self) -> None:
        kind = CHOOSERS[self._name]
        for name, action in self.menu_actions.items():
            action.setText(f"{tr(CHOOSERS[name].title)}\t{_points(self._score(CHOOSERS[name]))}")
            action.setChecked(name == self._name)
        title = kind.title if self._built is None or self._used(kind) else kind.title_alone
        self.box.setItemText(0, tr(title or kind.title))
        self.box.setToolTip(tr(kind.what))
        self._missing = [name for name in kind.tables if name not in (self._built or ())]
        about = tr("About {points} a game.", points=_points(self._score(kind)))
        self.about_label.setText(sentences(about, self._use(kind)))
        if self._missing:
            self.build_button.setText(tr("Build {tables}", tables=_titles(self._missing)))
            tip = tr("With these tables about {points} a game.", points=_points(kind.best_score))
            self.build_button.setToolTip(tip)
        self.build_button.setVisible(self._built is not None and bool(self._missing))

    def _score(self, kind: ChooserKind) -> int:
        has_all = kind.tables and self._built is not None and set(kind.tables) <= set(self._built)
        return kind.best_score if has_all else kind.mean_score

    def _used(self, kind: ChooserKind) -> list[str]:
        return [name for name, table in (self._built or {}).items() if kind.uses(*table)]

    def _use(self, kind: ChooserKind) -> str:
        used = self._used(kind) if kind.tables else []
        if not used:
            return ""
        if len(used) > _MAX_LISTED:
            return tr("It uses {n} of your tables.", n=len(used))
        return tr("It uses your {tables}.", tables=_titles(used))

    def _ask_for_tables(self) -> None:
        parts = [name.rpartition("_") for name in self._missing]
        self.builds_requested.emit([(pattern, int(target)) for pattern, _, target in parts])


def _points(score: int) -> str:
    return tr("{points} points", points=format_whole(int(float(f"{score:.2g}")))).replace(" ", NBSP)


def _titles(tables: Sequence[str]) -> str:
    return listed([table_title(table).replace(" ", NBSP) for table in tables])
