"""The gallery: cards walked by keys, what they say, the mode, the game of the day, covers."""

from datetime import date, timedelta

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.minigames.card import CardLayout, CardState, CoverImages
from gui.minigames.gallery import Gallery
from gui.minigames.medals import TROPHY_NAMES, draw_medal
from gui.style.stylesheet import stylesheet, write_arrows
from gui.style.theme import body_font, theme_source
from minigames.records import MinigameRecord
from minigames.registry import GAMES
from minigames.run import daily_game
from tests.gui.practice_theme import plain_theme

NAMES = list(GAMES)
KEY = Qt.Key
DAY = date(2026, 3, 5)
WIDEST = {"tile": 1 << 17, "pattern": 1 << 14, "score": 1_234_567}


def wide_states() -> dict[str, CardState]:
    """Return records with the longest figures that can be reached."""
    figures = {name: WIDEST[spec.track] for name, spec in GAMES.items()}
    return {
        name: CardState(MinigameRecord(1_234_567, 17, figure, 3, 12, 4000), has_run=True)
        for name, figure in figures.items()
    }


@pytest.fixture
def dressed(qapp, tmp_path):
    """Let the application look as in the program, with a font of a size."""
    font, sheet = qapp.font(), qapp.styleSheet()

    def dress(pixels: int) -> None:
        theme = plain_theme()
        qapp.setFont(body_font(pixels))
        qapp.setStyleSheet(stylesheet(theme, write_arrows(theme, str(tmp_path))))

    yield dress
    qapp.setStyleSheet(sheet)
    qapp.setFont(font)


@pytest.fixture
def gallery(qtbot, dressed):
    dressed(14)
    one = Gallery()
    qtbot.addWidget(one)
    one.resize(960, 640)  # four columns
    one.show()
    one.activateWindow()
    qtbot.waitUntil(lambda: one.covers.is_done and one.cards[NAMES[-1]].y() > 0)
    one.focus_card(NAMES[0])
    return one


def focused(gallery: Gallery) -> str:
    found = [name for name, one in gallery.cards.items() if one.hasFocus()]
    assert len(found) == 1
    return found[0]


def press(qtbot, gallery: Gallery, *keys: Qt.Key) -> str:
    for key in keys:
        qtbot.keyClick(gallery.cards[focused(gallery)], key)
    return focused(gallery)


def test_arrows_walk_in_two_dimensions(gallery, qtbot):
    cards = gallery.cards
    assert cards[NAMES[3]].y() == cards[NAMES[0]].y() < cards[NAMES[4]].y(), "four columns"
    assert press(qtbot, gallery, KEY.Key_Right) == NAMES[1]
    assert press(qtbot, gallery, KEY.Key_Down) == NAMES[5]
    assert press(qtbot, gallery, KEY.Key_Left) == NAMES[4]
    assert press(qtbot, gallery, KEY.Key_Up) == NAMES[0]
    assert press(qtbot, gallery, KEY.Key_Left) == NAMES[0]
    assert press(qtbot, gallery, KEY.Key_Up) == NAMES[0]
    assert press(qtbot, gallery, *[KEY.Key_Right] * 4) == NAMES[4], "on to the next row"


def test_home_end_and_the_last_row(gallery, qtbot):
    assert press(qtbot, gallery, KEY.Key_End) == NAMES[-1]
    assert press(qtbot, gallery, KEY.Key_Down) == NAMES[-1]
    assert press(qtbot, gallery, KEY.Key_Right) == NAMES[-1]
    assert press(qtbot, gallery, KEY.Key_Home) == NAMES[0]
    gallery.resize(720, 640)  # three columns: two cards in the last row
    qtbot.waitUntil(lambda: gallery.cards[NAMES[3]].y() > gallery.cards[NAMES[2]].y())
    gallery.focus_card(NAMES[17])
    assert gallery.cards[NAMES[17]].x() > gallery.cards[NAMES[19]].x()
    assert press(qtbot, gallery, KEY.Key_Down) == NAMES[-1]


