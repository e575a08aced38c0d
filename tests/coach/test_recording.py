"""Recordings and their files: positions, grades, luck, what is guessed from names."""

import json
import math
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.grading.grade import UINT32, Grade, Score, Tolerance, judge
from coach.play.rules import End
from coach.play.run import Run
from coach.recordings.comparison import compare
from coach.recordings.many_tables import rate_by, rate_by_many
from coach.recordings.practice_file import (
    PracticeRecording,
    is_practice_file,
    read_practice,
    write_practice,
)
from coach.recordings.recording import RecordingError, open_recording, recording_of, table_in_name
from engine.formats.rec import write_rec
from engine.formats.replay import Rates, Replay, ReplayError, ReplayMove
from engine.formats.rpl import write_rpl
from engine.formats.verse2048 import write_new, write_old
from engine.trace import slide_cells
from tests.coach.games import START, NamedTable, board_of, random_game, with_gap
from tests.coach.made_sessions import played, write_session

LEFT, RIGHT, UP, DOWN = range(4)


def three_moves(*rates: Rates | None) -> Replay:
    """Return left, up, right from two 2s in the corner; worked out by hand below."""
    played = ((LEFT, 11, 1), (UP, 13, 2), (RIGHT, 4, 1))
    moves = [ReplayMove(*move, rates=r) for move, r in zip(played, rates, strict=True)]
    return Replay(START, tuple(moves))


def test_the_last_position_has_its_last_tile_where_it_came():
    recording = recording_of(three_moves(None, None, None))
    # 2 2 . .   4 . . .   4 . . 2   . . 4 2
    # . . . .   . . . .   . . . .   2 . . .
    # . . . .   . . . 2   . . . .   . . . .
    # . . . .   . . . .   . 4 . .   . . . 4
    assert [f"{board:016x}" for board in recording.boards] == [
        "1100000000000000",
        "2000000000010000",
        "2001000000000200",
        "0021100000000002",
    ]


def test_match_rate_combo_and_grades_by_hand():
    recording = recording_of(
        three_moves((0.9, 0.9, None, 0.8), (0.1, 0.8, 0.64, None), (0.5, 0.5, 0.2, 0.1))
    )
    assert [one.grade for one in recording.judgements if one] == [
        Grade.PERFECT,
        Grade.BLUNDER,
        Grade.PERFECT,
    ]
    assert [score.match_rate for score in recording.scores] == pytest.approx([1, 1, 0.8, 0.8])
    assert [score.combo for score in recording.scores] == [0, 1, 0, 1]
    assert recording.score.largest_loss == pytest.approx(0.2)
    assert recording.worst(5) == recording.mistakes(0.19) == [1]
    assert recording.mistakes(0.3) == []


def test_a_move_that_throws_the_game_away_is_no_perfect_one():
    recording = recording_of(three_moves((0.0, 0.5, None, None), None, None))
    assert recording.judgements[0] is not None
    assert recording.judgements[0].grade is Grade.DISASTER
    assert recording.score.match_rate == 0.0


def test_luck_by_hand():
    recording = recording_of(
        three_moves((0.5, 0.6, None, None), (0.7, 0.1, 0.4, None), (None, 0.2, None, None)),
        end_rate=0.1,
    )
    # The tile after a move worth 0.5 led to a best rate of 0.7, then 0.4 to 0.2, then 0.2 to 0.1.
    expected = [math.log(0.7 / 0.5), math.log(0.2 / 0.4), math.log(0.1 / 0.2)]
    assert list(recording.luck) == pytest.approx(expected)
    assert recording.total_luck == pytest.approx(sum(expected))
    assert list(recording.luck_curve) == pytest.approx([0, 0.2, 0.0, -0.1])


def test_luck_is_known_only_where_both_rates_are():
    recording = recording_of(three_moves((0.5, 0.6, None, None), None, (None, 0.2, None, None)))
    assert recording.luck == (None, None, None)
    assert np.isnan(recording.luck_curve).all()
    assert recording.total_luck is None


def test_the_sum_of_luck_stays_where_a_tile_is_not_known():
    rates = (0.5, 0.6, None, None)
    recording = recording_of(three_moves(rates, (0.7, 0.1, 0.4, None), None), end_rate=0.1)
    first = math.log(0.7 / 0.5)
    assert recording.luck == (pytest.approx(first), None, None)
    assert list(recording.luck_curve) == pytest.approx([0, 0.2, 0.2, 0.2])


def test_a_tile_that_leaves_nothing_ends_the_luck():
    rates = (0.5, None, None, None)
    recording = recording_of(three_moves(rates, (0.0, 0.0, 0.0, 0.0), None))
    assert recording.luck[0] == -math.inf
    assert list(recording.luck_curve) == [0.0, -0.5, -0.5, -0.5]
    assert recording.total_luck == -math.inf


