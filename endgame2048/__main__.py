"""Start the program: ``endgame2048``, ``python -m endgame2048``, or this file by its path."""

import sys
from pathlib import Path


def main() -> int:
    """Run one command, or open the window when none is named; return the exit status."""
    from engine.platform.first_interrupts import end_at_once

    end_at_once()
    from engine.platform.interrupts import end_while_loading

    end_while_loading()
    from main import main as run

    return run()


def _import_from_outside() -> None:
    """Have imports find the package, not its parts, which Python puts first for a file's path.

    Other programs' packages of the names of our parts would be hidden otherwise.
    """
    here = Path(__file__).resolve().parent
    if not __package__ and Path(sys.path[0]).resolve() == here:
        del sys.path[0]
        if str(here.parent) not in sys.path:
            sys.path.insert(0, str(here.parent))


if __name__ == "__main__":
    _import_from_outside()
    sys.exit(main())
