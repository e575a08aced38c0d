"""Catalogues of translations: collects the texts of the sources into gettext files, compiles those.

``python .ci/catalogues.py`` collects the texts, brings every ``engine/platform/languages/*.po`` up
to date and compiles it; only Babel is needed. Compiled catalogues aren't in the repository:
installing the program makes them.
"""

import itertools
import re
from datetime import datetime, timezone
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "engine/platform/languages"
ROOMS = ("engine", "tablebase", "ai", "coach", "minigames", "gui", "web")
KEYWORDS = {"tr": None, "mark": None, "trn": (1, 2), "trc": ((1, "c"), 2)}
_ERROR = re.compile(rb"^class (\w+Error)\(", re.M)  # those translate their texts
_NO_DATE = datetime(2026, 1, 1, tzinfo=timezone.utc)
_HEADER = """# Texts of the program. "make messages" adds new ones; translate those with no msgstr.
msgid ""
msgstr ""
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural}\\n"

"""


def texts(root: Path = ROOT) -> Catalog:
    """Return all texts that are marked in the sources, each with the files it is in."""
    catalog = Catalog()
    paths = [path for room in ROOMS for path in sorted((root / room).rglob("*.py"))]
    errors = {name.decode() for path in paths for name in _ERROR.findall(path.read_bytes())}
    # One after the other: of texts within texts, `extract` sees only the outer ones.
    keywords = (KEYWORDS, dict.fromkeys(errors))
    for path, names in itertools.product((root / "main.py", *paths), keywords):
        place = path.relative_to(root).as_posix()
        with path.open("rb") as file:
            for _, message, comments, context in extract(
                "python", file, names, comment_tags=("Translators:",)
            ):
                catalog.add(message, None, [(place, 0)], auto_comments=comments, context=context)
    return catalog


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def po_files(root: Path = ROOT) -> list[Path]:
    return sorted((root / FOLDER).glob("*.po"))


def update(root: Path = ROOT) -> None:
    """Bring all catalogues up to date: add new texts untranslated, drop texts that are gone."""
    wanted = texts(root)
    for path in po_files(root):
        catalogue = read(path)
        catalogue.update(wanted, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        path.write_bytes(po_bytes(catalogue, path.stem))


def po_bytes(catalogue: Catalog, code: str) -> bytes:
    """Return the bytes of a catalogue's file: always the same ones for the same texts."""
    out = BytesIO()
    write_po(out, catalogue, width=100, sort_output=True, include_lineno=False, omit_header=True)
    header = _HEADER.format(code=code, plural=catalogue.plural_forms)
    return header.encode() + out.getvalue()


def compile_all(root: Path = ROOT) -> None:
    for path in po_files(root):
        catalogue = read(path)
        # Without fixed dates it would get today's; the same texts must give the same bytes.
        catalogue.creation_date = catalogue.revision_date = _NO_DATE
        with path.with_suffix(".mo").open("wb") as file:
            write_mo(file, catalogue)


if __name__ == "__main__":
    update()
    compile_all()
