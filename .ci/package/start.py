"""What the frozen program runs first.

Worker processes are this program again, with words of `multiprocessing` instead of a command.
"""

import sys

if any("multiprocessing" in word for word in sys.argv[1:]):
    import multiprocessing

    multiprocessing.freeze_support()

from endgame2048.__main__ import main

sys.exit(main())
