"""Worker processes: where tools run that may hang, crash or eat memory without harming anything else.

Messages are frames over a socket pair: JSON and bytes, nothing is unpickled. Every method of `ToolContext` must work
in a worker as well: `tests/tools/test_execution_isolation.py` runs the same tools inline, in a thread and in a
process.
"""

from tools.execution.workers.launch import WorkerLimits
from tools.execution.workers.pool import WorkerPool

__all__ = ["WorkerLimits", "WorkerPool"]
