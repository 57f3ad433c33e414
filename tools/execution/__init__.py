"""Run calls: the deep module behind one class, `Executor`."""

from tools.execution.executor import YOU, Executor

__all__ = ["YOU", "Executor"]