def test_match_rate_times_luck_is_the_way_from_the_first_rate_to_the_last():
    rated = rate_by(NamedTable(), recording_of(random_game(60, with_rates=False)))
    assert rated is not None
    first, last = rated.best_rate(0), rated.best_rate(60)
    assert first
    assert last
    assert rated.score.match_rate * math.exp(rated.total_luck or 0) == pytest.approx(last / first)


def test_scores_are_those_of_the_one_rule():
    replay = random_game(300)
    recording = recording_of(replay)
    match, combo, longest = 1.0, 0, 0
    for i, move in enumerate(replay.moves):
        assert move.rates
        one = judge(move.rates, move.direction, UINT32)
        assert recording.judgements[i] == one
        best = max(rate for rate in move.rates if rate is not None)
        ratio = (move.rates[move.direction] or 0) / best if best else 1.0
        combo = combo + 1 if ratio == 1 and best else 0 if best else combo
        match, longest = match * ratio, max(longest, combo)
        assert recording.scores[i + 1].match_rate == pytest.approx(match)
        assert recording.scores[i + 1].combo == combo
    assert recording.score.longest_combo == longest
    losses = [recording.judgements[i].loss for i in recording.worst(300)]
    assert losses == sorted(losses, reverse=True)
    assert len(losses) == recording.score.n_moves - recording.score.count(Grade.PERFECT)


def test_what_cannot_be_played_ends_the_recording_and_is_told():
    good = random_game(20)
    positions = list(good.positions())
    after = slide_cells(positions[9], good.moves[9].direction).cells
    taken = next(cell for cell in range(16) if after[cell])
    bad = replace(good.moves[9], cell=taken)
    recording = recording_of(replace(good, moves=(*good.moves[:9], bad, *good.moves[10:])))
    assert recording.n_moves == len(recording.replay.moves) == 9
    assert recording.positions == tuple(positions[:10])
    assert len(recording.rates) == 10
    assert "move 10" in recording.problem


def test_a_problem_of_the_file_is_kept():
    assert recording_of(replace(random_game(5), problem="it ends in a row")).problem == (
        "it ends in a row"
    )


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("L3_512_20260509121500_0.9731_rec.rpl", "L3_512"),
        ("442_256.rec", "442_256"),
        ("4442ff_2048_x.rpl", "4442ff_2048"),
        ("free12_1024_1.rpl", "free12_1024"),
        ("L3_500_x.rpl", None),
        ("L3_8_x.rpl", None),
        ("L3.rpl", None),
        ("L3_rec.rpl", None),
        ("_512.rpl", None),
        ("a b_512.rpl", None),
        ("12345_20260101_120000.txt", None),
        ("L3_\N{SUPERSCRIPT TWO}56.rpl", None),
        ("L3_" + "5" * 5000, None),  # more digits than Python makes a number of
        ("", None),
    ],
)
def test_the_table_in_a_file_name(name, table):
    assert table_in_name(name) == table


def test_only_formations_that_there_are_make_a_table():
    assert table_in_name("score_512_x.txt", {"L3", "442"}) is None
    assert table_in_name("L3_512_x.txt", {"L3", "442"}) == "L3_512"


def test_a_table_gives_rates_to_every_position_it_knows():
    recording = recording_of(random_game(40, with_rates=False))
    table = NamedTable()
    table.outside = set(recording.boards[10:20])
    done: list[tuple[int, int]] = []
    rated = rate_by(table, recording, lambda *step: done.append(step))
    assert rated is not None
    assert table.asked == [board_of(position) for position in recording.positions]
    for i, board in enumerate(recording.boards):
        inside = board not in table.outside
        assert rated.rates[i] == (NamedTable.rates_at(board) if inside else None)
    assert (rated.source, rated.table) == ("L3_512", "L3_512")
    assert rated.tolerance == Tolerance.of_type("float64")
    assert done[-1] == (41, 41)
    assert recording.source == ""
    assert recording.n_judged == 0


def test_where_moves_are_missing_the_tile_has_no_luck_and_nothing_follows(tmp_path):
    whole = recording_of(random_game(40))
    path = tmp_path / "gap.rpl"
    path.write_bytes(write_rpl(with_gap(whole.replay, 10, 14)))
    found = open_recording(path)
    assert (found.n_moves, found.gaps) == (36, {10})
    assert found.positions == whole.positions[:10] + whole.positions[14:]
    assert found.luck[9] is None
    assert found.luck[10:] == whole.luck[14:]
    assert found.problem == "moves are missing after move 10"
    for rate in (rate_by, lambda table, recording: rate_by_many([table], recording)):
        table = NamedTable()
        rate(table, found)
        assert [i for i, follows in enumerate(table.follows) if not follows] == [0, 10]


