"""Moves that break the formation: named in the drill and beside the list, as on Practice."""

# Left, right and down are legal there, up is not; right leaves the formation.
BOARD = 0x0000_0000_0000_0120
RATES = (0.8, None, 0.4, None)
LEFT, RIGHT, UP, DOWN = range(4)


def test_the_drill_names_them_and_so_does_the_verdict(stage):
    stage.note(BOARD, rates=RATES)
    page = stage.open()
    question = page.run.question
    assert question is not None
    turned = {told: question.directions[told] for told in range(4)}
    cells = page.drill_panel.cross.cells
    assert cells[turned[RIGHT]].text() == "breaks the formation"
    assert cells[turned[RIGHT]].is_legal
    assert not cells[turned[DOWN]].is_legal
    assert page.run.answer(turned[RIGHT])
    assert "breaks the formation" in page.drill_panel.verdict.text()
    assert cells[turned[RIGHT]].text() == "breaks the formation", "as well as before the answer"


def test_the_list_names_them(stage):
    stage.note(BOARD, rates=RATES)
    page = stage.open("list")
    panel = page.list.panel
    texts = [cell.text() for cell in panel.cross.cells]
    assert texts == ["80.00 %", "breaks the formation", "40.00 %", ""]
