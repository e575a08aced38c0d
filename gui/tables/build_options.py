"""The options of a build: what the table keeps, and how it is made. Closed until wanted."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from engine.platform.language import listed, mark, tr, trn
from gui.settings_model.settings import Settings
from gui.settings_model.settings_of_tables import LIMIT_WARNING
from gui.settings_model.settings_table import SETTINGS
from gui.style.layout import column, laid_out, placed, row
from gui.table_work.requests import BuildRequest
from gui.tables.option_fields import OptionField, labeled
from gui.text.contents import content_words
from gui.text.messages import sentence
from gui.widgets.controls import NumberControl
from gui.widgets.disclosure import Disclosure
from gui.widgets.folder_field import FolderField
from gui.widgets.labels import label, line
from gui.work.tasks import cpu_count
from tablebase.formation.extra_steps import FULL
from tablebase.formation.goal import SumGoal
from tablebase.store.options import DEFAULT_LARGE, OPTIONS

_COMPRESSIONS = {
    "fast": mark("compression fast"),
    "normal": mark("compression normal"),
    "small": mark("compression small"),
}
_CUT_OFF = mark(
    "Positions left after the last layer count as lost, so some rates are a little too low, mostly "
    "of positions that good play never reaches."
)
_FULL = mark("No position is left after the last layer: every rate is exact. Larger and slower.")
_DENSE = mark("All layers are stored, which gives the fastest lookups.")
NEEDS_ALL = next(iter(SETTINGS["build.threshold"].locks))
NOT_SPARSE = next(iter(SETTINGS["build.optimal_only"].locks))
SPARSE_NEEDS_ALL = mark("A sparse table needs every position, so leave nothing out first")
_UNLIMITED = mark(
    "For giant tables, limits leave out positions that hardly ever come up: what other programs "
    "call the advanced algorithm, with its STSL. Without limits nothing is left out."
)
_ORDER = sorted(
    OPTIONS, key=lambda name: (OPTIONS[name].group == "manner", OPTIONS[name].group == "limits")
)


class OptionsForm(QWidget):
    """All options of a build except its table; `fields` are by name, from top to bottom."""

    changed = Signal()  # an option has another value

    def __init__(self, settings: Settings, folder_field: FolderField, home: str) -> None:
        """`folder_field` is for the folder of the table, which is `home` by default."""
        super().__init__()
        self._settings, self._folder_field, self._home = settings, folder_field, home
        self._is_keeping = False
        names = ("rate", *(name for name in _ORDER if name != "rate"))
        self.fields = {name: OptionField(name) for name in names}
        self.limits_note = label("", "caption", wraps=True)
        self._adjust_fields()
        self._recall()
        self._show_notes()
        self.disclosure = Disclosure(tr("Options"), laid_out(self._layout()))
        self.disclosure.set_open(settings.state.get("build.options_open"))
        column(self.disclosure, parent=self)
        for field in self.fields.values():
            field.changed.connect(self._on_change)
        self.disclosure.toggled.connect(
            lambda is_open: self._settings.state.set("build.options_open", is_open)
        )
        self.show_summary()
        settings.changed.connect(self._follow_setting)

    def apply(self, request: BuildRequest) -> BuildRequest:
        values = {name: field.value for name, field in self.fields.items()}
        chosen = replace(request, **values)
        if not chosen.is_limited:
            chosen = replace(chosen, large_from=DEFAULT_LARGE)
        if isinstance(request.target, SumGoal):  # its table ends there
            chosen = replace(chosen, extra_steps="")
        return chosen

    def with_manner(self, request: BuildRequest) -> BuildRequest:
        return replace(request, **self.apply(request).manner)

    def remember(self, request: BuildRequest) -> None:
        self._is_keeping = True
        for name in self.fields:
            self._settings.set(f"build.{name}", getattr(request, name))
        self._is_keeping = False

    def mark_fault(self, at_fault: str) -> None:
        for name, field in self.fields.items():
            field.mark(is_invalid=name == at_fault)
        if at_fault:
            self.disclosure.set_open(True)

    def _adjust_fields(self) -> None:
        self.fields["spawn4"].editor.setAccessibleName(tr("How often a new tile is a 4"))
        all_cores = tr("All ({cores})", cores=cpu_count())
        self.fields["threads"].editor.setSpecialValueText(all_cores)
        for name, field in self.fields.items():
            if OPTIONS[name].group == "limits" or name == "extra_steps":
                field.editor.setToolTip(tr(field.setting.help))
            if OPTIONS[name].kind in ("switch", "folder"):
                field.note.setText(tr(field.setting.help))

    def _layout(self) -> QVBoxLayout:
        limits = [self.fields[name].labeled() for name in self._of_group("limits")]
        return column(
            *self._rows("contents"),
            column(*limits, self.limits_note),
            line(),
            labeled(tr("Folder"), self._folder_field),
            *self._rows("manner"),
            space=16,
            margins=(0, 4, 0, 4),
        )

    def _of_group(self, group: str) -> list[str]:
        return [name for name in self.fields if OPTIONS[name].group == group]

    def _rows(self, group: str) -> list[QLayout]:
        rows: list[QLayout] = []
        fields = [self.fields[name] for name in self._of_group(group)]
        while fields:
            if not all(isinstance(field.control, NumberControl) for field in fields[:2]):
                field = fields.pop(0)
                rows.append(field.labeled(field.note))
                continue
            pair, fields = fields[:2], fields[2:]
            notes = [field.note for field in pair if field.note.text()]
            halves = [placed(field.labeled(), stretch=1) for field in pair]
            rows.append(column(row(*halves, space=12), *notes, space=4))
        return rows

    def _recall(self) -> None:
        for name, field in self.fields.items():
            field.show_value(self._settings.get(f"build.{name}"))

    def _follow_setting(self, name: str, _value: object) -> None:
        if name.removeprefix("build.") in self.fields and not self._is_keeping:
            with QSignalBlocker(self):
                sparse = self.fields["sparse"]
                sparse.editor.forbid(dict.fromkeys(sparse.editor.buttons, ""))
                self._recall()
                self._show_notes()
            self.changed.emit()

    def _on_change(self) -> None:
        self._show_notes()
        self.show_summary()
        if not self.signalsBlocked():  # else it is shown what Settings has
            self.remember(self.apply(BuildRequest("", 0, Path())))
        self.changed.emit()

    def _show_notes(self) -> None:
        fields = self.fields
        sparse = fields["sparse"].value
        leaves_out = bool(fields["threshold"].value or fields["optimal_only"].value)
        for name in ("rate", "level"):
            fields[name].note.setText(fields[name].note_of_value)
        for name, lock in (("threshold", NEEDS_ALL), ("optimal_only", NOT_SPARSE)):
            fields[name].lock(tr(NEEDS_ALL) if sparse > 1 else "")
            fields[name].note.setText(tr(lock if sparse > 1 else fields[name].setting.help))
        why_not = tr(SPARSE_NEEDS_ALL) if leaves_out else ""
        chips = fields["sparse"].editor
        chips.forbid({n: why_not for n in chips.buttons if n != 1})
        fields["sparse"].note.setText(sentence(why_not) if why_not else about_sparse(sparse))
        is_full = fields["extra_steps"].value == FULL
        fields["extra_steps"].note.setText(tr(_FULL if is_full else _CUT_OFF))
        self._show_limits()

    def _show_limits(self) -> None:
        """Explain the limits, and keep their sum where a large tile can be made of it."""
        sums, large_tiles = self.fields["small_sum"], self.fields["large_from"]
        large = large_tiles.value
        offered = [choice.value for choice in sums.setting.choices if isinstance(choice.value, int)]
        least = min(n for n in offered if n >= large)
        if 0 < sums.value < least:
            sums.show_value(least)
        why_not = tr("Less than a tile that counts as large: the rest could never make another one")
        sums.editor.forbid({n: why_not if 0 < n < large else "" for n in offered})
        limits = [name for name in self._of_group("limits") if name != "large_from"]
        is_limited = any(self.fields[name].value for name in limits)
        first = "" if is_limited else tr("Set one of the two limits first")
        large_tiles.editor.forbid(dict.fromkeys(large_tiles.editor.buttons, first))
        self.limits_note.setText(tr(LIMIT_WARNING if is_limited else _UNLIMITED))

    def show_summary(self) -> None:
        self.disclosure.set_summary(self._summary())

    def _summary(self) -> str:
        usual = BuildRequest("", 0, Path())
        chosen = self.apply(usual)
        words = content_words(chosen) if chosen.content != usual.content else []
        if chosen.level != usual.level:
            words.append(tr(_COMPRESSIONS[chosen.level]))
        if chosen.pack_scratch:
            words.append(tr("compressed working files"))
        if chosen.scratch:
            words.append(tr("working files in {folder}", folder=chosen.scratch))
        if chosen.threads:
            words.append(trn("{n} thread", "{n} threads", chosen.threads))
        if chosen.memory_bytes:
            words.append(self.fields["memory_bytes"].editor.text())
        folder = self._folder_field.edit.text()
        if folder != self._home:
            words.append(tr("in {folder}", folder=folder))
        return listed(words) or tr("default")


def about_sparse(sparse: int) -> str:
    if sparse == 1:
        return tr(_DENSE)
    share = round(200 / sparse)
    return tr(
        "Stores 2 of every {sparse} layers and recomputes the rest when needed: {share} % of the "
        "size, but slower lookups.",
        sparse=sparse,
        share=share,
    )
