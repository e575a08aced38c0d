"""The page plays by our rules: its moves, its new tiles and its undo against the program's own."""

import random
import re
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

from coach.grading.grade import UINT32
from coach.grading.names import perfect_text
from coach.play.tiles import new_tile
from engine.bitboard import cells, from_cells
from engine.course_script import CourseGame
from engine.game import Game
from engine.platform.quantities import match_text, rate_text
from engine.saved_game import cells_to_text
from engine.spawn import Rng
from engine.trace import slide_cells
from gui.charts.chart_scale import scale_of
from gui.text.rates import CHANCE_SCALE, RATE_SCALE, format_rates
from tests.test_words import faults
from tests.web.page_modules import PAGE, answers, copy_modules

N_MOVES = 100_000
Ask = Callable[[Sequence[dict[str, Any]]], list[Any]]

pytestmark = pytest.mark.skipif(
    not shutil.which("node"), reason="there is no node to run JavaScript"
)


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """What the page's modules answer, a question each."""
    folder = copy_modules(tmp_path_factory.mktemp("page"))
    return partial(answers, "page_rules.mjs", folder)


def told(game: Game) -> list[Any]:
    return [cells_to_text(game.cells), game.score, game.n_moves, game.is_over]


def told_of_course(game: CourseGame) -> list[Any]:
    tiles = [tile for row in game.rows for tile in row]
    digits = "".join("0123456789abcdefghij"[tile.bit_length() - 1 if tile else 0] for tile in tiles)
    return [digits, game.score, game.n_steps, game.is_over]


@pytest.mark.thorough
def test_a_hundred_thousand_moves_are_those_of_the_program(ask):
    chance = random.Random(1)
    questions, expected, n_made = [], [], 0
    while n_made < N_MOVES:
        seed = chance.randrange(1 << 53)
        game, moves = Game.new(seed), []
        positions = [told(game)]
        while not game.is_over and len(moves) < 2000:
            if chance.random() < 0.02:
                moves.append(-1)
                game.undo()
            else:
                moves.append(chance.choice((0, 0, 2, 2, 1, 3)))
                game.move(moves[-1])
            positions.append(told(game))
        n_made += len(moves)
        questions.append(
            {"ask": "game", "rows": 4, "columns": 4, "seed": seed, "kind": "free", "moves": moves}
        )
        expected.append(positions)
    assert ask(questions) == expected


@pytest.mark.thorough
def test_boards_of_all_sizes_are_those_of_the_course(ask):
    chance = random.Random(2)
    questions, expected = [], []
    for rows in range(3, 9):
        for columns in range(3, 9):
            seed = chance.randrange(1 << 53)
            game = CourseGame(rows, columns, seed)
            moves, positions = [], [told_of_course(game)]
            for _ in range(400):
                moves.append(chance.choice((-1, 0, 0, 0, 1, 2, 2, 2, 3)))
                if moves[-1] < 0:
                    game.undo()
                else:
                    game.move(moves[-1])
                positions.append(told_of_course(game))
            asked = {"rows": rows, "columns": columns, "seed": seed, "kind": "course"}
            questions.append({"ask": "game", **asked, "moves": moves})
            expected.append(positions)
    assert ask(questions) == expected


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["merging", "locked", "walls"])
def test_every_tile_goes_where_it_goes_in_the_program(ask, kind):
    chance = random.Random(3)
    tiles = (0, 0, 0, 1, 1, 2, 3, 14, 15, 15)
    boards = [tuple(chance.choice(tiles) for _ in range(16)) for _ in range(3000)]
    expected = []
    for board in boards:
        motions = [slide_cells(board, way, kind == "walls", kind == "merging") for way in range(4)]
        expected.append(
            [
                [
                    cells_to_text(one.cells),
                    one.gained,
                    sorted([slide.from_cell, slide.to_cell, slide.merged] for slide in one.slides),
                ]
                for one in motions
            ]
        )
    questions = [{"ask": "slides", "board": cells_to_text(one), "kind": kind} for one in boards]
    assert ask(questions) == expected


