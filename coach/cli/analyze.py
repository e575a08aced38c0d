"""``analyze``: whole games against all tables that cover parts of them."""

import argparse
import logging
import os
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coach.recordings.game_files import SUFFIXES, find_games, is_test, read_game_file
from coach.whole_game.game_search import NODES_PER_MS
from engine.errors import AppError
from engine.language import listed, mark, tr, trn
from engine.wording import span_text
from tablebase.cli.console import CANCELLED, DONE, Commands, Output, add_command, folders_of, note
from tablebase.cli.control import CancelSwitch, add_stdin_control, cancellable
from tablebase.cli.options import directory, milliseconds, probability, sample_size
from tablebase.cli.progress import StatusLine, Ticker, bar
from tablebase.errors import MissingTableError, TableError

if TYPE_CHECKING:
    from coach.analysis.data import AnalyzedFile
    from coach.whole_game.analysis import Analyzed, WholeGameAnalysis
    from coach.whole_game.game_search import Stage
    from tablebase.probe.reader import Tablebase

LEAST_MOVES = 5
_USUAL_MS = 3.0
_CACHE_BYTES = 512 << 20  # of unpacked blocks, for all tables together
_SAME_SPAWN4 = 1e-9
_PROGRESS_S = 0.2
_logger = logging.getLogger(__name__)


def add_to(commands: Commands) -> None:
    """Add ``analyze`` to the commands."""
    parser = add_command(
        commands,
        "analyze",
        run,
        tr("grade recorded games by all tables that cover parts of them"),
        tr(
            "Reads replays of 2048verse (both formats) and 2048next, .rpl, .rec and histories. "
            "Finds the parts of each game that a table covers, grades every move, and tells luck "
            "from skill. With --out writes a page, a text, JSON and CSV for each game, and an .rpl "
            "for each part."
        ),
    )
    parser.add_argument(
        "file",
        metavar=tr("FILE"),
        nargs="+",
        type=Path,
        help=tr(
            "a recorded game, or a folder, of which all files {suffixes} are read",
            suffixes=listed(SUFFIXES),
        ),
    )
    parser.add_argument(
        "--table",
        metavar=tr("TABLE"),
        action="append",
        help=tr(
            "a table's folder, or its name such as 442_128; may be given again; folders on other "
            "drives that the table does not know of are joined to it by {sign!r} (default: all "
            "finished tables in the data folder)",
            sign=os.pathsep,
        ),
    )
    parser.add_argument(
        "--tables",
        metavar=tr("DIR"),
        type=directory,
        nargs="+",
        default=[],
        help=tr("other folders whose tables are to be used as well"),
    )
    parser.add_argument(
        "--spawn4",
        type=probability,
        default=0.1,
        metavar="P",
        help=tr(
            "how often a new tile was a 4: of the tables found those for P are used; tables that "
            "are named are used as they are (default: %(default)s)"
        ),
    )
    parser.add_argument(
        "--least-moves",
        type=sample_size,
        default=LEAST_MOVES,
        metavar="N",
        help=tr("parts with fewer judged moves are counted, not told (default: %(default)s)"),
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help=tr(
            "only where the smallest large tile is the target itself, as 2048EndgameTablebase "
            "has it; otherwise it may be larger"
        ),
    )
    parser.add_argument(
        "--engine",
        action="store_true",
        help=tr(
            "judge the whole game: where no table rates a position, search says how likely the "
            "next large tile is. What is found is kept, so the same command goes on where it was "
            "stopped"
        ),
    )
    parser.add_argument(
        "--ms",
        type=milliseconds(0.1, 10_000),
        default=_USUAL_MS,
        metavar="T",
        help=tr(
            "with --engine: milliseconds for a move, counted as {nodes:,} positions each, so that "
            "every computer finds the same (default: %(default)g)",
            nodes=NODES_PER_MS,
        ),
    )
    parser.add_argument(
        "--out", type=directory, metavar=tr("DIR"), help=tr("where to write the reports")
    )
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    """Analyze every file; a mistake when none could be analyzed."""
    output, began = Output(args.json), time.process_time()
    with ExitStack() as stack:
        switch = stack.enter_context(cancellable(args.stdin_control))
        files, problems = find_games(args.file)
        tables = _open_tables(args, stack)
        whole = _whole_game_analysis(args, stack) if args.engine else None
        work = _Run(args, output, switch, tables, len(files) + len(problems), whole)
        for path, problem in problems:
            work.fail(path, problem)
        for path in files:
            if switch.is_cancelled():
                break
            work.analyze(path)
    cpu_s = time.process_time() - began
    output.emit(
        {
            "event": "done",
            "files": work.n_done,
            "failed": len(work.failures),
            "covered": work.n_covered,
            "cancelled": switch.is_cancelled(),
            "cpu_s": round(cpu_s, 3),
        }
    )
    if switch.is_cancelled():
        note(tr("canceled: what was analyzed is kept"))
        return CANCELLED
    if not work.n_done:
        text = mark("no game could be analyzed: {problem}")
        raise AppError(tr(text, problem=work.failures[0][1]))
    for path, problem in work.failures:
        note(tr("warning: {name}: {problem}", name=path.name or path, problem=problem))
    output.say(
        trn(
            "{n} game, {covered:,} positions covered, {span} of CPU",
            "{n} games, {covered:,} positions covered, {span} of CPU",
            work.n_done,
            covered=work.n_covered,
            span=span_text(cpu_s),
        )
    )
    return DONE


