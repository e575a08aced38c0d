"""Answers that come late: nothing is drawn over another page, and nothing is played there."""

import shutil
from collections.abc import Callable
from typing import Any

import pytest

from engine.bitboard import DIRECTIONS
from engine.game import Game
from engine.saved_game import cells_to_text
from tests.web.page_modules import answers, copy_modules

SEED = 7
GAME = cells_to_text(Game.new(SEED).cells)
LEGAL = DIRECTIONS[Game.new(SEED).legal_moves()[0]]
POSITION = "3211" + "0000" * 3  # left can be played three times, wherever tiles come
EMPTY = "0" * 16
TABLES = {"tables": [{"name": "442_64", "state": "complete"}]}
OPEN_GAME, OPEN_PRACTICE, OPEN_TEST, OPEN_TRAIN, OPEN_REVIEW = (
    {"open": one} for one in ("game", "practice", "test", "train", "review")
)
START, HINT, BEST, PLAY = {"start": SEED}, {"press": "b"}, {"press": "Enter"}, {"press": " "}
UNDO, END = {"press": "Backspace"}, {"press": "Escape"}
LEFT, RIGHT, DOWN = ({"move": DIRECTIONS.index(one)} for one in ("left", "right", "down"))
Step = dict[str, Any]
See = Callable[..., list[Step]]

pytestmark = pytest.mark.skipif(
    not shutil.which("node"), reason="there is no node to run JavaScript"
)


@pytest.fixture(scope="module")
def see(tmp_path_factory: pytest.TempPathFactory) -> See:
    """What is to be seen after each step."""
    folder = copy_modules(tmp_path_factory.mktemp("page"))

    def seen(*steps: Step) -> list[Step]:
        (found,) = answers("page_answers.mjs", folder, [steps])
        return list(found)

    return seen


def answer(n: int, found: Any, status: int = 200) -> Step:
    return {"answer": [n, found, status]}


def best(n: int, move: str = LEGAL) -> Step:
    return answer(n, {"move": move, "values": {move: 1.0}, "kind": "chances", "source": "search"})


def judged(n: int, board: str = POSITION) -> Step:
    """Answer that of all moves the table knows left alone, and that it is best."""
    left = {"rate": 0.9, "ratio": 1.0, "grade": "perfect", "points_lost": 0.0}
    moves = {name: left if name == "left" else None for name in DIRECTIONS}
    known = {"moves": moves, "best": ["left"], "breaking": [], "end": None}
    return answer(n, {"board": board, "walls": False, "locked": [], "spawn4": 0.1, **known})


def graded(n: int, board: str = POSITION) -> Step:
    """Answer that a table covers the one move of a recorded game, and that up was best."""
    move = {"move": 1, "board": board, "played": "left", "best": ["up"], "rates": {}}
    segment = {"table": "442_64", "first_move": 1, "last_move": 1, "move_list": [move]}
    return answer(n, {"moves": 1, "points": 0, "largest_tile": 8, "segments": [segment]})


def puzzle(n: int, board: str = POSITION, other: str = "mistake") -> Step:
    """Answer that left is best, and right graded so; each merges as much as the other."""
    position = judged(n, board)["answer"][1]
    right = {"rate": 0.8, "ratio": 0.9, "grade": other, "points_lost": 0.1}
    return answer(n, {**position, "moves": {**position["moves"], "right": right}})


def questions(seen: Step) -> list[str]:
    return [one["path"] for one in seen["asked"]]


@pytest.mark.parametrize("key", [HINT, BEST])
def test_what_the_ai_says_is_not_for_another_page(see, key):
    *_, before, after, back = see(OPEN_GAME, START, key, OPEN_REVIEW, best(0), OPEN_GAME)
    assert after == before
    assert (after["board"], after["arrow"]) == (EMPTY, None)
    assert back["board"] == GAME, "nothing was played there"


