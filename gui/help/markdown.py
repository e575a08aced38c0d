"""The Markdown of the help as blocks. No Qt.

CommonMark with tables. Lines that begin with four blanks are a formula or a figure of letters, and
of HTML there are keys, ``<kbd>``, line breaks and comments.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, emphasis
from markdown_it.tree import SyntaxTreeNode

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

_INSERT = re.compile(r"\{\{(\w+)\}\}")
_WIDE = "[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"  # written without blanks
_IS_WIDE = re.compile(_WIDE)
_WIDE_LINES = re.compile(rf"(?<={_WIDE}) ?\n *(?={_WIDE})")
_LINES = re.compile(r"(?<![ \\]) ?\n *")  # more blanks or a backslash keep lines apart
_ALIGNMENTS = {"text-align:center": "center", "text-align:right": "right"}


def parse(text: str, inserts: Mapping[str, Blocks] | None = None) -> Blocks:
    """Return the blocks of a text; those of `inserts` replace a line ``{{NAME}}``."""
    return tuple(_blocks(SyntaxTreeNode(_PARSER.parse(text)).children, inserts or {}))


def _join_lines(state: StateCore) -> None:
    """Join the lines of a paragraph: without a blank between Chinese characters."""
    for token in state.tokens:
        if token.type == "inline":
            token.content = _LINES.sub(" ", _WIDE_LINES.sub("", token.content))


def _mark_wide(state: StateInline, silent: bool) -> bool:
    """Read marks of emphasis: beside a Chinese character, they may be beside punctuation as well.

    In CommonMark, such a mark needs a blank on its other side, which Chinese doesn't have.
    """
    start, n_before = state.pos, len(state.delimiters)
    if not emphasis.tokenize(state, silent):
        return False
    before, after = state.src[:start][-1:], state.src[state.pos : state.pos + 1]
    for delimiter in state.delimiters[n_before:]:
        delimiter.open |= bool(_IS_WIDE.match(before)) and bool(after.strip())
        delimiter.close |= bool(_IS_WIDE.match(after)) and bool(before.strip())
    return True


_PARSER = MarkdownIt("commonmark").enable("table").disable("text_join")
_PARSER.core.ruler.before("inline", "join_lines", _join_lines)
_PARSER.inline.ruler.at("emphasis", _mark_wide)


def _blocks(nodes: Sequence[SyntaxTreeNode], inserts: Mapping[str, Blocks]) -> Iterator[Block]:
    for node in nodes:
        if node.type == "paragraph":
            insert = _INSERT.fullmatch(node.children[0].content)
            if insert and insert[1] in inserts:
                yield from inserts[insert[1]]
            else:
                yield Paragraph(_spans_in(node.children[0]))
        elif node.type == "heading":
            yield HeadingBlock(int(node.tag[1:]), _spans_in(node.children[0]))
        elif node.type in ("fence", "code_block"):
            yield Code(node.content.rstrip("\n"))
        elif node.type == "blockquote":
            yield Quote(tuple(_blocks(node.children, inserts)))
        elif node.type in ("bullet_list", "ordered_list"):
            items = tuple(tuple(_blocks(item.children, inserts)) for item in node.children)
            is_ordered = node.type == "ordered_list"
            yield Listing(items, int(node.attrs.get("start", 1)) if is_ordered else None)
        elif node.type == "table":
            yield _table(node)
        elif node.type == "hr":
            yield Rule()


def _table(node: SyntaxTreeNode) -> TableBlock:
    head, *rows = (row for part in node.children for row in part.children)
    return TableBlock(
        _cells(head),
        tuple(map(_cells, rows)),
        tuple(_ALIGNMENTS.get(str(cell.attrs.get("style")), "left") for cell in head.children),
    )


def _cells(row: SyntaxTreeNode) -> tuple[Spans, ...]:
    return tuple(_spans_in(cell.children[0]) for cell in row.children)


def _spans_in(node: SyntaxTreeNode) -> Spans:
    spans = _spans(node.children, TextSpan(""))
    return tuple(span for span in spans if span.text or span.picture)


def _spans(nodes: Sequence[SyntaxTreeNode], look: TextSpan) -> Iterator[TextSpan]:
    for node in nodes:
        if node.type == "strong":
            yield from _spans(node.children, replace(look, is_bold=True))
        elif node.type == "em":
            yield from _spans(node.children, replace(look, is_italic=True))
        elif node.type == "link":
            yield from _spans(node.children, replace(look, link=unquote(str(node.attrs["href"]))))
        elif node.type == "image":
            yield replace(look, text=node.content, picture=unquote(str(node.attrs["src"])))
        elif node.type == "code_inline":
            yield replace(look, text=node.content, is_code=True)
        elif node.type == "hardbreak" or node.content in ("<br>", "<br/>", "<br />"):
            yield replace(look, text="\n")
        elif node.content in ("<kbd>", "</kbd>"):
            look = replace(look, is_code=node.content == "<kbd>")
        elif not node.content.startswith("<!--"):
            yield replace(look, text=node.content)