def _open_tables(args: argparse.Namespace, stack: ExitStack) -> "list[Tablebase]":
    """Return the tables to ask, open until `stack` closes."""
    from tablebase.library.opening import open_table
    from tablebase.store.block_cache import BlockCache

    folders = folders_of(args)
    if args.table:
        wanted = [folders.find_folders(text) for text in args.table]
    else:
        wanted = [[path] for path in _found_tables([folders.tables, *args.tables], args.spawn4)]
    tables, cache = [], BlockCache(_CACHE_BYTES)
    for where in wanted:
        try:
            table = open_table(where)
        except TableError as error:
            if args.table:
                raise
            note(tr("warning: {problem}", problem=error))
            continue
        stack.callback(table.close)
        if table.warning:
            note(tr("warning: {problem}", problem=table.warning))
        table.keep_layers(cache)
        tables.append(table)
    if not tables and not args.engine:
        raise MissingTableError(
            tr(
                "no table to analyze with in {folder}: build one, name one with --table, or "
                "let search judge the game with --engine",
                folder=folders.tables,
            )
        )
    return tables


def _whole_game_analysis(args: argparse.Namespace, stack: ExitStack) -> "WholeGameAnalysis":
    """Return what analyzes whole games; its database is open until `stack` closes."""
    from ai.chances.chance_search import ChanceSearch
    from coach.whole_game.analysis import WholeGameAnalysis
    from coach.whole_game.kept_chances import CHANCES_NAME, KeptChances

    kept = KeptChances(folders_of(args).data / CHANCES_NAME)
    stack.callback(kept.close)
    nodes = max(1, round(args.ms * NODES_PER_MS))
    return WholeGameAnalysis(
        ChanceSearch(args.spawn4).look, nodes, kept, lambda: datetime.now(timezone.utc)
    )


def _found_tables(folders: Sequence[Path], spawn4: float) -> list[Path]:
    from tablebase.library.catalog import scan

    there = [folder for folder in folders if folder.is_dir()]
    return [
        info.path
        for info in scan(there)
        if info.state in ("complete", "away") and abs(info.spawn4 - spawn4) < _SAME_SPAWN4
    ]


