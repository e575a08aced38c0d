"""The commands ``board`` and ``card``: pictures in, pictures out, without a window."""

import json
import os
import random
from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtGui import QFont, QImage, QPainter

import main
from engine.platform.errors import AppError
from gui.board.board_paint import Grid, draw_ground, draw_tile
from gui.board.picture_reading import read_image_file
from gui.style.color_schemes import load_color_schemes
from gui.style.theme import make_theme
from tests.gui.review.reports import REPORT

DIGITS = "1230456789abcdeg"
BOARD = (1, 2, 3, 0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16)


@pytest.fixture
def picture(qapp, tmp_path: Path) -> Path:  # noqa: ARG001, Qt draws text only with it
    image = QImage(420, 420, QImage.Format.Format_RGB32)
    theme = make_theme(load_color_schemes(), False, "")
    image.fill(theme.background)
    painter = QPainter(image)
    painter.setFont(QFont())
    grid = Grid.fit(400, 400, 1.0)
    draw_ground(painter, grid, theme, ())
    for cell, exponent in enumerate(BOARD):
        if exponent:
            draw_tile(painter, grid.rect(cell), exponent, theme, str(1 << exponent))
    painter.end()
    path = tmp_path / "shot.png"
    image.save(str(path), "PNG")
    return path


def run(tmp_path: Path, *words: str) -> int:
    return main.main(["--data-dir", str(tmp_path / "data"), *words])


def test_a_board_is_read(picture, tmp_path, capsys):
    assert run(tmp_path, "board", str(picture)) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"shot.png: {DIGITS}\n")
    assert "65536" in said
    assert run(tmp_path, "board", str(picture), "--json") == 0
    event = json.loads(capsys.readouterr().out)
    assert (event["board"], event["doubtful"]) == (DIGITS, [])


@pytest.mark.thorough
def test_pictures_without_a_board_are_named_and_the_others_are_read(picture, tmp_path, capsys):
    blank = tmp_path / "blank.png"
    image = QImage(300, 300, QImage.Format.Format_RGB32)
    image.fill(0)
    image.save(str(blank), "PNG")
    words = ("board", str(blank), str(tmp_path / "missing.png"), str(picture))
    assert run(tmp_path, *words) == 0
    said = capsys.readouterr()
    assert f"shot.png: {DIGITS}" in said.out
    first, second = said.err.splitlines()
    assert "blank.png: no board is found" in first
    assert "missing.png" in second
    assert run(tmp_path, *words, "--json") == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [Path(event["image"]).name for event in events] == [
        "blank.png",
        "missing.png",
        "shot.png",
    ]
    assert ["error" in event for event in events] == [True, True, False]
    assert events[-1]["boards"] == 1


def test_when_no_picture_has_a_board_it_is_a_mistake(tmp_path, capsys, qapp):  # noqa: ARG001
    blank = tmp_path / "blank.png"
    image = QImage(300, 300, QImage.Format.Format_RGB32)
    image.fill(0)
    image.save(str(blank), "PNG")
    assert run(tmp_path, "board", str(blank)) == 2
    assert "error: blank.png: no board is found" in capsys.readouterr().err
    assert run(tmp_path, "board", str(blank), str(blank)) == 2
    assert "none of the pictures" in capsys.readouterr().err


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="9"/></svg>'


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("content", [b"", b"no picture", SVG, b"\x89PNG\r\n\x1a\n" + b"\0" * 50])
def test_what_is_no_picture_is_told_in_a_line(tmp_path, capsys, content):
    path = tmp_path / "x.png"
    path.write_bytes(content)
    assert run(tmp_path, "board", str(path)) == 2
    assert "x.png is not a picture that can be opened" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.usefixtures("qapp")
def test_what_cannot_be_read_is_told_in_a_line(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe.png")
    for name in ("missing.png", ".", "pipe.png"):
        assert run(tmp_path, "board", str(tmp_path / name)) == 2
        assert "a picture" in capsys.readouterr().err


def test_a_jpeg_is_read_and_a_damaged_picture_does_no_harm(picture, tmp_path):
    path = tmp_path / "shot.jpg"
    QImage(str(picture)).save(str(path), "JPG", 90)
    assert read_image_file(path).cells == BOARD
    rng = random.Random(1)
    for original in (picture, path):
        data = original.read_bytes()
        for _ in range(25):
            damaged = bytearray(data)
            for _ in range(rng.randint(1, 4)):
                damaged[rng.randrange(len(data))] = rng.randrange(256)
            n_left = rng.choice((len(data), rng.randint(0, len(data))))
            path.write_bytes(damaged[:n_left])
            with suppress(AppError):
                found = read_image_file(path)
                wrong = {at for at in range(16) if found.cells[at] != BOARD[at]}
                assert wrong <= found.doubtful


@pytest.mark.usefixtures("qapp")
def test_a_card_is_drawn(tmp_path, capsys):
    report = tmp_path / "game.json"
    report.write_text(json.dumps(REPORT))
    (tmp_path / "game.png").write_text("a screenshot")
    assert run(tmp_path, "card", str(report)) == 0
    assert str(tmp_path / "game-card.png") in capsys.readouterr().out
    assert (tmp_path / "game.png").read_text() == "a screenshot"
    light = QImage(str(tmp_path / "game-card.png"))
    assert run(tmp_path, "card", str(report), "--dark", "--out", str(tmp_path / "dark.png")) == 0
    dark = QImage(str(tmp_path / "dark.png"))
    assert light.size() == dark.size()
    assert light.pixelColor(5, 5).lightness() > 128 > dark.pixelColor(5, 5).lightness()


@pytest.mark.usefixtures("qapp")
def test_a_card_is_written_where_it_was_asked_for(tmp_path, capsys):
    report = tmp_path / "game.json"
    report.write_text(json.dumps(REPORT))
    (tmp_path / "card.png").write_text("another picture")
    for name, written in (("card.1", "card.1.png"), ("a", "a.png"), ("b.PNG", "b.PNG")):
        assert run(tmp_path, "card", str(report), "--out", str(tmp_path / name)) == 0
        assert not QImage(str(tmp_path / written)).isNull()
    assert (tmp_path / "card.png").read_text() == "another picture"
    capsys.readouterr()
    before = {path.name for path in tmp_path.iterdir()}
    for folder in (".", "/", str(tmp_path), f"{tmp_path}/.."):
        assert run(tmp_path, "card", str(report), "--out", folder) == 2
        assert "is a folder" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == before | {"data"}


def test_a_report_of_something_else_is_told_in_a_line(tmp_path, capsys):
    report = tmp_path / "game.json"
    report.write_text("{}")
    assert run(tmp_path, "card", str(report)) == 2
    assert "game.json is not the report of an analysis" in capsys.readouterr().err
