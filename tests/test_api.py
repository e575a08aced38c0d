"""The package as programs use it: light to import, true to its documents, typed."""

import ast
import doctest
import importlib
import inspect
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import oracle
import pytest

import endgame2048 as eg
from endgame2048 import boards, builds, tables
from tablebase.store.options import OPTIONS
from tests import child

OUR_PARTS = {"engine", "tablebase", "ai", "coach", "gui"}


def numbers(seed: int, n: int = 400) -> Iterator[tuple[int, list[int]]]:
    """Yield boards of every density, as numbers and as exponents."""
    rng = random.Random(seed)
    for _ in range(n):
        filled = rng.random()
        tiles = [rng.randint(1, rng.choice((2, 5, 15))) for _ in range(16)]
        exponents = [tile if rng.random() < filled else 0 for tile in tiles]
        yield int("".join(f"{tile:x}" for tile in exponents), 16), exponents


def to_number(exponents: list[int]) -> int:
    return int("".join(f"{tile:x}" for tile in exponents), 16)


def python(folder: Path, code: str, project_root: Path) -> str:
    path = f"import sys; sys.path.insert(0, {str(project_root)!r})"
    return child.python(f"{path}\n{code}", cwd=folder)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the table that the documents speak of."""
    folder = tmp_path_factory.mktemp("sample")
    eg.build("2x4", 64, folder / "tables" / "2x4_64")
    return folder


# --- the package ---


def test_importing_it_loads_next_to_nothing(project_root, tmp_path):
    code = """
import endgame2048
print(*sorted({name.split(".")[0] for name in sys.modules}))
"""
    loaded = set(python(tmp_path, code, project_root).split())
    assert "endgame2048" in loaded
    assert not loaded & {*OUR_PARTS, "main", "numpy", "numba", "PySide6", "asyncio", "logging"}


def test_boards_games_and_look_ups_load_no_compiler(project_root, tmp_path, sample):
    code = f"""
import endgame2048 as eg
eg.canonical(eg.moves(eg.parse_board("1120000000000000"))[eg.LEFT])
eg.Game.new(seed=1).move(eg.LEFT)
eg.formations(), eg.Error, eg.Progress, eg.Probe
with eg.open_table({str(sample / "tables" / "2x4_64")!r}) as table:
    print(table.after_rate(0xFFFF_4354_0002_FFFF) > 0.9)
