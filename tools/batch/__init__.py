"""Run many tools over many inputs, in the right order, and lose or repeat nothing that is finished.

A plan is a value (`BatchPlan`). `BatchRun` is the scheduler: its workers, as many as calls may run at a time, take one
step after the other from the `Schedule`, which is pure bookkeeping; `CallRunner` makes the calls, `FanOut` hands out
rows. The begin and the end of a call are lines of the `Journal` before they count, and so is each request of a person
(`skip`, `retry` …); `PastRun.replay` brings a schedule to the state of a journal.
`tests/tools/batch/test_properties.py` checks random plans, requests and cut journals against slow models: a new
request is added there first.
"""

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
