"""Worker processes: where tools run that may hang, crash or eat memory without harming anything else."""

from tools.execution.workers.launch import WorkerLimits
from tools.execution.workers.pool import WorkerPool

__all__ = ["WorkerLimits", "WorkerPool"]
