"""What a line of play becomes as a recording, and back."""

from engine.bitboard import cells
from engine.formats.replay import Rates, Replay, ReplayMove
from engine.spawn import Rng
from gui.practice.recordings import branch_of, recorded_moves, replay_of
from gui.practice.session import PracticeSession, SpawnMode
from gui.practice.tree import Node
from tests.gui.practice_fakes import board_of

LEFT, RIGHT, UP, DOWN = range(4)
START = board_of("2 2 . .", ". . . .", ". . . .", ". . . 4")


def session(mode: SpawnMode = SpawnMode.RANDOM) -> PracticeSession:
    made = PracticeSession(START, False, Rng(7))
    made.spawn_mode = mode
    return made


def nothing(_node: Node) -> Rates | None:
    return None


def positions(play: PracticeSession) -> list[int]:
    replay = replay_of(play.tree.here, False, nothing)
    return [sum(e << (60 - 4 * i) for i, e in enumerate(c)) for c in replay.positions()]


def test_moves_by_hand_are_recorded_with_their_tiles():
    play = session()
    boards = [START]
    for direction in (LEFT, DOWN, RIGHT):
        assert play.move(direction)
        boards.append(play.board)
    assert positions(play) == boards
    moves = recorded_moves(play.tree.here)
    assert [before.step.board for before, _ in moves] == boards[:-1]


def test_undo_shortens_the_recording():
    play = session()
    play.move(LEFT)
    kept = play.board
    play.move(DOWN)
    play.undo()
    assert positions(play) == [START, kept]
    play.move(RIGHT)  # and another move takes the place of the one taken back
    replay = replay_of(play.tree.here, False, nothing)
    assert [move.direction for move in replay.moves] == [LEFT, RIGHT]


def test_a_tile_placed_by_hand_belongs_to_its_move():
    play = session(SpawnMode.MANUAL)
    play.move(LEFT)
    play.spawn(5, 2)
    play.move(DOWN)
    replay = replay_of(play.tree.here, False, nothing)
    assert replay.moves == (ReplayMove(LEFT, 5, 2),)  # the second move still waits for its tile
    assert replay.start == tuple(cells(START))


def test_the_recording_begins_after_the_last_break():
    play = session()
    play.move(LEFT)
    play.turn("mirror")
    turned = play.board
    assert positions(play) == [turned]
    play.move(DOWN)
    assert positions(play) == [turned, play.board]


def test_a_board_turned_while_it_waits_for_a_tile():
    play = session(SpawnMode.MANUAL)
    play.move(LEFT)
    play.turn("mirror")
    play.spawn(5, 1)
    placed = play.board
    assert positions(play) == [placed]
    play.move(DOWN)
    play.spawn(next(i for i, e in enumerate(cells(play.board)) if e == 0), 1)
    assert positions(play) == [placed, play.board]


def test_rates_are_those_before_each_move():
    play = session()
    play.move(LEFT)
    second = play.board
    play.move(DOWN)
    known: dict[int, Rates] = {START: (0.5, 0.25, None, None), second: (None, None, None, 1.0)}
    replay = replay_of(play.tree.here, False, lambda node: known[node.step.board])
    assert [move.rates for move in replay.moves] == [known[START], known[second]]


def test_a_recording_becomes_a_branch_that_is_walked_both_ways():
    rates: Rates = (0.5, None, None, None)
    replay = Replay(
        tuple(cells(START)),
        (ReplayMove(LEFT, 11, 1, rates), ReplayMove(UP, 13, 2)),
        merge_32768=False,
    )
    play = session()
    play.move(DOWN)
    left = play.board
    step = play.load(branch_of(replay, "my game"))
    assert step.board == START
    assert play.tree.here.name == "my game"
    assert play.tree.here.recorded == rates
    assert play.redo() is not None
    assert play.board == board_of("4 . . .", ". . . .", ". . . 2", "4 . . .")
    assert play.step.spawned == (11, 1)
    assert play.redo() is not None
    assert not play.can_redo
    assert replay_of(play.tree.here, False, lambda node: node.recorded) == replay
    for _ in range(3):
        play.undo()
    assert play.board == left


def test_where_moves_are_missing_in_a_recording_the_board_is_set():
    later = board_of("8 . . .", ". 2 . .", ". . . .", ". . . .")
    replay = Replay(
        tuple(cells(START)),
        (ReplayMove(LEFT, 11, 1), ReplayMove(UP, 13, 2)),
        merge_32768=False,
        gaps=((1, tuple(cells(later))),),
    )
    play = session()
    play.load(branch_of(replay, "my game"))
    steps = [play.redo() for _ in range(3)]
    assert [step.kind for step in steps if step] == ["move", "edit", "move"]
    assert steps[1].board == later
    assert play.board == board_of("8 2 . .", ". . . .", ". . . .", ". 4 . .")


def test_another_move_in_a_recording_is_a_variation():
    replay = Replay(tuple(cells(START)), (ReplayMove(LEFT, 11, 1),), merge_32768=False)
    play = session()
    play.load(branch_of(replay, ""))
    play.move(DOWN)
    assert len(play.tree.here.siblings) == 2
    recorded = play.tree.here.siblings[0]
    play.go(recorded)
    assert recorded_moves(play.tree.here)[0][1] is recorded
