"""The contents of a page of the help: blocks, made of spans. No Qt."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class TextSpan:
    """A piece of text in one style; with `picture`, an image file whose alt text is `text`."""

    text: str
    is_bold: bool = False
    is_italic: bool = False
    is_code: bool = False
    link: str = ""
    picture: str = ""


Spans = tuple[TextSpan, ...]


@dataclass(frozen=True)
class HeadingBlock:
    """A title of the page (level 1), of a section (2) or of a part of one."""

    level: int
    spans: Spans

    @property
    def text(self) -> str:
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
class TableBlock:
    """Columns with captions; `alignments` are left, right or center."""

    head: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]
    alignments: tuple[str, ...]


@dataclass(frozen=True)
class Rule:
    """A horizontal rule."""


Block = HeadingBlock | Paragraph | Code | Quote | Listing | TableBlock | Rule
Blocks = tuple[Block, ...]


def plain(spans: Iterable[TextSpan]) -> str:
    return "".join(span.text for span in spans)
