"""One file per variant and mode: the record, and the run in play.

``minigames/ice_age-hard.json`` is one JSON object::

    {"format": "endgame2048 minigame", "version": 1, "game": "ice_age", "mode": "hard",
     "record": {...}, "record_crc": 123, "run": {...} or null, "run_crc": 456}

The two parts have checksums of their own, and the record comes first: whatever happens to the run,
the record can be read, even from a truncated file. A damaged file is set aside before a new one
replaces it; one that can't be read at the moment is left alone. Each finished run leaves a file of
its own in ``minigames/replays``.
"""

import json
import reprlib
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.platform.errors import AppError
from engine.platform.files.atomic_file import write_file, writing
from engine.platform.files.damaged_file import is_transient, set_aside
from engine.platform.files.input_file import InputFileError, parse_json, read_bytes
from engine.platform.files.json_struct import as_struct, check_format
from engine.platform.language import sentences, tr
from engine.platform.quantities import clauses
from minigames.board import CRATER, DIRECTIONS, FLOOR, PORTAL
from minigames.parameters import LAST_LEVEL, OBJECTS
from minigames.records import FinishedRun, MinigameRecord
from minigames.registry import GAMES, rules_of
from minigames.run import MinigameReplay, MinigameRun
from minigames.state import State, read_log
from minigames.trophies import TROPHIES
from minigames.turn import Adversary

FORMAT = "endgame2048 minigame"  # no text
REPLAY_FORMAT = "endgame2048 minigame replay"  # no text
VERSION = 1
KEPT_PAST = 10  # moves that can be undone after closing the program
_MAX_BYTES = 16 << 20
_LARGEST_EXPONENT = 60
_LARGEST_OWN = 1 << 40
Now = Callable[[], datetime]


class DamagedRunError(AppError):
    """A stored run is unusable."""


@dataclass(frozen=True)
class StoredMinigame:
    """A run as stored."""

    version: int
    seed: int
    day: str
    log: str
    is_assisted: bool
    state: State
    past: tuple[State, ...]


@dataclass
class Slot:
    """The stored data of one variant in one mode."""

    game: str
    hard: bool
    record: MinigameRecord = field(default_factory=MinigameRecord)
    run: MinigameRun | None = None
    problem: str = ""  # the problem with the file, in words; usually ""
    # Whether the file must not be written: it could neither be read nor set aside.
    is_left_alone: bool = False


def mode_name(hard: bool) -> str:
    return "hard" if hard else "normal"


def slot_path(folder: Path, game: str, hard: bool) -> Path:
    return folder / f"{game}-{mode_name(hard)}.json"


def load_slot(
    folder: Path, game: str, hard: bool, now: Now, adversary: Adversary | None = None
) -> Slot:
    """Return the stored data; a damaged file is set aside, and its readable part is used."""
    slot, path = Slot(game, hard), slot_path(folder, game, hard)
    problems: list[str] = []
    data: dict[str, Any] = {}
    try:
        data = _read(path, slot, problems)
        slot.record = _record(data)
    except AppError as error:
        if is_transient(error):
            _leave_unread(slot, path, error)
            return slot
        problems.append(tr("what was reached before is lost: {error}", error=error))
    try:
        if data:
            slot.run = _run(data, slot, adversary)
    except AppError as error:
        problems.append(tr("the run that went on is lost: {error}", error=error))
    if problems:
        text = tr("{name} is damaged; {problems}.", name=path.name, problems=clauses(problems))
        _set_aside(slot, path, now, text)
    return slot


def slot_bytes(slot: Slot) -> bytes:
    record, run = asdict(slot.record), slot.run and asdict(_stored(slot.run))
    data = {
        "format": FORMAT,
        "version": VERSION,
        "game": slot.game,
        "mode": mode_name(slot.hard),
        "record": record,
        "record_crc": _crc(record),
        "run": run,
        "run_crc": _crc(run),
    }
    return json.dumps(data).encode("ascii")


