"""The reports of an analysis: they say what was found, hold any name, and can be read again."""

import csv
import io
import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from coach.analysis.analyze import Analysis, analyze
from coach.analysis.data import CSV_HEADS, AnalyzedFile, segment_replay, to_csv, to_json
from coach.analysis.files import stem_of, write_recordings, write_reports
from coach.analysis.game_facts import facts_of_data
from coach.analysis.html import STYLE, game_figure, rate_figure, sums_figure, to_html
from coach.analysis.text import to_text
from coach.grading.grade import UINT32, Score, judge
from engine.bitboard import DIRECTIONS
from engine.formats.replay import bitboard
from engine.formats.rpl import read_rpl, write_rpl
from tablebase.probe.reader import Tablebase
from tests.coach.played_games import played_game

NASTY = "<img src=x onerror=alert(1)> & \"quoted\" 'name'.txt"
VOID = {"meta", "br", "img", "path", "polyline"}


@pytest.fixture(scope="module")
def files(table):
    """Analyses of some games, together with every way for a segment to end but cancelling."""
    with Tablebase.open(table("442", 64)) as opened:
        reports = [analyze(played_game(opened, seed), [opened]) for seed in range(30)]
    return [AnalyzedFile(NASTY, "verse-new", report) for report in reports]


class Page(HTMLParser):
    """Checks that tags match, and gathers text, tags and attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        self.text += data


@pytest.mark.thorough
def test_the_page_is_whole_and_runs_nothing(files):
    for file in files:
        page = Page(to_html(file))
        assert not {"script", "img", "link", "iframe"} & set(page.tags)
        assert not [name for name, _ in page.attributes if name.startswith("on")]
        links = [value for name, value in page.attributes if name in ("href", "src")]
        sections = [value for name, value in page.attributes if name == "id"]
        assert links == [f"#{section}" for section in sections], "each leads to its own part"
        assert NASTY in page.text
        n_parts = len(file.report.segments)
        assert page.tags.count("h2") == n_parts + 2 * bool(n_parts)  # the whole game, all parts
        levels = [int(tag[1]) for tag in page.tags if tag in ("h1", "h2", "h3")]
        assert levels[:1] == [1]
        assert levels.count(1) == 1
        assert all(b <= a + 1 for a, b in pairwise(levels)), "no level is skipped"
        assert "http" not in to_html(file).replace("http-equiv", "")


@pytest.mark.thorough
def test_the_charts_are_readable_at_any_width(files):
    """Stretched figures have no text in them; lines keep their width."""
    n_figures = 0
    for file in files:
        page = to_html(file)
        drawings = re.findall(r'<svg viewBox="0 0 1000.*?</svg>', page, re.DOTALL)
        assert all("<text" not in one for one in drawings)
        assert len(drawings) == page.count("<figcaption>") == page.count('class="scale"')
        n_figures += len(drawings)
        for figure in re.findall(r"<figure>.*?</figure>", page, re.DOTALL):
            assert 'preserveAspectRatio="none"' in figure
            assert all(
                0 <= float(at) <= 100 for at in re.findall(r"(?:left|top): ([\d.-]+)%", figure)
            )
    assert n_figures > 20
    assert "vector-effect: non-scaling-stroke" in STYLE


def test_a_mark_lies_on_the_line_at_its_move(files):
    n_marks = 0
    for one in (one for file in files for one in file.report.segments):
        figure = rate_figure(one)
        marks = re.findall(r"left: ([\d.]+)%; top: ([\d.]+)%\" title=\"move ([\d,]+)", figure)
        for left, top, number in marks:
            (i,) = (i for i, move in enumerate(one.moves) if f"{move.number:,}" == number)
            x, y = drawn_points(figure)[0][i]  # the drawing is 1000 wide and 100 high
            assert float(left) == pytest.approx(x / 10, abs=0.02)
            assert float(top) == pytest.approx(y, abs=0.11)
        n_marks += len(marks)
    assert n_marks > 10


def test_the_sums_end_where_a_tile_left_nothing(files):
    """From there on luck or skill is without bound, and no line can show it."""
    n_ended = 0
    for one in (one for file in files for one in file.report.segments):
        figure = sums_figure(one)
        left = (move.position.rate and move.best_after for move in one.moves)
        n_known = next((i for i, rate in enumerate(left) if not rate), len(one.moves))
        if n_known < 2:
            assert figure == ""
            continue
        _zero, skill, luck = drawn_points(figure)
        assert len(skill) == len(luck) == n_known + 1
        assert all(0 <= x <= 1000 and 0 <= y <= 100 for x, y in skill + luck)
        n_ended += n_known < len(one.moves)
    assert n_ended > 1


def drawn_points(figure: str) -> list[list[tuple[float, float]]]:
    lines = re.findall(r'<polyline points="([^"]*)"', figure)
    return [[tuple(map(float, one.split(","))) for one in line.split()] for line in lines]


def test_the_whole_game_is_what_its_parts_add_up_to(files):
    n_marks = n_worst = 0
    for file in files:
        facts = facts_of_data(json.loads(json.dumps(to_json(file))))
        segments = file.report.segments
        assert facts.n_judged == sum(one.score.n_moves for one in segments)
        for i, n in enumerate(facts.counts):
            assert n == sum(one.score.counts[i] for one in segments)
        product = math.prod(one.score.match_rate for one in segments)
        assert facts.match_rate == pytest.approx(product)
        moves = {move.number: move for one in segments for move in one.moves}
        given_away = [
            one.judgement.best_rate - one.judgement.rate
            for one in moves.values()
            if one.judgement and not one.judgement.is_perfect
        ]
        lost = [one.points_lost for one in facts.worst]
        assert lost == pytest.approx(sorted(given_away, reverse=True)[:10])
        for one in facts.worst:
            assert one.cells == moves[one.number].position.cells
        rates = [rate for one in facts.stretches for rate in one.best_rates]
        known = [rates_of(move) for one in segments for move in one.moves]
        assert rates == [max(rates) for rates in known if rates]
        assert (game_figure(facts) in to_html(file)) == bool(segments)
        n_worst += len(lost)
        n_marks += n_marks_on_the_line(game_figure(facts), len(rates))
    assert n_worst > 20
    assert n_marks == n_worst


def rates_of(move) -> list[float]:
    return [rate for rate in move.position.rates if rate is not None]


def n_marks_on_the_line(figure: str, n_rates: int) -> int:
    """Return the number of marks in the figure of a game; check that all are on the line."""
    points = [point for line in drawn_points(figure) for point in line]
    assert len(points) in (0, n_rates)
    assert all(0 <= x <= 1000 and 0 <= y <= 100 for x, y in points)
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    places = re.findall(r"left: ([\d.]+)%; top: ([\d.]+)%", figure)
    for x, y in places:
        near = [p for p in points if abs(p[0] - 10 * float(x)) < 0.2]
        assert any(abs(p[1] - float(y)) < 0.11 for p in near), "a mark beside the line"
    return len(places)


def test_rates_that_stay_the_same_are_a_line_in_the_middle(files):
    report = next(one for file in files for one in file.report.segments if one.moves)
    figure = rate_figure(replace(report, moves=report.moves[:1] * 5))
    (points,) = re.findall(r'<polyline[^>]* points="([^"]+)"', figure)
    heights = [point.partition(",")[2] for point in points.split()]
    assert len(heights) == 5
    assert len(set(heights)) == 1


def test_light_and_dark_have_the_same_colors_to_choose(files):
    light, dark = STYLE.split("@media (prefers-color-scheme: dark)")[:2]
    names = set(re.findall(r"--[a-z]+(?=:)", light))
    assert names == set(re.findall(r"--[a-z]+(?=:)", dark.split("} }")[0]))
    used = set(re.findall(r"var\((--[a-z]+)\)", STYLE + "".join(map(to_html, files))))
    assert used == names | {"--by"}  # the share of the warm color in a tile


def test_json_has_plain_numbers_and_every_move(files):
    for file in files:
        text = json.dumps(to_json(file), allow_nan=False)
        found = json.loads(text)
        assert found["file"] == NASTY
        assert found["moves"] == len(file.report.replay.moves)
        for segment, one in zip(found["segments"], file.report.segments, strict=True):
            assert [move["move"] for move in segment["move_list"]] == [m.number for m in one.moves]
            assert sum(segment["grades"].values()) == segment["judged"]
            if math.isfinite(one.fortune.luck):
                assert segment["difficulty"] == -segment["luck_log"]
            else:
                assert segment["luck_log"] is None


def test_csv_has_a_row_for_each_covered_move(files):
    for file in files:
        rows = list(csv.DictReader(io.StringIO(to_csv(file))))
        moves = [move for one in file.report.segments for move in one.moves]
        assert len(rows) == len(moves)
        for row, move in zip(rows, moves, strict=True):
            assert tuple(row) == CSV_HEADS
            assert int(row["move"]) == move.number
            rates = [row[direction] for direction in DIRECTIONS]
            assert [float(rate) if rate else None for rate in rates] == list(move.position.rates)
            assert row["grade"] == (move.judgement.grade.value if move.judgement else "")


def test_text_tells_every_segment_and_its_worst_move(files):
    for file in files:
        text = to_text(file)
        assert text.isascii()
        for one in file.report.segments:
            assert f"{one.segment.table}, moves {one.segment.first + 1}" in text
            if one.worst:
                assert f"move {one.worst[0].number}: " in text


def test_a_recording_of_a_segment_gives_the_same_judgement(files):
    n_compared = 0
    for file in files:
        for one in file.report.segments:
            replay = read_rpl(write_rpl(segment_replay(one)))
            assert replay.problem == ""
            score, n_moves = Score(), 0
            for position, move, ours in zip(
                replay.positions(), replay.moves, one.moves, strict=False
            ):
                assert bitboard(position) == bitboard(ours.position.cells)
                assert move.rates
                assert zeros_of(move.rates) == pytest.approx(
                    zeros_of(ours.position.rates), abs=2e-10
                )
                score = score.add(judge(move.rates, move.direction, UINT32))
                n_moves += 1
            left_out = one.moves[-1].position.rate is None
            assert n_moves == len(one.moves) - left_out
            assert score.counts == one.score.counts
            assert score.match_rate == pytest.approx(one.score.match_rate, abs=1e-6)
            n_compared += n_moves
    assert n_compared > 300


def zeros_of(rates):
    """A recording cannot tell a legal move that leaves the formation from one of rate 0."""
    return [0.0 if rate is None else rate for rate in rates]


def test_a_cancelled_analysis_says_so_everywhere(table, monkeypatch):
    monkeypatch.setattr("coach.analysis.analyze.PROGRESS_EVERY", 8)
    with Tablebase.open(table("442", 64)) as opened:
        analysis = Analysis(played_game(opened, 1), [opened])
        steps = analysis.run()
        next(steps)
        steps.close()
    file = AnalyzedFile("a.txt", "rpl", analysis.report)
    assert to_json(file)["complete"] is False
    assert "canceled after 8 positions" in to_text(file)
    assert "Canceled after 8 positions" in to_html(file)


def test_files_are_written_and_named_after_the_game(files, tmp_path):
    file = next(one for one in files if len(one.report.segments) > 1)
    written = write_reports(file, tmp_path / "new", "my game")
    assert {path.name for path in written.values()} == {
        "my game.html", "my game.txt", "my game.json", "my game.csv"
    }  # fmt: skip
    assert json.loads(written["json"].read_text("utf-8")) == json.loads(json.dumps(to_json(file)))
    recordings = list(write_recordings(file, tmp_path / "new", "my game"))
    assert len(recordings) == len(file.report.segments)
    for path, one in zip(recordings, file.report.segments, strict=True):
        assert path.name.startswith(f"442_64_my game_{one.segment.first + 1}_")
        assert read_rpl(path.read_bytes()).start == one.segment.positions[0].cells


def test_names_are_safe_and_differ():
    assert stem_of(Path("a/b/Game.txt"), {"game"}) == "Game-2"
    assert "/" not in stem_of(Path("a:b|c*?.txt"), set())
    assert len(stem_of(Path("x" * 300), set())) <= 100
    assert stem_of(Path("\u5b8c\u7f8e.vrs"), set()) == "\u5b8c\u7f8e"