def test_a_hint_comes_on_the_page_it_is_for(see):
    seen = see(OPEN_GAME, START, HINT, best(0))[-1]
    assert seen["arrow"] == DIRECTIONS.index(LEGAL)
    assert seen["said"].startswith("Best: ")


@pytest.mark.parametrize("status", [200, 500])
def test_tables_that_come_late_are_not_for_another_page(see, status):
    refused = {"error": "no"} if status != 200 else TABLES
    steps = (OPEN_GAME, START, OPEN_PRACTICE, OPEN_GAME, answer(0, refused, status))
    *_, late, back, shown = see(*steps, OPEN_PRACTICE, answer(1, TABLES))
    assert late["board"] == GAME
    assert late["notice"] == ""
    assert questions(late) == questions(back)[:1] == ["tables"], "nothing is asked for nobody"
    assert questions(shown) == ["tables", "tables", "judge"]


def test_a_position_that_comes_late_is_asked_for_again(see):
    begun = (OPEN_GAME, START, OPEN_PRACTICE, answer(0, TABLES))
    *_, late, back, shown = see(*begun, OPEN_GAME, judged(1), OPEN_PRACTICE, judged(2))
    assert late["board"] == GAME
    assert back["asked"][1] == back["asked"][2], "the same position as before"
    assert shown["board"] == POSITION


def test_keys_held_on_one_page_move_nothing_on_another(see):
    begun = (OPEN_GAME, START, OPEN_PRACTICE, answer(0, TABLES), judged(1))
    *_, moved, _, _, _, late, back, again = see(
        *(*begun, LEFT, LEFT, LEFT, OPEN_GAME, judged(2)), OPEN_PRACTICE, judged(3)
    )
    assert moved["board"] != POSITION
    assert late["board"] == GAME
    assert back["board"] == again["board"] == moved["board"], "one move was made, and no other"
    assert questions(again) == ["tables", *3 * ["judge"], "tables"]


def test_moves_go_on_after_another_page(see):
    begun = (OPEN_PRACTICE, answer(0, TABLES), judged(1), LEFT, OPEN_GAME, judged(2))
    *_, before, after = see(*begun, OPEN_PRACTICE, judged(3), LEFT)
    assert before["board"] != after["board"]


def test_playing_again_at_once_is_one_run(see):
    """Stopped and restarted within the pace of a move: the first run has one move waiting."""
    begun = (OPEN_GAME, START, PLAY, best(0), PLAY, PLAY)
    *_, first, second, moved = see(*begun, {"pass": 200}, best(1), {"pass": 200})
    assert first["board"] == GAME, "what the first run was told is not played"
    assert second["isPlaying"]
    assert moved["board"] != GAME
    assert moved["isPlaying"]
    assert questions(moved) == 3 * ["best"]


def test_practice_again_at_once_keeps_its_pace(see):
    begun = (OPEN_PRACTICE, answer(0, TABLES), judged(1), PLAY, judged(2), {"pass": 150})
    again = (PLAY, PLAY, judged(3))
    *_, shown, early, later = see(*begun, *again, {"pass": 50}, {"pass": 150})
    assert early["board"] == shown["board"], "the move of the first run is not made"
    assert later["board"] != shown["board"]


def test_where_the_table_does_not_answer_no_move_is_judged_by_the_position_before(see):
    begun = (OPEN_PRACTICE, answer(0, TABLES), judged(1), LEFT)
    failed, again, answered, moved = see(
        *begun, answer(2, {"error": "busy"}, 503), LEFT, judged(3, EMPTY), LEFT
    )[-4:]
    assert failed["notice"] == "busy"
    assert again["board"] == failed["board"]  # asked about once more instead of moved
    assert again["asked"][3] == again["asked"][2]
    assert again["notice"] == ""
    assert moved["board"] != answered["board"] == failed["board"]


@pytest.mark.parametrize("key", [BEST, PLAY])
def test_the_ai_asks_again_as_well(see, key):
    begun = (OPEN_PRACTICE, answer(0, TABLES), judged(1), LEFT, answer(2, {"error": "no"}, 500))
    *_, again = see(*begun, key)
    assert questions(again) == [*questions(see(*begun)[-1]), "judge"]


