"""What a search finds, in which order, and what of it is shown."""

import pytest

from gui.help.help_pages import HelpPlace, headings, load_help_pages
from gui.help.search import marks_in, search, terms_of

ENGLISH = {
    "practice": "# Practice\n\nPlay against a table.\n\n## The rates\n\nZürich is not here.\n",
    "test": "# Test\n\nRates are hidden. Rates again.\n\n## After it\n\nSee practice.\n",
    "faq": "# Questions\n\n## Why\n\nBecause of practice rates.\n",
}
CHINESE = {"practice": "# 练习\n\n对照残局表。\n\n## 成功率\n\n每一步之后的成功率。\n"}


@pytest.fixture
def book(tmp_path):
    def made(language: str = "en"):
        for code, texts in (("en", ENGLISH), ("zh_CN", CHINESE)):
            (tmp_path / code).mkdir(exist_ok=True)
            for name, text in texts.items():
                (tmp_path / code / f"{name}.md").write_text(text, encoding="utf-8")
        return load_help_pages(language, {}, tmp_path)

    return made


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_headings_are_those_of_the_pages_that_are_read(language):
    for name, article in load_help_pages(language, {}).articles.items():
        titles = [section.title for section in article.sections]
        found = headings(language, name)
        assert found == (titles[: len(found)] if name == "keys" else titles), name


def places(book, query: str) -> list[str]:
    return [str(hit.place) for hit in search(book, query)]


def test_titles_come_before_headings_and_headings_before_text(book):
    assert places(book(), "practice") == ["practice#0", "test#1", "faq#1"]
    assert places(book(), "rates") == ["practice#1", "test#0", "faq#1"]


def test_all_words_have_to_be_there_perhaps_in_the_title_of_the_page(book):
    assert places(book(), "hidden again") == ["test#0"]
    assert places(book(), "practice zurich") == ["practice#1"]
    assert places(book(), "rates nowhere") == []
    assert places(book(), "  ") == []


def test_neither_case_nor_accents_nor_width_matter(book):
    for query in ("ZURICH", "zürich", "Ｚürich"):
        assert places(book(), query) == ["practice#1"]


def test_chinese_is_found_without_blanks_between_words(book):
    chinese = book("zh_CN")
    assert places(chinese, "成功率") == ["practice#1"]
    assert places(chinese, "步之后") == ["practice#1"]
    assert places(chinese, "之后成功率") == ["practice#1"], "its pairs are all there"
    assert places(chinese, "Test") == ["test#0"], "what is not translated is there in English"
    assert terms_of("成功率rate 表") == ["成功率", "rate", "表"]


def test_an_excerpt_has_the_hit_and_says_where(book):
    (hit,) = search(book(), "zurich")
    assert [hit.excerpt[start:end] for start, end in hit.marks] == ["Zürich"]
    assert (hit.page, hit.title) == ("Practice", "The rates")
    text = "x " * 300 + "needle" + " y" * 300
    assert marks_in(text, ["needle"]) == ((600, 606),)


def test_links_lead_to_sections_by_their_names_in_this_language_or_in_english(book):
    english, chinese = book(), book("zh_CN")
    assert english.target("practice.md#the-rates", "test") == HelpPlace("practice", 1)
    assert english.target("#after-it", "test") == HelpPlace("test", 1)
    assert english.target("practice.md#nowhere", "test") is None
    assert english.target("nowhere.md", "test") is None
    assert chinese.target("practice.md#成功率", "test") == HelpPlace("practice", 1)
    assert chinese.target("practice.md#the-rates", "test") == HelpPlace("practice", 1)


@pytest.mark.parametrize("text", ["", "nowhere#1", "practice", "practice#x", "practice#-1"])
def test_a_place_that_makes_no_sense_is_the_first_page(text):
    assert HelpPlace.from_text(text) == HelpPlace()
    assert HelpPlace.from_text(str(HelpPlace("test", 3))) == HelpPlace("test", 3)
