"""The target of a table: a tile, or a sum of all tiles but walls and large ones."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QSpinBox, QWidget

from engine.platform.language import mark, tr
from gui.settings_model.settings import Settings
from gui.style.layout import column, laid_out, placed, row
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.fields import number_field
from gui.widgets.labels import label
from tablebase.formation.goal import TARGETS, Goal, SumGoal, TileGoal, goal_of

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation

_KINDS = {TileGoal.kind: mark("A tile"), SumGoal.kind: mark("A sum")}


class TargetField(QWidget):
    """A choice of kinds, and below it the tiles or a number; it remembers both."""

    changed = Signal()

    def __init__(self, settings: Settings, caption: str = "") -> None:
        super().__init__()
        self._settings = settings
        self.kind_chips = ChipGroup(tr("Goal"))
        self.kind_chips.set_choices(
            [Choice(kind, words) for kind, words in _KINDS.items()], settings.get("build.goal")
        )
        self.tile_chips = ChipGroup(tr("Target tile"))
        self.sum_spin = number_field(QSpinBox(), tr("Sum of the tiles"))
        self.sum_spin.setGroupSeparatorShown(True)
        self.sum_spin.setSingleStep(2)
        self.sum_spin.setKeyboardTracking(False)  # a half-typed number is not a sum yet
        self.note_label = label("", "caption", wraps=True)
        spin = placed(self.sum_spin, align=Qt.AlignmentFlag.AlignLeft)
        self._sum_part = laid_out(column(spin, self.note_label, space=6))
        captions = [label(caption, "caption")] if caption else []
        kinds = row(*captions, placed(self.kind_chips, stretch=1), space=12)
        column(kinds, self.tile_chips, self._sum_part, space=6, parent=self)
        self.kind_chips.chosen.connect(lambda _: self._on_kind())
        self.tile_chips.chosen.connect(lambda _: self.changed.emit())
        self.sum_spin.valueChanged.connect(self._on_sum)
        self._show_kind()

    @property
    def target(self) -> Goal | None:
        if self._is_sum:
            return SumGoal(self.sum_spin.value())
        tile = self.tile_chips.value
        return TileGoal(tile) if isinstance(tile, int) else None

    @property
    def stops(self) -> list[QWidget]:
        kinds, tiles = self.kind_chips.buttons, self.tile_chips.buttons
        return [*kinds.values(), *tiles.values(), self.sum_spin]

    def choose(self, target: Goal | int) -> None:
        """Show a target, if the formation has a table for it."""
        goal = goal_of(target)
        if isinstance(goal, SumGoal):
            self._set_sum(goal.total)
        elif not self.tile_chips.choose(target):
            return
        self.kind_chips.choose(goal.kind)
        self._show_kind()

    def set_formation(self, formation: "Formation") -> None:
        from tablebase.formation.formation import why_no_table  # loaded already, by the worker

        wanted = self.tile_chips.value or self._settings.get("build.target")
        choices = [Choice(tile, str(tile), why_no_table(formation, tile)) for tile in TARGETS]
        self.tile_chips.set_choices(choices, wanted)
        least, most = SumGoal.limits(formation)
        wanted = self.sum_spin.value() or self._settings.get("build.sum")
        with QSignalBlocker(self.sum_spin):
            self.sum_spin.setRange(least, most)
        self._set_sum(wanted)
        text = tr(
            "The sum of all tiles except walls and large ones: an even number from {least} to "
            "{most}.",
            least=f"{least:,}",
            most=f"{most:,}",
        )
        self.note_label.setText(text)

    def remember(self) -> None:
        goal = self.target
        if goal is None:
            return
        self._settings.set("build.goal", goal.kind)
        if isinstance(goal, SumGoal):
            self._settings.set("build.sum", goal.total)
        else:
            self._settings.set("build.target", goal.tile)

    @property
    def _is_sum(self) -> bool:
        return self.kind_chips.value == SumGoal.kind

    def _set_sum(self, total: int) -> None:
        with QSignalBlocker(self.sum_spin):
            self.sum_spin.setValue(total + total % 2)

    def _on_sum(self, total: int) -> None:
        if total % 2:  # new tiles are even
            self._set_sum(total)
        self.changed.emit()

    def _on_kind(self) -> None:
        self._show_kind()
        self.changed.emit()

    def _show_kind(self) -> None:
        self.tile_chips.setVisible(not self._is_sum)
        self._sum_part.setVisible(self._is_sum)