def test_the_card_that_has_the_keyboard_is_in_view(gallery, qtbot):
    for key in (KEY.Key_End, KEY.Key_Home):
        one = gallery.cards[press(qtbot, gallery, key)]
        top = one.mapTo(gallery.scroller.viewport(), one.rect().topLeft()).y()
        assert 0 <= top <= top + one.height() <= gallery.scroller.viewport().height()


def test_a_letter_goes_to_the_next_game_that_begins_with_it(gallery, qtbot):
    assert press(qtbot, gallery, KEY.Key_M) == "mystery_merge_1"
    assert press(qtbot, gallery, KEY.Key_M) == "mystery_merge_2"
    assert press(qtbot, gallery, KEY.Key_M) == "mystery_merge_1", "round again"
    assert press(qtbot, gallery, KEY.Key_B) == "blitzkrieg"
    assert press(qtbot, gallery, KEY.Key_B) == "blitzkrieg", "the only one"
    assert press(qtbot, gallery, KEY.Key_Z, KEY.Key_7) == "blitzkrieg"


@pytest.mark.parametrize("key", [KEY.Key_Return, KEY.Key_Enter, KEY.Key_Space])
def test_a_key_opens_the_game(gallery, qtbot, key):
    with qtbot.waitSignal(gallery.chosen, check_params_cb=lambda name: name == NAMES[0]):
        qtbot.keyClick(gallery.cards[NAMES[0]], key)


def test_a_click_opens_the_game_and_gives_its_card_the_keyboard(gallery, qtbot):
    with qtbot.waitSignal(gallery.chosen, check_params_cb=lambda name: name == NAMES[2]):
        qtbot.mouseClick(gallery.cards[NAMES[2]], Qt.MouseButton.LeftButton)
    assert focused(gallery) == NAMES[2]


