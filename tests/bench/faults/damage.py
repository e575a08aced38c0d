"""Thousands of mutated files, each put before every reader: an error message or the truth."""

import faulthandler
import json
import logging
import os
import random
import resource
import shutil
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.platform.errors import AppError
from tablebase.build.builder import BuildPlan

from .campaign import Campaign
from .mutations import mutate
from .readers import (
    CHANGING,
    FORMATION_READERS,
    TABLE_READERS,
    Reader,
    Refused,
    Specimen,
    boards_of,
    resume_build,
    resume_import,
)
from .signing import record_layer, sign_layer, sign_manifest
from .specimens import more_specimens
from .subjects import Subject
from .tally import Tally
from .wound import Wound

_HANG_S = 5.0
_MORE_MEMORY_BYTES = 1 << 30
_MANIFEST, _PATTERNS, _LOCK = "manifest.json", "patterns_config.json", "build.lock"
_OWN_KINDS = ("elsewhere.json", "home.json", "import.json", "settings.json")
_KINDS = {
    _MANIFEST: "manifests",
    _PATTERNS: "pattern files",
    _LOCK: "lock files",
    **dict(zip(_OWN_KINDS, _OWN_KINDS, strict=True)),
}
_SIGNED = (_MANIFEST, "elsewhere.json", "home.json")
_TOLD = (*_SIGNED, "import.json", "small2x4_64_config.txt")  # small files that steer everything
_RESUMING = (resume_build, resume_import)


class _HangError(BaseException):
    """A reader took too long; nothing may catch it."""


@dataclass(frozen=True)
class Case:
    """A mutated file and the readers it is put before."""

    specimen: Specimen
    file: str
    files: dict[str, bytes]
    sound: dict[str, bytes]
    label: str
    is_signed: bool
    readers: Sequence[Reader]


def mutated_files(campaign: Campaign, tally: Tally) -> None:
    """Mutate as many files as asked for, in two processes."""
    specimens = _specimens(campaign)
    _check_signing(specimens[0], tally)
    make = _CaseMaker(specimens, campaign.seed)
    for outcome in _in_processes(campaign, make, campaign.mutations):
        for text in outcome["wrong"]:
            tally.wrong(text)
        for what, n in outcome["counts"].items():
            tally.count(what, n)


def _specimens(campaign: Campaign) -> list[Specimen]:
    """Return complete tables, an unfinished one, and the file of formations."""
    builds = [one for one in campaign.subjects if one.plan and one.arguments]
    tables = [campaign.small, *builds[:2]]
    found = [_specimen(campaign, subject, f"complete{i}") for i, subject in enumerate(tables)]
    found += [_specimen(campaign, campaign.small, f"partial{at}", at) for at in (60, 110, 150)]
    folder = campaign.folder / "specimens" / "formations"
    folder.mkdir(parents=True)
    shutil.copy(Path(__file__).parents[3] / _PATTERNS, folder)
    empty = Specimen("formations", folder, found[0].plan, (), {})
    found.append(replace(empty, readers=FORMATION_READERS, has_checksums=False))
    return found + more_specimens(campaign, found[0])


def _specimen(campaign: Campaign, subject: Subject, name: str, at: int | None = None) -> Specimen:
    """Build a table, up to a step of the disk perhaps."""
    assert subject.plan
    room = campaign.folder / "specimens" / name
    (room / "tables").mkdir(parents=True)
    wound = Wound() if at is None else Wound(at=at, keep_values=True)
    subject.start(room, wound).wait()
    original = subject.plan(room)
    result = campaign.undisturbed(subject).result
    files = {path.partition("/")[2]: data for path, data in result.items()}
    boards = boards_of(original.folder) if at is None else ()

    def plan(folder: Path) -> BuildPlan:
        return replace(original, folder=folder, threads=1)

    return Specimen(name, original.folder, plan, boards, files)


def _check_signing(specimen: Specimen, tally: Tally) -> None:
    """What is not changed must be signed already: else signing.py describes another format."""
    for path in specimen.folder.iterdir():
        sign = sign_manifest if path.name == _MANIFEST else sign_layer
        is_same = sign(path.read_bytes()) == path.read_bytes()
        tally.expect(is_same, f"signing.py does not know the format of {path.name} any more")


