"""What a minigame says, and its rules in words: every number is a parameter, and follows it."""

import dataclasses
import re

import pytest

from gui.minigames.rules_text import changes, rules, summary, tool_rules, trophy_text
from gui.minigames.text import run_text, trophy_message
from minigames import parameters
from minigames.parameters import GameSpec, Numbers
from minigames.records import FinishedRun
from minigames.registry import GAMES

SPECS = list(GAMES.values())
MODES = [
    pytest.param(spec, hard, id=f"{spec.name}-{'hard' if hard else 'normal'}")
    for spec in SPECS
    for hard in (False, True)
]
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:\s?(?:%|min|s\b))?")
SENTENCE = re.compile(r"[^.?!]+[.?!](?:\s|$)")


def all_text(spec: GameSpec, hard: bool) -> str:
    return " ".join([summary(spec), *rules(spec, hard), *tool_rules(spec, hard)])


def numbers_in(text: str) -> set[str]:
    """Return the numbers of a text with their units, digits joined and blanks plain."""
    return {found.replace(",", "").replace("\u00a0", " ") for found in NUMBER.findall(text)}


def as_percent(permille: int) -> str:
    whole, tenth = divmod(permille, 10)
    return f"{whole}.{tenth} %" if tenth else f"{whole} %"


def as_span(ms: int) -> set[str]:
    minutes, seconds = divmod(ms // 1000, 60)
    return {f"{minutes} min", f"{seconds} s"}


def known(spec: GameSpec, numbers: Numbers) -> set[str]:
    """Return the ways to write the parameters of a game."""
    plain = {
        *(numbers.tools, numbers.period, numbers.peeks, numbers.points_per_peek),
        *(numbers.freeze_after, *numbers.rectangle, numbers.crater_moves, *spec.levels),
        *(parameters.AWARD_FROM, parameters.AWARD_BELOW, parameters.OPEN_CELLS),
        *(1 << parameters.FIRST_LEVEL, 1 << parameters.LAST_LEVEL, 512),
        *(1 << exponent for exponent in parameters.GIFT_WEIGHTS),
    }
    if spec.name in parameters.PATTERNS:
        cells = [cell for row in parameters.PATTERNS[spec.name] for cell in row]
        plain.add(sum(cell is not None for cell in cells))
    permille = {
        *(numbers.portal_permille, numbers.portal_less_permille, numbers.object_permille),
        *(numbers.mark_permille, numbers.mark_less_permille, numbers.mark_least_permille),
        *(10 * numbers.award_percent, 10 * numbers.adversary_percent),
    }
    spans = {text for ms in (numbers.clock_ms, numbers.bonus_ms, numbers.bonus_step_ms)
             for text in as_span(ms)}  # fmt: skip
    return {str(number) for number in plain} | {as_percent(share) for share in permille} | spans


@pytest.mark.parametrize(("spec", "hard"), MODES)
def test_every_number_is_a_parameter(spec, hard):
    assert numbers_in(all_text(spec, hard)) <= known(spec, spec.numbers(hard))
    assert numbers_in(trophy_text(spec)) == {str(level) for level in spec.levels}


WITH_COMMA = {f"{1 << exponent:,}" for exponent in range(10, 18)}


@pytest.mark.parametrize(("spec", "hard"), MODES)
def test_no_tile_has_a_separator(spec, hard):
    texts = (*rules(spec, hard), trophy_text(spec))
    numbers = NUMBER.findall(" ".join(texts))
    assert not {number.rstrip(",") for number in numbers} & WITH_COMMA


def other(value: int | bool | tuple[int, int]) -> int | bool | tuple[int, int]:
    if isinstance(value, bool):
        return not value
    if isinstance(value, tuple):
        return value[0] + 1, value[1] + 1
    return value * 2 if value > 0 else 3


def used_fields() -> list:
    return [
        pytest.param(spec, hard, field.name, id=f"{spec.name}-{hard}-{field.name}")
        for spec in SPECS
        for hard in (False, True)
        for field in dataclasses.fields(Numbers)
        if getattr(spec.numbers(hard), field.name) not in (0, (0, 0), False)
    ]


@pytest.mark.parametrize(("spec", "hard", "field"), used_fields())
def test_another_parameter_makes_another_text(spec, hard, field):
    numbers = spec.numbers(hard)
    changed = {field: other(getattr(numbers, field))}
    if field == "peeks" and numbers.peeks < 0:  # without limit, no points bring one
        changed["points_per_peek"] = 500
    mode = {"hard" if hard else "normal": dataclasses.replace(numbers, **changed)}
    changed_spec = dataclasses.replace(spec, **mode)
    assert all_text(changed_spec, hard) != all_text(spec, hard)
    assert len(changes(changed_spec, not hard)) > 0
    assert all_text(changed_spec, not hard) == all_text(spec, not hard)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_other_levels_make_other_trophies(spec):
    first, *more = spec.levels
    changed = dataclasses.replace(spec, levels=(first + 7, *more))
    separator = "," if spec.track == "score" else ""  # points have one, tiles don't
    assert f"{first + 7:{separator}}" in trophy_text(changed)
    assert f"{first:{separator}}" in trophy_text(spec)
    ends = dataclasses.replace(spec, at_end=not spec.at_end)
    assert trophy_text(ends) != trophy_text(spec)


@pytest.mark.parametrize(("spec", "hard"), MODES)
def test_a_mode_says_what_the_other_one_changes_and_nothing_else(spec, hard):
    found = changes(spec, hard)
    assert len(found) >= 3, "the tools, and something of its own"
    assert set(found) == {*rules(spec, not hard), *tool_rules(spec, not hard)} - {
        *rules(spec, hard),
        *tool_rules(spec, hard),
    }
    assert changes(dataclasses.replace(spec, hard=spec.normal), hard) == []


@pytest.mark.parametrize(("spec", "hard"), MODES)
def test_the_rules_are_few_short_sentences(spec, hard):
    assert 3 <= len(rules(spec, hard)) <= 6
    for item in (*rules(spec, hard), *tool_rules(spec, hard)):
        assert item[0].isupper() or item[0].isdigit()
        assert item.endswith(".")
        assert all(len(sentence.split()) <= 22 for sentence in SENTENCE.findall(item)), item


def test_no_two_games_have_the_same_words():
    assert len({summary(spec) for spec in SPECS}) == len(SPECS)
    assert all(len(summary(spec)) <= 52 for spec in SPECS), "two lines on a card"
    per_family = {(spec.family, spec.name): tuple(rules(spec, False)) for spec in SPECS}
    distinct = {name: text for (family, name), text in per_family.items() if family != "goals"}
    assert len(set(distinct.values())) == len(distinct)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("ice_age", "You made 1024. Next: 2048."),
        ("endless_explosions", "You passed 40,000 points. Next: 100,000."),
    ],
)
def test_a_trophy_says_what_was_made_and_what_is_next(game, text):
    assert trophy_message(GAMES[game], 1).text == text


def test_the_largest_tile_of_an_old_run_has_no_separator():
    run = FinishedRun(1, 20_480, 1_100, 11, 2048, "stuck", False, "", "2026-03-01T12:00:00+00:00")
    assert run_text(run).startswith("20,480 points \N{MIDDLE DOT} 2048 \N{MIDDLE DOT} 1,100 moves")
