"""The sub-commands of this package: build, probe, verify, convert and others.

Each has its own file. They import their dependencies when they run, so that ``--help`` needs
neither numba nor anything else that is slow; `console` is the part they share, `text` formats
results.
"""

from engine.platform.cli.console import Commands
from tablebase.cli import (
    advise,
    build,
    convert,
    demo,
    estimate,
    import_,
    info,
    patterns,
    probe,
    relocate,
    tables,
    verify,
)

_MODULES = (
    demo,
    build,
    probe,
    verify,
    convert,
    relocate,
    import_,
    tables,
    estimate,
    info,
    advise,
    patterns,
)


def add_commands(commands: Commands) -> None:
    for module in _MODULES:
        module.add_to(commands)
