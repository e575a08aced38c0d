"""The texts of the help: all there, in both languages alike, and all that they name is there."""

import re
from collections.abc import Iterator

import pytest

from engine.platform.language import LANGUAGES
from gui.help.blocks import (
    Block,
    Code,
    HeadingBlock,
    Listing,
    Paragraph,
    Quote,
    TableBlock,
    TextSpan,
    plain,
)
from gui.help.contents import ENGLISH, FOLDER, PAGES, picture_path
from gui.help.help_pages import Article, HelpPages, load_help_pages

INSERTS = {"keys": (HeadingBlock(3, (TextSpan("Everywhere"),)),)}
_MARKUP = re.compile(r"\*\*|\]\(|!\[|\|\s*-{2,}|^#+ |\{\{|</?[a-z]+>")
_MAX_BYTES = 80_000  # of a picture


@pytest.fixture(scope="module", params=LANGUAGES)
def book(request) -> HelpPages:
    return load_help_pages(request.param, INSERTS)


def inside(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """Yield blocks, and those in lists and quotations."""
    for block in blocks:
        yield block
        if isinstance(block, Quote):
            yield from inside(block.blocks)
        elif isinstance(block, Listing):
            for item in block.items:
                yield from inside(item)


def spans_in(article: Article) -> Iterator[TextSpan]:
    for block in inside(article.blocks):
        if isinstance(block, (HeadingBlock, Paragraph)):
            yield from block.spans
        elif isinstance(block, TableBlock):
            for row in (block.head, *block.rows):
                for cell in row:
                    yield from cell


def test_every_page_has_a_file_and_every_file_is_a_page(book):
    files = {path.stem for path in (FOLDER / book.language).glob("*.md")}
    assert files == set(PAGES)


def test_every_page_begins_with_its_title_and_has_no_other(book):
    for article in book.articles.values():
        assert article.sections[0].level == 1, article.name
        assert [s.level for s in article.sections].count(1) == 1, article.name
        assert isinstance(article.blocks[0], HeadingBlock)


def test_languages_have_the_same_sections_and_pictures(book):
    for name, article in book.articles.items():
        english = book.english[name]
        levels = [section.level for section in article.sections]
        assert levels == [section.level for section in english.sections], name
        pictures = [span.picture for span in spans_in(article) if span.picture]
        assert pictures == [s.picture for s in spans_in(english) if s.picture], name


def test_every_link_leads_somewhere(book):
    lost = [
        f"{name}: {span.link}"
        for name, article in book.articles.items()
        for span in spans_in(article)
        if span.link
        and not re.match("https?://", span.link)
        and book.target(span.link, name) is None
    ]
    assert lost == []


def test_every_picture_is_there_and_says_what_it_shows(book):
    shown = {s.picture: s.text for a in book.articles.values() for s in spans_in(a) if s.picture}
    for picture, said in shown.items():
        path = picture_path(picture, book.language)
        assert path.is_file(), picture
        assert path.stat().st_size < _MAX_BYTES, path
        assert said, picture


def test_every_picture_is_shown():
    book = load_help_pages(ENGLISH, INSERTS)
    shown = {s.picture for a in book.articles.values() for s in spans_in(a) if s.picture}
    names = {path.name for path in (FOLDER / "pictures").rglob("*.*")}
    assert names == {picture.removeprefix("pictures/") for picture in shown}


def test_no_markup_is_left_in_what_is_read(book):
    for name, article in book.articles.items():
        for block in inside(article.blocks):
            assert not isinstance(block, Code) or block.text.strip(), name
        for span in spans_in(article):
            assert span.is_code or not _MARKUP.search(span.text), f"{name}: {span.text}"


def test_the_keys_of_the_program_have_their_place(book):
    assert any(section.title == "Everywhere" for section in book.articles["keys"].sections)


def test_headings_are_unlike_each_other(book):
    for name, article in book.articles.items():
        titles = [
            plain(b.spans) for b in article.blocks if isinstance(b, HeadingBlock) and b.level == 2
        ]
        assert len(set(titles)) == len(titles), name
