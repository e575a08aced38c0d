"""Recorded games judged by tables and search, file by file, on this machine or another one."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import lru_cache, partial
from pathlib import Path
from weakref import finalize

from coach.analysis.analyze import Analysis, Progress
from coach.analysis.coverage import LargeTiles
from coach.analysis.data import AnalyzedFile
from coach.recordings.game_files import read_game, read_game_file
from coach.recordings.recording import recording_of, written_at
from coach.whole_game.analysis import Analyzed, NotWholeError, WholeGameAnalysis
from coach.whole_game.game_search import Stage
from coach.whole_game.report import of_analyzed
from coach.whole_game.stored_chances import CHANCES_NAME, StoredChances
from engine.bitboard import cells
from engine.platform.errors import AppError
from engine.platform.language import mark
from engine.platform.user_folders import UserFolders
from engine.spawn import Rng
from tablebase.errors import MissingTableError, ProbeError, TableError
from tablebase.library.named_tables import known_formations
from tablebase.library.opening import open_table
from tablebase.probe.probes import Probe
from tablebase.probe.reader import Tablebase
from tablebase.probe.table import Table
from tablebase.store.block_cache import BlockCache


class MemoizedTable:
    """A table with a cache of its answers, for one game.

    Both the analysis of covered segments and that of the whole game query tables. They pass the
    same position in different forms, with large tiles as they are or as F.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self.name, self.target, self.formation = table.name, table.target, table.formation
        self.spawn4, self.rate, self.n_large = table.spawn4, table.rate, table.n_large
        self.is_thinned, self.is_limited = table.is_thinned, table.is_limited
        self._answers: dict[tuple[int, bool], Probe | ProbeError] = {}

    def probe(self, board: int, comes_up: bool = False) -> Probe:
        if not self.formation.walls:  # large tiles as F, if it is clear which tiles those are
            masked = LargeTiles(cells(board)).masked(self.n_large, self.target.least_large)
            board = board if masked is None else masked
        key = board, comes_up
        if key not in self._answers:
            try:
                self._answers[key] = self._table.probe(board, comes_up)
            except ProbeError as error:
                self._answers[key] = error
        answer = self._answers[key]
        if isinstance(answer, ProbeError):
            raise answer
        return answer

    def start_board(self, rng: Rng) -> int:
        return self._table.start_board(rng)

    def close(self) -> None:
        self._table.close()


_CACHE_BYTES = 512 << 20  # bytes of unpacked blocks, for all tables together


@dataclass(frozen=True)
class AnalysisOptions:
    """The options of an analysis, in a form that can be sent to another machine.

    Copies are equal, so that a machine opens the tables once for all its files.
    """

    tables: tuple[tuple[Path, ...], ...]  # the folders of each table
    are_named: bool  # whether the user named these tables: then an unusable one is an error
    # Where tables were searched, search results are kept, and the user's formations are.
    folders: UserFolders
    spawn4: float
    least_moves: int
    is_strict: bool
    nodes: int  # search nodes per move; 0 to judge without search


def open_tables(
    options: AnalysisOptions, stack: ExitStack, warn: Callable[[str], object] = lambda _: None
) -> list[tuple[tuple[Path, ...], Tablebase]]:
    """Return the folders of each table to query, and the table, open until `stack` closes.

    Raises MissingTableError if no table can be used and search is not to judge, and TableError if
    one that the user named can't be opened.
    """
    tables: list[tuple[tuple[Path, ...], Tablebase]] = []
    cache = BlockCache(_CACHE_BYTES)
    for where in options.tables:
        try:
            table = open_table(where, partial(known_formations, options.folders))
        except TableError as error:
            if options.are_named:
                raise
            warn(str(error))
            continue
        stack.callback(table.close)
        if table.warning:
            warn(table.warning)
        table.keep_layers(cache)
        tables.append((where, table))
    if not tables and not options.nodes:
        text = mark(
            "no table to analyze with in {folder}: build one, name one with --table, or "
            "let search judge the game with --engine"
        )
        raise MissingTableError(text, folder=options.folders.tables)
    return tables


