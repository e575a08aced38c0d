"""The card of a game: what is on it fits, in all languages and colors, for any name."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from coach.analysis.course import CourseMoment, CoursePhase
from coach.analysis.game_facts import CostlyMove, GameFacts, Stretch
from coach.grading.grade import Grade
from engine.platform.language import use
from gui.style.color_schemes import load_color_schemes
from gui.style.theme import make_theme
from gui.widgets.share_card import HEIGHT, WIDTH, card_texts, draw_card

WORST = CostlyMove(
    1234, (1, 2, 3, 0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17), 0, (2,), 0.9, 0.99, Grade.BLUNDER
)
COURSE = Stretch("442_128", 1232, (0.99, 0.98, 0.97, 0.985))
FACTS = GameFacts(
    name="game.txt",
    n_moves=31_245,
    points=733_924,
    largest_tile=32768,
    stretches=(COURSE, Stretch("L3_512", 2001, (0.5, 0.6))),
    n_judged=6,
    longest_streak=2,
    match_rate=0.8731,
    points_lost=0.19,
    points_of_luck=-0.3,
    counts=(2, 1, 1, 0, 1, 1, 0),
    worst=(WORST,),
)
BARE = GameFacts("", 0, 0, 2, (), 0, 0, 1.0, 0.0, 0.0, (0,) * 7, ())
HUGE = GameFacts(
    name="<b>" + "W" * 900 + "\u5b8c\u7f8e" * 90 + "\n\ttab",
    n_moves=131_070,
    points=3_932_100,
    largest_tile=131_072,
    stretches=tuple(Stretch(f"{'a' * 40}_{2**i}", i, (1e-9, 1 - 3e-9)) for i in range(4, 12)),
    n_judged=131_070,
    longest_streak=131_070,
    match_rate=4.1e-7,
    points_lost=12_345.6,
    points_of_luck=-98_765.4,
    counts=(131_070,) * 7,
    worst=(WORST,),
)
PHASE = CoursePhase(1, 20_000, (), True, 20_000, {"search": 20_000}, 0.3, 0.1, 0.99, 0.5)
BESIDE = (16384, 8192, 4096, 2048)
MOMENT = CourseMoment(True, 12_345, 4, (1,) * 16, 0, (1,), 0.99, 0.01, None)
MOVE = CourseMoment(False, 131_070, 2, (1,) * 16, 2, (3,), 1.0, 0.0, Grade.DISASTER)
WHOLE = replace(
    FACTS,
    stretches=(Stretch("", 1, tuple(0.5 + 0.4 * (i % 2) for i in range(31_245))),),
    phases=(
        PHASE,
        replace(PHASE, first=20_001, last=31_245, large=BESIDE, points_lost=1.2, is_made=False),
    ),
    moments=(MOMENT, *(replace(MOVE, number=i) for i in range(1, 9)), MOVE),
)
SCHEMES = load_color_schemes()


def theme(is_dark: bool = False):
    return make_theme(SCHEMES, is_dark, "")


@pytest.fixture(params=["en", "zh_CN", "xx"])
def _language(request):
    use(request.param)
    yield
    use("en")


@pytest.mark.usefixtures("qapp", "_language")
@pytest.mark.parametrize(
    "facts", [FACTS, BARE, HUGE, WHOLE], ids=["usual", "bare", "huge", "whole"]
)
def test_no_text_is_clipped_or_covers_another(facts):
    card = QRectF(16, 16, WIDTH - 32, HEIGHT - 32)
    texts = [text for text in card_texts(facts, theme()) if text.text]
    for text in texts:
        metrics = QFontMetricsF(text.font)
        assert metrics.horizontalAdvance(text.text) <= text.place.width(), text.text
        assert metrics.capHeight() + metrics.descent() <= text.place.height(), text.text
        assert card.contains(text.place), text.text
        assert "\n" not in text.text
    for i, one in enumerate(texts):
        for other in texts[:i]:
            assert not one.place.adjusted(0, 3, 0, -3).intersects(
                other.place.adjusted(0, 3, 0, -3)
            ), (one.text, other.text)


@pytest.mark.usefixtures("qapp")
def test_it_says_what_it_is_about():
    said = " ".join(text.text for text in card_texts(FACTS, theme()))
    for what in (
        "game.txt", "733,924 points", "largest tile 32768", "31,245 moves", "2 of 6",
        "19 points", "1 blunder",
        "move 1,234", "Left: 90.00 %, up: 99.00 %", "442 \u2192 128", "L3 \u2192 512", "move 1,232",
    ):  # fmt: skip
        assert what in said


@pytest.mark.usefixtures("qapp")
def test_of_a_whole_game_it_tells_the_phases_and_what_else_cost_most():
    said = [text.text for text in card_texts(WHOLE, theme())]
    assert "120 points" in said, "what the highest bar stands for"
    assert "Rated by search" in said
    assert "1: up, not down" in said
    assert "100 % \u2192 0 %" in said
    assert sum("not down" in one for one in said) == 4
    tiles = replace(WHOLE, moments=(MOMENT,))
    assert "12,345: a new 4" in [text.text for text in card_texts(tiles, theme())]
    drawn, even = (
        draw_card(WHOLE, theme()),
        draw_card(
            replace(WHOLE, phases=(PHASE, replace(WHOLE.phases[1], points_lost=0.0))), theme()
        ),
    )
    bar = drawn.pixelColor(640, 400)  # of the second phase, at the right
    assert bar == theme().bad != even.pixelColor(640, 400)


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("number", [1, 15_622, 31_244])
def test_of_a_long_game_one_move_that_falls_is_drawn(number):
    rates = [0.9] * 31_245
    rates[number] = 0.1
    drawn = draw_card(replace(WHOLE, stretches=(Stretch("", 1, tuple(rates)),)), theme())
    line, left, right, low = theme().accent, 44, 680, 310  # a little above the lowest rate

    def distance(x: int) -> int:
        color = drawn.pixelColor(x, low)
        return sum(abs(one - two) for one, two in zip(color.getRgb(), line.getRgb(), strict=True))

    nearest = min(range(left, right), key=distance)
    assert distance(nearest) < 120 < distance((nearest + 30) % right)
    assert abs(nearest - left - (right - left) * number / 31_244) < 3


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("is_dark", [False, True])
def test_the_same_game_gives_the_same_pixels_in_the_colors_of_the_theme(is_dark):
    colors = theme(is_dark)
    first, again = draw_card(FACTS, colors), draw_card(FACTS, colors)
    assert (first.width(), first.height()) == (1200, 630)
    assert first == again
    assert first.pixelColor(2, 2) == colors.background
    assert first.pixelColor(600, 26) == colors.surface
    assert first != draw_card(FACTS, theme(not is_dark))
    assert first != draw_card(BARE, colors)


def test_a_move_that_two_tables_rate_is_marked_once_and_on_a_line():
    other = Stretch("L3_512", 1233, (0.4, 0.5, 0.6))
    facts = replace(FACTS, stretches=(COURSE, other))
    (mark,) = facts.marks()
    across = facts.across()
    assert mark == (WORST, across[0][2], 0.97)
    assert across[0][-1] < across[1][0]
    (mark,) = replace(FACTS, stretches=(other,)).marks()
    assert mark[2] == 0.5
    assert replace(FACTS, stretches=()).marks() == []


@pytest.mark.usefixtures("qapp")
def test_the_worst_board_is_drawn():
    drawn = draw_card(FACTS, theme())
    without = draw_card(replace(FACTS, worst=()), theme())
    assert drawn.pixelColor(820, 300) != without.pixelColor(820, 300)


@pytest.mark.thorough
@pytest.mark.usefixtures("qapp")
@settings(max_examples=30, deadline=None)
@given(st.text(max_size=300), st.integers(0, 10**9), st.floats(0, 1))
def test_no_name_or_number_is_too_long(name, number, rate):
    facts = GameFacts(
        name, number, number, 2, (Stretch(name, 1, (rate, rate)),), number, number, rate, 0.0,
        0.0, (number,) * 7, (),
    )  # fmt: skip
    for text in card_texts(facts, theme()):
        assert QFontMetricsF(text.font).horizontalAdvance(text.text) <= text.place.width()
