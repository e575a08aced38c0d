"""Boards in pictures: pasted, dropped, opened, checked where they are not sure."""

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDropEvent, QGuiApplication, QImage, QPainter

from engine.bitboard import cells
from gui.practice.page import PracticePage
from gui.style.color_schemes import load_color_schemes
from gui.style.theme import make_theme, theme_source
from tests.gui.page_driver import CTRL, press, press_with
from tests.gui.practice.driver import OTHER_START, board
from tests.gui.practice_fakes import L3_START


def picture_of(page: PracticePage, position: int) -> QImage:
    """Return the picture that Z copies while a position is shown."""
    was = page.board_view.cells
    page.board_view.show_board(cells(position))
    image = page.board_view.picture().toImage()
    page.board_view.show_board(was)
    return image


def with_ink(image: QImage, cell: int) -> QImage:
    """Return a picture in which the figure of one tile is smudged."""
    painter = QPainter(image)
    side = image.width() / 4
    left, top = side * (cell % 4), side * (cell // 4)
    painter.fillRect(
        int(left + side * 0.35), int(top + side * 0.35), int(side * 0.2), int(side * 0.3), QColor(0)
    )
    painter.end()
    return image


@pytest.mark.thorough
def test_the_picture_that_was_copied_can_be_pasted(page):
    QGuiApplication.clipboard().setImage(picture_of(page, OTHER_START))
    press_with(page, CTRL, Qt.Key.Key_V)
    assert board(page) == OTHER_START
    assert page.panel.verdict.text() == "Read from the picture."
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == L3_START


@pytest.mark.thorough
def test_locked_tiles_are_read_as_they_are_drawn(page):
    press(page, Qt.Key.Key_Z)
    press(page, Qt.Key.Key_Up)
    press_with(page, CTRL, Qt.Key.Key_V)
    assert board(page) == L3_START


@pytest.mark.thorough
def test_what_is_not_sure_is_framed_and_checked_before_it_is_taken(page):
    QGuiApplication.clipboard().setImage(with_ink(picture_of(page, OTHER_START), 8))
    press_with(page, CTRL, Qt.Key.Key_V)
    assert page.edit_bar.is_active
    assert page.board_view.doubts == {8}
    shown = page.board_view.cells
    assert shown[:8] + shown[9:] == cells(OTHER_START)[:8] + cells(OTHER_START)[9:]
    assert page.panel.verdict.text().startswith("Compare with the picture: row 3, column 1")
    assert board(page) == L3_START, "nothing is taken yet"
    press(page, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_0)
    page.edit_bar.done_button.click()
    assert board(page) == OTHER_START & ~(15 << 28)
    assert page.board_view.doubts == frozenset()


def test_a_check_can_be_given_up(page):
    QGuiApplication.clipboard().setImage(with_ink(picture_of(page, OTHER_START), 8))
    press_with(page, CTRL, Qt.Key.Key_V)
    press(page, Qt.Key.Key_Escape)
    assert board(page) == L3_START
    assert page.board_view.doubts == frozenset()


def test_a_picture_is_dropped(page, tmp_path):
    path = tmp_path / "screenshot.PNG"
    picture_of(page, OTHER_START).save(str(path), "PNG")  # type: ignore[call-overload]
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    page.dropEvent(event)
    assert board(page) == OTHER_START


@pytest.mark.thorough
def test_a_picture_is_opened(page, dialogs, tmp_path):
    dialogs.path = tmp_path / "board.png"
    picture_of(page, OTHER_START).save(str(dialogs.path), "PNG")  # type: ignore[call-overload]
    page.actions_by_name["read_picture"].trigger()
    assert board(page) == OTHER_START


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(b"no picture at all", "not a picture that can be opened"), (b"", "not a picture")],
)
def test_a_file_that_is_no_picture_is_refused(page, dialogs, tmp_path, content, complaint):
    dialogs.path = tmp_path / "board.png"
    dialogs.path.write_bytes(content)
    page.actions_by_name["read_picture"].trigger()
    assert complaint in page.panel.hex_field.error_label.text()
    assert board(page) == L3_START


def test_a_picture_without_a_board_is_refused(page):
    image = QImage(300, 300, QImage.Format.Format_RGB32)
    image.fill(QColor("#884400"))
    QGuiApplication.clipboard().setImage(image)
    press_with(page, CTRL, Qt.Key.Key_V)
    assert "No board is found in the picture" in page.panel.hex_field.error_label.text()
    assert board(page) == L3_START


def test_text_beside_a_picture_wins(page):
    """Spreadsheets put both on the clipboard."""
    data = QMimeData()
    data.setImageData(QImage(30, 30, QImage.Format.Format_RGB32))
    data.setText(f"{OTHER_START:016x}")
    QGuiApplication.clipboard().setMimeData(data)
    press_with(page, CTRL, Qt.Key.Key_V)
    assert board(page) == OTHER_START


@pytest.mark.parametrize("is_dark", [False, True])
def test_locked_tiles_without_figures_are_not_taken_for_empty_squares(page, is_dark):
    theme_source().use(make_theme(load_color_schemes(), is_dark, ""))
    page.board_view.show_large_numbers(False)
    press(page, Qt.Key.Key_Z)
    page.positions.set_text(f"{OTHER_START:016x}")
    press_with(page, CTRL, Qt.Key.Key_V)
    assert "cannot be read" in page.panel.hex_field.error_label.text()
    assert board(page) == OTHER_START


@pytest.mark.thorough
def test_a_board_with_walls_is_refused(page):
    view = page.board_view
    view.show_board(cells(0x112F_231F_124F_FFFF), (), {3, 7, 11, 12, 13, 14, 15})
    QGuiApplication.clipboard().setImage(view.picture().toImage())
    press_with(page, CTRL, Qt.Key.Key_V)
    assert page.panel.hex_field.error_label.text()
    assert board(page) == L3_START


@pytest.mark.thorough
def test_pasting_into_an_edit_takes_the_place_of_what_was_edited(page):
    press(page, Qt.Key.Key_F2, Qt.Key.Key_0)
    assert page.edit_bar.is_active
    QGuiApplication.clipboard().setText("2 . . .  . . . 4  2 F F F  . F F F")
    press_with(page, CTRL, Qt.Key.Key_V)
    assert not page.edit_bar.is_active
    assert board(page) == 0x1000_0002_1FFF_0FFF
    press(page, Qt.Key.Key_F2)
    QGuiApplication.clipboard().setImage(picture_of(page, OTHER_START))
    press_with(page, CTRL, Qt.Key.Key_V)
    assert board(page) == OTHER_START
