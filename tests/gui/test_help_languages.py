"""The help: both languages are built alike, links lead somewhere, and its examples are real."""

import ast
import re
import shlex
from pathlib import Path

import pytest

import endgame2048
from main import build_parser

HELP = Path(__file__).parents[2] / "gui" / "help"
LANGUAGES = ("en", "zh_CN")
NAMES = sorted(path.stem for path in (HELP / "en").glob("*.md"))
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
_LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)]+)\)")
_PICTURE = re.compile(r"!\[[^\]]+\]\(([^)]+)\)")
_HEADING = re.compile(r"^(#+) (.+)$", re.M)


def text_of(language: str, name: str) -> str:
    return (HELP / language / f"{name}.md").read_text(encoding="utf-8")


def prose_of(language: str, name: str) -> str:
    """Return a page without its blocks of code."""
    return _FENCE.sub("", text_of(language, name))


def blocks(name: str, kind: str, language: str = "en") -> list[str]:
    return [body for found, body in _FENCE.findall(text_of(language, name)) if found == kind]


def anchors(prose: str) -> list[str]:
    """Return the names that GitHub gives the headings of a page in links."""
    titles = [title for _, title in _HEADING.findall(prose)]
    return [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]


def structure(prose: str) -> list[tuple[str, str]]:
    """Return headings, rows of tables, items, pictures and inserts, in order, without words."""
    found = []
    for line in prose.splitlines():
        if heading := _HEADING.match(line):
            found.append(("heading", heading[1]))
        elif line.startswith("|"):
            found.append(("row", str(len(re.findall(r"(?<!\\)\|", line)))))
        elif item := re.match(r"(-|\d+\.) ", line):
            found.append(("item", item[1]))
        elif line.startswith("{{"):
            found.append(("insert", line))
        found += [("picture", picture) for picture in _PICTURE.findall(line)]
    return found


def commands(language: str) -> list[str]:
    """Return the commands in the blocks of the page about them, each a line."""
    found = []
    for name in ("command-line", "which-tables"):
        for block in blocks(name, "", language):
            found += [line for line in block.splitlines() if "endgame2048" in line]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_there(language):
    assert sorted(path.stem for path in (HELP / language).glob("*.md")) == NAMES
    assert len(NAMES) == 23


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_have_the_same_structure(name):
    english, chinese = (prose_of(language, name) for language in LANGUAGES)
    assert structure(chinese) == structure(english)
    assert structure(english)[0] == ("heading", "#")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_links_lead_to_a_heading(language, name):
    for link in _LINK.findall(prose_of(language, name)):
        file, _, anchor = link.partition("#")
        assert file.removesuffix(".md") in NAMES, link
        if anchor:
            assert anchor in anchors(prose_of(language, file.removesuffix(".md"))), link


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_link_to_the_same_places(name):
    found = []
    for language in LANGUAGES:
        places = []
        for link in _LINK.findall(prose_of(language, name)):
            file, _, anchor = link.partition("#")
            page = file.removesuffix(".md")
            at = anchors(prose_of(language, page)).index(anchor) if anchor else 0
            places.append((page, at))
        found.append(sorted(places))
    assert found[0] == found[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_drawings_are_there(language):
    drawings = {
        picture
        for name in NAMES
        for picture in _PICTURE.findall(prose_of(language, name))
        if picture.endswith(".svg")
    }
    assert len(drawings) == 5
    for picture in drawings:
        own = HELP / picture.replace("pictures/", f"pictures/{language}/")
        shown = own if language != "en" else HELP / picture
        assert shown.is_file(), picture


@pytest.mark.parametrize("line", commands("en"))
def test_commands_are_understood(line):
    words = shlex.split(line.rpartition("|")[2])
    assert words[0] == "endgame2048"
    build_parser().parse_args(words[1:])


def test_every_command_has_an_example():
    headings = anchors(prose_of("en", "command-line"))
    used = {shlex.split(line.rpartition("|")[2])[1] for line in commands("en") if " " in line}
    listed = build_parser().format_help().partition("\ncommands:")[2]
    offered = set(re.findall(r"^ {4}([a-z]+)\b", listed, re.M))
    assert len(offered) == 31
    assert offered <= used
    assert offered <= set(headings)


def test_code_is_the_same_in_both_languages():
    assert commands("zh_CN") == commands("en")
    codes = [[ast.dump(ast.parse(b)) for b in blocks("api", "python", one)] for one in LANGUAGES]
    assert codes[0] == codes[1]


@pytest.mark.parametrize("code", blocks("api", "python"))
def test_examples_name_what_there_is(code):
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "eg":
            assert hasattr(endgame2048, node.attr), node.attr
