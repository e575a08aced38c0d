"""Tab order by reading order, independent of creation order and focus proxies.

Qt goes by the order in which widgets were made, and counts a page that hands its focus on to its
board as one more stop: Tab would come back to the board before it has seen the whole page.
"""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QLayout,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from gui.style.layout import bring_into_sight

_BY_TAB = Qt.FocusPolicy.TabFocus


def step(root: QWidget, focused: QWidget | None, forward: bool, but: QWidget | None = None) -> bool:
    """Focus the next control in `root`, or the previous one; return False if there is none.

    From a widget that is not a stop, such as a disabled button, it continues from its place. It
    passes by `but`.
    """
    stops = [stop for stop in tab_stops(root) if stop is not but]
    if not stops:
        return False
    holders = [stop is focused or (focused and stop.isAncestorOf(focused)) for stop in stops]
    at = holders.index(True) if True in holders else None
    if at is None:
        n_before = _n_before(focused, root, stops)
        target = stops[n_before % len(stops) if forward else n_before - 1]
    else:
        target = stops[(at + (1 if forward else -1)) % len(stops)]
    reason = Qt.FocusReason
    target.setFocus(reason.TabFocusReason if forward else reason.BacktabFocusReason)
    bring_into_sight(target)
    return True


def tab_stops(root: QWidget) -> Iterator[QWidget]:
    """Yield the tab stops in `root`, in layout order; of a chip group only the chosen one."""
    for widget in _read(root):
        if widget.isEnabled() and not widget.focusProxy() and _is_stop(widget):
            yield widget


def _is_stop(widget: QWidget) -> bool:
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    chosen = group.checkedButton() if group and group.exclusive() else None
    if group is None or chosen is None or not (chosen.isVisible() and chosen.isEnabled()):
        return bool(widget.focusPolicy() & _BY_TAB)
    # Qt takes the policy away from those of a group that are not chosen, but not at once.
    return widget is chosen and any(button.focusPolicy() & _BY_TAB for button in group.buttons())


def _n_before(focused: QWidget | None, root: QWidget, stops: list[QWidget]) -> int:
    """Return the number of stops before a widget in reading order; 0 if it is not part of it."""
    read, known = list(_read(root)), set(stops)
    before = read[: read.index(focused)] if focused in read else []
    return sum(widget in known for widget in before)


def _read(widget: QWidget) -> Iterator[QWidget]:
    """Yield a widget and what is visible in it, in the order of its layouts."""
    yield widget
    layout = widget.layout()
    if isinstance(widget, QStackedWidget):
        inside = [widget.currentWidget()]
    elif isinstance(widget, QScrollArea):
        inside = [widget.widget()]
    elif isinstance(widget, QAbstractScrollArea):
        return  # a list or a text is one stop
    else:
        inside = list(_placed(layout)) if layout else []
        others = widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        inside += [child for child in others if child not in inside]
    for child in inside:
        if child and child.isVisible() and not child.isWindow():
            yield from _read(child)


def _placed(layout: QLayout) -> Iterator[QWidget]:
    for i in range(layout.count()):
        item = layout.itemAt(i)
        if item is None:
            continue
        if widget := item.widget():
            yield widget
        elif inner := item.layout():
            yield from _placed(inner)
