"""Markdown to blocks, and blocks to the HTML that Qt understands."""

import pytest

from gui.help.blocks import (
    Code,
    HeadingBlock,
    Listing,
    Paragraph,
    Quote,
    Rule,
    TableBlock,
    TextSpan,
    plain,
)
from gui.help.help_pages import text_of
from gui.help.html import Ink, page_parts
from gui.help.markdown import parse

INK = Ink("#000000", "#666666", "#5a45b5", "#cccccc", "#eeeeee", "'Mono'")
PAGE = """# Title

A paragraph
of two lines.

<!-- left out -->
## Section
- one
- two `code`
  - inside

    goes on
3. third
4. fourth

| a | b |
|:--|--:|
| x | **y** \\| z |

> quoted

    rate = max(0.9 × a)

```
def f():

    pass
```

---
![what it shows](pictures/x.png)
"""


def test_each_construct_becomes_a_block_of_its_kind():
    blocks = parse(PAGE)
    kinds = [type(block) for block in blocks]
    wanted = [
        HeadingBlock,
        Paragraph,
        HeadingBlock,
        Listing,
        Listing,
        TableBlock,
        Quote,
        Code,
        Code,
        Rule,
    ]
    assert kinds == [*wanted, Paragraph]
    title, text, section, points, steps, table, quote, formula, code, _, picture = blocks
    assert (title.level, title.text, section.level) == (1, "Title", 2)
    assert plain(text.spans) == "A paragraph of two lines."
    assert points.start is None
    assert [text_of(item[0]) for item in points.items] == ["one", "two code"]
    assert [type(block) for block in points.items[1]] == [Paragraph, Listing]
    inside = points.items[1][1]
    assert [text_of(block) for block in inside.items[0]] == ["inside", "goes on"]
    assert steps.start == 3
    assert len(steps.items) == 2
    assert table.alignments == ("left", "right")
    assert [plain(cell) for cell in table.rows[0]] == ["x", "y | z"]
    assert text_of(quote) == "quoted"
    assert formula.text == "rate = max(0.9 × a)"
    assert code.text == "def f():\n\n    pass"
    assert picture.spans == (TextSpan("what it shows", picture="pictures/x.png"),)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a *b* c", [("a ", ""), ("b", "i"), (" c", "")]),
        ("**a `b`**", [("a ", "b"), ("b", "bc")]),
        ("***a***", [("a", "bi")]),
        ("`a*b*c`", [("a*b*c", "c")]),
        ("2 * 3 * 4", [("2 * 3 * 4", "")]),
        ("a_name_here", [("a_name_here", "")]),
        (r"\*a\*", [("*", ""), ("a", ""), ("*", "")]),
        ("[see *this*](a.md#b)", [("see ", "l"), ("this", "il")]),
        ("**成功率**很高", [("成功率", "b"), ("很高", "")]),
        ("**搜索（用网络）**只需要", [("搜索（用网络）", "b"), ("只需要", "")]),
        ("见**“保存…”**", [("见", ""), ("“保存…”", "b")]),
    ],
)
def test_marks_give_looks(text, spans):
    def look(span: TextSpan) -> str:
        marks = zip("bicl", (span.is_bold, span.is_italic, span.is_code, span.link), strict=True)
        return "".join(letter for letter, is_so in marks if is_so)

    (paragraph,) = parse(text)
    assert [(span.text, look(span)) for span in paragraph.spans] == spans


def test_chinese_lines_are_joined_without_a_blank():
    assert text_of(parse("成功率\n很高 and\nmore")[0]) == "成功率很高 and more"


def test_html_escapes_what_is_text_and_keeps_the_order_of_its_parts():
    rows = "\n".join(f"| row {i} |" for i in range(30))
    blocks = parse(f"# A <b> & c\n\n## B\n\n| x |\n|---|\n{rows}\n\n## D\n\n`<i>`")
    parts = page_parts(blocks, INK, lambda _: (1, 1))
    html = "".join(parts)
    assert "A &lt;b&gt; &amp; c" in html
    assert "&lt;i&gt;" in html
    assert len(parts) == 2
    assert [html.index(text) for text in ("A &lt;", "row 29", ">D<")] == sorted(
        html.index(text) for text in ("A &lt;", "row 29", ">D<")
    )
    assert parts[1].index("<h2>") < parts[1].index("D")
