"""Run many tools over many inputs, in the right order, and lose or repeat nothing that is finished."""

from tools.batch.executor import BatchExecutor
from tools.batch.graph import ToolDependencyGraph
from tools.batch.listener import BatchListener
from tools.batch.plan import Approve, BatchParameter, BatchPlan, Limits, OnFailure, Rows, Step, plan_schema
from tools.batch.result import BatchResult, RowCounts, StepResult, StepState
from tools.batch.run import BatchRun

__all__ = [
    "Approve",
    "BatchExecutor",
    "BatchListener",
    "BatchParameter",
    "BatchPlan",
    "BatchResult",
    "BatchRun",
    "Limits",
    "OnFailure",
    "RowCounts",
    "Rows",
    "Step",
    "StepResult",
    "StepState",
    "ToolDependencyGraph",
    "plan_schema",
]
