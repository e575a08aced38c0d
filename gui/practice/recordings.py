"""Lines of play as recordings and back; the files of recordings. No Qt.

The recording is the line from its start (the last place where the board was not reached by a move)
to the current place: undo shortens it, moves by hand are included, and a tile placed by hand
belongs to the move before it.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from coach.recordings.practice_file import (
    MAX_BYTES,
    PracticeRecording,
    is_practice_file,
    read_practice,
    write_practice,
)
from coach.recordings.recording import table_in_name
from engine.bitboard import cells
from engine.formats.reading import read_replay
from engine.formats.rec import write_rec
from engine.formats.replay import Rates, Replay, ReplayError, ReplayMove, bitboard, place
from engine.formats.rpl import write_rpl
from engine.platform.files.atomic_file import write_error, write_file
from engine.platform.files.input_file import read_bytes
from engine.platform.language import mark, tr
from engine.trace import slide_cells
from gui.practice.tree import Node, Step


def recorded_moves(here: Node) -> list[tuple[Node, Node]]:
    """Return the moves up to a node as (node of the move, node of its new tile), in order.

    A move that still waits for its tile is not included.
    """
    moves: list[tuple[Node, Node]] = []
    node = here
    while node.parent and node.step.kind in ("move", "spawn"):
        after, move = node, node
        if node.step.kind == "spawn":
            move = node.parent
        if move.parent is None or move.step.kind != "move":
            break  # a tile placed after a turn of the board: the line begins with it
        if not after.step.needs_spawn:
            moves.append((move.parent, after))
        node = move.parent
    return moves[::-1]


def replay_of(here: Node, walls: bool, rates_of: Callable[[Node], Rates | None]) -> Replay:
    line = recorded_moves(here)
    start = line[0][0] if line else here
    return Replay(
        tuple(cells(start.step.board)),
        tuple(_move(after, rates_of(before)) for before, after in line),
        walls,
        merge_32768=False,
    )


def branch_of(replay: Replay, name: str) -> Node:
    """Return a recording as a branch of a tree; where moves are missing the board is set."""
    start = Node(Step(bitboard(replay.start), "recording"), name=name)
    exponents, node, gaps = replay.start, start, dict(replay.gaps)
    for number, move in enumerate(replay.moves, 1):
        node.recorded = move.rates
        motion = slide_cells(exponents, move.direction, replay.walls, replay.merge_32768)
        exponents = place(motion.cells, move.cell, move.exponent, number)
        step = Step(
            bitboard(exponents), "move", move.direction, motion.slides, (move.cell, move.exponent)
        )
        node = node.add(step)
        if number in gaps:
            exponents = gaps[number]
            node = node.add(Step(bitboard(exponents), "edit"))
    return start


def _move(after: Node, rates: Rates | None) -> ReplayMove:
    by_hand = after.step.kind == "spawn"
    step = after.parent.step if by_hand and after.parent else after.step
    assert step.direction is not None, "as recorded_moves says"
    assert after.step.spawned is not None, "as recorded_moves says"
    return ReplayMove(step.direction, *after.step.spawned, rates)


WRITERS: Mapping[str, Callable[[Replay], bytes]] = {".rec": write_rec, ".rpl": write_rpl}
FILTER_OUT = mark("Recording with all rates (*.json);;Practice recording (*.rec);;Replay (*.rpl)")
FILTER_IN = mark("Recorded games (*.json *.rec *.rpl *.txt *.vrs);;All files (*)")


def suggested_name(table: str, now: datetime) -> str:
    """Return a name for a new recording: `L3_512_20260131_235959.json`."""
    return f"{table or 'practice'}_{now:%Y%m%d_%H%M%S}.json"


def save_recording(path: Path, recording: PracticeRecording) -> Path:
    """Write a recording in the format given by the suffix, .json by default.

    Raises ReplayError, WriteError: the format cannot hold the game; the file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix in WRITERS:
        data = WRITERS[suffix](recording.replay)
    elif suffix in (".json", ""):
        path, data = path.with_suffix(".json"), write_practice(recording).encode()
    else:
        raise ReplayError(
            "no recording ends in {suffix}: expected .json, .rec or .rpl", suffix=suffix
        )
    try:
        write_file(path, [data])
    except OSError as error:
        raise write_error(error, path) from error
    return path


def open_recording(path: Path) -> PracticeRecording:
    """Return the recorded game in a file of any format.

    The table is taken from the file, or else from the start of its name, as the reference program
    and `suggested_name` write it; "" if unknown.

    Raises AppError: it cannot be read, or is not a recording.
    """
    data = read_bytes(path, tr("a recorded game"), MAX_BYTES)
    if is_practice_file(data):
        return read_practice(data)
    return PracticeRecording(read_replay(data)[1], table_in_name(path.name) or "")
