"""A parser for the Markdown used in the help: text to blocks and spans. No Qt.

Headings, paragraphs, nested lists, quotations, tables, code, pictures, rules; bold, italic,
code and links inside them. Lines that begin with four blanks are a formula or a figure of letters.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Span:
    """A piece of text in one style; with `picture`, an image file whose alt text is `text`."""

    text: str
    is_bold: bool = False
    is_italic: bool = False
    is_code: bool = False
    link: str = ""
    picture: str = ""


Spans = tuple[Span, ...]


@dataclass(frozen=True)
class Heading:
    """A title of the page (level 1), of a section (2) or of a part of one."""

    level: int
    spans: Spans

    @property
    def text(self) -> str:
        """The plain text."""
        return plain(self.spans)


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; one with only a picture is shown at full width."""

    spans: Spans


@dataclass(frozen=True)
class Code:
    """Preformatted lines."""

    text: str


@dataclass(frozen=True)
class Quote:
    """Set apart: a formula, a remark."""

    blocks: "Blocks"


@dataclass(frozen=True)
class Listing:
    """A list: numbered from `start`, or bullets if None."""

    items: tuple["Blocks", ...]
    start: int | None = None


@dataclass(frozen=True)
class Table:
    """Columns with captions; `alignments` are left, right or center."""

    head: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]
    alignments: tuple[str, ...]


@dataclass(frozen=True)
class Rule:
    """A horizontal rule."""


Block = Heading | Paragraph | Code | Quote | Listing | Table | Rule
Blocks = tuple[Block, ...]

_FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*$")
_RULE = re.compile(r"^ {0,3}([-*_])(\s*\1){2,}\s*$")
_ITEM = re.compile(r"^( {0,3})([-*+]|\d{1,4}[.)])( +)(?=\S)")
_QUOTE = re.compile(r"^ {0,3}> ?")
_TABLE_LINE = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_INSERT = re.compile(r"^\{\{(\w+)\}\}$")
_CELL_END = re.compile(r"(?<!\\)\|")
_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")  # written without blanks
_INLINE = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`+)(?P<code>.+?)(?P=ticks)(?!`)"
    r"|!\[(?P<alt>[^\]]*)\]\((?P<picture>[^)\s]+)\)"
    r"|\[(?P<linked>(?:\\.|[^\]\\])+)\]\((?P<link>[^)\s]+)\)"
    r"|<(?P<bare>https?://[^>\s]+)>"
    r"|<kbd>(?P<key>.+?)</kbd>"
    r"|(?P<newline><br ?/?>)"
    r"|(?P<stars>\*{1,3}|(?<!\w)_{1,3})(?=\S)(?P<marked>.+?)(?<=\S)(?P=stars)(?!\*)",
    re.S,
)


def parse(text: str, inserts: Mapping[str, Blocks] | None = None) -> Blocks:
    """Return the blocks of a text.

    Parameters
    ----------
    text : str
    inserts : mapping of str to blocks
        Blocks to replace a line ``{{NAME}}``.

    Examples
    --------
    >>> parse("# Rates")[0].text
    'Rates'
    """
    return tuple(_Reader(_COMMENT.sub("", text).expandtabs(4).splitlines(), inserts or {}).read())


def spans_of(text: str, look: Span | None = None) -> Spans:
    """Return the spans of a text of one or more lines."""
    look, found, end = look or Span(""), [], 0
    for match in _INLINE.finditer(text):
        found.append(replace(look, text=text[end : match.start()]))
        found += _marked(match, look)
        end = match.end()
    found.append(replace(look, text=text[end:]))
    return tuple(span for span in found if span.text or span.picture)


def plain(spans: Iterable[Span]) -> str:
    """Return the text of spans, without styles."""
    return "".join(span.text for span in spans)


def _marked(match: "re.Match[str]", look: Span) -> Sequence[Span]:
    part = match.groupdict()
    if part["escaped"]:
        return [replace(look, text=part["escaped"])]
    if part["code"]:
        return [replace(look, text=part["code"].strip() or part["code"], is_code=True)]
    if part["key"]:
        return [replace(look, text=part["key"], is_code=True)]
    if part["picture"]:
        return [replace(look, text=part["alt"], picture=part["picture"])]
    if part["linked"]:
        return spans_of(part["linked"], replace(look, link=part["link"]))
    if part["bare"]:
        return [replace(look, text=part["bare"], link=part["bare"])]
    if part["newline"]:
        return [replace(look, text="\n")]
    strength = len(part["stars"])
    marks = replace(
        look,
        is_bold=look.is_bold or strength > 1,
        is_italic=look.is_italic or strength != 2,
    )
    return spans_of(part["marked"], marks)


