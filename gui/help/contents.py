"""The order of the help: chapters and their pages, each a file in `en` and in `zh_CN`."""

from dataclasses import dataclass
from pathlib import Path

from engine.platform.language import mark

FOLDER = Path(__file__).parent
ENGLISH = "en"
FIRST_PAGE = "quick-start"


@dataclass(frozen=True)
class Chapter:
    """A title, in English and marked, and the names of its pages."""

    title: str
    pages: tuple[str, ...]


CHAPTERS = (
    Chapter(mark("First steps"), ("quick-start", "concepts")),
    Chapter(
        mark("The pages of the program"),
        (
            *("home", "game", "practice", "situations", "routes", "test", "mistakes", "puzzles"),
            *("progress", "games", "review", "minigames", "tables", "settings"),
        ),
    ),
    Chapter(mark("Tables in depth"), ("which-tables", "how-tables-are-computed")),
    Chapter(mark("To look up"), ("keys", "faq", "formats", "command-line", "api")),
)
PAGES = tuple(page for chapter in CHAPTERS for page in chapter.pages)


def picture_path(name: str, language: str) -> Path:
    """Return the file of a picture such as ``pictures/home.png``, if possible of a language."""
    inside = name.removeprefix("../").removeprefix("pictures/")
    own = FOLDER / "pictures" / language / inside
    return own if own.is_file() else FOLDER / "pictures" / inside