def test_a_move_that_is_undone_leaves_what_was_known(see):
    begun = (OPEN_PRACTICE, answer(0, TABLES), judged(1), LEFT, answer(2, {"error": "no"}, 500))
    *_, undone, moved = see(*begun, UNDO, LEFT)
    assert undone["board"] == POSITION
    assert moved["board"] != POSITION


def test_a_move_can_be_undone_before_the_table_answers(see):
    begun = (OPEN_PRACTICE, answer(0, TABLES), judged(1), LEFT)
    *_, moved, undone, late, again = see(*begun, UNDO, judged(2, GAME), LEFT)
    assert moved["board"] != POSITION
    assert undone["board"] == late["board"] == POSITION
    assert again["board"] == moved["board"]
    assert again["asked"][3] == again["asked"][2]


def test_the_key_pressed_last_is_undone_first(see):
    begun = (OPEN_PRACTICE, answer(0, TABLES), judged(1), LEFT, LEFT, LEFT)
    *_, held, once, _, answered = see(*begun, UNDO, judged(2), judged(3))
    assert once["board"] == held["board"], "what is undone was not made yet"
    assert questions(answered) == ["tables"] + 3 * ["judge"], "of two keys one is left"


def test_undo_stops_the_ai(see):
    begun = (OPEN_PRACTICE, answer(0, TABLES), judged(1), PLAY)
    *_, playing, undone, later = see(*begun, UNDO, {"pass": 1000})
    assert playing["isPlaying"]
    assert not undone["isPlaying"]
    assert later["board"] == POSITION


def test_a_start_that_did_not_come_is_asked_for_again(see):
    begun = (OPEN_PRACTICE, answer(0, TABLES), answer(1, {"error": "busy"}, 503))
    *_, again, held, shown = see(*begun, LEFT, LEFT, judged(2))
    assert again["asked"][2] == again["asked"][1]
    assert questions(held) == questions(again)
    assert shown["board"] == POSITION, "what was pressed before it came moves nothing"


def test_a_refused_key_keeps_no_other_waiting(see):
    """Two keys pressed before the answer: the table refuses the first, the second is played."""
    begun = (OPEN_PRACTICE, answer(0, TABLES), judged(1), LEFT, RIGHT, LEFT)
    *_, moved, answered, undone = see(*begun, judged(2), UNDO)
    assert answered["board"] != moved["board"]
    assert questions(answered) == ["tables"] + 3 * ["judge"]
    assert undone["board"] == moved["board"], "the move was made, so it is taken back"


def test_the_ai_plays_on_after_a_refused_key(see):
    begun = (OPEN_PRACTICE, answer(0, TABLES), judged(1), PLAY, RIGHT)
    *_, refused, later = see(*begun, judged(2), {"pass": 200})
    assert refused["isPlaying"]
    assert later["board"] != refused["board"]


def test_keys_that_wait_end_with_the_moves(see):
    """Of what was pressed before the last answer nothing is played once the end is taken back."""
    end = answer(2, {**judged(2)["answer"][1], "end": "lost"})
    begun = (OPEN_PRACTICE, answer(0, TABLES), judged(1), LEFT, LEFT, LEFT)
    *_, undone, moved = see(*begun, end, UNDO, LEFT)
    assert undone["board"] == POSITION
    assert questions(see(*begun, end, UNDO, LEFT, judged(3))[-1]) == questions(moved)


def test_where_no_table_was_finished_they_are_looked_for_again(see):
    begun = (OPEN_PRACTICE, answer(0, {"tables": []}), OPEN_GAME)
    *_, asked, shown = see(*begun, OPEN_PRACTICE, answer(1, TABLES))
    assert questions(asked) == 2 * ["tables"]
    assert questions(shown) == [*questions(asked), "judge"]


