"""What a caller and the person at the window are told to do about a call that did not succeed."""

from __future__ import annotations

import pytest

from tools import ArgumentProblem, CallError
from tools.calls import ErrorKind
from tools.remedies import remedy_for_person, remedy_of


@pytest.mark.parametrize("kind", list(ErrorKind))
def test_a_person_is_told_something_of_every_kind(kind: ErrorKind) -> None:
    assert remedy_for_person(CallError(kind, "no"), has_log=False).endswith(".")


@pytest.mark.parametrize("kind", list(ErrorKind))
def test_what_the_place_that_failed_knows_comes_first(kind: ErrorKind) -> None:
    error = CallError(kind, "no", remedy="Ask Mira.")
    assert (remedy_of(error), remedy_for_person(error, has_log=True)) == ("Ask Mira.", "Ask Mira.")


@pytest.mark.parametrize("kind", [ErrorKind.DENIED, ErrorKind.CALLER, ErrorKind.CANCELLED, ErrorKind.ABORTED])
def test_a_caller_is_never_told_to_run_again_what_a_person_refused_or_stopped(kind: ErrorKind) -> None:
    assert remedy_of(CallError(kind, "no")) == ""


def test_arguments_that_do_not_fit_are_named_once() -> None:
    problems = tuple(ArgumentProblem(path, "wrong", "", "") for path in ("a", "b", "a"))
    assert remedy_of(CallError(ErrorKind.ARGUMENTS, "no", problems=problems)) == "Correct a, b and run again."


@pytest.mark.parametrize(("type_name", "in_code"), [("TypeError", True), ("FileNotFoundError", False)])
def test_a_mistake_in_the_tools_code_points_at_the_traceback_first(type_name: str, *, in_code: bool) -> None:
    error = CallError(ErrorKind.TOOL, "no", type_name, "Traceback (most recent call last): ...")
    assert remedy_for_person(error, has_log=False).startswith("The traceback says") == in_code
