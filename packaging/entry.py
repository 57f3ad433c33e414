"""Start the frozen program."""

import multiprocessing
import sys

if __name__ == "__main__":
    # A worker process of the frozen program is the program itself, told so by its arguments.
    multiprocessing.freeze_support()
    from console.__main__ import main

    sys.exit(main())