class _CaseMaker:
    """Makes the i-th case, by its number and the seed alone."""

    def __init__(self, specimens: Sequence[Specimen], seed: int) -> None:
        self._specimens = specimens
        self._seed = seed

    def __call__(self, number: int, copy: Callable[[Specimen], Path]) -> Case:
        """Return a case; `copy` gives a sound copy of a specimen."""
        rng = random.Random(f"{self._seed} {number}")
        (specimen,) = rng.choices(self._specimens, [_weight(one) for one in self._specimens])
        folder = copy(specimen)
        names = sorted(
            str(path.relative_to(folder))
            for path in folder.rglob("*")
            if path.is_file() and path.stat().st_size
        )
        told = [name for name in names if Path(name).name in _TOLD]
        name = rng.choice(told if told and rng.random() < 0.3 else names)
        data = (folder / name).read_bytes()
        same_kind = [n for n in names if n != name and n[:8] == name[:8]]
        others = [(folder / n).read_bytes() for n in rng.sample(same_kind, min(2, len(same_kind)))]
        how, new = mutate(rng, data, others, name.endswith(".json"))
        is_layer = name.startswith("layer-")
        is_signed = rng.random() < 0.35 and (is_layer or Path(name).name in _SIGNED)
        files, sound = {name: new}, {name: data}
        if is_signed and is_layer:
            files[name] = sign_layer(new)
            sound[_MANIFEST] = (folder / _MANIFEST).read_bytes()
            files[_MANIFEST] = record_layer(sound[_MANIFEST], name, files[name])
        elif is_signed:
            files[name] = sign_manifest(new)
        return Case(specimen, name, files, sound, how, is_signed, _readers(rng, specimen))


def _weight(specimen: Specimen) -> int:
    """Return the weight of a specimen in the draw: most for the small table, fast to read."""
    if specimen.name.startswith("complete"):
        return 10 if specimen.name == "complete0" else 1
    return 3


def _readers(rng: random.Random, specimen: Specimen) -> Sequence[Reader]:
    if specimen.readers:
        return specimen.readers
    is_small = not specimen.name.startswith("complete") or specimen.name == "complete0"
    if rng.random() < (0.5 if is_small else 0.1):
        return TABLE_READERS
    return tuple(reader for reader in TABLE_READERS if reader is not resume_build)


