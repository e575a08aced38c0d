"""Tables: which formations there are, opening a table, and what it knows of boards."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from engine.bitboard import check_board
from engine.platform.errors import InvalidBoardError
from engine.platform.user_folders import user_folders
from engine.spawn import Rng
from tablebase.errors import MissingTableError
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations
from tablebase.library import opening
from tablebase.probe.probes import WORTH_A_LAYER, Probe, Probes, best_of
from tablebase.probe.reader import Tablebase
from tablebase.store.block_cache import BlockCache

Boards = npt.NDArray[np.integer[Any]] | Sequence[int]


def formations(own: Path | str | bool | None = None) -> dict[str, Formation]:
    """Return the formations that tables can be built of, by name.

    Parameters
    ----------
    own : Path, str or bool, optional
        A file of one's own formations, in the format of the program's patterns_config.json;
        they are added, and replace those of the same name. True for the file in the data folder,
        where the window keeps what was drawn there.

    Raises
    ------
    FormationError
        The file holds what is no formation.

    Examples
    --------
    >>> import endgame2048 as eg
    >>> formation = eg.formations()["L3"]
    >>> formation.n_large, formation.n_layers(512)
    (6, 304)
    """
    if own is True:
        return load_formations(own=user_folders().patterns)
    return load_formations(own=Path(own) if own else None)


def open_table(
    folder: Path | str | Sequence[Path | str],
    *,
    own: Path | str | bool | None = None,
    cache_bytes: int | None = None,
) -> "Table":
    """Open the table in a folder, one of this program or of 2048EndgameTablebase.

    Parameters
    ----------
    folder : Path or str
        The table's folder, or several when parts of it lie on other drives, its own one first.
        Where a folder holds several tables of the other program, one is named as
        ``folder/PATTERN_TARGET``.
    own : Path, str or bool, optional
        As for `formations`: where a table of the other program may be of one of your own
        formations, since it doesn't say what that looks like.
    cache_bytes : int, optional
        How much of what was unpacked to keep for the next question. By default a little of each of
        a few layers; who asks for boards all over a table does well to give it gigabytes.

    Raises
    ------
    MissingTableError
        There is no table, or it is not finished.
    TableError
        It cannot be read, or is not what was written.

    Examples
    --------
    >>> import endgame2048 as eg
    >>> with eg.open_table("tables/2x4_64") as table:
    ...     table.name, table.pattern, table.target
    ('2x4_64', '2x4', 64)
    """
    table = opening.open_table(folder, lambda: formations(own))
    if cache_bytes is not None:
        table.keep_layers(BlockCache(cache_bytes))
    return Table(table)


class Table:
    """A finished table, opened for lookups by `open_table`; one thread at a time.

    What it tells is exact, but for the rounding of stored rates. A board that is not stored may be
    worth nothing or may be one that the table was not made for: where that cannot be told the rate
    is unknown, never 0.

    Boards may be turned or mirrored, and may have the player's large tiles where the formation
    has nibbles F. One that is converted while it is open raises ChangedTableError: open it again.
    Where a method takes `comes_up`, True says that the boards are known to come up
    from the formation's seeds, as all boards of a game that started there do; then what is not
    stored is worth 0, and no proof is looked for.

    Examples
    --------
    >>> import endgame2048 as eg
    >>> table = eg.open_table("tables/2x4_64")
    >>> table
    <Table 2x4_64: 120,410 boards in 80 layers>
    >>> table.close()
    """

    def __init__(self, table: Tablebase) -> None:
        self._table = table

    def __repr__(self) -> str:
        return f"<Table {self.name}: {self.n_stored:,} boards in {self.n_layers} layers>"

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all files; a later question opens them again."""
        self._table.close()

    @property
    def path(self) -> Path:
        """The folder of the table."""
        return self._table.path

    @property
    def name(self) -> str:
        """Pattern and target, such as "L3_512"."""
        return self._table.name

    @property
    def pattern(self) -> str:
        """The name of the formation."""
        return self._table.pattern

    @property
    def formation(self) -> Formation:
        """The formation, as it was when the table was built."""
        return self._table.formation

    @property
    def target(self) -> int | str:
        """The tile to reach, in face value; or a sum of tiles, such as "sum1800"."""
        return self._table.target.json

    @property
    def n_layers(self) -> int:
        """How many layers there are; the tiles of layer i add up to 2 i more than a seed's."""
        return self._table.n_layers

    @property
    def n_stored(self) -> int:
        """How many boards are stored; counted now, if it is another program's table."""
        return self._table.stored

    @property
    def spawn4(self) -> float:
        """The probability of a 4 that the rates are for."""
        return self._table.spawn4

    @property
    def rate_type(self) -> str:
        """How rates are stored, such as "uint32"."""
        return self._table.rate

    @property
    def is_whole(self) -> bool:
        """Whether no board of a rate above 0 was left out."""
        return not self._table.is_thinned

    @property
    def is_limited(self) -> bool:
        """Whether the rates are lower bounds, because boards beyond limits count as lost."""
        return self._table.is_limited

    @property
    def is_cut_off(self) -> bool:
        """Whether rates below 1 may be too low, because boards left in the last layers count 0."""
        return self._table.is_cut_off

    @property
    def warning(self) -> str:
        """Which layers cannot be read now, and why; "" when all can."""
        return self._table.warning

    def start_board(self, seed: int = 0) -> int:
        """Return a board that games can start from: one of the formation's with a new tile.

        Examples
        --------
        >>> import endgame2048 as eg
        >>> with eg.open_table("tables/2x4_64") as table:
        ...     print(eg.draw_board(table.start_board(seed=1), walls=table.formation.walls))
            #     #     #     #
            .     .     .     .
            .     2     .     .
            #     #     #     #
        """
        return self._table.start_board(Rng(seed))

    def boards(self, layer: int) -> npt.NDArray[np.uint64]:
        """Return the stored boards of a layer: after-states, one for all images, ascending.

        Raises
        ------
        MissingTableError
            There is no such layer, or it has no file because the table is sparse.

        Examples
        --------
        >>> import endgame2048 as eg, numpy as np
        >>> with eg.open_table("tables/2x4_64") as table:
        ...     boards = table.boards(20)
        ...     rates = table.after_rates(boards)
        >>> boards.size, float(np.median(rates).round(4))
        (1663, 0.9999)
        """
        if not 0 <= layer < self.n_layers:
            raise MissingTableError(
                f"{self.name} has no layer {layer!r}: expected 0 to {self.n_layers - 1}"
            )
        return self._table.layer_boards(layer)[0]

    @overload
    def probe(self, board: int, *, comes_up: bool = False) -> Probe: ...

    @overload
    def probe(self, board: Boards, *, comes_up: bool = False) -> Probes: ...

    def probe(self, board: int | Boards, *, comes_up: bool = False) -> Probe | Probes:
        """Return the success rates of the four moves of a board, or of many.

        Of many, nearly all are answered by machine code: more than a million a second, once the
        parts of the table that they lie in are unpacked. It is loaded at the first call, which
        takes a second.

        Parameters
        ----------
        board : int, array or sequence of n int
            With its new tile, to move; or several.
        comes_up : bool
            Whether the board is known to come up, or all of them are; see `Table`.

        Returns
        -------
        Probe
            Of one board: `rates` by direction (None for an illegal move, one out of the formation,
            or an unknown rate), the `best` direction, the directions whose rates are `unknown`.
        Probes
            Of several: the same in arrays. A board that does not fit the table has no rates.

        Raises
        ------
        ProbeError
            The one board does not fit the formation, or its sum of tiles lies outside the table.
        InvalidBoardError
            It is no unsigned 64-bit number.
        TableError
            A file cannot be read, or is not what was written.

        Examples
        --------
        >>> import endgame2048 as eg
        >>> with eg.open_table("tables/2x4_64") as table:
        ...     answer = table.probe(eg.parse_board("ffff 0204 4252 ffff"))
        ...     answers = table.probe([0xFFFF_0204_4252_FFFF, 0x1234_5678_1234_5678])
        >>> [round(rate, 4) for rate in answer.rates]
        [0.2317, 0.5762, 0.919, 0.5174]
        >>> eg.DIRECTIONS[answer.best]
        'up'
        >>> answers.rates.round(4)
        array([[0.2317, 0.5762, 0.919 , 0.5174],
               [   nan,    nan,    nan,    nan]])
        >>> answers.best
        array([ 2, -1], dtype=int8)
        """
        if isinstance(board, np.ndarray | Sequence) and not isinstance(board, str):
            return self._probe_many(as_boards(board), comes_up)
        return self._table.probe(check_board(board), comes_up)

    def _probe_many(self, boards: npt.NDArray[np.uint64], comes_up: bool) -> Probes:
        rates, is_told = self._table.many_probes(boards, comes_up, WORTH_A_LAYER)
        best = best_of(rates)
        for i in np.flatnonzero(~is_told).tolist():
            probe = self._table.get(int(boards[i]), comes_up)
            rates[i] = np.nan if probe is None else np.array(probe.rates, np.float64)
            best[i] = -1 if probe is None or probe.best is None else probe.best
        return Probes(boards, rates, best)

    def after_rate(self, after: int, *, comes_up: bool = False) -> float | None:
        """Return the success rate of an after-state; None where it is unknown.

        Few boards fit a formation in several ways that are not worth the same; such a one is
        answered as it stands if it fits so, where `probe` looks for the best way.

        Parameters
        ----------
        after : int
            A board after a move, before the new tile.
        comes_up : bool
            Whether it is known to come up; see `Table`.

        Raises
        ------
        ProbeError
            It does not fit the formation, or its sum of tiles lies outside the table.
        InvalidBoardError
            It is no unsigned 64-bit number.
        TableError
            A file cannot be read, or is not what was written.

        Examples
        --------
        >>> import endgame2048 as eg
        >>> with eg.open_table("tables/2x4_64") as table:
        ...     round(table.after_rate(eg.parse_board("ffff 4354 0002 ffff")), 4)
        0.919
        """
        return self._table.rate_of(check_board(after), comes_up)

    def after_rates(self, afters: Boards, *, comes_up: bool = False) -> npt.NDArray[np.float64]:
        """Return what `after_rate` does of each of many after-states, most of them much faster.

        Fast are stored boards whose large tiles are F. The compiler is loaded for them, which takes
        a second at the first call.

        Parameters
        ----------
        afters : array or sequence of n int
            Boards after a move, before the new tile.
        comes_up : bool
            Whether all are known to come up; see `Table`.

        Returns
        -------
        float64[n]
            NaN where `after_rate` returns None or raises ProbeError.

        Raises
        ------
        InvalidBoardError
            One of them is no unsigned 64-bit number.
        TableError
            A file cannot be read, or is not what was written.

        Examples
        --------
        >>> import endgame2048 as eg
        >>> with eg.open_table("tables/2x4_64") as table:
        ...     table.after_rates([0xFFFF_4354_0002_FFFF, 0x1234_5678_1234_5678]).round(4)
        array([0.919,   nan])
        """
        asked = as_boards(afters)
        rates = np.full(asked.size, np.nan)
        if self._table.is_quick:
            rates = self._table.many_rates(asked, best_way=False)
        left = np.flatnonzero(np.isnan(rates))
        rates[left] = np.array(self._table.rates_of(asked[left].tolist(), comes_up), np.float64)
        return rates


def as_boards(boards: Boards) -> npt.NDArray[np.uint64]:
    """Return boards as an array, never by way of floats, which have no room for them."""
    if not isinstance(boards, np.ndarray):
        return np.array([check_board(board) for board in boards], np.uint64)
    if not np.issubdtype(boards.dtype, np.integer) or boards.ndim != 1:
        raise InvalidBoardError(
            f"boards in an array of {boards.ndim} dimensions of {boards.dtype}: "
            "expected one dimension of uint64"
        )
    if boards.size and boards.dtype.kind == "i":
        check_board(int(boards.min()))
    return boards.astype(np.uint64, copy=False)
