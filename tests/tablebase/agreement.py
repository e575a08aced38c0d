"""How a stored layer is compared with the brute-force solver's."""

import numpy as np
import numpy.typing as npt
from brute_force import Solution

Floats = npt.NDArray[np.float64]
Layer = tuple[npt.NDArray[np.uint64], Floats]

RAW_ONE = 4e9


def stored_boards(solved: Solution, layer: int) -> Layer:
    """The boards a table may store (ascending) and their exact rates."""
    rates = sorted(solved.stored(layer).items())
    return np.array([b for b, _ in rates], np.uint64), np.array([r for _, r in rates], np.float64)


def assert_layer_agrees(got: Layer, want: Layer, rate: str, layer: int) -> None:
    got_boards, got_raws = got
    boards, exact = want
    stays = np.rint(exact * RAW_ONE) > 0 if rate == "uint32" else exact.astype(rate) > 0
    assert np.array_equal(got_boards, boards[stays]), f"layer {layer}: other boards"
    assert got_raws.dtype == np.dtype(rate)
    check = {"uint32": is_nearest_uint32, "float32": is_nearest_float32, "float64": is_same}[rate]
    wrong = np.flatnonzero(~check(got_raws, exact[stays]))
    assert not wrong.size, (
        f"layer {layer}: {wrong.size} of {got_raws.size} rates differ, first "
        f"{got_boards[wrong[0]]:016x}: {got_raws[wrong[0]]}, expected {exact[stays][wrong[0]]!r}"
    )


def is_nearest_uint32(raws: np.ndarray, exact: Floats) -> npt.NDArray[np.bool_]:
    """The nearest multiple of 1 / 4e9; both neighbors are right next to a tie."""
    return np.abs(raws.astype(np.float64) - exact * RAW_ONE) <= 0.5 + 1e-5


def is_nearest_float32(raws: np.ndarray, exact: Floats) -> npt.NDArray[np.bool_]:
    half_step = np.spacing(exact.astype(np.float32)).astype(np.float64) / 2
    return np.abs(raws.astype(np.float64) - exact) <= half_step * (1 + 1e-6)


def is_same(raws: np.ndarray, exact: Floats) -> npt.NDArray[np.bool_]:
    return np.abs(raws - exact) <= 1e-14 * exact
