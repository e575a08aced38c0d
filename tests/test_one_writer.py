"""Whatever may be a user's file is written, renamed or replaced in few places, which look first."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "tablebase", "ai", "coach", "minigames", "gui", "web", "endgame2048")

ALLOWED = {
    "engine/platform/files/atomic_file.py": "the writer",
    "engine/platform/files/file_lock.py": "looks at the name first",
    "engine/platform/files/line_file.py": "adds to what the writer wrote",
    "engine/platform/kernel_cache.py": "its own folder of machine code, which no user names",
    "ai/match/results_file.py": "adds lines to a file of games, and to pipes, as they end",
    "ai/train/network_training.py": "adds lines to a curve that it has checked",
    "coach/backup/archive.py": "members of an archive that the writer writes",
    "coach/backup/restoring.py": "moves what it has unpacked itself to a name that is free",
    "gui/faults/last_session.py": "gives Python a file for crashes, after reading it",
    "gui/game/records.py": "adds lines to a file that it has read",
    "engine/platform/log.py": "adds lines, through links and to devices too",
    "tablebase/store/work_folder.py": "moves working files to a name that is free",
}
"""Where a name is opened for writing, or renamed, without the writer; and why that is right."""

RENAMING = {"os.replace", "os.rename", "os.renames", "os.truncate"}
COPYING = {"shutil.move", "shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree"}
WRITING = {"write_text", "write_bytes", "savez", "savetxt"}
OPENING = {"open", "FileIO", "fdopen"}
_LAST_NAMES = {name.rpartition(".")[2] for name in RENAMING | COPYING}
PATHS = re.compile("path|folder|file|part|place|target|source")
ANY = re.compile(
    r"\bopen\(.*[wa+]|\.rename\(|\.replace\(\w+\)|\bos\.(open|re\w+|truncate)\b|\bshutil\.(mo|co)|"
    + "|".join(WRITING | OPENING - {"open"})
)  # most files have none of these: not to parse those takes a third of the time


def writes(node: ast.AST) -> bool:
    """Return whether code may write to a name, or rename to one, that has a content already."""
    if isinstance(node, ast.Attribute):  # also where it is only named, for others to call
        return node.attr in _LAST_NAMES and ast.unparse(node) in RENAMING | COPYING
    return isinstance(node, ast.Call) and _is_writing(node)


def _is_writing(call: ast.Call) -> bool:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name not in WRITING | OPENING | {"rename", "replace"}:
        return False
    called = ast.unparse(call.func)
    words = [*call.args, *(word.value for word in call.keywords)]
    texts = {word.value for word in words if isinstance(word, ast.Constant)}
    if name in WRITING and called != name:
        return True
    if name == "rename" or (name == "replace" and len(call.args) == 1 and not call.keywords):
        # A method of paths: the functions of this name are the writer's, and texts take two.
        return PATHS.search(called.rpartition(".")[0].lower()) is not None
    if called == "os.open":
        flags = ast.unparse(call)
        return "O_EXCL" not in flags and any(one in flags for one in ("O_CREAT", "O_TRUNC"))
    modes = {text for text in texts if isinstance(text, str) and set(text) <= set("rwaxbt+")}
    return name in OPENING and any(set("wa+") & set(mode) and "x" not in mode for mode in modes)


def places() -> Iterator[tuple[str, int, str]]:
    """Yield the calls that write: file, line and text."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)) if ANY.search(text) else ():
                if writes(node):
                    yield path.relative_to(ROOT).as_posix(), node.lineno, ast.unparse(node)


@pytest.mark.parametrize(
    ("code", "is_found"),
    [
        ('path.open("w")', True),
        ('open(path, "ab", buffering=0)', True),
        ('path.open(mode="r+b")', True),
        ("FileIO(path, 'a+')", True),
        ("path.write_bytes(data)", True),
        ("os.open(path, os.O_WRONLY | os.O_CREAT)", True),
        ("path.rename(other)", True),
        ("path.replace(other)", True),
        ("shutil.move(path, other)", True),
        ("with_retries(partial(os.replace, path, other))", True),
        ('path.open("rb")', False),
        ('part.open("xb")', False),
        ("os.open(path, os.O_CREAT | os.O_EXCL)", False),
        ("replace(part, path)", False),
        ('text.replace("a", "b")', False),
        ("write_text(path, text)", False),
    ],
)
def test_calls_that_write_are_found(code, is_found):
    assert any(writes(node) for node in ast.walk(ast.parse(code))) == is_found


@pytest.mark.thorough
def test_only_the_writer_writes_to_names_that_may_be_taken():
    found = list(places())
    assert [place for place in found if place[0] not in ALLOWED] == []
    assert ALLOWED.keys() - {path for path, _, _ in found} == set(), "no longer needed"
