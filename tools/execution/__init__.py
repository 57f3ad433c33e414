"""Run calls: the deep module behind one class, `Executor`."""

from tools.execution.audit import only_audited
from tools.execution.executor import Executor
from tools.policy.judging import YOU

__all__ = ["YOU", "Executor", "only_audited"]
