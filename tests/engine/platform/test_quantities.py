"""Counts and spans of time, as they are read in each language. English: the examples there."""

from collections.abc import Iterator

import pytest

from engine.platform import language
from engine.platform.quantities import count_text, span_text


@pytest.fixture
def chinese() -> Iterator[None]:
    language.use("zh_CN")
    yield
    language.use("en")


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (9_999, "9999"),
        (10_000, "1.00 万"),
        (98_500_000, "9850 万"),
        (99_999_999, "1.00 亿"),
        (32_740_000_000, "327 亿"),
        (2.5e13, "25.0 万亿"),
    ],
)
def test_counts_in_chinese_go_by_ten_thousands(count, text):
    assert count_text(count) == text


@pytest.mark.usefixtures("chinese")
def test_spans_in_chinese():
    assert [span_text(s) for s in (0.3, 42, 200, 5000, 200_000)] == [
        "不到 1 秒",
        "42 秒",
        "3 分钟 20 秒",
        "1 小时 23 分钟",
        "2 天 7 小时",
    ]
    assert span_text(0.3, tenths=True) == "0.3 秒"


def test_no_unit_that_is_nothing_is_said():
    assert span_text(3600) == "1 h"
    assert span_text(86_400 + 60) == "1 d"
    assert span_text(3599.6) == "1 h"
