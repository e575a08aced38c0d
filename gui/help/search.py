"""Searching the help: titles first, then headings, then text. No Qt."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gui.help.help_pages import (
    Article,
    HelpPages,
    HelpPlace,
    HelpSection,
    folded,
    folded_with_places,
)

_IN_TITLE, _IN_HEADING, _MAX_IN_TEXT = 100.0, 40.0, 5.0
_OF_PAGE = 8.0  # a word that only the title of its page has
_WHOLE_WORD = 1.5
_BEFORE, _AROUND = 30, 110  # letters of an excerpt before the first hit, and in all
_WIDE_RUN = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff]+|[^\s\u2e80-\u9fff\uf900-\ufaff]+")
_MAX_HITS = 50
Marks = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Hit:
    """A section that matches a search."""

    place: HelpPlace
    # The titles of the page and of the section.
    page: str
    title: str
    excerpt: str  # some of its text, with the hits at the positions in `marks`
    marks: Marks
    score: float  # the relevance


def terms_of(query: str) -> list[str]:
    """Return the required terms: words, and runs of text written without blanks.

    >>> terms_of("Success RATE"), terms_of("练习Practice")
    (['success', 'rate'], ['练习', 'practice'])
    """
    return list(dict.fromkeys(_WIDE_RUN.findall(folded(query))))


def search(pages: HelpPages, query: str) -> list[Hit]:
    """Return the sections that contain all terms, best first.

    If no section contains a Chinese phrase exactly, those with all its bigrams are found, as most
    words have two characters.
    """
    terms = terms_of(query)
    if not terms:
        return []
    pairs = [pair for term in terms for pair in _pairs(term)]
    hits = list(_hits(pages, terms)) or list(_hits(pages, pairs))
    return sorted(hits, key=lambda hit: -hit.score)[:_MAX_HITS]


def marks_in(text: str, terms: Sequence[str]) -> Marks:
    """Return the positions of the terms in a text: start, and end (exclusive)."""
    letters, places = folded_with_places(text)
    marks = []
    for term in terms:
        start = letters.find(term)
        while start >= 0:
            end = start + len(term)
            marks.append((places[start], places[end - 1] + 1))
            start = letters.find(term, end)
    merged: list[tuple[int, int]] = []
    for start, end in sorted(marks):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _pairs(term: str) -> list[str]:
    if term.isascii() or len(term) < 3:
        return [term]
    return [term[i : i + 2] for i in range(0, len(term), 2)]


def _hits(pages: HelpPages, terms: Sequence[str]) -> Iterator[Hit]:
    for article in pages.articles.values():
        for i, section in enumerate(article.sections):
            if score := _score(article, i, section, terms):
                excerpt = _excerpt(section, terms)
                marks = marks_in(excerpt, terms)
                place = HelpPlace(article.name, i)
                yield Hit(place, article.title, section.title, excerpt, marks, score)


def _score(article: Article, i: int, section: HelpSection, terms: Sequence[str]) -> float:
    """Return the relevance of a section; 0 if it lacks a term, or has none of its own."""
    total, is_own = 0.0, False
    page = article.sections[0].folded_title
    for term in terms:
        n = section.folded_text.count(term)
        if term in section.folded_title:
            score = _IN_HEADING if i else _IN_TITLE
            is_own, shown = True, section.folded_title
        elif n:
            score = min(n, _MAX_IN_TEXT)
            is_own, shown = True, section.folded_text
        elif term in page:
            score, shown = _OF_PAGE, page
        else:
            return 0.0
        is_whole = not term.isascii() or re.search(rf"(?<!\w){re.escape(term)}(?!\w)", shown)
        total += score * (_WHOLE_WORD if is_whole else 1.0)
    return total if is_own else 0.0


def _excerpt(section: HelpSection, terms: Sequence[str]) -> str:
    text = " ".join(section.text.split())
    letters, places = folded_with_places(text)
    positions = [at for term in terms if (at := letters.find(term)) >= 0]
    first = places[min(positions)] if positions else 0
    start = max(0, first - _BEFORE)
    if start and (blank := text.find(" ", start, first)) >= 0:
        start = blank + 1
    end = start + _AROUND
    before, after = "\u2026" if start else "", "\u2026" if end < len(text) else ""
    return f"{before}{text[start:end].strip()}{after}"
