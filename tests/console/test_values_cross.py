"""Only values cross between engine and window: each kind, whatever it holds, is written and read back as it was.

They are written by pickle, not as JSON: attachments are bytes, and a result that is none is `MISSING`. The declared
types show that pickle takes nothing but values: what is no value has no strategy here.
"""

from __future__ import annotations

import pickle
from collections import abc
from collections.abc import Iterator, Mapping
from datetime import UTC
from enum import Enum
from pathlib import Path
from types import FunctionType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from console.approval.approval_queue import ApprovalQueue
from console.batch.rows import RunUpdate, SavedRun, StepInspection
from console.batch.run_estimate import Known
from console.batch.runs import BatchRuns
from console.call_events import WindowEvent
from console.check.ports import CheckPort
from console.tool_list import ToolList
from console.tool_page.ports import CallPort, GuardPort
from tools import resolve_tools, tool
from tools.batch import BatchPlan, Step, StepState
from tools.calls import CallRecord, ReviewDecision, ReviewRequest
from tools.card import ToolCard
from tools.check import CheckOptions, CheckProgress, CheckReport, CheckSkip
from tools.spec import MISSING, Concern, DryRun, RiskClass, RiskDegree


@tool(read_only=True, keywords=("sums",))
def add(left: int, right: int = 2) -> int:
    """Add numbers."""
    return left + right


_NAMES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(Mapping, abc.Sequence, Path, BatchPlan, Known, SavedRun, StepInspection, StepState),
        *(CallRecord, ToolCard, Concern, DryRun, RiskClass, RiskDegree),
        *(CheckOptions, CheckProgress, CheckReport, CheckSkip),
    )
} | {"JsonValue": JsonValue, "LimitKey": tuple[str, str]}
"""What modules import for their annotations alone."""

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(), parts, max_size=3),
    max_leaves=5,
)
_PLAIN = {
    type(None): st.none(),
    bool: st.booleans(),
    int: st.integers(),
    float: st.floats(allow_nan=False),
    str: st.text(max_size=20),
    bytes: st.binary(max_size=20),
    Any: _JSON | st.just(MISSING),
    JsonValue: _JSON,
    ToolCard: st.sampled_from([found.card for found in resolve_tools([add])]),
    Path: st.just(Path("/plans/of/mine.yaml")),
    BatchPlan: st.just(BatchPlan(steps=(Step(id="sum", tool="add", arguments={"left": 1}),))),
}


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Return all that a field of this type may hold; a type that is no value has none."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, args = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        return st.one_of(*map(values_of, args))
    if (origin is tuple and args[1:] == (...,)) or origin in {list, abc.Sequence, abc.Collection}:
        return st.lists(values_of(args[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values_of, args))
    if origin in {dict, abc.Mapping}:
        return st.dictionaries(values_of(args[0]), values_of(args[1]), max_size=2)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    if hint.__module__ == "datetime":
        return st.datetimes(timezones=st.just(UTC))
    if issubclass(hint, tuple) and hasattr(hint, "_fields"):
        fields = get_type_hints(hint, localns=_NAMES)
        return st.builds(hint, **{name: values_of(kind) for name, kind in fields.items()})
    msg = f"{hint!r} is no value that can cross"
    raise TypeError(msg)


def answers_of(port: type) -> Iterator[Any]:
    """Yield what the requests of a port are answered with."""
    for name, request in vars(port).items():
        if not name.startswith("_") and isinstance(request, FunctionType):
            yield get_type_hints(request, localns=_NAMES)["return"]


KINDS = (
    *get_args(WindowEvent),
    *answers_of(CallPort),
    *answers_of(GuardPort),
    *answers_of(CheckPort),
    CheckProgress,
    *answers_of(BatchRuns),
    RunUpdate,
    ReviewRequest,
    *get_args(ReviewDecision),
)


@pytest.mark.parametrize("kind", KINDS, ids=str)
@settings(max_examples=20, suppress_health_check=list(HealthCheck), deadline=None)
@given(data=st.data())
def test_a_value_is_read_back_as_it_was_written(kind: Any, data: st.DataObject) -> None:
    value = data.draw(values_of(kind))

    assert pickle.loads(pickle.dumps(value)) == value


def test_what_runs_is_no_value() -> None:
    for live in (abc.Callable, ApprovalQueue, ToolList):
        with pytest.raises(TypeError, match="is no value"):
            values_of(live)