def test_keys_of_the_gallery_come_before_those_of_the_page(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    gallery = Gallery()
    QVBoxLayout(page).addWidget(gallery)
    heard = []
    for text in ("M", "Right", "Space", "Q", "Ctrl+M"):
        QShortcut(text, page).activated.connect(lambda text=text: heard.append(text))
    page.resize(960, 640)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    gallery.focus_card(NAMES[0])
    assert press(qtbot, gallery, KEY.Key_M) == "mystery_merge_1"
    assert press(qtbot, gallery, KEY.Key_Right) == "mystery_merge_2"
    with qtbot.waitSignal(gallery.chosen):
        qtbot.keyClick(gallery.cards["mystery_merge_2"], KEY.Key_Space)
    qtbot.keyClick(gallery.cards["mystery_merge_2"], KEY.Key_Q)
    qtbot.keyClick(gallery.cards["mystery_merge_2"], KEY.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert heard == ["Q", "Ctrl+M"], "no game begins with it"


def test_tab_reaches_one_card_only(gallery, qtbot):
    press(qtbot, gallery, KEY.Key_Down)
    reached = [
        name for name, one in gallery.cards.items() if one.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    assert reached == [NAMES[4]]
    gallery.normal_button.setFocus()
    gallery.focus_card()
    assert focused(gallery) == NAMES[4]


def test_the_mode(gallery, qtbot):
    heard = []
    gallery.mode_changed.connect(heard.append)
    assert not gallery.is_hard
    for button in (gallery.hard_button, gallery.hard_button, gallery.normal_button):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert heard == [True, False], "said once"
    gallery.set_hard(True)
    assert gallery.is_hard
    assert heard == [True, False]
    qtbot.mouseClick(gallery.normal_button, Qt.MouseButton.LeftButton)
    assert heard == [True, False, False]


def test_trophies_count_for_those_below_too(gallery):
    levels = dict(zip(NAMES, (4, 3, 3, 1, 0), strict=False))
    gallery.show_records({name: CardState(MinigameRecord(trophy=n)) for name, n in levels.items()})
    assert [total.count for total in gallery.totals] == [4, 3, 3, 1]
    assert all(total.isVisible() for total in gallery.totals)
    assert gallery.totals[0].accessibleName() == f"Bronze or better: 4 of {len(GAMES)} games"
    gallery.show_records({})
    assert not any(total.isVisible() for total in gallery.totals), "no zeros"


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("game", "record", "best", "progress", "text"),
    [
        ("ice_age", (), "", (0, 1024), ""),
        ("ice_age", (9000, 10, 1024, 1), "Best tile 1024", (1024, 2048), "1024 of 2048"),
        ("ice_age", (9000, 14, 16384, 4), "Best tile 16384", (8192, 8192), "Best tile 16384"),
        # A run that still goes on has the tile; the trophy comes in its end.
        ("blitzkrieg", (9, 11, 2048, 0), "Best tile 2048", (1024, 1024), "1024 of 1024"),
        ("design_master_1", (9, 9, 256, 1), "Best level 256", (256, 512), "256 of 512"),
        ("design_master_1", (9, 9, 0, 0, 1), "", (0, 256), ""),
        ("endless_hybrid", (30500, 9, 30500, 1), "Best 30,500", (30500, 50000), "30,500 of 50,000"),
    ],
)
def test_a_card_says_what_was_reached(gallery, game, record, best, progress, text):
    gallery.show_records({game: CardState(MinigameRecord(*record))})
    one = gallery.cards[game]
    assert (one.best_text, one.progress, one.progress_text) == (best, progress, text)
    assert best in one.accessibleDescription()


def test_a_screen_reader_hears_all_of_a_card(gallery):
    gallery.show_day(DAY)
    name = daily_game(DAY)
    record = MinigameRecord(9000, 11, 2048, 2)
    gallery.show_records({name: CardState(record, True, 4321, daily_done=True)})
    one = gallery.cards[name]
    assert one.accessibleName() == f"{GAMES[name].title}, silver trophy"
    for part in ("4,321 points", "Done today", "for gold"):
        assert part in one.accessibleDescription()
    others = [card for other, card in gallery.cards.items() if other != name]
    assert {card.accessibleName() for card in others} == {
        f"{card.spec.title}, no trophy" for card in others
    }
    assert not any("today" in card.accessibleDescription().lower() for card in others)


def test_what_a_card_shows_can_be_seen(gallery):
    name = "ice_age"
    one = gallery.cards[name]
    seen = [one.grab().toImage()]
    for state in (
        CardState(MinigameRecord(trophy=1)),
        CardState(MinigameRecord(best=9, best_figure=512)),
        CardState(has_run=True),
    ):
        gallery.show_records({name: state})
        seen.append(one.grab().toImage())
    gallery.show_records({})
    gallery.show_day(next(d for d in days() if daily_game(d) == name))
    seen.append(one.grab().toImage())
    gallery.show_records({name: CardState(daily_done=True)})
    seen.append(one.grab().toImage())
    assert all(a != b for i, a in enumerate(seen) for b in seen[:i])


@pytest.mark.usefixtures("qapp")
def test_medals_differ_by_shape():
    masks = set()
    for level in range(1, len(TROPHY_NAMES)):
        image = QImage(24, 24, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        draw_medal(painter, image.rect().toRectF(), level, plain_theme())
        painter.end()
        pixels = [(x, y) for x in range(24) for y in range(24)]
        masks.add(tuple(image.pixelColor(x, y).alpha() > 128 for x, y in pixels))
        assert not any(image.pixelColor(x, y).alpha() for x, y in pixels if {x, y} & {0, 23})
    assert len(masks) == 4


def days() -> list[date]:
    return [DAY + timedelta(days=n) for n in range(len(GAMES))]


def test_the_game_of_the_day_is_offered(gallery, qtbot):
    assert not gallery.daily_button.isVisible()
    gallery.show_day(DAY)
    title = GAMES[daily_game(DAY)].title
    assert gallery.daily_button.text().strip() == f"Daily: {title}"
    with qtbot.waitSignal(gallery.daily_requested):
        qtbot.mouseClick(gallery.daily_button, Qt.MouseButton.LeftButton)
    open_one = gallery.daily_button.accessibleDescription()
    gallery.show_records({daily_game(DAY): CardState(daily_done=True)})
    assert gallery.daily_button.accessibleDescription() != open_one


def test_covers_are_drawn_once_and_never_while_a_card_is_painted(gallery, qtbot, monkeypatch):
    drawn = []
    monkeypatch.setattr("gui.minigames.card.draw_cover", lambda *args: drawn.append(args[2]))
    gallery.grab()
    assert drawn == [], "kept"
    theme_source().use(plain_theme(is_dark=True))
    gallery.grab()
    assert drawn == [], "not while it paints"
    qtbot.waitUntil(lambda: gallery.covers.is_done)
    assert drawn == NAMES
    gallery.grab()
    assert gallery.covers.is_done


def test_a_cover_has_every_pixel_of_the_screen(qtbot, qapp):
    covers = CoverImages(qapp)
    assert covers.image("ice_age", QSize(100, 50), 1) is None
    qtbot.waitUntil(lambda: covers.is_done)
    before = covers.image("ice_age", QSize(100, 50), 1)
    asked = QSize(120, 60)
    meanwhile = covers.image("ice_age", asked, 1.5)
    assert before.size() == meanwhile.size() == QSize(100, 50), "the older one meanwhile"
    qtbot.waitUntil(lambda: covers.is_done)
    image = covers.image("ice_age", asked, 1.5)
    assert image.size() == QSize(180, 90)
    assert image.deviceIndependentSize().toSize() == asked
    covers.deleteLater()


@pytest.mark.parametrize("pixels", [14, 21], ids=["100 %", "150 %"])
def test_nothing_is_cut_off_in_a_small_window(dressed, qtbot, pixels):
    dressed(pixels)
    gallery = Gallery()
    qtbot.addWidget(gallery)
    gallery.show_day(next(d for d in days() if daily_game(d) == "endless_factorization"))
    gallery.show_records(wide_states())
    gallery.resize(800 - 56 - 24, 600 - 80)  # beside the rail, under the title
    gallery.show()
    qtbot.waitUntil(lambda: gallery.cards[NAMES[-1]].y() > 0)
    assert gallery.width() == 720, "it needs no more"
    header = (gallery.normal_button, gallery.hard_button, gallery.daily_button)
    for part in (*header, *(total for total in gallery.totals if total.isVisible())):
        assert part.width() >= part.sizeHint().width()
        right = part.mapTo(gallery, part.rect().topRight()).x()
        bottom = part.mapTo(gallery, part.rect().bottomLeft()).y()
        assert right < gallery.width()
        assert bottom < gallery.scroller.y()
    viewport = gallery.scroller.viewport()
    for one in gallery.cards.values():
        assert one.mapTo(viewport, one.rect().topRight()).x() < viewport.width()
        assert one.height() == one.heightForWidth(one.width())
    assert gallery.scroller.height() > 0.5 * gallery.height()


@pytest.mark.parametrize("pixels", [14, 21], ids=["100 %", "150 %"])
def test_the_words_have_room_on_the_narrowest_card(dressed, qtbot, pixels):
    dressed(pixels)
    gallery = Gallery()
    qtbot.addWidget(gallery)
    gallery.show_records(wide_states())
    layout = CardLayout(gallery.font())
    room = layout.least_width - 24
    title, caption = QFontMetrics(layout.title_font), QFontMetrics(layout.caption_font)
    for one in gallery.cards.values():
        assert title.horizontalAdvance(one.spec.title) + layout.medal_side + 6 <= room
        assert layout.badge_width("Continue") <= room
        assert caption.horizontalAdvance(one.progress_text) + layout.caption_height + 60 <= room
        assert 1 <= len(layout.summaries(layout.least_width)[one.spec.name]) <= 2
