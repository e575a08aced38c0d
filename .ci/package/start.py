"""The first code that the frozen program runs.

Worker processes are the same program, with arguments of `multiprocessing` instead of a command.
"""

import sys

if any("multiprocessing" in word for word in sys.argv[1:]):
    import multiprocessing

    multiprocessing.freeze_support()

from endgame2048.__main__ import main

sys.exit(main())
