"""A path longer than its field."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from gui.widgets.folder_field import FolderEdit

_PATH = "/media/somebody/a drive with a long name/tables/of all kinds"


def test_a_long_path_keeps_both_ends_until_it_is_typed_at(qtbot):
    page, edit, plain = QWidget(), FolderEdit(_PATH), QLineEdit()
    column = QVBoxLayout(page)
    column.addWidget(edit)
    column.addWidget(plain)
    qtbot.addWidget(page)
    page.resize(200, 120)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    plain.setFocus()
    seen = edit.grab().toImage()
    edit.setFocus()
    assert edit.hasFocus()
    widths, middle = range(edit.width()), Qt.TextElideMode.ElideMiddle
    texts = {edit.fontMetrics().elidedText(_PATH, middle, width) for width in widths}
    same = []
    for text in texts:
        plain.setText(text)
        if plain.grab().toImage() == seen:
            same.append(text)
    assert len(same) == 1
    assert same[0].startswith("/media")
    assert same[0].endswith("kinds")
    assert edit.toolTip() == _PATH
    edit.home(False)
    assert edit.grab().toImage() != seen, "all of it can be edited"


def test_a_short_path_looks_as_in_any_field(qtbot):
    edit, plain = FolderEdit("/home"), QLineEdit("/home")
    for part in (edit, plain):
        qtbot.addWidget(part)
        part.resize(200, 30)
    assert edit.grab().toImage() == plain.grab().toImage()