def test_the_stream_is_the_programs(ask):
    questions, expected = [], []
    for seed in (0, 1, 2**53 - 1):
        rng = Rng(seed)
        expected.append([[str(rng.next_u64()), rng.below(i + 1), rng.random()] for i in range(500)])
        questions.append({"ask": "stream", "seed": seed, "n": 500})
    assert ask(questions) == expected


def test_new_tiles_of_a_test_are_the_programs(ask):
    chance = random.Random(4)
    questions, expected = [], []
    for n in range(300):
        board = from_cells([chance.choice((0, 0, 1, 2, 3)) for _ in range(15)] + [0])
        seed, spawn4 = chance.randrange(1 << 53), chance.choice((0.1, 0.5))
        _, cell, exponent = new_tile(board, seed, n, spawn4)
        text = cells_to_text(cells(board))
        questions.append({"ask": "tile", "board": text, "seed": seed, "n": n, "spawn4": spawn4})
        expected.append([cell, exponent])
    assert ask(questions) == expected


@pytest.mark.parametrize("kind", ["free", "course"])
def test_a_game_goes_on_as_it_was_saved(ask, kind):
    moves = [0, 2, 1, 3] * 10
    ((one, again, may_undo),) = ask([{"ask": "saved", "seed": 5, "kind": kind, "moves": moves}])
    assert one == again
    assert may_undo


def test_what_is_no_saved_game_is_left(ask):
    texts = ["", "{}", "[]", "null", '{"format": 1, "rows": 4, "columns": 4, "seed": "x"}']
    texts.append('{"format":1,"rows":3,"columns":3,"rules":"free","seed":"1","steps":[]}')
    texts.append(
        '{"format":1,"rows":3,"columns":3,"rules":"free","seed":"1","steps":[{"cells":[1]}]}'
    )
    assert ask([{"ask": "opened", "text": text} for text in texts]) == [True] * len(texts)


TEXT = re.compile(r'\b(?:t|mark)\(\s*"((?:[^"\\]|\\.)*)"')


def test_every_text_of_the_page_is_in_chinese_and_no_other_is(ask):
    used = set()
    for path in PAGE.glob("*.js"):
        used |= set(TEXT.findall(path.read_text(encoding="utf-8")))
    (texts,) = ask([{"ask": "chinese"}])
    assert set(texts) == used
    for text, translated in texts.items():
        assert sorted(re.findall(r"\{\w+\}", translated)) == sorted(re.findall(r"\{\w+\}", text))
        assert faults(text) == []


@pytest.mark.parametrize(
    "rate", [0.0, 1.0, 0.99378, 0.99998, 1 - 3.2e-9, 4.1e-7, 4.1e-12, 0.5, 1e-5, 0.012]
)
def test_rates_read_as_in_the_window(ask, rate):
    assert ask([{"ask": "rate", "rate": rate}]) == [rate_text(rate)]


def test_rates_beside_each_other_are_told_apart(ask):
    ((one, none, other),) = ask([{"ask": "rates", "rates": [0.99688, None, 0.996908]}])
    assert (one, none, other) == ("99.688 %", "", "99.691 %")


def test_rates_beside_each_other_read_as_in_the_window(ask):
    asked = some_rates(0)
    found = ask([{"ask": "rates", "rates": rates} for rates in asked])
    assert found == [format_rates(rates) for rates in asked]
    found = ask([{"ask": "losses", "rates": rates} for rates in asked])
    for row, rates in zip(found, asked, strict=True):
        expected = RATE_SCALE.losses(rates, UINT32)
        assert all(map(same_loss, row, expected)) or not any(rates), rates


