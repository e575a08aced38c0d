"""Icons: every name has its file and every file its use; sharp, tinted, and drawn once."""

import ast
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QImage, QPainter, QPalette
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

from gui.play.page_actions import PageAction, PageActions
from gui.style.icons import FOLDER, app_icon, draw_icon, icon, icon_names
from gui.style.theme import app_theme
from tests.child import python

pytestmark = pytest.mark.usefixtures("qapp")
NAMES = sorted(icon_names())
SINKS = {"icon": 0, "draw_icon": 1}
"""Where the functions of `gui.style.icons` expect a name."""


def painted(name: str, side: float, color: str, ratio: float = 1) -> QImage:
    """Return an icon painted into a square of `side` at a device pixel ratio."""
    pixels = round(side * ratio)
    image = QImage(pixels, pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    try:
        draw_icon(painter, name, QRectF(0, 0, side, side), QColor(color))
    finally:
        painter.end()
    return image


def pixels_of(image: QImage) -> bytes:
    straight = image.convertToFormat(QImage.Format.Format_ARGB32)
    return bytes(straight.constBits())


def inks(image: QImage) -> set[str]:
    """Return the colors of the pixels that are covered whole."""
    colors = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {color.name() for color in colors if color.alpha() == 255}


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_one_ink_on_the_grid(name):
    root = ElementTree.parse(FOLDER / f"{name}.svg").getroot()
    assert root.get("viewBox") == "0 0 24 24"
    paints = {part.get(key) for part in root.iter() for key in ("fill", "stroke")}
    assert paints <= {None, "none", "currentColor"}
    assert QSvgRenderer(str(FOLDER / f"{name}.svg")).isValid()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("side", [16, 20, 48])
def test_an_icon_is_seen_and_stays_in_its_square(name, side):
    image = painted(name, side, "black")
    covered = [[image.pixelColor(x, y).alpha() / 255 for x in range(side)] for y in range(side)]
    assert sum(map(sum, covered)) > 0.02 * side * side
    edges = [covered[0], covered[-1], [row[0] for row in covered], [row[-1] for row in covered]]
    assert max(sum(edge) / side for edge in edges) < 0.5, "it is cut off"


def test_no_two_files_are_the_same_drawing():
    drawn = {pixels_of(painted(name, 48, "black")): name for name in NAMES}
    assert sorted(drawn.values()) == NAMES


def names_of(node: ast.expr) -> Iterator[str]:
    """Yield the icons that an argument may name; an f-string stands for all that begin so."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*names_of(node.body), *names_of(node.orelse))
    elif isinstance(node, ast.Tuple):  # the icon, and what goes with it
        yield from names_of(node.elts[0])
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from names_of(value)
    elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        start = str(node.values[0].value)
        yield from [name for name in NAMES if name.startswith(start)] or [f"{start}..."]


def sinks_of(tree: ast.Module) -> dict[str, int | None]:
    """Return the place of the `icon_name` argument in each function and class of a file."""
    found: dict[str, int | None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.args, *node.args.kwonlyargs]
            names = [one.arg.replace("picture", "icon_name") for one in arguments]
            names = [name for name in names if name != "self"]
        elif isinstance(node, ast.ClassDef):
            fields = [one.target for one in node.body if isinstance(one, ast.AnnAssign)]
            names = [field.id for field in fields if isinstance(field, ast.Name)]
        else:
            continue
        found[node.name] = names.index("icon_name") if "icon_name" in names else None
    return found


def word_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def used(tree: ast.Module, sinks: dict[str, int]) -> Iterator[str]:
    """Yield the names of icons that a file has in its text."""
    own = sinks_of(tree)
    known = {**sinks, **{word: place for word, place in own.items() if place is not None}}
    known = {word: place for word, place in known.items() if own.get(word, place) is not None}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            target = node.targets[0].id
            if word_of(node.value) in known:  # add = self._add
                known[target] = known[word_of(node.value)]
            if target == "icon" or "ICON" in target:  # of a page; a table of names
                yield from names_of(node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and word_of(node.func) in known:
            place = known[word_of(node.func)]
            given = [word.value for word in node.keywords if word.arg in ("icon_name", "picture")]
            for value in (*node.args[place : place + 1], *given):
                yield from names_of(value)


@pytest.mark.thorough
def test_every_name_has_a_file_and_every_file_is_used(project_root):
    paths = sorted((project_root / "gui").rglob("*.py"))
    trees = {path: ast.parse(path.read_bytes()) for path in paths}
    sinks = dict(SINKS)
    for tree in trees.values():
        sinks |= {word: place for word, place in sinks_of(tree).items() if place is not None}
    found = {(name, path.name) for path, tree in trees.items() for name in used(tree, sinks)}
    assert {one for one in found if one[0] not in NAMES} == set()
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    texts = {node.value for node in nodes if isinstance(node, ast.Constant)}
    assert set(NAMES) - {name for name, _ in found} - texts == set()


def test_an_unknown_name_is_refused_at_once():
    with pytest.raises(LookupError, match="no icon 'bucket'"):
        icon("bucket")
    with pytest.raises(LookupError, match="no icon 'bucket'"):
        painted("bucket", 16, "black")


@pytest.fixture
def palette() -> Iterator[QPalette]:
    before = QGuiApplication.palette()
    palette = QPalette(before)
    palette.setColor(QPalette.ColorRole.ButtonText, QColor("#204060"))
    palette.setColor(QPalette.ColorRole.HighlightedText, QColor("#fefefe"))
    QGuiApplication.setPalette(palette)
    yield palette
    QGuiApplication.setPalette(before)


def shown(one: QIcon, mode: QIcon.Mode = QIcon.Mode.Normal) -> QImage:
    return one.pixmap(QSize(24, 24), mode).toImage()


def test_an_icon_follows_the_theme_by_itself(palette):
    one = icon("stop")
    assert inks(shown(one)) == {"#204060"}
    palette.setColor(QPalette.ColorRole.ButtonText, QColor("#e0e0e0"))
    QGuiApplication.setPalette(palette)
    assert inks(shown(one)) == {"#e0e0e0"}


@pytest.mark.usefixtures("palette")
def test_an_icon_on_the_accent_or_of_a_color_of_its_own():
    assert inks(shown(icon("stop", QPalette.ColorRole.HighlightedText))) == {"#fefefe"}
    assert inks(shown(icon("best", QColor("#ffaa00")))) == {"#ffaa00"}


def test_an_icon_may_be_stronger_where_it_is_checked_or_under_the_mouse():
    one, size = icon("stop", QColor("#808080"), QColor("#101010")), QSize(24, 24)
    on, off = QIcon.State.On, QIcon.State.Off
    modes = ((QIcon.Mode.Normal, off), (QIcon.Mode.Normal, on), (QIcon.Mode.Active, off))
    colors = [inks(one.pixmap(size, mode, state).toImage()) for mode, state in modes]
    assert colors == [{"#808080"}, {"#101010"}, {"#101010"}]


@pytest.mark.usefixtures("palette")
def test_a_disabled_icon_is_fainter():
    one = icon("stop")
    center = shown(one, QIcon.Mode.Disabled).pixelColor(12, 12)
    assert 60 < center.alpha() < 140
    assert shown(one).pixelColor(12, 12).alpha() == 255


@pytest.mark.parametrize("ratio", [1, 1.25, 1.5, 2, 3])
def test_an_icon_has_every_pixel_of_the_screen(ratio):
    one = icon("settings", QColor("black")).pixmap(QSize(20, 20), ratio)
    assert one.size() == QSize(20, 20) * ratio
    large = painted("settings", 20 * ratio, "black")
    assert pixels_of(one.toImage()) == pixels_of(large)
    assert pixels_of(painted("settings", 20, "black", ratio)) == pixels_of(large)


def test_an_icon_is_put_onto_whole_pixels():
    image = QImage(40, 40, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    draw_icon(painter, "game", QRectF(3.4, 7.3, 30, 24), QColor("black"))
    painter.end()
    assert pixels_of(image.copy(6, 7, 24, 24)) == pixels_of(painted("game", 24, "black"))


def test_an_icon_is_read_once(monkeypatch):
    one = icon("lock", QColor("#010203"))
    before = shown(one)

    def read_again(_path):  # a Mock would keep the error, and with it a painter without an image
        raise AssertionError("the file was read again")

    monkeypatch.setattr("PySide6.QtSvg.QSvgRenderer", read_again)
    assert shown(one) == before
    assert shown(icon("lock", QColor("#010203"))) == before
    assert pixels_of(painted("lock", 24, "#010203")) == pixels_of(before)
    with pytest.raises(AssertionError, match="read again"):
        painted("lock", 25, "#010203")


@pytest.mark.thorough
def test_the_window_is_imported_without_the_reader_of_svg():
    script = "import sys, gui.shell.main_window; print('PySide6.QtSvg' in sys.modules)"
    assert python(script) == "False"


def test_the_program_has_an_icon_of_several_colors():
    image = app_icon().pixmap(QSize(64, 64)).toImage()
    assert (image.width(), image.height()) == (64, 64)
    assert len(inks(image)) >= 3


def test_the_star_of_the_best_move_has_its_color_on_every_page(qtbot):
    page, board = QWidget(), QWidget()
    qtbot.addWidget(page)
    qtbot.addWidget(board)
    actions = PageActions(
        [PageAction("step", "Best move", print, icon_name="best", key="best")], page, board
    )
    image = actions["step"].icon().pixmap(24, 24).toImage()
    assert image.pixelColor(image.rect().center()).name() == app_theme().best_move.name()
