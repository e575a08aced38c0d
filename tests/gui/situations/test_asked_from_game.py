"""A position of another page is played on the Situations page, which begins by asking about it."""


def test_the_position_on_the_game_page_is_taken_over(program, qtbot, monkeypatch) -> None:
    running = program()
    asked: list[object] = []
    monkeypatch.setattr(
        running.pages["Situations"].finder, "find", lambda position, *_rest: asked.append(position)
    )
    running.window.show_page(running.pages["Game"])
    qtbot.waitUntil(lambda: running.pages["Game"].session is not None)
    cells = running.pages["Game"].session.game.cells
    action = next(one for one in running.pages["Game"].actions() if one.objectName() == "situation")
    action.trigger()
    assert running.window.page is running.pages["Situations"]
    assert asked == [cells]
