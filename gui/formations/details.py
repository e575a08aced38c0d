"""What few drawings need: large tiles in several ways, own start boards, symmetry, layers."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QSpinBox, QWidget

from engine.platform.language import mark, tr
from gui.formations.text import symmetry_name
from gui.style.layout import column, laid_out, placed, row
from gui.style.theme import mono_font
from gui.widgets.buttons import button
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.disclosure import Disclosure
from gui.widgets.fields import number_field
from gui.widgets.labels import field, label, set_property
from tablebase.formation.checks import MAX_EXTRA_STEPS, MIN_EXTRA_STEPS

if TYPE_CHECKING:
    from tablebase.formation.drawing import Drawing

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
