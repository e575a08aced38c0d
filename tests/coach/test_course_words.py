"""The course of a game in words: its chances are written like all other rates."""

import re
from dataclasses import replace

import pytest

from coach.analysis.course import CourseMoment, CoursePhase, moment_line, phase_line
from coach.grading.grade import Grade

PHASE = CoursePhase(1, 900, (), True, 900, {"search": 900}, 0.2, 0.1, 0.923, 0.7547)
MOVE = CourseMoment(False, 7, 2, (1,) * 16, 0, (2,), 0.923, 0.7547, Grade.MISTAKE)
TILE = replace(MOVE, is_tile=True)


def rates(line: str) -> list[str]:
    return re.findall(r"[\d.]+ ?%", line)


@pytest.mark.parametrize(
    "line",
    [
        phase_line(PHASE),
        phase_line(replace(PHASE, makes=32768)),
        moment_line(MOVE),
        moment_line(replace(TILE, makes=32768)),
    ],
)
def test_chances_have_the_digits_and_the_space_of_rates(line):
    assert rates(line) == ["92.30 %", "75.47 %"]


def test_chances_that_differ_never_read_the_same():
    assert rates(moment_line(replace(MOVE, before=0.98761, after=0.98759))) == [
        "98.761 %",
        "98.759 %",
    ]


def test_a_chance_is_whole_only_when_it_is():
    assert rates(moment_line(replace(TILE, before=0.9999, after=1.0))) == ["99.99 %", "100 %"]
