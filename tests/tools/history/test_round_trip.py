"""What is read is what was written, whatever a record holds."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.calls import (
    Attempt,
    CacheUse,
    CallError,
    CallRecord,
    CallStatus,
    Decision,
    ErrorKind,
    LogEntry,
    StepKind,
    StepNote,
    StepOutcome,
    ToolRef,
    TraceStep,
)
from tools.errors import ArgumentProblem
from tools.history.encoding import CallRow, list_row, record_of_row, row_of, unreadable
from tools.history.words import words_of
from tools.spec import MISSING, Concern, Isolation
from tools.vault import Vault

TEXT = st.text(max_size=30)
# Arguments and results may hold file names with bytes that are no text.
NAMES = st.text(st.characters(codec=None), max_size=10)
SECONDS = st.floats(min_value=0, allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(min_value=-(2**200), max_value=2**200)
    | st.floats(allow_nan=False)
    | TEXT
    | NAMES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=10,
)
OBJECTS = st.dictionaries(NAMES, JSON, max_size=4)
MOMENTS = st.datetimes(timezones=st.just(UTC), min_value=datetime(1970, 1, 2), max_value=datetime(9999, 1, 1))  # noqa: DTZ001 -- hypothesis adds the zone
PROBLEMS = st.builds(ArgumentProblem, TEXT, TEXT, TEXT, TEXT)
ERRORS = st.builds(
    CallError,
    st.sampled_from(ErrorKind),
    TEXT,
    TEXT,
    TEXT,
    st.lists(PROBLEMS, max_size=2).map(tuple),
    TEXT,
)
OUTCOMES = st.sampled_from(StepOutcome)
RECORDS = st.builds(
    CallRecord,
    id=st.integers(1).map(str),
    tool=st.builds(
        ToolRef,
        TEXT,
        TEXT,
        TEXT,
        TEXT,
        known=st.booleans(),
        sensitive=st.just(value=False),
        encrypted=st.just(value=False),
    ),
    caller=TEXT,
    proposed_s=st.floats(0, 4e9),
    status=st.sampled_from(CallStatus),
    arguments=st.none() | OBJECTS,
    edited_arguments=st.none() | OBJECTS,
    retry_of=TEXT,
    is_probe=st.booleans(),
    decisions=st.lists(
        st.builds(
            Decision,
            TEXT,
            TEXT,
            st.lists(st.builds(Concern, TEXT, TEXT, TEXT), max_size=2).map(tuple),
            st.none() | OBJECTS,
            MOMENTS,
            st.none() | MOMENTS,
            revised=st.none() | TEXT | OBJECTS,
            timed_out=st.booleans(),
            why=TEXT,
            stopped_run=st.booleans(),
        ),
        max_size=2,
    ).map(tuple),
    elapsed_s=SECONDS,
    review_s=SECONDS,
    attempts=st.lists(
        st.builds(Attempt, st.integers(1, 9), SECONDS, SECONDS, st.none() | OUTCOMES, st.none() | ERRORS), max_size=3
    ).map(tuple),
    steps=st.lists(
        st.builds(
            TraceStep,
            st.sampled_from(StepKind),
            SECONDS,
            SECONDS,
            OUTCOMES,
            st.none() | st.sampled_from(StepNote),
            SECONDS,
            st.integers(0, 5),
            TEXT,
            TEXT,
        ),
        max_size=4,
    ).map(tuple),
    cache_use=st.sampled_from(CacheUse),
    fallback=TEXT,
    fallback_reason=st.none() | ERRORS,
    isolation=st.sampled_from(Isolation),
    worker_pid=st.none() | st.integers(1, 99_999),
    worker_killed=st.booleans(),
    error=st.none() | ERRORS,
    result=st.just(MISSING) | JSON,
    own_text=st.none() | TEXT,
    partial_text=TEXT,
    logs=st.lists(st.builds(LogEntry, SECONDS, TEXT, TEXT | NAMES), max_size=3).map(tuple),
    attachments=st.just(()),
    sealed=st.just(value=False),
    feedback=TEXT,
    turns_to_keep=st.none() | st.integers(0, 9),
    model=NAMES,
    hidden=TEXT,
)
VAULT = Vault(Vault.new_key())
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(params=[False, True], ids=["in the row", "outside"])
def _size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the parts of a record stand in the row, or in files of their own."""
    if request.param:
        monkeypatch.setattr("tools.history.encoding.LARGE_BYTES", 150)
        monkeypatch.setattr("tools.history.encoding.OUTSIDE_BYTES", 40)


