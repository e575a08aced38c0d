"""Pages of the help as the HTML that Qt's documents understand, in the colors of a theme. No Qt."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape

from gui.help.blocks import (
    Block,
    Blocks,
    Code,
    HeadingBlock,
    Listing,
    Paragraph,
    Quote,
    Rule,
    Spans,
    TableBlock,
    TextSpan,
)

_MAX_IN_PART = 24  # rows of tables; a paragraph counts as two
# Qt loses the kind of an insertion's first paragraph.
_SEAM = '<p style="font-size: 1px; margin: 0; line-height: 100%">&nbsp;</p>'
PictureSize = Callable[[str], tuple[int, int]]
"""Returns how large a picture, given by the name in its page, is to be: width and height."""


@dataclass(frozen=True)
class Ink:
    """The colors of a page as `#rrggbb`, and the fonts of its code."""

    text: str
    muted: str
    accent: str
    border: str
    raised: str
    mono: str


def style_of(ink: Ink) -> str:
    return f"""
body, p, li, td, th, h1, h2, h3, h4 {{ color: {ink.text}; }}
p {{ margin-top: 0; margin-bottom: 10px; line-height: 130%; }}
li {{ margin-bottom: 4px; line-height: 130%; }}
ul, ol {{ margin-top: 0; margin-bottom: 10px; }}
h1 {{ font-size: 26px; font-weight: 600; margin-top: 0; margin-bottom: 14px; }}
h2 {{ font-size: 19px; font-weight: 600; margin-top: 26px; margin-bottom: 8px; }}
h3 {{ font-size: 16px; font-weight: 600; margin-top: 18px; margin-bottom: 6px; }}
h4 {{ font-size: 14px; font-weight: 600; margin-top: 14px; margin-bottom: 4px; }}
a {{ color: {ink.accent}; text-decoration: none; }}
code, pre {{ font-family: {ink.mono}; font-size: 13px; }}
th {{ font-weight: 600; text-align: left; }}
.caption {{ color: {ink.muted}; font-size: 12px; margin-top: 2px; margin-bottom: 16px; }}
"""


def page_parts(blocks: Blocks, ink: Ink, size_of: PictureSize) -> list[str]:
    """Return the HTML of a page in parts: Qt takes milliseconds to insert each."""
    writer = _Writer(ink, size_of)
    parts, weight = [""], 0
    for block in blocks:
        rows = 2
        if isinstance(block, TableBlock):
            rows = len(block.rows) + 1
        elif isinstance(block, Listing):
            rows = 2 * len(block.items)
        is_to_be_kept = isinstance(block, TableBlock) or not parts[-1]  # with its heading
        if weight + rows > _MAX_IN_PART and not is_to_be_kept:
            parts.append("")
            weight = 0
        parts[-1] += writer.blocks([block])
        weight += rows
    return [f"<body>{parts[0]}</body>", *(f"<body>{_SEAM}{part}</body>" for part in parts[1:])]


class _Writer:
    """Writes blocks; Qt supports little CSS, so frames are tables of one cell."""

    def __init__(self, ink: Ink, size_of: PictureSize) -> None:
        self._ink, self._size_of = ink, size_of

    def blocks(self, blocks: Iterable[Block]) -> str:
        return "".join(map(self._block, blocks))

    def _block(self, block: Block) -> str:
        if isinstance(block, HeadingBlock):
            level = min(block.level, 4)
            return f"<h{level}>{self.spans(block.spans)}</h{level}>"
        if isinstance(block, Paragraph):
            return self._paragraph(block)
        if isinstance(block, Code):
            return self._framed(f"<pre>{escape(block.text)}</pre>")
        if isinstance(block, Quote):
            text, blocks = "", block.blocks
            if len(blocks) == 1 and isinstance(blocks[0], Paragraph):  # without a bottom margin
                text = f'<p style="margin-bottom: 0">{self.spans(blocks[0].spans)}</p>'
            return self._framed(text or self.blocks(blocks))
        if isinstance(block, Listing):
            return self._listing(block)
        if isinstance(block, TableBlock):
            return self._table(block)
        assert isinstance(block, Rule)
        return "<hr>"

    def _paragraph(self, block: Paragraph) -> str:
        if len(block.spans) == 1 and block.spans[0].picture:
            picture = block.spans[0]
            said = f'<p class="caption">{escape(picture.text)}</p>' if picture.text else ""
            return f'<p style="margin-bottom: 4px">{self._picture(picture)}</p>{said}'
        return f"<p>{self.spans(block.spans)}</p>"

    def _listing(self, block: Listing) -> str:
        points = []
        for item in block.items:
            head, rest = item[:1], item[1:]
            is_text = head and isinstance(head[0], Paragraph)
            first = self.spans(head[0].spans) if is_text else self.blocks(head)  # type: ignore
            points.append(f"<li>{first}{self.blocks(rest)}</li>")
        if block.start is None:
            return f"<ul>{''.join(points)}</ul>"
        return f'<ol start="{block.start}">{"".join(points)}</ol>'

    def _table(self, block: TableBlock) -> str:
        rows = [self._row(block.head, "th", block.alignments)] if any(block.head) else []
        rows += [self._row(row, "td", block.alignments) for row in block.rows]
        return (
            f'<table border="1" cellspacing="0" cellpadding="6" style="border-collapse: collapse; '
            f"border-color: {self._ink.border}; border-style: solid; margin-top: 4px; "
            f'margin-bottom: 14px">{"".join(rows)}</table>'
        )

    def _row(self, cells: tuple[Spans, ...], tag: str, alignments: tuple[str, ...]) -> str:
        ground = f' bgcolor="{self._ink.raised}"' if tag == "th" else ""
        written = (
            f'<{tag} align="{alignment}"{ground}>{self.spans(cell)}</{tag}>'
            for cell, alignment in zip(cells, alignments, strict=True)
        )
        return f"<tr>{''.join(written)}</tr>"

    def _framed(self, inside: str) -> str:
        return (
            f'<table width="100%" border="1" cellspacing="0" cellpadding="10" '
            f'style="border-collapse: collapse; border-style: solid; '
            f'border-color: {self._ink.border}; margin-top: 2px; margin-bottom: 14px">'
            f'<tr><td bgcolor="{self._ink.raised}">{inside}</td></tr></table>'
        )

    def spans(self, spans: Spans) -> str:
        return "".join(map(self._span, spans))

    def _span(self, span: TextSpan) -> str:
        if span.picture:
            return self._picture(span)
        text = escape(span.text, quote=False).replace("\n", "<br>")
        if span.is_code:
            text = f'<code style="background-color: {self._ink.raised}">{text}</code>'
        if span.is_bold:
            text = f"<b>{text}</b>"
        if span.is_italic:
            text = f"<i>{text}</i>"
        return f'<a href="{escape(span.link)}">{text}</a>' if span.link else text

    def _picture(self, span: TextSpan) -> str:
        width, height = self._size_of(span.picture)
        return f'<img src="{escape(span.picture)}" width="{width}" height="{height}">'
