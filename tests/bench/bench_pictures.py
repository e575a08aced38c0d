"""How many boards in pictures are read correctly, and whether any error goes unmarked.

python -m tests.bench.bench_pictures [--boards 1000] [--seed 1]

Pictures of random boards are painted by the program's own painter (all palettes, light and dark,
several fonts, sizes and looks), by the same painter with fonts that are not among those compared
with, and by strokes that use nothing of the program; saved as PNG or as JPEG of some quality, and
read again.
"""

import argparse
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path[:0] = [str(Path(__file__).parent.parent / "engine" / "pictures")]

import numpy as np  # noqa: E402
from painted_boards import CLASSIC_TILES, painted_board  # noqa: E402
from PySide6.QtCore import QBuffer, Qt  # noqa: E402
from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication, QImage, QPainter  # noqa: E402

from engine.platform.errors import InvalidBoardError  # noqa: E402
from gui.board.board_paint import Grid, draw_ground, draw_tile  # noqa: E402
from gui.board.picture_reading import read_image  # noqa: E402
from gui.style.color_schemes import load_color_schemes  # noqa: E402
from gui.style.theme import TileLook, make_theme  # noqa: E402

KNOWN = ("DejaVu Sans", "Nimbus Sans", "Noto Sans CJK SC")
OTHER = ("URW Gothic", "DejaVu Serif", "C059", "Noto Mono", "Droid Sans Fallback", "P052")
SCHEMES = load_color_schemes()


def random_board(rng: random.Random) -> list[int]:
    """Return exponents as they come in games: some empty, a few large."""
    largest = rng.randint(2, 17)
    return [0 if rng.random() < 0.25 else rng.randint(1, largest) for _ in range(16)]


def own_picture(rng: random.Random, board: list[int], families: tuple[str, ...]) -> QImage:
    """Return a page of the program with a board on it."""
    palette = rng.choice([*SCHEMES.palettes])
    look = TileLook(
        family=rng.choice((*families, "")) if families is KNOWN else rng.choice(families),
        scale=rng.choice((0.85, 1.0, 1.15)),
        is_square=rng.random() < 0.3,
    )
    theme = make_theme(SCHEMES, rng.random() < 0.5, palette, look)
    side = int(440 * rng.choice((0.5, 0.7, 1, 1, 1.5, 2, 3)))
    width, height = side + rng.randint(4, 300), side + rng.randint(4, 200)
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(theme.background)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(QFont(rng.choice(KNOWN)))
    painter.translate(rng.randint(0, width - side), rng.randint(0, height - side))
    grid = Grid.fit(side, side, 1.0)
    draw_ground(painter, grid, theme, ())
    for cell, exponent in enumerate(board):
        if exponent:
            draw_tile(painter, grid.rect(cell), exponent, theme, str(1 << exponent))
    painter.end()
    return image


def stroke_picture(rng: random.Random, board: list[int]) -> QImage:
    """Return a page painted without the program."""
    cell = rng.choice((40, 60, 80, 107, 160))
    gap = max(3, round(cell * rng.uniform(0.06, 0.16)))
    tiles = CLASSIC_TILES
    picture = painted_board(
        board,
        cell,
        gap,
        (rng.randint(0, 60), rng.randint(0, 90)),
        rng.uniform(0.7, 1.25),
        tiles=tiles,
    )
    height, width, _ = picture.shape
    data = np.ascontiguousarray(picture)
    return QImage(data.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888).copy()


def saved(rng: random.Random, image: QImage) -> tuple[str, QImage]:
    """Return the image as read back from a file, and the file's kind."""
    quality = rng.choice((100, 0, 95, 85, 75, 60))
    if rng.random() < 0.25:  # a screenshot of another scale
        scale = rng.uniform(0.6, 1.6)
        image = image.scaledToWidth(
            max(150, int(image.width() * scale)), Qt.TransformationMode.SmoothTransformation
        )
    if quality in (100, 0):
        return "png", image
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(buffer, "JPG", quality)  # type: ignore[call-overload]
    return f"jpeg {quality}", QImage.fromData(buffer.data())


def main() -> int:
    """Paint, read, compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for pictures that were misread")
    args = parser.parse_args()
    app = QGuiApplication([])  # noqa: F841
    rng = random.Random(args.seed)
    missing = set(KNOWN + OTHER) - {name.split(" [")[0] for name in QFontDatabase.families()}
    if missing:
        print("drawn in another font, for it is not installed:", ", ".join(sorted(missing)))
    counts: dict[str, Counter] = {}
    began, n_wrong = time.perf_counter(), 0
    for number in range(args.boards):
        board = random_board(rng)
        kind = rng.choice(("own", "own", "own, other fonts", "strokes"))
        if kind == "strokes":
            image = stroke_picture(rng, board)
        else:
            image = own_picture(rng, board, KNOWN if kind == "own" else OTHER)
        how, image = saved(rng, image)
        for name in (kind, how, "all"):
            counts.setdefault(name, Counter())["boards"] += 1
        try:
            found = read_image(image)
        except InvalidBoardError as error:
            outcome, wrong = str(error)[:22], []
        else:
            pairs = enumerate(zip(found.cells, board, strict=True))
            faults = [cell for cell, (got, want) in pairs if got != want]
            wrong = [cell for cell in faults if cell not in found.doubtful]
            outcome = "certain" if not found.doubtful else "some marked"
            for name in (kind, how, "all"):
                counts[name]["faults marked"] += len(faults) - len(wrong)
                counts[name]["cells marked"] += len(found.doubtful)
                counts[name]["cells"] += 16
        for name in (kind, how, "all"):
            counts[name]["FAULTS UNMARKED"] += len(wrong)
            counts[name][outcome] += 1
        if wrong:
            n_wrong += 1
            for cell in wrong:
                print(kind, how, image.size(), 1 << board[cell], "read as", 1 << found.cells[cell])
            if args.keep:
                args.keep.mkdir(parents=True, exist_ok=True)
                image.save(str(args.keep / f"{number}.png"))
    for name in sorted(counts):
        print(f"{name:18}", dict(sorted(counts[name].items())))
    print(f"{(time.perf_counter() - began) / args.boards * 1000:.0f} ms a board")
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
