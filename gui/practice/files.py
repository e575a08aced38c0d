"""Files of recordings: writing our JSON, .rec and .rpl; reading any recorded game. No Qt."""

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
from engine.formats.reading import read_replay
from engine.formats.rec import write_rec
from engine.formats.replay import Replay, ReplayError
from engine.formats.rpl import write_rpl
from engine.platform.files.atomic_file import write_error, write_file
from engine.platform.files.input_file import read_bytes
from engine.platform.language import mark, tr

WRITERS: Mapping[str, Callable[[Replay], bytes]] = {".rec": write_rec, ".rpl": write_rpl}
FILTER_OUT = mark("Recording with all rates (*.json);;Practice recording (*.rec);;Replay (*.rpl)")
FILTER_IN = mark("Recorded games (*.json *.rec *.rpl *.txt *.vrs);;All files (*)")


def suggested_name(table: str, now: datetime) -> str:
    """Return a name for a new recording: `L3_512_20260131_235959.json`."""
    return f"{table or 'practice'}_{now:%Y%m%d_%H%M%S}.json"


def save_recording(path: Path, recording: PracticeRecording) -> Path:
    """Write a recording in the format given by the suffix, .json by default.

    Raises
    ------
    ReplayError, WriteError
        The format cannot hold the game; the file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix in WRITERS:
        data = WRITERS[suffix](recording.replay)
    elif suffix in (".json", ""):
        path, data = path.with_suffix(".json"), write_practice(recording).encode()
    else:
        raise ReplayError(
            tr("no recording ends in {suffix}: expected .json, .rec or .rpl", suffix=suffix)
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

    Raises
    ------
    AppError
        It cannot be read, or is not a recording.
    """
    data = read_bytes(path, tr("a recorded game"), MAX_BYTES)
    if is_practice_file(data):
        return read_practice(data)
    return PracticeRecording(read_replay(data)[1], table_in_name(path.name) or "")
