"""The page in real browsers: play, practice, test, train, review, languages, themes, offline."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.bitboard import DIRECTIONS
from engine.formats.rpl import write_rpl
from engine.game import Game
from gui.style.color_schemes import load_color_schemes
from tests.web.served import TOKEN, Served, service
from tests.web.test_game_jobs import any_game, begun, long_game
from tests.web.test_service import best_game

if TYPE_CHECKING:
    from tests.web.browsers import Browser

pytestmark = pytest.mark.thorough  # they need a browser

PAGE = Path(__file__).parent.parent.parent / "web/page"
ARROWS = {name: f"Arrow{name.title()}" for name in DIRECTIONS}

# What stands on the board as exponents: what lies on it, not what is said of it.
CELLS = """(() => {
  const board = document.getElementById('board');
  const columns = Number(board.style.getPropertyValue('--columns'));
  const rows = Number(board.style.getPropertyValue('--rows'));
  const cells = Array(rows * columns).fill(0);
  for (const tile of board.querySelectorAll('.tile')) {
    const at = (name) => Number(tile.style.getPropertyValue(name));
    cells[at('--row') * columns + at('--column')] = Number(tile.dataset.exponent);
  }
  return cells;
})()"""
IS_STILL = "document.getAnimations().length === 0"


@pytest.fixture
def page(window: Browser, served: Served) -> Iterator[Browser]:
    """The page as at the very first time; afterwards nothing may have gone wrong."""
    url = f"http://127.0.0.1:{served.port}/"
    window.go(f"{url}docs")
    window.run("localStorage.clear(); sessionStorage.clear();")
    window.run("localStorage.setItem('language', 'en')")
    window.go(f"{url}#token={TOKEN}")
    window.until("document.querySelector('.tile') !== null")
    window.run(
        "window.faults = [];"
        "addEventListener('error', (event) => faults.push(event.message));"
        "addEventListener('unhandledrejection', (event) => faults.push(String(event.reason)));"
        "addEventListener('securitypolicyviolation', (event) => faults.push(event.blockedURI));"
    )
    yield window
    assert window.run("return window.faults ?? []") == []
    assert window.complaints() == []
    asked = window.run("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert [one for one in asked if not one.startswith(url)] == []


def cells(page: Browser) -> tuple[int, ...]:
    page.until(IS_STILL)
    return tuple(page.run(f"return {CELLS}"))


def figures(page: Browser) -> list[str]:
    script = "return [...document.querySelectorAll('.figures dd')].map((one) => one.textContent)"
    found: list[str] = page.run(script)
    return found


def start(page: Browser, seed: int, rows: int = 4, columns: int = 4, rules: str = "free") -> None:
    """Start a game by the form."""
    page.run(
        """const [rows, columns, rules] = document.querySelectorAll('form select');
        const choose = (select, value) => {
          select.value = value;
          select.dispatchEvent(new Event('change'));
        };
        choose(rows, args[0]); choose(columns, args[1]); choose(rules, args[2]);
        const seed = document.querySelector('form input');
        seed.value = args[3];
        seed.dispatchEvent(new Event('input'));
        seed.form.requestSubmit();
        document.getElementById('board').focus();""",
        str(rows),
        str(columns),
        rules,
        str(seed),
    )


def test_a_game_by_keys_is_the_programs(page):
    start(page, 7)
    game = Game.new(7)
    assert cells(page) == game.cells
    for name in ("left", "up", "right", "down", "left", "up") * 2:
        page.press(ARROWS[name])
        game.move(DIRECTIONS.index(name))
        assert cells(page) == game.cells
    page.press("a", "s", "l", "k")  # left, down, right, up
    for direction in (0, 3, 1, 2):
        game.move(direction)
    assert cells(page) == game.cells
    assert figures(page)[0] == f"{game.score:,}"
    page.press("Backspace", "Ctrl+z")
    game.undo()
    game.undo()
    assert cells(page) == game.cells
    page.press("Ctrl+y")
    game.redo()
    assert cells(page) == game.cells
    page.press("Shift+n")
    assert cells(page) == Game.new(7).cells


def test_choices_are_heard_after_moves_too(page):
    for rows, columns in ((8, 3), (3, 5), (4, 4)):
        start(page, 7, rows, columns)
        page.press(ARROWS["left"], ARROWS["down"])
        assert len(cells(page)) == rows * columns


def test_a_finger_moves_tiles(page):
    start(page, 7)
    game = Game.new(7)
    for x, y, direction in ((-90, 9, 0), (8, 90, 3), (90, -9, 1), (5, -90, 2)):
        page.swipe(x, y)
        game.move(direction)
        assert cells(page) == game.cells


def test_a_second_finger_moves_no_tiles(page):
    """Drivers press with one finger at a time, so these events are made."""
    start(page, 7)
    game = Game.new(7)
    page.run(
        "const board = document.getElementById('board'); board.setPointerCapture = () => {};"
        "window.touch = (what, pointerId, clientX) => board.dispatchEvent("
        " new PointerEvent(what, {pointerId, clientX, isPrimary: pointerId === 1, bubbles: true}));"
        "touch('pointerdown', 1, 100); touch('pointerdown', 2, 200); touch('pointermove', 2, 290)"
    )
    assert cells(page) == game.cells
    page.run("touch('pointerup', 2, 290); touch('pointermove', 1, 10)")
    game.move(DIRECTIONS.index("left"))
    assert cells(page) == game.cells, "the first finger is still down"


def test_keys_that_come_fast_are_all_played(page):
    start(page, 3)
    game = Game.new(3)
    names = ["left", "down", "left", "down", "right", "up"] * 10
    page.press(*(ARROWS[name] for name in names))
    for name in names:
        game.move(DIRECTIONS.index(name))
    assert cells(page) == game.cells


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (8, 8), (3, 5)])
def test_boards_of_other_sizes(page, rows, columns):
    start(page, 5, rows, columns, "course")
    before = cells(page)
    assert len(before) == rows * columns
    assert sum(one > 0 for one in before) == 1
    page.press("ArrowLeft", "ArrowUp", "ArrowRight")
    now = cells(page)
    page.press("ArrowDown", "ArrowLeft", "ArrowDown")
    page.press("Backspace", "Backspace", "Backspace")  # once, and no more
    assert figures(page)[2] in ("4", "5", "3")
    assert now != before
    assert page.run("return document.querySelector('.actions button').disabled")


def test_a_game_is_there_again_after_reloading(page):
    start(page, 9)
    page.press("ArrowLeft", "ArrowUp")
    before = cells(page)
    page.reload()
    page.until("document.querySelector('.tile') !== null")
    assert cells(page) == before
    page.press("Backspace", "Backspace")
    assert cells(page) == Game.new(9).cells


def test_a_hint_and_the_ai(page):
    start(page, 7)
    page.press("b")
    page.until("!document.querySelector('.arrow').hidden")
    page.press("Enter")
    assert figures(page)[2] == "1"
    page.press(" ")
    page.until("Number(document.querySelectorAll('.figures dd')[2]?.textContent) > 4")
    page.press(" ")
    page.until("document.querySelector('.actions [aria-pressed=true]') === null")


def test_the_panel_stays_in_hand_while_the_ai_plays(page):
    start(page, 7)
    page.press(" ")
    page.run("document.querySelector('form input').select()")
    for n, digit in enumerate("123", 2):
        page.until("Number(document.querySelectorAll('.figures dd')[2]?.textContent) > args[0]", n)
        page.press(digit)
    assert page.run("return document.querySelector('form input').value") == "123"
    page.press("Escape", "Escape")
    page.until("document.querySelector('.actions [aria-pressed=true]') === null")


def test_buttons_and_their_list_by_keys_alone(page):
    is_open = "return document.querySelector('.more').open"
    start(page, 7)
    page.press("ArrowLeft", "ArrowUp")
    page.run("document.querySelector('.actions button').focus()")
    page.press("Enter")  # it undoes; it does not ask the AI
    assert figures(page)[2] == "1"
    page.run("document.querySelector('.more summary').focus()")
    page.press("Enter")
    page.until("document.querySelector('.more').open")
    page.press("Escape")
    assert not page.run(is_open)
    page.press("Enter")
    page.until("document.querySelector('.more').open")
    page.press("Tab", "Tab", "Enter")  # the best move, to do again what was undone
    assert figures(page)[2] == "2"
    assert not page.run(is_open)
    page.click(".more summary")
    page.run("scrollTo(0, 0)")
    page.swipe(-90, 9)
    assert not page.run(is_open)


def test_practice_shows_what_the_table_says(page, served):
    page.click("nav button", "Practice")
    page.until("document.querySelector('.place.best') !== null")
    before = page.run(f"return {CELLS}")
    board = "".join(f"{one:x}" for one in cells(page))
    name = page.run("return document.querySelector('.card select').value")
    answer = served.post("/v1/judge", {"table": name, "board": board, "follows": True}).json
    marked = "[...document.querySelectorAll('.place.best')].map((one) => one.classList[1])"
    assert sorted(page.run(f"return {marked}")) == sorted(answer["best"])
    page.press("Enter")
    page.until("document.querySelector('.grade.perfect') !== null")
    assert figures(page) == ["1 of 1", "100 %", "1"]
    page.press("x")
    page.until("document.querySelector('.place') === null")
    page.press("Backspace")
    page.until(f"JSON.stringify({CELLS}) === args[0]", json.dumps(before, separators=(",", ":")))


def test_a_test_is_judged_at_its_end(page, served):
    page.click("nav button", "Test")
    page.until("document.querySelector('.card select') !== null")
    page.until("document.querySelectorAll('.tile').length > 2")
    assert page.run("return document.querySelector('.place') === null")
    name = page.run("return document.querySelector('.card select').value")
    length = int(page.run("return document.querySelectorAll('.card select')[1].value"))
    n_made = 0
    while n_made < length:  # no key after the last: the page may not have shown the end yet
        board = "".join(f"{one:x}" for one in cells(page))
        answer = served.post("/v1/judge", {"table": name, "board": board, "follows": True}).json
        known = {one: its["rate"] for one, its in answer["moves"].items() if its}
        if answer["end"] or not known:
            break
        n_made += 1
        before = page.run(f"return {CELLS}")
        page.press(ARROWS[min(known, key=lambda one: known[one])])
        page.until(
            "document.querySelector('.figures dd') !== null ||"
            " document.querySelector('.sentence').textContent.startsWith(`Move ${args[0]} of `)"
            f" && JSON.stringify({CELLS}) !== args[1]",  # asked too early, it is the last board
            *(str(n_made), json.dumps(before, separators=(",", ":"))),
        )
        if figures(page):
            break
    page.until("document.querySelector('.figures dd') !== null")
    assert figures(page)[0].endswith(f" of {n_made}")
    page.click(".moves button")
    page.until("document.querySelector('.place.played') !== null")
    listed, loss = page.run(
        "return ['.moves .quiet', '.played .note']"
        ".map((one) => document.querySelector(one).textContent)"
    )
    assert listed.endswith(f" {loss}")


def test_train_judges_an_answer_and_keeps_a_mistake(page, served):
    page.click("nav button", "Train")
    page.until("document.querySelector('.hidden-rates')?.textContent === 'Which move is best?'")
    name = page.run("return document.querySelector('.card select').value")
    board = "".join(f"{one:x}" for one in cells(page))
    answer = served.post("/v1/judge", {"table": name, "board": board, "follows": True}).json
    known = {one: its["rate"] for one, its in answer["moves"].items() if its}
    assert len(answer["best"]) == 1
    page.press(ARROWS[min(known, key=lambda one: known[one])])
    page.until("document.querySelector('.place.played') !== null")
    assert figures(page) == ["0 of 1", "0"]
    assert page.run("return document.querySelector('.sentence').textContent").endswith(
        f"Best: {answer['best'][0].title()}."
    )
    page.run(
        "const list = document.querySelectorAll('.card select')[1]; list.value = 'mistakes';"
        "list.dispatchEvent(new Event('change'))"
    )
    page.until("document.querySelector('.hidden-rates')?.textContent === 'Which move is best?'")
    assert "".join(f"{one:x}" for one in cells(page)) == board
    page.press(ARROWS[answer["best"][0]], "Enter")
    page.until("document.querySelector('.notice').textContent === 'No mistakes are left.'")


def test_review_of_a_file_whose_name_is_hostile(page, tables_folder, tmp_path):
    game = best_game(tables_folder / "442_64")
    name = "<img src=x onerror=alert(1)>.rpl"
    path = tmp_path / name
    path.write_bytes(write_rpl(game))
    page.click("nav button", "Review")
    page.upload("#file", path)
    page.until("document.querySelector('.graph') !== null")
    assert page.run("return document.querySelector('.file-name').textContent") == name
    assert page.run("return document.querySelectorAll('img').length") == 0
    assert figures(page)[-3] == str(len(game.moves))
    ends = page.run("return document.querySelector('.chances .ends').innerText").split("\n")
    assert [one[-2:] for one in ends] == [" %", " %"]
    first = cells(page)
    page.press("ArrowDown")
    page.until("document.querySelector('.sentence').textContent.includes('Best: ')")
    page.press("ArrowLeft", "ArrowRight")
    assert cells(page) != first
    page.drag("[type=range]", 1.0)
    at = "return Number(document.querySelector('[type=range]').value)"
    assert page.run(at) == len(game.moves) - 1
    page.press("ArrowLeft")
    said = page.run("return document.querySelector('.sentence').textContent")
    assert said.startswith(f"Move {len(game.moves) - 1},")
    page.press("ArrowUp")  # no step ahead: the slider that was dragged does not keep the keys
    assert (before := page.run(at)) <= len(game.moves) - 2
    page.run("document.querySelector('[type=range]').focus()")
    page.press("ArrowUp")  # one who comes there by Tab moves the slider
    assert page.run(at) == before + 1


def review(page: Browser, data: bytes, folder: Path) -> None:
    path = folder / "game.vrs"
    path.write_bytes(data)
    page.click("nav button", "Review")
    page.upload("#file", path)
    page.until("document.querySelector('.file-name') !== null")


def test_a_whole_game_is_judged_by_search(page, served, tmp_path):
    data = any_game()
    review(page, data, tmp_path)
    n_moves = int(figures(page)[0])
    assert page.run("return document.querySelector('.graph') === null")
    page.press("g")
    page.until("document.querySelector('.graph') !== null")
    assert page.run("return document.querySelector('progress') === null")
    name = begun(served, data, "?moves=1")
    served.get(f"/v1/analyses/{name}/events")
    game = served.get(f"/v1/analyses/{name}").json["result"]["game"]
    assert figures(page)[1:3] == [str(game["judged"])] * 2  # all of them by search
    bad = [one for one in game["move_list"] if one.get("points_lost", 0) > 0.002]
    for one in bad[:2]:
        page.run(
            "const seek = document.querySelector('input[type=range]'); seek.value = args[0];"
            "seek.dispatchEvent(new Event('input'))",
            str(one["move"] - 1),
        )
        assert "".join(f"{cell:x}" for cell in cells(page)) == one["board"]
        said = page.run("return document.querySelector('.sentence').textContent")
        assert said.startswith(f"Move {one['move']}, {one['played'].title()}: ")
        assert said.endswith(f"Best: {' / '.join(map(str.title, one['best']))}.")
        source = page.run("return document.querySelector('.sentence + .quiet').textContent")
        assert source == "By search: the chance of the next large tile"
    assert page.run("return document.querySelector('.card option, option').textContent") == (
        f"Whole game: moves 1 to {n_moves}"
    )


def test_the_judging_of_a_whole_game_is_stopped(page, tmp_path, monkeypatch):
    monkeypatch.setattr("web.service.app.WHOLE_GAME_MS", 20.0)
    review(page, long_game(), tmp_path)
    page.press("g")
    page.until("document.querySelector('progress')?.value > 0")
    page.click("nav button", "Game")
    page.click("nav button", "Review")  # it goes on
    assert page.run("return document.querySelector('progress') !== null")
    page.press("g")
    page.until("document.querySelector('.notice').textContent === 'Stopped.'")
    assert page.run("return document.querySelector('progress') === null")
    assert page.run("return document.querySelector('.graph') === null")


def test_what_is_no_game_is_refused_in_words(page, tmp_path):
    path = tmp_path / "no game.rpl"
    path.write_bytes(b"<script>alert(1)</script>")
    page.click("nav button", "Review")
    page.upload("#file", path)
    page.until("document.querySelector('.notice.bad') !== null")
    page.complaints()  # of the status 422
    assert page.run("return document.querySelectorAll('body script').length") == 0


def test_both_languages_and_both_themes(page):
    grounds = set()
    for theme in ("Light", "Dark"):
        page.click(".tools button", "Settings")
        page.click("dialog label", theme)
        grounds.add(page.run("return getComputedStyle(document.documentElement).backgroundColor"))
        page.click("dialog .close")
    window = load_color_schemes().windows
    shades = {
        "rgb({}, {}, {})".format(*bytes.fromhex(window[one]["background"][1:]))
        for one in ("light", "dark")
    }
    assert grounds == shades
    page.click(".tools button", "Settings")
    page.click("dialog label", "简体中文")
    page.until("document.documentElement.lang === 'zh-CN'")
    assert page.run("return document.querySelector('nav').textContent") == "对局练习测试训练复盘"
    page.click("dialog .close")
    page.reload()
    page.until("document.querySelector('nav')?.textContent.startsWith('对局')")


def test_the_four_rates_stand_as_on_the_keyboard(page):
    page.click("nav button", "Practice")
    page.until("document.querySelector('.place.best') !== null")
    boxes = page.run(
        "return Object.fromEntries(['up', 'left', 'down', 'right'].map((name) => {"
        "  const box = document.querySelector(`.place.${name}`).getBoundingClientRect();"
        "  return [name, [box.x, box.y, box.width, box.height].map(Math.round)]; }))"
    )
    assert len({tuple(box[2:]) for box in boxes.values()}) == 1
    assert boxes["left"][0] < boxes["down"][0] < boxes["right"][0]
    assert boxes["up"][0] == boxes["down"][0]
    assert boxes["up"][1] + boxes["up"][3] <= boxes["down"][1] == boxes["left"][1]


def test_on_a_phone_nothing_is_cut_off_and_all_is_at_the_thumb(page, tables_folder, tmp_path):
    page.resize(390, 844)
    edges = (
        "const edges = (one) => (({left, right, top, bottom}) => [left, right, top, bottom])"
        "(document.querySelector(one).getBoundingClientRect()); return args.map(edges)"
    )
    for name in ("Game", "Practice", "Test", "Train", "Review"):
        page.click("nav button", name)
        page.until("document.querySelector('.panel') !== null")
        if name == "Review":
            assert page.run("return document.querySelectorAll('.side .main').length") == 1
            review(page, write_rpl(best_game(tables_folder / "442_64")), tmp_path)
            page.until("document.querySelector('.graph') !== null")
        sideways = "document.documentElement.scrollWidth - innerWidth"
        assert page.run(f"return {sideways}") <= 0
        (_, _, top, bottom), nav = page.run(edges, ".actions", "nav")
        page.until(
            "innerWidth - document.getElementById('board').offsetWidth <= 32"
        )  # a scroll bar
        assert bottom - top < 60, "one row"
        assert bottom == pytest.approx(nav[2], abs=1), "the pages are right below"
        low = (
            "[...document.querySelectorAll('button, select, label.file, .panel input')]"
            ".map((one) => one.offsetHeight).filter((one) => one > 0 && one < 44)"
        )
        assert page.run(f"return {low}") == []
    page.resize(1280, 900)


def test_a_phone_on_its_side_has_all_else_beside_the_board(page):
    if page.name != "chromium":
        pytest.skip("the windows of Firefox are higher than that")
    page.resize(844, 390)
    board, actions, side = (
        page.run(
            "const box = document.querySelector(args[0]).getBoundingClientRect();"
            "return [box.left, box.top, box.right, box.bottom]",
            name,
        )
        for name in ("#board", ".actions", ".side")
    )
    assert board[3] <= 390
    assert actions[3] <= 390
    assert board[2] < actions[0] == side[0]
    page.resize(1280, 900)


def test_a_tall_board_fits_the_window(page):
    start(page, 7, rows=8, columns=3)
    page.until("document.querySelectorAll('.cell').length === 24")
    box = "document.getElementById('board').getBoundingClientRect()"
    assert page.run(f"return {box}.bottom < innerHeight")


def test_without_the_token_it_asks_for_it(page):
    page.run("sessionStorage.clear()")
    page.click("nav button", "Practice")
    page.until("document.querySelector('dialog[open] input') !== null")
    page.run("document.querySelector('dialog[open] input').value = args[0]", TOKEN)
    page.click("dialog .main")
    page.until("document.querySelector('.place.best') !== null")
    assert page.run("return location.href").endswith("/")
    page.complaints()  # of the status 401


def test_it_plays_on_when_the_service_is_away(window, tables_folder, tmp_path):
    with service([tables_folder], tmp_path) as running:
        window.go(f"http://127.0.0.1:{running.port}/#token={TOKEN}")
        window.run("await navigator.serviceWorker.ready; localStorage.setItem('language', 'en')")
        window.click("nav button", "Practice")
        window.until("document.querySelector('.place.best') !== null")
        kept = window.run(
            "const found = [];"
            "for (const name of await caches.keys()) {"
            "  for (const one of await (await caches.open(name)).keys()) found.push(one.url);"
            "} return found"
        )
    assert any(one.endswith("/rules.js") for one in kept)
    assert not any("/v1" in one or TOKEN in one for one in kept)
    window.reload()
    window.until("document.querySelector('.tile') !== null")
    before = cells(window)
    window.press("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown")
    assert cells(window) != before
    window.press("b")
    window.until("document.querySelector('.notice.bad') !== null")
    window.complaints()  # nobody answers


def test_colors_are_those_of_the_window():
    text = (PAGE / "colors.css").read_text(encoding="utf-8")
    schemes = load_color_schemes()
    for name, light in schemes.windows["light"].items():
        assert f"  --{name}: light-dark({light}, {schemes.windows['dark'][name]});" in text
    contrast = schemes.named["contrast"]
    for name, light in contrast.light.items():
        assert f"    --{name}: light-dark({light}, {contrast.dark[name]});" in text
    tiles = schemes.palettes["lagoon"]
    for i, (light, dark) in enumerate(zip(tiles.light, tiles.dark, strict=True), 1):
        assert f"--tile-{i}: light-dark({light[0]}, {dark[0]});" in text
        assert f"--ink-{i}: light-dark({light[1]}, {dark[1]});" in text
