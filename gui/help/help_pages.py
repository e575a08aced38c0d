"""The help in one language: its pages, their sections, and link targets. No Qt."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from gui.help.blocks import (
    Block,
    Blocks,
    Code,
    HeadingBlock,
    Listing,
    Paragraph,
    Quote,
    TableBlock,
    plain,
)
from gui.help.contents import ENGLISH, FIRST_PAGE, FOLDER, PAGES

_HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def folded(text: str) -> str:
    """Return a text in folded form, for searches.

    >>> folded("Zürich，ＡＢ"), folded("定式")
    ('zurich,ab', '定式')
    """
    return text.lower() if text.isascii() else "".join(map(_folded_letter, text))


def folded_with_places(text: str) -> tuple[str, list[int]]:
    """Return the folded text, and for each of its letters the index in `text` it comes from."""
    parts = [_folded_letter(letter) for letter in text]
    return "".join(parts), [i for i, part in enumerate(parts) for _ in part]


@lru_cache(maxsize=4096)
def _folded_letter(letter: str) -> str:
    parts = unicodedata.normalize("NFKD", letter)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


@dataclass(frozen=True)
class HelpPlace:
    """A section of a page, counted from 0, the part under the page title.

    It is the same in all languages, as their pages have the same sections.
    """

    page: str = FIRST_PAGE
    section: int = 0

    @classmethod
    def from_text(cls, text: str) -> "HelpPlace":
        """Return the place from its `str`; the first page for anything else."""
        page, _, section = text.partition("#")
        if page not in PAGES or not re.fullmatch(r"\d{1,4}", section):
            return cls()
        return cls(page, int(section))

    def __str__(self) -> str:
        return f"{self.page}#{self.section}"


@dataclass(frozen=True)
class HelpSection:
    """A heading and the text under it, for contents and search."""

    level: int
    title: str
    text: str

    @cached_property
    def folded_title(self) -> str:
        return folded(self.title)

    @cached_property
    def folded_text(self) -> str:
        return folded(self.text)


@dataclass(frozen=True)
class Article:
    """One page of the help."""

    name: str
    blocks: Blocks

    @cached_property
    def sections(self) -> tuple[HelpSection, ...]:
        parts: list[tuple[HeadingBlock, list[str]]] = []
        for block in self.blocks:
            if isinstance(block, HeadingBlock):
                parts.append((block, []))
            elif parts:
                parts[-1][1].append(text_of(block))
        return tuple(HelpSection(head.level, head.text, " ".join(texts)) for head, texts in parts)

    @property
    def title(self) -> str:
        return self.sections[0].title if self.sections else self.name

    @cached_property
    def anchors(self) -> Mapping[str, int]:
        """The section number by anchor name, as used after # in links."""
        places: dict[str, int] = {}
        for i, section in enumerate(self.sections):
            name, n = slug(section.title), 0
            while (key := f"{name}-{n}" if n else name) in places:
                n += 1
            places[key] = i
        return places


@dataclass(frozen=True)
class HelpPages:
    """All pages in one language; untranslated ones in English."""

    language: str
    articles: Mapping[str, Article]  # by name, in the order of the contents; those that have a file
    english: Mapping[str, Article]  # the same in English, for the names of sections in links

    def target(self, link: str, page: str) -> HelpPlace | None:
        """Return the target of a link on a page; None if there is no such place here."""
        file, _, anchor = link.partition("#")
        name = file.removeprefix("./").removesuffix(".md") or page
        article = self.articles.get(name)
        if article is None:
            return None
        if not anchor:
            return HelpPlace(name)
        section = article.anchors.get(anchor.lower())
        if section is None and name in self.english:
            section = self.english[name].anchors.get(anchor.lower())
        return None if section is None else HelpPlace(name, section)

    def nearest(self, place: HelpPlace) -> HelpPlace:
        """Return an existing place: this one, or the nearest."""
        if place.page not in self.articles:
            return HelpPlace(next(iter(self.articles), FIRST_PAGE))
        last = len(self.articles[place.page].sections) - 1
        return HelpPlace(place.page, max(0, min(place.section, last)))


def load_help_pages(
    language: str,
    inserts: Mapping[str, Blocks],
    folder: Path = FOLDER,
    pages: Sequence[str] = PAGES,
) -> HelpPages:
    """Load the help, ready for searching; pages that the language lacks are taken from English.

    A line ``{{NAME}}`` is replaced by the blocks of that name in `inserts`.
    """
    english = dict(_articles(folder / ENGLISH, inserts, pages))
    own = english if language == ENGLISH else dict(_articles(folder / language, inserts, pages))
    articles = {
        name: own.get(name) or english[name] for name in PAGES if name in own or name in english
    }
    for article in articles.values():
        for section in article.sections:
            _ = section.folded_title, section.folded_text
    return HelpPages(language, articles, english)


def headings(language: str, page: str, folder: Path = FOLDER) -> list[str]:
    """Return the titles of a page and its sections, up to an insert, fast: nothing is parsed."""
    path = folder / language / f"{page}.md"
    path = path if path.is_file() else folder / ENGLISH / f"{page}.md"
    text = _FENCED.sub("", path.read_text(encoding="utf-8").partition("{{")[0])
    return [title.replace("*", "").replace("`", "") for title in _HEADING.findall(text)]


def _articles(
    folder: Path, inserts: Mapping[str, Blocks], pages: Sequence[str]
) -> Iterator[tuple[str, Article]]:
    from gui.help.markdown import parse

    for name in pages:
        path = folder / f"{name}.md"
        if path.is_file():
            yield name, Article(name, parse(path.read_text(encoding="utf-8"), inserts))


def slug(title: str) -> str:
    """Return the name of a heading in links, as GitHub makes it.

    >>> slug("What is a table?"), slug("四个成功率")
    ('what-is-a-table', '四个成功率')
    """
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def text_of(block: Block) -> str:
    if isinstance(block, (HeadingBlock, Paragraph)):
        return plain(block.spans)
    if isinstance(block, Code):
        return block.text
    if isinstance(block, Quote):
        return " ".join(map(text_of, block.blocks))
    if isinstance(block, Listing):
        return " ".join(text_of(inner) for item in block.items for inner in item)
    if isinstance(block, TableBlock):
        rows = (block.head, *block.rows)
        return " ".join(" \N{MIDDLE DOT} ".join(map(plain, row)) for row in rows)
    return ""
