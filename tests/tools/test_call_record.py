"""The record of a call: what readers get in place of the live call, its secrets hidden once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from tests.tools.running import Answers, run
from tools import CallStatus, Edit, Retry, ToolFailure, resilience, tool
from tools.calls import MASK, CallFinished, CallRecord, Event, StepKind, StepOutcome, record_of

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


@tool(isolation="inline", destructive=True)
def log_in(user: str, password: SecretStr) -> str:
    """Log in."""
    return f"{user} with {password.get_secret_value()}"


@tool(isolation="inline")
@resilience(retry=Retry(max_attempts=2, initial_delay_s=0, retry_on=(ToolFailure,)))
def flaky(word: str) -> str:
    """Fail at the first attempt."""
    if not TRIED:
        TRIED.append(word)
        raise ToolFailure(f"no {word} yet")
    return word


TRIED: list[str] = []


def ended(events: list[Event]) -> CallRecord:
    (finished,) = [event for event in events if isinstance(event, CallFinished)]
    return finished.record


def test_the_record_of_the_end_has_no_secret_and_the_response_has_the_real_values(executor_of: ExecutorOf) -> None:
    events: list[Event] = []
    handler = Answers(Edit({"user": "ada", "password": MASK}))
    executor = executor_of(log_in, listeners=[events.append], review_handler=handler)

    response = executor.run("log_in", {"user": "mira", "password": "hunter2"})

    record = ended(events)
    assert response.result == "ada with hunter2"
    assert record.arguments == {"user": "mira", "password": MASK}
    assert record.edited_arguments == record.final_arguments == {"user": "ada", "password": MASK}
    assert [edit.name for edit in record.edits] == ["user"]
    assert record.result == record.text == f"ada with {MASK}"
    assert "hunter2" not in repr(record)


def test_each_attempt_has_its_error_and_its_step(executor_of: ExecutorOf) -> None:
    TRIED.clear()
    events: list[Event] = []

    executor_of(flaky, listeners=[events.append]).run("flaky", {"word": "luck"})

    record = ended(events)
    first, second = record.attempts
    assert first.error is not None
    assert (first.outcome, first.error.message) == (StepOutcome.FAILED, "no luck yet")
    assert (second.outcome, second.error) == (StepOutcome.OK, None)
    assert [step.number for step in record.steps if step.kind is StepKind.ATTEMPT] == [1, 2]
    assert record.running_s <= record.own_s <= record.elapsed_s


class Mute:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


@tool(isolation="inline")
def take(thing: Any) -> bool:
    """Take anything."""
    return isinstance(thing, Mute)


def test_an_argument_whose_words_fail_is_shown_by_its_class(executor_of: ExecutorOf) -> None:
    events: list[Event] = []

    response = executor_of(take, listeners=[events.append]).run("take", {"thing": Mute()})

    assert response.result is True
    assert ended(events).arguments == {"thing": "<Mute>"}


def test_a_record_stays_as_it_was_made(executor_of: ExecutorOf) -> None:
    @tool(isolation="inline")
    def grow(words: list[str]) -> list[str]:
        """Change the argument in place."""
        words.append("more")
        return words

    executor = executor_of(grow)
    call = executor.create_call("grow", {"words": ["one"]})
    before = record_of(call)

    run(executor.execute(call))

    assert (before.status, before.steps[1:]) == (CallStatus.PENDING, ())
    assert before.arguments == record_of(call).arguments == {"words": ["one"]}