def read(row: CallRow, vault: Vault | None = None) -> CallRecord:
    """Return what a row holds, with what stands outside it."""
    parts = {part: blob.content for part, blob in row.blobs}
    return record_of_row(f"run-{row.call}", row.record, row.sealed, vault=vault, parts=lambda: parts)


def types_in(value: Any) -> Any:
    """Return a value with the type of each part, so that 0 is not 0.0 and a text no member of an enumeration."""
    if isinstance(value, dict):
        return {name: types_in(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value), [types_in(part) for part in value]
    return (datetime if isinstance(value, datetime) else type(value)), value


def changed(found: CallRecord, expected: CallRecord) -> list[str]:
    """Return what two records differ in; a comparison of them whole takes pytest minutes to explain."""
    pairs = zip(CallRecord._fields, found, expected, strict=True)
    return [f"{name}: {one!r} is not {other!r}"[:500] for name, one, other in pairs if types_in(one) != types_in(other)]


@pytest.mark.usefixtures("_size")
@QUICK
@given(RECORDS)
def test_a_record_comes_back_as_it_was_written(record: CallRecord) -> None:
    found = read(row_of(record, "run", None))

    assert changed(found, record._replace(id=f"run-{record.id}")) == []


@pytest.mark.usefixtures("_size")
@QUICK
@given(RECORDS)
def test_a_sealed_record_comes_back_as_it_was_written(record: CallRecord) -> None:
    record = record._replace(tool=record.tool._replace(encrypted=True), hidden="")
    row = row_of(record, "run", VAULT)

    assert changed(read(row, VAULT), record._replace(id=f"run-{record.id}", sealed=True)) == []
    closed = read(row)
    assert (closed.arguments, closed.result, closed.decisions, closed.logs) == (None, MISSING, (), ())
    assert closed.steps == record.steps


@pytest.mark.usefixtures("_size")
@QUICK
@given(RECORDS)
def test_words_and_list_follow_from_what_is_stored(record: CallRecord) -> None:
    row = row_of(record, "run", None)

    if not row.keeps_words:
        # Entries leave the index by the words that the stored record gives.
        parts = read(row)
        again = row_of(parts._replace(id=record.id), "run", None)
        assert again.words == row.words
    listed = list_row((5 << 10, "run", row.call, row.tool, row.caller, row.status.value, row.elapsed_s, row.listed))
    assert (listed.id, listed.status, listed.review_s) == (f"run-{record.id}", record.status, record.review_s)
    assert (listed.attempts, listed.edited, listed.fallback) == (len(record.attempts), record.edited, record.fallback)
    assert max(map(len, (listed.arguments_text, listed.asked_text, listed.summary))) <= 200


@QUICK
@given(RECORDS)
def test_a_sensitive_record_leaves_no_words(record: CallRecord) -> None:
    secret = "xyzzyplugh"
    error = CallError(ErrorKind.TOOL, secret, "KeyError", secret)
    told = record._replace(
        tool=ToolRef("t", sensitive=True),
        arguments={"a": secret},
        result=[secret],
        own_text=secret,
        partial_text=secret,
        feedback=secret,
        logs=(LogEntry(0.0, "info", secret),),
        error=error,
        attempts=(Attempt(1, 0.0, 0.0, StepOutcome.FAILED, error),),
        fallback=secret,
        fallback_reason=error,
    )
    row = row_of(told, "run", VAULT)

    assert secret not in f"{row}"
    assert read(row).hidden.startswith("The tool is sensitive")


@given(TEXT, NAMES)
def test_what_cannot_be_written_down_leaves_that_it_happened(tool: str, caller: str) -> None:
    record = CallRecord("7", ToolRef(tool), caller, 5.0, CallStatus.FAILED)

    found = read(unreadable(record))

    assert (found.id, found.tool.name, found.status) == ("run-7", tool, CallStatus.FAILED)
    assert found.hidden.startswith("The call could not be written down")


def test_nobody_s_text_is_taken_for_a_mark() -> None:
    assert "\ue000" not in words_of({"arguments": {"a": "\ue000746f6f6c"}})
