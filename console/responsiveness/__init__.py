"""Work-arounds for what Python's interpreter does to a window that shares it with busy threads.

Tools, the history, the audit log and the engine's loop run in threads beside the window. Four properties of CPython
(seen with 3.11 to 3.13) would make the window stutter or end it, and each has one remedy:

- **The garbage collector runs in whichever thread allocates.** In a tool's thread it destroyed widgets of a closed
  page, and the program crashed. `garbage_collector.py` collects from a timer of the window, and nowhere else.
- **All threads get equal shares of the interpreter.** Beside four busy ones the window gets a fifth of the time.
  `heartbeat.py` beats in the window's thread; background work asks between two pieces (`yield_to_ui`, `yielding`)
  whether a beat is overdue, and waits then. Code that works for more than a millisecond beside the window does so.
- **A thread keeps the interpreter for 5 ms before another one gets it.** `SWITCH_INTERVAL_S` is a tenth of that: a tool
  that burns a core costs the window half a millisecond a turn.
- **Qt calls all timers that are due one after the other, in Python, before it paints.** `ui_throttle.py` lets what
  takes long have the window one after the other, with a breath between.

`plain_import.py` takes out of the way what PySide does at each import statement, and `heap.py` lets go of memory that
glibc would keep. Two more stand where they act:
`console/lazy_page.py` imports whatever makes classes of Qt's on the window's thread only, and
`console/call_storage.py` has threads of Python's own, since Qt's leave a trace in Python for ever when they start
others.
"""

from typing import Final

SWITCH_INTERVAL_S: Final = 0.0005
"""How long a tool that burns a core keeps the interpreter before the window gets its turn."""
