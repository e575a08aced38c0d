"""Positions to practice: what judge says, against the table and the rule of the grades."""

import pytest

from coach.grading.grade import Tolerance, judge
from coach.play.tiles import new_tile
from engine.bitboard import DIRECTIONS, cells
from engine.moves import move
from tablebase.library.opening import open_table
from tests.web.served import Served


def asked(served: Served, **given: object) -> dict[str, object]:
    found: dict[str, object] = served.post("/v1/judge", given).json
    return found


@pytest.mark.parametrize("name", ["442_64", "2x4_64"])
def test_each_move_has_the_rate_and_the_grade_of_the_table(served, tables_folder, name):
    """A whole game by the second best move, if there is one."""
    answer = served.post("/v1/judge", {"table": name, "seed": 11}).json
    with open_table(tables_folder / name) as table:
        for n in range(200):
            board = int(answer["board"], 16)
            if answer["end"]:
                break
            rates = table.probe(board, comes_up=True).rates
            tolerance = Tolerance.of_type(table.rate)
            known = []
            for direction, rate in enumerate(rates):
                told = answer["moves"][DIRECTIONS[direction]]
                judged = judge(rates, direction, tolerance)
                if rate is None:
                    assert told is None
                    is_legal = move(board, direction, table.formation.walls) != board
                    assert (DIRECTIONS[direction] in answer["breaking"]) == is_legal
                    continue
                assert judged is not None
                assert told == {
                    "rate": rate,
                    "grade": judged.grade.value,
                    "ratio": judged.ratio,
                    "points_lost": judged.points_lost,
                    "forced": judged.is_forced,
                }
                assert answer["best"] == [DIRECTIONS[one] for one in judged.best]
                known.append((rate, direction))
            direction = sorted(known)[-2:][0][1]
            after = move(board, direction, table.formation.walls)
            board = new_tile(after, 11, n, table.spawn4)[0]
            given = {"table": name, "board": f"{board:016x}", "follows": True}
            answer = served.post("/v1/judge", given).json
    assert answer["end"] in ("reached", "no move", "lost")


def test_starts_differ_by_seed_and_are_turned(served):
    boards = {str(asked(served, table="442_64", seed=seed)["board"]) for seed in range(24)}
    assert len(boards) > 8
    corners = {
        tuple(cell for cell, exponent in enumerate(cells(int(board, 16))) if exponent == 15)
        for board in boards
    }
    assert len(corners) > 3
    assert asked(served, table="442_64", seed=3) == asked(served, table="442_64", seed=3)


@pytest.mark.parametrize(
    ("board", "end"),
    [
        ("1212212112122121", "no move"),
        ("0000000000000012", "outside"),
        ("0000000006ffffff", "reached"),
    ],
)
def test_ends_are_told(served, board, end):
    assert asked(served, table="442_64", board=board)["end"] == end


@pytest.mark.parametrize(
    ("board", "end"),
    [
        ("ffff12122121ffff", "no move"),
        ("12122121ffffffff", "outside"),
        ("ffffffff00000000", "outside"),
        ("1212212112122121", "outside"),
    ],
)
def test_no_move_is_left_only_between_the_walls_of_the_formation(served, board, end):
    assert asked(served, table="2x4_64", board=board)["end"] == end


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"table": "nonsense"}, 404),
        ({"table": "442_64", "board": "xyz"}, 400),
        ({"table": "442_64", "seed": -1}, 400),
        ({"table": "442_64", "more": 1}, 400),
        ({}, 400),
    ],
)
def test_bad_questions_are_refused_in_words(served, given, status):
    answer = served.post("/v1/judge", given)
    assert answer.status == status
    assert answer.json["error"]