print({{"numba", "PySide6"}} & set(sys.modules))
"""
    assert python(tmp_path, code, project_root).split() == ["True", "set()"]


def test_every_public_name_is_what_type_checkers_take_it_for():
    """The imports that only they see name the same objects as those that are made when used."""
    tree = ast.parse(Path(str(eg.__file__)).read_text(encoding="utf-8"))
    (guarded,) = (
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    seen = {}
    for node in guarded.body:
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            there = getattr(importlib.import_module(str(node.module)), alias.name)
            seen[alias.asname or alias.name] = there
    assert sorted(seen) == sorted(eg.__all__)
    for name, there in seen.items():
        assert getattr(eg, name) is there, name
        assert name in dir(eg)


def test_other_names_are_not_there():
    for name in ("probe", "AppError", "numpy"):
        with pytest.raises(AttributeError, match=name):
            getattr(eg, name)


def test_all_that_is_raised_is_one_kind():
    kinds = [getattr(eg, name) for name in eg.__all__ if name.endswith("Error")]
    assert len(kinds) == 9
    assert all(issubclass(kind, eg.Error) for kind in kinds)
    assert issubclass(eg.BuildCancelledError, eg.BuildError)
    assert issubclass(eg.MissingTableError, eg.TableError)
    assert issubclass(eg.ProbeError, eg.TableError)


# --- documents ---


@pytest.mark.parametrize("module", [eg, boards, builds, tables])
def test_the_examples_in_the_docstrings_are_true(module, sample, monkeypatch):
    monkeypatch.chdir(sample)
    found = doctest.testmod(module)  # type: ignore[arg-type]
    assert found.attempted > 0
    assert found.failed == 0


def test_the_recipes_are_true(project_root, sample, monkeypatch):
    monkeypatch.chdir(sample)
    path = project_root / "docs" / "api.md"
    found = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert found.attempted > 20
    assert found.failed == 0


def test_every_function_has_an_example():
    public = [getattr(eg, name) for name in eg.__all__]
    own = [one for one in public if getattr(one, "__module__", "").startswith("endgame2048.")]
    for one in own:
        methods = [
            value
            for name, value in vars(one).items()
            if inspect.isfunction(value) and not name.startswith("_") and name != "close"
        ]
        for documented in [one, *methods] if inspect.isclass(one) else [one]:
            assert ">>> " in (documented.__doc__ or ""), documented
    assert {one.__name__ for one in own} > {"open_table", "build", "moves", "Table"}


# --- boards ---


@pytest.mark.parametrize("walls", [False, True])
def test_moves_are_those_of_the_rules(walls):
    for board, exponents in numbers(1):
        want = {}
        for direction in range(4):
            after, _ = oracle.move(exponents, direction, walls)
            if after != exponents:
                want[direction] = to_number(after)
        assert eg.moves(board, walls) == want
        assert eg.moves(np.uint64(board), walls) == want  # type: ignore[arg-type]


@pytest.mark.parametrize("spawn4", [0.0, 0.1, 0.25, 1.0])
def test_spawns_are_each_tile_in_each_empty_cell(spawn4):
    for board, exponents in numbers(2, 60):
        empty = [cell for cell, tile in enumerate(exponents) if not tile]
        want = {}
        for tile, share in ((1, 1 - spawn4), (2, spawn4)):
            for cell in empty:
                if share:
                    after = [*exponents[:cell], tile, *exponents[cell + 1 :]]
                    want[to_number(after)] = share / len(empty)
        assert eg.spawns(board, spawn4) == pytest.approx(want)


@pytest.mark.parametrize("mode", ["full", *oracle.MODES, "rect3x4"])
def test_symmetries_are_those_of_the_square_or_a_window(mode):
    for board, exponents in numbers(3, 50):
        want = sorted(to_number(image) for image in oracle.images(exponents, mode))
        assert sorted(eg.symmetries(board, mode)) == want
        assert eg.symmetries(board, mode)[0] == board
        assert eg.canonical(board, mode) == want[0]
    assert eg.symmetries(board) == eg.symmetries(board, "full")
    assert eg.canonical(board) == eg.canonical(board, "full")


def test_what_is_no_board_is_refused(sample):
    with eg.open_table(sample / "tables" / "2x4_64") as table:
        for ask in (
            eg.moves,
            eg.spawns,
            eg.symmetries,
            eg.canonical,
            table.probe,
            table.after_rate,
        ):
            for board in (-1, 1 << 64, "ffff", 1.5):
                with pytest.raises(eg.InvalidBoardError):
                    ask(board)  # type: ignore[operator]
        for ask in (table.probe, table.after_rates):
            for array in (
                [1, -1],
                [0.5],
                np.array([1, -2]),
                np.zeros((2, 2), np.uint64),
                np.ones(2),
            ):
                with pytest.raises(eg.InvalidBoardError):
                    ask(array)  # type: ignore[operator]
        for none in ([], np.array([], np.uint64)):
            assert table.after_rates(none).shape == (0,)
            assert table.probe(none).rates.shape == (0, 4)
    for wrong in (lambda: eg.spawns(0, 1.5), lambda: eg.canonical(0, "square")):
        with pytest.raises(ValueError, match="expected"):
            wrong()


# --- games ---


def test_the_same_seed_gives_the_same_game_by_the_rules():
    games = [eg.Game.new(seed=seed) for seed in (5, 5, 6)]
    for game in games:
        rng, score = random.Random(1), 0
        while not game.is_over and game.n_moves < 300:
            direction = rng.choice(game.legal_moves())
            after, points = oracle.move(list(game.cells), direction)
            score += points
            result = game.move(direction)
            assert result is not None
            assert game.bitboard in eg.spawns(to_number(after))
            assert (game.score, result.gained) == (score, points)
    assert games[0].played() == games[1].played() != games[2].played()


@pytest.mark.parametrize("direction", [-1, 4])
def test_what_is_no_direction_moves_nothing(direction):
    game = eg.Game.new(seed=7)
    before = game.bitboard
    with pytest.raises(ValueError, match="expected 0 to 3"):
        game.move(direction)
    assert (game.bitboard, game.n_moves) == (before, 0)


def test_undo_leads_back_and_the_same_move_meets_the_same_tile():
    game = eg.Game.new(seed=9)
    before = game.bitboard, game.score
    direction = game.legal_moves()[0]
    game.move(direction)
    after = game.bitboard
    assert after != before[0]
    assert game.undo()
    assert (game.bitboard, game.score) == before
    game.move(direction)
    assert game.bitboard == after


# --- building ---


def test_progress_is_told_until_all_is_done(tmp_path):
    steps: list[eg.Progress] = []
    result = eg.build("2x4", 64, tmp_path / "new" / "table", progress=steps.append, threads=1)
    assert (result.table, result.was_complete) == (tmp_path / "new" / "table", False)
    fractions = [step.fraction for step in steps]
    assert fractions == sorted(fractions)
    assert [step.phase for step in steps][:: len(steps) - 1] == ["expand", "finish"]
    assert (fractions[-1], steps[-1].eta_s) == (1.0, 0.0)
    assert {step.layers for step in steps} == {result.layers}


@pytest.mark.thorough
def test_a_build_costs_what_it_took_itself(tmp_path):
    """Not what the process did before: another table of it, or the compiler."""
    sum(range(100_000_000))  # takes a second or two
    eg.build("2x4", 64, tmp_path / "2x4_64")
    assert eg.build("2x4", 64, tmp_path / "2x4_64").cpu_s < 1


def test_a_cancelled_build_goes_on_later(tmp_path, sample):
    with pytest.raises(eg.BuildCancelledError):
        eg.build("2x4", 64, tmp_path, cancel=lambda: True)
    with pytest.raises(eg.MissingTableError):
        eg.open_table(tmp_path)
    asked: list[None] = []

    def later() -> bool:
        asked.append(None)
        return len(asked) > 60

    with pytest.raises(eg.BuildCancelledError):
        eg.build("2x4", 64, tmp_path, cancel=later)
    assert eg.build("2x4", 64, tmp_path).was_complete is False
    done = sample / "tables" / "2x4_64"
    names = sorted(path.name for path in done.iterdir() if path.suffix == ".tbl")
    assert names
    assert all((tmp_path / name).read_bytes() == (done / name).read_bytes() for name in names)


def test_a_sum_is_spelled_as_on_the_command_line(tmp_path):
    result = eg.build("2x4", "sum30", tmp_path / "2x4_sum30")
    with eg.open_table(result.table) as table:
        assert (table.name, table.target) == ("2x4_sum30", "sum30")
        assert table.after_rate(eg.parse_board("ffff 4210 0000 ffff")) == 1.0


@pytest.mark.thorough
def test_options_reach_the_table_and_wrong_ones_are_refused(tmp_path):
    eg.build("2x4", 64, tmp_path / "a", rate="float64", spawn4=0.2, optimal_only=True)
    with eg.open_table(tmp_path / "a") as table:
        assert (table.rate_type, table.spawn4, table.is_whole) == ("float64", 0.2, False)
    refused = [
        ("2x5", 64, {}, eg.FormationError),
        ("2x4", "sum63", {}, eg.FormationError),
        ("2x4", "sum--4", {}, eg.FormationError),
        ("2x4", 60, {}, eg.FormationError),
        ("2x4", 64, {"rate": "int8"}, eg.BuildError),
        ("2x4", 64, {"threads": 0}, eg.BuildError),
        ("2x4", 64, {"threshold": 2.0}, eg.BuildError),
        ("2x4", 64, {"sparse": 2}, eg.BuildError),
        ("2x4", 64, {"level": "tiny"}, eg.BuildError),
    ]
    for pattern, target, options, kind in refused:
        with pytest.raises(kind, match=r"expected|did you mean"):
            eg.build(pattern, target, tmp_path / "b", **options)  # type: ignore[arg-type]
    assert not (tmp_path / "b").exists()
    with pytest.raises(eg.BuildError, match="other parameters"):
        eg.build("2x4", 64, tmp_path / "a")


def test_a_build_has_the_options_of_the_table_and_their_defaults():
    parameters = inspect.signature(eg.build).parameters
    for name, option in OPTIONS.items():
        assert (name in parameters) is option.is_for_programs
        if option.is_for_programs:
            default = option.default if option.has_default else None
            assert parameters[name].default == default
            assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY


@pytest.mark.thorough
def test_own_formations_are_added_and_built(tmp_path):
    own = tmp_path / "mine.json"
    entry = eg.formations()["2x4"].to_dict() | {"name": "mine"}
    own.write_text(json.dumps({"version": 1, "formations": [entry]}), encoding="utf-8")
    known = eg.formations(own)
    assert set(known) == {*eg.formations(), "mine"}
    result = eg.build(known["mine"], 64, tmp_path / "table")
    assert result.stored == eg.build("2x4", 64, tmp_path / "other").stored
    with eg.open_table(result.table) as table:
        assert table.name == "mine_64"


@pytest.mark.parametrize("dtype", [np.int64, np.uint32, np.dtype(">u8")])
def test_arrays_of_integers_are_taken_like_lists(sample, dtype):
    asked = [0x0000_1112, 0x0000_2221]
    array = np.array(asked).astype(dtype)
    with eg.open_table(sample / "tables" / "2x4_64") as table:
        assert table.probe(array).boards.tolist() == asked
        assert table.probe(array).boards.dtype == np.uint64
        np.testing.assert_array_equal(table.after_rates(array), table.after_rates(asked))


@pytest.mark.parametrize(
    "text",
    [
        "1230_0000_0000_000f",
        "0x123000000000000f",
        "2 4 8 . . . . . . . . . . . . F",
        "2 4 8 0\n0 0 0 0\n0 0 0 0\n0 0 0 32768",
        "| 2 | 4 | 8 |  |\n|  |  |  |  |\n|  |  |  |  |\n|  |  |  | 32k |",
        "[[2,4,8,0],[0,0,0,0],[0,0,0,0],[0,0,0,32768]]",
    ],
)
def test_boards_are_read_in_the_forms_of_the_command_line(text):
    assert eg.parse_board(text) == 0x1230_0000_0000_000F


# --- types ---

CLIENT = """
import numpy as np
import numpy.typing as npt
from typing_extensions import assert_type