def whole_game_analysis(options: AnalysisOptions, stack: ExitStack) -> WholeGameAnalysis:
    """Return the analysis of whole games; its database is open until `stack` closes.

    Raises PlayError if the search's model is for another probability of fours.
    """
    from ai.chances.chance_search import ChanceSearch  # loads the compiler

    search = ChanceSearch(options.spawn4)
    stored = StoredChances(options.folders.data / CHANCES_NAME)
    stack.callback(stored.close)
    return WholeGameAnalysis(search.look, options.nodes, stored, lambda: datetime.now(timezone.utc))


@dataclass(frozen=True)
class FileResult:
    """The result for one file, or why there is none."""

    file: AnalyzedFile | None = None
    game: Analyzed | None = None  # the whole game, if search judged it
    warnings: tuple[str, ...] = ()
    problem: str = ""  # why there is no `file`
    cpu_s: float = 0.0  # CPU seconds used, if another process did the work


@dataclass(frozen=True)
class FileProgress:
    """The receivers of a file's progress, from the tables and from search."""

    on_tables: Callable[[Progress], object] = lambda _: None
    on_search: Callable[[Stage], None] = lambda _: None


@dataclass
class FileAnalyzer:
    """Analyzes files one by one; an error ends only that file."""

    options: AnalysisOptions
    tables: list[Tablebase]
    whole_game: WholeGameAnalysis | None

    def analyze(
        self, path: Path, progress: FileProgress, is_cancelled: Callable[[], bool]
    ) -> FileResult:
        warnings = list[str]()
        tables = [MemoizedTable(table) for table in self.tables]
        game = None
        try:
            file = self._by_tables(path, tables, progress, is_cancelled)
            if self.whole_game and not is_cancelled():
                replay, written = file.report.replay, written_at(path)
                game = self.whole_game.run(
                    recording_of(replay, path.name, path=path, played_at=written),
                    tables,
                    progress.on_search,
                    is_cancelled,
                    broken=lambda error: warnings.append(str(error)),
                )
                file = replace(file, game=of_analyzed(game))
        except NotWholeError as error:  # the tables' results still count
            problem = str(error)
            warnings.append(problem if path.name in problem else f"{path.name}: {problem}")
        except AppError as error:
            return FileResult(problem=str(error), warnings=tuple(warnings))
        return FileResult(file, game, tuple(warnings))

    def _by_tables(
        self,
        path: Path,
        tables: Sequence[MemoizedTable],
        progress: FileProgress,
        is_cancelled: Callable[[], bool],
    ) -> AnalyzedFile:
        recorded_as, replay = read_game(read_game_file(path), path.name)
        analysis = Analysis(replay, tables, self.options.least_moves, self.options.is_strict)
        for step in analysis.run():
            if is_cancelled():
                break
            progress.on_tables(step)
        return AnalyzedFile(path.name, recorded_as, analysis.report)


def analyze_elsewhere(path: Path, options: AnalysisOptions) -> FileResult:
    began = time.process_time()
    result = _analyzer(options).analyze(path, FileProgress(), lambda: False)
    return replace(result, cpu_s=time.process_time() - began)


@lru_cache(maxsize=1)
def _analyzer(options: AnalysisOptions) -> FileAnalyzer:
    stack = ExitStack()
    try:
        tables = [table for _, table in open_tables(options, stack)]
    except TableError as error:
        text = mark(
            "a machine of the cluster can't use a table ({problem}): all machines need the "
            "same tables in the same folders"
        )
        raise TableError(text, problem=error) from error
    whole_game = whole_game_analysis(options, stack) if options.nodes else None
    analyzer = FileAnalyzer(options, tables, whole_game)
    finalize(analyzer, stack.close)
    return analyzer