class _Bench:
    """Puts cases before readers, one after the other, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._truth: dict[tuple[str, str], Any] = {}
        self._copied = ""

    def judge(self, number: int, case: Case) -> dict[str, Any]:
        """Return counts of what happened, and the faults."""
        counts: Counter[str] = Counter({f"mutated {_kind(case)}": 1})
        wrong = []
        for reader in case.readers:
            verdict, text = self._judge_reader(case, reader)
            counts[f"{verdict}{' (signed)' * case.is_signed}"] += 1
            if verdict == "wrong":
                signed = "signed " if case.is_signed else ""
                wrong.append(
                    f"#{number} {case.specimen.name} {case.file}, {signed}{case.label}, "
                    f"{reader.__name__}: {text}"
                )
        return {"counts": counts, "wrong": wrong}

    def _judge_reader(self, case: Case, reader: Reader) -> tuple[str, str]:
        key = case.specimen.name, reader.__name__
        if key not in self._truth:
            self._truth[key] = self._read(case.specimen, {}, {}, reader)
        answer = self._read(case.specimen, case.files, case.sound, reader)
        if isinstance(answer, Refused):
            return _judge_message(case, answer)
        if isinstance(answer, BaseException):
            return "wrong", f"{type(answer).__name__}: {answer}"[:300]
        if reader in _RESUMING and answer != "the right table" and not case.is_signed:
            return "wrong", f"another table: {answer}"
        if answer == self._truth[key] or reader in _RESUMING:
            return "right", ""
        if case.is_signed or not case.specimen.has_checksums:
            return "another answer", ""  # well-formed: nothing can tell
        return "wrong", f"another answer: {str(answer)[:300]}"

    def _read(
        self, specimen: Specimen, files: dict[str, bytes], sound: dict[str, bytes], reader: Reader
    ) -> Any:
        """Return the answer, `Refused`, or the error that must not be."""
        folder = self.sound_copy(specimen)
        for name, data in files.items():
            (folder / name).write_bytes(data)
        try:
            with _deadline():
                answer = reader(specimen, folder)
        except AppError as error:
            return Refused(str(error))
        except (Exception, _HangError) as error:  # noqa: BLE001  it is what we look for
            self._copied = ""
            return error
        finally:
            if reader in CHANGING:
                self._copied = ""
            for name in files:
                if self._copied:
                    (folder / name).write_bytes(sound[name])
        return _plain(answer)

    def sound_copy(self, specimen: Specimen) -> Path:
        """Return a copy of a specimen, made anew only when the last one may have been changed."""
        folder = self._folder / specimen.folder.name
        if self._copied != specimen.name:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(specimen.folder, folder)
            specimen.prepare(folder)
            self._copied = specimen.name
        return folder


def _plain(answer: Any) -> Any:
    """Return an answer that can be compared although it may hold a NaN."""
    return answer if isinstance(answer, (Refused, str)) else repr(answer)


def _kind(case: Case) -> str:
    if case.file.startswith("layer-"):
        return "layer files"
    if case.specimen.name == "reference":
        return "reference files"
    return _KINDS.get(Path(case.file).name, "working files")


def _judge_message(case: Case, refused: Refused) -> tuple[str, str]:
    """A message is one line; an error names the file, the folder or the formation."""
    places = Path(case.file).name, case.specimen.folder.name, "formation", "setting"
    is_named = refused.is_listed or any(place in refused.message for place in places)
    if not refused.message or "\n" in refused.message or not is_named:
        return "wrong", f"a message that names nothing: {refused.message[:300]!r}"
    return "refused", ""


@contextmanager
def _deadline() -> Any:
    def hang(_number: int, _frame: Any) -> None:
        raise _HangError(f"more than {_HANG_S} s")

    signal.signal(signal.SIGALRM, hang)
    signal.setitimer(signal.ITIMER_REAL, _HANG_S)
    faulthandler.dump_traceback_later(4 * _HANG_S, exit=True)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()


def _in_processes(campaign: Campaign, make: "_CaseMaker", n: int) -> Sequence[dict[str, Any]]:
    """Judge the cases 0 .. n - 1 in forks; a fork that dies has found something."""
    folder = campaign.folder / "mutants"
    folder.mkdir()
    numbers = {w: list(range(w, n, campaign.threads)) for w in range(campaign.threads)}
    outcomes: list[dict[str, Any]] = []
    running: dict[int, tuple[int, Path]] = {}
    while numbers or running:
        for worker in [w for w in numbers if w not in running]:
            path = folder / f"said{time.monotonic_ns()}"
            running[worker] = _fork_worker(folder / f"worker{worker}", make, numbers[worker], path)
        time.sleep(0.05)
        for worker, (pid, path) in list(running.items()):
            done, code = os.waitpid(pid, os.WNOHANG)
            if not done:
                continue
            del running[worker]
            said = [json.loads(line) for line in path.read_text().splitlines()]
            outcomes += [line for line in said if "counts" in line]
            begun = [line["begun"] for line in said if "begun" in line]
            if code == 0:
                del numbers[worker]
                continue
            text = f"#{begun[-1] if begun else '?'}: the process died with {code}"
            outcomes.append({"counts": {"died": 1}, "wrong": [text]})
            numbers[worker] = numbers[worker][max(len(begun), 1) :]
    return outcomes


def _fork_worker(
    folder: Path, make: "_CaseMaker", numbers: Sequence[int], said: Path
) -> tuple[int, Path]:
    said.touch()
    pid = os.fork()
    if pid:
        return pid, said
    status = 70
    try:
        folder.mkdir(exist_ok=True)
        used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        limit = used + _MORE_MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        logging.disable(logging.CRITICAL)
        bench = _Bench(folder)
        with said.open("w", buffering=1) as file:
            for number in numbers:
                print(json.dumps({"begun": number}), file=file)
                case = make(number, bench.sound_copy)
                print(json.dumps(bench.judge(number, case)), file=file)
        status = 0
    except BaseException:  # noqa: BLE001  the child must never return into the campaign
        traceback.print_exc()
    finally:
        os._exit(status)