import endgame2048 as eg

board = eg.parse_board("1120 0000 0000 0000")
assert_type(board, int)
assert_type(eg.moves(board), dict[int, int])
assert_type(eg.spawns(board), dict[int, float])
assert_type(eg.formations()["L3"], eg.Formation)
with eg.open_table("somewhere") as table:
    assert_type(table, eg.Table)
    assert_type(table.probe(board).best, int | None)
    assert_type(table.probe(table.boards(3)), eg.Probes)
    assert_type(table.after_rate(board), float | None)
    assert_type(table.after_rates(table.boards(3)), npt.NDArray[np.float64])

def show(step: eg.Progress) -> None:
    assert_type(step.eta_s, float | None)

try:
    assert_type(eg.build("2x4", 64, "folder", progress=show), eg.BuildResult)
except eg.Error as error:
    print(error)
assert_type(eg.Game.new(1).move(eg.LEFT), eg.MoveResult | None)
"""
WRONG = """
eg.no_such_name
eg.build("2x4", 6.4, "folder")
table.after_rates(3)
"""


@pytest.mark.slow
def test_type_checkers_see_the_types(project_root, tmp_path):
    (tmp_path / "client.py").write_text(CLIENT + WRONG, encoding="utf-8")
    code = f"""
import os
os.environ["MYPYPATH"] = {str(project_root)!r}
from mypy.main import main
main(args=["--strict", "--config-file=", "--follow-imports=silent", "--cache-dir=cache",
           "--hide-error-context", "client.py"], clean_exit=False)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    wrong = CLIENT.count("\n") + 2
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert [int(line.split(":")[1]) for line in errors] == [wrong, wrong + 1, wrong + 2], done