def test_tables_built_since_the_last_time_are_listed(see):
    more = {"tables": [{"name": "44_64", "state": "complete"}, *TABLES["tables"]]}
    begun = (OPEN_PRACTICE, answer(0, TABLES), judged(1), LEFT, judged(2), OPEN_GAME, OPEN_PRACTICE)
    *_, back, listed = see(*begun, answer(3, more))
    assert (back["tables"], listed["tables"]) == (["442_64"], ["44_64", "442_64"])
    assert (listed["board"], questions(listed)) == (back["board"], questions(back)), "it goes on"
    refused = see(*begun, answer(3, {"error": "busy"}, 503))[-1]
    assert (refused["notice"], refused["tables"]) == ("", ["442_64"])


def test_a_table_in_use_stays_in_the_list(see):
    """A drive that was taken out may come back; another table is not chosen by itself."""
    begun = (OPEN_PRACTICE, answer(0, TABLES), judged(1), OPEN_GAME, OPEN_PRACTICE)
    listed = see(*begun, answer(2, {"tables": [{"name": "44_64", "state": "complete"}]}))[-1]
    assert listed["tables"] == ["442_64", "44_64"]
    assert listed["board"] == POSITION


def test_a_hint_is_still_on_the_board_after_another_page(see):
    *_, away, back = see(OPEN_GAME, START, HINT, best(0), OPEN_REVIEW, OPEN_GAME)
    assert away["arrow"] is None
    assert back["arrow"] == DIRECTIONS.index(LEGAL)


def test_a_move_that_is_looked_at_is_still_shown_after_another_page(see):
    begun = (OPEN_TEST, answer(0, TABLES), judged(1), LEFT, judged(2), END)
    *_, looked, _, back = see(*begun, {"look": 0}, OPEN_GAME, OPEN_TEST)
    assert (looked["board"], looked["arrow"]) == (POSITION, DIRECTIONS.index("left"))
    assert (back["board"], back["arrow"]) == (looked["board"], looked["arrow"])


def test_a_file_is_opened_while_another_page_is_looked_at(see):
    begun = (OPEN_GAME, START, OPEN_REVIEW, {"file": "game.rpl"}, OPEN_GAME)
    *_, before, late, back = see(*begun, graded(0), OPEN_REVIEW)
    assert late == before
    assert (back["board"], back["arrow"]) == (POSITION, DIRECTIONS.index("up"))


def test_a_file_that_is_refused_says_so_on_its_own_page_only(see):
    begun = (OPEN_GAME, START, OPEN_REVIEW, {"file": "game.rpl"})
    refused = answer(0, {"error": "no game"}, 400)
    assert see(*begun, refused)[-1]["notice"] == "no game"
    assert see(*begun, OPEN_GAME, refused)[-1]["notice"] == ""


def test_of_two_files_the_last_is_shown(see):
    begun = (OPEN_REVIEW, {"file": "one.rpl"}, {"file": "other.rpl"})
    *_, shown, late = see(*begun, graded(1), graded(0, EMPTY))
    assert shown["board"] == late["board"] == POSITION


def test_a_game_that_is_judged_while_another_is_opened_is_judged_no_longer(see):
    begun = (OPEN_REVIEW, {"file": "one.rpl"}, graded(0, EMPTY), {"file": "other.rpl"})
    judging = answer(2, {"id": "a1", "state": "running"})
    *_, before, shown = see(*begun, {"press": "g"}, judging, graded(1))
    assert before["notice"].startswith("Judging the whole game")
    assert shown["board"] == POSITION
    assert shown["notice"] == ""
    canceled = shown["asked"][3]
    assert (canceled["path"], canceled["method"]) == ("analyses/a1", "DELETE")


UNSURE = {
    **judged(1)["answer"][1],
    "moves": {
        **dict.fromkeys(DIRECTIONS),
        "left": {"rate": 0.5, "grade": None},
        "right": {"rate": 0.6, "grade": None},
    },
    "best": [],
    "at_least": True,
}
"""A position of a table with limits: it calls no move the best."""


