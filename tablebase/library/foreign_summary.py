"""Another program's table as an entry of our list of tables: names, sizes and config only."""

from collections.abc import Mapping
from pathlib import Path

from engine.platform.language import tr
from tablebase.errors import FormationError, TableError
from tablebase.foreign.config import TableConfig, load_config
from tablebase.foreign.definition import definitions_of
from tablebase.foreign.find import ForeignTable
from tablebase.foreign.rates import STORED_RATES
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations
from tablebase.library.table_info import TableInfo
from tablebase.store.foreign_files import PROGRAM, ForeignFile

ORIGIN = PROGRAM


def summarize(table: ForeignTable, formations: Mapping[str, Formation] | None = None) -> TableInfo:
    by_name = load_formations() if formations is None else formations
    remarks = [tr("a table of {program}, read as it is", program=ORIGIN)]
    n_layers = max(table.layers) + 1
    is_known = is_cut_off = False
    try:
        definition = definitions_of(table, by_name)[0]
    except FormationError as error:
        remarks.append(str(error))
    else:
        n_layers = definition.n_layers(table.target)
        is_known = max(table.layers) < n_layers
        is_cut_off = is_known and not definition.is_full(table.target)
    try:
        config = load_config(table.config_path)
    except TableError as error:
        config = TableConfig()
        remarks.append(str(error))
    rate = config.rate or "uint32"
    books = [path for path in table.layers.values() if path.suffix == ".book"]
    if len(books) < len(table.layers):
        remarks.append(
            tr(
                "boards of {count} compressed layers not counted",
                count=len(table.layers) - len(books),
            )
        )
    try:
        n_bytes = table.bytes
        stored = sum(path.stat().st_size for path in books) // STORED_RATES[rate].record.itemsize
    except OSError as error:
        n_bytes = stored = 0
        remarks.append(tr("cannot read its files: {reason}", reason=error.strerror))
    needed = set(range(n_layers - 2))  # the last two follow from the rules
    is_whole = needed <= set(table.layers)
    if is_known and not is_whole:
        remarks.append(table.why_missing(min(needed - set(table.layers))))
    return TableInfo(
        path=table.folder if table.folder.name == table.name else table.folder / table.name,
        name=table.name,
        pattern=table.pattern,
        target=table.target,
        state="damaged" if not is_known else "complete" if is_whole else "partial",
        layers_done=n_layers if is_whole else len(table.layers),
        layers=n_layers,
        boards=stored,
        stored=stored,
        bytes=n_bytes,
        spawn4=0.1 if config.spawn4 is None else config.spawn4,
        rate=rate,
        message="; ".join(remarks),
        threshold=config.deletion_threshold,
        optimal_only=config.optimal_branch_only,
        is_cut_off=is_cut_off,
        origin=ORIGIN,
    )


def summarize_unread(folder: Path, file: ForeignFile) -> TableInfo:
    return TableInfo(
        path=folder if folder.name == file.table else folder / file.table,
        name=file.table,
        pattern=file.pattern,
        target=int(file.target) if file.target.isdigit() else 0,
        state="unread",
        spawn4=0.0,
        rate="",
        message=file.why_unread,
        origin=ORIGIN,
    )
