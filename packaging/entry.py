"""Start the frozen program."""

import multiprocessing
import os
import sys


def leave_libraries() -> None:
    """Let programs that are started from here find the libraries of the system, not those of the built program.

    Its own are found all the same: the system looked at the variable when the program began.
    """
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before


if __name__ == "__main__":
    if sys.platform == "linux":
        leave_libraries()
    # What it starts of itself, such as worker processes, finds its libraries anew.
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    # A worker process of the frozen program is the program itself, told so by its arguments.
    multiprocessing.freeze_support()
    from console.__main__ import main

    sys.exit(main())