def test_rating_can_be_cancelled():
    table = NamedTable()
    recording = recording_of(random_game(200, with_rates=False))
    assert rate_by(table, recording, cancelled=lambda: len(table.asked) >= 64) is None
    assert len(table.asked) == 64


def test_a_full_board_without_a_move_is_worth_nothing():
    stuck = (1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1)
    before = (*stuck[:12], 0, 2, 1, 2)  # right to left: the last row slides left, 2 comes last
    replay = Replay(before, (ReplayMove(LEFT, 15, 1),))
    recording = recording_of(replay)
    assert recording.positions[-1] == (*stuck[:12], 2, 1, 2, 1)
    rated = rate_by(NamedTable(), recording)
    assert rated is not None
    assert rated.end_rate == 0.0


def test_two_ratings_are_compared():
    old = recording_of(three_moves((0.5, 0.6, None, None), (0.7, 0.1, 0.4, None), None))
    rates = [(0.5, 0.6, 0.0, None), (0.7, 0.1, 0.7, None), (0.1, 0.1, None, None), None]
    found = compare(old, replace(old, rates=tuple(rates)))
    assert (found.n_common, found.different, found.n_grades) == (2, (1,), 1)
    assert found.largest == pytest.approx(0.3)


def test_rounding_is_no_difference():
    old = recording_of(three_moves((0.5, 0.6, None, None), None, None))
    new = replace(old, rates=((0.5 + 1e-10, 0.6, None, None), None, None, None))
    assert compare(old, new).different == ()


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(RecordingError, match="cannot read"):
        open_recording(tmp_path / "none.rpl")


def verse_game() -> Replay:
    game = random_game(80, with_rates=False)
    return replace(game, start_tiles=((0, 1), (1, 1)))


