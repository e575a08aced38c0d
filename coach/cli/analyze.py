"""``analyze``: whole games against all tables that cover parts of them."""

import argparse
import logging
import os
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ai.thinking_time import NODES_PER_MS, WHOLE_GAME_MS, nodes_of
from coach.grading.grade import MIN_LISTED_MOVES
from coach.mistakes.to_drill import THRESHOLD
from coach.recordings.game_files import SUFFIXES, find_games
from engine.platform.cli.arguments import directory, file, milliseconds, probability, sample_size
from engine.platform.cli.console import (
    CANCELLED,
    DONE,
    Commands,
    Output,
    add_command,
    folders_of,
    note,
)
from engine.platform.cli.control import CancelSwitch, add_stdin_control, cancellable
from engine.platform.cli.status_line import StatusLine, Ticker, bar
from engine.platform.errors import AppError
from engine.platform.files.atomic_file import check_writable
from engine.platform.language import listed, mark, tr, trn
from engine.platform.quantities import span_text
from engine.spawn import is_same_spawn4
from tablebase.cluster.connection import connected
from tablebase.library.arguments import add_cluster, add_option, check_table_folders
from tablebase.library.named_tables import known_formations, named_folders

if TYPE_CHECKING:
    from coach.analysis.analyze import Progress
    from coach.analysis.data import AnalyzedFile
    from coach.profile.own_games import OwnGames
    from coach.whole_game.analysis import Analyzed
    from coach.whole_game.file_analysis import AnalysisOptions, FileProgress, FileResult
    from coach.whole_game.game_search import Stage
    from engine.platform.user_folders import UserFolders

_PROGRESS_S = 0.2
_logger = logging.getLogger(__name__)


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "analyze",
        run,
        tr("grade recorded games with all tables that cover parts of them"),
        tr(
            "Reads replays of 2048verse (both formats) and 2048next, .rpl, .rec and histories. "
            "Finds the parts of each game that a table covers, grades every move, and separates "
            "luck from skill. With --out, writes a page, a text, JSON and CSV for each game, and "
            "an .rpl for each part."
        ),
    )
    text = mark("a recorded game, or a folder, of which all files {suffixes} are read")
    parser.add_argument(
        "file", metavar=tr("FILE"), nargs="+", type=file, help=tr(text, suffixes=listed(SUFFIXES))
    )
    message = mark(
        "a table's folder, or its name such as 442_128; may be repeated; add folders on other "
        "drives that the table doesn't know about after it, separated by {sign!r} (default: "
        "all finished tables in the data folder)"
    )
    parser.add_argument(
        "--table", metavar=tr("TABLE"), action="append", help=tr(message, sign=os.pathsep)
    )
    text = tr("more folders with tables to use")
    parser.add_argument(
        "--tables", metavar=tr("DIR"), type=directory, nargs="+", default=[], help=text
    )
    text = tr(
        "how often a new tile was a 4: of the tables found, only those built for P are used; "
        "tables you name are always used (default: %(default)s)"
    )
    add_option(parser, "spawn4", text=text)
    text = tr("count parts with fewer judged moves, but don't list them (default: %(default)s)")
    parser.add_argument(
        "--least-moves", type=sample_size, default=MIN_LISTED_MOVES, metavar="N", help=text
    )
    text = tr(
        "cover only positions whose smallest large tile is the target itself, as "
        "2048EndgameTablebase does; otherwise it may be larger"
    )
    parser.add_argument("--strict", action="store_true", help=text)
    _add_search_and_storing(parser)
    add_cluster(parser)
    add_stdin_control(parser)


def _add_search_and_storing(parser: argparse.ArgumentParser) -> None:
    text = tr(
        "judge the whole game: where no table rates a position, search says how likely the "
        "next large tile is. Results are kept, so the same command resumes where it stopped"
    )
    parser.add_argument("--engine", action="store_true", help=text)
    message = mark(
        "with --engine: milliseconds for a move, counted as {nodes:,} positions each, so that "
        "every computer finds the same (default: {ms:g})"
    )
    text = tr(message, nodes=NODES_PER_MS, ms=WHOLE_GAME_MS)
    parser.add_argument("--ms", type=milliseconds(0.1, 10_000), metavar="T", help=text)
    text = tr(
        "these games are your own: their mistakes become drills on the Mistakes page and, with "
        "--engine, their moves count in your profile; each game once, however often it is "
        "analyzed"
    )
    parser.add_argument("--mine", action="store_true", help=text)
    message = mark(
        "with --mine: a move that keeps at least this part of the best move's chance is not a "
        "mistake (default: {usual:g})"
    )
    parser.add_argument(
        "--threshold", type=probability, metavar="P", help=tr(message, usual=THRESHOLD)
    )
    parser.add_argument(
        "--out", type=directory, metavar=tr("DIR"), help=tr("where to write the reports")
    )


