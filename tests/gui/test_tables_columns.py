"""The columns of the Tables page: each scrolls on its own, or both as one where room is scarce."""

import pytest

from gui.shell.reading_order import tab_stops
from gui.style.layout import bring_into_sight
from tests.gui.window_fakes import table_info


def top_of(stage, part):
    """Return where in the page a part of it begins."""
    return part.mapTo(stage.page, part.rect().topLeft()).y()


def fill(stage, qtbot, width):
    """Put more tables than there is room for, and open a form that is higher, too."""
    stage.put(*(table_info(stage.home / f"{name}_256") for name in ("442", "L3", "t", "LL")))
    stage.page.resize(width, 400)
    stage.panel.options.disclosure.set_open(True)
    qtbot.waitUntil(lambda: stage.page.width() == width and stage.panel.height() > 900)
    return stage.page.cards[stage.home / "442_256"]


def test_the_form_scrolls_and_the_tables_beside_it_stay(stage, qtbot):
    card, panel = fill(stage, qtbot, 1100), stage.panel
    at_first = top_of(stage, card)
    assert abs(top_of(stage, panel) - at_first) <= 1
    bring_into_sight(panel.options.fields["threads"].editor)
    scrolled = top_of(stage, panel)
    assert scrolled < at_first
    assert top_of(stage, card) == at_first
    bring_into_sight(stage.page.cards[stage.home / "LL_256"])
    assert top_of(stage, card) < at_first
    assert top_of(stage, panel) == scrolled


def test_what_is_under_each_other_scrolls_as_one(stage, qtbot):
    card, panel = fill(stage, qtbot, 744), stage.panel
    for part in (
        card,
        panel.options.fields["threads"].editor,
        card,
    ):  # the last two find it all laid out
        before = top_of(stage, card), top_of(stage, panel)
        bring_into_sight(part)
    after = top_of(stage, card), top_of(stage, panel)
    assert after[0] - before[0] == after[1] - before[1] > 0
    assert after[1] - after[0] > card.height()


@pytest.mark.parametrize("width", [744, 1100])
def test_tab_goes_from_the_tables_to_the_form_and_scrolls_to_it(stage, qtbot, width):
    card, panel, page = fill(stage, qtbot, width), stage.panel, stage.page
    stops = list(tab_stops(page))
    order = [stops.index(one) for one in (card.main_button, panel.category_combo)]
    below = panel.options.fields["threads"].editor
    order += [stops.index(one) for one in (panel.folder_field.edit, below, panel.build_button)]
    assert order == sorted(order)
    bring_into_sight(below)
    qtbot.waitUntil(lambda: below.visibleRegion().boundingRect() == below.rect())


def test_a_field_keeps_the_keyboard_when_the_form_moves(stage, qtbot):
    fill(stage, qtbot, 1100)
    stage.page.activateWindow()
    qtbot.waitUntil(stage.page.isActiveWindow)
    field = stage.panel.folder_field.edit
    field.setFocus()
    stage.page.resize(744, 400)
    qtbot.waitUntil(lambda: stage.page.columns.is_stacked)
    assert field.hasFocus()
    stage.page.resize(1100, 400)
    qtbot.waitUntil(lambda: not stage.page.columns.is_stacked)
    assert field.hasFocus()


@pytest.mark.parametrize("width", [744, 1100])
def test_choose_a_table_to_build_shows_the_form_from_its_beginning(stage, qtbot, width):
    fill(stage, qtbot, width)
    bring_into_sight(stage.panel.options.fields["threads"].editor)
    page, combo = stage.page, stage.panel.category_combo
    page.form_action.trigger()
    qtbot.waitUntil(lambda: combo.visibleRegion().boundingRect() == combo.rect())
    assert abs(top_of(stage, stage.panel) - top_of(stage, page.scroller)) < 20