FORMATS = {
    "L3_512_x_rec.rpl": lambda: write_rpl(random_game(60)),
    "442_256.rec": lambda: write_rec(random_game(60)),
    "old.txt": lambda: write_old(verse_game()),
    "new.txt": lambda: write_new(verse_game()).encode(),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_opened_and_judged(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(FORMATS[name]())
    played = random_game(60) if name.endswith(("rpl", "rec")) else verse_game()
    found = open_recording(path)
    assert found.positions == tuple(played.positions())
    assert (found.name, found.path, found.problem) == (name, path, "")
    has_rates = played.moves[0].rates is not None
    assert found.source == ("file" if has_rates else "")
    assert (found.n_judged > 0) == has_rates
    if has_rates:
        assert found.score.match_rate == pytest.approx(
            recording_of(played).score.match_rate, rel=1e-6
        )


def test_a_test_played_here_is_opened_with_its_score(tmp_path):
    session = played(70, leaves_out_forced=True)
    path = tmp_path / "20260501-120000.json"
    write_session(path, session)
    found = open_recording(path)
    assert found.table == "L3_256"
    assert found.scores == tuple(session_scores(session))
    assert found.boards == (*(move.board for move in session.moves), session.board)


def session_scores(session: Run) -> list[Score]:
    scores = [Score(leaves_out_forced=True)]
    for move in session.moves:
        scores.append(scores[-1].add(move.judgement))
    return scores


@pytest.mark.parametrize(("end", "rate"), [(End.REACHED, 1.0), (End.LOST, 0.0), (End.TIME, None)])
def test_how_a_test_ended_tells_the_last_rate(tmp_path, end, rate):
    session = played(5)
    session.finish(end, session.started)
    path = tmp_path / "test.json"
    write_session(path, session)
    assert open_recording(path).best_rate(5) == rate


def test_a_damaged_file_gives_what_comes_before(tmp_path):
    data = bytearray(write_rpl(random_game(60)))
    path = tmp_path / "L3_512_bad.rpl"
    path.write_bytes(data[: 25 * 31])
    found = open_recording(path)
    assert found.n_moves >= 29
    assert found.problem
    assert found.positions == tuple(random_game(60).positions())[: found.n_moves + 1]


@pytest.mark.parametrize("data", [b"", b"{", b'{"format": "else"}', b"hello world", b"\0" * 40])
def test_what_is_no_game_is_told_with_its_name(tmp_path, data):
    path = tmp_path / "thing.txt"
    path.write_bytes(data)
    with pytest.raises(RecordingError, match=r"thing\.txt"):
        open_recording(path)


def test_a_recording_that_begins_like_json_is_opened_all_the_same(tmp_path):
    # The lowest byte of the first position is "{": 7b, the tiles 128 and 2048.
    start = (1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 11)
    data = write_rpl(Replay(start, (ReplayMove(LEFT, 4, 1, (0.5, 0.4, None, 0.3)),)))
    assert data[:1] == b"{"
    path = tmp_path / "442_4096.rpl"
    path.write_bytes(data)
    assert open_recording(path).positions[0] == start


TWO_TILES = (1, 1, 0, 0, *[0] * 12)


# To the left it is 4 . . .; a 2 comes into cell 11; up, that goes to cell 3; a 4 into cell 13.
MOVES = (ReplayMove(LEFT, 11, 1, (0.9, 0.85, None, 0.5)), ReplayMove(UP, 13, 2))


END = (2, 0, 0, 1, *[0] * 9, 2, 0, 0)


def encoded(recording: PracticeRecording) -> bytes:
    return write_practice(recording).encode()


def test_a_recording_comes_back_as_it_was():
    recording = PracticeRecording(Replay(TWO_TILES, MOVES, merge_32768=False), "L3_512", 0.1)
    again = read_practice(encoded(recording))
    assert again == recording
    assert list(again.replay.positions())[-1] == END
    assert is_practice_file(encoded(recording))


def test_what_the_file_looks_like():
    data = json.loads(encoded(PracticeRecording(Replay(TWO_TILES, MOVES), "L3_512", 0.1)))
    assert data["start"] == [2, 2, *[0] * 14]
    assert data["moves"] == [
        {"move": "left", "cell": 11, "tile": 2, "rates": {"left": 0.9, "right": 0.85, "down": 0.5}},
        {"move": "up", "cell": 13, "tile": 4},
    ]


def test_a_recording_without_moves():
    recording = PracticeRecording(Replay(TWO_TILES, ()), "", 0.25)
    assert read_practice(encoded(recording)) == recording


def changed(**changes: Any) -> bytes:
    data = json.loads(encoded(PracticeRecording(Replay(TWO_TILES, MOVES), "L3_512", 0.1)))
    return json.dumps({**data, **changes}).encode()


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "not valid JSON"),
        (b"\xff\xfe", "not UTF-8 text"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "not a recording of Practice"),
        (changed(format="endgame2048-test"), "not a recording of Practice"),
        (changed(version=2), "update the program"),
        (changed(start=[2] * 15), "a list of 16 entries"),
        (changed(start=[3] * 16), "'start': entry 1 is 3; expected 0, 2, 4, 8"),
        (changed(start=[1] * 16), "'start': entry 1 is 1; expected 0, 2, 4, 8"),
        (changed(start=[2] * 15 + [1 << 18]), "'start': entry 16 is 262144"),
        (changed(start=[True] * 16), "'start': entry 1 is true"),
        (changed(moves=None), "'moves' is null"),
        (changed(spawn4=float("nan")), "NaN is not a JSON number"),
        (changed(walls=1), "'walls' is 1; expected true or false"),
    ],
)
def test_a_file_that_is_none_is_explained(data, complaint):
    with pytest.raises(ReplayError, match=complaint):
        read_practice(data)


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        ({"move": "left", "cell": 0, "tile": 2}, "the new tile of move 2 lies on another one"),
        ({"move": "up", "cell": 13, "tile": 8}, "move 2: 'tile' is 8; expected 2 or 4"),
        ({"move": "jump", "cell": 13, "tile": 2}, "move 2: 'move' is 'jump'"),
        ({"move": "up", "cell": 16, "tile": 2}, "move 2: 'cell' is 16"),
        ({"move": "up", "cell": 13, "tile": 2, "rates": {"up": 2}}, "move 2: 'rates': 'up' is 2"),
        ("up", "move 2: it is 'up'; expected an object"),
    ],
)
def test_what_could_be_read_is_kept(second, problem):
    first = {"move": "left", "cell": 11, "tile": 2}
    replay = read_practice(changed(moves=[first, second])).replay
    assert replay.moves == (ReplayMove(LEFT, 11, 1),)
    assert problem in replay.problem


def test_a_move_that_changes_nothing_ends_the_recording():
    moves = [{"move": "up", "cell": 11, "tile": 2}]
    replay = read_practice(changed(moves=moves)).replay
    assert replay.moves == ()
    assert "move 1 cannot be made" in replay.problem


@given(st.binary(max_size=200))
def test_no_bytes_do_harm(data):
    with suppress(ReplayError):
        read_practice(data)


@given(st.integers(0), st.binary(min_size=1, max_size=3))
def test_a_spoilt_file_is_read_as_far_as_it_is_whole(at, noise):
    data = bytearray(changed())
    at %= len(data)
    data[at : at + len(noise)] = noise
    with suppress(ReplayError):
        replay = read_practice(bytes(data)).replay
        cells = replay.start
        for move in replay.moves:  # all that is returned can be played
            after = slide_cells(cells, move.direction, replay.walls, replay.merge_32768).cells
            assert after != cells
            assert after[move.cell] == 0
            cells = (*after[: move.cell], move.exponent, *after[move.cell + 1 :])
