"""One setting on its page: its name, its effect, the control, and warnings."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from engine.platform.language import tr
from gui.settings_model.setting import Setting, first_remark
from gui.settings_model.settings import Settings
from gui.style.layout import column, placed, row, stack
from gui.widgets.buttons import button, tool_button
from gui.widgets.controls import Control, SwitchControl
from gui.widgets.labels import WrapLabel, label, set_property, show_text

_BESIDE_FROM_PX, _HEAD_PX = 420, 24
Note = Callable[[], str]


class SettingRow(QWidget):
    """A setting and its control; `warning` returns a further one that applies now, "" for none.

    Nothing above the control changes its height with the values of settings: the reason for a lock
    replaces the description, and warnings are below the control.
    """

    restart_requested = Signal()

    def __init__(
        self, setting: Setting, settings: Settings, control: Control, warning: Note = lambda: ""
    ) -> None:
        super().__init__()
        self.setting, self.control = setting, control
        self._settings, self._warning = settings, warning
        self.help_label = _roomy([tr(setting.help), *map(tr, setting.locks)])
        self.note_label: _RoomyLabel | None = None  # most settings need none
        self.reset_button: QToolButton | None = None
        self.restart_button: QPushButton | None = None
        is_switch = isinstance(self.control, SwitchControl)
        title = self.control if is_switch else _words(tr(self.setting.title))
        self._head = row(placed(title, stretch=1), space=4)
        self._head.addStrut(_HEAD_PX)  # nothing moves when the button appears
        words = column(self._head, self.help_label, space=2)
        self._box = column(placed(words, stretch=1))
        if not is_switch:
            self._box.addWidget(self.control)
        self._column = column(self._box, space=4, parent=self)
        self.refresh()

    @property
    def note(self) -> str:
        if not self.control.isEnabled():
            return self.help_label.text()
        return self.note_label.text() if self.note_label else ""

    def refresh(self) -> None:
        setting, get = self.setting, self._settings.get
        value = get(setting.key)
        self.control.show_value(value)
        self._offer_reset(value != setting.default)
        why_not = tr(first_remark(setting.locks, value, get))
        warning = tr(first_remark(setting.warnings, value, get)) or self._warning()
        needs_restart = setting.needs_restart and value != self._settings.in_force(setting.key)
        if needs_restart:
            warning = tr("Takes effect the next time you start the program.")
        self.control.setEnabled(not why_not)
        self.help_label.setText(why_not or tr(setting.help))
        if setting.is_clear:
            self.help_label.setVisible(bool(why_not))
        self._warn("" if why_not else warning)
        self._offer_restart(needs_restart)
        self._keep_height()

    def _warn(self, text: str) -> None:
        if text and not self.note_label:
            self.note_label = _roomy(list(map(tr, self.setting.warnings)))
            set_property(self.note_label, "tone", "warning")
            self._column.addWidget(self.note_label)
        if self.note_label:
            show_text(self.note_label, text)

    def _offer_restart(self, offers: bool) -> None:
        if offers and not self.restart_button:
            self.restart_button = button(tr("Restart now"), work=self.restart_requested)
            self._column.addWidget(self.restart_button, 0, Qt.AlignmentFlag.AlignLeft)
        if self.restart_button:
            self.restart_button.setVisible(offers)

    def _offer_reset(self, offers: bool) -> None:
        if offers and not self.reset_button:
            title = tr(self.setting.title)
            self.reset_button = tool_button(
                "undo",
                tr("Reset to default"),
                "quiet mini",
                name=tr("Reset {name}", name=title),
                work=lambda: self._settings.reset(self.setting.key),
            )
            self.reset_button.setMaximumHeight(_HEAD_PX)
            self._head.addWidget(self.reset_button)
        if self.reset_button:
            self.reset_button.setVisible(offers)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if not isinstance(self.control, SwitchControl):
            is_narrow = self.control.is_wide or event.size().width() < _BESIDE_FROM_PX
            stack(self._box, is_narrow)
            side = Qt.AlignmentFlag.AlignTop if not is_narrow else Qt.AlignmentFlag(0)
            self._box.setAlignment(self.control, side)
        self._keep_height()

    def _keep_height(self) -> None:
        """Reserve the height, so that rows below don't take it before the page has grown."""
        self.setMinimumHeight(max(0, self.heightForWidth(self.width())))


class PointerRow(QWidget):
    """A result that is elsewhere, with a link."""

    def __init__(self, title: str, text: str, way: str) -> None:
        super().__init__()
        self.button = button(way)
        self.button.setAccessibleDescription(title)
        row(
            placed(column(_words(title), _words(text, "caption"), space=2), stretch=1),
            placed(self.button, align=Qt.AlignmentFlag.AlignTop),
            parent=self,
        )


class _RoomyLabel(WrapLabel):
    """A label as high as the longest of its possible texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__()
        self._texts = texts

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        metrics, room = self.fontMetrics(), QRect(0, 0, width, 1 << 20)
        wraps = Qt.TextFlag.TextWordWrap
        heights = [metrics.boundingRect(room, wraps, text).height() for text in self._texts]
        return max([super().heightForWidth(width), *heights])


def _roomy(texts: Sequence[str]) -> _RoomyLabel:
    caption = _RoomyLabel(texts)
    caption.setProperty("role", "caption")
    _fit(caption)
    return caption


def _words(text: str, role: str = "") -> QLabel:
    """Return a label whose height only depends on its width, not on its previous height."""
    words = label(text, role, wraps=True)
    _fit(words)
    return words


def _fit(words: QLabel) -> None:
    policy = words.sizePolicy()
    policy.setVerticalPolicy(QSizePolicy.Policy.Preferred)
    words.setSizePolicy(policy)