class _Reader:
    """A reader that goes through lines from the top."""

    def __init__(self, lines: Sequence[str], inserts: Mapping[str, Blocks]) -> None:
        self._lines, self._inserts, self._at = lines, inserts, 0

    def read(self) -> list[Block]:
        found: list[Block] = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.strip():
                self._at += 1
            elif (insert := _INSERT.match(line.strip())) and insert[1] in self._inserts:
                self._at += 1
                found += self._inserts[insert[1]]
            else:
                found.append(self._block(line))
        return found

    def _block(self, line: str) -> Block:
        if heading := _HEADING.match(line):
            self._at += 1
            return Heading(len(heading[1]), spans_of(heading[2]))
        if _FENCE.match(line):
            return self._fenced()
        if _RULE.match(line):
            self._at += 1
            return Rule()
        if line.startswith("    "):
            return self._indented()
        if _QUOTE.match(line):
            return self._quote()
        if _ITEM.match(line):
            return self._listing()
        if self._is_table():
            return self._table()
        return self._paragraph()

    def _fenced(self) -> Code:
        opening = _FENCE.match(self._lines[self._at])
        assert opening is not None
        kept = []
        self._at += 1
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            if line.strip().startswith(opening[1]):
                break
            kept.append(line)
        return Code("\n".join(kept))

    def _indented(self) -> Code:
        kept = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.strip() and not line.startswith("    "):
                break
            kept.append(line[4:])
            self._at += 1
        return Code("\n".join(kept).rstrip())

    def _quote(self) -> Quote:
        kept = []
        while self._at < len(self._lines) and self._lines[self._at].strip():
            kept.append(_QUOTE.sub("", self._lines[self._at]))
            self._at += 1
        return Quote(self._inside(kept))

    def _listing(self) -> Listing:
        first = _ITEM.match(self._lines[self._at])
        assert first is not None
        is_ordered = first[2][0].isdigit()
        items: list[Blocks] = []
        while self._at < len(self._lines):
            match = _ITEM.match(self._lines[self._at])
            if not match or match[2][0].isdigit() != is_ordered:
                break
            items.append(self._inside(self._item_lines(match)))
        return Listing(tuple(items), int(first[2][:-1]) if is_ordered else None)

    def _item_lines(self, match: "re.Match[str]") -> list[str]:
        """Return the lines of a list item, without their indentation."""
        depth = match.end()
        kept = [self._lines[self._at][depth:]]
        self._at += 1
        while self._at < len(self._lines):
            line = self._lines[self._at]
            is_inside = line.startswith(" " * min(depth, 2)) and line.strip()
            if is_inside or (kept[-1] and line.strip() and not self._begins_block(line)):
                kept.append(line[_indent(line, depth) :])
            elif not line.strip() and self._goes_on(depth):
                kept.append("")
            else:
                break
            self._at += 1
        while self._at < len(self._lines) and not self._lines[self._at].strip():
            self._at += 1
        return kept

    def _goes_on(self, depth: int) -> bool:
        """Return whether a list item continues after an empty line."""
        rest = (line for line in self._lines[self._at :] if line.strip())
        return _indent(next(rest, ""), depth) >= min(depth, 2)

    def _is_table(self) -> bool:
        after = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""
        return "|" in self._lines[self._at] and "|" in after and bool(_TABLE_LINE.match(after))

    def _table(self) -> Table:
        head = _cells(self._lines[self._at])
        alignments = tuple(map(_alignment, _texts(self._lines[self._at + 1])))
        self._at += 2
        rows = []
        while self._at < len(self._lines) and "|" in self._lines[self._at]:
            row = _cells(self._lines[self._at])[: len(head)]
            rows.append((*row, *(((),) * (len(head) - len(row)))))
            self._at += 1
        return Table(head, tuple(rows), (*alignments, *("left",) * len(head))[: len(head)])

    def _paragraph(self) -> Paragraph:
        text = ""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.strip() or (text and self._begins_block(line)):
                break
            text = _joined(text, line)
            self._at += 1
        return Paragraph(spans_of(text.rstrip()))

    def _begins_block(self, line: str) -> bool:
        item = _ITEM.match(line)
        return bool(
            _HEADING.match(line)
            or _FENCE.match(line)
            or _QUOTE.match(line)
            or _RULE.match(line)
            or (item and (not item[2][0].isdigit() or item[2][:-1] == "1" or _indent(line, 3) == 0))
        )

    def _inside(self, lines: Sequence[str]) -> Blocks:
        return tuple(_Reader(lines, self._inserts).read())


def _joined(text: str, line: str) -> str:
    """Return a text joined with its next line: without a blank between Chinese characters."""
    if not text:
        return line.lstrip()
    if text.endswith(("  ", "\\")):
        return f"{text.rstrip().removesuffix(chr(92))}<br>{line.lstrip()}"
    text, line = text.rstrip(), line.lstrip()
    is_wide = _WIDE.match(text[-1]) and _WIDE.match(line)
    return f"{text}{line}" if is_wide else f"{text} {line}"


def _indent(line: str, most: int) -> int:
    return min(most, len(line) - len(line.lstrip(" ")))


def _texts(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [cell.strip() for cell in _CELL_END.split(inner)]


def _cells(line: str) -> tuple[Spans, ...]:
    return tuple(spans_of(cell.replace("\\|", "|")) for cell in _texts(line))


def _alignment(dashes: str) -> str:
    if dashes.endswith(":"):
        return "center" if dashes.startswith(":") else "right"
    return "left"
