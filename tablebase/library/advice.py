"""Advice on which tables to build, given the tables and the resources of this machine."""

import os
from collections.abc import Mapping
from math import inf
from pathlib import Path

import psutil

from engine.platform.files.free_room import free_bytes
from engine.platform.user_folders import UserFolders
from engine.spawn import is_same_spawn4
from tablebase.formation.formation import Formation
from tablebase.formation.goal import goal_of
from tablebase.formation.patterns_file import load_formations
from tablebase.library.catalog import scan
from tablebase.library.table_info import TableInfo
from tablebase.plan.advise import AdviceLimits, CostOf, TableAdvice, advise
from tablebase.plan.player_set import SETS, advise_for_player
from tablebase.plan.purpose import next_table


def limits_here(
    folders: UserFolders,
    disk_bytes: float | None = None,
    seconds: float = inf,
    memory_bytes: float | None = None,
    threads: int | None = None,
) -> AdviceLimits:
    """What is not given is all that there is."""
    return AdviceLimits(
        disk_bytes=disk_bytes or free_bytes(folders.tables.absolute()) or 0,
        memory_bytes=memory_bytes or psutil.virtual_memory().available,
        seconds=seconds,
        threads=threads or os.cpu_count() or 1,
    )


def practice_advice(
    folders: UserFolders, limits: AdviceLimits, formations: Mapping[str, Formation], cost_of: CostOf
) -> list[TableAdvice]:
    """Return the advice; its first table is the one that Home offers as the next."""
    tables = [info for info in _tables_in(folders.tables) if info.state == "complete"]
    built = {(info.pattern, goal_of(info.target)) for info in tables}
    boards = {(info.pattern, info.target): info.boards for info in tables}
    step = next_table(formations, boards, limits.disk_bytes)
    first = (step.pattern, step.target) if step else None
    return advise(limits, formations, built, cost_of, first=first)


def player_advice(
    folders: UserFolders,
    who: str,
    disk_bytes: float | None,
    spawn4: float,
    seconds: float = inf,
    memory_bytes: float | None = None,
    threads: int | None = None,
) -> tuple[AdviceLimits, list[TableAdvice]]:
    """Return the limits, and the tables that make an AI, one of `SETS`, strongest within them.

    `disk_bytes` is for all tables of the set, built or not; None for the free space plus that of
    tables of the set that are built or begun.
    """
    player_set = SETS[who]
    names = {(table.pattern, table.target) for table in player_set}
    there = [
        info
        for info in _tables_in(folders.tables)
        if (info.pattern, info.target) in names and is_same_spawn4(info.spawn4, spawn4)
    ]
    built = {
        (info.pattern, goal_of(info.target).tile): info.bytes
        for info in there
        if info.state == "complete"
    }
    begun = sum(info.bytes for info in there if info.state in ("complete", "partial"))
    disk_bytes = disk_bytes or (free_bytes(folders.tables.absolute()) or 0) + begun
    limits = limits_here(folders, disk_bytes, seconds, memory_bytes, threads)
    formations = load_formations(own=folders.patterns)
    return limits, advise_for_player(limits, formations, built, spawn4, player_set)


def _tables_in(folder: Path) -> list[TableInfo]:
    return scan([folder]) if folder.is_dir() else []
