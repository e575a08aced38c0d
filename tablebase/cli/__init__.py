"""The sub-commands of this package: build, probe, verify, convert and others.

One file each. They import what they need when they run, so that ``--help`` needs neither numba nor
anything else that takes long; `console` is what all share, `text` how numbers are written.
"""

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
from tablebase.cli.console import Commands

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
    """Add the sub-commands of this package to the parser's `commands`."""
    for module in _MODULES:
        module.add_to(commands)