def test_estimates_read_as_in_the_window(ask):
    asked = some_rates(1)
    found = ask([{"ask": "chances", "chances": chances} for chances in asked])
    for (figures, losses), chances in zip(found, asked, strict=True):
        assert figures == CHANCE_SCALE.figures(chances, UINT32)
        assert all(map(same_loss, losses, CHANCE_SCALE.losses(chances, UINT32))), chances


def some_rates(seed: int) -> list[list[float | None]]:
    """Rates of four moves, often near each other, near 0, or near 1."""
    chance = random.Random(seed)

    def rate() -> float | None:
        near = 10 ** -chance.uniform(2, 8)
        return chance.choice(
            (chance.random(), 0.9, 0.9 + near / 10, near, 1 - near, 0.0, 1.0, None)
        )

    return [[rate() for _ in range(4)] for _ in range(400)]


def same_loss(text: str, in_window: str) -> bool:
    if text == in_window.replace("best", ""):
        return True
    one, other = (
        float(loss.strip("\N{MINUS SIGN}").removesuffix(" pts")) for loss in (text, in_window)
    )
    return abs(one - other) == 1  # 90.5 is either


@pytest.mark.parametrize("rate", [0.0, 1.0, 0.97312, 0.9999, 3e-7, 0.0004, 0.5])
def test_match_rates_read_as_in_the_window(ask, rate):
    assert ask([{"ask": "match", "rate": rate}]) == [match_text(rate)]


def test_perfect_moves_read_as_in_the_window(ask):
    assert ask([{"ask": "perfect", "counts": [1043, 1050]}]) == [perfect_text((1043, 7, *5 * [0]))]


def test_the_graph_spans_what_the_window_shows(ask):
    chance = random.Random(8)
    games = [[1.0, 1.0], [0.0], [0.95], [0.35, 0.97], [0.99991, 0.99998, 1.0]]
    for _ in range(200):
        middle, width = chance.random(), 10.0 ** chance.uniform(-6, 0)
        games.append([min(1.0, abs(middle + chance.uniform(-width, width))) for _ in range(9)])
    found = ask([{"ask": "span", "chances": one} for one in games])
    for game, (low, high, *_) in zip(games, found, strict=True):
        scale = scale_of([np.array(game)], is_log=False)
        assert low == pytest.approx(max(scale.low, 0.0), abs=1e-12)
        if game[0] < 1 or len(set(game)) > 1:  # nothing is more likely than sure
            assert high == pytest.approx(min(scale.high, 1.0), abs=1e-12)
        else:
            assert high == 1.0


@pytest.mark.parametrize(
    ("chances", "ends"),
    [
        ([0.35, 0.97], ["0 %", "100 %"]),
        ([0.882, 0.914], ["88 %", "92 %"]),
        ([0.99991, 0.99998], ["99.990 %", "100.000 %"]),
        ([0.95], ["85.5 %", "100.0 %"]),
        ([], ["0 %", "100 %"]),
    ],
)
def test_the_ends_of_the_graph_are_round(ask, chances, ends):
    ((_, _, *told_ends),) = ask([{"ask": "span", "chances": chances}])
    assert told_ends == ends


def test_the_graph_has_gaps_marks_and_the_lowest_of_each_pixel(ask):
    (short,) = ask([{"ask": "graph", "chances": [0.9, None, 0.8], "bad": [False, False, True]}])
    assert short["line"] == "0.0,2.0 320.0,62.0"
    assert short["marks"] == [["320.0", "62.0"]]
    n = 6400
    long = {"chances": [0.9] * n, "bad": [False] * n}
    long["chances"][3207] = 0.8
    long["bad"][3201] = True
    (drawn,) = ask([{"ask": "graph", **long}])
    points = [tuple(map(float, one.split(","))) for one in drawn["line"].split()]
    assert len(points) == 640
    assert [y for _, y in points].count(62.0) == 1
    assert drawn["marks"] == [[f"{3200 * 320 / (n - 1):.1f}", "62.0"]]
