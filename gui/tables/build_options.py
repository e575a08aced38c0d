"""The options of a build: what the table keeps, and how it is made. Closed until wanted."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.platform.language import listed, mark, tr, trn
from gui.settings_model.settings import Settings
from gui.settings_model.settings_of_tables import (
    EQUAL_CHOICES,
    LARGE_CHOICES,
    SPARSE_CHOICES,
    STEPS_CHOICES,
    SUM_CHOICES,
)
from gui.settings_model.settings_table import SETTINGS
from gui.style.icons import icon
from gui.table_work.build_request import BuildRequest
from gui.text.contents import content_words
from gui.text.messages import sentence
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.disclosure import Disclosure
from gui.widgets.folder_edit import FolderEdit
from gui.widgets.labels import field, label, line, set_property
from gui.work.tasks import cpu_count
from tablebase.formation.extra_steps import FULL
from tablebase.formation.goal import SumGoal
from tablebase.store.options import DEFAULT_LARGE

RATES = tuple((one.value, one.words, one.note) for one in SETTINGS["build.rate"].choices)
LEVELS = tuple((one.value, one.words, one.note) for one in SETTINGS["build.level"].choices)
_COMPRESSIONS = {
    "fast": mark("compression fast"),
    "normal": mark("compression normal"),
    "small": mark("compression small"),
}
THRESHOLD_NOTE = SETTINGS["build.threshold"].help
OPTIMAL_NOTE = SETTINGS["build.optimal_only"].help
_CUT_OFF = mark(
    "Positions left after the last layer count as lost, so some rates are a little too low, mostly "
    "of positions that good play never reaches."
)
_FULL = mark("No position is left after the last layer: every rate is exact. Larger and slower.")
SCRATCH_NOTE = SETTINGS["build.scratch"].help
_DENSE = mark("All layers are stored, which gives the fastest lookups.")
NEEDS_ALL = SETTINGS["build.threshold"].locks[0].text
NOT_SPARSE = SETTINGS["build.optimal_only"].locks[0].text
SPARSE_NEEDS_ALL = mark("A sparse table needs every position, so leave nothing out first")
UNLIMITED = mark(
    "For giant tables, limits leave out positions that hardly ever come up: what other programs "
    "call the advanced algorithm, with its STSL. Without limits nothing is left out."
)
LIMITED = SETTINGS["build.most_equal"].warnings[0].text
_BYTES_PER_GB = 1e9
_KEPT = (
    *("spawn4", "rate", "threshold", "optimal_only", "sparse"),
    *("most_equal", "small_sum", "large_from", "extra_steps"),
    *("level", "pack_scratch", "scratch", "threads", "memory_bytes"),
)
"""The fields of a request that are stored in the settings."""


class BuildOptions(QWidget):
    """All options of a build except table and folder.

    Signals
    -------
    changed : an option has another value
    """

    changed = Signal()

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings, self._is_keeping = settings, False
        self._make_content_widgets()
        self._make_manner_widgets()
        self.disclosure = Disclosure(tr("Options"), self._laid_out())
        self.disclosure.set_open(settings.state.get("build.options_open"))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.disclosure)
        self._recall()
        self._connect()
        self._show_consequences()
        settings.changed.connect(self._follow_setting)

    def apply(self, request: BuildRequest) -> BuildRequest:
        """Return a request for the same table with the options chosen here."""
        most_equal, small_sum = map(_number_of, (self.equal_chips, self.sum_chips))
        is_limited = most_equal > 0 or small_sum > 0
        is_sum = isinstance(request.target, SumGoal)  # its table ends there
        return BuildRequest(
            *(request.pattern, request.target, request.folder),
            spawn4=round(self.spawn4_spin.value() / 100, 6),
            rate=str(self.rate_combo.currentData()),
            threshold=round(self.threshold_spin.value() / 100, 6),
            optimal_only=self.optimal_box.isChecked(),
            sparse=_number_of(self.sparse_chips),
            most_equal=most_equal,
            small_sum=small_sum,
            large_from=_number_of(self.large_chips) if is_limited else DEFAULT_LARGE,
            extra_steps="" if is_sum else str(self.steps_chips.value),
            level=str(self.level_chips.value),
            pack_scratch=self.pack_box.isChecked(),
            scratch=_folder_of(self.scratch_edit.text()),
            threads=self.threads_spin.value(),
            memory_bytes=round(self.memory_spin.value() * _BYTES_PER_GB),
        )

    def with_manner(self, request: BuildRequest) -> BuildRequest:
        """Return the request with the same contents, but the build settings chosen here."""
        chosen = self.apply(request)
        return replace(
            request,
            level=chosen.level,
            pack_scratch=chosen.pack_scratch,
            scratch=chosen.scratch,
            threads=chosen.threads,
            memory_bytes=chosen.memory_bytes,
        )

    def remember(self, request: BuildRequest) -> None:
        """Keep the options of a request for the next time."""
        self._is_keeping = True
        for name in _KEPT:
            self._settings.set(f"build.{name}", getattr(request, name))
        self._is_keeping = False

    def mark_fault(self, at_fault: str) -> None:
        """Mark the field that the form complains of, if it is one of these."""
        set_property(self.memory_spin, "invalid", at_fault == "memory")
        set_property(self.scratch_edit, "invalid", at_fault == "scratch")
        if at_fault in ("memory", "scratch"):
            self.disclosure.set_open(True)

    def _make_content_widgets(self) -> None:
        self.spawn4_spin = percent_spin(tr("How often a new tile is a 4"), low=0.01)
        self.rate_combo = QComboBox()
        self.rate_combo.setAccessibleName(tr("Precision of the rates"))
        for i, (rate, words, tip) in enumerate(RATES):
            self.rate_combo.addItem(tr(words), rate)
            self.rate_combo.setItemData(i, tr(tip), Qt.ItemDataRole.ToolTipRole)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.rate_combo.setSizeAdjustPolicy(policy)
        self.rate_combo.setMinimumContentsLength(4)
        self.rate_note = label("", "caption", wraps=True)
        self.threshold_spin = percent_spin(tr("Leave out chances up to"), low=0.0)
        self.threshold_spin.setSpecialValueText(tr("Nothing"))
        self.threshold_note = label(tr(THRESHOLD_NOTE), "caption", wraps=True)
        self.optimal_box = QCheckBox(tr("Only positions of best play"))
        self.optimal_note = label(tr(OPTIMAL_NOTE), "caption", wraps=True)
        self.sparse_chips = ChipGroup(tr("Sparse storage"))
        names = {1: tr("Off")}
        self.sparse_chips.set_choices([Choice(k, names.get(k, str(k))) for k in SPARSE_CHOICES], 1)
        self.sparse_note = label("", "caption", wraps=True)
        self.steps_chips = _limit_chips("build.extra_steps", STEPS_CHOICES)
        self.steps_note = label("", "caption", wraps=True)
        self.equal_chips = _limit_chips("build.most_equal", EQUAL_CHOICES)
        self.sum_chips = _limit_chips("build.small_sum", SUM_CHOICES)
        self.large_chips = _limit_chips("build.large_from", LARGE_CHOICES)
        self.limits_note = label("", "caption", wraps=True)

    def _make_manner_widgets(self) -> None:
        self.level_chips = ChipGroup(tr("Compression"))
        choices = [Choice(level, tr(text), tip=tr(tip)) for level, text, tip in LEVELS]
        self.level_chips.set_choices(choices, "fast")
        self.level_note = label("", "caption", wraps=True)
        self.pack_box = QCheckBox(tr("Compress working files"))
        self.pack_note = label(
            tr("Large ones always are. Takes less disk space while building, but a little longer."),
            "caption",
            wraps=True,
        )
        self.scratch_edit = FolderEdit()
        self.scratch_edit.setPlaceholderText(tr("Beside the table"))
        self.scratch_edit.setAccessibleName(tr("Working files in"))
        self.scratch_button = QToolButton()
        self.scratch_button.setIcon(icon("folder"))
        self.scratch_button.setToolTip(tr("Choose a folder for the working files"))
        self.scratch_button.setAccessibleName(tr("Choose a folder for the working files"))
        self.scratch_note = label(tr(SCRATCH_NOTE), "caption", wraps=True)
        cores = cpu_count()
        self.threads_spin = QSpinBox(minimum=0, maximum=256)
        self.threads_spin.setAccessibleName(tr("Threads"))
        self.threads_spin.setSpecialValueText(tr("All ({cores})", cores=cores))
        self.memory_spin = QDoubleSpinBox(decimals=1, minimum=0, maximum=4096, singleStep=1)
        self.memory_spin.setSuffix(" GB")
        self.memory_spin.setSpecialValueText(tr("All free"))
        self.memory_spin.setAccessibleName(tr("Memory limit"))
        for spin in (self.spawn4_spin, self.threshold_spin, self.threads_spin, self.memory_spin):
            spin.lineEdit().setTextMargins(6, 0, 0, 0)  # a style sheet cannot
            spin.setMinimumWidth(96)

    def _laid_out(self) -> QWidget:
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(16)
        column.addLayout(labeled(tr("Precision of the rates"), self.rate_combo, self.rate_note))
        chances = _pair(
            labeled(tr("New tile is a 4"), self.spawn4_spin),
            labeled(tr("Leave out chances up to"), self.threshold_spin),
        )
        chances_column = QVBoxLayout()
        chances_column.setSpacing(4)
        chances_column.addLayout(chances)
        chances_column.addWidget(self.threshold_note)
        column.addLayout(chances_column)
        column.addLayout(labeled("", self.optimal_box, self.optimal_note))
        column.addLayout(labeled(tr("Sparse storage"), self.sparse_chips, self.sparse_note))
        steps = tr(SETTINGS["build.extra_steps"].title)
        column.addLayout(labeled(steps, self.steps_chips, self.steps_note))
        limits = QVBoxLayout()
        limits.setSpacing(8)
        for key, chips in (
            ("build.most_equal", self.equal_chips),
            ("build.small_sum", self.sum_chips),
            ("build.large_from", self.large_chips),
        ):
            limits.addLayout(labeled(tr(SETTINGS[key].title), chips))
        limits.addWidget(self.limits_note)
        column.addLayout(limits)
        column.addWidget(line())
        column.addLayout(labeled(tr("Compression"), self.level_chips, self.level_note))
        column.addLayout(labeled("", self.pack_box, self.pack_note))
        scratch = QHBoxLayout()
        scratch.setSpacing(6)
        scratch.addWidget(self.scratch_edit, 1)
        scratch.addWidget(self.scratch_button)
        working = field(tr("Working files in"), scratch)
        working.addWidget(self.scratch_note)
        column.addLayout(working)
        column.addLayout(
            _pair(
                labeled(tr("Threads"), self.threads_spin),
                labeled(tr("Memory limit"), self.memory_spin),
            )
        )
        return content

    def _recall(self) -> None:
        get = self._settings.get
        self.spawn4_spin.setValue(get("build.spawn4") * 100)
        self.rate_combo.setCurrentIndex(self.rate_combo.findData(get("build.rate")))
        self.threshold_spin.setValue(get("build.threshold") * 100)
        self.optimal_box.setChecked(get("build.optimal_only"))
        self.sparse_chips.choose(get("build.sparse"))
        self.steps_chips.choose(get("build.extra_steps"))
        self.equal_chips.choose(get("build.most_equal"))
        self.sum_chips.choose(get("build.small_sum"))
        self.large_chips.choose(get("build.large_from"))
        self.level_chips.choose(get("build.level"))
        self.pack_box.setChecked(get("build.pack_scratch"))
        self.scratch_edit.setText(get("build.scratch"))
        self.threads_spin.setValue(get("build.threads"))
        self.memory_spin.setValue(get("build.memory_bytes") / _BYTES_PER_GB)

    def _follow_setting(self, name: str, _value: object) -> None:
        """Show a choice made in Settings."""
        if name in [f"build.{one}" for one in _KEPT] and not self._is_keeping:
            with QSignalBlocker(self):
                self.sparse_chips.forbid(dict.fromkeys(SPARSE_CHOICES, ""))
                self._recall()
                self._show_consequences()
            self.changed.emit()

    def _connect(self) -> None:
        changes: tuple[Callable[..., object], ...] = (
            self.spawn4_spin.valueChanged.connect,
            self.rate_combo.currentIndexChanged.connect,
            self.threshold_spin.valueChanged.connect,
            self.optimal_box.toggled.connect,
            self.sparse_chips.chosen.connect,
            self.steps_chips.chosen.connect,
            self.equal_chips.chosen.connect,
            self.sum_chips.chosen.connect,
            self.large_chips.chosen.connect,
            self.level_chips.chosen.connect,
            self.pack_box.toggled.connect,
            self.scratch_edit.textChanged.connect,
            self.threads_spin.valueChanged.connect,
            self.memory_spin.valueChanged.connect,
        )
        for connect in changes:
            connect(lambda _: self._on_change())
        self.scratch_button.clicked.connect(self._browse)
        self.disclosure.toggled.connect(
            lambda is_open: self._settings.state.set("build.options_open", is_open)
        )

    def _browse(self) -> None:
        folder = QFileDialog.getExistingDirectory(
            self, tr("Working files in"), self.scratch_edit.text()
        )
        if folder:
            self.scratch_edit.setText(str(Path(folder)))

    def _on_change(self) -> None:
        self._show_consequences()
        if not self.signalsBlocked():  # else it is shown what Settings has
            self.remember(self.apply(BuildRequest("", 0, Path())))
        self.changed.emit()

    def _show_consequences(self) -> None:
        """Explain the choices, and lock incompatible ones."""
        sparse = _number_of(self.sparse_chips)
        leaves_out = self.threshold_spin.value() > 0 or self.optimal_box.isChecked()
        self.rate_note.setText(tr(RATES[self.rate_combo.currentIndex()][2]))
        self.level_note.setText(next(tr(t) for v, _, t in LEVELS if v == self.level_chips.value))
        for widget in (self.threshold_spin, self.optimal_box):
            widget.setEnabled(sparse == 1)
            widget.setToolTip(tr(NEEDS_ALL) if sparse > 1 else "")
        self.threshold_note.setText(tr(NEEDS_ALL if sparse > 1 else THRESHOLD_NOTE))
        self.optimal_note.setText(tr(NOT_SPARSE if sparse > 1 else OPTIMAL_NOTE))
        why_not = tr(SPARSE_NEEDS_ALL) if leaves_out else ""
        self.sparse_chips.forbid({k: why_not for k in SPARSE_CHOICES if k > 1})
        self.sparse_note.setText(sentence(why_not) if why_not else about_sparse(sparse))
        self.steps_note.setText(tr(_FULL if self.steps_chips.value == FULL else _CUT_OFF))
        self._show_limits()
        self.disclosure.set_summary(self._summary())

    def _show_limits(self) -> None:
        """Explain the limits, and keep their sum where a large tile can be made of it."""
        large = _number_of(self.large_chips)
        least = min(n for n in SUM_CHOICES if n >= large)
        if 0 < _number_of(self.sum_chips) < least:
            self.sum_chips.choose(least)
        why_not = tr("Less than a tile that counts as large: the rest could never make another one")
        self.sum_chips.forbid({n: why_not if 0 < n < large else "" for n in SUM_CHOICES})
        is_limited = any(map(_number_of, (self.equal_chips, self.sum_chips)))
        first = "" if is_limited else tr("Choose one of the two limits first")
        self.large_chips.forbid(dict.fromkeys(LARGE_CHOICES, first))
        self.limits_note.setText(tr(LIMITED if is_limited else UNLIMITED))

    def _summary(self) -> str:
        """Return the text on non-default options, for the collapsed state."""
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
            words.append(self.memory_spin.text())
        return listed(words) or tr("default")


def _number_of(chips: ChipGroup) -> int:
    return int(str(chips.value))


def _limit_chips(key: str, choices: Sequence[int | str]) -> ChipGroup:
    """Return the choices of a limit, or of the length, as Settings calls them."""
    setting = SETTINGS[key]
    chips = ChipGroup(tr(setting.title))
    words = {one.value: tr(one.words) for one in setting.choices}
    chips.set_choices([Choice(n, words[n]) for n in choices], setting.default)
    chips.setToolTip(tr(setting.help))
    return chips


def about_sparse(sparse: int) -> str:
    """Return the explanation of sparse storage (two of every `sparse` layers)."""
    if sparse == 1:
        return tr(_DENSE)
    share = round(200 / sparse)
    return tr(
        "Stores two of every {sparse} layers: {share} % of the size. Lookups recompute "
        "the others, so they are slower.",
        sparse=sparse,
        share=share,
    )


def _folder_of(text: str) -> str:
    """Return the path of a folder as text; "" for none."""
    return str(Path(os.path.expanduser(text.strip()))) if text.strip() else ""


def percent_spin(name: str, low: float) -> QDoubleSpinBox:
    """Return a field for a percentage."""
    spin = QDoubleSpinBox(decimals=2, minimum=low, maximum=99.99, singleStep=1)
    spin.setSuffix(" %")
    spin.setAccessibleName(name)
    return spin


def _pair(left: QVBoxLayout, right: QVBoxLayout) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(12)
    for half in (left, right):
        row.addLayout(half, 1)
    return row


def labeled(caption: str, widget: QWidget, note: QLabel | None = None) -> QVBoxLayout:
    """Return a field under its caption, and a remark under it."""
    column = QVBoxLayout()
    column.setSpacing(4)
    if caption:
        column.addWidget(label(caption, "caption"))
    column.addWidget(widget)
    if note:
        column.addWidget(note)
    return column
