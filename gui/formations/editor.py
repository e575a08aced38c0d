"""The editor: a board to draw on, the derived properties, and the save button."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from engine.platform.language import mark, sentences, tr, trc, trn
from gui.formations.cell_board import CellBoard
from gui.formations.cost_view import CostView
from gui.formations.drawing_edit import MAX_ARRANGEMENTS, DrawingEdit, Unsaved
from gui.formations.text import DrawingRemark, remarks, symmetry_name, tables_text
from gui.settings_model.settings import Settings
from gui.style.layout import STRETCH, clear_layout, column, laid_out, placed, row, stack
from gui.style.theme import mono_font
from gui.table_work.table_service import TablesService
from gui.text.numbers import NBSP
from gui.widgets.buttons import button, focus_by_tab, tool_button
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.disclosure import Disclosure
from gui.widgets.fields import number_field
from gui.widgets.labels import field, label, line, set_property, show_text
from gui.widgets.state_mark import StateMark
from gui.work.tasks import TaskRunner
from tablebase.formation.checks import MAX_EXTRA_STEPS, MIN_EXTRA_STEPS
from tablebase.formation.goal import Goal

if TYPE_CHECKING:
    from tablebase.formation.drawing import Drawing
    from tablebase.formation.formation import Formation

_STACK_BELOW = 600
_SIDE_WIDTH, _MIN_SIDE = 400, 300
_AROUND_BOARD = 316


_NO_BOARDS = mark("A start board is up to 16 hex digits, none of them twice.")

_SUMMARIES = {  # by whether the start boards and the symmetry are the user's own
    (False, False): mark("large tiles, start boards, symmetry"),
    (False, True): mark("your own symmetry"),
    (True, False): mark("your own start boards"),
    (True, True): mark("your own start boards and symmetry"),
}


class Details(QWidget):
    """The box of details, collapsed at first."""

    symmetry_chosen = Signal(str)  # "" for the derived one
    seeds_chosen = Signal(object)  # tuple of int: () for the derived ones
    steps_chosen = Signal(int)
    category_changed = Signal()

    def __init__(self, large_tiles: QWidget) -> None:
        super().__init__()
        self._drawing: Drawing | None = None
        self._is_showing = False
        self.symmetry_chips = ChipGroup(tr("Symmetry that counts"))
        self.seeds_edit = QLineEdit()
        self.seeds_edit.setFont(mono_font())
        self.seeds_edit.setAccessibleName(tr("Start boards as hex digits"))
        self.seeds_edit.setToolTip(
            tr("One board is 16 hex digits: 1 is a 2, 2 a 4, f a large tile")
        )
        self.reset_button = button(
            tr("Reset"),
            tip=tr("Use the start boards from the drawing"),
            work=lambda: self.seeds_chosen.emit(()),
        )
        self.seeds_note = label("", "caption", wraps=True)
        self.category_edit = QLineEdit()
        self.category_edit.setAccessibleName(tr("Category"))
        self.category_edit.setMaxLength(32)
        steps = QSpinBox(minimum=MIN_EXTRA_STEPS, maximum=MAX_EXTRA_STEPS)
        self.steps_spin = number_field(steps, tr("Extra layers"))
        self.steps_spin.setToolTip(tr("Layers beyond half the target; 48 are usually enough"))
        self.disclosure = Disclosure(tr("Details"), self._laid_out(large_tiles))
        column(self.disclosure, parent=self)
        self._connect()

    @property
    def category(self) -> str:
        return self.category_edit.text().strip()

    @property
    def tab_stops(self) -> list[QWidget]:
        chips = self.symmetry_chips.buttons.values()
        return [self.seeds_edit, self.reset_button, *chips, self.category_edit, self.steps_spin]

    def show_drawing(self, drawing: "Drawing") -> None:
        from tablebase.formation.drawing import EXTRA_STEPS, EXTRA_STEPS_OF_FREE

        self._drawing, self._is_showing = drawing, True
        choices = [Choice(mode, symmetry_name(mode)) for mode in drawing.symmetries]
        self.symmetry_chips.set_choices(choices, drawing.symmetry)
        self.seeds_edit.setText(" ".join(f"{seed:016x}" for seed in drawing.seeds))
        self.seeds_edit.setCursorPosition(0)
        self.reset_button.setEnabled(bool(drawing.own_seeds))
        self._show_seeds_note(_about_seeds(drawing))
        default = EXTRA_STEPS_OF_FREE if drawing.is_free else EXTRA_STEPS
        self.steps_spin.setValue(default if drawing.extra_steps is None else drawing.extra_steps)
        summary = _SUMMARIES[bool(drawing.own_seeds), bool(drawing.own_symmetry)]
        self.disclosure.set_summary(tr(summary))
        self._is_showing = False

    def _laid_out(self, large_tiles: QWidget) -> QWidget:
        seeds = row(placed(self.seeds_edit, stretch=1), self.reset_button, space=6)
        start = field(tr("Start boards"), seeds)
        start.addWidget(self.seeds_note)
        return laid_out(
            column(
                large_tiles,
                start,
                field(tr("Symmetry that counts"), self.symmetry_chips),
                row(
                    placed(field(tr("Category"), self.category_edit), stretch=1),
                    placed(field(tr("Extra layers"), self.steps_spin), stretch=1),
                    space=12,
                ),
                space=12,
                margins=(0, 4, 0, 4),
            )
        )

    def _connect(self) -> None:
        self.symmetry_chips.chosen.connect(self._choose_symmetry)
        self.seeds_edit.editingFinished.connect(self._take_seeds)
        self.steps_spin.valueChanged.connect(self._choose_steps)
        self.category_edit.textChanged.connect(lambda _: self.category_changed.emit())

    def _choose_symmetry(self, mode: str) -> None:
        if self._drawing:
            self.symmetry_chosen.emit("" if mode == self._drawing.symmetries[0] else mode)

    def _choose_steps(self, steps: int) -> None:
        if not self._is_showing:
            self.steps_chosen.emit(steps)

    def _take_seeds(self) -> None:
        from tablebase.errors import FormationError
        from tablebase.formation.checks import parse_boards

        if not self._drawing:
            return
        texts = self.seeds_edit.text().replace(",", " ").split()
        try:
            seeds = parse_boards("drawing", "seeds", [*texts])
        except FormationError:
            self._show_seeds_note(tr(_NO_BOARDS), is_wrong=True)
            return
        if seeds != self._drawing.seeds:
            self.seeds_chosen.emit(seeds)
        else:
            self._show_seeds_note(_about_seeds(self._drawing))

    def _show_seeds_note(self, text: str, is_wrong: bool = False) -> None:
        self.seeds_note.setText(text)
        set_property(self.seeds_note, "tone", "bad" if is_wrong else "")
        set_property(self.seeds_edit, "invalid", is_wrong)


def _about_seeds(drawing: "Drawing") -> str:
    if drawing.own_seeds:
        return tr("Your own. Reset brings back the ones from the drawing.")
    if drawing.is_free:
        return tr("Every board of twos is made from this one.")
    return tr("They come from the drawing. Change them if your game starts elsewhere.")


class FormationEditor(QWidget):
    """Draws one formation.

    The footer has the drawing's summary, its problems, and Save: the page puts it where it is
    always visible.
    """

    save_requested = Signal(object)  # Formation
    close_requested = Signal()
    delete_requested = Signal()
    copy_requested = Signal()
    paste_requested = Signal()

    def __init__(self, service: TablesService, tasks: TaskRunner, settings: Settings) -> None:
        super().__init__()
        self.edit, self.original = DrawingEdit(), ""
        self._category = ""
        self._taken: list[str] = []
        self._formation: Formation | None = None
        self._faults: Sequence[str] = ()
        self._remarks: list[DrawingRemark] = []
        self._tab_stops: list[QWidget] = []
        self._is_showing = False
        self.cost_view = CostView(service, tasks, settings)
        self._make_board()
        self._make_form()
        self._columns = row(
            placed(self._board_column(), stretch=1),
            placed(self._form_card(), align=Qt.AlignmentFlag.AlignTop),
            space=24,
        )
        column(self._columns, STRETCH, space=12, parent=self)
        self.footer = self._make_footer()
        self._connect()

    @property
    def formation(self) -> "Formation | None":
        return None if self._name_fault() else self._formation

    @property
    def is_changed(self) -> bool:
        is_moved = self.details.category != self._category
        return self.edit.can_undo or self.name_edit.isModified() or is_moved

    @property
    def unsaved(self) -> Unsaved:
        name, category = self.name_edit, self.details.category
        return Unsaved(self.edit, name.text(), category, self.original, name.isModified())

    def show_formation(
        self, formation: "Formation | None", name: str, original: str, taken: Sequence[str]
    ) -> None:
        """Begin with a formation or an empty board; `original` is "" for a new one."""
        from tablebase.formation.drawing import OWN_CATEGORY, drawing_of

        self._taken = list(taken)
        self._category = formation.category if formation and original else OWN_CATEGORY
        self._show_original(original)
        self.name_edit.setText(name)
        self.name_edit.setModified(False)
        self.details.category_edit.setText(self._category)
        drawing = drawing_of(formation) if formation else None
        self.details.disclosure.set_open(bool(drawing and (drawing.n_loose or drawing.masks[1:])))
        self.set_edit(DrawingEdit(drawing))

    def note_saved(self, name: str) -> None:
        """Go on with a drawing of which an earlier state was saved: it replaces that."""
        self._show_original(name)
        self._show()

    def _show_original(self, name: str) -> None:
        self.original = name
        self.title_label.setText(tr("Edit {name}", name=name) if name else tr("New formation"))
        self.delete_button.setVisible(bool(name))

    def take_unsaved(self, unsaved: Unsaved) -> None:
        """Go on with a drawing, after `show_formation` of the formation it was made from."""
        self.name_edit.setModified(unsaved.is_renamed)
        self.details.category_edit.setText(unsaved.category)
        self.set_edit(unsaved.edit)

    def set_edit(self, edit: DrawingEdit) -> None:
        self.edit = edit
        self._show()

    def take_pasted(self, formation: "Formation") -> None:
        """Draw another formation, as one step that can be undone."""
        from tablebase.formation.drawing import drawing_of

        self.edit.replace(drawing_of(formation))
        if not self.original:
            self.name_edit.setText(formation.name)
            self.name_edit.setModified(True)
            self.details.category_edit.setText(formation.category)
        self._show()

    def set_tables(self, targets: Sequence[Goal | int]) -> None:
        show_text(self.tables_label, tables_text(targets))

    def undo(self) -> None:
        self.edit.undo()
        self._show()

    def redo(self) -> None:
        self.edit.redo()
        self._show()

    def save(self) -> None:
        if self.formation:
            self.save_requested.emit(self.formation)

    def _make_board(self) -> None:
        self.board = CellBoard(self.edit)
        self.hint_label = label("", "caption", wraps=True)
        self.kind_chips = ChipGroup(tr("What a click puts"))
        self.kind_chips.set_choices(
            [Choice(False, tr("Large tiles")), Choice(True, tr("Walls"))], False
        )
        tools: tuple[tuple[str, str, str, Callable[[], None]], ...] = (
            ("undo", "undo", tr("Undo"), self.undo),
            ("redo", "redo", tr("Redo"), self.redo),
            ("rotate", "rotate_right", tr("Rotate"), lambda: self.edit.turn("rotate_right")),
            ("flip", "flip_sideways", tr("Flip"), lambda: self.edit.turn("mirror")),
            ("clear", "delete", tr("Clear the board"), lambda: self.edit.clear_all()),
        )
        self.tools = {
            name: tool_button(picture, tip, work=self._doing(work))
            for name, picture, tip, work in tools
        }
        focus_by_tab(*self.tools.values())  # a click leaves the board its keys

    def _make_form(self) -> None:
        self.title_label = label(tr("New formation"), "strong")
        self.copy_button = button(
            tr("Copy as text"),
            "quiet",
            tip=tr("Copy it as an entry of patterns_config.json"),
            work=self.copy_requested,
        )
        self.paste_button = button(
            tr("Paste"),
            "quiet",
            tip=tr("Draw the formation that was copied as text"),
            work=self.paste_requested,
        )
        self.delete_button = button(tr("Delete"), "quiet", work=self.delete_requested)
        self.name_edit = QLineEdit()
        self.name_edit.setAccessibleName(tr("Name"))
        self.name_edit.setPlaceholderText(tr("Letters and digits"))
        self.name_edit.setMaxLength(32)
        self.tables_label = label("", "caption", wraps=True)
        self.tables_label.hide()
        self.loose_spin = number_field(
            QSpinBox(minimum=0, maximum=15), tr("More large tiles that may stand anywhere")
        )
        self.way_chips = ChipGroup(tr("Arrangement of the large tiles"))
        self.add_way_button = button(
            tr("Add"),
            "chip",
            tip=tr("Draw another arrangement of the large tiles"),
            work=lambda: self._do(self.edit.add_arrangement),
        )
        self.remove_way_button = button(
            tr("Remove"),
            "chip",
            tip=tr("Remove this arrangement of the large tiles"),
            work=lambda: self._do(self.edit.remove_arrangement),
        )
        ways = row(
            placed(self.way_chips, stretch=1),
            placed(self.add_way_button, align=Qt.AlignmentFlag.AlignTop),
            placed(self.remove_way_button, align=Qt.AlignmentFlag.AlignTop),
            space=6,
        )
        self.large_widget = laid_out(
            column(
                row(
                    placed(label(tr("More large tiles, anywhere"), "caption"), stretch=1),
                    self.loose_spin,
                    space=12,
                ),
                field(tr("Arrangements"), ways),
                space=12,
            )
        )
        self.details = Details(self.large_widget)
        self.remark_box = column(space=6)

    def _board_column(self) -> QVBoxLayout:
        self.remarks_widget = laid_out(self.remark_box)
        self.remark_box.setContentsMargins(0, 4, 0, 0)
        return column(
            row(self.title_label, STRETCH, *self.tools.values(), space=4),
            self.board,
            self.hint_label,
            self.remarks_widget,
            STRETCH,
        )

    def _form_card(self) -> QFrame:
        self._side = QFrame()
        self._side.setProperty("card", True)
        name = field(tr("Name"), self.name_edit)
        name.addWidget(self.tables_label)
        column(
            name,
            field(tr("Click to place"), self.kind_chips),
            self.cost_view,
            self.details,
            row(self.copy_button, self.paste_button, self.delete_button, STRETCH, space=6),
            space=12,
            margins=16,
            parent=self._side,
        )
        return self._side

    def _make_footer(self) -> QWidget:
        self.summary_label = label("", "strong")
        self.note_label = label("", "caption", wraps=True)
        self.cancel_button = button(tr("Cancel"), "large", work=self.close_requested)
        self.save_button = button(tr("Save"), "primary large", work=self.save)
        return laid_out(
            column(
                line(),
                row(
                    placed(column(self.summary_label, self.note_label, space=2), stretch=1),
                    self.cancel_button,
                    self.save_button,
                    space=12,
                    margins=(24, 10, 24, 10),
                ),
                space=0,
            )
        )

    def _connect(self) -> None:
        self.board.cycled.connect(lambda cell: self._do(lambda: self.edit.cycle(cell)))
        self.board.marked.connect(lambda cell: self._do(lambda: self.edit.toggle_target(cell)))
        self.board.cleared.connect(lambda cell: self._do(lambda: self.edit.clear(cell)))
        self.kind_chips.chosen.connect(lambda walls: self._do(lambda: self.edit.set_walls(walls)))
        self.loose_spin.valueChanged.connect(lambda n: self._do(lambda: self.edit.set_loose(n)))
        self.way_chips.chosen.connect(self._choose_way)
        details = self.details
        details.symmetry_chosen.connect(lambda m: self._do(lambda: self.edit.choose(symmetry=m)))
        details.seeds_chosen.connect(lambda s: self._do(lambda: self.edit.choose(seeds=s)))
        details.steps_chosen.connect(lambda n: self._do(lambda: self.edit.choose(extra_steps=n)))
        details.category_changed.connect(self._show)
        self.name_edit.textChanged.connect(lambda _: self._show())
        self.cost_view.changed.connect(self._show_remarks)

    def _doing(self, work: Callable[[], None]) -> Callable[[], None]:
        return lambda: self._do(work)

    def _do(self, work: Callable[[], None]) -> None:
        if not self._is_showing:
            work()
            self._show()

    def _choose_way(self, number: int) -> None:
        self.edit.arrangement = number
        self._show()

    def _show(self) -> None:
        self._is_showing = True
        try:
            self._show_edit()
            self._check()
        finally:
            self._is_showing = False
        self._order_tabs()
        self._show_remarks()
        self.cost_view.show_formation(self._formation)

    def _show_edit(self) -> None:
        drawing, edit = self.edit.drawing, self.edit
        self.board.show_edit(edit)
        self.kind_chips.choose(drawing.walls)
        self.kind_chips.forbid(
            {True: tr("Remove the other arrangements first") if len(drawing.masks) > 1 else ""}
        )
        show_text(self.hint_label, _hint(drawing))
        self.tools["undo"].setEnabled(edit.can_undo)
        self.tools["redo"].setEnabled(edit.can_redo)
        self.large_widget.setVisible(not drawing.walls)
        self.loose_spin.setValue(drawing.n_loose)
        ways = [Choice(i, str(i + 1)) for i in range(len(drawing.masks))]
        self.way_chips.set_choices(ways, edit.arrangement)
        self.add_way_button.setEnabled(len(ways) < MAX_ARRANGEMENTS and any(drawing.masks))
        self.remove_way_button.setEnabled(len(ways) > 1)
        self.details.show_drawing(drawing)

    def _check(self) -> None:
        from tablebase.errors import FormationError
        from tablebase.formation.drawing import OWN_CATEGORY, faults

        drawing = self.edit.drawing
        self._faults = faults(drawing)
        self._formation = None
        if not self._faults:
            name, category = self.name_edit.text().strip(), self.details.category
            try:
                self._formation = drawing.formation(
                    "drawing" if self._name_fault() else name, category or OWN_CATEGORY
                )
            except FormationError as error:
                self._faults = (str(error),)

    def _order_tabs(self) -> None:
        """Set the tab order to the visual order, as some controls are created later."""
        stops: list[QWidget] = [
            self.board,
            *self.tools.values(),
            self.name_edit,
            *self.kind_chips.buttons.values(),
            *self.cost_view.tab_stops,
            self.details.disclosure.button,
            self.loose_spin,
            *self.way_chips.buttons.values(),
            self.add_way_button,
            self.remove_way_button,
            *self.details.tab_stops,
            self.copy_button,
            self.paste_button,
            self.delete_button,
            self.cancel_button,
            self.save_button,
        ]
        if stops != self._tab_stops and self.cancel_button.window() is self.window():
            self._tab_stops = stops
            for before, after in pairwise(stops):
                QWidget.setTabOrder(before, after)

    def _name_fault(self) -> str:
        from tablebase.formation.own_file import why_taken

        name = self.name_edit.text().strip()
        if not name:
            return tr("Give it a name.")
        if not (name.isascii() and name.isalnum()):
            return tr("A name has letters and digits only.")
        return why_taken(name, [other for other in self._taken if other != self.original])

    def _show_remarks(self) -> None:
        now = remarks(
            self.edit.drawing,
            self._faults,
            self._name_fault(),
            self.cost_view.cost,
            self.cost_view.target,
        )
        if now != self._remarks:
            self._remarks = now
            clear_layout(self.remark_box)
            turn = self._doing(lambda: self.edit.turn(self.edit.drawing.better_turn()))
            for remark in now:
                self.remark_box.addWidget(_remark_row(remark, turn))
        self.save_button.setEnabled(self.formation is not None)
        self.copy_button.setEnabled(self.formation is not None)
        fault = now[0].text if now and now[0].kind == "bad" else ""
        name = self.name_edit.text().strip() or tr("Unnamed")
        n_free = max(0, self.edit.drawing.n_free)
        cells = trn("{n} free cell", "{n} free cells", n_free).replace(" ", NBSP, 1)
        self.summary_label.setText(f"{name} \u00b7 {cells}")
        show_text(self.note_label, fault)
        set_property(self.note_label, "tone", "bad" if fault else "")
        set_property(self.name_edit, "invalid", bool(self._name_fault()) and self.is_changed)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        width = event.size().width()
        is_stacked = width < _STACK_BELOW
        stack(self._columns, is_stacked)
        side = min(_SIDE_WIDTH, max(_MIN_SIDE, width // 2 - 12))
        self._side.setMinimumWidth(0 if is_stacked else side)
        self._side.setMaximumWidth(16777215 if is_stacked else side)
        # As large as the text below it allows.
        self.board.set_most(self.window().height() - _AROUND_BOARD)


def _hint(drawing: "Drawing") -> str:
    if not any(drawing.masks):
        return ""  # a remark says how to begin
    wall = mark("Click: wall, target, free. Right-click or T: target. Arrows and Space work too.")
    tile = mark(
        "Click: large tile, target, free. Right-click or T: target. Arrows and Space work too."
    )
    text = tr(wall if drawing.walls else tile)
    anywhere = tr("Without a marked cell the target counts anywhere.")
    return text if drawing.targets else sentences(text, anywhere)


def _remark_row(remark: DrawingRemark, turn: Callable[[], None]) -> QWidget:
    box = row(StateMark(remark.kind), placed(label(remark.text, wraps=True), stretch=1))
    if remark.offers_turn:
        turn_button = button(trc("a drawing", "Turn"), "chip", by_tab=True, work=turn)
        box.addWidget(turn_button, 0, Qt.AlignmentFlag.AlignTop)
    return laid_out(box)
