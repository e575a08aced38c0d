"""More to be spoiled: the reference program's table, a stopped import, a split table, settings."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

from tablebase.maintain.relocate import RelocatePlan, relocate

from .campaign import Campaign
from .readers import REFERENCE_READERS, SPLIT_READERS, Specimen, read_settings, resume_import
from .subjects import small_import
from .wound import Wound

_SETTINGS = {
    "theme": "dark",
    "animation_ms": 120,
    "table_folders": ["/tables", "/more"],
    "build.target": 256,
    "practice.speed": 2,
}


def more_specimens(campaign: Campaign, complete: Specimen) -> list[Specimen]:
    """Return specimens beside those that builds leave; `complete` is the small table."""
    top = complete.folder.parents[2]
    found = [_split(complete, top), _settings(complete, top)]
    for reference in campaign.references:
        found += [_reference(complete, reference, top), _stopped_import(campaign, top, complete)]
    return found


def _reference(complete: Specimen, source: Path, top: Path) -> Specimen:
    folder = top / "reference"
    shutil.copytree(source, folder)
    like = replace(complete, name="reference", folder=folder, readers=REFERENCE_READERS)
    return replace(like, has_checksums=False)


def _stopped_import(campaign: Campaign, top: Path, complete: Specimen) -> Specimen:
    """Return an import that was killed half way, beside its source (see readers)."""
    subject, room = small_import(top / "reference"), top / "stopped"
    (room / "tables").mkdir(parents=True)
    subject.start(room, Wound(at=60)).wait()
    folder = top / "stopped-import"
    shutil.copytree(next((room / "tables").iterdir()), folder)
    right = campaign.undisturbed(subject).result
    result = {path.partition("/")[2]: data for path, data in right.items()}
    like = replace(complete, name="import", folder=folder, readers=(resume_import,))
    return replace(like, result=result)


def _split(complete: Specimen, top: Path) -> Specimen:
    """Return a table half of which lies in another folder."""
    folder = top / "split"
    shutil.copytree(complete.folder, folder / "home")

    def prepare(copy: Path) -> None:
        (copy / "away").mkdir()
        relocate(RelocatePlan([copy / "home"], copy / "away", range(4, 9)))

    like = replace(complete, name="split", folder=folder, readers=SPLIT_READERS)
    return replace(like, prepare=prepare)


def _settings(complete: Specimen, top: Path) -> Specimen:
    folder = top / "settings"
    folder.mkdir()
    text = json.dumps({"version": 1, "values": _SETTINGS}, indent=2)
    (folder / "settings.json").write_text(text)
    like = replace(complete, name="settings", folder=folder, readers=(read_settings,))
    return replace(like, has_checksums=False)