def run(args: argparse.Namespace) -> int:
    output, began = Output(args.json), time.process_time()
    _check_options(args)
    with ExitStack() as stack:
        switch = stack.enter_context(cancellable(args.stdin_control))
        from coach.whole_game.file_analysis import FileAnalyzer, open_tables, whole_game_analysis

        files, problems = find_games(args.file)
        options = _options(args)
        opened = open_tables(options, stack, _warn)
        own = None
        if args.mine:
            from coach.old_files.opening import open_for_command
            from coach.profile.own_games import OwnGames

            folders, threshold = folders_of(args), args.threshold or THRESHOLD
            own = OwnGames.opened(open_for_command(folders.data), folders, threshold, stack)
        games = frozenset(map(os.path.realpath, files))
        work = _Run(args, output, switch, len(files) + len(problems), games, own)
        for path, problem in problems:
            work.fail(path, problem)
        if args.cluster:
            # Other machines, which work in other folders, need every table that can be used here.
            tables = tuple(tuple(path.absolute() for path in folders) for folders, _ in opened)
            elsewhere = replace(options, tables=tables, are_named=True)
            work.analyze_over(args.cluster, files, elsewhere)
        else:
            whole_game = whole_game_analysis(options, stack) if args.engine else None
            analyzer = FileAnalyzer(options, [table for _, table in opened], whole_game)
            for path in files:
                if switch.is_cancelled():
                    break
                progress = work.progress_of(path)
                work.report(path, analyzer.analyze(path, progress, switch.is_cancelled))
    return _finish(work, time.process_time() - began + work.other_cpu_s)


def _finish(work: "_Run", cpu_s: float) -> int:
    """Report on all files; fail if none could be analyzed."""
    from coach.analysis.events import AnalysisDone

    output, switch = work.output, work.switch
    output.emit(
        AnalysisDone(
            files=work.n_done,
            failed=len(work.failures),
            covered=work.n_covered,
            cancelled=switch.is_cancelled(),
            cpu_s=round(cpu_s, 3),
        )
    )
    if switch.is_cancelled():
        note(tr("canceled: what was analyzed is kept"))
        return CANCELLED
    if not work.n_done:
        text = mark("no game could be analyzed: {problem}")
        raise AppError(text, problem=work.failures[0][1])
    for path, problem in work.failures:
        note(tr("warning: {name}: {problem}", name=path.name or path, problem=problem))
    message = trn(
        "{n} game, {covered:,} positions covered, {span} of CPU",
        "{n} games, {covered:,} positions covered, {span} of CPU",
        work.n_done,
        covered=work.n_covered,
        span=span_text(cpu_s),
    )
    output.show(message)
    return DONE


def _check_options(args: argparse.Namespace) -> None:
    if args.ms is not None and not args.engine:
        raise AppError(tr("--ms says how long search looks: add --engine, or leave it out"))
    if args.threshold is not None and not args.mine:
        raise AppError(tr("--threshold says what to drill: add --mine, or leave it out"))
    check_table_folders(args.tables)
    if args.out is not None:
        from coach.analysis.files import make_folder

        make_folder(args.out)
        check_writable(args.out / "report")


def _warn(problem: str) -> None:
    note(tr("warning: {problem}", problem=problem))


def _options(args: argparse.Namespace) -> "AnalysisOptions":
    from coach.whole_game.file_analysis import AnalysisOptions

    folders = folders_of(args)
    if args.table:
        tables = [tuple(named_folders(folders, text)) for text in args.table]
    else:
        tables = [(path,) for path in _found_tables(folders, args.tables, args.spawn4)]
    return AnalysisOptions(
        tables=tuple(tables),
        are_named=bool(args.table),
        folders=folders,
        spawn4=args.spawn4,
        least_moves=args.least_moves,
        is_strict=args.strict,
        nodes=nodes_of(args.ms or WHOLE_GAME_MS) if args.engine else 0,
    )


def _found_tables(folders: "UserFolders", more: Sequence[Path], spawn4: float) -> list[Path]:
    from tablebase.library.catalog import scan

    there = [folder for folder in (folders.tables, *more) if folder.is_dir()]
    return [
        info.path
        for info in scan(there, partial(known_formations, folders))
        if info.state in ("complete", "away") and is_same_spawn4(info.spawn4, spawn4)
    ]


class _StoppedError(AppError):
    """The user canceled."""