@pytest.mark.parametrize("key", [BEST, PLAY])
def test_among_lower_bounds_the_ai_plays_the_highest(see, key):
    moved = see(OPEN_PRACTICE, answer(0, TABLES), answer(1, UNSURE), key)[-1]
    assert moved["board"][1:4] == "322", "it moved to the right"
    assert questions(moved) == ["tables", "judge", "judge"]


def test_a_test_without_a_judged_move_is_not_called_perfect(see):
    begun = (OPEN_TEST, answer(0, TABLES))
    told = see(*begun, answer(1, UNSURE), LEFT, answer(2, UNSURE), END)[-1]
    assert told["summary"] == "No move could be judged."
    right = see(*begun, judged(1), LEFT, END)[-1]
    assert right["summary"] == "Every move was perfect."
    assert (right["score"]["perfect"], right["score"]["judged"]) == (1, 1)


NEXT, TRAINED = {"press": "n"}, (OPEN_TRAIN, answer(0, TABLES))


def test_train_asks_where_only_one_move_is_right(see):
    *_, passed, shown = see(*TRAINED, puzzle(1, other="inaccurate"), puzzle(2, GAME[:8] + "2" * 8))
    assert passed["board"] == EMPTY, "the choice there matters little"
    assert shown["board"] != EMPTY
    assert passed["asked"][2]["follows"], "it goes on by the best move"


@pytest.mark.parametrize(("move", "perfect"), [(LEFT, 1), (RIGHT, 0)])
def test_train_takes_one_answer_and_shows_the_right_one(see, move, perfect):
    *_, shown, told, again, following = see(*TRAINED, puzzle(1), move, LEFT, NEXT)
    assert (shown["board"], shown["arrow"]) == (POSITION, None)
    assert (told["board"], told["arrow"]) == (POSITION, DIRECTIONS.index("left"))
    assert (told["score"]["perfect"], told["score"]["judged"]) == (perfect, 1)
    assert again == told
    assert following["arrow"] is None
    assert questions(following) == ["tables", "judge", "judge"]


def test_train_does_not_take_a_move_the_table_does_not_rate(see):
    told = see(*TRAINED, puzzle(1), DOWN)[-1]
    assert told["notice"].startswith("The table doesn't know")
    assert told["score"]["judged"] == 0


def test_a_mistake_comes_back_in_train_until_it_is_right(see):
    mistakes = {"mistakes": True}
    begun = (OPEN_PRACTICE, answer(0, TABLES), puzzle(1), RIGHT, puzzle(2))
    trained = (*begun, OPEN_TRAIN, answer(3, TABLES), puzzle(4), mistakes)
    *_, asked, shown, wrong, again = see(*trained, puzzle(5), RIGHT, NEXT)
    assert shown["board"] == POSITION
    assert asked["asked"][5]["board"] == again["asked"][6]["board"] == POSITION
    assert wrong["score"]["judged"] == 1
    *_, right, none = see(*trained, puzzle(5), LEFT, NEXT)
    assert right["score"]["perfect"] == 1
    assert none["notice"] == "No mistakes are left."
    assert len(none["asked"]) == len(right["asked"])


def test_train_asks_again_where_the_table_did_not_answer(see):
    *_, failed, again, shown = see(*TRAINED, answer(1, {"error": "busy"}, 503), LEFT, puzzle(2))
    assert failed["notice"] == "busy"
    assert again["asked"][2] == again["asked"][1]
    assert (shown["board"], shown["score"]["judged"]) == (POSITION, 0)


def test_a_question_that_comes_late_is_not_for_another_page(see):
    *_, late, back, shown = see(
        *(OPEN_GAME, START, *TRAINED, OPEN_GAME, puzzle(1)), OPEN_TRAIN, puzzle(2)
    )
    assert late["board"] == GAME
    assert back["asked"][1] == back["asked"][2]
    assert shown["board"] == POSITION