def write_slot(path: Path, data: bytes) -> None:
    """Write the bytes from `slot_bytes` to the path from `slot_path`; raise WriteError."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, [data])


def save_replay(folder: Path, replay: MinigameReplay, now: Now) -> Path:
    """Write the replay of a run; return the file, or raise WriteError."""
    name = f"{replay.game}-{mode_name(replay.hard)}-{now():%Y%m%d-%H%M%S}-{replay.seed}.json"
    path = folder / "replays" / name
    data = {"format": REPLAY_FORMAT, "file_version": VERSION, **asdict(replay)}
    write_slot(path, json.dumps(data, indent=1).encode("ascii"))
    return path


def find_replay(folder: Path, game: str, hard: bool, run: FinishedRun) -> Path | None:
    """Return the file of a finished run; None if it is gone.

    Of several runs with its seed the first one written from its end on is taken.
    """
    head, tail = f"{game}-{mode_name(hard)}-", f"-{run.seed}.json"
    paths = sorted((folder / "replays").glob(f"{head}*{tail}"))
    with suppress(ValueError):
        ended = f"{head}{datetime.fromisoformat(run.ended):%Y%m%d-%H%M%S}{tail}"
        paths = [path for path in paths if path.name >= ended] or paths[-1:]
    return paths[0] if paths else None


def load_replay(path: Path) -> MinigameReplay:
    """Return a replay from a file.

    Raises InputFileError if it cannot be read, is not a replay, or is of another version of the
    rules.
    """
    data = _parsed(read_bytes(path, tr("a minigame's replay"), _MAX_BYTES), path)
    version = data.pop("file_version", None)
    data_of_version = {**data, "version": version}
    check_format(data_of_version, tr("a minigame's replay"), REPLAY_FORMAT, VERSION)
    del data["format"]
    replay = as_struct(data, MinigameReplay, lambda problem: InputFileError(f"{path}: {problem}"))
    if replay.game not in GAMES:
        raise InputFileError(
            "{path}: there is no minigame {name:.60}", path=path, name=repr(replay.game)
        )
    if replay.version != GAMES[replay.game].version:
        raise InputFileError(
            "{path}: it was played by rules {version} of {game}; "
            "this program has rules {present} and cannot show it",
            path=path,
            version=replay.version,
            game=GAMES[replay.game].title,
            present=GAMES[replay.game].version,
        )
    read_log(replay.log)
    return replay


def _stored(run: MinigameRun) -> StoredMinigame:
    return StoredMinigame(
        run.rules.spec.version,
        run.seed,
        run.day,
        " ".join(run.log),
        run.is_assisted,
        run.state,
        tuple(run.past)[-KEPT_PAST:],
    )


def _read(path: Path, slot: Slot, problems: list[str]) -> dict[str, Any]:
    raw = read_bytes(path, tr("a minigame's file"), _MAX_BYTES)
    try:
        data = _parsed(raw, path)
    except AppError as error:
        problems.append(tr("the run that went on is lost: {error}", error=error))
        return _salvaged(raw)
    check_format(data, tr("a minigame's file"), FORMAT, VERSION)
    if (data.get("game"), data.get("mode")) != (slot.game, mode_name(slot.hard)):
        raise InputFileError("it is of another game: {name:.60}", name=repr(data.get("game")))
    return data


def _parsed(raw: bytes, path: Path) -> dict[str, Any]:
    data = parse_json(raw, str(path))
    if not isinstance(data, dict):
        shown = reprlib.repr(data)
        text = tr("{path}: expected an object, found {found}", path=path, found=shown)
        raise InputFileError(text)
    return data


def _salvaged(raw: bytes) -> dict[str, Any]:
    """Return the record in a file that is no longer valid JSON, if the record is intact."""
    text = raw.decode("utf-8", "replace")
    parts: dict[str, Any] = {"run": None, "run_crc": _crc(None)}
    for name in ("record", "record_crc"):
        key = f'"{name}": '
        start = text.find(key)
        if start < 0:
            break
        try:
            parts[name], _ = json.JSONDecoder().raw_decode(text, start + len(key))
        except (ValueError, RecursionError):
            break
    return parts


def _record(data: dict[str, Any]) -> MinigameRecord:
    if "record" not in data or _crc(data["record"]) != data.get("record_crc"):
        raise InputFileError(tr("its checksum is wrong"))
    record = as_struct(data["record"], MinigameRecord)
    numbers = [record.best_score, record.best_figure, record.n_runs, record.n_moves]
    for run in record.runs:
        numbers += [run.seed, run.score, run.n_moves, run.figure]
    bests = [record.best, *(run.best for run in record.runs)]
    is_sound = (
        all(0 <= number < 1 << _LARGEST_EXPONENT for number in numbers)
        and all(0 <= best <= _LARGEST_EXPONENT for best in bests)
        and 0 <= record.trophy < len(TROPHIES)
    )
    if not is_sound:
        raise InputFileError(tr("it has numbers that nobody can reach"))
    return record


def _run(data: dict[str, Any], slot: Slot, adversary: Adversary | None) -> MinigameRun | None:
    if "run" not in data or _crc(data["run"]) != data.get("run_crc"):
        raise DamagedRunError(tr("its checksum is wrong"))
    if data["run"] is None:
        return None
    stored = as_struct(data["run"], StoredMinigame, DamagedRunError)
    spec = GAMES[slot.game]
    if stored.version != spec.version:
        raise DamagedRunError(
            "it was played by rules {old}, not {new}", old=stored.version, new=spec.version
        )
    run = MinigameRun(slot.game, slot.hard, stored.seed, adversary, stored.day)
    for state in (stored.state, *stored.past):
        _check(state, slot)
    run.state, run.is_assisted = stored.state, stored.is_assisted
    run.log = [action.short for action in read_log(stored.log)]
    run.past.extend(stored.past)
    return run


def _check(state: State, slot: Slot) -> None:
    """Raise if a state would break the rules because they could not have made it."""
    rules = rules_of(slot.game, hard=slot.hard)
    first, period = rules.start(0), rules.numbers.period
    n = len(state.tiles)
    ranges = {
        "object": (-1, n - 1),
        "mark": (-1, n - 1),
        "kind": (0, len(OBJECTS) - 1),
        "gravity": (0, len(DIRECTIONS) - 1),
        "level": (0, LAST_LEVEL),
        "moves_left": (min(1, period), period),
        "frozen": (0, _LARGEST_EXPONENT),
    }
    has_shape = 1 <= state.n_columns <= n and n % state.n_columns == 0
    if slot.game != "shape_shifter":
        has_shape = (state.n_columns, n) == (first.n_columns, len(first.tiles))
    is_sound = (
        has_shape
        and (state.game, state.hard) == (slot.game, slot.hard)
        and len(state.terrain) == n
        and all(FLOOR <= kind <= CRATER for kind in state.terrain)
        and all(PORTAL <= tile <= _LARGEST_EXPONENT for tile in state.tiles)
        and all(t == 0 or kind == FLOOR for t, kind in zip(state.tiles, state.terrain, strict=True))
        and all(0 <= count < _LARGEST_OWN for count in state.tools)
        and all(0 <= stream < 1 << 64 for stream in state.rng)
        and all(0 <= count < _LARGEST_OWN for count in (state.score, state.n_moves))
        and 0 <= state.best <= _LARGEST_EXPONENT
        and -1 <= state.newest < n
        and state.over in ("", "stuck", "time")
        and state.own.keys() == first.own.keys()
        and all(
            _is_like(value, first.own[name], n, *ranges.get(name, (0, _LARGEST_OWN)))
            for name, value in state.own.items()
        )
    )
    if not is_sound:
        raise DamagedRunError(tr("it is not a position of this game"))


def _is_like(value: int | list[int], first: int | list[int], n: int, least: int, most: int) -> bool:
    """Return whether a number is in range, or a list has one number in range for each cell."""
    if isinstance(value, int) or isinstance(first, int):
        return isinstance(first, int) and isinstance(value, int) and least <= value <= most
    return len(value) == n and all(least <= number <= most for number in value)


def _set_aside(slot: Slot, path: Path, now: Now, text: str) -> None:
    """Set the file of a slot aside, and append its new path to the message `text`."""
    try:
        aside = set_aside(path, now())
    except OSError as error:
        text = sentences(text, tr("It could not be set aside: {error}.", error=error))
        _leave_alone(slot, text)
    else:
        slot.problem = sentences(text, tr("It is kept as {path}.", path=aside))


def _leave_unread(slot: Slot, path: Path, error: AppError) -> None:
    """Leave the file of a slot alone, unless there is none."""
    cause = error.__cause__
    if not isinstance(cause, FileNotFoundError):
        reason = getattr(cause, "strerror", None) or error
        text = tr("{name} cannot be read ({reason}).", name=path.name, reason=reason)
        _leave_alone(slot, text)


def _leave_alone(slot: Slot, text: str) -> None:
    slot.is_left_alone = True
    slot.problem = sentences(text, tr("Your results are not saved until the next start."))


def _crc(part: object) -> int:
    return zlib.crc32(json.dumps(part, sort_keys=True).encode("ascii"))