@dataclass
class _Run:
    """All files of one command, one after the other."""

    args: argparse.Namespace
    output: Output
    switch: CancelSwitch
    n_files: int
    games: frozenset[str]
    own: "OwnGames | None" = None
    n_done: int = 0
    n_covered: int = 0
    other_cpu_s: float = 0.0
    failures: list[tuple[Path, str]] = field(default_factory=list)
    _stems: set[str] = field(default_factory=set)
    _line: StatusLine = field(default_factory=StatusLine)

    def analyze_over(self, address: str, files: Sequence[Path], options: "AnalysisOptions") -> None:
        from coach.whole_game.file_analysis import analyze_elsewhere

        def check() -> None:
            if self.switch.is_cancelled():
                raise _StoppedError

        absolute = [path.absolute() for path in files]
        with connected(address) as cluster, suppress(_StoppedError):
            results = cluster.map(analyze_elsewhere, absolute, options, check=check)
            for path, result in zip(files, results, strict=True):
                self.other_cpu_s += result.cpu_s
                self.report(path, result)

    def report(self, path: Path, result: "FileResult") -> None:
        from coach.analysis.course import game_lines
        from coach.analysis.text import head_lines, segment_line

        self._line.clear()
        for warning in result.warnings:
            _warn(warning)
        file = result.file
        if file is None:
            self.fail(path, result.problem)
            return
        try:
            written = self._write(path, file)
        except AppError as error:
            self.fail(path, str(error))
            return
        self.n_done += 1
        self.n_covered += file.report.n_covered
        self.output.report(_file_event(path, file, written), *head_lines(file))
        for segment in file.report.segments:
            self.output.show(f"  {segment_line(segment)}")
        self.output.show(*(game_lines(file.game) if file.game else ()))
        if self.own:
            self._keep(path, file, result.game)
        _logger.info("analyzed %s: %d positions covered", path, file.report.n_covered)

    def _keep(self, path: Path, file: "AnalyzedFile", game: "Analyzed | None") -> None:
        assert self.own is not None
        from coach.analysis.events import StoredGame

        try:
            counts = self.own.keep(path, file.report, game)
        except AppError as error:
            note(tr("warning: {name}: {problem}", name=path.name, problem=error))
            self.output.emit(StoredGame(path, str(error)))
            return
        self.output.emit(StoredGame(path, mistakes=counts.n_mistakes, moves=counts.n_moves))
        text = trn(
            "{n:,} mistake to drill, {moves:,} moves in your profile",
            "{n:,} mistakes to drill, {moves:,} moves in your profile",
            counts.n_mistakes,
            moves=counts.n_moves,
        )
        self.output.show(text)

    def fail(self, path: Path, problem: str) -> None:
        from coach.analysis.events import AnalysisFailure

        self.failures.append((path, problem))
        self.output.emit(AnalysisFailure(path, problem))

    def progress_of(self, path: Path) -> "FileProgress":
        from coach.analysis.events import AnalysisProgress
        from coach.whole_game.file_analysis import FileProgress

        looking, searching = Ticker(_PROGRESS_S), Ticker(_PROGRESS_S)

        def show(ticker: Ticker, share: float, **fields: Any) -> None:
            if not self.output.is_json:
                self._line.show("", f"{path.name}  {bar(share)}")
            elif ticker.is_due(str(path), time.monotonic()):
                self.output.emit(AnalysisProgress(file=path, **fields))

        def on_tables(progress: "Progress") -> None:
            done, total, covered = progress.done, progress.total, progress.n_covered
            show(looking, done / total, done=done, total=total, covered=covered)

        def on_search(stage: "Stage") -> None:
            show(searching, stage.share, rough=stage.is_rough, done=stage.done, total=stage.total)

        return FileProgress(on_tables, on_search)

    def _write(self, path: Path, file: "AnalyzedFile") -> dict[str, Any]:
        from coach.analysis.files import is_free, stem_of, write_recordings, write_reports

        if self.args.out is None:
            return {}
        free = partial(is_free, file, self._is_game, self.args.out)
        stem = stem_of(path, self._stems, free)
        self._stems.add(stem.lower())
        written: dict[str, Any] = {
            kind: str(where) for kind, where in write_reports(file, self.args.out, stem).items()
        }
        recordings = write_recordings(file, self.args.out, stem)
        written["rpl"] = [str(where) if where else None for where in recordings]
        return written

    def _is_game(self, path: Path) -> bool:
        """Return whether a file is one of the games; a folder of them may also have our reports."""
        from coach.recordings.recording import open_recording

        if os.path.realpath(path) not in self.games:
            return False
        with suppress(AppError):
            open_recording(path)
            return True
        return False


def _file_event(path: Path, file: "AnalyzedFile", written: dict[str, Any]) -> dict[str, Any]:
    from coach.analysis.data import to_json

    report = to_json(file, with_moves=False)
    recordings = written.pop("rpl", None) or [None] * len(report["segments"])
    for segment, recording in zip(report["segments"], recordings, strict=True):
        segment["rpl"] = recording
    return {"event": "file", **report, "file": str(path), "name": path.name, "reports": written}
