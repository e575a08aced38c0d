"""The order of the help: chapters and their pages, each a file in `en` and in `zh_CN`."""

from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from engine.platform.language import mark

FOLDER = Path(__file__).parent
ENGLISH = "en"
DARK = "dark"
"""The theme, and the folder of its pictures."""
FIRST_PAGE = "quick-start"


@dataclass(frozen=True)
class Chapter:
    """A title, in English and marked, and what is below it: names of pages, or doors with tabs."""

    title: str
    parts: tuple["str | Chapter", ...]

    @property
    def pages(self) -> tuple[str, ...]:
        parts = ((part,) if isinstance(part, str) else part.pages for part in self.parts)
        return tuple(chain.from_iterable(parts))


_DOORS = (
    *("home", "game", Chapter(mark("Practice"), ("practice", "situations", "routes")), "test"),
    Chapter(mark("Train"), ("mistakes", "puzzles", "progress")),
    *(Chapter(mark("Review"), ("review", "games")), "minigames", "tables", "settings"),
)
CHAPTERS = (
    Chapter(mark("First steps"), ("quick-start", "concepts")),
    Chapter(mark("Pages"), _DOORS),
    Chapter(mark("Tables in depth"), ("which-tables", "how-tables-are-computed")),
    Chapter(mark("Reference"), ("keys", "faq", "formats", "command-line", "api")),
)
PAGES = tuple(page for chapter in CHAPTERS for page in chapter.pages)


def picture_path(name: str, language: str, is_dark: bool = False) -> Path:
    """Return the file of a picture such as ``pictures/home.png``, if possible of a language.

    Those of the window have another one with the dark theme.
    """
    inside = name.removeprefix("../").removeprefix("pictures/")
    theme = DARK if is_dark and inside.endswith(".png") else ""
    own = FOLDER / "pictures" / language / theme / inside
    return own if own.is_file() else FOLDER / "pictures" / theme / inside