@dataclass
class _Run:
    """All files of one command, one after the other."""

    args: argparse.Namespace
    output: Output
    switch: CancelSwitch
    tables: "list[Tablebase]"
    n_files: int
    whole: "WholeGameAnalysis | None" = None
    n_done: int = 0
    n_covered: int = 0
    failures: list[tuple[Path, str]] = field(default_factory=list)
    _stems: set[str] = field(default_factory=set)
    _line: StatusLine = field(default_factory=StatusLine)

    def analyze(self, path: Path) -> None:
        """Analyze one file and tell what was found; an error ends this file alone."""
        from coach.analysis.text import head_lines, segment_line
        from coach.whole_game.report import to_json as game_to_json
        from coach.whole_game.report import whole_game
        from coach.whole_game.text import cancelled_line, lines

        try:
            file = self._analyzed(path)
            game = self._whole_game(path, file)
            told = whole_game(game.recording) if game else None
            written = self._write(path, file)
        except AppError as error:
            self.fail(path, str(error))
            return
        finally:
            self._line.clear()
        self.n_done += 1
        self.n_covered += file.report.n_covered
        event = _file_event(path, file, written)
        if game and told:
            event["game"] = {
                **game_to_json(told),
                "complete": game.is_done,
                "searched": game.n_searched,
            }
        self.output.emit(event)
        for line in head_lines(file):
            self.output.say(line)
        for one in file.report.segments:
            self.output.say(f"  {segment_line(one)}")
        if game and not game.is_done:
            self.output.say(cancelled_line(game.n_searched, game.n_to_search))
        for line in lines(told) if told else ():
            self.output.say(line)
        _logger.info("analyzed %s: %d positions covered", path, file.report.n_covered)

    def fail(self, path: Path, problem: str) -> None:
        """Take note that a file could not be analyzed."""
        self.failures.append((path, problem))
        self.output.emit({"event": "error", "file": str(path), "message": problem})

    def _analyzed(self, path: Path) -> "AnalyzedFile":
        from coach.analysis.analyze import Analysis
        from coach.analysis.data import AnalyzedFile
        from engine.formats.reading import read_replay

        data = read_game_file(path)
        if is_test(data):
            # Its large tiles are all F: which tables cover a position depends on their values, so
            # only the table it was taken on can speak about it, and that has.
            raise AppError(
                tr(
                    "{name} is a test: its large tiles have no values that another table could "
                    "go by, and its own table has judged every move. Review shows it",
                    name=path.name,
                )
            )
        recorded_as, replay = read_replay(data)
        args, ticker = self.args, Ticker(_PROGRESS_S)
        analysis = Analysis(replay, self.tables, args.least_moves, args.strict)
        for progress in analysis.run():
            if self.switch.is_cancelled():
                break
            done, total = progress.done, progress.total
            if not self.output.is_json:
                self._line.show("", f"{path.name}  {bar(done / total)}")
            elif ticker.is_due(str(path), time.monotonic()):
                event = {"event": "progress", "file": str(path), "done": done, "total": total}
                self.output.emit(event | {"covered": progress.n_covered})
        return AnalyzedFile(path.name, recorded_as, analysis.report)

    def _whole_game(self, path: Path, file: "AnalyzedFile") -> "Analyzed | None":
        """Have tables and search judge the whole game; None where nobody asked for that."""
        if self.whole is None or self.switch.is_cancelled():
            return None
        from coach.recordings.recording import recording_of
        from coach.whole_game.analysis import NotWholeError

        ticker = Ticker(_PROGRESS_S)

        def told(stage: "Stage") -> None:
            if not self.output.is_json:
                self._line.show("", f"{path.name}  {bar(stage.share)}")
            elif ticker.is_due(str(path), time.monotonic()):
                event = {"event": "progress", "file": str(path), "rough": stage.is_rough}
                self.output.emit(event | {"done": stage.done, "total": stage.total})

        recording = recording_of(file.report.replay, path.name, path=path)
        try:
            return self.whole.run(
                recording,
                self.tables,
                told,
                self.switch.is_cancelled,
                broken=lambda error: note(tr("warning: {problem}", problem=error)),
            )
        except NotWholeError as error:  # what tables say of it stands
            note(tr("warning: {problem}", problem=error))
            return None

    def _write(self, path: Path, file: "AnalyzedFile") -> dict[str, Any]:
        """Write the reports where they are wanted; return their paths by kind."""
        from coach.analysis.files import stem_of, write_recordings, write_reports

        if self.args.out is None:
            return {}
        stem = stem_of(path, self._stems)
        self._stems.add(stem.lower())
        written: dict[str, Any] = {
            kind: str(where) for kind, where in write_reports(file, self.args.out, stem).items()
        }
        recordings = write_recordings(file, self.args.out, stem)
        written["rpl"] = [str(where) if where else None for where in recordings]
        return written


def _file_event(path: Path, file: "AnalyzedFile", written: dict[str, Any]) -> dict[str, Any]:
    from coach.analysis.data import to_json

    found = to_json(file, with_moves=False)
    recordings = written.pop("rpl", None) or [None] * len(found["segments"])
    for segment, recording in zip(found["segments"], recordings, strict=True):
        segment["rpl"] = recording
    return {"event": "file", **found, "file": str(path), "name": path.name, "reports": written}
